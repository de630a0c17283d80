/*-------------------------------------------------------------------------
 *
 * sort_keys.c
 *	  How the columns of a window share words.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/sort_keys.h"

static int
bit_length(uint64_t x)
{
	return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

/* The edges become values that are a multiple of the step away. */
static void
set_step(gs_sort_part *p, const gs_sort_found *found, int64_t *low,
		 int64_t *high)
{
	bool		known = p->type == GS_INT8 && *low < *high && found->step > 1;
	gs_sort_step s = gs_sort_step_of(known ? found->step : 1);

	p->step = s.step;
	p->inverse = s.inverse;
	p->shift = s.shift;
	*low += (int64_t) (((uint64_t) found->value - (uint64_t) *low) % s.step);
	*high -= (int64_t) (((uint64_t) *high - (uint64_t) found->value) % s.step);
}

/*
 * The parts of a column: one, or two where its values leave no code for NULL.
 * Returns how many; none, if all rows are equal.
 */
static int
make_parts(const gs_sort_column *sort, const gs_column_data *column,
		   uint8_t type, const gs_sort_found *found, gs_sort_part *part)
{
	gs_sort_part p;
	int64_t		low = found->low;
	int64_t		high = found->high;
	uint64_t	last;

	memset(&p, 0, sizeof p);
	p.values = column->values;
	p.validity = found->nulls ? column->validity : NULL;
	p.type = type;
	p.descending = sort->descending;
	if (low > high)
		low = high = 0;
	set_step(&p, found, &low, &high);
	p.edge = sort->descending ? high : low;
	last = ((uint64_t) high - (uint64_t) low) / p.step;
	if (found->nulls && last == UINT64_MAX)
	{
		part[1] = p;
		part[1].bits = 64;
		p.flag = true;
		last = 0;
	}
	if (found->nulls)
	{
		p.null = sort->nulls_first ? 0 : last + 1;
		p.first = sort->nulls_first;
		last++;
	}
	p.bits = bit_length(last);
	part[0] = p;
	return p.flag ? 2 : p.bits > 0;
}

/* Put a part in the last word, or in a new one. */
static void
place_part(gs_sort_keys *keys, int part, bool partition)
{
	int			bits = keys->part[part].bits;
	gs_sort_word *word;

	if (keys->words == 0 || keys->word[keys->words - 1].bits + bits > 64)
	{
		word = &keys->word[keys->words++];
		memset(word, 0, sizeof *word);
		word->part = part;
	}
	word = &keys->word[keys->words - 1];
	word->parts++;
	word->bits += bits;
	if (!partition)
		word->order_bits += bits;
}

void
gs_sort_keys_make(const gs_window *w, const gs_relation *relation,
				  const uint8_t *type, const gs_sort_found *found,
				  gs_sort_keys *keys)
{
	int			parts = 0;

	memset(keys, 0, sizeof *keys);
	for (int c = 0; c < w->columns; c++)
	{
		const gs_sort_column *sort = &w->column[c];
		int			end = parts + make_parts(sort,
											 &relation->column[sort->column],
											 type[sort->column], &found[c],
											 &keys->part[parts]);

		for (; parts < end; parts++)
			place_part(keys, parts, c < w->partition);
	}
}

bool
gs_sort_first_word_decides(const gs_sort_keys *keys)
{
	for (int i = 1; i < keys->words; i++)
	{
		if (keys->word[i].order_bits < keys->word[i].bits)
			return false;
	}
	return keys->words > 0;
}
