"""Compares the library's SURT keys with those of PyPI's `surt`, run as a black box, for real, mutated and
generated URLs."""
import random
import re
import subprocess
from multiprocessing import Pool

from places import LISTS
from report import Mismatch, Report

_LISTS = ("ada_isaacs_files.txt", "ada_kasztp.txt", "ada_node_files.txt", "eot2024_sitemap_sample.txt")
# Texts in other files that look like a URL or a path.
_LOGS = (
    "elastic_apache_logs.log", "netarchivesuite_crawl_2006.log", "netarchivesuite_h3_crawl.log", "netdata_squid_access.log",
    "oxiri_relative_urls_cc_10k.csv", "pywb_iana.cdx", "pywb_iana.cdxj", "ukwa_crawl_log_fragment.jsonl",
)
_URL = re.compile(rb"(?:[A-Za-z][A-Za-z0-9+.-]*:|/)[^\s\",']+")
_GENERATED = 600_000
_PER_TASK = 20_000

_SESSION = b"0123456789abcdef0123456789abcdef"
_PIECES = [
    b"%", b"%25", b"%2541", b"/", b"//", b"/../", b"/./", b"?", b"&", b"=", b"#", b":", b"@", b".", b"..", b"www.", b"www3.", b"%2e", b"%2f",
    b"%3f", b"%26", b"%c3%a9", "é".encode(), "ß".encode(), "日本".encode(), "。".encode(), b" ", b"\t", b"\r", b"[", b"]", b":80", b":443", b":81", b";",
    b"sid=" + _SESSION + b"&", b"jsessionid=" + _SESSION, b"PHPSESSID=" + _SESSION, b"ASPSESSIONIDabcdefgh=abcdefghabcdefghabcdefgh",
    b"cfid=1&cftoken=2&", b"/(s(0123456789abcdef01234567))/", b"/(0123456789abcdef01234567)/", b".aspx", b"http://", b"https://", b"\\", b"\0", b"A",
    b"\xff", b"127.1", b"0177.", b"0x7f.", b"mailto:", b"dns:", b"urn:", b"filedesc:", b"warcinfo:",
]
_SCHEMES = [b"http://", b"https://", b"HTTP://", b"ftp://", b"http:", b"http:/", b"http:///", b"", b"//", b"dns:", b"mailto:", b"urn:", b"x:/", b"x://", b"dns://", b"file:///"]
_HOSTS = [
    b"example.com", b"www.Example.com", b"www12.a.b", b"a..b.", b"3232235521", b"0300.0250.1", b"192.168.1", b"1.16777216", b"08.1", b"[::1]", b"[2001:DB8::1]",
    "bücher.de".encode(), "ЯНДЕКС.рф".encode(), "א.com".encode(), b"xn--bcher-kva.de", b"a%2eb", b"%77ww.a", b"", b"localhost", b"%ff.a",
]


def _keys_of_python(urls):
    import surt  # Not in this process: it is AGPL, and a dependency of this check alone.

    for url in urls:
        try:
            yield surt.surt(url)
        except Exception:  # whatever it throws, there is no key
            yield None


def _work(task):
    binary, label, urls = task
    report = Report()
    done = subprocess.run([binary], input=b"".join(url + b"\n" for url in urls), capture_output=True, check=True)
    ours = done.stdout.split(b"\n")[:-1]
    if len(ours) != len(urls):
        raise RuntimeError(f"{len(ours)} keys of {len(urls)} lines")
    for url, key, expected in zip(urls, ours, _keys_of_python(urls)):
        if expected is None:
            report.skipped["for which Python throws"] += 1
            expected = b""
        report.compared[label] += 1
        if key != expected:
            report.add(Mismatch(label, url, key, expected))
    return report


def _real():
    for name in _LISTS:
        yield from (LISTS / name).read_bytes().split(b"\n")
    for name in _LOGS:
        yield from _URL.findall((LISTS / name).read_bytes())


def _mutated(choose, url):
    url = bytearray(url)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(url) + 1)
        match choose.randrange(6):
            case 0:
                url[at:at] = choose.choice(_PIECES)
            case 1:
                url[at:at] = b"%%%02x" % choose.randrange(256)
            case 2:
                url[at:at + 1] = bytes([choose.randrange(256)])
            case 3:
                start = choose.randrange(len(url) + 1)
                url[at:at] = url[start:start + choose.randrange(20)]
            case 4:
                del url[at:at + 3]
            case 5:
                url[:] = url.upper() if choose.random() < 0.3 else url[:at]
    return bytes(url)


def _made(choose):
    port = choose.choice([b"", b"", b"", b":80", b":443", b":", b":081", b":99999"])
    userinfo = choose.choice([b"", b"", b"", b"u@", b"u:p@"])
    tail = b"".join(choose.choice(_PIECES + [b"a", b"b", b"c=1", b"B=2"]) for _ in range(choose.randrange(12)))
    return choose.choice(_SCHEMES) + userinfo + choose.choice(_HOSTS) + port + choose.choice([b"", b"/", b"?"]) + tail


def _cases(options):
    choose = random.Random(27 + options.seed)
    real = list(_real()) if LISTS.is_dir() else [b"http://example.com/a/b?c=d&e=f"]
    yield "real URLs", choose.sample(real, len(real) // 20) if options.quick else real
    count = _GENERATED // (20 if options.quick else 1)
    yield "mutated URLs", [_mutated(choose, choose.choice(real)) for _ in range(count)]
    yield "made URLs", [_made(choose) for _ in range(count)]


def check_surt(options):
    """SURT keys."""
    binary, report = options.binary.parent / "examples" / "surt", Report()
    tasks = []
    for label, urls in _cases(options):
        urls = [url.replace(b"\n", b"") for url in urls]
        tasks += [(binary, label, urls[start:start + _PER_TASK]) for start in range(0, len(urls), _PER_TASK)]
    with Pool(options.jobs) as pool:
        for part in pool.imap_unordered(_work, tasks):
            report.merge(part)
    return report
