//! HTTP Archives (HAR 1.2): a JSON document with the URI of each request in `log.entries[].request.url`. See
//! [`documents`](super::documents).

use std::sync::Arc;

use super::documents::Documents;
use super::documents::wanted::Wanted;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::options::FieldSelector;

pub(crate) const ENTRY: Entry = Entry {
    about: "HTTP Archive: the URIs of its requests; key log.entries.request.url or another",
    sentinels: "null",
    fields: FieldChoice::Other("keys", |options| {
        let of_requests = FieldSelector::Key(".log.entries.request.url".to_owned());
        let is_usual = options.field == FieldSelector::Uri;
        let wanted = Wanted::new(if is_usual { &of_requests } else { &options.field })?;
        Some(Arc::new(Documents::new(wanted)))
    }),
    #[cfg(test)]
    example: ["", "{\"log\":{\"entries\":[{\"request\":{\"url\":\"", "\"}}]}}\n"],
};
