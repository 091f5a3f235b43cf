"""What threads do one after the other, and so how many cores a run can use, for each output.

One thread at a time cuts the input into chunks, and one thread delivers the results in order. For each output,
the script counts the instructions of a run on one thread by valgrind: those of the chunks, which any number of
threads share, and the others. It counts two lists of different lengths, so that the start of the program does
not matter. Counts are the same on a busy machine. Then it measures the CPU time with the output to /dev/null
and through a pipe to `cat`, because the write into a pipe is work of the delivering thread, too, and the wall
time of two and of sixteen threads in turns. Needs valgrind.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import lists
from .commands import built_command, check_status, timed
from .medians import medians
from .tables import print_table

OUTPUTS = [
    "--emit none",
    "--stats",
    "--emit host",
    "--emit normalized",
    "--emit components --to csv",
    "--emit components --to jsonl",
    "--emit components --to arrow",
    "--emit offsets --to arrow",
]
# The function that each thread calls with its chunk.
JOB = re.compile(r"([\d,]+) \(.*ChunkJob::run\b")
TOTAL = re.compile(r"([\d,]+) \(.*PROGRAM TOTALS")


def add_arguments(parser):
    parser.add_argument("--command", metavar="FILE", help="measure this program instead of building one")


def counted(command, options, path):
    """The instructions of a run on one thread outside of its chunks, and in them."""
    with tempfile.TemporaryDirectory() as work:
        profile = Path(work) / "profile"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", command, path, "--threads", "1", *options]
        subprocess.run(valgrind, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        annotate = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile]
        lines = subprocess.run(annotate, stdout=subprocess.PIPE, text=True, check=True).stdout
    total, job = (found[1] if (found := pattern.search(lines)) else None for pattern in (TOTAL, JOB))
    if total is None or job is None:
        sys.exit(f"bench serial: valgrind counted nothing for {' '.join(options)}")
    total, job = (int(figure.replace(",", "")) for figure in (total, job))
    return total - job, job


def measured(case):
    """The elapsed seconds of a command, and its CPU seconds, with its output to /dev/null or through a pipe to
    `cat`."""
    command, is_piped = case
    if not is_piped:
        return timed(command, (0, 1))
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    with subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL):
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
    check_status(process, status, (0, 1))
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def main(arguments):
    command = arguments.command or built_command()
    short, long, large = (lists.kept(size) for size in ("4M", "8M", "100M"))
    difference = long.stat().st_size - short.stat().st_size
    rows = []
    for output in OUTPUTS:
        options = output.split()
        (serial, job), (more_serial, more_job) = (counted(command, options, path) for path in (short, long))
        serial, job = (more_serial - serial) / difference, (more_job - job) / difference
        share = serial / (serial + job)
        run = [command, large, *options, "--threads"]
        cases = {threads: (run + [threads], False) for threads in ("1", "2", "16")} | {"pipe": (run + ["1"], True)}
        times = medians(cases, measured, 7)
        cpu, piped = times["1"][1], times["pipe"][1]
        rows.append([
            f"`{output}`",
            f"{job:.2f}",
            f"{serial:.3f}",
            f"{1 / share:.0f}",
            f"{cpu / (share * cpu + max(piped - cpu, 0)):.0f}",
            f"{times['16'][0] / times['2'][0]:.2f}",
        ])
    print_table(["output", "instructions a byte in chunks", "outside of them", "threads in use at most", "the same, into a pipe", "time of 16 threads, × that of 2"], rows)
