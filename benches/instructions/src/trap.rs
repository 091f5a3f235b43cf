//! Counts instructions by the trap flag of x86_64.

use std::arch::asm;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use urivalidate::{Backend, Grammar, Validator};

use crate::scan::{COLUMNS, Scan};

static COUNT: AtomicU64 = AtomicU64::new(0);

extern "C" fn on_trap(_: libc::c_int) {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// The instructions of a call, and a few more.
fn instructions(call: impl FnOnce()) -> u64 {
    // SAFETY: the handler only adds to an atomic number.
    unsafe { libc::signal(libc::SIGTRAP, on_trap as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    COUNT.store(0, Ordering::Relaxed);
    // SAFETY: the trap flag has the kernel raise the signal above after each instruction, and nothing else. The red zone is left alone: the
    // stack is not declared unused.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
    call();
    // SAFETY: as above, back to what was.
    unsafe { asm!("pushfq", "and qword ptr [rsp], -257", "popfq") };
    COUNT.load(Ordering::Relaxed)
}

/// The instructions a byte of all backends that this machine has, as a table.
pub(crate) fn table(lines: &[u8]) -> String {
    let mut table = String::from("| backend | verdicts | records | all columns |\n|---|---:|---:|---:|\n");
    for &backend in Backend::ALL {
        if Validator::new(Grammar::Uri).with_backend(backend).is_err() {
            continue;
        }
        let [verdicts, records, all] = COLUMNS.map(|(columns, _)| {
            let mut scan = Scan::new(lines, backend.name(), columns);
            // The first time makes room.
            scan.run();
            instructions(|| scan.run()) as f64 / lines.len() as f64
        });
        let row = writeln!(table, "| {backend} | {verdicts:.2} | {records:.2} | {all:.2} |");
        row.expect("a string takes it");
    }
    table
}
