/*-------------------------------------------------------------------------
 *
 * sums.c
 *	  Sums of floats, of their squares and products, for each group.
 *
 * What a group has, a sum in a window and perhaps exceptions, becomes digits
 * of 32 bits from the lowest position of an accumulator on, and these a
 * gs_float_sum or an accumulator.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/sums.h"

#include <stdlib.h>

/* Additions of exceptions between two propagations of carries. */
#define MANY_ADDITIONS	(1 << 27)

/* The widest window, and what an accumulator has, with room for shifts. */
#define MAX_DIGITS		(GS_ACC2_LIMBS + 16)

/*
 * limb[i] counts units of 2^(32 (first + i)) of the lowest position; all but
 * the last are within 0 and 2^32 - 1.
 */
typedef struct digits
{
	int			first;
	int			n;
	uint32_t	seen;
	int64_t		limb[MAX_DIGITS];
} digits;

static void
propagate(digits *d)
{
	for (int i = 0; i < d->n - 1; i++)
	{
		d->limb[i + 1] += d->limb[i] >> 32;
		d->limb[i] &= UINT32_MAX;
	}
}

/*
 * Add a group's words to the digits.  Its bit 0 lies one below position
 * `first`: if that is the lowest one, the first digit would be below all
 * positions, and is 0.
 */
static void
add_words(digits *d, const group_sums *sums, const uint64_t *word)
{
	int			from = sums->first + 31;	/* of bit 0, plus 32 */
	int			shift = from % 32;
	int			at = from / 32 - 1 - d->first;

	for (int i = 0; i < 2 * sums->words; i++)
	{
		uint64_t	bits = i == 0 ? word[0] & ~UINT64_C(1) : word[i / 2];
		int64_t		half = (int64_t) (bits >> i % 2 * 32 & UINT32_MAX);

		if (i == 2 * sums->words - 1)
			half = (int32_t) half;	/* the sign */
		half *= INT64_C(1) << shift;
		if (at + i >= 0)
			d->limb[at + i] += half & UINT32_MAX;
		d->limb[at + i + 1] += half >> 32;
	}
}

/* The group's first exception. */
static int64_t
find_exceptions(const group_sums *sums, uint32_t group)
{
	int64_t		low = 0;
	int64_t		high = sums->exceptions;

	while (low < high)
	{
		int64_t		middle = low + (high - low) / 2;

		if (sums->exception[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
has_exceptions(const group_sums *sums, uint32_t group, int64_t at)
{
	return at < sums->exceptions && sums->exception[at].group == group;
}

static void
add_exceptions(digits *d, const group_sums *sums, uint32_t group, int64_t at)
{
	gs_acc2		acc;

	gs_acc2_init(&acc);
	for (; has_exceptions(sums, group, at); at++)
	{
		const group_exception *e = &sums->exception[at];
		uint64_t	m;
		int			position;
		bool		negative;

		if (acc.additions >= MANY_ADDITIONS)
			gs_acc2_propagate(&acc);
		if (sums->products)
		{
			gs_acc2_add_product(&acc, e->x, e->y);
			continue;
		}
		m = gs_split(e->x, &position, &negative);
		gs_limbs_add(acc.limb, m, position, negative);
		acc.additions++;
	}
	gs_acc2_propagate(&acc);
	for (int i = 0; i < GS_ACC2_LIMBS; i++)
		d->limb[i] += acc.limb[i];
}

/* The sum of everything: there are no keys. */
static void
collect_whole(const group_sums *sums, digits *d)
{
	const gs_acc2 *squares = sums->whole;
	const gs_acc *sum = (const gs_acc *) sums->whole;

	d->first = 0;
	d->n = sums->products ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	d->seen = sums->products ? squares->seen : sum->seen;
	memcpy(d->limb, sums->products ? squares->limb : sum->limb,
		   sizeof(int64_t) * d->n);
	propagate(d);
}

static void
collect(const group_state *s, uint32_t group, digits *d)
{
	const group_sums *sums = s->sums;
	const uint64_t *word = (const uint64_t *) (s->store.data +
											   (size_t) group * s->store.width);
	int64_t		at;

	if (sums->whole != NULL)
	{
		collect_whole(sums, d);
		return;
	}
	d->seen = sums->seen ? s->present.data[group] : 0;
	d->first = 0;
	d->n = 1;
	d->limb[0] = 0;
	if (sums->words == 0)
		return;
	if (word[0] & 1)
		d->seen |= GS_SEEN_NOT_NEGATIVE_ZERO;
	at = sums->exceptions == 0 ? 0 : find_exceptions(sums, group);
	if (has_exceptions(sums, group, at))
	{
		d->n = MAX_DIGITS;
		memset(d->limb, 0, sizeof d->limb);
		add_exceptions(d, sums, group, at);
	}
	else
	{
		d->first = (sums->first + 31) / 32 - 1;
		d->n = 2 * sums->words + 1;
		memset(d->limb, 0, sizeof(int64_t) * d->n);
	}
	add_words(d, sums, word);
	propagate(d);
}

static gs_status
begin_sums(gs_plan_run *run, group_state *s)
{
	bool		whole = run->plan->keys == 0;

	s->sums = gs_group_zeros(1, sizeof *s->sums);
	if (s->sums == NULL)
		return gs_group_no_memory(run);
	s->sums->products = s->aggregate->kind != GS_AGG_SUM;
	s->sums->headroom = GROUP_HEADROOM;
	s->present.width = sizeof(uint8_t);
	if (whole)
	{
		s->sums->whole = gs_group_zeros(1, sizeof(gs_acc2));
		if (s->sums->whole == NULL)
			return gs_group_no_memory(run);
	}
	return GS_OK;
}

/* Without keys. */
static void
add_whole(group_state *s, const group_rows *rows)
{
	gs_acc2    *acc = s->sums->whole;
	double		x_space[GROUP_TILE];
	double		y_space[GROUP_TILE];
	const double *x;
	const double *y;

	if (s->aggregate->kind == GS_AGG_SUM)
	{
		if (s->type == GS_FLOAT4)
			gs_cpu_sum_float4((gs_acc *) acc, rows->a, rows->n);
		else
			gs_cpu_sum_float8((gs_acc *) acc, rows->a, rows->n);
		return;
	}
	if (s->aggregate->kind == GS_AGG_SQUARES)
	{
		if (s->type == GS_FLOAT4)
			gs_cpu_squares_float4(acc, rows->a, rows->n);
		else
			gs_cpu_squares_float8(acc, rows->a, rows->n);
		return;
	}
	x = gs_group_doubles(s->type, rows->a, rows->n, x_space);
	y = gs_group_doubles(s->type, rows->b, rows->n, y_space);
	if (acc->additions > GS_ACC_ADDITIONS - 4 * GROUP_TILE)
		gs_acc2_propagate(acc);
	for (int i = 0; i < rows->n; i++)
		gs_acc2_add_product(acc, x[i], y[i]);
}

static gs_status
add_sums(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	double		x_space[GROUP_TILE];
	double		y_space[GROUP_TILE];
	const double *x;
	const double *y;

	if (s->sums->whole != NULL)
	{
		add_whole(s, rows);
		return GS_OK;
	}
	x = gs_group_doubles(s->type, rows->a, rows->n, x_space);
	y = s->aggregate->kind != GS_AGG_PRODUCTS ? x :
		gs_group_doubles(s->type, rows->b, rows->n, y_space);
	return gs_sums_add(run, s, rows, x, y);
}

static gs_status
merge_sums(gs_plan_run *run, group_state *s, gs_plan_run *part,
		   group_state *from, const uint32_t *group)
{
	gs_partial_empty(run, s);
	gs_partial_empty(part, from);
	return gs_sums_merge(run, s, from, group, part->summary.groups);
}

/* A part begins with the windows that there are, which serve it as well. */
void
gs_group_copy_window(group_state *s, const group_state *from)
{
	if (s->family != &gs_group_float_sums || from->sums->words == 0)
		return;
	s->sums->words = from->sums->words;
	s->sums->first = from->sums->first;
	s->sums->reach = from->sums->reach;
	s->sums->headroom = from->sums->headroom;
	s->store.width = from->store.width;
}

/* Exceptions in the order of groups. */
static gs_status
sort_exceptions(gs_plan_run *run, group_sums *sums)
{
	size_t		n = (size_t) sums->exceptions;
	cpu_keys	sort = {.width = 4,.n = sums->exceptions};
	group_exception *sorted;

	run->scratch[0] = gs_group_allocate(n, sizeof(uint32_t));
	run->scratch[1] = gs_group_allocate(n, sizeof(uint32_t));
	run->scratch[2] = gs_group_allocate(n, sizeof(uint32_t));
	run->scratch[3] = gs_group_allocate(n, sizeof(uint32_t));
	run->scratch[4] = sorted = gs_group_allocate(n, sizeof *sorted);
	for (int i = 0; i < GROUP_SCRATCH; i++)
	{
		if (run->scratch[i] == NULL)
			return gs_group_no_memory(run);
	}
	sort.key = run->scratch[0];
	sort.other_key = run->scratch[1];
	sort.position = run->scratch[2];
	sort.other_position = run->scratch[3];
	for (size_t i = 0; i < n; i++)
	{
		((uint32_t *) sort.key)[i] = sums->exception[i].group;
		sort.position[i] = (uint32_t) i;
	}
	gs_cpu_sort(&sort);
	for (size_t i = 0; i < n; i++)
	{
		if (i % (64 * GROUP_PAUSE) == 0)
			gs_cpu_pause();
		sorted[i] = sums->exception[sort.position[i]];
	}
	run->scratch[4] = sums->exception;
	sums->exception = sorted;
	gs_group_free_scratch(run);
	return GS_OK;
}

/* Which sums are wide?  None of a narrow window without exceptions. */
static gs_status
finish_sums(gs_plan_run *run, group_state *s)
{
	group_sums *sums = s->sums;
	gs_status	status = GS_OK;
	int64_t		room = 0;

	gs_partial_empty(run, s);
	if (sums->exceptions > 0)
		status = sort_exceptions(run, sums);
	if (status != GS_OK ||
		(sums->whole == NULL && sums->exceptions == 0 &&
		 2 * sums->words < GS_FLOAT_SUM_LIMBS))
		return status;
	for (int64_t i = 0; i < run->summary.groups; i++)
	{
		gs_float_sum sum;
		digits		d;

		if (i % GROUP_PAUSE == 0)
			gs_cpu_pause();
		collect(s, gs_group_at(run, i), &d);
		if (gs_float_sum_make(d.limb, d.n, d.first, d.seen, &sum))
			continue;
		if (sums->wides == room)
		{
			uint32_t   *wide;

			room = room * 2 + 16;
			wide = gs_group_reserve((size_t) (room - sums->wides),
									sizeof *wide) ?
				realloc(sums->wide, room * sizeof *wide) : NULL;
			if (wide == NULL)
				return gs_group_no_memory(run);
			sums->wide = wide;
		}
		sums->wide[sums->wides++] = (uint32_t) i;
	}
	return GS_OK;
}

/* How many wide sums have places before this one? */
static int64_t
wides_before(const group_sums *sums, int64_t place)
{
	int64_t		low = 0;
	int64_t		high = sums->wides;

	while (low < high)
	{
		int64_t		middle = low + (high - low) / 2;

		if (sums->wide[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
fetch_sums(gs_plan_run *run, group_state *s, int64_t place, void *to)
{
	gs_float_sum sum;
	digits		d;

	collect(s, gs_group_at(run, place), &d);
	if (!gs_float_sum_make(d.limb, d.n, d.first, d.seen, &sum))
		sum.wide = (int32_t) wides_before(s->sums, place) + 1;
	memcpy(to, &sum, sizeof sum);
}

int64_t
gs_group_wide_sums(const group_state *s)
{
	return s->sums->wides;
}

/* As an accumulator, whose last limb has all bits from there on. */
void
gs_group_fetch_wide(gs_plan_run *run, group_state *s, int64_t wide, void *to)
{
	int			n = s->sums->products ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	gs_acc2		squares;
	gs_acc		sum;
	int64_t    *limb = s->sums->products ? squares.limb : sum.limb;
	digits		d;

	gs_acc2_init(&squares);
	gs_acc_init(&sum);
	collect(s, gs_group_at(run, s->sums->wide[wide]), &d);
	for (int i = 0; i < n; i++)
		limb[i] = i < d.first ? 0 : gs_limb_at(d.limb, d.n, i - d.first);
	limb[n - 1] |= (int64_t)
		((uint64_t) gs_limb_at(d.limb, d.n, n - d.first) << 32);
	squares.seen = sum.seen = d.seen;
	if (s->sums->products)
	{
		gs_acc2_propagate(&squares);
		memcpy(to, &squares, sizeof squares);
	}
	else
	{
		gs_acc_propagate(&sum);
		memcpy(to, &sum, sizeof sum);
	}
}

static void
end_sums(group_state *s)
{
	if (s->sums == NULL)
		return;
	free(s->sums->exception);
	free(s->sums->wide);
	free(s->sums->whole);
	free(s->sums->partial.memory);
	free(s->sums);
}

const group_family gs_group_float_sums = {
	.begin = begin_sums,
	.add = add_sums,
	.merge = merge_sums,
	.finish = finish_sums,
	.fetch = fetch_sums,
	.end = end_sums,
};
