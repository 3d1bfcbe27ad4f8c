"""Supple in Blender: the active mesh and its armature go to Supple, moved skin comes back.

Methods and settings come from the package `supple`, so that a new method appears here without being mentioned.
"""

import bpy

from . import operators, package, panel, settings

# For Blender before 4.2; blender_manifest.toml says the same to later ones.
bl_info = {
    "name": "Supple",
    "author": "The Supple authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > Supple",
    "description": "Moves skin by the methods of Supple, and bakes it",
    "category": "Rigging",
}

CLASSES = package.CLASSES + settings.CLASSES + operators.CLASSES + panel.CLASSES


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.supple = bpy.props.PointerProperty(type=settings.SuppleObject)


def unregister():
    del bpy.types.Object.supple
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
