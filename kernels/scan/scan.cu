/*-------------------------------------------------------------------------
 *
 * scan.cu
 *	  The family of scans.
 *
 * The kernel is in scan.cuh.  What it scans is defined in scan_integer.cuh or,
 * for sums of floats, in scan_float.cu.  Products are scanned by other kernels
 * (product.cu).
 *
 * Results can be NULL only where a segment has started but no value has come
 * yet.  Without heads these are the first results of the array, so a number
 * (leading_nulls) describes them, and the scan shifts its results left by that
 * number.  With heads the scan writes a result for every element, a pass over
 * the bitmaps finds which of them are NULL, and another drops those
 * (scan_nulls.cu).
 *
 * Source, determinism: those of scan.cuh.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/scan/scan_integer.cuh"
#include "kernels/scan/scan_nulls.cuh"

typedef cudaError_t (*launcher) (const gs_op *op, scan_args *a,
								 cudaStream_t stream);

template <class S>
static cudaError_t
launch(const gs_op *op, scan_args *a, cudaStream_t stream)
{
	return scan_launch_any(S(op), a, stream);
}

/* By type. */
static const launcher sums[] = {
	NULL, NULL, launch<scan_sum<int16_t>>, launch<scan_sum<int32_t>>,
	launch<scan_sum_int8>, gs_scan_floats, gs_scan_floats
};
static const launcher extremes[] = {
	NULL, NULL, launch<scan_extreme<int16_t>>, launch<scan_extreme<int32_t>>,
	launch<scan_extreme<int64_t>>, launch<scan_extreme<float>>,
	launch<scan_extreme<double>>
};
static const launcher bits[] = {
	NULL, launch<scan_bits<uint8_t, uint32_t>>,
	launch<scan_bits<uint16_t, uint32_t>>,
	launch<scan_bits<uint32_t, uint32_t>>,
	launch<scan_bits<uint64_t, uint64_t>>
};
static const launcher xors[] = {
	NULL, NULL,
	launch<scan_bits<uint16_t, uint32_t, op_xor<uint32_t>>>,
	launch<scan_bits<uint32_t, uint32_t, op_xor<uint32_t>>>,
	launch<scan_bits<uint64_t, uint64_t, op_xor<uint64_t>>>,
	NULL, NULL
};

static launcher
launcher_of(const gs_op *op)
{
	switch (op->kind)
	{
		case GS_SCAN_SUM:
			return sums[op->type];
		case GS_SCAN_COUNT:
			return launch<scan_count>;
		case GS_SCAN_MIN:
		case GS_SCAN_MAX:
			return extremes[op->type];
		case GS_SCAN_BIT_AND:
		case GS_SCAN_BIT_OR:
			return bits[op->type];
		case GS_SCAN_BIT_XOR:
			return xors[op->type];
		default:
			return NULL;
	}
}

static bool
is_float_sum(const gs_op *op)
{
	return op->kind == GS_SCAN_SUM &&
		(op->type == GS_FLOAT4 || op->type == GS_FLOAT8);
}

static bool
has_heads(const gs_op *op)
{
	return op->segment.marked || op->segment.length > 0;
}

static int
output_width(const gs_op *op)
{
	return gs_type_width(gs_output_type(op));
}

#define MIN_WARPS		4

/*
 * A single tile if a block with many tiles could hold it: a larger tile takes
 * longer than looking back (10,000 int4 14.5 us  instead of 13.6).  Otherwise
 * tiles as large as possible such that each multiprocessor gets the same
 * number of them.
 */
cudaError_t
gs_scan_tiles(int reserved_shared, scan_limit *many, scan_limit *single_wave,
			  scan_args *a)
{
	static int	shared;			/* memory of a block */
	int			available;
	int			device;
	int64_t		shares;			/* warps' shares in the batch */
	int64_t		rounds;			/* tiles a block */
	int			blocks;

	if (shared == 0)
	{
		GS_TRY(cudaGetDevice(&device));
		GS_TRY(cudaDeviceGetAttribute
			   (&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
	}
	GS_TRY(gs_grid(INT32_MAX, 1, &blocks));
	available = shared - reserved_shared;
	many->warps = min(many->warps, available / many->of_warp);
	single_wave->warps = min(single_wave->warps,
							 available / single_wave->of_warp);

	shares = gs_divide_up(a->n, WARP_ITEMS);
	if (shares <= many->warps)
		a->warps = (int) shares;
	else
	{
		rounds = shares <= (int64_t) blocks * single_wave->warps ? 1 :
			gs_divide_up(shares, (int64_t) blocks * many->warps);
		a->warps = max((int) gs_divide_up(shares, rounds * blocks),
					   min(MIN_WARPS, many->warps));
	}
	a->tiles = gs_divide_up(shares, a->warps);
	a->single_wave = a->tiles <= blocks;
	return cudaSuccess;
}

/* An upper bound of the number of tiles for n elements or fewer. */
static int64_t
max_tiles(int64_t n)
{
	return gs_divide_up(n, WARP_ITEMS);
}

/* The layout of scratch.  The first two are cleared, if necessary. */
typedef struct scan_scratch
{
	scan_header *header;
	gs_u128    *published;
	void	   *exact;			/* sums of floats */
	uint32_t   *ranks;			/* of the elements */
	uint32_t   *other_ranks;	/* of the mask, then of the results */
	void	   *ranks_scratch;
	uint8_t    *head_bits;
	uint8_t    *known;
	void	   *known_scratch;
	void	   *results;		/* including those that are NULL */
	size_t		size;
} scan_scratch;

static scan_scratch
share_out(const gs_op *op, int64_t n, void *scratch)
{
	size_t		bitmap = gs_divide_up(n, 64) * 8;
	char	   *at = (char *) scratch;
	scan_scratch s;

	memset(&s, 0, sizeof s);
	s.header = (scan_header *) gs_part(&at, sizeof(scan_header));
	s.published = (gs_u128 *)
		gs_part(&at, 2 * max_tiles(n) * sizeof(gs_u128));
	if (is_float_sum(op))
		s.exact = gs_part(&at, gs_scan_exact_scratch_size(n));
	s.ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.other_ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.ranks_scratch = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.head_bits = (uint8_t *) gs_part(&at, bitmap);
	s.known = (uint8_t *) gs_part(&at, bitmap);
	s.known_scratch = gs_part(&at, gs_scan_known_scratch_size(n));
	if (has_heads(op) && gs_gives_null(op, true))
		s.results = gs_part(&at, n * output_width(op) + 16);
	s.size = at - (char *) scratch;
	return s;
}

static size_t
scan_state_size(const gs_op *, int64_t)
{
	return sizeof(scan_state);
}

static size_t
scan_scratch_size(const gs_op *op, int64_t chunk)
{
	return share_out(op, chunk, NULL).size;
}

/* Set where the batch's heads come from. */
static cudaError_t
set_heads(const gs_op *op, const gs_device_input *in, const scan_scratch &s,
		  scan_args *a, cudaStream_t stream)
{
	const int64_t max_chunk = GS_BATCH_MAX;

	a->head_source = HEADS_NONE;
	if (op->segment.length > 0)
	{
		int64_t		into = in->first % op->segment.length;	/* its segment */
		int64_t		first = into == 0 ? 0 : op->segment.length - into;

		/* a segment longer than any batch starts at most once in this one */
		if (first < in->n)
		{
			a->head_source = HEADS_EVERY;
			a->every = (uint32_t) (op->segment.length < max_chunk ? op->segment.length :
								   max_chunk);
			a->lead = (uint32_t) (first == 0 ? 0 : a->every - first);
			if (op->segment.length < max_chunk)
				a->lead = (uint32_t) into;
		}
	}
	else if (op->segment.marked && in->mask.validity == NULL)
	{
		a->head_source = HEADS_BYTES;
		a->heads = (const uint8_t *) in->mask.values;
	}
	else if (op->segment.marked)
	{
		a->head_source = HEADS_BITS;
		a->heads = s.head_bits;
		GS_TRY(gs_bitmap_ranks(in->mask.validity, in->n, s.other_ranks,
							   s.ranks_scratch, stream));
		GS_TRY(gs_scan_mask_bits(&in->mask, in->n, s.other_ranks,
								 s.head_bits, stream));
	}
	return cudaSuccess;
}

/*
 * Scan a batch, normally or as fallback.  If it is the whole array, the caller
 * learns of failures and runs the fallback.  Otherwise the next batch needs
 * the carry, so sums of floats that have failed are redone at once.
 */
static cudaError_t
scan_by(const gs_op *op, const gs_device_input *in,
		const gs_device_output *out, void *state, void *scratch, bool fallback,
		cudaStream_t stream)
{
	scan_scratch s = share_out(op, in->n, scratch);
	launcher	launch = launcher_of(op);
	bool		has_nulls = in->data.validity != NULL;
	bool		nulls = gs_gives_null(op, has_nulls);
	bool		packs = false;
	scan_args	a;

	if (launch == NULL)
		return cudaErrorNotSupported;
	memset(&a, 0, sizeof a);
	a.first = in->first;
	a.n = in->n;
	a.more = in->first + in->n < in->all;
	a.fallback = fallback;
	a.defers_retry = in->n == in->all && !fallback;
	a.values = in->data.values;
	a.validity = in->data.validity;
	a.ranks = s.ranks;
	a.exclusive = op->scan.exclusive;
	a.out = out->values;
	a.out_validity = nulls ? out->validity : NULL;
	a.done = out->done;
	a.state = (scan_state *) state;
	a.header = s.header;
	a.published = s.published;

	GS_TRY(set_heads(op, in, s, &a, stream));
	if (has_nulls)
		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, s.ranks,
							   s.ranks_scratch, stream));

	a.has_values = in->data.present > 0;
	a.sets_seen = a.more;
	if (nulls && a.head_source == HEADS_NONE)
	{
		a.leads = true;
		if (has_nulls)
			a.first_value = gs_bitmap_ranks_first_value(s.ranks, in->n);
	}
	else if (nulls)
	{
		a.sets_seen = false;

		/* gs_bitmap_ranks reads whole 16 bytes */
		GS_TRY(cudaMemsetAsync(out->validity + in->n / 128 * 16, 0, 16,
							   stream));
		GS_TRY(gs_scan_known(a, out->validity, s.known_scratch, stream));
		a.out = s.results;
		a.out_validity = NULL;
		packs = true;
	}
	else if (is_float_sum(op) && op->scan.exclusive && has_nulls)
	{
		GS_TRY(gs_scan_known(a, s.known, s.known_scratch, stream));
		a.known = s.known;
		a.sets_seen = false;
	}

	if (!fallback || !is_float_sum(op))
		GS_TRY(launch(op, &a, stream));
	else
		GS_TRY(cudaMemsetAsync(s.header, 0, sizeof *s.header, stream));
	if (!a.defers_retry && is_float_sum(op))
		GS_TRY(gs_scan_exact(op, a, s.exact, stream));
	if (packs)
	{
		GS_TRY(gs_bitmap_ranks(out->validity, in->n, s.other_ranks,
							   s.ranks_scratch, stream));
		GS_TRY(gs_scan_pack(s.results, output_width(op), in->n, out->validity,
							s.other_ranks, out->values, out->done, stream));
	}
	return cudaSuccess;
}

static cudaError_t
scan_chunk(const gs_op *op, const gs_device_input *in,
		   const gs_device_output *out, void *state, void *scratch,
		   cudaStream_t stream)
{
	return scan_by(op, in, out, state, scratch, false, stream);
}

static cudaError_t
scan_fallback(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *out, void *state, void *scratch,
			  cudaStream_t stream)
{
	return scan_by(op, in, out, state, scratch, true, stream);
}

const gs_kernels gs_scan_kernels = {
	.name = "scan",
	.state_size = scan_state_size,
	.scratch_size = scan_scratch_size,
	.batch = scan_chunk,
	.fallback = scan_fallback
};
