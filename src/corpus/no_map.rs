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

    pub(super) fn populate(&self, _position: usize) {
        match *self {}
    }

    pub(super) fn release(&self, _end: usize) {
        match *self {}
    }

    pub(super) fn can_be_touched(&self) -> bool {
        match *self {}
    }

    pub(super) fn is_damaged(&self) -> bool {
        match *self {}
    }
}
