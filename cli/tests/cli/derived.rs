//! Tests columns derived from a record: `normalized`, `resolved`, `to_uri`, `surt`, domains; `--normalize`,
//! `--base`.

use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;

use crate::compressed::gzip;
use crate::{Dir, run};

const LIST: &str = "HTTP://Example.com:80/%7ea/./b?x,y\nno\nhttp://h\r\nhttp://h/a";

#[test]
fn normal_forms_are_written_one_a_line() {
    run("--emit normalized --no-notes", LIST).expect(
        0,
        "http://example.com:80/~a/b?x,y\nhttp://h\nhttp://h/a\n",
        "",
    );
    let by_scheme = "http://example.com/~a/b?x,y\nhttp://h/\nhttp://h/a\n";
    run("--emit normalized --no-notes --normalize scheme", LIST).expect(0, by_scheme, "");
    let ports = "x://h:/\nx://h:1/\n//h/:\nx://u:@h/\n";
    run("--emit normalized --normalize scheme -g uri-reference", ports).expect(
        0,
        "x://h/\nx://h:1/\n//h/:\nx://u:@h/\n",
        "",
    );
    run("--emit normalized --no-notes -0", "http://H/\0a b\0urn:A").expect(0, "http://h/\0urn:A\0", "");
    run("--emit normalized --no-notes --trim", " http://H/ \n").expect(0, "http://h/\n", "");
    run("--emit normalized --no-notes --max-record 9", "http://H/a\nhttp://H/").expect(0, "http://h/\n", "");
}

/// Tests that runs of lines, which are copied whole, end where a line has CR LF, is invalid or changes.
#[test]
fn runs_of_normal_records_end_where_they_must() {
    let lines = ["http://h/a\n", "http://h/b\r\n", "http://H/c\n", "no\n", "urn:a\n", "\n"];
    let expected = ["http://h/a\n", "http://h/b\n", "http://h/c\n", "", "urn:a\n", ""];
    let mut number = 1_usize;
    let mut next = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % lines.len()
    };
    let picked: Vec<_> = (0..20_000).map(|_| next()).collect();
    let all = |of: &[&str]| picked.iter().map(|&index| of[index]).collect::<String>();
    run("--emit normalized --no-notes", all(&lines)).expect(0, all(&expected), "");
    run("--emit normalized --no-notes --trim -j 2", all(&lines).replace('\n', " \n")).expect(
        0,
        all(&expected),
        "",
    );
    let rows = "url,x\nhttp://h/a,1\nhttp://h/b,2\n\"http://h/c,\",3\n";
    run("--from csv --emit normalized --no-notes", rows).expect(
        0,
        "http://h/a\nhttp://h/b\nhttp://h/c,\n",
        "",
    );
}

#[test]
fn derived_columns_are_in_every_form() {
    let rows = |form: &str| {
        run(&format!("--emit components --columns valid,normalized,host --to {form}"), format!("{LIST}\n"))
    };
    rows("text").expect(
        0,
        "true\thttp://example.com:80/~a/b?x,y\tExample.com\nfalse\t\\N\t\\N\ntrue\thttp://h\th\ntrue\thttp://h/a\th\n",
        "",
    );
    rows("csv").expect(
        0,
        "valid,normalized,host\ntrue,\"http://example.com:80/~a/b?x,y\",Example.com\nfalse,,\ntrue,http://h,h\ntrue,http://h/a,h\n",
        "",
    );
    rows("jsonl").expect(
        0,
        "{\"valid\":true,\"normalized\":\"http://example.com:80/~a/b?x,y\",\"host\":\"Example.com\"}
{\"valid\":false,\"normalized\":null,\"host\":null}
{\"valid\":true,\"normalized\":\"http://h\",\"host\":\"h\"}
{\"valid\":true,\"normalized\":\"http://h/a\",\"host\":\"h\"}\n",
        "",
    );
    let stream = rows("arrow").stdout;
    let batch = StreamReader::try_new(&stream[..], None).unwrap().next().unwrap().unwrap();
    let normalized: Vec<_> = batch.column_by_name("normalized").unwrap().as_string::<i32>().iter().collect();
    assert_eq!(
        normalized,
        [Some("http://example.com:80/~a/b?x,y"), None, Some("http://h"), Some("http://h/a")]
    );
}

#[test]
fn derived_columns_are_counted() {
    let list = "http://H/a/../b\nhttp://h/b\nno\nhttp://h/%62\nhttp://h/c\n";
    run("--count normalized --no-notes", list).expect(0, "3\thttp://h/b\n1\thttp://h/c\n", "");
    run("--count resolved --no-notes --base http://h/a/", "b\n./b\nhttp://h/c").expect(
        0,
        "2\thttp://h/a/b\n1\thttp://h/c\n",
        "",
    );
}

#[test]
fn references_are_resolved_against_the_base() {
    let references = "../x\n\n?y\n//o/\nhttp://q/./a\n[\n";
    run("--emit resolved --no-notes --base http://a/b/c/d#f", references).expect(
        0,
        "http://a/b/x\nhttp://a/b/c/d\nhttp://a/b/c/d?y\nhttp://o/\nhttp://q/a\n",
        "",
    );
    // A grammar that the user names stays.
    run("--emit resolved --no-notes --base http://a/b -g uri", "c\nhttp://q/./a\n").expect(
        0,
        "http://q/a\n",
        "",
    );
    run("--emit resolved --no-notes --base http://a/b?q -g rfc2396", "?y").expect(0, "http://a/?y\n", "");
    run("--emit resolved --no-notes --base http://a/b -g iri-reference", "é").expect(0, "http://a/é\n", "");
}

/// Tests that targets made for a whole chunk equal those made cell by cell, also from pages with their own
/// bases.
#[test]
fn targets_are_those_of_the_rows() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/logs");
    let dir = Dir::new();
    let references =
        ["../a/./b", "#c", "", "//o/..", "x:/y/../z", "d e", "?", "f:", ".g/..h", "/i/../j?k/../l"];
    let many: String =
        (0..30_000).map(|at| format!("{}\n", references[at * at % 97 % references.len()])).collect();
    dir.write("many", &many);
    dir.write("long-base", (0..3000).map(|at| format!("{at}\n../{at}\nx:{at}\n")).collect::<String>());
    let long = format!("http://h/{}", "a/".repeat(4000));
    let mut sources: Vec<String> = [
        "page.html",
        "site.html",
        "records.warc",
        "pages.warc",
        "links.wat",
        "records.arc",
        "feed.rss",
        "notes.md",
    ]
    .map(|name| format!("{logs}/{name} --base http://base.example/x/y/z?q"))
    .into();
    sources.extend(
        [
            "many --base http://a/b/c/d;p?q",
            "many --base x:a",
            "many --base http://a/b/../c",
            "many --trim -j 2 --base http://a",
        ]
        .map(String::from),
    );
    sources.push(format!("long-base --base {long}"));
    for source in sources {
        let lines = dir.run(&format!("--emit resolved --no-notes {source}"));
        let rows = dir.run(&format!("--emit components --columns resolved --to jsonl {source}"));
        let resolved = rows.text().lines().filter_map(|row| {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            row["resolved"].as_str().map(|uri| format!("{uri}\n"))
        });
        assert_eq!(lines.text(), resolved.collect::<String>(), "{source}");
        let arrow = dir.run(&format!("--emit components --columns resolved --to arrow {source}")).stdout;
        let batches = StreamReader::try_new(&arrow[..], None).unwrap().map(Result::unwrap);
        let in_batches: String = batches
            .flat_map(|batch| {
                let column = batch.column_by_name("resolved").unwrap().as_string::<i32>();
                column.iter().flatten().map(|uri| format!("{uri}\n")).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(lines.text(), in_batches, "{source}");
        assert!(lines.text().len() > 20, "{source}");
    }
}

/// Tests that the first `<base href>` counts from its place on, wherever the page is cut.
#[test]
fn references_in_a_page_are_resolved_against_its_base() {
    let far = " ".repeat(3 << 20);
    let page = format!(
        "<!DOCTYPE html>\n<link href=a><base target=x><base href=' /b&#x2F;'><base href=/no/>{far}<a href=c>{far}<a href=//d/e><a href='f g'>"
    );
    let columns = "--from html --emit components --columns page,base,uri,resolved";
    let expected = "\
http://h/p/q\thttp://h/p/q\ta\thttp://h/p/a
http://h/p/q\thttp://h/p/q\t/b/\thttp://h/b/
http://h/p/q\thttp://h/p/q\t/no/\thttp://h/no/
http://h/p/q\thttp://h/b/\tc\thttp://h/b/c
http://h/p/q\thttp://h/b/\t//d/e\thttp://d/e
http://h/p/q\thttp://h/b/\tf g\t\\N
";
    for more in ["", "--threads 1", "--threads 3"] {
        let found = run(&format!("{columns} --base http://h/p/q {more}"), page.clone());
        assert_eq!(found.text(), expected, "{more}");
    }
    // Without the URL of the page, an absolute `<base href>` is a base.
    let page = "<a href=a><base href=http://b/c/><a href=d>";
    let columns = "--from html --emit components --columns page,base,uri";
    assert_eq!(run(columns, page).text(), "\\N\t\\N\ta\n\\N\t\\N\thttp://b/c/\n\\N\thttp://b/c/\td\n");
}

#[test]
fn request_targets_get_the_scheme_and_the_authority_of_the_base() {
    let dir = Dir::new();
    let line =
        |request: &str| format!("1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"{request} HTTP/1.0\" 200 2326\n");
    let log = ["GET /a/../b", "OPTIONS *", "GET http://H/"].map(line).concat();
    dir.write("log", &log);
    dir.run("--from common --emit resolved --no-notes --base https://h.example/c log").expect(
        0,
        "https://h.example/a/../b\nhttp://H/\n",
        "",
    );
    dir.run("--from common --emit normalized --no-notes log").expect(0, "/b\n*\nhttp://h/\n", "");
}

#[test]
fn iris_become_uris() {
    run("--emit to_uri --no-notes -g iri", "http://h/é\nhttp://h/a\n").expect(
        0,
        "http://h/%C3%A9\nhttp://h/a\n",
        "",
    );
}

#[test]
fn options_that_make_no_column_are_usage_errors() {
    for (args, message) in [
        ("--emit resolved --no-notes", "the column resolved needs --base"),
        ("--count resolved --no-notes", "the column resolved needs --base"),
        ("--emit components --columns resolved", "the column resolved needs --base"),
        ("--emit resolved --no-notes --base /x", "--base: "),
        ("--emit resolved --no-notes --base x:[", "--base: "),
        ("--emit resolved --no-notes --base /x -g java", "--base: "),
        ("--emit resolved --no-notes --base /x -g rfc2396", "--base: "),
        ("--emit normalized --no-notes --normalize scheme -g java", "java does not support the form scheme"),
        ("--emit normalized --no-notes --normalize all", "syntax, scheme"),
        ("--emit offsets --columns normalized", "the column normalized needs --emit components"),
    ] {
        let done = run(args, "http://h/\n");
        assert_eq!((done.status, &done.stdout[..]), (2, &b""[..]), "{args}");
        assert!(done.stderr.contains(message), "{args}: {}", done.stderr);
    }
}

const HOSTS: &str = "http://www.Example.CO.UK/B/?b&a#c\nhttp://a.b.github.io\nno\nhttp://127.0.0.1:80/\nmailto:A@b.c\nhttp://com/";

#[test]
fn keys_and_domains_are_written_one_a_line() {
    let keys = "uk,co,example)/b?a&b\nio,github,b,a)/\n1,0,0,127)/\nmailto:a@b.c\ncom)/\n";
    run("--emit surt --no-notes", HOSTS).expect(0, keys, "");
    run("--emit suffix --no-notes", HOSTS).expect(0, "co.uk\nio\ncom\n", "");
    run("--emit domain --no-notes", HOSTS).expect(0, "example.co.uk\ngithub.io\n", "");
    run("--emit private_suffix --no-notes", HOSTS).expect(0, "co.uk\ngithub.io\ncom\n", "");
    run("--emit private_domain --no-notes", HOSTS).expect(0, "example.co.uk\nb.github.io\n", "");
    // Escaped line ends stay escapes.
    let list = "http://a%0Ab.c%0D%0A.uk/%0D%0A?x=%0A\n";
    run("--emit surt --no-notes", list).expect(0, "uk,c%0d%0a,a%0ab)/%0d%0a?x=%0a\n", "");
    for (column, value) in [
        ("host_reversed", "uk.c%0D%0A.a%0Ab\n"),
        ("host_ascii", ""),
        ("suffix", "uk\n"),
        ("domain", "c%0D%0A.uk\n"),
        ("private_suffix", "uk\n"),
        ("private_domain", "c%0D%0A.uk\n"),
    ] {
        run(&format!("--emit {column} --no-notes"), list).expect(0, value, "");
    }
}

#[test]
fn keys_and_domains_are_columns_of_every_form() {
    const NAMES: [&str; 5] = ["surt", "suffix", "domain", "private_suffix", "private_domain"];
    let rows =
        |form: &str| run(&format!("--emit components --columns {} --to {form}", NAMES.join(",")), HOSTS);
    let expected = [
        ["uk,co,example)/b?a&b", "co.uk", "example.co.uk", "co.uk", "example.co.uk"],
        ["io,github,b,a)/", "io", "github.io", "github.io", "b.github.io"],
        [""; 5],
        ["1,0,0,127)/", "", "", "", ""],
        ["mailto:a@b.c", "", "", "", ""],
        ["com)/", "com", "", "com", ""],
    ];
    let tsv: String = expected
        .iter()
        .map(|row| row.map(|cell| if cell.is_empty() { "\\N" } else { cell }).join("\t") + "\n")
        .collect();
    rows("text").expect(0, tsv.clone(), "");
    rows("tsv").expect(0, NAMES.join("\t") + "\n" + &tsv, "");
    let text = rows("jsonl").stdout;
    for (line, row) in String::from_utf8(text).unwrap().lines().zip(expected) {
        let values: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(NAMES.map(|name| values[name].as_str().unwrap_or_default()), row);
    }
    let stream = rows("arrow").stdout;
    // A stream may have several batches.
    let batches: Vec<_> = StreamReader::try_new(&stream[..], None).unwrap().map(Result::unwrap).collect();
    for (column, name) in NAMES.into_iter().enumerate() {
        let cells: Vec<_> =
            batches.iter().flat_map(|batch| batch.column_by_name(name).unwrap().as_string::<i32>()).collect();
        let expected = expected.map(|row| Some(row[column]).filter(|cell| !cell.is_empty()));
        assert_eq!(cells, expected, "{name}");
    }
}

#[test]
fn domains_are_counted_without_case() {
    let list = "http://a.Example.com/\nhttp://b.example.COM\nhttp://x.org\nhttp://[::1]/\n";
    run("--count domain --no-notes", list).expect(0, "2\texample.com\n1\tx.org\n", "");
    run("--count surt --no-notes", "http://h/a?\nhttp://www.h/A/\n").expect(0, "2\th)/a\n", "");
}

/// Tests that hosts count by their normal forms, whether a column is made of a batch or of a record.
#[test]
fn domains_of_hosts_with_escapes_are_those_of_their_normal_forms() {
    let list = "http://a.b%2ECO%6D/\nhttp://EX%c3%a9.com/\nhttp://a.b.com/\nhttp://%/\nhttp://%2e/\n";
    run("--emit domain --no-notes", list).expect(0, "b.com\nex%C3%A9.com\nb.com\n", "");
    let rows = "b.com\tcom\nex%C3%A9.com\tcom\nb.com\tcom\n\\N\t\\N\n\\N\t\\N\n";
    run("--emit components --columns domain,suffix", list).expect(0, rows, "");
    run("--count domain --no-notes", list).expect(0, "2\tb.com\n1\tex%C3%A9.com\n", "");
}

#[test]
fn references_without_a_scheme_have_no_key() {
    let list = "http://h/a\nb\n//h/a\n/a\n?q\n\n";
    run("-g uri-reference --emit surt --no-notes", list).expect(0, "h)/a\n", "");
    run("-g uri-reference --emit components --columns surt", list).expect(
        0,
        "h)/a\n\\N\n\\N\n\\N\n\\N\n\\N\n",
        "",
    );
    run("-g request-target --emit surt --no-notes", "/a\n*\nh:443\nhttp://h/a\n").expect(0, "h)/a\n", "");
}

#[test]
fn bases_have_no_fragment() {
    let rows = "http://h/a#b?\thttp://h/a\n";
    let rows = rows.replace("#b?", "");
    run("--base http://h/a#b? --emit components --columns base,resolved", "\n").expect(0, rows, "");
    let page = "<base href='c/#d'><a href=e>";
    run("--from html --base http://h/a#b --emit components --columns base,resolved", page).expect(
        0,
        "http://h/a\thttp://h/c/#d\nhttp://h/c/\thttp://h/c/e\n",
        "",
    );
}

/// Tests that a page needs no `--base` if it names an absolute base before its first link.
#[test]
fn pages_may_name_the_base_of_all_their_links() {
    let page = "<base href=http://b/c/d><a href=e><a href=//f>";
    run("--from html --emit resolved --no-notes", page).expect(0, "http://b/c/e\nhttp://f\n", "");
    let done = run("--emit resolved --no-notes", format!("<!doctype html>{page}"));
    assert_eq!((done.status, done.text()), (0, "http://b/c/e\nhttp://f\n"));
    for page in ["<a href=a><base href=http://b/><a href=c>", "<base href=/b/><a href=c>", "<a href=a>"] {
        let done = run("--from html --emit resolved --no-notes", page);
        assert_eq!((done.status, &done.stdout[..]), (2, &b""[..]), "{page}");
        assert!(done.stderr.contains("the column resolved needs --base"), "{}", done.stderr);
    }
}

/// Tests that URLs in XML are relative to the `xml:base` of their elements.
#[test]
fn elements_have_bases() {
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='a'/>\n\
                <entry xml:base='b/'><link href='c'/><entry xml:base='../d/e'><link xml:base='/f/' href='g?&amp;'/><link href='h'/></entry>\n\
                <link href='i'/></entry><link href='j'/></feed>\n";
    run("--from xml --base http://h/x/y --emit components --columns uri,base,resolved", feed).expect(
        0,
        "a\thttp://h/x/y\thttp://h/x/a\n\
         b/\thttp://h/x/y\thttp://h/x/b/\n\
         c\thttp://h/x/b/\thttp://h/x/b/c\n\
         ../d/e\thttp://h/x/b/\thttp://h/x/d/e\n\
         /f/\thttp://h/x/d/e\thttp://h/f/\n\
         g?&\thttp://h/f/\thttp://h/f/g?&\n\
         h\thttp://h/x/d/e\thttp://h/x/d/h\n\
         i\thttp://h/x/b/\thttp://h/x/b/i\n\
         j\thttp://h/x/y\thttp://h/x/j\n",
        "",
    );
    // The document itself may have a base for all of its URLs.
    let feed =
        "<rss xml:base='http://h/x/'><link>a</link><x xml:base='b/'><link>c</link></x><link>d</link></rss>";
    let done = run("--from xml --emit resolved --no-notes", feed);
    assert_eq!(done.text(), "http://h/x/a\nhttp://h/x/b/\nhttp://h/x/b/c\nhttp://h/x/d\n");
    for feed in [
        "<rss><x xml:base='http://h/'><link>a</link></x><link>b</link></rss>",
        "<rss xml:base='x/'><link>a</link></rss>",
        "<rss><link>a</link></rss>",
    ] {
        let done = run("--from xml --emit resolved --no-notes", feed);
        assert_eq!((done.status, &done.stdout[..]), (2, &b""[..]), "{feed}");
        assert!(done.stderr.contains("the column resolved needs --base"), "{}", done.stderr);
    }
}

/// Tests the columns that are made of the host of a record.
#[test]
fn names_of_hosts_are_reversed_and_written_in_ascii() {
    let list = "http://WWW.Example.com./\nhttp://b\u{fc}cher.example/\nhttp://b%C3%BCcher.example/\nhttp://fa\u{df}.de\n\
                http://127.0.0.1/\nhttp://[2001:DB8::1]/\nhttp://a%20b/\nmailto:a\nhttp:///\nhttp://[/\nhttp://a_b/\nhttp://a../\n";
    let rows = "com.example.www\twww.example.com.\n\
                example.b\u{fc}cher\txn--bcher-kva.example\n\
                example.b\u{fc}cher\txn--bcher-kva.example\n\
                de.fa\u{df}\txn--fa-hia.de\n\
                \\N\t127.0.0.1\n\
                \\N\t[2001:db8::1]\n\
                a%20b\t\\N\n\
                \\N\t\\N\n\\N\t\\N\n\\N\t\\N\na_b\ta_b\n.a\ta..\n";
    run("-g iri --emit components --columns host_reversed,host_ascii --no-notes", list).expect(0, rows, "");
    // A column alone is made of batches, and rows one by one.
    run("-g iri --count host_ascii --top 1 --no-notes", list).expect(0, "2\txn--bcher-kva.example\n", "");
    run("-g iri --emit host_reversed --no-notes", "http://b.A/\nhttp://1.2.3.4/\n").expect(0, "a.b\n", "");
}

/// Tests the columns that are made of the host of a page and of the target: the edges of a graph of the web.
#[test]
fn hosts_of_pages_and_of_targets_are_columns() {
    let response = |target: &str, head: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}");
        let header = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {target}\r\nContent-Length: {}\r\n\r\n",
            block.len()
        );
        format!("{header}{block}\r\n\r\n")
    };
    let archive = [
        response(
            "http://WWW.a.co.uk/x",
            "Content-Type: text/html\r\nLink: <//cdn.example/s.css>; rel=\"a, b\", </y>\r\n",
            "<html><base href='http://base.example/'><a href='z'></a><a href='http://Sub.B.github.io/'></a><a href='a b'></a>",
        ),
        response("http://a.co.uk/old", "Location: http://new.example/|\r\nContent-Type: text/plain\r\n", "x"),
        response("http://a.co.uk/moved", "location: ../new\r\n", ""),
        response("http://a.co.uk/image", "Content-Type: image/png\r\n", "x"),
    ]
    .concat();
    let dir = Dir::new();
    dir.write("a.warc", &archive);
    let columns = "element,uri,page_host,page_domain,resolved_host,resolved_domain";
    let args = format!("a.warc --field links --emit components --columns {columns} --no-notes");
    let rows = "link\t//cdn.example/s.css\twww.a.co.uk\ta.co.uk\tcdn.example\tcdn.example\n\
                link\t/y\twww.a.co.uk\ta.co.uk\twww.a.co.uk\ta.co.uk\n\
                base\thttp://base.example/\twww.a.co.uk\ta.co.uk\tbase.example\tbase.example\n\
                a\tz\twww.a.co.uk\ta.co.uk\tbase.example\tbase.example\n\
                a\thttp://Sub.B.github.io/\twww.a.co.uk\ta.co.uk\tsub.b.github.io\tgithub.io\n\
                a\ta b\t\\N\t\\N\t\\N\t\\N\n\
                location\thttp://new.example/|\t\\N\t\\N\t\\N\t\\N\n\
                location\t../new\ta.co.uk\ta.co.uk\ta.co.uk\ta.co.uk\n";
    dir.run(&args).expect(0, rows, "");
    let counted = dir.run("a.warc --field links --count resolved_domain --no-notes");
    assert_eq!(counted.text(), "2\ta.co.uk\n2\tbase.example\n1\tcdn.example\n1\tgithub.io\n");
    let pages = dir.run("a.warc --field links --count page_host --no-notes");
    assert_eq!(pages.text(), "5\twww.a.co.uk\n1\ta.co.uk\n");
    // Without pages, the base is that of the command line.
    let list =
        run("-g uri-reference --count resolved_host --base http://h.example/a --no-notes", "b\n//c/\n");
    assert_eq!(list.text(), "1\tc\n1\th.example\n");
    assert_eq!(run("--count resolved_domain", "http://a/\n").status, 2);
}

/// Tests links in the heads of captures whose bodies are decoded: records come in the order of their places,
/// and a body that does not decode loses no link of its head.
#[test]
fn heads_of_decoded_captures_have_links() {
    let response = |head: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}\r\n\r\n");
        let header = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/a\r\n b\r\n";
        let length = format!("Content-Length: {}\r\n\r\n", head.len() + body.len());
        [header.as_bytes(), length.as_bytes(), head.as_bytes(), body, b"\r\n\r\n"].concat()
    };
    let page = gzip(b"<html><base href=/c/><a href=d>");
    let captures = [
        response("Link: <q>\r\nContent-Encoding: gzip", &page),
        response("Location: q\r\n r\r\nContent-Encoding: gzip", &page[..page.len() - 4]),
        response("Location: q\r\nContent-Encoding: gzip", b"x"),
        response(
            "Location: q\r\nTransfer-Encoding: chunked",
            b"5\r\n<html\r\na\r\n><a href=e\r\n1\r\n>\r\n0\r\n\r\n",
        ),
        response(
            "Location: q",
            &[
                b"\xFF\xFE".as_slice(),
                &"<a href=f>".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
            ]
            .concat(),
        ),
        response("Location: q\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip", &page),
    ];
    let dir = Dir::new();
    for (index, (capture, expected)) in captures
        .iter()
        .zip([
            "/c/\t1\t1\thttp://h/a b\nd\t1\t1\thttp://h/a b\nq\t9\t8\thttp://h/a b\n",
            "/c/\t1\t1\thttp://h/a b\nd\t1\t1\thttp://h/a b\nq r\t9\t11\thttp://h/a b\n",
            "q\t9\t11\thttp://h/a b\n",
            "e\t1\t1\thttp://h/a b\nq\t9\t11\thttp://h/a b\n",
            "f\t1\t1\thttp://h/a b\nq\t9\t11\thttp://h/a b\n",
            "q\t9\t11\thttp://h/a b\n",
        ])
        .enumerate()
    {
        let name = format!("{index}.warc");
        dir.write(&name, capture);
        let options = "--from warc --field links --no-notes";
        let rows = dir.run(&format!("{name} {options} --emit components --columns uri,line,column,page"));
        assert_eq!(rows.text(), expected, "{index}");
        let stats = dir.run(&format!("{name} {options} --stats=json --emit none")).json();
        let broken = u64::from([1, 2, 5].contains(&index));
        assert_eq!(stats["malformed_lines"], broken, "{stats}");
    }
}
