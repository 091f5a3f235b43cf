//! The plan of rows that are copied: their cells, and the steps that write them.
//!
//! Cells that are empty in all of some rows are constants, and constants that follow each other are one. So there are steps for each set
//! of absent parts, which are made when rows first need them.

use std::marker::PhantomData;
use std::mem;
use std::sync::OnceLock;

use urivalidate::{CellType, Columns, Part, RowColumn};

use super::cell::TextForm;
use super::row_writer::{BLOCK, Block};

/// The steps for a row.
pub(super) struct CopyPlan<F> {
    cells: Vec<PlannedCell>,
    /// By the [`Absent`] parts.
    steps: Vec<OnceLock<Vec<Step>>>,
    /// The bytes of a row without the start of the row and the texts of the record, or more.
    pub(super) fixed: usize,
    /// The number of texts of the record that a row can have.
    pub(super) texts: usize,
    columns: Columns,
    pub(super) are_ranges: bool,
    form: PhantomData<F>,
}

/// A cell, and the text before it.
struct PlannedCell {
    before: String,
    kind: CellKind,
}

/// The kind of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    /// The same text in all rows, which stands before it.
    Constant,
    File,
    Line,
    Start,
    Length,
    Text(Part),
    Range(Part),
    HostKind,
    Other(RowColumn),
}

/// A cell and the text before it.
pub(super) struct Step {
    pub(super) before: Block,
    pub(super) content: Content,
}

/// The content of a cell.
pub(super) enum Content {
    /// Nothing.
    Constant,
    /// The name of the file, if the number of the line does not follow.
    File,
    /// The number of the line, after the cells before it if the first cell is the file's name.
    Line,
    Start,
    Length,
    /// A part of the record; or this instead of the whole cell, if it is absent.
    Text(Part, Block),
    Range(Part, Block),
    /// The kind of the host, or this instead of the whole cell.
    HostKind(Block),
    /// A value that needs the components of the record.
    Other(RowColumn),
}

/// The parts that all records of a group lack, and whether each of them starts its line.
#[derive(Clone, Copy)]
pub(super) struct Absent(usize);

impl Absent {
    /// The parts that whole lists lack. Each has a bit.
    pub(super) const PARTS: [Part; 7] =
        [Part::Scheme, Part::Authority, Part::Userinfo, Part::Host, Part::Port, Part::Query, Part::Fragment];
    /// The number of sets.
    const COUNT: usize = 2 << Self::PARTS.len();

    /// Those of [`PARTS`](Self::PARTS) that the records lack; `at_line_start` if all of them start in column 1.
    pub(super) fn new(lack: [bool; Self::PARTS.len()], at_line_start: bool) -> Self {
        let bits =
            lack.iter().enumerate().fold(0, |bits, (number, &lacks)| bits | usize::from(lacks) << number);
        Absent(bits | usize::from(at_line_start) << Self::PARTS.len())
    }

    fn has_line_start(self) -> bool {
        self.0 >> Self::PARTS.len() & 1 == 1
    }

    fn contains(self, part: Part) -> bool {
        let number = Self::PARTS.iter().position(|&other| other == part);
        number.is_some_and(|number| self.0 >> number & 1 == 1)
    }
}

/// The steps so far, and a constant that comes before the next one.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    constant: String,
}

impl Steps {
    /// A cell after `before`; if the record lacks it, `absent` stands for both.
    fn cell(&mut self, before: &str, absent: &str, content: impl FnOnce(Block) -> Content) {
        if self.constant.len() + before.len().max(absent.len()) > BLOCK {
            self.flush();
        }
        let constant = mem::take(&mut self.constant);
        let content = content(Block::new(&(constant.clone() + absent)));
        self.steps.push(Step { before: Block::new(&(constant + before)), content });
    }

    /// Writes the constant.
    fn flush(&mut self) {
        for part in mem::take(&mut self.constant).as_bytes().chunks(BLOCK) {
            let part = str::from_utf8(part).expect("constants are ASCII");
            self.steps.push(Step { before: Block::new(part), content: Content::Constant });
        }
    }
}

impl<F: TextForm> CopyPlan<F> {
    /// The plan of rows with these columns. Each is a component of the record or a value.
    pub(super) fn new(columns: &[RowColumn], are_ranges: bool) -> Self {
        let (mut texts, mut needed) = (0, Part::Record.columns());
        let mut cells = Vec::new();
        for (i, &column) in columns.iter().enumerate() {
            let before = F::before(column.name(), i == 0);
            let mut part = |part: Part| {
                needed = needed | part.columns();
                if are_ranges && part != Part::Record {
                    return CellKind::Range(part);
                }
                texts += 1;
                CellKind::Text(part)
            };
            let kind = match (column, column.cell_type()) {
                (RowColumn::File, _) => CellKind::File,
                (RowColumn::Line, _) => CellKind::Line,
                (RowColumn::Start, _) => CellKind::Start,
                (RowColumn::Length, _) => CellKind::Length,
                (RowColumn::Valid, _) => {
                    cells.push(PlannedCell { before: before + "true", kind: CellKind::Constant });
                    continue;
                }
                (RowColumn::Uri, _) => part(Part::Record),
                (RowColumn::HostKind, _) => {
                    needed = needed | Part::Host.columns();
                    CellKind::HostKind
                }
                (RowColumn::Opaque | RowColumn::AuthorityKind, _) => {
                    needed = Columns::ALL;
                    texts += 1;
                    CellKind::Other(column)
                }
                (_, CellType::Part(found)) => part(found),
                // A valid record has no error, and nothing that is made of one.
                _ => {
                    cells.push(PlannedCell { before: before + F::ABSENT, kind: CellKind::Constant });
                    continue;
                }
            };
            cells.push(PlannedCell { before, kind });
        }
        cells.push(PlannedCell { before: F::END.to_owned(), kind: CellKind::Constant });
        let steps = (0..Absent::COUNT).map(|_| OnceLock::new()).collect();
        // Constants, numbers and names have fewer bytes than a block, and a range has two numbers. Behind the row there
        // is room for a text's first bytes, which are copied whatever its length.
        let fixed = cells.len() * 4 * BLOCK + 128;
        CopyPlan { cells, steps, fixed, texts, columns: needed, are_ranges, form: PhantomData }
    }

    /// The columns of a scan that it needs.
    pub(super) fn columns(&self) -> Columns {
        self.columns
    }

    /// The steps for records that lack these parts.
    pub(super) fn steps(&self, absent: Absent) -> &[Step] {
        self.steps[absent.0].get_or_init(|| self.steps_without(absent))
    }

    fn steps_without(&self, absent: Absent) -> Vec<Step> {
        let mut steps = Steps::default();
        // The row's start is written with the number of the line.
        let first = if self.start().is_some() { 2 } else { 0 };
        if first > 0 {
            steps.cell("", "", |_| Content::Line);
        }
        for PlannedCell { before, kind } in &self.cells[first..] {
            let without = || before.clone() + F::ABSENT;
            match *kind {
                CellKind::Constant => steps.constant += before,
                CellKind::Text(part) | CellKind::Range(part) if absent.contains(part) => {
                    steps.constant += &without();
                }
                CellKind::HostKind if absent.contains(Part::Host) => steps.constant += &without(),
                CellKind::Start if absent.has_line_start() => steps.constant += &(before.clone() + "1"),
                CellKind::File => steps.cell(before, "", |_| Content::File),
                CellKind::Line => steps.cell(before, "", |_| Content::Line),
                CellKind::Start => steps.cell(before, "", |_| Content::Start),
                CellKind::Length => steps.cell(before, "", |_| Content::Length),
                CellKind::Text(part) => {
                    steps
                        .cell(&(before.clone() + F::QUOTE), &without(), |absent| Content::Text(part, absent));
                }
                CellKind::Range(part) => {
                    steps.cell(&(before.clone() + F::RANGE[0]), &without(), |absent| {
                        Content::Range(part, absent)
                    });
                }
                CellKind::HostKind => steps.cell(before, &without(), Content::HostKind),
                CellKind::Other(column) => steps.cell(before, "", |_| Content::Other(column)),
            }
        }
        steps.flush();
        steps.steps
    }

    /// The texts before the file's name and after it, if a row starts with this and with the number of the line.
    pub(super) fn start(&self) -> Option<[&str; 2]> {
        match &self.cells[..] {
            [file, line, ..] if (file.kind, line.kind) == (CellKind::File, CellKind::Line) => {
                Some([&file.before, &line.before])
            }
            _ => None,
        }
    }
}
