"""Programs that are run by an interpreter of their own, to be interrupted."""

import signal
import subprocess
import sys
import time

import pytest

# Objects that give bytes for ever, or for so many seconds: few and slowly, or many.
SLOW = """
import math, os, sys, threading, time
import urivalidate as uv
class Slow:
    def __init__(self, seconds=math.inf):
        self.end = time.monotonic() + seconds
    def read(self, size):
        time.sleep(0.01)
        return b"http://h/\\n" if time.monotonic() < self.end else b""
class Fast(Slow):
    def read(self, size):
        return (b"http://h/\\n" * (size // 10 + 1))[:size] if time.monotonic() < self.end else b""
def ready():
    print("ready", flush=True)
"""


def run(program, *, interrupt_after=None, limit=30):
    """What a program prints after "ready", what it writes to standard error, and its exit status. If it is to be interrupted, by a real SIGINT
    so many seconds after that. Its standard input stays open, and nothing comes."""
    command = [sys.executable, "-c", SLOW + program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            first = process.stdout.readline()
            assert first == "ready\n", process.stderr.read()
            if interrupt_after is not None:
                time.sleep(interrupt_after)
                process.send_signal(signal.SIGINT)
            try:
                # Not communicate(), which would close its standard input.
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                pytest.fail(f"alive {limit} s later")
            return process.stdout.read(), process.stderr.read(), status
        finally:
            process.kill()
