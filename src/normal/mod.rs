//! Makes URIs comparable: normal forms, resolved references, and the way back.
//!
//! | module | has |
//! |---|---|
//! | [`form`] | [`NormalForm`]: the choice of a normal form |
//! | [`normalizer`] | [`Normalizer`]: normal forms of single records |
//! | [`steps`] | [`FormStep`], and [`FormChange`]: the change that a step makes |
//! | [`rewriter`] | [`Rewriter`](rewriter::Rewriter): normal forms of records whose marks are known, in one pass |
//! | [`at_marks`] | the same for records that a kernel accepts |
//! | [`changes`] | all changes to one record |
//! | [`bulk`] | [`NormalizedRecords`]: normal forms of all records of a batch |
//! | [`base`] | [`Base`]: resolves single references against a base |
//! | [`targets`] | [`Targets`]: the targets of all references of a batch against one base |
//! | [`relative`] | [`Base::relativize`] |
//! | [`java`] | the same operations, with the results of `java.net.URI` |
//! | [`to_uri`] | IRIs to URIs |
//! | [`escapes`], [`dots`], [`marks`], [`stems`] | parts of these modules |
//!
//! The functions take a valid record and append to a buffer of the caller. An unchanged result is not
//! appended, so that the caller can go on with the record itself.

mod at_marks;
mod base;
mod bulk;
mod changes;
mod dots;
mod escapes;
mod form;
mod java;
mod marks;
mod normalizer;
mod relative;
mod rewriter;
mod stems;
mod steps;
mod targets;
mod to_uri;

pub use base::Base;
pub use bulk::NormalizedRecords;
pub use form::NormalForm;
pub use normalizer::Normalizer;
pub use steps::{FormChange, FormStep};
pub use targets::{Targets, TargetsIter};

#[cfg(feature = "corpus")]
pub(crate) use form::default_port;
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub(crate) use normalizer::push_normal_host;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::Error;

/// Returns the text that was appended to `text` from `start` on. If it is equal to the record, removes it
/// from `text` and returns `None`.
fn unless_same<'b>(record: &[u8], text: &'b mut Vec<u8>, start: usize) -> Option<&'b [u8]> {
    if text[start..] == *record {
        text.truncate(start);
        return None;
    }
    Some(&text[start..])
}

/// Returns the text that `make` appends, or the record itself if it appends nothing.
fn made_or_same<'r>(
    record: &'r [u8],
    make: impl for<'b> FnOnce(&[u8], &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, Error>,
) -> Result<Cow<'r, [u8]>, Error> {
    let mut made = Vec::new();
    let is_made = make(record, &mut made)?.is_some();
    Ok(if is_made { Cow::Owned(made) } else { Cow::Borrowed(record) })
}
