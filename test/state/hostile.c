/*-------------------------------------------------------------------------
 *
 * hostile.c
 *	  Text and bytes that are no state, or just about one.
 *
 * States of random numbers are written as text and in binary, what is written
 * is changed at random, and read.  It must be refused, with the error that
 * belongs to it, or be a state like any other: what is written of it again
 * reads as the same, and it can be added to, merged and calculated with.  That
 * nothing else happens meanwhile is for the sanitizers to say.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "lib/stringinfo.h"

#include "backend.h"
#include "state/state.h"

#undef printf

#define SEEDS		40
#define MUTATIONS	30000

extern Datum gpu_state_in(PG_FUNCTION_ARGS);
extern Datum gpu_stats_in(PG_FUNCTION_ARGS);
extern Datum gpu_state_recv(PG_FUNCTION_ARGS);
extern Datum gpu_stats_recv(PG_FUNCTION_ARGS);
extern Datum gpu_state_out(PG_FUNCTION_ARGS);
extern Datum gpu_state_send(PG_FUNCTION_ARGS);

/* Bytes with their length; what is written, or is to be read. */
typedef struct piece
{
	int			length;
	char		bytes[16384];
} piece;

typedef enum outcome
{
	REFUSED,
	ACCEPTED,
	WRONG,
	OUTCOMES
} outcome;

static const char *const kind_names[] = {"", "integers", "integer-moments",
"reals", "moments", "stats", "pairs"};

static uint64 random_state;
static int	passed;
static int	failed;

/* SplitMix64 */
static uint64
random_bits(void)
{
	uint64		z = random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int
random_below(int bound)
{
	return (int) (random_bits() % bound);
}

/* Of any magnitude or not finite, or ordinary. */
static double
random_double(void)
{
	if (random_below(4) == 0)
		return gs_bits_double(random_bits());
	return (random_below(2001) - 1000) / 8.0;
}

static gs_state *
add_random(gs_state *s)
{
	if (gs_state_is_integer(s->kind))
		return gs_state_add_integer(s, (int64) random_bits() >>
									random_below(63));
	if (s->kind == GS_STATE_PAIRS)
		return gs_state_add_pair(s, random_double(), random_double());
	return gs_state_add_double(s, random_double());
}

static Datum
call(PGFunction function, Datum argument)
{
	LOCAL_FCINFO(fcinfo, 1);

	InitFunctionCallInfoData(*fcinfo, NULL, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = argument;
	fcinfo->args[0].isnull = false;
	return function(fcinfo);
}

static void
write_state(const gs_state *s, bool binary, piece *to)
{
	Datum		written = call(binary ? gpu_state_send : gpu_state_out,
							   PointerGetDatum(s));
	const char *from = DatumGetPointer(written);

	to->length = binary ? VARSIZE(from) - VARHDRSZ : strlen(from);
	if (to->length >= sizeof to->bytes)
		abort();
	memcpy(to->bytes, binary ? VARDATA(from) : from, to->length);
}

/* Read it from memory of just its size. */
static gs_state *
read_state(const piece *from, bool binary, bool stats)
{
	char	   *bytes = palloc(from->length + !binary);
	StringInfoData message = {bytes, from->length, from->length, 0};

	memcpy(bytes, from->bytes, from->length);
	if (binary)
		return (gs_state *) DatumGetPointer(call(stats ? gpu_stats_recv :
												 gpu_state_recv,
												 PointerGetDatum(&message)));
	bytes[from->length] = '\0';
	return (gs_state *) DatumGetPointer(call(stats ? gpu_stats_in :
											 gpu_state_in,
											 CStringGetDatum(bytes)));
}

/* Calculate with it; false if a result is none that numbers have. */
static bool
use_state(gs_state *s)
{
	gs_limbs_room room[GS_PAIR_WINDOWS];
	gs_figures	figures;
	double		result = 0;
	float		result4;

	s = add_random(s);
	s = gs_state_merge(s, s);
	gs_state_get_figures(s, &figures);
	if (gs_state_is_integer(s->kind))
		return true;
	(void) gs_state_sum(s, &result);
	(void) gs_state_sum_float(s, &result4);
	(void) gs_state_mean(s, &result);
	if (gs_state_has_squares(s->kind))
		(void) gs_state_stddev(s, true, &result);
	if (s->kind == GS_STATE_PAIRS)
	{
		gs_pair_sums sums = gs_state_pair_sums(s, room);

		(void) gs_covariance(&sums, true, &result);
		(void) gs_slope(&sums, &result);
		(void) gs_intercept(&sums, &result);
		result = 0;
		(void) gs_correlation(&sums, &result);
		if (fabs(result) > 1)
			return false;
		(void) gs_determination(&sums, &result);
		return !(result > 1);
	}
	return true;
}

/* What does reading this lead to? */
static outcome
feed(const piece *input, bool binary, bool stats)
{
	static piece first;
	static piece again;
	gs_state   *s;

	if (setjmp(on_error) != 0)
		return error_code == (binary ? ERRCODE_INVALID_BINARY_REPRESENTATION :
							  ERRCODE_INVALID_TEXT_REPRESENTATION) ||
			(binary && error_code == ERRCODE_PROTOCOL_VIOLATION) ?
			REFUSED : WRONG;
	s = read_state(input, binary, stats);
	if ((s->kind == GS_STATE_STATS) != stats)
		return WRONG;
	for (int other = 0; other < 2; other++)
	{
		/* an error here is none of what was read */
		if (setjmp(on_error) != 0)
			return WRONG;
		write_state(s, other, &first);
		write_state(read_state(&first, other, stats), other, &again);
		if (first.length != again.length ||
			memcmp(first.bytes, again.bytes, first.length) != 0)
			return WRONG;
	}
	if (setjmp(on_error) != 0)	/* together they may count too many */
		return error_code == ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE ?
			ACCEPTED : WRONG;
	return use_state(s) ? ACCEPTED : WRONG;
}

/* Replace `out` bytes at a place by others. */
static void
replace(piece *p, int at, int out, const char *in, int length)
{
	if (p->length - out + length >= sizeof p->bytes)
		return;
	memmove(p->bytes + at + length, p->bytes + at + out,
			p->length - at - out);
	memcpy(p->bytes + at, in, length);
	p->length += length - out;
}

static void
mutate_text(piece *p, const piece *other)
{
	static const char *const tokens[] = {" ", "=", "-", "p", "x", "0x", "-0x",
		"0", "1", "f", "NaN", "Infinity", " nan=1", " min=1", " max=-0", " sum=0x1p0",
		" squares=0x1p0", " count=9223372036854775807", " not-finite-x=1",
		" xy=0x1p2000", " xy=0x1p2190", "p-2148", "p2100", "p2190", "p1095", "99999999999999999999", "p-1075",
		"ffffffffffffffffffffffffffffffffffffffff", "stats", "pairs", "\n", "\x80"
	};
	int			at = random_below(4) == 0 ? p->length :
		random_below(p->length + 1);
	int			out = random_below(4) == 0 ?
		random_below(p->length - at + 1) : random_below(Min(3, p->length - at + 1));
	const char *token = tokens[random_below(lengthof(tokens))];
	int			from = random_below(other->length + 1);

	if (random_below(4) == 0)
		replace(p, at, out, other->bytes + from, other->length - from);
	else if (random_below(3) == 0)
		replace(p, at, out, token, 0);
	else
		replace(p, at, out, token, strlen(token));
}

static void
mutate_bytes(piece *p, const piece *other)
{
	static const unsigned char extremes[] = {0, 1, 2, 5, 6, 7, 0x7f, 0x80, 0xff};
	int			at = random_below(p->length + 1);
	char		byte = random_below(2) ? (char) random_bits() :
		(char) extremes[random_below(sizeof extremes)];

	switch (random_below(8))
	{
		case 0:
			p->length = at;
			break;
		case 1:
			replace(p, at, 0, &byte, 1);
			break;
		case 2:
			if (at < other->length)
				replace(p, at, p->length - at, other->bytes + at,
					   other->length - at);
			break;
		case 3:
			if (at < p->length)
				p->bytes[at] ^= 1 << random_below(8);
			break;
		default:
			if (at < p->length)
				p->bytes[at] = byte;
	}
}

static void
test_kind(int kind, bool binary)
{
	static piece seeds[SEEDS];
	static piece p;
	int			count[OUTCOMES] = {0};
	bool		good;

	for (int i = 0; i < SEEDS; i++)
	{
		gs_state   *s;

		if (setjmp(on_error) != 0)
			abort();
		s = gs_state_new(kind);
		for (int n = random_below(i % 4 ? 4 : 30); n > 0; n--)
			s = add_random(s);
		write_state(s, binary, &seeds[i]);
		if (feed(&seeds[i], binary, kind == GS_STATE_STATS) != ACCEPTED)
			count[WRONG]++;
		free_all();
	}
	for (int i = 0; i < MUTATIONS; i++)
	{
		outcome		o;

		p = seeds[random_below(SEEDS)];
		for (int n = 1 + random_below(3); n > 0; n--)
			(binary ? mutate_bytes : mutate_text)
				(&p, &seeds[random_below(SEEDS)]);

		/* a NUL would end the text */
		for (int at = 0; !binary && at < p.length; at++)
			p.bytes[at] = p.bytes[at] ? p.bytes[at] : ' ';
		o = feed(&p, binary, random_below(20) == 0 ? kind != GS_STATE_STATS :
				 kind == GS_STATE_STATS);
		count[o]++;
		if (o == WRONG && count[WRONG] == 1)
			printf("# %.*s, error %d\n", binary ? 0 : p.length, p.bytes,
				   error_code);
		free_all();
	}
	good = count[WRONG] == 0 && count[REFUSED] > 0 && count[ACCEPTED] > 0;
	printf("%s - %s, %s: %d refused, %d accepted, %d wrong\n",
		   good ? "ok" : "not ok", kind_names[kind],
		   binary ? "binary" : "text", count[REFUSED], count[ACCEPTED],
		   count[WRONG]);
	passed += good;
	failed += !good;
}

int
main(int argc, char **argv)
{
	random_state = argc > 1 ? strtoull(argv[1], NULL, 0) : 20240229;
	printf("# seed %llu\n", (unsigned long long) random_state);
	for (int kind = GS_STATE_INTEGERS; kind < lengthof(kind_names); kind++)
	{
		test_kind(kind, false);
		test_kind(kind, true);
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}
