//! The common log format: `host ident user [time] "request" status bytes`. See [`access`](super::access).

use std::sync::Arc;

use super::access::Access;
use crate::corpus::format::lines::log_format::Entry;
use crate::corpus::format::lines::options::FieldSelector;

pub(crate) const ENTRY: Entry = Entry {
    about: "access log in the common log format; field target",
    fields: "the field target",
    sentinels: "-",
    select: |options| match &options.field {
        FieldSelector::Field(field) if field != "target" => None,
        FieldSelector::Key(_) => None,
        _ => Some(Arc::new(Access { referer: false, is_combined: false })),
    },
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
