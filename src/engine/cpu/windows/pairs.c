/*-------------------------------------------------------------------------
 *
 * pairs.c
 *	  Correlations of the frames of a partition.
 *
 * A partition is two arrays of doubles, with zeros for what is no pair, of which
 * moving_pairs.c computes moving frames.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"
#include "engine/moving_pairs.h"

#define ALIGNED(size)	(((size_t) (size) + 63) & ~(size_t) 63)

void
cpu_window_correlation(window_run *r, void *state, int64_t first, int64_t end)
{
	int64_t		n = end - first;
	const double *argument = (const double *) r->argument + first;
	double	   *result = (double *) r->result + first;
	double	   *y = r->ranking;
	double	   *x = (double *) ((char *) y + ALIGNED(n * 8));
	uint32_t   *before = (uint32_t *) ((char *) x + ALIGNED(n * 8));
	uint64_t   *validity = (uint64_t *) ((char *) before +
										 ALIGNED((n + 1) * 4));
	const gs_op op = {
		.kind = GS_MOVING_CORR, .type = GS_FLOAT8,
		.moving = {(int32_t) r->f->start.offset, (int32_t) r->f->end.offset}
	};

	(void) state;
	before[0] = 0;
	for (int64_t i = 0; i < n; i++)
	{
		bool		present = window_is_present(r, first + i);
		int64_t		row = r->order.row == NULL ? first + i :
			r->order.row[first + i];

		y[i] = present ? argument[i] : 0;
		x[i] = present ? r->second[row] : 0;
		before[i + 1] = before[i] + present;
	}
	gs_moving_correlations(&op, n, y, x, before, result, validity);
	for (int64_t i = 0; i < n; i++)
	{
		r->valid[first + i] = validity[i / 64] >> i % 64 & 1;
		if (!r->valid[first + i])
			result[i] = 0;
	}
}
