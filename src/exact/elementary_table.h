/*-------------------------------------------------------------------------
 *
 * elementary_table.h
 *	  What exponentials and logarithms (elementary.c) take from a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTARY_TABLE_H
#define GS_ELEMENTARY_TABLE_H

#include "exact/fixed.h"

#define GS_EXP_ENTRIES	128
#define GS_LN_ENTRIES	256
#define GS_LN_UPPER		107	/* the first whose ln is nearer to ln 2 than to 0 */

typedef struct gs_elementary_table
{
	gs_fixed	ln2;			/* in fixed point */
	gs_fixed	log10_e;		/* 1 / ln 10, in fixed point */
	double		steps_per_one;	/* GS_EXP_ENTRIES / ln 2 */
	double		step[3];		/* ln 2 / GS_EXP_ENTRIES: short, short, rest */
	double		ln2_high;		/* ln 2: a short part, the rest */
	double		ln2_low;
	gs_pair		third;			/* 1 / 3 */
	gs_pair		pair_log10_e;
	gs_pair		power[GS_EXP_ENTRIES];	/* 2^(i / GS_EXP_ENTRIES) */
	double		inverse[GS_LN_ENTRIES]; /* about 1 / m, where m begins with i */
	gs_pair		ln[GS_LN_ENTRIES];	/* of 1 / inverse; less ln 2, from
									 * GS_LN_UPPER on: a short part, the rest */
} gs_elementary_table;

/* Made by gs_elementary_init. */
extern gs_elementary_table gs_elementary;

#endif							/* GS_ELEMENTARY_TABLE_H */
