//! Selects the strings of a document that are records.

use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::unescape::Escapes;

/// The maximal number of paths to records.
pub(super) const WAYS: usize = 2;

/// The keys that lead to the records. Arrays on the way are transparent: a rule for a value applies to each
/// element of an array in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The paths: the names of the keys, from the outermost object on.
    ways: Vec<Vec<Box<[u8]>>>,
    /// Whether a path may start in any object.
    pub(super) is_anywhere: bool,
}

/// For each path, the number of its keys that lead to a value, or that the value is off the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress([u8; WAYS]);

impl Progress {
    const OFF: u8 = u8::MAX;

    pub(super) const NOTHING: Progress = Progress([Progress::OFF; WAYS]);

    /// Returns true if this value is on a path, so that it or a value inside it can be a record.
    pub(super) fn is_on_the_way(self) -> bool {
        self != Progress::NOTHING
    }
}

impl Wanted {
    /// Selects `url` and `uri` at any depth, or the selected key: `/a/b` and `.a.b` are paths, `a.b` is the
    /// key of this name, and a path.
    pub(crate) fn new(field: &FieldSelector) -> Option<Self> {
        let name = |name: &str| vec![name.as_bytes().into()];
        let path = |path: &str| path.split('.').map(|key| key.as_bytes().into()).collect::<Vec<Box<[u8]>>>();
        let (ways, is_anywhere) = match field {
            FieldSelector::Uri => (vec![name("url"), name("uri")], true),
            FieldSelector::Field(_) => return None,
            FieldSelector::Key(key) => {
                let ways = if let Some(pointer) = key.strip_prefix('/') {
                    // A 0 or 1 follows each ~ (RFC 6901).
                    let is_sound = pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
                    let key = |key: &str| key.replace("~1", "/").replace("~0", "~").into_bytes().into();
                    vec![is_sound.then(|| pointer.split('/').map(key).collect())?]
                } else if let Some(keys) = key.strip_prefix('.') {
                    vec![path(keys)]
                } else if key.contains('.') {
                    vec![name(key), path(key)]
                } else {
                    vec![name(key)]
                };
                (ways, false)
            }
        };
        let are_short = ways.iter().all(|way| way.len() < usize::from(Progress::OFF));
        are_short.then_some(Wanted { ways, is_anywhere })
    }

    /// Returns the name of the key, for messages.
    pub(super) fn name(&self) -> String {
        let keys = self.ways[0].iter().map(|key| String::from_utf8_lossy(key));
        keys.collect::<Vec<_>>().join(".")
    }

    /// Returns the state at a whole document. Without a selected key, a document may be a string or an array
    /// of strings: then these are records.
    pub(super) fn at_start(&self) -> Progress {
        let mut progress = [Progress::OFF; WAYS];
        for at in &mut progress[..self.ways.len()] {
            *at = u8::from(self.is_anywhere);
        }
        Progress(progress)
    }

    /// Returns true if a string with this state is a record.
    pub(super) fn is_record(&self, Progress(progress): Progress) -> bool {
        self.ways.iter().zip(progress).any(|(way, keys)| way.len() == usize::from(keys))
    }

    /// Returns the state of the members of an object with this state.
    pub(super) fn in_object(&self, Progress(mut progress): Progress) -> Progress {
        for (way, keys) in self.ways.iter().zip(&mut progress) {
            if self.is_anywhere {
                *keys = 0;
            } else if usize::from(*keys) >= way.len() {
                *keys = Progress::OFF;
            }
        }
        Progress(progress)
    }

    /// Returns the state of the value of a key, from the state of the object's members.
    pub(super) fn after_key(
        &self,
        Progress(mut progress): Progress,
        name: &[u8],
        escapes: Escapes,
    ) -> Progress {
        for (way, keys) in self.ways.iter().zip(&mut progress) {
            let key = way.get(usize::from(*keys));
            let is_it =
                key.is_some_and(|key| escapes.short_text(name, key.len()).is_some_and(|name| *name == **key));
            *keys = if is_it { *keys + 1 } else { Progress::OFF };
        }
        Progress(progress)
    }

    /// Returns the rank of a cell in a header. `None` if it does not name the column of the records. The cell
    /// with the lowest rank names the column.
    pub(super) fn rank_of_column(&self, name: &[u8], escapes: Escapes) -> Option<u8> {
        /// The name in the answers of CDX servers.
        const ORIGINAL: &[u8] = b"original";

        let is = |key: &[u8]| escapes.short_text(name, key.len()).is_some_and(|name| *name == *key);
        if self.is_anywhere && is(ORIGINAL) {
            return Some(0);
        }
        (1..).zip(&self.ways).find(|(_, way)| way.len() == 1 && is(&way[0])).map(|(rank, _)| rank)
    }
}
