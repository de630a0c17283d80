/*-------------------------------------------------------------------------
 *
 * windows_aggregate.c
 *	  Aggregates over the frames of windows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "report/windows_parts.h"

/* A variance, a deviation, or a figure of pairs; of floats alone. */
static bool
find_moments(rows_translation *r, const aggregate_kind *kind, bool pairs,
			 const WindowFunc *call, const gs_given *of, gs_given *given,
			 gs_window_function *f)
{
	bool		fits = pairs && kind->only == GS_BOTH ? of->type == GS_FLOAT8 :
		gs_is_float(of->type);

	f->kind = GS_WINDOW_FIGURE;
	f->figure = (uint8) kind->figure;
	given->type = GS_FLOAT8;
	given->column.form = GS_FORM_VALUE;
	if (fits && call->wintype == FLOAT8OID)
		return true;
	return gs_untranslated_hint(r->t,
								psprintf("window function %s is not supported for this type",
										 get_func_name(call->winfnoid)),
								"Cast its argument to double precision.");
}

/* A sum or an average; of integers, this is a sum and a count. */
static bool
find_figure(rows_translation *r, const aggregate_kind *kind,
			bool pairs, const WindowFunc *call, const gs_given *of,
			gs_given *given, gs_window_function *f)
{
	bool		is_float = gs_is_float(of->type);

	if (gs_figure_has_squares(kind->figure) ||
		gs_figure_is_of_pairs(kind->figure))
		return find_moments(r, kind, pairs, call, of, given, f);
	f->kind = is_float && kind->figure == GS_FIGURE_AVG ? GS_WINDOW_AVERAGE :
		GS_WINDOW_SUM;
	if (!is_float && kind->figure == GS_FIGURE_AVG)
	{
		given->refusal = GS_MEAN_REFUSAL;
		given->sum = ++r->t->givens;
		given->count = ++r->t->givens;
	}
	given->type = is_float ? GS_FLOAT8 : GS_INT8;
	given->column.form = GS_FORM_VALUE;
	if (call->wintype == NUMERICOID)
	{
		given->column.form = GS_FORM_DECIMAL;
		given->column.scale = of->column.form == GS_FORM_DECIMAL ?
			of->column.scale : 0;
	}
	return call->wintype == (is_float ? FLOAT8OID : INT8OID) ||
		(!is_float && call->wintype == NUMERICOID) ||
		gs_rows_refuse_function(r, call, " for this type");
}

static bool
find_extreme(rows_translation *r, const aggregate_kind *kind, bool gpuscan,
			 const WindowFunc *call, gs_given *given, gs_window_function *f)
{
	const gs_given *of = &r->given[r->t->givens - 1];

	if (kind->kind != GS_AGG_MIN && kind->kind != GS_AGG_MAX)
		return gs_rows_refuse_function(r, call, "");
	if (of->column.form != GS_FORM_VALUE && of->column.form != GS_FORM_DECIMAL)
		return gs_rows_refuse(r, "a window function chooses among intervals");
	f->kind = kind->kind == GS_AGG_MIN ? GS_WINDOW_MIN : GS_WINDOW_MAX;
	f->zeros = !gpuscan && gs_is_float(of->type);
	given->type = of->type;
	given->column = of->column;
	return true;
}

/* Has it a fraction behind its value? */
static bool
has_fraction(const aggregate_kind *kind)
{
	return kind != NULL && (kind->rule == GS_RULE_PERCENTILE ||
							kind->rule == GS_RULE_ELEMENT);
}

static bool
find_fraction(rows_translation *r, Expr *expression, double *fraction)
{
	bool		isnull;
	Datum		value;

	*fraction = 0;
	if (!gs_is_window_constant(expression) ||
		exprType((Node *) expression) != FLOAT8OID)
		return gs_rows_refuse(r, BAD_PARAMETER);
	if (r->t->state == NULL && !IsA(expression, Const))
		return true;
	value = gs_evaluate(r->t, expression, &isnull);
	*fraction = isnull ? -1 : DatumGetFloat8(value);
	return (*fraction >= 0 && *fraction <= 1) || gs_rows_refuse(r, BAD_PARAMETER);
}

static bool
find_percentile(rows_translation *r, const aggregate_kind *kind,
				const WindowFunc *call, gs_given *given, gs_window_function *f)
{
	const gs_given *of = &r->given[r->t->givens - 1];
	bool		of_value = of->column.form == GS_FORM_VALUE;

	f->fraction = 0.5;
	if (has_fraction(kind) &&
		!find_fraction(r, lsecond(call->args), &f->fraction))
		return false;
	if (kind->rule == GS_RULE_ELEMENT)
	{
		f->kind = GS_WINDOW_PERCENTILE_DISC;
		given->type = of->type;
		given->column = of->column;
		return (of_value || of->column.form == GS_FORM_DECIMAL) ||
			gs_rows_refuse(r, "a window function chooses among intervals");
	}
	f->kind = GS_WINDOW_PERCENTILE;
	given->type = GS_FLOAT8;
	given->column.form = GS_FORM_VALUE;
	return (of_value && call->wintype == FLOAT8OID) ||
		gs_rows_refuse_function(r, call, " for this type");
}

/* An argument of an aggregate: of codes, their ranks, if it chooses among them. */
static bool
put_argument(rows_translation *r, const WindowFunc *call,
			 const aggregate_kind *kind, Expr *argument, gs_given *given,
			 int16 *column, gs_report_value *value)
{
	gs_operand	operand;

	if (!gs_translate_any(r->before, argument, &operand))
		return gs_rows_refuse_as_before(r);
	gs_translated_value(r->before, argument, operand, value);
	if (kind->rule != GS_RULE_COUNT &&
		(!gs_report_allows(r->before, call->winfnoid, value,
						   gs_reports_setting) ||
		 !gs_equals_look_same(r->before, "window", operand)))
		return gs_rows_refuse_as_before(r);
	if (kind->rule == GS_RULE_VALUE && value->form == GS_FORM_CODE)
	{
		if (exprType((Node *) argument) == BPCHAROID)
			return gs_rows_refuse(r, "a window function chooses among char(n)");
		given->ranked = *value;
		if (!gs_report_ranks_put(r->before, call->inputcollid, false,
								 argument, &operand, &given->ranked))
			return gs_rows_refuse_as_before(r);
	}
	return gs_rows_put_operand(r, operand, argument, column);
}

/*
 * Of pairs, the second argument is y's x, or is what the figure is of; then the
 * first one only has to be present.
 */
static bool
put_pair(rows_translation *r, const WindowFunc *call,
		 const aggregate_kind *kind, gs_given *given, gs_window_function *f,
		 gs_report_value *value)
{
	Expr	   *y = linitial(call->args);
	Expr	   *x = lsecond(call->args);
	bool		only_x = kind->only == GS_ONLY_X;

	return put_argument(r, call, kind, only_x ? y : x, given, &f->second,
						value) &&
		(value->form == GS_FORM_VALUE ||
		 gs_rows_refuse_function(r, call, " for this type")) &&
		put_argument(r, call, kind, only_x ? x : y, given, &f->argument, value);
}

/* So many arguments are values. */
static int
count_values(const known_aggregate *known, const WindowFunc *call)
{
	return list_length(call->args) - has_fraction(known->kind) -
		(known->frame == GS_FRAME_MOVING ? 2 : 0);
}

bool
gs_window_aggregate(rows_translation *r, const WindowFunc *call, gs_given *given,
			   gs_window_function *f)
{
	known_aggregate known = gs_known_aggregate(call->winfnoid);
	int			values = count_values(&known, call);
	bool		pairs = values == 2;
	Expr	   *argument = call->args == NIL ? NULL : linitial(call->args);
	const gs_given *of;
	gs_report_value value;

	given->type = GS_INT8;
	if (known.kind == NULL || values > 2 ||
		(pairs && known.kind->rule != GS_RULE_FIGURE &&
		 known.kind->rule != GS_RULE_COUNT))
		return gs_rows_refuse_function(r, call, "");
	if (known.kind->rule == GS_RULE_COUNT && known.kind->kind == GS_AGG_COUNT &&
		!pairs && (argument == NULL ||
		 (IsA(argument, Const) && !((const Const *) argument)->constisnull)))
	{
		f->kind = GS_WINDOW_COUNT;
		return true;
	}
	if (argument == NULL)
		return gs_rows_refuse_function(r, call, "");
	if (pairs ? !put_pair(r, call, known.kind, given, f, &value) :
		!put_argument(r, call, known.kind, argument, given, &f->argument,
					  &value))
		return false;
	of = &r->given[r->t->givens - 1];
	if (known.kind->rule == GS_RULE_COUNT && known.kind->kind == GS_AGG_COUNT)
	{
		f->kind = GS_WINDOW_COUNT;
		return true;
	}
	switch ((int) known.kind->rule)
	{
		case GS_RULE_FIGURE:
			if (value.form == GS_FORM_INTERVAL)
				return gs_rows_refuse(r, "a window function adds up intervals");
			return find_figure(r, known.kind, pairs, call, of, given, f);
		case GS_RULE_VALUE:
			return find_extreme(r, known.kind, known.gpuscan, call, given,
								f);
		case GS_RULE_MEDIAN:
		case GS_RULE_PERCENTILE:
		case GS_RULE_ELEMENT:
			return find_percentile(r, known.kind, call, given, f);
		default:
			return gs_rows_refuse_function(r, call, "");
	}
}

/* Of gpuscan's window functions, whatever the clause says. */
bool
gs_window_own_frame(rows_translation *r, const WindowFunc *call,
			   gs_own_frame frame, gs_window_function *f)
{
	int			first = list_length(call->args) - 2;

	f->mode = GS_FRAME_ROWS;
	f->start.bound = GS_BOUND_UNBOUNDED;
	f->end.bound = GS_BOUND_CURRENT;
	if (frame == GS_FRAME_CUMULATIVE)
		return true;
	f->start.bound = GS_BOUND_PRECEDING;
	f->end.bound = GS_BOUND_FOLLOWING;
	return gs_window_parameter(r, list_nth(call->args, first), 0, &f->start.offset) &&
		gs_window_parameter(r, list_nth(call->args, first + 1), 0, &f->end.offset);
}
