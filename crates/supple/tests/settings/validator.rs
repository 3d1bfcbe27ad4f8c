//! As much of JSON Schema as `docs/schema/project.json` uses. A keyword that is not known here is refused, so that nothing passes
//! for want of looking.

use serde_json::Value;

/// Why a value does not fit a schema, if it does not.
pub fn fault(root: &Value, schema: &Value, value: &Value) -> Option<String> {
    let keywords = schema.as_object().unwrap_or_else(|| panic!("not a schema: {schema}"));
    keywords.iter().find_map(|(keyword, says)| by_keyword(root, schema, keyword, says, value))
}

fn by_keyword(root: &Value, schema: &Value, keyword: &str, says: &Value, value: &Value) -> Option<String> {
    let fits = |schema: &Value, value: &Value| fault(root, schema, value).is_none();
    let list = || says.as_array().expect("a list of schemas").iter();
    let wrong = || format!("{value} does not fit {keyword} {says}");
    let refuse = |is_wrong: bool| is_wrong.then(wrong);
    let count = |n: &Value| n.as_u64().expect("a count") as usize;
    match keyword {
        "$schema" | "title" | "description" | "default" | "$comment" | "$defs" | "then" => None,
        "$ref" => {
            let name = says.as_str().and_then(|s| s.strip_prefix('#')).expect("a reference inside the file");
            fault(root, root.pointer(name).unwrap_or_else(|| panic!("{name} is missing")), value)
        }
        "type" => {
            let types: Vec<&str> = match says {
                Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                one => one.as_str().into_iter().collect(),
            };
            refuse(!types.iter().any(|t| is_of_type(value, t)))
        }
        "const" => refuse(value != says),
        "enum" => refuse(!list().any(|one| one == value)),
        "minimum" => refuse(value.as_f64().is_some_and(|x| x < says.as_f64().expect("a number"))),
        "maximum" => refuse(value.as_f64().is_some_and(|x| x > says.as_f64().expect("a number"))),
        "minItems" => refuse(value.as_array().is_some_and(|list| list.len() < count(says))),
        "maxItems" => refuse(value.as_array().is_some_and(|list| list.len() > count(says))),
        "items" => value.as_array()?.iter().find_map(|one| fault(root, says, one)),
        "prefixItems" => list().zip(value.as_array()?).find_map(|(schema, one)| fault(root, schema, one)),
        "properties" => says.as_object()?.iter().find_map(|(name, schema)| fault(root, schema, value.get(name)?)),
        "required" => {
            let object = value.as_object()?;
            refuse(list().any(|name| !object.contains_key(name.as_str().expect("a name"))))
        }
        "additionalProperties" => {
            let known = schema.get("properties");
            let others = value.as_object()?.iter().filter(|(name, _)| known.and_then(|k| k.get(*name)).is_none());
            others.into_iter().find_map(|(name, value)| match says {
                Value::Bool(true) => None,
                Value::Bool(false) => Some(format!("there is no \"{name}\"")),
                schema => fault(root, schema, value),
            })
        }
        "anyOf" => refuse(!list().any(|one| fits(one, value))),
        "oneOf" => refuse(list().filter(|one| fits(one, value)).count() != 1),
        "allOf" => list().find_map(|one| fault(root, one, value)),
        "not" => refuse(fits(says, value)),
        "if" => fits(says, value).then(|| fault(root, &schema["then"], value)).flatten(),
        unknown => panic!("the keyword {unknown} is not known to this validator"),
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        unknown => panic!("there is no type {unknown}"),
    }
}
