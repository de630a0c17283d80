/*-------------------------------------------------------------------------
 *
 * width.c
 *	  Integers of one width, less a base, to those of another; numbers of any
 *	  type to doubles.
 *
 * Widths are 1, 2, 4 and 8 bytes.  All is modulo: what is narrowed must fit,
 * or its highest bits are lost.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#define CHANGE(from_width, from_type, to_width, to_type) \
static void \
change_##from_width##_##to_width(const void *from, void *to, int64_t n, \
								 uint64_t add) \
{ \
	const from_type *restrict v = from; \
	to_type    *restrict w = to; \
\
	for (int64_t i = 0; i < n; i++) \
		w[i] = (to_type) ((to_type) v[i] + (to_type) add); \
}

#define CHANGES(width, type) \
	CHANGE(width, type, 1, uint8_t) \
	CHANGE(width, type, 2, gs_bits16) \
	CHANGE(width, type, 4, gs_bits32) \
	CHANGE(width, type, 8, gs_bits64)

CHANGES(1, uint8_t)
CHANGES(2, gs_bits16)
CHANGES(4, gs_bits32)
CHANGES(8, gs_bits64)

#define BY_WIDTH(from_width) \
	{change_##from_width##_1, change_##from_width##_2, \
		change_##from_width##_4, change_##from_width##_8}

/* to[i] = from[i] + add; they do not overlap */
void
gs_cpu_change_width(const void *from, int from_width, void *to, int to_width,
					int64_t n, uint64_t add)
{
	static void (*const change[4][4]) (const void *from, void *to, int64_t n,
									   uint64_t add) = {
		BY_WIDTH(1), BY_WIDTH(2), BY_WIDTH(4), BY_WIDTH(8)
	};

	change[__builtin_ctz((unsigned) from_width)]
		[__builtin_ctz((unsigned) to_width)] (from, to, n, add);
}

#define TO_DOUBLES(suffix, type) \
static void \
to_doubles_##suffix(const void *from, int n, double *to) \
{ \
	const type *v = from; \
\
	for (int i = 0; i < n; i++) \
		to[i] = (double) v[i]; \
}

TO_DOUBLES(int2, int16_t)
TO_DOUBLES(int4, int32_t)
TO_DOUBLES(int8, int64_t)
TO_DOUBLES(float4, float)
TO_DOUBLES(float8, double)

void
gs_cpu_to_doubles(gs_type type, const void *from, int n, double *to)
{
	static void (*const of_type[GS_TYPES]) (const void *from, int n,
											double *to) =
	{BY_NUMBER(to_doubles)};

	of_type[type] (from, n, to);
}
