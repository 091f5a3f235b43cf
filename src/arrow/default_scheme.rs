//! Hosts without a scheme before them, such as `example.com/a`: lists of hosts, and cells that people fill,
//! have them.

use arrow_array::{Array, ArrayRef};

use super::FunctionError;
use super::derived::each_record;
use super::made::Value;
use super::strings::each_string;
use super::text::TextLayout;
use crate::grammar::Grammar;
use crate::validator::Validator;

/// A scheme for strings that begin with a host.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::DefaultScheme;
///
/// let uris = StringArray::from(vec!["example.com/a", "//example.com", "localhost:80", "ftp://h/", "/a"]);
/// let with_scheme = DefaultScheme::new("http")?.complete(&uris)?;
/// let expected = ["http://example.com/a", "http://example.com", "http://localhost:80", "ftp://h/", "/a"];
/// assert_eq!(with_scheme.as_string::<i32>(), &StringArray::from(expected.to_vec()));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DefaultScheme(String);

impl DefaultScheme {
    /// Returns the scheme of this name.
    ///
    /// # Errors
    ///
    /// Returns an error if no scheme can have the name (RFC 3986 section 3.1).
    pub fn new(name: &str) -> Result<Self, FunctionError> {
        let uri = format!("{name}://h");
        let is_scheme = Validator::new(Grammar::Uri).parse(&uri).is_ok_and(|parsed| {
            parsed.scheme() == Some(0..name.len()) && parsed.host() == Some(name.len() + 3..uri.len())
        });
        if is_scheme {
            Ok(DefaultScheme(name.to_owned()))
        } else {
            Err(FunctionError::InvalidScheme(name.to_owned()))
        }
    }

    /// Returns the strings of an array, with the scheme before each string that begins with a host. A string
    /// begins with a host unless it begins with a scheme and `:`, with `/` (but not `//`), `?` or `#`, or is
    /// empty. `a.b:80` and `localhost:80` begin with a host, too: the text before the `:` has a dot or is
    /// `localhost`, and a number follows. The text has the [default layout](TextLayout::of) for the
    /// array.
    ///
    /// # Errors
    ///
    /// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
    pub fn complete(&self, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
        let text = TextLayout::of(array.data_type());
        each_string(array, |strings| {
            each_record(strings, text, |_, string, made| {
                let before = match string {
                    [b'/', b'/', ..] => ":",
                    _ if begins_with_host(string) => "://",
                    _ => return Value::Part,
                };
                made.extend_from_slice(self.0.as_bytes());
                made.extend_from_slice(before.as_bytes());
                made.extend_from_slice(string);
                Value::Made
            })
        })
    }
}

/// Returns true if a string begins with a host, and not with `//`.
fn begins_with_host(string: &[u8]) -> bool {
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let Some(&first) = string.first().filter(|first| !matches!(first, b'/' | b'?' | b'#')) else {
        return false;
    };
    let end = string.iter().position(|&byte| !is_of_scheme(byte)).unwrap_or(string.len());
    let (name, rest) = string.split_at(end);
    let Some(rest) = rest.strip_prefix(b":").filter(|_| first.is_ascii_alphabetic()) else { return true };
    let is_host = name.contains(&b'.') || name.eq_ignore_ascii_case(b"localhost");
    let port = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    is_host && port > 0 && matches!(rest.get(port), None | Some(b'/' | b'?' | b'#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_a_host() {
        for string in [
            "a.com",
            "a.com/x",
            "a.com:80",
            "a.com:80/x",
            "a.com:8?q",
            "localhost",
            "LocalHost:1#f",
            "a",
            "a/b:c",
            "1.2.3.4:80",
            "[::1]:80",
            "u@h",
            "é.com:x",
            "a_b.com:80",
            "a?b:c",
        ] {
            assert!(begins_with_host(string.as_bytes()), "{string}");
        }
        for string in [
            "",
            "/a",
            "//a",
            "?a",
            "#a",
            "http://h",
            "mailto:a@b",
            "a.b:",
            "a.b:c",
            "a.b:80c",
            "host:80",
            "tel:123",
            "urn:a:b",
        ] {
            assert!(!begins_with_host(string.as_bytes()), "{string}");
        }
    }

    #[test]
    fn names_of_schemes() {
        for name in ["http", "a+b-c.d", "X"] {
            assert!(DefaultScheme::new(name).is_ok(), "{name}");
        }
        for name in ["", "1a", "a b", "http:", "http://", "é", "a/b", "a?"] {
            let error = DefaultScheme::new(name).unwrap_err();
            assert_eq!(error.to_string(), format!("{name:?} is no scheme"));
        }
    }
}
