//! How files are read: as the arguments say, or as is found out for each.

use urivalidate::Grammar;
use urivalidate::corpus::{Format, Layout};

use crate::args::Args;

/// How files are read.
pub(crate) struct Reading {
    /// Unless it is found out for each file.
    pub(crate) layout: Option<Layout>,
    /// The grammar that is asked for, or the one of the layout; where that is found out, that of lists.
    pub(crate) grammar: Grammar,
    is_grammar_asked_for: bool,
}

impl Reading {
    /// Fails if the format has no such field.
    pub(crate) fn new(args: &Args) -> Result<Self, String> {
        let layout = args.layout().transpose().map_err(|error| error.to_string())?;
        let of_layout = layout.as_ref().map_or(Grammar::Uri, Layout::grammar);
        Ok(Reading {
            grammar: args.grammar.unwrap_or(of_layout),
            is_grammar_asked_for: args.grammar.is_some(),
            layout,
        })
    }

    /// The format of all files, if it is known.
    pub(crate) fn format(&self) -> Option<Format> {
        self.layout.as_ref().map(Layout::format)
    }

    /// Whether the format of each file is found out.
    pub(crate) fn finds_out_format(&self) -> bool {
        self.layout.is_none()
    }

    /// Whether the grammar is that of a layout, which may depend on the first lines of a file.
    pub(crate) fn may_learn_grammar(&self) -> bool {
        !self.is_grammar_asked_for
    }

    /// Whether the grammar comes with a format that is found out.
    pub(crate) fn finds_out_grammar(&self) -> bool {
        self.finds_out_format() && !self.is_grammar_asked_for
    }
}
