//! ABNF (RFC 5234) as data: reads the rules of a grammar from the text that an RFC prints.
//!
//! It also reads `|` for `/`, as in RFC 2396, and `<name>` as the rule of that name. It does not read
//! notation that no grammar here uses, such as `=/`, `%d` and `%x41.42`. It panics on text that it cannot
//! read: the grammars are part of the tests.

use std::collections::HashMap;
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::str::Chars;

/// The elements of a rule.
#[derive(Debug)]
pub(crate) enum Node {
    /// A quoted string, which ignores case.
    Literal(String),
    /// `%x30-39`: code points.
    Range(RangeInclusive<u32>),
    Rule(String),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    /// `2*5element`. Without a maximum, any number.
    Repeat {
        min: usize,
        max: Option<usize>,
        node: Box<Node>,
    },
}

impl Node {
    /// Returns the names of the rules in the node.
    pub(crate) fn rules(&self) -> Vec<&str> {
        match self {
            Node::Literal(_) | Node::Range(_) => Vec::new(),
            Node::Rule(name) => vec![name],
            Node::Sequence(nodes) | Node::Choice(nodes) => nodes.iter().flat_map(Node::rules).collect(),
            Node::Repeat { node, .. } => node.rules(),
        }
    }
}

/// Rules by name.
pub(crate) struct Rules(HashMap<String, Node>);

impl Rules {
    /// Reads the rules of each text. The rules of a later text replace rules of the same name.
    pub(crate) fn read(texts: &[&str]) -> Self {
        let mut rules = HashMap::new();
        for text in texts {
            let mut reader = Reader { tokens: tokens(text), next: 0 };
            let mut seen = Vec::new();
            while let Some(token) = reader.take() {
                let Token::Name(name) = token else { panic!("{token:?} where a rule starts") };
                assert!(reader.take_sign('='), "{name} is not defined");
                assert!(!seen.contains(&name), "{name} is defined twice");
                rules.insert(name.clone(), reader.choice());
                seen.push(name);
            }
        }
        Rules(rules)
    }

    /// Returns the rule of this name, if it exists.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.0.get(name)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Prose(String),
    Literal(String),
    Range(RangeInclusive<u32>),
    Number(usize),
    Sign(char),
}

fn tokens(text: &str) -> Vec<Token> {
    fn take_while(chars: &mut Peekable<Chars>, member: fn(char) -> bool) -> String {
        std::iter::from_fn(|| chars.next_if(|&char| member(char))).collect()
    }
    fn take_until(chars: &mut Peekable<Chars>, end: char) -> String {
        chars.by_ref().take_while(|&char| char != end).collect()
    }
    fn hexadecimal(chars: &mut Peekable<Chars>) -> u32 {
        u32::from_str_radix(&take_while(chars, |char| char.is_ascii_hexdigit()), 16).unwrap()
    }

    let mut tokens = Vec::new();
    let chars = &mut text.chars().peekable();
    while let Some(&char) = chars.peek() {
        tokens.push(match char {
            'A'..='Z' | 'a'..='z' => {
                Token::Name(take_while(chars, |char| char.is_ascii_alphanumeric() || "-_".contains(char)))
            }
            '0'..='9' => Token::Number(take_while(chars, |char| char.is_ascii_digit()).parse().unwrap()),
            _ => match chars.next().unwrap() {
                ';' => {
                    take_until(chars, '\n');
                    continue;
                }
                char if char.is_whitespace() => continue,
                '"' => Token::Literal(take_until(chars, '"')),
                '<' => Token::Prose(take_until(chars, '>')),
                '%' => {
                    assert_eq!(chars.next(), Some('x'));
                    let first = hexadecimal(chars);
                    let last = if chars.next_if_eq(&'-').is_some() { hexadecimal(chars) } else { first };
                    Token::Range(first..=last)
                }
                '|' => Token::Sign('/'),
                sign if "=/()[]*".contains(sign) => Token::Sign(sign),
                other => panic!("{other:?} is no ABNF"),
            },
        });
    }
    tokens
}

struct Reader {
    tokens: Vec<Token>,
    next: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.next + ahead)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.peek(0).cloned();
        self.next += 1;
        token
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.peek(0) == Some(&Token::Sign(sign));
        self.next += usize::from(found);
        found
    }

    fn take_number(&mut self) -> Option<usize> {
        let &Token::Number(number) = self.peek(0)? else { return None };
        self.next += 1;
        Some(number)
    }

    fn choice(&mut self) -> Node {
        let mut nodes = vec![self.sequence()];
        while self.take_sign('/') {
            nodes.push(self.sequence());
        }
        Node::Choice(nodes)
    }

    fn sequence(&mut self) -> Node {
        let mut nodes = Vec::new();
        loop {
            match self.peek(0) {
                None | Some(Token::Sign('/' | ')' | ']')) => break,
                // The name of the next rule.
                Some(Token::Name(_)) if self.peek(1) == Some(&Token::Sign('=')) => break,
                Some(_) => nodes.push(self.repetition()),
            }
        }
        Node::Sequence(nodes)
    }

    fn repetition(&mut self) -> Node {
        let min = self.take_number();
        let (min, max) = if self.take_sign('*') {
            (min.unwrap_or(0), self.take_number())
        } else {
            match min {
                Some(count) => (count, Some(count)),
                None => return self.element(),
            }
        };
        Node::Repeat { min, max, node: Box::new(self.element()) }
    }

    fn element(&mut self) -> Node {
        match self.take() {
            Some(Token::Name(name) | Token::Prose(name)) => Node::Rule(name),
            Some(Token::Literal(text)) => Node::Literal(text),
            Some(Token::Range(range)) => Node::Range(range),
            Some(Token::Sign('(')) => {
                let node = self.choice();
                assert!(self.take_sign(')'));
                node
            }
            Some(Token::Sign('[')) => {
                let node = self.choice();
                assert!(self.take_sign(']'));
                Node::Repeat { min: 0, max: Some(1), node: Box::new(node) }
            }
            token => panic!("{token:?} is no element"),
        }
    }
}
