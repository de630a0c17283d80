#!/usr/bin/env python3
"""The picture of the README: a running sum and a report over a table, by SQL,
gpuscan and others.

    picture.py STATEMENTS.json REPORTS.json FILE.svg

The records are those of statements.py and reports.py --json.
"""

import json
import math
import sys

from statements import ms, page, text

SUBJECT = {True: "#2a7f3f", False: "#9aa7b5"}  # gpuscan, others
LEFT, WIDTH, BAR, STEP = 190, 430, 20, 27


def running_sum(record):
    part = max(record["parts"], key=lambda p: p["elements"])
    part = next((p for p in record["parts"] if p["elements"] == 10**7), part)
    s = next(s for s in part["statements"] if s["key"] == "cumsum")["ms"]
    rows = [("SQL window function", s["built-in SQL"]), ("NumPy", s["NumPy"]),
            ("CuPy, host to host", s["CuPy"]), ("gpuscan, CPU", s["gpuscan cpu"]),
            ("gpuscan, GPU", s["gpuscan gpu"])]
    return f'Running sum of an array of {part["elements"]:,} elements', rows


def report(record):
    r = next(r for r in record if r["name"] == "sum by 100")
    rows = [("SQL", r["serial"]), ("SQL, 8 workers", r["parallel"]),
            ("DuckDB, 16 threads", r["duckdb"]),
            ("gpuscan, first time", r["first"]), ("gpuscan, from then on", r["warm"])]
    return f'Report over a table of {r["rows"]:,} rows: sum by 100 groups', rows


def panel(top, title, rows):
    """Bars of milliseconds on a logarithmic scale that begins at 0.1."""
    scale = WIDTH / 5
    parts = [text(12, top, title, 15, weight="bold")]
    for i, (name, time) in enumerate(rows):
        y = top + 14 + i * STEP
        w = scale * max(math.log10(time / 0.1), 0.02)
        parts += [text(LEFT - 8, y + 15, name, 12, "end"),
                  f'<rect x="{LEFT}" y="{y}" width="{w:.1f}" height="{BAR}" '
                  f'fill="{SUBJECT["gpuscan" in name]}"/>',
                  text(LEFT + w + 6, y + 15, f"{time:,.0f} ms" if time >= 100 else f"{ms(time)} ms", 12,
                       weight="bold" if "gpuscan" in name else "normal")]
    return parts


def main():
    statements, reports, to = sys.argv[1:]
    with open(statements, encoding="utf-8") as f:
        first = running_sum(json.load(f))
    with open(reports, encoding="utf-8") as f:
        second = report(json.load(f))
    parts = panel(26, *first) + panel(212, *second)
    parts.append(text(12, 388, "Shorter is better; the scale is logarithmic, from 0.1 ms to 10 s. "
                      "PostgreSQL 15, NVIDIA H200, 16 cores.", 11))
    with open(to, "w", encoding="utf-8") as f:
        f.write(page(LEFT + WIDTH + 90, 400, parts))


if __name__ == "__main__":
    main()
