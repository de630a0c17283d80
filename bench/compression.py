#!/usr/bin/env python3
"""How many bytes columns take in the service, and in other encodings.

    bench/compression.py [--flights FILE] [--tpch FOLDER] [--readings N]

FILE is flights-3m.csv.xz (bench/questions.py says more), FOLDER what tpchgen-cli
wrote as CSV, and N rows of the readings that bench/dashboards.py makes are
computed here.  Needs NumPy, but no server.

Of each column, chunks of 2^24 values are packed as the service packs them: integers
in the fewest of 1, 2, 4 and 8 bytes that hold their differences from a base, texts as
codes in the order in which they appear (columns_width.c, dictionary.c), floats as
they are.  The other encodings:

    runs        4 bytes for the length of a run of equal values, and one value
    sorted      codes in the order of the values, and 8 bytes for each value, where
                that is narrower; only of numbers, since texts are codes now
    scaled      float8 as integers m, where m / 10^s, correctly rounded, is every
                value to the bit, for the least s up to 6; packed like integers
    units       integers divided by what all differences from the least have in common
    bits        integers in as many bits as the chunk's range needs, not bytes

GB/s are those of values at the width that an engine computes with, where a link of
54 GB/s carries the best of these: what decoding would have to keep up with.
"""
import argparse
import lzma

import numpy as np

CHUNK = 1 << 24
LINK = 54
TPCH = {
    "lineitem": "orderkey partkey suppkey linenumber quantity extendedprice "
                "discount tax returnflag linestatus shipdate commitdate "
                "receiptdate shipinstruct shipmode".split(),
    "orders": "orderkey custkey orderstatus totalprice orderdate orderpriority "
              "clerk shippriority".split(),
}
MONEY = ("quantity", "extendedprice", "discount", "tax", "totalprice")


def width_of(values):
    """Bytes of the differences from a base."""
    spread = int(values.max()) - int(values.min())
    return next(w for w in (1, 2, 4, 8) if spread < 1 << 8 * w)


def bits_of(values):
    return (int(values.max()) - int(values.min())).bit_length()


def scaled(values):
    """Integers that give these floats back, or None."""
    if not np.isfinite(values).all() or (np.signbit(values) & (values == 0)).any():
        return None
    for digits in range(7):
        power = 10.0 ** digits
        m = np.rint(values * power)
        if (np.abs(m) < 1 << 53).all() and (m / power == values).all():
            return m.astype(np.int64)
    return None


def encodings(values):
    """Bytes of a chunk, by encoding."""
    n = len(values)
    floats = values.dtype.kind == "f"
    width = 8 if floats else width_of(values)
    bytes_of = {"now": n * width}
    runs = 1 + np.count_nonzero(values[1:] != values[:-1])
    bytes_of["runs"] = int(runs) * (4 + width)
    distinct = len(np.unique(values))
    if distinct < 1 << 16:
        code = 1 if distinct <= 256 else 2
        bytes_of["sorted"] = n * code + 8 * distinct
    if floats:
        integers = scaled(values)
        if integers is not None:
            bytes_of["scaled"] = n * width_of(integers)
    else:
        bytes_of["bits"] = n * bits_of(values) // 8
        differences = values - values.min()
        unit = max(int(np.gcd.reduce(differences)), 1)
        bytes_of["units"] = n * width_of(differences // unit)
    return bytes_of


def codes(texts):
    """Codes in the order in which values appear."""
    values, first, code = np.unique(texts, return_index=True,
                                    return_inverse=True)
    rank = np.empty(len(values), np.int64)
    rank[np.argsort(first)] = np.arange(len(values))
    return rank[code]


def report(table, name, values, computed):
    total = {}
    chunks = [values[i:i + CHUNK] for i in range(0, len(values), CHUNK)]
    for chunk in chunks:
        for encoding, size in encodings(chunk).items():
            total.setdefault(encoding, []).append(size)
    n = len(values)
    cells = []
    for encoding in ("now", "runs", "sorted", "scaled", "units", "bits"):
        sizes = total.get(encoding, [])
        cells.append(f"{sum(sizes) / n:.2f}" if len(sizes) == len(chunks)
                     else "")
    best = min(sum(sizes) for sizes in total.values()
               if len(sizes) == len(chunks))
    if best > n / 100:  # else it is constant, or nearly so
        cells += [f"{sum(total['now']) / best:.1f}",
                  f"{LINK * computed * n / best:,.0f}"]
    else:
        cells += ["", ""]
    print(f"| {table}.{name} | {' | '.join(cells)} |", flush=True)


def flights(path):
    with lzma.open(path, "rt") as file:
        next(file)
        rows = [line.rstrip("\n").split(",") for line in file]
    yield "departure", np.array([r[0].replace(" ", "T") for r in rows],
                                "datetime64[us]").astype(np.int64), 8
    for i, name in ((1, "delay"), (2, "distance")):
        yield name, np.array([int(r[i]) for r in rows]), 4
    for i, name in ((3, "origin"), (4, "destination")):
        yield name, codes(np.array([r[i] for r in rows])), 4


def tpch(folder, table):
    with open(f"{folder}/{table}.csv") as file:
        names = [n.split("_", 1)[1] for n in next(file).strip().split(",")]
        wanted = [names.index(n) for n in TPCH[table]]
        columns = [[] for _ in wanted]
        for line in file:
            cells = line.split(",", max(wanted) + 1)
            for column, i in zip(columns, wanted):
                column.append(cells[i])
    for name, column in zip(TPCH[table], columns):
        if name in MONEY:
            values = np.array(column, float)
            yield name + " numeric", np.rint(values * 100).astype(np.int64), 8
            yield name + " float8", values, 8
        elif name.endswith("date"):
            yield name, np.array(column, "datetime64[D]").astype(np.int64), 4
        elif column[0].isdigit():
            yield name, np.array(column, np.int64), 8
        else:
            yield name, codes(np.array(column)), 4


def readings(n):
    i = np.arange(n, dtype=np.int64)
    noise = np.random.default_rng(1).integers(0, 100000, n)
    yield "at", i * 10_000_000, 8
    yield "device", i % 1000, 4
    yield "site", i % 20, 4
    yield "value in 64ths", noise / 64.0, 8
    yield "value in cents", noise / 100.0, 8
    yield "value as measured", 20 + np.sin(i / 1000) * 5 + noise * 1e-7, 8


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flights")
    parser.add_argument("--tpch")
    parser.add_argument("--readings", type=int)
    a = parser.parse_args()
    tables = []
    if a.flights:
        tables.append(("flight", flights(a.flights)))
    if a.tpch:
        tables += [(t, tpch(a.tpch, t)) for t in TPCH]
    if a.readings:
        tables.append(("reading", readings(a.readings)))
    print("| column | now | runs | sorted | scaled | units | bits | best, times less "
          "| GB/s |\n|---|---|---|---|---|---|---|---|---|")
    for table, columns in tables:
        for name, values, computed in columns:
            report(table, name, values, computed)


if __name__ == "__main__":
    main()
