//! What can be set of implicit skinning, and of single joints in it.

use super::Implicit;
use crate::{
    deform::setting::{Cost, List, Preset, Setting},
    field::operator::SIZES,
};
use std::ops::RangeInclusive;

/// How far volumes reach, over what comes by itself.
const CAPS: RangeInclusive<f64> = 0.0..=4.0;

const OPENING: List = List {
    of: "eight numbers: a0, a1, a2, t0, t1, t2 in degrees, then w0, w1",
    schema: r#"{"type": "array", "minItems": 8, "maxItems": 8, "items": {"type": "number", "minimum": 0}}"#,
};

const OPERATOR: Preset = Preset {
    words: &["union", "blend", "bulge", "finger", "blend-bulge"],
    synonyms: &["elbow", "knee"],
    kinds: &["union", "blend", "bulge", "blend-bulge"],
    fields: &[
        Setting::number("size", 0.7, SIZES, "how far a bulge swells").costs(Cost::Tables),
        Setting::list("theta", OPENING, "how far it is open at an angle between the limbs: 45 is a union, 0 wide open")
            .left_out("as its kind has it")
            .costs(Cost::Tables),
        Setting::list("contact", OPENING, "the same for the bulge of a blend-bulge")
            .left_out("as its kind has it")
            .costs(Cost::Tables),
    ],
};

const REMOVE: List = List {
    of: "samples, by place or number",
    schema: r#"{"type": "array", "items": {"anyOf": [
        {"type": "integer", "minimum": 0},
        {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}}
    ]}}"#,
};

const MOVE: List = List {
    of: "pairs: from (a place or a number) and to (a place)",
    schema: r#"{"anyOf": [
        {"type": "array", "items": {
            "type": "object", "additionalProperties": false, "required": ["from", "to"],
            "properties": {
                "from": {"anyOf": [
                    {"type": "integer", "minimum": 0},
                    {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}}
                ]},
                "to": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}}
            }
        }},
        {"type": "object", "additionalProperties":
            {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}}}
    ]}"#,
};

const ADD: List = List {
    of: "samples: place and outward normal",
    schema: r#"{"type": "array", "items":
        {"type": "array", "minItems": 6, "maxItems": 6, "items": {"type": "number"}}}"#,
};

const OF_A_JOINT: &[Setting] = &[
    Setting::preset("operator", "union", OPERATOR, "how its limb is joined to the one it hangs on")
        .left_out("as for all joints")
        .costs(Cost::Tables),
    Setting::number("cap", 1.0, CAPS, "how far the caps of its limb reach, over what they would").costs(Cost::Tables),
    Setting::list("remove", REMOVE, "samples of its limb that are left out").costs(Cost::Tables),
    Setting::list("move", MOVE, "samples of its limb that are put elsewhere").costs(Cost::Tables),
    Setting::list("add", ADD, "samples that its limb has besides").costs(Cost::Tables),
];

impl Implicit {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[
        Setting::preset("operator", "union", OPERATOR, "how limbs are joined").costs(Cost::Tables),
        Setting::by_joint("joints", OF_A_JOINT, "operator, cap and samples of single joints").costs(Cost::Tables),
        Setting::method("start", "dual-quaternion", "the method that skin starts from"),
        Setting::per_vertex(
            "amount",
            1.0,
            0.0..=1.0,
            "0 = the start, 1 = corrected; one number, or one for each vertex",
        )
        .costs(Cost::Tables),
        Setting::word(
            "tracking",
            "plain",
            &["plain", "robust"],
            "plain = each frame from its pose alone; robust = from the last frame where there was contact",
        ),
        Setting::word(
            "partition",
            "weights",
            &["weights", "segments", "nearest"],
            "how skin is parted among the joints",
        ),
        Setting::whole("samples", 50, 4..=400, "samples of a limb, before those at its joints are left out")
            .in_unit("samples"),
        Setting::number(
            "error",
            0.1,
            0.0..=10.0,
            "samples are doubled, up to 200, until a volume misses the skin by less of its radius",
        )
        .in_unit("radii"),
        Setting::whole("seed", 0, 0..=4_000_000_000, "another choice of samples"),
        Setting::number(
            "cap",
            1.0,
            CAPS,
            "how far volumes reach beyond their joints, over the distance from joint to skin",
        ),
        Setting::whole("resolution", 32, 8..=128, "nodes on a side of a volume's grid").in_unit("nodes"),
        Setting::number("sigma", 1.0, 0.05..=1.0, "share of a Newton step that the march takes").costs(Cost::Nothing),
        Setting::number("contact_angle", 26.0, 1.0..=180.0, "turn of the gradient in one step that is a contact")
            .in_unit("degrees")
            .costs(Cost::Nothing),
        Setting::whole("rounds", 12, 0..=100, "rounds of two steps").in_unit("rounds").costs(Cost::Nothing),
        Setting::number("relaxation", 0.0, 0.0..=1.0, "strength of the tangential relaxation after each round")
            .costs(Cost::Nothing),
        Setting::whole("diffusion", 6, 0..=100, "rings round a contact that are smoothed with it")
            .in_unit("rings")
            .costs(Cost::Nothing),
        Setting::whole("smoothing", 7, 0..=100, "smoothing steps before the second fit")
            .in_unit("steps")
            .costs(Cost::Nothing),
        Setting::whole("last_smoothing", 4, 0..=100, "smoothing steps after it").in_unit("steps").costs(Cost::Nothing),
    ];

    /// What joints can have of their own.
    pub const OF_A_JOINT: &[Setting] = OF_A_JOINT;

    /// The fields of an operator that is an object.
    pub(super) const OF_AN_OPERATOR: &[Setting] = OPERATOR.fields;
}
