/*-------------------------------------------------------------------------
 *
 * order.c
 *	  Which row each place of an order has.
 *
 * Rows are sorted by words (keys.c), by the last one first, since the sort is
 * stable; rows that are in order already are left.  Of a few first rows a buffer
 * is enough: it takes those below all that are known to be too many.  Of the first
 * rows of each partition, the least words of the partition are such a bound.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

/* As many more than the first rows are collected before they are sorted. */
#define FIRST_MORE		8192

#define INLINE			static inline __attribute__((always_inline))

static void
store_words(void *keys, int width, int64_t at, int n, const uint64_t *word)
{
	if (width == 8)
		memcpy((uint64_t *) keys + at, word, (size_t) n * sizeof *word);
	else
	{
		for (int i = 0; i < n; i++)
			((uint32_t *) keys)[at + i] = (uint32_t) word[i];
	}
}

/* Make keys of a word in the order so far; do they ascend? */
static bool
make_keys(const gs_sort_keys *keys, int word, const uint32_t *row,
		  cpu_keys *k)
{
	uint64_t	block[WINDOWS_BLOCK];
	uint64_t	before = 0;
	bool		falls = false;
	int			n;

	for (int64_t at = 0; at < k->n; at += n)
	{
		n = k->n - at < WINDOWS_BLOCK ? (int) (k->n - at) : WINDOWS_BLOCK;
		cpu_window_word(keys, word, row, at, n, block);
		falls |= block[0] < before;
		for (int i = 1; i < n; i++)
			falls |= block[i] < block[i - 1];
		before = block[n - 1];
		store_words(k->key, k->width, at, n, block);
	}
	return !falls;
}

static void
number_rows(uint32_t *row, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		row[i] = (uint32_t) i;
}

/* Heads of the places by one word; others may have told more. */
INLINE void
add_heads(const void *word, int width, uint64_t before, int64_t n,
		  int order_bits, uint8_t *head)
{
	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	x = gs_cpu_get_key(word, width, i);
		uint64_t	differs = x ^ before;
		bool		partition = order_bits < 64 && differs >> order_bits != 0;

		head[i] |= (uint8_t) ((differs != 0) * HEAD_PEERS +
							  partition * HEAD_PARTITION);
		before = x;
	}
}

/* Rows that are equal in all words before this one, one after the other. */
typedef struct tied_rows
{
	uint32_t	row[WINDOWS_BLOCK];
	int64_t		place[WINDOWS_BLOCK];
	int			n;
	uint64_t	before;			/* the word of the row before these */
} tied_rows;

static void
add_tied_heads(const gs_sort_keys *keys, int word, tied_rows *t,
			   uint8_t *head)
{
	const int	order_bits = keys->word[word].order_bits;
	uint64_t	block[WINDOWS_BLOCK];

	cpu_window_word(keys, word, t->row, 0, t->n, block);
	for (int i = 0; i < t->n; i++)
	{
		if (head[t->place[i]] == 0)
			add_heads(&block[i], 8, t->before, 1, order_bits,
					  head + t->place[i]);
		t->before = block[i];
	}
	t->n = 0;
}

/* Of rows that words before this one leave equal, this one tells. */
static void
find_heads(const gs_sort_keys *keys, int word, const uint32_t *row,
		   int64_t rows, uint8_t *head)
{
	tied_rows	t = {.n = 0};
	bool		tied = false;

	for (int64_t i = 0; i < rows; i++)
	{
		bool		next = i + 1 < rows && head[i + 1] == 0;

		if (tied || next)
		{
			t.row[t.n] = row == NULL ? (uint32_t) i : row[i];
			t.place[t.n++] = i;
			if (t.n == WINDOWS_BLOCK)
				add_tied_heads(keys, word, &t, head);
		}
		tied = next;
	}
	if (t.n > 0)
		add_tied_heads(keys, word, &t, head);
}

static bool
are_unique(const uint8_t *head, int64_t n)
{
	int64_t		peers = 0;

	for (int64_t i = 0; i < n; i++)
		peers += head[i] & HEAD_PEERS;
	return peers == n;
}

/* The sorted keys tell, of the first word.  Are no two rows peers? */
static bool
set_heads(const gs_sort_keys *keys, const cpu_keys *k, const uint32_t *row,
		  uint8_t *head)
{
	int			order_bits = keys->word[0].order_bits;

	memset(head, 0, (size_t) k->n);
	if (keys->words > 0 && k->width == 4)
		add_heads(k->key, 4, 0, k->n, order_bits, head);
	else if (keys->words > 0)
		add_heads(k->key, 8, 0, k->n, order_bits, head);
	if (k->n > 0)
		head[0] = HEAD_PEERS | HEAD_PARTITION;
	for (int word = 1; word < keys->words && !are_unique(head, k->n); word++)
		find_heads(keys, word, row, k->n, head);
	return are_unique(head, k->n);
}

static void
set_order(const cpu_keys *k, const uint32_t *row, window_space *space,
		  window_order *order)
{
	space->key = k->key;
	space->other_key = k->other_key;
	space->row = k->position;
	space->other_row = k->other_position;
	memset(order, 0, sizeof *order);
	order->n = k->n;
	order->row = row;
	order->head = space->head;
	order->width = k->width;
}

static cpu_keys
keys_of(const window_space *space, int64_t n)
{
	cpu_keys	k = {
		.n = n, .width = 8, .key = space->key,
		.other_key = space->other_key, .position = space->row,
		.other_position = space->other_row
	};

	return k;
}

/* row: NULL, or k's positions, if these are the rows. */
static void
sort_rows(const gs_sort_keys *keys, cpu_keys *k, const uint32_t *row,
		  bool heads, window_space *space, window_order *order)
{
	for (int word = keys->words - 1; word >= 0; word--)
	{
		k->width = keys->word[word].bits <= 32 ? 4 : 8;
		if (make_keys(keys, word, row, k))
			continue;
		if (row == NULL)
			number_rows(k->position, k->n);
		gs_cpu_sort_bits(k, keys->word[word].bits);
		row = k->position;
	}
	set_order(k, row, space, order);
	if (heads)
		order->unique = set_heads(keys, k, row, space->head);
}

void
cpu_window_sort(const gs_sort_keys *keys, int64_t rows, bool heads,
				window_space *space, window_order *order)
{
	cpu_keys	k = keys_of(space, rows);

	sort_rows(keys, &k, NULL, heads, space, order);
}

/* ----------
 * The first rows of each partition
 * ----------
 */

/* A first word, from its partition on. */
typedef struct top_word
{
	uint64_t	partition;
	uint64_t	order;
} top_word;

static inline top_word
top_word_of(const gs_sort_word *word, uint64_t x)
{
	top_word	w = {0, x};

	if (word->order_bits < 64)
	{
		w.partition = x >> word->order_bits;
		w.order = x & ((UINT64_C(1) << word->order_bits) - 1);
	}
	return w;
}

/* Put x among n that ascend, of which the last goes. */
static inline void
insert(uint64_t *least, int64_t n, uint64_t x)
{
	int64_t		i = n - 1;

	for (; i > 0 && least[i - 1] > x; i--)
		least[i] = least[i - 1];
	least[i] = x;
}

/*
 * The positions become the rows whose first words are among the least of their
 * partitions.  False: these are too many, or their words do not tell.
 */
static bool
select_top(const gs_sort_keys *keys, int64_t first, cpu_keys *k)
{
	const gs_sort_word *word = &keys->word[0];
	int			partition_bits = word->bits - word->order_bits;
	uint64_t   *all = k->key;
	uint64_t   *least = k->other_key;
	int64_t		rows = k->n;
	int			n;

	if (!gs_sort_first_word_decides(keys) || partition_bits > 31 ||
		(first << partition_bits) > rows / 2)
		return false;
	memset(least, 0xff, sizeof *least * (size_t) (first << partition_bits));
	for (int64_t at = 0; at < rows; at += n)
	{
		n = rows - at < WINDOWS_BLOCK ? (int) (rows - at) : WINDOWS_BLOCK;
		cpu_window_word(keys, 0, NULL, at, n, all + at);
		for (int i = 0; i < n; i++)
		{
			top_word	w = top_word_of(word, all[at + i]);
			uint64_t   *of = least + (int64_t) w.partition * first;

			if (w.order < of[first - 1])
				insert(of, first, w.order);
		}
	}
	k->n = 0;
	for (int64_t i = 0; i < rows; i++)
	{
		top_word	w = top_word_of(word, all[i]);

		k->position[k->n] = (uint32_t) i;
		k->n += w.order <= least[(int64_t) w.partition * first + first - 1];
	}
	return true;
}

/* Places of greater ranks go. */
static void
keep_ranks(int64_t first, bool has_keys, window_space *space,
		   window_order *order)
{
	int64_t		partition = 0;
	int64_t		before = 0;		/* rows, in the partition */
	int64_t		n = 0;

	for (int64_t i = 0; i < order->n; i++)
	{
		uint8_t		head = space->head[i];

		if (head & HEAD_PARTITION)
			partition = i;
		if (head & HEAD_PEERS)
			before = i - partition;
		if (before >= first)
			continue;
		space->row[n] = order->row == NULL ? (uint32_t) i : order->row[i];
		space->head[n] = head;
		if (has_keys)
			gs_cpu_set_key(space->key, order->width, n,
						   gs_cpu_get_key(space->key, order->width, i));
		n++;
	}
	order->n = n;
	order->row = space->row;
}

void
cpu_window_sort_top(const gs_sort_keys *keys, int64_t rows, int64_t first,
					window_space *space, window_order *order)
{
	cpu_keys	k = keys_of(space, rows);
	const uint32_t *row = select_top(keys, first, &k) ? k.position : NULL;

	sort_rows(keys, &k, row, true, space, order);
	keep_ranks(first, keys->words == 1, space, order);
}

/* Sort what has been collected, and keep the first ones. */
static void
keep_first(cpu_keys *k, int64_t limit, uint64_t *bound)
{
	gs_cpu_sort(k);
	if (k->n < limit)
		return;
	k->n = limit;
	*bound = gs_cpu_get_key(k->key, k->width, limit - 1);
}

/*
 * By one word.  Once there are `limit` rows, one that is not below all of them
 * comes after them, as it does in the relation.
 */
static void
select_first(const gs_sort_keys *keys, int64_t rows, int64_t limit,
			 cpu_keys *k)
{
	uint64_t	block[WINDOWS_BLOCK];
	uint64_t	bound = UINT64_MAX;
	bool		bounded = false;
	int			n;

	for (int64_t at = 0; at < rows; at += n)
	{
		n = rows - at < WINDOWS_BLOCK ? (int) (rows - at) : WINDOWS_BLOCK;
		cpu_window_word(keys, 0, NULL, at, n, block);
		for (int i = 0; i < n; i++)
		{
			gs_cpu_set_key(k->key, k->width, k->n, block[i]);
			k->position[k->n] = (uint32_t) (at + i);
			k->n += !bounded || block[i] < bound;
		}
		if (k->n >= limit + FIRST_MORE)
		{
			keep_first(k, limit, &bound);
			bounded = true;
		}
	}
	keep_first(k, limit, &bound);
}

bool
cpu_window_first(const gs_sort_keys *keys, int64_t rows, int64_t limit,
				 window_space *space, window_order *order)
{
	cpu_keys	k = keys_of(space, 0);

	if (keys->words != 1 || limit + FIRST_MORE + WINDOWS_BLOCK >= rows)
		return false;
	select_first(keys, rows, limit, &k);
	set_order(&k, k.position, space, order);
	return true;
}
