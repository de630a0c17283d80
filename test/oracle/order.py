"""Sorting and what follows from order, against NumPy's sort, argsort, unique,
quantile, searchsorted and histogram and pandas' rank and cut."""

import numpy
import pandas

import draw
import truth
from moving import interpolated
from oracle import UNIT, family


def ranks_with_nulls(a):
    """Above all others, and equal."""
    [ranks] = draw.keys(a)
    return numpy.where(draw.null_of(a), ranks.max(initial=0) + 1, ranks)


@family
def sorting(case):
    a = case.series(draw.ORDERED)
    known = numpy.sort(draw.known(a))
    nulls = a.size - known.size
    if nulls:
        wanted = numpy.ma.array(numpy.concatenate([known, draw.data_of(a)[:nulls]]),
                                mask=numpy.arange(a.size) >= known.size)
    else:
        wanted = known
    case.same(wanted, "gpu_sort", a, dtype=a.dtype)
    case.same(wanted[::-1], "gpu_sort", a, True, dtype=a.dtype)
    ranks = ranks_with_nulls(a)
    by_value = numpy.argsort(ranks if nulls or a.dtype.kind == "M" else a, kind="stable")
    case.same((by_value + 1).astype("i4"), "gpu_argsort", a)
    case.same((numpy.argsort(-ranks, kind="stable") + 1).astype("i4"), "gpu_argsort", a, True)
    k = case.below(a.size + 3)
    case.same(known[::-1][:k], "gpu_topk", a, k, dtype=a.dtype)
    case.same(known[:k], "gpu_topk", a, k, False, dtype=a.dtype)


@family
def ranking(case):
    a = case.series(draw.ORDERED, most=1025)
    ranks = pandas.Series(ranks_with_nulls(a))
    descending = case.chance(0.5)
    for name, method, dtype in ("gpu_rank", "min", "i4"), ("gpu_dense_rank", "dense", "i4"):
        case.same(ranks.rank(method=method, ascending=not descending).to_numpy().astype(dtype), name, a, descending)
    if a.size:
        last = ranks.rank(method="max", ascending=not descending).to_numpy()
        case.same(last / a.size, "gpu_cume_dist", a, descending)
    n = case.choose(1, 2, 7, 100)
    by_value = numpy.argsort(-ranks if descending else ranks, kind="stable")
    tiles = numpy.zeros(a.size, "i4")
    for number, tile in enumerate(numpy.array_split(by_value, n)):
        tiles[tile] = number + 1
    case.same(tiles, "gpu_ntile", a, n, descending)


@family
def distinct(case):
    a = case.series(draw.ORDERED)
    values, counts = numpy.unique(draw.known(a), return_counts=True)
    case.same(values, "gpu_distinct", a, dtype=a.dtype)
    case.same(values.size, "gpu_count_distinct", a)
    case.same(int(draw.known(a).size), "gpu_count", a)
    if a.dtype.kind != "M":
        got = case.columns("gpu_value_counts", a)
        equal = numpy.array_equal(numpy.array(got[0], a.dtype), values, equal_nan=draw.is_float(a))
        case.note("gpu_value_counts", (a,), None if equal and got[1] == counts.tolist() else f"counts {got[1][:20]}")
        case.same(values[counts.argmax()].item() if values.size else None, "gpu_mode", a)


@family
def percentiles(case):
    a = case.series(draw.NUMBERS)
    known = numpy.sort(draw.known(a))
    fractions = case.random.random(case.choose(1, 5))
    fractions[0] = case.choose(0.0, 1.0, 0.5, 0.1, fractions[0])
    if not known.size:
        case.same(None, "gpu_median", a)
        case.same(None, "gpu_percentile_cont", a, float(fractions[0]))
        case.same(None, "gpu_percentile_disc", a, float(fractions[0]))
        return
    # of the places: NumPy makes all quantiles NaN where there is one
    discs = known[numpy.quantile(numpy.arange(known.size), fractions, method="inverted_cdf")]
    case.same(discs[0].item(), "gpu_percentile_disc", a, float(fractions[0]))
    case.same(discs, "gpu_percentiles_disc", a, fractions)
    values = known.tolist()
    conts = truth.floats([interpolated(values, f) for f in fractions.tolist()])
    case.same(interpolated(values, 0.5), "gpu_median", a)
    got = case.same(conts, "gpu_percentile_cont", a, fractions)
    if numpy.isfinite(known.astype("f8")).all():
        # NumPy rounds place, difference, product and sum, in the elements' type
        # if they are floats: the place is off by a unit of the length at most
        wide = known if draw.is_float(a) and a.dtype == "f8" else known.astype("f8")
        most = float(numpy.abs(wide).max())
        case.near(numpy.quantile(wide, fractions), 4 * (known.size + 2) * UNIT * most,
                  "gpu_percentile_cont", a, fractions, got=got)


@family
def searching(case):
    a = case.series(draw.ORDERED)
    edges = numpy.unique(draw.values(case.random, a.dtype, draw.length(case.random), case.choose(*draw.ANY)))
    if case.chance(0.3) and a.size:
        edges = numpy.unique(draw.data_of(a)[::2])
    null = draw.null_of(a)
    for side in "left", "right":
        wanted = numpy.searchsorted(edges, draw.data_of(a), side=side).astype("i4")
        case.same(numpy.ma.array(wanted, mask=null), "gpu_searchsorted", edges, a, side)
    if 2 <= edges.size and a.dtype.kind == "f" and numpy.isfinite(edges).all():
        # pandas' cut: -1 outside of the edges
        codes = pandas.cut(draw.data_of(a), edges, right=False, labels=False)
        at = draw.data_of(case.call("gpu_searchsorted", edges, a, "right"))
        inside = (at >= 1) & (at < edges.size)
        ours = numpy.where(inside, at - 1.0, numpy.nan)
        case.note("gpu_searchsorted", (edges, a),
                  None if numpy.array_equal(ours[~null], codes[~null], equal_nan=True) else "not pandas.cut's")


@family
def histograms(case):
    a = case.series(draw.NUMBERS, ["few", "whole", "normal", "sorted", "constant", "special"])
    known = draw.known(a)
    numbers = known[~numpy.isnan(known)].astype("f8")
    edges = numpy.unique(case.random.normal(0, 500, case.choose(2, 3, 10, 1000)))
    # NumPy counts what equals the last edge, gpuscan does not
    case.same(numpy.histogram(numbers[numbers < edges[-1]], edges)[0], "gpu_histogram", a, edges)

    # widths that are powers of two, so that nobody rounds
    buckets = case.choose(1, 2, 16, 256)
    low = float(case.choose(-1024, 0, -4))
    high = low + buckets * case.choose(0.25, 1.0, 8.0)
    wanted = numpy.histogram(numbers[(numbers >= low) & (numbers < high)], buckets, (low, high))[0]
    if not draw.is_float(a) or (numpy.abs(numbers[numpy.isfinite(numbers)] * 8) % 1 == 0).all():
        case.same(wanted, "gpu_histogram", a, low, high, buckets)
        # sums of whole weights are exact in NumPy, too
        weights = draw.nulls(case.random, draw.values(case.random, "f8", a.size, "whole"))
        both = ~draw.null_of(a) & ~draw.null_of(weights)
        inside = both & (draw.data_of(a) >= low) & (draw.data_of(a) < high)
        sums, _ = numpy.histogram(draw.data_of(a)[inside].astype("f8"), buckets, (low, high),
                                  weights=draw.data_of(weights)[inside])
        case.same(sums, "gpu_weighted_histogram", a, weights, low, high, buckets)
    whole = draw.nulls(case.random, draw.values(case.random, "i4", a.size, "normal") % 4096)
    if draw.known(whole).size:
        ends = numpy.concatenate([draw.known(whole), [0, 4096]]).astype("i4")
        case.same(numpy.histogram(ends, buckets)[0], "gpu_histogram", ends, buckets)


@family
def histograms_of_pairs(case):
    x = case.series(draw.NUMBERS, ["few", "whole", "normal"])
    if draw.is_float(x):
        x = x.round()
    y = draw.nulls(case.random, draw.values(case.random, x.dtype, x.size, "few"))
    both = ~draw.null_of(x) & ~draw.null_of(y)
    px, py = draw.data_of(x)[both].astype("f8"), draw.data_of(y)[both].astype("f8")
    inside = (px < 1024) & (py < 4)
    wanted, _, _ = numpy.histogram2d(px[inside], py[inside], (16, 8), ((-1024, 1024), (-4, 4)))
    case.same(wanted.astype("i8"), "gpu_histogram2d", x, y, -1024.0, 1024.0, 16, -4.0, 4.0, 8)
