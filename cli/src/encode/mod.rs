//! The forms of output for scanned chunks, one file per form.
//!
//! | module | makes |
//! |---|---|
//! | `encoder` | the interface of encoders |
//! | `lines` | lines of the input, unchanged |
//! | `errors` | errors for people, one a line |
//! | `annotations` | errors for continuous integration: annotations of GitHub, and SARIF |
//! | `rows` | rows of errors, components and offsets, in a form: `text`, `csv`, `tsv`, `jsonl` |
//! | `batches` | the same rows as record batches, which `arrow` writes as an IPC stream, `parquet` as a Parquet file |
//! | `value_lines` | the value of a column of each valid record, one a line |
//! | `mended` | the URIs of valid records, and the suggestions for invalid ones |
//! | `count` | the number of records with each value of a column |
//! | `values` | the values of a column that are counted |
//! | `tally` | the records that an output leaves out |
//! | `column`, `row`, `cell` | the columns that rows can have, the values of a row, the way a form writes a cell |
//! | `forms` | the table of the forms of text |
//! | `copy`, `copy_plan`, `made_cells` | rows of valid records, with cells copied unchanged: the rows, their steps, the cells of numbers and names |

mod annotations;
#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "arrow")]
mod batches;
mod cell;
mod column;
mod copy;
mod copy_plan;
mod count;
mod csv;
mod encoder;
mod errors;
mod forms;
mod jsonl;
mod lines;
mod made_cells;
mod mended;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod rows;
mod tally;
mod text;
mod tsv;
mod value_lines;
mod values;

pub(crate) use self::column::{all_countable, is_of_lines, is_of_problem, is_of_valid};
pub(crate) use self::count::Count;
pub(crate) use self::encoder::{Assemble, CHUNK_SIZE, Encode, Encoded, JudgedChunk, LeftOut, Write};
pub(crate) use self::errors::Errors;
pub(crate) use self::lines::{LineSelection, Lines};
pub(crate) use self::mended::Mended;
pub(crate) use self::rows::TextRows;
pub(crate) use self::tally::Tally;
pub(crate) use self::value_lines::ValueLines;
pub(crate) use self::values::ColumnValues;
