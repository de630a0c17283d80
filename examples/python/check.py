#!/usr/bin/env python3
"""Do arrays come back as they went, and do gpuscan's functions see them so?  And
does what docs/python.md shows of NumPy and pandas run?

Runs in the database that PGHOST, PGPORT, PGUSER and PGDATABASE lead to, where
gpuscan has been created.  Ends with "N passed, N failed".
"""
import pathlib
import re
import sys

import numpy
import psycopg

import gpuscan_numpy

passed = failed = 0


def check(what, ok):
    global passed, failed
    passed += bool(ok)
    failed += not ok
    if not ok:
        print("wrong:", what)


def same(one, other):
    """Type, shape, NULLs and bits."""
    null = numpy.ma.getmaskarray(one)
    return (one.dtype == other.dtype and one.shape == other.shape
            and (null == numpy.ma.getmaskarray(other)).all()
            and numpy.ma.getdata(one)[~null].tobytes()
            == numpy.ma.getdata(other)[~null].tobytes())


def refused(call):
    try:
        call()
    except (TypeError, ValueError):
        return True
    return False


connection = psycopg.connect(autocommit=True)
gpuscan_numpy.register(connection)
cursor = connection.cursor(binary=True)


def value(sql, *parameters):
    return cursor.execute(sql, parameters).fetchone()[0]


for code in gpuscan_numpy.TYPES:
    for size in 1, 2, 1000:
        array = numpy.arange(size).astype(code)
        check(f"{size} {code}", same(value("SELECT %s", array), array))
        null = numpy.ma.array(array, mask=numpy.arange(size) % 3 == 0)
        check(f"{size} {code}, NULLs", same(value("SELECT %s", null),
                                            null.filled(numpy.datetime64("NaT")) if code[0] == "M" else null))
    empty = numpy.empty(0, code)
    check(f"no {code}", same(value("SELECT %s", empty), empty))
    big = numpy.arange(6).astype(code).astype(">" + code).reshape(2, 3).T
    check(f"{code}, columns first, big-endian",
          same(value("SELECT %s", big), numpy.ascontiguousarray(big).astype(code)))

days = numpy.array(["1969-07-20", "2000-01-01", "NaT", "2026-11-27"], "M8[D]")
moments = days.astype("M8[us]") + numpy.arange(4)
for array in days, days[:2], days[:0], moments, moments[:2].reshape(2, 1):
    check(f"{array.size} {array.dtype}", same(value("SELECT %s", array), array))
check("nanoseconds", same(value("SELECT %s", moments.astype("M8[ns]")), moments))
check("NaT", value("SELECT (%s)[3] IS NULL", days))
check("masked times", numpy.isnat(value("SELECT %s", numpy.ma.array(days[:2], mask=[0, 1]))[1]))
check("days as text", value("SELECT (%s)[1]::text", days) == "1969-07-20")
check("moments as text", value("SELECT (%s)[4]::text", moments) == "2026-11-27 00:00:00.000003")
check("timestamptz", value("SELECT ARRAY[timestamptz '2026-11-27 12:00+02']")[0]
      == numpy.datetime64("2026-11-27T10:00"))
check("infinite times", refused(lambda: value("SELECT ARRAY[timestamp 'infinity']")))
check("gpu_max of times", value("SELECT gpu_max(%s)", moments) == moments[3].item())

special = numpy.array([numpy.nan, numpy.inf, -numpy.inf, -0.0, 5e-324])
check("special values", same(value("SELECT %s", special), special))
check("type of a parameter",
      value("SELECT pg_typeof(%s)::text", numpy.zeros(1, "f4")) == "real[]")
check("complex", refused(lambda: value("SELECT %s", numpy.zeros(1, complex))))

numbers = numpy.random.default_rng(1).integers(-1000, 1000, 100000)
check("gpu_sum", int(value("SELECT gpu_sum(%s)", numbers)) == numbers.sum())
check("gpu_cumsum", same(value("SELECT gpu_cumsum(%s)", numbers.astype("i4")),
                         numbers.cumsum()))
check("gpu_sort", same(value("SELECT gpu_sort(%s)", numbers), numpy.sort(numbers)))
floats = numbers / 7
check("gpu_sort of floats", same(value("SELECT gpu_sort(%s)", floats), numpy.sort(floats)))
check("gpu_histogram", (value("SELECT gpu_histogram(%s, -1000, 1000, 20)", numbers)
                        == numpy.histogram(numbers, 20, (-1000, 1000))[0]).all())

cursor.execute("CREATE TEMPORARY TABLE series (reading double precision[])")
cursor.execute("INSERT INTO series VALUES (%s)", [floats])
check("a stored array", same(value("SELECT reading FROM series"), floats))
with cursor.copy("COPY series FROM STDIN WITH (FORMAT binary)") as copy:
    copy.write_row([floats])
check("COPY", value("SELECT gpu_count(reading) FROM series OFFSET 1") == floats.size)

page = pathlib.Path(__file__).parents[2].joinpath("docs/python.md").read_text()
shown = {}
for block in re.findall("^```python\n(.*?)^```", page, re.M | re.S):
    if "sqlalchemy" not in block and "select(" not in block:
        try:
            exec(block.replace('"dbname=mydb", ', ""), shown)
            check("example", True)
        except Exception as error:
            check(f"example: {error}\n{block}", False)
check("changes of a column", "change" in shown.get("frame", ())
      and str(shown["frame"]["change"].tolist()) == "[nan, nan, 1.0, 1.5]")

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
