//! The types of DuckDB that correspond to Arrow's types.
#![expect(unsafe_code, reason = "types of DuckDB are made by functions of C")]

use std::ffi::CString;

use arrow_schema::DataType;
use libduckdb_sys::*;

use super::api::api;
use crate::failure::Failure;

/// A type of DuckDB.
pub(crate) struct LogicalType(duckdb_logical_type);

impl LogicalType {
    pub(crate) fn varchar() -> Self {
        Self::of_id(DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR)
    }

    pub(crate) fn blob() -> Self {
        Self::of_id(DUCKDB_TYPE_DUCKDB_TYPE_BLOB)
    }

    pub(crate) fn boolean() -> Self {
        Self::of_id(DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN)
    }

    pub(crate) fn bigint() -> Self {
        Self::of_id(DUCKDB_TYPE_DUCKDB_TYPE_BIGINT)
    }

    /// Returns a parameter of any type.
    pub(crate) fn any() -> Self {
        Self::of_id(DUCKDB_TYPE_DUCKDB_TYPE_ANY)
    }

    pub(crate) fn list_of_varchar() -> Self {
        // SAFETY: the type is alive, and the list type makes its own copy of it.
        LogicalType(unsafe { (api().duckdb_create_list_type)(Self::varchar().0) })
    }

    fn of_id(id: duckdb_type) -> Self {
        // SAFETY: all callers are in this file and pass simple types, which this function accepts.
        LogicalType(unsafe { (api().duckdb_create_logical_type)(id) })
    }

    /// Returns the type of a vector to which an array of this type can be written.
    pub(crate) fn of(data_type: &DataType) -> Result<Self, Failure> {
        Ok(match data_type {
            DataType::Boolean => Self::boolean(),
            DataType::Int32 => Self::of_id(DUCKDB_TYPE_DUCKDB_TYPE_INTEGER),
            DataType::Int64 => Self::bigint(),
            DataType::Utf8 | DataType::LargeUtf8 => Self::varchar(),
            DataType::Binary | DataType::LargeBinary => Self::blob(),
            DataType::Dictionary(_, values) => Self::of(values)?,
            DataType::Struct(fields) => {
                let names = fields.iter().map(|field| CString::new(field.name().as_str()));
                let names = names.collect::<Result<Vec<_>, _>>()?;
                let types = fields.iter().map(|field| Self::of(field.data_type()));
                let types = types.collect::<Result<Vec<_>, _>>()?;
                let mut names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
                let mut raw: Vec<_> = types.iter().map(|one| one.0).collect();
                // SAFETY: both arrays have one element for each field. The arrays and the values that they
                // point to are alive.
                LogicalType(unsafe {
                    (api().duckdb_create_struct_type)(
                        raw.as_mut_ptr(),
                        names.as_mut_ptr(),
                        fields.len() as idx_t,
                    )
                })
            }
            DataType::List(item) => {
                let item = Self::of(item.data_type())?;
                // SAFETY: the type is alive, and the list type makes its own copy of it.
                LogicalType(unsafe { (api().duckdb_create_list_type)(item.0) })
            }
            DataType::Map(entries, _) => match entries.data_type() {
                DataType::Struct(fields) if fields.len() == 2 => {
                    let [key, value] = [0, 1].map(|index| Self::of(fields[index].data_type()));
                    // SAFETY: the types are alive, and the map type makes its own copies of them.
                    LogicalType(unsafe { (api().duckdb_create_map_type)(key?.0, value?.0) })
                }
                other => return Err(Failure(format!("no entries of a map: {other}"))),
            },
            other => return Err(Failure(format!("no type of DuckDB for {other}"))),
        })
    }

    pub(crate) fn raw(&self) -> duckdb_logical_type {
        self.0
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        // SAFETY: this module made the type, and nobody else destroys it.
        unsafe { (api().duckdb_destroy_logical_type)(&mut self.0) };
    }
}
