/*-------------------------------------------------------------------------
 *
 * translate_columns.c
 *	  Columns of a plan: of the table, or of the groups or rows that are its input.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "protocol/dictionary.h"
#include "report/session/losses.h"
#include "report/translate/scales.h"
#include "report/translate/translate_parts.h"

/* So many values are compared with each other. */
#define COMPARED_MAX	(1 << 20)

/* So do different values, as long as the dictionary does not grow. */
static bool
have_own_codes(gs_translation *t, const gs_report_column *column)
{
	static const char reason[] = "equal values of a column look different";
	gs_dictionary *d = column->dictionary;
	const char *refusal = gs_dictionary_equals_refusal(t->relation,
													   column->attribute);

	t->recalled |= refusal != NULL;
	if (refusal != NULL)
		return gs_untranslated(t, refusal);
	if (column->values > COMPARED_MAX)
	{
		t->in_vain = true;
		return gs_untranslated(t, "a column has more than 1,048,576 distinct values, of which "
							   "equal ones may look different");
	}
	if (d == NULL)
		return true;			/* it is being planned */
	if (!gs_dictionary_values_differ(d))
	{
		gs_dictionary_refuse_equals(d, reason);
		return gs_untranslated(t, reason);
	}
	gs_must_not_grow(t, d, d->n);
	return true;
}

/* Do they have to, and do they? */
static bool
tell_apart(gs_translation *t, int n, Oid sql_type)
{
	gs_translation_private *p = t->private;

	if (!p->by_bytes && t->column[n].form == GS_FORM_CODE &&
		gs_codes_may_be_equal(sql_type) && !have_own_codes(t, &t->column[n]))
		return false;
	p->unasked[n] = p->by_bytes;
	return true;
}

static bool
put_column(gs_translation *t, const gs_report_column *column, Oid sql_type,
		   gs_type type, gs_operand *r)
{
	int			n = t->plan.columns;

	for (int i = 0; i < n; i++)
	{
		if (t->column[i].attribute == column->attribute &&
			t->column[i].form == column->form &&
			(column->form != GS_FORM_MATCH ||
			 t->column[i].scale == column->scale))
		{
			*r = GS_COLUMN(i);
			return !t->private->unasked[i] || tell_apart(t, i, sql_type);
		}
	}
	if (n == GS_PLAN_COLUMNS)
		return gs_untranslated(t, "there are too many columns");
	t->column[n] = *column;
	if (column->form == GS_FORM_DECIMAL)
	{
		const gs_attempt attempt = {t->relation, column->attribute, 0};
		const char *refusal = gs_loss_known(&attempt);

		if (refusal != NULL)
		{
			t->recalled = true;
			return gs_untranslated(t, refusal);
		}
	}
	if (column->assumed && t->state != NULL)
		t->column[n].scale = gs_scale_assumed(t->relation, column->attribute);
	if (column->form == GS_FORM_CODE && t->state == NULL)
		t->column[n].values = (int32)
			Min(gs_dictionary_expected(t->relation, column->attribute),
				GS_DICTIONARY_MAX);
	else if (column->form == GS_FORM_CODE)
	{
		const char *reason;

		t->column[n].dictionary = gs_dictionary_open(t->relation,
													 column->attribute,
													 &reason);
		if (t->column[n].dictionary == NULL)
			return gs_untranslated(t, reason);
		t->column[n].values = t->column[n].dictionary->n;
	}
	if (!tell_apart(t, n, sql_type))
		return false;
	t->private->column[n] = type;
	t->plan.columns++;
	*r = GS_COLUMN(n);
	return true;
}

/*
 * Which of a column's texts match the pattern?  The answers are held, where the
 * texts are too many to have codes.
 */
bool
gs_put_match(gs_translation *t, AttrNumber attribute, const char *pattern,
			 size_t size, gs_operand *r)
{
	gs_report_column column = {
		.attribute = attribute, .form = GS_FORM_MATCH
	};
	const char *reason;

	/* when planning, it is only a column more */
	column.scale = -1 - t->plan.columns;

	/* once more if it turns out that the service has lost the dictionary */
	for (int i = 0; i < 2 && column.scale < 0 && t->state != NULL; i++)
	{
		column.dictionary = gs_patterns_open(t->relation, attribute, &reason);
		if (column.dictionary == NULL)
			return gs_untranslated(t, reason);
		column.scale = gs_patterns_code(column.dictionary, pattern, size,
										&reason);
	}
	if (column.scale < 0 && t->state != NULL)
		return gs_untranslated(t, reason);
	return put_column(t, &column, TEXTOID, GS_BOOL, r);
}

bool
gs_put_system_column(gs_translation *t, AttrNumber attribute, gs_operand *r)
{
	gs_report_column column;
	gs_type		type;

	return gs_system_column(attribute, &column, &type) &&
		put_column(t, &column, attribute == TableOidAttributeNumber ? OIDOID :
				   TIDOID, type, r);
}

/* A column that groups, or rows, become. */
bool
gs_put_given(gs_translation *t, int number, gs_operand *r)
{
	const gs_given *given = &t->given[number - 1];
	int			n = t->plan.columns;

	if (given->refusal != NULL)
		return gs_untranslated(t, given->refusal);
	for (int i = 0; i < n; i++)
	{
		if (t->column[i].attribute == number)
		{
			*r = GS_COLUMN(i);
			return true;
		}
	}
	if (n == GS_PLAN_COLUMNS)
		return gs_untranslated(t, "there are too many columns");
	t->column[n] = given->column;
	t->column[n].attribute = (AttrNumber) number;
	t->finish[n] = given->finish;
	t->private->column[n] = given->type;
	t->plan.columns++;
	*r = GS_COLUMN(n);
	return true;
}

/* The same as a value: the code of a rank. */
bool
gs_translate_given(gs_translation *t, int number, gs_operand *r)
{
	const gs_report_value *ranked = &t->given[number - 1].ranked;
	gs_domain	domain = {.step = 1, .n = ranked->ranks};
	gs_lookup	codes = {
		.type = GS_INT4, .form = GS_FORM_CODE,
		.dictionary = ranked->dictionary, .n = ranked->ranks + 1
	};
	bool		done;

	if (!gs_put_given(t, number, r))
		return false;
	if (ranked->form != GS_FORM_CODE)
		return true;
	codes.value = palloc0(codes.n * sizeof(gs_value));
	codes.null = palloc0(codes.n);
	for (int32 rank = 0; rank < ranked->ranks; rank++)
		codes.value[rank].i4 = ranked->code[rank];
	codes.null[ranked->ranks] = 1;
	done = gs_put_lookup(t, &domain, *r, &codes, r);
	pfree(codes.value);
	pfree(codes.null);
	return done;
}

bool
gs_translate_column(gs_translation *t, Var *var, gs_operand *r)
{
	gs_report_column column = {.attribute = var->varattno};
	gs_type		type;

	if (var->varno == INDEX_VAR && t->tlist != NIL)
	{
		TargetEntry *entry = list_nth_node(TargetEntry, t->tlist,
										   var->varattno - 1);

		return gs_translate_any(t, entry->expr, r);
	}
	if (t->given != NULL && var->varno == GS_GROUP_VAR)
		return t->given[var->varattno - 1].computed_char ?
			gs_untranslated(t, GS_COMPUTED_CHAR) :
			gs_translate_given(t, var->varattno, r);
	if (var->varattno <= 0 || var->varlevelsup != 0 || t->given != NULL)
		return gs_untranslated(t, "it needs system columns or whole rows");
	if (!gs_column_form_of(var->vartype, var->vartypmod, var->varcollid,
						   &column, &type))
		return gs_untranslated(t, psprintf("a column has type %s",
										   format_type_be(var->vartype)));
	return put_column(t, &column, var->vartype, type, r);
}

/* Columns are, and what a table of results has for them. */
bool
gs_is_code(const gs_translation *t, gs_operand operand)
{
	if (operand >= GS_RESULT(0))
		return t->private->is_code[operand - GS_RESULT(0)];
	return operand >= GS_COLUMN(0) && operand < GS_CONSTANT(0) &&
		t->column[operand - GS_COLUMN(0)].form == GS_FORM_CODE;
}

gs_dictionary *
gs_dictionary_of(const gs_translation *t, gs_operand operand)
{
	return operand >= GS_RESULT(0) ?
		t->private->dictionary[operand - GS_RESULT(0)] :
		t->column[operand - GS_COLUMN(0)].dictionary;
}
