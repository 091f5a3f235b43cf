//! Cells between delimiters of any one byte: see [`table`](super::table).

use std::sync::Arc;

use super::table::Table;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "cells between delimiters of one byte, quoted or not; field a number, or a name in its header",
    sentinels: "",
    fields: FieldChoice::Other(
        "the columns that a delimiter makes (one byte, not a quote or a line end), by name or by number",
        |options| {
            let delimiter = options.delimiter.filter(|delimiter| !b"\"\r\n".contains(delimiter))?;
            Some(Arc::new(Table::new(delimiter, options)?))
        },
    ),
    #[cfg(test)]
    example: ["url;n\n", "", ";1\n"],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{Case, reasons, texts};
    use crate::corpus::format::{FieldSelector, Format, Layout, LayoutOptions, Malformed};

    #[test]
    fn cells_between_any_bytes() {
        let table = include_str!("../../../../corpora/logs/list.psv");
        let with = |name: &str, delimiter| {
            let mut options = LayoutOptions::from(FieldSelector::Field(name.to_owned()));
            options.delimiter = delimiter;
            Layout::new(Format::Delimited, &options).map(Case::new)
        };
        let found = with("link", Some(b'|')).unwrap().run(table);
        assert_eq!(texts(&found), ["http://www.example.com/a", "http://www.example.com/b|{c}"]);
        assert_eq!((found.errors.len(), reasons(&found)), (1, vec![(4, Malformed::TooFewColumns)]));
        assert_eq!(texts(&with("2", Some(b'|')).unwrap().run(table)).len(), 4);
        assert_eq!(with("2", None).err().unwrap().to_string(), "the format delimited needs a delimiter");
        for refused in [Some(b'"'), Some(b'\n'), Some(b'\r')] {
            assert!(with("2", refused).is_err());
        }
    }
}
