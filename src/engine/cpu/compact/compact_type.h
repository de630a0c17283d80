/*-------------------------------------------------------------------------
 *
 * compact_type.h
 *	  The loops of filters, for a type of numbers (cpu/each_number.h).  Both
 *	  keep the values that pass, and return their number.
 *
 *-------------------------------------------------------------------------
 */
/* By a range of integers. */
#if !IS_FLOAT
static int64_t
NAME(integers) (const filter *f, const void *values, int64_t n, void *out)
{
	const TYPE *v = values;
	TYPE	   *kept = out;
	int64_t		k = 0;
	uint64_t	low = (uint64_t) f->ilow;
	uint64_t	size = (uint64_t) f->ihigh - low;
	int			inverted = f->inverted;

	if (f->ilow > f->ihigh)
	{
		/* an empty range is the inverse of the full one */
		low = 0;
		size = UINT64_MAX;
		inverted = !inverted;
	}
	for (int64_t i = 0; i < n; i++)
	{
		kept[k] = v[i];
		k += ((uint64_t) (int64_t) v[i] - low <= size) ^ inverted;
	}
	return k;
}
#endif

/* By a range of doubles. */
static int64_t
NAME(floats) (const filter *f, const void *values, int64_t n, void *out)
{
	const TYPE *v = values;
	TYPE	   *kept = out;
	int64_t		k = 0;
	double		low = f->low;
	double		high = f->high;
	int			inverted = f->inverted;

	for (int64_t i = 0; i < n; i++)
	{
		double		x = (double) v[i];

		kept[k] = v[i];
		k += ((x >= low) & (x <= high)) ^ inverted;
	}
	return k;
}
