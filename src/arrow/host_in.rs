//! `host_in`: whether a list has the host of a URI.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray};

use super::FunctionError;
use super::bits::Bits;
use super::places::Places;
use super::strings::each_string;
use crate::column::ABSENT;
use crate::host_set::{HostListError, HostListFault, HostSet};
use crate::part::Part;
use crate::validator::Validator;

/// Returns whether a set has the host of each string of an array; false for an invalid string and for one
/// without a host; NULL for NULL.
///
/// ```
/// use arrow_array::{BooleanArray, StringArray};
/// use urivalidate::arrow::host_in;
/// use urivalidate::{Grammar, HostSet, Validator};
///
/// let set = HostSet::from_list(b".example.com")?;
/// let uris = StringArray::from(vec![Some("http://www.example.com/"), Some("mailto:a@example.com"), None]);
/// let found = host_in(&Validator::new(Grammar::Uri), &uris, &set)?;
/// assert_eq!(found, BooleanArray::from(vec![Some(true), Some(false), None]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings.
pub fn host_in(
    validator: &Validator,
    array: &dyn Array,
    set: &HostSet,
) -> Result<BooleanArray, FunctionError> {
    let found = each_string(array, |strings| {
        let mut bits = Bits::default();
        strings.scan(validator, Part::Host.columns(), |block| {
            let mut places = Places::default();
            places.find(Part::Host, block.batch);
            let hosts = places.starts.iter().zip(&places.ends).map(|(&start, &end)| {
                if start == ABSENT { None } else { block.values.get(start as usize..end as usize) }
            });
            let mut words = vec![0_u64; block.batch.len().div_ceil(64)];
            set.contains_each(hosts, |index, is_in| words[index / 64] |= u64::from(is_in) << (index % 64));
            bits.extend_words(&words, block.batch.len());
            Ok(())
        })?;
        Ok(Arc::new(BooleanArray::new(bits.finish(), strings.nulls.cloned())))
    })?;
    Ok(found.as_boolean().clone())
}

/// Returns the set of a list, whose lines [`HostSetBuilder`](crate::HostSetBuilder) describes. A list of one
/// line may have several names between spaces.
///
/// Some systems evaluate a function anew for each few thousand rows. So the last long list is kept.
///
/// # Errors
///
/// Returns an error if a line is of no known kind, or if memory runs out.
pub(super) fn set_of(list: &str) -> Result<Arc<HostSet>, FunctionError> {
    /// The number of bytes from which a list is long.
    const LONG: usize = 4 << 10;
    static LAST: Mutex<Option<(Box<str>, Arc<HostSet>)>> = Mutex::new(None);

    let new_set = || {
        let set = match HostSet::from_list(list.as_bytes()) {
            Err(HostListError::Line { fault: HostListFault::SeveralNames, .. })
                if !list.trim().contains('\n') =>
            {
                let names: Vec<_> = list.split_ascii_whitespace().collect();
                HostSet::from_list(names.join("\n").as_bytes())
            }
            set => set,
        };
        Ok(Arc::new(set.map_err(FunctionError::HostList)?))
    };
    if list.len() < LONG {
        return new_set();
    }
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((text, set)) if **text == *list => Ok(set.clone()),
        _ => {
            let set: Arc<HostSet> = new_set()?;
            *last = Some((list.into(), set.clone()));
            Ok(set)
        }
    }
}
