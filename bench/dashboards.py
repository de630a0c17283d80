#!/usr/bin/env python3
"""22 questions as dashboards ask them: reports beside built-in plans.

    dashboards.py [--rows N] [--runs R] [--make] [--json FILE] [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make makes the tables first.  The expressions are those that the
tools put into SQL: Grafana's macros $__timeGroup, $__timeFilter and
$__unixEpochGroup (PostgreSQL data source), Metabase's groupings of times and
its bins of numbers, Superset's time grains.  gpuscan.reports is all, since many
average floats; these are such that every order of rows gives the same sums.
Fails if a result is not the same text throughout.
"""

import sys

import workload

TABLES = """
CREATE TABLE reading (at timestamptz NOT NULL, device integer NOT NULL,
    site text NOT NULL, value double precision);
CREATE TABLE sale (created_at timestamp NOT NULL, customer_id integer NOT NULL,
    status text NOT NULL, country text NOT NULL, amount numeric(10,2) NOT NULL,
    discount numeric(4,2));
CREATE TABLE request (epoch bigint NOT NULL, path text NOT NULL,
    status smallint NOT NULL, bytes bigint NOT NULL, ms double precision,
    started timestamp NOT NULL, ended timestamp NOT NULL)"""

READINGS = """
INSERT INTO reading SELECT timestamptz '2025-01-01+00' + i * interval '10 s',
    i %% 1000, 'site ' || i %% 20,
    CASE WHEN h %% 50 > 0 THEN h %% 100000 / 64.0 END
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 2147483647 AS h) AS s"""
SALES = """
INSERT INTO sale SELECT timestamp '2025-01-01' + i * interval '20 s',
    h %% 50000, ('{paid,open,sent,void}'::text[])[1 + h %% 4],
    ('{DE,FR,IT,ES,US,GB}'::text[])[1 + h / 7 %% 6], h %% 100000 / 100.0,
    CASE WHEN h %% 3 = 0 THEN h %% 30 / 100.0 END
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 2) & 2147483647 AS h) AS s"""
REQUESTS = """
INSERT INTO request SELECT 1735689600 + i * 5, '/page/' || h %% 3000,
    ('{200,200,200,404,500}'::int[])[1 + h %% 5], h %% 1000000, h %% 9999 / 8.0,
    t, t + h %% 5000 * interval '1 ms'
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 3) & 2147483647 AS h,
        timestamp '2025-01-01' + i * interval '5 s' AS t) AS s"""

BETWEEN = "at BETWEEN '2025-01-02T00:00:00Z' AND '2025-03-01T00:00:00Z'"
LAST = """created_at >= date_trunc('day', timestamp '2025-06-01' - interval '90 day')
    AND created_at < date_trunc('day', timestamp '2025-06-01')"""

QUERIES = [
    # Grafana
    ("series, buckets of 5 minutes", f"""SELECT floor(extract(epoch FROM at)/300)*300 AS "time",
    avg(value) AS value FROM reading WHERE {BETWEEN} GROUP BY 1 ORDER BY 1"""),
    ("series by site", f"""SELECT floor(extract(epoch FROM at)/3600)*3600 AS "time",
    site AS metric, max(value) AS value FROM reading WHERE {BETWEEN}
    GROUP BY 1, 2 ORDER BY 1, 2"""),
    ("date_bin", f"""SELECT date_bin('15 minutes', at, '2025-01-01+00') AS "time",
    min(value), max(value), count(*) FROM reading WHERE {BETWEEN} GROUP BY 1 ORDER BY 1"""),
    ("epochs in buckets", """SELECT floor((epoch)/600)*600 AS "time", count(*) AS requests
    FROM request WHERE epoch >= 1735689600 AND epoch <= 1738281600 GROUP BY 1 ORDER BY 1"""),
    ("status codes by hour", """SELECT date_trunc('hour', to_timestamp(epoch)) AS "time",
    status, count(*) FROM request GROUP BY 1, 2 ORDER BY 1, 2"""),
    ("share of errors", """SELECT floor(epoch/3600)*3600 AS "time",
    count(*) FILTER (WHERE status >= 500)::float8 / count(*) AS errors
    FROM request GROUP BY 1 ORDER BY 1"""),
    ("95th percentile by page", """SELECT path, percentile_cont(0.95) WITHIN GROUP (ORDER BY ms)
    FROM request GROUP BY path ORDER BY 2 DESC, 1 LIMIT 10"""),
    ("single number", f"SELECT sum(bytes) / 1048576 FROM request WHERE status <> 404"),
    ("last 24 hours by device", """SELECT device, avg(value) FROM reading
    WHERE at > timestamptz '2025-02-01+00' - interval '24 hours' AND at <= '2025-02-01+00'
    GROUP BY device ORDER BY device"""),
    ("local days", """SELECT (at AT TIME ZONE 'Europe/Berlin')::date AS day, count(*), sum(value)
    FROM reading GROUP BY 1 ORDER BY 1"""),
    # Metabase
    ("by month", """SELECT CAST(date_trunc('month', created_at) AS date) AS created_at, count(*)
    FROM sale GROUP BY CAST(date_trunc('month', created_at) AS date) ORDER BY 1"""),
    ("weeks from Sunday", """SELECT CAST(date_trunc('week', (created_at + INTERVAL '1 day')) AS date)
    + INTERVAL '-1 day' AS created_at, sum(amount) FROM sale GROUP BY 1 ORDER BY 1"""),
    ("days of the week", """SELECT CAST(extract(dow FROM created_at) AS integer) + 1 AS day,
    avg(amount) FROM sale GROUP BY 1 ORDER BY 1"""),
    ("hours of the day", """SELECT CAST(extract(hour FROM created_at) AS integer) AS hour,
    count(DISTINCT customer_id) FROM sale GROUP BY 1 ORDER BY 1"""),
    ("bins of amounts", """SELECT floor((amount - 0.0) / 12.5) * 12.5 + 0.0 AS amount, count(*)
    FROM sale GROUP BY 1 ORDER BY 1"""),
    ("share of a status", """SELECT country, sum(CASE WHEN status = 'paid' THEN 1 ELSE 0.0 END)
    / count(*) AS paid FROM sale GROUP BY country ORDER BY country"""),
    ("last 90 days", f"""SELECT CAST(created_at AS date), sum(amount) FROM sale WHERE {LAST}
    GROUP BY CAST(created_at AS date) ORDER BY 1"""),
    ("large and small", """SELECT CASE WHEN amount < 100 THEN 'small' WHEN amount < 500 THEN 'medium'
    ELSE 'large' END AS size, count(*), sum(amount) FROM sale GROUP BY 1 ORDER BY 1"""),
    # Superset
    ("time grain, 5 minutes", """SELECT DATE_TRUNC('hour', created_at) + INTERVAL '5 minutes' *
    FLOOR(EXTRACT(MINUTE FROM created_at) / 5) AS t, COUNT(*) FROM sale
    WHERE created_at >= TO_TIMESTAMP('2025-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
    GROUP BY 1 ORDER BY COUNT(*) DESC, 1 LIMIT 100"""),
    ("time grain, quarter", """SELECT DATE_TRUNC('quarter', created_at) AS t, country,
    SUM(amount * (1 - COALESCE(discount, 0))) FROM sale GROUP BY 1, 2 ORDER BY 1, 2"""),
    ("how long requests take", """SELECT DATE_TRUNC('day', started) AS t,
    AVG(EXTRACT(EPOCH FROM (ended - started))) FROM request GROUP BY 1 ORDER BY 1"""),
    ("pages like", """SELECT path, COUNT(*), SUM(bytes) FROM request
    WHERE path ILIKE '/page/1%' GROUP BY path ORDER BY 2 DESC, 1 LIMIT 10"""),
]


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--rows", type=int, default=3_000_000)
    a = p.parse_args()
    workload.ON = workload.COMMON + "SET gpuscan.reports = 'all';\n"
    if a.make:
        for ddl, insert in zip(TABLES.split(";"), (READINGS, SALES, REQUESTS)):
            workload.make_table(ddl.split()[2], ddl,
                                lambda: workload.fill(insert, a.rows))
    taken = []
    for table, own in (("reading", "gpu_count(device)"),
                       ("sale", "gpu_count(customer_id)"),
                       ("request", "gpu_count(epoch)")):
        queries = [q for q in workload.matching(QUERIES, a.pattern)
                   if f"FROM {table}" in " ".join(q[1].split())]
        taken += workload.compare(f"{table}, {a.rows:,} rows", table, queries,
                                  a, own)
        print()
    print(f"{sum(r['report'] == 'yes' for r in taken)} of {len(taken)} "
          "dashboards' questions are reports")
    if not all(r["same"] for r in taken):
        sys.exit(1)


if __name__ == "__main__":
    main()
