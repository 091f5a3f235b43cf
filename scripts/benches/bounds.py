"""The time and memory for the worst lists.

Time is at most a·bytes + b·records. The lists here are the worst that are known: records of 0 to 9 bytes,
which leave the engine no bytes to process at once; lists in which every 33rd record is invalid, so that the
engine's predictions are always wrong; and long records of bytes that need a closer check. For each list and
output, the table has the CPU time of one thread (the minimum of some runs, less the time for an empty list):
nanoseconds per record for short records, nanoseconds per byte for long records. The figures are those of the
slowest grammar. Memory is the peak of resident memory: for lists, for each way in which input can arrive; for
documents, for the shapes with the most records for their bytes, and for pages of archives in each content
coding.
"""

import gzip
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from all_grammars import GRAMMARS

from .commands import check_status, timed
from .tables import print_table

# Lists with invalid records make the status 1.
STATUSES = (0, 1)
OUTPUTS = {
    "verdicts": ["--emit", "none"],
    "`--stats`": ["--stats"],
    "`--emit errors`": ["--emit", "errors"],
    "`--emit components --to csv`": ["--emit", "components", "--to", "csv"],
}
MEMORY_OUTPUTS = OUTPUTS | {
    "`--to jsonl`": ["--emit", "components", "--to", "jsonl"],
    "`--to arrow`": ["--emit", "components", "--to", "arrow"],
}
DOCUMENT_OUTPUTS = {
    "`--stats`": ["--stats"],
    "`--to jsonl`": ["--emit", "components", "--to", "jsonl"],
    "`--to arrow`": ["--emit", "components", "--to", "arrow"],
    "`--count`": ["--count", "path"],
}
LINKS = ["--from", "warc", "--field", "links"]
VALID = b"http://example.com/path?query#top\n"
SHORT = {
    "no byte": b"\n",
    "CR": b"\r\n",
    "`/`": b"/\n",
    "FF": b"\xff\n",
    "`a:`": b"a:\n",
    "`%41`": b"%41\n",
    "`a://b:1`": b"a://b:1\n",
    "`a://[::1]`": b"a://[::1]\n",
    "every 33rd invalid": VALID * 32 + b"http://example.com/a b\n",
    "every other invalid": VALID + b"http://example.com/a b\n",
}
LONG = {
    "`%41%41…`": b"http://h/" + b"%41" * 300_000 + b"\n",
    "`[[[…`": b"http://h/" + b"[" * 900_000 + b"\n",
    "`@@@…`": b"http://" + b"@" * 900_000 + b"\n",
    "`:::…`": b"http://" + b":" * 900_000 + b"\n",
    "`äää…`": b"http://h/" + "\u00e4".encode() * 450_000 + b"\n",
    "`aaa…`": b"http://h/" + b"a" * 900_000 + b"\n",
}


def seconds(command, runs):
    """The CPU time of a command in seconds: the minimum of some runs."""
    return min(timed(command, STATUSES, stderr=subprocess.DEVNULL)[1] for _ in range(runs))


def most_memory(command, stdin=subprocess.DEVNULL):
    """The peak of a command's resident memory in bytes. Reads the kernel's figure while the command runs: the
    final figure includes this script."""
    process, peak = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), 0
    while True:
        ended, status = os.waitpid(process.pid, os.WNOHANG)
        if ended:
            check_status(process, status, STATUSES)
            return peak
        with open(f"/proc/{process.pid}/status") as lines:
            # Until the process has started the command, it is a copy of this script.
            if next(lines).split()[1] == Path(command[0]).name[:15]:
                peak = max([peak, *(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))])
        time.sleep(0.002)


def fill(path, block, size):
    times = max(1, size // len(block))
    at_once = max(1, (1 << 20) // len(block))
    with path.open("wb") as file:
        for begin in range(0, times, at_once):
            file.write(block * min(at_once, times - begin))
    return times * len(block), times * block.count(b"\n")


def print_times(args, folder, title, lists, size, per_record):
    rows = []
    path, empty = folder / "list", folder / "empty"
    empty.write_bytes(b"")
    for name, block in lists.items():
        length, records = fill(path, block, size)
        cells = []
        for options in OUTPUTS.values():
            line = lambda grammar, file: [args.urivalidate, "--from", "lines", "-j", "1", "-g", grammar, *options, file]
            least = seconds(line("uri", empty), 3)
            times = {grammar: seconds(line(grammar, path), args.runs) - least for grammar in GRAMMARS}
            worst = max(times, key=times.get)
            parts = records if per_record else length
            per = lambda grammar: f"{times[grammar] * 1e9 / parts:.{1 if per_record else 2}f}"
            cells.append(f"{per('uri')} ({worst} {per(worst)})")
        rows.append([name, *cells])
    print_table([title, *OUTPUTS], rows)
    print()


def print_memory(args, folder, size):
    list, long = folder / "list", folder / "long"
    fill(list, VALID, size)
    fill(long, b"http://h/" + b"a" * 12_000_000 + b"\n", size)
    tiny = folder / "tiny"
    fill(tiny, b"\n", size // 8)
    packed = folder / "list.gz"
    with list.open("rb") as source, gzip.open(packed, "wb", 1) as target:
        shutil.copyfileobj(source, target)
    frames = None
    if shutil.which("zstd"):
        frames = folder / "list.zst"
        subprocess.run(["zstd", "-q", "-19", "-T0", list, "-o", frames], check=True)
    inputs = {
        "a list, mapped": [list],
        "a list, read": ["--no-mmap", list],
        "a list, from a pipe": None,
        "gzip": [packed],
        "zstd of level 19": [frames] if frames else [],
        "empty lines": [tiny],
        "records of 12 MB": [long],
        "the same, read": ["--no-mmap", long],
    }
    columns = [(output, threads) for output in MEMORY_OUTPUTS for threads in (1, 2, 16)]
    rows = []
    for name, files in inputs.items():
        if files == []:
            continue
        cells = []
        for output, threads in columns:
            line = [args.urivalidate, "--from", "lines", "-j", str(threads), *MEMORY_OUTPUTS[output]]
            if files is None:
                with subprocess.Popen(["cat", list], stdout=subprocess.PIPE) as cat:
                    memory = most_memory([*line, "-"], cat.stdout)
            else:
                memory = most_memory([*line, *files])
            cells.append(f"{memory / (1 << 20):.0f}")
        rows.append([name, *cells])
    print_table(["most memory, MiB", *[f"{output}, -j{threads}" for output, threads in columns]], rows)


def warc_record(header, block):
    return b"WARC/1.0\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n" % (header, len(block), block)


def warc_page(codings, body):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %s\r\n\r\n" % codings.encode()
    return warc_record(b"WARC-Type: response\r\nWARC-Target-URI: http://h/\r\n", head + body)


def packed_by(command):
    """A function that compresses bytes by a command, or None if the command is missing."""
    return shutil.which(command[0]) and (lambda text: subprocess.run(command, input=text, capture_output=True, check=True).stdout)


def documents(size):
    """Documents of this size, each with the options to read it, and archives with pages that decode to this
    size."""
    many = lambda start, part, end: start + part * (size // len(part)) + end
    way = b'{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Links":['
    capture = many(way, b'{"url":""},', b"{}]}}}}}")
    xlink = b"<a xmlns:x='http://www.w3.org/1999/xlink' "
    html, markdown, json = ["--from", "html"], ["--from", "markdown"], ["--from", "json"]
    yield "HTML, `<a ping='a a …'>`", html, many(b"<a ping='", b"a ", b"'>")
    yield "HTML, `<a ping='| | …'>`", html, many(b"<a ping='", b"| ", b"'>")
    yield "HTML, `srcset='a, a, …'`", html, many(b"<img srcset='", b"a, ", b"'>")
    yield "HTML, `style='url()url()…'`", html, many(b"<p style='", b"url()", b"'>")
    yield "HTML, `<a href><a href>…`", html, many(b"<html>", b"<a href>", b"")
    yield "Markdown, a paragraph `[](a) …`", markdown, many(b"", b"[](a) ", b"")
    yield "Markdown, a table of `www.a`", markdown, many(b"|a|\n|-|\n", b"|www.a\n", b"")
    yield "Markdown, `[[[[…`", markdown, many(b"", b"[", b"")
    yield "Markdown, `<a ping='a a …'>`", markdown, many(b"<a ping='", b"a ", b"'>")
    # A tag has at most 65,536 attributes.
    yield "XML, `x:href='' …`", ["--from", "xml"], many(b"<r>", xlink + b"x:href='' " * 60_000 + b"/>", b"</r>")
    yield "XML, `<loc/><loc/>…`", ["--from", "xml"], many(b"<urlset>", b"<loc/>", b"</urlset>")
    yield 'JSON, `["","",…]`', json, many(b"[", b'"",', b"0]")
    yield "JSON, malformed `[0,0,…]`", [*json, "--key", "a"], many(b"[", b"0,", b'{"a":""}]')
    yield "text, `ab:///a ab:///a …`", ["--from", "text"], many(b"", b"ab:///a ", b"")
    yield "WAT, a capture `{\"url\":\"\"},…`", ["--from", "wat"], warc_record(b"WARC-Type: metadata\r\nContent-Type: application/json\r\n", capture)
    page = many(b"<html>", b"<a href>", b"")
    yield "WARC, a page `<a href><a href>…`", LINKS, warc_page("identity", page)
    yield "WARC, a page `<a href='|'>…` in gzip", LINKS, warc_page("gzip", gzip.compress(many(b"<html>", b"<a href='|'>", b"")))
    packers = {
        "gzip": gzip.compress,
        "br": packed_by(["brotli", "--stdout", "-"])
        or packed_by(["node", "-e", "process.stdout.write(require('zlib').brotliCompressSync(require('fs').readFileSync(0)))"]),
        "zstd": packed_by(["zstd", "-q", "-c"]),
    }
    for coding, pack in packers.items():
        if pack:
            once = pack(page)
            yield f"WARC, 4 pages in {coding}", LINKS, warc_page(coding, once) * 4
            yield f"WARC, 4 pages in {coding} twice", LINKS, warc_page(f"{coding}, {coding}", pack(once)) * 4


def print_memory_of_documents(args, folder, size):
    columns = [(output, threads) for output in DOCUMENT_OUTPUTS for threads in (1, 2)]
    rows = []
    file = folder / "document"
    for name, options, document in documents(size):
        file.write_bytes(document)
        cells = []
        for output, threads in columns:
            memory = most_memory([args.urivalidate, *options, "-j", str(threads), *DOCUMENT_OUTPUTS[output], file])
            cells.append(f"{memory / (1 << 20):.0f}")
        rows.append([name, f"{len(document) / (1 << 10):.0f}", *cells])
    print_table(["most memory, MiB", "KiB", *[f"{output}, -j{threads}" for output, threads in columns]], rows)


def add_arguments(parser):
    parser.add_argument("--size", type=int, default=32, metavar="MB", help="bytes of a list, in millions (32)")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the fastest counts (3)")
    parser.add_argument("--memory-only", action="store_true", help="the tables of memory alone, which need no idle machine")
    parser.add_argument("--documents-only", action="store_true", help="the table of the memory for documents alone")
    parser.add_argument("--document-size", type=int, default=16, metavar="MB", help="bytes of a document, in millions (16)")
    parser.add_argument("urivalidate", metavar="COMMAND")


def main(args):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if args.documents_only:
            return print_memory_of_documents(args, folder, args.document_size * 1_000_000)
        if args.memory_only:
            print_memory(args, folder, args.size * 12_000_000)
            print()
            return print_memory_of_documents(args, folder, args.document_size * 1_000_000)
        print_times(args, folder, "ns a record, `uri` (slowest grammar)", SHORT, args.size * 125_000, True)
        print_times(args, folder, "ns a byte, `uri` (slowest grammar)", LONG, args.size * 1_000_000, False)
        print_memory(args, folder, args.size * 12_000_000)
        print()
        print_memory_of_documents(args, folder, args.document_size * 1_000_000)
