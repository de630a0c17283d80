/*-------------------------------------------------------------------------
 *
 * moving.c
 *	  Aggregates over a frame that moves, which rows enter and leave.
 *
 * PostgreSQL calls a transition function for a row that enters and the inverse
 * one for a row that leaves, oldest first; both for NULLs, too.  It starts over
 * where the last row leaves.  States are internal: they never leave the window.
 *
 * Frames that do not move at their beginning use the plain aggregate, whose
 * results have the same bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "port/pg_bitutils.h"

#include "call/call.h"
#include "functions/aggregate/moving.h"
#include "functions/order/collected.h"
#include "functions/order/order.h"

MemoryContext
gs_window_context(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (AggCheckCallContext(fcinfo, &context) != AGG_CONTEXT_WINDOW)
		elog(ERROR, "window aggregate's function called in another context");
	return context;
}

void *
gs_window_state(FunctionCallInfo fcinfo)
{
	(void) gs_window_context(fcinfo);
	if (PG_ARGISNULL(0))
		elog(ERROR, "a window aggregate's state must not be null");
	return PG_GETARG_POINTER(0);
}

/* What frames whose values have an order hold. */
#define ORDERED			(GS_NUMBERS | GS_TIMES | GS_DECIMALS)

static gs_moving_aggregate *
new_aggregate(FunctionCallInfo fcinfo, MemoryContext context, int elements,
			  const gs_moving *what, const ArrayType *parameter)
{
	gs_moving_aggregate *a = MemoryContextAllocZero(context, sizeof *a);

	a->type = gs_value_type(fcinfo, 1, elements);
	a->what = what;
	gs_frame_open(&a->frame, a->type, context);
	if (parameter != NULL)
	{
		a->parameter = MemoryContextAlloc(context, VARSIZE(parameter));
		memcpy(a->parameter, parameter, VARSIZE(parameter));
	}
	return a;
}

static void
check_parameter(const gs_moving_aggregate *a, const ArrayType *parameter,
				const char *names)
{
	if ((a->parameter == NULL) != (parameter == NULL) ||
		(parameter != NULL &&
		 (VARSIZE(parameter) != VARSIZE(a->parameter) ||
		  memcmp(parameter, a->parameter, VARSIZE(parameter)) != 0)))
		gs_parameter_changed(names);
}

/* Argument 1. */
static gs_number
value_argument(FunctionCallInfo fcinfo, const gs_moving_aggregate *a)
{
	if (a->frame.decimals)
		return gs_number_of_decimal(NumericGetDatum(PG_GETARG_NUMERIC(1)));
	return gs_number_from_datum(PG_GETARG_DATUM(1), a->frame.type);
}

gs_moving_aggregate *
gs_moving_add(FunctionCallInfo fcinfo, int elements, const gs_moving *what,
			  const ArrayType *parameter, const char *names)
{
	MemoryContext context = gs_window_context(fcinfo);
	gs_moving_aggregate *a;
	gs_number	value;

	a = PG_ARGISNULL(0) ? new_aggregate(fcinfo, context, elements,
										  what, parameter) :
		(gs_moving_aggregate *) PG_GETARG_POINTER(0);
	check_parameter(a, parameter, names);
	if (PG_ARGISNULL(1))
	{
		a->nulls++;
		return a;
	}
	value = value_argument(fcinfo, a);
	if (what->leave != NULL)
		what->enter(&a->frame, a->entered++, value);
	else
		gs_frame_enter(&a->frame, a->entered++, a->frame.decimals ?
					   gs_frame_copy(&a->frame, value) : value, what);
	return a;
}

PG_FUNCTION_INFO_V1(gpu_frame_remove);

/* gpu_frame_remove(internal, value, ...) */
Datum
gpu_frame_remove(PG_FUNCTION_ARGS)
{
	gs_moving_aggregate *a = gs_window_state(fcinfo);

	if (PG_ARGISNULL(1))
		a->nulls--;
	else
	{
		a->left++;
		if (a->what->leave != NULL)
			a->what->leave(&a->frame, value_argument(fcinfo, a));
		else
			gs_frame_leave(&a->frame, a->left, a->what);
	}
	PG_RETURN_POINTER(a);
}

const gs_moving_aggregate *
gs_moving_argument(FunctionCallInfo fcinfo)
{
	const gs_moving_aggregate *a = PG_ARGISNULL(0) ? NULL :
		(const gs_moving_aggregate *) PG_GETARG_POINTER(0);

	return a == NULL || a->entered == a->left ? NULL : a;
}

PG_FUNCTION_INFO_V1(gpu_frame_result);

/* gpu_frame_result(internal, value, ...) */
Datum
gpu_frame_result(PG_FUNCTION_ARGS)
{
	const gs_moving_aggregate *a = gs_moving_argument(fcinfo);

	if (a == NULL)
		PG_RETURN_NULL();
	return a->what->result(&a->frame, &fcinfo->isnull);
}

#define ADD(function, what) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_POINTER(gs_moving_add(fcinfo, ORDERED, &(what), NULL, NULL)); \
}

ADD(gpu_frame_add_min, gs_moving_min)
ADD(gpu_frame_add_max, gs_moving_max)
ADD(gpu_frame_add_mode, gs_moving_mode)
ADD(gpu_frame_add_distinct, gs_moving_distinct)

PG_FUNCTION_INFO_V1(gpu_frame_count);

/* gpu_frame_count(internal, value): of what there may be none */
Datum
gpu_frame_count(PG_FUNCTION_ARGS)
{
	const gs_moving_aggregate *a = gs_moving_argument(fcinfo);

	if (a == NULL)
		PG_RETURN_INT64(0);
	return a->what->result(&a->frame, &fcinfo->isnull);
}

/*
 * Percentiles
 */

PG_FUNCTION_INFO_V1(gpu_frame_add_median);

/* gpu_frame_add_median(internal, value): of times it is one of them */
Datum
gpu_frame_add_median(PG_FUNCTION_ARGS)
{
	gs_moving_aggregate *a = gs_moving_add(fcinfo, ORDERED,
										   &gs_moving_percentile, NULL, NULL);

	a->frame.fraction = 0.5;
	a->frame.discrete = gs_is_time(a->type);
	PG_RETURN_POINTER(a);
}

static Datum
add_to_percentile(FunctionCallInfo fcinfo, bool discrete)
{
	gs_moving_aggregate *a;
	gs_parameter parameter;
	double		fraction = 0;

	if (!PG_ARGISNULL(2))
	{
		/* so that -0 is the same one as 0 */
		fraction = PG_GETARG_FLOAT8(2) + 0.0;
		gs_check_fraction(fraction);
		gs_parameter_set(&parameter, 1, &fraction);
	}
	a = gs_moving_add(fcinfo, ORDERED, &gs_moving_percentile,
					  PG_ARGISNULL(2) ? NULL : &parameter.array, "fraction");
	a->frame.fraction = fraction;
	a->frame.discrete = discrete;
	PG_RETURN_POINTER(a);
}

PG_FUNCTION_INFO_V1(gpu_frame_add_cont);

/* gpu_frame_add_cont(internal, value, fraction) */
Datum
gpu_frame_add_cont(PG_FUNCTION_ARGS)
{
	return add_to_percentile(fcinfo, false);
}

PG_FUNCTION_INFO_V1(gpu_frame_add_disc);

/* gpu_frame_add_disc(internal, value, fraction) */
Datum
gpu_frame_add_disc(PG_FUNCTION_ARGS)
{
	return add_to_percentile(fcinfo, true);
}

PG_FUNCTION_INFO_V1(gpu_frame_percentile);

/* gpu_frame_percentile(internal, value, fraction) */
Datum
gpu_frame_percentile(PG_FUNCTION_ARGS)
{
	const gs_moving_aggregate *a = gs_moving_argument(fcinfo);

	if (a == NULL || a->parameter == NULL)
		PG_RETURN_NULL();
	return a->what->result(&a->frame, &fcinfo->isnull);
}

static Datum
add_to_percentiles(FunctionCallInfo fcinfo, int elements)
{
	PG_RETURN_POINTER(gs_moving_add(fcinfo, elements, &gs_moving_percentile,
									PG_ARGISNULL(2) ? NULL :
									PG_GETARG_ARRAYTYPE_P(2), "fractions"));
}

PG_FUNCTION_INFO_V1(gpu_frame_add_percentiles_cont);

/* gpu_frame_add_percentiles_cont(internal, value, fractions) */
Datum
gpu_frame_add_percentiles_cont(PG_FUNCTION_ARGS)
{
	return add_to_percentiles(fcinfo, GS_NUMBERS | GS_DECIMALS);
}

PG_FUNCTION_INFO_V1(gpu_frame_add_percentiles_disc);

/* gpu_frame_add_percentiles_disc(internal, value, fractions) */
Datum
gpu_frame_add_percentiles_disc(PG_FUNCTION_ARGS)
{
	return add_to_percentiles(fcinfo, ORDERED);
}

static Datum
percentiles(FunctionCallInfo fcinfo, bool discrete)
{
	const gs_moving_aggregate *a = gs_moving_argument(fcinfo);

	if (a == NULL || a->parameter == NULL)
		PG_RETURN_NULL();
	return gs_percentiles_of_multiset(a->frame.values, a->type, a->parameter,
									  discrete);
}

PG_FUNCTION_INFO_V1(gpu_frame_percentiles_cont);

/* gpu_frame_percentiles_cont(internal, value, fractions) */
Datum
gpu_frame_percentiles_cont(PG_FUNCTION_ARGS)
{
	return percentiles(fcinfo, false);
}

PG_FUNCTION_INFO_V1(gpu_frame_percentiles_disc);

/* gpu_frame_percentiles_disc(internal, value, fractions) */
Datum
gpu_frame_percentiles_disc(PG_FUNCTION_ARGS)
{
	return percentiles(fcinfo, true);
}

/*
 * Bits: in how many values each is set
 */

typedef struct bit_counts
{
	int64		n;				/* values */
	int64		ones[64];
} bit_counts;

static gs_type
integer_type(FunctionCallInfo fcinfo)
{
	return gs_type_from_oid(get_fn_expr_argtype(fcinfo->flinfo, 1));
}

/* Argument 1 comes, +1, or goes, -1. */
static Datum
change_bits(FunctionCallInfo fcinfo, bit_counts *b, int more)
{
	uint64		bits;

	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(b);
	bits = (uint64) gs_number_from_datum(PG_GETARG_DATUM(1),
										 integer_type(fcinfo)).i;
	b->n += more;
	for (; bits != 0; bits &= bits - 1)
		b->ones[pg_rightmost_one_pos64(bits)] += more;
	PG_RETURN_POINTER(b);
}

PG_FUNCTION_INFO_V1(gpu_frame_bits);

/* gpu_frame_bits(internal, I) */
Datum
gpu_frame_bits(PG_FUNCTION_ARGS)
{
	return change_bits(fcinfo, PG_ARGISNULL(0) ?
					   MemoryContextAllocZero(gs_window_context(fcinfo),
											  sizeof(bit_counts)) :
					   (bit_counts *) PG_GETARG_POINTER(0), 1);
}

PG_FUNCTION_INFO_V1(gpu_frame_bits_remove);

Datum
gpu_frame_bits_remove(PG_FUNCTION_ARGS)
{
	return change_bits(fcinfo, gs_window_state(fcinfo), -1);
}

/* The bits that are set in `least` values at least. */
static Datum
bits_result(FunctionCallInfo fcinfo, const bit_counts *b, int64 least)
{
	gs_number	result = {0};

	for (int i = 0; i < 64; i++)
	{
		if (b->ones[i] >= least)
			result.i |= (int64) (UINT64CONST(1) << i);
	}
	return gs_datum_from_number(result, integer_type(fcinfo));
}

#define BITS(function, least) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	const bit_counts *b = PG_ARGISNULL(0) ? NULL : \
		(const bit_counts *) PG_GETARG_POINTER(0); \
\
	if (b == NULL || b->n == 0) \
		PG_RETURN_NULL(); \
	return bits_result(fcinfo, b, least); \
}

/* gpu_frame_bit_...(internal, I): the value is there for its type */
BITS(gpu_frame_bit_and, b->n)
BITS(gpu_frame_bit_or, 1)

/*
 * Sums of arrays, element by element
 */

typedef struct element_sum
{
	__int128	sum;
	int64		n;				/* elements that are not NULL */
} element_sum;

typedef struct array_sums
{
	ArrayType  *first;			/* whose shape the result has */
	bool		shifted;		/* some have other lower bounds */
	int64		arrays;			/* that are not NULL */
	element_sum *element;
} array_sums;

static array_sums *
new_sums(MemoryContext context, const ArrayType *first)
{
	array_sums *s = MemoryContextAllocZero(context, sizeof *s);
	int64		n = ArrayGetNItems(ARR_NDIM(first), ARR_DIMS(first));

	s->first = MemoryContextAllocHuge(context, VARSIZE(first));
	memcpy(s->first, first, VARSIZE(first));
	s->element = MemoryContextAllocHuge(context, Max(n, 1) * sizeof(element_sum));
	memset(s->element, 0, n * sizeof(element_sum));
	return s;
}

static void
free_sums(array_sums *s)
{
	if (s->first != NULL)
	{
		pfree(s->first);
		pfree(s->element);
	}
	pfree(s);
}

/* An array comes, +1, or goes, -1. */
static void
change_sums(array_sums *s, ArrayType *a, int more)
{
	Datum	   *value;
	bool	   *isnull;
	int			n;

	deconstruct_array(a, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &value, &isnull, &n);
	for (int i = 0; i < n; i++)
	{
		if (isnull[i])
			continue;
		s->element[i].sum += more * (__int128) DatumGetInt64(value[i]);
		s->element[i].n += more;
	}
}

PG_FUNCTION_INFO_V1(gpu_frame_array_add);

/* gpu_frame_array_add(internal, bigint[]) */
Datum
gpu_frame_array_add(PG_FUNCTION_ARGS)
{
	MemoryContext context = gs_window_context(fcinfo);
	array_sums *s = PG_ARGISNULL(0) ? NULL : (array_sums *) PG_GETARG_POINTER(0);
	ArrayType  *a;

	if (PG_ARGISNULL(1))
	{
		/* a state must not be NULL */
		PG_RETURN_POINTER(s != NULL ? s :
						  MemoryContextAllocZero(context, sizeof *s));
	}
	a = PG_GETARG_ARRAYTYPE_P(1);
	if (s == NULL)
		s = new_sums(context, a);
	else if (s->arrays == 0)
	{
		/* NULLs alone are left, so any shape will do */
		free_sums(s);
		s = new_sums(context, a);
	}
	gs_check_same_shape(s->first, a);
	s->shifted |= memcmp(ARR_LBOUND(s->first), ARR_LBOUND(a),
						 ARR_NDIM(a) * sizeof(int)) != 0;
	change_sums(s, a, 1);
	s->arrays++;
	PG_RETURN_POINTER(s);
}

PG_FUNCTION_INFO_V1(gpu_frame_array_remove);

/*
 * The result has the lower bounds of the frame's first array.  NULL: start over,
 * since those may be others now.
 */
Datum
gpu_frame_array_remove(PG_FUNCTION_ARGS)
{
	array_sums *s = gs_window_state(fcinfo);

	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(s);
	if (s->shifted)
		PG_RETURN_NULL();
	change_sums(s, PG_GETARG_ARRAYTYPE_P(1), -1);
	s->arrays--;
	PG_RETURN_POINTER(s);
}

PG_FUNCTION_INFO_V1(gpu_frame_array_final);

Datum
gpu_frame_array_final(PG_FUNCTION_ARGS)
{
	const array_sums *s = PG_ARGISNULL(0) ? NULL :
		(const array_sums *) PG_GETARG_POINTER(0);
	Datum	   *value;
	bool	   *isnull;
	int			n;

	if (s == NULL || s->arrays == 0)
		PG_RETURN_NULL();
	n = ArrayGetNItems(ARR_NDIM(s->first), ARR_DIMS(s->first));
	if (n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(INT8OID));
	value = gs_alloc_large(n * sizeof(Datum));
	isnull = gs_alloc_large(n * sizeof(bool));
	for (int i = 0; i < n; i++)
	{
		const element_sum *e = &s->element[i];

		if (e->sum != (int64) e->sum)
			gs_sum_out_of_range(i);
		isnull[i] = e->n == 0;
		value[i] = Int64GetDatum((int64) e->sum);
	}
	PG_RETURN_ARRAYTYPE_P(construct_md_array(value, isnull, ARR_NDIM(s->first),
											 ARR_DIMS(s->first),
											 ARR_LBOUND(s->first), INT8OID,
											 sizeof(int64), FLOAT8PASSBYVAL,
											 TYPALIGN_DOUBLE));
}
