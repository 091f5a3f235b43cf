//! A file as memory.
//!
//! A mapping is dangerous for two reasons. This module handles both:
//!
//! * The bytes can change while code examines them. Therefore [`Mapping::bytes`] leaves the crate only as the
//!   bytes of a [`Chunk`](super::Chunk) during a job. A job that reads bytes twice may find them different,
//!   as with any file that is written while it is read. No code here or in the parsers relies on a second
//!   read for its safety.
//! * If the file has become shorter, or the disk fails, an access raises SIGBUS. [`signal`] replaces the lost
//!   bytes with zeros and marks the mapping's slot as damaged. [`Mapping::is_damaged`] reports it to the
//!   scan, which discards the results of the chunk and reads the file instead: reading returns the reason. A
//!   thread in which the signal would not reach the handler ([`Mapping::can_be_touched`]) reads, too.
//!
//! On Windows a mapped file cannot become shorter.
//!
//! If the scan itself is the first to touch each page, the kernel takes as long to map the pages of a cached
//! file as a scan for verdicts takes. On Linux, pages are touched ahead, some megabytes at a time
//! ([`Mapping::populate`]), which saves an eighth of the whole run: at each touch the kernel maps 64 KiB.
//! Having it populate all pages by `madvise` takes a tenth of the run longer, because that looks up each page
//! again. Populating chunk by chunk gains nothing. Reading into a buffer takes longer. One thread touches
//! while the others scan: if they wait for it, two threads take a tenth longer. For the same reason, pages
//! are released in steps of a few megabytes. On one thread, the kernel's work still takes two fifths of the
//! time for verdicts. If the page cache holds a file in large pieces, as some file systems do, all of this
//! takes a fifth of that time.

#![allow(unsafe_code)]

use std::fs::File;
#[cfg(unix)]
use std::sync::atomic::{AtomicUsize, Ordering};

use memmap2::Mmap;

pub(crate) struct Mapping {
    /// Before the mapping, since fields are dropped in this order.
    #[cfg(unix)]
    watch: signal::SlotGuard,
    map: Mmap,
    /// The number of released bytes.
    #[cfg(unix)]
    released: AtomicUsize,
    /// The number of bytes populated ahead.
    #[cfg(target_os = "linux")]
    populated: AtomicUsize,
}

impl Mapping {
    /// Maps the first `len` bytes. Returns `None` if that fails: then the file is read instead.
    pub(crate) fn new(file: &File, len: usize) -> Option<Self> {
        // SAFETY: The mapping is read-only. The module documentation says how the module handles bytes that
        // change and pages that vanish.
        let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) }.ok()?;
        #[cfg(unix)]
        {
            // Only advice: the mapping works without it.
            let _ = map.advise(memmap2::Advice::Sequential);
            let watch = signal::SlotGuard::new(&map)?;
            Some(Mapping {
                watch,
                map,
                released: AtomicUsize::new(0),
                #[cfg(target_os = "linux")]
                populated: AtomicUsize::new(0),
            })
        }
        #[cfg(not(unix))]
        Some(Mapping { map })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Has the system map the next bytes, from `position` on.
    pub(crate) fn populate(&self, position: usize) {
        #[cfg(target_os = "linux")]
        {
            /// The number of bytes of a call.
            const STEP: usize = 2 << 20;
            /// The number of bytes that the kernel maps at a touch, if they are in the page cache: its
            /// default.
            const AROUND: usize = 64 << 10;
            /// The distance at which no thread touches a page that is still being mapped.
            const AHEAD: usize = 2 * STEP;

            let populated = self.populated.load(Ordering::Relaxed);
            // A long record may have taken the scan further. Bytes already passed are not mapped again.
            let start = populated.max(position - position % STEP);
            let end = self.map.len().min(start + STEP);
            let is_near = position + AHEAD > start && start < end;
            // One thread touches, while the others continue.
            if is_near
                && self
                    .populated
                    .compare_exchange(populated, end, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
            {
                for touched in (start..end).step_by(AROUND) {
                    std::hint::black_box(self.map[touched]);
                }
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = position;
    }

    /// Releases the memory of the bytes before `end`, which are not needed again. They stay in the page
    /// cache, so nothing is lost, but they no longer count as memory of the process.
    pub(crate) fn release(&self, end: usize) {
        #[cfg(unix)]
        {
            /// The number of bytes that justifies a system call: a multiple of any page size.
            const STEP: usize = 4 << 20;

            let released = self.released.load(Ordering::Relaxed);
            let end = end - end % STEP;
            if end > released {
                let advice = memmap2::UncheckedAdvice::DontNeed;
                // SAFETY: The kernel reads a released page of a read-only mapping from the file again when it
                // is touched. So its bytes change only if the file changed, or become zeros again if `signal`
                // put zeros there. The call is only advice.
                let _ = unsafe { self.map.unchecked_advise_range(advice, released, end - released) };
                self.released.store(end, Ordering::Relaxed);
            }
        }
        #[cfg(not(unix))]
        let _ = end;
    }

    /// Returns true if this thread may touch the mapping: the signal of a missing page would reach the
    /// handler, and no page has been replaced so far.
    pub(crate) fn can_be_touched(&self) -> bool {
        #[cfg(unix)]
        return !self.is_damaged() && signal::reaches_handler();
        #[cfg(not(unix))]
        true
    }

    /// Returns true if some bytes of the mapping are no longer those of the file.
    pub(crate) fn is_damaged(&self) -> bool {
        #[cfg(unix)]
        return self.watch.is_damaged();
        #[cfg(not(unix))]
        false
    }
}

/// Survives SIGBUS.
#[cfg(unix)]
mod signal {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::{mem, ptr};

    use libc::{c_int, c_void, siginfo_t};
    use memmap2::Mmap;

    /// A mapping that the handler knows. The start of a free slot is 0.
    struct Slot {
        start: AtomicUsize,
        end: AtomicUsize,
        is_damaged: AtomicBool,
    }

    /// A scan takes one slot. If all are taken, files are read.
    static SLOTS: [Slot; 32] = [const {
        Slot { start: AtomicUsize::new(0), end: AtomicUsize::new(0), is_damaged: AtomicBool::new(false) }
    }; 32];

    /// The action for SIGBUS before this handler was installed.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    /// Holds the slot of a mapping. It must be dropped before the mapping.
    pub(crate) struct SlotGuard(&'static Slot);

    impl SlotGuard {
        /// Registers `map`, if the handler can be installed and a slot is free.
        pub(crate) fn new(map: &Mmap) -> Option<Self> {
            /// The start of a slot that is taken and has no mapping yet.
            const RESERVED: usize = usize::MAX;

            if !(install() && reaches_handler()) {
                return None;
            }
            let slot = SLOTS.iter().find(|slot| {
                slot.start.compare_exchange(0, RESERVED, Ordering::Acquire, Ordering::Relaxed).is_ok()
            })?;
            let start = map.as_ptr() as usize;
            slot.is_damaged.store(false, Ordering::Relaxed);
            slot.end.store(start + map.len(), Ordering::Release);
            slot.start.store(start, Ordering::Release);
            Some(SlotGuard(slot))
        }

        pub(crate) fn is_damaged(&self) -> bool {
            self.0.is_damaged.load(Ordering::Acquire)
        }
    }

    impl Drop for SlotGuard {
        fn drop(&mut self) {
            self.0.start.store(0, Ordering::Release);
        }
    }

    /// Installs the handler once per process, and returns whether it is installed.
    fn install() -> bool {
        static INSTALLED: OnceLock<bool> = OnceLock::new();

        *INSTALLED.get_or_init(|| {
            // SAFETY: All zeros are a `sigaction` without flags, with an empty mask and the default action.
            let mut action: libc::sigaction = unsafe { mem::zeroed() };
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            // SAFETY: As above.
            let mut previous: libc::sigaction = unsafe { mem::zeroed() };
            // SAFETY: The pointers are valid or null. The handler, which is installed last, does only what a
            // signal handler may do: atomic loads and stores, sysconf, mmap (only a system call), sigaction,
            // raise, and a call of the previous handler.
            unsafe {
                if libc::sigaction(libc::SIGBUS, ptr::null(), &mut previous) != 0 {
                    return false;
                }
                let _ = PREVIOUS.set(previous);
                libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) == 0
            }
        })
    }

    /// Returns true if a SIGBUS that this thread causes reaches the handler: no other handler has replaced
    /// it, and this thread does not block the signal. If a thread that blocks it causes it, the process ends.
    pub(crate) fn reaches_handler() -> bool {
        // SAFETY: All zeros are a valid `sigaction` and a valid set of signals. The pointers are valid or
        // null, and the calls only query.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            let mut blocked: libc::sigset_t = mem::zeroed();
            libc::sigaction(libc::SIGBUS, ptr::null(), &mut action) == 0
                && action.sa_sigaction == on_bus_error as *const () as usize
                && libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), &mut blocked) == 0
                && libc::sigismember(&blocked, libc::SIGBUS) == 0
        }
    }

    extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        // SAFETY: The kernel passes a valid `siginfo_t`. The word in place of an address is always a valid
        // number.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
        // A signal that a process sent has another value in place of an address. Its code is not positive, or
        // on some systems larger than the code of any access. The constants for these codes are not available
        // for all systems.
        let is_touch = matches!(code, 1..=127);
        if !(is_touch && replace_page(address)) {
            pass_on(signal, is_touch, info, context);
        }
    }

    /// Puts zeros from the page of `address`, at which an access of this thread has just failed, to the end
    /// of its mapping, if that is one of ours.
    fn replace_page(address: usize) -> bool {
        for slot in &SLOTS {
            let start = slot.start.load(Ordering::Acquire);
            let end = slot.end.load(Ordering::Acquire);
            // The second load of `start` detects that another thread released the slot and took it again in
            // between.
            let is_steady = slot.start.load(Ordering::Relaxed) == start;
            if start == 0 || address < start || address >= end || !is_steady {
                continue;
            }
            // SAFETY: sysconf only returns a number.
            let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
            let from = address & !(page - 1);
            // Set before any thread can see the zeros.
            slot.is_damaged.store(true, Ordering::Release);
            // SAFETY: The pages lie in a mapping that still exists: this thread is accessing it through a
            // borrow of the `Mapping` that owns it. No thread writes to it, so only later reads see a change.
            let zeros = unsafe {
                libc::mmap(
                    from as *mut c_void,
                    end - from,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            return zeros != libc::MAP_FAILED;
        }
        false
    }

    /// Handles the signal as if this module did not exist.
    fn pass_on(signal: c_int, is_touch: bool, info: *mut siginfo_t, context: *mut c_void) {
        type Handler = extern "C" fn(c_int);
        type InfoHandler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

        let Some(previous) = PREVIOUS.get() else { return };
        match previous.sa_sigaction {
            // SAFETY: sigaction returned `previous`. The signal comes again when this handler returns, and
            // then ends the process, as it would without a handler.
            libc::SIG_DFL => unsafe {
                libc::sigaction(signal, previous, ptr::null_mut());
                libc::raise(signal);
            },
            // A process sent this signal. The handler stays, since other threads rely on it.
            libc::SIG_IGN if !is_touch => {}
            // SAFETY: As above. A failed access cannot be ignored, so the signal comes again and ends the
            // process.
            libc::SIG_IGN => unsafe {
                libc::sigaction(signal, previous, ptr::null_mut());
            },
            handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
                // SAFETY: A handler with SA_SIGINFO has this signature.
                let handler = unsafe { mem::transmute::<usize, InfoHandler>(handler) };
                handler(signal, info, context);
            }
            handler => {
                // SAFETY: A handler without SA_SIGINFO has this signature.
                let handler = unsafe { mem::transmute::<usize, Handler>(handler) };
                handler(signal);
            }
        }
    }
}
