use crate::names;
use thiserror::Error;

/// A setting that a method does not have, or that has the wrong form.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SettingError {
    /// Not a setting of this method.
    #[error("{method} has no setting \"{setting}\"{}", names::hint(.setting, .known.iter().copied()))]
    Unknown {
        /// The method.
        method: &'static str,
        /// What was given.
        setting: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The value is of a form that is read by its own rules.
    #[error("{method}: setting \"{setting}\": {reason}")]
    Form {
        /// The method.
        method: &'static str,
        /// The setting.
        setting: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The value does not fit.
    #[error("{method}: setting \"{setting}\" cannot be {value}: {expected} is expected")]
    Value {
        /// The method.
        method: &'static str,
        /// The setting.
        setting: String,
        /// What was given.
        value: String,
        /// What would fit.
        expected: String,
    },
}
