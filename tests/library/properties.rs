//! Tests long and mixed records against the oracle: walks through the grammars, texts made of selected
//! pieces, and mutations.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use urivalidate::ErrorKind;

use crate::agreement;
use crate::oracle::Oracle;

/// A record that is valid by some grammar: a walk through its automaton.
fn walk() -> impl Strategy<Value = Vec<u8>> {
    (0..Oracle::all().len(), vec(any::<(u8, u8)>(), 0..60))
        .prop_map(|(oracle, choices)| Oracle::all()[oracle].whole.example(&choices))
}

/// Pieces that change the text before and after them.
const PIECES: &[&[u8]] = &[
    b"http",
    b"a",
    b"1",
    b"x-y",
    b":",
    b"/",
    b"//",
    b"://",
    b"?",
    b"#",
    b"@",
    b"[",
    b"]",
    b"::",
    b"[::1]",
    b"[v1.a]",
    b"[1:2::3:4]",
    b"[::ffff:1.2.3.4]",
    b"[fe80::1%25en0]",
    b"[fe80::1%en0]",
    b"%",
    b"%4",
    b"%41",
    b"%zz",
    b"80",
    b":80",
    b":2147483648",
    b"1.2.3.4",
    b"256.1.1.1",
    b"0001.2.3.4",
    b"www.example.com",
    b"a_b",
    b"-",
    b"..",
    b";p=1",
    b"user:pw@",
    b" ",
    b"\t",
    b"\0",
    b"\x7F",
    b"{",
    b"\"",
    b"\\",
    b"^",
    b"*",
    b"\xC3\xA9",
    b"\xE3\x80\x80",
    b"\xEE\x80\x80",
    b"\xF0\x9F\x98\x80",
    b"\xEF\xBF\xBE",
    b"\xF3\xA0\x80\x81",
    b"\xC3",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\\%C3",
    b"%u2019",
    b"%uD83D%uDE00",
    b"\xC2\xA0",
    b"\xE2\x80\x8B",
    b"\x0B",
];

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    vec(select(PIECES), 0..12).prop_map(|pieces| pieces.concat())
}

pub(crate) fn original() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => walk(), 2 => pieces()]
}

/// A small change of a record.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    Insert(Index, &'static [u8]),
    Replace(Index, u8),
    Delete(Index, Index),
    /// A piece of the record moves to another place.
    Move(Index, Index, Index),
    Truncate(Index),
    /// The end is replaced by the end of another record.
    Splice(Index, Vec<u8>, Index),
}

pub(crate) fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    prop_oneof![
        3 => (index(), select(PIECES)).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        2 => (index(), any::<u8>()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        1 => (index(), index()).prop_map(|(from, to)| Mutation::Delete(from, to)),
        1 => (index(), index(), index()).prop_map(|(from, to, at)| Mutation::Move(from, to, at)),
        1 => index().prop_map(Mutation::Truncate),
        1 => (index(), original(), index()).prop_map(|(at, other, from)| Mutation::Splice(at, other, from)),
    ]
}

impl Mutation {
    pub(crate) fn apply(self, record: &mut Vec<u8>) {
        // Half of all deleted and moved pieces are a single byte.
        let span = |record: &[u8], from: Index, to: Index| {
            let (from, to) = (from.index(record.len() + 1), to.index(2 * record.len() + 1));
            if to > record.len() { from..(from + 1).min(record.len()) } else { from.min(to)..from.max(to) }
        };
        match self {
            Mutation::Insert(at, piece) => {
                let at = at.index(record.len() + 1);
                record.splice(at..at, piece.iter().copied());
            }
            Mutation::Replace(at, byte) if !record.is_empty() => {
                let at = at.index(record.len());
                record[at] = byte;
            }
            Mutation::Replace(..) => {}
            Mutation::Delete(from, to) => {
                record.drain(span(record, from, to));
            }
            Mutation::Move(from, to, at) => {
                let piece: Vec<_> = record.drain(span(record, from, to)).collect();
                let at = at.index(record.len() + 1);
                record.splice(at..at, piece);
            }
            Mutation::Truncate(at) => record.truncate(at.index(record.len() + 1)),
            Mutation::Splice(at, other, from) => {
                record.truncate(at.index(record.len() + 1));
                record.extend(&other[from.index(other.len() + 1)..]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(40_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn originals(record in original()) {
        for oracle in Oracle::all() {
            agreement::check(oracle, &record);
        }
    }

    #[test]
    fn mutants(mut record in original(), mutations in vec(mutation(), 1..4)) {
        for mutation in mutations {
            mutation.apply(&mut record);
        }
        for oracle in Oracle::all() {
            agreement::check(oracle, &record);
        }
    }

    #[test]
    fn bytes(record in vec(any::<u8>(), 0..40)) {
        for oracle in Oracle::all() {
            agreement::check(oracle, &record);
        }
    }

    /// Tests that the walks on which the other properties are based end in valid records.
    #[test]
    fn walks_are_valid(oracle in 0..Oracle::all().len(), choices in vec(any::<(u8, u8)>(), 0..200)) {
        let oracle = &Oracle::all()[oracle];
        let record = oracle.whole.example(&choices);
        prop_assert!(oracle.validator.is_valid(&record), "{:?}", record.escape_ascii().to_string());
    }
}

/// Tests records of a megabyte that would keep a backtracking parser busy for hours.
#[test]
fn long_hostile_records() {
    const LENGTH: usize = 1 << 20;
    let ends: [(&[u8], &[u8]); 8] = [
        (b"", b""),
        (b"a:", b" "),
        (b"//", b"@"),
        (b"a://", b""),
        (b"a://u@", b"]"),
        (b"//[::1]:", b"x"),
        (b"//[v1.", b"]"),
        (b"a:/?", b"#"),
    ];
    let units: [&[u8]; 20] = [
        b"[",
        b"]",
        b"@",
        b"%",
        b"%4",
        b"%41",
        b":",
        b"::",
        b"/",
        b"?",
        b"#",
        b".",
        b"0",
        b"1.",
        b"a",
        b"a.",
        b"a-",
        b"a:",
        b"a@",
        b"\xC3\xA9",
    ];
    for (start, end) in ends {
        for unit in units {
            let mut record: Vec<u8> = start.iter().chain(unit.iter().cycle()).copied().take(LENGTH).collect();
            record.extend(end);
            for oracle in Oracle::all().iter().filter(|oracle| !oracle.validator.zone_ids()) {
                let context = || format!("{}... as {}", record[..20].escape_ascii(), agreement::name(oracle));
                match oracle.validator.parse(&record) {
                    Ok(_) => assert!(oracle.whole.contains(&record), "{}", context()),
                    Err(error) if error.kind() == ErrorKind::InvalidPort => {}
                    Err(error) => {
                        assert_eq!(error.offset(), oracle.whole.viable_prefix(&record), "{}", context())
                    }
                }
            }
        }
    }
}
