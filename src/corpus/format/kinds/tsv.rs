//! Tab-separated values: see [`table`](super::table).

use std::sync::Arc;

use super::table::Table;
use crate::corpus::format::lines::log_format::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "tab-separated values; as csv",
    fields: "the columns of its header, by name or by number",
    sentinels: "\\N",
    select: |options| Some(Arc::new(Table::new(b'\t', options)?)),
    #[cfg(test)]
    example: ["url\tn\n", "", "\t1\n"],
};
