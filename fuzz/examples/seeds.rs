//! Writes the initial inputs of each fuzzer to a directory with its name: seeds DIRECTORY CORPORA.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;
use urivalidate::corpus::Format;
use urivalidate_fuzz::knobs;

#[path = "../../tests/backends/cases.rs"]
mod cases;

/// The largest size in bytes of the first lines of a file. Fuzzers need short inputs.
const SHORT: usize = 1000;

/// Records with normal forms of their own. The first one is the base of the others.
const FORMS: &[&[u8]] = &[
    b"http://Example.COM/a/./b/../%7ec?q#f",
    b"../g",
    b"?y",
    b"#s",
    b"//H:80/%2e%2e/a",
    b"./b:c",
    b"x:/a/..//b",
    b"%c3%a9/%2F",
    b"http://www.b.co.uk/a?b=2&a=1",
    b"http://[::FFFF]/",
];

/// Lists of hosts, and after an empty line hosts.
const HOSTS: &[&[u8]] = &[
    b"example.com\n.example.org\n*.a.example.net\n\nwww.example.org\nEXAMPLE.com.\nb%2Ea.example.net\nnet\n",
    b"# hosts\n127.0.0.1 localhost\n0.0.0.0 a.example b.example # c\n::1 ip6-localhost\n\na.example\n[::1]\n127.0.0.1\n",
    b"[Adblock Plus 2.0]\n! a comment\n||example.com^\n||ads.example^$third-party\n@@||b.example^\n##.ad\n/ad/*\n\nc.example.com\n",
    b"192.0.2.1\n2001:db8::1\n[2001:DB8::2]\nb\xC3\xBCcher.example\nxn--bcher-kva.example\n\n[2001:db8:0::1]\nb%C3%BCcher.example\n",
];

fn main() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(directory), Some(corpora)) = (arguments.next(), arguments.next()) else {
        panic!("seeds DIRECTORY CORPORA")
    };
    let put = |target: &str, name: &str, bytes: &[u8]| {
        let directory = directory.join(target);
        fs::create_dir_all(&directory)?;
        fs::write(directory.join(name), bytes)
    };

    for (number, case) in cases::CASES.iter().enumerate() {
        for target in ["backends", "oracle", "parse"] {
            put(target, &format!("case-{number:03}"), case)?;
        }
        put("unescape", &format!("case-{number:03}"), &[&[number as u8], *case].concat())?;
    }
    let lines = cases::CASES.join(&b'\n');
    put("backends", "cases", &lines)?;
    for grammar in 0..9 {
        put("corpus", &format!("cases-{grammar}"), &with_knobs(0, grammar, 0, &lines))?;
    }
    let normal = FORMS.join(&b'\n');
    for grammar in 0..9 {
        put("forms", &format!("forms-{grammar}"), &with_knobs(0, grammar, 0, &normal))?;
        put(
            "forms",
            &format!("cases-{grammar}"),
            &with_knobs(0, grammar, 0, &[b"x://h/a/b?q\n", &lines[..]].concat()),
        )?;
    }
    for choice in 0..4 {
        for grammar in 0..9 {
            put(
                "rows",
                &format!("cases-{choice}-{grammar}"),
                &with_knobs(0, grammar, choice, &cases::CASES.join(&0)),
            )?;
        }
    }
    for (number, list) in HOSTS.iter().enumerate() {
        put("hosts", &format!("list-{number}"), list)?;
    }
    put("corpus", "cases-nul", &with_knobs(3, 0, 0, &cases::CASES.join(&0)))?;
    put("corpus", "cases-trimmed", &with_knobs(4, 0, 0, &cases::CASES.join(&b" \r\n\t"[..])))?;
    for path in files(&corpora)? {
        let bytes = fs::read(&path)?;
        let short = &bytes[..bytes.len().min(SHORT)];
        let head = &short[..short.iter().rposition(|&byte| byte == b'\n').map_or(short.len(), |at| at + 1)];
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        put("corpus", &name, &with_knobs(0, 0, 0, head))?;
        // The sample in its own format with each choice of a field, and with a detected format.
        let formats = Format::ALL.len() as u8 + 1;
        let own = Format::ALL.iter().position(|&format| format == Format::detect(head));
        let own = own.expect("all formats are there") as u8;
        for choice in (0..6).map(|field| field * formats + own).chain([formats - 1]) {
            put("formats", &format!("{name}-{choice}"), &with_knobs(0, 0, choice, head))?;
        }
        for choice in 0..9 {
            put("fields", &format!("{name}-{choice}"), &with_knobs(0, 0, choice, head))?;
        }
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        gzip.write_all(head)?;
        put("compressed", &format!("{name}.gz"), &with_knobs(0, 0, 0, &gzip.finish()?[2..]))?;
        let zstd = zstd::bulk::compress(head, 3)?;
        put("compressed", &format!("{name}.zst"), &with_knobs(0, 0, 1, &zstd[4..]))?;
        for choice in [2, 3] {
            for damage in 0..3 {
                let content = [&[99, damage, 200], head].concat();
                put("compressed", &format!("{name}-{choice}-{damage}"), &with_knobs(0, 0, choice, &content))?;
            }
        }
    }
    Ok(())
}

/// An input with chunks of 64 bytes, no limit on records, and pieces of 32 bytes.
fn with_knobs(how: u8, grammar: u8, choice: u8, bytes: &[u8]) -> Vec<u8> {
    let knobs: [u8; knobs::LEN] = [63, 200, 31, how, grammar, choice];
    [&knobs, bytes].concat()
}

/// All files in a directory and its subdirectories, except documentation.
fn files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.file_name().is_none_or(|name| name != "README.md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
