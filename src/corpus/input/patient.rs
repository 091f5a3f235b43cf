//! A stream on which a caller can wait for a limited time.
//!
//! A thread makes the read while the caller waits. If no bytes come in time, the read goes on, and the next
//! read of the caller takes its bytes.

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The number of bytes that a thread reads at once.
const READ: usize = 64 << 10;

/// A stream that a thread can read while its caller waits.
pub(crate) struct Patient {
    stream: Arc<Mutex<dyn Read + Send>>,
    pending: Option<Pending>,
    /// What a thread has read, until all of it has been handed out.
    came: Option<io::Result<Vec<u8>>>,
    /// The number of these bytes that have been handed out.
    at: usize,
}

/// A read that a thread makes.
struct Pending {
    thread: JoinHandle<io::Result<Vec<u8>>>,
    /// Disconnected when the thread ends. Nothing is ever sent.
    end: Receiver<()>,
}

impl Patient {
    pub(crate) fn new(stream: impl Read + Send + 'static) -> Self {
        Patient { stream: Arc::new(Mutex::new(stream)), pending: None, came: None, at: 0 }
    }

    /// Waits at most this long for bytes, the end or an error. Returns false if none came, or if the system
    /// refuses a thread.
    pub(crate) fn wait(&mut self, time: Duration) -> bool {
        if self.came.is_some() {
            return true;
        }
        if self.pending.is_none() {
            self.pending = self.begin().ok();
        }
        let Some(pending) = &self.pending else { return false };
        if pending.end.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            return false;
        }
        self.finish();
        true
    }

    /// Lets a thread read the next bytes.
    fn begin(&self) -> io::Result<Pending> {
        let stream = Arc::clone(&self.stream);
        let (sender, end) = mpsc::channel();
        let read = move || {
            let _sender = sender;
            let mut bytes = vec![0; READ];
            let count = stream.lock().unwrap_or_else(PoisonError::into_inner).read(&mut bytes)?;
            bytes.truncate(count);
            Ok(bytes)
        };
        Ok(Pending { thread: thread::Builder::new().spawn(read)?, end })
    }

    /// Takes what the thread has read, and waits for it if necessary.
    fn finish(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.came = Some(pending.thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            self.at = 0;
        }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.finish();
        let Some(came) = self.came.take() else {
            return self.stream.lock().unwrap_or_else(PoisonError::into_inner).read(buffer);
        };
        let bytes = came?;
        let rest = &bytes[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        if self.at < bytes.len() {
            self.came = Some(Ok(bytes));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that waits for each of its bytes.
    struct Slow(Receiver<io::Result<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Ok(byte) = self.0.recv() else { return Ok(0) };
            buffer[0] = byte?;
            Ok(1)
        }
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(1);

    #[test]
    fn a_wait_ends_with_bytes_or_with_the_time() {
        let (sender, receiver) = mpsc::channel();
        let mut stream = Patient::new(Slow(receiver));
        let mut buffer = [0; 4];
        assert!(!stream.wait(SHORT) && !stream.wait(SHORT), "nothing came");
        sender.send(Ok(b'a')).unwrap();
        assert!(stream.wait(LONG) && stream.wait(SHORT), "it came, and waits to be read");
        assert_eq!((stream.read(&mut buffer).unwrap(), buffer[0]), (1, b'a'));
        // A read without a wait, and one that takes over a wait.
        sender.send(Ok(b'b')).unwrap();
        assert_eq!((stream.read(&mut buffer).unwrap(), buffer[0]), (1, b'b'));
        assert!(!stream.wait(SHORT));
        sender.send(Ok(b'c')).unwrap();
        assert_eq!((stream.read(&mut buffer).unwrap(), buffer[0]), (1, b'c'));
        // Errors and the end count as bytes.
        sender.send(Err(io::Error::other("gone"))).unwrap();
        assert!(stream.wait(LONG));
        assert_eq!(stream.read(&mut buffer).unwrap_err().to_string(), "gone");
        drop(sender);
        assert!(stream.wait(LONG));
        assert_eq!(stream.read(&mut buffer).unwrap(), 0);
        assert_eq!(stream.read(&mut buffer).unwrap(), 0);
    }

    #[test]
    fn bytes_come_in_order_into_small_buffers() {
        let text: Vec<u8> = (0..=255).cycle().take(3 * READ + 5).collect();
        let mut stream = Patient::new(io::Cursor::new(text.clone()));
        let (mut found, mut buffer) = (Vec::new(), [0; 1000]);
        loop {
            if found.len() % 3 == 0 {
                assert!(stream.wait(LONG));
            }
            let count = stream.read(&mut buffer).unwrap();
            found.extend_from_slice(&buffer[..count]);
            if count == 0 {
                break;
            }
        }
        assert!(found == text);
    }

    #[test]
    fn a_panic_of_the_stream_goes_on() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("broken")
            }
        }
        let panic = std::panic::catch_unwind(|| Patient::new(Broken).wait(LONG)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"broken"));
    }
}
