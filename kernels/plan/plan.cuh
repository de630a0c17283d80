/*-------------------------------------------------------------------------
 *
 * plan.cuh
 *	  What the files of the engine for plans (engine/plan.h) share on the device.
 *
 *		group_op.cu			GS_GROUP of gs_engine_cuda, as a plan
 *		engine.cu			gs_plan_cuda: the life of an execution
 *		run.cuh				what its files know of it
 *		reserve.cu			the memory of its groups
 *		batch.cu			a batch's columns on the device, one value a row
 *		program.cu			the plan's program, prepared for the device
 *		ranges.cu			its conditions that compare columns with constants
 *		prefilter.cu		its conditions that are tested before the rest
 *		row_queue.cuh		rows that wait until a warp has enough
 *		evaluate.cu			what it computes, its filter and row mask
 *		load.cuh			several rows of a column at a time
 *		keys.cu				from keys to group numbers
 *		layout.cu			which words the states of a group have
 *		plain.cu			programs of integers that cannot fail
 *		sample.cu			what is chosen from a sample of the rows
 *		accumulate.cu		rows into the states of their groups
 *		add.cuh				a value into a state
 *		values.cu			aggregates that need a group's values in order
 *		pairs.cuh			pairs of group and value: appended, sorted
 *		select.cuh			percentiles without sorting all pairs
 *		merge.cu			the groups of another device's execution
 *		records.cu			records of groups: their start, and carries
 *		fetch.cu			from records to states
 *		results.cu			results, in the order of the keys, to the host
 *		rows.cu				the rows of a plan of rows
 *
 * Columns as kernels read them have one value a row.  A group has a number
 * below the number of groups; GROUP_NONE is a row's that does not count.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_CUH
#define GS_GROUP_CUH

#include "kernels/common.cuh"
#include "kernels/device/device.h"
#include "engine/plan.h"

#define GROUP_NONE		UINT32_C(0xffffffff)

/* How a column's values lie in memory. */
typedef enum group_format
{
	GROUP_U1,					/* unsigned integers, to which base is added */
	GROUP_U2,
	GROUP_U4,
	GROUP_S2,					/* signed integers */
	GROUP_S4,
	GROUP_WORD,					/* 8 bytes: int8, float8 */
	GROUP_FLOAT4,
	GROUP_WIDENED				/* float4, read as float8 */
} group_format;

/* A column of a batch, or computed values of its rows. */
typedef struct group_column
{
	const void *values;
	const uint32_t *validity;	/* a bit a row; NULL: all present */
	int64_t		base;
	int32_t		format;			/* group_format */
	int32_t		type;			/* gs_type */
} group_column;

/*
 * The value in a row: integers and booleans as int64, floats as their bits
 * (those of a float4 in the low half).
 */
__device__ static inline int64_t
group_load(const group_column &c, int64_t row)
{
	switch (c.format)
	{
		case GROUP_U1:
			return c.base + __ldg((const uint8_t *) c.values + row);
		case GROUP_U2:
			return c.base + __ldg((const uint16_t *) c.values + row);
		case GROUP_U4:
			return c.base + __ldg((const uint32_t *) c.values + row);
		case GROUP_S2:
			return __ldg((const int16_t *) c.values + row);
		case GROUP_S4:
			return __ldg((const int32_t *) c.values + row);
		case GROUP_FLOAT4:
			return __ldg((const uint32_t *) c.values + row);
		default:
			return __ldg((const long long *) c.values + row);
	}
}

/* Is the bit of a row set?  NULL has them all. */
__device__ static inline bool
group_bit(const uint32_t *bits, int64_t row)
{
	return bits == NULL || (__ldg(bits + row / 32) >> (row % 32) & 1) != 0;
}

/* A number's value as double; float4 and float8 are exact. */
__device__ static inline double
group_double(int type, int64_t value)
{
	if (type == GS_FLOAT8)
		return __longlong_as_double(value);
	if (type == GS_FLOAT4)
		return __int_as_float((int) value);
	return (double) value;
}

static inline __host__ __device__ bool
group_is_float(int type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

/*
 * The order of values as that of integers, for keys and orders: -0 is 0, and
 * all NaN are one, above all else.
 */
__device__ static inline int64_t
group_ordered(int type, int64_t value)
{
	if (type == GS_FLOAT8)
	{
		double		x = __longlong_as_double(value);

		return gs_key<double>::of(x == 0 ? 0.0 : x);
	}
	if (type == GS_FLOAT4)
	{
		float		x = __int_as_float((int) value);

		return gs_key<float>::of(x == 0 ? 0.0f : x);
	}
	return value;
}

/* group_ordered, but -0 is just below 0. */
__device__ static inline int64_t
group_strictly_ordered(int type, int64_t value)
{
	if (type == GS_FLOAT8)
		return gs_key<double>::of(__longlong_as_double(value));
	if (type == GS_FLOAT4)
		return gs_key<float>::of(__int_as_float((int) value));
	return value;
}

/* Back from either. */
__device__ static inline gs_value
group_value(int type, int64_t ordered)
{
	gs_value	v;

	v.i8 = 0;
	switch (type)
	{
		case GS_FLOAT8:
			v.f8 = gs_key<double>::value(ordered);
			break;
		case GS_FLOAT4:
			v.f4 = gs_key<float>::value((int32_t) ordered);
			break;
		case GS_INT8:
			v.i8 = ordered;
			break;
		case GS_INT4:
			v.i4 = (int32_t) ordered;
			break;
		default:
			v.i2 = (int16_t) ordered;
	}
	return v;
}

/* Device memory of an execution, which grows. */
typedef struct group_memory
{
	char	   *at;
	size_t		size;
} group_memory;

/*
 * At least so many bytes; its content is lost if it grows, once all work in the
 * stream that may use it has ended.
 */
extern cudaError_t group_reserve(group_memory *m, size_t size,
								 cudaStream_t stream);

/* At least so many bytes, of which the first `kept` stay. */
extern cudaError_t group_grow(group_memory *m, size_t size, size_t kept,
							  cudaStream_t stream);
extern void group_free(group_memory *m);

/* Exchange two pieces of memory. */
static inline void
group_swap(group_memory *a, group_memory *b)
{
	group_memory c = *a;

	*a = *b;
	*b = c;
}

/*
 * Copy at most GS_REPORT_SIZE bytes from the device to context->report, and
 * wait for all work in context->compute.
 */
extern cudaError_t group_report(gs_exec_context *context, const void *from,
								size_t size);

/*
 * Dynamic shared memory that a block may have, in bytes; it may have
 * GROUP_SHARED_OTHER bytes of its own besides.
 */
#define GROUP_SHARED_OTHER	1024

extern cudaError_t group_shared_size(size_t *size);

/* The words of a bitmap of n bits, which may be read and written in whole. */
static inline size_t
group_bits_size(int64_t n)
{
	return (size_t) gs_divide_up(n, 128) * 16;
}

/* ----------
 * values.cu: the values of the rows of GS_AGG_PERCENTILE, MODE, DISTINCT
 * ----------
 */

/*
 * Pairs of group and value, for all aggregates of the same rows' values.  A
 * value is an unsigned integer in the values' order, -0 just below 0: 64 bits
 * for int8 and float8, 32 bits for other types.
 */
typedef struct group_values
{
	bool		sort;			/* selecting is not enough */
	bool		sorted;			/* by group and value */
	int64_t		n;				/* pairs */
	uint64_t	set;			/* bits that are 1 in some value */
	uint64_t	clear;			/* bits that are 0 in some value */
	group_memory group;			/* uint32_t each */
	group_memory value;
	group_memory other_group;	/* to sort with */
	group_memory other_value;
	group_memory work;			/* what kernels need besides */
} group_values;

/* Add the rows of a batch that have a group, pass the filter and are present. */
extern cudaError_t group_values_add(group_values *v, const uint32_t *group,
									const group_column *argument,
									const uint32_t *filter, int64_t n,
									gs_exec_context *context);

/* Renumber the groups: group g becomes number[g]. */
extern cudaError_t group_values_renumber(group_values *v,
										 const uint32_t *number,
										 cudaStream_t stream);

/*
 * The states of an aggregate, for groups 0 to groups - 1: gs_value[2],
 * gs_value or int64_t each, in device memory, 0 where a group has no values.
 * The pairs may be in another order then.
 */
extern cudaError_t group_values_finish(group_values *v,
									   const gs_aggregate *aggregate,
									   int type, int64_t groups, void *states,
									   gs_exec_context *context);
extern void group_values_free(group_values *v);

#endif							/* GS_GROUP_CUH */
