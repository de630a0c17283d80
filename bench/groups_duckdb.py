#!/usr/bin/env python3
"""DuckDB on the work of bench/kernels/groups.cu and bench/groups_cpu.c.

    groups_duckdb.py [--rows N] [--threads T[,T...]] [--runs R]
                     [--json FILE] [PATTERN...]

Makes a table in memory with the same distributions and prints the median time
of each statement whose name contains a pattern, or of all.  The defaults are
100,000,000 rows, 16 threads, 5 runs after one that is not counted.  100,000,000
rows take 10 GB of memory.

Needs the package duckdb from PyPI, nothing else.  For a host without network
that has Python 3.12, prepare it elsewhere (24 MB to carry):

    pip download --no-deps --only-binary=:all: --python-version 3.12 \\
        --implementation cp --platform manylinux_2_28_x86_64 \\
        --dest wheels duckdb==2.0.0

and there

    pip install --no-index --no-deps --target site wheels/*.whl
    PYTHONPATH=site python3 bench/groups_duckdb.py

A wheel is a zip file: without pip, `python3 -m zipfile -e wheels/*.whl site`.
"""

import argparse
import json
import statistics
import time

import duckdb

UNIT = "(hash(i + {0}000000000000) >> 11) * pow(2, -53)"
BELOW = "(hash(i + {0}000000000000) % {1})::INTEGER"
SKEWED = ("CASE WHEN (hash(i + {0}000000000000) >> 63) = 1 THEN {1} / 2 "
          "ELSE hash(i + {0}000000000000) % {1} END::INTEGER")

COLUMNS = {
    "k1": "0",
    "k6": BELOW.format(1, 6),
    "k10": BELOW.format(2, 10),
    "k100": BELOW.format(3, 100),
    "k10000": BELOW.format(4, 10_000),
    "k1000000": BELOW.format(5, 1_000_000),
    "k10000000": BELOW.format(6, 10_000_000),
    "h100": SKEWED.format(7, "100"),
    "h10000": SKEWED.format(8, "10000"),
    "h1000000": SKEWED.format(9, "1000000"),
    "v": UNIT.format(10),
    "normal": "sqrt(-2 * ln(1 - %s)) * cos(2 * pi() * %s)"
              % (UNIT.format(11), UNIT.format(12)),
    "d": BELOW.format(13, 2500),
    "w": UNIT.format(14),
    "price": "90000 + hash(i + 15000000000000) % 10404951",
    "discount": BELOW.format(16, 11),
    "tax": BELOW.format(17, 9),
}
INT8 = ("price", "discount", "tax")

SIX = "count({0}), sum({0}), avg({0}), stddev({0}), min({0}), max({0})"
CHARGE = ("count(*), sum(price), sum(price * (100 - discount)), "
          "sum(price * (100 - discount) * (100 + tax)), avg(price), "
          "avg(discount)")


def sum_by(key, value="v"):
    return f"SELECT {key}, sum({value}) FROM t GROUP BY {key}"


def counted(statement):
    """Millions of rows would mostly measure their way into Python."""
    return ("SELECT count(*), max(s) FROM (%s) x(k, s)" % statement)


STATEMENTS = {
    "sum by 1": sum_by("k1"),
    "sum by 100": sum_by("k100"),
    "sum by 100, normal values": sum_by("k100", "normal"),
    "six aggregates by 100":
        f"SELECT k100, {SIX.format('v')} FROM t GROUP BY k100",
    "filter, sum and average by 100":
        "SELECT k100, sum(v), avg(v) FROM t "
        "WHERE d >= 1000 AND d < 1833 AND w > 0.25 GROUP BY k100",
    "sum by 10,000": sum_by("k10000"),
    "sum by 1,000,000": counted(sum_by("k1000000")),
    "sum by 10,000,000": counted(sum_by("k10000000")),
    "sum by 100, half in one": sum_by("h100"),
    "sum by 10,000, half in one": sum_by("h10000"),
    "sum by 1,000,000, half in one": counted(sum_by("h1000000")),
    "median by 100": "SELECT k100, median(v) FROM t GROUP BY k100",
    "histogram of 256 by 10":
        "SELECT k10, floor(256 * v)::INTEGER AS bucket, count(*) FROM t "
        "GROUP BY k10, bucket",
    "charge, six aggregates by 6":
        f"SELECT k6, {CHARGE} FROM t GROUP BY k6",
}


def make_table(db, rows):
    columns = ", ".join(
        f"({what})::{'BIGINT' if name in INT8 else 'DOUBLE'} AS {name}"
        if name in INT8 + ("v", "normal", "w") else f"{what} AS {name}"
        for name, what in COLUMNS.items())
    # a scan of a table is parallel, range() is not
    db.execute(f"CREATE TABLE n AS SELECT i::BIGINT AS i FROM range({rows}) x(i)")
    db.execute(f"CREATE TABLE t AS SELECT {columns} FROM n")
    db.execute("DROP TABLE n")


def run(db, statement):
    start = time.perf_counter()
    rows = db.execute(statement).fetchall()
    return (time.perf_counter() - start) * 1000, rows


def check(name, rows, n):
    """Is it the work that the name says?"""
    groups = int(name.split(" by ")[1].split(", half")[0].split(", normal")[0]
                 .replace(",", ""))
    if name.startswith("histogram"):
        ok = len(rows) == 256 * groups and sum(r[2] for r in rows) == n
    elif len(rows) == 1 and groups > 1:
        ok = 0 < rows[0][0] <= groups
    else:
        ok = len(rows) == groups
    if not ok:
        raise SystemExit(f"{name}: {len(rows)} rows, first {rows[:1]}")


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--threads", default="16")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()

    db = duckdb.connect()
    db.execute("SET preserve_insertion_order = false")
    start = time.perf_counter()
    make_table(db, options.rows)
    print(f"DuckDB {duckdb.__version__}, {processor()}, {options.rows:,} rows, "
          f"made in {time.perf_counter() - start:.1f} s", flush=True)

    results = []
    for threads in map(int, options.threads.split(",")):
        db.execute(f"SET threads = {threads}")
        for name, statement in STATEMENTS.items():
            if options.patterns and not any(p in name
                                            for p in options.patterns):
                continue
            _, rows = run(db, statement)
            check(name, rows, options.rows)
            ms = statistics.median(run(db, statement)[0]
                                   for _ in range(options.runs))
            print(f"{name:36s} {threads:3d} threads {ms:10.2f} ms "
                  f"{ms * 1e6 / options.rows:8.3f} ns a row", flush=True)
            results.append({"work": "group " + name, "n": options.rows,
                            "contestant": "DuckDB, 1 thread" if threads == 1
                            else f"DuckDB, {threads} threads",
                            "threads": threads, "ms": round(ms, 4)})
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump({"duckdb": duckdb.__version__, "processor": processor(),
                       "runs": options.runs, "results": results}, f, indent=0)
            f.write("\n")


if __name__ == "__main__":
    main()
