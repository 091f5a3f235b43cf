"""The picture of docs/speed.md, docs/speed.svg: six bars, from the table "Ways out" of the same page.

With --check, the script only compares the picture with the table, and fails if they differ.
"""

import re
import sys
from xml.sax.saxutils import escape

from .places import ROOT

PAGE = ROOT / "docs" / "speed.md"
PICTURE = ROOT / "docs" / "speed.svg"
TABLE = re.compile(r"^## Ways out, (?P<size>[\d.]+ GB).*?\n(?P<rows>\|.*?)\n\n", re.DOTALL | re.MULTILINE)
# The text of each bar, and the row that has its figure. Bars of others have another colour.
BARS = [
    ("wc -l counts the lines", "`wc -l`", True),
    ("urivalidate judges each, 2 threads", "`--emit none`, 2", False),
    ("urivalidate judges each, 1 thread", "`--emit none`, 1", False),
    ("and writes the hosts", "`--emit host`, 1", False),
    ("and writes all components as CSV", "`--emit components --to csv`, 1", False),
    ("a loop over fluent-uri judges each", "fluent-uri, the user's loop", True),
]
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #24292f }
.ours { fill: #0969da }
.others { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ours { fill: #4493f8 } .others { fill: #6e7681 } }
"""
# Pixels.
LEFT, WIDEST, RIGHT, STEP, HEIGHT, TOP = 270, 360, 80, 32, 20, 40


def add_arguments(parser):
    parser.add_argument("--check", action="store_true", help="only compare the picture with the table")


def picture(page):
    """The text of the picture."""
    found = TABLE.search(page)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in found["rows"].splitlines()]
    times = {row[0]: int(row[1].removesuffix(" ms")) for row in cells[2:]}
    scale = WIDEST / max(times[row] for _, row, _ in BARS)
    width, height = LEFT + WIDEST + RIGHT, TOP + STEP * len(BARS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
        f"<title>Milliseconds for {found['size']} of URLs</title>",
        f"<style>{STYLE}</style>",
        f'<text x="{LEFT}" y="20">Milliseconds for {found["size"]} of URLs in the page cache</text>',
    ]
    for number, (text, row, is_of_others) in enumerate(BARS):
        y, bar = TOP + number * STEP, times[row] * scale
        kind = "others" if is_of_others else "ours"
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(text)}</text>',
            f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{bar:.1f}" height="{HEIGHT}"/>',
            f'<text x="{LEFT + bar + 6:.1f}" y="{y + 15}">{times[row]:,}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def main(arguments):
    made = picture(PAGE.read_text(encoding="utf-8"))
    if not arguments.check:
        PICTURE.write_text(made, encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != made:
        sys.exit("docs/speed.svg has other figures than docs/speed.md; scripts/bench picture draws it anew")
