/*-------------------------------------------------------------------------
 *
 * ewma.c
 *	  gpu_ewma: exponentially weighted means, as exact/ewma.h defines them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/float.h"

#include "call/array_iteration.h"
#include "exact/ewma.h"
#include "exact/line.h"

/* The elements that are not NULL, a tile at a time. */
typedef struct source
{
	const gs_array *array;
	int64		present;
	int64		place;			/* of the last one in `gap`, from 0; or -1 */
	double		x[GS_EWMA_TILE];
	double		low[GS_EWMA_TILE];	/* of bigint: what x lacks */
	int32		gap[GS_EWMA_TILE];
	bool		even;			/* all gaps are 1 */
} source;

#define READ(type) \
	do \
	{ \
		const type *from = (const type *) s->array->values + at; \
\
		for (int i = 0; i < n; i++) \
			s->x[i] = from[i]; \
	} while (0)

/* Elements `at` to at + n - 1 as doubles. */
static void
read_values(source *s, int64 at, int n)
{
	switch (s->array->type)
	{
		case GS_FLOAT8:
			READ(double);
			break;
		case GS_FLOAT4:
			READ(float);
			break;
		case GS_INT8:
			for (int i = 0; i < n; i++)
			{
				gs_pair		pair = gs_pair_normal(
					((const int64 *) s->array->values)[at + i]);

				s->x[i] = pair.hi;
				s->low[i] = pair.lo;
			}
			break;
		case GS_INT4:
			READ(int32);
			break;
		default:
			READ(int16);
			break;
	}
}

/* The gaps of the next n elements. */
static void
find_gaps(source *s, int n)
{
	const uint8 *bitmap = s->array->bitmap;

	s->even = true;
	if (bitmap == NULL)
	{
		s->place += n;
		return;
	}
	for (int i = 0; i < n; i++)
	{
		int64		before = s->place;

		do
			s->place++;
		while (!(bitmap[s->place / 8] & (1 << (s->place % 8))));
		s->gap[i] = (int32) (s->place - before);
		s->even = s->even && s->gap[i] == 1;
	}
}

/* How many come before the first that is not finite; their greatest magnitude. */
static int64
count_finite(source *s, double *greatest)
{
	double		most = 0;

	for (int64 at = 0; at < s->present; at += GS_EWMA_TILE)
	{
		int			n = (int) Min(GS_EWMA_TILE, s->present - at);

		CHECK_FOR_INTERRUPTS();
		read_values(s, at, n);
		for (int i = 0; i < n; i++)
		{
			double		magnitude = fabs(s->x[i]);

			*greatest = most;
			if (unlikely(!(magnitude <= DBL_MAX)))
				return at + i;
			most = magnitude > most ? magnitude : most;
		}
	}
	*greatest = most;
	return s->present;
}

/*
 * The means of all up to each, one of which is not finite: of those only that
 * matters.  With alpha 1 each element is its own mean.
 */
static void
mean_specials(const source *s, double alpha, int n, uint32 *seen,
			  double *mean)
{
	for (int i = 0; i < n; i++)
	{
		*seen |= gs_seen(s->x[i]);
		if (alpha == 1)
			mean[i] = s->x[i] != s->x[i] ? gs_canonical_nan() : s->x[i];
		else if ((*seen & GS_SEEN_NAN) ||
				 ((*seen & GS_SEEN_POSITIVE_INF) &&
				  (*seen & GS_SEEN_NEGATIVE_INF)))
			mean[i] = gs_canonical_nan();
		else
			mean[i] = *seen & GS_SEEN_POSITIVE_INF ? INFINITY : -INFINITY;
	}
}

/*
 * Append the means of n elements.  Where it is NULL before one stands the mean
 * before that, and at the beginning NULL.
 */
static void
put_means(gs_builder *builder, const source *s, const double *mean, int n)
{
	gs_output	out;
	double	   *to;
	int			first = 0;

	if (builder->present == 0 && !s->even)
	{
		gs_builder_append_nulls(builder, s->gap[0] - 1);
		first = 1;
	}
	out = (gs_output) {.n = s->place + 1 - builder->n};
	out.present = out.n;
	out.values = to = gs_builder_reserve(builder, out.n);
	if (first == 1)
		*to++ = mean[0];
	if (s->even)
		memcpy(to, mean, n * sizeof(double));
	for (int i = first; i < n && !s->even; i++)
	{
		for (int32 left = s->gap[i]; left > 1; left--, to++)
			*to = to[-1];
		*to++ = mean[i];
	}
	gs_builder_commit(builder, &out);
}

/* Fill the positions after the last element. */
static void
put_rest(gs_builder *builder, int64 n)
{
	gs_output	out = {.n = n, .present = n};
	double	   *to;

	if (builder->present == 0)
	{
		gs_builder_append_nulls(builder, n);
		return;
	}
	out.values = to = gs_builder_reserve(builder, n);
	for (int64 i = 0; i < n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		to[i] = to[i - 1];
	}
	gs_builder_commit(builder, &out);
}

static void
put_all(gs_builder *builder, source *s, double alpha, bool adjust)
{
	gs_ewma    *ewma = palloc(sizeof(gs_ewma));
	double		mean[GS_EWMA_TILE];
	double		greatest = 1;
	int64		finite = s->present;
	uint32		seen = 0;

	/* integers are neither too large nor too small to be multiplied */
	if (gs_is_float(s->array->type))
		finite = count_finite(s, &greatest);
	if (alpha == 1)
		finite = 0;
	gs_ewma_open(ewma, alpha, adjust, greatest);
	for (int64 at = 0; at < s->present;)
	{
		int			n = (int) Min(GS_EWMA_TILE,
								  (at < finite ? finite : s->present) - at);

		CHECK_FOR_INTERRUPTS();
		read_values(s, at, n);
		find_gaps(s, n);
		if (at < finite)
			gs_ewma_next(ewma, s->x,
						 s->array->type == GS_INT8 ? s->low : NULL,
						 s->even ? NULL : s->gap, n, mean);
		else
			mean_specials(s, alpha, n, &seen, mean);
		put_means(builder, s, mean, n);
		at += n;
	}
	put_rest(builder, s->array->n - builder->n);
	pfree(ewma);
}

PG_FUNCTION_INFO_V1(gpu_ewma);

/* gpu_ewma(arr, alpha, adjust) */
Datum
gpu_ewma(PG_FUNCTION_ARGS)
{
	double		alpha = PG_GETARG_FLOAT8(1);
	gs_call		call;
	gs_builder	builder;
	source	   *s = palloc(sizeof(source));
	bool		nulls;

	if (!(alpha > 0 && alpha <= 1))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("alpha must be greater than 0 and at most 1, but is %s",
					   float8out_internal(alpha)));
	gs_call_open_elements(&call, "gpu_ewma", PG_GETARG_DATUM(0));
	s->array = &call.data;
	s->present = gs_array_present(&call.data);
	s->place = -1;
	nulls = call.data.bitmap != NULL && !(call.data.bitmap[0] & 1);
	gs_builder_open(&builder, FLOAT8OID, call.data.n, call.data.flat,
					nulls ? call.data.n : 0);
	put_all(&builder, s, alpha, PG_GETARG_BOOL(2));
	pfree(s);
	gs_call_close_elements(&call);
	return gs_builder_close(&builder);
}
