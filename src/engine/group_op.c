/*-------------------------------------------------------------------------
 *
 * group_op.c
 *	  GS_GROUP, an operation over two arrays, as a plan.
 *
 * What engines for operations (engine.h) have in common when they leave
 * GS_GROUP to an engine for plans (group.h).
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/group_op.h"

enum
{
	ELEMENTS,					/* columns of the plan */
	KEYS
};

/* The aggregates in the order of their bits. */
static const gs_aggregate_kind kinds[GS_GROUP_OP_AGGREGATES] = {
	GS_AGG_COUNT, GS_AGG_SUM, GS_AGG_SQUARES, GS_AGG_MIN, GS_AGG_MAX,
	GS_AGG_PERCENTILE
};

void
gs_group_op_plan(const gs_op *op, gs_group_op *g)
{
	memset(g, 0, sizeof *g);
	for (int i = 0; i < GS_GROUP_OP_AGGREGATES; i++)
	{
		gs_aggregate *a = &g->aggregate[g->plan.aggregates];

		if (!(op->aggregates & 1 << i))
			continue;
		a->kind = kinds[i];
		a->a = GS_COLUMN(ELEMENTS);
		a->b = GS_NOTHING;
		a->filter = GS_NOTHING;
		if (kinds[i] == GS_AGG_PERCENTILE)
			a->fraction = 0.5;
		g->plan.aggregates++;
	}
	g->column[ELEMENTS] = (uint8_t) op->type;
	g->column[KEYS] = (uint8_t) op->key_type;
	g->key = GS_COLUMN(KEYS);
	g->plan.columns = GS_GROUP_OP_COLUMNS;
	g->plan.keys = 1;
	g->plan.filter = GS_NOTHING;
	g->plan.column = g->column;
	g->plan.key = &g->key;
	g->plan.aggregate = g->aggregate;
}

static void
set_column(gs_column_data *column, gs_type type, const gs_span *span,
		   int64_t n)
{
	column->values = span->values;
	column->validity = span->present < n ? span->validity : NULL;
	column->packed = 1;
	column->width = gs_type_width(type);
	column->low = 1;			/* above high: not known */
}

void
gs_group_op_input(const gs_op *op, const gs_input *in, gs_group_op_batch *b)
{
	memset(b, 0, sizeof *b);
	set_column(&b->column[ELEMENTS], (gs_type) op->type, &in->data, in->n);
	set_column(&b->column[KEYS], (gs_type) op->key_type, &in->mask, in->n);
	b->batch.n = in->n;
	b->batch.column = b->column;
}

int
gs_group_op_column(const gs_op *op, gs_column column)
{
	static const struct
	{
		int32_t		bit;
		bool		wide;
	}			states[GS_COLUMNS] = {
		[GS_COLUMN_COUNTS] = {GS_GROUP_COUNT, false},
		[GS_COLUMN_SUMS] = {GS_GROUP_SUM, false},
		[GS_COLUMN_WIDE_SUMS] = {GS_GROUP_SUM, true},
		[GS_COLUMN_SQUARES] = {GS_GROUP_SQUARES, false},
		[GS_COLUMN_WIDE_SQUARES] = {GS_GROUP_SQUARES, true},
		[GS_COLUMN_MIN] = {GS_GROUP_MIN, false},
		[GS_COLUMN_MAX] = {GS_GROUP_MAX, false},
		[GS_COLUMN_MEDIANS] = {GS_GROUP_MEDIAN, false}
	};
	bool		is_float = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;
	int			aggregate;

	if (column == GS_COLUMN_KEYS)
		return GS_FETCH_KEY(0);
	if (column == GS_COLUMN_KEY_NULLS)
		return GS_FETCH_NULLS;
	if ((unsigned) column >= GS_COLUMNS ||
		!(op->aggregates & states[column].bit) ||
		(states[column].wide && !is_float))
		return -1;
	aggregate = __builtin_popcount((unsigned) op->aggregates &
								   (unsigned) (states[column].bit - 1));
	return states[column].wide ? GS_FETCH_WIDE(aggregate) :
		GS_FETCH_STATE(aggregate);
}

int64_t
gs_wide_end(const gs_float_sum *sums, int64_t n)
{
	int64_t		end = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (sums[i].wide > end)
			end = sums[i].wide;
	}
	return end;
}

bool
gs_group_op_valid(const gs_op *op, gs_column column, const void *results,
				  int64_t n, int64_t groups)
{
	const gs_float_sum *sum = results;
	bool		squares = column == GS_COLUMN_SQUARES;

	if ((column != GS_COLUMN_SUMS && !squares) ||
		(op->type != GS_FLOAT4 && op->type != GS_FLOAT8))
		return true;
	for (int64_t i = 0; i < n; i++)
	{
		if (sum[i].wide < 0 || sum[i].wide > groups || sum[i].first < 0 ||
			sum[i].first >= (squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS))
			return false;
	}
	return true;
}

size_t
gs_group_op_width(const gs_op *op, gs_column column)
{
	gs_group_op g;

	gs_group_op_plan(op, &g);
	return gs_fetch_width(&g.plan, gs_group_op_column(op, column));
}
