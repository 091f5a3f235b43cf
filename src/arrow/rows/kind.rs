//! What rows are of.

use crate::error::named_enum;

named_enum! {
    /// What rows are of.
    #[non_exhaustive]
    RowKind {
        /// Every record: its verdict, and the text of its components.
        Components = "components",
        /// Every record: its verdict, and where its components lie, in bytes from the record's first, half-open.
        Offsets = "offsets",
        /// Each invalid record, and each line that does not fit its format: what is wrong with it.
        Errors = "errors",
    }
}
