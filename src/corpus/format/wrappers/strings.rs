//! JSON objects that hold the line as a string.
//!
//! ```text
//! {"log":"MESSAGE\n","stream":"stdout","time":"2026-11-23T01:02:03.123456789Z"}      Docker's json-file
//! {"__REALTIME_TIMESTAMP":"1795395723004000","MESSAGE":"MESSAGE","_PID":"71"}         journalctl -o json
//! ```
//!
//! Docker cuts messages of more than 16 KiB: only the last part ends with `\n`. The journal writes messages
//! that are not UTF-8, or that contain control characters, as arrays of numbers.

use std::sync::LazyLock;

use crate::corpus::format::kinds::json::Json;
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::message::Message;
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{memchr, memmem};

/// Returns the string of `log`, in an object with a `stream`.
pub(super) fn docker(line: &[u8]) -> Option<Message> {
    static LOG: LazyLock<Json> = LazyLock::new(|| string_of("log"));

    memmem::find(line, b"\"stream\"")?;
    let message = string(LOG.value(line))?;
    let is_part = !line[message.range.clone()].ends_with(b"\\n");
    Some(Message { is_part, ..message })
}

/// Returns the string of `MESSAGE`, in an object with the journal's time, or the array of numbers in its
/// place.
pub(super) fn journald(line: &[u8]) -> Option<Message> {
    static MESSAGE: LazyLock<Json> = LazyLock::new(|| string_of("MESSAGE"));
    const TIME: &[u8] = b"\"__REALTIME_TIMESTAMP\"";

    memmem::find(line, TIME)?;
    match MESSAGE.value(line) {
        Ok(Line::Malformed(Malformed::NotAString)) => numbers(line, b"\"MESSAGE\""),
        value => string(value),
    }
}

/// Returns the numbers in the array after a key. Quotes in strings are escaped, so a key in quotes is always
/// a whole string, but can be a value.
fn numbers(line: &[u8], key: &[u8]) -> Option<Message> {
    let array = memmem::find_iter(line, key).find_map(|at| {
        let rest = line[at + key.len()..].trim_ascii_start().strip_prefix(b":")?;
        rest.trim_ascii_start().strip_prefix(b"[")
    })?;
    let numbers = array[..memchr(b']', array)?].trim_ascii();
    let is_byte = |number: &[u8]| {
        let number = number.trim_ascii();
        number.iter().all(u8::is_ascii_digit)
            && str::from_utf8(number).is_ok_and(|number| number.parse::<u8>().is_ok())
    };
    if !numbers.split(|&byte| byte == b',').all(is_byte) {
        return None;
    }
    let start = line.len() - array.len() + (array.len() - array.trim_ascii_start().len());
    Some(Message { escapes: Escapes::Numbers, ..Message::unescaped(start..start + numbers.len()) })
}

/// Returns the search for the string of a key.
fn string_of(key: &str) -> Json {
    Json::new(&FieldSelector::Key(key.to_owned()), &[], false).expect("the name of a key")
}

/// Returns the message that a value of JSON is, if it is a string.
fn string(value: Result<Line, Malformed>) -> Option<Message> {
    match value {
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
        for (array, expected) in [
            ("[97]", Some("a")),
            ("[ 97, 32,98 ]", Some("a b")),
            ("[97,256]", None),
            ("[97,-1]", None),
            ("[97,[98]]", None),
            ("[97", None),
            ("[]", None),
            ("null", None),
        ] {
            let line = format!(r#"{{"_CMDLINE":"MESSAGE","__REALTIME_TIMESTAMP":"1","MESSAGE" : {array}}}"#);
            assert_eq!(text(journald, &line).as_deref(), expected, "{array}");
        }
        assert_eq!(text(journald, r#"{"MESSAGE":"a"}"#), None);
    }
}
