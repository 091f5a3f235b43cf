//! JSON objects that hold the line as a string.
//!
//! ```text
//! {"log":"MESSAGE\n","stream":"stdout","time":"2026-11-23T01:02:03.123456789Z"}      Docker's json-file
//! {"__REALTIME_TIMESTAMP":"1795395723004000","MESSAGE":"MESSAGE","_PID":"71"}         journalctl -o json
//! ```
//!
//! Docker cuts messages of more than 16 KiB: only the last part ends with `\n`. The journal has messages that are not UTF-8 as arrays of
//! numbers, which are not read.

use std::sync::LazyLock;

use crate::corpus::format::kinds::json::Json;
use crate::corpus::format::lines::line::Line;
use crate::corpus::format::lines::message::Message;
use crate::corpus::format::lines::options::FieldSelector;
use crate::work::memmem;

/// The string of `log`, in an object with a `stream`.
pub(super) fn docker(line: &[u8]) -> Option<Message> {
    static LOG: LazyLock<Json> = LazyLock::new(|| string_of("log"));

    let message = string(&LOG, line, b"\"stream\"")?;
    let is_part = !line[message.range.clone()].ends_with(b"\\n");
    Some(Message { is_part, ..message })
}

/// The string of `MESSAGE`, in an object with the journal's time.
pub(super) fn journald(line: &[u8]) -> Option<Message> {
    static MESSAGE: LazyLock<Json> = LazyLock::new(|| string_of("MESSAGE"));

    string(&MESSAGE, line, b"\"__REALTIME_TIMESTAMP\"")
}

/// Finds the string of a key.
fn string_of(key: &str) -> Json {
    Json::new(&FieldSelector::Key(key.to_owned()), &[], false).expect("the name of a key")
}

/// The string that `json` finds, if the line also has `sign`.
fn string(json: &Json, line: &[u8], sign: &[u8]) -> Option<Message> {
    memmem::find(line, sign)?;
    match json.value(line) {
        Ok(Line::Record(field)) => {
            Some(Message { range: field.range, escapes: field.escapes, is_part: false })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(unwrap: fn(&[u8]) -> Option<Message>, line: &str) -> Option<String> {
        let message = unwrap(line.as_bytes())?;
        let mut buffer = Vec::new();
        Some(String::from_utf8(message.text(line.as_bytes(), &mut buffer).to_vec()).unwrap())
    }

    #[test]
    fn messages_are_strings_of_objects() {
        let line = r#"{"log":"a \"b\"\u0026c\n","stream":"stdout","time":"2026-11-23T01:02:03Z"}"#;
        assert_eq!(text(docker, line).as_deref(), Some("a \"b\"&c"));
        assert!(!docker(line.as_bytes()).unwrap().is_part);
        assert!(docker(br#"{"log":"a","stream":"stdout"}"#).unwrap().is_part);
        assert_eq!(text(docker, r#"{"log":"a\r\n","stream":"stdout"}"#).as_deref(), Some("a"));
        for line in [r#"{"log":"a\n"}"#, r#"{"log":1,"stream":"stdout"}"#, r#"{"stream":"stdout"}"#, "a", ""]
        {
            assert_eq!(text(docker, line), None, "{line}");
        }
        let line = r#"{"__REALTIME_TIMESTAMP":"1","MESSAGE":"a b"}"#;
        assert_eq!(text(journald, line).as_deref(), Some("a b"));
        assert_eq!(text(journald, r#"{"__REALTIME_TIMESTAMP":"1","MESSAGE":[97]}"#), None);
        assert_eq!(text(journald, r#"{"MESSAGE":"a"}"#), None);
    }
}
