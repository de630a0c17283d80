/*-------------------------------------------------------------------------
 *
 * ranks.c
 *	  Functions of a row's place in its partition.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

static void
number(window_run *r, int64_t first, int64_t end)
{
	int64_t    *result = r->result;

	for (int64_t i = first; i < end; i++)
		result[i] = i - first + 1;
}

static void
rank(window_run *r, int64_t first, int64_t end)
{
	int64_t    *result = r->result;
	int64_t		place = 1;

	for (int64_t i = first; i < end; i++)
	{
		place = r->order.head[i] & HEAD_PEERS ? i - first + 1 : place;
		result[i] = place;
	}
}

static void
dense_rank(window_run *r, int64_t first, int64_t end)
{
	int64_t    *result = r->result;
	int64_t		peers = 0;

	for (int64_t i = first; i < end; i++)
	{
		peers += r->order.head[i] & HEAD_PEERS;
		result[i] = peers;
	}
}

static void
percent_rank(window_run *r, int64_t first, int64_t end)
{
	double	   *result = r->result;
	double		others = (double) (end - first - 1);
	double		share = 0;

	for (int64_t i = first; i < end; i++)
	{
		if (i > first && r->order.head[i] & HEAD_PEERS)
			share = (double) (i - first) / others;
		result[i] = share;
	}
}

static void
cume_dist(window_run *r, int64_t first, int64_t end)
{
	double	   *result = r->result;
	double		rows = (double) (end - first);

	for (int64_t i = first; i < end;)
	{
		int64_t		next = window_next_peers(r, i, end);
		double		share = (double) (next - first) / rows;

		for (; i < next; i++)
			result[i] = share;
	}
}

/* The first buckets have a row more than the others. */
static void
ntile(window_run *r, int64_t first, int64_t end)
{
	int32_t    *result = r->result;
	int64_t		rows = (end - first) / r->f->offset;
	int64_t		more = (end - first) % r->f->offset;
	int32_t		bucket = 1;

	for (int64_t i = first; i < end; bucket++)
	{
		int64_t		next = i + rows + (bucket <= more);

		for (; i < next; i++)
			result[i] = bucket;
	}
}

void
cpu_window_ranks(window_run *r, void *state, int64_t first, int64_t end)
{
	(void) state;
	switch (r->f->kind)
	{
		case GS_WINDOW_ROW_NUMBER:
			number(r, first, end);
			break;
		case GS_WINDOW_RANK:
			rank(r, first, end);
			break;
		case GS_WINDOW_DENSE_RANK:
			dense_rank(r, first, end);
			break;
		case GS_WINDOW_PERCENT_RANK:
			percent_rank(r, first, end);
			break;
		case GS_WINDOW_CUME_DIST:
			cume_dist(r, first, end);
			break;
		default:
			ntile(r, first, end);
			break;
	}
}
