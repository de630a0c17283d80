/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many groups a report has.
 *
 * PostgreSQL takes an expression to have as many values as its columns have,
 * unless there are statistics of it.  For extract(hour FROM time) that may be a
 * group a row.  Here the number of a key's values is bounded by what is known
 * of the functions that reports group by, and of the column's range.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"

#include "report/query.h"
#include "report/translate/translate_parts.h"

/* How many distinct values has the column, as far as is known? */
static double
values_of_column(const gs_report_query *q, Var *column)
{
	VariableStatData statistics;
	double		values;
	bool		is_default;

	examine_variable(q->root, (Node *) column, 0, &statistics);
	values = get_variable_numdistinct(&statistics, &is_default);
	ReleaseVariableStats(statistics);
	return is_default ? INFINITY : values + 1;	/* and NULL */
}

/* How many days or microseconds lie between its values? */
static double
range_of_column(const gs_translation *t, const Var *column)
{
	gs_column_range range;

	if (!gs_ranges_guess(t->relation, column->varattno, &range) ||
		range.high < range.low)
		return INFINITY;
	return (double) range.high - (double) range.low;
}

/* How many values has an expression of a date or timestamp? */
static double
values_over_time(const gs_translation *t, Expr *key, const Var *column)
{
	double		unit = column->vartype == DATEOID ? USECS_PER_DAY : 1;
	int64		granule;
	int64		step;
	int			values;

	gs_unit_values(key, &values, &step);
	if (values > 0)
		return values + 1;
	if (step > 0)
		return range_of_column(t, column) * unit / (double) step + 3;
	if (column->vartype == DATEOID)
		return INFINITY;
	granule = gs_granule(t, key, column->vartype);
	return granule == 0 ? INFINITY :
		range_of_column(t, column) / (double) granule + 3;
}

double
gs_report_key_values(const gs_report_query *q, const gs_translation *t,
					 Expr *key)
{
	List	   *columns = pull_var_clause((Node *) key, 0);
	Var		   *column;
	double		values = exprType((Node *) key) == BOOLOID ? 3 : INFINITY;
	ListCell   *cell;

	column = linitial(columns);
	foreach(cell, columns)
	{
		if (!equal(lfirst(cell), column))
			return values;
	}
	values = Min(values, values_of_column(q, column));
	if ((Index) column->varno != q->fact->relid || q->stage != NULL)
		return values;
	if (column->vartype == DATEOID || column->vartype == TIMESTAMPOID ||
		column->vartype == TIMESTAMPTZOID)
		values = Min(values, values_over_time(t, key, column));
	return values;
}

double
gs_report_groups_by(const gs_report_query *q, List *expressions)
{
	if (expressions == NIL)
		return 1;
#if PG_VERSION_NUM >= 140000
	return estimate_num_groups(q->root, expressions, q->input->rows, NULL, NULL);
#else
	return estimate_num_groups(q->root, expressions, q->input->rows, NULL);
#endif
}

/* Of these keys; NULL: of all. */
static double
groups_of(const gs_report_query *q, const List *places)
{
	List	   *keys = NIL;
	double		most = 1;
	ListCell   *cell;
	int			k = 0;

	foreach(cell, q->keys)
	{
		if (places == NULL || list_member_int(places, k))
		{
			keys = lappend(keys, lfirst(cell));
			most *= q->key_values[k];
		}
		k++;
	}
	return clamp_row_est(Min(gs_report_groups_by(q, keys), most));
}

double
gs_report_key_groups(const gs_report_query *q)
{
	return groups_of(q, NULL);
}

double
gs_report_all_groups(const gs_report_query *q)
{
	double		groups = 0;
	ListCell   *cell;

	if (q->sets == NIL)
		return gs_report_key_groups(q);
	foreach(cell, q->sets)
		groups += lfirst(cell) == NIL ? 1 : groups_of(q, lfirst(cell));
	return groups;
}
