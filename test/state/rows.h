/*-------------------------------------------------------------------------
 *
 * rows.h
 *	  States of random rows: counts what passed and what failed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWS_H
#define ROWS_H

extern void test_rows(int *passed, int *failed);

#endif							/* ROWS_H */
