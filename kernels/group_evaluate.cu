/*-------------------------------------------------------------------------
 *
 * group_evaluate.cu
 *	  Evaluates a plan's program for the rows of a batch.
 *
 * The program is interpreted: all threads of a block execute one step after
 * the other, each for ROWS rows at a time, so that the decoding of a step is
 * shared.  Results lie in shared memory, one slot a result.  A warp has 32 *
 * ROWS consecutive rows, those of lane l being l, l + 32, and so on, so that a
 * ballot makes 32 bits of a bitmap.
 *
 * The state of a value (arithmetic.h) has 4 bits, those of ROWS values one
 * word.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/arithmetic.h"
#include "group_evaluate.cuh"

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
			 evaluate_operand o, int64_t row, int64_t n, lane_values<ROWS> *v)
{
	if (o.from == FROM_SLOT)
		s.read(o.index, v);
	else if (o.from == FROM_CONSTANT)
	{
		const gs_constant &k = p->constant[o.index];

		v->states = k.null ? 0x88888888u : 0;
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			v->value[r] = constant_value(k.type, k.value);
	}
	else
	{
		const group_column &c = p->column[o.index];

		v->states = 0;
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			int64_t		at = row + r * GS_WARP;

			v->value[r] = 0;
			if (at < n && group_bit(c.validity, at))
				v->value[r] = group_load(c, at);
			else
				v->states |= GS_STATE_NULL << (STATE_BITS * r);
		}
	}
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

#define BY_TYPE(ACTION) \
	case GS_BOOL: ACTION(bool, uint8_t) break; \
	BY_NUMBER_TYPE(ACTION)

/*
 * The result of a strict operation on values that are neither NULL nor errors;
 * *error is set if it has one.
 */
__device__ static int64_t
calculate(int code, int type, int64_t a, int64_t b, uint32_t *error)
{
	int64_t		result = 0;

#define BINARY(operation, suffix, ctype) \
	{ \
		ctype		r; \
\
		*error = gs_##operation##_##suffix(as_##suffix(a), as_##suffix(b), \
										   &r); \
		result = word_of(r); \
	}
#define UNARY(operation, suffix, ctype) \
	{ \
		ctype		r; \
\
		*error = gs_##operation##_##suffix(as_##suffix(a), &r); \
		result = word_of(r); \
	}
#define ADD(suffix, ctype) BINARY(add, suffix, ctype)
#define SUBTRACT(suffix, ctype) BINARY(subtract, suffix, ctype)
#define MULTIPLY(suffix, ctype) BINARY(multiply, suffix, ctype)
#define DIVIDE(suffix, ctype) BINARY(divide, suffix, ctype)
#define NEGATE(suffix, ctype) UNARY(negate, suffix, ctype)
#define ABS(suffix, ctype) UNARY(abs, suffix, ctype)

	switch (code)
	{
		case GS_CODE_ADD:
			switch (type) { BY_NUMBER_TYPE(ADD) }
			break;
		case GS_CODE_SUBTRACT:
			switch (type) { BY_NUMBER_TYPE(SUBTRACT) }
			break;
		case GS_CODE_MULTIPLY:
			switch (type) { BY_NUMBER_TYPE(MULTIPLY) }
			break;
		case GS_CODE_DIVIDE:
			switch (type) { BY_NUMBER_TYPE(DIVIDE) }
			break;
		case GS_CODE_NEGATE:
			switch (type) { BY_NUMBER_TYPE(NEGATE) }
			break;
		case GS_CODE_ABS:
			switch (type) { BY_NUMBER_TYPE(ABS) }
			break;
	}
	return result;
}

/* -1, 0 or 1. */
__device__ static int
compare(int type, int64_t a, int64_t b)
{
#define COMPARE(suffix, ctype) \
		return gs_compare_##suffix(as_##suffix(a), as_##suffix(b));

	switch (type)
	{
		case GS_FLOAT4:
			COMPARE(float4, float)
		case GS_FLOAT8:
			COMPARE(float8, double)
		default:
			return gs_compare_int8(a, b);
	}
}

__device__ static bool
compares(int code, int order)
{
	switch (code)
	{
		case GS_CODE_LT:
			return order < 0;
		case GS_CODE_LE:
			return order <= 0;
		case GS_CODE_EQ:
			return order == 0;
		case GS_CODE_NE:
			return order != 0;
		case GS_CODE_GE:
			return order >= 0;
		default:
			return order > 0;
	}
}

__device__ static int64_t
cast(int type, int to, int64_t a, uint32_t *error)
{
	int64_t		result = 0;

#define CAST_TO(from, to_suffix, ctype) \
	{ \
		ctype		r; \
\
		*error = gs_cast_##from##_##to_suffix(as_##from(a), &r); \
		result = word_of(r); \
	}
#define CAST_FROM(suffix, ctype) \
	switch (to) \
	{ \
		case GS_INT2: CAST_TO(suffix, int2, int16_t) break; \
		case GS_INT4: CAST_TO(suffix, int4, int32_t) break; \
		case GS_INT8: CAST_TO(suffix, int8, int64_t) break; \
		case GS_FLOAT4: CAST_TO(suffix, float4, float) break; \
		case GS_FLOAT8: CAST_TO(suffix, float8, double) break; \
	}

	switch (type) { BY_NUMBER_TYPE(CAST_FROM) }
	return result;
}

__device__ static bool
is_in(int type, int64_t a, const gs_value *list, int count)
{
#define IS_IN(suffix, ctype) return gs_in_##suffix(as_##suffix(a), list, count);

	switch (type) { BY_TYPE(IS_IN) }
	return false;
}

/* IN and LOOKUP of a value that is neither NULL nor an error. */
__device__ static int64_t
search(const evaluate_program *p, const gs_instruction &code, int64_t a,
	   uint32_t *state)
{
	int32_t		place;

	if (code.code == GS_CODE_IN)
	{
		bool		found = is_in(code.type, a, p->list + code.first,
								  code.count);

		*state = !found && code.list_null ? GS_STATE_NULL : 0;
		return found;
	}
	place = gs_lookup_place(a, code.low, code.count);
	if (place < 0)
	{
		*state = GS_ERROR_LOOKUP;
		return 0;
	}
	*state = p->list_nulls != NULL && p->list_nulls[code.first + place] ?
		GS_STATE_NULL : 0;
	return constant_value(code.to, p->list[code.first + place]);
}

/* LOOKUP's result for NULL. */
__device__ static int64_t
look_up_null(const evaluate_program *p, const gs_instruction &code,
			 uint32_t *state)
{
	if (code.on_null < 0)
		return 0;
	*state = p->list_nulls != NULL && p->list_nulls[code.first + code.on_null] ?
		GS_STATE_NULL : 0;
	return constant_value(code.to, p->list[code.first + code.on_null]);
}

/* One step for one row: the result and, in *state, its state. */
__device__ static int64_t
execute(const evaluate_program *p, const gs_instruction &code,
		int64_t a, uint32_t sa, int64_t b, uint32_t sb,
		int64_t c, uint32_t sc, uint32_t *state)
{
	uint8_t		flag;
	bool		takes_b;

	switch (code.code)
	{
		case GS_CODE_LT:
		case GS_CODE_LE:
		case GS_CODE_EQ:
		case GS_CODE_NE:
		case GS_CODE_GE:
		case GS_CODE_GT:
			*state = sa | sb;
			return compares(code.code, compare(code.type, a, b));
		case GS_CODE_AND:
			*state = gs_and((uint8_t) a, sa, (uint8_t) b, sb, &flag);
			return flag;
		case GS_CODE_OR:
			*state = gs_or((uint8_t) a, sa, (uint8_t) b, sb, &flag);
			return flag;
		case GS_CODE_NOT:
			*state = sa;
			return !a;
		case GS_CODE_IS_NULL:
			*state = gs_is_null(sa, &flag);
			return flag;
		case GS_CODE_CHOOSE:
			takes_b = gs_chooses_b((uint8_t) a, sa);
			*state = gs_choose_state(sa, takes_b ? sb : sc);
			return takes_b ? b : c;
		case GS_CODE_LEAST:
			*state = gs_least_state(sa, sb);
			takes_b = sa != 0 || (sb == 0 && compare(code.type, b, a) < 0);
			return takes_b ? b : a;
		case GS_CODE_GREATEST:
			*state = gs_least_state(sa, sb);
			takes_b = sa != 0 || (sb == 0 && compare(code.type, a, b) < 0);
			return takes_b ? b : a;
		case GS_CODE_CAST:
			*state = sa;
			return sa != 0 ? 0 : cast(code.type, code.to, a, state);
		case GS_CODE_IN:
		case GS_CODE_LOOKUP:
			*state = sa;
			if (sa == 0)
				return search(p, code, a, state);
			if (sa == GS_STATE_NULL && code.code == GS_CODE_LOOKUP)
				return look_up_null(p, code, state);
			return 0;
		default:
			*state = sa | sb;
			return *state != 0 ? 0 : calculate(code.code, code.type, a, b,
											   state);
	}
}

template <int ROWS>
__device__ static void
execute_step(const evaluate_program *p, const evaluate_step &step,
			 const slots<ROWS> &s, int64_t row, int64_t n)
{
	lane_values<ROWS> a;
	lane_values<ROWS> b = {};
	lane_values<ROWS> c = {};
	lane_values<ROWS> result;

	read_operand(p, s, step.a, row, n, &a);
	switch (step.code.code)
	{
		case GS_CODE_NEGATE:
		case GS_CODE_ABS:
		case GS_CODE_NOT:
		case GS_CODE_IS_NULL:
		case GS_CODE_CAST:
		case GS_CODE_IN:
		case GS_CODE_LOOKUP:
			break;
		case GS_CODE_CHOOSE:
			read_operand(p, s, step.c, row, n, &c);
			/* FALLTHROUGH */
		default:
			read_operand(p, s, step.b, row, n, &b);
	}
	result.states = 0;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	state;

		result.value[r] = execute(p, step.code,
								  a.value[r], state_of(a.states, r),
								  b.value[r], state_of(b.states, r),
								  c.value[r], state_of(c.states, r), &state);
		result.states |= state << (STATE_BITS * r);
	}
	s.write(step.slot, result);
}

/* Bit r: is the boolean operand true in row r?  Its errors go to *errors. */
template <int ROWS>
__device__ static uint32_t
read_filter(const evaluate_program *p, const slots<ROWS> &s,
			evaluate_operand o, int64_t row, int64_t n, uint32_t active,
			uint32_t *errors)
{
	lane_values<ROWS> v;
	uint32_t	passes = 0;

	read_operand(p, s, o, row, n, &v);
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	state = state_of(v.states, r);

		if ((active >> r & 1) == 0)
			continue;
		*errors |= state & GS_STATE_ERRORS;
		if (state == 0 && v.value[r] != 0)
			passes |= 1u << r;
	}
	return passes;
}

/* Write a flag of each row to a bitmap. */
template <int ROWS>
__device__ static void
write_bits(uint32_t *bits, uint32_t flags, int64_t row, int64_t n)
{
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	word = __ballot_sync(GS_ALL_LANES, flags >> r & 1);
		int64_t		at = row - gs_lane() + r * GS_WARP;

		if (gs_lane() == 0 && at < n)
			bits[at / 32] = word;
	}
}

template <int ROWS>
__device__ static void
write_output(const evaluate_output &o, const lane_values<ROWS> &v,
			 int64_t row, int64_t n)
{
	uint32_t	present = 0;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int64_t		at = row + r * GS_WARP;

		if (at >= n)
			continue;
		if (state_of(v.states, r) == 0)
			present |= 1u << r;
		switch (o.width)
		{
			case 1:
				((uint8_t *) o.values)[at] = (uint8_t) v.value[r];
				break;
			case 2:
				((uint16_t *) o.values)[at] = (uint16_t) v.value[r];
				break;
			case 4:
				((uint32_t *) o.values)[at] = (uint32_t) v.value[r];
				break;
			default:
				((int64_t *) o.values)[at] = v.value[r];
		}
	}
	write_bits<ROWS>(o.validity, present, row, n);
}

template <int ROWS>
__device__ static void
check_errors(const evaluate_program *p, const slots<ROWS> &s, int64_t row,
			 int64_t n, uint32_t active, uint32_t *errors)
{
	for (int i = 0; i < p->checks; i++)
	{
		lane_values<ROWS> v;
		uint32_t	rows = active;
		uint32_t	ignored = 0;

		if (p->check[i].filter.from != FROM_NOWHERE)
			rows = read_filter(p, s, p->check[i].filter, row, n, active,
							   &ignored);
		read_operand(p, s, p->check[i].operand, row, n, &v);
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if (rows >> r & 1)
				*errors |= state_of(v.states, r) & GS_STATE_ERRORS;
		}
	}
}

template <int ROWS>
__global__ void
evaluate_kernel(const evaluate_program *p, int64_t n)
{
	extern __shared__ __align__(16) char evaluate_shared[];
	slots<ROWS> s;
	int64_t		warps = (int64_t) gridDim.x * blockDim.x / GS_WARP;
	int64_t		warp = ((int64_t) blockIdx.x * blockDim.x + threadIdx.x) /
		GS_WARP;
	uint32_t	errors = 0;

	s.values = (int64_t *) evaluate_shared;
	s.states = (uint32_t *) (s.values + (size_t) p->slots * ROWS * blockDim.x);
	for (int64_t first = warp * GS_WARP * ROWS; first < n;
		 first += warps * GS_WARP * ROWS)
	{
		int64_t		row = first + gs_lane();
		uint32_t	active = 0;

#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			int64_t		at = row + r * GS_WARP;

			if (at < n && group_bit(p->mask, at))
				active |= 1u << r;
		}
		for (int i = 0; i < p->steps; i++)
			execute_step<ROWS>(p, p->step[i], s, row, n);
		if (p->filter.from != FROM_NOWHERE)
			active = read_filter<ROWS>(p, s, p->filter, row, n, active,
									   &errors);
		if (p->rows != NULL)
			write_bits<ROWS>(p->rows, active, row, n);
		for (int i = 0; i < p->filters; i++)
			write_bits<ROWS>(p->filter_of[i].bits,
							 read_filter<ROWS>(p, s, p->filter_of[i].operand,
											   row, n, active, &errors),
							 row, n);
		check_errors<ROWS>(p, s, row, n, active, &errors);
		for (int i = 0; i < p->outputs; i++)
		{
			lane_values<ROWS> v;

			read_operand(p, s, p->output[i].operand, row, n, &v);
			write_output<ROWS>(p->output[i], v, row, n);
		}
	}
	if (errors != 0)
		atomicOr(p->errors, errors);
}

template <int ROWS, int THREADS>
static size_t
slots_size(const evaluate_program *p)
{
	return (size_t) p->slots * THREADS *
		(ROWS * sizeof(int64_t) + sizeof(uint32_t));
}

template <int ROWS, int THREADS>
static cudaError_t
launch(const evaluate_program *p, const evaluate_program *device, int64_t n,
	   size_t max_shared, cudaStream_t stream)
{
	size_t		shared = slots_size<ROWS, THREADS>(p);
	int64_t		blocks = gs_divide_up(n, THREADS * ROWS);
	int			per_multiprocessor = 2048 / THREADS;
	int			grid;

	GS_TRY(gs_allow_shared<evaluate_kernel<ROWS>>());
	while (per_multiprocessor > 1 &&
		   shared * per_multiprocessor > max_shared)
		per_multiprocessor--;
	GS_TRY(gs_grid(blocks, per_multiprocessor, &grid));
	evaluate_kernel<ROWS><<<grid, THREADS, shared, stream>>>(device, n);
	return gs_launched();
}

cudaError_t
group_evaluate(const evaluate_program *p, const evaluate_program *device,
			   int64_t n, cudaStream_t stream)
{
	size_t		max_shared;

	GS_TRY(group_shared_size(&max_shared));
	if (slots_size<4, 256>(p) <= max_shared)
		return launch<4, 256>(p, device, n, max_shared, stream);
	if (slots_size<1, 64>(p) <= max_shared)
		return launch<1, 64>(p, device, n, max_shared, stream);
	return cudaErrorMemoryAllocation;
}
