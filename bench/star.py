#!/usr/bin/env python3
"""The Star Schema Benchmark's 13 queries over its five tables: reports over joins
beside built-in plans and DuckDB.

    star.py [--scale N] [--runs R] [--make] [--json FILE] [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make makes the tables first, of rows that the server makes by the
benchmark's rules, 6,000,000 of lineorder a scale unit.  "first" is a run with
nothing held, "warm" the median of R more.  Fails if a result is not the same text
throughout.
"""

import sys
import tempfile

import workload
from ssb import NATIONS, REGIONS

TABLES = {
    "date": """d_datekey integer PRIMARY KEY, d_date char(18) NOT NULL,
    d_month char(9) NOT NULL, d_year integer NOT NULL,
    d_yearmonthnum integer NOT NULL, d_yearmonth char(7) NOT NULL,
    d_weeknuminyear integer NOT NULL""",
    "customer": """c_custkey integer PRIMARY KEY, c_name varchar(25) NOT NULL,
    c_city char(10) NOT NULL, c_nation char(15) NOT NULL,
    c_region char(12) NOT NULL""",
    "supplier": """s_suppkey integer PRIMARY KEY, s_name varchar(25) NOT NULL,
    s_city char(10) NOT NULL, s_nation char(15) NOT NULL,
    s_region char(12) NOT NULL""",
    "part": """p_partkey integer PRIMARY KEY, p_name varchar(22) NOT NULL,
    p_mfgr char(6) NOT NULL, p_category char(7) NOT NULL,
    p_brand1 char(9) NOT NULL""",
    "lineorder": """lo_orderkey integer NOT NULL, lo_linenumber integer NOT NULL,
    lo_custkey integer NOT NULL, lo_partkey integer NOT NULL,
    lo_suppkey integer NOT NULL, lo_orderdate integer NOT NULL,
    lo_quantity integer NOT NULL, lo_extendedprice integer NOT NULL,
    lo_discount integer NOT NULL, lo_revenue integer NOT NULL,
    lo_supplycost integer NOT NULL""",
}

QUERIES = [
    ("Q1.1", """SELECT sum(lo_extendedprice*lo_discount) AS revenue FROM lineorder, date
    WHERE lo_orderdate = d_datekey AND d_year = 1993 AND lo_discount
    BETWEEN 1 AND 3 AND lo_quantity < 25"""),
    ("Q1.2", """SELECT sum(lo_extendedprice*lo_discount) AS revenue FROM lineorder, date
    WHERE lo_orderdate = d_datekey AND d_yearmonthnum = 199401 AND
    lo_discount BETWEEN 4 AND 6 AND lo_quantity BETWEEN 26 AND 35"""),
    ("Q1.3", """SELECT sum(lo_extendedprice*lo_discount) AS revenue FROM lineorder, date
    WHERE lo_orderdate = d_datekey AND d_weeknuminyear = 6 AND d_year =
    1994 AND lo_discount BETWEEN 5 AND 7 AND lo_quantity BETWEEN 26 AND
    35"""),
    ("Q2.1", """SELECT sum(lo_revenue), d_year, p_brand1 FROM lineorder, date, part,
    supplier WHERE lo_orderdate = d_datekey AND lo_partkey = p_partkey
    AND lo_suppkey = s_suppkey AND p_category = 'MFGR#12' AND s_region =
    'AMERICA' GROUP BY d_year, p_brand1 ORDER BY d_year, p_brand1"""),
    ("Q2.2", """SELECT sum(lo_revenue), d_year, p_brand1 FROM lineorder, date, part,
    supplier WHERE lo_orderdate = d_datekey AND lo_partkey = p_partkey
    AND lo_suppkey = s_suppkey AND p_brand1 BETWEEN 'MFGR#2221' AND
    'MFGR#2228' AND s_region = 'ASIA' GROUP BY d_year, p_brand1 ORDER BY
    d_year, p_brand1"""),
    ("Q2.3", """SELECT sum(lo_revenue), d_year, p_brand1 FROM lineorder, date, part,
    supplier WHERE lo_orderdate = d_datekey AND lo_partkey = p_partkey
    AND lo_suppkey = s_suppkey AND p_brand1 = 'MFGR#2221' AND s_region =
    'EUROPE' GROUP BY d_year, p_brand1 ORDER BY d_year, p_brand1"""),
    ("Q3.1", """SELECT c_nation, s_nation, d_year, sum(lo_revenue) AS revenue FROM
    customer, lineorder, supplier, date WHERE lo_custkey = c_custkey AND
    lo_suppkey = s_suppkey AND lo_orderdate = d_datekey AND c_region =
    'ASIA' AND s_region = 'ASIA' AND d_year >= 1992 AND d_year <= 1997
    GROUP BY c_nation, s_nation, d_year ORDER BY d_year, revenue DESC,
    c_nation, s_nation"""),
    ("Q3.2", """SELECT c_city, s_city, d_year, sum(lo_revenue) AS revenue FROM customer,
    lineorder, supplier, date WHERE lo_custkey = c_custkey AND
    lo_suppkey = s_suppkey AND lo_orderdate = d_datekey AND c_nation =
    'UNITED STATES' AND s_nation = 'UNITED STATES' AND d_year >= 1992
    AND d_year <= 1997 GROUP BY c_city, s_city, d_year ORDER BY d_year,
    revenue DESC, c_city, s_city"""),
    ("Q3.3", """SELECT c_city, s_city, d_year, sum(lo_revenue) AS revenue FROM customer,
    lineorder, supplier, date WHERE lo_custkey = c_custkey AND
    lo_suppkey = s_suppkey AND lo_orderdate = d_datekey AND
    (c_city='UNITED KI1' OR c_city='UNITED KI5') AND (s_city='UNITED
    KI1' OR s_city='UNITED KI5') AND d_year >= 1992 AND d_year <= 1997
    GROUP BY c_city, s_city, d_year ORDER BY d_year, revenue DESC,
    c_city, s_city"""),
    ("Q3.4", """SELECT c_city, s_city, d_year, sum(lo_revenue) AS revenue FROM customer,
    lineorder, supplier, date WHERE lo_custkey = c_custkey AND
    lo_suppkey = s_suppkey AND lo_orderdate = d_datekey AND
    (c_city='UNITED KI1' OR c_city='UNITED KI5') AND (s_city='UNITED
    KI1' OR s_city='UNITED KI5') AND d_yearmonth = 'Dec1997' GROUP BY
    c_city, s_city, d_year ORDER BY d_year, revenue DESC, c_city, s_city"""),
    ("Q4.1", """SELECT d_year, c_nation, sum(lo_revenue - lo_supplycost) AS profit FROM
    date, customer, supplier, part, lineorder WHERE lo_custkey =
    c_custkey AND lo_suppkey = s_suppkey AND lo_partkey = p_partkey AND
    lo_orderdate = d_datekey AND c_region = 'AMERICA' AND s_region =
    'AMERICA' AND (p_mfgr = 'MFGR#1' OR p_mfgr = 'MFGR#2') GROUP BY
    d_year, c_nation ORDER BY d_year, c_nation"""),
    ("Q4.2", """SELECT d_year, s_nation, p_category, sum(lo_revenue - lo_supplycost) AS
    profit FROM date, customer, supplier, part, lineorder WHERE
    lo_custkey = c_custkey AND lo_suppkey = s_suppkey AND lo_partkey =
    p_partkey AND lo_orderdate = d_datekey AND c_region = 'AMERICA' AND
    s_region = 'AMERICA' AND (d_year = 1997 OR d_year = 1998) AND
    (p_mfgr = 'MFGR#1' OR p_mfgr = 'MFGR#2') GROUP BY d_year, s_nation,
    p_category ORDER BY d_year, s_nation, p_category"""),
    ("Q4.3", """SELECT d_year, s_city, p_brand1, sum(lo_revenue - lo_supplycost) AS
    profit FROM date, customer, supplier, part, lineorder WHERE
    lo_custkey = c_custkey AND lo_suppkey = s_suppkey AND lo_partkey =
    p_partkey AND lo_orderdate = d_datekey AND c_region = 'AMERICA' AND
    s_nation = 'UNITED STATES' AND (d_year = 1997 OR d_year = 1998) AND
    p_category = 'MFGR#14' GROUP BY d_year, s_city, p_brand1 ORDER BY
    d_year, s_city, p_brand1"""),
]

DATES = """INSERT INTO date
SELECT to_char(d, 'YYYYMMDD')::integer, to_char(d, 'FMMonth DD, YYYY'),
    to_char(d, 'FMMonth'), extract(year FROM d), to_char(d, 'YYYYMM')::integer,
    to_char(d, 'MonYYYY'), (extract(doy FROM d)::integer - 1) / 7 + 1
FROM generate_series(date '1992-01-01', date '1998-12-31', interval '1 day') AS d;
"""

PLACES = f"""INSERT INTO %s
SELECT i, '%s ' || i,
    rpad(({NATIONS}::text[])[city / 10 + 1], 9) || city %% 10,
    ({NATIONS}::text[])[city / 10 + 1], ({REGIONS}::text[])[city / 50 + 1]
FROM generate_series(1, %d) AS i,
    LATERAL (SELECT (hashint8extended(i, %d) & 4611686018427387903) %% 250
        AS city) AS c;
"""

PARTS = """INSERT INTO part
SELECT i, 'part ' || i, 'MFGR#' || b / 200 + 1,
    'MFGR#' || b / 200 + 1 || b / 40 %% 5 + 1,
    'MFGR#' || b / 200 + 1 || b / 40 %% 5 + 1 || b %% 40 + 1
FROM generate_series(1, %d) AS i,
    LATERAL (SELECT (hashint8extended(i, 3) & 4611686018427387903) %% 1000 AS b)
        AS brand;
"""

# Four lines an order; %% is for workload.fill.
LINES = """
INSERT INTO lineorder
SELECT i / 4 + 1, i %% 4 + 1, h3 / 2406 %% CUSTOMERS + 1, h2 %% PARTS + 1,
    h2 / PARTS %% SUPPLIERS + 1,
    to_char(date '1992-01-01' + (h3 %% 2406)::integer, 'YYYYMMDD')::integer,
    quantity, quantity * price, discount,
    (quantity * price)::bigint * (100 - discount) / 100, 6 * price / 10
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 4611686018427387903 AS h,
        hashint8extended(i, 2) & 4611686018427387903 AS h2,
        hashint8extended(i / 4, 3) & 4611686018427387903 AS h3) AS hashes,
    LATERAL (SELECT (h %% 11)::integer AS discount,
        (h / 693 %% 50 + 1)::integer AS quantity,
        (90000 + h / 40000 %% 110000)::integer AS price) AS v
"""


def make(scale):
    customers, suppliers = (max(int(n * scale), 10) for n in (30_000, 2_000))
    parts = max(int(200_000 * scale), 1000)
    rows = dict(
        date=DATES, customer=PLACES % ("customer", "Customer", customers, 1),
        supplier=PLACES % ("supplier", "Supplier", suppliers, 2),
        part=PARTS % parts)
    lines = LINES
    for name, n in (("CUSTOMERS", customers), ("PARTS", parts),
                    ("SUPPLIERS", suppliers)):
        lines = lines.replace(name, f"{n}::bigint")
    for table, columns in TABLES.items():
        workload.make_table(
            table, f"CREATE TABLE {table} ({columns})",
            lambda: workload.psql(rows[table]) if table in rows else
            workload.fill(lines, int(6_000_000 * scale)))


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--scale", type=float, default=1)
    a = p.parse_args()
    if a.make:
        make(a.scale)
    with tempfile.TemporaryDirectory() as at:
        duck = workload.duckdb_with(
            {t: (f"CREATE TABLE {t} ({columns})", [workload.exported(t, at)])
             for t, columns in TABLES.items()})
    rows = int(workload.psql("SELECT count(*) FROM lineorder;\n"))
    result = workload.compare(
        f"SSB, {rows:,} rows, five tables", "lineorder",
        workload.matching(QUERIES, a.pattern), a, "gpu_count(lo_revenue)", duck)
    if not all(r["same"] for r in result):
        sys.exit(1)


if __name__ == "__main__":
    main()
