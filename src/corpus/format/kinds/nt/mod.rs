//! N-Triples and N-Quads ([RDF 1.1][nt], and the triple terms of RDF 1.2): each IRI of each statement.
//!
//! | module | does |
//! |---|---|
//! | `statement` | the terms of a statement |
//!
//! A statement is a line: subject, predicate, object, in N-Quads a graph, and a dot. The records are the
//! texts between `<` and `>`, with the numeric escapes `\uXXXX` and `\UXXXXXXXX` undone. An IRI ends at its
//! `>`, whatever stands before it. The statement decides the element of a record: `subject`, `predicate`,
//! `object` and `graph`, or `datatype` for the type of a literal. The IRIs of a triple term, `<<( s p o )>>`,
//! and of a quoted triple, `<< s p o >>`, are those of a subject, predicate and object, too. Literals, blank
//! nodes and comments have no records.
//!
//! A line that is no statement is malformed at the first byte that does not fit. The IRIs after this byte are
//! records without an element: a mistake in a line hides no broken IRI.
//!
//! Statements must not have relative IRIs, so these are invalid. Prefixed names, as Turtle has them, are
//! malformed.
//!
//! [nt]: https://www.w3.org/TR/n-triples/

mod statement;

use std::ops::Range;
use std::sync::Arc;

use self::statement::{Role, TakeTerm, statement};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::log_format::{self, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;

pub(crate) const ENTRY: Entry = Entry {
    about: "N-Triples and N-Quads: each IRI between < and >",
    sentinels: "",
    fields: FieldChoice::None("no fields", || Arc::new(Statements)),
    #[cfg(test)]
    example: ["# comment\n", "_:a <", "> \"b\" .\n"],
};

#[derive(Clone, Copy, Debug)]
struct Statements;

impl LogFormat for Statements {
    fn grammar(&self) -> Grammar {
        Grammar::Iri
    }

    /// A line holds several records, and is malformed at a byte.
    fn is_document(&self) -> bool {
        true
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.set_documents();
        if let Some(line) = chunk.long_line {
            return sink.take_long(line.length);
        }
        let mut number = 0;
        for (start, line) in chunk.iter() {
            if line.len() <= chunk.max_record {
                statement(line, &mut Terms { line, start, number, sink });
            } else {
                sink.begin_piece();
                sink.take_malformed(number.into(), line.len() as u64, Malformed::TooLong);
            }
            number += 1;
        }
        sink.set_lines(number.into());
    }

    fn fitting_lines(&self, head: &[u8], most_misfits: usize) -> usize {
        let (mut fits, mut misfits) = (0, 0);
        for line in log_format::lines(head) {
            let mut counts = Counts::default();
            statement(line, &mut counts);
            // A blank line or a comment decides nothing.
            fits += usize::from(counts.iris > 0 && !counts.is_malformed);
            misfits += usize::from(counts.is_malformed);
            if misfits > most_misfits {
                break;
            }
        }
        fits
    }
}

/// Takes the terms of a line as records.
struct Terms<'t, 's> {
    line: &'t [u8],
    /// The start of the line in the chunk.
    start: usize,
    number: u32,
    sink: &'t mut FieldSink<'s>,
}

impl TakeTerm for Terms<'_, '_> {
    #[inline]
    fn iri(&mut self, range: Range<usize>, escapes: Escapes, role: Option<Role>) {
        let place = role.map(|role| Holder { element: Name::Known(role.name()), attribute: None });
        let record = Line::Record(Field { range, tail: 0..0, escapes });
        self.sink.begin_piece();
        self.sink.take_at(place, record, self.line, self.start, self.number);
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.sink.begin_piece();
        self.sink.take_malformed_place(reason, self.start + at, self.start, self.number.into());
    }
}

/// Counts the IRIs of a line.
#[derive(Default)]
struct Counts {
    iris: usize,
    is_malformed: bool,
}

impl TakeTerm for Counts {
    fn iri(&mut self, _: Range<usize>, _: Escapes, _: Option<Role>) {
        self.iris += 1;
    }

    fn malformed(&mut self, _: usize, _: Malformed) {
        self.is_malformed = true;
    }
}
