//! Benches for the links of pages, texts and metadata, compared with the parsers that others use for these.

use std::ffi::OsStr;
use std::fs;
use std::io::{Write, sink};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use linkify::{LinkFinder, LinkKind};
use memchr::memmem;
use urivalidate::corpus::{Chunk, ChunkScanner, Format, Layout, LayoutOptions, Scanner};
use urivalidate::{Columns, Grammar, Validator};

use crate::clock::CpuTime;
use crate::corpus::{Corpus, is_test};
use crate::html_peer::count_links;

/// The approximate size of an input in bytes.
const SIZE: usize = 8 << 20;

/// The size of an input in bytes if the benches run as a test.
const SMOKE: usize = 128 << 10;

pub fn benches(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    let pages = [
        ("html-sample", repeated("site.html")),
        ("html-rustdoc", files(&documentation().join("std"), "html")),
        ("html-book", files(&documentation().join("book"), "html")),
    ];
    for (name, page) in pages {
        bench(criterion, name, Format::Html, &page, || count_links(&page));
    }

    let prose = text(files(&registry(), "md"));
    // An unclosed delimiter would include the rest of the line.
    let half = prose[..prose.floor_char_boundary(prose.len() / 2)]
        .replace(['\n', '\r', '"', '\'', '`', '<', '>', '(', ')', '[', ']'], " ");
    let line = half.repeat(2);
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    for (name, text) in [("text-prose", &prose), ("text-one-line", &line), ("text-one-line-half", &half)] {
        bench(criterion, name, Format::Text, text.as_bytes(), || finder.links(text).count());
    }
    bench(criterion, "markdown", Format::Markdown, prose.as_bytes(), || {
        use pulldown_cmark::{Event, Parser, Tag};
        let is_link = |event: &_| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }));
        Parser::new(&prose).filter(is_link).count()
    });
    let documents = [
        ("xml-sitemap", sitemap(list)),
        ("xml-feed", feed(list)),
        ("xml-sample-sitemap", document("sitemap.xml", "<s:url>", "</s:urlset>")),
        ("xml-sample-feed", document("feed.rss", "<item>", "</channel>")),
    ];
    for (name, document) in documents {
        bench(criterion, name, Format::Xml, &document, || elements(&document));
    }
    let statements = statements(list);
    bench(criterion, "nt", Format::Nt, &statements, || triples(&statements));
    wat(criterion, list);
}

/// Adds benches for an input in memory: the scan of its records, and the peer.
fn bench(
    criterion: &mut Criterion<CpuTime>,
    name: &str,
    format: Format,
    input: &[u8],
    peer: impl Fn() -> usize,
) {
    if input.is_empty() {
        return;
    }
    let (scanner, validator) = scanner(format);
    let mut group = group(criterion, name, records(&scanner, &validator, input), input.len());
    if name.starts_with("html") {
        // The peer finds no lists of URLs, and nothing in a `noscript`. The sample has many of both.
        let (found, of_peer) = (records(&scanner, &validator, input), peer());
        assert!(of_peer <= found && found < 4 * of_peer, "{name}: {found} links, the peer has {of_peer}");
    }
    group.bench_function(BenchmarkId::new("1-peers", "parser"), |bencher| bencher.iter(&peer));
    group.bench_function(BenchmarkId::new("2-format", "verdicts"), |bencher| {
        bencher.iter(|| records(&scanner, &validator, input));
    });
}

/// Adds benches for metadata of Common Crawl, where each record is a member of a gzip file: the scan
/// including the decoder, and the decoder alone.
fn wat(criterion: &mut Criterion<CpuTime>, urls: &Corpus) {
    let captures = if is_test() { "20" } else { "1000" };
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/make-wat");
    let mut made = Command::new(&generator);
    made.args(["--captures", captures, "--urls", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut made = made.spawn().unwrap_or_else(|error| panic!("{}: {error}", generator.display()));
    // The script reads all of its input before it writes.
    made.stdin.take().expect("it is a pipe").write_all(&urls.bytes).expect("it reads them");
    let made = made.wait_with_output().expect("it ends");
    assert!(made.status.success(), "{}", generator.display());
    let decoded = made.stdout;
    let bounds: Vec<usize> = memmem::find_iter(&decoded, "WARC/1.0\r\n").chain([decoded.len()]).collect();
    let mut file = Vec::new();
    for record in bounds.windows(2) {
        let mut encoder = GzEncoder::new(&mut file, Compression::default());
        let written = encoder.write_all(&decoded[record[0]..record[1]]).and_then(|()| encoder.finish());
        written.expect("a Vec takes everything");
    }

    let (scanner, validator) = scanner(Format::Wat);
    let expected = records(&scanner, &validator, &decoded);
    let mut group = group(criterion, "wat", expected, decoded.len());
    group.bench_function(BenchmarkId::new("1-decoder", "alone"), |bencher| {
        bencher
            .iter(|| std::io::copy(&mut MultiGzDecoder::new(&file[..]), &mut sink()).expect("it is sound"));
    });
    group.bench_function(BenchmarkId::new("2-format", "verdicts"), |bencher| {
        bencher.iter(|| records(&scanner, &validator, &decoded));
    });
    group.bench_function(BenchmarkId::new("3-compressed", "verdicts"), |bencher| {
        assert_eq!(decompressed_records(&scanner, &validator, &file), expected);
        bencher.iter(|| decompressed_records(&scanner, &validator, &file));
    });
}

pub fn scanner(format: Format) -> (Scanner, Validator) {
    let layout = Layout::new(format, &LayoutOptions::default()).expect("these options fit all");
    let validator = Validator::new(layout.grammar());
    (Scanner::new().layout(layout), validator)
}

/// Judges the records of an input, and returns their number.
pub fn records(scanner: &Scanner, validator: &Validator, input: &[u8]) -> usize {
    let mut found = 0;
    let flow = scanner.scan_slice(input, judge(validator), |records| {
        found += records;
        ControlFlow::<()>::Continue(())
    });
    assert!(flow.expect("there is memory").is_none());
    found
}

/// Judges the records of a compressed input, and returns their number.
fn decompressed_records(scanner: &Scanner, validator: &Validator, input: &[u8]) -> usize {
    let mut found = 0;
    let flow = scanner.scan_reader(input, judge(validator), |records| {
        found += records;
        ControlFlow::<()>::Continue(())
    });
    assert!(flow.expect("what is in memory can be read").is_none());
    found
}

fn judge(validator: &Validator) -> impl Fn(&Chunk<'_>) -> usize {
    let chunk_scanner = Mutex::new(ChunkScanner::default());
    move |chunk| {
        let mut chunk_scanner = chunk_scanner.lock().expect("nothing panics");
        chunk_scanner.scan(chunk, validator, Columns::NONE).expect("there is memory").len()
    }
}

fn group<'a>(
    criterion: &'a mut Criterion<CpuTime>,
    name: &str,
    records: usize,
    bytes: usize,
) -> criterion::BenchmarkGroup<'a, CpuTime> {
    assert!(records > 0, "{name} has links");
    let mut group = criterion.benchmark_group(format!("pages/{name}"));
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::ElementsAndBytes { elements: records as u64, bytes: bytes as u64 });
    group
}

/// The number of start tags that quick-xml finds.
fn elements(documents: &[u8]) -> usize {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_reader(documents);
    let mut count = 0;
    loop {
        match reader.read_event().expect("the document is well-formed") {
            Event::Start(_) | Event::Empty(_) => count += 1,
            Event::Eof => return count,
            _ => {}
        }
    }
}

/// The number of statements that oxttl parses. It judges their IRIs, too.
fn triples(statements: &[u8]) -> usize {
    let parser = oxttl::NTriplesParser::new().for_slice(statements);
    parser.inspect(|triple| assert!(triple.is_ok(), "the statements are valid")).count()
}

// The inputs.

fn size() -> usize {
    if is_test() { SMOKE } else { SIZE }
}

/// A sample from `corpora/logs`.
fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/logs").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A sample, repeated.
fn repeated(name: &str) -> Vec<u8> {
    let sample = sample(name);
    sample.repeat(size() / sample.len())
}

/// A sample in which the elements between these tags are repeated.
fn document(name: &str, first: &str, end: &str) -> Vec<u8> {
    let sample = text(sample(name));
    let start = sample.find(first).expect("the sample has it");
    let end = sample.find(end).expect("the sample has it");
    let elements = &sample[start..end];
    [&sample[..start], &elements.repeat(size() / elements.len()), &sample[end..]].concat().into_bytes()
}

/// A sitemap of the URIs of a list, as most generators write them.
fn sitemap(list: &Corpus) -> Vec<u8> {
    let mut sitemap = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        .to_vec();
    for uri in written_in_xml(list) {
        sitemap.extend_from_slice(b"<url>\n<loc>");
        sitemap.extend_from_slice(&uri);
        sitemap.extend_from_slice(
            b"</loc>\n<lastmod>2024-03-01T10:22:33+00:00</lastmod>\n\
              <changefreq>weekly</changefreq>\n<priority>0.5</priority>\n</url>\n",
        );
        if sitemap.len() >= size() {
            break;
        }
    }
    sitemap.extend_from_slice(b"</urlset>\n");
    sitemap
}

/// A feed about the URIs of a list, with descriptions in HTML.
fn feed(list: &Corpus) -> Vec<u8> {
    let mut feed = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel>\n<title>News</title>\n"
        .to_vec();
    for uri in written_in_xml(list) {
        for part in [
            b"<item>\n  <title>A title of some words</title>\n  <link>".as_slice(),
            &uri,
            b"</link>\n  <guid isPermaLink=\"true\">",
            &uri,
            b"</guid>\n  <pubDate>Fri, 01 Mar 2024 10:22:33 GMT</pubDate>\n  <dc:creator><![CDATA[A name]]></dc:creator>\n  \
              <description><![CDATA[<p>A description of about twenty words, which is what many feeds have, with a link to \
              the page at its end: <a href=\"/\">more</a></p>]]></description>\n</item>\n",
        ] {
            feed.extend_from_slice(part);
        }
        if feed.len() >= size() {
            break;
        }
    }
    feed.extend_from_slice(b"</channel>\n</rss>\n");
    feed
}

/// The URIs of a list as text of XML, again and again.
fn written_in_xml(list: &Corpus) -> impl Iterator<Item = Vec<u8>> {
    let validator = Validator::new(Grammar::Uri);
    let lines = list.bytes.split(|&byte| byte == b'\n').filter(move |line| validator.is_valid(line)).cycle();
    lines.map(|line| {
        let mut written = Vec::with_capacity(line.len() + 16);
        for &byte in line {
            written.extend_from_slice(if byte == b'&' { b"&amp;" } else { std::slice::from_ref(&byte) });
        }
        written
    })
}

/// Statements of N-Triples about the valid URIs of a list: three IRIs each, or two and a literal.
fn statements(list: &Corpus) -> Vec<u8> {
    let validator = Validator::new(Grammar::Iri);
    let mut statements = Vec::with_capacity(size() + 4096);
    for line in list.bytes.split(|&byte| byte == b'\n').filter(|line| validator.is_valid(line)).cycle() {
        let start = statements.len();
        for part in [b"<".as_slice(), line, b"> <http://purl.org/dc/terms/references> <", line, b"#a> .\n"] {
            statements.extend_from_slice(part);
        }
        statements.extend_from_slice(b"<");
        statements.extend_from_slice(line);
        statements.extend_from_slice(b"> <http://purl.org/dc/terms/title> \"A title of some words\"@en .\n");
        if start >= size() {
            break;
        }
    }
    statements
}

/// The folder of the toolchain's HTML documentation.
fn documentation() -> PathBuf {
    let rustc = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    Path::new(&sysroot.unwrap_or_default()).join("share/doc/rust/html")
}

/// The folder with the sources of crates, which have READMEs and changelogs.
fn registry() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from).join("registry/src")
}

/// The content of the files below a folder whose names end with this, joined in the order of their paths.
fn files(folder: &Path, extension: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut add = |path: &Path| {
        if path.extension() == Some(OsStr::new(extension)) {
            bytes.extend(fs::read(path).unwrap_or_default());
            bytes.push(b'\n');
        }
        bytes.len() < size()
    };
    if !walk(folder, &mut add) {
        return bytes;
    }
    if bytes.is_empty() {
        eprintln!("{} is not at hand (benches/README.md says what it is)", folder.display());
    }
    bytes
}

/// Passes the files below a folder to `each`, in the order of their paths, until `each` returns false.
/// Returns whether it never did.
fn walk(folder: &Path, each: &mut impl FnMut(&Path) -> bool) -> bool {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().all(|path| if path.is_dir() { walk(path, each) } else { each(path) })
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}
