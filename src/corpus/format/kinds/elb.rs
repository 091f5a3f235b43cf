//! Access logs of AWS load balancers: Application Load Balancers write a type first, classic ones start with the time.
//!
//! The request is the first quoted text: a method, an absolute URI with its port, and a version. For a request that could not be
//! understood, and for what is not HTTP, the method is `-`.

use std::sync::Arc;

use super::access::{quoted, target};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::{Entry, LineFormat};
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::words::{is_date, nth};
use crate::work::memchr;

pub(crate) const ENTRY: Entry = Entry {
    about: "access log of an AWS load balancer (ALB or classic ELB)",
    fields: "the field uri",
    sentinels: "a request whose method is -",
    select: |options| match &options.field {
        FieldSelector::Uri => Some(Arc::new(Elb)),
        FieldSelector::Field(field) if field == "uri" => Some(Arc::new(Elb)),
        _ => None,
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Elb;

impl Elb {
    fn field(line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        if !is_date(nth(line, 1)) && !is_date(nth(line, 2)) {
            return Err(Malformed::NoStart);
        }
        let open = memchr(b'"', line).ok_or(Malformed::Truncated)?;
        let (request, escapes) = quoted(line, open + 1)?;
        if line[request.clone()].starts_with(b"- ") {
            return Ok(Line::Sentinel);
        }
        Ok(Line::escaped(target(line, request)?, escapes))
    }
}

impl LineFormat for Elb {
    fn find(&mut self, line: &[u8]) -> Line {
        Elb::field(line).into()
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        Elb::field(line).is_ok()
    }
}
