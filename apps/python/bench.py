"""What a call from Python costs more than one from Rust, for a hand of 172,974 vertices.

Both are timed in turns, a few calls at a time, so that whatever else the machine does falls on both. The Rust call is
BoundGraph::evaluate into its own memory; Python's is Bound.deform, once into the caller's array and once into a new one.

    python bench.py [--vertices N] [--rounds N]
"""

import argparse
import statistics
import time

import numpy as np

import supple

AT_MOST = 1.2


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--vertices", type=int, default=172_974)
    arguments.add_argument("--bones", type=int, default=None)
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--methods", default="linear,dual-quaternion,implicit")
    given = arguments.parse_args()
    rig = supple.examples.hand(given.vertices, bones=given.bones)
    pose = rig.clips[0].sample(rig.clips[0].duration / 2)
    out = np.empty_like(rig.positions)
    print(f"{rig!r}, medians of {given.rounds} rounds, in milliseconds")
    print(f"{'method':<18}{'Rust':>9}{'out=':>9}{'new':>9}{'out/Rust':>10}{'new/Rust':>10}")
    too_slow = []
    for method in given.methods.split(","):
        bound = supple.Graph(method).bind(rig)
        calls = 1 if method == "implicit" else 5
        bound._time(pose, calls)
        times = {"rust": [], "out": [], "new": []}
        for _ in range(given.rounds):
            times["rust"] += bound._time(pose, calls)
            times["out"] += [timed(lambda: bound.deform(pose, out=out)) for _ in range(calls)]
            times["new"] += [timed(lambda: bound.deform(pose)) for _ in range(calls)]
        rust, given_out, new = (statistics.median(times[k]) * 1e3 for k in ("rust", "out", "new"))
        print(f"{method:<18}{rust:9.3f}{given_out:9.3f}{new:9.3f}{given_out / rust:10.3f}{new / rust:10.3f}")
        if given_out > AT_MOST * rust:
            too_slow.append(method)
    if too_slow:
        raise SystemExit(f"more than {AT_MOST} times the Rust call: {', '.join(too_slow)}")


def timed(call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
