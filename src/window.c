/*-------------------------------------------------------------------------
 *
 * window.c
 *	  Window functions that stream: one step of exact arithmetic a row.
 *
 * A cumulative function adds each row to what the rows before it came to.  A
 * moving one adds the row that enters the frame and takes away the one that
 * leaves, which only exact sums may do; for the least and the greatest it
 * keeps the rows that can still become it, a queue in which values only
 * rise or fall, so that each row enters and leaves it once.
 *
 * What leaves is kept in memory of our own, since going back and forth in the
 * executor's tuple store would cost as many steps as the frame has rows.  The
 * mark follows the current row, so that nothing but rows ahead is stored.
 *
 * All memory is the partition's; the executor frees it.  Of partitions there
 * can be as many as rows, so they start small.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "windowapi.h"

#include "call.h"
#include "state.h"

/* A value in the widest type of its family. */
typedef union number
{
	int64		i;				/* of integers */
	double		d;				/* of floats */
} number;

typedef struct entry
{
	int64		row;			/* counted from 0, in the partition */
	number		value;
} entry;

/* Rows of a frame that are not NULL, a ring. */
typedef struct queue
{
	entry	   *ring;
	int64		capacity;		/* a power of two */
	int64		first;
	int64		n;
} queue;

typedef struct partition
{
	MemoryContext context;		/* NULL until it is set up */
	gs_type		type;
	bool		is_float;
	bool		any;			/* cumulative: a value has come */
	number		value;			/* cumulative: the result so far */
	int64		count;
	gs_state   *state;
	gs_product_stack *product;

	/* moving functions */
	int64		preceding;
	int64		following;
	int64		next;			/* the first row not read yet */
	bool		end;			/* there is none */
	queue		frame;
} partition;

/* The mark moves every so many rows: a call costs, and so do stored rows. */
#define MARK_ROWS	32

static gs_type
argument_type(FunctionCallInfo fcinfo)
{
	switch (get_fn_expr_argtype(fcinfo->flinfo, 0))
	{
		case INT2OID:
			return GS_INT2;
		case INT4OID:
			return GS_INT4;
		case INT8OID:
			return GS_INT8;
		case FLOAT4OID:
			return GS_FLOAT4;
		case FLOAT8OID:
			return GS_FLOAT8;
	}
	elog(ERROR, "unexpected argument type");
	return GS_FLOAT8;			/* keep the compiler quiet */
}

static number
number_from_datum(Datum datum, gs_type type)
{
	number		r;

	switch (type)
	{
		case GS_INT2:
			r.i = DatumGetInt16(datum);
			break;
		case GS_INT4:
			r.i = DatumGetInt32(datum);
			break;
		case GS_INT8:
			r.i = DatumGetInt64(datum);
			break;
		case GS_FLOAT4:
			r.d = DatumGetFloat4(datum);
			break;
		default:
			r.d = DatumGetFloat8(datum);
			break;
	}
	return r;
}

static Datum
datum_from_number(number value, gs_type type)
{
	double		d = value.d;

	switch (type)
	{
		case GS_INT2:
			return Int16GetDatum((int16) value.i);
		case GS_INT4:
			return Int32GetDatum((int32) value.i);
		case GS_INT8:
			return Int64GetDatum(value.i);
		case GS_FLOAT4:
			return Float4GetDatum(d != d ? (float) gs_canonical_nan() : (float) d);
		default:
			return Float8GetDatum(d != d ? gs_canonical_nan() : d);
	}
}

/* NaN is above all, -0 just below 0. */
static bool
is_below(number a, number b, bool is_float)
{
	if (!is_float)
		return a.i < b.i;
	if (a.d == 0 && b.d == 0)
		return gs_double_bits(a.d) > gs_double_bits(b.d);
	return a.d < b.d || (b.d != b.d && a.d == a.d);
}

/* The current partition; its first row sets it up. */
static inline partition *
open_partition(FunctionCallInfo fcinfo)
{
	WindowObject window = PG_WINDOW_OBJECT();
	partition  *p = WinGetPartitionLocalMemory(window, sizeof(partition));
	int64		row = WinGetCurrentPosition(window);

	if (unlikely(p->context == NULL))
	{
		p->context = GetMemoryChunkContext(p);
		p->type = argument_type(fcinfo);
		p->is_float = p->type == GS_FLOAT4 || p->type == GS_FLOAT8;
	}
	if (row % MARK_ROWS == 0 && row > 0)
		WinSetMarkPosition(window, row);
	return p;
}

/* The current row's value; false for NULL. */
static inline bool
current_value(FunctionCallInfo fcinfo, const partition *p, number *value)
{
	bool		isnull;
	Datum		datum = WinGetFuncArgCurrent(PG_WINDOW_OBJECT(), 0, &isnull);

	if (isnull)
		return false;
	*value = number_from_datum(datum, p->type);
	return true;
}

static void
open_state(partition *p, gs_state_kind kind)
{
	MemoryContext old = MemoryContextSwitchTo(p->context);

	p->state = gs_state_new(kind);
	MemoryContextSwitchTo(old);
}

/* Take a state that may have grown into the partition's memory. */
static inline void
keep_state(partition *p, gs_state *s)
{
	gs_state   *copy;

	if (likely(s == p->state))
		return;
	copy = MemoryContextAlloc(p->context, VARSIZE(s));
	memcpy(copy, s, VARSIZE(s));
	pfree(p->state);
	pfree(s);
	p->state = copy;
}

PG_FUNCTION_INFO_V1(gpu_window_cumsum);

Datum
gpu_window_cumsum(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	number		value;

	if (current_value(fcinfo, p, &value))
	{
		if (!p->any)
			p->value = value;
		else if (p->is_float)
		{
			/* a partition of one row needs no state */
			if (unlikely(p->state == NULL))
			{
				open_state(p, GS_STATE_REALS);
				keep_state(p, gs_state_add_double(p->state, p->value.d));
			}
			keep_state(p, gs_state_add_double(p->state, value.d));
		}
		else if (pg_add_s64_overflow(p->value.i, value.i, &p->value.i))
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("bigint out of range"));
		p->any = true;
	}
	if (!p->any)
		PG_RETURN_NULL();
	if (!p->is_float)
		PG_RETURN_INT64(p->value.i);
	if (p->state == NULL)
		return datum_from_number(p->value, p->type);
	return (p->type == GS_FLOAT8 ? gs_state_sum_double : gs_state_sum_real)
		(p->state, &fcinfo->isnull);
}

PG_FUNCTION_INFO_V1(gpu_window_cumcount);

Datum
gpu_window_cumcount(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	number		value;

	if (current_value(fcinfo, p, &value))
		p->count++;
	PG_RETURN_INT64(p->count);
}

PG_FUNCTION_INFO_V1(gpu_window_cumprod);

/* A NULL is 1 at its row, as in an array (product.h). */
Datum
gpu_window_cumprod(PG_FUNCTION_ARGS)
{
	partition  *p = open_partition(fcinfo);
	gs_product	factor = gs_product_one();
	number		value;
	double		result;

	if (p->product == NULL)
	{
		/* only as much of it as there are digits in n is ever touched */
		p->product = MemoryContextAlloc(p->context, sizeof(gs_product_stack));
		p->product->n = 0;
		p->product->depth = 0;
	}
	if (current_value(fcinfo, p, &value))
	{
		p->any = true;
		factor = p->is_float ? gs_product_from_double(value.d) :
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
cumulative_extreme(FunctionCallInfo fcinfo, bool greatest)
{
	partition  *p = open_partition(fcinfo);
	number		value;

	if (current_value(fcinfo, p, &value) &&
		(!p->any || (greatest ? is_below(p->value, value, p->is_float) :
					 is_below(value, p->value, p->is_float))))
	{
		p->value = value;
		p->any = true;
	}
	if (!p->any)
		PG_RETURN_NULL();
	return datum_from_number(p->value, p->type);
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

/*
 * Moving functions
 */

static void
queue_grow(queue *q, MemoryContext context)
{
	int64		capacity = q->capacity == 0 ? 8 : 2 * q->capacity;
	entry	   *ring;

	if (capacity > MaxAllocHugeSize / sizeof(entry))
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("a frame of more than %lld rows is too large",
					   (long long) q->capacity));
	ring = MemoryContextAllocHuge(context, capacity * sizeof(entry));
	for (int64 i = 0; i < q->n; i++)
		ring[i] = q->ring[(q->first + i) & (q->capacity - 1)];
	if (q->ring != NULL)
		pfree(q->ring);
	q->ring = ring;
	q->capacity = capacity;
	q->first = 0;
}

static inline entry *
queue_at(const queue *q, int64 i)
{
	return &q->ring[(q->first + i) & (q->capacity - 1)];
}

static inline void
queue_push(queue *q, MemoryContext context, entry e)
{
	if (unlikely(q->n == q->capacity))
		queue_grow(q, context);
	*queue_at(q, q->n++) = e;
}

/* An offset of the frame; argument i. */
static int64
frame_offset(FunctionCallInfo fcinfo, int i, const char *name)
{
	bool		isnull;
	int32		offset = DatumGetInt32(WinGetFuncArgCurrent(PG_WINDOW_OBJECT(),
															i, &isnull));

	if (isnull)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PRECEDING_OR_FOLLOWING_SIZE),
				errmsg("%s must not be null", name));
	if (offset < 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PRECEDING_OR_FOLLOWING_SIZE),
				errmsg("%s must not be negative: %d", name, offset));
	return offset;
}

/* Offsets belong to a partition: where they are no constants, all rows agree. */
static void
open_offsets(FunctionCallInfo fcinfo, partition *p, bool first)
{
	int64		preceding;
	int64		following;

	if (!first && get_fn_expr_arg_stable(fcinfo->flinfo, 1) &&
		get_fn_expr_arg_stable(fcinfo->flinfo, 2))
		return;
	preceding = frame_offset(fcinfo, 1, "preceding");
	following = frame_offset(fcinfo, 2, "following");
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

/* What a moving function does with a row that enters or leaves its frame. */
typedef void (*row_function) (partition *p, entry e);

/* Bring the frame to the current row. */
static inline partition *
move_frame(FunctionCallInfo fcinfo, row_function enter, row_function leave)
{
	WindowObject window = PG_WINDOW_OBJECT();
	partition  *p = open_partition(fcinfo);
	int64		row = WinGetCurrentPosition(window);

	open_offsets(fcinfo, p, row == 0);
	while (!p->end && p->next <= row + p->following)
	{
		bool		isnull;
		bool		isout = false;
		Datum		datum = p->next == row ?
			WinGetFuncArgCurrent(window, 0, &isnull) :
			WinGetFuncArgInPartition(window, 0, (int) (p->next - row),
									 WINDOW_SEEK_CURRENT, false, &isnull, &isout);

		if (isout)
			p->end = true;
		else
		{
			entry		e = {p->next++, {0}};

			if (!isnull)
			{
				e.value = number_from_datum(datum, p->type);
				enter(p, e);
			}
		}
	}
	while (p->frame.n > 0 && queue_at(&p->frame, 0)->row < row - p->preceding)
	{
		entry		e = *queue_at(&p->frame, 0);

		p->frame.first = (p->frame.first + 1) & (p->frame.capacity - 1);
		p->frame.n--;
		if (leave != NULL)
			leave(p, e);
	}
	return p;
}

static inline void
enter_sum(partition *p, entry e, bool squares)
{
	queue_push(&p->frame, p->context, e);
	if (unlikely(p->state == NULL))
		open_state(p, p->is_float ?
				   (squares ? GS_STATE_MOMENTS : GS_STATE_REALS) :
				   (squares ? GS_STATE_INTEGER_MOMENTS : GS_STATE_INTEGERS));
	keep_state(p, p->is_float ? gs_state_add_double(p->state, e.value.d) :
			   gs_state_add_integer(p->state, e.value.i));
}

static void
enter_sums(partition *p, entry e)
{
	enter_sum(p, e, false);
}

static void
enter_moments(partition *p, entry e)
{
	enter_sum(p, e, true);
}

static void
leave_sums(partition *p, entry e)
{
	keep_state(p, p->is_float ? gs_state_remove_double(p->state, e.value.d) :
			   gs_state_remove_integer(p->state, e.value.i));
}

/* Rows that a later one makes superfluous go from the queue's end. */
static inline void
enter_extreme(partition *p, entry e, bool greatest)
{
	queue	   *q = &p->frame;

	while (q->n > 0)
	{
		number		last = queue_at(q, q->n - 1)->value;

		if (greatest ? is_below(e.value, last, p->is_float) :
			is_below(last, e.value, p->is_float))
			break;
		q->n--;
	}
	queue_push(q, p->context, e);
}

static void
enter_least(partition *p, entry e)
{
	enter_extreme(p, e, false);
}

static void
enter_greatest(partition *p, entry e)
{
	enter_extreme(p, e, true);
}

static Datum
first_of_queue(FunctionCallInfo fcinfo, const partition *p)
{
	if (p->frame.n == 0)
		PG_RETURN_NULL();
	return datum_from_number(queue_at(&p->frame, 0)->value, p->type);
}

PG_FUNCTION_INFO_V1(gpu_window_moving_sum);

Datum
gpu_window_moving_sum(PG_FUNCTION_ARGS)
{
	partition  *p = move_frame(fcinfo, enter_sums, leave_sums);

	if (p->frame.n == 0)
		PG_RETURN_NULL();
	return (!p->is_float ? gs_state_sum_bigint :
			p->type == GS_FLOAT8 ? gs_state_sum_double : gs_state_sum_real)
		(p->state, &fcinfo->isnull);
}

PG_FUNCTION_INFO_V1(gpu_window_moving_avg);

Datum
gpu_window_moving_avg(PG_FUNCTION_ARGS)
{
	partition  *p = move_frame(fcinfo, enter_sums, leave_sums);

	if (p->frame.n == 0)
		PG_RETURN_NULL();
	return (p->is_float ? gs_state_avg_double : gs_state_avg_numeric)
		(p->state, &fcinfo->isnull);
}

PG_FUNCTION_INFO_V1(gpu_window_moving_stddev);

Datum
gpu_window_moving_stddev(PG_FUNCTION_ARGS)
{
	partition  *p = move_frame(fcinfo, enter_moments, leave_sums);

	if (p->frame.n == 0)
		PG_RETURN_NULL();
	return gs_state_stddev_samp(p->state, &fcinfo->isnull);
}

PG_FUNCTION_INFO_V1(gpu_window_moving_min);

Datum
gpu_window_moving_min(PG_FUNCTION_ARGS)
{
	return first_of_queue(fcinfo, move_frame(fcinfo, enter_least, NULL));
}

PG_FUNCTION_INFO_V1(gpu_window_moving_max);

Datum
gpu_window_moving_max(PG_FUNCTION_ARGS)
{
	return first_of_queue(fcinfo, move_frame(fcinfo, enter_greatest, NULL));
}

