/*-------------------------------------------------------------------------
 *
 * merge.c
 *	  The states of some groups, merged into those of fewer.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/arithmetic.h"

/* An accumulator, a sum that begins at its last limb, and carries. */
#define MERGE_LIMBS		(GS_ACC2_LIMBS + GS_FLOAT_SUM_LIMBS + 2)

bool
gs_states_can_merge(const gs_plan *plan, int aggregate)
{
	int			kind = plan->aggregate[aggregate].kind;

	return kind != GS_AGG_PERCENTILE && kind != GS_AGG_MODE &&
		kind != GS_AGG_DISTINCT;
}

bool
gs_states_need_counts(const gs_plan *plan, int aggregate)
{
	int			kind = plan->aggregate[aggregate].kind;

	return kind == GS_AGG_MIN || kind == GS_AGG_MAX ||
		kind == GS_AGG_BIT_AND;
}

int
gs_states_count(const gs_plan *plan, int aggregate)
{
	const gs_aggregate *of = &plan->aggregate[aggregate];

	for (int i = 0; i < plan->aggregates; i++)
	{
		const gs_aggregate *a = &plan->aggregate[i];

		if (a->kind == GS_AGG_COUNT && a->a == of->a &&
			a->filter == of->filter)
			return i;
	}
	return -1;
}

/* Of numbers as aggregates have them: -0 just below 0. */
static bool
is_below(gs_type type, gs_value a, gs_value b)
{
	switch (type)
	{
		case GS_INT4:
			return a.i4 < b.i4;
		case GS_INT8:
			return a.i8 < b.i8;
		case GS_FLOAT4:
			return gs_less_float4(a.f4, b.f4) ||
				(a.f4 == 0 && b.f4 == 0 && a.i4 < b.i4);
		case GS_FLOAT8:
			return gs_less_float8(a.f8, b.f8) ||
				(a.f8 == 0 && b.f8 == 0 && a.i8 < b.i8);
		default:
			return a.i2 < b.i2;
	}
}

/* MIN, MAX and bits.  What is not of the type's bytes is 0. */
static gs_value
merge_values(const gs_aggregate *a, gs_type type, const gs_value *from,
			 const int64_t *present, const uint32_t *group, int64_t n)
{
	gs_value	r = {.i8 = 0};
	bool		any = false;

	for (int64_t i = 0; i < n; i++)
	{
		gs_value	value = from[group[i]];

		if (present != NULL && present[group[i]] == 0)
			continue;
		if (a->kind == GS_AGG_BIT_OR)
			r.i8 |= value.i8;
		else if (a->kind == GS_AGG_BIT_XOR)
			r.i8 ^= value.i8;
		else if (!any)
			r = value;
		else if (a->kind == GS_AGG_BIT_AND)
			r.i8 &= value.i8;
		else if (a->kind == GS_AGG_MIN ? is_below(type, value, r) :
				 is_below(type, r, value))
			r = value;
		any = true;
	}
	return r;
}

static void
merge_integer_sums(const gs_integer_sum *from, const uint32_t *group,
				   int64_t n, gs_integer_sum *to)
{
	memset(to, 0, sizeof *to);
	for (int64_t i = 0; i < n; i++)
	{
		const gs_integer_sum *sum = &from[group[i]];
		unsigned __int128 carry = 0;

		for (int w = 0; w < 3; w++)
		{
			carry += (unsigned __int128) to->word[w] + sum->word[w];
			to->word[w] = (uint64_t) carry;
			carry >>= 64;
		}
	}
}

static void
merge_counts(const int64_t *from, int each, const uint32_t *group, int64_t n,
			 int64_t *to)
{
	memset(to, 0, (size_t) each * sizeof *to);
	for (int64_t i = 0; i < n; i++)
	{
		const int64_t *count = from + (int64_t) group[i] * each;

		for (int c = 0; c < each; c++)
			to[c] += count[c];
	}
}

/* Of a sum of floats: limbs low to high - 1 are not all 0. */
typedef struct total
{
	bool		squares;
	uint32_t	seen;
	int			low;
	int			high;
	int64_t		limb[MERGE_LIMBS];
} total;

/* A total of no more than 2^31 sums; each limb of theirs has 32 bits. */
static void
add_sum(total *t, const gs_float_sum *sum, const void *wide)
{
	int64_t		space[GS_FLOAT_SUM_LIMBS];
	gs_limbs	limbs;
	int			first = sum->first;

	if (sum->wide > 0)
	{
		wide = (const char *) wide + (size_t) (sum->wide - 1) *
			(t->squares ? sizeof(gs_acc2) : sizeof(gs_acc));
		first = 0;
	}
	limbs = gs_float_sum_limbs(sum, t->squares, wide, space);
	t->seen |= limbs.seen;
	for (int i = 0; i < limbs.n; i++)
		t->limb[first + i] += limbs.limb[i];
	if (first < t->low)
		t->low = first;
	if (first + limbs.n > t->high)
		t->high = first + limbs.n;
}

static void
propagate(total *t)
{
	t->high += 2;				/* carries of 2^31 additions, and the sign */
	for (int i = t->low; i < t->high - 1; i++)
	{
		t->limb[i + 1] += t->limb[i] >> 32;
		t->limb[i] &= UINT32_MAX;
	}
}

/* As fetch gives a wide sum: the last limb has all bits from there on. */
static void
to_wide(const total *t, void *to, int64_t place)
{
	int			n = t->squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	int			limbs = t->high - t->low;
	gs_acc		sum;
	gs_acc2		squares;
	int64_t    *limb = t->squares ? squares.limb : sum.limb;

	gs_acc_init(&sum);
	gs_acc2_init(&squares);
	for (int i = t->low; i < n; i++)
		limb[i] = gs_limb_at(t->limb + t->low, limbs, i - t->low);
	limb[n - 1] |= (int64_t)
		((uint64_t) gs_limb_at(t->limb + t->low, limbs, n - t->low) << 32);
	sum.seen = squares.seen = t->seen;
	if (t->squares)
	{
		gs_acc2_propagate(&squares);
		memcpy((gs_acc2 *) to + place, &squares, sizeof squares);
	}
	else
	{
		gs_acc_propagate(&sum);
		memcpy((gs_acc *) to + place, &sum, sizeof sum);
	}
}

static int64_t
merge_float_sums(bool squares, const gs_states *from, const gs_merge *merge,
				 gs_float_sum *to, void *wide_to)
{
	total		t = {.squares = squares};
	int64_t		at = 0;
	int64_t		wides = 0;

	for (int64_t i = 0; i < merge->n; at = merge->end[i], i++)
	{
		t.seen = 0;
		t.low = MERGE_LIMBS;
		t.high = 0;
		for (int64_t j = at; j < merge->end[i]; j++)
			add_sum(&t, (const gs_float_sum *) from->state + merge->order[j],
					from->wide);
		if (t.high == 0)		/* of no group */
		{
			memset(&to[i], 0, sizeof to[i]);
			continue;
		}
		propagate(&t);
		if (!gs_float_sum_make(t.limb + t.low, t.high - t.low, t.low, t.seen,
							   &to[i]))
		{
			if (wide_to != NULL)
				to_wide(&t, wide_to, wides);
			to[i].wide = (int32_t) ++wides;
		}
		memset(t.limb + t.low, 0, (size_t) (t.high - t.low) * sizeof *t.limb);
	}
	return wides;
}

int64_t
gs_states_merge(const gs_plan *plan, int aggregate, const gs_states *from,
				const int64_t *present, const gs_merge *merge, void *to,
				void *wide_to)
{
	const gs_aggregate *a = &plan->aggregate[aggregate];
	bool		sums = a->kind >= GS_AGG_SUM && a->kind <= GS_AGG_PRODUCTS;
	size_t		size = gs_state_size(plan, aggregate);
	gs_type		type = a->a == GS_NOTHING ? GS_INT8 :
		gs_operand_type(plan, a->a);
	int64_t		at = 0;

	if (sums && (type == GS_FLOAT4 || type == GS_FLOAT8))
		return merge_float_sums(a->kind != GS_AGG_SUM, from, merge, to,
								wide_to);
	for (int64_t i = 0; i < merge->n; at = merge->end[i], i++)
	{
		const uint32_t *group = merge->order + at;
		int64_t		n = merge->end[i] - at;
		void	   *result = (char *) to + (size_t) i * size;

		if (sums)
			merge_integer_sums(from->state, group, n, result);
		else if (a->kind == GS_AGG_COUNT || a->kind == GS_AGG_SPECIALS ||
				 a->kind == GS_AGG_HISTOGRAM)
			merge_counts(from->state, (int) (size / sizeof(int64_t)), group, n,
						 result);
		else
			*(gs_value *) result = merge_values(a, type, from->state, present,
												group, n);
	}
	return 0;
}
