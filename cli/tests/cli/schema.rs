//! The part of JSON Schema that `docs/statistics.schema.json` uses: a complete validator would need fifty
//! packages.

use serde_json::Value;

/// Returns the places where a value does not match a schema. `root` holds the targets of `$ref`.
///
/// # Panics
///
/// Panics if the schema has an unknown keyword.
pub(super) fn errors(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let mut check = |is_right: bool, what: &str| {
        if !is_right {
            errors.push(format!("{place}: {what}: {value}"));
        }
    };
    let mut inner = Vec::new();
    let properties = &schema["properties"];
    for (keyword, is) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let path = is.as_str().unwrap().strip_prefix('#').expect("a reference is to this file");
                let schema = root.pointer(path).expect("what is referred to is there");
                inner.extend(self::errors(root, schema, value, place));
            }
            "type" => {
                let is_a = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "number" => value.is_number(),
                    "null" => value.is_null(),
                    name => panic!("the type {name} is not known"),
                };
                check(is.as_array().map_or_else(|| is_a(is), |names| names.iter().any(is_a)), "type");
            }
            "const" => check(value == is, keyword),
            "enum" => check(is.as_array().unwrap().contains(value), keyword),
            "anyOf" => {
                let fits = |schema| self::errors(root, schema, value, place).is_empty();
                check(is.as_array().unwrap().iter().any(fits), keyword);
            }
            "minimum" => check(value.as_f64().is_none_or(|value| value >= is.as_f64().unwrap()), keyword),
            "minLength" => {
                check(value.as_str().is_none_or(|text| text.len() as u64 >= is.as_u64().unwrap()), keyword)
            }
            "minItems" => {
                check(value.as_array().is_none_or(|list| list.len() as u64 >= is.as_u64().unwrap()), keyword)
            }
            "maxItems" => {
                check(value.as_array().is_none_or(|list| list.len() as u64 <= is.as_u64().unwrap()), keyword)
            }
            "maxProperties" => {
                check(
                    value.as_object().is_none_or(|object| object.len() as u64 <= is.as_u64().unwrap()),
                    keyword,
                );
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    inner.extend(self::errors(root, is, item, &format!("{place}/{i}")));
                }
            }
            "required" => {
                let has = |key: &Value| {
                    value.as_object().is_none_or(|object| object.contains_key(key.as_str().unwrap()))
                };
                check(is.as_array().unwrap().iter().all(has), keyword);
            }
            "propertyNames" => {
                for key in value.as_object().into_iter().flat_map(|object| object.keys()) {
                    inner.extend(self::errors(root, is, &Value::from(key.as_str()), place));
                }
            }
            "properties" => {
                for (key, schema) in is.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        inner.extend(self::errors(root, schema, value, &format!("{place}/{key}")));
                    }
                }
            }
            "additionalProperties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    if properties.get(key).is_none() {
                        match is {
                            Value::Bool(false) => {
                                check(false, &format!("the key {key} is not in the schema"))
                            }
                            schema => {
                                inner.extend(self::errors(root, schema, value, &format!("{place}/{key}")))
                            }
                        }
                    }
                }
            }
            "unevaluatedProperties" => {
                assert_eq!(is, false, "{place}: only false is known");
                let path = schema["$ref"].as_str().expect("only beside $ref").strip_prefix('#').unwrap();
                let referred = &root.pointer(path).expect("it is there")["properties"];
                for key in value.as_object().into_iter().flat_map(|object| object.keys()) {
                    let is_known = properties.get(key).is_some() || referred.get(key).is_some();
                    check(is_known, &format!("the key {key} is not in the schema"));
                }
            }
            _ => panic!("{place}: the keyword {keyword} is not known"),
        }
    }
    errors.extend(inner);
    errors
}
