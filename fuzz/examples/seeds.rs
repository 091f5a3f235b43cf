//! Writes the tests' cases into a directory, a file each, for a fuzzer to start from.

#[path = "../../tests/backends/cases.rs"]
mod cases;

fn main() -> std::io::Result<()> {
    let directory = std::path::PathBuf::from(std::env::args_os().nth(1).expect("a directory"));
    std::fs::create_dir_all(&directory)?;
    for (number, case) in cases::CASES.iter().enumerate() {
        std::fs::write(directory.join(format!("case-{number:03}")), case)?;
    }
    std::fs::write(directory.join("cases"), cases::CASES.join(&b'\n'))
}
