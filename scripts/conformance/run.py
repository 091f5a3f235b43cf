#!/usr/bin/env python3
"""Compares the built command with an independent reference. `run.py --help` shows the options.

Needs Python 3.11, the packages `publicsuffixlist`, `regex` and `surt`, a JDK (for the checks `java` and
`references`), and the built examples `surt` and `references` (for the checks with these names). The checks
`published` and `lists` also need data that are not part of this repository, and are skipped if the data are
absent. Prints the number of comparisons and the first mismatches of every grammar, and exits with 1 if there
are mismatches.

    reference/          the oracle, the generator and the Java program, which share no code with urivalidate
    places.py           the paths of files
    command.py          runs the command
    records.py          splits files into records like the command
    generators.py       generated files
    grammars.py         the references
    prefixes.py         the longest viable prefix of a record
    errors.py           the expected error of an invalid record
    counts.py           the expected statistics of a file
    rows.py, report.py  compare rows, and count the results
    generated.py, published.py, java_net_uri.py, references.py, real_lists.py, surt_keys.py, domains.py
                        the checks
"""
import argparse
import os
import sys
import time
from pathlib import Path

import domains
import generated
import java_net_uri
import published
import real_lists
import references
import surt_keys
from places import CASES, LISTS, REPOSITORY

CHECKS = {
    "published": (published.check_published, "published cases"),
    "lists": (real_lists.check_real_lists, "real lists"),
    "generated": (generated.check_oracle, "generated records, RFC 3986, 2396, 3987 and the model of java.net.URI"),
    "request-target": (generated.check_request_targets, "generated records, RFC 9112 request-target"),
    "zone-ids": (generated.check_zone_identifiers, "generated records, RFC 6874 zone identifiers"),
    "java": (java_net_uri.check_java_net_uri, "generated records and all of Unicode, java.net.URI itself"),
    "references": (references.check_references, "pairs of base and reference, java.net.URI's normalize, resolve and relativize"),
    "surt": (surt_keys.check_surt, "SURT keys of real, mutated and made URLs, PyPI's surt"),
    "domains": (domains.check_domains, "public suffixes of real hosts, PyPI's publicsuffixlist"),
}
# For each check, the folder that it needs beside this repository.
NEEDS = {"published": CASES, "lists": LISTS}


def options():
    parser = argparse.ArgumentParser(
        description="Compares the built command with an independent reference.",
        epilog="; ".join(f"{name}: {title}" for name, (_, title) in CHECKS.items()))
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"which of {', '.join(CHECKS)} (default: all)")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / "target" / "release" / "urivalidate")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the records")
    parser.add_argument("--seed", type=int, default=0, help="other generated records for each number (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one a core)")
    parsed = parser.parse_args()
    for check in parsed.checks:
        if check not in CHECKS:
            parser.error(f"no such check: {check}")
    if not parsed.binary.is_file():
        parser.error(f"{parsed.binary} is not there: cargo build --release")
    return parsed


def main():
    chosen = options()
    failed = []
    for name in chosen.checks or CHECKS:
        check, title = CHECKS[name]
        if name in NEEDS and not NEEDS[name].is_dir():
            print(f"{name}: skipped: {NEEDS[name]} is not there", flush=True)
            continue
        print(f"{name}: {title}", flush=True)
        start = time.monotonic()
        try:
            report = check(chosen)
        except Exception as error:  # so that the other checks still run
            print(f"  {type(error).__name__}: {error}")
            failed.append(name)
        else:
            report.print()
            if report.failed:
                failed.append(name)
        print(f"  {time.monotonic() - start:.0f} s", flush=True)
    print(f"FAILED: {', '.join(failed)}" if failed else "all agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
