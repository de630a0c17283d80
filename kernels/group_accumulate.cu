/*-------------------------------------------------------------------------
 *
 * group_accumulate.cu
 *	  Adds the rows of a batch to the states of their groups.
 *
 * Few groups have their states in each block's shared memory, replicated up to
 * 32 times: with a replica for each lane, no two lanes of a warp ever meet in a
 * bank, whatever the keys are.  A float is added as four digits of 18 bits, so
 * that four 32-bit additions do it, and 2^14 additions fit; now and then, what
 * comes near that is emptied into the global record.  Exact sums of 10^8 float8
 * by 100 groups so take 0.33 ms on an H200, which is the memory's rate; 64-bit
 * additions in shared memory 0.45, and with one group 1.9.
 *
 * Where states of all groups do not fit, rows add to the records in global
 * memory by 64-bit atomic additions, which the L2 cache executes: 3.2 ms for
 * 1,000,000 groups.  That is slow for groups that have many of the rows, so
 * these (found in a sample) are kept in shared memory as above.
 *
 *-------------------------------------------------------------------------
 */
#include "group_add.cuh"

#include <stdlib.h>

#define TILE		(THREADS * ROWS)

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
	for (int i = 0; i < n; i++)
		act<MODE, KINDS, FULL>(b, actions[i], t, &mask, x);
}

/* Bring the block's next tile to the L2 cache: one warp does it for all. */
__device__ static inline void
prefetch_tile(const group_job *job, int64_t first, int64_t end)
{
	int			rows = (int) (end - first < TILE ? end - first : TILE);

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
		a.sparse = a.filter != NULL || a.a_validity != NULL ||
			a.b_validity != NULL;
		a.again = (int8_t) from->again;
		actions[i] = a;
	}
}

__device__ static void
clear_states(const block_states &b, uint32_t *replicated,
			 const group_layout *layout, int groups)
{
	for (int i = threadIdx.x; i < groups * b.group_words; i += THREADS)
		replicated[i] = 0;
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action &a = layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < groups; g += THREADS)
			b.single[a.single * groups + g] = group_neutral(a.kind);
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
relieve(const block_states &b, uint32_t *replicated,
		const group_digit *digits, int groups)
{
	__syncthreads();
	for (int i = threadIdx.x; i < groups * b.replicas; i += THREADS)
	{
		int			local = i / b.replicas;
		uint32_t   *word = replicated + local * b.group_words +
			i % b.replicas;
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
flush_replicated(const block_states &b, const uint32_t *replicated,
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
			digit_value(d, replicated[first * b.replicas + gs_lane()]);

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
			long long	value = b.single[a.single * groups + g];
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
	extern __shared__ __align__(16) char accumulate_shared[];
	__shared__ add_key shared_keys[GS_PLAN_KEYS];
	__shared__ group_job shared_job;
	add_action *actions = (add_action *) accumulate_shared;
	int			keys_n = keys->keys;
	int			n = layout->actions;
	int			groups = job->local_groups;
	bool		plain = job->plain;
	int64_t		end = job->end;
	int			relief = ADDITIONS_CHECKED / (TILE / job->replicas);
	int			rounds = 0;
	uint32_t   *replicated;
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
	b.single = (int64_t *) (actions + n);
	replicated = (uint32_t *) (b.single + layout->singles * groups);
	b.replicated = replicated + threadIdx.x % b.replicas;
	if (threadIdx.x == 0)
		shared_job = *job;
	read_keys(keys, shared_keys);
	read_actions(layout, job, actions);
	clear_states(b, replicated, layout, groups);
	for (int64_t first = job->first + (int64_t) blockIdx.x * TILE; first < end;
		 first += (int64_t) gridDim.x * TILE)
	{
		if (rounds++ == relief)
		{
			relieve<MODE>(b, replicated, digits, groups);
			rounds = 1;
		}
		if (shared_job.list == NULL)
			prefetch_tile(&shared_job, first + (int64_t) gridDim.x * TILE,
						  end);
		if (plain && first + TILE <= end)
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

/*
 * Place the words of a batch in shared memory: a count that leaves nothing out
 * needs none.
 */
static void
place_replicated(group_layout *layout)
{
	layout->replicated = 1;
	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];

		a->replicated = layout->replicated;
		if (a->kind == GS_AGG_HISTOGRAM)
			layout->replicated += a->histogram.buckets + 3;
		else if (a->kind == GS_AGG_BIT_XOR)
			layout->replicated += 2;
		else if (group_is_sum(a->kind))
			layout->replicated += a->digits;
		else if (a->kind == GS_AGG_COUNT)
			layout->replicated += a->filter != NULL ||
				a->a.validity != NULL || a->b.validity != NULL;
	}
}

/* More replicated words than this do not fit in shared memory. */
#define DIGITS_MAX	(1 << 16)

/* What each replicated word adds to. */
static void
describe_digits(const group_layout *layout, group_digit *digits)
{
	memset(digits, 0, layout->replicated * sizeof(group_digit));
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];
		group_digit *d = digits + a->replicated;

		if (a->kind == GS_AGG_HISTOGRAM)
		{
			for (int w = 0; w < a->histogram.buckets + 3; w++)
				d[w].word = a->word + w;
		}
		else if (a->kind == GS_AGG_COUNT)
		{
			if (a->filter != NULL || a->a.validity != NULL ||
				a->b.validity != NULL)
			{
				d[0].word = a->rare;
				d[0].is_rare = 1;
			}
		}
		else if (a->kind == GS_AGG_BIT_XOR)
		{
			d[0].word = d[1].word = a->word;
			d[0].is_xor = d[1].is_xor = 1;
			d[1].shift = 32;
		}
		else if (group_is_sum(a->kind))
		{
			for (int w = 0; w < a->digits; w++)
			{
				d[w].word = a->word + w / 2;
				d[w].shift = w % 2 * GROUP_DIGIT_BITS;
				d[w].is_signed = w == a->digits - 1;
			}
		}
	}
}

static cudaError_t
send_digits(const group_layout *layout, group_digit *to, cudaStream_t stream)
{
	size_t		size = layout->replicated * sizeof(group_digit);
	group_digit *digits = (group_digit *) malloc(size);
	cudaError_t error;

	if (digits == NULL)
		return cudaErrorMemoryAllocation;
	describe_digits(layout, digits);

	/* from pageable memory, which is read before this returns */
	error = cudaMemcpyAsync(to, digits, size, cudaMemcpyHostToDevice, stream);
	free(digits);
	return error;
}

/* Bytes of shared memory for so many groups. */
static size_t
states_size(const group_layout *layout, int64_t groups, int replicas)
{
	return layout->actions * sizeof(add_action) +
		(size_t) groups * (layout->singles * sizeof(int64_t) +
						   (size_t) layout->replicated * replicas *
						   sizeof(uint32_t));
}

/*
 * Do the states of all groups fit?  Then as many replicas as fit, but no more
 * than the rows are worth.
 */
static bool
choose_replicas(const group_layout *layout, group_job *job, size_t max_shared,
				int64_t rows_a_block)
{
	if (job->groups > (int64_t) max_shared ||
		states_size(layout, job->groups, 1) > max_shared)
		return false;
	job->hot = 0;
	job->local_groups = (int32_t) job->groups;
	job->replicas = GS_WARP;
	while (states_size(layout, job->groups, job->replicas) > max_shared ||
		   (job->replicas > 1 &&
			job->groups * layout->replicated * job->replicas >
			4096 + rows_a_block))
		job->replicas /= 2;
	return true;
}

/* Keep groups in shared memory that have many of the sampled rows. */
static void
choose_hot(const group_layout *layout, group_job *job, size_t max_shared,
		   const uint32_t *sample, int n)
{
	static const uint32_t min_share = 128;	/* of all rows, its inverse */
	int			places = 0;

	job->hot = 1;
	job->local_groups = 0;
	job->replicas = GS_WARP;
	for (int i = 0; i < 32; i++)
		job->hot_group[i] = GROUP_NONE;
	while (places < 32 &&
		   states_size(layout, places + 1, GS_WARP) <= max_shared)
		places++;
	for (int i = 0; i < n && job->local_groups < places; i++)
	{
		uint32_t	group = sample[i];
		int			same = 0;

		if (group == GROUP_NONE || job->hot_group[group % 32] != GROUP_NONE)
			continue;
		for (int k = i; k < n && k < i + n / 2; k++)
			same += sample[k] == group;
		if (same < (int) (n / min_share) || same < 3)
			continue;
		job->hot_group[group % 32] = group;
		job->hot_local[group % 32] = (int8_t) job->local_groups;
		job->local_group[job->local_groups++] = group;
	}
}

/* Every so many rows, the group of one; done by one block. */
__global__ void
sample_groups_kernel(const group_job *job, const group_key_job *keys,
					 uint32_t *sample)
{
	int64_t		end = job->end;
	int64_t		row;

	if (job->listed != NULL && *job->listed < end)
		end = *job->listed;
	row = job->first + (int64_t) ((double) (end - job->first) * threadIdx.x /
								  blockDim.x);
	if (row >= end)
	{
		sample[threadIdx.x] = GROUP_NONE;
		return;
	}
	if (job->list != NULL)
		row = job->list[row];
	sample[threadIdx.x] = job->ids != NULL ? job->ids[row] :
		group_dense_number(*keys, row);
}

#define SAMPLE		1024

/* What the actions do, of KINDS_... */
static int
kinds_of(const group_layout *layout)
{
	int			kinds = 0;

	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];

		if (a->kind == GS_AGG_COUNT)
			continue;
		if (a->kind == GS_AGG_MIN || a->kind == GS_AGG_MAX)
			kinds |= KINDS_EXTREMES;
		else if (a->kind == GS_AGG_SUM && group_is_float(a->type))
			kinds |= KINDS_FLOAT_SUMS;
		else if (a->kind == GS_AGG_SUM)
			kinds |= KINDS_INTEGER_SUMS;
		else if (a->kind == GS_AGG_SQUARES && group_is_float(a->type))
			kinds |= KINDS_FLOAT_SQUARES;
		else
			kinds |= KINDS_OTHERS;
	}
	return kinds;
}

template <add_mode MODE, int KINDS>
static cudaError_t
launch_kernel(const group_accumulation *g, int blocks, const group_job *job,
			  const group_layout *layout, const group_key_job *keys,
			  const group_digit *digits, cudaStream_t stream)
{
	GS_TRY((gs_allow_shared<accumulate_kernel<MODE, KINDS>>()));
	accumulate_kernel<MODE, KINDS><<<blocks, THREADS,
		states_size(g->layout, g->job->local_groups, g->job->replicas),
		stream>>>(job, layout, keys, digits);
	return gs_launched();
}

template <add_mode MODE>
static cudaError_t
launch_mode(const group_accumulation *g, int kinds, int blocks,
			const group_job *job, const group_layout *layout,
			const group_key_job *keys, const group_digit *digits,
			cudaStream_t stream)
{
	if ((kinds & ~KINDS_FLOAT_SUMS) == 0)
		return launch_kernel<MODE, KINDS_FLOAT_SUMS>
			(g, blocks, job, layout, keys, digits, stream);
	if ((kinds & ~KINDS_FLOATS) == 0)
		return launch_kernel<MODE, KINDS_FLOATS>
			(g, blocks, job, layout, keys, digits, stream);
	if ((kinds & ~KINDS_INTEGERS) == 0)
		return launch_kernel<MODE, KINDS_INTEGERS>
			(g, blocks, job, layout, keys, digits, stream);
	return launch_kernel<MODE, KINDS_ALL>
		(g, blocks, job, layout, keys, digits, stream);
}

static cudaError_t
launch(const group_accumulation *g, int kinds, int blocks,
	   const group_job *job, const group_layout *layout,
	   const group_key_job *keys, const group_digit *digits,
	   cudaStream_t stream)
{
	if (g->job->hot)
		return launch_mode<ADD_HOT>(g, kinds, blocks, job, layout, keys,
									digits, stream);
	if (g->job->replicas == GS_WARP)
		return launch_mode<ADD_LOCAL>(g, kinds, blocks, job, layout, keys,
									  digits, stream);
	return launch_mode<ADD_PACKED>(g, kinds, blocks, job, layout, keys,
								   digits, stream);
}

/* A column that the kernel reads; each is fetched ahead once. */
static void
add_column(group_job *job, const group_column *c)
{
	static const int8_t width[] = {1, 2, 4, 2, 4, 8, 4};

	if (c->values == NULL || job->columns == GROUP_PREFETCHED)
		return;
	for (int i = 0; i < job->columns; i++)
	{
		if (job->column[i] == c->values)
			return;
	}
	job->column[job->columns] = c->values;
	job->width[job->columns++] = width[c->format];
}

/* Find out what the kernel reads, and whether there are bitmaps. */
static void
describe_input(const group_accumulation *g)
{
	group_job  *job = g->job;

	job->plain = 1;
	job->columns = 0;
	for (int k = 0; k < g->keys->keys && job->ids == NULL; k++)
	{
		job->plain &= g->keys->column[k].validity == NULL;
		add_column(job, &g->keys->column[k]);
	}
	for (int i = 0; i < g->layout->actions; i++)
	{
		const group_action *a = &g->layout->action[i];

		job->plain &= a->filter == NULL && a->a.validity == NULL &&
			a->b.validity == NULL;
		if (a->kind == GS_AGG_COUNT)
			continue;
		add_column(job, &a->a);
		add_column(job, &a->b);
	}
}

cudaError_t
group_accumulate(const group_accumulation *g, gs_exec_context *context)
{
	group_job  *job = g->job;
	group_layout *layout = g->layout;
	int64_t		rows = job->end - job->first;
	int64_t		tiles = gs_divide_up(rows, TILE);
	size_t		max_shared;
	int			blocks;
	char	   *device = g->device->at;
	group_job  *device_job = (group_job *) gs_part(&device, sizeof *job);
	group_layout *device_layout =
		(group_layout *) gs_part(&device, group_layout_size(layout));
	group_key_job *device_keys =
		(group_key_job *) gs_part(&device, sizeof *g->keys);
	uint32_t   *device_sample =
		(uint32_t *) gs_part(&device, SAMPLE * sizeof(uint32_t));
	group_digit *device_digits = (group_digit *) device;

	place_replicated(layout);
	describe_input(g);
	GS_TRY(group_shared_size(&max_shared));
	GS_TRY(gs_grid(tiles, 1, &blocks));
	GS_TRY(cudaMemcpyAsync(device_layout, layout,
						   group_layout_size(layout),
						   cudaMemcpyHostToDevice, context->compute));
	GS_TRY(cudaMemcpyAsync(device_keys, g->keys, sizeof *g->keys,
						   cudaMemcpyHostToDevice, context->compute));
	if (!choose_replicas(layout, job, max_shared, rows / blocks))
	{
		GS_TRY(cudaMemcpyAsync(device_job, job, sizeof *job,
							   cudaMemcpyHostToDevice, context->compute));
		sample_groups_kernel<<<1, SAMPLE, 0, context->compute>>>
			(device_job, device_keys, device_sample);
		GS_TRY(gs_launched());
		GS_TRY(group_report(context, device_sample,
							SAMPLE * sizeof(uint32_t)));
		choose_hot(layout, job, max_shared, (uint32_t *) context->report,
				   SAMPLE);
	}
	if (job->local_groups > 0)
		GS_TRY(send_digits(layout, device_digits, context->compute));
	GS_TRY(cudaMemcpyAsync(device_job, job, sizeof *job,
						   cudaMemcpyHostToDevice, context->compute));
	return launch(g, kinds_of(layout), blocks, device_job, device_layout,
				  device_keys, device_digits, context->compute);
}

size_t
group_accumulate_scratch_size(const group_layout *layout)
{
	int			digits = 2 * (layout->words + layout->rare_words) + 2;

	if (digits > DIGITS_MAX)
		digits = DIGITS_MAX;
	return gs_aligned(sizeof(group_job)) +
		gs_aligned(group_layout_size(layout)) +
		gs_aligned(sizeof(group_key_job)) +
		gs_aligned(SAMPLE * sizeof(uint32_t)) + digits * sizeof(group_digit);
}
