"""Runs the command under test."""
import json
import subprocess

TIMEOUT_SECONDS = 300


class Command:
    """The built binary. Every way of calling it fails loudly unless it exits with 0."""

    def __init__(self, binary):
        self.binary = str(binary)

    def run(self, *arguments):
        arguments = [self.binary, *map(str, arguments)]
        done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS)
        if done.returncode != 0:
            message = done.stderr.decode("utf-8", "replace").strip()
            raise RuntimeError(f"{' '.join(arguments)}: exit status {done.returncode}: {message}")
        return done.stdout

    def rows(self, emit, grammar, file):
        """One dict a record: `--emit offsets` or `--emit components`, as JSON lines."""
        output = self.run(*grammar.arguments, "--emit", emit, "--to", "jsonl", file)
        return [json.loads(line) for line in output.splitlines()]

    def stats(self, *arguments):
        return json.loads(self.run("--stats=json", *arguments))
