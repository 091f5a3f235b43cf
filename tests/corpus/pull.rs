//! Tests scans whose results are pulled, against the inputs.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use urivalidate::corpus::{
    Chunk, FileEvent, FoundRecord, Input, NotValid, Reading, ReadingOptions, Records, Scanner,
};
use urivalidate::{ErrorKind, Grammar, parse};

const LONG: Duration = Duration::from_secs(60);

fn reading(format: &str) -> Reading {
    Reading::new(ReadingOptions { format, ..ReadingOptions::default() }).unwrap()
}

/// Returns a scanner for small chunks, so that there are many of them.
fn scanner(reading: &Reading, threads: usize) -> Scanner {
    let scanner = reading.scanner().chunk_size(100);
    #[cfg(feature = "rayon")]
    let scanner = scanner.threads(threads);
    #[cfg(not(feature = "rayon"))]
    let _ = threads;
    scanner
}

fn records(format: &str, threads: usize, inputs: Vec<Input<'static>>) -> Records {
    let reading = reading(format);
    scanner(&reading, threads).records(reading, inputs).unwrap()
}

fn input(name: &str, bytes: impl AsRef<[u8]>) -> Input<'static> {
    Input::reader(name, io::Cursor::new(bytes.as_ref().to_vec()))
}

/// A reader of endless valid records, which counts its reads and says when it is dropped.
struct Endless {
    reads: Arc<AtomicUsize>,
    _dropped: Sender<()>,
}

impl Endless {
    fn new() -> (Self, Arc<AtomicUsize>, Receiver<()>) {
        let (sender, receiver) = channel();
        let reads = Arc::new(AtomicUsize::new(0));
        (Endless { reads: reads.clone(), _dropped: sender }, reads, receiver)
    }
}

impl Read for Endless {
    fn read(&mut self, mut buffer: &mut [u8]) -> io::Result<usize> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        buffer.write(b"http://example.com/\n")
    }
}

#[test]
fn records_come_in_the_order_of_inputs_and_lines() {
    let lists: Vec<String> = (0..3)
        .map(|list| {
            let line =
                |number: u32| format!("{}://h{list}/{number}\n", if number % 7 == 3 { "3" } else { "s" });
            (0..500 * list).map(line).collect()
        })
        .collect();
    for threads in [1, 3] {
        let inputs = lists.iter().map(|list| input("list", list)).collect();
        let found: Vec<_> = records("lines", threads, inputs).map(Result::unwrap).collect();
        let expected = lists.iter().enumerate().flat_map(|(number, list)| {
            list.lines().enumerate().map(move |(line, record)| (number, line as u64 + 1, record.as_bytes()))
        });
        let places = found.iter().map(|found| (found.input, found.line, &found.bytes[..]));
        assert!(places.eq(expected), "{threads} threads");
        for FoundRecord { bytes, verdict, column, .. } in &found {
            assert_eq!(*column, 1);
            match verdict {
                Ok(components) => assert_eq!(parse(Grammar::Uri, bytes), Ok(*components)),
                Err(NotValid::Invalid { error, column, .. }) => {
                    assert_eq!(parse(Grammar::Uri, bytes), Err(*error));
                    assert_eq!(*column, error.offset() as u64 + 1);
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[test]
fn lines_that_do_not_fit_stand_among_the_records() {
    let log = "garbage\n{\"url\":\"http://h/\"}\n{\"url\":\"no uri\"}\nmore\n".repeat(20);
    let found: Vec<_> = records("jsonl", 2, vec![input("log", &log)]).map(Result::unwrap).collect();
    assert_eq!(found.len(), 80);
    for (index, found) in found.iter().enumerate() {
        assert_eq!(found.line, index as u64 + 1);
        match (index % 4, &found.verdict) {
            (0 | 3, Err(NotValid::Malformed(reason))) => {
                assert!(!reason.is_empty() && found.bytes.is_empty())
            }
            (1, Ok(_)) => {
                let record = found.record().unwrap();
                assert_eq!((record.host(), record.text()), (Some(&b"h"[..]), &b"http://h/"[..]));
                assert_eq!(found.column, 9);
            }
            (2, Err(NotValid::Invalid { error, column, .. })) => {
                assert_eq!((error.kind(), *column), (ErrorKind::MissingScheme, 9 + error.offset() as u64));
                assert!(found.record().is_none());
            }
            (_, other) => panic!("line {}: {other:?}", found.line),
        }
    }
}

#[test]
fn records_over_the_limit_are_invalid() {
    let reading = reading("lines");
    let list = format!("http://h/{}\nhttp://i/\n", "a".repeat(5000));
    let scanner = scanner(&reading, 1).max_record(50);
    let found: Vec<_> =
        scanner.records(reading, [input("list", list)]).unwrap().map(Result::unwrap).collect();
    let Err(NotValid::Invalid { error, .. }) = &found[0].verdict else { panic!("{:?}", found[0]) };
    assert_eq!(error.kind(), ErrorKind::RecordTooLong);
    assert_eq!((found[1].line, found.len()), (2, 2));
    assert!(found[1].verdict.is_ok());
}

#[test]
fn an_error_of_an_input_comes_after_its_records_and_before_the_next_input() {
    let failing = io::Cursor::new(b"http://a/\n").chain(Failing);
    let inputs = vec![
        Input::reader("broken", failing),
        Input::path("no-such-file"),
        input("whole", "http://b/\nhttp://c/\n"),
    ];
    let items = records("lines", 1, inputs).map(|item| match item {
        Ok(found) => String::from_utf8(found.bytes).unwrap(),
        Err(error) => error.to_string().split_inclusive(": ").next().unwrap().to_owned(),
    });
    let items: Vec<_> = items.collect();
    assert_eq!(items, ["http://a/", "broken: ", "no-such-file: ", "http://b/", "http://c/"]);
}

struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("no more"))
    }
}

#[test]
fn a_scan_waits_for_its_consumer_and_ends_with_it() {
    for threads in [1, 2] {
        let (endless, reads, dropped) = Endless::new();
        let mut found = records("lines", threads, vec![Input::reader("endless", endless)]);
        assert!(found.by_ref().take(10).all(|found| found.unwrap().verdict.is_ok()));
        // The reads become fewer and stop, because nobody pulls.
        let mut last = usize::MAX;
        while last != reads.load(Ordering::Relaxed) {
            last = reads.load(Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(200));
        }
        assert!(last < 10_000, "{last} reads");
        assert!(dropped.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty), "the scan has not ended");
        drop(found);
        // Receives an error when the reader is dropped.
        assert_eq!(dropped.recv_timeout(LONG), Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
    }
}

#[test]
fn the_consumer_may_feed_the_input() {
    struct Fed(Receiver<Vec<u8>>);

    impl Read for Fed {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = self.0.recv().unwrap_or_default();
            buffer[..line.len()].copy_from_slice(&line);
            Ok(line.len())
        }
    }

    let (sender, receiver) = channel();
    let line = |number: usize| format!("http://h/{number}\n").into_bytes();
    sender.send(line(0)).unwrap();
    let mut found = records("lines", 1, vec![Input::reader("fed", Fed(receiver))]);
    for number in 0..50 {
        let record = found.next().unwrap().unwrap();
        assert_eq!(record.bytes, line(number).trim_ascii_end());
        sender.send(line(number + 1)).unwrap();
    }
    drop(sender);
    assert_eq!(found.count(), 1);
}

#[test]
fn events_name_their_input() {
    let count = |input: usize, chunk: &Chunk<'_>| (input, chunk.bytes().len());
    let inputs = [input("a", "x\n".repeat(300)), Input::path("no-such-file"), input("b", "")];
    let mut bytes = [0; 3];
    let mut ends = Vec::new();
    for event in scanner(&reading("lines"), 2).pull(inputs, count).unwrap() {
        match event.unwrap() {
            (number, FileEvent::Result((input, len))) => {
                assert_eq!(number, input);
                bytes[number] += len;
            }
            (number, FileEvent::End { status, .. }) => ends.push((number, status.is_ok())),
            _ => {}
        }
    }
    assert_eq!(bytes, [600, 0, 0]);
    assert_eq!(ends, [(0, true), (1, false), (2, true)]);
}

#[test]
fn a_panic_of_a_job_reaches_the_consumer() {
    for threads in [1, 2] {
        let job = |_: usize, chunk: &Chunk<'_>| assert!(chunk.base() < 1000, "too far");
        let pull = scanner(&reading("lines"), threads).pull([input("a", "x\n".repeat(5000))], job).unwrap();
        let pulled = catch_unwind(AssertUnwindSafe(|| pull.map(Result::unwrap).count()));
        let message = pulled.unwrap_err();
        assert_eq!(message.downcast_ref::<&str>(), Some(&"too far"));
    }
}

#[test]
fn polls_do_not_wait_and_are_woken() {
    #[derive(Default)]
    struct Bell(Mutex<bool>, Condvar);

    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            *self.0.lock().unwrap() = true;
            self.1.notify_all();
        }
    }

    let (endless, _reads, _dropped) = Endless::new();
    let list = Read::take(endless, 100_000);
    let mut pull = scanner(&reading("lines"), 2)
        .pull([Input::reader("list", list)], |_, chunk: &Chunk<'_>| chunk.bytes().len())
        .unwrap();
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let mut bytes = 0;
    loop {
        match pull.poll_next(&mut Context::from_waker(&waker)) {
            Poll::Ready(Some(event)) => {
                if let (_, FileEvent::Result(len)) = event.unwrap() {
                    bytes += len;
                }
            }
            Poll::Ready(None) => break,
            Poll::Pending => {
                let rung = bell.0.lock().unwrap();
                let (mut rung, timeout) = bell.1.wait_timeout_while(rung, LONG, |rung| !*rung).unwrap();
                assert!(!timeout.timed_out(), "nobody woke the task");
                *rung = false;
            }
        }
    }
    assert_eq!(bytes, 100_000);
    assert!(pull.poll_next(&mut Context::from_waker(&waker)).is_ready());
    assert!(pull.next().is_none());
}
