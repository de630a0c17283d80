/*-------------------------------------------------------------------------
 *
 * unique_type.h
 *	  The loops of unique.c, for a type of numbers (cpu/each_number.h).
 *
 *-------------------------------------------------------------------------
 */
static inline bool
NAME(differ) (TYPE a, TYPE b)
{
#if IS_FLOAT
	return !((a == b) | ((a != a) & (b != b)));	/* NaN equals NaN */
#else
	return a != b;
#endif
}

/* Both return how many runs start. */
static int64_t
NAME(values) (const runs *r, const void *values, int64_t n, void *out)
{
	const TYPE *v = values;
	TYPE	   *kept = out;
	int64_t		k;

	kept[0] = v[0];
	k = !r->any || NAME(differ) (v[0], r->last.MEMBER);
	for (int64_t i = 1; i < n; i++)
	{
		kept[k] = v[i];
		k += NAME(differ) (v[i], v[i - 1]);
	}
	return k;
}

static int64_t
NAME(positions) (const runs *r, const void *values, int64_t n,
				 int64_t before, int32_t *position)
{
	const TYPE *v = values;
	int64_t		k;

	position[0] = (int32_t) before + 1;
	k = !r->any || NAME(differ) (v[0], r->last.MEMBER);
	for (int64_t i = 1; i < n; i++)
	{
		position[k] = (int32_t) (before + i) + 1;
		k += NAME(differ) (v[i], v[i - 1]);
	}
	return k;
}
