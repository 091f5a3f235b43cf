//! Tests the command as a gate: which files of a folder are read, and what fails a run.

use super::Dir;

/// Writes a file of a tree, and the directories above it.
pub(crate) fn write(dir: &Dir, name: &str, content: &str) {
    let path = dir.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// Files that are no documents, as they are in folders of documentation and of sources. No line of them is a
/// link.
const OTHERS: &[(&str, &str)] = &[
    ("css/extra.css", "a:hover {\n  color: red;\n}\n.md-nav a { background: url(img/x y.png) }\n"),
    (
        "img/logo.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">\n<path d=\"M0 0\"/>\n</svg>\n",
    ),
    ("CNAME", "www.mkdocs.org\n"),
    ("LICENSE", "Copyright (c) 2026 A\n\nPermission is hereby granted: to any person\n"),
    ("Makefile", "all: html\n\nhtml:\n\tsphinx-build . out\n"),
    ("requirements.txt", "flask==3.0\nsphinx>=7\n# a comment\n"),
    ("src/app.py", "import os\n\nURL = 'http://a b/'\nclass A:\n    x: int = 1\n"),
    ("src/lib.rs", "//! A crate.\nuse std::io;\nfn main() { http::get(\"x y\") }\n"),
    ("theme/page.hbs", "<!DOCTYPE html>\n<html>\n<a href=\"{{ path_to_root }}a b.html\">a</a>\n</html>\n"),
    ("templates/base.html", "<!doctype html>\n<a href=\"{{ url_for('a b') }}\">a</a>\n"),
    ("templates/list.html", "{% extends 'base.html' %}\n<a href=\"{{ url_for('a', id=b['c']) }}\">a</a>\n"),
    (
        "src/short.rs",
        "#[no_mangle]\npub extern \"C\" fn a()\n{}\n\n#[no_mangle]\npub extern \"C\" fn b()\n{}\n",
    ),
    ("theme/index.hbs", "<a href=\"{{ path_to_root }}print.html\">{{ title }}</a>\n"),
    ("src/a.js", "const a = b ? `x y` : 'http://[/';\n// http://a b/\n"),
    ("mkdocs.yml", "site_name: A\nnav:\n  - a: b c.md\n"),
    ("pyproject.toml", "[project]\nname = \"a\"\nurls = {Home = \"http://a b\"}\n"),
    ("book.toml", "[book]\ntitle = \"a\"\n"),
    ("package.json", "{\n  \"name\": \"a\",\n  \"scripts\": {\"a\": \"b c\"}\n}\n"),
    ("tsconfig.json", "// comment\n{\n  \"a\": 1\n}\n"),
    ("old.sarif", "{\n  \"runs\": [\n    {\"uri\": \"a b\", \"url\": \"c d\"}\n  ]\n}\n"),
    ("empty.py", ""),
    ("doc.py", "\"\"\"\nTitle\n=====\n\n.. code:: a\n\n`b <http://{x}/>`_\n\"\"\"\n"),
];

/// Trees of four projects: one of Markdown for MkDocs, one of mdBook, one of RST for Sphinx, and one of
/// descriptions in YAML with a README. None has a malformed link.
fn tree(kind: &str) -> Dir {
    let dir = Dir::new();
    for (name, content) in OTHERS {
        write(&dir, name, content);
    }
    let markdown = "# A\n\nSee [b](b.md#入门), <https://a.example/é> and [c](../c/).\n\n```\n[d](e f)\n```\n";
    match kind {
        "mkdocs" => {
            ["docs/index.md", "docs/user-guide/a.md"].iter().for_each(|name| write(&dir, name, markdown))
        }
        "mdbook" => {
            ["guide/src/SUMMARY.md", "guide/src/a.md"].iter().for_each(|name| write(&dir, name, markdown))
        }
        "flask" => write(&dir, "docs/index.rst", "A\n=\n\n`b <https://a.example/>`_ and `c <c.html>`__.\n"),
        _ => {
            write(&dir, "README.md", markdown);
            write(&dir, "extensions/a/description.yml", "extension:\n  name: a\nrepo:\n  ref: b c\n");
        }
    }
    dir
}

const TREES: [&str; 4] = ["mkdocs", "mdbook", "flask", "extensions"];

#[test]
fn trees_without_broken_links_pass_and_each_planted_link_is_found() {
    for kind in TREES {
        let dir = tree(kind);
        let run = dir.run("-r");
        assert_eq!((run.status, run.text()), (0, ""), "{kind}: {}", run.stderr);
        let note = "2 .hbs, 2 .html, 2 .py, 2 .rs";
        assert!(
            run.stderr.contains(note) && run.stderr.contains("no format; --from reads them"),
            "{}",
            run.stderr
        );
        for (name, link, place) in [
            ("docs/x.md", "[a](b c.md)\n", "1:6: space"),
            ("docs/x.html", "<!doctype html>\n<a href=\"http://h:p/\">a</a>\n", "2:19: invalid-port"),
            ("docs/x.rst", "A\n=\n\n`a <http://[/>`_\n", "4:"),
            ("docs/x.txt", "http://a/\nhttp://b/\nhttp://a b/\n", "3:9: space"),
            ("docs/x.mdx", "[a](http://a/%zz)\n", "1:15: invalid-percent-encoding"),
            ("docs/x.adoc", "= A\n\nhttp://h:p/[a]\n", "3:"),
        ] {
            write(&dir, name, link);
            let run = dir.run("-r");
            let found = run.text().lines().collect::<Vec<_>>();
            assert_eq!((run.status, found.len()), (1, 1), "{kind}, {name}: {found:?}");
            assert!(found[0].starts_with(&format!("./{name}:{place}")), "{kind}: {found:?}");
            std::fs::remove_file(dir.path().join(name)).unwrap();
        }
    }
}

#[test]
fn text_files_without_a_format_are_counted_and_read_on_request() {
    let dir = Dir::new();
    write(&dir, "d/a.css", "a { color: red }\n");
    write(&dir, "d/b.css", "http://a/\nhttp://b/\n");
    write(&dir, "d/list.urls", "http://a/\nhttp://b c/\n");
    write(&dir, "d/Makefile", "all: a\n");
    let note = "urivalidate: --recursive: 2 .css, 1 without extension: no format; --from reads them\n";
    dir.run("--emit valid -r d").expect(0, "http://a/\n", note);
    // A file that the user names is always read, and so is every file if the user names the format.
    dir.run("--emit valid -r d/b.css --no-notes").expect(0, "http://a/\nhttp://b/\n", "");
    dir.run("--emit valid --from lines -r d --no-notes").expect(0, "http://a/\nhttp://b/\nhttp://a/\n", "");
    let stats = dir.run("--stats=json -r d").json();
    assert_eq!((&stats["records"], &stats["skipped"]), (&2.into(), &3.into()));
    // A log is recognised by its lines, whatever its name.
    let log = "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 0\n".repeat(3);
    write(&dir, "e/x.css", &log);
    assert_eq!(dir.run("--emit uri -r e").text(), "/a\n".repeat(3));
}

#[test]
fn ignore_files_and_globs_choose_the_files() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    for name in ["a.md", "b.md", "out/c.md", "old/d.md", ".github/e.md", "docs/f.md", "docs/g.html"] {
        write(&dir, name, &format!("<a href=\"http://{name}/\">a</a>\n"));
    }
    write(&dir, ".gitignore", "out/\n");
    write(&dir, ".ignore", "b.md\n");
    let uris = |args: &str| {
        let run = dir.run(&format!("--emit uri {args}"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        let names = run.text().lines().map(|uri| uri["http://".len()..uri.len() - 1].to_owned());
        (names.collect::<Vec<_>>().join(" "), run.stderr)
    };
    let (names, notes) = uris("-r");
    assert_eq!(names, "a.md docs/f.md docs/g.html old/d.md");
    let note = "left out: 2 by ignore files such as .gitignore (--no-ignore reads them), 3 hidden (--hidden reads them)\n";
    assert!(notes.contains(note), "{notes}");
    for (args, expected) in [
        ("-r --no-ignore", "a.md b.md docs/f.md docs/g.html old/d.md out/c.md"),
        ("-r --hidden", ".github/e.md a.md docs/f.md docs/g.html old/d.md"),
        ("-r --no-ignore --hidden", ".github/e.md a.md b.md docs/f.md docs/g.html old/d.md out/c.md"),
        ("-r --include *.md", "a.md docs/f.md old/d.md"),
        ("-r --include docs", "docs/f.md docs/g.html"),
        ("-r --include docs/*.md --include a.md", "a.md docs/f.md"),
        ("-r --exclude old --exclude *.html", "a.md docs/f.md"),
        ("-r --include *.md --exclude docs", "a.md old/d.md"),
        // A file on the command line is always read.
        ("-r --exclude *.md b.md old", "b.md"),
    ] {
        assert_eq!(uris(args).0, expected, "{args}");
    }
    dir.write("names", "a.md\nold/d.md\ndocs/g.html\n");
    let (names, notes) = uris("--files-from names --exclude old --include *.md");
    assert_eq!(names, "a.md");
    assert!(notes.contains("--files-from: left out: 2 by --include or --exclude\n"), "{notes}");
    assert_eq!(dir.run("--exclude *.md b.md").status, 2);
    let faulty = dir.run("-r --include [z-a]");
    assert_eq!(faulty.status, 2);
    assert!(faulty.stderr.contains("--include"), "{}", faulty.stderr);
    assert_eq!(dir.run("-r --exclude !a").status, 2);
}

/// Tests that characters beyond ASCII in links are no findings, as browsers and CommonMark take them.
#[test]
fn links_of_documents_are_iri_references() {
    let dir = Dir::new();
    write(&dir, "a.md", "[x](#入门)\n[y](é.md)\n");
    write(&dir, "a.html", "<!doctype html>\n<a href=\"/ä?ö#ü\">x</a>\n");
    write(&dir, "a.mdx", "[x](#入门)\n");
    for name in ["a.md", "a.html", "a.mdx"] {
        let run = dir.run(name);
        assert_eq!((run.status, run.text()), (0, ""), "{name}");
        assert!(run.stderr.contains("grammar iri-reference"), "{}", run.stderr);
        let strict = dir.run(&format!("-g uri-reference {name}"));
        assert_eq!(strict.status, 1, "{name}");
        assert!(strict.text().contains("non-ascii"), "{}", strict.text());
    }
}

#[test]
fn a_walk_names_the_first_file_of_each_format() {
    let dir = Dir::new();
    for number in 0..20 {
        write(&dir, &format!("d/{number}.md"), "[a](b)\n");
        write(&dir, &format!("d/{number}.html"), "<!doctype html>\n<a href=b>a</a>\n");
    }
    let run = dir.run("-r d");
    let notes: Vec<_> = run.stderr.lines().collect();
    assert_eq!((run.status, notes.len()), (0, 2), "{}", run.stderr);
    assert!(notes[0].starts_with("urivalidate: d/0.html: read as html"), "{}", notes[0]);
    assert!(notes[1].starts_with("urivalidate: d/0.md: read as markdown"), "{}", notes[1]);
    // Files of the command line are named one by one.
    assert_eq!(dir.run("d/0.md d/0.html d/1.md d/1.html").stderr.lines().count(), 4);
}

/// Tests the last line on standard error.
#[test]
fn a_summary_counts_findings_records_and_files() {
    let dir = Dir::new();
    dir.write("a", "http://a/\nb c\n");
    dir.write("b", "http://a/\n");
    dir.write("empty", "");
    let summary = |args: &str| dir.run(args).summary().to_owned();
    assert_eq!(summary("a"), "1 finding in 2 records of 1 file");
    assert_eq!(summary("a b empty --to csv"), "1 finding in 3 records of 3 files");
    assert_eq!(summary("a missing"), "1 finding in 2 records of 1 file");
    assert_eq!(summary("missing"), "");
    assert_eq!(summary("a --emit valid"), "");
    assert_eq!(summary("a -q"), "");
    assert_eq!(summary("a --no-notes"), "");
    assert_eq!(summary("a --emit none --stats"), "");
    // A damaged file has findings, too.
    let mut coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut coder, &b"b c\n".repeat(1000)).unwrap();
    let whole = coder.finish().unwrap();
    dir.write("bad.gz", &whole[..whole.len() / 2]);
    assert!(summary("bad.gz a").ends_with(" of 2 files"), "{}", summary("bad.gz a"));
    assert!(summary("bad.gz").ends_with(" of 1 file"));
}
