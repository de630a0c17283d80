/*-------------------------------------------------------------------------
 *
 * check_histogram_compact.cu
 *	  Are the histograms and compactions of kernels/ right?
 *
 * Each case is executed on the device, in chunks, as an engine would, into
 * poisoned memory; and on the host by the plainest code that follows the
 * definitions in engine.h.  Results must be equal to the last bit, and memory
 * beyond them untouched.
 *
 *		check_histogram_compact [small]
 *
 * small: only what compute-sanitizer gets through in a minute.
 *
 *-------------------------------------------------------------------------
 */
#include "../../kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

#define POISON		0xa5
#define GUARD		256			/* bytes looked at behind an output */

static int64_t cases;
static int64_t failures;
static bool small_only;

static void
check_cuda(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
	exit(2);
}

#define CUDA(call) check_cuda((call), #call)

static void
verdict(bool good, const std::string &what)
{
	cases++;
	if (good)
		return;
	if (failures++ < 20)
		printf("FAILED: %s\n", what.c_str());
}

/* A number from 0 to 2^64 - 1 (Steele, Lea, Flood, Fast splittable ..., 2014) */
static uint64_t
random_bits(void)
{
	static uint64_t state = 20240229;
	uint64_t	x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static double
random_unit(void)
{
	return (double) (random_bits() >> 11) * 0x1p-53;
}

static int64_t
random_below(int64_t n)
{
	return (int64_t) (random_bits() % (uint64_t) n);
}

/* An array: the values of all elements, also of those that are NULL. */
typedef struct array
{
	gs_type		type;
	int64_t		n;
	std::vector<uint8_t> values;
	std::vector<bool> is_null;
	bool		has_nulls;
} array;

static int
width_of(gs_type type)
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
		default:
			return 8;
	}
}

static const char *
name_of(gs_type type)
{
	static const char *const names[] = {
		"", "bool", "int2", "int4", "int8", "float4", "float8"
	};

	return names[type];
}

template <typename T>
static T
value_at(const array &a, int64_t i)
{
	T			v;

	memcpy(&v, &a.values[i * sizeof(T)], sizeof(T));
	return v;
}

static double
double_at(const array &a, int64_t i)
{
	switch (a.type)
	{
		case GS_INT2:
			return value_at<int16_t>(a, i);
		case GS_INT4:
			return value_at<int32_t>(a, i);
		case GS_INT8:
			return (double) value_at<int64_t>(a, i);
		case GS_FLOAT4:
			return value_at<float>(a, i);
		default:
			return value_at<double>(a, i);
	}
}

template <typename T>
static T
clamped(double v)
{
	const double low = sizeof(T) == 2 ? INT16_MIN : sizeof(T) == 4 ? INT32_MIN :
		-0x1p63;

	if (!(v > low))
		return sizeof(T) == 2 ? INT16_MIN : sizeof(T) == 4 ? INT32_MIN : INT64_MIN;
	if (v >= -low)
		return (T) ~(sizeof(T) == 2 ? INT16_MIN : sizeof(T) == 4 ? INT32_MIN :
					 INT64_MIN);
	return (T) v;
}

static void
set_value(array *a, int64_t i, double v)
{
	int16_t		i2 = clamped<int16_t>(v);
	int32_t		i4 = clamped<int32_t>(v);
	int64_t		i8 = clamped<int64_t>(v);
	float		f4 = (float) v;
	const void *from = &v;

	if (a->type == GS_BOOL || a->type == GS_INT2)
		from = &i2;
	else if (a->type == GS_INT4)
		from = &i4;
	else if (a->type == GS_INT8)
		from = &i8;
	else if (a->type == GS_FLOAT4)
		from = &f4;
	memcpy(&a->values[i * width_of(a->type)], from, width_of(a->type));
}

static array
new_array(gs_type type, int64_t n, double null_rate)
{
	array		a;

	a.type = type;
	a.n = n;
	a.values.resize(n * width_of(type));
	a.is_null.resize(n);
	a.has_nulls = false;
	for (int64_t i = 0; i < n && null_rate > 0; i++)
	{
		a.is_null[i] = random_unit() < null_rate;
		if (a.is_null[i])
			a.has_nulls = true;
	}
	return a;
}

static array
random_mask(int64_t n, double rate, double null_rate)
{
	array		a = new_array(GS_BOOL, n, null_rate);

	for (int64_t i = 0; i < n; i++)
		set_value(&a, i, random_unit() < rate);
	return a;
}

/* Device memory that grows, and is aligned as kernels.h asks. */
typedef struct buffer
{
	char	   *at;
	size_t		size;
} buffer;

static void *
need(buffer *b, size_t size)
{
	if (size + GUARD > b->size)
	{
		CUDA(cudaFree(b->at));
		b->size = size + GUARD;
		CUDA(cudaMalloc((void **) &b->at, b->size));
	}
	CUDA(cudaMemset(b->at, POISON, size + GUARD));
	return b->at;
}

/* Elements first to first + n of a, packed on the device. */
static gs_device_span
upload(const array &a, int64_t first, int64_t n, buffer *values, buffer *bits)
{
	const int	width = width_of(a.type);
	std::vector<uint8_t> packed;
	std::vector<uint8_t> bitmap((n + 7) / 8, 0);
	gs_device_span span = {NULL, NULL, 0};

	packed.reserve(n * width + 16);
	for (int64_t i = first; i < first + n; i++)
	{
		if (a.is_null[i])
			continue;
		packed.insert(packed.end(), a.values.begin() + i * width,
					  a.values.begin() + (i + 1) * width);
		bitmap[(i - first) / 8] |= 1 << ((i - first) % 8);
		span.present++;
	}
	/* what lies behind the last bit is anything */
	if (n % 8 != 0)
		bitmap.back() |= 0xff << (n % 8);
	span.values = need(values, packed.size() + 16);
	if (!packed.empty())
		CUDA(cudaMemcpy((void *) span.values, packed.data(), packed.size(),
						cudaMemcpyHostToDevice));
	if (span.present < n)
	{
		span.validity = (const uint8_t *) need(bits, bitmap.size() + 16);
		CUDA(cudaMemcpy((void *) span.validity, bitmap.data(), bitmap.size(),
						cudaMemcpyHostToDevice));
	}
	return span;
}

static buffer data_values;
static buffer data_bits;
static buffer mask_values;
static buffer mask_bits;
static buffer state_memory;
static buffer scratch_memory;
static buffer out_values;
static buffer out_bits;
static buffer out_done;

/* Is all of the memory from `from` on still poison? */
static bool
untouched(const void *from, size_t size)
{
	std::vector<uint8_t> bytes(size);

	CUDA(cudaMemcpy(bytes.data(), from, size, cudaMemcpyDeviceToHost));
	for (uint8_t b : bytes)
	{
		if (b != POISON)
			return false;
	}
	return true;
}

static std::string
describe(const gs_op &op, const array &a, int64_t chunk, const char *what)
{
	char		text[300];

	snprintf(text, sizeof text,
			 "%s: kind %d, %s, n %lld%s, chunk %lld, low %.17g, high %.17g, "
			 "buckets %d, formula %d, compare %d, bound %.17g %lld", what,
			 op.kind, name_of((gs_type) op.type), (long long) a.n,
			 a.has_nulls ? " with NULLs" : "", (long long) chunk, op.low,
			 op.high, op.buckets, op.formula, op.compare, op.bound,
			 (long long) op.ibound);
	return text;
}

/* histograms */

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
	const gs_family *f = &gs_histogram_family;
	const size_t bins = op.buckets + 3;
	std::vector<int64_t> expected(bins, 0);
	std::vector<int64_t> counts(bins);
	std::vector<uint8_t> report(f->report_size(&op));
	size_t		scratch_size = f->scratch_size(&op, chunk < a.n ? chunk : a.n);
	size_t		state_size = f->state_size(&op, a.n);
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
		CUDA(f->chunk(&op, &in, NULL, state, scratch, 0));
	}
	CUDA(f->finish(&op, a.n, state, 0));
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
			v = low + (high / 2 - low / 2) * 8 * (random_unit() - 0.5);
		else if (choice < 9)
			v = low + (high - low) * random_unit();
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

static const gs_type number_types[] = {
	GS_INT2, GS_INT4, GS_INT8, GS_FLOAT4, GS_FLOAT8
};

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
					v += random_unit() < 0.01 ? 1000 : random_unit() + 1e-9;
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
						  random_unit() * 1.1 - 0.05 : hot == 1 ? 0.3 : 0.7);
			check_histogram(op, a, n);
			if (hot == 0)
				check_histogram(op, a, (n / 2 + 1023) / 1024 * 1024);
		}
	}
}

/* compactions */

static bool
compares(const gs_op &op, const array &a, int64_t i)
{
	int			order;

	if (op.integer_bound && a.type != GS_FLOAT4 && a.type != GS_FLOAT8)
	{
		int64_t		v = a.type == GS_INT2 ? value_at<int16_t>(a, i) :
			a.type == GS_INT4 ? value_at<int32_t>(a, i) : value_at<int64_t>(a, i);

		order = v < op.ibound ? -1 : v > op.ibound;
	}
	else
	{
		double		v = double_at(a, i);
		double		bound = op.integer_bound ? (double) op.ibound : op.bound;

		if (v != v || bound != bound)
			order = (v != v) - (bound != bound);
		else
			order = v < bound ? -1 : v > bound;
	}
	switch (op.compare)
	{
		case GS_LT:
			return order < 0;
		case GS_LE:
			return order <= 0;
		case GS_EQ:
			return order == 0;
		case GS_NE:
			return order != 0;
		case GS_GE:
			return order >= 0;
		default:
			return order > 0;
	}
}

/* Compare one chunk's output with elements `kept` of a. */
static void
check_output(const gs_op &op, const array &a, int64_t chunk,
			 const std::vector<int64_t> &kept, bool nulls)
{
	const int	width = op.kind == GS_WHERE ? 4 : width_of(a.type);
	std::vector<uint8_t> values;
	std::vector<uint8_t> got;
	std::vector<uint64_t> bits(kept.size() / 64 + 1, 0);
	std::vector<uint64_t> got_bits(kept.size() / 64 + 1);
	const size_t bit_words = (kept.size() + 63) / 64;
	gs_done		done;
	int64_t		present = 0;
	size_t		written;

	for (size_t k = 0; k < kept.size(); k++)
	{
		const int32_t position = (int32_t) kept[k] + 1;
		const uint8_t *from = op.kind == GS_WHERE ?
			(const uint8_t *) &position : &a.values[kept[k] * width];

		if (op.kind != GS_WHERE && a.is_null[kept[k]])
			continue;
		values.insert(values.end(), from, from + width);
		bits[k / 64] |= UINT64_C(1) << (k % 64);
		present++;
	}
	CUDA(cudaMemcpy(&done, out_done.at, sizeof done, cudaMemcpyDeviceToHost));
	verdict(done.n == (int64_t) kept.size() && done.present == present &&
			done.overflow == 0, describe(op, a, chunk, "numbers"));
	got.resize(values.size());
	if (!got.empty())
		CUDA(cudaMemcpy(got.data(), out_values.at, got.size(),
						cudaMemcpyDeviceToHost));
	verdict(got == values, describe(op, a, chunk, "values"));
	written = (values.size() + 15) / 16 * 16;
	verdict(untouched(out_values.at + written, GUARD),
			describe(op, a, chunk, "memory behind the values"));
	if (!nulls)
	{
		verdict(untouched(out_bits.at, GUARD),
				describe(op, a, chunk, "unwanted bitmap"));
		return;
	}
	CUDA(cudaMemcpy(got_bits.data(), out_bits.at, bit_words * 8,
					cudaMemcpyDeviceToHost));
	if (kept.size() % 64 != 0)
		got_bits[bit_words - 1] &= (UINT64_C(1) << (kept.size() % 64)) - 1;
	got_bits.resize(bit_words);
	bits.resize(bit_words);
	verdict(got_bits == bits, describe(op, a, chunk, "bitmap"));
}

static void
check_compaction(const gs_op &op, const array &a, const array &mask,
				 int64_t chunk)
{
	const gs_family *f = &gs_compact_family;
	const int	width = op.kind == GS_WHERE ? 4 : width_of(a.type);
	const int64_t most = chunk < a.n ? chunk : a.n;
	void	   *state = need(&state_memory, f->state_size(&op, a.n));
	size_t		scratch_size = f->scratch_size(&op, most);
	void	   *scratch = need(&scratch_memory, scratch_size);

	CUDA(f->start(&op, a.n, state, 0));
	for (int64_t first = 0; first < a.n; first += chunk)
	{
		gs_device_input in = {};
		gs_device_output out;
		std::vector<int64_t> kept;

		in.first = first;
		in.n = a.n - first < chunk ? a.n - first : chunk;
		in.data = upload(a, first, in.n, &data_values, &data_bits);
		if (op.kind == GS_COMPACT)
			in.mask = upload(mask, first, in.n, &mask_values, &mask_bits);
		out.values = need(&out_values, (in.n * width + 15) / 16 * 16);
		out.validity = (uint8_t *) need(&out_bits, (in.n + 63) / 64 * 8);
		out.done = (gs_done *) need(&out_done, sizeof(gs_done));
		CUDA(f->chunk(&op, &in, &out, state, scratch, 0));
		CUDA(cudaDeviceSynchronize());
		for (int64_t i = first; i < first + in.n; i++)
		{
			bool		keep;

			if (op.kind == GS_COMPACT)
				keep = !mask.is_null[i] && mask.values[i];
			else if (op.kind == GS_WHERE)
				keep = !a.is_null[i] && a.values[i];
			else
				keep = !a.is_null[i] && compares(op, a, i);
			if (keep)
				kept.push_back(i);
		}
		check_output(op, a, chunk, kept,
					 op.kind == GS_COMPACT && in.data.validity != NULL);
		verdict(untouched((char *) scratch + scratch_size, GUARD),
				describe(op, a, chunk, "memory behind scratch"));
	}
	CUDA(f->finish(&op, a.n, state, 0));
}

static const int64_t compact_sizes[] = {
	1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 511, 512, 513, 1023, 1024, 1025,
	4095, 4096, 4097, 8191, 8192, 8193, 16384, 50000, 100003
};

static void
check_masks(void)
{
	static const double rates[] = {0, 0.01, 0.5, 0.99, 1};
	static const gs_type types[] = {GS_INT2, GS_FLOAT4, GS_FLOAT8};

	for (int64_t n : compact_sizes)
	{
		for (gs_type type : types)
		{
			double		rate = rates[random_below(5)];

			if (small_only && n > 10000)
				continue;
			for (int nulls = 0; nulls < 4; nulls++)
			{
				array		a = new_array(type, n, nulls & 1 ? 0.4 : 0);
				array		mask = random_mask(n, rate, nulls & 2 ? 0.2 : 0);
				gs_op		op = {};

				for (uint8_t &byte : a.values)
					byte = (uint8_t) random_bits();
				op.kind = GS_COMPACT;
				op.type = type;
				check_compaction(op, a, mask, n);
				if (n > 8192)
					check_compaction(op, a, mask, 4096);
			}
		}
	}
}

static void
check_positions(void)
{
	static const double rates[] = {0, 0.01, 0.5, 1};

	for (int64_t n : compact_sizes)
	{
		for (double rate : rates)
		{
			gs_op		op = {};

			if (small_only && n > 10000)
				continue;
			op.kind = GS_WHERE;
			op.type = GS_BOOL;
			check_compaction(op, random_mask(n, rate, 0), array(), n);
			check_compaction(op, random_mask(n, rate, 0.3), array(), n);
			check_compaction(op, random_mask(n, rate, 0.1), array(), 1024);
		}
	}
}

static void
check_filters(void)
{
	static const double bounds[] = {
		0.0, -0.0, 0.5, -3, 7, NAN, INFINITY, -INFINITY, 1e300, -1e300, 32767,
		32768, -32768, -32769, 0x1p31, 0x1p63, -0x1p63, 0x1p53, 1e-46, FLT_MAX,
		-FLT_MAX, 0x1.fffffffp127, DBL_MAX, 5e-324, 16777217, 0.1
	};
	static const int64_t ibounds[] = {
		0, 5, -5, 32767, 32768, -32768, -32769, INT32_MAX, INT32_MIN,
		(int64_t) INT32_MAX + 1, INT64_MAX, INT64_MIN, INT64_C(1) << 53,
		(INT64_C(1) << 53) + 1
	};
	const int	doubles = sizeof bounds / sizeof *bounds;
	const int	integers = sizeof ibounds / sizeof *ibounds;

	for (int b = 0; b < doubles + integers; b++)
	{
		for (gs_type type : number_types)
		{
			for (int compare = GS_LT; compare <= GS_GT; compare++)
			{
				int64_t		n = compact_sizes[random_below(small_only ? 15 : 26)];
				array		a = new_array(type, n, b % 3 == 0 ? 0.2 : 0);
				gs_op		op = {};

				op.kind = GS_FILTER;
				op.type = type;
				op.compare = compare;
				op.integer_bound = b >= doubles;
				if (op.integer_bound)
					op.ibound = ibounds[b - doubles];
				else
					op.bound = bounds[b];
				for (int64_t i = 0; i < n; i++)
				{
					double		v = op.integer_bound ? (double) op.ibound :
						op.bound;
					int			steps = (int) random_below(5) - 2;

					if (random_below(2))
						v = random_below(4) ? (double) random_below(20) - 10 :
							gs_bits_double(random_bits());
					if (type == GS_FLOAT4)
						for (; steps != 0; steps -= steps > 0 ? 1 : -1)
							v = nextafterf((float) v, steps > 0 ? INFINITY : -INFINITY);
					else if (type == GS_FLOAT8)
						for (; steps != 0; steps -= steps > 0 ? 1 : -1)
							v = nextafter(v, steps > 0 ? INFINITY : -INFINITY);
					else
						v += steps;
					set_value(&a, i, v);
					if (type == GS_INT8 && op.integer_bound && random_below(2))
					{
						uint64_t	near = (uint64_t) op.ibound + random_below(5) - 2;

						memcpy(&a.values[i * 8], &near, 8);
					}
				}
				check_compaction(op, a, array(), n);
			}
		}
	}
}

static void
check_large_compactions(void)
{
	static const double rates[] = {0, 0.001, 0.5, 0.999, 1};
	const int64_t n = (1 << 24) + 4321;

	for (double rate : rates)
	{
		array		mask = random_mask(n, rate, 0);
		array		a = new_array(GS_FLOAT8, n, 0);
		gs_op		op = {};

		for (int64_t i = 0; i < n; i++)
			set_value(&a, i, random_unit());
		op.kind = GS_COMPACT;
		op.type = GS_FLOAT8;
		check_compaction(op, a, mask, n);
		op.kind = GS_FILTER;
		op.compare = GS_LT;
		op.bound = rate;
		check_compaction(op, a, mask, n);
		op.kind = GS_WHERE;
		op.type = GS_BOOL;
		check_compaction(op, mask, array(), n);
	}
}

int
main(int argc, char **argv)
{
	small_only = argc > 1 && strcmp(argv[1], "small") == 0;
	check_masks();
	check_positions();
	check_filters();
	printf("compactions: %lld checks, %lld failures\n", (long long) cases,
		   (long long) failures);
	check_widths();
	check_edges();
	printf("with histograms: %lld checks, %lld failures\n", (long long) cases,
		   (long long) failures);
	if (!small_only)
	{
		check_large_compactions();
		check_large_histograms();
	}
	printf("%lld checks, %lld failures\n", (long long) cases,
		   (long long) failures);
	return failures == 0 ? 0 : 1;
}
