//! Puts every mutant of a tree behind a switch: `switch-mutants MUTANTS.json TREE OUT LEFT_OUT`.
//!
//! MUTANTS.json is the output of `cargo mutants --list --json` for TREE. Files with mutants are written to
//! OUT, which is a copy of TREE: a `match` on the number of the running mutant replaces each mutated
//! expression. The last arm is the expression itself. So all mutants are compiled at once; compiling one
//! takes longer than testing it. LEFT_OUT has the numbers of mutants to leave out, because they do not
//! compile. The numbers of mutants that cannot be switched go to standard output: the compiler evaluates
//! constants, which cannot read the number of the running mutant.
//!
//! Mutants are counted from 1 in the order of MUTANTS.json. The code of a mutant is between `/*M<number>*/`
//! and `/*E*/`, on separate lines, so that a reader of the compiler's errors can find the mutant.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::{env, fs};

use proc_macro2::Span;
use serde::Deserialize;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A mutant in the list of cargo-mutants.
#[derive(Deserialize)]
struct Listed {
    file: String,
    genre: Genre,
    span: Lines,
    replacement: String,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
enum Genre {
    BinaryOperator,
    FnValue,
    MatchArm,
    MatchArmGuard,
    StructField,
    UnaryOperator,
}

#[derive(Deserialize)]
struct Lines {
    start: Place,
    end: Place,
}

/// A line and a column in characters, both counted from 1.
#[derive(Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

/// A mutant of a file, with its place in bytes.
#[derive(Clone)]
struct Mutant {
    number: usize,
    genre: Genre,
    range: Range<usize>,
    replacement: String,
}

fn main() {
    let [_, list, tree, out, left_out] = <[String; 5]>::try_from(env::args().collect::<Vec<_>>())
        .expect("usage: switch-mutants MUTANTS.json TREE OUT LEFT_OUT");
    let list: Vec<Listed> = serde_json::from_str(&read(Path::new(&list))).expect("a list of mutants");
    let left_out: BTreeSet<usize> = read(Path::new(&left_out))
        .split_whitespace()
        .map(|number| number.parse().expect("a number"))
        .collect();
    let mut files: BTreeMap<String, Vec<(usize, Listed)>> = BTreeMap::new();
    for (number, listed) in (1..).zip(list) {
        if !left_out.contains(&number) {
            files.entry(listed.file.clone()).or_default().push((number, listed));
        }
    }
    for (name, listed) in files {
        let text = read(&Path::new(&tree).join(&name));
        let mut file = File::new(&text, listed);
        file.visit_file(&syn::parse_file(&text).expect("a file of Rust"));
        for mutant in file.mutants.iter().filter(|mutant| !file.switched.contains(&mutant.number)) {
            println!("{}", mutant.number);
        }
        let (copy, edited) = (Path::new(&out).join(name), file.edited());
        // Do not write an unchanged file, so that it is not compiled again.
        if read(&copy) != edited {
            fs::write(copy, edited).expect("the copy can be written");
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

struct File<'a> {
    text: &'a str,
    line_starts: Vec<usize>,
    mutants: Vec<Mutant>,
    switched: BTreeSet<usize>,
    /// The mutants that delete an arm without which a `match` would not be exhaustive.
    kept: BTreeSet<usize>,
    insertions: Vec<Insertion>,
    /// The number of enclosing constants, which the compiler evaluates.
    constants: usize,
}

/// An insertion at a place. At the same place, the ends of expressions come first, with the inner ones first,
/// then single texts, and then the starts of expressions, with the outer ones first.
struct Insertion {
    at: usize,
    order: Order,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// The end of an expression. If several expressions end at the same place, the one that starts later is
    /// the inner one.
    End {
        start: Reverse<usize>,
        number: Reverse<usize>,
    },
    Alone,
    /// The start of an expression.
    Start {
        end: Reverse<usize>,
        number: usize,
    },
}

impl<'a> File<'a> {
    fn new(text: &'a str, listed: Vec<(usize, Listed)>) -> Self {
        let line_starts = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut file = File {
            text,
            line_starts,
            mutants: Vec::new(),
            switched: BTreeSet::new(),
            kept: BTreeSet::new(),
            insertions: Vec::new(),
            constants: 0,
        };
        file.mutants = listed
            .into_iter()
            .map(|(number, Listed { genre, span: Lines { start, end }, replacement, .. })| {
                let range = file.byte(start.line, start.column - 1)..file.byte(end.line, end.column - 1);
                Mutant { number, genre, range, replacement }
            })
            .collect();
        file
    }

    /// The offset in bytes of a line, counted from 1, and a character of the line, counted from 0.
    fn byte(&self, line: usize, column: usize) -> usize {
        let start = self.line_starts[line - 1];
        self.text[start..].char_indices().nth(column).map_or(self.text.len(), |(at, _)| start + at)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (span.start(), span.end());
        self.byte(start.line, start.column)..self.byte(end.line, end.column)
    }

    fn of(&self, genre: Genre, is_there: impl Fn(&Range<usize>) -> bool) -> Vec<Mutant> {
        self.mutants.iter().filter(|one| one.genre == genre && is_there(&one.range)).cloned().collect()
    }

    /// The mutants that delete this arm.
    fn deletions(&self, arm: &syn::Arm) -> Vec<Mutant> {
        let starts = [self.range(arm.span()).start, self.range(arm.pat.span()).start];
        self.of(Genre::MatchArm, |range| starts.contains(&range.start))
    }

    /// Makes a switch from an expression and its mutants. The mutants' arms contain inner expressions
    /// unchanged, because only one mutant runs at a time.
    fn switch(&mut self, expression: Range<usize>, mutants: Vec<Mutant>) {
        if mutants.is_empty() || self.constants > 0 {
            return;
        }
        let mut arms = String::from("(match crate::mutant_() {");
        for Mutant { number, range, replacement, .. } in mutants {
            self.switched.insert(number);
            let (before, behind) =
                (&self.text[expression.start..range.start], &self.text[range.end..expression.end]);
            arms += &format!("\n/*M{number}*/ {number} => ({before}{replacement}{behind}),\n/*E*/");
        }
        self.around(expression, arms + "_ => (", ")})");
    }

    fn around(&mut self, expression: Range<usize>, start: String, end: &str) {
        let number = self.insertions.len();
        let Range { start: from, end: to } = expression;
        self.insertions.push(Insertion {
            at: from,
            order: Order::Start { end: Reverse(to), number },
            text: start,
        });
        let order = Order::End { start: Reverse(from), number: Reverse(number) };
        self.insertions.push(Insertion { at: to, order, text: end.to_owned() });
    }

    /// Makes a function return another value at its start.
    fn switch_result(&mut self, block: &syn::Block, is_const: bool) {
        if is_const {
            return;
        }
        let inside = self.range(block.span());
        let Some(first) = block.stmts.first().map(|first| self.range(first.span()).start) else { return };
        let mutants = self.of(Genre::FnValue, |range| {
            inside.start < range.start && range.start <= first && range.end <= inside.end
        });
        for Mutant { number, replacement, .. } in mutants {
            self.switched.insert(number);
            let text =
                format!("\n/*M{number}*/ if crate::mutant_() == {number} {{ return {replacement}; }}\n/*E*/");
            self.insertions.push(Insertion { at: inside.start + 1, order: Order::Alone, text });
        }
    }

    fn within_constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.constants += 1;
        visit(self);
        self.constants -= 1;
    }

    fn edited(mut self) -> String {
        self.insertions.sort_by_key(|insertion| (insertion.at, insertion.order));
        let mut edited = String::new();
        let mut at = 0;
        for insertion in self.insertions {
            edited += &self.text[at..insertion.at];
            edited += &insertion.text;
            at = insertion.at;
        }
        edited + &self.text[at..]
    }
}

/// Whether an expression binds names for later expressions, so that it cannot be enclosed.
fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for File<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        let is_const = function.sig.constness.is_some();
        self.switch_result(&function.block, is_const);
        self.constants += usize::from(is_const);
        visit::visit_item_fn(self, function);
        self.constants -= usize::from(is_const);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        let is_const = function.sig.constness.is_some();
        self.switch_result(&function.block, is_const);
        self.constants += usize::from(is_const);
        visit::visit_impl_item_fn(self, function);
        self.constants -= usize::from(is_const);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.switch_result(block, false);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within_constant(|file| visit::visit_item_const(file, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.within_constant(|file| visit::visit_item_static(file, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.within_constant(|file| visit::visit_impl_item_const(file, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.within_constant(|file| visit::visit_trait_item_const(file, item));
    }

    fn visit_expr_const(&mut self, expression: &'ast syn::ExprConst) {
        self.within_constant(|file| visit::visit_expr_const(file, expression));
    }

    fn visit_type(&mut self, kind: &'ast syn::Type) {
        self.within_constant(|file| visit::visit_type(file, kind));
    }

    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        self.within_constant(|file| visit::visit_pat(file, pattern));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.within_constant(|file| visit::visit_variant(file, variant));
    }

    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
        self.within_constant(|file| file.visit_expr(&expression.len));
    }

    fn visit_expr_binary(&mut self, expression: &'ast syn::ExprBinary) {
        if !has_let(&expression.left) && !has_let(&expression.right) {
            let operator = self.range(expression.op.span()).start;
            let mutants = self.of(Genre::BinaryOperator, |range| range.start == operator);
            self.switch(self.range(expression.span()), mutants);
        }
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast syn::ExprUnary) {
        let operator = self.range(expression.op.span()).start;
        let mutants = self.of(Genre::UnaryOperator, |range| range.start == operator);
        self.switch(self.range(expression.span()), mutants);
        visit::visit_expr_unary(self, expression);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        let fields: Vec<_> = expression.fields.iter().map(|field| self.range(field.span()).start).collect();
        let mutants = self.of(Genre::StructField, |range| fields.contains(&range.start));
        self.switch(self.range(expression.span()), mutants);
        visit::visit_expr_struct(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        // An arm with a guard does not make a `match` exhaustive.
        let without_guard = expression.arms.iter().filter(|arm| arm.guard.is_none());
        let deleted: Vec<_> = without_guard.map(|arm| self.deletions(arm)).collect();
        if deleted.iter().all(|mutants| !mutants.is_empty()) {
            self.kept.extend(deleted.iter().flatten().map(|mutant| mutant.number));
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let pattern = self.range(arm.pat.span());
        let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
        // Instead of deleting an arm, make its guard false.
        let deleted: Vec<_> =
            self.deletions(arm).into_iter().filter(|mutant| !self.kept.contains(&mutant.number)).collect();
        if let (Some(Mutant { number, .. }), 0) = (deleted.first(), self.constants) {
            let is_there = format!("\n/*M{number}*/ crate::mutant_() != {number}\n/*E*/");
            match guard {
                None => {
                    self.switched.insert(*number);
                    let text = format!(" if {is_there}");
                    self.insertions.push(Insertion { at: pattern.end, order: Order::Alone, text });
                }
                Some(guard) if !has_let(guard) => {
                    self.switched.insert(*number);
                    self.around(self.range(guard.span()), format!("{is_there} && ("), ")");
                }
                Some(_) => {}
            }
        }
        if let Some(guard) = guard.filter(|guard| !has_let(guard)) {
            let range = self.range(guard.span());
            let mutants = self.of(Genre::MatchArmGuard, |mutant| mutant.start == range.start);
            self.switch(range, mutants);
        }
        visit::visit_arm(self, arm);
    }
}
