//! Comma-separated values: see [`table`](super::table).

use std::sync::Arc;

use super::table::Table;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "comma-separated values; field a name in its header (url, uri), or a number (1)",
    sentinels: "",
    fields: FieldChoice::Other("the columns of its header, by name or by number", |options| {
        Some(Arc::new(Table::new(b',', options)?))
    }),
    #[cfg(test)]
    example: ["url,n\n", "", ",1\n"],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn csv() {
        let table = include_str!("../../../../corpora/logs/table.csv");
        let found = case(Format::Csv).detected(table).run(table);
        assert_eq!(
            texts(&found),
            [
                "http://example.com/a",
                "http://example.com/b,{c}",
                r#"http://example.com/\"d"#,
                "http://example.com/multi",
                r#"http://example.com/5\"disk"#
            ]
        );
        use Malformed::*;
        assert_eq!(
            reasons(&found),
            [(5, TooManyColumns), (8, TextAfterQuote), (10, TooFewColumns), (11, Empty)]
        );
        assert_eq!(found.records[1], (3, 13, "http://example.com/b,{c}".to_owned()));
        assert_eq!((found.sentinels, found.errors), (1, vec![(3, 34), (4, 32), (12, 32)]));
        assert_eq!(texts(&field(Format::Csv, "date").run(table)).len(), 6);
        assert_eq!(texts(&field(Format::Csv, "3").run(table))[1], r#"quoted \"text\", with comma"#);
        let lacking = field(Format::Csv, "link").extract_with(table.as_bytes(), 1 << 20, false);
        assert_eq!(
            lacking.unwrap_err().to_string(),
            "the header has no column link; it has Date, URL, a description"
        );
        assert!(field(Format::Csv, "4").extract_with(table.as_bytes(), 1 << 20, false).is_err());
    }

    #[test]
    fn a_blank_cell_is_a_sentinel() {
        let found =
            case(Format::Csv).run("id,url\n1,http://a/\n2,\n3,\"\"\n4,\" \t\"\n5, http://b/\n6,null\n7,-\n");
        assert_eq!((texts(&found), found.sentinels), (vec!["http://a/", " http://b/", "null", "-"], 3));
        // The only cell of a row is its record.
        let found = case(Format::Csv).run("url\nhttp://a/\n\"\"\n\n");
        assert_eq!((texts(&found), found.sentinels), (vec!["http://a/", ""], 0));
        assert_eq!(reasons(&found), [(4, Malformed::Empty)]);
    }

    #[test]
    fn csv_without_header() {
        let found = case(Format::Csv).run("http://example.com/,x\nurn:a,y,z\n");
        assert_eq!(texts(&found), ["http://example.com/", "urn:a"]);
        assert_eq!(found.records[0], (1, 1, "http://example.com/".to_owned()));
        let second = field(Format::Csv, "2").run("1,http://example.com/\n2,urn:a\n3\n");
        assert_eq!(texts(&second), ["http://example.com/", "urn:a"]);
        assert_eq!(reasons(&second), [(3, Malformed::Truncated)]);
    }
}
