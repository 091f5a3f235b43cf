"""Lists of URLs to measure with."""

import itertools
import subprocess
import sys

from .places import BENCHES, ROOT

GENERATOR = ROOT / "scripts" / "gen-corpus"


def write_generated(file, *options):
    """Writes a list of scripts/gen-corpus to an open file."""
    print("+", GENERATOR, *options, file=sys.stderr)
    if subprocess.run([GENERATOR, *options], stdout=file).returncode != 0:
        sys.exit("bench: gen-corpus failed")


def kept(size):
    """The path of a generated list of this size. The list stays for the next run."""
    path = BENCHES / "data" / f"command-{size}.txt"
    if not path.exists() or path.stat().st_mtime < GENERATOR.stat().st_mtime:
        path.parent.mkdir(exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        with unfinished.open("wb") as out:
            write_generated(out, "--size", size)
        unfinished.rename(path)
    return path


def repeated(path, rows):
    """The lines of a file, repeated up to this number of rows."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
        lines = [line.rstrip("\n") for line in lines]
    return itertools.islice(itertools.cycle(lines), rows)
