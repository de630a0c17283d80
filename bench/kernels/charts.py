#!/usr/bin/env python3
"""Turn a record of bench/kernels/run --json into charts for docs/.

    bench/kernels/charts.py RECORD.json [DUCKDB.json] DIRECTORY

One SVG for each family of kernels: a bar for every contestant, as long as its
share of what a device-to-device copy moves, grouped by the work; and one for
small inputs, where what counts is the time of a call.  For groups, one of
times on a logarithmic scale, together with those of a record of
bench/groups_duckdb.py --json.
"""
import json
import math
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
CPU = "#8a6fae"

GROUP = "group "     # what the names of such work begin with

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
    if name.startswith("DuckDB"):
        return CPU
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


def of_elements(work, n):
    return f"{work}, {n:,} elements"


def bars(title, note, groups, length, label, lines, heading=of_elements):
    """Groups of bars; length and label of a result are functions of it."""
    parts = []
    y = TITLE
    longest = max(length(r) for group in groups.values() for r in group)
    for (work, n), group in groups.items():
        parts.append(text(12, y + 11, heading(work, n), 12, weight="bold"))
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


def by_magnitude(record, groups):
    """Times of work that others take a thousand times as long for."""
    times = [r["ms"] for group in groups.values() for r in group]
    least = math.floor(math.log10(min(times)))
    most = math.ceil(math.log10(max(times)))
    scale = 460 / max(most - least, 1)
    rows = {n for _, n in groups}

    def length(ms):
        return (math.log10(ms) - least) * scale

    return bars(
        "Groups",
        f'{record["device"]}, {", ".join(f"{n:,}" for n in sorted(rows))} '
        'rows; logarithmic',
        groups, lambda r: length(r["ms"]), lambda r: f'{r["ms"]:,.4g} ms',
        [(length(10 ** e), f"{10 ** e:,g} ms")
         for e in range(least, most + 1) if 10 ** e <= max(times)],
        lambda work, n: work[len(GROUP):])


def group_results(record, others):
    """Those of the record; of others, what does the same work."""
    results = [r for r in record["results"] if r["work"].startswith(GROUP)]
    done = {(r["work"], r["n"]) for r in results}
    return results + [r for other in others for r in other["results"]
                      if (r["work"], r["n"]) in done]


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    *records, directory = sys.argv[1:]
    record, *others = map(load, records)
    results = [r for r in record["results"]
               if not r["work"].startswith(GROUP)]
    large = [r for r in results if r["timed_by"] == "events"]
    small = [r for r in results if r["timed_by"] == "clock"]
    os.makedirs(directory, exist_ok=True)
    charts = {}
    groups = groups_of(group_results(record, others))
    if groups:
        charts["kernels-group.svg"] = by_magnitude(record, groups)
    for name, title, starts in FAMILIES:
        groups = groups_of([r for r in large if r["work"].startswith(starts)])
        if groups:
            charts[f"kernels-{name}.svg"] = by_share(title, record, groups)
        groups = groups_of([r for r in small if r["work"].startswith(starts)])
        if groups:
            charts[f"kernels-{name}-small.svg"] = by_time(record, groups)
    for name, chart in charts.items():
        with open(os.path.join(directory, name), "w",
                  encoding="utf-8") as f:
            f.write(chart)


if __name__ == "__main__":
    main()
