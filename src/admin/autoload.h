/*-------------------------------------------------------------------------
 *
 * autoload.h
 *	  The columns that a service held are loaded again by the next one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_AUTOLOAD_H
#define GS_AUTOLOAD_H

/* Background workers: for a service, and within that for a database. */
extern PGDLLEXPORT void gs_autoload_main(Datum service);
extern PGDLLEXPORT void gs_autoload_database(Datum database);

#endif							/* GS_AUTOLOAD_H */
