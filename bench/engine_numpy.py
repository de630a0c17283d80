#!/usr/bin/env python3
"""The CPU engine against NumPy.

Runs the benchmark of the engine (engine.c), then the same operations by NumPy
over arrays of the same size and distribution, on one thread, in processor time,
and prints both.

    engine_numpy.py path-to-bench-engine [elements [runs]]
"""

import statistics
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit("NumPy is not installed: nothing to compare with")


def engine_times(command):
    """Nanoseconds an element, by the name of the operation."""
    times = {}
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    for line in output.stdout.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 4 and cells[3].replace(".", "").isdigit():
            times[cells[1]] = float(cells[3])
    return times


def numpy_times(n, runs):
    random = np.random.default_rng(1)
    doubles = random.standard_normal(n)
    floats = doubles.astype(np.float32)
    longs = random.integers(-2**39, 2**39, n)
    ints = random.integers(-2**31, 2**31, n, dtype=np.int32)
    flags = random.random(n) < 0.5
    edges = np.linspace(-4, 4, 257)
    out = np.zeros(n)
    out_long = np.zeros(n, dtype=np.int64)
    operations = {
        "sum float8": lambda: doubles.sum(),
        "sum float4": lambda: floats.sum(),
        "sum int8": lambda: longs.sum(),
        "sum int4": lambda: ints.sum(dtype=np.int64),
        "min float8": lambda: doubles.min(),
        "argmax float8": lambda: doubles.argmax(),
        "product float8": lambda: doubles.prod(),
        "cumsum float8": lambda: np.cumsum(doubles, out=out),
        "cumsum int8": lambda: np.cumsum(longs, out=out_long),
        "cumsum int4": lambda: np.cumsum(ints, dtype=np.int64, out=out_long),
        "cummax float8": lambda: np.maximum.accumulate(doubles, out=out),
        "cumprod float8": lambda: np.cumprod(doubles, out=out),
        "histogram 256": lambda: np.histogram(doubles, 256, (-4, 4)),
        "histogram 256 edges": lambda: np.histogram(doubles, edges),
        "filter float8 > 0": lambda: doubles[doubles > 0],
        "compact float8": lambda: doubles[flags],
        "where": lambda: np.flatnonzero(flags),
    }
    times = {}
    for name, operation in operations.items():
        samples = []
        for _ in range(runs):
            start = time.process_time()
            operation()
            samples.append(time.process_time() - start)
        times[name] = 1e9 * statistics.median(samples) / n
    return times


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    engine = engine_times([sys.argv[1], str(n), str(runs)])
    numpy = numpy_times(n, runs)
    print(f"{n} elements, one thread, processor time, medians of {runs} runs, ns an element\n")
    print("| operation                  | NumPy %-7s | gpuscan | times as fast |"
          % np.__version__)
    print("|----------------------------|---------------|---------|---------------|")
    for name, ns in numpy.items():
        print("| %-26s | %13.2f | %7.2f | %13.1f |"
              % (name, ns, engine[name], ns / engine[name]))


if __name__ == "__main__":
    main()
