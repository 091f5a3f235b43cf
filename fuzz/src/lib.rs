//! Shared code of fuzz targets: how an input decides the sizes and limits of a scan, all ways into the corpus reader, and
//! what records are.

pub mod knobs;
pub mod records;
pub mod ways;
