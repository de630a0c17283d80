/*-------------------------------------------------------------------------
 *
 * translate_buckets.c
 *	  width_bucket(), as a search among thresholds.
 *
 * Where a bucket begins is found with PostgreSQL's own function, so that its
 * rounding decides: a bisection over all doubles, or all integers of a scale,
 * since buckets ascend with the operand.  It begins near the threshold.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "call/array_iteration.h"
#include "call/decimal.h"
#include "report/translate/translate_parts.h"

#define BUCKETS_MAX		4096

/* Buckets of equal width. */
typedef struct buckets
{
	bool		decimal;
	bool		descending;		/* then they ascend with the negated operand */
	int			scale;			/* of decimal operands */
	Datum		low;
	Datum		high;
	int32		n;

	/* about where they begin, and how wide all of them are, as doubles */
	double		begin;
	double		width;
} buckets;

/* ----------
 * Operands as integers in the same order
 * ----------
 */

static int64
key_of_double(double x)
{
	int64		bits;

	memcpy(&bits, &x, sizeof bits);
	return bits < 0 ? PG_INT64_MIN - bits : bits;
}

static double
double_of_key(int64 key)
{
	int64		bits = key < 0 ? PG_INT64_MIN - key : key;
	double		x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Decimals: not the least integer, which cannot be negated. */
static int64
last_key(const buckets *b)
{
	return b->decimal ? PG_INT64_MAX : key_of_double(INFINITY);
}

/* The nearest to a number that may be beyond all. */
static int64
key_near(const buckets *b, double x)
{
	if (!b->decimal)
		return key_of_double(x);
	x *= pow(10, b->scale);
	return fabs(x) < 9e18 ? (int64) x : x < 0 ? -last_key(b) : last_key(b);
}

static int32
bucket_of(const buckets *b, int64 key)
{
	if (b->descending)
		key = -key;
	if (b->decimal)
	{
		uint64		word = (uint64) key;

		return DatumGetInt32(DirectFunctionCall4(width_bucket_numeric,
												 gs_decimal_make(&word, 1, b->scale),
												 b->low, b->high,
												 Int32GetDatum(b->n)));
	}
	return DatumGetInt32(DirectFunctionCall4(width_bucket_float8,
											 Float8GetDatum(double_of_key(key)),
											 b->low, b->high,
											 Int32GetDatum(b->n)));
}

/* Sum without overflow. */
static int64
shifted(const buckets *b, int64 key, int64 by)
{
	int64		last = last_key(b);

	if (by > 0 && key > last - by)
		return last;
	return by < 0 && key < -last - by ? -last : key + by;
}

/* The first key whose bucket is i or a later one, if there is any. */
static bool
find_threshold(const buckets *b, int32 i, int64 *threshold)
{
	int64		guess = key_near(b, b->begin + b->width * ((double) (i - 1) / b->n));
	int64		low = guess;
	int64		high = guess;

	for (int64 step = 1; low > -last_key(b) && bucket_of(b, low) >= i;)
	{
		high = low;
		low = shifted(b, low, -step);
		step = Min(step * 4, PG_INT64_MAX / 8);
	}
	for (int64 step = 1; bucket_of(b, high) < i;)
	{
		if (high == last_key(b))
			return false;
		low = high;
		high = shifted(b, high, step);
		step = Min(step * 4, PG_INT64_MAX / 8);
	}
	if (bucket_of(b, low) >= i)
		high = low;
	while (low < high)
	{
		int64		middle = low + (int64) (((uint64) high - (uint64) low) / 2);

		if (bucket_of(b, middle) >= i)
			high = middle;
		else
			low = middle + 1;
	}
	*threshold = high;
	return true;
}

/*
 * How many of n thresholds are not above a.  They ascend; of those that are equal,
 * a search knows one, and a table how many there are.
 */
static bool
put_places(gs_translation *t, gs_operand a, gs_value *list, int n,
		   gs_operand *r)
{
	gs_value   *places = palloc0((n + 1) * sizeof(gs_value));
	int			different = 0;

	for (int i = 0; i < n; i++)
	{
		int			order = different == 0 ? -1 :
			gs_compare_values(gs_operand_type(&t->plan, a),
							  list[different - 1], list[i]);

		if (order > 0)
			return gs_untranslated(t, "thresholds of width_bucket do not ascend");
		if (order < 0)
			list[different++] = list[i];
		places[different].i4 = i + 1;
	}
	return gs_put_search(t, a, list, different, r) &&
		(different == n ||
		 gs_put_table(t, *r, GS_INT4, places, different + 1, r));
}

/* ----------
 * Equal widths
 * ----------
 */

/* Bounds that PostgreSQL takes. */
static bool
read_buckets(gs_translation *t, List *args, buckets *b)
{
	double		bound[2];

	for (int i = 1; i <= 3; i++)
	{
		const Const *constant = list_nth(args, i);

		if (!IsA(constant, Const) || constant->constisnull)
			return gs_untranslated(t, "bounds of width_bucket are not constants");
	}
	b->low = ((Const *) lsecond(args))->constvalue;
	b->high = ((Const *) lthird(args))->constvalue;
	b->n = DatumGetInt32(((Const *) lfourth(args))->constvalue);
	for (int i = 0; i < 2; i++)
	{
		Datum		datum = i == 0 ? b->low : b->high;

		if (b->decimal && gs_decimal_scale(datum) < 0)
			return gs_untranslated(t, "bounds of width_bucket are infinite");
		bound[i] = DatumGetFloat8(b->decimal ?
								  DirectFunctionCall1(numeric_float8_no_overflow,
													  datum) : datum);
	}
	b->descending = bound[0] > bound[1];
	b->begin = b->descending ? -bound[0] : bound[0];
	b->width = fabs(bound[1] - bound[0]);
	if (!isfinite(b->width) || b->width == 0)
		return gs_untranslated(t, "bounds of width_bucket are infinite, or equal");
	return (b->n > 0 && b->n <= BUCKETS_MAX) ||
		gs_untranslated(t, "width_bucket has too many buckets");
}

/* An error of what PostgreSQL raises one of: NaN. */
static bool
put_checked_number(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_instruction in = {.code = GS_CODE_CHECK, .type = GS_FLOAT8, .a = a};
	gs_constant c;

	memset(&c, 0, sizeof c);
	c.type = GS_FLOAT8;
	c.value.f8 = -INFINITY;
	if (!gs_put_constant(t, c, NULL, &in.b))
		return false;
	c.value.f8 = INFINITY;
	return gs_put_constant(t, c, NULL, &in.c) && gs_put(t, in, r);
}

static bool
put_thresholds(gs_translation *t, gs_operand a, const buckets *b, gs_operand *r)
{
	gs_value   *list = palloc0((b->n + 1) * sizeof(gs_value));
	int			n = 0;
	int64		key;

	for (; t->state != NULL && n <= b->n && find_threshold(b, n + 1, &key); n++)
	{
		if (b->decimal)
			list[n].i8 = key;
		else
			list[n].f8 = double_of_key(key);
	}
	return put_places(t, a, list, n, r);
}

bool
gs_translate_buckets(gs_translation *t, bool decimal, List *args,
					 gs_operand *r)
{
	buckets		b = {.decimal = decimal};
	gs_operand	a;

	if (!read_buckets(t, args, &b) || !gs_translate(t, linitial(args), &a))
		return false;
	b.scale = Max(gs_scale_of(t, a), 0);
	if (gs_display_of(t, a) != GS_NOTHING)
		return gs_untranslated(t, "numbers of different scales have buckets");
	return (decimal || put_checked_number(t, a, &a)) &&
		(!b.descending || gs_put_unary(t, GS_CODE_NEGATE, a, &a)) &&
		put_thresholds(t, a, &b, r);
}

/* ----------
 * Any thresholds
 * ----------
 */

/* The least value of the operand's type that is not below the threshold. */
static bool
read_threshold(const gs_translation *t, gs_operand a, Oid type, Datum datum,
			   gs_value *value)
{
	memset(value, 0, sizeof *value);
	if (type == NUMERICOID)
	{
		gs_decimal_place place =
			gs_decimal_find(datum, Max(gs_scale_of(t, a), 0), &value->i8);

		if (place == GS_DECIMAL_BETWEEN && value->i8 < PG_INT64_MAX)
			value->i8++;
		return place == GS_DECIMAL_EQUAL || place == GS_DECIMAL_BETWEEN;
	}
	*value = gs_value_from_datum(gs_operand_type(&t->plan, a), datum);
	return type != FLOAT8OID || !isnan(value->f8);
}

bool
gs_translate_places(gs_translation *t, List *args, gs_operand *r)
{
	const Const *constant = lsecond(args);
	ArrayType  *array;
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *datums;
	bool	   *nulls;
	int			n;
	gs_value   *list;
	gs_operand	a;

	if (!IsA(constant, Const) || constant->constisnull)
		return gs_untranslated(t, "thresholds of width_bucket are not constants");
	if (!gs_translate(t, linitial(args), &a))
		return false;
	array = DatumGetArrayTypeP(constant->constvalue);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align,
					  &datums, &nulls, &n);
	list = palloc(n * sizeof(gs_value));

	/* when planning, the scale may not be known yet */
	if (t->state == NULL && gs_scale_of(t, a) == GS_ANY_SCALE)
		n = 0;
	for (int i = 0; i < n; i++)
	{
		if (ARR_NDIM(array) > 1 || nulls[i] ||
			!read_threshold(t, a, ARR_ELEMTYPE(array), datums[i], &list[i]))
			return gs_untranslated(t, "thresholds of width_bucket are NULL or out of range");
	}
	return put_places(t, a, list, n, r);
}
