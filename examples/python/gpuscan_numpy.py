"""NumPy arrays as arguments and results of PostgreSQL, with psycopg 3.

    import gpuscan_numpy
    connection = psycopg.connect(...)
    gpuscan_numpy.register(connection)
    cursor = connection.cursor(binary=True)
    [total] = cursor.execute("SELECT gpu_cumsum(%s)", [numpy.arange(5)]).fetchone()

An array goes out in PostgreSQL's binary form: a head, then length and value of
each element.  NumPy writes and reads these as records, without a loop.  Masked
elements are NULL, and an array with NULLs comes back masked.  Of datetime64, NaT
is NULL, both ways.
"""
import struct

import numpy
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

# dtype: the element's type in PostgreSQL, that of an array of it, and what travels
TYPES = {"b1": (16, 1000, "b1"), "i2": (21, 1005, "i2"), "i4": (23, 1007, "i4"),
         "i8": (20, 1016, "i8"), "f4": (700, 1021, "f4"), "f8": (701, 1022, "f8"),
         "M8[D]": (1082, 1182, "i4"), "M8[us]": (1114, 1115, "i8")}
DTYPES = {element: code for code, (element, _, _) in TYPES.items()}
DTYPES[1184], TIMESTAMPTZ_ARRAY = "M8[us]", 1185    # comes as UTC, and cannot be sent
EPOCH = numpy.datetime64("2000-01-01")    # from which days and microseconds count
HEAD = struct.Struct("!iiI")    # dimensions, any NULLs, type of the elements
DIMENSION = struct.Struct("!ii")    # length, number of the first element


def record(code):
    return numpy.dtype([("length", ">i4"), ("value", ">" + code)])


def code_of(dtype):
    """Times of other units are sent as microseconds."""
    code = dtype.str[1:]
    return "M8[us]" if dtype.kind == "M" and code != "M8[D]" else code


def times(since, code):
    limits = numpy.iinfo(since.dtype)
    if ((since == limits.min) | (since == limits.max)).any():
        raise ValueError("datetime64 cannot be infinite")
    result = EPOCH + numpy.ma.getdata(since).astype("i8").view("m" + code[1:])
    result[numpy.ma.getmaskarray(since)] = "NaT"
    return result


class ArrayDumper(Dumper):
    format = Format.BINARY

    def __init__(self, cls, context=None, code=None):
        super().__init__(cls, context)
        self.code = code
        self.oid = TYPES[code][1] if code else 0

    def get_key(self, array, format):
        code = code_of(array.dtype)
        if code not in TYPES:
            raise TypeError(f"PostgreSQL has no arrays of {array.dtype}; "
                            "convert with astype()")
        return self.cls, code

    def upgrade(self, array, format):
        return ArrayDumper(self.cls, code=code_of(array.dtype))

    def dump(self, array):
        shape = array.shape if array.size else ()
        null = numpy.ma.getmaskarray(array).ravel()
        values = numpy.ma.getdata(array).ravel()
        element, _, sent = TYPES[self.code]
        if array.dtype.kind == "M":
            null = null | numpy.isnat(values)
            values = (values.astype(self.code) - EPOCH).astype("i8")
        head = HEAD.pack(len(shape), int(null.any()), element)
        head += b"".join(DIMENSION.pack(length, 1) for length in shape)
        body = numpy.empty(array.size, record(sent))
        body["length"] = body.dtype["value"].itemsize
        body["value"] = values
        if not null.any():
            return head + body.tobytes()
        body["length"][null] = -1    # and then no value
        keep = numpy.ones((body.size, body.itemsize), bool)
        keep[null, 4:] = False
        return head + body.view("u1").reshape(keep.shape)[keep].tobytes()


class ArrayLoader(Loader):
    format = Format.BINARY

    def load(self, data):
        dimensions, nulls, element = HEAD.unpack_from(data)
        start = HEAD.size + dimensions * DIMENSION.size
        shape = [DIMENSION.unpack_from(data, at)[0]
                 for at in range(HEAD.size, start, DIMENSION.size)] or [0]
        code = DTYPES[element]
        sent = TYPES[code][2]
        if nulls:
            array = self.load_with_nulls(bytes(data), start, shape, sent)
        else:
            body = numpy.frombuffer(data, record(sent), offset=start)
            array = body["value"].astype(sent).reshape(shape)
        return times(array, code) if code[0] == "M" else array

    def load_with_nulls(self, data, at, shape, code):
        """Where an element begins depends on those before: a loop."""
        array = numpy.ma.zeros(numpy.prod(shape), code)
        for i in range(array.size):
            [length] = struct.unpack_from("!i", data, at)
            at += 4
            if length < 0:
                array[i] = numpy.ma.masked
            else:
                array[i] = numpy.frombuffer(data, ">" + code, 1, at)[0]
                at += length
        return array.reshape(shape)


def register(connection):
    """For this connection; the results of cursor(binary=True)."""
    adapters = connection.adapters
    adapters.register_dumper(numpy.ndarray, ArrayDumper)
    adapters.register_dumper(numpy.ma.MaskedArray, ArrayDumper)
    for array in [TIMESTAMPTZ_ARRAY] + [array for _, array, _ in TYPES.values()]:
        adapters.register_loader(array, ArrayLoader)
