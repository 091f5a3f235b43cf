"""Times the command with generated lists in the page cache, in turns with other programs, and measures its
memory."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from . import lists
from .commands import built, built_command, timed
from .medians import medians
from .places import BENCHES
from .tables import print_table


def read_anew(path):
    """Brings a file into the page cache anew, in large pages where the file system has them.

    Mapping a file that came into the cache page by page takes twice as long.
    """
    with path.open("rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(1 << 20):
            pass


def peak_anonymous(command):
    """The peak in bytes of the command's memory without files, measured every half millisecond.

    The peak that the kernel keeps (ru_maxrss, VmHWM) would count the pages of the mapped file.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            peak = max(peak, int(fields.get("RssAnon", "0 kB").split()[0]) * 1024)
            time.sleep(0.0005)
    return peak


def print_command(quick):
    path = lists.kept("100M" if quick else "1G")
    command = [built_command(), path, "--stats"]
    commands = {
        "`wc -l`": ["wc", "-l", path],
        "`urivalidate --stats --threads 1`": command + ["--threads", "1"],
        "`urivalidate --stats`": command,
        "`urivalidate --stats --threads 1 --no-mmap`": command + ["--threads", "1", "--no-mmap"],
        "`urivalidate --stats --no-mmap`": command + ["--no-mmap"],
    }
    read_anew(path)
    # Checks that both see the same records.
    stats = json.loads(subprocess.run(command[:2] + ["--stats=json"], stdout=subprocess.PIPE, check=True).stdout)
    lines = int(subprocess.run(["wc", "-l", path], stdout=subprocess.PIPE, check=True).stdout.split()[0])
    if stats["records"] != lines:
        sys.exit(f"bench: {stats['records']} records, but {lines} lines")

    times = medians(commands, timed, 7)
    rows = []
    for what, (wall, cpu) in times.items():
        peak = None if what == "`wc -l`" else peak_anonymous(commands[what])
        rows.append([
            what,
            f"{wall * 1e3:.0f} ms",
            f"{path.stat().st_size / wall / 1e9:.2f}",
            f"{wall / times['`wc -l`'][0]:.2f}",
            f"{cpu * 1e3:.0f} ms",
            "" if peak is None else f"{peak / 1e6:.1f} MB",
        ])
    title = f"The command, {path.stat().st_size / 1e9:.1f} GB in {lines:,} lines, in the page cache"
    header = ["wall time", "GB/s", "× the time of `wc -l`", "CPU time", "memory beside the file"]
    print_table(["command", *header], rows, f"{title}; {stats['backend']}, {os.cpu_count()} cores")


def print_ways_out(quick):
    """Times rows in every form, programs that only pass on all bytes, and a filter that a user may write."""
    path = lists.kept("100M" if quick else "1G")
    read_anew(path)
    command = built_command()
    emit = lambda what, form, threads, *more: [
        command, path, "--emit", what, "--to", form, "--threads", str(threads), *more]
    commands = {
        "`wc -l`": ["wc", "-l", path],
        "fluent-uri, the user's loop": [built("users_loop", "--manifest-path", BENCHES / "Cargo.toml"), path],
        "`cat`, through a pipe": ["sh", "-c", f"cat '{path}' | cat"],
        "`--emit none`, through a pipe": ["sh", "-c", f"cat '{path}' | '{command}' --emit none -"],
        "`--stats`, through a pipe": ["sh", "-c", f"cat '{path}' | '{command}' --stats -"],
    }
    for threads in (1, 2):
        commands[f"`--emit none`, {threads}"] = [command, path, "--emit", "none", "--threads", str(threads)]
        commands[f"`--emit valid`, {threads}"] = [command, path, "--emit", "valid", "--threads", str(threads)]
        for column in ("normalized", "surt", "domain", "host"):
            commands[f"`--emit {column}`, {threads}"] = [command, path, "--emit", column, "--threads", str(threads)]
        for what in ("components", "offsets"):
            for form in ("text", "csv", "tsv", "jsonl", "arrow"):
                commands[f"`--emit {what} --to {form}`, {threads}"] = emit(what, form, threads)
        commands[f"`--emit components --columns host --to csv`, {threads}"] = emit(
            "components", "csv", threads, "--columns", "host")
    print_timed(f"Ways out, {path.stat().st_size / 1e9:.1f} GB in the page cache, to /dev/null", commands, path, 3)

    # Slow contenders get a short list.
    path = lists.kept("10M")
    pattern = r"^(?<scheme>[^:/?#]+):(//(?<authority>[^/?#]*))?(?<path>[^?#]*)([?](?<query>[^#]*))?(#(?<fragment>.*))?"
    urllib = """
import sys, urllib.parse as p
for line in sys.stdin:
    try:
        print(*p.urlsplit(line.rstrip()), sep="\\t")
    except ValueError:
        print()
"""
    peers = {
        "jq": ["jq", "-Rc", f'capture("{pattern}")', path],
        "python3": ["sh", "-c", f'exec python3 -c "$1" < "{path}"', "sh", urllib],
    }
    commands = {"`wc -l`": ["wc", "-l", path], "`--emit components --to jsonl`, 1": emit("components", "jsonl", 1)}
    commands["`--emit components --to jsonl`, 1"][1] = path
    way = {"jq": "a regular expression", "python3": "`urlsplit`"}
    commands |= {f"{name}, {way[name]}": line for name, line in peers.items() if shutil.which(name)}
    print_timed("Taking a list of 10 MB apart", commands, path, 1)
    missing = [name for name in (*peers, "qsv", "xan") if not shutil.which(name)]
    if missing:
        print(f"\nNot measured, because it is not installed: {', '.join(missing)}.")


def print_compressed(quick):
    """Times the command with compressed lists, the command with a pipe from another decoder, and the decoders
    alone."""
    path = lists.kept("100M" if quick else "1G")
    command, size = built_command(), path.stat().st_size
    for kind in ("one member", "many members", "zstd"):
        file = path.with_name(f"{path.stem}-{kind.replace(' ', '-')}{'.zst' if kind == 'zstd' else '.gz'}")
        if not file.exists() or file.stat().st_mtime < path.stat().st_mtime:
            compress(path, file, kind)
        tools = [["zstd", "-dc"]] if kind == "zstd" else [["gzip", "-dc"], ["pigz", "-dc"]]
        commands, missing = {}, []
        for tool in tools:
            if not shutil.which(tool[0]):
                missing.append(tool[0])
                continue
            commands[f"`{' '.join(tool)}` alone"] = [*tool, file]
            pipe = f"{' '.join(tool)} '{file}' | '{command}' --emit none -"
            commands[f"`{' '.join(tool)} FILE | urivalidate -`"] = ["sh", "-c", pipe]
        for threads in (1, 2):
            commands[f"`urivalidate FILE`, {threads}"] = [command, file, "--emit", "none", "--threads", str(threads)]
        title = f"{size / 1e9:.1f} GB of lines as {kind}, {file.stat().st_size / 1e6:.0f} MB"
        print_timed(title, commands, path, 3)
        if missing:
            print(f"\nNot measured, because it is not installed: {', '.join(missing)}.")


def compress(path, file, kind):
    """Compresses a list at the default level of the tool. The result is complete if it exists."""
    unfinished = file.with_suffix(".unfinished")
    print("+ compressing", path, "as", kind, file=sys.stderr)
    with path.open("rb") as list, unfinished.open("wb") as out:
        if kind == "many members":
            while part := list.read(1 << 20):
                out.write(gzip.compress(part, 6))
        else:
            tool = ["zstd", "-c"] if kind == "zstd" else ["gzip", "-c"]
            if subprocess.run(tool, stdin=list, stdout=out).returncode != 0:
                sys.exit(f"bench: {tool[0]} failed")
    unfinished.rename(file)


def print_timed(title, commands, path, runs):
    """Times commands in turns, and prints a row for each. GB/s count the bytes of the uncompressed list."""
    times = medians(commands, timed, runs)
    first = next(iter(times.values()))[0]
    rows = [
        [what, f"{wall * 1e3:.0f} ms", f"{path.stat().st_size / wall / 1e9:.3g}", f"{wall / first:.2f}", f"{cpu * 1e3:.0f} ms"]
        for what, (wall, cpu) in times.items()
    ]
    print_table(["command, threads", "wall time", "GB/s", "× the first", "CPU time"], rows, title)
