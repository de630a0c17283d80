"""Reductions, scans, segments and groups against NumPy's and pandas'."""
import math
from fractions import Fraction

import numpy
import pandas

import draw
import truth
from oracle import UNIT, Named, family


def sums_fit(case, kinds=draw.ANY, **named):
    """Numbers whose sums fit the result's type."""
    a = case.series(draw.NUMBERS, kinds, **named)
    return a // 4096 if a.dtype == "i8" else a


@family
def sums(case):
    a = case.series(draw.NUMBERS)
    n, real = a.size, draw.is_float(a)
    s = truth.Stretches(a)
    total, mean = s.sum(0, n), s.mean(0, n)
    variances = [("pop", s.variance(0, n, 0)), ("samp", s.variance(0, n))]
    if real:
        case.same(truth.rounded(total, a.dtype), "gpu_sum", a)
        case.same(truth.rounded(mean), "gpu_avg", a)
    else:
        case.same(total, "gpu_sum", a)
        case.decimals(mean, "gpu_avg", a)
    for name, variance in variances:
        if real:
            case.same(truth.rounded(variance), f"gpu_var_{name}", a)
            case.same(truth.rooted(variance), f"gpu_stddev_{name}", a)
        else:
            case.decimals(variance, f"gpu_var_{name}", a)
            case.decimals(truth.long_root(variance), f"gpu_stddev_{name}", a, root_of=variance)
    magnitudes = truth.Stretches(numpy.ma.array(numpy.abs(draw.data_of(a).astype("f8")), mask=draw.null_of(a)))
    if real:
        case.same(truth.rounded(magnitudes.sum(0, n), a.dtype), "gpu_asum", a)
    elif a.dtype != "i8":
        case.same(magnitudes.sum(0, n), "gpu_asum", a)
    if s.count(0, n):
        special = magnitudes.not_finite(0, n)
        norm = truth.root(s.squares[n], s.denominator ** 2) if special is None else special
        case.same(norm, "gpu_norm", a)


@family
def sums_of_numpy(case):
    a = case.series(draw.FLOATS, ["whole", "few"])
    known = draw.known(a).astype("f8")
    if not known.size:
        return
    case.same(float(known.sum().astype(a.dtype)), "gpu_sum", a)
    case.same(float(known.mean()), "gpu_avg", a)
    case.same(float(numpy.linalg.norm(known, 1).astype(a.dtype)), "gpu_asum", a)
    case.same(float(numpy.sqrt(numpy.dot(known, known))), "gpu_norm", a)
    # differences from the rounded mean, none above 2 M: their squares are off by
    # three units, their sum by one for each, and it is divided and rooted
    most = float(numpy.abs(known).max())
    got = case.call("gpu_var_pop", a)
    case.near(float(known.var()), (known.size + 8) * UNIT * 4 * most ** 2, "gpu_var_pop", a, got=got)
    if known.size > 1:
        got = case.call("gpu_stddev", a) ** 2
        case.near(float(pandas.Series(known).std()) ** 2, (known.size + 8) * UNIT * 8 * most ** 2,
                  "gpu_stddev", a, got=got)


@family
def descriptions(case):
    a = case.series(draw.NUMBERS, ["whole", "few", "normal"], chance=0.7)
    if draw.is_float(a):
        a = numpy.ma.round(a)		# quartiles of whole ones are exact in pandas, too
    if not draw.known(a).size:
        return
    theirs = pandas.Series(draw.known(a).astype("f8")).describe()
    [row] = case.rows("gpu_describe", a)
    got = dict(zip([c.name for c in case.cursor.description], row))
    wanted = {"count": theirs["count"], "nulls": int(draw.null_of(a).sum()), "nans": 0, "min": theirs["min"], "max": theirs["max"],
              "p25": theirs["25%"], "median": theirs["50%"], "p75": theirs["75%"]}
    wrong = {name: (got[name], v) for name, v in wanted.items() if got[name] != v}
    case.note("gpu_describe", (a,), f"{wrong}" if wrong else None)


@family
def conditions_so_far(case):
    a = draw.nulls(case.random, case.random.random(draw.length(case.random)) < case.choose(0.01, 0.5, 0.99))
    known = draw.known(a)
    for name, ufunc in ("and", numpy.logical_and), ("or", numpy.logical_or):
        case.same(so_far(ufunc.accumulate(known), a), f"gpu_cumbool_{name}", a)
        case.same(bool(ufunc.reduce(known)) if known.size else None, f"gpu_bool_{name}", a)


@family
def extremes(case):
    a = case.series(draw.ORDERED)
    known = draw.known(a)
    if not known.size:
        case.same(None, "gpu_min", a)
        case.same(None, "gpu_argmax", a)
        return
    [ranks] = draw.keys(a)
    for name, find, bound in ("min", numpy.argmin, ranks.size), ("max", numpy.argmax, -1):
        at = int(find(numpy.where(draw.null_of(a), bound, ranks)))
        case.same(at + 1, f"gpu_arg{name}", a)
        if a.dtype.kind != "M":
            case.same(draw.data_of(a)[at].item(), f"gpu_{name}", a)
    if a.dtype.kind == "i":
        for name, ufunc in ("and", numpy.bitwise_and), ("or", numpy.bitwise_or), ("xor", numpy.bitwise_xor):
            case.same(int(ufunc.reduce(known)), f"gpu_bit_{name}", a)


@family
def pairs(case):
    y = case.series(draw.NUMBERS, draw.TAME + ("wide",))
    x = draw.nulls(case.random, draw.values(case.random, y.dtype, y.size, case.choose("normal", "few", "wide")))
    if case.chance(0.3):
        x = y
    if y.dtype == "i8":
        y, x = y // 2048, x // 2048		# these are doubles, beyond 2^53 they would be rounded
    null = draw.null_of(y) | draw.null_of(x)
    wy, dy = truth.over_common(y)
    wx, dx = truth.over_common(x)
    products = [a * b for a, b, skip in zip(wy, wx, null) if not skip]
    if products:
        dot = Fraction(sum(products), dy * dx)
        case.same(truth.rounded(dot, y.dtype) if draw.is_float(y) else dot, "gpu_dot", y, x)
        if y.dtype in ("i2", "i4") and sum(map(abs, products)) < 2 ** 63:
            case.same(int(numpy.dot(draw.data_of(y)[~null].astype("i8"), draw.data_of(x)[~null].astype("i8"))),
                      "gpu_dot", y, x)
    else:
        case.same(None, "gpu_dot", y, x)
    p = truth.regression(y, x)
    n = p.n
    case.same(truth.rounded(p.xy / n ** 2) if n else None, "gpu_covar_pop", y, x)
    case.same(truth.rounded(p.xy / (n * (n - 1))) if n > 1 else None, "gpu_covar_samp", y, x)
    case.same(p.correlation(), "gpu_corr", y, x)
    # where x is constant there is no line, where y is, it meets every point
    square = None if not n or not p.xx else Fraction(1) if not p.yy else p.xy * p.xy / (p.xx * p.yy)
    case.same(truth.rounded(square), "gpu_regr_r2", y, x)
    slope = p.xy / p.xx if n and p.xx else None
    case.same(truth.rounded(slope), "gpu_regr_slope", y, x)
    case.same(None if slope is None else truth.rounded(p.mean_y - slope * p.mean_x), "gpu_regr_intercept", y, x)
    got = case.call("gpu_corr", y, x)
    if got is not None and n > 2:
        # NumPy's differences from the means are off by units of M n, so are
        # products and squares, by as much of M
        ours, theirs = draw.data_of(y)[~null].astype("f8"), draw.data_of(x)[~null].astype("f8")
        most = float(numpy.abs(ours).max() * numpy.abs(theirs).max())
        bound = 20 * (n + 4) * UNIT * n * most / truth.rooted(p.xx * p.yy / n ** 2)
        bound += 20 * (n + 4) * UNIT * n * float(numpy.abs(ours).max()) ** 2 / float(p.yy / n)
        bound += 20 * (n + 4) * UNIT * n * float(numpy.abs(theirs).max()) ** 2 / float(p.xx / n)
        if bound < 1e-3:
            case.near(float(numpy.corrcoef(ours, theirs)[0, 1]), bound, "gpu_corr", y, x, got=got)


def so_far(results, array):
    """At a NULL stands what the elements before it gave."""
    at = numpy.cumsum(~draw.null_of(array)) - 1
    data = results[at] if results.size else numpy.zeros(array.size, results.dtype)
    return numpy.ma.array(data, mask=at < 0)


@family
def scans(case):
    a = sums_fit(case)
    known = draw.known(a)
    s = truth.Stretches(known)
    if draw.is_float(a):
        running = [truth.rounded(s.sum(0, i + 1), a.dtype) for i in range(known.size)]
        case.same(so_far(numpy.array(running, a.dtype), a), "gpu_cumsum", a)
    else:
        case.same(so_far(numpy.cumsum(known, dtype="i8"), a), "gpu_cumsum", a)
        for name, ufunc in ("and", numpy.bitwise_and), ("or", numpy.bitwise_or), ("xor", numpy.bitwise_xor):
            case.same(so_far(ufunc.accumulate(known), a), f"gpu_cumbit_{name}", a)
    case.same(numpy.cumsum(~draw.null_of(a)), "gpu_cumcount", a)
    [ranks] = draw.keys(known)
    by_rank = numpy.unique(known)
    for name, ufunc in ("gpu_cummin", numpy.minimum), ("gpu_cummax", numpy.maximum):
        case.same(so_far(by_rank[ufunc.accumulate(ranks)] if known.size else known, a), name, a)


@family
def scans_of_numpy(case):
    a = case.series(draw.FLOATS, ["whole", "few"])
    known = draw.known(a)
    case.same(so_far(numpy.cumsum(known.astype("f8")).astype(a.dtype), a), "gpu_cumsum", a)
    chunk = case.choose(1, 2, 7, 100)
    if not draw.null_of(a).any():
        groups = pandas.Series(known.astype("f8")).groupby(numpy.arange(a.size) // chunk)
        case.same(groups.cumsum().to_numpy().astype(a.dtype), "gpu_cumsum", a, Named("chunk", chunk))
    # products of powers of two are exact, as long as they are in range
    powers = numpy.ma.array(2.0 ** case.random.integers(-1, 2, a.size), mask=draw.null_of(a)).astype("f8")
    powers *= case.random.choice([-1, 1], a.size)
    products = numpy.cumprod(draw.known(powers))
    case.same(so_far(products, a), "gpu_cumprod", powers)
    case.same(float(products[-1]) if products.size else None, "gpu_product", powers)


@family
def products(case):
    a = case.series(draw.NUMBERS, ["few", "normal", "whole"], most=64)
    total = Fraction(1)
    n = draw.known(a).size
    for v in draw.known(a).tolist():
        total *= Fraction(v)
    if n and (total == 0 or 1e-290 < abs(total) < 10 ** 290):
        exact = float(total)
        got = case.call("gpu_product", a)
        # docs/reference/reductions.md
        bound = (Fraction(1, 2) + Fraction(n, 2 ** 50)) * Fraction(math.ulp(exact))
        case.note("gpu_product", (a,), None if abs(Fraction(got) - total) <= bound else f"{got!r}, not {exact!r}")


@family
def segments(case):
    a = sums_fit(case)
    heads = draw.nulls(case.random, case.random.random(a.size) < case.choose(0.01, 0.3, 1))
    begins = draw.data_of(heads) & ~draw.null_of(heads)
    begins[:1] = True
    check_segments(case, a, numpy.flatnonzero(begins), "heads", heads)
    chunk = case.choose(1, 2, 7, 100, 5000)
    check_segments(case, a, numpy.arange(0, a.size, chunk), "chunk", chunk)


def check_segments(case, a, starts, name, argument):
    null = draw.null_of(a)
    counts = numpy.add.reduceat((~null).astype("i8"), starts) if a.size else numpy.zeros(0, "i8")
    s = truth.Stretches(a)
    stretches = list(zip(starts.tolist(), starts[1:].tolist() + [a.size]))
    totals = [s.sum(*f) for f in stretches]
    if draw.is_float(a):
        wanted = truth.floats([truth.rounded(t, a.dtype) for t in totals], a.dtype)
        means = truth.floats([truth.rounded(s.mean(*f)) for f in stretches])
    else:
        # NumPy's own, of integers
        whole = numpy.where(null, 0, draw.data_of(a)).astype("i8")
        wanted = numpy.add.reduceat(whole, starts) if a.size else whole
        wanted = numpy.ma.array(wanted, mask=counts == 0)
    case.same(wanted, "gpu_segment_sum", a, Named(name, argument))
    case.same(counts, "gpu_segment_count", a, Named(name, argument))
    if draw.is_float(a):
        case.same(means, "gpu_segment_avg", a, Named(name, argument))
    else:
        case.decimals([s.mean(*f) for f in stretches], "gpu_segment_avg", a, Named(name, argument))
    [ranks] = draw.keys(a)
    by_rank = numpy.unique(draw.data_of(a))
    for function, ufunc, other in ("gpu_segment_min", numpy.minimum, ranks.max(initial=0)), \
            ("gpu_segment_max", numpy.maximum, 0):
        best = ufunc.reduceat(numpy.where(null, other, ranks), starts) if a.size else ranks
        case.same(numpy.ma.array(by_rank[best] if a.size else a, mask=counts == 0), function, a, Named(name, argument))


@family
def transposition(case):
    rows, columns = case.below(70) + 1, case.below(70) + 1
    a = case.series(draw.NUMBERS, n=rows * columns).reshape(rows, columns)
    case.same(numpy.ma.array(numpy.transpose(draw.data_of(a)), mask=draw.null_of(a).T), "gpu_transpose", a, bits=True)


@family
def groups(case):
    a = sums_fit(case, ["few", "normal", "whole", "constant"])
    keys = draw.nulls(case.random, case.random.integers(-3, case.choose(0, 5, 1000), a.size).astype("i4"))
    frame = pandas.DataFrame({
        "key": pandas.array(draw.data_of(keys), dtype="Int64"),
        "v": pandas.array(draw.data_of(a).astype("f8"), dtype="Float64")})
    frame.loc[draw.null_of(keys), "key"] = pandas.NA
    frame.loc[draw.null_of(a), "v"] = pandas.NA
    grouped = frame.groupby("key", dropna=False, sort=True)["v"]
    # sums of floats are compared where pandas' are exact
    exact = not draw.is_float(a) or bool((draw.data_of(a) * 8 % 1 == 0).all())
    for name, theirs in ("count", grouped.count()), ("min", grouped.min()), ("max", grouped.max()), \
            ("median", grouped.median()), ("sum", grouped.sum(min_count=1)):
        if name == "sum" and not exact:
            continue
        function = f"gpu_group_{name}"
        got_keys, got = case.columns(function, keys, a)
        dtype = a.dtype if draw.is_float(a) and name != "median" else "f8"
        wanted_keys = [None if pandas.isna(k) else int(k) for k in theirs.index]
        wanted = [None if pandas.isna(v) else float(numpy.dtype(dtype).type(v)) for v in theirs]
        case.note(function, (keys, a), None if (got_keys, got) == (wanted_keys, wanted) else f"{got[:9]}, not {wanted[:9]}")
