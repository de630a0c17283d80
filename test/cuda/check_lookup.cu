/*-------------------------------------------------------------------------
 *
 * check_lookup.cu
 *	  Rows that look up others by a key: sums of what they find there.
 *
 *		check_lookup [small | times [RUNS]]
 *
 * Keys are dense, the numbers of a table's entries, or of 64 bits and in an index
 * (engine/index.h); some are not there.  What is found is added up by groups, or
 * it is the group, as a join's program finds it.  Sums are compared with what the
 * host adds up.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/cuda_engine.h"
#include "engine/index.h"
#include "direct.h"

#include <time.h>

#define GROUPS	100

/* Columns: groups; dense keys; keys of 64 bits. */
enum
{
	GROUP,
	DENSE,
	SPARSE,
	LOOKUP_COLUMNS
};

static const uint8_t column_types[LOOKUP_COLUMNS] = {GS_INT4, GS_INT4, GS_INT8};

/* What is summed by what. */
typedef enum lookup_kind
{
	SUM_BY_DENSE,
	SUM_BY_SPARSE,
	GROUP_BY_DENSE,				/* of a row that is there */
	GROUP_BY_FEW				/* of one in 15 that are there */
} lookup_kind;

static const char *const kind_name[] = {
	"int4 keys, dense, an int4 summed by 100",
	"keys of 64 bits, an int4 summed by 100",
	"int4 keys, dense, an int4 summed by 100 that are found",
	"int4 keys, dense, one in 15 of which counts, an int4 summed by 100"
};

/* What counts in GROUP_BY_FEW: rows that are looked up, and groups. */
#define FEW_ROWS(i)		((i) % 5 == 0)
#define FEW_GROUPS(g)	((g) % 3 == 0)

/* The group that row i has. */
#define GROUP_OF(i)	((int16_t) ((i) % GROUPS))

typedef struct lookup_case
{
	int64_t		n;				/* rows, and those that are looked up */
	int32_t		rows;
	std::vector<int32_t> group;
	std::vector<int32_t> dense;
	std::vector<int64_t> sparse;
	std::vector<int32_t> attribute; /* behind them, that of no row: 0 */
	std::vector<gs_value> index;
	std::vector<int32_t> row;
	int32_t		places;
	uint64_t	factor;
	std::vector<void *> memory; /* the engine's */
	std::vector<size_t> size;
	gs_column_data column[LOOKUP_COLUMNS];
	gs_plan_table table[8];
} lookup_case;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static int64_t
wide_key(int64_t dense)
{
	uint64_t	state = (uint64_t) dense;

	return (int64_t) splitmix64(&state);
}

/* A copy in the engine's memory. */
static const void *
place(lookup_case *c, const void *from, size_t size)
{
	void	   *to = gs_engine_cuda.reserve(size + 16);

	if (to == NULL || gs_engine_cuda.write(to, from, size) != GS_OK)
	{
		fprintf(stderr, "no memory for %zu bytes\n", size);
		exit(2);
	}
	c->memory.push_back(to);
	c->size.push_back(size + 16);
	return to;
}

/*
 * The tables of a join: from keys to places, that of none: 0; what is there; flags of
 * keys and of groups.
 */
static void
make_join(lookup_case *c)
{
	std::vector<uint8_t> few_rows(c->rows + 8, 0);
	std::vector<uint8_t> few_groups(GROUPS + 8, 0);
	std::vector<int32_t> place_of(c->rows + 2, 0);
	std::vector<uint8_t> is_there(c->rows + 8, 1);
	std::vector<int16_t> group(c->rows + 4, 0);
	const void *const from[] = {place_of.data(), is_there.data(), group.data(),
		few_rows.data(), few_groups.data()};
	const size_t size[] = {(size_t) (c->rows + 2) / 2, (size_t) (c->rows + 8) / 8,
		(size_t) (c->rows + 4) / 4, (size_t) (c->rows + 8) / 8,
		(size_t) (GROUPS + 8) / 8};

	is_there[0] = 0;
	for (int32_t i = 0; i < c->rows; i++)
	{
		place_of[i] = i + 1;
		group[i + 1] = GROUP_OF(i);
		few_rows[i] = FEW_ROWS(i);
	}
	for (int i = 0; i < GROUPS; i++)
		few_groups[i] = FEW_GROUPS(i);
	for (int i = 0; i < 5; i++)
	{
		c->table[3 + i].size = (int64_t) size[i];
		c->table[3 + i].value = (const gs_value *) place(c, from[i], size[i] * 8);
	}
}

static lookup_case *
make_case(int64_t n, int32_t rows)
{
	lookup_case *c = new lookup_case();
	std::vector<int64_t> number(rows);
	std::vector<int32_t> found;
	uint64_t	state = 7;

	c->n = n;
	c->rows = rows;
	c->attribute.assign(rows + 2, 0);
	for (int32_t i = 0; i < rows; i++)
	{
		c->attribute[i] = (int32_t) splitmix64(&state);
		number[i] = wide_key(i);
	}
	c->index.resize(gs_index_size(rows));
	c->row.resize(rows);
	c->places = gs_index_make(number.data(), rows, c->index.data(),
							  c->row.data(), &c->factor);
	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	bits = splitmix64(&state);

		/* one in 16 is not there */
		c->group.push_back((int32_t) (bits % GROUPS));
		c->dense.push_back(bits >> 60 == 0 ? rows :
						   (int32_t) ((bits >> 8) % (uint64_t) rows));
		c->sparse.push_back(wide_key(c->dense[i]));
	}

	/* what the places of the index have: place 0 is that of none */
	found.push_back(0);
	for (int32_t i = 0; i < c->places; i++)
		found.push_back(c->attribute[c->row[i]]);
	found.push_back(0);
	memset(c->column, 0, sizeof c->column);
	c->column[GROUP].values = place(c, c->group.data(), n * 4);
	c->column[GROUP].width = 4;
	c->column[GROUP].high = GROUPS - 1;
	c->column[DENSE].values = place(c, c->dense.data(), n * 4);
	c->column[DENSE].width = 4;
	c->column[DENSE].high = rows;
	c->column[SPARSE].values = place(c, c->sparse.data(), n * 8);
	c->column[SPARSE].width = 8;
	c->column[SPARSE].low = 1;	/* not known */
	c->table[0].size = (rows + 2) / 2;
	c->table[0].value = (const gs_value *)
		place(c, c->attribute.data(), c->table[0].size * 8);
	c->table[1].size = gs_index_starts(gs_index_bits(rows)) + c->places;
	c->table[1].value = (const gs_value *)
		place(c, c->index.data(), c->table[1].size * 8);
	c->table[2].size = (int64_t) found.size() / 2;
	c->table[2].value = (const gs_value *)
		place(c, found.data(), c->table[2].size * 8);
	make_join(c);
	return c;
}

static void
free_case(lookup_case *c)
{
	for (size_t i = 0; i < c->memory.size(); i++)
		gs_engine_cuda.release(c->memory[i], c->size[i]);
	delete c;
}

static void
fail(gs_plan_run *run)
{
	fprintf(stderr, "an execution fails: %s\n",
			run == NULL ? "" : gs_plan_cuda.error(run)->message);
	exit(2);
}

static gs_operand
look_up(gs_plan *plan, gs_instruction *code, gs_operand key, int table,
		gs_type to, int32_t count)
{
	gs_instruction *in = &code[plan->instructions];

	in->code = GS_CODE_LOOKUP;
	in->type = GS_INT4;
	in->to = to;
	in->a = key;
	in->first = GS_TABLE(table);
	in->width = (int16_t) gs_type_width(to);
	in->count = count;
	in->on_null = -1;
	return GS_RESULT(plan->instructions++);
}

static void
add_condition(gs_plan *plan, gs_instruction *code, gs_operand o)
{
	gs_instruction *in = &code[plan->instructions];

	in->code = GS_CODE_AND;
	in->type = GS_BOOL;
	in->a = o;
	in->b = plan->filter;
	plan->filter = GS_RESULT(plan->instructions++);
}

/* What is found by such keys, and the groups. */
static void
make_program(const lookup_case *c, lookup_kind kind, gs_plan *plan,
			 gs_instruction *code, gs_aggregate *sum, gs_operand *key)
{
	gs_operand	o = GS_COLUMN(DENSE);

	*key = GS_COLUMN(GROUP);
	sum->a = GS_COLUMN(GROUP);
	plan->filter = GS_NOTHING;
	if (kind == SUM_BY_DENSE)
		sum->a = look_up(plan, code, o, 0, GS_INT4, c->rows + 1);
	else if (kind == SUM_BY_SPARSE)
	{
		code[0].code = GS_CODE_FIND;
		code[0].type = GS_INT8;
		code[0].a = GS_COLUMN(SPARSE);
		code[0].first = GS_TABLE(1);
		code[0].width = (int16_t) gs_index_bits(c->rows);
		code[0].count = c->places;
		code[0].low = (int64_t) c->factor;
		plan->instructions = 1;
		sum->a = look_up(plan, code, GS_RESULT(0), 2, GS_INT4, c->rows + 1);
	}
	else
	{
		code[0].code = GS_CODE_LEAST;
		code[0].type = GS_INT4;
		code[0].a = o;
		code[0].b = GS_CONSTANT(0);
		plan->instructions = 1;
		o = look_up(plan, code, GS_RESULT(0), 3, GS_INT4, c->rows + 1);
		plan->filter = look_up(plan, code, o, 4, GS_BOOL, c->rows + 1);
		if (kind == GROUP_BY_FEW)
		{
			add_condition(plan, code,
						  look_up(plan, code, GS_RESULT(0), 6, GS_BOOL, c->rows + 1));
			add_condition(plan, code,
						  look_up(plan, code, GS_COLUMN(GROUP), 7, GS_BOOL, GROUPS));
		}
		*key = look_up(plan, code, o, 5, GS_INT2, c->rows + 1);
	}
}

/* Sums by what is found with such keys; returns the time without the fetch. */
static double
add_up(const lookup_case *c, lookup_kind kind, std::vector<int64_t> *sums)
{
	gs_instruction code[8];
	gs_constant constant;
	gs_aggregate sum;
	gs_operand	key;
	gs_plan		plan;
	gs_batch	batch;
	gs_summary	summary;
	gs_plan_run *run = NULL;
	gs_integer_sum found[GROUPS];
	double		start = now();
	double		ms;

	memset(code, 0, sizeof code);
	memset(&constant, 0, sizeof constant);
	constant.type = GS_INT4;
	constant.value.i4 = c->rows;
	memset(&sum, 0, sizeof sum);
	sum.kind = GS_AGG_SUM;
	sum.b = sum.filter = GS_NOTHING;
	memset(&plan, 0, sizeof plan);
	plan.columns = LOOKUP_COLUMNS;
	plan.column = column_types;
	plan.code = code;
	plan.constants = 1;
	plan.constant = &constant;
	plan.keys = 1;
	plan.key = &key;
	plan.aggregates = 1;
	plan.aggregate = &sum;
	plan.tables = 8;
	plan.table = c->table;
	make_program(c, kind, &plan, code, &sum, &key);
	memset(&batch, 0, sizeof batch);
	batch.n = c->n;
	batch.column = c->column;
	batch.resident = 1;
	if (gs_plan_cuda.begin(&plan, &run) != GS_OK ||
		gs_plan_cuda.feed(run, &batch) != GS_OK ||
		gs_plan_cuda.finish(run, &summary) != GS_OK || summary.errors != 0 ||
		summary.groups > GROUPS)
		fail(run);
	ms = now() - start;
	if (gs_plan_cuda.fetch(run, GS_FETCH_STATE(0), 0, summary.groups, found) != GS_OK)
		fail(run);
	sums->clear();
	for (int64_t g = 0; g < summary.groups; g++)
		sums->push_back((int64_t) found[g].word[0]);
	gs_plan_cuda.end(run);
	return ms;
}

/* The same sums, of the groups that there are. */
static std::vector<int64_t>
add_up_on_host(const lookup_case *c, lookup_kind kind)
{
	std::vector<int64_t> sum(GROUPS, 0);
	std::vector<bool> seen(GROUPS);
	std::vector<int64_t> there;

	for (int64_t i = 0; i < c->n; i++)
	{
		int32_t		row = c->dense[i];
		bool		joins = kind >= GROUP_BY_DENSE;
		int			g = joins ? GROUP_OF(row) : c->group[i];

		if (joins && row == c->rows)
			continue;
		if (kind == GROUP_BY_FEW && !(FEW_ROWS(row) && FEW_GROUPS(c->group[i])))
			continue;
		sum[g] += joins ? c->group[i] : c->attribute[row];
		seen[g] = true;
	}
	for (int g = 0; g < GROUPS; g++)
	{
		if (seen[g])
			there.push_back(sum[g]);
	}
	return there;
}

static void
check_case(int64_t n, int32_t rows)
{
	lookup_case *c = make_case(n, rows);
	std::vector<int64_t> got;

	verdict(c->places == rows, "places of an index");
	for (int kind = SUM_BY_DENSE; kind <= GROUP_BY_FEW; kind++)
	{
		add_up(c, (lookup_kind) kind, &got);
		verdict(got == add_up_on_host(c, (lookup_kind) kind),
				std::to_string(n) + " keys in " + std::to_string(rows) +
				" rows: " + kind_name[kind]);
	}
	free_case(c);
}

static void
checks(void)
{
	static const int32_t rows[] = {1, 2, 3, 64, 1000, 100000, 1000000};

	open_device();
	for (int32_t r : rows)
	{
		if (small_only && r > 1000)
			break;
		check_case(1, r);
		check_case(small_only ? 5000 : 300000, r);
	}

	/* so many that each warp collects rows several times */
	if (!small_only)
		check_case(10000000, 100000);
}

static int
times(int runs)
{
	lookup_case *c;

	open_device();
	c = make_case(100000000, 1000000);
	for (int kind = SUM_BY_DENSE; kind <= GROUP_BY_FEW; kind++)
	{
		std::vector<int64_t> sums;
		double		best = HUGE_VAL;

		for (int i = 0; i < runs; i++)
		{
			double		ms = add_up(c, (lookup_kind) kind, &sums);

			best = i > 0 && ms < best ? ms : best;
		}
		printf("%lld %s, looked up in %d rows: %.3f ms\n", (long long) c->n,
			   kind_name[kind], c->rows, best);
	}
	free_case(c);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "times") == 0)
		return times(argc > 2 ? atoi(argv[2]) : 30);
	return run_checks(argc, argv, checks);
}
