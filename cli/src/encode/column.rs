//! The columns that rows can have.

use urivalidate::{Component, Grammar};

use crate::args::Emit;

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowColumn {
    File,
    Line,
    /// Where the record starts in its line.
    Start,
    Length,
    Valid,
    /// The record itself.
    Uri,
    Component(Component),
    HostKind,
    SchemeSpecificPart,
    Opaque,
    AuthorityKind,
    /// Kind, component and offset: one object in JSON, and three columns elsewhere.
    Error,
    ErrorKind,
    ErrorComponent,
    ErrorOffset,
    /// The offending byte of the line.
    ErrorColumn,
    Message,
    /// The record, mended.
    Suggestion,
    /// What the path ends with behind the last dot of its last segment. Counted, but in no row.
    PathExtension,
}

impl RowColumn {
    pub(crate) fn name(self) -> &'static str {
        match self {
            RowColumn::File => "file",
            RowColumn::Line => "line",
            RowColumn::Start => "column",
            RowColumn::Length => "length",
            RowColumn::Valid => "valid",
            RowColumn::Uri => "uri",
            RowColumn::Component(component) => component.name(),
            RowColumn::HostKind => "host_kind",
            RowColumn::SchemeSpecificPart => "scheme_specific_part",
            RowColumn::Opaque => "opaque",
            RowColumn::AuthorityKind => "authority_kind",
            RowColumn::Error => "error",
            RowColumn::ErrorKind => "error_kind",
            RowColumn::ErrorComponent => "error_component",
            RowColumn::ErrorOffset => "error_offset",
            RowColumn::ErrorColumn => "error_column",
            RowColumn::Message => "message",
            RowColumn::Suggestion => "suggestion",
            RowColumn::PathExtension => "path_extension",
        }
    }
}

/// The columns of an error outside of JSON.
pub(crate) const ERROR: [RowColumn; 3] =
    [RowColumn::ErrorKind, RowColumn::ErrorComponent, RowColumn::ErrorOffset];

/// All columns, in their order.
pub(crate) fn all(emit: Emit, grammar: Grammar) -> Vec<RowColumn> {
    let mut columns = vec![RowColumn::File, RowColumn::Line, RowColumn::Start, RowColumn::Length];
    if emit == Emit::Errors {
        columns.extend([RowColumn::Uri, RowColumn::Error, RowColumn::ErrorColumn, RowColumn::Message]);
        return columns;
    }
    columns.push(RowColumn::Valid);
    if emit == Emit::Components {
        columns.push(RowColumn::Uri);
    }
    for &component in Component::ALL {
        columns.push(RowColumn::Component(component));
        if component == Component::Host {
            columns.push(RowColumn::HostKind);
        }
    }
    if grammar.has_opaque() {
        columns.extend([RowColumn::SchemeSpecificPart, RowColumn::Opaque, RowColumn::AuthorityKind]);
    }
    columns.push(RowColumn::Error);
    columns
}

/// The columns of these names. The parts of an error can be picked one by one; `uri`, `error_column`, `message` and `suggestion` can always be picked.
pub(crate) fn pick(all: &[RowColumn], names: &[String]) -> Result<Vec<RowColumn>, String> {
    let mut there_are = all.to_vec();
    there_are.extend(ERROR);
    let others = [RowColumn::Uri, RowColumn::ErrorColumn, RowColumn::Message, RowColumn::Suggestion];
    there_are.extend(others.iter().filter(|column| !all.contains(column)));
    let mut columns = Vec::new();
    for name in names {
        let column = find(&there_are, name)?;
        let is_part_of_another = ERROR.contains(&column) && columns.contains(&RowColumn::Error)
            || column == RowColumn::Error && ERROR.iter().any(|part| columns.contains(part));
        if columns.contains(&column) || is_part_of_another {
            return Err(format!("the column {name:?} would be there twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// The column of this name whose values can be counted.
pub(crate) fn countable(name: &str, grammar: Grammar) -> Result<RowColumn, String> {
    let mut columns = all(Emit::Components, grammar);
    columns.retain(|column| !matches!(column, RowColumn::Line | RowColumn::Error));
    columns.extend(ERROR);
    columns.extend([RowColumn::ErrorColumn, RowColumn::Message, RowColumn::PathExtension]);
    find(&columns, name)
}

impl RowColumn {
    /// Whether it says what is wrong, so that lines without a record have it, too.
    pub(crate) fn is_of_problem(self) -> bool {
        ERROR.contains(&self) || self == RowColumn::Message
    }
}

fn find(columns: &[RowColumn], name: &str) -> Result<RowColumn, String> {
    columns.iter().copied().find(|column| column.name() == name).ok_or_else(|| {
        let known: Vec<_> = columns.iter().map(|column| column.name()).collect();
        format!("there is no column {name:?}; there are {}", known.join(", "))
    })
}
