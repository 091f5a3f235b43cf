//! The command `urivalidate`. The library of this package holds the command.

use std::process::ExitCode;

fn main() -> ExitCode {
    urivalidate_cli::main()
}
