/*-------------------------------------------------------------------------
 *
 * order.cu
 *	  Which row each place of an order has.
 *
 * Rows are sorted by words (keys.cuh), by the last one first, since the sort is
 * stable; rows that are in order already are left, and those that are in order
 * but for their partitions are sorted by these.  Of a few first rows a histogram
 * of the leading bits, and then of those that follow, finds a bound below which
 * there are few more; these alone are sorted.  The first rows of each partition have
 * such a bound from the least words of some sets of its rows.
 *
 * Source: CUB's radix sort.
 * Determinism: it is stable, so rows that are equal keep their order.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/keys.cuh"
#include "kernels/windows/prefix.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

/* With this place begins: */
#define HEAD_PEERS			1
#define HEAD_PARTITION		2

/* What falls somewhere: words; what they have of the order in partitions. */
#define FALLS				1
#define FALLS_IN_PARTITION	2

/* Bits that a histogram counts, and how many rows may be sorted at its end. */
#define FIRST_BITS			11
#define FIRST_BINS			(1 << FIRST_BITS)
#define FIRST_FEW			65536

/* There are bounds of partitions if these have no more sets, all together. */
#define TOP_SET_BITS		22

/* So few sets would be too few for atomic operations. */
#define TOP_SET_BITS_LEAST	8

/* ----------
 * From columns to words
 * ----------
 */

static void
make_keys(const windows_run *run, const gs_window *w, gs_sort_keys *keys)
{
	gs_sort_found found[GS_WINDOW_COLUMNS_MAX] = {};

	for (int c = 0; c < w->columns; c++)
	{
		const windows_found *of = &run->found[w->column[c].column];

		found[c].nulls = of->nulls != 0;
		found[c].low = of->low;
		found[c].high = of->high;
		found[c].step = of->step;
		found[c].value = of->value;
	}
	gs_sort_keys_make(w, run->relation, run->type, found, keys);
}

/* ----------
 * Sorting
 * ----------
 */

/* What is sorted; and what sorting needs. */
typedef struct sorting
{
	uint32_t	n;
	void	   *key[2];			/* 4 or 8 bytes each; the sorted ones in [0] */
	uint32_t   *row[2];			/* likewise */
	bool		moved;			/* row[0] is set, else rows are in order */
} sorting;

/*
 * Words of the rows of places, and these rows, if they are their numbers; what
 * falls?
 */
template <typename Key>
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
make_words(const __grid_constant__ gs_sort_keys k, int word, uint32_t n,
		   const uint32_t *row, Key *key, uint32_t *number,
		   windows_report *report)
{
	const Key	order = k.word[word].order_bits < 8 * (int) sizeof(Key) ?
		((Key) 1 << k.word[word].order_bits) - 1 : ~(Key) 0;
	uint32_t	step = gridDim.x * WINDOWS_THREADS;
	uint32_t	falls = 0;

	for (uint32_t at = blockIdx.x * WINDOWS_THREADS; at < n; at += step)
	{
		uint32_t	i = at + threadIdx.x;
		Key			x = 0;
		Key			before;

		if (i < n)
		{
			x = (Key) word_of(k, word, row == NULL ? i : row[i]);
			key[i] = x;
			if (row == NULL)
				number[i] = i;
		}
		before = gs_shuffle_up(x, 1);
		if (gs_lane() == 0 && i > 0 && i < n)
			before = (Key) word_of(k, word, row == NULL ? i - 1 : row[i - 1]);
		if (i > 0 && i < n)
			falls |= (x < before ? FALLS : 0) |
				((x & order) < (before & order) ? FALLS_IN_PARTITION : 0);
	}
	if (falls != 0 && (*(volatile unsigned int *) &report->falls & falls) != falls)
		atomicOr(&report->falls, falls);
}

template <typename Key>
static cudaError_t
sort_word(windows_run *run, const gs_sort_keys *keys, int word, sorting *s)
{
	cudaStream_t stream = windows_stream(run);
	unsigned int *falls = (unsigned int *) run->context->report;
	int			begin = 0;
	int			end = keys->word[word].bits;
	unsigned int blocks;

	GS_TRY(windows_grid(s->n, &blocks));
	GS_TRY(cudaMemsetAsync(&run->report->falls, 0, sizeof *falls, stream));
	make_words<Key><<<blocks, WINDOWS_THREADS, 0, stream>>>
		(*keys, word, s->n, s->moved ? s->row[0] : NULL, (Key *) s->key[0],
		 s->row[0], run->report);
	GS_TRY(gs_launched());
	GS_TRY(cudaMemcpyAsync(falls, &run->report->falls, sizeof *falls,
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	if (!(*falls & FALLS))
		return cudaSuccess;
	if (!(*falls & FALLS_IN_PARTITION))
		begin = keys->word[word].order_bits;

	cub::DoubleBuffer<Key> key((Key *) s->key[0], (Key *) s->key[1]);
	cub::DoubleBuffer<uint32_t> row(s->row[0], s->row[1]);

	GS_TRY(windows_with_workspace(run, [&](void *workspace, size_t &size) {
		return cub::DeviceRadixSort::SortPairs(workspace, size, key, row,
											   (int) s->n, begin, end, stream);
	}));
	if (key.selector != 0)
	{
		void	   *other = s->key[0];

		s->key[0] = s->key[1];
		s->key[1] = other;
	}
	if (row.selector != 0)
	{
		uint32_t   *other = s->row[0];

		s->row[0] = s->row[1];
		s->row[1] = other;
	}
	s->moved = true;
	return cudaSuccess;
}

static size_t
key_width(const gs_sort_word *word)
{
	return word->bits <= 32 ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* Rows first, since they stay; then what is given back. */
static cudaError_t
take_rows(windows_run *run, sorting *s)
{
	for (int i = 0; i < 2; i++)
		GS_TRY(windows_take(run, s->n * sizeof(uint32_t),
							(void **) &s->row[i]));
	return cudaSuccess;
}

static cudaError_t
sort_words(windows_run *run, const gs_sort_keys *keys, sorting *s)
{
	size_t		width = sizeof(uint32_t);

	for (int i = 0; i < keys->words; i++)
		width = max(width, key_width(&keys->word[i]));
	for (int i = 0; i < 2; i++)
		GS_TRY(windows_take(run, s->n * width, &s->key[i]));
	for (int word = keys->words - 1; word >= 0; word--)
	{
		if (key_width(&keys->word[word]) == sizeof(uint32_t))
			GS_TRY(sort_word<uint32_t>(run, keys, word, s));
		else
			GS_TRY(sort_word<uint64_t>(run, keys, word, s));
	}
	return cudaSuccess;
}

/* ----------
 * Heads
 * ----------
 */

/* By the sorted keys of the only word, or else by the words of rows. */
template <typename Key>
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
find_heads(const __grid_constant__ gs_sort_keys k, uint32_t n, const Key *key,
		   const uint32_t *row, uint8_t *head)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < n;
		 i += step)
	{
		bool		peers = i == 0;
		bool		partition = i == 0;

		for (int w = 0; w < k.words && i > 0; w++)
		{
			uint64_t	differs;
			int			order_bits = k.word[w].order_bits;

			if (key != NULL)
				differs = (uint64_t) key[i] ^ (uint64_t) key[i - 1];
			else
				differs = word_of(k, w, row == NULL ? i : row[i]) ^
					word_of(k, w, row == NULL ? i - 1 : row[i - 1]);
			peers |= differs != 0;
			partition |= order_bits < 64 && differs >> order_bits != 0;
		}
		head[i] = (uint8_t) (peers * HEAD_PEERS + partition * HEAD_PARTITION);
	}
}

template <typename Key>
static cudaError_t
make_heads(windows_run *run, const gs_sort_keys *keys, const sorting *s,
		   uint8_t *head)
{
	unsigned int blocks;

	GS_TRY(windows_grid(s->n, &blocks));
	find_heads<Key><<<blocks, WINDOWS_THREADS, 0, windows_stream(run)>>>
		(*keys, s->n, keys->words == 1 ? (const Key *) s->key[0] : NULL,
		 s->moved ? s->row[0] : NULL, head);
	return gs_launched();
}

struct is_head
{
	const uint8_t *head;
	uint8_t		which;

	__device__ uint32_t
	operator()(uint32_t i) const
	{
		return (head[i] & which) != 0;
	}
};

/* Where each number starts, and at last where there are no more. */
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
find_starts(is_head heads, uint32_t n, const uint32_t *number, uint32_t *start)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < n;
		 i += step)
	{
		if (heads(i))
			start[number[i] - 1] = i;
		if (i == n - 1)
			start[number[i]] = n;
	}
}

static cudaError_t
number_heads(windows_run *run, const uint8_t *head, uint8_t which, uint32_t n,
			 uint32_t *number, uint32_t *start)
{
	const is_head heads = {head, which};
	cudaStream_t stream = windows_stream(run);
	unsigned int blocks;

	GS_TRY(windows_with_workspace(run, [&](void *workspace, size_t &size) {
		return cub::DeviceScan::InclusiveScan
			(workspace, size, windows_each_place(heads), number,
			 windows_add(), (int) n, stream);
	}));
	GS_TRY(windows_grid(n, &blocks));
	find_starts<<<blocks, WINDOWS_THREADS, 0, stream>>>(heads, n, number,
														start);
	return gs_launched();
}

static cudaError_t
take_numbers(windows_run *run, uint32_t n, uint32_t **number, uint32_t **start)
{
	GS_TRY(windows_take(run, n * sizeof(uint32_t), (void **) number));
	return windows_take(run, (n + (size_t) 1) * sizeof(uint32_t),
						(void **) start);
}

/* Of rows that are sorted. */
static cudaError_t
find_places(windows_run *run, const gs_sort_keys *keys, const sorting *s,
			uint32_t *partition, uint32_t *partition_start, uint32_t *peers,
			uint32_t *peers_start)
{
	void	   *memory;
	uint8_t    *head;

	GS_TRY(windows_take(run, s->n, &memory));
	head = (uint8_t *) memory;
	if (keys->words == 1 && key_width(&keys->word[0]) == sizeof(uint32_t))
		GS_TRY(make_heads<uint32_t>(run, keys, s, head));
	else
		GS_TRY(make_heads<uint64_t>(run, keys, s, head));
	if (partition != NULL)
		GS_TRY(number_heads(run, head, HEAD_PARTITION, s->n, partition,
							partition_start));
	if (peers != NULL)
		GS_TRY(number_heads(run, head, HEAD_PEERS, s->n, peers, peers_start));
	return cudaSuccess;
}

/* numbers: of partitions, and their starts; of peers, likewise. */
static void
set_places(windows_places *places, const sorting *s, uint32_t *const *number)
{
	memset(places, 0, sizeof *places);
	places->n = s->n;
	places->row = s->moved ? s->row[0] : NULL;
	places->partition = number[0];
	places->partition_start = number[1];
	places->peers = number[2];
	places->peers_start = number[3];
}

cudaError_t
windows_sort(windows_run *run, const gs_window *window, bool heads, bool peers,
			 windows_places *places)
{
	gs_sort_keys keys;
	sorting		s = {};
	uint32_t   *number[4] = {};
	int			pieces;

	s.n = (uint32_t) run->relation->rows;
	make_keys(run, window, &keys);
	GS_TRY(take_rows(run, &s));
	if (heads && window->partition > 0)
		GS_TRY(take_numbers(run, s.n, &number[0], &number[1]));
	if (heads && peers)
		GS_TRY(take_numbers(run, s.n, &number[2], &number[3]));
	pieces = run->pieces;
	GS_TRY(sort_words(run, &keys, &s));
	if (number[0] != NULL || number[2] != NULL)
		GS_TRY(find_places(run, &keys, &s, number[0], number[1], number[2],
						   number[3]));
	GS_TRY(cudaStreamSynchronize(windows_stream(run)));
	windows_keep(run, pieces);
	set_places(places, &s, number);
	return cudaSuccess;
}

/* ----------
 * The first rows of each partition
 * ----------
 */

/* Sets that the rows of a partition are divided into. */
typedef struct top_sets
{
	int			order_bits;		/* of the first word */
	int			set_bits;		/* of a set's number in its partition */
	unsigned long long *least;	/* word of each set; then the first one of a
								 * partition has its bound */
} top_sets;

/* A first word without its partition's bits; and which partition. */
__device__ static inline uint64_t
top_word_of(const gs_sort_keys &k, const top_sets &t, uint32_t i,
			uint32_t *partition)
{
	uint64_t	x = word_of(k, 0, i);

	*partition = 0;
	if (t.order_bits == 64)
		return x;
	*partition = (uint32_t) (x >> t.order_bits);
	return x & ((UINT64_C(1) << t.order_bits) - 1);
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
find_least(const __grid_constant__ gs_sort_keys k,
		   const __grid_constant__ top_sets t, uint32_t n)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < n;
		 i += step)
	{
		uint32_t	partition;
		uint64_t	x = top_word_of(k, t, i, &partition);
		uint32_t	set = t.set_bits == 0 ? 0 :
			(i * UINT32_C(2654435761)) >> (32 - t.set_bits);
		unsigned long long *least =
			&t.least[((size_t) partition << t.set_bits) | set];

		if (x < *(volatile unsigned long long *) least)
			atomicMin(least, (unsigned long long) x);
	}
}

/* At least `first` rows have words that are not above those of so many sets. */
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
find_top_bounds(const __grid_constant__ top_sets t, int first,
				uint32_t partitions)
{
	uint32_t	p = blockIdx.x * WINDOWS_THREADS + threadIdx.x;
	uint64_t	least[GS_WINDOW_FIRST_MAX];

	if (p >= partitions)
		return;
	for (int k = 0; k < GS_WINDOW_FIRST_MAX; k++)
		least[k] = UINT64_MAX;
#pragma unroll 4
	for (uint32_t set = 0; set < 1u << t.set_bits; set++)
	{
		uint64_t	x = t.least[((size_t) p << t.set_bits) | set];

		/* put it among those that ascend, of which the last goes */
#pragma unroll
		for (int k = 0; k < GS_WINDOW_FIRST_MAX; k++)
		{
			uint64_t	lower = min(x, least[k]);

			x = max(x, least[k]);
			least[k] = lower;
		}
	}
#pragma unroll
	for (int k = 0; k < GS_WINDOW_FIRST_MAX; k++)
	{
		if (k == first - 1)
			t.least[(size_t) p << t.set_bits] = least[k];
	}
}

struct is_top
{
	const gs_sort_keys *keys;	/* on the device: CUB copies what is here */
	top_sets	t;

	__device__ bool
	operator()(uint32_t i) const
	{
		uint32_t	partition;
		uint64_t	x = top_word_of(*keys, t, i, &partition);

		return x <= t.least[(size_t) partition << t.set_bits];
	}
};

/* The rows that a predicate selects, in order, and how many they are. */
template <typename Predicate>
static cudaError_t
select_rows(windows_run *run, const Predicate &predicate, sorting *s)
{
	cudaStream_t stream = windows_stream(run);
	uint32_t   *seen = (uint32_t *) run->context->report;
	void	   *found;

	GS_TRY(windows_take(run, sizeof *seen, &found));
	GS_TRY(windows_with_workspace(run, [&](void *workspace, size_t &size) {
		return cub::DeviceSelect::If
			(workspace, size, thrust::counting_iterator<uint32_t>(0),
			 s->row[0], (uint32_t *) found, (int) run->relation->rows,
			 predicate, stream);
	}));
	GS_TRY(cudaMemcpyAsync(seen, found, sizeof *seen, cudaMemcpyDeviceToHost,
						   stream));
	GS_TRY(cudaStreamSynchronize(stream));
	s->n = *seen;
	s->moved = true;
	return cudaSuccess;
}

static cudaError_t
copy_keys(windows_run *run, const gs_sort_keys *keys,
		  const gs_sort_keys **copy)
{
	void	   *memory;

	GS_TRY(windows_take(run, sizeof *keys, &memory));
	*copy = (const gs_sort_keys *) memory;
	return cudaMemcpyAsync(memory, keys, sizeof *keys, cudaMemcpyHostToDevice,
						   windows_stream(run));
}

/*
 * The rows whose first words may be those of the first ranks, if there is a bound
 * for these; else all remain.
 */
static cudaError_t
select_top(windows_run *run, const gs_sort_keys *keys, int64_t first,
		   sorting *s)
{
	const gs_sort_word *word = &keys->word[0];
	int			partition_bits = word->bits - word->order_bits;
	cudaStream_t stream = windows_stream(run);
	uint32_t	partitions;
	is_top		top = {};
	unsigned int blocks;
	size_t		size;
	void	   *memory;

	top.t.order_bits = word->order_bits;
	while (first > 1 && (1 << top.t.set_bits) < 4 * first)
		top.t.set_bits++;
	top.t.set_bits = max(top.t.set_bits, TOP_SET_BITS_LEAST - partition_bits);
	if (!gs_sort_first_word_decides(keys) ||
		partition_bits + top.t.set_bits > TOP_SET_BITS ||
		s->n < 1u << (partition_bits + top.t.set_bits))
		return cudaSuccess;
	size = sizeof(*top.t.least) << (partition_bits + top.t.set_bits);
	partitions = 1u << partition_bits;
	GS_TRY(windows_take(run, size, &memory));
	top.t.least = (unsigned long long *) memory;
	GS_TRY(cudaMemsetAsync(memory, 0xff, size, stream));
	GS_TRY(windows_grid(s->n, &blocks));
	find_least<<<blocks, WINDOWS_THREADS, 0, stream>>>(*keys, top.t, s->n);
	GS_TRY(gs_launched());
	find_top_bounds<<<(unsigned int) gs_divide_up(partitions, WINDOWS_THREADS),
		WINDOWS_THREADS, 0, stream>>>(top.t, (int) first, partitions);
	GS_TRY(gs_launched());
	GS_TRY(copy_keys(run, keys, &top.keys));
	return select_rows(run, top, s);
}

/* Is the place's rank among the first? */
struct has_rank
{
	windows_places places;
	uint32_t	first;

	__device__ bool
	operator()(uint32_t i) const
	{
		return peers_first(places, i) - partition_first(places, i) < first;
	}
};

/* Of sorted rows those of greater ranks go. */
static cudaError_t
keep_ranks(windows_run *run, const gs_sort_keys *keys, bool partitioned,
		   int64_t first, sorting *s)
{
	cudaStream_t stream = windows_stream(run);
	uint32_t   *seen = (uint32_t *) run->context->report;
	uint32_t   *partition = NULL;
	uint32_t   *partition_start = NULL;
	uint32_t   *peers;
	uint32_t   *peers_start;
	has_rank	kept = {};
	void	   *found;

	kept.first = first < UINT32_MAX ? (uint32_t) first : UINT32_MAX;
	if (partitioned)
		GS_TRY(take_numbers(run, s->n, &partition, &partition_start));
	GS_TRY(take_numbers(run, s->n, &peers, &peers_start));
	GS_TRY(find_places(run, keys, s, partition, partition_start, peers,
					   peers_start));
	kept.places.n = s->n;
	kept.places.partition = partition;
	kept.places.partition_start = partition_start;
	kept.places.peers = peers;
	kept.places.peers_start = peers_start;
	GS_TRY(windows_take(run, sizeof *seen, &found));
	GS_TRY(windows_with_workspace(run, [&](void *workspace, size_t &size) {
		return cub::DeviceSelect::Flagged
			(workspace, size, s->row[0], windows_each_place(kept), s->row[1],
			 (uint32_t *) found, (int) s->n, stream);
	}));
	GS_TRY(cudaMemcpyAsync(seen, found, sizeof *seen, cudaMemcpyDeviceToHost,
						   stream));
	GS_TRY(cudaStreamSynchronize(stream));
	s->n = *seen;
	s->moved = true;
	std::swap(s->row[0], s->row[1]);
	return cudaSuccess;
}

cudaError_t
windows_sort_top(windows_run *run, const gs_window *window, int64_t first,
				 bool heads, bool peers, windows_places *places)
{
	gs_sort_keys keys;
	sorting		s = {};
	uint32_t   *number[4] = {};
	int			pieces;

	s.n = (uint32_t) run->relation->rows;
	make_keys(run, window, &keys);
	if (keys.words == 0)		/* all are peers */
		return windows_sort(run, window, heads, peers, places);
	GS_TRY(take_rows(run, &s));
	pieces = run->pieces;
	GS_TRY(select_top(run, &keys, first, &s));
	GS_TRY(sort_words(run, &keys, &s));
	GS_TRY(keep_ranks(run, &keys, window->partition > 0, first, &s));
	windows_keep(run, pieces);
	s.key[0] = NULL;			/* those of other places */
	if (heads && window->partition > 0)
		GS_TRY(take_numbers(run, s.n, &number[0], &number[1]));
	if (heads && peers)
		GS_TRY(take_numbers(run, s.n, &number[2], &number[3]));
	pieces = run->pieces;
	if (number[0] != NULL || number[2] != NULL)
		GS_TRY(find_places(run, &keys, &s, number[0], number[1], number[2],
						   number[3]));
	GS_TRY(cudaStreamSynchronize(windows_stream(run)));
	windows_keep(run, pieces);
	set_places(places, &s, number);
	return cudaSuccess;
}

/* ----------
 * The first rows
 * ----------
 */

/*
 * Of the words whose bits from `shift` + `bits` on are `above`: count what these
 * bits are.
 */
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
count_bits(const __grid_constant__ gs_sort_keys k, uint32_t n, int shift,
		   int bits, uint64_t above, uint32_t *count)
{
	__shared__ uint32_t bin[FIRST_BINS];
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (int b = threadIdx.x; b < FIRST_BINS; b += WINDOWS_THREADS)
		bin[b] = 0;
	__syncthreads();
	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < n;
		 i += step)
	{
		uint64_t	x = word_of(k, 0, i) >> shift;

		if (x >> bits == above)
			atomicAdd(&bin[x & ((1u << bits) - 1)], 1u);
	}
	__syncthreads();
	for (int b = threadIdx.x; b < FIRST_BINS; b += WINDOWS_THREADS)
	{
		if (bin[b] > 0)
			atomicAdd(&count[b], bin[b]);
	}
}

/* Is a row's word, from a bit on, not above a bound? */
struct is_first
{
	const gs_sort_keys *keys;	/* on the device: CUB copies what is here */
	int			shift;
	uint64_t	bound;

	__device__ bool
	operator()(uint32_t i) const
	{
		return word_of(*keys, 0, i) >> shift <= bound;
	}
};

/*
 * A bound that at least `limit` words are not above; *candidates is how many are
 * not.
 */
static cudaError_t
find_bound(windows_run *run, const gs_sort_keys *keys, int64_t limit,
		   is_first *first, int64_t *candidates)
{
	static_assert(FIRST_BINS * sizeof(uint32_t) <= GS_REPORT_SIZE,
				  "a large report");
	uint32_t	n = (uint32_t) run->relation->rows;
	cudaStream_t stream = windows_stream(run);
	const uint32_t *bin = (const uint32_t *) run->context->report;
	int64_t		below = 0;		/* rows that are below the bound's bin */
	void	   *count;
	unsigned int blocks;

	GS_TRY(windows_long_blocks(n, &blocks));
	GS_TRY(windows_take(run, FIRST_BINS * sizeof(uint32_t), &count));
	first->shift = keys->word[0].bits;
	first->bound = 0;
	do
	{
		int			bits = min(first->shift, FIRST_BITS);
		int			b = 0;

		first->shift -= bits;
		GS_TRY(cudaMemsetAsync(count, 0, FIRST_BINS * sizeof(uint32_t),
							   stream));
		count_bits<<<blocks, WINDOWS_THREADS, 0, stream>>>
			(*keys, n, first->shift, bits, first->bound, (uint32_t *) count);
		GS_TRY(gs_launched());
		GS_TRY(cudaMemcpyAsync(run->context->report, count,
							   FIRST_BINS * sizeof(uint32_t),
							   cudaMemcpyDeviceToHost, stream));
		GS_TRY(cudaStreamSynchronize(stream));
		while (b < (1 << bits) - 1 && below + bin[b] < limit)
			below += bin[b++];
		first->bound = first->bound << bits | (uint64_t) b;
		*candidates = below + bin[b];
	} while (first->shift > 0 && *candidates > FIRST_FEW + 4 * limit);
	return cudaSuccess;
}

/* The rows that may be first, in order, then sorted. */
static cudaError_t
sort_candidates(windows_run *run, const gs_sort_keys *keys, is_first first,
				sorting *s)
{
	GS_TRY(copy_keys(run, keys, &first.keys));
	GS_TRY(select_rows(run, first, s));
	return sort_words(run, keys, s);
}

cudaError_t
windows_sort_first(windows_run *run, const gs_window *window, int64_t limit,
				   windows_places *places)
{
	gs_sort_keys keys;
	is_first	first = {};
	sorting		s = {};
	int64_t		candidates = 0;
	int			pieces;

	make_keys(run, window, &keys);
	memset(places, 0, sizeof *places);
	places->n = (uint32_t) limit;
	if (keys.words == 0)
		return cudaSuccess;
	pieces = run->pieces;
	if (keys.words == 1)
		GS_TRY(find_bound(run, &keys, limit, &first, &candidates));
	windows_keep(run, pieces);
	if (keys.words > 1 || candidates > run->relation->rows / 2)
	{
		GS_TRY(windows_sort(run, window, false, false, places));
		places->n = (uint32_t) limit;
		return cudaSuccess;
	}
	s.n = (uint32_t) candidates;
	GS_TRY(take_rows(run, &s));
	pieces = run->pieces;
	GS_TRY(sort_candidates(run, &keys, first, &s));
	GS_TRY(cudaStreamSynchronize(windows_stream(run)));
	windows_keep(run, pieces);
	places->row = s.row[0];
	return cudaSuccess;
}
