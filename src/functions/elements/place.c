/*-------------------------------------------------------------------------
 *
 * place.c
 *	  SQL functions that put elements in other places.
 *
 * Places are counted from 1, in storage order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/decimal.h"
#include "functions/elements/spread.h"

/* An argument. */
typedef struct elements
{
	gs_call		call;
	gs_spread	at;
} elements;

static void
open_elements(elements *a, const char *function, Datum array)
{
	gs_call_open_elements(&a->call, function, array);
	gs_spread_open(&a->at, &a->call.data);
}

static void
close_elements(elements *a)
{
	gs_spread_close(&a->at);
	gs_call_close_elements(&a->call);
}

/* Elements that are put at a time. */
#define PIECE	8192

/* Append n elements from a place, counted from 0, on. */
static void
put_range(gs_builder *builder, const elements *a, int64 first, int64 n)
{
	uint8		validity[PIECE / 8];

	for (int64 i = first; i < first + n; i += PIECE)
	{
		int64		m = Min(PIECE, first + n - i);
		gs_output	out = {.n = m, .present = m, .validity = validity};
		char	   *to = out.values = gs_builder_reserve(builder, m);

		CHECK_FOR_INTERRUPTS();
		if (a->at.bitmap == NULL)
			memcpy(to, a->at.values + i * a->at.width, m * a->at.width);
		else
		{
			memset(validity, 0, sizeof validity);
			for (int64 k = 0; k < m; k++)
			{
				bool		present = gs_spread_has(&a->at, i + k);

				memcpy(to, a->at.values + (i + k) * a->at.width, a->at.width);
				to += present ? a->at.width : 0;
				validity[k / 8] |= present << (k % 8);
			}
			out.present = (to - (char *) out.values) / a->at.width;
		}
		gs_builder_commit(builder, &out);
	}
}

PG_FUNCTION_INFO_V1(gpu_slice);

/* gpu_slice(arr, first, last); a NULL bound is none */
Datum
gpu_slice(PG_FUNCTION_ARGS)
{
	elements	a;
	gs_builder	builder;
	int64		first = 1;
	int64		last;
	int64		n;

	if (gs_takes_decimals(fcinfo))
		return gs_move_decimals(fcinfo, gpu_slice);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	open_elements(&a, "gpu_slice", PG_GETARG_DATUM(0));
	last = a.call.data.n;
	if (!PG_ARGISNULL(1))
		first = Max(PG_GETARG_INT32(1), 1);
	if (!PG_ARGISNULL(2))
		last = Min(PG_GETARG_INT32(2), last);
	n = Max(last - first + 1, 0);
	gs_builder_open(&builder, a.call.data.elemtype, n, NULL,
					a.at.bitmap != NULL ? n : 0);
	put_range(&builder, &a, first - 1, n);
	close_elements(&a);
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_concat);

/* An array that is NULL is as one without elements, as || has it. */
Datum
gpu_concat(PG_FUNCTION_ARGS)
{
	elements	part[2];
	gs_builder	builder;
	int			parts = 0;
	int64		n = 0;
	bool		nulls = false;

	if (gs_takes_decimals(fcinfo))
		return gs_move_decimals(fcinfo, gpu_concat);
	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	for (int i = 0; i < 2; i++)
	{
		elements   *p = &part[parts];

		if (PG_ARGISNULL(i))
			continue;
		open_elements(p, "gpu_concat", PG_GETARG_DATUM(i));
		n += p->call.data.n;
		nulls = nulls || p->at.bitmap != NULL;
		parts++;
	}
	if (parts == 0)
		PG_RETURN_NULL();
	gs_builder_open(&builder, part[0].call.data.elemtype, n, NULL, nulls ? n : 0);
	for (int i = 0; i < parts; i++)
	{
		put_range(&builder, &part[i], 0, part[i].call.data.n);
		close_elements(&part[i]);
	}
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_shift);

/* gpu_shift(arr, by): each element `by` places later, NULLs where there is none */
Datum
gpu_shift(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_builder	builder;
	int32		by = PG_GETARG_INT32(1);

	if (gs_takes_decimals(fcinfo))
		return gs_move_decimals(fcinfo, gpu_shift);
	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open(&call, "gpu_shift", GS_SHIFT, PG_GETARG_DATUM(0));
	call.op.shift.places = by;
	call.builder = &builder;
	gs_builder_open(&builder, call.data.elemtype, call.data.n, call.data.flat,
					by != 0 || call.data.nulls ? call.data.n : 0);
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_reverse);

/* gpu_reverse(arr) */
Datum
gpu_reverse(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_builder	builder;

	if (gs_takes_decimals(fcinfo))
		return gs_move_decimals(fcinfo, gpu_reverse);
	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open(&call, "gpu_reverse", GS_REVERSE, PG_GETARG_DATUM(0));
	call.builder = &builder;
	gs_builder_open(&builder, call.data.elemtype, call.data.n, call.data.flat,
					call.data.nulls ? call.data.n : 0);
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

/*
 * The elements at places i to end - 1 or, where there is none, the last one
 * before.  `from` is where the elements from i on begin; returns where those
 * from `end` on do.
 */
static pg_attribute_always_inline const char *
carry_forward(char *to, const char *from, const uint8 *bitmap, int64 i,
			  int64 end, int width)
{
	for (; i < end; i++)
	{
		from += ((bitmap[i / 8] >> (i % 8)) & 1) * width;
		memcpy(to, from - width, width);
		to += width;
	}
	return from;
}

static const char *
carry_forward_by_width(char *to, const char *from, const uint8 *bitmap,
					   int64 i, int64 end, int width)
{
	switch (width)
	{
		case 1:
			return carry_forward(to, from, bitmap, i, end, 1);
		case 2:
			return carry_forward(to, from, bitmap, i, end, 2);
		case 4:
			return carry_forward(to, from, bitmap, i, end, 4);
		default:
			return carry_forward(to, from, bitmap, i, end, 8);
	}
}

static int64
count_leading_nulls(const gs_array *a)
{
	int64		n = 0;

	while (a->bitmap != NULL && n < a->n &&
		   !(a->bitmap[n / 8] & (1 << (n % 8))))
	{
		if (n++ % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return n;
}

PG_FUNCTION_INFO_V1(gpu_locf);

/* Last observation carried forward: a NULL becomes the element before it. */
Datum
gpu_locf(PG_FUNCTION_ARGS)
{
	gs_call		call;
	const gs_array *a = &call.data;
	gs_builder	builder;
	const char *from;
	int64		nulls;
	int			width;

	if (gs_takes_decimals(fcinfo))
		return gs_move_decimals(fcinfo, gpu_locf);
	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open_elements(&call, "gpu_locf", PG_GETARG_DATUM(0));
	width = gs_type_width(a->type);
	from = a->values;
	nulls = count_leading_nulls(a);
	gs_builder_open(&builder, a->elemtype, a->n, a->flat, nulls > 0 ? a->n : 0);
	gs_builder_append_nulls(&builder, nulls);
	for (int64 i = nulls; i < a->n; i += PIECE)
	{
		int64		m = Min(PIECE, a->n - i);
		gs_output	out = {.n = m, .present = m};

		CHECK_FOR_INTERRUPTS();
		out.values = gs_builder_reserve(&builder, m);
		if (a->bitmap == NULL)
			memcpy(out.values, from + i * width, m * width);
		else
			from = carry_forward_by_width(out.values, from, a->bitmap, i,
										  i + m, width);
		gs_builder_commit(&builder, &out);
	}
	gs_call_close_elements(&call);
	return gs_builder_close(&builder);
}
