//! Finds loops of a regular expression in which Java and regex-lite can find different matches.
//!
//! The body of these loops can match the empty string, as in `(a*)+`: engines leave such a loop in different
//! ways. Or the body contains the group with the value: when Java backtracks over an iteration, or tries the
//! next start, the group keeps its old text.

/// The state of a parser of expressions.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// The current sequence.
    sequence: Sequence,
    /// The sequences around the current one, outermost first.
    around: Vec<Sequence>,
    /// Whether the group with the value was read: the first group that captures.
    has_value: bool,
}

/// The items of the current group.
#[derive(Debug, Default)]
struct Sequence {
    /// Whether an alternative before this one can match the empty string.
    is_optional: bool,
    /// Whether an item of this alternative, except the last item, must match at least one character.
    has_content: bool,
    /// Whether the group itself, or an item of any alternative, holds the value.
    has_value: bool,
    /// The last item of this alternative, which a quantifier may follow.
    last: Option<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    can_be_empty: bool,
    has_value: bool,
}

impl Sequence {
    fn push(&mut self, item: Item) {
        self.has_content |= self.last_has_content();
        self.has_value |= item.has_value;
        self.last = Some(item);
    }

    fn last_has_content(&self) -> bool {
        self.last.is_some_and(|item| !item.can_be_empty)
    }

    fn can_be_empty(&self) -> bool {
        self.is_optional || !(self.has_content || self.last_has_content())
    }
}

impl Repeats {
    /// Reads an item that is not a group.
    pub(super) fn item(&mut self, can_be_empty: bool) {
        self.sequence.push(Item { can_be_empty, has_value: false });
    }

    /// Reads the start of a group.
    pub(super) fn open(&mut self, captures: bool) {
        let has_value = captures && !self.has_value;
        self.has_value |= captures;
        self.around
            .push(std::mem::replace(&mut self.sequence, Sequence { has_value, ..Sequence::default() }));
    }

    /// Reads the end of a group.
    pub(super) fn close(&mut self) -> Result<(), &'static str> {
        let around = self.around.pop().ok_or("\")\" without \"(\"")?;
        let group = std::mem::replace(&mut self.sequence, around);
        self.sequence.push(Item { can_be_empty: group.can_be_empty(), has_value: group.has_value });
        Ok(())
    }

    /// Reads the `|` between two alternatives.
    pub(super) fn alternative(&mut self) {
        let (is_optional, has_value) = (self.sequence.can_be_empty(), self.sequence.has_value);
        self.sequence = Sequence { is_optional, has_value, ..Sequence::default() };
    }

    /// Ends an item that no quantifier may follow.
    pub(super) fn end_item(&mut self) {
        self.sequence.has_content |= self.sequence.last_has_content();
        self.sequence.last = None;
    }

    /// Reads a quantifier of the last item; `most` is `None` if there is no upper bound.
    pub(super) fn quantify(&mut self, least: u32, most: Option<u32>) -> Result<(), &'static str> {
        let item = self.sequence.last.as_mut().ok_or("a quantifier follows nothing")?;
        if (least, most) != (0, Some(1)) {
            if item.can_be_empty {
                return Err("what can match nothing is repeated, and Java might find another match");
            }
            if item.has_value {
                return Err("the group with the value is repeated, and Java might find another value");
            }
        }
        item.can_be_empty |= least == 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads an expression of letters, groups, `|`, `*`, `+`, `?` and `^`; `[` starts a group that captures
    /// nothing.
    fn read(expression: &str) -> Result<(), &'static str> {
        let mut repeats = Repeats::default();
        for char in expression.chars() {
            match char {
                '(' => repeats.open(true),
                '[' => repeats.open(false),
                ')' | ']' => repeats.close()?,
                '|' => repeats.alternative(),
                '*' => repeats.quantify(0, None)?,
                '+' => repeats.quantify(1, None)?,
                '?' => repeats.quantify(0, Some(1))?,
                _ => repeats.item(char == '^'),
            }
        }
        Ok(())
    }

    #[test]
    fn what_can_be_empty_is_not_repeated() {
        for expression in [
            "[]*",
            "[a*]+",
            "[a?]*",
            "[|a]+",
            "[a|]+",
            "[a|b*]+",
            "[[a]*]*",
            "[a*b*]+",
            "[^]*",
            "^*",
            "[[a|b]?]+",
            "x[a*]+",
            "[a|[b*|c]]+",
            "[a+]*[b*]*",
            "[[a?]?]*",
            "a|[b*]*",
            "(x)(a*)*",
        ] {
            assert!(
                read(expression).is_err_and(|error| error.contains("nothing is repeated")),
                "{expression}"
            );
        }
        for expression in [
            "",
            "a",
            "a*",
            "[a]*",
            "[a+]*",
            "[a*]?",
            "[a*b]+",
            "[ba*]+",
            "[a|b]+",
            "[[a*]b|c]+",
            "[^a]*",
            "[a?b|ca*]*",
            "[|a]?",
            "[a*][b]*",
            "[a|b*]",
            "[[a*]?b]*",
        ] {
            assert_eq!(read(expression), Ok(()), "{expression}");
        }
    }

    #[test]
    fn the_value_is_not_repeated() {
        for expression in
            ["(a)*", "[(a)]+", "[x(a)|b]*", "[b|(a)]*", "[[(a)b]c]*", "([(a)b])+", "[(a)|b(c)]*"]
        {
            assert!(read(expression).is_err_and(|error| error.contains("the value")), "{expression}");
        }
        for expression in
            ["(a)", "(a+)", "(a)?", "[(a)]?", "(x)(a)*", "(x)[(a)b]*", "([a]*)", "[(a)]?(b)[(c)]*(d)+"]
        {
            assert_eq!(read(expression), Ok(()), "{expression}");
        }
        assert_eq!(read("a|*"), Err("a quantifier follows nothing"));
        assert_eq!(read("a)"), Err("\")\" without \"(\""));
    }
}
