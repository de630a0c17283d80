/*-------------------------------------------------------------------------
 *
 * interpolate.c
 *	  Lines between ascending numbers, where doubles do not decide them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/interpolate.h"

gs_pair
gs_exact_number(gs_type type, gs_value x)
{
	switch (type)
	{
		case GS_INT2:
			return gs_pair_normal(x.i2);
		case GS_INT4:
			return gs_pair_normal(x.i4);
		case GS_INT8:
			return gs_pair_normal(x.i8);
		case GS_FLOAT4:
			return (gs_pair) {x.f4, 0};
		default:
			return (gs_pair) {x.f8, 0};
	}
}

double
gs_line_between(gs_type type, gs_value x0, gs_value x1, gs_value x, double y0,
				double y1)
{
	return gs_line_at(gs_exact_number(type, x0), (gs_pair) {y0, 0},
					  gs_exact_number(type, x1), (gs_pair) {y1, 0},
					  gs_exact_number(type, x));
}
