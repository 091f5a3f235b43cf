//! The plan of rows that are copied: their cells, and the steps that write them.
//!
//! A cell that is empty in all rows of a group is a constant, and adjacent constants are merged. So each set
//! of absent parts has steps of its own, which are made when a group first needs them.

use std::marker::PhantomData;
use std::mem;
use std::sync::OnceLock;

use urivalidate::copy_rows::{ShortText, TextsAround};
use urivalidate::{CellType, Columns, HostKind, Part, RowColumn};

use super::cell::TextForm;
use super::column::is_of_problem;

/// The steps for a row.
pub(super) struct CopyPlan<F> {
    cells: Vec<PlannedCell>,
    /// The steps for each value of [`Common`], which is the index.
    steps: Vec<OnceLock<Vec<Step>>>,
    /// The parts of a record that a row needs, the record itself first.
    pub(super) parts: Vec<Part>,
    columns: Columns,
    pub(super) has_host_kind: bool,
    form: PhantomData<F>,
}

/// A cell of the plan, and the text before it.
struct PlannedCell {
    before: String,
    content: Content,
}

/// The step that writes a cell and the texts around it.
pub(super) struct Step {
    pub(super) texts: TextsAround,
    pub(super) content: Content,
}

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// No content: the same text in all rows, which is before the cell.
    Constant,
    /// The name of the file, unless `Line` writes it.
    File,
    /// The line number, after the file's name and the texts around it if the row [starts](CopyPlan::start)
    /// with both.
    Line,
    Start,
    Length,
    Text(Part),
    /// The numbers of a range, with the text between and after them.
    Range(Part),
    HostKind,
    Opaque,
    AuthorityKind,
}

/// The facts that hold for all records of a group: the parts that they lack, whether each record starts its
/// line, and the kind of their hosts if it is the same.
#[derive(Clone, Copy)]
pub(super) struct Common(usize);

impl Common {
    /// The parts that a whole group may lack. Each part has a bit.
    const PARTS: [Part; 7] =
        [Part::Scheme, Part::Authority, Part::Userinfo, Part::Host, Part::Port, Part::Query, Part::Fragment];
    const LINE_START: usize = 1 << Self::PARTS.len();
    /// The bits from here on hold a number: 0 if the hosts have no common kind, otherwise 1 plus the index of
    /// the kind.
    const HOST_KIND: usize = Self::LINE_START << 1;
    /// The number of values of this type.
    const COUNT: usize = Self::HOST_KIND * (1 + HostKind::ALL.len());

    /// `at_line_start` is true if all records start in column 1; `host_kind` is the kind if all records have
    /// hosts of one kind.
    pub(super) fn new(at_line_start: bool, host_kind: Option<HostKind>) -> Self {
        let number = HostKind::ALL.iter().position(|&kind| Some(kind) == host_kind);
        let kind = number.map_or(0, |number| Self::HOST_KIND * (1 + number));
        Common(kind | if at_line_start { Self::LINE_START } else { 0 })
    }

    fn at_line_start(self) -> bool {
        self.0 & Self::LINE_START != 0
    }

    fn host_kind(self) -> Option<HostKind> {
        HostKind::ALL.get((self.0 / Self::HOST_KIND).checked_sub(1)?).copied()
    }

    /// Adds a part that all records lack.
    pub(super) fn lack(&mut self, part: Part) {
        self.0 |= Self::bit(part);
    }

    fn bit(part: Part) -> usize {
        let number = Self::PARTS.iter().position(|&other| other == part);
        number.map_or(0, |number| 1 << number)
    }

    fn lacks(self, part: Part) -> bool {
        self.0 & Self::bit(part) != 0
    }
}

/// The steps so far, and the constant text before the next step.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    constant: String,
}

impl Steps {
    /// Adds a cell that follows the text `before`. An empty cell and its `before` are replaced by `empty`, an
    /// absent one by `absent`. The text `after` follows a cell that is present.
    fn cell(&mut self, [before, empty, absent]: [&str; 3], after: &str, content: Content) {
        let longest = before.len().max(empty.len()).max(absent.len());
        if self.constant.len() + longest > ShortText::MOST {
            self.flush();
        }
        let constant = mem::take(&mut self.constant);
        let text = |text| ShortText::new(&(constant.clone() + text)).expect("a column's name is short");
        let texts =
            TextsAround::new(text(before), text(empty), text(absent), after.as_bytes().first().copied());
        self.steps.push(Step { texts, content });
    }

    /// Adds a cell that is never empty or absent.
    fn value(&mut self, before: &str, content: Content) {
        self.cell([before; 3], "", content);
    }

    /// Turns the constant into steps.
    fn flush(&mut self) {
        let constant = mem::take(&mut self.constant);
        for part in constant.as_bytes().chunks(ShortText::MOST) {
            self.value(str::from_utf8(part).expect("constants are ASCII"), Content::Constant);
        }
    }
}

impl<F: TextForm> CopyPlan<F> {
    /// Returns the plan of rows with these columns, or `None` if a column has other values than those that
    /// the plan can copy.
    pub(super) fn new(columns: &[RowColumn], are_ranges: bool) -> Option<Self> {
        let (mut parts, mut needed) = (vec![Part::Record], Part::Record.columns());
        let mut cells = Vec::new();
        for (i, &column) in columns.iter().enumerate() {
            let before = F::before(column.name(), i == 0);
            let mut part = |part: Part| {
                needed = needed | part.columns();
                if !parts.contains(&part) {
                    parts.push(part);
                }
                if are_ranges && part != Part::Record {
                    return Content::Range(part);
                }
                Content::Text(part)
            };
            let content = match (column, column.cell_type()) {
                (RowColumn::File, _) => Content::File,
                (RowColumn::Line, _) => Content::Line,
                (RowColumn::Start, _) => Content::Start,
                (RowColumn::Length, _) => Content::Length,
                (RowColumn::Valid, _) => {
                    cells.push(PlannedCell { before: before + "true", content: Content::Constant });
                    continue;
                }
                (RowColumn::Uri, _) => part(Part::Record),
                (RowColumn::HostKind, _) => {
                    part(Part::Host);
                    Content::HostKind
                }
                (RowColumn::Opaque, _) => {
                    part(Part::Path);
                    Content::Opaque
                }
                (RowColumn::AuthorityKind, _) => {
                    part(Part::Authority);
                    part(Part::Host);
                    Content::AuthorityKind
                }
                (_, CellType::Part(found)) => part(found),
                _ if is_absent_if_valid(column) => {
                    cells.push(PlannedCell { before: before + F::ABSENT, content: Content::Constant });
                    continue;
                }
                _ => return None,
            };
            cells.push(PlannedCell { before, content });
        }
        cells.push(PlannedCell { before: F::END.to_owned(), content: Content::Constant });
        let steps = (0..Common::COUNT).map(|_| OnceLock::new()).collect();
        let has_host_kind = columns.contains(&RowColumn::HostKind);
        Some(CopyPlan { cells, steps, parts, columns: needed, has_host_kind, form: PhantomData })
    }

    /// Returns the columns of a scan that the plan needs.
    pub(super) fn columns(&self) -> Columns {
        self.columns
    }

    /// Returns the steps for a group of records with these common facts.
    pub(super) fn steps(&self, common: Common) -> &[Step] {
        self.steps[common.0].get_or_init(|| self.steps_for(common))
    }

    fn steps_for(&self, common: Common) -> Vec<Step> {
        let mut steps = Steps::default();
        // The step of the line number writes the start of the row, too.
        let first = if self.start().is_some() { 2 } else { 0 };
        if first > 0 {
            steps.value("", Content::Line);
        }
        for PlannedCell { before, content } in &self.cells[first..] {
            let with = |text: &str| before.clone() + text;
            let absent = || with(F::ABSENT);
            match *content {
                Content::Constant => steps.constant += before,
                Content::Text(part) | Content::Range(part) if common.lacks(part) => {
                    steps.constant += &absent();
                }
                Content::HostKind if common.lacks(Part::Host) => steps.constant += &absent(),
                Content::Start if common.at_line_start() => steps.constant += &with("1"),
                Content::Text(part) => {
                    let texts = [&with(F::QUOTE), &with(&(F::QUOTE.to_owned() + F::EMPTY)), &absent()];
                    steps.cell(texts.map(String::as_str), F::QUOTE, Content::Text(part));
                }
                Content::Range(part) => {
                    steps.cell([&with(F::RANGE[0]), "", &absent()], "", Content::Range(part));
                }
                Content::HostKind => match common.host_kind() {
                    Some(kind) => steps.constant += &with(&name_cell::<F>(kind.name())),
                    None => steps.cell([before, "", &absent()], "", Content::HostKind),
                },
                Content::AuthorityKind if common.lacks(Part::Authority) => steps.constant += &absent(),
                Content::AuthorityKind => steps.cell([before, "", &absent()], "", Content::AuthorityKind),
                always => steps.value(before, always),
            }
        }
        steps.flush();
        steps.steps
    }

    /// Returns the texts before and after the file's name, if the first two cells of a row are the file's
    /// name and the line number.
    pub(super) fn start(&self) -> Option<[&str; 2]> {
        match &self.cells[..] {
            [file, line, ..] if (file.content, line.content) == (Content::File, Content::Line) => {
                Some([&file.before, &line.before])
            }
            _ => None,
        }
    }
}

/// Returns true if the column is absent in each row of a valid record, because it describes an error.
fn is_absent_if_valid(column: RowColumn) -> bool {
    is_of_problem(column) || matches!(column, RowColumn::Error | RowColumn::Suggestion)
}

/// Returns the cell of a name.
pub(super) fn name_cell<F: TextForm>(name: &str) -> String {
    [F::QUOTE, name, F::QUOTE].concat()
}
