//! Lines: from blocks to the places of components, and the lines that fall back to the parser.
//!
//! | module | does |
//! |---|---|
//! | [`shape`] | says what the lines of a set of grammars have in common |
//! | [`rare`] | CR, escapes and `#`, which few blocks have |
//! | [`masks`] | the masks of a block |
//! | [`mark`] | the ends of components, by carry arithmetic |
//! | [`ports`] | the ends of ports |
//! | [`streams`] | positions of marks, in the order of lines |
//! | [`count_lines`] | counts lines with some components |
//! | [`group`] | takes some blocks at a time from masks to streams |
//! | [`find_components`] | takes a piece through these steps |
//! | [`terms`] | the component in which a forbidden byte lies |
//! | [`single`] | judges one record |
//! | [`columns`] | makes columns of streams |

pub(in crate::simd) mod columns;
pub(in crate::simd) mod count_lines;
pub(in crate::simd) mod find_components;
pub(in crate::simd) mod group;
pub(in crate::simd) mod mark;
pub(in crate::simd) mod masks;
pub(in crate::simd) mod ports;
pub(in crate::simd) mod rare;
pub(in crate::simd) mod shape;
pub(in crate::simd) mod single;
pub(in crate::simd) mod streams;
pub(in crate::simd) mod terms;
