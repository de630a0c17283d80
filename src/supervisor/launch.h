/*-------------------------------------------------------------------------
 *
 * launch.h
 *	  gpuscand as a process: its command line, its start, and survivors of
 *	  crashes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_LAUNCH_H
#define GS_LAUNCH_H

#define GS_LAUNCH_ARGUMENTS	18

/* A command line for exec. */
typedef struct gs_command
{
	char		path[MAXPGPATH];
	char	   *argument[GS_LAUNCH_ARGUMENTS];	/* ends with NULL */
	char		text[GS_LAUNCH_ARGUMENTS][MAXPGPATH];
	int			count;
} gs_command;

extern bool gs_service_possible(void);
extern bool gs_service_possible_for_arrays(void);
extern void gs_command_make(gs_command *command, uint64 incarnation,
							const char *devices);
extern bool gs_command_equal(const gs_command *a, const gs_command *b);
extern pid_t gs_launch(gs_command *command, int *lifeline);
extern bool gs_end_survivor(void);

#endif							/* GS_LAUNCH_H */
