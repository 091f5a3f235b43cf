//! Tests buffers of lines with random changes.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::cases::CASES;
use crate::reference::Checker;
use crate::stride;

/// Bytes that changes insert into a line.
const PIECES: &[&[u8]] = &[
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b":",
    b"/",
    b"//",
    b"://",
    b"?",
    b"#",
    b"@",
    b"[",
    b"]",
    b"[::1]",
    b"%",
    b"%4",
    b"%41",
    b"%25",
    b":80",
    b"1",
    b"a",
    b"-",
    b".",
    b"_",
    b" ",
    b"\0",
    b"\x7F",
    b"\xC3\xA9",
    b"\xFF",
    b"http://",
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

#[derive(Clone, Debug)]
enum Mutation {
    Insert(Index, &'static [u8]),
    Replace(Index, u8),
    Delete(Index, usize),
    /// The rest is repeated from another place on.
    Repeat(Index, Index, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        3 => (any::<Index>(), select(PIECES)).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        2 => (any::<Index>(), 1usize..8).prop_map(|(at, count)| Mutation::Delete(at, count)),
        1 => (any::<Index>(), any::<Index>(), 1usize..150)
            .prop_map(|(at, from, count)| Mutation::Repeat(at, from, count)),
    ]
}

impl Mutation {
    fn apply(self, buffer: &mut Vec<u8>) {
        let place = |at: Index| at.index(buffer.len() + 1);
        match self {
            Mutation::Insert(at, piece) => {
                let at = place(at);
                buffer.splice(at..at, piece.iter().copied());
            }
            Mutation::Replace(at, byte) => {
                let at = place(at);
                if let Some(old) = buffer.get_mut(at) {
                    *old = byte;
                }
            }
            Mutation::Delete(at, count) => {
                let at = place(at);
                buffer.drain(at..(at + count).min(buffer.len()));
            }
            Mutation::Repeat(at, from, count) => {
                let (at, from) = (place(at), place(from));
                let again = buffer[from..(from + count).min(buffer.len())].to_vec();
                buffer.splice(at..at, again);
            }
        }
    }
}

fn buffer() -> impl Strategy<Value = Vec<u8>> {
    (vec(select(CASES), 0..25), vec(mutation(), 0..12)).prop_map(|(lines, mutations)| {
        let mut buffer = lines.join(&b'\n');
        mutations.into_iter().for_each(|mutation| mutation.apply(&mut buffer));
        buffer
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 8_000 / stride(20) as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn lines(buffer in buffer()) {
        Checker::default().lines(&buffer);
    }

    #[test]
    fn ranges(values in buffer(), mut cuts in vec(any::<Index>(), 0..25)) {
        cuts.sort_by_key(|cut| cut.index(values.len() + 1));
        let offsets: Vec<_> = cuts.iter().map(|cut| cut.index(values.len() + 1) as u32).collect();
        Checker::default().ranges(&offsets, &values);
    }

    #[test]
    fn bytes(buffer in vec(any::<u8>(), 0..300)) {
        Checker::default().lines(&buffer);
    }
}
