"""The cost of small inputs, compared with `wc -l`.

Prints the CPU time, the elapsed time and the instructions of a run for one URL, for one URL with --explain,
and for ten thousand files of a hundred lines; and the functions that take the instructions for one URL. The
runs take turns, and times are medians. valgrind, which lacks AVX-512, counts the instructions.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .commands import timed
from .medians import medians
from .places import ROOT
from .tables import print_table

RUNS = 41
RUNS_OF_FILES = 7
FILES = 10_000


def instructions(command, work):
    """The number of instructions, and the functions that take most of them."""
    profile = work / "profile"
    counted = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command]
    said = subprocess.run(counted, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False).stderr
    total = int(re.search(r"Collected : (\d+)", said)[1])
    annotated = subprocess.run(["callgrind_annotate", profile], capture_output=True, text=True, check=True).stdout
    shares = {}
    for count, function in re.findall(r"^ *([\d,]+) \([ \d.]+%\) +\S*?:([^:\[]\S*)", annotated, re.MULTILINE):
        shares[function] = shares.get(function, 0) + int(count.replace(",", ""))
    return total, sorted(shares.items(), key=lambda share: -share[1])[:5]


def add_arguments(parser):
    default = shutil.which("urivalidate") or str(ROOT / "target/release/urivalidate")
    parser.add_argument("command", nargs="?", metavar="COMMAND", default=default, help=f"(default {default})")


def main(arguments):
    command = arguments.command
    if shutil.which("valgrind") is None:
        sys.exit("bench startup: needs valgrind")
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        one = work / "one.txt"
        one.write_text("http://example.com/a?b\n")
        files = []
        (work / "files").mkdir()
        for number in range(FILES):
            files.append(work / "files" / str(number))
            files[-1].write_text("".join(f"https://h{number}.example/page/{line}\n" for line in range(100)))
        names = work / "names"
        names.write_text("\n".join(map(str, files)) + "\n")
        small = {
            "`wc -l`, one URL": ["wc", "-l", one],
            "one URL": [command, one],
            "one URL, `--stats`": [command, one, "--stats"],
            "`--explain`": [command, "--explain", "http://example.com/a?b"],
        }
        many = {
            f"`wc -l`, {FILES:,} files": ["wc", "-l", f"--files0-from={work / 'names0'}"],
            f"{FILES:,} files": [command, "--files-from", names, "--stats"],
        }
        (work / "names0").write_bytes(b"\0".join(os.fsencode(file) for file in files))
        rows = []
        quietly = functools.partial(timed, stderr=subprocess.DEVNULL)
        for name, (elapsed, used) in (medians(small, quietly, RUNS) | medians(many, quietly, RUNS_OF_FILES)).items():
            count = f"{instructions(small[name], work)[0] / 1e6:.2f} million" if name in small else ""
            rows.append([name, f"{elapsed * 1e3:.1f}", f"{used * 1e3:.1f}", count])
        print_table(["run", "ms", "ms of the processor", "instructions"], rows)
        total, functions = instructions(small["one URL"], work)
        print("\nOf the instructions of one URL:\n")
        for function, count in functions:
            print(f"- `{function}`: {count / total:.0%}")
