/*-------------------------------------------------------------------------
 *
 * widen.c
 *	  Fixed-point sums of a group: their windows, and merging them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/sums.h"

#include <stdlib.h>

/* Exceptions that do not matter; below this nothing is widened. */
#define FEW_EXCEPTIONS	4096

/* The reach of so many words. */
static int
reach_of(const group_sums *sums, int words, int headroom)
{
	return 64 * words - 1 - headroom - 1 - gs_sums_bits(sums);
}

/* The fewest words for a reach. */
static int
words_for(const group_sums *sums, int reach, int headroom)
{
	int			words = sums->products ? PRODUCT_WORDS : SUM_WORDS;

	while (reach_of(sums, words, headroom) < reach)
		words++;
	return words;
}

/* The range of positions among some elements; none if *low > *high. */
static void
extend_range(const group_sums *sums, double x, double y, int *low, int *high)
{
	int			position;

	if (!gs_sums_is_plain(sums, x, y))
		return;
	position = gs_sums_position(sums, x, y);
	*low = position < *low ? position : *low;
	*high = position > *high ? position : *high;
}

/*
 * Place a window that covers positions low to high, and has some space on both
 * sides: less above, since the largest elements are easier to foresee than the
 * smallest.
 */
static void
place_window(group_sums *sums, int low, int high, int spare)
{
	int			top = gs_sums_top(sums);
	int			wanted = high - low + spare < top ? high - low + spare : top;
	int			above = spare / 4;

	sums->words = words_for(sums, wanted, sums->headroom);
	sums->reach = reach_of(sums, sums->words, sums->headroom);
	above = sums->reach - (high - low) < above ?
		sums->reach - (high - low) : above;
	sums->first = high + above - sums->reach;
	if (sums->first + sums->reach > top)
		sums->first = top - sums->reach;
	if (sums->first < 0)
		sums->first = 0;
	/* beyond are infinities and NaN */
	if (sums->reach > top - sums->first)
		sums->reach = top - sums->first;
}

static gs_status
choose_window(gs_plan_run *run, group_state *s, int n, const double *x,
			  const double *y)
{
	group_sums *sums = s->sums;
	int			low = INT32_MAX;
	int			high = -1;

	for (int i = 0; i < n; i++)
		extend_range(sums, x[i], y[i], &low, &high);
	if (high < 0)
		return GS_OK;
	place_window(sums, low, high, sums->products ? 16 : 20);
	s->store.width = sizeof(uint64_t) * sums->words;
	if (!gs_group_store_grow(run, &s->store, run->summary.groups))
		return gs_group_no_memory(run);
	return GS_OK;
}

/* A sum's words in another window, which begins `shift` positions lower. */
static void
shift_words(const uint64_t *word, int words, uint64_t *to, int to_words,
			int shift)
{
	const uint64_t sign = (uint64_t) ((int64_t) word[words - 1] >> 63);

	for (int i = 0; i < to_words; i++)
	{
		int			k = i - shift / 64;
		uint64_t	here = k < 0 ? 0 : k < words ? word[k] : sign;
		uint64_t	below = k < 1 ? 0 : k <= words ? word[k - 1] : sign;

		if (k == 0)
			here &= ~UINT64_C(1);
		if (k == 1)
			below &= ~UINT64_C(1);
		to[i] = shift % 64 == 0 ? here :
			here << shift % 64 | below >> (64 - shift % 64);
	}
	to[0] |= word[0] & 1;
}

/* Move the sums of a window that `old` describes into this one. */
static gs_status
move_sums(gs_plan_run *run, group_state *s, const group_sums *old)
{
	group_sums *sums = s->sums;
	group_store from = s->store;
	group_store moved = {.width = sizeof(uint64_t) * sums->words};

	if (!gs_group_store_grow(run, &moved, from.capacity))
		return gs_group_no_memory(run);
	for (int64_t g = 0; g < run->summary.groups && g < from.capacity; g++)
		shift_words((const uint64_t *) from.data + g * old->words, old->words,
					(uint64_t *) moved.data + g * sums->words, sums->words,
					old->first - sums->first);
	s->store = moved;
	free(from.data);
	return GS_OK;
}

/* Exceptions that fit now are none any more. */
static void
add_exceptions(group_state *s)
{
	group_sums *sums = s->sums;
	int64_t		left = 0;

	for (int64_t i = 0; i < sums->exceptions; i++)
	{
		group_exception e = sums->exception[i];
		uint64_t   *word = (uint64_t *) s->store.data +
			(size_t) e.group * sums->words;

		if (!gs_sums_add_if_fits(sums, word, e.x, e.y))
			sums->exception[left++] = e;
	}
	sums->exceptions = left;
}

/* A window for all exceptions, if that takes no more memory than they do. */
static gs_status
widen_for_exceptions(gs_plan_run *run, group_state *s)
{
	group_sums *sums = s->sums;
	group_sums	old = *sums;
	int			low = sums->first;
	int			high = sums->first + sums->reach;
	int64_t		more;
	gs_status	status;

	for (int64_t i = 0; i < sums->exceptions; i++)
		extend_range(sums, sums->exception[i].x, sums->exception[i].y, &low,
					 &high);
	place_window(sums, low, high, 16 + (high - low) / 8);
	more = (int64_t) sizeof(uint64_t) * (sums->words - old.words) *
		run->summary.groups;
	if (more > sums->exceptions * (int64_t) sizeof(group_exception))
	{
		*sums = old;
		return GS_OK;
	}
	status = move_sums(run, s, &old);
	if (status == GS_OK)
		add_exceptions(s);
	return status;
}

/* One word more at the top, for 2^64 times as many additions. */
static gs_status
add_headroom(gs_plan_run *run, group_state *s)
{
	group_sums	old = *s->sums;

	s->sums->words++;
	s->sums->headroom += 64;
	return move_sums(run, s, &old);
}

/* Room for n exceptions more. */
static gs_status
make_room(gs_plan_run *run, group_sums *sums, int64_t n)
{
	int64_t		room = 2 * sums->room + n;
	void	   *memory = NULL;

	if (room <= INT32_MAX &&
		gs_group_reserve((size_t) (room - sums->room),
						 sizeof *sums->exception))
		memory = realloc(sums->exception, room * sizeof *sums->exception);
	if (memory == NULL)
		return gs_group_no_memory(run);
	sums->exception = memory;
	sums->room = room;
	return GS_OK;
}

/* Before n elements are added: a window, and room for exceptions. */
gs_status
gs_sums_prepare(gs_plan_run *run, group_state *s, int n, const double *x,
				const double *y)
{
	group_sums *sums = s->sums;
	gs_status	status = GS_OK;

	if (sums->exceptions + n > sums->room)
	{
		status = make_room(run, sums, GROUP_TILE);
		if (status == GS_OK && sums->words > 0 &&
			sums->exceptions >= FEW_EXCEPTIONS)
			status = widen_for_exceptions(run, s);
	}
	if (status == GS_OK && sums->words == 0)
		status = choose_window(run, s, n, x, y);
	if (status == GS_OK && sums->words > 0 && sums->headroom < 62 &&
		sums->additions + n > INT64_C(1) << sums->headroom)
		status = add_headroom(run, s);
	sums->additions += n;
	return status;
}


/* A window with room for the elements of two, and for all their additions. */
static gs_status
unite_windows(gs_plan_run *run, group_state *s, const group_sums *other)
{
	group_sums *sums = s->sums;
	const group_sums old = *sums;
	int			end = other->first + other->reach;

	if (sums->words == 0)
	{
		sums->words = other->words;
		sums->first = other->first;
		sums->reach = other->reach;
		sums->headroom = other->headroom;
		s->store.width = sizeof(uint64_t) * sums->words;
		return gs_group_store_grow(run, &s->store, run->summary.groups) ?
			GS_OK : gs_group_no_memory(run);
	}
	if (other->headroom > sums->headroom)
		sums->headroom = other->headroom;
	while (sums->headroom < 62 && sums->additions + other->additions >
		   INT64_C(1) << sums->headroom)
		sums->headroom += 64;
	if (sums->headroom == old.headroom && other->first >= sums->first &&
		end <= sums->first + sums->reach)
		return GS_OK;
	if (old.first + old.reach > end)
		end = old.first + old.reach;
	if (other->first < sums->first)
		sums->first = other->first;
	sums->words = words_for(sums, end - sums->first, sums->headroom);
	sums->reach = reach_of(sums, sums->words, sums->headroom);
	if (sums->reach > gs_sums_top(sums) - sums->first)
		sums->reach = gs_sums_top(sums) - sums->first;
	return move_sums(run, s, &old);
}

static void
add_words(uint64_t *word, const uint64_t *more, int words)
{
	const uint64_t flag = (word[0] | more[0]) & 1;
	unsigned __int128 sum = (unsigned __int128) (word[0] & ~UINT64_C(1)) +
		(more[0] & ~UINT64_C(1));

	word[0] = (uint64_t) sum | flag;
	for (int i = 1; i < words; i++)
	{
		sum = (sum >> 64) + word[i] + more[i];
		word[i] = (uint64_t) sum;
	}
}

static gs_status
merge_exceptions(gs_plan_run *run, group_state *s, const group_sums *other,
				 const uint32_t *group)
{
	group_sums *sums = s->sums;

	if (sums->exceptions + other->exceptions > sums->room)
	{
		gs_status	status = make_room(run, sums, other->exceptions);

		if (status != GS_OK)
			return status;
	}
	for (int64_t i = 0; i < other->exceptions; i++)
	{
		sums->exception[sums->exceptions] = other->exception[i];
		sums->exception[sums->exceptions++].group =
			group[other->exception[i].group];
	}
	return GS_OK;
}

/* Add the sums of a part, whose groups have these numbers here. */
gs_status
gs_sums_merge(gs_plan_run *run, group_state *s, const group_state *from,
			  const uint32_t *group, int64_t groups)
{
	group_sums *sums = s->sums;
	const group_sums *other = from->sums;
	gs_status	status = GS_OK;

	if (sums->whole != NULL && sums->products)
		gs_acc2_merge(sums->whole, other->whole);
	else if (sums->whole != NULL)
		gs_acc_merge((gs_acc *) sums->whole, (const gs_acc *) other->whole);
	if (sums->whole != NULL)
		return GS_OK;
	if (other->words > 0)
		status = unite_windows(run, s, other);
	if (status == GS_OK)
		status = merge_exceptions(run, s, other, group);
	if (status != GS_OK)
		return status;
	for (int64_t g = 0; g < groups && other->words > 0; g++)
	{
		uint64_t	word[WORDS_MAX];

		shift_words((const uint64_t *) from->store.data + g * other->words,
					other->words, word, sums->words,
					other->first - sums->first);
		add_words((uint64_t *) s->store.data + (size_t) group[g] * sums->words,
				  word, sums->words);
	}
	for (int64_t g = 0; g < groups && other->seen; g++)
		s->present.data[group[g]] |= from->present.data[g];
	sums->seen |= other->seen;
	sums->additions += other->additions;
	return GS_OK;
}
