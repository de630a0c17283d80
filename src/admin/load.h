/*-------------------------------------------------------------------------
 *
 * load.h
 *	  Has the service hold columns of a table before a report asks for them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_LOAD_H
#define GS_LOAD_H

/*
 * Load those of the columns that are there and can be held.  Nobody's privileges
 * are asked for, since nobody sees what is loaded.  Raises an error if the service
 * cannot read them.
 */
extern void gs_load_again(Oid table, const int16 *attribute, int attributes);

#endif							/* GS_LOAD_H */
