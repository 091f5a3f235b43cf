//! Makes URIs comparable: normal forms, resolved references, and the way back.
//!
//! | module | has |
//! |---|---|
//! | [`form`] | [`Form`]: how far a normal form goes |
//! | [`normalizer`] | [`Normalizer`]: one record |
//! | [`steps`] | [`FormStep`], and [`FormChange`]: what a step changes |
//! | [`rewriter`] | [`Rewriter`](rewriter::Rewriter): a record whose odd places are known, in one pass |
//! | [`plain`] | the same of a record that a kernel vouches for |
//! | [`changes`] | all changes to one record |
//! | [`bulk`] | [`NormalForms`]: all records of a batch |
//! | [`base`] | [`Base`]: references against it |
//! | [`targets`] | [`Targets`]: all references of a batch against one base |
//! | [`relative`] | what [`Base::relativize`] finds |
//! | [`java`] | all of it as `java.net.URI` does it |
//! | [`to_uri`] | IRIs to URIs |
//! | [`escapes`], [`dots`], [`marks`], [`stems`] | what these are made of |
//!
//! All that writes takes a valid record and appends to a buffer of the caller's. An unchanged result is not appended, so that the
//! caller can go on with the record itself.

mod base;
mod bulk;
mod changes;
mod dots;
mod escapes;
mod form;
mod java;
mod marks;
mod normalizer;
mod plain;
mod relative;
mod rewriter;
mod stems;
mod steps;
mod targets;
mod to_uri;

pub use base::Base;
pub use bulk::NormalForms;
pub use form::Form;
pub use normalizer::{FormUnsupported, Normalizer};
pub use steps::{FormChange, FormStep};
pub use targets::Targets;

pub(crate) use changes::form_changes;
#[cfg(all(feature = "domains", any(feature = "reader", feature = "arrow")))]
pub(crate) use normalizer::push_normal_host;

use alloc::vec::Vec;

/// The text that was appended to `text` from `start` on; nothing, and then it is taken off again, if it is the record
/// itself.
fn unless_same<'b>(record: &[u8], text: &'b mut Vec<u8>, start: usize) -> Option<&'b [u8]> {
    if text[start..] == *record {
        text.truncate(start);
        return None;
    }
    Some(&text[start..])
}
