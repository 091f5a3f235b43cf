//! The combined log format: the common format, with `"referer" "agent"` after it. See
//! [`access`](super::access).

use std::sync::Arc;

use super::access::{Access, wants_referer};
use crate::corpus::format::lines::log_format::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "access log in the combined log format; field target or referer",
    fields: "the fields target and referer",
    sentinels: "-",
    select: |options| {
        let referer = wants_referer(options)?;
        Some(Arc::new(Access { referer, is_combined: true }))
    },
    #[cfg(test)]
    example: [
        "",
        "192.0.2.1 - f [10/Oct/2026:13:55:36 -0700] \"GET ",
        " HTTP/1.0\" 200 2326 \"http://a/\" \"agent\"\n",
    ],
};
