//! Writes a list of URLs to a Parquet file.

use std::fs::{self, File};
use std::sync::Arc;

use datafusion::arrow::array::{RecordBatch, StringArray};
use datafusion::error::Result;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;

/// The number of rows in a row group. It is small enough for several row groups on each core.
const ROWS_OF_A_GROUP: usize = 125_000;

/// Writes the lines that are UTF-8.
pub fn parquet(list: &str, file: &str) -> Result<()> {
    let list = fs::read(list)?;
    let lines = list.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(ROWS_OF_A_GROUP)).build();
    let batch = |lines: &[&str]| {
        let urls = StringArray::from_iter_values(lines);
        RecordBatch::try_from_iter([("url", Arc::new(urls) as _)])
    };
    let mut writer = ArrowWriter::try_new(File::create(file)?, batch(&[])?.schema(), Some(properties))?;
    for lines in lines.chunks(ROWS_OF_A_GROUP) {
        writer.write(&batch(lines)?)?;
    }
    writer.close()?;
    println!("{} URLs", lines.len());
    Ok(())
}
