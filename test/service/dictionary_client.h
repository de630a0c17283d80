/*-------------------------------------------------------------------------
 *
 * dictionary_client.h
 *	  A client that asks about dictionaries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DICTIONARY_CLIENT_H
#define DICTIONARY_CLIENT_H

#include "harness.h"
#include "protocol/report.h"

#define DICTIONARY_DATABASE	7	/* as heap_init says */

/* A DICTIONARY that is being made, and its answer. */
typedef struct question
{
	client	   *c;
	union
	{
		gs_msg_dictionary m;
		char		space[GS_MESSAGE_MAX];
	}			message;
	size_t		size;
	const gs_msg_codes *answer;
} question;

/* About attribute 1 of a relation; the message can be changed. */
extern void ask_begin(question *to, client *c, uint32_t relation);

/* False: the message has no room for the value. */
extern bool ask_put(question *to, const char *bytes, uint32_t length);
extern bool ask_text(question *to, const char *text);

/* A number, as a value that is `length` bytes long, 4 or more. */
extern bool ask_number(question *to, int number, uint32_t length);

/* Send it: is the answer CODES, with this status, and of a right size? */
extern bool ask_answered(question *to, gs_status status);

/* Does it have so many codes, of a dictionary of so many values? */
extern bool ask_has(const question *of, int32_t n, int32_t count);

/* One of these codes. */
extern int32_t ask_code(const question *of, int32_t i);

/* The memory of a relation's dictionary; NULL: none came. */
extern const char *dictionary_map(client *c, uint32_t relation);
extern void dictionary_unmap(const char *memory);

/* Is the value of this code there, and found? */
extern bool dictionary_holds(const char *memory, int32_t code,
							 const char *bytes, uint32_t length);

/* The id of a relation's dictionary, which is made if there is none. */
extern uint64_t dictionary_id(client *c, uint32_t relation);

/* Add numbers of a range to one that has those before; false: it failed. */
extern bool dictionary_add(client *c, uint32_t relation, int from, int to,
						   uint32_t length);

/* Are its values the numbers up to n? */
extern bool dictionary_has(client *c, uint32_t relation, int32_t n,
						   uint32_t length);

/* STATUS, and CLEAR */
extern uint64_t service_column_bytes(client *c);
extern void service_clear(client *c);

#endif							/* DICTIONARY_CLIENT_H */
