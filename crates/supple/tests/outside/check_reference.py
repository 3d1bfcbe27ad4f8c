#!/usr/bin/env python3
"""`supple measure --reference` against the script that defines its figures.

    check_reference.py SUPPLE SHARED

Every case of the shared references is moved by three methods and measured twice: by SHARED/checks/flesh_distance.py on the written
points, and by the command. Shares agree when they differ by at most 0.1 point. Exits with 1 if any does not.
"""
import json
import os
import subprocess
import sys
import tempfile

supple, shared = os.path.abspath(sys.argv[1]), sys.argv[2]
AGREE = 0.1
NAMES = {
    "rms": "reference_rms",
    "p95": "reference_p95",
    "max": "reference_max",
    "normal_rms": "reference_normal_rms",
    "normal_p95": "reference_normal_p95",
    "normal_mean": "reference_normal_mean",
    "missing": "missing",
    "extra": "extra",
    "overlap": "overlapping",
    "wrong": "wrong",
}
references = os.path.join(shared, "data", "reference", "reference.json")
script = os.path.join(shared, "checks", "flesh_distance.py")


def run(*words):
    r = subprocess.run(words, capture_output=True, text=True)
    if r.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {r.stderr.strip()}")
    return r.stdout


def main():
    cases = json.load(open(references))["cases"]
    farthest, wrong, count = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        rigs, rests = {}, {}
        for case in cases:
            name = case["rig"]
            if name in rigs:
                continue
            rigs[name] = os.path.join(shared, "data", case["rig_from"])
            if case["rig_from"].startswith("supple "):
                rigs[name] = os.path.join(folder, name + ".glb")
                words = case["rig_from"].split()[1:]
                run(supple, "-q", *words[: words.index("-o")], "-o", rigs[name])
            rests[name] = os.path.join(folder, name + ".obj")
            run(supple, "-q", "deform", rigs[name], "--rest", "-o", rests[name])
        for method in "linear", "dual-quaternion", "implicit":
            ours = json.loads(run(supple, "-q", "--device", "cpu", "measure", "-m", method, "--reference", references, "--allow-outside", "--json"))
            for case in cases:
                moved = os.path.join(folder, "moved.obj")
                run(supple, "-q", "--device", "cpu", "deform", rigs[case["rig"]], "-m", method, *case["pose"], "-o", moved)
                shape = os.path.join(shared, "data", "reference", case["file"])
                theirs = json.loads(run(sys.executable, script, rests[case["rig"]], shape, moved, "--case", case["name"]))
                for key, value in theirs.items():
                    found = ours[case["name"]].get(NAMES.get(key))
                    if key == "vertices":
                        found, off = ours[case["name"]]["reference_vertices"], 0
                        off = abs(found - value)
                    else:
                        found = found * 100 if found is not None else float("nan")
                        off = abs(found - value)
                    count += 1
                    farthest = max(farthest, off)
                    if not off <= AGREE:
                        wrong += 1
                        print(f"{case['name']}, {method}: {key} is {found:.3f}, and {value} by the script")
    print(f"{count} figures of {len(cases)} references: {wrong} disagree, the farthest by {farthest:.3f} points")
    return 1 if wrong or not count else 0


sys.exit(main())
