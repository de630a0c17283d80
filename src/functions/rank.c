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

#include "functions/sort.h"
#include "functions/spread.h"

/* Results of all elements, an integer or a double each. */
typedef struct ranks
{
	gs_call		call;
	int32	   *order;			/* the positions in order, counted from 1 */
	int64		n;
	gs_builder	builder;
	gs_output	results;
} ranks;

static void
open_ranks(ranks *r, const char *function, gs_type type,
		   FunctionCallInfo fcinfo, int options)
{
	gs_sorting	s;

	gs_sorting_open(&s, &r->call, function, GS_ARGSORT, fcinfo, options);
	r->n = r->call.data.n;
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

/* Is an element, counted from 0, there, and which one is it? */
static inline bool
element(const gs_spread *s, int64 place, gs_number *value)
{
	bool		has = gs_spread_has(s, place);

	if (has)
		*value = gs_number_from_datum(gs_spread_at(s, place), s->type);
	return has;
}

/* Of elements in order, the end of those that equal the one at `first`. */
static int64
end_of_peers(const ranks *r, const gs_spread *s, int64 first)
{
	bool		is_float = gs_is_float(s->type);
	gs_number	value = {0};
	bool		has = element(s, r->order[first] - 1, &value);
	int64		i;

	for (i = first + 1; i < r->n; i++)
	{
		gs_number	other = {0};

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (element(s, r->order[i] - 1, &other) != has ||
			(has && !gs_number_equals(value, other, is_float)))
			break;
	}
	return i;
}

/* What peers share. */
typedef enum rank_kind
{
	RANK,						/* 1 + how many come before them */
	DENSE_RANK,					/* 1 + how many different ones do */
	CUME_DIST					/* the share of those up to them */
} rank_kind;

static Datum
rank_elements(FunctionCallInfo fcinfo, const char *function, rank_kind kind)
{
	ranks		r;
	gs_spread	s;
	int32		dense = 0;
	int64		end;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	open_ranks(&r, function, kind == CUME_DIST ? GS_FLOAT8 : GS_INT4, fcinfo,
			   1);
	gs_array_read(&r.call.data);
	gs_spread_open(&s, &r.call.data);
	for (int64 first = 0; first < r.n; first = end)
	{
		end = end_of_peers(&r, &s, first);
		dense++;
		for (int64 i = first; i < end; i++)
		{
			int64		place = r.order[i] - 1;

			if (i % GS_INTERRUPT_ELEMENTS == 0)
				CHECK_FOR_INTERRUPTS();
			if (kind == CUME_DIST)
				((double *) r.results.values)[place] =
					(double) end / (double) r.n;
			else
				((int32 *) r.results.values)[place] =
					kind == RANK ? (int32) first + 1 : dense;
		}
	}
	gs_spread_close(&s);
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
	int64		in_larger;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "n");
	n = PG_GETARG_INT32(1);
	if (n <= 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_ARGUMENT_FOR_NTILE),
				errmsg("n must be greater than zero, but is %d", n));
	open_ranks(&r, "gpu_ntile", GS_INT4, fcinfo, 2);
	size = r.n / n;
	larger = r.n % n;
	in_larger = larger * (size + 1);
	for (int64 i = 0; i < r.n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		((int32 *) r.results.values)[r.order[i] - 1] = (int32)
			(1 + (i < in_larger ? i / (size + 1) :
				  larger + (i - in_larger) / size));
	}
	return close_ranks(&r);
}
