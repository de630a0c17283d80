/*-------------------------------------------------------------------------
 *
 * statements.h
 *	  What became of statements that are reports, or could be: a count of their
 *	  executions by all sessions, for gpuscan_statements().
 *
 * Nothing here fails.  Where there is no memory, nothing is counted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STATEMENTS_H
#define GS_STATEMENTS_H

#include "datatype/timestamp.h"

/* So many are kept; beyond, the one that was not used for longest goes. */
#define GS_STATEMENTS_MAX	1000

/* The beginning of texts that is kept, with the 0 behind it */
#define GS_STATEMENT_TEXT	1024
#define GS_STATEMENT_REASON	200

/* Which statement is it, and whose? */
typedef struct gs_statement_key
{
	Oid			user;
	Oid			database;
	int64		id;				/* the server's query id, or else a hash of */
	bool		is_query_id;	/* the text */
} gs_statement_key;

/* An execution. */
typedef struct gs_statement_call
{
	gs_statement_key key;
	const char *text;
	int			length;
	bool		planned;		/* there is a report in the plan, */
	bool		made;			/* and the service made it */
	const char *reason;			/* why not; may be empty */
	double		ms;
	double		estimated_ms;	/* for the ordinary plan */
	int64		held_rows;
	int64		read_rows;
	int64		groups;
} gs_statement_call;

/* All executions of a statement. */
typedef struct gs_statement
{
	gs_statement_key key;
	int			encoding;		/* of the text, and the reason */
	int64		reports;		/* that the service made */
	int64		ordinary;		/* ordinary plans, of which for so many */
	int64		refused;		/* there was no report in the plan */
	double		report_ms;
	double		ordinary_ms;
	double		estimated_ms;	/* for an ordinary plan, the last time */
	int64		held_rows;
	int64		read_rows;
	int64		groups;
	TimestampTz last_used;
	char		reason[GS_STATEMENT_REASON];	/* of the last ordinary plan */
	char		text[GS_STATEMENT_TEXT];
} gs_statement;

extern void gs_statements_count(const gs_statement_call *call);

/* All that are kept, in the current memory context; returns their number. */
extern int	gs_statements_list(gs_statement **list);

/* Forget all; returns their number. */
extern int	gs_statements_forget(void);

#endif							/* GS_STATEMENTS_H */
