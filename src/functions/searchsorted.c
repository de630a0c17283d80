/*-------------------------------------------------------------------------
 *
 * searchsorted.c
 *	  gpu_searchsorted: positions of elements among sorted edges.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/array_iteration.h"

/* The order of SQL: NaN is above all numbers, and -0 equals 0. */
static inline bool
is_above(gs_number a, gs_number b, bool is_float)
{
	return gs_number_is_below(b, a, is_float) &&
		!gs_number_equals(a, b, is_float);
}

/*
 * Read the edges and check them.  The errors are those of width_bucket, except
 * for edges that are not ascending.
 */
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

/* Count the edges that are not above the value. */
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
