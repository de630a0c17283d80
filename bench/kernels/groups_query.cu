/*-------------------------------------------------------------------------
 *
 * groups_query.cu
 *	  Plans, executed by the CUDA engine, and the figures they give.
 *
 *-------------------------------------------------------------------------
 */
#include "groups_query.h"

#include <cstdio>
#include <cstdlib>
#include <limits>

query::query(void)
{
	plan.filter = GS_NOTHING;
}

query::~query(void)
{
	if (run != NULL)
		gs_plan_cuda.end(run);
}

gs_operand
query::add_column(gs_type type, const void *values, int width, int64_t base,
				  int64_t low, int64_t high)
{
	gs_column_data c = {};

	c.values = values;
	c.width = width;
	c.base = base;
	c.low = low;
	c.high = high;
	types.push_back(type);
	columns.push_back(c);
	return GS_COLUMN(types.size() - 1);
}

gs_operand
query::add_constant(gs_type type, gs_value value)
{
	gs_constant c = {};

	c.type = type;
	c.value = value;
	constants.push_back(c);
	return GS_CONSTANT(constants.size() - 1);
}

gs_operand
query::add_int4(int32_t constant)
{
	gs_value	v = {};

	v.i4 = constant;
	return add_constant(GS_INT4, v);
}

gs_operand
query::add_int8(int64_t constant)
{
	gs_value	v = {};

	v.i8 = constant;
	return add_constant(GS_INT8, v);
}

gs_operand
query::add_float8(double constant)
{
	gs_value	v = {};

	v.f8 = constant;
	return add_constant(GS_FLOAT8, v);
}

gs_operand
query::add_code(gs_code what, gs_type type, gs_operand a, gs_operand b)
{
	gs_instruction i = {};

	i.code = what;
	i.type = type;
	i.a = a;
	i.b = b;
	i.c = GS_NOTHING;
	code.push_back(i);
	return GS_RESULT(code.size() - 1);
}

gs_aggregate *
query::add_aggregate(gs_aggregate_kind kind, gs_operand a)
{
	gs_aggregate g = {};

	g.kind = kind;
	g.a = a;
	g.b = GS_NOTHING;
	g.filter = GS_NOTHING;
	aggregates.push_back(g);
	return &aggregates.back();
}

void
query::seal(void)
{
	plan.columns = types.size();
	plan.instructions = code.size();
	plan.constants = constants.size();
	plan.keys = keys.size();
	plan.aggregates = aggregates.size();
	plan.column = types.data();
	plan.code = code.data();
	plan.constant = constants.data();
	plan.key = keys.data();
	plan.aggregate = aggregates.data();
	batch.n = GROUP_ROWS;
	batch.column = columns.data();
	batch.resident = 1;
	check(gs_plan_check(&plan));
}

void
query::check(gs_status status)
{
	if (status == GS_OK)
		return;
	fprintf(stderr, "groups: status %d: %s\n", (int) status,
			run == NULL ? "no execution" : gs_plan_cuda.error(run)->message);
	exit(2);
}

void
query::execute(void)
{
	if (run != NULL)
		gs_plan_cuda.end(run);
	run = NULL;
	check(gs_plan_cuda.begin(&plan, &run));
	check(gs_plan_cuda.feed(run, &batch));
	check(gs_plan_cuda.finish(run, &summary));
}

void
query::fetch(int column, int64_t first, int64_t n, void *to)
{
	check(gs_plan_cuda.fetch(run, column, first, n, to));
}

/* All of a column, as an array of T. */
template <typename T>
static std::vector<T>
all_of(query &q, int column)
{
	const size_t size = gs_fetch_width(&q.plan, column);
	std::vector<T> to(q.summary.groups * size / sizeof(T));

	q.fetch(column, 0, q.summary.groups, to.data());
	return to;
}

static double
rounded(query &q, int aggregate, const gs_float_sum &sum)
{
	const bool	squares = q.aggregates[aggregate].kind != GS_AGG_SUM;
	int64_t		space[GS_ACC2_LIMBS];
	gs_acc2		wide;
	double		result;

	if (sum.wide > 0)
		q.fetch(GS_FETCH_WIDE(aggregate), sum.wide - 1, 1, &wide);
	if (gs_limbs_round(gs_float_sum_limbs(&sum, squares, &wide, space),
					   &result) != GS_ROUNDED)
		return std::numeric_limits<double>::quiet_NaN();
	return result;
}

/* The numbers of one aggregate, `width` for each group, one after the other. */
static std::vector<double>
numbers_of(query &q, int aggregate, int *width)
{
	const gs_aggregate &a = q.aggregates[aggregate];
	const int	column = GS_FETCH_STATE(aggregate);
	std::vector<double> to;

	*width = 1;
	switch (a.kind)
	{
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
			if (gs_operand_type(&q.plan, a.a) == GS_FLOAT8)
			{
				for (const gs_float_sum &s : all_of<gs_float_sum>(q, column))
					to.push_back(rounded(q, aggregate, s));
			}
			else
			{
				for (const gs_integer_sum &s :
					 all_of<gs_integer_sum>(q, column))
					to.push_back((double) (int64_t) s.word[0]);
			}
			break;
		case GS_AGG_PERCENTILE:
			*width = 2;
			/* fall through */
		case GS_AGG_MIN:
		case GS_AGG_MAX:
			for (const gs_value &v : all_of<gs_value>(q, column))
				to.push_back(v.f8);
			break;
		default:
			if (a.kind == GS_AGG_HISTOGRAM)
				*width = a.buckets + 3;
			for (int64_t count : all_of<int64_t>(q, column))
				to.push_back((double) count);
			break;
	}
	return to;
}

figures
figures_of(query &q, int groups, int columns)
{
	figures		f = no_figures(groups, columns);
	const std::vector<gs_value> keys = all_of<gs_value>(q, GS_FETCH_KEY(0));
	int			at = 0;

	for (size_t k = 0; k < q.aggregates.size(); k++)
	{
		int			width;
		const std::vector<double> numbers = numbers_of(q, (int) k, &width);

		for (size_t g = 0; g < keys.size(); g++)
		{
			/* keys ascend strictly */
			if (keys[g].i4 < 0 || keys[g].i4 >= groups ||
				(g > 0 && keys[g].i4 <= keys[g - 1].i4))
				return {groups, columns, {}};
			for (int i = 0; i < width; i++)
				f.at[(size_t) keys[g].i4 * columns + at + i] =
					numbers[g * width + i];
		}
		at += width;
	}
	return f;
}
