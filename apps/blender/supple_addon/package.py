"""Finds the package `supple`, and says what to do where it is missing."""

import sys

import bpy

HOW = (
    'The Python package "supple" is missing. Install it into Blender\'s Python (python -m pip install apps/python), '
    "or name the folder that it lies in under Preferences > Add-ons > Supple"
)


class SupplePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    folder: bpy.props.StringProperty(
        name="Folder of the package",
        description="A folder that holds the Python package supple, where Blender's own Python does not have it",
        subtype="DIR_PATH",
    )

    def draw(self, context):
        self.layout.prop(self, "folder")
        found = load()
        self.layout.label(text=HOW if found is None else f"supple {found.__version__} is in use")


def load():
    """The package; None where it cannot be found."""
    try:
        import supple

        return supple
    except ImportError:
        pass
    addon = bpy.context.preferences.addons.get(__package__)
    folder = bpy.path.abspath(addon.preferences.folder) if addon and addon.preferences else ""
    if not folder or folder in sys.path:
        return None
    sys.path.append(folder)
    try:
        import supple

        return supple
    except ImportError:
        sys.path.remove(folder)
        return None


CLASSES = (SupplePreferences,)
