/*-------------------------------------------------------------------------
 *
 * cpu_cumsum.c
 *	  Exact prefix sums of floats: every prefix rounded once.
 *
 * The running total is kept as s - ne, exactly.  An element is added to s; the
 * error of that addition is added to -ne, and the error of this second
 * addition must be zero.  The rounded difference of s and ne is then the
 * correctly rounded prefix.  Nothing is normalised on the way, so an element
 * depends on the previous one through a single addition, and everything else
 * is done for two elements at a time.  Taking the difference, not a sum, gives
 * zeros their sign: s is -0 while all elements were -0, ne is +0, and a total
 * that has cancelled is +0.
 *
 * A block whose total needs more than two doubles is redone in a fixed-point
 * window (cpu_window.h) or, if the window is too narrow or something is not
 * finite, with the accumulator.  After such a block the total returns to two
 * doubles as soon as they can hold it.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_lanes.h"
#include "engine/cpu/cpu_window.h"

static const uint32_t not_finite = (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
									GS_SEEN_NEGATIVE_INF);

void
gs_cpu_prefix_init(cpu_prefix *p)
{
	p->wide = false;
	p->s = -0.0;
	p->ne = 0;
}

/* Move the total to the accumulator. */
static void
widen(cpu_prefix *p)
{
	gs_acc_init(&p->acc);
	if (gs_seen(p->s) != 0)
		p->acc.seen = GS_SEEN_NOT_NEGATIVE_ZERO;
	gs_cpu_add_finite(&p->acc, p->s);
	gs_cpu_add_finite(&p->acc, -p->ne);
	p->wide = true;
}

/* Move the total to two doubles, if they can hold it. */
static void
narrow(cpu_prefix *p)
{
	gs_acc		left;
	double		hi;
	double		lo;

	if ((p->acc.seen & not_finite) || gs_acc_round(&p->acc, &hi) != GS_ROUNDED)
		return;
	left = p->acc;
	left.seen |= GS_SEEN_NOT_NEGATIVE_ZERO;
	gs_cpu_add_finite(&left, -hi);
	if (gs_acc_round(&left, &lo) != GS_ROUNDED)
		return;
	gs_cpu_add_finite(&left, -lo);
	gs_acc_propagate(&left);
	for (int i = 0; i < GS_ACC_LIMBS; i++)
	{
		if (left.limb[i] != 0)
			return;
	}
	p->s = hi;
	p->ne = 0 - lo;
	p->wide = false;
}

/*
 * All ones where an element continues its segment; padded by one for a pair.
 */
static void
find_continuing(int64_t *keep, const uint8_t *heads, int n)
{
	for (int i = 0; i < n; i++)
		keep[i] = (int64_t) heads[i] - 1;
	keep[n] = -1;
}

/* x where keep is all ones, else `otherwise`, in vector registers */
ALWAYS_INLINE double
choose(int64_t keep, double x, double otherwise)
{
	masks		m = {keep, 0};
	lanes		a = {x, 0};
	lanes		b = {otherwise, 0};

	a = (lanes) (((masks) a & m) | ((masks) b & ~m));
	return a[0];
}

/* One step: the total after two more elements. */
typedef struct step
{
	double		s;				/* the total */
	double		ne;
	lanes		t;				/* s and ne after each of the two */
	lanes		nf;
	masks		rest;			/* zero while everything is exact */
} step;

ALWAYS_INLINE void
add_two(step *p, lanes x, const int64_t *keep)
{
	lanes		s;
	lanes		ne;
	lanes		r;

	s[0] = keep == NULL ? p->s : choose(keep[0], p->s, -0.0);
	p->t[0] = s[0] + x[0];
	s[1] = keep == NULL ? p->t[0] : choose(keep[1], p->t[0], -0.0);
	p->t[1] = s[1] + x[1];
	p->s = p->t[1];
	r = -sum_error(p->t, s, x);
	ne[0] = keep == NULL ? p->ne : choose(keep[0], p->ne, 0);
	p->nf[0] = ne[0] + r[0];
	ne[1] = keep == NULL ? p->nf[0] : choose(keep[1], p->nf[0], 0);
	p->nf[1] = ne[1] + r[1];
	p->ne = p->nf[1];
	p->rest |= (masks) sum_error(p->nf, ne, r);
}

/*
 * Two prefixes, rounded to the result type.  Floats are rounded to odd, and
 * the conversion then rounds correctly.  Doubles that are not finite make rest
 * non-zero.
 */
ALWAYS_INLINE lanes
round_float8(step *p)
{
	lanes		prefix = p->t - p->nf;

	p->rest |= (masks) (prefix * 0);
	return prefix;
}

ALWAYS_INLINE lanes
round_float4(step *p)
{
	lanes		lo = -p->nf;
	lanes		hi = p->t + lo;
	words		exact;
	words		odd;

	lo = sum_error(hi, p->t, lo);
	exact = (words) (lo == 0);
	/* one step towards zero where lo points there */
	odd = (words) hi - (((words) hi ^ (words) lo) >> 63);
	return (lanes) (((words) hi & exact) | ((odd | 1) & ~exact));
}

/* Are all rounded prefixes finite? */
ALWAYS_INLINE bool
all_finite(const float *prefix, int n)
{
	uint32_t	rest = 0;

	for (int i = 0; i < n; i++)
	{
		float		zero = prefix[i] * 0;
		uint32_t	bits;

		memcpy(&bits, &zero, sizeof bits);
		rest |= bits;
	}
	return rest << 1 == 0;
}

/*
 * Prefixes of a block.  False, with p unchanged, if a prefix is not the sum of
 * two doubles, or it or its rounded value is not finite.  IN_RANGE is the
 * check that remains once all elements are done.
 */
#define FAST(suffix, type, IN_RANGE) \
ALWAYS_INLINE bool \
fast_##suffix(cpu_prefix *p, const type *v, const int64_t *keep, type *out, \
			  int n) \
{ \
	step		now = {p->s, p->ne, {0}, {0}, {0}}; \
	gs_pair		total; \
	int			i; \
\
	for (i = 0; i + 2 <= n; i += 2) \
	{ \
		add_two(&now, load_##suffix(v + i), keep == NULL ? NULL : keep + i); \
		store_##suffix(out + i, round_##suffix(&now)); \
	} \
	if (i < n) \
	{ \
		/* adding -0 changes no total */ \
		add_two(&now, (lanes) {v[i], -0.0}, keep == NULL ? NULL : keep + i); \
		out[i] = (type) round_##suffix(&now)[0]; \
	} \
	if (!is_zero(now.rest) || !(IN_RANGE)) \
		return false; \
	total = gs_two_sum(now.s, -now.ne); \
	p->s = total.hi; \
	p->ne = 0 - total.lo; \
	return true; \
}

/* The slow path returns n, or the index of the first prefix out of range. */
#define SLOW(suffix, type, acc_round) \
/* The positions of a block's bits; NaN's are beyond all windows. */ \
static void \
find_positions_##suffix(const type *v, int n, int *lowest, int *highest) \
{ \
	int			min_position = 0x7ff; \
	int			max_position = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		int			exponent = (int) (gs_double_bits(v[i]) >> 52) & 0x7ff; \
		int			position = exponent > 0 ? exponent - 1 : 0; \
\
		max_position = position > max_position ? position : max_position; \
		if (v[i] != 0) \
			min_position = position < min_position ? position : min_position; \
	} \
	*lowest = min_position; \
	*highest = max_position + 53; \
} \
\
static int \
window_##suffix(cpu_prefix *p, cpu_window *w, const type *x, \
				const uint8_t *heads, type *out, int n) \
{ \
	for (int i = 0; i < n; i++) \
	{ \
		if (heads != NULL && heads[i]) \
		{ \
			memset(w->word, 0, sizeof w->word); \
			p->acc.seen = 0; \
		} \
		p->acc.seen |= gs_seen(x[i]); \
		window_add(w, x[i]); \
		if (window_is_zero(w)) \
			out[i] = p->acc.seen != 0 ? 0 : -0.0f; \
		else \
			out[i] = window_round_##suffix(w); \
		if (out[i] - out[i] != 0) \
			return i; \
	} \
	return n; \
} \
\
static int \
slow_##suffix(cpu_prefix *p, const type *v, const uint8_t *heads, \
			  type *out, int n) \
{ \
	type		x[CPU_BLOCK];	/* a client can change what is found to fit */ \
	cpu_window	w; \
	int			lowest; \
	int			highest; \
	int			done; \
\
	memcpy(x, v, n * sizeof *x); \
	if (!p->wide) \
		widen(p); \
	gs_acc_propagate(&p->acc); \
	find_positions_##suffix(x, n, &lowest, &highest); \
	if (!(p->acc.seen & not_finite) && \
		window_open(&w, &p->acc, lowest, highest)) \
	{ \
		done = window_##suffix(p, &w, x, heads, out, n); \
		window_close(&w, &p->acc); \
	} \
	else \
	{ \
		for (done = 0; done < n; done++) \
		{ \
			if (heads != NULL && heads[done]) \
				gs_acc_init(&p->acc); \
			gs_acc_add(&p->acc, x[done]); \
			if (acc_round(&p->acc, &out[done]) != GS_ROUNDED) \
				return done; \
		} \
	} \
	narrow(p); \
	return done; \
}

#define PREFIX(suffix, type) \
static int \
block_##suffix(cpu_prefix *p, const type *v, const uint8_t *heads, type *out, \
			   int n) \
{ \
	int64_t		keep[CPU_BLOCK + 1]; \
	bool		done; \
\
	if (p->wide) \
		done = false; \
	else if (heads == NULL) \
		done = fast_##suffix(p, v, NULL, out, n); \
	else \
	{ \
		find_continuing(keep, heads, n); \
		done = fast_##suffix(p, v, keep, out, n); \
	} \
	return done ? n : slow_##suffix(p, v, heads, out, n); \
} \
\
int \
gs_cpu_prefix_##suffix(cpu_prefix *p, const type *v, const uint8_t *heads, \
					   type *out, int n) \
{ \
	for (int at = 0; at < n; at += CPU_BLOCK) \
	{ \
		int			m = gs_cpu_block_size(n - at); \
		int			done = block_##suffix(p, v + at, \
										  heads == NULL ? NULL : heads + at, \
										  out + at, m); \
\
		if (done < m) \
			return at + done; \
	} \
	return n; \
}

FAST(float4, float, all_finite(out, n))
FAST(float8, double, true)
SLOW(float4, float, gs_acc_round_float)
SLOW(float8, double, gs_acc_round)
PREFIX(float4, float)
PREFIX(float8, double)
