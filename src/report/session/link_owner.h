/*-------------------------------------------------------------------------
 *
 * link_owner.h
 *	  Which report has the session's link?
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_LINK_OWNER_H
#define GS_REPORT_LINK_OWNER_H

/* Does any report of this session have it? */
extern bool gs_link_is_owned(void);

/* A new report has it.  Returns the report's number. */
extern uint64 gs_link_own(void);

/*
 * The report gives it back, to whoever needs it next; it may have been closed
 * long before.  unanswered: the service still owes an answer.
 */
extern void gs_link_disown(uint64 number, bool unanswered);

#endif							/* GS_REPORT_LINK_OWNER_H */
