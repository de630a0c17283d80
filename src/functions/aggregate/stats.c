/*-------------------------------------------------------------------------
 *
 * stats.c
 *	  gpu_stats: an exact summary of numbers that can be stored and merged.
 *
 * It is a state (state.h) of its own kind.  Before it leaves an aggregate it
 * is brought to canonical form, so that the same numbers give the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/call.h"
#include "call/numeric.h"
#include "common/hashfn.h"
#include "state/state.h"

static const gs_state *
stats_argument(FunctionCallInfo fcinfo)
{
	return (const gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(0));
}

static gs_state *
canonical_form(const gs_state *s)
{
	gs_canonical canonical;

	gs_state_get_canonical(s, &canonical);
	return gs_state_from_canonical(&canonical);
}

PG_FUNCTION_INFO_V1(gpu_stats_final);

/* The result of gpu_stats_agg and gpu_rollup; NULL without elements. */
Datum
gpu_stats_final(PG_FUNCTION_ARGS)
{
	const gs_state *s = stats_argument(fcinfo);

	if (s->n == 0)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(canonical_form(s));
}

PG_FUNCTION_INFO_V1(gpu_stats_array);

/* gpu_stats(E[]) */
Datum
gpu_stats_array(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_canonical canonical;

	gs_call_reduce(&call, "gpu_stats", GS_STATS, PG_GETARG_DATUM(0));
	if (call.result.present == 0)
		PG_RETURN_NULL();
	gs_canonical_from_stats(&canonical, call.op.type, &call.result);
	PG_RETURN_POINTER(gs_state_from_canonical(&canonical));
}

static Datum
extreme(FunctionCallInfo fcinfo, int which)
{
	const gs_state *s = stats_argument(fcinfo);
	double		value[2];

	if (s->n == 0)
		PG_RETURN_NULL();
	gs_state_extremes(s, &value[0], &value[1]);
	PG_RETURN_FLOAT8(value[which]);
}

PG_FUNCTION_INFO_V1(gpu_stats_min);

Datum
gpu_stats_min(PG_FUNCTION_ARGS)
{
	return extreme(fcinfo, 0);
}

PG_FUNCTION_INFO_V1(gpu_stats_max);

Datum
gpu_stats_max(PG_FUNCTION_ARGS)
{
	return extreme(fcinfo, 1);
}

PG_FUNCTION_INFO_V1(gpu_sum_exact);

/* The sum as a numeric, without rounding. */
Datum
gpu_sum_exact(PG_FUNCTION_ARGS)
{
	const gs_state *s = stats_argument(fcinfo);
	gs_canonical f;
	const gs_canonical_sum *sum = &f.window[GS_SUM_WINDOW];

	if (s->n == 0)
		PG_RETURN_NULL();
	gs_state_get_canonical(s, &f);
	if (f.special[GS_SPECIAL_NAN] > 0 ||
		f.special[GS_SPECIAL_POSITIVE_INF] > 0 ||
		f.special[GS_SPECIAL_NEGATIVE_INF] > 0)
		return DirectFunctionCall1(float8_numeric,
								   gs_state_result(s, GS_FIGURE_SUM,
												   &fcinfo->isnull));
	return gs_numeric_binary(sum->word, sum->words, sum->negative,
							 32 * sum->first + GS_ACC_LOWEST);
}

/*
 * Summaries are compared in canonical form, so the width of their windows does
 * not matter.  They are ordered by count first; the rest of the order has no
 * meaning beyond sorts, merge joins and indexes.
 */

static int
compare_integers(int64 a, int64 b)
{
	return (a > b) - (a < b);
}

static int
compare_sum(const gs_canonical_sum *a, const gs_canonical_sum *b)
{
	int			order = compare_integers(a->negative, b->negative);

	if (order == 0)
		order = compare_integers(a->first, b->first);
	if (order == 0)
		order = compare_integers(a->words, b->words);
	for (int i = 0; i < a->words && order == 0; i++)
		order = compare_integers(a->word[i], b->word[i]);
	return order;
}

/* The bits of minimum and maximum; 0 without elements. */
static void
extreme_bits(const gs_state *s, int64 *bits)
{
	double		value[2] = {0, 0};

	if (s->n > 0)
		gs_state_extremes(s, &value[0], &value[1]);
	for (int i = 0; i < 2; i++)
		bits[i] = (int64) gs_double_bits(value[i]);
}

/* What differs most often is compared first. */
static int
compare_states(const gs_state *a, const gs_state *b)
{
	int			order = compare_integers(a->n, b->n);
	int64		extreme[2][2];
	gs_canonical f;
	gs_canonical g;

	extreme_bits(a, extreme[0]);
	extreme_bits(b, extreme[1]);
	for (int i = 0; i < 2 && order == 0; i++)
		order = compare_integers(extreme[0][i], extreme[1][i]);
	if (order != 0 ||
		(VARSIZE(a) == VARSIZE(b) && memcmp(a, b, VARSIZE(a)) == 0))
		return order;

	gs_state_get_canonical(a, &f);
	gs_state_get_canonical(b, &g);
	for (int i = 0; i < GS_SPECIALS && order == 0; i++)
		order = compare_integers(f.special[i], g.special[i]);
	for (int w = 0; w < GS_WINDOWS && order == 0; w++)
		order = compare_sum(&f.window[w], &g.window[w]);
	return order;
}

static int
compare(FunctionCallInfo fcinfo)
{
	gs_state   *a = (gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(0));
	gs_state   *b = (gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(1));
	int			order = compare_states(a, b);

	/* indexes and sorts call this often and must not leak */
	PG_FREE_IF_COPY(a, 0);
	PG_FREE_IF_COPY(b, 1);
	return order;
}

#define COMPARISON(function, give, result) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	give(result); \
}

COMPARISON(gpu_stats_cmp, PG_RETURN_INT32, compare(fcinfo))
COMPARISON(gpu_stats_eq, PG_RETURN_BOOL, compare(fcinfo) == 0)
COMPARISON(gpu_stats_ne, PG_RETURN_BOOL, compare(fcinfo) != 0)
COMPARISON(gpu_stats_lt, PG_RETURN_BOOL, compare(fcinfo) < 0)
COMPARISON(gpu_stats_le, PG_RETURN_BOOL, compare(fcinfo) <= 0)
COMPARISON(gpu_stats_gt, PG_RETURN_BOOL, compare(fcinfo) > 0)
COMPARISON(gpu_stats_ge, PG_RETURN_BOOL, compare(fcinfo) >= 0)

/* Hash everything that compare compares. */
static uint64
hash_canonical(FunctionCallInfo fcinfo, uint64 seed)
{
	gs_state   *s = (gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(0));
	gs_canonical f;

	gs_state_get_canonical(s, &f);
	seed = hash_combine64(seed, (uint64) f.n);
	for (int i = 0; i < GS_SPECIALS; i++)
		seed = hash_combine64(seed, (uint64) f.special[i]);
	for (int i = 0; i < 2; i++)
		seed = hash_combine64(seed, gs_double_bits(f.extreme[i]));
	for (int w = 0; w < GS_WINDOWS; w++)
	{
		const gs_canonical_sum *sum = &f.window[w];

		seed = hash_combine64(seed, (uint64) sum->first << 1 |
							  sum->negative);
		seed = hash_bytes_extended((const unsigned char *) sum->word,
								   sizeof(uint32_t) * sum->words, seed);
	}
	PG_FREE_IF_COPY(s, 0);
	return seed;
}

PG_FUNCTION_INFO_V1(gpu_stats_hash);

/*
 * The low half of the 64-bit hash with seed 0, as hash functions must agree.
 */
Datum
gpu_stats_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_UINT32((uint32) hash_canonical(fcinfo, 0));
}

PG_FUNCTION_INFO_V1(gpu_stats_hash_extended);

Datum
gpu_stats_hash_extended(PG_FUNCTION_ARGS)
{
	PG_RETURN_UINT64(hash_canonical(fcinfo, (uint64) PG_GETARG_INT64(1)));
}
