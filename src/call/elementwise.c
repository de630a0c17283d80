/*-------------------------------------------------------------------------
 *
 * elementwise.c
 *	  Functions whose result has an element for each of their arrays'.
 *
 * They have the errors of SQL's functions and operators.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "lib/stringinfo.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "engine/elements.h"

bool
gs_call_map(gs_call *call, Oid elemtype, const ArrayType *shape, bool nulls,
			Datum *result)
{
	gs_builder	builder;
	bool		done;

	call->builder = &builder;
	gs_builder_open(&builder, elemtype, call->data.n, shape,
					nulls ? call->data.n : 0);
	done = gs_call_execute(call);
	*result = gs_builder_close(&builder);
	if (!done)
		pfree(DatumGetPointer(*result));
	gs_call_close(call);
	return done;
}

/* Its dimensions, as "2 x 3". */
static const char *
dimensions_of(const ArrayType *a)
{
	StringInfoData text;

	initStringInfo(&text);
	if (ARR_NDIM(a) == 0)
		appendStringInfoChar(&text, '0');
	for (int i = 0; i < ARR_NDIM(a); i++)
		appendStringInfo(&text, "%s%d", i == 0 ? "" : " x ", ARR_DIMS(a)[i]);
	return text.data;
}

bool
gs_same_shape(const ArrayType *a, const ArrayType *b)
{
	return ARR_NDIM(a) == ARR_NDIM(b) &&
		memcmp(ARR_DIMS(a), ARR_DIMS(b), ARR_NDIM(a) * sizeof(int)) == 0;
}

void
gs_require_same_shape(const ArrayType *a, const ArrayType *b)
{
	if (gs_same_shape(a, b))
		return;
	ereport(ERROR,
			errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
			errmsg("arrays must have the same dimensions"),
			errdetail("They have the dimensions %s and %s.",
					  dimensions_of(a), dimensions_of(b)));
}

/* What is wrong with an element. */
typedef struct fault
{
	int			sqlstate;
	const char *message;
	const char *detail;			/* of the position of the element */
} fault;

#define IS_OUT_OF_RANGE		"The result at element %lld is out of range."

static const fault faults[] = {
	[GS_OUT_OF_RANGE] = {ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
	"value out of range: overflow", IS_OUT_OF_RANGE},
	[GS_UNDERFLOW] = {ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
	"value out of range: underflow", IS_OUT_OF_RANGE},
	[GS_ROOT_OF_NEGATIVE] = {ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
		"cannot take square root of a negative number",
	"Element %lld is negative."},
	[GS_LOGARITHM_OF_ZERO] = {ERRCODE_INVALID_ARGUMENT_FOR_LOG,
	"cannot take logarithm of zero", "Element %lld is zero."},
	[GS_LOGARITHM_OF_NEGATIVE] = {ERRCODE_INVALID_ARGUMENT_FOR_LOG,
		"cannot take logarithm of a negative number",
	"Element %lld is negative."},
	[GS_ZERO_TO_NEGATIVE] = {ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
		"zero raised to a negative power is undefined",
	"This happens at element %lld."},
	[GS_COMPLEX_POWER] = {ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
		"a negative number raised to a non-integer power yields a complex result",
	"This happens at element %lld."},
	[GS_DIVISION_BY_ZERO] = {ERRCODE_DIVISION_BY_ZERO,
	"division by zero", "The divisor of element %lld is zero."}
};

void
gs_raise_value_error(const gs_op *op, const gs_error *error)
{
	gs_type		type = gs_output_type(op);
	fault		f = faults[error->answer];

	if (error->answer == GS_OUT_OF_RANGE && !gs_is_float(type))
		f.message = type == GS_INT2 ? "smallint out of range" :
			type == GS_INT4 ? "integer out of range" :
			"bigint out of range";
	ereport(ERROR,
			errcode(f.sqlstate),
			errmsg("%s", f.message),
			errdetail_internal(f.detail, (long long) error->position));
}
