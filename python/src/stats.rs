//! Statistics of files.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use urivalidate::Backend;
use urivalidate::corpus::{Chunk, FileEvent, Pull, Reading, ReadingOptions};
use urivalidate::stats::{Figure, Members, ReadAs, Stats, Summary};

use crate::failure::{self, caught, of_thread};
use crate::input::Inputs;
use crate::options;
use crate::reading::{of_chunk, of_nothing, on_threads, reading, scan};
use crate::running::Running;

/// The statistics of files, counted in bounded memory, on all cores or with this number of ``threads``.
/// Returns a dict with the keys of the command's --stats=json. For several files, the key ``files`` holds a
/// dict for each file. Text that is not UTF-8 is bytes. The other arguments are those of scan.
///
/// ``top_hosts`` adds this number of the most frequent hosts, both among all records and among the invalid
/// ones.
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
        let inputs = Inputs::of(files)?;
        let input_names = inputs.names();
        let names: Vec<&[u8]> = (0..input_names.len()).map(|input| input_names.bytes(input)).collect();
        let whole = Whole {
            names: &names,
            of_nothing: of_nothing(&reading),
            backend: reading.validator().backend(),
            threads: scanner.thread_count(),
            top_hosts,
        };
        let with_hosts = top_hosts.is_some();
        let job = Arc::new(StatsJob { reading, with_hosts, spare: Mutex::default() });
        let requests = inputs.requests.clone();
        let on_worker = job.clone();
        let pull = scanner.pull(inputs, move |_, chunk| on_worker.count(chunk)).map_err(of_thread)?;
        let running = Running::new(pull, requests);

        let mut total = new_stats(with_hosts);
        let mut total_read_as: Option<ReadAs> = None;
        let of_each = PyList::empty(py);
        let mut of_file = new_stats(with_hosts);
        let mut file_read_as: Option<ReadAs> = None;
        while let Some(event) = running.next(py, Pull::poll_next)? {
            match event.map_err(failure::of_file)? {
                (_, FileEvent::Result(counted)) => {
                    let (stats, read_as) = counted?;
                    file_read_as.get_or_insert(read_as);
                    py.detach(|| of_file.append(&stats));
                    job.recycle(stats);
                }
                (input, FileEvent::End { status, elapsed, .. }) => {
                    status.map_err(|error| input_names.failure(input, error))?;
                    let mut stats = mem::replace(&mut of_file, new_stats(with_hosts));
                    let read_as = file_read_as.take();
                    stats.set_input(input);
                    total.merge(&stats);
                    total_read_as = [total_read_as, read_as].into_iter().flatten().reduce(ReadAs::and);
                    if names.len() > 1 {
                        let file = PyDict::new(py);
                        file.set_item("file", text(py, names[input]))?;
                        add(&file, &whole.members(&stats, read_as, elapsed))?;
                        of_each.append(file)?;
                    }
                }
                _ => {}
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

/// The statistics of each chunk.
struct StatsJob {
    reading: Reading,
    with_hosts: bool,
    /// Statistics whose memory the next chunks reuse.
    spare: Mutex<Vec<Stats>>,
}

impl StatsJob {
    fn count(&self, chunk: &Chunk<'_>) -> PyResult<(Stats, ReadAs)> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut stats = spare.unwrap_or_else(|| new_stats(self.with_hosts));
        stats.clear();
        let request = stats.request();
        scan(&self.reading, chunk, request, |scanned| {
            stats.count(scanned).map_err(|error| PyRuntimeError::new_err(error.to_string()))
        })?;
        Ok((stats, of_chunk(&self.reading, chunk)))
    }

    /// Takes statistics back for the next chunks.
    fn recycle(&self, stats: Stats) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(stats);
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
