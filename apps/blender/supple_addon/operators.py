"""What the buttons do. Each reports in one line what was left out or went wrong, and can be undone."""

import os

import bpy

from . import moved, package
from .settings import BONE_K, OF_BONES, fields_of_joints
from .taking import Refused, Taken, armature_of, points

UNDO = {"REGISTER", "UNDO"}


class Button:
    """What all have in common: the active mesh, the package, errors in one line."""

    bl_options = UNDO

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH" and context.mode == "OBJECT"

    def execute(self, context):
        supple = package.load()
        if supple is None:
            self.report({"ERROR"}, package.HOW)
            return {"CANCELLED"}
        try:
            said = self.work(context, supple, context.object)
        except (Refused, ValueError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, said)
        return {"FINISHED"}

    def told(self, taken, ready):
        for note in taken.notes + ready.notes:
            self.report({"WARNING"}, note)


def bound(context, supple, mesh):
    """The active mesh as a rig, and the method bound to it."""
    if mesh.supple.preview is None and mesh.parent is not None and mesh.parent.type == "MESH":
        if mesh.parent.supple.preview == mesh:
            raise Refused(f'"{mesh.name}" is a preview; choose "{mesh.parent.name}"')
    taken = Taken(supple, context, mesh)
    return taken, mesh.supple.graph(supple, taken.armature).bind(taken.rig)


def seconds(scene):
    """When the current frame is."""
    return scene.frame_float * scene.render.fps_base / scene.render.fps


def forget(mesh):
    """Removes the preview of a mesh and shows the mesh again."""
    preview = mesh.supple.preview
    mesh.supple.preview = None
    if preview is not None:
        moved.remove(preview)
    mesh.hide_set(False)


class Preview(Button, bpy.types.Operator):
    """Moves the skin by the method to the pose of this frame, in an object of its own. The mesh itself is only hidden"""

    bl_idname, bl_label = "supple.preview", "Preview"

    def work(self, context, supple, mesh):
        taken, ready = bound(context, supple, mesh)
        with taken.only_before():
            context.view_layer.update()
            found = ready.deform(taken.pose(context), rest=taken.rest(context), time=seconds(context.scene))
        forget(mesh)
        copy = moved.make(context, taken, f"{mesh.name}.supple")
        moved.put(copy.data, found)
        mesh.supple.preview = copy
        mesh.hide_set(True)
        # Hidden, it stays the active one, so that the panel stays and the button can be pressed again.
        context.view_layer.objects.active = mesh
        context.view_layer.update()
        self.told(taken, ready)
        return f"{len(found)} vertices moved by {mesh.supple.method}"


class ClearPreview(bpy.types.Operator):
    """Takes the preview away and shows the mesh again"""

    bl_idname, bl_label, bl_options = "supple.clear_preview", "Clear Preview", UNDO

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH" and context.object.supple.preview is not None

    def execute(self, context):
        forget(context.object)
        return {"FINISHED"}


class Bake(Button):
    """What both ways of baking have in common."""

    def frames(self, context, mesh):
        start, end = mesh.supple.start, mesh.supple.end
        if start > end:
            raise Refused(f"the frames end at {end}, before they start at {start}")
        return range(start, end + 1)

    def baked(self, context, supple, mesh, each):
        """Moves every frame and hands its points on; the scene is at its frame again afterwards."""
        scene, here = context.scene, context.scene.frame_current
        frames = self.frames(context, mesh)
        progress = context.window_manager
        progress.progress_begin(0, len(frames))
        try:
            scene.frame_set(frames[0])
            taken, ready = bound(context, supple, mesh)
            # What remembers comes to the first frame through those of the scene before it.
            begin = min(scene.frame_start, frames[0]) if ready.remembers else frames[0]
            with taken.only_before():
                for frame in range(begin, frames[-1] + 1):
                    scene.frame_set(frame)
                    points = ready.deform(taken.pose(context), rest=taken.rest(context), time=seconds(scene))
                    if frame in frames:
                        each(frame, taken, points)
                        progress.progress_update(frame - frames[0] + 1)
        finally:
            progress.progress_end()
            scene.frame_set(here)
        self.told(taken, ready)
        return taken


class BakeShapeKeys(Bake, bpy.types.Operator):
    """Bakes the frames to shape keys of a new object, one for each frame, keyed to be on in its frame alone"""

    bl_idname, bl_label = "supple.bake_shape_keys", "Bake Shape Keys"

    def work(self, context, supple, mesh):
        found = []
        taken = self.baked(context, supple, mesh, lambda frame, taken, points: found.append((frame, points)))
        copy = moved.make(context, taken, f"{mesh.name}.baked")
        copy.shape_key_add(name="Basis", from_mix=False)
        edit = context.preferences.edit
        before, edit.keyframe_new_interpolation_type = edit.keyframe_new_interpolation_type, "LINEAR"
        try:
            for frame, points in found:
                key = copy.shape_key_add(name=f"frame {frame}", from_mix=False)
                key.data.foreach_set("co", points.ravel())
                for at, value in ((frame - 1, 0.0), (frame, 1.0), (frame + 1, 0.0)):
                    key.value = value
                    key.keyframe_insert("value", frame=at)
        finally:
            edit.keyframe_new_interpolation_type = before
        context.scene.frame_set(context.scene.frame_current)
        return f'{len(found)} frames baked to shape keys of "{copy.name}"'


class BakeCache(Bake, bpy.types.Operator):
    """Bakes the frames to a PC2 file, and gives a new object a Mesh Cache modifier that plays it"""

    bl_idname, bl_label = "supple.bake_cache", "Bake Mesh Cache"

    def work(self, context, supple, mesh):
        path = bpy.path.abspath(mesh.supple.cache)
        if path.startswith("//"):
            raise Refused("save the file first, or give the cache a whole path: // is the folder of the file")
        if not os.path.isdir(os.path.dirname(path) or "."):
            raise Refused(f"there is no folder {os.path.dirname(path)}")
        frames = self.frames(context, mesh)
        cache = None

        def each(frame, taken, points):
            nonlocal cache
            if cache is None:
                cache = moved.PointCache(path, len(points), len(frames), frames[0])
            cache.frame(points)

        try:
            taken = self.baked(context, supple, mesh, each)
        except BaseException as error:
            if cache is not None:
                cache.__exit__(type(error), error, None)
            raise
        cache.__exit__(None, None, None)
        copy = moved.make(context, taken, f"{mesh.name}.cached")
        player = copy.modifiers.new("Supple", "MESH_CACHE")
        player.cache_format, player.filepath, player.frame_start = "PC2", mesh.supple.cache, frames[0]
        player.forward_axis, player.up_axis = "POS_Y", "POS_Z"
        # Before whatever came after the armature, which it takes the place of.
        moved.to_front(context, copy, player)
        return f"{len(frames)} frames baked to {path}"


class AutoWeights(Button, bpy.types.Operator):
    """Makes vertex groups for the bones that deform: by heat, by flexible overlaps (K, and supple_k of single bones), or by distance"""

    bl_idname, bl_label = "supple.auto_weights", "Make Weights"

    def work(self, context, supple, mesh):
        armature, _, notes = armature_of(mesh)
        taken = Taken(supple, context, mesh)
        rest = points(mesh.data.vertices)
        mesh.data.calc_loop_triangles()
        triangles = [t.vertices[:] for t in mesh.data.loop_triangles]
        bones = [b for b in taken.bones]
        skeleton = supple.Skeleton(
            bones,
            taken.rig.skeleton.parents[: len(bones)].tolist(),
            taken.rig.skeleton.rest[: len(bones)],
            frames=[b for b in bones if not armature.data.bones[b].use_deform],
        )
        rig = supple.Rig(rest, triangles or None, skeleton=skeleton, name=mesh.name)
        given = {}
        if mesh.supple.weights == "flexible":
            single = {b.name: float(b[BONE_K]) for b in armature.pose.bones if BONE_K in b.keys()}
            given = {"k": mesh.supple.k, "joints": single or None}
        made = rig.bind_weights(mesh.supple.weights, **given)
        table = made.weights
        starts, joints, values = table.starts, table.joints, table.values
        for name in bones:
            group = mesh.vertex_groups.get(name)
            if group is not None:
                mesh.vertex_groups.remove(group)
        groups = {}
        for vertex in range(len(rest)):
            for entry in range(starts[vertex], starts[vertex + 1]):
                name = bones[joints[entry]]
                if name not in groups:
                    groups[name] = mesh.vertex_groups.new(name=name)
                groups[name].add([vertex], float(values[entry]), "REPLACE")
        for note in notes + made.warnings:
            self.report({"WARNING"}, note)
        return f"{mesh.supple.weights} weights for {len(rest)} vertices and {len(groups)} bones"


class BoneSettings(bpy.types.Operator):
    """Gives the active bone settings of its own, as custom properties: those that methods have for joints, and K for weights"""

    bl_idname, bl_label, bl_options = "supple.bone_settings", "Own Settings", UNDO

    @classmethod
    def poll(cls, context):
        return context.active_pose_bone is not None

    def execute(self, context):
        bone = context.active_pose_bone
        given = {BONE_K: 0.5}
        for field in fields_of_joints().values():
            value = field.choices[0] if field.choices else field.default
            if isinstance(value, (bool, int, float, str)):
                given[OF_BONES + field.name] = value
        for name, value in given.items():
            if name not in bone.keys():
                bone[name] = value
        return {"FINISHED"}


class AboutSetting(bpy.types.Operator):
    """Tells what a setting is, and what a change of it costs"""

    bl_idname, bl_label, bl_options = "supple.about_setting", "About", {"INTERNAL"}

    name: bpy.props.StringProperty()

    @classmethod
    def description(cls, context, properties):
        own = context.object.supple.own() if context.object else []
        return next((s.about() for s in own if s.name == properties.name), cls.__doc__)

    def execute(self, context):
        self.report({"INFO"}, self.description(context, self))
        return {"FINISHED"}


CLASSES = (Preview, ClearPreview, BakeShapeKeys, BakeCache, AutoWeights, BoneSettings, AboutSetting)
