#!/usr/bin/env python3
"""Reports over a table: gpuscan beside built-in plans and, if it is installed,
DuckDB.

    reports.py [--rows N] [--runs R] [--workers W] [--json FILE] [--make]
               [PATTERN...]

Needs psql on PATH and a server with gpuscan (PGHOST and the like); run
it in an empty database.  --make makes the table `t` first, by parallel
sessions, and vacuums it.  Times are milliseconds of whole statements as psql's
\\timing has them: medians of R runs after one that is not counted, but for
"first", which is a single run after gpuscan_cache_clear().  DuckDB has its table
in memory and as many threads as there are cores.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import time

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

TABLE = """
CREATE TABLE t (k integer, g integer, v double precision, d date);
ALTER TABLE t SET (autovacuum_enabled = off);
"""
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


def psql(script):
    done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1"],
                          input=script, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def times(settings, statement, runs, before=""):
    """Milliseconds of each run."""
    script = settings + before
    script += "\\timing on\n" + f"{statement} \\g /dev/null\n" * runs
    return [float(t) for t in re.findall(r"Time: ([\d.]+) ms", psql(script))]


def make_table(rows):
    start = time.time()
    psql(TABLE)
    sessions = min(os.cpu_count() or 1, 16, max(1, rows // 100000))
    step = -(-rows // sessions)
    parts = [subprocess.Popen(["psql", "-Xq", "-c",
                               ROWS % (at + 1, min(at + step, rows))])
             for at in range(0, rows, step)]
    if any(part.wait() != 0 for part in parts):
        raise SystemExit("could not fill the table")
    psql("VACUUM (FREEZE, ANALYZE) t;\nCHECKPOINT;\n")
    print(f"# table made in {time.time() - start:.0f} s", flush=True)


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
    result = {}
    for name, statement in chosen:
        took = []
        for _ in range(runs + 1):
            start = time.perf_counter()
            db.execute(statement).fetchall()
            took.append(1000 * (time.perf_counter() - start))
        result[name] = statistics.median(took[1:])
    return result


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
        make_table(a.rows)
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
    print(f"| {a.rows:,} rows | built-in | {a.workers} workers | first | warm "
          "| built-in / warm | first / built-in | DuckDB |")
    print("|---|---|---|---|---|---|---|---|")
    for name, statement in chosen:
        wanted = gpuscan(statement)
        if "GpuscanReport" not in psql(on + f"EXPLAIN {wanted};\n"):
            raise SystemExit(f"not a report: {wanted}")
        one = statistics.median(times(serial, statement, a.slow_runs))
        many = statistics.median(times(parallel, statement, a.slow_runs))
        first = times(on, wanted, 1,
                      "SELECT gpuscan_cache_clear() \\g /dev/null\n")[0]
        warm = statistics.median(times(on, wanted, a.runs + 1)[1:])
        row = dict(name=name, rows=a.rows, serial=one, parallel=many,
                   first=first, warm=warm,
                   duckdb=duck[name] if duck else None)
        result.append(row)
        print(f"| {name} | {one:.0f} | {many:.0f} | {first:.0f} | {warm:.2f} "
              f"| {one / warm:.0f} | {first / one:.2f} "
              f"| {row['duckdb']:.1f} |" if duck else
              f"| {name} | {one:.0f} | {many:.0f} | {first:.0f} | {warm:.2f} "
              f"| {one / warm:.0f} | {first / one:.2f} | |", flush=True)
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result, f, indent=1)


if __name__ == "__main__":
    main()
