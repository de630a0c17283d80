/*-------------------------------------------------------------------------
 *
 * dimension.h
 *	  A table, or whatever else PostgreSQL can scan, whose rows those of the
 *	  report's own table look up by key: a join.
 *
 * The rows come through a plan of PostgreSQL's, and stay in the session's memory
 * for an execution.  What an expression gives for each of them is a table of the
 * report's plan, in which the report's rows find their place by the key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_DIMENSION_H
#define GS_REPORT_DIMENSION_H

#include "nodes/execnodes.h"
#include "nodes/nodes.h"
#include "nodes/primnodes.h"

#include "report/session/dictionary.h"
#include "report/session/losses.h"

#define GS_DIMENSIONS_MAX	16
#define GS_DIMENSION_KEYS	4

/* More rows are not read. */
#define GS_DIMENSION_ROWS	(1 << 24)

/*
 * Where rows are found.  The keys of a row are a number: the only key itself, or
 * with several keys the digits of one, each counted from the key's `least`.  What
 * is not within `least` and `most` is taken for one of them: there is no row there.
 */
typedef enum gs_dimension_kind
{
	GS_DIMENSION_DENSE,			/* each number has a place */
	GS_DIMENSION_MAPPED,		/* the numbers' places are in a table */
	GS_DIMENSION_SPARSE			/* they are in an index (engine/index.h) */
} gs_dimension_kind;

typedef struct gs_dimension
{
	JoinType	kind;			/* JOIN_INNER, JOIN_LEFT, JOIN_SEMI, JOIN_ANTI */
	List	   *columns;		/* Vars: what the plan's rows have, in this order */

	/*
	 * Expressions over these Vars, and over the report's table and earlier
	 * dimensions: pair by pair they are equal, by the default equality of their
	 * types.  NIL: there is one row at most.
	 */
	List	   *inner_keys;
	List	   *outer_keys;

	/* rows may have the same keys, as any of them does: nobody asks for another */
	bool		repeats;

	/* OIDs of the tables that decide its rows; NIL: there is more that does */
	List	   *tables;
	List	   *tables_read;	/* all of them, whatever else there is */

	/* not 0: that its rows have different keys is a guess, which has this hash */
	uint64		guess;

	double		share;			/* of rows that look it up, those it keeps, as far
								 * as is known: for kinds but JOIN_LEFT */
	int			tested;			/* its place among the look-ups that rows are tested
								 * by, as translated; 0: none */
	double		cost;			/* of reading its rows */
	PlanState  *plan;			/* that gives its rows; NULL when planning */
	double		outer_rows;		/* as far as is known, that look them up */
	double		rows_expected;	/* when planning */

	/*
	 * The service can make its look-up tables of columns that it holds
	 * (translate_held.c): of this table, which is these (OIDs), the rows that pass
	 * the conditions, over columns of the table.  InvalidOid: it cannot.
	 */
	Oid			held;
	List	   *held_tables;
	List	   *filter;
	double		ordinary_cost;	/* planning: of reading its rows, if that is not
								 * `cost` */
	double		first_cost;		/* and of reading what the service then holds; */
	double		first_by_workers;	/* by as many processes as will read */
	bool		refused;		/* executing: it has turned out that it cannot */

	/*
	 * Of an inner join, the one whose rows alone look it up; NULL: others do.  If the
	 * service makes that one's tables, what this one's rows have is in these.
	 */
	struct gs_dimension *parent;
	List	   *children;		/* those that have it for their parent, or a parent's,
								 * in the order of look-ups */

	/* when executing: gs_dimension_find */
	const struct gs_dimension_version *version;
	struct gs_dimension_rows *rows;

	bool		service_lost;	/* it could not be read, as the service had ended */
	bool		renewed;		/* once, as the service had lost a table of it */

	/* for EXPLAIN, of the last execution: how many rows, and where they are found */
	int32		index_rows;
	gs_dimension_kind index_kind;
	bool		index_held;		/* the service has made it */
	bool		index_within;	/* its rows are in a parent's tables */
} gs_dimension;

/* Shares travel as so many parts. */
#define GS_DIMENSION_SHARES	1000000

#define GS_REPEATED_KEY	"a join's key is not unique"

/* Of a guess, whatever query makes it: no query's, and no column's. */
static inline gs_attempt
gs_dimension_attempt(uint64 guess)
{
	return (gs_attempt) {.attribute = INT32_MAX - 1, .query = guess};
}

/* Executing: its rows, if the session has kept them. */
extern void gs_dimension_find(gs_dimension *d);

/* All of a scan's: find the children of each. */
extern void gs_dimensions_relate(List *dimensions);

/*
 * In whose tables are its rows, for a report of the rows of `of`, or, if that is NULL,
 * of the fact table: its own, or those of a parent.
 */
extern gs_dimension *gs_dimension_root(gs_dimension *d,
									   const gs_dimension *of);

/*
 * If it has not, read all, into the current memory context, in which what is
 * made of them lives, too.  scan: the report's.  NULL, or English: why that
 * cannot be done.
 */
extern const char *gs_dimension_read(gs_dimension *d, PlanState *scan);

/* Rows of which the service has lost a table are read anew. */
extern void gs_dimension_forget(gs_dimension *d);

/* ----------
 * For translation
 * ----------
 */

/* Mapped and sparse: place 0 is the empty one, of numbers that have no row. */
typedef struct gs_dimension_index
{
	int64		low[GS_DIMENSION_KEYS]; /* of the rows' keys */
	int64		high[GS_DIMENSION_KEYS];
	int64		least[GS_DIMENSION_KEYS];
	int64		most[GS_DIMENSION_KEYS];

	/* the row in each place, or -1 */
	gs_dimension_kind kind;
	int32		places;
	int32	   *row;

	int64		first;			/* dense, mapped: the number that is told first */
	int32		numbers;		/* mapped: so many are, and */
	int32	   *place;			/* of each the place, or -1; then NULL, but for: */
	struct gs_lookup_table *map;	/* the same as a table (lookup.h); sparse: the
									 * index */
	uint64		factor;			/* of that */
	int			bits;
} gs_dimension_index;

/* A key of all rows. */
typedef struct gs_dimension_key
{
	int64	   *value;
	gs_dictionary *codes;		/* of this session: values are codes; or NULL */
} gs_dimension_key;

/* Behind the rows there is one of NULLs. */
typedef struct gs_dimension_rows
{
	MemoryContext context;
	int32		n;
	Datum	  **value;			/* of each column */
	bool	  **null;
	gs_dimension_key key[GS_DIMENSION_KEYS];
	bool	   *keyless;		/* one of them is NULL */
	gs_dimension_index *index;	/* NULL: it depends on the codes of a column */
	List	   *lookups;		/* translate_dimension.c's */
	bool		kept;			/* beyond the report */
	bool		varies;			/* one of these may be another the next time */
	bool		held;			/* the service has what is made of them, */
	bool		columns_read;	/* of columns that had to be read: of */
	int64		held_rows;		/* so many, and n is 0; this says where: */
	struct gs_lookup_table *found;
} gs_dimension_rows;

/* What a Var is of; NULL: not of a dimension. */
extern gs_dimension *gs_dimension_of(const List *dimensions, const Var *var);

/* A dimension's column, counted from 0; -1: it is none. */
extern int	gs_dimension_column(const gs_dimension *d, const Var *var);

/*
 * Are keys of these types compared as integers, or as codes?  Types with the same
 * answer, which is one of them, are compared with each other; 0: they cannot be
 * keys.
 */
extern Oid	gs_dimension_key_type(Oid type);

/* Let a plan begin again, with the parameters as they are now. */
extern void gs_plan_restart(PlanState *state);

/* Is it the usual equality of the type, perhaps with another one? */
extern bool gs_dimension_is_equality(Oid operator, Oid type);

/* Expression over its columns: they become those of a slot, OUTER_VAR. */
extern Expr *gs_dimension_expression(const gs_dimension *d, Expr *expression);

/*
 * The key of a number of rows lies between these, low > high if there are none; and
 * how many numbers there are then from that of all `least` on: false: too many for
 * one number.
 */
extern void gs_dimension_limit_key(gs_dimension_index *x, int key, int64 low,
								   int64 high);
extern bool gs_dimension_count_numbers(const gs_dimension_index *x, int keys,
									   uint64 *count);

/*
 * value: of each key, of all rows; keyless: rows that nothing finds.  In the
 * current memory context.  NULL, or English: why there is none.
 */
extern const char *gs_dimension_index_make(const gs_dimension *d,
										   int64 *const *value,
										   const bool *keyless,
										   gs_dimension_index *index);

/*
 * translate_held.c: have the service make the table that says where there are rows,
 * or, of an antijoin, where there are none.  d->rows have no row but that of NULLs;
 * they get the index, and this table.  *lost: the service has ended, so that to read
 * the rows does not help.  And a table of what an expression over the dimension's
 * columns gives; *coded: the column whose codes these are, or 0.  NULL, or English:
 * why it cannot.
 */
struct gs_lookup;

extern const char *gs_held_find_rows(const gs_dimension *d, PlanState *scan,
									 bool *lost);
extern const char *gs_held_evaluate(const gs_dimension *d, PlanState *scan,
									Expr *expression,
									struct gs_lookup *lookup,
									struct gs_lookup_table *table,
									AttrNumber *coded);

/* Planning: can it, as far as is known? */
extern bool gs_held_can_be(const gs_dimension *d);

/*
 * dimension_cache.c: rows that the session has kept.  The version is what decides
 * them, if they are read from now on; NULL: rows that are read later might be
 * others, and have the same.  gs_dimensions_trim: before a report, if no other is
 * under way, forget what has changed or takes too much memory.
 */
typedef struct gs_dimension_version gs_dimension_version;

extern gs_dimension_version *gs_dimension_version_of(const gs_dimension *d);
extern gs_dimension_rows *gs_dimensions_find(const gs_dimension_version *version);
extern void gs_dimensions_keep(const gs_dimension_version *version,
							   gs_dimension_rows *rows);
extern void gs_dimensions_trim(void);

/* Bytes that rows, or what an expression gives for them, may take. */
extern size_t gs_dimension_memory(void);

#endif							/* GS_REPORT_DIMENSION_H */
