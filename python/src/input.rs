//! The inputs of a scan: paths, and Python objects that read bytes.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyTuple};
use urivalidate::corpus::{Chunk, Input as OpenInput, Scanner};

use crate::work::Outlet;

/// Something to scan.
pub(crate) struct Input {
    /// The path, or the attribute `name` of the object.
    pub(crate) name: Vec<u8>,
    source: Source,
}

enum Source {
    Path(PathBuf),
    Open(OpenInput<'static>),
    Object(Py<PyAny>),
}

impl Input {
    /// The inputs in an argument, which is one input or a list of them.
    pub(crate) fn all_of(files: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        if files.is_instance_of::<PyList>() || files.is_instance_of::<PyTuple>() {
            return files.try_iter()?.map(|file| Input::of(&file?)).collect();
        }
        Ok(vec![Input::of(files)?])
    }

    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.hasattr("read")? {
            let name = object.getattr("name").and_then(|name| name.extract::<String>());
            let name = name.unwrap_or_else(|_| "-".to_owned()).into_bytes();
            return Ok(Input { name, source: Source::Object(object.clone().unbind()) });
        }
        let Ok(path) = object.extract::<PathBuf>() else {
            return Err(PyTypeError::new_err(format!(
                "expected a path, a file object, or a list of them, got {}",
                object.get_type().name()?
            )));
        };
        Ok(Input { name: path.as_os_str().as_encoded_bytes().to_vec(), source: Source::Path(path) })
    }

    /// Opens a file, so that a missing file raises an exception before the scan starts.
    pub(crate) fn open(&mut self) -> io::Result<()> {
        if let Source::Path(path) = &self.source {
            let input = OpenInput::open(path).map_err(|error| named(&self.name, error))?;
            self.source = Source::Open(input);
        }
        Ok(())
    }

    /// Scans the input. If it is an object, the thread that waits for results reads it.
    pub(crate) fn scan<T: Send>(
        mut self,
        scanner: &Scanner,
        outlet: &Outlet<impl Send>,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        sink: impl FnMut(T) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.open()?;
        let input = match self.source {
            Source::Path(_) => unreachable!("it has been opened"),
            Source::Open(input) => input,
            Source::Object(object) => {
                let name = String::from_utf8_lossy(&self.name).into_owned();
                OpenInput::reader(name, Object { object: Arc::new(object), outlet })
            }
        };
        scanner.scan_input(input, job, sink).map(drop).map_err(|error| named(&self.name, error))
    }
}

/// Adds the name of the input to an error. The kind of the error stays, so that it becomes the same exception. Exceptions of Python pass unchanged.
fn named(name: &[u8], error: io::Error) -> io::Error {
    if error.get_ref().is_some_and(|inner| inner.is::<PyErr>()) {
        return error;
    }
    io::Error::new(error.kind(), format!("{}: {error}", String::from_utf8_lossy(name)))
}

/// A Python object that reads bytes.
struct Object<'a, T> {
    object: Arc<Py<PyAny>>,
    outlet: &'a Outlet<T>,
}

impl<T> Read for Object<'_, T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (object, size) = (self.object.clone(), buffer.len());
        let read = move |py: Python<'_>| read_bytes(object.bind(py), size);
        let bytes = self.outlet.call(read).map_err(io::Error::other)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

/// Reads at most `size` bytes.
fn read_bytes(object: &Bound<'_, PyAny>, size: usize) -> PyResult<PyBackedBytes> {
    let bytes = object.call_method1("read", (size,))?;
    let bytes = bytes
        .cast_into::<PyBytes>()
        .map_err(|_| PyTypeError::new_err("the file object does not read bytes: open it with mode 'rb'"))?;
    if bytes.as_bytes().len() > size {
        return Err(PyValueError::new_err("the file object read more bytes than it was asked for"));
    }
    Ok(bytes.into())
}
