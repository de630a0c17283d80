/*-------------------------------------------------------------------------
 *
 * elementwise_lanes.h
 *	  The loops of elementwise.c, for one kind of vector.
 *
 * elementwise.c includes this file for each kind: LANES makes names, and
 * TARGET says what the compiler may use for the vectors that it makes of these
 * loops.  What they compute is arithmetic.h's and range.h's.
 *
 *-------------------------------------------------------------------------
 */

#define FUNCTION(name) \
static TARGET uint32_t \
LANES(name) (const gs_op *op, const void *restrict a, const void *restrict b, \
			 void *restrict r, int n)

/* A value for each x, and for each pair of x and y. */
#define OF_ONE(name, type, result, prepare, value) \
FUNCTION(name) \
{ \
	prepare; \
\
	(void) op; \
	(void) b; \
	for (int i = 0; i < n; i++) \
	{ \
		const type	x = ((const type *) a)[i]; \
\
		((result *) r)[i] = (result) (value); \
	} \
	return 0; \
}

#define OF_TWO(name, type, other, result, prepare, value) \
FUNCTION(name) \
{ \
	prepare; \
\
	(void) op; \
	for (int i = 0; i < n; i++) \
	{ \
		const type	x = ((const type *) a)[i]; \
		const other y = ((const other *) b)[i]; \
\
		((result *) r)[i] = (result) (value); \
	} \
	return 0; \
}

/* Steps of arithmetic, with the errors of each. */
#define CANONICAL_INTEGER(x)	(x)
#define CANONICAL_FLOAT(x)		((x) == (x) ? (x) : gs_canonical_nan())

#define BINARY(name, suffix, type, canonical) \
FUNCTION(name##_##suffix) \
{ \
	uint32_t	errors = 0; \
\
	(void) op; \
	for (int i = 0; i < n; i++) \
	{ \
		type		v; \
\
		errors |= gs_##name##_##suffix(((const type *) a)[i], \
									   ((const type *) b)[i], &v); \
		((type *) r)[i] = (type) canonical(v); \
	} \
	return errors; \
}

#define UNARY(name, suffix, type, canonical) \
FUNCTION(name##_##suffix) \
{ \
	uint32_t	errors = 0; \
\
	(void) op; \
	(void) b; \
	for (int i = 0; i < n; i++) \
	{ \
		type		v; \
\
		errors |= gs_##name##_##suffix(((const type *) a)[i], &v); \
		((type *) r)[i] = (type) canonical(v); \
	} \
	return errors; \
}

/*
 * Functions of floats, for a block that has no error.  One that may have,
 * which an infinity, a NaN or an underflow shows, is computed again, element
 * by element.
 */
#define QUICK(name, suffix, type, bits, operator, underflow) \
FUNCTION(quick_##name##_##suffix) \
{ \
	bits		odd = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		const type	x = ((const type *) a)[i]; \
		const type	y = ((const type *) b)[i]; \
		const type	z = x operator y; \
\
		odd |= (bits) ((z - z != 0) | (underflow)); \
		((type *) r)[i] = z; \
	} \
	return odd == 0 ? 0 : LANES(name##_##suffix) (op, a, b, r, n); \
}

#define FLOAT_ARITHMETIC(suffix, type, bits) \
QUICK(add, suffix, type, bits, +, false) \
QUICK(subtract, suffix, type, bits, -, false) \
QUICK(multiply, suffix, type, bits, *, (z == 0) & (x != 0) & (y != 0)) \
QUICK(divide, suffix, type, bits, /, (z == 0) & (x != 0))

#define ARITHMETIC(suffix, type, canonical) \
BINARY(add, suffix, type, canonical) \
BINARY(subtract, suffix, type, canonical) \
BINARY(multiply, suffix, type, canonical) \
BINARY(divide, suffix, type, canonical)

#define CHOOSE(suffix, type, member) \
OF_TWO(choose_##suffix, type, uint8_t, type, \
	   const type constant = (type) op->choose.constant.member; \
	   const bool reverse = op->choose.where_false != 0, \
	   (y != 0) != reverse ? x : constant)

#define LOOPS(suffix, type, member, canonical) \
UNARY(negate, suffix, type, canonical) \
UNARY(abs, suffix, type, canonical) \
OF_ONE(between_##suffix, type, uint8_t, \
	   const gs_range_##suffix range = gs_range_of_##suffix(op), \
	   gs_within_##suffix(&range, x)) \
OF_ONE(clip_##suffix, type, type, \
	   const gs_range_##suffix range = gs_ends_##suffix(op), \
	   gs_clip_##suffix(&range, x)) \
OF_TWO(less_##suffix, type, type, uint8_t, \
	   const bool reverse = is_reversed(op), \
	   gs_less_##suffix(x, y) != reverse) \
OF_TWO(equal_##suffix, type, type, uint8_t, \
	   const bool reverse = is_reversed(op), \
	   gs_equal_##suffix(x, y) != reverse) \
CHOOSE(suffix, type, member)

ARITHMETIC(int2, int16_t, CANONICAL_INTEGER)
ARITHMETIC(int4, int32_t, CANONICAL_INTEGER)
ARITHMETIC(int8, int64_t, CANONICAL_INTEGER)
ARITHMETIC(float4, float, CANONICAL_FLOAT)
ARITHMETIC(float8, double, CANONICAL_FLOAT)
FLOAT_ARITHMETIC(float4, float, uint32_t)
FLOAT_ARITHMETIC(float8, double, uint64_t)
LOOPS(int2, int16_t, i2, CANONICAL_INTEGER)
LOOPS(int4, int32_t, i4, CANONICAL_INTEGER)
LOOPS(int8, int64_t, i8, CANONICAL_INTEGER)
LOOPS(float4, float, f4, CANONICAL_FLOAT)
LOOPS(float8, double, f8, CANONICAL_FLOAT)
CHOOSE(bool, uint8_t, i2)
OF_ONE(not_bool, uint8_t, uint8_t, , x == 0)
OF_TWO(and_bool, uint8_t, uint8_t, uint8_t, , (x != 0) & (y != 0))
OF_TWO(or_bool, uint8_t, uint8_t, uint8_t, , (x | y) != 0)

#define STEPS(name) { \
	[GS_INT2] = LANES(name##_int2), \
	[GS_INT4] = LANES(name##_int4), \
	[GS_INT8] = LANES(name##_int8), \
	[GS_FLOAT4] = LANES(quick_##name##_float4), \
	[GS_FLOAT8] = LANES(quick_##name##_float8) \
}

#define OF_NUMBERS(name) { \
	[GS_INT2] = LANES(name##_int2), \
	[GS_INT4] = LANES(name##_int4), \
	[GS_INT8] = LANES(name##_int8), \
	[GS_FLOAT4] = LANES(name##_float4), \
	[GS_FLOAT8] = LANES(name##_float8) \
}

static loop
LANES(loop_of) (const gs_op *op)
{
	static const loop arithmetic[][GS_TYPES] = {
		[GS_CODE_ADD] = STEPS(add),
		[GS_CODE_SUBTRACT] = STEPS(subtract),
		[GS_CODE_MULTIPLY] = STEPS(multiply),
		[GS_CODE_DIVIDE] = STEPS(divide),
		[GS_CODE_NEGATE] = OF_NUMBERS(negate),
		[GS_CODE_ABS] = OF_NUMBERS(abs)
	};
	static const loop between[] = OF_NUMBERS(between);
	static const loop clip[] = OF_NUMBERS(clip);
	static const loop less[] = OF_NUMBERS(less);
	static const loop equal[] = OF_NUMBERS(equal);
	static const loop choose[] = OF_NUMBERS(choose);

	switch (op->kind)
	{
		case GS_ARITHMETIC:
			return arithmetic[op->expression.step[0].code][op->type];
		case GS_BETWEEN:
			return between[op->type];
		case GS_CLIP:
			return clip[op->type];
		case GS_COMPARE:
			return is_equality(op) ? equal[op->type] : less[op->type];
		case GS_NOT:
			return LANES(not_bool);
		case GS_AND:
			return LANES(and_bool);
		case GS_OR:
			return LANES(or_bool);
		default:
			return op->type == GS_BOOL ? LANES(choose_bool) : choose[op->type];
	}
}

#undef FUNCTION
#undef OF_ONE
#undef OF_TWO
#undef CANONICAL_INTEGER
#undef CANONICAL_FLOAT
#undef BINARY
#undef UNARY
#undef QUICK
#undef FLOAT_ARITHMETIC
#undef ARITHMETIC
#undef CHOOSE
#undef STEPS
#undef LOOPS
#undef OF_NUMBERS
#undef TARGET
#undef LANES
