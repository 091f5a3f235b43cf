//! The features of this build.

/// Makes a list of features, each with true if this build has it.
macro_rules! features {
    ($($name:literal),+ $(,)?) => { &[$(($name, cfg!(feature = $name))),+] };
}

/// The library's features, each with true if this build has it. `corpus` and `reader`, which only enable
/// other features, and `std` are left out.
pub const FEATURES: &[(&str, bool)] = features![
    "mmap",
    "rayon",
    "gzip",
    "brotli",
    "regex",
    "zstd",
    "zstd-rust",
    "bzip2",
    "xz",
    "xz-rust",
    "system-zstd",
    "system-xz",
    "markdown",
    "xml",
    "surt",
    "domains",
    "arrow",
];
