/*-------------------------------------------------------------------------
 *
 * frames.c
 *	  The frames of a partition's places: where they start and end.
 *
 * Neither end goes back as places go on, so each place of a partition is passed
 * once.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

/* Where one end of the frames is, as places of a partition go on. */
typedef struct frame_edge
{
	const gs_frame_end *end;
	bool		last;			/* it is the frames' end, not their start */
	int64_t		place;			/* so far */
	int64_t		group;			/* GS_FRAME_GROUPS: that begins there */
	int64_t		peers;			/* of the row: their number */
} frame_edge;

typedef struct window_frames
{
	window_run *r;
	int64_t		first;			/* the partition */
	int64_t		end;
	int64_t		values;			/* its rows that are not NULL in a range */
	int64_t		values_end;
	frame_edge	edge[2];
} window_frames;

/* NULLs come first or last; the others ascend. */
static void
find_values(window_frames *f)
{
	const uint8_t *null = f->r->range_null;

	f->values = f->first;
	f->values_end = f->end;
	while (f->values < f->end && null[f->values])
		f->values++;
	while (f->values_end > f->values && null[f->values_end - 1])
		f->values_end--;
}

static void
open_frames(window_frames *f, window_run *r, int64_t first, int64_t end)
{
	f->r = r;
	f->first = first;
	f->end = end;
	for (int last = 0; last < 2; last++)
	{
		frame_edge *edge = &f->edge[last];

		edge->end = last ? &r->f->end : &r->f->start;
		edge->last = last;
		edge->place = first;
		edge->group = 0;
		edge->peers = -1;
	}
	if (r->f->mode == GS_FRAME_RANGE && r->range != NULL)
		find_values(f);
}

/* Of rows: so many rows on. */
static void
find_rows(const window_frames *f, const frame_edge *edge, int64_t at, int n,
		  uint32_t *to)
{
	int64_t		rows = f->end - f->first;
	int64_t		shift = 0;

	if (edge->end->bound != GS_BOUND_CURRENT)
		shift = edge->end->offset < rows ? edge->end->offset : rows;
	if (edge->end->bound == GS_BOUND_PRECEDING)
		shift = -shift;
	shift += edge->last;
	for (int i = 0; i < n; i++)
	{
		int64_t		place = at + i + shift;

		place = place < f->first ? f->first : place;
		to[i] = (uint32_t) (place > f->end ? f->end : place);
	}
}

/* With the row's peers. */
static void
find_peers(const window_frames *f, frame_edge *edge, int64_t at, int n,
		   uint32_t *to)
{
	for (int64_t i = at; i < at + n; i++)
	{
		if (f->r->order.head[i] & HEAD_PEERS)
			edge->place = edge->last ? window_next_peers(f->r, i, f->end) : i;
		to[i - at] = (uint32_t) edge->place;
	}
}

/* So many groups of peers on. */
static void
find_groups(const window_frames *f, frame_edge *edge, int64_t at, int n,
			uint32_t *to)
{
	int64_t		rows = f->end - f->first;
	int64_t		shift = edge->end->offset < rows ? edge->end->offset : rows;

	if (edge->end->bound == GS_BOUND_PRECEDING)
		shift = -shift;
	shift += edge->last;
	for (int64_t i = at; i < at + n; i++)
	{
		edge->peers += f->r->order.head[i] & HEAD_PEERS;
		while (edge->group < edge->peers + shift && edge->place < f->end)
		{
			edge->place = window_next_peers(f->r, edge->place, f->end);
			edge->group++;
		}
		to[i - at] = (uint32_t) edge->place;
	}
}

/* Among the values, the first place that is not before the target's. */
static int64_t
find_value(const window_frames *f, const frame_edge *edge, int64_t target)
{
	const int64_t *range = f->r->range;
	int64_t		place = edge->place;

	if (place < f->values)
		place = f->values;
	if (edge->last)
	{
		while (place < f->values_end && range[place] <= target)
			place++;
	}
	else
	{
		while (place < f->values_end && range[place] < target)
			place++;
	}
	return place;
}

/* At a distance of a value. */
static int64_t
find_distant(const window_frames *f, const frame_edge *edge, int64_t value)
{
	int64_t		target = value;

	switch (gs_window_find_target(&f->r->values, edge->end, value, &target))
	{
		case GS_TARGET_VALUE:
			return find_value(f, edge, target);
		case GS_TARGET_BEFORE:
			return f->values;
		case GS_TARGET_BEHIND:
			return f->values_end;
		case GS_TARGET_ERROR:
			f->r->errors |= GS_ERROR_RANGE;
			break;
		case GS_TARGET_PEERS:
			break;
	}
	return find_value(f, edge, value);
}

/* A NULL has its peers. */
static void
find_distances(const window_frames *f, frame_edge *edge, int64_t at, int n,
			   uint32_t *to)
{
	for (int64_t i = at; i < at + n; i++)
	{
		if (i < f->values)
			edge->place = edge->last ? f->values : f->first;
		else if (i >= f->values_end)
			edge->place = edge->last ? f->end : f->values_end;
		else
			edge->place = find_distant(f, edge, f->r->range[i]);
		to[i - at] = (uint32_t) edge->place;
	}
}

static void
find_edge(const window_frames *f, frame_edge *edge, int64_t at, int n,
		  uint32_t *to)
{
	if (edge->end->bound == GS_BOUND_UNBOUNDED)
	{
		for (int i = 0; i < n; i++)
			to[i] = (uint32_t) (edge->last ? f->end : f->first);
	}
	else if (f->r->f->mode == GS_FRAME_ROWS)
		find_rows(f, edge, at, n, to);
	else if (edge->end->bound == GS_BOUND_CURRENT)
		find_peers(f, edge, at, n, to);
	else if (f->r->f->mode == GS_FRAME_GROUPS)
		find_groups(f, edge, at, n, to);
	else
		find_distances(f, edge, at, n, to);
}

void
cpu_window_frames(window_run *r, int64_t first, int64_t end, window_step step,
				  void *state)
{
	window_frames f;
	uint32_t	starts[WINDOWS_BLOCK];
	uint32_t	ends[WINDOWS_BLOCK];
	int			n;

	open_frames(&f, r, first, end);
	for (int64_t at = first; at < end; at += n)
	{
		n = end - at < WINDOWS_BLOCK ? (int) (end - at) : WINDOWS_BLOCK;
		find_edge(&f, &f.edge[0], at, n, starts);
		find_edge(&f, &f.edge[1], at, n, ends);
		step(r, state, at, n, starts, ends);
	}
}
