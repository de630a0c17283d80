/*-------------------------------------------------------------------------
 *
 * groups_expect.cu
 *	  What groups should give.
 *
 * The oracle adds fixed-point numbers by global atomic additions, one row at
 * a time: units of 2^-56, so finite values below 128 lose less than that each.
 *
 *-------------------------------------------------------------------------
 */
#include "groups.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#define BLOCKS	2048
#define THREADS	256

typedef unsigned long long word;

/* A sum: units of 2^-24 and of 2^-56, as integers. */
struct fixed_sum
{
	word		upper;
	word		lower;
};

struct expected_values
{
	word		count;
	fixed_sum	sum;
	fixed_sum	squares;
	word		min;			/* ordered as integers */
	word		max;
};

struct expected_charge
{
	word		count;
	word		sum[4];
};

static __device__ void
add_fixed(fixed_sum *to, double x)
{
	const int64_t v = (int64_t) (x * 0x1p56);	/* truncated */

	atomicAdd(&to->upper, (word) (v >> 32));
	atomicAdd(&to->lower, (word) (v & 0xffffffff));
}

static double
to_double(const fixed_sum &s)
{
	return (double) ((long double) (int64_t) s.upper * 0x1p-24L +
					 (long double) s.lower * 0x1p-56L);
}

static __device__ word
to_ordered(double x)
{
	const word	bits = (word) __double_as_longlong(x);

	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double
from_ordered(word bits)
{
	double		x;

	bits = bits >> 63 ? bits & ~(UINT64_C(1) << 63) : ~bits;
	memcpy(&x, &bits, sizeof x);
	return x;
}

#define STEP		((int64_t) gridDim.x * blockDim.x)
#define FIRST_ROW	((int64_t) blockIdx.x * blockDim.x + threadIdx.x)

static __global__ void
expect_values(group_rows r, int64_t n, group_work work, expected_values *to)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
	{
		expected_values *group = &to[r.key[i]];
		const double v = r.value[i];

		if (work == WORK_AVERAGE &&
			!(r.day[i] >= FIRST_DAY && r.day[i] < END_DAY &&
			  r.weight[i] > LIGHTEST))
			continue;
		atomicAdd(&group->count, 1);
		add_fixed(&group->sum, v);
		if (work != WORK_SIX)
			continue;
		add_fixed(&group->squares, __dmul_rn(v, v));
		add_fixed(&group->squares, __fma_rn(v, v, -__dmul_rn(v, v)));
		atomicMin(&group->min, to_ordered(v));
		atomicMax(&group->max, to_ordered(v));
	}
}

static __global__ void
expect_charge(group_rows r, int64_t n, expected_charge *to)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
	{
		expected_charge *group = &to[r.key[i]];
		const int64_t discounted = r.price[i] * (100 - r.discount[i]);

		atomicAdd(&group->count, 1);
		atomicAdd(&group->sum[0], (word) r.price[i]);
		atomicAdd(&group->sum[1], (word) r.discount[i]);
		atomicAdd(&group->sum[2], (word) discounted);
		atomicAdd(&group->sum[3], (word) (discounted * (100 + r.tax[i])));
	}
}

/* PostgreSQL's formula; all values are in [0, 1). */
static __global__ void
expect_histogram(group_rows r, int64_t n, word *to)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
		atomicAdd(&to[(int64_t) r.key[i] * (BUCKETS + 3) +
					  (int) __dadd_rn(r.value[i] * BUCKETS, 1)], 1);
}

int
columns_of(group_work work)
{
	switch (work)
	{
		case WORK_SUM:
			return 1;
		case WORK_AVERAGE:
			return 2;
		case WORK_SIX:
		case WORK_CHARGE:
			return 5;
		default:
			return BUCKETS + 3;
	}
}

/* One T for each group, added up by the kernel that `launch` starts. */
template <typename T, typename F>
static std::vector<T>
collect(int count, F launch)
{
	std::vector<T> there(count);
	T		   *to = (T *) memory.expected;

	CUDA(cudaMemset(to, 0, count * sizeof(T)));
	launch(to);
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpy(there.data(), to, count * sizeof(T),
					cudaMemcpyDeviceToHost));
	return there;
}

static __global__ void
start_min(expected_values *to, int64_t n)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
		to[i].min = ~0ull;
}

figures
no_figures(int groups, int columns)
{
	figures		f = {groups, columns, {}};

	f.at.assign((size_t) groups * columns,
				std::numeric_limits<double>::quiet_NaN());
	return f;
}

figures
expect(group_work work, int groups)
{
	const int	columns = columns_of(work);
	figures		f = no_figures(groups, columns);

	if (work == WORK_HISTOGRAM)
	{
		const std::vector<word> counts =
			collect<word>(groups * columns, [](word *to) {
			expect_histogram<<<BLOCKS, THREADS>>>(rows, GROUP_ROWS,
															to);
		});

		std::copy(counts.begin(), counts.end(), f.at.begin());
	}
	else if (work == WORK_CHARGE)
	{
		std::vector<expected_charge> sums =
			collect<expected_charge>(groups, [](expected_charge *to) {
			expect_charge<<<BLOCKS, THREADS>>>(rows, GROUP_ROWS, to);
		});

		for (int g = 0; g < groups; g++)
		{
			f.at[g * 5] = (double) sums[g].count;
			for (int k = 0; k < 4; k++)
				f.at[g * 5 + 1 + k] = (double) (int64_t) sums[g].sum[k];
		}
	}
	else
	{
		std::vector<expected_values> sums =
			collect<expected_values>(groups, [=](expected_values *to) {
			start_min<<<BLOCKS, THREADS>>>(to, groups);
			expect_values<<<BLOCKS, THREADS>>>
				(rows, GROUP_ROWS, work, to);
		});

		for (int g = 0; g < groups; g++)
		{
			double	   *to = &f.at[(size_t) g * columns];

			if (sums[g].count == 0)
				continue;
			if (work != WORK_SUM)
				*to++ = (double) sums[g].count;
			*to++ = to_double(sums[g].sum);
			if (work == WORK_SIX)
			{
				*to++ = to_double(sums[g].squares);
				*to++ = from_ordered(sums[g].min);
				*to++ = from_ordered(sums[g].max);
			}
		}
	}
	return f;
}

static bool
is_float_sum(group_work work, int column)
{
	return (work == WORK_SUM && column == 0) ||
		(work == WORK_AVERAGE && column == 1) ||
		(work == WORK_SIX && (column == 1 || column == 2));
}

bool
agree(group_work work, const figures &got, const figures &expected,
	  double tolerance)
{
	const double average = (double) GROUP_ROWS / expected.groups;

	if (got.at.size() != expected.at.size())
		return false;
	for (size_t i = 0; i < got.at.size(); i++)
	{
		const double g = got.at[i];
		const double e = expected.at[i];
		double		off = 0;

		if (std::isnan(g) && std::isnan(e))
			continue;
		if (is_float_sum(work, (int) (i % expected.columns)))
			off = tolerance * std::max(std::fabs(e), average);
		if (!(std::fabs(g - e) <= off))
			return false;
	}
	return true;
}

contestant
group_contestant(const char *name, std::function<void(void)> run,
				 std::function<figures(void)> get, group_work work,
				 const figures *expected)
{
	contestant	p;

	p.name = name;
	p.run = run;
	p.is_right = [=] { return agree(work, get(), *expected, 1e-9); };
	return p;
}

figures
get_group_counts(int groups)
{
	std::vector<unsigned> counts(groups * (BUCKETS + 3));
	figures		f = no_figures(groups, BUCKETS + 3);

	CUDA(cudaMemcpy(counts.data(), memory.out, counts.size() * 4,
					cudaMemcpyDeviceToHost));
	f.at.assign(counts.begin(), counts.end());
	return f;
}

/* ----------
 * Medians
 * ----------
 */

struct rank_counts
{
	word		all;
	word		below[2];		/* below a median */
	word		not_above[2];
};

static __global__ void
count_ranks(group_rows r, int64_t n, const double *medians, rank_counts *to)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
	{
		const int	g = r.key[i];

		atomicAdd(&to[g].all, 1);
		for (int k = 0; k < 2; k++)
		{
			if (r.value[i] < medians[2 * g + k])
				atomicAdd(&to[g].below[k], 1);
			if (r.value[i] <= medians[2 * g + k])
				atomicAdd(&to[g].not_above[k], 1);
		}
	}
}

bool
are_medians(const figures &got)
{
	double	   *there = (double *) (memory.expected + (INT64_C(1) << 30));
	std::vector<rank_counts> counts;

	CUDA(cudaMemcpy(there, got.at.data(), got.at.size() * sizeof(double),
					cudaMemcpyHostToDevice));
	counts = collect<rank_counts>(got.groups, [=](rank_counts *to) {
		count_ranks<<<BLOCKS, THREADS>>>(rows, GROUP_ROWS, there,
												   to);
	});
	for (const rank_counts &c : counts)
	{
		const word	place[2] = {(c.all - 1) / 2, c.all / 2};

		for (int k = 0; k < 2; k++)
		{
			if (c.all == 0 || place[k] < c.below[k] ||
				place[k] >= c.not_above[k])
				return false;
		}
	}
	return true;
}
