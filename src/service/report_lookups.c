/*-------------------------------------------------------------------------
 *
 * report_lookups.c
 *	  The look-up tables of reports' plans (gs_plan.table), in the engine's memory.
 *
 * A client sends them, or has them made of the rows of a report.
 *
 * A connection sends a table once, and names it by number in later reports.  Its
 * complete tables are items of the budget (budget.c), which go when no report uses
 * them, or with the connection; no other connection finds them.
 *
 * A table that has no number, or no room in the budget, is in the report's private
 * memory, and goes with that.  So does one that has not come completely.
 *
 * Entries may be any bytes, so that what a client changes in its slot meanwhile
 * changes nothing but results.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "engine/devices.h"
#include "service/report_state.h"

struct gs_held_lookup
{
	gs_item		item;			/* first; listed: it is complete and can be found */
	gs_connection *owner;
	uint64_t	number;
	int64_t		size;			/* bytes */
	int64_t		received;
	void	   *memory[GS_DEVICES_MAX]; /* each device has one */
	bool		is_private;

	/* under gs_budget_lock */
	bool		in_use;
	gs_held_lookup *next;		/* of the owner's */
};

static void
free_memory(gs_held_lookup *l)
{
	for (int i = 0; i < gs_service.devices; i++)
	{
		if (l->is_private && l->memory[i] != NULL)
			gs_service.engine->release(l->memory[i], (size_t) l->size);
		else if (!l->is_private)
			gs_budget_release(l->memory[i], (size_t) l->size, i);
		l->memory[i] = NULL;
	}
}

static void
free_lookup(gs_held_lookup *l)
{
	free_memory(l);
	free(l);
}

/* ----------
 * The caller holds gs_budget_lock
 * ----------
 */

static void
drop(gs_held_lookup *l)
{
	gs_held_lookup **link = &l->owner->lookups;

	while (*link != l)
		link = &(*link)->next;
	*link = l->next;
	gs_item_remove(&l->item);
	free_lookup(l);
}

/* gs_item.evict */
static bool
evict(gs_item *item)
{
	gs_held_lookup *l = (gs_held_lookup *) item;

	if (l->in_use)
		return false;
	drop(l);
	return true;
}

/* In use from now on; NULL: the connection has none. */
static gs_held_lookup *
find(gs_connection *c, const gs_plan_table *table)
{
	gs_held_lookup *l = c->lookups;

	while (l != NULL && (l->number != table->number || l->in_use ||
						 l->size != table->size * (int64_t) sizeof(gs_value)))
		l = l->next;
	if (l != NULL)
		l->in_use = true;
	return l;
}

/* ----------
 * The caller does not hold the lock
 * ----------
 */

static void *
reserve_private(gs_connection *c, size_t size)
{
	void	   *memory;

	if (!gs_execution_take(&c->request, (int64_t) size))
		return NULL;
	do
		memory = gs_service.engine->reserve(size);
	while (memory == NULL && gs_evict());
	return memory;
}

/* Memory on each device; false: there is not so much. */
static bool
reserve_all(gs_connection *c, gs_held_lookup *l)
{
	bool		reserved = true;

	for (int i = 0; i < gs_service.devices && reserved; i++)
	{
		gs_device_use(i);
		if (l->is_private)
			l->memory[i] = reserve_private(c, (size_t) l->size);
		else
		{
			pthread_mutex_lock(&gs_budget_lock);
			l->memory[i] = gs_budget_reserve((size_t) l->size);
			pthread_mutex_unlock(&gs_budget_lock);
		}
		reserved = l->memory[i] != NULL;
	}
	if (!reserved)
		free_memory(l);
	return reserved;
}

/* An empty one; NULL: there is no memory.  It is private only if it may be. */
static gs_held_lookup *
make(gs_connection *c, uint64_t number, int64_t size, bool may_be_private)
{
	gs_held_lookup *l = calloc(1, sizeof *l);

	if (l == NULL)
		return NULL;
	l->item.kind = GS_ITEM_LOOKUP;
	l->item.device = GS_ALL_DEVICES;
	l->item.evict = evict;
	l->owner = c;
	l->number = number;
	l->size = size;
	l->in_use = true;
	l->is_private = l->number == 0;
	if (reserve_all(c, l))
		return l;
	if (!l->is_private && may_be_private)
	{
		l->is_private = true;
		if (reserve_all(c, l))
			return l;
	}
	free(l);
	return NULL;
}

gs_status
gs_lookups_find(gs_connection *c)
{
	gs_report  *report = c->request.report;
	int			tables = report->rows->tables;

	/* all, before room is made for others */
	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < tables; i++)
		report->lookup[i] = find(c, &report->table[0][i]);
	pthread_mutex_unlock(&gs_budget_lock);
	for (int i = 0; i < tables; i++)
	{
		if (report->lookup[i] == NULL)
		{
			report->lookup[i] = make(c, report->table[0][i].number,
									 report->table[0][i].size *
									 (int64_t) sizeof(gs_value), true);
			if (report->lookup[i] == NULL)
				return GS_NO_MEMORY;
			report->lacking |= UINT32_C(1) << i;
		}
		for (int d = 0; d < gs_service.devices; d++)
			report->table[d][i].value = report->lookup[i]->memory[d];
	}
	return GS_OK;
}

void
gs_lookups_leave(gs_report *report)
{
	for (int i = 0; i < GS_PLAN_TABLES; i++)
	{
		gs_held_lookup *l = report->lookup[i];

		if (l == NULL)
			continue;
		pthread_mutex_lock(&gs_budget_lock);
		l->in_use = false;
		if (l->item.listed)
			gs_item_use(&l->item);
		else
			free_lookup(l);
		pthread_mutex_unlock(&gs_budget_lock);
	}
}

/* A table is complete: later reports may find it. */
static void
keep(gs_connection *c, gs_held_lookup *l)
{
	if (l->is_private)
		return;
	pthread_mutex_lock(&gs_budget_lock);
	l->next = c->lookups;
	c->lookups = l;
	gs_item_use(&l->item);
	pthread_mutex_unlock(&gs_budget_lock);
}

/* NULL if a LOOKUP is valid, else what is wrong. */
static const char *
validate(const gs_report *report, const gs_msg_lookup *part)
{
	const gs_held_lookup *l;

	if (report == NULL || report->lacking == 0)
		return "LOOKUP out of turn";
	if (part->table < 0 || part->table >= GS_PLAN_TABLES ||
		(report->lacking >> part->table & 1) == 0)
		return "LOOKUP of a table that is not lacking";
	l = report->lookup[part->table];
	if (part->first != l->received || part->size < 1 ||
		part->size > l->size - l->received ||
		part->size > (int64_t) gs_service.slot_size)
		return "LOOKUP with a number out of range";
	return NULL;
}

/* Entries may be any bytes, which devices may even have other ones of. */
static gs_status
write_all(gs_connection *c, const gs_held_lookup *l, const gs_msg_lookup *part)
{
	gs_status	status = GS_OK;

	for (int i = 0; i < gs_service.devices && status == GS_OK; i++)
	{
		gs_device_use(i);
		status = gs_service.engine->write((char *) l->memory[i] + part->first,
										  gs_staging_slot(c->grant.slot[0]),
										  (size_t) part->size);
	}
	return status;
}

bool
gs_handle_lookup(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_lookup *part = message;
	gs_report  *report = c->request.report;
	gs_held_lookup *l;
	const char *wrong;
	gs_status	status;
	gs_msg_fed	answer;

	(void) size;
	if (c->request.failed)
		return true;
	wrong = validate(report, part);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	l = report->lookup[part->table];
	gs_execution_busy(c);
	status = write_all(c, l, part);
	gs_execution_done(c);
	l->received += part->size;
	if (status == GS_OK && l->received == l->size)
	{
		keep(c, l);
		report->lacking &= ~(UINT32_C(1) << part->table);
		if (report->lacking == 0)
			status = gs_report_start(c);
	}
	memset(&answer, 0, sizeof answer);
	gs_execution_outcome(c, &answer.outcome, status);
	return gs_execution_answer(c, &answer, GS_MSG_FED, sizeof answer,
							   &answer.outcome);
}

/* ----------
 * Of a report's rows
 * ----------
 */

/* Has it been finished, and is it of rows? */
static bool
has_rows(const gs_report *report)
{
	return report != NULL && report->finished && report->groups->of_rows &&
		report->summary.errors == 0 && !report->sliced;
}

bool
gs_handle_ranges(gs_connection *c, const void *message, size_t size)
{
	const gs_report *report = c->request.report;
	gs_status	status = GS_OK;
	gs_msg_ranged answer;

	(void) message;
	(void) size;
	if (c->request.failed)
		return true;
	if (!has_rows(report))
		return gs_malformed(c, "RANGES out of turn");
	memset(&answer, 0, sizeof answer);
	gs_execution_busy(c);
	for (int i = 0; i < GS_RANGES_MAX && i < report->groups->aggregates &&
		 status == GS_OK; i++)
		status = gs_service.plan_engine->range(report->run, i,
											   &answer.range[i]);
	gs_execution_done(c);
	gs_execution_outcome(c, &answer.outcome, status);
	return gs_execution_answer(c, &answer, GS_MSG_RANGED, sizeof answer,
							   &answer.outcome);
}

/* Bytes that go from one device to another at a time, by way of the host. */
#define COPY_BYTES	(INT64_C(1) << 20)

/* The table from the device that has it to the others. */
static gs_status
spread(const gs_held_lookup *l, int from)
{
	char	   *bytes = gs_service.devices > 1 ? malloc(COPY_BYTES) : NULL;
	gs_status	status = GS_OK;

	if (gs_service.devices == 1)
		return GS_OK;
	if (bytes == NULL)
		return GS_NO_MEMORY;
	for (int64_t at = 0; at < l->size && status == GS_OK; at += COPY_BYTES)
	{
		int64_t		n = l->size - at < COPY_BYTES ? l->size - at : COPY_BYTES;

		gs_device_use(from);
		status = gs_service.engine->get(bytes, (char *) l->memory[from] + at,
										(size_t) n);
		for (int i = 0; i < gs_service.devices && status == GS_OK; i++)
		{
			if (i == from)
				continue;
			gs_device_use(i);
			status = gs_service.engine->write((char *) l->memory[i] + at,
											  bytes, (size_t) n);
		}
	}
	free(bytes);
	return status;
}

/* NULL if a SCATTER is valid, else what is wrong. */
static const char *
validate_scatter(const gs_report *report, const gs_msg_scatter *scatter)
{
	if (!has_rows(report))
		return "SCATTER out of turn";
	if (scatter->number == 0 || scatter->unique < 0 || scatter->unique > 1 ||
		(scatter->unique && !scatter->scatter.counts) ||
		!gs_scatter_check(report->groups, &scatter->scatter))
		return "SCATTER with a number out of range";
	return NULL;
}

bool
gs_handle_scatter(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_scatter *scatter = message;
	const gs_report *report = c->request.report;
	const char *wrong;
	gs_held_lookup *l;
	gs_status	status = GS_NO_MEMORY;
	gs_msg_scattered answer;

	(void) size;
	if (c->request.failed)
		return true;
	wrong = validate_scatter(report, scatter);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(&answer, 0, sizeof answer);
	gs_execution_busy(c);
	l = make(c, scatter->number, gs_scatter_size(&scatter->scatter), false);
	if (l != NULL)
	{
		int			device = gs_service.devices == 1 ? 0 :
			gs_plan_device(report->run);

		status = gs_service.plan_engine->scatter(report->run,
												 &scatter->scatter,
												 l->memory[device],
												 &answer.placed,
												 &answer.repeated);
		if (status == GS_OK)
			status = spread(l, device);
	}
	gs_execution_done(c);
	if (l != NULL && status == GS_OK &&
		(!scatter->unique || answer.repeated == 0))
	{
		pthread_mutex_lock(&gs_budget_lock);
		l->in_use = false;
		pthread_mutex_unlock(&gs_budget_lock);
		keep(c, l);
	}
	else if (l != NULL)
	{
		pthread_mutex_lock(&gs_budget_lock);
		free_lookup(l);
		pthread_mutex_unlock(&gs_budget_lock);
	}
	gs_execution_outcome(c, &answer.outcome, status);
	return gs_execution_answer(c, &answer, GS_MSG_SCATTERED, sizeof answer,
							   &answer.outcome);
}

/* The connection ends, and has no request any more. */
void
gs_lookups_end(gs_connection *c)
{
	pthread_mutex_lock(&gs_budget_lock);
	while (c->lookups != NULL)
		drop(c->lookups);
	pthread_mutex_unlock(&gs_budget_lock);
}

/* Forget all that are not in use. */
void
gs_lookups_clear(void)
{
	pthread_mutex_lock(&gs_budget_lock);
	while (gs_budget_evict(GS_ITEM_LOOKUP))
		;
	pthread_mutex_unlock(&gs_budget_lock);
}
