/*-------------------------------------------------------------------------
 *
 * topk.c
 *	  gpu_topk of a column.
 *
 * The state keeps no more than k values, as a heap with the worst of them first.
 * A made-up state may be no heap: that makes results wrong, but nothing else.
 * Values of type numeric differ in size, so some more of them are kept in any
 * order, and the best ones are chosen from time to time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "call/call.h"
#include "functions/aggregate/moving.h"
#include "functions/order/collected.h"
#include "functions/order/decimal_order.h"
#include "functions/order/sort.h"

/* Values merged between two interrupt checks: below 1 ms. */
#define MERGE_PIECE		8192

/* Values of type numeric that a state keeps beyond twice k. */
#define MORE_DECIMALS	1024

/* The parameter of a state: k, and 1 if the largest are wanted, else 0. */
enum
{
	TOPK_K,
	TOPK_LARGEST,
	TOPK_PARAMETERS
};

typedef struct topk
{
	int32		k;
	bool		largest;
	gs_type		type;
	int			width;
} topk;

static void
set_parameter(gs_parameter *p, int32 k, bool largest)
{
	double		value[TOPK_PARAMETERS];

	value[TOPK_K] = k;
	value[TOPK_LARGEST] = largest;
	gs_parameter_set(p, TOPK_PARAMETERS, value);
}

static void
get_parameter(const ArrayType *parameter, topk *t)
{
	const double *value = gs_parameter_get(parameter, TOPK_PARAMETERS);

	if (!(value[TOPK_K] >= 0 && value[TOPK_K] <= PG_INT32_MAX))
		gs_collected_invalid();
	t->k = (int32) value[TOPK_K];
	t->largest = value[TOPK_LARGEST] != 0;
}

static ArrayType *
values_of(gs_collected *c)
{
	return (ArrayType *) DatumGetPointer(gs_collected_values(c));
}

static bool
has_decimals(gs_collected *c)
{
	return ARR_ELEMTYPE(values_of(c)) == NUMERICOID;
}

static void
get_type(gs_collected *c, topk *t)
{
	t->type = gs_type_from_oid(ARR_ELEMTYPE(values_of(c)));
	t->width = gs_type_width(t->type);
}

/* A number for each value, greater for a better one. */
static int64
rank_of(const topk *t, Datum value)
{
	int64		key = gs_order_key(t->type, value);

	return t->largest ? key : ~key;
}

static Datum
get_value(const topk *t, const char *heap, int64 i)
{
	return fetch_att(heap + i * t->width, true, t->width);
}

static void
set_value(const topk *t, char *heap, int64 i, Datum value)
{
	store_att_byval(heap + i * t->width, value, t->width);
}

/* Put a value in the last place, or further up where it is worse. */
static void
sift_up(const topk *t, char *heap, int64 i)
{
	Datum		value = get_value(t, heap, i);
	int64		rank = rank_of(t, value);

	while (i > 0)
	{
		int64		parent = (i - 1) / 2;
		Datum		above = get_value(t, heap, parent);

		if (rank_of(t, above) <= rank)
			break;
		set_value(t, heap, i, above);
		i = parent;
	}
	set_value(t, heap, i, value);
}

/* Replace the first of n values. */
static void
sift_down(const topk *t, char *heap, int64 n, Datum value)
{
	int64		rank = rank_of(t, value);
	int64		i = 0;

	for (int64 child = 1; child < n; child = 2 * i + 1)
	{
		if (child + 1 < n && rank_of(t, get_value(t, heap, child + 1)) <
			rank_of(t, get_value(t, heap, child)))
			child++;
		if (rank <= rank_of(t, get_value(t, heap, child)))
			break;
		set_value(t, heap, i, get_value(t, heap, child));
		i = child;
	}
	set_value(t, heap, i, value);
}

static gs_collected *
add_value(FunctionCallInfo fcinfo, const topk *t, gs_collected *c, Datum value)
{
	ArrayType  *a = values_of(c);
	int64		n = ARR_DIMS(a)[0];

	if (n < t->k)
	{
		c = gs_collected_append(fcinfo, c, value);
		sift_up(t, ARR_DATA_PTR(values_of(c)), n);
	}
	else if (t->k > 0 &&
			 rank_of(t, value) > rank_of(t, get_value(t, ARR_DATA_PTR(a), 0)))
		sift_down(t, ARR_DATA_PTR(a), n, value);
	return c;
}

static void
choose_best(const topk *t, gs_collected *c, gs_decimals *d)
{
	gs_decimals_sort(d, gs_collected_values(c));
	gs_decimals_best(d, t->k, t->largest);
}

/* A state of numeric to which values were added. */
static gs_collected *
after_decimals(const topk *t, gs_collected *c)
{
	gs_decimals d;

	if (ARR_DIMS(values_of(c))[0] < 2 * (int64) t->k + MORE_DECIMALS)
		return c;
	choose_best(t, c, &d);
	gs_collected_keep(c, d.value, d.n);
	return c;
}

static Datum
decimals_result(const topk *t, gs_collected *c)
{
	gs_decimals d;

	choose_best(t, c, &d);
	if (d.n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(NUMERICOID));
	PG_RETURN_ARRAYTYPE_P(construct_array(d.value, d.n, NUMERICOID, -1, false,
										  TYPALIGN_INT));
}

/* Arguments k and, if it is there, largest. */
static void
get_arguments(FunctionCallInfo fcinfo, topk *t, gs_parameter *parameter)
{
	gs_require_option(fcinfo, 2, "k");
	t->k = PG_GETARG_INT32(2);
	gs_check_topk(t->k);
	t->largest = true;
	if (PG_NARGS() > 3)
	{
		gs_require_option(fcinfo, 3, "largest");
		t->largest = PG_GETARG_BOOL(3);
	}
	set_parameter(parameter, t->k, t->largest);
}

PG_FUNCTION_INFO_V1(gpu_topk_collect);

/* gpu_topk_collect(bytea, value, k [, largest]) */
Datum
gpu_topk_collect(PG_FUNCTION_ARGS)
{
	gs_parameter parameter;
	gs_collected *c;
	topk		t;

	get_arguments(fcinfo, &t, &parameter);
	c = gs_collected_open(fcinfo, GS_NUMBERS | GS_TIMES | GS_DECIMALS,
						  &parameter.array, "k and largest");
	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(c);
	if (has_decimals(c))
		return PointerGetDatum(after_decimals(&t,
											  gs_collected_append(fcinfo, c,
																  PG_GETARG_DATUM(1))));
	get_type(c, &t);
	PG_RETURN_POINTER(add_value(fcinfo, &t, c, PG_GETARG_DATUM(1)));
}

PG_FUNCTION_INFO_V1(gpu_topk_merge);

/* gpu_topk_merge(bytea, bytea) */
Datum
gpu_topk_merge(PG_FUNCTION_ARGS)
{
	gs_collected *other;
	gs_collected *c = gs_collected_to_merge(fcinfo, &other, "k and largest");
	const ArrayType *more = values_of(other);
	topk		t;

	get_parameter(gs_collected_parameter(c), &t);
	if (has_decimals(c))
		return PointerGetDatum(after_decimals(&t,
											  gs_collected_append_all(fcinfo, c,
																	  other)));
	get_type(c, &t);
	for (int64 i = 0; i < ARR_DIMS(more)[0]; i++)
	{
		if (i % MERGE_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
		c = add_value(fcinfo, &t, c, get_value(&t, ARR_DATA_PTR(more), i));
	}
	PG_RETURN_POINTER(c);
}

PG_FUNCTION_INFO_V1(gpu_topk_final);

/* gpu_topk_final(bytea, value, k [, largest]): the rest is there for its types */
Datum
gpu_topk_final(PG_FUNCTION_ARGS)
{
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, GS_NUMBERS | GS_TIMES |
											GS_DECIMALS, &type);
	topk		t;

	if (c == NULL)
		PG_RETURN_NULL();
	get_parameter(gs_collected_parameter(c), &t);
	if (type == NUMERICOID)
		return decimals_result(&t, c);
	return gs_topk(gs_collected_values(c), t.k, t.largest);
}

/*
 * A moving frame
 */

PG_FUNCTION_INFO_V1(gpu_frame_topk);

/* gpu_frame_topk(internal, value, k [, largest]) */
Datum
gpu_frame_topk(PG_FUNCTION_ARGS)
{
	gs_parameter parameter;
	topk		t;

	get_arguments(fcinfo, &t, &parameter);
	PG_RETURN_POINTER(gs_moving_add(fcinfo,
									GS_NUMBERS | GS_TIMES | GS_DECIMALS,
									&gs_moving_percentile, &parameter.array,
									"k and largest"));
}

/*
 * The best values.  Of equal ones of numeric the one with fewer decimal places
 * comes first, also among the largest.
 */
static void
take_best(const gs_multiset *m, bool largest, Datum *best, int64 n)
{
	int64		end = gs_multiset_count(m);
	int64		taken = 0;

	while (taken < n)
	{
		int64		first = largest ? end - 1 : 0;
		gs_number	value = gs_multiset_at(m, first);

		if (largest && m->decimals)
			(void) gs_multiset_first_equal(m, value, &first);
		for (int64 i = first; i < end && taken < n; i++)
		{
			if (taken % GS_INTERRUPT_ELEMENTS == 0)
				CHECK_FOR_INTERRUPTS();
			value = gs_multiset_at(m, i);
			best[taken++] = m->decimals ? gs_decimal_of(value) :
				gs_datum_from_number(value, m->type);
		}
		end = first;
	}
}

PG_FUNCTION_INFO_V1(gpu_frame_topk_final);

/* gpu_frame_topk_final(internal, value, k [, largest]) */
Datum
gpu_frame_topk_final(PG_FUNCTION_ARGS)
{
	const gs_moving_aggregate *a;
	Datum	   *best;
	topk		t;
	int64		n;
	int16		width;
	bool		by_value;
	char		align;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	a = (const gs_moving_aggregate *) PG_GETARG_POINTER(0);
	get_parameter(a->parameter, &t);
	n = Min(t.k, a->entered - a->left);
	if (n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(a->type));
	best = gs_alloc_large(n * sizeof(Datum));
	take_best(a->frame.values, t.largest, best, n);
	get_typlenbyvalalign(a->type, &width, &by_value, &align);
	PG_RETURN_ARRAYTYPE_P(construct_array(best, n, a->type, width, by_value,
										  align));
}
