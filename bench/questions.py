#!/usr/bin/env python3
"""25 questions of ClickBench's kind over a table of flights: which run as
reports, and how fast beside built-in plans and DuckDB.

    questions.py [--data FILE] [--runs R] [--make] [--json FILE] [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make loads FILE, CSV or CSV.xz: the demo's month by default, or
all 3,000,000 flights, which are `flights-3m` of the data package vega-datasets
3.2.1.  "first" is a run with nothing held, "warm" the median of R more.
Fails if a result is not the same text throughout.
"""

import lzma
import os
import shutil
import sys
import tempfile

import workload

FLIGHT = """CREATE TABLE flight (
    departure timestamp NOT NULL, delay integer NOT NULL,
    distance integer NOT NULL, origin text NOT NULL,
    destination text NOT NULL)"""

# What an analyst asks; ties are broken, so that the text can be compared.
# The third is DuckDB's where PostgreSQL's own is not understood.
QUESTIONS = [
    ("1 late at all", "SELECT count(*) FROM flight WHERE delay > 0"),
    ("2 totals", """SELECT count(*), sum(delay), avg(delay), avg(distance),
        min(departure), max(departure) FROM flight"""),
    ("3 airports",
     "SELECT count(DISTINCT origin), count(DISTINCT destination) FROM flight"),
    ("4 destinations from Atlanta", """SELECT DISTINCT destination FROM flight
        WHERE origin = 'ATL' ORDER BY destination"""),
    ("5 the ten latest flights", """SELECT * FROM flight WHERE delay > 600
        ORDER BY delay DESC, departure, origin, destination LIMIT 10"""),
    ("6 late flights by origin", """SELECT origin, count(*) AS flights,
        count(*) FILTER (WHERE delay > 15) AS late FROM flight
        GROUP BY origin ORDER BY late DESC, origin LIMIT 10"""),
    ("7 share of late flights", """SELECT origin, round(100.0 *
        sum(CASE WHEN delay > 15 THEN 1 ELSE 0 END) / count(*), 2) AS share
        FROM flight GROUP BY origin HAVING count(*) > 1000
        ORDER BY share DESC, origin LIMIT 10"""),
    ("8 by day", """SELECT departure::date AS day, count(*), avg(delay),
        max(delay) FROM flight GROUP BY day ORDER BY day"""),
    ("9 by hour of the day", """SELECT extract(hour FROM departure) AS hour,
        count(*), avg(delay) FROM flight GROUP BY hour ORDER BY hour"""),
    ("10 by month", """SELECT date_trunc('month', departure) AS month,
        count(*), sum(distance), stddev(delay) FROM flight
        GROUP BY month ORDER BY month"""),
    ("11 by weekday", """SELECT to_char(departure, 'ID Dy') AS weekday,
        count(*), avg(delay) FROM flight GROUP BY weekday ORDER BY weekday""",
     """SELECT strftime(departure, '%u %a') AS weekday, count(*), avg(delay)
        FROM flight GROUP BY weekday ORDER BY weekday"""),
    ("12 worst hours of Chicago", """SELECT date_trunc('hour', departure)
        AS hour, count(*), avg(delay) AS late FROM flight
        WHERE origin = 'ORD' GROUP BY hour HAVING count(*) >= 10
        ORDER BY late DESC, hour LIMIT 10"""),
    ("13 into the Bay", """SELECT destination, count(*), avg(delay)
        FROM flight WHERE destination IN ('SFO', 'OAK', 'SJC')
        GROUP BY destination ORDER BY destination"""),
    ("14 origins like S%", """SELECT origin, count(*), avg(distance)
        FROM flight WHERE origin LIKE 'S%' GROUP BY origin
        ORDER BY count(*) DESC, origin LIMIT 10"""),
    ("15 buckets of distance", """SELECT width_bucket(distance, 0, 3000, 12)
        AS bucket, count(*), avg(delay) FROM flight
        GROUP BY bucket ORDER BY bucket""",
     """SELECT distance // 250 + 1 AS bucket, count(*), avg(delay) FROM flight
        GROUP BY bucket ORDER BY bucket"""),
    ("16 classes of delay", """SELECT CASE WHEN delay <= 0 THEN 'on time'
        WHEN delay <= 15 THEN 'a little late' WHEN delay <= 60 THEN 'late'
        ELSE 'very late' END AS class, count(*), avg(distance)
        FROM flight GROUP BY class ORDER BY class"""),
    ("17 medians by origin", """SELECT origin, count(*),
        percentile_cont(0.5) WITHIN GROUP (ORDER BY delay) AS median
        FROM flight GROUP BY origin HAVING count(*) > 1000
        ORDER BY median DESC, origin LIMIT 10"""),
    ("18 percentiles by hour", """SELECT extract(hour FROM departure) AS hour,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY delay),
        percentile_disc(0.9) WITHIN GROUP (ORDER BY delay),
        percentile_disc(0.99) WITHIN GROUP (ORDER BY delay)
        FROM flight GROUP BY hour ORDER BY hour"""),
    ("19 origins of most destinations", """SELECT origin,
        count(DISTINCT destination) AS destinations, count(*) FROM flight
        GROUP BY origin ORDER BY destinations DESC, origin LIMIT 10"""),
    ("20 routes", """SELECT origin, destination, count(*) AS flights
        FROM flight GROUP BY origin, destination
        ORDER BY flights DESC, origin, destination LIMIT 10"""),
    ("21 slow routes", """SELECT origin, destination, min(distance),
        avg(delay) AS late FROM flight GROUP BY origin, destination
        HAVING count(*) >= 100 ORDER BY late DESC, origin, destination
        LIMIT 10"""),
    ("22 two weeks of January", """SELECT departure::date AS day, count(*),
        count(*) FILTER (WHERE delay > 15) FROM flight
        WHERE departure BETWEEN '2001-01-08' AND '2001-01-22'
        GROUP BY day ORDER BY day"""),
    ("23 months and airports, rolled up", """SELECT
        extract(month FROM departure) AS month, origin, count(*), sum(delay)
        FROM flight WHERE origin IN ('JFK', 'LGA', 'EWR')
        GROUP BY ROLLUP (month, origin) ORDER BY month, origin"""),
    ("24 usual delays", """SELECT delay, count(*) FROM flight
        GROUP BY delay ORDER BY count(*) DESC, delay LIMIT 10"""),
    ("25 first and last by origin", """SELECT origin, min(destination),
        max(destination), min(departure), max(departure) FROM flight
        GROUP BY origin ORDER BY origin LIMIT 10"""),
]


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--data", default=os.path.join(
        os.path.dirname(__file__), "..", "demo", "flights-2001-01.csv.xz"))
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as at:
        path = f"{at}/flights.csv"
        opened = lzma.open if a.data.endswith(".xz") else open
        with opened(a.data, "rb") as source, open(path, "wb") as target:
            shutil.copyfileobj(source, target)
        if a.make:
            workload.make_table("flight", FLIGHT, lambda: workload.in_parallel(
                [("COPY flight FROM STDIN (FORMAT csv, HEADER)", path)]))
        duck = workload.duckdb_with({"flight": (FLIGHT, [path])})
    rows = int(workload.psql("SELECT count(*) FROM flight;\n"))
    result = workload.compare(
        f"{rows:,} flights", "flight",
        workload.matching(QUESTIONS, a.pattern), a, "gpu_count(delay)", duck)
    if not all(r["same"] for r in result):
        sys.exit(1)


if __name__ == "__main__":
    main()
