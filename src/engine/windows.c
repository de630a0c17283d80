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
			return is_integer(type) || gs_is_float(type);
		case GS_WINDOW_AVERAGE:
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

static bool
offset_is_valid(const gs_window_function *f)
{
	if (f->kind == GS_WINDOW_NTILE)
		return f->offset >= 1 && f->offset <= INT32_MAX;
	return f->kind != GS_WINDOW_NTH || f->offset >= 1;
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
	return takes_argument(kind, argument) && offset_is_valid(f) &&
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
	return results_are_valid(w, type, columns, finish) ? GS_OK : GS_INVALID;
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
	else if (f->kind != GS_WINDOW_SUM && is_integer(type))
	{
		const gs_column_data *argument = &relation->column[f->argument];

		if (argument->low > argument->high)
			return;
		widen_range(result, argument->low, argument->high);
		if (f->has_default)
			widen_range(result, default_of(f, type), default_of(f, type));
	}
}
