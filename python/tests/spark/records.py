"""Records on which the tests compare Spark's answers: generated records, and real records if ../shared is
beside the checkout (`have_real`)."""

import csv
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "scripts" / "conformance" / "reference" / "gen.py"
DATA = ROOT.parent / "shared" / "data"
PROFILES = ["mixed", "ascii", "valid", "ipv6", "boundary", "long"]

# Before JDK 21, java.net.URI throws an undocumented exception for an address with a number of 10 or more
# digits, and Spark's query fails.
NUMBER_FORMAT = re.compile(rb"\[[^\]]*[0-9]{10}")


def have_real():
    return DATA.is_dir()


def generated(count):
    """At least `count` records of all profiles, as bytes. Most of them are not URIs, some are not ASCII, and
    some are not UTF-8."""
    found = []
    share = -(-count * 102 // 100 // len(PROFILES))
    for seed, profile in enumerate(PROFILES):
        options = ["--seed", str(seed), "--profile", profile, "--lines", str(share), "--maxlen", "5000"]
        lines = subprocess.run(
            [sys.executable, GENERATOR, *options], capture_output=True, check=True
        ).stdout
        found += lines.split(b"\n")[:-1]
    found = [record for record in found if not NUMBER_FORMAT.search(record)]
    assert len(found) >= count, f"{len(found)} of {count}"
    return found


def real():
    """Every URL of the real data: from lists, indexes and logs."""
    data = DATA
    for name in ("ada_isaacs_files", "ada_kasztp", "ada_node_files", "eot2024_sitemap_sample"):
        yield from (data / f"{name}.txt").read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    with open(data / "oxiri_relative_urls_cc_10k.csv", encoding="utf-8", newline="") as rows:
        yield from (cell.encode() for row in csv.reader(rows) for cell in row)
    for name in ("pywb_iana.cdxj",):
        for line in (data / name).read_bytes().splitlines():
            if b"{" in line:
                yield json.loads(line[line.index(b"{") :])["url"].encode()
    for lines in ((data / "pywb_iana.cdx").read_bytes(), gzip.decompress((data / "pywb_zipnum-sample.cdx.gz").read_bytes())):
        for line in lines.splitlines():
            fields = line.split(b" ")
            if len(fields) > 3 and not line.startswith(b" CDX"):
                yield fields[2]
    for line in (data / "ukwa_crawl_log_fragment.jsonl").read_bytes().splitlines():
        yield json.loads(line)["url"].encode()
    for name in ("netarchivesuite_crawl_2006", "netarchivesuite_h3_crawl"):
        for line in (data / f"{name}.log").read_bytes().splitlines():
            yield from (field for field in line.split() if b":" in field and not field[0:1].isdigit())
    for line in (data / "netdata_squid_access.log").read_bytes().splitlines():
        yield line.split()[6]
    # Access logs have targets and referrers.
    for line in (data / "elastic_apache_logs.log").read_bytes().splitlines():
        quoted = line.split(b'"')
        yield from [*quoted[1].split()[1:2], *quoted[3:4]]
    for line in (data / "lnav_w3c_big.log").read_bytes().splitlines():
        yield from (field for field in line.split() if field[:1] == b"/" or b"://" in field)
