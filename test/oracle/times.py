"""Values at times, against pandas' ffill, merge_asof and resample and NumPy's
interp."""
from fractions import Fraction

import numpy
import pandas

import draw
import truth
from oracle import UNIT, family

ORIGIN = pandas.Timestamp("1970-01-01")


def masked(data, null):
    return numpy.ma.array(data, mask=null) if null.any() else data


@family
def last_observations(case):
    a = case.series(draw.ORDERED, chance=0.9)
    at = pandas.Series(numpy.arange(a.size, dtype="f8"))
    at[draw.null_of(a)] = numpy.nan
    at = at.ffill()
    null = at.isna().to_numpy()
    data = draw.data_of(a)[at.fillna(0).to_numpy().astype("i8")] if a.size else a
    case.same(masked(data, null), "gpu_locf", a, bits=True, dtype=a.dtype)


@family
def asof(case):
    dtype = case.choose("i4", "i8", "f8", "M8[D]", "M8[us]")
    times = numpy.sort(draw.values(case.random, dtype, draw.length(case.random), case.choose("few", "normal", "wide")))
    at = draw.nulls(case.random, draw.values(case.random, dtype, draw.length(case.random), case.choose("few", "normal")))
    found = numpy.searchsorted(times, draw.data_of(at), side="right").astype("i4")
    wanted = masked(found, draw.null_of(at) | (found == 0))
    got = case.same(wanted, "gpu_asof", times, at)
    if dtype in ("i4", "i8", "f8") and times.size and at.size and not draw.null_of(at).any():
        left = pandas.DataFrame({"t": numpy.sort(at)})
        right = pandas.DataFrame({"t": times, "at": numpy.arange(1.0, times.size + 1)})
        theirs = pandas.merge_asof(left, right, on="t")["at"].fillna(0).to_numpy()
        ours = numpy.ma.filled(got, 0)[numpy.argsort(at, kind="stable")]
        case.note("gpu_asof", (times, at), None if (theirs == ours).all() else "not merge_asof's")


@family
def interpolation(case):
    dtype = case.choose("i4", "f8")
    times = numpy.unique(draw.values(case.random, dtype, draw.length(case.random, 1025), case.choose("few", "normal")))
    vals = draw.nulls(case.random, draw.values(case.random, case.choose("i4", "f4", "f8"), times.size,
                                               case.choose("few", "normal", "wide")))
    at = draw.values(case.random, dtype, draw.length(case.random, 257), "normal")
    if times.size and case.chance(0.5):
        at = case.random.choice(times, at.size)
    known = ~draw.null_of(vals)
    xs, ys = times[known], draw.known(vals)
    if not xs.size:
        case.same(numpy.ma.masked_all(at.size, "f8"), "gpu_interpolate", times, vals, at)
        return
    right = numpy.searchsorted(xs, at, side="right")
    exact, magnitudes = [], []
    for t, after in zip(at.tolist(), right.tolist()):
        if after == 0 or (after == xs.size and t != xs[-1]):
            exact.append(None)
            magnitudes.append(0)
            continue
        i, j = after - 1, min(after, xs.size - 1)
        x0, y0, x1, y1 = (Fraction(v.item()) for v in (xs[i], ys[i], xs[j], ys[j]))
        exact.append(y0 if i == j else y0 + (y1 - y0) * (Fraction(t) - x0) / (x1 - x0))
        magnitudes.append(float(abs(y0) + abs(y1)))
    wanted = truth.floats([truth.rounded(e) for e in exact])
    got = case.same(wanted, "gpu_interpolate", times, vals, at)
    # NumPy rounds the slope of the line (three times), its product with a
    # difference of times (twice) and the sum; the line is within its ends
    theirs = masked(numpy.interp(at.astype("f8"), xs.astype("f8"), ys.astype("f8")), draw.null_of(wanted))
    case.near(theirs, 8 * UNIT * numpy.array(magnitudes), "gpu_interpolate", times, vals, at, got=got)


@family
def resampling(case):
    times = numpy.cumsum(case.random.integers(0, case.choose(3, 100), draw.length(case.random, 1025)))
    times = (times + case.random.integers(-5000, 5000)).astype("i8")
    width = case.choose(1, 7, 60, 1000)
    vals = draw.nulls(case.random, draw.values(case.random, case.choose("i4", "f4", "f8"), times.size,
                                               case.choose("few", "whole")))
    if vals.dtype == "i4":
        vals = vals // 4
    if not times.size:
        return
    series = pandas.Series(numpy.where(draw.null_of(vals), numpy.nan, draw.data_of(vals).astype("f8")),
                           index=ORIGIN + pandas.to_timedelta(times, unit="s"))
    buckets = series.resample(pandas.Timedelta(width, unit="s"), origin=ORIGIN)
    for name, theirs in ("sum", buckets.sum(min_count=1)), ("avg", buckets.mean()), ("min", buckets.min()), \
            ("max", buckets.max()), ("count", buckets.count()), ("first", buckets.first()), ("last", buckets.last()):
        [(starts, results)] = case.rows("gpu_resample", times, vals, numpy.int64(width), name, numpy.int64(0))
        first = ((theirs.index - ORIGIN) // pandas.Timedelta(1, unit="s")).to_numpy()
        equal = numpy.array_equal(starts, first)
        wanted = theirs.to_numpy().astype("f8")
        equal = equal and numpy.array_equal(numpy.ma.filled(results, numpy.nan), wanted, equal_nan=True)
        case.note("gpu_resample", (times, vals, width, name), None if equal else f"{results[:9]}, not {wanted[:9]}")


@family
def time_weights(case):
    times = numpy.unique(draw.values(case.random, case.choose("i4", "f8"), draw.length(case.random, 1025), "normal"))
    vals = draw.nulls(case.random, draw.values(case.random, case.choose("i4", "f4", "f8"), times.size,
                                               case.choose("few", "normal", "wide")))
    known = ~draw.null_of(vals)
    xs, ys = [Fraction(v) for v in times[known].tolist()], [Fraction(v) for v in draw.known(vals).tolist()]
    if len(xs) < 2:
        case.same(None, "gpu_time_weighted_avg", times, vals)
        return
    steps = [(b - a, y, z) for a, b, y, z in zip(xs, xs[1:], ys, ys[1:])]
    passed = xs[-1] - xs[0]
    case.same(truth.rounded(sum(dt * y for dt, y, _ in steps) / passed), "gpu_time_weighted_avg", times, vals)
    linear = sum(dt * (y + z) for dt, y, z in steps) / 2 / passed
    got = case.same(truth.rounded(linear), "gpu_time_weighted_avg", times, vals, "linear")
    # NumPy adds the areas: each is rounded three times, and their sum once for
    # each in the worst order
    ours, at = draw.known(vals).astype("f8"), times[known].astype("f8")
    area = float(sum(dt * (abs(y) + abs(z)) for dt, y, z in steps) / 2 / passed)
    trapezoid = getattr(numpy, "trapezoid", None) or numpy.trapz
    case.near(trapezoid(ours, at) / float(passed), (ours.size + 6) * UNIT * area,
              "gpu_time_weighted_avg", times, vals, "linear", got=got)
