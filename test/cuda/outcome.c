/*-------------------------------------------------------------------------
 *
 * outcome.c
 *	  Are two outcomes the same, bit for bit?
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

/* The accumulators of two engines, whatever carries are open. */
static bool
same_float_sum(const gs_result *got, const gs_result *wanted,
			   difference *d)
{
	gs_acc		a = got->sum;
	gs_acc		b = wanted->sum;
	gs_acc2		a2 = got->squares;
	gs_acc2		b2 = wanted->squares;
	int			i = 0;

	gs_acc_propagate(&a);
	gs_acc_propagate(&b);
	while (i < GS_ACC_LIMBS - 1 && a.limb[i] == b.limb[i])
		i++;
	if (a.seen != b.seen || a.limb[i] != b.limb[i])
		return differ(d, "sum: seen %x, not %x; limb %d %llx, not %llx",
					  a.seen, b.seen, i, (unsigned long long) a.limb[i],
					  (unsigned long long) b.limb[i]);
	gs_acc2_propagate(&a2);
	gs_acc2_propagate(&b2);
	return (a2.seen == b2.seen &&
			memcmp(a2.limb, b2.limb, sizeof a2.limb) == 0) ||
		differ(d, "squares");
}

/* Value i of two arrays of packed values. */
static bool
same_packed(const uint8_t *got, const uint8_t *wanted, int64_t i, int width,
			difference *d)
{
	uint64_t	a = 0;
	uint64_t	b = 0;

	memcpy(&a, got + i * width, width);
	memcpy(&b, wanted + i * width, width);
	return a == b ||
		differ(d, "value %lld: %llx (%g), not %llx (%g)", (long long) i + 1,
			   (unsigned long long) a, gs_bits_double(a),
			   (unsigned long long) b, gs_bits_double(b));
}

/* Which results are NULL. */
static bool
same_bits(const uint8_t *got, const uint8_t *wanted, int64_t bytes,
		  difference *d)
{
	for (int64_t i = 0; i < bytes; i++)
	{
		if (got[i] != wanted[i])
			return differ(d, "bits %02x, not %02x, from result %lld on",
						  got[i], wanted[i], (long long) i * 8 + 1);
	}
	return true;
}

/* The results of a scan or a compaction. */
static bool
same_output(const gs_op *op, const outcome *got, const outcome *wanted,
			difference *d)
{
	int			width = gs_type_width(gs_output_type(op));

	if (got->n != wanted->n || got->present != wanted->present)
		return differ(d, "%lld of %lld results, not %lld of %lld",
					  (long long) got->present, (long long) got->n,
					  (long long) wanted->present, (long long) wanted->n);
	if (!same_bits(got->bits, wanted->bits, (got->n + 7) / 8, d))
		return false;
	for (int64_t i = 0; i < got->present; i++)
	{
		if (!same_packed(got->values, wanted->values, i, width, d))
			return false;
	}
	return true;
}

/* The results taken of an order, or of moving frames. */
static bool
same_order(const gs_op *op, const outcome *got, const outcome *wanted,
		   difference *d)
{
	int			width = gs_type_width(gs_column_type(op, GS_COLUMN_VALUES));

	if (got->result.results != wanted->result.results)
		return differ(d, "%lld results, not %lld",
					  (long long) got->result.results,
					  (long long) wanted->result.results);
	if (gs_has_column(op, GS_COLUMN_VALIDITY) &&
		!same_bits(got->bits, wanted->bits, 8 * GS_VALIDITY_ROWS(got->n), d))
		return false;
	for (int64_t i = 0; i < got->n; i++)
	{
		if (!same_packed(got->values, wanted->values, i, width, d))
			return false;
		if (gs_has_column(op, GS_COLUMN_COUNTS) &&
			got->taken_counts[i] != wanted->taken_counts[i])
			return differ(d, "value %lld has the count %lld, not %lld",
						  (long long) i + 1, (long long) got->taken_counts[i],
						  (long long) wanted->taken_counts[i]);
	}
	return op->kind != GS_DISTINCT || got->n == 0 ||
		same_value((gs_type) op->type, "mode", got->result.value,
				   wanted->result.value, d);
}

/* Groups, which are in the order of their keys, in all their columns. */
static bool
same_groups(const gs_op *op, const outcome *got, const outcome *wanted,
			difference *d)
{
	if (got->result.results != wanted->result.results)
		return differ(d, "%lld groups, not %lld",
					  (long long) got->result.results,
					  (long long) wanted->result.results);
	for (int c = 0; c < GS_COLUMNS; c++)
	{
		int			values = c == GS_COLUMN_MEDIANS ? 2 :
			c == GS_COLUMN_KEYS || c == GS_COLUMN_MIN || c == GS_COLUMN_MAX;
		int			type = c == GS_COLUMN_KEYS ? op->mask.type : op->type;

		if (got->rows[c] != wanted->rows[c])
			return differ(d, "%lld rows in column %d, not %lld",
						  (long long) got->rows[c], c,
						  (long long) wanted->rows[c]);
		for (int64_t i = 0; i < got->rows[c] * values; i++)
		{
			if (!same_value((gs_type) type, "in a group",
							((const gs_value *) got->column[c])[i],
							((const gs_value *) wanted->column[c])[i], d))
				return false;
		}
		if (values == 0 && got->rows[c] > 0 &&
			memcmp(got->column[c], wanted->column[c], (size_t) got->rows[c] *
				   gs_column_width(op, (gs_column) c)) != 0)
			return differ(d, "column %d of groups", c);
	}
	return true;
}

/* Or moving frames without values. */
static bool
same_segments(const gs_op *op, const outcome *got, const outcome *wanted,
			  difference *d)
{
	if (got->result.results != wanted->result.results ||
		got->result.position != wanted->result.position)
		return differ(d, "%lld results, out of range at %lld, not %lld at %lld",
					  (long long) got->result.results,
					  (long long) got->result.position,
					  (long long) wanted->result.results,
					  (long long) wanted->result.position);
	for (int c = 0; c < GS_COLUMNS; c++)
	{
		int			width = (int) (gs_has_column(op, (gs_column) c) ?
								   gs_column_width(op, (gs_column) c) : 0);
		int			parts = width > 8 ? width / 8 : 1;

		for (int64_t i = 0; i < got->rows[c] * parts && width > 0; i++)
		{
			if (!same_packed(got->column[c], wanted->column[c], i,
							 width / parts, d))
				return false;
		}
	}
	return true;
}

bool
same_outcome(const gs_op *op, const outcome *got, const outcome *wanted,
			 difference *d)
{
	if (got->problem.text[0] != '\0' || got->status != wanted->status ||
		got->answer != wanted->answer || got->position != wanted->position)
		return differ(d, "status %d, %d at %lld, not %d, %d at %lld: %.150s",
					  got->status, got->answer, (long long) got->position,
					  wanted->status, wanted->answer,
					  (long long) wanted->position, got->problem.text);
	if (got->status != GS_OK)
		return true;
	if (!same_sizes(&got->result, &wanted->result, d))
		return false;
	if (gs_has_output(op))
		return same_output(op, got, wanted, d);
	if (gs_is_series(op))
		return same_order(op, got, wanted, d);
	if (op->kind == GS_GROUP)
		return same_groups(op, got, wanted, d);
	if (gs_is_segments((gs_kind) op->kind) || gs_is_moving((gs_kind) op->kind))
		return same_segments(op, got, wanted, d);
	if (gs_is_histogram((gs_kind) op->kind))
		return same_counts(op, &got->result, &wanted->result, d);
	return same_reduction(op, &got->result, &wanted->result, d) &&
		(!has_float_sum(op) ||
		 same_float_sum(&got->result, &wanted->result, d));
}
