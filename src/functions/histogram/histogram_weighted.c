/*-------------------------------------------------------------------------
 *
 * histogram_weighted.c
 *	  gpu_weighted_histogram: weights added up by bucket, of arrays and of
 *	  columns.
 *
 * Each bucket that has an element has an exact sum, rounded once at the end.
 * The aggregate's state is internal: sums grow, each on its own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "array/array.h"
#include "exact/exact.h"
#include "functions/histogram/bucket.h"
#include "functions/reduce/pairs.h"
#include "state/state.h"

/* Sums by bucket; NULL: it has had no element. */
typedef struct sums
{
	double		low;
	double		high;
	int32		buckets;
	gs_state  **sum;
} sums;

/* No sums yet, in the current memory context; checks the arguments low, high, buckets. */
static void
open_sums(FunctionCallInfo fcinfo, int first, sums *s)
{
	s->low = PG_GETARG_FLOAT8(first);
	s->high = PG_GETARG_FLOAT8(first + 1);
	s->buckets = PG_GETARG_INT32(first + 2);
	gs_check_buckets(s->low, s->high, s->buckets);
	(void) gs_array_size(s->buckets, sizeof(double), 1, false);
	s->sum = palloc_extended(s->buckets * sizeof(gs_state *),
							 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void
require_buckets(FunctionCallInfo fcinfo, int first)
{
	gs_require_option(fcinfo, first, "low");
	gs_require_option(fcinfo, first + 1, "high");
	gs_require_option(fcinfo, first + 2, "buckets");
}

static inline void
keep_sum(gs_state **sum, gs_state *now)
{
	if (now != *sum)
		pfree(*sum);
	*sum = now;
}

static inline void
add_weight(sums *s, double x, double weight)
{
	int32		bucket = gs_bucket_of(x, s->low, s->high, s->buckets);
	gs_state  **sum;

	if (bucket == 0)
		return;
	sum = &s->sum[bucket - 1];
	if (*sum == NULL)
		*sum = gs_state_new(GS_STATE_REALS);
	keep_sum(sum, gs_state_add_double(*sum, weight));
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
					  gs_state_result(s->sum[i], GS_FIGURE_SUM, &isnull),
					  false);
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
	require_buckets(fcinfo, 2);
	open_sums(fcinfo, 2, &s);
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

/*
 * The aggregate
 */

static MemoryContext
aggregate_context(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "aggregate function called in non-aggregate context");
	return context;
}

static pg_noinline void
parameters_changed(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("low, high and buckets must not change within a group"));
}

/* Take away a weight that was added. */
static void
remove_weight(sums *s, double x, double weight)
{
	int32		bucket = gs_bucket_of(x, s->low, s->high, s->buckets);
	gs_state  **sum;

	if (bucket == 0)
		return;
	sum = &s->sum[bucket - 1];
	keep_sum(sum, gs_state_remove_double(*sum, weight));
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram_add);

/* gpu_weighted_histogram_add(internal, value, weight, low, high, buckets) */
Datum
gpu_weighted_histogram_add(PG_FUNCTION_ARGS)
{
	MemoryContext old = MemoryContextSwitchTo(aggregate_context(fcinfo));
	sums	   *s;

	require_buckets(fcinfo, 3);
	if (PG_ARGISNULL(0))
	{
		s = palloc(sizeof(sums));
		open_sums(fcinfo, 3, s);
	}
	else
	{
		s = (sums *) PG_GETARG_POINTER(0);
		if (gs_double_bits(s->low) != gs_double_bits(PG_GETARG_FLOAT8(3)) ||
			gs_double_bits(s->high) != gs_double_bits(PG_GETARG_FLOAT8(4)) ||
			s->buckets != PG_GETARG_INT32(5))
			parameters_changed();
	}
	if (!PG_ARGISNULL(1) && !PG_ARGISNULL(2))
		add_weight(s, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2));
	MemoryContextSwitchTo(old);
	PG_RETURN_POINTER(s);
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram_remove);

/* gpu_weighted_histogram_remove(internal, value, weight, low, high, buckets) */
Datum
gpu_weighted_histogram_remove(PG_FUNCTION_ARGS)
{
	MemoryContext old = MemoryContextSwitchTo(aggregate_context(fcinfo));
	sums	   *s = PG_ARGISNULL(0) ? NULL : (sums *) PG_GETARG_POINTER(0);

	if (s == NULL)
		elog(ERROR, "a window aggregate's state must not be null");
	if (!PG_ARGISNULL(1) && !PG_ARGISNULL(2))
		remove_weight(s, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2));
	MemoryContextSwitchTo(old);
	PG_RETURN_POINTER(s);
}

static gs_state *
copy_state(const gs_state *s)
{
	return memcpy(palloc(VARSIZE(s)), s, VARSIZE(s));
}

static sums *
new_like(const sums *s)
{
	sums	   *r = palloc(sizeof(sums));

	*r = *s;
	r->sum = palloc_extended(s->buckets * sizeof(gs_state *),
							 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	return r;
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram_merge);

/* gpu_weighted_histogram_merge(internal, internal) */
Datum
gpu_weighted_histogram_merge(PG_FUNCTION_ARGS)
{
	MemoryContext old = MemoryContextSwitchTo(aggregate_context(fcinfo));
	sums	   *s = PG_ARGISNULL(0) ? NULL : (sums *) PG_GETARG_POINTER(0);
	const sums *other = PG_ARGISNULL(1) ? NULL :
		(const sums *) PG_GETARG_POINTER(1);

	if (other != NULL)
	{
		if (s == NULL)
			s = new_like(other);
		else if (gs_double_bits(s->low) != gs_double_bits(other->low) ||
				 gs_double_bits(s->high) != gs_double_bits(other->high) ||
				 s->buckets != other->buckets)
			parameters_changed();
		for (int32 i = 0; i < s->buckets; i++)
		{
			if (i % GS_INTERRUPT_ELEMENTS == 0)
				CHECK_FOR_INTERRUPTS();
			if (other->sum[i] == NULL)
				continue;
			if (s->sum[i] == NULL)
				s->sum[i] = copy_state(other->sum[i]);
			else
				keep_sum(&s->sum[i], gs_state_merge(s->sum[i], other->sum[i]));
		}
	}
	MemoryContextSwitchTo(old);
	if (s == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(s);
}

/* Between processes it is part of a row, which has a header and other columns. */
#define MAX_SERIALIZED	(MaxAllocSize - BLCKSZ)

static Size
serialized_size(const sums *s)
{
	Size		size = VARHDRSZ + sizeof(sums);

	for (int32 i = 0; i < s->buckets; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (s->sum[i] != NULL)
			size += sizeof i + VARSIZE(s->sum[i]);
	}
	if (size > MAX_SERIALIZED)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("the sums of %d buckets are too large for a parallel worker to pass on",
					   s->buckets),
				errdetail("They take %zu bytes, but can take at most %zu.",
						  size, (size_t) MAX_SERIALIZED),
				errhint("Set max_parallel_workers_per_gather to 0, or use fewer buckets."));
	return size;
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram_serialize);

/*
 * gpu_weighted_histogram_serialize(internal), for processes of this server only:
 * the sums, then each bucket that has one and its state.
 */
Datum
gpu_weighted_histogram_serialize(PG_FUNCTION_ARGS)
{
	const sums *s = (const sums *) PG_GETARG_POINTER(0);
	Size		size;
	bytea	   *b;
	char	   *to;

	aggregate_context(fcinfo);
	size = serialized_size(s);
	b = gs_alloc_large(size);
	SET_VARSIZE(b, size);
	to = VARDATA(b);
	memcpy(to, s, sizeof(sums));
	to += sizeof(sums);
	for (int32 i = 0; i < s->buckets; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (s->sum[i] == NULL)
			continue;
		memcpy(to, &i, sizeof i);
		to += sizeof i;
		memcpy(to, s->sum[i], VARSIZE(s->sum[i]));
		to += VARSIZE(s->sum[i]);
	}
	PG_RETURN_BYTEA_P(b);
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram_deserialize);

/* gpu_weighted_histogram_deserialize(bytea, internal) */
Datum
gpu_weighted_histogram_deserialize(PG_FUNCTION_ARGS)
{
	bytea	   *b;
	const char *from;
	const char *end;
	sums		head;
	sums	   *s;

	aggregate_context(fcinfo);
	b = PG_GETARG_BYTEA_PP(0);
	from = VARDATA_ANY(b);
	end = from + VARSIZE_ANY_EXHDR(b);
	memcpy(&head, from, sizeof head);
	from += sizeof head;
	s = new_like(&head);
	for (int64 n = 0; from < end; n++)
	{
		gs_state	start;
		int32		i;

		if (n % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		memcpy(&i, from, sizeof i);
		from += sizeof i;
		memcpy(&start, from, sizeof start);	/* not aligned */
		s->sum[i] = palloc(VARSIZE(&start));
		memcpy(s->sum[i], from, VARSIZE(&start));
		from += VARSIZE(&start);
	}
	PG_RETURN_POINTER(s);
}

PG_FUNCTION_INFO_V1(gpu_weighted_histogram_final);

/* Returns the sums, rounded. */
Datum
gpu_weighted_histogram_final(PG_FUNCTION_ARGS)
{
	aggregate_context(fcinfo);
	return make_result((const sums *) PG_GETARG_POINTER(0));
}
