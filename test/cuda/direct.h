/*-------------------------------------------------------------------------
 *
 * direct.h
 *	  What checks of kernels/kernels.h without an engine have in common.
 *
 * Each case is executed on the device, in chunks, as an engine would, into
 * poisoned memory; and on the host by the plainest code that follows the
 * definitions in engine.h.  Results must be equal to the last bit, and memory
 * beyond them untouched.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DIRECT_H
#define DIRECT_H

#include "kernels/cuda_engine.h"
#include "kernels/kernels.h"
#include "test/common/compare.h"
#include "test/common/random.h"

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

/* Open the first device, or end. */
static inline void
open_device(void)
{
	gs_cuda_info info = {1, {0}};
	char		message[200];

	if (gs_cuda_open(0, &info, message, sizeof message) != GS_OK)
	{
		fprintf(stderr, "%s\n", message);
		exit(2);
	}
	printf("# %s\n", info.name);
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
		return sizeof(T) == 2 ? INT16_MIN : sizeof(T) == 4 ? INT32_MIN :
			INT64_MIN;
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
	memcpy(&a->values[i * gs_type_width(a->type)], from,
		   gs_type_width(a->type));
}

static const gs_type number_types[] = {
	GS_INT2, GS_INT4, GS_INT8, GS_FLOAT4, GS_FLOAT8
};

static array
new_array(gs_type type, int64_t n, double null_rate)
{
	array		a;

	a.type = type;
	a.n = n;
	a.values.resize(n * gs_type_width(type));
	a.is_null.resize(n);
	a.has_nulls = false;
	for (int64_t i = 0; i < n && null_rate > 0; i++)
	{
		a.is_null[i] = random_uniform() < null_rate;
		if (a.is_null[i])
			a.has_nulls = true;
	}
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
	const int	width = gs_type_width(a.type);
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
static buffer state_memory;
static buffer scratch_memory;

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
			 op.kind, type_names[op.type], (long long) a.n,
			 a.has_nulls ? " with NULLs" : "", (long long) chunk, op.histogram.low,
			 op.histogram.high, op.histogram.buckets, op.histogram.formula,
			 op.filter.compare, op.filter.bound, (long long) op.filter.ibound);
	return text;
}

/* Run the checks, all or those that compute-sanitizer gets through: one test. */
static int
run_checks(int argc, char **argv, void (*checks) (void))
{
	small_only = argc > 1 && strcmp(argv[1], "small") == 0;
	random_seed(20240229);
	checks();
	printf("%lld comparisons\n%d passed, %d failed\n", (long long) cases,
		   failures == 0 && cases > 0, failures > 0 || cases == 0);
	return failures > 0 || cases == 0;
}

#endif							/* DIRECT_H */
