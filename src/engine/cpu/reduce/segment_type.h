/*-------------------------------------------------------------------------
 *
 * segment_type.h
 *	  Sums of parts of segments, for a type of floats (cpu/each_float.h).
 *
 *-------------------------------------------------------------------------
 */
/* What a short part leaves beyond hi - lo must be zero. */
static void
NAME(sum) (segments *s, const void *values, int64_t n)
{
	const TYPE *v = values;
	double		hi = s->hi;
	double		lo = s->lo;
	double		lost = 0;

	if (!s->wide && n < LONG_PART)
	{
		for (int64_t i = 0; i < n; i++)
		{
			gs_pair		sum = gs_two_sum(hi, (double) v[i]);
			gs_pair		error = gs_two_sum(lo, -sum.lo);

			hi = sum.hi;
			lo = error.hi;
			lost += error.lo < 0 ? -error.lo : error.lo;
		}
		if (lost == 0 && gs_is_finite(hi))
		{
			s->hi = hi;
			s->lo = lo;
			return;
		}
	}
	widen(s);
	NAME(gs_cpu_sum) (&s->acc, v, n);
}
