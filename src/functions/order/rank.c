/*-------------------------------------------------------------------------
 *
 * rank.c
 *	  SQL functions that say of each element where it is in the order of all.
 *
 * An engine ranks the elements that are not NULL.  Here NULLs come before or
 * after them, and ranks become what the function returns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "functions/order/sort.h"

typedef struct ranks
{
	gs_sorting	sorting;
	int64		n;				/* elements, */
	int64		present;		/* of which so many are not NULL */
	gs_kind		kind;
	int32		buckets;		/* of gpu_ntile */
	void	   *results;		/* of all elements: int4, or float8 */
} ranks;

/*
 * Of the elements that are not NULL, to the start of the results, where they
 * stand until they are in the way.
 */
static gs_status
fetch_ranks(gs_call *call, const gs_engine *engine)
{
	ranks	   *r = call->fetch_arg;

	if (call->result.results != r->present)
		elog(ERROR, "%lld ranks of %lld elements",
			 (long long) call->result.results, (long long) r->present);
	return engine->fetch(call->run, GS_COLUMN_VALUES, 0, r->present,
						 r->results);
}

/* The rank of the first NULL. */
static int32
first_null(const ranks *r)
{
	const int32 *rank = r->results;
	int32		greatest = 0;

	if (r->sorting.nulls_first)
		return 1;
	if (r->kind != GS_DENSE_RANK)
		return (int32) r->present + 1;
	for (int64 i = 0; i < r->present; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		greatest = Max(greatest, rank[i]);
	}
	return greatest + 1;
}

/* The first buckets get what n equal ones leave over. */
static int32
bucket_of(const ranks *r, int32 row)
{
	const int32 size = (int32) r->n / r->buckets;
	const int32 larger = (int32) r->n % r->buckets;
	const int32 rows = larger * (size + 1); /* in the larger ones */

	if (row <= rows)
		return (row - 1) / (size + 1) + 1;
	return larger + (row - rows - 1) / size + 1;
}

static void
put_result(const ranks *r, int64 i, int32 rank)
{
	if (r->kind == GS_LAST_RANK)
		((double *) r->results)[i] = (double) rank / (double) r->n;
	else
		((int32 *) r->results)[i] = r->kind == GS_ROW_NUMBER ?
			bucket_of(r, rank) : rank;
}

/*
 * Results of all elements, from the last one on, so that none takes the place
 * of a rank that is still to be read.
 */
static void
put_results(const ranks *r, const uint8 *bitmap)
{
	const bool	nulls_first = r->sorting.nulls_first;
	const int32 before = r->sorting.nulls == 0 || !nulls_first ? 0 :
		r->kind == GS_DENSE_RANK ? 1 : (int32) r->sorting.nulls;
	int32		null = r->sorting.nulls == 0 ? 0 : first_null(r);
	int64		left = r->present;

	if (r->kind == GS_ROW_NUMBER)
		null += (int32) r->sorting.nulls;
	else if (r->kind == GS_LAST_RANK)
		null += (int32) r->sorting.nulls - 1;
	for (int64 i = r->n - 1; i >= 0; i--)
	{
		int32		rank;

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (bitmap != NULL && !(bitmap[i / 8] & (1 << (i % 8))))
			rank = r->kind == GS_ROW_NUMBER ? --null : null;
		else
		{
			memcpy(&rank, (const int32 *) r->results + --left, sizeof rank);
			rank += before;
		}
		put_result(r, i, rank);
	}
}

/* Descending and nulls_first are the arguments from `options` on. */
static Datum
rank_elements(FunctionCallInfo fcinfo, const char *function, ranks *r,
			  int options)
{
	gs_call		call;
	gs_builder	builder;
	gs_output	results = {0};

	gs_sorting_open(&r->sorting, &call, function, r->kind, fcinfo, options);
	r->n = call.data.n;
	r->present = r->n - r->sorting.nulls;
	gs_builder_open(&builder, r->kind == GS_LAST_RANK ? FLOAT8OID : INT4OID,
					r->n, call.data.flat, 0);
	results.n = results.present = r->n;
	results.values = r->results = gs_builder_reserve(&builder, r->n);
	call.fetch = fetch_ranks;
	call.fetch_arg = r;
	gs_call_execute(&call);
	if (r->sorting.nulls > 0 || r->kind == GS_ROW_NUMBER ||
		r->kind == GS_LAST_RANK)
		put_results(r, gs_array_bitmap(&call.data));
	gs_builder_commit(&builder, &results);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

#define RANKS(name, the_kind) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	ranks		r = {.kind = the_kind}; \
\
	if (PG_ARGISNULL(0)) \
		PG_RETURN_NULL(); \
	return rank_elements(fcinfo, #name, &r, 1); \
}

RANKS(gpu_rank, GS_RANK)
RANKS(gpu_dense_rank, GS_DENSE_RANK)
RANKS(gpu_cume_dist, GS_LAST_RANK)

PG_FUNCTION_INFO_V1(gpu_ntile);

/* gpu_ntile(arr, n) */
Datum
gpu_ntile(PG_FUNCTION_ARGS)
{
	ranks		r = {.kind = GS_ROW_NUMBER};

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "n");
	r.buckets = PG_GETARG_INT32(1);
	if (r.buckets <= 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_ARGUMENT_FOR_NTILE),
				errmsg("n must be greater than zero, but is %d", r.buckets));
	return rank_elements(fcinfo, "gpu_ntile", &r, 2);
}
