/*-------------------------------------------------------------------------
 *
 * rank_set.c
 *	  A set of ranks, and the k-th least of them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/rank_set.h"

#include <stdbool.h>
#include <string.h>

#define WORD_SHIFT	6
#define WORD_MASK	63
#define ONE			UINT64_C(1)

static inline int
lowest_bit(uint64_t word)
{
	return __builtin_ctzll(word);
}

static inline int
highest_bit(uint64_t word)
{
	return WORD_MASK - __builtin_clzll(word);
}

/* Words of a level, of which all those of the level below have a bit. */
static int64_t
words_for(int64_t bits)
{
	return (bits + WORD_MASK) >> WORD_SHIFT;
}

static int64_t
words_of_all(int64_t capacity, int *levels)
{
	int64_t		words = 0;
	int64_t		bits = capacity;

	*levels = 0;
	do
	{
		bits = words_for(bits);
		words += bits;
		++*levels;
	} while (bits > 1);
	return words;
}

size_t
cpu_rank_set_size(int64_t capacity)
{
	int			levels;

	return words_of_all(capacity, &levels) * sizeof(uint64_t);
}

void
cpu_rank_set_open(cpu_rank_set *s, int64_t capacity, void *memory)
{
	uint64_t   *word = memory;
	int64_t		bits = capacity;

	memset(s, 0, sizeof *s);
	memset(memory, 0, words_of_all(capacity, &s->levels) * sizeof(uint64_t));
	for (int i = 0; i < s->levels; i++)
	{
		s->level[i] = word;
		bits = words_for(bits);
		word += bits;
	}
}

void
cpu_rank_set_clear(cpu_rank_set *s)
{
	for (int64_t rank = cpu_rank_set_next(s, -1); rank >= 0;
		 rank = cpu_rank_set_next(s, rank))
		cpu_rank_set_remove(s, rank);
}

void
cpu_rank_set_add(cpu_rank_set *s, int64_t rank)
{
	int64_t		bit = rank;

	for (int i = 0; i < s->levels; i++, bit >>= WORD_SHIFT)
	{
		uint64_t   *word = &s->level[i][bit >> WORD_SHIFT];
		bool		was_empty = *word == 0;

		*word |= ONE << (bit & WORD_MASK);
		if (!was_empty)
			break;				/* the levels above know */
	}
	if (s->n++ == 0)
	{
		s->at = rank;
		s->below = 0;
	}
	else if (rank < s->at)
		s->below++;
}

/* The next member below a rank; -1: there is none. */
static int64_t
previous(const cpu_rank_set *s, int64_t rank)
{
	for (int i = 0; i < s->levels; i++)
	{
		int64_t		at = rank >> WORD_SHIFT;
		uint64_t		lower = s->level[i][at] &
			((ONE << (rank & WORD_MASK)) - 1);

		if (lower != 0)
		{
			rank = (at << WORD_SHIFT) + highest_bit(lower);
			while (i-- > 0)
				rank = (rank << WORD_SHIFT) +
					highest_bit(s->level[i][rank]);
			return rank;
		}
		rank = at;
	}
	return -1;
}

int64_t
cpu_rank_set_next(const cpu_rank_set *s, int64_t rank)
{
	/* of -1, all bits are above it */
	for (int i = 0; i < s->levels; i++)
	{
		int64_t		at = rank < 0 ? 0 : rank >> WORD_SHIFT;
		uint64_t		upper = rank < 0 ? s->level[i][0] :
			s->level[i][at] & ~((UINT64_C(2) << (rank & WORD_MASK)) - 1);

		if (upper != 0)
		{
			rank = (at << WORD_SHIFT) + lowest_bit(upper);
			while (i-- > 0)
				rank = (rank << WORD_SHIFT) +
					lowest_bit(s->level[i][rank]);
			return rank;
		}
		if (rank >= 0)
			rank = at;
	}
	return -1;
}

void
cpu_rank_set_remove(cpu_rank_set *s, int64_t rank)
{
	int64_t		bit = rank;

	if (rank < s->at)
		s->below--;
	else if (rank == s->at && s->n > 1)
	{
		s->at = cpu_rank_set_next(s, rank);
		if (s->at < 0)
		{
			s->at = previous(s, rank);
			s->below--;
		}
	}
	s->n--;
	for (int i = 0; i < s->levels; i++, bit >>= WORD_SHIFT)
	{
		uint64_t   *word = &s->level[i][bit >> WORD_SHIFT];

		*word &= ~(ONE << (bit & WORD_MASK));
		if (*word != 0)
			break;
	}
}

int64_t
cpu_rank_set_find(cpu_rank_set *s, int64_t k)
{
	for (; s->below < k; s->below++)
		s->at = cpu_rank_set_next(s, s->at);
	for (; s->below > k; s->below--)
		s->at = previous(s, s->at);
	return s->at;
}
