//! MDX, Quarto and R Markdown: samples and traps.

use super::*;

const MDX: &str = include_str!("../../../../corpora/logs/components.mdx");
const QUARTO: &str = include_str!("../../../../corpora/logs/report.qmd");

/// The records with their lines. Each stands at its line and column.
fn found(format: Format, text: &str) -> Vec<(u64, String)> {
    let found = case(format).run(text);
    assert!(found.malformed.is_empty(), "{:?}", found.malformed);
    let lines: Vec<_> = text.lines().collect();
    for (line, column, record) in &found.records {
        let from = &lines[*line as usize - 1][*column as usize - 1..];
        let written = record.strip_prefix("http://www.").map_or(record.as_str(), |_| "www.");
        assert!(from.as_bytes().first() == written.as_bytes().first(), "{record} at {line}:{column}");
    }
    found.records.into_iter().map(|(line, _, record)| (line, record)).collect()
}

fn links(format: Format, text: &str) -> Vec<String> {
    found(format, text).into_iter().map(|(_, record)| record).collect()
}

#[test]
fn a_page_of_mdx() {
    let expected = [
        (13, "https://www.example.com/docs"),
        (15, "https://a.example/b c"),
        (15, "/internal page"),
        (15, "https://c.example/d|e"),
        (17, "f&g"),
        (25, "/h.png"),
        (25, "i j.png"),
        (25, "/k l.png"),
        (26, "m n.png"),
        (27, "p{q}.html"),
        (29, "https://r.example/>"),
        (29, "t u"),
    ];
    assert_eq!(found(Format::Mdx, MDX), expected.map(|(line, url)| (line, url.to_owned())));
}

#[test]
fn code_of_mdx_has_no_links() {
    for text in [
        "{[a](b c)}\n",
        "{'}'} {\"}\"} {`}${'}'}`} {/* } */}{// }\n}",
        "export const a = '[b](c d)'\n",
        "import a from 'https://a.example/b c'\nimport b from './c d'\n",
        "export const a = {\n\n  b: '[c](d e)',\n}\n",
        "```\n<A href='b' />\n",
        "- a\n  ~~~\n  [a](b)\n  ~~~\n",
        "`{` [a] `}`",
        "<!-- <a href=b> {-->",
        "<A b={{ href: 'c d' }} href={'e f'} />",
        "<A>{'don\\'t'}</A>",
    ] {
        assert!(links(Format::Mdx, text).is_empty(), "{text:?}: {:?}", links(Format::Mdx, text));
    }
}

#[test]
fn elements_of_mdx_have_links() {
    for (text, expected) in [
        ("<A href='b c'>\n\n    [d](e f)\n\n</A>", &["b c", "e f"][..]),
        ("<A.B href=\"c\"/><svg:a href = 'd'/><>[e](f)</>", &["c", "d", "f"]),
        ("<A to='b'/><Link to='c d'/><NavLink to=\"e\"/>", &["c d", "e"]),
        ("<img srcSet='a 2x, b c.png' /><Img srcSet='d'/>", &["a", "b c.png"]),
        ("<a\n  href='b'\n  c={d}>[e](f)</a>", &["b", "f"]),
        (
            "a <a href='b'>www.c.example</a> https://d.example/{e}/<b>f</b>",
            &["b", "http://www.c.example", "https://d.example/{e}/"],
        ),
        ("[a]({b}) [c](d{e f}g)", &["{b}", "d{e f}g"]),
        ("[a]: <b c>\n[d]: /{e}\n\n[f]:\n </g>\n\n[h]:\n\n<a href='i'>", &["b c", "/{e}", "/g", "i"]),
        ("> [a]:\n> <b c>\n\n>> [d]:\n> > </e{f}>\n\n[g]:\n><a href='h i'/>", &["b c", "/e{f}", "h i"]),
        ("- > [a]:\n  > <b c>\n\n[d](\n<e f>)\n\n> [g](\n> <h i>)", &["b c", "e f", "h i"]),
        ("{a [b](c d)\n", &["c d"]),
        ("export (\n\n[a](b c)\n\nexport (\n\n[d](e)\n", &["b c", "e"]),
        ("important [a](b c)\nimport [d](e)\n", &["b c", "e"]),
        ("\t[a](b)\n\n    - [c](d)\n", &["b", "d"]),
        ("<a href='b", &[]),
    ] {
        assert_eq!(links(Format::Mdx, text), expected, "{text:?}");
    }
}

#[test]
fn a_report_of_quarto() {
    let expected = [
        (11, "https://a.example/b c"),
        (14, "https://b.example/c|d"),
        (16, "https://f.example/g h"),
        (16, "https://i.example/j"),
        (24, "https://k.example/l m"),
        (27, "n o.png"),
        (27, "https://p.example/q"),
        (27, "https://r.example/s"),
    ];
    assert_eq!(found(Format::Quarto, QUARTO), expected.map(|(line, url)| (line, url.to_owned())));
}

#[test]
fn shortcodes_have_links() {
    for (text, expected) in [
        ("{{< a https://b.example/c >}}d [e](f g)", &["https://b.example/c", "f g"][..]),
        ("{{<a https://b.example/c>}}", &["https://b.example/c"]),
        (
            "{{< video https://b.example/?v=c d_e=https://f.example/?g=h i=\"https://j.example/?k=l m\" >}}",
            &["https://b.example/?v=c", "https://f.example/?g=h", "https://j.example/?k=l m"],
        ),
        ("{{< a 'https://b.example/c d", &["https://b.example/c"]),
        ("{{< a b='https://c.example/d\ne' >}}", &["https://c.example/d\\ne"]),
        ("{{< a \"https://b.example/c >}} {{< d >}}", &["https://b.example/c "]),
        ("{{<>}}{{< >}}{{< = >}}{{< a= >}}{{< \"\" >}}", &[]),
    ] {
        assert_eq!(links(Format::Quarto, text), expected, "{text:?}");
    }
}

#[test]
fn names_say_the_dialect() {
    for (name, format) in [
        ("a.mdx", Format::Mdx),
        ("a.qmd", Format::Quarto),
        ("a.Rmd", Format::Quarto),
        ("a.rmd.gz", Format::Quarto),
    ] {
        assert_eq!(Format::by_name(name), Some(format));
    }
}
