/*-------------------------------------------------------------------------
 *
 * rank_set.c
 *	  A set of ranks, and the k-th least of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "port/pg_bitutils.h"

#include "functions/rank_set.h"

#define WORD_SHIFT	6
#define WORD_MASK	63

/* Words of a level, of which all those of the level below have a bit. */
static int64
words_for(int64 bits)
{
	return (bits + WORD_MASK) >> WORD_SHIFT;
}

static int64
words_of_all(int64 capacity, int *levels)
{
	int64		words = 0;
	int64		bits = capacity;

	*levels = 0;
	do
	{
		bits = words_for(bits);
		words += bits;
		++*levels;
	} while (bits > 1);
	return words;
}

void
gs_rank_set_open(gs_rank_set *s, int64 capacity)
{
	int64		bits = Max(capacity, 1);
	uint64	   *word;

	memset(s, 0, sizeof *s);
	word = gs_alloc_large(words_of_all(bits, &s->levels) * sizeof(uint64));
	Assert(s->levels <= GS_RANK_LEVELS);
	for (int i = 0; i < s->levels; i++)
	{
		s->level[i] = word;
		bits = words_for(bits);
		word += bits;
	}
	memset(s->level[0], 0, (char *) word - (char *) s->level[0]);
}

void
gs_rank_set_close(gs_rank_set *s)
{
	pfree(s->level[0]);
}

void
gs_rank_set_clear(gs_rank_set *s)
{
	for (int64 rank = gs_rank_set_next(s, -1); rank >= 0;
		 rank = gs_rank_set_next(s, rank))
		gs_rank_set_remove(s, rank);
}

void
gs_rank_set_add(gs_rank_set *s, int64 rank)
{
	int64		bit = rank;

	for (int i = 0; i < s->levels; i++, bit >>= WORD_SHIFT)
	{
		uint64	   *word = &s->level[i][bit >> WORD_SHIFT];
		bool		was_empty = *word == 0;

		*word |= UINT64CONST(1) << (bit & WORD_MASK);
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
static int64
previous(const gs_rank_set *s, int64 rank)
{
	for (int i = 0; i < s->levels; i++)
	{
		int64		at = rank >> WORD_SHIFT;
		uint64		lower = s->level[i][at] &
			((UINT64CONST(1) << (rank & WORD_MASK)) - 1);

		if (lower != 0)
		{
			rank = (at << WORD_SHIFT) + pg_leftmost_one_pos64(lower);
			while (i-- > 0)
				rank = (rank << WORD_SHIFT) +
					pg_leftmost_one_pos64(s->level[i][rank]);
			return rank;
		}
		rank = at;
	}
	return -1;
}

int64
gs_rank_set_next(const gs_rank_set *s, int64 rank)
{
	/* of -1, all bits are above it */
	for (int i = 0; i < s->levels; i++)
	{
		int64		at = rank < 0 ? 0 : rank >> WORD_SHIFT;
		uint64		upper = rank < 0 ? s->level[i][0] :
			s->level[i][at] & ~((UINT64CONST(2) << (rank & WORD_MASK)) - 1);

		if (upper != 0)
		{
			rank = (at << WORD_SHIFT) + pg_rightmost_one_pos64(upper);
			while (i-- > 0)
				rank = (rank << WORD_SHIFT) +
					pg_rightmost_one_pos64(s->level[i][rank]);
			return rank;
		}
		if (rank >= 0)
			rank = at;
	}
	return -1;
}

void
gs_rank_set_remove(gs_rank_set *s, int64 rank)
{
	int64		bit = rank;

	if (rank < s->at)
		s->below--;
	else if (rank == s->at && s->n > 1)
	{
		s->at = gs_rank_set_next(s, rank);
		if (s->at < 0)
		{
			s->at = previous(s, rank);
			s->below--;
		}
	}
	s->n--;
	for (int i = 0; i < s->levels; i++, bit >>= WORD_SHIFT)
	{
		uint64	   *word = &s->level[i][bit >> WORD_SHIFT];

		*word &= ~(UINT64CONST(1) << (bit & WORD_MASK));
		if (*word != 0)
			break;
	}
}

int64
gs_rank_set_find(gs_rank_set *s, int64 k)
{
	for (; s->below < k; s->below++)
		s->at = gs_rank_set_next(s, s->at);
	for (; s->below > k; s->below--)
		s->at = previous(s, s->at);
	return s->at;
}
