"""Runs the tested command."""
import json
import re
import subprocess

TIMEOUT_SECONDS = 300
# Generated records may look like any format, so the format is not detected.
_AS_LINES = ("--from", "lines")


class Command:
    """The built binary. Every method raises an exception unless the binary exits with 0."""

    def __init__(self, binary):
        self.binary = str(binary)

    def run(self, *arguments):
        arguments = [self.binary, *map(str, arguments)]
        done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS)
        if done.returncode != 0:
            message = done.stderr.decode("utf-8", "replace").strip()
            raise RuntimeError(f"{' '.join(arguments)}: exit status {done.returncode}: {message}")
        return done.stdout

    def json_lines(self, emit, grammar, file, *options):
        """The output of `--emit offsets` or `--emit components`, with a line for each record."""
        return self.run(*grammar.arguments, *_AS_LINES, "--emit", emit, "--to", "jsonl", *options, file)

    def rows(self, emit, grammar, file):
        """A dict for each record."""
        return parsed(self.json_lines(emit, grammar, file))

    def stats(self, *arguments):
        return json.loads(self.run(*_AS_LINES, "--stats=json", *arguments))

    def backends(self):
        """The backends that this machine can run."""
        compiled = re.search(r"backends: ([^;]*);", self.run("--version").decode()).group(1).split(", ")
        return [backend for backend in compiled if self._runs(backend)]

    def _runs(self, backend):
        arguments = [self.binary, "--backend", backend, "/dev/null"]
        return subprocess.run(arguments, capture_output=True, timeout=TIMEOUT_SECONDS).returncode == 0


def parsed(json_lines):
    return [json.loads(line) for line in json_lines.splitlines()]
