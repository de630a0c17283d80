/*-------------------------------------------------------------------------
 *
 * ascending.c
 *	  Ascending numbers in memory, and where a number lies among them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "functions/elements/ascending.h"

/*
 * How far from the last answer to look first.  Beyond, a bisection of all is
 * faster than of a part: what its first steps read is in the processor's cache.
 */
#define NEAR		64

/* The order of SQL: NaN is above all numbers, and -0 equals 0. */
static inline bool
is_above(gs_number a, gs_number b, bool is_float)
{
	return is_float ? a.d > b.d || (a.d != a.d && b.d == b.d) : a.i > b.i;
}

/* What is above the one after it, from number `first` on?  n: none. */
static int64
find_descent(const gs_ascending *s, int64 first, int64 n)
{
	const gs_number *value = s->value;
	bool		any = false;

	if (s->is_float)
	{
		/* also true of NaN, which is seldom there: this is fast */
		for (int64 i = first; i + 1 < n; i++)
			any |= !(value[i].d <= value[i + 1].d);
	}
	else
	{
		for (int64 i = first; i + 1 < n; i++)
			any |= is_above(value[i], value[i + 1], false);
	}
	if (!any)
		return n;
	while (first + 1 < n &&
		   !is_above(value[first], value[first + 1], s->is_float))
		first++;
	return first + 1 < n ? first : n;
}

/* Read an array that is not as numbers are. */
static void
read_copy(gs_ascending *s, const gs_array *a, const char *plural)
{
	gs_reader	reader;

	gs_reader_open(&reader, a);
	s->value = s->copy = gs_alloc_large(Max(a->n, 1) * sizeof(gs_number));
	for (int64 i = 0; i < s->n; i++)
	{
		if (!gs_reader_next(&reader, &s->copy[i]))
			ereport(ERROR,
					errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("%s must not contain nulls", plural));
	}
}

void
gs_ascending_open(gs_ascending *s, const gs_array *a, const char *plural,
				  const char *singular)
{
	if (ARR_NDIM(a->flat) > 1)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("%s must be an array of one dimension", plural));
	*s = (gs_ascending) {
		.value = gs_array_numbers(a),
		.n = a->n,
		.is_float = gs_is_float(a->type)
	};
	if (s->value == NULL)
		read_copy(s, a, plural);
	for (int64 i = 0; i < s->n; i += GS_INTERRUPT_ELEMENTS)
	{
		int64		n = Min(s->n, i + GS_INTERRUPT_ELEMENTS + 1);
		int64		descent = find_descent(s, i, n);

		CHECK_FOR_INTERRUPTS();
		if (descent < n)
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("%s must be ascending, but %s %lld is not",
						   plural, singular, (long long) descent + 2));
	}
}

gs_number *
gs_ascending_own(gs_ascending *s)
{
	if (s->copy == NULL)
	{
		s->copy = gs_alloc_large(Max(s->n, 1) * sizeof(gs_number));
		memcpy(s->copy, s->value, s->n * sizeof(gs_number));
		s->value = s->copy;
	}
	return s->copy;
}

static bool
is_finite(const gs_ascending *s, Oid type, gs_number time)
{
	if (s->is_float)
		return gs_is_finite(time.d);
	return !gs_is_time(type) || gs_time_is_finite(type, time.i);
}

void
gs_ascending_open_times(gs_ascending *s, const gs_array *times,
						const gs_array *values)
{
	if (times->n != values->n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("there must be as many times as values"),
				errdetail("There are %lld times and %lld values.",
						  (long long) times->n, (long long) values->n));
	gs_ascending_open(s, times, "times", "time");
	if (s->n > 0 &&
		(!is_finite(s, times->elemtype, s->value[0]) ||
		 !is_finite(s, times->elemtype, s->value[s->n - 1])))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("times must be finite"));
}

void
gs_ascending_close(gs_ascending *s)
{
	if (s->copy != NULL)
		pfree(s->copy);
}

/* Is the one at a place not counted? */
static inline bool
is_behind(const gs_ascending *s, int64 place, gs_number value)
{
	return is_above(s->value[place], value, s->is_float);
}

/* Does the answer lie between low and high? */
static inline bool
is_between(const gs_ascending *s, int64 low, int64 high, gs_number value)
{
	return (low == 0 || !is_behind(s, low - 1, value)) &&
		(high == s->n || is_behind(s, high, value));
}

int64
gs_ascending_count(gs_ascending *s, gs_number value)
{
	int64		low = 0;
	int64		high = s->n;

	for (int64 by = 1; by <= NEAR; by *= 8)
	{
		int64		from = Max(s->last - by, 0);
		int64		to = Min(s->last + by, s->n);

		if (is_between(s, from, to, value))
		{
			low = from;
			high = to;
			break;
		}
	}
	while (low < high)
	{
		int64		middle = low + (high - low) / 2;

		if (is_behind(s, middle, value))
			high = middle;
		else
			low = middle + 1;
	}
	s->last = low;
	return low;
}
