//! JSON objects: JSON Lines, and CDXJ indexes.
//!
//! The format searches an object for the key and does not parse it: the rest of the line must only end with a
//! closing brace. A second object on the line is an error if it, too, mentions the key. Text in a string that
//! looks like a key does not count. A key of an inner object does not count either, unless the selected key
//! is a path. If a key occurs twice, the last one counts, as in nearly all JSON parsers (RFC 8259 section 4
//! leaves it open).

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::json_cursor::{JsonCursor, Next, is_key};
use super::json_forms::{Form, Forms};
use super::json_keys::LikelyKeys;
use super::json_usual::UsualObject;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::{KeyNames, LineFields, Place};
use crate::corpus::format::lines::log_format::{LineFormat, lines};
use crate::corpus::format::lines::marked_bytes::MarkedBytes;
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::tally::last_place;
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr};

/// The value of a key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Json {
    /// The keys to search. The first one that the object has counts.
    keys: [Option<Path>; 2],
    /// Whether a sort key and a time stamp stand before the object (CDXJ).
    is_index: bool,
    /// The kind of the key's strings, learned from the first lines.
    form: Form,
    /// The candidates for another key, if the first lines lack this one.
    others: Option<Arc<str>>,
    /// The last line with a URL, which most lines are like.
    usual: UsualObject,
}

/// A path of keys: each is a key of the value of the key before it. In an array the key is the index of an
/// element, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Path {
    keys: Vec<Box<[u8]>>,
    /// The first key in its most frequent spelling in lines.
    quoted: Vec<u8>,
}

impl Path {
    fn new(keys: impl Iterator<Item = impl AsRef<[u8]>>) -> Self {
        let keys: Vec<Box<[u8]>> = keys.map(|key| key.as_ref().into()).collect();
        let first: &[u8] = keys.first().map_or(b"", |key| key);
        let quoted = [b"\"", first, b"\""].concat();
        Path { keys, quoted }
    }

    /// Parses a JSON Pointer (RFC 6901) without its first `/`.
    fn pointer(text: &str) -> Option<Self> {
        // Only 0 or 1 may follow a ~.
        let is_sound = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        let keys = text.split('/').map(|key| key.replace("~1", "/").replace("~0", "~"));
        is_sound.then(|| Path::new(keys))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.keys.iter().map(|key| String::from_utf8_lossy(key));
        f.write_str(&keys.collect::<Vec<_>>().join("."))
    }
}

impl Json {
    /// Selects a key: `/a/b` is a JSON Pointer, `.a.b` a path, `a.b` the key of this name, or else a path.
    /// Without a selected key: one of the keys in `uri`.
    pub(crate) fn new(field: &FieldSelector, uri: &[&str], is_index: bool) -> Option<Self> {
        let mut keys = [None, None];
        match field {
            FieldSelector::Uri => {
                for (key, name) in keys.iter_mut().zip(uri) {
                    *key = Some(Path::new([name].into_iter()));
                }
            }
            FieldSelector::Field(_) => return None,
            FieldSelector::Key(key) => {
                keys = if let Some(pointer) = key.strip_prefix('/') {
                    [Some(Path::pointer(pointer)?), None]
                } else if let Some(path) = key.strip_prefix('.') {
                    [Some(Path::new(path.split('.'))), None]
                } else {
                    let path = key.contains('.').then(|| Path::new(key.split('.')));
                    [Some(Path::new([key].into_iter())), path]
                };
            }
        }
        Some(Json { keys, is_index, form: Form::Uri, others: None, usual: UsualObject::default() })
    }

    /// Returns the key that surely has the URIs or request targets of these lines, if the lines have no `url`
    /// and no `uri`.
    pub(crate) fn sure_key(head: &[u8]) -> Option<String> {
        let keys = || LikelyKeys::of_lines(head);
        (!lines(head).any(Json::has_url)).then(keys)?.sure().map(|key| key.name.clone())
    }

    /// Returns true if a line is an object of this kind, whatever its keys.
    pub(crate) fn is_object(line: &[u8], is_index: bool) -> bool {
        let (form, usual) = (Form::Uri, UsualObject::default());
        let any = Json { keys: [None, None], is_index, form, others: None, usual };
        any.value(line) == Ok(Line::WithoutKey)
    }

    /// Returns true if a line is an object with `url` or `uri`. A sentinel can stand in the place of its URI.
    pub(crate) fn has_url(line: &[u8]) -> bool {
        Json::has(&FieldSelector::Uri, line)
    }

    /// Returns true if a line is an object with this field.
    pub(crate) fn has(field: &FieldSelector, line: &[u8]) -> bool {
        let json = Json::new(field, &["url", "uri"], false);
        json.is_some_and(|mut json| !matches!(json.find(line), Line::Malformed(_) | Line::WithoutKey))
    }

    #[cfg(test)]
    pub(super) fn is_usual(&self, line: &[u8]) -> bool {
        self.usual.url_in(line).is_some()
    }

    /// Returns the key's value in a line. Its form is not checked yet.
    pub(crate) fn value(&self, line: &[u8]) -> Result<Line, Malformed> {
        let mut scan = JsonCursor { line, at: 0 };
        if self.is_index {
            scan.skip_word()?;
            scan.skip_word()?;
        }
        scan.skip_space();
        if scan.peek() != Some(b'{') || !line.trim_ascii_end().ends_with(b"}") {
            return Err(Malformed::NotAnObject);
        }
        let mut found = [None, None];
        // Searched only once, since a line can repeat its key very often.
        let (mut last_mention, mut is_stopped) = (None, false);
        scan.object(|scan, name, escapes| {
            for (rank, path) in self.keys.iter().enumerate() {
                let Some(path) = path else { break };
                if is_key(&scan.line[name.clone()], escapes, &path.keys[0]) {
                    found[rank] = scan.descend(&path.keys[1..])?;
                    if rank > 0 || found[0].is_none() {
                        return Ok(Next::Passed);
                    }
                    let last = *last_mention.get_or_insert_with(|| scan.last_mention(&path.quoted));
                    let is_last = last.is_none_or(|last| last < scan.at);
                    is_stopped = is_last;
                    return Ok(if is_last { Next::Stop } else { Next::Passed });
                }
            }
            Ok(Next::Value)
        })?;
        if !is_stopped && !scan.line[scan.at..].trim_ascii().is_empty() {
            return Err(Malformed::NotAnObject);
        }
        Ok(found.into_iter().flatten().next().unwrap_or(Line::WithoutKey))
    }
}

/// Returns the index of an array's element, if the key is one (RFC 6901 section 4).
fn index_of(key: &[u8]) -> Option<usize> {
    let is_index = key == b"0" || !key.starts_with(b"0") && key.iter().all(u8::is_ascii_digit);
    str::from_utf8(key).ok().filter(|_| is_index)?.parse().ok()
}

impl LineFormat for Json {
    const NEEDS_HEAD: bool = true;

    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        if self.is_index && line.first() == Some(&b'!') {
            return Line::Header;
        }
        if line.is_empty() {
            return Line::Malformed(Malformed::Empty);
        }
        let found = match self.usual.url_in(line) {
            Some(url) => {
                self.usual.fitted();
                Ok(Line::unescaped(url))
            }
            None => self.value(line).inspect(|found| match found {
                Line::Record(url) if !self.is_index => self.usual.learn(line, &url.range),
                _ => {}
            }),
        };
        match found {
            Ok(Line::Record(string)) if self.form != Form::Uri => self.form.record(line, string),
            found => found.into(),
        }
    }

    /// Most lines are like the one before, so that the end of such a line needs no search.
    fn take_lines(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let has_urls = self.form == Form::Uri && !self.is_index;
        let has_lines = chunk.terminator == b'\n' && chunk.long_line.is_none() && chunk.unwrap.is_none();
        if !(has_urls && has_lines) {
            return sink.take_lines(chunk, &mut self.clone(), Self::find, Self::skip);
        }
        let mut marked = MarkedBytes::new(chunk.bytes);
        let find_at = |json: &mut Json, start| {
            let found = json.usual.url_at(&mut marked, start)?;
            json.usual.fitted();
            Some(found)
        };
        sink.take_lines_at(chunk, &mut self.clone(), find_at, Self::find);
    }

    fn grammar(&self) -> Grammar {
        self.form.grammar()
    }

    /// Learns the kind of the key's strings, or the candidates for the key.
    fn start(&mut self, head: &[u8]) {
        if self.is_index {
            return;
        }
        let (mut values, mut lacking) = (Forms::default(), 0);
        for line in lines(head) {
            match self.value(line) {
                Ok(Line::Record(string)) => values.take(&line[string.range], string.escapes),
                Ok(Line::WithoutKey) => lacking += 1,
                _ => {}
            }
        }
        if lacking > values.strings {
            self.others = LikelyKeys::of_lines(head).named();
        }
        self.form = values.form();
    }

    fn others(&self) -> Option<&str> {
        self.others.as_deref()
    }

    fn wanted(&self) -> Option<String> {
        self.keys[0].as_ref().map(Path::to_string)
    }

    fn has_fields(&self) -> bool {
        true
    }

    /// Returns the keys of the objects, each in the form that selects it.
    fn field_names(&self, _header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        let mut names = KeyNames::default();
        if self.is_index {
            WORDS.iter().for_each(|word| names.add(word.as_bytes()));
        }
        for line in lines {
            let mut scan = JsonCursor { line, at: 0 };
            let words = if self.is_index { WORDS.len() } else { 0 };
            if (0..words).any(|_| scan.skip_word().is_err()) {
                continue;
            }
            scan.skip_space();
            // In a broken line, the text before the break counts.
            let _ = scan.object(|scan, name, escapes| {
                let mut key = Vec::new();
                escapes.write(&scan.line[name], &mut key);
                // A key that starts like a path, or has the name of a word, is written as a pointer.
                let is_word = self.is_index && WORDS.iter().any(|word| word.as_bytes() == key);
                if is_word || key == b"*" || matches!(key.first(), Some(b'/' | b'.')) {
                    let text = String::from_utf8_lossy(&key).replace('~', "~0").replace('/', "~1");
                    names.add(format!("/{text}").as_bytes());
                } else {
                    names.add(&key);
                }
                Ok(Next::Value)
            });
        }
        names.finish()
    }

    fn line_fields(&self, _header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        Some(Box::new(ChosenKeys::new(self.is_index, chosen)))
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        if !self.is_index {
            return Json::is_object(line, false);
        }
        looked_at(line.len());
        let has_stamp = line
            .split(|&byte| byte == b' ')
            .nth(1)
            .is_some_and(crate::corpus::format::lines::words::is_stamp);
        line.starts_with(b"!OpenWayback-CDXJ") || (has_stamp && Json::is_object(line, true))
    }
}

/// The chosen keys, as a tree of the keys on their paths.
#[derive(Debug, Default)]
struct ChosenKeys {
    is_index: bool,
    nodes: Vec<Node>,
    /// The most bytes of a key.
    longest: usize,
    /// The paths of each chosen key, as nodes. The first path that a line has counts.
    paths: Vec<[Option<Vec<usize>>; 2]>,
    /// The chosen words before the object, by their places.
    words: Vec<(usize, usize)>,
    missing: Vec<usize>,
}

/// A key on the way to chosen ones.
#[derive(Debug, Default)]
struct Node {
    children: HashMap<Box<[u8]>, usize>,
    /// The children of the elements of an array.
    elements: HashMap<usize, usize>,
    is_chosen: bool,
    /// The start of the last value in the line, and the value itself if the key is chosen: `None` for null.
    found: Option<(usize, Option<Place>)>,
}

/// The names of the words before the object of an index.
const WORDS: [&str; 2] = ["urlkey", "timestamp"];

impl ChosenKeys {
    fn new(is_index: bool, names: &[&str]) -> Self {
        let mut keys = ChosenKeys { is_index, nodes: vec![Node::default()], ..ChosenKeys::default() };
        for (index, name) in names.iter().enumerate() {
            let word = WORDS.iter().position(|word| word == name).filter(|_| is_index);
            keys.words.extend(word.map(|word| (word, index)));
            let json = Json::new(&FieldSelector::Key((*name).to_owned()), &[], is_index);
            let paths = json.filter(|_| word.is_none()).map_or([None, None], |json| json.keys);
            if word.is_none() && paths[0].is_none() {
                keys.missing.push(index);
            }
            let nodes = paths.map(|path| path.map(|path| keys.add(&path.keys)));
            keys.paths.push(nodes);
        }
        keys
    }

    /// Adds a path, and returns its nodes.
    fn add(&mut self, path: &[Box<[u8]>]) -> Vec<usize> {
        let (mut node, mut nodes) = (0, Vec::new());
        for key in path {
            self.longest = self.longest.max(key.len());
            node = match self.nodes[node].children.get(key) {
                Some(&child) => child,
                None => {
                    let child = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[node].children.insert(key.clone(), child);
                    if let Some(element) = index_of(key) {
                        self.nodes[node].elements.insert(element, child);
                    }
                    child
                }
            };
            nodes.push(node);
        }
        self.nodes[node].is_chosen = true;
        nodes
    }

    /// Passes a value, and finds the chosen keys in it.
    fn take_value(&mut self, scan: &mut JsonCursor<'_>, node: usize) -> Result<(), Malformed> {
        let start = scan.at;
        self.nodes[node].found = Some((start, None));
        match scan.peek() {
            Some(b'{') if !self.nodes[node].children.is_empty() => {
                scan.object(|scan, name, escapes| {
                    let raw = &scan.line[name];
                    let key = escapes.short_text(raw, self.longest).filter(|key| key.len() <= self.longest);
                    let child = key.and_then(|key| self.nodes[node].children.get(&*key).copied());
                    let Some(child) = child else { return Ok(Next::Value) };
                    self.take_value(scan, child)?;
                    Ok(Next::Passed)
                })?;
            }
            Some(b'[') if !self.nodes[node].elements.is_empty() => {
                let mut element = 0;
                scan.array(|scan| {
                    let child = self.nodes[node].elements.get(&element).copied();
                    element += 1;
                    match child {
                        Some(child) => self.take_value(scan, child),
                        None => scan.value(false).map(drop),
                    }
                })?;
            }
            _ => {
                scan.value(false)?;
            }
        }
        if self.nodes[node].is_chosen {
            self.nodes[node].found = Some((start, text_of(scan.line, start..scan.at)));
        }
        Ok(())
    }

    fn take_line(
        &mut self,
        scan: &mut JsonCursor<'_>,
        places: &mut [Option<Place>],
    ) -> Result<(), Malformed> {
        let mut words = [0..0, 0..0];
        if self.is_index {
            for word in &mut words {
                let start = scan.at;
                scan.skip_word()?;
                *word = start..scan.at - 1;
            }
        }
        scan.skip_space();
        if scan.peek() != Some(b'{') || !scan.line.trim_ascii_end().ends_with(b"}") {
            return Err(Malformed::NotAnObject);
        }
        for &(word, index) in &self.words {
            let range = words[word].clone();
            let is_missing = scan.line[range.clone()] == *b"-";
            places[index] = (!is_missing).then_some(Place { range, escapes: Escapes::None });
        }
        self.take_value(scan, 0)
    }

    /// Returns the value at the end of a path, unless a key on the path occurs again without it.
    fn value(&self, path: &[usize]) -> Option<&Option<Place>> {
        let (start, value) = self.nodes[*path.last()?].found.as_ref()?;
        let is_last =
            path.iter().all(|&node| self.nodes[node].found.as_ref().is_some_and(|(at, _)| at <= start));
        is_last.then_some(value)
    }
}

impl LineFields for ChosenKeys {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        if self.is_index && line.first() == Some(&b'!') {
            return;
        }
        self.nodes.iter_mut().for_each(|node| node.found = None);
        // In a broken line, the text before the break counts.
        let _ = self.take_line(&mut JsonCursor { line, at: 0 }, places);
        for (place, paths) in places.iter_mut().zip(&self.paths) {
            if let Some(value) = paths.iter().flatten().find_map(|path| self.value(path)) {
                place.clone_from(value);
            }
        }
    }

    fn missing(&self) -> &[usize] {
        &self.missing
    }
}

/// Returns the place of the text of a value: of a string what its quotes enclose, of others their JSON text.
/// `null` has none.
fn text_of(line: &[u8], value: Range<usize>) -> Option<Place> {
    let end = value.start + line[value.clone()].trim_ascii_end().len();
    match &line[value.start..end] {
        b"null" => None,
        [b'"', inner @ .., b'"'] => {
            // A string with an escape that stands for nothing keeps all its escapes.
            let has_escapes = memchr(b'\\', inner).is_some() && Escapes::Json.are_sound(inner);
            let escapes = if has_escapes { Escapes::Json } else { Escapes::None };
            Some(Place { range: value.start + 1..end - 1, escapes })
        }
        _ => Some(Place { range: value.start..end, escapes: Escapes::None }),
    }
}

impl JsonCursor<'_> {
    /// Skips a word and the space after it.
    fn skip_word(&mut self) -> Result<(), Malformed> {
        self.at += memchr(b' ', &self.line[self.at..]).ok_or(Malformed::NotAnObject)? + 1;
        Ok(())
    }

    /// Returns the last place in the rest of the line at which the key or an escape can stand. Escapes can
    /// spell the key.
    fn last_mention(&self, quoted: &[u8]) -> Option<usize> {
        last_place(&self.line[self.at..], quoted, b'\\').map(|at| self.at + at)
    }

    /// Passes a value, and returns the value at the end of the path in it, if the path exists.
    fn descend(&mut self, path: &[Box<[u8]>]) -> Result<Option<Line>, Malformed> {
        let Some((key, path)) = path.split_first() else { return self.value(true).map(Some) };
        let mut found = None;
        match self.peek() {
            Some(b'{') => self.object(|scan, name, escapes| {
                if is_key(&scan.line[name], escapes, key) {
                    found = scan.descend(path)?;
                    return Ok(Next::Passed);
                }
                Ok(Next::Value)
            })?,
            Some(b'[') => {
                let (wanted, mut index) = (index_of(key), 0);
                self.array(|scan| {
                    if Some(index) == wanted {
                        found = scan.descend(path)?;
                    } else {
                        scan.value(false)?;
                    }
                    index += 1;
                    Ok(())
                })?;
            }
            _ => {
                self.value(false)?;
            }
        }
        Ok(found)
    }
}
