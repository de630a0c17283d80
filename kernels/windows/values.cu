/*-------------------------------------------------------------------------
 *
 * values.cu
 *	  Functions that give the argument of another row.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/frames.cuh"

/* Of values of so many bytes, whatever they are. */
template <typename T> struct shifted
{
	typedef T	result;
	const T    *argument;
	const uint8_t *validity;
	int64_t		offset;			/* within 2^31 */
	bool		has_default;
	T			by_default;

	__device__ T
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		int64_t		place = (int64_t) i + offset;
		uint32_t	row;

		if (place < partition_first(p, i) || place >= partition_end(p, i))
		{
			*valid = has_default;
			return by_default;
		}
		row = row_of(p, (uint32_t) place);
		*valid = bit_of(validity, row);
		return argument[row];
	}
};

template <typename T> struct taken
{
	typedef T	result;
	const T    *argument;
	const uint8_t *validity;
	windows_frames frames;
	uint8_t		kind;
	int64_t		offset;

	__device__ T
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	from;
		uint32_t	to;
		uint32_t	row;

		frame_of(p, frames, i, &from, &to);
		*valid = false;
		if (from == to || (kind == GS_WINDOW_NTH && offset > to - from))
			return 0;
		row = row_of(p, kind == GS_WINDOW_FIRST ? from :
					 kind == GS_WINDOW_LAST ? to - 1 :
					 from + (uint32_t) (offset - 1));
		*valid = bit_of(validity, row);
		return argument[row];
	}
};

template <typename T>
static cudaError_t
shift(windows_call *c)
{
	const int64_t far = INT32_MAX;
	const gs_window_function *f = c->f;
	shifted<T>	s = {(const T *) c->argument, c->present.validity, f->offset,
	f->has_default != 0, 0};

	s.offset = s.offset > far ? far : s.offset < -far ? -far : s.offset;
	if (f->has_default && c->type == GS_BOOL)
		s.by_default = f->by_default.i2 != 0;
	else if (f->has_default)
		memcpy(&s.by_default, &f->by_default, sizeof s.by_default);
	return windows_compute(c, s);
}

template <typename T>
static cudaError_t
take(windows_call *c)
{
	const taken<T> t = {(const T *) c->argument, c->present.validity,
		windows_frames_of(c), c->f->kind, c->f->offset};

	return windows_compute(c, t);
}

#define BY_WIDTH(function) \
	switch (gs_type_width(c->type)) \
	{ \
		case 1: \
			return function<uint8_t>(c); \
		case 2: \
			return function<uint16_t>(c); \
		case 4: \
			return function<uint32_t>(c); \
		default: \
			return function<uint64_t>(c); \
	}

cudaError_t
windows_shift(windows_call *c)
{
	BY_WIDTH(shift)
}

cudaError_t
windows_value(windows_call *c)
{
	BY_WIDTH(take)
}
