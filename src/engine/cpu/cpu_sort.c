/*-------------------------------------------------------------------------
 *
 * cpu_sort.c
 *	  Radix sort and radix select of unsigned integers.
 *
 * Sorting moves all keys by one byte at a time, from the last byte to the
 * first; a byte that is the same in all keys is skipped.  Selecting finds the
 * keys of some ranks: keys are counted by their leading 16 bits, only those
 * that share these bits with the wanted ones remain, are counted by their next
 * 16 bits, and so on; the remaining keys are sorted.
 *
 * Neither compares keys, so the time depends on their number and width alone.
 * But both have counters to clear, which is not worthwhile for few keys: these
 * are sorted instead of selected from, and very few are sorted by insertion.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"

#define SORT_BITS		8
#define SORT_DIGITS		(1 << SORT_BITS)
#define SELECT_BITS		16
#define SELECT_DIGITS	(1 << SELECT_BITS)

/* Up to this many keys insertion sort, or sorting to select, is faster. */
#define FEW_TO_SORT		40
#define FEW_TO_SELECT	8192

/* Keys between two pauses: a few ms at most. */
#define PAUSE_INTERVAL	(INT64_C(1) << 20)

/*
 * Functions with a width argument are inlined where it is a constant, so that
 * each loop exists for either width, without a test per key.
 */
#define INLINE			static inline __attribute__((always_inline))

INLINE int
digit_of(uint64_t key, int shift, int digits)
{
	return (int) (key >> shift) & (digits - 1);
}

static inline int64_t
interval_end(int64_t at, int64_t n)
{
	return n - at < PAUSE_INTERVAL ? n : at + PAUSE_INTERVAL;
}

INLINE void
sort_few_keys(cpu_keys *k, int width)
{
	for (int64_t i = 1; i < k->n; i++)
	{
		uint64_t	key = gs_cpu_get_key(k->key, width, i);
		uint32_t	position = k->position == NULL ? 0 : k->position[i];
		int64_t		j = i;

		for (; j > 0 && gs_cpu_get_key(k->key, width, j - 1) > key; j--)
		{
			gs_cpu_set_key(k->key, width, j,
						   gs_cpu_get_key(k->key, width, j - 1));
			if (k->position != NULL)
				k->position[j] = k->position[j - 1];
		}
		gs_cpu_set_key(k->key, width, j, key);
		if (k->position != NULL)
			k->position[j] = position;
	}
}

static void
sort_few(cpu_keys *k)
{
	if (k->width == 4)
		sort_few_keys(k, 4);
	else
		sort_few_keys(k, 8);
}

/* Count the digits at all places, for keys at .. end - 1. */
INLINE void
count_places(const cpu_keys *k, int width, int64_t at, int64_t end,
			 uint32_t (*counts)[SORT_DIGITS])
{
	for (int64_t i = at; i < end; i++)
	{
		uint64_t	key = gs_cpu_get_key(k->key, width, i);

		for (int place = 0; place < width; place++)
			counts[place][digit_of(key, place * SORT_BITS, SORT_DIGITS)]++;
	}
}

/* Move keys at .. end - 1 to where their digit at one place puts them. */
INLINE void
move_keys(cpu_keys *k, int width, bool positions, int64_t at, int64_t end,
		  int shift, uint32_t *next)
{
	for (int64_t i = at; i < end; i++)
	{
		uint64_t	key = gs_cpu_get_key(k->key, width, i);
		uint32_t	to = next[digit_of(key, shift, SORT_DIGITS)]++;

		gs_cpu_set_key(k->other_key, width, to, key);
		if (positions)
			k->other_position[to] = k->position[i];
	}
}

/* Move all keys by the digit at a place; counts becomes the destinations. */
static void
sort_by_place(cpu_keys *k, int place, uint32_t *counts)
{
	const int	shift = place * SORT_BITS;
	uint32_t	sum = 0;
	void	   *sorted = k->other_key;
	uint32_t   *sorted_position = k->other_position;

	for (int digit = 0; digit < SORT_DIGITS; digit++)
	{
		uint32_t	count = counts[digit];

		counts[digit] = sum;
		sum += count;
	}
	for (int64_t at = 0, end; at < k->n; at = end)
	{
		end = interval_end(at, k->n);
		gs_cpu_pause();
		if (k->width == 4 && k->position == NULL)
			move_keys(k, 4, false, at, end, shift, counts);
		else if (k->width == 4)
			move_keys(k, 4, true, at, end, shift, counts);
		else if (k->position == NULL)
			move_keys(k, 8, false, at, end, shift, counts);
		else
			move_keys(k, 8, true, at, end, shift, counts);
	}
	k->other_key = k->key;
	k->key = sorted;
	k->other_position = k->position;
	k->position = sorted_position;
}

static void
sort_many(cpu_keys *k)
{
	uint32_t	counts[sizeof(uint64_t)][SORT_DIGITS] = {{0}};

	for (int64_t at = 0, end; at < k->n; at = end)
	{
		end = interval_end(at, k->n);
		gs_cpu_pause();
		if (k->width == 4)
			count_places(k, 4, at, end, counts);
		else
			count_places(k, 8, at, end, counts);
	}
	for (int place = 0; place < k->width; place++)
	{
		uint64_t	first = gs_cpu_get_key(k->key, k->width, 0);
		int			digit = digit_of(first, place * SORT_BITS, SORT_DIGITS);

		if (counts[place][digit] != k->n)
			sort_by_place(k, place, counts[place]);
	}
}

void
gs_cpu_sort(cpu_keys *k)
{
	if (k->n <= FEW_TO_SORT)
		sort_few(k);
	else
		sort_many(k);
	k->sorted = true;
}

INLINE void
count_digits(const void *keys, int width, int64_t at, int64_t end, int shift,
			 uint32_t *counts)
{
	for (int64_t i = at; i < end; i++)
		counts[digit_of(gs_cpu_get_key(keys, width, i), shift,
						SELECT_DIGITS)]++;
}

/*
 * Of keys at .. end - 1, move those with digit low .. high to index m and on;
 * returns the number of keys there.  When moving in place, keys only move
 * down.
 */
INLINE int64_t
keep_digits(const void *keys, int width, int64_t at, int64_t end, int shift,
			int low, int high, void *to, int64_t m)
{
	for (int64_t i = at; i < end; i++)
	{
		uint64_t	key = gs_cpu_get_key(keys, width, i);
		int			above = digit_of(key, shift, SELECT_DIGITS) - low;

		gs_cpu_set_key(to, width, m, key);
		m += (unsigned) above <= (unsigned) (high - low);
	}
	return m;
}

/* The keys that may have the wanted ranks. */
typedef struct candidates
{
	const void *key;
	int64_t		n;
	int64_t		first;			/* the wanted ranks, among these keys */
	int64_t		last;
} candidates;

/*
 * Narrow the candidates down by a digit, into k->other_key.  False if the
 * first and the last wanted key differ in it: further digits are of no use.
 */
static bool
narrow(cpu_keys *k, candidates *c, int shift)
{
	uint32_t   *counts = k->counts;
	int64_t		below = 0;
	int64_t		n;
	int64_t		kept = 0;
	int			low = 0;
	int			high;

	memset(counts, 0, sizeof(uint32_t) * SELECT_DIGITS);
	for (int64_t at = 0, end; at < c->n; at = end)
	{
		end = interval_end(at, c->n);
		gs_cpu_pause();
		if (k->width == 4)
			count_digits(c->key, 4, at, end, shift, counts);
		else
			count_digits(c->key, 8, at, end, shift, counts);
	}
	while (c->first >= below + counts[low])
		below += counts[low++];
	n = counts[low];
	for (high = low; c->last >= below + n;)
		n += counts[++high];
	for (int64_t at = 0, end; at < c->n && n < c->n; at = end)
	{
		end = interval_end(at, c->n);
		gs_cpu_pause();
		kept = k->width == 4 ?
			keep_digits(c->key, 4, at, end, shift, low, high, k->other_key,
						kept) :
			keep_digits(c->key, 8, at, end, shift, low, high, k->other_key,
						kept);
	}
	if (n < c->n)
		c->key = k->other_key;
	c->n = n;
	c->first -= below;
	c->last -= below;
	return low == high;
}

size_t
gs_cpu_select_counts(int64_t n)
{
	return n > FEW_TO_SELECT ? SELECT_DIGITS : 0;
}

/*
 * The keys of n ranks from `first` on, in order.  Other keys may be moved, or
 * all of them sorted where that is no more work.
 */
const void *
gs_cpu_select(cpu_keys *k, int64_t first, int64_t n)
{
	candidates	c = {k->key, k->n, first, first + n - 1};
	cpu_keys	remaining = {.width = k->width};
	int			shift = k->width * 8;
	bool		narrowing = !k->sorted;

	while (narrowing && shift > 0 && c.n > FEW_TO_SELECT)
	{
		shift -= SELECT_BITS;
		narrowing = narrow(k, &c, shift);
	}
	/* all candidates are equal: any of these keys will do */
	if (narrowing && shift == 0)
		return (const uint8_t *) c.key + c.first * k->width;
	if (c.n > k->n / 2)
	{
		if (!k->sorted)
			gs_cpu_sort(k);
		return (const uint8_t *) k->key + first * k->width;
	}
	remaining.n = c.n;
	remaining.key = k->other_key;
	remaining.other_key = (uint8_t *) k->other_key + c.n * k->width;
	gs_cpu_sort(&remaining);
	return (const uint8_t *) remaining.key + c.first * k->width;
}
