//! `parse_url` and `try_parse_url` of Spark: one part of each URL, as `java.net.URI` finds it.

use std::borrow::Cow;

use arrow_array::{Array, ArrayRef, LargeStringArray, new_null_array};

use super::FunctionError;
use super::java_text::decode;
use super::key::Key;
use super::places::Places;
use super::strings::{Block, Strings, each_row, each_string};
use super::text::{TextBuilder, TextLayout};
use crate::column::{Column, Columns};
use crate::error::{Error, ErrorKind};
use crate::grammar::Grammar;
use crate::part::Part;
use crate::validator::Validator;

/// The functions `parse_url` and `try_parse_url` of Spark and Hive, for one part of URLs.
///
/// | part | value |
/// |---|---|
/// | `HOST` | the host, or NULL if the authority is registry-based: `http://a_b.c/` |
/// | `PATH` | the path: `''` in `http://h`, NULL in an opaque URI |
/// | `QUERY` | the query, or with a key the value of the first parameter of this name |
/// | `REF`, `PROTOCOL`, `AUTHORITY`, `USERINFO` | the fragment, scheme, authority, userinfo |
/// | `FILE` | the path, and `?` and the query if there is one |
///
/// Values are raw: no escape is decoded. Any other part is NULL, and so is any part except `QUERY` with a
/// key. [`Grammar::Java`] decides which URLs are valid. The key is a regular expression, as in Spark; syntax
/// that only Java supports is an error.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::ParseUrl;
///
/// let urls = StringArray::from(vec!["http://h/p?a=1&b=2", "http://h/ a", "mailto:a"]);
/// let values = ParseUrl::new("QUERY", Some("b"))?.try_parse(&urls)?;
/// assert_eq!(values.as_string::<i32>(), &StringArray::from(vec![Some("2"), None, None]));
///
/// let error = ParseUrl::new("HOST", None)?.parse(&urls).unwrap_err();
/// assert_eq!(error.to_string(), r#"the URL in row 1 is invalid, a space must be written %20 (at byte 9): "http://h/ a""#);
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParseUrl {
    part: Option<Part>,
    key: Option<Key>,
}

impl ParseUrl {
    /// The names of the parts.
    pub const PARTS: &'static [&'static str] =
        &["HOST", "PATH", "QUERY", "REF", "PROTOCOL", "FILE", "AUTHORITY", "USERINFO"];

    /// Returns the function for the part of this name, or for the value of this key in the query. As in
    /// Spark, all results are NULL if no part has this name, or if a key comes with another part than
    /// `QUERY`.
    ///
    /// # Errors
    ///
    /// Returns an error if the key is not a regular expression, or has syntax that only Java supports.
    pub fn new(part: &str, key: Option<&str>) -> Result<Self, FunctionError> {
        let part = match part {
            "HOST" => Some(Part::Host),
            "PATH" => Some(Part::Path),
            "QUERY" => Some(Part::Query),
            "REF" => Some(Part::Fragment),
            "PROTOCOL" => Some(Part::Scheme),
            "FILE" => Some(Part::PathAndQuery),
            "AUTHORITY" => Some(Part::Authority),
            "USERINFO" => Some(Part::Userinfo),
            _ => None,
        };
        Ok(ParseUrl { part, key: key.map(Key::new).transpose()? })
    }

    /// Returns the same function as [`new`](Self::new) for constants, which cannot be meant to make all
    /// results NULL.
    ///
    /// ```
    /// use urivalidate::arrow::ParseUrl;
    ///
    /// assert!(ParseUrl::checked("QUERY", Some("id")).is_ok());
    /// let error = ParseUrl::checked("host", None).unwrap_err();
    /// assert!(error.to_string().starts_with(r#"unknown part "host": expected one of HOST, PATH, "#));
    /// assert!(ParseUrl::checked("HOST", Some("id")).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if no part has this name or if a key comes with another part than `QUERY`, and the
    /// errors of [`new`](Self::new).
    pub fn checked(part: &str, key: Option<&str>) -> Result<Self, FunctionError> {
        let function = ParseUrl::new(part, key)?;
        match function.part {
            None => Err(FunctionError::UnknownPart { name: part.to_owned(), known: Self::PARTS }),
            Some(found) if key.is_some() && found != Part::Query => {
                Err(FunctionError::KeyWithoutQuery { part: part.to_owned() })
            }
            Some(_) => Ok(function),
        }
    }

    /// `try_parse_url`: returns the part of each URL of an array, and NULL for an invalid URL. The text has
    /// the [default layout](TextLayout::of) for the array.
    ///
    /// # Errors
    ///
    /// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
    pub fn try_parse(&self, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
        each_string(array, |strings| self.of_strings(strings, TextLayout::of(array.data_type()), false))
    }

    /// `parse_url`: like [`try_parse`](Self::try_parse), but an invalid URL is an error.
    ///
    /// # Errors
    ///
    /// Returns an error for the first invalid URL, and the errors of [`try_parse`](Self::try_parse).
    pub fn parse(&self, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
        // A value of a dictionary that no key refers to may be invalid.
        each_row(array, |strings| self.of_strings(strings, TextLayout::of(array.data_type()), true))
    }

    /// Returns the part of one URL; `None` is NULL.
    ///
    /// ```
    /// use urivalidate::arrow::ParseUrl;
    ///
    /// let value = ParseUrl::new("QUERY", Some("b"))?;
    /// assert_eq!(value.parse_one(b"http://h/p?a=1&b=2").unwrap().as_deref(), Some(&b"2"[..]));
    /// assert_eq!(value.parse_one(b"http://h/p"), Ok(None));
    /// assert_eq!(value.parse_one(b"http://h/ a").unwrap_err().offset(), 9);
    /// # Ok::<(), urivalidate::arrow::FunctionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of an invalid URL. The offset counts in the URL or, if the URL is not UTF-8, in the
    /// text that Java decodes from it.
    pub fn parse_one<'u>(&self, url: &'u [u8]) -> Result<Option<Cow<'u, [u8]>>, Error> {
        if self.key.is_some() && self.part != Some(Part::Query) {
            return Ok(None);
        }
        match Validator::new(Grammar::Java).parse(url) {
            Ok(components) => {
                let place = self.part.and_then(|part| components.part(part));
                Ok(place.and_then(|place| self.value(&url[place])).map(Cow::Borrowed))
            }
            Err(error) if error.kind() == ErrorKind::InvalidUtf8 => {
                let decoded = decode(url);
                Ok(self.parse_one(decoded.as_bytes())?.map(|part| Cow::Owned(part.into_owned())))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the value of the key in a query, or without a key the whole part.
    fn value<'p>(&self, part: &'p [u8]) -> Option<&'p [u8]> {
        match &self.key {
            Some(key) => key.find(part).map(|place| &part[place]),
            None => Some(part),
        }
    }

    fn of_strings(
        &self,
        strings: &Strings<'_>,
        text: TextLayout,
        is_strict: bool,
    ) -> Result<ArrayRef, FunctionError> {
        let query = Part::Query;
        if self.key.is_some() && self.part != Some(query) {
            // Spark does not check the URLs in this case.
            return Ok(new_null_array(&text.data_type(), strings.len()));
        }
        let columns = self.part.map_or(Columns::NONE, |part| part.columns() | Column::Start);
        let mut builder = TextBuilder::new(text, strings.len(), strings.buffers());
        let mut places = Places::default();
        let mut is_ill_formed = false;
        strings.scan(&Validator::new(Grammar::Java), columns, |block| {
            let mut invalid = block.batch.invalid().iter();
            is_ill_formed |= invalid.any(|record| {
                record.error.kind() == ErrorKind::InvalidUtf8 && !block.is_null(record.index as usize)
            });
            if is_ill_formed {
                return Ok(());
            }
            if is_strict {
                refuse_invalid(block)?;
            }
            let Some(part) = self.part else { return Ok(()) };
            places.find(part, block.batch);
            block.null_records().for_each(|index| places.remove(index));
            if let Some(key) = &self.key {
                places.narrow(block.values, |query| key.find(query));
            }
            builder.append(block, 0..block.batch.len(), places.all())
        })?;
        if is_ill_formed {
            let decoded: LargeStringArray =
                (0..strings.len()).map(|index| strings.get(index).map(decode)).collect();
            return self.of_strings(&Strings::new(&decoded)?, text, is_strict);
        }
        if self.part.is_some() {
            builder.finish()
        } else {
            Ok(new_null_array(&text.data_type(), strings.len()))
        }
    }
}

/// Returns an error for the first invalid URL, if there is one.
fn refuse_invalid(block: &Block<'_>) -> Result<(), FunctionError> {
    let mut invalid = block.batch.invalid().iter();
    match invalid.find(|record| !block.is_null(record.index as usize)) {
        None => Ok(()),
        Some(record) => Err(FunctionError::InvalidUrl {
            row: block.first + record.index as usize,
            url: decode(&block.values[record.start as usize..record.end as usize]).into_owned(),
            error: record.error,
        }),
    }
}
