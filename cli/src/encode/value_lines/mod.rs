//! The value of a column for each valid record that has one, one a line.
//!
//! | module | writes |
//! |---|---|
//! | `parts` | parts of records, byte for byte: the URI itself, a component |
//! | `normalized` | normal forms; most records are their own |
//! | `surts` | keys of web archives |
//! | `made` | values of all other columns, which are made one by one |

mod made;
mod normalized;
mod parts;
mod surts;

use urivalidate::corpus::{LogColumns, Repeats};
use urivalidate::memory::OutOfMemory;
use urivalidate::{CellType, Columns, Deriver, Grammar, Part, Request, RowColumn, RowKind};

use self::made::MadeLines;
use self::normalized::NormalizedLines;
use self::parts::PartLines;
use self::surts::SurtLines;
use super::column;
use super::encoder::{Encode, Encoded, JudgedChunk};
use super::values::ColumnValues;

/// The values of a column of valid records, one a line.
pub(crate) struct ValueLines {
    column: RowColumn,
    way: Way,
}

/// The way to the values.
enum Way {
    Parts(PartLines),
    Normalized(NormalizedLines),
    Surts(SurtLines),
    Made(MadeLines),
}

impl ValueLines {
    /// Returns the encoder of the values of a column. The byte `terminator` ends each line.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the grammar does not have the column.
    pub(crate) fn new(column: RowColumn, grammar: Grammar, terminator: u8) -> Result<Self, String> {
        if !column.is_derived() && !column.is_in(RowKind::Components, grammar) {
            column::countable(column.name(), grammar)?;
        }
        let way = match column.cell_type() {
            CellType::Part(part) => Way::Parts(PartLines::new(part, terminator)),
            _ if column == RowColumn::Uri => Way::Parts(PartLines::new(Part::Record, terminator)),
            _ if column == RowColumn::Normalized => Way::Normalized(NormalizedLines { terminator }),
            _ if column == RowColumn::Surt => Way::Surts(SurtLines { terminator }),
            _ => Way::Made(MadeLines { values: ColumnValues::of_valid(column), terminator }),
        };
        Ok(ValueLines { column, way })
    }
}

impl Encode for ValueLines {
    fn request(&self) -> Request {
        match &self.way {
            Way::Parts(parts) => parts.columns().into(),
            Way::Normalized(_) => Request::from(Columns::RECORDS).with_candidates(),
            Way::Surts(_) => Deriver::columns(RowColumn::Surt).into(),
            Way::Made(made) => made.values.columns().into(),
        }
    }

    fn repeats(&self) -> Repeats {
        Repeats::among([self.column])
    }

    fn log_columns(&self) -> LogColumns {
        LogColumns::among([self.column])
    }

    fn column(&self) -> Option<RowColumn> {
        Some(self.column)
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        match &self.way {
            Way::Parts(parts) => parts.encode(input, to),
            Way::Normalized(normalized) => normalized.encode(input, to),
            Way::Surts(surts) => surts.encode(input, to),
            Way::Made(made) => made.encode(input, to),
        }
    }
}
