//! Tests the capacity of the pipes that the command reads and writes.

use std::io::{self, Read, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};

/// The capacity that the command asks for.
const WIDE: usize = 1 << 20;

/// Tests that both pipes hold more while the command runs, and that no record is lost.
#[test]
fn standard_streams_are_widened() {
    let ((input, mut to), (mut from, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
    let mut child =
        crate::process().args(["-", "--emit", "valid"]).stdin(input).stdout(output).spawn().unwrap();
    to.write_all(b"http://a/\nhttp://b/ \n").unwrap();
    wait_for_capacity(&to, WIDE);
    wait_for_capacity(&from, WIDE);
    to.write_all(b"http://c/\n").unwrap();
    drop(to);
    let mut found = Vec::new();
    from.read_to_end(&mut found).unwrap();
    assert_eq!(found, b"http://a/\nhttp://c/\n");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Tests that a pipe that holds more than the command would ask for keeps its capacity.
#[test]
fn a_wider_pipe_is_left_alone() {
    let (input, mut to) = io::pipe().unwrap();
    // Only privileged processes may have such a pipe.
    let Ok(capacity) = fcntl_setpipe_size(&to, 4 * WIDE) else { return };
    to.write_all(b"http://a/\n").unwrap();
    let (mut from, output) = io::pipe().unwrap();
    let mut child =
        crate::process().args(["-", "--emit", "valid"]).stdin(input).stdout(output).spawn().unwrap();
    // The command is reading when it writes.
    let mut found = [0; 10];
    from.read_exact(&mut found).unwrap();
    assert_eq!((&found, fcntl_getpipe_size(&to).unwrap()), (b"http://a/\n", capacity));
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Waits until a pipe has this capacity.
#[track_caller]
fn wait_for_capacity(pipe: &impl std::os::fd::AsFd, capacity: usize) {
    let begin = Instant::now();
    loop {
        let found = fcntl_getpipe_size(pipe).unwrap();
        if found == capacity {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "the pipe holds {found} bytes");
        sleep(Duration::from_millis(1));
    }
}
