/*-------------------------------------------------------------------------
 *
 * example.c
 *	  An example of each operation, for what has to try them all.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/plan.h"

static const double edges[] = {0, 1};
static const int64_t keys[] = {0};

static void
set_buckets(gs_op *op)
{
	op->histogram.buckets = 1;
	if (op->kind == GS_HISTOGRAM_EDGES)
		op->histogram.edges = edges;
	else
	{
		op->histogram.high = 1;
		op->histogram.formula = GS_BUCKET_PRODUCT_FIRST;
	}
}

/* The sum of two arrays. */
static void
set_expression(gs_op *op)
{
	op->expression.arrays = 2;
	op->expression.steps = 1;
	op->expression.step[0].code = GS_CODE_ADD;
	op->expression.step[0].a = GS_COLUMN(0);
	op->expression.step[0].b = GS_COLUMN(1);
}

static void
set_map(gs_op *op)
{
	switch (op->kind)
	{
		case GS_SEARCH:
			op->search.keys = keys;
			op->search.count = 1;
			break;
		case GS_ARITHMETIC:
			set_expression(op);
			break;
		case GS_COMPARE:
			op->pairs.compare = GS_LT;
			break;
		case GS_CHOOSE:
			op->choose.has_constant = true;
			break;
		case GS_SHIFT:
			op->shift.places = 1;
			break;
		case GS_POWER:
			op->power.constant = 1.5;
			break;
		case GS_ROUND:
			op->round.digits = gs_is_float((gs_type) op->type) ? 2 : -2;
			break;
	}
	if (gs_is_placement((gs_kind) op->kind) && gs_has_mask(op))
	{
		op->mask.type = GS_INT4;
		op->mask.elements = 1;
	}
}

static void
set_moving(gs_op *op)
{
	if (op->kind == GS_EWMA)
		op->ewma.alpha = 0.1;
	else
		op->moving.preceding = 49;
	if (op->kind == GS_MOVING_PERCENTILE)
		op->percentile.fraction = 0.5;
}

bool
gs_op_example(gs_kind kind, gs_type type, gs_op *op)
{
	memset(op, 0, sizeof *op);
	op->kind = kind;
	op->type = type;
	switch (gs_family_of(kind))
	{
		case GS_FAMILY_HISTOGRAM:
			set_buckets(op);
			break;
		case GS_FAMILY_MAP:
			set_map(op);
			break;
		case GS_FAMILY_COMPACT:
			if (kind == GS_FILTER)
			{
				op->filter.compare = GS_GT;
				op->filter.integer_bound = !gs_is_float(type);
				op->filter.bound = gs_is_float(type) ? 1 : 0;
			}
			break;
		case GS_FAMILY_ORDER:
			if (kind == GS_TRANSPOSE)
				op->transpose.columns = 1000;
			break;
		case GS_FAMILY_GROUP:
			op->mask.type = GS_INT4;
			op->aggregates = GS_GROUP_COUNT | GS_GROUP_SUM;
			break;
		case GS_FAMILY_EXPRESSION:
			op->aggregates = GS_GROUP_COUNT | GS_GROUP_SUM;
			set_expression(op);
			break;
		case GS_FAMILY_SEGMENT:
			op->segment.length = 1000;
			break;
		case GS_FAMILY_MOVING:
			set_moving(op);
			break;
		default:
			break;
	}
	return gs_op_check(op) == GS_OK;
}
