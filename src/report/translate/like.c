/*-------------------------------------------------------------------------
 *
 * like.c
 *	  LIKE and starts_with() of very many texts with one pattern.
 *
 * A pattern without _ is a list of strings, between which anything may stand: the
 * first begins the text, the last ends it, and the others come where they are
 * first found.  memmem() finds them several times as fast as PostgreSQL's function,
 * which goes from character to character.  Bytes decide in UTF-8, where no
 * character's bytes are part of another's, and where a character is one byte.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "report/translate/like.h"

/* Before 14 it is named by its C function. */
#define STARTS_WITH	3696

typedef struct string
{
	const char *bytes;
	size_t		size;
} string;

struct gs_like
{
	bool		negated;
	int			strings;		/* one more than there are signs of % */
	string	   *string;
};

static bool
do_bytes_decide(void)
{
	return pg_database_encoding_max_length() == 1 ||
		GetDatabaseEncoding() == PG_UTF8;
}

/* False: it has _, or ends in an escape. */
static bool
read_pattern(gs_like *like, const char *pattern, size_t size)
{
	char	   *to = palloc(size + 1);
	string	   *s;

	like->string = palloc0((size + 1) * sizeof *like->string);
	like->strings = 1;
	s = like->string;
	s->bytes = to;
	for (size_t i = 0; i < size; i++)
	{
		if (pattern[i] == '_')
			return false;
		if (pattern[i] == '%')
		{
			s = &like->string[like->strings++];
			s->bytes = to;
			continue;
		}
		if (pattern[i] == '\\' && ++i == size)
			return false;
		*to++ = pattern[i];
		s->size++;
	}
	return true;
}

/* As if % was behind it. */
static void
read_prefix(gs_like *like, const char *prefix, size_t size)
{
	like->strings = 2;
	like->string = palloc0(2 * sizeof *like->string);
	like->string[0] = (string) {prefix, size};
	like->string[1] = (string) {prefix + size, 0};
}

/* Of a function's call, or an operator's. */
static const List *
arguments_of(const Expr *expression, Oid *function)
{
	if (IsA(expression, FuncExpr))
	{
		*function = ((const FuncExpr *) expression)->funcid;
		return ((const FuncExpr *) expression)->args;
	}
	if (!IsA(expression, OpExpr))
		return NIL;
	*function = ((const OpExpr *) expression)->opfuncid;
	return ((const OpExpr *) expression)->args;
}

static bool
is_known(Oid function, Oid collation)
{
	return (function == F_TEXTLIKE || function == F_TEXTNLIKE ||
			function == STARTS_WITH) &&
		do_bytes_decide() && OidIsValid(collation) &&
		get_collation_isdeterministic(collation);
}

static bool
is_text_column(const Node *node)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return IsA(node, Var) && (((const Var *) node)->vartype == TEXTOID ||
							  ((const Var *) node)->vartype == VARCHAROID);
}

gs_like *
gs_like_of(const Expr *expression)
{
	Oid			function = InvalidOid;
	const List *args = arguments_of(expression, &function);
	const Const *pattern;
	const struct varlena *text;
	gs_like    *like;

	if (!is_known(function, exprInputCollation((const Node *) expression)) ||
		!is_text_column(linitial(args)))
		return NULL;
	pattern = lsecond(args);
	if (!IsA(pattern, Const) || pattern->constisnull)
		return NULL;
	text = PG_DETOAST_DATUM_PACKED(pattern->constvalue);
	like = palloc0(sizeof *like);
	like->negated = function == F_TEXTNLIKE;
	if (function == STARTS_WITH)
		read_prefix(like, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
	else if (!read_pattern(like, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text)))
		return NULL;
	return like;
}

static bool
ends_in(const char *text, size_t size, const string *s)
{
	return size >= s->size &&
		memcmp(text + size - s->size, s->bytes, s->size) == 0;
}

static bool
is_like(const gs_like *like, const char *text, size_t size)
{
	const string *first = &like->string[0];
	const string *last = &like->string[like->strings - 1];
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

bool
gs_like_result(const gs_like *like, Datum text)
{
	const struct varlena *value = (struct varlena *) DatumGetPointer(text);

	return is_like(like, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)) !=
		like->negated;
}
