/*-------------------------------------------------------------------------
 *
 * check_rows.cu
 *	  Plans of rows: on the device, and on the CPU engine.
 *
 *		check_rows [small | times]
 *
 * The same plan runs on both engines, over the same batches; rows, their
 * validity, the relation and the look-up tables that they become must be the same
 * to the last bit, but in places that several rows have.  So must those of a slice,
 * and of two executions that are merged.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/cuda_engine.h"
#include "engine/relation.h"
#include "engine/scatter.h"
#include "direct.h"

#include <time.h>

#include <algorithm>
#include <numeric>
#include <random>

/* ----------
 * A table
 * ----------
 */
enum
{
	A_BOOL,
	AN_INT2,
	AN_INT4,
	A_NARROW_INT4,				/* of 1 byte */
	AN_INT8,
	A_NARROW_INT8,				/* of 2 bytes */
	A_FLOAT4,
	A_FLOAT8,
	A_SCALED_FLOAT8,			/* of 2 bytes; plain where it is not the host's */
	A_SCALED_INT8,				/* of 4 bytes */
	COLUMNS
};

static const uint8_t types[COLUMNS] = {
	GS_BOOL, GS_INT2, GS_INT4, GS_INT4, GS_INT8, GS_INT8, GS_FLOAT4, GS_FLOAT8,
	GS_FLOAT8, GS_INT8
};
static const int widths[COLUMNS] = {1, 2, 4, 1, 8, 2, 4, 8, 2, 4};
static const int64_t bases[COLUMNS] = {
	0, 0, 0, -100, 0, INT64_C(1) << 40, 0, 0, -30000, 7
};
static const int64_t units[COLUMNS] = {0, 0, 0, 0, 0, 0, 0, 0, 100, 1000000};

/* Batches are cut at multiples of this: their bitmaps stay aligned. */
#define CUT		(GS_CACHE_ALIGN * 8)

typedef struct table
{
	int64_t		n;
	std::vector<uint8_t> values[COLUMNS];
	std::vector<uint8_t> plain[COLUMNS];	/* of those with a unit */
	std::vector<uint8_t> validity[COLUMNS]; /* empty: none is NULL */
	std::vector<uint8_t> rows;	/* empty: all count */
	char	   *device_values[COLUMNS];
	char	   *device_validity[COLUMNS];
	char	   *device_rows;
} table;

/* Bits with this probability, of which 16 bytes more may be read. */
static std::vector<uint8_t>
random_flags(int64_t n, double rate)
{
	std::vector<uint8_t> bits(n / 8 + 17);

	for (int64_t i = 0; i < n; i++)
		bits[i / 8] |= (uint8_t) ((random_uniform() < rate) << (i % 8));

	/* what lies behind the last one is anything */
	bits[n / 8] |= (uint8_t) (0xff << (n % 8));
	return bits;
}

static void
fill(table *t, int c)
{
	static const double special[] = {
		0.0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, 0x1p-1074, 1.5, -1.5
	};

	t->values[c].resize(t->n * widths[c] + 16);
	for (uint8_t &b : t->values[c])
		b = (uint8_t) random_bits();
	for (int64_t i = 0; i < t->n; i++)
	{
		double		x = one_in(20) ? special[random_below(8)] :
			random_normal() * 100;

		if (c == A_BOOL)
			t->values[c][i] &= 1;
		else if (c == A_FLOAT4 && !one_in(50))
			((float *) t->values[c].data())[i] = (float) x;
		else if (c == A_FLOAT8 && !one_in(50))
			((double *) t->values[c].data())[i] = x;
	}
}

/* What values with a unit are, by definition. */
static void
make_plain(table *t, int c)
{
	t->plain[c].resize(t->n * 8 + 16);
	for (int64_t i = 0; i < t->n; i++)
	{
		uint64_t	m = 0;
		int64_t		k;
		gs_value	v;

		memcpy(&m, &t->values[c][i * widths[c]], widths[c]);
		k = bases[c] + (int64_t) m;
		if (types[c] == GS_FLOAT8)
			v.f8 = (double) k / (double) units[c];
		else
			v.i8 = k * units[c];
		memcpy(&t->plain[c][i * 8], &v, 8);
	}
}

static bool all_on_device;

/*
 * The values of every other column are the host's, if batches are resident: of a
 * million rows, more than are copied at a time.
 */
static bool
is_on_host(int c)
{
	return (c % 2 == 0 || units[c] != 0) && !all_on_device;
}

static char *
send(const std::vector<uint8_t> &from, bool on_host)
{
	char	   *to;

	if (from.empty())
		return NULL;
	to = (char *) (on_host ? gs_engine_cuda.reserve_host :
				   gs_engine_cuda.reserve) (from.size() + 16);
	if (to != NULL && on_host)
		memcpy(to, from.data(), from.size());
	else if (to == NULL ||
			 gs_engine_cuda.put(to, from.data(), from.size()) != GS_OK)
	{
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	return to;
}

static table
new_table(int64_t n, double nulls, double counts)
{
	table		t;

	t.n = n;
	for (int c = 0; c < COLUMNS; c++)
	{
		fill(&t, c);
		if (units[c] != 0)
			make_plain(&t, c);
		if (nulls > 0 && c % 3 != 2)
			t.validity[c] = random_flags(n, 1 - nulls);
		t.device_values[c] = send(t.values[c], is_on_host(c));
		t.device_validity[c] = send(t.validity[c], false);
	}
	if (counts < 1)
		t.rows = random_flags(n, counts);
	t.device_rows = send(t.rows, false);
	return t;
}

static void
free_table(table *t)
{
	for (int c = 0; c < COLUMNS; c++)
	{
		(is_on_host(c) ? gs_engine_cuda.release_host : gs_engine_cuda.release)
			(t->device_values[c], t->values[c].size() + 16);
		if (t->device_validity[c] != NULL)
			gs_engine_cuda.release(t->device_validity[c],
								   t->validity[c].size() + 16);
	}
	if (t->device_rows != NULL)
		gs_engine_cuda.release(t->device_rows, t->rows.size() + 16);
}

/* Rows `at` to at + n - 1; at is a multiple of CUT. */
static gs_batch
batch_of(const table *t, int64_t at, int64_t n, bool resident,
		 gs_column_data *column)
{
	gs_batch	batch = {};

	for (int c = 0; c < COLUMNS; c++)
	{
		const bool	scaled = units[c] != 0 && resident && is_on_host(c);
		const bool	plain = units[c] != 0 && !resident;
		const int	width = plain ? 8 : widths[c];
		const char *values = resident ? t->device_values[c] :
			(const char *) (plain ? t->plain[c] : t->values[c]).data();
		const uint8_t *validity = resident ?
			(const uint8_t *) t->device_validity[c] : t->validity[c].data();

		memset(&column[c], 0, sizeof column[c]);
		column[c].values = values + at * width;
		column[c].validity = t->validity[c].empty() ? NULL : validity + at / 8;
		column[c].width = width;
		column[c].on_host = resident && is_on_host(c);
		column[c].base = plain ? 0 : bases[c];
		column[c].unit = scaled ? units[c] : 0;
		column[c].low = 1;
	}
	batch.n = n;
	batch.column = column;
	batch.resident = resident;
	if (!t->rows.empty())
		batch.rows = (resident ? (const uint8_t *) t->device_rows :
					  t->rows.data()) + at / 8;
	return batch;
}

/* ----------
 * Plans
 * ----------
 */

/* What the filter is. */
enum
{
	NO_FILTER,
	A_RANGE,					/* of a column: half of the rows */
	A_RARE_RANGE,
	COMPUTED,					/* another expression */
	NOTHING_PASSES,
	A_SCALED_RANGE,				/* of a column with a unit */
	FILTERS
};

static const char *const filter_names[] = {
	"no filter", "a range", "a rare range", "a computed filter",
	"nothing passes", "a range of a column with a unit"
};

typedef struct rows_plan
{
	gs_instruction code[8];
	gs_constant constant[4];
	gs_aggregate aggregate[COLUMNS + 8];
	gs_finish	finish[COLUMNS + 8];
	uint8_t		column[COLUMNS + 8];
	gs_plan		plan;
	gs_stage	next;
} rows_plan;

static void
add_value(rows_plan *p, gs_operand of)
{
	int			i = p->plan.aggregates++;

	p->aggregate[i].kind = GS_AGG_VALUE;
	p->aggregate[i].a = of;
	p->aggregate[i].filter = GS_NOTHING;
	p->finish[i].kind = GS_FINISH_ROW;
	p->finish[i].of = (int16_t) i;
	p->finish[i].count = p->finish[i].squares = p->finish[i].specials = -1;
	p->column[i] = (uint8_t) gs_operand_type(&p->plan, of);
}

static void
add_code(rows_plan *p, int code, gs_type type, gs_operand a, gs_operand b,
		 gs_operand c)
{
	gs_instruction *i = &p->code[p->plan.instructions++];

	memset(i, 0, sizeof *i);
	i->code = (uint8_t) code;
	i->type = (uint8_t) type;
	i->a = a;
	i->b = b;
	i->c = c;
}

static void
make_plan(rows_plan *p, int filter)
{
	memset(p, 0, sizeof *p);
	p->plan.columns = COLUMNS;
	p->plan.column = types;
	p->plan.constants = 4;
	p->plan.constant = p->constant;
	p->plan.code = p->code;
	p->plan.aggregate = p->aggregate;
	p->plan.of_rows = 1;
	p->plan.filter = GS_NOTHING;
	p->constant[0].type = GS_FLOAT8;
	p->constant[0].value.f8 = 2.5;
	p->constant[1].type = GS_INT4;
	p->constant[1].null = 1;
	p->constant[2].type = GS_INT2;
	p->constant[2].value.i2 = filter == A_RARE_RANGE ? -32700 : 0;
	p->constant[3].type = GS_INT8;
	p->constant[3].value.i8 = 77;

	add_code(p, GS_CODE_LEAST, GS_FLOAT8, GS_COLUMN(A_FLOAT8), GS_CONSTANT(0),
			 GS_NOTHING);
	add_code(p, GS_CODE_IS_NULL, GS_INT8, GS_COLUMN(AN_INT8), GS_NOTHING,
			 GS_NOTHING);
	add_code(p, GS_CODE_BIT_XOR, GS_INT8, GS_COLUMN(AN_INT8),
			 GS_COLUMN(A_NARROW_INT8), GS_NOTHING);
	add_code(p, GS_CODE_CHOOSE, GS_INT4, GS_COLUMN(A_BOOL), GS_COLUMN(AN_INT4),
			 GS_CONSTANT(1));
	add_code(p, GS_CODE_LT, GS_INT2, GS_COLUMN(AN_INT2), GS_CONSTANT(2),
			 GS_NOTHING);
	add_code(p, GS_CODE_OR, GS_BOOL, GS_RESULT(4), GS_RESULT(1), GS_NOTHING);
	add_code(p, GS_CODE_LT, GS_INT2, GS_CONSTANT(2), GS_CONSTANT(2), GS_NOTHING);
	add_code(p, GS_CODE_LT, GS_FLOAT8, GS_COLUMN(A_SCALED_FLOAT8),
			 GS_CONSTANT(0), GS_NOTHING);
	if (filter != NO_FILTER)
		p->plan.filter = filter == COMPUTED ? GS_RESULT(5) :
			filter == NOTHING_PASSES ? GS_RESULT(6) :
			filter == A_SCALED_RANGE ? GS_RESULT(7) : GS_RESULT(4);
	for (int c = 0; c < COLUMNS; c++)
		add_value(p, GS_COLUMN(c));
	for (int i = 0; i < 4; i++)
		add_value(p, GS_RESULT(i));
	add_value(p, GS_CONSTANT(1));
	add_value(p, GS_CONSTANT(3));
	add_value(p, GS_COLUMN(AN_INT8));	/* once more */

	p->next.plan.columns = p->plan.aggregates;
	p->next.plan.column = p->column;
	p->next.plan.filter = GS_NOTHING;
	p->next.finish = p->finish;
}

/* An execution, of a slice of the rows by some integer. */
#define SLICES	3
#define SLICE	1

static gs_status
begin(const gs_plan_engine *engine, const gs_plan *plan, gs_operand by,
	  gs_plan_run **run)
{
	gs_status	status = engine->begin(plan, run);

	if (status == GS_OK && by != GS_NOTHING)
		engine->slice(*run, by, SLICES, SLICE);
	return status;
}

/*
 * in_parts: another execution has the second half of the batches, and is merged.
 * Batches that are resident stay, but for the last one of each.
 */
static gs_plan_run *
run_plan(const gs_plan_engine *engine, const table *t, const gs_plan *plan,
		 gs_operand by, int64_t batch_rows, bool resident, bool in_parts,
		 gs_summary *summary)
{
	gs_plan_run *run[2] = {};
	gs_status	status = begin(engine, plan, by, &run[0]);

	if (status == GS_OK && in_parts)
		status = begin(engine, plan, by, &run[1]);
	for (int64_t at = 0; at < t->n && status == GS_OK; at += batch_rows)
	{
		int64_t		left = t->n - at;
		int64_t		next = at + batch_rows;
		int			which = in_parts && at >= t->n / 2;
		gs_column_data column[COLUMNS];
		gs_batch	batch = batch_of(t, at, left < batch_rows ? left : batch_rows,
									 resident, column);

		batch.stays = resident && next < t->n &&
			which == (in_parts && next >= t->n / 2);
		status = engine->feed(run[which], &batch);
	}
	if (status == GS_OK && in_parts)
		status = engine->merge(run[0], run[1]);
	if (status == GS_OK)
		status = engine->finish(run[0], summary);
	if (status == GS_OK && in_parts)
		engine->end(run[1]);
	if (status == GS_OK)
		return run[0];
	printf("%s engine: %s\n", engine->name,
		   run[0] == NULL ? "" : engine->error(run[0])->message);
	exit(2);
}

/* ----------
 * Comparisons
 * ----------
 */
static std::vector<uint8_t>
fetch(const gs_plan_engine *engine, gs_plan_run *run, int column, int64_t n,
	  size_t width, bool pieces)
{
	std::vector<uint8_t> to(n * width + 16, POISON);
	int64_t		cut = pieces ? n / 3 : n;

	if (engine->fetch(run, column, cut, n - cut, to.data() + cut * width) !=
		GS_OK || engine->fetch(run, column, 0, cut, to.data()) != GS_OK)
		verdict(false, "fetch fails");
	return to;
}

static std::vector<uint8_t>
from_device(const void *at, size_t size)
{
	std::vector<uint8_t> to(size + 16, POISON);

	if (gs_engine_cuda.get(to.data(), at, size) != GS_OK)
		verdict(false, "a relation cannot be read");
	return to;
}

static void
compare(const std::vector<uint8_t> &got, const std::vector<uint8_t> &wanted,
		size_t width, const std::string &what)
{
	bool		good = got == wanted;
	size_t		at = 0;

	if (good)
		return verdict(true, what);
	while (got[at] == wanted[at])
		at++;
	at = at / width * width;
	std::string difference = what + ": element " + std::to_string(at / width) +
		": ";

	for (size_t i = 0; i < 2 * width; i++)
	{
		char		byte[8];

		snprintf(byte, sizeof byte, i == width ? ", not %02x" : "%02x",
				 i < width ? got[at + i] : wanted[at + i - width]);
		difference += byte;
	}
	verdict(false, difference);
}

/* The relation has what was fetched. */
static void
check_relation(gs_plan_run *run, const rows_plan *p, int64_t n,
			   const std::vector<uint8_t> *values,
			   const std::vector<uint8_t> *bits, const std::string &what)
{
	const gs_relation_engine *relations = gs_plan_cuda.relations;
	gs_relation relation;
	uint32_t	errors = 0;

	verdict(relations->make(run, &p->next, &relation, &errors) == GS_OK &&
			errors == 0 && relation.memory != NULL && relation.rows == n &&
			relation.columns == p->plan.aggregates, what + ": relation");
	for (int c = 0; c < relation.columns; c++)
	{
		gs_column_data *column = &relation.column[c];
		const std::string of = what + ": relation's column " +
			std::to_string(c);
		gs_column_data wanted = {};
		bool		all = gs_count_bits(bits[c].data(), n) == n;

		wanted.values = values[c].data();
		wanted.validity = bits[c].data();
		wanted.width = column->width;
		wanted.low = INT64_MAX;
		wanted.high = INT64_MIN;
		gs_find_range((gs_type) p->column[c], &wanted, n);
		compare(from_device(column->values, n * column->width), values[c],
				column->width, of);
		verdict((column->validity == NULL) == all, of + ": has NULLs");
		if (column->validity != NULL)
			compare(from_device(column->validity, GS_VALIDITY_ROWS(n) * 8),
					bits[c], 8, of + ": validity");
		verdict(column->low == wanted.low && column->high == wanted.high,
				of + ": range");
	}
	relations->release(&relation);
}

/* ----------
 * Look-up tables
 * ----------
 */

/* Which values are keys; -1: no more. */
static const int scatter_keys[][2] = {{AN_INT2, -1}, {A_BOOL, A_NARROW_INT4}};

static int64_t
value_at(const std::vector<uint8_t> &values, int type, int64_t i)
{
	switch (gs_type_width((gs_type) type))
	{
		case 1:
			return values[i];
		case 2:
			return ((const int16_t *) values.data())[i];
		case 4:
			return ((const int32_t *) values.data())[i];
		default:
			return ((const int64_t *) values.data())[i];
	}
}

/* How many rows each place has. */
static std::vector<int>
count_rows(const rows_plan *p, const gs_scatter *s, int64_t n,
		   const std::vector<uint8_t> *values,
		   const std::vector<uint8_t> *bits)
{
	std::vector<int> rows(s->places + 1, 0);

	for (int64_t i = 0; i < n; i++)
	{
		int64_t		place = 0;

		for (int k = 0; k < s->keys && place >= 0; k++)
		{
			int			c = s->key[k];
			int64_t		digit = value_at(values[c], p->column[c], i) -
				s->least[k];
			bool		present = bits[c][i / 8] >> (i % 8) & 1;

			place = present && digit >= 0 && digit < s->count[k] ?
				place * s->count[k] + digit : -1;
		}
		if (place >= 0)
			rows[place]++;
	}
	return rows;
}

/* Any of several rows may have the place. */
static void
forget_repeated(const gs_scatter *s, const std::vector<int> &rows,
				std::vector<uint8_t> *table)
{
	for (int64_t i = 0; i < s->places && s->value >= 0; i++)
	{
		uint8_t    *entry = table->data() + i * s->width;
		uint8_t    *bit = table->data() + gs_scatter_values(s) + i / 8;

		if (rows[i] < 2)
			continue;
		memset(entry, 0, s->width);
		if (s->has_nulls)
			*bit &= (uint8_t) ~(1 << i % 8);
	}
}

static void
check_scattered(gs_plan_run *run, gs_plan_run *wanted, const gs_scatter *s,
			const std::vector<int> &rows, const std::string &what)
{
	size_t		size = (size_t) gs_scatter_size(s);
	void	   *memory = gs_engine_cuda.reserve(size + 16);
	std::vector<uint8_t> table(size + 16, POISON);
	std::vector<uint8_t> got;
	int64_t		count[4];
	int64_t		repeated = 0;
	int64_t		placed = 0;

	for (int n : rows)
	{
		placed += n;
		repeated += n > 1 ? n - 1 : 0;
	}
	verdict(memory != NULL &&
			gs_plan_cuda.scatter(run, s, memory, &count[0], &count[1]) ==
			GS_OK &&
			gs_plan_cpu.scatter(wanted, s, table.data(), &count[2],
								&count[3]) == GS_OK, what + ": scatter");
	verdict(count[0] == placed && count[2] == placed, what + ": placed");
	verdict(count[1] == (s->counts ? repeated : 0) && count[3] == count[1],
			what + ": repeated");
	got = from_device(memory, size);
	forget_repeated(s, rows, &got);
	forget_repeated(s, rows, &table);
	compare(got, table, s->width, what);
	gs_engine_cuda.release(memory, size + 16);
}

static void
check_scatter(gs_plan_run *run, gs_plan_run *wanted, const rows_plan *p,
			  int64_t n, const std::vector<uint8_t> *values,
			  const std::vector<uint8_t> *bits, const std::string &what)
{
	gs_value_range range[COLUMNS + 8];
	gs_value_range of_cpu;

	for (int i = 0; i < p->plan.aggregates; i++)
		verdict(gs_plan_cuda.range(run, i, &range[i]) == GS_OK &&
				gs_plan_cpu.range(wanted, i, &of_cpu) == GS_OK &&
				range[i].low == of_cpu.low && range[i].high == of_cpu.high &&
				range[i].nulls == of_cpu.nulls,
				what + ": range of value " + std::to_string(i));
	for (const int *keys : scatter_keys)
	{
		gs_scatter	s = {};
		std::vector<int> rows;

		/* the greatest keys are not within */
		s.places = 1;
		for (int k = 0; k < 2 && keys[k] >= 0; k++)
		{
			const gs_value_range *r = &range[keys[k]];

			s.key[s.keys] = keys[k];
			s.least[s.keys] = r->low > r->high ? 0 : r->low;
			s.count[s.keys] = r->low > r->high ? 3 :
				(r->high - r->low + 1) * 3 / 4 + 1;
			s.places *= s.count[s.keys++];
		}
		rows = count_rows(p, &s, n, values, bits);
		for (int none = 0; none < 2; none++)
		{
			s.value = -1;
			s.width = 1;
			s.none = s.counts = none;
			s.has_nulls = s.none_null = 0;
			check_scattered(run, wanted, &s, rows, what + ": found");
			for (int i = 0; i < p->plan.aggregates; i++)
			{
				s.value = i;
				s.width = (int32_t) gs_type_width((gs_type) p->column[i]);
				s.none = none ? -77 : 0;
				s.counts = 0;
				s.has_nulls = range[i].nulls > 0 || i % 2 == 0;
				s.none_null = s.has_nulls && i % 3 == 0;
				check_scattered(run, wanted, &s, rows,
							what + ": table of value " + std::to_string(i));
			}
		}
	}
}

static void
check(const table *t, int filter, gs_operand by, int64_t batch_rows,
	  bool resident, bool in_parts, const std::string &table_name)
{
	const std::string what = table_name + ", " + filter_names[filter] +
		", batches of " + std::to_string(batch_rows) +
		(resident ? ", resident" : "") + (in_parts ? ", in parts" : "") +
		(by == GS_NOTHING ? "" : ", slice by " + std::to_string(by));
	std::vector<uint8_t> values[COLUMNS + 8];
	std::vector<uint8_t> bits[COLUMNS + 8];
	rows_plan	p;
	gs_summary	summary;
	gs_summary	wanted_summary;
	gs_plan_run *run;
	gs_plan_run *wanted;
	int64_t		n;

	make_plan(&p, filter);
	run = run_plan(&gs_plan_cuda, t, &p.plan, by, batch_rows, resident, in_parts,
				   &summary);
	wanted = run_plan(&gs_plan_cpu, t, &p.plan, by, t->n + 1, false, false,
					  &wanted_summary);
	n = wanted_summary.groups;
	verdict(summary.groups == n && summary.rows == wanted_summary.rows &&
			summary.errors == wanted_summary.errors, what + ": summary");
	for (int i = 0; i < p.plan.aggregates && summary.groups == n; i++)
	{
		const std::string of = what + ": value " + std::to_string(i);
		size_t		width = gs_type_width((gs_type) p.column[i]);

		values[i] = fetch(&gs_plan_cpu, wanted, GS_FETCH_STATE(i), n, width,
						  false);
		bits[i] = fetch(&gs_plan_cpu, wanted, GS_FETCH_VALIDITY(i),
						GS_VALIDITY_ROWS(n), 8, false);
		compare(fetch(&gs_plan_cuda, run, GS_FETCH_STATE(i), n, width,
					  i % 2 != 0), values[i], width, of);
		compare(fetch(&gs_plan_cuda, run, GS_FETCH_VALIDITY(i),
					  GS_VALIDITY_ROWS(n), 8, i % 2 == 0), bits[i], 8,
				of + ": validity");
	}
	if (summary.groups == n)
	{
		check_relation(run, &p, n, values, bits, what);

		/* many tables each: not of all slices, nor of many rows by all filters */
		if (by == GS_NOTHING && (filter == 0 || (t->n <= 5000 && resident)))
			check_scatter(run, wanted, &p, n, values, bits, what);
	}
	gs_plan_cuda.end(run);
	gs_plan_cpu.end(wanted);
}

/* Integers, of which the last is NULL; GS_NOTHING: no slice. */
static const gs_operand slices_by[] = {
	GS_NOTHING, GS_COLUMN(AN_INT2), GS_COLUMN(A_NARROW_INT4), GS_RESULT(2),
	GS_CONSTANT(1)
};

static void
check_table(int64_t n, double nulls, double counts)
{
	const std::string what = std::to_string(n) + " rows, " +
		std::to_string(nulls) + " NULL, " + std::to_string(counts) + " count";
	table		t = new_table(n, nulls, counts);

	for (int filter = 0; filter < FILTERS; filter++)
	{
		check(&t, filter, GS_NOTHING, n + 1, true, false, what);
		check(&t, filter, GS_NOTHING, n + 1, false, false, what);
		for (gs_operand by : slices_by)
		{
			if (by != GS_NOTHING)
				check(&t, filter, by, n + 1, one_in(2), false, what);
			if (n > CUT)
				check(&t, filter, by, n > 50 * CUT ? 13 * CUT : CUT, true,
					  one_in(2), what);
		}
	}
	free_table(&t);
}

static void
checks(void)
{
	static const int64_t sizes[] = {
		0, 1, 31, 32, 63, 64, 65, 511, 512, 513, 1000, 4097, 100000, 1000001
	};

	for (int64_t n : sizes)
	{
		if (small_only && n > 5000)
			continue;
		check_table(n, 0, 1);
		check_table(n, 0.1, 1);
		check_table(n, 0.1, 0.5);
		check_table(n, 0.9, 0.01);
	}
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
	return (double) t.tv_sec * 1e3 + (double) t.tv_nsec * 1e-6;
}

/* The best of some, in ms: flags of the places of the first value; a table of the second. */
static void
time_scatter(gs_plan_run *run, int64_t rows)
{
	gs_value_range range;
	gs_scatter	s = {};
	void	   *memory;
	double		best[3] = {1e9, 1e9, 1e9};
	int64_t		count[2];

	(void) gs_plan_cuda.range(run, 0, &range);
	s.keys = 1;
	s.least[0] = range.low;
	s.places = s.count[0] = range.high - range.low + 1;
	if (rows == 0 || s.places > GS_SCATTER_PLACES)
		return;
	memory = gs_engine_cuda.reserve(8 * s.places + 1024);
	for (int i = 0; i < 18; i++)
	{
		double		since = now();

		s.value = i % 3 == 2 ? 1 : -1;
		s.counts = i % 3 == 1;
		s.width = s.value < 0 ? 1 : 8;
		(void) gs_plan_cuda.scatter(run, &s, memory, &count[0], &count[1]);
		best[i % 3] = std::min(best[i % 3], now() - since);
	}
	printf("# %lld rows scattered to %lld places: flags %.3f ms, with repeated "
		   "ones counted %.3f ms, values of 8 bytes %.3f ms\n", (long long) rows,
		   (long long) s.places, best[0], best[1], best[2]);
	gs_engine_cuda.release(memory, 8 * s.places + 1024);
}

/* The best of some, in ms: rows; what they become; 3 columns of them fetched. */
static void
time_plan(const table *t, int filter, int64_t batch_rows)
{
	double		best[3] = {1e9, 1e9, 1e9};
	rows_plan	p;
	gs_summary	summary = {};

	make_plan(&p, filter);
	p.plan.aggregates = 3;
	for (int i = 0; i < 3; i++)
		p.aggregate[i].a = (gs_operand) (i == 0 ? AN_INT4 : i == 1 ? AN_INT8 : A_FLOAT8);
	for (int i = 0; i < 3; i++)
		p.column[i] = types[p.aggregate[i].a];
	p.next.plan.columns = 3;
	for (int i = 0; i < 6; i++)
	{
		double		since = now();
		gs_plan_run *run = run_plan(&gs_plan_cuda, t, &p.plan, GS_NOTHING,
									batch_rows, true, false, &summary);
		double		rows = now();
		gs_relation relation;
		uint32_t	errors = 0;
		double		made;

		if (i == 0)
			time_scatter(run, summary.rows);
		rows = i == 0 ? now() : rows;
		if (gs_plan_cuda.relations->make(run, &p.next, &relation,
										 &errors) != GS_OK)
			verdict(false, "a relation cannot be made");
		made = now();
		gs_plan_cuda.relations->release(&relation);
		gs_plan_cuda.end(run);
		best[0] = rows - since < best[0] ? rows - since : best[0];
		best[1] = made - rows < best[1] ? made - rows : best[1];
	}
	printf("# %lld of %lld rows, 3 columns, %s, batches of %lld: rows %.3f ms, "
		   "relation %.3f ms\n", (long long) summary.rows, (long long) t->n,
		   filter_names[filter], (long long) batch_rows, best[0], best[1]);
}

/* Let a column have each of 0 to n - 1 once, in random order. */
static void
make_unique(table *t)
{
	std::vector<int32_t> values(t->n);

	std::iota(values.begin(), values.end(), 0);
	std::shuffle(values.begin(), values.end(), std::mt19937(1));
	memcpy(t->values[AN_INT4].data(), values.data(), 4 * values.size());
	(void) gs_engine_cuda.write(t->device_values[AN_INT4], values.data(),
								4 * values.size());
}

static void
times(void)
{
	table		t;
	table		nulls;

	all_on_device = true;
	t = new_table(10000000, 0, 1);
	make_unique(&t);
	nulls = new_table(10000000, 0.1, 0.9);

	for (int filter = 0; filter < COMPUTED + 1; filter++)
	{
		time_plan(&t, filter, t.n);
		time_plan(&t, filter, 500 * CUT);
		time_plan(&nulls, filter, t.n);
	}
	free_table(&t);
	free_table(&nulls);
	verdict(true, "times");
}

int
main(int argc, char **argv)
{
	gs_cuda_info info = {1, {0}};
	char		message[200];

	if (gs_cuda_open(0, &info, message, sizeof message) != GS_OK)
	{
		printf("%s\n", message);
		return 2;
	}
	return run_checks(argc, argv, argc > 1 && strcmp(argv[1], "times") == 0 ?
					  times : checks);
}
