/*-------------------------------------------------------------------------
 *
 * distance.cuh
 *	  Distances of any numbers' type that are doubles (engine/interpolate.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DISTANCE_CUH
#define GS_DISTANCE_CUH

#include "engine/interpolate.h"

__device__ static __forceinline__ bool
gs_distance(int64_t a, int64_t b, double *distance)
{
	return gs_distance_of_integers(a, b, distance);
}

__device__ static __forceinline__ bool
gs_distance(int32_t a, int32_t b, double *distance)
{
	return gs_distance_of_integers(a, b, distance);
}

__device__ static __forceinline__ bool
gs_distance(int16_t a, int16_t b, double *distance)
{
	return gs_distance_of_integers(a, b, distance);
}

__device__ static __forceinline__ bool
gs_distance(float a, float b, double *distance)
{
	return gs_distance_of_doubles(a, b, distance);
}

__device__ static __forceinline__ bool
gs_distance(double a, double b, double *distance)
{
	return gs_distance_of_doubles(a, b, distance);
}

#endif							/* GS_DISTANCE_CUH */
