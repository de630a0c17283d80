#!/usr/bin/env python3
"""gpuscan's functions of series against NumPy and pandas, over random series.

    series.py [--engine cpu|gpu] [--seed S] [--cases N] [--times]
    series.py [--engine cpu|gpu] --seed S --case N		one again

Runs in the database that PGHOST, PGPORT, PGUSER and PGDATABASE lead to, where
gpuscan has been created.  Without a seed, each run has another one, and prints it.
Ends with "N comparisons", of results of calls, and with "N passed, N failed":
families of functions whose results are all right, or are not.

Results are the same bits where NumPy's or pandas' are exact: integers, elements
that move, orders, and sums of values that double precision can add without
rounding.  Where theirs are rounded on the way, gpuscan, whose are exact and
rounded once, is compared with whole numbers (truth.py) bit by bit, and with
theirs within a bound that stands beside the call.
"""
import argparse
import os
import random
import sys
import time
import warnings

import psycopg

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/python"))
import gpuscan_numpy

import oracle
import elements		# noqa: F401: the families are registered by being imported
import moving		# noqa: F401
import order		# noqa: F401
import reductions	# noqa: F401
import times		# noqa: F401


def run(connection, seed, number):
    """Cases go through the families in turn."""
    case = oracle.Case(connection, seed, number)
    function = oracle.FAMILIES[number % len(oracle.FAMILIES)]
    try:
        function(case)
    except Exception as error:		# of the server, or of an oracle: not as it shall be
        case.wrong.append(f"{type(error).__name__}: {error}".strip())
    return function.__name__, case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["cpu", "gpu", "auto"], default="cpu")
    parser.add_argument("--seed", type=int, default=random.randrange(1, 2 ** 31))
    parser.add_argument("--cases", type=int, default=1500)
    parser.add_argument("--case", type=int)
    parser.add_argument("--times", action="store_true", help="of each family")
    options = parser.parse_args()
    connection = psycopg.connect(autocommit=True)
    gpuscan_numpy.register(connection)
    connection.execute(f"SET gpuscan.engine = {options.engine}")
    connection.execute("SET datestyle = ISO")
    warnings.simplefilter("ignore", RuntimeWarning)		# NaN, infinities: they are meant

    print(f"seed {options.seed}: test/oracle/series.py --engine {options.engine} --seed {options.seed} "
          f"--cases {options.cases}", flush=True)
    tried, broken = set(), set()		# families
    comparisons = 0
    seconds = {}
    numbers = range(options.cases) if options.case is None else [options.case]
    for number in numbers:
        start = time.perf_counter()
        name, case = run(connection, options.seed, number)
        seconds[name] = seconds.get(name, 0) + time.perf_counter() - start
        tried.add(name)
        comparisons += case.passed + len(case.wrong)
        for wrong in case.wrong:
            print(f"wrong, {name}: {wrong}")
        if case.wrong:
            broken.add(name)
            print(f"\tagain: test/oracle/series.py --engine {options.engine} --seed {options.seed} --case {number}")
    if options.times:
        for name, s in sorted(seconds.items(), key=lambda item: -item[1]):
            print(f"{s:8.2f} s  {name}")
    print(f"{comparisons} comparisons")
    print(f"{len(tried - broken)} passed, {len(broken)} failed")
    return 0 if comparisons and not broken else 1


if __name__ == "__main__":
    sys.exit(main())
