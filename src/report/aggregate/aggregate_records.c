/*-------------------------------------------------------------------------
 *
 * aggregate_records.c
 *	  count(DISTINCT (a, b)): both values as one integer of 64 bits.  (Of other
 *	  records, rows are chosen that are counted: chosen_rows.c.)
 *
 * Each has 32 of them, and NULL is the least integer that these hold.  Codes and
 * smaller integers are never that.  Of an integer of 32 bits the negative is
 * taken, which for the least one is an error of the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/nodeFuncs.h"

#include "report/aggregate/aggregate_rules.h"
#include "report/translate/translate_parts.h"

/* A value as PG_INT32_MIN to PG_INT32_MAX, of type GS_INT8. */
static bool
put_half(gs_translation *t, Expr *e, gs_operand *r)
{
	gs_operand	is_null;
	gs_operand	null;
	gs_operand	a;

	if (!gs_translate_any(t, e, &a) ||
		!gs_put_unary(t, GS_CODE_IS_NULL, a, &is_null) ||
		!gs_put_bigint(t, PG_INT32_MIN, &null))
		return false;
	switch (gs_operand_type(&t->plan, a))
	{
		case GS_BOOL:
			if (!gs_put_bool_to_int4(t, a, &a))
				return false;
			break;
		case GS_INT2:
			break;
		case GS_INT4:
			if (!gs_is_code(t, a) && !gs_put_unary(t, GS_CODE_NEGATE, a, &a))
				return false;
			break;
		default:
			return gs_untranslated(t, "a record's values have more than 4 bytes");
	}
	return gs_put_cast(t, GS_INT8, a, &a) &&
		gs_put_choose(t, is_null, null, a, r);
}

/* Has each value 32 bits?  Those of text have codes. */
bool
gs_report_is_small_record(const RowExpr *row)
{
	ListCell   *cell;

	foreach(cell, row->args)
	{
		Node	   *value = lfirst(cell);
		gs_report_column column;
		gs_type		type;

		if (!gs_column_form_of(exprType(value), exprTypmod(value),
							   exprCollation(value), &column, &type) ||
			(column.form != GS_FORM_CODE &&
			 (column.form != GS_FORM_VALUE || type == GS_INT8 ||
			  type == GS_FLOAT4 || type == GS_FLOAT8)))
			return false;
	}
	return list_length(row->args) == 2;
}

bool
gs_report_record_put(gs_translation *t, const RowExpr *row, gs_operand *r)
{
	gs_operand	high;
	gs_operand	low;
	gs_operand	unit;
	gs_operand	least;

	return put_half(t, linitial(row->args), &high) &&
		put_half(t, lsecond(row->args), &low) &&
		gs_put_bigint(t, INT64_C(1) << 32, &unit) &&
		gs_put_bigint(t, -(int64) PG_INT32_MIN, &least) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, high, unit, &high) &&
		gs_put_binary(t, GS_CODE_ADD, low, least, &low) &&
		gs_put_binary(t, GS_CODE_ADD, high, low, r);
}
