#!/usr/bin/env python3
"""`supple measure` against other people's code: libigl's winding numbers, numpy's percentiles, scipy's k-d tree.

    check_measure.py SUPPLE SHARED

Each case is moved by `supple deform`, written as PLY, and measured three times: by the checks in SHARED, by
`supple measure REST POSED` on the same files, and by `supple measure RIG` on the rig itself. Figures agree when they
differ by at most 2 % or 1e-4. Exits with 1 if any does not.

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


def agree(a, b):
    if a is None or b is None or isinstance(a, bool):
        return a == b or (a is None and not math.isfinite(b))
    return abs(a - b) <= max(ABSOLUTE, RELATIVE * abs(b))


def compare(name, expected, **found):
    bad = []
    for who, figures in found.items():
        bad += [f"{who} {k} {figures.get(k)}" for k in expected if not agree(figures.get(k), expected[k])]
    shown = " ".join(f"{k} {expected[k]:.5g}/{found['files'][k]:.5g}" for k in SHOWN if k in expected)
    print(f"{'ok ' if not bad else 'BAD'} {name:38} {shown} {'; '.join(bad)}", flush=True)
    return len(bad)


SHOWN = "overlap", "inverted", "volume_drift", "stretch_max", "coverage", "crack"


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
        for name, before, after in point_cases(folder):
            expected = points_quality.figures(points_quality.load(before), points_quality.load(after))
            wrong += compare(name, expected, files=json.loads(run("measure", before, after, "--json")))
            count += 1
    if wrong:
        raise SystemExit(f"{wrong} figures differ")
    print(f"{count} cases agree to {RELATIVE:.0%} or {ABSOLUTE:.0e}")


main()
