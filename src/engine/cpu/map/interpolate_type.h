/*-------------------------------------------------------------------------
 *
 * interpolate_type.h
 *	  The loops of interpolate.c, for a type of numbers (cpu/each_number.h).
 *
 *-------------------------------------------------------------------------
 */
static bool
NAME(ascends) (const void *elements, int64_t n)
{
	const TYPE *x = elements;
	bool		descends = false;

	for (int64_t i = 0; i + 1 < n; i++)
		descends |= GS_IS_ABOVE(x[i], x[i + 1]);
	return !descends;
}

/* Does the answer lie between low and high? */
static inline bool
NAME(is_between) (const TYPE *x, int64_t n, int64_t low, int64_t high,
				  TYPE at)
{
	return (low == 0 || !GS_IS_ABOVE(x[low - 1], at)) &&
		(high == n || GS_IS_ABOVE(x[high], at));
}

static int64_t
NAME(count) (const TYPE *x, int64_t n, int64_t last, TYPE at)
{
	int64_t		low = 0;
	int64_t		high = n;

	for (int64_t by = 1; by <= NEAR; by *= 8)
	{
		int64_t		from = last > by ? last - by : 0;
		int64_t		to = n - last > by ? last + by : n;

		if (NAME(is_between) (x, n, from, to, at))
		{
			low = from;
			high = to;
			break;
		}
	}
	while (low < high)
	{
		int64_t		middle = low + (high - low) / 2;

		if (GS_IS_ABOVE(x[middle], at))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void
NAME(look_up) (interpolation *l, block *b)
{
	const TYPE *at = b->at;

	for (int k = 0; k < b->n; k++)
	{
		if (b->flags[k])
			l->last = NAME(count) (l->x, l->n, l->last, at[k]);
		b->count[k] = l->last;
	}
}

static inline bool
NAME(distance) (TYPE from, TYPE to, double *distance)
{
	return IS_FLOAT ? gs_distance_of_doubles(from, to, distance) :
		gs_distance_of_integers(from, to, distance);
}

/*
 * Values at elements of the block, of those that have one, packed; where that
 * takes a line, it is left to lines.  Returns how many there are.
 */
static int
NAME(find_lines) (const interpolation *l, block *b, lines *to, double *result)
{
	const TYPE *x = l->x;
	const TYPE *at = b->at;
	int			results = 0;

	for (int k = 0; k < b->n; k++)
	{
		int64_t		i = b->count[k];
		int			m = to->n;

		b->flags[k] &= i > 0 && (i < l->n || x[i - 1] == at[k]);
		if (!b->flags[k])
			continue;
		if (x[i - 1] == at[k])
		{
			double		y = l->y[i - 1];

			result[results++] = y == y ? y : gs_canonical_nan();
			continue;
		}
		to->y0[m] = l->y[i - 1];
		to->y1[m] = l->y[i];
		if (!NAME(distance) (x[i - 1], at[k], &to->run[m]) ||
			!NAME(distance) (x[i - 1], x[i], &to->length[m]))
			to->length[m] = INFINITY;	/* no line of this length is known */
		to->of[m] = k;
		to->to[m] = &result[results++];
		to->n++;
	}
	return results;
}
