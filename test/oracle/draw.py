"""Random series: their types, lengths, values and NULLs.

A series is an array of NumPy, masked where an element is NULL.
"""
import numpy

SQL_TYPES = {"i2": "smallint", "i4": "integer", "i8": "bigint", "f4": "real",
             "f8": "double precision", "b1": "boolean", "M8[D]": "date",
             "M8[us]": "timestamp"}
INTEGERS = "i2", "i4", "i8"
FLOATS = "f4", "f8"
NUMBERS = INTEGERS + FLOATS
TIMES = "M8[D]", "M8[us]"
ORDERED = NUMBERS + TIMES

# around the sizes of words, blocks and tiles
LENGTHS = 0, 1, 2, 3, 7, 31, 32, 33, 64, 100, 257, 1000, 1025, 2999

# Kinds of values.  "whole" ones are small multiples of 1/8: sums of some
# thousands of them, and of their squares, are exact in double precision
# whoever adds, so that NumPy and pandas give the truth too.
TAME = "few", "normal", "sorted", "constant", "whole"
ANY = TAME + ("wide", "special")


def sql_type(dtype):
    return SQL_TYPES[numpy.dtype(dtype).str[1:]]


def is_float(array):
    return array.dtype.kind == "f"


def length(random, most=3000):
    some = [n for n in LENGTHS if n <= most]
    return int(some[random.integers(len(some))])


def values(random, dtype, n, kind):
    """Finite but for the kind "special"."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "M":
        # of years that everyone can write
        span = {"few": 5, "constant": 5}.get(kind, 200_000)
        days = random.integers(-span, span, n)
        if dtype.str.endswith("[us]"):
            days = days * 86_400_000_000 + random.integers(0, 2) * random.integers(0, 86_400_000_000, n)
        result = days.astype(dtype)
    elif dtype.kind == "i":
        bounds = numpy.iinfo(dtype)
        if kind == "few":
            result = random.integers(-4, 5, n)
        elif kind == "wide":
            result = random.integers(bounds.min, bounds.max, n, endpoint=True)
        elif kind == "special":
            result = random.choice([bounds.min, bounds.min + 1, -1, 0, 1, bounds.max - 1, bounds.max], n)
        else:
            result = random.integers(-30_000, 30_000, n)
    elif kind == "few":
        result = random.integers(-4, 5, n) / 4
    elif kind == "whole":
        result = random.integers(-8000, 8000, n) / 8
    else:
        result = random.normal(random.integers(-1, 2) * 1000, 100, n)
        if kind in ("wide", "special"):
            result = result * 2.0 ** random.integers(-40, 40, n)
        if kind == "special":
            odd = numpy.array([numpy.nan, numpy.inf, -numpy.inf, -0.0, 0.0, 1.0,
                               numpy.finfo(dtype).smallest_subnormal])
            result = numpy.where(random.random(n) < 0.5, random.choice(odd, n), result)
    result = result.astype(dtype)
    if kind == "constant" and n:
        result[:] = result[0]
    return numpy.sort(result) if kind == "sorted" else result


def nulls(random, array, chance=0.4):
    """With NULLs, or as it is."""
    if random.random() >= chance:
        return array
    share = random.choice([0.02, 0.3, 0.9, 1])
    mask = random.random(array.size) < share
    return numpy.ma.array(array, mask=mask) if mask.any() else array


def series(random, dtypes, kinds=ANY, most=3000, n=None, chance=0.4):
    dtype = dtypes[random.integers(len(dtypes))]
    kind = kinds[random.integers(len(kinds))]
    if n is None:
        n = length(random, most)
    return nulls(random, values(random, dtype, n, kind), chance)


def null_of(array):
    return numpy.ma.getmaskarray(array)


def data_of(array):
    return numpy.ma.getdata(array)


def known(array):
    """Those elements that are not NULL."""
    return data_of(array)[~null_of(array)]


def keys(*arrays):
    """Integers in the order of the elements of all the arrays, as SQL has it:
    -0 equals 0, NaN itself, and is above all others."""
    _, inverse = numpy.unique(numpy.concatenate([data_of(a) for a in arrays]),
                              return_inverse=True)
    return numpy.split(inverse.ravel(), numpy.cumsum([a.size for a in arrays])[:-1])
