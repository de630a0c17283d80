/*-------------------------------------------------------------------------
 *
 * kernels.h
 *	  Operations over arrays in device memory.
 *
 * The operations fall into families, which differ in what they carry from one
 * batch of an array to the next and in what they return; each file of kernels
 * defines one or two.  A family is a table of functions, and an execution of
 * gs_op over an array of n elements is
 *
 *		state = device memory of state_size(op, n) bytes
 *		scratch = device memory of scratch_size(op, largest batch) bytes
 *		start(op, n, state, stream)
 *		batch(op, in, out, state, scratch, stream)	once a batch, in order
 *		arrange(op, n, present, state, stream)		orders, moving frames
 *		copy the first report_size(op) bytes of state to the host
 *		complete(op, n, present, report, state, stream)	moving frames
 *		result(op, report, &result)
 *		fetch(op, n, present, ...)				orders, moving frames; repeatedly
 *		column(op, n, column, state)			segments; repeatedly
 *
 * If one batch is the whole array, gs_done may request the fallback: the
 * caller then runs fallback over the same batch, and uses only its results.
 *
 * All functions but complete and result only enqueue work: none synchronises,
 * and none allocates.  Each returns the first error of its calls and launches.
 * The batches of one execution must run one after the other, so one scratch
 * serves them all; its content need not survive from one call to the next.
 *
 * engine_cuda.cu implements engine.h's interface on top of this one;
 * bench/kernels times it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_KERNELS_H
#define GS_KERNELS_H

#include <cuda_runtime_api.h>

#include "engine/engine.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* The largest batch, in elements: 32 bits count them. */
#define GS_BATCH_MAX	(INT64_C(1) << 30)

/* State, scratch, values and bitmaps in device memory are aligned to this. */
#define GS_DEVICE_ALIGN	256

/*
 * A part of an array in device memory, packed as in engine.h.  Both pointers
 * are aligned to GS_DEVICE_ALIGN, and kernels may read the memory up to the
 * next multiple of 16 bytes.  Of a gs_is_placement() it may be the whole array
 * (gs_data_elements, gs_mask_elements).
 */
typedef struct gs_device_span
{
	const void *values;
	const uint8_t *validity;	/* NULL: all present */
	int64_t		present;
} gs_device_span;

/*
 * One batch.  Every batch but the last has a multiple of GS_BATCH_ALIGN
 * elements.
 */
typedef struct gs_device_input
{
	int64_t		first;			/* index in the array of the first element */
	int64_t		n;				/* elements, 1 to GS_BATCH_MAX */
	int64_t		all;			/* elements of the whole array, which
								 * identifies the last batch */
	int64_t		before;			/* values of the data in earlier batches */
	gs_device_span data;
	gs_device_span mask;
	gs_device_span third;
} gs_device_input;

/* A gs_answer has so many bits. */
#define GS_ANSWER_BITS	4

/* What a batch's kernels report. */
typedef struct gs_done
{
	int64_t		n;				/* results, NULLs among them */
	int64_t		present;		/* values written, packed */
	int64_t		overflow;		/* position in the array, from 1, of the first
								 * result out of range; 0: none, as before a
								 * batch; GS_TAKE, engine/interpolate.h: not 0:
								 * the batch has none of its results */
	uint64_t	value_error;	/* GS_ARITHMETIC, elements.h: the first value that
								 * is not there, ~(its place among the values
								 * << GS_ANSWER_BITS | gs_answer); 0: none, as
								 * before a batch */
	int64_t		fallback;		/* discard the above and the results, and call
								 * fallback(); 0 before a batch, set only by
								 * one that is the whole array */
	int64_t		undecided;		/* results that the kernels did not find, which
								 * are in gs_device_output.undecided; 0 before a
								 * batch */
} gs_done;

/*
 * A result that the host has to find: one of elements.h from an element, or a
 * pair; or one of GS_INTERPOLATE from what gs_line_between takes, in its order.
 * There are at most so many in a batch.
 */
#define GS_UNDECIDED_MAX	2048
#define GS_UNDECIDED_VALUES	5

typedef struct gs_undecided
{
	gs_value	value[GS_UNDECIDED_VALUES];
	int64_t		place;			/* of the result, among the values written */
} gs_undecided;

/*
 * Where a batch's output goes: device memory, aligned as above, for
 * gs_device_input.n results, rounded up to 16 bytes, and as many bits, rounded
 * up to 128.  The bitmap is written if results can be NULL (gs_gives_null).
 * done and undecided, of GS_UNDECIDED_MAX, may be host memory that the device can
 * write.  Reductions and histograms have no output: out is NULL.
 */
typedef struct gs_device_output
{
	void	   *values;
	uint8_t    *validity;
	gs_done    *done;
	gs_undecided *undecided;
} gs_device_output;

/*
 * The kernels of a family of operations, or of a part of one.  All but name
 * and batch may be NULL: nothing to do, and no memory where it is a size.
 */
typedef struct gs_kernels
{
	const char *name;
	size_t		(*state_size) (const gs_op *op, int64_t n);
	size_t		(*report_size) (const gs_op *op);
	size_t		(*scratch_size) (const gs_op *op, int64_t batch);
	cudaError_t (*start) (const gs_op *op, int64_t n, void *state,
						  cudaStream_t stream);
	cudaError_t (*batch) (const gs_op *op, const gs_device_input *in,
						  const gs_device_output *out, void *state,
						  void *scratch, cudaStream_t stream);

	/*
	 * As batch, by a slower way that always works, where batch may request it.
	 */
	cudaError_t (*fallback) (const gs_op *op, const gs_device_input *in,
						  const gs_device_output *out, void *state,
						  void *scratch, cudaStream_t stream);

	/*
	 * On the host.  Sets what operations.h promises; n, and present as the
	 * number of the array's values, are set already.
	 */
	void		(*result) (const gs_op *op, const void *report,
						   gs_result *result);

	/*
	 * Of orders and moving frames.  `present` of n elements are not NULL.
	 * fetch copies `count` results, from `first` on, to device memory.
	 */
	cudaError_t (*arrange) (const gs_op *op, int64_t n, int64_t present,
							void *state, cudaStream_t stream);
	cudaError_t (*fetch) (const gs_op *op, int64_t n, int64_t present,
						 gs_column column, int64_t first, int64_t count,
						 void *state, void *to, cudaStream_t stream);

	/*
	 * Of segments, GS_EWMA, GS_MOVING_CORR and GS_MOVING_PERCENTILE: where all
	 * results of a column lie, once the last batch has been executed; or NULL:
	 * fetch copies them.
	 */
	const void *(*column) (const gs_op *op, int64_t n, gs_column column,
						   void *state);

	/*
	 * On the host, once the report is there, which it may change: do what the
	 * report says the device could not.
	 */
	cudaError_t (*complete) (const gs_op *op, int64_t n, int64_t present,
							 void *report, void *state, cudaStream_t stream);
} gs_kernels;

/* 0 where a family has no such memory. */
static inline size_t
gs_kernels_state_size(const gs_kernels *kernels, const gs_op *op, int64_t n)
{
	return kernels->state_size == NULL ? 0 : kernels->state_size(op, n);
}

static inline size_t
gs_kernels_report_size(const gs_kernels *kernels, const gs_op *op)
{
	return kernels->report_size == NULL ? 0 : kernels->report_size(op);
}

static inline size_t
gs_kernels_scratch_size(const gs_kernels *kernels, const gs_op *op,
						int64_t batch)
{
	return kernels->scratch_size == NULL ? 0 :
		kernels->scratch_size(op, batch);
}

extern const gs_kernels gs_reduce_kernels;	/* reduce.cu */
extern const gs_kernels gs_product_kernels;	/* product.cu: GS_PRODUCT */
extern const gs_kernels gs_dot_kernels;	/* dot.cu: GS_DOT */
extern const gs_kernels gs_area_kernels;	/* area.cu: GS_AREA */
extern const gs_kernels gs_scan_kernels;	/* scan.cu */
extern const gs_kernels gs_product_scan_kernels;	/* product.cu */
extern const gs_kernels gs_histogram_kernels; /* histogram.cu */
extern const gs_kernels gs_search_kernels;	/* search.cu */
extern const gs_kernels gs_arithmetic_kernels;	/* arithmetic.cu */
extern const gs_kernels gs_place_kernels;	/* place.cu: gs_is_placement */
extern const gs_kernels gs_interpolate_kernels; /* map/interpolate.cu: GS_ASOF,
											 * GS_INTERPOLATE */
extern const gs_kernels gs_compare_kernels;	/* compare.cu: GS_BETWEEN, GS_CLIP,
											 * GS_COMPARE, GS_CHOOSE, logic */
extern const gs_kernels gs_elementary_kernels;	/* elementary.cu */
extern const gs_kernels gs_change_kernels;	/* change.cu: GS_PCT_CHANGE */
extern const gs_kernels gs_diff_kernels;	/* diff.cu: GS_DIFF */
extern const gs_kernels gs_compact_kernels;	/* compact.cu */
extern const gs_kernels gs_order_kernels;	/* order.cu */
extern const gs_kernels gs_segment_kernels;	/* segment.cu */
extern const gs_kernels gs_transpose_kernels;	/* transpose.cu */
extern const gs_kernels gs_moving_kernels;	/* moving.cu */
extern const gs_kernels gs_moving_pairs_kernels;	/* moving_pairs.cu */
extern const gs_kernels gs_moving_percentile_kernels;	/* moving_percentile.cu:
														 * GS_MOVING_PERCENTILE */
extern const gs_kernels gs_ewma_kernels;	/* ewma.cu: GS_EWMA */

/* The kernels of an operation, as operations.h has them (engine_cuda.cu). */
extern const gs_kernels *gs_kernels_of(const gs_op *op);

#ifdef __cplusplus
}
#endif

#endif							/* GS_KERNELS_H */
