/*-------------------------------------------------------------------------
 *
 * frames.cuh
 *	  Frames: where each place's starts and ends.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_FRAMES_CUH
#define GS_WINDOWS_FRAMES_CUH

#include "kernels/windows/places.cuh"

/*
 * The frames of a function.  `range` has ascending integers of the places of a
 * partition, but for its first or last ones, which are NULL.
 */
typedef struct windows_frames
{
	uint8_t		mode;			/* gs_frame_mode */
	gs_frame_end start;
	gs_frame_end end;
	const int64_t *range;		/* NULL: frames are no distances */
	const uint8_t *range_validity;	/* bits of rows; NULL: none is NULL */
	gs_window_range values;
	windows_report *report;
} windows_frames;

static inline windows_frames
windows_frames_of(const windows_call *c)
{
	windows_frames f = {c->f->mode, c->f->start, c->f->end, c->range,
	c->range_validity, c->values, c->run->report};

	return f;
}

/* Of an end: where, from place i of the partition first to end - 1. */
__device__ static inline uint32_t
find_rows(const gs_frame_end &edge, bool last, uint32_t i, uint32_t first,
		  uint32_t end)
{
	int64_t		rows = (int64_t) end - first;
	int64_t		shift = 0;
	int64_t		place;

	if (edge.bound != GS_BOUND_CURRENT)
		shift = edge.offset < rows ? edge.offset : rows;
	if (edge.bound == GS_BOUND_PRECEDING)
		shift = -shift;
	place = (int64_t) i + shift + last;
	place = place < first ? first : place;
	return (uint32_t) (place > end ? end : place);
}

__device__ static inline uint32_t
find_groups(const windows_places &p, const gs_frame_end &edge, bool last,
			uint32_t i, uint32_t first, uint32_t end)
{
	int64_t		rows = (int64_t) end - first;
	int64_t		shift = edge.offset < rows ? edge.offset : rows;
	int64_t		lowest = p.peers[first];
	int64_t		group;

	if (edge.bound == GS_BOUND_PRECEDING)
		shift = -shift;
	group = (int64_t) p.peers[i] + shift + last;
	if (group <= lowest)
		return first;
	if (group > p.peers[end - 1])
		return end;
	return p.peers_start[group - 1];
}

/* Where NULLs are not: from *first to *end - 1. */
__device__ static inline void
find_values(const windows_places &p, const windows_frames &f, uint32_t *first,
			uint32_t *end)
{
	if (f.range_validity == NULL)
		return;
	if (!bit_of(f.range_validity, row_of(p, *first)))
		*first = peers_end(p, *first);
	if (*first < *end && !bit_of(f.range_validity, row_of(p, *end - 1)))
		*end = peers_first(p, *end - 1);
}

/* The first place that is not before the target's, or, if last, behind it. */
__device__ static inline uint32_t
find_value(const int64_t *range, int64_t target, bool last, uint32_t first,
		   uint32_t end)
{
	while (first < end)
	{
		uint32_t	middle = first + (end - first) / 2;
		int64_t		x = range[middle];

		if (last ? x <= target : x < target)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/*
 * The same, where the values at `near` is on the way: steps that double lead to
 * what is near.
 */
__device__ static inline uint32_t
find_value_near(const int64_t *range, int64_t target, bool last,
				uint32_t near, bool back, uint32_t first, uint32_t end)
{
	uint32_t	step = 1;

	if (back)
	{
		/* from `to` on, none is before */
		uint32_t	to = near;

		while (to - first > step &&
			   !(last ? range[to - step] <= target :
				 range[to - step] < target))
		{
			to -= step;
			step *= 2;
		}
		return find_value(range, target, last,
						  to - first > step ? to - step + 1 : first, to);
	}
	while (end - near > step && (last ? range[near + step] <= target :
								 range[near + step] < target))
	{
		near += step;
		step *= 2;
	}
	return find_value(range, target, last, near,
					  end - near > step ? near + step : end);
}

/* A NULL has its peers. */
__device__ static inline uint32_t
find_distant(const windows_places &p, const windows_frames &f,
			 const gs_frame_end &edge, bool last, uint32_t i, uint32_t first,
			 uint32_t end)
{
	uint32_t	values = first;
	uint32_t	values_end = end;
	int64_t		x;
	int64_t		target;

	find_values(p, f, &values, &values_end);
	if (i < values)
		return last ? values : first;
	if (i >= values_end)
		return last ? end : values_end;
	x = f.range[i];
	switch (gs_window_find_target(&f.values, &edge, x, &target))
	{
		case GS_TARGET_VALUE:
			break;
		case GS_TARGET_BEFORE:
			return values;
		case GS_TARGET_BEHIND:
			return values_end;
		case GS_TARGET_ERROR:
			windows_error(f.report, GS_ERROR_RANGE);
			/* FALLTHROUGH */
		default:
			return last ? peers_end(p, i) : peers_first(p, i);
	}
	if (edge.bound == GS_BOUND_PRECEDING)
		return find_value_near(f.range, target, last,
							   last ? peers_end(p, i) : i, true, values,
							   values_end);
	return find_value_near(f.range, target, last,
						   last ? i : peers_first(p, i), false, values,
						   values_end);
}

__device__ static inline uint32_t
find_edge(const windows_places &p, const windows_frames &f, bool last,
		  uint32_t i, uint32_t first, uint32_t end)
{
	const gs_frame_end &edge = last ? f.end : f.start;

	if (edge.bound == GS_BOUND_UNBOUNDED)
		return last ? end : first;
	if (f.mode == GS_FRAME_ROWS)
		return find_rows(edge, last, i, first, end);
	if (edge.bound == GS_BOUND_CURRENT)
		return last ? peers_end(p, i) : peers_first(p, i);
	if (f.mode == GS_FRAME_GROUPS)
		return find_groups(p, edge, last, i, first, end);
	return find_distant(p, f, edge, last, i, first, end);
}

/* Place i's frame is from *from to *to - 1; it is empty if they are the same. */
__device__ static inline void
frame_of(const windows_places &p, const windows_frames &f, uint32_t i,
		 uint32_t *from, uint32_t *to)
{
	uint32_t	first = partition_first(p, i);
	uint32_t	end = partition_end(p, i);

	*from = find_edge(p, f, false, i, first, end);
	*to = find_edge(p, f, true, i, first, end);
	if (*to < *from)
		*to = *from;
}

/* How many of a frame's places are present, and not only there. */
__device__ static inline uint32_t
count_of(const uint32_t *counts, uint32_t from, uint32_t to)
{
	return counts == NULL ? to - from : counts[to] - counts[from];
}

#endif							/* GS_WINDOWS_FRAMES_CUH */
