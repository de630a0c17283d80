/*-------------------------------------------------------------------------
 *
 * merge.cu
 *	  The groups of another device's execution of the same plan.
 *
 * The part's groups are looked up as if they were rows of a batch, in columns of
 * keys that its own device makes, and then their records are added to those of
 * the groups that they are.  This device reads the records where they are.  If both
 * number the same dense keys alike, as they mostly do, there is nothing to look up,
 * and one launch does it, for which nobody waits: a wait costs more than all the
 * rest of few groups.
 *
 * Rows of a plan of rows come behind those that there are (rows.cu).
 *
 * The sums of floats may have other windows: then what the part has is shifted.
 * What does not fit this execution's window goes to an accumulator, and so do
 * the part's accumulators.
 *
 * Determinism: all that is added is exact (states.cuh).
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/record_read.cuh"
#include "kernels/plan/run.cuh"

#define THREADS		256

/* Words of the largest float sum, with that below the window. */
#define WORDS_MAX	6

bool
group_merges(const gs_plan *plan)
{
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (plan->aggregate[i].kind >= GS_AGG_PERCENTILE && !plan->of_rows)
			return false;
	}
	return true;
}

static unsigned int
blocks_for(int64_t n)
{
	return (unsigned int) gs_divide_up(n, THREADS);
}

/* ----------
 * The part's keys, as columns
 * ----------
 */

typedef struct key_columns
{
	int64_t    *values[GS_PLAN_KEYS];
	uint32_t   *bits[GS_PLAN_KEYS];
	int32_t		type[GS_PLAN_KEYS];
} key_columns;

/* Whole warps have a word of the bitmaps. */
__global__ void
keys_kernel(group_key_job keys, const uint32_t *order, int64_t n,
			key_columns to)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	for (int k = 0; k < keys.keys; k++)
	{
		int64_t		key = 0;
		bool		present = i < n &&
			group_key_of(keys, order[i], k, &key);
		uint32_t	bits = __ballot_sync(GS_ALL_LANES, present);

		if (i < n)
			to.values[k][i] = !present ? 0 : group_is_float(to.type[k]) ?
				group_value(to.type[k], key).i8 : key;
		if (i < n && gs_lane() == 0)
			to.bits[k][i / GS_WARP] = bits;
	}
}

/* Have all groups the same numbers in both? */
static bool
are_numbered_alike(const gs_plan_run *run, const gs_plan_run *part)
{
	return run->groups > 0 && !run->keys.job.hashed && !part->keys.job.hashed &&
		memcmp(&run->keys.job.dense, &part->keys.job.dense,
			   sizeof part->keys.job.dense) == 0;
}

/*
 * On the part's device: its groups that have rows, and their keys, unless these are
 * not needed.
 */
static cudaError_t
prepare_part(gs_plan_run *part, bool alike, int64_t *n, key_columns *to)
{
	const gs_plan *plan = part->plan;
	size_t		values_size;
	char	   *at;

	*n = 0;
	if (part->groups == 0)
	{
		GS_TRY(group_report(part->context, reported_of(part),
							sizeof part->at_end));
		memcpy(&part->at_end, part->context->report, sizeof part->at_end);
		return cudaSuccess;
	}
	if (!part->ordered)
		GS_TRY(group_order(part));
	*n = part->at_end.groups;
	if (alike)
		return cudaSuccess;		/* group_order has waited */
	values_size = gs_aligned(*n * sizeof(int64_t));
	if (*n > 0 && plan->keys > 0)
	{
		GS_TRY(group_reserve(&part->scratch, plan->keys *
							 (values_size + gs_aligned(group_bits_size(*n))),
							 stream_of(part)));
		at = part->scratch.at;
		for (int k = 0; k < plan->keys; k++)
		{
			to->type[k] = gs_operand_type(plan, plan->key[k]);
			to->values[k] = (int64_t *) gs_part(&at, values_size);
			to->bits[k] = (uint32_t *) gs_part(&at, group_bits_size(*n));
		}
		keys_kernel<<<blocks_for(*n), THREADS, 0, stream_of(part)>>>
			(part->keys.job, (uint32_t *) part->keys.ids.at, *n, *to);
		GS_TRY(gs_launched());
	}
	return cudaStreamSynchronize(stream_of(part));
}

/* The numbers that they have here, in run->keys.ids, and room for them. */
static cudaError_t
find_groups(gs_plan_run *run, const gs_plan_run *part, int64_t n,
			const key_columns *from)
{
	group_keys *keys = &run->keys;
	bool		known[GS_PLAN_KEYS];
	uint32_t   *number;

	for (int k = 0; k < run->plan->keys; k++)
	{
		group_column *column = &keys->job.column[k];

		memset(column, 0, sizeof *column);
		column->values = from->values[k];
		column->validity = from->bits[k];
		column->format = GROUP_WORD;
		column->type = from->type[k];
		known[k] = !part->keys.job.hashed;
	}
	GS_TRY(group_keys_prepare(keys, NULL, n, known, part->keys.lowest,
							  part->keys.highest, &number, run->context));
	if (number != NULL)
		GS_TRY(group_renumber(run, number));
	GS_TRY(group_keys_find(keys, NULL, n, run->context));
	return group_reserve_records(run);
}

/* ----------
 * Records
 * ----------
 */

/* The accumulators of a float sum. */
typedef struct merge_wide
{
	uint32_t   *wide_of;		/* of each group, 0 or its number + 1 */
	char	   *wide;
} merge_wide;

/* An action, whose words are where they are in both. */
typedef struct merge_action
{
	int32_t		kind;
	int32_t		type;
	int32_t		word;
	int32_t		words;
	int32_t		rare;
	int32_t		counts;			/* of a histogram for each group; else 1 */
	int32_t		from_unit;
	int32_t		to_unit;
	merge_wide	from;
	merge_wide	to;
	uint32_t   *wide_count;		/* here */
	uint32_t	wide_capacity;
} merge_action;

/* Of one launch. */
#define MERGE_ACTIONS	40

typedef struct merge_job
{
	group_records from;
	group_records to;
	const uint32_t *order;		/* the part's numbers of groups, */
	const uint32_t *number;		/* and those that they have here */
	int64_t		n;
	group_reported *reported;
	uint32_t	errors;			/* of the part */
	uint32_t	flags;
	int32_t		actions;
	bool		rows;			/* numbers of rows, errors and flags, too */
	merge_action action[MERGE_ACTIONS];
} merge_job;

static_assert(sizeof(merge_job) <= 4096, "too large for a kernel's parameters");

/* A group's records there and here. */
typedef struct record_pair
{
	const int64_t *from;
	const int64_t *from_rare;
	int64_t    *to;
	int64_t    *to_rare;
} record_pair;

__device__ static inline record_pair
records_at(const merge_job &j, int64_t i)
{
	record_pair r;

	r.from = j.from.records + (size_t) j.order[i] * j.from.words;
	r.from_rare = j.from.rare + (size_t) j.order[i] * j.from.rare_words;
	r.to = j.to.records + (size_t) j.number[i] * j.to.words;
	r.to_rare = j.to.rare + (size_t) j.number[i] * j.to.rare_words;
	return r;
}

/* Numbers of rows, and errors. */
__device__ static inline void
merge_rows(const merge_job &j, int64_t i)
{
	if (i == 0)
	{
		j.reported->errors |= j.errors;
		j.reported->flags |= j.flags;
	}
	if (i < j.n)
	{
		record_pair r = records_at(j, i);

		r.to[0] += r.from[0];
	}
}

/* Words from the lowest on, all but the last within 0 and GROUP_WORD_MASK. */
__device__ static inline void
carry(int64_t *x, int words)
{
	for (int w = 0; w + 1 < words; w++)
	{
		x[w + 1] += x[w] >> GROUP_WORD_BITS;
		x[w] &= GROUP_WORD_MASK;
	}
}

/*
 * x times 2^up, or divided by it if that is negative.  False: bits would be
 * lost.
 */
__device__ static inline bool
shift_words(int64_t *x, int words, int up)
{
	int			down = -up;

	if (up > GROUP_WORD_BITS - 1 || down > GROUP_WORD_BITS - 1)
		return false;
	if (up > 0)
	{
		int64_t		limit = INT64_C(1) << (60 - up);

		if (x[words - 1] >= limit || x[words - 1] < -limit)
			return false;
		for (int w = words - 1; w >= 0; w--)
		{
			int64_t		below = w == 0 ? 0 :
				x[w - 1] >> (GROUP_WORD_BITS - up);
			int64_t		kept = x[w] * (INT64_C(1) << up);

			x[w] = (w < words - 1 ? kept & GROUP_WORD_MASK : kept) + below;
		}
	}
	else if (down > 0)
	{
		if ((x[0] & ((INT64_C(1) << down) - 1)) != 0)
			return false;
		for (int w = 0; w < words; w++)
		{
			int64_t		above = w + 1 == words ? 0 :
				x[w + 1] << (GROUP_WORD_BITS - down) & GROUP_WORD_MASK;

			x[w] = (x[w] >> down) | above;
		}
	}
	return true;
}

/* The accumulator of a group, which no other thread has; NULL: no room. */
__device__ static char *
accumulator_of(const merge_job &j, const merge_action &a, uint32_t group)
{
	size_t		size = group_wide_size(a.kind);
	uint32_t	number = a.to.wide_of[group];
	char	   *acc;

	if (number != 0)
		return a.to.wide + (size_t) (number - 1) * size;
	number = atomicAdd(a.wide_count, 1) + 1;
	if (number > a.wide_capacity)
	{
		atomicOr(&j.reported->flags, GROUP_FLAG_FULL);
		return NULL;
	}
	acc = a.to.wide + (size_t) (number - 1) * size;
	for (size_t i = 0; i < size / sizeof(int64_t); i++)
		((int64_t *) acc)[i] = 0;
	a.to.wide_of[group] = number;
	return acc;
}

/* A sum in its window, as limbs; x[0] is below the unit. */
__device__ static inline void
add_window(int64_t *limb, const int64_t *x, int words, int unit)
{
	if (x[0] != 0)
		group_add_to_limbs(limb, 0, x[0], unit - GROUP_WORD_BITS);
	for (int w = 1; w < words; w++)
		group_add_to_limbs(limb, 0, x[w], unit + (w - 1) * GROUP_WORD_BITS);
}

__device__ static inline void
add_accumulator(int64_t *limb, const int64_t *from, int limbs)
{
	int64_t		over = 0;

	for (int i = 0; i < limbs; i++)
	{
		int64_t		v = from[i] + over;

		over = v >> 32;
		limb[i] += i + 1 < limbs ? v & INT64_C(0xffffffff) : v;
	}
}

__device__ static inline void
merge_float_sum(const merge_job &j, const merge_action &a,
				const record_pair &r, int64_t i)
{
	const int	words = a.words + 1;
	char	   *from_acc = group_accumulator(a.kind, a.from.wide_of, a.from.wide,
										  j.order[i]);
	int64_t		x[WORDS_MAX];
	int64_t		shifted[WORDS_MAX];
	bool		fits = a.from_unit == GROUP_NO_UNIT;
	char	   *acc;

	r.to_rare[a.rare + GROUP_SEEN] |= r.from_rare[a.rare + GROUP_SEEN];
	r.to_rare[a.rare + GROUP_NEGATIVE_ZEROS] +=
		r.from_rare[a.rare + GROUP_NEGATIVE_ZEROS];
	if (!fits)
	{
		x[0] = r.from_rare[a.rare + GROUP_BELOW];
		for (int w = 1; w < words; w++)
			x[w] = r.from[a.word + w - 1];
		carry(x, words);
		for (int w = 0; w < words; w++)
			shifted[w] = x[w];
		fits = a.to_unit != GROUP_NO_UNIT &&
			shift_words(shifted, words, a.from_unit - a.to_unit) &&
			(shifted[0] == 0 || a.to_unit >= GROUP_WORD_BITS);
		for (int w = 1; w < words && fits; w++)
			r.to[a.word + w - 1] += shifted[w];
		if (fits)
			r.to_rare[a.rare + GROUP_BELOW] += shifted[0];
	}
	if (fits && from_acc == NULL)
		return;
	acc = accumulator_of(j, a, j.number[i]);
	if (acc == NULL)
		return;
	if (!fits)
		add_window(group_limbs_of(a.kind, acc), x, words, a.from_unit);
	if (from_acc != NULL)
		add_accumulator(group_limbs_of(a.kind, acc),
						group_limbs_of(a.kind, from_acc),
						group_limbs_number(a.kind));
}

/* An action's part of the records. */
__device__ static inline void
merge_states(const merge_job &j, const merge_action &a, int64_t i)
{
	record_pair r;
	int64_t		x;
	int64_t    *y;

	if (i >= j.n * a.counts)
		return;
	r = records_at(j, i / a.counts);
	x = r.from[a.word];
	y = r.to + a.word;
	switch (a.kind)
	{
		case GS_AGG_COUNT:
			r.to_rare[a.rare] += r.from_rare[a.rare];
			break;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			if (group_is_float(a.type))
				merge_float_sum(j, a, r, i);
			else
			{
				int64_t		word[WORDS_MAX];

				for (int w = 0; w < a.words; w++)
					word[w] = r.from[a.word + w];
				carry(word, a.words);
				for (int w = 0; w < a.words; w++)
					y[w] += word[w];
			}
			break;
		case GS_AGG_SPECIALS:
			for (int w = 0; w < GS_SPECIALS; w++)
				r.to_rare[a.rare + w] += r.from_rare[a.rare + w];
			break;
		case GS_AGG_MIN:
			*y = x < *y ? x : *y;
			break;
		case GS_AGG_MAX:
			*y = x > *y ? x : *y;
			break;
		case GS_AGG_BIT_AND:
			*y &= x;
			break;
		case GS_AGG_BIT_OR:
			*y |= x;
			break;
		case GS_AGG_BIT_XOR:
			*y ^= x;
			break;
		case GS_AGG_HISTOGRAM:
			y[i % a.counts] += r.from[a.word + i % a.counts];
			break;
	}
}

/* A row of blocks for each action, and for the rows. */
__global__ void
__launch_bounds__(THREADS)
merge_kernel(const __grid_constant__ merge_job j)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (blockIdx.y < j.actions)
		merge_states(j, j.action[blockIdx.y], i);
	else
		merge_rows(j, i);
}

/* ----------
 * The host's part
 * ----------
 */

/* The windows here; a sum that has none so far takes the part's. */
static cudaError_t
settle_windows(gs_plan_run *run, gs_plan_run *part)
{
	group_reported *here = &run->at_end;

	if (!run->ordered && !run->merged)
	{
		GS_TRY(group_report(run->context, reported_of(run), sizeof *here));
		memcpy(here, run->context->report, sizeof *here);
	}
	run->merged = true;
	for (int i = 0; i < run->layout.actions; i++)
	{
		group_action *a = &run->layout.action[i];

		if (!group_adds_floats(a))
			continue;
		if (here->window[i] == 0 && part->at_end.window[i] != 0)
		{
			here->window[i] = part->at_end.window[i];
			GS_TRY(cudaMemcpyAsync(&reported_of(run)->window[i],
								   &here->window[i], sizeof here->window[i],
								   cudaMemcpyHostToDevice, stream_of(run)));
		}
		a->unit = group_unit_of(here->window[i]);
		part->layout.action[i].unit = group_unit_of(part->at_end.window[i]);
		GS_TRY(group_reserve_wide(run, i));
	}
	return cudaSuccess;
}

static merge_action
describe(const group_action *from, const group_action *to)
{
	merge_action a;

	a.kind = to->kind;
	a.type = to->type;
	a.word = to->word;
	a.words = to->words;
	a.rare = to->rare;
	a.counts = to->kind == GS_AGG_HISTOGRAM ? to->histogram.buckets + 3 : 1;
	a.from_unit = from->unit;
	a.to_unit = to->unit;
	a.from = {from->wide_of, from->wide};
	a.to = {to->wide_of, to->wide};
	a.wide_count = to->wide_count;
	a.wide_capacity = to->wide_capacity;
	return a;
}

/* number: that the part's groups, in their order, have here. */
static cudaError_t
merge_records(gs_plan_run *run, gs_plan_run *part, int64_t n,
			  const uint32_t *number)
{
	const group_layout *layout = &run->layout;
	merge_job	j;
	int			at = 0;

	memset(&j, 0, sizeof j);
	j.from = records_of(part);
	j.to = records_of(run);
	j.order = (uint32_t *) part->keys.ids.at;
	j.number = number;
	j.n = n;
	j.reported = reported_of(run);
	j.errors = part->at_end.errors;
	j.flags = part->at_end.flags;
	j.rows = true;
	do
	{
		int64_t		most = n > 0 ? n : 1;

		for (j.actions = 0; j.actions < MERGE_ACTIONS && n > 0 &&
			 at < layout->actions; at++)
		{
			merge_action *a = &j.action[j.actions++];

			*a = describe(&part->layout.action[at], &layout->action[at]);
			if (n * a->counts > most)
				most = n * a->counts;
		}
		merge_kernel<<<dim3(blocks_for(most), j.actions + j.rows), THREADS, 0,
			stream_of(run)>>>(j);
		GS_TRY(gs_launched());
		j.rows = false;
	} while (n > 0 && at < layout->actions);
	return cudaSuccess;
}

static cudaError_t
merge(gs_plan_run *run, gs_plan_run *part)
{
	bool		alike = are_numbered_alike(run, part);
	key_columns keys;
	int64_t		n;
	cudaError_t error;

	memset(&keys, 0, sizeof keys);
	error = gs_device_set(part->context->device);
	if (error == cudaSuccess)
		error = prepare_part(part, alike, &n, &keys);
	GS_TRY(gs_device_set(run->context->device));
	if (error != cudaSuccess)
	{
		(void) group_outcome(part, error);
		return error;
	}
	run->rows += part->rows;
	if (run->plan->of_rows)
		GS_TRY(group_rows_merge(run, part));
	else
	{
		run->rows_since_normalised++;	/* a carried word is like that of a row */
		if (n > 0 && !alike)
			GS_TRY(find_groups(run, part, n, &keys));
		GS_TRY(settle_windows(run, part));
		run->ordered = false;
	}
	return merge_records(run, part, n, (uint32_t *)
						 (alike ? part : run)->keys.ids.at);
}

gs_status
group_merge(gs_plan_run *run, gs_plan_run *part)
{
	cudaError_t error = merge(run, part);

	/* what has begun may still read the part, whose memory is to be given back */
	if (error != cudaSuccess)
		(void) cudaStreamSynchronize(stream_of(run));
	return group_outcome(run, error);
}
