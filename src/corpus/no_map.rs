//! Without the feature `mmap` no file can be mapped.

use std::fs::File;

pub(super) enum Mapping {}

impl Mapping {
    pub(super) fn new(_file: &File, _len: usize) -> Option<Self> {
        None
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match *self {}
    }

    pub(super) fn release(&self, _end: usize) {
        match *self {}
    }

    pub(super) fn reaches(&self, _file: &File, _end: u64) -> bool {
        match *self {}
    }
}
