/*-------------------------------------------------------------------------
 *
 * aggregate_records.c
 *	  count(DISTINCT (a, b)): both values as one integer of 64 bits.
 *
 * Each has 32 of them, and NULL is the least integer that these hold.  Codes and
 * smaller integers are never that.  Of an integer of 32 bits the negative is
 * taken, which for the least one is an error of the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

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
			return gs_untranslated(t, "a record's values are not integers of up to 4 bytes, dates, booleans or text");
	}
	return gs_put_cast(t, GS_INT8, a, &a) &&
		gs_put_choose(t, is_null, null, a, r);
}

bool
gs_report_record_put(gs_translation *t, const RowExpr *row, gs_operand *r)
{
	gs_operand	high;
	gs_operand	low;
	gs_operand	unit;
	gs_operand	least;

	if (list_length(row->args) != 2)
		return gs_untranslated(t, "a record has not two columns");
	return put_half(t, linitial(row->args), &high) &&
		put_half(t, lsecond(row->args), &low) &&
		gs_put_bigint(t, INT64_C(1) << 32, &unit) &&
		gs_put_bigint(t, -(int64) PG_INT32_MIN, &least) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, high, unit, &high) &&
		gs_put_binary(t, GS_CODE_ADD, low, least, &low) &&
		gs_put_binary(t, GS_CODE_ADD, high, low, r);
}
