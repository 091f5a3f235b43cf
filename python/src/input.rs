//! The inputs of a scan: paths, and Python objects that read bytes.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyTuple};
use urivalidate::corpus::Input;

use crate::failure::of_file;
use crate::running::Requests;

/// The inputs of a scan.
pub(crate) struct Inputs {
    inputs: Vec<Input<'static>>,
    /// The reads of the objects among them.
    pub(crate) requests: Arc<Requests>,
}

impl Inputs {
    /// The inputs in an argument, which is one input or a list of them.
    pub(crate) fn of(files: &Bound<'_, PyAny>) -> PyResult<Self> {
        let requests = Arc::default();
        let inputs = if files.is_instance_of::<PyList>() || files.is_instance_of::<PyTuple>() {
            files.try_iter()?.map(|file| input(&file?, &requests)).collect::<PyResult<_>>()?
        } else {
            vec![input(files, &requests)?]
        };
        Ok(Inputs { inputs, requests })
    }

    /// The path of each input, or the attribute `name` of the object.
    pub(crate) fn names(&self) -> FileNames {
        FileNames(self.inputs.iter().map(|input| input.name().to_owned()).collect())
    }

    /// Opens the first input, so that a missing file raises an exception before the scan starts.
    pub(crate) fn open_first(mut self) -> PyResult<Self> {
        if !self.inputs.is_empty() {
            let names = self.names();
            let first = self.inputs.remove(0);
            self.inputs.insert(0, first.opened().map_err(|error| names.failure(0, error))?);
        }
        Ok(self)
    }
}

impl IntoIterator for Inputs {
    type Item = Input<'static>;
    type IntoIter = std::vec::IntoIter<Input<'static>>;

    fn into_iter(self) -> Self::IntoIter {
        self.inputs.into_iter()
    }
}

/// The names of the inputs of a scan.
pub(crate) struct FileNames(Vec<PathBuf>);

impl FileNames {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The bytes of a name.
    pub(crate) fn bytes(&self, input: usize) -> &[u8] {
        self.0[input].as_os_str().as_encoded_bytes()
    }

    /// The exception for an input that could not be read, with its name. Exceptions of Python pass unchanged.
    pub(crate) fn failure(&self, input: usize, error: io::Error) -> PyErr {
        if error.get_ref().is_some_and(|inner| inner.is::<PyErr>()) {
            return error.into();
        }
        // The kind stays, so that it becomes the same exception.
        let name = String::from_utf8_lossy(self.bytes(input));
        of_file(io::Error::new(error.kind(), format!("{name}: {error}")))
    }
}

fn input(object: &Bound<'_, PyAny>, requests: &Arc<Requests>) -> PyResult<Input<'static>> {
    if object.hasattr("read")? {
        let name = object.getattr("name").and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| "-".to_owned());
        let reader = Object { object: Some(Arc::new(object.clone().unbind())), requests: requests.clone() };
        return Ok(Input::reader(name, reader));
    }
    match object.extract::<PathBuf>() {
        Ok(path) => Ok(Input::path(path)),
        Err(_) => Err(PyTypeError::new_err(format!(
            "expected a path, a file object, or a list of them, got {}",
            object.get_type().name()?
        ))),
    }
}

/// A Python object that reads bytes. The thread that waits for results reads it.
struct Object {
    /// Always there until the drop.
    object: Option<Arc<Py<PyAny>>>,
    requests: Arc<Requests>,
}

impl Read for Object {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let object = self.object.clone().expect("there until the drop");
        let size = buffer.len();
        let read = move |py: Python<'_>| read_bytes(object.bind(py), size);
        let bytes = self.requests.call(read).map_err(io::Error::other)?;
        let len = bytes.len();
        buffer[..len].copy_from_slice(&bytes);
        self.requests.discard(bytes);
        Ok(len)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        self.requests.discard(self.object.take());
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
