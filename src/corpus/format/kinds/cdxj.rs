//! CDXJ indexes of captures: a key to sort by, a time stamp, and a JSON object. See [`json`](super::json).

use std::sync::Arc;

use super::json::Json;
use crate::corpus::format::lines::log_format::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "CDX index with JSON objects; key url or another",
    fields: "keys",
    sentinels: "null",
    select: |options| Some(Arc::new(Json::new(&options.field, &["url"], true)?)),
    #[cfg(test)]
    example: ["", "com,a)/ 20260102030405 {\"url\": \"", "\"}\n"],
};
