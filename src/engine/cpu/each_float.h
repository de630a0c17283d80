/*-------------------------------------------------------------------------
 *
 * each_float.h
 *	  Includes the file EACH once for float and once for double, as
 *	  each_integer.h does for integers; IS_FLOAT is 1.
 *
 *-------------------------------------------------------------------------
 */
#define IS_FLOAT	1

#define TYPE		float
#define NAME(name)	name##_float4
#define MEMBER		f4
#include EACH
#undef TYPE
#undef NAME
#undef MEMBER

#define TYPE		double
#define NAME(name)	name##_float8
#define MEMBER		f8
#include EACH
#undef TYPE
#undef NAME
#undef MEMBER

#undef IS_FLOAT
