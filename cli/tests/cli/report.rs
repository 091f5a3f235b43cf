//! Tests `--report`.

use super::{Dir, run};

/// Texts that would have an effect in some place if they were not escaped.
const INJECTIONS: &[&str] = &[
    "<script>alert(1)</script>",
    "http://h/\"><script>alert(1)</script>",
    "http://h/'><img src=x onerror=alert(1)>",
    "http://h/<svg/onload=alert(1)>",
    "</pre></mark><iframe srcdoc=\"<script>alert(1)</script>\">",
    "</style><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<!-- --!><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "javascript:alert(1)//<b>",
    "data:text/html,<script>alert(1)</script>",
    "http://h/\" onmouseover=\"alert(1)",
    "http://h/` onerror=alert(1) `<",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62;",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<meta http-equiv=refresh content=0;url=http://evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "http://h/{{7*7}}${7*7}<%= 7*7 %>",
    "http://h/\u{202e}gpj.exe <\u{2028}script>",
    "http://h/\u{1b}]0;x\u{7} \u{9b}31m<b>",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4- <",
    "javascript&colon;alert(1) <",
];

/// All tags and attributes that the page may have.
const TAGS: &str = "!DOCTYPE html head meta title style body header h1 h2 h3 p ul li b main section div table caption thead tbody tr th td \
                    svg rect line text bdi span pre mark footer";
const ATTRIBUTES: &str = "html lang charset http-equiv content name class scope aria-hidden viewBox preserveAspectRatio width height x y \
                          x1 y1 x2 y2 role";

/// Returns the tags of a page, each with the names and values of its attributes.
fn tags(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let name = rest.trim_start_matches('/');
        let end = name.find(|char: char| char.is_whitespace() || char == '>').expect("a tag ends");
        let (name, mut inside) = name.split_at(end);
        let mut attributes = Vec::new();
        loop {
            inside = inside.trim_start();
            if let Some(after) = inside.strip_prefix('>') {
                rest = after;
                break;
            }
            let end = inside.find(['=', '>', ' ']).expect("an attribute ends");
            let (attribute, after) = inside.split_at(end);
            let (value, after) = match after.strip_prefix("=\"") {
                Some(value) => value.split_once('"').expect("a value ends"),
                None => ("", after),
            };
            assert!(!after.starts_with('='), "{attribute} has a value without quotes");
            attributes.push((attribute.to_owned(), value.to_owned()));
            inside = after;
        }
        tags.push((name.to_owned(), attributes));
    }
    tags
}

#[track_caller]
fn check_tags(page: &str) {
    for (tag, attributes) in tags(page) {
        assert!(TAGS.split_whitespace().any(|known| known == tag), "<{tag}>");
        for (attribute, value) in attributes {
            assert!(ATTRIBUTES.split_whitespace().any(|known| known == attribute), "<{tag} {attribute}>");
            assert!(!value.contains("alert") && !value.contains("evil"), "<{tag} {attribute}=\"{value}\">");
        }
    }
    // The resources that the styles might load.
    let style = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).unwrap().0;
    assert!(!style.contains("url(") && !style.contains("@import"));
    let is_seen = |char: char| char == '\n' || !(char.is_control() || "\u{202e}\u{2028}".contains(char));
    assert!(page.chars().all(is_seen), "a control character went through");
}

/// Tests bars and labels: a full bar has 1,000 units. On a phone the histogram is a third as wide, so its
/// labels are larger there, and fewer.
#[test]
fn bars_are_shares_of_the_whole_and_labels_can_be_read_on_a_phone() {
    let dir = Dir::new();
    dir.write("list", "urn:a\nurn:b c\nb\nx\ny\n");
    dir.run("--no-notes --report page.html list").expect(0, "", "");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    let bars: Vec<_> = tags(&page)
        .into_iter()
        .filter(|(tag, attributes)| {
            tag == "rect" && attributes.contains(&("height".to_owned(), "10".to_owned()))
        })
        .map(|(_, attributes)| attributes[1].1.clone())
        .collect();
    assert_eq!(bars[..2], ["750", "250"], "{bars:?}");
    let (_, phone) = page.split_once("@media (max-width: 40rem)").unwrap();
    assert!(phone.contains("svg text { font-size: 28px;") && phone.contains(":nth-of-type(4n+1)"));
    assert!(page.contains("sans-serif; overflow-wrap: anywhere;"));
}

// Windows has no files with such names.
#[cfg(unix)]
#[test]
fn hostile_uris_do_nothing() {
    let dir = Dir::new();
    let mut list = INJECTIONS.join("\n");
    // The texts as schemes, hosts and ports, and after a host.
    for injection in INJECTIONS {
        list += &format!(
            "\nhttp://h/{injection}\nhttp://{injection}/\nx{injection}:a\nhttp://h:{injection}/\n{injection}:a"
        );
        list += &format!("\nhttp://u@h'`=(1)/{injection} b");
    }
    dir.write("list", list);
    // A file's name can be as hostile, but has no slash.
    let names = ["<img src=x onerror=alert(1)>.txt", "\"onmouseover=\"alert(1)", "\u{202e}<b>&amp;"];
    names.iter().for_each(|name| drop(dir.write(name, INJECTIONS.join("\n"))));
    dir.write("files", format!("list\n{}\n<i>none</i>\n", names.join("\n")));
    let run = dir.run("--report page.html --top-hosts 50 --files-from files");
    assert_eq!(run.status, 2, "one file is not there");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    check_tags(&page);
    for text in [
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "&lt;img src=x onerror=alert(1)&gt;.txt",
        "&quot;onmouseover=&quot;alert(1)",
        "&lt;i&gt;none&lt;/i&gt;",
        "\\xE2\\x80\\xAE",
    ] {
        // The marked byte has tags around it.
        let without_marks = page.replace("<mark>", "").replace("</mark>", "");
        assert!(without_marks.contains(text), "{text}");
    }
}

#[test]
fn a_log_with_lines_that_do_not_fit_is_as_harmless() {
    let dir = Dir::new();
    let lines: Vec<String> = INJECTIONS.iter().map(|text| format!("192.0.2.1 - - {text}")).collect();
    dir.write("log", lines.join("\n"));
    let run = dir.run("--from combined --report page.html log");
    assert_eq!((run.status, run.text()), (0, ""));
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    check_tags(&page);
    assert!(page.contains("malformed-line"));
}

#[test]
fn the_page_has_what_was_counted() {
    let dir = Dir::new();
    dir.write("one", "http://example.com/\n".repeat(5000) + "http://example.com/a b\nhtps://h/\n");
    dir.write("two", "urn:a\n");
    let run = dir.run("--report page.html one two");
    assert_eq!((run.status, run.text(), run.stderr.as_str()), (0, "", ""));
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    check_tags(&page);
    for part in [
        "<h1>5,003 URIs in 5,003 lines: 99.98% valid, 1 invalid.</h1>",
        "<bdi>one</bdi>:5001:21 <bdi>a space must be written %20</bdi>",
        "<pre>http://example.com/a<mark> </mark>b</pre>",
        "<bdi>unregistered-scheme</bdi>",
        "<title>16 to 23 bytes: 5,001</title>",
        "<th scope=\"row\"><bdi>two</bdi></th>",
        "prefers-color-scheme: dark",
        "@media print",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    // Statistics on the screen are possible, too, and a page about an empty input.
    let both = dir.run("--report page.html --stats one");
    assert!(both.text().starts_with("5,002 URIs"));
    dir.write("empty", "");
    assert_eq!(dir.run("--report page.html empty").status, 0);
    assert!(
        std::fs::read_to_string(dir.path().join("page.html"))
            .unwrap()
            .contains("<h1>No URIs in 0 lines.</h1>")
    );
}

// Windows has no files with such names.
#[cfg(unix)]
#[test]
fn the_page_names_its_files() {
    let dir = Dir::new();
    for name in ["a<b", "two", "three", "four", "five"] {
        dir.write(name, "urn:a\n");
    }
    let page = |args: &str, stdin: &str| {
        let mut command = super::command();
        command.current_dir(dir.path()).args(["--report", "page.html"]).args(args.split_whitespace());
        assert_eq!(super::finish(command.write_stdin(stdin)).status, 0, "{args}");
        let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
        check_tags(&page);
        page
    };
    for (args, names) in [
        ("a<b", "a&lt;b"),
        ("a<b two three", "a&lt;b, two, three"),
        ("a<b two three four five", "a&lt;b, two, three and 2 more"),
        ("", "standard input"),
        ("- two", "standard input, two"),
    ] {
        let page = page(args, "urn:b\n");
        assert!(page.contains(&format!("<p class=\"faint\">of <bdi>{names}</bdi></p>")), "{args}: {page}");
        assert!(page.contains(&format!("<title>{names}: ")), "{args}");
    }
    // On a phone, the name of a file has a row of its own.
    let page = page("two three", "");
    let (_, phone) = page.split_once("@media (max-width: 40rem)").unwrap();
    assert!(
        page.contains("<table class=\"files\">") && phone.contains(".files th[scope=row] { flex: 0 0 100%;")
    );
}

#[test]
fn a_page_overwrites_no_input_and_no_other_output() {
    let dir = Dir::new();
    dir.write("list", "urn:a\n");
    for args in [
        "--report list list",
        "--report ./list list",
        "--report x --valid x list",
        "--report x --emit valid --output ./x list",
        "--report nowhere/x list",
    ] {
        let run = dir.run(args);
        assert_eq!(run.status, 2, "{args}: {}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(dir.path().join("list")).unwrap(), "urn:a\n");
    assert_eq!(run("--quiet --report x", "").status, 2);
}
