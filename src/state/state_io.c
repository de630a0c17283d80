/*-------------------------------------------------------------------------
 *
 * state_io.c
 *	  Text and binary forms of the types gpu_state and gpu_stats.
 *
 * Both are lossless.  The text form is the name of the kind and the sums
 * that are not zero, in this order:
 *
 *		stats count=3 nan=1 inf=1 -inf=1 -0=1 min=-1.5 max=NaN sum=-0x3p-1
 *			squares=0x9p-2
 *		pairs count=2 not-finite-y=1 x=0x3p0 xx=0x5p0 y=0x1p0 yy=0x1p0 xy=0x1p1
 *
 * A sum is an odd integer in hexadecimal times a power of two, so each number
 * has only one form.  Input is not trusted: it is refused unless some elements
 * could have these sums (state_check.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/shortest_dec.h"
#include "libpq/pqformat.h"

#include "state/state_parts.h"

static const char *const kind_name[] = {
	[GS_STATE_INTEGERS] = "integers",
	[GS_STATE_INTEGER_MOMENTS] = "integer-moments",
	[GS_STATE_REALS] = "reals",
	[GS_STATE_MOMENTS] = "moments",
	[GS_STATE_STATS] = "stats",
	[GS_STATE_PAIRS] = "pairs"
};

static const char *const special_name[GS_SPECIALS] = {
	[GS_SPECIAL_NAN] = "nan",
	[GS_SPECIAL_POSITIVE_INF] = "inf",
	[GS_SPECIAL_NEGATIVE_INF] = "-inf",
	[GS_SPECIAL_NEGATIVE_ZERO] = "-0"
};

static const char *const pair_special_name[GS_PAIR_SPECIALS] = {
	[GS_SPECIAL_X] = "not-finite-x",
	[GS_SPECIAL_Y] = "not-finite-y"
};

static const char *const extreme_name[] = {"min", "max"};
static const char *const window_name[GS_WINDOWS] = {"sum", "squares"};

static const char *const pair_window_name[GS_PAIR_WINDOWS] = {
	[GS_SUM_WINDOW] = "x",
	[GS_SQUARES_WINDOW] = "xx",
	[GS_SUM_Y_WINDOW] = "y",
	[GS_SQUARES_Y_WINDOW] = "yy",
	[GS_PRODUCTS_WINDOW] = "xy"
};

static const char *const *
special_names(gs_state_kind kind)
{
	return kind == GS_STATE_PAIRS ? pair_special_name : special_name;
}

static const char *const *
window_names(gs_state_kind kind)
{
	return kind == GS_STATE_PAIRS ? pair_window_name : window_name;
}

/* The exponent of the lowest bit of a sum's limb 0. */
static int
lowest_of(gs_state_kind kind, int w)
{
	return gs_state_is_integer(kind) ? 0 : window_lowest(w);
}

/* Four bits of a sum, starting at bit `at`. */
static int
four_bits(const gs_canonical_sum *f, int at)
{
	uint64_t	bits = f->word[at / 32];

	if (at / 32 + 1 < f->words)
		bits |= (uint64_t) f->word[at / 32 + 1] << 32;
	return bits >> (at % 32) & 15;
}

static void
put_sum(StringInfo to, const gs_canonical_sum *f, int lowest)
{
	int			first = __builtin_ctz(f->word[0]);
	int			end = 32 * f->words - __builtin_clz(f->word[f->words - 1]);

	appendStringInfoString(to, f->negative ? "-0x" : "0x");
	for (int i = (end - first - 1) / 4; i >= 0; i--)
		appendStringInfoChar(to,
							 "0123456789abcdef"[four_bits(f, first + 4 * i)]);
	appendStringInfo(to, "p%d", lowest + 32 * f->first + first);
}

/*
 * The canonical form of a state that is to be written.  Input must accept whatever is
 * written, so a state from which an element was removed that it never had is
 * an error.  Nothing is removed from a GS_STATE_STATS.
 */
static void
canonical_to_write(const gs_state *s, gs_canonical *f)
{
	gs_state_get_canonical(s, f);
	if (s->kind != GS_STATE_STATS && gs_canonical_invalid(f) != NULL)
		gs_state_not_there();
}

static char *
to_text(const gs_state *s)
{
	gs_canonical f;
	StringInfoData to;

	canonical_to_write(s, &f);
	initStringInfo(&to);
	appendStringInfoString(&to, kind_name[f.kind]);
	if (f.n != 0)
		appendStringInfo(&to, " count=" INT64_FORMAT, f.n);
	for (int i = 0; i < special_count(f.kind); i++)
	{
		if (f.special[i] != 0)
			appendStringInfo(&to, " %s=" INT64_FORMAT,
							 special_names(f.kind)[i], f.special[i]);
	}
	for (int i = 0; f.kind == GS_STATE_STATS && f.n > 0 && i < 2; i++)
	{
		char		number[DOUBLE_SHORTEST_DECIMAL_LEN];

		double_to_shortest_decimal_buf(f.extreme[i], number);
		appendStringInfo(&to, " %s=%s", extreme_name[i], number);
	}
	for (int w = 0; w < window_count(f.kind); w++)
	{
		if (f.window[w].words > 0)
		{
			appendStringInfo(&to, " %s=", window_names(f.kind)[w]);
			put_sum(&to, &f.window[w], lowest_of(f.kind, w));
		}
	}
	return to.data;
}

/* Skip " name=" if it comes next. */
static bool
parse_name(const char **at, const char *name)
{
	int			length = strlen(name);

	if ((*at)[0] != ' ' || strncmp(*at + 1, name, length) != 0 ||
		(*at)[1 + length] != '=')
		return false;
	*at += length + 2;
	return true;
}

/* Parse a decimal count; false if there is none. */
static bool
parse_count(const char **at, int64_t *count)
{
	uint64_t	value = 0;
	const char *first = *at;

	for (; **at >= '0' && **at <= '9'; (*at)++)
	{
		if (*at - first > 18)	/* 19 digits may be too many */
			return false;
		value = 10 * value + (**at - '0');
	}
	*count = (int64_t) value;
	return *at > first;
}

static bool
parse_double(const char **at, double *value)
{
	char	   *end;

	if (!strchr("+-.0123456789IN", **at) || **at == '\0')
		return false;
	*value = strtod(*at, &end);
	if (end == *at)
		return false;
	*at = end;
	if (*value != *value)
		*value = gs_canonical_nan();
	return true;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Remove leading and trailing zero words. */
static void
trim_sum(gs_canonical_sum *f)
{
	int			zeros = 0;

	while (f->words > 0 && f->word[f->words - 1] == 0)
		f->words--;
	while (zeros < f->words && f->word[zeros] == 0)
		zeros++;
	f->words -= zeros;
	memmove(f->word, f->word + zeros, sizeof(uint32_t) * f->words);
	f->first = f->words == 0 ? 0 : f->first + zeros;
	f->negative = f->words > 0 && f->negative;
}

/* Parse a sum as put_sum writes it; false if malformed or out of range. */
static bool
parse_sum(const char **at, int lowest, gs_canonical_sum *f)
{
	const int	bits = 32 * lengthof(f->word);
	const char *digits;
	int			n = 0;
	long		exponent;
	char	   *end;

	f->negative = **at == '-';
	*at += f->negative;
	if (strncmp(*at, "0x", 2) != 0)
		return false;
	digits = *at + 2;
	while (n <= bits / 4 && hex_digit(digits[n]) >= 0)
		n++;
	if (n == 0 || digits[n] != 'p' || !strchr("-0123456789", digits[n + 1]))
		return false;
	errno = 0;
	exponent = strtol(digits + n + 1, &end, 10);
	if (end == digits + n + 1 || errno != 0 || exponent < lowest ||
		exponent > (long) lowest + bits - 4 * n)
		return false;
	*at = end;

	f->first = 0;
	f->words = lengthof(f->word);
	memset(f->word, 0, sizeof f->word);
	for (int i = 0; i < n; i++)
	{
		int			position = exponent - lowest + 4 * i;
		uint64_t	digit = (uint64_t) hex_digit(digits[n - 1 - i]) <<
			(position % 32);

		f->word[position / 32] |= (uint32_t) digit;
		if (digit >> 32 != 0 && position / 32 + 1 < (int) lengthof(f->word))
			f->word[position / 32 + 1] |= (uint32_t) (digit >> 32);
	}
	trim_sum(f);
	return true;
}

static bool
parse_canonical(const char *at, gs_canonical *f)
{
	memset(f, 0, sizeof *f);
	for (int i = GS_STATE_INTEGERS; i < (int) lengthof(kind_name); i++)
	{
		int			length = strlen(kind_name[i]);

		if (strncmp(at, kind_name[i], length) == 0 &&
			(at[length] == ' ' || at[length] == '\0'))
		{
			f->kind = i;
			at += length;
			break;
		}
	}
	if (f->kind == 0)
		return false;
	if (parse_name(&at, "count") && !parse_count(&at, &f->n))
		return false;
	for (int i = 0; i < special_count(f->kind); i++)
	{
		if (!gs_state_is_integer(f->kind) &&
			parse_name(&at, special_names(f->kind)[i]) &&
			!parse_count(&at, &f->special[i]))
			return false;
	}
	for (int i = 0; f->kind == GS_STATE_STATS && i < 2; i++)
	{
		if (parse_name(&at, extreme_name[i]) &&
			!parse_double(&at, &f->extreme[i]))
			return false;
	}
	for (int w = 0; w < window_count(f->kind); w++)
	{
		if (parse_name(&at, window_names(f->kind)[w]) &&
			!parse_sum(&at, lowest_of(f->kind, w), &f->window[w]))
			return false;
	}
	return *at == '\0';
}

static bool
kind_is_valid(gs_state_kind kind, bool stats)
{
	return stats ? kind == GS_STATE_STATS :
		kind >= GS_STATE_INTEGERS && kind < lengthof(kind_name) &&
		kind != GS_STATE_STATS;
}

static gs_state *
from_text(const char *text, bool stats)
{
	gs_canonical f;
	const char *reason = NULL;

	if (!parse_canonical(text, &f) || !kind_is_valid(f.kind, stats) ||
		(reason = gs_canonical_invalid(&f)) != NULL)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				errmsg("invalid input syntax for type %s: \"%s\"",
					   stats ? "gpu_stats" : "gpu_state", text),
				reason == NULL ? 0 : errdetail_internal("%s", reason));
	return gs_state_from_canonical(&f);
}

/*
 * Binary form: kind, count, counts of special elements, extremes, and for each
 * sum its sign, first limb, number of words, and words.
 */
static bytea *
to_binary(const gs_state *s)
{
	gs_canonical f;
	StringInfoData to;

	canonical_to_write(s, &f);
	pq_begintypsend(&to);
	pq_sendbyte(&to, f.kind);
	pq_sendint64(&to, f.n);
	for (int i = 0; i < GS_SPECIALS; i++)
		pq_sendint64(&to, f.special[i]);
	for (int i = 0; i < 2; i++)
		pq_sendfloat8(&to, f.extreme[i]);
	for (int w = 0; w < window_count(f.kind); w++)
	{
		pq_sendbyte(&to, f.window[w].negative);
		pq_sendint16(&to, f.window[w].first);
		pq_sendint16(&to, f.window[w].words);
		for (int i = 0; i < f.window[w].words; i++)
			pq_sendint32(&to, f.window[w].word[i]);
	}
	return pq_endtypsend(&to);
}

/* Receive a sum; returns what is wrong if to_binary cannot have written it. */
static const char *
receive_sum(StringInfo from, gs_canonical_sum *f, int limit)
{
	int			negative = pq_getmsgbyte(from);
	gs_canonical_sum	trimmed;

	f->first = pq_getmsgint(from, 2);
	f->words = pq_getmsgint(from, 2);
	if (negative > 1 || f->first + f->words > limit)
		return "A sum is out of range.";
	f->negative = negative;
	for (int i = 0; i < f->words; i++)
		f->word[i] = pq_getmsgint(from, 4);
	trimmed = *f;
	trim_sum(&trimmed);
	if (trimmed.first != f->first || trimmed.words != f->words ||
		trimmed.negative != f->negative)
		return "A sum has leading or trailing zeros.";
	return NULL;
}

static gs_state *
from_binary(StringInfo from, bool stats)
{
	gs_canonical f;
	const char *reason = NULL;

	memset(&f, 0, sizeof f);
	f.kind = pq_getmsgbyte(from);
	f.n = pq_getmsgint64(from);
	for (int i = 0; i < GS_SPECIALS; i++)
		f.special[i] = pq_getmsgint64(from);
	for (int i = 0; i < 2; i++)
	{
		f.extreme[i] = pq_getmsgfloat8(from);
		if (f.extreme[i] != f.extreme[i])
			f.extreme[i] = gs_canonical_nan();
	}
	if (!kind_is_valid(f.kind, stats))
		reason = "The kind of state is unknown.";
	for (int w = 0; reason == NULL && w < window_count(f.kind); w++)
		reason = receive_sum(from, &f.window[w],
								gs_state_is_integer(f.kind) ? 6 :
								window_limit(w));
	if (reason == NULL)
		reason = gs_canonical_invalid(&f);
	if (reason != NULL)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				errmsg("invalid binary representation of type %s",
					   stats ? "gpu_stats" : "gpu_state"),
				errdetail_internal("%s", reason));
	return gs_state_from_canonical(&f);
}

#define STATE_IO(type, stats) \
PG_FUNCTION_INFO_V1(type##_in); \
Datum \
type##_in(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_POINTER(from_text(PG_GETARG_CSTRING(0), stats)); \
} \
\
PG_FUNCTION_INFO_V1(type##_recv); \
Datum \
type##_recv(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_POINTER(from_binary((StringInfo) PG_GETARG_POINTER(0), stats)); \
} \

STATE_IO(gpu_state, false)
STATE_IO(gpu_stats, true)

PG_FUNCTION_INFO_V1(gpu_state_out);
PG_FUNCTION_INFO_V1(gpu_state_send);

/* For both types. */
Datum
gpu_state_out(PG_FUNCTION_ARGS)
{
	gs_state   *s = (gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(0));

	PG_RETURN_CSTRING(to_text(s));
}

Datum
gpu_state_send(PG_FUNCTION_ARGS)
{
	gs_state   *s = (gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(0));

	PG_RETURN_BYTEA_P(to_binary(s));
}
