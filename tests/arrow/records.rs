//! Makes strings that are URIs, almost URIs, and arbitrary.

use proptest::prelude::*;

use crate::arrays::Value;

/// Pieces of every component, of every grammar, and of no grammar.
const PIECES: &[&[u8]] = &[
    b"http:",
    b"mailto:",
    b"a:",
    b"//",
    b"/",
    b"///",
    b"u:p@",
    b"u@",
    b"example.com",
    b"h",
    b"a_b.c",
    b"1.2.3.4",
    b"256.1.1.1",
    b"1.",
    b"1a",
    b"[::1]",
    b"[::1.2.3.4]",
    b"[v1.x]",
    b"[fe80::1%25en0]",
    b"[",
    b"]",
    b":",
    b":80",
    b":0080",
    b":99999999999",
    b"/a/b",
    b"seg;x=1",
    b"?",
    b"q=1&a=2",
    b"&a=3",
    b"#",
    b"frag",
    b"%41",
    b"%zz",
    b"%",
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\r\n",
    "\u{e9}".as_bytes(),
    "\u{20AC}".as_bytes(),
    "\u{10FFFD}".as_bytes(),
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe2\x82",
    b"*",
    b"host:443",
    b"*",
    b"{x}",
    b"averyveryveryverylongsegmentofapath",
];

fn record() -> impl Strategy<Value = Vec<u8>> {
    let piece = proptest::sample::select(PIECES);
    prop_oneof![
        4 => proptest::collection::vec(piece.clone(), 0..8).prop_map(|pieces| pieces.concat()),
        4 => (proptest::sample::select(&["http://", "https://u@", "//", "/", ""][..]),
              proptest::collection::vec(piece, 0..5))
            .prop_map(|(start, pieces)| [start.as_bytes(), &pieces.concat()].concat()),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
    ]
}

/// Strings, some of them NULL.
pub(crate) fn values() -> impl Strategy<Value = Vec<Value>> {
    proptest::collection::vec(proptest::option::weighted(0.9, record()), 0..40)
}

/// Strings that could be lines, some of them NULL.
pub(crate) fn lines() -> impl Strategy<Value = Vec<Value>> {
    values().prop_map(|mut values| {
        values.iter_mut().flatten().for_each(|bytes| bytes.retain(|byte| !matches!(byte, b'\n' | b'\r')));
        values
    })
}

/// Strings that are UTF-8, some of them NULL.
pub(crate) fn texts() -> impl Strategy<Value = Vec<Value>> {
    values().prop_map(|values| {
        values
            .into_iter()
            .map(|value| value.map(|bytes| String::from_utf8_lossy(&bytes).into_owned().into_bytes()))
            .collect()
    })
}
