/*-------------------------------------------------------------------------
 *
 * scan.c
 *	  Scans on the CPU.
 *
 * One driver serves all scans.  It goes through a batch in blocks and, for
 * each block,
 *
 * 1. reads the elements, with a neutral value (0, 1, ...) for a NULL;
 * 2. finds the heads, where a segment starts, from the mask or by counting;
 * 3. calls the kernel, an inclusive scan of dense elements with a carried
 *    state, which knows nothing of NULLs;
 * 4. for an exclusive scan, shifts the results by one element;
 * 5. drops the results that are NULL.
 *
 * Without NULLs, heads and exclusion only step 3 is needed, and the kernel
 * runs from the caller's input to the caller's output.
 *
 * A kernel stops at a result out of range.  In an exclusive scan that result
 * belongs to the next element, and does not exist if the segment or the array
 * ends there.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>

typedef struct scan scan;

/*
 * Scan n dense elements; heads may be NULL.  Returns n, or the index of the
 * first result out of range.
 */
typedef int (*scan_kernel) (scan *s, const void *values, const uint8_t *heads,
							void *out, int n);

struct scan
{
	scan_kernel kernel;
	gs_value	null;			/* neutral: changes no result */
	gs_value	nothing;		/* the result before a segment's first value */
	bool		nothing_is_null;
	int			width;			/* of an element */
	int			out_width;

	/* carried from block to block */
	bool		any;			/* has the segment had a value? */
	bool		pending;		/* the next exclusive result is out of range */
	gs_value	last;			/* the last inclusive result */

	/* the kernel's */
	gs_value	total;			/* integers, extremes as keys, counts */
	cpu_prefix	prefix;
	gs_product_stack product;
};

/*
 * Kernels whose state is one value: a head sets it to RESET, STEP adds an
 * element to it, and RESULT converts it to the result.  The state of an
 * extreme of floats is a key in SQL's order.
 */
#define SCAN(name, type, member, restype, RESET, STEP, RESULT) \
static int \
name(scan *s, const void *values, const uint8_t *heads, void *out, int n) \
{ \
	const type *v = values; \
	restype    *result = out; \
	__typeof__(s->total.member) total = s->total.member; \
\
	if (heads == NULL) \
	{ \
		for (int i = 0; i < n; i++) \
		{ \
			STEP(total, v[i]); \
			result[i] = (restype) RESULT(total); \
		} \
	} \
	else \
	{ \
		for (int i = 0; i < n; i++) \
		{ \
			total = heads[i] ? RESET : total; \
			STEP(total, v[i]); \
			result[i] = (restype) RESULT(total); \
		} \
	} \
	s->total.member = total; \
	return n; \
}

#define PLAIN(x)			(x)
#define ADD(total, x)		((total) += (x))
#define AND(total, x)		((total) &= (x))
#define OR(total, x)		((total) |= (x))
#define XOR(total, x)		((total) ^= (x))
#define LEAST(total, x)		((total) = (x) < (total) ? (x) : (total))
#define GREATEST(total, x)	((total) = (x) > (total) ? (x) : (total))
#define LEAST_KEY(total, x)	\
	do { int64_t key = gs_cpu_key(x); LEAST(total, key); } while (0)
#define GREATEST_KEY(total, x) \
	do { int64_t key = gs_cpu_key(x); GREATEST(total, key); } while (0)

SCAN(sum_int2, int16_t, i8, int64_t, 0, ADD, PLAIN)
SCAN(sum_int4, int32_t, i8, int64_t, 0, ADD, PLAIN)

SCAN(min_int2, int16_t, i2, int16_t, INT16_MAX, LEAST, PLAIN)
SCAN(min_int4, int32_t, i4, int32_t, INT32_MAX, LEAST, PLAIN)
SCAN(min_int8, int64_t, i8, int64_t, INT64_MAX, LEAST, PLAIN)
SCAN(min_float4, float, i8, float, INT64_MAX, LEAST_KEY, gs_cpu_unkey)
SCAN(min_float8, double, i8, double, INT64_MAX, LEAST_KEY, gs_cpu_unkey)

SCAN(max_int2, int16_t, i2, int16_t, INT16_MIN, GREATEST, PLAIN)
SCAN(max_int4, int32_t, i4, int32_t, INT32_MIN, GREATEST, PLAIN)
SCAN(max_int8, int64_t, i8, int64_t, INT64_MIN, GREATEST, PLAIN)
SCAN(max_float4, float, i8, float, INT64_MIN, GREATEST_KEY, gs_cpu_unkey)
SCAN(max_float8, double, i8, double, INT64_MIN, GREATEST_KEY, gs_cpu_unkey)

SCAN(and_bool, uint8_t, i2, uint8_t, 1, AND, PLAIN)
SCAN(and_int2, int16_t, i2, int16_t, -1, AND, PLAIN)
SCAN(and_int4, int32_t, i4, int32_t, -1, AND, PLAIN)
SCAN(and_int8, int64_t, i8, int64_t, -1, AND, PLAIN)

SCAN(or_bool, uint8_t, i2, uint8_t, 0, OR, PLAIN)
SCAN(or_int2, int16_t, i2, int16_t, 0, OR, PLAIN)
SCAN(or_int4, int32_t, i4, int32_t, 0, OR, PLAIN)
SCAN(or_int8, int64_t, i8, int64_t, 0, OR, PLAIN)

SCAN(xor_int2, int16_t, i2, int16_t, 0, XOR, PLAIN)
SCAN(xor_int4, int32_t, i4, int32_t, 0, XOR, PLAIN)
SCAN(xor_int8, int64_t, i8, int64_t, 0, XOR, PLAIN)

/* Counts flags: those of elements that are not NULL are 1. */
SCAN(count_flags, uint8_t, i8, int64_t, 0, ADD, PLAIN)

static int
sum_int8(scan *s, const void *values, const uint8_t *heads, void *out, int n)
{
	const int64_t *v = values;
	int64_t    *result = out;
	int64_t		total = s->total.i8;

	for (int i = 0; i < n; i++)
	{
		if (heads != NULL)
			total &= (int64_t) heads[i] - 1;
		if (__builtin_add_overflow(total, v[i], &total))
			return i;
		result[i] = total;
	}
	s->total.i8 = total;
	return n;
}

static int
sum_float4(scan *s, const void *values, const uint8_t *heads, void *out,
		   int n)
{
	return gs_cpu_prefix_float4(&s->prefix, values, heads, out, n);
}

static int
sum_float8(scan *s, const void *values, const uint8_t *heads, void *out,
		   int n)
{
	return gs_cpu_prefix_float8(&s->prefix, values, heads, out, n);
}

#define PRODUCT(suffix, type) \
static int \
product_##suffix(scan *s, const void *values, const uint8_t *heads, \
				 void *out, int n) \
{ \
	return gs_cpu_prefix_product(&s->product, type, values, heads, out, n); \
}

PRODUCT(int2, GS_INT2)
PRODUCT(int4, GS_INT4)
PRODUCT(int8, GS_INT8)
PRODUCT(float4, GS_FLOAT4)
PRODUCT(float8, GS_FLOAT8)

static const scan_kernel kernels[GS_KINDS][GS_TYPES] = {
	[GS_SCAN_SUM] = {BY_NUMBER(sum)},
	[GS_SCAN_PRODUCT] = {BY_NUMBER(product)},
	[GS_SCAN_MIN] = {BY_NUMBER(min)},
	[GS_SCAN_MAX] = {BY_NUMBER(max)},
	[GS_SCAN_BIT_AND] = {[GS_BOOL] = and_bool, BY_INTEGER(and)},
	[GS_SCAN_BIT_OR] = {[GS_BOOL] = or_bool, BY_INTEGER(or)},
	[GS_SCAN_BIT_XOR] = {BY_INTEGER(xor)},
};

/* x in the member of an integer type. */
static gs_value
integer_value(gs_type type, int64_t x)
{
	gs_value	v = {0};

	switch (type)
	{
		case GS_INT8:
			v.i8 = x;
			break;
		case GS_INT4:
			v.i4 = (int32_t) x;
			break;
		default:
			v.i2 = (int16_t) x;
	}
	return v;
}

/* The greatest or least value of a type. */
static gs_value
extreme_value(gs_type type, bool greatest)
{
	gs_value	v = {0};

	switch (type)
	{
		case GS_FLOAT8:
			v.f8 = greatest ? gs_canonical_nan() : -__builtin_huge_val();
			break;
		case GS_FLOAT4:
			v.f4 = (float) (greatest ? gs_canonical_nan() :
							-__builtin_huge_val());
			break;
		case GS_INT8:
			v.i8 = greatest ? INT64_MAX : INT64_MIN;
			break;
		case GS_INT4:
			v.i4 = greatest ? INT32_MAX : INT32_MIN;
			break;
		default:
			v.i2 = greatest ? INT16_MAX : INT16_MIN;
	}
	return v;
}

/* Set the value for NULLs and the initial state. */
static void
set_neutral(scan *s, const gs_op *op)
{
	gs_type		type = (gs_type) op->type;
	bool		is_float = type == GS_FLOAT4 || type == GS_FLOAT8;

	switch (op->kind)
	{
		case GS_SCAN_SUM:
			gs_cpu_prefix_init(&s->prefix);
			if (type == GS_FLOAT4)
				s->null.f4 = -0.0f;
			else if (type == GS_FLOAT8)
				s->null.f8 = -0.0;
			break;
		case GS_SCAN_PRODUCT:
			s->null = gs_cpu_one(type);
			s->nothing.f8 = 1;
			break;
		case GS_SCAN_MIN:
		case GS_SCAN_MAX:
			s->null = extreme_value(type, op->kind == GS_SCAN_MIN);
			if (is_float)
				s->total.i8 = op->kind == GS_SCAN_MIN ? INT64_MAX : INT64_MIN;
			else
				s->total = s->null;
			break;
		case GS_SCAN_BIT_AND:
			s->null = integer_value(type, type == GS_BOOL ? 1 : -1);
			s->total = s->null;
			break;
		default:
			break;				/* all zeros */
	}
}

static gs_status
scan_begin(gs_run *run)
{
	const gs_op *op = run->op;
	scan_kernel kernel = op->kind == GS_SCAN_COUNT ? count_flags :
		kernels[op->kind][op->type];
	scan	   *s;

	if (kernel == NULL)
		return GS_INVALID;
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return GS_NO_MEMORY;
	run->state = s;
	s->width = gs_type_width((gs_type) op->type);
	s->out_width = gs_type_width(gs_output_type(op));
	s->nothing_is_null = gs_gives_null(op, true);
	s->kernel = kernel;
	set_neutral(s, op);
	return GS_OK;
}

/* The buffers for one block. */
typedef struct block
{
	int			n;
	int64_t		start;			/* index in the whole array */
	const void *values;
	const uint8_t *valid;		/* NULL: all */
	const uint8_t *heads;		/* NULL: none */
	uint64_t	dense[CPU_BLOCK];
	uint8_t		valid_flags[CPU_BLOCK];
	uint8_t		head_flags[CPU_BLOCK];
	uint64_t	results[CPU_BLOCK];
	uint64_t	shifted[CPU_BLOCK];
	uint8_t		known[CPU_BLOCK];	/* is the result a value? */
} block;

static void
read_heads(block *b, const gs_op *op, cpu_reader *mask)
{
	b->heads = NULL;
	if (op->segment.marked)
	{
		gs_cpu_read_mask(mask, b->n, b->head_flags);
		b->heads = b->head_flags;
	}
	else if (op->segment.length > 0)
	{
		int64_t		first = b->start % op->segment.length;

		first = first == 0 ? 0 : op->segment.length - first;
		memset(b->head_flags, 0, sizeof(b->head_flags));
		for (int64_t i = first; i < b->n; i += op->segment.length)
			b->head_flags[i] = 1;
		b->heads = b->head_flags;
	}
}

static void
read_block(block *b, const scan *s, const gs_op *op, cpu_reader *data)
{
	b->values = gs_cpu_read(data, b->n, s->null, b->dense, b->valid_flags);
	b->valid = data->validity == NULL ? NULL : b->valid_flags;
	if (op->kind == GS_SCAN_COUNT)
	{
		if (b->valid == NULL)
			memset(b->valid_flags, 1, sizeof(b->valid_flags));
		b->values = b->valid_flags;
	}
}

static gs_status
out_of_range(gs_run *run, int64_t index)
{
	run->error.position = index + 1;
	return gs_range_status(run->op);
}

/* Scan a block inclusively, into result. */
static gs_status
scan_block(gs_run *run, const block *b, void *result)
{
	scan	   *s = run->state;
	int			done = 0;

	if (s->pending && (b->heads == NULL || !b->heads[0]))
		return out_of_range(run, b->start);
	s->pending = false;
	while (done < b->n)
	{
		int			next;

		done += s->kernel(s, (const uint8_t *) b->values + done *
						  (run->op->kind == GS_SCAN_COUNT ? 1 : s->width),
						  b->heads == NULL ? NULL : b->heads + done,
						  (uint8_t *) result + done * s->out_width,
						  b->n - done);
		if (done == b->n)
			break;
		if (!run->op->scan.exclusive)
			return out_of_range(run, b->start + done);
		next = ++done;
		if (next == b->n)
			s->pending = true;
		else if (b->heads == NULL || !b->heads[next])
			return out_of_range(run, b->start + next);
	}
	return GS_OK;
}

/*
 * Which results are values?  Those of a segment from its first value on or, if
 * exclusive, from the element after that.
 */
static void
find_known(scan *s, block *b, bool exclusive)
{
	uint8_t		any = s->any;

	if (b->heads == NULL && b->valid == NULL)
	{
		memset(b->known, 1, sizeof(b->known));
		if (exclusive)
			b->known[0] = any;
		s->any = true;
		return;
	}
	if (b->valid == NULL)
		memset(b->valid_flags, 1, sizeof(b->valid_flags));
	if (b->heads == NULL)
		memset(b->head_flags, 0, sizeof(b->head_flags));
	for (int i = 0; i < b->n; i++)
	{
		any &= b->head_flags[i] ^ 1;
		if (exclusive)
			b->known[i] = any;
		any |= b->valid_flags[i];
		if (!exclusive)
			b->known[i] = any;
	}
	s->any = any;
}

/* shifted[i] = results[i - 1], or `nothing` at the start. */
#define SHIFT(name, type) \
static void \
name(scan *s, block *b) \
{ \
	const type *result = (const type *) b->results; \
	type	   *shifted = (type *) b->shifted; \
	type		nothing; \
	type		last; \
\
	memcpy(&nothing, &s->nothing, sizeof nothing); \
	memcpy(&last, &s->last, sizeof last); \
	for (int i = 0; i < b->n; i++) \
	{ \
		shifted[i] = b->known[i] ? last : nothing; \
		last = result[i]; \
	} \
	memcpy(&s->last, &last, sizeof last); \
}

SHIFT(shift1, uint8_t)
SHIFT(shift2, gs_bits16)
SHIFT(shift4, gs_bits32)
SHIFT(shift8, gs_bits64)

static void
shift_results(scan *s, block *b)
{
	switch (s->out_width)
	{
		case 1:
			shift1(s, b);
			break;
		case 2:
			shift2(s, b);
			break;
		case 4:
			shift4(s, b);
			break;
		default:
			shift8(s, b);
	}
}

/* Scan a block and append its results to the output. */
static gs_status
do_block(gs_run *run, block *b, gs_output *out)
{
	scan	   *s = run->state;
	bool		exclusive = run->op->scan.exclusive;
	uint8_t    *to = (uint8_t *) out->values + out->present * s->out_width;
	const void *results = b->results;
	gs_status	status = scan_block(run, b, b->results);

	if (status != GS_OK)
		return status;
	find_known(s, b, exclusive);
	if (exclusive)
	{
		shift_results(s, b);
		results = b->shifted;
	}
	if (!s->nothing_is_null)
		memset(b->known, 1, sizeof(b->known));
	if (memchr(b->known, 0, b->n) == NULL)
	{
		memcpy(to, results, (size_t) b->n * s->out_width);
		out->present += b->n;
	}
	else
		out->present += gs_cpu_pack(results, b->known, b->n, s->out_width, to);
	if (out->validity != NULL)
		gs_cpu_flags_to_bits(b->known, b->n, out->validity, out->n);
	out->n += b->n;
	return GS_OK;
}

/* A batch that needs nothing but the scan itself. */
static gs_status
do_plain(gs_run *run, const gs_input *in, gs_output *out)
{
	scan	   *s = run->state;
	int			done = s->kernel(s, in->data.values, NULL, out->values,
								 (int) in->n);

	if (done < in->n)
		return out_of_range(run, run->fed + done);
	s->any |= in->n > 0;
	out->n = out->present = in->n;
	if (out->validity != NULL)
		gs_cpu_set_bits(out->validity, in->n);
	return GS_OK;
}

static gs_status
scan_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const scan *s = run->state;
	cpu_reader	data = gs_cpu_reader(&in->data, in->n, s->width);
	cpu_reader	mask = gs_cpu_reader(&in->mask, in->n, 1);
	block		b;

	if (in->data.present == in->n && !op->scan.exclusive && !op->segment.marked &&
		op->segment.length == 0 && op->kind != GS_SCAN_COUNT)
		return do_plain(run, in, out);
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		gs_status	status;

		b.n = gs_cpu_block_size(in->n - at);
		b.start = run->fed + at;
		read_block(&b, s, op, &data);
		read_heads(&b, op, &mask);
		status = do_block(run, &b, out);
		if (status != GS_OK)
			return status;
	}
	return GS_OK;
}

/* No finish: a result still pending at the end does not exist. */
const cpu_family gs_cpu_scan = {.begin = scan_begin, .feed = scan_feed};
