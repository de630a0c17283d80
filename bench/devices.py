#!/usr/bin/env python3
"""One device beside several: the same reports, warm.

    devices.py [--devices LIST]... [--rows N] [--scale N] [--runs R] [--make]
        [--json FILE] [PATTERN...]

Run it in an empty database, as a superuser; bench/workload.py says what it needs.
--devices is what gpuscan.devices gets, one after the other (default: 0, then 0,1).
--make makes the tables first: N measurements of 100 places and 1,000 sensors, and the
Star Schema Benchmark's with 6,000,000 rows a scale unit.  The times are medians of R
runs, in milliseconds; then come those of what EXPLAIN (ANALYZE) says they are made
of: planning, the engine's work, and the rest, which more devices do not shorten.
Fails if a result is not the same text throughout.
"""

import json
import math
import re
import statistics
import sys

import star
import workload

TABLE = """place integer NOT NULL, sensor integer NOT NULL, id integer NOT NULL,
    price integer NOT NULL, value double precision NOT NULL"""

ROWS = """INSERT INTO measured
SELECT (h %% 100)::integer, (h / 100 %% 1000)::integer, i::integer,
    (h / 100000 %% 10000)::integer, (h / 100000 %% 1000003)::float8 / 1024
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 4611686018427387903 AS h) AS hashes;
"""

QUERIES = [
    ("six aggregates by 100", """SELECT place, count(*), sum(price), min(price),
    max(price), gpu_sum(value), gpu_avg(value) FROM measured GROUP BY place
    ORDER BY place"""),
    ("running sum by 1,000", """SELECT sum(s), max(s) FROM (SELECT sum(price)
    OVER (PARTITION BY sensor ORDER BY id) AS s FROM measured) AS q"""),
    ("SSB Q4.1", dict(star.QUERIES)["Q4.1"]),
]


def use(devices):
    workload.psql("LOAD 'gpuscan';\n"
                  f"ALTER SYSTEM SET gpuscan.devices = '{devices}';\n"
                  "SELECT pg_reload_conf() \\g /dev/null\n"
                  "SELECT pg_sleep(1) \\g /dev/null\n")
    # the next report finds another service
    workload.psql("LOAD 'gpuscan';\nSELECT gpuscan_stop() \\g /dev/null\n")


def part(name, plans):
    """The median of a time that several EXPLAINs give; NaN: none does."""
    times = re.findall(rf"{name} Time: ([\d.]+) ms", plans)
    return statistics.median([float(t) for t in times] or [math.nan])


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--devices", action="append")
    p.add_argument("--rows", type=int, default=100_000_000)
    p.add_argument("--scale", type=float, default=10)
    a = p.parse_args()
    workload.psql("CREATE EXTENSION IF NOT EXISTS gpuscan;\n")
    if a.make:
        workload.make_table("measured", f"CREATE TABLE measured ({TABLE})",
                            lambda: workload.fill(ROWS, a.rows))
        star.make(a.scale)
    result = {}
    same = True
    for devices in a.devices or ["0", "0,1"]:
        use(devices)
        for name, statement in workload.matching(QUERIES, a.pattern):
            times, texts, plan = workload.timed(
                workload.ON, statement, a.runs + 2,
                f"EXPLAIN (ANALYZE, COSTS OFF) {statement};\n" *
                a.runs)
            seen = result.setdefault(name, dict(text=texts[0], ms={}))
            seen["ms"][devices] = round(statistics.median(times[2:]), 3)
            same = same and set(texts) == {seen["text"]}
            print(f"{devices:>16}  {name:24} "
                  f"{seen['ms'][devices]:10.3f} ms  report: "
                  f"{workload.how_planned(plan)}", *[
                      f"{what.lower()} {part(what, plan):.3f}"
                      for what in ("Planning", "Compute", "Other")], flush=True)
    for name, seen in result.items():
        first, *others = seen["ms"].values()
        print(f"{name:24} " + "  ".join(f"{first / x:.2f} times" for x in others))
    print(workload.psql("SELECT engine, device FROM gpuscan_status();\n"
                        "SELECT \"column\", chunks, devices, rows FROM gpuscan_columns() "
                        "WHERE relation = 'measured'::regclass;\n"))
    if a.json:
        with open(a.json, "w") as f:
            json.dump({n: s["ms"] for n, s in result.items()}, f, indent=1)
    if not same:
        sys.exit("results differ")


if __name__ == "__main__":
    main()
