#!/usr/bin/env python3
"""A table of twice the device's budget: what of it is in the host's memory
streams over the link; beside all of it on the device, and beside a cache that has
half of it.  Floats are noise, prices in cents, and discounts in hundredths: of the
last two, 4 bytes and 1 stream.

    host_cache.py [--rows N] [--runs R] [--make] [--json FILE] [PATTERN...]

Run it in an empty database, as a superuser; bench/workload.py says what it needs.
--make makes the table first.  Times are medians of R runs, in milliseconds; GB/s are
the bytes on the host by the time beyond what the rest takes on the device.  Fails if
a result is not the same text throughout.
"""

import json
import statistics
import sys

import workload

TABLE = """place integer NOT NULL, price integer NOT NULL,
    value double precision NOT NULL, cents double precision NOT NULL,
    discount double precision NOT NULL"""

ROWS = """INSERT INTO streamed
SELECT (h %% 100)::integer, (h / 100 %% 1000000)::integer,
    sqrt(h / 100000 %% 1000003), (h / 100 %% 1000000) / 100.0::float8,
    (h / 100 %% 11) / 100.0::float8
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 4611686018427387903 AS h) AS hashes;
"""

QUERIES = [
    ("sum by 100", """SELECT place, sum(price), count(*) FROM streamed
    GROUP BY place ORDER BY place"""),
    ("sum of floats by 100", """SELECT place, gpu_sum(value) FROM streamed
    GROUP BY place ORDER BY place"""),
    ("sum of prices by 100", """SELECT place, gpu_sum(cents) FROM streamed
    GROUP BY place ORDER BY place"""),
    ("sum of discounts by 100", """SELECT place, gpu_sum(discount) FROM streamed
    GROUP BY place ORDER BY place"""),
    ("filter", """SELECT sum(price) FROM streamed WHERE value < 10"""),
    ("filter by prices", """SELECT sum(price) FROM streamed
    WHERE cents < 10 AND discount = 0.07"""),
]


def use(device, host):
    """The cache's sizes, in MB."""
    workload.psql("LOAD 'gpuscan';\n"
                  f"ALTER SYSTEM SET gpuscan.cache_size = '{device}MB';\n"
                  f"ALTER SYSTEM SET gpuscan.host_cache_size = '{host}MB';\n"
                  "SELECT pg_reload_conf() \\g /dev/null\n"
                  "SELECT pg_sleep(1) \\g /dev/null\n")
    # the next report finds another service
    workload.psql("LOAD 'gpuscan';\nSELECT gpuscan_stop() \\g /dev/null\n")


def held():
    """Bytes that are held of the table, and of these on the host."""
    return [int(x) for x in workload.psql(
        "SELECT coalesce(sum(bytes), 0), coalesce(sum(host_bytes), 0)"
        " FROM gpuscan_columns()"
        " WHERE relation = 'streamed'::regclass;\n").strip().split("|")]


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--rows", type=int, default=100_000_000)
    a = p.parse_args()
    workload.psql("CREATE EXTENSION IF NOT EXISTS gpuscan;\n")
    if a.make:
        workload.make_table("streamed", f"CREATE TABLE streamed ({TABLE})",
                            lambda: workload.fill(ROWS, a.rows))
    result = {}
    same = True
    for name, statement in workload.matching(QUERIES, a.pattern):
        seen = result[name] = {}
        text = None
        half = 0
        for where in ["device", "both", "host", "device, half"]:
            host = 0 if where.startswith("device") else 65536
            # what is known of pages, and masks, are on the device, too
            use(65536 if where == "device" else 64 if where == "host" else
                half, host)
            runs = max(a.runs if host or where == "device" else a.slow_runs, 1)
            times, texts, plan = workload.timed(
                workload.ON, statement, runs + 2,
                f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {statement};\n")
            time = statistics.median(times[2:])
            total, on_host = held()
            text = text or texts[0]
            same = same and set(texts) == {text}
            half = half or total // 2 >> 20
            if where == "device":
                whole = time
            rest = whole * (total - on_host) / total if total > 0 else 0
            rate = on_host / 1e6 / (time - rest) if on_host > 0 else 0
            seen[where] = dict(ms=round(time, 3), bytes=total, host=on_host,
                               gb_s=round(rate, 1))
            print(f"{name:24} {where:14} {time:10.3f} ms  "
                  f"{total / 1e6:8.0f} MB, {on_host / 1e6:8.0f} on the host: "
                  f"{rate:5.1f} GB/s  report: {workload.how_planned(plan)}",
                  flush=True)
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result, f, indent=1)
    workload.psql("LOAD 'gpuscan';\n"
                  "ALTER SYSTEM RESET gpuscan.cache_size;\n"
                  "ALTER SYSTEM RESET gpuscan.host_cache_size;\n"
                  "SELECT pg_reload_conf() \\g /dev/null\n")
    if not same:
        sys.exit("results differ")


if __name__ == "__main__":
    main()
