/*-------------------------------------------------------------------------
 *
 * lookup.h
 *	  What an expression gives for each value of a column, as a plan has it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_LOOKUP_H
#define GS_REPORT_LOOKUP_H

#include "pgtime.h"

#include "engine/engine.h"
#include "report/table/column.h"
#include "report/translate/evaluation.h"

typedef struct gs_lookup
{
	gs_type		type;
	gs_column_form form;
	int			scale;			/* GS_FORM_DECIMAL: that of all results */
	gs_dictionary *dictionary;	/* GS_FORM_CODE: of this session alone; NULL
								 * when planning */

	/* those of the domain's values, then that of NULL; NULL: there are tables */
	int32		n;
	gs_value   *value;
	uint8	   *null;			/* 0 or 1; also of what raised an error */
	uint8	   *raised;			/* 0 or 1; NULL: nothing did */

	/* the same as tables of the plan; NULL: not made, or nothing raised an error */
	struct gs_lookup_table *table;
	struct gs_lookup_table *errors;

	/*
	 * In place of these, if the domain is listed and they are few: the codes for
	 * which the condition is true, or, if `inverted`, for which it is false.  Then
	 * the result for NULL: 0, 1, or -1 for NULL.
	 */
	int32		codes;
	int32	   *code;
	bool		inverted;
	int			on_null;
} gs_lookup;

/* Results as a table of the plan: GS_CODE_LOOKUP. */
typedef struct gs_lookup_table
{
	int32		n;
	int16		width;
	bool		has_nulls;
	int64		low;			/* of integers: the least of them and 0, */
	int64		high;			/* and the greatest of them and 0 */
	int32		size;			/* of these: */
	gs_value   *value;			/* NULL: only the service has them */
	uint64		number;			/* gs_plan_table's; 0: it goes into the list */
} gs_lookup_table;

/*
 * What is known of it before it is made.  by_bytes: results that are equal may
 * have several codes.  NULL, or English: why there can be none.
 */
extern const char *gs_lookup_kind(Expr *expression, bool by_bytes,
								  gs_lookup *lookup);

/*
 * Of an expression that gs_lookup_kind allows: make it, or find it among those that the session has kept; it lives as long
 * as the current memory context, or the dimension's rows, at least.  NULL, or
 * English: why it was not made.
 */
extern const char *gs_lookup_get(PlanState *plan, Expr *expression,
								 const gs_domain *domain, gs_lookup *lookup);

/* As tables of the plan, in the current memory context: for one that is kept. */
extern void gs_lookup_make_tables(gs_lookup *lookup, const gs_domain *domain);

/* The settings that the results of functions depend on. */
typedef struct gs_settings
{
	const pg_tz *zone;			/* one for each name, as long as the session lives */
	int			date_style;
	int			date_order;
	int			interval_style;
	int			float_digits;
	bool		quote_all;
	char		time[64];
	char		numeric[64];
	char		monetary[64];
	char		abbreviations[64];	/* of time zones */
} gs_settings;

extern void gs_settings_read(gs_settings *settings);

/* May an expression give something else of the same values and settings? */
extern bool gs_varies(Node *expression);

/*
 * lookup_cache.c: those that the session has kept.  gs_lookups_context: where to
 * make one that may be kept, within the current memory context; NULL: it may not
 * be.  gs_lookups_keep may have it live on from there.  gs_lookups_trim: before a
 * report, if no other is under way, forget what takes too much memory.
 */
extern bool gs_lookups_find(const Expr *expression, const gs_domain *domain,
							gs_lookup *lookup);
extern MemoryContext gs_lookups_context(const Expr *expression,
										const gs_domain *domain);
extern void gs_lookups_keep(MemoryContext context, const Expr *expression,
							const gs_domain *domain, const gs_lookup *lookup);
extern void gs_lookups_trim(void);

#endif							/* GS_REPORT_LOOKUP_H */
