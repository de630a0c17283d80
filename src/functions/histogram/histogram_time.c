/*-------------------------------------------------------------------------
 *
 * histogram_time.c
 *	  Bounds of histograms that are times.
 *
 * An engine compares integers with bounds that are doubles, and rounds the
 * integers to doubles for that.  This cannot change the result of a comparison
 * with a bound that is an integer which a double holds: so a bound must be one.
 * All dates are, and timestamps up to 285 years from 2000.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/date.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "call/array_iteration.h"
#include "functions/histogram/histogram_time.h"

/* Up to here a double holds every integer. */
#define EXACT_INTEGERS	(INT64CONST(1) << 53)

static Datum
datum_from_time(Oid type, int64 time)
{
	return type == DATEOID ? DateADTGetDatum((DateADT) time) :
		TimestampGetDatum(time);
}

static int64
time_from_datum(Oid type, Datum time)
{
	return type == DATEOID ? DatumGetDateADT(time) : DatumGetTimestamp(time);
}

static char *
time_to_text(Oid type, int64 time)
{
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(type, &output, &varlena);
	return OidOutputFunctionCall(output, datum_from_time(type, time));
}

static bool
is_exact(int64 time)
{
	return time >= -EXACT_INTEGERS && time <= EXACT_INTEGERS;
}

bool
gs_time_is_bound(Oid type, Datum time)
{
	int64		value = time_from_datum(type, time);

	return gs_time_is_finite(type, value) && is_exact(value);
}

static void
require_exact(Oid type, int64 time)
{
	if (!gs_time_is_finite(type, time) || is_exact(time))
		return;
	ereport(ERROR,
			errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			errmsg("bound %s is too far from the year 2000",
				   time_to_text(type, time)),
			errdetail("Bounds of a histogram of timestamps are infinite, or between the years 1715 and 2285."));
}

double
gs_bound_from_time(Oid type, Datum time)
{
	int64		value = time_from_datum(type, time);

	require_exact(type, value);
	if (!gs_time_is_finite(type, value))
		return value < 0 ? -get_float8_infinity() : get_float8_infinity();
	return (double) value;
}

/*
 * An infinite edge is where infinite elements are, at the end of the integers,
 * which is a power of 2 or, rounded as elements are, becomes one.
 */
const double *
gs_edges_from_times(gs_array *edges)
{
	Oid			type = edges->elemtype;
	double	   *result;
	gs_reader	reader;
	int64		before = 0;

	gs_array_read(edges);
	result = gs_alloc_large(edges->n * sizeof(double));
	gs_reader_open(&reader, edges);
	for (int64 i = 0; i < edges->n; i++)
	{
		gs_number	time;

		if (!gs_reader_next(&reader, &time))
			ereport(ERROR,
					errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("edges must not contain nulls"));
		if (i > 0 && time.i <= before)
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("edges must be strictly ascending, but %s follows %s",
						   time_to_text(type, time.i),
						   time_to_text(type, before)));
		require_exact(type, time.i);
		result[i] = (double) time.i;
		before = time.i;
	}
	return result;
}

Datum
gs_time_from_bound(Oid type, double bound, bool last)
{
	double		whole = last ? floor(bound) : ceil(bound);
	double		end = type == DATEOID ? 2147483647.0 : 9223372036854775808.0;

	if (whole >= end)
		return datum_from_time(type, type == DATEOID ? DATEVAL_NOEND : DT_NOEND);
	if (whole <= -end)
		return datum_from_time(type, type == DATEOID ? DATEVAL_NOBEGIN :
							   DT_NOBEGIN);
	return datum_from_time(type, (int64) whole);
}
