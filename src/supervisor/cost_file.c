/*-------------------------------------------------------------------------
 *
 * cost_file.c
 *	  The file in which measured costs survive a restart of the server.
 *
 * It is in a directory whose content base backups leave out, since a copy of
 * the cluster may run on another host.  A file that is damaged, or from another
 * release, counts as missing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <unistd.h>

#include "port/pg_crc32c.h"
#include "storage/fd.h"

#include "supervisor/cost_file.h"

#define COST_FILE		"pg_stat_tmp/gpuscan.calibration"
#define COST_MAGIC		0x67736305	/* changes with gs_costs */

/* The content of the file. */
typedef struct cost_file
{
	uint32		magic;
	gs_costs	costs;
	pg_crc32c	crc;			/* of everything before it */
} cost_file;

static pg_crc32c
file_crc(const cost_file *file)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, file, offsetof(cost_file, crc));
	FIN_CRC32C(crc);
	return crc;
}

/*
 * Read the measured costs.  False, leaving costs as they are: there are none.
 */
bool
gs_cost_file_read(gs_costs *costs)
{
	cost_file	file;
	int			fd = OpenTransientFile(COST_FILE, O_RDONLY | PG_BINARY);
	ssize_t		got;

	if (fd < 0)
		return false;
	got = read(fd, &file, sizeof(file));
	CloseTransientFile(fd);
	if (got != sizeof(file) || file.magic != COST_MAGIC ||
		!EQ_CRC32C(file.crc, file_crc(&file)))
		return false;
	*costs = file.costs;
	return true;
}

void
gs_cost_file_write(const gs_costs *costs)
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
