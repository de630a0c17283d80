/*-------------------------------------------------------------------------
 *
 * lttb.c
 *	  gpu_lttb: the points of a series that show its shape.
 *
 * Largest-Triangle-Three-Buckets, after Steinarsson, Downsampling Time Series
 * for Visual Representation (University of Iceland, 2013).  The first and the
 * last point stay.  Those between make buckets; of each that point stays which
 * makes the largest triangle with the one that stayed before it and the mean of
 * the next bucket.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "exact/triangle.h"
#include "functions/elements/ascending.h"
#include "functions/series/frame.h"

/* Points whose value is not NULL. */
typedef struct points
{
	int64		n;
	double	   *x;				/* times; integers from the first one on */
	double	   *y;
	int32	   *position;		/* from 1 */
} points;

static void
open_points(points *p, const gs_ascending *times, const gs_array *values)
{
	gs_reader	reader;
	gs_number	value;
	Size		n = Max(values->n, 1);

	p->n = 0;
	p->x = gs_alloc_large(n * sizeof(double));
	p->y = gs_alloc_large(n * sizeof(double));
	p->position = gs_alloc_large(n * sizeof(int32));
	gs_reader_open(&reader, values);
	while (gs_reader_next_value(&reader, &value))
	{
		int64		i = reader.i - 1;
		double		y = reader.is_float ? value.d : (double) value.i;

		if (!gs_is_finite(y))
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("values must be finite, but value %lld is not",
						   (long long) i + 1),
					errhint("Points whose value is NULL are left out."));
		p->x[p->n] = times->is_float ? times->value[i].d :
			(double) ((uint64) times->value[i].i - (uint64) times->value[0].i);
		p->y[p->n] = y;
		p->position[p->n++] = (int32) i + 1;
	}
}

static void
close_points(points *p)
{
	pfree(p->x);
	pfree(p->y);
	pfree(p->position);
}

/* The exact mean, rounded once. */
static double
mean_of(const double *x, int64 n)
{
	gs_frame	frame;
	bool		isnull;
	double		mean;

	if (n == 1)
		return x[0];
	gs_frame_open(&frame, FLOAT8OID, CurrentMemoryContext);
	gs_frame_open_state(&frame, GS_STATE_REALS);
	for (int64 i = 0; i < n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (!gs_state_add_real(frame.state, x[i]))
			gs_frame_keep_state(&frame,
								gs_state_add_double(frame.state, x[i]));
	}
	mean = DatumGetFloat8(gs_state_result(frame.state, GS_FIGURE_AVG, &isnull));
	pfree(frame.state);
	return mean;
}

/* The first point of bucket i of the buckets between the first and last point. */
static inline int64
bucket_start(const points *p, int64 buckets, int64 i)
{
	return i * (p->n - 2) / buckets + 1;
}

/* The point of bucket i that stays, after point `before`. */
static int64
find_largest(const points *p, int64 buckets, int64 i, int64 before)
{
	int64		from = bucket_start(p, buckets, i);
	int64		to = bucket_start(p, buckets, i + 1);
	int64		end = i + 1 < buckets ? bucket_start(p, buckets, i + 2) : p->n;
	gs_point	a = {p->x[before], p->y[before]};
	gs_point	c = {mean_of(p->x + to, end - to), mean_of(p->y + to, end - to)};
	gs_triangle triangle;
	int64		best = from;

	gs_triangle_open(&triangle, a, c);
	for (int64 k = from; k < to; k++)
	{
		if (k % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (gs_triangle_grow(&triangle, (gs_point) {p->x[k], p->y[k]}))
			best = k;
	}
	return best;
}

static void
put_position(gs_writer *w, const points *p, int64 i)
{
	gs_writer_put(w, Int32GetDatum(p->position[i]), false);
}

static void
put_largest(gs_writer *w, const points *p, int64 buckets)
{
	int64		last = 0;

	put_position(w, p, 0);
	for (int64 i = 0; i < buckets; i++)
	{
		CHECK_FOR_INTERRUPTS();
		last = find_largest(p, buckets, i, last);
		put_position(w, p, last);
	}
	put_position(w, p, p->n - 1);
}

PG_FUNCTION_INFO_V1(gpu_lttb);

/* gpu_lttb(times, vals, points) */
Datum
gpu_lttb(PG_FUNCTION_ARGS)
{
	int64		wanted = PG_GETARG_INT32(2);
	gs_call		call;
	gs_array	array;
	gs_ascending times;
	points		p;
	gs_writer	writer;

	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	if (wanted < 2)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("points must be at least 2, but is %lld",
					   (long long) wanted));
	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_call_open_elements(&call, "gpu_lttb", PG_GETARG_DATUM(1));
	gs_ascending_open_times(&times, &array, &call.data);
	open_points(&p, &times, &call.data);
	gs_ascending_close(&times);
	gs_array_close(&array);
	gs_writer_open(&writer, INT4OID, Min(wanted, p.n), NULL, 0);
	if (p.n > wanted)
		put_largest(&writer, &p, wanted - 2);
	else
	{
		for (int64 i = 0; i < p.n; i++)
			put_position(&writer, &p, i);
	}
	close_points(&p);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
