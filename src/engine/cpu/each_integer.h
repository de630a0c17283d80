/*-------------------------------------------------------------------------
 *
 * each_integer.h
 *	  Includes the file EACH once for each type of integers.
 *
 * That file is a template, without guards, which uses
 *
 *		TYPE			the type in C
 *		NAME(name)		a name for this type alone: name_int2
 *		MEMBER			the type's member of gs_value
 *		IS_FLOAT		0
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
