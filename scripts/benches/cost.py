"""What the library costs the program that uses it: seconds to build, and bytes of the program.

Builds three programs as a release, each for the first time: one without the library, one with `is_valid`, and
one with `Validator::scan`. Prints the processor's seconds of each build, and the bytes of each stripped
program. The library has its default features.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from .places import ROOT
from .tables import print_table

READS = "let mut input = Vec::new(); std::io::Read::read_to_end(&mut std::io::stdin(), &mut input).unwrap();"
PROGRAMS = {
    "without it": "println!(\"{}\", input.len());",
    "with `is_valid`": "println!(\"{}\", urivalidate::is_valid(urivalidate::Grammar::Uri, &input));",
    "with `Validator::scan`": """
        let mut batch = urivalidate::Batch::new();
        let validator = urivalidate::Validator::new(urivalidate::Grammar::Uri);
        validator.scan(&input, urivalidate::Columns::ALL, &mut batch).unwrap();
        println!("{}", batch.valid_count());""",
}
MANIFEST = """
[package]
name = "cost"
edition = "2024"
[dependencies]
{dependency}
[profile.release]
strip = true
[workspace]
"""


def add_arguments(parser):
    """There are no arguments."""


def cost(directory, dependency, code):
    """The processor's seconds to build a program, and its bytes."""
    (directory / "src").mkdir(parents=True)
    (directory / "Cargo.toml").write_text(MANIFEST.format(dependency=dependency))
    (directory / "src/main.rs").write_text(f"fn main() {{ {READS} {code} }}\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CARGO_")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=directory, env=environment | {"CARGO_TARGET_DIR": "target"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit("bench cost: the program does not build")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, (directory / "target/release/cost").stat().st_size


def main(_):
    library = f'urivalidate = {{ path = "{ROOT}" }}'
    rows, first = [], None
    with tempfile.TemporaryDirectory() as work:
        for number, (name, code) in enumerate(PROGRAMS.items()):
            seconds, size = cost(Path(work) / str(number), library if number else "", code)
            first = first or (seconds, size)
            rows.append([name, f"{seconds - first[0]:.0f}" if number else "", f"{(size - first[1]) / 1000:,.0f} KB more" if number else f"{size / 1000:,.0f} KB"])
    print_table(["program", "seconds of the processor", "size"], rows)
