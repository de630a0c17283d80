/*-------------------------------------------------------------------------
 *
 * data.h
 *	  Random elements of arrays: kinds of data, and patterns of NULLs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_DATA_H
#define TEST_DATA_H

#include "engine/engine.h"

/* Kinds of data that are hard for exact sums or for fast paths. */
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
	DATA_EDGE_OF_OVERFLOW,
	DATA_MIXED,
	DATA_BINADES,
	DATA_ZEROS,
	DATA_NEGATIVE_ZEROS,
	DATA_INFINITIES,
	DATA_NAN,
	DATA_NEAR_ONE,
	DATA_CONSTANT,
	DATA_SORTED,
	DATA_SMALL_INTEGERS,
	DATA_ANY_BITS,
	DATA_KINDS
} data_kind;

extern const char *const data_names[DATA_KINDS];

/*
 * n packed values of a type.  Kinds that make no sense for integers give
 * integers of some other kind; bools are random bits.
 */
extern void fill_elements(void *values, gs_type type, int64_t n,
						  data_kind kind);
extern void fill_double(double *v, int64_t n, data_kind kind);
extern void fill_float(float *v, int64_t n, data_kind kind);

typedef enum null_pattern
{
	NULLS_NONE,
	NULLS_SOME,
	NULLS_MANY,
	NULLS_RUNS,
	NULLS_LEADING,
	NULLS_TRAILING,
	NULLS_ALL,
	NULLS_LAST,
	NULLS_BUT_LAST,
	NULL_PATTERNS
} null_pattern;

extern const char *const null_names[NULL_PATTERNS];

/* Which of n elements are NULL. */
typedef struct null_series
{
	null_pattern pattern;
	int64_t		n;
	int64_t		border;			/* length of a run; end of the leading ones or
								 * start of the trailing ones */
	int64_t		rarity;			/* NULLS_SOME: one in this many is NULL */
} null_series;

extern null_series random_nulls(null_pattern pattern, int64_t n);

/* Call it once for each element: it may draw a random number. */
extern bool is_null(const null_series *of, int64_t i);

#endif							/* TEST_DATA_H */
