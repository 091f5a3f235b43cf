//! The corpora of the benches: real lists if they are available, and generated lists.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use memchr::{memchr, memchr_iter, memrchr};
use urivalidate::Grammar;

use crate::clock::CpuTime;

/// The names of the real lists. README.md names their sources.
const LISTS: [&str; 3] = ["eot2024_sitemap_sample", "ada_kasztp", "ada_node_files"];

/// The approximate size in bytes of the pieces that a scan gets.
const CHUNK: usize = 1 << 20;

/// The number of bytes to which a corpus is cut if the benches run as a test.
const SMOKE: usize = 128 << 10;

/// A list of lines in memory.
pub struct Corpus {
    pub name: String,
    pub bytes: Vec<u8>,
    pub records: usize,
    chunks: Vec<Range<usize>>,
}

/// The available real lists, and a generated list.
pub fn lists() -> Vec<Corpus> {
    let mut lists = Vec::new();
    for name in LISTS {
        lists.extend(find(&format!("{name}.txt")).map(|path| Corpus::new(name, read(&path))));
    }
    lists.push(Corpus::made("web", &[]));
    lists
}

/// The text of a real file, if it is available.
pub fn real(name: &str) -> Option<String> {
    find(name).map(|path| String::from_utf8(read(&path)).expect("UTF-8"))
}

fn find(name: &str) -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = [package.join("data"), package.join("../../shared/data")].map(|place| place.join(name));
    let found = path.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("{name} is not at hand (benches/README.md says where to get it)");
    }
    found
}

impl Corpus {
    /// Makes a corpus of these lines.
    pub fn new(name: &str, mut bytes: Vec<u8>) -> Self {
        if bytes.starts_with("\u{FEFF}".as_bytes()) {
            bytes.drain(..3);
        }
        if is_test() && bytes.len() > SMOKE {
            // Keep the whole of the line at this position.
            let end = memchr(b'\n', &bytes[SMOKE..]).map_or(bytes.len(), |end| SMOKE + end + 1);
            bytes.truncate(end);
        }
        let mut chunks = Vec::new();
        let mut start = 0;
        while start < bytes.len() {
            let most = bytes.len().min(start + CHUNK);
            let end = if most == bytes.len() {
                most
            } else {
                memrchr(b'\n', &bytes[start..most]).expect("no line is as long as a chunk") + start + 1
            };
            chunks.push(start..end);
            start = end;
        }
        let mut records = 0;
        for_each_line(&bytes, |_| records += 1);
        Corpus { name: name.to_owned(), bytes, records, chunks }
    }

    /// The list that `scripts/gen-corpus` generates with these options. The file stays for the next run.
    pub fn made(name: &str, options: &[&str]) -> Self {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let generator = package.join("../scripts/gen-corpus");
        let path = package.join("data").join(format!("made-{name}.txt"));
        let modified = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
        if modified(&path) < modified(&generator) {
            let made = Command::new(&generator).args(["--size", "16M"]).args(options).output();
            let made = made.unwrap_or_else(|error| panic!("{}: {error}", generator.display()));
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            // Renaming a finished file ensures that the list is complete if it exists.
            let unfinished = path.with_extension("unfinished");
            fs::create_dir_all(package.join("data"))
                .and_then(|()| fs::write(&unfinished, &made.stdout))
                .and_then(|()| fs::rename(&unfinished, &path))
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        Corpus::new(name, read(&path))
    }

    /// A corpus with each record rewritten.
    pub fn map(&self, name: &str, mut rewrite: impl FnMut(&[u8], &mut Vec<u8>)) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len() * 5 / 4);
        for_each_line(&self.bytes, |line| {
            rewrite(line, &mut bytes);
            bytes.push(b'\n');
        });
        Corpus::new(name, bytes)
    }

    /// The lines in pieces of about 1 MiB, cut at newlines.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| &self.bytes[chunk.clone()])
    }

    /// The number of valid lines, counted by the loop that a user would write.
    #[inline]
    pub fn count(&self, is_valid: impl Fn(&str) -> bool) -> usize {
        let mut valid = 0;
        for chunk in self.chunks() {
            for_each_line(chunk, |line| {
                valid += usize::from(str::from_utf8(line).is_ok_and(&is_valid));
            });
        }
        valid
    }

    /// A group of benches with this corpus.
    pub fn group<'a>(
        &self,
        criterion: &'a mut Criterion<CpuTime>,
        name: &str,
    ) -> BenchmarkGroup<'a, CpuTime> {
        let mut group = criterion.benchmark_group(name);
        group.sampling_mode(SamplingMode::Flat);
        group.throughput(Throughput::ElementsAndBytes {
            elements: self.records as u64,
            bytes: self.bytes.len() as u64,
        });
        group
    }
}

/// Cuts lines at LF. The last line may lack the LF.
#[inline(always)]
pub fn for_each_line<'a>(bytes: &'a [u8], mut then: impl FnMut(&'a [u8])) {
    let mut start = 0;
    for end in memchr_iter(b'\n', bytes) {
        then(&bytes[start..end]);
        start = end + 1;
    }
    if start < bytes.len() {
        then(&bytes[start..]);
    }
}

/// The host of a URI, and the text after its authority. `None` for an invalid record, or a record without a
/// host.
pub fn split(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let components = urivalidate::parse(Grammar::Uri, record).ok()?;
    Some((&record[components.host()?], &record[components.path()?.start..]))
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether the benches run as a test, which runs each bench once.
pub fn is_test() -> bool {
    let is_given = |name| std::env::args().any(|argument| argument == name);
    is_given("--test") || !is_given("--bench")
}
