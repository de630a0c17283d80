/*-------------------------------------------------------------------------
 *
 * sort.c
 *	  Radix sort and radix select of unsigned integers.
 *
 * Sorting moves all keys by one byte at a time, from the last byte to the
 * first; a byte that is the same in all keys is skipped.  Selecting finds the
 * keys of some ranks: keys are counted by their leading 16 bits, only those
 * that share these bits with the wanted ones remain, are counted by their next
 * 16 bits, and so on; the remaining keys are sorted.
 *
 * Where the keys do not fit in the processor's cache, a place has more bits, so
 * that they are moved less often, and those with one destination are collected
 * until they fill a line of the cache, which goes to memory past the cache: else
 * a line would be read before a part of it is written, and that several times.
 *
 * Neither compares keys, so the time depends on their number and width alone.
 * But both have counters to clear, which is not worthwhile for few keys: these
 * are sorted instead of selected from, and very few are sorted by insertion.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdatomic.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/* False: it takes more moves than so many, and has done these. */
INLINE bool
sort_few_keys(cpu_keys *k, int width, int64_t moves)
{
	for (int64_t i = 1; i < k->n && moves >= 0; i++)
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
		moves -= i - j;
	}
	return moves >= 0;
}

static void
sort_few(cpu_keys *k)
{
	if (k->width == 4)
		(void) sort_few_keys(k, 4, INT64_MAX);
	else
		(void) sort_few_keys(k, 8, INT64_MAX);
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

/* Counts of digits become the destinations of the first key of each. */
static void
destinations(uint32_t *counts, int digits)
{
	uint32_t	sum = 0;

	for (int digit = 0; digit < digits; digit++)
	{
		uint32_t	count = counts[digit];

		counts[digit] = sum;
		sum += count;
	}
}

/* Keys have been moved: the other arrays have them now. */
static void
swap_keys(cpu_keys *k)
{
	void	   *sorted = k->other_key;
	uint32_t   *sorted_position = k->other_position;

	k->other_key = k->key;
	k->key = sorted;
	k->other_position = k->position;
	k->position = sorted_position;
}

/* Move all keys by the digit at a place; counts becomes the destinations. */
static void
sort_by_place(cpu_keys *k, int place, uint32_t *counts)
{
	const int	shift = place * SORT_BITS;

	destinations(counts, SORT_DIGITS);
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
	swap_keys(k);
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

#ifdef __SSE2__

/*
 * From this size on keys are moved by lines.  Of 10^7 random keys, 8 bytes take
 * 240 ms instead of 640, 4 bytes 60 instead of 190.
 */
#define LARGE_SIZE		(1024 * 1024)

/*
 * 2,048 lines of keys and as many of positions fit in the second level of the
 * cache, but not where a line of positions goes with two of keys.
 */
#define LINE			64
#define LARGE_BITS		11
#define LARGE_BITS_WIDE 8
#define LARGE_DIGITS	(1 << LARGE_BITS)
#define LARGE_COUNTS	(6 * LARGE_DIGITS)	/* of all places */

/* What is collected of each digit, and where its first key goes. */
typedef struct lines
{
	uint8_t		key[LARGE_DIGITS * LINE] __attribute__((aligned(LINE)));
	uint32_t	position[LARGE_DIGITS * LINE / 4] __attribute__((aligned(LINE)));
	uint32_t	first[LARGE_DIGITS];
} lines;

/* Write lines past the cache. */
INLINE void
write_lines(void *to, const void *from, int size)
{
	for (int i = 0; i < size; i += 16)
		_mm_stream_si128((__m128i *) ((uint8_t *) to + i),
						 _mm_load_si128((const __m128i *)
										((const uint8_t *) from + i)));
}

/* Write what is collected for places at .. end - 1, one by one. */
INLINE void
write_some(cpu_keys *k, int width, bool positions, int group, const void *key,
		   const uint32_t *position, uint32_t at, uint32_t end)
{
	for (; at < end; at++)
	{
		gs_cpu_set_key(k->other_key, width, at,
					   gs_cpu_get_key(key, width, at & (group - 1)));
		if (positions)
			k->other_position[at] = position[at & (group - 1)];
	}
}

/*
 * move_keys, by lines: `group` keys, or positions, fill one or two.  A digit's
 * first line may begin with the places of lower digits, which get nonsense:
 * these places are the last of theirs, in no full line, and written at the end.
 */
INLINE void
move_lines(cpu_keys *k, lines *l, int width, bool positions, int group,
		   int digits, int64_t at, int64_t end, int shift, uint32_t *next)
{
	for (int64_t i = at; i < end; i++)
	{
		uint64_t	key = gs_cpu_get_key(k->key, width, i);
		int			digit = digit_of(key, shift, digits);
		uint8_t    *keys = l->key + (size_t) digit * group * width;
		uint32_t   *position = l->position + (size_t) digit * group;
		uint32_t	to = next[digit]++;
		uint32_t	start = to & ~(uint32_t) (group - 1);

		gs_cpu_set_key(keys, width, to & (group - 1), key);
		if (positions)
			position[to & (group - 1)] = k->position[i];
		if ((to & (group - 1)) != (uint32_t) group - 1)
			continue;
		write_lines((uint8_t *) k->other_key + (size_t) start * width, keys,
					group * width);
		if (positions)
			write_lines(k->other_position + start, position, group * 4);
	}
}

/* All keys by one place; `next` has their destinations, and is changed. */
INLINE void
sort_large_place(cpu_keys *k, lines *l, int width, bool positions, int bits,
				 int shift, uint32_t *next)
{
	const int	group = positions ? LINE / 4 : LINE / width;
	const int	digits = 1 << bits;

	memcpy(l->first, next, sizeof(uint32_t) * digits);
	for (int64_t at = 0, end; at < k->n; at = end)
	{
		end = interval_end(at, k->n);
		gs_cpu_pause();
		move_lines(k, l, width, positions, group, digits, at, end, shift,
				   next);
	}
	_mm_sfence();				/* lines come before what follows */
	for (int digit = 0; digit < digits; digit++)
	{
		uint32_t	at = next[digit] & ~(uint32_t) (group - 1);

		write_some(k, width, positions, group,
				   l->key + (size_t) digit * group * width,
				   l->position + (size_t) digit * group,
				   at < l->first[digit] ? l->first[digit] : at, next[digit]);
	}
}

INLINE void
sort_large_keys(cpu_keys *k, int width, bool positions)
{
	const int	bits = positions && width == 8 ? LARGE_BITS_WIDE : LARGE_BITS;
	const int	digits = 1 << bits;
	const int	places = (width * 8 + bits - 1) / bits;
	uint32_t	counts[LARGE_COUNTS] = {0};
	lines		l;

	for (int64_t at = 0, end; at < k->n; at = end)
	{
		end = interval_end(at, k->n);
		gs_cpu_pause();
		for (int64_t i = at; i < end; i++)
		{
			uint64_t	key = gs_cpu_get_key(k->key, width, i);

			for (int place = 0; place < places; place++)
				counts[place * digits +
					   digit_of(key, place * bits, digits)]++;
		}
	}
	for (int place = 0; place < places; place++)
	{
		uint64_t	first = gs_cpu_get_key(k->key, width, 0);
		uint32_t   *count = counts + place * digits;

		if (count[digit_of(first, place * bits, digits)] == k->n)
			continue;
		destinations(count, digits);
		sort_large_place(k, &l, width, positions, bits, place * bits, count);
		swap_keys(k);
	}
}

/* False: this is for other keys. */
static bool
sort_large(cpu_keys *k)
{
	uintptr_t	all = (uintptr_t) k->key | (uintptr_t) k->other_key |
		(uintptr_t) k->position | (uintptr_t) k->other_position;

	if (k->n * k->width < LARGE_SIZE || all % LINE != 0)
		return false;
	if (k->width == 4 && k->position == NULL)
		sort_large_keys(k, 4, false);
	else if (k->width == 4)
		sort_large_keys(k, 4, true);
	else if (k->position == NULL)
		sort_large_keys(k, 8, false);
	else
		sort_large_keys(k, 8, true);
	return true;
}

/*
 * Keys with positions go to 1,024 parts by their first bits; a part and the room
 * beside it fit in the second level of the cache.
 */
#define PART_BITS		10
#define PARTS			(1 << PART_BITS)
#define PART_MOST		(64 * 1024)

/* Some milliseconds: a tenth of one starts a thread. */
#define ROWS_A_THREAD	(128 * 1024)

static bool
are_sorted(const uint64_t *key, int64_t n)
{
	bool		falls = false;

	for (int64_t i = 1; i < n; i++)
		falls |= key[i] < key[i - 1];
	return !falls;
}

/* A key of a part may move so far, on average, when most of it is sorted. */
#define MOVES_A_KEY		8

/*
 * By the first bits in which the keys differ, as many as tell most of them apart;
 * insertion does the rest, if it is little.
 */
static void
sort_part_keys(cpu_keys *k)
{
	const uint64_t *key = k->key;
	const int	places = 1 + gs_cpu_bit_length((uint64_t) k->n) / SORT_BITS;
	uint64_t	differs = 0;
	int			bits;

	for (int64_t i = 1; i < k->n; i++)
		differs |= key[i] ^ key[0];
	bits = gs_cpu_bit_length(differs);
	if (k->n <= FEW_TO_SORT || bits <= places * SORT_BITS)
	{
		gs_cpu_sort(k);
		return;
	}
	for (int place = places; place > 0; place--)
	{
		uint32_t	count[SORT_DIGITS] = {0};
		int			shift = bits - place * SORT_BITS;

		key = k->key;
		for (int64_t i = 0; i < k->n; i++)
			count[digit_of(key[i], shift, SORT_DIGITS)]++;
		destinations(count, SORT_DIGITS);
		move_keys(k, 8, true, 0, k->n, shift, count);
		swap_keys(k);
	}
	if (!sort_few_keys(k, 8, k->n * MOVES_A_KEY))
		gs_cpu_sort(k);
}

/* Sort a part, of which the keys stay in the same array. */
static void
sort_part(cpu_keys *k, int64_t first, int64_t n)
{
	cpu_keys	part = {
		.width = 8, .n = n,
		.key = (uint64_t *) k->key + first,
		.other_key = (uint64_t *) k->other_key + first,
		.position = k->position + first,
		.other_position = k->other_position + first
	};
	void	   *key = part.key;

	if (are_sorted(key, n))
		return;
	if (n <= PART_MOST)
		sort_part_keys(&part);
	else
		gs_cpu_sort(&part);
	if (part.key == key)
		return;
	memcpy(key, part.key, sizeof(uint64_t) * (size_t) n);
	memcpy(k->position + first, part.position, sizeof(uint32_t) * (size_t) n);
}

/* Parts, which threads take. */
typedef struct parts_job
{
	cpu_keys   *keys;
	const uint32_t *end;		/* of each */
	_Atomic int next;			/* the first that nobody has taken */
} parts_job;

static void
sort_next_parts(void *state, int helper)
{
	parts_job  *job = state;
	int			i;

	(void) helper;
	while ((i = atomic_fetch_add(&job->next, 1)) < PARTS)
	{
		int64_t		first = i == 0 ? 0 : job->end[i - 1];

		gs_cpu_pause();
		sort_part(job->keys, first, job->end[i] - first);
	}
}

static void
sort_all_parts(cpu_keys *k, const uint32_t *end)
{
	parts_job	job = {.keys = k, .end = end};
	cpu_helpers helpers;
	int			taken = gs_cpu_take_helpers((int) (k->n / ROWS_A_THREAD) - 1);

	gs_cpu_start_helpers(&helpers, taken, sort_next_parts, &job);
	sort_next_parts(&job, 0);
	gs_cpu_join_helpers(&helpers);
	gs_cpu_give_helpers(taken);
}

/* By the first bits, then each part.  False: this is for other keys. */
static bool
sort_parts(cpu_keys *k, int bits)
{
	const int	shift = bits - PART_BITS;
	uint32_t	count[PARTS] = {0};
	uint32_t	most = 0;
	lines		l;

	if (k->width != 8 || k->n * k->width < LARGE_SIZE || shift <= 0)
		return false;
	for (int64_t i = 0; i < k->n; i++)
		count[digit_of(((const uint64_t *) k->key)[i], shift, PARTS)]++;
	for (int i = 0; i < PARTS; i++)
		most = count[i] > most ? count[i] : most;
	if (most > PART_MOST && most > k->n / 8)
		return false;
	destinations(count, PARTS);
	sort_large_place(k, &l, 8, true, PART_BITS, shift, count);
	swap_keys(k);
	sort_all_parts(k, count);
	return true;
}

#else

static bool
sort_large(cpu_keys *k)
{
	(void) k;
	return false;
}

static bool
sort_parts(cpu_keys *k, int bits)
{
	(void) k;
	(void) bits;
	return false;
}

#endif							/* __SSE2__ */

void
gs_cpu_sort_bits(cpu_keys *k, int bits)
{
	if (!sort_parts(k, bits))
		gs_cpu_sort(k);
	k->sorted = true;
}

void
gs_cpu_sort(cpu_keys *k)
{
	if (k->n <= FEW_TO_SORT)
		sort_few(k);
	else if (!sort_large(k))
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
