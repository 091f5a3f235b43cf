//! A file as memory.
//!
//! Two things make a mapping dangerous, and this module keeps both in:
//!
//! * Its bytes can change while they are looked at. [`Mapping::bytes`] therefore never leaves the crate but as the bytes of a
//!   [`Chunk`](super::Chunk) during a job. A job that reads bytes twice may find them different, as with any file that
//!   is written to while it is read; no code here or in the parsers relies on a second look for its safety.
//! * If the file has become shorter, or the disk fails, a touch raises SIGBUS. [`signal`] puts zeros in the place of the
//!   lost bytes and leaves a note in the mapping's slot; [`Mapping::is_damaged`] reports it to the scan, which throws away
//!   the results of the chunk and reads instead, which gives the reason. A thread in which the signal would not reach the
//!   handler ([`Mapping::can_be_touched`]) reads, too.
//!
//! On Windows a mapped file cannot become shorter.
//!
//! The kernel takes as long to map the pages of a cached file as to scan them for verdicts, if each is touched in turn. On Linux
//! pages are populated ahead, some megabytes at a time ([`Mapping::populate`]), which takes an eighth off the whole run; chunk
//! by chunk it gains nothing. To read into a buffer takes longer. One thread asks while the others scan: if they wait for it,
//! two threads take a tenth longer. Pages are given back in steps of a few megabytes, for the same reason. The kernel's work is
//! still two fifths of the time that verdicts take, on one thread.

#![allow(unsafe_code)]

use std::fs::File;
#[cfg(unix)]
use std::sync::atomic::{AtomicUsize, Ordering};

use memmap2::Mmap;

pub(crate) struct Mapping {
    /// Before the mapping, as fields are dropped in this order.
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
    /// Maps the first `len` bytes; `None` if that fails, and the file is read instead.
    pub(crate) fn new(file: &File, len: usize) -> Option<Self> {
        // SAFETY: The mapping is read-only, and both its bytes changing and its pages vanishing are taken care of as the
        // module says.
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

    /// Has the system map the bytes from `position` on, which are needed next: page by page takes it twice as long.
    pub(crate) fn populate(&self, position: usize) {
        #[cfg(target_os = "linux")]
        {
            /// Bytes of a call.
            const STEP: usize = 2 << 20;
            /// So far ahead that no thread touches a page that is still being mapped.
            const AHEAD: usize = 2 * STEP;

            let populated = self.populated.load(Ordering::Relaxed);
            // A long record took the scan further than that; later bytes are not to come back.
            let start = populated.max(position - position % STEP);
            let end = self.map.len().min(start + STEP);
            let is_near = position + AHEAD > start && start < end;
            // One thread asks, while the others go on.
            if is_near
                && self
                    .populated
                    .compare_exchange(populated, end, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
            {
                // Only advice, which older kernels do not know.
                let _ = self.map.advise_range(memmap2::Advice::PopulateRead, start, end - start);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = position;
    }

    /// Gives back the memory of the bytes before `end`, which are not looked at again. It stays in the page cache, so that
    /// this is no loss; but it no more counts as memory of the process.
    pub(crate) fn release(&self, end: usize) {
        /// Calls of the system are worth so many bytes; a multiple of any page.
        const STEP: usize = 4 << 20;

        #[cfg(unix)]
        {
            let released = self.released.load(Ordering::Relaxed);
            let end = end - end % STEP;
            if end > released {
                let advice = memmap2::UncheckedAdvice::DontNeed;
                // SAFETY: A page of a read-only mapping of a file that is touched again is read from the file again, so nothing
                // that can be seen changes but what the file changed itself; where `signal` put zeros, new zeros appear.
                // It is only advice.
                let _ = unsafe { self.map.unchecked_advise_range(advice, released, end - released) };
                self.released.store(end, Ordering::Relaxed);
            }
        }
        #[cfg(not(unix))]
        let _ = end;
    }

    /// Whether this thread may touch the mapping: a page that is gone raises a signal that reaches the handler, and none
    /// has been replaced so far.
    pub(crate) fn can_be_touched(&self) -> bool {
        #[cfg(unix)]
        return !self.is_damaged() && signal::reaches_handler();
        #[cfg(not(unix))]
        true
    }

    /// Whether bytes of the mapping are no more those of the file.
    pub(crate) fn is_damaged(&self) -> bool {
        #[cfg(unix)]
        return self.watch.is_damaged();
        #[cfg(not(unix))]
        false
    }
}

/// Surviving SIGBUS.
#[cfg(unix)]
mod signal {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::{mem, ptr};

    use libc::{c_int, c_void, siginfo_t};
    use memmap2::Mmap;

    /// A mapping that the handler knows. A free slot starts at 0.
    struct Slot {
        start: AtomicUsize,
        end: AtomicUsize,
        is_damaged: AtomicBool,
    }

    /// A scan takes one slot; where all are taken, files are read.
    static SLOTS: [Slot; 32] = [const {
        Slot { start: AtomicUsize::new(0), end: AtomicUsize::new(0), is_damaged: AtomicBool::new(false) }
    }; 32];

    /// The earlier action for SIGBUS.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    /// Holds the slot of a mapping; to be dropped before the mapping is.
    pub(crate) struct SlotGuard(&'static Slot);

    impl SlotGuard {
        /// Watches over `map`, if the handler can be installed and a slot is free.
        pub(crate) fn new(map: &Mmap) -> Option<Self> {
            /// Taken, and not yet the start of any mapping.
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

    /// Installs the handler, once in a process, and returns whether it is installed.
    fn install() -> bool {
        static INSTALLED: OnceLock<bool> = OnceLock::new();

        *INSTALLED.get_or_init(|| {
            // SAFETY: All zeros are a `sigaction` without flags, with an empty mask and the default action.
            let mut action: libc::sigaction = unsafe { mem::zeroed() };
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            // SAFETY: As above.
            let mut previous: libc::sigaction = unsafe { mem::zeroed() };
            // SAFETY: The pointers are valid or null; the handler, which is installed last, does nothing that is not allowed
            // in a signal handler: atomic loads and stores, sysconf, mmap (a system call and no more), sigaction, raise, and
            // calling the previous handler.
            unsafe {
                if libc::sigaction(libc::SIGBUS, ptr::null(), &mut previous) != 0 {
                    return false;
                }
                let _ = PREVIOUS.set(previous);
                libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) == 0
            }
        })
    }

    /// Whether a SIGBUS that this thread causes reaches the handler: neither has somebody put another one in its place since, nor is
    /// the signal blocked in this thread, where causing it ends the process.
    pub(crate) fn reaches_handler() -> bool {
        // SAFETY: All zeros are a valid `sigaction` and a valid set of signals; the pointers are valid or null, and the call
        // only asks.
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
        // SAFETY: The kernel passes a valid `siginfo_t`; the word in the place of an address is a number in any case.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
        // A signal that a process sent has no address, but something else in its place. Its code is not positive, or on
        // some systems larger than any of a touch; not all systems' constants for these are at hand.
        let is_touch = matches!(code, 1..=127);
        if !(is_touch && replace_page(address)) {
            pass_on(signal, is_touch, info, context);
        }
    }

    /// Puts zeros from the page of `address`, which this thread has just touched in vain, to the end of its mapping, if that
    /// is one of ours.
    fn replace_page(address: usize) -> bool {
        for slot in &SLOTS {
            let start = slot.start.load(Ordering::Acquire);
            let end = slot.end.load(Ordering::Acquire);
            // The second look at `start` is for a slot that another thread gave up and took again in between.
            let is_steady = slot.start.load(Ordering::Relaxed) == start;
            if start == 0 || address < start || address >= end || !is_steady {
                continue;
            }
            // SAFETY: sysconf only returns a number.
            let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
            let from = address & !(page - 1);
            // Before the zeros can be seen.
            slot.is_damaged.store(true, Ordering::Release);
            // SAFETY: The pages lie in a mapping that is still there: this thread is touching it, through a borrow of the
            // `Mapping` that keeps it. Nobody writes to it, so only what reads see changes.
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

    /// Does what would have happened without this module.
    fn pass_on(signal: c_int, is_touch: bool, info: *mut siginfo_t, context: *mut c_void) {
        type Handler = extern "C" fn(c_int);
        type InfoHandler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

        let Some(previous) = PREVIOUS.get() else { return };
        match previous.sa_sigaction {
            // SAFETY: `previous` is what sigaction returned. The signal comes again when this handler returns, and then ends
            // the process, as without a handler.
            libc::SIG_DFL => unsafe {
                libc::sigaction(signal, previous, ptr::null_mut());
                libc::raise(signal);
            },
            // A signal that a process sent. The handler stays, since other threads rely on it.
            libc::SIG_IGN if !is_touch => {}
            // SAFETY: As above; a touch that cannot be made cannot be ignored either, and ends the process.
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
