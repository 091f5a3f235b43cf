//! The arguments of `read_uris`.

/// The arguments. Each parameter has the same meaning as in the Python function `scan`.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    /// The paths and patterns.
    pub(crate) files: Vec<String>,
    pub(crate) format: Option<String>,
    pub(crate) emit: Option<String>,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) grammar: Option<String>,
    pub(crate) zone_ids: Option<bool>,
    pub(crate) field: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) header: Option<bool>,
    pub(crate) delimiter: Option<String>,
    pub(crate) trim: Option<bool>,
    pub(crate) threads: Option<i64>,
}
