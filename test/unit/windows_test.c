/*-------------------------------------------------------------------------
 *
 * windows_test.c
 *	  Windows over random relations, against test/common/plan_windows.c; which
 *	  windows are refused; and figures of given frames, against windows' own.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_windows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "harness.h"

#define COLUMNS	10				/* that are given, at most */

/* ----------
 * Random rows
 * ----------
 */

static gs_value
integer_value(gs_type type, int64_t x)
{
	gs_value	v = {.i8 = 0};

	if (type == GS_INT8)
		v.i8 = x;
	else if (type == GS_INT4)
		v.i4 = (int32_t) x;
	else
		v.i2 = type == GS_BOOL ? x & 1 : (int16_t) x;
	return v;
}

static gs_value
any_bits(gs_type type)
{
	gs_value	v = {.i8 = 0};

	if (type == GS_FLOAT8)
		v.f8 = gs_bits_double(random_bits());
	else if (type == GS_FLOAT4)
	{
		uint32_t	bits = (uint32_t) random_bits();

		memcpy(&v.f4, &bits, sizeof bits);
	}
	else
		v = integer_value(type, (int64_t) random_bits());
	return v;
}

/* What sums and extremes have to count. */
static double
special_value(void)
{
	static const double special[] = {
		NAN, INFINITY, -INFINITY, -0.0, 0, 1e30, -1e30, 1e-30
	};

	return special[random_below(one_in(2) ? 8 : 5)];
}

static gs_value
value_of_kind(gs_type type, int kind, int64_t i, gs_value constant)
{
	double		x = (double) random_below(7) / 2 - 1;
	gs_value	v = {.i8 = 0};

	switch (kind)
	{
		case 0:
			return plan_random_value(type);
		case 1:
			return any_bits(type);
		case 2:
			return constant;
		case 3:					/* ascending */
			x = (double) (i / 2);
			break;
		case 4:					/* descending */
			x = (double) -i;
			break;
		case 5:
			x = is_float(type) ? special_value() : x;
			break;
		case 6:					/* zeros of either sign, and some ones */
			x = one_in(2) ? 0 : one_in(3) ? 1 : -0.0;
			break;
		case 7:
		case 8:					/* some that may be infinite */
			if (!is_float(type) && one_in(3))
				return integer_value(type, one_in(2) ? type_min(type) :
									 type_max(type));
			break;
		case 9:					/* multiples, as days of microseconds are */
			if (type == GS_INT8)
				return integer_value(type, (constant.i8 >> 12) *
									 (random_below(2001) - 1000));
			break;
		default:
			break;
	}
	if (!is_float(type))
		return integer_value(type, (int64_t) x);
	if (type == GS_FLOAT4)
		v.f4 = (float) x;
	else
		v.f8 = x;
	return v;
}

static void
fill_column(plan_columns *rows, int c, gs_type type, int64_t n)
{
	int			kind = (int) random_below(12);
	int			nulls = (int) random_below(4);
	gs_value	constant = plan_random_value(type);

	rows->type[c] = (uint8_t) type;
	rows->value[c] = calloc((size_t) n + 1, sizeof(gs_value));
	rows->null[c] = calloc((size_t) n + 1, sizeof(bool));
	for (int64_t i = 0; i < n; i++)
	{
		rows->value[c][i] = value_of_kind(type, kind, i, constant);
		rows->null[c][i] = nulls == 0 ? one_in(3) : nulls == 1 && one_in(20);
	}
	if (one_in(30))
		memset(rows->null[c], 1, (size_t) n);
}

static void
make_rows(plan_columns *rows, int64_t n)
{
	memset(rows, 0, sizeof *rows);
	rows->rows = n;
	rows->columns = one_in(30) ? 0 : 1 + (int) random_below(COLUMNS);
	for (int c = 0; c < rows->columns; c++)
		fill_column(rows, c, (gs_type) (GS_BOOL + random_below(GS_FLOAT8)), n);
}

static void
free_rows(plan_columns *rows)
{
	for (int c = 0; c < rows->columns; c++)
	{
		free(rows->value[c]);
		free(rows->null[c]);
	}
}

/* ----------
 * As a relation
 * ----------
 */

static void
store_value(gs_type type, gs_value v, void *values, int64_t i)
{
	size_t		width = (size_t) gs_type_width(type);
	uint8_t		flag = (uint8_t) v.i2;

	memcpy((char *) values + (size_t) i * width,
		   type == GS_BOOL ? (void *) &flag : (void *) &v, width);
}

/* What is not written, and where NULL is, must not matter. */
static void *
make_relation(gs_relation *r, const plan_columns *rows)
{
	size_t		size = gs_relation_size(rows->type, rows->columns, rows->rows);
	void	   *memory = aligned_alloc(64, (size + 64) & ~(size_t) 63);

	memset(memory, one_in(2) ? 0xa5 : 0, size);
	gs_relation_lay(r, rows->type, rows->columns, rows->rows, memory);
	for (int c = 0; c < rows->columns; c++)
	{
		gs_type		type = (gs_type) rows->type[c];
		gs_column_data *column = &r->column[c];
		uint8_t    *validity = (uint8_t *) (uintptr_t) column->validity;
		bool		known = !is_float(type) && type != GS_BOOL && one_in(2);

		if (rows->value[c] != NULL || one_in(2))
			memset(validity, 0, ((size_t) rows->rows + 7) / 8);
		for (int64_t i = 0; rows->value[c] != NULL && i < rows->rows; i++)
		{
			int64_t		x;

			store_value(type, rows->null[c][i] ? any_bits(type) :
						rows->value[c][i],
						(void *) (uintptr_t) column->values, i);
			if (rows->null[c][i])
				continue;
			validity[i / 8] |= (uint8_t) (1 << i % 8);
			if (!known)
				continue;
			x = value_int(type, rows->value[c][i]);
			column->low = x < column->low ? x : column->low;
			column->high = x > column->high ? x : column->high;
		}
	}
	return memory;
}

static bool
same_column(const gs_column_data *got, gs_type type, const gs_value *value,
			const bool *null, int64_t rows, bool computed, difference *d)
{
	for (int64_t i = 0; i < rows; i++)
	{
		bool		valid = got->validity[i / 8] >> i % 8 & 1;
		gs_value	v = value_load(type, (const uint8_t *) got->values +
								   i * gs_type_width(type));

		if (valid == null[i])
			return differ(d, "row %" PRId64 ": %s", i,
						  valid ? "not NULL" : "NULL");
		if (!valid)
			continue;
		if (!same_value(type, "", v, value[i], d))
			return false;
		if (computed && !is_float(type) && got->low <= got->high &&
			(value_int(type, v) < got->low || value_int(type, v) > got->high))
			return differ(d, "row %" PRId64 ": out of the range", i);
	}
	return true;
}

static void
complain(const gs_windows *w, int column, uint64_t seed, const difference *d)
{
	for (int f = 0; f < w->functions; f++)
	{
		const gs_window_function *function = &w->function[f];

		if (function->result == column)
			printf("# kind %d, figure %d, mode %d, %d (%" PRId64 ") to %d (%" PRId64
				   "), offset %" PRId64 ", order %d of %d\n", function->kind,
				   function->figure, function->mode, function->start.bound,
				   function->start.offset, function->end.bound,
				   function->end.offset, function->offset, function->window,
				   w->order);
	}
	expect(false, "seed %" PRIu64 ", column %d: %s", seed, column, d->text);
}

/* Is all as the reference has it? */
static void
compare_rows(const gs_windows *w, const plan_columns *given, int64_t seed,
			 const gs_relation *got, uint32_t errors)
{
	plan_columns wanted = *given;
	uint32_t	wanted_errors = 0;
	difference	d;

	for (int c = 0; c < w->functions; c++)
		wanted.value[w->function[c].result] = NULL;
	plan_windows_reference(w, &wanted, &wanted_errors);
	expect(errors == wanted_errors, "seed %" PRId64 ": errors %u, not %u",
		   seed, errors, wanted_errors);
	expect(got->rows == wanted.rows, "seed %" PRId64 ": rows", seed);
	for (int c = 0; c < wanted.columns && wanted_errors == 0; c++)
	{
		if (same_column(&got->column[c], (gs_type) wanted.type[c],
						wanted.value[c], wanted.null[c], wanted.rows,
						given->value[c] == NULL, &d))
			expect(true, " ");
		else
			complain(w, c, (uint64_t) seed, &d);
	}
	for (int c = 0; c < w->functions; c++)
	{
		free(wanted.value[w->function[c].result]);
		free(wanted.null[w->function[c].result]);
	}
}

/* With `order`, without functions. */
static void
try_windows(uint64_t seed, int64_t n, bool order)
{
	plan_columns rows;
	plan_columns given;
	gs_windows	w;
	gs_finish	finish[GS_PLAN_COLUMNS] = {{0}};
	gs_relation relation;
	uint32_t	errors = 0;
	void	   *memory;

	random_seed(seed);
	make_rows(&rows, n);
	given = rows;
	plan_windows_new(&w, &rows, finish);
	if (order)
	{
		rows.columns = given.columns;
		w.functions = 0;
		w.order = 0;
		w.limit = one_in(3) ? 0 : random_below(one_in(2) ? 20 : n);
		w.first = w.limit > 0 || one_in(3) ? 0 : 1 + random_below(one_in(2) ? 2 : GS_WINDOW_FIRST_MAX);
	}
	expect(gs_windows_check(&w, rows.type, rows.columns, finish) == GS_OK,
		   "seed %" PRIu64 ": refused", seed);
	memory = make_relation(&relation, &rows);
	gs_engine_threads = 1 + (int) random_below(4);
	expect(gs_windows_compute(&w, rows.type, &relation, NULL, &errors) == GS_OK,
		   "seed %" PRIu64 ": fails", seed);
	gs_engine_threads = 1;
	compare_rows(&w, &rows, (int64_t) seed, &relation, errors);
	free(memory);
	free_rows(&given);
}

static void
try_order(uint64_t seed)
{
	random_seed(seed);
	try_windows(seed, one_in(3) ? 150000 + random_below(200000) :
				10000 + random_below(5000), true);
}

/* ----------
 * Figures of frames that are given
 * ----------
 */

/* Columns of their rows, which are in the window's order. */
enum
{
	PARTITION, ORDER, Y, X, RESULT, FIGURE_COLUMNS
};

/* Above the most places between two questions to the caller. */
#define MANY_PLACES	70000

/* Who waits for so many questions. */
static bool
waits_for(void *who)
{
	int		   *questions = who;

	return (*questions)-- > 0;
}

/* Their sums have about as many bits as fit into the engine's integers. */
static void
fill_to_limit(plan_columns *rows, int c)
{
	int			bits = 116 + (int) random_below(12);

	for (int64_t i = 0; i < rows->rows; i++)
		rows->value[c][i].f8 = one_in(8) ? 1 :
			ldexp(9007199254740991.0 - (double) random_below(9), bits - 53);
}

static void
make_ordered_rows(plan_columns *rows, int64_t n)
{
	int			size = one_in(2) ? 1 + (int) random_below(50) : 5000;
	int64_t		partition = 0;
	int64_t		order = 0;

	memset(rows, 0, sizeof *rows);
	rows->rows = n;
	rows->columns = FIGURE_COLUMNS;
	fill_column(rows, PARTITION, GS_INT4, n);
	fill_column(rows, ORDER, GS_INT8, n);
	fill_column(rows, Y, GS_FLOAT8, n);
	fill_column(rows, X, GS_FLOAT8, n);
	rows->type[RESULT] = GS_FLOAT8;
	for (int c = Y; c <= X; c++)
	{
		if (one_in(8))
			fill_to_limit(rows, c);
	}
	for (int64_t i = 0; i < n; i++)
	{
		partition += one_in(size);
		order += random_below(one_in(10) ? 20 : 3);
		rows->value[PARTITION][i].i4 = (int32_t) partition;
		rows->value[ORDER][i].i8 = order;
		rows->null[PARTITION][i] = rows->null[ORDER][i] = false;
	}
}

static void
choose_end(gs_frame_end *end)
{
	end->bound = (uint8_t) (GS_BOUND_UNBOUNDED + random_below(4));
	end->offset = end->bound == GS_BOUND_PRECEDING ||
		end->bound == GS_BOUND_FOLLOWING ? random_below(12) : 0;
}

/* Of rows, or of a range: from one distance to another. */
static void
choose_figure(gs_windows *w)
{
	gs_window_function *f = &w->function[0];

	memset(w, 0, sizeof *w);
	w->order = -1;
	w->windows = w->functions = 1;
	w->window[0] = (gs_window) {
		.partition = 1, .columns = 2, .column = {{PARTITION}, {ORDER}}
	};
	f->kind = GS_WINDOW_FIGURE;
	f->figure = (uint8_t) (GS_FIGURE_VAR_POP +
						   random_below(GS_FIGURE_WEIGHTED_AVG - GS_FIGURE_VAR_POP + 1));
	f->mode = one_in(2) ? GS_FRAME_ROWS : GS_FRAME_RANGE;
	f->argument = gs_window_is_of_pairs(f) ? Y : X;
	f->second = gs_window_is_of_pairs(f) ? X : GS_NOTHING;
	f->filter = GS_NOTHING;
	f->result = RESULT;
	f->low = INT64_MIN;
	f->high = INT64_MAX;
	do
	{
		choose_end(&f->start);
		choose_end(&f->end);
	} while (f->end.bound != GS_BOUND_UNBOUNDED &&
			 f->start.bound > f->end.bound);
}

static int64_t
distance_of(const gs_frame_end *end)
{
	return end->bound == GS_BOUND_PRECEDING ? -end->offset : end->offset;
}

/* How far row j is from row i. */
static int64_t
distance(const gs_window_function *f, const plan_columns *rows, int64_t i,
		 int64_t j)
{
	return f->mode == GS_FRAME_ROWS ? j - i :
		rows->value[ORDER][j].i8 - rows->value[ORDER][i].i8;
}

/* A frame of no rows begins where it would, and may end before that. */
static void
find_frames(const gs_window_function *f, const plan_columns *rows,
			uint32_t *start, uint32_t *end)
{
	int64_t		first = 0;
	int64_t		last = 0;

	for (int64_t i = 0; i < rows->rows; i++)
	{
		int64_t		from;
		int64_t		to;

		if (i == last)
		{
			first = i;
			while (last < rows->rows && rows->value[PARTITION][last].i4 ==
				   rows->value[PARTITION][i].i4)
				last++;
		}
		from = to = first;
		if (i > first)
		{
			from = start[i - 1];
			to = end[i - 1];
		}
		while (f->start.bound != GS_BOUND_UNBOUNDED && from < last &&
			   distance(f, rows, i, from) < distance_of(&f->start))
			from++;
		while (to < last && (f->end.bound == GS_BOUND_UNBOUNDED ||
							 distance(f, rows, i, to) <= distance_of(&f->end)))
			to++;
		if (to < from && one_in(2))
			to = from;
		start[i] = (uint32_t) from;
		end[i] = (uint32_t) to;
	}
}

/* What is not present has zeros. */
static void
gather_places(const gs_window_function *f, const plan_columns *rows,
			  double *y, double *x, uint8_t *present)
{
	for (int64_t i = 0; i < rows->rows; i++)
	{
		present[i] = !rows->null[X][i] &&
			(y == NULL || !rows->null[f->argument][i]);
		x[i] = present[i] ? rows->value[X][i].f8 : 0;
		if (y != NULL)
			y[i] = present[i] ? rows->value[Y][i].f8 : 0;
	}
}

static void
compare_figures(const gs_window_function *f, const gs_relation *wanted,
				uint32_t wanted_errors, const double *result,
				const uint8_t *valid, uint32_t errors, uint64_t seed)
{
	const double *values = wanted->column[RESULT].values;
	const uint8_t *validity = wanted->column[RESULT].validity;

	expect(errors == wanted_errors, "seed %" PRIu64 ", figure %d: errors %u, "
		   "not %u", seed, f->figure, errors, wanted_errors);
	for (int64_t i = 0; i < wanted->rows && wanted_errors == 0; i++)
	{
		bool		want = validity[i / 8] >> i % 8 & 1;

		expect(valid[i] == want && (want || result[i] == 0) &&
			   (!want || memcmp(&result[i], &values[i], sizeof values[i]) == 0),
			   "seed %" PRIu64 ", figure %d, mode %d, row %" PRId64
			   " of %" PRId64 ": %.17g (%d), not %.17g (%d)", seed, f->figure,
			   f->mode, i, wanted->rows, result[i], valid[i], values[i], want);
	}
}

/* The CUDA engine calls gs_window_figures() where its own sums are too short. */
static void
try_figures(uint64_t seed, int64_t n)
{
	size_t		size = (size_t) n;
	plan_columns rows;
	gs_windows	w;
	gs_finish	finish[FIGURE_COLUMNS] = {{0}};
	gs_relation relation;
	gs_windows_caller caller = {.waits = waits_for};
	int			questions = 1 + (int) (n / MANY_PLACES);
	uint32_t	wanted_errors = 0;
	uint32_t	errors = 0;
	double	   *y = NULL;
	double	   *x = allocate(sizeof *x * size);
	double	   *result = allocate(sizeof *result * size);
	uint8_t    *present = allocate(size);
	uint8_t    *valid = allocate(size);
	uint32_t   *start = allocate(sizeof *start * size);
	uint32_t   *end = allocate(sizeof *end * size);
	void	   *memory;

	make_ordered_rows(&rows, n);
	choose_figure(&w);
	finish[RESULT].kind = GS_FINISH_WINDOW;
	expect(gs_windows_check(&w, rows.type, rows.columns, finish) == GS_OK,
		   "seed %" PRIu64 ": refused", seed);
	memory = make_relation(&relation, &rows);
	expect(gs_windows_compute(&w, rows.type, &relation, NULL,
							  &wanted_errors) == GS_OK,
		   "seed %" PRIu64 ": fails", seed);

	if (gs_window_is_of_pairs(&w.function[0]))
		y = allocate(sizeof *y * size);
	gather_places(&w.function[0], &rows, y, x, present);
	find_frames(&w.function[0], &rows, start, end);
	caller.who = &questions;
	expect(gs_window_figures(&w.function[0], n, y, x, present, start, end,
							 one_in(2) ? &caller : NULL, result, valid,
							 &errors), "seed %" PRIu64 ": stopped", seed);
	compare_figures(&w.function[0], &relation, wanted_errors, result, valid,
					errors, seed);

	/* the last question is in vain */
	questions = (int) (n / MANY_PLACES);
	expect(!gs_window_figures(&w.function[0], n, y, x, present, start,
							  end, &caller, result, valid, &errors),
		   "seed %" PRIu64 ": not stopped", seed);
	free(y);
	free(x);
	free(result);
	free(present);
	free(valid);
	free(start);
	free(end);
	free(memory);
	free_rows(&rows);
}

/* ----------
 * Damage
 * ----------
 */

/* Whatever passes the check can be computed. */
static void
try_damage(uint64_t seed)
{
	plan_columns rows;
	plan_columns given;
	gs_windows	w;
	gs_finish	finish[GS_PLAN_COLUMNS] = {{0}};
	gs_relation relation;
	uint32_t	errors = 0;

	random_seed(seed);
	make_rows(&rows, random_below(40));
	given = rows;
	plan_windows_new(&w, &rows, finish);
	for (int i = 0; i <= random_below(3); i++)
	{
		size_t		used = one_in(2) ? sizeof(gs_windows) : 600;

		((uint8_t *) &w)[random_below((int64_t) used)] = one_in(2) ?
			(uint8_t) random_below(8) : (uint8_t) random_bits();
	}
	if (gs_windows_check(&w, rows.type, rows.columns, finish) == GS_OK)
	{
		void	   *memory = make_relation(&relation, &rows);

		expect(gs_windows_compute(&w, rows.type, &relation, NULL, &errors) == GS_OK,
			   "seed %" PRIu64 ": fails", seed);
		free(memory);
	}
	else
		expect(true, " ");
	free_rows(&given);
}

void
test_windows(uint64_t seed, int64_t cases)
{
	test_begin("windows over random relations");
	for (int64_t i = 0; i < 4 * cases; i++)
		try_windows(seed + (uint64_t) i,
					random_below(one_in(4) ? 4 : one_in(10) ? 400 : 60), false);
	test_end();

	test_begin("windows over larger random relations");
	for (int64_t i = 0; i < cases / 20 + 1; i++)
		try_windows(seed - (uint64_t) i, 1000 + random_below(2500), false);
	test_end();

	/* many rows, of which only the first are wanted or which all are sorted */
	test_begin("orders of many rows");
	for (int64_t i = 0; i < cases / 20 + 1; i++)
		try_order(seed + (uint64_t) i);
	test_end();

	test_begin("figures of given frames");
	for (int64_t i = 0; i < 8 * cases; i++)
	{
		random_seed(seed + (uint64_t) i);
		try_figures(seed + (uint64_t) i,
					1 + random_below(one_in(4) ? 4 : one_in(20) ? 700 : 60));
	}
	random_seed(seed);
	try_figures(seed, MANY_PLACES);
	test_end();

	test_begin("damaged windows");
	for (int64_t i = 0; i < 4 * cases; i++)
		try_damage(seed + (uint64_t) i);
	test_end();
}
