#!/usr/bin/env python3
"""TPC-H's 22 queries, with the specification's types, text and validation
parameters: reports beside built-in plans and DuckDB.

    tpch.py [--scale N] [--dir FOLDER] [--runs R] [--make] [--json FILE]
            [PATTERN...]

Run it in an empty database; bench/workload.py says what it needs and what the
times are.  --make makes the tables first, from the CSV files in FOLDER, which
tpchgen-cli (PyPI) writes if they are not there.  Tables have their primary keys,
and lineitem an index for the queries that ask for a part's lines.  "first" is a
run with nothing held, "warm" the median of R more.  Fails if a result is not the
same text throughout.
"""

import os
import subprocess
import sys

import workload
from tpch_queries import QUERIES

TABLES = {
    "region": """r_regionkey integer PRIMARY KEY, r_name char(25) NOT NULL,
    r_comment varchar(152)""",
    "nation": """n_nationkey integer PRIMARY KEY, n_name char(25) NOT NULL,
    n_regionkey integer NOT NULL, n_comment varchar(152)""",
    "part": """p_partkey integer PRIMARY KEY, p_name varchar(55) NOT NULL,
    p_mfgr char(25) NOT NULL, p_brand char(10) NOT NULL,
    p_type varchar(25) NOT NULL, p_size integer NOT NULL,
    p_container char(10) NOT NULL, p_retailprice numeric(15,2) NOT NULL,
    p_comment varchar(23) NOT NULL""",
    "supplier": """s_suppkey integer PRIMARY KEY, s_name char(25) NOT NULL,
    s_address varchar(40) NOT NULL, s_nationkey integer NOT NULL,
    s_phone char(15) NOT NULL, s_acctbal numeric(15,2) NOT NULL,
    s_comment varchar(101) NOT NULL""",
    "partsupp": """ps_partkey integer, ps_suppkey integer,
    ps_availqty integer NOT NULL, ps_supplycost numeric(15,2) NOT NULL,
    ps_comment varchar(199) NOT NULL, PRIMARY KEY (ps_partkey, ps_suppkey)""",
    "customer": """c_custkey integer PRIMARY KEY, c_name varchar(25) NOT NULL,
    c_address varchar(40) NOT NULL, c_nationkey integer NOT NULL,
    c_phone char(15) NOT NULL, c_acctbal numeric(15,2) NOT NULL,
    c_mktsegment char(10) NOT NULL, c_comment varchar(117) NOT NULL""",
    "orders": """o_orderkey bigint PRIMARY KEY, o_custkey integer NOT NULL,
    o_orderstatus char(1) NOT NULL, o_totalprice numeric(15,2) NOT NULL,
    o_orderdate date NOT NULL, o_orderpriority char(15) NOT NULL,
    o_clerk char(15) NOT NULL, o_shippriority integer NOT NULL,
    o_comment varchar(79) NOT NULL""",
    "lineitem": """l_orderkey bigint, l_partkey integer NOT NULL,
    l_suppkey integer NOT NULL, l_linenumber integer,
    l_quantity numeric(15,2) NOT NULL, l_extendedprice numeric(15,2) NOT NULL,
    l_discount numeric(15,2) NOT NULL, l_tax numeric(15,2) NOT NULL,
    l_returnflag char(1) NOT NULL, l_linestatus char(1) NOT NULL,
    l_shipdate date NOT NULL, l_commitdate date NOT NULL,
    l_receiptdate date NOT NULL, l_shipinstruct char(25) NOT NULL,
    l_shipmode char(10) NOT NULL, l_comment varchar(44) NOT NULL,
    PRIMARY KEY (l_orderkey, l_linenumber)""",
}
INDEX = "CREATE INDEX ON lineitem (l_partkey, l_suppkey)"


def definition(table):
    return f"CREATE TABLE {table} ({TABLES[table]})"


def file_of(folder, table):
    return os.path.abspath(f"{folder}/{table}.csv")


def generate(scale, folder):
    if not all(os.path.exists(file_of(folder, t)) for t in TABLES):
        subprocess.run(["tpchgen-cli", "csv", f"--scale-factor={scale:g}",
                        "--quiet", f"--output-dir={folder}"], check=True)


def make(scale, folder):
    generate(scale, folder)
    for table in TABLES:
        workload.make_table(table, definition(table), lambda: workload.psql(
            f"\\copy {table} FROM '{file_of(folder, table)}' "
            "(FORMAT csv, HEADER)\n"))
    workload.psql(f"{INDEX};\nVACUUM ANALYZE lineitem;\n")


def main():
    p = workload.arguments(__doc__)
    p.add_argument("--scale", type=float, default=1)
    p.add_argument("--dir", help="where the CSV files are or are put; "
                   "default build/tpch/SCALE")
    a = p.parse_args()
    folder = a.dir or os.path.join(os.path.dirname(__file__), "..", "build",
                                   "tpch", f"{a.scale:g}")
    if a.make:
        make(a.scale, folder)
    generate(a.scale, folder)
    duck = workload.duckdb_with({t: (definition(t), [file_of(folder, t)])
                                 for t in TABLES})
    result = workload.compare(
        f"TPC-H, scale {a.scale:g}", "lineitem",
        workload.matching(QUERIES, a.pattern), a, "gpu_count(l_linenumber)",
        duck)
    if not all(r["same"] for r in result):
        sys.exit(1)


if __name__ == "__main__":
    main()
