//! The way to read files that the arguments choose.

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};
use urivalidate::corpus::Reading;

use crate::args::Args;

/// Returns the way to read files, with the machine's best backend. Fails if the format has no such field.
pub(crate) fn reading(args: &Args) -> Result<Reading, String> {
    let reading = match args.layout() {
        Some(layout) => Reading::of_layout(layout.map_err(|error| error.to_string())?),
        None => Reading::detecting(args.layout_options()),
    };
    let reading = if args.base.is_some() { reading.references() } else { reading };
    let reading = match args.grammar {
        Some(grammar) => reading.grammar(grammar),
        None => reading,
    };
    Ok(reading.trim(args.trim))
}

/// Adds the options of the validator. Fails if the grammar does not support zone identifiers, or the machine
/// does not support the backend.
pub(crate) fn with_options(mut reading: Reading, args: &Args) -> Result<Reading, Error> {
    if args.zone_ids {
        let zoned = reading.with_zone_ids();
        reading = zoned.map_err(|error| Args::command().error(ErrorKind::ArgumentConflict, error))?;
    }
    let forced = reading.with_backend(args.backend());
    forced.map_err(|error| Args::command().error(ErrorKind::InvalidValue, error))
}
