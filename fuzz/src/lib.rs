//! Shared code of the fuzz targets: the sizes and limits of a scan that an input sets, all ways into the
//! corpus reader, and a definition of records.

pub mod knobs;
pub mod records;
pub mod ways;
