//! The combined log format: the common one, with `"referer" "agent"` behind it. See [`access`](super::access).

use std::sync::Arc;

use super::access::Access;
use super::log_format::Entry;
use super::options::FieldSelector;

pub(super) const ENTRY: Entry = Entry {
    about: "access log in the combined log format; --field target or referer",
    fields: "the fields target and referer",
    sentinels: "-",
    select: |options| {
        let referer = match &options.field {
            FieldSelector::Uri => false,
            FieldSelector::Field(field) if field == "target" => false,
            FieldSelector::Field(field) if field == "referer" => true,
            _ => return None,
        };
        Some(Arc::new(Access { referer, is_combined: true }))
    },
};
