//! Scans records as Arrow stores them: offsets into a buffer of values, and a bitmap of the records that are
//! not null.
//!
//!     cargo run --example arrow_ranges

use urivalidate::{Batch, Column, Grammar, Nulls, ScanError, Validator};

fn main() -> Result<(), ScanError> {
    let records = [Some("http://example.com/a"), None, Some("no scheme"), Some("urn:isbn:0451450523")];

    let mut values = Vec::new();
    let mut offsets = vec![0i32];
    let mut validity = 0u8;
    for (index, record) in records.iter().enumerate() {
        values.extend_from_slice(record.unwrap_or_default().as_bytes());
        offsets.push(i32::try_from(values.len()).expect("these are few"));
        validity |= u8::from(record.is_some()) << index;
    }

    let mut batch = Batch::new();
    let columns = Column::HostStart | Column::HostEnd;
    let nulls = Nulls::new(std::slice::from_ref(&validity), 0);
    Validator::new(Grammar::Uri).scan_ranges(&offsets, &values, Some(nulls), columns, &mut batch)?;
    let [starts, ends] =
        [Column::HostStart, Column::HostEnd].map(|column| batch.column(column).unwrap_or_default());

    println!("{} valid, {} invalid, {} null", batch.valid_count(), batch.invalid().len(), batch.null_count());
    for (index, (&start, &end)) in starts.iter().zip(ends).enumerate() {
        match start {
            Batch::ABSENT => println!("record {index}: no host"),
            _ => {
                println!("record {index}: {}", String::from_utf8_lossy(&values[start as usize..end as usize]))
            }
        }
    }
    Ok(())
}
