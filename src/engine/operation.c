/*-------------------------------------------------------------------------
 *
 * operation.c
 *	  What follows from the description of an operation alone.
 *
 * The properties of a kind stand in one table, which every question is
 * answered from.  gs_op_check is the border that a description from elsewhere
 * (another process) has to pass: an operation it lets through cannot make an
 * engine read or write where it must not.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/engine.h"

#define BIT(type)		(1u << (type))
#define INTEGERS		(BIT(GS_INT2) | BIT(GS_INT4) | BIT(GS_INT8))
#define NUMBERS			(INTEGERS | BIT(GS_FLOAT4) | BIT(GS_FLOAT8))

typedef enum family
{
	NO_FAMILY,
	REDUCTION,
	SCAN,
	HISTOGRAM,
	COMPACTION,
	ORDER
} family;

typedef struct kind_property
{
	family		family;
	unsigned	types;			/* bits of the element types allowed */
} kind_property;

static const kind_property properties[] = {
	[GS_SUM] = {REDUCTION, NUMBERS},
	[GS_MOMENTS] = {REDUCTION, NUMBERS},
	[GS_MIN] = {REDUCTION, NUMBERS},
	[GS_MAX] = {REDUCTION, NUMBERS},
	[GS_ARGMIN] = {REDUCTION, NUMBERS},
	[GS_ARGMAX] = {REDUCTION, NUMBERS},
	[GS_PRODUCT] = {REDUCTION, NUMBERS},
	[GS_BIT_AND] = {REDUCTION, INTEGERS | BIT(GS_BOOL)},
	[GS_BIT_OR] = {REDUCTION, INTEGERS | BIT(GS_BOOL)},
	[GS_BIT_XOR] = {REDUCTION, INTEGERS},
	[GS_STATS] = {REDUCTION, NUMBERS},
	[GS_SCAN_SUM] = {SCAN, NUMBERS},
	[GS_SCAN_COUNT] = {SCAN, NUMBERS},
	[GS_SCAN_PRODUCT] = {SCAN, NUMBERS},
	[GS_SCAN_MIN] = {SCAN, NUMBERS},
	[GS_SCAN_MAX] = {SCAN, NUMBERS},
	[GS_SCAN_BIT_AND] = {SCAN, INTEGERS | BIT(GS_BOOL)},
	[GS_SCAN_BIT_OR] = {SCAN, INTEGERS | BIT(GS_BOOL)},
	[GS_HISTOGRAM_WIDTH] = {HISTOGRAM, NUMBERS},
	[GS_HISTOGRAM_EDGES] = {HISTOGRAM, NUMBERS},
	[GS_COMPACT] = {COMPACTION, NUMBERS},
	[GS_FILTER] = {COMPACTION, NUMBERS},
	[GS_WHERE] = {COMPACTION, BIT(GS_BOOL)},
	[GS_SORT] = {ORDER, NUMBERS},
	[GS_SELECT] = {ORDER, NUMBERS},
	[GS_ARGSORT] = {ORDER, NUMBERS},
	[GS_DISTINCT] = {ORDER, NUMBERS},
};

/* The property of a kind that may come from anywhere. */
static kind_property
property(int32_t kind)
{
	static const kind_property unknown;

	if (kind < 0 || kind >= (int32_t) (sizeof properties / sizeof *properties))
		return unknown;
	return properties[kind];
}

static bool
is_flag(int32_t value)
{
	return value == 0 || value == 1;
}

static bool
histogram_is_sound(const gs_op *op)
{
	/* the counts beyond the buckets need indexes as well */
	if (op->buckets < 1 || op->buckets > INT32_MAX - 3)
		return false;
	if (op->kind == GS_HISTOGRAM_WIDTH)
		return gs_is_finite(op->low) && gs_is_finite(op->high) &&
			op->low != op->high &&
			(op->formula == GS_BUCKET_PRODUCT_FIRST ||
			 op->formula == GS_BUCKET_QUOTIENT_FIRST);
	if (op->edges == NULL)
		return false;
	for (int32_t i = 0; i < op->buckets; i++)
	{
		if (!(op->edges[i] < op->edges[i + 1]))	/* NaN fails too */
			return false;
	}
	return true;
}

gs_status
gs_op_check(const gs_op *op)
{
	kind_property p = property(op->kind);
	bool		sound;

	if (op->type < GS_BOOL || op->type > GS_FLOAT8 ||
		!(p.types & BIT(op->type)))
		return GS_INVALID;
	switch (p.family)
	{
		case SCAN:
			sound = is_flag(op->exclusive) && is_flag(op->segmented) &&
				op->chunk >= 0 && !(op->segmented && op->chunk > 0);
			break;
		case HISTOGRAM:
			sound = histogram_is_sound(op);
			break;
		case COMPACTION:
			sound = op->kind != GS_FILTER ||
				(op->compare >= GS_LT && op->compare <= GS_GT &&
				 is_flag(op->integer_bound));
			break;
		case ORDER:
			sound = is_flag(op->descending) &&
				!(op->kind == GS_DISTINCT && op->descending);
			break;
		default:
			sound = true;
	}
	return sound ? GS_OK : GS_INVALID;
}

bool
gs_is_reduction(gs_kind kind)
{
	return property(kind).family == REDUCTION;
}

bool
gs_is_scan(gs_kind kind)
{
	return property(kind).family == SCAN;
}

bool
gs_is_histogram(gs_kind kind)
{
	return property(kind).family == HISTOGRAM;
}

bool
gs_is_compaction(gs_kind kind)
{
	return property(kind).family == COMPACTION;
}

bool
gs_is_order(gs_kind kind)
{
	return property(kind).family == ORDER;
}

bool
gs_has_mask(const gs_op *op)
{
	return op->kind == GS_COMPACT ||
		(gs_is_scan((gs_kind) op->kind) && op->segmented);
}

/* Can a result be NULL? */
bool
gs_gives_null(const gs_op *op, bool data_has_nulls)
{
	switch (op->kind)
	{
		case GS_COMPACT:
			return data_has_nulls;
		case GS_SCAN_SUM:
		case GS_SCAN_PRODUCT:
			/* no addends give 0, no factors 1 */
			return data_has_nulls && !op->exclusive;
		case GS_SCAN_MIN:
		case GS_SCAN_MAX:
		case GS_SCAN_BIT_AND:
		case GS_SCAN_BIT_OR:
			return data_has_nulls || op->exclusive;
		default:
			return false;
	}
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

gs_type
gs_output_type(const gs_op *op)
{
	switch (op->kind)
	{
		case GS_SCAN_SUM:
			return op->type == GS_FLOAT4 || op->type == GS_FLOAT8 ?
				(gs_type) op->type : GS_INT8;
		case GS_SCAN_COUNT:
			return GS_INT8;
		case GS_SCAN_PRODUCT:
			return GS_FLOAT8;
		case GS_WHERE:
			return GS_INT4;
		default:
			return (gs_type) op->type;
	}
}

/* Does an order give this column? */
bool
gs_has_column(const gs_op *op, gs_column column)
{
	return column == GS_COLUMN_VALUES ||
		(column == GS_COLUMN_COUNTS && op->kind == GS_DISTINCT);
}

gs_type
gs_column_type(const gs_op *op, gs_column column)
{
	if (column == GS_COLUMN_COUNTS)
		return GS_INT8;
	return op->kind == GS_ARGSORT ? GS_INT4 : (gs_type) op->type;
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
