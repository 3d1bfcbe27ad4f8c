use crate::args::Methods;
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use std::io::Write;
use supple::{
    deform::setting::{Preset, Setting, ValueType},
    graph::{self, Kernel, Method},
    names,
};

pub fn run(arguments: &Methods) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let chosen: Vec<&Method> = match &arguments.name {
        None => graph::methods().iter().collect(),
        Some(name) => vec![graph::method(name).ok_or_else(|| {
            let hint = names::hint(name, graph::methods().iter().map(|m| m.name));
            anyhow!("no method is called \"{name}\"{hint}")
        })?],
    };
    if arguments.json {
        let list: Vec<Value> = chosen.into_iter().map(as_json).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(());
    }
    for (i, method) in chosen.into_iter().enumerate() {
        let between = if i == 0 { "" } else { "\n" };
        writeln!(out, "{between}{}\n    {}", method.name, method.summary)?;
        if !method.stands_alone {
            writeln!(out, "    only inside a graph (--project)")?;
        }
        write!(out, "{}", table(method, arguments.name.is_some()))?;
        writeln!(out, "    paper: {}", method.paper)?;
    }
    Ok(())
}

/// A row for each setting; with everything about one method, for the fields of objects too, and what a change costs.
fn table(method: &Method, whole: bool) -> String {
    if method.settings.is_empty() {
        return String::new();
    }
    let head = if method.stands_alone { "--set" } else { "setting" };
    let mut rows = vec![[head, "default", "range", "unit", "a change costs", "what it does"].map(str::to_owned)];
    for setting in method.settings {
        rows.push(row("", setting));
        if whole {
            rows.extend(fields(setting));
        }
    }
    let columns: &[usize] = if whole { &[0, 1, 2, 3, 4, 5] } else { &[0, 1, 2, 3, 5] };
    let wide = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for row in &rows {
        let cells = columns.iter().map(|&c| format!("{:<width$}", row[c], width = wide(c)));
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(&format!("    {}\n", line.trim_end()));
    }
    text
}

fn row(before: &str, s: &Setting) -> [String; 6] {
    let name = format!("{before}{}", s.name);
    [name, s.default_in_words(), s.range_in_words(), s.unit.into(), s.cost.word().into(), s.help_with_words()]
}

/// Rows for the fields of a setting that is an object.
fn fields(setting: &Setting) -> Vec<[String; 6]> {
    match setting.value_type {
        ValueType::Preset(Preset { kinds, fields, .. }) => {
            let help = format!("which operator it is: {}", kinds.join(", "));
            let kind = ["  kind", "", "a word", "", setting.cost.word(), &help].map(str::to_owned);
            std::iter::once(kind).chain(fields.iter().map(|f| row("  ", f))).collect()
        }
        ValueType::ByJoint(fields) => fields.iter().map(|f| row("  NAME.", f)).collect(),
        _ => Vec::new(),
    }
}

fn as_json(method: &Method) -> Value {
    json!({
        "name": method.name,
        "summary": method.summary,
        "paper": method.paper,
        "settings": method.settings.iter().map(setting_as_json).collect::<Vec<_>>(),
        "stands_alone": method.stands_alone,
        "gpu": matches!(method.kernel, Kernel::Twin(_)),
    })
}

fn setting_as_json(s: &Setting) -> Value {
    let mut object = json!({
        "name": s.name,
        "type": s.value_type.word(),
        "default": s.default_value().map(|v| v.to_string()),
        "unit": s.unit,
        "help": s.help,
        "words": s.words(),
        "cost": s.cost.word(),
        "fields": s.fields().iter().map(setting_as_json).collect::<Vec<_>>(),
    });
    if let Some(range) = s.range() {
        object["least"] = range.least.into();
        object["most"] = range.most.into();
    }
    object
}
