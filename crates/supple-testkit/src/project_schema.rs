//! `docs/schema/project.json`: written by hand, but for the settings of the methods, which `cargo xtask bless` writes from the
//! registry.

use serde_json::Value;
use std::path::PathBuf;
use supple::{deform::setting::definitions, graph::methods};

/// The first definition that is not written by hand. All others that are not come after it.
const FIRST: &str = "    \"settings-by-name\": {";
const WIDTH: usize = 120;

/// Where it lies.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/project.json")
}

/// What stands in the file.
///
/// # Panics
/// When it is missing.
pub fn found() -> String {
    std::fs::read_to_string(path()).unwrap_or_else(|e| panic!("{}: {e}", path().display()))
}

/// What should stand there: the part that is written by hand as it is, with the settings of the registry.
///
/// # Panics
/// When the file has no definition of settings.
pub fn expected() -> String {
    let found = found();
    let by_hand = &found[..found.find(FIRST).expect("a definition of settings")];
    let mut definitions = definitions(methods());
    let comment = "From here on, definitions are written by `cargo xtask bless` from the registry.";
    definitions["settings-by-name"]["$comment"] = comment.into();
    let definitions =
        definitions.iter().map(|(name, schema)| format!("    \"{name}\": {}", written(schema, 4, name.len() + 8)));
    format!("{by_hand}{}\n  }}\n}}\n", definitions.collect::<Vec<_>>().join(",\n"))
}

/// Writes it.
///
/// # Errors
/// When the file cannot be written.
pub fn bless() -> std::io::Result<()> {
    std::fs::write(path(), expected())
}

/// JSON as a person would write it: on one line where it fits. `column` is where it begins.
fn written(value: &Value, indent: usize, column: usize) -> String {
    let line = on_one_line(value);
    if column + line.len() < WIDTH {
        return line;
    }
    let (next, space) = (indent + 2, " ".repeat(indent + 2));
    let (open, close, rows) = match value {
        Value::Object(fields) => {
            let row = |(name, value): (&String, &Value)| {
                format!("{space}\"{name}\": {}", written(value, next, next + name.len() + 4))
            };
            ('{', '}', fields.iter().map(row).collect::<Vec<_>>())
        }
        Value::Array(list) => ('[', ']', list.iter().map(|v| format!("{space}{}", written(v, next, next))).collect()),
        _ => return line,
    };
    format!("{open}\n{}\n{}{close}", rows.join(",\n"), " ".repeat(indent))
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let fields = fields.iter().map(|(name, value)| format!("\"{name}\": {}", on_one_line(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(on_one_line).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
