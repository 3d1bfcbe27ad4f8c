"""The add-on inside a real Blender, headless.

    python check_addon.py                   with Blender as the module bpy
    blender -b --python-exit-code 1 -P check_addon.py

SUPPLE_PATH names folders for sys.path: that of the package supple and, where Blender's Python has none, that of NumPy. With SUPPLE_ADDED
the package is one that has a method more.
"""

import math
import os
import pathlib
import struct
import sys
import tempfile

sys.path[:0] = [p for p in os.environ.get("SUPPLE_PATH", "").split(os.pathsep) if p]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import bpy  # First: it brings the next.

import addon_utils
import numpy as np

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def scene(rings=24, sides=12):
    """A tube of two metres along z with an armature of two bones, bent in frame 10; weights run over in the middle."""
    bpy.ops.wm.read_homefile(use_empty=True)
    enable()
    at = [(0.25 * math.cos(a), 0.25 * math.sin(a), 2 * r / rings) for r in range(rings + 1) for a in angles(sides)]
    faces = [
        (r * sides + s, r * sides + (s + 1) % sides, (r + 1) * sides + (s + 1) % sides, (r + 1) * sides + s)
        for r in range(rings)
        for s in range(sides)
    ]
    faces += [tuple(reversed(range(sides))), tuple(rings * sides + s for s in range(sides))]
    data = bpy.data.meshes.new("tube")
    data.from_pydata(at, [], faces)
    mesh = bpy.data.objects.new("tube", data)
    bpy.context.collection.objects.link(mesh)
    armature = bpy.data.objects.new("bones", bpy.data.armatures.new("bones"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    lower = armature.data.edit_bones.new("lower")
    lower.head, lower.tail = (0, 0, 0), (0, 0.02, 1)
    upper = armature.data.edit_bones.new("upper")
    upper.head, upper.tail, upper.parent = lower.tail, (0, 0, 2), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("lower", "upper", "no bone of this name"):
        mesh.vertex_groups.new(name=name)
    for i, (_, _, z) in enumerate(at):
        share = min(max((z - 0.7) / 0.6, 0.0), 1.0)
        mesh.vertex_groups["lower"].add([i], 1 - share, "REPLACE")
        mesh.vertex_groups["upper"].add([i], share, "REPLACE")
        mesh.vertex_groups["no bone of this name"].add([i], 0.5, "REPLACE")
    modifier = mesh.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    bone = armature.pose.bones["upper"]
    bone.rotation_mode = "XYZ"
    for frame, degrees in ((1, 0), (10, 100)):
        bone.rotation_euler = (math.radians(degrees), 0.2 * (frame > 1), 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.view_layer.objects.active = mesh
    mesh.select_set(True)
    bpy.context.scene.frame_set(10)
    return mesh, armature


def angles(sides):
    return [2 * math.pi * s / sides for s in range(sides)]


def enable():
    if "supple_addon" not in bpy.context.preferences.addons:
        addon_utils.enable("supple_addon", default_set=True)


def world(thing):
    """The evaluated points of an object, in the world."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = np.empty(len(evaluated.data.vertices) * 3, np.float32)
    evaluated.data.vertices.foreach_get("co", found)
    matrix = np.array(evaluated.matrix_world)
    return found.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def apart(a, b):
    assert a.shape == b.shape, f"{a.shape} and {b.shape}"
    return float(np.abs(a - b).max())


def refused(operator):
    """The line that an operator refuses with."""
    try:
        operator()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("it was not refused")


def previewed(mesh, method, **settings):
    mesh.supple.choose(method, **settings)
    expected = world(mesh)
    assert bpy.ops.supple.preview() == {"FINISHED"}
    return expected, world(mesh.supple.preview)


@check
def linear_is_what_the_armature_modifier_does():
    mesh, _ = scene()
    at_rest = world(mesh).copy()
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4, apart(expected, found)
    bpy.context.scene.frame_set(1)
    assert apart(at_rest, world(mesh)) > 0.3, "the pose moves the mesh, or nothing was compared"


@check
def objects_may_stand_turned_and_sized_differently():
    mesh, armature = scene()
    armature.location, armature.rotation_euler, armature.scale = (1, 2, 3), (0.3, 0.2, 0.9), (1.5, 1.5, 1.5)
    mesh.location, mesh.rotation_euler, mesh.scale = (0.5, -0.2, 0.1), (0.1, -0.4, 0.2), (0.8, 1.3, 1.1)
    bpy.context.view_layer.update()
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4, apart(expected, found)


@check
def what_comes_before_the_armature_counts_and_what_comes_after_goes_on():
    mesh, _ = scene()
    mesh.modifiers.new("later", "SUBSURF").levels = 1
    simple = mesh.modifiers.new("earlier", "SUBSURF")
    simple.levels, simple.subdivision_type = 1, "SIMPLE"
    bpy.ops.object.modifier_move_to_index(modifier="earlier", index=0)
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4, apart(expected, found)
    assert [m.name for m in mesh.modifiers] == ["earlier", "Armature", "later"] and all(m.show_viewport for m in mesh.modifiers)


@check
def shape_keys_are_added_before_the_skin_is_moved():
    mesh, _ = scene()
    mesh.shape_key_add(name="Basis")
    wide = mesh.shape_key_add(name="wide")
    for point in wide.data:
        point.co.x *= 1.5
    wide.value = 0.6
    bpy.context.view_layer.update()
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4 and abs(wide.value - 0.6) < 1e-6


@check
def skin_without_weights_stays_where_it_is():
    mesh, _ = scene()
    top = [v.index for v in mesh.data.vertices if v.co.z > 1.9]
    for name in ("lower", "upper"):
        mesh.vertex_groups[name].remove(top)
    bpy.context.view_layer.update()
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4 and apart(expected[top], world_of(mesh)[top]) < 1e-4


def world_of(mesh):
    return np.array([mesh.matrix_world @ v.co for v in mesh.data.vertices], np.float32)


@check
def an_armature_in_rest_position_moves_nothing():
    mesh, armature = scene()
    armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    for method in ("linear", "implicit"):
        _, found = previewed(mesh, method)
        assert apart(world_of(mesh), found) < 1e-4, method


@check
def every_method_previews_and_implicit_differs():
    mesh, armature = scene()
    import supple

    for method in (m.name for m in supple.methods() if m.stands_alone):
        expected, found = previewed(mesh, method)
        assert np.isfinite(found).all(), method
        if method == "implicit":
            assert apart(expected, found) > 1e-3
            plain = found
    armature.pose.bones["upper"]["supple_operator"] = "bulge"
    _, bulged = previewed(mesh, "implicit")
    assert np.isfinite(bulged).all() and apart(plain, bulged) > 1e-4, "the custom property of the bone has no effect"
    armature.pose.bones["upper"]["supple_operator"] = "nonsense"
    assert "nonsense" in refused(bpy.ops.supple.preview)


@check
def the_mesh_is_never_changed():
    mesh, _ = scene()
    before, users = world_of(mesh), len(bpy.data.meshes)
    for _ in range(3):
        previewed(mesh, "dual-quaternion")
    assert mesh.hide_get() and mesh.supple.preview.data is not mesh.data and len(bpy.data.meshes) == users + 1
    assert bpy.ops.supple.clear_preview() == {"FINISHED"}
    assert mesh.supple.preview is None and not mesh.hide_get() and len(bpy.data.meshes) == users
    assert apart(before, world_of(mesh)) == 0 and mesh.data.shape_keys is None and len(bpy.data.objects) == 2


@check
def frames_are_baked_to_shape_keys():
    mesh, _ = scene()
    mesh.supple.choose("linear")
    mesh.supple.start, mesh.supple.end = 8, 10
    assert bpy.ops.supple.bake_shape_keys() == {"FINISHED"}
    baked = bpy.data.objects["tube.baked"]
    assert [k.name for k in baked.data.shape_keys.key_blocks] == ["Basis", "frame 8", "frame 9", "frame 10"]
    for frame in (8, 9, 10):
        bpy.context.scene.frame_set(frame)
        assert apart(world(mesh), world(baked)) < 1e-4, frame


@check
def frames_are_baked_to_a_mesh_cache():
    mesh, _ = scene()
    with tempfile.TemporaryDirectory() as folder:
        mesh.modifiers.new("later", "SUBSURF").levels = 1
        mesh.supple.cache = os.path.join(folder, "tube.pc2")
        mesh.supple.choose("linear")
        mesh.supple.start, mesh.supple.end = 3, 9
        assert bpy.ops.supple.bake_cache() == {"FINISHED"}
        assert os.listdir(folder) == ["tube.pc2"] and bpy.context.scene.frame_current == 10
        head = struct.unpack("<12siiffi", pathlib.Path(mesh.supple.cache).read_bytes()[:32])
        assert head[2] == len(mesh.data.vertices) and head[5] == 7
        cached = bpy.data.objects["tube.cached"]
        for frame in (3, 6, 9):
            bpy.context.scene.frame_set(frame)
            assert apart(world(mesh), world(cached)) < 1e-4, (frame, apart(world(mesh), world(cached)))
        mesh.supple.end = 2
        assert "before they start" in refused(bpy.ops.supple.bake_cache)
        mesh.supple.cache = os.path.join(folder, "none", "tube.pc2")
        mesh.supple.end = 9
        assert "there is no folder" in refused(bpy.ops.supple.bake_cache)


@check
def settings_are_saved_with_the_file():
    mesh, armature = scene()
    mesh.supple.choose("implicit", operator="blend", samples=40, sigma=0.9)
    armature.pose.bones["upper"]["supple_cap"] = 0.8
    assert bpy.ops.supple.preview() == {"FINISHED"}
    found = world(mesh.supple.preview)
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "tube.blend"))
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.wm.open_mainfile(filepath=os.path.join(folder, "tube.blend"))
        enable()
        mesh = bpy.data.objects["tube"]
        assert mesh.supple.method == "implicit" and mesh.supple.shown_method == "implicit"
        values = {s.name: s.get() for s in mesh.supple.own()}
        assert (values["operator"], values["samples"], values["sigma"]) == ("blend", 40, 0.9), values
        assert apart(found, world(mesh.supple.preview)) < 1e-6
        bpy.context.view_layer.objects.active = mesh
        assert bpy.ops.supple.preview() == {"FINISHED"} and apart(found, world(mesh.supple.preview)) < 1e-6


@check
def the_list_of_methods_is_that_of_the_registry():
    mesh, _ = scene()
    import supple

    names = [m.name for m in supple.methods() if m.stands_alone]
    for name in names:
        mesh.supple.shown_method = name
        assert mesh.supple.method == name
        # Those of joints are kept with the bones.
        settings = {s.name for m in supple.methods() if m.name == name for s in m.settings if s.type != "object by joint"}
        assert {s.name for s in mesh.supple.own()} == settings


@check
def settings_stay_in_their_ranges_and_words():
    mesh, _ = scene()
    import supple

    mesh.supple.choose("implicit")
    own = {s.name: s for s in mesh.supple.own()}
    schema = {s.name: s for m in supple.methods() if m.name == "implicit" for s in m.settings}
    ranged = [s for s in schema.values() if s.least is not None]
    assert len(ranged) > 10
    for setting in ranged:
        field = own[setting.name].field()
        for beyond, end in ((setting.most + 1, setting.most), (setting.least - 1, setting.least)):
            beyond, end = min(beyond, 2**31 - 1), min(end, 2**31 - 1)
            setattr(own[setting.name], field, type(getattr(own[setting.name], field))(beyond))
            assert own[setting.name].get() == end, (setting.name, own[setting.name].get())
        own[setting.name].set(setting.default)
        try:
            mesh.supple.choose("implicit", **{setting.name: setting.most + 1})
            raise AssertionError(f"{setting.name} takes {setting.most + 1}")
        except ValueError as error:
            assert setting.name in str(error)
    assert own["start"].field() == own["tracking"].field() == "word" and own["operator"].field() == "text"
    own["start"].word = "linear"
    assert own["start"].text == "linear" and own["start"].get() == "linear"
    assert bpy.ops.supple.preview() == {"FINISHED"}


@check
def weights_are_made():
    mesh, armature = scene()
    for way in ("heat", "flexible", "nearest"):
        mesh.supple.weights = way
        armature.pose.bones["upper"]["supple_k"] = 1.0
        assert bpy.ops.supple.auto_weights() == {"FINISHED"}, way
        sums = [sum(g.weight for g in v.groups if mesh.vertex_groups[g.group].name != "no bone of this name") for v in mesh.data.vertices]
        assert max(abs(s - 1) for s in sums) < 1e-3, way
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4


@check
def what_cannot_be_sent_is_refused_in_one_line():
    mesh, armature = scene()
    mesh.modifiers.clear()
    assert "has no Armature modifier" in refused(bpy.ops.supple.preview)
    assert "has no Armature modifier" in refused(bpy.ops.supple.auto_weights)
    mesh.parent, mesh.parent_type = armature, "ARMATURE"
    bpy.context.view_layer.update()
    expected, found = previewed(mesh, "linear")
    assert apart(expected, found) < 1e-4, "a mesh parented to an armature"
    assert mesh.parent_type == "ARMATURE"


@check
def shapes_and_objects_that_move_between_frames_are_baked_as_they_move():
    mesh, armature = scene()
    mesh.shape_key_add(name="Basis")
    wide = mesh.shape_key_add(name="wide")
    for point in wide.data:
        point.co.x *= 1.5
    for frame, value in ((1, 0.0), (10, 1.0)):
        wide.value = value
        wide.keyframe_insert("value", frame=frame)
        armature.location = (0, 0, 0.1 * value)
        armature.keyframe_insert("location", frame=frame)
        mesh.rotation_euler = (0, 0.3 * value, 0)
        mesh.keyframe_insert("rotation_euler", frame=frame)
    mesh.supple.choose("linear")
    mesh.supple.start, mesh.supple.end = 4, 8
    assert bpy.ops.supple.bake_shape_keys() == {"FINISHED"}
    for frame in (4, 6, 8):
        bpy.context.scene.frame_set(frame)
        assert apart(world(mesh), world(bpy.data.objects["tube.baked"])) < 1e-4, frame


@check
def a_bone_squeezed_to_nothing_is_refused():
    mesh, armature = scene()
    armature.pose.bones["lower"].scale = (0, 0, 0)
    bpy.context.view_layer.update()
    mesh.supple.choose("linear")
    assert "squeezed to nothing" in refused(bpy.ops.supple.preview)
    assert not mesh.hide_get() and all(m.show_viewport for m in mesh.modifiers)


class Layout:
    """Takes what a panel draws, and minds that it is there."""

    def __init__(self):
        self.drawn = []

    def prop(self, data, name, text="", **_):
        assert name in data.bl_rna.properties or name.strip('[]"') in data.keys(), name
        self.drawn += [name, text]

    def operator(self, name, **_):
        from types import SimpleNamespace

        group, word = name.split(".")
        getattr(getattr(bpy.ops, group), word).get_rna_type()
        self.drawn.append(name)
        return SimpleNamespace()

    def label(self, text, **_):
        self.drawn.append(text)

    def separator(self):
        pass

    def row(self, **_):
        return self

    box = split = row


def drawn(**context):
    """What the panel shows."""
    from types import SimpleNamespace

    from supple_addon.panel import SupplePanel

    layout = Layout()
    panel = SimpleNamespace(layout=layout, draw_bone=lambda *a: SupplePanel.draw_bone(None, *a))
    SupplePanel.draw(panel, SimpleNamespace(**context))
    return layout.drawn


@check
def the_panel_draws_what_there_is():
    mesh, armature = scene()
    mesh.supple.choose("implicit")
    bone = armature.pose.bones["upper"]
    bone["supple_operator"] = "blend"

    found = drawn(object=mesh, active_pose_bone=bone)
    assert {"shown_method", "supple.preview", "supple.bake_cache", '["supple_operator"]'} <= set(found), found
    assert len(found) > 20 and "operator" in found, "the settings of the method are not shown"
    from supple_addon.settings import known_words

    words = {setting.name: known_words(setting, None, "") for setting in mesh.supple.own()}
    assert "contact angle (degrees)" in found and "word" in found, found
    assert "bulge" in words["operator"] and "delta-mush" in words["start"] and not words["samples"], words
    assert "Choose a mesh with an armature" in drawn(object=armature, active_pose_bone=None)


@check
def every_setting_tells_what_a_change_costs():
    mesh, _ = scene()
    mesh.supple.choose("implicit")
    from types import SimpleNamespace

    from supple_addon.operators import AboutSetting

    def about(name):
        return AboutSetting.description(SimpleNamespace(object=mesh), SimpleNamespace(name=name)).split("\n")

    assert drawn(object=mesh, active_pose_bone=None).count("supple.about_setting") == len(mesh.supple.own())
    assert about("sigma")[1:] == ["0.05 to 1; 1 by default", "a change costs nothing"], about("sigma")
    assert about("operator")[-1] == "a change makes tables of its node anew", about("operator")
    assert about("resolution")[-1] == "a change binds the method anew", about("resolution")
    assert bpy.ops.supple.about_setting(name="sigma") == {"FINISHED"}


@check
def a_missing_package_is_said():
    mesh, _ = scene()
    mesh.supple.choose("implicit")
    kept = {name: sys.modules[name] for name in list(sys.modules) if name.split(".")[0] == "supple"}
    for name in kept:
        del sys.modules[name]
    # As if it could not be found: an import of None is refused.
    sys.modules["supple"] = None
    try:
        assert 'The Python package "supple" is missing' in refused(bpy.ops.supple.preview)
        assert mesh.supple.shown_method == "implicit", "the choice is lost with the package"
    finally:
        sys.modules.update(kept)
    assert bpy.ops.supple.preview() == {"FINISHED"}


def an_added_method_moves_skin_and_has_its_panel():
    mesh, _ = scene()
    at_rest = world(mesh).copy()
    mesh.supple.shown_method = "toy"
    mesh.supple.choose("toy", push=0.25, times=3, axis="z")
    bpy.context.scene.frame_set(1)
    assert bpy.ops.supple.preview() == {"FINISHED"}
    moved = np.abs(world(mesh.supple.preview) - at_rest).max()
    assert moved > 0.7, moved
    found = drawn(object=mesh, active_pose_bone=None)
    assert {"push (metres)", "times (pushes)", "back", "axis", "amount"} <= set(found), found
    own = {s.name: s for s in mesh.supple.own()}
    own["push"].real = 3
    assert own["push"].real == 2, "beyond its range"


def a_method_that_remembers_runs_through_the_frames_before():
    mesh, _ = scene()
    context = bpy.context
    context.scene.frame_start = 1
    mesh.supple.choose("toy", push=0, drift=0.125)
    baked = {}
    for first in (1, 8):
        mesh.supple.start, mesh.supple.end = first, 10
        assert bpy.ops.supple.bake_shape_keys() == {"FINISHED"}
        keys = context.scene.objects["tube.baked" if first == 1 else "tube.baked.001"].data.shape_keys.key_blocks
        assert len(keys) == 12 - first
        baked[first] = {key.name: [point.co.y for point in key.data] for key in keys[1:]}
    lifts = [baked[1][f"frame {frame}"][0] - baked[1]["frame 1"][0] for frame in (2, 8, 10)]
    assert np.allclose(lifts, [0.125, 7 * 0.125, 9 * 0.125], atol=1e-5), lifts
    for name, found in baked[8].items():
        assert np.allclose(found, baked[1][name], atol=1e-6), f"{name} has not gone through the frames before"
    # A frame alone starts anew, and says so.
    said = []
    from supple_addon import operators

    told = operators.Button.told
    operators.Button.told = lambda self, taken, ready: said.extend(taken.notes + ready.notes)
    try:
        assert bpy.ops.supple.preview() == {"FINISHED"}
    finally:
        operators.Button.told = told
    assert any("a single pose starts anew" in text for text in said), said


def frames_are_as_long_as_those_of_the_scene():
    mesh, _ = scene()
    render = bpy.context.scene.render
    render.fps, render.fps_base = 24, 1.001
    mesh.supple.choose("toy", push=0, drift=0.125)
    mesh.supple.start, mesh.supple.end = 9, 10
    times = []

    class Watched:
        """What is bound, and when it is asked for."""

        def __init__(self, ready):
            self.ready, self.notes, self.remembers = ready, [], ready.remembers

        def deform(self, *given, time=None, **named):
            times.append(time)
            return self.ready.deform(*given, time=time, **named)

    from supple_addon import operators

    bound = operators.bound
    operators.bound = lambda *given: (lambda taken, ready: (taken, Watched(ready)))(*bound(*given))
    try:
        assert bpy.ops.supple.bake_shape_keys() == {"FINISHED"}
        assert bpy.ops.supple.preview() == {"FINISHED"}
    finally:
        operators.bound = bound
    assert np.allclose(times, [frame * 1.001 / 24 for frame in [*range(1, 11), 10]]), times


OF_AN_ADDED_METHOD = [
    an_added_method_moves_skin_and_has_its_panel,
    a_method_that_remembers_runs_through_the_frames_before,
    frames_are_as_long_as_those_of_the_scene,
]


def main():
    # With a package that has the method of the tests, that is looked at, and nothing else.
    checks = OF_AN_ADDED_METHOD if os.environ.get("SUPPLE_ADDED") else CHECKS
    failed = 0
    for one in checks:
        name = one.__name__.replace("_", " ")
        try:
            one()
            print(f"ok      {name}")
        except Exception as error:
            failed += 1
            import traceback

            traceback.print_exc()
            print(f"FAILED  {name}: {error}")
    print(f"Blender {bpy.app.version_string}: {len(checks) - failed} of {len(checks)} hold")
    sys.exit(1 if failed else 0)


main()
