/*-------------------------------------------------------------------------
 *
 * check_windows.cu
 *	  Windows over relations in device memory, against the CPU engine's.
 *
 *	check_windows [small]		random windows over random rows
 *	check_windows times			what 10^7 rows take
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/cuda_engine.h"
#include "kernels/windows/windows.cuh"
#include "direct.h"
#include "test/common/plan_windows.h"

#include <time.h>

#define GIVEN		8			/* columns, at most */

/* ----------
 * Random rows
 * ----------
 */

/* A column's values, one way for all of them. */
typedef struct column_kind
{
	gs_type		type;
	int			kind;
	int64_t		rows;
	gs_value	constant;
} column_kind;

static gs_value
value_of(gs_type type, double x)
{
	gs_value	v = {};

	switch (type)
	{
		case GS_FLOAT8:
			v.f8 = x;
			break;
		case GS_FLOAT4:
			v.f4 = (float) x;
			break;
		case GS_INT8:
			v.i8 = clamped<int64_t>(x);
			break;
		case GS_INT4:
			v.i4 = clamped<int32_t>(x);
			break;
		case GS_INT2:
			v.i2 = clamped<int16_t>(x);
			break;
		default:
			v.i2 = ((int64_t) x & 1) != 0;
			break;
	}
	return v;
}

static gs_value
any_bits(gs_type type)
{
	uint64_t	bits = random_bits();
	gs_value	v = {};

	memcpy(&v, &bits, type == GS_BOOL ? 0 : gs_type_width(type));
	if (type == GS_BOOL)
		v.i2 = bits & 1;
	return v;
}

static gs_value
random_value(const column_kind *k, int64_t i)
{
	static const double special[] = {
		NAN, INFINITY, -INFINITY, -0.0, 0, 1e30, -1e30, 1e-30, 5e-324
	};
	bool		real = is_float(k->type);

	switch (k->kind)
	{
		case 0:
			return plan_random_value(k->type);
		case 1:
			return any_bits(k->type);
		case 2:
			return k->constant;
		case 3:
			return value_of(k->type, (double) (i / 2));
		case 4:
			return value_of(k->type, (double) -i);
		case 5:
			return value_of(k->type, !real ? (double) random_below(3) :
							special[random_below(one_in(2) ? 9 : 5)]);
		case 6:
			return value_of(k->type, one_in(2) ? 0 : one_in(3) ? 1 : -0.0);
		case 7:
			return value_of(k->type, (double) random_below(7) / 2 - 1);
		case 8:
			return value_of(k->type, (random_uniform() - 0.3) * 1000);
		case 9:
			return value_of(k->type, random_normal() *
							exp2((double) random_below(real ? 160 : 20) -
								 (real ? 80 : 0)));
		case 10:
			return value_of(k->type, (double) random_below(k->rows / 3 + 1));
		case 11:				/* multiples, as days of microseconds are */
			if (k->type == GS_INT8)
			{
				gs_value	v = {};

				v.i8 = (k->constant.i8 >> 12) * (random_below(2001) - 1000);
				return v;
			}
			return k->constant;
		default:
			return value_of(k->type, random_normal());
	}
}

#define KINDS		13

static void
fill_column(plan_columns *rows, int c, bool tame)
{
	const int64_t n = rows->rows;
	int			nulls = (int) random_below(5);
	column_kind k = {};

	k.type = (gs_type) (GS_BOOL + random_below(GS_FLOAT8));
	do
		k.kind = (int) random_below(KINDS);
	while (tame && (k.kind == 1 || k.kind == 5));
	k.rows = n;
	k.constant = plan_random_value(k.type);
	rows->type[c] = (uint8_t) k.type;
	rows->value[c] = (gs_value *) calloc((size_t) n + 1, sizeof(gs_value));
	rows->null[c] = (bool *) calloc((size_t) n + 1, sizeof(bool));
	for (int64_t i = 0; i < n; i++)
	{
		rows->value[c][i] = random_value(&k, i);
		rows->null[c][i] = nulls == 0 ? one_in(3) : nulls == 1 && one_in(20);
	}
	if (one_in(30))
		memset(rows->null[c], 1, (size_t) n);
}

/* ----------
 * Relations
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

/* In host memory; of columns to compute anything. */
static void *
make_relation(gs_relation *r, const plan_columns *rows)
{
	size_t		size = gs_relation_size(rows->type, rows->columns, rows->rows);
	void	   *memory = aligned_alloc(64, (size + 64) & ~(size_t) 63);

	memset(memory, POISON, size);
	gs_relation_lay(r, rows->type, rows->columns, rows->rows, memory);
	for (int c = 0; c < rows->columns; c++)
	{
		gs_type		type = (gs_type) rows->type[c];
		gs_column_data *column = &r->column[c];
		uint8_t    *validity = (uint8_t *) column->validity;

		memset(validity, 0, ((size_t) rows->rows + 7) / 8);
		for (int64_t i = 0; rows->value[c] != NULL && i < rows->rows; i++)
		{
			store_value(type, rows->null[c][i] ? any_bits(type) :
						rows->value[c][i], (void *) column->values, i);
			if (!rows->null[c][i])
				validity[i / 8] |= (uint8_t) (1 << i % 8);
		}
		if (rows->value[c] != NULL && one_in(2))
			gs_find_range(type, column, rows->rows);
	}
	return memory;
}

static size_t
bits_size(int64_t rows)
{
	return (size_t) gs_divide_up(rows, 64) * 8;
}

/* The same in device memory; where nothing is NULL there may be no bitmap. */
static void
copy_relation(gs_relation *to, const gs_relation *from,
			  const plan_columns *rows)
{
	size_t		size = 0;
	char	   *at;

	*to = *from;
	for (int c = 0; c < from->columns; c++)
		size += gs_aligned(from->rows * from->column[c].width + 16) +
			gs_aligned(bits_size(from->rows) + 16);
	CUDA(cudaMalloc((void **) &at, size + 1));
	CUDA(cudaMemset(at, POISON, size));
	to->memory = at;
	for (int c = 0; c < from->columns; c++)
	{
		gs_column_data *column = &to->column[c];
		bool		nulls = rows->value[c] == NULL;

		for (int64_t i = 0; !nulls && i < from->rows; i++)
			nulls = rows->null[c][i];
		column->values = at;
		CUDA(cudaMemcpy(at, from->column[c].values, from->rows * column->width,
						cudaMemcpyHostToDevice));
		at += gs_aligned(from->rows * column->width + 16);
		column->validity = (const uint8_t *) at;
		CUDA(cudaMemcpy(at, from->column[c].validity, (from->rows + 7) / 8,
						cudaMemcpyHostToDevice));
		at += gs_aligned(bits_size(from->rows) + 16);
		if (!nulls && one_in(2))
			column->validity = NULL;
	}
}

/* ----------
 * Comparing
 * ----------
 */

static std::string
describe_function(const gs_windows *w, int column)
{
	char		text[300] = "";

	for (int i = 0; i < w->functions; i++)
	{
		const gs_window_function *f = &w->function[i];

		if (f->result == column)
			snprintf(text, sizeof text, ", kind %d (%d) of %d and %d, mode %d, %d (%lld) to "
					 "%d (%lld), offset %lld, filter %d, zeros %d, window %d "
					 "(%d of %d columns)",
					 f->kind, f->figure, f->argument, f->second, f->mode,
					 f->start.bound,
					 (long long) f->start.offset, f->end.bound,
					 (long long) f->end.offset, (long long) f->offset,
					 f->filter, f->zeros, f->window,
					 w->window[f->window].partition,
					 w->window[f->window].columns);
	}
	return text;
}

static std::string
text_of(gs_type type, const void *values, int64_t i)
{
	const char *at = (const char *) values + i * gs_type_width(type);
	char		text[60];
	int64_t		bits = 0;
	double		x = 0;

	memcpy(&bits, at, gs_type_width(type));
	if (type == GS_FLOAT4)
	{
		float		single;

		memcpy(&single, at, sizeof single);
		x = single;
	}
	else if (type == GS_FLOAT8)
		memcpy(&x, at, sizeof x);
	if (is_float(type))
		snprintf(text, sizeof text, "%.17g (%llx)", x, (long long) bits);
	else
		snprintf(text, sizeof text, "%lld", (long long) bits);
	return text;
}

static int64_t
integer_at(gs_type type, const void *values, int64_t i)
{
	return type == GS_INT8 ? ((const int64_t *) values)[i] :
		type == GS_INT4 ? ((const int32_t *) values)[i] :
		((const int16_t *) values)[i];
}

/* Empty: all is the same. */
static std::string
column_difference(gs_type type, const gs_column_data *got,
				  const gs_column_data *wanted, int64_t rows)
{
	int			width = gs_type_width(type);
	std::vector<char> values(rows * width + 1);
	std::vector<uint8_t> bits(bits_size(rows) + 1, 0xff);

	CUDA(cudaMemcpy(values.data(), got->values, rows * width,
					cudaMemcpyDeviceToHost));
	if (got->validity != NULL)
		CUDA(cudaMemcpy(bits.data(), got->validity, bits_size(rows),
						cudaMemcpyDeviceToHost));
	for (int64_t i = 0; i < rows; i++)
	{
		bool		valid = bits[i / 8] >> i % 8 & 1;
		bool		want_valid = wanted->validity[i / 8] >> i % 8 & 1;
		std::string where = "row " + std::to_string(i) + ": ";

		if (valid != want_valid)
			return where + (valid ? "not NULL, " +
							text_of(type, values.data(), i) : "NULL, not " +
							text_of(type, wanted->values, i));
		if (valid && memcmp(&values[i * width], (const char *) wanted->values +
							i * width, width) != 0)
			return where + text_of(type, values.data(), i) + ", not " +
				text_of(type, wanted->values, i);
		if (valid && !is_float(type) && type != GS_BOOL &&
			got->low <= got->high &&
			(integer_at(type, values.data(), i) < got->low ||
			 integer_at(type, values.data(), i) > got->high))
			return where + "out of the range";
	}
	return "";
}

/*
 * Compute on both sides.  After an error there is nothing to compare, but each
 * function alone may have none: false.
 */
static bool
compare(uint64_t seed, const gs_windows *w, const plan_columns *rows)
{
	std::string what = "seed " + std::to_string(seed) + ", " +
		std::to_string(rows->rows) + " rows, order " +
		std::to_string(w->order) + ", limit " + std::to_string(w->limit) +
		", first " + std::to_string(w->first);
	gs_stage	stage = {};
	gs_relation wanted;
	gs_relation got;
	uint32_t	wanted_errors = 0;
	uint32_t	errors = 0;
	gs_error	error = {};
	void	   *memory;
	gs_status	status;

	stage.windows = w;
	stage.plan.columns = rows->columns;
	stage.plan.column = rows->type;
	memory = make_relation(&wanted, rows);
	copy_relation(&got, &wanted, rows);
	status = gs_windows_cuda(&stage, &got, NULL, &errors, &error);
	verdict(status == GS_OK, what + ": status " + std::to_string(status) +
			" " + error.message);
	if (status == GS_DEVICE_LOST)
		exit(2);
	if (gs_windows_compute(w, rows->type, &wanted, NULL, &wanted_errors) !=
		GS_OK)
		verdict(false, what + ": the CPU engine fails");
	verdict(errors == wanted_errors, what + ": errors " +
			std::to_string(errors) + ", not " + std::to_string(wanted_errors) +
			(w->functions == 1 ?
			 describe_function(w, w->function[0].result) : ""));
	verdict(got.rows == wanted.rows, what + ": rows");
	for (int c = 0; c < rows->columns && errors == 0 && wanted_errors == 0 &&
		 got.rows == wanted.rows && status == GS_OK; c++)
	{
		bool		computed = rows->value[c] == NULL;
		std::string difference;

		/* of a function that is left out here */
		if (computed && describe_function(w, c).empty())
			continue;
		difference = column_difference((gs_type) rows->type[c], &got.column[c],
									   &wanted.column[c], wanted.rows);
		verdict(difference.empty(), what + ", column " + std::to_string(c) +
				describe_function(w, c) + ": " + difference);
	}
	CUDA(cudaFree(got.memory));
	free(memory);
	return wanted_errors == 0;
}

/* ----------
 * Cases
 * ----------
 */

/* With `order`, without functions. */
static void
try_windows(uint64_t seed, int64_t n, bool order)
{
	plan_columns rows = {};
	gs_finish	finish[GS_PLAN_COLUMNS] = {};
	gs_windows	w;
	bool		tame;
	int			given;

	random_seed(seed);
	tame = !one_in(4);
	rows.rows = n;
	rows.columns = one_in(30) ? 0 : 1 + (int) random_below(GIVEN);
	for (int c = 0; c < rows.columns; c++)
		fill_column(&rows, c, tame);
	given = rows.columns;
	plan_windows_new(&w, &rows, finish);
	if (order)
	{
		rows.columns = given;
		w.functions = 0;
		w.order = 0;
		w.limit = one_in(3) ? 0 : random_below(one_in(2) ? 20 : n + 2);
		w.first = w.limit > 0 || one_in(3) ? 0 : 1 + random_below(one_in(2) ? 2 : GS_WINDOW_FIRST_MAX);
	}
	if (gs_windows_check(&w, rows.type, rows.columns, finish) != GS_OK)
		verdict(false, "seed " + std::to_string(seed) + ": refused");
	else if (!compare(seed, &w, &rows))
	{
		for (int f = 0; f < w.functions; f++)
		{
			gs_windows	one = w;

			one.function[0] = w.function[f];
			one.functions = 1;
			(void) compare(seed, &one, &rows);
		}
	}
	for (int c = 0; c < given; c++)
	{
		free(rows.value[c]);
		free(rows.null[c]);
	}
}

static void
try_many(uint64_t seed, int cases, int64_t n)
{
	for (int i = 0; i < cases; i++)
		try_windows(seed + i, n, one_in(6));
}

/* A caller that goes away at some step. */
static bool
waits_still(void *who)
{
	return --*(int *) who > 0;
}

static void
check_callers(void)
{
	for (int steps = 1; steps < 12; steps++)
	{
		static const uint8_t type[] = {GS_INT4, GS_FLOAT8, GS_FLOAT8, GS_INT8};
		plan_columns rows = {};
		gs_windows	w = {};
		gs_stage	stage = {};
		gs_relation host;
		gs_relation relation;
		gs_error	error = {};
		uint32_t	errors = 0;
		int			left = steps;
		gs_windows_caller caller = {waits_still, &left};
		void	   *memory;
		gs_status	status;

		rows.columns = 4;
		rows.rows = 1000;
		memcpy(rows.type, type, sizeof type);
		for (int c = 0; c < 2; c++)
		{
			rows.value[c] = (gs_value *) calloc(1000, sizeof(gs_value));
			rows.null[c] = (bool *) calloc(1000, sizeof(bool));
			for (int i = 0; i < 1000; i++)
				rows.value[c][i] = value_of((gs_type) type[c],
											(double) random_below(100));
		}
		w.windows = 1;
		w.window[0].columns = 1;
		w.functions = 2;
		w.function[0] = {GS_WINDOW_SUM, GS_FRAME_ROWS, 0, 0, 0, 2, 1,
			GS_NOTHING, GS_NOTHING, 0, {GS_BOUND_UNBOUNDED, 0}, {GS_BOUND_CURRENT, 0},
		0, 0, 0, 0, {}};
		w.function[1] = {GS_WINDOW_ROW_NUMBER, 0, 0, 0, 0, 3, GS_NOTHING,
		GS_NOTHING, GS_NOTHING, 0, {}, {}, 0, 0, 0, 0, {}};
		stage.windows = &w;
		stage.plan.columns = rows.columns;
		stage.plan.column = rows.type;
		memory = make_relation(&host, &rows);
		copy_relation(&relation, &host, &rows);
		status = gs_windows_cuda(&stage, &relation, &caller, &errors, &error);
		verdict(status == (left > 0 ? GS_OK : GS_INVALID),
				"a caller that waits " + std::to_string(steps) +
				" times: status " + std::to_string(status));
		verdict(steps > 1 || status == GS_INVALID, "no caller is asked");
		CUDA(cudaFree(relation.memory));
		free(memory);
		for (int c = 0; c < 2; c++)
		{
			free(rows.value[c]);
			free(rows.null[c]);
		}
	}
}

/* Percentiles that doubles do not decide: more than are on the host at a time. */
static void
check_undecided(int64_t n)
{
	static const uint8_t type[] = {GS_INT4, GS_INT8, GS_FLOAT8};
	plan_columns rows = {};
	gs_windows	w = {};

	random_seed(7);
	rows.columns = 3;
	rows.rows = n;
	memcpy(rows.type, type, sizeof type);
	for (int c = 0; c < 2; c++)
	{
		rows.value[c] = (gs_value *) calloc(n, sizeof(gs_value));
		rows.null[c] = (bool *) calloc(n, sizeof(bool));
	}
	for (int64_t i = 0; i < n; i++)
	{
		rows.value[0][i].i4 = (int32_t) random_below(1000);
		rows.value[1][i].i8 = (INT64_C(1) << 62) - 1 -
			(int64_t) random_below(UINT64_C(1) << 60);
	}
	w.windows = 1;
	w.window[0].columns = 1;
	w.order = -1;
	w.functions = 1;
	w.function[0].kind = GS_WINDOW_PERCENTILE;
	w.function[0].mode = GS_FRAME_ROWS;
	w.function[0].result = 2;
	w.function[0].argument = 1;
	w.function[0].second = GS_NOTHING;
	w.function[0].filter = GS_NOTHING;
	w.function[0].start = {GS_BOUND_PRECEDING, 9};
	w.function[0].end = {GS_BOUND_CURRENT, 0};
	w.function[0].low = INT64_MIN;
	w.function[0].high = INT64_MAX;
	w.function[0].fraction = 0.37;
	(void) compare(7, &w, &rows);
	for (int c = 0; c < 2; c++)
	{
		free(rows.value[c]);
		free(rows.null[c]);
	}
}

static void
checks(void)
{
	static const int64_t sizes[] = {0, 1, 2, 31, 63, 64, 65, 200, 1000};

	open_device();
	for (int i = 0; i < (int) (sizeof sizes / sizeof *sizes); i++)
		try_many(1000 * (i + 1), small_only ? 10 : 300, sizes[i]);
	check_callers();
	check_undecided(3);
	if (small_only)
		return;
	check_undecided(200000);
	try_many(100000, 60, 5000);
	try_many(200000, 40, 100000);
	try_many(300000, 8, 1000000);

	/* orders of many rows, of which only the first may be wanted */
	for (int i = 0; i < 40; i++)
		try_windows(400000 + i, 100000 + 10000 * i, true);
}

/* ----------
 * Times
 * ----------
 */

static double
milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* Columns: sensor, time, value; a result of 8 bytes. */
typedef struct timed
{
	const char *what;
	gs_window_function f;
	gs_window	window;
	int64_t		limit;			/* with an order */
	bool		order;
} timed;

#define TIMED_COLUMNS	4
static const uint8_t timed_float[] = {GS_INT4, GS_INT8, GS_FLOAT8, GS_FLOAT8};
static const uint8_t timed_integer[] = {GS_INT4, GS_INT8, GS_FLOAT8, GS_INT8};

static void
time_one(const timed *t, const gs_relation *from, char *memory, size_t size)
{
	bool		integers = t->f.kind < GS_WINDOW_PERCENT_RANK ||
		t->f.kind == GS_WINDOW_COUNT;
	double		best = 1e9;
	char	   *copy;

	CUDA(cudaMalloc((void **) &copy, size));
	for (int i = 0; i < 6; i++)
	{
		gs_relation relation = *from;
		gs_windows	w = {};
		gs_stage	stage = {};
		gs_error	error = {};
		uint32_t	errors = 0;
		double		start;

		CUDA(cudaMemcpy(copy, memory, size, cudaMemcpyDeviceToDevice));
		for (int c = 0; c < TIMED_COLUMNS; c++)
			relation.column[c].values = copy +
				((const char *) from->column[c].values - memory);
		relation.column[3].validity = (const uint8_t *) copy +
			((const char *) from->column[3].validity - memory);
		w.windows = 1;
		w.window[0] = t->window;
		w.order = t->order ? 0 : -1;
		w.limit = t->limit;
		w.functions = t->f.kind != 0;
		w.function[0] = t->f;
		stage.windows = &w;
		stage.plan.columns = t->f.kind != 0 ? 4 : 3;
		relation.columns = stage.plan.columns;
		stage.plan.column = integers ? timed_integer : timed_float;
		CUDA(cudaDeviceSynchronize());
		start = milliseconds();
		if (gs_windows_cuda(&stage, &relation, NULL, &errors, &error) != GS_OK)
			printf("%s: %s\n", t->what, error.message);
		best = fmin(best, milliseconds() - start);
	}
	CUDA(cudaFree(copy));
	printf("%-60s %8.3f ms\n", t->what, best);
}

static gs_window_function
timed_function(int kind, int mode, int argument, gs_frame_end start,
			   gs_frame_end end, int64_t offset)
{
	gs_window_function f = {};

	f.kind = (uint8_t) kind;
	f.mode = (uint8_t) mode;
	f.result = 3;
	f.argument = (int16_t) argument;
	f.second = GS_NOTHING;
	f.filter = GS_NOTHING;
	f.start = start;
	f.end = end;
	f.low = INT64_MIN;
	f.high = INT64_MAX;
	f.offset = offset;
	f.fraction = 0.5;
	return f;
}

/* Of 100 rows: of the value, or of it and itself. */
static gs_window_function
timed_figure(gs_figure figure)
{
	gs_window_function f = timed_function(GS_WINDOW_FIGURE, GS_FRAME_ROWS, 2,
										  {GS_BOUND_PRECEDING, 99},
										  {GS_BOUND_CURRENT, 0}, 0);

	f.figure = (uint8_t) figure;
	if (gs_figure_is_of_pairs(figure))
		f.second = 2;
	return f;
}

static void
times(int64_t n)
{
	static const gs_window by_sensor = {1, 2, {{0, 0, 0}, {1, 0, 0}}};
	static const gs_window by_both = {1, 2, {{0, 0, 0}, {2, 0, 0}}};
	static const gs_window by_value = {0, 1, {{2, 0, 0}}};
	static const gs_frame_end unbounded = {GS_BOUND_UNBOUNDED, 0};
	static const gs_frame_end current = {GS_BOUND_CURRENT, 0};
	static const gs_frame_end before = {GS_BOUND_PRECEDING, 99};
	static const gs_frame_end hour = {GS_BOUND_PRECEDING, INT64_C(3600000000)};
	static const gs_frame_end none = {0, 0};
	const timed all[] = {
		{"running sum", timed_function(GS_WINDOW_SUM, GS_FRAME_ROWS, 2,
									   unbounded, current, 0), by_sensor, 0, false},
		{"running sum, with peers", timed_function(GS_WINDOW_SUM, GS_FRAME_RANGE, 2,
												   unbounded, current, 0), by_sensor, 0, false},
		{"moving average of 100", timed_function(GS_WINDOW_AVERAGE, GS_FRAME_ROWS,
												 2, before, current, 0), by_sensor, 0, false},
		{"average of an hour", timed_function(GS_WINDOW_AVERAGE, GS_FRAME_RANGE,
											  2, hour, current, 0), by_sensor, 0, false},
		{"greatest of 100", timed_function(GS_WINDOW_MAX, GS_FRAME_ROWS,
										   2, before, current, 0), by_sensor, 0, false},
		{"median of 100", timed_function(GS_WINDOW_PERCENTILE, GS_FRAME_ROWS,
										 2, before, current, 0), by_sensor, 0, false},
		{"deviation of 100", timed_figure(GS_FIGURE_STDDEV_SAMP), by_sensor, 0, false},
		{"covariance of 100", timed_figure(GS_FIGURE_COVAR_SAMP), by_sensor, 0, false},
		{"correlation of 100", timed_figure(GS_FIGURE_CORR), by_sensor, 0, false},
		{"lag", timed_function(GS_WINDOW_SHIFT, 0, 2, none, none, -1), by_sensor, 0, false},
		{"lag, by sensor and value", timed_function(GS_WINDOW_SHIFT, 0, 2, none, none, -1), by_both, 0, false},
		{"row_number", timed_function(GS_WINDOW_ROW_NUMBER, 0, GS_NOTHING, none,
									  none, 0), by_sensor, 0, false},
		{"rank of all", timed_function(GS_WINDOW_RANK, 0, GS_NOTHING, none, none,
									   0), by_value, 0, false},
		{"running sum, rows in order", timed_function(GS_WINDOW_SUM, GS_FRAME_ROWS, 2,
													  unbounded, current, 0), by_sensor, 0, true},
		{"ORDER BY value", timed_function(0, 0, GS_NOTHING, none, none, 0), by_value, 0, true},
		{"ORDER BY value LIMIT 10", timed_function(0, 0, GS_NOTHING, none, none, 0),
			by_value, 10, true},
	};
	std::vector<int32_t> sensor(n);
	std::vector<int64_t> at(n);
	std::vector<double> value(n);
	gs_relation relation = {};
	size_t		part = gs_aligned((size_t) n * 8 + 64);
	char	   *memory;

	for (int64_t i = 0; i < n; i++)
	{
		sensor[i] = (int32_t) random_below(1000);
		at[i] = INT64_C(700000000000000) + i * 1000000 / 4;
		value[i] = random_uniform() * 100;
	}
	CUDA(cudaMalloc((void **) &memory, 5 * part));
	relation.rows = n;
	relation.columns = TIMED_COLUMNS;
	for (int c = 0; c < TIMED_COLUMNS; c++)
	{
		relation.column[c].values = memory + c * part;
		relation.column[c].width = c == 0 ? 4 : 8;
		relation.column[c].low = INT64_MAX;
		relation.column[c].high = INT64_MIN;
	}
	relation.column[3].validity = (const uint8_t *) memory + 4 * part;
	relation.column[0].low = 0;
	relation.column[0].high = 999;
	relation.column[1].low = at[0];
	relation.column[1].high = at[n - 1];
	CUDA(cudaMemcpy(memory, sensor.data(), n * 4, cudaMemcpyHostToDevice));
	CUDA(cudaMemcpy(memory + part, at.data(), n * 8, cudaMemcpyHostToDevice));
	CUDA(cudaMemcpy(memory + 2 * part, value.data(), n * 8,
					cudaMemcpyHostToDevice));
	printf("%lld rows (1,000 sensors, time, value)\n", (long long) n);
	for (const timed &t : all)
		time_one(&t, &relation, memory, 5 * part);
	CUDA(cudaFree(memory));
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "times") == 0)
	{
		open_device();
		times(argc > 2 ? atoll(argv[2]) : 10000000);
		return 0;
	}
	return run_checks(argc, argv, checks);
}
