/*-------------------------------------------------------------------------
 *
 * windows.c
 *	  Which windows are valid, what their functions give, and what engines ask of
 *	  them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/windows.h"

static bool
is_integer(gs_type type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

static bool
is_aggregate(gs_window_kind kind)
{
	return kind >= GS_WINDOW_COUNT;
}

/* Of the argument: is there one, and may it have this type?  0: there is none. */
static bool
takes_argument(gs_window_kind kind, gs_type type)
{
	switch (kind)
	{
		case GS_WINDOW_SHIFT:
		case GS_WINDOW_FIRST:
		case GS_WINDOW_LAST:
		case GS_WINDOW_NTH:
			return type != 0;
		case GS_WINDOW_COUNT:
			return true;
		case GS_WINDOW_SUM:
		case GS_WINDOW_MIN:
		case GS_WINDOW_MAX:
		case GS_WINDOW_PERCENTILE:
		case GS_WINDOW_PERCENTILE_DISC:
			return is_integer(type) || gs_is_float(type);
		case GS_WINDOW_AVERAGE:
		case GS_WINDOW_FIGURE:
			return gs_is_float(type);
		default:
			return type == 0;
	}
}

static gs_type
result_type(gs_window_kind kind, gs_type argument)
{
	switch (kind)
	{
		case GS_WINDOW_ROW_NUMBER:
		case GS_WINDOW_RANK:
		case GS_WINDOW_DENSE_RANK:
		case GS_WINDOW_COUNT:
			return GS_INT8;
		case GS_WINDOW_PERCENT_RANK:
		case GS_WINDOW_CUME_DIST:
		case GS_WINDOW_AVERAGE:
		case GS_WINDOW_PERCENTILE:
		case GS_WINDOW_FIGURE:
			return GS_FLOAT8;
		case GS_WINDOW_NTILE:
			return GS_INT4;
		case GS_WINDOW_SUM:
			return gs_is_float(argument) ? GS_FLOAT8 : GS_INT8;
		default:
			return argument;
	}
}

gs_type
gs_window_type(const gs_windows *w, int f, const uint8_t *type)
{
	const gs_window_function *function = &w->function[f];
	gs_type		argument;

	if (f < 0 || f >= w->functions || function->kind < GS_WINDOW_ROW_NUMBER ||
		function->kind >= GS_WINDOW_KINDS)
		return (gs_type) 0;
	argument = function->argument < 0 ? (gs_type) 0 :
		(gs_type) type[function->argument];
	return result_type((gs_window_kind) function->kind, argument);
}

/* A column that is there before any function is computed. */
static bool
is_given(int column, int columns, const gs_finish *finish)
{
	return column >= 0 && column < columns &&
		finish[column].kind != GS_FINISH_WINDOW;
}

static bool
is_used(const gs_windows *w, int window)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (w->function[f].window == window)
			return true;
	}
	return false;
}

/* Results are columns of the last order alone, and only if nothing needs it. */
static bool
window_is_valid(const gs_windows *w, int i, int columns,
				const gs_finish *finish)
{
	const gs_window *window = &w->window[i];
	bool		given = i != w->order || is_used(w, i);

	if (window->columns < 0 || window->columns > GS_WINDOW_COLUMNS_MAX ||
		window->partition < 0 || window->partition > window->columns)
		return false;
	for (int c = 0; c < window->columns; c++)
	{
		const gs_sort_column *sort = &window->column[c];

		if (sort->descending > 1 || sort->nulls_first > 1 ||
			sort->column < 0 || sort->column >= columns ||
			(given && !is_given(sort->column, columns, finish)))
			return false;
	}
	return true;
}

static bool
has_offset(const gs_frame_end *end)
{
	return end->bound == GS_BOUND_PRECEDING ||
		end->bound == GS_BOUND_FOLLOWING;
}

static bool
end_is_valid(const gs_frame_end *end)
{
	return end->bound >= GS_BOUND_UNBOUNDED &&
		end->bound <= GS_BOUND_FOLLOWING &&
		(!has_offset(end) || end->offset >= 0);
}

/* An unbounded end is above all other bounds. */
static bool
frame_is_valid(const gs_windows *w, const gs_window_function *f,
			   const uint8_t *type)
{
	const gs_window *window = &w->window[f->window];

	if (f->mode < GS_FRAME_ROWS || f->mode > GS_FRAME_GROUPS ||
		!end_is_valid(&f->start) || !end_is_valid(&f->end))
		return false;
	if (f->end.bound != GS_BOUND_UNBOUNDED && f->start.bound > f->end.bound)
		return false;
	return !gs_window_has_distances(f) ||
		(window->columns == window->partition + 1 &&
		 is_integer((gs_type) type[window->column[window->partition].column]));
}

/* An offset, or a fraction. */
static bool
parameter_is_valid(const gs_window_function *f)
{
	if (f->kind == GS_WINDOW_NTILE)
		return f->offset >= 1 && f->offset <= INT32_MAX;
	if (f->kind >= GS_WINDOW_PERCENTILE)
		return f->fraction >= 0 && f->fraction <= 1;
	return f->kind != GS_WINDOW_NTH || f->offset >= 1;
}

/* May it have a second argument? */
static bool
takes_second(const gs_window_function *f, gs_type argument)
{
	return f->kind == GS_WINDOW_FIGURE || f->kind == GS_WINDOW_AVERAGE ||
		(f->kind == GS_WINDOW_COUNT && argument != 0);
}

/* Of a figure's arguments, and others' second ones. */
static bool
pairs_are_valid(const gs_window_function *f, const uint8_t *type, int columns,
				const gs_finish *finish)
{
	gs_type		argument = f->argument < 0 ? (gs_type) 0 :
		(gs_type) type[f->argument];

	if (f->kind == GS_WINDOW_FIGURE ?
		f->figure < GS_FIGURE_VAR_POP || f->figure > GS_FIGURE_WEIGHTED_AVG :
		f->figure != 0)
		return false;
	if (f->second == GS_NOTHING)
		return !gs_window_is_of_pairs(f);
	return takes_second(f, argument) && is_given(f->second, columns, finish) &&
		(!gs_window_is_of_pairs(f) ||
		 (argument == GS_FLOAT8 && type[f->second] == GS_FLOAT8));
}

/* Its own members, without its column. */
static bool
function_is_valid(const gs_windows *w, const gs_window_function *f,
				  const uint8_t *type, int columns, const gs_finish *finish)
{
	gs_window_kind kind = (gs_window_kind) f->kind;
	bool		framed = kind >= GS_WINDOW_FIRST;
	gs_type		argument;

	if (kind < GS_WINDOW_ROW_NUMBER || kind >= GS_WINDOW_KINDS ||
		f->window < 0 || f->window >= w->windows || f->zeros > 1 ||
		f->has_default > 1 || (f->has_default && kind != GS_WINDOW_SHIFT))
		return false;
	if (f->argument != GS_NOTHING && !is_given(f->argument, columns, finish))
		return false;
	argument = f->argument < 0 ? (gs_type) 0 : (gs_type) type[f->argument];
	if (f->filter != GS_NOTHING &&
		(!is_aggregate(kind) || !is_given(f->filter, columns, finish) ||
		 type[f->filter] != GS_BOOL))
		return false;
	return takes_argument(kind, argument) && parameter_is_valid(f) &&
		pairs_are_valid(f, type, columns, finish) &&
		(framed ? frame_is_valid(w, f, type) : f->mode == 0);
}

/* Each function has a column, and no other function has it. */
static bool
results_are_valid(const gs_windows *w, const uint8_t *type, int columns,
				  const gs_finish *finish)
{
	int			results = 0;

	for (int c = 0; c < columns; c++)
	{
		int			f = finish[c].of;

		if (finish[c].kind != GS_FINISH_WINDOW)
			continue;
		if (f < 0 || f >= w->functions || w->function[f].result != c ||
			gs_window_type(w, f, type) != (gs_type) type[c])
			return false;
		results++;
	}
	return results == w->functions;
}

/* Are all functions of the window, and do they need no rows behind? */
static bool
all_look_back(const gs_windows *w, int window)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (w->function[f].window != window ||
			!gs_window_looks_back(&w->function[f]))
			return false;
	}
	return true;
}

static bool
first_is_valid(const gs_windows *w)
{
	if (w->first == 0)
		return true;
	return w->first > 0 && w->first <= GS_WINDOW_FIRST_MAX && w->order >= 0 &&
		w->limit == 0 && all_look_back(w, w->order);
}

gs_status
gs_windows_check(const gs_windows *w, const uint8_t *type, int columns,
				 const gs_finish *finish)
{
	if (w->windows < 0 || w->windows > GS_WINDOWS_MAX || w->functions < 0 ||
		w->functions > GS_WINDOW_FUNCTIONS_MAX || w->order < -1 ||
		w->order >= w->windows || w->limit < 0 ||
		(w->limit > 0 && (w->order < 0 || w->functions > 0)))
		return GS_INVALID;
	for (int i = 0; i < w->windows; i++)
	{
		if (!window_is_valid(w, i, columns, finish))
			return GS_INVALID;
	}
	for (int f = 0; f < w->functions; f++)
	{
		if (!function_is_valid(w, &w->function[f], type, columns, finish))
			return GS_INVALID;
	}
	return first_is_valid(w) &&
		results_are_valid(w, type, columns, finish) ? GS_OK : GS_INVALID;
}

/* ----------
 * First ranks
 * ----------
 */

/* Does a function give the column, whose result is at least the rank? */
static bool
is_rank(const gs_windows *w, int column)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (w->function[f].result == column)
			return w->function[f].kind == GS_WINDOW_ROW_NUMBER ||
				w->function[f].kind == GS_WINDOW_RANK;
	}
	return false;
}

/* The greatest rank where a plan's condition is true; INT64_MAX: any. */
static int64_t
greatest_rank(const gs_windows *w, const gs_plan *plan, gs_operand condition)
{
	const gs_instruction *code;
	const gs_constant *most;
	int64_t		a;
	int64_t		b;

	if (condition < GS_RESULT(0) ||
		condition >= GS_RESULT(plan->instructions))
		return INT64_MAX;
	code = &plan->code[condition - GS_RESULT(0)];
	if (code->code == GS_CODE_AND)
	{
		a = greatest_rank(w, plan, code->a);
		b = greatest_rank(w, plan, code->b);
		return a < b ? a : b;
	}
	if ((code->code != GS_CODE_LE && code->code != GS_CODE_LT &&
		 code->code != GS_CODE_EQ) || code->type != GS_INT8 ||
		!is_rank(w, code->a) || code->b < GS_CONSTANT(0) ||
		code->b >= GS_CONSTANT(plan->constants))
		return INT64_MAX;
	most = &plan->constant[code->b - GS_CONSTANT(0)];
	if (most->null || most->value.i8 == INT64_MIN)
		return INT64_MAX;
	return most->value.i8 - (code->code == GS_CODE_LT);
}

void
gs_windows_narrow(gs_windows *w, const gs_plan *plan)
{
	int64_t		most = greatest_rank(w, plan, plan->filter);
	int			window = w->functions > 0 ? w->function[0].window : -1;

	if (most < 1 || most > GS_WINDOW_FIRST_MAX || !all_look_back(w, window) ||
		(w->order >= 0 && w->order != window))
		return;
	w->order = (int16_t) window;
	w->first = most;
}

/* ----------
 * What engines ask
 * ----------
 */

bool
gs_window_has_distances(const gs_window_function *f)
{
	return f->mode == GS_FRAME_RANGE &&
		(has_offset(&f->start) || has_offset(&f->end));
}

gs_window_range
gs_window_range_of(const gs_window_function *f, gs_type type, bool descending)
{
	gs_window_range r;

	r.low = descending ? ~f->high : f->low;
	r.high = descending ? ~f->low : f->high;
	r.least = type == GS_INT2 ? INT16_MIN :
		type == GS_INT4 ? INT32_MIN : INT64_MIN;
	return r;
}

bool
gs_window_looks_back(const gs_window_function *f)
{
	if (f->kind == GS_WINDOW_SHIFT)
		return f->offset <= 0;
	if (f->kind < GS_WINDOW_FIRST)
		return f->kind <= GS_WINDOW_DENSE_RANK;
	return f->end.bound == GS_BOUND_PRECEDING ||
		f->end.bound == GS_BOUND_CURRENT;
}

bool
gs_window_is_of_pairs(const gs_window_function *f)
{
	return f->kind == GS_WINDOW_FIGURE &&
		gs_figure_is_of_pairs((gs_figure) f->figure);
}

bool
gs_window_is_never_null(const gs_window_function *f)
{
	return f->kind < GS_WINDOW_SHIFT || f->kind == GS_WINDOW_COUNT;
}

bool
gs_window_has_functions(const gs_windows *w, int window)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (w->function[f].window == window)
			return true;
	}
	return false;
}

bool
gs_window_computes(const gs_windows *w, int window, int column)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (w->function[f].result == column)
			return w->function[f].window == window;
	}
	return false;
}

static void
widen_range(gs_column_data *column, int64_t low, int64_t high)
{
	column->low = low < column->low ? low : column->low;
	column->high = high > column->high ? high : column->high;
}

static int64_t
default_of(const gs_window_function *f, gs_type type)
{
	return type == GS_INT8 ? f->by_default.i8 :
		type == GS_INT4 ? f->by_default.i4 : f->by_default.i2;
}

void
gs_window_set_range(const gs_window_function *f, gs_type type,
					gs_relation *relation)
{
	gs_column_data *result = &relation->column[f->result];

	result->low = INT64_MAX;
	result->high = INT64_MIN;
	if (f->kind < GS_WINDOW_PERCENT_RANK || f->kind == GS_WINDOW_COUNT)
		widen_range(result, 0, relation->rows);
	else if (f->kind == GS_WINDOW_NTILE)
		widen_range(result, 1, f->offset);
	else if (f->kind != GS_WINDOW_SUM && f->kind != GS_WINDOW_PERCENTILE &&
			 is_integer(type))
	{
		const gs_column_data *argument = &relation->column[f->argument];

		if (argument->low > argument->high)
			return;
		widen_range(result, argument->low, argument->high);
		if (f->has_default)
			widen_range(result, default_of(f, type), default_of(f, type));
	}
}
