//! Chunks go to workers, results come back in order.

use std::io;
use std::ops::ControlFlow;

use super::chunk::Chunk;
use super::format::Layout;

/// Where chunks come from.
pub(super) trait Source<'a> {
    /// The next chunk, and none after the last.
    fn next(&mut self) -> io::Result<Option<Chunk<'a>>>;

    /// Takes back the buffer of a chunk that has been scanned.
    fn reuse(&mut self, buffer: Vec<u8>);

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
    pub(super) layout: Option<Layout>,
}

impl Span {
    fn of(chunk: &Chunk<'_>) -> Self {
        Span {
            base: chunk.base(),
            first_line: chunk.first_line(),
            len: chunk.bytes().len(),
            layout: chunk.layout.clone(),
        }
    }
}

/// Scans one chunk after the other on this thread.
pub(super) fn in_turn<'a, T>(
    source: &mut impl Source<'a>,
    job: &impl Fn(&Chunk<'_>) -> T,
    deliver: &mut impl FnMut(Span, T) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    while let Some(chunk) = source.next()? {
        if deliver(Span::of(&chunk), job(&chunk)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if let Some(buffer) = chunk.into_buffer() {
            source.reuse(buffer);
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// What may be under way at a time.
#[cfg(feature = "rayon")]
pub(super) struct Most {
    pub(super) chunks: usize,
    /// Once the chunks under way have so many bytes together, there is no further one: they exceed this by less than the
    /// last of them.
    pub(super) bytes: usize,
}

/// Scans chunks on the workers of `pool`, not more than `most` at a time, and delivers the results on this thread in the
/// order of the chunks. A chunk is under way until its result is delivered.
#[cfg(feature = "rayon")]
pub(super) fn on_pool<'a, T: Send>(
    pool: impl FnOnce() -> io::Result<&'a rayon::ThreadPool>,
    most: Most,
    source: &mut impl Source<'a>,
    job: &(impl Fn(&Chunk<'_>) -> T + Sync),
    deliver: &mut impl FnMut(Span, T) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    use std::collections::VecDeque;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::mpsc;

    let mut next = source.next();
    if let Ok(Some(chunk)) = &next
        && source.is_finished()
    {
        return Ok(deliver(Span::of(chunk), job(chunk)));
    }
    pool()?.in_place_scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        // The results not delivered yet, from chunk number `delivered` on; those not there yet are `None`.
        let mut window = VecDeque::new();
        let mut delivered = 0;
        // Bytes of the chunks in the window.
        let mut bytes = 0;
        loop {
            let end = match next {
                Ok(Some(chunk)) => {
                    let number = delivered + window.len();
                    window.push_back(None);
                    bytes += chunk.bytes().len();
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
            let waits_for_all = end.is_some() || source.is_slow();
            while !window.is_empty() && (waits_for_all || window.len() >= most.chunks || bytes >= most.bytes)
            {
                let (number, span, value, buffer) = receiver.recv().expect("a sender is held here");
                if let Some(buffer) = buffer {
                    source.reuse(buffer);
                }
                window[number - delivered] = Some((span, value.unwrap_or_else(|panic| resume_unwind(panic))));
                while let Some((span, value)) = window.front_mut().and_then(Option::take) {
                    window.pop_front();
                    delivered += 1;
                    bytes -= span.len;
                    if deliver(span, value).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            if let Some(end) = end {
                return end;
            }
            next = source.next();
        }
    })
}
