//! Access logs of AWS load balancers. Application Load Balancers write a type first; lines of classic ones
//! start with the time.
//!
//! The request is the first quoted text: a method, an absolute URI with its port, and a version. The method
//! is `-` for a request that the load balancer did not understand, and for a request that is not HTTP.

use std::sync::Arc;

use super::access::{LogWords, quoted, set_request, target};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::NamedFields;
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::words::{Tokens, is_date};
use crate::work::memchr;

pub(crate) const ENTRY: Entry = Entry {
    about: "access log of an AWS load balancer (ALB or classic ELB)",
    sentinels: "a request whose method is -",
    fields: FieldChoice::Named(&["uri"], |_| Arc::new(Elb)),
    #[cfg(test)]
    example: [
        "",
        "http 2026-07-02T22:23:00.186641Z app 192.0.2.1:2 - 0 0 0 200 200 34 366 \"GET ",
        " HTTP/1.1\" \"c\" - -\n",
    ],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Elb;

/// The fields, by the names in the manual of AWS. Lines of classic load balancers have no type. `rest` is the
/// text after the last field.
static FIELDS: NamedFields = NamedFields {
    names: &[
        "type",
        "time",
        "elb",
        "client:port",
        "target:port",
        "request_processing_time",
        "target_processing_time",
        "response_processing_time",
        "elb_status_code",
        "target_status_code",
        "received_bytes",
        "sent_bytes",
        "request",
        "user_agent",
        "ssl_cipher",
        "ssl_protocol",
        "target_group_arn",
        "trace_id",
        "domain_name",
        "chosen_cert_arn",
        "matched_rule_priority",
        "request_creation_time",
        "actions_executed",
        "redirect_url",
        "error_reason",
        "target:port_list",
        "target_status_code_list",
        "classification",
        "classification_reason",
        "conn_trace_id",
        "rest",
    ],
    parts: &["method", "uri", "version"],
    cut: |line, taken| {
        const REQUEST: usize = 12;
        const REST: usize = 30;
        const PARTS: [usize; 3] = [31, 32, 33];

        let Some(open) = memchr(b'"', line).filter(|&open| starts_as_elb(&line[..open])) else { return };
        let is_classic =
            Tokens { line: &line[..open], at: 0 }.next().is_some_and(|word| is_date(&line[word]));
        let mut words = LogWords { line, at: 0 };
        for position in usize::from(is_classic)..REST {
            let Some((word, escapes)) = words.next() else { return };
            if position == REQUEST {
                // The target of a request that was not understood is no URI.
                if line[word.clone()].starts_with(b"- ") {
                    taken.set(REQUEST, word, escapes);
                } else {
                    set_request(line, word, escapes, taken, REQUEST, PARTS);
                }
            } else if line[word.clone()] != *b"-" {
                taken.set(position, word, escapes);
            }
        }
        taken.set_rest(REST, line, words.at);
    },
};

impl Elb {
    fn field(line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let open = memchr(b'"', line);
        if !starts_as_elb(&line[..open.unwrap_or(line.len())]) {
            return Err(if open.is_none() && is_date_first(line) {
                Malformed::Truncated
            } else {
                Malformed::NoStart
            });
        }
        let open = open.ok_or(Malformed::Truncated)?;
        let (request, escapes) = quoted(line, open + 1)?;
        if line[request.clone()].starts_with(b"- ") {
            return Ok(Line::Sentinel);
        }
        Ok(Line::escaped(target(line, request)?, escapes))
    }
}

/// Returns true if one of the first two words is a time.
fn is_date_first(line: &[u8]) -> bool {
    Tokens { line, at: 0 }.take(2).any(|word| is_date(&line[word]))
}

/// Returns true if the text before the request is that of a load balancer: a type (for an Application Load
/// Balancer), a time, the balancer, client and target, three durations, two statuses and two sizes. Other
/// programs also put a time at the start of lines, but other text after it.
fn starts_as_elb(before: &[u8]) -> bool {
    let words = || Tokens { line: before, at: 0 }.map(|word| &before[word]);
    let Some(time) = words().take(2).position(is_date) else { return false };
    let is_number = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_digit() || b"-.".contains(byte));
    let mut numbers = words().skip(time + 4);
    (0..7).all(|_| numbers.next().is_some_and(is_number)) && numbers.next().is_none()
}

impl LineFormat for Elb {
    fn find(&mut self, line: &[u8]) -> Line {
        Elb::field(line).into()
    }

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(&FIELDS)
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        Elb::field(line).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn load_balancers_of_aws() {
        let log = include_str!("../../../../corpora/logs/elb.log");
        let found = case(Format::Elb).detected(log).run(log);
        assert_eq!(
            texts(&found),
            [
                "http://www.example.com:80/",
                "https://www.example.com:443/a?b={c}",
                "http://www.example.com:80/classic"
            ]
        );
        assert_eq!((found.sentinels, found.errors.len()), (2, 1));
        assert_eq!(reasons(&found), [(6, Malformed::Truncated), (7, Malformed::NoStart)]);
    }
}
