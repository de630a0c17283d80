#!/usr/bin/env python3
"""The Star Schema Benchmark's 13 queries over its table with all dimensions in
it: reports beside built-in plans and DuckDB.

    ssb.py [--scale N] [--runs R] [--make] [--json FILE] [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make makes `flat` first, of rows that the server makes by the
benchmark's rules, 6,000,000 a scale unit.  "first" is a run with nothing held,
"warm" the median of R more.  Fails if a result is not the same text throughout.
"""

import sys
import tempfile

import workload

FLAT = """CREATE TABLE flat (
    lo_orderkey integer NOT NULL, lo_linenumber integer NOT NULL,
    lo_orderdate date NOT NULL, lo_quantity integer NOT NULL,
    lo_extendedprice integer NOT NULL, lo_discount integer NOT NULL,
    lo_revenue integer NOT NULL, lo_supplycost integer NOT NULL,
    lo_tax integer NOT NULL, lo_shipmode char(10) NOT NULL,
    c_city char(10) NOT NULL, c_nation char(15) NOT NULL,
    c_region char(12) NOT NULL, s_city char(10) NOT NULL,
    s_nation char(15) NOT NULL, s_region char(12) NOT NULL,
    p_mfgr char(6) NOT NULL, p_category char(7) NOT NULL,
    p_brand char(9) NOT NULL)"""

YEAR = "extract(year FROM lo_orderdate)"
PROFIT = "sum(lo_revenue - lo_supplycost) AS profit"
DISCOUNTED = "SELECT sum(lo_extendedprice * lo_discount) AS revenue FROM flat"
BRANDS = f"SELECT sum(lo_revenue), {YEAR} AS year, p_brand FROM flat"
CITIES = f"""SELECT c_city, s_city, {YEAR} AS year, sum(lo_revenue) AS revenue
    FROM flat"""
BY_BRAND = "GROUP BY year, p_brand ORDER BY year, p_brand"
BY_CITY = """GROUP BY c_city, s_city, year
    ORDER BY year, revenue DESC, c_city, s_city"""
IN_KINGDOM = """c_city IN ('UNITED KI1', 'UNITED KI5')
    AND s_city IN ('UNITED KI1', 'UNITED KI5')"""
AMERICAN = """c_region = 'AMERICA' AND s_region = 'AMERICA'
    AND p_mfgr IN ('MFGR#1', 'MFGR#2')"""

QUERIES = [
    ("Q1.1", f"""{DISCOUNTED} WHERE {YEAR} = 1993
    AND lo_discount BETWEEN 1 AND 3 AND lo_quantity < 25"""),
    ("Q1.2", f"""{DISCOUNTED} WHERE to_char(lo_orderdate, 'YYYYMM') = '199401'
    AND lo_discount BETWEEN 4 AND 6 AND lo_quantity BETWEEN 26 AND 35""",
     f"""{DISCOUNTED} WHERE strftime(lo_orderdate, '%Y%m') = '199401'
    AND lo_discount BETWEEN 4 AND 6 AND lo_quantity BETWEEN 26 AND 35"""),
    ("Q1.3", f"""{DISCOUNTED} WHERE extract(week FROM lo_orderdate) = 6
    AND {YEAR} = 1994
    AND lo_discount BETWEEN 5 AND 7 AND lo_quantity BETWEEN 26 AND 35"""),
    ("Q2.1", f"""{BRANDS}
    WHERE p_category = 'MFGR#12' AND s_region = 'AMERICA' {BY_BRAND}"""),
    ("Q2.2", f"""{BRANDS} WHERE p_brand BETWEEN 'MFGR#2221' AND 'MFGR#2228'
    AND s_region = 'ASIA' {BY_BRAND}"""),
    ("Q2.3", f"""{BRANDS}
    WHERE p_brand = 'MFGR#2239' AND s_region = 'EUROPE' {BY_BRAND}"""),
    ("Q3.1", f"""SELECT c_nation, s_nation, {YEAR} AS year,
    sum(lo_revenue) AS revenue FROM flat
    WHERE c_region = 'ASIA' AND s_region = 'ASIA'
    AND {YEAR} BETWEEN 1992 AND 1997 GROUP BY c_nation, s_nation, year
    ORDER BY year, revenue DESC, c_nation, s_nation"""),
    ("Q3.2", f"""{CITIES} WHERE c_nation = 'UNITED STATES'
    AND s_nation = 'UNITED STATES' AND {YEAR} BETWEEN 1992 AND 1997
    {BY_CITY}"""),
    ("Q3.3", f"""{CITIES} WHERE {IN_KINGDOM} AND {YEAR} BETWEEN 1992 AND 1997
    {BY_CITY}"""),
    ("Q3.4", f"""{CITIES} WHERE {IN_KINGDOM}
    AND to_char(lo_orderdate, 'MonYYYY') = 'Dec1997' {BY_CITY}""",
     f"""{CITIES} WHERE {IN_KINGDOM}
    AND strftime(lo_orderdate, '%b%Y') = 'Dec1997' {BY_CITY}"""),
    ("Q4.1", f"""SELECT {YEAR} AS year, c_nation, {PROFIT} FROM flat
    WHERE {AMERICAN} GROUP BY year, c_nation ORDER BY year, c_nation"""),
    ("Q4.2", f"""SELECT {YEAR} AS year, s_nation, p_category, {PROFIT}
    FROM flat WHERE {AMERICAN} AND {YEAR} IN (1997, 1998)
    GROUP BY year, s_nation, p_category ORDER BY year, s_nation, p_category"""),
    ("Q4.3", f"""SELECT {YEAR} AS year, s_city, p_brand, {PROFIT} FROM flat
    WHERE s_nation = 'UNITED STATES' AND p_category = 'MFGR#14'
    AND {YEAR} IN (1997, 1998)
    GROUP BY year, s_city, p_brand ORDER BY year, s_city, p_brand"""),
]

NATIONS = """'{ALGERIA,ETHIOPIA,KENYA,MOROCCO,MOZAMBIQUE,ARGENTINA,BRAZIL,CANADA,
    PERU,UNITED STATES,CHINA,INDIA,INDONESIA,JAPAN,VIETNAM,FRANCE,GERMANY,
    ROMANIA,RUSSIA,UNITED KINGDOM,EGYPT,IRAN,IRAQ,JORDAN,SAUDI ARABIA}'"""
REGIONS = "'{AFRICA,AMERICA,ASIA,EUROPE,MIDDLE EAST}'"


def place(city):
    """The three columns of a city, of which a nation has 10, a region 50."""
    nation = f"({NATIONS}::text[])[{city} / 10 + 1]"
    return (f"rpad({nation}, 9) || {city} %% 10, {nation}, "
            f"({REGIONS}::text[])[{city} / 50 + 1]")


# Four lines an order; %% is for workload.fill.  A brand is one of 40 of a
# category, that one of 5 of a manufacturer, that one of 5.
ROWS = f"""
INSERT INTO flat
SELECT i / 4 + 1, i %% 4 + 1, date '1992-01-01' + (h3 %% 2406)::integer,
    quantity, quantity * price, discount,
    (quantity * price)::bigint * (100 - discount) / 100, 6 * price / 10,
    h / 11 %% 9,
    ('{{REG AIR,AIR,RAIL,SHIP,TRUCK,MAIL,FOB}}'::text[])[h / 99 %% 7 + 1],
    {place("c")}, {place("s")}, 'MFGR#' || b / 200 + 1,
    'MFGR#' || b / 200 + 1 || b / 40 %% 5 + 1,
    'MFGR#' || b / 200 + 1 || b / 40 %% 5 + 1 || b %% 40 + 1
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 4611686018427387903 AS h,
        hashint8extended(i, 2) & 4611686018427387903 AS h2,
        hashint8extended(i / 4, 3) & 4611686018427387903 AS h3) AS hashes,
    LATERAL (SELECT (h %% 11)::integer AS discount,
        (h / 693 %% 50 + 1)::integer AS quantity,
        (90000 + h2 / 40000 %% 110000)::integer AS price,
        h2 %% 1000 AS b, h2 / 1000 %% 250 AS s, h3 / 2406 %% 250 AS c) AS v
"""


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--scale", type=float, default=1)
    a = p.parse_args()
    if a.make:
        workload.make_table("flat", FLAT, lambda: workload.fill(
            ROWS, int(6_000_000 * a.scale)))
    with tempfile.TemporaryDirectory() as at:
        duck = workload.duckdb_with({"flat": (FLAT, [workload.exported("flat", at)])})
    rows = int(workload.psql("SELECT count(*) FROM flat;\n"))
    result = workload.compare(
        f"SSB, {rows:,} rows", "flat", workload.matching(QUERIES, a.pattern),
        a, "gpu_count(lo_revenue)", duck)
    if not all(r["same"] for r in result):
        sys.exit(1)


if __name__ == "__main__":
    main()
