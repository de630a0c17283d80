/*-------------------------------------------------------------------------
 *
 * arithmetic.h
 *	  What an instruction of a plan (plan.h) computes, for one row.
 *
 * These are PostgreSQL's operators, with its checks of overflow, underflow and
 * division by zero.  The functions compile for the host and, with nvcc, for the
 * device, and give the same bits on both.
 *
 * A value comes with a state: 0, or GS_STATE_NULL, or bits GS_ERROR_...  A
 * state with both is an error: PostgreSQL evaluates all arguments of a strict
 * function before it looks for a NULL among them.  So the state of a strict
 * instruction's result is that of its operands, OR-ed; only if it is 0 may the
 * operation itself add an error.  The functions without a state in their
 * arguments are for that case: they return 0 or an error.  On an error, *r is
 * set, to anything.
 *
 * Their names end in the type: int2, int4, int8, float4, float8, and for
 * comparisons bool.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ARITHMETIC_H
#define GS_ARITHMETIC_H

#include <math.h>

#include "engine/calendar.h"
#include "engine/plan.h"

#define GS_STATE_NULL	8u
#define GS_STATE_ERRORS	(GS_ERROR_RANGE | GS_ERROR_DIVISION | GS_ERROR_LOOKUP)

#define GS_RANGE_UNLESS(condition)	((condition) ? 0u : GS_ERROR_RANGE)

/* int2 and int4, by way of the next wider type */
#define GS_NARROW_ARITHMETIC(suffix, type, wide) \
GS_INLINE uint32_t \
gs_add_##suffix(type a, type b, type *r) \
{ \
	wide		x = (wide) a + b; \
\
	*r = (type) x; \
	return GS_RANGE_UNLESS(*r == x); \
} \
\
GS_INLINE uint32_t \
gs_subtract_##suffix(type a, type b, type *r) \
{ \
	wide		x = (wide) a - b; \
\
	*r = (type) x; \
	return GS_RANGE_UNLESS(*r == x); \
} \
\
GS_INLINE uint32_t \
gs_multiply_##suffix(type a, type b, type *r) \
{ \
	wide		x = (wide) a * b; \
\
	*r = (type) x; \
	return GS_RANGE_UNLESS(*r == x); \
}

GS_NARROW_ARITHMETIC(int2, int16_t, int32_t)
GS_NARROW_ARITHMETIC(int4, int32_t, int64_t)

/* Wrapped; out of range if the result has a sign that neither operand has. */
GS_INLINE uint32_t
gs_add_int8(int64_t a, int64_t b, int64_t *r)
{
	*r = (int64_t) ((uint64_t) a + (uint64_t) b);
	return GS_RANGE_UNLESS(((*r ^ a) & (*r ^ b)) >= 0);
}

GS_INLINE uint32_t
gs_subtract_int8(int64_t a, int64_t b, int64_t *r)
{
	*r = (int64_t) ((uint64_t) a - (uint64_t) b);
	return GS_RANGE_UNLESS(((a ^ b) & (*r ^ a)) >= 0);
}

GS_INLINE uint32_t
gs_multiply_int8(int64_t a, int64_t b, int64_t *r)
{
#ifdef __CUDA_ARCH__
	*r = (int64_t) ((uint64_t) a * (uint64_t) b);
	return GS_RANGE_UNLESS(__mul64hi(a, b) == *r >> 63);
#else
	return GS_RANGE_UNLESS(!__builtin_mul_overflow(a, b, r));
#endif
}

/* The least integer has no opposite: neither -x nor x / -1 nor |x|. */
#define GS_INTEGER_ARITHMETIC(suffix, type, least) \
GS_INLINE uint32_t \
gs_negate_##suffix(type a, type *r) \
{ \
	*r = a == (least) ? a : (type) -a; \
	return GS_RANGE_UNLESS(a != (least)); \
} \
\
GS_INLINE uint32_t \
gs_abs_##suffix(type a, type *r) \
{ \
	*r = a == (least) || a >= 0 ? a : (type) -a; \
	return GS_RANGE_UNLESS(a != (least)); \
} \
\
GS_INLINE uint32_t \
gs_divide_##suffix(type a, type b, type *r) \
{ \
	if (b == -1) \
		return gs_negate_##suffix(a, r); \
	*r = b == 0 ? 0 : (type) (a / b); \
	return b == 0 ? GS_ERROR_DIVISION : 0u; \
}

GS_INTEGER_ARITHMETIC(int2, int16_t, INT16_MIN)
GS_INTEGER_ARITHMETIC(int4, int32_t, INT32_MIN)
GS_INTEGER_ARITHMETIC(int8, int64_t, INT64_MIN)

/*
 * A quotient rounded down; a remainder of a's sign, which of -1 is 0.  A shift
 * goes as far as the processor's does: by the count's low bits.
 */
#define GS_INTEGER_DIVISION(suffix, type, unsigned_type, last_bit) \
GS_INLINE uint32_t \
gs_floor_divide_##suffix(type a, type b, type *r) \
{ \
	type		rest; \
\
	if (b == -1) \
		return gs_negate_##suffix(a, r); \
	if (gs_divide_##suffix(a, b, r) != 0) \
		return GS_ERROR_DIVISION; \
	rest = (type) (a - *r * b); \
	*r = (type) (*r - (rest != 0 && (rest < 0) != (b < 0))); \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_modulo_##suffix(type a, type b, type *r) \
{ \
	*r = b == 0 || b == -1 ? 0 : (type) (a % b); \
	return b == 0 ? GS_ERROR_DIVISION : 0u; \
} \
\
GS_INLINE uint32_t \
gs_bit_and_##suffix(type a, type b, type *r) \
{ \
	*r = a & b; \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_bit_or_##suffix(type a, type b, type *r) \
{ \
	*r = a | b; \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_bit_xor_##suffix(type a, type b, type *r) \
{ \
	*r = a ^ b; \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_bit_not_##suffix(type a, type *r) \
{ \
	*r = (type) ~a; \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_shift_left_##suffix(type a, type b, type *r) \
{ \
	*r = (type) ((unsigned_type) a << (b & (last_bit))); \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_shift_right_##suffix(type a, type b, type *r) \
{ \
	*r = (type) (a >> (b & (last_bit))); \
	return 0; \
}

GS_INTEGER_DIVISION(int2, int16_t, uint32_t, 31)
GS_INTEGER_DIVISION(int4, int32_t, uint32_t, 31)
GS_INTEGER_DIVISION(int8, int64_t, uint64_t, 63)

/* Without a call of a library. */
GS_INLINE bool
gs_is_infinite_float4(float x)
{
	return x > FLT_MAX || x < -FLT_MAX;
}

GS_INLINE bool
gs_is_infinite_float8(double x)
{
	return x > DBL_MAX || x < -DBL_MAX;
}

/*
 * Overflow: an infinity of numbers that are none.  Underflow, of * and /: zero
 * of numbers that are none.  What 0 or NaN is divided by, see float8_div().
 */
#define GS_FLOAT_ARITHMETIC(suffix, type, bits_type) \
GS_INLINE uint32_t \
gs_add_##suffix(type a, type b, type *r) \
{ \
	*r = a + b; \
	return GS_RANGE_UNLESS(!gs_is_infinite_##suffix(*r) || \
						   gs_is_infinite_##suffix(a) || \
						   gs_is_infinite_##suffix(b)); \
} \
\
GS_INLINE uint32_t \
gs_subtract_##suffix(type a, type b, type *r) \
{ \
	*r = a - b; \
	return GS_RANGE_UNLESS(!gs_is_infinite_##suffix(*r) || \
						   gs_is_infinite_##suffix(a) || \
						   gs_is_infinite_##suffix(b)); \
} \
\
GS_INLINE uint32_t \
gs_multiply_##suffix(type a, type b, type *r) \
{ \
	*r = a * b; \
	return GS_RANGE_UNLESS((!gs_is_infinite_##suffix(*r) || \
							gs_is_infinite_##suffix(a) || \
							gs_is_infinite_##suffix(b)) && \
						   (*r != 0 || a == 0 || b == 0)); \
} \
\
GS_INLINE uint32_t \
gs_divide_##suffix(type a, type b, type *r) \
{ \
	*r = b == 0 ? a : a / b; \
	if (b == 0 && a == a) \
		return GS_ERROR_DIVISION; \
	return GS_RANGE_UNLESS((!gs_is_infinite_##suffix(*r) || \
							gs_is_infinite_##suffix(a)) && \
						   (*r != 0 || a == 0 || \
							gs_is_infinite_##suffix(b))); \
} \
\
GS_INLINE uint32_t \
gs_negate_##suffix(type a, type *r) \
{ \
	*r = -a; \
	return 0; \
} \
\
GS_INLINE uint32_t \
gs_abs_##suffix(type a, type *r) \
{ \
	bits_type	bits; \
\
	memcpy(&bits, &a, sizeof bits); \
	bits = bits << 1 >> 1; \
	memcpy(r, &bits, sizeof bits); \
	return 0; \
}

GS_FLOAT_ARITHMETIC(float4, float, uint32_t)
GS_FLOAT_ARITHMETIC(float8, double, uint64_t)

/*
 * Comparisons, in an order in which NaN equals itself and is above all else,
 * and -0 equals 0.  a <= b is !less(b, a).
 */
#define GS_INTEGER_COMPARISON(suffix, type) \
GS_INLINE bool \
gs_less_##suffix(type a, type b) \
{ \
	return a < b; \
} \
\
GS_INLINE bool \
gs_equal_##suffix(type a, type b) \
{ \
	return a == b; \
}

#define GS_FLOAT_COMPARISON(suffix, type) \
GS_INLINE bool \
gs_less_##suffix(type a, type b) \
{ \
	return (a < b) | ((a == a) & (b != b)); \
} \
\
GS_INLINE bool \
gs_equal_##suffix(type a, type b) \
{ \
	return (a == b) | ((a != a) & (b != b)); \
}

#define GS_THREE_WAY(suffix, type) \
GS_INLINE int \
gs_compare_##suffix(type a, type b) \
{ \
	return gs_less_##suffix(b, a) - gs_less_##suffix(a, b); \
}

GS_INTEGER_COMPARISON(bool, uint8_t)
GS_INTEGER_COMPARISON(int2, int16_t)
GS_INTEGER_COMPARISON(int4, int32_t)
GS_INTEGER_COMPARISON(int8, int64_t)
GS_FLOAT_COMPARISON(float4, float)
GS_FLOAT_COMPARISON(float8, double)

GS_THREE_WAY(bool, uint8_t)
GS_THREE_WAY(int2, int16_t)
GS_THREE_WAY(int4, int32_t)
GS_THREE_WAY(int8, int64_t)
GS_THREE_WAY(float4, float)
GS_THREE_WAY(float8, double)

/*
 * The nearest integer, ties to even, as rint(); the sign of a zero may differ.
 * Beyond 2^52 every double is an integer.
 */
GS_INLINE double
gs_nearest_integer(double x)
{
	const double big = 4503599627370496.0;

	if (x >= 0)
		return x < big ? (x + big) - big : x;
	return x > -big ? (x - big) + big : x;
}

/* These are exact, and the root is rounded once. */
#define GS_FLOAT_FUNCTION(name, function, condition) \
GS_INLINE uint32_t \
gs_##name##_float8(double a, double *r) \
{ \
	*r = function(a); \
	return GS_RANGE_UNLESS(condition); \
}

GS_FLOAT_FUNCTION(floor, floor, true)
GS_FLOAT_FUNCTION(ceil, ceil, true)
GS_FLOAT_FUNCTION(trunc, trunc, true)
GS_FLOAT_FUNCTION(round, rint, true)
GS_FLOAT_FUNCTION(sqrt, sqrt, !(a < 0))

GS_INLINE uint32_t
gs_month_int4(int32_t a, int32_t *r)
{
	*r = gs_month_of_day(a);
	return 0;
}

GS_INLINE uint32_t
gs_month_start_int4(int32_t a, int32_t *r)
{
	int64_t		day = gs_first_day_of_month(a);

	*r = (int32_t) day;
	return GS_RANGE_UNLESS(*r == day);
}

/* Casts between integers, and of integers to floats: rounded once. */
#define GS_CAST_INTEGER(from, type, to, to_type) \
GS_INLINE uint32_t \
gs_cast_##from##_##to(type a, to_type *r) \
{ \
	*r = (to_type) a; \
	return GS_RANGE_UNLESS(*r == a); \
}

#define GS_CAST_ALWAYS(from, type, to, to_type) \
GS_INLINE uint32_t \
gs_cast_##from##_##to(type a, to_type *r) \
{ \
	*r = (to_type) a; \
	return 0; \
}

/* Of floats to integers; `end` is the first double above the range. */
#define GS_CAST_FLOAT(from, type, to, to_type, end) \
GS_INLINE uint32_t \
gs_cast_##from##_##to(type a, to_type *r) \
{ \
	double		x = gs_nearest_integer((double) a); \
	bool		fits = x >= -(end) && x < (end);	/* not if NaN */ \
\
	*r = fits ? (to_type) x : 0; \
	return GS_RANGE_UNLESS(fits); \
}

#define GS_CASTS_OF_INTEGER(from, type) \
	GS_CAST_INTEGER(from, type, int2, int16_t) \
	GS_CAST_INTEGER(from, type, int4, int32_t) \
	GS_CAST_INTEGER(from, type, int8, int64_t) \
	GS_CAST_ALWAYS(from, type, float4, float) \
	GS_CAST_ALWAYS(from, type, float8, double)

#define GS_CASTS_OF_FLOAT(from, type) \
	GS_CAST_FLOAT(from, type, int2, int16_t, 32768.0) \
	GS_CAST_FLOAT(from, type, int4, int32_t, 2147483648.0) \
	GS_CAST_FLOAT(from, type, int8, int64_t, 9223372036854775808.0)

GS_CASTS_OF_INTEGER(int2, int16_t)
GS_CASTS_OF_INTEGER(int4, int32_t)
GS_CASTS_OF_INTEGER(int8, int64_t)
GS_CASTS_OF_FLOAT(float4, float)
GS_CASTS_OF_FLOAT(float8, double)
GS_CAST_ALWAYS(float4, float, float4, float)
GS_CAST_ALWAYS(float4, float, float8, double)
GS_CAST_ALWAYS(float8, double, float8, double)

GS_INLINE uint32_t
gs_cast_float8_float4(double a, float *r)
{
	*r = (float) a;
	return GS_RANGE_UNLESS((!gs_is_infinite_float4(*r) ||
							gs_is_infinite_float8(a)) &&
						   (*r != 0 || a == 0));
}

/*
 * Instructions that are not strict.  They get the states of their operands
 * and return the result's.
 *
 * AND: false if either is false; else an error if either is one; else NULL if
 * either is NULL.  A boolean is 0 or 1.  OR likewise.
 */
GS_INLINE uint32_t
gs_and(uint8_t a, uint32_t a_state, uint8_t b, uint32_t b_state, uint8_t *r)
{
	bool		decided = ((a_state == 0) & !a) | ((b_state == 0) & !b);

	*r = !decided;
	return decided ? 0 : a_state | b_state;
}

GS_INLINE uint32_t
gs_or(uint8_t a, uint32_t a_state, uint8_t b, uint32_t b_state, uint8_t *r)
{
	bool		decided = ((a_state == 0) & a) | ((b_state == 0) & b);

	*r = decided;
	return decided ? 0 : a_state | b_state;
}

/* IS NULL: of an error, that error. */
GS_INLINE uint32_t
gs_is_null(uint32_t a_state, uint8_t *r)
{
	*r = (a_state & GS_STATE_NULL) != 0;
	return a_state & GS_STATE_ERRORS;
}

/* CHOOSE: an error of the condition is the result; NULL chooses c. */
GS_INLINE bool
gs_chooses_b(uint8_t a, uint32_t a_state)
{
	return a && a_state == 0;
}

GS_INLINE uint32_t
gs_choose_state(uint32_t a_state, uint32_t chosen)
{
	return a_state & GS_STATE_ERRORS ? a_state & GS_STATE_ERRORS : chosen;
}

/*
 * LEAST and GREATEST: is the result b?  An error of either is the result's;
 * else it is NULL if both are.
 */
#define GS_LEAST_GREATEST(suffix, type) \
GS_INLINE bool \
gs_least_is_b_##suffix(type a, uint32_t a_state, type b, uint32_t b_state) \
{ \
	return a_state != 0 || (b_state == 0 && gs_less_##suffix(b, a)); \
} \
\
GS_INLINE bool \
gs_greatest_is_b_##suffix(type a, uint32_t a_state, type b, uint32_t b_state) \
{ \
	return a_state != 0 || (b_state == 0 && gs_less_##suffix(a, b)); \
}

GS_LEAST_GREATEST(bool, uint8_t)
GS_LEAST_GREATEST(int2, int16_t)
GS_LEAST_GREATEST(int4, int32_t)
GS_LEAST_GREATEST(int8, int64_t)
GS_LEAST_GREATEST(float4, float)
GS_LEAST_GREATEST(float8, double)

GS_INLINE uint32_t
gs_least_state(uint32_t a_state, uint32_t b_state)
{
	return ((a_state | b_state) & GS_STATE_ERRORS) |
		(a_state & b_state & GS_STATE_NULL);
}

/* IN: is x in list[0 .. count - 1]? */
#define GS_IN(suffix, type, member) \
GS_INLINE bool \
gs_in_##suffix(type x, const gs_value *list, int32_t count) \
{ \
	int32_t		first = 0; \
\
	while (count > 0) \
	{ \
		int32_t		half = count / 2; \
\
		if (gs_less_##suffix((type) list[first + half].member, x)) \
		{ \
			first += half + 1; \
			count -= half + 1; \
		} \
		else if (gs_less_##suffix(x, (type) list[first + half].member)) \
			count = half; \
		else \
			return true; \
	} \
	return false; \
}

GS_IN(bool, uint8_t, i2)
GS_IN(int2, int16_t, i2)
GS_IN(int4, int32_t, i4)
GS_IN(int8, int64_t, i8)
GS_IN(float4, float, f4)
GS_IN(float8, double, f8)

/* CHECK: is a between b and c? */
#define GS_CHECK(suffix, type) \
GS_INLINE uint32_t \
gs_check_##suffix(type a, type b, type c) \
{ \
	return GS_RANGE_UNLESS(!gs_less_##suffix(a, b) && \
						   !gs_less_##suffix(c, a)); \
}

GS_CHECK(int2, int16_t)
GS_CHECK(int4, int32_t)
GS_CHECK(int8, int64_t)
GS_CHECK(float4, float)
GS_CHECK(float8, double)

/* SEARCH: how many of list[0 .. count - 1] are <= x? */
#define GS_SEARCH(suffix, type, member) \
GS_INLINE int32_t \
gs_search_##suffix(type x, const gs_value *list, int32_t count) \
{ \
	int32_t		first = 0; \
\
	while (count > 0) \
	{ \
		int32_t		half = count / 2; \
\
		if (gs_less_##suffix(x, (type) list[first + half].member)) \
			count = half; \
		else \
		{ \
			first += half + 1; \
			count -= half + 1; \
		} \
	} \
	return first; \
}

GS_SEARCH(int2, int16_t, i2)
GS_SEARCH(int4, int32_t, i4)
GS_SEARCH(int8, int64_t, i8)
GS_SEARCH(float4, float, f4)
GS_SEARCH(float8, double, f8)

/*
 * LOOKUP: the place in the list, from its first on, or -1.  The difference may
 * be beyond int8.
 */
GS_INLINE int32_t
gs_lookup_place(int64_t a, int64_t low, int32_t count)
{
	uint64_t	place = (uint64_t) a - (uint64_t) low;

	return a >= low && place < (uint64_t) count ? (int32_t) place : -1;
}

/* How many entries has its table, and how many values of the list are these? */
GS_INLINE int64_t
gs_lookup_entries(const gs_instruction *in)
{
	return in->on_null < in->count ? in->count : (int64_t) in->on_null + 1;
}

GS_INLINE int64_t
gs_lookup_values(const gs_instruction *in)
{
	return (gs_lookup_entries(in) * in->width + 7) / 8;
}

/* With the bits of those that are NULL. */
GS_INLINE int64_t
gs_lookup_size(const gs_instruction *in)
{
	return gs_lookup_values(in) +
		(in->list_null ? (gs_lookup_entries(in) + 63) / 64 : 0);
}

/* An entry of such a width, which may be cut to its type's. */
GS_INLINE int64_t
gs_lookup_entry(const void *table, int width, int32_t place)
{
	switch (width)
	{
		case 1:
			return ((const int8_t *) table)[place];
		case 2:
			return ((const int16_t *) table)[place];
		case 4:
			return ((const int32_t *) table)[place];
		default:
			return ((const int64_t *) table)[place];
	}
}

/* Bits of a byte are counted from the lowest. */
GS_INLINE uint32_t
gs_lookup_null(const uint8_t *nulls, int32_t place)
{
	return (uint32_t) nulls[place / 8] >> (place % 8) & 1;
}

/*
 * Which of so many slices of a plan's rows a value belongs to, NULL being as 0.  By
 * way of a prime, so that regular values, all even ones, say, are in all slices, too.
 */
GS_INLINE int
gs_slice_of(int64_t value, int slices)
{
	return (int) ((uint32_t) ((uint64_t) value % 1009) % (uint32_t) slices);
}

#endif							/* GS_ARITHMETIC_H */
