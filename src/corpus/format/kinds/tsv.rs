//! Tab-separated values: see [`table`](super::table).

use std::sync::Arc;

use super::table::Table;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "tab-separated values; as csv",
    sentinels: "\\N",
    fields: FieldChoice::Other("the columns of its header, by name or by number", |options| {
        Some(Arc::new(Table::new(b'\t', options)?))
    }),
    #[cfg(test)]
    example: ["url\tn\n", "", "\t1\n"],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn tsv() {
        let table = include_str!("../../../../corpora/logs/table.tsv");
        let found = case(Format::Tsv).detected(table).run(table);
        assert_eq!(texts(&found), ["http://example.com/a,b", r#"http://example.com/\"c"#]);
        assert_eq!((found.sentinels, reasons(&found)), (1, vec![(5, Malformed::TooManyColumns)]));
        assert_eq!(found.errors, [(3, 23)]);
    }
}
