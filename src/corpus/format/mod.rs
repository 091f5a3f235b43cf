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
//! | `har` | an HTTP Archive, a JSON document of any number of lines | key `log.entries.request.url`, any other path | JSON | `null` | |
//! | `json` | JSON documents of any kind, of any number of lines: see the module `documents` | keys `url` and `uri` at any depth, any other path | JSON | `null` | |
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
//! | `text` | holds any number of URIs: see the module `text` | | those of its delimiter | | |
//! | `warc` | is a record if it is a `WARC-Target-URI` in a header; others are none of the four | | `<…>` around it | | |
//!
//! The grammar unless told otherwise is `request-target` for the target of access logs and of `w3c`, else `uri`. Escapes are
//! undone before a record is judged, and columns are those of the line before that.
//!
//! | module | does |
//! |---|---|
//! | `lines` | what the kinds have in common: lines, fields, escapes, options |
//! | `kinds` | one file a format |
//! | `formats`, `layout` | the table of formats; a format with one of its fields selected |
//! | `guess` | which format an input is in, or what it looks like |
//!
//! What a line means can depend on lines far before it: on a header, which may even change, or on how long a WARC record is.
//! Chunks are scanned in any order, so the calling thread, which cuts them in order, follows such lines (only these) and marks each
//! chunk with the layout that holds what is known there.
//!
//! To find the field takes a line at a time some tens of nanoseconds, and more the more cells or keys stand before it: with verdicts,
//! by one thread with AVX-512, logs of real crawls and servers take 1.1 (`combined`) to 1.9 times (`cdxj`) as long as their
//! lines would as records. `jsonl` takes 3.1 times as long, or 3.5 GB/s: of an object of twenty keys each name is read, and each string to its end.
//! Short lines, as in `corpora/logs`, take up to four times as long.
//!
//! A new format is a file in `kinds` with an `ENTRY`, a line in the table of formats, a sample in `corpora/logs`, and a test.

mod formats;
mod guess;
mod kinds;
mod layout;
mod lines;

#[cfg(test)]
mod tests;

pub use formats::Format;
pub(crate) use guess::detect::{detect, head_of};
pub use guess::looks_like::LooksLike;
pub use layout::{Evidence, Layout, NoSuchField};
pub(crate) use lines::chunk_lines::{ChunkLines, LongLine, without_cr};
pub use lines::fields::MalformedLine;
pub(crate) use lines::fields::{Fields, LineRole};
pub use lines::line::{ColumnCount, Malformed};
pub use lines::options::{FieldSelector, HeaderRow, LayoutOptions};
#[cfg(feature = "regex")]
pub use lines::pattern::{Pattern, PatternError};
