/*-------------------------------------------------------------------------
 *
 * report.c
 *	  What a backend and gpuscand must do the same way in a report: pass
 *	  plans, lay out rows and groups, and pack values of dictionaries.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "protocol/report.h"

/* The head of a packed plan; its arrays follow, each aligned to 8 bytes. */
typedef struct packed_plan
{
	int32_t		columns;
	int32_t		instructions;
	int32_t		constants;
	int32_t		keys;
	int32_t		aggregates;
	int32_t		list_length;
	gs_operand	filter;
	int16_t		of_rows;
	int32_t		tables;
} packed_plan;

/* Where the arrays are. */
typedef struct plan_layout
{
	size_t		column;
	size_t		code;
	size_t		constant;
	size_t		list;
	size_t		table;
	size_t		key;
	size_t		aggregate;
	size_t		size;
} plan_layout;

static size_t
take(size_t *at, size_t size)
{
	size_t		place = *at;

	*at += (size + 7) & ~(size_t) 7;
	return place;
}

static void
lay_plan(const packed_plan *head, plan_layout *l)
{
	size_t		at = sizeof *head;

	l->column = take(&at, (size_t) head->columns);
	l->code = take(&at, (size_t) head->instructions * sizeof(gs_instruction));
	l->constant = take(&at, (size_t) head->constants * sizeof(gs_constant));
	l->list = take(&at, (size_t) head->list_length * sizeof(gs_value));
	l->table = take(&at, (size_t) head->tables * sizeof(gs_plan_table));
	l->key = take(&at, (size_t) head->keys * sizeof(gs_operand));
	l->aggregate = take(&at, (size_t) head->aggregates * sizeof(gs_aggregate));
	l->size = at;
}

static void
describe_plan(const gs_plan *plan, packed_plan *head, plan_layout *l)
{
	head->columns = plan->columns;
	head->instructions = plan->instructions;
	head->constants = plan->constants;
	head->keys = plan->keys;
	head->aggregates = plan->aggregates;
	head->list_length = plan->list_length;
	head->filter = plan->filter;
	head->of_rows = plan->of_rows;
	head->tables = plan->tables;
	lay_plan(head, l);
}

static size_t
packed_size(const gs_plan *plan)
{
	packed_plan head;
	plan_layout l;

	describe_plan(plan, &head, &l);
	return l.size;
}

/* Filled up with zeros. */
static void
put(char *to, size_t at, const void *from, size_t size)
{
	if (size == 0)
		return;
	memcpy(to + at, from, size);
	memset(to + at + size, 0, -size & 7);
}

/* Only those who have a table know where it is. */
static void
put_tables(const gs_plan *plan, char *to)
{
	for (int i = 0; i < plan->tables; i++)
	{
		gs_plan_table table = plan->table[i];

		table.value = NULL;
		memcpy(to + (size_t) i * sizeof table, &table, sizeof table);
	}
}

static void
pack(const gs_plan *plan, void *to)
{
	packed_plan head;
	plan_layout l;

	describe_plan(plan, &head, &l);
	memcpy(to, &head, sizeof head);
	put(to, l.column, plan->column, (size_t) plan->columns);
	put(to, l.code, plan->code,
		(size_t) plan->instructions * sizeof(gs_instruction));
	put(to, l.constant, plan->constant,
		(size_t) plan->constants * sizeof(gs_constant));
	put(to, l.list, plan->list,
		(size_t) plan->list_length * sizeof(gs_value));
	put_tables(plan, (char *) to + l.table);
	put(to, l.key, plan->key, (size_t) plan->keys * sizeof(gs_operand));
	put(to, l.aggregate, plan->aggregate,
		(size_t) plan->aggregates * sizeof(gs_aggregate));
}

static bool
between(int32_t value, int32_t most)
{
	return value >= 0 && value <= most;
}

/* False: there are not so many bytes; else *size says how many it takes. */
static bool
unpack(const void *from, size_t *size, gs_plan *plan)
{
	const packed_plan *head = from;
	const char *base = from;
	plan_layout l;

	if (*size < sizeof *head || !between(head->columns, GS_PLAN_COLUMNS) ||
		!between(head->instructions, GS_PLAN_CODE) ||
		!between(head->constants, GS_PLAN_CONSTANTS) ||
		!between(head->keys, GS_PLAN_KEYS) ||
		!between(head->aggregates, GS_PLAN_AGGREGATES) ||
		!between(head->list_length, INT32_MAX) ||
		!between(head->tables, GS_PLAN_TABLES))
		return false;
	lay_plan(head, &l);
	if (*size < l.size)
		return false;
	*size = l.size;
	plan->columns = head->columns;
	plan->instructions = head->instructions;
	plan->constants = head->constants;
	plan->keys = head->keys;
	plan->aggregates = head->aggregates;
	plan->list_length = head->list_length;
	plan->tables = head->tables;
	plan->filter = head->filter;
	plan->of_rows = head->of_rows;
	plan->column = (const uint8_t *) base + l.column;
	plan->code = (const gs_instruction *) (base + l.code);
	plan->constant = (const gs_constant *) (base + l.constant);
	plan->list = (const gs_value *) (base + l.list);
	plan->table = (const gs_plan_table *) (base + l.table);
	plan->copy = NULL;
	plan->key = (const gs_operand *) (base + l.key);
	plan->aggregate = (const gs_aggregate *) (base + l.aggregate);
	return true;
}

/*
 * The head of packed stages; each is its plan, its columns' finishings, and its
 * windows, if it has any.
 */
typedef struct packed_stages
{
	int32_t		stages;
	uint32_t	windows;		/* bit i: stage i has some */
} packed_stages;

static size_t
finish_size(const gs_stage *stage)
{
	size_t		at = 0;

	if (stage->finish != NULL)
		take(&at, (size_t) stage->plan.columns * sizeof(gs_finish));
	return at;
}

size_t
gs_stages_packed_size(const gs_stage *stage, int stages)
{
	size_t		size = sizeof(packed_stages);

	for (int i = 0; i < stages; i++)
		size += packed_size(&stage[i].plan) + finish_size(&stage[i]) +
			(stage[i].windows != NULL ? sizeof(gs_windows) : 0);
	return size;
}

void
gs_stages_pack(const gs_stage *stage, int stages, void *to)
{
	packed_stages head = {.stages = stages};
	char	   *at = (char *) to + sizeof head;

	for (int i = 0; i < stages; i++)
	{
		pack(&stage[i].plan, at);
		at += packed_size(&stage[i].plan);
		put(at, 0, stage[i].finish, stage[i].finish == NULL ? 0 :
			(size_t) stage[i].plan.columns * sizeof(gs_finish));
		at += finish_size(&stage[i]);
		if (stage[i].windows == NULL)
			continue;
		head.windows |= UINT32_C(1) << i;
		memcpy(at, stage[i].windows, sizeof(gs_windows));
		at += sizeof(gs_windows);
	}
	memcpy(to, &head, sizeof head);
}

/* The next part of so many bytes; NULL: there are not so many. */
static const void *
next_part(const char **at, const char *end, size_t size)
{
	const char *part = *at;

	if (size > (size_t) (end - part))
		return NULL;
	*at += size;
	return part;
}

static bool
unpack_stage(const char **at, const char *end, bool finish, bool windows,
			 gs_stage *stage)
{
	size_t		size = (size_t) (end - *at);

	if (!unpack(*at, &size, &stage->plan))
		return false;
	*at += size;
	stage->finish = NULL;
	stage->windows = NULL;
	if (finish)
	{
		stage->finish = (const gs_finish *) *at;
		if (next_part(at, end, finish_size(stage)) == NULL)
			return false;
	}
	if (windows)
		stage->windows = next_part(at, end, sizeof(gs_windows));
	return !windows || stage->windows != NULL;
}

int
gs_stages_unpack(const void *from, size_t size, gs_stage stage[GS_STAGES_MAX])
{
	const char *at = from;
	const char *end = at + size;
	const packed_stages *head = next_part(&at, end, sizeof *head);

	if (head == NULL || head->stages < 1 || head->stages > GS_STAGES_MAX ||
		head->windows >> head->stages != 0)
		return 0;
	for (int i = 0; i < head->stages; i++)
	{
		if (!unpack_stage(&at, end, i > 0, (head->windows >> i & 1) != 0,
						  &stage[i]))
			return 0;
	}
	return at == end ? head->stages : 0;
}

void
gs_lay_rows(const gs_plan *plan, int64_t rows_max, int64_t pages_max,
			gs_rows_layout *layout)
{
	size_t		n = (size_t) rows_max;
	size_t		at = 0;

	layout->pages = at;
	at += gs_staging_align((size_t) pages_max * sizeof(gs_page_rows));
	for (int c = 0; c < plan->columns; c++)
	{
		layout->values[c] = at;
		at += gs_staging_align(n * (size_t) gs_type_width(plan->column[c]));
		layout->validity[c] = at;
		at += gs_staging_align((n + 7) / 8);
	}
	layout->size = at;
}

void
gs_lay_groups(const gs_plan *plan, int64_t count, gs_groups_layout *layout)
{
	size_t		at = 0;

	memset(layout, 0, sizeof *layout);
	for (int c = 0; c < GS_FETCH_COLUMNS; c++)
	{
		bool		wide = c > GS_PLAN_KEYS && (c - GS_PLAN_KEYS) % 2 == 0;
		int64_t		n = wide ? (count + 63) / 64 : count;

		if (wide && !plan->of_rows)
			continue;
		layout->column[c] = at;
		at += gs_staging_align((size_t) n * gs_fetch_width(plan, c));
	}
	layout->size = at;
}

/*
 * The size of a layout is linear in the count but for alignment, which takes
 * less than GS_STAGING_ALIGN a part.
 */
static int64_t
fit(size_t slot_size, size_t parts, size_t bits_each)
{
	size_t		lost = parts * GS_STAGING_ALIGN;

	if (lost >= slot_size || bits_each == 0)
		return 0;
	return (int64_t) ((slot_size - lost) * 8 / bits_each);
}

int64_t
gs_slot_rows(const gs_plan *plan, int rows_a_page, size_t slot_size)
{
	/* a page for each rows_a_page rows, rounded up */
	size_t		bits = 8 * ((sizeof(gs_page_rows) + rows_a_page - 1) /
							(size_t) rows_a_page);

	for (int c = 0; c < plan->columns; c++)
		bits += 8 * (size_t) gs_type_width(plan->column[c]) + 1;
	return fit(slot_size, 2 * (size_t) plan->columns + 1, bits);
}

int64_t
gs_slot_groups(const gs_plan *plan, size_t slot_size)
{
	size_t		bits = 0;

	for (int c = 0; c < GS_FETCH_COLUMNS; c++)
	{
		bool		wide = c > GS_PLAN_KEYS && (c - GS_PLAN_KEYS) % 2 == 0;

		if (!wide)
			bits += 8 * gs_fetch_width(plan, c);
		else if (plan->of_rows && gs_fetch_width(plan, c) > 0)
			bits++;
	}
	return fit(slot_size, GS_FETCH_COLUMNS, bits);
}

size_t
gs_values_put(void *message, size_t size, size_t at, const char *bytes,
			  uint32_t length)
{
	size_t		end = at + sizeof length + (((size_t) length + 3) & ~(size_t) 3);

	if (end > size)
		return 0;
	memcpy((char *) message + at, &length, sizeof length);
	memset((char *) message + end - 4, 0, length % 4 != 0 ? 4 : 0);
	memcpy((char *) message + at + sizeof length, bytes, length);
	return end;
}

size_t
gs_values_get(const void *message, size_t size, size_t at, const char **bytes,
			  uint32_t *length)
{
	size_t		end;

	if (at > size || size - at < sizeof *length)
		return 0;
	memcpy(length, (const char *) message + at, sizeof *length);
	end = at + sizeof *length + (((size_t) *length + 3) & ~(size_t) 3);
	*bytes = (const char *) message + at + sizeof *length;
	return end <= size ? end : 0;
}
