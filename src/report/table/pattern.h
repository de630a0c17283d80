/*-------------------------------------------------------------------------
 *
 * pattern.h
 *	  Does a text match a pattern of LIKE?
 *
 * A pattern without _ is a list of strings, between which anything may stand: the
 * first begins the text, the last ends it, and the others come where they are
 * first found.  It has a zero byte between them, which no text has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_PATTERN_H
#define GS_REPORT_PATTERN_H

#include "report/session/dictionary.h"

typedef struct gs_pattern gs_pattern;

/* The bytes must stay. */
extern gs_pattern *gs_pattern_of(const char *bytes, size_t size);

/* One of a column's patterns (gs_patterns_open). */
extern gs_pattern *gs_pattern_of_code(const gs_dictionary *d, int32 code);

extern bool gs_pattern_matches(const gs_pattern *pattern, const char *text,
							   size_t size);

#endif							/* GS_REPORT_PATTERN_H */
