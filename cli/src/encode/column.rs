//! The columns of rows in text: those of the library's list that are no bytes.

use urivalidate::{CellType, Grammar, RowColumn, RowKind};

/// All columns of rows unless a user picks others, in their order.
pub(crate) fn all(kind: RowKind, grammar: Grammar) -> Vec<RowColumn> {
    let mut columns = in_text(RowColumn::defaults(kind, grammar));
    // `error` stands for them.
    columns.retain(|column| !RowColumn::ERROR_PARTS.contains(column));
    // The verdict comes before the record.
    let place = |wanted| columns.iter().position(|&column| column == wanted);
    if let (Some(uri), Some(valid)) = (place(RowColumn::Uri), place(RowColumn::Valid)) {
        columns[uri..=valid].rotate_right(1);
    }
    columns
}

/// The columns of these names: some of `all`, the parts of an error one by one, and more that can be picked.
pub(crate) fn pick(
    all: &[RowColumn],
    kind: RowKind,
    grammar: Grammar,
    names: &[String],
) -> Result<Vec<RowColumn>, String> {
    let mut there_are = all.to_vec();
    there_are.extend(RowColumn::ERROR_PARTS);
    there_are.extend(in_text(RowColumn::others(kind, grammar)).iter().filter(|column| !all.contains(column)));
    let is_part = |column: &RowColumn| RowColumn::ERROR_PARTS.contains(column);
    let mut columns = Vec::new();
    for name in names {
        let column = find(&there_are, name)?;
        let is_part_of_another = is_part(&column) && columns.contains(&RowColumn::Error)
            || column == RowColumn::Error && columns.iter().any(is_part);
        if columns.contains(&column) || is_part_of_another {
            return Err(format!("the column {name:?} would be there twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// The column of this name whose values can be counted.
pub(crate) fn countable(name: &str, grammar: Grammar) -> Result<RowColumn, String> {
    let mut columns = all(RowKind::Components, grammar);
    columns.extend(RowColumn::ERROR_PARTS);
    columns.push(RowColumn::Reason);
    columns.extend(in_text(RowColumn::others(RowKind::Components, grammar)));
    columns.extend(RowColumn::counted());
    let is_other = |column| {
        matches!(
            column,
            RowColumn::Line
                | RowColumn::Error
                | RowColumn::Suggestion
                | RowColumn::Page
                | RowColumn::Base
                | RowColumn::Element
                | RowColumn::Attribute
        )
    };
    columns.retain(|&column| !is_other(column));
    find(&columns, name)
}

/// Whether the values are the same in upper and lower case (RFC 3986 section 6.2.2.1).
pub(crate) fn ignores_case(column: RowColumn) -> bool {
    matches!(column, RowColumn::Scheme | RowColumn::Host)
}

/// Whether the column describes an error, so that lines without a record have it, too.
pub(crate) fn is_of_problem(column: RowColumn) -> bool {
    RowColumn::ERROR_PARTS.contains(&column) || matches!(column, RowColumn::Message | RowColumn::Reason)
}

/// Without the column of bytes: a form of text writes any bytes as text.
fn in_text(mut columns: Vec<RowColumn>) -> Vec<RowColumn> {
    columns.retain(|column| column.cell_type() != CellType::Bytes);
    columns
}

fn find(columns: &[RowColumn], name: &str) -> Result<RowColumn, String> {
    columns.iter().copied().find(|column| column.name() == name).ok_or_else(|| {
        let known: Vec<_> = columns.iter().map(|column| column.name()).collect();
        format!("there is no column {name:?}; there are {}", known.join(", "))
    })
}
