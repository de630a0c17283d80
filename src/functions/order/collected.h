/*-------------------------------------------------------------------------
 *
 * collected.h
 *	  The values of a group, with what its aggregate was told once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COLLECTED_H
#define GS_COLLECTED_H

#include "fmgr.h"
#include "utils/array.h"

/*
 * A state of type bytea, changed in place.  After the header comes the
 * parameter, an array of double precision, unless `values` says that there is
 * none; then an array of one dimension without NULLs, with spare capacity.
 * Its values of type numeric have long headers.
 */
typedef struct gs_collected
{
	int32		vl_len_;
	int32		values;			/* where the array of values begins */
	int64		nulls;			/* rows whose value is NULL */
	int64		bytes;			/* that the values take */
} gs_collected;

/* A parameter of one dimension. */
#define GS_PARAMETER_MAX	2

typedef union gs_parameter
{
	ArrayType	array;
	char		bytes[ARR_OVERHEAD_NONULLS(1) +
					  GS_PARAMETER_MAX * sizeof(float8)];
	float8		align;
} gs_parameter;

extern void gs_parameter_set(gs_parameter *p, int n, const double *values);

/* Those of a state, which must be n. */
extern const double *gs_parameter_get(const ArrayType *a, int n);

/* The type of an argument, which must be one of these elements (call.h). */
extern Oid	gs_value_type(FunctionCallInfo fcinfo, int argument, int elements);

/*
 * Argument 0 of a transition function whose argument 1 is a value, of one of
 * these elements (call.h): a state to change, or NULL before the first row.  The
 * parameter, NULL if there is none, must be the one of all rows; its `names` are
 * for the error.
 */
extern gs_collected *gs_collected_open(FunctionCallInfo fcinfo, int elements,
									   const ArrayType *parameter,
									   const char *names);
extern gs_collected *gs_collected_append(FunctionCallInfo fcinfo,
										 gs_collected *c, Datum value);

/* Open, and add argument 1. */
extern gs_collected *gs_collect(FunctionCallInfo fcinfo, int elements,
								const ArrayType *parameter,
								const char *names);

/* A pair of states to merge, of the same type and parameter. */
extern gs_collected *gs_collected_to_merge(FunctionCallInfo fcinfo,
										   gs_collected **other,
										   const char *names);

/* Append the values of another one. */
extern gs_collected *gs_collected_append_all(FunctionCallInfo fcinfo,
											 gs_collected *c,
											 gs_collected *other);

/* Of numeric: keep these values of the state alone. */
extern void gs_collected_keep(gs_collected *c, const Datum *values, int64 n);
extern void gs_collected_invalid(void);
extern void gs_parameter_changed(const char *names);

/*
 * Argument 0 of a final function whose argument 1 is a value, of *type, one of
 * these elements.  NULL if there were no rows.
 */
extern gs_collected *gs_collected_argument(FunctionCallInfo fcinfo,
										   int elements, Oid *type);
extern ArrayType *gs_collected_parameter(gs_collected *c);
extern Datum gs_collected_values(gs_collected *c);

/*
 * A larger capacity for `wanted` of these, values or what they are made of, now
 * `n`.
 */
extern int64 gs_group_capacity(int64 n, int64 wanted, Size header, int width,
							   const char *of);

/* array_agg_state.c: can these be added, element by element? */
extern void gs_check_same_shape(const ArrayType *a, const ArrayType *b);
extern void gs_sum_out_of_range(int i);

#endif							/* GS_COLLECTED_H */
