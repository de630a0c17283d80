/*-------------------------------------------------------------------------
 *
 * check.c
 *	  The CUDA engine against the CPU engine, bit by bit.
 *
 * Every kind of operation over every type it allows, in every mode, over
 * arrays of many sizes and of the distributions that exact sums find hard,
 * with NULLs of several patterns, in one chunk and in many.  Both engines get
 * the same arrays; statuses, positions of errors, results and their bitmaps
 * must be equal.  Outputs are poisoned before, and what lies behind them must
 * be untouched after.
 *
 * Usage: check [--seed=N] [--rounds=N] [--most=ELEMENTS] [--kind=N]
 *				[--type=N] [--device=N]
 *
 * A round goes over all operations once.  Small numbers suit
 * compute-sanitizer: --rounds=1 --most=3000.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernels/cuda_engine.h"

#define POISON		0xa5
#define GUARD		64

static uint64_t random_state = 1;

/* splitmix64 */
static uint64_t
random_bits(void)
{
	uint64_t	z = random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int64_t
random_below(int64_t n)
{
	return (int64_t) (random_bits() % (uint64_t) n);
}

static double
random_unit(void)
{
	return (double) (random_bits() >> 11) * 0x1p-53;
}

static double
random_normal(void)
{
	return sqrt(-2 * log(1 - random_unit())) *
		cos(6.283185307179586 * random_unit());
}

/* ----------
 * Arrays
 * ----------
 */
typedef enum distribution
{
	UNIFORM,
	FULL,						/* uniform, with 53 random bits each */
	NORMAL,
	MONEY,
	LOGNORMAL_2,
	LOGNORMAL_10,
	CANCELLING,
	TIES,
	SUBNORMAL,
	LARGE,
	MIXED,
	ZEROS,
	NEGATIVE_ZEROS,
	INFINITE,
	NANS,
	ONES,
	NEAR_ONE,
	BITS,						/* any bits at all */
	DISTRIBUTIONS
} distribution;

static const char *const distribution_names[] = {
	"uniform", "full", "normal", "money", "lognormal 2", "lognormal 10",
	"cancelling", "ties", "subnormal", "large", "mixed", "zeros",
	"negative zeros", "infinite", "nan", "ones", "near one", "bits"
};

static double
random_double(distribution d, int64_t i)
{
	static double before;
	uint64_t	bits = random_bits();
	double		x;

	switch (d)
	{
		case UNIFORM:
			return random_unit();
		case FULL:
			return ldexp(1 + random_unit(), -1 - __builtin_ctzll(bits | 1ull << 60));
		case NORMAL:
			return random_normal();
		case MONEY:
			return (double) (random_below(2000000) - 1000000) / 100;
		case LOGNORMAL_2:
			return exp(2 * random_normal());
		case LOGNORMAL_10:
			return exp(10 * random_normal()) * (bits & 1 ? 1 : -1);
		case CANCELLING:
			before = i & 1 ? -before : exp(3 * random_normal());
			return bits % 64 == 0 ? 1e-17 : before;
		case TIES:
			return i == 0 ? 0x1p53 : (double) (int) (bits % 3) - (bits % 7 == 0 ? 0.5 : 0);
		case SUBNORMAL:
			bits &= UINT64_C(0x801fffffffffffff);
			memcpy(&x, &bits, 8);
			return x;
		case LARGE:
			return (bits & 1 ? 1 : -1) * ldexp(1 + random_unit(), 1020 + (int) (bits >> 1) % 4);
		case MIXED:
			return (bits & 1 ? 1 : -1) *
				ldexp(1 + random_unit(), (int) (bits >> 1) % 2000 - 1000);
		case ZEROS:
			return bits & 1 ? 0.0 : -0.0;
		case NEGATIVE_ZEROS:
			return bits % 5000 == 0 ? 0.0 : -0.0;
		case INFINITE:
			return bits % 1000 == 0 ? (bits & 1024 ? INFINITY : -INFINITY) :
				random_normal();
		case NANS:
			return bits % 2000 == 0 ? (bits & 4096 ? NAN : -NAN) :
				random_normal();
		case ONES:
			return 1;
		case NEAR_ONE:
			return 1 + (random_unit() - 0.5) * 1e-3;
		default:
			memcpy(&x, &bits, 8);
			return x;
	}
}

static float
random_float(distribution d, int64_t i)
{
	uint32_t	bits = (uint32_t) random_bits();
	float		x;

	switch (d)
	{
		case UNIFORM:
			return (float) (bits >> 8) * 0x1p-24f;
		case SUBNORMAL:
			bits &= 0x80ffffff;
			memcpy(&x, &bits, 4);
			return x;
		case LARGE:
			return (bits & 1 ? 1 : -1) * (float) ldexp(1 + random_unit() * 0.99, 124 + (int) (bits >> 1) % 4);
		case MIXED:
			return (bits & 1 ? 1 : -1) *
				(float) ldexp(1 + random_unit(), (int) (bits >> 1) % 240 - 120);
		case TIES:
			return i == 0 ? 0x1p24f : (float) random_double(d, i);
		case BITS:
			memcpy(&x, &bits, 4);
			return x;
		default:
			return (float) random_double(d, i);
	}
}

static int64_t
random_integer(distribution d, int64_t i, int width)
{
	uint64_t	bits = random_bits();

	switch (d)
	{
		case UNIFORM:
		case FULL:
		case NORMAL:
			return (int64_t) (bits % 2001) - 1000;
		case MONEY:
		case TIES:
			return (int64_t) (bits % 7) - 3;
		case CANCELLING:
			return (i & 1 ? -1 : 1) * (int64_t) (bits >> 2);
		case LARGE:
			return bits % 3 == 0 ? INT64_MAX >> (64 - 8 * width) :
				INT64_MIN >> (64 - 8 * width);
		case MIXED:
			return (int64_t) bits >> (bits % 64);
		case ZEROS:
		case NEGATIVE_ZEROS:
			return bits % 100 == 0;
		case ONES:
		case NEAR_ONE:
			return d == ONES ? 1 : (bits & 1 ? 1 : -1);
		case INFINITE:			/* sums just within the range of int8 */
			return (i & 1 ? -1 : 1) * (INT64_MAX / 2) +
				(int64_t) (bits % 1000);
		default:
			return (int64_t) bits;
	}
}

typedef struct array
{
	int64_t		n;
	int64_t		present;
	int			width;
	uint8_t    *values;
	uint8_t    *validity;
} array;

static void *
allocate(size_t size)
{
	void	   *p = aligned_alloc(64, (size + 63) / 64 * 64 + 64);

	if (p == NULL)
	{
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return p;
}

static void
put_value(uint8_t *to, gs_type type, distribution d, int64_t i)
{
	int64_t		x;
	float		f;
	double		v;

	switch (type)
	{
		case GS_FLOAT8:
			v = random_double(d, i);
			memcpy(to, &v, 8);
			break;
		case GS_FLOAT4:
			f = random_float(d, i);
			memcpy(to, &f, 4);
			break;
		case GS_BOOL:
			*to = random_bits() % (d % 4 == 0 ? 2 : d % 4 == 1 ? 1000 : 20) == 0;
			if (d % 4 == 3)
				*to ^= 1;
			break;
		default:
			x = random_integer(d, i, gs_type_width(type));
			memcpy(to, &x, gs_type_width(type));
	}
}

typedef enum null_pattern
{
	NO_NULLS,
	FEW_NULLS,
	MANY_NULLS,
	LEADING_NULLS,
	ALL_NULLS,
	NULL_PATTERNS
} null_pattern;

static bool
is_null(null_pattern p, int64_t i, int64_t n)
{
	switch (p)
	{
		case FEW_NULLS:
			return random_bits() % 100 == 0;
		case MANY_NULLS:
			return random_bits() % 10 != 0;
		case LEADING_NULLS:
			return i < n / 3 || random_bits() % 5 == 0;
		case ALL_NULLS:
			return true;
		default:
			return false;
	}
}

static array
make_array(gs_type type, int64_t n, distribution d, null_pattern nulls)
{
	array		a = {n, 0, gs_type_width(type), NULL, NULL};

	a.values = allocate((size_t) n * a.width);
	a.validity = allocate((size_t) (n + 7) / 8);
	memset(a.validity, 0, (size_t) (n + 7) / 8);
	for (int64_t i = 0; i < n; i++)
	{
		if (is_null(nulls, i, n))
			continue;
		a.validity[i / 8] |= 1 << i % 8;
		put_value(a.values + a.present++ * a.width, type, d, i);
	}
	return a;
}

static void
free_array(array *a)
{
	free(a->values);
	free(a->validity);
}

/* Elements from..from + n of an array, whose values begin at *value. */
static gs_span
span_of(const array *a, int64_t from, int64_t n, int64_t *value)
{
	gs_span		s = {a->values + *value * a->width, a->validity + from / 8, 0};

	for (int64_t i = from; i < from + n; i++)
		s.present += a->validity[i / 8] >> i % 8 & 1;
	*value += s.present;
	if (s.present == n)
		s.validity = NULL;
	return s;
}

/* ----------
 * Executions
 * ----------
 */
typedef struct outcome
{
	gs_status	status;
	gs_error	error;
	gs_result	result;
	int64_t		chunks;
	gs_output  *out;			/* one a chunk */
	int64_t    *counts;
	bool		spoilt;			/* something behind an output was written */
} outcome;

typedef struct trial
{
	gs_op		op;
	array		data;
	array		mask;
	int64_t		chunk;
} trial;

static uint8_t *
poisoned(size_t size)
{
	uint8_t    *p = allocate(size + GUARD);

	memset(p, POISON, size + GUARD);
	return p;
}

static bool
is_poisoned(const uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (p[i] != POISON)
			return false;
	return true;
}

static gs_status
feed_all(const gs_engine *engine, gs_run *run, const trial *t, int64_t chunk,
		 int depth, outcome *o)
{
	int64_t		value = 0;
	int64_t		mask_value = 0;
	int64_t		waits = 0;
	gs_status	status;
	int			width = gs_type_width(gs_output_type(&t->op));

	for (int64_t from = 0; from < t->data.n; from += chunk)
	{
		int64_t		n = t->data.n - from < chunk ? t->data.n - from : chunk;
		gs_output  *out = &o->out[o->chunks];
		gs_input	in;

		memset(&in, 0, sizeof in);
		in.n = n;
		in.data = span_of(&t->data, from, n, &value);
		if (gs_has_mask(&t->op))
			in.mask = span_of(&t->mask, from, n, &mask_value);
		out->values = poisoned((size_t) n * width);
		out->validity = poisoned((size_t) (n + 63) / 64 * 8);
		o->chunks++;
		status = engine->feed(run, &in, out);
		if (status != GS_OK)
			return status;
		if (o->chunks - waits == depth)
		{
			status = engine->wait(run);
			if (status != GS_OK)
				return status;
			waits++;
		}
	}
	for (; waits < o->chunks; waits++)
	{
		status = engine->wait(run);
		if (status != GS_OK)
			return status;
	}
	return engine->finish(run, &o->result);
}

static void
execute(const gs_engine *engine, const trial *t, outcome *o)
{
	gs_run	   *run;
	int64_t		chunk;
	int			depth;
	int			width = gs_type_width(gs_output_type(&t->op));

	memset(o, 0, sizeof *o);
	o->out = calloc((size_t) (t->data.n / GS_CHUNK_ALIGN + 1), sizeof *o->out);
	if (gs_is_histogram((gs_kind) t->op.kind))
	{
		o->counts = (int64_t *)
			poisoned((size_t) (t->op.buckets + 3) * sizeof(int64_t));
		o->result.counts = o->counts;
	}
	o->status = engine->begin(&t->op, t->data.n, &run);
	if (o->status != GS_OK)
		return;
	engine->shape(run, &chunk, &depth);
	if (t->chunk < chunk)
		chunk = t->chunk;
	o->status = feed_all(engine, run, t, chunk, depth, o);
	o->error = *engine->error(run);
	engine->end(run);
	for (int64_t i = 0; i < o->chunks; i++)
	{
		int64_t		n = t->data.n - i * chunk;

		n = n < chunk ? n : chunk;
		if (!is_poisoned((uint8_t *) o->out[i].values + n * width, GUARD) ||
			!is_poisoned(o->out[i].validity + (n + 63) / 64 * 8, GUARD))
			o->spoilt = true;
	}
	if (o->counts != NULL &&
		!is_poisoned((uint8_t *) (o->counts + t->op.buckets + 3), GUARD))
		o->spoilt = true;
}

static void
free_outcome(outcome *o)
{
	for (int64_t i = 0; i < o->chunks; i++)
	{
		free(o->out[i].values);
		free(o->out[i].validity);
	}
	free(o->out);
	free(o->counts);
}

/* ----------
 * Comparison
 * ----------
 */
static char difference[300];

#define DIFFER(...) \
	return snprintf(difference, sizeof difference, __VA_ARGS__), false

/* All chunks' outputs of one outcome as one array; the validity by bytes. */
static array
joined_output(const outcome *o, int width)
{
	array		a = {0, 0, width, NULL, NULL};
	int64_t		n = 0;

	for (int64_t i = 0; i < o->chunks; i++)
		n += o->out[i].n;
	a.values = allocate((size_t) n * width);
	a.validity = allocate((size_t) n);
	for (int64_t i = 0; i < o->chunks; i++)
	{
		const gs_output *out = &o->out[i];

		for (int64_t j = 0; j < out->n; j++)
			a.validity[a.n++] = out->present == out->n ||
				(out->validity[j / 8] >> j % 8 & 1);
		memcpy(a.values + a.present * width, out->values,
			   (size_t) out->present * width);
		a.present += out->present;
	}
	return a;
}

static bool
equal_outputs(const outcome *a, const outcome *b, const gs_op *op)
{
	int			width = gs_type_width(gs_output_type(op));
	array		x = joined_output(a, width);
	array		y = joined_output(b, width);
	int64_t		i = 0;

	difference[0] = '\0';
	if (x.n != y.n || x.present != y.present)
		snprintf(difference, sizeof difference,
				 "%lld results, %lld present, not %lld, %lld",
				 (long long) y.n, (long long) y.present, (long long) x.n,
				 (long long) x.present);
	else if (memcmp(x.validity, y.validity, (size_t) x.n) != 0)
	{
		while (x.validity[i] == y.validity[i])
			i++;
		snprintf(difference, sizeof difference, "bitmap at %lld",
				 (long long) i);
	}
	else if (memcmp(x.values, y.values, (size_t) x.present * width) != 0)
	{
		uint64_t	want = 0;
		uint64_t	got = 0;

		while (memcmp(x.values + i * width, y.values + i * width, width) == 0)
			i++;
		memcpy(&want, x.values + i * width, width);
		memcpy(&got, y.values + i * width, width);
		snprintf(difference, sizeof difference,
				 "value %lld is %016llx, not %016llx", (long long) i,
				 (unsigned long long) got, (unsigned long long) want);
	}
	free_array(&x);
	free_array(&y);
	return difference[0] == '\0';
}

static bool
equal_limbs(const int64_t *a, const int64_t *b, int n, const char *what)
{
	for (int k = 0; k < n; k++)
		if (a[k] != b[k])
			DIFFER("limb %d of %s is %llx, not %llx", k, what,
				   (unsigned long long) b[k], (unsigned long long) a[k]);
	return true;
}

static bool
equal_accumulators(outcome *a, outcome *b, bool squares)
{
	gs_acc_propagate(&a->result.sum);
	gs_acc_propagate(&b->result.sum);
	if (a->result.sum.seen != b->result.sum.seen)
		DIFFER("seen is %x, not %x", b->result.sum.seen, a->result.sum.seen);
	if (!equal_limbs(a->result.sum.limb, b->result.sum.limb, GS_ACC_LIMBS,
					 "sum"))
		return false;
	if (!squares)
		return true;
	gs_acc2_propagate(&a->result.squares);
	gs_acc2_propagate(&b->result.squares);
	if (a->result.squares.seen != b->result.squares.seen)
		DIFFER("seen of squares is %x, not %x", b->result.squares.seen,
			   a->result.squares.seen);
	return equal_limbs(a->result.squares.limb, b->result.squares.limb,
					   GS_ACC2_LIMBS, "squares");
}

static bool
equal_results(outcome *a, outcome *b, const gs_op *op)
{
	gs_result  *x = &a->result;
	gs_result  *y = &b->result;
	bool		is_float = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;

	if (x->n != y->n || x->present != y->present)
		DIFFER("n or present");
	if (gs_is_histogram((gs_kind) op->kind))
	{
		for (int i = 0; i < op->buckets + 3; i++)
			if (a->counts[i] != b->counts[i])
				DIFFER("count %d of %d is %lld, not %lld", i, op->buckets + 3,
					   (long long) b->counts[i], (long long) a->counts[i]);
		return true;
	}
	if (x->present == 0 && op->kind != GS_ARGMIN && op->kind != GS_ARGMAX)
		return true;
	switch (op->kind)
	{
		case GS_SUM:
		case GS_MOMENTS:
			if (is_float)
				return equal_accumulators(a, b, op->kind == GS_MOMENTS);
			if (memcmp(x->isum, y->isum, sizeof x->isum) != 0 ||
				(op->kind == GS_MOMENTS &&
				 memcmp(x->isquares, y->isquares, sizeof x->isquares) != 0))
				DIFFER("isum %llx or isquares %llx, not %llx, %llx",
					   (unsigned long long) y->isum[0],
					   (unsigned long long) y->isquares[0],
					   (unsigned long long) x->isum[0],
					   (unsigned long long) x->isquares[0]);
			return true;
		case GS_ARGMIN:
		case GS_ARGMAX:
			if (x->position != y->position)
				DIFFER("position %lld, not %lld", (long long) y->position,
					   (long long) x->position);
			return true;
		case GS_PRODUCT:
			if (gs_double_bits(x->product.hi) != gs_double_bits(y->product.hi) &&
				!(isnan(x->product.hi) && isnan(y->product.hi)))
				DIFFER("product %a, not %a", y->product.hi, x->product.hi);
			if (x->product.lo != y->product.lo ||
				x->product.exponent != y->product.exponent)
				DIFFER("product's rest");
			return true;
		default:
			if (gs_is_reduction((gs_kind) op->kind) &&
				memcmp(&x->value, &y->value,
					   op->type == GS_BOOL ? 2 :
					   gs_type_width((gs_type) op->type)) != 0)
				DIFFER("value %llx, not %llx", (unsigned long long) y->value.i8,
					   (unsigned long long) x->value.i8);
			return true;
	}
}

static bool
equal_outcomes(outcome *a, outcome *b, const gs_op *op)
{
	if (a->status != b->status)
		DIFFER("status %d (%s), not %d", b->status, b->error.message,
			   a->status);
	if (b->spoilt)
		DIFFER("wrote beyond an output");
	if (a->status == GS_BIGINT_RANGE || a->status == GS_FLOAT_OVERFLOW)
	{
		if (a->error.position != b->error.position)
			DIFFER("error at %lld, not %lld", (long long) b->error.position,
				   (long long) a->error.position);
		return true;
	}
	if (a->status != GS_OK)
		return true;
	if (gs_is_scan((gs_kind) op->kind) || gs_is_compaction((gs_kind) op->kind))
		return equal_outputs(a, b, op) && equal_results(a, b, op);
	return equal_results(a, b, op);
}

/* ----------
 * Trials
 * ----------
 */
static int	passed;
static int	failed;

static void
run_trial(const trial *t, const char *what)
{
	outcome		cpu;
	outcome		cuda;

	execute(&gs_engine_cpu, t, &cpu);
	execute(&gs_engine_cuda, t, &cuda);
	if (equal_outcomes(&cpu, &cuda, &t->op))
		passed++;
	else
	{
		failed++;
		if (failed <= 40)
			printf("kind %d type %d exclusive %d segmented %d run %lld n %lld present %lld chunk %lld %s: %s\n",
				   t->op.kind, t->op.type, t->op.exclusive, t->op.segmented,
				   (long long) t->op.chunk, (long long) t->data.n,
				   (long long) t->data.present, (long long) t->chunk, what,
				   difference);
		if (cuda.status == GS_DEVICE_LOST)
		{
			printf("%d passed, %d failed\n", passed, failed);
			exit(1);
		}
	}
	free_outcome(&cpu);
	free_outcome(&cuda);
}

static const int64_t border_sizes[] = {
	0, 1, 2, 15, 16, 17, 31, 33, 63, 65, 511, 512, 513, 1023, 1024, 1025,
	2047, 2048, 2049, 4095, 4096, 4097, 6145
};

static int64_t
random_size(int64_t most)
{
	int64_t		n;

	if (random_bits() % 2)
		n = border_sizes[random_below(sizeof border_sizes /
									  sizeof *border_sizes)];
	else
		n = (int64_t) exp(random_unit() * log((double) most));
	return n < most ? n : most;
}

static double *
random_edges(gs_op *op)
{
	double	   *edges = allocate((size_t) (op->buckets + 1) * sizeof(double));
	double		x = op->type == GS_FLOAT4 || op->type == GS_FLOAT8 ? -3 : -1000;

	for (int i = 0; i <= op->buckets; i++)
	{
		edges[i] = x;
		x += -x * 0.001 + random_unit() * (x < -4 ? 50 : 0.1) + 1e-9;
	}
	for (int i = 0; i < op->buckets; i++)
		if (!(edges[i] < edges[i + 1]))
			edges[i + 1] = nextafter(edges[i], INFINITY);
	op->edges = edges;
	return edges;
}

static void
set_options(gs_op *op)
{
	static const int bucket_numbers[] = {1, 10, 256, 257, 4096, 65536, 100000};
	uint64_t	bits = random_bits();

	if (gs_is_scan((gs_kind) op->kind))
	{
		op->exclusive = bits & 1;
		if (bits & 2)
			op->segmented = 1;
		else if (bits & 4)
			op->chunk = bits & 8 ? 512 : 1 + random_below(bits & 16 ? 40 : 5000);
	}
	else if (gs_is_histogram((gs_kind) op->kind))
	{
		op->buckets = bucket_numbers[random_below(7)];
		op->formula = bits & 1 ? GS_BUCKET_PRODUCT_FIRST :
			GS_BUCKET_QUOTIENT_FIRST;
		op->low = bits & 2 ? -2.5 : 0;
		op->high = bits & 4 ? 1 : 1000.1;
		if (bits & 8)
		{
			double		low = op->low;

			op->low = op->high;
			op->high = low;
		}
	}
	else if (op->kind == GS_FILTER)
	{
		op->compare = 1 + (int) (bits % 6);
		op->integer_bound = bits >> 8 & 1;
		op->bound = bits & 512 ? 0.5 : bits & 1024 ? 0 : NAN;
		op->ibound = (int64_t) (bits >> 16) % 20 - 10;
	}
}

static void
try_operation(gs_kind kind, gs_type type, int64_t most)
{
	trial		t;
	distribution d = (distribution) random_below(DISTRIBUTIONS);
	null_pattern nulls = random_bits() % 2 ? NO_NULLS :
		(null_pattern) random_below(NULL_PATTERNS);
	int64_t		n = random_size(most);
	double	   *edges = NULL;

	memset(&t, 0, sizeof t);
	t.op.kind = kind;
	t.op.type = type;
	t.chunk = random_bits() % 2 ? INT64_MAX :
		GS_CHUNK_ALIGN * (1 + random_below(8));
	set_options(&t.op);
	if (kind == GS_HISTOGRAM_EDGES)
		edges = random_edges(&t.op);
	if (gs_op_check(&t.op) != GS_OK)
	{
		free(edges);
		return;
	}
	t.data = make_array(type, n, d, nulls);
	if (gs_has_mask(&t.op))
		t.mask = make_array(GS_BOOL, n, (distribution) random_below(4),
							random_bits() % 3 ? NO_NULLS : FEW_NULLS);
	run_trial(&t, distribution_names[d]);
	free_array(&t.data);
	free_array(&t.mask);
	free(edges);
}

static bool
option(const char *argument, const char *name, int64_t *value)
{
	size_t		length = strlen(name);

	if (strncmp(argument, name, length) != 0 || argument[length] != '=')
		return false;
	*value = atoll(argument + length + 1);
	return true;
}

int
main(int argc, char **argv)
{
	int64_t		seed = 1;
	int64_t		rounds = 20;
	int64_t		most = 100000;
	int64_t		only_kind = 0;
	int64_t		only_type = 0;
	int64_t		device = 0;
	gs_cuda_info info;
	char		message[200];

	for (int i = 1; i < argc; i++)
		if (!option(argv[i], "--seed", &seed) &&
			!option(argv[i], "--rounds", &rounds) &&
			!option(argv[i], "--most", &most) &&
			!option(argv[i], "--kind", &only_kind) &&
			!option(argv[i], "--type", &only_type) &&
			!option(argv[i], "--device", &device))
		{
			fprintf(stderr, "unknown option \"%s\"\n", argv[i]);
			return 2;
		}
	random_state = (uint64_t) seed;
	if (gs_cuda_open((int) device, 0, &info, message, sizeof message) != GS_OK)
	{
		fprintf(stderr, "%s\n", message);
		return 2;
	}
	for (int64_t r = 0; r < rounds; r++)
		for (int kind = 1; kind <= GS_WHERE; kind++)
			for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
				if ((only_kind == 0 || kind == only_kind) &&
					(only_type == 0 || type == only_type))
					try_operation((gs_kind) kind, (gs_type) type, most);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
