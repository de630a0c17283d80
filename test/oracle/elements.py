"""Functions of each element, and of places, against NumPy."""
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy
import pandas

import draw
import truth
from oracle import UNIT, Null, family

OPERATORS = {"<": numpy.less, "<=": numpy.less_equal, "=": numpy.equal,
             "<>": numpy.not_equal, "!=": numpy.not_equal,
             ">=": numpy.greater_equal, ">": numpy.greater}


def masked(data, null):
    return numpy.ma.array(data, mask=null) if null.any() else data


@family
def take(case):
    a = case.series(draw.ORDERED)
    n = a.size
    positions = case.series(["i4"], ["wide"]) % max(n, 1)
    if n == 0:
        positions = positions[:0]
    data, null, at = draw.data_of(a), draw.null_of(a), draw.data_of(positions)
    wanted = masked(numpy.take(data, at), numpy.take(null, at) | draw.null_of(positions))
    case.same(wanted, "gpu_take", a, positions + numpy.int32(1), bits=True, dtype=a.dtype)
    if a.dtype.kind != "M":
        beyond = case.choose(0, n + 1, -1)
        case.refused("2202E", "gpu_take", a, numpy.array([beyond], "i4"))


@family
def places(case):
    a = case.series(draw.ORDERED)
    n = a.size
    data, null = draw.data_of(a), draw.null_of(a)
    case.same(masked(data[::-1], null[::-1]), "gpu_reverse", a, bits=True, dtype=a.dtype)
    first, last = case.below(n + 2) + 1, case.below(n + 3)
    case.same(masked(data[first - 1:last], null[first - 1:last]), "gpu_slice", a, first, last,
              bits=True, dtype=a.dtype)
    by = case.choose(0, 1, -1, 3, -2, n, -n - 1, n + 5)
    shifted = pandas.Series(list(zip(data, null)), dtype=object).shift(by)
    moved = numpy.array([data[0] if v is None or v != v else v[0] for v in shifted], a.dtype) if n else data
    gone = numpy.array([v is None or v != v or v[1] for v in shifted], bool)
    case.same(masked(moved, gone), "gpu_shift", a, by, bits=True, dtype=a.dtype)
    if a.dtype.kind != "M":
        b = case.series([a.dtype])
        both = masked(numpy.concatenate([data, draw.data_of(b)]), numpy.concatenate([null, draw.null_of(b)]))
        case.same(both, "gpu_concat", a, b, bits=True)


@family
def clip(case):
    a = case.series(draw.ORDERED)
    low, high = draw.values(case.random, a.dtype, 2, case.choose("few", "normal"))
    data, null = draw.data_of(a), draw.null_of(a)
    case.same(masked(numpy.clip(data, low, high), null), "gpu_clip", a, low, high, dtype=a.dtype)
    case.same(masked(numpy.maximum(data, low), null), "gpu_clip", a, low, Null(a), dtype=a.dtype)
    case.same(masked(numpy.minimum(data, high), null), "gpu_clip", a, Null(a), high, dtype=a.dtype)


@family
def comparisons(case):
    a = case.series(draw.ORDERED)
    b = draw.nulls(case.random, draw.values(case.random, a.dtype, a.size, case.choose("few", "normal", "sorted")))
    if case.chance(0.3):
        b = numpy.ma.where(draw.keys(a)[0] % 2 == 0, draw.data_of(a), b).astype(a.dtype)
    null = draw.null_of(a)
    operator = case.choose(*OPERATORS)
    # ranks compare as SQL has it: NaN is equal to NaN and above all else
    ranks, others = draw.keys(a, b)
    case.same(masked(OPERATORS[operator](ranks, others), null | draw.null_of(b)), "gpu_compare", a, operator, b)
    some = draw.values(case.random, a.dtype, 2, case.choose("few", "normal"))
    ranks, bounds = draw.keys(a, some)
    compared = OPERATORS[operator](ranks, bounds[0])
    case.same(masked(compared, null), "gpu_compare", a, operator, some[0])
    between = (bounds[0] <= ranks) & (ranks <= bounds[1])
    case.same(masked(between, null), "gpu_between", a, some[0], some[1])
    case.same(draw.data_of(a)[compared & ~null], "gpu_filter", a, operator, some[0], bits=True, dtype=a.dtype)
    case.same(int((compared & ~null).sum()), "gpu_count_where", masked(compared, null))


def conditions(case, n):
    return draw.nulls(case.random, case.random.random(n) < case.choose(0.02, 0.5, 1))


def as_three_valued(a):
    return pandas.array(draw.data_of(a), dtype="boolean") if not draw.null_of(a).any() else \
        pandas.arrays.BooleanArray(draw.data_of(a).copy(), draw.null_of(a).copy())


def from_three_valued(p):
    return masked(p.to_numpy(bool, na_value=False), p.isna())


@family
def choices(case):
    a = case.series(draw.ORDERED)
    n = a.size
    one, other = conditions(case, n), conditions(case, n)
    p, q = as_three_valued(one), as_three_valued(other)
    case.same(from_three_valued(p & q), "gpu_and", one, other)
    case.same(from_three_valued(p | q), "gpu_or", one, other)
    case.same(from_three_valued(~p), "gpu_not", one)
    true = draw.data_of(one) & ~draw.null_of(one)
    case.same((numpy.flatnonzero(true) + 1).astype("i4"), "gpu_where", one)
    case.same(int(true.sum()), "gpu_count_where", one)
    data, null = draw.data_of(a), draw.null_of(a)
    case.same(masked(data[true], null[true]), "gpu_compact", a, one, bits=True, dtype=a.dtype)
    b = draw.nulls(case.random, draw.values(case.random, a.dtype, n, "normal"))
    chosen = masked(numpy.where(true, data, draw.data_of(b)), numpy.where(true, null, draw.null_of(b)))
    case.same(chosen, "gpu_if", one, a, b, bits=True, dtype=a.dtype)
    [some] = draw.values(case.random, a.dtype, 1, "few")
    case.same(masked(numpy.where(true, some, data), ~true & null), "gpu_if", one, some, a, bits=True, dtype=a.dtype)


@family
def arithmetic(case):
    a = case.series(draw.NUMBERS, ["few", "normal", "sorted", "whole", "constant"])
    if a.dtype == "i2":
        a = a // 256		# products must fit, too
    elif a.dtype == "i4":
        a = a // 2
    b = draw.nulls(case.random, draw.values(case.random, a.dtype, a.size, "few"))
    for x, y in (a, b), (a, draw.values(case.random, a.dtype, 1, "few")[0]), \
            (draw.values(case.random, a.dtype, 1, "few")[0], a):
        null = draw.null_of(x) | draw.null_of(y)
        p, q = draw.data_of(x), draw.data_of(y)
        case.same(masked(numpy.add(p, q), null), "gpu_add", x, y)
        case.same(masked(numpy.subtract(p, q), null), "gpu_subtract", x, y)
        case.same(masked(numpy.multiply(p, q), null), "gpu_multiply", x, y)
        if (q[~null if q.shape else ()] == 0).any():
            if not null.all():
                case.refused("22012", "gpu_divide", x, y)
            continue
        q = numpy.where(q == 0, a.dtype.type(1), q)
        divided = p / q if draw.is_float(a) else numpy.sign(p) * numpy.sign(q) * (abs(p) // abs(q))
        case.same(masked(divided.astype(a.dtype), null), "gpu_divide", x, y)
    null = draw.null_of(a)
    case.same(masked(numpy.abs(draw.data_of(a)), null), "gpu_abs", a, bits=True)
    case.same(masked(numpy.negative(draw.data_of(a)), null), "gpu_negate", a, bits=True)


@family
def rounding(case):
    a = case.series(draw.NUMBERS, draw.TAME + ("wide",), most=1025)
    null = draw.null_of(a)
    if draw.is_float(a):
        case.same(masked(numpy.rint(draw.data_of(a)), null), "gpu_round", a)
        digits = case.below(4) + 1
        # Python, too, rounds the exact value to the nearest multiple
        if a.dtype == "f8":
            wanted = [round(v, digits) for v in draw.data_of(a).tolist()]
        else:
            wanted = [truth.rounded(round(Fraction(v), digits), a.dtype) for v in draw.data_of(a).tolist()]
        case.same(masked(numpy.array(wanted, a.dtype), null), "gpu_round", a, digits)
    else:
        case.same(a, "gpu_round", a, case.below(3))
        small = a // 2
        wanted = [round(v, -2) for v in numpy.ma.filled(small, 0).tolist()]
        case.same(masked(numpy.array(wanted, a.dtype), null), "gpu_round", small, -2)


def nearest(function, values):
    """What a function of decimal gives to 60 digits, rounded once more."""
    with localcontext() as context:
        context.prec = 60
        return numpy.array([float(function(Decimal(v))) for v in values], "f8")


@family
def elementary(case):
    a = case.series(draw.NUMBERS, ["few", "normal", "whole", "wide"], most=100)
    null = draw.null_of(a)
    # bigint is rounded first, as SQL's functions have it
    data = draw.data_of(a).astype("f8")
    positive = numpy.abs(draw.data_of(a) // a.dtype.type(2)) + a.dtype.type(1)
    as_double = positive.astype("f8")
    with_null = masked(positive, null)
    case.same(masked(numpy.sqrt(as_double), null), "gpu_sqrt", with_null)

    # the C library's functions, which NumPy calls, are off by a few units
    logarithms = masked(nearest(Decimal.ln, as_double.tolist()), null)
    got = case.same(logarithms, "gpu_ln", with_null)
    case.near(masked(numpy.log(as_double), null), 8 * UNIT * numpy.abs(draw.data_of(logarithms)),
              "gpu_ln", with_null, got=got)
    fit = numpy.abs(data) < 700
    exponents = masked(draw.data_of(a)[fit], null[fit])
    wanted = masked(nearest(Decimal.exp, data[fit].tolist()), null[fit])
    got = case.same(wanted, "gpu_exp", exponents)
    case.near(masked(numpy.exp(data[fit]), null[fit]), 8 * UNIT * draw.data_of(wanted), "gpu_exp", exponents, got=got)
    y = float(case.random.normal(0, 5))
    wanted = masked(nearest(lambda v: v ** Decimal(y), as_double.tolist()), null)
    got = case.same(wanted, "gpu_power", with_null, y)
    case.near(masked(as_double ** y, null), 8 * UNIT * draw.data_of(wanted), "gpu_power", with_null, y, got=got)
