/*-------------------------------------------------------------------------
 *
 * cumsum.c
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
 * window (window.h) or, if the window is too narrow or something is not
 * finite, with the accumulator.  After such a block the total returns to two
 * doubles as soon as they can hold it.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/lanes.h"
#include "engine/cpu/scan/window.h"

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

#define acc_round_float4	gs_acc_round_float
#define acc_round_float8	gs_acc_round

#define EACH	"engine/cpu/scan/cumsum_type.h"
#include "engine/cpu/each_float.h"
#undef EACH
