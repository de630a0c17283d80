/*-------------------------------------------------------------------------
 *
 * transpose.c
 *	  Values column by column, on the CPU.
 *
 * feed keeps a copy of the values.  fetch goes down the rows of a few columns
 * at a time, so that it reads whole cache lines and writes to a few places in
 * turn.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/transpose.h"

#include <string.h>

/* Columns that are read together. */
#define TOGETHER		16

/* Values moved between two pauses. */
#define PAUSE_VALUES	65536

typedef struct transpose_state
{
	int64_t		n;				/* values */
	uint64_t	values[];		/* of the elements' type */
} transpose_state;

/* Rows first .. last - 1 of columns first .. last - 1. */
typedef struct part
{
	int64_t		first_row;
	int64_t		last_row;
	int64_t		first_column;
	int64_t		last_column;
} part;

/* Copy a part, all of which is there, to where rank `from` is at `to`. */
#define COPY(name, type) \
static void \
name(const gs_transposition *t, const part *p, const void *values, \
	 int64_t from, void *to) \
{ \
	const type *v = (const type *) values; \
	type	   *start[TOGETHER]; \
	int			columns = (int) (p->last_column - p->first_column); \
\
	for (int c = 0; c < columns; c++) \
		start[c] = (type *) to + gs_column_start(t, p->first_column + c) - from; \
	for (int64_t r = p->first_row; r < p->last_row; r++) \
	{ \
		const type *row = v + r * t->columns + p->first_column; \
\
		for (int c = 0; c < columns; c++) \
			start[c][r] = row[c]; \
	} \
}

COPY(copy2, gs_bits16)
COPY(copy4, gs_bits32)
COPY(copy8, gs_bits64)

static gs_status
transpose_begin(gs_run *run)
{
	transpose_state *s = gs_cpu_allocate(sizeof *s + (size_t) run->n *
										 gs_type_width((gs_type) run->op->type));

	if (s == NULL)
		return GS_NO_MEMORY;
	s->n = 0;
	run->state = s;
	return GS_OK;
}

static gs_status
transpose_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	transpose_state *s = run->state;
	size_t		width = (size_t) gs_type_width((gs_type) run->op->type);

	(void) out;
	if (in->data.present > 0)
		memcpy((uint8_t *) s->values + (size_t) s->n * width, in->data.values,
			   (size_t) in->data.present * width);
	s->n += in->data.present;
	return GS_OK;
}

static void
transpose_finish(gs_run *run, gs_result *result)
{
	const transpose_state *s = run->state;

	result->results = s->n;
}

static void
copy_part(const gs_run *run, const gs_transposition *t, part p, int64_t from,
		  void *to)
{
	const transpose_state *s = run->state;
	const int64_t last = p.last_row;
	int64_t		step = PAUSE_VALUES / (p.last_column - p.first_column);

	for (; p.first_row < last; p.first_row = p.last_row)
	{
		p.last_row = last - p.first_row < step ? last : p.first_row + step;
		gs_cpu_pause();
		switch (gs_type_width((gs_type) run->op->type))
		{
			case 2:
				copy2(t, &p, s->values, from, to);
				break;
			case 4:
				copy4(t, &p, s->values, from, to);
				break;
			default:
				copy8(t, &p, s->values, from, to);
		}
	}
}

/* What of one column has ranks from `first` on, below `end`. */
static void
copy_column(const gs_run *run, const gs_transposition *t, int64_t column,
			int64_t first, int64_t end, void *to)
{
	int64_t		start = gs_column_start(t, column);
	int64_t		next = gs_column_start(t, column + 1);
	part		p = {
		.first_row = first > start ? first - start : 0,
		.last_row = (end < next ? end : next) - start,
		.first_column = column,
		.last_column = column + 1
	};

	copy_part(run, t, p, first, to);
}

static void
transpose_fetch(gs_run *run, gs_column column, int64_t first, int64_t n,
				void *to)
{
	const transpose_state *s = run->state;
	gs_transposition t = gs_transposition_of(s->n, run->op->transpose.columns);
	int64_t		at;
	int64_t		last;

	(void) column;
	if (n == 0)
		return;
	at = gs_column_of(&t, first);
	last = gs_column_of(&t, first + n - 1);
	while (at <= last)
	{
		int64_t		end = at - at % TOGETHER + TOGETHER;

		/* columns of equal length that are wanted as a whole */
		end = end < last ? end : last;
		if (at < t.rest && end > t.rest)
			end = t.rest;
		if (gs_column_start(&t, at) < first || end <= at)
			end = at;
		if (end > at)
			copy_part(run, &t, (part) {
				0, gs_column_start(&t, at + 1) - gs_column_start(&t, at),
				at, end
			}, first, to);
		else
			copy_column(run, &t, end++, first, first + n, to);
		at = end;
	}
}

static int64_t
memory(const gs_op *op, int64_t n)
{
	return n * gs_type_width((gs_type) op->type);
}

const cpu_family gs_cpu_transpose = {
	.memory = memory, .begin = transpose_begin, .feed = transpose_feed,
	.finish = transpose_finish, .fetch = transpose_fetch
};
