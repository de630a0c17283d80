/*-------------------------------------------------------------------------
 *
 * groups.h
 *	  Contests of groups: what plans, peers and data share.
 *
 * groups.cu has the contests, groups_query.cu executes gpuscan's plans,
 * groups_cub.cu and groups_atomics.cu do the same work in other ways,
 * groups_data.cu makes the rows, groups_expect.cu says what should come out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "bench.h"

#define GROUP_ROWS		INT64_C(100000000)

/*
 * The rows, in the engine's own memory.  Keys are 0 to groups - 1.  Contests
 * fill what they need.
 */
typedef struct group_rows
{
	int32_t    *key;
	double	   *value;			/* finite */

	/* filtered by */
	int32_t    *day;			/* 0 to 2,499 */
	double	   *weight;			/* in [0, 1) */

	/* scaled integers; narrow: less their lowest value, 4, 1, 1 bytes */
	int64_t    *price;
	int64_t    *discount;
	int64_t    *tax;
	uint32_t   *narrow_price;
	uint8_t    *narrow_discount;
	uint8_t    *narrow_tax;
} group_rows;

#define DAYS			2500
#define FIRST_DAY		1000
#define END_DAY			1833	/* a third of the days */
#define LIGHTEST		0.25	/* of these, three quarters weigh more */

#define PRICE_LOW		90000	/* as in TPC-H, in cents and percents */
#define PRICE_HIGH		10494950
#define DISCOUNT_HIGH	10
#define TAX_HIGH		8

#define BUCKETS			256		/* of values, from 0 to 1 */

extern group_rows rows;

typedef enum distribution
{
	FULL,						/* uniform in [0, 1), 53 significant bits */
	UNIT,						/* uniform in [0, 1), multiples of 2^-53 */
	NORMAL
} distribution;

/* groups_data.cu */
extern void open_rows(void);	/* nothing if they are open */
extern void close_rows(void);
typedef enum key_order
{
	RANDOM,
	HALF_IN_ONE,				/* half of the rows are of one group */
	ASCENDING
} key_order;

extern void fill_keys(int groups, key_order order, uint64_t seed);
extern void fill_values(distribution d, uint64_t seed);
extern void fill_filter(void);
extern void fill_charge(void);

/*
 * What an execution gives: `columns` numbers for each key; NaN where the group
 * has no rows.
 */
typedef struct figures
{
	int			groups;
	int			columns;
	std::vector<double> at;
} figures;

/* What the columns are: those of a contest. */
typedef enum group_work
{
	WORK_SUM,					/* sum */
	WORK_AVERAGE,				/* of rows that pass the filter: count, sum */
	WORK_SIX,					/* count, sum, sum of squares, min, max */
	WORK_CHARGE,				/* count, sums of price, discount, price (100 -
								 * discount), that times (100 + tax) */
	WORK_HISTOGRAM				/* below, the buckets, above, NaN */
} group_work;

/* groups_expect.cu */
extern int	columns_of(group_work work);
extern figures no_figures(int groups, int columns);
extern figures expect(group_work work, int groups);

/*
 * Counts, extremes and sums of integers must be the expected ones.  Sums of
 * floats may be off by this much of their own size or of an average group's,
 * whichever is larger.
 */
extern bool agree(group_work work, const figures &got,
				  const figures &expected, double tolerance);

/* Are these, two for each group, the values in the middle of their group? */
extern bool are_medians(const figures &got);

/*
 * Not gpuscan: `get` is its result, which must agree.  `expected` stays valid.
 */
extern contestant group_contestant(const char *name,
								   std::function<void(void)> run,
								   std::function<figures(void)> get,
								   group_work work, const figures *expected);

/* WORK_HISTOGRAM: of 4-byte counts in the arena's `out` */
extern figures get_group_counts(int groups);

/* groups_cub.cu, groups_atomics.cu */
extern std::vector<contestant> group_cub(group_work work, int groups,
										 const figures *expected);
extern contestant group_cub_median(int groups);
extern std::vector<contestant> group_atomics(group_work work, int groups,
											 const figures *expected);

#endif							/* GROUPS_H */
