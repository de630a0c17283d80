/*-------------------------------------------------------------------------
 *
 * round.c
 *	  gpu_round: elements rounded to so many decimal places, half to even.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/array_iteration.h"
#include "engine/cpu/cpu_engine.h"
#include "exact/elementary.h"

/* Elements between two checks for interrupts: some take tens of us. */
#define INTERRUPT_ELEMENTS	1024

/* Integers have no more digits than this. */
#define INTEGER_DIGITS	19

/* The nearest multiple of 10^zeros, which may be beyond bigint. */
static __int128
round_integer(int64 x, int zeros)
{
	uint64		magnitude = x < 0 ? 0 - (uint64) x : (uint64) x;
	uint64		power = 1;
	uint64		count;
	uint64		rest;
	__int128	multiple;

	if (zeros > INTEGER_DIGITS)
		return 0;
	for (int i = 0; i < zeros; i++)
		power *= 10;
	count = magnitude / power;
	rest = magnitude % power;
	if (rest > power - rest || (rest == power - rest && count % 2 != 0))
		count++;
	multiple = (__int128) count * power;
	return x < 0 ? -multiple : multiple;
}

static bool
fits(__int128 x, gs_type type)
{
	return type == GS_INT2 ? x >= PG_INT16_MIN && x <= PG_INT16_MAX :
		type == GS_INT4 ? x >= PG_INT32_MIN && x <= PG_INT32_MAX :
		x >= PG_INT64_MIN && x <= PG_INT64_MAX;
}

pg_noreturn static void
out_of_range(gs_type type, int64 position)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			gs_is_float(type) ? errmsg("value out of range: overflow") :
			errmsg("%s out of range", type == GS_INT2 ? "smallint" :
				   type == GS_INT4 ? "integer" : "bigint"),
			errdetail("The result at element %lld is out of range.",
					  (long long) position));
}

/* false if the result is out of the type's range */
static bool
round_float(double x, gs_type type, int digits, double *result)
{
	float		real;

	*result = x;
	if (!gs_is_finite(x))
		return true;
	if (type == GS_FLOAT8)
		return gs_round_decimal(x, digits, result) == GS_ROUNDED;
	if (gs_round_decimal_float((float) x, digits, &real) != GS_ROUNDED)
		return false;
	*result = real;
	return true;
}

static inline bool
round_number(gs_number x, gs_type type, int digits, gs_number *result)
{
	__int128	rounded;

	if (gs_is_float(type))
		return round_float(x.d, type, digits, &result->d);
	*result = x;
	if (digits >= 0)
		return true;
	rounded = round_integer(x.i, -digits);
	result->i = (int64) rounded;
	return fits(rounded, type);
}

/* Of doubles, of which none is NULL, a block at a time. */
static Datum
round_doubles(const gs_array *a, int digits)
{
	const double *x = (const double *) a->values;
	uint8		known[INTERRUPT_ELEMENTS];
	gs_builder	builder;

	gs_builder_open(&builder, FLOAT8OID, a->n, a->flat, a->n);
	for (int64 at = 0; at < a->n; at += INTERRUPT_ELEMENTS)
	{
		int			n = (int) Min(INTERRUPT_ELEMENTS, a->n - at);
		gs_output	out = {.n = n, .present = n};
		double	   *to;
		bool		all;

		CHECK_FOR_INTERRUPTS();
		out.values = to = gs_builder_reserve(&builder, n);
		all = gs_cpu_rounds(x + at, digits, n, to, known);
		for (int i = 0; i < n && !all; i++)
		{
			if (!known[i] && unlikely(!round_float(x[at + i], GS_FLOAT8, digits,
												   &to[i])))
				out_of_range(GS_FLOAT8, at + i + 1);
		}
		gs_builder_commit(&builder, &out);
	}
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_round);

/* gpu_round(arr, digits) */
Datum
gpu_round(PG_FUNCTION_ARGS)
{
	int			digits = Max(PG_GETARG_INT32(1), -PG_INT16_MAX);
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;

	gs_call_open_elements(&call, "gpu_round", PG_GETARG_DATUM(0));
	if (call.data.type == GS_FLOAT8 && !call.data.nulls && call.data.n > 0)
	{
		Datum		result = round_doubles(&call.data, digits);

		gs_call_close_elements(&call);
		return result;
	}
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, call.data.elemtype, reader.n, call.data.flat,
				   reader.n);
	while (reader.i < reader.n)
	{
		gs_number	value = {0};
		gs_number	result = {0};
		bool		has = gs_reader_next(&reader, &value);

		if (reader.i % INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (has && unlikely(!round_number(value, reader.type, digits, &result)))
			out_of_range(reader.type, reader.i);
		gs_writer_put(&writer, gs_datum_from_number(result, reader.type), !has);
	}
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
