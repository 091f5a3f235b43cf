"""Runs programs in a separate interpreter, so that tests can interrupt them."""

import signal
import subprocess
import sys
import time

import pytest

# Objects that return bytes for ever, or for a number of seconds: Slow returns few, Fast many.
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
    """Returns the text that a program prints after "ready", its standard error, and its exit status. Sends
    SIGINT `interrupt_after` seconds after "ready" unless this is None. The program's standard input stays
    open and empty."""
    command = [sys.executable, "-c", SLOW + program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            first = process.stdout.readline()
            assert first == "ready\n", process.stderr.read()
            if interrupt_after is not None:
                time.sleep(interrupt_after)
                process.send_signal(signal.SIGINT)
            try:
                # Not communicate(), which would close the program's standard input.
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                pytest.fail(f"alive {limit} s later")
            return process.stdout.read(), process.stderr.read(), status
        finally:
            process.kill()
