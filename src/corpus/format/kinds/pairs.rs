//! Lists of jobs for crawlers, in the form that ArchiveTeam uses: `key=value` between `;`, and last `url=`
//! with an unescaped URI. In the URI, `;` does not separate.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::{KeyNames, LineFields, Place};
use crate::corpus::format::lines::log_format::{LineFormat, starts_as_uri};
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{memchr, memmem, memrchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "key=value between ;, and url= last; key url or another",
    sentinels: "",
    fields: FieldChoice::Other("keys", |options| {
        let key = match &options.field {
            FieldSelector::Uri => "url",
            FieldSelector::Key(key) => key,
            FieldSelector::Field(_) => return None,
        };
        Some(Arc::new(Pairs { key: format!("{key}=").into_bytes() }))
    }),
    #[cfg(test)]
    example: ["", "a=1;url=", "\n"],
};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pairs {
    /// The key with its `=`.
    key: Vec<u8>,
}

impl Pairs {
    /// Returns the place of the key's value, or what the line is without it.
    fn value(&self, line: &[u8]) -> Result<Range<usize>, Line> {
        if line.is_empty() {
            return Err(Malformed::Empty.into());
        }
        // Keys after url= belong to the URI.
        let url = start_of(line, b"url=");
        let pairs = &line[..url.unwrap_or(line.len())];
        if self.key == b"url=" {
            return url.map(|start| start..line.len()).ok_or(Line::WithoutKey);
        }
        let start = start_of(pairs, &self.key).ok_or(Line::WithoutKey)?;
        let rest = &pairs[start..];
        Ok(start..start + memchr(b';', rest).unwrap_or(rest.len()))
    }
}

/// Returns the start of a key's value. The key starts the line, or follows a `;`, or follows the `#` that
/// ends a remark at the line's start.
fn start_of(line: &[u8], key: &[u8]) -> Option<usize> {
    let is_start = |at: usize| at == 0 || matches!(line[at - 1], b';' | b'#');
    memmem::find_iter(line, key).find(|&at| is_start(at)).map(|at| at + key.len())
}

/// Passes each pair of a line to `take`: the places of its key and its value.
fn pairs(line: &[u8], mut take: impl FnMut(Range<usize>, Range<usize>)) {
    let url = start_of(line, b"url=");
    let end = url.map_or(line.len(), |start| start - b"url=".len());
    let mut start = 0;
    while start < end {
        let pair_end = start + memchr(b';', &line[start..end]).unwrap_or(end - start);
        let remark = memchr(b'#', &line[start..pair_end]).filter(|_| line[start] == b'#');
        // A remark between two # can come before the first key.
        let key_start = match remark {
            Some(_) => memrchr(b'#', &line[start..pair_end]).map_or(start, |at| start + at + 1),
            None => start,
        };
        if let Some(length) = memchr(b'=', &line[key_start..pair_end]) {
            take(key_start..key_start + length, key_start + length + 1..pair_end);
        }
        start = pair_end + 1;
    }
    if let Some(start) = url {
        take(end..start - 1, start..line.len());
    }
}

/// Finds the values of chosen keys.
#[derive(Debug)]
struct ChosenKeys {
    keys: HashMap<Box<[u8]>, usize>,
}

impl LineFields for ChosenKeys {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        pairs(line, |key, range| {
            if let Some(&index) = self.keys.get(&line[key]) {
                places[index].get_or_insert(Place { range, escapes: Escapes::None });
            }
        });
    }
}

impl LineFormat for Pairs {
    fn find(&mut self, line: &[u8]) -> Line {
        self.value(line).map_or_else(|found| found, Line::unescaped)
    }

    fn wanted(&self) -> Option<String> {
        Some(String::from_utf8_lossy(self.key.strip_suffix(b"=").unwrap_or(&self.key)).into_owned())
    }

    fn has_fields(&self) -> bool {
        true
    }

    fn field_names(&self, _header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        let mut names = KeyNames::default();
        for line in lines {
            pairs(line, |key, _| names.add(&line[key]));
        }
        names.finish()
    }

    fn line_fields(&self, _header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        let keys = chosen.iter().enumerate().map(|(index, key)| (key.as_bytes().into(), index)).collect();
        Some(Box::new(ChosenKeys { keys }))
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        self.value(line).is_ok_and(|range| starts_as_uri(&line[range])) && !starts_as_uri(line)
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::Format;
    use crate::corpus::format::tests::{case, key, reasons, texts};

    #[test]
    fn pairs() {
        let jobs = include_str!("../../../../corpora/logs/jobs.pairs");
        let found = case(Format::Pairs).detected(jobs).run(jobs);
        assert_eq!(
            texts(&found),
            ["https://www.example.com/a;b", "https://www.example.com/{c}?url=x", "http://www.example.com/"]
        );
        assert_eq!((reasons(&found), found.without_key), (vec![], 1));
        assert_eq!(texts(&key(Format::Pairs, "depth").run(jobs)), ["1", "2", "1"]);
    }
}
