//! Tests statistics on a terminal, whose width they fit.

use std::process::Stdio;

use rustix::termios::{Winsize, tcsetwinsize};
use unicode_width::UnicodeWidthStr;

use super::progress::{open_terminal, read_all};
use super::{Dir, process};

/// Returns the lines of the screen on a terminal of this width, without colours.
fn screen(dir: &Dir, args: &str, columns: u16) -> Vec<String> {
    let (terminal, stdout) = open_terminal();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).unwrap();
    let mut child = process()
        .args(args.split(' '))
        .current_dir(dir.path())
        .env("TERM", "xterm")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.wait().unwrap();
    read_all(terminal).lines().map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

#[test]
fn samples_fit_the_terminal_and_keep_their_marks_at_the_place() {
    let dir = Dir::new();
    let long = "abcdefghi/".repeat(40);
    let wide = "日本".repeat(100);
    let list = format!(
        "http://www.example.com/{long}\u{e9}{long}\nhttp://www.example.com/a|{long}\nhttp://h/{long} \nhttp://h/{wide}<{wide}\nhttp://h/%zz\n"
    );
    dir.write("list", list);
    for columns in [40, 60, 80, 200] {
        for args in ["--stats --color never list", "--stats=full --color never list"] {
            let lines = screen(&dir, args, columns);
            let places: Vec<_> =
                (0..lines.len()).filter(|&at| lines[at].starts_with("      list:")).collect();
            assert!(places.len() >= 4, "{lines:#?}");
            for at in places {
                let (sample, mark) = (&lines[at + 1], &lines[at + 2]);
                for line in &lines[at + 1..(at + 3).min(lines.len())] {
                    assert!(line.width() <= columns.into(), "{columns}: {line}");
                }
                // The mark is below the character with the error.
                let before = mark.find('^').unwrap();
                let mut column = 0;
                let marked = sample.chars().find(|char| {
                    column += char.to_string().width();
                    column > before
                });
                let expected = ['é', '|', ' ', '日', '<', 'z'];
                assert!(marked.is_none_or(|char| expected.contains(&char)), "{columns}: {sample}\n{mark}");
            }
            // The time of the run ends the screen.
            let end = lines
                .iter()
                .rposition(|line| line.starts_with(|first: char| first.is_ascii_digit()))
                .unwrap();
            assert!(
                lines[end..].iter().all(|line| line.width() <= columns.into()),
                "{columns}: {:?}",
                &lines[end..]
            );
            // A wide terminal shows more of a sample than a narrow one.
            let longest = lines.iter().map(|line| line.width()).max().unwrap();
            assert!(longest > usize::from(columns) - 16, "{columns}: {longest}");
        }
    }
}
