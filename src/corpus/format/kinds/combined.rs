//! The combined log format: the common format, followed by `"referer" "agent"`. See
//! [`access`](super::access).

use std::sync::Arc;

use super::access::{Access, TARGET_AND_REFERER};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "access log in the combined log format",
    sentinels: "-",
    fields: FieldChoice::Named(&TARGET_AND_REFERER, |field| {
        Arc::new(Access { referer: field == 1, is_combined: true })
    }),
    #[cfg(test)]
    example: [
        "",
        "192.0.2.1 - f [10/Oct/2026:13:55:36 -0700] \"GET ",
        " HTTP/1.0\" 200 2326 \"http://a/\" \"agent\"\n",
    ],
};

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};
    use crate::grammar::Grammar;

    const COMBINED: &str = include_str!("../../../../corpora/logs/combined.log");

    #[test]
    fn combined() {
        let found = case(Format::Combined).detected(COMBINED).run(COMBINED);
        assert_eq!(
            texts(&found),
            [
                "/a?b=[1]",
                r#"/a\"b\\c\xe4\td"#,
                "/a b",
                "example.com:443",
                "*",
                r"http://example.com/x\ny",
                "/"
            ]
        );
        use Malformed::*;
        assert_eq!(reasons(&found), [(5, NoTarget), (6, NoStatus), (10, NoClosingQuote), (11, NoTarget)]);
        assert_eq!((found.sentinels, found.count), (1, 12));
        assert_eq!(found.errors, [(1, 58), (2, 69), (3, 53), (9, 69)]);
        assert_eq!(found.records[0].1, 53);

        let referers = field(Format::Combined, "referer").run(COMBINED);
        assert_eq!(
            texts(&referers),
            ["http://example.com/start", r#"http://example.com/\"q"#, "http://example.com/"]
        );
        assert_eq!(referers.errors, [(3, 92)]);
        assert_eq!(referers.sentinels, 7);
        assert_eq!(field(Format::Combined, "referer").layout.grammar(), Grammar::Uri);
    }

    #[test]
    fn traefik() {
        let log = include_str!("../../../../corpora/logs/traefik.log");
        let found = case(Format::Combined).detected(log).run(log);
        assert_eq!(texts(&found), ["/whoami?a=[1]", "/"]);
        assert_eq!(texts(&field(Format::Combined, "referer").run(log)), ["http://www.example.com/"]);
    }
}
