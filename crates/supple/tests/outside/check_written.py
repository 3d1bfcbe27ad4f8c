"""Opens written files with other programs: gltf-validator (node), trimesh, usd-core, Blender; uses what is installed.

    SUPPLE_WRITTEN=out cargo test -p supple --test written
    GLTF_VALIDATOR=.../node_modules/gltf-validator python check_written.py out/*

Beside X.glb, X.shown.ply holds the points it must show, or X.pc2 those of every frame at 24 frames a second; X.usda is
compared with X.pc2 too. Files in a folder `through` are full of what some of the programs do not know, and are judged by
the validator alone. Run it once for each Python that has some of the modules. Exits with 1 if anything is wrong.
"""
import importlib.util, json, os, pathlib, subprocess, sys
import numpy as np

HAS = {m: importlib.util.find_spec(m) is not None for m in ("trimesh", "pxr", "bpy")}
failures = 0


def report(path, tool, ok, what):
    global failures
    failures += not ok
    print(f"{'ok ' if ok else 'BAD'} {path.name:24} {tool:10} {what}")


def read_pc2(path):
    data = path.read_bytes()
    points, frames = np.frombuffer(data, "<i4", 1, 16)[0], np.frombuffer(data, "<i4", 1, 28)[0]
    assert data[:12] == b"POINTCACHE2\0" and len(data) == 32 + 12 * points * frames, path
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, points, 3)


def read_ply(path):
    data = path.read_bytes()
    head, body = data.split(b"end_header\n", 1)
    count = int(head.split(b"element vertex ")[1].split()[0])
    stride = 12 + 12 * (b" nx" in head) + 4 * (b" red" in head)
    return np.stack([np.frombuffer(body, "<f4", 3, i * stride) for i in range(count)])


def expected(path):
    """The frames a file must show, or None."""
    shown, cache = path.with_suffix(".shown.ply"), path.with_suffix(".pc2")
    return read_ply(shown)[None] if shown.exists() else read_pc2(cache) if cache.exists() else None


def validate(path):
    script = (
        "const v=require(process.argv[1]);v.validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[2])))"
        ".then(r=>console.log(JSON.stringify(r.issues)))"
    )
    run = subprocess.run(["node", "-e", script, os.environ["GLTF_VALIDATOR"], path], capture_output=True, text=True)
    issues = json.loads(run.stdout)
    counts = {k: issues[k] for k in ("numErrors", "numWarnings", "numInfos", "numHints")}
    said = sorted({f"{m['code']} {m['pointer']}" for m in issues["messages"]})[:4]
    report(path, "validator", counts["numErrors"] + counts["numWarnings"] == 0, f"{list(counts.values())} {said}")


def with_trimesh(path):
    import trimesh

    scene = trimesh.load(path, process=False)
    parts = scene.geometry.values() if hasattr(scene, "geometry") else [scene]
    report(path, "trimesh", True, f"{sum(len(p.vertices) for p in parts)} vertices")


def with_usd(path):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    prim = UsdGeom.PointBased(stage.GetDefaultPrim())
    want = expected(path)
    if prim.GetPointsAttr().GetNumTimeSamples() == 0:
        at = [Usd.TimeCode.Default()]
    else:
        at = range(int(stage.GetStartTimeCode()), int(stage.GetEndTimeCode()) + 1)
    got = np.array([prim.GetPointsAttr().Get(t) for t in at])
    extent = np.array([prim.GetExtentAttr().Get(t) for t in at])
    inside = (got.min(1) >= extent[:, 0]).all() and (got.max(1) <= extent[:, 1]).all()
    same = want is None or (got.shape == want.shape and (got == want).all())
    what = f"{prim.GetPrim().GetTypeName()} {got.shape} at {stage.GetTimeCodesPerSecond()}/s, equal {same}, inside {inside}"
    report(path, "usd-core", bool(same and inside), what)


def with_blender(path):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24
    bpy.ops.import_scene.gltf(filepath=str(path))
    meshes = [o for o in bpy.context.scene.objects if o.type == "MESH" and "Icosphere" not in o.name]
    want = expected(path)
    if want is None or not meshes:
        report(path, "blender", True, f"opens, {len(meshes)} meshes, {len(bpy.data.actions)} actions")
        return
    worst = 0.0
    for k, frame in enumerate(want):
        bpy.context.scene.frame_set(k)
        graph = bpy.context.evaluated_depsgraph_get()
        got = []
        for o in meshes:
            o = o.evaluated_get(graph)
            points = np.array([o.matrix_world @ v.co for v in o.data.vertices])
            got.append(points[:, [0, 2, 1]] * [1, 1, -1])  # Blender's z is glTF's y
        got = np.concatenate(got)
        if got.shape != frame.shape:
            report(path, "blender", False, f"{len(got)} vertices, expected {len(frame)}")
            return
        worst = max(worst, np.abs(got - frame).max())
    size = np.ptp(want[0], axis=0).max()
    report(path, "blender", worst < 1e-4 * size, f"{len(want)} frames, worst difference {worst / size:.1e} of the size")


for path in map(pathlib.Path, sys.argv[1:]):
    if path.suffix == ".glb" and os.environ.get("GLTF_VALIDATOR"):
        validate(path)
    if path.parent.name == "through":
        continue
    if path.suffix in (".glb", ".obj", ".ply") and HAS["trimesh"]:
        with_trimesh(path)
    if path.suffix == ".usda" and HAS["pxr"]:
        with_usd(path)
    if path.suffix == ".glb" and HAS["bpy"]:
        with_blender(path)
sys.exit(failures > 0)
