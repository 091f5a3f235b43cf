//! Cells between bytes of any one kind: see [`table`](super::table).

use std::sync::Arc;

use super::table::Table;
use crate::corpus::format::lines::log_format::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "cells between the bytes that are named as its delimiter, quoted or not; field a number, or a name of its header",
    fields: "the columns that a delimiter makes (one byte, not a quote or a line end), by name or by number",
    sentinels: "",
    select: |options| {
        let delimiter = options.delimiter.filter(|delimiter| !b"\"\r\n".contains(delimiter))?;
        Some(Arc::new(Table::new(delimiter, options)?))
    },
    #[cfg(test)]
    example: ["url;n\n", "", ";1\n"],
};
