/*-------------------------------------------------------------------------
 *
 * diff_type.h
 *	  The loop of diff.c, for a type of numbers (cpu/each_number.h).
 *
 *-------------------------------------------------------------------------
 */
#if IS_FLOAT
#define RESULT			TYPE
#define DIFFERENCE		NAME(gs_difference)
#else
#define RESULT			int64_t
#define DIFFERENCE		gs_difference_int8
#endif

/*
 * A batch's values: r[i] becomes v[i] - v[i - 1], and r[0], if there has been
 * no value, v[0] itself; if `skip`, that is left out, and the others come one
 * place earlier.  Returns n, or the index of the first result out of range.
 */
static int64_t
NAME(differences) (differences *d, const void *values, int64_t n, int skip,
				   void *results)
{
	const TYPE *v = values;
	RESULT	   *r = results;
	bool		wrong = false;

	if (n == 0)
		return 0;
	if (!skip)
		r[0] = DIFFERENCE(v[0], d->any ? d->last.MEMBER : 0, &wrong);
	if (wrong)
		return 0;
	for (int64_t i = 1; i < n; i++)
		r[i - skip] = DIFFERENCE(v[i], v[i - 1], &wrong);
	d->any = true;
	d->last.MEMBER = v[n - 1];
	if (!wrong)
		return n;
	wrong = false;
	for (int64_t i = 1; i < n; i++)
	{
		(void) DIFFERENCE(v[i], v[i - 1], &wrong);
		if (wrong)
			return i;
	}
	return n;
}

#undef RESULT
#undef DIFFERENCE
