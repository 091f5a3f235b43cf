"""Runs the command that a script tests, and reads its rows."""

import base64
import json
import subprocess
import sys


def run(command, arguments, data=b""):
    """The bytes that the command writes for this input. Exits if its status is neither 0 nor 1 (there are
    invalid records)."""
    ended = subprocess.run([command, *arguments], input=data, capture_output=True, timeout=600)
    if ended.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, arguments))}: exit status {ended.returncode}: {ended.stderr.decode(errors='replace')}")
    return ended.stdout


def json_rows(command, arguments, data=b""):
    """The rows of `--to jsonl`, a dict for each."""
    return [json.loads(line) for line in run(command, [*arguments, "--to", "jsonl"], data).splitlines()]


def text_bytes(value):
    """The bytes of a text in jsonl. Bytes that are not UTF-8 come in base64."""
    if isinstance(value, dict):
        return base64.b64decode(value["bytes"])
    return None if value is None else value.encode()
