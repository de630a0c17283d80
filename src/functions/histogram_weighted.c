/*-------------------------------------------------------------------------
 *
 * histogram_weighted.c
 *	  gpu_weighted_histogram: weights of elements added up by bucket.
 *
 * Each bucket that has an element has an exact sum, rounded once at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "functions/bucket.h"
#include "functions/pairs.h"
#include "state/state.h"

/* Sums by bucket; NULL: it has had no element. */
typedef struct sums
{
	double		low;
	double		high;
	int32		buckets;
	gs_state  **sum;
} sums;

/* Arguments 2 to 4: low, high, buckets */
static void
get_buckets(FunctionCallInfo fcinfo, sums *s)
{
	gs_require_option(fcinfo, 2, "low");
	gs_require_option(fcinfo, 3, "high");
	gs_require_option(fcinfo, 4, "buckets");
	s->low = PG_GETARG_FLOAT8(2);
	s->high = PG_GETARG_FLOAT8(3);
	s->buckets = PG_GETARG_INT32(4);
	gs_check_buckets(s->low, s->high, s->buckets);
	if (s->buckets > (int32) MaxArraySize)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("array size exceeds the maximum allowed (%d)",
					   (int) MaxArraySize));
	s->sum = palloc_extended(s->buckets * sizeof(gs_state *),
							 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void
add_weight(sums *s, double x, double weight)
{
	int32		bucket = gs_bucket_of(x, s->low, s->high, s->buckets);
	gs_state   *before;
	gs_state   *after;

	if (bucket == 0)
		return;
	before = s->sum[bucket - 1];
	if (before == NULL)
		before = gs_state_new(GS_STATE_REALS);
	after = gs_state_add_double(before, weight);
	if (after != before)
		pfree(before);
	s->sum[bucket - 1] = after;
}

/* Sums of nothing are 0. */
static Datum
make_result(const sums *s)
{
	gs_writer	writer;

	gs_writer_open(&writer, FLOAT8OID, s->buckets, NULL, 0);
	for (int32 i = 0; i < s->buckets; i++)
	{
		bool		isnull = false;

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		gs_writer_put(&writer, s->sum[i] == NULL ? Float8GetDatum(0) :
					  gs_state_sum_double(s->sum[i], &isnull), false);
	}
	return gs_writer_close(&writer);
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram);

/* gpu_weighted_histogram(arr, weights, low, high, buckets) */
Datum
gpu_weighted_histogram(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	weights;
	gs_pairs	pairs;
	sums		s;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	get_buckets(fcinfo, &s);
	gs_call_open_elements(&call, "gpu_weighted_histogram", PG_GETARG_DATUM(0));
	gs_array_open(&weights, PG_GETARG_DATUM(1));
	gs_pairs_open(&pairs, &call.data, &weights);
	while (pairs.ys.i < pairs.ys.n)
	{
		double		x;
		double		weight;

		if (gs_pairs_next(&pairs, &x, &weight))
			add_weight(&s, x, weight);
	}
	gs_array_close(&weights);
	gs_call_close_elements(&call);
	return make_result(&s);
}
