//! The key that the user most likely meant, if JSON objects lack the key that the layout reads.

use super::detect::{head_of, head_of_document};
use crate::corpus::format::kinds::Format;
use crate::corpus::format::kinds::json_keys::LikelyKeys;
use crate::corpus::format::layout::Layout;
use crate::corpus::mark::mark_len;

/// A key whose strings look like URIs or have request targets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LikelyKey {
    /// The name, as a user selects it.
    pub name: String,
    /// A clause about its strings: `"a" has URIs in 90% of the lines`.
    pub about: String,
}

/// Returns the key that the user most likely meant, if the layout reads another key. `bytes` are the start of
/// an input with this layout.
pub fn likely_key(layout: &Layout, bytes: &[u8]) -> Option<LikelyKey> {
    let text = &bytes[mark_len(bytes)..];
    let keys = match layout.format() {
        Format::Jsonl | Format::Caddy => LikelyKeys::of_lines(head_of(text, usize::MAX, true)?),
        Format::Json | Format::Har => LikelyKeys::of_documents(head_of_document(text, true)?),
        _ => return None,
    };
    let best = keys.best()?;
    let key = LikelyKey { name: best.name.clone(), about: keys.about(best) };
    (layout.wanted().as_deref() != Some(best.path())).then_some(key)
}
