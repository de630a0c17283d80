#!/usr/bin/env python3
"""Turn a record of bench/kernels/run --json into charts for docs/.

    bench/kernels/charts.py RECORD.json DIRECTORY

One SVG for each family of kernels: a bar for every contestant, as long as its
share of what a device-to-device copy moves, grouped by the work; and one for
small inputs, where what counts is the time of a call.
"""
import json
import os
import sys
from xml.sax.saxutils import escape

FAMILIES = [
    ("reduce", "Reductions", ("sum", "min", "max", "argmin")),
    ("scan", "Scans", ("scan",)),
    ("histogram", "Histograms", ("histogram",)),
    ("compact", "Compactions", ("compaction", "positions")),
]

OURS = "#1f6f8b"
LIBRARY = "#e08e45"
CLASSIC = "#a9a9a9"

LEFT = 330          # where bars begin
SCALE = 4.2         # a percent, in pixels
RIGHT = 110
BAR = 15
GAP = 14            # between groups
TITLE = 54


def color(name):
    if name.startswith("gpuscan"):
        return OURS
    if name.startswith(("CUB", "thrust", "cublas", "cudaMemcpy")):
        return LIBRARY
    return CLASSIC


def text(x, y, what, size=12, anchor="start", weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" '
            f'text-anchor="{anchor}" font-weight="{weight}">'
            f'{escape(what)}</text>')


def groups_of(results):
    """Results by work and number of elements, in the order of the record."""
    groups = {}
    for r in results:
        groups.setdefault((r["work"], r["n"]), []).append(r)
    return groups


def page(width, height, parts):
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
         f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
         'font-family="sans-serif" fill="#222">',
         f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>']
        + parts + ["</svg>", ""])


def bars(title, note, groups, length, label, lines):
    """Groups of bars; length and label of a result are functions of it."""
    parts = []
    y = TITLE
    longest = max(length(r) for group in groups.values() for r in group)
    for (work, n), group in groups.items():
        parts.append(text(12, y + 11, f"{work}, {n:,} elements", 12,
                          weight="bold"))
        y += BAR + 3
        for r in group:
            parts.append(text(LEFT - 8, y + 11, r["contestant"], 11, "end"))
            parts.append(
                f'<rect x="{LEFT}" y="{y}" height="{BAR - 3}" '
                f'width="{max(length(r), 1):.1f}" '
                f'fill="{color(r["contestant"])}"/>')
            parts.append(text(LEFT + length(r) + 6, y + 11, label(r), 11))
            y += BAR
        y += GAP
    under = [text(12, 22, title, 16, weight="bold"), text(12, 40, note, 11)]
    for at, name in lines:
        x = LEFT + at
        under.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TITLE - 4}" '
                     f'y2="{y - GAP}" stroke="#ccc"/>')
        under.append(text(x, TITLE - 7, name, 10, "middle"))
    return page(LEFT + longest + RIGHT, y, under + parts)


def by_share(title, record, groups):
    lines = [(p * SCALE, f"{p} %") for p in (25, 50, 75, 100)]
    return bars(
        title,
        f'{record["device"]}, data on the device; bytes moved by the time, '
        f'as a share of a copy ({record["copy_gb_per_s"]:,.0f} GB/s)',
        groups, lambda r: r["of_copy"] * 100 * SCALE,
        lambda r: f'{r["of_copy"] * 100:.1f} %', lines)


def by_time(record, groups):
    most = max(r["ms"] for group in groups.values() for r in group)
    scale = 420 / most
    return bars(
        "Small inputs", f'{record["device"]}, the call and the wait for it',
        groups, lambda r: r["ms"] * scale,
        lambda r: f'{r["ms"] * 1000:.1f} us', [])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        record = json.load(f)
    large = [r for r in record["results"] if r["timed_by"] == "events"]
    small = [r for r in record["results"] if r["timed_by"] == "clock"]
    os.makedirs(sys.argv[2], exist_ok=True)
    charts = {}
    for name, title, starts in FAMILIES:
        groups = groups_of([r for r in large if r["work"].startswith(starts)])
        if groups:
            charts[f"kernels-{name}.svg"] = by_share(title, record, groups)
        groups = groups_of([r for r in small if r["work"].startswith(starts)])
        if groups:
            charts[f"kernels-{name}-small.svg"] = by_time(record, groups)
    for name, chart in charts.items():
        with open(os.path.join(sys.argv[2], name), "w",
                  encoding="utf-8") as f:
            f.write(chart)


if __name__ == "__main__":
    main()
