//! The links in the head of a response: the targets of `Location` (RFC 9110 section 10.2.2) and of `Link`
//! (RFC 8288 section 3).

use std::ops::Range;

use super::header::{field, field_end};
use crate::corpus::format::lines::chunk_lines::without_cr;
use crate::work::{looked_at, memchr};

/// Passes the range of each link in a head, and the name of its field, to `take`.
pub(super) fn each(head: &[u8], mut take: impl FnMut(Range<usize>, &'static str)) {
    let mut at = 0;
    while at < head.len() {
        let line_end = field_end(&head[at..]).map_or(head.len(), |line_end| at + line_end);
        let line = without_cr(&head[at..line_end]);
        looked_at(line.len());
        if let Some((name, value)) = field(line) {
            let value = at + value.start..at + value.end;
            if name.eq_ignore_ascii_case(b"location") && !value.is_empty() {
                take(value, "location");
            } else if name.eq_ignore_ascii_case(b"link") {
                let start = value.start;
                each_target(&head[value], |target| take(start + target.start..start + target.end, "link"));
            }
        }
        at = line_end + 1;
    }
}

/// Passes the range of each target in the value of a `Link` field: `<target>; parameters, <target>`. Ends at
/// the first text that is none.
fn each_target(value: &[u8], mut take: impl FnMut(Range<usize>)) {
    let mut at = 0;
    loop {
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        let Some(start) = value[at..].iter().position(|byte| !is_between(byte)).map(|start| at + start)
        else {
            return;
        };
        let Some(end) = memchr(b'>', &value[start..]).filter(|_| value[start] == b'<') else { return };
        take(start + 1..start + end);
        at = start + end + 1;
        // A comma in a quoted parameter separates nothing.
        let (mut is_quoted, mut is_escaped) = (false, false);
        let comma = value[at..].iter().position(|&byte| {
            let is_quote = byte == b'"' && !is_escaped;
            is_quoted ^= is_quote;
            is_escaped = is_quoted && byte == b'\\' && !is_escaped;
            byte == b',' && !is_quoted
        });
        looked_at(value.len() - at);
        let Some(comma) = comma else { return };
        at += comma + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(head: &str) -> Vec<(&str, &'static str)> {
        let mut links = Vec::new();
        each(head.as_bytes(), |range, name| links.push((&head[range], name)));
        links
    }

    #[test]
    fn locations_and_targets_of_links_are_found() {
        let head = "HTTP/1.1 301 Moved\r\nlocation:  /a b \r\nX-Location: /c\r\nContent-Location: /d\r\nLocation:\r\n\r\n";
        assert_eq!(links(head), [("/a b", "location")]);
        let head = "HTTP/1.1 200 OK\r\nLink: <http://h/a,b>; rel=\"a, <b>\"; title=\"\\\"<c>\", </c|d>,<>;x\r\nLINK: <e>\r\n\r\n";
        assert_eq!(links(head), [("http://h/a,b", "link"), ("/c|d", "link"), ("", "link"), ("e", "link")]);
        // Folded fields, a head that is cut off, and values that are no links.
        assert_eq!(links("HTTP/1.1 200\nLink: <a>,\n\t<b>\nLink: <c"), [("a", "link"), ("b", "link")]);
        assert_eq!(links("HTTP/1.1 200\nLink: a, <b>\nLink:\nlink"), []);
        assert_eq!(links(""), []);
    }
}
