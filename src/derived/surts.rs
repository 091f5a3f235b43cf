//! Keys of web archives, appended to a text, one a line: they are made where they stay.

use alloc::vec::Vec;

use crate::batch::Batch;
use crate::column::Column;
use crate::memory::{OutOfMemory, try_reserve};
use crate::simd::Job;
use crate::surt::SurtMaker;

/// Lines of keys, compiled for the features of each backend. The result is the number of lines.
pub(super) struct SurtLines<'a, F> {
    /// Appends the key of a record that one pass could not make, if it has one.
    pub(super) push_other: F,
    pub(super) batch: &'a Batch,
    pub(super) values: &'a [u8],
    pub(super) terminator: u8,
    pub(super) to: &'a mut Vec<u8>,
}

impl<F: Fn(&[u8], &mut Vec<u8>) -> Option<()>> Job for SurtLines<'_, F> {
    type Output = Result<usize, OutOfMemory>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let SurtLines { push_other, batch, values, terminator, to } = self;
        let offsets = |column| batch.column(column).expect("the scan filled the columns of the keys");
        let (starts, ends) = (offsets(Column::Start), offsets(Column::End));
        let (mut surts, mut made, mut lines) = (SurtMaker::default(), Vec::new(), 0);
        for (index, (&start, &end)) in starts.iter().zip(ends).enumerate() {
            if !batch.is_valid(index) {
                continue;
            }
            let [start, end] = [start as usize, end as usize];
            // A file that changes can get shorter; the results that are made of its bytes are not delivered.
            let Some(record) = values.get(start..end) else { continue };
            try_reserve(to, SurtMaker::room_for(record.len()))?;
            if !surts.push(&values[start..], record.len(), to) {
                made.clear();
                if push_other(record, &mut made).is_none() {
                    continue;
                }
                try_reserve(to, made.len() + 1)?;
                to.extend_from_slice(&made);
            }
            to.push(terminator);
            lines += 1;
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::derived::{Derivation, Deriver};
    use crate::grammar::Grammar;
    use crate::row_column::RowColumn;
    use crate::simd::Backend;
    use crate::validator::Validator;

    /// Lines are the keys one by one, whatever host came before.
    #[test]
    fn lines_are_the_keys_one_by_one() {
        let hosts = ["www.A.co.uk", "a.co.uk", "a.co.u", "[::1]", "1.2.3.4", "", "h%41.b", "h.a:80", "u@h.a"];
        let (long, longer) = ("b".repeat(63), "c".repeat(64));
        let mut list = Vec::new();
        for host in hosts.into_iter().chain([&*long, &*longer]) {
            for rest in ["/", "/A//b", "", "?q", "/x%2Ey?b&a#f", "/b c", "/%7E%2f"] {
                for scheme in ["http://", "https://", "ftp://", "//", "mailto:"] {
                    list.extend_from_slice(scheme.as_bytes());
                    list.extend_from_slice(host.as_bytes());
                    list.extend_from_slice(rest.as_bytes());
                    list.push(b'\n');
                }
            }
        }
        let (derivation, mut batch) = (Derivation::default(), Batch::new());
        for grammar in [Grammar::Uri, Grammar::UriReference, Grammar::Java, Grammar::RequestTarget] {
            for backend in Backend::ALL.iter().filter(|backend| backend.is_available()) {
                let validator = Validator::new(grammar).with_backend(*backend).expect("it is available");
                let deriver = derivation.deriver(validator).expect("the grammar has the form");
                validator.scan(&list, Deriver::columns(RowColumn::Surt), &mut batch).expect("it is short");
                let (mut lines, mut expected) = (Vec::new(), Vec::new());
                let appended = deriver.append_surts(&batch, &list, b'\n', &mut lines);
                let appended = appended.expect("the scan filled the columns").expect("there is memory");
                let valid = list.split(|&byte| byte == b'\n').filter(|record| validator.is_valid(record));
                let mut count = 0;
                for surt in valid.filter_map(|record| deriver.value(RowColumn::Surt, record, None)) {
                    expected.extend_from_slice(&surt);
                    expected.push(b'\n');
                    count += 1;
                }
                assert_eq!(appended, count, "{grammar:?}");
                assert_eq!(lines.escape_ascii().to_string(), expected.escape_ascii().to_string());
            }
        }
    }
}
