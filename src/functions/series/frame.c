/*-------------------------------------------------------------------------
 *
 * frame.c
 *	  A moving frame: reductions over the values in it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/datum.h"

#include "functions/order/decimal_order.h"
#include "functions/reduce/reduce.h"
#include "functions/series/frame.h"

void
gs_frame_open(gs_frame *f, Oid type, MemoryContext context)
{
	memset(f, 0, sizeof(gs_frame));
	f->context = context;
	f->decimals = type == NUMERICOID;
	f->owned = f->decimals;
	f->type = f->decimals ? GS_INT8 : gs_type_from_oid(type);
	f->is_float = gs_is_float(f->type);
}

void
gs_frame_open_state(gs_frame *f, gs_state_kind kind)
{
	MemoryContext old = MemoryContextSwitchTo(f->context);

	f->state = gs_state_new(kind);
	MemoryContextSwitchTo(old);
}

/* Check an offset of the frame. */
int64
gs_frame_offset(int32 offset, bool isnull, const char *name)
{
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

/* The offset that is argument i. */
int64
gs_frame_argument(FunctionCallInfo fcinfo, int i, const char *name)
{
	return gs_frame_offset(PG_ARGISNULL(i) ? 0 : PG_GETARG_INT32(i),
						   PG_ARGISNULL(i), name);
}

gs_number
gs_frame_copy(const gs_frame *f, gs_number decimal)
{
	MemoryContext old = MemoryContextSwitchTo(f->context);
	gs_number	copy = gs_number_of_decimal(datumCopy(gs_decimal_of(decimal),
													  false, -1));

	MemoryContextSwitchTo(old);
	return copy;
}

static inline void
free_number(const gs_frame *f, gs_number number)
{
	if (f->owned)
		pfree(DatumGetPointer(gs_decimal_of(number)));
}

static void
grow(gs_frame *f)
{
	int64		capacity = f->capacity == 0 ? 8 : 2 * f->capacity;
	gs_frame_entry *ring;

	if (capacity > (int64) (MaxAllocHugeSize / sizeof(gs_frame_entry)))
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("a frame of more than %lld rows is too large",
					   (long long) f->capacity));
	ring = MemoryContextAllocHuge(f->context,
								  capacity * sizeof(gs_frame_entry));
	for (int64 i = 0; i < f->n; i++)
		ring[i] = f->ring[(f->first + i) & (f->capacity - 1)];
	if (f->ring != NULL)
		pfree(f->ring);
	f->ring = ring;
	f->capacity = capacity;
	f->first = 0;
}

void
gs_frame_push(gs_frame *f, int64 row, gs_number value)
{
	gs_frame_entry *e;

	if (unlikely(f->n == f->capacity))
		grow(f);
	e = &f->ring[(f->first + f->n++) & (f->capacity - 1)];
	e->row = row;
	e->value = value;
}

void
gs_frame_drop_last(gs_frame *f)
{
	f->n--;
	free_number(f, gs_frame_entry_at(f, f->n)->value);
}

/* Add a row's value, and keep it if it is needed again when it leaves. */
void
gs_frame_enter(gs_frame *f, int64 row, gs_number value, const gs_moving *what)
{
	if (what->leave != NULL)
		gs_frame_push(f, row, value);
	what->enter(f, row, value);
}

/* Remove the values of all rows before `row`. */
void
gs_frame_leave(gs_frame *f, int64 row, const gs_moving *what)
{
	while (f->n > 0 && gs_frame_entry_at(f, 0)->row < row)
	{
		gs_number	value = gs_frame_entry_at(f, 0)->value;

		f->first = (f->first + 1) & (f->capacity - 1);
		f->n--;
		if (what->leave != NULL)
			what->leave(f, value);
		free_number(f, value);
	}
}

static inline void
enter_sum(gs_frame *f, gs_number value, bool squares)
{
	if (unlikely(f->state == NULL))
		gs_frame_open_state(f, f->is_float ?
							(squares ? GS_STATE_MOMENTS : GS_STATE_REALS) :
							(squares ? GS_STATE_INTEGER_MOMENTS :
							 GS_STATE_INTEGERS));
	gs_frame_keep_state(f, f->is_float ?
						gs_state_add_double(f->state, value.d) :
						gs_state_add_integer(f->state, value.i));
}

static void
enter_sums(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	enter_sum(f, value, false);
}

static void
enter_moments(gs_frame *f, int64 row pg_attribute_unused(),
			  gs_number value)
{
	enter_sum(f, value, true);
}

static void
leave_sums(gs_frame *f, gs_number value)
{
	gs_frame_keep_state(f, f->is_float ?
						gs_state_remove_double(f->state, value.d) :
						gs_state_remove_integer(f->state, value.i));
}

/* Is a the one that stands before b, as the result of a frame with both? */
static bool
decimal_is_better(gs_number a, gs_number b, bool max)
{
	return max ? gs_decimal_greatest(gs_decimal_of(a), gs_decimal_of(b)) > 0 :
		gs_decimal_compare(gs_decimal_of(a), gs_decimal_of(b)) < 0;
}

/* Drop candidates that the new value supersedes from the end of the queue. */
static inline void
enter_extreme(gs_frame *f, int64 row, gs_number value, bool max)
{
	while (f->n > 0)
	{
		gs_number	last = gs_frame_entry_at(f, f->n - 1)->value;

		if (f->decimals ? decimal_is_better(last, value, max) :
			max ? gs_number_is_below(value, last, f->is_float) :
			gs_number_is_below(last, value, f->is_float))
			break;
		gs_frame_drop_last(f);
	}
	gs_frame_push(f, row, value);
}

static void
enter_min(gs_frame *f, int64 row, gs_number value)
{
	enter_extreme(f, row, value, false);
}

static void
enter_max(gs_frame *f, int64 row, gs_number value)
{
	enter_extreme(f, row, value, true);
}

static Datum
sum_of_frame(const gs_frame *f, bool *isnull)
{
	return gs_state_result(f->state, !f->is_float ? GS_FIGURE_SUM_BIGINT :
						   gs_sum_figure(f->type), isnull);
}

static Datum
avg_of_frame(const gs_frame *f, bool *isnull)
{
	return gs_state_result(f->state, GS_FIGURE_AVG, isnull);
}

static Datum
stddev_of_frame(const gs_frame *f, bool *isnull)
{
	return gs_state_result(f->state, GS_FIGURE_STDDEV_SAMP, isnull);
}

/* The minimum or maximum. */
static Datum
first_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	gs_number	first = gs_frame_entry_at(f, 0)->value;

	if (f->decimals)
		return datumCopy(gs_decimal_of(first), false, -1);
	return gs_datum_from_number(first, f->type);
}

const gs_moving gs_moving_sum = {enter_sums, leave_sums, sum_of_frame};
const gs_moving gs_moving_avg = {enter_sums, leave_sums, avg_of_frame};
const gs_moving gs_moving_stddev = {enter_moments, leave_sums, stddev_of_frame};
const gs_moving gs_moving_min = {enter_min, NULL, first_of_frame};
const gs_moving gs_moving_max = {enter_max, NULL, first_of_frame};
