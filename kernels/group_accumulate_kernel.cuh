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

/* A thread's rows of a tile. */
template <tile_rows TILE>
__device__ static inline void
place_rows(int64_t first, int64_t end, thread_rows *t)
{
	t->counted = (1u << ROWS) - 1;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		t->row[r] = (uint32_t) first + threadIdx.x + r * THREADS;
		if (TILE == TILE_SOME && t->row[r] >= end)
			t->counted &= ~(1u << r);
	}
}

/* Those of them that pass the filter. */
template <tile_rows TILE>
__device__ static inline void
filter_rows(const block_states &b, int64_t first, int64_t end, thread_rows *t)
{
	const group_job *job = b.job;
	const evaluate_range *range =
		(const evaluate_range *) (group_shared + b.ranges);

	if (TILE == TILE_ALL)
		return;
	t->counted = group_rows_with_bit<ROWS>(job->rows, t->row, t->counted);
	if (TILE == TILE_MANY || first + GROUP_TILE <= end)
		t->counted = group_rows_in_ranges<ROWS, THREADS>(range, job->ranges,
														 t->row, t->counted);
	else
		t->counted = group_rows_in_ranges<ROWS, 0>(range, job->ranges, t->row,
												   t->counted);
}

/*
 * Deal the rows of a warp that count among its lanes, so that where few do,
 * few steps are made.
 */
__device__ static inline void
deal_rows(const block_states &b, int64_t first, thread_rows *t)
{
	uint16_t   *list = (uint16_t *) (group_shared + b.list) +
		gs_warp() * GS_WARP * ROWS;
	uint32_t	before = (1u << gs_lane()) - 1;
	int			n = 0;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		bool		counts = t->counted >> r & 1;
		uint32_t	lanes = __ballot_sync(GS_ALL_LANES, counts);

		if (counts)
			list[n + __popc(lanes & before)] =
				(uint16_t) (r * THREADS + threadIdx.x);
		n += __popc(lanes);
	}
	__syncwarp();
	t->counted = 0;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int			i = r * GS_WARP + gs_lane();

		if (i >= n)
			continue;
		t->row[r] = (uint32_t) first + list[i];
		t->counted |= 1u << r;
	}
	__syncwarp();
}

/* Dense numbers of the groups of rows; all of them, if WHOLE. */
template <bool WHOLE>
__device__ static inline void
dense_groups(const add_key *keys, int n, const thread_rows &t, uint32_t *group)
{
#pragma unroll
	for (int r = 0; r < ROWS; r++)
		group[r] = 0;
	for (int k = 0; k < n; k++)
	{
		const add_key key = keys[k];
		uint32_t	present = WHOLE ? t.counted :
			group_rows_with_bit<ROWS>(key.validity, t.row, t.counted);
		int64_t		x[ROWS];

		group_load_rows<ROWS, WHOLE ? THREADS : 0>(key.values, key.format,
												   key.base, t.row, present,
												   x);
		if (group_is_float(key.type))
		{
			GROUP_EACH_ROW(ROWS, WHOLE, present,
						   x[r] = group_ordered(key.type, x[r]))
		}
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			group[r] += key.stride *
				(!WHOLE && (present >> r & 1) == 0 ? key.size :
				 (uint32_t) ((uint64_t) x[r] - key.low));
	}
}

/* The place of a group. */
template <add_mode MODE>
__device__ static inline int32_t
target_of(const group_job *job, uint32_t group, bool any_hot)
{
	int			i = group % 32;
	bool		hot;

	if (MODE == ADD_LOCAL)
		return (int32_t) group;
	hot = any_hot && job->hot_group[i] == group;
	if (MODE == ADD_HOT)
		return hot ? job->hot_number[i] : (int32_t) ~group;
	return !hot ? (int32_t) group :
		job->hot_first + (job->hot_number[i] << job->hot_shift) +
		gs_lane() / job->replicas;
}

/* The groups of a thread's rows, and where these are; count the rows. */
template <add_mode MODE, tile_rows TILE>
__device__ static inline void
find_targets(const block_states &b, const add_key *keys, int n,
			 thread_rows *t)
{
	const bool	FULL = TILE == TILE_ALL;
	const group_job *job = b.job;
	const bool	any_hot = job->hots > 0;
	uint32_t	group[ROWS];

	if (job->ids != NULL)
	{
		EACH_ROW(t->counted, group[r] = __ldcs(job->ids + t->row[r]))
	}
	else
		dense_groups<TILE != TILE_SOME>(keys, n, *t, group);
	EACH_ROW(t->counted, {
		t->target[r] = target_of<MODE>(job, group[r], any_hot);
		t->seen |= count_one<MODE>(b, t->target[r], 0, 0);
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

template <bool WHOLE>
__device__ static inline void
read_plain(const block_states &b, const plain_operand &o,
		   const thread_rows &t, int64_t *x)
{
	if (o.values != NULL)
		group_load_rows<ROWS, WHOLE ? THREADS : 0>(o.values, o.format, o.base,
												   t.row, t.counted, x);
	else
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			x[r] = o.slot < 0 ? o.base : *slot_value(b, o.slot, r);
	}
}

/* Execute a plain program. */
template <tile_rows TILE>
__device__ static inline void
compute_plain(const block_states &b, const thread_rows &t)
{
	const bool	WHOLE = TILE != TILE_SOME;
	const bool	FULL = TILE == TILE_ALL;

	for (int i = 0; i < b.job->steps; i++)
	{
		const plain_step &step =
			((const plain_step *) (group_shared + b.steps))[i];
		const int	code = step.code;
		const int	slot = step.slot;
		int64_t		x[ROWS];
		int64_t		y[ROWS];

		read_plain<WHOLE>(b, step.a, t, x);
		if (code != GS_CODE_CAST)
			read_plain<WHOLE>(b, step.b, t, y);
		if (code == GS_CODE_MULTIPLY)
		{
			EACH_ROW(t.counted, x[r] *= y[r])
		}
		else if (code == GS_CODE_ADD)
		{
			EACH_ROW(t.counted, x[r] += y[r])
		}
		else if (code == GS_CODE_SUBTRACT)
		{
			EACH_ROW(t.counted, x[r] -= y[r])
		}
		EACH_ROW(t.counted, *slot_value(b, slot, r) = x[r])
	}
}

/* Add a tile's rows to all actions. */
template <add_mode MODE, int KINDS, tile_rows TILE>
__device__ static inline uint32_t
do_tile(const block_states &b, const add_key *keys, int keys_n,
		const add_action *actions, int n, int64_t first, int64_t end)
{
	const int	lead = (KINDS & KINDS_OTHERS) == 0 ? b.job->lead : -1;
	thread_rows t;
	uint32_t	mask;
	int64_t		x[ROWS];

	t.seen = 0;
	place_rows<TILE>(first, end, &t);
	if (TILE == TILE_SOME)
	{
		filter_rows<TILE>(b, first, end, &t);
		if (list_size(b.job) > 0)
			deal_rows(b, first, &t);
	}

	/*
	 * The first argument comes from memory at the same time as the keys, or
	 * the filter's columns, but where registers are scarce.
	 */
	if (lead >= 0)
		read_argument<KINDS, TILE != TILE_SOME>
			(b, actions[lead].a, actions[lead].a_format, actions[lead].a_base,
			 -1, t, t.counted, x);
	if (TILE == TILE_MANY)
		filter_rows<TILE>(b, first, end, &t);
	mask = t.counted;
	find_targets<MODE, TILE>(b, keys, keys_n, &t);
	if ((KINDS & KINDS_INTEGER_SUMS) != 0 && b.job->steps > 0)
		compute_plain<TILE>(b, t);
	if ((KINDS & KINDS_PROGRAMS) != 0 && b.job->program != NULL)
		compute(b, t);
	for (int i = 0; i < n; i++)
		act<MODE, KINDS, TILE>(b, actions[i], i == lead, t, &mask, x);
	return t.seen;
}

/* Bring the block's next tile to the L2 cache: one warp does it for all. */
__device__ static inline void
prefetch_tile(const group_job *job, int64_t first, int64_t end)
{
	int			rows = (int) (end - first < GROUP_TILE ? end - first : GROUP_TILE);
	int			columns = job->few ? job->columns_of_ranges : job->columns;

	if (gs_warp() != 0)
		return;
	for (int i = 0; i < columns; i++)
		group_prefetch((const char *) job->column[i] + first * job->width[i],
					   rows * job->width[i]);
}

/* ----------
 * A block's shared memory
 * ----------
 */

/* Copy whole words of global to shared memory. */
__device__ static void
copy_words(void *to, const void *from, size_t size)
{
	for (size_t i = threadIdx.x; i < size / sizeof(uint32_t); i += THREADS)
		((uint32_t *) to)[i] = ((const uint32_t *) from)[i];
}

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

/* Extremes compare a float4 as it is. */
__device__ static inline int8_t
format_of(const group_action *a, const group_column &c)
{
	return c.format != GROUP_FLOAT4 || a->kind == GS_AGG_MIN ||
		a->kind == GS_AGG_MAX ? (int8_t) c.format : GROUP_WIDENED;
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
		a.a_validity = from->a_slot < 0 ? from->a.validity : NULL;
		a.b_validity = from->b_slot < 0 ? from->b.validity : NULL;
		a.filter = from->filter;
		a.a_base = from->a.base;
		a.b_base = from->b.base;
		a.all = from;
		a.word = from->word;
		a.rare = from->rare;
		a.replicated = from->replicated * job->replicas;
		a.single = from->single * job->local_groups;
		a.unit = group_unit_of(job->reported->window[i]);
		a.kind = (int8_t) from->kind;
		a.type = (int8_t) from->type;
		a.a_format = format_of(from, from->a);
		a.b_format = format_of(from, from->b);
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

/*
 * Add all replicas to the records.  A thread does a word; it starts with such
 * a replica that no two lanes meet in a bank.
 */
template <add_mode MODE>
__device__ static void
flush_replicated(const block_states &b, int replicated,
				 const group_digit *digits, int groups)
{
	int			words = b.group_words / b.replicas;
	int			start = gs_lane() * b.replicas / GS_WARP;

	for (int i = threadIdx.x; i < groups * words; i += THREADS)
	{
		const uint32_t *word = group_shared + replicated + i * b.replicas;
		const group_digit d = digits[i % words];
		int64_t		sum = 0;

		for (int k = 0; k < b.replicas; k++)
		{
			int64_t		value =
				digit_value(d, word[(start + k) & (b.replicas - 1)]);

			sum = d.is_xor ? sum ^ value : sum + value;
		}
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
accumulate_kernel(group_input in)
{
	__shared__ add_key shared_keys[GS_PLAN_KEYS];
	__shared__ group_job shared_job;
	const group_job *job = in.job;
	int			at = 0;			/* in shared memory, in 32-bit words */
	add_action *actions = (add_action *) group_shared;
	int			keys_n = in.keys->keys;
	int			n = in.layout->actions;
	int			groups = job->local_groups;
	const bool	all = (KINDS & KINDS_PROGRAMS) == 0 && job->plain &&
		job->rows == NULL && job->ranges == 0;

	/* others have too few registers */
	const bool	many = MODE == ADD_LOCAL && (KINDS & ~KINDS_SUMS) == 0 &&
		job->plain && job->ranges > 0 && !job->few;
	int64_t		end = job->end;
	int			relief = ADDITIONS_CHECKED / (GROUP_TILE / job->replicas);
	int			rounds = 0;
	uint32_t	seen = 0;
	int			replicated;
	block_states b;

	static_assert(sizeof shared_keys + sizeof shared_job <=
				  GROUP_SHARED_OTHER, "too much shared memory");
	b.job = &shared_job;
	b.replicas = job->replicas;
	b.group_words = in.layout->replicated * b.replicas;
	b.record_words = in.layout->words;
	b.rare_words = in.layout->rare_words;
	b.records = job->records;
	b.rare = job->rare;

	/* the parts that states_size() counts */
	at += n * (int) (sizeof(add_action) / sizeof(uint32_t));
	b.ranges = at;
	at += job->ranges * (int) (sizeof(evaluate_range) / sizeof(uint32_t));
	b.steps = at;
	at += job->steps * (int) (sizeof(plain_step) / sizeof(uint32_t));
	b.list = at;
	at += (int) (list_size(job) / sizeof(uint32_t));
	b.single = at / 2;
	at += 2 * in.layout->singles * groups;
	b.slot = at / 2;
	b.slots.values = group_shared_words() + b.slot;
	at += 2 * job->slots * ROWS * THREADS;
	b.slots.states = group_shared + at;
	replicated = at + job->slots * THREADS;
	b.replicated = replicated + threadIdx.x % b.replicas;
	copy_words(group_shared + b.ranges, in.ranges,
			   job->ranges * sizeof(evaluate_range));
	copy_words(group_shared + b.steps, in.steps,
			   job->steps * sizeof(plain_step));
	copy_words(&shared_job, job, sizeof shared_job);
	read_keys(in.keys, shared_keys);
	read_actions(in.layout, job, actions);
	clear_states(b, replicated, in.layout, groups);
	for (int64_t first = job->first + (int64_t) blockIdx.x * GROUP_TILE;
		 first < end; first += (int64_t) gridDim.x * GROUP_TILE)
	{
		if (rounds++ == relief)
		{
			if (MODE != ADD_PACKED ||
				__syncthreads_or(seen >= ADDITIONS_CHECKED))
				relieve<MODE>(b, replicated, in.digits, groups);
			seen = 0;
			rounds = 1;
		}
		prefetch_tile(&shared_job, first + (int64_t) gridDim.x * GROUP_TILE,
					  end);
		if (all && first + GROUP_TILE <= end)
			seen |= do_tile<MODE, KINDS, TILE_ALL>(b, shared_keys, keys_n,
												   actions, n, first, end);
		else if (many && first + GROUP_TILE <= end)
			seen |= do_tile<MODE, KINDS, TILE_MANY>(b, shared_keys, keys_n,
													actions, n, first, end);
		else
			seen |= do_tile<MODE, KINDS, TILE_SOME>(b, shared_keys, keys_n,
													actions, n, first, end);
	}
	__syncthreads();
	flush_replicated<MODE>(b, replicated, in.digits, groups);
	flush_singles<MODE>(b, in.layout, groups);
}

/* ----------
 * Launch
 * ----------
 */

template <add_mode MODE, int KINDS>
static cudaError_t
launch_kernel(const group_accumulation *g, const group_launch *l)
{
	const group_job *job = g->job;

	GS_TRY((gs_allow_shared<accumulate_kernel<MODE, KINDS>>()));
	accumulate_kernel<MODE, KINDS><<<l->blocks, THREADS,
		states_size(g->layout, job, job->hot_first +
					(job->hot_max << job->hot_shift), job->replicas),
		l->stream>>>(l->input);
	return gs_launched();
}

/*
 * The kernel for what the actions do; each takes long to compile.
 */
template <add_mode MODE>
static cudaError_t
launch_mode(const group_accumulation *g, const group_launch *l)
{
	if ((l->kinds & ~KINDS_FLOAT_SUMS) == 0)
		return launch_kernel<MODE, KINDS_FLOAT_SUMS>(g, l);
	if ((l->kinds & ~KINDS_FLOATS) == 0)
		return launch_kernel<MODE, KINDS_FLOATS>(g, l);
	if ((l->kinds & ~KINDS_SUMS) == 0)
		return launch_kernel<MODE, KINDS_SUMS>(g, l);
	if ((l->kinds & ~KINDS_COLUMNS) == 0)
		return launch_kernel<MODE, KINDS_COLUMNS>(g, l);
	return launch_kernel<MODE, KINDS_ALL>(g, l);
}

#endif							/* GS_GROUP_ACCUMULATE_KERNEL_CUH */
