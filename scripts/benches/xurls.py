"""The command and xurls, in finding the URLs of a text.

xurls runs in its strict mode, in a short Go program. Both run on one thread, in turns, and the figures are
medians of their CPU time. The command's time includes its start and its verdicts. Needs Debian's packages
golang-go and golang-mvdan-xurls-dev.
"""

import json
import os
import pathlib
import subprocess
import tempfile

import tested_command

from .commands import timed
from .medians import medians

ROUNDS = 7

PROGRAM = """package main

import (
	"fmt"
	"os"
	"syscall"

	"mvdan.cc/xurls"
)

func seconds() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	strict := xurls.Strict()
	start := seconds()
	found := strict.FindAllIndex(text, -1)
	fmt.Println(seconds()-start, len(found))
}
"""


def build(folder):
    source = folder / "main.go"
    source.write_text(PROGRAM)
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(folder / "cache")}
    subprocess.run(["go", "build", "-o", folder / "find", source], env=environment, check=True)
    return folder / "find"


def of_xurls(program, text):
    environment = {**os.environ, "GOMAXPROCS": "1"}
    found = subprocess.run([program, text], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    seconds, count = found.stdout.split()
    return float(seconds), int(count)


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("text", metavar="FILE")


def main(arguments):
    text = arguments.text
    size = os.path.getsize(text)
    options = ["--from", "text", "--threads", "1", "--stats=json", "--emit", "none", text]
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder))
        counts = {
            "xurls": of_xurls(program, text)[1],
            "urivalidate": json.loads(tested_command.run(arguments.command, options))["records"],
        }
        cases = {
            "xurls": lambda: of_xurls(program, text)[0],
            "urivalidate": lambda: timed([arguments.command, *options], (0, 1), stderr=subprocess.DEVNULL)[1],
        }
        times = medians(cases, lambda case: case(), ROUNDS)
    for name, seconds in times.items():
        print(f"{name}\t{size / seconds / 1e9:.4f} GB/s\t{counts[name]} URLs")
