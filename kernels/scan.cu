/*-------------------------------------------------------------------------
 *
 * scan.cu
 *	  Scans of integers, extremes, bits and counts; the family of scans.
 *
 * The kernel is scan.cuh's.  What it scans is defined here, or for sums of
 * floats in scan_float.cu.  Products are scanned otherwise (product.cu).
 *
 * Results that are NULL need care only where runs have begun but no value has
 * come.  Without heads these are the first results of the array, so a number
 * (leading_nulls) says it all, and the scan writes its results that much
 * further to the left.  With heads the scan writes a result for every element,
 * a pass over the bitmaps finds which are NULL, and another drops them
 * (scan_nulls.cu).
 *
 *-------------------------------------------------------------------------
 */
#include "scan_nulls.cuh"

/* ----------
 * What is scanned
 * ----------
 */

/* A total of 32 or 64 bits, which I is, and how two of them combine. */
template <typename I, class OP>
struct plain_part
{
	static const int WORDS = 1;
	I			v;

	__device__ static plain_part
	identity()
	{
		plain_part	r = {OP::neutral()};

		return r;
	}

	__device__ static plain_part
	combine(plain_part a, plain_part b)
	{
		plain_part	r = {OP::apply(a.v, b.v)};

		return r;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = (uint64_t) v;
	}

	__device__ static plain_part
	unpack(const gs_u128 *word)
	{
		plain_part	r = {(I) (uint64_t) word[0]};

		return r;
	}
};

template <typename I>
struct op_sum
{
	__device__ static I neutral() { return 0; }
	__device__ static I apply(I a, I b) { return a + b; }
};

template <typename I>
struct op_greatest
{
	__device__ static I
	neutral()
	{
		return sizeof(I) == 8 ? (I) INT64_MIN : (I) INT32_MIN;
	}
	__device__ static I apply(I a, I b) { return max(a, b); }
};

template <typename I>
struct op_or
{
	__device__ static I neutral() { return 0; }
	__device__ static I apply(I a, I b) { return a | b; }
};

/* What the first pass tells the second: nothing. */
struct no_note
{
};

/*
 * What all of these scans share.  D gives of(), result() and the types; I is
 * the type of totals, K that of items.
 */
template <class D, typename T_, typename K, typename I, typename OUT, class OP>
struct plain_scan
{
	typedef T_	T;
	typedef K	item;
	typedef OUT out;
	typedef plain_part<I, OP> part;
	typedef part far;
	typedef no_note note;
	static const bool VALUES = true;
	static const int ELEMENTS = sizeof(T) == 8 ? GS_WIDE_ELEMENTS :
		GS_NARROW_ELEMENTS;

	__device__ static part nothing() { return part::identity(); }
	__device__ static far far_of(part p) { return p; }
	__device__ static bool is_wanted(const scan_args &) { return true; }

	template <bool HEADS>
	__device__ part
	totals(const scan_args &, const warp_share &w, const uint4 *, int,
		   uint32_t with_head, const item (&x)[ITEMS], note *) const
	{
		part		p = nothing();

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			if (HEADS && (w.heads >> i & 1))
				p = nothing();
			p.v = OP::apply(p.v, (I) x[i]);
		}
		return warp_scan<part, HEADS>(p, with_head, GS_WARP);
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *, int,
			const far &before, const part &exclusive, const note &,
			const item (&x)[ITEMS], out (&r)[ITEMS]) const
	{
		const D    &d = *static_cast<const D *>(this);
		far			start = far::combine(before, exclusive);
		I			v = start.v;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			if (HEADS && (w.heads >> i & 1))
				v = OP::neutral();
			v = OP::apply(v, (I) x[i]);
			r[i] = d.result(v);
		}
		if (a.exclusive)
			make_exclusive(r, d.result(start.v), (out) 0, w.heads);
		return true;
	}

	__device__ static void
	carry(const scan_args &a, far total)
	{
		total.pack(a.state->next);
	}

	__device__ static void
	finish(const scan_args &a, uint32_t leading)
	{
		if (!reports(a))
			return;
		if (a.more)
			take_carry<far>(a);
		report(a, leading, 0);
	}
};

template <typename T>
struct scan_sum : plain_scan<scan_sum<T>, T, int32_t, int64_t, int64_t,
							 op_sum<int64_t>>
{
	scan_sum(const gs_op *) {}
	__device__ T absent() const { return 0; }
	__device__ int32_t of(T x) const { return x; }
	__device__ int64_t result(int64_t v) const { return v; }
};

/* Counts the elements that have values, without reading them. */
struct scan_count : plain_scan<scan_count, int64_t, int32_t, int64_t, int64_t,
							   op_sum<int64_t>>
{
	static const bool VALUES = false;

	scan_count(const gs_op *) {}
	__device__ int64_t result(int64_t v) const { return v; }

	__device__ void
	take(const scan_args &a, const uint4 *valid, int count,
		 int32_t (&x)[ITEMS]) const
	{
		uint32_t	bits = a.validity == NULL ? GS_ALL_LANES :
			((const uint16_t *) valid)[lane_here()];

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			x[i] = i < count ? bits >> i & 1 : 0;
	}
};

/* The least is the greatest of the complements. */
template <typename T>
struct scan_extreme : plain_scan<scan_extreme<T>, T, typename gs_key<T>::type,
								 typename gs_key<T>::type, T,
								 op_greatest<typename gs_key<T>::type>>
{
	typedef typename gs_key<T>::type key;
	key			flip;

	scan_extreme(const gs_op *op)
	{
		flip = op->kind == GS_SCAN_MIN ? -1 : 0;
	}
	__device__ T
	absent() const
	{
		return flip ? gs_key<T>::last() : gs_key<T>::first();
	}
	__device__ key of(T x) const { return gs_key<T>::of(x) ^ flip; }
	__device__ T result(key v) const { return gs_key<T>::value(v ^ flip); }
};

/* AND is the complement of the complements' OR. */
template <typename T, typename WORD>
struct scan_bits : plain_scan<scan_bits<T, WORD>, T, WORD, WORD, T,
							  op_or<WORD>>
{
	WORD		flip;

	scan_bits(const gs_op *op)
	{
		flip = op->kind != GS_SCAN_BIT_AND ? 0 : op->type == GS_BOOL ? 1 :
			(WORD) -1;
	}
	__device__ T absent() const { return (T) flip; }
	__device__ WORD of(T x) const { return (WORD) x ^ flip; }
	__device__ T result(WORD v) const { return (T) (v ^ flip); }
};

/* 128 bits hold any total of int8, and 96 do. */
struct wide_part
{
	static const int WORDS = 1;
	uint64_t	lo;
	int64_t		hi;

	__device__ static wide_part
	identity()
	{
		wide_part	r = {0, 0};

		return r;
	}

	__device__ static wide_part
	combine(wide_part a, wide_part b)
	{
		asm("add.cc.u64 %0, %0, %2;\n\t"
			"addc.u64 %1, %1, %3;"
			: "+l"(a.lo), "+l"(a.hi) : "l"(b.lo), "l"(b.hi));
		return a;
	}

	__device__ void
	add(int64_t x)
	{
		wide_part	b = {(uint64_t) x, x >> 63};

		*this = combine(*this, b);
	}

	/* Is it in the range of int8? */
	__device__ bool
	fits() const
	{
		return hi == (int64_t) lo >> 63;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = (gs_u128) (uint32_t) hi << 64 | lo;
	}

	__device__ static wide_part
	unpack(const gs_u128 *word)
	{
		wide_part	r = {(uint64_t) word[0], (int32_t) (word[0] >> 64)};

		return r;
	}
};

struct scan_sum_int8
{
	typedef int64_t T;
	typedef int64_t item;
	typedef int64_t out;
	typedef wide_part part;
	typedef wide_part far;
	typedef no_note note;
	static const bool VALUES = true;
	static const int ELEMENTS = GS_WIDE_ELEMENTS;

	scan_sum_int8(const gs_op *) {}

	__device__ static part nothing() { return part::identity(); }
	__device__ static far far_of(part p) { return p; }
	__device__ static int64_t absent() { return 0; }
	__device__ static bool is_wanted(const scan_args &) { return true; }
	__device__ item of(int64_t x) const { return x; }

	template <bool HEADS>
	__device__ part
	totals(const scan_args &, const warp_share &w, const uint4 *, int,
		   uint32_t with_head, const item (&x)[ITEMS], note *) const
	{
		part		p = nothing();

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			if (HEADS && (w.heads >> i & 1))
				p = nothing();
			p.add(x[i]);
		}
		return warp_scan<part, HEADS>(p, with_head, GS_WARP);
	}

	/* Find the first result that is out of range, if there is one. */
	__device__ __noinline__ void
	search_range(const scan_args &a, warp_share w, const uint4 *room,
				 int count, wide_part v) const
	{
		item		x[ITEMS];

		share_take(*this, room, count, x);
		for (int i = 0; i < count; i++)
		{
			wide_part	before = w.heads >> i & 1 ? nothing() : v;

			v = before;
			v.add(x[i]);
			if (!(a.exclusive ? before : v).fits())
			{
				note_range(a, w.base + gs_lane() * ITEMS + i);
				return;
			}
		}
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *room,
			int count, const far &before, const part &exclusive, const note &,
			const item (&x)[ITEMS], out (&r)[ITEMS]) const
	{
		far			start = far::combine(before, exclusive);
		int64_t		v = (int64_t) start.lo;
		uint64_t	over = start.fits() ? 0 : UINT64_MAX;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			int64_t		y = x[i];

			if (HEADS && (w.heads >> i & 1))
				v = 0;
			r[i] = (int64_t) ((uint64_t) v + (uint64_t) y);
			/* both signs differ from the sum's */
			over |= (uint64_t) ((v ^ r[i]) & (y ^ r[i]));
			v = r[i];
		}
		if (__any_sync(GS_ALL_LANES, over >> 63))
			search_range(a, w, room, count, start);
		if (a.exclusive)
			make_exclusive(r, (int64_t) start.lo, (int64_t) 0, w.heads);
		return true;
	}

	__device__ static void
	carry(const scan_args &a, far total)
	{
		total.pack(a.state->next);
	}

	__device__ static void
	finish(const scan_args &a, uint32_t leading)
	{
		if (!reports(a))
			return;
		if (a.more)
			take_carry<far>(a);
		report(a, leading, read_range(a));
	}
};

/* ----------
 * The family
 * ----------
 */

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
		default:
			return bits[op->type];
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
	return op->segmented || op->chunk > 0;
}

static int
output_width(const gs_op *op)
{
	return gs_type_width(gs_output_type(op));
}

#define LEAST_WARPS		4

/*
 * One tile if that can hold the chunk.  Else tiles as large as they can be while
 * each multiprocessor gets as many of them as any other.
 */
cudaError_t
gs_scan_tiles(int of_warp, int besides, int64_t n, int *most, int *warps,
			  int64_t *tiles)
{
	static int	shared;			/* of a block */
	int			device;
	int64_t		rounds;			/* tiles of a block */
	int			blocks;

	if (shared == 0)
	{
		GS_TRY(cudaGetDevice(&device));
		GS_TRY(cudaDeviceGetAttribute
			   (&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
	}
	if (*most > (shared - besides) / of_warp)
		*most = (shared - besides) / of_warp;
	GS_TRY(gs_grid(INT32_MAX, 1, &blocks));
	if (n <= *most * WARP_ITEMS)
		*warps = (int) gs_divide_up(n, WARP_ITEMS);
	else
	{
		rounds = gs_divide_up(n, (int64_t) blocks * *most * WARP_ITEMS);
		*warps = (int) gs_divide_up(n, rounds * blocks * WARP_ITEMS);
		if (*warps < LEAST_WARPS)
			*warps = *most < LEAST_WARPS ? *most : LEAST_WARPS;
	}
	*tiles = gs_divide_up(n, (int64_t) *warps * WARP_ITEMS);
	return cudaSuccess;
}

/* At least as many tiles as n elements or fewer are ever cut into. */
static int64_t
bound_tiles(int64_t n)
{
	return gs_divide_up(n, WARP_ITEMS);
}

/* How scratch is shared out.  The first two are cleared, if need be. */
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
	void	   *results;		/* NULLs among them */
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
		gs_part(&at, 2 * bound_tiles(n) * sizeof(gs_u128));
	if (is_float_sum(op))
		s.exact = gs_part(&at, gs_scan_exact_scratch_size(n));
	s.ranks = (uint32_t *) gs_part(&at, gs_ranks_size(n));
	s.other_ranks = (uint32_t *) gs_part(&at, gs_ranks_size(n));
	s.ranks_scratch = gs_part(&at, gs_ranks_scratch_size(n));
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
scan_report_size(const gs_op *)
{
	return 0;
}

static size_t
scan_scratch_size(const gs_op *op, int64_t chunk)
{
	return share_out(op, chunk, NULL).size;
}

static cudaError_t
scan_start(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

/* Where the heads of the chunk come from. */
static cudaError_t
set_heads(const gs_op *op, const gs_device_input *in, const scan_scratch &s,
		  scan_args *a, cudaStream_t stream)
{
	const int64_t most = GS_CHUNK_MOST;

	a->head_source = HEADS_NONE;
	if (op->chunk > 0)
	{
		int64_t		into = in->first % op->chunk;	/* a run */
		int64_t		first = into == 0 ? 0 : op->chunk - into;

		/* a run that is longer than any chunk starts once in this, or not */
		if (first < in->n)
		{
			a->head_source = HEADS_EVERY;
			a->every = (uint32_t) (op->chunk < most ? op->chunk : most);
			a->lead = (uint32_t) (first == 0 ? 0 : a->every - first);
			if (op->chunk < most)
				a->lead = (uint32_t) into;
		}
	}
	else if (op->segmented && in->mask.validity == NULL)
	{
		a->head_source = HEADS_BYTES;
		a->heads = (const uint8_t *) in->mask.values;
	}
	else if (op->segmented)
	{
		a->head_source = HEADS_BITS;
		a->heads = s.head_bits;
		GS_TRY(gs_ranks(in->mask.validity, in->n, s.other_ranks,
						s.ranks_scratch, stream));
		GS_TRY(gs_scan_mask_bits(&in->mask, in->n, s.other_ranks,
								 s.head_bits, stream));
	}
	return cudaSuccess;
}

/*
 * A chunk, for the first time or again.  Where it is the whole array, the caller
 * sees what goes wrong, and has it done again; else the next chunk is waiting
 * for the carry, so sums of floats are done again at once if need be.
 */
static cudaError_t
scan_by(const gs_op *op, const gs_device_input *in,
		const gs_device_output *out, void *state, void *scratch, bool again,
		cudaStream_t stream)
{
	scan_scratch s = share_out(op, in->n, scratch);
	bool		has_nulls = in->data.validity != NULL;
	bool		nulls = gs_gives_null(op, has_nulls);
	bool		packs = false;
	scan_args	a;

	memset(&a, 0, sizeof a);
	a.first = in->first;
	a.n = in->n;
	a.more = in->first + in->n < in->all;
	a.again = again;
	a.tells = in->n == in->all && !again;
	a.values = in->data.values;
	a.validity = in->data.validity;
	a.ranks = s.ranks;
	a.exclusive = op->exclusive;
	a.out = out->values;
	a.out_validity = nulls ? out->validity : NULL;
	a.done = out->done;
	a.state = (scan_state *) state;
	a.header = s.header;
	a.published = s.published;

	GS_TRY(set_heads(op, in, s, &a, stream));
	if (has_nulls)
		GS_TRY(gs_ranks(in->data.validity, in->n, s.ranks, s.ranks_scratch,
						stream));

	a.has_values = in->data.present > 0;
	a.sets_seen = a.more;
	if (nulls && a.head_source == HEADS_NONE)
	{
		a.leads = true;
		if (has_nulls)
			a.first_value = gs_ranks_first_value(s.ranks, in->n);
	}
	else if (nulls)
	{
		a.sets_seen = false;

		/* gs_ranks reads all of the last 16 bytes */
		GS_TRY(cudaMemsetAsync(out->validity + in->n / 128 * 16, 0, 16,
							   stream));
		GS_TRY(gs_scan_known(a, out->validity, s.known_scratch, stream));
		a.out = s.results;
		a.out_validity = NULL;
		packs = true;
	}
	else if (is_float_sum(op) && op->exclusive && has_nulls)
	{
		GS_TRY(gs_scan_known(a, s.known, s.known_scratch, stream));
		a.known = s.known;
		a.sets_seen = false;
	}

	if (!again || !is_float_sum(op))
		GS_TRY(launcher_of(op) (op, &a, stream));
	else
		GS_TRY(cudaMemsetAsync(s.header, 0, sizeof *s.header, stream));
	if (!a.tells && is_float_sum(op))
		GS_TRY(gs_scan_exact(op, a, s.exact, stream));
	if (packs)
	{
		GS_TRY(gs_ranks(out->validity, in->n, s.other_ranks, s.ranks_scratch,
						stream));
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
scan_again(const gs_op *op, const gs_device_input *in,
		   const gs_device_output *out, void *state, void *scratch,
		   cudaStream_t stream)
{
	return scan_by(op, in, out, state, scratch, true, stream);
}

static cudaError_t
scan_finish(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static void
scan_result(const gs_op *, const void *, gs_result *)
{
}

const gs_family gs_scan_family = {
	"scan",
	scan_state_size,
	scan_report_size,
	scan_scratch_size,
	scan_start,
	scan_chunk,
	scan_finish,
	scan_again,
	scan_result
};
