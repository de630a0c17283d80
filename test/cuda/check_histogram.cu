/*-------------------------------------------------------------------------
 *
 * check_histogram.cu
 *	  Are the histograms of kernels/ right?
 *
 *		check_histogram [small]
 *
 * small: only what compute-sanitizer gets through in a minute.
 *
 *-------------------------------------------------------------------------
 */
#include "direct.h"

#include <float.h>

static int
reference_width_bucket(const gs_op &op, double v)
{
	volatile double d = op.low < op.high ? v - op.low : op.low - v;
	volatile double w = op.low < op.high ? op.high - op.low : op.low - op.high;
	volatile double t;

	if (v != v)
		return op.buckets + 2;
	if (op.low < op.high ? v < op.low : v > op.low)
		return 0;
	if (op.low < op.high ? v >= op.high : v <= op.high)
		return op.buckets + 1;
	if (op.formula == GS_BUCKET_PRODUCT_FIRST)
	{
		t = op.buckets * d;
		t = t / w;
		t = t + 1;
		return t >= 0 && t < op.buckets + 2.0 ? (int) t : op.buckets + 1;
	}
	if (isinf(w))
	{
		d = fabs(v / 2 - op.low / 2);
		w = fabs(op.high / 2 - op.low / 2);
	}
	t = d / w;
	t = op.buckets * t;
	return (t >= op.buckets - 1 ? op.buckets - 1 : (int) t) + 1;
}

static int
reference_bucket(const gs_op &op, double v)
{
	int			low = 0;
	int			high = op.buckets + 1;

	if (op.kind == GS_HISTOGRAM_WIDTH)
		return reference_width_bucket(op, v);
	if (v != v)
		return op.buckets + 2;
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (op.edges[middle] <= v)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
check_histogram(const gs_op &op, const array &a, int64_t chunk)
{
	const gs_kernels *f = &gs_histogram_kernels;
	const size_t bins = op.buckets + 3;
	std::vector<int64_t> expected(bins, 0);
	std::vector<int64_t> counts(bins);
	std::vector<uint8_t> report(gs_kernels_report_size(f, &op));
	size_t		scratch_size =
		gs_kernels_scratch_size(f, &op, chunk < a.n ? chunk : a.n);
	size_t		state_size = gs_kernels_state_size(f, &op, a.n);
	void	   *state = need(&state_memory, state_size);
	void	   *scratch = need(&scratch_memory, scratch_size);
	gs_result	result;

	for (int64_t i = 0; i < a.n; i++)
	{
		if (!a.is_null[i])
			expected[reference_bucket(op, double_at(a, i))]++;
	}
	CUDA(f->start(&op, a.n, state, 0));
	for (int64_t first = 0; first < a.n; first += chunk)
	{
		gs_device_input in = {};

		in.first = first;
		in.n = a.n - first < chunk ? a.n - first : chunk;
		in.data = upload(a, first, in.n, &data_values, &data_bits);
		CUDA(f->batch(&op, &in, NULL, state, scratch, 0));
	}
	CUDA(cudaMemcpy(report.data(), state, report.size(),
					cudaMemcpyDeviceToHost));
	result.counts = counts.data();
	f->result(&op, report.data(), &result);
	verdict(counts == expected, describe(op, a, chunk, "counts"));
	verdict(untouched((char *) scratch + scratch_size, GUARD) &&
			untouched((char *) state + state_size, GUARD),
			describe(op, a, chunk, "memory behind state or scratch"));
}

/* Values around every edge of a histogram, beyond it, and what is special. */
static array
values_for_histogram(const gs_op &op, gs_type type, int64_t n, double null_rate)
{
	array		a = new_array(type, n, null_rate);
	const double low = op.kind == GS_HISTOGRAM_WIDTH ? op.low : op.edges[0];
	const double high = op.kind == GS_HISTOGRAM_WIDTH ? op.high :
		op.edges[op.buckets];
	static const double special[] = {
		0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 5e-324,
		-5e-324, 1, -1, 0x1p53, -0x1p63, 0x1p63
	};

	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	choice = random_bits() % 16;
		double		v;

		if (choice == 0)
			v = special[random_below(sizeof special / sizeof *special)];
		else if (choice == 1)
			v = gs_bits_double(random_bits());
		else if (choice == 2)
			v = low + (high / 2 - low / 2) * 8 * (random_uniform() - 0.5);
		else if (choice < 9)
			v = low + (high - low) * random_uniform();
		else
		{
			int			k = (int) random_below(op.buckets + 1);
			int			steps = (int) random_below(7) - 3;

			v = op.kind == GS_HISTOGRAM_EDGES ? op.edges[k] :
				low + (high - low) * ((double) k / op.buckets);
			for (; steps != 0; steps -= steps > 0 ? 1 : -1)
				v = nextafter(v, steps > 0 ? INFINITY : -INFINITY);
		}
		set_value(&a, i, v);
	}
	return a;
}

static void
check_histograms_of(gs_op op, int64_t most)
{
	static const int64_t sizes[] = {
		1, 2, 31, 32, 33, 1000, 8191, 8192, 8193, 16384, 16385, 32767, 32768,
		32769, 100003
	};

	for (gs_type type : number_types)
	{
		int64_t		n = sizes[random_below(sizeof sizes / sizeof *sizes)];

		op.type = type;
		check_histogram(op, values_for_histogram(op, type, n, 0), n);
		check_histogram(op, values_for_histogram(op, type, most, 0), most);
		check_histogram(op, values_for_histogram(op, type, n, 0.3), 4096);
	}
}

static void
check_widths(void)
{
	static const struct
	{
		double		low;
		double		high;
		int			buckets;
	}			ranges[] = {
		{0, 100, 10}, {100, 0, 10}, {0, 1, 256}, {-5.5, 7.25, 4096},
		{0, 3, 3}, {-0.0, 1, 3}, {1, -0.0, 7}, {0.1, 0.7, 6}, {0.7, 0.1, 600},
		{-32768, 32767, 65535}, {1e300, 1.1e300, 1000}, {1e-300, 1.1e-300, 99},
		{1e-310, 5e-310, 7}, {0, 5e-324, 1}, {-1e308, 1e308, 5},
		{1e308, -1e308, 11}, {-1e308, 1e308, 1}, {-1.5, 1e-9, 300},
		{0.0, 1e6, 58000}, {0.0, 1e6, 100000}, {0, 1, 300000}, {3, 3 + 1e-15, 5},
		{0, 0x1p52, 2000000000 / 500}
	};

	for (const auto &r : ranges)
	{
		for (int formula = 1; formula <= 2; formula++)
		{
			gs_op		op = {};

			if (small_only && r.buckets > 5000)
				continue;
			op.kind = GS_HISTOGRAM_WIDTH;
			op.low = r.low;
			op.high = r.high;
			op.buckets = r.buckets;
			op.formula = formula;
			check_histograms_of(op, small_only ? 20000 :
								op.buckets > 50000 ? 1200000 : 200000);
		}
	}
}

static void
check_edges(void)
{
	static const int numbers[] = {1, 2, 9, 256, 4096, 4097, 70000};

	for (int buckets : numbers)
	{
		for (int spread = 0; spread < 5; spread++)
		{
			std::vector<double> edges;
			gs_op		op = {};
			double		v = -3;

			if (small_only && buckets > 300)
				continue;
			for (int i = 0; i <= buckets; i++)
			{
				edges.push_back(v);
				if (spread == 0)
					v += 0.5;
				else if (spread == 1)	/* crowded, across both zeros */
					v = i == buckets / 2 ? 0 : i < buckets / 2 ? v / 1.01 :
						v == 0 ? 1e-300 : v * 1.01;
				else if (spread == 2)
					v = nextafter(v, INFINITY);
				else
					v += random_uniform() < 0.01 ? 1000 : random_uniform() + 1e-9;
			}
			if (spread == 4)
			{
				edges.front() = -INFINITY;
				edges.back() = INFINITY;
			}
			if (spread == 1)
			{
				bool		ascending = true;

				for (int i = 0; i < buckets; i++)
					ascending = ascending && edges[i] < edges[i + 1];
				if (!ascending)
					continue;
			}
			op.kind = GS_HISTOGRAM_EDGES;
			op.buckets = buckets;
			op.edges = edges.data();
			check_histograms_of(op, small_only ? 20000 :
								op.buckets > 50000 ? 1200000 : 200000);
		}
	}
}

/* What only large arrays reach: packed counts that are moved, partitions. */
static void
check_large_histograms(void)
{
	static const int buckets[] = {10, 300, 4096, 65536, 1 << 20, 3000000, 5000000};
	const int64_t n = (1 << 23) + 12345;

	for (int b : buckets)
	{
		for (int hot = 0; hot < 3; hot++)
		{
			array		a = new_array(GS_FLOAT8, n, 0);
			gs_op		op = {};

			op.kind = GS_HISTOGRAM_WIDTH;
			op.type = GS_FLOAT8;
			op.high = 1;
			op.buckets = b;
			op.formula = 1 + hot % 2;
			for (int64_t i = 0; i < n; i++)
				set_value(&a, i, hot == 0 || (hot == 2 && i % 3 == 0) ?
						  random_uniform() * 1.1 - 0.05 : hot == 1 ? 0.3 : 0.7);
			check_histogram(op, a, n);
			if (hot == 0)
				check_histogram(op, a, (n / 2 + 1023) / 1024 * 1024);
		}
	}
}

static void
checks(void)
{
	check_widths();
	check_edges();
	if (!small_only)
		check_large_histograms();
}

int
main(int argc, char **argv)
{
	return run_checks(argc, argv, checks);
}
