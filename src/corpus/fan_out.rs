//! Chunks go to workers, results come back in order.

use std::io;
use std::ops::ControlFlow;

use super::chunk::Chunk;
use super::format::Reading;

/// Where chunks come from.
pub(super) trait Source<'a> {
    /// The next chunk, and none after the last; `buffer` is one to be used again.
    fn next(&mut self, buffer: Option<Vec<u8>>) -> io::Result<Option<Chunk<'a>>>;

    /// Whether there is surely no further chunk.
    fn is_finished(&self) -> bool;

    /// Whether the input comes slower than it is scanned, so that results should not wait for more of it.
    #[cfg_attr(
        not(feature = "rayon"),
        allow(dead_code, reason = "chunks in flight are what would have to wait")
    )]
    fn is_slow(&self) -> bool;
}

/// What a chunk was, for the one who gets the result.
pub(super) struct Span {
    pub(super) base: u64,
    pub(super) first_line: Option<u64>,
    pub(super) len: usize,
    pub(super) reading: Option<Reading>,
}

impl Span {
    fn of(chunk: &Chunk<'_>) -> Self {
        Span {
            base: chunk.base(),
            first_line: chunk.first_line(),
            len: chunk.bytes().len(),
            reading: chunk.reading.clone(),
        }
    }
}

/// Scans one chunk after the other on this thread.
pub(super) fn in_turn<'a, T>(
    source: &mut impl Source<'a>,
    job: &impl Fn(&Chunk<'_>) -> T,
    deliver: &mut impl FnMut(Span, T) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut buffer = None;
    while let Some(chunk) = source.next(buffer.take())? {
        if deliver(Span::of(&chunk), job(&chunk)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        buffer = chunk.into_buffer();
    }
    Ok(ControlFlow::Continue(()))
}

/// Scans chunks on the workers of `pool`, at most `in_flight` at a time, and delivers the results on this thread in the
/// order of the chunks.
#[cfg(feature = "rayon")]
pub(super) fn on_pool<'a, T: Send>(
    pool: impl FnOnce() -> io::Result<&'a rayon::ThreadPool>,
    in_flight: usize,
    source: &mut impl Source<'a>,
    job: &(impl Fn(&Chunk<'_>) -> T + Sync),
    deliver: &mut impl FnMut(Span, T) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    use std::collections::VecDeque;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::mpsc;

    let mut next = source.next(None);
    if let Ok(Some(chunk)) = &next
        && source.is_finished()
    {
        return Ok(deliver(Span::of(chunk), job(chunk)));
    }
    pool()?.in_place_scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let mut buffers = Vec::new();
        // The results not delivered yet, from chunk number `delivered` on; those not there yet are `None`.
        let mut window = VecDeque::new();
        let mut delivered = 0;
        loop {
            let end = match next {
                Ok(Some(chunk)) => {
                    let number = delivered + window.len();
                    window.push_back(None);
                    let sender = sender.clone();
                    scope.spawn(move |_| {
                        let span = Span::of(&chunk);
                        // A panic has to be passed on to the receiver, who would wait for this result for ever.
                        let value = catch_unwind(AssertUnwindSafe(|| job(&chunk)));
                        // Nobody receives it when the scan has been stopped.
                        let _ = sender.send((number, span, value, chunk.into_buffer()));
                    });
                    None
                }
                Ok(None) => Some(Ok(ControlFlow::Continue(()))),
                Err(error) => Some(Err(error)),
            };
            let room = if end.is_some() || source.is_slow() { 0 } else { in_flight - 1 };
            while window.len() > room {
                let (number, span, value, buffer) = receiver.recv().expect("a sender is held here");
                buffers.extend(buffer);
                window[number - delivered] = Some((span, value.unwrap_or_else(|panic| resume_unwind(panic))));
                while let Some((span, value)) = window.front_mut().and_then(Option::take) {
                    window.pop_front();
                    delivered += 1;
                    if deliver(span, value).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            if let Some(end) = end {
                return end;
            }
            next = source.next(buffers.pop());
        }
    })
}
