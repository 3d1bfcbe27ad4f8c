"""What is saved with an object: the method and its settings. Settings of single joints are custom properties of pose bones."""

import json
import math
import zlib

import bpy

from . import package

# Custom properties of pose bones with these names go to the method as settings of that joint.
OF_BONES = "supple_"
# But for this one, which is of the weights.
BONE_K = "supple_k"
# The type of settings that joints have of their own.
BY_JOINT = "object by joint"

# Blender keeps no reference to the texts of a list that is made anew, so somebody has to.
_items = []
_word_items = {}
# The greatest whole number that a field of Blender holds.
MOST_WHOLE = 2**31 - 1


def number(name):
    """A number for a method that stays the same when others come."""
    return zlib.crc32(name.encode()) & 0x3FFFFFFF


def methods():
    """The methods that stand alone, by name; none where the package is missing."""
    supple = package.load()
    return {m.name: m for m in supple.methods() if m.stands_alone} if supple else {}


def fields_of_joints():
    """The fields that methods have for single joints, by name."""
    settings = [s for method in methods().values() for s in method.settings if s.type == BY_JOINT]
    return {field.name: field for setting in settings for field in setting.fields}


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
    schema = self.schema()
    return schema.choices if schema else []


def word_items(self, context):
    found = [(word, word, "", "NONE", number(word)) for word in known_words(self, context, "")]
    if self.text not in [item[0] for item in found]:
        found.append((self.text, self.text, "not known here", "ERROR", number(self.text)))
    return _word_items.setdefault(tuple(item[0] for item in found), found)


def get_word(self):
    return number(self.text)


def set_word(self, value):
    for word in known_words(self, None, ""):
        if number(word) == value:
            self.text = word


def stay_in_range(self, context):
    """Fields of Blender have fixed ends; those of a setting come from the method."""
    schema = self.schema()
    if schema is None or schema.least is None:
        return
    if self.kind == "real":
        # Single precision is a little beside the end that was typed.
        real = min(max(short(self.real), schema.least), schema.most)
        if real != short(self.real):
            self.real = real
    elif self.kind == "whole":
        whole = min(max(self.whole, math.ceil(schema.least)), math.floor(min(schema.most, MOST_WHOLE)))
        if whole != self.whole:
            self.whole = whole


def short(x):
    """Single precision would else show in the last digits: 0.1 is not 0.10000000149."""
    return float(f"{x:.7g}")


class SuppleSetting(bpy.types.PropertyGroup):
    """One setting of one method. Which of the values counts is said by `kind`."""

    method: bpy.props.StringProperty()
    kind: bpy.props.StringProperty()
    real: bpy.props.FloatProperty(name="Value", precision=4, update=stay_in_range)
    whole: bpy.props.IntProperty(name="Value", update=stay_in_range)
    flag: bpy.props.BoolProperty(name="Value")
    text: bpy.props.StringProperty(name="Value", search=known_words, search_options={"SORT", "SUGGESTION"})
    # The text is the truth, and is saved; the list only shows it.
    word: bpy.props.EnumProperty(name="Value", items=word_items, get=get_word, set=set_word)

    def schema(self):
        """What the registry says of it; None where it does not know it, or the package is missing."""
        method = methods().get(self.method)
        return next((s for s in method.settings if s.name == self.name), None) if method else None

    def about(self):
        """What the registry says of it, for people."""
        schema = self.schema()
        return schema.about if schema else "not known here"

    def field(self):
        """The property that a panel shows."""
        schema = self.schema()
        if schema and schema.type in ("word", "method"):
            return "word"
        return "text" if self.kind == "json" else self.kind

    def set(self, value):
        schema = self.schema()
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if schema and schema.least is not None and is_number and not schema.least <= value <= schema.most:
            raise ValueError(f'"{self.name}" cannot be {value}: it goes from {schema.least:g} to {schema.most:g}')
        if isinstance(value, bool):
            self.kind, self.flag = "flag", value
        elif isinstance(value, str):
            self.kind, self.text = "text", value
        elif isinstance(value, int):
            self.kind, self.whole = "whole", value
        elif isinstance(value, float):
            self.kind, self.real = "real", value
        else:
            self.kind, self.text = "json", json.dumps(value)

    def get(self):
        if self.kind == "whole":
            return self.whole
        if self.kind == "flag":
            return self.flag
        if self.kind == "real":
            return short(self.real)
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
            if setting.name not in there and setting.type != BY_JOINT:
                new = self.settings.add()
                new.name, new.method = setting.name, self.method
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
        for setting in method.settings if method else ():
            if setting.type == BY_JOINT:
                # What is of another method alone stays with the bones until that one is chosen.
                others = set(fields_of_joints()) - {field.name for field in setting.fields}
                found = {b.name: of_bone(b) for b in armature.pose.bones}
                found = {b: {k: v for k, v in fields.items() if k not in others} for b, fields in found.items()}
                joints = {bone: fields for bone, fields in found.items() if fields}
                if joints:
                    given[setting.name] = joints
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
