/*-------------------------------------------------------------------------
 *
 * aggregate_shifts.c
 *	  Sums and averages of x + c, where the sum of x, or of x + d, is there.
 *
 * A query may have sum(x), sum(x + 1), sum(x + 2) and so on.  All of them follow
 * from one sum and a count: sum(x + c) = sum(x) + c * count(x).
 *
 * Then nobody computes x + c, which for some x is an error: it may be out of the
 * type's range.  Where the range of x's type does not exclude that, its least
 * and greatest value tell whether it happens, and then the ordinary plan raises
 * the error.  numeric has no such range.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/aggregate/aggregate_rules.h"
#include "report/translate/translate_parts.h"

/* An operand as a base plus a constant. */
typedef struct shifted_operand
{
	gs_operand	base;
	int64		offset;
	gs_type		type;			/* in which the sum of both is computed */
} shifted_operand;

static bool
is_integer(gs_type type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

static int64
least_of(gs_type type)
{
	return type == GS_INT2 ? PG_INT16_MIN :
		type == GS_INT4 ? PG_INT32_MIN : PG_INT64_MIN;
}

static int64
greatest_of(gs_type type)
{
	return -1 - least_of(type);
}

static int64
integer_of(gs_type type, gs_value value)
{
	return type == GS_INT2 ? value.i2 : type == GS_INT4 ? value.i4 : value.i8;
}

static const gs_instruction *
instruction_of(const gs_translation *t, gs_operand a)
{
	return a < GS_RESULT(0) ? NULL : &t->private->code[a - GS_RESULT(0)];
}

/* What was cast to a wider integer. */
static gs_operand
before_casts(const gs_translation *t, gs_operand a)
{
	const gs_instruction *in = instruction_of(t, a);

	while (in != NULL && in->code == GS_CODE_CAST && is_integer(in->type) &&
		   is_integer(in->to) && in->type < in->to)
	{
		a = in->a;
		in = instruction_of(t, a);
	}
	return a;
}

/* Of integers. */
static shifted_operand
shifted_of(const gs_translation *t, gs_operand a)
{
	shifted_operand s = {.base = before_casts(t, a)};
	const gs_instruction *in = instruction_of(t, s.base);
	const gs_constant *constant;
	gs_operand	other;

	s.type = gs_operand_type(&t->plan, s.base);
	if (in == NULL ||
		(in->code != GS_CODE_ADD && in->code != GS_CODE_SUBTRACT))
		return s;
	constant = gs_known_constant(t, in->b);
	other = in->a;
	if (constant == NULL && in->code == GS_CODE_ADD)
	{
		constant = gs_known_constant(t, in->a);
		other = in->b;
	}
	if (constant == NULL || constant->null)
		return s;
	s.offset = integer_of(in->type, constant->value);
	if (in->code == GS_CODE_SUBTRACT &&
		__builtin_sub_overflow(INT64_C(0), s.offset, &s.offset))
	{
		s.offset = 0;
		return s;
	}
	s.base = before_casts(t, other);
	return s;
}

/* The sum of the operand itself, or else one of its base and another constant. */
static const gs_aggregate *
find_sum(const gs_translation *t, gs_operand a, gs_operand filter,
		 const shifted_operand *s)
{
	const gs_aggregate *found = NULL;

	for (int i = 0; i < t->plan.aggregates; i++)
	{
		const gs_aggregate *sum = &t->plan.aggregate[i];

		if (sum->kind != GS_AGG_SUM || sum->filter != filter ||
			!is_integer(gs_operand_type(&t->plan, sum->a)))
			continue;
		if (sum->a == a)
			return sum;
		if (found == NULL && shifted_of(t, sum->a).base == s->base)
			found = sum;
	}
	return found;
}

/* Is base + offset in the type's range for all values of the base's type? */
static bool
is_within(const gs_translation *t, const shifted_operand *s)
{
	gs_type		base = gs_operand_type(&t->plan, s->base);
	int64		low;
	int64		high;

	return !__builtin_add_overflow(least_of(base), s->offset, &low) &&
		!__builtin_add_overflow(greatest_of(base), s->offset, &high) &&
		low >= least_of(s->type) && high <= greatest_of(s->type);
}

bool
gs_report_find_shifted(gs_translation *t, gs_operand a, gs_operand filter,
					   gs_report_aggregate *r, gs_operand *summed)
{
	const bool	decimal = r->value_of.form == GS_FORM_DECIMAL;
	const gs_aggregate *sum;
	shifted_operand s;
	shifted_operand other;

	if (r->rule != GS_RULE_FIGURE || gs_figure_has_squares(r->figure) ||
		r->state != 0 || !is_integer(r->value_of.type) ||
		gs_display_of(t, a) != GS_NOTHING)
		return false;
	s = shifted_of(t, a);
	sum = find_sum(t, a, filter, &s);
	if (sum == NULL || sum->a == a)
		return false;
	other = shifted_of(t, sum->a);
	if (__builtin_sub_overflow(s.offset, other.offset, &r->offset))
		return false;
	r->bounded = !decimal && !is_within(t, &s);
	r->type = gs_operand_type(&t->plan, sum->a);
	r->low = least_of(s.type);
	r->high = greatest_of(s.type);
	*summed = sum->a;
	return true;
}

/* Is a value of the other sum's operand a value of this one's? */
static bool
is_shifted_within(const gs_report_aggregate *a, gs_value value)
{
	int64		shifted;

	return !__builtin_add_overflow(integer_of(a->type, value), a->offset,
								   &shifted) &&
		shifted >= a->low && shifted <= a->high;
}

bool
gs_report_shift_overflows(const gs_report_aggregate *a,
						  const gs_report_groups *groups)
{
	const int64 *count = (const int64 *) states(groups, a->count);
	const gs_value *least;
	const gs_value *greatest;

	if (!a->bounded)
		return false;
	least = (const gs_value *) states(groups, a->value);
	greatest = (const gs_value *) states(groups, a->greatest);
	for (int64 i = 0; i < groups->n; i++)
	{
		if (count[i] > 0 && !(is_shifted_within(a, least[i]) &&
							  is_shifted_within(a, greatest[i])))
			return true;
	}
	return false;
}

void
gs_report_shift(const gs_report_aggregate *a, const gs_integer_sum *sum,
				int64 count, gs_integer_sum *shifted)
{
	__int128	more = (__int128) a->offset * count;
	const uint64 word[] = {
		(uint64) more, (uint64) (more >> 64), more < 0 ? UINT64_MAX : 0
	};
	uint64		carry = 0;

	for (int i = 0; i < (int) lengthof(word); i++)
	{
		unsigned __int128 s = (unsigned __int128) sum->word[i] + word[i] + carry;

		shifted->word[i] = (uint64) s;
		carry = (uint64) (s >> 64);
	}
}
