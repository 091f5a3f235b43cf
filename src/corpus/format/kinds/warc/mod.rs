//! WARC files (ISO 28500) and ARC files, uncompressed: the target URIs of their records.
//!
//! A record is a header of lines, an empty line, and a block whose length the header states; two line ends
//! follow. A block can hold anything, also lines that look like headers, so the format does not search
//! blocks. A URI may be in `<` and `>`, which the grammar of WARC 1.0 requires and that of 1.1 does not.
//!
//! The header of a record in an ARC file is one line, which begins with the URL; see `arc`.
//!
//! After text that is not a record, reading goes on at the next line that starts with a version, or in an ARC
//! file at the next header.
//!
//! | module | does |
//! |---|---|
//! | `header`, `arc` | the headers of records |
//! | `records` | the walk from record to record |
//! | `state`, `cutter` | the state between chunks, and where they end |
//! | `targets` | the target URIs |
//! | `archive` | what all formats of pages in archives have in common |
//! | `http`, `body` | responses in blocks, and the texts of their bodies |
//! | `codings`, `transcoder` | undo content codings, and charsets without ASCII |
//! | `links` | the captures that are pages, for the field `links` |
//! | `pages` | the links of a page |

mod arc;
pub(crate) mod archive;
mod body;
mod codings;
pub(crate) mod cutter;
mod head_links;
pub(crate) mod header;
mod http;
mod links;
mod pages;
pub(crate) mod records;
pub(crate) mod state;
pub(crate) mod targets;
mod transcoder;

use std::sync::Arc;

use self::archive::PagesOf;
use self::links::Links;
use self::targets::Targets;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::options::FieldSelector;

pub(crate) const ENTRY: Entry = Entry {
    about: "WARC or ARC file: the target URIs of its records, or the links of its pages",
    sentinels: "",
    fields: FieldChoice::Other("the target URIs, and links", |options| match &options.field {
        FieldSelector::Uri => Some(Arc::new(Targets)),
        FieldSelector::Field(field) if field == "links" => Some(Arc::new(PagesOf(Links))),
        _ => None,
    }),
    #[cfg(test)]
    example: ["", "WARC/1.0\r\nWARC-Target-URI: ", "\r\nContent-Length: 0\r\n\r\n\r\n\r\n"],
};
