/*-------------------------------------------------------------------------
 *
 * searchsorted.c
 *	  gpu_searchsorted: positions of elements among sorted edges.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "functions/ascending.h"
#include "functions/choice.h"

PG_FUNCTION_INFO_V1(gpu_searchsorted);

/* gpu_searchsorted(edges, arr), gpu_searchsorted(edges, arr, side) */
Datum
gpu_searchsorted(PG_FUNCTION_ARGS)
{
	static const char *const sides[] = {"right", "left", NULL};
	int			side = PG_NARGS() == 2 ? 0 :
		gs_choice("side", PG_GETARG_TEXT_PP(2), sides);
	gs_call		call;
	gs_array	array;
	gs_ascending edges;
	gs_reader	reader;
	gs_writer	writer;

	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_ascending_open(&edges, &array, "edges", "edge");
	edges.below = side == 1;
	gs_call_open_elements(&call, "gpu_searchsorted", PG_GETARG_DATUM(1));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, INT4OID, reader.n, call.data.flat,
				   call.data.nulls ? reader.n : 0);
	while (reader.i < reader.n)
	{
		gs_number	value;
		bool		present = gs_reader_next(&reader, &value);

		gs_writer_put(&writer, !present ? (Datum) 0 :
					  Int32GetDatum((int32) gs_ascending_count(&edges, value)),
					  !present);
	}
	gs_ascending_close(&edges);
	gs_array_close(&array);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
