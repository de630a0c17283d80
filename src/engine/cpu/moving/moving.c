/*-------------------------------------------------------------------------
 *
 * moving.c
 *	  Moving frames on the CPU: sums and extremes of the elements near each.
 *
 * A frame reaches behind its element, so feed only stores elements, one for
 * each NULL too.  A fetch of all results computes them where they shall lie;
 * only a fetch of some, or a sum that may be out of range, has them computed
 * into memory here before.  Frames cost the same, whatever their size:
 *
 * - A sum adds the element that enters the frame, and subtracts the one that
 *	 leaves it; of floats in moving_float.c.  For means and standard
 *	 deviations of integers these are the results, made as they are fetched.
 *
 * - Exponentially weighted means are in ewma.c, percentiles in
 *	 moving_percentile.c.
 *
 * - For extremes the array is cut into blocks as long as a frame, so that a
 *	 frame is the end of a block and the start of the next: its extreme is that
 *	 of two elements, of the extremes from each element to the end of its block
 *	 and of those from the start of a block to each of its elements (van Herk,
 *	 Pattern Recognition Letters 13, 1992; Gil and Werman, IEEE PAMI 15, 1993).
 *	 Floats are compared as integers in their order.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/moving.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNED(size)	(((size) + 63) / 64 * 64)

/* Of integers: the sum of elements first to end - 1, or of their squares. */
typedef struct moving_total
{
	int64_t		first;
	int64_t		end;
	uint64_t	word[3];
} moving_total;

typedef struct moving_state
{
	bool		nulls;			/* there were some */
	uint32_t   *before;			/* n + 1; if there were any, how many values
								 * there are before each element */
	void	   *element;		/* n */
	bool		computed;		/* the results are in: */
	void	   *result;			/* n */
	void	   *workspace;		/* of percentiles */
	gs_extent	extent;			/* of elements whose sums are floats */
	moving_total total[2];		/* of the frame that was fetched last; of
								 * squares */
} moving_state;

/* Memory that is not used is not touched, and costs nothing. */
static gs_status
moving_begin(gs_run *run)
{
	size_t		before = ALIGNED(((size_t) run->n + 1) * sizeof(uint32_t));
	size_t		elements = ALIGNED((size_t) run->n *
								   gs_type_width((gs_type) run->op->type));
	size_t		results = gs_has_column(run->op, GS_COLUMN_VALUES) ?
		ALIGNED((size_t) run->n *
				gs_column_width(run->op, GS_COLUMN_VALUES)) : 0;
	size_t		workspace = run->op->kind == GS_MOVING_PERCENTILE ?
		cpu_moving_percentiles_size(run->op, run->n) : 0;
	uint8_t    *memory = gs_cpu_allocate(ALIGNED(sizeof(moving_state)) +
										 before + elements + results +
										 workspace);
	moving_state *s = (moving_state *) memory;

	if (memory == NULL)
		return GS_NO_MEMORY;
	run->state = memory;
	s->nulls = false;
	s->computed = false;
	memset(s->total, 0, sizeof s->total);
	memory += ALIGNED(sizeof(moving_state));
	s->before = (uint32_t *) memory;
	memory += before;
	s->element = memory;
	memory += elements;
	s->result = memory;
	memory += results;
	s->workspace = memory;
	return GS_OK;
}

/* Floats as integers in their order, as gs_cpu_key has it for double. */
static inline int32_t
key_float4(float x)
{
	int32_t		bits;

	memcpy(&bits, &x, sizeof bits);
	return x != x ? INT32_C(0x7fc00000) : bits ^ ((bits >> 31) & INT32_MAX);
}

static inline float
unkey_float4(int32_t key)
{
	float		x;

	key ^= (key >> 31) & INT32_MAX;
	memcpy(&x, &key, sizeof x);
	return x;
}

static bool
is_extreme(const gs_op *op)
{
	return op->kind == GS_MOVING_MIN || op->kind == GS_MOVING_MAX;
}

/* What stands for a NULL: what changes no sum, or is no extreme. */
static gs_value
neutral(const gs_op *op)
{
	bool		min = op->kind == GS_MOVING_MIN;
	gs_value	r = {0};

	if (gs_is_float_sum(op))
	{
		if (op->type == GS_FLOAT4)
			r.f4 = -0.0f;
		else
			r.f8 = -0.0;
		return r;
	}
	if (!is_extreme(op))
		return r;
	switch (op->type)
	{
		case GS_INT2:
			r.i2 = min ? INT16_MAX : INT16_MIN;
			break;
		case GS_INT4:
			r.i4 = min ? INT32_MAX : INT32_MIN;
			break;
		case GS_INT8:
			r.i8 = min ? INT64_MAX : INT64_MIN;
			break;
		case GS_FLOAT4:
			r.f4 = min ? (float) gs_canonical_nan() : -__builtin_inff();
			break;
		default:
			r.f8 = min ? gs_canonical_nan() : -__builtin_inf();
	}
	return r;
}

/* Store elements `at` and following ones. */
static void
store(const gs_run *run, const void *values, int64_t at, int n)
{
	moving_state *s = run->state;
	int			width = gs_type_width((gs_type) run->op->type);

	if (is_extreme(run->op) && run->op->type == GS_FLOAT4)
	{
		for (int i = 0; i < n; i++)
			((int32_t *) s->element)[at + i] =
				key_float4(((const float *) values)[i]);
	}
	else if (is_extreme(run->op) && run->op->type == GS_FLOAT8)
	{
		for (int i = 0; i < n; i++)
			((int64_t *) s->element)[at + i] =
				gs_cpu_key(((const double *) values)[i]);
	}
	else
		memcpy((uint8_t *) s->element + at * width, values,
			   (size_t) n * width);
}

/* The first batch with a NULL: no element before it is one. */
static void
begin_counting(const gs_run *run)
{
	moving_state *s = run->state;

	s->nulls = true;
	for (int64_t i = 0; i <= run->fed; i++)
		s->before[i] = (uint32_t) i;
}

static gs_status
moving_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	moving_state *s = run->state;
	gs_value	null = neutral(run->op);
	cpu_reader	reader = gs_cpu_reader(&in->data, in->n,
									   gs_type_width((gs_type) run->op->type));

	(void) out;
	if (in->data.present < in->n && !s->nulls)
		begin_counting(run);
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		uint32_t   *before = s->before + run->fed + at;
		uint64_t	scratch[CPU_BLOCK];
		uint8_t		flags[CPU_BLOCK];

		memset(flags, 1, sizeof flags);
		store(run, gs_cpu_read(&reader, n, null, scratch, flags),
			  run->fed + at, n);
		for (int i = 0; s->nulls && i < n; i++)
			before[i + 1] = before[i] + flags[i];
	}
	return GS_OK;
}

/* ----------
 * Sums
 * ----------
 */

/* Of sums within a frame, which are checked. */
typedef int64_t moving_sum_int2;
typedef int64_t moving_sum_int4;
typedef __int128 moving_sum_int8;

#define EACH	"engine/cpu/moving/moving_type.h"
#include "engine/cpu/each_integer.h"
#undef EACH

/* May a sum of any frame be out of range?  Only bigint and floats may be. */
static bool
sums_may_overflow(const gs_run *run, const moving_state *s, const cpu_frame *f)
{
	const int64_t *v = s->element;
	uint64_t	bits = 0;

	if (gs_is_float_sum(run->op))
		return cpu_moving_may_overflow(run->op, f->n, s->extent);
	if (run->op->type != GS_INT8)
		return false;
	for (int64_t i = 0; i < f->n; i++)
		bits |= (uint64_t) (v[i] ^ (v[i] >> 63));
	return gs_cpu_bit_length(bits) + gs_cpu_bit_length(cpu_frame_most(f)) > 63;
}

/* Returns n, or the index of the first element whose sum is out of range. */
static int64_t
compute_sums(const gs_run *run, const cpu_frame *f, void *results)
{
	static int64_t (*const sums[GS_TYPES]) (const cpu_frame *f, const void *v,
											int64_t *r) = {BY_INTEGER(sums)};
	moving_state *s = run->state;

	if (gs_is_float_sum(run->op))
		return cpu_moving_floats(run->op, f->n, s->element,
								 s->nulls ? s->before : NULL, s->extent,
								 results);
	return sums[run->op->type] (f, s->element, results);
}

static inline int64_t
integer_at(const moving_state *s, gs_type type, int64_t i)
{
	return type == GS_INT2 ? ((const int16_t *) s->element)[i] :
		type == GS_INT4 ? ((const int32_t *) s->element)[i] :
		((const int64_t *) s->element)[i];
}

/* Results of the column of sums, or of squares. */
static void
fetch_totals(gs_run *run, bool squares, int64_t first, int64_t n, uint64_t *to)
{
	moving_state *s = run->state;
	moving_total *t = &s->total[squares];
	gs_type		type = (gs_type) run->op->type;
	cpu_frame	f = cpu_frame_of(run->op, run->n);
	int			words = squares ? 3 : 2;
	int64_t		since = 0;

	if (n > 0 && (cpu_frame_first(&f, first) < t->first ||
				  cpu_frame_end(&f, first) < t->end))
		memset(t, 0, sizeof *t);
	for (int64_t i = first; i < first + n; i++)
	{
		int64_t		from = cpu_frame_first(&f, i);
		int64_t		end = cpu_frame_end(&f, i);

		if (t->end < from)
			*t = (moving_total) {.first = from, .end = from};
		while (t->end < end)
		{
			__int128	x = integer_at(s, type, t->end++);

			gs_cpu_add_wide(t->word, words, squares ? x * x : x);
			pause_after(&since, 1);
		}
		while (t->first < from)
		{
			__int128	x = integer_at(s, type, t->first++);

			gs_cpu_add_wide(t->word, words, squares ? -(x * x) : -x);
			pause_after(&since, 1);
		}
		memcpy(to + (i - first) * words, t->word, words * sizeof(uint64_t));
	}
}

/* ----------
 * Extremes
 * ----------
 */

static void
compute_extremes(const gs_run *run, const cpu_frame *f, void *results)
{
	typedef void (*function) (const cpu_frame *f, const void *v, void *r);
	static const function minima[GS_TYPES] = {
		[GS_INT2] = min_int2, [GS_INT4] = min_int4, [GS_INT8] = min_int8,
		[GS_FLOAT4] = min_int4, [GS_FLOAT8] = min_int8
	};
	static const function maxima[GS_TYPES] = {
		[GS_INT2] = max_int2, [GS_INT4] = max_int4, [GS_INT8] = max_int8,
		[GS_FLOAT4] = max_int4, [GS_FLOAT8] = max_int8
	};
	moving_state *s = run->state;

	(run->op->kind == GS_MOVING_MIN ? minima :
	 maxima)[run->op->type] (f, s->element, results);
	for (int64_t i = 0; run->op->type == GS_FLOAT4 && i < f->n; i++)
		((float *) results)[i] = unkey_float4(((int32_t *) results)[i]);
	for (int64_t i = 0; run->op->type == GS_FLOAT8 && i < f->n; i++)
		((double *) results)[i] = gs_cpu_unkey(((int64_t *) results)[i]);
}

/* Returns as compute_sums. */
static int64_t
compute(const gs_run *run, const cpu_frame *f, void *results)
{
	moving_state *s = run->state;
	size_t		width = gs_column_width(run->op, GS_COLUMN_VALUES);
	int64_t		done = f->n;

	if (is_extreme(run->op))
		compute_extremes(run, f, results);
	else if (run->op->kind == GS_EWMA)
		cpu_ewma(run->op, f->n, s->element, s->nulls ? s->before : NULL,
				 results);
	else if (run->op->kind == GS_MOVING_PERCENTILE)
		cpu_moving_percentiles(run->op, f->n, s->element,
							   s->nulls ? s->before : NULL, s->workspace,
							   results);
	else
		done = compute_sums(run, f, results);
	for (int64_t i = 0; s->nulls && i < done; i++)
	{
		if (cpu_frame_count(f, s->before, i) == 0)
			memset((uint8_t *) results + i * width, 0, width);
	}
	return done;
}

static void
moving_finish(gs_run *run, gs_result *result)
{
	moving_state *s = run->state;
	cpu_frame	f = cpu_frame_of(run->op, run->n);
	bool		real = gs_is_float_sum(run->op);
	int64_t		done;

	result->results = run->n;
	if (real)
		s->extent = cpu_moving_extent(run->op, f.n, s->element);
	if ((!real && run->op->kind != GS_MOVING_SUM) ||
		!sums_may_overflow(run, s, &f))
		return;
	done = compute(run, &f, s->result);
	s->computed = true;
	if (done == f.n)
		return;
	run->error.status = gs_range_status(run->op);
	run->error.position = done + 1;
}

/* Copy results, in steps between which a caller may pause. */
static void
copy_results(const void *from, void *to, size_t size)
{
	const size_t step = PAUSE_INTERVAL * sizeof(int64_t);

	for (size_t at = 0; at < size; at += step)
	{
		gs_cpu_pause();
		memcpy((uint8_t *) to + at, (const uint8_t *) from + at,
			   size - at < step ? size - at : step);
	}
}

static void
fetch_values(gs_run *run, int64_t first, int64_t n, void *to)
{
	moving_state *s = run->state;
	cpu_frame	f = cpu_frame_of(run->op, run->n);
	size_t		width = gs_column_width(run->op, GS_COLUMN_VALUES);

	if (n == f.n && !s->computed)
	{
		compute(run, &f, to);
		return;
	}
	if (!s->computed)
		compute(run, &f, s->result);
	s->computed = true;
	copy_results((uint8_t *) s->result + first * width, to, n * width);
}

static void
fetch_counts(gs_run *run, int64_t first, int64_t n, int64_t *to)
{
	moving_state *s = run->state;
	cpu_frame	f = cpu_frame_of(run->op, run->n);
	int64_t		since = 0;

	for (int64_t i = 0; i < n; i++)
	{
		to[i] = cpu_frame_count(&f, s->nulls ? s->before : NULL, first + i);
		pause_after(&since, 1);
	}
}

static void
fetch_validity(gs_run *run, int64_t first, int64_t n, uint64_t *to)
{
	moving_state *s = run->state;
	cpu_frame	f = cpu_frame_of(run->op, run->n);
	int64_t		least = gs_moving_least(run->op);
	int64_t		since = 0;

	for (int64_t row = 0; row < n; row++)
	{
		int64_t		at = 64 * (first + row);
		int			count = f.n - at < 64 ? (int) (f.n - at) : 64;

		to[row] = 0;
		for (int i = 0; i < count; i++)
			to[row] |= (uint64_t)
				(cpu_frame_count(&f, s->nulls ? s->before : NULL, at + i) >=
				 least) << i;
		pause_after(&since, 64);
	}
}

static void
moving_fetch(gs_run *run, gs_column column, int64_t first, int64_t n, void *to)
{
	if (column == GS_COLUMN_VALUES)
		fetch_values(run, first, n, to);
	else if (column == GS_COLUMN_VALIDITY)
		fetch_validity(run, first, n, to);
	else if (column != GS_COLUMN_COUNTS)
		fetch_totals(run, column == GS_COLUMN_SQUARES, first, n, to);
	else
		fetch_counts(run, first, n, to);
}

/*
 * Elements, counts and results; for percentiles also an order and a set of
 * ranks.
 */
static int64_t
memory(const gs_op *op, int64_t n)
{
	return n * (op->kind == GS_MOVING_PERCENTILE ?
				8 + 4 + 8 + CPU_ORDER_WIDTH + 1 : CPU_ORDER_WIDTH);
}

const cpu_family gs_cpu_moving = {
	.memory = memory, .begin = moving_begin, .feed = moving_feed,
	.finish = moving_finish, .fetch = moving_fetch
};
