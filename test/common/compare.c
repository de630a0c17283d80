/*-------------------------------------------------------------------------
 *
 * compare.c
 *	  Values and results of two executions; see compare.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const type_names[GS_TYPES] = {
	"", "bool", "int2", "int4", "int8", "float4", "float8"
};

bool
is_float(gs_type type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

uint64_t
value_bits(gs_type type, gs_value v)
{
	uint64_t	bits = 0;

	memcpy(&bits, &v, type == GS_BOOL ? 2 : gs_type_width(type));
	return bits;
}

int64_t
type_min(gs_type type)
{
	return type == GS_INT2 ? INT16_MIN : type == GS_INT4 ? INT32_MIN :
		type == GS_INT8 ? INT64_MIN : 0;
}

int64_t
type_max(gs_type type)
{
	return type == GS_BOOL ? 1 : -(type_min(type) + 1);
}

int64_t
value_int(gs_type type, gs_value v)
{
	switch (type)
	{
		case GS_INT8:
			return v.i8;
		case GS_INT4:
			return v.i4;
		default:
			return v.i2;
	}
}

double
value_double(gs_type type, gs_value v)
{
	switch (type)
	{
		case GS_FLOAT8:
			return v.f8;
		case GS_FLOAT4:
			return v.f4;
		default:
			return (double) value_int(type, v);
	}
}

bool
differ(difference *d, const char *format,...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(d->text, sizeof d->text, format, args);
	va_end(args);
	return false;
}

/* Compare all members; any NaN equals any other, since rounding hides it. */
bool
same_product(gs_product x, gs_product y)
{
	return (gs_double_bits(x.hi) == gs_double_bits(y.hi) ||
			(x.hi != x.hi && y.hi != y.hi)) &&
		gs_double_bits(x.lo) == gs_double_bits(y.lo) &&
		x.exponent == y.exponent && x.starts == y.starts;
}

bool
same_value(gs_type type, const char *what, gs_value got, gs_value wanted,
		   difference *d)
{
	return value_bits(type, got) == value_bits(type, wanted) ||
		differ(d, "%s %g (%#llx), not %g (%#llx)", what,
			   value_double(type, got),
			   (unsigned long long) value_bits(type, got),
			   value_double(type, wanted),
			   (unsigned long long) value_bits(type, wanted));
}

bool
same_sizes(const gs_result *got, const gs_result *wanted, difference *d)
{
	return (got->n == wanted->n && got->present == wanted->present) ||
		differ(d, "%lld elements, %lld not NULL", (long long) got->n,
			   (long long) got->present);
}

/* The part of GS_STATS that is not moments. */
static bool
same_extremes(gs_type type, const gs_result *got, const gs_result *wanted,
			  difference *d)
{
	for (int i = 0; i < GS_SPECIALS; i++)
	{
		if (got->special[i] != wanted->special[i])
			return differ(d, "special %d %lld times, not %lld", i,
						  (long long) got->special[i],
						  (long long) wanted->special[i]);
	}
	return got->present == 0 ||
		(same_value(type, "minimum", got->value, wanted->value, d) &&
		 same_value(type, "maximum", got->greatest, wanted->greatest, d));
}

static bool
same_squares(gs_type type, const gs_result *got, const gs_result *wanted,
			 difference *d)
{
	return is_float(type) || memcmp(got->isquares, wanted->isquares,
									sizeof got->isquares) == 0 ||
		differ(d, "squares");
}

bool
same_reduction(const gs_op *op, const gs_result *got, const gs_result *wanted,
			   difference *d)
{
	gs_type		type = (gs_type) op->type;

	switch (op->kind)
	{
		case GS_STATS:
			if (!same_extremes(type, got, wanted, d))
				return false;
			/* and the moments */
			__attribute__((fallthrough));
		case GS_MOMENTS:
			if (!same_squares(type, got, wanted, d))
				return false;
			/* and the sum */
			__attribute__((fallthrough));
		case GS_SUM:
		case GS_ASUM:
			return is_float(type) || memcmp(got->isum, wanted->isum,
											sizeof got->isum) == 0 ||
				differ(d, "sum %llx %016llx, not %llx %016llx",
					   (unsigned long long) got->isum[1],
					   (unsigned long long) got->isum[0],
					   (unsigned long long) wanted->isum[1],
					   (unsigned long long) wanted->isum[0]);
		case GS_DOT:
			return same_squares(type, got, wanted, d);
		case GS_AREA:
			if (got->errors != wanted->errors)
				return differ(d, "errors %lld, not %lld",
							  (long long) got->errors,
							  (long long) wanted->errors);
			return same_value(type, "first", got->value, wanted->value, d) &&
				same_value(type, "last", got->greatest, wanted->greatest, d);
		case GS_EXPRESSION:
			if (got->errors != wanted->errors)
				return differ(d, "errors %lld, not %lld",
							  (long long) got->errors,
							  (long long) wanted->errors);
			if (!is_float(type) && memcmp(got->isum, wanted->isum,
										  sizeof got->isum) != 0)
				return differ(d, "sum");
			return same_squares(type, got, wanted, d) &&
				same_value(gs_expression_type(op), "minimum", got->value,
						   wanted->value, d) &&
				same_value(gs_expression_type(op), "maximum", got->greatest,
						   wanted->greatest, d);
		case GS_ARGMIN:
		case GS_ARGMAX:
			return got->position == wanted->position ||
				differ(d, "position %lld, not %lld", (long long) got->position,
					   (long long) wanted->position);
		case GS_PRODUCT:
			return same_product(got->product, wanted->product) ||
				differ(d, "product %a %a 2^%lld, not %a %a 2^%lld",
					   got->product.hi, got->product.lo,
					   (long long) got->product.exponent, wanted->product.hi,
					   wanted->product.lo,
					   (long long) wanted->product.exponent);
		default:
			return got->present == 0 ||
				same_value(type, "value", got->value, wanted->value, d);
	}
}

bool
has_float_sum(const gs_op *op)
{
	return op->kind == GS_AREA || (is_float((gs_type) op->type) &&
		(op->kind == GS_SUM || op->kind == GS_ASUM || op->kind == GS_DOT ||
		 op->kind == GS_MOMENTS || op->kind == GS_STATS ||
		 op->kind == GS_EXPRESSION));
}

bool
same_counts(const gs_op *op, const gs_result *got, const gs_result *wanted,
			difference *d)
{
	for (int32_t i = 0; i < op->histogram.buckets + 3; i++)
	{
		if (got->counts[i] != wanted->counts[i])
			return differ(d, "count %d, of %d buckets: %lld, not %lld", i,
						  op->histogram.buckets, (long long) got->counts[i],
						  (long long) wanted->counts[i]);
	}
	return true;
}
