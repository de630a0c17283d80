/*-------------------------------------------------------------------------
 *
 * window.c
 *	  Streaming window functions: one step of exact arithmetic for each row.
 *
 * A cumulative function adds each row to the result so far.  A moving function
 * adds the row that enters the frame and removes the one that leaves
 * (frame.h).
 *
 * The values in the frame are kept here, since going back and forth in the
 * executor's tuple store would take as many steps as the frame has rows.  The
 * mark follows the current row, so that the executor stores only the rows
 * ahead.
 *
 * All memory belongs to the partition, and the executor frees it.  There can
 * be as many partitions as rows, so they start small.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "windowapi.h"

#include "functions/aggregate/window.h"
#include "functions/order/decimal_order.h"
#include "functions/order/order.h"
#include "functions/reduce/reduce.h"
#include "functions/series/frame.h"

typedef struct partition
{
	gs_frame	frame;			/* its context is NULL until it is set up */
	bool		any;			/* cumulative: there was a value */
	gs_number	value;			/* cumulative: the result so far */
	int64		count;
	gs_product_stack *product;

	/* moving functions */
	int64		preceding;
	int64		following;
	int64		next;			/* the first row not read yet */
	bool		end;			/* all rows have been read */
} partition;

/* Rows between moves of the mark: calls cost time, stored rows memory. */
#define MARK_ROWS	32

/* The current partition; its first row sets it up. */
static inline partition *
open_partition(FunctionCallInfo fcinfo)
{
	WindowObject window = PG_WINDOW_OBJECT();
	partition  *p;
	int64		row;

	/* a user-defined operator can call it without a window */
	if (unlikely(!WindowObjectIsValid(window)))
		ereport(ERROR,
				errcode(ERRCODE_WINDOWING_ERROR),
				errmsg("window function called without a window"));
	p = WinGetPartitionLocalMemory(window, sizeof(partition));
	row = WinGetCurrentPosition(window);
	if (unlikely(p->frame.context == NULL))
	{
		gs_frame_open(&p->frame, get_fn_expr_argtype(fcinfo->flinfo, 0),
					  GetMemoryChunkContext(p));
	}
	if (row % MARK_ROWS == 0 && row > 0)
		WinSetMarkPosition(window, row);
	return p;
}

/* Of numeric, what is to be copied before it is kept. */
static inline gs_number
number_of(const partition *p, Datum datum)
{
	return p->frame.decimals ?
		gs_number_of_decimal(NumericGetDatum(DatumGetNumeric(datum))) :
		gs_number_from_datum(datum, p->frame.type);
}

/* Keep this numeric instead of the last one. */
static void
keep_decimal(partition *p, gs_number value)
{
	gs_number	copy = gs_frame_copy(&p->frame, value);

	if (p->any)
		pfree(DatumGetPointer(gs_decimal_of(p->value)));
	p->value = copy;
	p->any = true;
}

static Datum
kept_decimal(const partition *p)
{
	return datumCopy(gs_decimal_of(p->value), false, -1);
}

/* The current row's value; false for NULL. */
static inline bool
current_value(FunctionCallInfo fcinfo, const partition *p, gs_number *value)
{
	bool		isnull;
	Datum		datum = WinGetFuncArgCurrent(PG_WINDOW_OBJECT(), 0, &isnull);

	if (isnull)
		return false;
	*value = number_of(p, datum);
	return true;
}

PG_FUNCTION_INFO_V1(gpu_window_cumsum_decimals);

Datum
gpu_window_cumsum_decimals(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	gs_number	value;

	if (current_value(fcinfo, p, &value))
		keep_decimal(p, !p->any ? value :
					 gs_number_of_decimal(DirectFunctionCall2(numeric_add,
															  gs_decimal_of(p->value),
															  gs_decimal_of(value))));
	if (!p->any)
		PG_RETURN_NULL();
	return kept_decimal(p);
}

PG_FUNCTION_INFO_V1(gpu_window_cumsum);

Datum
gpu_window_cumsum(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	gs_number	value;

	if (current_value(fcinfo, p, &value))
	{
		if (!p->any)
			p->value = value;
		else if (p->frame.is_float)
		{
			/* a partition of one row needs no state */
			if (unlikely(p->frame.state == NULL))
			{
				gs_frame_open_state(&p->frame, GS_STATE_REALS);
				gs_frame_keep_state(&p->frame,
									gs_state_add_double(p->frame.state,
														p->value.d));
			}
			gs_frame_keep_state(&p->frame,
								gs_state_add_double(p->frame.state, value.d));
		}
		else if (pg_add_s64_overflow(p->value.i, value.i, &p->value.i))
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("bigint out of range"));
		p->any = true;
	}
	if (!p->any)
		PG_RETURN_NULL();
	if (!p->frame.is_float)
		PG_RETURN_INT64(p->value.i);
	if (p->frame.state == NULL)
		return gs_datum_from_number(p->value, p->frame.type);
	return gs_state_result(p->frame.state, gs_sum_figure(p->frame.type),
						   &fcinfo->isnull);
}

PG_FUNCTION_INFO_V1(gpu_window_cumcount);

Datum
gpu_window_cumcount(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	gs_number	value;

	if (current_value(fcinfo, p, &value))
		p->count++;
	PG_RETURN_INT64(p->count);
}

PG_FUNCTION_INFO_V1(gpu_window_cumcount_decimals);

Datum
gpu_window_cumcount_decimals(PG_FUNCTION_ARGS)
{
	return gpu_window_cumcount(fcinfo);
}

PG_FUNCTION_INFO_V1(gpu_window_cumprod);

/* A NULL counts as 1 at its row, as in an array (product.h). */
Datum
gpu_window_cumprod(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	gs_product	factor = gs_product_one();
	gs_number	value;
	double		result;

	if (p->product == NULL)
	{
		/* large, but only as much as n has binary digits is ever touched */
		p->product = MemoryContextAlloc(p->frame.context,
										sizeof(gs_product_stack));
		p->product->n = 0;
		p->product->depth = 0;
	}
	if (current_value(fcinfo, p, &value))
	{
		p->any = true;
		factor = p->frame.is_float ? gs_product_from_double(value.d) :
			gs_product_from_int64(value.i);
	}
	gs_product_stack_push(p->product, factor, 0);
	if (!p->any)
		PG_RETURN_NULL();
	if (!gs_product_round(gs_product_stack_fold(p->product), &result))
		gs_float_overflow();
	PG_RETURN_FLOAT8(result);
}

static Datum
cumulative_extreme(FunctionCallInfo fcinfo, bool max)
{
	partition  *p = open_partition(fcinfo);
	bool		is_float = p->frame.is_float;
	gs_number	value;

	if (current_value(fcinfo, p, &value) &&
		(!p->any ||
		 (max ? gs_number_is_below(p->value, value, is_float) :
		  gs_number_is_below(value, p->value, is_float))))
	{
		p->value = value;
		p->any = true;
	}
	if (!p->any)
		PG_RETURN_NULL();
	return gs_datum_from_number(p->value, p->frame.type);
}

PG_FUNCTION_INFO_V1(gpu_window_cummin);

Datum
gpu_window_cummin(PG_FUNCTION_ARGS)
{
	return cumulative_extreme(fcinfo, false);
}

PG_FUNCTION_INFO_V1(gpu_window_cummax);

Datum
gpu_window_cummax(PG_FUNCTION_ARGS)
{
	return cumulative_extreme(fcinfo, true);
}

static Datum
cumulative_decimal(FunctionCallInfo fcinfo, bool max)
{
	partition  *p = open_partition(fcinfo);
	gs_number	value;

	if (current_value(fcinfo, p, &value) &&
		(!p->any ||
		 (max ? gs_decimal_greatest(gs_decimal_of(p->value),
									gs_decimal_of(value)) < 0 :
		  gs_decimal_compare(gs_decimal_of(value),
							 gs_decimal_of(p->value)) < 0)))
		keep_decimal(p, value);
	if (!p->any)
		PG_RETURN_NULL();
	return kept_decimal(p);
}

PG_FUNCTION_INFO_V1(gpu_window_cummin_decimals);

Datum
gpu_window_cummin_decimals(PG_FUNCTION_ARGS)
{
	return cumulative_decimal(fcinfo, false);
}

PG_FUNCTION_INFO_V1(gpu_window_cummax_decimals);

Datum
gpu_window_cummax_decimals(PG_FUNCTION_ARGS)
{
	return cumulative_decimal(fcinfo, true);
}

/*
 * Moving functions
 */

/* The frame offset in argument i. */
static int64
frame_offset(FunctionCallInfo fcinfo, int i, const char *name)
{
	bool		isnull;
	int32		offset = DatumGetInt32(WinGetFuncArgCurrent(PG_WINDOW_OBJECT(),
															i, &isnull));

	return gs_frame_offset(offset, isnull, name);
}

/*
 * Read the offsets, arguments `at` and after it, which must be the same for all
 * rows of a partition.
 */
static void
open_offsets(FunctionCallInfo fcinfo, partition *p, int at, bool first)
{
	int64		preceding;
	int64		following;

	if (!first && get_fn_expr_arg_stable(fcinfo->flinfo, at) &&
		get_fn_expr_arg_stable(fcinfo->flinfo, at + 1))
		return;
	preceding = frame_offset(fcinfo, at, "preceding");
	following = frame_offset(fcinfo, at + 1, "following");
	if (!first && (preceding != p->preceding || following != p->following))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("preceding and following must not change within a partition"),
				errdetail("They change from %lld and %lld to %lld and %lld.",
						  (long long) p->preceding, (long long) p->following,
						  (long long) preceding, (long long) following));
	p->preceding = preceding;
	p->following = following;
}

/* Argument i of the row that is to enter; false if there is no row any more. */
static inline bool
entering_argument(FunctionCallInfo fcinfo, const partition *p, int i,
				  Datum *datum, bool *isnull)
{
	WindowObject window = PG_WINDOW_OBJECT();
	int64		row = WinGetCurrentPosition(window);
	bool		isout = false;

	*datum = p->next == row ? WinGetFuncArgCurrent(window, i, isnull) :
		WinGetFuncArgInPartition(window, i, (int) (p->next - row),
								 WINDOW_SEEK_CURRENT, false, isnull, &isout);
	return !isout;
}

/* Move the frame of a function of one value to the current row. */
static inline partition *
move_frame(FunctionCallInfo fcinfo, const gs_moving *what, int offsets)
{
	partition  *p = open_partition(fcinfo);
	int64		row = WinGetCurrentPosition(PG_WINDOW_OBJECT());

	open_offsets(fcinfo, p, offsets, row == 0);
	for (; !p->end && p->next <= row + p->following; p->next++)
	{
		Datum		datum;
		bool		isnull;

		p->end = !entering_argument(fcinfo, p, 0, &datum, &isnull);
		if (!p->end && !isnull)
		{
			gs_number	value = number_of(p, datum);

			gs_frame_enter(&p->frame, p->next, p->frame.decimals ?
						   gs_frame_copy(&p->frame, value) : value, what);
		}
	}
	gs_frame_leave(&p->frame, row - p->preceding, what);
	return p;
}

static Datum
moving(FunctionCallInfo fcinfo, const gs_moving *what)
{
	partition  *p = move_frame(fcinfo, what, 1);

	if (p->frame.n == 0)
		PG_RETURN_NULL();
	return what->result(&p->frame, &fcinfo->isnull);
}

#define MOVING(function, what) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return moving(fcinfo, &what); \
}

MOVING(gpu_window_moving_sum, gs_moving_sum)
MOVING(gpu_window_moving_avg, gs_moving_avg)
MOVING(gpu_window_moving_stddev, gs_moving_stddev)
MOVING(gpu_window_moving_min, gs_moving_min)
MOVING(gpu_window_moving_max, gs_moving_max)
MOVING(gpu_window_moving_sum_decimals, gs_moving_decimal_sum)
MOVING(gpu_window_moving_avg_decimals, gs_moving_decimal_avg)
MOVING(gpu_window_moving_stddev_decimals, gs_moving_decimal_stddev)
MOVING(gpu_window_moving_min_decimals, gs_moving_min)
MOVING(gpu_window_moving_max_decimals, gs_moving_max)
MOVING(gpu_window_moving_median, gs_moving_median)
MOVING(gpu_window_moving_median_decimals, gs_moving_median)

static Datum
moving_percentile(FunctionCallInfo fcinfo, bool discrete)
{
	bool		isnull;
	double		fraction =
		DatumGetFloat8(WinGetFuncArgCurrent(PG_WINDOW_OBJECT(), 1, &isnull));
	partition  *p;

	/* as with percentile_cont, a bad fraction is an error without values, too */
	if (!isnull)
		gs_check_fraction(fraction);
	p = move_frame(fcinfo, &gs_moving_percentile, 2);
	if (isnull || p->frame.n == 0)
		PG_RETURN_NULL();
	return gs_multiset_percentile(p->frame.values, fraction, discrete);
}

#define MOVING_PERCENTILE(name, discrete) \
PG_FUNCTION_INFO_V1(gpu_window_moving_percentile_##name); \
Datum \
gpu_window_moving_percentile_##name(PG_FUNCTION_ARGS) \
{ \
	return moving_percentile(fcinfo, discrete); \
}

MOVING_PERCENTILE(cont, false)
MOVING_PERCENTILE(cont_decimals, false)
MOVING_PERCENTILE(disc, true)
MOVING_PERCENTILE(disc_decimals, true)

PG_FUNCTION_INFO_V1(gpu_window_moving_corr);

/* gpu_window_moving_corr(y, x, preceding, following) */
Datum
gpu_window_moving_corr(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	int64		row = WinGetCurrentPosition(PG_WINDOW_OBJECT());

	open_offsets(fcinfo, p, 2, row == 0);
	for (; !p->end && p->next <= row + p->following; p->next++)
	{
		Datum		y;
		Datum		x;
		bool		no_y;
		bool		no_x;

		p->end = !entering_argument(fcinfo, p, 0, &y, &no_y) ||
			!entering_argument(fcinfo, p, 1, &x, &no_x);
		if (p->end || no_y || no_x)
			continue;
		gs_frame_enter(&p->frame, p->next, number_of(p, y), &gs_moving_corr);
		gs_frame_enter(&p->frame, p->next, number_of(p, x), &gs_moving_corr);
	}
	gs_frame_leave(&p->frame, row - p->preceding, &gs_moving_corr);
	if (p->frame.n == 0)
		PG_RETURN_NULL();
	return gs_moving_corr.result(&p->frame, &fcinfo->isnull);
}

const gs_window_function *
gs_window_function_of(PGFunction function)
{
	static const gs_window_function functions[] = {
		{gpu_window_cumsum, false, "gpu_sum"},
		{gpu_window_cumsum_decimals, false, "gpu_sum"},
		{gpu_window_cumcount, false, "gpu_count"},
		{gpu_window_cumcount_decimals, false, "gpu_count"},
		{gpu_window_cumprod, false, "gpu_product"},
		{gpu_window_cummin, false, "gpu_min"},
		{gpu_window_cummin_decimals, false, "gpu_min"},
		{gpu_window_cummax, false, "gpu_max"},
		{gpu_window_cummax_decimals, false, "gpu_max"},
		{gpu_window_moving_sum, true, "gpu_sum"},
		{gpu_window_moving_sum_decimals, true, "gpu_sum"},
		{gpu_window_moving_avg, true, "gpu_avg"},
		{gpu_window_moving_avg_decimals, true, "gpu_avg"},
		{gpu_window_moving_min, true, "gpu_min"},
		{gpu_window_moving_min_decimals, true, "gpu_min"},
		{gpu_window_moving_max, true, "gpu_max"},
		{gpu_window_moving_max_decimals, true, "gpu_max"},
		{gpu_window_moving_stddev, true, "gpu_stddev"},
		{gpu_window_moving_stddev_decimals, true, "gpu_stddev"},
		{gpu_window_moving_median, true, "gpu_median"},
		{gpu_window_moving_median_decimals, true, "gpu_median"},
		{gpu_window_moving_percentile_cont, true, "gpu_percentile_cont"},
		{gpu_window_moving_percentile_cont_decimals, true, "gpu_percentile_cont"},
		{gpu_window_moving_percentile_disc, true, "gpu_percentile_disc"},
		{gpu_window_moving_percentile_disc_decimals, true, "gpu_percentile_disc"},
		{gpu_window_moving_corr, true, "gpu_corr"}
	};

	for (int i = 0; i < (int) lengthof(functions); i++)
	{
		if (functions[i].function == function)
			return &functions[i];
	}
	return NULL;
}
