//! Files as streams of record batches.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_schema::{Field, Fields, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use urivalidate::RowKind;
use urivalidate::arrow::{Only, RowConverter, RowStream};
use urivalidate::corpus::ReadingOptions;

use crate::batches::{Batches, as_array};
use crate::capsule::{StreamError, schema_capsule, stream_capsule};
use crate::column::Column;
use crate::failure::{caught, of_function, of_thread};
use crate::input::Inputs;
use crate::options::{self, Names, value_named};
use crate::reading;
use crate::requested::{closest, converted};
use crate::rows::{Rows, SharedReadAs};
use crate::running::Running;

/// The largest number of rows in a record batch.
const MOST_ROWS: usize = 64 << 10;

/// Scans files of any size in bounded memory, on all cores or with this number of ``threads``. Returns an
/// iterator of record batches, which is also an Arrow stream for pyarrow, polars and other libraries.
/// ``files`` is a path, an object that reads bytes, or a list of these. gzip, zstd, bzip2 and xz are
/// decompressed. The thread that requests the next batch reads the objects.
///
/// ``format`` is auto or a name in urivalidate.typing.Format. auto reads the first lines and, if they do not
/// decide, the extension of the path or of the object's attribute ``name``; the attribute ``format`` of the
/// scan names the format. ``field`` or ``key`` picks another field of the format, ``header`` says whether a
/// table has a header, and ``delimiter`` is the byte between cells in the format delimited. ``emit`` is
/// components, offsets or errors; ``columns`` picks columns; an unknown name raises an exception that lists
/// them. ``only`` picks the valid or the invalid records. Each format has its own default grammar.
///
/// Lines that do not fit their format have no rows of components or offsets: at the end of the file, a
/// UserWarning counts them, or a ValueError if no line fits. With the column ``malformed``, they have rows.
///
/// >>> import io
/// >>> for batch in scan(io.BytesIO(b"http://example.com/\nno uri\n"), columns=["line", "valid", "host"]):
/// ...     print(batch.to_pylist())
/// [{'line': 1, 'valid': True, 'host': 'example.com'}, {'line': 2, 'valid': False, 'host': None}]
#[pyfunction]
#[pyo3(signature = (files, format="auto", emit="components", columns=None, only=None, threads=0, *, grammar=None,
    zone_ids=false, field=None, key=None, header=None, delimiter=None, trim=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn scan(
    py: Python<'_>,
    files: &Bound<'_, PyAny>,
    format: &str,
    emit: &str,
    columns: Option<Names>,
    only: Option<&str>,
    threads: i64,
    grammar: Option<&str>,
    zone_ids: bool,
    field: Option<&str>,
    key: Option<&str>,
    header: Option<bool>,
    delimiter: Option<&str>,
    trim: bool,
) -> PyResult<Scan> {
    caught(|| {
        let options = ReadingOptions { format, grammar, zone_ids, field, key, header, delimiter, trim };
        let reading = reading::reading(options)?;
        let kind = value_named("emit", emit, RowKind::ALL, |kind| kind.name())?;
        let mut rows = RowConverter::new(kind, reading.validator().grammar())
            .metadata("format", format)
            .metadata("version", env!("CARGO_PKG_VERSION"));
        if let Some(grammar) = reading.known_grammar() {
            rows = rows.metadata("grammar", grammar.name());
        }
        if let Some(Names(columns)) = columns {
            rows = rows.columns(&columns).map_err(|error| of_function(py, error))?;
        }
        rows = match only {
            None => rows,
            Some("valid") => rows.only(Only::Valid),
            Some("invalid") => rows.only(Only::Invalid),
            Some(other) => {
                return Err(PyValueError::new_err(format!("only {other:?}: expected one of valid, invalid")));
            }
        };
        let scanner = reading::on_threads(reading.batch_scanner(MOST_ROWS), options::threads(threads)?);
        let inputs = Inputs::of(files)?.open_first()?;
        let (names, requests) = (inputs.names(), inputs.requests.clone());
        let (schema, has_malformed) = (rows.schema().clone(), rows.has_malformed());
        let stream = RowStream::new(scanner, reading, rows, inputs).map_err(of_thread)?;
        let read_as = SharedReadAs::default();
        let rows = Rows::new(Running::new(stream, requests), names, has_malformed, read_as.clone());
        let rows = Arc::new(rows);
        Ok(Scan { schema, read_as, state: Mutex::new(ScanState::Running(rows)) })
    })
}

/// A stream of record batches. To end it early, call close(), or use it as a context manager.
///
/// >>> import io
/// >>> with scan(io.BytesIO(b"http://a/\nhttp://b/\n"), columns=["host"]) as batches:
/// ...     print(next(batches).to_pylist())
/// [{'host': 'a'}, {'host': 'b'}]
/// >>> batches.closed
/// True
#[pyclass(frozen, module = "urivalidate")]
pub(crate) struct Scan {
    schema: SchemaRef,
    read_as: SharedReadAs,
    state: Mutex<ScanState>,
}

enum ScanState {
    Running(Arc<Rows>),
    Ended,
    /// A consumer has taken the stream.
    Taken,
    Closed,
}

impl Scan {
    fn field(&self) -> Field {
        let fields: Fields = self.schema.fields().clone();
        Field::new_struct("", fields, false).with_metadata(self.schema.metadata().clone())
    }

    /// If the scan is running, changes its state and returns its rows.
    fn leave(&self, to: ScanState) -> Option<Arc<Rows>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            ScanState::Running(rows) => {
                let rows = rows.clone();
                *state = to;
                Some(rows)
            }
            _ => None,
        }
    }

    /// The rows of a running scan, or `None` after its end.
    fn rows(&self) -> PyResult<Option<Arc<Rows>>> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            ScanState::Running(rows) => Ok(Some(rows.clone())),
            ScanState::Ended => Ok(None),
            ScanState::Taken => Err(PyValueError::new_err("the stream of the scan has been taken")),
            ScanState::Closed => Err(PyValueError::new_err("the scan is closed")),
        }
    }
}

#[pymethods]
impl Scan {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Column>> {
        let Some(rows) = self.rows()? else { return Ok(None) };
        match caught(|| rows.next(py)) {
            Ok(Some(batch)) => Ok(Some(Column::new(self.field(), vec![as_array(batch)]))),
            end => {
                drop(self.leave(ScanState::Ended));
                end.map(|_| None)
            }
        }
    }

    /// Ends the scan and frees its resources. A stream that a consumer has taken continues.
    fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = ScanState::Closed;
    }

    /// Whether close() has been called.
    #[getter]
    fn closed(&self) -> bool {
        matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), ScanState::Closed)
    }

    /// The name of the format in which the files so far are read, or "several". If it is not known yet, this
    /// waits until the first file's format is known, unless a consumer has taken the stream; then it is None.
    ///
    /// >>> import io
    /// >>> scan(io.BytesIO(b'{"url":"http://example.com/"}\n')).format
    /// 'jsonl'
    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = if let ScanState::Running(rows) = &*state { Some(rows.clone()) } else { None };
        drop(state);
        if let Some(rows) = rows
            && let Err(error) = caught(|| rows.wait_for_format(py))
        {
            // Without this, the scan would later end as if it had read everything.
            drop(self.leave(ScanState::Ended));
            return Err(error);
        }
        Ok(self.read_as.format())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.field())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        caught(|| {
            let field = closest(&self.field(), requested_schema)?;
            let Some(rows) = self.leave(ScanState::Taken) else {
                self.rows()?;
                return Err(PyValueError::new_err("the scan has ended"));
            };
            let schema = self.schema.clone();
            let mut batches = Batches::new(schema, rows);
            let data_type = field.data_type().clone();
            let next = move || {
                let received = Python::try_attach(|py| batches.next(py));
                let received = received.unwrap_or_else(|| Err("the interpreter has ended".to_owned().into()));
                let convert = |batch| converted(&batch, &data_type).map_err(StreamError::from);
                received.transpose().map(|batch| batch.and_then(convert))
            };
            stream_capsule(py, &field, Box::new(next))
        })
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        format!("<urivalidate.Scan of {}>", names.join(", "))
    }
}
