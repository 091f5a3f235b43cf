//! Formats of the crate jsonschema that urivalidate judges: `with_format` takes a function of a string.
//!
//! ```sh
//! cargo run --manifest-path benches/Cargo.toml --example json_schema
//! ```

use serde_json::json;
use urivalidate::{Grammar, Validator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let iri = Validator::new(Grammar::Iri);
    let java = Validator::new(Grammar::Java);
    let validator = jsonschema::options()
        .with_format("iri", move |text: &str| iri.is_valid(text))
        // A format of your own: what java.net.URI accepts.
        .with_format("java-uri", move |text: &str| java.is_valid(text))
        .should_validate_formats(true)
        .build(&json!({
            "properties": {"link": {"format": "iri"}, "location": {"format": "java-uri"}},
        }))?;
    assert!(validator.is_valid(&json!({"link": "http://example.com/é", "location": "a.html"})));
    for broken in [json!({"link": "a.html"}), json!({"location": "a b.html"})] {
        assert!(!validator.is_valid(&broken));
        for error in validator.iter_errors(&broken) {
            println!("{}: {error}", error.instance_path());
        }
    }
    Ok(())
}
