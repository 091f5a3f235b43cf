//! Server access logs of Amazon S3: owner, bucket, `[time]`, address, requester, id, operation, key,
//! `"request"`, status, error, sizes, times, `"referer"`, `"agent"`, and more.

use std::ops::Range;
use std::sync::Arc;

use super::access::{TARGET_AND_REFERER, set_request, target};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::NamedFields;
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::{Tokens, nth};
use crate::grammar::Grammar;
use crate::work::{memchr, memmem};

pub(crate) const ENTRY: Entry = Entry {
    about: "server access log of Amazon S3",
    sentinels: "-",
    fields: FieldChoice::Named(&TARGET_AND_REFERER, |field| Arc::new(S3 { referer: field == 1 })),
    #[cfg(test)]
    example: [
        "",
        "o b [06/Feb/2026:00:00:38 +0000] 192.0.2.3 r 3E REST.GET.OBJECT k \"GET ",
        " HTTP/1.1\" 200 - 1 1 7 - \"-\" \"a\" -\n",
    ],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct S3 {
    /// Whether the record is the referer, and not the target.
    referer: bool,
}

/// The number of the operation among the words. The space in the time makes two words: owner, bucket, time,
/// zone, address, requester, id, operation, key.
const OPERATION: usize = 8;

/// The fields, in the order of Amazon's manual. `rest` is the text after the last one.
static FIELDS: NamedFields = NamedFields {
    names: &[
        "owner",
        "bucket",
        "time",
        "client",
        "requester",
        "request_id",
        "operation",
        "key",
        "request",
        "status",
        "error",
        "bytes",
        "object_size",
        "total_time",
        "turnaround_time",
        "referer",
        "agent",
        "version_id",
        "host_id",
        "signature",
        "cipher",
        "authentication",
        "host",
        "tls",
        "access_point",
        "acl_required",
        "rest",
    ],
    parts: &["method", "target", "version"],
    cut: |line, taken| {
        const REQUEST: usize = 8;
        const REST: usize = 26;
        const PARTS: [usize; 3] = [27, 28, 29];

        if !nth(line, 3).starts_with(b"[") {
            return;
        }
        let mut at = 0;
        for position in 0..REST {
            let start = at + line[at..].len() - line[at..].trim_ascii_start().len();
            let Some(&first) = line.get(start) else { return };
            let range = match first {
                b'[' => {
                    let Some(length) = memchr(b']', &line[start..]) else { return };
                    at = start + length + 1;
                    start + 1..start + length
                }
                b'"' => {
                    let Ok(range) = quoted(line, start + 1) else { return };
                    at = range.end + 1;
                    range
                }
                _ => {
                    at = start + memchr(b' ', &line[start..]).unwrap_or(line.len() - start);
                    start..at
                }
            };
            if position == REQUEST {
                set_request(line, range, Escapes::None, taken, REQUEST, PARTS);
            } else {
                taken.set_unless_dash(position, line, range);
            }
        }
        taken.set_rest(REST, line, at);
    },
};

impl S3 {
    fn field(self, line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let mut words = Tokens { line, at: 0 };
        let operation = words.nth(OPERATION - 1).ok_or(Malformed::Truncated)?;
        // REST.GET.OBJECT, WEBSITE.GET.OBJECT, S3.EXPIRE.OBJECT, ...
        if !nth(line, 3).starts_with(b"[") || memchr(b'.', &line[operation]).is_none() {
            return Err(Malformed::NoStart);
        }
        words.next().ok_or(Malformed::Truncated)?;
        let request_start = words.at + 1;
        let request = match line.get(request_start..).ok_or(Malformed::Truncated)? {
            [b'-', b' ', ..] if self.referer => request_start..request_start,
            [b'-', b' ', ..] => return Ok(Line::Sentinel),
            [b'"', ..] => quoted(line, request_start + 1)?,
            _ => return Err(Malformed::NoRequest),
        };
        if !self.referer {
            return Ok(Line::unescaped(target(line, request)?));
        }
        let rest = &line[request.end + 1..];
        let open = memchr(b'"', rest).ok_or(Malformed::Truncated)?;
        let referer = quoted(line, request.end + 1 + open + 1)?;
        Ok(Line::unless_dash(line, referer))
    }
}

/// Returns the text from `start` to a quote with a space after it, or to a quote at the line's end. Quotes in
/// the text are not escaped.
fn quoted(line: &[u8], start: usize) -> Result<Range<usize>, Malformed> {
    let rest = &line[start..];
    let end =
        memmem::find(rest, b"\" ").or_else(|| rest.len().checked_sub(1).filter(|_| rest.ends_with(b"\"")));
    end.map(|end| start..start + end).ok_or(Malformed::NoClosingQuote)
}

impl LineFormat for S3 {
    fn find(&mut self, line: &[u8]) -> Line {
        self.field(line).into()
    }

    fn grammar(&self) -> Grammar {
        if self.referer { Grammar::Uri } else { Grammar::RequestTarget }
    }

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(&FIELDS)
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        self.field(line).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn s3() {
        let log = include_str!("../../../../corpora/logs/s3.log");
        let found = case(Format::S3).detected(log).run(log);
        assert_eq!(
            texts(&found),
            ["/amzn-s3-demo-bucket?versioning", "/amzn-s3-demo-bucket/s3-dg.pdf?q=[x]"]
        );
        assert_eq!((found.sentinels, found.errors.len()), (1, 1));
        assert_eq!(reasons(&found), [(4, Malformed::NoClosingQuote), (5, Malformed::Truncated)]);
        let referers = field(Format::S3, "referer").run(log);
        assert_eq!((texts(&referers), referers.sentinels), (vec!["http://www.example.com/{start}"], 2));
    }
}
