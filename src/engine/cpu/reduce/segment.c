/*-------------------------------------------------------------------------
 *
 * segment.c
 *	  Segments on the CPU: each is reduced to one result.
 *
 * Values are packed, so those of a segment are adjacent.  The open segment
 * takes them a part at a time, up to the next head or the end of a block; its
 * result is appended when the next one starts, or at the end of the array.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>

#include "exact/mean.h"

/* Parts of floats from this size on are summed in lanes (sum.c). */
#define LONG_PART		256

/* Segments that there is room for at first, where their number is unknown. */
#define FEW_SEGMENTS	1024

typedef struct segments
{
	gs_type		type;
	int			width;			/* of an element */
	void		(*add) (struct segments *s, const void *values, int64_t n);

	/* the open segment */
	bool		open;
	int64_t		present;
	int64_t		key;			/* the extreme: of floats, gs_cpu_key() */
	__int128	isum;
	bool		wide;			/* the sum of floats is in acc */
	double		hi;				/* else it is hi - lo */
	double		lo;
	gs_acc		acc;

	int64_t		left;			/* of a segment of known length */

	/* the results */
	int64_t		n;
	int64_t		capacity;
	bool		short_sums;		/* sums of 128 bits are kept in 64 */
	int			result_width;	/* as kept; 0: counts only */
	uint8_t    *results;
	bool		counted;		/* there are counts, else validity */
	uint32_t   *counts;
	uint64_t   *validity;
	int64_t		position;
} segments;

/*
 * Elements
 */

#define INTEGERS(suffix, type, sum_type) \
static void \
sum_##suffix(segments *s, const void *values, int64_t n) \
{ \
	const type *v = values; \
	sum_type	sum = 0; \
\
	for (int64_t i = 0; i < n; i++) \
		sum += v[i]; \
	s->isum += sum; \
}

INTEGERS(int2, int16_t, int64_t)
INTEGERS(int4, int32_t, int64_t)
INTEGERS(int8, int64_t, __int128)

/* The sum moves to the accumulator. */
static void
widen(segments *s)
{
	if (s->wide)
		return;
	gs_acc_init(&s->acc);
	if (s->present > 0)
		gs_acc_add(&s->acc, s->hi);
	if (s->lo != 0)
		gs_acc_add(&s->acc, -s->lo);
	s->wide = true;
}

#define EACH	"engine/cpu/reduce/segment_type.h"
#include "engine/cpu/each_float.h"
#undef EACH

/* Floats are compared by their keys.  Nothing is worse than `worst`. */
#define PLAIN(x)	(x)
#define EXTREME(name, type, keytype, key_of, better, worst) \
static void \
name(segments *s, const void *values, int64_t n) \
{ \
	const type *v = values; \
	keytype		best = s->present == 0 ? worst : (keytype) s->key; \
\
	for (int64_t i = 0; i < n; i++) \
	{ \
		keytype		k = key_of(v[i]); \
\
		best = k better best ? k : best; \
	} \
	s->key = best; \
}

EXTREME(min_int2, int16_t, int16_t, PLAIN, <, INT16_MAX)
EXTREME(min_int4, int32_t, int32_t, PLAIN, <, INT32_MAX)
EXTREME(min_int8, int64_t, int64_t, PLAIN, <, INT64_MAX)
EXTREME(min_float4, float, int64_t, gs_cpu_key, <, INT64_MAX)
EXTREME(min_float8, double, int64_t, gs_cpu_key, <, INT64_MAX)
EXTREME(max_int2, int16_t, int16_t, PLAIN, >, INT16_MIN)
EXTREME(max_int4, int32_t, int32_t, PLAIN, >, INT32_MIN)
EXTREME(max_int8, int64_t, int64_t, PLAIN, >, INT64_MIN)
EXTREME(max_float4, float, int64_t, gs_cpu_key, >, INT64_MIN)
EXTREME(max_float8, double, int64_t, gs_cpu_key, >, INT64_MIN)

static void
count_only(segments *s, const void *values, int64_t n)
{
	(void) s;
	(void) values;
	(void) n;
}

/*
 * Results
 */

static void
put_integer(gs_type type, int64_t x, void *to)
{
	const gs_value value = {.i8 = x};
	const int16_t i2 = (int16_t) x;
	const int32_t i4 = (int32_t) x;

	if (type == GS_INT2)
		memcpy(to, &i2, sizeof i2);
	else if (type == GS_INT4)
		memcpy(to, &i4, sizeof i4);
	else
		memcpy(to, &value, sizeof value);
}

static void
put_extreme(const segments *s, void *to)
{
	double		x;
	float		narrow;

	if (s->type != GS_FLOAT4 && s->type != GS_FLOAT8)
	{
		put_integer(s->type, s->key, to);
		return;
	}
	x = gs_cpu_unkey(s->key);
	narrow = (float) x;
	if (s->type == GS_FLOAT4)
		memcpy(to, &narrow, sizeof narrow);
	else
		memcpy(to, &x, sizeof x);
}

/* A sum out of range is 0, and its position is kept. */
static void
note_overflow(segments *s)
{
	if (s->position == 0)
		s->position = s->n + 1;
}

static void
put_real(segments *s, void *to)
{
	float		sum;
	gs_rounding rounding = GS_ROUNDED;

	if (s->wide)
		rounding = gs_acc_round_float(&s->acc, &sum);
	else
	{
		sum = (float) gs_round_to_odd((gs_pair) {s->hi, -s->lo});
		if (!gs_is_finite(sum))
			rounding = GS_OVERFLOW;
	}
	if (rounding == GS_OVERFLOW)
		note_overflow(s);
	else
		memcpy(to, &sum, sizeof sum);
}

static void
put_double(segments *s, void *to)
{
	double		sum;
	gs_rounding rounding = GS_ROUNDED;

	if (s->wide)
		rounding = gs_acc_round(&s->acc, &sum);
	else
	{
		sum = s->hi - s->lo;
		if (!gs_is_finite(sum))
			rounding = GS_OVERFLOW;
	}
	if (rounding == GS_OVERFLOW)
		note_overflow(s);
	else
		memcpy(to, &sum, sizeof sum);
}

static void
put_mean(segments *s, void *to)
{
	double		mean = 0;

	if (s->wide || !gs_mean_of_three(s->hi, -s->lo, 0, (double) s->present,
									 &mean))
	{
		widen(s);
		(void) gs_acc_mean(&s->acc, s->present, &mean);
	}
	memcpy(to, &mean, sizeof mean);
}

/* The result of the open segment, of which not all is NULL. */
static void
put_result(segments *s, const gs_op *op, uint8_t *to)
{
	bool		is_float = s->type == GS_FLOAT4 || s->type == GS_FLOAT8;

	switch (op->kind)
	{
		case GS_SEGMENT_SUM:
			if (s->type == GS_FLOAT4)
				put_real(s, to);
			else if (is_float)
				put_double(s, to);
			else if (s->isum != (int64_t) s->isum)
				note_overflow(s);
			else
				put_integer(GS_INT8, (int64_t) s->isum, to);
			break;
		case GS_SEGMENT_AVG:
			if (is_float)
				put_mean(s, to);
			else
			{
				const uint64_t words[2] = {(uint64_t) s->isum,
				(uint64_t) (s->isum >> 64)};

				memcpy(to, words, (size_t) s->result_width);
			}
			break;
		case GS_SEGMENT_MIN:
		case GS_SEGMENT_MAX:
			put_extreme(s, to);
			break;
	}
}

/* Bytes of so many counts, or of so much validity. */
static size_t
counts_size(const segments *s, int64_t n)
{
	return s->counted ? (size_t) n * sizeof(uint32_t) :
		(size_t) GS_VALIDITY_ROWS(n) * sizeof(uint64_t);
}

/* Make room for another result; false if there is no memory. */
static bool
make_room(gs_run *run, segments *s)
{
	size_t		width = (size_t) s->result_width;
	int64_t		capacity = s->capacity == 0 ? FEW_SEGMENTS : 2 * s->capacity;
	void	   *counts;
	void	   *results;

	if (s->n < s->capacity)
		return true;
	if (run->op->segment.length > 0)
		capacity = (run->n - 1) / run->op->segment.length + 1;
	if (capacity > run->n)
		capacity = run->n;
	if (gs_engine_reserve != NULL &&
		!gs_engine_reserve(gs_engine_owner,
						   (size_t) (capacity - s->capacity) * width +
						   counts_size(s, capacity) -
						   counts_size(s, s->capacity)))
		return false;
	counts = realloc(s->counted ? (void *) s->counts : s->validity,
					 counts_size(s, capacity));
	if (counts == NULL)
		return false;
	if (s->counted)
		s->counts = counts;
	else
		s->validity = counts;
	if (width > 0)
	{
		results = realloc(s->results, (size_t) capacity * width);
		if (results == NULL)
			return false;
		s->results = results;
	}
	s->capacity = capacity;
	return true;
}

static void
end_segment(segments *s, const gs_op *op)
{
	uint8_t    *to = s->results + s->n * s->result_width;

	if (s->result_width > 0)
	{
		memset(to, 0, (size_t) s->result_width);
		if (s->present > 0)
			put_result(s, op, to);
	}
	if (s->counted)
		s->counts[s->n] = (uint32_t) s->present;
	else
		gs_cpu_put_valid(s->validity, s->n, s->present > 0);
	s->n++;
	s->open = false;
}

static void
start_segment(segments *s)
{
	s->open = true;
	s->present = 0;
	s->isum = 0;
	s->wide = false;
	s->hi = -0.0;
	s->lo = 0;
}

/*
 * Executions
 */

typedef void (*add_function) (segments *s, const void *values, int64_t n);

static const add_function functions[GS_KINDS][GS_TYPES] = {
	[GS_SEGMENT_SUM] = {BY_NUMBER(sum)},
	[GS_SEGMENT_AVG] = {BY_NUMBER(sum)},
	[GS_SEGMENT_MIN] = {BY_NUMBER(min)},
	[GS_SEGMENT_MAX] = {BY_NUMBER(max)}
};

static gs_status
segment_begin(gs_run *run)
{
	const gs_op *op = run->op;
	segments   *s = calloc(1, sizeof *s);

	if (s == NULL)
		return GS_NO_MEMORY;
	s->type = (gs_type) op->type;
	s->width = gs_type_width(s->type);
	s->add = functions[op->kind][op->type];
	if (s->add == NULL)
		s->add = count_only;
	s->counted = gs_has_column(op, GS_COLUMN_COUNTS);
	s->short_sums = gs_has_column(op, GS_COLUMN_SUMS) && s->type != GS_INT8;
	if (s->short_sums)
		s->result_width = sizeof(int64_t);
	else if (gs_has_column(op, GS_COLUMN_SUMS))
		s->result_width = (int) gs_column_width(op, GS_COLUMN_SUMS);
	else if (gs_has_column(op, GS_COLUMN_VALUES))
		s->result_width = (int) gs_column_width(op, GS_COLUMN_VALUES);
	run->state = s;
	return GS_OK;
}

/* The next n elements' heads. */
static void
read_heads(segments *s, const gs_op *op, cpu_reader *reader, int n,
		   uint8_t *heads)
{
	if (op->segment.marked)
	{
		gs_cpu_read_mask(reader, n, heads);
		return;
	}
	memset(heads, 0, (size_t) n);
	for (int i = 0; i < n; i++)
	{
		int64_t		rest = s->left < n - i ? s->left : n - i;

		if (s->left == 0)
		{
			heads[i] = 1;
			s->left = op->segment.length - 1;
			continue;
		}
		s->left -= rest;
		i += (int) rest - 1;
	}
}

/* The number of 1s; NULL: all are. */
static int64_t
count_flags(const uint8_t *flags, int n)
{
	int64_t		count = 0;

	if (flags == NULL)
		return n;
	for (int i = 0; i < n; i++)
		count += flags[i];
	return count;
}

/*
 * Add a block whose values start at *values, which moves on; flags, if any,
 * tell which elements have one.  False if there is no memory.
 */
static bool
add_block(gs_run *run, segments *s, const uint8_t *heads,
		  const uint8_t *flags, int n, const uint8_t **values)
{
	for (int i = 0; i < n;)
	{
		const uint8_t *head;
		int64_t		count;
		int			end;

		if (heads[i] || !s->open)
		{
			if (s->open)
				end_segment(s, run->op);
			if (!make_room(run, s))
				return false;
			start_segment(s);
		}
		head = i + 1 < n ? memchr(heads + i + 1, 1, (size_t) (n - i - 1)) :
			NULL;
		end = head == NULL ? n : (int) (head - heads);
		count = count_flags(flags == NULL ? NULL : flags + i, end - i);
		if (count > 0)
			s->add(s, *values, count);
		s->present += count;
		*values += count * s->width;
		i = end;
	}
	return true;
}

static gs_status
segment_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	segments   *s = run->state;
	bool		has_nulls = in->data.present < in->n;
	cpu_reader	mask = {0};
	const uint8_t *values = in->data.values;

	(void) out;
	if (run->op->segment.marked)
		mask = gs_cpu_reader(&in->mask, in->n, 1);
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		uint8_t		heads[CPU_BLOCK];
		uint8_t		flags[CPU_BLOCK];

		read_heads(s, run->op, &mask, n, heads);
		if (has_nulls)
			gs_cpu_bits_to_flags(in->data.validity, at, n, flags);
		if (!add_block(run, s, heads, has_nulls ? flags : NULL, n, &values))
			return GS_NO_MEMORY;
	}
	return GS_OK;
}

static void
segment_finish(gs_run *run, gs_result *result)
{
	segments   *s = run->state;

	if (s->open)
		end_segment(s, run->op);
	result->results = s->n;
	result->position = s->position;
}

static void
segment_fetch(gs_run *run, gs_column column, int64_t first, int64_t n,
			  void *to)
{
	const segments *s = run->state;
	int64_t    *words = to;

	if (n == 0)
		return;
	if (column == GS_COLUMN_COUNTS)
	{
		for (int64_t i = 0; i < n; i++)
			words[i] = s->counts[first + i];
	}
	else if (column == GS_COLUMN_VALIDITY)
		memcpy(to, s->validity + first, (size_t) n * sizeof(uint64_t));
	else if (s->short_sums)
	{
		const int64_t *sums = (const int64_t *) s->results + first;

		for (int64_t i = 0; i < n; i++)
		{
			words[2 * i] = sums[i];
			words[2 * i + 1] = sums[i] >> 63;
		}
	}
	else
		memcpy(to, s->results + first * s->result_width,
			   (size_t) n * (size_t) s->result_width);
}

static void
segment_end(gs_run *run)
{
	segments   *s = run->state;

	free(s->counts);
	free(s->validity);
	free(s->results);
	free(s);
}

const cpu_family gs_cpu_segments = {
	.begin = segment_begin, .feed = segment_feed, .finish = segment_finish,
	.fetch = segment_fetch, .end = segment_end
};
