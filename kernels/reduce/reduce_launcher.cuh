/*-------------------------------------------------------------------------
 *
 * reduce_launcher.cuh
 *	  Reductions: which struct computes an operation on a type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_LAUNCHER_CUH
#define GS_REDUCE_LAUNCHER_CUH

#include "kernels/reduce/stats.cuh"

#define OF_EACH_TYPE(r) \
	{NULL, NULL, L::template launch<r<int16_t>>, \
	 L::template launch<r<int32_t>>, L::template launch<r<int64_t>>, \
	 L::template launch<r<float>>, L::template launch<r<double>>}

#define INTEGERS_AND_FLOATS(integer, float4, float8) \
	{NULL, NULL, L::template launch<integer<int16_t>>, \
	 L::template launch<integer<int32_t>>, \
	 L::template launch<integer<int64_t>>, L::template launch<float4>, \
	 L::template launch<float8>}

template <typename T>
using sum_magnitudes = sum_integer<T, true>;

template <typename T>
using integer_stats = stats<moments_integer<T>>;

/* L::launch, a template, of the operation's struct; NULL: there is none. */
template <class L>
static typename L::function
reduce_launcher(const gs_op *op)
{
	typedef typename L::function function;
	static const function extreme_values[] = OF_EACH_TYPE(extreme_value);
	static const function extreme_positions[] = OF_EACH_TYPE(extreme_position);
	static const function sums[] =
		INTEGERS_AND_FLOATS(sum_integer, sum_float4, sum_float8);
	static const function magnitudes[] =
		INTEGERS_AND_FLOATS(sum_magnitudes, magnitudes_of<sum_float4>,
							magnitudes_of<sum_float8>);
	static const function moments[] =
		INTEGERS_AND_FLOATS(moments_integer, moments_float4, moments_float8);
	static const function all_stats[] =
		INTEGERS_AND_FLOATS(integer_stats, stats<moments_float4>,
							stats<moments_float8>);

	switch (op->kind)
	{
		case GS_SUM:
			return sums[op->type];
		case GS_ASUM:
			return magnitudes[op->type];
		case GS_MOMENTS:
			return moments[op->type];
		case GS_STATS:
			return all_stats[op->type];
		case GS_MIN:
		case GS_MAX:
			return extreme_values[op->type];
		case GS_ARGMIN:
		case GS_ARGMAX:
			return extreme_positions[op->type];
		case GS_BIT_XOR:
			return L::template launch<bit_words<true>>;
		case GS_BIT_AND:
		case GS_BIT_OR:
			return L::template launch<bit_words<false>>;
		default:
			return NULL;
	}
}

#undef OF_EACH_TYPE
#undef INTEGERS_AND_FLOATS

#endif							/* GS_REDUCE_LAUNCHER_CUH */
