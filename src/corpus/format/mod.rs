//! Log formats: where in a line the URI sits, how it is escaped, and what sits there that is none.
//!
//! A [`Format`] with one of its fields selected is a [`Layout`]; a [`Scanner`](super::Scanner) that is given one marks its chunks with
//! it, and [`Scanned`](super::Scanned) is what was found in a chunk. A line of a format is one of four things: one that holds a record; one that
//! has a sentinel in the record's place (what the writer puts there for want of a URI); a header, which says what other lines are; or
//! [`Malformed`], for one of a closed list of reasons. Only records are judged.
//!
//! | format | a line | fields (the first one unless told otherwise) | escapes | sentinels | headers |
//! |---|---|---|---|---|---|
//! | `lines` | is the record | | | | |
//! | `heritrix` | a crawl log: columns between runs of spaces | `uri` (column 4), `via` (6), `source` (11), numbers | | `-` | |
//! | `cdx` | an index: columns as the header names them, without one `N b a m s k r M S V g` or `N b a m s k r V g`, or as the first lines have their URIs | `url` (letter `a`), `redirect` (`r`), numbers | | `-` | ` CDX …` |
//! | `cdxj` | an index: a sort key, a time stamp, a JSON object | key `url`, any other, also a path | JSON | `null` | `!…` |
//! | `common` | an access log: `host ident user [time] "request" status bytes` | `target` of the request | `\"`, `\\`, `\xhh`, C's | `-` | |
//! | `combined` | the same, and `"referer" "agent"` | `target`, `referer` | the same | `-` | |
//! | `squid` | Squid's own log: columns between runs of spaces | `uri` (column 7), numbers | | `-`, `error:…`, the target of a CONNECT | |
//! | `w3c` | columns between spaces or tabs, as `#Fields` names them | `cs-uri-stem` and `cs-uri-query`, else `cs-uri`; any name, numbers | doubled quotes | `-` | `#…` |
//! | `jsonl` | a JSON object | key `url`, else `uri`; any other, also a path | JSON | `null` | |
//! | `csv` | cells between commas | `url` or `uri` by the header, else the first; any name, numbers | doubled quotes | | a header |
//! | `tsv` | cells between tabs | as csv | doubled quotes | `\N` | a header |
//! | `envoy` | `[time] "request" status …` | `target` | as `common` | `- - -` | |
//! | `elb` | `type time … "request" "agent" …`, of an AWS load balancer | `uri` | as `common` | a request whose method is `-` | |
//! | `s3` | `owner bucket [time] … "request" …` | `target`, `referer` | | `-` | |
//! | `haproxy` | `… [time] … "request"` | `target` | `#hh` | `<BADREQ>` | |
//! | `caddy` | a JSON object | key `request.uri`, any other | JSON | `null` | |
//! | `delimited` | cells between bytes of any kind | as csv | doubled quotes | | a header |
//! | `pairs` | `key=value` between `;`, and `url=` last | `url`, any other key | | | |
//! | `regex` | what a pattern matches | its group `uri`, else the first, else all | | | |
//! | `text` | holds any number of URIs: see the module `text` | | `&amp;` | | |
//! | `warc` | is a record if it is a `WARC-Target-URI` in a header; others are none of the four | | `<…>` around it | | |
//!
//! The grammar unless told otherwise is `request-target` for the target of access logs and of `w3c`, else `uri`. Escapes are
//! undone before a record is judged, and columns are those of the line before that.
//!
//! | module | does |
//! |---|---|
//! | one of the name of a format (`plain` for lists), with `access`, `json` and `table` for several | what a line of the format is |
//! | `log_format` | what a format is to the others |
//! | `line` | what a line is |
//! | `words`, `tally`, `unescape` | texts between spaces; counts of separators; escapes, there and back |
//! | `chunk_lines` | what is looked at |
//! | `fields` | the records of a chunk, and the way back to their lines |
//! | `options`, `layout` | a format with its field |
//! | `detect` | which format an input is in |
//!
//! What a line means can depend on lines far before it: on a header, which may even change, or on how long a WARC record is.
//! Chunks are scanned in any order, so the calling thread, which cuts them in order, follows such lines (only these) and marks each
//! chunk with the layout that holds what is known there.
//!
//! A new format is a file with an `ENTRY`, a line in the table of formats, a sample in `corpora/logs`, and a test.

mod access;
mod caddy;
mod cdx;
mod cdxj;
mod chunk_lines;
mod combined;
mod common;
mod csv;
mod delimited;
mod detect;
mod elb;
mod envoy;
mod fields;
mod haproxy;
mod heritrix;
mod json;
mod jsonl;
mod layout;
mod line;
mod log_format;
mod matches;
mod options;
mod pairs;
#[cfg(feature = "regex")]
mod pattern;
mod plain;
mod s3;
mod squid;
mod table;
mod tally;
mod text;
mod tsv;
mod unescape;
mod w3c;
mod warc;
mod words;

#[cfg(test)]
mod tests;

pub(super) use chunk_lines::{ChunkLines, LongLine};
pub(super) use detect::head_of;
pub use fields::MalformedLine;
pub(super) use fields::{Fields, Share};
pub use layout::{Layout, NoSuchField};
pub use line::Malformed;
pub use options::{FieldSelector, HeaderRow, LayoutOptions};
#[cfg(feature = "regex")]
pub use pattern::{Pattern, PatternError};

use crate::error::named_enum;
use log_format::Entry;

/// The formats: for each its name, and the module that has the rest.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $name:literal in $module:ident,)*) => {
        named_enum! {
            /// What the lines of an input are. The [module](self) has a table of them.
            #[non_exhaustive]
            Format { $($(#[$doc])* $format = $name,)* }
        }

        impl Format {
            fn entry(self) -> &'static Entry {
                match self { $(Format::$format => &$module::ENTRY,)* }
            }
        }
    };
}

formats! {
    /// One record a line.
    Lines = "lines" in plain,
    /// `crawl.log` of Heritrix.
    Heritrix = "heritrix" in heritrix,
    /// CDX index of captures.
    Cdx = "cdx" in cdx,
    /// CDX index with JSON objects.
    Cdxj = "cdxj" in cdxj,
    /// Access log of Envoy.
    Envoy = "envoy" in envoy,
    /// Access log of an AWS load balancer.
    Elb = "elb" in elb,
    /// Server access log of Amazon S3.
    S3 = "s3" in s3,
    /// HTTP log of HAProxy.
    Haproxy = "haproxy" in haproxy,
    /// Access log in the common log format.
    Common = "common" in common,
    /// Access log in the combined log format.
    Combined = "combined" in combined,
    /// Squid's own access log.
    Squid = "squid" in squid,
    /// W3C extended log file, as of IIS.
    W3c = "w3c" in w3c,
    /// Access log of Caddy.
    Caddy = "caddy" in caddy,
    /// JSON Lines.
    Jsonl = "jsonl" in jsonl,
    /// Comma-separated values.
    Csv = "csv" in csv,
    /// Tab-separated values.
    Tsv = "tsv" in tsv,
    /// Cells between bytes of one kind.
    Delimited = "delimited" in delimited,
    /// `key=value` between `;`, and `url=` last.
    Pairs = "pairs" in pairs,
    /// WARC file, not compressed.
    Warc = "warc" in warc,
    /// What a regular expression matches.
    Regex = "regex" in matches,
    /// Text with URIs in it.
    Text = "text" in text,
}

impl Format {
    /// What the format is, and what can be selected, in one line.
    pub fn about(self) -> &'static str {
        self.entry().about
    }

    /// What can be selected, in words that follow "the format has".
    pub fn fields(self) -> &'static str {
        self.entry().fields
    }

    /// What stands where a URI should be, for want of one; empty if there is nothing of that kind.
    pub fn sentinels(self) -> &'static str {
        self.entry().sentinels
    }

    /// The layout that says how many lines are in this format, if it can be found out.
    fn detector(self) -> Option<Layout> {
        Layout::with(self, &LayoutOptions::default()).ok()
    }
}
