/*-------------------------------------------------------------------------
 *
 * choice.c
 *	  Arguments that are one of a few words.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "lib/stringinfo.h"

#include "functions/choice.h"

int
gs_choice(const char *name, const text *value, const char *const *words)
{
	char	   *word = text_to_cstring(value);
	StringInfoData valid;

	for (int i = 0; words[i] != NULL; i++)
	{
		if (pg_strcasecmp(word, words[i]) == 0)
		{
			pfree(word);
			return i;
		}
	}
	initStringInfo(&valid);
	for (int i = 0; words[i] != NULL; i++)
		appendStringInfo(&valid, "%s\"%s\"",
						 i == 0 ? "" : words[i + 1] == NULL ? " and " : ", ",
						 words[i]);
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("unrecognized %s: \"%s\"", name, word),
			errhint("Valid values are %s.", valid.data));
}
