/*-------------------------------------------------------------------------
 *
 * sort_keys.h
 *	  Words of up to 64 bits, in whose order the rows of a window are sorted.
 *
 * A column's values become unsigned integers from 0 on, its codes, NULL one of
 * them, and several columns share a word, as far as there are bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SORT_KEYS_H
#define GS_SORT_KEYS_H

#include "engine/windows.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Numbers to divide multiples by. */
typedef struct gs_sort_step
{
	uint64_t	step;
	uint64_t	inverse;		/* what gives 1 with the step's odd part */
	uint64_t	most;			/* a multiple may be divided to */
	int			shift;			/* the step's zeros at the end */
} gs_sort_step;

/* Of 0, 0 alone is a multiple. */
GS_INLINE gs_sort_step
gs_sort_step_of(uint64_t step)
{
	gs_sort_step s = {step, 1, 0, 0};
	uint64_t	odd = step;

	if (step == 0)
		return s;
	for (; (odd & 1) == 0; odd >>= 1)
		s.shift++;
	s.inverse = odd;			/* as to its last 3 bits; then twice as many */
	for (int bits = 3; bits < 64; bits *= 2)
		s.inverse *= 2 - odd * s.inverse;
	s.most = UINT64_MAX / step;
	return s;
}

GS_INLINE uint64_t
gs_sort_divide(uint64_t inverse, int shift, uint64_t x)
{
	return (x >> shift) * inverse;
}

GS_INLINE bool
gs_sort_is_multiple(const gs_sort_step *s, uint64_t x)
{
	return (x << (63 - s->shift) << 1) == 0 &&
		gs_sort_divide(s->inverse, s->shift, x) <= s->most;
}

GS_INLINE uint64_t
gs_sort_distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t) b - (uint64_t) a : (uint64_t) a - (uint64_t) b;
}

GS_INLINE uint64_t
gs_greatest_divisor(uint64_t a, uint64_t b)
{
	while (b != 0)
	{
		uint64_t	rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * What an engine has found in a column of the order.  Values are integers in
 * their order, of which equal ones have the same.
 */
typedef struct gs_sort_found
{
	bool		nulls;			/* there are some */
	int64_t		low;			/* low > high: there are no values */
	int64_t		high;

	/*
	 * Times are often whole seconds, or days.  Of GS_INT8 the greatest step of
	 * which all distances to a value are multiples; 0: it is not known.
	 */
	uint64_t	step;
	int64_t		value;
} gs_sort_found;

/* A part of a word: from a column's values, or only from where it is NULL. */
typedef struct gs_sort_part
{
	const void *values;
	const uint8_t *validity;	/* NULL: there is no NULL */
	uint64_t	null;			/* the code of NULL */
	uint64_t	first;			/* the code of the first value */
	int64_t		edge;			/* the first value */
	uint64_t	step;			/* codes are so far apart, as values: */
	uint64_t	inverse;
	int			shift;
	int			bits;
	uint8_t		type;			/* gs_type */
	bool		descending;
	bool		flag;			/* 1 bit: is it NULL, or not */
} gs_sort_part;

#define GS_SORT_PARTS	(2 * GS_WINDOW_COLUMNS_MAX)

typedef struct gs_sort_word
{
	int			part;			/* the first one */
	int			parts;
	int			bits;
	int			order_bits;		/* of these, which are not the partition's */
} gs_sort_word;

/* Words, the first of which decides. */
typedef struct gs_sort_keys
{
	int			words;
	gs_sort_word word[GS_SORT_PARTS];
	gs_sort_part part[GS_SORT_PARTS];
} gs_sort_keys;

/* found: of each column of the window, in its order. */
extern void gs_sort_keys_make(const gs_window *w, const gs_relation *relation,
							  const uint8_t *type, const gs_sort_found *found,
							  gs_sort_keys *keys);

/* Does the first word tell partitions apart? */
extern bool gs_sort_first_word_decides(const gs_sort_keys *keys);

/* The code of a value that is not NULL. */
GS_INLINE uint64_t
gs_sort_code(const gs_sort_part *p, int64_t value)
{
	uint64_t	x = p->descending ? (uint64_t) p->edge - (uint64_t) value :
		(uint64_t) value - (uint64_t) p->edge;

	return p->first + gs_sort_divide(p->inverse, p->shift, x);
}

#ifdef __cplusplus
}
#endif

#endif							/* GS_SORT_KEYS_H */
