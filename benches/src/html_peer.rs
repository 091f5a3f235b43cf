//! Finds the links of pages with html5gum. Its fastest way is an emitter that keeps only the links.

use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer, naive_next_state};

/// The number of URLs in a page.
pub fn count_links(page: &[u8]) -> usize {
    let mut count = 0;
    let Ok(()) = Tokenizer::new_with_emitter(page, Links::new(&mut count)).finish();
    count
}

/// The current tag and attribute.
struct Links<'a> {
    count: &'a mut usize,
    is_start_tag: bool,
    element: Vec<u8>,
    last_start_tag: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
}

impl<'a> Links<'a> {
    fn new(count: &'a mut usize) -> Self {
        let [element, last_start_tag, attribute, value] = Default::default();
        Links { count, is_start_tag: false, element, last_start_tag, attribute, value }
    }

    fn init_tag(&mut self, is_start_tag: bool) {
        self.is_start_tag = is_start_tag;
        self.element.clear();
    }

    fn end_attribute(&mut self) {
        if self.is_start_tag && holds_url(&self.attribute) {
            *self.count += 1;
            std::hint::black_box(self.value.trim_ascii());
        }
        self.attribute.clear();
        self.value.clear();
    }
}

/// Whether an attribute with this name holds one URL on almost all elements that have it.
fn holds_url(attribute: &[u8]) -> bool {
    matches!(attribute, b"href" | b"src" | b"action" | b"cite" | b"poster" | b"formaction" | b"data")
}

impl Emitter for Links<'_> {
    type Token = Infallible;

    fn init_start_tag(&mut self) {
        self.init_tag(true);
    }

    fn init_end_tag(&mut self) {
        self.init_tag(false);
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.element.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.value.extend_from_slice(value);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        if !self.is_start_tag {
            return None;
        }
        self.last_start_tag.clone_from(&self.element);
        naive_next_state(&self.element)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start_tag && self.element == self.last_start_tag
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag = name.unwrap_or_default().to_vec();
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    // The remaining text of a page has no links.
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_self_closing(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
