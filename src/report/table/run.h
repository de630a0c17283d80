/*-------------------------------------------------------------------------
 *
 * run.h
 *	  One execution of a report's plan by the service, over tables.
 *
 *		gs_report_read					is there a service?  It has all rows
 *		gs_report_finish				the groups are known
 *		gs_report_ask_groups,
 *		gs_report_take_groups,
 *		gs_report_column_part			any range of them
 *		gs_report_end					always, even after an error
 *
 * Whatever fails, fails softly: a status other than GS_OK means that the
 * report must be made the ordinary way, and gs_report_run.reason says why.
 * Errors that are raised are those of PostgreSQL: cancellation, damaged pages,
 * serialization failures.  gs_report_end is safe after these, too.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_RUN_H
#define GS_REPORT_RUN_H

#include "portability/instr_time.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

#include "engine/plan.h"
#include "protocol/report.h"
#include "report/table/rows.h"

/* What EXPLAIN ANALYZE tells; of all tables together. */
typedef struct gs_report_stats
{
	int64		held_rows;		/* used, of what the service held */
	int64		held_pages;
	int64		masked_rows;	/* held, but not true any more */
	int64		verified_pages; /* looked at, and found to be true */
	int64		kept_rows;		/* read now, and held from now on */
	int64		kept_pages;
	int64		read_rows;		/* read now by snapshot, and not held */
	int64		read_pages;
	int64		hidden_pages;	/* of kept and read ones: not all-visible */
	int64		bytes;			/* of held columns that the engine read */
	double		read_ms;		/* reading pages */
	double		compute_ms;		/* the service's, as far as it was waited for */
	int			workers;		/* that took part in reading pages */
	gs_stage_work stage[GS_STAGES_MAX]; /* zeros: there is none */
} gs_report_stats;

/*
 * Where a report's rows are: in tables that are the named one or partitions of
 * it, as far as the snapshot sees them.
 */
typedef struct gs_report_input
{
	List	   *tables;			/* OIDs */
	Oid			named;
	const gs_report_column *column; /* the plan's, in the named table */
	Snapshot	snapshot;
	int			workers;		/* that may take part in reading, at most */
} gs_report_input;

typedef struct gs_report_run
{
	const gs_stage *stage;
	int			stages;
	const gs_plan *plan;		/* the first one's, which reads the tables, */
	const gs_plan *groups;		/* and the last one's */
	gs_report_stats stats;
	int			workers;		/* may several processes read its tables? */
	bool		begun;			/* the service has taken the plan */
	bool		lacks_table;	/* one that only the service could make */
	int64		missing;		/* pages that these are to read first, of the */
	int			missing_table;	/* input's table: the report has ended */
	gs_summary	summary;		/* after gs_report_finish; and */
	int			failed_stage;	/* whose errors these are, if there are any */
	bool		on_device;		/* as in gs_link */
	char		engine[16];
	char		reason[200];	/* after a failure */
	gs_odd_value odd;			/* that made it fail, if one did */
	struct gs_report_private *private;	/* run.c's */
} gs_report_run;

/*
 * Begin, and add the rows of the tables.  The stages stay as they are until
 * gs_report_end.  Takes AccessShareLock until the transaction ends.
 */
extern gs_status gs_report_read(gs_report_run *run, const gs_stage *stage,
								int stages, const gs_report_input *input);

/*
 * How much of the tables, from 0 to 1, need not be read, as the service holds all of
 * these columns, of the engine's types; 0: it cannot tell now.  Nothing is read.
 */
extern double gs_report_held_share(const gs_report_input *input, uint8 *type,
								   int columns);

/* GS_INVALID: summary.errors is not 0. */
extern gs_status gs_report_finish(gs_report_run *run);

/*
 * The most groups that can be asked for at once.  They must be taken before
 * anything else is asked; the service fetches them meanwhile.  They are laid
 * out by gs_lay_groups for that count.
 */
extern int64 gs_report_fetch_max(const gs_report_run *run);

/* Have all come with the summary?  Then asking for these takes no time. */
extern bool gs_report_has_all(const gs_report_run *run);
extern gs_status gs_report_ask_groups(gs_report_run *run, int64 first,
									  int64 count);
extern gs_status gs_report_take_groups(gs_report_run *run, int64 count,
									   void *to);

/* One of the columns that are not the same for each group (GS_FETCH_WIDE). */
extern gs_status gs_report_column_part(gs_report_run *run, int column,
									   int64 first, int64 count, void *to);

/*
 * After gs_report_finish, of a plan of rows (protocol/report.h): between which
 * integers its first values are; and its rows as a look-up table, which has this
 * number from then on.  *repeated: of what is scattered without a value, rows
 * whose place others have; is it to be unique, there is no table then.
 */
extern gs_status gs_report_value_ranges(gs_report_run *run,
										gs_value_range range[GS_RANGES_MAX]);
extern gs_status gs_report_scatter(gs_report_run *run, uint64 number,
								   bool unique, const gs_scatter *scatter,
								   int64 *repeated);
extern void gs_report_end(gs_report_run *run);

#endif							/* GS_REPORT_RUN_H */
