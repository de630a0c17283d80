/*-------------------------------------------------------------------------
 *
 * evaluation.h
 *	  What an expression gives for each value that its only column can have, or
 *	  for each row of a dimension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_EVALUATION_H
#define GS_REPORT_EVALUATION_H

#include "nodes/execnodes.h"
#include "nodes/primnodes.h"

#include "report/session/dictionary.h"
#include "report/translate/dimension.h"

/* The values that a column can have. */
typedef struct gs_domain
{
	/* the rows of a dimension, n: in the expression: OUTER_VAR; or NULL */
	const gs_dimension *dimension;

	const Var  *var;			/* the column; in the expression: OUTER_VAR 1 */
	const gs_dictionary *dictionary;	/* NULL: integers */

	/* value i is low + i * step, and stands for those up to the next one */
	int64		low;
	int64		step;
	int32		n;
	bool		infinite;		/* the last two stand for the infinite times */

	/* of a condition, and many: a list of codes may be shorter than a table */
	bool		listed;
} gs_domain;

/* Of n values from the first one on; that of NULL is behind all. */
typedef struct gs_evaluation
{
	int32		first;
	int32		n;
	Datum	   *value;
	bool	   *null;
	bool	   *raised;			/* it is an error */
	int			errors;			/* how many have been, with those before; 0 at first */
} gs_evaluation;

/*
 * A piece of the domain's values, which is given by first and n: evaluate it, in
 * the current memory context.  NULL, or English: why it was not done.
 */
extern const char *gs_evaluate_domain(PlanState *plan, Expr *expression,
									  const gs_domain *domain,
									  gs_evaluation *result);

/* Bytes that all results may take together, each different one once. */
extern size_t gs_evaluation_memory(const gs_domain *domain);

/* As ExecInitExpr, for what is evaluated too few times to be compiled. */
extern ExprState *gs_prepare_expression(PlanState *plan, Expr *expression);

#endif							/* GS_REPORT_EVALUATION_H */
