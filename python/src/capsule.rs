//! Imports and exports Arrow data by the PyCapsule interface: in capsules that hold the structures of Arrow's
//! C data interface.
//!
//! Like Arrow's own libraries, this module trusts the layouts of incoming arrays: their producer is a library
//! in the same process. It treats strings as bytes, because they need not be UTF-8.
//!
//! An outgoing [`BinaryView`](DataType::BinaryView) is declared as [`Utf8View`](DataType::Utf8View). Both
//! have the same layout in memory, and the values are parts of valid records, which are UTF-8 in every
//! grammar. If the arrow crates checked each value, this would take longer than making the value.
#![expect(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, NullArray, make_array};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::critical_section::{with_critical_section, with_critical_section2};
use pyo3::types::{PyCapsule, PyTuple};

use crate::failure::{of_panic, text_of};
use crate::numpy;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A sequence of incoming arrays, all of one type.
pub(crate) struct Arrays {
    field: Field,
    source: Source,
}

enum Source {
    One(Option<ArrayRef>),
    Stream(ArrowStream),
}

/// An incoming stream.
pub(crate) struct ArrowStream {
    stream: FFI_ArrowArrayStream,
    schema: FFI_ArrowSchema,
}

impl Arrays {
    /// The arrays of an object that supports the interface, of a numpy array, or of a list.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(array) = numpy::series_of_nan(object)? {
            return Ok(Arrays::of_array(array));
        }
        if object.hasattr("__arrow_c_array__")? {
            let capsules = object.call_method0("__arrow_c_array__")?;
            return Arrays::one(capsules.cast::<PyTuple>()?);
        }
        if object.hasattr("__arrow_c_stream__")? {
            let capsule = object.call_method0("__arrow_c_stream__")?;
            let stream = ArrowStream::take(&capsule)?;
            // The stream may wait for threads that need the interpreter.
            let stream = object.py().detach(|| stream.open())?;
            let field = Field::try_from(&stream.schema).map_err(arrow_error)?;
            return Ok(Arrays { field, source: Source::Stream(stream) });
        }
        if let Some(array) = numpy::array_of(object)? {
            return Ok(Arrays::of_array(array));
        }
        Err(PyTypeError::new_err(format!(
            "expected an Arrow array (an object with __arrow_c_array__ or __arrow_c_stream__, as those of pyarrow, polars \
             and DuckDB), a numpy array or a list, got {}",
            object.get_type().name()?
        )))
    }

    fn of_array(array: ArrayRef) -> Self {
        let field = Field::new("", array.data_type().clone(), true);
        Arrays { field, source: Source::One(Some(array)) }
    }

    /// Imports an array from the capsules of its schema and of the array itself.
    fn one(capsules: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (schema, array) = (capsules.get_item(0)?, capsules.get_item(1)?);
        let (schema, array) = (schema.cast::<PyCapsule>()?, array.cast::<PyCapsule>()?);
        let (schema, array) = with_critical_section2(schema, array, || {
            let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
            let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
            // SAFETY: a capsule with this name holds this structure, which lives as long as the capsule. No
            // other thread of this package uses it meanwhile: with a GIL, this thread holds it, and without
            // one, this thread holds the locks of the capsules. Other packages do not use a capsule that was
            // given to this one. `from_raw` marks the source as released.
            let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
            if array.is_released() {
                return Err(released("array"));
            }
            // SAFETY: as for the array.
            let schema = unsafe {
                check_schema(schema)?;
                FFI_ArrowSchema::from_raw(schema.as_ptr())
            };
            Ok((schema, array))
        })?;
        let field = Field::try_from(&schema).map_err(arrow_error)?;
        let array = import(array, &schema)?;
        Ok(Arrays { field, source: Source::One(Some(array)) })
    }

    /// The name and the type of the arrays.
    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    /// Returns the next array, or `None` at the end. This call and the drop may wait for threads that need
    /// the interpreter, so detach this thread from the interpreter before.
    pub(crate) fn next(&mut self) -> PyResult<Option<ArrayRef>> {
        match &mut self.source {
            Source::One(array) => Ok(array.take()),
            Source::Stream(stream) => stream.next(),
        }
    }
}

/// The type of a schema that a consumer requests, or `None` if Arrow's Rust crates do not know the type.
pub(crate) fn requested_type(schema: &Bound<'_, PyAny>) -> PyResult<Option<DataType>> {
    let schema = schema.cast::<PyCapsule>()?;
    with_critical_section(schema, || {
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        // SAFETY: as for an array, except that the schema stays in the capsule.
        Ok(DataType::try_from(unsafe {
            check_schema(schema)?;
            schema.as_ref()
        })
        .ok())
    })
}

/// The layout of a schema, up to the member that the crate hides.
#[repr(C)]
struct SchemaLayout {
    texts: [*const c_char; 3],
    numbers: [i64; 2],
    children: [*mut c_void; 2],
    release: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// Returns an error if a schema has been released. Its other members may then have any values.
///
/// # Safety
///
/// The pointer points to a schema of the interface, and nobody writes to it meanwhile.
unsafe fn check_schema(schema: NonNull<FFI_ArrowSchema>) -> PyResult<()> {
    // SAFETY: the caller guarantees the schema, and its members have this layout.
    let layout = unsafe { schema.cast::<SchemaLayout>().as_ref() };
    if layout.release.is_none() { Err(released("schema")) } else { Ok(()) }
}

fn import(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<ArrayRef> {
    if schema.format() == "n" {
        // polars exports arrays of the type NULL with a buffer, which `from_ffi` rejects.
        return Ok(Arc::new(NullArray::new(array.len())));
    }
    // SAFETY: the interface guarantees that the schema describes the array.
    let mut data = unsafe { from_ffi(array, schema) }.map_err(arrow_error)?;
    data.align_buffers();
    Ok(make_array(data))
}

impl ArrowStream {
    fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsule = capsule.cast::<PyCapsule>()?;
        let stream = with_critical_section(capsule, || {
            let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
            // SAFETY: as for an array.
            PyResult::Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) })
        })?;
        if stream.release.is_none() {
            return Err(released("stream"));
        }
        Ok(ArrowStream { stream, schema: FFI_ArrowSchema::empty() })
    }

    /// Reads the schema of the stream.
    fn open(mut self) -> PyResult<Self> {
        let get_schema = self.stream.get_schema.ok_or_else(|| released("stream"))?;
        // SAFETY: the stream is not released, and the schema can be written to.
        let code = unsafe { get_schema(&mut self.stream, &mut self.schema) };
        self.check(code)?;
        Ok(self)
    }

    fn next(&mut self) -> PyResult<Option<ArrayRef>> {
        let mut array = FFI_ArrowArray::empty();
        let get_next = self.stream.get_next.ok_or_else(|| released("stream"))?;
        // SAFETY: the stream is not released, and the array can be written to.
        let code = unsafe { get_next(&mut self.stream, &mut array) };
        self.check(code)?;
        if array.is_released() { Ok(None) } else { import(array, &self.schema).map(Some) }
    }

    /// Returns the exception for an error code of the stream's functions.
    fn check(&mut self, code: c_int) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        let message = self.stream.get_last_error.and_then(|get_last_error| {
            // SAFETY: the stream is not released.
            let message = unsafe { get_last_error(&mut self.stream) };
            // SAFETY: the message is null, or a string that lives until the next call.
            (!message.is_null()).then(|| unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
        });
        let message = message.unwrap_or_else(|| format!("error {code}"));
        Err(PyRuntimeError::new_err(format!("the stream of arrays failed: {message}")))
    }
}

/// The exception for a structure that another consumer has taken.
fn released(structure: &str) -> PyErr {
    PyValueError::new_err(format!("the {structure} has been released"))
}

pub(crate) fn arrow_error(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The field as consumers see it, with text declared as text.
pub(crate) fn shown(field: &Field) -> Field {
    fn shown_type(data_type: &DataType) -> DataType {
        match data_type {
            DataType::BinaryView => DataType::Utf8View,
            DataType::Struct(fields) => DataType::Struct(fields.iter().map(|field| shown(field)).collect()),
            other => other.clone(),
        }
    }
    field.clone().with_data_type(shown_type(field.data_type()))
}

/// A capsule that holds the schema of arrays of this field.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(shown(field)).map_err(arrow_error)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A capsule that holds an array.
pub(crate) fn array_capsule<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// A function that returns the arrays of an outgoing stream one by one.
pub(crate) type Next = Box<dyn FnMut() -> Option<Result<ArrayRef, StreamError>> + Send>;

/// The content of an outgoing stream.
struct Outgoing {
    field: Field,
    next: Next,
    last_error: CString,
}

/// A capsule that holds a stream of arrays of this field.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    field: &Field,
    next: Next,
) -> PyResult<Bound<'py, PyCapsule>> {
    let outgoing = Box::new(Outgoing { field: shown(field), next, last_error: CString::default() });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(outgoing).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The POSIX codes for an input or output error, and for a lack of memory.
const EIO: c_int = 5;
const ENOMEM: c_int = 12;

/// An error of an outgoing stream, as a consumer in C receives it.
#[derive(Clone)]
pub(crate) struct StreamError {
    code: c_int,
    message: String,
}

impl StreamError {
    /// The error for an exception. It keeps the kind of a MemoryError.
    pub(crate) fn of_exception(py: Python<'_>, exception: &PyErr) -> Self {
        let code = if exception.is_instance_of::<PyMemoryError>(py) { ENOMEM } else { EIO };
        StreamError { code, message: text_of(py, exception) }
    }
}

impl From<String> for StreamError {
    fn from(message: String) -> Self {
        StreamError { code: EIO, message }
    }
}

impl From<arrow_schema::ArrowError> for StreamError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        error.to_string().into()
    }
}

/// Runs an action on the content of a stream, and returns the interface's code for its result. Catches
/// panics.
///
/// # Safety
///
/// [`stream_capsule`] made the stream, it is not released, and nobody else uses it meanwhile.
unsafe fn outgoing(
    stream: *mut FFI_ArrowArrayStream,
    action: impl FnOnce(&mut Outgoing) -> Result<(), StreamError>,
) -> c_int {
    // SAFETY: until the stream is released, it holds the value that `stream_capsule` stored in it.
    let outgoing = unsafe { &mut *(*stream).private_data.cast::<Outgoing>() };
    let result = catch_unwind(AssertUnwindSafe(|| action(outgoing)));
    match result.unwrap_or_else(|panic| Err(of_panic(&*panic).into())) {
        Ok(()) => 0,
        Err(error) => {
            outgoing.last_error = CString::new(error.message.replace('\0', "\\0")).unwrap_or_default();
            error.code
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, to: *mut FFI_ArrowSchema) -> c_int {
    let get = |outgoing: &mut Outgoing| {
        let schema = FFI_ArrowSchema::try_from(&outgoing.field)?;
        // SAFETY: by the interface, the pointer has room for the structure, and the room holds nothing that
        // must be released.
        unsafe { to.write(schema) };
        Ok(())
    };
    // SAFETY: by the interface, callers pass a stream that is not released, and use it in one thread at a
    // time.
    unsafe { outgoing(stream, get) }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, to: *mut FFI_ArrowArray) -> c_int {
    let get = |outgoing: &mut Outgoing| {
        let array = match (outgoing.next)().transpose()? {
            Some(array) => FFI_ArrowArray::new(&array.to_data()),
            None => FFI_ArrowArray::empty(),
        };
        // SAFETY: as for the schema.
        unsafe { to.write(array) };
        Ok(())
    };
    // SAFETY: by the interface, callers pass a stream that is not released, and use it in one thread at a
    // time.
    unsafe { outgoing(stream, get) }
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: by the interface, the stream is not released.
    unsafe { (*(*stream).private_data.cast::<Outgoing>()).last_error.as_ptr() }
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: by the interface, the stream is not released.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: `Box::into_raw` made the pointer, and this is the only place that takes the box back.
    let outgoing = unsafe { Box::from_raw(stream.private_data.cast::<Outgoing>()) };
    stream.private_data = std::ptr::null_mut::<c_void>();
    // Catches a panic of the drop, which cannot be reported from here.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(outgoing)));
}
