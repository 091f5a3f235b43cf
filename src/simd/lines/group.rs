//! A group of blocks, and the passes over it: bytes to masks, masks to markers, markers to positions.
//!
//! Each pass runs over the whole group before the next pass. The masks stay in the L1 cache, and each loop
//! keeps its values in registers.

use core::mem;

use super::count_lines::{Unfinished, count_lines, drop_line};
use super::mark::{Carries, Markers, mark};
use super::masks::{
    Codes, Masks, classify, classify_by_codes, classify_with_gaps, classify_with_gaps_by_codes, has_codes,
};
use super::ports::{GroupBytes, PortCarries};
use super::rare::{Rare, Uncommon};
use super::shape::{Allowed, LineShape};
use super::streams::{
    BlockLines, GroupLines, LineCounts, NotedLine, Streams, collect, write_numbers, write_positions,
};
use crate::simd::block::mask_structs::{GROUP, any, count_ones};
use crate::simd::block::vector::{BLOCK, Vector, Words};

/// The bytes to scan. The bytes after the last LF, or after the last gap, are ignored.
#[derive(Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// Lines, each with its LF.
    Lines(&'a [u8]),
    /// Records without separators.
    Gaps {
        /// The records, one after the other. Bytes after the last record are ignored, but may be loaded.
        bytes: &'a [u8],
        /// A bit after each record, at the position of its LF if all records had one.
        gaps: &'a [u64],
    },
}

/// Up to [`GROUP`] blocks that follow each other, and the carries from the group before.
pub(in crate::simd) struct Group<V: Vector, S, const ALL: bool> {
    masks: Masks<[u64; GROUP]>,
    /// The codes from which `masks` are made, if the instruction set has [codes](has_codes).
    codes: Codes<[u64; GROUP]>,
    uncommon: Uncommon<[u64; GROUP]>,
    /// Whether any block has masks in `uncommon`.
    has_uncommon: bool,
    markers: Markers<[u64; GROUP]>,
    allowed: Allowed,
    rare: Rare,
    carries: Carries<V::Words>,
    ports: PortCarries,
    /// The start of the first line that ends in the group or after it.
    line_start: u32,
    /// The state of the counts, if components are counted.
    unfinished: Unfinished,
    of: core::marker::PhantomData<(V, S)>,
}

const ALL_CODES: Codes<bool> = Codes { first: true, second: true, third: true };

impl<V: Vector, S: LineShape, const ALL: bool> Group<V, S, ALL> {
    /// Returns the group before the first block of a piece.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn new(allowed: Allowed) -> Self {
        const { assert!(GROUP.is_multiple_of(<V::Words as Words>::COUNT)) };
        Group {
            masks: Masks::<[u64; GROUP]>::NONE,
            codes: Codes::<[u64; GROUP]>::NONE,
            uncommon: Uncommon::<[u64; GROUP]>::NONE,
            has_uncommon: false,
            markers: Markers::<[u64; GROUP]>::NONE,
            allowed,
            rare: Rare::new(allowed.fragment),
            // SAFETY: the caller promises the features.
            carries: unsafe { Carries::new() },
            ports: PortCarries::default(),
            line_start: 0,
            unfinished: Unfinished::default(),
            of: core::marker::PhantomData,
        }
    }

    /// Pass 1: bytes to masks. Takes up to [`GROUP`] blocks off the piece, and returns their number and bytes.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn classify<'a>(&mut self, piece: &mut Piece<'a>) -> (usize, GroupBytes<'a>) {
        // SAFETY: the caller promises the features.
        unsafe {
            match piece {
                Piece::Lines(lines) => {
                    let (now, later) = lines.split_at(lines.len().min(GROUP * BLOCK));
                    *lines = later;
                    let count = now.len().div_ceil(BLOCK);
                    let mut last;
                    let blocks = if now.len() == GROUP * BLOCK {
                        now.as_chunks().0
                    } else {
                        // The zeros belong to no line, since no LF follows them.
                        last = [[0; BLOCK]; GROUP];
                        last.as_flattened_mut()[..now.len()].copy_from_slice(now);
                        &last[..count]
                    };
                    // One call for both, because its code is large.
                    self.classify_lines(blocks, later.first() == Some(&b'\n'));
                    (count, GroupBytes { bytes: now, gaps: &[] })
                }
                Piece::Gaps { bytes, gaps } => {
                    let (now, later) = gaps.split_at(gaps.len().min(GROUP));
                    *gaps = later;
                    let group = GroupBytes { bytes, gaps: now };
                    *bytes = self.classify_with_gaps(bytes, now);
                    (now.len(), group)
                }
            }
        }
    }

    /// Pass 1 for lines. `next` is whether an LF follows the blocks.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn classify_lines(&mut self, blocks: &[[u8; BLOCK]], next: bool) {
        assert!(blocks.len() <= GROUP);
        for (i, block) in blocks.iter().enumerate() {
            let next = || blocks.get(i + 1).map_or(next, |next| next[0] == b'\n');
            // SAFETY: the caller promises the features.
            unsafe {
                V::prefetch(block);
                let input = V::load(block);
                let uncommon = if has_codes::<V, S>(ALL) {
                    let (codes, uncommon) = classify_by_codes::<V, S>(input, &mut self.rare, next);
                    self.codes.set(i, codes, ALL_CODES);
                    uncommon
                } else {
                    let (masks, uncommon) = classify::<V, S, ALL>(input, &mut self.rare, next);
                    self.masks.set(i, masks, const { Masks::needed::<S>(ALL) });
                    uncommon
                };
                self.set_uncommon(i, uncommon);
            }
        }
    }

    /// Pass 1 for records without separators: the bytes of a block are those of the clear bits of its word of
    /// gaps. Returns the remaining bytes.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn classify_with_gaps<'a>(&mut self, mut bytes: &'a [u8], gaps: &[u64]) -> &'a [u8] {
        assert!(gaps.len() <= GROUP);
        for (i, &gaps) in gaps.iter().enumerate() {
            // SAFETY: the caller promises the features.
            unsafe {
                let input = match bytes.first_chunk() {
                    Some(block) => {
                        V::prefetch(block);
                        V::load(block)
                    }
                    None => V::load_last(bytes),
                };
                let uncommon = if has_codes::<V, S>(ALL) {
                    let (codes, uncommon) = classify_with_gaps_by_codes(input, gaps, &mut self.rare);
                    self.codes.set(i, codes, ALL_CODES);
                    uncommon
                } else {
                    let (masks, uncommon) = classify_with_gaps::<V, S, ALL>(input, gaps, &mut self.rare);
                    self.masks.set(i, masks, const { Masks::needed::<S>(ALL) });
                    uncommon
                };
                self.set_uncommon(i, uncommon);
            }
            bytes = bytes.get(gaps.count_zeros() as usize..).unwrap_or_default();
        }
        bytes
    }

    /// Stores the masks of a block's rare bytes, if it has any.
    #[inline(always)]
    fn set_uncommon(&mut self, i: usize, uncommon: Option<Uncommon<u64>>) {
        let all_of_it = const { Uncommon { crlf: true, hash: true, forbidden: true, form: S::FORMS } };
        if let Some(uncommon) = uncommon {
            // SAFETY: a `u64` requires nothing.
            unsafe { self.uncommon.set(i, uncommon, all_of_it) };
            self.has_uncommon = true;
        }
    }

    /// The passes after the first, over `count` blocks, which start at `base`: marks the blocks, counts their
    /// lines, notes rare properties of lines, and writes out the positions of the wanted streams.
    ///
    /// `count` must be [`GROUP`] for each group except the last: the carries for a further group are right
    /// only if `count` is a multiple of the words that are processed at once.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn finish<const COLLECT: u8>(
        &mut self,
        count: usize,
        bytes: GroupBytes<'_>,
        base: u32,
        streams: &mut Streams,
    ) {
        assert!(count <= GROUP);
        for i in (0..count).step_by(<V::Words as Words>::COUNT) {
            // SAFETY: the caller promises the features.
            unsafe {
                let masks = if has_codes::<V, S>(ALL) {
                    let masks = self.codes.get::<V::Words>(i).masks::<S>(ALL);
                    self.masks.set(i, masks, const { Masks::needed::<S>(ALL) });
                    masks
                } else {
                    self.masks.get(i)
                };
                let uncommon = self.uncommon.get(i);
                let markers = mark::<V::Words, S, ALL>(masks, uncommon, &mut self.carries, self.allowed);
                self.markers.set(i, markers, const { Markers::needed::<S>(COLLECT) });
            }
        }
        let (lines, line_start) = (streams.lines, self.line_start);
        let Group { masks, uncommon, has_uncommon, markers, rare, ports, .. } = &mut *self;
        // Few groups have ports.
        if S::PORTS && (any(&markers.port[..count]) || ports.go_on()) {
            // SAFETY: the caller promises the features.
            unsafe { ports.read::<V, ALL>(masks, uncommon, markers, count, bytes) };
        }
        let newlines = &masks.newline[..count];
        let group = GroupLines { newlines, crlf: &uncommon.crlf, before: lines, start: line_start, base };
        let blocks = || BlockLines::all(group);
        let noted = streams.fallback.lines.len();
        // Most groups have nothing to note.
        let has_forbidden = *has_uncommon && any(&uncommon.forbidden[..count]);
        if any(&markers.fallback[..count]) || has_forbidden || streams.fallback.goes_on != 0 {
            streams.fallback.note(group, &markers.fallback, &uncommon.forbidden);
        }
        if S::FORMS && (any(&markers.form[..count]) || streams.candidates.goes_on != 0) {
            streams.candidates.note(group, &markers.form, &[0; GROUP]);
        }
        if ALL && (any(&markers.path_end[..count]) || any(&uncommon.hash[..count])) {
            for (i, block) in blocks().enumerate() {
                block.note(&mut streams.path_ends, markers.path_end[i]);
                block.note(&mut streams.fragments, uncommon.hash[i]);
            }
        }
        if COLLECT != collect::NOTHING && S::PORTS && any(&markers.port[..count]) {
            for (i, block) in blocks().enumerate() {
                block.note(&mut streams.ports, markers.port[i]);
            }
        }
        let addresses = &markers.may_be_address[..count];
        if ALL && S::AUTHORITY && any(addresses) {
            write_numbers(&mut streams.may_be_addresses, addresses, blocks());
        }
        // SAFETY: the caller promises the features.
        unsafe {
            if COLLECT != collect::NOTHING {
                if rare.any_crlf {
                    if !mem::replace(&mut streams.crlf, true) {
                        // All lines before these blocks end with LF alone.
                        streams.newline.extend_from_slice(&streams.end);
                    }
                    write_positions::<V::Words>(&mut streams.newline, newlines, base);
                }
                write_positions::<V::Words>(&mut streams.end, &markers.end[..count], base);
            }
            if ALL {
                write_positions::<V::Words>(&mut streams.scheme_end, &markers.scheme_end[..count], base);
                write_positions::<V::Words>(&mut streams.path, &markers.path[..count], base);
            }
        }
        streams.lines += count_ones(newlines) as usize;
        if let Some(i) = newlines.iter().rposition(|&newline| newline != 0) {
            self.line_start = base + BlockLines::after_last(i, newlines[i]);
            streams.len = self.line_start as usize;
        }
        if S::COUNTS {
            let fallback = &streams.fallback.lines[noted..];
            // SAFETY: the caller promises the features.
            unsafe { self.count_components(count, base, fallback, &mut streams.counts) };
        }
        self.rare.end_group();
        if mem::take(&mut self.has_uncommon) {
            self.uncommon = Uncommon::<[u64; GROUP]>::NONE;
        }
    }

    /// Counts the components of the lines that end in the group. Those of `fallback` do not count.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn count_components(
        &mut self,
        count: usize,
        base: u32,
        fallback: &[NotedLine],
        counts: &mut LineCounts,
    ) {
        let Group { masks, uncommon, markers, unfinished, .. } = self;
        let newlines = &masks.newline[..count];
        // SAFETY: the caller promises the features.
        let mut questions = unsafe { unfinished.questions::<V::Words>(masks, uncommon, count) };
        let rows = [&mut markers.no_path, &mut questions, &mut uncommon.hash];
        let counts = counts.each_mut().into_iter().zip(&mut unfinished.bits);
        for (row, (counted, unfinished)) in rows.into_iter().zip(counts) {
            let row = &mut row[..count];
            // In most groups each line has a path, and none has a fragment.
            if any(row) || *unfinished != 0 {
                fallback.iter().for_each(|line| drop_line(row, line, base, unfinished));
                count_lines(row, newlines, counted, unfinished);
            }
        }
    }
}
