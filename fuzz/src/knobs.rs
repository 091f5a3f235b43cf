//! The knobs of a scan. The first bytes of an input set them.

use urivalidate::{Grammar, Validator};

/// The sizes, limits and choices of a scan.
#[derive(Clone, Copy, Debug)]
pub struct Knobs {
    /// The size of a chunk in bytes.
    pub chunk_size: usize,
    /// The largest size of a record in bytes.
    pub max_record: usize,
    /// The largest number of bytes that a stream returns at once.
    pub piece: usize,
    pub terminator: u8,
    pub trim: bool,
    pub validator: Validator,
    /// A number for other choices.
    pub choice: u8,
}

/// The number of bytes of an input that are knobs.
pub const LEN: usize = 6;

impl Knobs {
    /// Splits an input into the knobs and the rest. A missing byte is 0.
    pub fn split(input: &[u8]) -> (Knobs, &[u8]) {
        let (knobs, rest) = input.split_at(input.len().min(LEN));
        let knob = |at: usize| knobs.get(at).copied().unwrap_or(0);
        let grammar = Grammar::ALL[usize::from(knob(4)) % Grammar::ALL.len()];
        let knobs = Knobs {
            chunk_size: 1 + usize::from(knob(0)),
            // Most records are within the limit.
            max_record: if knob(1) < 128 { usize::from(knob(1)) } else { 1 << 20 },
            piece: 1 + usize::from(knob(2)),
            terminator: if knob(3) & 3 == 3 { 0 } else { b'\n' },
            trim: knob(3) & 4 != 0,
            validator: Validator::new(grammar),
            choice: knob(5),
        };
        (knobs, rest)
    }
}
