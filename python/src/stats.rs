//! Statistics of files.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use urivalidate::Backend;
use urivalidate::corpus::{Chunk, Scanner};
use urivalidate::stats::{Figure, Members, ReadAs, Stats, Summary};
use urivalidate::tools::{Reading, ReadingOptions, both_read_as};

use crate::failure::{caught, of_file};
use crate::input::Input;
use crate::options;
use crate::reading::{of_chunk, of_nothing, on_threads, reading, scan};
use crate::work::{Outlet, Work};

/// The statistics of files, counted in bounded memory, on all cores or with this number of ``threads``. Returns a dict with the keys of the
/// command's --stats=json. For several files, the key ``files`` holds a dict for each file. Text that is not UTF-8 is bytes. The other
/// arguments are those of scan.
///
/// ``top_hosts`` adds this number of the most frequent hosts, both among all records and among the invalid ones.
///
/// >>> import io
/// >>> counts = stats(io.BytesIO(b"http://example.com/\nhttps://[::1]/?q\nhttp://example.com/a b\n"))
/// >>> counts["records"], counts["valid"], counts["errors"], counts["schemes"]
/// (3, 2, {'space': 1}, {'http': 1, 'https': 1})
/// >>> counts["samples"]["space"][0]["line"], counts["samples"]["space"][0]["text"]
/// (3, 'http://example.com/a b')
#[pyfunction]
#[pyo3(signature = (files, format="auto", threads=0, *, grammar=None, zone_ids=false, field=None, key=None, header=None,
    delimiter=None, trim=false, top_hosts=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn stats<'py>(
    py: Python<'py>,
    files: &Bound<'py, PyAny>,
    format: &str,
    threads: i64,
    grammar: Option<&str>,
    zone_ids: bool,
    field: Option<&str>,
    key: Option<&str>,
    header: Option<bool>,
    delimiter: Option<&str>,
    trim: bool,
    top_hosts: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    caught(|| {
        let start = Instant::now();
        let options = ReadingOptions { format, grammar, zone_ids, field, key, header, delimiter, trim };
        let reading = reading(options)?;
        let scanner = on_threads(reading.scanner(), options::threads(threads)?);
        let inputs = Input::all_of(files)?;
        let names: Vec<Vec<u8>> = inputs.iter().map(|input| input.name.clone()).collect();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let whole = Whole {
            names: &names,
            of_nothing: of_nothing(&reading),
            backend: reading.validator().backend(),
            threads: scanner.thread_count(),
            top_hosts,
        };
        let with_hosts = top_hosts.is_some();
        let job = StatsJob { reading, with_hosts, spare: Mutex::default() };
        let work = Work::start(move |outlet| job.run(&scanner, inputs, outlet))?;

        let mut total = new_stats(with_hosts);
        let mut total_read_as = None;
        let of_each = PyList::empty(py);
        for (input, &name) in names.iter().enumerate() {
            let of_file = work.next(py)?;
            let mut of_file = of_file.ok_or_else(|| PyRuntimeError::new_err("the scan ended early"))?;
            of_file.stats.set_input(input);
            total.merge(&of_file.stats);
            total_read_as = both_read_as(total_read_as, of_file.read_as);
            if names.len() > 1 {
                let FileStats { stats, read_as, elapsed } = &of_file;
                let file = PyDict::new(py);
                file.set_item("file", text(py, name))?;
                add(&file, &whole.members(stats, *read_as, *elapsed))?;
                of_each.append(file)?;
            }
        }
        let object = PyDict::new(py);
        object.set_item("version", Summary::VERSION)?;
        add(&object, &whole.members(&total, total_read_as, start.elapsed()))?;
        if !of_each.is_empty() {
            object.set_item("files", of_each)?;
        }
        Ok(object)
    })
}

/// The members that the summaries of all files share.
struct Whole<'a> {
    names: &'a [&'a [u8]],
    /// The format and the grammar of an empty file.
    of_nothing: ReadAs,
    backend: Backend,
    threads: usize,
    top_hosts: Option<usize>,
}

impl Whole<'_> {
    fn members<'a>(&'a self, stats: &'a Stats, read_as: Option<ReadAs>, elapsed: Duration) -> Members<'a> {
        let Whole { names, of_nothing, backend, threads, top_hosts } = *self;
        let summary = Summary::new(stats, read_as.unwrap_or(of_nothing)).names(names).elapsed(elapsed);
        summary.backend(backend).threads(threads).top_hosts(top_hosts).members()
    }
}

/// The statistics of a file.
struct FileStats {
    stats: Stats,
    /// The format and the grammar of the file; `None` for an empty file.
    read_as: Option<ReadAs>,
    elapsed: Duration,
}

/// The statistics of each chunk.
struct StatsJob {
    reading: Reading,
    with_hosts: bool,
    /// Statistics whose memory the next chunks reuse.
    spare: Mutex<Vec<Stats>>,
}

impl StatsJob {
    fn run(&self, scanner: &Scanner, inputs: Vec<Input>, to: &Outlet<FileStats>) -> PyResult<()> {
        for input in inputs {
            let start = Instant::now();
            let mut total = new_stats(self.with_hosts);
            let mut file_read_as = None;
            let mut failure = None;
            let sink = |result: PyResult<(Stats, ReadAs)>| match result {
                Ok((stats, read_as)) => {
                    total.append(&stats);
                    self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(stats);
                    file_read_as.get_or_insert(read_as);
                    to.flow()
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            };
            input.scan(scanner, to, |chunk| self.count(chunk), sink).map_err(of_file)?;
            if let Some(failure) = failure {
                return Err(failure);
            }
            let of_file = FileStats { stats: total, read_as: file_read_as, elapsed: start.elapsed() };
            if to.send(of_file).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn count(&self, chunk: &Chunk<'_>) -> PyResult<(Stats, ReadAs)> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut stats = spare.unwrap_or_else(|| new_stats(self.with_hosts));
        stats.clear();
        let columns = stats.columns();
        scan(&self.reading, chunk, columns, |scanned| {
            stats.count(scanned).map_err(|error| PyRuntimeError::new_err(error.to_string()))
        })?;
        Ok((stats, of_chunk(&self.reading, chunk)))
    }
}

fn new_stats(with_hosts: bool) -> Stats {
    if with_hosts { Stats::new().with_hosts() } else { Stats::new() }
}

fn add(object: &Bound<'_, PyDict>, members: &Members<'_>) -> PyResult<()> {
    for (name, value) in members {
        object.set_item(&**name, value_of(object.py(), value)?)?;
    }
    Ok(())
}

fn value_of<'py>(py: Python<'py>, figure: &Figure<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match figure {
        Figure::Null => py.None().into_bound(py),
        Figure::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Figure::Number(value) => value.into_pyobject(py)?.into_any(),
        Figure::Float(value) => value.into_pyobject(py)?.into_any(),
        Figure::Text(value) => text(py, value),
        Figure::List(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(value_of(py, value)?)?;
            }
            list.into_any()
        }
        Figure::Map(members) => {
            let object = PyDict::new(py);
            add(&object, members)?;
            object.into_any()
        }
    })
}

/// A str, or bytes if the text is not UTF-8.
fn text<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyAny> {
    match std::str::from_utf8(text) {
        Ok(text) => PyString::new(py, text).into_any(),
        Err(_) => PyBytes::new(py, text).into_any(),
    }
}
