/*-------------------------------------------------------------------------
 *
 * array_iteration.h
 *	  The elements of an array one by one, and results one by one.
 *
 * For functions that no engine implements: they read a whole array in the
 * backend.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ARRAY_ITERATION_H
#define GS_ARRAY_ITERATION_H

#include "access/tupmacs.h"
#include "miscadmin.h"

#include "call/call.h"

/* Elements between two checks for interrupts. */
#define GS_INTERRUPT_ELEMENTS	65536

/* A value, in the widest type of its kind. */
typedef union gs_number
{
	int64		i;				/* integers and booleans */
	double		d;				/* floats */
} gs_number;

static inline gs_number
gs_number_from_datum(Datum datum, gs_type type)
{
	gs_number	r;

	switch (type)
	{
		case GS_BOOL:
			r.i = DatumGetBool(datum);
			break;
		case GS_INT2:
			r.i = DatumGetInt16(datum);
			break;
		case GS_INT4:
			r.i = DatumGetInt32(datum);
			break;
		case GS_INT8:
			r.i = DatumGetInt64(datum);
			break;
		case GS_FLOAT4:
			r.d = DatumGetFloat4(datum);
			break;
		default:
			r.d = DatumGetFloat8(datum);
			break;
	}
	return r;
}

/* An element as an engine has it. */
extern gs_value gs_value_from_datum(gs_type type, Datum datum);

/* All NaN become the canonical one. */
static inline Datum
gs_datum_from_number(gs_number value, gs_type type)
{
	double		d = value.d;

	switch (type)
	{
		case GS_BOOL:
			return BoolGetDatum(value.i != 0);
		case GS_INT2:
			return Int16GetDatum((int16) value.i);
		case GS_INT4:
			return Int32GetDatum((int32) value.i);
		case GS_INT8:
			return Int64GetDatum(value.i);
		case GS_FLOAT4:
			return Float4GetDatum((float) (d != d ? gs_canonical_nan() : d));
		default:
			return Float8GetDatum(d != d ? gs_canonical_nan() : d);
	}
}

/* In the order of sorting: NaN is greatest, and -0 is just below 0. */
static inline bool
gs_number_is_below(gs_number a, gs_number b, bool is_float)
{
	if (!is_float)
		return a.i < b.i;
	if (a.d == 0 && b.d == 0)
		return gs_double_bits(a.d) > gs_double_bits(b.d);
	return a.d < b.d || (b.d != b.d && a.d == a.d);
}

/* SQL's equality: all NaN are equal, and -0 equals 0. */
static inline bool
gs_number_equals(gs_number a, gs_number b, bool is_float)
{
	if (!is_float)
		return a.i == b.i;
	return a.d == b.d || (a.d != a.d && b.d != b.d);
}

/* The elements of an array as it is, if they are of 64 bits and none is NULL. */
static inline const gs_number *
gs_array_numbers(const gs_array *a)
{
	if (a->bitmap != NULL || (a->type != GS_INT8 && a->type != GS_FLOAT8))
		return NULL;
	return (const gs_number *) a->values;
}

/* A position in an array that is in memory. */
typedef struct gs_reader
{
	gs_type		type;
	bool		is_float;
	int			width;
	const char *value;			/* the next one */
	const uint8 *bitmap;
	int64		i;				/* elements read */
	int64		n;
} gs_reader;

static inline void
gs_reader_open(gs_reader *r, const gs_array *a)
{
	r->type = a->type;
	r->is_float = gs_is_float(a->type);
	r->width = gs_type_width(a->type);
	r->value = a->values;
	r->bitmap = a->bitmap;
	r->i = 0;
	r->n = a->n;
}

/* The next element; false if it is NULL. */
static inline bool
gs_reader_next(gs_reader *r, gs_number *value)
{
	int64		i = r->i++;

	if (unlikely(i % GS_INTERRUPT_ELEMENTS == 0))
		CHECK_FOR_INTERRUPTS();
	if (r->bitmap != NULL && !(r->bitmap[i / 8] & (1 << (i % 8))))
		return false;
	*value = gs_number_from_datum(fetch_att(r->value, true, r->width),
								  r->type);
	r->value += r->width;
	return true;
}

/* The next element that is not NULL; false if there is none. */
static inline bool
gs_reader_next_value(gs_reader *r, gs_number *value)
{
	while (r->i < r->n)
	{
		if (gs_reader_next(r, value))
			return true;
	}
	return false;
}

/* Results appended to the array at a time. */
#define GS_WRITER_BATCH		1024

/* A result array, of numbers or of numeric, written one element at a time. */
typedef struct gs_writer
{
	gs_builder	builder;
	gs_output	batch;			/* not yet committed to the builder */
	uint8		validity[GS_WRITER_BATCH / 8];

	/* for numeric, whose values vary in length */
	bool		is_numeric;
	ArrayType  *array;			/* with a bitmap, and the values so far */
	Size		size;			/* of the array, so far */
	Size		allocated;
	int64		n;
	int64		present;		/* of these, not NULL */
	MemoryContext context;		/* for temporary data of one value */
} gs_writer;

extern void gs_writer_open(gs_writer *w, Oid elemtype, int64 capacity,
						   const ArrayType *shape, int64 bits);
extern void gs_writer_open_numeric(gs_writer *w, int64 n,
								   const ArrayType *shape);
extern void gs_writer_put(gs_writer *w, Datum value, bool isnull);
extern Datum gs_writer_close(gs_writer *w);

extern void gs_call_open_elements(gs_call *call, const char *function,
								  Datum array);
extern void gs_call_close_elements(gs_call *call);

#endif							/* GS_ARRAY_ITERATION_H */
