"""The objects that moved skin goes to. They are separate ones, with a mesh of their own: a shape key on the user's mesh would be
moved by its armature a second time, could not have the vertices of a modifier, and would have to be taken out again."""

import os
import struct

import bpy


def make(context, taken, name):
    """A copy of the mesh as it is before the armature, without the modifiers up to there; later ones stay and go on working."""
    source = taken.mesh
    with taken.only_before():
        context.view_layer.update()
        graph = context.evaluated_depsgraph_get()
        data = bpy.data.meshes.new_from_object(source.evaluated_get(graph), preserve_all_data_layers=True, depsgraph=graph)
    data.name = name
    copy = source.copy()
    copy.name, copy.data = name, data
    copy.animation_data_clear()
    copy.supple.preview = None
    count = list(source.modifiers).index(taken.modifier) + 1 if taken.modifier else 0
    for modifier in list(copy.modifiers)[:count]:
        copy.modifiers.remove(modifier)
    # It follows the mesh, so that it stands where that stands in every frame.
    copy.parent, copy.parent_type = source, "OBJECT"
    copy.matrix_parent_inverse.identity()
    copy.matrix_basis.identity()
    copy.constraints.clear()
    for collection in source.users_collection:
        collection.objects.link(copy)
    copy.hide_set(False)
    copy.select_set(False)
    return copy


def put(mesh, points):
    """Moves the vertices of a mesh."""
    mesh.vertices.foreach_set("co", points.ravel())
    mesh.update()


def to_front(context, thing, modifier):
    """Makes a modifier the first. Before 4.0 only the operator can."""
    with context.temp_override(object=thing, active_object=thing):
        bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=0)


def remove(thing):
    """Takes an object and its mesh away."""
    data = thing.data
    bpy.data.objects.remove(thing, do_unlink=True)
    if data.users == 0:
        bpy.data.meshes.remove(data)


class PointCache:
    """Frames into a PC2 file, one by one; the file appears when it is whole."""

    def __init__(self, path, vertices, frames, start):
        self.path, self.part = path, path + ".part"
        self.file = open(self.part, "wb")
        self.file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, vertices, float(start), 1.0, frames))

    def frame(self, points):
        self.file.write(points.astype("<f4", copy=False).tobytes())

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.file.close()
        if kind is None:
            os.replace(self.part, self.path)
        else:
            os.remove(self.part)
