/*-------------------------------------------------------------------------
 *
 * moving_pairs.c
 *	  Correlations of moving frames on the CPU.
 *
 * Feed stores both arrays as doubles, zeros for a pair that has a NULL.  Doubles
 * decide nearly all results (moving_quick.h).  For the others the frame's
 * pairs are summed exactly: as integers (moving_pairs.h) where the bits of all
 * elements lie close enough together, and else in the limbs that they lie in.
 * Pairs enter and leave these sums from one such frame to the next.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/moving_quick.h"
#include "engine/moving_pairs.h"

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

/* Exact sums over pairs first .. end - 1. */
typedef struct pair_sums
{
	const pairs_state *pairs;
	bool		open;			/* this is set: */
	bool		wide;
	gs_extent	extent_y;
	gs_extent	extent_x;

	int64_t		first;
	int64_t		end;
	int64_t		special_y;		/* so many are not finite, and in no sum */
	int64_t		special_x;
	gs_moving_pairs integer;	/* but its n */

	/* if not wide; below 2^33 times the pairs, which are at most 2^28 */
	int64_t		sum_y[GS_ACC_LIMBS];
	int64_t		sum_x[GS_ACC_LIMBS];
	int64_t		yy[GS_ACC2_LIMBS];
	int64_t		xx[GS_ACC2_LIMBS];
	int64_t		xy[GS_ACC2_LIMBS];
} pair_sums;

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
 * Exact sums
 * ----------
 */

static gs_extent
extent_of(const double *v, int64_t n)
{
	gs_extent	e = GS_NO_EXTENT;
	int64_t		since = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (gs_is_finite(v[i]))
			gs_extent_add(&e, v[i]);
		pause_after(&since, 1);
	}
	return e;
}

static void
open_sums(pair_sums *p, const cpu_frame *f)
{
	int64_t		most = cpu_frame_most(f);

	p->open = true;
	p->extent_y = extent_of(p->pairs->y, f->n);
	p->extent_x = extent_of(p->pairs->x, f->n);
	p->wide = gs_wide_fits(p->extent_y, most, &p->integer.base_y) &&
		gs_wide_fits(p->extent_x, most, &p->integer.base_x);
}

static void
add_product(int64_t *limb, double x, double y, bool leaves)
{
	int			position_x;
	int			position_y;
	bool		negative_x;
	bool		negative_y;
	uint64_t	a = gs_split(x, &position_x, &negative_x);
	uint64_t	b = gs_split(y, &position_y, &negative_y);
	unsigned __int128 product = (unsigned __int128) a * b;
	bool		negative = (negative_x != negative_y) != leaves;

	gs_limbs_add(limb, (uint64_t) product, position_x + position_y, negative);
	gs_limbs_add(limb, (uint64_t) (product >> 64), position_x + position_y + 64,
				 negative);
}

static void
add_value(int64_t *limb, double x, bool leaves)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);

	gs_limbs_add(limb, m, position, negative != leaves);
}

/* A pair enters, or leaves. */
static void
change(pair_sums *p, int64_t i, bool leaves)
{
	double		y = p->pairs->y[i];
	double		x = p->pairs->x[i];
	int			by = leaves ? -1 : 1;

	/* what is not finite adds nothing, in no product either */
	if (!gs_is_finite(y))
	{
		p->special_y += by;
		y = 0;
	}
	if (!gs_is_finite(x))
	{
		p->special_x += by;
		x = 0;
	}
	if (p->wide)
	{
		gs_moving_pairs_change(&p->integer, y, x, leaves);
		return;
	}
	add_value(p->sum_y, y, leaves);
	add_value(p->sum_x, x, leaves);
	add_product(p->yy, y, y, leaves);
	add_product(p->xx, x, x, leaves);
	add_product(p->xy, x, y, leaves);
}

static void
clear(pair_sums *p, int64_t first)
{
	int			base_y = p->integer.base_y;
	int			base_x = p->integer.base_x;

	memset(&p->first, 0, sizeof *p - offsetof(pair_sums, first));
	p->integer.base_y = base_y;
	p->integer.base_x = base_x;
	p->first = p->end = first;
}

static void
move_to(pair_sums *p, const cpu_frame *f, int64_t i)
{
	int64_t		first = cpu_frame_first(f, i);
	int64_t		end = cpu_frame_end(f, i);
	int64_t		since = 0;

	if (!p->open)
		open_sums(p, f);
	if (p->end <= first)
		clear(p, first);
	for (; p->end < end; p->end++)
	{
		change(p, p->end, false);
		pause_after(&since, 1);
	}
	for (; p->first < first; p->first++)
	{
		change(p, p->first, true);
		pause_after(&since, 1);
	}
}

/* The limbs of a sum or, in pairs, of a sum of products. */
static gs_limbs
limbs_of(int64_t *limb, int lowest, int end, bool products, int64_t specials)
{
	int			most = products ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	int			unit = products ? GS_ACC2_LOWEST : GS_ACC_LOWEST;
	int			first = lowest / 32;
	int			limbs = (end + 31) / 32 + 2 - first;

	if (limbs > most - first)
		limbs = most - first;
	return (gs_limbs) {limb + first, limbs, 32 * first + unit,
		specials > 0 ? GS_SEEN_NAN : GS_SEEN_NOT_NEGATIVE_ZERO};
}

static gs_rounding
from_limbs(pair_sums *p, int64_t n, double *result)
{
	/* without any bits, an extent is empty */
	gs_extent	y = p->extent_y.end > 0 ? p->extent_y : (gs_extent) {0, 0};
	gs_extent	x = p->extent_x.end > 0 ? p->extent_x : (gs_extent) {0, 0};
	gs_sums		s = {
		.n = n,
		.y = limbs_of(p->sum_y, y.lowest, y.end, false, p->special_y),
		.x = limbs_of(p->sum_x, x.lowest, x.end, false, p->special_x),
		.yy = limbs_of(p->yy, 2 * y.lowest, 2 * y.end, true, 0),
		.xx = limbs_of(p->xx, 2 * x.lowest, 2 * x.end, true, 0),
		.xy = limbs_of(p->xy, x.lowest + y.lowest, x.end + y.end, true, 0)
	};

	return gs_correlation(&s, result);
}

static bool
is_constant(int64_t n, gs_quad squares, gs_wide sum, int64_t specials)
{
	return specials == 0 &&
		gs_quad_leading(gs_quad_centred(n, squares, sum, sum)).top == 0;
}

/* From integers; as gs_correlation, with what is not finite. */
static gs_rounding
from_integers(const pair_sums *p, int64_t n, double *result)
{
	gs_moving_pairs s = p->integer;

	if (n < 1)
		return GS_UNDEFINED;
	s.n = n;
	if (p->special_y == 0 && p->special_x == 0)
		return gs_moving_pairs_correlation(&s, result);
	if (is_constant(n, s.xx, s.x, p->special_x) ||
		is_constant(n, s.yy, s.y, p->special_y))
		return GS_UNDEFINED;
	*result = gs_canonical_nan();
	return GS_ROUNDED;
}

/* False if there is no correlation. */
static bool
exactly(pair_sums *p, const cpu_frame *f, const uint32_t *before, int64_t i,
		double *result)
{
	int64_t		n = cpu_frame_count(f, before, i);

	move_to(p, f, i);
	if ((p->wide ? from_integers(p, n, result) :
		 from_limbs(p, n, result)) != GS_UNDEFINED)
		return true;
	*result = 0;
	return false;
}

/* ----------
 * Results
 * ----------
 */

static void
correlate(const gs_op *op, pairs_state *s, int64_t n, double *result)
{
	cpu_quick	q = {
		.frame = cpu_frame_of(op, n),
		.before = s->nulls ? s->before : NULL,
		.arrays = 2,
		.element = {s->x, s->y}
	};
	pair_sums	p = {.pairs = s};
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
