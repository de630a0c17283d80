/*-------------------------------------------------------------------------
 *
 * windows_translate.c
 *	  From SQL's window functions to the engine's.
 *
 * What is used of each row becomes a value of a plan of rows; what windows need
 * of it is a column of the next plan, and so is what each function gives.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "report/tid_fetch.h"
#include "report/windows_parts.h"

/* PostgreSQL's own window functions: their OIDs in pg_proc follow one another. */
#define FIRST_FUNCTION	3100

static const struct
{
	uint8		kind;			/* gs_window_kind */
	uint8		type;			/* gs_type; 0: the argument's */
	bool		back;			/* the offset counts backwards */
}			own_functions[] = {
	{GS_WINDOW_ROW_NUMBER, GS_INT8, false},
	{GS_WINDOW_RANK, GS_INT8, false},
	{GS_WINDOW_DENSE_RANK, GS_INT8, false},
	{GS_WINDOW_PERCENT_RANK, GS_FLOAT8, false},
	{GS_WINDOW_CUME_DIST, GS_FLOAT8, false},
	{GS_WINDOW_NTILE, GS_INT4, false},

	/* lag, then lead: of a value; and an offset; and a default */
	{GS_WINDOW_SHIFT, 0, true},
	{GS_WINDOW_SHIFT, 0, true},
	{GS_WINDOW_SHIFT, 0, true},
	{GS_WINDOW_SHIFT, 0, false},
	{GS_WINDOW_SHIFT, 0, false},
	{GS_WINDOW_SHIFT, 0, false},
	{GS_WINDOW_FIRST, 0, false},
	{GS_WINDOW_LAST, 0, false},
	{GS_WINDOW_NTH, 0, false}
};

#define CLAUSES_MAX	lengthof(((rows_translation *) 0)->window)

bool
gs_rows_refuse(rows_translation *r, const char *reason)
{
	return gs_untranslated(r->t, reason);
}

bool
gs_rows_refuse_function(rows_translation *r, const WindowFunc *call, const char *of)
{
	return gs_rows_refuse(r, psprintf("window function %s is not supported%s",
							  get_func_name(call->winfnoid), of));
}

bool
gs_rows_refuse_as_before(rows_translation *r)
{
	r->t->in_vain |= r->before->in_vain;
	return gs_untranslated_hint(r->t, r->before->reason, r->before->hint);
}

/* ----------
 * Values of rows
 * ----------
 */

/* The number of a plan's value, which is added if there is none; -1: full. */
static int
row_value(gs_translation *t, gs_operand operand)
{
	gs_aggregate value;

	memset(&value, 0, sizeof value);
	value.kind = GS_AGG_VALUE;
	value.a = operand;
	value.filter = GS_NOTHING;
	t->plan.of_rows = 1;
	return gs_translation_aggregate(t, &value);
}

bool
gs_translate_shown(gs_translation *t, int number, Expr *expression,
				   gs_row_value *value, gs_report_value *shown)
{
	const gs_given *given = &t->given[number - 1];
	gs_operand	operand;
	gs_operand	count;

	value->count = -1;
	if (given->count > 0)
	{
		if (!gs_translate_given(t, given->count, &count))
			return false;
		value->count = row_value(t, count);
		if (value->count < 0)
			return false;
	}
	if (!gs_translate_given(t, given->count > 0 ? given->sum : number,
							&operand))
		return false;
	value->value = row_value(t, operand);
	gs_translated_value(t, expression, operand, shown);
	return value->value >= 0;
}

/* Which value is the operand?  What gives it becomes given[number - 1]. */
static bool
give_operand(rows_translation *r, gs_operand operand, Expr *expression,
			 int number)
{
	gs_given   *given = &r->given[number - 1];
	int			value = row_value(r->before, operand);

	if (value < 0)
		return gs_rows_refuse_as_before(r);
	gs_report_give_value(r->before, operand, expression, given);
	given->finish = (gs_finish) {
		.kind = GS_FINISH_ROW, .of = (int16) value, .count = -1,
		.squares = -1, .specials = -1
	};
	return true;
}

static bool
translate_of_one_look(rows_translation *r, Expr *expression, gs_operand *operand)
{
	return gs_translate_of_one_look(r->before, "row", expression, operand) ||
		gs_rows_refuse_as_before(r);
}

static bool
give_expression(rows_translation *r, Expr *expression, int number)
{
	gs_operand	operand;

	return translate_of_one_look(r, expression, &operand) &&
		give_operand(r, operand, expression, number);
}

/* The rows' TIDs, or the OIDs of their tables. */
static bool
give_tids(rows_translation *r, Expr *column, int number)
{
	gs_operand	operand;

	return gs_put_system_column(r->before, gs_tid_attribute(column), &operand) ?
		give_operand(r, operand, column, number) : gs_rows_refuse_as_before(r);
}

/*
 * The column that an operand of the plan before becomes, of the next plan.  It
 * has one already if something else is the same.
 */
bool
gs_rows_put_operand(rows_translation *r, gs_operand operand, Expr *expression,
			int16 *column)
{
	int			number = ++r->t->givens;
	gs_operand	put;

	if (!give_operand(r, operand, expression, number))
		return false;
	for (int c = 0; c < r->t->plan.columns; c++)
	{
		if (memcmp(&r->t->finish[c], &r->given[number - 1].finish,
				   sizeof(gs_finish)) != 0)
			continue;
		*column = (int16) c;
		return true;
	}
	if (!gs_put_given(r->t, number, &put))
		return false;
	*column = put;
	return true;
}

static bool
put_expression(rows_translation *r, Expr *expression, int16 *column,
			   gs_operand *operand)
{
	return translate_of_one_look(r, expression, operand) &&
		gs_rows_put_operand(r, *operand, expression, column) &&
		(!r->given[r->t->givens - 1].computed_char || gs_rows_refuse(r, GS_COMPUTED_CHAR));
}

/* ----------
 * Windows
 * ----------
 */

static List *
window_list(const rows_translation *r, int window, gs_window_list which)
{
	return list_nth(list_nth(r->rows->windows, window), which);
}

static int
window_integer(const rows_translation *r, int window, int which)
{
	return list_nth_int(list_nth(r->rows->integers, window), which);
}

/* Text is sorted as its values are, by the ranks of their codes. */
static bool
put_sorted(rows_translation *r, Expr *expression, bool in_order,
		   int16 *column)
{
	gs_report_value value;
	gs_operand	operand;

	if (!gs_translate_any(r->before, expression, &operand))
		return gs_rows_refuse_as_before(r);
	gs_translated_value(r->before, expression, operand, &value);
	if (!in_order || value.form != GS_FORM_CODE)
		return gs_rows_put_operand(r, operand, expression, column);
	return gs_report_ranks_put(r->before, exprCollation((Node *) expression),
							   false, expression, &operand, &value) ?
		gs_rows_put_operand(r, operand, expression, column) : gs_rows_refuse_as_before(r);
}

static bool
add_sort_column(rows_translation *r, gs_window *w, Expr *expression,
				bool in_order, int ways)
{
	gs_sort_column *sort = &w->column[w->columns];

	if (w->columns == GS_WINDOW_COLUMNS_MAX)
		return gs_rows_refuse(r, "a window has too many columns");
	w->columns++;
	sort->descending = (ways & GS_WAY_DESCENDING) != 0;
	sort->nulls_first = (ways & GS_WAY_NULLS_FIRST) != 0;
	return put_sorted(r, expression, in_order, &sort->column);
}

static bool
find_window(rows_translation *r, int number, gs_window *w)
{
	ListCell   *cell;
	int			i = GS_WINDOW_WAYS;

	memset(w, 0, sizeof *w);
	foreach(cell, window_list(r, number, GS_WINDOW_PARTITION))
	{
		if (!add_sort_column(r, w, lfirst(cell), r->rows->sorted,
							 window_integer(r, number, i++)))
			return false;
	}
	w->partition = w->columns;
	foreach(cell, window_list(r, number, GS_WINDOW_ORDER))
	{
		if (!add_sort_column(r, w, lfirst(cell), true,
							 window_integer(r, number, i++)))
			return false;
	}
	return true;
}

/* Windows that have the same order share it. */
static bool
add_window(rows_translation *r, int number)
{
	gs_windows *all = r->windows;
	gs_window	w;
	int			i = 0;

	if (number >= (int) CLAUSES_MAX)
		return gs_rows_refuse(r, "it has too many windows");
	if (!find_window(r, number, &w))
		return false;
	while (i < all->windows && memcmp(&all->window[i], &w, sizeof w) != 0)
		i++;
	if (i == GS_WINDOWS_MAX)
		return gs_rows_refuse(r, "it has too many windows");
	if (i == all->windows)
		all->window[all->windows++] = w;
	r->window[number] = i;
	return true;
}

/* ----------
 * Frames
 * ----------
 */

#define BAD_OFFSET	"a frame's offset is not a constant that the service computes with"

static bool
is_time(Oid type)
{
	return type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

/* Of the order's one column: as many of its units.  False: it cannot be told. */
static bool
interval_offset(Oid type, const Interval *interval, int64 *offset)
{
	int64		days = interval->day;
	int64		time = interval->time;

	if (interval->month != 0 || (type == TIMESTAMPTZOID && days != 0))
		return false;
	if (type != DATEOID)
	{
		*offset = days * USECS_PER_DAY + time;
		return days < INT32_MAX / 2 && time < INT64_MAX / 4 &&
			time > -INT64_MAX / 4;
	}
	*offset = days + time / USECS_PER_DAY;
	return time % USECS_PER_DAY == 0;
}

/* The offset's value, of a frame of such a mode and order. */
static bool
offset_of(Oid type, Datum value, Oid order, int64 *offset)
{
	switch (type)
	{
		case INT2OID:
			*offset = DatumGetInt16(value);
			break;
		case INT4OID:
			*offset = DatumGetInt32(value);
			break;
		case INT8OID:
			*offset = DatumGetInt64(value);
			break;
		case INTERVALOID:
			if (!is_time(order) ||
				!interval_offset(order, DatumGetIntervalP(value), offset))
				return false;
			break;
		default:
			return false;
	}
	return *offset >= 0;
}

/* An expression of no column, whose value a plan may have been made for. */
bool
gs_is_window_constant(Expr *expression)
{
	return IsA(expression, Const) ||
		(IsA(expression, Param) &&
		 ((const Param *) expression)->paramkind == PARAM_EXTERN);
}

static bool
find_offset(rows_translation *r, Expr *expression, Oid order, int64 *offset)
{
	bool		isnull;
	Datum		value;

	if (!gs_is_window_constant(expression))
		return gs_rows_refuse(r, BAD_OFFSET);
	if (r->t->state == NULL && !IsA(expression, Const))
		return true;
	value = gs_evaluate(r->t, expression, &isnull);
	return (!isnull && offset_of(exprType((Node *) expression), value, order,
								 offset)) ||
		gs_rows_refuse(r, BAD_OFFSET);
}

static bool
find_end(rows_translation *r, int options, bool start, Expr *offset,
		 Oid order, gs_frame_end *end)
{
	int			preceding = start ? FRAMEOPTION_START_OFFSET_PRECEDING :
		FRAMEOPTION_END_OFFSET_PRECEDING;
	int			following = start ? FRAMEOPTION_START_OFFSET_FOLLOWING :
		FRAMEOPTION_END_OFFSET_FOLLOWING;

	end->bound = GS_BOUND_CURRENT;
	if (options & (start ? FRAMEOPTION_START_UNBOUNDED_PRECEDING :
				   FRAMEOPTION_END_UNBOUNDED_FOLLOWING))
		end->bound = GS_BOUND_UNBOUNDED;
	if (options & preceding)
		end->bound = GS_BOUND_PRECEDING;
	if (options & following)
		end->bound = GS_BOUND_FOLLOWING;
	return (options & (preceding | following)) == 0 ||
		find_offset(r, offset, order, &end->offset);
}

/* The type of an order's one expression, if there is one. */
static Oid
order_of(const rows_translation *r, int window)
{
	const List *order = window_list(r, window, GS_WINDOW_ORDER);

	return list_length(order) != 1 ? InvalidOid :
		exprType(linitial(order));
}

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID ||
		is_time(type);
}

/* An offset that is an integer is one of integers, and an interval of times. */
static bool
has_distances(const rows_translation *r, int window, const List *offsets)
{
	Oid			order = order_of(r, window);
	bool		of_times = is_time(order);
	ListCell   *cell;

	if (!is_integer(order))
		return false;
	foreach(cell, offsets)
	{
		if (lfirst(cell) != NULL &&
			(exprType(lfirst(cell)) == INTERVALOID) != of_times)
			return false;
	}
	return true;
}

/* A distance that leads beyond these is an error of PostgreSQL's. */
static void
find_finite(Oid order, gs_window_function *f)
{
	int64		unit = order == DATEOID ? USECS_PER_DAY : 1;

	f->low = is_time(order) ? MIN_TIMESTAMP / unit : INT64_MIN;
	f->high = is_time(order) ? (END_TIMESTAMP - 1) / unit : INT64_MAX;
}

static bool
find_frame(rows_translation *r, int window, gs_window_function *f)
{
	int			options = window_integer(r, window, GS_WINDOW_FRAME);
	List	   *offsets = window_list(r, window, GS_WINDOW_OFFSETS);
	Oid			order = order_of(r, window);

	if (options & FRAMEOPTION_EXCLUSION)
		return gs_untranslated_hint(r->t, "a window's frame has EXCLUDE",
									"Subtract what is excluded from the window function's result, if it is a sum or a count.");
	f->mode = options & FRAMEOPTION_ROWS ? GS_FRAME_ROWS :
		options & FRAMEOPTION_RANGE ? GS_FRAME_RANGE : GS_FRAME_GROUPS;
	if (f->mode != GS_FRAME_RANGE)
		order = InvalidOid;
	else if ((options & (FRAMEOPTION_START_OFFSET | FRAMEOPTION_END_OFFSET)) &&
			 !has_distances(r, window, offsets))
		return gs_rows_refuse(r, "a window's frame has distances of a type that the service does not compute with");
	find_finite(order, f);
	return find_end(r, options, true, linitial(offsets), order, &f->start) &&
		find_end(r, options, false, lsecond(offsets), order, &f->end);
}

/* ----------
 * Functions
 * ----------
 */

/* An integer that is the same for all rows. */
bool
gs_window_parameter(rows_translation *r, Expr *expression, int64 least,
					int64 *result)
{
	bool		isnull;
	Datum		value;

	*result = 1;
	if (!gs_is_window_constant(expression) ||
		exprType((Node *) expression) != INT4OID)
		return gs_rows_refuse(r, BAD_PARAMETER);
	if (r->t->state == NULL && !IsA(expression, Const))
		return true;
	value = gs_evaluate(r->t, expression, &isnull);
	*result = isnull ? 0 : DatumGetInt32(value);
	return (!isnull && *result >= least) || gs_rows_refuse(r, BAD_PARAMETER);
}

/* The value instead of those of rows that there are not. */
static bool
find_default(rows_translation *r, const gs_given *of, Expr *expression,
			 gs_window_function *f)
{
	gs_operand	operand;
	const gs_constant *known;

	if (IsA(expression, Const) && ((const Const *) expression)->constisnull)
		return true;
	if (!gs_is_window_constant(expression) || of->column.form != GS_FORM_VALUE)
		return gs_rows_refuse(r, BAD_PARAMETER);
	if (!gs_translate(r->before, expression, &operand))
		return gs_rows_refuse_as_before(r);
	known = gs_known_constant(r->before, operand);
	if (known == NULL)
		return r->t->state == NULL || gs_rows_refuse(r, BAD_PARAMETER);
	if (known->type != (int) of->type)
		return gs_rows_refuse(r, BAD_PARAMETER);
	f->has_default = !known->null;
	f->by_default = known->value;
	return true;
}

/* The argument, or the TIDs of rows that have it. */
static bool
put_chosen(rows_translation *r, const WindowFunc *call, bool by_tid,
		   gs_window_function *f)
{
	gs_operand	operand;

	if (!by_tid)
		return put_expression(r, linitial(call->args), &f->argument, &operand);
	return gs_put_system_column(r->before,
								gs_tid_attribute(linitial(r->rows->tids)),
								&operand) ?
		gs_rows_put_operand(r, operand, linitial(r->rows->tids), &f->argument) :
		gs_rows_refuse_as_before(r);
}

/* Whose result is one of the argument's values. */
static bool
find_chosen(rows_translation *r, const WindowFunc *call, gs_given *given,
			gs_window_function *f)
{
	bool		by_tid = list_member_int(r->rows->by_tid, given - r->given);
	int			of;

	if (!put_chosen(r, call, by_tid, f))
		return false;
	of = r->t->givens - 1;
	given->type = r->given[of].type;
	given->column = r->given[of].column;
	if (list_length(call->args) > 2 && !by_tid &&
		!find_default(r, &r->given[of], lthird(call->args), f))
		return false;
	if (list_length(call->args) < 2)
		return true;
	return gs_window_parameter(r, lsecond(call->args),
							   f->kind == GS_WINDOW_NTH ? 1 : INT32_MIN + 1,
							   &f->offset);
}

static bool
find_own(rows_translation *r, const WindowFunc *call, gs_given *given,
		 gs_window_function *f)
{
	Oid			place = call->winfnoid - FIRST_FUNCTION;

	if (place >= lengthof(own_functions))
		return gs_rows_refuse_function(r, call, "");
	f->kind = own_functions[place].kind;
	f->offset = 1;
	given->type = own_functions[place].type;
	if (f->kind == GS_WINDOW_NTILE)
		return gs_window_parameter(r, linitial(call->args), 1, &f->offset);
	if (given->type != 0)
		return true;
	if (!find_chosen(r, call, given, f))
		return false;
	if (own_functions[place].back)
		f->offset = -f->offset;
	return true;
}

static bool
has_frame(const gs_window_function *f)
{
	return f->kind >= GS_WINDOW_FIRST;
}

/* The number of a WindowFunc's window among rows->windows. */
static int
clause_of(const rows_translation *r, const WindowFunc *call)
{
	int			number = 0;
	ListCell   *cell;

	foreach(cell, r->rows->integers)
	{
		if (linitial_int((List *) lfirst(cell)) == (int) call->winref)
			return number;
		number++;
	}
	return -1;
}

/* Put the function, which gives given[number - 1], a column. */
static bool
put_function(rows_translation *r, const gs_window_function *f, int number,
			 gs_operand *column)
{
	gs_windows *w = r->windows;
	int			place = w->functions;

	if (place == GS_WINDOW_FUNCTIONS_MAX)
		return gs_rows_refuse(r, "it has too many window functions");
	r->given[number - 1].finish = (gs_finish) {
		.kind = GS_FINISH_WINDOW, .of = (int16) place, .count = -1,
		.squares = -1, .specials = -1
	};
	if (!gs_put_given(r->t, number, column))
		return false;
	w->function[place] = *f;
	w->function[place].result = *column;
	w->functions++;
	return true;
}

/* Given a mean's sum, and how it is found. */
static bool
put_mean(rows_translation *r, gs_window_function *f, const gs_given *mean)
{
	gs_operand	column;

	r->given[mean->sum - 1] = (gs_given) {
		.type = mean->type, .column = mean->column
	};
	r->given[mean->count - 1] = (gs_given) {
		.type = GS_INT8
	};
	if (!put_function(r, f, mean->sum, &column))
		return false;
	f->kind = GS_WINDOW_COUNT;
	return put_function(r, f, mean->count, &column);
}

/* The function, and given[number - 1], which it gives. */
static bool
add_function(rows_translation *r, const WindowFunc *call, int number)
{
	gs_window_function f = {
		.argument = GS_NOTHING, .second = GS_NOTHING, .filter = GS_NOTHING
	};
	gs_given   *given = &r->given[number - 1];
	gs_own_frame frame = gs_known_aggregate(call->winfnoid).frame;
	int			clause = clause_of(r, call);
	gs_operand	operand;

	if (clause < 0)
		return gs_rows_refuse(r, "it has too many window functions");
#if PG_VERSION_NUM >= 190000
	if (call->ignore_nulls != NO_NULLTREATMENT)
		return gs_rows_refuse(r, "a window function says what it does with NULLs");
#endif
	memset(given, 0, sizeof *given);
	f.window = (int16) r->window[clause];
	if (call->winagg || frame != GS_FRAME_OF_CLAUSE ?
		!gs_window_aggregate(r, call, given, &f) :
		!find_own(r, call, given, &f))
		return false;
	if (call->aggfilter != NULL &&
		!put_expression(r, call->aggfilter, &f.filter, &operand))
		return false;
	if (frame != GS_FRAME_OF_CLAUSE ? !gs_window_own_frame(r, call, frame, &f) :
		has_frame(&f) && !find_frame(r, clause, &f))
		return false;
	return given->count > 0 ? put_mean(r, &f, given) :
		put_function(r, &f, number, &operand);
}

/* Only rows whose number, or rank, is small count. */
static bool
add_first(rows_translation *r, int number)
{
	const gs_window_function f = {
		.kind = r->rows->first < 0 ? GS_WINDOW_RANK : GS_WINDOW_ROW_NUMBER,
		.window = (int16) r->window[0],
		.argument = GS_NOTHING,
		.second = GS_NOTHING,
		.filter = GS_NOTHING
	};
	gs_operand	row;
	gs_operand	most;

	r->given[number - 1] = (gs_given) {
		.type = GS_INT8
	};
	return put_function(r, &f, number, &row) &&
		gs_put_bigint(r->t, Abs(r->rows->first), &most) &&
		gs_put_binary(r->t, GS_CODE_LE, row, most, &r->t->counted);
}

bool
gs_translate_first(gs_translation *t, gs_given *given, int spare,
				   gs_sort_column by, int first, bool ties)
{
	const gs_report_rows rows = {.first = -first};
	gs_windows *w = palloc0(sizeof *w);
	rows_translation r = {
		.before = t->before,.t = t,.rows = &rows,.given = given,.windows = w
	};

	w->windows = 1;
	w->window[0] = (gs_window) {.columns = 1, .column = {by}};
	w->order = ties ? -1 : 0;
	w->limit = ties ? 0 : first;
	t->windows = w;
	return !ties || add_first(&r, spare);
}

bool
gs_window_chooses(const WindowFunc *call)
{
	Oid			place = call->winfnoid - FIRST_FUNCTION;

	return place < lengthof(own_functions) &&
		own_functions[place].kind != GS_WINDOW_NTILE &&
		own_functions[place].type == 0;
}

List *
gs_rows_shown(const gs_report_rows *rows)
{
	List	   *shown = NIL;
	int			number = 0;
	ListCell   *cell;

	foreach(cell, rows->keys)
		shown = lappend(shown, list_member_int(rows->by_tid, number++) ? NULL :
						lfirst(cell));
	foreach(cell, rows->functions)
		shown = lappend(shown, list_member_int(rows->by_tid, number++) ?
						linitial(rows->tids) : lfirst(cell));
	return list_concat(shown, rows->tids);
}

bool
gs_translate_rows(gs_translation *before, const gs_report_rows *rows,
				  gs_translation *t)
{
	rows_translation r = {.before = before, .t = t, .rows = rows};
	int			all = list_length(rows->keys) + list_length(rows->functions) +
		list_length(rows->tids);
	int			number = 0;
	ListCell   *cell;

	r.given = palloc0((all + GS_WINDOWS_MAX * GS_WINDOW_COLUMNS_MAX * 8 +
					   4 * list_length(rows->functions)) * sizeof *r.given);
	r.windows = palloc0(sizeof *r.windows);
	before->plan.of_rows = 1;
	t->before = before;
	t->given = r.given;
	t->givens = all;
	t->windows = r.windows;
	foreach(cell, rows->keys)
	{
		number++;
		if (!list_member_int(rows->by_tid, number - 1) &&
			!give_expression(&r, lfirst(cell), number))
			return false;
	}
	for (int i = 0; i < list_length(rows->windows); i++)
	{
		if (!add_window(&r, i))
			return false;
	}
	foreach(cell, rows->functions)
	{
		if (!add_function(&r, lfirst_node(WindowFunc, cell), ++number))
			return false;
	}
	foreach(cell, rows->tids)
	{
		if (!give_tids(&r, lfirst(cell), ++number))
			return false;
	}
	r.windows->order = (int16) (rows->order < 0 ? -1 : r.window[rows->order]);
	r.windows->limit = rows->limit;
	return rows->first == 0 || add_first(&r, ++t->givens);
}
