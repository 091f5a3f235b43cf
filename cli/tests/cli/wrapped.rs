//! Tests lines that another program has wrapped.

use crate::{Dir, run};

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../corpora/logs/", $name)).as_slice()
    };
}

#[test]
fn the_wrapper_and_the_format_inside_are_named() {
    for (log, note) in [
        (sample!("syslog.log"), "syslog, caddy (7 of 9 lines fit)"),
        (sample!("cri.log"), "cri, envoy (7 of 11 lines fit)"),
        (sample!("docker.jsonl"), "docker, caddy (6 of 9 lines fit)"),
        (sample!("journal.jsonl"), "journald, haproxy (7 of 8 lines fit)"),
        (sample!("kubectl.log"), "kubernetes, envoy (5 of 7 lines fit)"),
        (sample!("compose.log"), "compose, envoy (5 of 8 lines fit)"),
        (sample!("timestamps.log"), "timestamps, caddy (3 of 4 lines fit)"),
        (sample!("nginx-syslog.log"), "syslog, combined (5 of 7 lines fit)"),
        (sample!("nginx-cri.log"), "cri, combined (5 of 10 lines fit)"),
        (sample!("nginx-docker.jsonl"), "docker, combined (5 of 9 lines fit)"),
        (sample!("stern.log"), "kubernetes, combined (5 of 8 lines fit)"),
    ] {
        let found = run("--emit none", log);
        let expected = format!("read as {note}, grammar request-target; --from and --grammar choose others");
        assert!(found.stderr.starts_with(&format!("urivalidate: -: {expected}")), "{}", found.stderr);
    }
}

#[test]
fn columns_are_those_of_the_whole_line() {
    let log = "Nov 23 01:02:03 h caddy: {\"request\":{\"uri\":\"/a b\"}}\n";
    let found = run("--from syslog", log);
    assert_eq!((found.status, found.text()), (1, "-:1:47: space: a space must be written %20\n"));
    assert_eq!(run("--from syslog --emit invalid", log).text(), log);
}

/// Tests several files, each with its own wrapper, and one without.
#[test]
fn each_file_has_its_own_wrapper() {
    let dir = Dir::new();
    dir.write("syslog", sample!("syslog.log"));
    dir.write("docker", sample!("docker.jsonl"));
    dir.write("list", "http://a/\n");
    let stats = dir.run("--stats=json syslog list docker").json();
    let format = |file: usize| stats["files"][file]["format"].as_str().unwrap().to_owned();
    assert_eq!([format(0), format(1), format(2)], ["caddy", "lines", "caddy"]);
}

/// Tests that the format inside a wrapper has the same fields as without it.
#[test]
fn fields_of_the_format_inside_are_selected() {
    for log in [
        sample!("nginx-syslog.log"),
        sample!("nginx-cri.log"),
        sample!("nginx-docker.jsonl"),
        sample!("stern.log"),
    ] {
        let found = run("--field referer --emit uri", log);
        assert_eq!(
            found.text(),
            "https://www.example.com/\nhttps://www.example.com/a?b=c\n",
            "{}",
            found.stderr
        );
    }
}

#[test]
fn messages_of_any_kind_are_texts() {
    let log = "Nov 23 01:02:03 h app[1]: fetched http://a/b and <http://c/d e>\n";
    let found = run("--from syslog", log);
    assert_eq!(found.status, 1);
    assert_eq!(run("--from syslog --emit valid", log).text(), "http://a/b\n");
    let wrong = run("--from syslog --header yes", log);
    assert_eq!(wrong.status, 2);
}

/// Tests messages of any kind in objects: the escapes of the strings are no parts of a URI.
#[test]
fn messages_of_any_kind_in_objects_are_texts() {
    let log = "{\"log\":\"fetched\\thttp://a/b\\n\",\"stream\":\"stdout\"}\n";
    let found = run("--from docker --emit valid", log);
    assert_eq!((found.status, found.text()), (0, "http://a/b\n"));
    assert!(found.stderr.contains("read as text, grammar uri"), "{}", found.stderr);
}
