//! Tests slips: an output in the place of the input, and options that do not exist.

use std::fs::File;
use std::process::Stdio;

use super::{Dir, command, finish, process, run};

/// The options that write a file.
const OUTPUTS: [&str; 6] =
    ["--valid", "--invalid", "--rest", "--errors", "--emit valid --output", "--report"];

/// Runs the command with this standard input, and returns the exit status and standard error.
fn run_on(dir: &Dir, args: &str, stdin: Stdio) -> (Option<i32>, String) {
    let mut process = process();
    let output = process.args(args.split_whitespace()).current_dir(dir.path()).stdin(stdin).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[track_caller]
fn is_kept(dir: &Dir, output: &str, stdin: Stdio, what: &str) {
    let (status, error) = run_on(dir, &format!("{output} urls.txt"), stdin);
    let option = output.rsplit(' ').next().unwrap();
    let message = format!(
        "error: {option} would overwrite urls.txt, but no FILE names an input, and standard input is {what}; "
    );
    assert!(status == Some(2) && error.starts_with(&message), "{output}: {status:?} {error}");
    assert_eq!(std::fs::read(dir.path().join("urls.txt")).unwrap(), b"urn:a\n", "{output}");
}

#[test]
fn an_output_with_content_is_kept_if_there_is_nothing_to_read() {
    let dir = Dir::new();
    dir.write("urls.txt", "urn:a\n");
    dir.write("empty", "");
    let open = |name: &str| Stdio::from(File::open(dir.path().join(name)).unwrap());
    for output in OUTPUTS {
        is_kept(&dir, output, open("empty"), "an empty file");
        #[cfg(unix)]
        {
            is_kept(&dir, output, Stdio::from(File::open("/dev/null").unwrap()), "/dev/null");
            is_kept(&dir, output, open("."), "a directory");
        }
    }
    // No other output was created before the error.
    let (status, _) = run_on(&dir, "--valid new --errors urls.txt --report page", open("empty"));
    assert_eq!(status, Some(2));
    assert!(!dir.path().join("new").exists() && !dir.path().join("page").exists());
    // A file that was read to its end has nothing left.
    #[cfg(unix)]
    {
        use std::io::Read;
        let mut read = File::open(dir.path().join("urls.txt")).unwrap();
        read.read_to_end(&mut Vec::new()).unwrap();
        is_kept(&dir, "--valid", Stdio::from(read), "an empty file");
    }
}

// Not under an emulator, which may not know the calls.
#[cfg(all(unix, target_arch = "x86_64"))]
#[test]
fn an_output_with_content_is_kept_if_standard_input_is_a_terminal() {
    let dir = Dir::new();
    dir.write("urls.txt", "urn:a\n");
    for output in OUTPUTS {
        let (_terminal, stdin) = super::progress::open_terminal();
        is_kept(&dir, output, Stdio::from(stdin), "a terminal");
    }
}

#[test]
fn an_output_is_emptied_if_the_input_is_named_or_is_a_pipe() {
    let dir = Dir::new();
    let write = || {
        dir.write("old", "urn:old\n");
        dir.write("empty", "");
        dir.write("list", "urn:a\n");
        File::open(dir.path().join("empty")).unwrap()
    };
    for args in ["--valid old -", "--valid old empty", "--valid old --files-from names", "--valid old -r d"] {
        let empty = write();
        std::fs::create_dir_all(dir.path().join("d")).unwrap();
        dir.write("d/empty", "");
        dir.write("names", "empty\n");
        let ran = run_on(&dir, &format!("--no-notes {args}"), Stdio::from(empty));
        assert_eq!(ran, (Some(0), String::new()), "{args}");
        assert_eq!(std::fs::read(dir.path().join("old")).unwrap(), b"", "{args}");
    }
    // An empty pipe is an input.
    write();
    dir.run("--valid old").expect(0, "", "");
    assert_eq!(std::fs::read(dir.path().join("old")).unwrap(), b"");
    // A file with content is an input, and an empty output or a device has nothing to lose.
    write();
    let list = File::open(dir.path().join("list")).unwrap();
    assert_eq!(run_on(&dir, "--valid old", Stdio::from(list)).0, Some(0));
    assert_eq!(std::fs::read(dir.path().join("old")).unwrap(), b"urn:a\n");
    dir.write("blank", "");
    for output in ["blank", "new", "-"] {
        let (status, error) = run_on(&dir, &format!("--no-notes --valid {output}"), Stdio::from(write()));
        assert_eq!((status, &*error), (Some(0), ""), "{output}");
    }
    #[cfg(unix)]
    assert_eq!(run_on(&dir, "--valid /dev/null", Stdio::null()).0, Some(0));
}

#[test]
fn tips_answer_what_people_try() {
    for (tried, tip) in [
        ("--url", "'--explain URI' checks one URI"),
        ("--uri=urn:a", "'--explain URI' checks one URI"),
        ("--column", "'--field N' checks this column of a table"),
        ("--verbose", "each error is written without an option"),
        ("-v", "each error is written without an option"),
        ("--separator", "'--delimiter C' sets the character between cells"),
        ("--format", "'--from FORMAT' names the format of the input"),
        ("--skip-header", "'--header yes' says that the first line"),
    ] {
        let refused = run(&format!("{tried} urls.txt"), "");
        assert_eq!((refused.status, refused.text()), (2, ""), "{tried}");
        assert!(refused.stderr.contains(&format!("tip: {tip}")), "{tried}: {}", refused.stderr);
    }
}

#[test]
fn no_tip_names_an_option_that_writes_a_file() {
    for tried in [
        "--verbose",
        "--error",
        "--erors",
        "--outptu",
        "--out",
        "--valids",
        "--vald",
        "--inavlid",
        "--resst",
        "--reprot",
        "--valid-only",
        "--report-file",
    ] {
        let error = run(&format!("{tried} urls.txt"), "").stderr;
        for output in ["--output", "--valid", "--invalid", "--rest", "--errors", "--report"] {
            let quoted = format!("'{output}");
            let is_named = error
                .match_indices(&quoted)
                .any(|(at, _)| error[at + quoted.len()..].starts_with([' ', '\'']));
            assert!(!is_named && !error.contains(&format!("{output} <FILE>")), "{tried}: {error}");
        }
    }
    // Other options are named.
    assert!(run("--gramar iri", "").stderr.contains("--grammar"));
}

#[test]
fn an_output_that_is_requested_twice_is_an_error() {
    let dir = Dir::new();
    dir.write("list", "urn:a\n");
    for args in [
        "--emit valid --emit invalid",
        "--emit valid --emit valid",
        "--count host --count scheme",
        "--valid a --valid b",
        "--invalid a --invalid b",
        "--rest a --rest b",
        "--errors a --errors b",
        "--emit valid -o a --output b",
        "--report a --report b",
    ] {
        let refused = finish(command().current_dir(dir.path()).args(args.split(' ')).arg("list"));
        assert_eq!((refused.status, refused.text()), (2, ""), "{args}");
        assert!(refused.stderr.contains("cannot be used multiple times"), "{args}: {}", refused.stderr);
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no output was created");
}

#[test]
fn jobs_are_threads() {
    assert_eq!(run("--jobs 3 --stats=json", "urn:a\n").json()["threads"], 3);
}

/// Tests that an output which is put in its place at the end is not lost without a word, whatever is in it.
#[test]
fn an_output_that_stays_as_it_was_says_so() {
    let dir = Dir::new();
    dir.write("list", "http://h/\nbad\n");
    let says = |args: &str, text: &str| {
        let run = dir.run(&format!("{args} list missing"));
        let expected = format!("urivalidate: out: {text}, because the run failed; ");
        let line = run.stderr.lines().find(|line| line.starts_with(&expected));
        assert_eq!(run.status, 2, "{args}");
        line.unwrap_or_else(|| panic!("{args}: {}", run.stderr))[expected.len()..].to_owned()
    };
    for (args, keeps) in [
        ("--emit valid", "--valid FILE, or a shell's >, keeps the rows that could be read"),
        ("--emit invalid", "--invalid FILE, or a shell's >, keeps the rows that could be read"),
        ("--emit errors", "--errors FILE, or a shell's >, keeps the rows that could be read"),
        ("", "--errors FILE, or a shell's >, keeps the rows that could be read"),
        ("--emit host", "a shell's > keeps the rows that could be read"),
        ("--count host", "a shell's > keeps the rows that could be read"),
        ("--emit components --to csv", "a shell's > keeps the rows that could be read"),
    ] {
        assert_eq!(says(&format!("{args} -o out"), "is not written"), keeps);
        assert!(!dir.path().join("out").exists(), "{args}");
    }
    dir.write("out", "old");
    says("--emit valid -o out", "stays as it was");
    assert_eq!(std::fs::read(dir.path().join("out")).unwrap(), b"old");
    // What the advice says is true.
    assert_eq!(dir.run("--emit none --valid kept list missing").status, 2);
    assert_eq!(std::fs::read(dir.path().join("kept")).unwrap(), b"http://h/\n");
    // A pipe or a device has what was written.
    let run = dir.run("--emit valid --output - list missing");
    assert_eq!((run.status, run.text()), (2, "http://h/\n"));
    assert!(!run.stderr.contains("because the run failed"), "{}", run.stderr);
    // A page is complete even then.
    assert_eq!(dir.run("--report page.html list missing").status, 2);
    assert!(std::fs::read_to_string(dir.path().join("page.html")).unwrap().ends_with("</html>"));
}
