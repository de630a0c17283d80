/*-------------------------------------------------------------------------
 *
 * ewma.c
 *	  gpu_ewma: exponentially weighted means.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/float.h"

#include "functions/series/moving.h"

PG_FUNCTION_INFO_V1(gpu_ewma);

/* gpu_ewma(arr, alpha, adjust) */
Datum
gpu_ewma(PG_FUNCTION_ARGS)
{
	double		alpha = PG_GETARG_FLOAT8(1);
	gs_call		call;

	if (!(alpha > 0 && alpha <= 1))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("alpha must be greater than 0 and at most 1, but is %s",
					   float8out_internal(alpha)));
	gs_call_open(&call, "gpu_ewma", GS_EWMA, PG_GETARG_DATUM(0));
	call.op.ewma.alpha = alpha;
	call.op.ewma.adjust = PG_GETARG_BOOL(2);
	return gs_moving_execute(&call);
}
