/*-------------------------------------------------------------------------
 *
 * translate.h
 *	  From SQL's expressions and aggregates to a plan of the engine.
 *
 * The planner translates once, to learn whether that is possible, and each
 * execution once more, when the values of parameters are known.
 *
 * An error that PostgreSQL would raise is an error of the plan: the order in
 * which PostgreSQL evaluates, and what it then leaves out, is kept, or more
 * is taken for an error.  What has no column, and is not made of the engine's
 * instructions, is evaluated when an execution translates, if it cannot raise
 * an error.  Else the plan has an error in its place (`unknown`), and if a row
 * has met that, the execution translates once more, with that expression among
 * those that are needed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TRANSLATE_H
#define GS_REPORT_TRANSLATE_H

#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"
#include "nodes/primnodes.h"

#include "engine/finish.h"
#include "pg/settings.h"
#include "report/table/column.h"
#include "report/translate/dimension.h"
#include "report/translate/ranges.h"

/*
 * What another plan's groups give: a column of a plan whose rows these are.  Vars
 * of this varno stand for it, by its number, from 1 on.
 */
#define GS_GROUP_VAR	INNER_VAR

typedef struct gs_given
{
	gs_type		type;
	gs_report_column column;	/* but for the attribute, which is the number */
	gs_finish	finish;
	gs_report_value ranked;		/* GS_FORM_CODE: the column has ranks of codes */
	const char *refusal;		/* English: why there is no such column; or NULL */
	bool		computed_char;	/* char(n): constants that it is compared with are
								 * not padded; so it is shown or sorted alone */
	int			sum;			/* of a mean: the number of its sum, */
	int			count;			/* and of what tells of how many; else 0 */
} gs_given;

#define GS_COMPUTED_CHAR	"a subquery computes a value of type char(n)"

/* A mean is shown, or compared with a constant; what computes with it is told: */
#define GS_MEAN_REFUSAL \
	"an average of integers or numeric has a number of digits that depends on its value"

/* What earlier tries have learned of expressions without a column. */
typedef struct gs_asked
{
	List	   *needed;			/* rows have needed them */
	List	   *passed;			/* none has, since one of these was found; or since the
								 * first try */
} gs_asked;

/* A plan while it is made.  Its arrays have room for the most that may be. */
typedef struct gs_translation
{
	gs_plan		plan;
	gs_report_column column[GS_PLAN_COLUMNS];	/* the plan's columns */
	Oid			relation;		/* whose columns these are */

	/*
	 * Or the plan whose groups are the rows, what they give, and how that becomes
	 * the plan's columns; NULL: the rows are the relation's.
	 */
	struct gs_translation *before;
	const gs_given *given;
	int			givens;			/* how many there are */
	gs_finish	finish[GS_PLAN_COLUMNS];
	struct gs_windows *windows; /* that compute some of these; NULL: none do */
	gs_operand	counted;		/* which of these rows count, or GS_NOTHING */

	/*
	 * What Vars of varno INDEX_VAR stand for: the scan's custom_scan_tlist.
	 * Other Vars are those of a dimension that has them among its columns, else
	 * those of the table.
	 */
	List	   *tlist;

	/*
	 * gs_dimension: joins, in an order in which each can be looked up; to be set
	 * before anything is translated, and, executing, after they have been read.
	 */
	List	   *dimensions;

	/* whose rows the table's are (translate_held.c); NULL: the report's own */
	const gs_dimension *of;

	/*
	 * The execution, or NULL when planning: then what has no column in it is
	 * not evaluated, and stands for any value of its type.
	 */
	PlanState  *state;

	/*
	 * Executing: expressions without a column that rows have needed.  And the
	 * first other one, for which GS_ERROR_LOOKUP stands, and only for it; NULL:
	 * there is none.
	 */
	List	   *needed;
	List	   *passed;			/* not to be the first, as no row has needed it yet */
	Expr	   *unknown;
	bool		more_unknown;	/* there are others, for which GS_ERROR_DIVISION stands */

	/* Planning: what expressions cost that are evaluated for each value of a range. */
	Cost		evaluation;
	Cost		sorting;		/* and to sort very many, once: an order is kept */

	/*
	 * Executing: have many values been evaluated, to no avail, or is it what the
	 * values are that keeps it from being translated?
	 */
	bool		in_vain;

	/* Executing: what is known of columns' values. */
	gs_column_ranges ranges;

	/* Executing: values of which no row had been read (translate_codes.c) */
	List	   *absent;

	/*
	 * English, for EXPLAIN and DEBUG1: why something was not translated, and
	 * what to write instead, or NULL.  recalled: an execution has found it out.
	 */
	const char *reason;
	const char *hint;
	bool		recalled;
	struct gs_translation_private *private; /* translate.c's */
} gs_translation;

/*
 * x IN (SELECT ...), or with ALL, which is translated if the subquery does not depend on
 * the row?  And is it of several columns?
 */
extern bool gs_is_membership(const SubPlan *plan);
extern bool gs_is_membership_of_rows(const SubPlan *plan);

/*
 * After a report has been made: may rows that it has read have values that the
 * plan took for absent?  Then it is wrong, and must be made once more.
 */
extern bool gs_absent_have_come(const gs_translation *t);

/* Has it, or one of a list, so many levels that it is not to be translated? */
extern bool gs_is_too_deep(Node *expression);

extern void gs_translation_init(gs_translation *t, Oid relation, List *tlist,
								PlanState *state);

/*
 * These return false if it cannot be done.  gs_translate: any expression whose
 * values the engine has.  gs_translate_any: also one whose values it has codes
 * of, as gs_is_code tells; of a code there is no more to compute than whether it
 * is NULL, and how many there are.
 * gs_translate_filter: which rows count.  quals that are joined by AND, in the
 * order in which PostgreSQL evaluates them (gs_order_quals); NIL: no filter.  With
 * dimensions, those of the table alone come first, then the joins, which need no
 * quals, then the others.  A key must not be a constant.
 */
extern bool gs_translate(gs_translation *t, Expr *expression,
						 gs_operand *operand);
extern bool gs_translate_any(gs_translation *t, Expr *expression,
							 gs_operand *operand);
extern bool gs_translate_filter(gs_translation *t, List *quals,
								gs_operand *operand);
extern bool gs_translate_key(gs_translation *t, Expr *expression);

/* Of the table's rows: their TIDs as integers, or the OIDs of their tables. */
extern bool gs_put_system_column(gs_translation *t, AttrNumber attribute,
								 gs_operand *r);

/* A boolean: does the text of a column match a pattern (pattern.h)? */
extern bool gs_put_match(gs_translation *t, AttrNumber attribute,
						 const char *pattern, size_t size, gs_operand *r);

/* What another plan gives, by its number. */
extern bool gs_put_given(gs_translation *t, int number, gs_operand *r);
extern bool gs_translate_given(gs_translation *t, int number,
							   gs_operand *operand);

extern bool gs_is_code(const gs_translation *t, gs_operand operand);

/* How SQL's value follows from the operand that the expression has become. */

/*
 * Keys, and what they are.  combine: where several are of one dimension's rows, a
 * number of such a row may be the plan's key in place of them.
 */
extern bool gs_translate_keys(gs_translation *t, List *keys, bool combine,
							  gs_report_value *value);
extern void gs_translated_value(const gs_translation *t, Expr *expression,
								gs_operand operand, gs_report_value *value);

/* Quals in the order in which a scan evaluates them. */
extern List *gs_order_quals(PlannerInfo *root, List *quals);

/* The plan's aggregate like this, which is added if there is none; -1: full. */
extern int	gs_translation_aggregate(gs_translation *t,
									 const gs_aggregate *aggregate);

#endif							/* GS_REPORT_TRANSLATE_H */
