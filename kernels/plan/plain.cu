/*-------------------------------------------------------------------------
 *
 * plain.cu
 *	  Plain programs (plain.cuh), and which values they give: host code.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/plain.cuh"

typedef __int128 wide;

static bool
is_integer(int type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

static plain_interval
interval_of_type(int type)
{
	plain_interval r = {INT64_MIN, INT64_MAX};

	if (type == GS_INT2)
		r = {INT16_MIN, INT16_MAX};
	else if (type == GS_INT4)
		r = {INT32_MIN, INT32_MAX};
	return r;
}

plain_interval
group_plain_column(gs_type type, const gs_column_data *data)
{
	plain_interval r = interval_of_type(type);

	if (data->low <= data->high)
		r = {data->low, data->high};
	else if (data->width < gs_type_width(type))
	{
		int64_t		span = (INT64_C(1) << (8 * data->width)) - 1;

		r.low = data->base;
		if (data->base <= r.high - span)
			r.high = data->base + span;
	}
	return r;
}

static bool
is_within(wide low, wide high, plain_interval limits)
{
	return low >= limits.low && high <= limits.high;
}

/* Where an operand is, and its interval; false: it may be NULL. */
static bool
place(const gs_plan *plan, const gs_batch *batch, const evaluate_program *p,
	  const plain_program *plain, evaluate_operand o, plain_operand *to,
	  plain_interval *interval)
{
	memset(to, 0, sizeof *to);
	to->slot = -1;
	if (o.from == FROM_SLOT)
	{
		to->slot = o.index;
		*interval = plain->interval[o.index];
	}
	else if (o.from == FROM_COLUMN)
	{
		const group_column *c = &p->column[o.index];

		if (c->validity != NULL || !is_integer(c->type))
			return false;
		to->values = c->values;
		to->base = c->base;
		to->format = (int16_t) c->format;
		*interval = group_plain_column((gs_type) plan->column[o.index],
									   &batch->column[o.index]);
	}
	else
	{
		const gs_constant *k = &p->constant[o.index];

		if (k->null || !is_integer(k->type))
			return false;
		to->base = k->type == GS_INT8 ? k->value.i8 :
			k->type == GS_INT4 ? k->value.i4 : k->value.i2;
		*interval = {to->base, to->base};
	}
	return true;
}

/* The values that a step gives; false: some are beyond its type. */
static bool
compute(const gs_instruction *code, plain_interval a, plain_interval b,
		plain_interval *r)
{
	int			type = code->code == GS_CODE_CAST ? code->to : code->type;
	wide		low = a.low;
	wide		high = a.high;

	if (code->code == GS_CODE_ADD)
	{
		low += b.low;
		high += b.high;
	}
	else if (code->code == GS_CODE_SUBTRACT)
	{
		low -= b.high;
		high -= b.low;
	}
	else if (code->code == GS_CODE_MULTIPLY)
	{
		const wide	corner[] = {(wide) a.low * b.low, (wide) a.low * b.high,
			(wide) a.high * b.low, (wide) a.high * b.high};

		low = high = corner[0];
		for (int i = 1; i < 4; i++)
		{
			low = corner[i] < low ? corner[i] : low;
			high = corner[i] > high ? corner[i] : high;
		}
	}
	else if (code->code != GS_CODE_CAST)
		return false;
	if (!is_integer(type) || !is_within(low, high, interval_of_type(type)))
		return false;
	*r = {(int64_t) low, (int64_t) high};
	return true;
}

bool
group_plain_make(const gs_plan *plan, const gs_batch *batch,
				 const evaluate_program *p, plain_program *plain)
{
	if (p->steps > PLAIN_STEPS || p->slots > PLAIN_STEPS)
		return false;
	plain->steps = p->steps;
	for (int i = 0; i < p->steps; i++)
	{
		const evaluate_step *from = &p->step[i];
		plain_step *to = &plain->step[i];
		plain_interval a;
		plain_interval b = {0, 0};
		plain_interval result;

		if (from->operands > 2 ||
			!place(plan, batch, p, plain, from->a, &to->a, &a))
			return false;
		to->b = to->a;
		if (from->operands > 1 &&
			!place(plan, batch, p, plain, from->b, &to->b, &b))
			return false;
		if (!compute(&from->code, a, b, &result))
			return false;
		to->code = from->code.code;
		to->slot = from->slot;
		plain->interval[to->slot] = result;
	}
	return true;
}
