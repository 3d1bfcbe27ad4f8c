"""Compares the bone heat of `supple bind` with Blender's automatic weights, vertex by vertex, and both times.

    python check_heat.py SUPPLE_BINARY SHARED_FOLDER [--long]

The Python must have Blender as a module (`bpy`; checked with 5.0). Both get the same welded mesh and the same bones, those
that `supple bind --json` prints. Blender's weights are summed by joint, limited to four and normalised, as Supple's are.
The figure is the share of a vertex's weight that goes to other joints, half the sum of absolute differences, averaged
over the vertices whose two nearest joints differ in distance by more than 5 %: elsewhere the choice is a matter of taste.
Exits with 1 if it exceeds the limit on a mesh with its own skeleton where Blender finds weights for all vertices.

PEERS_DATA names a folder with the rigs that gen_rigs.py makes; without it those rows are left out. --long adds the dense
ones. The times are those of the operator and of the weights alone, taken in turns; they say nothing for a debug build.
"""
import contextlib, json, os, pathlib, statistics, struct, subprocess, sys, tempfile, time
import bpy
import numpy as np

LIMIT = 0.02
CLEAR = 1.05
long = "--long" in sys.argv
supple, shared = [a for a in sys.argv[1:] if a != "--long"]
data = pathlib.Path(shared, "data")
COMPONENT = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def cases():
    """Name, mesh, further words, rounds."""
    for character, vertices in (("arm", 4000), ("hand", 8000), ("figure", 8000)):
        yield character, (character, vertices), [], 1
    tgf = data / "skeleton"
    yield "makehuman_male", data / "static/makehuman_male_body.obj", ["--skeleton", tgf / "makehuman_male_cmu.tgf"], 1
    yield "hand_webxr", data / "static/hand_webxr.obj", ["--skeleton", tgf / "hand_webxr.tgf"], 1
    yield "smpl_man", data / "static/smpl_man.obj", ["--fit", "--skeleton", tgf / "makehuman_male_cmu.tgf"], 1
    yield "cat", data / "static/cat.obj", ["--fit", "--skeleton", data / "rigged/m2m_fox.glb"], 1
    if long:
        yield "spot", data / "static/spot.obj", ["--fit", "--skeleton", data / "rigged/m2m_horse.glb"], 1
        yield "koala", data / "static/koala.obj", ["--fit", "--skeleton", data / "rigged/m2m_fox.glb"], 1
        yield "dechalon", data / "static/statue_dechalon.ply", ["--fit", "--skeleton", tgf / "makehuman_male_cmu.tgf"], 1
    peers = os.environ.get("PEERS_DATA")
    if not peers:
        print("PEERS_DATA is not set: arm2, chain20 and human20 are left out")
        return
    sizes = ("8k", "32k", "173k") if long else ("8k",)
    for size in sizes:
        for rig in ("arm2", "chain20", "human20"):
            if size != "173k" or rig == "human20":
                yield f"{rig}_{size}", pathlib.Path(peers, f"{rig}_{size}.glb"), [], 2 if size == "173k" else 3


def run(*words):
    done = subprocess.run([supple, "--quiet", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def read_glb(path):
    """Positions, triangles, joints and weights of all primitives, one after another."""
    raw = path.read_bytes()
    length = struct.unpack_from("<I", raw, 12)[0]
    doc, blob = json.loads(raw[20 : 20 + length]), raw[28 + length :]

    def array(index):
        a = doc["accessors"][index]
        kind, view = np.dtype(COMPONENT[a["componentType"]]), doc["bufferViews"][a["bufferView"]]
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        width = WIDTH[a["type"]]
        stride = view.get("byteStride", kind.itemsize * width)
        shape = (a["count"], width)
        return np.ndarray(shape, kind, blob, start, (stride, kind.itemsize)).copy()

    positions, triangles, joints, weights = [], [], [], []
    for primitive in (p for m in doc["meshes"] for p in m["primitives"]):
        triangles.append(array(primitive["indices"]).reshape(-1, 3).astype(int) + sum(map(len, positions)))
        at = primitive["attributes"]
        positions.append(array(at["POSITION"]))
        joints.append(array(at["JOINTS_0"]).astype(int))
        weights.append(array(at["WEIGHTS_0"]).astype(float))
    names = [doc["nodes"][n]["name"] for n in doc["skins"][0]["joints"]]
    return tuple(map(np.concatenate, (positions, triangles, joints, weights))) + (names,)


def weld(positions, triangles):
    _, first, same = np.unique(positions + 0.0, axis=0, return_index=True, return_inverse=True)
    triangles = same.reshape(-1)[triangles]
    sound = [len(set(t)) == 3 for t in triangles.tolist()]
    return first, triangles[sound]


def blender(positions, triangles, bones):
    """Weights for each bone, and the time of the operator."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata(positions.tolist(), [], triangles.tolist())
    skin, armature = bpy.data.objects.new("skin", mesh), bpy.data.armatures.new("bones")
    frame = bpy.data.objects.new("bones", armature)
    for o in (skin, frame):
        bpy.context.scene.collection.objects.link(o)
    bpy.context.view_layer.objects.active = frame
    bpy.ops.object.mode_set(mode="EDIT")
    for i, bone in enumerate(bones):
        edit = armature.edit_bones.new(f"{i}")
        edit.head, edit.tail = bone["head"], bone["tail"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for o in (skin, frame):
        o.select_set(True)
    bpy.context.view_layer.update()
    start = time.perf_counter()
    with contextlib.redirect_stdout(None):
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    seconds = time.perf_counter() - start
    weights = np.zeros((len(positions), len(bones)))
    group = {g.index: int(g.name) for g in skin.vertex_groups}
    for v in mesh.vertices:
        for g in v.groups:
            weights[v.index, group[g.group]] = g.weight
    return weights, seconds


def distances(points, bones):
    found = []
    for bone in bones:
        head, along = np.array(bone["head"]), np.array(bone["tail"]) - bone["head"]
        t = np.clip((points - head) @ along / max(along @ along, 1e-30), 0, 1)
        found.append(np.linalg.norm(points - head - t[:, None] * along, axis=1))
    return np.stack(found, 1)


def limited(weights, most=4):
    kept = weights.copy()
    order = np.argsort(-kept, axis=1)
    np.put_along_axis(kept, order[:, most:], 0.0, axis=1)
    return kept / np.maximum(kept.sum(1, keepdims=True), 1e-30)


def compare(name, mesh, words, rounds, folder):
    if isinstance(mesh, tuple):
        path = folder / f"{name}.glb"
        run("example", mesh[0], "--vertices", mesh[1], "-o", path)
        mesh = path
    out = folder / "out.glb"
    ours, theirs = [], []
    for _ in range(rounds):
        facts = json.loads(run("bind", mesh, *words, "--json", "-o", out))
        ours.append(facts["seconds"])
        positions, triangles, joints, values, names = read_glb(out)
        first, triangles = weld(positions, triangles)
        points, bones = positions[first].astype(float), facts["bones"]
        weights, seconds = blender(points, triangles, bones)
        theirs.append(seconds)

    owner = np.array([names.index(b["joint"]) for b in bones])
    used = np.unique(owner)
    by_joint = lambda per_bone, how: np.stack([how(per_bone[:, owner == j], axis=1) for j in used], 1)
    weights, near = by_joint(weights, np.sum), np.sort(by_joint(distances(points, bones), np.min), axis=1)
    found = np.zeros((len(points), len(names)))
    for k in range(4):
        np.add.at(found, (np.arange(len(points)), joints[first, k]), values[first, k])
    found = found[:, used]
    fails = int((weights.sum(1) < 1e-6).sum())
    clear = near[:, 1] > CLEAR * near[:, 0] if near.shape[1] > 1 else np.ones(len(points), bool)
    moved = 0.5 * np.abs(limited(weights) - found).sum(1)
    figure = moved[clear].mean()
    times = f"{statistics.median(ours):7.3f} s  Blender {statistics.median(theirs):7.3f} s, {statistics.median(theirs) / statistics.median(ours):5.1f} times as long"
    verdict = "ok" if figure < LIMIT else "BAD"
    if fails:
        verdict = f"not judged: Blender leaves {fails} vertices without weights"
    elif "--fit" in words:
        verdict = "not judged: the skeleton of another body"
    print(
        f"{name:16} {len(points):6} points {len(bones):3} bones  {clear.mean():4.0%} clear: {figure:.4f} "
        f"(all {moved.mean():.4f}, 99th {np.quantile(moved, 0.99):.3f})  {times}  {verdict}",
        flush=True,
    )
    return verdict == "BAD"


with tempfile.TemporaryDirectory() as temporary:
    bad = [compare(*case, pathlib.Path(temporary)) for case in cases()]
print(f"{len(bad)} meshes, limit {LIMIT}")
sys.exit(any(bad))
