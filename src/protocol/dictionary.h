/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *	  The distinct values of a column, in memory that gpuscand shares.
 *
 * A dictionary is a memfd, which gpuscand fills, and clients map for reading.
 * It has a head, a hash table, the place of each code's entry, and the entries.
 * Each of these parts has room for as much as there may ever be, but memory
 * only as far as it is used: so nothing moves as a dictionary grows, and
 * whoever has it mapped reads on without a lock.
 *
 * An entry is complete before its slot and its code can be found, and does not
 * change.  The hash table alone is made anew, in its place, when it gets too
 * small.  Who looks a value up meanwhile may miss it, and asks gpuscand, as for
 * one that is new.  A wrong one is never found, since bytes are compared.
 *
 * Neither side trusts what it reads here: it stays within the memory, whatever
 * that has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PROTOCOL_DICTIONARY_H
#define GS_PROTOCOL_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GS_DICTIONARY_MAX		(16 * 1024 * 1024)	/* values */
#define GS_DICTIONARY_BYTES		(1024 * 1024 * 1024)	/* of all values */
#define GS_DICTIONARY_VALUE_MAX 4096	/* bytes of a value */

typedef struct gs_dictionary_head
{
	int32_t		n;				/* values: codes 0 to n - 1 */
	uint32_t	slots;			/* of the hash table: a power of two, or 0 */
	uint32_t	generation;		/* of that; odd while it is made */
} gs_dictionary_head;

/*
 * A value.  As text of PostgreSQL's has it, its size comes before its bytes, so
 * that a session uses it where it is.
 */
typedef struct gs_dictionary_entry
{
	int32_t		code;
	uint32_t	size;			/* gs_dictionary_size_word() */
	char		bytes[];
} gs_dictionary_entry;

/* Entries lie at multiples of this.  A slot is a hash, and a place + 1. */
#define GS_DICTIONARY_ALIGN		8

#define GS_DICTIONARY_SLOTS_MAX (2 * GS_DICTIONARY_MAX)
#define GS_DICTIONARY_SLOTS_AT	((size_t) 64)
#define GS_DICTIONARY_PLACES_AT ((size_t) 4096 + \
	(size_t) GS_DICTIONARY_SLOTS_MAX * sizeof(uint64_t))
#define GS_DICTIONARY_ENTRIES_AT (GS_DICTIONARY_PLACES_AT + \
	(size_t) GS_DICTIONARY_MAX * sizeof(uint32_t))
#define GS_DICTIONARY_ENTRIES_SIZE ((size_t) GS_DICTIONARY_BYTES + \
	(size_t) GS_DICTIONARY_MAX * (sizeof(gs_dictionary_entry) + GS_DICTIONARY_ALIGN))
#define GS_DICTIONARY_SIZE		(GS_DICTIONARY_ENTRIES_AT + \
	GS_DICTIONARY_ENTRIES_SIZE)

/* PostgreSQL's 4-byte header of so many bytes, and back. */
static inline uint32_t
gs_dictionary_size_word(uint32_t length)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (length + 4) << 2;
#else
	return length + 4;
#endif
}

static inline uint32_t
gs_dictionary_length(uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (word >> 2) - 4;
#else
	return word - 4;
#endif
}

static inline uint64_t
gs_dictionary_word(const char *bytes)
{
	uint64_t	word;

	memcpy(&word, bytes, sizeof word);
	return word;
}

static inline uint32_t
gs_dictionary_half(const char *bytes)
{
	uint32_t	half;

	memcpy(&half, bytes, sizeof half);
	return half;
}

static inline uint64_t
gs_dictionary_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

/* Of all bytes.  Those at the end may be read a second time. */
static inline uint32_t
gs_dictionary_hash(const char *bytes, size_t length)
{
	uint64_t	hash = length;

	if (length >= 8)
	{
		for (size_t i = 0; i + 8 < length; i += 8)
			hash = gs_dictionary_mix(hash, gs_dictionary_word(bytes + i));
		return (uint32_t) gs_dictionary_mix(hash, gs_dictionary_word(bytes + length - 8));
	}
	if (length >= 4)
		return (uint32_t) gs_dictionary_mix(hash, (uint64_t) gs_dictionary_half(bytes) << 32 |
											gs_dictionary_half(bytes + length - 4));
	if (length == 0)
		return 0;
	return (uint32_t) gs_dictionary_mix(hash, (uint64_t) (uint8_t) bytes[0] << 16 |
										(uint64_t) (uint8_t) bytes[length / 2] << 8 |
										(uint8_t) bytes[length - 1]);
}

static inline const gs_dictionary_head *
gs_dictionary_head_of(const char *memory)
{
	return (const gs_dictionary_head *) memory;
}

static inline int32_t
gs_dictionary_count(const char *memory)
{
	int32_t		n = __atomic_load_n(&gs_dictionary_head_of(memory)->n,
									__ATOMIC_ACQUIRE);

	return n < 0 || n > GS_DICTIONARY_MAX ? 0 : n;
}

/* The entry at a place; NULL: there can be none. */
static inline const gs_dictionary_entry *
gs_dictionary_entry_at(const char *memory, uint32_t place, uint32_t *length)
{
	size_t		at = (size_t) place * GS_DICTIONARY_ALIGN;
	const gs_dictionary_entry *entry;

	if (at + sizeof *entry + GS_DICTIONARY_VALUE_MAX > GS_DICTIONARY_ENTRIES_SIZE)
		return NULL;
	entry = (const gs_dictionary_entry *) (memory + GS_DICTIONARY_ENTRIES_AT + at);
	*length = gs_dictionary_length(entry->size);
	return *length <= GS_DICTIONARY_VALUE_MAX ? entry : NULL;
}

/* The entry of a code, one of n; NULL: there can be none. */
static inline const gs_dictionary_entry *
gs_dictionary_entry_of(const char *memory, int32_t code, uint32_t *length)
{
	const uint32_t *place = (const uint32_t *) (memory + GS_DICTIONARY_PLACES_AT);

	return gs_dictionary_entry_at(memory, place[code], length);
}

/* The code of a value; -1: it has none, or none can be found just now. */
static inline int32_t
gs_dictionary_find(const char *memory, const char *bytes, size_t length,
				   uint32_t hash)
{
	const uint64_t *slot = (const uint64_t *) (memory + GS_DICTIONARY_SLOTS_AT);
	uint32_t	slots = __atomic_load_n(&gs_dictionary_head_of(memory)->slots,
										__ATOMIC_ACQUIRE);

	if (slots > GS_DICTIONARY_SLOTS_MAX)
		return -1;
	for (uint32_t i = 0; i < slots; i++)
	{
		uint64_t	s = __atomic_load_n(&slot[(hash + i) & (slots - 1)],
										__ATOMIC_ACQUIRE);
		const gs_dictionary_entry *entry;
		uint32_t	other;

		if (s == 0)
			return -1;
		if ((uint32_t) (s >> 32) != hash)
			continue;
		entry = gs_dictionary_entry_at(memory, (uint32_t) s - 1, &other);
		if (entry != NULL && other == length &&
			memcmp(entry->bytes, bytes, length) == 0)
			return entry->code >= 0 && entry->code < GS_DICTIONARY_MAX ?
				entry->code : -1;
	}
	return -1;
}

/*
 * Has gs_dictionary_find missed none since the generation was this one?  While the
 * slots are made anew it is odd.  It is read behind the slots, each of which was
 * read by an acquire, and had been written by a release behind the odd one.
 */
static inline uint32_t
gs_dictionary_generation(const char *memory)
{
	return __atomic_load_n(&gs_dictionary_head_of(memory)->generation,
						   __ATOMIC_ACQUIRE);
}

static inline bool
gs_dictionary_missed_none(const char *memory, uint32_t generation)
{
	return generation % 2 == 0 &&
		gs_dictionary_generation(memory) == generation;
}

#endif							/* GS_PROTOCOL_DICTIONARY_H */
