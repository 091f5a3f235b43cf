//! The additions of Quarto and R Markdown to Markdown.
//!
//! | text | record |
//! |---|---|
//! | `{{< video https://a/b >}}`, `{{< x url="https://a/b c" >}}` | an argument with a scheme: up to white space, or between its quotes |
//! | code with the language `{=html}` | the URLs of its HTML |
//! | `$[a](b)$`, `$$…$$` | none: mathematics |
//! | other code, also `{r}`; divs (`:::`), attributes (`{#id .class}`) | none |
//!
//! A copy of the text in which shortcodes are white space is parsed.

use std::ops::Range;

use super::found::FoundLinks;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::log_format::starts_as_uri;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{memchr, memmem, position};

/// The longest shortcode, in bytes. Most have one line.
const LONGEST: usize = 4096;

/// Returns a text of the same length without shortcodes, and the URLs in these.
pub(super) fn markdown_of(text: &str) -> (String, Vec<FoundLinks>) {
    let (bytes, mut found) = (text.as_bytes(), Vec::new());
    let mut markdown = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(opening) = memmem::find(&bytes[at..], b"{{<") {
        let start = at + opening;
        let most = &bytes[start..bytes.len().min(start + LONGEST)];
        let Some(len) = memmem::find(most, b">}}").map(|end| end + 3) else {
            markdown.push_str(&text[at..start + 3]);
            at = start + 3;
            continue;
        };
        arguments(bytes, start + 3..start + len - 3, &mut found);
        markdown.push_str(&text[at..start]);
        // A mark keeps the text after it from being indented.
        markdown.push('.');
        let rest = bytes[start + 1..start + len].iter();
        markdown.extend(rest.map(|&byte| if byte == b'\n' { '\n' } else { ' ' }));
        at = start + len;
    }
    markdown.push_str(&text[at..]);
    (markdown, found)
}

/// Takes the arguments of a shortcode that are URLs.
fn arguments(bytes: &[u8], within: Range<usize>, found: &mut Vec<FoundLinks>) {
    let code = &bytes[..within.end];
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let mut at = within.start;
    let mut name = None;
    while let Some(spaces) = position(&code[at..], |byte| !is_space(byte)) {
        at += spaces;
        let quoted = |at: usize| code.get(at).filter(|byte| matches!(byte, b'"' | b'\''));
        // A URL may have an equals sign, too, but not after a name alone.
        let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let name_end = at + position(&code[at..], |byte| !is_in_name(byte)).unwrap_or(code.len() - at);
        let value = if code.get(name_end) == Some(&b'=') { name_end + 1 } else { at };
        let value = match quoted(value) {
            Some(&quote) => {
                let rest = &code[value + 1..];
                value + 1..value + 1 + memchr(quote, rest).unwrap_or(rest.len())
            }
            None => value..value + position(&code[value..], is_space).unwrap_or(code.len() - value),
        };
        at = (value.end + usize::from(quoted(value.end).is_some())).max(at + 1);
        let text = &code[value.clone()];
        let name = name.get_or_insert_with(|| String::from_utf8_lossy(text).into_owned());
        if starts_as_uri(text) && memmem::find(text, b"://").is_some() {
            let place = Holder { element: Name::Made(name.as_str().into()), attribute: None };
            found.push(FoundLinks::at(place, value, Escapes::None));
        }
    }
}
