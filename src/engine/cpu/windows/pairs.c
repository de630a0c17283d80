/*-------------------------------------------------------------------------
 *
 * pairs.c
 *	  Figures of pairs, and of values, of the frames of a partition.
 *
 * A partition is two arrays of doubles, with zeros for what is not present; of
 * values alone, the second one.  Where frames are of rows, from so many before to
 * so many behind, doubles decide most correlations and deviations of samples, as
 * they do of arrays (moving_pairs.c, moving_float.c).  Any other figure is one of
 * exact sums (pair_sums.h).
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/pair_sums.h"
#include "engine/cpu/windows/windows.h"

#define ALIGNED(size)	(((size_t) (size) + 63) & ~(size_t) 63)

/* Arrays' sums have no carries. */
#define MOVING_MAX		(1 << 28)

/* Places at a time, between two questions to the caller. */
#define PLACES			(1 << 16)

/* A partition in the memory of a ranking, which is larger. */
typedef struct partition
{
	double	   *y;
	double	   *x;
	uint32_t   *before;			/* how many are present before each, 0 to n */
	uint64_t   *validity;		/* of moving_pairs.c's results */
	int64_t		first;
	cpu_pair_sums sums;
} partition;

static void
lay_partition(partition *p, const window_run *r, int64_t first, int64_t n)
{
	char	   *at = r->ranking;

	p->first = first;
	p->y = (double *) at;
	p->x = (double *) (at + ALIGNED(n * 8));
	p->before = (uint32_t *) (at + 2 * ALIGNED(n * 8));
	p->validity = (uint64_t *) (at + 2 * ALIGNED(n * 8) + ALIGNED((n + 1) * 4));
}

static void
gather_partition(partition *p, const window_run *r, int64_t n)
{
	bool		pairs = gs_window_is_of_pairs(r->f);

	p->before[0] = 0;
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		place = p->first + i;
		bool		present = window_is_present(r, place);
		double		value = !present ? 0 :
			window_float(r->argument, r->type, place);

		p->before[i + 1] = p->before[i] + present;
		if (!pairs)
		{
			p->x[i] = value;
			continue;
		}
		p->y[i] = value;
		p->x[i] = !present ? 0 :
			r->second[r->order.row == NULL ? place : r->order.row[place]];
	}
}

/* ----------
 * As of arrays
 * ----------
 */

static int64_t
rows_away(const gs_frame_end *end, gs_frame_bound bound)
{
	return end->bound == GS_BOUND_CURRENT ? 0 :
		end->bound == bound ? end->offset : INT64_MAX;
}

/* Is it an operation over arrays? */
static bool
is_operation(const gs_window_function *f, gs_op *op)
{
	int64_t		preceding = rows_away(&f->start, GS_BOUND_PRECEDING);
	int64_t		following = rows_away(&f->end, GS_BOUND_FOLLOWING);

	if (f->mode != GS_FRAME_ROWS || preceding >= MOVING_MAX ||
		following >= MOVING_MAX - preceding ||
		(f->figure != GS_FIGURE_CORR && f->figure != GS_FIGURE_STDDEV_SAMP))
		return false;
	*op = (gs_op) {
		.kind = f->figure == GS_FIGURE_CORR ? GS_MOVING_CORR : GS_MOVING_STDDEV,
		.type = GS_FLOAT8,
		.moving = {(int32_t) preceding, (int32_t) following}
	};
	return true;
}

static void
correlate(window_run *r, partition *p, const gs_op *op, int64_t n)
{
	double	   *result = (double *) r->result + p->first;
	uint8_t    *valid = r->valid + p->first;

	gs_moving_correlations(op, n, p->y, p->x, p->before, result, p->validity);
	for (int64_t i = 0; i < n; i++)
	{
		valid[i] = p->validity[i / 64] >> i % 64 & 1;
		if (!valid[i])
			result[i] = 0;
	}
}

static void
deviate(window_run *r, partition *p, const gs_op *op, int64_t n)
{
	double	   *result = (double *) r->result + p->first;
	uint8_t    *valid = r->valid + p->first;
	cpu_frame	frame = cpu_frame_of(op, n);

	if (gs_moving_floats(op, n, p->x, p->before, result) < n)
		r->errors |= GS_ERROR_RANGE;
	for (int64_t i = 0; i < n; i++)
		valid[i] = cpu_frame_count(&frame, p->before, i) >= 2;
}

/* ----------
 * Of any frames
 * ----------
 */

/* Of the frame's n values, or pairs; NULL is a zero. */
static void
store_figure(const cpu_pair_sums *sums, gs_figure figure, int64_t n,
			 double *result, uint8_t *valid, uint32_t *errors)
{
	gs_rounding rounding;

	*result = 0;
	rounding = cpu_pair_sums_figure(sums, figure, n, result);
	*valid = rounding == GS_ROUNDED;
	if (*valid)
		return;
	*result = 0;
	if (rounding != GS_UNDEFINED)
		*errors |= GS_ERROR_RANGE;
}

static void
figure_block(window_run *r, void *state, int64_t at, int n,
			 const uint32_t *start, const uint32_t *end)
{
	partition  *p = state;
	double	   *result = (double *) r->result + at;
	uint8_t    *valid = r->valid + at;

	for (int i = 0; i < n; i++)
	{
		int64_t		first = start[i] - p->first;
		int64_t		last = (end[i] > start[i] ? end[i] : start[i]) - p->first;

		if (i > 0 && start[i] == start[i - 1] && end[i] == end[i - 1])
		{
			result[i] = result[i - 1];
			valid[i] = valid[i - 1];
			continue;
		}
		cpu_pair_sums_move(&p->sums, first, last);
		store_figure(&p->sums, (gs_figure) r->f->figure,
					 p->before[last] - p->before[first], &result[i], &valid[i],
					 &r->errors);
	}
}

void
cpu_window_figure(window_run *r, void *state, int64_t first, int64_t end)
{
	int64_t		n = end - first;
	partition	p;
	gs_op		op;

	(void) state;
	lay_partition(&p, r, first, n);
	gather_partition(&p, r, n);
	if (is_operation(r->f, &op))
	{
		if (op.kind == GS_MOVING_CORR)
			correlate(r, &p, &op, n);
		else
			deviate(r, &p, &op, n);
		return;
	}
	p.sums.y = gs_window_is_of_pairs(r->f) ? p.y : NULL;
	p.sums.x = p.x;
	cpu_pair_sums_open(&p.sums, n, n);
	cpu_window_frames(r, first, end, figure_block, &p);
}

bool
gs_window_figures(const gs_window_function *f, int64_t n, const double *y,
				  const double *x, const uint8_t *present,
				  const uint32_t *start, const uint32_t *end,
				  const gs_windows_caller *caller, double *result,
				  uint8_t *valid, uint32_t *errors)
{
	cpu_pair_sums sums = {.y = y, .x = x};
	int64_t		from = 0;
	int64_t		to = 0;
	int64_t		count = 0;

	cpu_pair_sums_open(&sums, n, n);
	for (int64_t i = 0; i < n; i++)
	{
		if (caller != NULL && i % PLACES == 0 && !caller->waits(caller->who))
			return false;
		for (; to < end[i]; to++)
			count += present[to];
		for (; from < start[i] && from < to; from++)
			count -= present[from];
		if (from < start[i])
			from = to = start[i];
		cpu_pair_sums_move(&sums, start[i], end[i]);
		store_figure(&sums, (gs_figure) f->figure, count, &result[i],
					 &valid[i], errors);
	}
	return true;
}
