/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  PostgreSQL 13 to 18 from one tree.
 *
 * The code uses the newest API; what an older server lacks is defined here.
 * Include it right after postgres.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMPAT_H
#define GS_COMPAT_H

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/numeric.h"

#if PG_VERSION_NUM >= 140000
#include "utils/wait_event.h"
#else
#include "pgstat.h"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

#if PG_VERSION_NUM < 140000
#define ROLE_PG_MONITOR DEFAULT_ROLE_MONITOR
#endif

/* Stored size and, since 14, compression method */
#if PG_VERSION_NUM >= 140000
#define GS_TOAST_EXTINFO va_extinfo
#else
#define GS_TOAST_EXTINFO va_extsize
#endif

#if PG_VERSION_NUM < 140000
static inline Numeric
int64_to_numeric(int64 val)
{
	return DatumGetNumeric(DirectFunctionCall1(int8_numeric,
											   Int64GetDatum(val)));
}

/* before 14 there was no infinite numeric */
#define numeric_is_inf(num) false
#endif

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

#if PG_VERSION_NUM < 180000
#define pg_noreturn __attribute__((noreturn))
#endif

#endif							/* GS_COMPAT_H */
