//! The command `urivalidate`. What it is made of is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    urivalidate_cli::main()
}
