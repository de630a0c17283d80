/*-------------------------------------------------------------------------
 *
 * freshness.c
 *	  What the service holds of a table, and what of it is still true.
 *
 * The service hears what the visibility map says (MAP), and decides which pages
 * need not be read.  Where a map page has changed since the service's copies
 * were made, and of settled pages, it asks for them to be verified first: a page
 * that has the LSN that it had then (LSNS) has the same rows.  All that takes is
 * a look at the page, so it is cheaper than reading it.  The service then decides
 * by what MAP said before: the pages that were verified had not changed when the
 * map was copied, and the snapshot is older than that.  What the map has become
 * since does not matter, and it may never come to rest.
 *
 * The page's LSN is read without its lock.  Who changes the page just then has
 * not committed yet, so the snapshot does not see the change.
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

#include "pg/progress.h"
#include "report/session/pause.h"
#include "report/table/pages.h"
#include "report/table/table.h"

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

/* So many pages are listed at a time, at most; t->list has room for them. */
#define LSNS_MAX			Min(16384, GS_MAP_BLOCKS)

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
gs_table_copy_map(Relation relation, BlockNumber blocks, gs_map *maps)
{
	XLogRecPtr	end = wal_end();

	for (uint32 m = 0; m < gs_map_count(blocks); m++)
	{
		CHECK_FOR_INTERRUPTS();
		gs_map_copy(relation, m, blocks, &maps[m]);
	}
	return end;
}

/* Wait for the answer to VERIFIED, if that was sent. */
static gs_status
receive_verified(gs_table_run *t)
{
	gs_msg_pages answer;
	bool		sent = t->verified;

	t->verified = false;
	return sent ? gs_report_receive(t->run, &answer) : GS_OK;
}

/*
 * Put map pages from *first on into a message, as many as fit.  Returns its size;
 * *first becomes the next one.
 */
static size_t
put_maps(const gs_table_run *t, uint32 *first, gs_msg_map *message)
{
	size_t		size = sizeof(*message);

	message->first = *first;
	for (; *first < t->map_pages; (*first)++)
	{
		const gs_map *map = &t->maps[*first];
		gs_map_part part = {.lsn = map->lsn, .all = map->all};
		size_t		each = gs_map_part_size(map->all, GS_MAP_BLOCKS);
		char	   *to = (char *) message + size;

		if (size + each > GS_MESSAGE_MAX)
			break;
		memcpy(to, &part, sizeof(part));
		memcpy(to + sizeof(part), map->visible, each - sizeof(part));
		size += each;
	}
	message->count = *first - message->first;
	return size;
}

/* Tell what it says; final, whole: as in gs_msg_map. */
gs_status
gs_table_tell_map(gs_table_run *t, bool final, bool whole)
{
	gs_msg_map *message = (gs_msg_map *) gs_session_link.buffer;
	uint32		next = 0;
	gs_status	status = GS_OK;

	while (next < t->map_pages && status == GS_OK)
	{
		size_t		size;

		CHECK_FOR_INTERRUPTS();
		memset(message, 0, sizeof(*message));
		message->final = final;
		message->whole = whole;
		size = put_maps(t, &next, message);
		gs_report_pause(GS_PAUSE_MAP);

		/* more than the socket holds would not be read before slots are granted */
		if (message->first == 0 && next < t->map_pages)
			status = gs_report_opened(t->run);
		if (status == GS_OK)
			status = gs_report_tell(t->run, message, GS_MSG_MAP, size);
	}
	t->p->exchange.unanswered++;
	return status;
}

/* The same, and wait for the answer. */
gs_status
gs_table_send_map(gs_table_run *t, bool final, gs_msg_pages *answer)
{
	gs_status	status = gs_table_tell_map(t, final, false);

	if (status == GS_OK)
		status = gs_report_opened(t->run);
	if (status == GS_OK)
		status = receive_verified(t);
	return status == GS_OK ? gs_report_receive(t->run, answer) : status;
}

/* So many map pages fit in a slot. */
uint32
gs_table_maps_max(void)
{
	return Max(1, gs_session_link.slot_size / gs_map_size(GS_MAP_BLOCKS));
}

/* Ask which pages of some map pages need not be read. */
gs_status
gs_table_ask_usable(gs_table_run *t, uint32 first, uint32 count,
					uint64 *usable)
{
	gs_msg_map	message = {.first = first, .count = count};
	gs_msg_pages answer;
	gs_status	status = gs_report_ask(t->run, &message, GS_MSG_USABLE,
									   sizeof(message), &answer);

	if (status != GS_OK)
		return status;
	memcpy(usable, t->p->slot[0], count * GS_MAP_WORDS * sizeof(uint64));
	status = gs_exchange_copied(&t->p->exchange);
	return status == GS_OK ? GS_OK : gs_report_fail(t->run, status);
}

/* Most reports list no pages, and the list is long. */
static void
make_list(gs_table_run *t)
{
	if (t->list == NULL)
		t->list = palloc(GS_MAP_BLOCKS * sizeof(BlockNumber));
}

/* List the pages whose bits are set, of a map page, into t->list. */
int
gs_table_list(gs_table_run *t, uint32 number, const uint64 *bits)
{
	BlockNumber first = number * (BlockNumber) GS_MAP_BLOCKS;
	int			n = 0;

	make_list(t);
	for (int i = 0; i < GS_MAP_WORDS; i++)
	{
		for (uint64 word = bits[i]; word != 0; word &= word - 1)
			t->list[n++] = first + 64 * i + pg_rightmost_one_pos64(word);
	}
	return n;
}

/* ----------
 * Verifying
 * ----------
 */

typedef struct verification
{
	gs_listed_page *page;		/* LSNS_MAX of them */
	uint64	   *same;			/* a bit for each of the table's pages */
	int		   *looked;			/* at so many of each map page's */
	int			same_here;		/* of the current map page's */
} verification;

/*
 * List pages to be verified, from *first on, in v->page and t->list.  *first becomes
 * where there may be more, or the table's end.
 */
static gs_status
list_pages(gs_table_run *t, verification *v, BlockNumber *first, int *n)
{
	gs_msg_lsns message = {.first = *first};
	gs_exchange *x = &t->p->exchange;
	gs_msg_pages answer;
	gs_status	status;

	message.count = Min(LSNS_MAX,
						gs_session_link.slot_size / sizeof(gs_listed_page));
	status = gs_report_ask(t->run, &message, GS_MSG_LSNS, sizeof(message),
						   &answer);
	if (status != GS_OK)
		return status;
	if (answer.verify < 0 || answer.verify > message.count)
		return gs_report_fail(t->run, gs_exchange_violated(x));
	*n = (int) answer.verify;
	memcpy(v->page, t->p->slot[0], *n * sizeof(gs_listed_page));
	make_list(t);
	status = gs_exchange_copied(x);
	for (int i = 0; i < *n && status == GS_OK; i++)
	{
		t->list[i] = v->page[i].block;
		if (t->list[i] < *first || t->list[i] >= t->blocks)
			status = gs_exchange_violated(x);
		*first = t->list[i] + 1;
	}
	if (*n < (int) message.count)
		*first = t->blocks;
	return status == GS_OK ? GS_OK : gs_report_fail(t->run, status);
}

/* Find out which of the n pages listed have the LSN that they had. */
static void
compare_lsns(gs_table_run *t, verification *v, int n)
{
	for (int i = 0; i < n; i++)
	{
		uint32		map = t->list[i] / GS_MAP_BLOCKS;
		BlockNumber at = t->list[i] % GS_MAP_BLOCKS;
		int			looked = v->looked[map]++;

		CHECK_FOR_INTERRUPTS();
		if (looked == 0)
			v->same_here = 0;
		if (looked >= VERIFY_SAMPLE && v->same_here < VERIFY_SAMPLE / 2)
			continue;
		gs_pages_prefetch(&t->prefetch, t->list, n, i);
		if (gs_page_lsn(t->scan, t->list[i]) != v->page[i].lsn)
			continue;
		v->same[map * GS_MAP_WORDS + at / 64] |= UINT64CONST(1) << (at % 64);
		v->same_here++;
		t->run->stats.verified_pages++;
		if (v->same_here % PROGRESS_PAGES == 0)
			gs_progress_done(t->run->stats.verified_pages);
	}
}

/*
 * Tell the service, of those map pages of which it has listed any.  The last answer
 * is waited for when MAP has been sent, too.
 */
static gs_status
tell_verified(gs_table_run *t, const verification *v)
{
	uint32		per_slot = gs_table_maps_max();
	gs_status	status = GS_OK;

	for (uint32 m = 0; m < t->map_pages && status == GS_OK; m++)
	{
		gs_msg_map	message = {.first = m};

		while (message.count < per_slot && m + message.count < t->map_pages &&
			   v->looked[m + message.count] > 0)
			message.count++;
		if (message.count == 0)
			continue;
		status = receive_verified(t);
		if (status != GS_OK)
			break;
		memcpy(t->p->slot[0], v->same + m * GS_MAP_WORDS,
			   message.count * GS_MAP_WORDS * sizeof(uint64));
		status = gs_report_send(t->run, &message, GS_MSG_VERIFIED,
								sizeof(message));
		t->verified = true;
		m += message.count - 1;
	}
	return status;
}

/* Verify pages, so many, that the service would use then. */
static gs_status
verify(gs_table_run *t, int64 pages)
{
	size_t		bits = t->map_pages * GS_MAP_WORDS * sizeof(uint64);
	verification v = {
		.page = palloc(LSNS_MAX * sizeof(gs_listed_page)),
		.same = palloc_extended(bits, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
		.looked = palloc0(t->map_pages * sizeof(int))
	};
	BlockNumber first = 0;
	gs_status	status;
	int			n = 0;

	gs_progress_phase(GS_PHASE_VERIFYING, pages);

	do
	{
		status = list_pages(t, &v, &first, &n);
		if (status == GS_OK)
			compare_lsns(t, &v, n);
	} while (status == GS_OK && first < t->blocks);
	if (status == GS_OK)
		status = tell_verified(t, &v);
	pfree(v.page);
	pfree(v.same);
	pfree(v.looked);
	return status;
}

/* What is held is used. */
void
gs_table_add_held(gs_table_run *t, const gs_msg_pages *answer)
{
	gs_report_stats *stats = &t->run->stats;

	stats->held_rows += answer->rows;
	stats->held_pages += answer->usable;
	stats->masked_rows += answer->masked;
}

/* Let the service decide which pages need not be read. */
gs_status
gs_table_decide(gs_table_run *t, int64 *usable)
{
	gs_msg_pages answer;
	gs_status	status = gs_batch_drain(t->run);	/* of another table */

	for (int round = 0; status == GS_OK; round++)
	{
		bool		final = round == VERIFY_ROUNDS;

		t->wal_end = gs_table_copy_map(t->relation, t->blocks, t->maps);
		status = gs_table_send_map(t, false, &answer);
		if (status == GS_OK && answer.verify > 0)
		{
			status = verify(t, answer.verify);
			if (status == GS_OK)
				status = gs_table_send_map(t, final, &answer);
		}
		if (status == GS_OK && (answer.verify == 0 || final))
			break;
	}
	if (status != GS_OK)
		return status;
	gs_table_add_held(t, &answer);
	*usable = answer.usable;
	return GS_OK;
}
