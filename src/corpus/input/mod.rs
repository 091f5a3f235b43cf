//! Files and streams, as bytes in order.
//!
//! | module | does |
//! |---|---|
//! | `named` | [`Input`]: a content and its name |
//! | `patient` | a stream on which a caller can wait for a limited time |
//! | `byte_stream` | [`ByteStream`]: bytes that come in order; [`ReaderStream`]: an undecoded stream |
//! | `decompress` | gzip, zstd, bzip2 and xz, on the calling thread or on the workers |
//! | `map` | a file as memory, and SIGBUS when the file shrinks; the only unsafe code of the corpus reader (`no_map`: neither) |
//! | `watch` | notices that a file changes during the scan |
//! | `wacz` | the web archives in a WACZ file |
//! | `foreign` | names containers that another program has to open first |

pub(crate) mod byte_stream;
pub(crate) mod decompress;
pub(crate) mod foreign;
#[cfg_attr(not(feature = "mmap"), path = "no_map.rs")]
pub(crate) mod map;
pub(crate) mod named;
pub(crate) mod patient;
pub(crate) mod wacz;
pub(crate) mod watch;
