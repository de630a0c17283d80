/*-------------------------------------------------------------------------
 *
 * transpose.c
 *	  gpu_transpose: exchanges rows and columns.
 *
 * An engine moves values that are packed row by row.  Where there are NULLs,
 * columns are packed otherwise, and the array is transposed here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/array_iteration.h"

/* The position of each element's value in the packed values; -1 for NULL. */
static int32 *
positions_of(const gs_array *a)
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
	int32	   *place = positions_of(a);
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

static gs_status
fetch_values(gs_call *call, const gs_engine *engine)
{
	gs_builder *builder = call->fetch_arg;

	gs_builder_reset(builder);
	return gs_call_fetch(call, engine, GS_COLUMN_VALUES, call->result.results,
						 builder);
}

/* Of an array without NULLs, to an array of that shape. */
static Datum
transpose_values(gs_call *call, const ArrayType *shape, int columns)
{
	gs_builder	builder;

	gs_builder_open(&builder, call->data.elemtype, call->data.n, shape, 0);
	call->op.transpose.columns = columns;
	call->fetch = fetch_values;
	call->fetch_arg = &builder;
	gs_call_execute(call);
	if (call->result.results != call->data.n)
		elog(ERROR, "%lld results of %lld elements",
			 (long long) call->result.results, (long long) call->data.n);
	gs_call_close(call);
	return gs_builder_close(&builder);
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

	gs_call_open(&call, "gpu_transpose", GS_TRANSPOSE, PG_GETARG_DATUM(0));
	flat = call.data.flat;
	ndim = ARR_NDIM(flat);
	if (ndim != 2 && ndim != 0)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("the array must have two dimensions, but has %d", ndim));

	/* the shape of the result; only its header is used */
	shape = palloc0(ARR_OVERHEAD_NONULLS(2));
	shape->ndim = ndim;
	for (int i = 0; i < ndim; i++)
	{
		ARR_DIMS(shape)[i] = ARR_DIMS(flat)[1 - i];
		ARR_LBOUND(shape)[i] = ARR_LBOUND(flat)[1 - i];
	}
	if (ndim == 2 && !call.data.nulls)
		return transpose_values(&call, shape, ARR_DIMS(flat)[1]);
	gs_array_read(&call.data);
	flat = call.data.flat;
	gs_writer_open(&writer, call.data.elemtype, call.data.n, shape,
				   call.data.nulls ? call.data.n : 0);
	if (ndim == 2)
		write_columns(&call.data, ARR_DIMS(flat)[0], ARR_DIMS(flat)[1],
					  &writer);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
