/*-------------------------------------------------------------------------
 *
 * accumulate_kernel.cuh
 *	  The kernel that adds the rows of a batch to the states of their groups.
 *
 * One file for each mode compiles it, since that takes long.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ACCUMULATE_KERNEL_CUH
#define GS_GROUP_ACCUMULATE_KERNEL_CUH

#include "kernels/plan/accumulate_ahead.cuh"

/* ----------
 * Rows
 * ----------
 */

/* A thread's rows of a tile; there may be none behind the last one. */
template <bool FULL>
__device__ static inline void
place_rows(int64_t first, int64_t end, thread_rows *t)
{
	int			left = FULL || end - first > GROUP_TILE ? GROUP_TILE :
		(int) (end - first);

	t->counted = (1u << ROWS) - 1;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int			i = threadIdx.x + r * THREADS;

		t->row[r] = (uint32_t) first + i;
		if (!FULL && i >= left)
			t->counted &= ~(1u << r);
	}
}

/* Those of them that pass the filter. */
__device__ static inline void
filter_rows(const block_states &b, int64_t first, int64_t end, thread_rows *t)
{
	const group_job *job = b.job;
	const evaluate_range *range =
		(const evaluate_range *) (group_shared + b.ranges);

	t->counted = group_rows_with_bit<ROWS>(job->rows, t->row, t->counted);
	if (first + GROUP_TILE <= end)
		t->counted = group_rows_in_ranges<ROWS, THREADS>(range, job->ranges,
														 t->row, t->counted);
	else
		t->counted = group_rows_in_ranges<ROWS, 0>(range, job->ranges, t->row,
												   t->counted);
}

/*
 * Collect the rows of a warp that count, of one tile after the other, until
 * they are as many as it adds at a time: where few count, few of its lanes
 * would else have one, and wait for its value.  If these do not fit the
 * list, or are the last ones, what was in it becomes the thread's rows.
 */
__device__ static inline bool
collect_rows(const block_states &b, bool last, thread_rows *t)
{
	uint32_t   *listed = group_shared + b.list + gs_warp() * LIST_WORDS;
	uint32_t   *list = listed + 1;
	const uint32_t before = (1u << gs_lane()) - 1;
	const uint32_t counted = t->counted;
	const uint32_t row = t->row[0];
	uint32_t	lanes[ROWS];
	int			more = 0;
	int			n = (int) *listed;
	bool		full;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		lanes[r] = __ballot_sync(GS_ALL_LANES, counted >> r & 1);
		more += __popc(lanes[r]);
	}
	full = last || n + more > WARP_ROWS;
	if (full)
	{
		t->counted = 0;
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			int			i = r * GS_WARP + gs_lane();

			if (i >= n)
				continue;
			t->row[r] = list[i];
			t->counted |= 1u << r;
		}
		n = 0;
	}
	__syncwarp();
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		if (counted >> r & 1)
			list[n + __popc(lanes[r] & before)] = row + r * THREADS;
		n += __popc(lanes[r]);
	}
	if (gs_lane() == 0)
		*listed = n;
	__syncwarp();
	return full;
}

/*
 * Dense numbers of the groups of rows; all of them, if FULL.  They have 32
 * bits, so those above do not matter.
 */
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
		uint32_t	low = (uint32_t) key.low;
		int64_t		x[ROWS];

		group_fetch_rows<ROWS, FULL ? THREADS : 0>(key.values, key.format,
												   t.row, present, x);
		if (group_is_float(key.type))
		{
			EACH_ROW(present, x[r] = group_ordered(key.type, x[r]))
		}
		else if (group_has_base(key.format))
			low -= (uint32_t) key.base;
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			group[r] += key.stride *
				(!FULL && (present >> r & 1) == 0 ? key.size :
				 (uint32_t) x[r] - low);
	}
}

/* The groups of a thread's rows, and where these are; count the rows. */
template <add_mode MODE, bool FULL>
__device__ static inline void
find_targets(const block_states &b, const add_key *keys, int n,
			 thread_rows *t)
{
	const group_job *job = b.job;
	const bool	any_hot = job->hots > 0;
	uint32_t	group[ROWS];

	if (job->ids != NULL)
	{
		EACH_ROW(t->counted, group[r] = __ldcs(job->ids + t->row[r]))
	}
	else
		dense_groups<FULL>(keys, n, *t, group);
	EACH_ROW(t->counted, {
		t->target[r] = target_of<MODE>(b, group[r], any_hot);
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

template <bool FULL>
__device__ static inline void
read_plain(const block_states &b, const plain_operand &o,
		   const thread_rows &t, int64_t *x)
{
	if (o.values != NULL)
		group_load_rows<ROWS, FULL ? THREADS : 0>(o.values, o.format, o.base,
												  t.row, t.counted, x);
	else
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			x[r] = o.slot < 0 ? o.base : *slot_value(b, o.slot, r);
	}
}

/* Execute a plain program. */
template <bool FULL>
__device__ static inline void
compute_plain(const block_states &b, const thread_rows &t)
{
	for (int i = 0; i < b.job->steps; i++)
	{
		const plain_step &step =
			((const plain_step *) (group_shared + b.steps))[i];
		const int	code = step.code;
		const int	slot = step.slot;
		int64_t		x[ROWS];
		int64_t		y[ROWS];

		read_plain<FULL>(b, step.a, t, x);
		if (code != GS_CODE_CAST)
			read_plain<FULL>(b, step.b, t, y);
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

/* Add rows to all actions; what counts in shared memory were before, OR-ed. */
template <add_mode MODE, int KINDS, bool FULL>
__device__ static inline uint32_t
add_rows(const block_states &b, const add_key *keys, int keys_n,
		 const add_action *actions, int n, thread_rows *rows)
{
	const int	lead = (KINDS & KINDS_OTHERS) == 0 ? b.job->lead : -1;
	thread_rows &t = *rows;
	uint32_t	mask = t.counted;
	int64_t		x[ROWS];

	t.seen = 0;

	/*
	 * The first argument comes from memory at the same time as the keys, but
	 * where registers are scarce.
	 */
	if (lead >= 0)
		read_argument<KINDS, FULL>
			(b, actions[lead].a, actions[lead].a_format, actions[lead].a_base,
			 -1, t, t.counted, x);
	find_targets<MODE, FULL>(b, keys, keys_n, &t);
	if ((KINDS & KINDS_INTEGER_SUMS) != 0 && b.job->steps > 0)
		compute_plain<FULL>(b, t);
	if ((KINDS & KINDS_PROGRAMS) != 0 && b.job->program != NULL)
		compute(b, t);
	for (int i = 0; i < n; i++)
		act<MODE, KINDS, FULL>(b, actions[i], i == lead, t, &mask, x);
	return t.seen;
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
	const int64_t step = (int64_t) gridDim.x * GROUP_TILE;
	int64_t		first = job->first + (int64_t) blockIdx.x * GROUP_TILE;
	int64_t		end = job->end;
	int			replicated;
	relief		room;
	block_states b;

	static_assert(sizeof shared_keys + sizeof shared_job <=
				  GROUP_SHARED_OTHER, "too much shared memory");
	b.job = &shared_job;
	b.replicas = job->replicas;
	b.hot_lane = gs_lane() / job->replicas;
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
	if (is_filtered(job) && gs_lane() == 0)
		group_shared[b.list + gs_warp() * LIST_WORDS] = 0;
	read_keys(in.keys, shared_keys);
	read_actions(in.layout, job, actions);
	clear_states(b, replicated, in.layout, groups);
	room = {in.digits, replicated, groups,
		ADDITIONS_CHECKED / (GROUP_TILE / b.replicas), 0, 0};
	if (KINDS == KINDS_FLOAT_SUMS && MODE != ADD_HOT && shared_job.ahead)
		first = add_ahead<MODE>(b, shared_keys[0], actions[shared_job.lead],
								&room, first);

	/* what has been collected is added in one more round */
	for (; first < (is_filtered(&shared_job) ? end + step : end); first += step)
	{
		const bool	filtered = is_filtered(&shared_job);
		thread_rows t;

		make_room<MODE>(b, &room);
		prefetch_tile(&shared_job, first + step, end);
		if (all && first + GROUP_TILE <= end)
		{
			place_rows<true>(first, end, &t);
			room.seen |= add_rows<MODE, KINDS, true>
				(b, shared_keys, keys_n, actions, n, &t);
			continue;
		}
		place_rows<false>(first, end, &t);
		if (filtered)
			filter_rows(b, first, end, &t);
		if (!filtered || collect_rows(b, first >= end, &t))
			room.seen |= add_rows<MODE, KINDS, false>
				(b, shared_keys, keys_n, actions, n, &t);
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
	if (l->kinds == KINDS_HISTOGRAMS)
		return launch_kernel<MODE, KINDS_HISTOGRAMS>(g, l);
	if ((l->kinds & ~KINDS_COLUMNS) == 0)
		return launch_kernel<MODE, KINDS_COLUMNS>(g, l);
	return launch_kernel<MODE, KINDS_ALL>(g, l);
}

#endif							/* GS_GROUP_ACCUMULATE_KERNEL_CUH */
