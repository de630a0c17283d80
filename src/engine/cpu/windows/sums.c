/*-------------------------------------------------------------------------
 *
 * sums.c
 *	  Sums and means of floats of the frames of a partition, rounded once.
 *
 * As in moving_float.c: a sum is an integer of 128 bits where the bits of all
 * values lie close enough together (moving.h), and else the limbs that they lie
 * in.  What neither can hold is counted.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"
#include "engine/moving.h"

/* Of the places from `from` to `to` - 1. */
typedef struct sliding
{
	const window_summing *w;
	int64_t		from;
	int64_t		to;
	int64_t		count;
	int64_t		special[GS_SPECIALS];
	int64_t		specials;		/* the sum of these, but for -0 */
	gs_wide		wide;
	int64_t		limb[GS_ACC_LIMBS];	/* if not wide; each is below 2^32 times
									 * the count */
} sliding;

static void
find_summing(const window_run *r, window_summing *s)
{
	gs_extent	e = GS_NO_EXTENT;
	int64_t		n = r->order.n;

	for (int64_t i = 0; i < n; i++)
	{
		double		x = window_float(r->argument, r->type, i);

		if (window_is_present(r, i) && gs_is_finite(x))
			gs_extent_add(&e, x);
	}
	s->found = true;
	s->wide = gs_wide_fits(e, n > 0 ? n : 1, &s->base);
	s->first = e.end > 0 ? e.lowest / 32 : 0;
	s->limbs = e.end > 0 ? (e.end + 31) / 32 + 2 - s->first : 1;
	if (s->limbs > GS_ACC_LIMBS - s->first)
		s->limbs = GS_ACC_LIMBS - s->first;
}

static void
clear(sliding *s)
{
	const window_summing *w = s->w;

	memset(s, 0, sizeof *s);
	s->w = w;
}

/* The value at a place comes, or goes. */
static inline void
change(const window_run *r, const window_summing *w, sliding *s,
	   int64_t place, bool goes)
{
	double		x = window_float(r->argument, r->type, place);

	if (!window_is_present(r, place))
		return;
	s->count += goes ? -1 : 1;
	if (gs_is_special(x))
	{
		gs_special	which = gs_special_of(x);

		s->special[which] += goes ? -1 : 1;
		if (which != GS_SPECIAL_NEGATIVE_ZERO)
			s->specials += goes ? -1 : 1;
	}
	else if (w->wide)
	{
		gs_wide		a = gs_wide_of(x, w->base);

		s->wide = goes ? gs_wide_subtract(s->wide, a) :
			gs_wide_add(s->wide, a);
	}
	else
	{
		int			position;
		bool		negative;
		uint64_t	m = gs_split(x, &position, &negative);

		gs_limbs_add(s->limb, m, position, negative != goes);
	}
}

static uint32_t
seen(const sliding *s)
{
	return (s->special[GS_SPECIAL_NAN] > 0 ? GS_SEEN_NAN : 0) |
		(s->special[GS_SPECIAL_POSITIVE_INF] > 0 ? GS_SEEN_POSITIVE_INF : 0) |
		(s->special[GS_SPECIAL_NEGATIVE_INF] > 0 ? GS_SEEN_NEGATIVE_INF : 0) |
		(s->special[GS_SPECIAL_NEGATIVE_ZERO] < s->count ?
		 GS_SEEN_NOT_NEGATIVE_ZERO : 0);
}

/* The result, of at least one value; false: it is out of range. */
static inline bool
find_result(const window_run *r, const window_summing *w, const sliding *s,
			double *result)
{
	bool		mean = r->f->kind == GS_WINDOW_AVERAGE;
	gs_limbs	limbs;

	if (w->wide && s->specials == 0 && (s->wide.low | s->wide.high) != 0)
	{
		*result = mean ?
			gs_wide_mean(s->wide, w->base, (uint32_t) s->count) :
			gs_wide_round(s->wide, w->base);
		return gs_is_finite(*result);
	}
	limbs.limb = s->limb + w->first;
	limbs.n = w->limbs;
	limbs.lowest = 32 * w->first + GS_ACC_LOWEST;
	limbs.seen = seen(s);
	return (mean ? gs_limbs_mean(limbs, s->count, result) :
			gs_limbs_round(limbs, result)) == GS_ROUNDED;
}

static void
sum_block(window_run *r, void *state, int64_t at, int n,
		  const uint32_t *start, const uint32_t *end)
{
	sliding    *s = state;
	const window_summing *w = s->w;
	double	   *result = (double *) r->result + at;
	uint8_t    *valid = r->valid + at;

	for (int i = 0; i < n; i++)
	{
		if (i > 0 && start[i] == start[i - 1] && end[i] == end[i - 1])
		{
			result[i] = result[i - 1];
			valid[i] = valid[i - 1];
			continue;
		}
		WINDOW_SLIDE(s->from, s->to, start[i], end[i],
					 clear(s), change(r, w, s, s->to, false),
					 change(r, w, s, s->from, true));
		result[i] = 0;
		valid[i] = s->count > 0;
		if (s->count > 0 && !find_result(r, w, s, &result[i]))
			r->errors |= GS_ERROR_RANGE;
	}
}

/* Do sums run from the partition's first row to the one at hand? */
static bool
is_running(const gs_window_function *f)
{
	return f->kind == GS_WINDOW_SUM && f->start.bound == GS_BOUND_UNBOUNDED &&
		f->end.bound == GS_BOUND_CURRENT;
}

/* Peers have the last one's sum. */
static void
share_with_peers(window_run *r, int64_t first, int64_t end)
{
	double	   *result = r->result;

	for (int64_t i = end - 2; i >= first; i--)
	{
		if (r->order.head[i + 1] & HEAD_PEERS)
			continue;
		result[i] = result[i + 1];
		r->valid[i] = r->valid[i + 1];
	}
}

/*
 * By prefix sums, where a NULL is -0, which changes none.  False: one of these
 * is out of range.
 */
static bool
run(window_run *r, int64_t first, int64_t end)
{
	double		x[WINDOWS_BLOCK];
	cpu_prefix	prefix;
	bool		any = false;
	int			n;

	gs_cpu_prefix_init(&prefix);
	for (int64_t at = first; at < end; at += n)
	{
		n = end - at < WINDOWS_BLOCK ? (int) (end - at) : WINDOWS_BLOCK;
		for (int i = 0; i < n; i++)
		{
			bool		present = window_is_present(r, at + i);

			x[i] = present ? window_float(r->argument, r->type, at + i) : -0.0;
			any |= present;
			r->valid[at + i] = any;
		}
		if (gs_cpu_prefix_float8(&prefix, x, NULL, (double *) r->result + at,
								 n) < n)
			return false;
	}
	if (r->f->mode != GS_FRAME_ROWS && !r->order.unique)
		share_with_peers(r, first, end);
	return true;
}

void
cpu_window_floats(window_run *r, void *state, int64_t first, int64_t end)
{
	window_summing *w = state;
	sliding		s;

	if (is_running(r->f) && run(r, first, end))
		return;
	if (!w->found)
		find_summing(r, w);
	s.w = w;
	clear(&s);
	s.from = s.to = first;
	cpu_window_frames(r, first, end, sum_block, &s);
}
