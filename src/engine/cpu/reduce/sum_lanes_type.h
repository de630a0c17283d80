/*-------------------------------------------------------------------------
 *
 * sum_lanes_type.h
 *	  The loops of sum_lanes.h that differ by the TYPE of elements, float or
 *	  double.  OF(name) is a name for the type and the kind of vector.
 *
 *-------------------------------------------------------------------------
 */
/* All elements are below 2^top, if they are finite. */
TARGET static int
OF(find_top) (const TYPE *v, int n)
{
	lanes		most = {0};
	double		greatest = 0;
	int			i;

	for (i = 0; i + LANES <= n; i += LANES)
	{
		masks		x = (masks) OF(load) (v + i) & INT64_MAX;
		masks		above = (lanes) x > most;

		most = (lanes) ((x & above) | ((masks) most & ~above));
	}
	for (int j = 0; j < LANES; j++)
		greatest = most[j] > greatest ? most[j] : greatest;
	for (; i < n; i++)
		greatest = fabs(v[i]) > greatest ? fabs(v[i]) : greatest;
	return (int) (gs_double_bits(greatest) >> 52) - 1022;
}

/*
 * a += the sum of a block, in lanes.  False, with a unchanged, if that is not
 * exact.
 */
LANE_INLINE bool
OF(sum_block) (gs_acc *a, const TYPE *v, int n, int top, int parts)
{
	total		t[TOTALS];
	masks		rest = {0};
	masks		moved = {0};
	int			i;

	for (int j = 0; j < TOTALS; j++)
		t[j] = NAME(start) (top, parts);
	for (i = 0; i + TOTALS * LANES <= n; i += TOTALS * LANES)
	{
		for (int j = 0; j < TOTALS; j++)
			NAME(add) (&t[j], parts, OF(load) (v + i + j * LANES), &rest,
					   &moved);
	}
	if (!NAME(is_exact) (rest, moved) || !NAME(add_up) (t, TOTALS, top))
		return false;
	NAME(flush) (a->limb, &a->additions, GS_ACC_LOWEST, t, TOTALS, parts,
				 top);
	/* after an element other than -0 there is nothing more to see */
	for (int j = 0; j < i && !(a->seen & GS_SEEN_NOT_NEGATIVE_ZERO); j++)
		a->seen |= gs_seen(v[j]);
	for (; i < n; i++)
		gs_acc_add(a, v[i]);
	return true;
}

TARGET static bool
OF(sum) (gs_acc *a, const TYPE *v, int n, int top, int parts)
{
	return parts == FEW_PARTS ?
		OF(sum_block) (a, v, n, top, FEW_PARTS) :
		OF(sum_block) (a, v, n, top, MOST_PARTS);
}

/*
 * As OF(sum_block), of products; their errors have totals of their own.  The
 * product of two floats is a double, without an error.  Where a factor is so
 * large that a product or a step to its error overflows, the totals become NaN
 * or infinite.  Sets a->seen.
 */
LANE_INLINE bool
OF(products_block) (gs_acc2 *a, const TYPE *v, const TYPE *w,
					int n, int top, int parts)
{
	const bool	has_error = sizeof(TYPE) == sizeof(double);
	total		p[PRODUCT_TOTALS];
	total		e[PRODUCT_TOTALS];
	masks		rest = {0};
	masks		moved = {0};
	int			i;

	for (int j = 0; j < PRODUCT_TOTALS; j++)
	{
		p[j] = NAME(start) (top, parts);
		e[j] = NAME(start) (top - 53, parts);
	}
	for (i = 0; i + PRODUCT_TOTALS * LANES <= n; i += PRODUCT_TOTALS * LANES)
	{
		for (int j = 0; j < PRODUCT_TOTALS; j++)
		{
			lanes		x = OF(load) (v + i + j * LANES);
			lanes		y = v == w ? x : OF(load) (w + i + j * LANES);
			lanes		product = x * y;

			NAME(add) (&p[j], parts, product, &rest, &moved);
			if (has_error)
			{
				rest |= NAME(too_small) (x);
				if (v != w)
					rest |= NAME(too_small) (y);
				NAME(add) (&e[j], parts,
						   NAME(product_error) (x, y, product),
						   &rest, &moved);
			}
		}
	}
	if (!NAME(is_exact) (rest, moved) ||
		!NAME(add_up) (p, PRODUCT_TOTALS, top) ||
		!NAME(add_up) (e, PRODUCT_TOTALS, top - 53))
		return false;
	NAME(flush) (a->limb, &a->additions, GS_ACC2_LOWEST, p, PRODUCT_TOTALS,
				 parts, top);
	if (has_error)
		NAME(flush) (a->limb, &a->additions, GS_ACC2_LOWEST, e,
					 PRODUCT_TOTALS, parts, top - 53);
	/* a product of such factors is zero only if one of them is */
	for (int j = 0; j < i && !(a->seen & GS_SEEN_NOT_NEGATIVE_ZERO); j++)
		a->seen |= gs_seen((double) v[j] * w[j]);
	for (; i < n; i++)
		gs_acc2_add_product(a, v[i], w[i]);
	return true;
}

TARGET static bool
OF(products) (gs_acc2 *a, const TYPE *v, const TYPE *w, int n,
			  int top, int parts)
{
	return parts == FEW_PARTS ?
		OF(products_block) (a, v, w, n, top, FEW_PARTS) :
		OF(products_block) (a, v, w, n, top, MOST_PARTS);
}

TARGET static bool
OF(squares) (gs_acc2 *a, const TYPE *v, int n, int top, int parts)
{
	return parts == FEW_PARTS ?
		OF(products_block) (a, v, v, n, top, FEW_PARTS) :
		OF(products_block) (a, v, v, n, top, MOST_PARTS);
}
