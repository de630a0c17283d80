/*-------------------------------------------------------------------------
 *
 * group.c
 *	  gpu_group and others: aggregates of elements by key.
 *
 * An engine groups the elements and keeps exact states.  The backend fetches
 * these for some groups at a time, rounds them as the reductions do, and
 * appends rows to a tuplestore, which goes to disk beyond work_mem.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/tuplestore.h"

#include "call/call.h"
#include "call/decimal.h"
#include "call/decimal_array.h"
#include "call/figures.h"
#include "engine/group_op.h"
#include "functions/order/decimal_order.h"
#include "functions/order/order.h"
#include "functions/reduce/reduce.h"
#include "pg/row_type.h"

/* Groups that are fetched at a time; a state has up to 150 bytes. */
#define CHUNK_GROUPS	4096

/* Wide sums that are fetched at a time, of up to 1080 bytes each. */
#define CHUNK_WIDE		1024

/* The columns of rows, behind the key. */
typedef enum figure
{
	COUNT,
	SUM,
	AVG,
	MIN,
	MAX,
	STDDEV,
	MEDIAN,
	FIGURES
} figure;

/* What an engine must compute for them. */
static const int32 needs[FIGURES] = {
	[COUNT] = GS_GROUP_COUNT,
	[SUM] = GS_GROUP_SUM,
	[AVG] = GS_GROUP_COUNT | GS_GROUP_SUM,
	[MIN] = GS_GROUP_MIN,
	[MAX] = GS_GROUP_MAX,
	[STDDEV] = GS_GROUP_COUNT | GS_GROUP_SUM | GS_GROUP_SQUARES,
	[MEDIAN] = GS_GROUP_COUNT | GS_GROUP_MEDIAN
};

/* Wide sums, which are numbered in the order of the groups: some are here. */
typedef struct wide_sums
{
	gs_column	column;
	size_t		width;			/* bytes of one */
	int64		first;			/* the first that is here */
	int64		n;
	int64		end;			/* of those of the chunk */
	char	   *sums;
} wide_sums;

/* A call while it fetches; what gs_call.fetch_arg is. */
typedef struct group_rows
{
	int			figures;
	const figure *figure;
	Tuplestorestate *rows;
	TupleDesc	desc;
	gs_type		type;			/* of the elements */
	bool		decimals;		/* which are decimals times 10^scale */
	int			scale;
	gs_type		key_type;

	/* some groups: their results by column, NULL where there is none */
	int64		first;
	int64		n;
	char	   *column[GS_COLUMNS];
	wide_sums	of_sums;
	wide_sums	of_squares;
} group_rows;

/* The results of one group. */
typedef struct group
{
	int64		count;			/* not NULL; 1 stands for any but 0 */
	gs_sums		sums;
	int64		sum_space[GS_FLOAT_SUM_LIMBS];
	int64		squares_space[GS_FLOAT_SUM_LIMBS];
} group;

static bool
is_wide(gs_column column)
{
	return column == GS_COLUMN_WIDE_SUMS || column == GS_COLUMN_WIDE_SQUARES;
}

/* The wide sum of this number; fetches it, and some that follow. */
static gs_status
find_wide(gs_call *call, const gs_engine *engine, wide_sums *w, int64 number,
		  const void **sum)
{
	gs_status	status = GS_OK;

	if (number < w->first || number >= w->first + w->n)
	{
		w->first = number;
		w->n = Min(CHUNK_WIDE, w->end - number);
		status = engine->fetch(call->run, w->column, w->first, w->n, w->sums);
	}
	*sum = w->sums + (number - w->first) * w->width;
	return status;
}

/* A float sum of group i of the chunk. */
static gs_status
find_limbs(gs_call *call, const gs_engine *engine, const char *sums,
		   wide_sums *w, int64 i, int64 *space, gs_limbs *limbs)
{
	const gs_float_sum *sum = (const gs_float_sum *) sums + i;
	const void *wide = NULL;
	gs_status	status = GS_OK;

	if (sum->wide > 0)
		status = find_wide(call, engine, w, sum->wide - 1, &wide);
	if (status == GS_OK)
		*limbs = gs_float_sum_limbs(sum, w->column == GS_COLUMN_WIDE_SQUARES,
									wide, space);
	return status;
}

/* The exact sums of group i of the chunk, which has a value. */
static gs_status
find_sums(gs_call *call, const gs_engine *engine, group_rows *g, int64 i,
		  group *one)
{
	const char *sums = g->column[GS_COLUMN_SUMS];
	const char *squares = g->column[GS_COLUMN_SQUARES];
	gs_status	status = GS_OK;

	if (!gs_is_float(g->type))
	{
		const gs_integer_sum *sum = (const gs_integer_sum *) sums + i;
		const gs_integer_sum *square = (const gs_integer_sum *) squares + i;

		if (sums != NULL)
			one->sums = gs_sums_of_integers(one->count, sum->word,
											lengthof(sum->word),
											squares != NULL ?
											square->word : NULL, g->scale);
		return GS_OK;
	}
	one->sums.n = one->count;
	if (sums != NULL)
		status = find_limbs(call, engine, sums, &g->of_sums, i,
							one->sum_space, &one->sums.x);
	if (status == GS_OK && squares != NULL)
		status = find_limbs(call, engine, squares, &g->of_squares, i,
							one->squares_space, &one->sums.xx);
	return status;
}

static Datum
element(const group_rows *g, const gs_value *value)
{
	if (g->decimals)
		return gs_decimal_make((const uint64 *) &value->i8, 1, g->scale);
	return gs_datum_from_value(g->type, value);
}

/* The middle ones are the same if their number is odd. */
static Datum
median_of_decimals(const group_rows *g, const gs_value *middle, int64 count)
{
	return gs_decimal_between(element(g, &middle[0]), element(g, &middle[1]),
							  0.5, gs_percentile_place(0.5, false, count),
							  count);
}

static Datum
make_figure(const group_rows *g, int64 i, figure which, const group *one,
			bool *isnull)
{
	const gs_value *value;

	switch (which)
	{
		case COUNT:
			break;
		case SUM:
			return gs_figure_result(g->decimals ? GS_FIGURE_SUM :
									gs_sum_figure(g->type), &one->sums,
									isnull);
		case AVG:
			return gs_figure_result(GS_FIGURE_AVG, &one->sums, isnull);
		case MIN:
			value = (const gs_value *) g->column[GS_COLUMN_MIN];
			return element(g, &value[i]);
		case MAX:
			value = (const gs_value *) g->column[GS_COLUMN_MAX];
			return element(g, &value[i]);
		case STDDEV:
			return gs_figure_result(GS_FIGURE_STDDEV_SAMP, &one->sums, isnull);
		case MEDIAN:
			value = (const gs_value *) g->column[GS_COLUMN_MEDIANS] + 2 * i;
			if (g->decimals)
				return median_of_decimals(g, value, one->count);
			return gs_interpolated(g->type, &value[0], &value[1],
								   one->count % 2 == 0 ? 0.5 : 0);
		case FIGURES:
			break;
	}
	return Int64GetDatum(one->count);
}

/* Append the row of group i of the chunk. */
static gs_status
put_row(gs_call *call, const gs_engine *engine, group_rows *g, int64 i,
		group *one)
{
	const int64 *counts = (const int64 *) g->column[GS_COLUMN_COUNTS];
	const gs_value *keys = (const gs_value *) g->column[GS_COLUMN_KEYS];
	Datum		values[1 + FIGURES];
	bool		nulls[1 + FIGURES] = {false};
	gs_status	status = GS_OK;

	one->count = counts == NULL ? 1 : counts[i];
	if (one->count > 0)
		status = find_sums(call, engine, g, i, one);
	if (status != GS_OK)
		return status;
	nulls[0] = g->column[GS_COLUMN_KEY_NULLS][i] != 0;
	values[0] = gs_datum_from_value(g->key_type, &keys[i]);
	for (int f = 0; f < g->figures; f++)
	{
		nulls[1 + f] = one->count == 0 && g->figure[f] != COUNT;
		values[1 + f] = nulls[1 + f] ? (Datum) 0 :
			make_figure(g, i, g->figure[f], one, &nulls[1 + f]);
	}
	tuplestore_putvalues(g->rows, g->desc, values, nulls);
	return GS_OK;
}

/* Fetch the next groups. */
static gs_status
fetch_chunk(gs_call *call, const gs_engine *engine, group_rows *g)
{
	gs_status	status = GS_OK;

	g->n = Min(CHUNK_GROUPS, call->result.results - g->first);
	for (int c = 0; c < GS_COLUMNS && status == GS_OK; c++)
	{
		if (g->column[c] != NULL && !is_wide(c))
			status = engine->fetch(call->run, c, g->first, g->n, g->column[c]);
	}
	if (status != GS_OK || !gs_is_float(g->type))
		return status;
	if (g->column[GS_COLUMN_SUMS] != NULL)
		g->of_sums.end =
			gs_wide_end((gs_float_sum *) g->column[GS_COLUMN_SUMS], g->n);
	if (g->column[GS_COLUMN_SQUARES] != NULL)
		g->of_squares.end =
			gs_wide_end((gs_float_sum *) g->column[GS_COLUMN_SQUARES], g->n);
	return GS_OK;
}

static void
set_wide(wide_sums *w, const gs_op *op, gs_column column, char *sums)
{
	w->column = column;
	w->n = 0;
	w->sums = sums;
	if (sums != NULL)
		w->width = gs_column_width(op, column);
}

/* Memory for the columns, in the current memory context. */
static void
allocate_columns(gs_call *call, group_rows *g)
{
	for (int c = 0; c < GS_COLUMNS; c++)
	{
		int64		most = is_wide(c) ? CHUNK_WIDE : CHUNK_GROUPS;

		g->column[c] = NULL;
		if (gs_has_column(&call->op, c))
			g->column[c] = palloc(Min(most, call->result.results) *
								  gs_column_width(&call->op, c));
	}
	set_wide(&g->of_sums, &call->op, GS_COLUMN_WIDE_SUMS,
			 g->column[GS_COLUMN_WIDE_SUMS]);
	set_wide(&g->of_squares, &call->op, GS_COLUMN_WIDE_SQUARES,
			 g->column[GS_COLUMN_WIDE_SQUARES]);
}

/* Turn all groups into rows: anew if another engine has begun with it. */
static gs_status
fetch_rows(gs_call *call, const gs_engine *engine)
{
	group_rows *g = call->fetch_arg;
	MemoryContext of_rows = AllocSetContextCreate(CurrentMemoryContext,
												  "gpuscan groups",
												  ALLOCSET_DEFAULT_SIZES);
	group	   *one = palloc0(sizeof(group));
	gs_status	status = GS_OK;

	tuplestore_clear(g->rows);
	allocate_columns(call, g);
	for (g->first = 0; g->first < call->result.results; g->first += g->n)
	{
		MemoryContext old;

		CHECK_FOR_INTERRUPTS();
		status = fetch_chunk(call, engine, g);
		old = MemoryContextSwitchTo(of_rows);
		for (int64 i = 0; i < g->n && status == GS_OK; i++)
		{
			CHECK_FOR_INTERRUPTS();
			status = put_row(call, engine, g, i, one);
		}
		MemoryContextSwitchTo(old);
		MemoryContextReset(of_rows);
		if (status != GS_OK)
			break;
	}
	MemoryContextDelete(of_rows);
	return status;
}

/* Rows as the function's result. */
static void
open_rows(FunctionCallInfo fcinfo, group_rows *g)
{
	ReturnSetInfo *info = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext old;

	if (info == NULL || !IsA(info, ReturnSetInfo) ||
		(info->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("set-valued function called in context that cannot accept a set"));
	old = MemoryContextSwitchTo(info->econtext->ecxt_per_query_memory);
	g->desc = gs_row_type(fcinfo);
	g->rows = tuplestore_begin_heap((info->allowedModes &
									 SFRM_Materialize_Random) != 0,
									false, work_mem);
	info->returnMode = SFRM_Materialize;
	info->setResult = g->rows;
	info->setDesc = g->desc;
	MemoryContextSwitchTo(old);
}

static Datum
make_rows(FunctionCallInfo fcinfo, const char *function,
		  const figure *figures, int n)
{
	group_rows	g = {.figures = n, .figure = figures};
	gs_call		call;

	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open(&call, function, GS_GROUP,
				 gs_decimal_argument(fcinfo, 1, function, &g.scale));
	g.decimals = get_fn_expr_argtype(fcinfo->flinfo, 1) == NUMERICARRAYOID;
	gs_call_set_keys(&call, PG_GETARG_DATUM(0));
	for (int i = 0; i < n; i++)
		call.op.aggregates |= needs[figures[i]];
	if (call.data.nulls)
		call.op.aggregates |= GS_GROUP_COUNT;	/* is a group all NULL? */
	g.type = call.data.type;
	g.key_type = call.mask.type;
	open_rows(fcinfo, &g);
	call.fetch = fetch_rows;
	call.fetch_arg = &g;
	gs_call_execute(&call);
	gs_call_close(&call);
	PG_RETURN_NULL();
}

#define GROUPS(function, ...) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	static const figure figures[] = {__VA_ARGS__}; \
\
	return make_rows(fcinfo, #function, figures, lengthof(figures)); \
}

GROUPS(gpu_group, COUNT, SUM, AVG, MIN, MAX, STDDEV)
GROUPS(gpu_group_count, COUNT)
GROUPS(gpu_group_sum, SUM)
GROUPS(gpu_group_avg, AVG)
GROUPS(gpu_group_min, MIN)
GROUPS(gpu_group_max, MAX)
GROUPS(gpu_group_median, MEDIAN)
