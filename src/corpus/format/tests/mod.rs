//! Every format with its traps, whatever the chunks are.
//!
//! | module | tests |
//! |---|---|
//! | `case` | nothing: it scans an input by every size of chunk |
//! | `samples` | nothing: it has an input of every format |
//! | `detection`, `floors`, `selection`, `limits`, `shares`, `damaged` | what all formats have in common |
//! | the others | a kind of format each |

use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::sample::Index;

pub(super) use self::case::{Case, Extracted, case, field, key, reasons, texts};
use self::samples::{SAMPLES, Sample, has_a_record_a_line};
use super::*;
use crate::column::Columns;
use crate::corpus::{ChunkScanner, Scanner};
use crate::grammar::Grammar;
use crate::validator::Validator;

mod archives;
mod case;
mod damaged;
mod detection;
#[cfg(feature = "markdown")]
mod dialects;
mod documents;
mod edges;
mod floors;
mod html_oracle;
mod keys;
mod limits;
mod line_fields;
mod mail;
#[cfg(feature = "markdown")]
mod markdown;
mod nt;
mod pages;
mod preambles;
mod samples;
mod selection;
mod shares;
mod tables;
mod texts;
mod texts_end;
mod warc;
mod wrapped;
#[cfg(feature = "xml")]
mod xml;

const HERITRIX: &str = include_str!("../../../../corpora/logs/heritrix.log");

const SQUID: &str = include_str!("../../../../corpora/logs/squid.log");

/// The number of random cases: a quarter of these, unless `URIVALIDATE_LONG_TESTS` is set, as the lane
/// `long-tests` sets it.
pub(super) fn cases(all: u32) -> u32 {
    if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { all } else { all / 4 }
}

/// A record of a WARC file.
fn warc_record(header: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!("WARC/1.0\r\n{header}Content-Length: {}\r\n\r\n", block.len()).into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// A record of an ARC file, of version 1 unless `more` has the fields of version 2.
fn arc_record(url: &str, more: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!("{url} 192.0.2.1 20260102030405 text/html {more}{length}\n");
    [header.as_bytes(), block, b"\n"].concat()
}

/// A line of so many bytes.
fn padded(start: &str, len: usize, end: &str) -> String {
    format!("{start}{}{end}", "x".repeat(len - start.len() - end.len()))
}
