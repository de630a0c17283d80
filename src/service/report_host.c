/*-------------------------------------------------------------------------
 *
 * report_host.c
 *	  Held columns of a device, copied for an engine of the host.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "service/report_state.h"

/* Behind each part: an engine may read a little more than there is. */
#define PART_MORE	16

static size_t
part_size(size_t size)
{
	return (size + PART_MORE + GS_CACHE_ALIGN - 1) /
		GS_CACHE_ALIGN * GS_CACHE_ALIGN;
}

static size_t
bits_size(int64_t n)
{
	return ((size_t) n + 7) / 8;
}

/* The next part of the copy; NULL stays NULL. */
static gs_status
copy_part(char **at, const void *from, size_t size, const void **copy)
{
	*copy = NULL;
	if (from == NULL)
		return GS_OK;
	*copy = *at;
	*at += part_size(size);
	return gs_service.engine->get((void *) (uintptr_t) *copy, from, size);
}

static gs_status
copy_column(char **at, const gs_column_data *from, int64_t n,
			gs_column_data *to)
{
	const void *copy;
	gs_status	status = copy_part(at, from->values,
								   (size_t) n * (size_t) from->width, &copy);

	*to = *from;
	to->values = copy;
	if (status == GS_OK)
		status = copy_part(at, from->validity, bits_size(n), &copy);
	to->validity = copy;
	return status;
}

/*
 * The batch of pinned columns becomes one in the host's memory.  Whatever this
 * returns, gs_report_leave_host ends it.
 */
gs_status
gs_report_to_host(gs_connection *c, const gs_pin *pin, int columns,
				  gs_batch *batch, gs_host_batch *host)
{
	size_t		size = part_size(bits_size(batch->n));
	const void *rows = pin->mask;
	gs_status	status = GS_OK;
	char	   *at;

	for (int i = 0; i < columns; i++)
		size += part_size((size_t) batch->n * (size_t) batch->column[i].width) +
			part_size(bits_size(batch->n));
	if (!gs_execution_take(&c->request, (int64_t) size))
		return GS_NO_MEMORY;
	host->size = (int64_t) size;
	host->memory = at = aligned_alloc(GS_CACHE_ALIGN, size);
	if (at == NULL)
		return GS_NO_MEMORY;
	for (int i = 0; i < columns && status == GS_OK; i++)
		status = copy_column(&at, &batch->column[i], batch->n,
							 &host->column[i]);
	if (status == GS_OK && rows == NULL)
		status = copy_part(&at, batch->rows, bits_size(batch->n), &rows);
	batch->rows = rows;
	batch->column = host->column;
	return status;
}

void
gs_report_leave_host(gs_connection *c, gs_host_batch *host)
{
	free(host->memory);
	gs_execution_give(&c->request, host->size);
}
