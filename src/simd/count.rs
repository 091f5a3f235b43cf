//! Counts over finished columns: plain loops, which the compiler vectorises with the features of the backend.

use alloc::vec::Vec;

use crate::batch::Column;
use crate::components::ABSENT;
use crate::error::Component;

/// How many records have each component, in the order of [`Component::ALL`]; empty paths do not count.
///
/// `ignore_empty_port` is how `java.net.URI` sees ports.
#[inline(always)]
pub(super) fn count_components(
    columns: &[Vec<u32>; Column::ALL.len()],
    ignore_empty_port: bool,
) -> [u32; Component::ALL.len()] {
    let records = columns[Column::End as usize].len();
    let column = |column: Column| &columns[column as usize][..records];
    let end = column(Column::End);
    let scheme_end = column(Column::SchemeEnd);
    let authority_start = column(Column::AuthorityStart);
    let host_start = column(Column::HostStart);
    let host_end = column(Column::HostEnd);
    let path_start = column(Column::PathStart);
    let path_end = column(Column::PathEnd);
    let query_end = column(Column::QueryEnd);
    let colon = u32::from(ignore_empty_port);
    let mut counts = [0; Component::ALL.len()];
    for i in 0..records {
        let has_host = host_start[i] != ABSENT;
        // Without a path the record ends with the authority.
        let authority_end = path_start[i].min(end[i]);
        let has = [
            scheme_end[i] != ABSENT,
            authority_start[i] != ABSENT,
            has_host & (host_start[i] != authority_start[i]),
            has_host,
            has_host & (host_end[i].wrapping_add(colon) < authority_end),
            (path_end[i] != ABSENT) & (path_end[i] != path_start[i]),
            (path_end[i] != ABSENT) & (path_end[i] != query_end[i]),
            (query_end[i] != ABSENT) & (query_end[i] != end[i]),
        ];
        for (count, has) in counts.iter_mut().zip(has) {
            *count += u32::from(has);
        }
    }
    counts
}
