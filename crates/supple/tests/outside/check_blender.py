"""Compares `supple deform` with Blender's armature modifier, vertex by vertex, on rigs in GLB files.

    python check_blender.py SUPPLE_BINARY RIG.glb...

The Python must have Blender as a module (`bpy`; checked with 5.0). Preserve volume off is `--method linear`, on is
`--method dual-quaternion`. A difference whose reason is known is listed in EXCEPTIONS with a remedy: a change to the
file or the import that takes the reason away, after which the two must agree. Exits with 1 if a rig differs that is not
listed, if a listed one agrees or differs by another size, or if a remedy does not help.

The poses are those of the rig's clips, and one made here that turns and sizes every joint.
"""
import collections, concurrent.futures, contextlib, copy, json, math, os, pathlib, struct, subprocess, sys, tempfile
import bpy
import numpy as np

LIMIT = 1e-4  # of the diagonal of the box around the posed points
CLIPS, TIMES = 6, 5  # at most so many clips of a rig, spread evenly, and times of each
METHODS = ("linear", "dual-quaternion")

Remedy = collections.namedtuple("Remedy", "says change options later", defaults=(None, {}, 0.0))
Known = collections.namedtuple("Known", "size reason remedy")  # size: the largest distance measured, over the diagonal

LONG_BONES = Remedy("with the bone directions of 'Temperance'", options={"bone_heuristic": "TEMPERANCE"})
# At the very key the two may round to different sides of a step.
STEPS = Remedy("with steps for splines and morph weights cut at 1", lambda glb: glb.step(), later=1e-3)
TWO_JOINTS = Remedy("with the two heaviest joints of each vertex only", lambda glb: glb.keep_joints(2))

PROPS = "the importer shortens bones by the armature's scale, but moves meshes that hang on bones by the full length"
SPLINES = "the importer drops the tangents of cubic splines and cuts morph weights at 1"
SIGNS = "Blender turns each joint's quaternion to the side of the sum so far, Supple to that of the heaviest joint"
EXCEPTIONS = {
    ("RobotExpressive.glb", "linear"): Known(1.3e-1, PROPS, LONG_BONES),
    ("RobotExpressive.glb", "dual-quaternion"): Known(1.3e-1, PROPS, LONG_BONES),
    ("babylon_Alien.glb", "linear"): Known(9.4e-3, SPLINES, STEPS),
    ("babylon_Alien.glb", "dual-quaternion"): Known(9.4e-3, SPLINES, STEPS),
    ("quaternius_Frog.glb", "dual-quaternion"): Known(1.2e-2, SIGNS, TWO_JOINTS),
}

COMPONENT = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.doc, self.data = json.loads(data[20 : 20 + length]), data[28 + length :]

    def bytes(self):
        text = json.dumps(self.doc).encode()
        text += b" " * (-len(text) % 4)
        data = self.data + b"\0" * (-len(self.data) % 4)
        head = struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(data), len(text), b"JSON")
        return head + text + struct.pack("<I4s", len(data), b"BIN\0") + data

    def array(self, index):
        """The numbers of an accessor without sparse parts."""
        a = self.doc["accessors"][index]
        view, kind = self.doc["bufferViews"][a["bufferView"]], np.dtype(COMPONENT[a["componentType"]])
        shape = (a["count"], WIDTH[a["type"]])
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        strides = (view.get("byteStride", kind.itemsize * shape[1]), kind.itemsize)
        numbers = np.ndarray(shape, kind, self.data, start, strides)
        return numbers / np.iinfo(kind).max if a.get("normalized") else numbers

    def add_array(self, numbers):
        """Appends numbers and returns their accessor."""
        numbers = np.atleast_2d(np.asarray(numbers, "<f4"))
        self.data += b"\0" * (-len(self.data) % 4)
        kind = next(kind for kind, width in WIDTH.items() if width == numbers.shape[1])
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": numbers.nbytes}
        bounds = {"min": numbers.min(0).tolist(), "max": numbers.max(0).tolist()}
        accessor = {"bufferView": len(self.doc["bufferViews"]), "componentType": 5126, "type": kind, **bounds}
        self.doc["bufferViews"].append(view)
        self.doc["accessors"].append({**accessor, "count": len(numbers)})
        self.data += numbers.tobytes()
        self.doc["buffers"][0]["byteLength"] = len(self.data)
        return len(self.doc["accessors"]) - 1

    def used_vertices(self):
        """Per vertex of all primitives in the order of the nodes: does a triangle use it? Blender drops the others."""
        used = []
        for node in self.doc["nodes"]:
            for p in self.doc["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
                mask = np.zeros(self.doc["accessors"][p["attributes"]["POSITION"]]["count"], bool)
                mask[self.array(p["indices"])[:, 0] if "indices" in p else slice(None)] = True
                used.append(mask)
        return np.concatenate(used)

    def times(self, clip):
        """Times at which all or most of the samplers that change have a key: how to go from key to key is another
        question than skinning."""
        samplers = self.doc["animations"][clip]["samplers"]
        changing = [s for s in samplers if np.ptp(self.array(s["output"]), axis=0).max() > 1e-6] or samplers
        every = np.concatenate([self.array(s["input"])[:, 0] for s in changing])
        every, counts = np.unique(every, return_counts=True)
        keys = every[counts == counts.max()]
        keys = keys if len(keys) >= TIMES else every
        return [float(keys[i]) for i in spread(len(keys), TIMES)]

    def for_blender(self, clip):
        """A copy with one clip only, without materials, and with names that say which node is which. A mesh shown by
        two nodes is listed twice."""
        glb = copy.copy(self)
        glb.doc = doc = copy.deepcopy(self.doc)
        meshes = []
        for i, node in enumerate(doc["nodes"]):
            node["name"] = f"node {i}"
            if "mesh" in node:
                mesh = copy.deepcopy(doc["meshes"][node["mesh"]])
                node["mesh"], mesh["name"] = len(meshes), f"of node {i}"
                for primitive in mesh["primitives"]:
                    primitive.pop("material", None)
                meshes.append(mesh)
        doc["meshes"], doc["animations"] = meshes, [doc["animations"][clip]]
        for part in ("materials", "textures", "images", "samplers", "extensionsUsed", "extensionsRequired"):
            doc.pop(part, None)
        return glb.bytes()

    def bend(self):
        """Adds a clip that turns every joint by half a radian, about axes that differ from joint to joint, and sizes it
        by up to a fifth, the same along all axes."""
        nodes, channels, samplers, time = self.doc["nodes"], [], [], self.add_array([[0.0]])
        for k, j in enumerate(sorted({j for skin in self.doc["skins"] for j in skin["joints"]})):
            if "matrix" in nodes[j]:
                continue  # glTF does not let it be animated
            axis = np.array([math.cos(k), math.sin(k), math.cos(3 * k)])
            turn = [*(axis / np.linalg.norm(axis) * math.sin(0.25)), math.cos(0.25)]
            size = np.array(nodes[j].get("scale", [1, 1, 1])) * (1 + 0.2 * math.sin(5 * k))
            for path, value in ("rotation", product(nodes[j].get("rotation", [0, 0, 0, 1]), turn)), ("scale", size):
                channels.append({"sampler": len(samplers), "target": {"node": j, "path": path}})
                samplers.append({"input": time, "output": self.add_array([value])})
        self.doc.setdefault("animations", []).append({"channels": channels, "samplers": samplers})

    def step(self):
        """Makes every sampler jump from key to key and no morph weight leave 0 to 1."""
        for animation in self.doc["animations"]:
            weights = {c["sampler"] for c in animation["channels"] if c["target"]["path"] == "weights"}
            for k, sampler in enumerate(animation["samplers"]):
                values = self.array(sampler["output"])
                if sampler.get("interpolation") == "CUBICSPLINE":
                    keys = len(self.array(sampler["input"]))
                    values = values.reshape(keys, 3, -1)[:, 1].reshape(-1, values.shape[1])
                if k in weights:
                    values = np.clip(values, 0, 1)
                sampler["output"], sampler["interpolation"] = self.add_array(values), "STEP"

    def keep_joints(self, most):
        """Leaves each vertex its heaviest joints only."""
        for mesh in self.doc["meshes"]:
            for attributes in (p["attributes"] for p in mesh["primitives"] if "WEIGHTS_0" in p["attributes"]):
                assert "WEIGHTS_1" not in attributes
                weights = np.array(self.array(attributes["WEIGHTS_0"]), float)
                lighter = np.argsort(-weights, axis=1, kind="stable")[:, most:]
                np.put_along_axis(weights, lighter, 0, axis=1)
                attributes["WEIGHTS_0"] = self.add_array(weights / weights.sum(1, keepdims=True))


def product(p, q):
    """Of two quaternions x, y, z, w."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    return [*(p[3] * q[:3] + q[3] * p[:3] + np.cross(p[:3], q[:3])), p[3] * q[3] - p[:3] @ q[:3]]


def spread(count, wanted):
    """Numbers below `count`, evenly spread."""
    return np.linspace(0, count - 1, min(count, wanted)).round().astype(int)


def read_ply(path):
    head, body = path.read_bytes().split(b"end_header\n", 1)
    vertex = head.split(b"element vertex ")[1].split(b"element ")[0].decode().split("\n")
    sizes = {"float": 4, "uchar": 1}
    stride = sum(sizes[line.split()[1]] for line in vertex[1:] if line.startswith("property"))
    return np.ndarray((int(vertex[0]), 3), "<f4", body, 0, (stride, 4)).astype(float)


@contextlib.contextmanager
def silenced():
    """Blender prints to the descriptor itself."""
    sys.stdout.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


class Scene:
    """A file with one clip in a fresh scene. (With several, Blender leaves what the last clip moved and the next does
    not where it was.) The importer puts time 0 at frame 0."""

    def __init__(self, path, **options):
        with silenced():
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bpy.ops.import_scene.gltf(filepath=str(path), **options)
        self.meshes = [o for o in bpy.context.scene.objects if o.type == "MESH" and o.data.name.startswith("of node ")]
        self.meshes.sort(key=lambda o: int(o.data.name.split()[2]))

    def points(self, time, method):
        """All vertices in the world, y up."""
        scene = bpy.context.scene
        for o in self.meshes:
            for modifier in o.modifiers:
                modifier.use_deform_preserve_volume = method == "dual-quaternion"
        frame = time * scene.render.fps / scene.render.fps_base
        scene.frame_set(int(frame), subframe=frame - int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        points = []
        for o in self.meshes:
            o = o.evaluated_get(graph)
            p = np.empty(3 * len(o.data.vertices), np.float32)
            o.data.vertices.foreach_get("co", p)
            world = np.array(o.matrix_world)
            points.append(p.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
        return np.concatenate(points)[:, [0, 2, 1]] * [1, 1, -1]


def deform(supple, rig, clip, time, method, out):
    command = [supple, "deform", "-q", rig, "--clip", str(clip), "--time", repr(time), "--method", method, "-o", out]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{rig.name}: {run.stderr}")
    points = read_ply(out)
    out.unlink()
    return points


Worst = collections.namedtuple("Worst", "distance pose vertices")


def compare(supple, rig, methods, remedy=Remedy("")):
    """For each method the worst pose: its largest distance over the diagonal, and how many vertices pass the limit."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        folder, glb = pathlib.Path(folder), Glb(rig)
        own = len(glb.doc.get("animations", []))
        glb.bend()
        poses = [(int(c), glb.times(c)) for c in [*spread(own, CLIPS), own]]
        poses = [(clip, [time + remedy.later for time in times]) for clip, times in poses]
        if remedy.change:
            remedy.change(glb)
        changed = folder / rig.name
        changed.write_bytes(glb.bytes())
        wanted = {}
        for clip, time, method in ((c, t, m) for c, times in poses for t in times for m in methods):
            read = changed if remedy.change or clip == own else rig
            out = folder / f"{len(wanted)}.ply"
            wanted[clip, time, method] = pool.submit(deform, supple, read, clip, time, method, out)
        used, worst = glb.used_vertices(), {}
        for clip, times in poses:
            copied = folder / "for_blender.glb"
            copied.write_bytes(glb.for_blender(clip))
            scene = Scene(copied, **remedy.options)
            for time, method in ((t, m) for t in times for m in methods):
                got, want = scene.points(time, method), wanted[clip, time, method].result()[used]
                assert got.shape == want.shape, f"{rig.name}: {len(got)} vertices in Blender, {len(want)} in Supple"
                distances = np.linalg.norm(got - want, axis=1) / np.linalg.norm(np.ptp(want, axis=0))
                name = "made here" if clip == own else f"clip {clip} at {time:.4f}"
                here = Worst(float(distances.max()), name, int((distances > LIMIT).sum()))
                worst[method] = max(worst.get(method, here), here, key=lambda w: w.distance)
    return worst, len(wanted) // len(methods)


def verdict(supple, rig, method, worst):
    """What to say about a result, and whether it is as expected."""
    known = EXCEPTIONS.get((rig.name, method))
    if worst.distance <= LIMIT:
        return ("agrees", True) if known is None else (f"agrees, but is listed: {known.reason}", False)
    if known is None:
        return f"differs: reason unknown, {worst.vertices} vertices", False
    said = f"differs: {known.reason}"
    if not 0.9 < worst.distance / known.size < 1.1:
        return f"{said}; was {known.size:.1e}", False
    left = compare(supple, rig, [method], known.remedy)[0][method].distance
    return f"{said} ({known.remedy.says}: {left:.1e})", left <= LIMIT


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    supple, rigs, failures = pathlib.Path(sys.argv[1]).resolve(), map(pathlib.Path, sys.argv[2:]), 0
    print(f"Blender {bpy.app.version_string}; largest distance over the diagonal, limit {LIMIT:g}")
    for rig in rigs:
        results, poses = compare(supple, rig, METHODS)
        for method, worst in results.items():
            says, right = verdict(supple, rig, method, worst)
            failures += not right
            where = f"{rig.name:24} {method:15} {worst.distance:.1e} ({worst.pose}, of {poses})"
            print("ok " if right else "BAD", where, says, flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
