//! Tab-separated values: see [`table`](super::table).

use std::sync::Arc;

use super::log_format::Entry;
use super::table::Table;

pub(super) const ENTRY: Entry = Entry {
    about: "tab-separated values; as csv",
    fields: "the columns of its header, by name or by number",
    sentinels: "\\N",
    select: |options| Some(Arc::new(Table::new(b'\t', options)?)),
};
