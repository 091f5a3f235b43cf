//! Calls in which each row has its own texts: rows with the same texts are evaluated together.

use std::collections::HashMap;

use datafusion_common::Result;
use datafusion_common::arrow::array::{Array, ArrayRef, AsArray, UInt32Array};
use datafusion_common::arrow::compute::{interleave, take};

/// Returns the results of a function that gets the records of the rows with the same texts. `texts` are
/// columns of strings.
pub(crate) fn evaluate(
    texts: &[ArrayRef],
    records: &dyn Array,
    mut function: impl FnMut(&[Option<&str>], &dyn Array) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    let texts: Vec<_> = texts.iter().map(|text| text.as_string::<i32>()).collect();
    let mut groups: Vec<(Vec<Option<&str>>, Vec<u32>)> = Vec::new();
    let mut group_of = HashMap::new();
    let mut places = Vec::with_capacity(records.len());
    for row in 0..records.len() {
        let choice: Vec<_> = texts.iter().map(|text| text.is_valid(row).then(|| text.value(row))).collect();
        let group = *group_of.entry(choice.clone()).or_insert_with(|| {
            groups.push((choice, Vec::new()));
            groups.len() - 1
        });
        let rows = &mut groups[group].1;
        places.push((group, rows.len()));
        rows.push(u32::try_from(row).expect("a batch has fewer than 2^32 rows"));
    }
    let results = groups.into_iter().map(|(choice, rows)| {
        let records = take(records, &UInt32Array::from(rows), None)?;
        function(&choice, &records)
    });
    let results = results.collect::<Result<Vec<_>>>()?;
    let results: Vec<&dyn Array> = results.iter().map(|result| result.as_ref()).collect();
    Ok(interleave(&results, &places)?)
}
