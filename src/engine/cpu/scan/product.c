/*-------------------------------------------------------------------------
 *
 * product.c
 *	  Products over the tree of product.h, a block of elements at a time.
 *
 * gs_product_stack multiplies elements one by one, each waiting for the one
 * before.  This file multiplies a block level by level instead, with the same
 * multiplications but without the dependency: the up-sweep gives the products
 * of the block's subtrees, the down-sweep every F(n) inside it.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#define LEVELS	7
#define LEAVES	(1 << LEVELS)

#define FACTORS(suffix, type, from) \
static void \
factors_##suffix(const void *values, int n, gs_product *factors) \
{ \
	const type *v = values; \
\
	for (int i = 0; i < n; i++) \
		factors[i] = from(v[i]); \
}

FACTORS(int2, int16_t, gs_product_from_int64)
FACTORS(int4, int32_t, gs_product_from_int64)
FACTORS(int8, int64_t, gs_product_from_int64)
FACTORS(float4, float, gs_product_from_double)
FACTORS(float8, double, gs_product_from_double)

typedef void (*factors_function) (const void *, int, gs_product *);

static const factors_function factors_of[] = {
	[GS_INT2] = factors_int2,
	[GS_INT4] = factors_int4,
	[GS_INT8] = factors_int8,
	[GS_FLOAT4] = factors_float4,
	[GS_FLOAT8] = factors_float8,
};

/*
 * A tree as an array: node[1] is the root, node[2 k] and node[2 k + 1] are the
 * children of node[k], and the leaves come last.
 */
static void
multiply_up(gs_product *node)
{
	for (int k = LEAVES - 1; k > 0; k--)
		node[k] = gs_product_multiply(node[2 * k], node[2 * k + 1]);
}

/* before[LEAVES + i] = F at leaf i, given F at the first leaf. */
static void
multiply_down(const gs_product *node, gs_product *before, gs_product first)
{
	before[1] = first;
	for (int k = 1; k < LEAVES; k++)
	{
		before[2 * k] = before[k];
		before[2 * k + 1] = gs_product_multiply(before[k], node[2 * k]);
	}
}

/* Append n elements to a stack that holds a multiple of CPU_BLOCK. */
void
gs_cpu_multiply(gs_product_stack *s, gs_type type, const void *values, int n)
{
	const uint8_t *v = values;
	int			width = gs_type_width(type);
	gs_product	node[2 * LEAVES];

	for (int at = 0; at < n; at += LEAVES)
	{
		int			m = n - at < LEAVES ? n - at : LEAVES;

		factors_of[type] (v + at * width, m, node + LEAVES);
		if (m == LEAVES)
		{
			multiply_up(node);
			gs_product_stack_push(s, node[1], LEVELS);
		}
		else
		{
			for (int i = 0; i < m; i++)
				gs_product_stack_push(s, node[LEAVES + i], 0);
		}
	}
}

/*
 * The rounded F(n) for each factor, one by one; returns as
 * gs_cpu_prefix_product.
 */
static int
prefix_by_elements(gs_product_stack *s, const gs_product *factors,
				   double *out, int n)
{
	for (int i = 0; i < n; i++)
	{
		gs_product_stack_push(s, factors[i], 0);
		if (!gs_product_round(gs_product_stack_fold(s), &out[i]))
			return i;
	}
	return n;
}

/* A whole block.  False, with s unchanged, if a result is out of range. */
static bool
prefix_by_tree(gs_product_stack *s, gs_product *node, double *out)
{
	gs_product	before[2 * LEAVES];
	gs_product_stack after;

	multiply_up(node);
	multiply_down(node, before, gs_product_stack_fold(s));
	for (int i = 1; i < LEAVES; i++)
	{
		if (!gs_product_round(before[LEAVES + i], &out[i - 1]))
			return false;
	}
	after = *s;
	gs_product_stack_push(&after, node[1], LEVELS);
	if (!gs_product_round(gs_product_stack_fold(&after), &out[LEAVES - 1]))
		return false;
	*s = after;
	return true;
}

/*
 * Append n elements, with a segment starting at each head, and give all
 * products, rounded.  Returns n, or the index of the first product out of
 * range, whose element is then the last one appended.
 */
int
gs_cpu_prefix_product(gs_product_stack *s, gs_type type, const void *values,
					  const uint8_t *heads, double *out, int n)
{
	const uint8_t *v = values;
	int			width = gs_type_width(type);
	gs_product	node[2 * LEAVES];
	int			m;

	for (int at = 0; at < n; at += m)
	{
		gs_product *factors = node + LEAVES;
		int			to_block = LEAVES - (int) (s->n % LEAVES);
		int			done;

		m = n - at < to_block ? n - at : to_block;
		factors_of[type] (v + at * width, m, factors);
		for (int i = 0; i < m && heads != NULL; i++)
			factors[i].starts = heads[at + i];
		if (m == LEAVES && prefix_by_tree(s, node, out + at))
			continue;
		done = prefix_by_elements(s, factors, out + at, m);
		if (done < m)
			return at + done;
	}
	return n;
}
