/*-------------------------------------------------------------------------
 *
 * translate_times.h
 *	  Dates, timestamps and times of day, while functions of them are put.
 *
 * Timestamps and times of day are microseconds, dates are days, from January 1,
 * 2000.  A chain of functions, as in date_trunc('day', at - interval '6 hours'),
 * starts with one value, its source.  The chain is put as if that were finite;
 * what an infinite one gives is chosen at the end, once.  An error in what is
 * not chosen is none.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TRANSLATE_TIMES_H
#define GS_REPORT_TRANSLATE_TIMES_H

#include "pgtime.h"

#include "report/translate/translate_parts.h"

typedef struct gs_time
{
	Oid			type;			/* date, timestamp, timestamptz or time */
	gs_operand	value;
	gs_operand	source;			/* GS_NOTHING: it is finite */
	Oid			source_type;

	/* where it is true, NULL was added, even to an infinite source; GS_NOTHING */
	gs_operand	missing;

	/* Values beyond are errors, or there are none: microseconds, also of dates. */
	int64		first;
	int64		last;
} gs_time;

/*
 * What is computed lies between 3000 BC and 290000 AD, give or take GS_SLACK, so
 * that nothing leaves its type.  Beyond it is an error of the plan.
 */
#define GS_FIRST_TIME	(-(INT64_C(1825847) * USECS_PER_DAY))
#define GS_LAST_TIME	(INT64_C(105189840) * USECS_PER_DAY)
#define GS_SLACK		(INT64_C(500) * 366 * USECS_PER_DAY)

/* Intervals that are added, or that times are cut into, are not longer. */
#define GS_MOST_DAYS	(1000 * 366)
#define GS_MOST_TIME	(GS_MOST_DAYS * USECS_PER_DAY)

/* translate_times.c: false without a reason if it is another function */
extern bool gs_translate_time(gs_translation *t, Oid function, List *args,
							  gs_operand *r);

/* The argument as a time, whatever it is made of. */
extern bool gs_put_time(gs_translation *t, Expr *expression, gs_time *time);

/* In another of these types, as a cast makes it. */
extern bool gs_convert_time(gs_translation *t, gs_time *time, Oid type);

/* A timestamp's day, and microseconds since it began; and back. */
extern bool gs_put_day(gs_translation *t, gs_operand timestamp,
					   gs_operand *day, gs_operand *rest);
extern bool gs_put_timestamp(gs_translation *t, gs_operand day,
							 gs_operand *r);

/* From UTC to the session's local time, and back. */
extern bool gs_put_session_local(gs_translation *t, gs_time *time);
extern bool gs_put_session_utc(gs_translation *t, gs_time *time);

/* translate_time_values.c: the value, as SQL has it */
extern bool gs_put_finished(gs_translation *t, const gs_time *time,
							gs_operand *r);

/* Is the source infinite?  `infinite` where it is, else `finite` */
extern bool gs_put_is_infinite(gs_translation *t, const gs_time *time,
							   gs_operand *r);
extern bool gs_put_by_source(gs_translation *t, const gs_time *time,
							 gs_operand infinite, gs_operand finite,
							 gs_operand *r);

/* b where the source is positive, else c; both of `type` */
extern bool gs_put_by_sign(gs_translation *t, const gs_time *time, gs_type type,
						   gs_value b, gs_value c, gs_operand *r);

/* Values beyond are errors.  The usual ones: so that functions can be put. */
extern bool gs_put_limits(gs_translation *t, gs_time *time, int64 first,
						  int64 last);
extern bool gs_put_usual_limits(gs_translation *t, gs_time *time);

/* What has limits is moved by so much at most. */
extern void gs_widen_limits(gs_time *time, int64 by);

/* a; an error unless it is first to last */
extern bool gs_put_between(gs_translation *t, gs_operand a, gs_operand first,
						   gs_operand last, gs_operand *r);
extern bool gs_put_bounds(gs_translation *t, gs_operand a, int64 first,
						  int64 last, gs_operand *r);

/* a code b, in a's type; and the greatest multiple of b that is not above a */
extern bool gs_put_with(gs_translation *t, gs_code code, gs_operand a, int64 b,
						gs_operand *r);
extern bool gs_put_floor(gs_translation *t, gs_operand a, int64 b,
						 gs_operand *r);
extern bool gs_put_remainder(gs_translation *t, gs_operand a, int64 b,
							 gs_operand *r);

/* translate_truncation.c: date_trunc() and date_bin() */
extern bool gs_truncate_time(gs_translation *t, List *args, gs_time *time);
extern bool gs_bin_time(gs_translation *t, Oid function, List *args,
						gs_time *time);

/*
 * The name of a unit, of lower case, as DecodeUnits() and others know it; NULL:
 * it is not known.
 */
extern char *gs_unit_name(gs_translation *t, Expr *expression);

/*
 * translate_shifts.c: time + interval, or with sign -1 time - interval; date +
 * integer and date - integer; date + time.  An interval without a column: false
 * if it is not known, or too long.
 */
extern bool gs_add_interval(gs_translation *t, List *args, int sign,
							gs_time *time);
extern bool gs_add_days(gs_translation *t, List *args, gs_code code,
						gs_time *time);
extern bool gs_add_time(gs_translation *t, List *args, gs_time *time);
extern bool gs_known_interval(gs_translation *t, Expr *expression,
							  Interval *interval);

/*
 * translate_zone.c: a time zone, as PostgreSQL knows it: n changes, and before,
 * between and behind them what is added to UTC.
 */
typedef struct gs_zone
{
	int			n;
	int64		last;			/* behind this are changes that it lacks */
	gs_value   *utc;			/* when they are, ... */
	gs_value   *local;			/* ... and from which local time on */
	gs_value   *offset;			/* n + 1 */
} gs_zone;

/* NULL: it cannot be used, with a reason. */
extern const gs_zone *gs_zone_of(gs_translation *t, pg_tz *zone);
extern const gs_zone *gs_session_zone(gs_translation *t);

/* Of AT TIME ZONE and others: a text or an interval without a column. */
extern const gs_zone *gs_named_zone(gs_translation *t, Expr *expression);

/* What is added to UTC, at a time of UTC (changes: zone->utc) or a local one. */
extern bool gs_put_offset(gs_translation *t, const gs_zone *zone,
						  const gs_value *changes, gs_time *time,
						  gs_operand *r);

/* From UTC to local time, and back. */
extern bool gs_put_local(gs_translation *t, const gs_zone *zone, gs_time *time);
extern bool gs_put_utc(gs_translation *t, const gs_zone *zone, gs_time *time);

/*
 * translate_intervals.c: false without a reason if it is another function.  The
 * microseconds of an interval that can be one between two timestamps; false: it
 * cannot.
 */
extern bool gs_translate_interval(gs_translation *t, Oid function, List *args,
								  gs_operand *r);
extern bool gs_interval_value(const Interval *interval, int64 *value);

/*
 * translate_age.c: the arguments of age(), if the expression is that of columns of
 * timestamps, else NULL.  Its months, int4, and the rest, in microseconds.
 */
extern const List *gs_age_of(const gs_translation *t, Expr *e);
extern bool gs_put_age(gs_translation *t, const List *args,
					   gs_operand *months, gs_operand *rest);

/* translate_extract.c */
extern bool gs_is_extract(Oid function);

/* False without a reason if it is another function. */
extern bool gs_translate_extract(gs_translation *t, Oid function, List *args,
								 gs_operand *r);

#endif							/* GS_REPORT_TRANSLATE_TIMES_H */
