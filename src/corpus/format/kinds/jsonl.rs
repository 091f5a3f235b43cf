//! JSON Lines: see [`json`](super::json).

use std::sync::Arc;

use super::json::Json;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "JSON Lines; key url, uri or another; a.b, .a.b or /a/b is a nested key",
    sentinels: "null",
    fields: FieldChoice::Other("keys", |options| {
        Some(Arc::new(Json::new(&options.field, &["url", "uri"], false)?))
    }),
    #[cfg(test)]
    example: ["", "{\"url\":\"", "\"}\n"],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{Case, case, key, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    const JSONL: &str = include_str!("../../../../corpora/logs/lines.jsonl");

    #[test]
    fn jsonl() {
        let found = case(Format::Jsonl).detected(JSONL).run(JSONL);
        assert_eq!(
            texts(&found),
            [
                "http://example.com/a",
                "http://example.com/b",
                r"http://example.com/\xc3\xa9\xf0\x9f\x98\x80",
                r"http://example.com/c\nd",
                ""
            ]
        );
        use Malformed::*;
        assert_eq!(
            reasons(&found),
            [
                (6, NotAString),
                (7, BadEscape),
                (10, NotAnObject),
                (11, NotAnObject),
                (12, Empty),
                (15, NotAnObject)
            ]
        );
        assert_eq!((found.sentinels, found.without_key, found.count), (1, 3, 15));
        assert_eq!(found.missing_key, None);
        // The é, the line feed, and the end of the empty URI.
        assert_eq!(found.errors, [(3, 65), (4, 34), (13, 9)]);
        assert_eq!(
            texts(&key(Format::Jsonl, "uri").run(JSONL))[..2],
            ["http://example.com/b", "http://example.com/second"]
        );
        assert_eq!(texts(&key(Format::Jsonl, "s").run(JSONL)), [r#"\"url\":\"x\""#]);
    }

    #[test]
    fn an_input_without_the_key_is_an_error() {
        let missing = |case: Case, input: &str| case.run(input).missing_key;
        let others = "{\"b\":\"c\"}\n".repeat(3);
        let expected = Some("no line has the key \"url\"".to_owned());
        assert_eq!(missing(case(Format::Jsonl), &others), expected);
        assert_eq!(missing(case(Format::Jsonl), &format!("{others}no object\n\n")), expected);
        // The key may come late, and its value may be of any kind.
        for line in [r#"{"url":"urn:a"}"#, r#"{"url":null}"#, r#"{"url":7}"#, r#"{"url":"\u12"}"#] {
            for input in [format!("{others}{line}"), format!("{line}\n{others}")] {
                let found = case(Format::Jsonl).run(&input);
                assert_eq!((found.missing_key, found.without_key), (None, 3), "{input}");
            }
        }
        for input in ["", "no object\n"] {
            assert_eq!(missing(case(Format::Jsonl), input), None, "{input}");
        }
        // The documents and the lists of pairs have keys, too.
        let objects = format!("[{}]", ["{\"b\":\"c\"}"; 2].join(",\n"));
        assert_eq!(missing(case(Format::Json), &objects).as_deref(), Some("no object has the key \"url\""));
        assert_eq!(missing(case(Format::Pairs), "a=b\n"), expected);
    }

    #[test]
    fn trimmed_fields_keep_their_columns() {
        let input =
            "{\"url\":\" \\u0009http://example.com/{a\\t \"}\n{\"url\":\"  \"}\n{\"url\":\" urn:a \"}\n";
        let found = Case { trim: true, ..case(Format::Jsonl) }.run(input);
        assert_eq!(texts(&found), ["http://example.com/{a", "", "urn:a"]);
        assert_eq!(found.records[0].1, 16);
        assert_eq!(found.records[2].1, 10);
        assert_eq!(found.errors[0], (1, 35));
        // The escape is part of the trimmed bytes.
        assert_eq!(found.trimmed, b"{\"url\":\"urn:a\"}\n");
        let input = "{\"url\":\" \\u0009urn:a\\t \",\"a\":1}\n";
        let found = Case { trim: true, ..case(Format::Jsonl) }.run(input);
        assert_eq!(found.trimmed, b"{\"url\":\"urn:a\",\"a\":1}\n");
    }

    #[test]
    fn of_a_key_that_occurs_twice_the_last_counts() {
        let lines = r#"{"url":"urn:a","url":"urn:b"}
{"url":"urn:a","x":"\"","\u0075rl":"urn:c"}
{"url":"urn:a","uri":"urn:b","url":7}
{"url":"urn:a","in":{"url":"urn:b"}}
{"uri":"urn:a","uri":"urn:b"}
"#;
        let found = case(Format::Jsonl).run(lines);
        assert_eq!(texts(&found), ["urn:b", "urn:c", "urn:a", "urn:b"]);
        assert_eq!(reasons(&found), [(3, Malformed::NotAString)]);
    }

    #[test]
    fn keys_can_be_paths() {
        let lines = r#"{"request":{"uri":"/a","host":"h"},"request.uri":"/dot"}
{"request":{"uri":"/b","uri":"/c"}}
{"request":"/d"}
{"request":{"uri":"/e"},"request":{"host":"h"}}
{"request":[{"uri":"/f"},{"uri":"/g"}]}
{"a/b":{"m~n":"/h"},"":"/empty"}
"#;
        let texts_of = |name: &str| {
            let found = key(Format::Jsonl, name).run(lines);
            (texts(&found).join(" "), found.malformed.len() + found.without_key as usize)
        };
        assert_eq!(texts_of("request.uri"), ("/dot /c".to_owned(), 4));
        assert_eq!(texts_of(".request.uri"), ("/a /c".to_owned(), 4));
        assert_eq!(texts_of("/request/uri"), ("/a /c".to_owned(), 4));
        assert_eq!(texts_of("/request/1/uri"), ("/g".to_owned(), 5));
        assert_eq!(texts_of("/request/01/uri"), (String::new(), 6));
        assert_eq!(texts_of("/request/+1/uri"), (String::new(), 6));
        assert_eq!(texts_of("/a~1b/m~0n"), ("/h".to_owned(), 5));
        assert_eq!(texts_of("/"), ("/empty".to_owned(), 5));
        assert_eq!(texts_of("request"), ("/d".to_owned(), 5));
    }
}
