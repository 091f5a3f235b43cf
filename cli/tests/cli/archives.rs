//! Tests web archives: the links of pages, with the page, the base and the URL to which each refers.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::compressed::gzip;
use crate::{Dir, run};

const LINKS: &[u8] = include_bytes!("../../../corpora/logs/links.wat");
const PAGES: &[u8] = include_bytes!("../../../corpora/logs/pages.warc");

const FROM_PAGES: &str = "\
page,base,resolved
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/style.css
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://cdn.example/s.js
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/up
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/dir/logo.png?a=1&b=2
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/dir/img/b.png
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/spaces
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/dir/page?q#top
https://www.example.com/dir/page?q#top,https://www.example.com/dir/page?q,https://www.example.com/dir/page?q
http://h.example/,http://h.example/base/dir/,http://h.example/base/dir/x
http://h.example/,http://h.example/base/dir/,http://h.example/y
http://h.example/,http://h.example/,http://h.example/base/dir/
http://h.example/bad-base,http://h.example/bad-base,http://h.example/z
http://h.example/last,http://h.example/last,http://h.example/last
";

const ROWS: &str = "--emit components --only valid --columns page,base,resolved";

#[test]
fn links_are_resolved_against_their_pages() {
    let csv = run(&format!("--from wat {ROWS} --to csv"), LINKS);
    csv.expect(0, FROM_PAGES, "");
    // --base has no effect here.
    run(&format!("--from wat {ROWS} --to csv --base http://other/"), LINKS).expect(0, FROM_PAGES, "");
    let resolved: String =
        FROM_PAGES.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().to_owned() + "\n").collect();
    run("--from wat --emit resolved --no-notes", LINKS).expect(0, &resolved, "");
    let batches = run(&format!("--from wat {ROWS} --to arrow"), LINKS).stdout;
    let mut rows = "page,base,resolved\n".to_owned();
    for batch in StreamReader::try_new(&batches[..], None).unwrap() {
        let batch = batch.unwrap();
        for row in 0..batch.num_rows() {
            let cells: Vec<_> =
                batch.columns().iter().map(|column| column.as_string::<i32>().value(row)).collect();
            rows += &(cells.join(",") + "\n");
        }
    }
    assert_eq!(rows, FROM_PAGES);
}

#[test]
fn invalid_links_have_pages_too() {
    let rows = run("--from wat --emit errors --columns line,page,base,element,attribute --to csv", LINKS);
    assert_eq!(rows.status, 1);
    let base = "https://www.example.com/dir/page?q";
    let page = format!("{base}#top");
    let expected =
        format!("27,{page},{base},form,action\n27,{page},{base},a,href\n54,http://h.example/bad-base,");
    assert!(rows.text().contains(&expected), "{}", rows.text());
    assert!(rows.text().contains("\n102,,,,\n"), "{}", rows.text());
}

/// Tests files cut as Common Crawl cuts its files: each record is a member.
#[test]
fn neither_members_nor_pipes_nor_threads_show() {
    for (from, file) in [("--from wat", LINKS), ("--from warc --field links", PAGES)] {
        let dir = Dir::new();
        let mut records: Vec<Vec<u8>> = Vec::new();
        for line in file.split_inclusive(|&byte| byte == b'\n') {
            match records.last_mut() {
                Some(record) if !line.starts_with(b"WARC/") => record.extend_from_slice(line),
                _ => records.push(line.to_vec()),
            }
        }
        // The last line may have no line end.
        records.last_mut().unwrap().extend_from_slice(b"\r\n\r\n");
        let times = 300;
        let whole = records.concat().repeat(times);
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        dir.write("a", &whole);
        dir.write("a.gz", members.repeat(times));
        for args in [ROWS, "--emit errors --columns line,column,page", "--count resolved"] {
            let on = |more: &str| dir.run(&format!("{from} {args} {more}")).text().to_owned();
            let expected = on("-j1 a");
            assert!(expected.lines().count() >= 4, "{args}: {expected}");
            for more in ["-j2 a", "-j8 a", "-j1 a.gz", "-j2 a.gz", "-j8 a.gz", "--no-mmap a"] {
                assert!(on(more) == expected, "{from} {args} {more}");
            }
            let piped = run(&format!("{from} {args} -j2"), whole.clone());
            assert!(piped.text() == expected, "{from} {args} from a pipe");
        }
        let found_out = dir.run(&format!("{ROWS} --base http://h/ a.gz"));
        let format = if from.contains("wat") { "wat" } else { "warc" };
        assert!(found_out.stderr.contains(&format!("a.gz: read as {format} (")), "{}", found_out.stderr);
    }
}

/// Blocks of an archive may have any length, with and without line ends, so chunks start within lines.
#[test]
fn lines_of_headers_and_of_blocks_are_shared_out() {
    let record = |uri: &str, block: &str| {
        let length = block.len();
        format!("WARC/1.0\r\nWARC-Target-URI: {uri}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n")
    };
    let long = "x".repeat(3_000_000);
    let lines = "WARC-Target-URI: http://no.example/\n".repeat(100_000);
    let mut file = String::new();
    for (number, block) in [&long[..], &lines, "", "short", &long, &lines].into_iter().enumerate() {
        file += &record(&format!("http://h/{number}"), block);
        file += &record(&format!("http://h/ {number}"), "");
    }
    let shares = |word: &str| {
        let is_valid = |line: &str| line.starts_with("WARC-Target-URI: http://h/") && !line.contains("/ ");
        let share = |line: &&str| match word {
            "valid" => is_valid(line),
            "invalid" => line.starts_with("WARC-Target-URI: http://h/") && !is_valid(line),
            _ => !line.starts_with("WARC-Target-URI: http://h/"),
        };
        file.split_inclusive('\n').filter(share).collect::<String>()
    };
    let dir = Dir::new();
    dir.write("a", &file);
    for options in ["-j1 a", "-j2 a", "-j2 --no-mmap a", "-j1 --max-record 2K a"] {
        assert_eq!(dir.run(&format!("-f warc --valid v --invalid i --rest r {options}")).status, 1);
        for (share, name) in [("valid", "v"), ("invalid", "i"), ("rest", "r")] {
            assert!(
                std::fs::read(dir.path().join(name)).unwrap() == shares(share).as_bytes(),
                "{share} with {options}"
            );
        }
        let first = dir.run(&format!("-f warc --fail-fast {options}"));
        let place = format!("a:{}:27: space: ", file[..file.find("h/ 0").unwrap()].matches('\n').count() + 1);
        assert!(first.text().starts_with(&place) && first.text().lines().count() == 1, "{}", first.text());
    }
    let piped = run("-f warc --emit rest", file.clone());
    assert!(piped.stdout == shares("rest").as_bytes());
    // The file ends in a header.
    let cut_off = "WARC/1.0\nWARC-Target-URI: http://h/\nContent-Length: 5\n";
    for from in ["-f warc", "-f warc --field links"] {
        for fast in ["", "--fail-fast"] {
            let errors =
                run(&format!("{from} {fast} --to csv --columns line,column,reason --no-notes"), cut_off);
            assert_eq!(errors.text(), "line,column,reason\n1,1,cut-off\n", "{from} {fast}");
        }
    }
}

#[test]
fn what_has_no_pages_needs_a_base() {
    run("--from html --emit components --columns page --to csv", "<html><a href=x>")
        .expect(0, "page\n\n", "");
    run("--from html --emit components --columns page,base --to csv --base http://h/a", "<html><a href=x>")
        .expect(0, "page,base\nhttp://h/a,http://h/a\n", "");
    let done = run("--emit components --columns resolved --to jsonl", "http://h/\n");
    assert_eq!((done.status, done.text()), (2, ""));
    assert!(done.stderr.contains("needs --base"), "{}", done.stderr);
}

/// A zip archive of these entries: their names, whether they are deflated, and their contents.
fn zip(entries: &[(&str, bool, &[u8])], comment: &str) -> Vec<u8> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, is_deflated, content) in entries {
        let bytes = if *is_deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        } else {
            content.to_vec()
        };
        // The version, flags, method, time, date, checksum, lengths; the lengths of the name and of a field
        // that means nothing.
        let mut description = vec![20, 0, 0, 0, if *is_deflated { 8 } else { 0 }, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        description.extend((bytes.len() as u32).to_le_bytes());
        description.extend((content.len() as u32).to_le_bytes());
        description.extend((name.len() as u16).to_le_bytes());
        description.extend(5_u16.to_le_bytes());
        let start = zip.len() as u32;
        zip.extend(
            [b"PK\x03\x04", &description[..], name.as_bytes(), b"\x99\x99\x01\0x", &bytes[..]].concat(),
        );
        directory.extend([b"PK\x01\x02\x14\0", &description[..], &[0; 10]].concat());
        directory.extend(start.to_le_bytes());
        directory.extend([name.as_bytes(), b"\x99\x99\x01\0x"].concat());
    }
    let (start, len, count) = (zip.len() as u32, directory.len() as u32, entries.len() as u16);
    zip.extend(directory);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend([count, count].map(u16::to_le_bytes).concat());
    zip.extend([len, start].map(u32::to_le_bytes).concat());
    zip.extend((comment.len() as u16).to_le_bytes());
    zip.extend(comment.as_bytes());
    zip
}

fn capture(name: &str) -> Vec<u8> {
    let page = format!("<a href='/{name} x'>a</a>");
    let header =
        format!("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://www.example.org/{name}\r\n");
    format!("{header}Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n", page.len())
        .into_bytes()
}

#[test]
fn archives_in_a_wacz_file_are_read_in_place() {
    let dir = Dir::new();
    let [one, two] = [capture("one"), capture("two")];
    let [packed_one, packed_two] = [gzip(&one), gzip(&two)];
    let other = b"http://other.example/";
    let links = "/one x\n/two x\n";
    for (name, entries, comment) in [
        ("stored", [("archive/a.warc", false, &one[..]), ("archive/b.WARC", false, &two)], ""),
        (
            "deflated",
            [("archive/a.warc", true, &one), ("archive/b.warc", false, &two)],
            "a comment PK\x05\x06",
        ),
        ("packed", [("archive/a.warc.gz", false, &packed_one), ("archive/b.warc.gz", true, &packed_two)], ""),
    ] {
        let entries =
            [&[("datapackage.json", true, &other[..])], &entries[..], &[("pages/pages.jsonl", false, other)]];
        dir.write(name, zip(&entries.concat(), comment));
        for more in ["-j1", "-j2", "--no-mmap"] {
            let found = dir.run(&format!("--from warc --field links --emit invalid {more} {name}"));
            assert_eq!((found.status, found.text()), (0, links), "{name}: {}", found.stderr);
        }
        let found = dir.run(&format!("--emit components --columns uri {name}"));
        assert_eq!(
            found.text(),
            "https://www.example.org/one\nhttps://www.example.org/two\n",
            "{}",
            found.stderr
        );
        assert!(found.stderr.contains("read as warc ("), "{}", found.stderr);
        // A pipe has no directory before its end.
        let piped = run("--from warc", std::fs::read(dir.path().join(name)).unwrap());
        assert_eq!(piped.status, 2);
        assert!(piped.stderr.contains("a zip archive, which cannot be read here"), "{}", piped.stderr);
    }
    let mixed = zip(&[("archive/a.warc", false, &one), ("archive/b.warc.gz", false, &packed_two)], "");
    let whole = zip(&[("archive/a.warc", false, &one)], "");
    let mut encrypted = whole.clone();
    let at = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    encrypted[at + 8] = 1;
    let mut lost = whole.clone();
    lost[at + 42] = 1;
    let mut beyond = whole.clone();
    beyond[at + 20..at + 24].copy_from_slice(&[0xFF, 0xFF, 0, 0]);
    for (file, said) in [
        (zip(&[("a.warc", false, &one)], ""), "a zip archive, which cannot be read here"),
        (whole[..whole.len() - 1].to_vec(), "a zip archive, which cannot be read here"),
        (mixed, "that are not compressed alike"),
        (encrypted, "encrypted or compressed in a rare way"),
        (lost, "a broken zip archive"),
        (beyond, "a truncated zip archive"),
    ] {
        dir.write("file", file);
        let refused = dir.run("file");
        assert_eq!((refused.status, refused.text()), (2, ""));
        assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
}

/// Tests `.warc.zst` files, whose first frame may hold the dictionary of all others.
#[test]
fn a_dictionary_is_in_the_first_frame() {
    const DICTIONARY: &[u8] = include_bytes!("archive.dictionary");

    let dir = Dir::new();
    let frame =
        |content: &[u8]| [b"\x5D\x2A\x4D\x18", &(content.len() as u32).to_le_bytes()[..], content].concat();
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, DICTIONARY).unwrap();
    let names: Vec<String> = (0..20_000).map(|number| format!("page/{number}")).collect();
    let frames: Vec<u8> =
        names.iter().flat_map(|name| compressor.compress(&capture(name)).unwrap()).collect();
    let uris: String = names.iter().map(|name| format!("https://www.example.org/{name}\n")).collect();
    let small = zstd::encode_all(DICTIONARY, 3).unwrap();
    for (name, dictionary) in [("plain.warc.zst", DICTIONARY), ("small.warc.zst", &small)] {
        let file = [frame(dictionary), frames.clone()].concat();
        dir.write(name, &file);
        for threads in ["-j1", "-j2", "-j8"] {
            let found = dir.run(&format!("--emit components --columns uri {threads} {name}"));
            assert_eq!((found.status, found.text() == uris), (0, true), "{threads} {name}: {}", found.stderr);
        }
        let piped = run("--from warc --emit components --columns uri", file);
        assert!(piped.text() == uris, "{}", piped.stderr);
    }
    let large = zstd::encode_all(&vec![0; (8 << 20) + 1][..], 3).unwrap();
    for (file, said) in [
        (frames.clone(), "compressed with a dictionary"),
        ([frame(b"no dictionary"), frames.clone()].concat(), "compressed with a dictionary"),
        ([frame(&DICTIONARY[..20]), frames.clone()].concat(), "at byte 8: the dictionary: "),
        ([frame(&large), frames.clone()].concat(), "a dictionary of more than 8 MiB"),
        (frame(DICTIONARY)[..100].to_vec(), "truncated zstd data at byte 100"),
    ] {
        dir.write("file", file);
        let refused = dir.run("--from warc file");
        assert_eq!((refused.status, refused.text()), (2, ""), "{said}");
        assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
    // Without a dictionary, the first frame is skipped.
    dir.write(
        "skipped",
        [frame(b"no dictionary"), zstd::encode_all(&capture("one")[..], 3).unwrap()].concat(),
    );
    dir.run("--from warc --emit components --columns uri skipped").expect(
        0,
        "https://www.example.org/one\n",
        "",
    );
}
