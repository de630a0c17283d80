/*-------------------------------------------------------------------------
 *
 * arrays.h
 *	  Random arrays, packed as engines take them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "engine/engine.h"

/* A stream of random numbers. */
typedef struct dice
{
	uint64_t	state;
} dice;

extern uint64_t random_bits(dice *d);
extern int64_t random_below(dice *d, int64_t bound);
extern bool one_in(dice *d, int64_t n);

/* Memory handed out from a block, all of it taken back at once. */
typedef struct arena
{
	char	   *base;
	size_t		size;
	size_t		used;
	bool		registered;		/* with CUDA */
} arena;

extern void *arena_take(arena *a, size_t size);

typedef enum data_kind
{
	DATA_UNIFORM,
	DATA_NORMAL,
	DATA_MONEY,
	DATA_LOGNORMAL_2,
	DATA_LOGNORMAL_10,
	DATA_CANCEL,
	DATA_LEVELS,
	DATA_TIES,
	DATA_SUBNORMAL,
	DATA_NEAR_OVERFLOW,
	DATA_WIDE,
	DATA_ZEROS,
	DATA_INFINITIES,
	DATA_NAN,
	DATA_NEAR_ONE,
	DATA_CONSTANT,
	DATA_SORTED,
	DATA_ANY_BITS,
	DATA_KINDS
} data_kind;

typedef enum null_pattern
{
	NULLS_NONE,
	NULLS_SOME,
	NULLS_MANY,
	NULLS_RUNS,
	NULLS_LEADING,
	NULLS_ALL,
	NULLS_LAST,
	NULLS_BUT_LAST,
	NULL_PATTERNS
} null_pattern;

extern const char *const data_names[DATA_KINDS];
extern const char *const null_names[NULL_PATTERNS];

/* n elements of a type in a span of the arena's memory. */
extern gs_span random_span(dice *d, arena *a, gs_type type, int64_t n,
						   data_kind kind, null_pattern nulls);

/* Flags, one in `density` true; 0: none. */
extern gs_span random_flags(dice *d, arena *a, int64_t n, int64_t density,
							null_pattern nulls);

extern int64_t count_bits(const uint8_t *bits, int64_t from, int64_t n);

#endif							/* ARRAYS_H */
