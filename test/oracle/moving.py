"""Moving frames against pandas' rolling, exponential means against its ewm, and
neighbours."""
import math
from bisect import bisect_left, insort
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import groupby

import numpy
import pandas
from pandas.api.indexers import BaseIndexer

import draw
import truth
from oracle import UNIT, family


class Around(BaseIndexer):
    """So many rows before and after each."""

    def get_window_bounds(self, num_values=0, min_periods=None, center=None,
                          closed=None, step=None):
        at = numpy.arange(num_values, dtype="i8")
        return (numpy.maximum(at - self.preceding, 0),
                numpy.minimum(at + self.following + 1, num_values))


def rolling(array, preceding, following, **options):
    indexer = Around(preceding=preceding, following=following)
    return as_pandas(array).rolling(indexer, min_periods=1, **options)


def as_pandas(array):
    """NULL as NaN."""
    data = draw.data_of(array).astype("f8")
    data[draw.null_of(array)] = numpy.nan
    return pandas.Series(data)


def back(series, dtype="f8"):
    null = series.isna().to_numpy()
    data = series.fillna(0).to_numpy().astype(dtype)
    return numpy.ma.array(data, mask=null) if null.any() else data


def draw_frame(case):
    return case.choose(0, 1, 2, 9, 50, 5000), case.choose(0, 0, 1, 2, 20, 5000)


@family
def moving_sums(case):
    a = case.series(draw.NUMBERS, draw.TAME if case.chance(0.5) else draw.ANY, most=1025)
    if a.dtype == "i8":
        a = a // 4096		# sums of bigint must fit bigint
    preceding, following = draw_frame(case)
    real = draw.is_float(a)
    whole = truth.Stretches(a)
    frames = truth.frames(a.size, preceding, following)
    sums = [whole.sum(*f) for f in frames]
    means = [whole.mean(*f) for f in frames]
    variances = [whole.variance(*f) for f in frames]
    if real:
        case.same(truth.floats([truth.rounded(s, a.dtype) for s in sums], a.dtype),
                  "gpu_moving_sum", a, preceding, following)
        case.same(truth.floats([truth.rounded(m) for m in means]),
                  "gpu_moving_avg", a, preceding, following)
        case.same(truth.floats([truth.rooted(v) for v in variances]),
                  "gpu_moving_stddev", a, preceding, following)
    else:
        case.same(truth.floats([None if s is None else int(s) for s in sums], "i8"),
                  "gpu_moving_sum", a, preceding, following)
        case.decimals(means, "gpu_moving_avg", a, preceding, following)
        case.decimals(list(map(truth.long_root, variances)), "gpu_moving_stddev", a, preceding, following,
                      root_of=variances)


@family
def moving_sums_of_pandas(case):
    a = case.series(draw.FLOATS, ["whole", "few"], most=1025)
    preceding, following = draw_frame(case)
    frame = rolling(a, preceding, following)
    case.same(back(frame.sum(), a.dtype), "gpu_moving_sum", a, preceding, following)
    case.same(back(frame.mean()), "gpu_moving_avg", a, preceding, following)
    # pandas adds to and takes from a sum of squared differences, none of which
    # is above (2 M)^2: each of 2 n steps is off by some units of that
    got = case.call("gpu_moving_stddev", a, preceding, following)
    most = max(numpy.abs(draw.known(a)), default=0)
    case.near(back(frame.var()), 100 * (a.size + 1) * UNIT * float(most) ** 2,
              "gpu_moving_stddev", a, preceding, following, got=got * got)


@family
def moving_extremes(case):
    a = case.series(draw.NUMBERS, most=1025)
    preceding, following = draw_frame(case)
    # the ranks of the elements are small numbers, which pandas moves exactly
    [ranks] = draw.keys(a)
    frame = rolling(numpy.ma.array(ranks, mask=draw.null_of(a)), preceding, following)
    by_rank = numpy.unique(draw.data_of(a))
    for name, ranks in ("gpu_moving_min", frame.min()), ("gpu_moving_max", frame.max()):
        at = back(ranks, "i8")
        wanted = by_rank[draw.data_of(at)] if a.size else a
        case.same(numpy.ma.array(wanted, mask=draw.null_of(at)), name, a, preceding, following)


def positions_by_order(a, preceding, following):
    """For each frame the positions of its elements, sorted by value."""
    [ranks] = draw.keys(a)
    null = draw.null_of(a)
    window, left, right = [], 0, 0
    for start, end in truth.frames(a.size, preceding, following):
        while right < end:
            if not null[right]:
                insort(window, (ranks[right], right))
            right += 1
        while left < start:
            if not null[left]:
                del window[bisect_left(window, (ranks[left], left))]
            left += 1
        yield [at for _, at in window]


def interpolated(values, fraction):
    """As percentile_cont: the place in double precision, the rest exact."""
    place = fraction * (len(values) - 1)
    low, high = values[math.floor(place)], values[math.ceil(place)]
    share = Fraction(place - math.floor(place))
    if share == 0 or low == high:
        return float(low)
    if isinstance(low, float) and not (math.isfinite(low) and math.isfinite(high)):
        return low + high
    return truth.rounded(Fraction(low) + (Fraction(high) - Fraction(low)) * share)


@family
def moving_percentiles(case):
    a = case.series(draw.NUMBERS, most=257)
    preceding, following = draw_frame(case)
    fraction = case.choose(0.0, 1.0, 0.5, 0.25, 0.1, case.random.random())
    values = draw.data_of(a).tolist()
    medians, conts, discs = [], [], []
    for window in positions_by_order(a, preceding, following):
        sorted_values = [values[at] for at in window]
        n = len(window)
        medians.append(interpolated(sorted_values, 0.5) if n else None)
        conts.append(interpolated(sorted_values, fraction) if n else None)
        discs.append(sorted_values[max(math.ceil(fraction * n) - 1, 0)] if n else None)
    case.same(truth.floats(medians), "gpu_moving_median", a, preceding, following)
    case.same(truth.floats(conts), "gpu_moving_percentile_cont", a, fraction, preceding, following)
    case.same(truth.floats(discs, a.dtype), "gpu_moving_percentile_disc", a, fraction, preceding, following)


@family
def moving_medians_of_pandas(case):
    a = case.series(draw.FLOATS, ["whole", "few"], most=1025)
    preceding, following = draw_frame(case)
    frame = rolling(a, preceding, following)
    case.same(back(frame.median()), "gpu_moving_median", a, preceding, following)
    # quarters of whole ones: pandas, too, comes upon the same doubles
    if preceding + following == 4:
        case.same(back(frame.quantile(0.25)), "gpu_moving_percentile_cont", a, 0.25, preceding, following)


@family
def moving_correlations(case):
    y = case.series(draw.NUMBERS, ["few", "normal", "whole"], most=257)
    x = draw.nulls(case.random, draw.values(case.random, y.dtype, y.size, "normal"))
    if case.chance(0.5):
        x = (y + x // 8).astype(y.dtype)
    preceding, following = draw_frame(case)
    frames = truth.frames(y.size, preceding, following)
    if preceding + following > 100:
        frames = frames[:32]
    pairs = [truth.regression(y[s:e], x[s:e]) for s, e in frames]
    wanted = truth.floats([p.correlation() for p in pairs])
    got = case.call("gpu_moving_corr", y, x, preceding, following)
    if got is None:
        case.note("gpu_moving_corr", (y, x, preceding, following), "NULL")
        return
    case.near(wanted, 0, "gpu_moving_corr", y, x, preceding, following, got=got[:len(frames)])
    # pandas' variances and products are off by units of n M^2: nothing is known
    # where that is much of the deviations' product
    theirs = rolling(y, preceding, following).corr(as_pandas(x))[:len(frames)]
    most = max([float(abs(v)) for v in draw.known(y)] + [float(abs(v)) for v in draw.known(x)], default=0)
    for i, p in enumerate(pairs):
        if wanted[i] is numpy.ma.masked or p.n < 2:
            continue
        deviations = truth.rooted(p.xx * p.yy) / p.n ** 2
        bound = 100 * (y.size + 1) * UNIT * most ** 2 / deviations if deviations else 1
        if bound < 1e-3:
            case.near(theirs[i], bound, "gpu_moving_corr", y, x, preceding, following, got=float(got[i]))


def weighted_means(a, alpha, adjust):
    """Means so far, and those of the magnitudes, to 60 digits."""
    means, magnitudes = [], []
    with localcontext() as context:
        context.prec = 60
        new = Decimal(1) if adjust else Decimal(alpha)
        keep = 1 - Decimal(alpha)
        mean = magnitude = None
        for v, null in zip(draw.data_of(a).tolist(), draw.null_of(a)):
            if mean is not None:
                old *= keep
            if not null:
                v = Decimal(v)
                if mean is None:
                    mean, magnitude, old = v, abs(v), Decimal(1)
                else:
                    mean = (old * mean + new * v) / (old + new)
                    magnitude = (old * magnitude + new * abs(v)) / (old + new)
                    old = old + new if adjust else Decimal(1)
            means.append(mean)
            magnitudes.append(magnitude)
    return means, magnitudes


@family
def ewma(case):
    a = case.series(draw.NUMBERS, draw.TAME + ("wide",), most=1025)
    alpha = case.choose(1.0, 0.25, 0.01, 0.999, 1 - float(case.random.random()))
    adjust = case.chance(0.5)
    means, magnitudes = weighted_means(a, alpha, adjust)
    wanted = truth.floats([None if m is None else float(m) for m in means])
    # half a unit in the last place and what docs/reference/series.md says
    bound = [0.0 if m is None else
             math.ulp(float(m)) / 2 + (i + 11) * 2.0 ** -100 * float(magnitudes[i])
             for i, m in enumerate(means)]
    got = case.call("gpu_ewma", a, alpha, adjust)
    case.note("gpu_ewma", (a, alpha, adjust), off_truth(got, means, bound))
    # pandas' steps: the weight so far is off by 3 units a step at most, a mean by
    # as much of it and by 6 units of the greatest magnitude
    series = as_pandas(a)
    theirs = back(series.ewm(alpha=alpha, adjust=adjust).mean())
    most = float(max([abs(v) for v in draw.known(a).tolist()], default=0))
    case.near(theirs, (3 * a.size + 9) * (a.size + 1) * UNIT * most, "gpu_ewma", a, alpha, adjust, got=got)


def off_truth(got, means, bound):
    null = draw.null_of(got)
    for i, (g, m) in enumerate(zip(draw.data_of(got).tolist(), means)):
        if null[i] != (m is None):
            return f"at {i}: NULL or not"
        if m is not None and abs(Fraction(g) - Fraction(m)) > Fraction(bound[i]):
            return f"at {i}: {g!r}, not {float(m)!r}"
    return None


@family
def differences(case):
    a = case.series(draw.NUMBERS + ("M8[D]",), draw.TAME + (("wide",) if case.chance(0.5) else ()))
    if a.dtype == "i8":
        a = a // 4
    null = draw.null_of(a)
    known = draw.known(a)
    # NumPy, too, rounds the difference of two floats once
    wide = "i8" if known.dtype.kind == "i" else "i4" if known.dtype.kind == "M" else a.dtype
    steps = numpy.diff(known if known.dtype.kind in "fM" else known.astype("i8")).astype(wide)
    wanted = numpy.zeros(a.size, wide)
    mask = null.copy()
    at = numpy.flatnonzero(~null)
    mask[at[:1]] = True
    wanted[at[1:]] = steps
    case.same(numpy.ma.array(wanted, mask=mask), "gpu_diff", a)
    later = numpy.arange(a.size) != at[0] if at.size else slice(None)
    case.same(numpy.ma.array(wanted, mask=mask)[later], "gpu_diff", a, "drop")


@family
def relative_changes(case):
    a = case.series(draw.NUMBERS, draw.TAME + ("wide",))
    a = numpy.ma.array(a, mask=draw.null_of(a) | (draw.data_of(a) == 0))
    values = [None if v is None else Fraction(v) for v in a.tolist()]
    exact = [None if v is None or before is None else (v - before) / before
             for before, v in zip([None] + values, values)]
    got = case.same(truth.floats([truth.rounded(e) for e in exact]), "gpu_pct_change", a)
    # pandas rounds the quotient, and then the difference
    if a.dtype != "i8":
        theirs = back(as_pandas(a).pct_change(fill_method=None))
        case.near(theirs, 3 * UNIT * (numpy.abs(draw.data_of(theirs)) + 1), "gpu_pct_change", a, got=got)


@family
def runs(case):
    a = case.series(draw.ORDERED, ["few", "constant", "normal", "special"])
    dtype = a.dtype
    [keys] = draw.keys(a)
    null = draw.null_of(a)
    marks = [None if n else k for k, n in zip(keys.tolist(), null)]
    changes = numpy.array([i == 0 or marks[i] != marks[i - 1] for i in range(a.size)], bool)
    case.same(changes, "gpu_changes", a)
    known = draw.known(a)
    known_keys = keys[~null]
    first = numpy.ones(known.size, bool)
    first[1:] = known_keys[1:] != known_keys[:-1]
    case.same(known[first], "gpu_unique", a, dtype=dtype)
    if dtype.kind != "M":
        values, counts = case.columns("gpu_rle", a)
        case.note("gpu_rle", (a,), None if counts == [len(list(g)) for _, g in groupby(marks)]
                  and [v is None for v in values] == null[changes].tolist() else f"counts {counts}")
