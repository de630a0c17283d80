"""What the benchmarks of reports share: psql, tables filled by parallel
sessions, statements with reports off and on, and DuckDB beside them.

Needs psql on PATH and a server with gpuscan (PGHOST and the like).  Times are
milliseconds of whole statements as psql's \\timing has them.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time

COMMON = "LOAD 'gpuscan';\nSET jit = off;\nSET work_mem = '1GB';\n"
OFF = COMMON + "SET gpuscan.reports = off;\n"
ON = COMMON + "SET gpuscan.reports = exact;\n"
CLEAR = "SELECT gpuscan_cache_clear() \\g /dev/null\n"


def psql(script):
    done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1"],
                          input=script, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def why_no_report(statement, own):
    """What gpuscan says of the statement with an aggregate of its own, which
    `own` is, put in before FROM."""
    asked = re.sub(r"(?=\bFROM\b(?![^(]*\)))", f", {own} ", statement, count=1)
    done = subprocess.run(["psql", "-XqAt"], capture_output=True, text=True,
                          input=ON + f"EXPLAIN (VERBOSE) {asked};\n")
    said = re.search("NOTICE:  gpuscan makes no report: (.*)", done.stderr)
    return said[1] if said else "has no aggregates"


def arguments(about, slow_runs=3):
    p = argparse.ArgumentParser(
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--runs", type=int, default=7)
    p.add_argument("--slow-runs", type=int, default=slow_runs,
                   help="runs of the built-in plans")
    p.add_argument("--workers", type=int, default=8)
    p.add_argument("--json")
    p.add_argument("--make", action="store_true", help="make the table first")
    p.add_argument("pattern", nargs="*", help="of the statements' names")
    return p


def matching(statements, patterns):
    return [s for s in statements
            if not patterns or any(x in s[0] for x in patterns)]


def in_parallel(commands):
    """Runs psql for each (script, file for its standard input or None)."""
    running = []
    for script, path in commands:
        with open(path or os.devnull) as source:
            running.append(subprocess.Popen(
                ["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", script],
                stdin=source))
    if any([r.wait() for r in running]):
        raise SystemExit("could not fill the table")


def sessions_for(rows):
    return min(os.cpu_count() or 1, 16, max(1, rows // 100000))


def fill(insert, rows):
    """Executes `insert`, which takes a first and a last row, by sessions."""
    step = -(-rows // sessions_for(rows))
    in_parallel([(insert % (at + 1, min(at + step, rows)), None)
                 for at in range(0, rows, step)])


def make_table(table, ddl, put_rows):
    start = time.time()
    psql(f"{ddl};\nALTER TABLE {table} SET (autovacuum_enabled = off);\n")
    put_rows()
    psql(f"VACUUM ANALYZE {table};\nCHECKPOINT;\n")
    print(f"# table made in {time.time() - start:.0f} s", flush=True)


def timed(settings, statement, runs, after=""):
    """Milliseconds of each run, each run's text, and what `after` prints."""
    with tempfile.TemporaryDirectory() as at:
        script = settings + "\\timing on\n"
        for i in range(runs):
            script += f"{statement} \\g {at}/{i}\n"
        out = psql(script + "\\timing off\n" + after)
        texts = []
        for i in range(runs):
            with open(f"{at}/{i}") as f:
                texts.append(f.read())
    return ([float(t) for t in re.findall(r"^Time: ([\d.]+) ms", out, re.M)],
            texts, re.sub(r"^Time: .*\n", "", out, flags=re.M))


def how_planned(plan):
    """Of EXPLAIN (ANALYZE)'s text: "yes", "no", or why a report fell back."""
    if "GpuscanReport" not in plan:
        return "no"
    fell = re.search(r"Ordinary Plans:.*\n *Reason: (.*)", plan)
    return f"fell back: {fell[1]}" if fell else "yes"


def measure(table, statement, a):
    """The statement with reports off, by workers too, and on: nothing held at
    first, then warm."""
    one, wanted, _ = timed(
        OFF + "SET max_parallel_workers_per_gather = 0;\n", statement,
        a.slow_runs + 1)
    # tables of this size ask for fewer workers by themselves
    psql(f"ALTER TABLE {table} SET (parallel_workers = {a.workers});\n")
    many, texts, _ = timed(
        OFF + f"SET max_parallel_workers_per_gather = {a.workers};\n"
        "SET min_parallel_table_scan_size = 0;\n", statement, a.slow_runs + 1)
    psql(f"ALTER TABLE {table} RESET (parallel_workers);\n")
    on, more, plan = timed(
        ON + CLEAR, statement, a.runs + 1,
        f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {statement};\n")
    return dict(report=how_planned(plan),
                serial=statistics.median(one[1:]),
                parallel=statistics.median(many[1:]),
                first=on[0], warm=statistics.median(on[1:]),
                rows=wanted[0].count("\n"),
                same=set(wanted + texts + more) == {wanted[0]})


def exported(table, folder):
    """The path of a CSV file of the table's rows.  char(n) goes without its blanks:
    DuckDB's char is text, in which they would count."""
    path = f"{folder}/{table}.csv"
    columns = psql(f"""SELECT string_agg(quote_ident(attname) || CASE
        WHEN atttypid = 'bpchar'::regtype THEN '::text' ELSE '' END, ', '
        ORDER BY attnum) FROM pg_attribute WHERE attrelid = '{table}'::regclass
        AND attnum > 0 AND NOT attisdropped;""").strip()
    psql(f"\\copy (SELECT {columns} FROM {table}) TO '{path}' "
         "(FORMAT csv, HEADER)\n")
    return path


def duckdb_with(tables):
    """A DuckDB in memory that has these tables, or None: of each, by its name, its
    definition and the CSV files that have its rows.  It has as many threads as
    there are cores."""
    try:
        import duckdb
    except ImportError:
        return None
    db = duckdb.connect()
    for table, (definition, files) in tables.items():
        db.execute(definition)
        for path in files:
            db.execute(f"COPY {table} FROM '{path}' (FORMAT csv, HEADER, "
                       "ALLOW_QUOTED_NULLS false)")
    return db


def duckdb_time(db, statement, runs, rows=None):
    """Its median, in ms; fails if the result has not as many rows as are given."""
    took = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        result = db.execute(statement).fetchall()
        took.append(1000 * (time.perf_counter() - start))
        if rows is not None and len(result) != rows:
            raise SystemExit(f"DuckDB has {len(result)} rows instead of {rows}: "
                             f"{statement}")
    return statistics.median(took[1:])


def compare(title, table, statements, a, own, duckdb=None):
    """Prints a row for each (name, SQL[, DuckDB's SQL]) and says why it is no
    report; returns the rows.  `own` is an aggregate of gpuscan's over the
    table."""
    psql("CREATE EXTENSION IF NOT EXISTS gpuscan;")
    print(f"| {title} | report | built-in | {a.workers} workers | first | warm "
          "| built-in / warm | same text | DuckDB |")
    print("|---|---|---|---|---|---|---|---|---|")
    result = []
    for name, statement, *other in statements:
        r = dict(name=name, **measure(table, statement, a))
        if r["report"] == "no":
            r["reason"] = why_no_report(statement, own)
        peer = ""
        if duckdb:
            r["duckdb"] = duckdb_time(duckdb, (other or [statement])[0],
                                      a.runs, r["rows"])
            peer = f"{r['duckdb']:.1f}"
        result.append(r)
        print(f"| {name} | {r['report']} | {r['serial']:.0f} "
              f"| {r['parallel']:.0f} | {r['first']:.0f} | {r['warm']:.2f} "
              f"| {r['serial'] / r['warm']:.1f} "
              f"| {'yes' if r['same'] else 'NO'} | {peer} |", flush=True)
    taken = sum(r["report"] == "yes" for r in result)
    print(f"\n{taken} of {len(result)} are reports; "
          f"{sum(r['same'] for r in result)} of {len(result)} have the same "
          "text with reports off, by workers, and on.")
    for r in result:
        if "reason" in r:
            print(f"- {r['name']}: {r['reason']}")
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result, f, indent=1)
    return result
