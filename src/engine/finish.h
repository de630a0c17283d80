/*-------------------------------------------------------------------------
 *
 * finish.h
 *	  From the states of groups to values: a relation that another plan reads.
 *
 * What SQL rounds where a value leaves an aggregate is rounded here, once, with
 * the bits that the aggregate's result has in SQL (exact/figures.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FINISH_H
#define GS_FINISH_H

#include <float.h>
#include <string.h>

#include "engine/plan.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum gs_finish_kind
{
	GS_FINISH_KEY = 1,			/* a key */
	GS_FINISH_COUNT,			/* of GS_AGG_COUNT, GS_AGG_DISTINCT: int8 */
	GS_FINISH_VALUE,			/* of GS_AGG_MIN, MAX, MODE and bits: its type */
	GS_FINISH_INTEGER,			/* a sum of integers: int8 */
	GS_FINISH_FIGURE,			/* of a sum of floats: float8, or float4 for
								 * GS_FIGURE_SUM_REAL */
	GS_FINISH_PERCENTILE,		/* of GS_AGG_PERCENTILE: float8, between both
								 * values (percentile.h) */
	GS_FINISH_ELEMENT,			/* the same, but one of both: its type */
	GS_FINISH_ROW,				/* of GS_AGG_VALUE: its type */
	GS_FINISH_WINDOW			/* `of` is a function (windows.h): its type */
} gs_finish_kind;

/*
 * How a column follows from groups.  What does not fit, or is out of range, is
 * GS_ERROR_RANGE, and so is a zero whose sign depends on the order of rows.
 */
typedef struct gs_finish
{
	uint8_t		kind;			/* gs_finish_kind */
	uint8_t		figure;			/* GS_FINISH_FIGURE: gs_figure */

	/*
	 * 0 or 1: may that zero be there?  It is, if a key has a -0 among its
	 * rows, if the least value is -0, or if the greatest is 0 and there is a -0.
	 */
	uint8_t		zeros;
	uint8_t		unused;
	int16_t		of;				/* the key, or the aggregate; of a figure of
								 * pairs, that of products */
	int16_t		count;			/* aggregate: how many values; NULL of too few */
	int16_t		squares;		/* aggregate: of figures of one variable that
								 * need them, else -1 */
	int16_t		specials;		/* aggregate: of what `zeros` is about, or -1 */
} gs_finish;

/* The type of its values; 0: the plan has no such groups. */
extern gs_type gs_finish_type(const gs_plan *plan, const gs_finish *finish);

/* The sums of which a figure is made, as in gs_sums. */
typedef enum gs_figure_sum
{
	GS_SUM_X,
	GS_SUM_Y,
	GS_SUM_XX,
	GS_SUM_YY,
	GS_SUM_XY,
	GS_FIGURE_SUMS				/* how many there are */
} gs_figure_sum;

/*
 * The aggregates that are these sums; -1: it needs no such.  False: the plan does
 * not have all.
 */
extern bool gs_finish_sums(const gs_plan *plan, const gs_finish *finish,
						   int *aggregate);

/*
 * A report is one plan, or several: each but the first reads what the one before
 * it has found, `finish` of each of its own columns.
 */
#define GS_STAGES_MAX	8

typedef struct gs_stage
{
	gs_plan		plan;
	const gs_finish *finish;	/* NULL: it reads a table */
	const struct gs_windows *windows;	/* of the columns that are read; NULL:
										 * there are none */
} gs_stage;

extern gs_status gs_stages_check(const gs_stage *stage, int stages);

/*
 * Columns of values, in host memory: as a batch that is not resident, cut at
 * multiples of 8 rows.
 */
typedef struct gs_relation
{
	int64_t		rows;
	int32_t		columns;
	int32_t		device;			/* that has the memory */
	void	   *memory;			/* an engine's own (relation.h), which has all
								 * columns; else NULL */
	gs_column_data column[GS_PLAN_COLUMNS];
} gs_relation;

/* Bytes of so many rows; and the columns laid out in such memory. */
extern size_t gs_relation_size(const uint8_t *type, int columns, int64_t rows);
extern void gs_relation_lay(gs_relation *r, const uint8_t *type, int columns,
							int64_t rows, void *memory);

/*
 * The least and the greatest of n integers that are neither packed nor narrow;
 * as they were, if all are NULL.
 */
extern void gs_find_range(gs_type type, gs_column_data *column, int64_t n);

/* So many groups are finished at a time; what that takes beside the relation. */
#define GS_FINISH_GROUPS	4096
#define GS_FINISH_WIDE		16

typedef struct gs_finish_space
{
	uint8_t		nulls[GS_FINISH_GROUPS];
	int64_t		count[GS_FINISH_GROUPS];
	union
	{
		gs_value	value[GS_FINISH_GROUPS];
		gs_value	pair[GS_FINISH_GROUPS][2];
		gs_integer_sum integer[GS_FINISH_GROUPS];
		gs_float_sum sum[GS_FIGURE_SUMS][GS_FINISH_GROUPS];
	}			state;
	int64_t		specials[GS_FINISH_GROUPS][GS_SPECIALS];

	/* some wide sums of each: gs_acc or gs_acc2 */
	gs_acc2		wide[GS_FIGURE_SUMS][GS_FINISH_WIDE];
} gs_finish_space;

/*
 * Finish groups `first` to `first + n - 1` of an execution into the same rows of
 * the relation: finish[c] is column c's.  first is a multiple of 64, and n at
 * most GS_FINISH_GROUPS.  Columns of windows get no values: all are NULL.  Bits
 * of *errors are set.
 */
extern gs_status gs_finish_groups(const gs_plan_engine *engine,
								  gs_plan_run *run, const gs_plan *plan,
								  const gs_finish *finish, int64_t first,
								  int64_t n, gs_relation *relation,
								  gs_finish_space *space, uint32_t *errors);

/*
 * The same by several threads, of any number of groups (engine/cpu/plan/finish.c).
 * The engine's fetch must be for several at a time, as the CPU engine's is.
 */
extern gs_status gs_cpu_finish_groups(const gs_plan_engine *engine,
									  gs_plan_run *run, const gs_plan *plan,
									  const gs_finish *finish, int64_t first,
									  int64_t n, gs_relation *relation,
									  gs_finish_space *space,
									  uint32_t *errors);

/*
 * Round a sum that has no more than 96 bits and a sign, of numbers alone, as
 * that of most groups.  False: it is another one.
 */
static inline bool
gs_round_short_sum(const gs_float_sum *sum, double *result)
{
	int			lowest = GS_ACC_LOWEST + 32 * sum->first;
	uint32_t	sign = (uint32_t) ((int32_t) sum->limb[GS_FLOAT_SUM_LIMBS - 1] >> 31);
	uint32_t	other = (sum->seen ^ GS_SEEN_NOT_NEGATIVE_ZERO) |
		(uint32_t) sum->wide;
	unsigned __int128 bits;
	uint64_t	scale_bits;
	double		scale;

	for (int i = 3; i < GS_FLOAT_SUM_LIMBS; i++)
		other |= sum->limb[i] ^ sign;
	if (other != 0 || lowest < DBL_MIN_EXP - 1 || lowest > DBL_MAX_EXP - 98)
		return false;
	bits = (unsigned __int128) ((uint64_t) sign << 32 | sum->limb[2]) << 64 |
		((uint64_t) sum->limb[1] << 32 | sum->limb[0]);
	scale_bits = (uint64_t) (lowest + DBL_MAX_EXP - 1) << (DBL_MANT_DIG - 1);
	memcpy(&scale, &scale_bits, sizeof scale);

	/* the conversion rounds, and the product is exact, since it is normal */
	*result = (double) (__int128) bits * scale;
	return true;
}

#ifdef __cplusplus
}
#endif

#endif							/* GS_FINISH_H */
