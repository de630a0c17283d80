/*-------------------------------------------------------------------------
 *
 * freshness.c
 *	  What the service holds of a table, and what of it is still true.
 *
 * The service hears what the visibility map says (MAP), and decides which pages
 * need not be read.  Where a map page has changed since the service's copies
 * were made, it asks for them to be verified first: a page that has the LSN
 * that it had then (LSNS) has the same rows.  All that takes is a look at the
 * page, so it is cheaper than reading it.  The service then decides by what MAP
 * said before: the pages that were verified had not changed when the map was
 * copied, and the snapshot is older than that.  What the map has become since
 * does not matter, and it may never come to rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/xlog.h"
#if PG_VERSION_NUM >= 150000
#include "access/xlogrecovery.h"
#endif
#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "report/pages.h"
#include "report/pause.h"
#include "report/table.h"

/*
 * How often the map is copied anew if, after pages were verified, others are in
 * doubt, as another session has noted a later LSN.  What then is still in doubt
 * is read.
 */
#define VERIFY_ROUNDS		2

/*
 * After so many pages of a map page, most of which had changed, it is not worth
 * it to verify the others: they would be read twice.
 */
#define VERIFY_SAMPLE		256

static XLogRecPtr
wal_end(void)
{
	return RecoveryInProgress() ? GetXLogReplayRecPtr(NULL) :
		GetXLogInsertRecPtr();
}

/*
 * Copy the whole map of a table that has so many pages.  Returns where the WAL
 * ended before.
 */
XLogRecPtr
gs_table_copy_map(Relation relation, BlockNumber blocks, char *maps)
{
	XLogRecPtr	end = wal_end();

	for (uint32 m = 0; m < gs_map_count(blocks); m++)
	{
		CHECK_FOR_INTERRUPTS();
		gs_map_copy(relation, m, blocks, (gs_map_page *)
					(maps + m * gs_map_size(GS_MAP_BLOCKS)));
	}
	return end;
}

/* Tell what it says.  Sets the answer to the last part. */
gs_status
gs_table_send_map(gs_table_run *t, bool final, gs_msg_pages *answer)
{
	size_t		size = gs_map_size(GS_MAP_BLOCKS);
	uint32		per_slot = gs_session_link.slot_size / size;
	gs_status	status = GS_OK;

	for (uint32 first = 0; first < t->map_pages && status == GS_OK;
		 first += per_slot)
	{
		gs_msg_map	message = {.first = first, .final = final};

		message.count = Min(per_slot, t->map_pages - first);
		memcpy(t->p->slot[0], gs_table_map(t, first), message.count * size);
		gs_report_pause(GS_PAUSE_MAP);
		status = gs_report_ask(t->run, &message, GS_MSG_MAP, sizeof(message),
							   answer);
	}
	return status;
}

/* Of so many map pages at once can the service tell which pages are usable. */
uint32
gs_table_usable_max(void)
{
	return Max(1, gs_session_link.slot_size /
			   (2 * GS_MAP_WORDS * sizeof(uint64)));
}

/*
 * Ask which pages of some map pages need not be read and, unless doubts is
 * NULL, which of the others need not if they are verified.
 */
gs_status
gs_table_ask_usable(gs_table_run *t, uint32 first, uint32 count,
					uint64 *usable, uint64 *doubts)
{
	gs_msg_map	message = {.first = first, .count = count};
	size_t		size = count * GS_MAP_WORDS * sizeof(uint64);
	gs_msg_pages answer;
	gs_status	status = gs_report_ask(t->run, &message, GS_MSG_USABLE,
									   sizeof(message), &answer);

	if (status != GS_OK)
		return status;
	memcpy(usable, t->p->slot[0], size);
	if (doubts != NULL)
		memcpy(doubts, t->p->slot[0] + size, size);
	status = gs_exchange_copied(&t->p->exchange);
	return status == GS_OK ? GS_OK : gs_report_fail(t->run, status);
}

/* List the pages whose bits are set, of a map page, into t->list. */
int
gs_table_list(gs_table_run *t, uint32 number, const uint64 *bits)
{
	BlockNumber first = number * (BlockNumber) GS_MAP_BLOCKS;
	int			n = 0;

	for (int i = 0; i < GS_MAP_WORDS; i++)
	{
		for (uint64 word = bits[i]; word != 0; word &= word - 1)
			t->list[n++] = first + 64 * i + pg_rightmost_one_pos64(word);
	}
	return n;
}

/*
 * Get the LSNs that a map page's pages had when they were read.  Lists those
 * that are held, in any column: VERIFIED ends all others.  Returns how many.
 */
static gs_status
ask_lsns(gs_table_run *t, uint32 number, int *n)
{
	BlockNumber first = number * (BlockNumber) GS_MAP_BLOCKS;
	BlockNumber pages = gs_map_pages(number, t->blocks);
	BlockNumber per_slot = gs_session_link.slot_size / sizeof(uint64);
	gs_status	status;

	if (t->lsns == NULL)
		t->lsns = palloc(GS_MAP_BLOCKS * sizeof(uint64));
	for (BlockNumber at = 0; at < pages; at += per_slot)
	{
		gs_msg_lsns message = {.first = first + at};
		gs_msg_pages answer;

		message.count = Min(per_slot, pages - at);
		status = gs_report_ask(t->run, &message, GS_MSG_LSNS, sizeof(message),
							   &answer);
		if (status != GS_OK)
			return status;
		memcpy(t->lsns + at, t->p->slot[0], message.count * sizeof(uint64));
	}
	status = gs_exchange_copied(&t->p->exchange);
	if (status != GS_OK)
		return gs_report_fail(t->run, status);
	*n = 0;
	for (BlockNumber at = 0; at < pages; at++)
	{
		if (t->lsns[at] != 0)
			t->list[(*n)++] = first + at;
	}
	return GS_OK;
}

/* Set t->bits of the n pages of the list that have the LSN that they had. */
static void
compare_lsns(gs_table_run *t, uint32 number, int n)
{
	int			same = 0;

	memset(t->bits, 0, GS_MAP_WORDS * sizeof(uint64));
	for (int i = 0; i < n; i++)
	{
		BlockNumber at = t->list[i] - number * (BlockNumber) GS_MAP_BLOCKS;

		CHECK_FOR_INTERRUPTS();
		if (i >= VERIFY_SAMPLE && same < i / 2)
			break;
		gs_pages_prefetch(&t->prefetch, t->list, n, i);
		if (gs_page_lsn(t->scan, t->list[i]) != t->lsns[at])
			continue;
		t->bits[at / 64] |= UINT64CONST(1) << (at % 64);
		same++;
	}
	t->run->stats.verified_pages += same;
}

/* Verify the pages of a map page, if the service would use any. */
static gs_status
verify(gs_table_run *t, uint32 number)
{
	gs_msg_map	message = {.first = number, .count = 1};
	gs_msg_pages answer;
	gs_status	status = gs_table_ask_usable(t, number, 1, t->bits, t->doubts);
	int			n = 0;

	if (status != GS_OK || gs_table_list(t, number, t->doubts) == 0)
		return status;
	status = ask_lsns(t, number, &n);
	if (status != GS_OK)
		return status;
	compare_lsns(t, number, n);
	memcpy(t->p->slot[0], t->bits, GS_MAP_WORDS * sizeof(uint64));
	return gs_report_ask(t->run, &message, GS_MSG_VERIFIED, sizeof(message),
						 &answer);
}

/* Let the service decide which pages need not be read. */
gs_status
gs_table_decide(gs_table_run *t, int64 *usable)
{
	gs_report_stats *stats = &t->run->stats;
	gs_msg_pages answer;
	gs_status	status = gs_batch_drain(t->run);	/* of another table */

	for (int round = 0; status == GS_OK; round++)
	{
		bool		final = round == VERIFY_ROUNDS;

		t->wal_end = gs_table_copy_map(t->relation, t->blocks, t->maps);
		status = gs_table_send_map(t, false, &answer);
		if (status == GS_OK && answer.verify > 0)
		{
			for (uint32 m = 0; m < t->map_pages && status == GS_OK; m++)
				status = verify(t, m);
			if (status == GS_OK)
				status = gs_table_send_map(t, final, &answer);
		}
		if (status == GS_OK && (answer.verify == 0 || final))
			break;
	}
	if (status != GS_OK)
		return status;
	stats->held_rows += answer.rows;
	stats->held_pages += answer.usable;
	stats->masked_rows += answer.masked;
	*usable = answer.usable;
	return GS_OK;
}
