//! Detects the format of an input: the format that most of its first lines fit.
//!
//! At least half of the lines must fit, not counting blank lines, comments after `#`, and the lines before a
//! table. An input is a list if more of its lines start with a scheme than fit another format. If neither
//! decides, the cells of the lines can show a table. If no line decides, the format is lines.
//!
//! The format that the extension of the input's name suggests wins if as many lines fit it as fit the format
//! found, or if less than half of the lines fit the format found.
//!
//! If lines have a wrapper, the format of their messages wins unless fewer messages fit it than lines fit
//! another format.

use super::names;
use super::tables::{self, Guess};
use crate::corpus::format::kinds::Format;
use crate::corpus::format::kinds::documents::Documents;
use crate::corpus::format::kinds::json::Json;
use crate::corpus::format::kinds::json_keys::LikelyKeys;
use crate::corpus::format::layout::{Evidence, Layout};
use crate::corpus::format::lines::log_format;
use crate::corpus::format::lines::options::LayoutOptions;
use crate::corpus::format::lines::wrapper::Wrapper;
use crate::corpus::mark::mark_len;
use crate::work::{memchr, memchr_iter};

/// The lines that detection reads: at most this number of lines, and only lines that start in this number of
/// bytes.
const MOST_LINES: usize = 200;
const MOST_BYTES: usize = 64 << 10;

/// Returns the lines that detection reads, if `bytes` has all of them. The input can go on after `bytes`
/// unless `is_whole`. The lines end before the first line that is longer than `longest`. If the first line
/// may be a JSON document, its first bytes are enough.
pub(crate) fn head_of(bytes: &[u8], longest: usize, is_whole: bool) -> Option<&[u8]> {
    let is_start_enough = bytes.trim_ascii_start().starts_with(b"[")
        && memchr(b'\n', &bytes[..bytes.len().min(MOST_BYTES)]).is_none();
    if is_start_enough && bytes.len() >= MOST_BYTES {
        return Some(&bytes[..MOST_BYTES]);
    }
    let mut start = 0;
    for (number, at) in (1..).zip(memchr_iter(b'\n', bytes)) {
        let end = at + 1;
        if end - start > longest {
            return Some(&bytes[..start]);
        }
        if number == MOST_LINES || end >= MOST_BYTES {
            return Some(&bytes[..end]);
        }
        start = end;
    }
    if bytes.len() - start > longest {
        // An object may be a document.
        let is_start_of_document = start == 0 && bytes.trim_ascii_start().starts_with(b"{");
        return Some(&bytes[..if is_start_of_document { bytes.len().min(MOST_BYTES) } else { start }]);
    }
    is_whole.then_some(bytes)
}

/// Returns the first bytes of documents, independent of their lines.
pub(crate) fn head_of_document(bytes: &[u8], is_whole: bool) -> Option<&[u8]> {
    (is_whole || bytes.len() >= MOST_BYTES).then(|| &bytes[..bytes.len().min(MOST_BYTES)])
}

impl Format {
    /// Returns the format that most of the first lines of an input fit: of the first 200 lines, or of the
    /// lines that start in the first 64 KiB. Returns [`Lines`](Format::Lines) if in doubt.
    ///
    /// ```
    /// use urivalidate::corpus::Format;
    ///
    /// let log = b"#Software: example\n#Fields: time cs-uri\n00:34:23 /foo/bar.html\n";
    /// assert_eq!(Format::detect(log), Format::W3c);
    /// assert_eq!(Format::detect(b"www.example.com\n"), Format::Lines);
    /// ```
    pub fn detect(lines: &[u8]) -> Format {
        detect(lines, &LayoutOptions::default(), None).map_or(Format::Lines, |found| found.format)
    }

    /// Returns the layouts that count the lines of this format, if it can be detected. Tables have headers,
    /// which name the usual column with the URIs or the column that the user selected.
    fn detectors(self, options: &LayoutOptions) -> impl Iterator<Item = Layout> {
        let usual = LayoutOptions::default();
        let asks = matches!(self, Format::Csv | Format::Tsv) && *options != usual;
        let asked_for = asks.then(|| Layout::new(self, options));
        [Layout::new(self, &usual)].into_iter().chain(asked_for).flatten()
    }
}

/// A detected format, with the options that read it.
#[derive(Debug)]
pub(crate) struct Detected {
    pub(crate) format: Format,
    pub(crate) options: LayoutOptions,
    /// The wrapper of each line.
    pub(crate) wrapper: Option<Wrapper>,
    pub(crate) evidence: Evidence,
}

/// Returns the format that most of these lines fit, if any line decides. `options` are the caller's;
/// `by_name` is the format that the name of the input [suggests](Format::by_name).
pub(crate) fn detect(lines: &[u8], options: &LayoutOptions, by_name: Option<Format>) -> Option<Detected> {
    let lines = &lines[mark_len(lines)..];
    let lines = head_of(lines, usize::MAX, true).unwrap_or(lines);
    if let Some(wrapper) = options.wrapper {
        return in_wrapper(wrapper, lines, options).filter(explains_half);
    }
    let found = by_name.and_then(|format| documentation(format, lines, options)).or_else(|| {
        let found = unwrapped(lines, options, by_name);
        by_name.and_then(|format| named(format, lines, options, found.as_ref())).or(found)
    });
    let mut inside: Vec<Detected> =
        Wrapper::of(lines).filter_map(|wrapper| in_wrapper(wrapper, lines, options)).collect();
    // One wrapper can leave a part of another wrapper to a format that takes any text. So a wrapper counts if
    // it explains at least half of the messages.
    inside.retain(explains_half);
    inside.into_iter().find(|inside| is_better(inside, found.as_ref(), lines)).or(found)
}

/// Returns the format of the messages of wrapped lines.
fn in_wrapper(wrapper: Wrapper, lines: &[u8], options: &LayoutOptions) -> Option<Detected> {
    let messages = wrapper.messages(lines);
    let total = log_format::lines(&messages).count();
    let count = |format: &Format| {
        let layouts = format.detectors(options).filter(Layout::may_be_wrapped);
        layouts.map(|layout| layout.fitting_lines(&messages, total)).max().unwrap_or(0)
    };
    // Among formats with equal counts, the first one wins.
    let counts = Format::ALL.iter().map(|format| (count(format), format)).rev();
    let (fits, &format) = counts.max_by_key(|&(fits, _)| fits).filter(|&(fits, _)| fits > 0)?;
    let wrapper = Some(wrapper);
    Some(Detected {
        format,
        options: options.clone(),
        wrapper,
        evidence: Evidence { fits, lines: total, is_by_name: false, column: None, other_column: None },
    })
}

/// Returns true for documentation. It contains lines of logs and tables, and is neither.
fn is_documentation(format: Format) -> bool {
    use Format::{Asciidoc, Markdown, Mdx, Quarto, Rst};
    matches!(format, Asciidoc | Markdown | Mdx | Quarto | Rst)
}

/// Returns the format that the name of the input suggests if it is one of documentation, and the lines are no
/// list. Then no other format needs to be counted.
fn documentation(format: Format, lines: &[u8], options: &LayoutOptions) -> Option<Detected> {
    let layouts = is_documentation(format).then(|| Format::Lines.detectors(options));
    let as_list = layouts?.map(|layout| layout.fitting_lines(lines, usize::MAX)).max().unwrap_or(0);
    let is_list = as_list * 2 >= log_format::lines(lines).count();
    if is_list { None } else { named(format, lines, options, None) }
}

/// Returns the format that the name of the input suggests, unless the lines contradict it.
fn named(
    format: Format,
    lines: &[u8],
    options: &LayoutOptions,
    found: Option<&Detected>,
) -> Option<Detected> {
    if found.is_some_and(|found| found.format == format) {
        return None;
    }
    let total = log_format::lines(lines).count();
    let most = found.map_or(0, |found| found.evidence.fits);
    let may_be = || format.may_be(lines, options);
    let guess = names::table(format, lines, options).unwrap_or_else(|| {
        let fits = format.detectors(options).map(|layout| layout.fitting_lines(lines, total)).max();
        let (preamble, other) = tables::around(format, lines, options);
        Guess { format, options: options.clone(), fits: fits.unwrap_or(0), column: None, preamble, other }
    });
    let fits = guess.fits;
    let is_as_good = fits > 0 && fits >= most && is_enough(fits, lines, guess.preamble);
    let is_about_it = is_documentation(format) && found.is_some_and(|found| found.format != Format::Lines);
    let is_better_than_none = (most * 2 < total || is_about_it) && may_be();
    (is_as_good || is_better_than_none).then(|| of_table(guess, total, true))
}

/// Returns true if at least half of the lines fit a format. Blank lines and comments do not count, and
/// neither do the lines before a table.
fn is_enough(fits: usize, lines: &[u8], preamble: usize) -> bool {
    fits * 2 >= texts_after(lines, preamble)
}

/// Returns the number of lines after those before a table, without blank lines and comments.
fn texts_after(lines: &[u8], preamble: usize) -> usize {
    let is_text = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    log_format::lines(lines).skip(preamble).filter(is_text).count()
}

/// Returns the detected table, or another format of lines without wrappers. The lines before a table are no
/// evidence for or against it.
fn of_table(guess: Guess, total: usize, is_by_name: bool) -> Detected {
    let Guess { format, options, fits, column, preamble, other } = guess;
    let lines = total.saturating_sub(preamble);
    let evidence = Evidence { fits, lines, is_by_name, column, other_column: other };
    Detected { format, options, wrapper: None, evidence }
}

/// Returns true if at least half of the lines fit the format.
fn explains_half(found: &Detected) -> bool {
    found.evidence.fits * 2 >= found.evidence.lines
}

/// Returns true if a wrapper and a format inside explain the lines better than a format alone.
fn is_better(inside: &Detected, outside: Option<&Detected>, lines: &[u8]) -> bool {
    let Some(outside) = outside else { return explains_half(inside) };
    match outside.format {
        // These formats take any text before their fields, also a wrapper.
        Format::Common | Format::Combined | Format::Haproxy if explains_half(inside) => true,
        // Every object fits, but can lack the field. A key that was found to hold URIs is a key of the
        // messages.
        Format::Jsonl => {
            let has_field = |line| Json::has(&outside.options.field, line);
            explains_half(inside) && !log_format::lines(lines).any(has_field)
        }
        _ => inside.evidence.fits >= outside.evidence.fits,
    }
}

/// Returns the format that most of these lines fit without a wrapper. The format that the name suggests is
/// counted first: with what fits it, most others need not be counted to their ends.
fn unwrapped(lines: &[u8], options: &LayoutOptions, by_name: Option<Format>) -> Option<Detected> {
    let total = log_format::lines(lines).count();
    let found = |format, fits| {
        let (preamble, other) = tables::around(format, lines, options);
        let guess = Guess { format, options: options.clone(), fits, column: None, preamble, other };
        Some(of_table(guess, total, false))
    };
    // A format with fewer fitting lines than the best one need not be counted to its end.
    let count = |format: Format, best: usize| {
        let most_misfits = total.saturating_sub(best);
        let counts =
            format.detectors(options).map(|layout: Layout| layout.fitting_lines(lines, most_misfits));
        counts.max().unwrap_or(0)
    };
    let as_list = count(Format::Lines, 0);
    let as_named = by_name.map_or(0, |format| {
        let fits = count(format, 1);
        if is_enough(fits, lines, tables::around(format, lines, options).0) { fits } else { 0 }
    });
    let half = texts_after(lines, 0).div_ceil(2);
    let mut best = (None, as_list.max(1));
    // Lines of other formats can start like URIs. An input is a list if it has more lines of a list.
    for &format in Format::ALL.iter().filter(|&&format| format != Format::Lines) {
        let (found, least) = best;
        let enough = if format.is_table() { 0 } else { half };
        let count = count(format, least.max(as_named).max(enough));
        let is_best = count > least || found.is_none() && count == least;
        if is_best && is_enough(count, lines, tables::around(format, lines, options).0) {
            best = (Some(format), count);
        }
    }
    if let (Some(mut format), fits) = best {
        // Lines of objects are documents, and not lines, if only the arrays of the documents have records.
        if format == Format::Jsonl
            && !log_format::lines(lines).any(Json::has_url)
            && LikelyKeys::of_lines(lines).is_empty()
        {
            if count(Format::Har, 1) > 0 {
                format = Format::Har;
            } else if Documents::explain(lines) {
                format = Format::Json;
            }
        }
        return found(format, fits);
    }
    match tables::table(lines, options, false) {
        Some(guess) if guess.fits >= as_list => Some(of_table(guess, total, false)),
        _ if as_list > 0 => found(Format::Lines, as_list),
        _ => None,
    }
}
