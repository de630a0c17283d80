/*-------------------------------------------------------------------------
 *
 * translate_granule.c
 *	  Expressions of a timestamp that only change from day to day, from hour to
 *	  hour, or from minute to minute.
 *
 * These are the ones that reports group by: date_trunc, extract, to_char, and
 * whatever is computed of their results.  With a time zone, days and hours
 * begin on some quarter of an hour: most zones are such a time apart, and change
 * at such a time.  (Newfoundland's changed a minute after midnight until 2011.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "report/translate/translate_parts.h"

#define QUARTER		(15 * USECS_PER_MINUTE)

typedef enum granule_function
{
	NO_GRANULE,
	OF_UNIT,					/* its first argument names a unit */
	OF_FORMAT,					/* its second one is a format of to_char */
	OF_DAY
} granule_function;

typedef struct granule_search
{
	const gs_translation *t;
	int64		granule;		/* the shortest so far; 0: there is none */
	bool		failed;
} granule_search;

static granule_function
function_kind(Oid function)
{
	switch (function)
	{
		case 1171:				/* date_part(text, timestamptz) */
		case 1217:				/* date_trunc(text, timestamptz) */
		case 2020:				/* date_trunc(text, timestamp) */
		case 2021:				/* date_part(text, timestamp) */
		case 6202:				/* extract(text, timestamp) */
		case 6203:				/* extract(text, timestamptz) */
			return OF_UNIT;
		case 1770:				/* to_char(timestamptz, text) */
		case 2049:				/* to_char(timestamp, text) */
			return OF_FORMAT;
		case 1178:				/* date(timestamptz) */
		case 2029:				/* date(timestamp) */
			return OF_DAY;
		default:
			return NO_GRANULE;
	}
}

static int64
granule_of_unit(const char *unit)
{
	static const char *const days[] = {
		"day", "dow", "isodow", "doy", "week", "month", "quarter", "year",
		"isoyear", "decade", "century", "millennium"
	};

	for (int i = 0; i < (int) lengthof(days); i++)
	{
		if (pg_strcasecmp(unit, days[i]) == 0)
			return USECS_PER_DAY;
	}
	if (pg_strcasecmp(unit, "hour") == 0)
		return USECS_PER_HOUR;
	return pg_strcasecmp(unit, "minute") == 0 ? USECS_PER_MINUTE : 0;
}

static bool
contains(const char *format, const char *part)
{
	for (; *format != '\0'; format++)
	{
		if (pg_strncasecmp(format, part, strlen(part)) == 0)
			return true;
	}
	return false;
}

/* What looks like a part of a time, in quotes or not, is taken for one. */
static int64
granule_of_format(const char *format)
{
	static const char *const seconds[] = {"SS", "MS", "US", "FF"};
	static const char *const hours[] = {"HH", "AM", "PM", "A.M", "P.M", "TZ", "OF"};

	for (int i = 0; i < (int) lengthof(seconds); i++)
	{
		if (contains(format, seconds[i]))
			return 0;
	}
	if (contains(format, "MI"))
		return USECS_PER_MINUTE;
	for (int i = 0; i < (int) lengthof(hours); i++)
	{
		if (contains(format, hours[i]))
			return USECS_PER_HOUR;
	}
	return USECS_PER_DAY;
}

static char *
constant_text(const Node *node)
{
	const Const *c = (const Const *) node;

	return IsA(node, Const) && c->consttype == TEXTOID && !c->constisnull ?
		TextDatumGetCString(c->constvalue) : NULL;
}

/* Of a function of a timestamp; 0: it is another one. */
static int64
granule_of(const gs_translation *t, const FuncExpr *e)
{
	granule_function kind = function_kind(e->funcid);
	char	   *text = NULL;
	const Node *time;

	if (kind == NO_GRANULE)
		return 0;
	time = kind == OF_UNIT ? lsecond(e->args) : linitial(e->args);
	if (!IsA(gs_resolve(t, (Node *) time), Var))
		return 0;
	if (kind == OF_DAY)
		return USECS_PER_DAY;
	text = constant_text(kind == OF_UNIT ? linitial(e->args) :
						 lsecond(e->args));
	if (text == NULL)
		return 0;
	return kind == OF_UNIT ? granule_of_unit(text) : granule_of_format(text);
}

static bool
search(Node *node, void *context)
{
	granule_search *s = context;
	int64		granule = 0;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		node = gs_resolve(s->t, node);
		if (IsA(node, Var))
			s->failed = true;
		return s->failed || search(node, context);
	}
	if (IsA(node, FuncExpr))
		granule = granule_of(s->t, (FuncExpr *) node);
	if (granule == 0)
		return expression_tree_walker(node, search, context);
	if (s->granule == 0 || granule < s->granule)
		s->granule = granule;
	return false;
}

int64
gs_granule(const gs_translation *t, Expr *expression, Oid type)
{
	granule_search s = {.t = t};

	search((Node *) expression, &s);
	if (s.failed || s.granule == 0)
		return 0;
	return type == TIMESTAMPTZOID ? Min(s.granule, QUARTER) : s.granule;
}

/* What is known of a unit's values; 0: nothing. */
typedef struct time_unit
{
	const char *name;
	int			extracted;		/* values of extract() */
	int64		length;			/* between those of date_trunc() */
} time_unit;

static const time_unit *
find_unit(const Node *node)
{
	static const time_unit units[] = {
		{"second", 0, USECS_PER_SEC}, {"minute", 60, USECS_PER_MINUTE},
		{"hour", 24, USECS_PER_HOUR}, {"day", 31, USECS_PER_DAY},
		{"dow", 7, 0}, {"isodow", 7, 0}, {"doy", 366, 0},
		{"week", 53, 7 * USECS_PER_DAY}, {"month", 12, 28 * USECS_PER_DAY},
		{"quarter", 4, 90 * USECS_PER_DAY}, {"year", 0, 365 * USECS_PER_DAY}
	};
	const char *name = constant_text(node);

	for (int i = 0; name != NULL && i < (int) lengthof(units); i++)
	{
		if (pg_strcasecmp(units[i].name, name) == 0)
			return &units[i];
	}
	return NULL;
}

static int64
length_of_interval(const Node *node)
{
	const Const *c = (const Const *) node;
	const Interval *interval;

	if (!IsA(node, Const) || c->consttype != INTERVALOID || c->constisnull)
		return 0;
	interval = DatumGetIntervalP(c->constvalue);
	return interval->day * USECS_PER_DAY + interval->time;
}

/* From one value of a time to the next; 0: it is not known. */
static int64
step_of(Node *node)
{
	const time_unit *unit;
	List	   *args;
	Oid			function;

	if (IsA(node, FuncExpr))
	{
		function = ((FuncExpr *) node)->funcid;
		args = ((FuncExpr *) node)->args;
	}
	else if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		function = ((OpExpr *) node)->opfuncid;
		args = ((OpExpr *) node)->args;
	}
	else
		return 0;
	switch (function)
	{
		case 1217:				/* date_trunc(text, timestamptz) */
		case 1284:				/* date_trunc(text, timestamptz, text) */
		case 2020:				/* date_trunc(text, timestamp) */
			unit = find_unit(linitial(args));
			return unit == NULL ? 0 : unit->length;
		case 6177:				/* date_bin() */
		case 6178:
			return length_of_interval(linitial(args));
		case 1178:				/* date(timestamptz) */
		case 2029:				/* date(timestamp) */
			return USECS_PER_DAY;
		case 1026:				/* timezone() */
		case 1159:
		case 2069:
		case 2070:
			return step_of(lsecond(args));
		case 1141:				/* date + and - integer */
		case 1142:
		case 1174:				/* timestamptz(date) */
		case 1189:				/* + and - interval */
		case 1190:
		case 2024:				/* timestamp(date) */
		case 2027:				/* timestamp(timestamptz) */
		case 2028:				/* timestamptz(timestamp) */
		case 2032:
		case 2033:
		case 2071:
		case 2072:
			return step_of(linitial(args));
		default:
			return 0;
	}
}

void
gs_unit_values(Expr *expression, int *values, int64 *step)
{
	const FuncExpr *e = (const FuncExpr *) expression;
	const time_unit *unit;

	*values = 0;
	*step = step_of((Node *) expression);
	if (!IsA(expression, FuncExpr))
		return;
	switch (e->funcid)
	{
		case 1171:				/* date_part(text, timestamptz) */
		case 1384:				/* date_part(text, date) */
		case 2021:				/* date_part(text, timestamp) */
		case 6199:				/* extract(text, date) */
		case 6202:				/* extract(text, timestamp) */
		case 6203:				/* extract(text, timestamptz) */
			break;
		default:
			return;
	}
	unit = find_unit(linitial(e->args));
	if (unit == NULL)
		return;
	*values = unit->extracted;
	*step = unit->extracted == 0 && unit->length >= USECS_PER_DAY ?
		unit->length : 0;
}

/* Does local time only change at multiples of the granule, by such? */
static bool
zone_has(int64 granule, TimestampTz low, TimestampTz high)
{
	const int64 epoch = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY;
	const int64 step = granule / USECS_PER_SEC;
	pg_time_t	at = (low - (low % granule + granule) % granule) /
		USECS_PER_SEC + epoch;
	pg_time_t	end = high / USECS_PER_SEC + epoch;

	for (;;)
	{
		long int	before;
		long int	after;
		int			is_dst;
		pg_time_t	change;
		int			found = pg_next_dst_boundary(&at, &before, &is_dst, &change,
												 &after, &is_dst,
												 session_timezone);

		if (found < 0 || before % step != 0)
			return false;
		if (found == 0 || change > end)
			return true;
		if (change % step != 0)
			return false;
		at = change;
	}
}

int64
gs_granule_in_zone(int64 granule, TimestampTz low, TimestampTz high)
{
	if (zone_has(granule, low, high))
		return granule;
	return granule > USECS_PER_MINUTE &&
		zone_has(USECS_PER_MINUTE, low, high) ? USECS_PER_MINUTE : 0;
}
