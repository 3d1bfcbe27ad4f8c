"""The panel in the sidebar of the 3D viewport."""

import bpy

from . import package
from .settings import OF_BONES


class SupplePanel(bpy.types.Panel):
    bl_idname, bl_label = "VIEW3D_PT_supple", "Supple"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Supple"

    def draw(self, context):
        layout = self.layout
        if package.load() is None:
            # Panels do not wrap lines.
            for part in package.HOW.split(". "):
                layout.label(text=part, icon="NONE")
            return
        bone = context.active_pose_bone
        if bone is not None:
            self.draw_bone(layout, bone)
        thing = context.object
        if thing is None or thing.type != "MESH":
            layout.label(text="Choose a mesh with an armature")
            return
        own = thing.supple
        layout.prop(own, "shown_method")
        for setting in own.own():
            field, schema = setting.field(), setting.schema()
            unit = f" ({schema.unit})" if schema and schema.unit else ""
            name = setting.name.replace("_", " ") + unit
            row = layout.row(align=True)
            if field in ("text", "word"):
                # A name before a text gets less room than it needs.
                halves = row.split(factor=0.4, align=True)
                halves.label(text=name)
                halves.prop(setting, field, text="")
            else:
                row.prop(setting, field, text=name)
            # Tooltips of fields are the same for every setting; that of a button is asked for.
            row.operator("supple.about_setting", text="", icon="QUESTION", emboss=False).name = setting.name
        row = layout.row(align=True)
        row.operator("supple.preview")
        row.operator("supple.clear_preview", text="", icon="X")
        row = layout.row(align=True)
        row.prop(own, "start")
        row.prop(own, "end")
        layout.operator("supple.bake_shape_keys")
        layout.prop(own, "cache")
        layout.operator("supple.bake_cache")
        layout.separator()
        layout.prop(own, "weights")
        if own.weights == "flexible":
            layout.prop(own, "k")
        layout.operator("supple.auto_weights")

    def draw_bone(self, layout, bone):
        box = layout.box()
        box.label(text=bone.name, icon="BONE_DATA")
        keys = [key for key in bone.keys() if key.startswith(OF_BONES)]
        for key in keys:
            box.prop(bone, f'["{key}"]', text=key[len(OF_BONES) :])
        if not keys:
            box.operator("supple.bone_settings")


CLASSES = (SupplePanel,)
