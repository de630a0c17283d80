/*-------------------------------------------------------------------------
 *
 * cpu_each_number.h
 *	  Includes the file EACH once for each type of numbers, as cpu_each_float.h
 *	  does; IS_FLOAT is 0 for integers.
 *
 *-------------------------------------------------------------------------
 */
#define IS_FLOAT	0

#define TYPE		int16_t
#define NAME(name)	name##_int2
#define MEMBER		i2
#include EACH
#undef TYPE
#undef NAME
#undef MEMBER

#define TYPE		int32_t
#define NAME(name)	name##_int4
#define MEMBER		i4
#include EACH
#undef TYPE
#undef NAME
#undef MEMBER

#define TYPE		int64_t
#define NAME(name)	name##_int8
#define MEMBER		i8
#include EACH
#undef TYPE
#undef NAME
#undef MEMBER

#undef IS_FLOAT
#include "engine/cpu/cpu_each_float.h"
