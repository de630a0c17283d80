/*-------------------------------------------------------------------------
 *
 * finish_values.cu
 *	  From the records of groups to values: gs_finish_groups (engine/finish.h)
 *	  in device memory.
 *
 * A thread takes a group, and finds its values of all columns from its record.
 * No state is made: a sum of floats has 192 bits there, or is an accumulator,
 * and its leading bits, or those of its quotient by a count, are rounded once.
 * Values between two others, which may take an accumulator each, are found by
 * warps.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/record_read.cuh"
#include "kernels/plan/relation.cuh"
#include "kernels/plan/run.cuh"
#include "kernels/round.cuh"
#include "engine/percentile.h"
#include "exact/figures.h"

#define THREADS		256
#define ITEMS		2			/* groups of a thread between two columns */
#define BLOCKS		8			/* a multiprocessor */

/* Columns of a launch: its arguments have 4 KB. */
#define COLUMNS		16

/* Where a column's values come from. */
typedef enum finish_source
{
	FROM_KEY,
	FROM_COUNT,					/* rows less those that do not count */
	FROM_WORD,					/* of the record: gs_key's order */
	FROM_STATE,					/* of values.cu: gs_value */
	FROM_ELEMENT,				/* of values.cu: gs_value[2], one of both */
	FROM_INTEGERS,				/* a sum */
	FROM_FLOATS,				/* a sum */
	FROM_PAIR					/* of values.cu: gs_value[2] */
} finish_source;

typedef struct finish_column
{
	char	   *values;
	uint64_t   *validity;
	const int64_t *state;		/* FROM_STATE, FROM_ELEMENT, FROM_PAIR */
	double		fraction;		/* FROM_ELEMENT, FROM_PAIR */
	int8_t		source;			/* finish_source */
	int8_t		type;			/* gs_type of the values */
	int8_t		argument;		/* gs_type: FROM_PAIR */
	int8_t		zeros;			/* as in gs_finish */
	int16_t		column;
	int16_t		figure;			/* gs_figure: FROM_FLOATS */

	/* words of the rare record, or -1: what its count leaves out, or all values
	 * count; -0 among its values */
	int32_t		count;
	int32_t		negative_zeros;

	/* of its action, or its key */
	int32_t		of;
	int32_t		word;
	int32_t		words;
	int32_t		unit;
	int32_t		rare;
	int32_t		own_count;		/* rare word: what the action's count leaves out */
	const uint32_t *wide_of;
	const gs_acc *wide;
} finish_column;

typedef struct finish_job
{
	group_records records;
	const uint32_t *order;
	int64_t		n;
	group_found *found;
	int32_t		columns;
	finish_column column[COLUMNS];
} finish_job;

static_assert(sizeof(finish_job) + sizeof(group_key_job) < 4096,
			  "too many arguments");

/* A group's record, and what its columns find. */
typedef struct finish_group
{
	uint32_t	group;
	const int64_t *record;
	const int64_t *rare;
} finish_group;

typedef struct finish_value
{
	int64_t		bits;			/* of a float4: the lower half; 0 of NULL */
	bool		valid;
	uint32_t	errors;
} finish_value;

/* ----------
 * Sums of floats
 * ----------
 */

/* The 128 leading bits, of which the first is set unless all are 0. */
typedef struct leading_bits
{
	uint64_t	high;
	uint64_t	low;
	int			exponent;		/* of the last bit */
	bool		more;			/* something follows */
	bool		negative;
} leading_bits;

__device__ static leading_bits
leading_of_words(gs_integer_sum sum, int exponent)
{
	leading_bits r = {0, 0, 0, false, (int64_t) sum.word[2] < 0};
	uint64_t	w0 = sum.word[0];
	uint64_t	w1 = sum.word[1];
	uint64_t	w2 = sum.word[2];
	int			shift;

	if (r.negative)
	{
		w0 = -w0;
		w1 = ~w1 + (w0 == 0);
		w2 = ~w2 + (w0 == 0 && w1 == 0);
	}
	for (int i = 0; i < 2 && w2 == 0; i++)
	{
		w2 = w1;
		w1 = w0;
		w0 = 0;
		exponent -= 64;
	}
	if (w2 == 0)
		return r;
	shift = __clzll(w2);
	r.high = w2 << shift | (w1 >> 1) >> (63 - shift);
	r.low = w1 << shift | (w0 >> 1) >> (63 - shift);
	r.more = w0 << shift != 0;
	r.exponent = exponent + 64 - shift;
	return r;
}

/*
 * Limbs, normalised, in units of 2^lowest.  The last one is but a sign: it is
 * spare.
 */
__device__ static leading_bits
leading_of_limbs(const int64_t *limb, int limbs, int lowest)
{
	leading_bits r = {0, 0, 0, false, limb[limbs - 1] < 0};
	uint32_t	sign = r.negative ? UINT32_MAX : 0;
	int			least = 0;
	int			top = limbs - 1;
	uint32_t	digit[5];
	int			shift;

	while (least < limbs && limb[least] == 0)
		least++;
	if (least == limbs)
		return r;
	while (top > least && (uint32_t) limb[top] == sign)
		top--;

	/* of a negative sum, digits above the lowest that is not 0 are inverted */
	for (int i = 0; i < 5; i++)
	{
		int			at = top - i;

		digit[i] = at < least ? 0 : (uint32_t) limb[at];
		if (r.negative && at >= least)
			digit[i] = at == least ? -digit[i] : ~digit[i];
	}
	shift = __clz(digit[0]);
	r.high = (uint64_t) digit[0] << 32 | digit[1];
	r.low = (uint64_t) digit[2] << 32 | digit[3];
	r.more = least < top - 4 || digit[4] << shift != 0;
	r.high = r.high << shift | (r.low >> 1) >> (63 - shift);
	r.low = r.low << shift | (uint64_t) digit[4] >> (32 - shift);
	r.exponent = lowest + 32 * (top - 3) - shift;
	return r;
}

/* Divided by n > 1, of which 64 bits and more are left. */
__device__ static void
divide(leading_bits *x, uint64_t n)
{
	uint64_t	rest;
	int			shift;

	if (n >> 32 == 0)
	{
		uint64_t	part;

		part = (x->high % n) << 32 | x->low >> 32;
		x->high /= n;
		rest = (part % n) << 32 | (uint32_t) x->low;
		x->low = (part / n) << 32 | rest / n;
		rest %= n;
	}
	else
	{
		gs_u128		all = (gs_u128) x->high << 64 | x->low;
		gs_u128		quotient = all / n;

		rest = (uint64_t) (all - quotient * n);
		x->high = (uint64_t) (quotient >> 64);
		x->low = (uint64_t) quotient;
	}
	x->more |= rest != 0;
	shift = __clzll(x->high);
	x->high = x->high << shift | (x->low >> 1) >> (63 - shift);
	x->low <<= shift;
	x->exponent -= shift;
}

__device__ static inline gs_top
top_of(const leading_bits &x)
{
	gs_top		t = {x.high, x.exponent + 64, x.more || x.low != 0};

	return t;
}

/* The bits of a float, of a double that is one or NaN. */
__device__ static inline int64_t
float_bits(double x)
{
	return x != x ? 0x7fc00000 : (uint32_t) __float_as_int((float) x);
}

__device__ static finish_value
figure_of(const finish_column &c, const finish_group &g, int64_t count)
{
	finish_value v = {0, true, 0};
	leading_bits x;
	uint32_t	wide;
	double		result;

	if (gs_special_sum(group_seen_of(c.rare, c.own_count, g.record, g.rare),
					   &result))
	{
		v.bits = c.type == GS_FLOAT4 ? float_bits(result) :
			__double_as_longlong(result);
		return v;
	}
	wide = c.wide_of[g.group];
	if (wide != 0)
		x = leading_of_limbs(c.wide[wide - 1].limb, GS_ACC_LIMBS,
							 GS_ACC_LOWEST);
	else
	{
		int			exponent;
		gs_integer_sum sum = group_window_sum(c.unit, c.rare, c.word, c.words,
											  g.record, g.rare, &exponent);

		x = leading_of_words(sum, exponent);
	}
	if (c.figure == GS_FIGURE_AVG && count > 1 && x.high != 0)
		divide(&x, (uint64_t) count);
	if (c.figure == GS_FIGURE_SUM_REAL)
	{
		float		rounded = gs_top_to_float(top_of(x), x.negative);

		result = rounded;
		v.bits = (uint32_t) __float_as_int(rounded);
	}
	else
	{
		result = gs_top_to_double(top_of(x), x.negative);
		v.bits = __double_as_longlong(result);
	}
	if (!gs_is_finite(result))
		v.errors = GS_ERROR_RANGE;
	return v;
}

/* ----------
 * Columns
 * ----------
 */

/* Of values in the order of gs_key. */
__device__ static inline int64_t
bits_of_ordered(int type, int64_t ordered)
{
	if (type == GS_FLOAT8)
		return __double_as_longlong(gs_key<double>::value(ordered));
	if (type == GS_FLOAT4)
		return (uint32_t) __float_as_int(gs_key<float>::value((int32_t) ordered));
	return ordered;
}

__device__ static inline int64_t
bits_of_value(int type, int64_t value)
{
	if (type == GS_INT4)
		return (int32_t) value;
	return type == GS_INT2 || type == GS_BOOL ? (int16_t) value : value;
}

/* Is it a zero of which PostgreSQL might have the other one? */
__device__ static inline bool
is_doubtful(const finish_column &c, const finish_group &g, int64_t bits)
{
	bool		negative = c.type == GS_FLOAT8 ? bits < 0 : (int32_t) bits < 0;

	if (!c.zeros || (c.type == GS_FLOAT8 ? bits << 1 : (uint32_t) bits << 1) != 0)
		return false;
	if (c.negative_zeros < 0)
		return negative;
	return !negative && g.rare[c.negative_zeros] > 0;
}

__device__ static finish_value
value_of(const finish_column &c, const group_key_job &keys,
		 const finish_group &g)
{
	finish_value v = {0, true, 0};
	int64_t		count = c.count < 0 ? 1 : g.record[0] - g.rare[c.count];
	int64_t		key;

	if (c.source == FROM_KEY)
	{
		if (c.zeros && g.rare[c.negative_zeros] > 0)
			v.errors = GS_ERROR_RANGE;
		v.valid = group_key_of(keys, g.group, c.of, &key);
		v.bits = v.valid ? bits_of_ordered(c.type, key) : 0;
		return v;
	}
	if (c.source == FROM_COUNT)
	{
		v.bits = count;
		return v;
	}
	v.valid = count > 0;
	if (!v.valid)
		return v;
	switch (c.source)
	{
		case FROM_WORD:
			if (g.record[0] != g.rare[c.own_count])
				v.bits = bits_of_ordered(c.type, g.record[c.word]);
			break;
		case FROM_STATE:
			v.bits = bits_of_value(c.type, c.state[g.group]);
			break;
		case FROM_ELEMENT:
			v.bits = bits_of_value(c.type, c.state[2 * (size_t) g.group +
				gs_percentile_element(c.fraction, count)]);
			break;
		case FROM_INTEGERS:
			{
				gs_integer_sum sum = group_integer_sum(g.record + c.word,
													   c.words);
				uint64_t	sign = (uint64_t) ((int64_t) sum.word[0] >> 63);

				v.bits = (int64_t) sum.word[0];
				if (sum.word[1] != sign || sum.word[2] != sign)
					v.errors = GS_ERROR_RANGE;
				return v;
			}
		default:
			return figure_of(c, g, count);
	}
	if (group_is_float(c.type) && is_doubtful(c, g, v.bits))
		v.errors = GS_ERROR_RANGE;
	return v;
}

__device__ static inline bool
is_integer(int type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

__device__ static inline void
put(const finish_column &c, int64_t i, int64_t bits)
{
	switch (c.type)
	{
		case GS_BOOL:
			((uint8_t *) c.values)[i] = bits != 0;
			break;
		case GS_INT2:
			((int16_t *) c.values)[i] = (int16_t) bits;
			break;
		case GS_INT4:
		case GS_FLOAT4:
			((int32_t *) c.values)[i] = (int32_t) bits;
			break;
		default:
			((int64_t *) c.values)[i] = bits;
	}
}

/* Bitmaps have whole words. */
__device__ static inline int64_t
rows_of_bits(int64_t n)
{
	return gs_divide_up(n, 64) * 64;
}

__device__ static inline finish_group
group_at(const finish_job &j, int64_t i)
{
	finish_group g;

	g.group = j.order[i];
	g.record = j.records.records + (size_t) g.group * j.records.words;
	g.rare = j.records.rare + (size_t) g.group * j.records.rare_words;
	return g;
}

__global__ void
__launch_bounds__(THREADS)
finish_kernel(const __grid_constant__ finish_job j,
			  const __grid_constant__ group_key_job keys)
{
	uint32_t	errors = 0;

	for (int64_t first = (int64_t) blockIdx.x * THREADS * ITEMS; first < j.n;
		 first += (int64_t) gridDim.x * THREADS * ITEMS)
	{
		for (int k = 0; k < j.columns; k++)
		{
			const finish_column &c = j.column[k];
			int64_t		low = INT64_MAX;
			int64_t		high = INT64_MIN;
			bool		nulls = false;

#pragma unroll 1
			for (int item = 0; item < ITEMS; item++)
			{
				int64_t		i = first + item * THREADS + threadIdx.x;
				finish_value v = {0, false, 0};

				/* the same for all threads of a warp */
				if (i - gs_lane() >= rows_of_bits(j.n))
					break;
				if (i < j.n)
				{
					v = value_of(c, keys, group_at(j, i));
					put(c, i, v.bits);
					nulls |= !v.valid;
					errors |= v.errors;
				}
				gs_put_valid(c.validity, i, v.valid);
				if (v.valid)
				{
					low = v.bits < low ? v.bits : low;
					high = v.bits > high ? v.bits : high;
				}
			}
			group_found_nulls(j.found, c.column, nulls);
			if (is_integer(c.type))
				group_found_range(j.found, c.column, low, high);
		}
	}
	if (errors != 0)
		group_found_error(j.found, errors);
}

/* ----------
 * Percentiles
 * ----------
 */

#define PAIR_WARPS	4

__device__ static inline gs_pair
pair_of(int type, int64_t value)
{
	switch (type)
	{
		case GS_FLOAT4:
			return gs_percentile_float(__int_as_float((int) value));
		case GS_FLOAT8:
			return gs_percentile_float(__longlong_as_double(value));
		default:
			return gs_percentile_integer(bits_of_value(type, value));
	}
}

/* gs_interpolate, with an accumulator of zeros. */
__device__ static double
interpolate(gs_pair low, gs_pair high, double proportion, gs_acc2 *a)
{
	double		result;
	leading_bits x;

	gs_acc2_add_product(a, low.hi, 1);
	gs_acc2_add_product(a, low.lo, 1);
	gs_acc2_add_product(a, low.hi, -proportion);
	gs_acc2_add_product(a, low.lo, -proportion);
	gs_acc2_add_product(a, high.hi, proportion);
	gs_acc2_add_product(a, high.lo, proportion);
	if (gs_special_sum(a->seen, &result))
		return result;
	group_propagate(a->limb, GS_ACC2_LIMBS);
	x = leading_of_limbs(a->limb, GS_ACC2_LIMBS, GS_ACC2_LOWEST);
	return gs_top_to_double(top_of(x), x.negative);
}

__global__ void
__launch_bounds__(PAIR_WARPS * GS_WARP)
pairs_kernel(const __grid_constant__ finish_job j)
{
	__shared__ gs_acc2 sums[PAIR_WARPS];
	gs_acc2    *sum = &sums[gs_warp()];
	const finish_column &c = j.column[0];
	bool		nulls = false;

	for (int64_t first = ((int64_t) blockIdx.x * PAIR_WARPS + gs_warp()) * GS_WARP;
		 first < rows_of_bits(j.n);
		 first += (int64_t) gridDim.x * PAIR_WARPS * GS_WARP)
	{
		int64_t		i = first + gs_lane();
		int64_t		count = 0;
		bool		decided = true;
		double		value = 0;
		gs_pair		low = {0, 0};
		gs_pair		high = {0, 0};
		gs_place	place = {0, 0};
		uint32_t	undecided;

		if (i < j.n)
		{
			finish_group g = group_at(j, i);

			count = g.record[0] - g.rare[c.count];
			nulls |= count == 0;
			if (count > 0)
			{
				const int64_t *pair = c.state + 2 * (size_t) g.group;

				place = gs_percentile_place(c.fraction, false, count);
				low = pair_of(c.argument, pair[0]);
				high = pair_of(c.argument, pair[place.proportion != 0]);
				decided = gs_percentile_quickly(low, high, place.proportion,
												&value);
			}
		}
		undecided = __ballot_sync(GS_ALL_LANES, !decided);
		while (undecided != 0)
		{
			for (int k = gs_lane(); k < GS_ACC2_LIMBS; k += GS_WARP)
				sum->limb[k] = 0;
			if (gs_lane() == 0)
				sum->seen = 0;
			__syncwarp();
			if (gs_lane() == __ffs(undecided) - 1)
				value = interpolate(low, high, place.proportion, sum);
			__syncwarp();
			undecided &= undecided - 1;
		}
		if (i < j.n)
			((double *) c.values)[i] = value;
		gs_put_valid(c.validity, i, count > 0);
	}
	group_found_nulls(j.found, c.column, nulls);
}

/* ----------
 * The relation
 * ----------
 */

/* What the column's action is, or that it has values. */
static void
describe_aggregate(gs_plan_run *run, const gs_finish *f, finish_column *c)
{
	int			action = run->layout.of_aggregate[f->of];
	const group_action *a = &run->layout.action[action];

	if (action < 0)
	{
		c->source = f->kind == GS_FINISH_PERCENTILE ? FROM_PAIR :
			f->kind == GS_FINISH_ELEMENT ? FROM_ELEMENT : FROM_STATE;
		c->state = (const int64_t *) run->states[f->of].at;
		c->fraction = run->plan->aggregate[f->of].fraction;
		c->argument = (int8_t) gs_operand_type(run->plan,
											   run->plan->aggregate[f->of].a);
		return;
	}
	c->source = f->kind == GS_FINISH_COUNT ? FROM_COUNT :
		f->kind == GS_FINISH_INTEGER ? FROM_INTEGERS :
		f->kind == GS_FINISH_FIGURE ? FROM_FLOATS : FROM_WORD;
	c->word = a->word;
	c->words = a->words;
	c->unit = a->unit;
	c->rare = a->rare;
	c->own_count = a->count;
	c->wide_of = a->wide_of;
	c->wide = (const gs_acc *) a->wide;
	if (f->kind == GS_FINISH_COUNT)
		c->count = a->rare;
}

static void
describe_column(gs_plan_run *run, const gs_stage *next,
				const gs_relation *relation, int column, finish_column *c)
{
	const gs_finish *f = &next->finish[column];

	memset(c, 0, sizeof *c);
	c->values = (char *) (uintptr_t) relation->column[column].values;
	c->validity = (uint64_t *) (uintptr_t) relation->column[column].validity;
	c->type = (int8_t) next->plan.column[column];
	c->column = (int16_t) column;
	c->zeros = (int8_t) f->zeros;
	c->figure = f->figure;
	c->of = f->of;
	c->count = c->negative_zeros = -1;
	if (f->specials >= 0)
		c->negative_zeros = GS_SPECIAL_NEGATIVE_ZERO +
			run->layout.action[run->layout.of_aggregate[f->specials]].rare;
	if (f->kind > GS_FINISH_COUNT)
		c->count =
			run->layout.action[run->layout.of_aggregate[f->count]].rare;
	if (f->kind == GS_FINISH_KEY)
		c->source = FROM_KEY;
	else
		describe_aggregate(run, f, c);
}

static cudaError_t
launch(const gs_plan_run *run, const finish_job *j)
{
	int			blocks;

	if (j->columns == 0)
		return cudaSuccess;
	GS_TRY(gs_grid(gs_divide_up(j->n, THREADS * ITEMS), BLOCKS, &blocks));
	finish_kernel<<<blocks, THREADS, 0, stream_of(run)>>>(*j, run->keys.job);
	return gs_launched();
}

static cudaError_t
launch_pairs(const gs_plan_run *run, const finish_job *j, const finish_column *c)
{
	finish_job	pairs = *j;
	int			blocks;

	pairs.columns = 1;
	pairs.column[0] = *c;
	GS_TRY(gs_grid(gs_divide_up(j->n, PAIR_WARPS * GS_WARP), 2 * BLOCKS,
				   &blocks));
	pairs_kernel<<<blocks, PAIR_WARPS * GS_WARP, 0, stream_of(run)>>>(pairs);
	return gs_launched();
}

static cudaError_t
finish_columns(gs_plan_run *run, const gs_stage *next,
			   const gs_relation *relation)
{
	finish_job	j;

	memset(&j, 0, sizeof j);
	j.records = records_of(run);
	j.order = (const uint32_t *) run->keys.ids.at;
	j.n = relation->rows;
	j.found = group_found_of(relation);
	for (int c = 0; c < relation->columns; c++)
	{
		finish_column *column = &j.column[j.columns];

		if (next->finish[c].kind == GS_FINISH_WINDOW)
		{
			GS_TRY(cudaMemsetAsync((void *) (uintptr_t) relation->column[c].validity,
								   0, gs_divide_up(j.n, 64) * 8,
								   stream_of(run)));
			continue;
		}
		if (group_is_long_figure(&next->finish[c]))
		{
			GS_TRY(group_finish_figure(run, &next->finish[c], relation, c));
			continue;
		}
		describe_column(run, next, relation, c, column);
		if (column->source == FROM_PAIR)
			GS_TRY(launch_pairs(run, &j, column));
		else if (++j.columns == COLUMNS)
		{
			GS_TRY(launch(run, &j));
			j.columns = 0;
		}
	}
	return launch(run, &j);
}

cudaError_t
group_finish_relation(gs_plan_run *run, const gs_stage *next,
					  gs_relation *relation, uint32_t *errors)
{
	const uint8_t *type = next->plan.column;

	GS_TRY(group_relation_allocate(type, next->plan.columns, run->results,
								   relation, stream_of(run)));
	if (run->results > 0)
		GS_TRY(finish_columns(run, next, relation));
	GS_TRY(group_take_found(type, group_columns_of(next, false), relation,
							run->context, errors));
	if (((const group_found *) run->context->report)->undecided)
		group_relation_free(relation);
	return cudaSuccess;
}
