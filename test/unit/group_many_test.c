/*-------------------------------------------------------------------------
 *
 * group_many_test.c
 *	  Plans over many rows a group on the CPU engine: what of a group is worked
 *	  on in another way then gives the bytes that its rows give alone.
 *
 * Alone, without keys, sums of floats are accumulators.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include <math.h>

#include "engine/cpu/plan/plan.h"
#include "engine/finish.h"
#include "exact/figures.h"
#include "test/common/compare.h"

#define KEYS	5
#define AGGREGATES	9

/* A state, and the accumulator of a sum that is wide. */
typedef struct result
{
	uint8_t		bytes[sizeof(gs_float_sum)];
	gs_acc2		wide;
} result;

#define AGG(k, argument)	{.kind = k, .a = argument, .filter = GS_NOTHING}
#define EACH(argument) \
	AGG(GS_AGG_SUM, argument), AGG(GS_AGG_SQUARES, argument), \
	AGG(GS_AGG_MIN, argument), AGG(GS_AGG_MAX, argument)

static const gs_aggregate aggregates[AGGREGATES] = {
	EACH(GS_COLUMN(1)), EACH(GS_COLUMN(2)), AGG(GS_AGG_COUNT, GS_NOTHING)
};
static const gs_operand key = GS_COLUMN(0);

/* As it is, and such that every batch of some tiles is shared. */
static group_sharing sharing;
static const group_sharing share_always = {
	.chunk = GROUP_TILE,.rows = 1,.bytes_a_row = INT32_MAX
};

/* A key and two columns of values. */
typedef struct row_set
{
	int64_t		n;
	int32_t    *key;
	double	   *x;
	void	   *y;
	uint8_t		type[3];
	gs_plan		plan;
	gs_plan		alone;			/* without the key */
} row_set;

static row_set
new_rows(int64_t n, gs_type y_type)
{
	row_set		r = {
		.n = n,
		.key = allocate(n * sizeof *r.key),
		.x = allocate(n * sizeof *r.x),
		.y = allocate(n * gs_type_width(y_type)),
		.type = {GS_INT4, GS_FLOAT8, (uint8_t) y_type},
		.plan = {.columns = 3,.filter = GS_NOTHING,.keys = 1,.key = &key,
		.aggregates = AGGREGATES,.aggregate = aggregates}
	};

	for (int64_t i = 0; i < n; i++)
		r.key[i] = (int32_t) random_below(KEYS);
	return r;
}

static void
free_rows(row_set *r)
{
	free(r->key);
	free(r->x);
	free(r->y);
}

static void
fetch_state(const gs_plan *plan, gs_plan_run *run, int aggregate,
			int64_t group, result *to)
{
	gs_float_sum *sum = (gs_float_sum *) to->bytes;

	expect(gs_plan_cpu.fetch(run, GS_FETCH_STATE(aggregate), group, 1,
							 to->bytes) == GS_OK, "fetch");
	if (gs_fetch_width(plan, GS_FETCH_WIDE(aggregate)) == 0 || sum->wide == 0)
		return;
	expect(gs_plan_cpu.fetch(run, GS_FETCH_WIDE(aggregate), sum->wide - 1, 1,
							 &to->wide) == GS_OK, "fetch wide");
	sum->wide = 1;
}

/* The states of the first groups, or of the rows of one alone. */
static void
run_plan(const gs_plan *plan, const row_set *r, int only, gs_summary *summary,
		 result (*to)[AGGREGATES])
{
	const gs_column_data data[] = {
		{.values = r->key,.width = 4,.low = 1},
		{.values = r->x,.width = 8,.low = 1},
		{.values = r->y,.width = gs_type_width((gs_type) r->type[2]),.low = 1},
	};
	uint8_t    *bits = allocate(r->n / 8 + 1);
	const gs_batch batch = {.n = r->n,.column = data,.rows = bits};
	gs_plan_run *run;

	memset(bits, 0, r->n / 8 + 1);
	for (int64_t i = 0; i < r->n; i++)
	{
		if (only < 0 || r->key[i] == only)
			bits[i / 8] |= (uint8_t) (1u << (i % 8));
	}
	expect(gs_plan_cpu.begin(plan, &run) == GS_OK &&
		   gs_plan_cpu.feed(run, &batch) == GS_OK &&
		   gs_plan_cpu.finish(run, summary) == GS_OK, "execution");
	memset(to, 0, KEYS * sizeof *to);
	for (int64_t g = 0; g < summary->groups && g < KEYS; g++)
	{
		for (int i = 0; i < AGGREGATES; i++)
			fetch_state(plan, run, i, g, &to[g][i]);
	}
	gs_plan_cpu.end(run);
	free(bits);
}

/* Is a less than b?  NaN is above all, and -0 just below 0. */
static bool
is_less(gs_type type, gs_value a, gs_value b)
{
	double		x;
	double		y;

	if (!is_float(type))
		return value_int(type, a) < value_int(type, b);
	x = value_double(type, a);
	y = value_double(type, b);
	if (x != x || y != y)
		return x == x && y != y;
	return x == y ? signbit(x) && !signbit(y) : x < y;
}

/* The extremes of a column in a group, one row after the other. */
static void
find_extremes(const row_set *r, int column, int group, gs_value *least,
			  gs_value *greatest)
{
	gs_type		type = (gs_type) r->type[column];
	int			width = gs_type_width(type);
	const uint8_t *values = column == 1 ? (const uint8_t *) r->x : r->y;
	bool		any = false;

	for (int64_t i = 0; i < r->n; i++)
	{
		gs_value	v = {0};

		if (r->key[i] != group)
			continue;
		memcpy(&v, values + i * width, width);
		if (!any || is_less(type, v, *least))
			*least = v;
		if (!any || is_less(type, *greatest, v))
			*greatest = v;
		any = true;
	}
}

static bool
is_extreme(gs_type type, const uint8_t *found, gs_value wanted)
{
	gs_value	v;

	memcpy(&v, found, sizeof v);
	return !is_less(type, v, wanted) && !is_less(type, wanted, v);
}

/* Several threads give the same bytes. */
static void
check_threads(const row_set *r, result (*wanted)[AGGREGATES])
{
	static const int threads[] = {2, 5};

	gs_group_sharing = share_always;
	for (int i = 0; i < 2; i++)
	{
		result		all[KEYS][AGGREGATES];
		gs_summary	summary;

		gs_engine_threads = threads[i];
		run_plan(&r->plan, r, -1, &summary, all);
		expect(memcmp(all, wanted, sizeof all) == 0, "%d threads differ",
			   threads[i]);
	}
	gs_engine_threads = 1;
	gs_group_sharing = sharing;
}

static void
check(row_set *r)
{
	result		all[KEYS][AGGREGATES];
	result		alone[KEYS][AGGREGATES];
	gs_summary	summary;
	gs_summary	one;

	r->plan.column = r->type;
	r->alone = r->plan;
	r->alone.keys = 0;
	run_plan(&r->plan, r, -1, &summary, all);
	expect(summary.groups <= KEYS, "groups");
	check_threads(r, all);
	for (int g = 0, place = 0; g < KEYS; g++)
	{
		run_plan(&r->alone, r, g, &one, alone);
		if (one.rows == 0)
			continue;
		for (int i = 0; i < AGGREGATES; i++)
			expect(memcmp(&all[place][i], &alone[0][i], sizeof(result)) == 0,
				   "aggregate %d of group %d", i, g);
		for (int c = 1; c < 3; c++)
		{
			gs_type		type = (gs_type) r->type[c];
			gs_value	least;
			gs_value	greatest;

			find_extremes(r, c, g, &least, &greatest);
			expect(is_extreme(type, all[place][4 * c - 2].bytes, least) &&
				   is_extreme(type, all[place][4 * c - 1].bytes, greatest),
				   "extremes of group %d", g);
		}
		place++;
	}
}

/* Data of each kind; y of each type. */
static void
test_kinds(int64_t n)
{
	static const gs_type types[] = {
		GS_FLOAT4, GS_FLOAT8, GS_INT2, GS_INT4, GS_INT8
	};

	for (int kind = 0; kind < DATA_KINDS; kind++)
	{
		gs_type		type = types[kind % 5];
		row_set		r = new_rows(n, type);

		test_begin("%lld rows of few groups: %s, %s", (long long) n,
				   data_names[kind], type_names[type]);
		fill_double(r.x, n, (data_kind) kind);
		fill_elements(r.y, type, n, (data_kind) kind);
		check(&r);
		test_end();
		free_rows(&r);
	}
}

/* A number of a scale, of some bits, the lower ones of which are high. */
static double
steep(int exponent)
{
	uint64_t	m = (random_bits() >> 28 << 16 | 0x7fff) & ((UINT64_C(1) << 52) - 1);

	return ldexp((double) (m | UINT64_C(1) << 52), exponent - 52);
}

/*
 * What partial sums must not lose: the lower parts of large elements, all of
 * one sign, and the last bits of the smallest ones.
 */
static void
test_full_partial_sums(void)
{
	enum {N = 400000};
	row_set		r = new_rows(N, GS_FLOAT8);
	double	   *y = r.y;

	test_begin("partial sums that fill their doubles");
	for (int i = 0; i < N; i++)
	{
		r.x[i] = steep(one_in(2) ? 0 : -23);
		y[i] = -steep(40);
		if (!one_in(64))
			r.key[i] = 0;
		/* tiles of one group, too */
		if (i > N * 3 / 4)
			r.key[i] = i / 10000 % KEYS;
	}
	check(&r);
	test_end();
	free_rows(&r);
}

/* So many squares that 128 bits overflow unless they are emptied. */
static void
test_full_squares(void)
{
	enum {N = (1 << 21) + (1 << 17)};
	row_set		r = new_rows(N, GS_FLOAT8);

	test_begin("partial sums of squares that fill 128 bits");
	for (int i = 0; i < N; i++)
	{
		r.key[i] = i % 64 == 0;
		r.x[i] = -1.9999999;
		((double *) r.y)[i] = 0x1.fffffffffffffp100;
	}
	check(&r);
	test_end();
	free_rows(&r);
}

/* What partial sums do not take, in between; and exponents that move on. */
static void
test_mixed_tiles(void)
{
	static const double odd[] = {
		0.0, -0.0, 1e-300, 1e300, NAN, INFINITY, -INFINITY, 5e-324
	};
	enum {N = 400000, TILES = 20000};
	row_set		r = new_rows(N, GS_FLOAT4);
	float	   *y = r.y;

	test_begin("partial sums, and elements that do not fit");
	for (int i = 0; i < N; i++)
	{
		r.x[i] = ldexp(random_normal(), i / TILES * 3);
		y[i] = ldexpf((float) random_normal(), -(i / TILES));
		if (one_in(5000))
			r.x[i] = odd[random_below(8)];
		else if (one_in(5000))
			r.x[i] = ldexp(r.x[i], -26);
		if (i > N / 2 && one_in(5000))
			y[i] = (float) odd[random_below(8)];
	}
	check(&r);
	test_end();
	free_rows(&r);
}

/* Sums of 0: of what cancels, and of nothing but -0. */
static void
test_zero_sums(void)
{
	enum {N = 100000};
	row_set		r = new_rows(N, GS_FLOAT8);
	double	   *y = r.y;

	test_begin("partial sums of zero");
	for (int i = 0; i < N; i += 2)
	{
		r.key[i + 1] = r.key[i];
		r.x[i] = random_normal();
		r.x[i + 1] = -r.x[i];
		/* -0 alone, in the table's tiles without partial sums */
		y[i] = y[i + 1] = r.key[i] == 0 ? -0.0 : random_normal();
	}
	check(&r);
	test_end();
	free_rows(&r);
}

/* Extremes that come late, or in a group that comes late; zeros of both signs. */
static void
test_late_extremes(gs_type type, double sign)
{
	enum {N = 200000};
	row_set		r = new_rows(N, type);

	test_begin("late extremes, %s, %g", type_names[type], sign);
	fill_elements(r.y, type, N, DATA_SMALL_INTEGERS);
	for (int i = 0; i < N; i++)
	{
		r.x[i] = sign;
		if (i > N / 4 && i < N / 2)
			r.x[i] = sign * (i < N * 3 / 8 ? 0.0 : -0.0);
		if (r.key[i] == KEYS - 1 && i < N - 3000)
			r.key[i] = 0;
	}
	for (int i = 0; i < 40; i++)
		fill_elements((uint8_t *) r.y + (N / 2 + random_below(N / 2)) *
					  gs_type_width(type), type, 1, DATA_ANY_BITS);
	check(&r);
	test_end();
	free_rows(&r);
}

/* There are partial sums of the first groups, and then too many groups. */
static void
test_late_groups(void)
{
	enum {EARLY = 20000, N = 30000};
	result		all[KEYS][AGGREGATES];
	result		alone[KEYS][AGGREGATES];
	gs_summary	summary;
	row_set		r = new_rows(N, GS_FLOAT8);
	row_set		early;

	test_begin("partial sums, and more groups than they are for");
	r.plan.column = r.type;
	fill_double(r.x, N, DATA_NORMAL);
	fill_double(r.y, N, DATA_NORMAL);
	for (int i = EARLY; i < N; i++)
		r.key[i] = KEYS + i;
	early = r;
	early.n = EARLY;
	run_plan(&r.plan, &early, -1, &summary, alone);
	run_plan(&r.plan, &r, -1, &summary, all);
	expect(summary.groups == KEYS + N - EARLY, "groups");
	expect(memcmp(all, alone, sizeof all) == 0, "sums of the first groups");
	check_threads(&r, all);
	test_end();
	free_rows(&r);
}

/* The groups as columns, in `memory`, by so many threads. */
static gs_relation
finish(const gs_plan *plan, gs_plan_run *run, const gs_finish *finishing,
	   const uint8_t *type, int columns, int64_t groups, int threads, void *memory)
{
	gs_finish_space *space = allocate(sizeof *space);
	gs_relation r;
	uint32_t	errors = 0;

	gs_engine_threads = threads;
	gs_relation_lay(&r, type, columns, groups, memory);
	for (int64_t at = 0; at < groups && threads == 1; at += GS_FINISH_GROUPS)
		expect(gs_finish_groups(&gs_plan_cpu, run, plan, finishing, at,
								groups - at < GS_FINISH_GROUPS ? groups - at :
								GS_FINISH_GROUPS, &r, space, &errors) == GS_OK,
			   "groups are finished");
	if (threads > 1)
		expect(gs_cpu_finish_groups(&gs_plan_cpu, run, plan, finishing, 0,
									groups, &r, space, &errors) == GS_OK,
			   "groups are finished by threads");
	expect(errors == 0, "errors %u", errors);
	gs_engine_threads = 1;
	free(space);
	return r;
}

/* Many groups become the same values, whatever the threads. */
static void
test_finishing(void)
{
	enum {N = 60000, COLUMNS = 3};
	row_set		r = new_rows(N, GS_FLOAT8);
	static const gs_aggregate aggregate[] = {
		AGG(GS_AGG_SUM, GS_COLUMN(1)), AGG(GS_AGG_SQUARES, GS_COLUMN(1)),
		AGG(GS_AGG_COUNT, GS_COLUMN(1))
	};
	static const gs_finish finishing[COLUMNS] = {
		{.kind = GS_FINISH_KEY, .specials = -1},
		{.kind = GS_FINISH_FIGURE, .figure = GS_FIGURE_SUM, .count = 2,
		.squares = -1, .specials = -1},
		{.kind = GS_FINISH_FIGURE, .figure = GS_FIGURE_STDDEV_SAMP, .count = 2,
		.squares = 1, .specials = -1}
	};
	static const uint8_t type[COLUMNS] = {GS_INT4, GS_FLOAT8, GS_FLOAT8};
	size_t		size = gs_relation_size(type, COLUMNS, N);
	const gs_column_data data[] = {
		{.values = r.key,.width = 4,.low = 1},
		{.values = r.x,.width = 8,.low = 1},
		{.values = r.y,.width = 8,.low = 1},
	};
	const gs_batch batch = {.n = N,.column = data};
	void	   *by_one = allocate(size);
	void	   *by_four = allocate(size);
	gs_relation one;
	gs_relation four;
	gs_plan_run *run;
	gs_summary	summary;

	test_begin("many groups become values on several threads");
	fill_double(r.x, N, DATA_NORMAL);
	fill_double(r.y, N, DATA_NORMAL);
	for (int i = 0; i < N; i++)
		r.key[i] = (int32_t) random_below(N);
	r.plan.column = r.type;
	r.plan.aggregate = aggregate;
	r.plan.aggregates = 3;
	expect(gs_plan_cpu.begin(&r.plan, &run) == GS_OK &&
		   gs_plan_cpu.feed(run, &batch) == GS_OK &&
		   gs_plan_cpu.finish(run, &summary) == GS_OK, "execution");
	memset(by_one, 0, size);
	memset(by_four, 0, size);
	one = finish(&r.plan, run, finishing, type, COLUMNS, summary.groups, 1, by_one);
	four = finish(&r.plan, run, finishing, type, COLUMNS, summary.groups, 4, by_four);
	expect(memcmp(by_one, by_four, size) == 0, "values differ");
	for (int c = 0; c < COLUMNS; c++)
		expect(one.column[c].low == four.column[c].low &&
			   one.column[c].high == four.column[c].high,
			   "the range of column %d", c);
	free(by_one);
	free(by_four);
	gs_plan_cpu.end(run);
	test_end();
	free_rows(&r);
}

/*
 * Of conditions that keep 45, 20 and 1 percent of the rows, the last one comes to
 * be tested first, whatever the order; what they give is the same.
 */
static void
test_conditions(void)
{
	enum {N = 30 * GROUP_TILE, CONDITIONS = 3};
	static const gs_constant constant[] = {
		{.type = GS_FLOAT8,.value = {.f8 = 0.45}},
		{.type = GS_INT4,.value = {.i4 = 1}},
		{.type = GS_INT4,.value = {.i4 = 1}}
	};
	static const gs_operand column[] = {
		GS_COLUMN(1), GS_COLUMN(0), GS_COLUMN(2)
	};
	static const int order[][CONDITIONS] = {{0, 1, 2}, {2, 1, 0}};
	result		all[2][KEYS][AGGREGATES];
	gs_summary	summary[2];
	row_set		r = new_rows(N, GS_INT4);

	test_begin("conditions in the order of what they leave out");
	for (int64_t i = 0; i < N; i++)
	{
		r.x[i] = random_uniform();
		((int32_t *) r.y)[i] = (int32_t) random_below(100);
	}
	for (int o = 0; o < 2; o++)
	{
		gs_instruction code[2 * CONDITIONS - 1] = {
			[3] = {.code = GS_CODE_AND,.type = GS_BOOL,.a = GS_RESULT(0),.b = GS_RESULT(1)},
			[4] = {.code = GS_CODE_AND,.type = GS_BOOL,.a = GS_RESULT(3),.b = GS_RESULT(2)}
		};
		gs_plan		plan = r.plan;
		const gs_column_data data[] = {
			{.values = r.key,.width = 4,.low = 1},
			{.values = r.x,.width = 8,.low = 1},
			{.values = r.y,.width = 4,.low = 1},
		};
		const gs_batch batch = {.n = N,.column = data};
		gs_plan_run *run;

		for (int c = 0; c < CONDITIONS; c++)
			code[c] = (gs_instruction)
		{
			.code = GS_CODE_LT,.type = (uint8_t) constant[order[o][c]].type,
				.a = column[order[o][c]],.b = GS_CONSTANT(order[o][c])
		};
		plan.column = r.type;
		plan.instructions = 2 * CONDITIONS - 1;
		plan.code = code;
		plan.constants = CONDITIONS;
		plan.constant = constant;
		plan.filter = GS_RESULT(2 * CONDITIONS - 2);
		expect(gs_plan_cpu.begin(&plan, &run) == GS_OK &&
			   gs_plan_cpu.feed(run, &batch) == GS_OK &&
			   gs_plan_cpu.finish(run, &summary[o]) == GS_OK, "execution");
		expect(run->conditions == CONDITIONS, "%d conditions", run->conditions);
		for (int c = 0; c < CONDITIONS && run->conditions == CONDITIONS; c++)
			expect(code[run->condition[c].operand - GS_RESULT(0)].b ==
				   GS_CONSTANT(order[1][c]), "condition %d of order %d", c, o);
		memset(all[o], 0, sizeof all[o]);
		for (int64_t g = 0; g < summary[o].groups && g < KEYS; g++)
		{
			for (int i = 0; i < AGGREGATES; i++)
				fetch_state(&plan, run, i, g, &all[o][g][i]);
		}
		gs_plan_cpu.end(run);
	}
	expect(summary[0].groups == 1 && summary[1].groups == 1, "groups");
	expect(memcmp(all[0], all[1], sizeof all[0]) == 0, "results");
	test_end();
	free_rows(&r);
}

void
test_group_many(void)
{
	sharing = gs_group_sharing;
	test_kinds(150000);
	test_full_partial_sums();
	test_full_squares();
	test_mixed_tiles();
	test_zero_sums();
	test_late_groups();
	test_finishing();
	test_conditions();
	test_late_extremes(GS_INT2, 1);
	test_late_extremes(GS_INT8, -1);
	test_late_extremes(GS_FLOAT4, 1);
	test_late_extremes(GS_FLOAT8, -1);
}
