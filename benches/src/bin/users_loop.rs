//! The loop that a user would write, as a command: counts the valid lines of a file, with memchr and
//! fluent-uri.
//!
//! It reads a mebibyte at a time. Lines end with LF, so a CR before the LF makes a record invalid.

use std::fs::File;
use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

fn main() -> io::Result<()> {
    let path = std::env::args_os().nth(1).expect("users_loop FILE");
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    // The number of bytes of a line whose end has not been read yet.
    let mut kept = 0;
    let (mut valid, mut invalid) = (0u64, 0u64);
    loop {
        let count = file.read(&mut buffer[kept..])?;
        let len = kept + count;
        let whole = match memrchr(b'\n', &buffer[..len]) {
            Some(end) => end + 1,
            None => 0,
        };
        let mut start = 0;
        for end in memchr_iter(b'\n', &buffer[..whole]) {
            *if is_valid(&buffer[start..end]) { &mut valid } else { &mut invalid } += 1;
            start = end + 1;
        }
        if count == 0 {
            if len > whole {
                *if is_valid(&buffer[whole..len]) { &mut valid } else { &mut invalid } += 1;
            }
            break;
        }
        buffer.copy_within(whole..len, 0);
        kept = len - whole;
        if kept == buffer.len() {
            buffer.resize(2 * kept, 0);
        }
    }
    println!("{valid} valid, {invalid} invalid");
    Ok(())
}

fn is_valid(record: &[u8]) -> bool {
    std::str::from_utf8(record).is_ok_and(|record| fluent_uri::Uri::parse(record).is_ok())
}
