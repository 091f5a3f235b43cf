//! Runs the commands that pages of the documentation show.

use super::Dir;
use super::gate::write;

/// Runs the commands of a page in this directory, and returns their number. Each line that the page shows
/// must be printed, in any order, since errors and notes come from two streams.
#[track_caller]
fn run_page(page: &str, dir: &Dir) -> usize {
    let program = super::process().get_program().to_owned();
    let programs = std::path::Path::new(&program).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let consoles = page.split("```console\n").skip(1).map(|block| block.split("```\n").next().unwrap());
    let shown: Vec<_> = consoles.flat_map(|block| block.split("$ ").skip(1)).collect();
    for shown in &shown {
        let (command, lines) = shown.split_once('\n').unwrap();
        let ran = std::process::Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .env("PATH", &path)
            .env("LC_ALL", "C.UTF-8")
            .current_dir(dir.path())
            .output()
            .unwrap();
        let printed = String::from_utf8(ran.stdout).unwrap();
        for line in lines.lines() {
            assert!(printed.lines().any(|printed| printed == line), "{command}: {line}\n{printed}");
        }
    }
    shown.len()
}

#[test]
fn the_page_about_the_gate_shows_what_is_printed() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    write(&dir, ".gitignore", "out\n");
    write(&dir, "out/a.md", "[a](b c)\n");
    write(&dir, "style.css", "a { color: red }\n");
    write(&dir, "docs/demo.html", "<!doctype html>\n<a href=\"http://example.com:8o80/\">demo</a>\n");
    let guide = "The [first steps](start.md) need no account; see the [page](old page.md).";
    write(&dir, "docs/guide.md", &format!("# Guide\n\n{guide}\n\nText.\n"));
    assert_eq!(run_page(include_str!("../../../docs/gate.md"), &dir), 8);
}

#[test]
fn the_page_about_strict_parsing_shows_what_is_printed() {
    let dir = Dir::new();
    let mut log = String::new();
    for (second, target, referer) in [
        (1, "/", "https://www.example.com/"),
        (2, "/search?q={term}&page=1", "https://www.example.com/"),
        (3, "/api/items?filter[state]=open", "-"),
        (4, "/api/items?filter[state]=done", "-"),
        (5, "/api/a|b", "https://www.example.com/list?a=1|2"),
        (6, "/100%-wool", "https://www.example.com/"),
        (7, r"/caf\xC3\xA9", r"https://www.example.com/caf\xC3\xA9"),
        (8, "/docs/start", "https://www.example.com/"),
    ] {
        log += &format!(
            "192.0.2.44 - - [03/Nov/2026:10:00:0{second} +0000] \"GET {target} HTTP/1.1\" 200 512 \"{referer}\" \"Mozilla/5.0\"\n"
        );
    }
    dir.write("access.log", log);
    assert_eq!(run_page(include_str!("../../../docs/strict-parsing.md"), &dir), 6);
}
