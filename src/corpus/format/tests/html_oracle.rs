//! The URLs of pages, against those that html5gum finds, a tokenizer that conforms to the standard.

use html5gum::{DefaultEmitter, Token, Tokenizer};
use proptest::collection::vec;
use proptest::sample::select;

use super::*;

/// Attributes that hold one URL.
const URLS: [(&str, &str); 14] = [
    ("a", "href"),
    ("area", "href"),
    ("link", "href"),
    ("base", "href"),
    ("img", "src"),
    ("script", "src"),
    ("iframe", "src"),
    ("input", "src"),
    ("input", "formaction"),
    ("form", "action"),
    ("blockquote", "cite"),
    ("object", "data"),
    ("video", "src"),
    ("video", "poster"),
];

/// The URLs by the oracle: the offset of each, and its text, without white space at the ends.
fn oracle(page: &str) -> Vec<(usize, Vec<u8>)> {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let mut urls = Vec::new();
    for token in Tokenizer::new_with_emitter(page, emitter) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        for (name, value) in &tag.attributes {
            if URLS
                .iter()
                .any(|(element, attribute)| *tag.name == element.as_bytes() && **name == attribute.as_bytes())
            {
                urls.push((value.span.start, value.value.trim_ascii().to_vec()));
            }
        }
    }
    urls
}

/// The same by this library.
fn found(page: &str) -> Vec<(usize, Vec<u8>)> {
    let found = case(Format::Html).extract_with(page.as_bytes(), 1 << 20, false).unwrap();
    let starts: Vec<usize> = [0]
        .into_iter()
        .chain(page.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
        .collect();
    let urls = found.records.into_iter().map(|(line, column, record)| {
        let offset = starts[line as usize - 1] + column as usize - 1;
        (offset, unescaped(&record))
    });
    urls.collect()
}

/// The bytes that `escape_ascii` has written.
pub(super) fn unescaped(text: &str) -> Vec<u8> {
    let (mut bytes, mut chars) = (Vec::new(), text.bytes());
    while let Some(byte) = chars.next() {
        let byte = if byte != b'\\' {
            byte
        } else {
            match chars.next().unwrap() {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'x' => {
                    let digits = [chars.next().unwrap(), chars.next().unwrap()];
                    u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                other => other,
            }
        };
        bytes.push(byte);
    }
    bytes
}

/// Pieces of tags, of raw text and its ends, of comments, and of attributes and their values.
const PIECES: [&str; 72] = [
    "<a ",
    "<A\n",
    "<a/",
    "</a ",
    "</a>",
    "<area ",
    "<link ",
    "<base ",
    "<img ",
    "<img\t",
    "<input ",
    "<form ",
    "<blockquote ",
    "<object ",
    "<video ",
    "<p ",
    "<x-y ",
    "<script>",
    "<script ",
    "</script>",
    "</script ",
    "</SCRIPT\n",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<title>",
    "</title ",
    "<iframe ",
    "</iframe>",
    "<xmp>",
    "</xmp/",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "--",
    "<!",
    "<!DOCTYPE html",
    "<?",
    "</",
    "</ ",
    "<![CDATA[",
    "]]>",
    ">",
    "/>",
    "/",
    "<",
    "href=",
    "HREF = ",
    "href",
    "src=",
    "src =\n",
    "action=",
    "cite=",
    "data='",
    "poster=\"",
    "formaction=",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "/x",
    "a b",
    "&amp;",
    "&amp",
    "&copy=1",
    "&#x26;",
    "&#1114112;",
    "&notit;",
    "\u{e9}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_have_the_urls_that_a_conforming_tokenizer_finds(
        // Some pages are longer than a window of masks.
        before in prop_oneof![Just(0), 1_950..2_050_usize],
        pieces in vec(select(&PIECES[..]), 1..16),
        chunk_size in 1..100_usize,
    ) {
        let page = "x".repeat(before) + &pieces.concat();
        // The oracle does not keep the order of a tag's attributes.
        let sorted = |urls: Vec<(usize, Vec<u8>)>| {
            let mut urls: Vec<_> = urls.into_iter().map(|(_, url)| url).collect();
            urls.sort();
            urls
        };
        prop_assert_eq!(sorted(found(&page)), sorted(oracle(&page)), "{:?}", page);
        let case = case(Format::Html);
        let whole = case.extract_with(page.as_bytes(), 1 << 20, false).unwrap();
        prop_assert_eq!(case.extract_with(page.as_bytes(), chunk_size, true).unwrap(), whole, "{:?}", page);
    }
}

#[test]
fn the_sample_has_the_urls_that_a_conforming_tokenizer_finds() {
    let page = super::pages::SITE;
    let by_library = found(page);
    let expected = oracle(page);
    assert!(expected.len() > 10);
    for (start, url) in expected {
        assert!(
            by_library.iter().any(|(offset, found)| *offset >= start && *found == url),
            "{}",
            url.escape_ascii()
        );
    }
}
