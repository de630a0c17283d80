/*-------------------------------------------------------------------------
 *
 * aggregate_descending.c
 *	  Aggregates of sorted values, in descending order.
 *
 * The engine's values ascend, so it gets reversed ones: integers as -1 - v, which
 * cannot overflow, and floats as -v.  Places among them are those of the
 * fractions that the query has.  The fractions 1 - f would not do: they are
 * rounded, and then the values on both sides may be other ones.  Codes have
 * reversed ranks (aggregate_ranks.c).
 *
 * NaN, which is above all else, and is its own reverse, would be at the wrong
 * end: a group with one is left to the ordinary plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/nodeFuncs.h"
#include "utils/typcache.h"

#include "report/aggregate/aggregate_rules.h"
#include "report/translate/translate_parts.h"

bool
gs_report_has_usual_order(const Aggref *aggref, bool *descending)
{
	const SortGroupClause *clause;
	TypeCacheEntry *type;

	if (list_length(aggref->aggorder) != 1 || list_length(aggref->args) != 1)
		return false;
	clause = linitial_node(SortGroupClause, aggref->aggorder);
	type = lookup_type_cache(exprType((Node *)
									  linitial_node(TargetEntry,
													aggref->args)->expr),
							 TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);
	*descending = clause->sortop == type->gt_opr;
	return *descending || clause->sortop == type->lt_opr;
}

bool
gs_report_put_reversed(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_constant c;
	gs_operand	minus_one;

	memset(&c, 0, sizeof c);
	c.type = gs_operand_type(&t->plan, a);
	switch (c.type)
	{
		case GS_INT2:
			c.value.i2 = -1;
			break;
		case GS_INT4:
			c.value.i4 = -1;
			break;
		case GS_INT8:
			c.value.i8 = -1;
			break;
		default:
			return gs_put_unary(t, GS_CODE_NEGATE, a, r);
	}
	return gs_put_scaled(t, c, gs_scale_of(t, a), NULL, &minus_one) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, minus_one, a, r);
}

/* Of a zero, which the engine may have as -0, it is 0. */
gs_value
gs_report_reversed(gs_type type, gs_value v)
{
	switch (type)
	{
		case GS_INT2:
			v.i2 = -1 - v.i2;
			break;
		case GS_INT4:
			v.i4 = -1 - v.i4;
			break;
		case GS_INT8:
			v.i8 = -1 - v.i8;
			break;
		case GS_FLOAT4:
			v.f4 = 0 - v.f4;
			break;
		default:
			v.f8 = 0 - v.f8;
	}
	return v;
}
