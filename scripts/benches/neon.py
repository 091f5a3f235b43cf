"""The instructions per byte of a list that NEON and scalar code for aarch64 take, in an emulator.

qemu writes a line for each instruction that it emulates. The difference between two runs is the cost of a
scan. The count does not tell the time, because a processor executes several instructions at once. Needs root
on Debian, as .ci/lanes/aarch64 does, and installs the packages that are missing.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from . import lists
from .commands import run
from .places import CACHE, ROOT
from .tables import print_table

TARGET = "aarch64-unknown-linux-gnu"
PACKAGES = ["rustc-web", "libstd-rust-web-dev:arm64", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user-static"]
EMULATOR = "qemu-aarch64-static"


def built():
    """Builds the program that scans a list. Returns its path."""
    run([ROOT / ".ci/install-packages", *PACKAGES])
    compiler = {
        "RUSTC": "/usr/bin/rustc",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER": "aarch64-linux-gnu-gcc",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS": "-C target-feature=+crt-static",
    }
    folder = CACHE / "aarch64-instructions"
    build = ["cargo", "build", "--release", "--manifest-path", ROOT / "benches/instructions/Cargo.toml", "--target", TARGET]
    run([*build, "--target-dir", folder], env=os.environ | compiler)
    return folder / TARGET / "release/urivalidate-instructions"


def trace_option():
    """The option for a line of each instruction, which has different names before qemu 8.1 and since."""
    said = subprocess.run([EMULATOR, "--help"], stdout=subprocess.PIPE, text=True).stdout
    return "-singlestep" if "\n-singlestep " in said else "-one-insn-per-tb"


def instructions(command):
    """The instructions of a run, and what it prints: the number of bytes."""
    with tempfile.TemporaryFile() as printed:
        with subprocess.Popen(command, stdout=printed, stderr=subprocess.PIPE) as emulator:
            # There are millions of lines, so grep counts them.
            counted = subprocess.run(["grep", "--count", "^Trace "], stdin=emulator.stderr, stdout=subprocess.PIPE, check=True)
        if emulator.returncode != 0:
            raise subprocess.CalledProcessError(emulator.returncode, command)
        printed.seek(0)
        return int(counted.stdout), int(printed.read())


def add_arguments(parser):
    parser.add_argument("list", nargs="?", metavar="LIST", help="(default: a generated list)")


def main(arguments):
    program = built()
    emulated = [EMULATOR, trace_option(), "-d", "nochain,exec", program]
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.list
        if path is None:
            path = Path(folder, "list")
            with path.open("wb") as out:
                lists.write_generated(out, "--size", "100K")
        rows = []
        for backend in ("scalar", "neon"):
            cells = []
            for columns in ("none", "records", "all"):
                # The first scan allocates memory.
                one, _ = instructions([*emulated, path, backend, columns, "1"])
                two, size = instructions([*emulated, path, backend, columns, "2"])
                cells.append(f"{(two - one) / size:.2f}")
            rows.append([backend, *cells])
    print_table(["backend", "verdicts", "records", "all columns"], rows)
