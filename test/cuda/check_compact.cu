/*-------------------------------------------------------------------------
 *
 * check_compact.cu
 *	  Are the compactions of kernels/ right?
 *
 *		check_compact [small]
 *
 * small: only what compute-sanitizer gets through in a minute.
 *
 *-------------------------------------------------------------------------
 */
#include "direct.h"

#include <float.h>

static buffer mask_values;
static buffer mask_bits;
static buffer out_values;
static buffer out_bits;
static buffer out_done;

static array
random_mask(int64_t n, double rate, double null_rate)
{
	array		a = new_array(GS_BOOL, n, null_rate);

	for (int64_t i = 0; i < n; i++)
		set_value(&a, i, random_uniform() < rate);
	return a;
}

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
	const int	width = op.kind == GS_WHERE ? 4 : gs_type_width(a.type);
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
	const gs_kernels *f = &gs_compact_kernels;
	const int	width = op.kind == GS_WHERE ? 4 : gs_type_width(a.type);
	const int64_t most = chunk < a.n ? chunk : a.n;
	void	   *state = need(&state_memory, gs_kernels_state_size(f, &op, a.n));
	size_t		scratch_size = gs_kernels_scratch_size(f, &op, most);
	void	   *scratch = need(&scratch_memory, scratch_size);

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
		CUDA(f->batch(&op, &in, &out, state, scratch, 0));
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
			set_value(&a, i, random_uniform());
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

static void
checks(void)
{
	check_masks();
	check_positions();
	check_filters();
	if (!small_only)
		check_large_compactions();
}

int
main(int argc, char **argv)
{
	return run_checks(argc, argv, checks);
}
