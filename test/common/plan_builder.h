/*-------------------------------------------------------------------------
 *
 * plan_builder.h
 *	  A random plan that is being made; see plan_random.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_PLAN_BUILDER_H
#define TEST_PLAN_BUILDER_H

#include "test/common/plan_reference.h"

#define MAX_ENTRIES	(GS_PLAN_COLUMNS + GS_PLAN_CODE)

/* Computed values of all cases together stay below this. */
#define MAX_CELLS	(INT64_C(3) * 1000 * 1000)

#define ANY_TYPE	0

/*
 * So many rows are for engines' larger structures: column 0 is an integer key,
 * and column 1 floats to sum.
 */
#define MANY_ROWS	6000

/* A column, or the result of an instruction. */
typedef struct plan_entry
{
	gs_operand	operand;
	gs_type		type;
	plan_cell  *cell;			/* of each row */
	bool		errors;			/* in some row */
} plan_entry;

typedef struct plan_builder
{
	plan_case  *c;
	bool		many;			/* rows: MANY_ROWS or more */
	bool		all;			/* rows count, but for a filter */
	bool		arguments;		/* are all that is computed: an engine may do so
								 * while it adds the rows */
	int			entries;
	plan_entry	entry[MAX_ENTRIES];
	bool	   *counts;			/* rows that count, once there is a filter */

	/* the last division by what may be 0, and where it is not; or nothing */
	gs_operand	quotient;
	gs_operand	not_zero;

	/* whose errors are in rows that do not count; NULL: none is */
	plan_entry *masked;
} plan_builder;

/* plan_random.c: columns, constants, and what instructions read */
extern void plan_add_entry(plan_builder *b, gs_operand operand,
						   plan_cell *cell);
extern plan_cell *plan_new_cells(const plan_builder *b);
extern gs_operand plan_add_constant(plan_builder *b, gs_type type, gs_value v,
									bool null);
extern plan_entry *plan_pick(plan_builder *b, gs_type type, bool with_errors);
extern gs_value plan_likely_value(plan_builder *b, gs_type type,
								  const plan_entry *e);
extern gs_operand plan_pick_operand(plan_builder *b, gs_type type,
									bool with_errors);
extern gs_type plan_pick_type(plan_builder *b, bool number);
extern plan_cell plan_cell_of(const plan_builder *b, gs_operand operand,
							  int64_t row);

/* plan_program.c */
extern void plan_add_instruction(plan_builder *b);

/*
 * Conditions that all have to be true, as a filter has them: those of one column
 * may be tested before others.  GS_NOTHING: there is no room for them.
 */
extern gs_operand plan_add_conditions(plan_builder *b);

#endif							/* TEST_PLAN_BUILDER_H */
