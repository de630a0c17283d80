/*-------------------------------------------------------------------------
 *
 * cpu_each_number.h
 *	  Includes the file EACH once for each type of integers and of floats.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_each_integer.h"
#include "engine/cpu/cpu_each_float.h"
