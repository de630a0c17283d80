/*-------------------------------------------------------------------------
 *
 * change.c
 *	  The change from each element to the next as a share of the former, on the
 *	  CPU.
 *
 * A result is NULL where either element is, so packed values beside each other
 * are not always neighbours.  Nearly all changes of doubles are computed in
 * vectors (elementary.c); the others are asked of gs_element.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/engine_cpu.h"

typedef struct changes
{
	bool		had;			/* is there an element before the batch, which is
								 * not NULL? */
	gs_value	last;			/* that element */
} changes;

static gs_status
change_begin(gs_run *run)
{
	run->state = calloc(1, sizeof(changes));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

/* From *before to *value. */
static gs_answer
change_of(const gs_op *op, const void *before, const void *value, double *to)
{
	const int	width = gs_type_width((gs_type) op->type);
	gs_value	v[2];
	gs_value	result;
	gs_answer	answer;

	memcpy(&v[0], value, width);
	memcpy(&v[1], before, width);
	answer = gs_element(op, &v[0], &v[1], &result);
	*to = result.f8;
	return answer;
}

/*
 * From each of n neighbours, none of them NULL, to the next one.  The answer of
 * the first that fails is that of *failed.
 */
static gs_answer
between(const gs_op *op, const uint8_t *values, int64_t n, double *to,
		int64_t *failed)
{
	const int	width = gs_type_width((gs_type) op->type);
	uint8_t		known[CPU_BLOCK];

	for (int64_t at = 0; at < n - 1; at += CPU_BLOCK)
	{
		int			count = gs_cpu_block_size(n - 1 - at);

		memset(known, 0, count);
		if (op->type == GS_FLOAT8)
			gs_cpu_changes((const double *) values + at, count, to + at, known);
		if (memchr(known, 0, count) == NULL)
			continue;
		for (int64_t i = at; i < at + count; i++)
		{
			gs_answer	answer = known[i - at] ? GS_ANSWERED :
				change_of(op, values + i * width, values + (i + 1) * width,
						  &to[i]);

			*failed = i + 1;
			if (answer != GS_ANSWERED)
				return answer;
		}
	}
	return GS_ANSWERED;
}

/* The end of a run, from i on, of elements that have values, or have none. */
static int64_t
run_end(const gs_span *span, int64_t n, int64_t i, bool has)
{
	if (span->present == n)
		return n;
	while (i < n && (span->validity[i / 8] >> (i % 8) & 1) == has)
		i++;
	return i;
}

static gs_status
change_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const int	width = gs_type_width((gs_type) op->type);
	const uint8_t *value = in->data.values;
	double	   *to = out->values;
	changes    *c = run->state;

	if (in->data.present == in->n)
		gs_cpu_set_bits(out->validity, in->n);
	else
		gs_cpu_copy_bits(in->data.validity, in->n, out->validity);
	for (int64_t i = 0; i < in->n;)
	{
		int64_t		end = run_end(&in->data, in->n, i, true);
		int64_t		n = end - i;
		int64_t		failed = 0;
		gs_answer	answer = GS_ANSWERED;

		if (n > 0)
		{
			if (!c->had)
				out->validity[i / 8] &= (uint8_t) ~(1u << i % 8);
			else
				answer = change_of(op, &c->last, value, to++);
			if (answer == GS_ANSWERED)
				answer = between(op, value, n, to, &failed);
			if (answer != GS_ANSWERED)
				return gs_cpu_value_error(run, answer, i + failed);
			to += n - 1;
			value += n * width;
			memcpy(&c->last, value - width, width);
		}
		c->had = n > 0 && end == in->n;
		i = run_end(&in->data, in->n, end, false);
	}
	out->n = in->n;
	out->present = to - (double *) out->values;
	return GS_OK;
}

const cpu_family gs_cpu_change = {.begin = change_begin, .feed = change_feed};
