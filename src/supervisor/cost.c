/*-------------------------------------------------------------------------
 *
 * cost.c
 *	  What an operation costs on either engine.
 *
 * A straight line for each engine, operation and type: so much for a call, so
 * much for an element.  Until gpuscan_calibrate() has measured them on this
 * host, the figures are those of one core of a server of 2024 and of a GPU
 * behind 16 lanes of PCIe 5.
 *
 * All sessions see the same figures, in shared memory; there is a copy in a
 * file, for the next start of the server.  It lies in a directory whose content
 * base backups leave out, since a copy of the cluster may run on another host.
 * A session keeps a copy of its own, and looks whether it is still the newest:
 * deciding takes a hundred nanoseconds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <unistd.h>

#include "port/pg_crc32c.h"
#include "storage/fd.h"

#include "supervisor/cost.h"
#include "protocol/protocol.h"
#include "supervisor/shared.h"

#define COST_FILE		"pg_stat_tmp/gpuscan.calibration"
#define COST_MAGIC		0x67736305	/* changes with gs_costs */

/* Bytes that reach the device and come back in a nanosecond. */
#define GPU_RATE		40.0

/* Bytes that the device itself goes through in a nanosecond. */
#define DEVICE_RATE		1000.0

/* Bytes of a stored array that the server reads in a nanosecond. */
#define FETCH_RATE		2.0

/* What the file holds. */
typedef struct cost_file
{
	uint32		magic;
	gs_costs	costs;
	pg_crc32c	crc;			/* of all before it */
} cost_file;

static void
set_defaults(gs_costs *costs)
{
	costs->cpu_call = 1;
	costs->gpu_small_call = 50;
	costs->gpu_call = 80;
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		const gs_operation *operation = gs_operation_of(kind);

		for (int type = GS_BOOL; type < GS_TYPES; type++)
		{
			gs_op		op = {.kind = kind, .type = type};
			int			width = gs_type_width(op.type);

			if (gs_has_mask(&op))
				width++;
			if (gs_has_output(&op))
				width += gs_type_width(gs_output_type(&op));
			if (op.kind == GS_SORT || op.kind == GS_ARGSORT)
				width += gs_type_width(gs_column_type(&op, GS_COLUMN_VALUES));
			costs->gpu_element[kind][type] = width / GPU_RATE;
			costs->cpu_element[kind][type] =
				type == GS_FLOAT4 || type == GS_FLOAT8 ?
				operation->float_ns : operation->other_ns;
		}
	}
}

static pg_crc32c
file_crc(const cost_file *file)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, file, offsetof(cost_file, crc));
	FIN_CRC32C(crc);
	return crc;
}

/* The costs that have been measured here, or else defaults. */
void
gs_costs_init(gs_costs *costs)
{
	cost_file	file;
	int			fd = OpenTransientFile(COST_FILE, O_RDONLY | PG_BINARY);
	ssize_t		got = -1;

	set_defaults(costs);
	if (fd >= 0)
	{
		got = read(fd, &file, sizeof(file));
		CloseTransientFile(fd);
	}
	if (got == sizeof(file) && file.magic == COST_MAGIC &&
		EQ_CRC32C(file.crc, file_crc(&file)))
		*costs = file.costs;
}

static void
write_file(const gs_costs *costs)
{
	cost_file	file;
	FILE	   *stream;

	memset(&file, 0, sizeof(file));
	file.magic = COST_MAGIC;
	file.costs = *costs;
	file.crc = file_crc(&file);
	stream = AllocateFile(COST_FILE ".tmp", PG_BINARY_W);
	if (stream == NULL)
		ereport(ERROR,
				errcode_for_file_access(),
				errmsg("could not create file \"%s\": %m", COST_FILE ".tmp"));
	if (fwrite(&file, sizeof(file), 1, stream) != 1)
		ereport(ERROR,
				errcode_for_file_access(),
				errmsg("could not write file \"%s\": %m", COST_FILE ".tmp"));
	if (FreeFile(stream) != 0)
		ereport(ERROR,
				errcode_for_file_access(),
				errmsg("could not close file \"%s\": %m", COST_FILE ".tmp"));
	(void) durable_rename(COST_FILE ".tmp", COST_FILE, ERROR);
}

/* Have all sessions use these costs, from now on. */
void
gs_costs_store(const gs_costs *costs)
{
	gs_shared  *s = gs_shared_get();

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	s->costs = *costs;
	pg_atomic_fetch_add_u64(&s->costs_version, 1);
	LWLockRelease(&s->lock);
	write_file(costs);
}

void
gs_estimate_with(const gs_costs *costs, const gs_op *op, int64_t n,
				 gs_estimate *estimate)
{
	estimate->cpu = costs->cpu_call + n * costs->cpu_element[op->kind][op->type] / 1000;
	estimate->gpu = n * costs->gpu_element[op->kind][op->type] / 1000 +
		(n * gs_type_width(op->type) <= GS_MESSAGE_MAX &&
		 !gs_is_order(op->kind) ? costs->gpu_small_call : costs->gpu_call);
}

/* The costs that hold now. */
static const gs_costs *
current_costs(void)
{
	static gs_costs costs;
	static uint64 version = 0;	/* 0: none yet */
	gs_shared  *s = gs_shared_attach() == GS_SHARED_READY ? gs_shared_get() :
		NULL;

	if (s == NULL)
		set_defaults(&costs);
	else if (version != pg_atomic_read_u64(&s->costs_version))
	{
		LWLockAcquire(&s->lock, LW_SHARED);
		costs = s->costs;
		version = pg_atomic_read_u64(&s->costs_version);
		LWLockRelease(&s->lock);
	}
	return &costs;
}

void
gs_estimate_call(const gs_op *op, int64_t n, gs_estimate *estimate)
{
	gs_estimate_with(current_costs(), op, n, estimate);
}

/*
 * The same for a stored array of which the service has a copy.  The CPU has to
 * read the array besides; to and from the GPU goes no more than the results.
 */
void
gs_estimate_kept(const gs_op *op, int64_t n, gs_estimate *estimate)
{
	double		bytes = (double) n * gs_type_width(op->type);
	double		out = gs_has_output(op) ?
		(double) n * gs_type_width(gs_output_type(op)) : 0;

	gs_estimate_call(op, n, estimate);
	estimate->cpu += bytes / FETCH_RATE / 1000;
	if (gs_is_order(op->kind))
		return;					/* the work is much more than the way */
	estimate->gpu = current_costs()->gpu_small_call +
		(bytes / DEVICE_RATE + out / GPU_RATE) / 1000;
}
