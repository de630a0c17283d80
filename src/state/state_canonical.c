/*-------------------------------------------------------------------------
 *
 * state_canonical.c
 *	  From a state to its canonical form, and back.
 *
 * A state can hold the same sums in many ways: the order of the rows
 * determines which bits are in the pair and which in limbs.  Figures do not
 * depend on it, and whatever is written, as text, in binary or into a table,
 * comes from them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "state/state_parts.h"

/* Limbs in a new state: most states never need more. */
#define SUM_CAPACITY		3
#define SQUARES_CAPACITY	8

static const int moments_capacity[GS_WINDOWS] = {
	SUM_CAPACITY, SQUARES_CAPACITY
};

/* Most sums need no limbs; without them, a state takes 256 bytes. */
static const int pairs_capacity[GS_PAIR_WINDOWS] = {
	0, SQUARES_CAPACITY, 0, SQUARES_CAPACITY, SQUARES_CAPACITY
};

static void
canonical_from_limbs(gs_canonical_sum *f, gs_limbs a, int base)
{
	int64_t		carry = 0;
	int			zeros = 0;

	for (int i = 0; i < a.n; i++)
		carry = (a.limb[i] + carry) >> 32;
	f->negative = carry < 0;
	f->words = 0;

	carry = 0;
	for (int i = 0; i <= a.n; i++)
	{
		int64_t		sum = carry;

		if (i < a.n)
			sum += f->negative ? -a.limb[i] : a.limb[i];
		carry = sum >> 32;
		if (zeros == i && (uint32_t) sum == 0)
			zeros++;
		else
		{
			f->word[i - zeros] = (uint32_t) sum;
			if ((uint32_t) sum != 0)
				f->words = i - zeros + 1;
		}
	}
	f->first = f->words == 0 ? 0 : base + zeros;
}

/* An integer of n words, in two's complement if it is signed. */
static void
canonical_from_words(gs_canonical_sum *f, const uint64_t *words, int n,
					 bool is_signed)
{
	int64_t		limb[INTEGER_SQUARES_WORDS];
	gs_limbs	a = {limb, 2 * n, 0, 0};

	for (int i = 0; i < n; i++)
	{
		limb[2 * i] = words[i] & 0xffffffff;
		limb[2 * i + 1] = words[i] >> 32;
	}
	if (is_signed)
		limb[2 * n - 1] = (int32_t) limb[2 * n - 1];
	canonical_from_limbs(f, a, 0);
}

/*
 * An integer of n words as the sum of a window of real numbers.  There no
 * limb begins at 2^0, so the integer is shifted to the limb that contains it.
 */
static void
canonical_from_integer(gs_canonical_sum *f, const uint64_t *words, int n,
					   bool is_signed, int w)
{
	int			shift = -window_lowest(w) % 32;
	int64_t		limb[INTEGER_SQUARES_WORDS];
	gs_limbs	a = {limb, 2 * n, -shift, 0};

	for (int i = 0; i < 2 * n; i++)
	{
		uint32_t	part = (uint32_t) (words[i / 2] >> (i % 2 * 32));

		limb[i] = is_signed && i == 2 * n - 1 ?
			(int64_t) (int32_t) part * (INT64CONST(1) << shift) :
			(int64_t) part << shift;
	}
	canonical_from_limbs(f, a, (-shift - window_lowest(w)) / 32);
}

/* An engine's value as a double. */
static double
value_as_double(gs_type type, gs_value v)
{
	switch (type)
	{
		case GS_INT2:
			return v.i2;
		case GS_INT4:
			return v.i4;
		case GS_INT8:
			return (double) v.i8;
		case GS_FLOAT4:
			return v.f4;
		default:
			return v.f8;
	}
}

/*
 * What a GS_STATE_STATS has beside sums, from an engine's GS_STATS of some
 * elements.
 */
static void
canonical_beside_sums(gs_canonical *f, gs_type type, const gs_result *stats)
{
	f->kind = GS_STATE_STATS;
	f->n = stats->present;
	f->extreme[0] = value_as_double(type, stats->value);
	f->extreme[1] = value_as_double(type, stats->greatest);
	memcpy(f->special, stats->special, sizeof f->special);
	for (int w = GS_WINDOWS; w < GS_PAIR_WINDOWS; w++)
		f->window[w].words = 0;
}

/* The figures of a GS_STATE_STATS, with sums of floats that are elsewhere. */
void
gs_canonical_from_sums(gs_canonical *f, gs_type type, const gs_result *stats,
					 gs_limbs sum, gs_limbs squares)
{
	canonical_beside_sums(f, type, stats);
	gs_canonical_set_sum(f, GS_SUM_WINDOW, sum);
	gs_canonical_set_sum(f, GS_SQUARES_WINDOW, squares);
}

void
gs_canonical_set_sum(gs_canonical *f, int w, gs_limbs sum)
{
	canonical_from_limbs(&f->window[w], sum,
					  (sum.lowest - window_lowest(w)) / 32);
}

void
gs_canonical_set_words(gs_canonical *f, int w, const uint64_t *words)
{
	canonical_from_words(&f->window[w], words, w == GS_SUM_WINDOW ? 2 : 3,
					  w == GS_SUM_WINDOW);
}

void
gs_canonical_from_stats(gs_canonical *f, gs_type type, const gs_result *stats)
{
	if (type == GS_FLOAT4 || type == GS_FLOAT8)
	{
		gs_canonical_from_sums(f, type, stats, gs_acc_limbs(&stats->sum),
							 gs_acc2_limbs(&stats->squares));
		return;
	}
	canonical_beside_sums(f, type, stats);
	canonical_from_integer(&f->window[GS_SUM_WINDOW], stats->isum, 2, true,
						GS_SUM_WINDOW);
	canonical_from_integer(&f->window[GS_SQUARES_WINDOW], stats->isquares, 3,
						false, GS_SQUARES_WINDOW);
}

void
gs_state_get_canonical(const gs_state *s, gs_canonical *f)
{
	f->kind = s->kind;
	f->n = s->n;
	memset(f->special, 0, sizeof f->special);
	f->extreme[0] = f->extreme[1] = 0;
	for (int w = 0; w < GS_PAIR_WINDOWS; w++)
	{
		f->window[w].words = f->window[w].first = 0;
		f->window[w].negative = false;
	}

	if (gs_state_is_integer(s->kind))
	{
		canonical_from_words(&f->window[GS_SUM_WINDOW], s->sum.integer, 2, true);
		if (s->kind == GS_STATE_INTEGER_MOMENTS)
			canonical_from_words(&f->window[GS_SQUARES_WINDOW],
							  (const uint64_t *) s->tail, 3, false);
		return;
	}
	for (int w = 0; w < window_count(s->kind); w++)
	{
		gs_limbs_buffer buffer;

		gs_canonical_set_sum(f, w, gs_state_limbs(s, w, &buffer));
	}
	gs_state_get_specials(s, f->special);
	if (s->kind == GS_STATE_STATS && s->n > 0)
		gs_state_extremes(s, &f->extreme[0], &f->extreme[1]);
}

/* A canonical sum, which must fit, as n words in two's complement. */
static void
words_from_canonical(const gs_canonical_sum *f, uint64_t *words, int n)
{
	uint64_t	borrow = f->negative;

	memset(words, 0, sizeof(uint64_t) * n);
	for (int i = 0; i < f->words; i++)
		words[(f->first + i) / 2] |= (uint64_t) f->word[i] <<
			((f->first + i) % 2 * 32);
	for (int i = 0; f->negative && i < n; i++)
	{
		words[i] = ~words[i] + borrow;
		borrow = borrow && words[i] == 0;
	}
}

/*
 * An empty state.  Each window has capacity for the given number of limbs, and
 * at least for what most states need.
 */
static gs_state *
new_state(gs_state_kind kind, bool has_specials, const int *words)
{
	const int  *capacity = kind == GS_STATE_PAIRS ? pairs_capacity :
		moments_capacity;
	gs_limb_window window[GS_PAIR_WINDOWS];
	int			tail_words = head_words(kind);
	Size		size;
	gs_state   *s;

	if (kind == GS_STATE_INTEGER_MOMENTS)
		tail_words = 3;
	if (has_specials)
		tail_words += special_count(kind);
	for (int w = 0; w < window_count(kind); w++)
	{
		window[w].base = GS_NO_BASE;
		window[w].limbs = gs_state_is_integer(kind) ||
			(w == GS_SQUARES_WINDOW && !gs_state_has_squares(kind)) ?
			0 : Max(words[w], capacity[w]);
		tail_words += window[w].limbs;
	}
	size = offsetof(gs_state, tail) + sizeof(int64_t) * tail_words;
	s = palloc0(size);
	SET_VARSIZE(s, size);
	s->kind = kind;
	s->has_specials = has_specials;
	for (int w = 0; w < window_count(kind); w++)
		*window_of(s, w) = window[w];
	return s;
}

gs_state *
gs_state_new(gs_state_kind kind)
{
	const int	words[GS_PAIR_WINDOWS] = {0};

	return new_state(kind, false, words);
}

/* The state of a valid canonical form. */
gs_state *
gs_state_from_canonical(const gs_canonical *f)
{
	int			words[GS_PAIR_WINDOWS];
	bool		has_specials = false;
	gs_state   *s;

	for (int w = 0; w < GS_PAIR_WINDOWS; w++)
		words[w] = f->window[w].words;
	for (int i = 0; i < GS_SPECIALS; i++)
		has_specials |= f->special[i] != 0;
	s = new_state(f->kind, has_specials, words);
	s->n = f->n;
	if (f->kind == GS_STATE_INTEGER_MOMENTS)
		words_from_canonical(&f->window[GS_SQUARES_WINDOW],
						  (uint64_t *) s->tail, 3);
	if (gs_state_is_integer(f->kind))
		words_from_canonical(&f->window[GS_SUM_WINDOW], s->sum.integer, 2);
	else
		gs_state_set_canonical(s, f);
	return s;
}
