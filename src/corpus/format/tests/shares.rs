//! Lines that are copied by their role.

use super::*;

#[test]
fn lines_are_shared_out_and_each_share_can_be_read_again() {
    // An index without header says by its first lines where its URIs are.
    let of_lines = |sample: &&Sample| {
        has_a_record_a_line(sample.format) && sample.name != "headerless.cdx" || sample.name == "records.warc"
    };
    for &Sample { format, bytes: ref sample, .. } in SAMPLES.iter().filter(of_lines) {
        let case = case(format);
        let found = case.run(sample);
        let (mut valid, mut invalid, mut rest) = (&found.valid[..], &found.invalid[..], &found.rest[..]);
        for line in sample.split_inclusive(|&byte| byte == b'\n') {
            let mut shares = 0;
            for share in [&mut valid, &mut invalid, &mut rest] {
                if let Some(after) = share.strip_prefix(line) {
                    *share = after;
                    shares += 1;
                }
            }
            assert!(shares == 1 || shares == 3, "{format}: {}", line.escape_ascii());
        }
        assert_eq!((valid, invalid, rest), (&b""[..], &b""[..], &b""[..]), "{format}");
        if format == Format::Warc {
            continue;
        }
        let headers = found.headers;
        let again = case.run(&found.valid);
        assert_eq!((again.errors.len(), again.malformed.len(), again.headers), (0, 0, headers), "{format}");
        assert_eq!(again.records.len(), found.records.len() - found.errors.len(), "{format}");
        let again = case.run(&found.invalid);
        assert_eq!(
            (again.errors.len(), again.records.len()),
            (found.errors.len(), found.errors.len()),
            "{format}"
        );
        let again = case.run(&found.rest);
        assert_eq!((again.records.len(), again.sentinels), (0, found.sentinels), "{format}");
        assert_eq!(reasons(&again).len(), reasons(&found).len(), "{format}");
    }
}
