/*-------------------------------------------------------------------------
 *
 * elementary.c
 *	  SQL functions that are the root, exponential, logarithm or power of each
 *	  element.
 *
 * They have the errors of SQL's functions of these names.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/float.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "engine/cpu/cpu_engine.h"
#include "exact/elementary.h"

/* Elements between two checks for interrupts: some take tens of us. */
#define INTERRUPT_ELEMENTS	1024

/* What is wrong with an element. */
typedef struct fault
{
	int			sqlstate;
	const char *message;
	const char *detail;			/* of the position of the element */
} fault;

static const fault overflow = {
	ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow",
	"The result at element %lld is out of range."
};
static const fault underflow = {
	ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow",
	"The result at element %lld is out of range."
};
static const fault root_of_negative = {
	ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
	"cannot take square root of a negative number",
	"Element %lld is negative."
};
static const fault logarithm_of_zero = {
	ERRCODE_INVALID_ARGUMENT_FOR_LOG, "cannot take logarithm of zero",
	"Element %lld is zero."
};
static const fault logarithm_of_negative = {
	ERRCODE_INVALID_ARGUMENT_FOR_LOG,
	"cannot take logarithm of a negative number",
	"Element %lld is negative."
};
static const fault zero_to_negative = {
	ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
	"zero raised to a negative power is undefined",
	"This is so at element %lld."
};
static const fault complex_power = {
	ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
	"a negative number raised to a non-integer power yields a complex result",
	"This is so at element %lld."
};

pg_noreturn static void
raise_fault(const fault *f, int64 position)
{
	ereport(ERROR,
			errcode(f->sqlstate),
			errmsg("%s", f->message),
			errdetail_internal(f->detail, (long long) position));
}

/* The result for an element, or for one of each of two arrays; NULL: no fault. */
typedef const fault *(*step) (double x, double y, double *result);

static const fault *
root_of(double x, double y pg_attribute_unused(), double *result)
{
	*result = sqrt(x);
	return x < 0 ? &root_of_negative : NULL;
}

static const fault *
exp_of(double x, double y pg_attribute_unused(), double *result)
{
	*result = x > 0 ? x : 0;	/* of infinities */
	if (x != x)
		*result = x;
	else if (gs_is_finite(x))
	{
		if (gs_exp(x, result) == GS_OVERFLOW)
			return &overflow;
		if (*result == 0)
			return &underflow;
	}
	return NULL;
}

static const fault *
ln_of(double x, double y pg_attribute_unused(), double *result)
{
	*result = x;
	if (x == 0)
		return &logarithm_of_zero;
	if (x < 0)
		return &logarithm_of_negative;
	if (gs_is_finite(x))
		*result = gs_ln(x);
	return NULL;
}

/* Of powers that are infinite: those of POSIX. */
static double
power_of_special(double x, double y)
{
	if (x == 1 || y == 0)
		return 1;
	if (x != x || y != y)
		return x + y;
	if (!gs_is_finite(y))
	{
		if (fabs(x) == 1)
			return 1;
		return (fabs(x) > 1) == (y > 0) ? get_float8_infinity() : 0;
	}
	if (x < 0 && fmod(y, 2) != 0)
		return y > 0 ? x : -0.0;
	return y > 0 ? get_float8_infinity() : 0;
}

static const fault *
power_of(double x, double y, double *result)
{
	if (x == 0 && y < 0)
		return &zero_to_negative;
	if (x < 0 && y == y && floor(y) != y)
		return &complex_power;
	if (!gs_is_finite(x) || !gs_is_finite(y))
		*result = power_of_special(x, y);
	else if (gs_power(x, y, result) == GS_OVERFLOW)
		return &overflow;
	else if (*result == 0 && x != 0)
		return &underflow;
	return NULL;
}

static const fault *
power_to(double y, double x, double *result)
{
	return power_of(x, y, result);
}

static inline bool
next_double(gs_reader *r, double *value)
{
	gs_number	number = {0};
	bool		has = gs_reader_next(r, &number);

	*value = r->is_float ? number.d : (double) number.i;
	return has;
}

/* The results of a block of doubles, but for those that are not known. */
typedef void (*block_step) (const double *x, const double *y, int n,
							double *result, uint8 *known);

static void
exps_of(const double *x, const double *y pg_attribute_unused(), int n,
		double *result, uint8 *known)
{
	gs_cpu_exps(x, n, result, known);
}

static void
lns_of(const double *x, const double *y pg_attribute_unused(), int n,
	   double *result, uint8 *known)
{
	gs_cpu_lns(x, n, result, known);
}

static void
powers_to(const double *y, const double *x, int n, double *result,
		  uint8 *known)
{
	gs_cpu_powers(x, y, n, result, known);
}

static block_step
block_step_of(step f)
{
	if (f == exp_of)
		return exps_of;
	if (f == ln_of)
		return lns_of;
	if (f == power_of)
		return gs_cpu_powers;
	if (f == power_to)
		return powers_to;
	return NULL;
}

/* Are the elements doubles, none of them NULL? */
static bool
is_plain(const gs_array *a)
{
	return a->type == GS_FLOAT8 && !a->nulls && a->n > 0;
}

/* for_each of plain arrays, a block at a time. */
static Datum
for_blocks(step f, block_step blocks, const gs_array *a, const gs_array *other,
		   double value)
{
	const double *x = (const double *) a->values;
	const double *y = other == NULL ? NULL : (const double *) other->values;
	double		values[INTERRUPT_ELEMENTS];
	uint8		known[INTERRUPT_ELEMENTS];
	gs_builder	builder;

	for (int i = 0; i < INTERRUPT_ELEMENTS; i++)
		values[i] = value;
	gs_builder_open(&builder, FLOAT8OID, a->n, a->flat, a->n);
	for (int64 at = 0; at < a->n; at += INTERRUPT_ELEMENTS)
	{
		int			n = (int) Min(INTERRUPT_ELEMENTS, a->n - at);
		const double *second = y == NULL ? values : y + at;
		gs_output	out = {.n = n, .present = n};
		double	   *to;

		CHECK_FOR_INTERRUPTS();
		out.values = to = gs_builder_reserve(&builder, n);
		blocks(x + at, second, n, to, known);
		for (int i = 0; i < n; i++)
		{
			const fault *wrong;

			if (likely(known[i]))
				continue;
			wrong = f(x[at + i], second[i], &to[i]);
			if (unlikely(wrong != NULL))
				raise_fault(wrong, at + i + 1);
			if (to[i] != to[i])
				to[i] = gs_canonical_nan();
		}
		gs_builder_commit(&builder, &out);
	}
	return gs_builder_close(&builder);
}

/* For each element of an array, with that of a second one or else a value. */
static Datum
for_each(const char *function, step f, Datum array, const Datum *second,
		 double value)
{
	block_step	blocks = block_step_of(f);
	gs_call		call;
	gs_array	other;
	gs_reader	reader;
	gs_reader	others = {0};
	gs_writer	writer;

	gs_elementary_init();
	gs_call_open_elements(&call, function, array);
	gs_reader_open(&reader, &call.data);
	if (second != NULL)
	{
		gs_array_open(&other, *second);
		gs_require_same_shape(call.data.flat, other.flat);
		gs_reader_open(&others, &other);
	}
	if (blocks != NULL && is_plain(&call.data) &&
		(second == NULL || is_plain(&other)))
	{
		Datum		result = for_blocks(f, blocks, &call.data,
										second == NULL ? NULL : &other, value);

		if (second != NULL)
			gs_array_close(&other);
		gs_call_close_elements(&call);
		return result;
	}
	gs_writer_open(&writer, FLOAT8OID, reader.n, call.data.flat, reader.n);
	while (reader.i < reader.n)
	{
		double		x;
		double		y = value;
		gs_number	result = {0};
		const fault *wrong = NULL;
		bool		has = next_double(&reader, &x);

		if (reader.i % INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (second != NULL)
			has &= next_double(&others, &y);
		if (has)
			wrong = f(x, y, &result.d);
		if (unlikely(wrong != NULL))
			raise_fault(wrong, reader.i);
		gs_writer_put(&writer, gs_datum_from_number(result, GS_FLOAT8), !has);
	}
	if (second != NULL)
		gs_array_close(&other);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

#define UNARY(name, step) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	return for_each(#name, step, PG_GETARG_DATUM(0), NULL, 0); \
}

UNARY(gpu_sqrt, root_of)
UNARY(gpu_exp, exp_of)
UNARY(gpu_ln, ln_of)

PG_FUNCTION_INFO_V1(gpu_power);

/* gpu_power(a, b), of arrays */
Datum
gpu_power(PG_FUNCTION_ARGS)
{
	Datum		exponents = PG_GETARG_DATUM(1);

	return for_each("gpu_power", power_of, PG_GETARG_DATUM(0), &exponents, 0);
}

PG_FUNCTION_INFO_V1(gpu_power_value);

Datum
gpu_power_value(PG_FUNCTION_ARGS)
{
	return for_each("gpu_power", power_of, PG_GETARG_DATUM(0), NULL,
					PG_GETARG_FLOAT8(1));
}

PG_FUNCTION_INFO_V1(gpu_power_to_value);

Datum
gpu_power_to_value(PG_FUNCTION_ARGS)
{
	return for_each("gpu_power", power_to, PG_GETARG_DATUM(1), NULL,
					PG_GETARG_FLOAT8(0));
}
