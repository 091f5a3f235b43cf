//! The line numbers of chunks that are scanned in parallel.
//!
//! The number of a chunk's first line is known once the lines of all chunks before it are counted. Each
//! worker counts the lines of its own chunk, which a scan does anyway, and the chunks before were started
//! earlier. So workers hardly ever wait, and no pass over the bytes serves this alone.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Hands out the line numbers of an input's chunks, in order.
#[derive(Clone, Debug)]
pub(crate) struct LineNumbers(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    is_known: Condvar,
}

#[derive(Debug)]
struct State {
    /// The chunks in flight, in order. The first line of the first chunk is known.
    chunks: VecDeque<Lines>,
    /// The number of the first chunk in `chunks`, counted from 0.
    first: u64,
    /// The number of the first line after these chunks, if it is known.
    next: Option<u64>,
}

#[derive(Debug)]
struct Lines {
    first: Option<u64>,
    count: Option<u64>,
    /// True if `first` is no longer needed.
    is_done: bool,
}

impl LineNumbers {
    /// Numbers lines from `first`.
    pub(crate) fn from(first: u64) -> Self {
        let state = State { chunks: VecDeque::new(), first: 0, next: Some(first) };
        LineNumbers(Arc::new(Shared { state: Mutex::new(state), is_known: Condvar::new() }))
    }

    /// Returns the numbering of the next chunk.
    pub(crate) fn next(&self) -> ChunkLineNumbers {
        let mut state = self.0.lock();
        let first = state.next.take();
        state.chunks.push_back(Lines { first, count: None, is_done: false });
        ChunkLineNumbers { chunk: state.first + state.chunks.len() as u64 - 1, shared: self.0.clone() }
    }
}

/// The line numbers of one chunk. Later chunks wait until its lines are counted, or until it is dropped.
#[derive(Debug)]
pub(crate) struct ChunkLineNumbers {
    shared: Arc<Shared>,
    chunk: u64,
}

impl ChunkLineNumbers {
    /// Returns the 1-based number of the chunk's first line. Waits until the lines of the chunks before are
    /// counted.
    pub(crate) fn first(&self) -> u64 {
        let mut state = self.shared.lock();
        loop {
            if let Some(first) = state.lines(self.chunk).first {
                return first;
            }
            state = self.shared.is_known.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sets the number of lines that end in the chunk. Only the first call counts.
    pub(crate) fn tell(&self, count: impl FnOnce() -> u64) {
        let is_known = self.shared.lock().lines(self.chunk).count.is_some();
        if !is_known {
            let count = count();
            self.shared.lock().tell(self.chunk, count);
            self.shared.is_known.notify_all();
        }
    }
}

impl ChunkLineNumbers {
    /// Takes back the count of the chunk's lines. The count must be set again, and later chunks wait for
    /// that.
    #[cfg_attr(not(feature = "mmap"), allow(dead_code, reason = "what is read does not change"))]
    pub(crate) fn retract(&self) {
        self.shared.lock().retract(self.chunk);
    }
}

impl Drop for ChunkLineNumbers {
    fn drop(&mut self) {
        // The lines are uncounted only if the job panicked.
        self.tell(|| 0);
        self.shared.lock().finish(self.chunk);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn lines(&mut self, chunk: u64) -> &mut Lines {
        &mut self.chunks[(chunk - self.first) as usize]
    }

    fn retract(&mut self, chunk: u64) {
        self.lines(chunk).count = None;
        let next = (chunk - self.first) as usize + 1;
        self.chunks.range_mut(next..).for_each(|lines| lines.first = None);
        self.next = None;
    }

    fn tell(&mut self, chunk: u64, count: u64) {
        self.lines(chunk).count = Some(count);
        // Numbers that only lacked this count become known, chunk by chunk.
        for i in (chunk - self.first) as usize..self.chunks.len() {
            let Lines { first: Some(first), count: Some(count), .. } = self.chunks[i] else { return };
            match self.chunks.get_mut(i + 1) {
                Some(next) => next.first = Some(first + count),
                None => self.next = Some(first + count),
            }
        }
    }

    fn finish(&mut self, chunk: u64) {
        self.lines(chunk).is_done = true;
        while self.chunks.front().is_some_and(|lines| lines.is_done) {
            self.chunks.pop_front();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_numbered_when_those_before_it_are_counted() {
        let numbers = LineNumbers::from(1);
        let [one, two, three] = [(); 3].map(|()| numbers.next());
        assert_eq!(one.first(), 1);
        three.tell(|| 5);
        two.tell(|| 20);
        assert_eq!(two.shared.lock().lines(1).first, None);
        one.tell(|| 300);
        one.tell(|| 7);
        assert_eq!((two.first(), three.first()), (301, 321));
        drop((two, one));
        assert_eq!(numbers.next().first(), 326);
        assert_eq!(three.first(), 321);
    }

    #[test]
    fn a_chunk_that_is_counted_again_numbers_the_next_ones_anew() {
        let numbers = LineNumbers::from(1);
        let (one, two) = (numbers.next(), numbers.next());
        one.tell(|| 300);
        two.tell(|| 20);
        assert_eq!(two.first(), 301);
        one.retract();
        assert_eq!(two.shared.lock().lines(1).first, None);
        let three = numbers.next();
        assert_eq!(three.shared.lock().lines(2).first, None);
        one.tell(|| 1);
        assert_eq!((two.first(), three.first()), (2, 22));
        assert_eq!(one.first(), 1);
    }

    #[test]
    fn a_chunk_that_nobody_counted_holds_nobody_up() {
        let numbers = LineNumbers::from(1);
        let (one, two) = (numbers.next(), numbers.next());
        let waiting = std::thread::spawn(move || two.first());
        drop(one);
        assert_eq!(waiting.join().unwrap(), 1);
    }
}
