/*-------------------------------------------------------------------------
 *
 * plot.c
 *	  A histogram as text.
 *
 * One row for each bar: the label, its bounds or its number, and the count,
 * both right-aligned, and the bar itself.  If database and client use UTF8,
 * bars are made of block characters with a resolution of an eighth of a
 * character, otherwise of #:
 *
 *		1 | 120 | ███
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "array/array.h"
#include "call/call.h"
#include "functions/histogram/bucket.h"

#define MAX_WIDTH		1000

/* State between rows. */
typedef struct plot_state
{
	const int64 *counts;
	int64		max_count;		/* at least 1 */
	char	  **labels;			/* NULL: the numbers of the buckets */
	int			width;			/* of the longest bar */
	int			label_width;
	int			count_width;
} plot_state;

/* The columns that a string takes on a terminal. */
static int
display_width(const char *string)
{
	int			width = 0;

	for (; *string != '\0'; string += pg_mblen(string))
		width += Max(pg_dsplen(string), 0);
	return width;
}

static void
append_right(StringInfo row, const char *string, int width)
{
	appendStringInfoSpaces(row, width - display_width(string));
	appendStringInfoString(row, string);
}

/* A bar for count, scaled so that the maximum has the full width. */
static void
append_bar(StringInfo row, const plot_state *plot, int64 count)
{
	bool		blocks = GetDatabaseEncoding() == PG_UTF8 &&
		pg_get_client_encoding() == PG_UTF8;
	int			parts = blocks ? 8 : 1; /* of a character */
	int			length;

	length = (int) ((double) count / plot->max_count * plot->width * parts +
					0.5);
	/* every count above 0 is visible */
	if (count > 0)
		length = Max(length, 1);
	for (int i = 0; i < length / parts; i++)
		appendStringInfoString(row, blocks ? "\xe2\x96\x88" : "#");
	/* U+258F is one eighth, U+2589 seven eighths */
	if (length % parts != 0)
		appendStringInfo(row, "\xe2\x96%c", (char) (0x90 - length % parts));
}

static text *
plot_row(const plot_state *plot, int64 i)
{
	StringInfoData row;
	char		number[32];

	initStringInfo(&row);
	if (plot->labels != NULL)
		append_right(&row, plot->labels[i], plot->label_width);
	else
	{
		snprintf(number, sizeof(number), INT64_FORMAT, i + 1);
		append_right(&row, number, plot->label_width);
	}
	snprintf(number, sizeof(number), INT64_FORMAT, plot->counts[i]);
	appendStringInfoString(&row, " | ");
	append_right(&row, number, plot->count_width);
	appendStringInfoString(&row, " | ");
	append_bar(&row, plot, plot->counts[i]);
	return cstring_to_text_with_len(row.data, row.len);
}

/* Read the labels and find their width.  A NULL is an empty label. */
static void
get_labels(plot_state *plot, ArrayType *labels, int64 n)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;

	deconstruct_array(labels, TEXTOID, -1, false, TYPALIGN_INT, &values,
					  &nulls, &count);
	if (count != n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("the number of labels must equal the number of counts"),
				errdetail("There are %d labels and %lld counts.", count,
						  (long long) n));
	plot->labels = palloc(n * sizeof(char *));
	for (int64 i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		plot->labels[i] = nulls[i] ? "" : TextDatumGetCString(values[i]);
		plot->label_width = Max(plot->label_width,
								display_width(plot->labels[i]));
	}
}

/* Digits that tell a thousandth of a bar, of n of equal width. */
static int
digits_between(double low, double high, int64 n)
{
	double		largest = Max(fabs(low), fabs(high));
	double		digits = 4 + log10(largest / fabs(high / n - low / n));

	return (int) Min(Max(digits, 4), DBL_DIG);
}

/*
 * Label each bar with its bounds, the second one exclusive: either those of
 * all bars, which have equal width, or one more than there are bars.
 */
static void
make_labels(plot_state *plot, ArrayType *array, int64 n)
{
	gs_array	bounds;
	const double *bound;
	bool		wide;
	int			digits = DBL_DIG;

	gs_array_open(&bounds, PointerGetDatum(array));
	bound = (const double *) bounds.values;
	wide = bounds.n == 2 && n != 1;
	if (gs_array_present(&bounds) < bounds.n)
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("bounds must not contain nulls"));
	if (!wide && bounds.n != n + 1)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("there must be two bounds, or one more than counts"),
				errdetail("There are %lld bounds and %lld counts.",
						  (long long) bounds.n, (long long) n));
	if (wide && n > 0)
	{
		gs_check_buckets(bound[0], bound[1], (int32) n);
		digits = digits_between(bound[0], bound[1], n);
	}
	/* one bar's two bounds may as well be low and high, reversed */
	else if (n > 1 || (n == 1 && !(bound[0] > bound[1])))
		gs_check_edges(bound, bounds.n);
	plot->labels = palloc(n * sizeof(char *));
	for (int64 i = 0; i < n; i++)
	{
		double		part = (double) i / n;
		double		next = (double) (i + 1) / n;

		CHECK_FOR_INTERRUPTS();
		plot->labels[i] =
			psprintf("[%.*g, %.*g)",
					 digits, wide ? bound[0] * (1 - part) + bound[1] * part :
					 bound[i],
					 digits, wide ? bound[0] * (1 - next) + bound[1] * next :
					 bound[i + 1]);
		plot->label_width = Max(plot->label_width,
								(int) strlen(plot->labels[i]));
	}
	gs_array_close(&bounds);
}

static void
get_counts(plot_state *plot, gs_array *counts)
{
	int64	   *copy = palloc(counts->n * sizeof(int64));

	if (gs_array_present(counts) < counts->n)
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("counts must not contain nulls"));
	memcpy(copy, counts->values, counts->n * sizeof(int64));
	plot->max_count = 1;
	for (int64 i = 0; i < counts->n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (copy[i] < 0)
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("counts must not be negative, but count %lld is %lld",
						   (long long) i + 1, (long long) copy[i]));
		plot->max_count = Max(plot->max_count, copy[i]);
	}
	plot->counts = copy;
	plot->count_width = snprintf(NULL, 0, INT64_FORMAT, plot->max_count);
}

/* Check the arguments; returns the number of rows. */
static int64
plot_open(FunctionCallInfo fcinfo, plot_state *plot)
{
	gs_array	counts;

	if (PG_ARGISNULL(0))
		return 0;
	gs_require_option(fcinfo, 1, "width");
	plot->width = PG_GETARG_INT32(1);
	if (plot->width < 1 || plot->width > MAX_WIDTH)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("width must be between 1 and %d, but is %d", MAX_WIDTH,
					   plot->width));
	gs_array_open(&counts, PG_GETARG_DATUM(0));
	get_counts(plot, &counts);
	if (!PG_ARGISNULL(2) && !PG_ARGISNULL(3))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("labels and bounds cannot both be given"));
	if (!PG_ARGISNULL(3))
		make_labels(plot, PG_GETARG_ARRAYTYPE_P(3), counts.n);
	else if (!PG_ARGISNULL(2))
		get_labels(plot, PG_GETARG_ARRAYTYPE_P(2), counts.n);
	else
		plot->label_width = snprintf(NULL, 0, INT64_FORMAT, counts.n);
	return counts.n;
}

PG_FUNCTION_INFO_V1(gpuscan_plot);

Datum
gpuscan_plot(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	plot_state *plot;
	text	   *row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		plot = palloc0(sizeof(plot_state));
		context->max_calls = plot_open(fcinfo, plot);
		context->user_fctx = plot;
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	plot = context->user_fctx;
	if (context->call_cntr >= context->max_calls)
		SRF_RETURN_DONE(context);
	row = plot_row(plot, context->call_cntr);
	SRF_RETURN_NEXT(context, PointerGetDatum(row));
}
