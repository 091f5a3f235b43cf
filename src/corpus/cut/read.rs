//! Cuts a stream into chunks that end at line ends.

use std::io::{self, ErrorKind};
use std::mem;
use std::sync::Arc;

use super::chunk::{Bytes, Cut, RecordPart};
use super::json_strings::JsonStrings;
use super::source::Source;
use crate::corpus::format::{
    CutAt, DocumentState, OpenRow, PageState, QuotedRows, RecordsState, page_base, page_border,
};
use crate::corpus::input::byte_stream::ByteStream;
use crate::corpus::input::foreign::Foreign;
use crate::corpus::limits::Limits;
use crate::corpus::mark::{BYTE_ORDER_MARK, mark_len};
use crate::error::Error;
use crate::memory;
use crate::work::{looked_at, memchr, memrchr};

/// The number of bytes that the last part of a record over the limit keeps of the record's start.
const HEAD: usize = 1024;

/// The records of an input that is read.
///
/// Buffers come back through [`Source::reuse`], so a scan has no more buffers than chunks in flight. A buffer grows beyond the chunk size only
/// for a longer record, and up to the record limit. The chunk that starts with such a record has at most a chunk size of the lines after it.
pub(crate) struct ReadSource<'i> {
    input: &'i mut dyn ByteStream,
    limits: Limits,
    /// The bytes after the last chunk, with which the next chunk starts.
    carry: Vec<u8>,
    /// The buffers to reuse.
    spare: Vec<Vec<u8>>,
    /// The offset of the next chunk in the input, in bytes.
    position: u64,
    borders: Borders,
    /// The state of a page at the start of the next chunk.
    page: PageState,
    /// The `<base href>` that the page has before the next chunk.
    page_base: Option<Arc<[u8]>>,
    /// The state of a WARC file at the start of the next chunk.
    records: RecordsState,
    /// The state of a document that a parser cuts, at the start of the next chunk.
    document: DocumentState,
    /// The record over the limit that has begun and not ended.
    long: Option<LongRecord>,
    at_end: bool,
    /// The error that ended the input. It is returned after all bytes before it have been cut into chunks.
    error: Option<io::Error>,
    is_slow: bool,
}

/// The number of bytes of the first read. Each later read doubles the number of bytes read so far.
const FIRST_READ: usize = 64 << 10;

/// The places where chunks end.
enum Borders {
    /// At line ends. If `to_end`, the last chunk is marked as the last.
    Lines { to_end: bool },
    /// Outside the strings of JSON documents, within or between lines.
    JsonStrings(JsonStrings),
    /// Outside the tags of a page.
    Tags,
    /// Between the records of a WARC file.
    Records,
    /// At places that the parser of a document finds.
    Parsed,
    /// At the ends of rows.
    Rows(QuotedRows),
}

struct LongRecord {
    part: RecordPart,
    /// The number of bytes of the record so far.
    length: u64,
    ends_with_cr: bool,
    /// The bytes that were read before the record was known to be over the limit. The bytes from `at` on have not been handed out.
    held: Vec<u8>,
    at: usize,
}

/// The bytes of memory that a parser may take for a byte of a document: its tree.
const PARSED: usize = 32;

/// The bytes of memory that the tags of a page may take for a byte of the page.
const TAGS: usize = 8;

/// A buffer whose first `len` bytes are filled. Later reads overwrite the others.
struct Filling {
    buffer: Vec<u8>,
    len: usize,
}

impl<'i> ReadSource<'i> {
    /// Reads `input`, whose next byte is byte `position` of the whole and starts a line.
    pub(crate) fn new(input: &'i mut dyn ByteStream, limits: Limits, position: u64, cut_at: CutAt) -> Self {
        ReadSource {
            input,
            limits,
            carry: Vec::new(),
            spare: Vec::new(),
            position,
            borders: match cut_at {
                CutAt::Lines => Borders::Lines { to_end: false },
                CutAt::LinesToEnd => Borders::Lines { to_end: true },
                CutAt::JsonStrings => Borders::JsonStrings(JsonStrings::default()),
                CutAt::Tags => Borders::Tags,
                CutAt::Records => Borders::Records,
                CutAt::Blocks | CutAt::Elements => Borders::Parsed,
                CutAt::Rows(separator) => {
                    Borders::Rows(QuotedRows::new(separator, limits.terminator, limits.longest_line()))
                }
            },
            page: PageState::default(),
            page_base: None,
            records: RecordsState::default(),
            document: DocumentState::start(cut_at),
            long: None,
            at_end: false,
            error: None,
            is_slow: false,
        }
    }

    /// Returns the number of bytes of the input that have been cut into chunks.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Reads until `filling` has `target` bytes, the input ends, or the input is slow and a whole line has come.
    fn fill(&mut self, filling: &mut Filling, target: usize) -> io::Result<()> {
        if filling.buffer.capacity() < target {
            // The buffer grows by a share of its length, so that growing takes linear time.
            let grown = (filling.len + filling.len / 4).min(self.limits.longest_line()).max(target);
            let missing = grown - filling.buffer.len();
            memory::try_reserve_exact(&mut filling.buffer, missing).map_err(|_| ErrorKind::OutOfMemory)?;
        }
        self.is_slow = false;
        while filling.len < target && !self.at_end && !self.is_slow {
            // Most files are short, and filling a whole buffer with zeros takes longer than reading a short file.
            let room = target.min(filling.len.saturating_add(filling.len.max(FIRST_READ)));
            if filling.buffer.len() < room {
                filling.buffer.resize(room, 0);
            }
            let room = target.min(filling.buffer.len());
            let (count, result) = self.input.read(&mut filling.buffer[filling.len..room]);
            let new = &filling.buffer[filling.len..filling.len + count];
            self.is_slow = self.input.is_slow() && memchr(self.limits.terminator, new).is_some();
            filling.len += count;
            self.error = result.err();
            self.at_end = count == 0 || self.error.is_some();
        }
        Ok(())
    }

    /// Reads another byte before a chunk that ends with the bytes read so far, if the last chunk has to be marked as the last.
    fn learn_end(&mut self, filling: &mut Filling, end: usize) -> io::Result<()> {
        match self.borders {
            Borders::Lines { to_end: true } if end == filling.len && !self.at_end => {
                self.fill(filling, end + 1)
            }
            _ => Ok(()),
        }
    }

    /// Cuts off the first `len` bytes. The other bytes start the next chunk.
    fn cut<'a>(&mut self, filling: Filling, len: usize, mark: usize, part: Option<RecordPart>) -> Cut<'a> {
        let Filling { buffer, len: filled } = filling;
        looked_at(filled - len);
        let base = self.position;
        self.position += len as u64;
        let is_last = self.at_end && filled == len;
        let is_cut_off = self.error.is_some();
        self.carry.clear();
        match memory::try_reserve(&mut self.carry, filled - len) {
            Ok(()) => self.carry.extend_from_slice(&buffer[len..filled]),
            // The input ends with this error after the chunk.
            Err(_) => (self.error, self.at_end) = (Some(ErrorKind::OutOfMemory.into()), true),
        }
        let (page, records, document) = (self.page, self.records, self.document.clone());
        let bytes = Bytes::Read { buffer, len };
        Cut {
            bytes,
            base,
            mark,
            part,
            is_cut_off,
            is_last,
            page,
            page_base: self.page_base.clone(),
            tags: None,
            records,
            document,
            has_quotes: true,
        }
    }

    /// Cuts off all bytes that remain, if any.
    fn rest<'a>(&mut self, filling: Filling, mark: usize) -> Option<Cut<'a>> {
        let len = filling.len;
        (len > 0).then(|| self.cut(filling, len, mark, None))
    }

    /// Returns the length of the byte order mark at the start of `filled`, in bytes.
    fn mark(&self, filled: &[u8]) -> usize {
        if self.position == 0 { mark_len(filled) } else { 0 }
    }

    /// Returns the number of bytes to read before the first search for a border: the chunk size, but enough to hold back one byte.
    fn first_target(&self, filling: &Filling) -> usize {
        let least = if self.position == 0 { BYTE_ORDER_MARK.len() + 1 } else { filling.len + 1 };
        self.limits.chunk_size.max(least)
    }

    /// Returns the next chunk of whole records, or the first part of a record over the limit.
    fn next_records<'a>(
        &mut self,
        mut filling: Filling,
        rows: Option<QuotedRows>,
    ) -> io::Result<Option<Cut<'a>>> {
        // The start of the record has to be known before the record can be over the limit.
        let least = if self.position == 0 { BYTE_ORDER_MARK.len() } else { filling.len + 1 };
        let mut target = self.limits.chunk_size.max(least);
        let (mut searched, mut row) = (0, None);
        loop {
            self.fill(&mut filling, target)?;
            let filled = &filling.buffer[..filling.len];
            let mark = self.mark(filled);
            let end = match rows {
                Some(rows) => {
                    let last = rows.last_end(filled, row.get_or_insert(OpenRow::new(mark)));
                    last.map(|(end, has_quotes)| {
                        (rows.first(&filled[..end], mark, self.limits.chunk_lines), has_quotes)
                    })
                }
                None => memrchr(self.limits.terminator, &filled[searched..])
                    .map(|at| (self.limits.first_lines(&filled[..=searched + at]), true)),
            };
            if let Some((end, has_quotes)) = end {
                self.learn_end(&mut filling, end)?;
                return Ok(Some(Cut { has_quotes, ..self.cut(filling, end, mark, None) }));
            }
            if filled.len() - mark >= self.limits.longest_line() {
                return Ok(Some(self.begin_long(filling, mark)));
            }
            if self.at_end {
                return Ok(self.rest(filling, mark));
            }
            searched = filled.len();
            let longest = self.limits.longest_line().saturating_add(mark);
            target = searched.saturating_add(self.limits.chunk_size).min(longest);
        }
    }

    /// Returns the next chunk of JSON documents. It ends outside strings, or within a string over the limit: a document may have no line ends.
    ///
    /// One byte is held back until the source knows whether others follow it, so that it can mark the last chunk as the last.
    fn next_of_documents<'a>(
        &mut self,
        mut filling: Filling,
        mut strings: JsonStrings,
    ) -> io::Result<Option<Cut<'a>>> {
        let mut target = self.first_target(&filling);
        let mut passed = 0;
        loop {
            self.fill(&mut filling, target)?;
            let filled = &filling.buffer[..filling.len];
            let mark = self.mark(filled);
            if self.at_end {
                return Ok(self.rest(filling, mark));
            }
            let known = filled.len() - 1;
            // A string within the limit, its quotes, and the byte that is held back.
            let longest = self.limits.max_record.saturating_add(3 + mark);
            strings.pass(&filled[passed..known], passed);
            passed = known;
            let border = strings.border(known).filter(|&border| border > mark);
            if let Some(end) = border.or((filled.len() >= longest).then_some(known)) {
                let end = self.limits.first_lines(&filled[..end]);
                self.borders = Borders::JsonStrings(strings.from(end, known));
                return Ok(Some(self.cut(filling, end, mark, None)));
            }
            target = filling.len.saturating_add(self.limits.chunk_size).min(longest);
        }
    }

    /// Returns the next chunk of a page. It ends outside tags, or within a tag over the limit. One byte is held back, as in `next_of_documents`.
    fn next_of_page<'a>(&mut self, mut filling: Filling) -> io::Result<Option<Cut<'a>>> {
        let mut target = self.first_target(&filling);
        loop {
            self.fill(&mut filling, target)?;
            let filled = &filling.buffer[..filling.len];
            let mark = self.mark(filled);
            if self.at_end {
                return Ok(self.rest(filling, mark));
            }
            let known = filled.len() - 1;
            let _room = memory::room_for(known.saturating_mul(TAGS)).map_err(|_| ErrorKind::OutOfMemory)?;
            let (end, behind, tags) =
                page_border(self.page, &filled[..known.max(mark)], mark, self.limits.max_record);
            if end > mark {
                let cut = self.cut(filling, end, mark, None);
                self.page = behind;
                let max_record = self.limits.max_record;
                let has_all = !tags.lack_some();
                if self.page_base.is_none() {
                    let base = if has_all {
                        tags.base(cut.bytes(), max_record)
                    } else {
                        page_base(cut.page, cut.bytes(), mark, max_record)
                    };
                    self.page_base = base.map(Arc::from);
                }
                return Ok(Some(Cut { tags: Some(tags).filter(|_| has_all), ..cut }));
            }
            // Each attempt parses the tag from its start, so the next one needs many more bytes.
            target = filling.len.saturating_add(filling.len.max(self.limits.chunk_size));
        }
    }

    /// Returns the next chunk of a WARC file. It ends between records, or within a record over the limit. One byte is held back, as in
    /// `next_of_documents`.
    fn next_of_archive<'a>(&mut self, mut filling: Filling) -> io::Result<Option<Cut<'a>>> {
        let mut target = self.first_target(&filling);
        loop {
            self.fill(&mut filling, target)?;
            let filled = &filling.buffer[..filling.len];
            let mark = self.mark(filled);
            if self.at_end {
                return Ok(self.rest(filling, mark));
            }
            let known = (filled.len() - 1).max(mark);
            let border = self.records.border(&filled[..known], mark, self.limits.max_record);
            if border.at > mark {
                let cut = self.cut(filling, border.at, mark, None);
                self.records = border.state;
                return Ok(Some(cut));
            }
            // Each attempt parses the header from its start, so the next one needs many more bytes.
            target = match border.wanted {
                Some(record) => (mark + record).max(filling.len) + 1,
                None => filling.len.saturating_add(filling.len.max(self.limits.chunk_size)),
            };
        }
    }

    /// Returns the next chunk of a document. It ends where its parser finds a border, or within an item over the limit. One byte is held back, as
    /// in `next_of_documents`.
    fn next_of_parsed<'a>(&mut self, mut filling: Filling) -> io::Result<Option<Cut<'a>>> {
        let longest = DocumentState::longest(self.limits.max_record);
        let mut target = self.first_target(&filling);
        loop {
            // The links in a part of a document are not urgent, and each attempt parses from the start.
            while filling.len < target && !self.at_end {
                self.fill(&mut filling, target)?;
            }
            let filled = &filling.buffer[..filling.len];
            let mark = self.mark(filled);
            if self.at_end && self.document.ends_with(&filled[mark..], self.limits.max_record) {
                return Ok(self.rest(filling, mark));
            }
            let known = if self.at_end { filled.len() } else { filled.len() - 1 };
            let _room = memory::room_for(known.saturating_mul(PARSED)).map_err(|_| ErrorKind::OutOfMemory)?;
            let (end, after) = self.document.border(&filled[..known.max(mark)], mark, self.limits.max_record);
            if end > mark {
                let cut = self.cut(filling, end, mark, None);
                self.document = after;
                return Ok(Some(cut));
            }
            if self.at_end {
                return Ok(self.rest(filling, mark));
            }
            // Each attempt parses the block from its start, so the next one gets many more bytes, but no more than it takes to exceed the limit.
            let most = longest.saturating_add(longest).max(filling.len + 1);
            target = filling.len.saturating_add(filling.len.max(self.limits.chunk_size)).min(most);
        }
    }

    fn begin_long<'a>(&mut self, mut filling: Filling, mark: usize) -> Cut<'a> {
        filling.buffer.truncate(filling.len);
        let record = &filling.buffer[mark..];
        let part = RecordPart {
            is_first: true,
            error: Error::record_too_long(record, self.limits.max_record),
            head: record[..record.len().min(HEAD)].into(),
            mark,
            length: None,
        };
        let (length, ends_with_cr) = (record.len() as u64, record.ends_with(b"\r"));
        let long = LongRecord { part, length, ends_with_cr, held: filling.buffer, at: 0 };
        self.held_part(Vec::new(), long, mark)
    }

    /// Returns the next part of the held bytes. It is small, so that the time to copy it for an output does not matter.
    fn held_part<'a>(&mut self, mut buffer: Vec<u8>, mut long: LongRecord, mark: usize) -> Cut<'a> {
        let end = long.held.len().min(long.at.saturating_add(self.limits.chunk_size).max(mark));
        buffer.clear();
        buffer.extend_from_slice(&long.held[long.at..end]);
        long.at = end;
        if end == long.held.len() {
            (long.held, long.at) = (Vec::new(), 0);
        }
        let (len, part) = (buffer.len(), long.part.clone());
        long.part.is_first = false;
        self.long = Some(long);
        self.cut(Filling { buffer, len }, len, mark, Some(part))
    }

    /// Returns the next part of the record over the limit.
    fn next_part<'a>(&mut self, mut filling: Filling, mut long: LongRecord) -> io::Result<Cut<'a>> {
        let target = self.limits.chunk_size.max(filling.len);
        self.fill(&mut filling, target)?;
        let filled = &filling.buffer[..filling.len];
        let line_end = memchr(self.limits.terminator, filled);
        let text = &filled[..line_end.unwrap_or(filled.len())];
        long.length += text.len() as u64;
        long.ends_with_cr = text.last().map_or(long.ends_with_cr, |&last| last == b'\r');
        let mut part = long.part.clone();
        if line_end.is_some() {
            let drops_cr = long.ends_with_cr && self.limits.terminator == b'\n';
            part.length = Some(long.length - u64::from(drops_cr));
        } else if self.at_end {
            part.length = Some(long.length);
        } else {
            self.long = Some(long);
        }
        let len = line_end.map_or(filling.len, |at| at + 1);
        if line_end.is_some() {
            self.learn_end(&mut filling, len)?;
        }
        Ok(self.cut(filling, len, 0, Some(part)))
    }

    fn next_cut<'a>(&mut self) -> io::Result<Option<Cut<'a>>> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        let len = self.carry.len();
        if buffer.len() < len {
            mem::swap(&mut buffer, &mut self.carry);
        } else {
            buffer[..len].copy_from_slice(&self.carry);
        }
        let filling = Filling { buffer, len };
        let chunk = match self.long.take() {
            Some(long) if !long.held.is_empty() => Some(self.held_part(filling.buffer, long, 0)),
            Some(long) => Some(self.next_part(filling, long)?),
            None => match self.borders {
                Borders::Lines { .. } => self.next_records(filling, None)?,
                Borders::Rows(rows) => self.next_records(filling, Some(rows))?,
                Borders::JsonStrings(strings) => self.next_of_documents(filling, strings)?,
                Borders::Tags => self.next_of_page(filling)?,
                Borders::Records => self.next_of_archive(filling)?,
                Borders::Parsed => self.next_of_parsed(filling)?,
            },
        };
        match self.error.take_if(|_| chunk.is_none()) {
            Some(error) => Err(error),
            None => Ok(chunk),
        }
    }
}

impl<'a> Source<'a> for ReadSource<'_> {
    type Item = Cut<'a>;

    fn next(&mut self) -> io::Result<Option<Cut<'a>>> {
        let is_start = self.position == 0 && self.long.is_none();
        let cut = self.next_cut()?;
        // As ASCII, a document in UTF-16 would have no links. A list would have no valid record.
        if is_start && !matches!(self.borders, Borders::Lines { .. } | Borders::Rows(_)) {
            let head = cut.as_ref().map_or(&[][..], Cut::bytes);
            if let Some(foreign) = Foreign::document(head) {
                return Err(foreign.into());
            }
        }
        Ok(cut)
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        // A single long record is no reason to keep its memory for the rest of the scan.
        if buffer.len() <= 4 * self.limits.chunk_size {
            self.spare.push(buffer);
        }
    }

    fn is_finished(&self) -> bool {
        self.at_end && self.carry.is_empty() && self.long.is_none() && self.error.is_none()
    }

    fn is_slow(&self) -> bool {
        self.is_slow
    }
}
