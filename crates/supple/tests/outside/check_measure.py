#!/usr/bin/env python3
"""`supple measure` against other people's code: libigl's winding numbers, numpy's percentiles, scipy's k-d tree.

    check_measure.py SUPPLE SHARED

Each case is moved by `supple deform`, written as PLY, and measured three times: by the checks in SHARED, by
`supple measure REST POSED` on the same files, and by `supple measure RIG` on the rig itself. Figures agree when they
differ by at most 2 % or 1e-4. Exits with 1 if any does not.

For the plain arm, the figures that need a rig are computed here once more, from what is known of its bones.

The shells of the knight overlap by a third of it at rest and are full of holes, so that libigl's approximate numbers are
off by more than that; for it the exact ones are taken where it matters.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

RELATIVE, ABSOLUTE = 0.02, 1e-4
supple, shared = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(shared, "checks"))
import igl  # noqa: E402
import numpy as np  # noqa: E402
import points_quality  # noqa: E402
import skin_quality  # noqa: E402

RIGGED = os.path.join(shared, "data", "rigged")
DQ = ["--method", "dual-quaternion"]


def run(*words):
    r = subprocess.run([supple, "--quiet", *words], capture_output=True, text=True)
    if r.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {r.stderr.strip()}")
    return r.stdout


def cases(folder):
    """Name, rig, words that move it."""
    made = {}
    for name, words in {
        "plain arm": ["arm", "--plain", "--vertices", "8003"],
        "hand": ["hand", "--vertices", "4000"],
        "figure": ["figure", "--vertices", "5000"],
    }.items():
        made[name] = os.path.join(folder, name.replace(" ", "_") + ".glb")
        run("example", *words, "-o", made[name])
    for degrees in 90, 135, 150:
        for method in "linear", "dual-quaternion":
            words = ["--method", method, "--bend", f"forearm={degrees}"]
            yield f"plain arm {degrees} {method}", made["plain arm"], words
    yield "plain arm 170 twist", made["plain arm"], ["--twist", "forearm=170"]
    yield "hand fist linear", made["hand"], ["--clip", "fist", "--time", "9"]
    yield "hand fist dual-quaternion", made["hand"], [*DQ, "--clip", "fist", "--time", "9"]
    yield "figure crouch linear", made["figure"], ["--clip", "crouch", "--time", "9"]
    human = os.path.join(RIGGED, "makehuman_male_cmu.glb")
    yield "makehuman knee 120 linear", human, ["--bend", "LeftLeg=120"]
    yield "makehuman knee 120 dual-quaternion", human, [*DQ, "--bend", "LeftLeg=120"]
    for name in "quaternius_Frog", "RobotExpressive", "CesiumMan", "kaykit_Knight":
        rig = os.path.join(RIGGED, name + ".glb")
        for clip in json.loads(run("info", rig, "--json"))["clips"][:3]:
            time = repr(clip["seconds"] * 0.4)
            yield f"{name} {clip['name']}", rig, ["--clip", clip["name"], "--time", time]


def point_cases(folder):
    """Name, rest points, moved points: a bend and a tear, of files that hold points only."""
    for name in "hermes_noisy_60k", "dechalon_120k":
        rest = os.path.join(shared, "data", "points", name + ".ply")
        points = points_quality.load(rest)
        low, high = points.min(0), points.max(0)
        axis = int((high - low).argmax())
        along = (points[:, axis] - low[axis]) / (high[axis] - low[axis])
        for what, shift in ("sheared", 3 * along**3), ("torn", (along > 0.5) * 0.2):
            moved = points.copy()
            moved[:, (axis + 1) % 3] += shift * (high[axis] - low[axis])
            path = os.path.join(folder, "moved.obj")
            with open(path, "w") as out:
                out.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in moved)
            before = os.path.join(folder, "rest.obj")
            with open(before, "w") as out:
                out.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in points)
            yield f"{name} {what}", before, path


def exact(figures, rest, posed, faces):
    """Puts exact overlap and inversion in place of approximate ones, where cells are near the thresholds."""
    first, kept = skin_quality.weld(rest, faces)
    size = abs(skin_quality.volume(rest[first], kept))
    totals = []
    for points in rest[first], posed[first]:
        fast = igl.fast_winding_number

        def careful(v, f, q):
            w = fast(v, f, q)
            near = (abs(w - 1.5) < 0.05) | (abs(w + 0.5) < 0.05)
            w[near] = igl.winding_number(v, f, q[near])
            return w

        igl.fast_winding_number = careful
        try:
            seen, cell = skin_quality.windings(points, kept, 96)
        finally:
            igl.fast_winding_number = fast
        totals.append(((seen >= 1.5).sum() * cell / size, (seen <= -0.5).sum() * cell / size))
    figures["overlap"], figures["inverted"] = (float(after - before) for before, after in zip(*totals))
    figures["volume_drift"] = (
        skin_quality.volume(posed[first], kept) / skin_quality.volume(rest[first], kept) - 1 - max(figures["overlap"], 0)
    )


def segment(points, head, tail):
    t = np.clip((points - head) @ (tail - head) / ((tail - head) @ (tail - head)), 0, 1)
    return np.linalg.norm(points - head - t[:, None] * (tail - head), axis=1)


def of_arm(rest, posed, faces, turn):
    """What needs the rig, for the plain arm: bones along x from 0 over 2 to nine tenths of the way to its end, the
    second turned by a matrix; weights by a smooth step of 0.4 either way of the elbow."""
    elbow = np.array([2.0, 0, 0])
    bones = [(np.zeros(3), elbow), (elbow, elbow + [0.9 * (rest[:, 0].max() - 2), 0, 0])]
    carried = [bones[0], (elbow, elbow + turn @ (bones[1][1] - elbow))]
    before, after = (np.array([segment(p, *b) for b in bs]) for p, bs in ((rest, bones), (posed, carried)))
    t = np.clip((rest[:, 0] - 1.6) / 0.8, 0, 1)
    share = t * t * (3 - 2 * t)
    owner = (share > 0.5).astype(int)
    rows = np.arange(len(rest))
    own0, own = before[owner, rows], after[owner, rows]
    thick = own0 > 0.5 * np.array([np.median(own0[owner == b]) for b in (0, 1)])[owner]
    chain0, chain = before.min(0), after.min(0)
    turns = np.array([np.eye(3), turn])
    normal0, normal = (np.cross(p[faces[:, 1]] - p[faces[:, 0]], p[faces[:, 2]] - p[faces[:, 0]]) for p in (rest, posed))
    face_owner = (share[faces].sum(1) > 1.5).astype(int)
    against = (np.einsum("fij,fj->fi", turns[face_owner], normal0) * normal).sum(1) < 0
    away = np.linalg.norm(rest - elbow, axis=1) > 2 * own0
    edges = np.unique(np.sort(np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), 1), axis=0)
    local = []
    tangent0 = None
    for points, normals, by in (rest, normal0, None), (posed, normal, turns[owner]):
        total, count, n = np.zeros_like(points), np.zeros(len(points)), np.zeros_like(points)
        for a, b in (0, 1), (1, 0):
            np.add.at(total, edges[:, a], points[edges[:, b]])
            np.add.at(count, edges[:, a], 1)
        for corner in range(3):
            np.add.at(n, faces[:, corner], normals)
        n /= np.linalg.norm(n, axis=1)[:, None]
        # Any tangent will do at rest: this one is never along a normal that has no part in it.
        if tangent0 is None:
            tangent0 = np.cross(n, np.eye(3)[np.abs(n).argmin(1)])
        tangent = tangent0 if by is None else np.einsum("vij,vj->vi", by, tangent0)
        tangent = tangent - n * (n * tangent).sum(1)[:, None]
        tangent /= np.linalg.norm(tangent, axis=1)[:, None]
        vector = total / count[:, None] - points
        local.append(np.stack([(vector * f).sum(1) for f in (tangent, np.cross(n, tangent), n)], 1)[away])
    return {
        "collapse": float((own / np.maximum(own0, 1e-9))[thick].min()),
        "bulge": float((chain / np.maximum(chain0, 0.05 * chain0.max())).max()),
        "flipped": float(against.mean()),
        "detail": float(np.sqrt(((local[1] - local[0]) ** 2).sum() / (local[0] ** 2).sum())),
    }


def growth(before, after):
    """The figure of point sets that the shared checks leave out."""
    d0, n = points_quality.cKDTree(before).query(before, 9)
    d = np.linalg.norm(after[n[:, 1:]] - after[:, None], axis=2)
    apart = d0[:, 1:] > 0
    return float(np.percentile(d[apart] / d0[:, 1:][apart], 99.9))


def rotation(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = np.eye(3)
    m[i, i], m[j, j], m[i, j], m[j, i] = c, c, -s, s
    return m


def agree(a, b):
    if a is None or b is None or isinstance(a, bool):
        return a == b or (a is None and not math.isfinite(b))
    return abs(a - b) <= max(ABSOLUTE, RELATIVE * abs(b))


def compare(name, expected, **found):
    bad = []
    for who, figures in found.items():
        bad += [f"{who} {k} {figures.get(k)}" for k in expected if not agree(figures.get(k), expected[k])]
    mine = next(iter(found.values()))
    shown = " ".join(f"{k} {expected[k]:.5g}/{mine[k]:.5g}" for k in SHOWN if k in expected)
    print(f"{'ok ' if not bad else 'BAD'} {name:38} {shown} {'; '.join(bad)}", flush=True)
    return len(bad)


SHOWN = "overlap", "inverted", "volume_drift", "stretch_max", "collapse", "bulge", "flipped", "detail", "coverage", "growth", "crack"


def main():
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        rest, posed = os.path.join(folder, "rest.ply"), os.path.join(folder, "posed.ply")
        for name, rig, words in cases(folder):
            run("deform", rig, "--rest", "-o", rest)
            run("deform", rig, *words, "-o", posed)
            (v0, faces), (v, _) = skin_quality.load(rest), skin_quality.load(posed)
            expected = skin_quality.figures(v0, v, faces)
            if "Knight" in name:
                exact(expected, v0, v, faces)
            files = json.loads(run("measure", rest, posed, "--json"))
            direct = json.loads(run("measure", rig, *words, "--json"))
            wrong += compare(name, expected, files=files, rig=direct)
            count += 1
            if "plain arm" in name:
                axis = 0 if "twist" in name else 2
                expected = of_arm(v0, v, faces, rotation(axis, float(name.split()[2])))
                wrong += compare(name, expected, rig=direct)
                count += 1
        for name, before, after in point_cases(folder):
            expected = points_quality.figures(points_quality.load(before), points_quality.load(after))
            expected["growth"] = growth(points_quality.load(before), points_quality.load(after))
            wrong += compare(name, expected, files=json.loads(run("measure", before, after, "--json")))
            count += 1
    if wrong:
        raise SystemExit(f"{wrong} figures differ")
    print(f"{count} cases agree to {RELATIVE:.0%} or {ABSOLUTE:.0e}")


main()
