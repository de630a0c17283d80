/*-------------------------------------------------------------------------
 *
 * reference_moving.c
 *	  The reference of moving frames and exponentially weighted means.
 *
 *-------------------------------------------------------------------------
 */
#include "reference.h"
#include "oracle.h"
#include "exact/ewma.h"

#include <math.h>

/* The sum of floats, their mean or deviation; 0 of none, or of too few. */
static gs_status
round_frame(const gs_op *op, const gs_acc *sum, const gs_acc2 *squares,
			int64_t n, gs_value *value)
{
	gs_rounding r;

	if (n == 0)
		return GS_OK;
	if (op->kind == GS_MOVING_STDDEV)
		r = gs_stddev(sum, squares, n, true, &value->f8);
	else if (op->kind == GS_MOVING_AVG)
		r = gs_acc_mean(sum, n, &value->f8);
	else if (op->type == GS_FLOAT4)
		r = gs_acc_round_float(sum, &value->f4);
	else
		r = gs_acc_round(sum, &value->f8);
	return r == GS_OVERFLOW ? GS_FLOAT_OVERFLOW : GS_OK;
}

/* A frame, first .. last, of which *count elements are not NULL. */
static gs_status
sum_frame(const gs_op *op, const test_array *a, int64_t first, int64_t last,
		  int64_t *count, gs_value *value)
{
	__int128	isum = 0;
	gs_acc		sum;
	gs_acc2		squares;

	gs_acc_init(&sum);
	gs_acc2_init(&squares);
	for (int64_t k = first; k <= last; k++)
	{
		double		x = value_double(a->type, a->v[k]);

		if (!a->valid[k])
			continue;
		++*count;
		if (is_float(a->type))
		{
			gs_acc_add(&sum, x);
			if (op->kind == GS_MOVING_STDDEV)
				gs_acc2_add_product(&squares, x, x);
		}
		else
			isum += value_int(a->type, a->v[k]);
	}
	if (is_float(a->type))
		return round_frame(op, &sum, &squares, *count, value);
	value->i8 = (int64_t) isum;
	return value->i8 == isum ? GS_OK : GS_BIGINT_RANGE;
}

static void
find_extreme(const gs_op *op, const test_array *a, int64_t first, int64_t last,
			 int64_t *count, gs_value *value)
{
	for (int64_t k = first; k <= last; k++)
	{
		gs_value	v = canonical(a->type, a->v[k]);
		int			c = compare_value(a->type, v, *value);

		if (a->valid[k] && ((*count)++ == 0 ||
							(op->kind == GS_MOVING_MIN ? c < 0 : c > 0)))
			*value = v;
	}
}

/* The values of a frame, first .. last, in order. */
typedef struct ordered
{
	const test_array *a;
	gs_value   *v;
	int64_t		n;
	int64_t		first;
	int64_t		end;			/* last + 1 */
} ordered;

/* How many are below a value? */
static int64_t
count_below(const ordered *s, gs_value v)
{
	int64_t		n = 0;

	while (n < s->n && compare_value(s->a->type, s->v[n], v) < 0)
		n++;
	return n;
}

static void
order_frame(ordered *s, int64_t first, int64_t last)
{
	for (; s->end <= last; s->end++)
	{
		gs_value	v = canonical(s->a->type, s->a->v[s->end]);
		int64_t		at = count_below(s, v);

		if (!s->a->valid[s->end])
			continue;
		memmove(s->v + at + 1, s->v + at, (s->n++ - at) * sizeof(gs_value));
		s->v[at] = v;
	}
	for (; s->first < first; s->first++)
	{
		int64_t		at = count_below(s, canonical(s->a->type,
												  s->a->v[s->first]));

		if (!s->a->valid[s->first])
			continue;
		memmove(s->v + at, s->v + at + 1, (--s->n - at) * sizeof(gs_value));
	}
}

/* A double and 0, or an integer in two parts. */
static gs_pair
pair_of(gs_type type, gs_value v)
{
	return is_float(type) ? (gs_pair) {value_double(type, v), 0} :
		gs_pair_from_int64(value_int(type, v));
}

static void
find_percentile(const gs_op *op, const ordered *s, gs_value *value)
{
	gs_type		type = s->a->type;
	double		place = op->percentile.fraction * (double) (s->n - 1);
	int64_t		rank = (int64_t) place;
	gs_pair		low;

	if (s->n == 0)
		return;
	if (op->percentile.discrete)
	{
		rank = (int64_t) ceil(op->percentile.fraction * (double) s->n);
		*value = s->v[rank > 0 ? rank - 1 : 0];
		return;
	}
	low = pair_of(type, s->v[rank]);
	if (place == (double) rank)
		value->f8 = is_float(type) ? low.hi : low.hi + low.lo;
	else
		value->f8 = gs_interpolate(low, pair_of(type, s->v[rank + 1]),
								   place - (double) rank);
}

/*
 * gs_ewma_next of all values at once, whose steps series_test.c tries; before
 * the first that is not finite.
 */
void
reference_of_means(const gs_op *op, const test_array *a, outcome *o)
{
	double	   *x = allocate(sizeof(double) * a->n);
	double	   *low = allocate(sizeof(double) * a->n);
	int32_t    *gap = allocate(sizeof(int32_t) * a->n);
	double	   *mean = allocate(sizeof(double) * a->n);
	double		greatest = is_float(a->type) ? 0 : 1;
	int64_t		n = 0;			/* values */
	int64_t		finite = -1;	/* those before the first that is not */
	int64_t		last = -1;
	gs_ewma		e;
	gs_acc		sum;			/* of those from that on */

	o->out.type = GS_FLOAT8;
	gs_acc_init(&sum);
	for (int64_t i = 0; i < a->n; i++)
	{
		if (!a->valid[i])
			continue;
		x[n] = value_double(a->type, a->v[i]);
		low[n] = 0;
		if (a->type == GS_INT8)
			low[n] = (double) ((__int128) a->v[i].i8 - (__int128) x[n]);
		gap[n++] = (int32_t) (i - last);
		last = i;
		if (is_float(a->type) && gs_is_finite(x[n - 1]))
			greatest = fmax(greatest, fabs(x[n - 1]));
		if (finite < 0 && !gs_is_finite(x[n - 1]))
			finite = n - 1;
	}
	if (finite < 0)
		finite = n;
	if (op->ewma.alpha == 1)
		finite = 0;
	gs_ewma_open(&e, op->ewma.alpha, op->ewma.adjust, greatest);
	for (int64_t at = 0; at < finite; at += GS_EWMA_TILE)
		gs_ewma_next(&e, x + at, low + at, gap + at,
					 finite - at < GS_EWMA_TILE ? (int) (finite - at) :
					 GS_EWMA_TILE, mean + at);
	for (int64_t k = finite; k < n; k++)
	{
		if (!gs_is_finite(x[k]))
			gs_acc_add(&sum, x[k]);
		if (op->ewma.alpha == 1)
			mean[k] = x[k] != x[k] ? gs_canonical_nan() : x[k];
		else
			(void) gs_acc_round(&sum, &mean[k]);
	}
	n = 0;
	for (int64_t i = 0; i < a->n; i++)
	{
		n += a->valid[i];
		emit(o, n > 0, (gs_value) {.f8 = n > 0 ? mean[n - 1] : 0});
	}
	o->result.results = o->out.n;
	free(x);
	free(low);
	free(gap);
	free(mean);
}

/* Of the pairs first .. last; integers are rounded to doubles.  False: none. */
static bool
correlate(const test_array *a, int64_t first, int64_t last, gs_value *value)
{
	gs_acc		y;
	gs_acc		x;
	gs_acc2		yy;
	gs_acc2		xx;
	gs_acc2		xy;
	gs_sums		s = {0};

	gs_acc_init(&y);
	gs_acc_init(&x);
	gs_acc2_init(&yy);
	gs_acc2_init(&xx);
	gs_acc2_init(&xy);
	for (int64_t k = first; k <= last; k++)
	{
		double		u = value_double(a->type, a->v[k]);
		double		v = value_double(a->type, other_factor(a, k));

		if (!a->valid[k] || !a->mask_valid[k])
			continue;
		s.n++;
		gs_acc_add(&y, u);
		gs_acc_add(&x, v);
		gs_acc2_add_product(&yy, u, u);
		gs_acc2_add_product(&xx, v, v);
		gs_acc2_add_product(&xy, u, v);
	}
	s.y = gs_acc_limbs(&y);
	s.x = gs_acc_limbs(&x);
	s.yy = gs_acc2_limbs(&yy);
	s.xx = gs_acc2_limbs(&xx);
	s.xy = gs_acc2_limbs(&xy);
	return gs_correlation(&s, &value->f8) != GS_UNDEFINED;
}

/* Each frame from its first element to its last. */
void
reference_of_frames(const gs_op *op, const test_array *a, outcome *o)
{
	ordered		frame = {.a = a, .v = allocate(sizeof(gs_value) * (a->n + 1))};

	o->out.type = gs_column_type(op, GS_COLUMN_VALUES);
	for (int64_t i = 0; i < a->n && o->status == GS_OK; i++)
	{
		int64_t		first = i < op->moving.preceding ? 0 : i - op->moving.preceding;
		int64_t		last = a->n - 1 - i < op->moving.following ? a->n - 1 :
			i + op->moving.following;
		int64_t		count = 0;
		int64_t		least = op->kind == GS_MOVING_STDDEV ? 2 : 1;
		gs_value	value = {.i8 = 0};

		if (op->kind == GS_MOVING_MIN || op->kind == GS_MOVING_MAX)
			find_extreme(op, a, first, last, &count, &value);
		else if (op->kind == GS_MOVING_CORR)
			count = correlate(a, first, last, &value);
		else if (op->kind == GS_MOVING_PERCENTILE)
		{
			order_frame(&frame, first, last);
			count = frame.n;
			find_percentile(op, &frame, &value);
		}
		else
			o->status = sum_frame(op, a, first, last, &count, &value);
		if (o->status != GS_OK)
			o->position = i + 1;
		emit(o, count >= least, value);
	}
	o->result.results = o->out.n;
	free(frame.v);
}
