//! Tests that threads can share the library's types. The compiler is what tests it.

use urivalidate::{
    Backend, Base, Batch, Columns, Components, Error, Normalizer, Record, Rows, Targets, Validator,
};

const fn shared<T: Send + Sync>() {}

#[test]
fn threads_can_share_values() {
    shared::<(Validator, Error, Components, Record<&str>, Backend)>();
    shared::<(Batch, Columns, Rows<'_>, Normalizer, Base, Targets)>();
    #[cfg(feature = "corpus")]
    {
        use urivalidate::Derivation;
        use urivalidate::corpus::{Chunk, ChunkScanner, Layout, LayoutOptions, Scanned, Scanner};
        use urivalidate::stats::{Stats, Summary};
        shared::<(Scanner, Chunk<'_>, ChunkScanner, Scanned<'_>, Layout, LayoutOptions)>();
        shared::<(Stats, Summary<'_>, Derivation)>();
    }
    #[cfg(feature = "arrow")]
    {
        use urivalidate::arrow::{FunctionError, ParseUri};
        shared::<(ParseUri, FunctionError)>();
    }
}
