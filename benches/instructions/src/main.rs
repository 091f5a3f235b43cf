//! Counts the instructions that each backend takes per byte of a list. The counts are exact, even on a busy
//! machine.
//!
//! Not every machine gives access to the processor's counters, and emulators lack AVX-512. So on x86_64 the
//! scan runs with the trap flag set: the processor raises a signal after each instruction, and the program
//! counts the signals.
//!
//! ```text
//! cargo run --release --manifest-path benches/instructions/Cargo.toml -- LIST
//! ```
//!
//! On other processors, an emulator counts (`scripts/bench neon`). The program runs a given number of scans,
//! so the difference between two runs with different numbers is the cost of the scans.
//!
//! ```text
//! instructions LIST BACKEND none|records|all TIMES
//! ```

mod scan;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod trap;

use std::process::ExitCode;

use scan::Scan;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        [list] => print!("{}", trap::table(&scan::lines(list))),
        [list, backend, columns, times] => {
            let lines = scan::lines(list);
            let mut scan = Scan::new(&lines, backend, columns);
            (0..times.parse().expect("a number")).for_each(|_| scan.run());
            println!("{}", lines.len());
        }
        _ => {
            eprintln!("instructions: LIST, or LIST BACKEND none|records|all TIMES");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
