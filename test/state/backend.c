/*-------------------------------------------------------------------------
 *
 * backend.c
 *	  The few functions of a backend that states need: memory, errors, messages.
 *
 * Every palloc is a malloc, so that AddressSanitizer sees its bounds.  An
 * error is a longjmp.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "common/hashfn.h"
#include "common/shortest_dec.h"
#include "libpq/pqformat.h"

#include "backend.h"
#include "call/call.h"
#include "call/decimal.h"
#include "call/numeric.h"

/* use the C library's, since PostgreSQL's port library is not linked */
#undef fprintf
#undef snprintf
#undef vsnprintf
#undef sprintf

jmp_buf		on_error;
int			error_code;
int			agg_context;

static void **allocated;
static int	allocations;
static int	capacity;

static void *
remember(void *p)
{
	if (allocations == capacity)
	{
		capacity = 2 * capacity + 64;
		allocated = realloc(allocated, capacity * sizeof(void *));
	}
	if (p == NULL || allocated == NULL)
		abort();
	return allocated[allocations++] = p;
}

void
free_all(void)
{
	while (allocations > 0)
		free(allocated[--allocations]);
}

void *
palloc(Size size)
{
	return remember(malloc(size));
}

void *
palloc0(Size size)
{
	return remember(calloc(1, size));
}

/* Where p is remembered. */
static void **
find(void *p)
{
	for (int i = allocations - 1; i >= 0; i--)
	{
		if (allocated[i] == p)
			return &allocated[i];
	}
	abort();
}

void *
repalloc(void *p, Size size)
{
	void	  **place = find(p);

	*place = realloc(p, size);
	if (*place == NULL)
		abort();
	return *place;
}

void
pfree(void *p)
{
	void	  **place = find(p);

	*place = NULL;
	free(p);
}

void
initStringInfo(StringInfo str)
{
	str->maxlen = 64;
	str->data = palloc(str->maxlen);
	str->data[0] = '\0';
	str->len = str->cursor = 0;
}

void
enlargeStringInfo(StringInfo str, int needed)
{
	while (str->maxlen <= str->len + needed)
	{
		str->maxlen *= 2;
		str->data = repalloc(str->data, str->maxlen);
	}
}

void
appendStringInfoString(StringInfo str, const char *s)
{
	enlargeStringInfo(str, strlen(s));
	strcpy(str->data + str->len, s);
	str->len += strlen(s);
}

void
appendStringInfoChar(StringInfo str, char ch)
{
	char		s[] = {ch, '\0'};

	appendStringInfoString(str, s);
}

void
appendStringInfo(StringInfo str, const char *fmt,...)
{
	char		s[256];
	va_list		args;

	va_start(args, fmt);
	if (vsnprintf(s, sizeof s, fmt, args) >= (int) sizeof s)
		abort();
	va_end(args);
	appendStringInfoString(str, s);
}

/* Enough digits to read back the same number. */
int
double_to_shortest_decimal_buf(double f, char *result)
{
	if (isinf(f) || f != f)
		return sprintf(result, f != f ? "NaN" :
					   f > 0 ? "Infinity" : "-Infinity");
	return snprintf(result, DOUBLE_SHORTEST_DECIMAL_LEN, "%.17g", f);
}

bool
errstart(int elevel, const char *domain)
{
	error_code = 0;
	return true;
}

#if PG_VERSION_NUM >= 140000
bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}
#endif

int
errcode(int sqlerrcode)
{
	error_code = sqlerrcode;
	return 0;
}

int
errmsg(const char *fmt,...)
{
	return 0;
}

int
errdetail(const char *fmt,...)
{
	return 0;
}

int
errdetail_internal(const char *fmt,...)
{
	return 0;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	longjmp(on_error, 1);
}

/* Called by code of servers that are built with assertions. */
#if PG_VERSION_NUM >= 160000
void
ExceptionalCondition(const char *condition, const char *file, int line)
#else
void
ExceptionalCondition(const char *condition, const char *type,
					 const char *file, int line)
#endif
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
	abort();
}

int
AggCheckCallContext(FunctionCallInfo fcinfo, MemoryContext *aggcontext)
{
	return agg_context;
}

struct varlena *
pg_detoast_datum(struct varlena *datum)
{
	return datum;
}

/* The next n bytes of a message; an error if there are fewer. */
static const char *
next_bytes(StringInfo msg, int n)
{
	const char *bytes = msg->data + msg->cursor;

	if (n > msg->len - msg->cursor)
		ereport(ERROR,
				errcode(ERRCODE_PROTOCOL_VIOLATION),
				errmsg("insufficient data left in message"));
	msg->cursor += n;
	return bytes;
}

int
pq_getmsgbyte(StringInfo msg)
{
	return (unsigned char) *next_bytes(msg, 1);
}

int64
pq_getmsgint64(StringInfo msg)
{
	const char *bytes = next_bytes(msg, sizeof(int64));
	uint64		value = 0;

	for (int i = 0; i < 8; i++)
		value = value << 8 | (unsigned char) bytes[i];
	return (int64) value;
}

unsigned int
pq_getmsgint(StringInfo msg, int b)
{
	const char *bytes = next_bytes(msg, b);
	unsigned int value = 0;

	for (int i = 0; i < b; i++)
		value = value << 8 | (unsigned char) bytes[i];
	return value;
}

float8
pq_getmsgfloat8(StringInfo msg)
{
	int64		bits = pq_getmsgint64(msg);
	float8		value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

void
pq_sendfloat8(StringInfo buf, float8 f)
{
	int64		bits;

	memcpy(&bits, &f, sizeof bits);
	pq_sendint64(buf, bits);
}

void
pq_begintypsend(StringInfo buf)
{
	initStringInfo(buf);
	pq_sendint32(buf, 0);		/* for the length */
}

bytea *
pq_endtypsend(StringInfo buf)
{
	bytea	   *result = (bytea *) buf->data;

	SET_VARSIZE(result, buf->len);
	return result;
}

uint64
hash_bytes_extended(const unsigned char *k, int keylen, uint64 seed)
{
	for (int i = 0; i < keylen; i++)
		seed = (seed ^ k[i]) * UINT64_C(0x100000001b3);
	return seed;
}

/*
 * Functions with numeric results, and those that make calls, are not tested.
 */

Datum
gs_decimal_make(const uint64 *words, int n, int scale)
{
	return (Datum) 0;
}

Datum
gs_numeric_mean(Datum sum, int64_t count)
{
	return (Datum) 0;
}

Datum
gs_numeric_spread(Datum sum, Datum squares, int64_t n, gs_figure f)
{
	return (Datum) 0;
}

Datum
gs_numeric_binary(const uint32_t *words, int n, bool negative, int exponent)
{
	return (Datum) 0;
}

Datum
float8_numeric(PG_FUNCTION_ARGS)
{
	return (Datum) 0;
}

Datum
numeric_round(PG_FUNCTION_ARGS)
{
	return (Datum) 0;
}

Datum
DirectFunctionCall2Coll(PGFunction func, Oid collation, Datum arg1, Datum arg2)
{
	return func(NULL);
}

Datum
DirectFunctionCall1Coll(PGFunction func, Oid collation, Datum arg1)
{
	return func(NULL);
}

void
gs_float_overflow(void)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("value out of range: overflow"));
	pg_unreachable();
}

void
gs_call_reduce(gs_call *call, const char *function, gs_kind kind, Datum array)
{
	abort();
}
