//! The columns that rows can have.

use urivalidate::{Component, Grammar};

use crate::args::Emit;

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextColumn {
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

impl TextColumn {
    pub(crate) fn name(self) -> &'static str {
        match self {
            TextColumn::File => "file",
            TextColumn::Line => "line",
            TextColumn::Start => "column",
            TextColumn::Length => "length",
            TextColumn::Valid => "valid",
            TextColumn::Uri => "uri",
            TextColumn::Component(component) => component.name(),
            TextColumn::HostKind => "host_kind",
            TextColumn::SchemeSpecificPart => "scheme_specific_part",
            TextColumn::Opaque => "opaque",
            TextColumn::AuthorityKind => "authority_kind",
            TextColumn::Error => "error",
            TextColumn::ErrorKind => "error_kind",
            TextColumn::ErrorComponent => "error_component",
            TextColumn::ErrorOffset => "error_offset",
            TextColumn::ErrorColumn => "error_column",
            TextColumn::Message => "message",
            TextColumn::Suggestion => "suggestion",
            TextColumn::PathExtension => "path_extension",
        }
    }
}

/// The columns of an error outside of JSON.
pub(crate) const ERROR: [TextColumn; 3] =
    [TextColumn::ErrorKind, TextColumn::ErrorComponent, TextColumn::ErrorOffset];

/// All columns, in their order.
pub(crate) fn all(emit: Emit, grammar: Grammar) -> Vec<TextColumn> {
    let mut columns = vec![TextColumn::File, TextColumn::Line, TextColumn::Start, TextColumn::Length];
    if emit == Emit::Errors {
        columns.extend([TextColumn::Uri, TextColumn::Error, TextColumn::ErrorColumn, TextColumn::Message]);
        return columns;
    }
    columns.push(TextColumn::Valid);
    if emit == Emit::Components {
        columns.push(TextColumn::Uri);
    }
    for &component in Component::ALL {
        columns.push(TextColumn::Component(component));
        if component == Component::Host {
            columns.push(TextColumn::HostKind);
        }
    }
    if grammar.has_opaque() {
        columns.extend([TextColumn::SchemeSpecificPart, TextColumn::Opaque, TextColumn::AuthorityKind]);
    }
    columns.push(TextColumn::Error);
    columns
}

/// The columns of these names. The parts of an error can be picked one by one; `uri`, `error_column`, `message` and `suggestion` can always be picked.
pub(crate) fn pick(all: &[TextColumn], names: &[String]) -> Result<Vec<TextColumn>, String> {
    let mut there_are = all.to_vec();
    there_are.extend(ERROR);
    let others = [TextColumn::Uri, TextColumn::ErrorColumn, TextColumn::Message, TextColumn::Suggestion];
    there_are.extend(others.iter().filter(|column| !all.contains(column)));
    let mut columns = Vec::new();
    for name in names {
        let column = find(&there_are, name)?;
        let is_part_of_another = ERROR.contains(&column) && columns.contains(&TextColumn::Error)
            || column == TextColumn::Error && ERROR.iter().any(|part| columns.contains(part));
        if columns.contains(&column) || is_part_of_another {
            return Err(format!("the column {name:?} would be there twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// The column of this name whose values can be counted.
pub(crate) fn countable(name: &str, grammar: Grammar) -> Result<TextColumn, String> {
    let mut columns = all(Emit::Components, grammar);
    columns.retain(|column| !matches!(column, TextColumn::Line | TextColumn::Error));
    columns.extend(ERROR);
    columns.extend([TextColumn::ErrorColumn, TextColumn::Message, TextColumn::PathExtension]);
    find(&columns, name)
}

impl TextColumn {
    /// Whether its values are the same in upper and lower case (RFC 3986 section 6.2.2.1).
    pub(crate) fn ignores_case(self) -> bool {
        matches!(self, TextColumn::Component(Component::Scheme | Component::Host))
    }

    /// Whether it says what is wrong, so that lines without a record have it, too.
    pub(crate) fn is_of_problem(self) -> bool {
        ERROR.contains(&self) || self == TextColumn::Message
    }
}

fn find(columns: &[TextColumn], name: &str) -> Result<TextColumn, String> {
    columns.iter().copied().find(|column| column.name() == name).ok_or_else(|| {
        let known: Vec<_> = columns.iter().map(|column| column.name()).collect();
        format!("there is no column {name:?}; there are {}", known.join(", "))
    })
}
