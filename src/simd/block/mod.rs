//! Blocks: 64 bytes in registers, their classes, and masks of them.
//!
//! | module | has |
//! |---|---|
//! | [`vector`] | the operations on a block that each instruction set implements, and an emulation of them for tests |
//! | [`classify`] | the classes of bytes, as tables for lookups by nibbles |
//! | [`codes`] | the classes of bytes that a scan of lines needs, as numbers for lookups by bytes |
//! | [`mask_structs`] | structs of masks, a word for each block of a group |

pub(in crate::simd) mod classify;
pub(in crate::simd) mod codes;
pub(in crate::simd) mod mask_structs;
pub(in crate::simd) mod vector;
