/*-------------------------------------------------------------------------
 *
 * moving_percentile.c
 *	  SQL functions for medians and percentiles of a frame that moves over an
 *	  array.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/order/order.h"
#include "functions/series/frame.h"
#include "functions/series/moving.h"

/* The frame is in arguments `frame` and after it. */
static Datum
moving(FunctionCallInfo fcinfo, const char *function, double fraction,
	   bool discrete, int frame)
{
	int64		preceding = gs_frame_argument(fcinfo, frame, "preceding");
	int64		following = gs_frame_argument(fcinfo, frame + 1, "following");
	gs_call		call;

	gs_call_open(&call, function, GS_MOVING_PERCENTILE, PG_GETARG_DATUM(0));
	call.op.percentile.fraction = fraction;
	call.op.percentile.discrete = discrete;
	call.op.moving.preceding = (int32) preceding;
	call.op.moving.following = (int32) following;
	return gs_moving_execute(&call);
}

PG_FUNCTION_INFO_V1(gpu_moving_median);

/* gpu_moving_median(arr, preceding, following) */
Datum
gpu_moving_median(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return moving(fcinfo, "gpu_moving_median", 0.5, false, 1);
}

/* As with percentile_cont, a bad fraction is an error even without elements. */
static Datum
moving_percentile(FunctionCallInfo fcinfo, const char *function, bool discrete)
{
	double		fraction;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	fraction = PG_GETARG_FLOAT8(1);
	gs_check_fraction(fraction);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return moving(fcinfo, function, fraction, discrete, 2);
}

PG_FUNCTION_INFO_V1(gpu_moving_percentile_cont);

/* gpu_moving_percentile_cont(arr, fraction, preceding, following) */
Datum
gpu_moving_percentile_cont(PG_FUNCTION_ARGS)
{
	return moving_percentile(fcinfo, "gpu_moving_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_moving_percentile_disc);

/* gpu_moving_percentile_disc(arr, fraction, preceding, following) */
Datum
gpu_moving_percentile_disc(PG_FUNCTION_ARGS)
{
	return moving_percentile(fcinfo, "gpu_moving_percentile_disc", true);
}
