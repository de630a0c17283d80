#!/usr/bin/env python3
"""The part of bench/statements outside the server.

    bench/statements.py DIRECTORY RESULTS

DIRECTORY has the server's measurements: "about", a "part-N" for N elements
and, if requested, "columns" and "sessions".  Times the same work with those of
NumPy, CuPy and DuckDB that can be imported, over the same numbers; a result
that differs is an error.  Writes RESULTS.json, a table as RESULTS.md, and
charts as RESULTS-KEY.svg.
"""
import glob
import json
import math
import os
import statistics
import sys
import time
from xml.sax.saxutils import escape

COLORS = {
    "built-in SQL": "#a9a9a9",
    "gpuscan cpu": "#7fb7c9",
    "gpuscan gpu": "#1f6f8b",
    "gpuscan auto": "#0b3c4d",
    "NumPy": "#e08e45",
    "CuPy": "#b5533c",
    "DuckDB": "#8a9a3b",
}
PARTS = {"waiting": "#a9a9a9", "copying": "#e08e45", "device": "#1f6f8b",
         "the rest": "#d8d8d8"}


def numbers(np, n):
    """The array that bench/statements.sql makes."""
    mask = np.uint64(0xffffffff)
    x = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(2654435769) & mask
    x = (x ^ (x >> np.uint64(15))) * np.uint64(2135587861) & mask
    return (x ^ (x >> np.uint64(13))) / 4294967296.0


def median_ms(work, runs):
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def numpy_peer(a):
    import numpy as np
    return {
        "sum": (lambda: np.sum(a), float),
        "cumsum": (lambda: np.cumsum(a), lambda r: float(r[-1])),
        "histogram": (lambda: np.histogram(a, bins=256, range=(0, 1))[0],
                      lambda r: r.tolist()),
        "filter": (lambda: a[a > 0.5], len),
        "sort": (lambda: np.sort(a), lambda r: float(r[(len(r) - 1) // 2])),
        "median": (lambda: np.median(a), float),
    }


def cupy_peer(a):
    import cupy as cp

    def histogram():
        return cp.asnumpy(cp.histogram(cp.asarray(a), bins=256,
                                       range=(0, 1))[0])

    def above():
        d = cp.asarray(a)
        return cp.asnumpy(d[d > 0.5])

    return {
        "sum": (lambda: float(cp.sum(cp.asarray(a))), float),
        "cumsum": (lambda: cp.asnumpy(cp.cumsum(cp.asarray(a))),
                   lambda r: float(r[-1])),
        "histogram": (histogram, lambda r: r.tolist()),
        "filter": (above, len),
        "sort": (lambda: cp.asnumpy(cp.sort(cp.asarray(a))),
                 lambda r: float(r[(len(r) - 1) // 2])),
        "median": (lambda: float(cp.median(cp.asarray(a))), float),
    }


def duckdb_peer(a):
    import duckdb
    db = duckdb.connect()
    db.register("given", {"v": a})
    db.execute("CREATE TABLE t AS SELECT list(v) AS l FROM given")

    def one(query):
        return lambda: db.execute(query).fetchone()[0]

    above = "SELECT len(list_filter(l, lambda x: x > 0.5)) FROM t"
    try:
        db.execute(above.replace("FROM t", "FROM (SELECT [0.1] AS l)"))
    except duckdb.Error:
        above = above.replace("lambda x:", "x ->")
    return {
        "sum": (one("SELECT list_sum(l) FROM t"), float),
        "filter": (one(above), int),
        "sort": (one("SELECT list_sort(l)[(len(l) + 1) // 2] FROM t"), float),
        "median": (one("SELECT list_median(l) FROM t"), float),
    }


PEERS = {"NumPy": numpy_peer, "CuPy": cupy_peer, "DuckDB": duckdb_peer}


def equal(a, b):
    if isinstance(a, list):
        return a == b
    return math.isclose(a, b, rel_tol=1e-9)


def add_peers(part, runs):
    """Time the other tools over a part's elements; return wrong results'
    names."""
    wrong = []
    try:
        import numpy as np
    except ImportError:
        return wrong
    a = numbers(np, part["elements"])
    for peer, make in PEERS.items():
        try:
            work = make(a)
        except ImportError:
            continue
        for s in part["statements"]:
            if s["key"] not in work:
                continue
            do, digest = work[s["key"]]
            if not equal(digest(do()), s["result"]):
                wrong.append(f'{peer}: {s["name"]}')
            s["ms"][peer] = round(median_ms(do, runs), 4)
    return wrong


def ms(value):
    if value is None:
        return ""
    return f"{value:,.1f}" if value >= 10 else f"{value:.3g}"


def table(record):
    """The times in a table for each size, in Markdown."""
    about = record["about"]
    lines = [
        "Milliseconds, medians of {runs} runs (built-in SQL: {sql}); "
        "PostgreSQL {postgresql}, gpuscan {gpuscan} (commit {commit}), "
        "{processor}, {cores} cores{gpu}, {date}.".format(
            sql=record["parts"][0]["sql_runs"],
            gpu=", " + about["device"] if about["device"] else "", **about)]
    if about["service_engine"] != "cuda":
        lines.append("\nThe service computed on the "
                     f'{about["service_engine"].upper()}: this is a test.')
    for part in record["parts"]:
        names = [n for n in COLORS
                 if any(s["ms"].get(n) for s in part["statements"])]
        lines.append(f'\n{part["elements"]:,} elements:\n')
        lines.append("| statement | " + " | ".join(names)
                     + " | same result |")
        lines.append("|---" * (len(names) + 2) + "|")
        for s in part["statements"]:
            cells = [ms(s["ms"].get(n)) for n in names]
            same = {True: "yes", False: "NO", None: "not compared"}[s["same"]]
            lines.append(f'| {s["name"]} | ' + " | ".join(cells)
                         + f" | {same} |")
    lines += column_table(record) + session_table(record)
    return "\n".join(lines) + "\n"


def column_table(record):
    """Reports over a column, and their time without the common work."""
    if not record["columns"]:
        return []
    lines = [f'\n{int(record["about"]["rows"]):,} rows of a table; "beyond" '
             "is what a sort takes that both need, and the last column is "
             "without it:\n",
             "| statement | built-in SQL | gpuscan | beyond | gpuscan / SQL "
             "| same result |", "|---|---|---|---|---|---|"]
    for c in record["columns"]:
        beyond = c["beyond"] or 0
        ratio = (c["gpuscan"] - beyond) / max(c["built-in SQL"] - beyond, 0.1)
        same = {True: "yes", False: "NO", None: "not compared"}[c["same"]]
        lines.append(f'| {c["name"]} | {ms(c["built-in SQL"])} | '
                     f'{ms(c["gpuscan"])} | {ms(c["beyond"])} | {ratio:.2f} '
                     f"| {same} |")
    return lines


def session_table(record):
    """The throughput of concurrent sessions, and the memory of a call."""
    if not record["sessions"]:
        return []
    lines = ["\nRunning sums of 10,000,000 elements by sessions at once; "
             "memory is what a session takes beyond input and output:\n",
             "| engine | sessions | calls a second | memory, MB |",
             "|---|---|---|---|"]
    lines += [f'| {s["engine"]} | {s["sessions"]} | {s["per_second"]:.1f} | '
              f'{s["beyond"] / 1e6:.1f} |' for s in record["sessions"]]
    private = record["about"]["service_private_kb"]
    if private:
        lines.append(f"\nThe service then had {int(private) / 1024:.0f} MiB "
                     "of private host memory.")
    return lines


def read_sessions(name):
    if not os.path.exists(name):
        return []
    with open(name, encoding="utf-8") as f:
        rows = [line.split() for line in f]
    return [{"engine": r[0], "sessions": int(r[1]), "per_second": float(r[2]),
             "beyond": int(r[3])} for r in rows]


def read_columns(name):
    if not os.path.exists(name):
        return []
    with open(name, encoding="utf-8") as f:
        return json.load(f)


def text(x, y, what, size=12, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
            f'text-anchor="{anchor}" font-weight="{weight}">'
            f'{escape(what)}</text>')


def page(width, height, parts):
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
         f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
         'font-family="sans-serif" fill="#222">',
         f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>']
        + parts + ["</svg>", ""])


def decades(low, high):
    return range(math.floor(math.log10(low) + 1e-9),
                 math.ceil(math.log10(high) - 1e-9) + 1)


def curves(title, lines):
    """Time over size, both logarithmic; lines: name -> [(elements, ms)]."""
    left, top, width, height = 70, 50, 520, 360
    points = [p for line in lines.values() for p in line]
    xs = decades(min(p[0] for p in points), max(p[0] for p in points))
    ys = decades(min(p[1] for p in points), max(p[1] for p in points))

    def place(p):
        return (left + width * (math.log10(p[0]) - xs[0]) / (xs[-1] - xs[0]),
                top + height * (ys[-1] - math.log10(p[1]))
                / (ys[-1] - ys[0]))

    parts = [text(left, 24, title, 16, weight="bold"),
             text(left, 42, "milliseconds over elements", 11)]
    for x in xs:
        at = place((10.0 ** x, 10.0 ** ys[0]))[0]
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top}" '
                     f'y2="{top + height}" stroke="#ddd"/>')
        parts.append(text(at, top + height + 16, f"{10 ** x:,}", 10,
                          "middle"))
    for y in ys:
        at = place((10.0 ** xs[0], 10.0 ** y))[1]
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{at:.1f}" '
                     f'y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(text(left - 6, at + 4, f"{10.0 ** y:g}", 10, "end"))
    ends = sorted((place(line[-1])[1], name) for name, line in lines.items())
    at = top
    for wanted, name in ends:
        at = max(wanted, at + 13)
        parts.append(text(left + width + 8, at + 4, name, 11))
    for name, line in lines.items():
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, line))
        parts.append(f'<polyline points="{path}" fill="none" '
                     f'stroke="{COLORS[name]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" '
                  f'fill="{COLORS[name]}"/>' for x, y in map(place, line)]
    return page(left + width + 110, top + height + 30, parts)


def bars(part, engine):
    """How a call's time is divided: a bar a statement, of its parts."""
    left, top, width, bar = 250, 66, 480, 22
    rows = [(s["name"], s["parts"][engine]) for s in part["statements"]
            if engine in s.get("parts", {})]
    most = max(sum(p.values()) for _, p in rows) or 1
    out = [text(12, 24, "Where the time of a call goes", 16, weight="bold"),
           text(12, 42, f'{part["elements"]:,} elements, engine {engine}', 11)]
    x = left
    for name, color in PARTS.items():
        out.append(f'<rect x="{x}" y="48" width="10" height="10" '
                   f'fill="{color}"/>')
        out.append(text(x + 14, 57, name, 11))
        x += 90
    for i, (name, parts) in enumerate(rows):
        y = top + i * (bar + 8)
        x = float(left)
        out.append(text(left - 8, y + 15, name, 11, "end"))
        for key, color in PARTS.items():
            w = width * parts[key] / most
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{w:.1f}" '
                       f'height="{bar}" fill="{color}"/>')
            x += w
        out.append(text(x + 6, y + 15, f"{ms(sum(parts.values()))} ms", 11))
    return page(left + width + 90, top + len(rows) * (bar + 8) + 10, out)


def parts_shown(parts):
    """The part whose calls are broken down: ten million elements, or the
    largest."""
    on_gpu = [p for p in parts
              if any("gpu" in s["parts"] for s in p["statements"])]
    return max(on_gpu, default=None,
               key=lambda p: (p["elements"] == 10**7, p["elements"]))


def charts(record):
    """All charts that the record has the data for: key -> SVG."""
    parts = record["parts"]
    made = {}
    for i, s in enumerate(parts[0]["statements"]):
        lines = {}
        for name in COLORS:
            line = [(p["elements"], p["statements"][i]["ms"].get(name))
                    for p in parts]
            line = [point for point in line if point[1]]
            if len(line) > 1:
                lines[name] = line
        if lines:
            made[s["key"]] = curves(s["name"], lines)
    shown = parts_shown(parts)
    if shown:
        made["parts"] = bars(shown, "gpu")
    return made


def write(name, content):
    with open(name, "w", encoding="utf-8") as f:
        f.write(content)


def keep(record, results):
    write(results + ".json", json.dumps(record, indent=1) + "\n")
    write(results + ".md", table(record))
    for key, chart in charts(record).items():
        write(f"{results}-{key}.svg", chart)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    directory, results = sys.argv[1:]
    with open(os.path.join(directory, "about"), encoding="utf-8") as f:
        about = dict(line.rstrip("\n").split("=", 1) for line in f)
    parts = []
    for name in glob.glob(os.path.join(directory, "part-*")):
        with open(name, encoding="utf-8") as f:
            parts.append(json.load(f))
    parts.sort(key=lambda part: part["elements"])
    columns = read_columns(os.path.join(directory, "columns"))
    wrong = [f'SQL: {s["name"]}'
             for s in [s for part in parts for s in part["statements"]]
             + columns if s["same"] is False]
    with open(os.path.join(directory, "calibration"), encoding="utf-8") as f:
        calibration = [line.rstrip("\n").split(" | ") for line in f]
    record = {"about": about, "parts": parts, "calibration": calibration,
              "columns": columns,
              "sessions": read_sessions(os.path.join(directory, "sessions"))}
    # the other tools may be slow: save the server's results first
    keep(record, results)
    for part in parts:
        wrong += add_peers(part, int(about["runs"]))
    keep(record, results)
    print(table(record))
    if wrong:
        sys.exit("results differ: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
