"""Compares the grammar `java` with java.net.URI itself: the verdict and all nine components, for records in
ASCII and others."""
import itertools
import subprocess
from multiprocessing import Pool

import generators
import grammars
import records
from command import Command
from report import Mismatch, Report
from places import REFERENCE, WORK

_CLASSES = WORK / "classes"
_TIMEOUT_SECONDS = 300
_RECORDS_PER_RUN = 100_000

_SURROGATES = range(0xD800, 0xE000)
_BEYOND_ASCII = (0x80, 0x110000)
# Every code point has a record of this form.
_EVERYWHERE = "//h/{}"
_PLACES = (
    "{}", "a{}b", "{}:x", "a{}:x", "x:{}", "x:a{}", "x:/{}", "//{}", "//{}/", "//a{}b:80/", "//{}@h/", "//u:{}@h:8/",
    "//h:{}/", "//h:8{}", "//[::1]{}", "//[{}]/", "//[::1%{}]/", "//[::{}1]", "//h?{}", "?{}", "x://h/?a{}", "//h#{}",
    "#{}", "x:a#{}", "//h/%{}0", "//h/%4{}", "/{}/",
)
# The blocks with all code points that the class rejects, the borders of planes, and the borders between
# lengths in UTF-8.
_CODE_POINTS_IN_PLACES = tuple(itertools.chain(
    range(0x80, 0x180), range(0x7F0, 0x810), range(0x1670, 0x1690), range(0x1FF0, 0x2070), range(0x2FF0, 0x3010),
    range(0xD7F0, 0xD800), range(0xE000, 0xE010), range(0xFEF0, 0xFF10), range(0xFFF0, 0x10010),
    *(range(plane - 2, plane + 2) for plane in range(0x20000, 0x110000, 0x10000)), range(0x10FFF0, 0x110000)))


def _sweep(quick):
    """Records with code points in every place, whether a URI may have them there or not."""
    step = 61 if quick else 1
    for code_point in range(*_BEYOND_ASCII, step):
        if code_point not in _SURROGATES:
            yield _EVERYWHERE.format(chr(code_point)).encode()
    for place in _PLACES:
        for code_point in _CODE_POINTS_IN_PLACES:
            yield place.format(chr(code_point)).encode()


def _inputs(options):
    """The generated records that are UTF-8, and the sweep."""
    for batch in generators.for_the_oracle(options.quick, options.seed):
        yield from filter(records.is_utf8, records.split(batch.data()))
    yield from _sweep(options.quick)


def _ask_the_class(asked):
    """A row of texts for each record, or None if the class rejects the record."""
    columns = ("scheme", "scheme_specific_part", "authority", "userinfo", "host", "port", "path", "query", "fragment")
    done = subprocess.run(["java", "-Xmx1g", "-cp", _CLASSES, "JavaOracle", "--utf8"], check=True,
                          input=b"".join(record + b"\n" for record in asked), stdout=subprocess.PIPE,
                          timeout=_TIMEOUT_SECONDS)
    # Not splitlines, which also splits at other characters than LF.
    answers = done.stdout.decode("utf-8").split("\n")[1:-1]
    if len(answers) != len(asked):
        raise RuntimeError(f"JavaOracle answered {len(answers)} of {len(asked)} records")
    for answer in answers:
        _, status, _, _, *texts = answer.split("\t")
        if status != "ok":
            yield None
            continue
        row = {name: None if text == "\\N" else text for name, text in zip(columns, texts)}
        row["port"] = None if row["port"] == "-1" else int(row["port"])
        row["opaque"] = texts[len(columns)] == "true"
        row["authority_kind"] = None
        if row["authority"] is not None:
            row["authority_kind"] = "registry" if row["host"] is None else "server"
        yield row


def _in_java_terms(row):
    """Converts a row of the command to the terms of the class."""
    if not row["valid"]:
        return None
    keys = (*grammars.COMPONENTS, "scheme_specific_part", "opaque", "authority_kind")
    said = {key: row[key] for key in keys}
    if said["port"] is not None:
        # getPort() is a number.
        said["port"] = int(said["port"])
    return said


def _work(task):
    number, binary, asked = task
    report = Report()
    file = WORK / f"java-{number}.txt"
    file.write_bytes(records.join(asked))
    rows = Command(binary).rows("components", grammars.JAVA, file)
    file.unlink()
    if len(rows) != len(asked):
        raise RuntimeError(f"{len(rows)} rows for {len(asked)} records")
    for record, row, theirs in zip(asked, rows, _ask_the_class(asked)):
        report.compared["java.net.URI"] += 1
        ours = _in_java_terms(row)
        if row["uri"] != record.decode() or ours != theirs:
            report.add(Mismatch("java.net.URI", record, row["error"] or ours, theirs or "refused"))
    return report


def _runs(all_records):
    while run := list(itertools.islice(all_records, _RECORDS_PER_RUN)):
        yield run


def check_java_net_uri(options):
    """java.net.URI."""
    _CLASSES.mkdir(parents=True, exist_ok=True)
    subprocess.run(["javac", "-d", _CLASSES, REFERENCE / "JavaOracle.java"], check=True, timeout=_TIMEOUT_SECONDS)
    report = Report()
    tasks = ((number, options.binary, run) for number, run in enumerate(_runs(_inputs(options))))
    with Pool(options.jobs) as pool:
        for part in pool.imap_unordered(_work, tasks):
            report.merge(part)
    return report
