#!/usr/bin/env python3
"""gpuscan's functions of series beside NumPy's and pandas'.

    series_python.py [--elements N] [--runs R] [PATTERN...]

Run it in an empty database that PGHOST, PGPORT, PGUSER and PGDATABASE lead to;
needs psycopg 3, NumPy and pandas.  A time is the least of R, in milliseconds, of
a whole call that leaves its result in memory: "stored" reads the arrays from a
table, "memory" has them in variables of PL/pgSQL, as NumPy has its own in the
process, with no database around them.  If there is a GPU, "device" is over
arrays that are stored, and cached by the service.  The results of each row are
compared, and one that differs is an error.  Prints a table, of the rows in which
a PATTERN is found.
"""
import argparse
import os
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
import numpy as np
import pandas as pd
import psycopg

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/python"))
import gpuscan_numpy

if not hasattr(np, "trapezoid"):
    np.trapezoid = np.trapz		# before NumPy 2

# Ours and theirs; both are run as they stand here.  Where the first elements are
# NULL with one and not with the other, how many are not compared.
ROWS = [
    ("gpu_sum(a)", "a.sum()"),
    ("gpu_avg(a)", "a.mean()"),
    ("gpu_stddev(a)", "a.std(ddof=1)"),
    ("gpu_max(a)", "a.max()"),
    ("gpu_argmax(a)", "a.argmax() + 1"),
    ("gpu_asum(b)", "np.abs(b).sum()"),
    ("gpu_norm(b)", "np.linalg.norm(b)"),
    ("gpu_dot(a, b)", "np.dot(a, b)"),
    ("gpu_corr(a, b)", "np.corrcoef(a, b)[0, 1]"),
    ("gpu_sum(gpu_multiply(a, b))", "(a * b).sum()"),
    ("gpu_stddev(gpu_divide(b, a))", "(b / a).std(ddof=1)"),
    ("gpu_cumsum(a)", "np.cumsum(a)"),
    ("gpu_cumsum(i)", "np.cumsum(i, dtype='i8')"),
    ("gpu_cummax(a)", "np.maximum.accumulate(a)"),
    ("gpu_cumprod(c)", "np.cumprod(c)"),
    ("gpu_sort(a)", "np.sort(a)"),
    ("gpu_sort(i)", "np.sort(i)"),
    ("gpu_argsort(a)", "np.argsort(a, kind='stable') + 1"),
    ("gpu_topk(a, 100)", "np.sort(np.partition(a, -100)[-100:])[::-1]"),
    ("gpu_rank(i)", "si.rank(method='min').astype('i4')"),
    ("gpu_median(a)", "np.median(a)"),
    ("gpu_percentiles_cont(a, '{0.25, 0.5, 0.9}')", "np.quantile(a, [0.25, 0.5, 0.9])"),
    ("gpu_distinct(i)", "np.unique(i)"),
    ("gpu_count_distinct(i)", "si.nunique()"),
    ("gpu_histogram(a, 0, 1000, 256)", "np.histogram(a, 256, (0, 1000))[0]"),
    ("gpu_histogram(a, edges)", "np.histogram(a, edges)[0]"),
    ("gpu_searchsorted(edges, a)", "np.searchsorted(edges, a, side='right')"),
    ("gpu_moving_sum(i, 99)", "si.rolling(100, min_periods=1).sum()"),
    ("gpu_moving_sum(a, 99)", "sa.rolling(100, min_periods=1).sum()"),
    ("gpu_moving_avg(a, 99)", "sa.rolling(100, min_periods=1).mean()"),
    ("gpu_moving_max(a, 99)", "sa.rolling(100, min_periods=1).max()"),
    ("gpu_moving_stddev(a, 99)", "sa.rolling(100, min_periods=2).std()", 1),
    ("gpu_moving_median(a, 99)", "sa.rolling(100, min_periods=1).median()"),
    ("gpu_moving_corr(a, b, 99)", "sa.rolling(100, min_periods=2).corr(sb)", 1),
    ("gpu_ewma(a, 0.1)", "sa.ewm(alpha=0.1, adjust=False).mean()"),
    ("gpu_ewma(a, 0.1, true)", "sa.ewm(alpha=0.1, adjust=True).mean()"),
    ("gpu_diff(a)", "sa.diff()", 1),
    ("gpu_diff(a, 'drop')", "np.diff(a)"),
    ("gpu_pct_change(a)", "sa.pct_change()", 1),
    ("gpu_shift(a)", "sa.shift()", 1),
    ("gpu_take(a, places)", "np.take(a, places - 1)"),
    ("gpu_reverse(a)", "a[::-1].copy()"),
    ("gpu_add(a, b)", "a + b"),
    ("gpu_multiply(a, 2.5::float8)", "a * 2.5"),
    ("gpu_divide(b, a)", "b / a"),
    ("gpu_abs(b)", "np.abs(b)"),
    ("gpu_round(b)", "np.round(b)"),
    ("gpu_round(b, 2)", "np.round(b, 2)"),
    ("gpu_sqrt(a)", "np.sqrt(a)"),
    ("gpu_exp(c)", "np.exp(c)"),
    ("gpu_ln(a)", "np.log(a)"),
    ("gpu_power(a, 1.5)", "np.power(a, 1.5)"),
    ("gpu_clip(b, -10, 10)", "np.clip(b, -10, 10)"),
    ("gpu_compare(a, '>', 500)", "a > 500"),
    ("gpu_between(a, 250, 750)", "(a >= 250) & (a <= 750)"),
    ("gpu_filter(a, '>', 500)", "a[a > 500]"),
    ("gpu_compact(a, flags)", "a[flags]"),
    ("gpu_where(flags)", "np.flatnonzero(flags) + 1"),
    ("gpu_if(flags, a, b)", "np.where(flags, a, b)"),
    ("gpu_segment_sum(a, chunk => 1000)", "np.add.reduceat(a, np.arange(0, a.size, 1000))"),
    ("gpu_segment_max(a, chunk => 10)", "np.maximum.reduceat(a, np.arange(0, a.size, 10))"),
    ("gpu_transpose(m)", "m.T.copy()"),
    ("gpu_interpolate(times, a, at)", "np.interp(at, times, a)"),
    ("gpu_asof(times, at)", "np.searchsorted(times, at, side='right')"),
    ("(gpu_resample(times, a, 3600::float8, 'avg')).results",
     "sa.groupby((times // 3600).astype('i8')).mean()"),
    ("gpu_time_weighted_avg(times, a, 'linear')", "np.trapezoid(a, times) / (times[-1] - times[0])"),
]


def make_data(n):
    random = np.random.default_rng(1)
    times = np.cumsum(random.random(n) + 0.5)
    columns = {
        "a": random.random(n) * 1000 + 0.001, "b": (random.random(n) - 0.5) * 100,
        "c": np.exp((random.random(n) - 0.5) / 1000), "i": random.integers(0, 1_000_000, n, dtype="i4"),
        "flags": random.random(n) < 0.5, "edges": np.linspace(0.5, 999.5, 1000),
        "m": random.random((n // 2500, 2500)), "times": times, "at": times + 0.25,
        "places": random.integers(1, n + 1, n, dtype="i4")}
    columns["at"][-1] = times[-1]
    return columns


def store(connection, columns):
    """In a table, and so that sessions' variables can be filled from it."""
    kinds = {"f": "float8[]", "i": "integer[]", "b": "boolean[]"}
    connection.execute("CREATE EXTENSION IF NOT EXISTS gpuscan")
    connection.execute("CREATE TABLE series (%s)" % ", ".join(
        f"{name} {kinds[array.dtype.kind]}" for name, array in columns.items()))
    for name in columns:	# compressed arrays are not cached
        connection.execute(f"ALTER TABLE series ALTER {name} SET STORAGE EXTERNAL")
    connection.execute("INSERT INTO series (a) VALUES (NULL)")
    for name, array in columns.items():		# no message is longer than 1 GB
        connection.execute(f"UPDATE series SET {name} = %s", [array])
    connection.execute("VACUUM series")
    connection.execute("SET plan_cache_mode = force_generic_plan")
    connection.execute("SET jit = off")


def least_ms(connection, columns, call, runs, stored):
    """Of calls that nobody reads the result of.  Plans are generic, so that
    PL/pgSQL copies neither the arrays nor a result."""
    used = [name for name in columns if name in call.replace("(", " ").replace(",", " ").replace(")", " ").split()]
    if stored:
        variables, work = "", f"PERFORM ({call}) IS NULL FROM series;"
    else:
        variables = "".join(f"{n} {'boolean' if n == 'flags' else 'integer' if n in ('i', 'places') else 'float8'}[]"
                            f" := (SELECT s.{n} FROM series AS s);\n" for n in used)
        work = f"nothing := ({call}) IS NULL;"
    connection.execute(f"""CREATE OR REPLACE FUNCTION pg_temp.least_ms(runs integer) RETURNS float8 LANGUAGE plpgsql AS $$
        DECLARE
            {variables}
            nothing boolean;
            start timestamptz;
            ms float8 := 'Infinity';
        BEGIN
            FOR k IN 1 .. runs LOOP
                start := clock_timestamp();
                {work}
                ms := least(ms, extract(epoch FROM clock_timestamp() - start) * 1000);
            END LOOP;
            RETURN ms;
        END $$""")
    return connection.execute("SELECT pg_temp.least_ms(%s)", [runs]).fetchone()[0]


def theirs(code, names, runs):
    """The least time, and the result."""
    compiled = compile(code, code, "eval")
    least = float("inf")
    while runs > 0:
        start = time.perf_counter()
        result = eval(compiled, names)
        ms = (time.perf_counter() - start) * 1000
        least = min(least, ms)
        runs -= 1 if ms < 3000 else runs		# long ones once
    return least, result


def check(connection, call, result, skip):
    if skip:
        call = f"gpu_slice({call}, {skip + 1})"
    [ours] = connection.cursor(binary=True).execute(f"SELECT {call} FROM series").fetchone()
    result = np.asarray(result)[skip:] if skip else np.asarray(result)
    # pandas' running sums drift, all the more in variances of a frame
    if not np.allclose(np.asarray(ours, "f8"), result.astype("f8"), rtol=1e-7, atol=1e-7):
        raise SystemExit(f"{call}: another result than theirs")


def has_device(connection):
    try:
        connection.execute("SET gpuscan.engine = gpu")
        connection.execute("SELECT gpu_sum('{1, 2}'::integer[])")
        return connection.execute("SELECT device FROM gpuscan_status()").fetchone()[0]
    except psycopg.Error:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    connection = psycopg.connect(autocommit=True)
    gpuscan_numpy.register(connection)
    columns = make_data(options.elements)
    store(connection, columns)
    names = dict(columns, np=np, pd=pd, **{"s" + name: pd.Series(columns[name]) for name in "abi"})
    device = has_device(connection)
    print(f"{options.elements} elements, least of {options.runs} runs; NumPy {np.__version__}, pandas {pd.__version__}"
          f"{', ' + device if device else ''}\n")
    head = ["call", "NumPy, pandas", "ms", "stored", "times as fast", "memory", "times as fast"]
    head += ["device", "times as fast"] if device else []
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for call, code, *skip in ROWS:
        if options.pattern and not any(p in call for p in options.pattern):
            continue
        their_ms, result = theirs(code, names, options.runs)
        connection.execute("SET gpuscan.engine = cpu")
        ours = [least_ms(connection, columns, call, options.runs, stored) for stored in (True, False)]
        if device:
            connection.execute("SET gpuscan.engine = gpu")
            ours.append(least_ms(connection, columns, call, options.runs + 1, True))
        check(connection, call, result, *skip or [0])
        cells = [f"`{call}`", f"`{code}`".replace("|", "\\|"), f"{their_ms:.3g}"]
        for ms in ours:
            cells += [f"{ms:.3g}", f"{their_ms / ms:.2g}"]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
