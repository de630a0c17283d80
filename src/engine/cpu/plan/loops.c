/*-------------------------------------------------------------------------
 *
 * loops.c
 *	  The loops of a plan's instructions, for each type.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/lanes.h"
#include "engine/elements.h"

#define BINARY(name, suffix, type) \
static uint32_t \
name##_##suffix(const void *a, const void *b, int n, void *result, \
				uint8_t *errors) \
{ \
	const type *restrict x = a; \
	const type *restrict y = b; \
	type	   *restrict r = result; \
	uint8_t    *restrict e = errors; \
	uint8_t		all = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		e[i] = (uint8_t) gs_##name##_##suffix(x[i], y[i], &r[i]); \
		all |= e[i]; \
	} \
	return all; \
}

#define UNARY(name, suffix, type, result_type) \
static uint32_t \
name##_##suffix(const void *a, const void *b, int n, void *result, \
				uint8_t *errors) \
{ \
	const type *restrict x = a; \
	result_type *restrict r = result; \
	uint8_t    *restrict e = errors; \
	uint8_t		all = 0; \
\
	(void) b; \
	for (int i = 0; i < n; i++) \
	{ \
		e[i] = (uint8_t) gs_##name##_##suffix(x[i], &r[i]); \
		all |= e[i]; \
	} \
	return all; \
}

#define COMPARISON(name, suffix, type, condition) \
static uint32_t \
name##_##suffix(const void *a, const void *b, int n, void *result, \
				uint8_t *errors) \
{ \
	const type *restrict x = a; \
	const type *restrict y = b; \
	uint8_t    *restrict r = result; \
\
	(void) errors; \
	for (int i = 0; i < n; i++) \
		r[i] = condition; \
	return 0; \
}

#define COMPARISONS(suffix, type) \
	COMPARISON(lt, suffix, type, gs_less_##suffix(x[i], y[i])) \
	COMPARISON(le, suffix, type, !gs_less_##suffix(y[i], x[i])) \
	COMPARISON(eq, suffix, type, gs_equal_##suffix(x[i], y[i])) \
	COMPARISON(ne, suffix, type, !gs_equal_##suffix(x[i], y[i])) \
	COMPARISON(ge, suffix, type, !gs_less_##suffix(x[i], y[i])) \
	COMPARISON(gt, suffix, type, gs_less_##suffix(y[i], x[i]))

/*
 * Comparisons of floats.  The compiler does not make those of doubles, whose
 * results are bytes, ones of vectors: these are in two steps.
 */
#define COMPARED		64

#define FLOAT_COMPARISON(name, suffix, type, condition, vector_condition) \
COMPARISON(name##_few, suffix, type, condition) \
static uint32_t \
name##_##suffix(const void *a, const void *b, int n, void *result, \
				uint8_t *errors) \
{ \
	const type *v = a; \
	const type *w = b; \
	uint8_t    *restrict r = result; \
	int			i = 0; \
\
	for (; i + COMPARED <= n; i += COMPARED) \
	{ \
		int64_t		wide[COMPARED]; \
\
		for (int k = 0; k < COMPARED; k += 2) \
		{ \
			lanes		x = load_##suffix(v + i + k); \
			lanes		y = load_##suffix(w + i + k); \
			masks		both = vector_condition; \
\
			memcpy(wide + k, &both, sizeof both); \
		} \
		for (int k = 0; k < COMPARED; k++) \
			r[i + k] = (uint8_t) (wide[k] & 1); \
	} \
	return name##_few_##suffix(v + i, w + i, n - i, r + i, errors); \
}

#define VECTOR_LESS(x, y)	((x < y) | ((x == x) & (y != y)))
#define VECTOR_EQUAL(x, y)	((x == y) | ((x != x) & (y != y)))

#define FLOAT_COMPARISONS(suffix, type) \
	FLOAT_COMPARISON(lt, suffix, type, gs_less_##suffix(x[i], y[i]), VECTOR_LESS(x, y)) \
	FLOAT_COMPARISON(le, suffix, type, !gs_less_##suffix(y[i], x[i]), ~VECTOR_LESS(y, x)) \
	FLOAT_COMPARISON(eq, suffix, type, gs_equal_##suffix(x[i], y[i]), VECTOR_EQUAL(x, y)) \
	FLOAT_COMPARISON(ne, suffix, type, !gs_equal_##suffix(x[i], y[i]), ~VECTOR_EQUAL(x, y)) \
	FLOAT_COMPARISON(ge, suffix, type, !gs_less_##suffix(x[i], y[i]), ~VECTOR_LESS(x, y)) \
	FLOAT_COMPARISON(gt, suffix, type, gs_less_##suffix(y[i], x[i]), VECTOR_LESS(y, x))

#define ARITHMETIC(suffix, type) \
	BINARY(add, suffix, type) \
	BINARY(subtract, suffix, type) \
	BINARY(multiply, suffix, type) \
	BINARY(divide, suffix, type) \
	UNARY(negate, suffix, type, type) \
	UNARY(abs, suffix, type, type)

#define CASTS(from, type) \
	UNARY(cast_##from, int2, type, int16_t) \
	UNARY(cast_##from, int4, type, int32_t) \
	UNARY(cast_##from, int8, type, int64_t) \
	UNARY(cast_##from, float4, type, float) \
	UNARY(cast_##from, float8, type, double)

#define INTEGERS(suffix, type) \
	BINARY(floor_divide, suffix, type) \
	BINARY(modulo, suffix, type) \
	BINARY(bit_and, suffix, type) \
	BINARY(bit_or, suffix, type) \
	BINARY(bit_xor, suffix, type) \
	BINARY(shift_left, suffix, type) \
	BINARY(shift_right, suffix, type) \
	UNARY(bit_not, suffix, type, type)

#define EACH_NUMBER(MACRO) \
	MACRO(int2, int16_t) \
	MACRO(int4, int32_t) \
	MACRO(int8, int64_t) \
	MACRO(float4, float) \
	MACRO(float8, double)

EACH_NUMBER(ARITHMETIC)
EACH_NUMBER(CASTS)
INTEGERS(int2, int16_t)
INTEGERS(int4, int32_t)
INTEGERS(int8, int64_t)
UNARY(floor, float8, double, double)
UNARY(ceil, float8, double, double)
UNARY(trunc, float8, double, double)
UNARY(round, float8, double, double)
UNARY(sqrt, float8, double, double)
UNARY(month, int4, int32_t, int32_t)
UNARY(month_start, int4, int32_t, int32_t)
COMPARISONS(int2, int16_t)
COMPARISONS(int4, int32_t)
COMPARISONS(int8, int64_t)
FLOAT_COMPARISONS(float4, float)
FLOAT_COMPARISONS(float8, double)

/* one by one, or bool would be expanded */
COMPARISON(lt, bool, uint8_t, x[i] < y[i])
COMPARISON(le, bool, uint8_t, x[i] <= y[i])
COMPARISON(eq, bool, uint8_t, x[i] == y[i])
COMPARISON(ne, bool, uint8_t, x[i] != y[i])
COMPARISON(ge, bool, uint8_t, x[i] >= y[i])
COMPARISON(gt, bool, uint8_t, x[i] > y[i])

#define BY_TYPE(name) \
	{[GS_BOOL] = name##_bool, BY_NUMBER(name)}

static uint32_t
not_bool(const void *a, const void *b, int n, void *result, uint8_t *errors)
{
	const uint8_t *restrict x = a;
	uint8_t    *restrict r = result;

	(void) b;
	(void) errors;
	for (int i = 0; i < n; i++)
		r[i] = !x[i];
	return 0;
}

/*
 * Functions that are rounded once.  map/elementary.c computes many at a time and
 * says in errors[] which it knows; the few others, one by one.
 */
static uint32_t
settle_elementary(int code, const double *x, const double *y, int n,
				  double *restrict r, uint8_t *restrict errors)
{
	uint8_t		all = 0;

	for (int i = 0; i < n; i++)
	{
		errors[i] = errors[i] ? 0 :
			(uint8_t) gs_elementary_instruction(code, x[i], y[i], &r[i]);
		all |= errors[i];
	}
	return all;
}

static uint32_t
exp_float8(const void *a, const void *b, int n, void *result, uint8_t *errors)
{
	(void) b;
	gs_cpu_exps(a, n, result, errors);
	return settle_elementary(GS_CODE_EXP, a, a, n, result, errors);
}

static uint32_t
ln_float8(const void *a, const void *b, int n, void *result, uint8_t *errors)
{
	(void) b;
	gs_cpu_lns(a, n, result, errors);
	return settle_elementary(GS_CODE_LN, a, a, n, result, errors);
}

static uint32_t
log10_float8(const void *a, const void *b, int n, void *result,
			 uint8_t *errors)
{
	(void) b;
	memset(errors, 0, n);
	return settle_elementary(GS_CODE_LOG10, a, a, n, result, errors);
}

static uint32_t
power_float8(const void *a, const void *b, int n, void *result,
			 uint8_t *errors)
{
	gs_cpu_powers(a, b, n, result, errors);
	return settle_elementary(GS_CODE_POWER, a, b, n, result, errors);
}

static const group_loop loops[][GS_TYPES] = {
	[GS_CODE_ADD] = {BY_NUMBER(add)},
	[GS_CODE_SUBTRACT] = {BY_NUMBER(subtract)},
	[GS_CODE_MULTIPLY] = {BY_NUMBER(multiply)},
	[GS_CODE_DIVIDE] = {BY_NUMBER(divide)},
	[GS_CODE_NEGATE] = {BY_NUMBER(negate)},
	[GS_CODE_ABS] = {BY_NUMBER(abs)},
	[GS_CODE_LT] = BY_TYPE(lt),
	[GS_CODE_LE] = BY_TYPE(le),
	[GS_CODE_EQ] = BY_TYPE(eq),
	[GS_CODE_NE] = BY_TYPE(ne),
	[GS_CODE_GE] = BY_TYPE(ge),
	[GS_CODE_GT] = BY_TYPE(gt),
	[GS_CODE_NOT] = {[GS_BOOL] = not_bool},
	[GS_CODE_FLOOR_DIVIDE] = {BY_INTEGER(floor_divide)},
	[GS_CODE_MODULO] = {BY_INTEGER(modulo)},
	[GS_CODE_BIT_AND] = {BY_INTEGER(bit_and)},
	[GS_CODE_BIT_OR] = {BY_INTEGER(bit_or)},
	[GS_CODE_BIT_XOR] = {BY_INTEGER(bit_xor)},
	[GS_CODE_SHIFT_LEFT] = {BY_INTEGER(shift_left)},
	[GS_CODE_SHIFT_RIGHT] = {BY_INTEGER(shift_right)},
	[GS_CODE_BIT_NOT] = {BY_INTEGER(bit_not)},
	[GS_CODE_FLOOR] = {[GS_FLOAT8] = floor_float8},
	[GS_CODE_CEIL] = {[GS_FLOAT8] = ceil_float8},
	[GS_CODE_TRUNC] = {[GS_FLOAT8] = trunc_float8},
	[GS_CODE_ROUND] = {[GS_FLOAT8] = round_float8},
	[GS_CODE_SQRT] = {[GS_FLOAT8] = sqrt_float8},
	[GS_CODE_MONTH] = {[GS_INT4] = month_int4},
	[GS_CODE_MONTH_START] = {[GS_INT4] = month_start_int4},
	[GS_CODE_EXP] = {[GS_FLOAT8] = exp_float8},
	[GS_CODE_LN] = {[GS_FLOAT8] = ln_float8},
	[GS_CODE_LOG10] = {[GS_FLOAT8] = log10_float8},
	[GS_CODE_POWER] = {[GS_FLOAT8] = power_float8}
};

static const group_loop casts[GS_TYPES][GS_TYPES] = {
	[GS_INT2] = {BY_NUMBER(cast_int2)},
	[GS_INT4] = {BY_NUMBER(cast_int4)},
	[GS_INT8] = {BY_NUMBER(cast_int8)},
	[GS_FLOAT4] = {BY_NUMBER(cast_float4)},
	[GS_FLOAT8] = {BY_NUMBER(cast_float8)},
};

/*
 * IN.  A short list is gone through for all rows, else it is searched for each.
 */
#define SHORT_LIST	12

#define LIST_SEARCH(suffix, type, member) \
static void \
in_##suffix(const void *a, const gs_value *list, int count, int n, \
			uint8_t *restrict r) \
{ \
	const type *restrict x = a; \
\
	if (count > SHORT_LIST) \
	{ \
		for (int i = 0; i < n; i++) \
			r[i] = gs_in_##suffix(x[i], list, count); \
		return; \
	} \
	memset(r, 0, n); \
	for (int k = 0; k < count; k++) \
	{ \
		const type	y = (type) list[k].member; \
\
		for (int i = 0; i < n; i++) \
			r[i] |= gs_equal_##suffix(x[i], y); \
	} \
}

LIST_SEARCH(bool, uint8_t, i2)
LIST_SEARCH(int2, int16_t, i2)
LIST_SEARCH(int4, int32_t, i4)
LIST_SEARCH(int8, int64_t, i8)
LIST_SEARCH(float4, float, f4)
LIST_SEARCH(float8, double, f8)

static const group_search searches[GS_TYPES] = BY_TYPE(in);

/*
 * SEARCH.  Rows often have the place of the last one: that is looked at first.  If
 * others have not, several are searched for together, so that the processor waits
 * for the list's values of all at a time: 43 ns a row and not 160 (160,000 values).
 */
#define SEARCHED		16

#define PLACES(suffix, type, member) \
static bool \
have_place_##suffix(const type *x, const gs_value *list, int count, int32_t place) \
{ \
	bool		have = true; \
\
	for (int k = 0; k < SEARCHED; k++) \
		have &= (place == 0 || \
				 !gs_less_##suffix(x[k], (type) list[place - 1].member)) && \
			(place == count || gs_less_##suffix(x[k], (type) list[place].member)); \
	return have; \
} \
\
static void \
search_some_##suffix(const type *x, const gs_value *list, int count, \
					 int32_t *restrict r) \
{ \
	int			left = count; \
\
	memset(r, 0, SEARCHED * sizeof *r); \
	while (left > 0) \
	{ \
		int			half = left > 1 ? left / 2 : 1; \
\
		for (int k = 0; k < SEARCHED; k++) \
			r[k] += half & \
				((int32_t) gs_less_##suffix(x[k], (type) list[r[k] + half - 1].member) - 1); \
		left -= half; \
	} \
} \
\
static void \
search_##suffix(const void *a, const gs_value *list, int count, int n, \
				int32_t *restrict r) \
{ \
	const type *x = a; \
	int32_t		last = 0; \
	int			i = 0; \
\
	for (; i + SEARCHED <= n; i += SEARCHED) \
	{ \
		if (have_place_##suffix(x + i, list, count, last)) \
		{ \
			for (int k = 0; k < SEARCHED; k++) \
				r[i + k] = last; \
			continue; \
		} \
		search_some_##suffix(x + i, list, count, r + i); \
		last = r[i + SEARCHED - 1]; \
	} \
	for (; i < n; i++) \
		r[i] = gs_search_##suffix(x[i], list, count); \
}

PLACES(int2, int16_t, i2)
PLACES(int4, int32_t, i4)
PLACES(int8, int64_t, i8)
PLACES(float4, float, f4)
PLACES(float8, double, f8)

static const group_places places[GS_TYPES] = {BY_NUMBER(search)};

/* CHECK: the result is a's values. */
#define CHECKED(suffix, type) \
static uint32_t \
check_##suffix(const void *a, const void *b, const void *c, int n, \
			   void *result, uint8_t *restrict errors) \
{ \
	const type *restrict x = a; \
	const type *restrict low = b; \
	const type *restrict high = c; \
	uint8_t		all = 0; \
\
	memcpy(result, a, n * sizeof(type)); \
	for (int i = 0; i < n; i++) \
	{ \
		errors[i] = (uint8_t) gs_check_##suffix(x[i], low[i], high[i]); \
		all |= errors[i]; \
	} \
	return all; \
}

EACH_NUMBER(CHECKED)

static const group_check checks[GS_TYPES] = {BY_NUMBER(check)};

/* LEAST and GREATEST: choice[i] is 1 where the result is b. */
#define EXTREME(name, suffix, type) \
static void \
name##_##suffix(const void *a, const uint8_t *sa, const void *b, \
				const uint8_t *sb, int n, uint8_t *restrict choice) \
{ \
	const type *restrict x = a; \
	const type *restrict y = b; \
\
	for (int i = 0; i < n; i++) \
		choice[i] = gs_##name##_is_b_##suffix(x[i], sa[i], y[i], sb[i]); \
}

#define EXTREMES(suffix, type) \
	EXTREME(least, suffix, type) \
	EXTREME(greatest, suffix, type)

EACH_NUMBER(EXTREMES)
EXTREME(least, bool, uint8_t)
EXTREME(greatest, bool, uint8_t)

static const group_extreme least[GS_TYPES] = BY_TYPE(least);
static const group_extreme greatest[GS_TYPES] = BY_TYPE(greatest);

/*
 * LEAST and GREATEST of integers and a constant: where a look-up's keys end.  What is
 * NULL or an error is the constant.
 */
#define LIMIT(target, lanes, name, suffix, type, member, comparison) \
static target void \
name##_limit_##suffix##_##lanes(const void *a, const uint8_t *states, gs_value limit, \
								int n, void *result) \
{ \
	const type *restrict x = a; \
	const type	y = (type) limit.member; \
	type	   *restrict r = result; \
\
	for (int i = 0; i < n; i++) \
		r[i] = x[i] comparison y ? x[i] : y; \
	for (int i = 0; i < n && states != NULL; i++) \
		r[i] = states[i] != 0 ? y : r[i]; \
}

#define LIMITS(target, lanes) \
	LIMIT(target, lanes, least, int2, int16_t, i2, <) \
	LIMIT(target, lanes, least, int4, int32_t, i4, <) \
	LIMIT(target, lanes, least, int8, int64_t, i8, <) \
	LIMIT(target, lanes, greatest, int2, int16_t, i2, >) \
	LIMIT(target, lanes, greatest, int4, int32_t, i4, >) \
	LIMIT(target, lanes, greatest, int8, int64_t, i8, >)

#define LIMITS_BY_TYPE(name, lanes) \
	{[GS_INT2] = name##_limit_int2_##lanes, [GS_INT4] = name##_limit_int4_##lanes, \
		[GS_INT8] = name##_limit_int8_##lanes}

LIMITS(, 2)
static const group_limit limits_2[2][GS_TYPES] = {
	LIMITS_BY_TYPE(least, 2), LIMITS_BY_TYPE(greatest, 2)
};

#ifdef GROUP_WIDER_LANES
LIMITS(GROUP_WIDER_LANES, 4)
static const group_limit limits_4[2][GS_TYPES] = {
	LIMITS_BY_TYPE(least, 4), LIMITS_BY_TYPE(greatest, 4)
};
#endif

/* r[i] = choice[i] ? b[i] : c[i]; choice is 0 or 1 */
#define CHOICE(width, bits) \
static void \
choose##width(const uint8_t *choice, const void *b, const void *c, int n, \
			  void *result) \
{ \
	const bits *x = b; \
	const bits *y = c; \
	bits	   *r = result; \
\
	for (int i = 0; i < n; i++) \
	{ \
		bits		mask = (bits) (0 - (bits) choice[i]); \
\
		r[i] = (bits) ((x[i] & mask) | (y[i] & ~mask)); \
	} \
}

CHOICE(1, uint8_t)
CHOICE(2, gs_bits16)
CHOICE(4, gs_bits32)
CHOICE(8, gs_bits64)

void
gs_group_choose(gs_type type, const uint8_t *choice, const void *b,
				const void *c, int n, void *result)
{
	switch (gs_type_width(type))
	{
		case 1:
			choose1(choice, b, c, n, result);
			break;
		case 2:
			choose2(choice, b, c, n, result);
			break;
		case 4:
			choose4(choice, b, c, n, result);
			break;
		default:
			choose8(choice, b, c, n, result);
	}
}

/* Of a strict instruction of one or two operands and no list. */
group_loop
gs_group_loop_of(const gs_instruction *in)
{
	if (in->code == GS_CODE_CAST)
		return casts[in->type][in->to];
	return loops[in->code][in->type];
}

group_search
gs_group_search_of(gs_type type)
{
	return searches[type];
}

group_places
gs_group_places_of(gs_type type)
{
	return places[type];
}

group_check
gs_group_check_of(gs_type type)
{
	return checks[type];
}

group_extreme
gs_group_extreme_of(gs_code code, gs_type type)
{
	return code == GS_CODE_LEAST ? least[type] : greatest[type];
}

/* NULL: it is not of integers. */
group_limit
gs_group_limit_of(gs_code code, gs_type type)
{
#ifdef GROUP_WIDER_LANES
	if (gs_cpu_lanes() >= 4)
		return limits_4[code != GS_CODE_LEAST][type];
#endif
	return limits_2[code != GS_CODE_LEAST][type];
}
