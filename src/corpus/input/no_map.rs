//! Without the feature `mmap` no file can be mapped.

use std::fs::File;

pub(crate) enum Mapping {}

impl Mapping {
    pub(crate) fn new(_file: &File, _len: usize) -> Option<Self> {
        None
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match *self {}
    }

    pub(crate) fn populate(&self, _position: usize) {
        match *self {}
    }

    pub(crate) fn release(&self, _end: usize) {
        match *self {}
    }

    pub(crate) fn can_be_touched(&self) -> bool {
        match *self {}
    }

    pub(crate) fn is_damaged(&self) -> bool {
        match *self {}
    }
}
