/*-------------------------------------------------------------------------
 *
 * pattern.c
 *	  Does a text match a pattern of LIKE?
 *
 * memmem() finds strings several times as fast as PostgreSQL's function, which goes
 * from character to character.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/table/pattern.h"

typedef struct string
{
	const char *bytes;
	size_t		size;
} string;

struct gs_pattern
{
	int			strings;		/* one more than there are zero bytes */
	string		string[FLEXIBLE_ARRAY_MEMBER];
};

gs_pattern *
gs_pattern_of(const char *bytes, size_t size)
{
	const char *end = bytes + size;
	gs_pattern *pattern;
	size_t		zeros = 0;

	for (size_t i = 0; i < size; i++)
		zeros += bytes[i] == '\0';
	pattern = palloc0(offsetof(gs_pattern, string) +
					  (zeros + 1) * sizeof(string));
	while (pattern->strings <= (int) zeros)
	{
		const char *zero = memchr(bytes, '\0', end - bytes);
		const char *behind = zero != NULL ? zero : end;

		pattern->string[pattern->strings++] = (string) {bytes, behind - bytes};
		bytes = behind + 1;
	}
	return pattern;
}

gs_pattern *
gs_pattern_of_code(const gs_dictionary *d, int32 code)
{
	const struct varlena *value = (struct varlena *)
		DatumGetPointer(gs_dictionary_value(d, code));

	return gs_pattern_of(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
}

static bool
ends_in(const char *text, size_t size, const string *s)
{
	return size >= s->size &&
		memcmp(text + size - s->size, s->bytes, s->size) == 0;
}

bool
gs_pattern_matches(const gs_pattern *pattern, const char *text, size_t size)
{
	const string *first = &pattern->string[0];
	const string *last = &pattern->string[pattern->strings - 1];
	const char *end = text + size;

	if (size < first->size || memcmp(text, first->bytes, first->size) != 0)
		return false;
	if (first == last)
		return size == first->size;
	text += first->size;
	for (const string *s = first + 1; s < last; s++)
	{
		text = memmem(text, end - text, s->bytes, s->size);
		if (text == NULL)
			return false;
		text += s->size;
	}
	return ends_in(text, end - text, last);
}
