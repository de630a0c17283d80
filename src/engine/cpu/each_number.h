/*-------------------------------------------------------------------------
 *
 * each_number.h
 *	  Includes the file EACH once for each type of integers and of floats.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/each_integer.h"
#include "engine/cpu/each_float.h"
