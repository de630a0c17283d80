/*-------------------------------------------------------------------------
 *
 * answers.c
 *	  Reductions of toasted arrays whose results are known before the calls.
 *
 * There are few answers at a time, and calls come in nearly the order in which
 * the answers were added.  So they are in an array, and each search begins
 * where the last one ended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "array/toasted.h"
#include "call/answers.h"

typedef struct answer
{
	struct varatt_external pointer;
	gs_kind		kind;
	gs_type		type;			/* of the elements */
	gs_result	result;
} answer;

struct gs_answers
{
	gs_answers *next;			/* of all that are open */
	answer	   *answer;
	int			count;
	int			room;
	int			last;			/* the one found last */
	MemoryContextCallback at_end;
};

static gs_answers *all_answers;

/* The context's memory is about to be freed, perhaps after an error. */
static void
close_answers(void *arg)
{
	gs_answers **link = &all_answers;

	while (*link != arg)
		link = &(*link)->next;
	*link = ((gs_answers *) arg)->next;
}

/* Answers that are there, at the latest, until the context is reset. */
gs_answers *
gs_answers_open(MemoryContext context)
{
	gs_answers *answers = MemoryContextAllocZero(context, sizeof(gs_answers));

	answers->room = GS_REDUCE_ARRAYS;
	answers->answer = MemoryContextAlloc(context,
										 answers->room * sizeof(answer));
	answers->at_end.func = close_answers;
	answers->at_end.arg = answers;
	MemoryContextRegisterResetCallback(context, &answers->at_end);
	answers->next = all_answers;
	all_answers = answers;
	return answers;
}

void
gs_answers_clear(gs_answers *answers)
{
	answers->count = 0;
	answers->last = 0;
}

void
gs_answers_add(gs_answers *answers, const struct varatt_external *pointer,
			   gs_type type, gs_kind kind, const gs_result *result)
{
	answer	   *a;

	if (answers->count == answers->room)
	{
		answers->room *= 2;
		answers->answer = repalloc(answers->answer,
								   answers->room * sizeof(answer));
	}
	a = &answers->answer[answers->count++];
	a->pointer = *pointer;
	a->kind = kind;
	a->type = type;
	a->result = *result;
}

/* The result of this reduction of this array, if it is known, else NULL. */
const gs_result *
gs_answers_find(Datum array, gs_kind kind, gs_type *type)
{
	struct varatt_external pointer;

	if (all_answers == NULL || !gs_is_toasted(array, &pointer))
		return NULL;
	for (gs_answers *answers = all_answers; answers != NULL;
		 answers = answers->next)
	{
		for (int i = 0; i < answers->count; i++)
		{
			int			at = (answers->last + i) % answers->count;
			const answer *a = &answers->answer[at];

			if (a->kind == kind &&
				memcmp(&a->pointer, &pointer, sizeof(pointer)) == 0)
			{
				answers->last = at;
				*type = a->type;
				return &a->result;
			}
		}
	}
	return NULL;
}
