#!/usr/bin/env python3
"""Reports over a table: gpuscan beside built-in plans and, if it is installed,
DuckDB.

    reports.py [--rows N] [--runs R] [--workers W] [--json FILE] [--make]
               [PATTERN...]

Needs psql on PATH and a server with gpuscan (PGHOST and the like); run
it in an empty database.  --make makes the table `t` first, by parallel
sessions, and vacuums it.  Times are milliseconds of whole statements as psql's
\\timing has them: medians of R runs after one that is not counted, but for
"first", which is a single run after gpuscan_cache_clear(), in one process and
with workers that read.  DuckDB has its table
in memory and as many threads as there are cores.
"""

import argparse
import json
import re
import statistics

from workload import CLEAR, duckdb_time, fill, make_table, psql

SIX = "sum(v), avg(v), stddev(v), min(v), max(v), count(v)"
YEAR = "d >= '1994-01-01' AND d < '1995-01-01' AND v > 0.25"

# name, built-in, gpuscan's aggregates in it
REPORTS = [
    ("sum", "SELECT sum(v) FROM t"),
    ("sum by 100", "SELECT k, sum(v) FROM t GROUP BY k"),
    ("six by 100", f"SELECT k, {SIX} FROM t GROUP BY k"),
    ("a year, v > 0.25, by 100",
     f"SELECT k, sum(v), avg(v) FROM t WHERE {YEAR} GROUP BY k"),
    ("sum by 1,000,000",
     "SELECT count(s) FROM (SELECT g, sum(v) AS s FROM t GROUP BY g) AS q"),
]

TABLE = "CREATE TABLE t (k integer, g integer, v double precision, d date)"
ROWS = """
INSERT INTO t SELECT (hashint8(i) & 2147483647) %% 100,
    (hashint8(i + 1000000007) & 2147483647) %% 1000000,
    (hashint8extended(i, 7) & 9007199254740991) / 9007199254740992.0,
    date '1992-01-01' + (hashint8(i + 77) & 2147483647) %% 2500
FROM generate_series(%d::bigint, %d::bigint) AS i;
"""


def gpuscan(statement):
    """The same with gpuscan's aggregates."""
    return re.sub(r"\b(sum|avg|stddev|min|max)\(v\)", r"gpu_\1(v)", statement)


def times(settings, statement, runs, before=""):
    """Milliseconds of each run."""
    script = settings + before
    script += "\\timing on\n" + f"{statement} \\g /dev/null\n" * runs
    return [float(t)
            for t in re.findall(r"Time: ([\d.]+) ms", psql(script))]


def duckdb_times(rows, runs, chosen):
    try:
        import duckdb
    except ImportError:
        return None
    db = duckdb.connect()
    db.execute(f"""CREATE TABLE t AS SELECT
        (hash(i) % 100)::INTEGER AS k,
        (hash(i + 1000000007) % 1000000)::INTEGER AS g,
        (hash(i + 7) >> 11) * pow(2, -53) AS v,
        DATE '1992-01-01' + (hash(i + 77) % 2500)::INTEGER AS d
        FROM range({rows}) AS r(i)""")
    return {name: duckdb_time(db, statement, runs)
            for name, statement in chosen}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rows", type=int, default=10_000_000)
    p.add_argument("--runs", type=int, default=7)
    p.add_argument("--workers", type=int, default=8)
    p.add_argument("--slow-runs", type=int, default=3,
                   help="runs of the built-in plans")
    p.add_argument("--json")
    p.add_argument("--make", action="store_true")
    p.add_argument("pattern", nargs="*")
    a = p.parse_args()
    chosen = [(n, s) for n, s in REPORTS
              if not a.pattern or any(x in n for x in a.pattern)]
    psql("CREATE EXTENSION IF NOT EXISTS gpuscan;")
    if a.make:
        make_table("t", TABLE, lambda: fill(ROWS, a.rows))
    common = "SET jit = off;\nSET work_mem = '1GB';\n"
    off = common + "SET gpuscan.reports = off;\n"
    on = common + "SET gpuscan.reports = 'all';\n" \
        "SET max_parallel_workers_per_gather = 0;\n"
    serial = off + "SET max_parallel_workers_per_gather = 0;\n"
    # tables of this size ask for fewer workers by themselves
    parallel = off + f"SET max_parallel_workers_per_gather = {a.workers};\n" \
        "SET min_parallel_table_scan_size = 0;\n" \
        f"ALTER TABLE t SET (parallel_workers = {a.workers});\n"
    duck = duckdb_times(a.rows, a.runs, chosen)
    result = []
    print(f"| {a.rows:,} rows | built-in | {a.workers} workers | first "
          f"| first, {a.workers} workers | warm "
          "| built-in / warm | first / built-in | DuckDB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, statement in chosen:
        wanted = gpuscan(statement)
        if "GpuscanReport" not in psql(on + f"EXPLAIN {wanted};\n"):
            raise SystemExit(f"not a report: {wanted}")
        one = statistics.median(times(serial, statement, a.slow_runs))
        many = statistics.median(times(parallel, statement, a.slow_runs))
        first = times(on, wanted, 1, CLEAR)[0]
        first_parallel = times(
            on + f"SET max_parallel_workers_per_gather = {a.workers};\n",
            wanted, 1, CLEAR)[0]
        warm = statistics.median(times(on, wanted, a.runs + 1)[1:])
        row = dict(name=name, rows=a.rows, serial=one, parallel=many,
                   first=first, first_parallel=first_parallel, warm=warm,
                   duckdb=duck[name] if duck else None)
        result.append(row)
        peer = f"{duck[name]:.1f}" if duck else ""
        print(f"| {name} | {one:.0f} | {many:.0f} | {first:.0f} "
              f"| {first_parallel:.0f} | {warm:.2f} | {one / warm:.0f} "
              f"| {first / one:.2f} | {peer} |",
              flush=True)
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result, f, indent=1)


if __name__ == "__main__":
    main()
