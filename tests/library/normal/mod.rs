//! Tests normal forms, resolved references, and relativized URIs.
//!
//! | module | has |
//! |---|---|
//! | [`rfc3986`], [`rfc2396`] | the algorithms as these RFCs print them, without code of the library |
//! | [`examples`] | the RFCs' examples, and the decisions where the RFCs are ambiguous |
//! | [`properties`] | the library against the algorithms, and the properties of every result |
//! | [`java`] | the results of `java.net.URI` for some hundred records and pairs |

mod examples;
mod java;
mod properties;
mod rfc2396;
mod rfc3986;
mod rfc3987;

use urivalidate::{Grammar, NormalForm, Validator};

/// Returns the normal form as text, or the record if it is its own normal form, or `invalid`.
fn normalized(grammar: Grammar, form: NormalForm, record: &str) -> String {
    let normalizer = Validator::new(grammar).normalizer(form).unwrap();
    shown(record, |to| normalizer.normalize(record.as_bytes(), to).map(|normal| normal.is_some()))
}

fn resolved(grammar: Grammar, base: &str, reference: &str) -> String {
    let base = Validator::new(grammar).base(base.as_bytes()).unwrap();
    shown(reference, |to| base.resolve(reference.as_bytes(), to).map(|resolved| resolved.is_some()))
}

fn relativized(grammar: Grammar, base: &str, uri: &str) -> String {
    let base = Validator::new(grammar).base(base.as_bytes()).unwrap();
    shown(uri, |to| base.relativize(uri.as_bytes(), to).map(|reference| reference.is_some()))
}

/// Returns the bytes that `write` appends to a buffer, and asserts that it changes no other bytes.
fn shown(record: &str, write: impl FnOnce(&mut Vec<u8>) -> Result<bool, urivalidate::Error>) -> String {
    const BEFORE: &[u8] = b"before";
    let mut to = BEFORE.to_vec();
    let result = write(&mut to);
    let written = to.strip_prefix(BEFORE).expect("what was there before");
    let written = str::from_utf8(written).expect("UTF-8");
    match result {
        Ok(true) => {
            assert_ne!(written, record, "a record that does not change is not written");
            written.to_owned()
        }
        Ok(false) => {
            assert_eq!(written, "");
            record.to_owned()
        }
        Err(_) => {
            assert_eq!(written, "", "nothing is left of {record:?}");
            "invalid".to_owned()
        }
    }
}
