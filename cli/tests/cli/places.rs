//! Tests the targets of outputs: several files in one output, names of open descriptors, links.

use std::fs;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use super::process;
use super::{Dir, compressed};

/// Makes files whose last lines have no end.
fn two_files() -> Dir {
    let dir = Dir::new();
    dir.write("f1", "http://a/1");
    dir.write("f2", "http://b/2\nno uri");
    dir.write("f3", "no uri\n http://c/3 ");
    dir
}

#[test]
fn lines_of_several_files_stay_lines() {
    let dir = two_files();
    for (args, expected) in [
        ("f1 f2 --emit valid", "http://a/1\nhttp://b/2\n"),
        ("f1 f1 --emit valid", "http://a/1\nhttp://a/1"),
        ("f2 f3 --emit invalid", "no uri\nno uri\n http://c/3 "),
        ("f1 f3 f2 --emit valid --trim", "http://a/1\nhttp://c/3\nhttp://b/2\n"),
        // The output for a single file stays the same, and an empty file between others changes nothing.
        ("f1 --emit valid", "http://a/1"),
        ("f1 empty f1 --emit valid", "http://a/1\nhttp://a/1"),
        ("f1 f2 --emit valid -0", "http://a/1"),
        ("f1 f1 --emit valid -0", "http://a/1\0http://a/1"),
        ("t1 t1 --emit valid", "url\n1,http://x/a\nurl\n1,http://x/a"),
    ] {
        dir.write("empty", "");
        dir.write("t1", "n,url\n1,http://x/a");
        let expected = expected.replace("url\n1", "n,url\n1");
        for threads in ["-j1", "-j2"] {
            let from = if args.starts_with('t') { " --from csv" } else { " --from lines" };
            dir.run(&format!("{args}{from} {threads}")).expect(0, &expected, "");
        }
    }
    dir.run("f1 f2 f3 --from lines --emit none --valid v --invalid i --errors e").expect(0, "", "");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read("v"), "http://a/1\nhttp://b/2\n");
    assert_eq!(read("i"), "no uri\nno uri\n http://c/3 ");
    assert_eq!(read("e").lines().count(), 3);
}

#[test]
fn lines_of_compressed_files_and_of_logs_stay_lines() {
    let dir = Dir::new();
    dir.write("g", compressed::gzip(b"urn:a:1"));
    dir.run("g g --emit valid").expect(0, "urn:a:1\nurn:a:1", "");
    let log = "# no log\n192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 1\nrest";
    dir.write("l", log);
    dir.run("l l --from common --rest r --emit valid").expect(
        0,
        "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 1\n".repeat(2),
        "",
    );
    assert_eq!(fs::read_to_string(dir.path().join("r")).unwrap(), "# no log\nrest\n# no log\nrest");
}

/// Tests a byte order mark, which does not belong to the records of a file, but would do so in the middle of
/// an output.
#[test]
fn a_byte_order_mark_comes_first_or_not_at_all() {
    let dir = Dir::new();
    dir.write("m", "\u{FEFF}urn:a:1");
    dir.run("m m --emit valid").expect(0, "\u{FEFF}urn:a:1\nurn:a:1", "");
}

/// Tests a record over the limit: its parts have no line ends between them.
#[test]
fn parts_of_a_long_record_stay_together() {
    let dir = Dir::new();
    let long = format!("http://h/{}", "a".repeat(300_000));
    dir.write("long", &long);
    dir.write("short", "x y");
    let expected = format!("{long}\nx y\n{long}");
    dir.run("long short long --max-record 1000 --emit invalid -j2").expect(0, expected, "");
}

/// Not under an emulator: the shell would start the command without it.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn shell(dir: &Dir, script: &str) -> (i32, String) {
    let script = format!("urivalidate() {{ {} \"$@\"; }}; {script}", process().get_program().display());
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(dir.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Tests a stream that the shell has redirected: the command writes through its descriptor, and loses
/// nothing.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn names_of_descriptors_are_these_descriptors() {
    for (option, written) in [
        ("--emit valid --output", "urn:a:1\n"),
        ("--emit none --valid", "urn:a:1\n"),
        ("--emit none --invalid", "no uri\n"),
        ("--emit none --rest", ""),
        ("--emit none --errors", "list:2:3: missing-scheme: "),
        ("--emit none --report", "<!DOCTYPE html>"),
    ] {
        for place in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"] {
            let dir = Dir::new();
            dir.write("list", "urn:a:1\nno uri\n");
            std::os::unix::fs::symlink("/dev/stdout", dir.path().join("link")).unwrap();
            let read = || fs::read_to_string(dir.path().join("f")).unwrap();
            let script = format!("{{ echo head; urivalidate list {option} {place}; echo tail; }} > f");
            assert_eq!(shell(&dir, &script), (0, String::new()), "{script}");
            let text = read();
            let middle = text.strip_prefix("head\n").and_then(|text| text.strip_suffix("tail\n"));
            let middle = middle.unwrap_or_else(|| panic!("{script}: {text}"));
            assert!(
                middle.starts_with(written) && middle.is_empty() == written.is_empty(),
                "{script}: {middle}"
            );

            assert_eq!(shell(&dir, &format!("echo old > f; urivalidate list {option} {place} >> f")).0, 0);
            assert!(read().starts_with(&format!("old\n{written}")), "{script}");
        }
    }
    let dir = Dir::new();
    dir.write("list", "urn:a:1\n");
    // A descriptor that an option names may be the file of standard error.
    for script in [
        "urivalidate list --emit none --errors /dev/stderr 2>> f",
        "urivalidate list --emit none --valid /dev/stdout >> f 2>&1",
    ] {
        assert_eq!(shell(&dir, script).0, 0, "{script}");
    }
    let script = "{ echo head >&7; urivalidate list --emit valid --output /dev/fd/7; echo tail >&7; } 7> f";
    assert_eq!(shell(&dir, script), (0, String::new()));
    assert_eq!(fs::read_to_string(dir.path().join("f")).unwrap(), "head\nurn:a:1\ntail\n");
    // The caller has no such descriptor.
    assert_eq!(shell(&dir, "urivalidate list --emit valid --output /dev/fd/9 2> f").0, 2);
    assert!(fs::read_to_string(dir.path().join("f")).unwrap().starts_with("urivalidate: /dev/fd/9: "));
}

/// Tests that outputs go to the target of a link, which may not exist yet, and that the link stays.
#[cfg(unix)]
#[test]
fn dangling_links_are_followed() {
    for option in ["--emit valid --output", "--emit none --valid", "--emit none --report"] {
        let dir = Dir::new();
        dir.write("list", "urn:a:1\n");
        fs::create_dir(dir.path().join("folder")).unwrap();
        std::os::unix::fs::symlink("folder/target", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("link", dir.path().join("chain")).unwrap();
        for _ in 0..2 {
            assert_eq!(dir.run(&format!("list {option} chain")).status, 0, "{option}");
            let text = fs::read_to_string(dir.path().join("folder/target")).unwrap();
            assert!(text.starts_with("urn:a:1\n") || text.starts_with("<!DOCTYPE html>"), "{option}");
            for link in ["link", "chain"] {
                assert!(fs::symlink_metadata(dir.path().join(link)).unwrap().is_symlink(), "{option}");
            }
        }
    }
}

/// Tests hard links. `--output` puts a new file in place, so other names keep the old content. The other
/// options write into the file.
#[cfg(unix)]
#[test]
fn hard_links_see_what_is_written_into_the_file() {
    for (option, other_name) in [("--emit valid --output", "old\n"), ("--emit none --valid", "urn:a:1\n")] {
        let dir = Dir::new();
        dir.write("list", "urn:a:1\n");
        dir.write("one", "old\n");
        fs::hard_link(dir.path().join("one"), dir.path().join("other")).unwrap();
        assert_eq!(dir.run(&format!("list {option} one")).status, 0);
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!((read("one").as_str(), read("other").as_str()), ("urn:a:1\n", other_name), "{option}");
    }
}
