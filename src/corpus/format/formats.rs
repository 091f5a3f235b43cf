//! The table of formats.

use super::lines::log_format::Entry;
use crate::error::named_enum;

/// The formats: for each its name, and the module that has the rest.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $name:literal $(or $alias:literal)* in $module:ident,)*) => {
        named_enum! {
            /// The formats of an input's lines.
            #[non_exhaustive]
            Format { $($(#[$doc])* $format = $name $(or $alias)*,)* }
        }

        impl Format {
            pub(super) fn entry(self) -> &'static Entry {
                match self { $(Format::$format => &super::kinds::$module::ENTRY,)* }
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
    Combined = "combined" or "nginx" or "apache" in combined,
    /// Squid's own access log.
    Squid = "squid" in squid,
    /// W3C extended log file, as of IIS.
    W3c = "w3c" or "iis" in w3c,
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
    /// Cells between bytes of one kind.
    Delimited = "delimited" in delimited,
    /// `key=value` between `;`, and `url=` last.
    Pairs = "pairs" in pairs,
    /// WAT file: the metadata of a WARC file's records, not compressed.
    Wat = "wat" in wat,
    /// WARC file, not compressed.
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
    /// Text with URIs in it.
    Text = "text" in text,
}

impl Format {
    /// A line on the format, and on the fields to select.
    pub fn about(self) -> &'static str {
        self.entry().about
    }

    /// The fields to select, in words that follow "the format has".
    pub fn fields(self) -> &'static str {
        self.entry().fields
    }

    /// A line of the format without its field: the text before all lines, before the field, and after it.
    #[cfg(test)]
    pub(crate) fn example(self) -> [&'static str; 3] {
        self.entry().example
    }

    /// The text in the place of a URI if the writer has none; empty if there is nothing of that kind.
    pub fn sentinels(self) -> &'static str {
        self.entry().sentinels
    }
}
