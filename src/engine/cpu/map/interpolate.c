/*-------------------------------------------------------------------------
 *
 * interpolate.c
 *	  Where elements lie among ascending ones, and lines between these, on the
 *	  CPU.
 *
 * Elements often ascend, too, so each is looked for near the last one first.
 * Values of lines are computed a block at a time, in vectors; the few that
 * these do not decide, one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include "engine/interpolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * How far from the last answer to look first.  Beyond, a bisection of all is
 * faster than of a part: what its first steps read is in the processor's cache.
 */
#define NEAR		64

/* Elements that are checked between two pauses. */
#define CHECKED		(64 * 1024)

/* The ascending elements, and what comes with them. */
typedef struct interpolation
{
	bool		known;			/* there has been a batch */
	const void *x;
	const double *y;			/* of a GS_INTERPOLATE */
	int64_t		n;				/* elements */
	int64_t		last;			/* the last answer */
} interpolation;

/* A block of elements, and how many are not above each of them. */
typedef struct block
{
	int			n;
	const void *at;
	uint8_t		flags[CPU_BLOCK];	/* which are not NULL, or have a result */
	int64_t		count[CPU_BLOCK];
} block;

/* Lines between two points each: a block of results. */
typedef struct lines
{
	int			n;
	double		y0[CPU_BLOCK];
	double		y1[CPU_BLOCK];
	double		run[CPU_BLOCK];
	double		length[CPU_BLOCK];
	int			of[CPU_BLOCK];	/* the element's number in the block */
	double	   *to[CPU_BLOCK];	/* the result's place */
} lines;

#define EACH	"engine/cpu/map/interpolate_type.h"
#include "engine/cpu/each_number.h"
#undef EACH

static bool (*const ascends[]) (const void *, int64_t) =
{
	BY_NUMBER(ascends)
};

static void (*const look_up[]) (interpolation *, block *) =
{
	BY_NUMBER(look_up)
};

static int	(*const find_lines[]) (const interpolation *, block *, lines *,
								   double *) =
{
	BY_NUMBER(find_lines)
};

static gs_value
value_at(gs_type type, const void *values, int64_t i)
{
	int			width = gs_type_width(type);
	gs_value	v = {0};

	memcpy(&v, (const char *) values + i * width, width);
	return v;
}

static gs_status
interpolate_begin(gs_run *run)
{
	run->state = calloc(1, sizeof(interpolation));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

/* What the first batch has; false: nothing can be looked up there. */
static bool
set_elements(interpolation *l, const gs_op *op, const gs_input *in)
{
	gs_type		type = (gs_type) op->type;
	int64_t		n = op->mask.elements;
	int			width = gs_type_width(type);

	l->known = true;
	l->x = in->mask.values;
	l->y = in->third.values;
	l->n = n;
	if (in->mask.present < n)
		return false;
	for (int64_t i = 0; i < n; i += CHECKED)
	{
		if (!ascends[type] ((const char *) l->x + i * width,
							n - i > CHECKED ? CHECKED + 1 : n - i))
			return false;
		gs_cpu_pause();
	}
	return op->kind == GS_ASOF ||
		(in->third.present == n && gs_ends_line(type, value_at(type, l->x, 0)) &&
		 gs_ends_line(type, value_at(type, l->x, n - 1)));
}

/* Values at the block's elements that have one, packed. */
static int
interpolate(const interpolation *l, gs_type type, block *b, double *result)
{
	lines		of;
	double		line[CPU_BLOCK];
	uint8_t		known[CPU_BLOCK];
	int			results;

	of.n = 0;
	results = find_lines[type] (l, b, &of, result);
	gs_cpu_lines(of.y0, of.y1, of.run, of.length, of.n, line, known);
	for (int m = 0; m < of.n; m++)
	{
		int64_t		i = b->count[of.of[m]];

		*of.to[m] = known[m] ? line[m] :
			gs_line_between(type, value_at(type, l->x, i - 1),
							value_at(type, l->x, i),
							value_at(type, b->at, of.of[m]), of.y0[m],
							of.y1[m]);
	}
	return results;
}

/* The block's counts but 0, packed. */
static int
put_counts(block *b, int32_t *result)
{
	int			results = 0;

	for (int k = 0; k < b->n; k++)
	{
		b->flags[k] &= b->count[k] > 0;
		result[results] = (int32_t) b->count[k];
		results += b->flags[k];
	}
	return results;
}

static gs_status
interpolate_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_value zero = {0};
	const gs_op *op = run->op;
	gs_type		type = (gs_type) op->type;
	cpu_reader	reader = gs_cpu_reader(&in->data, in->n, gs_type_width(type));
	interpolation *l = run->state;

	if (!l->known && !set_elements(l, op, in))
		return GS_VALUE_ERROR;
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		uint64_t	scratch[CPU_BLOCK];
		int32_t		counts[CPU_BLOCK];
		block		b;
		int			results;

		b.n = gs_cpu_block_size(in->n - at);
		memset(b.flags, 1, sizeof b.flags);
		b.at = gs_cpu_read(&reader, b.n, zero, scratch, b.flags);
		look_up[type] (l, &b);
		if (op->kind == GS_INTERPOLATE)
			results = interpolate(l, type, &b,
								  (double *) out->values + out->present);
		else
		{
			results = put_counts(&b, counts);
			memcpy((int32_t *) out->values + out->present, counts,
				   results * sizeof(int32_t));
		}
		out->present += results;
		gs_cpu_flags_to_bits(b.flags, b.n, out->validity, at);
	}
	out->n = in->n;
	return GS_OK;
}

const cpu_family gs_cpu_interpolate = {
	.begin = interpolate_begin, .feed = interpolate_feed
};
