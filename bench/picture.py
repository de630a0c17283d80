#!/usr/bin/env python3
"""The picture of the README: a report over a table on a host with a GPU and on
one without, and a running sum of an array, by SQL, gpuscan and others.

    picture.py REPORTS.json REPORTS-CPU.json STATEMENTS.json FILE.svg

The records are those of reports.py --json and statements.py.
"""

import json
import sys

from statements import ms, page, text

SUBJECT = {True: "#2a7f3f", False: "#9aa7b5"}  # gpuscan, others
LEFT, WIDTH, BAR, STEP = 190, 330, 18, 24


def report(record, about, processes, threads):
    r = next(r for r in record if r["name"] == "sum by 100")
    rows = [("SQL, one process", r["serial"]),
            (f"SQL, {processes} workers", r["parallel"]),
            (f"DuckDB, {threads} threads", r["duckdb"]),
            ("gpuscan, first time", r["first"]), ("gpuscan, from then on", r["warm"])]
    return f'Report over {r["rows"]:,} rows, {about}', rows


def running_sum(record):
    part = next(p for p in record["parts"] if p["elements"] == 10**7)
    s = next(s for s in part["statements"] if s["key"] == "cumsum")["ms"]
    rows = [("SQL window function", s["built-in SQL"]), ("NumPy", s["NumPy"]),
            ("CuPy, host to host", s["CuPy"]), ("gpuscan, CPU", s["gpuscan cpu"]),
            ("gpuscan, GPU", s["gpuscan gpu"])]
    return f'Running sum of an array of {part["elements"]:,} elements', rows


def panel(top, title, rows):
    """Bars of milliseconds, and how many times gpuscan's best each is: most
    bars are too short to see that."""
    longest = max(time for _, time in rows)
    best = rows[-1][1]
    parts = [text(12, top, title, 15, weight="bold")]
    for i, (name, time) in enumerate(rows):
        ours = "gpuscan" in name
        y = top + 12 + i * STEP
        w = max(WIDTH * time / longest, 1)
        label = f"{time:,.0f} ms" if time >= 100 else f"{ms(time)} ms"
        if time > best:
            label += f" ({float(f'{time / best:.2g}'):,g} ×)"
        parts += [text(LEFT - 8, y + 14, name, 12, "end"),
                  f'<rect x="{LEFT}" y="{y}" width="{w:.1f}" height="{BAR}" '
                  f'fill="{SUBJECT[ours]}"/>',
                  text(LEFT + w + 6, y + 14, label, 12,
                       weight="bold" if ours else "normal")]
    return parts


def main():
    *records, to = sys.argv[1:]
    reports, reports_cpu, statements = [json.load(open(r, encoding="utf-8")) for r in records]
    panels = [report(reports, "sum by 100 groups, on a GPU", 8, 16),
              report(reports_cpu, "sum by 100 groups, two cores without a GPU", 2, 2),
              running_sum(statements)]
    parts = []
    for i, (title, rows) in enumerate(panels):
        parts += panel(26 + i * 168, title, rows)
    parts += [text(12, 512, "Shorter is better; × is times the last bar of the same part. PostgreSQL 15. "
                   "With a GPU: NVIDIA H200, 16 cores.", 11)]
    with open(to, "w", encoding="utf-8") as f:
        f.write(page(LEFT + WIDTH + 140, 524, parts))


if __name__ == "__main__":
    main()
