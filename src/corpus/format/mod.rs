//! Log formats: where in a line the URI sits, how it is escaped, and what sits there that is none.
//!
//! A [`Format`] with one of its fields chosen is a [`Layout`]; a [`Scanner`](super::Scanner) that is given one marks its chunks with
//! it, and [`Fields`] holds what was found in a chunk. A line of a format is one of four things: one that holds a record; one that
//! has a sentinel in the record's place (what the writer puts there for want of a URI); one that never holds a record
//! (a header, a comment); or [`Malformed`], for one of a closed list of reasons. Only records are judged.
//!
//! | format | a line | fields (the first one unless told otherwise) | escapes | sentinels | skipped |
//! |---|---|---|---|---|---|
//! | `lines` | is the record | | | | |
//! | `heritrix` | a crawl log: columns between runs of spaces | `uri` (column 4), `via` (6), `source` (11), numbers | | `-` | |
//! | `cdx` | an index: columns as the header names them, without one `N b a m s k r M S V g` or `N b a m s k r V g` | `url` (letter `a`), `redirect` (`r`), numbers | | `-` | ` CDX …` |
//! | `cdxj` | an index: a sort key, a time stamp, a JSON object | key `url`, any other | JSON | `null` | `!…` |
//! | `common` | an access log: `host ident user [time] "request" status bytes` | `target` of the request | `\"`, `\\`, `\xhh`, C's | `-` | |
//! | `combined` | the same, and `"referer" "agent"` | `target`, `referer` | the same | `-` | |
//! | `squid` | Squid's own log: columns between runs of spaces | `uri` (column 7), numbers | | `-`, `error:…`, the target of a CONNECT | |
//! | `w3c` | columns between spaces or tabs, as `#Fields` names them | `cs-uri-stem` and `cs-uri-query`, else `cs-uri`; any name, numbers | doubled quotes | `-` | `#…` |
//! | `jsonl` | a JSON object | key `url`, else `uri`; any other | JSON | `null` | |
//! | `csv` | cells between commas | `url` or `uri` by the header, else the first; any name, numbers | doubled quotes | | a header |
//! | `tsv` | cells between tabs | as csv | doubled quotes | `\N` | a header |
//! | `warc` | of a header is a record if it is a `WARC-Target-URI` | | `<…>` around it | | all others |
//!
//! The grammar unless told otherwise is `request-target` for the target of access logs and of `w3c`, else `uri`. Escapes are
//! undone before a record is judged, and columns are those of the line before that.
//!
//! | module | does |
//! |---|---|
//! | `columns`, `access`, `w3c`, `json`, `delimited`, `warc` | the field in a line, one family of formats each |
//! | `field` | what is found in a line |
//! | `unescape` | escapes, there and back |
//! | `tally` | counts of separators |
//! | `fields` | the fields of a chunk, and the way back to their lines |
//! | `layout` | which finder a format takes, and what a chunk has to know of those before it |
//! | `detect` | which format an input is in |
//!
//! What a line means can depend on lines far before it: on a header, which may even change, or on how long a WARC record is.
//! Chunks are scanned in any order, so the calling thread, which cuts them in order, follows such lines (only these) and hands
//! each chunk the `layout::State` that it starts in.

mod access;
mod columns;
mod delimited;
mod detect;
mod field;
mod fields;
mod json;
mod layout;
mod tally;
mod unescape;
mod w3c;
mod warc;

#[cfg(test)]
mod tests;

pub use field::Malformed;
pub use fields::{Fields, MalformedLine};
pub(super) use layout::Reading;
pub use layout::{Layout, NoSuchField, Pick};

use crate::error::named_enum;

named_enum! {
    /// What the lines of an input are. The [module](self) has a table of them.
    #[non_exhaustive]
    Format {
        /// One record a line.
        Lines = "lines",
        /// `crawl.log` of Heritrix.
        Heritrix = "heritrix",
        /// CDX index of captures.
        Cdx = "cdx",
        /// CDX index with JSON objects.
        Cdxj = "cdxj",
        /// Access log in the common log format.
        Common = "common",
        /// Access log in the combined log format.
        Combined = "combined",
        /// Squid's own access log.
        Squid = "squid",
        /// W3C extended log file, as of IIS.
        W3c = "w3c",
        /// JSON Lines.
        Jsonl = "jsonl",
        /// Comma-separated values.
        Csv = "csv",
        /// Tab-separated values.
        Tsv = "tsv",
        /// WARC file, not compressed.
        Warc = "warc",
    }
}
