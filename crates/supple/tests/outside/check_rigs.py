#!/usr/bin/env python3
"""Every rig of the shared data, every clip, at several times: `supple` against the glTF equations in double precision.

    check_rigs.py SUPPLE SHARED

Each clip is baked by the command at an odd frame rate (so that frames fall between keys) and compared frame by frame,
vertex by vertex; one frame of each rig also goes through `supple deform`. The limit is 1e-5 of the diagonal.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

LIMIT = 1e-5
supple, shared = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(shared, "checks"))
import gltf_skin  # noqa: E402


def run(*words):
    r = subprocess.run([supple, "--quiet", *words], capture_output=True, text=True)
    if r.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {r.stderr.strip()}")


def read_pc2(path):
    raw = open(path, "rb").read()
    points, samples = np.frombuffer(raw, "<i4", 1, 16)[0], np.frombuffer(raw, "<i4", 1, 28)[0]
    return np.frombuffer(raw, "<f4", samples * points * 3, 32).reshape(samples, points, 3).astype(float)


def read_obj(path):
    return np.array([line.split()[1:4] for line in open(path) if line.startswith("v ")], float)


def distance(found, expected):
    if found.shape != expected.shape:
        raise SystemExit(f"{found.shape} vertices found, {expected.shape} expected")
    diagonal = np.linalg.norm(np.ptp(expected, axis=0))
    return np.linalg.norm(found - expected, axis=1).max() / diagonal


def main():
    worst_of_all, frames_of_all = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        rigs = os.path.join(shared, "data", "rigged")
        for name in sorted(os.listdir(rigs)):
            rig = os.path.join(rigs, name)
            glb = gltf_skin.Glb(rig)
            run("deform", rig, "-o", out + ".obj")
            worst, frames = distance(read_obj(out + ".obj"), gltf_skin.posed(glb, None, 0.0)[0]), 1
            clips = glb.j.get("animations", [])
            for i, clip in enumerate(clips):
                last = max(float(glb.read(s["input"]).max()) for s in clip["samplers"])
                fps = min(max(2.71 / max(last, 1e-6), 0.1), 1000.0)
                run("bake", rig, "--clip", str(i), "--fps", repr(fps), "-o", out + ".pc2")
                for k, found in enumerate(read_pc2(out + ".pc2")):
                    worst = max(worst, distance(found, gltf_skin.posed(glb, str(i), k / fps)[0]))
                    frames += 1
            if clips:
                run("deform", rig, "--clip", "0", "--time", repr(last * 0.37), "-o", out + ".obj")
                worst = max(worst, distance(read_obj(out + ".obj"), gltf_skin.posed(glb, "0", last * 0.37)[0]))
            print(f"{name:28} {len(clips):3} clips {frames:4} frames  {worst:.1e} of the diagonal", flush=True)
            worst_of_all, frames_of_all = max(worst_of_all, worst), frames_of_all + frames
    if not worst_of_all <= LIMIT:
        raise SystemExit(f"the largest distance {worst_of_all:.1e} exceeds {LIMIT:.0e}")
    print(f"{frames_of_all} frames agree to {worst_of_all:.1e} of the diagonal (limit {LIMIT:.0e})")


main()
