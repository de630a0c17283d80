/*-------------------------------------------------------------------------
 *
 * choice.h
 *	  Arguments that are one of a few words.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CHOICE_H
#define GS_CHOICE_H

/*
 * Which of the words, up to NULL, is it, upper case or lower?  Raises 22023,
 * which calls the argument `name` and lists the words, if it is none.
 */
extern int	gs_choice(const char *name, const text *value,
					  const char *const *words);

#endif							/* GS_CHOICE_H */
