/*-------------------------------------------------------------------------
 *
 * dot.c
 *	  Dot product, exact and rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/call.h"
#include "call/figures.h"
#include "functions/reduce/reduce.h"

PG_FUNCTION_INFO_V1(gpu_dot);

Datum
gpu_dot(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_sums		sums;
	bool		is_float;

	gs_call_open(&call, "gpu_dot", GS_DOT, PG_GETARG_DATUM(0));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(1));
	if (call.data.n != call.mask.n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("arrays of different lengths have no dot product"),
				errdetail("They have %lld and %lld elements.",
						  (long long) call.data.n, (long long) call.mask.n));
	gs_call_execute(&call);
	gs_call_close(&call);
	is_float = gs_is_float(call.data.type);
	sums = is_float ?
		gs_sums_of_reals(call.result.present,
						 gs_acc2_limbs(&call.result.squares), (gs_limbs) {0}) :
		gs_sums_of_integers(call.result.present, call.result.isquares,
							lengthof(call.result.isquares), NULL, 0);
	return gs_figure_result(is_float ? gs_sum_figure(call.data.type) :
							GS_FIGURE_SUM, &sums, &fcinfo->isnull);
}
