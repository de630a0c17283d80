/*-------------------------------------------------------------------------
 *
 * engine.cuh
 *	  The parts of an execution of a plan, and the files that they are in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ENGINE_CUH
#define GS_GROUP_ENGINE_CUH

#include "kernels/plan/evaluate.cuh"
#include "kernels/plan/states.cuh"

/* ----------
 * batch.cu
 * ----------
 */
typedef struct group_batch_memory
{
	group_memory values[GS_PLAN_COLUMNS];
	group_memory validity[GS_PLAN_COLUMNS];
	group_memory expanded[GS_PLAN_COLUMNS];
	group_memory rows;
	group_memory ranks;
	group_memory streamed[2];	/* parts: stream.cu */
	group_memory unscaled;		/* of one */
} group_batch_memory;

extern cudaError_t group_batch_place(group_batch_memory *m,
									 const gs_plan *plan,
									 const gs_batch *batch,
									 group_column *columns,
									 const uint32_t **rows,
									 cudaStream_t stream);
extern void group_batch_free(group_batch_memory *m);

/* The group_format of a column's values. */
extern int	group_format_of(gs_type type, int width);

/* ----------
 * keys.cu: group numbers
 *
 * Dense: key k is low + code, NULL the code `size`; the group's number is the
 * sum of codes times strides, so it ascends in the order of the keys.  Hashed:
 * the number is the place of the keys in `tuples`, in any order.
 * ----------
 */
typedef struct group_dense
{
	int64_t		low[GS_PLAN_KEYS];
	uint64_t	size[GS_PLAN_KEYS];
	uint64_t	stride[GS_PLAN_KEYS];
} group_dense;

typedef struct group_hash
{
	uint32_t   *table;			/* group numbers */
	uint32_t	mask;			/* the table's size less 1 */
	uint32_t	capacity;		/* of tuples */
	int64_t    *tuples;			/* group_ordered keys, `keys` a group; 0 where
								 * NULL */
	uint8_t    *nulls;			/* a bit a key */
	uint32_t   *count;			/* groups, then: was the capacity too small? */
} group_hash;

/* What kernels know of the keys. */
typedef struct group_key_job
{
	int32_t		keys;
	int32_t		hashed;
	group_dense dense;
	group_hash	hash;
	group_column column[GS_PLAN_KEYS];
} group_key_job;

/* A row's group, of dense keys. */
__device__ static inline uint32_t
group_dense_number(const group_key_job &keys, int64_t row)
{
	uint64_t	group = 0;

	for (int k = 0; k < keys.keys; k++)
	{
		const group_column &c = keys.column[k];
		uint64_t	code = keys.dense.size[k];

		if (group_bit(c.validity, row))
			code = (uint64_t) group_ordered(c.type, group_load(c, row)) -
				(uint64_t) keys.dense.low[k];
		group += code * keys.dense.stride[k];
	}
	return (uint32_t) group;
}

/* The other way: the code of a key.  All groups' numbers have 32 bits. */
__device__ static inline uint64_t
group_dense_code(const group_dense &dense, uint64_t group, int k)
{
	return (uint32_t) group / (uint32_t) dense.stride[k] %
		(uint32_t) (dense.size[k] + 1);
}

/* A group's key, group_ordered; false: it is NULL. */
__device__ static inline bool
group_key_of(const group_key_job &keys, uint32_t group, int k, int64_t *key)
{
	uint64_t	code;

	if (keys.hashed)
	{
		*key = keys.hash.tuples[(size_t) group * keys.keys + k];
		return !(keys.hash.nulls[group] >> k & 1);
	}
	code = group_dense_code(keys.dense, group, k);
	*key = (int64_t) (code + (uint64_t) keys.dense.low[k]);
	return code != keys.dense.size[k];
}

typedef struct group_keys
{
	group_key_job job;
	int64_t		record_size;	/* bytes that a group takes elsewhere */
	bool		known;			/* there was a batch with rows */
	int64_t		groups;			/* numbers below this may be in use */
	int64_t		lowest[GS_PLAN_KEYS];	/* of all batches; ordered */
	int64_t		highest[GS_PLAN_KEYS];
	uint32_t	measured;		/* bits: keys whose ranges in the batch at hand the
								 * evaluation leaves in `ranges` */
	group_memory table;
	group_memory tuples;
	group_memory nulls;
	group_memory counts;
	group_memory ranges;
	group_memory number;
	group_memory ids;
} group_keys;

/*
 * Before a batch's keys are computed: make keys->ranges, a pair for each key, ready
 * for those of the measured ones.
 */
extern cudaError_t group_keys_measure(group_keys *keys, uint32_t measured,
									  gs_exec_context *context);

/*
 * Prepare for a batch whose keys are in keys->job.column.  If groups get other
 * numbers, *renumber has the new one of each old group; else it is NULL.
 * `known` says of which keys low and high are given.
 */
extern cudaError_t group_keys_prepare(group_keys *keys, const uint32_t *rows,
									  int64_t n, const bool *known,
									  const int64_t *low, const int64_t *high,
									  uint32_t **renumber,
									  gs_exec_context *context);

/* The groups of a batch's rows, in keys->ids; adds new ones if hashed. */
extern cudaError_t group_keys_find(group_keys *keys, const uint32_t *rows,
								   int64_t n, gs_exec_context *context);

/*
 * The numbers of the groups that have rows, in the order of their keys, in
 * keys->ids.  How many groups and rows there are is put into *device, and all
 * of that copied to *host.  More batches may follow.
 */
extern cudaError_t group_keys_order(group_keys *keys, const int64_t *records,
									int stride, group_reported *device,
									group_reported *host,
									gs_exec_context *context);

/*
 * Are there so few groups that this takes next to no time?  Then nobody need wait:
 * the same but for *host.
 */
extern bool group_keys_are_few(const group_keys *keys);
extern cudaError_t group_keys_order_few(group_keys *keys,
										const int64_t *records, int stride,
										group_reported *device,
										cudaStream_t stream);
extern void group_keys_free(group_keys *keys);

#endif							/* GS_GROUP_ENGINE_CUH */
