"""What is saved with an object: the method and its settings. Settings of single joints are custom properties of pose bones."""

import json
import zlib

import bpy

from . import package

# Custom properties of pose bones with these names go to the method as settings of that joint.
OF_BONES = "supple_"
# But for this one, which is of the weights.
BONE_K = "supple_k"

# Blender keeps no reference to the texts of a list that is made anew, so somebody has to.
_items = []


def number(name):
    """A number for a method that stays the same when others come."""
    return zlib.crc32(name.encode()) & 0x3FFFFFFF


def methods():
    """The methods that stand alone, by name; none where the package is missing."""
    supple = package.load()
    return {m.name: m for m in supple.methods() if m.stands_alone} if supple else {}


def method_items(self, context):
    found = [(m.name, m.name, m.summary, "NONE", number(m.name)) for m in methods().values()]
    if self.method not in [item[0] for item in found]:
        found.append((self.method, self.method, "not known here", "ERROR", number(self.method)))
    _items[:] = found
    return _items


def get_method(self):
    return number(self.method)


def set_method(self, value):
    for name in methods():
        if number(name) == value:
            self.method = name
            self.fill()


def known_words(self, context, typed):
    """The words that a setting may be, offered while one is typed."""
    method = methods().get(self.method)
    found = [s.choices for s in method.settings if s.name == self.name] if method else []
    return [word for choices in found for word in choices]


class SuppleSetting(bpy.types.PropertyGroup):
    """One setting of one method. Which of the values counts is said by `kind`."""

    method: bpy.props.StringProperty()
    help: bpy.props.StringProperty()
    kind: bpy.props.StringProperty()
    real: bpy.props.FloatProperty(name="Value", precision=4)
    whole: bpy.props.IntProperty(name="Value")
    text: bpy.props.StringProperty(name="Value", search=known_words, search_options={"SORT", "SUGGESTION"})

    def set(self, value):
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            self.kind, self.text = "json", json.dumps(value)
        elif isinstance(value, str):
            self.kind, self.text = "text", value
        elif isinstance(value, int):
            self.kind, self.whole = "whole", value
        else:
            self.kind, self.real = "real", value

    def get(self):
        if self.kind == "whole":
            return self.whole
        if self.kind == "real":
            # Single precision would else show in the last digits: 0.1 is not 0.10000000149.
            return float(f"{self.real:.7g}")
        return from_text(self.text)


def from_text(text):
    """JSON where it is some, else the word itself, as the command line takes it."""
    try:
        return json.loads(text)
    except ValueError:
        if text.lstrip().startswith(("{", "[")):
            raise ValueError(f"not JSON: {text}")
        return text


class SuppleObject(bpy.types.PropertyGroup):
    # The name is the truth, and is saved; the list only shows it.
    method: bpy.props.StringProperty(default="linear")
    shown_method: bpy.props.EnumProperty(
        name="Method", description="How the skin is moved", items=method_items, get=get_method, set=set_method
    )
    settings: bpy.props.CollectionProperty(type=SuppleSetting)
    preview: bpy.props.PointerProperty(type=bpy.types.Object)
    start: bpy.props.IntProperty(name="Start", default=1)
    end: bpy.props.IntProperty(name="End", default=24)
    weights: bpy.props.EnumProperty(
        name="Weights",
        items=[
            ("heat", "heat", "Bones warm the skin they see, and the warmth spreads"),
            ("flexible", "flexible", "Regions of the bones overlap by as much as K says"),
            ("nearest", "nearest", "By distance to the bones alone"),
        ],
    )
    k: bpy.props.FloatProperty(name="K", description="From wood (0.1) to rubber (2)", default=0.5, min=0, soft_max=2)
    cache: bpy.props.StringProperty(
        name="Cache", description="Where the mesh cache is written", default="//supple.pc2", subtype="FILE_PATH"
    )

    def own(self):
        """The settings of the method in use."""
        return [s for s in self.settings if s.method == self.method]

    def fill(self):
        """Adds the settings that the method has and the object does not, at their defaults."""
        there = {s.name for s in self.own()}
        method = methods().get(self.method)
        for setting in method.settings if method else ():
            # Those of joints are kept with the bones.
            if setting.name not in there and setting.name != "joints":
                new = self.settings.add()
                new.name, new.method, new.help = setting.name, self.method, setting.help
                new.set(setting.default)

    def choose(self, method, **values):
        """Sets the method and some of its settings: for scripts."""
        self.method = method
        self.fill()
        for name, value in values.items():
            found = [s for s in self.own() if s.name == name]
            if not found:
                raise ValueError(f'{method} has no setting "{name}"')
            found[0].set(value)

    def graph(self, supple, armature):
        """What Supple is asked to do, joints included."""
        method = methods().get(self.method)
        defaults = {s.name: s.default for s in method.settings} if method else {}
        given = {s.name: s.get() for s in self.own()}
        given = {name: value for name, value in given.items() if value != defaults.get(name)}
        if "joints" in defaults:
            joints = {b.name: fields for b in armature.pose.bones if (fields := of_bone(b))}
            if joints:
                given["joints"] = joints
        return supple.Graph(self.method, **given)


def of_bone(bone):
    """The settings of one joint, from the custom properties of its pose bone."""
    fields = {}
    for key in bone.keys():
        if key.startswith(OF_BONES) and key != BONE_K:
            value = bone[key]
            if hasattr(value, "to_dict"):
                value = value.to_dict()
            elif hasattr(value, "to_list"):
                value = value.to_list()
            fields[key[len(OF_BONES) :]] = from_text(value) if isinstance(value, str) else value
    return fields


CLASSES = (SuppleSetting, SuppleObject)
