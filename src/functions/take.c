/*-------------------------------------------------------------------------
 *
 * take.c
 *	  SQL function that gives the elements at places.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "functions/spread.h"

/* Elements that are put at a time. */
#define PIECE	8192

pg_noreturn static void
raise_out_of_range(int64 place, int64 n)
{
	ereport(ERROR,
			errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
			errmsg("position %lld is out of range", (long long) place),
			errdetail("The array has %lld elements.", (long long) n));
}

/* The elements, of which none is NULL, at m places that are counted from 1. */
static pg_attribute_always_inline void
gather(char *to, const gs_array *a, const int32 *place, int64 m, int width)
{
	for (int64 k = 0; k < m; k++, to += width)
	{
		if (place[k] < 1 || place[k] > a->n)
			raise_out_of_range(place[k], a->n);
		memcpy(to, a->values + (place[k] - (int64) 1) * width, width);
	}
}

static void
gather_by_width(char *to, const gs_array *a, const int32 *place, int64 m)
{
	switch (gs_type_width(a->type))
	{
		case 1:
			gather(to, a, place, m, 1);
			break;
		case 2:
			gather(to, a, place, m, 2);
			break;
		case 4:
			gather(to, a, place, m, 4);
			break;
		default:
			gather(to, a, place, m, 8);
			break;
	}
}

/* gpu_take() without any NULL */
static Datum
take_known(const gs_array *a, const gs_array *positions)
{
	const int32 *place = (const int32 *) positions->values;
	gs_builder	builder;

	gs_builder_open(&builder, a->elemtype, positions->n, positions->flat, 0);
	for (int64 i = 0; i < positions->n; i += PIECE)
	{
		int64		m = Min(PIECE, positions->n - i);
		gs_output	out = {.n = m, .present = m};

		CHECK_FOR_INTERRUPTS();
		out.values = gs_builder_reserve(&builder, m);
		gather_by_width(out.values, a, place + i, m);
		gs_builder_commit(&builder, &out);
	}
	return gs_builder_close(&builder);
}

/* The same of any elements and positions */
static Datum
take_any(const gs_array *a, gs_array *positions)
{
	gs_spread	at;
	gs_reader	reader;
	gs_writer	writer;

	gs_spread_open(&at, a);
	gs_reader_open(&reader, positions);
	gs_writer_open(&writer, a->elemtype, positions->n, positions->flat,
				   positions->n);
	while (reader.i < reader.n)
	{
		gs_number	place;
		Datum		value = (Datum) 0;
		bool		isnull = !gs_reader_next(&reader, &place);

		if (!isnull)
		{
			if (place.i < 1 || place.i > a->n)
				raise_out_of_range(place.i, a->n);
			isnull = !gs_spread_has(&at, place.i - 1);
			if (!isnull)
				value = gs_spread_at(&at, place.i - 1);
		}
		gs_writer_put(&writer, value, isnull);
	}
	gs_spread_close(&at);
	return gs_writer_close(&writer);
}

PG_FUNCTION_INFO_V1(gpu_take);

/* gpu_take(arr, positions) */
Datum
gpu_take(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	positions;
	Datum		result;

	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open_elements(&call, "gpu_take", PG_GETARG_DATUM(0));
	gs_array_open(&positions, PG_GETARG_DATUM(1));
	result = call.data.nulls || positions.nulls ?
		take_any(&call.data, &positions) : take_known(&call.data, &positions);
	gs_array_close(&positions);
	gs_call_close_elements(&call);
	return result;
}
