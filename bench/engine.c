/*-------------------------------------------------------------------------
 *
 * engine.c
 *	  The CPU engine against plain C loops: the cost of exactness.
 *
 * Each operation is timed over one array, on one thread, beside the obvious
 * loop without regard for rounding, overflow or NULL, compiled with the same
 * options.  Both write to memory that has been touched before.  The figure is
 * the median of several runs, in which the two alternate.
 *
 *		bench-engine [elements [runs]]
 *
 *-------------------------------------------------------------------------
 */
#define _POSIX_C_SOURCE 199309L

#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MAX_RUNS	101
#define BUCKETS		256

static int64_t n = 10000000;
static int	runs = 7;

static double *doubles;			/* normal */
static double *wide;			/* lognormal with sigma 10 */
static float *floats;
static int64_t *longs;
static int32_t *ints;
static uint8_t *flags;			/* half of them 1 */
static uint8_t *bitmap;			/* a tenth NULL */
static void *out_values;		/* for n results of 8 bytes */
static uint8_t *out_bits;
static double edges[BUCKETS + 1];

/* Keeps a loop's result from being optimised away. */
static volatile double sink;
static volatile int64_t isink;

static void *
touched(size_t size)
{
	void	   *p = allocate(size);

	memset(p, 1, size);
	return p;
}

static uint64_t
random_bits(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static double
random_normal(void)
{
	double		u = (double) (random_bits() >> 11) * 0x1p-53;
	double		v = (double) (random_bits() >> 11) * 0x1p-53;

	return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

static void
make_data(void)
{
	doubles = touched(sizeof(double) * n);
	wide = touched(sizeof(double) * n);
	floats = touched(sizeof(float) * n);
	longs = touched(sizeof(int64_t) * n);
	ints = touched(sizeof(int32_t) * n);
	flags = touched(n);
	bitmap = touched(n / 8 + 1);
	out_values = touched(8 * n);
	out_bits = touched(n / 8 + 8);
	for (int64_t i = 0; i < n; i++)
	{
		doubles[i] = random_normal();
		wide[i] = exp(10 * random_normal());
		floats[i] = (float) random_normal();
		longs[i] = (int64_t) random_bits() >> 24;
		ints[i] = (int32_t) random_bits();
		flags[i] = random_bits() & 1;
	}
	for (int64_t i = 0; i < n; i += 8)
	{
		bitmap[i / 8] = 0xff;
		if (random_bits() % 10 < 8)
			bitmap[i / 8] ^= (uint8_t) (1u << (random_bits() % 8));
	}
	for (int i = 0; i <= BUCKETS; i++)
		edges[i] = -4 + 8 * (double) i / BUCKETS;
}

/* The plain loops. */
#define PLAIN_SUM(suffix, type, sumtype) \
static void \
plain_sum_##suffix(const void *values) \
{ \
	const type *v = values; \
	sumtype		sum = 0; \
\
	for (int64_t i = 0; i < n; i++) \
		sum += v[i]; \
	sink = (double) sum; \
} \
static void \
plain_cumsum_##suffix(const void *values) \
{ \
	const type *v = values; \
	sumtype    *out = out_values; \
	sumtype		sum = 0; \
\
	for (int64_t i = 0; i < n; i++) \
		out[i] = sum += v[i]; \
}

PLAIN_SUM(int4, int32_t, int64_t)
PLAIN_SUM(int8, int64_t, int64_t)
PLAIN_SUM(float4, float, float)
PLAIN_SUM(float8, double, double)

static void
plain_moments(const void *values)
{
	const double *v = values;
	double		sum = 0;
	double		squares = 0;

	for (int64_t i = 0; i < n; i++)
	{
		sum += v[i];
		squares += v[i] * v[i];
	}
	sink = sum + squares;
}

static void
plain_min(const void *values)
{
	const double *v = values;
	double		min = v[0];

	for (int64_t i = 1; i < n; i++)
	{
		if (v[i] < min)
			min = v[i];
	}
	sink = min;
}

static void
plain_cummax(const void *values)
{
	const double *v = values;
	double	   *out = out_values;
	double		max = v[0];

	for (int64_t i = 0; i < n; i++)
	{
		if (v[i] > max)
			max = v[i];
		out[i] = max;
	}
}

static void
plain_product(const void *values)
{
	const double *v = values;
	double		product = 1;

	for (int64_t i = 0; i < n; i++)
		product *= v[i];
	sink = product;
}

static void
plain_cumprod(const void *values)
{
	const double *v = values;
	double	   *out = out_values;
	double		product = 1;

	for (int64_t i = 0; i < n; i++)
		out[i] = product *= v[i];
}

static void
plain_histogram(const void *values)
{
	const double *v = values;
	int64_t		counts[BUCKETS] = {0};

	for (int64_t i = 0; i < n; i++)
	{
		if (v[i] >= -4 && v[i] < 4)
			counts[(int) ((v[i] + 4) * (BUCKETS / 8.0))]++;
	}
	isink = counts[BUCKETS / 2];
}

static void
plain_search(const void *values)
{
	const double *v = values;
	int64_t		counts[BUCKETS] = {0};

	for (int64_t i = 0; i < n; i++)
	{
		int			low = 0;
		int			high = BUCKETS;

		if (!(v[i] >= edges[0] && v[i] < edges[BUCKETS]))
			continue;
		while (high - low > 1)
		{
			int			middle = (low + high) / 2;

			if (edges[middle] <= v[i])
				low = middle;
			else
				high = middle;
		}
		counts[low]++;
	}
	isink = counts[BUCKETS / 2];
}

static void
plain_filter(const void *values)
{
	const double *v = values;
	double	   *out = out_values;
	int64_t		k = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (v[i] > 0)
			out[k++] = v[i];
	}
	isink = k;
}

static void
plain_compact(const void *values)
{
	const double *v = values;
	double	   *out = out_values;
	int64_t		k = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (flags[i])
			out[k++] = v[i];
	}
	isink = k;
}

static void
plain_where(const void *values)
{
	const uint8_t *v = values;
	int32_t    *out = out_values;
	int32_t		k = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (v[i])
			out[k++] = (int32_t) i + 1;
	}
	isink = k;
}

typedef struct benchmark
{
	const char *name;
	gs_op		op;
	void	  **values;
	void		(*plain) (const void *values);
	double		limit;			/* target ratio; 0: none */
	double		limit_ns;		/* target per element */
	bool		nulls;
} benchmark;

#define V(array)	((void **) &array)
#define OP(k, t, ...)	{.kind = k, .type = t, __VA_ARGS__}
#define FLAT		.histogram = {.formula = GS_BUCKET_PRODUCT_FIRST, \
					.low = -4, .high = 4, .buckets = BUCKETS}

static const benchmark benchmarks[] = {
	{"sum float8", OP(GS_SUM, GS_FLOAT8), V(doubles), plain_sum_float8, 2.5,
	0, 0},
	{"sum float8, sigma 10", OP(GS_SUM, GS_FLOAT8), V(wide), plain_sum_float8,
	0, 0, 0},
	{"sum float4", OP(GS_SUM, GS_FLOAT4), V(floats), plain_sum_float4, 0, 0,
	0},
	{"sum int8", OP(GS_SUM, GS_INT8), V(longs), plain_sum_int8, 1.3, 0, 0},
	{"sum int4", OP(GS_SUM, GS_INT4), V(ints), plain_sum_int4, 1.3, 0, 0},
	{"moments float8", OP(GS_MOMENTS, GS_FLOAT8), V(doubles), plain_moments,
	0, 0, 0},
	{"moments float8, sigma 10", OP(GS_MOMENTS, GS_FLOAT8), V(wide),
	plain_moments, 0, 0, 0},
	{"moments int8", OP(GS_MOMENTS, GS_INT8), V(longs), plain_sum_int8, 0, 0,
	0},
	{"moments int4", OP(GS_MOMENTS, GS_INT4), V(ints), plain_sum_int4, 0, 0,
	0},
	{"stats float8", OP(GS_STATS, GS_FLOAT8), V(doubles), plain_moments, 0, 0,
	0},
	{"stats int8", OP(GS_STATS, GS_INT8), V(longs), plain_sum_int8, 0, 0, 0},
	{"min float8", OP(GS_MIN, GS_FLOAT8), V(doubles), plain_min, 0, 0, 0},
	{"argmax float8", OP(GS_ARGMAX, GS_FLOAT8), V(doubles), plain_min, 0, 0,
	0},
	{"product float8", OP(GS_PRODUCT, GS_FLOAT8), V(doubles), plain_product,
	0, 0, 0},
	{"cumsum float8", OP(GS_SCAN_SUM, GS_FLOAT8), V(doubles),
	plain_cumsum_float8, 5, 0, 0},
	{"cumsum float8, sigma 10", OP(GS_SCAN_SUM, GS_FLOAT8), V(wide),
	plain_cumsum_float8, 0, 0, 0},
	{"cumsum float8, exclusive", OP(GS_SCAN_SUM, GS_FLOAT8, .scan = {.exclusive = 1}),
	V(doubles), plain_cumsum_float8, 0, 5, 0},
	{"cumsum float8, NULLs", OP(GS_SCAN_SUM, GS_FLOAT8), V(doubles),
	plain_cumsum_float8, 0, 5, 1},
	{"cumsum float8, chunk 10", OP(GS_SCAN_SUM, GS_FLOAT8, .segment = {.length = 10}),
	V(doubles), plain_cumsum_float8, 0, 5, 0},
	{"cumsum float8, heads", OP(GS_SCAN_SUM, GS_FLOAT8, .segment = {.marked = 1}),
	V(doubles), plain_cumsum_float8, 0, 5, 0},
	{"cumsum float4", OP(GS_SCAN_SUM, GS_FLOAT4), V(floats),
	plain_cumsum_float4, 0, 0, 0},
	{"cumsum int8", OP(GS_SCAN_SUM, GS_INT8), V(longs), plain_cumsum_int8,
	1.3, 0, 0},
	{"cumsum int4", OP(GS_SCAN_SUM, GS_INT4), V(ints), plain_cumsum_int4, 1.3,
	0, 0},
	{"cumsum int8, NULLs, heads", OP(GS_SCAN_SUM, GS_INT8, .segment = {.marked = 1}),
	V(longs), plain_cumsum_int8, 0, 5, 1},
	{"cummax float8", OP(GS_SCAN_MAX, GS_FLOAT8), V(doubles), plain_cummax, 0,
	0, 0},
	{"cumprod float8", OP(GS_SCAN_PRODUCT, GS_FLOAT8), V(doubles),
	plain_cumprod, 0, 0, 0},
	{"histogram 256", OP(GS_HISTOGRAM_WIDTH, GS_FLOAT8, FLAT), V(doubles),
	plain_histogram, 0, 2, 0},
	{"histogram 256 edges", OP(GS_HISTOGRAM_EDGES, GS_FLOAT8,
							   .histogram = {.buckets = BUCKETS,
							   .edges = edges}),
	V(doubles), plain_search, 0, 0, 0},
	{"filter float8 > 0", OP(GS_FILTER, GS_FLOAT8, .filter = {.compare = GS_GT}),
	V(doubles), plain_filter, 0, 3, 0},
	{"compact float8", OP(GS_COMPACT, GS_FLOAT8), V(doubles), plain_compact,
	0, 3, 0},
	{"compact float8, NULLs", OP(GS_COMPACT, GS_FLOAT8), V(doubles),
	plain_compact, 0, 5, 1},
	{"where", OP(GS_WHERE, GS_BOOL), V(flags), plain_where, 0, 3, 0},
};

static int64_t
count_present(int64_t at, int64_t size)
{
	int64_t		present = 0;

	for (int64_t i = at; i < n && i < at + size; i++)
		present += bitmap[i / 8] >> (i % 8) & 1;
	return present;
}

/* One execution, in batches of the engine's size. */
static void
run_engine(const benchmark *b, const int64_t *present)
{
	const gs_engine *engine = &gs_engine_cpu;
	int			width = gs_type_width((gs_type) b->op.type);
	const uint8_t *values = *b->values;
	gs_output	out = {out_values, b->nulls ? out_bits : NULL, 0, 0};
	gs_result	result;
	int64_t		counts[BUCKETS + 3];
	int64_t		batch;
	int			depth;
	gs_run	   *run;
	gs_status	status = engine->begin(&b->op, n, NULL, &run);

	engine->shape(run, &batch, &depth);
	for (int64_t at = 0; at < n && status == GS_OK; at += batch)
	{
		gs_input	in = {.n = n - at < batch ? n - at : batch};

		in.data.values = values;
		in.data.present = b->nulls ? present[at / batch] : in.n;
		in.data.validity = b->nulls ? bitmap + at / 8 : NULL;
		in.mask.values = flags + at;
		in.mask.present = in.n;
		values += width * in.data.present;
		status = engine->feed(run, &in, &out);
		/* values are appended; each bitmap overwrites the one before */
		out.values = (uint8_t *) out.values +
			out.present * gs_type_width(gs_output_type(&b->op));
	}
	result.counts = counts;
	if (status == GS_OK)
		status = engine->finish(run, &result);
	if (status != GS_OK)
	{
		fprintf(stderr, "%s: status %d\n", b->name, status);
		exit(1);
	}
	engine->end(run);
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

static double
median(double *times)
{
	qsort(times, runs, sizeof *times, compare_doubles);
	return times[runs / 2];
}

static void
report(const benchmark *b)
{
	double		plain[MAX_RUNS];
	double		engine[MAX_RUNS];
	int64_t		batch;
	int			depth;
	int64_t    *present;
	double		p;
	double		e;

	gs_engine_cpu.shape(NULL, &batch, &depth);
	present = touched(sizeof *present * (n / batch + 1));
	for (int64_t at = 0; at < n; at += batch)
		present[at / batch] = count_present(at, batch);
	for (int i = 0; i < runs; i++)
	{
		double		start = seconds();
		double		middle;

		b->plain(*b->values);
		middle = seconds();
		run_engine(b, present);
		plain[i] = middle - start;
		engine[i] = seconds() - middle;
	}
	p = median(plain);
	e = median(engine);
	printf("| %-26s | %9.2f | %9.2f | %6.2f |", b->name, 1e9 * p / n,
		   1e9 * e / n, e / p);
	if (b->limit > 0)
		printf(" %4.1f x %s |\n", b->limit,
			   e <= b->limit * p ? "met" : "MISSED");
	else if (b->limit_ns > 0)
		printf(" %2.0f ns  %s |\n", b->limit_ns,
			   1e9 * e <= b->limit_ns * n ? "met" : "MISSED");
	else
		printf("            |\n");
	fflush(stdout);
	free(present);
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		n = strtoll(argv[1], NULL, 10);
	if (argc > 2)
		runs = atoi(argv[2]);
	if (n < 1 || n > INT32_MAX || runs < 1 || runs > MAX_RUNS)
	{
		fprintf(stderr, "usage: %s [elements [runs]]\n", argv[0]);
		return 2;
	}
	make_data();
	printf("%lld elements, one thread, processor time, medians of %d runs, "
		   "ns an element\n\n",
		   (long long) n, runs);
	printf("| operation                  | plain (C) |   gpuscan |  ratio | "
		   "aim        |\n"
		   "|----------------------------|-----------|-----------|--------|"
		   "------------|\n");
	for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++)
		report(&benchmarks[i]);
	return 0;
}
