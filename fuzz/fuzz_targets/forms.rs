//! Normal forms, references and keys: those of a whole batch are those of its records one by one, by every
//! grammar, and have the properties that the documentation promises.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urivalidate::{
    Base, Batch, Column, Columns, DomainFinder, Domains, Grammar, NormalForm, NormalizedRecords, Request,
    Targets, Validator, surt,
};
use urivalidate_fuzz::knobs::Knobs;

fuzz_target!(|input: &[u8]| {
    let (knobs, lines) = Knobs::split(input);
    let validator = knobs.validator;
    check_forms(validator, lines);
    let (base, references) = match lines.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&lines[..end], &lines[end + 1..]),
        None => (lines, lines),
    };
    check_references(validator, base, references);
    check_keys(validator, lines);
});

/// The valid records of a batch, with their indices.
fn valid_records<'a>(batch: &'a Batch, values: &'a [u8]) -> impl Iterator<Item = (usize, &'a [u8])> {
    let column = |column| batch.column(column).expect("the scan filled it");
    let (starts, ends) = (column(Column::Start), column(Column::End));
    let record = |index: usize| &values[starts[index] as usize..ends[index] as usize];
    (0..batch.len()).filter(|&index| batch.is_valid(index)).map(move |index| (index, record(index)))
}

/// The records between line ends, and each line end as a record of its own.
fn offsets(lines: &[u8]) -> Vec<u32> {
    let ends = lines.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let inner = ends.flat_map(|(at, _)| [at as u32, at as u32 + 1]);
    [0].into_iter().chain(inner).chain([lines.len() as u32]).collect()
}

fn check_forms(validator: Validator, lines: &[u8]) {
    for &form in NormalForm::ALL {
        let Ok(normalizer) = validator.normalizer(form) else { continue };
        let mut batches = [Batch::new(), Batch::new(), Batch::new()];
        let [records, noted, cut] = &mut batches;
        validator.scan(lines, Columns::RECORDS, records).expect("a short input");
        validator
            .scan(lines, Request::from(Columns::RECORDS).with_candidates(), noted)
            .expect("a short input");
        validator.scan_ranges(&offsets(lines), lines, None, Columns::RECORDS, cut).expect("a short input");
        let mut forms = NormalizedRecords::new();
        for batch in &batches {
            normalizer.normalize_batch(batch, lines, &mut forms).expect("the scan filled the columns");
            let mut changed = 0;
            for (index, record) in valid_records(batch, lines) {
                let mut to = Vec::new();
                let normal = normalizer.normalize(record, &mut to).expect("a valid record");
                assert_eq!(forms.get(index), normal);
                changed += usize::from(normal.is_some());
                let Some(normal) = normal else { continue };
                assert!(normal.len() <= record.len() + 2);
                // The results of java.net.URI have none of these properties.
                if validator.grammar() != Grammar::Java {
                    assert!(validator.is_valid(normal));
                    assert_eq!(normalizer.normalize(normal, &mut Vec::new()), Ok(None));
                }
            }
            assert_eq!(forms.changed().len(), changed);
        }
    }
}

/// The grammar of references to records of this grammar.
fn of_references(grammar: Grammar) -> Grammar {
    match grammar {
        Grammar::Uri | Grammar::AbsoluteUri | Grammar::RelativeRef => Grammar::UriReference,
        Grammar::Iri => Grammar::IriReference,
        grammar => grammar,
    }
}

fn check_references(validator: Validator, uri: &[u8], references: &[u8]) {
    let Ok(base) = validator.base(uri) else { return };
    let of_references = validator.with_grammar(of_references(validator.grammar()));
    let base_of_references = of_references.base(uri).expect("the base of another grammar with references");
    let normalizer = of_references.normalizer(NormalForm::Syntax).expect("a form of every grammar");
    let mut batch = Batch::new();
    validator.scan(references, Base::COLUMNS, &mut batch).expect("a short input");
    let mut targets = Targets::new();
    base.resolve_batch(&batch, references, &mut targets).expect("the scan filled the columns");
    assert_eq!(targets.len(), batch.len());
    for (index, reference) in valid_records(&batch, references) {
        let mut to = Vec::new();
        let target = base.resolve(reference, &mut to).map(|target| target.unwrap_or(reference).to_vec());
        assert_eq!(targets.get(index), target.as_deref().ok());
        let Ok(target) = target else { continue };
        if validator.grammar() == Grammar::Java {
            let _ = base.relativize(&target, &mut Vec::new());
            continue;
        }
        assert!(validator.grammar() == Grammar::RequestTarget || of_references.is_valid(&target));
        let mut to = Vec::new();
        let Ok(normal) = normalizer.normalize(&target, &mut to) else { continue };
        let uri = normal.unwrap_or(&target);
        let mut to = Vec::new();
        let Ok(way) = base.relativize(uri, &mut to) else { continue };
        let way = way.unwrap_or(uri);
        let mut to = Vec::new();
        assert_eq!(base_of_references.resolve(way, &mut to).map(|back| back.unwrap_or(way)), Ok(uri));
    }
}

/// Keys are made of any text, and domains of any host.
fn check_keys(validator: Validator, lines: &[u8]) {
    let mut finder = DomainFinder::default();
    for line in lines.split(|&byte| byte == b'\n') {
        let mut to = b"kept".to_vec();
        let key = surt(line, &mut to).map(<[u8]>::to_vec);
        assert_eq!(to, [b"kept", key.as_deref().unwrap_or_default()].concat());
        for host in [Some(line), validator.record(line).ok().and_then(|record| record.host())] {
            let Some(host) = host else { continue };
            let domains = Domains::of(host);
            assert_eq!(finder.find(host), domains.as_ref());
            let Some(Domains { suffix, domain, private_suffix, private_domain, .. }) = domains else {
                continue;
            };
            assert!(suffix.start >= private_suffix.start && suffix.end == private_suffix.end);
            assert!(domain.is_none_or(|domain| domain.start < suffix.start && domain.end == suffix.end));
            assert!(private_domain.is_none_or(|domain| domain.start < private_suffix.start));
            assert!(host.get(private_suffix).is_some_and(|suffix| !suffix.is_empty()));
        }
    }
}
