//! The way to read files, as set by the arguments or detected for each file.

use urivalidate::corpus::{Format, Layout};
use urivalidate::{Grammar, Validator};

use crate::args::Args;

/// The way to read files.
pub(crate) struct Reading {
    /// The layout, unless it is detected for each file.
    pub(crate) layout: Option<Layout>,
    /// The grammar of the arguments, or else of the layout. If the layout is detected, the grammar of lists.
    pub(crate) grammar: Grammar,
    has_explicit_grammar: bool,
    /// Whether records are references, which are resolved against a base.
    has_references: bool,
}

/// Returns the grammar of references to URIs of this grammar.
fn of_references(grammar: Grammar) -> Grammar {
    match grammar {
        Grammar::Uri => Grammar::UriReference,
        Grammar::Iri => Grammar::IriReference,
        grammar => grammar,
    }
}

impl Reading {
    /// Returns the way to read files. Fails if the format has no such field.
    pub(crate) fn new(args: &Args) -> Result<Self, String> {
        let layout = args.layout().transpose().map_err(|error| error.to_string())?;
        let of_layout = layout.as_ref().map_or(Grammar::Uri, Layout::grammar);
        Ok(Reading {
            grammar: args.grammar.unwrap_or(if args.base.is_some() {
                of_references(of_layout)
            } else {
                of_layout
            }),
            has_explicit_grammar: args.grammar.is_some(),
            has_references: args.base.is_some(),
            layout,
        })
    }

    /// Returns the format of all files, if it is known.
    pub(crate) fn format(&self) -> Option<Format> {
        self.layout.as_ref().map(Layout::format)
    }

    /// Returns true if the format of each file is detected.
    pub(crate) fn detects_format(&self) -> bool {
        self.layout.is_none()
    }

    /// Returns the validator for a chunk with this layout. The grammar may depend on the first lines of a file.
    pub(crate) fn validator(&self, validator: Validator, layout: &Layout) -> Validator {
        if self.has_explicit_grammar {
            return validator;
        }
        let learned = layout.validator(validator);
        let grammar = of_references(learned.grammar());
        if !self.has_references || grammar == learned.grammar() {
            learned
        } else if grammar == validator.grammar() {
            validator
        } else {
            validator.with_grammar(grammar)
        }
    }

    /// Returns true if the grammar depends on the detected format.
    #[cfg(feature = "arrow")]
    pub(crate) fn finds_out_grammar(&self) -> bool {
        self.detects_format() && !self.has_explicit_grammar
    }
}
