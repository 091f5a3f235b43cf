//! The classes of bytes that the scan needs, as nibble tables made from the RFCs' character sets.
//!
//! A lookup by each nibble and an `and` give every byte eight class bits. The bytes of a class can only be a
//! product of low and high nibbles, so the sets are covered by products. These are chosen so that the sets
//! that a scan needs are nested, and *one unsigned comparison* finds each set:
//!
//! ```text
//! at least LETTER    ALPHA                                  0x80  4_ 6_ with _1-_F      0x40  5_ 7_ with _0-_A
//! at least SCHEME    and DIGIT, "+", "-", "."               0x20  3_ with _0-_9         0x10  2_ with _B _D _E
//! at least ALLOWED   and the rest of query                  0x08 to 0x01, a product each
//! ```
//!
//! The path of RFC 2396 allows the same bytes, and its query also brackets. Brackets, `%` and `#` are not in
//! the tables: they, spaces, controls and bytes beyond ASCII are *uncommon*. A block that has an uncommon
//! byte needs more work; in real lists this is one block in forty.

use super::vector::NibbleTable;
use crate::charset::{ALPHA, Charset, DIGIT, HEXDIG, rfc2396, rfc3986};

/// The least class of a letter.
pub(crate) const LETTER: u8 = 0x40;
/// The least class of the characters of a scheme, which are also those of a plain authority.
pub(crate) const SCHEME: u8 = 0x10;
/// The class of `-` and `.` in [`STRUCTURE_OF_NAMES`], and of no other byte.
pub(crate) const JOINT: u8 = SCHEME;
/// The least class of a byte that is not uncommon.
pub(crate) const ALLOWED: u8 = 0x01;

/// Returns the table of these products of high and low nibbles, a class each.
pub(in crate::simd) const fn products(products: &[(u8, &[u8], &[u8])]) -> NibbleTable {
    let mut table = NibbleTable { low: [0; 16], high: [0; 16] };
    let mut i = 0;
    while i < products.len() {
        let (class, high, low) = products[i];
        let mut j = 0;
        while j < high.len() {
            table.high[high[j] as usize] |= class;
            j += 1;
        }
        let mut j = 0;
        while j < low.len() {
            table.low[low[j] as usize] |= class;
            j += 1;
        }
        i += 1;
    }
    table
}

/// Returns the bytes of at least this class.
const fn set(table: &NibbleTable, least: u8) -> Charset {
    let mut chars = Charset::of(b"");
    let mut byte = 0u8;
    while byte < 128 {
        if table.low[byte as usize & 0x0F] & table.high[byte as usize >> 4] >= least {
            chars = chars.or(Charset::of(&[byte]));
        }
        byte += 1;
    }
    chars
}

/// The bytes of a URI without fragment, except escapes.
pub(crate) static STRUCTURE: NibbleTable = STRUCTURE_CONST;
/// The same bytes, but `+` is less than [`SCHEME`]: it stands in few schemes, and in no name in the DNS.
pub(crate) static STRUCTURE_OF_NAMES: NibbleTable = STRUCTURE_OF_NAMES_CONST;
/// The bytes of `HEXDIG`, which are at least 1.
pub(crate) static HEX: NibbleTable = HEX_CONST;

/// The bytes that end the names of tags and attributes in HTML, which are at least 1.
#[cfg(feature = "corpus")]
pub(in crate::simd) static NAME_END: NibbleTable = NAME_END_CONST;
/// The same bytes as a set: white space, `/`, `>` and `=`.
#[cfg(feature = "corpus")]
pub(in crate::simd) const NAME_END_SET: Charset = Charset::of(b"\t\n\x0C\r />=");

/// The ASCII characters that no name in XML has (section 2.3 of XML 1.0), which are [`ALLOWED`]. Among them,
/// the bytes that matter in text are at least [`XML_CONTENT`], and those that matter in values at least
/// [`XML_VALUE`].
#[cfg(feature = "xml")]
pub(in crate::simd) static XML_MARKUP: NibbleTable = XML_MARKUP_CONST;
#[cfg(feature = "xml")]
pub(in crate::simd) const XML_CONTENT: u8 = 0x20;
#[cfg(feature = "xml")]
pub(in crate::simd) const XML_VALUE: u8 = 0x10;
/// The ASCII characters of names.
#[cfg(feature = "xml")]
pub(in crate::simd) const XML_NAME_SET: Charset = ALPHA.or(DIGIT).or(Charset::of(b":_-."));
#[cfg(feature = "xml")]
pub(in crate::simd) const XML_CONTENT_SET: Charset = Charset::of(b"<&]");
#[cfg(feature = "xml")]
pub(in crate::simd) const XML_VALUE_SET: Charset = XML_CONTENT_SET.or(Charset::of(b"\"'"));

/// The ASCII characters that no document has (section 2.2 of XML 1.0), which are [`ALLOWED`].
#[cfg(feature = "xml")]
pub(in crate::simd) static XML_FORBIDDEN: NibbleTable = XML_FORBIDDEN_CONST;
/// The same characters as a set.
#[cfg(feature = "xml")]
pub(in crate::simd) const XML_FORBIDDEN_SET: Charset =
    Charset::range(0, 0x1F).without(Charset::of(b"\t\n\r"));

/// The bytes that a parser of Markdown may make nodes of, which are at least 1.
#[cfg(feature = "markdown")]
pub(in crate::simd) static MARKDOWN_MARK: NibbleTable = MARKDOWN_MARK_CONST;
/// The same bytes as a set.
#[cfg(feature = "markdown")]
pub(crate) const MARKDOWN_MARK_SET: Charset = Charset::of(b" \t\n\r[](<&\\!*_`|~:.");

/// The bytes of prose in Markdown at which a link can start or end, which are at least 1.
#[cfg(feature = "markdown")]
pub(in crate::simd) static PROSE_MARK: NibbleTable = PROSE_MARK_CONST;
/// The same bytes as a set.
#[cfg(feature = "markdown")]
pub(in crate::simd) const PROSE_MARK_SET: Charset = Charset::of(b"\\[]<:");

const STRUCTURE_CONST: NibbleTable = structure(&[0xB, 0xD, 0xE]);
const STRUCTURE_OF_NAMES_CONST: NibbleTable = structure(&[0xD, 0xE]);

/// Returns the table in which these bytes of `2_` are [`SCHEME`]. The others have a lower class.
const fn structure(of_scheme: &[u8]) -> NibbleTable {
    products(&[
        (0x80, &[4, 6], &[0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF]),
        (0x40, &[5, 7], &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA]),
        (0x20, &[3], &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9]),
        (0x10, &[2], of_scheme),
        // "!" "$" "&" "'" "(" ")" "*" "+" "," "/"
        (0x08, &[2], &[0x1, 0x4, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, 0xF]),
        // ":" ";" "=" "?"
        (0x04, &[3], &[0xA, 0xB, 0xD, 0xF]),
        // "@" "_", and with them "O" "P"
        (0x02, &[4, 5], &[0x0, 0xF]),
        // "~", and with it "n"
        (0x01, &[6, 7], &[0xE]),
    ])
}
const HEX_CONST: NibbleTable = products(&[
    (0x02, &[3], &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9]),
    (0x01, &[4, 6], &[0x1, 0x2, 0x3, 0x4, 0x5, 0x6]),
]);
#[cfg(feature = "corpus")]
const NAME_END_CONST: NibbleTable = products(&[
    // "\t" "\n" "\x0C" "\r"
    (0x04, &[0], &[0x9, 0xA, 0xC, 0xD]),
    // " " "/"
    (0x02, &[2], &[0x0, 0xF]),
    // "=" ">"
    (0x01, &[3], &[0xD, 0xE]),
]);

#[cfg(feature = "xml")]
const XML_MARKUP_CONST: NibbleTable = products(&[
    // "<"
    (0x80, &[3], &[0xC]),
    // "&"
    (0x40, &[2], &[0x6]),
    // "]"
    (XML_CONTENT, &[5], &[0xD]),
    // "\"" "'"
    (XML_VALUE, &[2], &[0x2, 0x7]),
    // Most of the controls, and the punctuation of `2_` without "-" and "."
    (0x08, &[0, 1, 2], &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, 0xF]),
    // "\r" and others
    (0x04, &[0, 1, 3, 5, 7], &[0xB, 0xC, 0xD, 0xE]),
    // "?" DEL
    (0x02, &[3, 7], &[0xF]),
    // "@" "`"
    (0x01, &[4, 6], &[0x0]),
]);

#[cfg(feature = "xml")]
const XML_FORBIDDEN_CONST: NibbleTable = products(&[
    (0x01, &[0, 1], &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0xB, 0xC, 0xE, 0xF]),
    (0x02, &[1], &[0x9, 0xA, 0xD]),
]);

#[cfg(feature = "markdown")]
const MARKDOWN_MARK_CONST: NibbleTable = products(&[
    // "\t" "\n" "\r"
    (0x20, &[0], &[0x9, 0xA, 0xD]),
    // " " "!" "&" "(" "*" "."
    (0x10, &[2], &[0x0, 0x1, 0x6, 0x8, 0xA, 0xE]),
    // ":" "<"
    (0x08, &[3], &[0xA, 0xC]),
    // "[" "\\" "]" "_"
    (0x04, &[5], &[0xB, 0xC, 0xD, 0xF]),
    // "`"
    (0x02, &[6], &[0x0]),
    // "|" "~"
    (0x01, &[7], &[0xC, 0xE]),
]);

#[cfg(feature = "markdown")]
const PROSE_MARK_CONST: NibbleTable = products(&[
    // "[" "\\" "]"
    (0x04, &[5], &[0xB, 0xC, 0xD]),
    // "<"
    (0x02, &[3], &[0xC]),
    // ":"
    (0x01, &[3], &[0xA]),
]);

// The tables have the sets of the RFCs.
const _: () = {
    assert!(set(&STRUCTURE_CONST, LETTER).is(ALPHA));
    assert!(set(&STRUCTURE_CONST, SCHEME).is(rfc3986::SCHEME));
    assert!(set(&STRUCTURE_OF_NAMES_CONST, LETTER).is(ALPHA));
    assert!(set(&STRUCTURE_OF_NAMES_CONST, JOINT + 1).is(ALPHA.or(DIGIT)));
    assert!(set(&STRUCTURE_OF_NAMES_CONST, SCHEME).is(ALPHA.or(DIGIT).or(Charset::of(b"-."))));
    assert!(set(&STRUCTURE_OF_NAMES_CONST, ALLOWED).is(rfc3986::QUERY));
    assert!(set(&STRUCTURE_CONST, ALLOWED).is(rfc3986::QUERY));
    assert!(set(&HEX_CONST, ALLOWED).is(HEXDIG));
    // One table serves all grammars.
    assert!(rfc2396::PATH.is(rfc3986::PATH));
    assert!(rfc2396::URIC.without(Charset::of(b"[]")).is(rfc3986::QUERY));
};

#[cfg(feature = "corpus")]
const _: () = assert!(set(&NAME_END_CONST, ALLOWED).is(NAME_END_SET));

#[cfg(feature = "xml")]
const _: () = {
    assert!(set(&XML_MARKUP_CONST, ALLOWED).is(Charset::range(0, 0x7F).without(XML_NAME_SET)));
    assert!(set(&XML_MARKUP_CONST, XML_CONTENT).is(XML_CONTENT_SET));
    assert!(set(&XML_MARKUP_CONST, XML_VALUE).is(XML_VALUE_SET));
    assert!(set(&XML_FORBIDDEN_CONST, ALLOWED).is(XML_FORBIDDEN_SET));
};

#[cfg(feature = "markdown")]
const _: () = {
    assert!(set(&MARKDOWN_MARK_CONST, ALLOWED).is(MARKDOWN_MARK_SET));
    assert!(set(&PROSE_MARK_CONST, ALLOWED).is(PROSE_MARK_SET));
};
