/*-------------------------------------------------------------------------
 *
 * rows.h
 *	  States of random rows: counts what passed and what failed, and rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWS_H
#define ROWS_H

extern void test_rows(int *passed, int *failed, int *comparisons);

/* service.c */
extern void test_service(int *passed, int *failed, int *comparisons);

#endif							/* ROWS_H */
