//! Counts instructions with the trap flag of x86_64.

use std::arch::asm;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use urivalidate::{Backend, Grammar, Validator};

use crate::scan::{COLUMNS, Scan};

static COUNT: AtomicU64 = AtomicU64::new(0);

extern "C" fn on_trap(_: libc::c_int) {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// The number of instructions of a call, and a few more.
fn instructions(call: impl FnOnce()) -> u64 {
    // SAFETY: the handler only adds to an atomic number.
    unsafe { libc::signal(libc::SIGTRAP, on_trap as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    COUNT.store(0, Ordering::Relaxed);
    // SAFETY: the only effect of the trap flag is that the kernel raises the signal above after each
    // instruction. Without `nostack`, the compiler keeps the red zone out of the way of `pushfq`.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
    call();
    // SAFETY: as above. This clears the flag again.
    unsafe { asm!("pushfq", "and qword ptr [rsp], -257", "popfq") };
    COUNT.load(Ordering::Relaxed)
}

/// A table of the instructions per byte for all backends that this machine has.
pub(crate) fn table(lines: &[u8]) -> String {
    let mut table = String::from("| backend | verdicts | records | all columns |\n|---|---:|---:|---:|\n");
    for &backend in Backend::ALL {
        if Validator::new(Grammar::Uri).with_backend(backend).is_err() {
            continue;
        }
        let [verdicts, records, all] = COLUMNS.map(|(columns, _)| {
            let mut scan = Scan::new(lines, backend.name(), columns);
            // The first run allocates memory.
            scan.run();
            instructions(|| scan.run()) as f64 / lines.len() as f64
        });
        let row = writeln!(table, "| {backend} | {verdicts:.2} | {records:.2} | {all:.2} |");
        row.expect("a string takes it");
    }
    table
}
