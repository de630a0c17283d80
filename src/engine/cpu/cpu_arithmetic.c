/*-------------------------------------------------------------------------
 *
 * cpu_arithmetic.c
 *	  One step of arithmetic for each element, or for each pair of two arrays',
 *	  on the CPU.
 *
 * The loops run over values without NULLs: where there are some, pairs that
 * have both are packed, a block at a time.  A constant is a block of its
 * copies.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "engine/arithmetic.h"
#include "engine/cpu/cpu_engine.h"

/* Returns the errors of n results. */
typedef uint32_t (*loop) (const void *a, const void *b, void *r, int n);

#define CANONICAL_INTEGER(x)	(x)
#define CANONICAL_FLOAT(x)		((x) == (x) ? (x) : gs_canonical_nan())

#define BINARY(name, suffix, type, canonical) \
static uint32_t \
name##_##suffix(const void *a, const void *b, void *r, int n) \
{ \
	const type *x = a; \
	const type *y = b; \
	type	   *z = r; \
	uint32_t	errors = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		type		v; \
\
		errors |= gs_##name##_##suffix(x[i], y[i], &v); \
		z[i] = (type) canonical(v); \
	} \
	return errors; \
}

#define UNARY(name, suffix, type, canonical) \
static uint32_t \
name##_##suffix(const void *a, const void *b, void *r, int n) \
{ \
	const type *x = a; \
	type	   *z = r; \
	uint32_t	errors = 0; \
\
	(void) b; \
	for (int i = 0; i < n; i++) \
	{ \
		type		v; \
\
		errors |= gs_##name##_##suffix(x[i], &v); \
		z[i] = (type) canonical(v); \
	} \
	return errors; \
}

#define LOOPS(suffix, type, canonical) \
BINARY(add, suffix, type, canonical) \
BINARY(subtract, suffix, type, canonical) \
BINARY(multiply, suffix, type, canonical) \
BINARY(divide, suffix, type, canonical) \
UNARY(negate, suffix, type, canonical) \
UNARY(abs, suffix, type, canonical)

LOOPS(int2, int16_t, CANONICAL_INTEGER)
LOOPS(int4, int32_t, CANONICAL_INTEGER)
LOOPS(int8, int64_t, CANONICAL_INTEGER)
LOOPS(float4, float, CANONICAL_FLOAT)
LOOPS(float8, double, CANONICAL_FLOAT)

static loop
loop_of(const gs_op *op)
{
	static const loop loops[][GS_TYPES] = {
		[GS_CODE_ADD] = {BY_NUMBER(add)},
		[GS_CODE_SUBTRACT] = {BY_NUMBER(subtract)},
		[GS_CODE_MULTIPLY] = {BY_NUMBER(multiply)},
		[GS_CODE_DIVIDE] = {BY_NUMBER(divide)},
		[GS_CODE_NEGATE] = {BY_NUMBER(negate)},
		[GS_CODE_ABS] = {BY_NUMBER(abs)}
	};

	return loops[op->expression.step[0].code][op->type];
}

/* What the operands are, for a block. */
typedef struct operands
{
	const void *column[2];
	uint64_t	constant[GS_EXPRESSION_CONSTANTS][CPU_BLOCK];
} operands;

static void
set_constants(operands *o, const gs_op *op, int width)
{
	for (int i = 0; i < op->expression.constants; i++)
	{
		for (int k = 0; k < CPU_BLOCK; k++)
			memcpy((uint8_t *) o->constant[i] + k * width,
				   &op->expression.constant[i], width);
	}
}

static const void *
operand_of(const operands *o, int16_t which)
{
	if (which == GS_COLUMN(0) || which == GS_COLUMN(1))
		return o->column[which - GS_COLUMN(0)];
	return which == GS_NOTHING ? NULL : o->constant[which - GS_CONSTANT(0)];
}

static gs_status
begin(gs_run *run)
{
	operands   *o = calloc(1, sizeof *o);

	run->state = o;
	if (o == NULL)
		return GS_NO_MEMORY;
	set_constants(o, run->op, gs_type_width((gs_type) run->op->type));
	return GS_OK;
}

static gs_status
feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const gs_step *step = &op->expression.step[0];
	const int	width = gs_type_width((gs_type) op->type);
	const loop	compute = loop_of(op);
	operands   *o = run->state;
	cpu_pairs	p;

	gs_cpu_pairs_open(&p, in, op->expression.arrays, width);
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		int			pairs = gs_cpu_pairs_next(&p, n);

		memcpy(o->column, p.column, sizeof p.column);
		if (compute(operand_of(o, step->a), operand_of(o, step->b),
					(uint8_t *) out->values + out->present * width, pairs) != 0)
			return GS_VALUE_ERROR;
		out->present += pairs;
		if (out->validity != NULL)
			gs_cpu_flags_to_bits(p.flags, n, out->validity, at);
	}
	out->n = in->n;
	return GS_OK;
}

const cpu_family gs_cpu_arithmetic = {.begin = begin, .feed = feed};
