/*-------------------------------------------------------------------------
 *
 * window.c
 *	  Fixed-point sums of a group: adding to them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/sums.h"

#define INLINE			static inline __attribute__((always_inline))

typedef unsigned __int128 u128;

/* Sums that are taken to be in a cache; rows that are looked ahead, if not. */
#define CACHED_SIZE		(512 * 1024)
#define AHEAD			64

#define MANTISSA		UINT64_C(0xfffffffffffff)
#define IMPLICIT		UINT64_C(0x10000000000000)

/*
 * Add m << shift to the words, shift >= 1; whatever it carries stays within
 * them.
 */
static void
add_shifted(uint64_t *word, int words, u128 m, int shift, bool negative)
{
	int			k = shift >> 6;
	int			bits = shift & 63;
	u128		low = m << bits;
	uint64_t	part[3];
	u128		sum;
	uint64_t	carry = negative;
	uint64_t	flip = negative ? UINT64_MAX : 0;

	part[0] = (uint64_t) low;
	part[1] = (uint64_t) (low >> 64);
	part[2] = (uint64_t) (m >> 1 >> (127 - bits));
	for (int i = 0; k < words; i++, k++)
	{
		/* beyond the number's words only a carry that still runs */
		if (i >= 3 && (carry == 1) == negative)
			break;
		sum = (u128) word[k] + ((i < 3 ? part[i] : 0) ^ flip) + carry;
		word[k] = (uint64_t) sum;
		carry = (uint64_t) (sum >> 64);
	}
	word[0] |= 1;
}

/* x, or x * y, without sign. */
static u128
magnitude(const group_sums *sums, double x, double y, bool *negative)
{
	int			position;
	bool		y_negative;
	u128		m = gs_split(x, &position, negative);

	if (sums->products)
	{
		m *= gs_split(y, &position, &y_negative);
		*negative ^= y_negative;
	}
	return m;
}

/* Add one that fits; false if it does not. */
bool
gs_sums_add_if_fits(const group_sums *sums, uint64_t *word, double x,
					double y)
{
	int			above = gs_sums_position(sums, x, y) - sums->first;
	bool		negative;
	u128		m;

	if (sums->words == 0 || above < 0 || above > sums->reach)
		return false;
	m = magnitude(sums, x, y, &negative);
	add_shifted(word, sums->words, m, above + 1, negative);
	return true;
}

/* Add anything. */
static void
add_any(group_state *s, uint32_t group, double x, double y)
{
	group_sums *sums = s->sums;
	double		product = sums->products ? x * y : x;
	uint64_t   *word = (uint64_t *) (s->store.data +
									 (size_t) group * s->store.width);

	if (!gs_sums_is_plain(sums, x, y))
	{
		/* the product of numbers may be 0, but not if none is 0 */
		s->present.data[group] |= (uint8_t) gs_seen(product);
		sums->seen = true;
		return;
	}
	if (gs_sums_add_if_fits(sums, word, x, y))
		return;
	s->present.data[group] |= GS_SEEN_NOT_NEGATIVE_ZERO;
	sums->seen = true;
	sums->exception[sums->exceptions++] = (group_exception) {x, y, group};
}

/*
 * Two words.  The element's shift is 1 to 43, so that as a signed number it
 * spreads over both words.
 */
static void
add_to_two_words(group_state *s, int n, const uint32_t *group,
				 const double *x)
{
	uint64_t   *sum = (uint64_t *) s->store.data;
	const uint64_t from = (uint64_t) s->sums->first + 1;
	const uint64_t reach = (uint64_t) s->sums->reach;

	for (int i = 0; i < n; i++)
	{
		uint64_t	bits = gs_double_bits(x[i]);
		uint64_t	above = (bits >> 52 & 0x7ff) - from;
		int64_t		sign = (int64_t) bits >> 63;
		int64_t		m = ((int64_t) ((bits & MANTISSA) | IMPLICIT) ^ sign) - sign;
		uint64_t   *word = sum + 2 * (size_t) group[i];
		u128		total;

		if (above > reach)
		{
			add_any(s, group[i], x[i], 0);
			continue;
		}
		total = (u128) word[1] << 64 | word[0];
		total += (u128) (uint64_t) (m >> (63 - above)) << 64 |
			(uint64_t) m << (above + 1);
		word[0] = (uint64_t) total | 1;
		word[1] = (uint64_t) (total >> 64);
	}
}

/* More words: two of them change, and others if a carry goes on. */
static void
add_to_more_words(group_state *s, int n, const uint32_t *group,
				  const double *x)
{
	const uint64_t from = (uint64_t) s->sums->first + 1;
	const uint64_t reach = (uint64_t) s->sums->reach;
	const int	words = s->sums->words;

	for (int i = 0; i < n; i++)
	{
		uint64_t	bits = gs_double_bits(x[i]);
		uint64_t	above = (bits >> 52 & 0x7ff) - from;
		int64_t		sign = (int64_t) bits >> 63;
		int64_t		m = ((int64_t) ((bits & MANTISSA) | IMPLICIT) ^ sign) - sign;
		uint64_t   *sum = (uint64_t *) s->store.data + words * (size_t) group[i];
		int			shift = (int) ((above + 1) & 63);
		int			k = (int) ((above + 1) >> 6);
		int64_t		carry;
		u128		part;
		u128		total;

		if (above > reach)
		{
			add_any(s, group[i], x[i], 0);
			continue;
		}
		part = (u128) (uint64_t) (m >> 1 >> (63 - shift)) << 64 |
			(uint64_t) m << shift;
		total = ((u128) sum[k + 1] << 64 | sum[k]) + part;
		carry = (total < part) + sign;
		sum[k] = (uint64_t) total;
		sum[k + 1] = (uint64_t) (total >> 64);
		for (k += 2; carry != 0 && k < words; k++)
		{
			sum[k] += (uint64_t) carry;
			if (carry > 0 ? sum[k] != 0 : sum[k] != UINT64_MAX)
				carry = 0;
		}
		sum[0] |= 1;
	}
}

/*
 * Three words.  The shift of a product is 1 to 54, and so its upper 42 bits
 * stay within 64.
 */
INLINE void
add_product(group_state *s, uint32_t group, double x, double y, uint64_t from,
			uint64_t reach, bool square)
{
	uint64_t	bx = gs_double_bits(x);
	uint64_t	by = square ? bx : gs_double_bits(y);
	uint64_t	ex = bx >> 52 & 0x7ff;
	uint64_t	ey = by >> 52 & 0x7ff;
	uint64_t	above = ex + ey - from;
	uint64_t	sign = square ? 0 : (uint64_t) ((int64_t) (bx ^ by) >> 63);
	uint64_t   *word = (uint64_t *) s->store.data + 3 * (size_t) group;
	uint64_t	shift = above + 1;
	u128		m;
	u128		low;
	u128		high;

	/* of a square the sum of exponents tells all */
	if (above > reach || (!square && ((ex - 1 >= 2046) | (ey - 1 >= 2046))))
	{
		add_any(s, group, x, y);
		return;
	}
	m = (u128) ((bx & MANTISSA) | IMPLICIT) * ((by & MANTISSA) | IMPLICIT);
	low = (u128) ((uint64_t) m << shift ^ sign) + word[0];
	high = (u128) ((uint64_t) (m >> 64) >> (64 - shift) ^ sign) << 64 |
		(((uint64_t) (m >> 64) << shift | (uint64_t) m >> (64 - shift)) ^ sign);
	if (!square)
		low += sign & 1;
	high += ((u128) word[2] << 64 | word[1]) + (uint64_t) (low >> 64);
	word[0] = (uint64_t) low | 1;
	word[1] = (uint64_t) high;
	word[2] = (uint64_t) (high >> 64);
}

static void
add_to_three_words(group_state *s, int n, const uint32_t *group,
				   const double *x, const double *y)
{
	const uint64_t from = (uint64_t) s->sums->first + 2;
	const uint64_t reach = (uint64_t) s->sums->reach;

	if (x == y)
	{
		for (int i = 0; i < n; i++)
			add_product(s, group[i], x[i], x[i], from, reach, true);
	}
	else
	{
		for (int i = 0; i < n; i++)
			add_product(s, group[i], x[i], y[i], from, reach, false);
	}
}

static void
add(group_state *s, int n, const uint32_t *group, const double *x,
	const double *y)
{
	if (!s->sums->products && s->sums->words == SUM_WORDS)
		add_to_two_words(s, n, group, x);
	else if (!s->sums->products && s->sums->words > SUM_WORDS)
		add_to_more_words(s, n, group, x);
	else if (s->sums->products && s->sums->words == PRODUCT_WORDS)
		add_to_three_words(s, n, group, x, y);
	else
	{
		for (int i = 0; i < n; i++)
			add_any(s, group[i], x[i], y[i]);
	}
}

/* Add so many units of a position, from sums->first on. */
void
gs_sums_add_integer(const group_sums *sums, uint64_t *word, __int128 units,
					int position)
{
	bool		negative = units < 0;
	u128		m = (u128) units;

	add_shifted(word, sums->words, negative ? -m : m,
				position - sums->first + 1, negative);
}

/*
 * Add the rows' elements x, or x * y.  Sums that are not in the cache are
 * called for some rows ahead.
 */
gs_status
gs_sums_add(gs_plan_run *run, group_state *s, const group_rows *rows,
			const double *x, const double *y)
{
	const uint32_t *group = rows->group;
	const int	n = rows->n;
	gs_status	status = gs_sums_prepare(run, s, n, x, y);
	int			step = n;

	if (status != GS_OK)
		return status;
	if (gs_partial_takes(run, s, n, x))
		return gs_partial_add(run, s, rows, x);
	if (run->summary.groups * (int64_t) s->store.width > CACHED_SIZE)
		step = AHEAD;
	for (int at = 0; at < n; at += step)
	{
		int			end = n - at < step ? n : at + step;

		for (int i = end; i < n && i < end + step; i++)
			__builtin_prefetch(s->store.data + group[i] * s->store.width);
		add(s, end - at, group + at, x + at, y + at);
	}
	return GS_OK;
}
