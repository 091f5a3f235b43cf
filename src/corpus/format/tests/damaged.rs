//! Damaged logs.

use super::*;

/// The bytes that formats are made of, and any other.
fn a_byte() -> impl Strategy<Value = u8> {
    prop_oneof![3 => prop::sample::select(b" \t\n\r\"\\,:-{}[]<>#/x0".as_slice()), 1 => any::<u8>()]
}

/// An edit of a log: place, kind and byte.
fn an_edit() -> impl Strategy<Value = (Index, u8, u8)> {
    (any::<Index>(), 0..6_u8, a_byte())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2_000)))]

    /// Whatever is in a log, each line is one of the four things that it can be, wherever chunks end.
    #[test]
    fn damaged_logs_are_read_the_same_however_they_are_cut(
        sample in any::<Index>(),
        edits in prop::collection::vec(an_edit(), 1..8),
        chunk_size in 1..200_usize,
        trim in any::<bool>(),
        is_detected in any::<bool>(),
    ) {
        let Sample { format, bytes: sample, .. } = &SAMPLES[sample.index(SAMPLES.len())];
        let format = *format;
        let mut log = sample.clone();
        for (at, what, byte) in edits {
            let at = at.index(log.len() + 1);
            match what {
                0 => log.truncate(at.max(log.len() / 2)),
                1 | 2 => log.insert(at, byte),
                3 if at < log.len() => drop(log.remove(at)),
                4 => log.splice(at..at, std::iter::repeat_n(byte, 70)).for_each(drop),
                _ if at < log.len() => log[at] = byte,
                _ => {}
            }
        }
        let format_read = if is_detected { Format::detect(&log) } else { format };
        let has_rows = |read| is_detected && read == Format::Delimited || [read, format].contains(&Format::Csv);
        let has_lines = has_a_record_a_line(format) && has_a_record_a_line(format_read);
        let has_pages = *sample == archives::PAGES || *sample == archives::ARC && chunk_size % 2 == 0;
        let whole = if has_pages { field(format, "links") } else { case(format) };
        let case = Case { trim, is_detected, ..whole };
        let read = |chunk_size, is_read| {
            case.extract_with(&log, chunk_size, is_read).map_err(|error| error.to_string())
        };
        let expected = read(1 << 20, false);
        prop_assert_eq!(&read(chunk_size, false), &expected);
        prop_assert_eq!(&read(chunk_size, true), &expected);
        if let (Ok(found), true) = (expected, has_lines) {
            let known = found.records.len() + found.malformed.len() + (found.sentinels + found.without_key) as usize;
            let lines = log.split_inclusive(|&byte| byte == b'\n').count();
            prop_assert_eq!(found.count, lines as u64);
            let rows = known as u64 + found.headers;
            // A row of a table may have many lines.
            prop_assert!(rows == lines as u64 || rows < lines as u64 && log.contains(&b'"') && has_rows(format_read));
        }
    }
}
