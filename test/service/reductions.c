/*-------------------------------------------------------------------------
 *
 * reductions.c
 *	  REDUCE: reductions of several cached values at once.
 *
 *-------------------------------------------------------------------------
 */
#include "cache.h"

static client c;

/* A REDUCE. */
typedef struct question
{
	gs_msg_reduce reduce;
	gs_reduce_array array[GS_REDUCE_ARRAYS];
} question;

/* Values that no other test has. */
static gs_toast_id
value(int i)
{
	gs_toast_id id = some;

	id.value += 5000 + (uint32_t) i;
	return id;
}

static const gs_msg_reduced *
ask(question *q, int kind, int count)
{
	q->reduce.op = (gs_op) {.kind = kind, .type = GS_INT4};
	q->reduce.count = count;
	client_send(&c, q, GS_MSG_REDUCE, sizeof q->reduce +
				(size_t) count * sizeof q->array[0]);
	return client_receive(&c) != GS_MSG_REDUCED ? NULL :
		(const gs_msg_reduced *) c.buffer;
}

/* Of `count` values, is every one but those in `absent` i + 1 times N? */
static bool
sums_are_right(const gs_msg_reduced *answer, int count, uint32_t absent)
{
	const gs_result *result = (const gs_result *) (answer + 1);
	int			results = 0;
	bool		right = answer != NULL && answer->outcome.status == GS_OK;

	for (int i = 0; i < count && right; i++)
	{
		if ((absent >> i & 1) != 0)
			right = (answer->cached >> i & 1) == 0;
		else
		{
			right = (answer->cached >> i & 1) == 1 &&
				result[results].n == N && result[results].present == N &&
				(int64_t) result[results].isum[0] == (int64_t) N * (i + 1);
			results++;
		}
	}
	return right && c.got == (ssize_t) (sizeof *answer +
										(size_t) results * sizeof *result);
}

void
test_reductions(void)
{
	static question q;
	const gs_msg_reduced *answer;
	const gs_result *result;
	bool		loaded = true;

	client_open(&c);
	for (int i = 0; i < GS_REDUCE_ARRAYS; i++)
	{
		gs_toast_id id = value(i);

		loaded = loaded && is_loaded(&c, &id, i + 1);
		q.array[i].argument.toast_id = id;
		q.array[i].argument.max_values = N;
		q.array[i].n = N;
	}
	check(loaded, "values are loaded");
	check(sums_are_right(ask(&q, GS_SUM, GS_REDUCE_ARRAYS), GS_REDUCE_ARRAYS, 0),
		  "REDUCE: sums of as many values as there can be");
	check(sums_are_right(ask(&q, GS_SUM, 1), 1, 0), "REDUCE: of one");

	answer = ask(&q, GS_MAX, 2);
	result = (const gs_result *) (answer + 1);
	check(answer != NULL && answer->cached == 3 &&
		  result[0].value.i4 == 1 && result[1].value.i4 == 2,
		  "REDUCE: maxima");

	q.array[1].argument.toast_id.value += 1000;
	q.array[4].argument.toast_id.xmin++;
	check(sums_are_right(ask(&q, GS_SUM, 6), 6, 1 << 1 | 1 << 4),
		  "REDUCE: values that are not cached have no result");
	check(sums_are_right(ask(&q, GS_SUM, 6), 6, 1 << 1 | 1 << 4),
		  "REDUCE: nor are they cached then");
	q.array[0] = q.array[1];
	check(sums_are_right(ask(&q, GS_SUM, 2), 2, 3), "REDUCE: none is cached");

	q.array[0].argument.toast_id = value(2);
	q.array[0].n = N - 1;
	check(sums_are_right(ask(&q, GS_SUM, 1), 1, 1),
		  "REDUCE: not found with another number of elements");
	client_close(&c);
	check(service_is_idle(), "everything is released");
}
