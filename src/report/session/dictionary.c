/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  The distinct values of a column, and their numbers: a hash table.
 *
 * Looking up a row's value is what counts: mostly it is that of the row before,
 * or one of those that were looked up lately, which are kept here.  Others are
 * in the memory that the service shares, or are new, and pending.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tupmacs.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "report/session/dictionary_private.h"

#define SLOTS_MIN		64		/* powers of two */
#define SLOTS_MAX		(128 * 1024)
#define PLACES_MIN		64
#define VALUES_MIN		16

/* A value is in one of so many slots. */
#define WAYS			4

/* So many pending values, or bytes of them, are enough for a batch. */
#define PENDING_ENOUGH	(64 * 1024)
#define PENDING_BYTES	((size_t) 8 * 1024 * 1024)

/* Of no value. */
static const gs_dictionary_slot nowhere = {.size = UINT32_MAX};

/* Are two values equal that have so many bytes, and are short? */
static inline bool
same_short(const char *a, const char *b, size_t size)
{
	if (size >= 8)
		return gs_dictionary_word(a) == gs_dictionary_word(b) &&
			gs_dictionary_word(a + size - 8) == gs_dictionary_word(b + size - 8) &&
			(size <= 16 || gs_dictionary_word(a + 8) == gs_dictionary_word(b + 8));
	if (size >= 4)
		return gs_dictionary_half(a) == gs_dictionary_half(b) &&
			gs_dictionary_half(a + size - 4) == gs_dictionary_half(b + size - 4);
	return size == 0 || (a[0] == b[0] && a[size / 2] == b[size / 2] &&
						 a[size - 1] == b[size - 1]);
}

/* Where the bytes of a long value are. */
static inline void
put_long(gs_dictionary_slot *slot, const char *bytes)
{
	memcpy(slot->bytes, &bytes, sizeof bytes);
}

static inline bool
same_long(const gs_dictionary_slot *slot, const char *bytes, size_t size)
{
	const char *own;

	memcpy(&own, slot->bytes, sizeof own);
	return memcmp(own, bytes, size) == 0;
}

/* Is this value in the slot? */
static inline bool
is_in(const gs_dictionary_slot *slot, const char *bytes, size_t size)
{
	if (slot->size != size)
		return false;
	return size <= GS_DICTIONARY_SHORT ? same_short(slot->bytes, bytes, size) :
		same_long(slot, bytes, size);
}

/* ----------
 * Values that were looked up lately
 * ----------
 */

static void
empty_slots(struct gs_dictionary_private *p)
{
	for (uint32 i = 0; i <= p->mask; i++)
		p->slot[i].size = UINT32_MAX;
	p->filled = 0;
	p->last = &nowhere;
}

/* NULL: it is not among them. */
static inline const gs_dictionary_slot *
find_slot(const struct gs_dictionary_private *p, const char *bytes,
		  size_t size, uint32 hash)
{
	for (uint32 i = hash; i < hash + WAYS; i++)
	{
		const gs_dictionary_slot *s = &p->slot[i & p->mask];

		if (s->hash == hash && is_in(s, bytes, size))
			return s;
	}
	return NULL;
}

/* The slot for a value more: an empty one, or else one in its turn. */
static gs_dictionary_slot *
take_slot(struct gs_dictionary_private *p, uint32 hash)
{
	for (uint32 i = hash; i < hash + WAYS; i++)
	{
		gs_dictionary_slot *s = &p->slot[i & p->mask];

		if (s->size != UINT32_MAX)
			continue;
		p->filled++;
		return s;
	}
	return &p->slot[(hash + p->next++ % WAYS) & p->mask];
}

static void
enlarge_slots(struct gs_dictionary_private *p)
{
	gs_dictionary_slot *old = p->slot;
	uint32		slots = p->mask + 1;

	p->slot = MemoryContextAlloc(p->context, 2 * slots * sizeof *old);
	p->mask = 2 * slots - 1;
	empty_slots(p);
	for (uint32 i = 0; i < slots; i++)
	{
		if (old[i].size != UINT32_MAX)
			*take_slot(p, old[i].hash) = old[i];
	}
	pfree(old);
}

/* The bytes of a value of the service's; NULL: they are not those of the slot. */
static const char *
held_bytes(const struct gs_dictionary_private *p, int32 code, size_t size)
{
	uint32		length;
	const gs_dictionary_entry *entry = gs_dictionary_entry_of(p->memory, code,
															  &length);

	return entry != NULL && length == size ? entry->bytes : NULL;
}

/* bytes: they stay where they are, if the value is long. */
static const gs_dictionary_slot *
keep(struct gs_dictionary_private *p, const char *bytes, size_t size,
	 uint32 hash, int32 code)
{
	gs_dictionary_slot *s;

	if (2 * p->filled > p->mask && p->mask + 1 < SLOTS_MAX)
		enlarge_slots(p);
	s = take_slot(p, hash);
	s->hash = hash;
	s->code = code;
	s->size = (uint32) size;
	if (size <= GS_DICTIONARY_SHORT)
		memcpy(s->bytes, bytes, size);
	else
		put_long(s, bytes);
	return s;
}

/* ----------
 * Values of this process alone
 * ----------
 */

/* Its place, or the empty one where it belongs. */
static int32 *
find_place(const struct gs_dictionary_private *p, const char *bytes,
		   size_t size, uint32 hash)
{
	for (uint32 i = hash;; i++)
	{
		int32	   *place = &p->place[i & p->place_mask];
		const gs_dictionary_bytes *v;

		if (*place == 0)
			return place;
		v = &p->added[*place - 1];
		if (v->hash == hash && v->size == size &&
			memcmp(v->bytes, bytes, size) == 0)
			return place;
	}
}

/* Room for one more, with at least half of the places empty. */
static void
make_room(struct gs_dictionary_private *p)
{
	if (p->n_added == p->added_space)
	{
		int32		space = Max(2 * p->added_space, VALUES_MIN);
		size_t		size = space * sizeof *p->added;

		p->added = p->added == NULL ? MemoryContextAlloc(p->context, size) :
			repalloc_huge(p->added, size);
		size = space * sizeof *p->code;
		p->code = p->code == NULL ? MemoryContextAlloc(p->context, size) :
			repalloc_huge(p->code, size);
		p->added_space = space;
	}
	if (p->place != NULL && 2 * (uint32) p->n_added < p->place_mask)
		return;
	p->place_mask = p->place == NULL ? PLACES_MIN - 1 : 2 * p->place_mask + 1;
	if (p->place != NULL)
		pfree(p->place);
	p->place = MemoryContextAllocExtended(p->context,
										  ((Size) p->place_mask + 1) * sizeof(int32),
										  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int32 i = 0; i < p->n_added; i++)
	{
		const gs_dictionary_bytes *v = &p->added[i];

		*find_place(p, v->bytes, v->size, v->hash) = i + 1;
	}
}

/* What lies before a value's bytes. */
static inline size_t
header_of(const struct gs_dictionary_private *p)
{
	return p->length < 0 ? VARHDRSZ : 0;
}

/* Copy a value, so that it can become a Datum. */
static const char *
copy_value(const struct gs_dictionary_private *p, const char *bytes,
		   size_t size)
{
	size_t		header = header_of(p);
	char	   *copy = MemoryContextAlloc(p->added_context, header + size);

	memcpy(copy + header, bytes, size);
	if (header > 0)
		SET_VARSIZE(copy, header + size);
	return copy + header;
}

/* The number of a value, which is added if it is not there. */
static int32
add(struct gs_dictionary_private *p, const char *bytes, size_t size,
	uint32 hash)
{
	gs_dictionary_bytes v = {.size = (uint32) size, .hash = hash};
	int32	   *place;

	make_room(p);
	place = find_place(p, bytes, size, hash);
	if (*place != 0)
		return *place - 1;
	v.bytes = copy_value(p, bytes, size);
	p->code[p->n_added] = -1;
	p->added[p->n_added++] = v;
	p->size += size;
	*place = p->n_added;
	return p->n_added - 1;
}

/* ----------
 * Dictionaries
 * ----------
 */

gs_dictionary *
gs_dictionary_create(MemoryContext context, const gs_dictionary_key *key)
{
	gs_dictionary *d = MemoryContextAllocZero(context, sizeof *d);
	struct gs_dictionary_private *p = MemoryContextAllocZero(context, sizeof *p);

	d->private = p;
	p->context = context;
	p->key = *key;
	get_typlenbyval(key->type, &p->length, &p->by_value);
	p->added_context = AllocSetContextCreate(context, "gpuscan values",
											 ALLOCSET_SMALL_SIZES);
	p->slot = MemoryContextAlloc(context, SLOTS_MIN * sizeof *p->slot);
	p->mask = SLOTS_MIN - 1;
	empty_slots(p);
	return d;
}

Oid
gs_dictionary_type(const gs_dictionary *d)
{
	return d->private->key.type;
}

size_t
gs_dictionary_bytes_held(const gs_dictionary *d)
{
	return d->private->size;
}

Datum
gs_dictionary_value(const gs_dictionary *d, int32 code)
{
	const struct gs_dictionary_private *p = d->private;
	const gs_dictionary_entry *entry = NULL;
	const char *begin;
	uint32		length;

	if (p->memory == NULL)
		begin = p->added[code].bytes - header_of(p);
	else
	{
		if (code >= 0 && code < GS_DICTIONARY_MAX)
			entry = gs_dictionary_entry_of(p->memory, code, &length);
		if (entry == NULL || (p->length >= 0 && length != (uint32) p->length) ||
			entry->size != gs_dictionary_size_word(length))
			ereport(ERROR,
					(errcode(ERRCODE_SYSTEM_ERROR),
					 errmsg("gpuscan's service has a wrong value in a dictionary")));
		begin = entry->bytes - header_of(p);
	}
	return p->by_value ? fetch_att(begin, true, p->length) :
		PointerGetDatum(begin);
}

/* ----------
 * Codes of rows
 * ----------
 */

/* Can the column have it?  char(n) may have had another n before. */
static bool
is_possible(const struct gs_dictionary_private *p, const char *bytes,
			size_t size)
{
	return p->key.characters == 0 ||
		pg_mbstrlen_with_len(bytes, (int) size) == p->key.characters;
}

static int32
refuse(struct gs_dictionary_private *p, const char *reason)
{
	p->refusal = reason;
	return 0;
}

/* Of a value that was not looked up lately. */
static pg_noinline int32
find_code(gs_dictionary *d, const char *bytes, size_t size, uint32 hash)
{
	struct gs_dictionary_private *p = d->private;
	int32		before = p->n_added;
	const char *kept;
	int32		number;
	int32		code;

	if (!is_possible(p, bytes, size))
		return refuse(p, "a column has a value whose length differs from its type's");
	code = gs_dictionary_find(p->memory, bytes, size, hash);
	if (code < 0)
	{
		if (d->n + before >= GS_DICTIONARY_MAX)
			return refuse(p, GS_TOO_MANY_VALUES);
		number = add(p, bytes, size, hash);
		code = GS_DICTIONARY_MAX + number;
		kept = p->added[number].bytes;
		p->found += p->n_added - before;
		p->found_size += p->n_added > before ? size : 0;
	}
	else
		kept = held_bytes(p, code, size);
	if (kept != NULL)
		p->last = keep(p, kept, size, hash, code);
	return code;
}

int32
gs_dictionary_code(gs_dictionary *d, const char *bytes, size_t size)
{
	struct gs_dictionary_private *p = d->private;
	const gs_dictionary_slot *slot = p->last;
	uint32		hash;

	if (is_in(slot, bytes, size))
		return slot->code;
	if (unlikely(size > GS_DICTIONARY_VALUE_MAX))
		return refuse(p, GS_TOO_LONG_VALUE);
	hash = gs_dictionary_hash(bytes, size);
	slot = find_slot(p, bytes, size, hash);
	if (slot == NULL)
		return find_code(d, bytes, size, hash);
	p->last = slot;
	return slot->code;
}

bool
gs_dictionary_has_pending(const gs_dictionary *d)
{
	return d->private->n_added > 0 || d->private->refusal != NULL;
}

bool
gs_dictionary_is_full(const gs_dictionary *d)
{
	return d->private->n_added >= PENDING_ENOUGH ||
		d->private->size >= PENDING_BYTES || d->private->refusal != NULL;
}

static void
forget_added(struct gs_dictionary_private *p)
{
	if (p->n_added > 0)
		memset(p->place, 0, ((size_t) p->place_mask + 1) * sizeof *p->place);
	MemoryContextReset(p->added_context);
	p->n_added = 0;
	p->size = 0;
	p->refusal = NULL;
}

void
gs_dictionary_settle(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;

	for (uint32 i = 0; i <= p->mask; i++)
	{
		gs_dictionary_slot *s = &p->slot[i];

		const char *bytes;

		if (s->size == UINT32_MAX || s->code < GS_DICTIONARY_MAX)
			continue;
		s->code = p->code[s->code - GS_DICTIONARY_MAX];
		bytes = held_bytes(p, s->code, s->size);
		if (bytes == NULL)
			s->size = UINT32_MAX;
		else if (s->size > GS_DICTIONARY_SHORT)
			put_long(s, bytes);
	}
	forget_added(p);
}

void
gs_dictionary_discard(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;

	if (!gs_dictionary_has_pending(d))
		return;
	empty_slots(p);
	forget_added(p);
}

/* ----------
 * Values of SQL
 * ----------
 */

/*
 * The bytes of a value as a dictionary has them; stored: where those of one that
 * is passed by value go.
 */
static const char *
bytes_of(const struct gs_dictionary_private *p, Datum value, char *stored,
		 size_t *size)
{
	struct varlena *v;

	*size = p->length;
	if (p->by_value)
	{
		store_att_byval(stored, value, p->length);
		return stored;
	}
	if (p->length >= 0)
		return DatumGetPointer(value);
	v = PG_DETOAST_DATUM_PACKED(value);
	*size = VARSIZE_ANY_EXHDR(v);
	return VARDATA_ANY(v);
}

/* char(n) is padded to n characters; false: the value has more. */
static bool
pad(const struct gs_dictionary_private *p, const char **bytes, size_t *size)
{
	int			missing;
	char	   *padded;

	if (p->key.characters == 0)
		return true;
	missing = p->key.characters - pg_mbstrlen_with_len(*bytes, (int) *size);
	if (missing == 0)
		return true;
	if (missing < 0)
	{
		/* blanks at the end do not count */
		for (; missing < 0 && *size > 0 && (*bytes)[*size - 1] == ' '; missing++)
			--*size;
		return missing == 0;
	}
	padded = palloc(*size + missing);
	memcpy(padded, *bytes, *size);
	memset(padded + *size, ' ', missing);
	*bytes = padded;
	*size += missing;
	return true;
}

/* In a dictionary of this session alone; -1: it is not there. */
static int32
find_own(const struct gs_dictionary_private *p, const char *bytes, size_t size)
{
	return p->place == NULL ? -1 :
		*find_place(p, bytes, size, gs_dictionary_hash(bytes, size)) - 1;
}

/* How often, every millisecond, to look again while the table is made anew. */
#define LOOKS_MAX	20000

int32
gs_dictionary_find_value(const gs_dictionary *d, Datum value)
{
	const struct gs_dictionary_private *p = d->private;
	char		stored[sizeof(Datum)];
	size_t		size;
	const char *bytes = bytes_of(p, value, stored, &size);
	uint32		hash;

	if (p->memory == NULL)
		return find_own(p, bytes, size);
	if (!pad(p, &bytes, &size) || size > GS_DICTIONARY_VALUE_MAX)
		return -1;
	hash = gs_dictionary_hash(bytes, size);
	for (int i = 0; i < LOOKS_MAX; i++)
	{
		uint32		generation = gs_dictionary_generation(p->memory);
		int32		code = gs_dictionary_find(p->memory, bytes, size, hash);

		if (code >= 0 || gs_dictionary_missed_none(p->memory, generation))
			return code;
		CHECK_FOR_INTERRUPTS();
		pg_usleep(1000);
	}
	return -2;
}

/* ----------
 * Dictionaries of this session alone
 * ----------
 */

/* Names that the service gives to none. */
#define OWN_NAME	(UINT64CONST(1) << 63)

gs_dictionary *
gs_dictionary_make(Oid type)
{
	gs_dictionary_key key = {.type = type};

	return gs_dictionary_create(CurrentMemoryContext, &key);
}

int32
gs_dictionary_add(gs_dictionary *d, Datum value)
{
	struct gs_dictionary_private *p = d->private;
	char		stored[sizeof(Datum)];
	size_t		size;
	const char *bytes = bytes_of(p, value, stored, &size);
	int32		code = add(p, bytes, size, gs_dictionary_hash(bytes, size));

	d->n = p->n_added;
	return code;
}

void
gs_dictionary_keep(gs_dictionary *d)
{
	static uint64 kept = 0;

	if (d->private->name == 0)
		d->private->name = OWN_NAME | ++kept;
}

uint64
gs_dictionary_name(const gs_dictionary *d)
{
	return d->id != 0 ? d->id : d->private->name;
}
