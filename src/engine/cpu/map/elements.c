/*-------------------------------------------------------------------------
 *
 * elements.c
 *	  Roots, exponentials, logarithms, powers and decimal rounding of each
 *	  element, on the CPU.
 *
 * A block of doubles is computed in vectors, which decide nearly all results
 * (elementary.c); the others are asked of gs_element.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/engine_cpu.h"
#include "exact/elementary.h"

/* A block's operands, packed. */
typedef struct operands
{
	const uint8_t *column[2];	/* of the elements' type */
	const double *x;			/* column[0] as doubles; the base of powers */
	const double *y;
	double		converted[2][CPU_BLOCK];
	double		constant[CPU_BLOCK];	/* the other operand of powers */

	/* the first that has no result, where a block has failed */
	int			failed;
	gs_answer	answer;
} operands;

static gs_status
elements_begin(gs_run *run)
{
	operands   *o = malloc(sizeof *o);

	gs_elementary_init();
	run->state = o;
	if (o == NULL)
		return GS_NO_MEMORY;
	for (int i = 0; i < CPU_BLOCK; i++)
		o->constant[i] = run->op->power.constant;
	return GS_OK;
}

static const double *
doubles_of(gs_type type, const void *from, int n, double *to)
{
	if (type == GS_FLOAT8)
		return from;
	gs_cpu_to_doubles(type, from, n, to);
	return to;
}

static void
set_doubles(operands *o, const gs_op *op, int n)
{
	gs_type		type = (gs_type) op->type;

	o->x = doubles_of(type, o->column[0], n, o->converted[0]);
	if (op->kind != GS_POWER)
		return;
	o->y = o->constant;
	if (op->power.of_pairs)
		o->y = doubles_of(type, o->column[1], n, o->converted[1]);
	if (op->power.constant_is_base)
	{
		o->y = o->x;
		o->x = o->constant;
	}
}

/* Which results are known?  True: all. */
static bool
compute(const operands *o, const gs_op *op, int n, double *to, uint8_t *known)
{
	switch (op->kind)
	{
		case GS_SQRT:
			if (gs_cpu_roots(o->x, n, to))
				return true;
			for (int i = 0; i < n; i++)
				known[i] = o->x[i] >= 0;
			return false;
		case GS_EXP:
			gs_cpu_exps(o->x, n, to, known);
			break;
		case GS_LN:
			gs_cpu_lns(o->x, n, to, known);
			break;
		case GS_POWER:
			gs_cpu_powers(o->x, o->y, n, to, known);
			break;
		default:
			return gs_cpu_rounds(o->x, op->round.digits, n, to, known);
	}
	return memchr(known, 0, n) == NULL;
}

/* The results that are not known; false if an element has none. */
static bool
complete(operands *o, const gs_op *op, int n, const uint8_t *known,
		 uint8_t *to)
{
	const int	width = gs_type_width((gs_type) op->type);
	const int	out_width = gs_type_width(gs_output_type(op));

	gs_cpu_pause();				/* the exact way may take 20 us an element */
	for (int i = 0; i < n; i++)
	{
		gs_value	value[2];
		gs_value	result;

		if (known[i])
			continue;
		for (int k = 0; k < 2 && o->column[k] != NULL; k++)
			memcpy(&value[k], o->column[k] + i * width, width);
		o->answer = gs_element(op, &value[0], &value[1], &result);
		if (o->answer != GS_ANSWERED)
		{
			o->failed = i;
			return false;
		}
		memcpy(to + i * out_width, &result, out_width);
	}
	return true;
}

/* A block's results; false if an element has none. */
static bool
block(operands *o, const gs_op *op, int n, uint8_t *to)
{
	uint8_t		known[CPU_BLOCK];

	if (op->kind == GS_ROUND && op->type != GS_FLOAT8)
		memset(known, 0, n);
	else
	{
		set_doubles(o, op, n);
		if (compute(o, op, n, (double *) to, known))
			return true;
	}
	return complete(o, op, n, known, to);
}

static gs_status
feed_pairs(gs_run *run, const gs_input *in, gs_output *out)
{
	operands   *o = run->state;
	double	   *to = out->values;
	cpu_pairs	p;

	gs_cpu_pairs_open(&p, in, 2, gs_type_width((gs_type) run->op->type));
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		int			pairs = gs_cpu_pairs_next(&p, n);

		for (int i = 0; i < 2; i++)
			o->column[i] = p.column[i];
		if (!block(o, run->op, pairs, (uint8_t *) (to + out->present)))
			return gs_cpu_value_error(run, o->answer, at +
									  gs_cpu_find_flag(p.flags, o->failed));
		out->present += pairs;
		gs_cpu_flags_to_bits(p.flags, n, out->validity, at);
	}
	out->n = in->n;
	return GS_OK;
}

static gs_status
elements_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const int	width = gs_type_width((gs_type) op->type);
	const int	out_width = gs_type_width(gs_output_type(op));
	operands   *o = run->state;

	if (gs_has_mask(op))
		return feed_pairs(run, in, out);
	o->column[1] = NULL;
	for (int64_t at = 0; at < in->data.present; at += CPU_BLOCK)
	{
		o->column[0] = (const uint8_t *) in->data.values + at * width;
		if (!block(o, op, gs_cpu_block_size(in->data.present - at),
				   (uint8_t *) out->values + at * out_width))
			return gs_cpu_value_error(run, o->answer,
									  gs_cpu_element(&in->data, in->n,
													 at + o->failed));
	}
	out->n = in->n;
	out->present = in->data.present;
	if (out->validity == NULL)
		return GS_OK;
	if (in->data.present == in->n)
		gs_cpu_set_bits(out->validity, in->n);
	else
		gs_cpu_copy_bits(in->data.validity, in->n, out->validity);
	return GS_OK;
}

const cpu_family gs_cpu_elements = {
	.begin = elements_begin, .feed = elements_feed
};
