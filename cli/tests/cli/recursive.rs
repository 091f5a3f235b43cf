//! Tests directories: `--recursive`.

use super::{Dir, run};

/// Makes a directory with all kinds of files, each with one URI that names it.
fn tree() -> Dir {
    let dir = Dir::new();
    for name in ["d/b/one", "d/.hidden", "d/a", "d/b/.git/objects", "d/.svn/x", "d/b/.hg", "d/c.d/two"] {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("http://{name}/")).unwrap();
    }
    std::fs::write(dir.path().join("d/picture"), b"\x89PNG\r\n\x1A\n\0\0http://picture/\n").unwrap();
    dir
}

const FOUND: &str = "http://d/a/\nhttp://d/b/one/\nhttp://d/c.d/two/\n";
const WITH_HIDDEN: &str =
    "http://d/.hidden/\nhttp://d/a/\nhttp://d/b/.hg/\nhttp://d/b/one/\nhttp://d/c.d/two/\n";
const SKIPPED: &str = "urivalidate: --recursive: 1 skipped: binary files, links, outputs, special files, and XML without URLs\n";

/// Returns the note about hidden files and directories.
fn hidden(count: usize) -> String {
    format!("urivalidate: --recursive: left out: {count} hidden (--hidden reads them)\n")
}

#[test]
fn all_files_are_scanned_in_the_order_of_their_names() {
    let dir = tree();
    let notes = SKIPPED.to_owned() + &hidden(2);
    for args in ["-r d", "--recursive d", "-j1 -r d", "-j8 --no-mmap -r d/", "-r ./d"] {
        let found = dir.run(&format!("--emit valid {args}"));
        // The last line of the last file has no end.
        assert_eq!((found.status, found.text(), &found.stderr), (0, FOUND.trim_end(), &notes), "{args}");
    }
    dir.run("--quiet -r d").expect(0, "", "");
    dir.run("--emit valid -r --hidden d").expect(0, WITH_HIDDEN.trim_end(), SKIPPED);
    // A file of version control is scanned if the user names it.
    assert_eq!(
        dir.run("--emit valid -r d/b/.git/objects d/b/.git").text(),
        "http://d/b/.git/objects/\nhttp://d/b/.git/objects/"
    );
    let stats = dir.run("--stats=json -r d").json();
    assert_eq!((&stats["records"], &stats["skipped"]), (&3.into(), &1.into()));
    assert_eq!(dir.run("--stats=json -r d/a").json()["skipped"], 0);
    assert!(dir.run("--stats=json d/a").json().get("skipped").is_none());
    assert_eq!(stats["files"][2]["file"], "d/c.d/two");
}

#[test]
fn directories_files_lists_and_streams_are_mixed() {
    let dir = tree();
    dir.write("list", "d/c.d\nd/a\n");
    let found = dir.run("--emit valid -r d/b --files-from list");
    assert_eq!(found.text(), "http://d/b/one/\nhttp://d/c.d/two/\nhttp://d/a/");
    let path = dir.path().join("d/b");
    let found = run(&format!("--emit valid -r - {}", path.display()), "http://stdin/\n");
    assert_eq!(found.text(), "http://stdin/\nhttp://d/b/one/");
    // The message names a missing file, and the other files are scanned.
    let missing = dir.run("--emit valid -r missing d/b");
    assert_eq!((missing.status, missing.text()), (2, "http://d/b/one/"));
    assert!(missing.stderr.contains("urivalidate: missing: "), "{}", missing.stderr);
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    dir.run("--emit valid -r empty").expect(0, "", "");
    let without = dir.run("--emit valid d");
    without.expect(2, "", "urivalidate: d: is a directory; --recursive scans the files in it\n");
}

/// Tests files named `.git`, which work trees and submodules have: they state where the repository is.
#[test]
fn a_file_named_git_is_left_out_unless_it_is_named() {
    let dir = tree();
    dir.write("d/c.d/.git", "http://pointer/\n");
    let found = dir.run("--emit valid -r --hidden d");
    assert_eq!((found.status, found.text(), &found.stderr[..]), (0, WITH_HIDDEN.trim_end(), SKIPPED));
    assert_eq!(dir.run("--emit valid -r d/c.d/.git").text(), "http://pointer/\n");
}

#[test]
fn without_a_file_the_current_directory_is_walked() {
    let dir = tree();
    let notes = SKIPPED.to_owned() + &hidden(2);
    for args in ["-r", "-r ."] {
        let found = dir.run(&format!("--emit valid {args}"));
        assert_eq!((found.status, found.text(), &found.stderr), (0, FOUND.trim_end(), &notes), "{args}");
    }
    assert_eq!(dir.run("--stats=json -r").json()["files"][0]["file"], "./d/a");
    // A file with the name of standard input is a file.
    dir.write("-", "http://hyphen/\n");
    let found = dir.run("--emit valid -r");
    assert_eq!(found.text(), format!("http://hyphen/\n{}", FOUND.trim_end()));
}

#[test]
fn archives_are_read() {
    let dir = tree();
    let zstd = zstd::encode_all(&b"http://in.zstd/\n"[..], 0).unwrap();
    std::fs::write(dir.path().join("d/c.d/three.zst"), zstd).unwrap();
    assert_eq!(dir.run("--emit valid -r d/c.d").text(), "http://in.zstd/\nhttp://d/c.d/two/");
}

/// Tests a FIFO, which would wait for a writer, and a link to a parent directory, which would lead to an
/// endless walk.
#[cfg(unix)]
#[test]
fn links_and_special_files_are_skipped_unless_they_are_named() {
    let dir = tree();
    dir.fifo("d/b/fifo");
    std::os::unix::fs::symlink("..", dir.path().join("d/b/loop")).unwrap();
    std::os::unix::fs::symlink("one", dir.path().join("d/b/link")).unwrap();
    let found = dir.run("--emit valid -r d/b");
    assert_eq!(found.text(), "http://d/b/one/");
    assert_eq!(found.stderr, SKIPPED.replace("1 skipped", "3 skipped") + &hidden(1));
    assert_eq!(dir.run("--emit valid -r d/b/link").text(), "http://d/b/one/");
    std::os::unix::fs::symlink("d/b", dir.path().join("link")).unwrap();
    assert_eq!(dir.run("--emit valid -r link").text(), "http://d/b/one/");
}

#[test]
fn an_output_in_the_directory_is_no_input() {
    let dir = tree();
    dir.write("d/good", "http://old/\n");
    for _ in 0..2 {
        let run = dir.run("--emit none --valid d/good -r d");
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(std::fs::read_to_string(dir.path().join("d/good")).unwrap(), FOUND.trim_end());
    }
    assert_eq!(dir.run("--emit valid --output d/good -r d").status, 0);
    assert_eq!(std::fs::read_to_string(dir.path().join("d/good")).unwrap(), FOUND.trim_end());
    // As an output, a file that the user also names as input is rejected, as without a walk.
    assert_eq!(dir.run("--emit none --valid d/good -r d/good d").status, 2);
}

/// Tests standard error in the directory: the run writes to it, and a shell creates the file before the walk.
#[test]
fn standard_error_in_the_directory_is_no_input() {
    let dir = tree();
    let log = dir.path().join("d/c.d/log");
    let mut process = super::process();
    process.current_dir(dir.path()).args(["--emit", "valid", "-r", "d/c.d"]);
    let output = process.stderr(std::fs::File::create(&log).unwrap()).output().unwrap();
    let found = (output.status.code(), str::from_utf8(&output.stdout).unwrap());
    assert_eq!(found, (Some(0), "http://d/c.d/two/"));
    assert_eq!(std::fs::read_to_string(log).unwrap(), SKIPPED);
}

/// Tests that a NUL does not indicate a binary file if it ends records.
#[test]
fn files_of_nul_terminated_records_are_scanned() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join("d")).unwrap();
    dir.write("d/list", "http://a/\0http://b/\0");
    dir.run("--null --emit valid -r d").expect(0, "http://a/\0http://b/\0", "");
}

/// Tests a directory whose path is too long: no user can read it, not even root.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_read_is_named_once_and_the_rest_goes_on() {
    let dir = Dir::new();
    let level = format!("/{}", "x".repeat(250));
    // Each half can still be named.
    let half = level.repeat(10);
    for top in ["d", "e"] {
        std::fs::create_dir_all(dir.path().join(format!("{top}{half}"))).unwrap();
    }
    std::fs::rename(dir.path().join("e"), dir.path().join(format!("d{half}/{}", &level[1..]))).unwrap();
    dir.write("d/z", "http://z/\n");
    // With 16 levels the path has 4017 bytes; the limit is 4095.
    let message = format!("urivalidate: d{}: File name too long\n", level.repeat(17));
    dir.run("--emit valid -r d").expect(2, "http://z/\n", &message);
}

#[test]
fn xml_without_urls_is_skipped() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join("d")).unwrap();
    // It is not well-formed, but nothing in it is a link.
    dir.write("d/a.xml", "<project>\n<url>x y</url>&nbsp;\n</project>\n");
    dir.write("d/b.xml", "<project>\n<a href='/b'/>\n</project>\n");
    dir.write("d/c.xml", "<rss>\n<link>/c</link>\n</rss>\n");
    let found = dir.run("--emit valid -r d");
    assert_eq!((found.status, found.text()), (0, "/b\n/c\n"), "{}", found.stderr);
    assert!(found.stderr.starts_with(SKIPPED), "{}", found.stderr);
    // A file that the user names is judged.
    let named = dir.run("-r d/a.xml");
    assert_eq!(named.status, 1);
    assert!(named.text().starts_with("d/a.xml:2:15: malformed-line: not a reference"), "{}", named.text());
    let note = "urivalidate: d/a.xml: a vocabulary of XML that is not known: only href, src, xlink:href, xml:base and the \
                addresses of schemas are read; no URL is there\n";
    assert!(named.stderr.ends_with(note), "{}", named.stderr);
    assert_eq!(dir.run("--from xml -r d").status, 1);
    dir.run("--quiet -r d").expect(0, "", "");
}
