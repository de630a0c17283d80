/*-------------------------------------------------------------------------
 *
 * dot.c
 *	  Dot product and sum of absolute values, exact and rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "call/numeric.h"
#include "functions/reduce.h"
#include "state/state.h"

/* A sum of products of 64-bit integers: 192 bits in two's complement. */
typedef struct wide
{
	unsigned __int128 low;
	int64		high;
} wide;

static inline void
add_product(wide *sum, int64 a, int64 b)
{
	__int128	product = (__int128) a * b;
	unsigned __int128 low = sum->low + (unsigned __int128) product;

	sum->high += (low < sum->low) - (product < 0);
	sum->low = low;
}

static Datum
numeric_from_wide(wide sum)
{
	uint32_t	words[6];
	bool		negative = sum.high < 0;

	if (negative)
	{
		sum.low = -sum.low;
		sum.high = -sum.high - (sum.low != 0);
	}
	for (int i = 0; i < 4; i++)
		words[i] = (uint32_t) (sum.low >> (32 * i));
	words[4] = (uint32_t) sum.high;
	words[5] = (uint32_t) (sum.high >> 32);
	return gs_numeric_binary(words, lengthof(words), negative, 0);
}

/*
 * Sum the products of elements of which neither is NULL; false if there are
 * none.  An array has too few elements to make carry propagation necessary
 * before the end.
 */
static bool
dot(gs_reader *a, gs_reader *b, Datum *result)
{
	gs_acc2		sum;
	wide		integer = {0, 0};
	bool		any = false;

	gs_acc2_init(&sum);
	while (a->i < a->n)
	{
		gs_number	x = {0};
		gs_number	y;
		bool		has_x = gs_reader_next(a, &x);

		if (!gs_reader_next(b, &y) || !has_x)
			continue;
		any = true;
		if (!a->is_float)
			add_product(&integer, x.i, y.i);
		else
			gs_acc2_add_product(&sum, x.d, y.d);
	}
	*result = a->is_float ? gs_round_sum(a->type, gs_acc2_limbs(&sum)) :
		numeric_from_wide(integer);
	return any;
}

PG_FUNCTION_INFO_V1(gpu_dot);

Datum
gpu_dot(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	other;
	gs_reader	a;
	gs_reader	b;
	Datum		result;
	bool		any;

	gs_call_open_elements(&call, "gpu_dot", PG_GETARG_DATUM(0));
	gs_array_open(&other, PG_GETARG_DATUM(1));
	if (call.data.n != other.n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("arrays of different lengths have no dot product"),
				errdetail("They have %lld and %lld elements.",
						  (long long) call.data.n, (long long) other.n));
	gs_reader_open(&a, &call.data);
	gs_reader_open(&b, &other);
	any = dot(&a, &b, &result);
	gs_array_close(&other);
	gs_call_close_elements(&call);
	if (!any)
		PG_RETURN_NULL();
	return result;
}

PG_FUNCTION_INFO_V1(gpu_asum);

Datum
gpu_asum(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_reader	reader;
	gs_state   *s;
	gs_number	value;
	bool		isnull = false;
	Datum		result;

	gs_call_open_elements(&call, "gpu_asum", PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	s = gs_state_new(reader.is_float ? GS_STATE_REALS : GS_STATE_INTEGERS);
	while (gs_reader_next_value(&reader, &value))
	{
		/* -2^63 has no absolute value in bigint, so integers add up negated */
		s = reader.is_float ? gs_state_add_double(s, fabs(value.d)) :
			gs_state_add_integer(s, value.i < 0 ? value.i : -value.i);
	}
	if (!reader.is_float)
	{
		__int128	sum;

		memcpy(&sum, s->sum.integer, sizeof sum);
		sum = -sum;
		memcpy(s->sum.integer, &sum, sizeof sum);
	}
	result = (!reader.is_float ? gs_state_sum_numeric :
			  reader.type == GS_FLOAT4 ? gs_state_sum_real :
			  gs_state_sum_double) (s, &isnull);
	gs_call_close_elements(&call);
	if (isnull)
		PG_RETURN_NULL();
	return result;
}
