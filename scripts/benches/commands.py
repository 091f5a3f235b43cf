"""Runs and builds commands, and measures their time."""

import json
import os
import subprocess
import sys
import time

from .places import ROOT


def run(command, **options):
    """Runs a command to its end, with its output on standard error. Exits if the command fails."""
    print("+", *command, file=sys.stderr)
    status = subprocess.run(command, stdout=sys.stderr, **options).returncode
    if status != 0:
        sys.exit(f"bench: {command[0]}: exit status {status}")


def built(name, *options):
    """Builds a program as in a release. Returns its path."""
    build = ["cargo", "build", "--release", "--bin", name, "--message-format", "json", *options]
    print("+", *build, file=sys.stderr)
    done = subprocess.run(build, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {name} does not build")
    messages = map(json.loads, done.stdout.splitlines())
    return [m["executable"] for m in messages if m.get("executable")][-1]


def built_command():
    """Builds the command with all outputs that are measured. Returns its path."""
    return built("urivalidate", "--features", "urivalidate-cli/arrow")


def timed(command, statuses=(0,), **options):
    """Runs a command. Returns the elapsed seconds, and the CPU seconds of all its threads. Exits if the
    status is another."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    check_status(process, status, statuses)
    return wall, usage.ru_utime + usage.ru_stime


def check_status(process, status, statuses):
    """Exits if a process that has been waited for ended with another status."""
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in statuses:
        sys.exit(f"bench: {' '.join(map(str, process.args))}: exit status {process.returncode}")
