//! Windows: patterns, names, devices, files that are open elsewhere.

use std::fs::{self, File};

use super::{Dir, run};

#[test]
fn patterns_become_files() {
    let dir = Dir::new();
    dir.write("a.log", "urn:a\n");
    dir.write("b.log", "urn:b\n");
    dir.write("c.txt", "urn:c\n");
    dir.run("--emit valid *.log").expect(0, "urn:a\nurn:b\n", "");
    dir.run("--emit valid ?.txt").expect(0, "urn:c\n", "");
    // Options have patterns of their own.
    dir.run("-r --emit valid --no-notes --include ?.txt .").expect(0, "urn:c\n", "");
    dir.write("[a].log", "urn:brackets\n");
    dir.run("--emit valid [*").expect(0, "urn:brackets\n", "");
    // A pattern without a file stays, and is no file.
    let ran = dir.run("--emit valid *.csv");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.starts_with("urivalidate: *.csv: "), "{}", ran.stderr);
}

#[test]
fn names_have_backslashes_drives_and_any_length() {
    let dir = Dir::new();
    let folder = ["a-long-name-of-a-folder"; 16].join("\\");
    fs::create_dir_all(dir.path().join(&folder)).unwrap();
    let list = dir.write(&format!("{folder}\\list"), "urn:a\nno uri\n");
    assert!(list.as_os_str().len() > 300 && list.to_str().unwrap().contains(":\\"));
    let whole = list.to_str().unwrap();
    run(&format!("--emit valid {whole}"), "").expect(0, "urn:a\n", "");
    let ran = dir.run(&format!("--emit errors {folder}\\list"));
    assert_eq!(ran.status, 1);
    assert!(ran.text().starts_with(&format!("{folder}\\list:2:")), "{}", ran.text());
    dir.write(&format!("{folder}\\page.html"), "<a href='http://h/a b'>");
    let walked = dir.run("-r --emit errors --no-notes .");
    let place = format!("./{}/page.html:1:20:", folder.replace('\\', "/"));
    assert!(walked.text().starts_with(&place), "{}", walked.text());
}

#[test]
fn nul_is_an_empty_input_and_an_output_without_a_file() {
    let dir = Dir::new();
    dir.write("list", "urn:a\n");
    dir.run("--emit valid --output NUL list").expect(0, "", "");
    dir.run("--emit none --valid NUL list").expect(0, "", "");
    let ran = dir.run("--emit valid NUL");
    assert_eq!((ran.status, ran.text()), (0, ""), "{}", ran.stderr);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn an_output_replaces_a_file_and_adds_no_cr() {
    let dir = Dir::new();
    dir.write("list", "urn:a\r\nurn:b\n");
    dir.write("out", "old\n");
    dir.run("--emit valid --output out list").expect(0, "", "");
    // A copied line keeps its end.
    assert_eq!(fs::read(dir.path().join("out")).unwrap(), b"urn:a\r\nurn:b\n");
    dir.run("--emit components --to csv --columns uri list").expect(0, "uri\nurn:a\nurn:b\n", "");
}

#[test]
fn a_file_has_one_identity() {
    let dir = Dir::new();
    dir.write("list", "urn:a\n");
    fs::hard_link(dir.path().join("list"), dir.path().join("other")).unwrap();
    for output in ["LIST", "other", ".\\list"] {
        let ran = dir.run(&format!("--emit none --valid {output} list"));
        assert_eq!(ran.status, 2, "{output}: {}", ran.stderr);
        assert_eq!(fs::read(dir.path().join("list")).unwrap(), b"urn:a\n", "{output}");
    }
}

#[test]
fn a_file_that_is_open_elsewhere_is_read() {
    let dir = Dir::new();
    let list = dir.write("list", "urn:a\n");
    let open = File::options().append(true).open(list).unwrap();
    dir.run("--emit valid list").expect(0, "urn:a\n", "");
    drop(open);
}
