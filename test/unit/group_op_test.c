/*-------------------------------------------------------------------------
 *
 * group_op_test.c
 *	  GS_GROUP: the CPU engine against sorted rows.
 *
 * The plain way: rows are sorted by key and value, so that a group is a run of
 * them, its least value the first of the run, and so on.  Sums of floats are
 * MPFR's, and compared rounded.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/group_op.h"
#include "harness.h"
#include "oracle.h"
#include "reference.h"

#include <math.h>

#define CANARY_SIZE		16
#define CANARY			0xa7

typedef struct row
{
	const gs_op *op;
	gs_value	key;
	gs_value	v;
	bool		has_key;
	bool		has_v;
} row;

/* A group, and what it has of them: rows first .. first + present - 1. */
typedef struct run
{
	int64_t		first;
	int64_t		present;
} run;

/* The columns of an execution. */
typedef struct columns
{
	int64_t		groups;
	void	   *column[GS_COLUMNS];
} columns;

static int
compare_rows(const void *x, const void *y)
{
	const row  *a = x;
	const row  *b = y;
	int			c = b->has_key - a->has_key;

	if (c == 0 && a->has_key)
		c = compare_sql((gs_type) a->op->mask.type, a->key, b->key);
	if (c == 0)
		c = b->has_v - a->has_v;
	if (c == 0 && a->has_v)
		c = compare_value((gs_type) a->op->type, a->v, b->v);
	return c;
}

static bool
same_key(const row *a, const row *b)
{
	return a->has_key == b->has_key &&
		(!a->has_key ||
		 compare_sql((gs_type) a->op->mask.type, a->key, b->key) == 0);
}

static row *
sorted_rows(const gs_op *op, const test_array *a, const test_array *keys)
{
	row		   *rows = allocate(sizeof(row) * a->n);

	for (int64_t i = 0; i < a->n; i++)
	{
		row			r = {op, canonical(keys->type, keys->v[i]),
		canonical(a->type, a->v[i]), keys->valid[i], a->valid[i]};

		rows[i] = r;
	}
	qsort(rows, a->n, sizeof(row), compare_rows);
	return rows;
}

static int64_t
find_runs(const row *rows, int64_t n, run *runs)
{
	int64_t		groups = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (i == 0 || !same_key(&rows[i - 1], &rows[i]))
			runs[groups++] = (run) {i, 0};
		runs[groups - 1].present += rows[i].has_v;
	}
	return groups;
}

/* Fetch all of a column that there is, in two parts. */
static void *
fetch_column(gs_run *execution, const gs_op *op, int column, int64_t n)
{
	size_t		width = gs_column_width(op, (gs_column) column);
	size_t		size = (size_t) n * width;
	uint8_t    *to = allocate(size + CANARY_SIZE);
	int64_t		part = n > 0 ? random_below(n + 1) : 0;

	memset(to, CANARY, size + CANARY_SIZE);
	expect(gs_engine_cpu.fetch(execution, (gs_column) column, part, n - part,
							   to + part * width) == GS_OK &&
		   gs_engine_cpu.fetch(execution, (gs_column) column, 0, part, to) ==
		   GS_OK, "fetch of column %d fails", column);
	for (int i = 0; i < CANARY_SIZE; i++)
		expect(to[size + i] == CANARY, "column %d: written beyond", column);
	return to;
}

static columns
execute_group(const gs_op *op, const test_array *a, const test_array *keys,
			  cut how)
{
	columns		c = {0, {NULL}};
	gs_run	   *execution;
	gs_result	result = {0};
	gs_output	out = {0};

	expect(gs_engine_cpu.begin(op, a->n, NULL, &execution) == GS_OK, "begin");
	for (int64_t at = 0, n; at < a->n; at += n)
	{
		gs_input	in;

		n = piece_size(how, a->n - at);
		in = (gs_input) {
			.n = n, .data = span_of(a, at, n), .mask = span_of(keys, at, n)
		};
		expect(gs_engine_cpu.feed(execution, &in, &out) == GS_OK &&
			   gs_engine_cpu.wait(execution) == GS_OK, "feed");
		span_free(&in.data);
		span_free(&in.mask);
	}
	expect(gs_engine_cpu.finish(execution, &result) == GS_OK, "finish");
	c.groups = result.results;
	for (int i = 0; i < GS_COLUMNS; i++)
	{
		int64_t		n = c.groups;

		if (!gs_has_column(op, (gs_column) i))
			continue;
		if (i == GS_COLUMN_WIDE_SUMS || i == GS_COLUMN_WIDE_SQUARES)
			n = gs_wide_end(c.column[i - 1], n);
		c.column[i] = fetch_column(execution, op, i, n);
		expect(gs_group_op_valid(op, (gs_column) i, c.column[i], n, c.groups),
			   "column %d: out of range", i);
	}
	gs_engine_cpu.end(execution);
	return c;
}

static void
expect_value(const char *what, int64_t group, gs_type type, gs_value got,
			 gs_value wanted)
{
	difference	d = {""};

	expect(same_value(type, what, got, wanted, &d), "group %lld: %s",
		   (long long) group + 1, d.text);
}

/* A column of values: of all groups, `of` to each, at rank `rank` of them. */
static void
expect_values(const columns *c, int column, const char *what, int64_t group,
			  int of, int rank, const row *wanted)
{
	const gs_value *got = c->column[column];

	if (got != NULL)
		expect_value(what, group, (gs_type) wanted->op->type,
					 got[group * of + rank], wanted->v);
}

static gs_limbs
limbs_of(const columns *c, int column, int64_t group, int64_t *space)
{
	const gs_float_sum *sum = (gs_float_sum *) c->column[column] + group;
	bool		squares = column == GS_COLUMN_SQUARES;
	const char *wide = c->column[column + 1];

	if (sum->wide > 0)
		wide += (size_t) (sum->wide - 1) *
			(squares ? sizeof(gs_acc2) : sizeof(gs_acc));
	return gs_float_sum_limbs(sum, squares, wide, space);
}

/* Sum and, if there are squares, deviation. */
static void
expect_float_sums(const columns *c, int64_t group, const row *rows,
				  int64_t present)
{
	const gs_op *op = rows->op;
	int64_t		space[GS_FLOAT_SUM_LIMBS];
	int64_t		squares_space[GS_FLOAT_SUM_LIMBS];
	gs_limbs	sum = limbs_of(c, GS_COLUMN_SUMS, group, space);
	oracle_sum	oracle;
	double		got;
	double		wanted;

	oracle_init(&oracle, true);
	for (int64_t i = 0; i < present; i++)
		oracle_add(&oracle, value_double((gs_type) op->type, rows[i].v));
	wanted = oracle_round(&oracle);
	expect(gs_limbs_round(sum, &got) == GS_OVERFLOW ? isinf(wanted) :
		   gs_double_bits(got) == gs_double_bits(wanted),
		   "group %lld: sum %a, not %a", (long long) group + 1, got, wanted);
	if (c->column[GS_COLUMN_SQUARES] != NULL && present > 1)
	{
		wanted = oracle_stddev(&oracle, true);
		expect(gs_limbs_stddev(sum, limbs_of(c, GS_COLUMN_SQUARES, group,
											 squares_space),
							   present, true, &got) == GS_OVERFLOW ?
			   isinf(wanted) : gs_double_bits(got) == gs_double_bits(wanted),
			   "group %lld: deviation %a, not %a", (long long) group + 1, got,
			   wanted);
	}
	oracle_clear(&oracle);
}

static void
expect_integer_sum(const columns *c, int column, int64_t group,
				   const row *rows, int64_t present)
{
	const gs_integer_sum *got = (gs_integer_sum *) c->column[column] + group;
	unsigned __int128 low = 0;
	uint64_t	high = 0;

	for (int64_t i = 0; i < present; i++)
	{
		__int128	x = value_int((gs_type) rows->op->type, rows[i].v);

		if (column == GS_COLUMN_SQUARES)
			x *= x;
		low += (unsigned __int128) x;
		high += (uint64_t) (low < (unsigned __int128) x) - (x < 0);
	}
	expect(got->word[0] == (uint64_t) low &&
		   got->word[1] == (uint64_t) (low >> 64) && got->word[2] == high,
		   "group %lld: sum in column %d", (long long) group + 1, column);
}

static void
expect_sums(const columns *c, int64_t group, const row *rows, int64_t present)
{
	if (is_float((gs_type) rows->op->type))
	{
		if (c->column[GS_COLUMN_SUMS] != NULL)
			expect_float_sums(c, group, rows, present);
		return;
	}
	for (int i = GS_COLUMN_SUMS; i <= GS_COLUMN_SQUARES; i++)
	{
		if (c->column[i] != NULL)
			expect_integer_sum(c, i, group, rows, present);
	}
}

static void
expect_group(const columns *c, int64_t group, const row *rows, int64_t present)
{
	const int64_t *counts = c->column[GS_COLUMN_COUNTS];
	const gs_value *keys = c->column[GS_COLUMN_KEYS];
	const uint8_t *nulls = c->column[GS_COLUMN_KEY_NULLS];
	gs_type		key_type = (gs_type) rows->op->mask.type;
	gs_value	key = rows->key;

	/* 0 stands for -0 as well */
	if (!rows->has_key || (is_float(key_type) &&
						   value_double(key_type, key) == 0))
		memset(&key, 0, sizeof key);
	expect(nulls[group] == !rows->has_key, "group %lld: NULL %d",
		   (long long) group + 1, nulls[group]);
	expect_value("key", group, key_type, keys[group], key);
	expect(counts == NULL || counts[group] == present, "group %lld: count",
		   (long long) group + 1);
	if (present == 0)
		return;
	expect_sums(c, group, rows, present);
	expect_values(c, GS_COLUMN_MIN, "least", group, 1, 0, rows);
	expect_values(c, GS_COLUMN_MAX, "greatest", group, 1, 0,
				  rows + present - 1);
	for (int i = 0; i < 2; i++)
		expect_values(c, GS_COLUMN_MEDIANS, "median", group, 2, i,
					  rows + (present - 1 + i) / 2);
}

static void
compare_group(const gs_op *op, const test_array *a, const test_array *keys)
{
	row		   *rows = sorted_rows(op, a, keys);
	run		   *runs = allocate(sizeof(run) * a->n);
	int64_t		groups = find_runs(rows, a->n, runs);

	for (cut how = CUT_NONE; how <= CUT_RANDOM; how++)
	{
		columns		c = execute_group(op, a, keys, how);

		if (expect(c.groups == groups, "%lld groups, not %lld",
				   (long long) c.groups, (long long) groups))
		{
			for (int64_t i = 0; i < groups; i++)
				expect_group(&c, i, rows + runs[i].first, runs[i].present);
		}
		for (int i = 0; i < GS_COLUMNS; i++)
			free(c.column[i]);
	}
	free(runs);
	free(rows);
}

/* An array with up to so many different elements. */
static test_array
array_of(gs_type type, int64_t n, int64_t different)
{
	test_array	a = array_new(type, n);
	int			width = gs_type_width(type);
	uint8_t    *packed = allocate((size_t) n * width);
	null_series nulls = random_nulls((null_pattern) random_below(NULL_PATTERNS),
									 n);

	fill_elements(packed, type, n, (data_kind) random_below(DATA_KINDS));
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		from = i < different ? i : random_below(different);

		a.v[i] = value_load(type, packed + from * width);
		a.valid[i] = !is_null(&nulls, i);
	}
	free(packed);
	return a;
}

static void
test_types(gs_type type, gs_type key_type)
{
	static const int64_t sizes[] = {0, 1, 2, 63, 65, 700, 1024, 2600};
	static const int64_t different[] = {1, 2, 30, INT64_MAX};

	test_begin("groups of %s by %s", type_names[type], type_names[key_type]);
	for (int i = 0; i < 8 * 4; i++)
	{
		gs_op		op = {.kind = GS_GROUP, .type = type, .mask.type = key_type};
		test_array	a = array_of(type, sizes[i / 4],
								 one_in(2) ? INT64_MAX : 3);
		test_array	keys = array_of(key_type, sizes[i / 4], different[i % 4]);

		op.aggregates = one_in(2) ? GS_GROUP_ALL :
			1 + (int32_t) random_below(GS_GROUP_ALL);
		compare_group(&op, &a, &keys);
		array_free(&a);
		array_free(&keys);
	}
	test_end();
}

/* Sums that need the whole range of double, and their squares. */
static void
test_wide(void)
{
	test_begin("groups with sums of all magnitudes");
	for (int i = 0; i < 10; i++)
	{
		gs_op		op = {.kind = GS_GROUP, .type = GS_FLOAT8,
		.mask.type = GS_INT2, .aggregates = GS_GROUP_ALL};
		test_array	a = array_of(GS_FLOAT8, 5000, INT64_MAX);
		test_array	keys = array_of(GS_INT2, 5000, 1 + random_below(200));

		for (int64_t j = 0; j < a.n; j++)
			a.v[j].f8 = ldexp(random_normal(), (int) random_below(2000) - 1000);
		compare_group(&op, &a, &keys);
		array_free(&a);
		array_free(&keys);
	}
	test_end();
}

/* Any bytes are accepted as booleans: what is not 0 is true. */
static void
test_odd_input(void)
{
	const gs_op op = {.kind = GS_GROUP, .type = GS_INT4, .mask.type = GS_BOOL,
	.aggregates = GS_GROUP_SUM};
	const int32_t values[] = {1, 2, 4, 8};
	const uint8_t keys[] = {0xff, 0, 2, 1};
	const uint8_t none = 0;
	gs_input	in = {.n = 4, .data = {values, NULL, 4}, .mask = {keys, NULL, 4}};
	gs_output	out = {0};
	gs_result	result = {0};
	gs_run	   *execution;
	gs_value	key[2];
	gs_integer_sum sum[2];

	test_begin("keys of bytes other than 0 and 1; no values");
	gs_engine_cpu.begin(&op, 4, NULL, &execution);
	gs_engine_cpu.feed(execution, &in, &out);
	gs_engine_cpu.finish(execution, &result);
	if (expect(result.results == 2, "%lld groups", (long long) result.results))
	{
		gs_engine_cpu.fetch(execution, GS_COLUMN_KEYS, 0, 2, key);
		gs_engine_cpu.fetch(execution, GS_COLUMN_SUMS, 0, 2, sum);
		expect(key[0].i2 == 0 && key[1].i2 == 1 && sum[0].word[0] == 2 &&
			   sum[1].word[0] == 13, "other groups");
	}
	gs_engine_cpu.end(execution);

	in.data = in.mask = (gs_span) {NULL, &none, 0};
	gs_engine_cpu.begin(&op, 4, NULL, &execution);
	expect(gs_engine_cpu.feed(execution, &in, &out) == GS_OK &&
		   gs_engine_cpu.finish(execution, &result) == GS_OK &&
		   result.results == 1, "nothing but NULL");
	gs_engine_cpu.end(execution);
	test_end();
}

/* Columns that are not there, and results that are not. */
static void
test_refused(void)
{
	const gs_op op = {.kind = GS_GROUP, .type = GS_INT4, .mask.type = GS_INT4,
	.aggregates = GS_GROUP_SUM};
	static const struct
	{
		int			column;
		int64_t		first;
		int64_t		n;
	}			parts[] = {
		{GS_COLUMN_VALUES, 0, 1}, {GS_COLUMN_COUNTS, 0, 1},
		{GS_COLUMN_WIDE_SUMS, 0, 0}, {GS_COLUMN_SQUARES, 0, 1},
		{GS_COLUMN_MEDIANS, 0, 1}, {GS_COLUMNS, 0, 1}, {-1, 0, 1},
		{GS_COLUMN_SUMS, 0, 3}, {GS_COLUMN_SUMS, -1, 1},
		{GS_COLUMN_KEYS, 2, 1}, {GS_COLUMN_KEYS, 0, -1}
	};
	const int32_t values[] = {1, 2, 3};
	const int32_t keys[] = {7, 8, 7};

	test_begin("columns and groups that are not there");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
	{
		gs_input	in = {.n = 3, .data = {values, NULL, 3}, .mask = {keys, NULL, 3}};
		gs_output	out = {0};
		gs_result	result = {0};
		gs_run	   *execution;
		uint64_t	to[32];

		gs_engine_cpu.begin(&op, 3, NULL, &execution);
		gs_engine_cpu.feed(execution, &in, &out);
		gs_engine_cpu.finish(execution, &result);
		expect(result.results == 2, "%lld groups", (long long) result.results);
		expect(gs_engine_cpu.fetch(execution, (gs_column) parts[i].column,
								   parts[i].first, parts[i].n, to) ==
			   GS_INVALID, "part %zu is given", i);
		gs_engine_cpu.end(execution);
	}
	test_end();
}

/* Sums that another process may give, but no engine: the second of two. */
static void
test_damaged_sums(void)
{
	static const struct
	{
		gs_column	column;
		int			type;
		int32_t		first;
		int32_t		wide;
		bool		valid;
	}			cases[] = {
		{GS_COLUMN_SUMS, GS_FLOAT8, GS_ACC_LIMBS - 1, 0, true},
		{GS_COLUMN_SUMS, GS_FLOAT8, GS_ACC_LIMBS, 0, false},
		{GS_COLUMN_SUMS, GS_FLOAT4, INT32_MIN, 0, false},
		{GS_COLUMN_SUMS, GS_FLOAT8, INT32_MAX, 0, false},
		{GS_COLUMN_SUMS, GS_FLOAT8, 0, 10, true},
		{GS_COLUMN_SUMS, GS_FLOAT4, 0, 11, false},
		{GS_COLUMN_SUMS, GS_FLOAT8, 0, -1, false},
		{GS_COLUMN_SQUARES, GS_FLOAT8, GS_ACC2_LIMBS - 1, 0, true},
		{GS_COLUMN_SQUARES, GS_FLOAT8, GS_ACC2_LIMBS, 0, false},
		{GS_COLUMN_SQUARES, GS_FLOAT8, 0, INT32_MAX, false},
		{GS_COLUMN_SQUARES, GS_FLOAT4, -1, 0, false},
		{GS_COLUMN_SUMS, GS_INT8, -1, -1, true},	/* it has no such members */
		{GS_COLUMN_WIDE_SUMS, GS_FLOAT8, -1, -1, true}
	};

	test_begin("sums out of range");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
	{
		gs_op		op = {.kind = GS_GROUP, .type = cases[i].type,
		.mask.type = GS_INT4, .aggregates = GS_GROUP_ALL};
		gs_float_sum sums[2] = {{0}, {.first = cases[i].first,
		.wide = cases[i].wide}};

		expect(gs_group_op_valid(&op, cases[i].column, sums, 2, 10) ==
			   cases[i].valid, "case %zu", i);
	}
	test_end();
}

void
test_group_op(void)
{
	for (gs_type type = GS_INT2; type < GS_TYPES; type++)
	{
		for (gs_type key_type = GS_BOOL; key_type < GS_TYPES; key_type++)
			test_types(type, key_type);
	}
	test_wide();
	test_odd_input();
	test_refused();
	test_damaged_sums();
}
