/*-------------------------------------------------------------------------
 *
 * translate_parts.h
 *	  A plan while it is made: what the files of translation share.
 *
 * Functions that return a bool return false, with t->reason, if it cannot be
 * done.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TRANSLATE_PARTS_H
#define GS_REPORT_TRANSLATE_PARTS_H

#include "report/translate.h"

/* The plan's arrays. */
typedef struct gs_translation_private
{
	uint8_t		column[GS_PLAN_COLUMNS];
	gs_instruction code[GS_PLAN_CODE];
	bool		raises[GS_PLAN_CODE];	/* can the result be an error? */
	gs_constant constant[GS_PLAN_CONSTANTS];

	/* what a constant stands for whose value is not known yet, else NULL */
	Expr	   *source[GS_PLAN_CONSTANTS];
	gs_value   *list;
	int32		list_space;
	gs_operand	key[GS_PLAN_KEYS];
	gs_aggregate aggregate[GS_PLAN_AGGREGATES];

	/* what a CaseTestExpr stands for, or GS_NOTHING */
	gs_operand	case_value;
} gs_translation_private;

/* translate.c */
extern bool gs_untranslated(gs_translation *t, const char *reason);
extern bool gs_put(gs_translation *t, gs_instruction in, gs_operand *r);
extern bool gs_put_unary(gs_translation *t, gs_code code, gs_operand a,
						 gs_operand *r);
extern bool gs_put_binary(gs_translation *t, gs_code code, gs_operand a,
						  gs_operand b, gs_operand *r);
extern bool gs_put_choose(gs_translation *t, gs_operand a, gs_operand b,
						  gs_operand c, gs_operand *r);
extern bool gs_put_constant(gs_translation *t, gs_constant value,
							Expr *source, gs_operand *r);
extern bool gs_put_boolean(gs_translation *t, bool value, gs_operand *r);
extern bool gs_put_null(gs_translation *t, gs_type type, gs_operand *r);
extern bool gs_put_cast(gs_translation *t, gs_type to, gs_operand a,
						gs_operand *r);
extern bool gs_translate_part(gs_translation *t, Expr *expression,
							  gs_operand *r);

/* The operand's constant, if that is what it is, and its value is known. */
extern const gs_constant *gs_known_constant(const gs_translation *t,
											gs_operand operand);
extern bool gs_can_raise(const gs_translation *t, gs_operand operand);

/* translate_constant.c */
extern bool gs_has_no_column(Expr *expression);
extern Datum gs_evaluate(gs_translation *t, Expr *expression, bool *isnull);
extern bool gs_put_value(gs_translation *t, Expr *expression, gs_operand *r);
extern gs_value gs_value_from_datum(gs_type type, Datum datum);
extern bool gs_convert(gs_type from, gs_value value, gs_type to,
					   gs_value *result);
extern bool gs_put_in(gs_translation *t, gs_operand a, Expr *array,
					  gs_type type, gs_operand *r);

/* translate_expression.c: what is made of other expressions */
extern bool gs_translate_compound(gs_translation *t, Expr *expression,
								  gs_operand *r);
extern bool gs_translate_and(gs_translation *t, List *list, gs_operand *r);

/* translate_dates.c: false without a reason if it is another function */
extern bool gs_translate_dates(gs_translation *t, Oid function, List *args,
							   gs_operand *r);

/* translate_operators.c: by function OIDs, which must be set */
extern bool gs_translate_function(gs_translation *t, Oid oid, List *args,
								  gs_operand *r);
extern bool gs_translate_null_if(gs_translation *t, OpExpr *e,
								 gs_operand *r);
extern bool gs_translate_distinct(gs_translation *t, OpExpr *e,
								  gs_operand *r);
extern bool gs_translate_in(gs_translation *t, ScalarArrayOpExpr *e,
							gs_operand *r);

#endif							/* GS_REPORT_TRANSLATE_PARTS_H */
