#!/usr/bin/env python3
"""ClickBench's 43 queries, reports beside built-in plans and DuckDB.

    clickbench.py --clickbench DIR [--rows N] [--runs R] [--make] [--json FILE]
        [PATTERN...]

DIR is a checkout of https://github.com/ClickHouse/ClickBench, whose
postgresql/create.sql and queries.sql are used as they are.  Run it in an empty
database; bench/workload.py says what it needs and what the times are.  --make
makes `hits` first, of random rows: the columns that queries read are as skewed,
and have as many different values for their rows, as the benchmark's own; the
others are empty.  PATTERN is Q1 to Q43.

LIMIT cuts between equal counts wherever a plan happens to: what is compared are
all rows of the queries, in order.  Fails if these differ.
"""

import hashlib
import os
import re
import statistics
import sys
import tempfile

import workload

# Of row i: u1 to u8 are uniform in [0, 1), so that floor(n * u ^ 4) is skewed.
WORDS = ("'{weather,cheap,flights,hotel,map,news,video,online,film,house,"
         "car,price,buy,phone,music,game,free,city,school,job}'::text[]")
HOSTS = "'{mail,shop,news,video,auto,forum,wiki,job,google,travel}'::text[]"
URL = ("'http://' || ({hosts})[1 + floor(10 * {u})::int] || '.example/' || "
       "({words})[1 + floor(20 * {v})::int] || '/item-' || "
       "floor({n} * {u} * {v} * {w})::int || "
       "CASE WHEN {v} < 0.02 THEN '?from=www.google.com' ELSE '' END")


def url(u, v, w, share):
    return URL.format(hosts=HOSTS, words=WORDS, u=u, v=v, w=w,
                      n=f"greatest(rows * {share}, 10)")


USED = {
    "watchid": "hashint8extended(i, 11)",
    "title": f"({WORDS})[1 + floor(20 * u1)::int] || ' ' || "
             f"({WORDS})[1 + floor(20 * u2)::int] || ' ' || "
             "floor(rows * u3 ^ 3 / 4)::int || "
             "CASE WHEN u4 < 0.03 THEN ' - Google' ELSE '' END",
    "eventtime": "timestamp '2013-07-01' + floor(31 * 86400 * u5) * interval '1 s'",
    "eventdate": "date '2013-07-01' + floor(31 * u5)::int",
    "counterid": "CASE WHEN u1 < 0.02 THEN 62 ELSE floor(6500 * u1 ^ 4)::int END",
    "clientip": "hashint8(floor(rows / 5.0 * u6 ^ 2)::bigint)",
    "regionid": "floor(9000 * u7 ^ 6)::int",
    "userid": "hashint8extended(floor(rows / 6.0 * u6 ^ 2)::bigint, 7)",
    "url": url("u1", "u2", "u3", "0.5"),
    "referer": f"CASE WHEN u8 < 0.2 THEN '' ELSE {url('u4', 'u8', 'u2', '0.5')} END",
    "isrefresh": "(u2 < 0.14)::int",
    "resolutionwidth": "('{0,1024,1280,1366,1440,1600,1680,1920}'::int[])"
                       "[1 + floor(8 * u7)::int]",
    "mobilephone": "CASE WHEN u8 < 0.07 THEN 1 + floor(40 * u7)::int ELSE 0 END",
    "mobilephonemodel": "CASE WHEN u8 < 0.07 THEN 'model ' || "
                        "floor(160 * u5 ^ 3)::int ELSE '' END",
    "traficsourceid": "floor(9 * u4)::int - 1",
    "searchengineid": "CASE WHEN u3 < 0.14 THEN 1 + floor(90 * u4 ^ 5)::int ELSE 0 END",
    "searchphrase": f"CASE WHEN u3 < 0.14 THEN ({WORDS})[1 + floor(20 * u1)::int] "
                    f"|| ' ' || ({WORDS})[1 + floor(20 * u6)::int] || ' ' || "
                    "floor(rows * u2 ^ 3 / 10)::int ELSE '' END",
    "advengineid": "CASE WHEN u5 < 0.006 THEN 1 + floor(17 * u6 ^ 2)::int ELSE 0 END",
    "windowclientwidth": "floor(1920 * u6)::int",
    "windowclientheight": "floor(1080 * u7)::int",
    "islink": "(u6 < 0.1)::int",
    "isdownload": "(u7 < 0.01)::int",
    "dontcounthits": "(u8 < 0.05)::int",
    "refererhash": "CASE WHEN u8 < 0.01 THEN 3594120000172545465 "
                   "ELSE hashint8extended(floor(rows * u4)::bigint, 3) END",
    "urlhash": "CASE WHEN u7 < 0.01 THEN 2868770270353813622 "
               "ELSE hashint8extended(floor(rows * u1 * u2)::bigint, 4) END",
}


def columns(ddl):
    """(name, type) of each column that CREATE TABLE has."""
    return [(n.lower(), t.lower()) for n, t in
            re.findall(r"^\s+(\w+) ([\w()]+) NOT NULL", ddl, re.M)]


def rows_of(ddl, rows):
    """An INSERT for workload.fill: % is doubled."""
    def value(name, kind):
        if name in USED:
            return f"({USED[name]})::{kind}"
        if kind in ("timestamp", "date"):
            return f"{kind} '2013-07-15'"
        return "''" if "char" in kind or kind == "text" else "0"

    uniform = ", ".join(
        f"(hashint8extended(i, {k}) & 1073741823) / 1073741824.0::float8 AS u{k}"
        for k in range(1, 9))
    values = ",\n    ".join(value(*c) for c in columns(ddl))
    return (f"INSERT INTO hits SELECT {values}\n"
            "FROM generate_series(%d::bigint, %d::bigint) AS i,\n"
            f"    LATERAL (SELECT {rows} AS rows, {uniform}) AS random\n")


def all_rows(query):
    """Without the ORDER BY and LIMIT at its end."""
    return re.sub(r"\s+(ORDER BY [^()]*(\([^()]*\)[^()]*)*)?"
                  r"(LIMIT \d+)?( OFFSET \d+)?$", "", query)


def digest(settings, query):
    lines = workload.psql(settings + query + ";\n").splitlines()
    return hashlib.md5("\n".join(sorted(lines)).encode()).hexdigest()


def main():
    p = workload.arguments(__doc__, slow_runs=1)
    p.add_argument("--clickbench", required=True, metavar="DIR")
    p.add_argument("--rows", type=int, default=1_000_000)
    a = p.parse_args()
    with open(os.path.join(a.clickbench, "postgresql/create.sql")) as f:
        ddl = f.read().split(";")[0]
    with open(os.path.join(a.clickbench, "postgresql/queries.sql")) as f:
        queries = [(f"Q{n}", q.strip().rstrip(";"))
                   for n, q in enumerate(f, 1) if q.strip()]
    if a.make:
        insert = rows_of(ddl, a.rows)
        workload.make_table("hits", ddl, lambda: workload.fill(insert, a.rows))
    chosen = [q for q in queries if not a.pattern or q[0] in a.pattern]
    with tempfile.TemporaryDirectory() as at:
        duck = workload.duckdb_with({"hits": (ddl, [workload.exported("hits", at)])})
    rows = int(workload.psql("SELECT count(*) FROM hits;\n"))
    result = workload.compare(f"ClickBench, {rows:,} rows", "hits", chosen, a,
                              "gpu_count(userid)", duck)
    ratios = [r["duckdb"] / r["warm"] for r in result if "duckdb" in r]
    if ratios:
        print(f"\nDuckDB / warm, geometric mean: "
              f"{statistics.geometric_mean(ratios):.2f}")
    differ = [name for name, query in chosen
              if digest(workload.OFF, all_rows(query)) !=
              digest(workload.ON, all_rows(query))]
    print(f"All rows are the same in {len(chosen) - len(differ)} of "
          f"{len(chosen)} queries. {' '.join(differ)}")
    if differ:
        sys.exit(1)


if __name__ == "__main__":
    main()
