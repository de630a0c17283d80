/*-------------------------------------------------------------------------
 *
 * cumsum_type.h
 *	  Exact prefix sums of floats of a type (cpu/each_float.h), for cumsum.c.
 *
 *-------------------------------------------------------------------------
 */
/* Are all rounded prefixes finite?  What rounds doubles has looked. */
ALWAYS_INLINE bool
NAME(all_finite) (const TYPE *prefix, int n)
{
	uint32_t	rest = 0;

	if (sizeof(TYPE) == sizeof(double))
		return true;
	for (int i = 0; i < n; i++)
	{
		float		zero = (float) prefix[i] * 0;
		uint32_t	bits;

		memcpy(&bits, &zero, sizeof bits);
		rest |= bits;
	}
	return rest << 1 == 0;
}

/*
 * Prefixes of a block.  False, with p unchanged, if a prefix is not the sum of
 * two doubles, or it or its rounded value is not finite.
 */
ALWAYS_INLINE bool
NAME(fast) (cpu_prefix *p, const TYPE *v, const int64_t *keep, TYPE *out,
			int n)
{
	step		now = {p->s, p->ne, {0}, {0}, {0}};
	gs_pair		total;
	int			i;

	for (i = 0; i + 2 <= n; i += 2)
	{
		add_two(&now, NAME(load) (v + i), keep == NULL ? NULL : keep + i);
		NAME(store) (out + i, NAME(round) (&now));
	}
	if (i < n)
	{
		/* adding -0 changes no total */
		add_two(&now, (lanes) {v[i], -0.0}, keep == NULL ? NULL : keep + i);
		out[i] = (TYPE) NAME(round) (&now)[0];
	}
	if (!is_zero(now.rest) || !NAME(all_finite) (out, n))
		return false;
	total = gs_two_sum(now.s, -now.ne);
	p->s = total.hi;
	p->ne = 0 - total.lo;
	return true;
}

/* The positions of a block's bits; NaN's are beyond all windows. */
static void
NAME(find_positions) (const TYPE *v, int n, int *lowest, int *highest)
{
	int			min_position = 0x7ff;
	int			max_position = 0;

	for (int i = 0; i < n; i++)
	{
		int			exponent = (int) (gs_double_bits(v[i]) >> 52) & 0x7ff;
		int			position = exponent > 0 ? exponent - 1 : 0;

		max_position = position > max_position ? position : max_position;
		if (v[i] != 0)
			min_position = position < min_position ? position : min_position;
	}
	*lowest = min_position;
	*highest = max_position + 53;
}

static int
NAME(window) (cpu_prefix *p, cpu_window *w, const TYPE *x,
			  const uint8_t *heads, TYPE *out, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (heads != NULL && heads[i])
		{
			memset(w->word, 0, sizeof w->word);
			p->acc.seen = 0;
		}
		p->acc.seen |= gs_seen(x[i]);
		window_add(w, x[i]);
		if (window_is_zero(w))
			out[i] = p->acc.seen != 0 ? 0 : -0.0f;
		else
			out[i] = NAME(window_round) (w);
		if (out[i] - out[i] != 0)
			return i;
	}
	return n;
}

/* Returns n, or the index of the first prefix out of range. */
static int
NAME(slow) (cpu_prefix *p, const TYPE *v, const uint8_t *heads,
			TYPE *out, int n)
{
	TYPE		x[CPU_BLOCK];	/* a client can change what is found to fit */
	cpu_window	w;
	int			lowest;
	int			highest;
	int			done;

	memcpy(x, v, n * sizeof *x);
	if (!p->wide)
		widen(p);
	gs_acc_propagate(&p->acc);
	NAME(find_positions) (x, n, &lowest, &highest);
	if (!(p->acc.seen & not_finite) &&
		window_open(&w, &p->acc, lowest, highest))
	{
		done = NAME(window) (p, &w, x, heads, out, n);
		window_close(&w, &p->acc);
	}
	else
	{
		for (done = 0; done < n; done++)
		{
			if (heads != NULL && heads[done])
				gs_acc_init(&p->acc);
			gs_acc_add(&p->acc, x[done]);
			if (NAME(acc_round) (&p->acc, &out[done]) != GS_ROUNDED)
				return done;
		}
	}
	narrow(p);
	return done;
}

static int
NAME(block) (cpu_prefix *p, const TYPE *v, const uint8_t *heads, TYPE *out,
			 int n)
{
	int64_t		keep[CPU_BLOCK + 1];
	bool		done;

	if (p->wide)
		done = false;
	else if (heads == NULL)
		done = NAME(fast) (p, v, NULL, out, n);
	else
	{
		find_continuing(keep, heads, n);
		done = NAME(fast) (p, v, keep, out, n);
	}
	return done ? n : NAME(slow) (p, v, heads, out, n);
}

int
NAME(gs_cpu_prefix) (cpu_prefix *p, const TYPE *v, const uint8_t *heads,
					 TYPE *out, int n)
{
	for (int at = 0; at < n; at += CPU_BLOCK)
	{
		int			m = gs_cpu_block_size(n - at);
		int			done = NAME(block) (p, v + at,
										heads == NULL ? NULL : heads + at,
										out + at, m);

		if (done < m)
			return at + done;
	}
	return n;
}
