"""Cases: a family of functions over random series, and what they shall give."""
from decimal import Decimal
from fractions import Fraction

import numpy
import psycopg

import draw

FAMILIES = []
UNIT = 2.0 ** -53		# a result that is rounded once is off by so much of itself


def family(function):
    FAMILIES.append(function)
    return function


class Null:
    """Of the type of an array's elements."""

    def __init__(self, array):
        self.dtype = array.dtype


class Named:
    """An argument by its name."""

    def __init__(self, name, value):
        self.name, self.value = name, value


class Case:
    def __init__(self, connection, seed, number):
        self.cursor = connection.cursor(binary=True)
        self.random = numpy.random.default_rng([seed, number])
        self.passed = 0
        self.wrong = []

    def choose(self, *choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, share):
        return self.random.random() < share

    def below(self, n):
        return int(self.random.integers(n))

    def series(self, *arguments, **named):
        return draw.series(self.random, *arguments, **named)

    def call(self, function, *arguments, dtype=None):
        """What the function gives, times (of that dtype) by way of their text."""
        sql, parameters = [], []
        for a in arguments:
            place, parameter = argument(a)
            sql.append(place)
            parameters.append(parameter)
        call = f"{function}({', '.join(sql)})"
        times = dtype is not None and numpy.dtype(dtype).kind == "M"
        self.cursor.execute(f"SELECT ({call})::text[]" if times else f"SELECT {call}", parameters)
        [result] = self.cursor.fetchone()
        return from_text(result, dtype) if times and result is not None else result

    def rows(self, function, *arguments):
        """The rows of what the function gives as a table."""
        places = [argument(a) for a in arguments]
        self.cursor.execute(f"SELECT * FROM {function}({', '.join(p for p, _ in places)})",
                            [v for _, v in places])
        return self.cursor.fetchall()

    def columns(self, function, *arguments):
        """The columns of that, each a list."""
        return [list(column) for column in zip(*self.rows(function, *arguments))] or [[], []]

    def refused(self, sqlstate, function, *arguments):
        try:
            got = self.call(function, *arguments)
        except psycopg.Error as error:
            self.note(function, arguments, None if error.sqlstate == sqlstate else
                      f"error {error.sqlstate}, not {sqlstate}: {error}")
        else:
            self.note(function, arguments, f"gives {got!r}, no error {sqlstate}")

    def note(self, function, arguments, difference):
        if difference is None:
            self.passed += 1
        else:
            self.wrong.append(f"{function}({', '.join(map(shown, arguments))}): {difference}")

    def same(self, wanted, function, *arguments, bits=False, dtype=None):
        """The result is that, NaN equal to NaN and, without `bits`, -0 to 0."""
        got = self.call(function, *arguments, dtype=dtype)
        self.note(function, arguments, difference(got, wanted, bits))
        return got

    def near(self, wanted, bound, function, *arguments, got=None):
        """No element is further away than the bound, one for each or for all."""
        if got is None:
            got = self.call(function, *arguments)
        self.note(function, arguments, distance(got, wanted, bound))
        return got

    def decimals(self, wanted, function, *arguments, root_of=None):
        """Numbers of type numeric: the first digits of Fractions, or None; of
        roots, which have as many places as what they are the roots of."""
        got = self.call(function, *arguments)
        one = not isinstance(wanted, list)
        if one:
            got, wanted, root_of = [got], [wanted], root_of and [root_of]
        wrong = None if len(got) == len(wanted) else f"{len(got)} elements, not {len(wanted)}"
        for i, (g, w) in enumerate(zip(got, wanted)):
            if g is None or w is None:
                if not (g is None and w is None):
                    wrong = wrong or f"at {i}: {g}, not {w}"
            elif not first_digits(g, w, root_of and root_of[i]):
                wrong = wrong or f"at {i}: {g}, not {float(w)!r}"
        self.note(function, arguments, wrong)


def first_digits(decimal, truth, root_of):
    """Has the decimal 16 digits, or as many as it takes?"""
    error = abs(Fraction(decimal) - truth)
    last = Fraction(10) ** decimal.as_tuple().exponent
    # a root is that of a decimal that was rounded, to as many places
    most = last / 2 + (last / truth / 4 if root_of else 0)
    return error == 0 or (error <= most and last <= (root_of or abs(truth)) / 10 ** 15)


def argument(a):
    """Its place in a statement, and the value that goes there."""
    if isinstance(a, Named):
        place, value = argument(a.value)
        return f"{a.name} => {place}", value
    if isinstance(a, numpy.ndarray):
        name = draw.sql_type(a.dtype)
        if a.dtype.kind == "M":
            return f"%s::text[]::{name}[]", [None if null else str(v) for v, null in
                                             zip(draw.data_of(a), draw.null_of(a))]
        return f"%s::{name}[]", a
    if isinstance(a, numpy.datetime64):
        return f"%s::{draw.sql_type(a.dtype)}", str(a)
    if isinstance(a, Null):
        return f"%s::{draw.sql_type(a.dtype)}", None
    if isinstance(a, numpy.generic):
        return f"%s::{draw.sql_type(a.dtype)}", a.item()
    if isinstance(a, bool):
        return "%s::boolean", a
    if isinstance(a, (int, float)):
        return f"%s::{'integer' if isinstance(a, int) else 'float8'}", a
    return "%s", a


def from_text(elements, dtype):
    null = [e is None for e in elements]
    array = numpy.array(["2000-01-01" if e is None else e for e in elements], dtype)
    return numpy.ma.array(array, mask=null) if any(null) else array


def shown(a):
    if isinstance(a, Named):
        return f"{a.name} => {shown(a.value)}"
    if isinstance(a, numpy.ndarray):
        nulls = int(draw.null_of(a).sum())
        return f"{draw.sql_type(a.dtype)}{list(a.shape)}" + (f" {nulls} NULL" if nulls else "")
    return repr(a)


def difference(got, wanted, bits):
    """In words, or None."""
    if wanted is None or got is None:
        return None if wanted is None and got is None else f"{got!r}, not {wanted!r}"
    if not isinstance(wanted, numpy.ndarray):
        if isinstance(got, Decimal) or isinstance(wanted, (int, bool)):
            equal = got == wanted
        else:
            equal = got == wanted or (got != got and wanted != wanted)
        return None if equal else f"{got!r}, not {wanted!r}"
    if not isinstance(got, numpy.ndarray):
        return f"{got!r} is no array"
    if got.shape != wanted.shape and (got.size or wanted.size):
        return f"shape {got.shape}, not {wanted.shape}"
    if got.dtype.kind != wanted.dtype.kind:
        return f"{got.dtype}, not {wanted.dtype}"
    null = draw.null_of(wanted)
    g, w = draw.data_of(got), draw.data_of(wanted)
    equal = g == w
    if g.dtype.kind == "f":
        if bits:
            equal &= numpy.signbit(g) == numpy.signbit(w)
        equal |= numpy.isnan(g) & numpy.isnan(w)
    equal = numpy.where(null, draw.null_of(got), equal & ~draw.null_of(got))
    return first_wrong(got, wanted, equal)


def distance(got, wanted, bound):
    if not isinstance(wanted, numpy.ndarray):
        got, wanted = numpy.ma.masked_invalid([got]), numpy.array([wanted], "f8")
    if got.shape != wanted.shape and (got.size or wanted.size):
        return f"shape {got.shape}, not {wanted.shape}"
    g, w = draw.data_of(got).astype("f8"), draw.data_of(wanted).astype("f8")
    with numpy.errstate(invalid="ignore"):
        near = (g == w) | (numpy.abs(g - w) <= bound) | (numpy.isnan(g) & numpy.isnan(w))
    near = numpy.where(draw.null_of(wanted), draw.null_of(got), near & ~draw.null_of(got))
    return first_wrong(got, wanted, near)


def first_wrong(got, wanted, right):
    if right.all():
        return None
    at = int(numpy.flatnonzero(~right)[0])
    one, other = got.ravel()[at], wanted.ravel()[at]
    return f"at {at}: {one!r}, not {other!r} ({int((~right).sum())} of {right.size} differ)"
