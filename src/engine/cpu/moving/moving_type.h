/*-------------------------------------------------------------------------
 *
 * moving_type.h
 *	  The loops of moving.c, for a type of integers (cpu/each_integer.h).
 *
 *-------------------------------------------------------------------------
 */
/* Returns n, or the index of the first element whose sum is out of range. */
static int64_t
NAME(sums) (const cpu_frame *f, const void *elements, int64_t *r)
{
	const TYPE *v = elements;
	NAME(moving_sum) sum = 0;
	int64_t		since = 0;

	for (int64_t i = 0; i < f->following && i < f->n; i++)
		sum += v[i];
	for (int64_t i = 0; i < f->n; i++)
	{
		if (i + f->following < f->n)
			sum += v[i + f->following];
		if (i > f->preceding)
			sum -= v[i - f->preceding - 1];
		r[i] = (int64_t) sum;
		if (sum != r[i])
			return i;
		pause_after(&since, 1);
	}
	return f->n;
}

static inline bool
NAME(is_better) (TYPE a, TYPE b, bool least)
{
	return least ? a < b : a > b;
}

/*
 * r[i] becomes the extreme from the start of the frame of element i to the end
 * of the block that it starts in, and then also of the block that it ends in,
 * up to the frame's end, if that is another one.  A frame that is cut off by
 * the array's start consists of the start of a block alone; by its end, of the
 * end of a block, or of both.
 */
static inline __attribute__((always_inline)) void
NAME(extremes) (const cpu_frame *f, const void *elements, void *result,
				bool least)
{
	const TYPE	lowest = (TYPE) (UINT64_C(1) << (8 * sizeof(TYPE) - 1));
	const TYPE	worst = least ? (TYPE) ~lowest : lowest;
	const TYPE *v = elements;
	TYPE	   *r = result;
	int64_t		n = f->n;
	int64_t		p = f->preceding;
	int64_t		length = p + 1 + f->following;
	int64_t		last = (n - 1) / length * length;
	int64_t		since = 0;
	TYPE		x = worst;

	for (int64_t i = 0; i < p && i < n; i++)
		r[i] = worst;
	for (int64_t start = 0; start < n; start += length)
	{
		int64_t		end = n - start < length ? n : start + length;

		x = worst;
		for (int64_t i = end - 1; i >= start; i--)
		{
			x = NAME(is_better) (v[i], x, least) ? v[i] : x;
			if (i < n - p)
				r[i + p] = x;
			pause_after(&since, 1);
		}
	}
	for (int64_t start = 0; start < n; start += length)
	{
		int64_t		end = n - start < length ? n : start + length;

		x = worst;
		for (int64_t i = start; i < end; i++)
		{
			int64_t		to = i - f->following;

			x = NAME(is_better) (v[i], x, least) ? v[i] : x;
			if (to >= 0 && NAME(is_better) (x, r[to], least))
				r[to] = x;
			pause_after(&since, 1);
		}
	}
	/* x is the extreme of the last block */
	for (int64_t i = n - f->following; i < n; i++)
	{
		if ((i < p || i - p < last) && NAME(is_better) (x, r[i], least))
			r[i] = x;
	}
}

static void
NAME(min) (const cpu_frame *f, const void *elements, void *result)
{
	NAME(extremes) (f, elements, result, true);
}

static void
NAME(max) (const cpu_frame *f, const void *elements, void *result)
{
	NAME(extremes) (f, elements, result, false);
}
