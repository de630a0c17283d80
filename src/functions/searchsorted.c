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

#include "engine/search.h"
#include "functions/ascending.h"
#include "functions/choice.h"

PG_FUNCTION_INFO_V1(gpu_searchsorted);

/* The edges, as an engine has them. */
static void
set_keys(gs_op *op, const gs_ascending *edges)
{
	/* elements are never below this one */
	static const int64 none[] = {PG_INT64_MAX};
	int64	   *keys;

	if (edges->n == 0)
	{
		op->exclusive = true;
		op->keys = none;
		return;
	}
	keys = gs_alloc_large(edges->n * sizeof(int64));
	for (int64 i = 0; i < edges->n; i++)
		keys[i] = edges->is_float ? gs_search_key(edges->value[i].d) :
			edges->value[i].i;
	op->buckets = (int32) (edges->n - 1);
	op->keys = keys;
}

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
	gs_builder	builder;

	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_ascending_open(&edges, &array, "edges", "edge");
	gs_array_close(&array);
	gs_call_open(&call, "gpu_searchsorted", GS_SEARCH, PG_GETARG_DATUM(1));
	call.op.exclusive = side == 1;
	set_keys(&call.op, &edges);
	gs_ascending_close(&edges);
	call.builder = &builder;
	gs_builder_open(&builder, INT4OID, call.data.n, call.data.flat,
					call.data.nulls ? call.data.n : 0);
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}
