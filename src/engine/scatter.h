/*-------------------------------------------------------------------------
 *
 * scatter.h
 *	  The rows of a plan of rows as a look-up table.
 *
 * One of the plan's values, or several as the digits of a number, says where in
 * the table a row's entry is; another value is the entry, or that there is a row.
 * So a plan over one table makes what GS_CODE_LOOKUP of another plan reads: a join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCATTER_H
#define GS_SCATTER_H

#include "engine/plan.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define GS_SCATTER_KEYS		4

/* Entries of a table, at most. */
#define GS_SCATTER_PLACES	(INT64_C(1) << 28)

/* Between which integers the values of rows lie; low > high: none has any. */
typedef struct gs_value_range
{
	int64_t		low;			/* of floats: 0 and */
	int64_t		high;			/* 0 */
	int64_t		nulls;
} gs_value_range;

typedef struct gs_scatter
{
	int32_t		keys;			/* 1 to GS_SCATTER_KEYS */
	int32_t		value;			/* which of the plan's values entries are; -1: 1 if
								 * there is a row, or, if `none` is 1, 0 */
	int32_t		key[GS_SCATTER_KEYS];	/* which are keys: integers or booleans */
	int32_t		width;			/* 1, 2, 4 or 8 bytes, in which the value, if an
								 * integer, is cut; a float has its own */
	int32_t		has_nulls;		/* 0 or 1: the table has bits */
	int32_t		none_null;		/* 0 or 1, with bits: places without a row */
	int32_t		counts;			/* 0, or 1 without a value: count rows whose place
								 * another one has */
	int64_t		none;			/* have this, or, and the bit of NULL */

	/*
	 * A row's place: its keys less these, the first the most significant digit.
	 * Rows that have NULL in one, or are not within, have no place.
	 */
	int64_t		least[GS_SCATTER_KEYS];
	int64_t		count[GS_SCATTER_KEYS]; /* 1 or more; of all the product: */
	int64_t		places;			/* 1 to GS_SCATTER_PLACES; one more entry behind
								 * them has no row */
} gs_scatter;

/* scatter.c: can the plan's rows become it? */
extern bool gs_scatter_check(const gs_plan *plan, const gs_scatter *s);

/* Bytes of the table's entries, a multiple of 8, and with the bits behind them. */
extern int64_t gs_scatter_values(const gs_scatter *s);
extern int64_t gs_scatter_size(const gs_scatter *s);

#ifdef __cplusplus
}
#endif

#endif							/* GS_SCATTER_H */
