/*-------------------------------------------------------------------------
 *
 * execute.cuh
 *	  Executes the steps of a plan's program, for several rows a thread.
 *
 * The program is interpreted: all threads of a block execute one step after
 * the other, each for ROWS rows at a time, so that the decoding of a step is
 * shared.  Results lie in shared memory, one slot a result.
 *
 * The state of a value (arithmetic.h) has 4 bits, those of up to 8 values one
 * word.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_EXECUTE_CUH
#define GS_GROUP_EXECUTE_CUH

#include "engine/arithmetic.h"
#include "engine/index.h"
#include "kernels/plan/evaluate.cuh"
#include "kernels/plan/load.cuh"

#define STATE_BITS		4

/* What a thread holds of an operand or a result. */
template <int ROWS> struct lane_values
{
	int64_t		value[ROWS];
	uint32_t	states;
};

__device__ static inline uint32_t
state_of(uint32_t states, int r)
{
	return states >> (STATE_BITS * r) & 0xf;
}

/* The slots of a block: values[slot][row][thread], states[slot][thread]. */
template <int ROWS> struct slots
{
	int64_t    *values;
	uint32_t   *states;

	__device__ void read(int slot, lane_values<ROWS> *v) const
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			v->value[r] = values[(slot * ROWS + r) * blockDim.x + threadIdx.x];
		v->states = states[slot * blockDim.x + threadIdx.x];
	}

	__device__ void write(int slot, const lane_values<ROWS> &v) const
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			values[(slot * ROWS + r) * blockDim.x + threadIdx.x] = v.value[r];
		states[slot * blockDim.x + threadIdx.x] = v.states;
	}
};

/* A constant as group_load gives values. */
__device__ static inline int64_t
constant_value(int type, const gs_value &v)
{
	switch (type)
	{
		case GS_BOOL:
		case GS_INT2:
			return v.i2;
		case GS_INT4:
			return v.i4;
		case GS_FLOAT4:
			return (uint32_t) __float_as_int(v.f4);
		default:
			return v.i8;
	}
}

template <int ROWS>
__device__ static void
read_operand(const evaluate_program *p, const slots<ROWS> &s,
			 evaluate_operand o, const uint32_t *row, uint32_t mask,
			 lane_values<ROWS> *v)
{
	if (o.from == FROM_SLOT)
		s.read(o.index, v);
	else if (o.from == FROM_CONSTANT)
	{
		const gs_constant &k = p->constant[o.index];

		v->states = k.null ? 0x88888888u : 0;	/* GS_STATE_NULL each */
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			v->value[r] = constant_value(k.type, k.value);
	}
	else
	{
		const group_column &c = p->column[o.index];
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			v->value[r] = 0;
		mask = group_rows_with_bit<ROWS>(c.validity, row, mask);
		group_load_rows<ROWS, 0>(c.values, c.format, c.base, row, mask,
								 v->value);
		v->states = 0;
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			v->states |= (mask >> r & 1 ? 0 : GS_STATE_NULL) <<
				(STATE_BITS * r);
	}
}

/* A step's operands but for the third. */
template <int ROWS>
__device__ static __forceinline__ void
read_operands(const evaluate_program *p, const slots<ROWS> &s,
			  const evaluate_step &step, const uint32_t *row, uint32_t mask,
			  lane_values<ROWS> *a, lane_values<ROWS> *b)
{
	read_operand(p, s, step.a, row, mask, a);
	*b = {};
	if (step.operands > 1)
		read_operand(p, s, step.b, row, mask, b);
}

/* From and to what group_load gives. */
__device__ static inline int16_t as_int2(int64_t v) { return (int16_t) v; }
__device__ static inline int32_t as_int4(int64_t v) { return (int32_t) v; }
__device__ static inline int64_t as_int8(int64_t v) { return v; }
__device__ static inline uint8_t as_bool(int64_t v) { return (uint8_t) v; }
__device__ static inline float
as_float4(int64_t v)
{
	return __int_as_float((int) v);
}
__device__ static inline double
as_float8(int64_t v)
{
	return __longlong_as_double(v);
}
__device__ static inline int64_t word_of(int16_t v) { return v; }
__device__ static inline int64_t word_of(int32_t v) { return v; }
__device__ static inline int64_t word_of(int64_t v) { return v; }
__device__ static inline int64_t
word_of(float v)
{
	return (uint32_t) __float_as_int(v);
}
__device__ static inline int64_t
word_of(double v)
{
	return __double_as_longlong(v);
}

/* A macro's expansion for each type of numbers, in a switch. */
#define BY_NUMBER_TYPE(ACTION) \
	case GS_INT2: ACTION(int2, int16_t) break; \
	case GS_INT4: ACTION(int4, int32_t) break; \
	case GS_INT8: ACTION(int8, int64_t) break; \
	case GS_FLOAT4: ACTION(float4, float) break; \
	case GS_FLOAT8: ACTION(float8, double) break;

#define BY_INTEGER_TYPE(ACTION) \
	case GS_INT2: ACTION(int2, int16_t) break; \
	case GS_INT4: ACTION(int4, int32_t) break; \
	case GS_INT8: ACTION(int8, int64_t) break;

/*
 * A macro for types of values that only compare: integers and booleans are
 * int64.
 */
#define BY_ORDER_TYPE(ACTION) \
	case GS_FLOAT4: ACTION(float4, float) break; \
	case GS_FLOAT8: ACTION(float8, double) break; \
	default: ACTION(int8, int64_t)

/*
 * A step for all rows of a thread.  In the statements, p is the program, code
 * the instruction, va, vb, vc are the values of row r, sa, sb, sc their
 * states; v and s those of the result.
 */
#define STEP(statement) \
	STEP_OF(state_of(a.states, r), state_of(b.states, r), \
			state_of(c.states, r), statement)
#define STEP_OF(state_a, state_b, state_c, statement) \
	_Pragma("unroll") \
	for (int r = 0; r < ROWS; r++) \
	{ \
		const int64_t va = a.value[r]; \
		const int64_t vb = b.value[r]; \
		const int64_t vc = c.value[r]; \
		const uint32_t sa = (state_a); \
		const uint32_t sb = (state_b); \
		const uint32_t sc = (state_c); \
		int64_t		v = 0; \
		uint32_t	s = sa; \
\
		(void) va, (void) vb, (void) vc, (void) sb, (void) sc; \
		statement \
		result.value[r] = v; \
		result.states |= s << (STATE_BITS * r); \
	}

/* Of two operands, which mostly have no state: then it costs nothing. */
#define QUICK_STEP(statement) \
	if ((a.states | b.states) == 0) \
	{ \
		STEP_OF(0u, 0u, 0u, statement) \
	} \
	else \
	{ \
		STEP(statement) \
	}

/* Arithmetic: an operand's state is the result's, else the operation's. */
#define BINARY(operation, suffix, type) \
	STEP({ \
		type		to; \
		uint32_t	error = gs_##operation##_##suffix \
			(as_##suffix(va), as_##suffix(vb), &to); \
\
		v = word_of(to); \
		s = sa | sb; \
		s = s == 0 ? error : s; \
	})
#define UNARY(operation, suffix, type) \
	STEP({ \
		type		to; \
		uint32_t	error = gs_##operation##_##suffix(as_##suffix(va), &to); \
\
		v = word_of(to); \
		s = s == 0 ? error : s; \
	})
#define COMPARISON(expression) \
	_Pragma("unroll") \
	for (int r = 0; r < ROWS; r++) \
	{ \
		const int64_t va = a.value[r]; \
		const int64_t vb = b.value[r]; \
\
		(void) vb; \
		result.value[r] = expression; \
	} \
	result.states = a.states | b.states;

#define ADD(suffix, type)		BINARY(add, suffix, type)
#define SUBTRACT(suffix, type)	BINARY(subtract, suffix, type)
#define MULTIPLY(suffix, type)	BINARY(multiply, suffix, type)
#define DIVIDE(suffix, type)	BINARY(divide, suffix, type)
#define NEGATE(suffix, type)	UNARY(negate, suffix, type)
#define ABS(suffix, type)		UNARY(abs, suffix, type)
#define FLOOR_DIVIDE(suffix, type)	BINARY(floor_divide, suffix, type)
#define MODULO(suffix, type)	BINARY(modulo, suffix, type)
#define BIT_AND(suffix, type)	BINARY(bit_and, suffix, type)
#define BIT_OR(suffix, type)	BINARY(bit_or, suffix, type)
#define BIT_XOR(suffix, type)	BINARY(bit_xor, suffix, type)
#define BIT_NOT(suffix, type)	UNARY(bit_not, suffix, type)
#define SHIFT_LEFT(suffix, type)	BINARY(shift_left, suffix, type)
#define SHIFT_RIGHT(suffix, type)	BINARY(shift_right, suffix, type)
#define CHECK(suffix, type) \
	STEP({ \
		v = va; \
		s = sa | sb | sc; \
		s = s == 0 ? gs_check_##suffix(as_##suffix(va), as_##suffix(vb), \
									   as_##suffix(vc)) : s; \
	})
#define LT(suffix, type) \
	COMPARISON(gs_less_##suffix(as_##suffix(va), as_##suffix(vb)))
#define LE(suffix, type) \
	COMPARISON(!gs_less_##suffix(as_##suffix(vb), as_##suffix(va)))
#define EQ(suffix, type) \
	COMPARISON(gs_equal_##suffix(as_##suffix(va), as_##suffix(vb)))
#define NE(suffix, type) \
	COMPARISON(!gs_equal_##suffix(as_##suffix(va), as_##suffix(vb)))
#define GE(suffix, type) \
	COMPARISON(!gs_less_##suffix(as_##suffix(va), as_##suffix(vb)))
#define GT(suffix, type) \
	COMPARISON(gs_less_##suffix(as_##suffix(vb), as_##suffix(va)))
#define LEAST(suffix, type) \
	QUICK_STEP({ \
		bool		is_b = gs_least_is_b_##suffix(as_##suffix(va), sa, \
												  as_##suffix(vb), sb); \
\
		v = is_b ? vb : va; \
		s = gs_least_state(sa, sb); \
	})
#define GREATEST(suffix, type) \
	QUICK_STEP({ \
		bool		is_b = gs_greatest_is_b_##suffix(as_##suffix(va), sa, \
													 as_##suffix(vb), sb); \
\
		v = is_b ? vb : va; \
		s = gs_least_state(sa, sb); \
	})

#define CAST_TO(from, to_suffix, to_type) \
	STEP({ \
		to_type		to; \
		uint32_t	error = gs_cast_##from##_##to_suffix(as_##from(va), &to); \
\
		v = word_of(to); \
		s = s == 0 ? error : s; \
	})
#define CAST_FROM(suffix, type) \
	switch (code.to) \
	{ \
		case GS_INT2: CAST_TO(suffix, int2, int16_t) break; \
		case GS_INT4: CAST_TO(suffix, int4, int32_t) break; \
		case GS_INT8: CAST_TO(suffix, int8, int64_t) break; \
		case GS_FLOAT4: CAST_TO(suffix, float4, float) break; \
		case GS_FLOAT8: CAST_TO(suffix, float8, double) break; \
	}

__device__ static bool
is_in(int type, int64_t a, const gs_value *list, int count)
{
	switch (type)
	{
		case GS_BOOL:
			return gs_in_bool(as_bool(a), list, count);
		case GS_INT2:
			return gs_in_int2(as_int2(a), list, count);
		case GS_INT4:
			return gs_in_int4(as_int4(a), list, count);
		case GS_FLOAT4:
			return gs_in_float4(as_float4(a), list, count);
		case GS_FLOAT8:
			return gs_in_float8(as_float8(a), list, count);
		default:
			return gs_in_int8(a, list, count);
	}
}

__device__ static int32_t
search(int type, int64_t a, const gs_value *list, int count)
{
	switch (type)
	{
		case GS_INT2:
			return gs_search_int2(as_int2(a), list, count);
		case GS_INT4:
			return gs_search_int4(as_int4(a), list, count);
		case GS_FLOAT4:
			return gs_search_float4(as_float4(a), list, count);
		case GS_FLOAT8:
			return gs_search_float8(as_float8(a), list, count);
		default:
			return gs_search_int8(a, list, count);
	}
}

__device__ static inline const gs_value *
table_of(const evaluate_program *p, const gs_instruction &code)
{
	return code.first < 0 ? p->table[GS_TABLE(code.first)] :
		p->list + code.first;
}

/*
 * Entries of a LOOKUP's table, of the rows in a mask.  What depends on the table
 * alone is decided before the loops, so that all rows' entries come from memory
 * at the same time.
 */
template <int ROWS>
__device__ static void
read_entries(const evaluate_program *p, const gs_instruction &code,
			 const int32_t *place, uint32_t mask, lane_values<ROWS> *to)
{
	const gs_value *table = table_of(p, code);

#define ENTRIES(type) \
	GROUP_EACH_ROW(ROWS, false, mask, \
				   to->value[r] = __ldg((const type *) table + place[r]))

	switch (code.width)
	{
		case 1:
			ENTRIES(int8_t)
			break;
		case 2:
			ENTRIES(int16_t)
			break;
		case 4:
			ENTRIES(int32_t)
			break;
		default:
			ENTRIES(long long)
	}
#undef ENTRIES
	if (code.list_null)
	{
		const uint8_t *nulls =
			(const uint8_t *) (table + gs_lookup_values(&code));

		GROUP_EACH_ROW(ROWS, false, mask, {
			if (gs_lookup_null(nulls, place[r]))
				to->states |= (uint32_t) GS_STATE_NULL << (STATE_BITS * r);
		})
	}

	/* a wide entry is cut to its type */
	switch (code.to)
	{
		case GS_BOOL:
			GROUP_EACH_ROW(ROWS, true, mask, to->value[r] &= 1)
			break;
		case GS_INT2:
			GROUP_EACH_ROW(ROWS, true, mask,
						   to->value[r] = as_int2(to->value[r]))
			break;
		case GS_INT4:
			GROUP_EACH_ROW(ROWS, true, mask,
						   to->value[r] = as_int4(to->value[r]))
			break;
		case GS_FLOAT4:
			GROUP_EACH_ROW(ROWS, true, mask,
						   to->value[r] = (uint32_t) to->value[r])
			break;
	}
}

template <int ROWS>
__device__ static void
look_up(const evaluate_program *p, const gs_instruction &code,
		const lane_values<ROWS> &a, uint32_t rows, lane_values<ROWS> *to)
{
	int32_t		place[ROWS];
	uint32_t	mask = 0;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	state = state_of(a.states, r);

		to->value[r] = 0;
		place[r] = code.on_null;
		if (state == 0)
		{
			place[r] = gs_lookup_place(a.value[r], code.low, code.count);
			if (place[r] < 0)
				state = GS_ERROR_LOOKUP;
		}
		if (place[r] < 0 || (state & GS_STATE_ERRORS) != 0)
			to->states |= state << (STATE_BITS * r);
		else
			mask |= 1u << r;
	}
	read_entries<ROWS>(p, code, place, mask & rows, to);
}

template <int ROWS>
__device__ static void
execute_step(const evaluate_program *p, const evaluate_step &step,
			 const slots<ROWS> &to, const uint32_t *row, uint32_t mask)
{
	const gs_instruction &code = step.code;
	lane_values<ROWS> a;
	lane_values<ROWS> b;
	lane_values<ROWS> c = {};
	lane_values<ROWS> result;

	read_operands(p, to, step, row, mask, &a, &b);
	result.states = 0;
	switch (code.code)
	{
		case GS_CODE_ADD:
			switch (code.type) { BY_NUMBER_TYPE(ADD) }
			break;
		case GS_CODE_SUBTRACT:
			switch (code.type) { BY_NUMBER_TYPE(SUBTRACT) }
			break;
		case GS_CODE_MULTIPLY:
			switch (code.type) { BY_NUMBER_TYPE(MULTIPLY) }
			break;
		case GS_CODE_DIVIDE:
			switch (code.type) { BY_NUMBER_TYPE(DIVIDE) }
			break;
		case GS_CODE_NEGATE:
			switch (code.type) { BY_NUMBER_TYPE(NEGATE) }
			break;
		case GS_CODE_ABS:
			switch (code.type) { BY_NUMBER_TYPE(ABS) }
			break;
		case GS_CODE_LT:
			switch (code.type) { BY_ORDER_TYPE(LT) }
			break;
		case GS_CODE_LE:
			switch (code.type) { BY_ORDER_TYPE(LE) }
			break;
		case GS_CODE_EQ:
			switch (code.type) { BY_ORDER_TYPE(EQ) }
			break;
		case GS_CODE_NE:
			switch (code.type) { BY_ORDER_TYPE(NE) }
			break;
		case GS_CODE_GE:
			switch (code.type) { BY_ORDER_TYPE(GE) }
			break;
		case GS_CODE_GT:
			switch (code.type) { BY_ORDER_TYPE(GT) }
			break;
		case GS_CODE_AND:
			QUICK_STEP({
				uint8_t		flag;

				s = gs_and((uint8_t) va, sa, (uint8_t) vb, sb, &flag);
				v = flag;
			})
			break;
		case GS_CODE_OR:
			QUICK_STEP({
				uint8_t		flag;

				s = gs_or((uint8_t) va, sa, (uint8_t) vb, sb, &flag);
				v = flag;
			})
			break;
		case GS_CODE_NOT:
			COMPARISON(va == 0)
			break;
		case GS_CODE_IS_NULL:
			STEP({
				uint8_t		flag;

				s = gs_is_null(sa, &flag);
				v = flag;
			})
			break;
		case GS_CODE_CHOOSE:
			read_operand(p, to, step.c, row, mask, &c);
			STEP({
				bool		is_b = gs_chooses_b((uint8_t) va, sa);

				v = is_b ? vb : vc;
				s = gs_choose_state(sa, is_b ? sb : sc);
			})
			break;
		case GS_CODE_LEAST:
			switch (code.type) { BY_ORDER_TYPE(LEAST) }
			break;
		case GS_CODE_GREATEST:
			switch (code.type) { BY_ORDER_TYPE(GREATEST) }
			break;
		case GS_CODE_CAST:
			switch (code.type) { BY_NUMBER_TYPE(CAST_FROM) }
			break;
		case GS_CODE_IN:
			STEP({
				v = is_in(code.type, va, p->list + code.first, code.count);
				if (s == 0 && v == 0 && code.list_null)
					s = GS_STATE_NULL;
			})
			break;
		case GS_CODE_LOOKUP:
			look_up<ROWS>(p, code, a, mask, &result);
			break;
		case GS_CODE_FLOOR_DIVIDE:
			switch (code.type) { BY_INTEGER_TYPE(FLOOR_DIVIDE) }
			break;
		case GS_CODE_MODULO:
			switch (code.type) { BY_INTEGER_TYPE(MODULO) }
			break;
		case GS_CODE_BIT_AND:
			switch (code.type) { BY_INTEGER_TYPE(BIT_AND) }
			break;
		case GS_CODE_BIT_OR:
			switch (code.type) { BY_INTEGER_TYPE(BIT_OR) }
			break;
		case GS_CODE_BIT_XOR:
			switch (code.type) { BY_INTEGER_TYPE(BIT_XOR) }
			break;
		case GS_CODE_SHIFT_LEFT:
			switch (code.type) { BY_INTEGER_TYPE(SHIFT_LEFT) }
			break;
		case GS_CODE_SHIFT_RIGHT:
			switch (code.type) { BY_INTEGER_TYPE(SHIFT_RIGHT) }
			break;
		case GS_CODE_BIT_NOT:
			switch (code.type) { BY_INTEGER_TYPE(BIT_NOT) }
			break;
		case GS_CODE_FLOOR:
			UNARY(floor, float8, double)
			break;
		case GS_CODE_CEIL:
			UNARY(ceil, float8, double)
			break;
		case GS_CODE_TRUNC:
			UNARY(trunc, float8, double)
			break;
		case GS_CODE_ROUND:
			UNARY(round, float8, double)
			break;
		case GS_CODE_SQRT:
			UNARY(sqrt, float8, double)
			break;
		case GS_CODE_MONTH:
			UNARY(month, int4, int32_t)
			break;
		case GS_CODE_MONTH_START:
			UNARY(month_start, int4, int32_t)
			break;
		case GS_CODE_CHECK:
			read_operand(p, to, step.c, row, mask, &c);
			switch (code.type) { BY_NUMBER_TYPE(CHECK) }
			break;
		case GS_CODE_FIND:
			STEP({
				if (sa == 0)
					v = gs_index_find(table_of(p, code), code.width,
									  (uint64_t) code.low, code.count, va);
			})
			break;
		case GS_CODE_SEARCH:
			STEP({ v = search(code.type, va, p->list + code.first, code.count); })
			break;
	}
	to.write(step.slot, result);
}

/* Shared memory of so many slots, for THREADS threads. */
template <int ROWS, int THREADS>
__host__ __device__ static inline size_t
slots_size(int slots)
{
	return (size_t) slots * THREADS *
		(ROWS * sizeof(int64_t) + sizeof(uint32_t));
}

#endif							/* GS_GROUP_EXECUTE_CUH */
