/*-------------------------------------------------------------------------
 *
 * ascending.c
 *	  Ascending numbers in memory, and where a number lies among them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/ascending.h"

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

void
gs_ascending_open(gs_ascending *s, const gs_array *a, const char *plural,
				  const char *singular)
{
	gs_reader	reader;

	if (ARR_NDIM(a->flat) > 1)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("%s must be an array of one dimension", plural));
	gs_reader_open(&reader, a);
	*s = (gs_ascending) {
		.value = gs_alloc_large(Max(a->n, 1) * sizeof(gs_number)),
		.n = a->n,
		.is_float = reader.is_float
	};
	for (int64 i = 0; i < s->n; i++)
	{
		if (!gs_reader_next(&reader, &s->value[i]))
			ereport(ERROR,
					errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("%s must not contain nulls", plural));
		if (i > 0 && is_above(s->value[i - 1], s->value[i], s->is_float))
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("%s must be ascending, but %s %lld is not",
						   plural, singular, (long long) i + 1));
	}
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
	pfree(s->value);
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
