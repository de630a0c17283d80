/*-------------------------------------------------------------------------
 *
 * column.h
 *	  A table's columns as the engine has them.
 *
 * The engine knows numbers.  What else a column can be is made one when its
 * rows are read, and is turned back where a result is made of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_COLUMN_H
#define GS_REPORT_COLUMN_H

#include "access/attnum.h"

#include "report/session/dictionary.h"

/* The scale of NULL, and of what is not known yet: it suits any other one. */
#define GS_ANY_SCALE	(-1)

typedef enum gs_column_form
{
	GS_FORM_VALUE,				/* the value itself */
	GS_FORM_DECIMAL,			/* numeric: int8, times 10^scale */
	GS_FORM_CODE,				/* its number in the column's dictionary: int4 */
	GS_FORM_MATCH,				/* does a text match a pattern?  bool */
	GS_FORM_INTERVAL			/* of no column: between two timestamps, int8 */
} gs_column_form;

/* What an interval is made of. */
typedef enum gs_interval_part
{
	GS_INTERVAL_MONTHS,
	GS_INTERVAL_DAYS,
	GS_INTERVAL_TIME			/* microseconds */
} gs_interval_part;

#define GS_INTERVAL_PARTS	(GS_INTERVAL_TIME + 1)

/* A column of a plan, in the table that a query names. */
typedef struct gs_report_column
{
	AttrNumber	attribute;
	gs_column_form form;
	int			scale;			/* GS_FORM_DECIMAL; GS_FORM_MATCH: the pattern's code */
	bool		assumed;		/* the type has no scale: scales.h has it */

	/*
	 * GS_FORM_CODE, and of the patterns GS_FORM_MATCH; NULL when planning.  How many
	 * values a plan counts on.
	 */
	gs_dictionary *dictionary;
	int32		values;
} gs_report_column;

/*
 * The engine's type for values of an SQL type that it has as they are; false:
 * there is none.
 */
extern bool gs_report_type(Oid type, gs_type *result);

/*
 * The form and the engine's type of a column; false if the engine cannot have
 * it.  Sets all but the attribute and the dictionary.
 */
extern bool gs_column_form_of(Oid type, int32 typmod, Oid collation,
							  gs_report_column *column, gs_type *engine_type);

/* The same of a system column: of ctid, as rows.h has it, and of tableoid. */
extern bool gs_system_column(AttrNumber attribute, gs_report_column *column,
							 gs_type *engine_type);

/*
 * Of a type whose values have codes: may equal ones have different bytes, as
 * intervals of 1 day and of 24 hours, or 1 and 1.0 in jsonb?  A column of it has
 * codes as long as no two of its values are equal.
 */
extern bool gs_codes_may_be_equal(Oid type);

/*
 * Open the dictionaries of columns that have any, in the table that a query names.
 * False, with a reason: there is none.
 */
extern bool gs_report_open_dictionaries(Oid named, gs_report_column *column,
										int columns, const char **reason);

/*
 * After a report has failed: has the service lost any of these columns'
 * dictionaries?
 */
extern bool gs_report_codes_are_lost(const gs_report_column *column,
									 int columns);

/*
 * How a value of SQL follows from one of the engine's: of columns, and of what
 * is computed of them.
 */
typedef struct gs_report_value
{
	gs_type		type;			/* the engine's */
	gs_column_form form;
	int			scale;			/* GS_FORM_DECIMAL */
	int16		length;			/* SQL's type: pg_type.typlen */
	gs_dictionary *dictionary;	/* GS_FORM_CODE */

	/*
	 * GS_FORM_CODE: the codes of ranks 0 to ranks - 1, if the engine has ranks
	 * instead of codes, else NULL.
	 */
	const int32 *code;
	int32		ranks;

	/*
	 * A key: its place among the plan's.  If that key is a row's number, and this
	 * one what the row has, from 0 to rows - 1: the values.
	 */
	int			place;
	int32		rows;
	const gs_value *of_row;		/* NULL: it is none of those */
	const uint8 *of_row_null;
} gs_report_value;

/*
 * The SQL value, in the current memory context, or of GS_FORM_CODE in the
 * dictionary's, which must have that code.
 */
extern Datum gs_report_datum(const gs_report_value *v, const gs_value *value);

/* Are such SQL values passed by reference? */
static inline bool
gs_report_by_reference(const gs_report_value *v)
{
	return v->form != GS_FORM_VALUE &&
		(v->length < 0 || v->length > (int) sizeof(Datum));
}

#endif							/* GS_REPORT_COLUMN_H */
