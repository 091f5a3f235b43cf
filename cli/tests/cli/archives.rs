//! Tests web archives: the links of pages, with the page, the base and the URL to which each refers.

use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;

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
