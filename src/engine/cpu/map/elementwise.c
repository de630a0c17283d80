/*-------------------------------------------------------------------------
 *
 * elementwise.c
 *	  A result for each element, or for each pair of two arrays', that depends on
 *	  nothing else: arithmetic, comparisons, logic, on the CPU.
 *
 * The loops, of elementwise_lanes.h, run over values without NULLs.  Of one
 * array these are the packed ones.  Of pairs, if there are NULLs, those that
 * have both are packed, a block at a time; where the result may be there
 * although one is not, a NULL is 0, and the results are packed.  A constant is
 * a block of its copies.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "engine/arithmetic.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/range.h"

/* Returns the errors of n results. */
typedef uint32_t (*loop) (const gs_op *op, const void *restrict a,
						  const void *restrict b, void *restrict r, int n);

/* A GS_COMPARE is of one that is less, or equal, perhaps reversed. */
static bool
is_equality(const gs_op *op)
{
	return op->pairs.compare == GS_EQ || op->pairs.compare == GS_NE;
}

static bool
is_reversed(const gs_op *op)
{
	return op->pairs.compare == GS_LE || op->pairs.compare == GS_GE ||
		op->pairs.compare == GS_NE;
}

static bool
is_of_second(const gs_op *op)
{
	return op->pairs.compare == GS_GT || op->pairs.compare == GS_LE;
}

#define TARGET
#define LANES(name)		name##_2
#include "engine/cpu/map/elementwise_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDER_LANES
#define TARGET			__attribute__((target("avx2")))
#define LANES(name)		name##_4
#include "engine/cpu/map/elementwise_lanes.h"
#endif

static loop
loop_of(const gs_op *op)
{
#ifdef HAS_WIDER_LANES
	if (gs_cpu_lanes() >= 4)
		return loop_of_4(op);
#endif
	return loop_of_2(op);
}

typedef struct elementwise
{
	loop		compute;
	gs_operand	a;
	gs_operand	b;
	int			width[2];		/* of the arrays' elements */
	int			out_width;
	const void *column[2];		/* the arrays, for a block */
	uint64_t	constant[GS_EXPRESSION_CONSTANTS][CPU_BLOCK];
} elementwise;

static void
set_operands(elementwise *e, const gs_op *op)
{
	e->a = GS_COLUMN(0);
	e->b = gs_has_mask(op) ? GS_COLUMN(1) : GS_NOTHING;
	if (op->kind == GS_ARITHMETIC)
	{
		e->a = op->expression.step[0].a;
		e->b = op->expression.step[0].b;
	}
	else if (op->kind == GS_COMPARE && is_of_second(op))
	{
		e->a = GS_COLUMN(1);
		e->b = GS_COLUMN(0);
	}
}

static void
set_constants(elementwise *e, const gs_op *op)
{
	const int	width = e->width[0];

	for (int i = 0; i < op->expression.constants; i++)
	{
		for (int k = 0; k < CPU_BLOCK; k++)
			memcpy((uint8_t *) e->constant[i] + k * width,
				   &op->expression.constant[i], width);
	}
}

static gs_status
elementwise_begin(gs_run *run)
{
	const gs_op *op = run->op;
	elementwise *e = calloc(1, sizeof *e);

	run->state = e;
	if (e == NULL)
		return GS_NO_MEMORY;
	e->compute = loop_of(op);
	e->width[0] = gs_type_width((gs_type) op->type);
	e->width[1] = gs_type_width(gs_mask_type(op));
	e->out_width = gs_type_width(gs_output_type(op));
	set_operands(e, op);
	if (op->kind == GS_ARITHMETIC)
		set_constants(e, op);
	return GS_OK;
}

static const void *
operand_of(const elementwise *e, gs_operand which)
{
	if (which == GS_COLUMN(0) || which == GS_COLUMN(1))
		return e->column[which - GS_COLUMN(0)];
	return which == GS_NOTHING ? NULL : e->constant[which - GS_CONSTANT(0)];
}

/* n results of the columns that are set. */
static uint32_t
compute_block(const elementwise *e, const gs_op *op, void *to, int n)
{
	return e->compute(op, operand_of(e, e->a), operand_of(e, e->b), to, n);
}

/*
 * Which of n results of the columns that are set, one of which is an error, is
 * the first?
 */
static int
find_error(const elementwise *e, const gs_op *op, int n, gs_answer *answer)
{
	const uint8_t *a = operand_of(e, e->a);
	const uint8_t *b = operand_of(e, e->b);
	const bool	is_real = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;

	for (int i = 0; i < n; i++)
	{
		gs_value	result = {0};
		uint32_t	errors = e->compute(op, a, b, &result, 1);

		if (errors != 0)
		{
			*answer = gs_answer_of_errors(errors, is_real &&
										  (op->type == GS_FLOAT4 ? result.f4 :
										   result.f8) == 0);
			return i;
		}
		a += e->width[0];
		b = b == NULL ? NULL : b + e->width[0];
	}
	/* a client has changed the elements meanwhile */
	*answer = GS_OUT_OF_RANGE;
	return 0;
}

/* The packed values of one array, or pairs without NULLs. */
static gs_status
feed_values(gs_run *run, const gs_input *in, gs_output *out)
{
	elementwise *e = run->state;
	const int64_t values = in->data.present;

	for (int64_t at = 0; at < values; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(values - at);
		gs_answer	answer;

		e->column[0] = (const uint8_t *) in->data.values + at * e->width[0];
		if (gs_has_mask(run->op))
			e->column[1] = (const uint8_t *) in->mask.values +
				at * e->width[1];
		if (compute_block(e, run->op,
						  (uint8_t *) out->values + at * e->out_width, n) != 0)
		{
			at += find_error(e, run->op, n, &answer);
			return gs_cpu_value_error(run, answer,
									  gs_cpu_element(&in->data, in->n, at));
		}
	}
	if (out->validity != NULL && values == in->n)
		gs_cpu_set_bits(out->validity, in->n);
	else if (out->validity != NULL)
		gs_cpu_copy_bits(in->data.validity, in->n, out->validity);
	out->n = in->n;
	out->present = values;
	return GS_OK;
}

/*
 * Does the result of a pair that lacks a value still depend on the other?
 * Else it is NULL.
 */
static bool
is_lenient(const gs_op *op)
{
	return op->kind == GS_AND || op->kind == GS_OR || op->kind == GS_CHOOSE;
}

/* Which results there are: flags of both arrays' values, and 0 for a NULL. */
static void
find_results(const gs_op *op, const void *const *column, uint8_t *const *has,
			 int n, uint8_t *flags)
{
	const uint8_t *a = column[0];
	const uint8_t *b = column[1];
	const bool	has_constant = op->choose.has_constant;

	for (int i = 0; i < n; i++)
	{
		uint8_t		both = has[0][i] & has[1][i];

		switch (op->kind)
		{
			case GS_AND:
				flags[i] = both | (has[0][i] & (a[i] == 0)) |
					(has[1][i] & (b[i] == 0));
				break;
			case GS_OR:
				flags[i] = both | (a[i] != 0) | (b[i] != 0);
				break;
			case GS_CHOOSE:
				flags[i] = (b[i] != 0) != (op->choose.where_false != 0) ?
					has[0][i] : has_constant;
				break;
			default:
				flags[i] = both;
		}
	}
}

/* Results, to be packed, of a block in which a NULL is 0. */
static int
compute_lenient(const elementwise *e, const gs_op *op, const uint8_t *flags,
				void *to, int n)
{
	uint64_t	results[CPU_BLOCK];

	(void) compute_block(e, op, results, n);
	return gs_cpu_pack(results, flags, n, e->out_width, to);
}

/*
 * Results of the pairs that have both values.  -1: there is an error, the first
 * one that of *failed.
 */
static int
compute_strict(elementwise *e, const gs_op *op, const uint8_t *flags, void *to,
			   int n, int *failed, gs_answer *answer)
{
	uint64_t	packed[2][CPU_BLOCK];
	int			pairs = 0;

	for (int i = 0; i < 2; i++)
	{
		pairs = gs_cpu_pack(e->column[i], flags, n, e->width[i], packed[i]);
		e->column[i] = packed[i];
	}
	if (compute_block(e, op, to, pairs) == 0)
		return pairs;
	*failed = gs_cpu_find_flag(flags, find_error(e, op, pairs, answer));
	return -1;
}

/* Pairs of which some have NULLs. */
static gs_status
feed_pairs(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const gs_span *span[] = {&in->data, &in->mask};
	const gs_value zero = {0};
	elementwise *e = run->state;
	cpu_reader	reader[2];

	for (int i = 0; i < 2; i++)
		reader[i] = gs_cpu_reader(span[i], in->n, e->width[i]);
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		void	   *to = (uint8_t *) out->values + out->present * e->out_width;
		uint64_t	dense[2][CPU_BLOCK];
		uint8_t		present[2][CPU_BLOCK];
		uint8_t    *has[] = {present[0], present[1]};
		uint8_t		flags[CPU_BLOCK];
		int			results;
		int			failed = 0;
		gs_answer	answer = GS_ANSWERED;

		memset(present, 1, sizeof present);
		for (int i = 0; i < 2; i++)
			e->column[i] = gs_cpu_read(&reader[i], n, zero, dense[i],
									   present[i]);
		find_results(op, e->column, has, n, flags);
		results = is_lenient(op) ? compute_lenient(e, op, flags, to, n) :
			compute_strict(e, op, flags, to, n, &failed, &answer);
		if (results < 0)
			return gs_cpu_value_error(run, answer, at + failed);
		out->present += results;
		gs_cpu_flags_to_bits(flags, n, out->validity, at);
	}
	out->n = in->n;
	return GS_OK;
}

static gs_status
elementwise_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	bool		pairs = gs_has_mask(op) &&
		(in->data.present < in->n || in->mask.present < in->n ||
		 (op->kind == GS_CHOOSE && !op->choose.has_constant));

	return pairs ? feed_pairs(run, in, out) : feed_values(run, in, out);
}

const cpu_family gs_cpu_elementwise = {
	.begin = elementwise_begin, .feed = elementwise_feed
};
