/*-------------------------------------------------------------------------
 *
 * plan_windows.c
 *	  Random windows, and what they give; see plan_windows.h.
 *
 * Each row of a partition is asked whether it is in a frame.  What aggregates
 * give of the frame's rows is what a plan gives of a group.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/percentile.h"
#include "exact/figures.h"
#include "test/common/compare.h"
#include "test/common/random.h"

/* ----------
 * Making them
 * ----------
 */

static bool
is_integer(uint8_t type)
{
	return type != GS_BOOL && !is_float((gs_type) type);
}

static void
choose_window(gs_window *w, const plan_columns *rows, int columns)
{
	int			most = one_in(20) ? GS_WINDOW_COLUMNS_MAX : 3;

	memset(w, 0, sizeof *w);
	if (columns == 0)
		return;
	w->columns = (int16_t) random_below(most + 1);
	w->partition = (int16_t) random_below(w->columns + 1);
	for (int i = 0; i < w->columns; i++)
	{
		w->column[i].column = (int16_t) random_below(columns);
		w->column[i].descending = (uint8_t) random_below(2);
		w->column[i].nulls_first = (uint8_t) random_below(2);
	}

	/* for ranges */
	for (int c = 0; c < columns && one_in(3); c++)
	{
		if (!is_integer(rows->type[c]) || w->partition == w->columns)
			continue;
		w->columns = (int16_t) (w->partition + 1);
		w->column[w->partition].column = (int16_t) c;
	}
}

static int64_t
choose_offset(const plan_columns *rows)
{
	if (one_in(20))
		return INT64_MAX - random_below(3);
	return random_below(one_in(4) ? rows->rows + 3 : 5);
}

static void
choose_end(gs_frame_end *end, const plan_columns *rows, bool offsets)
{
	static const gs_frame_bound without[] = {
		GS_BOUND_UNBOUNDED, GS_BOUND_CURRENT
	};

	end->bound = offsets ?
		(uint8_t) (GS_BOUND_UNBOUNDED + random_below(4)) :
		(uint8_t) without[random_below(2)];
	end->offset = end->bound == GS_BOUND_PRECEDING ||
		end->bound == GS_BOUND_FOLLOWING ? choose_offset(rows) : 0;
}

/* As of dates and times. */
static void
choose_finite(gs_window_function *f, gs_type type)
{
	int64_t		margin = 1 + (one_in(2) ? 0 : random_below(1000));

	f->low = type_min(type) + margin;
	f->high = type_max(type) - margin;
}

static void
choose_frame(gs_window_function *f, const gs_window *w,
			 const plan_columns *rows)
{
	bool		distances = w->columns == w->partition + 1 &&
		is_integer(rows->type[w->column[w->partition].column]);

	f->mode = (uint8_t) (GS_FRAME_ROWS + random_below(3));
	do
	{
		bool		offsets = f->mode != GS_FRAME_RANGE || distances;

		choose_end(&f->start, rows, offsets);
		choose_end(&f->end, rows, offsets);
	} while (f->end.bound != GS_BOUND_UNBOUNDED &&
			 f->start.bound > f->end.bound);
	f->low = INT64_MIN;
	f->high = INT64_MAX;
	if (distances && one_in(2))
		choose_finite(f, (gs_type)
					  rows->type[w->column[w->partition].column]);
}

/* A column of a type that suits; GS_NOTHING: there is none. */
static int16_t
choose_argument(gs_window_kind kind, const plan_columns *rows, int columns)
{
	for (int try = 0; try < 10 && columns > 0; try++)
	{
		int16_t		c = (int16_t) random_below(columns);
		uint8_t		type = rows->type[c];

		if ((kind == GS_WINDOW_AVERAGE && !is_float((gs_type) type)) ||
			(kind == GS_WINDOW_FIGURE && !is_float((gs_type) type)) ||
			(kind >= GS_WINDOW_SUM && type == GS_BOOL))
			continue;
		return c;
	}
	return GS_NOTHING;
}

/* As arrays' functions have it. */
static void
choose_moving(gs_window_function *f)
{
	f->mode = GS_FRAME_ROWS;
	f->start = (gs_frame_end) {GS_BOUND_PRECEDING, random_below(9)};
	f->end = (gs_frame_end) {GS_BOUND_FOLLOWING, random_below(4)};
	if (one_in(5))
		f->start.offset = one_in(2) ? INT32_MAX : (1 << 28) - 1 - f->end.offset;
	if (one_in(3))
		f->end = (gs_frame_end) {GS_BOUND_CURRENT, 0};
}

/* A figure, and a second argument.  Of pairs, other ones are rarely the same. */
static void
choose_second(gs_window_function *f, const plan_columns *rows, int columns)
{
	bool		figure = f->kind == GS_WINDOW_FIGURE;

	if (figure)
		f->figure = (uint8_t) (GS_FIGURE_VAR_POP +
							   random_below(GS_FIGURE_WEIGHTED_AVG - GS_FIGURE_VAR_POP + 1));
	if (f->argument < 0 || (!figure && one_in(2)))
		return;
	for (int try = 0; try < 5 && (f->second < 0 || f->second == f->argument); try++)
	{
		int16_t		other = (int16_t) random_below(columns);

		if (!gs_window_is_of_pairs(f) || rows->type[other] == GS_FLOAT8)
			f->second = other;
	}
	if (gs_window_is_of_pairs(f) &&
		(f->second < 0 || rows->type[f->argument] != GS_FLOAT8))
		f->figure = GS_FIGURE_SXX;
	if (figure && one_in(3))
		choose_moving(f);
}

/* False: there is no such function of these columns. */
static bool
choose_function(gs_window_function *f, const gs_windows *w,
				const plan_columns *rows, int columns)
{
	memset(f, 0, sizeof *f);
	f->kind = one_in(6) ? GS_WINDOW_FIGURE :
		(uint8_t) (1 + random_below(GS_WINDOW_KINDS - 1));
	f->window = w->first > 0 ? w->order :
		(int16_t) random_below(w->windows);
	f->argument = f->second = f->filter = GS_NOTHING;
	if (f->kind == GS_WINDOW_NTILE)
		f->offset = 1 + random_below(one_in(2) ? 4 : 2 * rows->rows + 2);
	if (f->kind == GS_WINDOW_NTH)
		f->offset = 1 + (one_in(20) ? INT64_MAX - 1 : random_below(4));
	if (f->kind == GS_WINDOW_SHIFT)
		f->offset = one_in(10) ? (int64_t) random_bits() :
			random_below(9) - 4;
	if (f->kind < GS_WINDOW_SHIFT)
		return true;
	if (f->kind != GS_WINDOW_COUNT || one_in(2))
	{
		f->argument = choose_argument((gs_window_kind) f->kind, rows, columns);
		if (f->argument < 0)
			return false;
	}
	if (f->kind == GS_WINDOW_SHIFT)
	{
		f->has_default = (uint8_t) random_below(2);
		if (f->has_default)
			f->by_default = plan_random_value((gs_type) rows->type[f->argument]);
		return true;
	}
	if (f->kind >= GS_WINDOW_PERCENTILE)
		f->fraction = one_in(2) ? 0.5 : one_in(3) ? random_below(2) :
			random_uniform();
	choose_frame(f, &w->window[f->window], rows);
	if (f->kind == GS_WINDOW_FIGURE || f->kind == GS_WINDOW_AVERAGE ||
		f->kind == GS_WINDOW_COUNT)
		choose_second(f, rows, columns);
	f->zeros = one_in(5);

	for (int16_t c = 0; f->kind >= GS_WINDOW_COUNT && c < columns; c++)
	{
		if (rows->type[c] == GS_BOOL && one_in(2))
			f->filter = c;
	}
	return true;
}

void
plan_windows_new(gs_windows *w, plan_columns *rows, gs_finish *finish)
{
	int			columns = rows->columns;
	int			wanted = (int) random_below(one_in(10) ? 33 : 6);

	memset(w, 0, sizeof *w);
	w->windows = (int16_t) (1 + random_below(GS_WINDOWS_MAX));
	for (int i = 0; i < w->windows; i++)
		choose_window(&w->window[i], rows, columns);
	w->order = (int16_t) (random_below(w->windows + 1) - 1);
	if (w->order >= 0 && one_in(4))
		w->first = 1 + random_below(one_in(2) ? 3 : GS_WINDOW_FIRST_MAX);
	while (wanted-- > 0 && rows->columns < GS_PLAN_COLUMNS &&
		   w->functions < GS_WINDOW_FUNCTIONS_MAX)
	{
		gs_window_function *f = &w->function[w->functions];
		int			c = rows->columns;

		if (!choose_function(f, w, rows, columns) ||
			(w->first > 0 && !gs_window_looks_back(f)))
			continue;
		f->result = (int16_t) c;
		memset(&finish[c], 0, sizeof finish[c]);
		finish[c].kind = GS_FINISH_WINDOW;
		finish[c].of = w->functions++;
		rows->type[c] = (uint8_t) gs_window_type(w, finish[c].of, rows->type);
		rows->value[c] = NULL;
		rows->null[c] = NULL;
		rows->columns++;
	}
	if (w->functions == 0 && w->order >= 0 && w->first == 0 && one_in(2))
		w->limit = 1 + random_below(rows->rows + 2);
}

/* ----------
 * What they give
 * ----------
 */

/* Rows in the order of a window. */
typedef struct ordered
{
	const gs_window *w;
	const plan_columns *rows;
	int64_t    *row;			/* of each place */
	int64_t    *partition;		/* of each place: a number */
	int64_t    *group;			/* of each place: of peers, a number */
	int64_t    *before;			/* of each place: rows of the partition */
} ordered;

static _Thread_local const ordered *sorting;

static int
compare_column(const plan_columns *rows, const gs_sort_column *sort, int64_t a,
			   int64_t b)
{
	int			c = sort->column;
	int			order;

	if (rows->null[c][a] || rows->null[c][b])
	{
		order = rows->null[c][b] - rows->null[c][a];
		return sort->nulls_first ? order : -order;
	}
	order = plan_compare_sql((gs_type) rows->type[c], rows->value[c][a],
							 rows->value[c][b]);
	return sort->descending ? -order : order;
}

static int
compare_rows(const ordered *o, int columns, int64_t a, int64_t b)
{
	for (int i = 0; i < columns; i++)
	{
		int			order = compare_column(o->rows, &o->w->column[i], a, b);

		if (order != 0)
			return order;
	}
	return 0;
}

static int
compare(const void *a, const void *b)
{
	int64_t		x = *(const int64_t *) a;
	int64_t		y = *(const int64_t *) b;
	int			order = compare_rows(sorting, sorting->w->columns, x, y);

	return order != 0 ? order : (x > y) - (x < y);
}

static void
sort_rows(ordered *o, const gs_window *w, const plan_columns *rows)
{
	size_t		size = sizeof(int64_t) * (size_t) (rows->rows + 1);
	int64_t		first = 0;

	o->w = w;
	o->rows = rows;
	o->row = malloc(size);
	o->partition = calloc(1, size);
	o->group = calloc(1, size);
	o->before = calloc(1, size);
	for (int64_t i = 0; i < rows->rows; i++)
		o->row[i] = i;
	sorting = o;
	qsort(o->row, (size_t) rows->rows, sizeof *o->row, compare);
	for (int64_t i = 1; i < rows->rows; i++)
	{
		o->partition[i] = o->partition[i - 1] +
			(compare_rows(o, w->partition, o->row[i - 1], o->row[i]) != 0);
		o->group[i] = o->group[i - 1] +
			(compare_rows(o, w->columns, o->row[i - 1], o->row[i]) != 0);
		if (o->partition[i] != o->partition[i - 1])
			first = i;
		o->before[i] = o->group[i] == o->group[i - 1] &&
			i > first ? o->before[i - 1] : i - first;
	}
}

static void
free_order(ordered *o)
{
	free(o->row);
	free(o->partition);
	free(o->group);
	free(o->before);
}

/*
 * How far place j is from place i, in the frame's units: with an offset of
 * RANGE, a difference of values.  Of NULLs: as far as can be.
 */
static __int128
distance(const ordered *o, const gs_window_function *f, bool offset,
		 int64_t i, int64_t j)
{
	const gs_sort_column *sort = &o->w->column[o->w->partition];
	const __int128 far = (__int128) 1 << 100;
	const bool *null;
	gs_type		type;
	__int128	x;

	if (f->mode == GS_FRAME_ROWS)
		return j - i;
	if (f->mode == GS_FRAME_GROUPS || !offset)
		return o->group[j] - o->group[i];
	null = o->rows->null[sort->column];
	type = (gs_type) o->rows->type[sort->column];
	if (null[o->row[i]] || null[o->row[j]])
	{
		if (null[o->row[i]] && null[o->row[j]])
			return 0;
		return null[o->row[j]] == sort->nulls_first ? -far : far;
	}
	x = (__int128) value_int(type, o->rows->value[sort->column][o->row[j]]) -
		value_int(type, o->rows->value[sort->column][o->row[i]]);
	return sort->descending ? -x : x;
}

static bool
has_offset(const gs_frame_end *end)
{
	return end->bound == GS_BOUND_PRECEDING ||
		end->bound == GS_BOUND_FOLLOWING;
}

/* NULL, or infinite: it has no other frame than its peers. */
static bool
has_peers(const ordered *o, const gs_window_function *f, int64_t i)
{
	int			column = o->w->column[o->w->partition].column;
	gs_type		type = (gs_type) o->rows->type[column];
	int64_t		x;

	if (o->rows->null[column][o->row[i]])
		return true;
	x = value_int(type, o->rows->value[column][o->row[i]]);
	return f->low != INT64_MIN && (x == type_min(type) || x == type_max(type));
}

/* Does an end lead from place i, which has no peers for it, beyond finite values? */
static bool
is_beyond(const ordered *o, const gs_window_function *f,
		  const gs_frame_end *end, int64_t i)
{
	const gs_sort_column *sort = &o->w->column[o->w->partition];
	__int128	x;

	if (f->mode != GS_FRAME_RANGE || !has_offset(end) ||
		f->low == INT64_MIN || has_peers(o, f, i))
		return false;
	x = value_int((gs_type) o->rows->type[sort->column],
				  o->rows->value[sort->column][o->row[i]]);
	if (x < f->low || x > f->high)
		return true;
	x += (end->bound == GS_BOUND_PRECEDING) == (sort->descending == 0) ?
		-(__int128) end->offset : (__int128) end->offset;
	return x < f->low || x > f->high;
}

/* The distance of an end. */
static __int128
end_of(const ordered *o, const gs_window_function *f, const gs_frame_end *end,
	   int64_t i)
{
	if (!has_offset(end) || (f->mode == GS_FRAME_RANGE && has_peers(o, f, i)))
		return 0;
	return end->bound == GS_BOUND_PRECEDING ? -(__int128) end->offset :
		(__int128) end->offset;
}

/* Is place j in the frame of place i? */
static bool
is_in_frame(const ordered *o, const gs_window_function *f, int64_t i,
			int64_t j)
{
	if (o->partition[i] != o->partition[j])
		return false;
	if (f->start.bound != GS_BOUND_UNBOUNDED &&
		distance(o, f, has_offset(&f->start), i, j) < end_of(o, f, &f->start, i))
		return false;
	return f->end.bound == GS_BOUND_UNBOUNDED ||
		distance(o, f, has_offset(&f->end), i, j) <= end_of(o, f, &f->end, i);
}

/* The rows of a frame, in order; returns how many. */
static int64_t
find_frame(const ordered *o, const gs_window_function *f, int64_t i,
		   int64_t *frame)
{
	int64_t		n = 0;

	for (int64_t j = 0; j < o->rows->rows; j++)
	{
		if (is_in_frame(o, f, i, j))
			frame[n++] = o->row[j];
	}
	return n;
}

static plan_cell
cell_of(const plan_columns *rows, int column, int64_t row)
{
	plan_cell	cell = plan_null();

	cell.null = rows->null[column][row];
	if (!cell.null)
		cell.v = rows->value[column][row];
	return cell;
}

static plan_cell
integer_cell(int64_t x)
{
	plan_cell	cell = plan_null();

	cell.null = false;
	cell.v.i8 = x;
	return cell;
}

static plan_cell
share_cell(int64_t x, int64_t of)
{
	plan_cell	cell = plan_null();

	cell.null = false;
	cell.v.f8 = x == 0 ? 0 : (double) x / (double) of;
	return cell;
}

/* As a plan has it of a group of these values. */
static plan_cell
aggregate(const gs_window_function *f, gs_type type, const plan_values *values)
{
	static const gs_aggregate_kind kinds[GS_WINDOW_KINDS] = {
		[GS_WINDOW_SUM] = GS_AGG_SUM,
		[GS_WINDOW_AVERAGE] = GS_AGG_SUM,
		[GS_WINDOW_MIN] = GS_AGG_MIN,
		[GS_WINDOW_MAX] = GS_AGG_MAX
	};
	uint8_t		column = (uint8_t) type;
	gs_aggregate all[3] = {
		{.kind = GS_AGG_COUNT, .filter = GS_NOTHING},
		{.kind = (int32_t) kinds[f->kind], .filter = GS_NOTHING},
		{.kind = GS_AGG_SPECIALS, .filter = GS_NOTHING}
	};
	gs_plan		plan = {
		.columns = 1, .column = &column, .filter = GS_NOTHING,
		.aggregates = is_float(type) ? 3 : 2, .aggregate = all
	};
	gs_finish	finish = {
		.kind = f->kind >= GS_WINDOW_MIN ? GS_FINISH_VALUE :
		is_float(type) ? GS_FINISH_FIGURE : GS_FINISH_INTEGER,
		.figure = f->kind == GS_WINDOW_AVERAGE ? GS_FIGURE_AVG : GS_FIGURE_SUM,
		.zeros = f->zeros && is_float(type) && f->kind >= GS_WINDOW_MIN,
		.of = 1, .squares = -1,
		.specials = f->kind == GS_WINDOW_MAX && is_float(type) ? 2 : -1
	};
	union
	{
		gs_float_sum sum;
		int64_t		other[GS_SPECIALS];
	}			state[3];
	plan_wide	wide;
	plan_result r;

	memset(&r, 0, sizeof r);
	memset(state, 0, sizeof state);
	for (int i = 0; i < plan.aggregates; i++)
	{
		if (plan_state(&plan, i, values, &state[i], &wide))
			state[i].sum.wide = 1;
		r.state[i] = (uint8_t *) &state[i];
		r.wide[i] = &wide;
	}
	return plan_finish(&plan, &r, &finish, 0);
}

static _Thread_local gs_type sorted_type;

/* -0 is below 0. */
static int
compare_values(const void *a, const void *b)
{
	gs_value	x = *(const gs_value *) a;
	gs_value	y = *(const gs_value *) b;
	int			order = plan_compare_sql(sorted_type, x, y);

	if (order == 0 && sorted_type == GS_FLOAT8)
		order = (signbit(y.f8) != 0) - (signbit(x.f8) != 0);
	if (order == 0 && sorted_type == GS_FLOAT4)
		order = (signbit(y.f4) != 0) - (signbit(x.f4) != 0);
	return order;
}

static gs_pair
pair_of(gs_type type, gs_value v)
{
	if (type == GS_FLOAT8)
		return gs_percentile_float(v.f8);
	return type == GS_FLOAT4 ? gs_percentile_float(v.f4) :
		gs_percentile_integer(value_int(type, v));
}

static plan_cell
percentile(const gs_window_function *f, gs_type type, const plan_values *values)
{
	bool		discrete = f->kind == GS_WINDOW_PERCENTILE_DISC;
	gs_place	place;
	plan_cell	cell = plan_null();
	gs_value	low;

	if (values->n == 0)
		return cell;
	sorted_type = type;
	qsort(values->a, (size_t) values->n, sizeof *values->a, compare_values);
	place = gs_percentile_place(f->fraction, discrete, values->n);
	low = values->a[place.rank];
	cell.null = false;
	if (discrete && type == GS_FLOAT8)
		cell.v.f8 = low.f8 == low.f8 ? low.f8 : gs_canonical_nan();
	else if (discrete && type == GS_FLOAT4)
		cell.v.f4 = low.f4 == low.f4 ? low.f4 : (float) gs_canonical_nan();
	else if (discrete)
		cell.v = low;
	else
		cell.v.f8 = gs_percentile_value(pair_of(type, low),
										pair_of(type, place.proportion == 0 ? low :
												values->a[place.rank + 1]),
										place.proportion);
	return cell;
}

static double
double_of(gs_type type, gs_value v)
{
	return type == GS_FLOAT4 ? v.f4 : v.f8;
}

/* Of these of a frame's rows: y and x or, without the second ones, x. */
static plan_cell
figure(const gs_window_function *f, gs_type type, const gs_value *argument,
	   const gs_value *second, int64_t n)
{
	bool		pairs = gs_window_is_of_pairs(f);
	gs_rounding rounding;
	gs_acc		sum_y;
	gs_acc		sum_x;
	gs_acc2		yy;
	gs_acc2		xx;
	gs_acc2		xy;
	gs_sums		s = {0};
	plan_cell	cell = plan_null();

	gs_acc_init(&sum_y);
	gs_acc_init(&sum_x);
	gs_acc2_init(&yy);
	gs_acc2_init(&xx);
	gs_acc2_init(&xy);
	for (int64_t i = 0; i < n; i++)
	{
		double		y = pairs ? argument[i].f8 : 0;
		double		x = pairs ? second[i].f8 : double_of(type, argument[i]);

		s.n++;
		gs_acc_add(&sum_y, y);
		gs_acc_add(&sum_x, x);
		gs_acc2_add_product(&yy, y, y);
		gs_acc2_add_product(&xx, x, x);
		gs_acc2_add_product(&xy, y, x);
	}
	s.y = gs_acc_limbs(&sum_y);
	s.x = gs_acc_limbs(&sum_x);
	s.yy = gs_acc2_limbs(&yy);
	s.xx = gs_acc2_limbs(&xx);
	s.xy = gs_acc2_limbs(&xy);
	rounding = gs_figure_real((gs_figure) f->figure, &s, &cell.v.f8);
	if (rounding != GS_ROUNDED)
		cell = plan_null();
	cell.null = rounding != GS_ROUNDED;
	if (rounding != GS_ROUNDED && rounding != GS_UNDEFINED)
		cell.errors |= GS_ERROR_RANGE;
	return cell;
}

static plan_cell
aggregate_frame(const gs_window_function *f, const plan_columns *rows,
				const int64_t *frame, int64_t n)
{
	plan_values values = {
		.a = malloc(sizeof(gs_value) * (size_t) (n + 1))
	};
	gs_value   *second = malloc(sizeof(gs_value) * (size_t) (n + 1));
	plan_cell	cell;

	for (int64_t i = 0; i < n; i++)
	{
		if (f->filter >= 0 && (rows->null[f->filter][frame[i]] ||
							   rows->value[f->filter][frame[i]].i2 == 0))
			continue;
		if (f->argument >= 0 && rows->null[f->argument][frame[i]])
			continue;
		if (f->second >= 0 && rows->null[f->second][frame[i]])
			continue;
		if (f->argument >= 0)
			values.a[values.n] = rows->value[f->argument][frame[i]];
		if (f->second >= 0)
			second[values.n] = rows->value[f->second][frame[i]];
		values.n++;
	}
	cell = f->kind == GS_WINDOW_COUNT ? integer_cell(values.n) :
		f->kind == GS_WINDOW_FIGURE ?
		figure(f, (gs_type) rows->type[f->argument], values.a, second, values.n) :
		f->kind >= GS_WINDOW_PERCENTILE ?
		percentile(f, (gs_type) rows->type[f->argument], &values) :
		aggregate(f, (gs_type) rows->type[f->argument], &values);
	free(values.a);
	free(second);
	return cell;
}

static plan_cell
framed(const ordered *o, const gs_window_function *f, int64_t i)
{
	int64_t    *frame = malloc(sizeof *frame * (size_t) (o->rows->rows + 1));
	int64_t		n = find_frame(o, f, i, frame);
	int64_t		place = f->kind == GS_WINDOW_FIRST ? 0 :
		f->kind == GS_WINDOW_LAST ? n - 1 : f->offset - 1;
	plan_cell	cell = plan_null();

	if (f->kind >= GS_WINDOW_COUNT)
		cell = aggregate_frame(f, o->rows, frame, n);
	else if (place >= 0 && place < n)
		cell = cell_of(o->rows, f->argument, frame[place]);
	if (is_beyond(o, f, &f->start, i) || is_beyond(o, f, &f->end, i))
		cell.errors |= GS_ERROR_RANGE;
	free(frame);
	return cell;
}

static plan_cell
shifted(const ordered *o, const gs_window_function *f, int64_t i)
{
	__int128	place = (__int128) i + f->offset;
	plan_cell	cell = plan_null();

	if (place >= 0 && place < o->rows->rows &&
		o->partition[place] == o->partition[i])
		return cell_of(o->rows, f->argument, o->row[place]);
	cell.null = !f->has_default;
	if (f->has_default)
		cell.v = f->by_default;
	return cell;
}

/* Buckets differ by a row at most, the first ones are the larger ones. */
static int64_t
bucket_of(int64_t place, int64_t rows, int64_t buckets)
{
	for (int64_t b = 1, before = 0;; b++)
	{
		before += rows / buckets + (b <= rows % buckets);
		if (place < before)
			return b;
	}
}

/* Of the rows of the partition: before, and with peers; and all. */
static plan_cell
ranked(const ordered *o, const gs_window_function *f, int64_t i)
{
	int64_t		rows = 0;
	int64_t		before = 0;
	int64_t		through = 0;
	int64_t		place = 0;
	int64_t		groups = 0;
	int64_t		group = -1;
	plan_cell	cell;

	for (int64_t j = 0; j < o->rows->rows; j++)
	{
		if (o->partition[i] != o->partition[j])
			continue;
		rows++;
		place += j < i;
		before += o->group[j] < o->group[i];
		through += o->group[j] <= o->group[i];
		groups += o->group[j] <= o->group[i] && o->group[j] != group;
		group = o->group[j];
	}
	switch (f->kind)
	{
		case GS_WINDOW_ROW_NUMBER:
			return integer_cell(place + 1);
		case GS_WINDOW_RANK:
			return integer_cell(before + 1);
		case GS_WINDOW_DENSE_RANK:
			return integer_cell(groups);
		case GS_WINDOW_PERCENT_RANK:
			return share_cell(before, rows - 1);
		case GS_WINDOW_CUME_DIST:
			return share_cell(through, rows);
		default:
			cell = integer_cell(0);
			cell.v.i4 = (int32_t) bucket_of(place, rows, f->offset);
			return cell;
	}
}

/* Does place i remain? */
static bool
is_kept(const gs_windows *w, const ordered *o, int64_t i)
{
	return w->first == 0 || o->before[i] < w->first;
}

static void
compute(const gs_windows *w, const gs_window_function *f, plan_columns *rows,
		uint32_t *errors)
{
	ordered		o;
	gs_value   *value = calloc((size_t) rows->rows + 1, sizeof *value);
	bool	   *null = calloc((size_t) rows->rows + 1, sizeof *null);

	sort_rows(&o, &w->window[f->window], rows);
	for (int64_t i = 0; i < rows->rows; i++)
	{
		plan_cell	cell = f->kind == GS_WINDOW_SHIFT ? shifted(&o, f, i) :
			f->mode == 0 ? ranked(&o, f, i) : framed(&o, f, i);

		if (is_kept(w, &o, i))
			*errors |= cell.errors;
		value[o.row[i]] = cell.v;
		null[o.row[i]] = cell.null;
	}
	free_order(&o);
	rows->value[f->result] = value;
	rows->null[f->result] = null;
}

/* In place. */
static void
bring_in_order(const gs_windows *w, plan_columns *rows)
{
	ordered		o;
	int64_t		kept = 0;

	sort_rows(&o, &w->window[w->order], rows);
	for (int c = 0; c < rows->columns; c++)
	{
		gs_value   *value = calloc((size_t) rows->rows + 1, sizeof *value);
		bool	   *null = calloc((size_t) rows->rows + 1, sizeof *null);

		kept = 0;
		for (int64_t i = 0; i < rows->rows; i++)
		{
			if (!is_kept(w, &o, i))
				continue;
			value[kept] = rows->value[c][o.row[i]];
			null[kept++] = rows->null[c][o.row[i]];
		}
		memcpy(rows->value[c], value, sizeof *value * (size_t) rows->rows);
		memcpy(rows->null[c], null, sizeof *null * (size_t) rows->rows);
		free(value);
		free(null);
	}
	free_order(&o);
	if (w->first > 0 && rows->columns > 0)
		rows->rows = kept;
	if (w->limit > 0 && w->limit < rows->rows)
		rows->rows = w->limit;
}

void
plan_windows_reference(const gs_windows *w, plan_columns *rows,
					   uint32_t *errors)
{
	for (int f = 0; f < w->functions; f++)
		compute(w, &w->function[f], rows, errors);
	if (w->order >= 0)
		bring_in_order(w, rows);
}
