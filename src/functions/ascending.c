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

void
gs_ascending_close(gs_ascending *s)
{
	pfree(s->value);
}

int64
gs_ascending_count(gs_ascending *s, gs_number value)
{
	int64		low = s->last;	/* what lies below is not above the number */
	int64		high = s->last; /* what lies here and beyond is */
	int64		by = 1;

	if (high < s->n && !is_above(s->value[high], value, s->is_float))
	{
		do
		{
			low = high + 1;
			high = Min(low + by, s->n);
			by *= 2;
		} while (high < s->n &&
				 !is_above(s->value[high], value, s->is_float));
	}
	else
	{
		while (low > 0 && is_above(s->value[low - 1], value, s->is_float))
		{
			high = low - 1;
			low = Max(high - by, 0);
			by *= 2;
		}
	}
	while (low < high)
	{
		int64		middle = low + (high - low) / 2;

		if (is_above(s->value[middle], value, s->is_float))
			high = middle;
		else
			low = middle + 1;
	}
	s->last = low;
	return low;
}
