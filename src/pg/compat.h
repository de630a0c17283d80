/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  PostgreSQL 13 to 19 from one tree.
 *
 * The code uses the newest API; what an older server lacks is defined here.
 * Include it right after postgres.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMPAT_H
#define GS_COMPAT_H

#include "fmgr.h"
#include "storage/lwlock.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

#if PG_VERSION_NUM >= 140000
#include "utils/wait_event.h"
#else
#include "pgstat.h"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* get_database_name() is elsewhere since 19. */
#if PG_VERSION_NUM < 190000
#include "commands/dbcommands.h"
#endif

#if PG_VERSION_NUM < 140000
#define ROLE_PG_MONITOR DEFAULT_ROLE_MONITOR
#define ROLE_PG_READ_ALL_STATS DEFAULT_ROLE_READ_ALL_STATS
#endif

/* Before 16 each class has its own; here it is for functions. */
#if PG_VERSION_NUM < 160000
#define object_aclcheck(class, object, role, mode) \
	pg_proc_aclcheck(object, role, mode)
#endif

/* Whose a WaitEventSet is that stays: of no resource owner's, since 17. */
#if PG_VERSION_NUM >= 170000
#define GS_LASTING_WAITS NULL
#else
#define GS_LASTING_WAITS TopMemoryContext
#endif

/* Stored size and, since 14, compression method */
#if PG_VERSION_NUM >= 140000
#define GS_TOAST_EXTINFO va_extinfo
#else
#define GS_TOAST_EXTINFO va_extsize
#define VARATT_EXTERNAL_GET_EXTSIZE(pointer) ((pointer).va_extsize)
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

/* Counted from 1 */
#if PG_VERSION_NUM < 160000
#define pgstat_get_local_beentry_by_index(idx) \
	pgstat_fetch_stat_local_beentry(idx)
#endif

/* The first releases of 13 and 14 have it in a source file. */
#ifndef MaxArraySize
#define MaxArraySize ((Size) (MaxAllocSize / sizeof(Datum)))
#endif

#if PG_VERSION_NUM < 140000
#define message_level_is_interesting(level) \
	((level) >= log_min_messages || (level) >= client_min_messages)
#endif

#if PG_VERSION_NUM < 160000
#define BufFileReadExact(file, to, size) \
	do { \
		if (BufFileRead(file, to, size) != (size)) \
			elog(ERROR, "a temporary file ends early"); \
	} while (0)
#endif

/* 16 has functions in place of it, by type */
#ifndef Abs
#define Abs(x)	((x) >= 0 ? (x) : -(x))
#endif

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

/* the place of a relation's files */
#if PG_VERSION_NUM < 160000
#include "utils/relfilenodemap.h"
#define RelidByRelfilenumber RelidByRelfilenode
#define RelFileLocator RelFileNode
#define rd_locator rd_node
#define spcOid spcNode
#define relNumber relNode
#else
#include "utils/relfilenumbermap.h"
#endif

#if PG_VERSION_NUM < 190000
#define PG_SIG_IGN SIG_IGN
#endif

#if PG_VERSION_NUM < 180000
#define pg_noreturn __attribute__((noreturn))
#endif

/* Since 15 the names of locales are text. */
#if PG_VERSION_NUM >= 150000
#define gs_locale_name(datum) TextDatumGetCString(datum)
#else
#define gs_locale_name(datum) pstrdup(NameStr(*DatumGetName(datum)))
#endif

/* Since 19 the name is in shared memory; before, each process tells itself. */
#if PG_VERSION_NUM < 190000
#define LWLockNewTrancheId(name) LWLockNewTrancheId()
#else
#define LWLockRegisterTranche(tranche, name) ((void) 0)
#endif

#if PG_VERSION_NUM >= 190000
#define create_upper_unique_path create_unique_path
#endif

#endif							/* GS_COMPAT_H */
