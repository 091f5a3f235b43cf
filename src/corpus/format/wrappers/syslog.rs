//! The prefixes of syslog.
//!
//! ```text
//! <134>1 2026-11-23T01:02:03.004Z host nginx 71 - [id a="b"] MESSAGE      RFC 5424
//! <134>Nov 23 01:02:03 host nginx[71]: MESSAGE                            RFC 3164; files often lack the number in angle brackets
//! 2026-11-23T01:02:03.004+01:00 host nginx[71]: MESSAGE                   rsyslog's own files
//! ```
//!
//! The host may be missing, since nginx can omit it. The tag must end with a colon, which marks the start of
//! the message. The tag has no quote, unlike the first key of an object.

use crate::corpus::format::lines::message::Message;
use crate::corpus::format::lines::words::{Tokens, has_shape, is_date};
use crate::work::{memchr, memchr2, memchr3};

/// The byte order mark before a message in UTF-8 (RFC 5424).
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the message after a prefix of syslog.
pub(super) fn message(line: &[u8]) -> Option<Message> {
    let after_priority = priority(line);
    let start = match after_priority {
        Some(at) if line[at..].starts_with(b"1 ") => rfc5424(line, at + 2)?,
        _ => rfc3164(line, after_priority.unwrap_or(0))?,
    };
    let mark = if line[start..].starts_with(MARK) { MARK.len() } else { 0 };
    Some(Message::unescaped(start + mark..line.len()))
}

/// Returns the place after `<134>`.
fn priority(line: &[u8]) -> Option<usize> {
    let digits = line.strip_prefix(b"<")?.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    ((1..=3).contains(&digits) && line.get(1 + digits) == Some(&b'>')).then_some(digits + 2)
}

/// Returns the start of the message after time, host, application, process, identifier, and structured data.
fn rfc5424(line: &[u8], at: usize) -> Option<usize> {
    let mut words = Tokens { line, at };
    let time = &line[words.next()?];
    if time != b"-" && !is_date(time) {
        return None;
    }
    for _ in 0..4 {
        words.next()?;
    }
    let data = words.at + 1;
    let end = match line.get(data)? {
        b'-' => data + 1,
        b'[' => structured_data(line, data)?,
        _ => return None,
    };
    match line.get(end) {
        None => Some(end),
        Some(b' ') => Some(end + 1),
        Some(_) => None,
    }
}

/// Returns the end of the elements `[id a="b"]`. In values, a backslash precedes each `"`, `\` and `]`.
fn structured_data(line: &[u8], mut at: usize) -> Option<usize> {
    while line.get(at) == Some(&b'[') {
        loop {
            at += memchr2(b'"', b']', &line[at..])?;
            if line[at] == b']' {
                break;
            }
            at += 1;
            loop {
                at += memchr3(b'"', b'\\', b'\n', line.get(at..)?)?;
                if line[at] == b'"' {
                    break;
                }
                at += 2;
            }
            at += 1;
        }
        at += 1;
    }
    Some(at)
}

/// Returns the start of the message after time, host and tag.
fn rfc3164(line: &[u8], at: usize) -> Option<usize> {
    let rest = &line[at..];
    let time = if has_month(rest) {
        TIME.len()
    } else if is_date(rest) {
        memchr(b' ', rest)?
    } else {
        return None;
    };
    let mut words = Tokens { line: rest, at: time }.take(2);
    let tag = words.find(|word| rest[word.end - 1] == b':')?;
    if memchr(b'"', &rest[tag.clone()]).is_some() {
        return None;
    }
    Some(at + (tag.end + 1).min(rest.len()))
}

/// The time of RFC 3164, with 0 for a digit.
const TIME: &[u8] = b"Nov 00 00:00:00";

/// Returns true if a text starts with a time of RFC 3164. A space or a 0 precedes days below 10.
fn has_month(text: &[u8]) -> bool {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";

    let has_time = || {
        matches!(text[4], b' ' | b'0'..=b'3')
            && text[5].is_ascii_digit()
            && has_shape(&text[6..], &b" 00:00:00 "[..])
    };
    text.len() > TIME.len()
        && text[3] == b' '
        && MONTHS.chunks(3).any(|month| text.starts_with(month))
        && has_time()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> Option<&str> {
        message(line.as_bytes()).map(|message| &line[message.range])
    }

    #[test]
    fn messages_follow_their_prefixes() {
        for prefix in [
            "<134>1 2026-11-23T01:02:03.004Z host nginx 71 - - ",
            "<134>1 2026-11-23T01:02:03Z host nginx - ID47 [a@1 b=\"c\\\"]d\" e=\"f g\"][h] ",
            "<14>1 - - - - - - ",
            "<134>1 2026-11-23T01:02:03+01:00 host nginx 71 - - \u{FEFF}",
            "<134>Nov 23 01:02:03 host nginx[71]: ",
            "Nov  3 01:02:03 host nginx: ",
            "Nov 03 01:02:03 nginx: ",
            "2026-11-23T01:02:03.004+01:00 host nginx[71]: ",
        ] {
            for content in ["GET /a: b", ""] {
                assert_eq!(text(&format!("{prefix}{content}")), Some(content), "{prefix}");
            }
        }
        assert_eq!(text("<134>1 - - - - - -"), Some(""));
        assert_eq!(text("Nov 23 01:02:03 host nginx:"), Some(""));
    }

    #[test]
    fn other_lines_have_no_prefix() {
        for line in [
            "",
            "<134>",
            "<1345>Nov 23 01:02:03 host nginx: a",
            "<134>1 2026 host nginx 71 - - a",
            "<134>1 2026-11-23T01:02:03Z host nginx 71 - a",
            "<134>1 2026-11-23T01:02:03Z host nginx 71 - [a b",
            "<134>1 2026-11-23T01:02:03Z host nginx 71 - [a b=\"c] d",
            "<134>1 2026-11-23T01:02:03Z host nginx 71 - [a]b",
            "Now 23 01:02:03 host nginx: a",
            "Nov 23 01:02 host nginx: a",
            "Nov 23 01:02:03 host nginx a b: c",
            "2026-11-23T01:02:03Z {\"a\": 1}",
            "Nov 23 01:02:03 host {\"a\": 1}",
            "Nov 23 01:02:03",
            "2026-11-23T01:02:03Z",
            "http://h/a: b",
        ] {
            assert_eq!(text(line), None, "{line:?}");
        }
    }
}
