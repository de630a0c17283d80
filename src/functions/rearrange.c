/*-------------------------------------------------------------------------
 *
 * rearrange.c
 *	  Rows and columns exchanged; places of elements among sorted ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/array_iteration.h"

/* Where each value lies among the packed ones; of NULLs -1. */
static int32 *
places_of(const gs_array *a)
{
	int32	   *place;
	int32		next = 0;

	if (a->bitmap == NULL)
		return NULL;
	place = gs_alloc_large(a->n * sizeof(int32));
	for (int64 i = 0; i < a->n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		place[i] = a->bitmap[i / 8] & (1 << (i % 8)) ? next++ : -1;
	}
	return place;
}

static void
write_columns(const gs_array *a, int rows, int columns, gs_writer *w)
{
	const int	width = gs_type_width(a->type);
	int32	   *place = places_of(a);
	int64		done = 0;

	for (int64 column = 0; column < columns; column++)
	{
		for (int64 row = 0; row < rows; row++)
		{
			int64		at = row * columns + column;

			if (done++ % GS_INTERRUPT_ELEMENTS == 0)
				CHECK_FOR_INTERRUPTS();
			if (place != NULL)
				at = place[at];
			gs_writer_put(w, at < 0 ? (Datum) 0 :
						  fetch_att(a->values + at * width, true, width),
						  at < 0);
		}
	}
	if (place != NULL)
		pfree(place);
}

PG_FUNCTION_INFO_V1(gpu_transpose);

Datum
gpu_transpose(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_writer	writer;
	ArrayType  *flat;
	ArrayType  *shape;
	int			ndim;

	gs_call_open_elements(&call, "gpu_transpose", PG_GETARG_DATUM(0));
	flat = call.data.flat;
	ndim = ARR_NDIM(flat);
	if (ndim != 2 && ndim != 0)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("the array must have two dimensions, but has %d", ndim));

	/* of the result, only the header is looked at */
	shape = palloc0(ARR_OVERHEAD_NONULLS(2));
	shape->ndim = ndim;
	for (int i = 0; i < ndim; i++)
	{
		ARR_DIMS(shape)[i] = ARR_DIMS(flat)[1 - i];
		ARR_LBOUND(shape)[i] = ARR_LBOUND(flat)[1 - i];
	}
	gs_writer_open(&writer, call.data.type, call.data.n, shape,
				   call.data.nulls ? call.data.n : 0);
	if (ndim == 2)
		write_columns(&call.data, ARR_DIMS(flat)[0], ARR_DIMS(flat)[1],
					  &writer);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

/* As SQL orders them: NaN is above all, -0 equals 0. */
static inline bool
is_above(gs_number a, gs_number b, bool is_float)
{
	return gs_number_is_below(b, a, is_float) &&
		!gs_number_equals(a, b, is_float);
}

/* Sorted edges; the errors are those of width_bucket, but for their order. */
static gs_number *
read_edges(gs_array *edges)
{
	gs_number  *edge = gs_alloc_large(Max(edges->n, 1) * sizeof(gs_number));
	gs_reader	reader;

	if (ARR_NDIM(edges->flat) > 1)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("edges must be an array of one dimension"));
	gs_reader_open(&reader, edges);
	for (int64 i = 0; i < edges->n; i++)
	{
		if (!gs_reader_next(&reader, &edge[i]))
			ereport(ERROR,
					errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("edges must not contain nulls"));
		if (i > 0 && is_above(edge[i - 1], edge[i], reader.is_float))
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("edges must be ascending, but edge %lld is not",
						   (long long) i + 1));
	}
	return edge;
}

/* How many edges are not above the value? */
static int32
count_edges(const gs_number *edge, int64 n, gs_number value, bool is_float)
{
	int64		low = 0;

	while (low < n)
	{
		int64		middle = low + (n - low) / 2;

		if (is_above(edge[middle], value, is_float))
			n = middle;
		else
			low = middle + 1;
	}
	return (int32) low;
}

PG_FUNCTION_INFO_V1(gpu_searchsorted);

/* gpu_searchsorted(edges, arr) */
Datum
gpu_searchsorted(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	edges;
	gs_number  *edge;
	gs_reader	reader;
	gs_writer	writer;

	gs_array_open(&edges, PG_GETARG_DATUM(0));
	edge = read_edges(&edges);
	gs_call_open_elements(&call, "gpu_searchsorted", PG_GETARG_DATUM(1));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, GS_INT4, reader.n, call.data.flat,
				   call.data.nulls ? reader.n : 0);
	while (reader.i < reader.n)
	{
		gs_number	value;
		bool		present = gs_reader_next(&reader, &value);

		gs_writer_put(&writer, !present ? (Datum) 0 :
					  Int32GetDatum(count_edges(edge, edges.n, value,
												reader.is_float)), !present);
	}
	pfree(edge);
	gs_array_close(&edges);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
