//! The common log format: `host ident user [time] "request" status bytes`. See [`access`](super::access).

use std::sync::Arc;

use super::access::Access;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "access log in the common log format",
    sentinels: "-",
    fields: FieldChoice::Named(&["target"], |_| Arc::new(Access { referer: false, is_combined: false })),
    #[cfg(test)]
    example: ["", "192.0.2.1 - f [10/Oct/2026:13:55:36 -0700] \"GET ", " HTTP/1.0\" 200 2326\n"],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::Format;
    use crate::corpus::format::tests::case;

    #[test]
    fn common() {
        let log = include_str!("../../../../corpora/logs/common.log");
        let found = case(Format::Common).detected(log).run(log);
        assert_eq!(found.records, [(1, 53, "/a".to_owned())]);
    }
}
