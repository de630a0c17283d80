/*-------------------------------------------------------------------------
 *
 * reference_elements.c
 *	  The reference of roots, exponentials and the like: one element after the
 *	  other.  That of one alone elementary_test.c and line_test.c compare with
 *	  MPFR.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/elements.h"
#include "exact/elementary.h"
#include "reference.h"

void
reference_of_elements(const gs_op *op, const test_array *a, outcome *o)
{
	gs_elementary_init();
	for (int64_t i = 0; i < a->n; i++)
	{
		bool		has = a->valid[i];
		gs_value	y = {.i8 = 0};
		gs_value	v = {.i8 = 0};
		gs_answer	answer = GS_ANSWERED;

		if (op->kind == GS_PCT_CHANGE)
		{
			has = has && i > 0 && a->valid[i - 1];
			if (has)
				y = a->v[i - 1];
		}
		else if (gs_has_mask(op))
		{
			has = has && a->mask_valid[i];
			y = other_factor(a, i);
		}
		if (has)
			answer = gs_element(op, &a->v[i], &y, &v);
		if (answer != GS_ANSWERED && o->status == GS_OK)
		{
			o->status = GS_VALUE_ERROR;
			o->answer = answer;
			o->position = i + 1;
		}
		emit(o, has, v);
	}
}
