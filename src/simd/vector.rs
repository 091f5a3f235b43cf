//! What a backend must be able to do with a block of 64 bytes: four operations, the same on every machine.
//!
//! All that differs between instruction sets ends here: a block goes in, a `u64` comes out, whose bit *i* speaks of
//! byte *i*. The scan is written once, over these.
//!
//! The methods are `unsafe` and always inlined, and carry no `#[target_feature]`: they dissolve into the entry points,
//! which do. Called from anywhere else every instruction would stay a function call, twenty times slower and with
//! every test green; `scripts/check-inlining` looks for that.

/// The bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// For each half of an ASCII byte the classes it may be in: byte `b` is in class `k` if bit `k` is set in both
/// `low[b & 0x0F]` and `high[b >> 4]`.
pub(crate) struct NibbleTable {
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
}

/// A block of 64 bytes in registers.
///
/// # Safety
///
/// The machine must have the features of the implementation; that is all that the methods ask for.
pub(crate) trait Vector: Copy {
    /// Loads a block.
    unsafe fn load(block: &[u8; BLOCK]) -> Self;

    /// Where a byte equals `byte`.
    unsafe fn eq(self, byte: u8) -> u64;

    /// Each byte's classes, a bit each; none for bytes beyond ASCII.
    unsafe fn classify(self, table: &NibbleTable) -> Self;

    /// Where a byte, unsigned, is at least `LEAST`, which is not 0.
    unsafe fn at_least<const LEAST: u8>(self) -> u64;
}

/// The definition of the operations, byte by byte.
#[cfg(test)]
#[derive(Clone, Copy)]
pub(crate) struct Emulated([u8; BLOCK]);

#[cfg(test)]
impl Emulated {
    fn mask(self, of: impl Fn(u8) -> bool) -> u64 {
        self.0.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u64::from(of(byte)) << i)
    }
}

#[cfg(test)]
impl Vector for Emulated {
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        Emulated(*block)
    }

    unsafe fn eq(self, byte: u8) -> u64 {
        self.mask(|b| b == byte)
    }

    unsafe fn classify(self, table: &NibbleTable) -> Self {
        Emulated(self.0.map(|b| {
            if b.is_ascii() { table.low[usize::from(b & 0x0F)] & table.high[usize::from(b >> 4)] } else { 0 }
        }))
    }

    unsafe fn at_least<const LEAST: u8>(self) -> u64 {
        self.mask(|b| b >= LEAST)
    }
}
