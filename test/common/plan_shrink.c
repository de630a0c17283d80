/*-------------------------------------------------------------------------
 *
 * plan_shrink.c
 *	  A smaller case that fails as a large one does.
 *
 * What a plan or its rows can do without is taken away, piece by piece.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <stdlib.h>
#include <string.h>

/* Changes that are tried. */
#define MAX_TRIES	400

typedef struct shrinker
{
	plan_case  *c;
	plan_case	before;
	const plan_target *target;
	plan_fails	fails;
	int			tries;
} shrinker;

static void
remember(shrinker *s)
{
	s->before = *s->c;
}

/* Keep the change if the case still fails. */
static bool
keep(shrinker *s)
{
	if (s->tries++ < MAX_TRIES && s->fails(s->target, s->c))
		return true;
	*s->c = s->before;
	return false;
}

/* Take rows from `first` on away. */
static bool
drop_rows(shrinker *s, int64_t first, int64_t n)
{
	plan_case  *c = s->c;
	plan_case  *other = &s->before;
	int64_t		left = c->rows - first - n;

	remember(s);
	c->rows -= n;
	for (int i = 0; i < c->plan.columns; i++)
	{
		c->value[i] = malloc(sizeof(gs_value) * (c->rows + 1));
		c->null[i] = malloc(c->rows + 1);
		memcpy(c->value[i], other->value[i], sizeof(gs_value) * first);
		memcpy(c->null[i], other->null[i], first);
		memcpy(c->value[i] + first, other->value[i] + first + n,
			   sizeof(gs_value) * left);
		memcpy(c->null[i] + first, other->null[i] + first + n, left);
	}
	if (c->counts != NULL)
	{
		c->counts = malloc(c->rows + 1);
		memcpy(c->counts, other->counts, first);
		memcpy(c->counts + first, other->counts + first + n, left);
	}
	{
		plan_case	after = *c;
		bool		kept = keep(s);
		plan_case  *dead = kept ? other : &after;

		for (int i = 0; i < c->plan.columns; i++)
		{
			free(dead->value[i]);
			free(dead->null[i]);
		}
		free(dead->counts);
		return kept;
	}
}

void
plan_shrink(plan_case *c, const plan_target *target, plan_fails fails)
{
	shrinker   *s = calloc(1, sizeof *s);

	s->c = c;
	s->target = target;
	s->fails = fails;
	for (int i = c->plan.aggregates - 1; i >= 0; i--)
	{
		remember(s);
		c->plan.aggregates--;
		memmove(&c->aggregate[i], &c->aggregate[i + 1],
				sizeof c->aggregate[0] * (c->plan.aggregates - i));
		keep(s);
	}
	for (int k = c->plan.keys - 1; k >= 0; k--)
	{
		remember(s);
		c->plan.keys--;
		memmove(&c->key[k], &c->key[k + 1],
				sizeof c->key[0] * (c->plan.keys - k));
		keep(s);
	}
	remember(s);
	c->plan.filter = GS_NOTHING;
	keep(s);
	for (int i = 0; i < c->plan.aggregates; i++)
	{
		remember(s);
		c->aggregate[i].filter = GS_NOTHING;
		keep(s);
	}
	for (int64_t n = (c->rows + 1) / 2; n > 0; n /= 2)
	{
		for (int64_t first = 0; first + n <= c->rows;)
		{
			if (s->tries >= MAX_TRIES || !drop_rows(s, first, n))
				first += n;
		}
	}
	free(s);
}
