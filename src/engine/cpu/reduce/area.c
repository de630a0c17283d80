/*-------------------------------------------------------------------------
 *
 * area.c
 *	  Areas below steps or lines, exactly: values times distances, on the CPU.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include "engine/interpolate.h"

#include <stdlib.h>
#include <string.h>

typedef struct area
{
	bool		wrong;			/* no result */
	int64_t		n;				/* points so far */
	gs_value	first;			/* their positions: the first, .. */
	gs_value	last;			/* .. and the last, */
	double		value;			/* whose value this is */
	gs_acc2		sum;
} area;

/* n distances between n + 1 elements; false: one cannot be. */
#define DISTANCES(suffix, type, distance_of) \
static bool \
distances_##suffix(const void *elements, int n, double *distance) \
{ \
	const type *x = elements; \
	bool		wrong = false; \
\
	for (int k = 0; k < n; k++) \
	{ \
		wrong |= !distance_of(x[k], x[k + 1], &distance[k]); \
		wrong |= !(distance[k] > 0); \
	} \
	return !wrong; \
}

DISTANCES(int2, int16_t, gs_distance_of_integers)
DISTANCES(int4, int32_t, gs_distance_of_integers)
DISTANCES(int8, int64_t, gs_distance_of_integers)
DISTANCES(float4, float, gs_distance_of_doubles)
DISTANCES(float8, double, gs_distance_of_doubles)

static bool (*const distances[]) (const void *, int, double *) =
{
	BY_NUMBER(distances)
};

/*
 * Add twice what lies below the lines through n + 1 points, whose distances are
 * n: each value times the distances on both sides, which is one product where
 * their sums are doubles.
 */
static void
add_lines(gs_acc2 *sum, const double *y, const double *distance, int n)
{
	double		both[CPU_BLOCK + 1];
	bool		exact = true;

	both[0] = distance[0];
	both[n] = distance[n - 1];
	for (int k = 1; k < n; k++)
	{
		gs_pair		s = gs_two_sum(distance[k - 1], distance[k]);

		both[k] = s.hi;
		exact &= s.lo == 0;
	}
	if (exact)
	{
		gs_cpu_products_float8(sum, y, both, n + 1);
		return;
	}
	gs_cpu_products_float8(sum, y, distance, n);
	gs_cpu_products_float8(sum, y + 1, distance, n);
}

/* Add what lies between n + 1 points, of which value k is y[k]. */
static void
add(area *a, const gs_op *op, const void *x, const double *y, int64_t n)
{
	const int	width = gs_type_width((gs_type) op->type);
	double		distance[CPU_BLOCK];

	for (int64_t at = 0; at < n && !a->wrong; at += CPU_BLOCK)
	{
		int			m = gs_cpu_block_size(n - at);

		if (!distances[op->type] ((const char *) x + at * width, m, distance))
			a->wrong = true;
		else if (op->area.both_sides)
			add_lines(&a->sum, y + at, distance, m);
		else
			gs_cpu_products_float8(&a->sum, y + at, distance, m);
	}
}

static gs_status
area_begin(gs_run *run)
{
	run->state = calloc(1, sizeof(area));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

static gs_status
area_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const int	width = gs_type_width((gs_type) run->op->type);
	const char *x = in->data.values;
	const double *y = in->mask.values;
	area	   *a = run->state;

	(void) out;
	a->wrong |= in->data.present < in->n || in->mask.present < in->n;
	if (a->wrong || in->n == 0)
		return GS_OK;
	if (a->n == 0)
		memcpy(&a->first, x, width);
	else
	{
		/* from the last batch to this one */
		gs_value	pair[2];		/* side by side, as an array has them */
		const double value[2] = {a->value, y[0]};

		memcpy(pair, &a->last, width);
		memcpy((char *) pair + width, x, width);
		add(a, run->op, pair, value, 1);
	}
	add(a, run->op, x, y, in->n - 1);
	a->n += in->n;
	memcpy(&a->last, x + (in->n - 1) * width, width);
	a->value = y[in->n - 1];
	return GS_OK;
}

static void
area_finish(gs_run *run, gs_result *result)
{
	area	   *a = run->state;

	result->errors = a->wrong || a->n < 2;
	if (result->errors)
		return;
	gs_acc2_propagate(&a->sum);
	result->squares = a->sum;
	result->value = a->first;
	result->greatest = a->last;
}

const cpu_family gs_cpu_area = {
	.begin = area_begin, .feed = area_feed, .finish = area_finish
};
