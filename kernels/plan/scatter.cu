/*-------------------------------------------------------------------------
 *
 * scatter.cu
 *	  The rows of a plan of rows as a look-up table (engine/scatter.h), and the
 *	  ranges of their values.
 *
 * A thread takes some rows, reads their keys and values, all in one go, and writes each
 * entry to its place.  Where that is flags, several of which are in a word, the word
 * is changed by an atomic operation only if rows of the same place are counted: a
 * byte is written alone.  Bits of NULL are changed by atomic operations.
 *
 * Which of several rows of a place it has, is not determined.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/run.cuh"

#include "engine/scatter.h"

#define THREADS		256

/* Rows that a thread has at a time: so many reads and writes are under way. */
#define ROWS		4

/* A value of the rows. */
typedef struct scatter_column
{
	const void *values;
	const uint32_t *validity;	/* NULL: none is NULL */
	int32_t		width;
} scatter_column;

/* What is counted, of all threads; zeros at first. */
typedef struct scatter_counts
{
	unsigned long long placed;
	unsigned long long repeated;
	unsigned long long nulls;
	unsigned long long lowest;	/* ~group_found_key of the least value */
	unsigned long long highest; /* group_found_key of the greatest */
} scatter_counts;

typedef struct scatter_job
{
	gs_scatter	s;
	int64_t		n;
	scatter_column key[GS_SCATTER_KEYS];
	scatter_column value;
	void	   *to;
	uint32_t   *bits;
	scatter_counts *counts;
} scatter_job;

static scatter_column
column_of(const gs_plan_run *run, int value)
{
	const group_rows *r = &run->found;
	int			c = r->column_of[value];
	scatter_column column;

	column.values = r->memory.at + r->values_at[c];
	column.validity = r->nulls[c] ?
		(const uint32_t *) (r->memory.at + r->bits_at[c]) : NULL;
	column.width = r->width[c];
	return column;
}

/* Of a float, its bits. */
__device__ static inline int64_t
load(const scatter_column &c, int64_t row)
{
	switch (c.width)
	{
		case 1:
			return ((const uint8_t *) c.values)[row];
		case 2:
			return ((const int16_t *) c.values)[row];
		case 4:
			return ((const int32_t *) c.values)[row];
		default:
			return ((const int64_t *) c.values)[row];
	}
}

__device__ static inline bool
is_present(const scatter_column &c, int64_t row)
{
	return c.validity == NULL || (c.validity[row / 32] >> (row % 32) & 1) != 0;
}

/* Of all threads of the warp, to one word. */
__device__ static inline void
count(unsigned long long *to, unsigned int n)
{
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		n += __shfl_xor_sync(GS_ALL_LANES, n, d);
	if (gs_lane() == 0 && n > 0)
		atomicAdd(to, (unsigned long long) n);
}

/* ----------
 * Ranges
 * ----------
 */

__global__ void
__launch_bounds__(THREADS)
range_kernel(scatter_column c, bool is_float, int64_t n, scatter_counts *to)
{
	unsigned long long lowest = 0;
	unsigned long long highest = 0;
	unsigned int nulls = 0;

	for (int64_t row = (int64_t) blockIdx.x * THREADS + threadIdx.x; row < n;
		 row += (int64_t) gridDim.x * THREADS)
	{
		unsigned long long key;

		if (!is_present(c, row))
		{
			nulls++;
			continue;
		}
		key = group_found_key(is_float ? 0 : load(c, row));
		highest = key > highest ? key : highest;
		lowest = ~key > lowest ? ~key : lowest;
	}
	group_most_of_warp(&highest, &lowest);
	count(&to->nulls, nulls);
	if (gs_lane() != 0)
		return;
	atomicMax(&to->highest, highest);
	atomicMax(&to->lowest, lowest);
}

/* Room for the counts, which are 0. */
static cudaError_t
begin_counts(gs_plan_run *run, scatter_counts **counts)
{
	GS_TRY(group_reserve(&run->scratch, sizeof **counts, stream_of(run)));
	*counts = (scatter_counts *) run->scratch.at;
	return cudaMemsetAsync(*counts, 0, sizeof **counts, stream_of(run));
}

static cudaError_t
find_range(gs_plan_run *run, int value, gs_value_range *range)
{
	gs_type		type = gs_operand_type(run->plan,
									   run->plan->aggregate[value].a);
	int64_t		n = run->found.n;
	scatter_counts *counts;
	scatter_counts found;
	int			blocks;

	range->low = INT64_MAX;
	range->high = INT64_MIN;
	range->nulls = 0;
	if (n == 0)
		return cudaSuccess;
	GS_TRY(begin_counts(run, &counts));
	GS_TRY(gs_grid(gs_divide_up(n, THREADS), 8, &blocks));
	range_kernel<<<blocks, THREADS, 0, stream_of(run)>>>
		(column_of(run, value), group_is_float(type), n, counts);
	GS_TRY(gs_launched());
	GS_TRY(group_report(run->context, counts, sizeof found));
	memcpy(&found, run->context->report, sizeof found);
	range->nulls = (int64_t) found.nulls;
	if (range->nulls == n)
		return cudaSuccess;
	range->low = (int64_t) group_found_key((int64_t) ~found.lowest);
	range->high = (int64_t) group_found_key((int64_t) found.highest);
	return cudaSuccess;
}

gs_status
group_range(gs_plan_run *run, int value, struct gs_value_range *range)
{
	if (!run->finished || !run->plan->of_rows || value < 0 ||
		value >= run->plan->aggregates)
		return group_fail(run, GS_INVALID, "there is no such value");
	return group_outcome(run, find_range(run, value, range));
}

/* ----------
 * Tables
 * ----------
 */

template <typename T>
__global__ void
__launch_bounds__(THREADS)
fill_kernel(T *to, T value, int64_t n)
{
	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += (int64_t) gridDim.x * THREADS)
		to[i] = value;
}

template <typename T>
static cudaError_t
fill_values(void *to, int64_t none, int64_t n, cudaStream_t stream)
{
	int			blocks;

	GS_TRY(gs_grid(gs_divide_up(n, THREADS), 8, &blocks));
	fill_kernel<T><<<blocks, THREADS, 0, stream>>>((T *) to, (T) none, n);
	return gs_launched();
}

/* What places without a row have. */
static cudaError_t
fill(const gs_scatter *s, void *to, cudaStream_t stream)
{
	int64_t		size = gs_scatter_values(s);
	int64_t		n = size / s->width;

	if (s->has_nulls)
		GS_TRY(cudaMemsetAsync((char *) to + size, s->none_null ? 0xff : 0,
							   (size_t) (gs_scatter_size(s) - size), stream));
	if (s->none == 0 || s->width == 1)
		return cudaMemsetAsync(to, (uint8_t) s->none, (size_t) size, stream);
	switch (s->width)
	{
		case 2:
			return fill_values<int16_t>(to, s->none, n, stream);
		case 4:
			return fill_values<int32_t>(to, s->none, n, stream);
		default:
			return fill_values<int64_t>(to, s->none, n, stream);
	}
}

/* The place of a row; -1: it has none. */
__device__ static inline int64_t
place_of(const scatter_job &j, int64_t row)
{
	int64_t		place = 0;

#pragma unroll
	for (int k = 0; k < GS_SCATTER_KEYS; k++)
	{
		uint64_t	digit;

		if (k >= j.s.keys)
			break;
		digit = (uint64_t) load(j.key[k], row) - (uint64_t) j.s.least[k];
		if (!is_present(j.key[k], row) || digit >= (uint64_t) j.s.count[k])
			return -1;
		place = place * j.s.count[k] + (int64_t) digit;
	}
	return place;
}

/* Returns whether another row had the place. */
__device__ static inline bool
put_counted(const scatter_job &j, int64_t place)
{
	uint32_t   *word = (uint32_t *) j.to + place / 4;
	uint32_t	flag = 1u << place % 4 * 8;

	return j.s.none == 0 ? (atomicOr(word, flag) & flag) != 0 :
		(atomicAnd(word, ~flag) & flag) == 0;
}

__device__ static inline void
put_null(const scatter_job &j, int64_t place, bool present)
{
	uint32_t	bit = 1u << place % 32;

	if (j.s.none_null && present)
		atomicAnd(j.bits + place / 32, ~bit);
	else if (!j.s.none_null && !present)
		atomicOr(j.bits + place / 32, bit);
}

/* T: an entry */
template <typename T, bool VALUES>
__global__ void
__launch_bounds__(THREADS)
scatter_kernel(const __grid_constant__ scatter_job j)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;
	unsigned int placed = 0;
	unsigned int repeated = 0;

	for (int64_t first = (int64_t) blockIdx.x * THREADS + threadIdx.x;
		 first < j.n; first += ROWS * step)
	{
		int64_t		place[ROWS];
		int64_t		x[ROWS];
		bool		present[ROWS];

#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			int64_t		row = first + r * step;

			place[r] = row < j.n ? place_of(j, row) : -1;
			present[r] = VALUES && row < j.n && is_present(j.value, row);
			x[r] = present[r] ? load(j.value, row) : 0;
		}
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if (place[r] < 0)
				continue;
			placed++;
			if (VALUES)
			{
				((T *) j.to)[place[r]] = (T) x[r];
				if (j.s.has_nulls)
					put_null(j, place[r], present[r]);
			}
			else if (j.s.counts)
				repeated += put_counted(j, place[r]);
			else
				((T *) j.to)[place[r]] = (T) (j.s.none == 0);
		}
	}
	count(&j.counts->placed, placed);
	count(&j.counts->repeated, repeated);
}

template <typename T, bool VALUES>
static cudaError_t
launch(const scatter_job &j, cudaStream_t stream)
{
	int			blocks;

	GS_TRY(gs_grid(gs_divide_up(j.n, THREADS * ROWS), 8, &blocks));
	scatter_kernel<T, VALUES><<<blocks, THREADS, 0, stream>>>(j);
	return gs_launched();
}

static cudaError_t
launch_for(const scatter_job &j, cudaStream_t stream)
{
	if (j.s.value < 0)
		return launch<uint8_t, false>(j, stream);
	switch (j.s.width)
	{
		case 1:
			return launch<int8_t, true>(j, stream);
		case 2:
			return launch<int16_t, true>(j, stream);
		case 4:
			return launch<int32_t, true>(j, stream);
		default:
			return launch<int64_t, true>(j, stream);
	}
}

static cudaError_t
make_table(gs_plan_run *run, const gs_scatter *s, void *to, int64_t *placed,
		   int64_t *repeated)
{
	scatter_job j;
	scatter_counts found;

	memset(&j, 0, sizeof j);
	j.s = *s;
	j.n = run->found.n;
	j.to = to;
	j.bits = (uint32_t *) ((char *) to + gs_scatter_values(s));
	GS_TRY(begin_counts(run, &j.counts));
	GS_TRY(fill(s, to, stream_of(run)));
	if (j.n > 0)
	{
		for (int k = 0; k < s->keys; k++)
			j.key[k] = column_of(run, s->key[k]);
		if (s->value >= 0)
			j.value = column_of(run, s->value);
		GS_TRY(launch_for(j, stream_of(run)));
	}

	/* whoever reads the table next does so in another stream */
	GS_TRY(group_report(run->context, j.counts, sizeof found));
	memcpy(&found, run->context->report, sizeof found);
	*placed = (int64_t) found.placed;
	*repeated = (int64_t) found.repeated;
	return cudaSuccess;
}

gs_status
group_scatter(gs_plan_run *run, const struct gs_scatter *s, void *to,
			  int64_t *placed, int64_t *repeated)
{
	*placed = *repeated = 0;
	if (!run->finished || !gs_scatter_check(run->plan, s))
		return group_fail(run, GS_INVALID, "there is no such table");
	return group_outcome(run, make_table(run, s, to, placed, repeated));
}
