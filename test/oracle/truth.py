"""Sums, means and deviations in whole numbers, rounded once.

Every finite float is a whole number over a power of two, so the sum of any
stretch of a series is a difference of two whole numbers.
"""
import math
from fractions import Fraction

import numpy

import draw


def nearest(numerator, denominator=1, dtype="f8"):
    """numerator / denominator, rounded once."""
    # Python divides whole numbers so; for real, the double between is made odd
    # where it is not exact, so that the second rounding knows of the rest
    double = numerator / denominator
    if numpy.dtype(dtype) == "f8":
        return double
    n, d = double.as_integer_ratio()
    error = numerator * d - n * denominator
    if error and int(numpy.float64(double).view("u8")) % 2 == 0:
        double = math.nextafter(double, math.inf if error > 0 else -math.inf)
    return float(numpy.float32(double))


def root(numerator, denominator=1):
    """The square root of numerator / denominator, rounded once."""
    if numerator == 0:
        return 0.0
    # 64 bits or more, and one that tells whether there are others
    shift = max(0, 130 - numerator.bit_length() + denominator.bit_length())
    shift += shift % 2
    square = (numerator << shift) // denominator
    whole = math.isqrt(square)
    odd = whole * whole != square or (numerator << shift) % denominator != 0
    return (2 * whole + odd) / (2 << shift // 2)


def long_root(fraction):
    """To far more digits than numeric has."""
    if fraction is None:
        return None
    scale = 10 ** 60
    return Fraction(math.isqrt(fraction.numerator * scale ** 2 // fraction.denominator), scale)


def over_common(array):
    """The elements as whole numbers over one denominator, 0 for those that are
    NULL or not finite."""
    if array.dtype.kind != "f":
        return [0 if null else int(v) for v, null in
                zip(draw.data_of(array).tolist(), draw.null_of(array))], 1
    zeros = numpy.where(numpy.isfinite(draw.data_of(array)) & ~draw.null_of(array),
                        draw.data_of(array), 0).astype("f8")
    ratios = [v.as_integer_ratio() for v in zeros.tolist()]
    denominator = max((d for _, d in ratios), default=1)
    return [n * (denominator // d) for n, d in ratios], denominator


def running(values):
    total, result = 0, [0]
    for v in values:
        total += v
        result.append(total)
    return result


class Stretches:
    """What the elements from one position up to another give."""

    def __init__(self, array):
        self.array = array
        self.whole, self.denominator = over_common(array)
        self.sums = running(self.whole)
        self.squares = running([v * v for v in self.whole])
        known = ~draw.null_of(array)
        self.counts = running(known.tolist())
        if array.dtype.kind == "f":
            data = draw.data_of(array)
            self.special = [running((known & which).tolist()) for which in
                            (numpy.isnan(data), data == numpy.inf, data == -numpy.inf)]
        else:
            self.special = []

    def count(self, start, end):
        return self.counts[end] - self.counts[start]

    def not_finite(self, start, end):
        """The sum, if it is not a number's, else None."""
        nans, above, below = [s[end] - s[start] for s in self.special] or (0, 0, 0)
        if nans or (above and below):
            return math.nan
        return math.inf if above else -math.inf if below else None

    def sum(self, start, end):
        """None for NULL; a Fraction, or what is not finite."""
        if self.count(start, end) == 0:
            return None
        special = self.not_finite(start, end)
        if special is not None:
            return special
        return Fraction(self.sums[end] - self.sums[start], self.denominator)

    def mean(self, start, end):
        total = self.sum(start, end)
        return total if total is None else total / self.count(start, end)

    def variance(self, start, end, less=1):
        n = self.count(start, end)
        if n <= less:
            return None
        if self.not_finite(start, end) is not None:
            return math.nan
        s = self.sums[end] - self.sums[start]
        q = self.squares[end] - self.squares[start]
        return Fraction(n * q - s * s, n * (n - less) * self.denominator ** 2)


def rounded(value, dtype="f8"):
    """A Fraction, rounded once; others as they are."""
    if isinstance(value, Fraction):
        return nearest(value.numerator, value.denominator, dtype)
    return value


def rooted(value):
    if isinstance(value, Fraction):
        return root(value.numerator, value.denominator)
    return value


def floats(values, dtype="f8"):
    """An array of numbers, None being NULL."""
    mask = [v is None for v in values]
    array = numpy.array([0 if v is None else v for v in values], dtype)
    return numpy.ma.array(array, mask=mask) if any(mask) else array


def frames(n, preceding, following):
    return [(max(i - preceding, 0), min(i + following + 1, n)) for i in range(n)]


def regression(y, x):
    """Of pairs: their number, and n times the sums of squares and products of
    differences from the means, of finite values."""
    null = draw.null_of(y) | draw.null_of(x)
    wy, dy = over_common(y)
    wx, dx = over_common(x)
    pairs = [(a, b) for a, b, skip in zip(wy, wx, null) if not skip]
    return Pairs(pairs, dy, dx)


class Pairs:
    def __init__(self, pairs, dy, dx):
        self.n = n = len(pairs)
        sy, sx = sum(a for a, _ in pairs), sum(b for _, b in pairs)
        self.mean_y = Fraction(sy, n * dy) if n else None
        self.mean_x = Fraction(sx, n * dx) if n else None
        self.yy = Fraction(n * sum(a * a for a, _ in pairs) - sy * sy, dy * dy)
        self.xx = Fraction(n * sum(b * b for _, b in pairs) - sx * sx, dx * dx)
        self.xy = Fraction(n * sum(a * b for a, b in pairs) - sx * sy, dx * dy)

    def correlation(self):
        """Rounded once; None if a side is constant."""
        if self.n < 1 or self.xx == 0 or self.yy == 0:
            return None
        square = self.xy * self.xy / (self.xx * self.yy)
        return math.copysign(rooted(square), self.xy)
