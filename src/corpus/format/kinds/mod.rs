//! The kinds of formats: one file for each, with its `ENTRY` and its tests, and the table of all formats.
//!
//! `list` is the kind of lists of records, `matches` the kind of regular expressions. Several kinds use
//! `access`, `table` with `cells` and `table_head`, and `json` with `json_cursor`, `json_forms`, `json_keys`
//! and `json_usual`. `parsed` cuts the kinds whose parser finds the borders. `light_markup` reads the kinds
//! whose documents are lines in blocks.

pub(crate) mod access;
pub(crate) mod asciidoc;
pub(crate) mod caddy;
pub(crate) mod cdx;
pub(crate) mod cdxj;
pub(crate) mod cells;
pub(crate) mod combined;
pub(crate) mod common;
pub(crate) mod csv;
pub(crate) mod delimited;
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
mod json_usual;
pub(crate) mod jsonl;
mod light_markup;
pub(crate) mod list;
pub(crate) mod mail;
pub(crate) mod markdown;
pub(crate) mod matches;
pub(crate) mod mdx;
pub(crate) mod nt;
pub(crate) mod pairs;
mod parsed;
pub(crate) mod quarto;
pub(crate) mod robots;
pub(crate) mod rst;
pub(crate) mod s3;
pub(crate) mod squid;
pub(crate) mod table;
pub(crate) mod table_head;
pub(crate) mod text;
pub(crate) mod tsv;
pub(crate) mod w3c;
pub(crate) mod warc;
pub(crate) mod wat;
pub(crate) mod xml;
pub(crate) mod zeek;

use crate::corpus::format::lines::entry::Entry;
use crate::names::named_enum;

/// The table of formats: the name of each, and the module that has the rest.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $name:literal $(or $alias:literal)* in $module:ident,)*) => {
        named_enum! {
            /// The formats of an input's lines.
            #[non_exhaustive]
            Format { $($(#[$doc])* $format = $name $(or $alias)*,)* }
        }

        impl Format {
            pub(super) fn entry(self) -> &'static Entry {
                match self { $(Format::$format => &$module::ENTRY,)* }
            }
        }
    };
}

formats! {
    /// One record per line.
    Lines = "lines" in list,
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
    Combined = "combined" or "nginx" or "apache" in combined,
    /// Squid's own access log.
    Squid = "squid" in squid,
    /// W3C extended log file, for example of IIS.
    W3c = "w3c" or "iis" in w3c,
    /// Log of Zeek.
    Zeek = "zeek" in zeek,
    /// Access log of Caddy.
    Caddy = "caddy" in caddy,
    /// JSON Lines.
    Jsonl = "jsonl" in jsonl,
    /// HTTP Archive, a JSON document.
    Har = "har" in har,
    /// JSON documents of any kind.
    Json = "json" in documents,
    /// Comma-separated values.
    Csv = "csv" in csv,
    /// Tab-separated values.
    Tsv = "tsv" in tsv,
    /// Cells between delimiters of one byte.
    Delimited = "delimited" in delimited,
    /// `key=value` between `;`, and `url=` last.
    Pairs = "pairs" in pairs,
    /// WAT file: the links in the metadata of HTML pages.
    Wat = "wat" in wat,
    /// WARC or ARC file: the target URIs of its records, or the links in its pages.
    Warc = "warc" in warc,
    /// robots.txt.
    Robots = "robots" in robots,
    /// The matches of a regular expression.
    Regex = "regex" in matches,
    /// HTML pages.
    Html = "html" in html,
    /// Sitemaps, feeds and other XML documents.
    Xml = "xml" in xml,
    /// Markdown documents.
    Markdown = "markdown" in markdown,
    /// MDX: Markdown with elements of JSX.
    Mdx = "mdx" in mdx,
    /// The Markdown of Quarto and R Markdown.
    Quarto = "quarto" or "qmd" or "rmd" in quarto,
    /// Messages and mailboxes.
    Mail = "mail" in mail,
    /// N-Triples and N-Quads.
    Nt = "nt" or "nq" in nt,
    /// AsciiDoc documents.
    Asciidoc = "asciidoc" in asciidoc,
    /// Documents in reStructuredText.
    Rst = "rst" in rst,
    /// Text with URIs in it.
    Text = "text" in text,
}

impl Format {
    /// Returns one line about the format and the fields to select.
    pub fn about(self) -> String {
        let entry = self.entry();
        format!("{}{}", entry.about, entry.fields.hint())
    }

    /// Returns true if the lines have cells, and the first one can be a header.
    pub fn is_table(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv | Format::Delimited)
    }

    /// Returns true if each line, or each object of documents, has or lacks the key of the URI.
    pub fn has_key_in_lines(self) -> bool {
        matches!(
            self,
            Format::Caddy | Format::Cdxj | Format::Jsonl | Format::Har | Format::Json | Format::Pairs
        )
    }

    /// Returns true if this input surely has no records: an XML document of an unknown vocabulary without any
    /// of the attributes that are read in such documents. A scan of a folder may leave it out. Other formats
    /// are not examined.
    ///
    /// # Errors
    ///
    /// Returns the errors of `input`.
    pub fn has_no_records(self, input: &mut dyn std::io::Read) -> std::io::Result<bool> {
        #[cfg(feature = "xml")]
        if self == Format::Xml {
            return xml::is_unknown_without_url(input);
        }
        let _ = input;
        Ok(false)
    }

    /// Returns the fields to select, in words that follow "the format has".
    pub fn fields(self) -> String {
        self.entry().fields.words()
    }

    /// Returns a line of the format without its field: the text before all lines, the text before the field,
    /// and the text after it.
    #[cfg(test)]
    pub(crate) fn example(self) -> [&'static str; 3] {
        self.entry().example
    }

    /// Returns the text that the writer puts in the place of a URI if it has none. Empty if the format has no
    /// such text.
    pub fn sentinels(self) -> &'static str {
        self.entry().sentinels
    }
}
