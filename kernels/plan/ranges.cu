/*-------------------------------------------------------------------------
 *
 * ranges.cu
 *	  Conditions that compare a column with constants, as ranges: host code.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/evaluate.cuh"

int64_t
group_ordered_constant(const gs_constant *k)
{
	switch (k->type)
	{
		case GS_FLOAT8:
			return gs_key<double>::of(k->value.f8 == 0 ? 0.0 : k->value.f8);
		case GS_FLOAT4:
			return gs_key<float>::of(k->value.f4 == 0 ? 0.0f : k->value.f4);
		case GS_INT8:
			return k->value.i8;
		case GS_INT4:
			return k->value.i4;
		default:
			return k->value.i2;
	}
}

/* Narrow a column's range; false: there are too many columns. */
static bool
narrow(evaluate_range *first, int32_t *n, int column, int code, int64_t k)
{
	evaluate_range *range = first;

	while (range < first + *n && range->column != column)
		range++;
	if (range == first + *n)
	{
		if (*n == EVALUATE_RANGES)
			return false;
		(*n)++;
		range->column = column;
		range->low = INT64_MIN;
		range->high = INT64_MAX;
	}
	if ((code == GS_CODE_LT && k == INT64_MIN) ||
		(code == GS_CODE_GT && k == INT64_MAX))
	{
		range->low = INT64_MAX;
		range->high = INT64_MIN;
		return true;
	}
	if (code != GS_CODE_GE && code != GS_CODE_GT)
	{
		int64_t		high = code == GS_CODE_LT ? k - 1 : k;

		range->high = high < range->high ? high : range->high;
	}
	if (code != GS_CODE_LE && code != GS_CODE_LT)
	{
		int64_t		low = code == GS_CODE_GT ? k + 1 : k;

		range->low = low > range->low ? low : range->low;
	}
	return true;
}

/* The numbers low to high, if a column has 32 bits. */
static void
place_bits(evaluate_range *range, const group_column *c)
{
	bool		has_base = c->format < GROUP_S2;
	int64_t		least = has_base ? c->base : INT32_MIN;
	uint64_t	most = c->format == GROUP_U1 ? UINT8_MAX :
		c->format == GROUP_U2 ? UINT16_MAX : UINT32_MAX;
	uint64_t	first;
	uint64_t	last;

	range->test = RANGE_EMPTY;
	if (range->high < least)
		return;
	first = range->low <= least ? 0 : (uint64_t) range->low - (uint64_t) least;
	last = (uint64_t) range->high - (uint64_t) least;
	if (first > most)
		return;
	range->test = RANGE_BITS;
	range->first.bits = (uint32_t) first;
	range->last.bits = (uint32_t) (last < most ? last : most);
	if (!has_base)
	{
		range->first.bits += (uint32_t) least;
		range->last.bits += (uint32_t) least;
	}
}

/*
 * As doubles: -0 is 0, which is between the numbers -1 and 0 of their order.
 * Only NaN is above infinity: what has no other values is left to
 * RANGE_ORDERED.
 */
static void
place_doubles(evaluate_range *range)
{
	const int64_t least = gs_key<double>::of(-HUGE_VAL);
	const int64_t most = gs_key<double>::of(HUGE_VAL);
	int64_t		low = range->low < least ? least : range->low;
	int64_t		high = range->high > most ? most : range->high;

	if (low > most)
		return;
	range->test = high < least ? RANGE_EMPTY :
		range->high >= gs_key<double>::of(gs_canonical_nan()) ?
		RANGE_DOUBLE_OR_NAN : RANGE_DOUBLE;
	range->first.value = gs_key<double>::value(low);
	range->last.value = gs_key<double>::value(high == -1 ? -2 : high);
}

void
group_range_place(evaluate_range *range, const group_column *c)
{
	range->c = *c;
	range->test = RANGE_ORDERED;
	if (range->low > range->high)
		range->test = RANGE_EMPTY;
	else if (c->type == GS_FLOAT8)
		place_doubles(range);
	else if (c->format != GROUP_WORD && c->format != GROUP_FLOAT4)
		place_bits(range, c);
}

bool
group_ranges_add(const gs_plan *plan, gs_operand o, evaluate_range *range,
				 int32_t *ranges)
{
	const gs_instruction *code;
	const gs_constant *k;
	bool		swapped;

	if (!group_is_result(o))
		return false;
	code = &plan->code[o - GS_RESULT(0)];
	if (code->code == GS_CODE_AND)
		return group_ranges_add(plan, code->a, range, ranges) &&
			group_ranges_add(plan, code->b, range, ranges);
	if (code->code < GS_CODE_LT || code->code > GS_CODE_GT ||
		code->code == GS_CODE_NE)
		return false;
	swapped = group_is_column(code->b);
	if (group_is_result(code->a) || group_is_result(code->b) ||
		group_is_column(code->a) == swapped)
		return false;
	k = &plan->constant[(swapped ? code->a : code->b) - GS_CONSTANT(0)];
	return !k->null && narrow(range, ranges, swapped ? code->b : code->a,
							  swapped ? gs_code_exchanged((gs_code) code->code) : code->code,
							  group_ordered_constant(k));
}
