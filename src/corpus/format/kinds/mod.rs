//! The kinds of formats: one file for each, with its `ENTRY`.
//!
//! `plain` is the kind of lists, `matches` that of regular expressions. `access`, `json` with `json_cursor`, `json_forms` and `json_keys`, and `table` serve several kinds,
//! and `document_state` and `document_borders` those that a parser cuts.

pub(crate) mod access;
pub(crate) mod caddy;
pub(crate) mod cdx;
pub(crate) mod cdxj;
pub(crate) mod combined;
pub(crate) mod common;
pub(crate) mod csv;
pub(crate) mod delimited;
mod document_borders;
pub(crate) mod document_state;
pub(crate) mod documents;
pub(crate) mod elb;
pub(crate) mod envoy;
pub(crate) mod haproxy;
pub(crate) mod har;
pub(crate) mod heritrix;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod json_cursor;
mod json_forms;
pub(crate) mod json_keys;
pub(crate) mod jsonl;
pub(crate) mod markdown;
pub(crate) mod matches;
pub(crate) mod pairs;
pub(crate) mod plain;
pub(crate) mod robots;
pub(crate) mod s3;
pub(crate) mod squid;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod tsv;
pub(crate) mod w3c;
pub(crate) mod warc;
pub(crate) mod wat;
pub(crate) mod xml;
