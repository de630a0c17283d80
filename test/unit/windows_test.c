/*-------------------------------------------------------------------------
 *
 * windows_test.c
 *	  Windows over random relations, against test/common/plan_windows.c; and
 *	  which windows are refused.
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
fill_column(plan_columns *rows, int c, int64_t n)
{
	gs_type		type = (gs_type) (GS_BOOL + random_below(GS_FLOAT8));
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
		fill_column(rows, c, n);
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

	test_begin("damaged windows");
	for (int64_t i = 0; i < 4 * cases; i++)
		try_damage(seed + (uint64_t) i);
	test_end();
}
