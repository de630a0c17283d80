/*-------------------------------------------------------------------------
 *
 * group_accumulate_kernel.cuh
 *	  The kernel that adds the rows of a batch to the states of their groups.
 *
 * One file for each mode compiles it, since that takes long.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ACCUMULATE_KERNEL_CUH
#define GS_GROUP_ACCUMULATE_KERNEL_CUH

#include "group_add.cuh"

/* Counters of shared memory that stay below this are safe for a while. */
#define ADDITIONS_CHECKED	(GROUP_DIGIT_ADDITIONS / 2)

/* ----------
 * Rows
 * ----------
 */

/* Dense numbers of the groups of rows. */
template <bool FULL>
__device__ static inline void
dense_groups(const add_key *keys, int n, const thread_rows &t, uint32_t *group)
{
#pragma unroll
	for (int r = 0; r < ROWS; r++)
		group[r] = 0;
	for (int k = 0; k < n; k++)
	{
		const add_key key = keys[k];
		uint32_t	present = FULL ? t.counted :
			group_rows_with_bit<ROWS>(key.validity, t.row, t.counted);
		int64_t		x[ROWS];

		group_load_rows<ROWS, FULL>(key.values, key.format, key.base, t.row,
									present, x);
		if (group_is_float(key.type))
		{
			EACH_ROW(present, x[r] = group_ordered(key.type, x[r]))
		}
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			group[r] += key.stride *
				(!FULL && (present >> r & 1) == 0 ? key.size :
				 (uint32_t) ((uint64_t) x[r] - key.low));
	}
}

/* A thread's rows of a tile, their groups, and where these are. */
template <add_mode MODE, bool FULL>
__device__ static inline void
find_targets(const block_states &b, const add_key *keys, int n, int64_t first,
			 int64_t end, thread_rows *t)
{
	const group_job *job = b.job;
	uint32_t	at = (uint32_t) first + threadIdx.x;
	uint32_t	group[ROWS];

	t->counted = (1u << ROWS) - 1;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		t->row[r] = at + r * THREADS;
		if (!FULL && t->row[r] >= end)
			t->counted &= ~(1u << r);
	}
	if (job->list != NULL)
	{
		EACH_ROW(t->counted, t->row[r] = __ldcs(job->list + t->row[r]))
	}
	if (job->ids != NULL)
	{
		EACH_ROW(t->counted, group[r] = __ldcs(job->ids + t->row[r]))
	}
	else
		dense_groups<FULL>(keys, n, *t, group);
	EACH_ROW(t->counted, {
		t->target[r] = (int32_t) group[r];
		if (MODE == ADD_HOT)
			t->target[r] = job->hot_group[group[r] % 32] == group[r] ?
				job->hot_local[group[r] % 32] : (int32_t) ~group[r];
		count_one<MODE>(b, t->target[r], 0, 0);
	})
}

/* Execute the program for a thread's rows; an error of one fails it all. */
__device__ static inline void
compute(const block_states &b, const thread_rows &t)
{
	const evaluate_program *p = b.job->program;
	uint32_t	errors = 0;

	for (int i = 0; i < p->steps; i++)
		execute_step<ROWS>(p, p->step[i], b.slots, t.row, t.counted);
	for (int i = 0; i < p->checks; i++)
	{
		uint32_t	states =
			b.slots.states[p->check[i].operand.index * THREADS + threadIdx.x];

#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if (t.counted >> r & 1)
				errors |= state_of(states, r) & GS_STATE_ERRORS;
		}
	}
	if (errors != 0)
		atomicOr(p->errors, errors);
}

/* Add a tile's rows to all actions. */
template <add_mode MODE, int KINDS, bool FULL>
__device__ static inline void
do_tile(const block_states &b, const add_key *keys, int keys_n,
		const add_action *actions, int n, int64_t first, int64_t end)
{
	thread_rows t;
	uint32_t	mask = 0;
	int64_t		x[ROWS];

	find_targets<MODE, FULL>(b, keys, keys_n, first, end, &t);
	if ((KINDS & KINDS_OTHERS) != 0 && b.job->program != NULL)
		compute(b, t);
	for (int i = 0; i < n; i++)
		act<MODE, KINDS, FULL>(b, actions[i], t, &mask, x);
}

/* Bring the block's next tile to the L2 cache: one warp does it for all. */
__device__ static inline void
prefetch_tile(const group_job *job, int64_t first, int64_t end)
{
	int			rows = (int) (end - first < GROUP_TILE ? end - first : GROUP_TILE);

	if (gs_warp() != 0)
		return;
	for (int i = 0; i < job->columns; i++)
		group_prefetch((const char *) job->column[i] + first * job->width[i],
					   rows * job->width[i]);
}

/* ----------
 * A block's shared memory
 * ----------
 */

__device__ static void
read_keys(const group_key_job *from, add_key *keys)
{
	for (int k = threadIdx.x; k < from->keys; k += THREADS)
	{
		add_key		key;

		key.values = from->column[k].values;
		key.validity = from->column[k].validity;
		key.base = from->column[k].base;
		key.format = from->column[k].format;
		key.type = from->column[k].type;
		key.low = (uint64_t) from->dense.low[k];
		key.size = (uint32_t) from->dense.size[k];
		key.stride = (uint32_t) from->dense.stride[k];
		keys[k] = key;
	}
}

__device__ static void
read_actions(const group_layout *layout, const group_job *job,
			 add_action *actions)
{
	for (int i = threadIdx.x; i < layout->actions; i += THREADS)
	{
		const group_action *from = &layout->action[i];
		add_action	a;

		a.a = from->a.values;
		a.b = from->b.values;
		a.a_validity = from->a.validity;
		a.b_validity = from->b.validity;
		a.filter = from->filter;
		a.a_base = from->a.base;
		a.b_base = from->b.base;
		a.all = from;
		a.word = from->word;
		a.rare = from->rare;
		a.replicated = from->replicated * job->replicas;
		a.single = from->single * job->local_groups;
		a.unit = from->unit;
		a.kind = (int8_t) from->kind;
		a.type = (int8_t) from->type;
		a.a_format = (int8_t) from->a.format;
		a.b_format = (int8_t) from->b.format;
		a.digits = (int8_t) from->digits;
		a.a_slot = (int16_t) from->a_slot;
		a.b_slot = (int16_t) from->b_slot;
		a.sparse = (int8_t) from->sparse;
		a.again = (int8_t) from->again;
		actions[i] = a;
	}
}

__device__ static void
clear_states(const block_states &b, int replicated,
			 const group_layout *layout, int groups)
{
	for (int i = threadIdx.x; i < groups * b.group_words; i += THREADS)
		group_shared[replicated + i] = 0;
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action &a = layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < groups; g += THREADS)
			group_shared_words()[b.single + a.single * groups + g] =
				group_neutral(a.kind);
	}
	__syncthreads();
}

__device__ static inline int64_t *
digit_target(const block_states &b, uint32_t group, const group_digit &d)
{
	return d.is_rare ? rare_word(b, group, d.word) :
		record_word(b, group, d.word);
}

/* Add to a record's word what shared memory has for it. */
__device__ static inline void
add_digit(int64_t *to, const group_digit &d, int64_t value)
{
	if (value == 0)
		return;
	if (d.is_xor)
		atomicXor((unsigned long long *) to,
				  (unsigned long long) value << d.shift);
	else
		add_word(to, value * (INT64_C(1) << d.shift));
}

__device__ static inline int64_t
digit_value(const group_digit &d, uint32_t value)
{
	return d.is_signed ? (int64_t) (int32_t) value : (int64_t) value;
}

/*
 * Empty the counters to which so much has been added that a digit could
 * overflow before this is called again.
 */
template <add_mode MODE>
__device__ static void
relieve(const block_states &b, int replicated,
		const group_digit *digits, int groups)
{
	__syncthreads();
	for (int i = threadIdx.x; i < groups * b.replicas; i += THREADS)
	{
		int			local = i / b.replicas;
		uint32_t   *word = group_shared + replicated +
			local * b.group_words + i % b.replicas;
		uint32_t	group = record_group<MODE>(b, local);

		if (*word < ADDITIONS_CHECKED)
			continue;
		for (int w = 0; w * b.replicas < b.group_words; w++)
		{
			add_digit(digit_target(b, group, digits[w]), digits[w],
					  digit_value(digits[w], word[w * b.replicas]));
			word[w * b.replicas] = 0;
		}
	}
	__syncthreads();
}

/* Add all replicas to the records: a warp does 32 of them at a time. */
template <add_mode MODE>
__device__ static void
flush_replicated(const block_states &b, int replicated,
				 const group_digit *digits, int groups)
{
	int			words = b.group_words / b.replicas;
	int			all = groups * words;
	int			per_warp = GS_WARP / b.replicas;

	for (int first = gs_warp() * per_warp; first < all;
		 first += WARPS * per_warp)
	{
		int			i = first + gs_lane() / b.replicas;
		group_digit d = digits[i < all ? i % words : 0];
		int64_t		sum = i >= all ? 0 :
			digit_value(d, group_shared[replicated + first * b.replicas +
										gs_lane()]);

		for (int delta = b.replicas / 2; delta > 0; delta /= 2)
		{
			int64_t		other = __shfl_down_sync(GS_ALL_LANES, sum, delta,
												 b.replicas);

			sum = d.is_xor ? sum ^ other : sum + other;
		}
		if (i < all && gs_lane() % b.replicas == 0)
			add_digit(digit_target(b, record_group<MODE>(b, i / words), d), d,
					  sum);
	}
}

template <add_mode MODE>
__device__ static void
flush_singles(const block_states &b, const group_layout *layout, int groups)
{
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action &a = layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < groups; g += THREADS)
		{
			long long	value = group_shared_words()[b.single +
													 a.single * groups + g];
			long long  *to = (long long *)
				record_word(b, record_group<MODE>(b, g), a.word);

			if (value == group_neutral(a.kind))
				continue;
			if (a.kind == GS_AGG_MIN)
				atomicMin(to, value);
			else if (a.kind == GS_AGG_MAX)
				atomicMax(to, value);
			else if (a.kind == GS_AGG_BIT_AND)
				atomicAnd((unsigned long long *) to,
						  (unsigned long long) value);
			else
				atomicOr((unsigned long long *) to,
						 (unsigned long long) value);
		}
	}
}

template <add_mode MODE, int KINDS>
__global__ void __launch_bounds__(THREADS, 1)
accumulate_kernel(const group_job *job, const group_layout *layout,
				  const group_key_job *keys, const group_digit *digits)
{
	__shared__ add_key shared_keys[GS_PLAN_KEYS];
	__shared__ group_job shared_job;
	add_action *actions = (add_action *) group_shared;
	int			keys_n = keys->keys;
	int			n = layout->actions;
	int			groups = job->local_groups;
	bool		plain = job->plain;
	int64_t		end = job->end;
	int			relief = ADDITIONS_CHECKED / (GROUP_TILE / job->replicas);
	int			rounds = 0;
	int			replicated;
	block_states b;

	static_assert(sizeof shared_keys + sizeof shared_job <=
				  GROUP_SHARED_OTHER, "too much shared memory");
	if (job->listed != NULL && *job->listed < end)
		end = *job->listed;
	b.job = &shared_job;
	b.replicas = job->replicas;
	b.group_words = layout->replicated * b.replicas;
	b.record_words = layout->words;
	b.rare_words = layout->rare_words;
	b.records = job->records;
	b.rare = job->rare;
	b.single = n * (int) (sizeof(add_action) / sizeof(int64_t));
	b.slots.values = group_shared_words() + b.single +
		layout->singles * groups;
	b.slots.states = (uint32_t *) (b.slots.values +
								   (size_t) job->slots * ROWS * THREADS);
	replicated = (int) (b.slots.states - group_shared) + job->slots * THREADS;
	b.replicated = replicated + threadIdx.x % b.replicas;
	if (threadIdx.x == 0)
		shared_job = *job;
	read_keys(keys, shared_keys);
	read_actions(layout, job, actions);
	clear_states(b, replicated, layout, groups);
	for (int64_t first = job->first + (int64_t) blockIdx.x * GROUP_TILE; first < end;
		 first += (int64_t) gridDim.x * GROUP_TILE)
	{
		if (rounds++ == relief)
		{
			relieve<MODE>(b, replicated, digits, groups);
			rounds = 1;
		}
		if (shared_job.list == NULL)
			prefetch_tile(&shared_job, first + (int64_t) gridDim.x * GROUP_TILE,
						  end);
		if (plain && first + GROUP_TILE <= end)
			do_tile<MODE, KINDS, true>(b, shared_keys, keys_n, actions, n,
									   first, end);
		else
			do_tile<MODE, KINDS, false>(b, shared_keys, keys_n, actions, n,
										first, end);
	}
	__syncthreads();
	flush_replicated<MODE>(b, replicated, digits, groups);
	flush_singles<MODE>(b, layout, groups);
}

/* ----------
 * Launch
 * ----------
 */

template <add_mode MODE, int KINDS>
static cudaError_t
launch_kernel(const group_accumulation *g, const group_launch *l)
{
	GS_TRY((gs_allow_shared<accumulate_kernel<MODE, KINDS>>()));
	accumulate_kernel<MODE, KINDS><<<l->blocks, THREADS,
		states_size(g->layout, g->job, g->job->local_groups,
					g->job->replicas), l->stream>>>
		(l->job, l->layout, l->keys, l->digits);
	return gs_launched();
}

/*
 * The kernel for what the actions do.  Sums, averages and deviations of floats,
 * minimum and maximum have kernels of their own; each takes long to compile.
 */
template <add_mode MODE>
static cudaError_t
launch_mode(const group_accumulation *g, const group_launch *l)
{
	bool		program = g->job->program != NULL;

	if (!program && (l->kinds & ~KINDS_FLOAT_SUMS) == 0)
		return launch_kernel<MODE, KINDS_FLOAT_SUMS>(g, l);
	if (!program && (l->kinds & ~KINDS_FLOATS) == 0)
		return launch_kernel<MODE, KINDS_FLOATS>(g, l);
	return launch_kernel<MODE, KINDS_ALL>(g, l);
}

#endif							/* GS_GROUP_ACCUMULATE_KERNEL_CUH */
