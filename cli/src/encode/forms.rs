//! The table of the forms of text.

/// Evaluates `$make`, in which `$F` is the [`TextForm`](super::cell::TextForm) that the command line names.
/// For each other form, the caller gives an expression.
macro_rules! with_text_form {
    ($form:expr, $F:ident => $make:expr, $($(#[$attribute:meta])* $other:pat => $else:expr,)+) => {
        with_text_form!(@ $form, $F => $make, [
            Text => $crate::encode::text::TextCells,
            Jsonl => $crate::encode::jsonl::Jsonl,
            Csv => $crate::encode::csv::Csv,
            Tsv => $crate::encode::tsv::Tsv,
        ], $($(#[$attribute])* $other => $else,)+)
    };
    (@ $form:expr, $F:ident => $make:expr, [$($name:ident => $text_form:ty,)+], $($(#[$attribute:meta])* $other:pat => $else:expr,)+) => {
        match $form {
            $($crate::args::Form::$name => {
                type $F = $text_form;
                $make
            })+
            $($(#[$attribute])* $other => $else,)+
        }
    };
}
pub(super) use with_text_form;
