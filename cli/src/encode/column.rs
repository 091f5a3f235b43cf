//! The columns of rows in text: the library's columns, except the column of bytes.

use std::collections::HashSet;

use urivalidate::{CellType, Elsewhere, Grammar, Part, RowColumn, RowKind, unknown_name};

/// Returns the default columns of rows, in order.
pub(crate) fn all(kind: RowKind, grammar: Grammar) -> Vec<RowColumn> {
    let mut columns = in_text(RowColumn::defaults(kind, grammar));
    // The column `error` takes the place of its parts.
    columns.retain(|column| !RowColumn::ERROR_PARTS.contains(column));
    // The verdict comes before the record.
    let place = |wanted| columns.iter().position(|&column| column == wanted);
    if let (Some(uri), Some(valid)) = (place(RowColumn::Uri), place(RowColumn::Valid)) {
        columns[uri..=valid].rotate_right(1);
    }
    columns
}

/// Returns the columns of these names. A name can be a column of `all`, a part of an error, or another column
/// that can be picked.
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
    let (mut columns, mut picked) = (Vec::new(), HashSet::new());
    for name in names {
        let column = named(&there_are, name, |column| column.is_in(kind, grammar)).map_err(|unknown| {
            RowColumn::elsewhere(name, kind, grammar).map_or(unknown, |place| needs(name, &place))
        })?;
        let is_part_of_another = is_part(&column) && picked.contains(&RowColumn::Error)
            || column == RowColumn::Error && columns.iter().any(is_part);
        if !picked.insert(column) || is_part_of_another {
            return Err(format!("duplicate column {name:?}"));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// Returns the sentence about a column that other rows have.
pub(crate) fn needs(name: &str, place: &Elsewhere) -> String {
    match place {
        Elsewhere::Rows(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            format!("the column {name} needs --emit {}", kinds.join(" or "))
        }
        Elsewhere::Grammars(grammars) => {
            let grammars: Vec<_> = grammars.iter().map(|grammar| grammar.name()).collect();
            format!("the column {name} needs --grammar {}", grammars.join(" or "))
        }
        _ => format!("the column {name} is in no rows; --count {name} counts it"),
    }
}

/// Returns the columns whose values can be counted by this grammar.
pub(crate) fn all_countable(grammar: Grammar) -> Vec<RowColumn> {
    let mut columns = all(RowKind::Components, grammar);
    columns.extend(RowColumn::ERROR_PARTS);
    columns.push(RowColumn::Reason);
    columns.extend(in_text(RowColumn::others(RowKind::Components, grammar)));
    columns.extend(RowColumn::counted());
    let is_other = |column| {
        matches!(
            column,
            RowColumn::Line
                | RowColumn::Row
                | RowColumn::Error
                | RowColumn::Suggestion
                | RowColumn::Format
                | RowColumn::Malformed
                | RowColumn::Page
                | RowColumn::Base
                | RowColumn::Element
                | RowColumn::Attribute
        )
    };
    columns.retain(|&column| !is_other(column));
    columns
}

/// Returns the column of this name, if its values can be counted.
pub(crate) fn countable(name: &str, grammar: Grammar) -> Result<RowColumn, String> {
    let columns = all_countable(grammar);
    named(&columns, name, |column| column.is_in(RowKind::Components, grammar)).map_err(|unknown| {
        if name == RowColumn::Error.name() {
            return "the column error has several values; count one of error_kind, error_component and error_offset".to_owned();
        }
        match RowColumn::elsewhere(name, RowKind::Components, grammar) {
            Some(place @ Elsewhere::Grammars(_)) => needs(name, &place),
            _ if RowColumn::ALL.iter().any(|column| column.name() == name) => {
                let known: Vec<_> = columns.iter().map(|column| column.name()).collect();
                format!("the column {name} cannot be counted: expected one of {}", known.join(", "))
            }
            _ => unknown,
        }
    })
}

/// Returns true if the values of the column ignore case (RFC 3986 section 6.2.2.1).
pub(crate) fn ignores_case(column: RowColumn) -> bool {
    matches!(column, RowColumn::Scheme | RowColumn::Host)
}

/// Returns true if no value of the column has a line end: of hosts, which have no decoded characters below the
/// space.
pub(crate) fn lacks_line_ends(column: RowColumn) -> bool {
    use RowColumn::*;
    matches!(column, HostReversed | HostAscii | Suffix | Domain | PrivateSuffix | PrivateDomain)
}

/// Returns true if the column describes an error. Lines without a record have these columns, too.
pub(crate) fn is_of_problem(column: RowColumn) -> bool {
    RowColumn::ERROR_PARTS.contains(&column)
        || matches!(
            column,
            RowColumn::Character | RowColumn::ErrorColumn | RowColumn::Message | RowColumn::Reason
        )
}

/// Returns true if only lines that do not fit their format have a value in the column.
pub(crate) fn is_of_lines(column: RowColumn) -> bool {
    column == RowColumn::Reason
}

/// Returns true if the values are made of lines, and not of records.
pub(crate) fn is_of_line(column: RowColumn) -> bool {
    column == RowColumn::Row || column.log_field().is_some()
}

/// Returns true if only valid records have a value in the column.
pub(crate) fn is_of_valid(column: RowColumn) -> bool {
    match column.cell_type() {
        CellType::Part(part) => part != Part::Record,
        _ => {
            column.is_derived()
                || matches!(
                    column,
                    RowColumn::HostKind
                        | RowColumn::Opaque
                        | RowColumn::AuthorityKind
                        | RowColumn::PathExtension
                        | RowColumn::QueryName
                )
        }
    }
}

/// Removes the column of bytes, because a form of text writes any bytes as text.
fn in_text(mut columns: Vec<RowColumn>) -> Vec<RowColumn> {
    columns.retain(|column| column.cell_type() != CellType::Bytes);
    columns
}

/// Returns the column of this name: one of these columns, or one that the user names and that the rows can
/// have.
fn named(
    columns: &[RowColumn],
    name: &str,
    can_have: impl Fn(RowColumn) -> bool,
) -> Result<RowColumn, String> {
    let known = columns.iter().copied().find(|column| column.name() == name);
    let made = || RowColumn::of_name(name).filter(|&column| column.is_named_by_user() && can_have(column));
    known.or_else(made).ok_or_else(|| {
        let completed = RowColumn::NAMED_BY_USER.iter().map(|&(name, _)| name);
        let known: Vec<_> = columns.iter().map(|column| column.name()).chain(completed).collect();
        unknown_name("column", name, &known)
    })
}
