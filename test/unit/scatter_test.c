/*-------------------------------------------------------------------------
 *
 * scatter_test.c
 *	  Rows of a plan as look-up tables, against a loop over the rows that were fed.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/scatter.h"
#include "test/common/random.h"
#include "unit.h"

#define COLUMNS		5
#define MOST		5000			/* rows: several tiles */

static const uint8_t types[COLUMNS] = {
	GS_INT4, GS_INT2, GS_BOOL, GS_INT8, GS_FLOAT8
};

/* Rows, and which values of them are there; those that are fed count. */
typedef struct rows
{
	int64_t		n;
	int64_t		value[COLUMNS][MOST];
	bool		null[COLUMNS][MOST];
} rows;

static int64_t
random_value(int column, int64_t spread)
{
	switch (column)
	{
		case 0:
			return random_below(spread) - spread / 2;
		case 1:
			return random_below(20) - 9;
		case 2:
			return random_below(2);
		default:
			return (int64_t) random_bits();
	}
}

static void
make_rows(rows *r, int64_t n, int64_t spread, int nulls)
{
	r->n = n;
	for (int c = 0; c < COLUMNS; c++)
	{
		for (int64_t i = 0; i < n; i++)
		{
			r->value[c][i] = random_value(c, spread);
			r->null[c][i] = nulls > 0 && one_in(nulls);

			/* a NaN would become the canonical one */
			if (c == 4)
				r->value[c][i] &= ~(INT64_C(1) << 62);
		}
	}
}

static void
feed(gs_plan_run *run, const rows *r, int64_t first, int64_t n)
{
	gs_column_data column[COLUMNS];
	gs_batch	batch = {.n = n, .column = column};

	for (int c = 0; c < COLUMNS; c++)
	{
		int			width = (int) gs_type_width(types[c]);
		uint8_t    *values = allocate((size_t) (n * width + 16));
		uint8_t    *validity = allocate((size_t) n / 8 + 16);

		memset(validity, 0, (size_t) n / 8 + 16);
		for (int64_t i = 0; i < n; i++)
		{
			memcpy(values + i * width, &r->value[c][first + i], (size_t) width);
			validity[i / 8] |= (uint8_t) (!r->null[c][first + i] << i % 8);
		}
		column[c] = (gs_column_data) {
			.values = values, .validity = validity, .width = width, .low = 1
		};
	}
	expect(gs_plan_cpu.feed(run, &batch) == GS_OK, "feed");
	for (int c = 0; c < COLUMNS; c++)
	{
		free((void *) column[c].values);
		free((void *) column[c].validity);
	}
}

static int64_t
entry_at(const void *table, int width, int64_t place)
{
	switch (width)
	{
		case 1:
			return ((const int8_t *) table)[place];
		case 2:
			return ((const int16_t *) table)[place];
		case 4:
			return ((const int32_t *) table)[place];
		default:
			return ((const int64_t *) table)[place];
	}
}

/* As it is in an entry of such a width. */
static int64_t
cut(int64_t x, int width)
{
	return width == 8 ? x : entry_at(&x, width, 0);
}

/* The place of a row; -1: none. */
static int64_t
place_of(const rows *r, const gs_scatter *s, int64_t row)
{
	int64_t		place = 0;

	for (int k = 0; k < s->keys; k++)
	{
		int64_t		x = r->value[s->key[k]][row];

		if (r->null[s->key[k]][row] || x < s->least[k] ||
			x > s->least[k] + s->count[k] - 1)
			return -1;
		place = place * s->count[k] + (x - s->least[k]);
	}
	return place;
}

/* Each place has what one of its rows has, or what there is without one. */
static void
check_table(const rows *r, const gs_scatter *s, const uint8_t *table,
			int64_t placed, int64_t repeated)
{
	const uint8_t *bits = table + gs_scatter_values(s);
	int		   *there = allocate((size_t) (s->places + 1) * sizeof *there);
	bool	   *right = allocate((size_t) s->places + 1);
	int			wrong = 0;

	memset(there, 0, (size_t) (s->places + 1) * sizeof *there);
	memset(right, 0, (size_t) s->places + 1);
	for (int64_t i = 0; i < r->n; i++)
	{
		int64_t		place = place_of(r, s, i);
		bool		null = s->value >= 0 && r->null[s->value][i];
		int64_t		x = s->value < 0 ? s->none == 0 :
			null ? 0 : r->value[s->value][i];

		if (place < 0)
			continue;
		repeated -= s->counts && there[place] > 0;
		placed--;
		there[place]++;
		right[place] |= entry_at(table, s->width, place) == cut(x, s->width) &&
			(!s->has_nulls || (bits[place / 8] >> place % 8 & 1) == null);
	}
	for (int64_t place = 0; place <= s->places; place++)
	{
		bool		null = s->has_nulls && (bits[place / 8] >> place % 8 & 1);

		if (there[place] == 0)
			right[place] = entry_at(table, s->width, place) ==
				cut(s->none, s->width) && null == (s->none_null != 0);
		wrong += !right[place];
	}
	expect(wrong == 0, "%d of %d places are wrong, value %d, %d bytes", wrong,
		   (int) s->places, s->value, s->width);
	expect(placed == 0, "%d rows are not placed", (int) placed);
	expect(repeated == 0, "%d rows have not been counted", (int) repeated);
	free(there);
	free(right);
}

static void
check_ranges(gs_plan_run *run, const rows *r)
{
	for (int c = 0; c < COLUMNS; c++)
	{
		gs_value_range range;
		gs_value_range wanted = {INT64_MAX, INT64_MIN, 0};

		for (int64_t i = 0; i < r->n; i++)
		{
			int64_t		x = types[c] == GS_FLOAT8 ? 0 : r->value[c][i];

			if (r->null[c][i])
				wanted.nulls++;
			else
			{
				wanted.low = x < wanted.low ? x : wanted.low;
				wanted.high = x > wanted.high ? x : wanted.high;
			}
		}
		expect(gs_plan_cpu.range(run, c, &range) == GS_OK &&
			   memcmp(&range, &wanted, sizeof range) == 0,
			   "range of column %d", c);
	}
}

static void
check_scatter(gs_plan_run *run, const rows *r, const gs_scatter *s)
{
	size_t		size = (size_t) gs_scatter_size(s);
	uint8_t    *table = allocate(size);	/* no byte more: sanitizers watch */
	int64_t		placed;
	int64_t		repeated;

	if (expect(gs_plan_cpu.scatter(run, s, table, &placed, &repeated) == GS_OK,
			   "scatter"))
		check_table(r, s, table, placed, repeated);
	free(table);
}

static void
check_refused(const gs_plan *plan, gs_scatter s)
{
	const gs_scatter good = s;
	const struct
	{
		size_t		at;
		size_t		width;
		int64_t		value;
	}			wrong[] = {
		{offsetof(gs_scatter, keys), 4, 0}, {offsetof(gs_scatter, keys), 4, 5},
		{offsetof(gs_scatter, value), 4, -2},
		{offsetof(gs_scatter, value), 4, COLUMNS},
		{offsetof(gs_scatter, key[0]), 4, -1},
		{offsetof(gs_scatter, key[0]), 4, 4},
		{offsetof(gs_scatter, key[1]), 4, INT32_MAX},
		{offsetof(gs_scatter, width), 4, 3}, {offsetof(gs_scatter, width), 4, 0},
		{offsetof(gs_scatter, has_nulls), 4, 2},
		{offsetof(gs_scatter, none_null), 4, 1},
		{offsetof(gs_scatter, counts), 4, 1},
		{offsetof(gs_scatter, count[0]), 8, 0},
		{offsetof(gs_scatter, count[0]), 8, -1},
		{offsetof(gs_scatter, count[1]), 8, INT64_MAX},
		{offsetof(gs_scatter, count[1]), 8, GS_SCATTER_PLACES},
		{offsetof(gs_scatter, places), 8, 0},
		{offsetof(gs_scatter, places), 8, 39},
		{offsetof(gs_scatter, places), 8, INT64_MIN}
	};

	expect(gs_scatter_check(plan, &s), "a good one is refused");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
	{
		s = good;
		memcpy((char *) &s + wrong[i].at, &wrong[i].value, wrong[i].width);
		expect(!gs_scatter_check(plan, &s), "number %d is not refused", (int) i);
	}
	s = good;
	s.value = 4;
	s.width = 4;
	expect(!gs_scatter_check(plan, &s), "a float is cut");
}

static void
check_rows(const rows *r, int64_t spread)
{
	gs_aggregate aggregate[COLUMNS];
	gs_plan		plan = {
		.columns = COLUMNS, .aggregates = COLUMNS, .filter = GS_NOTHING,
		.of_rows = 1, .column = types, .aggregate = aggregate
	};
	const int64_t least[COLUMNS] = {-spread / 2, -9, 0};
	const int64_t count[COLUMNS] = {spread, 20, 2};
	gs_plan_run *run;
	gs_summary	summary;

	for (int c = 0; c < COLUMNS; c++)
		aggregate[c] = (gs_aggregate) {
			.kind = GS_AGG_VALUE, .a = GS_COLUMN(c), .b = 0, .filter = GS_NOTHING
		};
	expect(gs_plan_cpu.begin(&plan, &run) == GS_OK, "begin");
	for (int64_t at = 0, n; at < r->n; at += n)
	{
		n = 1 + random_below(3000);
		n = n < r->n - at ? n : r->n - at;
		feed(run, r, at, n);
	}
	expect(gs_plan_cpu.finish(run, &summary) == GS_OK && summary.rows == r->n,
		   "finish");
	check_ranges(run, r);
	for (int keys = 1; keys <= 3; keys++)
	{
		gs_scatter	s = {.keys = keys, .places = 1};
		static const int widths[] = {1, 2, 4, 8};

		for (int k = 0; k < keys; k++)
		{
			/* some of the first key's values are not within */
			s.key[k] = (k + 4 - keys) % 3;
			s.least[k] = least[s.key[k]] + (s.key[k] == 0 && spread > 3);
			s.count[k] = count[s.key[k]] - 2 * (s.key[k] == 0 && spread > 3);
			s.places *= s.count[k];
		}
		for (int none = 0; none < 2; none++)
		{
			s.value = -1;
			s.width = 1;
			s.none = none;
			s.has_nulls = s.none_null = 0;
			s.counts = none;
			check_scatter(run, r, &s);
			s.counts = 0;
			for (s.value = 0; s.value < COLUMNS; s.value++)
			{
				s.width = s.value == 4 ? 8 : widths[random_below(4)];
				s.none = none ? (int64_t) random_bits() : 0;
				s.has_nulls = (int32_t) random_below(2);
				s.none_null = s.has_nulls && one_in(2);
				check_scatter(run, r, &s);
			}
		}
	}
	check_refused(&plan, (gs_scatter) {
		.keys = 2, .key = {1, 2}, .value = 3, .width = 4, .least = {0, 0},
		.count = {20, 2}, .places = 40
	});
	gs_plan_cpu.end(run);
}

void
test_scatter(void)
{
	static const int64_t sizes[] = {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 4000};
	rows	   *r = allocate(sizeof *r);

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
	{
		test_begin("rows as look-up tables, %d rows", (int) sizes[i]);
		for (int nulls = 0; nulls <= 4; nulls += 4)
		{
			make_rows(r, sizes[i], 150, nulls);
			check_rows(r, 150);
			make_rows(r, sizes[i], 3, nulls);
			check_rows(r, 3);
		}
		test_end();
	}
	free(r);
}
