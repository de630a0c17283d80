/*-------------------------------------------------------------------------
 *
 * finish.c
 *	  From the states of groups to values.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/finish.h"

#include <math.h>

#include "engine/percentile.h"
#include "engine/windows.h"
#include "exact/figures.h"

/* Behind each column: engines may read a little more than there is. */
#define RELATION_ALIGN	64

/* ----------
 * Which finishings are there?
 * ----------
 */

static bool
is_aggregate(const gs_plan *plan, int i)
{
	return i >= 0 && i < plan->aggregates;
}

static bool
is_of_kind(const gs_plan *plan, int i, gs_aggregate_kind kind)
{
	return is_aggregate(plan, i) &&
		plan->aggregate[i].kind == (int32_t) kind;
}

static bool
are_of_same_values(const gs_plan *plan, int i, int j)
{
	return plan->aggregate[i].a == plan->aggregate[j].a &&
		plan->aggregate[i].filter == plan->aggregate[j].filter;
}

/* The aggregate of the kind over the values, filtered as another; -1: none. */
static int
find_aggregate(const gs_plan *plan, int like, gs_aggregate_kind kind,
			   gs_operand a)
{
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (plan->aggregate[i].kind == (int32_t) kind &&
			plan->aggregate[i].a == a &&
			plan->aggregate[i].filter == plan->aggregate[like].filter)
			return i;
	}
	return -1;
}

static bool
find_sums_of_pairs(const gs_plan *plan, const gs_finish *f, int *aggregate)
{
	const gs_aggregate *products = &plan->aggregate[f->of];

	if (products->kind != GS_AGG_PRODUCTS)
		return false;
	aggregate[GS_SUM_XY] = f->of;
	aggregate[GS_SUM_X] = find_aggregate(plan, f->of, GS_AGG_SUM, products->a);
	aggregate[GS_SUM_Y] = find_aggregate(plan, f->of, GS_AGG_SUM, products->b);
	if (aggregate[GS_SUM_X] < 0 || aggregate[GS_SUM_Y] < 0)
		return false;
	if (!gs_figure_has_squares((gs_figure) f->figure))
		return true;
	aggregate[GS_SUM_XX] = find_aggregate(plan, f->of, GS_AGG_SQUARES,
										  products->a);
	aggregate[GS_SUM_YY] = find_aggregate(plan, f->of, GS_AGG_SQUARES,
										  products->b);
	return aggregate[GS_SUM_XX] >= 0 && aggregate[GS_SUM_YY] >= 0;
}

bool
gs_finish_sums(const gs_plan *plan, const gs_finish *f, int *aggregate)
{
	for (int i = 0; i < GS_FIGURE_SUMS; i++)
		aggregate[i] = -1;
	if (gs_figure_is_of_pairs((gs_figure) f->figure))
		return find_sums_of_pairs(plan, f, aggregate);
	aggregate[GS_SUM_X] = f->of;
	if (!gs_figure_has_squares((gs_figure) f->figure))
		return is_of_kind(plan, f->of, GS_AGG_SUM);
	aggregate[GS_SUM_XX] = f->squares;
	return is_of_kind(plan, f->of, GS_AGG_SUM) &&
		is_of_kind(plan, f->squares, GS_AGG_SQUARES) &&
		are_of_same_values(plan, f->of, f->squares);
}

/* All of whose states are of the same values. */
static bool
has_figure(const gs_plan *plan, const gs_finish *f)
{
	int			aggregate[GS_FIGURE_SUMS];

	return f->figure <= GS_FIGURE_WEIGHTED_AVG &&
		f->figure != GS_FIGURE_SUM_BIGINT &&
		gs_finish_sums(plan, f, aggregate) &&
		gs_is_float(gs_operand_type(plan, plan->aggregate[f->of].a)) &&
		are_of_same_values(plan, f->of, f->count);
}

static gs_type
value_type(const gs_plan *plan, const gs_finish *f)
{
	const gs_aggregate *a = &plan->aggregate[f->of];

	switch (a->kind)
	{
		case GS_AGG_MIN:
		case GS_AGG_MAX:
		case GS_AGG_MODE:
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
		case GS_AGG_BIT_XOR:
			return gs_operand_type(plan, a->a);
		default:
			return (gs_type) 0;
	}
}

static bool
is_integer_sum(const gs_plan *plan, int i)
{
	const gs_aggregate *a = &plan->aggregate[i];

	return a->kind >= GS_AGG_SUM && a->kind <= GS_AGG_PRODUCTS &&
		!gs_is_float(gs_operand_type(plan, a->a));
}

gs_type
gs_finish_type(const gs_plan *plan, const gs_finish *f)
{
	if (f->zeros > 1 ||
		(f->specials != -1 && !is_of_kind(plan, f->specials, GS_AGG_SPECIALS)))
		return (gs_type) 0;
	if (f->kind == GS_FINISH_KEY)
		return f->of >= 0 && f->of < plan->keys &&
			(!f->zeros || f->specials >= 0) ?
			gs_operand_type(plan, plan->key[f->of]) : (gs_type) 0;
	if (!is_aggregate(plan, f->of))
		return (gs_type) 0;
	if (f->kind == GS_FINISH_ROW)
		return plan->of_rows && !f->zeros && f->specials == -1 ?
			gs_operand_type(plan, plan->aggregate[f->of].a) : (gs_type) 0;
	if (f->kind == GS_FINISH_COUNT)
		return plan->aggregate[f->of].kind == GS_AGG_COUNT ||
			plan->aggregate[f->of].kind == GS_AGG_DISTINCT ?
			GS_INT8 : (gs_type) 0;
	if (!is_of_kind(plan, f->count, GS_AGG_COUNT))
		return (gs_type) 0;
	switch (f->kind)
	{
		case GS_FINISH_VALUE:
			return value_type(plan, f);
		case GS_FINISH_INTEGER:
			return is_integer_sum(plan, f->of) ? GS_INT8 : (gs_type) 0;
		case GS_FINISH_PERCENTILE:
			return is_of_kind(plan, f->of, GS_AGG_PERCENTILE) &&
				are_of_same_values(plan, f->of, f->count) ?
				GS_FLOAT8 : (gs_type) 0;
		case GS_FINISH_ELEMENT:
			return is_of_kind(plan, f->of, GS_AGG_PERCENTILE) && !f->zeros &&
				are_of_same_values(plan, f->of, f->count) ?
				gs_operand_type(plan, plan->aggregate[f->of].a) : (gs_type) 0;
		case GS_FINISH_FIGURE:
			return !has_figure(plan, f) ? (gs_type) 0 :
				f->figure == GS_FIGURE_SUM_REAL ? GS_FLOAT4 : GS_FLOAT8;
		default:
			return (gs_type) 0;
	}
}

/* Has a stage the columns that come of the one before? */
static bool
columns_are_valid(const gs_stage *stage, const gs_plan *before)
{
	const gs_plan *plan = &stage->plan;
	bool		windows = false;

	for (int c = 0; c < plan->columns; c++)
	{
		const gs_finish *f = &stage->finish[c];

		if (f->kind == GS_FINISH_WINDOW)
			windows = true;
		else if (gs_finish_type(before, f) != (gs_type) plan->column[c])
			return false;
	}
	if (stage->windows == NULL)
		return !windows;
	return gs_windows_check(stage->windows, plan->column, plan->columns,
							stage->finish) == GS_OK;
}

gs_status
gs_stages_check(const gs_stage *stage, int stages)
{
	if (stages < 1 || stages > GS_STAGES_MAX || stage[0].finish != NULL ||
		stage[0].windows != NULL)
		return GS_INVALID;
	for (int i = 0; i < stages; i++)
	{
		if (gs_plan_check(&stage[i].plan) != GS_OK ||
			(i > 0 && (stage[i].plan.tables > 0 ||
					   !columns_are_valid(&stage[i], &stage[i - 1].plan))))
			return GS_INVALID;
	}
	return GS_OK;
}

/* ----------
 * Relations
 * ----------
 */

static size_t
aligned(size_t size)
{
	return (size + 2 * RELATION_ALIGN - 1) & ~(size_t) (RELATION_ALIGN - 1);
}

static size_t
values_size(uint8_t type, int64_t rows)
{
	return aligned((size_t) rows * (size_t) gs_type_width((gs_type) type));
}

static size_t
bits_size(int64_t rows)
{
	return aligned(((size_t) rows + 7) / 8);
}

size_t
gs_relation_size(const uint8_t *type, int columns, int64_t rows)
{
	size_t		size = 0;

	for (int c = 0; c < columns; c++)
		size += values_size(type[c], rows) + bits_size(rows);
	return size;
}

/* All that gs_finish_groups finds NULL gets validity. */
void
gs_relation_lay(gs_relation *r, const uint8_t *type, int columns,
				int64_t rows, void *memory)
{
	char	   *at = memory;

	memset(r, 0, sizeof *r);
	r->rows = rows;
	r->columns = columns;
	for (int c = 0; c < columns; c++)
	{
		gs_column_data *column = &r->column[c];

		column->values = at;
		at += values_size(type[c], rows);
		column->validity = (const uint8_t *) at;
		at += bits_size(rows);
		column->width = gs_type_width((gs_type) type[c]);
		column->low = INT64_MAX;	/* so far there is none */
		column->high = INT64_MIN;
	}
}

#define FIND_RANGE(suffix, type) \
static void \
find_range_##suffix(gs_column_data *column, int64_t n) \
{ \
	const type *v = column->values; \
	const uint8_t *validity = column->validity; \
	type		low = 0; \
	type		high = 0; \
	int64_t		i = 0; \
\
	while (i < n && validity != NULL && !(validity[i / 8] >> (i % 8) & 1)) \
		i++; \
	if (i == n) \
		return; \
	low = high = v[i]; \
	for (; i < n && validity == NULL; i++) \
	{ \
		low = v[i] < low ? v[i] : low; \
		high = v[i] > high ? v[i] : high; \
	} \
	for (; i < n; i++) \
	{ \
		bool		valid = validity[i / 8] >> (i % 8) & 1; \
\
		low = valid && v[i] < low ? v[i] : low; \
		high = valid && v[i] > high ? v[i] : high; \
	} \
	column->low = low; \
	column->high = high; \
}

FIND_RANGE(int2, int16_t)
FIND_RANGE(int4, int32_t)
FIND_RANGE(int8, int64_t)

void
gs_find_range(gs_type type, gs_column_data *column, int64_t n)
{
	if (type == GS_INT2)
		find_range_int2(column, n);
	else if (type == GS_INT4)
		find_range_int4(column, n);
	else if (type == GS_INT8)
		find_range_int8(column, n);
}

/* ----------
 * Groups
 * ----------
 */

/* What a column is made of, and where its rows go. */
typedef struct finishing
{
	const gs_plan_engine *engine;
	gs_plan_run *run;
	const gs_plan *plan;
	const gs_finish *finish;
	gs_type		type;
	int64_t		first;
	int64_t		n;
	gs_finish_space *space;
	gs_column_data *column;
	uint32_t	errors;
} finishing;

/* Wide sums of an aggregate, which come in the order of the groups. */
typedef struct wide_sums
{
	int			aggregate;		/* -1: it is not needed */
	bool		squares;		/* or products */
	void	   *window;			/* GS_FINISH_WIDE of them */
	int64_t		first;			/* the one at its beginning, and how many are */
	int64_t		n;				/* there */
	int64_t		left;			/* of these groups, not looked at so far */
} wide_sums;

static gs_status
fetch(const finishing *f, int column, void *to)
{
	return f->engine->fetch(f->run, column, f->first, f->n, to);
}

static gs_status
fetch_state(const finishing *f, int aggregate, void *to)
{
	return fetch(f, GS_FETCH_STATE(aggregate), to);
}

/* A row's value, as the column's type has it. */
static void
put(finishing *f, int64_t i, gs_value value)
{
	char	   *values = (char *) (uintptr_t) f->column->values;
	int64_t		at = f->first + i;
	int64_t		integer = 0;

	((uint8_t *) (uintptr_t) f->column->validity)[at / 8] |=
		(uint8_t) (1 << at % 8);
	switch (f->type)
	{
		case GS_BOOL:
			((uint8_t *) values)[at] = value.i2 != 0;
			return;
		case GS_INT2:
			((int16_t *) values)[at] = value.i2;
			integer = value.i2;
			break;
		case GS_INT4:
			((int32_t *) values)[at] = value.i4;
			integer = value.i4;
			break;
		case GS_INT8:
			((int64_t *) values)[at] = value.i8;
			integer = value.i8;
			break;
		case GS_FLOAT4:
			((float *) values)[at] = value.f4;
			return;
		case GS_FLOAT8:
			((double *) values)[at] = value.f8;
			return;
	}
	if (integer < f->column->low)
		f->column->low = integer;
	if (integer > f->column->high)
		f->column->high = integer;
}

static void
put_null(finishing *f, int64_t i)
{
	size_t		width = (size_t) f->column->width;

	memset((char *) (uintptr_t) f->column->values +
		   (size_t) (f->first + i) * width, 0, width);
}

static bool
has_negative_zero(const finishing *f, int64_t i)
{
	return f->space->specials[i][GS_SPECIAL_NEGATIVE_ZERO] > 0;
}

static gs_status
finish_key(finishing *f)
{
	const gs_finish_space *s = f->space;
	int			k = f->finish->of;
	gs_status	status = fetch(f, GS_FETCH_KEY(k), f->space->state.value);

	if (status == GS_OK)
		status = fetch(f, GS_FETCH_NULLS, f->space->nulls);
	for (int64_t i = 0; i < f->n && status == GS_OK; i++)
	{
		if (f->finish->zeros && has_negative_zero(f, i))
			f->errors |= GS_ERROR_RANGE;
		if (s->nulls[i] >> k & 1)
			put_null(f, i);
		else
			put(f, i, s->state.value[i]);
	}
	return status;
}

/* Is it a zero of which PostgreSQL might have the other one? */
static bool
is_doubtful(const finishing *f, int64_t i, gs_value value)
{
	double		x = f->type == GS_FLOAT4 ? (double) value.f4 : value.f8;

	if (!f->finish->zeros || x != 0)
		return false;
	if (f->finish->specials < 0)
		return signbit(x) != 0;
	return signbit(x) == 0 && has_negative_zero(f, i);
}

static gs_status
finish_values(finishing *f)
{
	const gs_finish_space *s = f->space;
	bool		always = f->finish->kind == GS_FINISH_COUNT;
	gs_status	status = fetch_state(f, f->finish->of, f->space->state.value);

	for (int64_t i = 0; i < f->n && status == GS_OK; i++)
	{
		gs_value	value = s->state.value[i];

		if (!always && s->count[i] == 0)
		{
			put_null(f, i);
			continue;
		}
		if (gs_is_float(f->type) && is_doubtful(f, i, value))
			f->errors |= GS_ERROR_RANGE;
		put(f, i, value);
	}
	return status;
}

static gs_status
finish_integers(finishing *f)
{
	const gs_finish_space *s = f->space;
	gs_status	status = fetch_state(f, f->finish->of, f->space->state.integer);

	for (int64_t i = 0; i < f->n && status == GS_OK; i++)
	{
		const gs_integer_sum *sum = &s->state.integer[i];
		gs_sums		sums = gs_sums_of_integers(s->count[i], sum->word, 3,
											   sum->word, 0);
		gs_value	value = {.i8 = 0};
		gs_rounding rounding = gs_figure_bigint(&sums, &value.i8);

		if (rounding == GS_UNDEFINED)
			put_null(f, i);
		else if (rounding == GS_ROUNDED)
			put(f, i, value);
		else
			f->errors |= GS_ERROR_RANGE;
	}
	return status;
}

static int64_t
count_wide(const gs_float_sum *sum, int64_t n)
{
	int64_t		wide = 0;

	for (int64_t i = 0; i < n; i++)
		wide += sum[i].wide > 0;
	return wide;
}

/* The limbs of a sum; those of wide ones are asked for some at a time. */
static gs_status
find_limbs(const finishing *f, const gs_float_sum *sum, wide_sums *w,
		   int64_t *space, gs_limbs *limbs)
{
	size_t		width = w->squares ? sizeof(gs_acc2) : sizeof(gs_acc);
	const char *wide = NULL;

	if (sum->wide > 0)
	{
		int64_t		place = sum->wide - 1;

		if (place < w->first || place >= w->first + w->n)
		{
			gs_status	status;

			w->first = place;
			w->n = w->left < GS_FINISH_WIDE ? w->left : GS_FINISH_WIDE;
			status = f->engine->fetch(f->run, GS_FETCH_WIDE(w->aggregate),
									  w->first, w->n, w->window);
			if (status != GS_OK)
				return status;
		}
		w->left--;
		wide = (const char *) w->window + (size_t) (place - w->first) * width;
	}
	*limbs = gs_float_sum_limbs(sum, w->squares, wide, space);
	return GS_OK;
}

/* A figure of one group. */
static gs_status
find_figure(finishing *f, int64_t i, wide_sums *wide, gs_rounding *rounding,
			double *result)
{
	const gs_finish_space *s = f->space;
	int64_t		space[GS_FIGURE_SUMS][GS_FLOAT_SUM_LIMBS];
	gs_sums		sums;
	gs_limbs   *const limbs[GS_FIGURE_SUMS] = {
		&sums.x, &sums.y, &sums.xx, &sums.yy, &sums.xy
	};

	memset(&sums, 0, sizeof sums);
	sums.n = s->count[i];
	for (int k = 0; k < GS_FIGURE_SUMS; k++)
	{
		gs_status	status = wide[k].aggregate < 0 ? GS_OK :
			find_limbs(f, &s->state.sum[k][i], &wide[k], space[k], limbs[k]);

		if (status != GS_OK)
			return status;
	}
	*rounding = gs_figure_real((gs_figure) f->finish->figure, &sums, result);
	return GS_OK;
}

/* What a figure's sums are, of all groups. */
static gs_status
fetch_sums(const finishing *f, wide_sums *wide)
{
	gs_finish_space *s = f->space;
	int			aggregate[GS_FIGURE_SUMS];
	gs_status	status = gs_finish_sums(f->plan, f->finish, aggregate) ? GS_OK :
		GS_INVALID;

	for (int k = 0; k < GS_FIGURE_SUMS && status == GS_OK; k++)
	{
		wide[k] = (wide_sums) {aggregate[k], k >= GS_SUM_XX, s->wide[k], 0, 0, 0};
		if (aggregate[k] < 0)
			continue;
		status = fetch_state(f, aggregate[k], s->state.sum[k]);
		if (status == GS_OK)
			wide[k].left = count_wide(s->state.sum[k], f->n);
	}
	return status;
}

static gs_status
finish_figures(finishing *f)
{
	const gs_finish_space *s = f->space;
	gs_figure	figure = (gs_figure) f->finish->figure;
	wide_sums	wide[GS_FIGURE_SUMS];
	gs_status	status = fetch_sums(f, wide);

	for (int64_t i = 0; i < f->n && status == GS_OK; i++)
	{
		gs_rounding rounding = GS_ROUNDED;
		gs_value	value = {.i8 = 0};
		double		result = 0;

		if (figure != GS_FIGURE_SUM || s->count[i] == 0 ||
			!gs_round_short_sum(&s->state.sum[GS_SUM_X][i], &result))
			status = find_figure(f, i, wide, &rounding, &result);
		if (f->type == GS_FLOAT4)
			value.f4 = (float) result;
		else
			value.f8 = result;
		if (rounding == GS_ROUNDED)
			put(f, i, value);
		else if (rounding == GS_UNDEFINED)
			put_null(f, i);
		else
			f->errors |= GS_ERROR_RANGE;
	}
	return status;
}

static gs_pair
pair_of(gs_type type, gs_value value)
{
	switch (type)
	{
		case GS_FLOAT4:
			return gs_percentile_float(value.f4);
		case GS_FLOAT8:
			return gs_percentile_float(value.f8);
		case GS_INT8:
			return gs_percentile_integer(value.i8);
		case GS_INT4:
			return gs_percentile_integer(value.i4);
		default:
			return gs_percentile_integer(value.i2);
	}
}

static gs_status
finish_percentiles(finishing *f)
{
	const gs_finish_space *s = f->space;
	const gs_aggregate *a = &f->plan->aggregate[f->finish->of];
	gs_type		type = gs_operand_type(f->plan, a->a);
	gs_status	status = fetch_state(f, f->finish->of, f->space->state.pair);

	for (int64_t i = 0; i < f->n && status == GS_OK; i++)
	{
		const gs_value *pair = s->state.pair[i];
		gs_value	value;
		gs_place	place;

		if (s->count[i] == 0)
		{
			put_null(f, i);
			continue;
		}
		if (f->finish->kind == GS_FINISH_ELEMENT)
		{
			put(f, i, pair[gs_percentile_element(a->fraction, s->count[i])]);
			continue;
		}
		place = gs_percentile_place(a->fraction, false, s->count[i]);
		value.f8 = gs_percentile_value(pair_of(type, pair[0]),
									   pair_of(type, pair[place.proportion != 0]),
									   place.proportion);
		put(f, i, value);
	}
	return status;
}

/* Rows are as they were; bits of validity behind the last are 0. */
static gs_status
finish_rows(finishing *f)
{
	gs_column_data *column = f->column;
	gs_column_data part = {
		.values = (const char *) column->values + f->first * column->width,
		.validity = column->validity + f->first / 8,
		.low = INT64_MAX,
		.high = INT64_MIN
	};
	gs_status	status = fetch_state(f, f->finish->of,
									 (void *) (uintptr_t) part.values);

	if (status == GS_OK)
		status = f->engine->fetch(f->run, GS_FETCH_VALIDITY(f->finish->of),
								  f->first / 64, GS_VALIDITY_ROWS(f->n),
								  (void *) (uintptr_t) part.validity);
	if (status != GS_OK)
		return status;
	if (gs_count_bits(part.validity, f->n) == f->n)
		part.validity = NULL;
	gs_find_range(f->type, &part, f->n);
	if (part.low < column->low)
		column->low = part.low;
	if (part.high > column->high)
		column->high = part.high;
	return GS_OK;
}

/* What all kinds but keys, counts and rows need beside their states. */
static gs_status
fetch_common(const finishing *f)
{
	gs_status	status = GS_OK;

	if (f->finish->kind == GS_FINISH_ROW)
		return GS_OK;
	if (f->finish->specials >= 0)
		status = fetch_state(f, f->finish->specials, f->space->specials);
	if (status == GS_OK && f->finish->kind > GS_FINISH_COUNT)
		status = fetch_state(f, f->finish->count, f->space->count);
	return status;
}

gs_status
gs_finish_groups(const gs_plan_engine *engine, gs_plan_run *run,
				 const gs_plan *plan, const gs_finish *finish, int64_t first,
				 int64_t n, gs_relation *relation, gs_finish_space *space,
				 uint32_t *errors)
{
	gs_status	status = GS_OK;

	for (int c = 0; c < relation->columns && status == GS_OK; c++)
	{
		finishing	f = {
			.engine = engine, .run = run, .plan = plan, .finish = &finish[c],
			.type = gs_finish_type(plan, &finish[c]), .first = first, .n = n,
			.space = space, .column = &relation->column[c]
		};

		memset((uint8_t *) (uintptr_t) f.column->validity + first / 8, 0,
			   ((size_t) n + 7) / 8);
		if (finish[c].kind == GS_FINISH_WINDOW)
			continue;
		status = fetch_common(&f);
		if (status != GS_OK)
			break;
		switch (finish[c].kind)
		{
			case GS_FINISH_KEY:
				status = finish_key(&f);
				break;
			case GS_FINISH_INTEGER:
				status = finish_integers(&f);
				break;
			case GS_FINISH_PERCENTILE:
			case GS_FINISH_ELEMENT:
				status = finish_percentiles(&f);
				break;
			case GS_FINISH_FIGURE:
				status = finish_figures(&f);
				break;
			case GS_FINISH_ROW:
				status = finish_rows(&f);
				break;
			default:
				status = finish_values(&f);
				break;
		}
		*errors |= f.errors;
	}
	return status;
}
