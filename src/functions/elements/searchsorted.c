/*-------------------------------------------------------------------------
 *
 * searchsorted.c
 *	  gpu_searchsorted: positions of elements among sorted edges.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "engine/search.h"
#include "functions/choice.h"
#include "functions/elements/ascending.h"
#include "functions/elements/searchsorted.h"
#include "functions/reduce/reduce.h"

PG_FUNCTION_INFO_V1(gpu_searchsorted);

/*
 * Does a cast keep every value and their order?  What it casts can then be
 * searched as it is.
 */
static bool
is_exact(Oid from, Oid to)
{
	switch (from)
	{
		case INT2OID:
			return to == INT4OID || to == INT8OID || to == FLOAT4OID ||
				to == FLOAT8OID;
		case INT4OID:
			return to == INT8OID || to == FLOAT8OID;
		case FLOAT4OID:
			return to == FLOAT8OID;
		default:
			return false;
	}
}

/*
 * A call whose elements SQL casts to the type of the edges, without the cast,
 * which would take many times as long as the search; NULL if there is none.
 */
Node *
gs_searchsorted_simplify(FuncExpr *call)
{
	ArrayCoerceExpr *cast;
	FuncExpr   *simple;

	if (gs_function_address(call->funcid) != gpu_searchsorted)
		return NULL;
	cast = (ArrayCoerceExpr *) lsecond(call->args);
	if (!IsA(cast, ArrayCoerceExpr) || !IsA(cast->elemexpr, FuncExpr) ||
		((FuncExpr *) cast->elemexpr)->funcid >= FirstNormalObjectId ||
		!is_exact(get_element_type(getBaseType(exprType((Node *) cast->arg))),
				  get_element_type(cast->resulttype)))
		return NULL;
	simple = copyObject(call);
	lsecond(simple->args) = copyObject(cast->arg);
	return (Node *) simple;
}

/*
 * An edge among integers: the least of them that is not below it, or, if it
 * counts only for what is above it, the greatest that is not.
 */
static int64
integer_key(double edge, bool exclusive)
{
	double		key = exclusive ? floor(edge) : ceil(edge);

	if (!(key < 0x1p62))		/* NaN is above all numbers */
		return PG_INT64_MAX;
	return key > -0x1p62 ? (int64) key : PG_INT64_MIN;
}

/* The edges, as an engine has them. */
static void
set_keys(gs_op *op, const gs_ascending *edges)
{
	/* elements are never below this one */
	static const int64 none[] = {PG_INT64_MAX};
	int64	   *keys;

	if (edges->n == 0)
	{
		op->search.left = true;
		op->search.keys = none;
		op->search.count = 1;
		return;
	}
	keys = gs_alloc_large(edges->n * sizeof(int64));
	for (int64 i = 0; i < edges->n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		keys[i] = !edges->is_float ? edges->value[i].i :
			gs_is_float(op->type) ? gs_search_key(edges->value[i].d) :
			integer_key(edges->value[i].d, op->search.left);
	}
	op->search.count = (int32) edges->n;
	op->search.keys = keys;
}

Datum
gpu_searchsorted(PG_FUNCTION_ARGS)
{
	static const char *const sides[] = {"right", "left", NULL};
	int			side = gs_choice("side", PG_GETARG_TEXT_PP(2), sides);
	gs_call		call;
	gs_array	array;
	gs_ascending edges;
	gs_builder	builder;

	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_ascending_open(&edges, &array, "edges", "edge");
	gs_call_open(&call, "gpu_searchsorted", GS_SEARCH, PG_GETARG_DATUM(1));
	call.op.search.left = side == 1;
	set_keys(&call.op, &edges);
	gs_ascending_close(&edges);
	gs_array_close(&array);
	call.builder = &builder;
	gs_builder_open(&builder, INT4OID, call.data.n, call.data.flat,
					call.data.nulls ? call.data.n : 0);
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}
