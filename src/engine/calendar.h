/*-------------------------------------------------------------------------
 *
 * calendar.h
 *	  Days and months of the Gregorian calendar, for the host and the device.
 *
 * Days and months count from January 1, 2000; the calendar is extended to the
 * time before it was introduced, as PostgreSQL does.  The year is taken to begin
 * in March, so that the leap day is its last one.  The algorithms are those of
 * C. Neri and L. Schneider, "Euclidean affine functions and their application to
 * calendar algorithms", Software: Practice and Experience 53 (2023), 937-970,
 * moved by so many periods of 400 years that no intermediate value is negative.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CALENDAR_H
#define GS_CALENDAR_H

#include "engine/engine.h"

#define GS_CALENDAR_DAYS	146097	/* of 400 years */
#define GS_CALENDAR_MONTHS	4800

/* From March 1 of the year 0, a leap year, to January 1, 2000. */
#define GS_CALENDAR_EPOCH_DAYS		730425
#define GS_CALENDAR_EPOCH_MONTHS	23998

/* Periods that make any int4 positive, as a day or as a month. */
#define GS_CALENDAR_DAY_PERIODS		14700
#define GS_CALENDAR_MONTH_PERIODS	447393

/* The month of a day. */
GS_INLINE int32_t
gs_month_of_day(int32_t day)
{
	uint64_t	n = (uint64_t) ((int64_t) day + GS_CALENDAR_EPOCH_DAYS +
								(int64_t) GS_CALENDAR_DAY_PERIODS *
								GS_CALENDAR_DAYS);
	uint64_t	century = (4 * n + 3) / GS_CALENDAR_DAYS;
	uint32_t	in_century = (uint32_t) ((4 * n + 3) % GS_CALENDAR_DAYS) / 4;
	uint64_t	p = UINT64_C(2939745) * (4 * in_century + 3);
	uint32_t	year = (uint32_t) (p >> 32);
	uint32_t	in_year = (uint32_t) p / 2939745 / 4;

	/* 0 for March */
	uint32_t	month = ((2141 * in_year + 197913) >> 16) - 3;

	return (int32_t) ((int64_t) (12 * (100 * century + year) + month) -
					  GS_CALENDAR_EPOCH_MONTHS -
					  (int64_t) GS_CALENDAR_DAY_PERIODS * GS_CALENDAR_MONTHS);
}

/* The first day of a month. */
GS_INLINE int64_t
gs_first_day_of_month(int32_t month)
{
	uint64_t	m = (uint64_t) ((int64_t) month + GS_CALENDAR_EPOCH_MONTHS +
								(int64_t) GS_CALENDAR_MONTH_PERIODS *
								GS_CALENDAR_MONTHS);
	uint64_t	year = m / 12;
	uint64_t	in_year = m % 12;
	uint64_t	century = year / 100;

	return (int64_t) (1461 * year / 4 - century + century / 4 +
					  (153 * in_year + 2) / 5) - GS_CALENDAR_EPOCH_DAYS -
		(int64_t) GS_CALENDAR_MONTH_PERIODS * GS_CALENDAR_DAYS;
}

#endif							/* GS_CALENDAR_H */
