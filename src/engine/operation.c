/*-------------------------------------------------------------------------
 *
 * operation.c
 *	  What follows from the description of an operation alone.
 *
 * Every question is answered from the table in operations.h.  gs_op_check is
 * the boundary that a description from another process has to pass: an
 * operation that it accepts cannot make an engine read or write out of bounds.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/elements.h"
#include "engine/group_op.h"

#define BIT(type)		(1u << (type))
#define BOOL			BIT(GS_BOOL)
#define INTEGERS		(BIT(GS_INT2) | BIT(GS_INT4) | BIT(GS_INT8))
#define FLOATS			(BIT(GS_FLOAT4) | BIT(GS_FLOAT8))
#define NUMBERS			(INTEGERS | FLOATS)
#define POSITIONS		BIT(GS_INT4)

/* The values of operations.h's column "output" that are no gs_type. */
#define NO_OUTPUT		0
#define OWN_TYPE		(-1)
#define SUM_TYPE		(-2)
#define KEY_TYPE		(-3)
#define FEW				(-4)
#define COUNTED			(-5)
#define COUNTS			(-6)
#define PERCENTILES		(-7)
#define MEANS			(-8)
#define DEVIATIONS		(-9)
#define AGGREGATES		(-10)

/* Its column "arguments"; a mask that is absent has flags' type. */
#define ALONE			{GS_NO_MASK, GS_BOOL, 0, false, false}
#define FLAGS			{GS_ALWAYS_MASK, GS_BOOL, 0, false, false}
#define FLAGS_IF_MARKED	{GS_MASK_IF_MARKED, GS_BOOL, 0, false, false}
#define PAIRS			{GS_ALWAYS_MASK, OWN_TYPE, 0, false, false}
#define PAIRS_IF_SO		{GS_MASK_IF_PAIRS, OWN_TYPE, 0, false, false}
#define DOUBLES			{GS_ALWAYS_MASK, GS_FLOAT8, 0, false, false}
#define ANY_TYPE		{GS_ALWAYS_MASK, KEY_TYPE, 0, false, false}
#define ALL_ANY_TYPE	{GS_ALWAYS_MASK, KEY_TYPE, 0, true, false}
#define ALL_TWO			{GS_ALWAYS_MASK, KEY_TYPE, KEY_TYPE, true, false}
#define ALL_OWN_TYPE	{GS_ALWAYS_MASK, OWN_TYPE, 0, true, false}
#define ALL_POINTS		{GS_ALWAYS_MASK, OWN_TYPE, GS_FLOAT8, true, false}
#define ALL_DATA		{GS_NO_MASK, GS_BOOL, 0, false, true}

static const gs_operation operations[GS_KINDS] = {
#define OPERATION(kind, name, family, types, arguments, output, \
				  null_result, cpu, cuda, float_ns, other_ns) \
	[kind] = {name, family, types, arguments, output, null_result, float_ns, other_ns},
	GS_OPERATIONS(OPERATION)
#undef OPERATION
};

/*
 * The row of a kind, which may come from another process.  A kind that does
 * not exist gets a row without name, family and types.
 */
const gs_operation *
gs_operation_of(gs_kind kind)
{
	return &operations[(unsigned) kind < GS_KINDS ? kind : GS_NO_KIND];
}

gs_family
gs_family_of(gs_kind kind)
{
	return gs_operation_of(kind)->family;
}

static const gs_arguments *
arguments_of(const gs_op *op)
{
	return &gs_operation_of((gs_kind) op->kind)->arguments;
}

static bool
is_float(const gs_op *op)
{
	return gs_is_float((gs_type) op->type);
}

static bool
is_flag(int32_t value)
{
	return value == 0 || value == 1;
}

static bool
is_type(int32_t value)
{
	return value >= GS_BOOL && value <= GS_FLOAT8;
}

static bool
is_compare(int32_t value)
{
	return value >= GS_LT && value <= GS_GT;
}

static bool
is_fraction(double value)
{
	return value >= 0 && value <= 1;
}

static bool
histogram_is_valid(const gs_op *op)
{
	const double *edges = op->histogram.edges;

	/* the three counts beyond the buckets need indexes too */
	if (op->histogram.buckets < 1 || op->histogram.buckets > INT32_MAX - 3)
		return false;
	if (op->kind == GS_HISTOGRAM_WIDTH)
		return gs_is_finite(op->histogram.low) &&
			gs_is_finite(op->histogram.high) &&
			op->histogram.low != op->histogram.high &&
			(op->histogram.formula == GS_BUCKET_PRODUCT_FIRST ||
			 op->histogram.formula == GS_BUCKET_QUOTIENT_FIRST);
	if (edges == NULL)
		return false;
	for (int32_t i = 0; i < op->histogram.buckets; i++)
	{
		if (!(edges[i] < edges[i + 1])) /* NaN fails too */
			return false;
	}
	return true;
}

static bool
search_is_valid(const gs_op *op)
{
	const int64_t *keys = op->search.keys;

	if (!is_flag(op->search.left) || op->search.count < 1 ||
		op->search.count > INT32_MAX - 2 || keys == NULL)
		return false;
	for (int32_t i = 1; i < op->search.count; i++)
	{
		if (keys[i - 1] > keys[i])
			return false;
	}
	return true;
}

/* gs_op.mask says what the kind leaves open. */
static bool
mask_is_valid(const gs_op *op)
{
	const gs_arguments *arguments = arguments_of(op);

	return (arguments->mask_type != KEY_TYPE || is_type(op->mask.type)) &&
		(!arguments->all_of_mask ||
		 (op->mask.elements >= 1 && op->mask.elements <= INT32_MAX));
}

static bool
map_is_valid(const gs_op *op)
{
	switch (op->kind)
	{
		case GS_SEARCH:
			return search_is_valid(op);
		case GS_DIFF:
			return is_flag(op->diff.null_first);
		case GS_ARITHMETIC:
			return op->expression.steps == 1 &&
				op->expression.differences == GS_NO_DIFFERENCES &&
				op->filter.compare == 0 && gs_expression_is_valid(op);
		case GS_COMPARE:
			return is_compare(op->pairs.compare);
		case GS_BETWEEN:
			return is_flag(op->range.outside);
		case GS_CHOOSE:
			return is_flag(op->choose.has_constant) &&
				is_flag(op->choose.where_false);
		default:
			return gs_elements_are_valid(op);
	}
}

static bool
order_is_valid(const gs_op *op)
{
	if (op->kind == GS_TRANSPOSE)
		return op->transpose.columns >= 1;
	return is_flag(op->order.descending) &&
		!(op->kind == GS_DISTINCT && op->order.descending);
}

static bool
moving_is_valid(const gs_op *op)
{
	return op->moving.preceding >= 0 && op->moving.following >= 0 &&
		(op->kind != GS_EWMA ||
		 (is_flag(op->ewma.adjust) && is_fraction(op->ewma.alpha) &&
		  op->ewma.alpha > 0)) &&
		(op->kind != GS_MOVING_PERCENTILE ||
		 (is_flag(op->percentile.discrete) &&
		  is_fraction(op->percentile.fraction)));
}

const char *
gs_family_name(gs_family family)
{
	static const char *const names[GS_FAMILIES] = {
		[GS_FAMILY_REDUCE] = "reduce",
		[GS_FAMILY_SCAN] = "scan",
		[GS_FAMILY_HISTOGRAM] = "histogram",
		[GS_FAMILY_MAP] = "map",
		[GS_FAMILY_COMPACT] = "compact",
		[GS_FAMILY_ORDER] = "order",
		[GS_FAMILY_GROUP] = "group",
		[GS_FAMILY_EXPRESSION] = "expression",
		[GS_FAMILY_SEGMENT] = "segment",
		[GS_FAMILY_MOVING] = "moving"
	};

	return names[family];
}

gs_status
gs_op_check(const gs_op *op)
{
	const gs_operation *operation = gs_operation_of((gs_kind) op->kind);
	bool		valid;

	if (!is_type(op->type) || !(operation->types & BIT(op->type)))
		return GS_INVALID;
	switch (operation->family)
	{
		case GS_FAMILY_SCAN:
			valid = is_flag(op->scan.exclusive) &&
				is_flag(op->segment.marked) && op->segment.length >= 0 &&
				!(op->segment.marked && op->segment.length > 0);
			break;
		case GS_FAMILY_HISTOGRAM:
			valid = histogram_is_valid(op);
			break;
		case GS_FAMILY_MAP:
			valid = map_is_valid(op);
			break;
		case GS_FAMILY_COMPACT:
			valid = op->kind != GS_FILTER ||
				(is_compare(op->filter.compare) &&
				 is_flag(op->filter.integer_bound));
			break;
		case GS_FAMILY_ORDER:
			valid = order_is_valid(op);
			break;
		case GS_FAMILY_GROUP:
			valid = op->aggregates > 0 && op->aggregates <= GS_GROUP_ALL;
			break;
		case GS_FAMILY_EXPRESSION:
			valid = op->aggregates >= 1 && op->aggregates < GS_GROUP_MEDIAN &&
				gs_expression_is_valid(op);
			break;
		case GS_FAMILY_SEGMENT:
			valid = is_flag(op->segment.marked) && op->segment.length >= 0 &&
				op->segment.marked == (op->segment.length == 0);
			break;
		case GS_FAMILY_MOVING:
			valid = moving_is_valid(op);
			break;
		case GS_FAMILY_REDUCE:
			valid = op->kind != GS_AREA || is_flag(op->area.both_sides);
			break;
		default:
			valid = true;
	}
	return valid && mask_is_valid(op) ? GS_OK : GS_INVALID;
}

bool
gs_is_reduction(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_REDUCE ||
		gs_family_of(kind) == GS_FAMILY_EXPRESSION;
}

/*
 * A product has kernels of its own, so have a dot product and an area, and a
 * position depends on all blocks.
 */
bool
gs_can_reduce_each(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_REDUCE &&
		kind != GS_PRODUCT && kind != GS_DOT && kind != GS_AREA &&
		kind != GS_ARGMIN && kind != GS_ARGMAX;
}

bool
gs_is_scan(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_SCAN;
}

bool
gs_is_histogram(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_HISTOGRAM;
}

bool
gs_is_map(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_MAP;
}

/* Does all of some array come with each batch? */
bool
gs_is_placement(gs_kind kind)
{
	const gs_arguments *arguments = &gs_operation_of(kind)->arguments;

	return arguments->all_of_mask || arguments->all_of_data;
}

bool
gs_is_compaction(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_COMPACT;
}

bool
gs_is_order(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_ORDER;
}

bool
gs_is_ranks(gs_kind kind)
{
	return kind >= GS_ROW_NUMBER && kind <= GS_LAST_RANK;
}

bool
gs_has_positions(gs_kind kind)
{
	return gs_is_order(kind) && gs_operation_of(kind)->output == GS_INT4;
}

bool
gs_has_one_zero(gs_kind kind)
{
	return gs_operation_of(kind)->output == COUNTED || gs_has_positions(kind);
}

bool
gs_is_segments(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_SEGMENT;
}

bool
gs_is_moving(gs_kind kind)
{
	return gs_family_of(kind) == GS_FAMILY_MOVING;
}

bool
gs_is_fetched(gs_kind kind)
{
	return gs_is_order(kind) || gs_is_segments(kind) || gs_is_moving(kind) ||
		gs_family_of(kind) == GS_FAMILY_GROUP;
}

bool
gs_fetches_each(gs_kind kind)
{
	int			output = gs_operation_of(kind)->output;

	return (gs_is_order(kind) && output != FEW && output != COUNTED) ||
		gs_is_moving(kind);
}

bool
gs_is_series(const gs_op *op)
{
	return gs_is_order((gs_kind) op->kind) ||
		(gs_is_moving((gs_kind) op->kind) &&
		 gs_has_column(op, GS_COLUMN_VALUES));
}

bool
gs_has_edges(gs_kind kind)
{
	return kind == GS_HISTOGRAM_EDGES || kind == GS_SEARCH;
}

int64_t
gs_edge_count(const gs_op *op)
{
	if (op->kind == GS_SEARCH)
		return op->search.count;
	return op->kind == GS_HISTOGRAM_EDGES ?
		(int64_t) op->histogram.buckets + 1 : 0;
}

const void *
gs_edges(const gs_op *op)
{
	if (op->kind == GS_SEARCH)
		return op->search.keys;
	return op->histogram.edges;
}

void
gs_set_edges(gs_op *op, const void *edges)
{
	if (op->kind == GS_SEARCH)
		op->search.keys = edges;
	else
		op->histogram.edges = edges;
}

/* The type that a column of operations.h says. */
static gs_type
type_of(const gs_op *op, int type)
{
	switch (type)
	{
		case SUM_TYPE:
			return is_float(op) ? (gs_type) op->type : GS_INT8;
		case KEY_TYPE:
			return (gs_type) op->mask.type;
		case COUNTS:
			return GS_INT8;
		case MEANS:
		case DEVIATIONS:
			return GS_FLOAT8;
		case PERCENTILES:
			return op->percentile.discrete ? (gs_type) op->type : GS_FLOAT8;
		default:
			return (gs_type) (type < 0 ? op->type : type);
	}
}

bool
gs_has_mask(const gs_op *op)
{
	switch (arguments_of(op)->when)
	{
		case GS_NO_MASK:
			return false;
		case GS_MASK_IF_MARKED:
			return op->segment.marked;
		case GS_MASK_IF_PAIRS:
			return op->expression.arrays > 1 || op->power.of_pairs;
		case GS_ALWAYS_MASK:
			break;
	}
	return true;
}

gs_type
gs_mask_type(const gs_op *op)
{
	return type_of(op, arguments_of(op)->mask_type);
}

bool
gs_has_third(const gs_op *op)
{
	return arguments_of(op)->third_type != 0;
}

gs_type
gs_third_type(const gs_op *op)
{
	return type_of(op, arguments_of(op)->third_type);
}

int64_t
gs_data_elements(const gs_op *op, int64_t n, int64_t all)
{
	return arguments_of(op)->all_of_data ? all : n;
}

int64_t
gs_mask_elements(const gs_op *op, int64_t n)
{
	return arguments_of(op)->all_of_mask ? op->mask.elements : n;
}

gs_type
gs_expression_type(const gs_op *op)
{
	return op->expression.differences != GS_NO_DIFFERENCES && !is_float(op) ?
		GS_INT8 : (gs_type) op->type;
}

/* Can a result be NULL? */
bool
gs_gives_null(const gs_op *op, bool data_has_nulls)
{
	switch (gs_operation_of((gs_kind) op->kind)->null_result)
	{
		case GS_NEVER_NULL:
			break;
		case GS_NULL_IF_DATA:
			return data_has_nulls;
		case GS_NULL_IF_EITHER:
			return data_has_nulls || gs_has_mask(op);
		case GS_NULL_IF_INCLUSIVE:
			return data_has_nulls && !op->scan.exclusive;
		case GS_NULL_OR_EXCLUSIVE:
			return data_has_nulls || op->scan.exclusive;
		case GS_NULL_OR_FIRST:
			return data_has_nulls || op->diff.null_first;
		case GS_ANY_NULL:
		case GS_NULL_FIRST:
			return true;
	}
	return false;
}

int
gs_type_width(gs_type type)
{
	switch (type)
	{
		case GS_BOOL:
			return 1;
		case GS_INT2:
			return 2;
		case GS_INT4:
		case GS_FLOAT4:
			return 4;
		case GS_INT8:
		case GS_FLOAT8:
			return 8;
	}
	return 0;
}

static int
output_of(const gs_op *op)
{
	return gs_operation_of((gs_kind) op->kind)->output;
}

bool
gs_has_output(const gs_op *op)
{
	return output_of(op) != NO_OUTPUT && !gs_is_fetched((gs_kind) op->kind);
}

gs_type
gs_output_type(const gs_op *op)
{
	return type_of(op, output_of(op));
}

/*
 * The status of a result out of range.  Sums and products are beyond their
 * type; with any other map, it is an element that has no result.
 */
gs_status
gs_range_status(const gs_op *op)
{
	if (gs_is_map((gs_kind) op->kind) && output_of(op) != SUM_TYPE)
		return GS_VALUE_ERROR;
	return gs_output_type(op) == GS_INT8 ? GS_BIGINT_RANGE : GS_FLOAT_OVERFLOW;
}

/* The columns that fetch gives, a bit each. */
static unsigned
columns_of(const gs_op *op)
{
	const gs_operation *operation = gs_operation_of((gs_kind) op->kind);
	unsigned	moments = BIT(GS_COLUMN_COUNTS) | BIT(GS_COLUMN_SUMS);

	switch (operation->output)
	{
		case COUNTED:
			return BIT(GS_COLUMN_VALUES) | BIT(GS_COLUMN_COUNTS);
		case COUNTS:
			return BIT(GS_COLUMN_COUNTS);
		case MEANS:
			if (!is_float(op))
				return moments;
			break;
		case DEVIATIONS:
			if (!is_float(op))
				return moments | BIT(GS_COLUMN_SQUARES);
			break;
	}
	return BIT(GS_COLUMN_VALUES) | (operation->null_result == GS_NEVER_NULL ?
									0 : BIT(GS_COLUMN_VALIDITY));
}

/* Do the results have this column?  A message may name any number. */
bool
gs_has_column(const gs_op *op, gs_column column)
{
	if ((unsigned) column >= GS_COLUMNS)
		return false;
	if (output_of(op) == AGGREGATES)
		return gs_group_op_column(op, column) >= 0;
	return gs_is_fetched((gs_kind) op->kind) &&
		(columns_of(op) & BIT(column)) != 0;
}

int64_t
gs_column_rows(gs_column column, int64_t results)
{
	return column == GS_COLUMN_VALIDITY ? GS_VALIDITY_ROWS(results) : results;
}

gs_type
gs_column_type(const gs_op *op, gs_column column)
{
	return column == GS_COLUMN_COUNTS ? GS_INT8 : gs_output_type(op);
}

/* The size of a result in a column that there is. */
size_t
gs_column_width(const gs_op *op, gs_column column)
{
	if (output_of(op) == AGGREGATES)
		return gs_group_op_width(op, column);
	if (column == GS_COLUMN_SUMS)
		return 2 * sizeof(uint64_t);
	if (column == GS_COLUMN_SQUARES)
		return 3 * sizeof(uint64_t);
	if (column == GS_COLUMN_VALIDITY)
		return sizeof(uint64_t);
	return (size_t) gs_type_width(gs_column_type(op, column));
}

size_t
gs_result_width(const gs_op *op)
{
	static const gs_column columns[] = {
		GS_COLUMN_VALUES, GS_COLUMN_SUMS, GS_COLUMN_SQUARES
	};
	size_t		width = 0;

	for (int i = 0; i < 3; i++)
	{
		if (gs_has_column(op, columns[i]))
			width += gs_column_width(op, columns[i]);
	}
	return width;
}

bool
gs_validity_fits(const uint64_t *validity, int64_t n)
{
	return n % 64 == 0 || validity[n / 64] >> n % 64 == 0;
}

int64_t
gs_count_bits(const uint8_t *bits, int64_t n)
{
	int64_t		count = 0;
	int64_t		i = 0;

	for (; i + 64 <= n; i += 64)
	{
		uint64_t	word;

		memcpy(&word, bits + i / 8, sizeof word);
		count += __builtin_popcountll(word);
	}
	for (; i < n; i += 8)
	{
		unsigned	byte = bits[i / 8];

		if (n - i < 8)
			byte &= (1u << (n - i)) - 1;
		count += __builtin_popcount(byte);
	}
	return count;
}

int64_t
gs_find_bit(const uint8_t *bits, int64_t rank)
{
	int64_t		i = 0;
	unsigned	byte;
	int			count;

	while (rank >= (count = __builtin_popcount(bits[i])))
	{
		rank -= count;
		i++;
	}
	byte = bits[i];
	for (; rank > 0; rank--)
		byte &= byte - 1;
	return i * 8 + __builtin_ctz(byte);
}
