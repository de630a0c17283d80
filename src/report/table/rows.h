/*-------------------------------------------------------------------------
 *
 * rows.h
 *	  From the tuples of a heap page to columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_ROWS_H
#define GS_REPORT_ROWS_H

#include "access/htup_details.h"
#include "storage/bufpage.h"
#include "storage/itemptr.h"
#include "utils/rel.h"

#include "engine/plan.h"
#include "report/table/column.h"
#include "report/table/pattern.h"

/* An attribute, as far as it must be known to find those behind it. */
typedef struct gs_row_attribute
{
	int16		length;			/* -1: varlena, -2: C string */
	uint8		align;			/* bytes */
} gs_row_attribute;

/* A wanted column. */
typedef struct gs_row_column
{
	int			attribute;		/* counted from 0 */
	int			column;			/* of the plan */
	int			width;			/* bytes, as the engine has it */
	gs_column_form form;
	int			scale;
	gs_dictionary *dictionary;
	const gs_pattern *pattern;	/* GS_FORM_MATCH */
	int			length;			/* as stored, in bytes; -1: varlena */
	int			align;
	int			offset;			/* of its value, or of padding before it: in
								 * any tuple, or in one like the sample */
	bool		missing_null;	/* what rows have that are older than the */
	char		missing[8];		/* column */
	const char *missing_reference;	/* that value, if by reference */
} gs_row_column;

/* Where a walk over a tuple like the sample goes on. */
typedef struct gs_row_stop
{
	int			attribute;
	int			column;			/* wanted, at this attribute or behind it */
	uint32		offset;			/* after the previous attribute */
	uint8		header;			/* of the attribute, a short varlena */
} gs_row_stop;

/* How to find the wanted columns in a table's tuples. */
typedef struct gs_row_shape
{
	int			columns;
	int			attributes;		/* up to the last wanted one */

	/* of the plan, what is in no tuple: system columns; -1: it is not wanted */
	int			tids;			/* gs_tid_number */
	int			tables;			/* the table's OID: */
	Oid			table;

	/*
	 * In a tuple without NULLs, the first so many attributes, and the first
	 * so many wanted columns, are always at the same place.
	 */
	int			fixed_attributes;
	int			fixed_columns;
	int			fixed_size;

	/*
	 * The short varlenas of a tuple that was met, behind the fixed ones and
	 * before the last wanted attribute: a tuple without NULLs in which these
	 * have the same lengths has all attributes at the same places.  The last
	 * stop is where that ends, after so many others.
	 */
	bool		sampled;
	int			stops;
	gs_row_stop stop[MaxHeapAttributeNumber + 1];

	gs_row_column column[GS_PLAN_COLUMNS];	/* by attribute */
	gs_row_attribute attribute[MaxHeapAttributeNumber];
} gs_row_shape;

/* A value that a column cannot have. */
typedef struct gs_odd_value
{
	const char *reason;			/* English; NULL: there is none */
	int			column;			/* of the plan */
	int			scale;			/* numeric: that of the value, if that is why,
								 * else -1 */
} gs_odd_value;

/* Rows as columns. */
typedef struct gs_rows
{
	int64		rows;			/* that are there */
	int64		rows_max;
	uint64		nulls;			/* bit c: column c has NULLs, and a bitmap */
	char	   *values[GS_PLAN_COLUMNS];
	uint8	   *validity[GS_PLAN_COLUMNS];
	gs_odd_value odd;
} gs_rows;

/* The TID of a row as an integer, in the same order. */
static inline int64
gs_tid_number(BlockNumber block, OffsetNumber offset)
{
	return (int64) block * MaxHeapTuplesPerPage + offset - 1;
}

static inline void
gs_tid_of_number(int64 number, ItemPointer tid)
{
	ItemPointerSet(tid, (BlockNumber) (number / MaxHeapTuplesPerPage),
				   (OffsetNumber) (number % MaxHeapTuplesPerPage + 1));
}

extern bool gs_row_shape_init(gs_row_shape *shape, Relation relation,
							  const gs_plan *plan,
							  const gs_report_column *column,
							  gs_odd_value *odd);
extern void gs_odd_decimal(const gs_row_column *c, const char *stored,
						   gs_odd_value *odd);
extern void gs_rows_add(gs_row_shape *shape, Page page, BlockNumber block,
						const OffsetNumber *offset, int n, gs_rows *to);

#endif							/* GS_REPORT_ROWS_H */
