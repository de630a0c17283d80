/*-------------------------------------------------------------------------
 *
 * decimal_array.c
 *	  Arrays of numeric as arrays of bigint and one scale, and back.
 *
 * An array of numeric is what a column of money or of measurements gives: its
 * elements mostly have one scale and few digits.  So it becomes integers once,
 * whatever is then computed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "call/decimal.h"
#include "call/decimal_array.h"

/* An array of bigint while it grows. */
typedef struct decimals
{
	const char *function;
	int64	   *value;
	int64		n;				/* so far */
	int			scale;
} decimals;

pg_noreturn static void
refuse(const char *function, const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("%s does not support these values of type numeric", function),
			errdetail("%s", detail),
			errhint("Cast the array, for example to numeric(15,2)[] or double precision[]: both round."));
}

/* Digits of a value that a message shows. */
#define SHOWN	60

pg_noreturn static void
refuse_value(const char *function, const char *stored, int scale)
{
	Datum		value = PointerGetDatum(PG_DETOAST_DATUM(PointerGetDatum(stored)));
	char	   *text = DatumGetCString(DirectFunctionCall1(numeric_out, value));

	if (strlen(text) > SHOWN)
		strcpy(text + SHOWN, "...");
	if (gs_decimal_scale(value) < 0)
		refuse(function, psprintf("%s is not a number.", text));
	refuse(function,
		   psprintf("%s has more than %d digits if it is written with %d decimal places, as all elements are.",
					text, GS_DECIMAL_DIGITS, scale));
}

/* x times 10^power; false: it has too many digits. */
static bool
raise_value(int64 *x, int power)
{
	if (*x == 0)
		return true;
	if (power > GS_DECIMAL_DIGITS ||
		pg_mul_s64_overflow(*x, gs_power_of_ten[power], x))
		return false;
	return *x < gs_power_of_ten[GS_DECIMAL_DIGITS] &&
		*x > -gs_power_of_ten[GS_DECIMAL_DIGITS];
}

static void
raise_values(const char *function, int64 *value, int64 n, int from, int to)
{
	for (int64 i = 0; i < n; i++)
	{
		int64		before = value[i];

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (!raise_value(&value[i], to - from))
			refuse_value(function,
						 DatumGetPointer(gs_decimal_make((uint64 *) &before, 1,
														 from)), to);
	}
}

/* A value whose scale is not that of those before it. */
static int64
read_other(decimals *s, const char *stored)
{
	Datum		numeric = PointerGetDatum(PG_DETOAST_DATUM(PointerGetDatum(stored)));
	int			scale = gs_decimal_scale(numeric);
	int64		value;

	if (scale > s->scale)
	{
		raise_values(s->function, s->value, s->n, s->scale, scale);
		s->scale = scale;
	}
	if (scale < 0 || !gs_decimal_read(DatumGetPointer(numeric), scale, &value) ||
		!raise_value(&value, s->scale - scale))
		refuse_value(s->function, stored, s->scale);
	if (DatumGetPointer(numeric) != stored)
		pfree(DatumGetPointer(numeric));
	return value;
}

/* An array of bigint of the same shape, whose values are still to come. */
static ArrayType *
begin_integers(const ArrayType *a, int64 **values)
{
	int			ndim = ARR_NDIM(a);
	int64		n = ArrayGetNItems(ndim, ARR_DIMS(a));
	const uint8 *bitmap = ARR_NULLBITMAP(a);
	Size		offset = bitmap == NULL ? ARR_OVERHEAD_NONULLS(ndim) :
		ARR_OVERHEAD_WITHNULLS(ndim, n);
	ArrayType  *result = gs_alloc_large(offset + n * sizeof(int64));

	memset(result, 0, offset);
	result->ndim = ndim;
	result->dataoffset = bitmap == NULL ? 0 : (int32) offset;
	result->elemtype = INT8OID;
	memcpy(ARR_DIMS(result), ARR_DIMS(a), 2 * ndim * sizeof(int));
	if (bitmap != NULL)
		memcpy((char *) result + ARR_OVERHEAD_NONULLS(ndim), bitmap,
			   (n + 7) / 8);
	*values = (int64 *) ((char *) result + offset);
	return result;
}

/* There are so many values now. */
static void
end_integers(const char *function, ArrayType *integers, int64 n)
{
	Size		size = ARR_DATA_OFFSET(integers) + n * sizeof(int64);

	if (size > MaxAllocSize)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("array has too many elements for %s", function));
	SET_VARSIZE(integers, size);
}

ArrayType *
gs_decimal_array_read(const char *function, Datum array, int *scale)
{
	ArrayType  *a = DatumGetArrayTypeP(array);
	decimals	s = {.function = function, .scale = *scale};
	ArrayType  *result = begin_integers(a, &s.value);
	gs_decimal_reader reader;

	gs_decimal_reader_open(&reader, a);
	while (reader.i < reader.n)
	{
		const char *stored = gs_decimal_reader_next(&reader);
		int64		value;

		if (stored == NULL)
			continue;
		if (!gs_decimal_read(stored, s.scale, &value))
			value = read_other(&s, stored);
		s.value[s.n++] = value;
	}
	end_integers(function, result, s.n);
	*scale = s.scale;
	return result;
}

ArrayType *
gs_decimal_array_try(const char *function, Datum array, int *scale)
{
	ArrayType  *a = DatumGetArrayTypeP(array);
	int64	   *value;
	ArrayType  *result = begin_integers(a, &value);
	gs_decimal_reader reader;
	int64		n = 0;

	gs_decimal_reader_open(&reader, a);
	while (reader.i < reader.n)
	{
		const char *stored = gs_decimal_reader_next(&reader);

		if (stored == NULL)
			continue;
		if (n == 0)
			*scale = gs_decimal_scale(PointerGetDatum(stored));
		if (*scale < 0 || !gs_decimal_read(stored, *scale, &value[n++]))
		{
			pfree(result);
			return NULL;
		}
	}
	end_integers(function, result, n);
	return result;
}

void
gs_decimal_array_raise(const char *function, ArrayType *integers, int from,
					   int to)
{
	raise_values(function, (int64 *) ARR_DATA_PTR(integers),
				 (VARSIZE(integers) - ARR_DATA_OFFSET(integers)) /
				 sizeof(int64), from, to);
}

int64
gs_decimal_value_read(const char *function, Datum value, int scale)
{
	const char *stored = (const char *) DatumGetNumeric(value);
	int64		result = 0;

	if (gs_decimal_find(value, scale, &result) != GS_DECIMAL_EQUAL)
		refuse_value(function, stored, scale);
	return result;
}

Datum
gs_decimal_array_make(Datum integers, int scale)
{
	gs_array	a;
	gs_reader	reader;
	gs_writer	writer;

	gs_array_open(&a, integers);
	gs_reader_open(&reader, &a);
	gs_writer_open_numeric(&writer, a.n, a.flat);
	while (reader.i < reader.n)
	{
		gs_number	value = {0};
		bool		has = gs_reader_next(&reader, &value);
		MemoryContext old = MemoryContextSwitchTo(writer.context);
		Datum		numeric = has ? gs_decimal_make((uint64 *) &value.i, 1, scale) :
			(Datum) 0;

		MemoryContextSwitchTo(old);
		gs_writer_put(&writer, numeric, !has);
		if (has)
			MemoryContextReset(writer.context);
	}
	gs_array_close(&a);
	return gs_writer_close(&writer);
}

/* Make room for more elements. */
static void
grow_table(gs_decimal_table *table, int64 more)
{
	Size		size = Max(table->n + more, 1) * sizeof(char *);

	table->stored = table->stored == NULL ?
		MemoryContextAllocHuge(CurrentMemoryContext, size) :
		repalloc_huge(table->stored, size);
}

ArrayType *
gs_decimal_array_number(const char *function, Datum array,
						gs_decimal_table *table)
{
	ArrayType  *a = DatumGetArrayTypeP(array);
	int64	   *place;
	ArrayType  *result = begin_integers(a, &place);
	gs_decimal_reader reader;
	int64		n = 0;

	gs_decimal_reader_open(&reader, a);
	grow_table(table, reader.n);
	while (reader.i < reader.n)
	{
		const char *stored = gs_decimal_reader_next(&reader);

		if (stored == NULL)
			continue;
		place[n++] = table->n;
		table->stored[table->n++] = stored;
	}
	end_integers(function, result, n);
	return result;
}

int64
gs_decimal_value_number(Datum value, gs_decimal_table *table)
{
	grow_table(table, 1);
	table->stored[table->n] = DatumGetPointer(value);
	return table->n++;
}

Datum
gs_decimal_array_collect(Datum places, const gs_decimal_table *table)
{
	gs_array	a;
	gs_reader	reader;
	gs_writer	writer;

	gs_array_open(&a, places);
	gs_reader_open(&reader, &a);
	gs_writer_open_numeric(&writer, a.n, a.flat);
	while (reader.i < reader.n)
	{
		gs_number	place = {0};
		bool		has = gs_reader_next(&reader, &place);
		const char *stored = NULL;

		if (has && (place.i < 0 || place.i >= table->n))
			elog(ERROR, "there is no element %lld", (long long) place.i);
		if (has)
			stored = (const char *) PG_DETOAST_DATUM(PointerGetDatum(table->stored[place.i]));
		gs_writer_put(&writer, PointerGetDatum(stored), !has);
		if (has && stored != table->stored[place.i])
			pfree((char *) stored);
	}
	gs_array_close(&a);
	return gs_writer_close(&writer);
}

Datum
gs_decimal_argument(FunctionCallInfo fcinfo, int i, const char *function,
					int *scale)
{
	Datum		array = PG_GETARG_DATUM(i);

	*scale = 0;
	if (get_fn_expr_argtype(fcinfo->flinfo, i) != NUMERICARRAYOID)
		return array;
	return PointerGetDatum(gs_decimal_array_read(function, array, scale));
}
