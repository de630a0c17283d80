/*-------------------------------------------------------------------------
 *
 * rank.c
 *	  SQL functions that say of each element where it is in the order of all.
 *
 * An engine gives the positions of the elements in order; what follows from
 * them is written to these positions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "functions/sort.h"

/* Results of all elements, an integer or a double each. */
typedef struct ranks
{
	gs_call		call;
	int32	   *order;			/* the positions in order, counted from 1; of
								 * GS_PEERS, negative: equal to the one before */
	int64		n;
	int64		nulls;
	bool		nulls_first;
	gs_builder	builder;
	gs_output	results;
} ranks;

static void
open_ranks(ranks *r, const char *function, gs_kind kind, gs_type type,
		   FunctionCallInfo fcinfo, int options)
{
	gs_sorting	s;

	gs_sorting_open(&s, &r->call, function, kind, fcinfo, options);
	r->n = r->call.data.n;
	r->nulls = s.nulls;
	r->nulls_first = s.nulls_first;
	gs_builder_open(&r->builder, gs_type_oid(type), r->n, r->call.data.flat, 0);
	r->order = gs_alloc_large(Max(r->n, 1) * sizeof(int32));
	gs_sorting_positions(&s, &r->call, r->order);
	r->results = (gs_output) {
		.values = gs_builder_reserve(&r->builder, r->n),
		.n = r->n,
		.present = r->n
	};
}

static Datum
close_ranks(ranks *r)
{
	gs_builder_commit(&r->builder, &r->results);
	pfree(r->order);
	gs_call_close(&r->call);
	return gs_builder_close(&r->builder);
}

/* What peers share. */
typedef enum rank_kind
{
	RANK,						/* 1 + how many come before them */
	DENSE_RANK,					/* 1 + how many different ones do */
	CUME_DIST					/* the share of those up to them */
} rank_kind;

/*
 * The elements from `first` to `end` - 1 in order, none of which is NULL, are
 * ranked; `dense` others come before.  Returns the last one's dense rank.
 */
static int32
rank_values(const ranks *r, rank_kind kind, int64 first, int64 end,
			int32 dense)
{
	int32	   *result = r->results.values;
	int32		rank = 0;

	for (int64 i = first; i < end; i++)
	{
		int32		position = r->order[i];
		bool		differs = position > 0;

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		dense += differs;
		rank = differs ? (int32) i + 1 : rank;
		result[abs(position) - 1] = kind == RANK ? rank : dense;
	}
	return dense;
}

/* The same of shares, from the last one on, which knows where its peers end. */
static void
distribute_values(const ranks *r, int64 first, int64 end)
{
	double	   *result = r->results.values;
	double		share = 0;
	bool		last = true;	/* of its peers */

	for (int64 i = end - 1; i >= first; i--)
	{
		int32		position = r->order[i];

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (last)
			share = (double) (i + 1) / (double) r->n;
		last = position > 0;
		result[abs(position) - 1] = share;
	}
}

/* The NULLs, which are peers and begin at `first` in order. */
static void
rank_nulls(const ranks *r, rank_kind kind, int64 first, int32 dense)
{
	int32		rank = kind == RANK ? (int32) first + 1 : dense;
	double		share = (double) (first + r->nulls) / (double) r->n;

	for (int64 i = first; i < first + r->nulls; i++)
	{
		int64		place = r->order[i] - 1;

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (kind == CUME_DIST)
			((double *) r->results.values)[place] = share;
		else
			((int32 *) r->results.values)[place] = rank;
	}
}

static Datum
rank_elements(FunctionCallInfo fcinfo, const char *function, rank_kind kind)
{
	ranks		r;
	int64		first;
	int32		dense;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	open_ranks(&r, function, GS_PEERS,
			   kind == CUME_DIST ? GS_FLOAT8 : GS_INT4, fcinfo, 1);
	first = r.nulls_first ? r.nulls : 0;
	dense = first > 0;
	if (kind == CUME_DIST)
		distribute_values(&r, first, first + r.n - r.nulls);
	else
		dense = rank_values(&r, kind, first, first + r.n - r.nulls, dense);
	if (r.nulls_first)
		rank_nulls(&r, kind, 0, 1);
	else
		rank_nulls(&r, kind, r.n - r.nulls, dense + 1);
	return close_ranks(&r);
}

#define RANKS(name, kind) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	return rank_elements(fcinfo, #name, kind); \
}

RANKS(gpu_rank, RANK)
RANKS(gpu_dense_rank, DENSE_RANK)
RANKS(gpu_cume_dist, CUME_DIST)

PG_FUNCTION_INFO_V1(gpu_ntile);

/* gpu_ntile(arr, n): the first buckets get what n equal ones leave over */
Datum
gpu_ntile(PG_FUNCTION_ARGS)
{
	ranks		r;
	int32		n;
	int64		larger;			/* how many buckets have one more */
	int64		size;			/* of the others */
	int64		bucket = 0;
	int64		end = 0;		/* of the bucket */

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "n");
	n = PG_GETARG_INT32(1);
	if (n <= 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_ARGUMENT_FOR_NTILE),
				errmsg("n must be greater than zero, but is %d", n));
	open_ranks(&r, "gpu_ntile", GS_ARGSORT, GS_INT4, fcinfo, 2);
	size = r.n / n;
	larger = r.n % n;
	for (int64 i = 0; i < r.n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (i == end)
			end += size + (bucket++ < larger);
		((int32 *) r.results.values)[r.order[i] - 1] = (int32) bucket;
	}
	return close_ranks(&r);
}
