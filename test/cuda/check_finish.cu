/*-------------------------------------------------------------------------
 *
 * check_finish.cu
 *	  Groups as values: in device memory, and by the CPU engine.
 *
 *		check_finish [small | times]
 *
 * The same plan runs on both engines; what the groups become must be equal to
 * the last bit, and so must errors, and the ranges of integers.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/relation.cuh"
#include "exact/figures.h"
#include "direct.h"

#include <time.h>

/* ----------
 * Plans and their rows
 * ----------
 */

/* What the values of a case are like. */
enum
{
	ORDINARY,					/* sums are short */
	DECIMALS,
	SPREAD,						/* of any exponent: sums take accumulators */
	NEAR_ZERO,					/* subnormal */
	CANCELLING,					/* sums are small beside what is added */
	LARGE,						/* out of range, some of them */
	SPECIAL,					/* NaN, infinities, zeros of both signs */
	ZEROS,
	PROFILES
};

static const char *const profile_names[] = {
	"ordinary", "decimals", "of any exponent", "near zero", "cancelling", "large",
	"special", "zeros"
};

/* Columns: two keys, seven numbers, a boolean that filters. */
enum
{
	KEY,
	SECOND_KEY,
	NUMBERS,
	A_FLOAT8 = NUMBERS,
	A_FLOAT4,
	ANOTHER_FLOAT8,				/* present where the other one is */
	ANOTHER_FLOAT4,
	AN_INT8,
	AN_INT4,
	AN_INT2,
	A_BOOL,
	CASE_COLUMNS
};

typedef struct finish_case
{
	int64_t		rows;
	int64_t		groups;			/* about */
	int			profile;
	std::string what;
	std::vector<uint8_t> values[CASE_COLUMNS];
	std::vector<uint64_t> validity[CASE_COLUMNS];
	uint8_t		type[CASE_COLUMNS];
	gs_column_data column[CASE_COLUMNS];
	gs_operand	key[2];
	gs_aggregate aggregate[GS_PLAN_AGGREGATES];
	gs_plan		plan;

	/* the stage that reads them */
	gs_finish	finish[GS_PLAN_COLUMNS];
	uint8_t		column_type[GS_PLAN_COLUMNS];
	gs_stage	next;
} finish_case;

static double
random_double(int profile)
{
	static const double special[] = {
		0.0, -0.0, 1.5, -1.5, HUGE_VAL, -HUGE_VAL, NAN, 0x1p-1074
	};
	double		sign = one_in(2) ? 1 : -1;

	switch (profile)
	{
		case DECIMALS:
			return sign * (double) random_below(100000) / 100;
		case SPREAD:
			return sign * ldexp(1 + random_uniform(),
								(int) random_below(1900) - 1000);
		case NEAR_ZERO:
			return sign * (double) random_below(1000) * 0x1p-1074;
		case CANCELLING:
			return one_in(3) ? sign * 0x1p80 : one_in(2) ? sign * 0x1p20 :
				random_normal();
		case LARGE:
			return one_in(1000) ? sign * 0x1.8p1023 : sign * random_uniform() *
				0x1p1000;
		case SPECIAL:
			return special[random_below(one_in(50) ? 8 : 3)];
		case ZEROS:
			return one_in(2000) ? 0.0 : -0.0;
		default:
			return (double) random_below(1000) - 500;
	}
}

static int64_t
random_integer(int profile, int bits)
{
	int64_t		any = (int64_t) random_bits() >> (64 - bits);

	if (profile == LARGE)
		return any;
	if (profile == SPREAD)
		return bits == 64 ? any >> (20 + random_below(44)) :
			any >> random_below(bits);
	return profile == ZEROS ? 0 : random_below(1000) - 500;
}

static void
set_bit(std::vector<uint64_t> *bits, int64_t i)
{
	(*bits)[i / 64] |= UINT64_C(1) << (i % 64);
}

static bool
is_set(const std::vector<uint64_t> &bits, int64_t i)
{
	return (bits[i / 64] >> (i % 64) & 1) != 0;
}

template <typename T>
static void
put_value(finish_case *c, int column, int64_t i, T v)
{
	((T *) c->values[column].data())[i] = v;
}

static void
put_number(finish_case *c, int column, int64_t i, int profile)
{
	switch (c->type[column])
	{
		case GS_FLOAT8:
			put_value<double>(c, column, i, random_double(profile));
			break;
		case GS_FLOAT4:
			put_value<float>(c, column, i, profile == NEAR_ZERO ?
							 (float) (random_below(1000) * 0x1p-149) :
							 profile == LARGE ?
							 (float) (random_normal() * 0x1p124) :
							 (float) random_double(profile));
			break;
		case GS_INT8:
			put_value<int64_t>(c, column, i, random_integer(profile, 64));
			break;
		case GS_INT4:
			put_value<int32_t>(c, column, i,
							   (int32_t) random_integer(profile, 32));
			break;
		case GS_INT2:
			put_value<int16_t>(c, column, i,
							   (int16_t) random_integer(profile, 16));
			break;
		default:
			put_value<uint8_t>(c, column, i, (uint8_t) one_in(2));
	}
}

/* A key of the group g, of any type. */
static void
put_key(finish_case *c, int column, int64_t i, int64_t g, bool hashed)
{
	uint64_t	state = (uint64_t) g;
	int64_t		key = hashed ? (int64_t) splitmix64(&state) : g;

	switch (c->type[column])
	{
		case GS_FLOAT8:
			put_value<double>(c, column, i, g == 0 ? (one_in(2) ? 0.0 : -0.0) :
							  g == 1 ? NAN : g == 2 ? -HUGE_VAL :
							  (double) g / 8 - 7);
			break;
		case GS_FLOAT4:
			put_value<float>(c, column, i, g == 0 ? (one_in(2) ? 0.0f : -0.0f) :
							 g == 1 ? NAN : (float) g / 8 - 7);
			break;
		case GS_INT8:
			put_value<int64_t>(c, column, i, key);
			break;
		case GS_INT4:
			put_value<int32_t>(c, column, i, (int32_t) key);
			break;
		case GS_INT2:
			put_value<int16_t>(c, column, i, (int16_t) key);
			break;
		default:
			put_value<uint8_t>(c, column, i, (uint8_t) (key & 1));
	}
}

static void
fill_case(finish_case *c, int keys, bool hashed)
{
	bool		nulls = one_in(2);
	std::vector<bool> lone(c->groups + 1);

	for (int64_t g = 0; g <= c->groups; g++)
		lone[g] = one_in(8);	/* numbers of the group are NULL */
	for (int k = 0; k < CASE_COLUMNS; k++)
	{
		c->values[k].assign(c->rows * gs_type_width((gs_type) c->type[k]) + 16,
							0);
		c->validity[k].assign(c->rows / 64 + 1, 0);
	}
	for (int64_t i = 0; i < c->rows; i++)
	{
		int64_t		g = random_below(c->groups);
		int64_t		key = keys > 1 ? g % 7 : 0;

		put_key(c, KEY, i, keys > 1 ? g / 7 : g, hashed);
		put_key(c, SECOND_KEY, i, key, false);
		if (!nulls || (g + 1) % 97 != 0)
			set_bit(&c->validity[KEY], i);
		if (!nulls || key != 3)
			set_bit(&c->validity[SECOND_KEY], i);
		for (int k = NUMBERS; k < CASE_COLUMNS; k++)
		{
			bool		second = k == ANOTHER_FLOAT8 || k == ANOTHER_FLOAT4;

			put_number(c, k, i, c->profile);
			if (second ? is_set(c->validity[k - ANOTHER_FLOAT8 + A_FLOAT8], i) :
				!nulls || !(lone[g] || one_in(10)))
				set_bit(&c->validity[k], i);
		}
	}
	for (int k = 0; k < CASE_COLUMNS; k++)
	{
		gs_column_data *column = &c->column[k];

		memset(column, 0, sizeof *column);
		column->values = c->values[k].data();
		column->validity = nulls ? (const uint8_t *) c->validity[k].data() :
			NULL;
		column->width = gs_type_width((gs_type) c->type[k]);
		column->low = 0;
		column->high = -1;		/* not known */
	}
}

/* ----------
 * What the groups become
 * ----------
 */

/* What makes pairs with it. */
static gs_operand
second_of(const finish_case *c, gs_operand a)
{
	return a == A_FLOAT8 || a == A_FLOAT4 ?
		(gs_operand) (a + ANOTHER_FLOAT8 - A_FLOAT8) : a;
}

static int
add_aggregate(finish_case *c, int kind, gs_operand a, gs_operand filter)
{
	gs_aggregate *to = &c->aggregate[c->plan.aggregates];

	memset(to, 0, sizeof *to);
	to->kind = kind;
	to->a = a;
	to->b = kind == GS_AGG_PRODUCTS ? second_of(c, a) : GS_NOTHING;
	to->filter = filter;
	to->fraction = one_in(3) ? 0.5 : one_in(3) ? 1 : random_uniform();
	return c->plan.aggregates++;
}

/* The squares of an aggregate's values; -1: they are not in the plan. */
static int
squares_of(const finish_case *c, int of)
{
	for (int i = 0; i < c->plan.aggregates; i++)
	{
		if (of < c->plan.aggregates && c->aggregate[i].kind == GS_AGG_SQUARES &&
			c->aggregate[i].a == c->aggregate[of].a &&
			c->aggregate[i].filter == c->aggregate[of].filter)
			return i;
	}
	return -1;
}

static void
add_finish(finish_case *c, gs_finish_kind kind, int of, int count, int specials,
		   bool zeros, gs_figure figure)
{
	gs_finish  *f = &c->finish[c->next.plan.columns];
	gs_type		type;

	if (c->next.plan.columns == GS_PLAN_COLUMNS)
		return;
	memset(f, 0, sizeof *f);
	f->kind = (uint8_t) kind;
	f->figure = (uint8_t) figure;
	f->zeros = zeros;
	f->of = (int16_t) of;
	f->count = (int16_t) count;
	f->squares = (int16_t) squares_of(c, of);
	f->specials = (int16_t) specials;
	type = gs_finish_type(&c->plan, f);
	if (type == 0)
		return;
	c->column_type[c->next.plan.columns++] = (uint8_t) type;
}

/* All that becomes of a column's values, some of it with a filter. */
static void
add_finishings(finish_case *c, gs_operand a)
{
	gs_operand	filter = one_in(3) ? GS_COLUMN(A_BOOL) : GS_NOTHING;
	gs_type		type = (gs_type) c->type[a];
	bool		floats = gs_is_float(type);
	int			count = add_aggregate(c, GS_AGG_COUNT, a, filter);
	int			specials = floats ? add_aggregate(c, GS_AGG_SPECIALS, a, filter) :
		-1;
	static const int kinds[] = {
		GS_AGG_SUM, GS_AGG_SQUARES, GS_AGG_PRODUCTS, GS_AGG_MIN, GS_AGG_MAX,
		GS_AGG_BIT_AND, GS_AGG_BIT_OR, GS_AGG_BIT_XOR, GS_AGG_PERCENTILE,
		GS_AGG_MODE, GS_AGG_DISTINCT
	};

	add_finish(c, GS_FINISH_COUNT, count, -1, -1, false, GS_FIGURE_SUM);
	for (int kind : kinds)
	{
		int			before = c->plan.aggregates;
		int			of;

		if (one_in(3) || before + 6 > GS_PLAN_AGGREGATES)
			continue;
		of = add_aggregate(c, kind, a, filter);
		if (gs_plan_check(&c->plan) != GS_OK)
		{
			c->plan.aggregates = before;
			continue;
		}
		add_finish(c, GS_FINISH_COUNT, of, -1, -1, false, GS_FIGURE_SUM);
		add_finish(c, GS_FINISH_INTEGER, of, count, -1, false, GS_FIGURE_SUM);
		add_finish(c, GS_FINISH_PERCENTILE, of, count, -1, false,
				   GS_FIGURE_SUM);
		add_finish(c, GS_FINISH_ELEMENT, of, count, -1, false,
				   GS_FIGURE_SUM);
		add_finish(c, GS_FINISH_VALUE, of, count, -1, false, GS_FIGURE_SUM);
		add_finish(c, GS_FINISH_FIGURE, of, count, -1, false, GS_FIGURE_SUM);
		add_finish(c, GS_FINISH_FIGURE, of, count, -1, false, GS_FIGURE_AVG);
		add_finish(c, GS_FINISH_FIGURE, of, count, -1, false,
				   GS_FIGURE_SUM_REAL);
		if (!floats || (kind != GS_AGG_SUM && kind != GS_AGG_PRODUCTS))
			continue;

		/* what variances, lines and correlations need beside */
		for (gs_operand one : {a, second_of(c, a)})
		{
			for (int beside : {GS_AGG_SUM, GS_AGG_SQUARES})
			{
				if (kind == GS_AGG_PRODUCTS || (beside == GS_AGG_SQUARES && one == a))
					add_aggregate(c, beside, one, filter);
			}
		}
		for (int f = GS_FIGURE_VAR_POP; f <= GS_FIGURE_WEIGHTED_AVG; f++)
		{
			if (one_in(2))
				add_finish(c, GS_FINISH_FIGURE, of, count, -1, false,
						   (gs_figure) f);
		}
		if (floats && one_in(3))
			add_finish(c, GS_FINISH_VALUE, of, count,
					   kind == GS_AGG_MIN ? -1 : specials, true,
					   GS_FIGURE_SUM);
	}
}

static void
make_plan(finish_case *c, int keys)
{
	int			specials;

	memset(&c->plan, 0, sizeof c->plan);
	c->plan.columns = CASE_COLUMNS;
	c->plan.column = c->type;
	c->plan.keys = keys;
	c->plan.key = c->key;
	c->plan.aggregate = c->aggregate;
	c->plan.filter = GS_NOTHING;
	c->key[0] = GS_COLUMN(KEY);
	c->key[1] = GS_COLUMN(SECOND_KEY);
	memset(&c->next, 0, sizeof c->next);
	c->next.plan.column = c->column_type;
	c->next.finish = c->finish;
	for (int k = 0; k < keys; k++)
	{
		add_finish(c, GS_FINISH_KEY, k, -1, -1, false, GS_FIGURE_SUM);
		if (gs_is_float((gs_type) c->type[k]) && one_in(3))
		{
			specials = add_aggregate(c, GS_AGG_SPECIALS, GS_COLUMN(k),
									 GS_NOTHING);
			add_finish(c, GS_FINISH_KEY, k, -1, specials, true, GS_FIGURE_SUM);
		}
	}
	add_finish(c, GS_FINISH_COUNT,
			   add_aggregate(c, GS_AGG_COUNT, GS_NOTHING, GS_NOTHING), -1, -1,
			   false, GS_FIGURE_SUM);
	for (int k = NUMBERS; k < CASE_COLUMNS; k++)
	{
		if (one_in(2))
			add_finishings(c, GS_COLUMN(k));
	}
}

static finish_case *
make_case(int64_t rows, int64_t groups, int profile)
{
	static const uint8_t key_types[] = {
		GS_INT4, GS_INT8, GS_FLOAT8, GS_INT2, GS_BOOL, GS_FLOAT4
	};
	finish_case *c = new finish_case();
	int			keys = (int) random_below(3);
	bool		hashed = one_in(2);

	c->rows = rows;
	c->groups = groups;
	c->profile = profile;
	c->type[KEY] = key_types[random_below(6)];
	c->type[SECOND_KEY] = key_types[random_below(6)];
	if (groups > 10000)
		c->type[KEY] = one_in(2) ? GS_INT4 : GS_INT8;
	c->type[A_FLOAT8] = GS_FLOAT8;
	c->type[A_FLOAT4] = GS_FLOAT4;
	c->type[ANOTHER_FLOAT8] = GS_FLOAT8;
	c->type[ANOTHER_FLOAT4] = GS_FLOAT4;
	c->type[AN_INT8] = GS_INT8;
	c->type[AN_INT4] = GS_INT4;
	c->type[AN_INT2] = GS_INT2;
	c->type[A_BOOL] = GS_BOOL;
	make_plan(c, keys);
	fill_case(c, keys, hashed);
	c->what = std::to_string(rows) + " rows, " + std::to_string(groups) +
		" groups, " + std::to_string(keys) + " keys" +
		(hashed ? ", hashed" : "") + ", " + profile_names[profile];
	return c;
}

/* ----------
 * Execution
 * ----------
 */

static gs_plan_run *
run_case(const gs_plan_engine *engine, finish_case *c, gs_summary *summary)
{
	gs_plan_run *run = NULL;
	gs_batch	batch;
	gs_status	status = engine->begin(&c->plan, &run);

	memset(&batch, 0, sizeof batch);
	batch.n = c->rows;
	batch.column = c->column;
	if (status == GS_OK && c->rows > 0)
		status = engine->feed(run, &batch);
	if (status == GS_OK)
		status = engine->finish(run, summary);
	if (status != GS_OK)
	{
		fprintf(stderr, "%s: the %s engine fails: %s\n", c->what.c_str(),
				engine->name, run == NULL ? "" : engine->error(run)->message);
		exit(2);
	}
	return run;
}

/* The CPU's relation, in `memory`. */
static void
finish_on_cpu(gs_plan_run *run, finish_case *c, const gs_stage *next,
			  int64_t groups, std::vector<uint64_t> *memory, gs_relation *r,
			  uint32_t *errors)
{
	static gs_finish_space space;
	int64_t		n;

	memory->assign(gs_relation_size(next->plan.column, next->plan.columns,
									groups) / 8 + 1, 0);
	gs_relation_lay(r, next->plan.column, next->plan.columns, groups,
					memory->data());
	for (int64_t at = 0; at < groups; at += n)
	{
		n = groups - at < GS_FINISH_GROUPS ? groups - at : GS_FINISH_GROUPS;
		if (gs_finish_groups(&gs_plan_cpu, run, &c->plan, next->finish, at, n,
							 r, &space, errors) != GS_OK)
		{
			fprintf(stderr, "the CPU's groups are not finished\n");
			exit(2);
		}
	}
}

static bool
bit_at(const uint8_t *bits, int64_t i)
{
	return bits == NULL || (bits[i / 8] >> (i % 8) & 1) != 0;
}

static std::string
describe_finish(const finish_case *c, const gs_stage *next, int k)
{
	const gs_finish *f = &next->finish[k];
	std::string text = ", column " + std::to_string(k) + " (kind " +
		std::to_string(f->kind) + ", figure " + std::to_string(f->figure) +
		", zeros " + std::to_string(f->zeros) + ", specials " +
		std::to_string(f->specials) + ", type " +
		std::to_string(next->plan.column[k]);

	if (f->kind != GS_FINISH_KEY)
		text += ", aggregate " +
			std::to_string(c->aggregate[f->of].kind) + " of column " +
			std::to_string(c->aggregate[f->of].a) + ", filter " +
			std::to_string(c->aggregate[f->of].filter);
	return text + ")";
}

/* Compare a column, which comes from the device. */
static void
check_column(const finish_case *c, const gs_stage *next, int k,
			 const gs_relation *device, const gs_relation *cpu)
{
	const gs_column_data *got = &device->column[k];
	const gs_column_data *wanted = &cpu->column[k];
	const std::string what = c->what + describe_finish(c, next, k);
	size_t		width = wanted->width;
	std::vector<uint8_t> values(device->rows * width + 1);
	std::vector<uint8_t> bits(gs_divide_up(device->rows, 64) * 8 + 1);
	int64_t		nulls = 0;

	if (device->rows > 0)
		CUDA(cudaMemcpy(values.data(), got->values, device->rows * width,
						cudaMemcpyDeviceToHost));
	if (got->validity != NULL)
		CUDA(cudaMemcpy(bits.data(), got->validity, bits.size() - 1,
						cudaMemcpyDeviceToHost));
	for (int64_t i = 0; i < device->rows; i++)
	{
		const uint8_t *a = &values[i * width];
		const uint8_t *b = (const uint8_t *) wanted->values + i * width;
		bool		valid = bit_at(got->validity == NULL ? NULL : bits.data(), i);
		bool		is_wanted = bit_at(wanted->validity, i);

		nulls += !is_wanted;
		if (valid == is_wanted && memcmp(a, b, width) == 0)
			continue;
		uint64_t	x = 0;
		uint64_t	y = 0;
		char		text[200];

		memcpy(&x, a, width);
		memcpy(&y, b, width);
		snprintf(text, sizeof text, ": group %lld of %lld is %s%llx, not %s%llx",
				 (long long) i, (long long) device->rows, valid ? "" : "NULL ",
				 (unsigned long long) x, is_wanted ? "" : "NULL ",
				 (unsigned long long) y);
		verdict(false, what + text);
		return;
	}
	verdict(true, what);
	verdict((got->validity == NULL) == (nulls == 0), what + ": its bitmap");
	verdict(got->low == wanted->low && got->high == wanted->high,
			what + ": its range is " + std::to_string(got->low) + " to " +
			std::to_string(got->high) + ", not " + std::to_string(wanted->low) +
			" to " + std::to_string(wanted->high));
	verdict(got->width == wanted->width && got->packed == 0 && got->base == 0,
			what + ": its form");
}

/* The ranges once more, of values that are there. */
static void
check_ranges(const finish_case *c, const gs_stage *next, gs_relation *r,
			 gs_exec_context *context)
{
	gs_relation again = *r;
	uint32_t	errors = 0;

	/* in the stream of what follows, which waits for no other */
	CUDA(cudaMemsetAsync(r->memory, 0, sizeof(group_found), context->compute));
	for (int k = 0; k < r->columns; k++)
	{
		again.column[k].low = 7;
		again.column[k].high = -7;
	}
	CUDA(group_find_ranges(next->plan.column, UINT64_MAX, &again, context,
						   &errors));
	for (int k = 0; k < r->columns; k++)
	{
		gs_type		type = (gs_type) next->plan.column[k];
		bool		integers = type != GS_BOOL && !gs_is_float(type);
		bool		same = again.column[k].low == r->column[k].low &&
			again.column[k].high == r->column[k].high;

		verdict((!integers || same) &&
				again.column[k].validity == r->column[k].validity,
				c->what + describe_finish(c, next, k) + ": the range found");
	}
}

/* Are there figures of values whose exponents are far apart? */
static bool
may_be_long(const finish_case *c, const gs_stage *next)
{
	for (int k = 0; k < next->plan.columns; k++)
	{
		if (group_is_long_figure(&next->finish[k]))
			return c->profile == SPREAD || c->profile == LARGE ||
				c->profile == CANCELLING || c->profile == SPECIAL;
	}
	return false;
}

/* Finish some columns on both; true: without errors, and all on the device. */
static bool
check_stage(finish_case *c, const gs_stage *next, gs_plan_run *device,
			gs_plan_run *cpu, int64_t groups, gs_exec_context *context)
{
	std::vector<uint64_t> memory;
	gs_relation got;
	gs_relation wanted;
	uint32_t	errors = 0;
	uint32_t	wanted_errors = 0;

	CUDA(group_finish_relation(device, next, &got, &errors));
	if (got.memory == NULL)
	{
		/* sums that take long integers are the host's */
		verdict(may_be_long(c, next), c->what + ": the host is to finish it");
		return false;
	}
	finish_on_cpu(cpu, c, next, groups, &memory, &wanted, &wanted_errors);
	verdict(errors == wanted_errors && got.rows == wanted.rows,
			c->what + (next->plan.columns == 1 ? describe_finish(c, next, 0) :
					   "") + ": errors " + std::to_string(errors) + ", not " +
			std::to_string(wanted_errors));
	if (wanted_errors == 0)
	{
		for (int k = 0; k < next->plan.columns; k++)
			check_column(c, next, k, &got, &wanted);
		check_ranges(c, next, &got, context);
	}
	group_relation_free(&got);
	return wanted_errors == 0;
}

static void
check_case(int64_t rows, int64_t groups, int profile, gs_exec_context *context)
{
	finish_case *c = make_case(rows, groups, profile);
	gs_summary	summary;
	gs_summary	wanted;
	gs_plan_run *cpu = run_case(&gs_plan_cpu, c, &wanted);
	gs_plan_run *device = run_case(&gs_plan_cuda, c, &summary);

	verdict(summary.groups == wanted.groups, c->what + ": the groups");
	if (summary.groups == wanted.groups &&
		!check_stage(c, &c->next, device, cpu, wanted.groups, context))
	{
		/* errors of one column hide the others */
		for (int k = 0; k < c->next.plan.columns; k++)
		{
			gs_stage	one = c->next;

			one.plan.columns = 1;
			one.plan.column = &c->column_type[k];
			one.finish = &c->finish[k];
			check_stage(c, &one, device, cpu, wanted.groups, context);
		}
	}
	gs_plan_cuda.end(device);
	gs_plan_cpu.end(cpu);
	delete c;
}

static void
checks(void)
{
	static const int64_t sizes[] = {0, 1, 63, 64, 65, 1000, 20000};
	gs_exec_context *context;

	open_device();
	CUDA(gs_exec_context_acquire(&context));
	for (int profile = 0; profile < PROFILES; profile++)
	{
		for (int64_t rows : sizes)
		{
			if (small_only && rows > 1000)
				continue;
			for (int i = 0; i < (small_only ? 2 : 12); i++)
				check_case(rows, one_in(2) ? rows / 3 + 1 :
						   1 + random_below(rows + 1), profile, context);
		}
		if (small_only)
			continue;
		for (int i = 0; i < 3; i++)
			check_case(100000, 1 + random_below(100000), profile, context);
		check_case(1000000, one_in(2) ? 1000000 : 300000, profile, context);
	}
	gs_exec_context_release(context);
}

/* ----------
 * Times
 * ----------
 */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* As a report of many groups is: a key, counts and figures of a float8. */
static void
time_groups(int64_t rows, int64_t groups, bool hashed, int profile)
{
	finish_case *c = new finish_case();
	gs_operand	a = GS_COLUMN(A_FLOAT8);
	gs_summary	summary;
	gs_plan_run *run;
	double		best = HUGE_VAL;
	int			count;
	int			sum;

	c->rows = rows;
	c->groups = groups;
	c->profile = profile;
	for (int k = 0; k < CASE_COLUMNS; k++)
		c->type[k] = GS_BOOL;
	c->type[KEY] = GS_INT8;
	c->type[A_FLOAT8] = GS_FLOAT8;
	c->plan.columns = CASE_COLUMNS;
	c->plan.column = c->type;
	c->plan.keys = 1;
	c->plan.key = c->key;
	c->key[0] = GS_COLUMN(KEY);
	c->plan.aggregate = c->aggregate;
	c->plan.filter = GS_NOTHING;
	c->next.plan.column = c->column_type;
	c->next.finish = c->finish;
	count = add_aggregate(c, GS_AGG_COUNT, a, GS_NOTHING);
	sum = add_aggregate(c, GS_AGG_SUM, a, GS_NOTHING);
	add_finish(c, GS_FINISH_KEY, 0, -1, -1, false, GS_FIGURE_SUM);
	add_finish(c, GS_FINISH_COUNT, count, -1, -1, false, GS_FIGURE_SUM);
	add_finish(c, GS_FINISH_FIGURE, sum, count, -1, false, GS_FIGURE_SUM);
	add_finish(c, GS_FINISH_FIGURE, sum, count, -1, false, GS_FIGURE_AVG);
	fill_case(c, 1, hashed);
	run = run_case(&gs_plan_cuda, c, &summary);

	/* so many that the device's clock has risen */
	for (int i = 0; i < 200; i++)
	{
		gs_relation r;
		uint32_t	errors = 0;
		double		start = now();

		CUDA(group_finish_relation(run, &c->next, &r, &errors));
		if (i > 0 && now() - start < best)
			best = now() - start;
		group_relation_free(&r);
	}
	printf("%lld groups of %lld rows%s, %s: %.3f ms\n",
		   (long long) summary.groups, (long long) rows,
		   hashed ? ", hashed" : "", profile_names[profile], best);
	gs_plan_cuda.end(run);
	delete c;
}

static int
times(void)
{
	open_device();
	random_seed(1);
	for (int hashed = 0; hashed < 2; hashed++)
	{
		time_groups(10000000, 2500, hashed, DECIMALS);
		time_groups(10000000, 1000000, hashed, DECIMALS);
		time_groups(10000000, 10000000, hashed, DECIMALS);
	}
	time_groups(10000000, 1000000, false, SPREAD);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "times") == 0)
		return times();
	return run_checks(argc, argv, checks);
}
