#!/usr/bin/env python3
"""Many sessions with reports: alone, beside a slow report, beside a writer.

    report_sessions.py [--rows N] [--slow-rows N] [--sessions N] [--seconds N]
                       [--make] [--json FILE] [PATTERN...]

Run it in an empty database, with psql and pgbench on PATH.  --make makes the
tables first.  Each session asks for the sum by 100 groups, as a prepared
statement, again and again.  Times are those that pgbench's log has of each; the
99th percentile, in ms, is what 99 of 100 reports took at most.

    one session       reports a second, and what one takes
    sessions          as many as --sessions says
    beside a sort     the same, while one session sorts the slow table
    warm table        one session, of a table that nobody writes
    steady inserts    the same, while another one inserts 500 rows a second
"""

import glob
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import workload

SETTINGS = workload.COMMON + "SET gpuscan.reports = 'all';\n"
FAST = "SELECT k, sum(v) FROM {} GROUP BY k;\n"
SLOW = ("SELECT sum(r), max(r) FROM (SELECT rank() OVER (ORDER BY v, id) AS r "
        "FROM slow) AS s;\n")
TABLE = """CREATE TABLE {0} AS SELECT (i % 100)::integer AS k,
    (hashint8(i) & 1048575) / 8.0::float8 AS v, i::integer AS id
    FROM generate_series(1, {1}) AS i;
ALTER TABLE {0} SET (autovacuum_enabled = off);
VACUUM ANALYZE {0};
"""
WRITTEN_ROWS = 3_000_000
BATCHES = 10                    # inserts a second
BATCH = "INSERT INTO written SELECT i % 100, i / 8.0, i FROM generate_series(1, 50) AS i"


def log_times(sessions, seconds, table):
    """Milliseconds of each report of so many sessions."""
    with tempfile.TemporaryDirectory() as at:
        with open(f"{at}/fast.sql", "w") as f:
            f.write(FAST.format(table))
        done = subprocess.run(
            ["pgbench", "-n", "-M", "prepared", "-c", str(sessions), "-j",
             str(min(sessions, 4)), "-T", str(seconds), "-f", "fast.sql", "-l"],
            cwd=at, capture_output=True, text=True,
            env={**workload.os.environ, "PGOPTIONS": "-c gpuscan.reports=all "
                 "-c session_preload_libraries=gpuscan"})
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        times = []
        for name in glob.glob(f"{at}/pgbench_log.*"):
            with open(name) as f:
                times += [int(line.split()[2]) / 1000 for line in f]
    return sorted(times)


def measure(name, sessions, a, table="fast"):
    times = log_times(sessions, a.seconds, table)
    result = {"name": name, "sessions": sessions,
              "reports_a_second": round(len(times) / a.seconds),
              "median_ms": round(statistics.median(times), 3),
              "p99_ms": round(times[len(times) * 99 // 100], 3),
              "max_ms": round(times[-1], 3)}
    print(f"{name:16} {sessions:8} {result['reports_a_second']:10} "
          f"{result['median_ms']:10} {result['p99_ms']:10} {result['max_ms']:10}",
          flush=True)
    return result


def repeat(script, done, pause=0.0):
    """psql with the script again and again, until done is set."""
    p = subprocess.Popen(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         text=True, bufsize=1)
    p.stdin.write(SETTINGS)
    count = 0
    due = time.monotonic()
    while not done.is_set():
        p.stdin.write(script + "\\echo made\n")
        p.stdin.flush()
        for line in p.stdout:
            if line == "made\n":
                break
        count += 1
        due += pause
        time.sleep(max(0, due - time.monotonic()))
    p.stdin.close()
    p.wait()
    return count


def beside(script, pause, what):
    done = threading.Event()
    made = []
    thread = threading.Thread(
        target=lambda: made.append(repeat(script, done, pause)))
    thread.start()
    time.sleep(1)
    result = what()
    done.set()
    thread.join()
    result["times_beside"] = made[0]
    return result


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--rows", type=int, default=10_000_000)
    p.add_argument("--slow-rows", type=int, default=100_000_000)
    p.add_argument("--sessions", type=int, default=16)
    p.add_argument("--seconds", type=int, default=10)
    a = p.parse_args()
    if a.make:
        for table, rows in (("fast", a.rows), ("slow", a.slow_rows),
                            ("written", WRITTEN_ROWS)):
            workload.psql(TABLE.format(table, rows))
    for statement in (FAST.format("fast"), FAST.format("written"), SLOW):
        if "GpuscanReport" not in workload.psql(SETTINGS + "EXPLAIN " + statement):
            raise SystemExit("this is no report here: " + statement)
        workload.psql(SETTINGS + statement)
    runs = [
        ("one session", lambda n: measure(n, 1, a)),
        ("sessions", lambda n: measure(n, a.sessions, a)),
        ("beside a sort", lambda n: beside(
            SLOW, 0, lambda: measure(n, a.sessions, a))),
        ("warm table", lambda n: measure(n, 1, a, "written")),
        ("steady inserts", lambda n: beside(
            BATCH + ";\n", 1 / BATCHES, lambda: measure(n, 1, a, "written"))),
    ]
    print(f"{'':16} {'sessions':>8} {'reports/s':>10} {'median':>10} "
          f"{'p99':>10} {'longest':>10}")
    results = [run(name) for name, run in workload.matching(runs, a.pattern)]
    if a.json:
        with open(a.json, "w") as f:
            json.dump({"rows": a.rows, "slow_rows": a.slow_rows,
                       "results": results}, f, indent=1)


if __name__ == "__main__":
    sys.exit(main())
