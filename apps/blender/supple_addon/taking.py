"""From Blender's mesh and armature to a rig and poses of Supple, in the space of the mesh.

Blender's armature modifier moves a vertex v of the mesh by T P B⁻¹ T⁻¹ v: T takes the armature's space to the mesh's, B and P
are a bone at rest and posed, in the armature's. Joints are given to Supple so that linear skinning is exactly that, also when
mesh and armature stand, turn or are sized differently, and when one moves against the other between two frames.
"""

import contextlib

try:
    import numpy as np
except ImportError:
    # Some Blenders come without it. Then there is no supple either, and every button says how to get both.
    np = None

# Moves with nothing: skin that no bone has stays where it is, as in Blender.
STILL = "supple still"


class Refused(Exception):
    """What cannot be sent to Supple, in one line."""


def armature_of(mesh):
    """The armature that moves a mesh, its modifier (None for a parent), and what is not understood of it."""
    found = [m for m in mesh.modifiers if m.type == "ARMATURE" and m.object is not None]
    notes = [f'a second Armature modifier, "{m.name}", is ignored' for m in found[1:]]
    if found:
        if found[0].use_bone_envelopes:
            notes.append(f'bone envelopes of "{found[0].name}" are ignored')
        if found[0].vertex_group:
            notes.append(f'the vertex group of "{found[0].name}" is ignored')
        return found[0].object, found[0], notes
    if mesh.parent is not None and mesh.parent.type == "ARMATURE" and mesh.parent_type == "ARMATURE":
        return mesh.parent, None, notes
    raise Refused(f'"{mesh.name}" has no Armature modifier with an armature')


@contextlib.contextmanager
def before_armature(mesh, modifier):
    """Turns off the armature modifier and what comes after it, and back on at the end."""
    at = list(mesh.modifiers).index(modifier) if modifier else 0
    later = [m for m in list(mesh.modifiers)[at:] if m.show_viewport]
    parent_type = mesh.parent_type if modifier is None else None
    hidden = mesh.hide_get()
    try:
        for one in later:
            one.show_viewport = False
        if parent_type:
            mesh.parent_type = "OBJECT"
            # Blender does not notice by itself.
            mesh.update_tag()
        # What is hidden may not be evaluated.
        mesh.hide_set(False)
        yield
    finally:
        for one in later:
            one.show_viewport = True
        if parent_type:
            mesh.parent_type = parent_type
            mesh.update_tag()
        mesh.hide_set(hidden)


def matrix(blender):
    return np.array(blender, np.float64)


class Taken:
    """A mesh and an armature as a rig, ready to be asked for the pose and the points of any frame."""

    def __init__(self, supple, context, mesh):
        self.supple, self.mesh = supple, mesh
        self.armature, self.modifier, self.notes = armature_of(mesh)
        bones = list(self.armature.data.bones)
        if not bones:
            raise Refused(f'the armature "{self.armature.name}" has no bones')
        depth = {}
        for bone in bones:
            depth[bone.name] = len(bone.parent_recursive)
        self.bones = sorted((b.name for b in bones), key=depth.get)
        data = self.armature.data.bones
        if any(data[name].bbone_segments > 1 for name in self.bones):
            self.notes.append("bendy bones move as straight ones")
        if self.armature.data.pose_position == "REST":
            self.notes.append("the armature is shown in rest position, so nothing moves")
        self.at_rest = {name: matrix(data[name].matrix_local) for name in self.bones}
        with self.only_before():
            context.view_layer.update()
            found = self.evaluated(context)
            rest, triangles, weights = arrays(found, mesh.vertex_groups, self.bones, data)
            self.bound_from_armature = self.mesh_from_armature(context)
        bare = ~weights.any(axis=1)
        names, parents = list(self.bones), [self.bones.index(p.name) if (p := data[n].parent) else -1 for n in self.bones]
        joints = [self.bound_from_armature @ self.at_rest[name] for name in self.bones]
        frames = [name for name in self.bones if not data[name].use_deform]
        self.has_still = bool(bare.any())
        if self.has_still:
            self.notes.append(f"{bare.sum()} vertices belong to no bone and stay where they are")
            names, parents, frames = names + [STILL], parents + [-1], frames + [STILL]
            joints.append(np.eye(4))
            weights = np.c_[weights, bare.astype(np.float32)]
        skeleton = supple.Skeleton(names, parents, np.array(joints), frames=frames)
        if len(rest) == 0:
            raise Refused(f'"{mesh.name}" has no vertices')
        self.rig = supple.Rig(rest, triangles, skeleton=skeleton, weights=weights, name=mesh.name)

    def only_before(self):
        return before_armature(self.mesh, self.modifier)

    def evaluated(self, context):
        graph = context.evaluated_depsgraph_get()
        return self.mesh.evaluated_get(graph).data

    def mesh_from_armature(self, context):
        graph = context.evaluated_depsgraph_get()
        mesh, armature = self.mesh.evaluated_get(graph), self.armature.evaluated_get(graph)
        try:
            return np.linalg.inv(matrix(mesh.matrix_world)) @ matrix(armature.matrix_world)
        except np.linalg.LinAlgError:
            raise Refused(f'"{self.mesh.name}" is squeezed to nothing by its scale')

    def pose(self, context):
        """The pose of the current frame."""
        posed = self.armature.evaluated_get(context.evaluated_depsgraph_get()).pose.bones
        now = self.mesh_from_armature(context)
        # T_now P B⁻¹ T_now⁻¹ shall be joint_now joint_rest⁻¹, and joint_rest is T_bound B.
        back = np.linalg.inv(now) @ self.bound_from_armature
        moved = [now @ matrix(posed[n].matrix) @ np.linalg.inv(self.at_rest[n]) @ back @ self.at_rest[n] for n in self.bones]
        if self.has_still:
            moved.append(np.eye(4))
        return self.supple.Pose.from_world(self.rig, np.array(moved))

    def rest(self, context):
        """The points of the current frame before the armature moves them: shape keys and earlier modifiers may be animated."""
        vertices = self.evaluated(context).vertices
        if len(vertices) != len(self.rig.positions):
            raise Refused(f'"{self.mesh.name}" has {len(vertices)} vertices here and had {len(self.rig.positions)}')
        return points(vertices)


def points(vertices):
    found = np.empty(len(vertices) * 3, np.float32)
    vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def arrays(mesh, groups, bones, data):
    """Points, triangles and weights of an evaluated mesh. Groups without a bone that deforms count for nothing."""
    mesh.calc_loop_triangles()
    triangles = np.empty(len(mesh.loop_triangles) * 3, np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    joint = {name: i for i, name in enumerate(bones) if data[name].use_deform}
    weights = np.zeros((len(mesh.vertices), len(bones)), np.float32)
    column = {group.index: joint[group.name] for group in groups if group.name in joint}
    for vertex in mesh.vertices:
        for group in vertex.groups:
            if group.group in column:
                weights[vertex.index, column[group.group]] += max(group.weight, 0.0)
    return points(mesh.vertices), triangles.reshape(-1, 3), weights
