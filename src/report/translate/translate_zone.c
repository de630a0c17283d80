/*-------------------------------------------------------------------------
 *
 * translate_zone.c
 *	  Time zones, as places among the changes of their local times.
 *
 * PostgreSQL reads what a zone's file says of a time: pg_localtime() from UTC,
 * and DetermineTimeZoneOffset() from local time, which looks for the first
 * change behind the day before that time, taken as UTC.  There, local times that
 * clocks leap over are told by those before the change, and local times that
 * come twice by those behind it.  Both follow: from the change on, told by
 * clocks behind it, times are behind it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/scansup.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

/* From January 1, 2300, on, rules that go on for ever are not followed. */
#define LAST_CHANGE		(INT64_C(109573) * USECS_PER_DAY)

/* Of a zone that changes twice a year from 1900 to 2300 */
#define MOST_CHANGES	1024

/* What a session has used, for as long as it lasts. */
typedef struct known_zone
{
	struct known_zone *next;
	const pg_tz *tz;			/* NULL: of a constant offset */
	gs_zone		zone;
} known_zone;

static known_zone *known_zones;

static const int64 epoch = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
	(int64) SECS_PER_DAY;

/* One change of a zone's local time. */
typedef struct change
{
	pg_time_t	at;
	long int	before;			/* seconds east of Greenwich */
	long int	after;
} change;

/* Behind `time`; false: there is none, and `before` is what it is. */
static bool
next_change(pg_time_t time, const pg_tz *tz, change *c)
{
	int			is_dst;

	return pg_next_dst_boundary(&time, &c->before, &is_dst, &c->at, &c->after,
								&is_dst, tz) > 0;
}

/* Do PostgreSQL's two ways agree on the local time at `time`? */
static bool
is_offset(pg_time_t time, const pg_tz *tz, long int offset)
{
	const struct pg_tm *tm = pg_localtime(&time, tz);

	return tm != NULL && tm->tm_gmtoff == offset &&
		labs(offset) < SECS_PER_DAY;
}

/* A zone's changes behind 3000 BC */
typedef struct change_list
{
	int			n;
	bool		more;			/* and others, from 2300 on */
	long int	first;			/* seconds east of Greenwich, before all changes */
	change		change[MOST_CHANGES];
} change_list;

/* False: there are too many, or PostgreSQL's two ways differ. */
static bool
find_changes(const pg_tz *tz, change_list *list)
{
	pg_time_t	time = GS_FIRST_TIME / USECS_PER_SEC + epoch;
	const pg_time_t last = (LAST_CHANGE + 7 * USECS_PER_DAY) / USECS_PER_SEC +
		epoch;
	change		c;

	list->n = 0;
	list->more = false;
	while (!list->more && next_change(time, tz, &c))
	{
		if (list->n == MOST_CHANGES || !is_offset(c.at - 1, tz, c.before) ||
			!is_offset(c.at, tz, c.after))
			return false;
		if (list->n == 0)
			list->first = c.before;
		list->change[list->n++] = c;
		list->more = c.at > last;
		time = c.at;
	}
	if (list->n > 0)
		return true;
	list->first = c.before;
	return is_offset(time, tz, c.before);
}

static void
make_zone(gs_zone *zone, const change_list *list)
{
	const Size	size = (list->n + 1) * sizeof(gs_value);
	int64		before = PG_INT64_MIN;

	zone->n = list->n;
	zone->last = list->more ? LAST_CHANGE : PG_INT64_MAX;
	zone->utc = MemoryContextAllocZero(TopMemoryContext, size);
	zone->local = MemoryContextAllocZero(TopMemoryContext, size);
	zone->offset = MemoryContextAllocZero(TopMemoryContext, size);
	zone->offset[0].i8 = list->first * USECS_PER_SEC;
	for (int i = 0; i < list->n; i++)
	{
		const change *c = &list->change[i];
		int64		at = (c->at - epoch) * USECS_PER_SEC;
		int64		offset = c->after * USECS_PER_SEC;

		/* the change before hides this one for a day */
		zone->utc[i].i8 = at;
		zone->local[i].i8 = Max(at + offset, before);
		zone->offset[i + 1].i8 = offset;
		before = at + USECS_PER_DAY;
	}
}

static const gs_zone *
add_zone(const pg_tz *tz, const change_list *list)
{
	known_zone *known = MemoryContextAlloc(TopMemoryContext,
										   sizeof(known_zone));

	make_zone(&known->zone, list);
	known->tz = tz;
	known->next = known_zones;
	known_zones = known;
	return &known->zone;
}

const gs_zone *
gs_zone_of(gs_translation *t, pg_tz *tz)
{
	change_list *list;

	for (known_zone *known = known_zones; known != NULL; known = known->next)
	{
		if (known->tz == tz)
			return &known->zone;
	}
	list = palloc(sizeof(change_list));
	if (find_changes(tz, list))
		return add_zone(tz, list);
	gs_untranslated(t, "the time zone changes in an unusual way");
	return NULL;
}

const gs_zone *
gs_session_zone(gs_translation *t)
{
	return gs_zone_of(t, session_timezone);
}

static const gs_zone *
constant_zone(long int seconds)
{
	change_list list;

	for (known_zone *known = known_zones; known != NULL; known = known->next)
	{
		if (known->tz == NULL &&
			known->zone.offset[0].i8 == seconds * USECS_PER_SEC)
			return &known->zone;
	}
	list.n = 0;
	list.more = false;
	list.first = seconds;
	return add_zone(NULL, &list);
}

/* The type that DecodeTimezoneAbbrev() finds, and what goes with it. */
static int
find_abbreviation(const char *name, int *seconds, pg_tz **tz)
{
	char	   *lower = downcase_truncate_identifier(name, strlen(name), false);
#if PG_VERSION_NUM >= 160000
	DateTimeErrorExtra extra;
	int			type;

	return DecodeTimezoneAbbrev(0, lower, &type, seconds, tz, &extra) == 0 ?
		type : IGNORE_DTF;
#else
	return DecodeTimezoneAbbrev(0, lower, seconds, tz);
#endif
}

/* As DecodeTimezoneName() finds it, which raises an error if there is none. */
static const gs_zone *
zone_of_name(gs_translation *t, const char *name)
{
	int			seconds;
	pg_tz	   *tz;

	if (strlen(name) <= TZ_STRLEN_MAX)
	{
		switch (find_abbreviation(name, &seconds, &tz))
		{
			case TZ:
			case DTZ:
				return constant_zone(seconds);
			case UNKNOWN_FIELD:
				tz = pg_tzset(name);
				if (tz != NULL)
					return gs_zone_of(t, tz);
				break;
			default:
				break;
		}
	}
	gs_untranslated(t, "a time zone is not known, or an abbreviation whose "
					"meaning depends on the time");
	return NULL;
}

const gs_zone *
gs_named_zone(gs_translation *t, Expr *expression)
{
	const Interval *interval;
	bool		isnull = true;
	Datum		datum = 0;

	if (gs_has_no_column(expression) && gs_is_known(t, expression))
		datum = gs_evaluate(t, expression, &isnull);
	if (isnull)
	{
		gs_untranslated(t, "a time zone is not a constant");
		return NULL;
	}
	if (exprType((Node *) expression) == TEXTOID)
		return zone_of_name(t, TextDatumGetCString(datum));
	interval = DatumGetIntervalP(datum);
	if (interval->month != 0 || interval->day != 0 ||
		Abs(interval->time) >= USECS_PER_DAY)
	{
		gs_untranslated(t, "a time zone is a day or more away");
		return NULL;
	}
	return constant_zone(interval->time / USECS_PER_SEC);
}

bool
gs_put_offset(gs_translation *t, const gs_zone *zone, const gs_value *changes,
			  gs_time *time, gs_operand *r)
{
	gs_instruction search = {.code = GS_CODE_SEARCH, .type = GS_INT8};
	gs_instruction lookup = {
		.code = GS_CODE_LOOKUP,
		.width = sizeof(gs_value),
		.type = GS_INT4,
		.to = GS_INT8,
		.on_null = -1
	};

	/* local time may be a day behind; more changes than that are known */
	if (time->last - 2 * USECS_PER_DAY > zone->last &&
		!gs_put_limits(t, time, GS_FIRST_TIME, zone->last))
		return false;
	if (zone->n == 0)
		return gs_put_bigint(t, zone->offset[0].i8, r);
	search.a = time->value;
	return gs_put_listed(t, search, changes, zone->n, &lookup.a) &&
		gs_put_listed(t, lookup, zone->offset, zone->n + 1, r);
}

static bool
shift(gs_translation *t, gs_code code, gs_operand offset, gs_time *time)
{
	const gs_constant *known = gs_known_constant(t, offset);

	return (known != NULL && known->value.i8 == 0) ||
		gs_put_binary(t, code, time->value, offset, &time->value);
}

bool
gs_put_local(gs_translation *t, const gs_zone *zone, gs_time *time)
{
	gs_operand	offset;

	time->type = TIMESTAMPOID;
	return gs_put_offset(t, zone, zone->utc, time, &offset) &&
		shift(t, GS_CODE_ADD, offset, time);
}

bool
gs_put_utc(gs_translation *t, const gs_zone *zone, gs_time *time)
{
	gs_operand	offset;

	time->type = TIMESTAMPTZOID;
	return gs_put_offset(t, zone, zone->local, time, &offset) &&
		shift(t, GS_CODE_SUBTRACT, offset, time);
}
