//! Finds the keys of JSON objects whose strings look like URIs or have request targets.

use std::fmt;
use std::sync::Arc;

use super::json_cursor::{JsonCursor, Next};
use super::json_forms::{Form, Forms};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::lines;

/// Keys that hold the URI or the target of a request, according to the manuals of these writers. Other keys
/// may lead to them. If an object has several of these keys, the first one in this list counts.
const OF_REQUESTS: [&str; 12] = [
    // Elastic Common Schema, written by Filebeat.
    "url.original",
    "url.full",
    // Load balancers of Google Cloud, and all request logs of Google Cloud.
    "httpRequest.requestUrl",
    // AWS WAF.
    "httpRequest.uri",
    // Azure: Application Gateway, then Front Door.
    "properties.originalRequestUriWithArgs",
    "properties.requestUri",
    // Cloudflare.
    "ClientRequestURI",
    // Traefik.
    "RequestPath",
    // CloudFront.
    "cs-uri-stem",
    // The variables of nginx. Users name their keys after them.
    "request_uri",
    "request",
    // Caddy.
    "request.uri",
];

/// A candidate for the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyFound {
    /// The name, as a user selects it.
    pub(crate) name: String,
    /// The keys that lead to it, separated by dots.
    path: String,
    forms: Forms,
    /// The maximal number of strings that the key could have.
    most: usize,
}

impl KeyFound {
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    fn count(&self) -> usize {
        self.forms.fits()
    }

    fn is(&self, name: &str) -> bool {
        self.path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    /// Returns true if it holds the page that a request came from, and not the request's own URI.
    fn is_referer(&self) -> bool {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        last.to_ascii_lowercase().contains("refer")
    }

    /// Returns true if more than half of the possible strings have a form.
    fn is_usual(&self) -> bool {
        self.count() * 2 > self.most
    }
}

/// The candidates for the key, sorted by their number of strings, highest first.
#[derive(Debug)]
pub(crate) struct LikelyKeys {
    keys: Vec<KeyFound>,
    /// Whether the objects are lines.
    of_lines: bool,
}

impl LikelyKeys {
    /// Returns the keys of JSON Lines. Arrays are skipped, since a path names only one element of them.
    pub(crate) fn of_lines(head: &[u8]) -> Self {
        let mut keys = Keys::default();
        for line in lines(head) {
            let mut cursor = JsonCursor { line, at: 0 };
            cursor.skip_space();
            // In a broken line, the text before the break counts.
            let _ = keys.take_value(&mut cursor, Some(0), 0);
        }
        LikelyKeys { keys: keys.likely(), of_lines: true }
    }

    /// Returns the keys of documents that start with these bytes.
    pub(crate) fn of_documents(head: &[u8]) -> Self {
        let mut keys = Keys { pass_arrays: true, ..Keys::default() };
        let mut cursor = JsonCursor { line: head, at: 0 };
        loop {
            cursor.skip_space();
            let is_next = matches!(cursor.peek(), Some(b'{' | b'['));
            if !is_next || keys.take_value(&mut cursor, Some(0), 0).is_err() {
                break;
            }
        }
        LikelyKeys { keys: keys.likely(), of_lines: false }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Names the keys and their shares. `None` if there are no candidates.
    pub(super) fn named(&self) -> Option<Arc<str>> {
        (!self.is_empty()).then(|| self.to_string().into())
    }

    /// Returns the key that is surely meant: a key that a writer has for requests; the only key; the only key
    /// that is not for referers; or the only key with whole requests, which are more than paths. Most objects
    /// must have it.
    pub(super) fn sure(&self) -> Option<&KeyFound> {
        let only = |is_such: &dyn Fn(&&KeyFound) -> bool| {
            let mut such = self.keys.iter().filter(is_such);
            such.next().filter(|_| such.next().is_none())
        };
        let of_request =
            OF_REQUESTS.iter().find_map(|name| self.keys.iter().find(|key| key.is(name) && key.is_usual()));
        let found = of_request
            .or_else(|| only(&|_| true))
            .or_else(|| only(&|key| !key.is_referer()))
            .or_else(|| only(&|key| matches!(key.forms.most(), Form::Request | Form::AccessLine)));
        found.filter(|key| key.is_usual())
    }

    /// Returns the key that is most likely meant.
    pub(crate) fn best(&self) -> Option<&KeyFound> {
        let first = || self.keys.iter().find(|key| !key.is_referer()).or(self.keys.first());
        self.sure().or_else(first)
    }

    /// Names a key, the form of its strings and its share.
    pub(crate) fn about(&self, key: &KeyFound) -> String {
        let share = (key.count() * 100 / key.most.max(1)).min(100);
        let whole = if self.of_lines { "lines" } else { "objects" };
        format!("{:?} has {} in {share}% of the {whole}", key.name, key.forms.most().name())
    }
}

/// Names the keys.
impl fmt::Display for LikelyKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The number of keys to name.
        const MOST: usize = 4;

        for (index, key) in self.keys.iter().take(MOST).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{}", self.about(key))?;
        }
        Ok(())
    }
}

/// The maximal number of keys.
const MOST_KEYS: usize = 200;

/// The maximal length of a key's name, in bytes.
const LONGEST_KEY: usize = 100;

/// The maximal depth of objects and arrays.
const DEEP: usize = 8;

/// The keys of some objects, as a tree. The first key stands for the whole documents.
#[derive(Debug)]
struct Keys {
    found: Vec<Key>,
    /// Whether the elements of an array count as values of its key.
    pass_arrays: bool,
}

/// A key at its place in objects.
#[derive(Debug, Default)]
struct Key {
    name: String,
    /// The index of the key whose object has this key.
    outer: usize,
    /// The number of this key's values that are objects and have ended.
    objects: usize,
    /// The number of its other values except strings.
    others: usize,
    forms: Forms,
}

impl Default for Keys {
    fn default() -> Self {
        Keys { found: vec![Key::default()], pass_arrays: false }
    }
}

impl Keys {
    /// Passes a value of a key, and takes the strings in it.
    fn take_value(
        &mut self,
        cursor: &mut JsonCursor<'_>,
        at: Option<usize>,
        depth: usize,
    ) -> Result<(), Malformed> {
        match cursor.peek() {
            Some(b'{') if depth < DEEP => {
                cursor.object(|cursor, name, escapes| {
                    let name = escapes.short_text(&cursor.line[name], LONGEST_KEY);
                    let key = at.zip(name).and_then(|(at, name)| self.inner(at, &name));
                    self.take_value(cursor, key, depth + 1)?;
                    Ok(Next::Passed)
                })?;
                at.inspect(|&at| self.found[at].objects += 1);
            }
            Some(b'[') if depth < DEEP && self.pass_arrays => {
                cursor.array(|cursor| self.take_value(cursor, at, depth + 1))?;
            }
            _ => {
                let value = cursor.value(true)?;
                let Some(key) = at.map(|at| &mut self.found[at]) else { return Ok(()) };
                match value {
                    Line::Record(string) => key.forms.take(&cursor.line[string.range], string.escapes),
                    _ => key.others += 1,
                }
            }
        }
        Ok(())
    }

    /// Returns the key of this name in the objects of the key `outer`.
    fn inner(&mut self, outer: usize, name: &[u8]) -> Option<usize> {
        let name = str::from_utf8(name).ok()?;
        let is_it = |key: &Key| key.outer == outer && key.name == name;
        let known = self.found.iter().skip(1).position(is_it).map(|at| at + 1);
        known.or_else(|| {
            let key = Key { name: name.to_owned(), outer, ..Key::default() };
            let has_room = self.found.len() <= MOST_KEYS;
            has_room.then(|| {
                self.found.push(key);
                self.found.len() - 1
            })
        })
    }

    /// Returns the names of the keys that lead to a key, and the maximal number of values that it could have:
    /// the number of its values, or of the objects on the way.
    fn way(&self, at: usize) -> (Vec<&str>, usize) {
        let key = &self.found[at];
        let (mut names, mut most) = (Vec::new(), key.objects + key.others + key.forms.strings);
        let mut at = at;
        while at > 0 {
            names.push(&*self.found[at].name);
            at = self.found[at].outer;
            most = most.max(self.found[at].objects);
        }
        names.reverse();
        (names, most)
    }

    /// Returns the keys that hold a string with a form in at least a tenth of the objects, sorted by the
    /// number of these strings, highest first.
    fn likely(&self) -> Vec<KeyFound> {
        let mut likely = Vec::<KeyFound>::new();
        for (at, &Key { forms, .. }) in self.found.iter().enumerate().skip(1) {
            let (names, most) = self.way(at);
            let name = selected(&names);
            match likely.iter_mut().find(|key| key.name == name) {
                // The same text selects `{"a.b":…}` and `{"a":{"b":…}}`.
                Some(key) => {
                    key.forms += forms;
                    key.most = key.most.max(most);
                }
                None => likely.push(KeyFound { name, path: names.join("."), forms, most }),
            }
        }
        let highest = likely.iter().map(KeyFound::count).max().unwrap_or(0);
        likely.retain(|key| key.count() > 0 && key.count() * 10 >= key.most.max(highest));
        likely.sort_by_key(|key| std::cmp::Reverse(key.count()));
        likely
    }
}

/// Returns the text that selects the key at the end of a path of names: a path, or a JSON Pointer if one of
/// the names has a dot.
fn selected(names: &[&str]) -> String {
    let has_dots = names.len() > 1 && names.iter().any(|name| name.contains('.'));
    if has_dots || names[0].starts_with(['.', '/']) {
        let escaped = names.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1")));
        return escaped.collect();
    }
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_all_keys_of_requests() {
        let manual = include_str!("../../../../docs/formats.md");
        for name in OF_REQUESTS {
            assert!(manual.contains(&format!("`{name}`")), "{name}");
        }
    }
}
