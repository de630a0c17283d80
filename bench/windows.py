#!/usr/bin/env python3
"""Window functions over rows, and first rows: reports beside built-in plans and
DuckDB.

    windows.py [--rows N] [--runs R] [--make] [--json FILE] [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make makes the table first: N measurements of 1,000 sensors, in no
order.  All but the last questions aggregate the windows, so that rows are not sent.
"first" is a run with nothing held, "warm" the median of R more.  Fails if a result
is not the same text throughout.
"""

import sys
import tempfile

import workload

TABLE = """sensor integer NOT NULL, time timestamp NOT NULL, id integer NOT NULL,
    value integer NOT NULL"""

WINDOW = "OVER (PARTITION BY sensor ORDER BY time, id)"
MOVING = "OVER (PARTITION BY sensor ORDER BY time, id ROWS 99 PRECEDING)"
QUERIES = [
    ("running sum", f"""SELECT sum(s), max(s) FROM (SELECT sum(value)
    {WINDOW} AS s FROM measurement) AS q"""),
    ("moving sum of 100", f"""SELECT sum(s), max(s) FROM (SELECT sum(value)
    {MOVING} AS s FROM measurement) AS q"""),
    ("moving median of 100", f"""SELECT gpu_sum(m), max(m) FROM (SELECT
    gpu_moving_median(value, 99) {WINDOW} AS m FROM measurement) AS q""",
     f"""SELECT sum(m), max(m) FROM (SELECT median(value) {MOVING} AS m
     FROM measurement) AS q"""),
    ("lag", f"""SELECT max(d), min(d), count(d) FROM (SELECT value - lag(value)
    {WINDOW} AS d FROM measurement) AS q"""),
    ("row_number", f"""SELECT max(n), count(*) FROM (SELECT row_number() {WINDOW}
    AS n FROM measurement) AS q"""),
    ("rank of all", """SELECT sum(r), max(r) FROM (SELECT rank() OVER (ORDER BY
    value) AS r FROM measurement) AS q"""),
    ("top 3", """SELECT sum(value), count(*) FROM (SELECT value, row_number() OVER
    (PARTITION BY sensor ORDER BY value DESC, id) AS n FROM measurement) AS q
    WHERE n <= 3"""),
    ("last value", """SELECT DISTINCT ON (sensor) sensor, value FROM measurement
    ORDER BY sensor, time DESC, id DESC"""),
    ("first 10", """SELECT sensor, value, id FROM measurement ORDER BY value DESC,
    id LIMIT 10"""),
]

# Distinct times, in an order that has nothing to do with the sensors'.
ROWS = """INSERT INTO measurement
SELECT (h %% 1000)::integer,
    timestamp '2026-01-01' + (h / 1000 %% 100000000) * interval '1 second',
    i::integer, (h2 %% 100000)::integer
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 4611686018427387903 AS h,
        hashint8extended(i, 2) & 4611686018427387903 AS h2) AS hashes;
"""


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--rows", type=int, default=10_000_000)
    a = p.parse_args()
    if a.make:
        workload.make_table(
            "measurement", f"CREATE TABLE measurement ({TABLE})",
            lambda: workload.fill(ROWS, a.rows))
    with tempfile.TemporaryDirectory() as at:
        duck = workload.duckdb_with(
            {"measurement": (f"CREATE TABLE measurement ({TABLE})",
                             [workload.exported("measurement", at)])})
    rows = int(workload.psql("SELECT count(*) FROM measurement;\n"))
    result = workload.compare(
        f"Windows, {rows:,} rows", "measurement",
        workload.matching(QUERIES, a.pattern), a, "gpu_count(value)", duck)
    if not all(r["same"] for r in result):
        sys.exit(1)


if __name__ == "__main__":
    main()
