//! Counts the instructions that each backend takes for a byte of a list: exact, whatever else the machine does.
//!
//! The processor's counters are not to be had on every machine, and emulators lack AVX-512. So the scan runs with the trap flag set: the
//! processor raises a signal after each instruction, which is counted. This is for x86_64 on Linux.
//!
//! ```text
//! cargo run --release --manifest-path benches/Cargo.toml --bin instructions -- LIST
//! ```

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod counted {
    use std::arch::asm;
    use std::sync::atomic::{AtomicU64, Ordering};

    static COUNT: AtomicU64 = AtomicU64::new(0);

    extern "C" fn on_trap(_: libc::c_int) {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }

    /// The instructions of a call, and a few more.
    pub fn instructions(call: impl FnOnce()) -> u64 {
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
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() {
    use urivalidate::{Backend, Batch, Columns, Grammar, Validator};

    /// Bytes of the list that are looked at: instructions take a microsecond each.
    const SIZE: usize = 32 << 10;

    let path = std::env::args_os().nth(1).expect("the path of a list of URIs");
    let list = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let head = &list[..list.len().min(SIZE)];
    let lines = &head[..memchr::memrchr(b'\n', head).expect("a line end") + 1];
    println!("| backend | verdicts | records | all columns |");
    println!("|---|---:|---:|---:|");
    for &backend in Backend::ALL {
        let Ok(validator) = Validator::new(Grammar::Uri).with_backend(backend) else { continue };
        let mut batch = Batch::new();
        let mut count = |columns: Columns| {
            let mut scan = || {
                validator.scan(lines, columns, &mut batch).expect("it is short");
            };
            // The first time makes room.
            scan();
            counted::instructions(&mut scan) as f64 / lines.len() as f64
        };
        let [verdicts, records, all] = [Columns::NONE, Columns::RECORDS, Columns::ALL].map(&mut count);
        println!("| {backend} | {verdicts:.2} | {records:.2} | {all:.2} |");
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    eprintln!("instructions: only Linux on x86_64 has the trap flag");
    std::process::exit(2);
}
