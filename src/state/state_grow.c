/*-------------------------------------------------------------------------
 *
 * state_grow.c
 *	  States that need more capacity: wider windows, counters.
 *
 * A state grows by being copied.  In an aggregate, the executor replaces the
 * old state by the copy.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "state/state_parts.h"

/* A copy with windows that contain the old ones, and possibly counters. */
static gs_state *
reshape(const gs_state *s, bool has_specials, const gs_limb_window *window)
{
	int			windows = window_count(s->kind);
	Size		tail_words = head_words(s->kind) +
		(has_specials ? special_count(s->kind) : 0);
	Size		size;
	gs_state   *r;

	for (int w = 0; w < windows; w++)
		tail_words += window[w].limbs;
	size = offsetof(gs_state, tail) + sizeof(int64_t) * tail_words;
	r = palloc0(size);
	memcpy(r, s, offsetof(gs_state, tail) +
		   sizeof(int64_t) * head_words(s->kind));
	SET_VARSIZE(r, size);
	r->has_specials = has_specials;
	for (int w = 0; w < windows; w++)
		*window_of(r, w) = window[w];

	if (s->has_specials)
		memcpy(specials(r), specials(s),
			   sizeof(int64_t) * special_count(s->kind));
	for (int w = 0; w < windows; w++)
	{
		const gs_limb_window *old = window_of(s, w);

		if (old->base != GS_NO_BASE)
			memcpy(limbs(r, w) + old->base - window[w].base, limbs(s, w),
				   sizeof(int64_t) * old->limbs);
	}
	return r;
}

static void
get_windows(const gs_state *s, gs_limb_window *window)
{
	for (int w = 0; w < window_count(s->kind); w++)
		window[w] = *window_of(s, w);
}

gs_state *
gs_state_with_specials(const gs_state *s)
{
	gs_limb_window window[GS_PAIR_WINDOWS];

	get_windows(s, window);
	return reshape(s, true, window);
}

gs_state *
gs_state_widen(gs_state *s, int w, int first, int last)
{
	int			limit = window_limit(w);
	gs_limb_window window[GS_PAIR_WINDOWS];
	int			base;
	int			end;

	get_windows(s, window);
	if (window[w].base == GS_NO_BASE)
	{
		int			spare = window[w].limbs - (last - first + 1);

		if (spare >= 0)
		{
			/* smaller numbers are more likely to follow than larger ones */
			base = Max(first - (spare + 1) / 2, 0);
			window_of(s, w)->base = Min(base, limit - window[w].limbs);
			return s;
		}
		base = first;
		end = last + 1;
	}
	else
	{
		base = Min(first, window[w].base);
		end = Max(last + 1, window[w].base + window[w].limbs);
	}
	base = Max(base - 1, 0);
	end = Min(end + 1, limit);
	window[w].base = base;
	window[w].limbs = end - base;
	return reshape(s, s->has_specials, window);
}

/* A carry out of a window's top limb may need one more limb. */
gs_state *
gs_state_propagate(gs_state *s)
{
	for (int w = 0; w < window_count(s->kind); w++)
	{
		int			n = window_of(s, w)->limbs;
		int			base = window_of(s, w)->base;
		int64_t    *limb = limbs(s, w);
		int64_t		carry = 0;

		if (base == GS_NO_BASE)
			continue;
		for (int i = 0; i < n - 1; i++)
		{
			int64_t		sum = limb[i] + carry;

			limb[i] = sum & 0xffffffff;
			carry = sum >> 32;
		}
		limb[n - 1] += carry;
		carry = limb[n - 1] >> 32;
		if (carry != 0 && carry != -1 && base + n < window_limit(w))
		{
			s = include_limbs(s, w, base, base + n);
			limb = limbs(s, w) + base - window_of(s, w)->base;
			limb[n - 1] &= 0xffffffff;
			limb[n] += carry;
		}
	}
	s->additions = 0;
	return s;
}
