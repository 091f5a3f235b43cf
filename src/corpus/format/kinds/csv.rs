//! Comma-separated values: see [`table`](super::table).

use std::sync::Arc;

use super::table::Table;
use crate::corpus::format::lines::log_format::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "comma-separated values; field a name of its header (url, uri), or a number (1)",
    fields: "the columns of its header, by name or by number",
    sentinels: "",
    select: |options| Some(Arc::new(Table::new(b',', options)?)),
    #[cfg(test)]
    example: ["url,n\n", "", ",1\n"],
};
