//! Tests compressed files.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

#[cfg(unix)]
use super::process;
use super::{Dir, run};

type Compress = fn(&[u8]) -> Vec<u8>;

pub(super) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(content, 3).unwrap()
}

fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn xz(content: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

const FORMATS: [(&str, Compress); 4] = [("gzip", gzip), ("zstd", zstd), ("bzip2", bzip2), ("xz", xz)];

/// Returns a list that is mostly valid, with some errors, some CRLFs, and no LF at the end.
fn list(lines: usize) -> Vec<u8> {
    let mut list = Vec::new();
    for i in 0..lines {
        let place = i * 7919 % 1_000_003;
        let middle = if i % 1_000 == 500 { " " } else { "/" };
        let end = if i % 10 == 3 { "\r\n" } else { "\n" };
        write!(list, "https://www.example.com/{place}{middle}index.html?q={i}{end}").unwrap();
    }
    list.extend(b"last");
    list
}

/// Compresses the content as `count` members, cut in the middle of lines.
fn members(content: &[u8], count: usize, compress: Compress) -> Vec<u8> {
    content.chunks(content.len().div_ceil(count)).flat_map(compress).collect()
}

/// Tests that a run reports the same as for the content, for any name, number of members, transport and
/// number of threads.
#[test]
fn a_compressed_list_is_scanned_as_its_content() {
    let dir = Dir::new();
    let content = list(60_000);
    dir.write("list", &content);
    let outputs = ["", "--emit valid", "--emit invalid", "--emit offsets --to jsonl"];
    let expected = outputs.map(|args| dir.run(&format!("{args} list")));
    for (name, compress) in FORMATS {
        // 38 members are tried by the tests below.
        for count in [1, 5_000] {
            dir.write("list", members(&content, count, compress));
            for (args, expected) in outputs.iter().zip(&expected) {
                assert!(!expected.stdout.is_empty());
                for more in ["-j1", "-j2", "-j5 --no-mmap"] {
                    let found = dir.run(&format!("{args} {more} list"));
                    assert!(found == *expected, "{args} {more}: {name}, {count} members");
                }
            }
        }
    }
}

#[test]
fn statistics_are_those_of_the_content() {
    let dir = Dir::new();
    let content = list(50_000);
    let lines = content.split(|&byte| byte == b'\n').count();
    for (_, compress) in FORMATS {
        dir.write("list", members(&content, 38, compress));
        let stats = dir.run("--stats=json list").json();
        assert_eq!((&stats["bytes"], &stats["records"]), (&content.len().into(), &lines.into()));
        assert_eq!(stats["errors"], serde_json::json!({"missing-scheme": 1, "space": 50}));
    }
}

#[test]
fn standard_input_may_be_compressed() {
    let content = list(30_000);
    let expected = run("", content.clone());
    for (_, compress) in FORMATS {
        for count in [1, 38] {
            for args in ["-j1", "-j2 -"] {
                assert!(run(args, members(&content, count, compress)) == expected);
            }
        }
    }
    #[cfg(unix)]
    run("/dev/stdin --emit valid", gzip(b"urn:a\nb\n")).expect(0, "urn:a\n", "");
}

#[cfg(unix)]
#[test]
fn a_fifo_may_be_compressed() {
    let dir = Dir::new();
    let fifo = dir.fifo("fifo");
    for (_, compress) in FORMATS {
        let compressed = members(&list(100_000), 38, compress);
        let writer = std::thread::spawn({
            let fifo = fifo.clone();
            move || std::fs::write(fifo, compressed).unwrap()
        });
        let run = dir.run("fifo");
        writer.join().unwrap();
        assert!(run.text().starts_with("fifo:501:"), "{}", run.text());
        assert!(run.text().contains("\nfifo:100001:5: missing-scheme"), "{}", run.text());
        assert_eq!(run.text().lines().count(), 101);
    }
}

/// Tests that a FIFO that stalls does not delay the verdicts on earlier lines.
#[cfg(unix)]
#[test]
fn a_slow_compressed_writer_gets_answers_in_between() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    for threads in ["-j1", "-j2"] {
        let mut child = process()
            .args(["--emit", "valid", threads])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut encoder = GzEncoder::new(child.stdin.take().unwrap(), Compression::new(6));
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for i in 0..5 {
            let line = format!("urn:{i}\n");
            encoder.write_all(line.as_bytes()).unwrap();
            encoder.flush().unwrap();
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert_eq!(answer, line);
        }
        drop(encoder);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// Tests zipnum indexes as pywb and Common Crawl write them: CDXJ in members with a fixed number of lines.
#[test]
fn blocks_of_an_index_are_read_in_order() {
    let dir = Dir::new();
    let line = |i: usize| {
        let space = if i % 1_000 == 999 { " " } else { "/" };
        let url = format!("https://example.org/{i}{space}x");
        format!(
            "org,example)/{i} 20240518015810 {{\"url\": \"{url}\", \"status\": \"200\", \"offset\": \"{}\"}}\n",
            i * 977
        )
    };
    let lines: Vec<String> = (0..38 * 114).map(line).collect();
    let index: Vec<u8> = lines.chunks(114).flat_map(|block| gzip(block.concat().as_bytes())).collect();
    dir.write("index.cdx.gz", index);
    let error = |line: usize, column: usize| {
        format!("index.cdx.gz:{line}:{column}: space: a space must be written %20\n")
    };
    let errors = error(1000, 65) + &error(2000, 67) + &error(3000, 67) + &error(4000, 67);
    dir.run("--from cdxj index.cdx.gz").expect(1, errors, "");
    dir.run("--from lines --emit invalid index.cdx.gz").expect(0, lines.concat(), "");
    let found = dir.run("index.cdx.gz");
    assert!(found.stderr.contains("cdxj"), "its content decides: {}", found.stderr);
}

/// Tests web archives as they are stored: each record is a member.
#[test]
fn records_of_a_web_archive_are_members() {
    let dir = Dir::new();
    let mut archive = Vec::new();
    let mut errors = String::new();
    for i in 0..2_000 {
        let block = format!("WARC/1.0\r\nWARC-Target-URI: urn:not:{{{i}}}\r\n\r\n").repeat(i % 4);
        let uri = match i % 500 {
            499 => format!("http://example.com/{i:04}{{"),
            _ if i % 2 == 0 => format!("<http://example.com/{i:04}>"),
            _ => format!("http://example.com/{i:04}"),
        };
        if i % 500 == 499 {
            let line: usize = (0..i).map(|i| 6 + 3 * (i % 4)).sum();
            errors += &format!(
                "all.warc.gz:{}:41: invalid-character: \"{{\" is not allowed in the path\n",
                line + 2
            );
        }
        let record = format!(
            "WARC/1.1\r\nWARC-Target-URI: {uri}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        archive.extend(gzip(record.as_bytes()));
    }
    dir.write("all.warc.gz", &archive);
    let note = "urivalidate: all.warc.gz: read as warc (200 of 200 lines fit), grammar uri; --from and --grammar choose others\n";
    for threads in ["-j1", "-j2", "-j8"] {
        dir.run(&format!("{threads} all.warc.gz")).expect(1, &errors, note);
    }
    let stats = run("--stats=json", archive).json();
    let counts = ["records", "invalid", "malformed_lines"].map(|key| stats[key].as_u64().unwrap());
    assert_eq!(counts, [2_000, 4, 0]);
}

#[test]
fn an_archive_without_content_is_fine() {
    let dir = Dir::new();
    dir.write("empty.gz", "");
    dir.write("nothing.gz", gzip(b""));
    dir.write("nothing.zst", zstd(b""));
    dir.write("padded.gz", [gzip(b"urn:a\n"), vec![0; 1000]].concat());
    dir.run("empty.gz nothing.gz nothing.zst padded.gz").expect(0, "", "");
    dir.run("--emit valid empty.gz nothing.gz nothing.zst padded.gz").expect(0, "urn:a\n", "");
}

#[test]
fn a_record_that_a_truncated_archive_cuts_off_is_invalid() {
    let dir = Dir::new();
    for (name, compress) in FORMATS {
        // The first member is whole, the second lacks its end.
        let mut cut = [compress(b"urn:a:b\nurn:c"), compress(b":d\n")].concat();
        cut.truncate(compress(b"urn:a:b\nurn:c").len() + 3);
        dir.write("list", &cut);
        let stderr = format!("urivalidate: list: truncated {name} data at byte {}\n", cut.len());
        let message = "list:2:6: truncated: the input broke off before the end of the record\n";
        dir.run("list").expect(2, message, &stderr);
        dir.run("-j 1 --emit valid list").expect(2, "urn:a:b\n", &stderr);
        dir.run("--emit invalid list").expect(2, "urn:c", &stderr);
        let run = dir.run("--stats=json list");
        assert_eq!(run.status, 2);
        let stats: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!((&stats["records"], &stats["errors"]), (&2.into(), &serde_json::json!({"truncated": 1})));
        let run = dir.run("--emit components --columns line,valid,uri,error_kind,error_offset list");
        assert!(run.text().ends_with("2\tfalse\turn:c\ttruncated\t5\n"), "{}", run.text());
    }
}

/// The continuation of such a record is unknown.
#[test]
fn a_record_that_is_cut_off_is_not_mended() {
    let dir = Dir::new();
    let mut cut = [gzip(b"urn:a\nurn:b c"), gzip(b"d\n")].concat();
    cut.truncate(gzip(b"urn:a\nurn:b c").len() + 3);
    dir.write("list", &cut);
    let note = "urivalidate: --emit mended: 1 invalid record has no suggestion and is left out\n";
    let mended = dir.run("--emit mended --invalid i list");
    assert_eq!((mended.status, mended.text()), (2, "urn:a\n"));
    assert!(mended.stderr.ends_with(note), "{}", mended.stderr);
    assert_eq!(std::fs::read(dir.path().join("i")).unwrap(), b"urn:b c");
    assert_eq!(dir.run("--suggest list").text().matches("; try ").count(), 0);
    assert_eq!(dir.run("--to csv --columns line,suggestion list").text(), "line,suggestion\n2,\n");
}

/// Tests that the content before any cut is scanned, and so are the other files.
#[test]
fn a_truncated_archive_is_reported_after_what_it_had() {
    let dir = Dir::new();
    dir.write("good", "bad\n");
    let error = |file: &str, line: usize, column: usize| {
        format!("{file}:{line}:{column}: missing-scheme: no scheme: the record ends before a \":\"\n")
    };
    for (name, compress) in FORMATS {
        let first = compress(b"x\ny\n");
        let whole = [&first[..], &compress(b"z\n")].concat();
        for len in (first.len() + 1..whole.len()).chain(2..first.len()) {
            // A file too short to show its compression counts as text.
            let telling = match name {
                "gzip" => 2,
                "zstd" => 4,
                "xz" => 6,
                _ => 15,
            };
            if len < telling {
                continue;
            }
            dir.write("list", &whole[..len]);
            let run = dir.run("list good");
            let (found, other) = run.text().split_at(run.text().find("good").unwrap());
            assert_eq!(other, error("good", 1, 4));
            assert_eq!(run.stderr, format!("urivalidate: list: truncated {name} data at byte {len}\n"));
            assert_eq!(run.status, 2);
            let lines = found.lines().count();
            let whole: String = (1..=lines).map(|line| error("list", line, 2)).collect();
            // The last line may lack its LF.
            let cut = (1..lines).map(|line| error("list", line, 2)).collect::<String>()
                + &format!("list:{lines}:2: truncated: the input broke off before the end of the record\n");
            assert!(found == whole || found == cut, "{len}: {found}");
            if len > first.len() {
                assert!(found.lines().count() >= 2, "{len}: {found}");
            }
        }
    }
}

#[test]
fn a_corrupt_archive_is_reported_after_what_it_had() {
    let dir = Dir::new();
    let content = list(100_000);
    for (name, compress) in FORMATS {
        let mut damaged = members(&content, 20, compress);
        let len = damaged.len();
        damaged[len / 2..len / 2 + 100].fill(0xFF);
        dir.write("list", &damaged);
        dir.write("good", "urn:a\n");
        for threads in ["-j1", "-j2"] {
            let run = dir.run(&format!("--emit valid {threads} list good"));
            assert_eq!(run.status, 2);
            let rest =
                run.stderr.strip_prefix(&format!("urivalidate: list: corrupt {name} data at byte ")).unwrap();
            let (position, reason) = rest.split_once(": ").unwrap();
            let position: usize = position.parse().unwrap();
            assert!((len * 4 / 10..len * 6 / 10).contains(&position), "{position} of {len}");
            assert!(reason.len() > 5, "{reason}");
            assert!(run.text().ends_with("urn:a\n"));
            let lines = run.text().lines().count();
            assert!((44_000..60_000).contains(&lines), "{lines}");
        }
    }
}

#[test]
fn a_wrong_checksum_is_reported() {
    let mut damaged = gzip(b"urn:a\nb\n");
    let len = damaged.len();
    damaged[len - 5] ^= 1;
    let error = "-:2:2: missing-scheme: no scheme: the record ends before a \":\"\n";
    let reason = format!("urivalidate: -: corrupt gzip data at byte {}: incorrect data check\n", len - 4);
    run("", damaged).expect(2, error, &reason);
}

#[test]
fn what_follows_the_last_member_is_no_secret() {
    let whole = gzip(b"urn:a\n");
    let reason = "neither a gzip member nor zeros follow the last one";
    run("--emit valid", [&whole[..], b"urn:b\n"].concat()).expect(
        2,
        "urn:a\n",
        &format!("urivalidate: -: corrupt gzip data at byte {}: {reason}\n", whole.len()),
    );
}

/// Tests that a byte order mark belongs to the content, whose lines may be longer than the compressed file.
#[test]
fn limits_apply_to_the_content() {
    let content = [&b"\xEF\xBB\xBFurn:a\nurn:"[..], &[b'a'; 3 << 20], b"\r\nurn:b\n"].concat();
    for (_, compress) in FORMATS {
        for count in [1, 7] {
            let compressed = members(&content, count, compress);
            let error = "-:2:1048577: record-too-long: the record is longer than 1048576 bytes\n";
            run("--max-record 1M", compressed.clone()).expect(1, error, "");
            run("--max-record 4M", compressed.clone()).expect(0, "", "");
            let invalid = run("--emit invalid --max-record 1M", compressed);
            assert!(invalid.stdout == content[9..content.len() - 6]);
        }
    }
}

/// Tests that neither data that grows a thousandfold nor an endless record takes more memory.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn memory_is_bounded_whatever_is_in_it() {
    use super::faults::peak_memory;
    for (_, compress) in FORMATS {
        for content in [[&[b'/'; 1023][..], b"\n"].concat(), vec![b'a'; 1024]] {
            let one = compress(&content.repeat(64 << 10));
            let many = compress(&content.repeat(4 << 10)).repeat(64);
            for bomb in [one.repeat(4), many] {
                let write = move |input: &mut dyn Write| input.write_all(&bomb).unwrap();
                let args = ["--stats", "--max-record", "1M", "-j2", "-g", "request-target"];
                let peak = peak_memory(&args, write);
                assert!(peak < 64 << 20, "{} MiB", peak >> 20);
            }
        }
    }
}
