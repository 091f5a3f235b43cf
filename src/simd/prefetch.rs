//! Hints about memory that will soon be read.

/// Brings the line of the cache with the item of this number on its way. Does nothing on other machines than
/// x86_64 and aarch64. The number may be that of no item.
///
/// A load must wait for its line, and the processor can start few instructions after it. A prefetch does not
/// wait.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], number: usize) {
    let item = items.as_ptr().wrapping_add(number);
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    // SAFETY: the target has SSE. The instruction reads nothing that the program can see, at any address.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(item.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: all processors have the instruction. It reads nothing that the program can see, at any address.
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{}]", in(reg) item, options(readonly, nostack, preserves_flags));
    }
    #[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse"), target_arch = "aarch64")))]
    let _ = item;
}
