/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  The distinct values of a column, and their numbers: a hash table.
 *
 * Looking up a row's value is what counts: mostly it is that of the row before,
 * or one that is known.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tupmacs.h"
#include "mb/pg_wchar.h"
#include "utils/lsyscache.h"

#include "report/session/dictionary_private.h"

#define SLOTS_MIN		64
#define VALUES_MIN		16

/* Of no value. */
static const gs_dictionary_slot nowhere = {.size = UINT32_MAX};

static inline uint64
read_word(const char *bytes)
{
	uint64		word;

	memcpy(&word, bytes, sizeof word);
	return word;
}

static inline uint32
read_half(const char *bytes)
{
	uint32		half;

	memcpy(&half, bytes, sizeof half);
	return half;
}

static inline uint64
mix(uint64 hash, uint64 word)
{
	hash = (hash ^ word) * UINT64CONST(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

/* Of all bytes.  Those at the end may be read a second time. */
static inline uint32
hash_of(const char *bytes, size_t size)
{
	uint64		hash = size;

	if (size >= 8)
	{
		for (size_t i = 0; i + 8 < size; i += 8)
			hash = mix(hash, read_word(bytes + i));
		return (uint32) mix(hash, read_word(bytes + size - 8));
	}
	if (size >= 4)
		return (uint32) mix(hash, (uint64) read_half(bytes) << 32 |
							read_half(bytes + size - 4));
	if (size == 0)
		return 0;
	return (uint32) mix(hash, (uint64) (uint8) bytes[0] << 16 |
						(uint64) (uint8) bytes[size / 2] << 8 |
						(uint8) bytes[size - 1]);
}

/* Are two values equal that have so many bytes, and are short? */
static inline bool
same_short(const char *a, const char *b, size_t size)
{
	if (size >= 8)
		return read_word(a) == read_word(b) &&
			read_word(a + size - 8) == read_word(b + size - 8) &&
			(size <= 16 || read_word(a + 8) == read_word(b + 8));
	if (size >= 4)
		return read_half(a) == read_half(b) &&
			read_half(a + size - 4) == read_half(b + size - 4);
	return size == 0 || (a[0] == b[0] && a[size / 2] == b[size / 2] &&
						 a[size - 1] == b[size - 1]);
}

static inline const gs_dictionary_bytes *
value_at(const struct gs_dictionary_private *p, int32 code)
{
	return code > 0 ? &p->known[code - 1] : &p->pending[-code - 1];
}

/* Is this value in the slot? */
static inline bool
is_in(const struct gs_dictionary_private *p, const gs_dictionary_slot *slot,
	  const char *bytes, size_t size)
{
	if (slot->size != size)
		return false;
	return size <= GS_DICTIONARY_SHORT ? same_short(slot->bytes, bytes, size) :
		memcmp(value_at(p, slot->code)->bytes, bytes, size) == 0;
}

/* Its slot, or the empty one where it belongs. */
static inline gs_dictionary_slot *
find(const struct gs_dictionary_private *p, const char *bytes, size_t size,
	 uint32 hash)
{
	for (uint32 i = hash;; i++)
	{
		gs_dictionary_slot *s = &p->slot[i & p->mask];

		if (s->code == 0 || (s->hash == hash && is_in(p, s, bytes, size)))
			return s;
	}
}

/* Can the column have it?  char(n) may have had another n before. */
static bool
is_possible(const struct gs_dictionary_private *p, const char *bytes,
			uint32 size)
{
	return p->key.characters == 0 ||
		pg_mbstrlen_with_len(bytes, (int) size) == p->key.characters;
}

static void
fill(gs_dictionary_slot *slot, const gs_dictionary_bytes *v, int32 code)
{
	slot->hash = v->hash;
	slot->code = code;
	slot->size = v->size;
	if (v->size <= GS_DICTIONARY_SHORT)
		memcpy(slot->bytes, v->bytes, v->size);
}

static void
insert(struct gs_dictionary_private *p, const gs_dictionary_bytes *v,
	   int32 code)
{
	uint32		i = v->hash;

	while (p->slot[i & p->mask].code != 0)
		i++;
	fill(&p->slot[i & p->mask], v, code);
}

/* Make the slots anew, of known and pending values. */
static void
insert_all(struct gs_dictionary_private *p, int32 n)
{
	p->last = &nowhere;
	memset(p->slot, 0, ((size_t) p->mask + 1) * sizeof(gs_dictionary_slot));
	for (int32 i = 0; i < n; i++)
	{
		if (is_possible(p, p->known[i].bytes, p->known[i].size))
			insert(p, &p->known[i], i + 1);
	}
	for (int32 i = 0; i < p->pendings; i++)
	{
		if (p->code[i] < 0)
			insert(p, &p->pending[i], -i - 1);
	}
}

/* Have at least half of the slots empty when there is a value more. */
static void
make_slots(struct gs_dictionary_private *p, int32 n)
{
	uint32		slots = p->mask + 1;
	uint32		needed = 2 * ((uint32) (n + p->pendings) + 1);

	if (needed <= slots)
		return;
	while (slots < needed)
		slots *= 2;
	p->slot = repalloc(p->slot, slots * sizeof(gs_dictionary_slot));
	p->mask = slots - 1;
	insert_all(p, n);
}

gs_dictionary *
gs_dictionary_create(MemoryContext context, const gs_dictionary_key *key)
{
	gs_dictionary *d = MemoryContextAllocZero(context, sizeof *d);
	struct gs_dictionary_private *p = MemoryContextAllocZero(context, sizeof *p);

	d->private = p;
	p->context = context;
	p->key = *key;
	get_typlenbyval(key->type, &p->length, &p->by_value);
	p->mask = SLOTS_MIN - 1;
	p->slot = MemoryContextAllocZero(context,
									 SLOTS_MIN * sizeof(gs_dictionary_slot));
	p->last = &nowhere;
	return d;
}

Oid
gs_dictionary_type(const gs_dictionary *d)
{
	return d->private->key.type;
}

/* ----------
 * Known values
 * ----------
 */

/*
 * Room for a value more.  Others may be in the middle of the array of Datums,
 * so that it stays where it is as long as the dictionary lives.
 */
static void
make_space(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;
	int32		space = Max(2 * p->space, VALUES_MIN);
	Datum	   *value;

	if (d->n < p->space)
		return;
	value = MemoryContextAlloc(p->context, space * sizeof(Datum));
	if (d->n > 0)
		memcpy(value, d->value, d->n * sizeof(Datum));
	d->value = value;
	p->known = p->known == NULL ?
		MemoryContextAlloc(p->context, space * sizeof(gs_dictionary_bytes)) :
		repalloc(p->known, space * sizeof(gs_dictionary_bytes));
	p->space = space;
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
	char	   *copy = MemoryContextAlloc(p->context, header + size);

	memcpy(copy + header, bytes, size);
	if (header > 0)
		SET_VARSIZE(copy, header + size);
	return copy + header;
}

static Datum
datum_of(const struct gs_dictionary_private *p, const char *copied)
{
	const char *begin = copied - header_of(p);

	return p->by_value ? fetch_att(begin, true, p->length) :
		PointerGetDatum(begin);
}

bool
gs_dictionary_learn(gs_dictionary *d, const char *bytes, uint32 size)
{
	struct gs_dictionary_private *p = d->private;
	gs_dictionary_bytes known = {.size = size, .hash = hash_of(bytes, size)};
	gs_dictionary_slot *slot;

	if (p->length >= 0 && size != (uint32) p->length)
		return false;
	make_space(d);
	make_slots(p, d->n);
	slot = find(p, bytes, size, known.hash);
	if (slot->code > 0)
		return false;
	if (slot->code < 0)
	{
		p->code[-slot->code - 1] = d->n;
		known.bytes = p->pending[-slot->code - 1].bytes;
	}
	else
	{
		known.bytes = copy_value(p, bytes, size);
		p->size += size;
	}
	if (is_possible(p, bytes, size))
		fill(slot, &known, d->n + 1);
	p->known[d->n] = known;
	d->value[d->n++] = datum_of(p, known.bytes);
	return true;
}

/* ----------
 * Pending values
 * ----------
 */

/* NULL, or why the value cannot be taken. */
static const char *
refusal(const gs_dictionary *d, const char *bytes, size_t size)
{
	const struct gs_dictionary_private *p = d->private;

	if (size > GS_DICTIONARY_VALUE_MAX)
		return GS_TOO_LONG_VALUE;
	if (d->n + p->pendings >= GS_DICTIONARY_MAX)
		return GS_TOO_MANY_VALUES;
	if (p->size + size > GS_DICTIONARY_BYTES)
		return GS_TOO_MANY_BYTES;
	if (!is_possible(p, bytes, (uint32) size))
		return "a column has a value whose length differs from its type's";
	return NULL;
}

/* Add a value; returns its number among these. */
static int32
add_pending(gs_dictionary *d, const char *bytes, size_t size, uint32 hash)
{
	struct gs_dictionary_private *p = d->private;
	gs_dictionary_bytes v = {.size = (uint32) size, .hash = hash};

	if (p->pendings == p->pending_space)
	{
		int32		space = Max(2 * p->pending_space, VALUES_MIN);
		size_t		entries = space * sizeof(gs_dictionary_bytes);

		p->pending = p->pending == NULL ? MemoryContextAlloc(p->context, entries) :
			repalloc(p->pending, entries);
		p->code = p->code == NULL ?
			MemoryContextAlloc(p->context, space * sizeof(int32)) :
			repalloc(p->code, space * sizeof(int32));
		p->pending_space = space;
	}
	make_slots(p, d->n);
	v.bytes = copy_value(p, bytes, size);
	p->pending[p->pendings] = v;
	p->code[p->pendings] = -1;
	p->size += size;
	p->found++;
	p->found_size += size;
	insert(p, &v, -p->pendings - 1);
	return p->pendings++;
}

/* add_pending for a value that may be refused. */
static pg_noinline int32
take_pending(gs_dictionary *d, const char *bytes, size_t size, uint32 hash)
{
	struct gs_dictionary_private *p = d->private;
	const char *reason = refusal(d, bytes, size);

	if (reason == NULL)
		return d->n + add_pending(d, bytes, size, hash);
	p->refusal = reason;
	return 0;
}

int32
gs_dictionary_code(gs_dictionary *d, const char *bytes, size_t size)
{
	struct gs_dictionary_private *p = d->private;
	const gs_dictionary_slot *slot = p->last;
	uint32		hash;

	if (!is_in(p, slot, bytes, size))
	{
		if (unlikely(size > GS_DICTIONARY_VALUE_MAX))
			return take_pending(d, bytes, size, 0);
		hash = hash_of(bytes, size);
		slot = find(p, bytes, size, hash);
		if (unlikely(slot->code == 0))
			return take_pending(d, bytes, size, hash);
		p->last = slot;
	}
	return slot->code > 0 ? slot->code - 1 : d->n - slot->code - 1;
}

bool
gs_dictionary_has_pending(const gs_dictionary *d)
{
	return d->private->pendings > 0 || d->private->refusal != NULL;
}

void
gs_dictionary_discard(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;

	if (!gs_dictionary_has_pending(d))
		return;
	for (int32 i = 0; i < p->pendings; i++)
	{
		if (p->code[i] >= 0)
			continue;
		p->size -= p->pending[i].size;
		pfree(unconstify(char *, p->pending[i].bytes - header_of(p)));
	}
	p->pendings = 0;
	p->refusal = NULL;
	insert_all(p, d->n);
}

/* ----------
 * Dictionaries of this session alone
 * ----------
 */

gs_dictionary *
gs_dictionary_make(Oid type)
{
	gs_dictionary_key key = {.type = type};

	return gs_dictionary_create(CurrentMemoryContext, &key);
}

int32
gs_dictionary_add(gs_dictionary *d, Datum value)
{
	const struct gs_dictionary_private *p = d->private;
	const char *bytes = DatumGetPointer(value);
	size_t		size = p->length;
	char		stored[sizeof(Datum)];
	const gs_dictionary_slot *slot;

	if (p->by_value)
	{
		store_att_byval(stored, value, p->length);
		bytes = stored;
	}
	else if (p->length < 0)
	{
		struct varlena *v = PG_DETOAST_DATUM_PACKED(value);

		bytes = VARDATA_ANY(v);
		size = VARSIZE_ANY_EXHDR(v);
	}
	slot = find(p, bytes, size, hash_of(bytes, size));
	if (slot->code > 0)
		return slot->code - 1;
	(void) gs_dictionary_learn(d, bytes, (uint32) size);
	return d->n - 1;
}
