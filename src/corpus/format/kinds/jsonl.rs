//! JSON Lines: see [`json`](super::json).

use std::sync::Arc;

use super::json::Json;
use crate::corpus::format::lines::log_format::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "JSON Lines; key url, uri or another, also a.b, .a.b or /a/b for one inside of another",
    fields: "keys",
    sentinels: "null",
    select: |options| Some(Arc::new(Json::new(&options.field, &["url", "uri"], false)?)),
    #[cfg(test)]
    example: ["", "{\"url\":\"", "\"}\n"],
};
