/*-------------------------------------------------------------------------
 *
 * finish_figures.cu
 *	  From the records of groups to variances, deviations and figures of pairs.
 *
 * A thread takes a group.  Its sums become integers of a few words, whose figure
 * exact/moments.h defines.  Where they do not fit, the host has to finish the
 * groups: those of values whose exponents are very far apart.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/record_read.cuh"
#include "kernels/plan/relation.cuh"
#include "kernels/plan/run.cuh"
#include "exact/moments.h"

#define THREADS		128
#define BLOCKS		16			/* a multiprocessor */

/* A sum of floats, or of their squares or products, in records. */
typedef struct figure_sum
{
	int32_t		kind;			/* gs_aggregate_kind; 0: it is not needed */
	int32_t		word;
	int32_t		words;
	int32_t		unit;
	int32_t		rare;
	int32_t		count;			/* rare word: what its count leaves out */
	const uint32_t *wide_of;
	char	   *wide;
} figure_sum;

typedef struct figure_job
{
	group_records records;
	const uint32_t *order;
	int64_t		n;
	group_found *found;
	double	   *values;
	uint64_t   *validity;
	int32_t		column;
	int32_t		figure;			/* gs_figure */
	int32_t		count;			/* rare word: what the figure's count leaves out */
	figure_sum	sum[GS_FIGURE_SUMS];
} figure_job;

/* False: it takes more words. */
__device__ static bool
short_sum(const figure_sum &s, uint32_t group, const int64_t *record,
		  const int64_t *rare, gs_short *r)
{
	int			lowest = s.kind == GS_AGG_SUM ? GS_ACC_LOWEST : GS_ACC2_LOWEST;
	uint64_t	sum[GS_SHORT_WORDS] = {};

	if (s.wide_of[group] != 0)
		return gs_short_from_limbs(r, group_limbs_of(s.kind, s.wide +
									   (size_t) (s.wide_of[group] - 1) *
									   group_wide_size(s.kind)),
								   group_limbs_number(s.kind), lowest);
	if (s.unit != GROUP_NO_UNIT)
	{
		group_add_word(sum, rare[s.rare + GROUP_BELOW], 0);
		for (int w = 0; w < s.words; w++)
			group_add_word(sum, record[s.word + w], (w + 1) * GROUP_WORD_BITS);
	}
	gs_short_make(r, sum, GS_SHORT_WORDS, lowest + s.unit - GROUP_WORD_BITS);
	return true;
}

__device__ static bool
is_finite(const figure_sum &s, const int64_t *record, const int64_t *rare)
{
	return !(group_seen_of(s.rare, s.count, record, rare) &
			 (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF));
}

/* False: its sums are too long. */
template <bool PAIRS>
__device__ static bool
figure_of(const figure_job &j, int64_t i, gs_rounding *rounding, double *result)
{
	const uint32_t group = j.order[i];
	const int64_t *record = j.records.records + (size_t) group * j.records.words;
	const int64_t *rare = j.records.rare + (size_t) group * j.records.rare_words;
	const gs_figure figure = (gs_figure) j.figure;
	gs_short_sums s;

	s.n = record[0] - rare[j.count];
	if (s.n < gs_figure_least(figure))
	{
		*rounding = GS_UNDEFINED;
		return true;
	}
	s.x_finite = is_finite(j.sum[GS_SUM_X], record, rare);
	if (!short_sum(j.sum[GS_SUM_X], group, record, rare, &s.x) ||
		(j.sum[GS_SUM_XX].kind != 0 &&
		 !short_sum(j.sum[GS_SUM_XX], group, record, rare, &s.xx)))
		return false;
	if (!PAIRS)
		return gs_short_variance(figure, &s, rounding, result);
	s.y_finite = is_finite(j.sum[GS_SUM_Y], record, rare);
	if (!short_sum(j.sum[GS_SUM_Y], group, record, rare, &s.y) ||
		!short_sum(j.sum[GS_SUM_XY], group, record, rare, &s.xy) ||
		(j.sum[GS_SUM_YY].kind != 0 &&
		 !short_sum(j.sum[GS_SUM_YY], group, record, rare, &s.yy)))
		return false;
	return gs_short_of_pairs(figure, &s, rounding, result);
}

template <bool PAIRS>
__global__ void
__launch_bounds__(THREADS)
figures_kernel(const __grid_constant__ figure_job j)
{
	bool		nulls = false;
	bool		undecided = false;
	uint32_t	errors = 0;

	for (int64_t first = (int64_t) blockIdx.x * THREADS;
		 first < gs_divide_up(j.n, 64) * 64;
		 first += (int64_t) gridDim.x * THREADS)
	{
		int64_t		i = first + threadIdx.x;
		gs_rounding rounding = GS_UNDEFINED;
		double		value = 0;

		/* the same for all threads of a warp: bitmaps have whole words */
		if (i - gs_lane() >= gs_divide_up(j.n, 64) * 64)
			break;
		if (i < j.n)
		{
			if (!figure_of<PAIRS>(j, i, &rounding, &value))
				undecided = true;
			else if (rounding == GS_UNDEFINED)
				nulls = true;
			else if (rounding != GS_ROUNDED)
				errors = GS_ERROR_RANGE;
			j.values[i] = rounding == GS_ROUNDED ? value : 0;
		}
		gs_put_valid(j.validity, i, rounding == GS_ROUNDED);
	}
	group_found_nulls(j.found, j.column, nulls);
	if (errors != 0)
		group_found_error(j.found, errors);
	if (undecided)
		j.found->undecided = 1;
}

bool
group_is_long_figure(const gs_finish *f)
{
	gs_figure	figure = (gs_figure) f->figure;

	return f->kind == GS_FINISH_FIGURE &&
		(gs_figure_has_squares(figure) || gs_figure_is_of_pairs(figure));
}

cudaError_t
group_finish_figure(gs_plan_run *run, const gs_finish *f,
					const gs_relation *relation, int column)
{
	const group_layout *layout = &run->layout;
	int			aggregate[GS_FIGURE_SUMS];
	figure_job	j;
	int			blocks;

	memset(&j, 0, sizeof j);
	j.records = records_of(run);
	j.order = (const uint32_t *) run->keys.ids.at;
	j.n = relation->rows;
	j.found = group_found_of(relation);
	j.values = (double *) (uintptr_t) relation->column[column].values;
	j.validity = (uint64_t *) (uintptr_t) relation->column[column].validity;
	j.column = column;
	j.figure = f->figure;
	j.count = layout->action[layout->of_aggregate[f->count]].rare;
	(void) gs_finish_sums(run->plan, f, aggregate);
	for (int k = 0; k < GS_FIGURE_SUMS; k++)
	{
		const group_action *a;

		if (aggregate[k] < 0)
			continue;
		a = &layout->action[layout->of_aggregate[aggregate[k]]];
		j.sum[k].kind = a->kind;
		j.sum[k].word = a->word;
		j.sum[k].words = a->words;
		j.sum[k].unit = a->unit;
		j.sum[k].rare = a->rare;
		j.sum[k].count = a->count;
		j.sum[k].wide_of = a->wide_of;
		j.sum[k].wide = a->wide;
	}
	GS_TRY(gs_grid(gs_divide_up(j.n, THREADS), BLOCKS, &blocks));
	if (gs_figure_is_of_pairs((gs_figure) f->figure))
		figures_kernel<true><<<blocks, THREADS, 0, stream_of(run)>>>(j);
	else
		figures_kernel<false><<<blocks, THREADS, 0, stream_of(run)>>>(j);
	return gs_launched();
}
