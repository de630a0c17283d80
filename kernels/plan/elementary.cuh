/*-------------------------------------------------------------------------
 *
 * elementary.cuh
 *	  Exponentials, logarithms and powers of a plan's program.
 *
 * Two doubles decide nearly all of them (exact/elementary_first.h).  The others,
 * one of 2^11 to 2^20, are computed in fixed point, by the thread that has them:
 * that takes it half a millisecond, in which other warps go on.  Both ways are
 * functions that are not inlined, and only a kernel for such programs calls them,
 * so that no other one needs more registers for them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ELEMENTARY_CUH
#define GS_GROUP_ELEMENTARY_CUH

#include "engine/elements.h"
#include "exact/elementary_slow.h"
#include "kernels/elementary_first.cuh"
#include "kernels/plan/execute.cuh"

struct elementary_result
{
	double		value;
	uint32_t	state;			/* 0, or GS_ERROR_... */
};

__device__ static __noinline__ elementary_result
elementary_slowly(int code, double a, double b)
{
	elementary_result r = {0, 0};
	gs_rounding rounding = GS_ROUNDED;

	if (code == GS_CODE_EXP)
		rounding = gs_exp_slowly(&the_table, a, &r.value);
	else if (code == GS_CODE_LN)
		r.value = gs_ln_slowly(&the_table, a);
	else if (code == GS_CODE_LOG10)
		r.value = gs_log10_slowly(&the_table, a);
	else
		rounding = gs_power_slowly(&the_table, a, b, &r.value);
	r.state = rounding == GS_OVERFLOW ? GS_ERROR_RANGE :
		gs_errors_of_answer(gs_answer_checked(gs_kind_of_code(code), a, r.value),
							r.value);
	return r;
}

/* As gs_elementary_instruction. */
__device__ static __noinline__ elementary_result
elementary_of(int code, double a, double b)
{
	elementary_result r = {0, 0};
	const int	kind = gs_kind_of_code(code);
	gs_answer	answer;
	gs_first	first;

	if (code == GS_CODE_EXP ? exp_shortly(a, &r.value) :
		code == GS_CODE_LN ? ln_shortly(a, &r.value) :
		code == GS_CODE_POWER && power_shortly(a, b, &r.value))
		return r;
	answer = gs_answer_specially(kind, a, b, &r.value);
	if (answer == GS_UNANSWERED && gs_is_below_normal(code, a, b))
		answer = GS_UNDERFLOW;
	else if (answer == GS_UNANSWERED)
	{
		first = code == GS_CODE_EXP ? exp_first(a, &r.value) :
			code == GS_CODE_LN ? ln_first(a, &r.value) :
			code == GS_CODE_LOG10 ? log10_first(a, &r.value) :
			power_first(a, b, &r.value);
		if (first == GS_UNDECIDED)
			return elementary_slowly(code, a, b);
		answer = first == GS_TOO_LARGE ? GS_OUT_OF_RANGE :
			gs_answer_checked(kind, a, r.value);
	}
	r.state = gs_errors_of_answer(answer, r.value);
	return r;
}

/* As execute_step. */
template <int ROWS>
__device__ static void
execute_elementary(const evaluate_program *p, const evaluate_step &step,
				   const slots<ROWS> &to, const uint32_t *row, uint32_t mask)
{
	lane_values<ROWS> a;
	lane_values<ROWS> b;
	lane_values<ROWS> result;

	read_operands(p, to, step, row, mask, &a, &b);
	result.states = 0;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		elementary_result one = {0, state_of(a.states | b.states, r)};

		if (one.state == 0)
			one = elementary_of(step.code.code, as_float8(a.value[r]),
								as_float8(b.value[r]));
		result.value[r] = word_of(one.value);
		result.states |= one.state << (STATE_BITS * r);
	}
	to.write(step.slot, result);
}

#endif							/* GS_GROUP_ELEMENTARY_CUH */
