/*-------------------------------------------------------------------------
 *
 * like.c
 *	  LIKE and starts_with() of very many texts with one pattern.
 *
 * Bytes decide in UTF-8, where no character's bytes are part of another's, and where
 * a character is one byte.
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

#include "report/table/pattern.h"
#include "report/translate/like.h"

/* Before 14 it is named by its C function. */
#define STARTS_WITH	3696

struct gs_like
{
	bool		negated;
	char	   *bytes;			/* as pattern.h has them */
	size_t		size;
	gs_pattern *pattern;
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
	char	   *to = like->bytes = palloc(size + 1);

	for (size_t i = 0; i < size; i++)
	{
		if (pattern[i] == '_')
			return false;
		if (pattern[i] == '%')
		{
			*to++ = '\0';
			continue;
		}
		if (pattern[i] == '\\' && ++i == size)
			return false;
		*to++ = pattern[i];
	}
	like->size = to - like->bytes;
	return true;
}

/* As if % was behind it. */
static void
read_prefix(gs_like *like, const char *prefix, size_t size)
{
	like->bytes = palloc(size + 1);
	memcpy(like->bytes, prefix, size);
	like->bytes[size] = '\0';
	like->size = size + 1;
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
	like->pattern = gs_pattern_of(like->bytes, like->size);
	return like;
}

bool
gs_like_is_negated(const gs_like *like)
{
	return like->negated;
}

const char *
gs_like_bytes(const gs_like *like, size_t *size)
{
	*size = like->size;
	return like->bytes;
}

bool
gs_like_result(const gs_like *like, Datum text)
{
	const struct varlena *value = (struct varlena *) DatumGetPointer(text);

	return gs_pattern_matches(like->pattern, VARDATA_ANY(value),
							  VARSIZE_ANY_EXHDR(value)) != like->negated;
}
