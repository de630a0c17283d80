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
test_codes(client *c)
{
	uint64_t	id;
	const char *memory;
	bool		good;

	ask_begin(&q, c, 100);
	ask_text(&q, "red");
	ask_put(&q, "a\0b", 3);
	ask_text(&q, "");
	ask_text(&q, "red");
	ask_put(&q, "a\0c", 3);
	good = ask_answered(&q, GS_OK) && ask_has(&q, 4, 5) &&
		ask_code(&q, 0) == 0 && ask_code(&q, 1) == 1 &&
		ask_code(&q, 2) == 2 && ask_code(&q, 3) == 0 && ask_code(&q, 4) == 3;
	id = q.answer->id;
	check(good && id != 0 && q.answer->bytes == 9, "values get codes");

	memory = dictionary_map(c, 100);
	check(dictionary_holds(memory, 0, "red", 3) &&
		  dictionary_holds(memory, 1, "a\0b", 3) &&
		  dictionary_holds(memory, 2, "", 0) &&
		  dictionary_holds(memory, 3, "a\0c", 3) &&
		  gs_dictionary_find(memory, "re", 2, gs_dictionary_hash("re", 2)) == -1,
		  "clients find them");

	ask_begin(&q, c, 100);
	q.message.m.id = id;
	ask_text(&q, "blue");
	ask_text(&q, "red");
	check(ask_answered(&q, GS_OK) && ask_has(&q, 5, 2) && q.answer->id == id &&
		  ask_code(&q, 0) == 4 && ask_code(&q, 1) == 0 &&
		  dictionary_holds(memory, 4, "blue", 4), "and others, as they come");

	ask_begin(&q, c, 100);
	q.message.m.id = id + 1;
	ask_text(&q, "green");
	check(ask_answered(&q, GS_OK) && ask_has(&q, 5, 0) && q.answer->id == id,
		  "nothing is added to a dictionary that the client does not mean");
	service_clear(c);
	check(dictionary_holds(memory, 4, "blue", 4) &&
		  service_column_bytes(c) == 0,
		  "what a client has mapped outlives the dictionary");
	dictionary_unmap(memory);
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
		good = good && ask_answered(&q, GS_OK) && ask_has(&q, 1, 1);
		id[i] = q.answer->id;
		for (int j = 0; j < i; j++)
			good = good && id[j] != id[i];
	}
	check(good, "relation, attribute, database, type, and CLEAR");
}

static void
test_limits(client *c)
{
	const int	many = 300000;
	bool		good;

	check(dictionary_add(c, 120, 0, many, 5) && dictionary_has(c, 120, many, 5),
		  "many values, in several parts");
	good = true;
	for (int at = 0; at < many && good;)
	{
		int			first = at;

		ask_begin(&q, c, 120);
		while (at < many && ask_number(&q, at, 5))
			at++;
		good = ask_answered(&q, GS_OK) && ask_has(&q, many, at - first) &&
			ask_code(&q, 0) == first && ask_code(&q, at - first - 1) == at - 1;
	}
	check(good, "each is found again");

	ask_begin(&q, c, 121);
	ask_number(&q, 1, GS_DICTIONARY_VALUE_MAX);
	ask_number(&q, 2, GS_DICTIONARY_VALUE_MAX + 1);
	ask_number(&q, 3, 4);
	check(ask_answered(&q, GS_NO_MEMORY) && ask_has(&q, 1, 1) &&
		  ask_code(&q, 0) == 0, "no value behind one that is too long");
	check(dictionary_add(c, 122, 0, 500, GS_DICTIONARY_VALUE_MAX) &&
		  dictionary_has(c, 122, 500, GS_DICTIONARY_VALUE_MAX), "long values");
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

/* A number with a code: others may be making the hash table anew. */
static bool
is_found(const char *memory, int value, int32_t code)
{
	const char *bytes = (const char *) &value;
	uint32_t	hash = gs_dictionary_hash(bytes, sizeof value);
	uint32_t	generation;
	int32_t		found;

	do
	{
		generation = gs_dictionary_generation(memory);
		found = gs_dictionary_find(memory, bytes, sizeof value, hash);
	} while (found < 0 && !gs_dictionary_missed_none(memory, generation));
	return found == code;
}

/* Numbers of a window that moves on: some that others add too, and some new. */
static void *
be_client(void *argument)
{
	question   *my = calloc(1, sizeof *my);
	client	   *c = calloc(1, sizeof *c);
	int			number = (int) (intptr_t) argument;
	uint64_t	id = 0;
	const char *memory;

	client_open(c);
	memory = dictionary_map(c, 130);
	for (int i = 0; i < ROUNDS; i++)
	{
		ask_begin(my, c, 130);
		my->message.m.id = id;
		for (int j = 0; j < EACH; j++)
			ask_number(my, i * EACH / 2 + (j * (number + 3)) % EACH, 4);
		if (!ask_answered(my, GS_OK))
		{
			wrong++;
			break;
		}
		wrong += id != 0 && my->answer->id != id;
		id = my->answer->id;
		for (int j = 0; j < EACH; j++)
		{
			int			value = i * EACH / 2 + (j * (number + 3)) % EACH;
			int32_t		code = ask_code(my, j) + 1;
			int32_t		none = 0;

			wrong += !atomic_compare_exchange_strong(&place[value], &none,
													 code) && none != code;
			wrong += !is_found(memory, value, code - 1);
		}
	}
	dictionary_unmap(memory);
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
	test_codes(&c);
	test_ids(&c);
	test_limits(&c);
	test_concurrency_of_clients(&c);
	service_clear(&c);
	check(service_column_bytes(&c) == 0, "CLEAR leaves nothing");
	client_close(&c);
}
