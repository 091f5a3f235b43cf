//! CDXJ indexes of captures: a sort key, a time stamp, and a JSON object. See [`json`](super::json).

use std::sync::Arc;

use super::json::Json;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "CDX index with JSON objects; key url or another",
    sentinels: "null",
    fields: FieldChoice::Other("keys", |options| Some(Arc::new(Json::new(&options.field, &["url"], true)?))),
    #[cfg(test)]
    example: ["", "com,a)/ 20260102030405 {\"url\": \"", "\"}\n"],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::Format;
    use crate::corpus::format::tests::{case, key, texts};

    #[test]
    fn cdxj() {
        let index = include_str!("../../../../corpora/logs/index.cdxj");
        let found = case(Format::Cdxj).detected(index).run(index);
        assert_eq!(texts(&found), ["http://example.com/", "http://example.com/{a/"]);
        assert_eq!((found.malformed.len(), found.sentinels, found.count), (2, 0, 5));
        assert_eq!(found.errors, [(3, 110)]);
        assert_eq!(texts(&key(Format::Cdxj, "redirect").run(index)), ["http://example.com/r"]);
        case(Format::Cdxj).detected(&index[index.find('\n').unwrap() + 1..]);
    }
}
