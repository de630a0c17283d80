/*-------------------------------------------------------------------------
 *
 * order.c
 *	  What depends on the elements' order: median, percentile, mode, distinct.
 *
 * Elements become unsigned integers of the same order, keys.  The element of a
 * rank is found by radix: count the keys by their leading 16 bits, see in
 * which of these the rank falls, count the keys that begin with them by their
 * next 16 bits, and so on.  To find runs of equal elements keys are sorted,
 * by radix too, from the last byte to the first, leaving out those bytes that
 * all keys have in common.
 *
 * Neither compares keys, so time depends on their number and width alone.  But
 * both have counters to clear, which few keys are not worth: these are sorted
 * for a rank too, and very few by insertion, as where a query has many groups.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "compat.h"

#include "miscadmin.h"
#include "utils/float.h"

#include "call.h"
#include "order.h"

/* Keys between two looks for a cancel: a few ms. */
#define PIECE			(INT64_C(1) << 20)

#define SELECT_BITS		16
#define SORT_BITS		8

/* Up to how many keys it is faster to sort by insertion, to sort for a rank. */
#define FEW_TO_SORT		40
#define FEW_TO_SELECT	8192

/* The keys of an array's elements that are not NULL. */
typedef struct keys
{
	gs_call		call;
	gs_type		type;
	int			bits;			/* of a key */
	int64		n;
	uint64	   *key;
} keys;

/* In two's complement: -0 below 0, and the canonical NaN above all. */
#define FLOAT_KEY(bits, sign) \
	((bits) & (sign) ? ~(bits) & ((sign) | ((sign) - 1)) : (bits) | (sign))

static inline uint64
key_from_float4(float x)
{
	uint32		bits;

	if (x != x)
		x = (float) gs_canonical_nan();
	memcpy(&bits, &x, sizeof bits);
	return FLOAT_KEY(bits, UINT32_C(1) << 31);
}

static inline uint64
key_from_float8(double x)
{
	uint64		bits = gs_double_bits(x != x ? gs_canonical_nan() : x);

	return FLOAT_KEY(bits, UINT64_C(1) << 63);
}

static void
keys_from_span(gs_type type, const gs_span *span, uint64 *key)
{
#define CONVERT(ctype, conversion) \
	for (int64 i = 0; i < span->present; i++) \
	{ \
		ctype		x = ((const ctype *) span->values)[i]; \
\
		key[i] = conversion; \
	}

	switch (type)
	{
		case GS_INT2:
			CONVERT(int16, (uint16) x ^ (UINT16_C(1) << 15));
			break;
		case GS_INT4:
			CONVERT(int32, (uint32) x ^ (UINT32_C(1) << 31));
			break;
		case GS_INT8:
			CONVERT(int64, (uint64) x ^ (UINT64_C(1) << 63));
			break;
		case GS_FLOAT4:
			CONVERT(float, key_from_float4(x));
			break;
		default:
			CONVERT(double, key_from_float8(x));
			break;
	}
#undef CONVERT
}

static Datum
element_from_key(gs_type type, uint64 key)
{
	uint32		bits4 = (uint32) key;
	float		f;

	switch (type)
	{
		case GS_INT2:
			return Int16GetDatum((int16) (key ^ (UINT16_C(1) << 15)));
		case GS_INT4:
			return Int32GetDatum((int32) (bits4 ^ (UINT32_C(1) << 31)));
		case GS_INT8:
			return Int64GetDatum((int64) (key ^ (UINT64_C(1) << 63)));
		case GS_FLOAT4:
			bits4 ^= bits4 >> 31 ? UINT32_C(1) << 31 : UINT32_MAX;
			memcpy(&f, &bits4, sizeof f);
			return Float4GetDatum(f);
		default:
			key ^= key >> 63 ? UINT64_C(1) << 63 : UINT64_MAX;
			return Float8GetDatum(gs_bits_double(key));
	}
}

static double
double_from_key(gs_type type, uint64 key)
{
	Datum		element = element_from_key(type, key);

	switch (type)
	{
		case GS_INT2:
			return DatumGetInt16(element);
		case GS_INT4:
			return DatumGetInt32(element);
		case GS_INT8:
			return (double) DatumGetInt64(element);
		case GS_FLOAT4:
			return DatumGetFloat4(element);
		default:
			return DatumGetFloat8(element);
	}
}

static void
keys_open(keys *k, const char *function, Datum array)
{
	gs_cursor	cursor;

	gs_call_open(&k->call, function, GS_SUM, array);
	k->type = k->call.data.type;
	k->bits = 8 * gs_type_width(k->type);
	k->key = gs_alloc_large(Max(gs_array_present(&k->call.data), 1) *
							sizeof(uint64));
	k->n = 0;
	gs_cursor_open(&cursor, &k->call.data);
	while (cursor.n < k->call.data.n)
	{
		gs_span		span;

		CHECK_FOR_INTERRUPTS();
		gs_cursor_next(&cursor, Min(k->call.data.n - cursor.n, PIECE), NULL, &span);
		keys_from_span(k->type, &span, k->key + k->n);
		k->n += span.present;
	}
	gs_cursor_close(&cursor);
}

static void
keys_close(keys *k)
{
	pfree(k->key);
	gs_call_answered(&k->call, "order is the CPU's work");
	gs_call_close(&k->call);
}

/* Count digits, shift bits from the lowest, of keys that begin with prefix. */
static void
count_digits(const keys *k, int shift, uint64 prefix, int64 *counts)
{
	/* in two steps: by 64 bits there is no shift */
	const int	above = shift + SELECT_BITS - 1;

	memset(counts, 0, sizeof(int64) << SELECT_BITS);
	for (int64 at = 0; at < k->n; at += PIECE)
	{
		int64		end = Min(at + PIECE, k->n);

		CHECK_FOR_INTERRUPTS();
		for (int64 i = at; i < end; i++)
		{
			if (k->key[i] >> above >> 1 == prefix)
				counts[(k->key[i] >> shift) & ((1 << SELECT_BITS) - 1)]++;
		}
	}
}

/* The key of this rank, counted from 0, and the one after it, of many keys. */
static void
select_of_many(const keys *k, int64 rank, uint64 *key, uint64 *next)
{
	int64	   *counts = palloc(sizeof(int64) << SELECT_BITS);
	uint64		prefix = 0;
	uint64		above = UINT64_MAX;
	int64		left = 0;		/* equal keys of higher rank */

	for (int shift = k->bits - SELECT_BITS; shift >= 0; shift -= SELECT_BITS)
	{
		int			digit = 0;

		count_digits(k, shift, prefix, counts);
		while (rank >= counts[digit])
			rank -= counts[digit++];
		left = counts[digit] - 1 - rank;
		prefix = prefix << SELECT_BITS | digit;
	}
	pfree(counts);
	*key = *next = prefix;
	if (left > 0)
		return;
	for (int64 at = 0; at < k->n; at += PIECE)
	{
		int64		end = Min(at + PIECE, k->n);

		CHECK_FOR_INTERRUPTS();
		for (int64 i = at; i < end; i++)
		{
			if (k->key[i] > prefix && k->key[i] < above)
				above = k->key[i];
		}
	}
	*next = above;
}

/* Move keys to where their digit, shift bits from the lowest, puts them. */
static void
sort_by_digit(const uint64 *from, uint64 *to, int64 n, int shift,
			  int64 *position)
{
	for (int64 at = 0; at < n; at += PIECE)
	{
		int64		end = Min(at + PIECE, n);

		CHECK_FOR_INTERRUPTS();
		for (int64 i = at; i < end; i++)
			to[position[(from[i] >> shift) & ((1 << SORT_BITS) - 1)]++] = from[i];
	}
}

/* Count the digits of all places. */
static void
count_places(const keys *k, int64 (*counts)[1 << SORT_BITS])
{
	for (int64 at = 0; at < k->n; at += PIECE)
	{
		int64		end = Min(at + PIECE, k->n);

		CHECK_FOR_INTERRUPTS();
		for (int64 i = at; i < end; i++)
		{
			for (int place = 0; place < k->bits / SORT_BITS; place++)
				counts[place][(k->key[i] >> (place * SORT_BITS)) &
							  ((1 << SORT_BITS) - 1)]++;
		}
	}
}

static void
sort_few(keys *k)
{
	for (int64 i = 1; i < k->n; i++)
	{
		uint64		key = k->key[i];
		int64		j = i;

		for (; j > 0 && k->key[j - 1] > key; j--)
			k->key[j] = k->key[j - 1];
		k->key[j] = key;
	}
}

static void
sort_many(keys *k)
{
	int64		counts[64 / SORT_BITS][1 << SORT_BITS] = {{0}};
	uint64	   *other = gs_alloc_large(k->n * sizeof(uint64));

	count_places(k, counts);
	for (int place = 0; place < k->bits / SORT_BITS; place++)
	{
		int			shift = place * SORT_BITS;
		int64		sum = 0;
		uint64	   *sorted = other;

		if (counts[place][(k->key[0] >> shift) & ((1 << SORT_BITS) - 1)] == k->n)
			continue;			/* all keys have this digit */
		for (int digit = 0; digit < 1 << SORT_BITS; digit++)
		{
			int64		count = counts[place][digit];

			counts[place][digit] = sum;
			sum += count;
		}
		sort_by_digit(k->key, sorted, k->n, shift, counts[place]);
		other = k->key;
		k->key = sorted;
	}
	pfree(other);
}

static void
sort_keys(keys *k)
{
	if (k->n <= FEW_TO_SORT)
		sort_few(k);
	else
		sort_many(k);
}

/* The key of this rank, counted from 0, and the one after it, or the same. */
static void
select_keys(keys *k, int64 rank, uint64 *key, uint64 *next)
{
	if (k->n > FEW_TO_SELECT)
	{
		select_of_many(k, rank, key, next);
		return;
	}
	sort_keys(k);
	*key = k->key[rank];
	*next = k->key[Min(rank + 1, k->n - 1)];
}

/* Are two neighbours of sorted keys equal as elements are?  -0 is 0. */
static inline bool
same_element(const keys *k, uint64 a, uint64 b)
{
	const uint64 zero = UINT64_C(1) << (k->bits - 1);

	return a == b || (b == zero && a == zero - 1 &&
					  (k->type == GS_FLOAT4 || k->type == GS_FLOAT8));
}

/* The end of the run of equal elements that starts at i. */
static int64
run_end(const keys *k, int64 i)
{
	int64		end = i + 1;

	while (end < k->n && same_element(k, k->key[end - 1], k->key[end]))
		end++;
	return end;
}

PG_FUNCTION_INFO_V1(gpu_count_distinct);

Datum
gpu_count_distinct(PG_FUNCTION_ARGS)
{
	keys		k;
	int64		result = 0;

	keys_open(&k, "gpu_count_distinct", PG_GETARG_DATUM(0));
	sort_keys(&k);
	for (int64 i = 0; i < k.n; i = run_end(&k, i))
		result++;
	keys_close(&k);
	PG_RETURN_INT64(result);
}

PG_FUNCTION_INFO_V1(gpu_mode);

/* Of several most frequent elements the least. */
Datum
gpu_mode(PG_FUNCTION_ARGS)
{
	keys		k;
	int64		longest = 0;
	uint64		mode = 0;

	keys_open(&k, "gpu_mode", PG_GETARG_DATUM(0));
	sort_keys(&k);
	for (int64 i = 0, end; i < k.n; i = end)
	{
		end = run_end(&k, i);
		if (end - i > longest)
		{
			longest = end - i;
			mode = k.key[i];
		}
	}
	keys_close(&k);
	if (longest == 0)
		PG_RETURN_NULL();
	return element_from_key(k.type, mode);
}

void
gs_check_fraction(double fraction)
{
	if (!(fraction >= 0 && fraction <= 1))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("percentile value %s is not between 0 and 1",
					   float8out_internal(fraction)));
}

/* As percentile_cont, in its own arithmetic; NULL of no elements. */
static Datum
percentile(FunctionCallInfo fcinfo, keys *k, double fraction)
{
	double		place = fraction * (double) (k->n - 1);
	uint64		key;
	uint64		next;
	double		result;

	if (k->n == 0)
		PG_RETURN_NULL();
	select_keys(k, (int64) floor(place), &key, &next);
	result = double_from_key(k->type, key);
	if (ceil(place) != floor(place))
		result += (place - floor(place)) *
			(double_from_key(k->type, next) - result);
	PG_RETURN_FLOAT8(result != result ? gs_canonical_nan() : result);
}

PG_FUNCTION_INFO_V1(gpu_median);

Datum
gpu_median(PG_FUNCTION_ARGS)
{
	keys		k;
	Datum		result;

	keys_open(&k, "gpu_median", PG_GETARG_DATUM(0));
	result = percentile(fcinfo, &k, 0.5);
	keys_close(&k);
	return result;
}

PG_FUNCTION_INFO_V1(gpu_percentile_cont);

Datum
gpu_percentile_cont(PG_FUNCTION_ARGS)
{
	keys		k;
	Datum		result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "fraction");
	gs_check_fraction(PG_GETARG_FLOAT8(1));
	keys_open(&k, "gpu_percentile_cont", PG_GETARG_DATUM(0));
	result = percentile(fcinfo, &k, PG_GETARG_FLOAT8(1));
	keys_close(&k);
	return result;
}

PG_FUNCTION_INFO_V1(gpu_percentile_final);

/* Of the aggregate's state: the fraction comes before the values. */
Datum
gpu_percentile_final(PG_FUNCTION_ARGS)
{
	keys		k;
	double		fraction;
	Datum		result = (Datum) 0;

	keys_open(&k, "gpu_percentile_cont", PG_GETARG_DATUM(0));
	if (k.n == 0)
		fcinfo->isnull = true;
	else
	{
		fraction = double_from_key(k.type, k.key[0]);
		gs_check_fraction(fraction);
		k.key[0] = k.key[--k.n];
		result = percentile(fcinfo, &k, fraction);
	}
	keys_close(&k);
	return result;
}
