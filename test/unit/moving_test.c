/*-------------------------------------------------------------------------
 *
 * moving_test.c
 *	  Moving sums, means and standard deviations of floats from prefixes, as the
 *	  kernels compute them, against the CPU engine; standard deviations in
 *	  integers, against sums of each frame; sums of integers and of their squares,
 *	  against the same; correlations in integers, and what doubles decide of them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/moving.h"
#include "engine/cpu/moving/moving_quick.h"
#include "engine/moving_moments.h"
#include "engine/moving_pairs.h"
#include "harness.h"

#include <float.h>
#include <math.h>

#define MOST	200				/* elements */

typedef struct series
{
	gs_op		op;
	int64_t		n;
	int			base;
	double		v[MOST];
	uint32_t	before[MOST + 1];	/* values before each element */
	gs_wide		ahead[MOST];
	gs_quad		squares[MOST];
	gs_last_seen seen[MOST];
} series;

static double
random_element(bool large, int64_t specials)
{
	static const double special[] = {
		__builtin_nan(""), __builtin_inf(), -__builtin_inf(), -0.0, -0.0, -0.0,
		0.0
	};

	if (one_in(specials))
		return special[random_below(sizeof special / sizeof *special)];
	return (double) (random_below(2001) - 1000) * (large ? DBL_MAX / 2048 : 1);
}

/* NULLs are stored as -0. */
static void
fill(series *s)
{
	bool		large = one_in(3);
	bool		nulls = one_in(2);
	int64_t		specials = one_in(4) ? 1 : 1 + random_below(30);
	gs_extent	e = GS_NO_EXTENT;

	s->n = 1 + random_below(MOST);
	s->before[0] = 0;
	for (int64_t i = 0; i < s->n; i++)
	{
		bool		null = nulls && one_in(3);

		s->v[i] = null ? -0.0 : random_element(large, specials);
		s->before[i + 1] = s->before[i] + !null;
		if (!gs_is_special(s->v[i]))
			gs_extent_add(&e, s->v[i]);
	}
	expect(gs_wide_fits(e, s->n, &s->base), "bits are close together");
	for (int64_t i = 0; i < s->n; i++)
	{
		s->ahead[i] = gs_wide_of(s->v[i], s->base);
		s->seen[i] = gs_last_seen_of(s->v[i], (uint32_t) i);
		s->squares[i] = i > 0 ? s->squares[i - 1] : (gs_quad) {{0}};
		gs_quad_add_product(&s->squares[i], s->ahead[i], s->ahead[i], false);
		if (i > 0)
		{
			s->ahead[i] = gs_wide_add(s->ahead[i - 1], s->ahead[i]);
			s->seen[i] = gs_last_seen_merge(s->seen[i - 1], s->seen[i]);
		}
	}
}

/* false if the result is out of range */
static bool
from_prefixes(const series *s, int64_t i, double *result)
{
	int64_t		first = i > s->op.moving.preceding ? i - s->op.moving.preceding : 0;
	int64_t		last = s->n - 1 - i < s->op.moving.following ? s->n - 1 :
		i + s->op.moving.following;
	uint32_t	n = s->before[last + 1] - s->before[first];
	uint32_t	seen = gs_last_seen_since(s->seen[last], first);
	bool		stddev = s->op.kind == GS_MOVING_STDDEV;
	gs_wide		sum = s->ahead[last];
	gs_quad		squares = s->squares[last];

	*result = 0;
	if (n == 0 || (stddev ? gs_special_stddev(seen, n, result) :
				   gs_special_sum(seen, result)))
		return true;
	if (first > 0)
	{
		sum = gs_wide_subtract(sum, s->ahead[first - 1]);
		squares = gs_quad_add(squares, s->squares[first - 1], true);
	}
	*result = stddev ? gs_wide_stddev(sum, squares, s->base, n) : s->op.kind == GS_MOVING_AVG ?
		gs_wide_mean(sum, s->base, n) : gs_wide_round(sum, s->base);
	return gs_is_finite(*result);
}

void
test_moving_prefixes(void)
{
	test_begin("moving sums from prefixes, with NaN, infinities and -0");
	for (int run = 0; run < 2000; run++)
	{
		static const gs_kind kinds[] = {
			GS_MOVING_SUM, GS_MOVING_AVG, GS_MOVING_STDDEV
		};
		series		s = {.op = {.kind = kinds[random_below(3)],
				.type = GS_FLOAT8}};
		double		expected[MOST];
		int64_t		done;
		int64_t		same = 0;

		fill(&s);
		s.op.moving.preceding = (int32_t) random_below(one_in(2) ? 4 : MOST);
		s.op.moving.following = (int32_t) random_below(one_in(2) ? 4 : MOST);
		done = gs_moving_floats(&s.op, s.n, s.v, s.before, expected);
		while (same < s.n)
		{
			double		x;

			if (!from_prefixes(&s, same, &x) ||
				gs_double_bits(x) != gs_double_bits(expected[same]))
				break;
			same++;
		}
		expect(same == done, "run %d: %lld results, not %lld", run,
			   (long long) same, (long long) done);
	}
	test_end();
}

/* Small integers, decimals, or values of all bits within some binades. */
static double
random_value(int kind, int scale)
{
	double		x = kind == 0 ? (double) random_below(5) :
		kind == 1 ? (double) (random_below(2000001) - 1000000) / 100 :
		ldexp(random_uniform() - 0.5, (int) random_below(8));

	return ldexp(x, scale);
}

void
test_moving_moments(void)
{
	test_begin("moving standard deviations");
	for (int run = 0; run < 2000; run++)
	{
		const int	kind = (int) random_below(3);
		const int	scale = one_in(3) ? (int) random_below(1900) - 900 : 0;
		const int	preceding = (int) random_below(one_in(2) ? 4 : MOST);
		int			base;
		gs_wide		wide = {0};
		gs_quad		quad = {{0}};
		gs_extent	e = GS_NO_EXTENT;
		double		v[MOST];

		for (int i = 0; i < MOST; i++)
		{
			v[i] = random_value(kind, scale);
			gs_extent_add(&e, v[i]);
		}
		if (!gs_wide_fits(e, MOST, &base))
		{
			expect(scale < -800, "bits are close together");
			continue;
		}
		for (int i = 0; i < MOST; i++)
		{
			gs_acc		sum;
			gs_acc2		squares;
			int			first = i < preceding ? 0 : i - preceding;
			double		wanted = 0;
			int64_t		n = i - first + 1;
			gs_wide		a = gs_wide_of(v[i], base);
			gs_quad		centred;
			double		result;
			double		slow = 0;

			gs_acc_init(&sum);
			gs_acc2_init(&squares);
			for (int k = first; k <= i; k++)
			{
				gs_acc_add(&sum, v[k]);
				gs_acc2_add_product(&squares, v[k], v[k]);
			}
			wide = gs_wide_add(wide, a);
			gs_quad_add_product(&quad, a, a, false);
			if (i > preceding)
			{
				a = gs_wide_of(v[first - 1], base);
				wide = gs_wide_subtract(wide, a);
				gs_quad_add_product(&quad, a, a, true);
			}
			if (gs_stddev(&sum, &squares, n, true, &wanted) == GS_OVERFLOW)
				wanted = __builtin_inf();
			result = gs_wide_stddev(wide, quad, base, n);
			expect(gs_double_bits(result) == gs_double_bits(wanted),
				   "%d values: %a, not %a", (int) n, result, wanted);

			/* as if the leading bits were never enough */
			centred = gs_quad_centred(n, quad, wide, wide);
			if (wanted > 0)
				slow = gs_moving_stddev_slowly(centred, n,
											   base + GS_ACC_LOWEST);
			expect(gs_double_bits(slow) == gs_double_bits(wanted),
				   "%d values, slowly: %a, not %a", (int) n, slow, wanted);
		}
	}
	test_end();
}

/* Integers of any size; in one of two arrays the largest there are. */
static gs_value
random_integer(gs_type type, bool large)
{
	gs_value	v = {0};
	uint64_t	bits = random_bits() >> random_below(64);

	if (large)
		bits = (uint64_t) INT64_MIN >> (64 - 8 * gs_type_width(type));
	else if (one_in(2))
		bits = -bits;
	memcpy(&v, &bits, gs_type_width(type));
	return v;
}

static int64_t
integer_of(gs_type type, gs_value v)
{
	return type == GS_INT2 ? v.i2 : type == GS_INT4 ? v.i4 : v.i8;
}

/* Words of the sum of a frame's elements, or of their squares. */
static void
sum_of_frame(const gs_op *op, const test_array *a, int64_t i, bool squares,
			 uint64_t *word)
{
	int64_t		first = i > op->moving.preceding ? i - op->moving.preceding : 0;

	memset(word, 0, 3 * sizeof *word);
	for (int64_t k = first; k < a->n && k - i <= op->moving.following; k++)
	{
		__int128	x = integer_of(a->type, a->v[k]);
		uint64_t	before = word[1];

		if (!a->valid[k])
			continue;
		if (squares)
			x *= x;
		word[0] += (uint64_t) x;
		word[1] += (uint64_t) (x >> 64) + (word[0] < (uint64_t) x);
		word[2] += squares && word[1] < before;
	}
}

static void
compare_totals(gs_run *run, const gs_op *op, const test_array *a,
			   bool squares)
{
	gs_column	column = squares ? GS_COLUMN_SQUARES : GS_COLUMN_SUMS;
	int			words = squares ? 3 : 2;
	uint64_t   *got = allocate(a->n * words * sizeof(uint64_t));

	/* parts in any order */
	for (int piece = 0; piece < 5; piece++)
	{
		int64_t		first = random_below(a->n);
		int64_t		n = piece == 4 ? a->n : random_below(a->n - first) + 1;

		if (piece == 4)
			first = 0;
		expect(gs_engine_cpu.fetch(run, column, first, n, got) == GS_OK,
			   "fetch");
		for (int64_t i = 0; i < n; i++)
		{
			uint64_t	wanted[3];

			sum_of_frame(op, a, first + i, squares, wanted);
			if (!expect(memcmp(got + i * words, wanted,
							   words * sizeof *got) == 0,
						"frame %lld of %lld, piece %d, %d preceding, %d following",
						(long long) (first + i), (long long) a->n, piece,
						op->moving.preceding, op->moving.following))
				break;
		}
	}
	free(got);
}

static void
try_totals(gs_kind kind, gs_type type)
{
	gs_op		op = {.kind = kind, .type = type};
	test_array	a = array_new(type, 1 + random_below(one_in(4) ? 2600 : 100));
	bool		large = one_in(2);
	bool		nulls = one_in(2);
	gs_input	in = {.n = a.n};
	gs_output	out = {0};
	gs_result	result = {0};
	gs_run	   *run;

	op.moving.preceding = (int32_t) random_below(one_in(2) ? 4 : a.n + 3);
	op.moving.following = one_in(2) ? 0 : (int32_t) random_below(a.n + 3);
	for (int64_t i = 0; i < a.n; i++)
	{
		a.valid[i] = !(nulls && one_in(3));
		a.v[i] = random_integer(type, large);
	}
	in.data = span_of(&a, 0, a.n);
	expect(gs_engine_cpu.begin(&op, a.n, NULL, &run) == GS_OK &&
		   gs_engine_cpu.feed(run, &in, &out) == GS_OK &&
		   gs_engine_cpu.finish(run, &result) == GS_OK &&
		   result.results == a.n, "results");
	compare_totals(run, &op, &a, false);
	if (kind == GS_MOVING_STDDEV)
		compare_totals(run, &op, &a, true);
	expect(gs_engine_cpu.fetch(run, GS_COLUMN_VALUES, 0, 1, &result) ==
		   GS_INVALID, "integers have no values");
	gs_engine_cpu.end(run);
	span_free(&in.data);
	array_free(&a);
}

/* 100 results have two rows of validity, and no counts. */
static void
refuse_columns(void)
{
	static const struct
	{
		gs_column	column;
		int64_t		first;
		int64_t		n;
		gs_status	wanted;
	}			parts[] = {
		{GS_COLUMN_VALIDITY, 0, 2, GS_OK}, {GS_COLUMN_VALIDITY, 1, 2, GS_INVALID},
		{GS_COLUMN_VALIDITY, 3, 0, GS_INVALID},
		{GS_COLUMN_VALIDITY, -1, 1, GS_INVALID},
		{GS_COLUMN_COUNTS, 0, 1, GS_INVALID}
	};
	test_array	a = array_new(GS_INT4, 100);
	gs_input	in = {.n = 100};

	in.data = span_of(&a, 0, a.n);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
	{
		gs_op		op = {.kind = GS_MOVING_MAX, .type = GS_INT4};
		gs_output	out = {0};
		gs_result	result = {0};
		uint64_t	to[2];
		gs_run	   *run;

		expect(gs_engine_cpu.begin(&op, a.n, NULL, &run) == GS_OK &&
			   gs_engine_cpu.feed(run, &in, &out) == GS_OK &&
			   gs_engine_cpu.finish(run, &result) == GS_OK &&
			   gs_engine_cpu.fetch(run, parts[i].column, parts[i].first,
								   parts[i].n, to) == parts[i].wanted,
			   "part %d", (int) i);
		gs_engine_cpu.end(run);
	}
	expect(gs_validity_fits((uint64_t[]) {0, 15}, 68) &&
		   !gs_validity_fits((uint64_t[]) {0, 16}, 68) &&
		   !gs_validity_fits((uint64_t[]) {0, INT64_MIN}, 127) &&
		   gs_validity_fits((uint64_t[]) {0, UINT64_MAX}, 128),
		   "bits beyond the end");
	span_free(&in.data);
	array_free(&a);
}

void
test_moving_totals(void)
{
	test_begin("sums of moving frames of integers, and of squares");
	refuse_columns();
	for (int run = 0; run < 600; run++)
		try_totals(one_in(2) ? GS_MOVING_AVG : GS_MOVING_STDDEV,
				   (gs_type) (GS_INT2 + run % 3));
	test_end();
}

/*
 * The correlation of pairs first .. last, by the accumulator; false and 0 if
 * there is none.
 */
static bool
plain_correlation(const double *y, const double *x, int first, int last,
				  double *result)
{
	gs_acc		sum[2];
	gs_acc2		product[3];
	gs_sums		s = {.n = last - first + 1};

	*result = 0;
	gs_acc_init(&sum[0]);
	gs_acc_init(&sum[1]);
	for (int k = 0; k < 3; k++)
		gs_acc2_init(&product[k]);
	for (int k = first; k <= last; k++)
	{
		gs_acc_add(&sum[0], y[k]);
		gs_acc_add(&sum[1], x[k]);
		gs_acc2_add_product(&product[0], y[k], y[k]);
		gs_acc2_add_product(&product[1], x[k], x[k]);
		gs_acc2_add_product(&product[2], x[k], y[k]);
	}
	s.y = gs_acc_limbs(&sum[0]);
	s.x = gs_acc_limbs(&sum[1]);
	s.yy = gs_acc2_limbs(&product[0]);
	s.xx = gs_acc2_limbs(&product[1]);
	s.xy = gs_acc2_limbs(&product[2]);
	return gs_correlation(&s, result) != GS_UNDEFINED;
}

/* As if the leading bits were never enough: whichever candidate is the lesser. */
static void
correlate_slowly(const gs_moving_pairs *s, double wanted)
{
	gs_quad		b = gs_quad_centred(s->n, s->xx, s->x, s->x);
	gs_quad		c = gs_quad_centred(s->n, s->yy, s->y, s->y);
	gs_quad		a = gs_quad_centred(s->n, s->xy, s->x, s->y);
	double		magnitude = fabs(wanted);
	double		below = gs_bits_double(gs_double_bits(magnitude) - 1);

	if (magnitude == 0 || magnitude > 1)
		return;
	expect(gs_moving_pairs_slowly(a, b, c, magnitude) == magnitude &&
		   gs_moving_pairs_slowly(a, b, c, below) == magnitude,
		   "%d pairs, slowly: %a, %a, not %a", (int) s->n,
		   gs_moving_pairs_slowly(a, b, c, magnitude),
		   gs_moving_pairs_slowly(a, b, c, below), magnitude);
}

static void
try_pairs(int kind, int preceding, int following, int lanes)
{
	gs_op		op = {.kind = GS_MOVING_CORR, .type = GS_FLOAT8,
	.moving.preceding = preceding, .moving.following = following};
	double		y[MOST];
	double		x[MOST];
	double		got[MOST];
	uint64_t	validity[GS_VALIDITY_ROWS(MOST)];
	gs_extent	extent_y = GS_NO_EXTENT;
	gs_extent	extent_x = GS_NO_EXTENT;
	const int	scale = one_in(2) ? 0 : 300;
	const bool	far = one_in(4);

	gs_cpu_most_lanes = lanes;
	for (int i = 0; i < MOST; i++)
	{
		y[i] = random_value(kind, 0);
		x[i] = ldexp(one_in(3) ? y[i] : random_value(kind, 0), scale);
		if (far && one_in(9))
			x[i] = ldexp(x[i], 300);
		gs_extent_add(&extent_y, y[i]);
		gs_extent_add(&extent_x, x[i]);
	}
	gs_moving_correlations(&op, MOST, y, x, NULL, got, validity);
	expect(gs_validity_fits(validity, MOST), "bits beyond the end");
	for (int i = 0; i < MOST; i++)
	{
		int			first = i < preceding ? 0 : i - preceding;
		int			last = MOST - 1 - i < following ? MOST - 1 : i + following;
		double		wanted;
		bool		valid = plain_correlation(y, x, first, last, &wanted);
		gs_moving_pairs s = {0};
		double		result = 0;

		expect((validity[i / 64] >> i % 64 & 1) == valid &&
			   gs_double_bits(got[i]) == gs_double_bits(wanted),
			   "frame %d: %a, not %a", i, got[i], wanted);
		if (!gs_wide_fits(extent_y, MOST, &s.base_y) ||
			!gs_wide_fits(extent_x, MOST, &s.base_x))
		{
			expect(far, "bits are close together");
			continue;
		}
		for (int k = first; k <= last; k++)
			gs_moving_pairs_change(&s, y[k], x[k], false);
		expect((gs_moving_pairs_correlation(&s, &result) != GS_UNDEFINED) ==
			   valid && gs_double_bits(result) == gs_double_bits(wanted),
			   "%d pairs: %a, not %a", (int) s.n, result, wanted);
		correlate_slowly(&s, wanted);
	}
}

/* Of ordinary values doubles decide all but the frames without a deviation. */
static void
decide(int arrays, int lanes)
{
	static double v[2][20000];
	cpu_quick	q = {
		.frame = {20000, one_in(2) ? 9 : 99, one_in(2) ? 0 : 30},
		.arrays = arrays,
		.element = {v[0], v[1]}
	};
	double		result[QUICK_BLOCK];
	uint8_t		known[QUICK_BLOCK];
	int			n;

	gs_cpu_most_lanes = lanes;
	for (int i = 0; i < 20000; i++)
	{
		v[0][i] = random_uniform() * 1000 + 0.001;
		v[1][i] = (random_uniform() - 0.5) * 100;
	}
	expect(cpu_quick_open(&q), "quickly");
	while ((n = cpu_quick_next(&q, result, known)) > 0)
		expect(memchr(known, 0, n) == NULL, "frames before %d, %d arrays",
			   (int) q.at, arrays);
}

static int	pauses;

static void
count_pause(void)
{
	pauses++;
}

/*
 * Results that doubles do not decide take long, so there are pauses between
 * them: where elements are too large for doubles to be tried, and where there
 * is no deviation.
 */
static void
pause_between(bool large)
{
	enum {N = 20000};
	static double y[N];
	static double x[N];
	static double result[N];
	static uint64_t validity[GS_VALIDITY_ROWS(N)];
	gs_op		op = {.kind = GS_MOVING_CORR, .type = GS_FLOAT8, .moving.preceding = 5};

	for (int i = 0; i < N; i++)
		x[i] = y[i] = large ? ldexp(random_uniform(), 1010) : 1;
	pauses = 0;
	gs_engine_pause = count_pause;
	gs_moving_correlations(&op, N, y, x, NULL, result, validity);
	expect(pauses > 3, "%d pauses of correlations", pauses);
	op.kind = GS_MOVING_STDDEV;
	pauses = 0;
	(void) gs_moving_floats(&op, N, x, NULL, result);
	expect(pauses > 3, "%d pauses of deviations", pauses);
	gs_engine_pause = NULL;
}

void
test_moving_pairs(void)
{
	const int	most = gs_cpu_most_lanes;

	test_begin("correlations of moving frames");
	for (int run = 0; run < 120; run++)
	{
		int			lanes = 2 << run % 3;

		try_pairs((int) random_below(3), (int) random_below(one_in(2) ? 4 : MOST),
				  one_in(2) ? 0 : (int) random_below(MOST), lanes);
		if (run < 12)
			decide(1 + run / 3 % 2, lanes);
	}
	pause_between(true);
	pause_between(false);
	gs_cpu_most_lanes = most;
	test_end();
}
