//! Counts the instructions that each backend takes for a byte of a list: exact, whatever else the machine does.
//!
//! The processor's counters are not to be had on every machine, and emulators lack AVX-512. So on x86_64 the scan runs with the trap flag
//! set: the processor raises a signal after each instruction, which is counted.
//!
//! ```text
//! cargo run --release --manifest-path benches/instructions/Cargo.toml -- LIST
//! ```
//!
//! Elsewhere an emulator has to count. It is given a number of scans, so that the difference of two runs is what the scans take:
//! `scripts/neon-instructions`.
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
