//! Types and ranges in words.

use super::{Cost, DefaultValue, Range, Setting, ValueType};

impl ValueType {
    /// In one word or two, for programs.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Whole(_) => "whole number",
            Self::Flag => "flag",
            Self::Word(_) => "word",
            Self::Method => "method",
            Self::PerVertex(_) => "number or one per vertex",
            Self::Preset(_) => "word or object",
            Self::ByJoint(_) => "object by joint",
            Self::List(_) => "list",
        }
    }
}

impl Cost {
    /// What a change does, for people.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Nothing => "a change costs nothing",
            Self::Tables => "a change makes tables of its node anew",
            Self::Binding => "a change binds the method anew",
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.least, self.most)
    }
}

impl Setting {
    /// What would fit, in a message about what does not.
    pub fn expected(&self) -> String {
        let of = if self.unit.is_empty() { String::new() } else { format!(" of {}", self.unit) };
        match self.value_type {
            ValueType::Number(range) => format!("a number{of} from {range}"),
            ValueType::Whole(range) => format!("a whole number{of} from {range}"),
            ValueType::PerVertex(range) => format!("a number{of} from {range}, or one for each vertex,"),
            ValueType::Flag => "true or false".to_owned(),
            ValueType::Word(_) | ValueType::Method => format!("one of {}", self.words().join(", ")),
            ValueType::Preset(_) => format!("one of {}, or an object,", self.words().join(", ")),
            ValueType::ByJoint(_) => "an object by the names of joints".to_owned(),
            ValueType::List(list) => format!("a list of {}", list.of),
        }
    }

    /// What fits, short enough for a column of a table. Words stand elsewhere.
    pub fn range_in_words(&self) -> String {
        match self.value_type {
            ValueType::Number(range) | ValueType::Whole(range) => range.to_string(),
            ValueType::PerVertex(range) => format!("{range}, per vertex"),
            ValueType::Flag => "true, false".to_owned(),
            ValueType::Word(_) | ValueType::Method => "a word".to_owned(),
            ValueType::Preset(_) => "a word, an object".to_owned(),
            ValueType::ByJoint(_) => "by joint".to_owned(),
            ValueType::List(_) => "a list".to_owned(),
        }
    }

    /// Its default, as it would be typed; for a field that is left out, what counts then.
    pub fn default_in_words(&self) -> String {
        match self.default {
            DefaultValue::Number(x) => x.to_string(),
            DefaultValue::Whole(x) => x.to_string(),
            DefaultValue::Flag(x) => x.to_string(),
            DefaultValue::Word(word) | DefaultValue::LeftOut(word) => word.to_owned(),
            DefaultValue::Object => "{}".to_owned(),
            DefaultValue::List => "[]".to_owned(),
        }
    }

    /// The help, then range, unit and default, then what a change costs: a line each.
    pub fn about(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let range = format!("{}{unit}; {} by default", self.range_in_words(), self.default_in_words());
        [&self.help_with_words(), &range, self.cost.in_words()].join("\n")
    }

    /// The help, with the words that the setting may be.
    pub fn help_with_words(&self) -> String {
        let words = self.words();
        match self.value_type {
            // Also where it explains each of them.
            _ if words.iter().all(|word| self.help.contains(word)) => self.help.to_owned(),
            ValueType::Preset(preset) if preset.synonyms.is_empty() => {
                format!("{}: {}, or an object", self.help, words.join(", "))
            }
            ValueType::Preset(preset) => {
                let also = preset.synonyms.join(", ");
                format!("{}: {} (also {also}), or an object", self.help, words.join(", "))
            }
            _ => format!("{}: {}", self.help, words.join(", ")),
        }
    }
}
