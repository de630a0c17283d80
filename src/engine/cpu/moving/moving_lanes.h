/*-------------------------------------------------------------------------
 *
 * moving_lanes.h
 *	  The loops of moving_quick.c, for one kind of vector.
 *
 * moving_quick.c includes this file for each kind, and describes it as
 * map/elementary_lanes.h has it.
 *
 *-------------------------------------------------------------------------
 */
#define LANES		static inline __attribute__((always_inline)) TARGET

/* The greatest magnitude; infinity if some are NaN. */
static TARGET double
QUICK(greatest) (const double *restrict x, int64_t n)
{
	double		most[8] = {0};
	double		zero[8] = {0};	/* unless there is one that is not finite */

	for (int64_t i = 0; i + 8 <= n; i += 8)
	{
		for (int k = 0; k < 8; k++)
		{
			most[k] = fabs(x[i + k]) > most[k] ? fabs(x[i + k]) : most[k];
			zero[k] += x[i + k] * 0;
		}
	}
	for (int64_t i = n / 8 * 8; i < n; i++)
	{
		most[0] = fabs(x[i]) > most[0] ? fabs(x[i]) : most[0];
		zero[0] += x[i] * 0;
	}
	for (int k = 1; k < 8; k++)
	{
		most[0] = most[k] > most[0] ? most[k] : most[0];
		zero[0] += zero[k];
	}
	return zero[0] == 0 ? most[0] : __builtin_inf();
}

/* x.hi + x.lo to multiples of the grid's units. */
LANES void
QUICK(cut) (const quick_grid *g, int levels, gs_pair x, double *part)
{
	part[0] = (x.hi + g->rounder[0]) - g->rounder[0];
	for (int k = 1; k < levels; k++)
	{
		x = gs_two_sum(x.hi - part[k - 1], x.lo);
		part[k] = (x.hi + g->rounder[k]) - g->rounder[k];
	}
}

/* How sums of values change as an element enters and another one leaves. */
LANES void
QUICK(change) (const quick_grid *g, int levels, gs_pair enters,
			   gs_pair leaves, quick_sum *to, int i)
{
	double		in[QUICK_LEVELS];
	double		out[QUICK_LEVELS];

	QUICK(cut) (g, levels, enters, in);
	QUICK(cut) (g, levels, leaves, out);
	for (int k = 0; k < levels; k++)
		to->part[k][i] = in[k] - out[k];
}

/* How sums of values and products of one array, or of two, change. */
LANES void
QUICK(changes) (const quick_grid *g, int levels, int arrays,
				const quick_elements *in, const quick_elements *out,
				quick_sum *to)
{
	for (int i = 0; i < QUICK_BLOCK; i++)
	{
		double		x = in->value[0][i] * g->scale[0];
		double		u = out->value[0][i] * g->scale[0];

		QUICK(change) (g, levels, (gs_pair) {x, 0}, (gs_pair) {u, 0}, &to[0], i);
		QUICK(change) (g, levels, PRODUCT(x, x), PRODUCT(u, u), &to[1], i);
	}
	for (int i = 0; arrays > 1 && i < QUICK_BLOCK; i++)
	{
		double		y = in->value[1][i] * g->scale[1];
		double		v = out->value[1][i] * g->scale[1];

		QUICK(change) (g, levels, (gs_pair) {y, 0}, (gs_pair) {v, 0}, &to[2], i);
		QUICK(change) (g, levels, PRODUCT(y, y), PRODUCT(v, v), &to[3], i);
	}
	for (int i = 0; arrays > 1 && i < QUICK_BLOCK; i++)
	{
		gs_pair		enters = PRODUCT(in->value[0][i] * g->scale[0],
									 in->value[1][i] * g->scale[1]);
		gs_pair		leaves = PRODUCT(out->value[0][i] * g->scale[0],
									 out->value[1][i] * g->scale[1]);

		QUICK(change) (g, levels, enters, leaves, &to[4], i);
	}
}

/* Sums of frames from their changes; `total` is that of the last one. */
LANES void
QUICK(add_up) (int levels, int sums, quick_sum *s, double total[][QUICK_LEVELS])
{
	double		t[QUICK_SUMS][QUICK_LEVELS];

	memcpy(t, total, sizeof t);
	for (int i = 0; i < QUICK_BLOCK; i++)
	{
		for (int j = 0; j < sums; j++)
		{
			for (int k = 0; k < levels; k++)
				s[j].part[k][i] = t[j][k] += s[j].part[k][i];
		}
	}
	memcpy(total, t, sizeof t);
}

LANES gs_pair
QUICK(sum_of) (const quick_sum *s, int levels, int i)
{
	gs_pair		r = gs_two_sum(s->part[0][i], s->part[1][i]);

	if (levels > 2)
		r.lo += s->part[2][i];
	return r;
}

/* n products - a b, which errs by less than n^2 times the grid's error. */
LANES gs_pair
QUICK(centred) (double n, gs_pair products, gs_pair a, gs_pair b)
{
	gs_pair		p = PRODUCT(n, products.hi);
	gs_pair		q = PRODUCT(a.hi, b.hi);
	gs_pair		d = gs_two_sum(p.hi, -q.hi);

	p.lo += n * products.lo;
	q.lo += a.hi * b.lo + a.lo * b.hi;
	return gs_two_sum(d.hi, d.lo + (p.lo - q.lo));
}

/*
 * sqrt(B / (n (n - 1))).  In pairs of doubles the quotient and the root err by
 * less than 2^-96; B's own error counts half.
 */
LANES void
QUICK(deviations) (const quick_grid *g, int levels, const quick_sum *s,
				   const double *restrict count, double *restrict result,
				   uint8_t *restrict known)
{
	for (int i = 0; i < QUICK_BLOCK; i++)
	{
		double		n = count[i];
		gs_pair		x = QUICK(sum_of) (&s[0], levels, i);
		gs_pair		b = QUICK(centred) (n, QUICK(sum_of) (&s[1], levels, i),
										x, x);
		double		error = n * n * g->error;
		gs_pair		divisor = PRODUCT(n, n - 1);
		double		inverse = 1 / divisor.hi;
		double		q = b.hi * inverse;
		gs_pair		back = PRODUCT(q, divisor.hi);
		double		q_rest = ((b.hi - back.hi) - back.lo + b.lo -
							  q * divisor.lo) * inverse;
		double		root = sqrt(q);
		double		inverse_root = 1 / root;
		double		rest;
		double		least;
		double		greatest;

		back = PRODUCT(root, root);
		rest = ((q - back.hi) - back.lo + q_rest) * (inverse_root / 2);
		error = 0.52 * error * inverse * inverse_root + 0x1p-95 * root;
		least = root + (rest - error);
		greatest = root + (rest + error);
		result[i] = n < 2 ? 0 : least * g->unscale;
		known[i] = (n < 2) | ((b.hi > 1024 * n * n * g->error) &
							  (least == greatest));
	}
}

/*
 * A / sqrt(B C).  In pairs of doubles the root and the quotient err by less than
 * 2^-96; A's own error counts, and half of B's and C's.
 */
LANES void
QUICK(correlations) (const quick_grid *g, int levels, const quick_sum *s,
					 const double *restrict count, double *restrict result,
					 uint8_t *restrict known)
{
	for (int i = 0; i < QUICK_BLOCK; i++)
	{
		double		n = count[i];
		gs_pair		x = QUICK(sum_of) (&s[0], levels, i);
		gs_pair		y = QUICK(sum_of) (&s[2], levels, i);
		gs_pair		b = QUICK(centred) (n, QUICK(sum_of) (&s[1], levels, i),
										x, x);
		gs_pair		c = QUICK(centred) (n, QUICK(sum_of) (&s[3], levels, i),
										y, y);
		gs_pair		a = QUICK(centred) (n, QUICK(sum_of) (&s[4], levels, i),
										x, y);
		double		error = n * n * g->error;
		gs_pair		product = PRODUCT(b.hi, c.hi);
		double		root = sqrt(product.hi);
		double		inverse = 1 / root;
		gs_pair		back = PRODUCT(root, root);
		double		root_rest;
		double		q = a.hi * inverse;
		double		rest;
		double		least;
		double		greatest;

		product.lo += b.hi * c.lo + b.lo * c.hi;
		root_rest = ((product.hi - back.hi) - back.lo + product.lo) *
			(inverse / 2);
		back = PRODUCT(q, root);
		rest = ((a.hi - back.hi) - back.lo + a.lo - q * root_rest) * inverse;
		error = error * inverse *
			(1.02 + 0.52 * fabs(q) * (b.hi + c.hi) * inverse) +
			0x1p-95 * fabs(q);
		least = q + (rest - error);
		greatest = q + (rest + error);
		result[i] = n < 2 ? 0 : least;
		known[i] = n < 2 ? QUICK_NULL :
			(b.hi > 1024 * n * n * g->error) &
			(c.hi > 1024 * n * n * g->error) & (least == greatest);
	}
}

/* A block of frames; without `result` only their sums. */
LANES void
QUICK(block) (const quick_grid *g, int levels, int arrays, const quick_elements *in,
			  const quick_elements *out, double total[][QUICK_LEVELS],
			  const double *count, double *result, uint8_t *known)
{
	quick_sum	s[QUICK_SUMS];

	QUICK(changes) (g, levels, arrays, in, out, s);
	QUICK(add_up) (levels, arrays > 1 ? 5 : 2, s, total);
	if (result == NULL)
		return;
	if (arrays > 1)
		QUICK(correlations) (g, levels, s, count, result, known);
	else
		QUICK(deviations) (g, levels, s, count, result, known);
}

#define BLOCK(levels, arrays) \
static TARGET void \
QUICK(block_##levels##_##arrays) (const quick_grid *g, \
		const quick_elements *in, const quick_elements *out, \
		double total[][QUICK_LEVELS], const double *count, double *result, \
		uint8_t *known) \
{ \
	QUICK(block) (g, levels, arrays, in, out, total, count, result, known); \
}

BLOCK(2, 1)
BLOCK(3, 1)
BLOCK(2, 2)
BLOCK(3, 2)

static TARGET void
QUICK(next) (const quick_grid *g, int arrays, const quick_elements *in,
			 const quick_elements *out, double total[][QUICK_LEVELS],
			 const double *count, double *result, uint8_t *known)
{
	(arrays == 1 ? g->levels == 2 ? QUICK(block_2_1) : QUICK(block_3_1) :
	 g->levels == 2 ? QUICK(block_2_2) : QUICK(block_3_2))
		(g, in, out, total, count, result, known);
}

#undef BLOCK
#undef LANES
#undef TARGET
#undef QUICK
#undef PRODUCT
