/*-------------------------------------------------------------------------
 *
 * heap.c
 *	  A table as a backend sees it, and a backend that makes reports of it.
 *
 *-------------------------------------------------------------------------
 */
#include "heap.h"
#include "test/common/random.h"

#define MAX_PAGES	60			/* of a FEED_ROWS */
#define MAX_ROWS	(MAX_PAGES * 8)
#define FLOAT_UNIT	0x1p-30

static uint64_t
mix(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 29;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

/* Of a page; some have none. */
int64_t
heap_rows(uint32_t block, int version)
{
	return (int64_t) (mix(block * 1000u + (unsigned) version) % 8);
}

/* Those of later pages need more bytes. */
static int64_t
scale(uint32_t block)
{
	return block < 30 ? 1 : block < 90 ? 100 : block < 150 ? 100000 :
		INT64_C(10000000000);
}

/*
 * A value, of which one in eight is NULL; that of column 0 never is.  Column 2's
 * are to be multiplied by FLOAT_UNIT: 1024ths, but of some versions of some pages,
 * which have another unit than any that gpuscand knows.
 */
static int64_t
value(int column, uint32_t block, int row, int version, bool *null)
{
	uint64_t	x = mix(((uint64_t) block << 32 | (unsigned) version << 8 |
						 (unsigned) row) + (uint64_t) column * 1000003);

	*null = column > 0 && x >> 61 == 0;
	if (column == 0)
		return (int64_t) (x % 5);
	return column == 1 ? ((int64_t) (x % 201) - 100) * scale(block) :
		((int64_t) (x % 20001) - 10000) * (INT64_C(1) << 20) +
		(block % 50 == 7 && version % 2 == 1);
}

void
heap_init(heap *h, uint32_t relation, uint32_t blocks)
{
	memset(h, 0, sizeof *h);
	h->id = (gs_table_id) {.database = 7, .relation = relation};
	h->blocks = blocks;
	for (uint32_t i = 0; i < HEAP_BLOCKS; i++)
		h->page_lsn[i] = ++h->lsn;
	heap_vacuum_all(h);
}

uint32_t
heap_xid(int64_t time)
{
	/* 0, 1 and 2 are none of them */
	int64_t		from_3 = INT64_C(4294967290) + time;

	return from_3 <= UINT32_MAX ? (uint32_t) from_3 :
		(uint32_t) (from_3 - UINT32_MAX + 2);
}

void
heap_change(heap *h, uint32_t block)
{
	h->map[block / HEAP_MAP_BLOCKS].visible &=
		~(UINT64_C(1) << block % HEAP_MAP_BLOCKS);
	h->version[block]++;
	h->page_lsn[block] = ++h->lsn;
	h->changed[block] = ++h->time;
}

void
heap_vacuum(heap *h, uint32_t map, int64_t oldest)
{
	heap_map   *m = &h->map[map];
	uint64_t	before = m->visible;

	for (uint32_t i = 0; i < HEAP_MAP_BLOCKS; i++)
	{
		uint32_t	block = map * HEAP_MAP_BLOCKS + i;

		if (block < h->blocks && h->changed[block] < oldest)
			m->visible |= UINT64_C(1) << i;
	}
	if (m->visible != before)
		m->lsn = ++h->lsn;
}

void
heap_vacuum_all(heap *h)
{
	for (uint32_t m = 0; m < HEAP_MAPS; m++)
		heap_vacuum(h, m, INT64_MAX);
}

/* ----------
 * A backend
 * ----------
 */

/* By the first column: count(*), and the sum of the last column. */
static void
make_plan(backend *b)
{
	static const gs_operand key = GS_COLUMN(0);
	static const gs_aggregate count = {
		.kind = GS_AGG_COUNT, .a = GS_NOTHING, .b = GS_NOTHING,
		.filter = GS_NOTHING
	};

	for (int i = 0; i < b->columns; i++)
		b->column[i] = b->attribute[i] == 1 ? GS_INT4 :
			b->attribute[i] == 2 ? GS_INT8 : GS_FLOAT8;
	b->aggregate[0] = b->aggregate[1] = count;
	b->aggregate[1].kind = GS_AGG_SUM;
	b->aggregate[1].a = GS_COLUMN(b->columns - 1);
	b->plan = (gs_plan) {
		.columns = b->columns, .filter = GS_NOTHING, .column = b->column,
		.keys = b->columns > 0 && b->attribute[0] == 1, .key = &key,
		.aggregates = b->columns > 0 ? 2 : 1, .aggregate = b->aggregate
	};
}

bool
backend_begin(backend *b, heap *h, unsigned columns)
{
	b->h = h;
	b->columns = 0;
	for (int16_t c = 0; c < HEAP_COLUMNS; c++)
	{
		if (columns >> c & 1)
			b->attribute[b->columns++] = (int16_t) (c + 1);
	}
	b->verified = b->fed = 0;
	memset(b->settled, 0, sizeof b->settled);
	b->snapshot = h->time;
	b->r.xmin = heap_xid(h->time + 1);
	b->blocks = h->blocks;
	memcpy(b->version, h->version, sizeof b->version);
	make_plan(b);
	if (!report_begin(&b->r, &b->plan, 1))
		return false;
	report_table(&b->r, &h->id, h->blocks, HEAP_MAP_BLOCKS, true,
				 b->attribute);
	return true;
}

/* Bits of pages behind the table's end, as of the snapshot, are left out. */
void
backend_copy_map(backend *b)
{
	memcpy(b->map, b->h->map, sizeof b->map);
	for (uint32_t m = 0; m < HEAP_MAPS; m++)
	{
		uint32_t	first = m * HEAP_MAP_BLOCKS;

		if (first >= b->blocks)
			b->map[m].visible = 0;
		else if (b->blocks - first < HEAP_MAP_BLOCKS)
			b->map[m].visible &= (UINT64_C(1) << (b->blocks - first)) - 1;
	}
}

bool
backend_map(backend *b, bool final)
{
	bool		good = report_map(&b->r, b->map, final);

	b->held = b->r.pages;
	return good;
}

bool
backend_verify(backend *b)
{
	uint64_t	lsn[HEAP_BLOCKS];

	/* not all at a time */
	if (!report_lsns(&b->r, 40, lsn))
		return false;
	for (uint32_t m = 0; m < report_maps(&b->r); m++)
	{
		uint64_t	bits = 0;
		int			listed = 0;

		for (uint32_t i = 0; i < HEAP_MAP_BLOCKS; i++)
		{
			uint32_t	block = m * HEAP_MAP_BLOCKS + i;

			if (block >= b->blocks || lsn[block] == 0)
				continue;
			listed++;
			if (lsn[block] == b->h->page_lsn[block])
				bits |= UINT64_C(1) << i;
		}
		b->verified += listed;
		if (listed > 0 && !report_verified(&b->r, m, &bits))
			return false;
	}
	return true;
}

bool
backend_usable(backend *b)
{
	return report_usable(&b->r, b->usable);
}

static bool
is_visible(const backend *b, uint32_t block)
{
	return (b->map[block / HEAP_MAP_BLOCKS].visible >>
			(block % HEAP_MAP_BLOCKS) & 1) != 0;
}

/* Rows of pages, as the snapshot sees them. */
typedef struct some_rows
{
	int64_t		n;
	char		values[HEAP_COLUMNS][MAX_ROWS * 8];
	bool		null[HEAP_COLUMNS][MAX_ROWS];
	int64_t		pages;
	gs_page_rows page[MAX_PAGES];
} some_rows;

/* Is the page settled, as what the snapshot sees of it is what it has? */
static bool
is_settled(const backend *b, uint32_t block)
{
	return b->version[block] == b->h->version[block];
}

static void
add_page(backend *b, some_rows *s, uint32_t block, bool settled)
{
	int64_t		n = heap_rows(block, b->version[block]);

	for (int c = 0; c < b->columns; c++)
	{
		for (int row = 0; row < n; row++)
		{
			int			column = b->attribute[c] - 1;
			int64_t		v = value(column, block, row, b->version[block],
								  &s->null[c][s->n + row]);

			if (column == 0)
				((int32_t *) s->values[c])[s->n + row] = (int32_t) v;
			else if (column == 1)
				((int64_t *) s->values[c])[s->n + row] = v;
			else
				((double *) s->values[c])[s->n + row] = (double) v * FLOAT_UNIT;
		}
	}
	s->page[s->pages++] = (gs_page_rows) {
		.block = block, .rows = (uint32_t) n, .lsn = b->h->page_lsn[block],
		.keep = settled ? GS_KEEP_SETTLED : GS_KEEP_VISIBLE,
		.newest = settled ? heap_xid(b->h->changed[block]) : 0
	};
	if (settled)
		b->settled[block / HEAP_MAP_BLOCKS] |=
			UINT64_C(1) << block % HEAP_MAP_BLOCKS;
	s->n += n;
}

static bool
send_rows(backend *b, const some_rows *s, bool keep)
{
	const void *values[HEAP_COLUMNS] = {
		s->values[0], s->values[1], s->values[2]
	};
	const bool *null[HEAP_COLUMNS] = {NULL, s->null[1], s->null[2]};

	for (int c = 0; c < b->columns; c++)
		null[c] = b->attribute[c] == 1 ? NULL : s->null[c];
	if (keep)
		b->fed += s->pages;
	return s->pages == 0 ||
		report_rows(&b->r, s->n, values, null, s->page, keep ? s->pages : 0);
}

bool
backend_read(backend *b, uint32_t *from, int most)
{
	static _Thread_local some_rows s[2];	/* not to be kept, to be kept */

	memset(s, 0, sizeof s);
	for (; *from < b->blocks && s[0].pages + s[1].pages < most; ++*from)
	{
		bool		settled = is_settled(b, *from) &&
			(is_visible(b, *from) ? b->settles_all : b->settles);

		if ((b->usable[*from / HEAP_MAP_BLOCKS] >>
			 (*from % HEAP_MAP_BLOCKS) & 1) == 0)
			add_page(b, &s[settled || is_visible(b, *from)], *from, settled);
	}
	return send_rows(b, &s[1], true) && send_rows(b, &s[0], false);
}

bool
backend_look(backend *b)
{
	heap_map	look[HEAP_MAPS];

	memcpy(look, b->map, sizeof look);
	for (int m = 0; m < HEAP_MAPS; m++)
		look[m].visible |= b->settled[m];
	return report_look(&b->r, look);
}

/* What the report must give, of the rows with this key; -1: of all. */
static void
expect(const backend *b, int key, int64_t *count, int64_t *sum)
{
	*count = *sum = 0;
	for (uint32_t block = 0; block < b->blocks; block++)
	{
		int			version = b->version[block];

		for (int row = 0; row < heap_rows(block, version); row++)
		{
			bool		null;
			int64_t		k = value(0, block, row, version, &null);
			int64_t		v = b->columns == 0 ? 0 :
				value(b->attribute[b->columns - 1] - 1, block, row, version,
					  &null);

			if (key >= 0 && k != key)
				continue;
			++*count;
			*sum += null ? 0 : v;
		}
	}
}

/* An exact sum of numbers that are not many. */
static int64_t
sum_of(const backend *b, const void *state)
{
	const gs_integer_sum *whole = state;
	const gs_float_sum *sum = state;
	int64_t		space[GS_FLOAT_SUM_LIMBS];
	double		rounded;

	if (b->columns == 0)
		return 0;
	if (b->attribute[b->columns - 1] != 3)
		return (int64_t) whole->word[0];
	gs_limbs_round(gs_float_sum_limbs(sum, false, NULL, space), &rounded);
	return (int64_t) (rounded / FLOAT_UNIT);
}

/* The group that is the i-th of so many in the slot. */
static bool
is_right(backend *b, int64_t i, int64_t groups)
{
	gs_groups_layout layout;
	const char *slot = report_slot(&b->r, 0);
	int64_t		count;
	int64_t		sum;
	int			key = -1;

	gs_lay_groups(b->r.plan, groups, &layout);
	if (b->r.plan->keys > 0)
		key = ((const gs_value *) (slot + layout.column[0]))[i].i4;
	expect(b, key, &count, &sum);
	memcpy(&b->count, slot + layout.column[GS_FETCH_STATE(0)] +
		   i * (int64_t) sizeof b->count, sizeof b->count);
	b->sum = b->columns == 0 ? 0 :
		sum_of(b, slot + layout.column[GS_FETCH_STATE(1)] + (size_t) i *
			   gs_fetch_width(b->r.plan, GS_FETCH_STATE(1)));
	return b->count == count && b->sum == sum;
}

bool
backend_finish(backend *b)
{
	int64_t		groups;
	int64_t		rows;
	int64_t		sum;
	bool		right;

	b->r.groups_max = random_below(7);
	right = report_finish(&b->r);
	groups = b->r.summary.groups;
	expect(b, -1, &rows, &sum);
	right = right && b->r.summary.rows == rows &&
		b->r.summary.fetched == (groups > 0 && groups <= b->r.groups_max);
	for (int64_t i = 0; i < groups && right && b->r.summary.fetched == 1; i++)
		right = is_right(b, i, groups);
	for (int64_t i = 0; i < groups && right; i++)
		right = report_groups(&b->r, -1, i, 1) && is_right(b, 0, 1);
	report_end(&b->r);
	return right;
}

bool
backend_report(backend *b, heap *h, unsigned columns)
{
	uint32_t	from = 0;

	if (!backend_begin(b, h, columns))
		return false;
	backend_copy_map(b);
	if (!backend_map(b, false))
		return false;
	if (b->held.verify > 0 && (!backend_verify(b) || !backend_map(b, true)))
		return false;
	if (!backend_usable(b))
		return false;
	while (from < b->blocks)
	{
		if (!backend_read(b, &from, MAX_PAGES))
			return false;
	}
	backend_copy_map(b);
	return backend_look(b) && backend_finish(b);
}
