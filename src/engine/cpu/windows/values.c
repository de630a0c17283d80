/*-------------------------------------------------------------------------
 *
 * values.c
 *	  Functions that give the argument of another row.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

/* The argument at a place is the result at another one. */
static void
copy(window_run *r, int64_t from, int64_t to, int64_t n)
{
	size_t		width = (size_t) gs_type_width(r->type);

	memcpy((char *) r->result + (size_t) to * width,
		   (const char *) r->argument + (size_t) from * width,
		   (size_t) n * width);
	if (r->present != NULL)
		memcpy(r->valid + to, r->present + from, (size_t) n);
	else
		memset(r->valid + to, 1, (size_t) n);
}

static void
put_default(window_run *r, int64_t at)
{
	const gs_window_function *f = r->f;
	size_t		width = (size_t) gs_type_width(r->type);
	gs_value	value = {.i8 = 0};
	uint8_t		flag = f->by_default.i2 != 0;
	void	   *to = (char *) r->result + (size_t) at * width;

	r->valid[at] = f->has_default;
	if (f->has_default)
		value = f->by_default;
	if (r->type == GS_BOOL)
		memcpy(to, &flag, width);
	else
		memcpy(to, &value, width);
}

void
cpu_window_shift(window_run *r, void *state, int64_t first, int64_t end)
{
	int64_t		rows = end - first;
	int64_t		offset = r->f->offset;
	int64_t		start;
	int64_t		stop;

	(void) state;
	offset = offset > rows ? rows : offset < -rows ? -rows : offset;
	start = offset < 0 ? first - offset : first;
	stop = offset > 0 ? end - offset : end;
	for (int64_t i = first; i < start; i++)
		put_default(r, i);
	if (start < stop)
		copy(r, start + offset, start, stop - start);
	for (int64_t i = stop; i < end; i++)
		put_default(r, i);
}

static inline int64_t
place_of(const gs_window_function *f, int64_t start, int64_t end)
{
	if (f->kind == GS_WINDOW_FIRST)
		return start;
	if (f->kind == GS_WINDOW_LAST)
		return end - 1;
	return f->offset <= end - start ? start + f->offset - 1 : end;
}

static inline __attribute__((always_inline)) void
take(window_run *r, int width, int64_t at, int n, const uint32_t *start,
	 const uint32_t *end)
{
	const uint8_t *argument = r->argument;
	uint8_t    *result = r->result;

	for (int i = 0; i < n; i++)
	{
		int64_t		place = place_of(r->f, start[i], end[i]);
		bool		there = start[i] < end[i] && place < end[i];

		r->valid[at + i] = there && window_is_present(r, place);
		if (there)
			memcpy(result + (at + i) * width, argument + place * width,
				   (size_t) width);
		else
			memset(result + (at + i) * width, 0, (size_t) width);
	}
}

static void
take_block(window_run *r, void *state, int64_t at, int n,
		   const uint32_t *start, const uint32_t *end)
{
	(void) state;
	switch (gs_type_width(r->type))
	{
		case 1:
			take(r, 1, at, n, start, end);
			break;
		case 2:
			take(r, 2, at, n, start, end);
			break;
		case 4:
			take(r, 4, at, n, start, end);
			break;
		default:
			take(r, 8, at, n, start, end);
			break;
	}
}

void
cpu_window_value(window_run *r, void *state, int64_t first, int64_t end)
{
	cpu_window_frames(r, first, end, take_block, state);
}
