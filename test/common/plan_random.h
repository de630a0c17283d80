/*-------------------------------------------------------------------------
 *
 * plan_random.h
 *	  Random plans (engine/plan.h) with the rows that they run over.
 *
 * All of a case follows from its seed: columns, program, keys, aggregates and
 * rows.  Most cases end without an error of an expression, since what they
 * test is lost otherwise; some do not.
 *
 * plan_random.c makes the program, plan_data.c columns and batches,
 * plan_damage.c damages plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_PLAN_RANDOM_H
#define TEST_PLAN_RANDOM_H

#include "engine/plan.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* A plan and its rows.  It is never copied: plan points into it. */
typedef struct plan_case
{
	uint64_t	seed;
	gs_plan		plan;
	uint8_t		column[GS_PLAN_COLUMNS];
	gs_instruction code[GS_PLAN_CODE];
	gs_constant constant[GS_PLAN_CONSTANTS];
	gs_value   *list;
	int64_t		list_capacity;
	gs_plan_table table[GS_PLAN_TABLES];	/* values are the case's */
	bool		only_list;		/* no tables beside it */
	gs_operand	key[GS_PLAN_KEYS];
	gs_aggregate aggregate[GS_PLAN_AGGREGATES];

	int64_t		rows;
	gs_value   *value[GS_PLAN_COLUMNS];
	bool	   *null[GS_PLAN_COLUMNS];
	bool	   *counts;			/* which rows count; NULL: all do */
} plan_case;

/* With at most max_rows rows.  of_rows: some are plans of rows. */
extern plan_case *plan_case_new(uint64_t seed, int64_t max_rows, bool of_rows);

/* Rows that are there already.  The case takes over their memory. */
typedef struct plan_columns
{
	int			columns;
	uint8_t		type[GS_PLAN_COLUMNS];
	int64_t		rows;
	gs_value   *value[GS_PLAN_COLUMNS];
	bool	   *null[GS_PLAN_COLUMNS];
} plan_columns;

extern plan_case *plan_case_over(uint64_t seed, const plan_columns *from,
								 bool of_rows);
extern void plan_case_free(plan_case *c);

/*
 * plan_program.c: give a look-up a table of n values, of which those may be NULL;
 * on_null is set before.  They take as many bytes as they have to, or more, in the
 * list or beside it.
 */
extern void plan_add_table(plan_case *c, gs_instruction *in,
						   const gs_value *value, const bool *null, int64_t n);

/* plan_data.c: a random column of c->rows rows. */
extern void plan_fill_column(plan_case *c, int column);
extern gs_value plan_random_value(gs_type type);

/*
 * Rows as a batch, each column in one of the forms that gs_column_data has.
 * Memory has exactly the size that it must have, and is aligned no better than
 * it must be.  With `memory`, the batch is in that engine's own.
 */
typedef struct plan_batch
{
	gs_batch	batch;
	gs_column_data column[GS_PLAN_COLUMNS];
	const gs_engine *memory;
	int			buffers;
	void	   *buffer[2 * GS_PLAN_COLUMNS + 1];
	size_t		size[2 * GS_PLAN_COLUMNS + 1];
} plan_batch;

extern void plan_batch_make(plan_batch *b, const plan_case *c, int64_t first,
							int64_t n, const gs_engine *memory);
extern void plan_batch_free(plan_batch *b);

/*
 * The plan as an engine takes it: its tables are in that engine's own memory.
 * False: there is no memory.
 */
typedef struct plan_in_memory
{
	gs_plan		plan;
	gs_plan_table table[GS_PLAN_TABLES];
	const gs_engine *memory;
} plan_in_memory;

extern bool plan_place(plan_in_memory *p, const gs_plan *plan,
					   const gs_engine *memory);
extern void plan_unplace(plan_in_memory *p);

/* plan_damage.c: change something at random, so that it may be invalid. */
extern void plan_damage(plan_case *c);

/* Is it valid?  As engine/plan.h has it, written for the test alone. */
extern bool plan_is_valid(const gs_plan *plan);

#ifdef __cplusplus
}
#endif

#endif							/* TEST_PLAN_RANDOM_H */
