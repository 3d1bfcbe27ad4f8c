use crate::args::Methods;
use anyhow::Result;
use serde_json::json;
use std::io::Write;
use supple::graph::{Kernel, Method, methods};

pub fn run(arguments: &Methods) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let list: Vec<_> = methods().iter().map(as_json).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(());
    }
    for method in methods() {
        writeln!(out, "{}\n    {}", method.name, method.summary)?;
        if !method.stands_alone {
            writeln!(out, "    only inside a graph (--project)")?;
        }
        for setting in method.settings {
            let how = if method.stands_alone { "--set " } else { "" };
            writeln!(out, "    {how}{}={}    {}", setting.name, setting.default, setting.help)?;
        }
        writeln!(out, "    paper: {}\n", method.paper)?;
    }
    Ok(())
}

fn as_json(method: &Method) -> serde_json::Value {
    let settings: Vec<_> =
        method.settings.iter().map(|s| json!({"name": s.name, "default": s.default, "help": s.help})).collect();
    json!({
        "name": method.name,
        "summary": method.summary,
        "paper": method.paper,
        "settings": settings,
        "stands_alone": method.stands_alone,
        "gpu": matches!(method.kernel, Kernel::Twin(_)),
    })
}
