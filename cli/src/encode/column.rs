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
    Message,
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
            RowColumn::Message => "message",
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
        columns.extend([RowColumn::Uri, RowColumn::Error, RowColumn::Message]);
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

/// The columns of these names. Those of an error may be picked one by one, and what is wrong told of any record.
pub(crate) fn pick(all: &[RowColumn], names: &[String]) -> Result<Vec<RowColumn>, String> {
    let mut there_are = all.to_vec();
    there_are.extend(ERROR);
    there_are.extend([RowColumn::Uri, RowColumn::Message].iter().filter(|column| !all.contains(column)));
    let mut columns = Vec::new();
    for name in names {
        let Some(&column) = there_are.iter().find(|column| column.name() == name) else {
            let known: Vec<_> = there_are.iter().map(|column| column.name()).collect();
            return Err(format!("there is no column {name:?}; there are {}", known.join(", ")));
        };
        let is_part_of_another = ERROR.contains(&column) && columns.contains(&RowColumn::Error)
            || column == RowColumn::Error && ERROR.iter().any(|part| columns.contains(part));
        if columns.contains(&column) || is_part_of_another {
            return Err(format!("the column {name:?} would be there twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}
