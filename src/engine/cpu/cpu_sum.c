/*-------------------------------------------------------------------------
 *
 * cpu_sum.c
 *	  Exact sums of floats, of their squares and of products, fast.
 *
 * A block of elements is summed in independent lanes.  A lane's total starts
 * from a number so large, 3 * 2^k, that adding an element never moves it to
 * another binade.  Two more operations then find what the addition rounds off
 * (Dekker's condition holds), and this is added in the same way to a second
 * total with a lower start.  What the second addition rounds off must be zero,
 * as it nearly always is.  The two totals, less their starts, are then the
 * exact sum, which goes to the accumulator.
 *
 * If it is not zero, or the first total has left its binade (as with
 * infinities and NaN), the block is retried with a start that fits it, and
 * otherwise added to the accumulator element by element.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_lanes.h"

/*
 * All elements of a block are below 2^top, and a lane has at most BLOCK / 2 of
 * them, so its sum is less than 2^(top + LOG_LANE).
 */
#define BLOCK			1024
#define LOG_LANE		9

/* Starts must be normal numbers, far from overflow. */
#define MIN_TOP			(-850)
#define MAX_TOP			1000

typedef struct total
{
	lanes		first;
	lanes		second;
} total;

/* In the middle of a binade, 2^(top + LOG_LANE) away from its ends. */
ALWAYS_INLINE double
start_for(int top)
{
	return gs_bits_double(((uint64_t) (top + LOG_LANE + 1 + 1023) << 52) |
						  (UINT64_C(1) << 51));
}

/* The start of the second total. */
ALWAYS_INLINE double
second_start_for(int top)
{
	return start_for(top + LOG_LANE + 1 - 53);
}

ALWAYS_INLINE total
start(int top)
{
	const lanes zero = {0, 0};

	return (total) {zero + start_for(top), zero + second_start_for(top)};
}

/*
 * Add x.  What neither total holds is OR-ed into *rest, and the bits of the
 * first total that change into *moved.
 */
ALWAYS_INLINE void
add_lanes(total *t, lanes x, masks *rest, masks *moved)
{
	lanes		first = t->first + x;
	lanes		r = x - (first - t->first);
	lanes		second = t->second + r;

	*moved |= (masks) first ^ (masks) t->first;
	*rest |= (masks) (r - (second - t->second));
	t->first = first;
	t->second = second;
}

/* Have only bits below the exponent changed? */
ALWAYS_INLINE bool
in_binade(masks moved)
{
	return (uint64_t) (moved[0] | moved[1]) >> 52 == 0;
}

/*
 * Add a total's four sums to an accumulator's limbs, a gs_acc's or a
 * gs_acc2's.
 */
ALWAYS_INLINE void
flush(int64_t *limb, int32_t *additions, int lowest, total t, int top)
{
	const double sums[] = {
		t.first[0] - start_for(top), t.second[0] - second_start_for(top),
		t.first[1] - start_for(top), t.second[1] - second_start_for(top)
	};

	for (int i = 0; i < 4; i++)
	{
		uint64_t	m;
		int			position;
		bool		negative;

		m = gs_split(sums[i], &position, &negative);
		gs_limbs_add(limb, m, position + GS_ACC_LOWEST - lowest, negative);
	}
	*additions += 4;
}

/* The top that fits a block. */
#define FIND_TOP(suffix, type) \
static int \
find_top_##suffix(const type *v, int n) \
{ \
	int			greatest = 0; \
	int			top; \
\
	for (int i = 0; i < n; i++) \
	{ \
		int			exponent = (int) (gs_double_bits(v[i]) >> 52) & 0x7ff; \
\
		greatest = exponent > greatest ? exponent : greatest; \
	} \
	top = greatest - 1022; \
	return top < MIN_TOP ? MIN_TOP : top < MAX_TOP ? top : MAX_TOP; \
}

FIND_TOP(float4, float)
FIND_TOP(float8, double)

/*
 * a += the sum of a block, in lanes.  False, with a unchanged, if that is not
 * exact.
 */
#define SUM_BLOCK(suffix, type) \
ALWAYS_INLINE bool \
sum_block_##suffix(gs_acc *a, const type *v, int n, int top) \
{ \
	total		t[4] = {start(top), start(top), start(top), start(top)}; \
	masks		rest = {0}; \
	masks		moved = {0}; \
	int			i; \
\
	for (i = 0; i + 8 <= n; i += 8) \
	{ \
		for (int j = 0; j < 4; j++) \
			add_lanes(&t[j], load_##suffix(v + i + 2 * j), &rest, &moved); \
	} \
	if (!is_zero(rest) || !in_binade(moved)) \
		return false; \
	for (int j = 0; j < 4; j++) \
		flush(a->limb, &a->additions, GS_ACC_LOWEST, t[j], top); \
	/* after an element other than -0 there is nothing more to see */ \
	for (int j = 0; j < i && !(a->seen & GS_SEEN_NOT_NEGATIVE_ZERO); j++) \
		a->seen |= gs_seen(v[j]); \
	for (; i < n; i++) \
		gs_acc_add(a, v[i]); \
	return true; \
} \
\
static void \
sum_one_by_one_##suffix(gs_acc *a, const type *v, int n) \
{ \
	for (int i = 0; i < n; i++) \
		gs_acc_add(a, v[i]); \
}

SUM_BLOCK(float4, float)
SUM_BLOCK(float8, double)

/*
 * p + e = x * y exactly, if the exponents allow: gs_two_product in lanes.  The
 * product of two floats is a double.
 */
ALWAYS_INLINE lanes
product_float8(lanes x, lanes y, lanes *e)
{
	const double split = 134217729.0;	/* 2^27 + 1 */
	lanes		p = x * y;
	lanes		cx = x * split;
	lanes		cy = y * split;
	lanes		hx = cx - (cx - x);
	lanes		hy = cy - (cy - y);
	lanes		lx = x - hx;
	lanes		ly = y - hy;

	*e = ((hx * hy - p) + hx * ly + lx * hy) + lx * ly;
	return p;
}

ALWAYS_INLINE lanes
product_float4(lanes x, lanes y, lanes *e)
{
	*e = (lanes) {0, 0};
	return x * y;
}

/*
 * Elements whose magnitude is zero or in [2^-400, 2^400) have products whose
 * last bits are well inside double's range.
 */
#define MIN_FACTOR		(-400)
#define MAX_FACTOR		400

/* Non-zero where x is too small but not zero. */
ALWAYS_INLINE masks
too_small(lanes x)
{
	masks		magnitude = (masks) x & INT64_MAX;

	return magnitude & (masks) ((lanes) magnitude < 0x1p-400);
}

ALWAYS_INLINE bool
is_factor(int top)
{
	return top >= MIN_FACTOR && top <= MAX_FACTOR;
}

/*
 * The same for products; their errors have a total of their own.  The caller
 * sees to a->seen.
 */
#define PRODUCTS(suffix, type) \
ALWAYS_INLINE bool \
add_products_##suffix(gs_acc2 *a, const type *v, const type *w, int n, \
					  int top) \
{ \
	total		p = start(top); \
	total		e = start(top - 53); \
	masks		rest = {0}; \
	masks		moved = {0}; \
	int			i; \
\
	for (i = 0; i + 2 <= n; i += 2) \
	{ \
		lanes		x = load_##suffix(v + i); \
		lanes		y = load_##suffix(w + i); \
		lanes		error; \
		lanes		product = product_##suffix(x, y, &error); \
\
		rest |= too_small(x) | too_small(y); \
		add_lanes(&p, product, &rest, &moved); \
		add_lanes(&e, error, &rest, &moved); \
	} \
	if (!is_zero(rest) || !in_binade(moved)) \
		return false; \
	flush(a->limb, &a->additions, GS_ACC2_LOWEST, p, top); \
	flush(a->limb, &a->additions, GS_ACC2_LOWEST, e, top - 53); \
	for (; i < n; i++) \
		gs_acc2_add_product(a, v[i], w[i]); \
	return true; \
} \
\
ALWAYS_INLINE bool \
squares_block_##suffix(gs_acc2 *a, const type *v, int n, int top) \
{ \
	if (!is_factor(top) || !add_products_##suffix(a, v, v, n, 2 * top)) \
		return false; \
	a->seen |= GS_SEEN_NOT_NEGATIVE_ZERO;	/* a square is never -0 */ \
	return true; \
} \
\
static void \
squares_one_by_one_##suffix(gs_acc2 *a, const type *v, int n) \
{ \
	for (int i = 0; i < n; i++) \
		gs_acc2_add_product(a, v[i], v[i]); \
} \
\
void \
gs_cpu_products_##suffix(gs_acc2 *a, const type *v, const type *w, int64_t n) \
{ \
	for (int64_t at = 0; at < n; at += BLOCK) \
	{ \
		int			m = n - at < BLOCK ? (int) (n - at) : BLOCK; \
		int			top_v = find_top_##suffix(v + at, m); \
		int			top_w = find_top_##suffix(w + at, m); \
\
		/* a product is four additions */ \
		if (a->additions > GS_ACC_ADDITIONS - 4 * BLOCK) \
			gs_acc2_propagate(a); \
		if (is_factor(top_v) && is_factor(top_w) && \
			add_products_##suffix(a, v + at, w + at, m, top_v + top_w)) \
		{ \
			/* a product of such factors is zero only if one of them is */ \
			for (int i = 0; \
				 i < m && !(a->seen & GS_SEEN_NOT_NEGATIVE_ZERO); i++) \
				a->seen |= gs_seen((double) v[at + i] * w[at + i]); \
			continue; \
		} \
		for (int i = 0; i < m; i++) \
			gs_acc2_add_product(a, v[at + i], w[at + i]); \
	} \
}

PRODUCTS(float4, float)
PRODUCTS(float8, double)

/*
 * An array in blocks: in lanes with the previous top, else with the block's
 * own, else element by element.  Where lanes fail, they usually go on failing,
 * so the next few blocks go element by element too.
 */
#define SLOW_BLOCKS		3

#define BY_BLOCKS(name, suffix, type, acc) \
void \
gs_cpu_##name##_##suffix(acc *a, const type *v, int64_t n) \
{ \
	int			top = find_top_##suffix(v, n < BLOCK ? (int) n : BLOCK); \
	int			slow_blocks = 0; \
\
	for (int64_t at = 0; at < n; at += BLOCK) \
	{ \
		int			m = n - at < BLOCK ? (int) (n - at) : BLOCK; \
\
		/* the square of an element is four additions */ \
		if (a->additions > GS_ACC_ADDITIONS - 4 * BLOCK) \
			acc##_propagate(a); \
		if (slow_blocks == 0) \
		{ \
			if (name##_block_##suffix(a, v + at, m, top)) \
				continue; \
			top = find_top_##suffix(v + at, m); \
			if (name##_block_##suffix(a, v + at, m, top)) \
				continue; \
			slow_blocks = SLOW_BLOCKS + 1; \
		} \
		name##_one_by_one_##suffix(a, v + at, m); \
		slow_blocks--; \
	} \
}

BY_BLOCKS(sum, float4, float, gs_acc)
BY_BLOCKS(sum, float8, double, gs_acc)
BY_BLOCKS(squares, float4, float, gs_acc2)
BY_BLOCKS(squares, float8, double, gs_acc2)
