//! Valid records that are probably not what their writer meant.

use super::loops::GROUP;
use crate::batch::Batch;
use crate::column::Column;
use crate::components::Components;
use crate::error::{Component, named_enum};
use crate::part::Part;
use crate::work::looked_at;

named_enum! {
    /// Why a valid record is suspicious. One record may be so for several reasons.
    #[non_exhaustive]
    Lint {
        /// A host and port without scheme, whose host is read as the scheme: `localhost:8080/x`, `example.com:443`.
        HostAsScheme = "host-as-scheme",
        /// The text that log writers put in the place of a missing URI: `-`, and Squid's `error:` and what
        /// follows.
        Sentinel = "sentinel",
        /// `http` or `https` without a host, or with an empty one: `http:/a`, `http:///a`.
        HttpWithoutHost = "http-without-host",
        /// There is userinfo, which shows up in logs: `http://user:pw@h/`.
        Userinfo = "userinfo",
        /// The port that the scheme has anyway: `http://h:80/`.
        DefaultPort = "default-port",
        /// A port that TCP and UDP do not have: `http://h:65536/`.
        PortOver65535 = "port-over-65535",
        /// More than 2,048 bytes, which not every program takes.
        Long = "over-2048-bytes",
        /// A scheme that IANA has not registered, often a misspelt one: `htps:`, `ttps:`. See
        /// [`Schemes::unregistered`](super::Schemes::unregistered).
        UnregisteredScheme = "unregistered-scheme",
        /// An escape in the host, which no name in the DNS has: `http://a%20b/`, `http://h%3A80/`. Zone identifiers do not count.
        EscapeInHost = "escape-in-host",
    }
}

/// More bytes are suspicious.
const LONG: u32 = 2048;

/// Counts a valid record.
pub(crate) fn count(
    counts: &mut [u64; Lint::ALL.len()],
    record: &[u8],
    length: u64,
    components: &Components,
) {
    let mut add = |lint: Lint, is_there: bool| counts[lint as usize] += u64::from(is_there);
    let part = |component| components.get(component).map(|range| &record[range]);
    add(Lint::Long, length > LONG.into());
    let host = part(Component::Host);
    add(Lint::EscapeInHost, host.is_some_and(has_escape));
    add(Lint::Userinfo, part(Component::Userinfo).is_some());
    add(Lint::PortOver65535, part(Component::Port).is_some_and(is_too_large));
    let Some(scheme) = part(Component::Scheme) else {
        add(Lint::Sentinel, record == b"-");
        return;
    };
    let is_http = [&b"http"[..], b"https"].iter().any(|http| scheme.eq_ignore_ascii_case(http));
    add(Lint::HttpWithoutHost, is_http && host.is_none_or(<[u8]>::is_empty));
    add(Lint::DefaultPort, part(Component::Port).is_some_and(|port| is_default(scheme, port)));
    if components.authority().is_none() {
        add(Lint::Sentinel, scheme.eq_ignore_ascii_case(b"error"));
        add(Lint::HostAsScheme, is_host(scheme, &record[scheme.len() + 1..]));
    }
}

/// Counts the valid records of a batch that has all columns.
///
/// Most records are not suspicious. Userinfo, ports and escapes in hosts there are only in records that a parser judged, and
/// a look at two pairs of columns tells the rest.
pub(crate) fn count_batch(counts: &mut [u64; Lint::ALL.len()], buffer: &[u8], batch: &Batch) {
    let [starts, ends, hosts, host_ends] =
        [Column::Start, Column::End, Column::HostStart, Column::HostEnd].map(|column| batch.filled(column));
    // Also true of invalid records, which have no host.
    let has_no_host_or_is_long = |start: u32, end: u32, host: u32, host_end: u32| {
        u32::from(end - start > LONG) | u32::from(host >= host_end)
    };
    let mut count = |index: usize| {
        let record = buffer.get(starts[index] as usize..ends[index] as usize).unwrap_or_default();
        count(counts, record, record.len() as u64, &batch.delimited(index));
    };
    let of = |i: usize| has_no_host_or_is_long(starts[i], ends[i], hosts[i], host_ends[i]) != 0;
    let groups = starts.chunks(GROUP).zip(ends.chunks(GROUP));
    let host_groups = hosts.chunks(GROUP).zip(host_ends.chunks(GROUP));
    for (group, ((starts, ends), (hosts, host_ends))) in groups.zip(host_groups).enumerate() {
        let records = starts.iter().zip(ends).zip(hosts.iter().zip(host_ends));
        let any = records.fold(0, |any, ((&start, &end), (&host, &host_end))| {
            any | has_no_host_or_is_long(start, end, host, host_end)
        });
        if any != 0 {
            let first = group * GROUP;
            (first..first + starts.len()).filter(|&i| of(i) && batch.is_valid(i)).for_each(&mut count);
        }
    }
    for index in batch.by_parser.iter().map(|&index| index as usize).filter(|&i| !of(i)) {
        count_authority(counts, buffer, batch, index);
    }
}

/// Counts a valid record that has a host and is not long: only its authority can still be suspicious.
fn count_authority(counts: &mut [u64; Lint::ALL.len()], buffer: &[u8], batch: &Batch, index: usize) {
    let mut add = |lint: Lint, is_there: bool| counts[lint as usize] += u64::from(is_there);
    let part = |component| {
        let range = batch.part(Part::from(component), index)?;
        Some(buffer.get(range).unwrap_or_default())
    };
    add(Lint::EscapeInHost, part(Component::Host).is_some_and(has_escape));
    add(Lint::Userinfo, part(Component::Userinfo).is_some());
    if let Some(port) = part(Component::Port) {
        add(Lint::PortOver65535, is_too_large(port));
        add(Lint::DefaultPort, part(Component::Scheme).is_some_and(|scheme| is_default(scheme, port)));
    }
}

/// In brackets a `%` starts a zone identifier.
fn has_escape(host: &[u8]) -> bool {
    looked_at(host.len());
    !host.starts_with(b"[") && host.contains(&b'%')
}

fn is_too_large(port: &[u8]) -> bool {
    let digits = without_zeros(port);
    digits.len() > 5 || digits.len() == 5 && digits > b"65535".as_slice()
}

fn without_zeros(port: &[u8]) -> &[u8] {
    let zeros = port.iter().take_while(|&&digit| digit == b'0').count();
    &port[zeros..]
}

fn is_default(scheme: &[u8], port: &[u8]) -> bool {
    const PORTS: [(&[u8], &[u8]); 5] =
        [(b"http", b"80"), (b"https", b"443"), (b"ftp", b"21"), (b"ws", b"80"), (b"wss", b"443")];

    let default = PORTS.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name));
    default.is_some_and(|(_, default)| *default == without_zeros(port))
}

/// Whether a scheme and the text after its colon look like a host and port. `tel:911` does not.
fn is_host(scheme: &[u8], rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=5).contains(&digits) {
        return false;
    }
    let is_host = scheme.contains(&b'.') || scheme.eq_ignore_ascii_case(b"localhost");
    match rest.get(digits) {
        None | Some(b'?' | b'#') => is_host,
        // No scheme in use has numbers before a slash.
        Some(b'/') => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Columns, Grammar, Validator};

    /// The lints of a record, which are the same by itself and in a batch.
    fn of(record: &str) -> Vec<Lint> {
        let validator = Validator::new(Grammar::UriReference);
        let mut alone = [0; Lint::ALL.len()];
        count(
            &mut alone,
            record.as_bytes(),
            record.len() as u64,
            &validator.parse(record.as_bytes()).unwrap(),
        );
        for around in ["", "http://example.com/\n", "a b\n"] {
            let buffer = format!("{around}{record}\n{around}{}", around.repeat(10));
            let mut batch = Batch::new();
            validator.scan(buffer.as_bytes(), Columns::ALL, &mut batch).unwrap();
            let mut counts = [0; Lint::ALL.len()];
            count_batch(&mut counts, buffer.as_bytes(), &batch);
            assert_eq!(counts, alone, "{record}");
        }
        Lint::ALL.iter().copied().filter(|&lint| alone[lint as usize] == 1).collect()
    }

    #[test]
    fn each_record_is_suspicious_for_its_own_reasons() {
        use Lint::*;
        let long = format!("http://h/{}", "a".repeat(2040));
        for (record, expected) in [
            ("localhost:8080/x", &[HostAsScheme][..]),
            ("localhost:8080", &[HostAsScheme]),
            ("example.com:443", &[HostAsScheme]),
            ("example.com:443?q", &[HostAsScheme]),
            ("intranet:8080/", &[HostAsScheme]),
            ("tel:911", &[]),
            ("tel:12345678", &[]),
            ("urn:isbn:1", &[]),
            ("example.com:123456", &[]),
            ("-", &[Sentinel]),
            ("--", &[]),
            ("error:invalid-request", &[Sentinel]),
            ("ERROR:", &[Sentinel]),
            ("error://h/", &[]),
            ("http:///a", &[HttpWithoutHost]),
            ("HTTPS:a", &[HttpWithoutHost]),
            ("http://:80/", &[HttpWithoutHost, DefaultPort]),
            ("file:///a", &[]),
            ("http://u@h/", &[Userinfo]),
            ("ftp://@h:021/", &[Userinfo, DefaultPort]),
            ("http://h:443/", &[]),
            ("https://h:443", &[DefaultPort]),
            ("http://h:/", &[]),
            ("//h:80/", &[]),
            ("http://a%20b/", &[EscapeInHost]),
            ("http://h%3a80/", &[EscapeInHost]),
            ("http://h%2Fa", &[EscapeInHost]),
            ("http://h%41/", &[EscapeInHost]),
            ("http://%C3%A9.example/", &[EscapeInHost]),
            ("http://h:65535/", &[]),
            ("http://h:065535/", &[]),
            ("http://h:65536/", &[PortOver65535]),
            ("//h:000100000", &[PortOver65535]),
            ("http://u@h:99999", &[Userinfo, PortOver65535]),
            ("http://h/%20", &[]),
            ("http://h.0123456789.0123456789.0123456789.%20/", &[EscapeInHost]),
            (&long[..2049], &[Long]),
            (&long[..2048], &[]),
            ("", &[]),
            ("/a?b", &[]),
        ] {
            assert_eq!(of(record), expected, "{}", &record[..record.len().min(60)]);
        }
    }
}
