//! Benches of every grammar, each with a list whose records are mostly valid in this grammar.

use criterion::Criterion;
use urivalidate::{Backend, Batch, Columns, Grammar};

use crate::bulk::peer;
use crate::clock::CpuTime;
use crate::corpus::{Corpus, split};
use crate::{engine, peers};

pub fn benches(criterion: &mut Criterion<CpuTime>, uris: &Corpus) {
    // The text after the authority is both a relative reference and a request target.
    let targets = uris.map("targets", |record, out| {
        let (_, target) = split(record).unwrap_or((b"", record));
        if !target.starts_with(b"/") {
            out.push(b'/');
        }
        out.extend_from_slice(target);
    });
    for &grammar in Grammar::ALL {
        let list = match grammar {
            Grammar::RelativeRef | Grammar::RequestTarget => &targets,
            _ => uris,
        };
        let scalar = engine::validator(grammar, Backend::Scalar);
        let expected = engine::scan(list, &scalar, Columns::NONE, &mut Batch::new());
        let mut group = list.group(criterion, &format!("grammars/{grammar}"));
        if let Some(is_valid) = peers::fluent_uri_of(grammar) {
            assert_eq!(list.count(is_valid), expected, "valid records by {grammar}");
            peer(&mut group, list, "fluent-uri", is_valid);
        }
        let columns = [engine::VERDICTS, engine::ALL_COLUMNS];
        engine::benches(&mut group, list, grammar, expected, &engine::scalar_and_best(), &columns);
    }
}
