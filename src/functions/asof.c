/*-------------------------------------------------------------------------
 *
 * asof.c
 *	  gpu_asof: the last of ascending times that is not after each of others.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "functions/ascending.h"

PG_FUNCTION_INFO_V1(gpu_asof);

/* gpu_asof(times, at) */
Datum
gpu_asof(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	array;
	gs_ascending times;
	gs_reader	reader;
	gs_writer	writer;

	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_ascending_open(&times, &array, "times", "time");
	gs_call_open_elements(&call, "gpu_asof", PG_GETARG_DATUM(1));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, INT4OID, reader.n, call.data.flat, reader.n);
	while (reader.i < reader.n)
	{
		gs_number	at;
		int64		count = gs_reader_next(&reader, &at) ?
			gs_ascending_count(&times, at) : 0;

		gs_writer_put(&writer, Int32GetDatum((int32) count), count == 0);
	}
	gs_ascending_close(&times);
	gs_array_close(&array);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
