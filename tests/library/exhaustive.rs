//! Tests every short string over a few selected alphabets, and every character: all grammars against the
//! oracle.

use urivalidate::{Grammar, Validator};

use crate::agreement;
use crate::oracle::Oracle;

/// Checks every string of up to `longest` bytes of `alphabet` between `before` and `after`.
fn check_all(oracles: &[&Oracle], before: &[u8], alphabet: &[u8], longest: usize, after: &[u8]) {
    let mut record = Vec::new();
    for length in 0..=longest {
        for number in 0..alphabet.len().pow(length as u32) {
            record.clear();
            record.extend(before);
            let mut rest = number;
            for _ in 0..length {
                record.push(alphabet[rest % alphabet.len()]);
                rest /= alphabet.len();
            }
            record.extend(after);
            for oracle in oracles {
                agreement::check(oracle, &record);
            }
        }
    }
}

fn all() -> Vec<&'static Oracle> {
    Oracle::all().iter().collect()
}

fn with_utf8() -> Vec<&'static Oracle> {
    let grammars = [Grammar::Iri, Grammar::IriReference, Grammar::Java];
    grammars.map(|grammar| Oracle::of(Validator::new(grammar))).to_vec()
}

#[test]
fn delimiters_in_every_order() {
    check_all(&all(), b"", b"a:/?#@[]%1.", 5, b"");
}

#[test]
fn authorities() {
    check_all(&all(), b"a://", b"a1:@[]%-.#", 5, b"");
    check_all(&all(), b"//", b"a1.-", 7, b"");
    check_all(&all(), b"//a@", b"1:@x/", 5, b"");
}

#[test]
fn ip_literals() {
    check_all(&all(), b"//[", b":1f.]", 6, b"");
    check_all(&all(), b"//[", b":1.]", 5, b"::1]");
    check_all(&all(), b"//[1:2:3", b":4]", 10, b"");
    check_all(&all(), b"//[1:2:3:4:", b":5", 7, b"]");
    check_all(&all(), b"//[1:2:3:4:5:6:", b"7.8", 7, b"]");
    check_all(&all(), b"//[vF.", b"v.:~[]%", 4, b"]");
    check_all(&all(), b"//[::1", b"%25a_]", 5, b"]");
}

#[test]
fn octets() {
    check_all(&all(), b"//1.2.", b"0256.", 5, b"");
    check_all(&all(), b"//[::1.2.", b"0256.", 5, b"]");
    check_all(&all(), b"//[1:2:3:4:5:6:", b"0256.", 3, b".7.8.9]");
}

#[test]
fn ports_about_the_largest_int() {
    check_all(&all(), b"//h:2147483", b"0123456789", 4, b"");
    check_all(&all(), b"//[::1]:2147483", b"0123456789", 4, b"");
    check_all(&all(), b"//[::1]:0002147483", b"5679x", 5, b"/");
}

#[test]
fn request_targets() {
    check_all(&[Oracle::of(Validator::new(Grammar::RequestTarget))], b"", b"a1:/?#@[]%*.", 5, b"");
}

#[test]
fn every_byte_in_every_place() {
    for byte in 0..=255 {
        for before in [
            "", "a", "a:", "a:b", "//", "//h", "//u@", "//[", "//[v1.", "//[::1", "//[::1]", "//h:", "//h/",
            "?", "#",
        ] {
            for after in ["", "a", ":", "@", "/", "]"] {
                let record = [before.as_bytes(), &[byte], after.as_bytes()].concat();
                let with_scheme = [b"s:", &record[..]].concat();
                for oracle in Oracle::all() {
                    agreement::check(oracle, &record);
                    agreement::check(oracle, &with_scheme);
                }
            }
        }
    }
}

#[test]
fn every_escape() {
    for high in 0..=255 {
        for low in 0..=255 {
            for before in ["//", "a:/", "?"] {
                let record = [before.as_bytes(), b"%", &[high, low]].concat();
                for oracle in Oracle::all() {
                    agreement::check(oracle, &record);
                }
            }
        }
    }
}

#[test]
fn every_character_in_every_component() {
    let places = [("//", "@"), ("//", ""), ("/", ""), ("?", ""), ("#", "")];
    let iri = Oracle::of(Validator::new(Grammar::IriReference));
    let java = Oracle::of(Validator::new(Grammar::Java));
    for (before, after) in places {
        for char in '\u{80}'..=char::MAX {
            let record = format!("{before}{char}{after}");
            for oracle in [iri, java] {
                // There are many characters, so only the differences are checked.
                let viable = match oracle.validator.parse(record.as_bytes()) {
                    Ok(_) => record.len(),
                    Err(error) => error.offset(),
                };
                assert_eq!(
                    viable,
                    oracle.whole.viable_prefix(record.as_bytes()),
                    "{record:?} as {}",
                    oracle.grammar()
                );
            }
        }
    }
    // The control and space characters.
    let refused =
        ('\u{80}'..=char::MAX).filter(|char| !java.validator.is_valid(format!("/{char}").as_bytes()));
    assert_eq!(refused.count(), 50);
}

#[test]
fn ill_formed_utf8() {
    // The borders of RFC 3629's table of well-formed sequences, and of the characters that the grammars
    // exclude.
    let bytes = b"\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xED\xEF\xF0\xF4\xF5\xFF";
    check_all(&with_utf8(), b"a://h/", bytes, 3, b"");
    check_all(&with_utf8(), b"//", bytes, 3, b"@x");
    check_all(&with_utf8(), b"a:/?", b"\x7F\x80\x8F\x90\xA0\xBF\xE0\xF0\xF3\xF4\xF5", 4, b"");
}
