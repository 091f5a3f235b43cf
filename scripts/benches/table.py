"""The benches, the instructions a byte, and the command on large files: most tables of docs/speed.md.

The benches run on one core and measure CPU time. They run in several rounds, so that other work of the
machine affects all of them equally; an idle machine is best. Then the script times the command with a
generated list of 1 GB in the page cache, in turns with `wc -l`, and measures its memory without the mapped
file. Every figure is a median. The tables go to standard output, everything else to standard error. The
script takes about ten minutes.
"""

import os
import platform
import subprocess
from pathlib import Path

from . import command_times, criterion


def machine():
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    rustc = subprocess.run(["rustc", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, rustc {rustc}"


def add_arguments(parser):
    parser.add_argument("--quick", action="store_true",
                        help="rough figures in a few minutes: one short round, a list of 100 MB")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each bench runs (default 3)")
    parser.add_argument("--only", choices=["benches", "command"], help="measure these alone")


def main(arguments):
    print(f"Measured on: {machine()}. Medians.", flush=True)
    if arguments.only != "command":
        criterion.print_benches(criterion.run_benches(1 if arguments.quick else arguments.rounds, 0.2 if arguments.quick else 0.4))
        criterion.print_instructions()
    if arguments.only != "benches":
        command_times.print_command(arguments.quick)
        command_times.print_ways_out(arguments.quick)
        command_times.print_compressed(arguments.quick)
