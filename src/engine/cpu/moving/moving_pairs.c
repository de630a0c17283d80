/*-------------------------------------------------------------------------
 *
 * moving_pairs.c
 *	  Correlations of moving frames on the CPU.
 *
 * Feed stores both arrays as doubles, zeros for a pair that has a NULL.  Doubles
 * decide nearly all results (moving_quick.h).  For the others the frame's
 * pairs are summed exactly (pair_sums.h), from one such frame to the next.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/moving_quick.h"
#include "engine/cpu/moving/pair_sums.h"

#include <string.h>

#define ALIGNED(size)	(((size) + 63) / 64 * 64)

typedef struct pairs_state
{
	bool		nulls;			/* there were some */
	bool		decided;		/* this is known: */
	uint64_t   *validity;		/* of the results */
	bool		computed;		/* they are in: */
	double	   *result;
	uint32_t   *before;			/* as moving.c has it, of pairs */
	double	   *y;
	double	   *x;
} pairs_state;

static gs_status
moving_pairs_begin(gs_run *run)
{
	size_t		before = ALIGNED(((size_t) run->n + 1) * sizeof(uint32_t));
	size_t		doubles = ALIGNED((size_t) run->n * sizeof(double));
	size_t		validity = ALIGNED(GS_VALIDITY_ROWS(run->n) *
								   sizeof(uint64_t));
	uint8_t    *memory = gs_cpu_allocate(ALIGNED(sizeof(pairs_state)) +
										 before + 3 * doubles + validity);
	pairs_state *s = (pairs_state *) memory;

	if (memory == NULL)
		return GS_NO_MEMORY;
	run->state = memory;
	memory += ALIGNED(sizeof(pairs_state));
	*s = (pairs_state) {
		.before = (uint32_t *) memory,
		.y = (double *) (memory + before),
		.x = (double *) (memory + before + doubles),
		.result = (double *) (memory + before + 2 * doubles),
		.validity = (uint64_t *) (memory + before + 3 * doubles)
	};
	return GS_OK;
}

static gs_status
moving_pairs_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	pairs_state *s = run->state;
	const gs_value zero = {0};
	gs_type		type = (gs_type) run->op->type;
	int			width = gs_type_width(type);
	cpu_reader	y = gs_cpu_reader(&in->data, in->n, width);
	cpu_reader	x = gs_cpu_reader(&in->mask, in->n, width);

	(void) out;
	if ((in->data.present < in->n || in->mask.present < in->n) && !s->nulls)
	{
		s->nulls = true;
		for (int64_t i = 0; i <= run->fed; i++)
			s->before[i] = (uint32_t) i;
	}
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		int64_t		to = run->fed + at;
		uint64_t	scratch[CPU_BLOCK];
		uint8_t		flags[CPU_BLOCK];
		uint8_t		flags_x[CPU_BLOCK];

		memset(flags, 1, sizeof flags);
		memset(flags_x, 1, sizeof flags_x);
		gs_cpu_to_doubles(type, gs_cpu_read(&y, n, zero, scratch, flags), n,
						  s->y + to);
		gs_cpu_to_doubles(type, gs_cpu_read(&x, n, zero, scratch, flags_x), n,
						  s->x + to);
		for (int i = 0; s->nulls && i < n; i++)
		{
			flags[i] &= flags_x[i];
			if (!flags[i])
				s->y[to + i] = s->x[to + i] = 0;
			s->before[to + i + 1] = s->before[to + i] + flags[i];
		}
	}
	return GS_OK;
}

static void
moving_pairs_finish(gs_run *run, gs_result *result)
{
	result->results = run->n;
}

/* ----------
 * Results
 * ----------
 */

/* Of frame i; false if there is no correlation. */
static bool
exactly(cpu_pair_sums *p, const cpu_frame *f, const uint32_t *before,
		int64_t i, double *result)
{
	if (!p->open)
		cpu_pair_sums_open(p, f->n, cpu_frame_most(f));
	cpu_pair_sums_move(p, cpu_frame_first(f, i), cpu_frame_end(f, i));
	if (cpu_pair_sums_figure(p, GS_FIGURE_CORR, cpu_frame_count(f, before, i),
							 result) != GS_UNDEFINED)
		return true;
	*result = 0;
	return false;
}

static void
correlate(const gs_op *op, pairs_state *s, int64_t n, double *result)
{
	cpu_quick	q = {
		.frame = cpu_frame_of(op, n),
		.before = s->nulls ? s->before : NULL,
		.arrays = 2,
		.element = {s->x, s->y}
	};
	cpu_pair_sums p = {.y = s->y, .x = s->x};
	double		block[QUICK_BLOCK];
	uint8_t		known[QUICK_BLOCK] = {0};
	bool		quick = cpu_quick_open(&q);
	int64_t		since = 0;
	int			count;

	for (int64_t at = 0; at < n; at += count)
	{
		count = quick ? cpu_quick_next(&q, block, known) :
			n - at < QUICK_BLOCK ? (int) (n - at) : QUICK_BLOCK;
		for (int i = 0; i < count; i++)
		{
			bool		valid = known[i] != QUICK_NULL;

			if (known[i])
				result[at + i] = block[i];
			else
			{
				valid = exactly(&p, &q.frame, q.before, at + i,
								&result[at + i]);
				pause_after(&since, EXACT_ELEMENTS);
			}
			gs_cpu_put_valid(s->validity, at + i, valid);
		}
	}
	s->decided = true;
}

static void
moving_pairs_fetch(gs_run *run, gs_column column, int64_t first, int64_t n,
				   void *to)
{
	pairs_state *s = run->state;
	bool		values = column == GS_COLUMN_VALUES;

	if (values && n == run->n && !s->computed)
	{
		correlate(run->op, s, run->n, to);
		return;
	}
	if (!(values ? s->computed : s->decided))
	{
		correlate(run->op, s, run->n, s->result);
		s->computed = true;
	}
	if (values)
		memcpy(to, s->result + first, (size_t) n * sizeof(double));
	else
		memcpy(to, s->validity + first, (size_t) n * sizeof(uint64_t));
}

/* Elements of both arrays, counts and results. */
static int64_t
memory(const gs_op *op, int64_t n)
{
	(void) op;
	return n * (2 * 8 + 4 + 8);
}

const cpu_family gs_cpu_moving_pairs = {
	.memory = memory, .begin = moving_pairs_begin, .feed = moving_pairs_feed,
	.finish = moving_pairs_finish, .fetch = moving_pairs_fetch
};

void
gs_moving_correlations(const gs_op *op, int64_t n, double *y, double *x,
					   uint32_t *before, double *result, uint64_t *validity)
{
	pairs_state s = {.nulls = before != NULL, .before = before, .y = y, .x = x,
	.validity = validity};

	correlate(op, &s, n, result);
}
