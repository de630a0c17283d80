/*-------------------------------------------------------------------------
 *
 * report_dictionary.c
 *	  Dictionaries: places of values, ids, limits, and many clients at once.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>

#include "dictionary_client.h"

static question q;

static void
test_interning(client *c)
{
	uint64_t	id;
	bool		good;

	ask_begin(&q, c, 100);
	ask_text(&q, "red");
	ask_put(&q, "a\0b", 3);
	ask_text(&q, "");
	ask_text(&q, "red");
	ask_put(&q, "a\0c", 3);
	good = ask_answered(&q, GS_OK) && ask_has(&q, 4, 0, 4) &&
		ask_next_text(&q, "red") && ask_next(&q, "a\0b", 3) &&
		ask_next(&q, "", 0) && ask_next(&q, "a\0c", 3) && ask_at_end(&q);
	id = q.answer->id;
	check(good && id != 0, "values get their places");

	ask_begin(&q, c, 100);
	q.message.m.id = id;
	q.message.m.from = 3;
	ask_text(&q, "blue");
	ask_text(&q, "red");
	check(ask_answered(&q, GS_OK) && ask_has(&q, 5, 3, 2) &&
		  q.answer->id == id && ask_next(&q, "a\0c", 3) &&
		  ask_next_text(&q, "blue") && ask_at_end(&q), "and keep them");

	ask_begin(&q, c, 100);
	q.message.m.from = 5;
	good = ask_answered(&q, GS_OK) && ask_has(&q, 5, 5, 0) && ask_at_end(&q);
	q.message.m.from = GS_DICTIONARY_MAX;
	check(good && ask_answered(&q, GS_OK) && ask_has(&q, 5, 5, 0) &&
		  ask_at_end(&q), "there are no more");

	ask_begin(&q, c, 100);
	q.message.m.id = id + 1;
	q.message.m.from = 4;
	ask_text(&q, "green");
	check(ask_answered(&q, GS_OK) && ask_has(&q, 5, 0, 5) && q.answer->id == id,
		  "nothing is added to a dictionary that the client does not mean");
}

/* Everything that makes a dictionary another one. */
static void
test_ids(client *c)
{
	uint64_t	id[6];
	bool		good = true;

	for (int i = 0; i < 6; i++)
	{
		ask_begin(&q, c, i == 1 ? 111 : 110);
		q.message.m.attribute += i == 2;
		q.message.m.database += i == 3;
		q.message.m.type += i == 4;
		if (i == 5)
			service_clear(c);
		ask_text(&q, "one");
		good = good && ask_answered(&q, GS_OK) && ask_has(&q, 1, 0, 1);
		id[i] = q.answer->id;
		for (int j = 0; j < i; j++)
			good = good && id[j] != id[i];
	}
	check(good, "relation, attribute, database, type, and CLEAR");
}

static void
test_limits(client *c)
{
	int			last = GS_DICTIONARY_MAX - 2;
	int			fit = GS_DICTIONARY_BYTES / GS_DICTIONARY_VALUE_MAX;
	bool		good;

	check(dictionary_add(c, 120, 0, last, 5) && dictionary_has(c, 120, last, 5),
		  "many values, in several parts");
	check(dictionary_add(c, 122, 0, 20000, 4) &&
		  dictionary_has(c, 122, 20000, 4), "parts that fill a message");
	ask_begin(&q, c, 120);
	ask_number(&q, 77, 5);
	ask_number(&q, last, 5);
	ask_number(&q, last + 1, 5);
	ask_number(&q, last + 2, 5);
	good = ask_answered(&q, GS_NO_MEMORY) && q.answer->n == last &&
		q.answer->id != 0;
	check(good && dictionary_has(c, 120, last, 5),
		  "all of a message, or nothing");
	check(dictionary_add(c, 120, last, GS_DICTIONARY_MAX, 5) &&
		  dictionary_has(c, 120, GS_DICTIONARY_MAX, 5),
		  "as many as there may be");
	good = true;
	for (int at = 0; at < GS_DICTIONARY_MAX && good;)
	{
		ask_begin(&q, c, 120);
		while (at < GS_DICTIONARY_MAX && ask_number(&q, at, 5))
			at++;
		good = ask_answered(&q, GS_OK) && q.answer->n == GS_DICTIONARY_MAX;
	}
	check(good, "each is found again");

	ask_begin(&q, c, 121);
	ask_number(&q, 1, GS_DICTIONARY_VALUE_MAX);
	ask_number(&q, 2, GS_DICTIONARY_VALUE_MAX + 1);
	check(ask_answered(&q, GS_NO_MEMORY) && ask_has(&q, 0, 0, 0),
		  "a long value");
	check(dictionary_add(c, 121, 0, fit - 1, GS_DICTIONARY_VALUE_MAX) &&
		  dictionary_add(c, 121, fit - 1, fit, GS_DICTIONARY_VALUE_MAX - 1),
		  "as many bytes as there may be, but one");
	ask_begin(&q, c, 121);
	ask_number(&q, 0, 4);
	ask_text(&q, "");
	good = ask_answered(&q, GS_NO_MEMORY) && q.answer->n == fit;
	ask_begin(&q, c, 121);
	ask_text(&q, "");
	ask_text(&q, "x");
	check(good && ask_answered(&q, GS_OK) && q.answer->n == fit + 2, "and one");
}

/* ----------
 * Concurrency
 * ----------
 */

#define CLIENTS		4
#define ROUNDS		400
#define EACH		50

static _Atomic int wrong;
static _Atomic int32_t place[ROUNDS * EACH + 1];	/* + 1; of each number */

/* Numbers of a window that moves on: some that others add too, and some new. */
static void *
be_client(void *argument)
{
	question   *my = calloc(1, sizeof *my);
	client	   *c = calloc(1, sizeof *c);
	int			number = (int) (intptr_t) argument;
	uint64_t	id = 0;

	client_open(c);
	for (int i = 0; i < ROUNDS; i++)
	{
		ask_begin(my, c, 130);
		my->message.m.id = id;
		my->message.m.from = i * EACH / 2;
		for (int j = 0; j < EACH; j++)
			ask_number(my, i * EACH / 2 + (j * (number + 3)) % EACH, 4);
		if (!ask_answered(my, GS_OK))
		{
			wrong++;
			break;
		}
		wrong += id != 0 && my->answer->id != id;
		id = my->answer->id;
		for (int32_t j = 0; j < my->answer->count; j++)
		{
			int32_t		code = my->answer->first + j + 1;
			int32_t		none = 0;
			const char *bytes;
			uint32_t	length;
			int			value;

			my->at = gs_values_get(my->answer, (size_t) c->got, my->at, &bytes,
								   &length);
			memcpy(&value, bytes, sizeof value);
			wrong += !atomic_compare_exchange_strong(&place[value], &none,
													 code) && none != code;
		}
	}
	client_close(c);
	free(c);
	free(my);
	return NULL;
}

static void
test_concurrency_of_clients(client *c)
{
	pthread_t	thread[CLIENTS];
	int			n = (ROUNDS - 1) * EACH / 2 + EACH;
	int64_t		sum = 0;

	for (int i = 0; i < CLIENTS; i++)
		pthread_create(&thread[i], NULL, be_client, (void *) (intptr_t) i);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < n; i++)
		sum += place[i];
	ask_begin(&q, c, 130);
	check(wrong == 0 && ask_answered(&q, GS_OK) && q.answer->n == n &&
		  sum == (int64_t) n * (n + 1) / 2,
		  "%d clients that add the same and different values", CLIENTS);
}

void
test_report_dictionary(void)
{
	client		c;

	client_open(&c);
	test_interning(&c);
	test_ids(&c);
	test_limits(&c);
	test_concurrency_of_clients(&c);
	service_clear(&c);
	check(service_column_bytes(&c) == 0, "CLEAR leaves nothing");
	client_close(&c);
}
