#!/usr/bin/env python3
"""TPC-H's queries over one table, Q1 and Q6, with the specification's types,
text and validation parameters: reports beside built-in plans and DuckDB.

    tpch.py [--scale N] [--source tpchgen|sql] [--dir FOLDER] [--runs R]
            [--make] [--json FILE] [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make makes `lineitem` first: from the CSV files in FOLDER, which
tpchgen-cli (PyPI) writes if they are not there, or without it, or with --source
sql, from rows of the same distributions that the server makes, 6,000,000 a
scale unit.  "first" is a run with nothing held, "warm" the median of R more.
Fails if a result is not the same text throughout, or is no report.
"""

import glob
import os
import shutil
import subprocess
import sys

import workload

LINEITEM = """CREATE TABLE lineitem (
    l_orderkey bigint NOT NULL, l_partkey bigint NOT NULL,
    l_suppkey bigint NOT NULL, l_linenumber integer NOT NULL,
    l_quantity numeric(15,2) NOT NULL, l_extendedprice numeric(15,2) NOT NULL,
    l_discount numeric(15,2) NOT NULL, l_tax numeric(15,2) NOT NULL,
    l_returnflag char(1) NOT NULL, l_linestatus char(1) NOT NULL,
    l_shipdate date NOT NULL, l_commitdate date NOT NULL,
    l_receiptdate date NOT NULL, l_shipinstruct char(25) NOT NULL,
    l_shipmode char(10) NOT NULL, l_comment varchar(44) NOT NULL)"""

QUERIES = [
    ("Q1", """SELECT l_returnflag, l_linestatus,
    sum(l_quantity) AS sum_qty, sum(l_extendedprice) AS sum_base_price,
    sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
    sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
    avg(l_quantity) AS avg_qty, avg(l_extendedprice) AS avg_price,
    avg(l_discount) AS avg_disc, count(*) AS count_order
FROM lineitem
WHERE l_shipdate <= date '1998-12-01' - interval '90' day
GROUP BY l_returnflag, l_linestatus
ORDER BY l_returnflag, l_linestatus"""),
    ("Q6", """SELECT sum(l_extendedprice * l_discount) AS revenue
FROM lineitem
WHERE l_shipdate >= date '1994-01-01'
    AND l_shipdate < date '1994-01-01' + interval '1' year
    AND l_discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01
    AND l_quantity < 24"""),
]

# Four lines an order; a part's price is that of clause 4.2.3.  workload.fill
# makes %% of what it finds doubled.
ROWS = """
INSERT INTO lineitem
SELECT i / 4 + 1, part, part %% (SCALE * 10000)::bigint + 1, i %% 4 + 1,
    quantity,
    quantity * (90000 + part / 10 %% 20001 + part %% 1000 * 100) / 100.0,
    h %% 11 / 100.0, h / 11 %% 9 / 100.0,
    CASE WHEN receipt > '1995-06-17' THEN 'N'
        WHEN h / 99 %% 2 = 0 THEN 'R' ELSE 'A' END,
    CASE WHEN ship > '1995-06-17' THEN 'O' ELSE 'F' END,
    ship, ordered + 30 + (h / 198 %% 61)::integer, receipt,
    ('{DELIVER IN PERSON,COLLECT COD,NONE,TAKE BACK RETURN}'::text[])
        [h / 12078 %% 4 + 1],
    ('{REG AIR,AIR,RAIL,SHIP,TRUCK,MAIL,FOB}'::text[])[h / 48312 %% 7 + 1],
    left(md5(i::text) || md5((-i)::text), 10 + (h / 338184 %% 34)::integer)
FROM generate_series(%d::bigint, %d::bigint) AS i,
    LATERAL (SELECT hashint8extended(i, 1) & 4611686018427387903 AS h,
        hashint8extended(i, 2) & 4611686018427387903 AS h2,
        hashint8extended(i / 4, 3) & 4611686018427387903 AS h3) AS hashes,
    LATERAL (SELECT h2 %% (SCALE * 200000)::bigint + 1 AS part,
        h2 / 4000000000 %% 50 + 1 AS quantity,
        date '1992-01-01' + (h3 %% 2406)::integer AS ordered) AS o,
    LATERAL (SELECT ordered + 1 + (h / 338184 / 34 %% 121)::integer AS ship)
        AS s,
    LATERAL (SELECT ship + 1 + (h / 338184 / 34 / 121 %% 30)::integer
        AS receipt) AS r
"""


def files_in(folder):
    return sorted(glob.glob(f"{folder}/lineitem*.csv") +
                  glob.glob(f"{folder}/lineitem/lineitem*.csv"))


def generate(scale, folder):
    parts = workload.sessions_for(int(6_000_000 * scale))
    subprocess.run(["tpchgen-cli", "csv", f"--scale-factor={scale:g}",
                    "--tables=lineitem", f"--parts={parts}", "--quiet",
                    f"--output-dir={folder}"], check=True)


def make(scale, source, folder):
    """Makes the table, and says in its comment of what."""
    rows = int(6_000_000 * scale)
    if source == "tpchgen" and not files_in(folder):
        generate(scale, folder)
    if source == "sql":
        def put_rows():
            workload.fill(ROWS.replace("SCALE", f"{scale:g}"), rows)
    else:
        def put_rows():
            workload.in_parallel(
                [("COPY lineitem FROM STDIN (FORMAT csv, HEADER)", path)
                 for path in files_in(folder)])
    workload.make_table("lineitem", LINEITEM, put_rows)
    workload.psql(f"COMMENT ON TABLE lineitem IS "
                  f"'scale {scale:g}, rows made by {source}';\n")


def exported(source, folder):
    """Files of what is in the table, for DuckDB."""
    if source != "sql":
        return files_in(folder)
    os.makedirs(folder, exist_ok=True)
    path = os.path.abspath(f"{folder}/of-sql.csv")
    workload.psql(f"\\copy lineitem TO '{path}' (FORMAT csv, HEADER)\n")
    return [path]


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--scale", type=float, default=1)
    p.add_argument("--source", choices=["tpchgen", "sql"])
    p.add_argument("--dir", help="where lineitem*.csv is or is put; "
                   "default build/tpch/SCALE")
    a = p.parse_args()
    folder = a.dir or os.path.join(os.path.dirname(__file__), "..", "build",
                                   "tpch", f"{a.scale:g}")
    if a.make:
        known = shutil.which("tpchgen-cli") or files_in(folder)
        make(a.scale, a.source or ("tpchgen" if known else "sql"), folder)
    comment = workload.psql("SELECT obj_description('lineitem'::regclass);\n")
    source = comment.split()[-1]
    rows = workload.psql("SELECT count(*) FROM lineitem;\n")
    print(f"# lineitem: {comment.strip()}; {int(rows):,} rows", flush=True)
    duck = workload.duckdb_with(LINEITEM, "lineitem",
                                lambda: exported(source, folder))
    result = workload.compare(
        "TPC-H", "lineitem", workload.matching(QUERIES, a.pattern), a,
        "gpu_count(l_linenumber)", duck)
    if any(r["report"] != "yes" or not r["same"] for r in result):
        sys.exit(1)


if __name__ == "__main__":
    main()
