/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Does the CUDA engine give the CPU engine's bits?
 *
 * Random and hostile arrays go through both engines, every operation on every
 * type, in all sizes that are near some boundary, cut into batches in several
 * ways.  All that comes out must be the same: values bit for bit, NULLs,
 * counts, statuses, positions.  Outputs are poisoned beforehand, and end in
 * canaries.  Each array goes through the CUDA engine a second time, from a copy in
 * the engine's own memory.  Threads do all of it at once, as connections to a
 * service do.
 *
 *		check [--small] [--seed=N] [--only=NAME] [--threads=N]
 *			[--memory-limit=BYTES] [--times] [--device=N]
 *
 * --small does what compute-sanitizer gets through in a minute.  NAME is a
 * family's (reduce, scan, ...).  --times defers_retry how long warm calls take.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "kernels/cuda_engine.h"
#include "arrays.h"

#define CANARY_SIZE		64
#define POISON			0xa5
#define MAX_DEPTH		8
#define MAX_BUCKETS		70000
#define FAILURES_SHOWN	20

static const char *const type_names[] = {
	"", "bool", "int2", "int4", "int8", "float4", "float8"
};

/* The command line. */
static bool small;
static bool times;
static uint64_t seed = 20240229;
static const char *only;
static int	threads = 8;
static uint64_t memory_limit;
static int	device;

/* Sums over all threads, and the lines shown, under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t passed[GS_KINDS];
static int64_t failed[GS_KINDS];
static int64_t refused;			/* GS_NO_MEMORY under a memory limit */
static int64_t shown;

/* What one thread works with. */
typedef struct tester
{
	dice		d;
	arena		memory;
	int64_t    *counts[2];
	double	   *edges;
	bool		levels;			/* no other data, and no NULLs */
} tester;

/* One case. */
typedef struct array_case
{
	gs_op		op;
	int64_t		n;
	gs_span		data;
	gs_span		mask;
	data_kind	values;
	null_pattern nulls;
	int64_t		cut;			/* elements a feed; 0: random; -1: the most */
	uint64_t	part;			/* GS_SELECT: which part is taken */

	/* where data and mask are copied to, if op.cached */
	gs_span		data_copy;
	gs_span		mask_copy;
} array_case;

/* All that an execution gives. */
typedef struct outcome
{
	gs_status	status;
	int64_t		position;
	gs_result	result;
	int64_t		n;				/* results */
	int64_t		present;
	uint8_t    *values;
	uint8_t    *bits;
	int64_t    *taken_counts;	/* GS_DISTINCT */
	char		problem[200];	/* what is wrong already */
} outcome;

/* A batch under way. */
typedef struct slot
{
	gs_input	in;
	gs_output	out;
	uint8_t    *values;
	uint8_t    *bits;
	int64_t		room;
} slot;

static bool
has_output(const gs_op *op)
{
	return gs_is_scan((gs_kind) op->kind) ||
		gs_is_compaction((gs_kind) op->kind);
}

/* Elements at .. at + n - 1 of a span, `before` values before them. */
static gs_span
sub_span(const gs_span *all, int64_t at, int64_t n, int64_t before, int width)
{
	gs_span		s;

	s.values = (const uint8_t *) all->values + before * width;
	s.validity = all->validity == NULL ? NULL : all->validity + at / 8;
	s.present = all->validity == NULL ? n :
		count_bits(all->validity, at, n);
	return s;
}

/* The same part of a copy. */
static void
move_span(gs_span *part, const gs_span *all, const gs_span *copy)
{
	part->values = (const uint8_t *) copy->values +
		((const uint8_t *) part->values - (const uint8_t *) all->values);
	if (part->validity != NULL)
		part->validity = copy->validity + (part->validity - all->validity);
}

static bool
is_filled(const uint8_t *p, uint8_t with, int64_t size)
{
	for (int64_t i = 0; i < size; i++)
	{
		if (p[i] != with)
			return false;
	}
	return true;
}

static void
append_bits(uint8_t *to, int64_t at, const uint8_t *from, int64_t n)
{
	for (int64_t i = 0; i < n; i++, at++)
	{
		if (from == NULL || (from[i / 8] >> (i % 8) & 1))
			to[at / 8] |= (uint8_t) (1u << (at % 8));
	}
}

/* Take a batch's results, or say what is wrong with them. */
static void
collect(const gs_op *op, const slot *s, outcome *o)
{
	int			width = gs_type_width(gs_output_type(op));
	const gs_output *out = &s->out;

	if (out->n < 0 || out->n > s->room || out->present < 0 ||
		out->present > out->n)
		snprintf(o->problem, sizeof o->problem,
				 "%lld of %lld results in a room of %lld",
				 (long long) out->present, (long long) out->n,
				 (long long) s->room);
	else if (!is_filled(s->values + s->room * width, POISON, CANARY_SIZE))
		snprintf(o->problem, sizeof o->problem, "values beyond the room");
	else if (out->validity != NULL &&
			 !is_filled(s->bits + (s->room + 63) / 64 * 8, POISON, CANARY_SIZE))
		snprintf(o->problem, sizeof o->problem, "bits beyond the room");
	else if ((out->validity == NULL ? out->n :
			  count_bits(out->validity, 0, out->n)) != out->present)
		snprintf(o->problem, sizeof o->problem,
				 "%lld results have %lld values, another number of bits",
				 (long long) out->n, (long long) out->present);
	else
	{
		memcpy(o->values + o->present * width, out->values,
			   out->present * width);
		append_bits(o->bits, o->n, out->validity, out->n);
		o->n += out->n;
		o->present += out->present;
	}
}

static int64_t
piece(tester *t, const array_case *c, int64_t most, int64_t left)
{
	int64_t		n = most;

	if (c->cut > 0 && c->cut < most)
		n = c->cut;
	else if (c->cut == 0)
		n = GS_BATCH_ALIGN *
			(1 + random_below(&t->d, most / GS_BATCH_ALIGN));
	return n < left ? n : left;
}

static gs_status
feed(tester *t, const gs_engine *engine, gs_run *run, const array_case *c,
	 slot *s, int64_t at, int64_t n, int64_t *before, int64_t *mask_before)
{
	const gs_op *op = &c->op;

	memset(&s->in, 0, sizeof s->in);
	s->in.n = n;
	s->in.data = sub_span(&c->data, at, n, *before,
						  gs_type_width((gs_type) op->type));
	*before += s->in.data.present;
	if (gs_has_mask(op))
	{
		s->in.mask = sub_span(&c->mask, at, n, *mask_before, 1);
		*mask_before += s->in.mask.present;
	}
	if (op->cached)
	{
		move_span(&s->in.data, &c->data, &c->data_copy);
		if (gs_has_mask(op))
			move_span(&s->in.mask, &c->mask, &c->mask_copy);
	}
	memset(&s->out, 0, sizeof s->out);
	if (has_output(op))
	{
		s->room = n;
		memset(s->values, POISON,
			   n * gs_type_width(gs_output_type(op)) + CANARY_SIZE);
		memset(s->bits, POISON, (n + 63) / 64 * 8 + CANARY_SIZE);
		s->out.values = s->values;
		if (gs_gives_null(op, s->in.data.present < n) || one_in(&t->d, 4))
			s->out.validity = s->bits;
	}
	return engine->feed(run, &s->in, &s->out);
}

/* All batches of an array, as many under way as the engine likes. */
static gs_status
stream(tester *t, const gs_engine *engine, gs_run *run, const array_case *c,
	   outcome *o)
{
	slot		slots[MAX_DEPTH];
	int64_t		most;
	int			depth;
	int64_t		at = 0;
	int64_t		before = 0;
	int64_t		mask_before = 0;
	int64_t		feeds = 0;
	int64_t		waits = 0;
	gs_status	status = GS_OK;

	engine->shape(run, &most, &depth);
	if (depth > MAX_DEPTH)
		depth = MAX_DEPTH;
	for (int i = 0; i < depth && has_output(&c->op); i++)
	{
		int64_t		room = most < c->n ? most : c->n;

		slots[i].values = arena_take(&t->memory, room *
									 gs_type_width(gs_output_type(&c->op)) +
									 CANARY_SIZE);
		slots[i].bits = arena_take(&t->memory,
								   (room + 63) / 64 * 8 + CANARY_SIZE);
	}
	while (status == GS_OK && o->problem[0] == '\0' &&
		   (at < c->n || waits < feeds))
	{
		if (at < c->n && feeds - waits < depth)
		{
			int64_t		n = piece(t, c, most, c->n - at);

			status = feed(t, engine, run, c, &slots[feeds++ % depth], at, n,
						  &before, &mask_before);
			at += n;
		}
		else
		{
			slot	   *s = &slots[waits++ % depth];

			status = engine->wait(run);
			if (status == GS_OK && has_output(&c->op))
				collect(&c->op, s, o);
		}
	}
	return status;
}

/* A column of an order's results, behind which nothing may be written. */
static void *
take_column(tester *t, const gs_engine *engine, gs_run *run,
			const array_case *c, gs_column column, int64_t first, int64_t n,
			outcome *o)
{
	int			width = gs_type_width(gs_column_type(&c->op, column));
	uint8_t    *to = arena_take(&t->memory, n * width + CANARY_SIZE);
	int64_t		part = n / 3;

	memset(to, POISON, n * width + CANARY_SIZE);
	o->status = engine->fetch(run, column, first, part, to);
	if (o->status == GS_OK)
		o->status = engine->fetch(run, column, first + part, n - part,
								 to + part * width);
	if (!is_filled(to + n * width, POISON, CANARY_SIZE))
		snprintf(o->problem, sizeof o->problem, "results beyond the room");
	return to;
}

static void
fetch_results(tester *t, const gs_engine *engine, gs_run *run,
			 const array_case *c, outcome *o)
{
	int64_t		n = o->result.results;
	int64_t		first = 0;

	if (n < 0 || n > c->n)
	{
		snprintf(o->problem, sizeof o->problem, "%lld results", (long long) n);
		return;
	}
	if (c->op.kind == GS_SELECT && n > 0)
	{
		first = (int64_t) (c->part % (uint64_t) n);
		n = n - first < 5 ? n - first : 5;
	}
	o->n = o->present = n;
	o->values = take_column(t, engine, run, c, GS_COLUMN_VALUES, first, n, o);
	if (c->op.kind == GS_DISTINCT && o->status == GS_OK)
		o->taken_counts = take_column(t, engine, run, c, GS_COLUMN_COUNTS, 0, n,
									  o);
}

static outcome
execute(tester *t, const gs_engine *engine, const array_case *c,
		int64_t *counts)
{
	outcome		o;
	gs_run	   *run;

	memset(&o, 0, sizeof o);
	if (has_output(&c->op))
	{
		o.values = arena_take(&t->memory,
							  c->n * gs_type_width(gs_output_type(&c->op)));
		o.bits = arena_take(&t->memory, (c->n + 7) / 8);
		memset(o.bits, 0, (c->n + 7) / 8);
	}
	o.result.counts = counts;
	memset(counts, POISON, sizeof(int64_t) * (c->op.buckets + 3));
	o.status = engine->begin(&c->op, c->n, NULL, &run);
	if (o.status == GS_OK)
		o.status = stream(t, engine, run, c, &o);
	if (o.status == GS_OK && o.problem[0] == '\0')
		o.status = engine->finish(run, &o.result);
	if (o.status == GS_OK && o.problem[0] == '\0' &&
		gs_is_order((gs_kind) c->op.kind))
		fetch_results(t, engine, run, c, &o);
	if (run != NULL)
	{
		const gs_error *error = engine->error(run);

		o.position = error->position;
		if (o.status != GS_OK && o.status != GS_BIGINT_RANGE &&
			o.status != GS_FLOAT_OVERFLOW)
			snprintf(o.problem, sizeof o.problem, "%.180s", error->message);
		engine->end(run);
	}
	return o;
}

/* ----------
 * Comparison: a difference is described in `text`
 * ----------
 */

static bool
same_acc(gs_acc a, gs_acc b)
{
	gs_acc_propagate(&a);
	gs_acc_propagate(&b);
	return a.seen == b.seen && memcmp(a.limb, b.limb, sizeof a.limb) == 0;
}

static bool
same_acc2(gs_acc2 a, gs_acc2 b)
{
	gs_acc2_propagate(&a);
	gs_acc2_propagate(&b);
	return a.seen == b.seen && memcmp(a.limb, b.limb, sizeof a.limb) == 0;
}

static void
describe_sums(const gs_result *got, const gs_result *wanted, char *text,
			  size_t size)
{
	gs_acc		a = got->sum;
	gs_acc		b = wanted->sum;
	int			i = 0;

	gs_acc_propagate(&a);
	gs_acc_propagate(&b);
	while (i < GS_ACC_LIMBS - 1 && a.limb[i] == b.limb[i])
		i++;
	snprintf(text, size, "sum: seen %x, not %x; limb %d %llx, not %llx",
			 a.seen, b.seen, i, (unsigned long long) a.limb[i],
			 (unsigned long long) b.limb[i]);
}

/* Which NaN a product is does not show once it is rounded. */
static bool
same_product(gs_product a, gs_product b)
{
	return ((a.hi != a.hi && b.hi != b.hi) ||
			gs_double_bits(a.hi) == gs_double_bits(b.hi)) &&
		gs_double_bits(a.lo) == gs_double_bits(b.lo) &&
		a.exponent == b.exponent && a.starts == b.starts;
}

/* What GS_STATS has besides moments. */
static bool
same_extremes(const gs_op *op, const gs_result *got, const gs_result *wanted,
			  char *text, size_t size)
{
	int			width = gs_type_width((gs_type) op->type);

	for (int i = 0; i < GS_SPECIALS; i++)
	{
		if (got->special[i] != wanted->special[i])
		{
			snprintf(text, size, "special %d %lld times, not %lld", i,
					 (long long) got->special[i],
					 (long long) wanted->special[i]);
			return false;
		}
	}
	snprintf(text, size, "from %llx to %llx, not from %llx to %llx",
			 (unsigned long long) got->value.i8,
			 (unsigned long long) got->greatest.i8,
			 (unsigned long long) wanted->value.i8,
			 (unsigned long long) wanted->greatest.i8);
	return got->present == 0 ||
		(memcmp(&got->value, &wanted->value, width) == 0 &&
		 memcmp(&got->greatest, &wanted->greatest, width) == 0);
}

static bool
same_reduction(const gs_op *op, const gs_result *got, const gs_result *wanted,
			   char *text, size_t size)
{
	bool		is_float = op->type >= GS_FLOAT4;
	bool		same;

	switch (op->kind)
	{
		case GS_STATS:
			if (!same_extremes(op, got, wanted, text, size))
				return false;
			/* and the moments */
			__attribute__((fallthrough));
		case GS_MOMENTS:
			same = is_float ? same_acc2(got->squares, wanted->squares) :
				memcmp(got->isquares, wanted->isquares,
					   sizeof got->isquares) == 0;
			if (!same)
			{
				snprintf(text, size, "squares");
				return false;
			}
			/* and the sum */
			__attribute__((fallthrough));
		case GS_SUM:
			same = is_float ? same_acc(got->sum, wanted->sum) :
				memcmp(got->isum, wanted->isum, sizeof got->isum) == 0;
			describe_sums(got, wanted, text, size);
			return same;
		case GS_ARGMIN:
		case GS_ARGMAX:
			snprintf(text, size, "position %lld, not %lld",
					 (long long) got->position, (long long) wanted->position);
			return got->position == wanted->position;
		case GS_PRODUCT:
			snprintf(text, size, "product %a %a 2^%lld, not %a %a 2^%lld",
					 got->product.hi, got->product.lo,
					 (long long) got->product.exponent, wanted->product.hi,
					 wanted->product.lo, (long long) wanted->product.exponent);
			return same_product(got->product, wanted->product);
		default:
			snprintf(text, size, "value %llx, not %llx",
					 (unsigned long long) got->value.i8,
					 (unsigned long long) wanted->value.i8);
			return got->present == 0 ||
				memcmp(&got->value, &wanted->value, op->type == GS_BOOL ? 2 :
					   gs_type_width((gs_type) op->type)) == 0;
	}
}

static bool
same_output(const gs_op *op, const outcome *got, const outcome *wanted,
			char *text, size_t size)
{
	int			width = gs_type_width(gs_output_type(op));

	if (got->n != wanted->n || got->present != wanted->present)
	{
		snprintf(text, size, "%lld of %lld results, not %lld of %lld",
				 (long long) got->present, (long long) got->n,
				 (long long) wanted->present, (long long) wanted->n);
		return false;
	}
	for (int64_t i = 0; i < (got->n + 7) / 8; i++)
	{
		if (got->bits[i] != wanted->bits[i])
		{
			snprintf(text, size, "bits %02x, not %02x, from result %lld on",
					 got->bits[i], wanted->bits[i], (long long) i * 8 + 1);
			return false;
		}
	}
	if (memcmp(got->values, wanted->values, got->present * width) == 0)
		return true;
	for (int64_t i = 0; i < got->present; i++)
	{
		uint64_t	a = 0;
		uint64_t	b = 0;

		memcpy(&a, got->values + i * width, width);
		memcpy(&b, wanted->values + i * width, width);
		if (a != b)
		{
			snprintf(text, size, "value %lld: %llx (%g), not %llx (%g)",
					 (long long) i + 1, (unsigned long long) a,
					 gs_bits_double(a), (unsigned long long) b,
					 gs_bits_double(b));
			break;
		}
	}
	return false;
}

static bool
same_order(const gs_op *op, const outcome *got, const outcome *wanted,
		   char *text, size_t size)
{
	int			width = gs_type_width(gs_column_type(op, GS_COLUMN_VALUES));

	if (got->result.results != wanted->result.results)
	{
		snprintf(text, size, "%lld results, not %lld",
				 (long long) got->result.results,
				 (long long) wanted->result.results);
		return false;
	}
	for (int64_t i = 0; i < got->n; i++)
	{
		uint64_t	a = 0;
		uint64_t	b = 0;

		memcpy(&a, got->values + i * width, width);
		memcpy(&b, wanted->values + i * width, width);
		if (a == b && (op->kind != GS_DISTINCT ||
					   got->taken_counts[i] == wanted->taken_counts[i]))
			continue;
		snprintf(text, size, "result %lld of %lld: %llx, not %llx%s",
				 (long long) i + 1, (long long) got->n, (unsigned long long) a,
				 (unsigned long long) b, a == b ? "; its count" : "");
		return false;
	}
	snprintf(text, size, "mode %llx, not %llx",
			 (unsigned long long) got->result.value.i8,
			 (unsigned long long) wanted->result.value.i8);
	return op->kind != GS_DISTINCT || got->n == 0 ||
		memcmp(&got->result.value, &wanted->result.value, width) == 0;
}

static bool
same_counts(const gs_op *op, const int64_t *got, const int64_t *wanted,
			char *text, size_t size)
{
	for (int32_t i = 0; i < op->buckets + 3; i++)
	{
		if (got[i] != wanted[i])
		{
			snprintf(text, size, "count %d: %lld, not %lld", i,
					 (long long) got[i], (long long) wanted[i]);
			return false;
		}
	}
	return true;
}

static bool
same(const gs_op *op, const outcome *got, const outcome *wanted, char *text,
	 size_t size)
{
	text[0] = '\0';
	if (got->problem[0] != '\0' || got->status != wanted->status ||
		got->position != wanted->position)
	{
		snprintf(text, size, "status %d at %lld, not %d at %lld: %.150s",
				 got->status, (long long) got->position, wanted->status,
				 (long long) wanted->position, got->problem);
		return false;
	}
	if (got->status != GS_OK)
		return true;
	if (got->result.n != wanted->result.n ||
		got->result.present != wanted->result.present)
	{
		snprintf(text, size, "%lld elements, %lld not NULL",
				 (long long) got->result.n, (long long) got->result.present);
		return false;
	}
	if (has_output(op))
		return same_output(op, got, wanted, text, size);
	if (gs_is_order((gs_kind) op->kind))
		return same_order(op, got, wanted, text, size);
	if (gs_is_histogram((gs_kind) op->kind))
		return same_counts(op, got->result.counts, wanted->result.counts,
						   text, size);
	return same_reduction(op, &got->result, &wanted->result, text, size);
}

/* ----------
 * Cases
 * ----------
 */

static void
describe(const array_case *c, char *text, size_t size)
{
	const gs_op *op = &c->op;
	int			used;

	used = snprintf(text, size, "%s of %s, n=%lld, %s, %s, cut %lld",
					gs_operation_of(c->op.kind)->name, type_names[op->type],
					(long long) c->n, data_names[c->values],
					null_names[c->nulls], (long long) c->cut);
	if (gs_is_scan((gs_kind) op->kind))
		snprintf(text + used, size - used, "%s%s chunk=%lld",
				 op->exclusive ? ", exclusive" : "",
				 op->segmented ? ", heads" : "", (long long) op->segment_length);
	else if (gs_is_histogram((gs_kind) op->kind))
		snprintf(text + used, size - used,
				 ", %d buckets from %g to %g, formula %d", op->buckets,
				 op->low, op->high, op->formula);
	else if (gs_is_order((gs_kind) op->kind))
		snprintf(text + used, size - used, "%s",
				 op->descending ? ", descending" : "");
	else if (op->kind == GS_FILTER)
		snprintf(text + used, size - used, ", compare %d %g %lld (%d)",
				 op->compare, op->bound, (long long) op->ibound,
				 op->integer_bound);
}

/* Count, and show, what has come of a case. */
static void
judge(const array_case *c, const outcome *got, const outcome *wanted)
{
	char		difference[300];
	char		what[300];
	bool		good = same(&c->op, got, wanted, difference,
							sizeof difference);
	bool		too_little = memory_limit > 0 && got->status == GS_NO_MEMORY;

	pthread_mutex_lock(&lock);
	if (too_little)
		refused++;
	else if (good)
		passed[c->op.kind]++;
	else
	{
		failed[c->op.kind]++;
		if (shown++ < FAILURES_SHOWN)
		{
			describe(c, what, sizeof what);
			printf("FAILED: %s%s\n        %s\n", what,
				   c->op.cached ? ", cached" : "", difference);
		}
	}
	pthread_mutex_unlock(&lock);
	if (got->status == GS_DEVICE_LOST)
	{
		printf("the device is lost: %s\n", got->problem);
		exit(1);
	}
}

static size_t
values_room(const gs_span *span, int width)
{
	return (span->present * width + 16 + GS_CACHE_ALIGN - 1) /
		GS_CACHE_ALIGN * GS_CACHE_ALIGN;
}

/* Copy a span of n elements into the engine's memory. */
static gs_status
keep(const gs_span *span, int64_t n, int width, gs_span *copy)
{
	size_t		room = values_room(span, width);
	char	   *memory = gs_engine_cuda.reserve(room + (n + 7) / 8 + 16);
	gs_status	status;

	*copy = *span;
	copy->values = memory;
	if (memory == NULL)
		return GS_NO_MEMORY;
	status = gs_engine_cuda.put(memory, span->values, span->present * width);
	if (span->validity == NULL || status != GS_OK)
		return status;
	copy->validity = (const uint8_t *) memory + room;
	return gs_engine_cuda.put(memory + room, span->validity, (n + 7) / 8);
}

static void
let_go(const gs_span *span, int64_t n, int width, const gs_span *copy)
{
	if (copy->values != NULL)
		gs_engine_cuda.release((void *) copy->values,
							   values_room(span, width) + (n + 7) / 8 + 16);
}

/* The same case, from copies in the engine's memory. */
static void
compare_resident(tester *t, const array_case *c, const outcome *wanted)
{
	array_case	copy = *c;
	int			width = gs_type_width((gs_type) c->op.type);
	bool		has_mask = gs_has_mask(&c->op);
	outcome		got;

	memset(&got, 0, sizeof got);
	copy.op.cached = 1;
	if (!has_output(&c->op))
		copy.cut = -1;
	got.status = keep(&c->data, c->n, width, &copy.data_copy);
	if (has_mask && got.status == GS_OK)
		got.status = keep(&c->mask, c->n, 1, &copy.mask_copy);
	if (got.status == GS_OK)
		got = execute(t, &gs_engine_cuda, &copy, t->counts[1]);
	judge(&copy, &got, wanted);
	let_go(&c->data, c->n, width, &copy.data_copy);
	if (has_mask)
		let_go(&c->mask, c->n, 1, &copy.mask_copy);
}

static void
compare(tester *t, const array_case *c)
{
	outcome		wanted = execute(t, &gs_engine_cpu, c, t->counts[0]);
	size_t		used = t->memory.used;
	outcome		got = execute(t, &gs_engine_cuda, c, t->counts[1]);

	judge(c, &got, &wanted);
	t->memory.used = used;
	if (c->n > 0)
		compare_resident(t, c, &wanted);
}

/* One of the array's own values, or something near it. */
static double
some_value(tester *t, const array_case *c)
{
	int64_t		i;

	if (c->data.present == 0 || one_in(&t->d, 4))
		return (double) random_below(&t->d, 2000) / 10 - 100;
	i = random_below(&t->d, c->data.present);
	switch (c->op.type)
	{
		case GS_FLOAT8:
			return ((const double *) c->data.values)[i];
		case GS_FLOAT4:
			return ((const float *) c->data.values)[i];
		case GS_INT8:
			return (double) ((const int64_t *) c->data.values)[i];
		case GS_INT4:
			return ((const int32_t *) c->data.values)[i];
		default:
			return ((const int16_t *) c->data.values)[i];
	}
}

static void
choose_scan(tester *t, array_case *c)
{
	static const int64_t densities[] = {0, 1, 2, 10, 300, 5000};

	c->op.exclusive = one_in(&t->d, 2);
	switch (random_below(&t->d, 3))
	{
		case 0:
			c->op.segmented = true;
			c->mask = random_flags(&t->d, &t->memory, c->n,
								   densities[random_below(&t->d, 6)],
								   one_in(&t->d, 2) ? NULLS_NONE :
								   (null_pattern)
								   random_below(&t->d, NULL_PATTERNS));
			break;
		case 1:
			c->op.segment_length = one_in(&t->d, 10) ? INT64_MAX - 5 :
				1 + random_below(&t->d, one_in(&t->d, 2) ? 40 :
								 2 * c->n + 1);
			break;
		default:
			break;
	}
}

static int
ascending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

static void
choose_histogram(tester *t, array_case *c)
{
	static const int32_t sizes[] = {
		1, 2, 3, 10, 100, 256, 1000, 1021, 4096, 20000, 65536
	};
	gs_op	   *op = &c->op;
	int32_t		n = sizes[random_below(&t->d, small ? 8 : 11)];

	op->buckets = n;
	if (op->kind == GS_HISTOGRAM_WIDTH)
	{
		op->formula = 1 + (int32_t) random_below(&t->d, 2);
		op->low = some_value(t, c);
		op->high = some_value(t, c);
		if (one_in(&t->d, 20))
		{
			op->low = -1.7e308;
			op->high = 1.7e308;
		}
		if (!gs_is_finite(op->low) || !gs_is_finite(op->high) ||
			op->low == op->high)
		{
			op->low = 0;
			op->high = 1;
		}
		return;
	}
	op->edges = t->edges;
	for (int32_t i = 0; i <= n; i++)
	{
		t->edges[i] = some_value(t, c);
		if (t->edges[i] != t->edges[i])
			t->edges[i] = 0;
	}
	qsort(t->edges, n + 1, sizeof(double), ascending);
	/* strictly: equal ones go */
	op->buckets = 0;
	for (int32_t i = 1; i <= n; i++)
	{
		if (t->edges[i] > t->edges[op->buckets])
			t->edges[++op->buckets] = t->edges[i];
	}
	if (op->buckets == 0)
	{
		t->edges[0] = -1;
		t->edges[1] = 1;
		op->buckets = 1;
	}
}

static void
choose_filter(tester *t, array_case *c)
{
	gs_op	   *op = &c->op;

	op->compare = 1 + (int32_t) random_below(&t->d, 6);
	op->integer_bound = one_in(&t->d, 2);
	op->bound = some_value(t, c);
	if (one_in(&t->d, 10))
		op->bound = one_in(&t->d, 2) ? (double) NAN : HUGE_VAL;
	if (op->integer_bound)
	{
		op->ibound = fabs(op->bound) < 9e18 ? (int64_t) op->bound : INT64_MAX;
		if (one_in(&t->d, 10))
			op->ibound = INT64_MIN;
		op->bound = 0;
	}
}

/* A random case of a kind, a type and a size. */
static void
try_one(tester *t, int kind, gs_type type, int64_t n, int64_t cut)
{
	static const int64_t densities[] = {0, 1, 2, 10, 300};
	array_case	c;

	t->memory.used = 0;
	memset(&c, 0, sizeof c);
	c.op.kind = kind;
	c.op.type = type;
	c.n = n;
	c.cut = cut;
	c.values = t->levels ? DATA_LEVELS :
		(data_kind) random_below(&t->d, DATA_KINDS);
	c.nulls = t->levels || one_in(&t->d, 3) ? NULLS_NONE :
		(null_pattern) random_below(&t->d, NULL_PATTERNS);
	c.data = random_span(&t->d, &t->memory, type, n, c.values, c.nulls);
	if (gs_is_scan((gs_kind) c.op.kind))
		choose_scan(t, &c);
	else if (gs_is_histogram((gs_kind) c.op.kind))
		choose_histogram(t, &c);
	else if (gs_is_order((gs_kind) c.op.kind))
	{
		c.op.descending = c.op.kind != GS_DISTINCT && one_in(&t->d, 3);
		c.part = random_bits(&t->d);
	}
	else if (c.op.kind == GS_FILTER)
		choose_filter(t, &c);
	else if (c.op.kind == GS_COMPACT)
		c.mask = random_flags(&t->d, &t->memory, n,
							  densities[random_below(&t->d, 5)],
							  one_in(&t->d, 2) ? NULLS_NONE : (null_pattern)
							  random_below(&t->d, NULL_PATTERNS));
	compare(t, &c);
}

static bool
is_allowed(int kind, int type)
{
	static const double edges[] = {0, 1};
	gs_op		op;

	memset(&op, 0, sizeof op);
	op.kind = kind;
	op.type = type;
	op.buckets = 1;
	op.high = 1;
	op.formula = GS_BUCKET_PRODUCT_FIRST;
	op.edges = edges;
	op.compare = GS_LT;
	return (only == NULL || strcmp(only, gs_family_name(gs_family_of(kind))) == 0) &&
		gs_op_check(&op) == GS_OK;
}

static void
try_sizes(tester *t, const int64_t *sizes, int count, int64_t cut, int times_)
{
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
		{
			for (int i = 0; i < count * times_ && is_allowed(kind, type); i++)
				try_one(t, kind, (gs_type) type, sizes[i % count], cut);
		}
	}
}

static const int64_t sizes_few[] = {
	0, 1, 31, 33, 1000, 1023, 1025, 4097, 9000
};

static const int64_t sizes_many[] = {
	0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511,
	512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 4095, 4096, 4097,
	8191, 8192, 8193, 16383, 16385, 32767, 32768, 32769, 65535, 65537, 100000
};

static const int64_t sizes_cut[] = {
	1025, 2048, 3073, 5000, 10239, 10240, 10241, 50000, 70000
};

/* Batches are 2^19 to 2^22 elements, by the width. */
static const int64_t sizes_large[] = {
	(1 << 18) - 1, (1 << 19) - 1, 1 << 19, (1 << 19) + 1, (1 << 20) + 1,
	3 * (1 << 19) + 77, (1 << 21) - 1, (1 << 22) + 1025
};

#define COUNT(a) ((int) (sizeof(a) / sizeof *(a)))

/*
 * Scans where a tile for each multiprocessor has the fewest warps (scan.cu), or
 * as many as it can have (kernels/tuning.h), or just not.
 */
static void
try_scan_limits(tester *t)
{
	static const int warps[] = {4, 15, 19, 31};
	int64_t		sizes[3 * COUNT(warps)];
	int			device;
	int			multiprocessors;

	if (cudaGetDevice(&device) != cudaSuccess ||
		cudaDeviceGetAttribute(&multiprocessors,
							   cudaDevAttrMultiProcessorCount,
							   device) != cudaSuccess)
	{
		fprintf(stderr, "the device does not tell\n");
		exit(2);
	}
	for (int i = 0; i < COUNT(sizes); i++)
		sizes[i] = (int64_t) multiprocessors * warps[i / 3] * 512 + i % 3 - 1;
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
			if (gs_is_scan((gs_kind) kind) &&
				is_allowed(kind, type))
				try_one(t, kind, (gs_type) type,
						sizes[random_below(&t->d, COUNT(sizes))], -1);
}

/* Running sums of floats where totals of warps and tiles lose bits. */
static void
try_levels(tester *t)
{
	t->levels = true;
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
		for (int i = 0; i < 60; i++)
		{
			gs_type		type = i % 2 == 0 ? GS_FLOAT4 : GS_FLOAT8;

			if (kind == GS_SCAN_SUM && is_allowed(kind, type))
				try_one(t, kind, type, 1 + random_below(&t->d, 300000),
						i % 3 == 0 ? 0 : -1);
		}
	t->levels = false;
}

static void
tester_init(tester *t, uint64_t number, size_t size, bool registered)
{
	t->levels = false;
	t->d.state = seed ^ number * UINT64_C(0x2545f4914f6cdd1d);
	t->memory.base = mmap(NULL, size, PROT_READ | PROT_WRITE,
						  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	t->memory.size = size;
	t->memory.registered = registered;
	t->counts[0] = malloc(sizeof(int64_t) * (MAX_BUCKETS + 3));
	t->counts[1] = malloc(sizeof(int64_t) * (MAX_BUCKETS + 3));
	t->edges = malloc(sizeof(double) * (MAX_BUCKETS + 1));
	if (t->memory.base == MAP_FAILED || t->counts[0] == NULL ||
		t->counts[1] == NULL || t->edges == NULL ||
		(registered && gs_cuda_register(t->memory.base, size) != GS_OK))
	{
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
}

static void
tester_end(tester *t)
{
	if (t->memory.registered)
		gs_cuda_unregister(t->memory.base);
	munmap(t->memory.base, t->memory.size);
	free(t->counts[0]);
	free(t->counts[1]);
	free(t->edges);
}

static void *
thread_main(void *number)
{
	tester		t;
	uint64_t	id = (uint64_t) (uintptr_t) number;

	tester_init(&t, id, (size_t) 512 << 20, id % 2 == 0);
	try_sizes(&t, sizes_many, COUNT(sizes_many), -1, 1);
	try_sizes(&t, sizes_cut, COUNT(sizes_cut), GS_BATCH_ALIGN, 1);
	try_sizes(&t, sizes_cut, COUNT(sizes_cut), 0, 2);
	try_sizes(&t, &sizes_large[id % COUNT(sizes_large)], 1,
			  id % 3 == 0 ? 0 : -1, 1);
	for (int i = 0; i < 3; i++)
		try_scan_limits(&t);
	try_levels(&t);
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS && id == 1; kind++)
	{
		int			type = GS_BOOL + (int) random_below(&t.d, GS_FLOAT8);

		while (!is_allowed(kind, type) && type > GS_BOOL)
			type--;
		if (is_allowed(kind, type))
			try_one(&t, kind, (gs_type) type, 10000000, -1);
	}
	tester_end(&t);
	return NULL;
}

static void
try_in_threads(void)
{
	pthread_t	thread[256];

	for (int i = 0; i < threads; i++)
	{
		if (pthread_create(&thread[i], NULL, thread_main,
						   (void *) (uintptr_t) (i + 1)) != 0)
		{
			fprintf(stderr, "could not start a thread\n");
			exit(2);
		}
	}
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

static void
try_small(void)
{
	tester		t;

	tester_init(&t, 0, (size_t) 16 << 20, true);
	try_sizes(&t, sizes_few, COUNT(sizes_few), -1, 1);
	try_sizes(&t, sizes_cut, COUNT(sizes_cut) - 2, GS_BATCH_ALIGN, 1);
	tester_end(&t);
}

/* ----------
 * Times
 * ----------
 */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static int
by_size(const void *a, const void *b)
{
	return ascending(a, b);
}

/* The median of some executions, in ms. */
static double
time_one(tester *t, array_case *c, int repeats)
{
	double		ms[101];
	size_t		used = t->memory.used;

	for (int i = 0; i < repeats + 2; i++)
	{
		double		start = now();
		outcome		o = execute(t, &gs_engine_cuda, c, t->counts[0]);

		if (i >= 2)
			ms[i - 2] = now() - start;
		if (o.status != GS_OK)
			printf("status %d: %s\n", o.status, o.problem);
		t->memory.used = used;
	}
	qsort(ms, repeats, sizeof(double), by_size);
	return ms[repeats / 2];
}

static void
tell_times(void)
{
	static const int64_t sizes[] = {1000, 100000, 20000000};
	tester		t;

	tester_init(&t, 0, (size_t) 1 << 30, true);
	printf("# median ms of warm calls of float8, by elements (with the check's"
		   " own copies)\n#");
	for (int i = 0; i < 3; i++)
		printf(" %lld", (long long) sizes[i]);
	printf("\n");
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		gs_type		type = is_allowed(kind, GS_FLOAT8) ? GS_FLOAT8 : GS_INT8;

		if (!is_allowed(kind, type))
			continue;
		printf("# %-20s", gs_operation_of(kind)->name);
		for (int i = 0; i < 3; i++)
		{
			array_case	c;

			memset(&c, 0, sizeof c);
			t.memory.used = 0;
					c.op.kind = kind;
			c.op.type = type;
			c.n = sizes[i];
			c.cut = -1;
			c.data = random_span(&t.d, &t.memory, type, c.n, DATA_NORMAL,
								 NULLS_NONE);
			c.mask = random_flags(&t.d, &t.memory, c.n, 2, NULLS_NONE);
			c.op.buckets = 256;
			c.op.low = -3;
			c.op.high = 3;
			c.op.formula = GS_BUCKET_QUOTIENT_FIRST;
			for (int b = 0; b <= 256; b++)
				t.edges[b] = -3 + b * 6.0 / 256;
			c.op.edges = t.edges;
			c.op.compare = GS_LT;
			printf(" %10.4f", time_one(&t, &c, sizes[i] > 1000000 ? 5 : 101));
		}
		printf("\n");
	}
	tester_end(&t);
}

static void
read_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
	{
		const char *value = strchr(argv[i], '=');

		value = value == NULL ? "" : value + 1;
		if (strcmp(argv[i], "--small") == 0)
			small = true;
		else if (strcmp(argv[i], "--times") == 0)
			times = true;
		else if (strncmp(argv[i], "--seed=", 7) == 0)
			seed = strtoull(value, NULL, 0);
		else if (strncmp(argv[i], "--only=", 7) == 0)
			only = value;
		else if (strncmp(argv[i], "--threads=", 10) == 0)
			threads = atoi(value) > 256 ? 256 : atoi(value);
		else if (strncmp(argv[i], "--memory-limit=", 15) == 0)
			memory_limit = strtoull(value, NULL, 0);
		else if (strncmp(argv[i], "--device=", 9) == 0)
			device = atoi(value);
		else
		{
			fprintf(stderr, "unknown option \"%s\"\n", argv[i]);
			exit(2);
		}
	}
}

int
main(int argc, char **argv)
{
	gs_cuda_info info;
	char		message[200];
	int64_t		good = 0;
	int64_t		bad = 0;
	double		start = now();

	read_options(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (gs_cuda_open(device, memory_limit, &info, message,
					 sizeof message) != GS_OK)
	{
		printf("%s\n", message);
		return 2;
	}
	printf("# %s, driver %s, CUDA %s, %.1f of %.1f GB in use; opened in %.0f ms;"
		   " seed %llu\n", info.name, info.driver, info.runtime,
		   info.memory_used / 1e9, info.memory_total / 1e9, now() - start,
		   (unsigned long long) seed);
	if (small)
		try_small();
	else
		try_in_threads();
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		if (passed[kind] + failed[kind] > 0)
			printf("# %-12s %-20s %7lld passed %7lld failed\n",
				   gs_family_name(gs_family_of(kind)), gs_operation_of(kind)->name,
				   (long long) passed[kind], (long long) failed[kind]);
		good += passed[kind];
		bad += failed[kind];
	}
	if (memory_limit > 0)
	{
		uint64_t	held = gs_cuda_memory_used();

		printf("# %lld found too little memory; %llu bytes are held of %llu\n",
			   (long long) refused, (unsigned long long) held,
			   (unsigned long long) memory_limit);
		if (held > memory_limit)
			bad++;
		else
			good++;
	}
	printf("# %.1f s\n", (now() - start) / 1000);
	if (times)
		tell_times();
	printf("%lld passed, %lld failed\n", (long long) good, (long long) bad);
	return bad > 0;
}
