/*-------------------------------------------------------------------------
 *
 * hostile.c
 *	  Text and bytes that are not a state, or only almost one.
 *
 * States of random numbers are written as text and in binary, changed at
 * random, and read back.  Each result must either be refused, with the proper
 * error, or be a state like any other.  That means: it survives being written
 * and read again; and everything that aggregates do can be done to it, inside
 * an aggregate, a window frame or neither, with results that some elements
 * could have, or a proper error.  Sanitizers watch for everything else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <float.h>
#include <math.h>

#include "lib/stringinfo.h"

#include "backend.h"
#include "test/common/random.h"
#include "rows.h"
#include "state/state.h"

#undef printf
#undef sprintf

#define SEEDS		40
#define MUTATIONS	10000

extern Datum gpu_state_in(PG_FUNCTION_ARGS);
extern Datum gpu_stats_in(PG_FUNCTION_ARGS);
extern Datum gpu_state_recv(PG_FUNCTION_ARGS);
extern Datum gpu_stats_recv(PG_FUNCTION_ARGS);
extern Datum gpu_state_out(PG_FUNCTION_ARGS);
extern Datum gpu_state_send(PG_FUNCTION_ARGS);

/* The text or binary form of a state, and its length. */
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

static int	passed;
static int	failed;
static int	comparisons;

/* An ordinary number, or one of any magnitude, or not finite. */
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
	if (to->length >= (int) sizeof to->bytes)
		abort();
	memcpy(to->bytes, binary ? VARDATA(from) : from, to->length);
}

/* Read a state, from memory of exactly the right size. */
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

/*
 * Call a function of the aggregates; false if it raises an error.  *isnull
 * says whether its result is NULL.
 */
static bool
try(PGFunction function, int arguments, const Datum *argument, Datum *result,
	bool *isnull)
{
	LOCAL_FCINFO(fcinfo, 3);

	InitFunctionCallInfoData(*fcinfo, NULL, arguments, InvalidOid, NULL, NULL);
	for (int i = 0; i < arguments; i++)
	{
		fcinfo->args[i].value = argument[i];
		fcinfo->args[i].isnull = false;
	}
	if (setjmp(on_error) != 0)
		return false;
	*result = function(fcinfo);
	*isnull = fcinfo->isnull;
	return true;
}

#define EACH_FINAL(each) \
	each(gpu_state_sum) each(gpu_state_avg) \
	each(gpu_state_var_pop) each(gpu_state_var_samp) \
	each(gpu_state_stddev_pop) each(gpu_state_stddev_samp) \
	each(gpu_state_covar_pop) each(gpu_state_covar_samp) \
	each(gpu_state_corr) each(gpu_state_regr_slope) \
	each(gpu_state_regr_intercept) each(gpu_state_regr_r2) \
	each(gpu_state_sum_real) each(gpu_state_sum_bigint) \
	each(gpu_state_sum_numeric) each(gpu_state_avg_numeric) \
	each(gpu_state_var_pop_numeric) each(gpu_state_var_samp_numeric) \
	each(gpu_state_stddev_pop_numeric) each(gpu_state_stddev_samp_numeric) \
	each(gpu_state_count) each(gpu_state_weighted_avg)

#define EACH_STATS_FINAL(each) \
	each(gpu_stats_min) each(gpu_stats_max) each(gpu_sum_exact) \
	each(gpu_stats_final) each(gpu_stats_hash)

#define DECLARE(function) extern Datum function(PG_FUNCTION_ARGS);
#define LIST(function) function,

EACH_FINAL(DECLARE)
EACH_STATS_FINAL(DECLARE)
DECLARE(gpu_state_add_int2)
DECLARE(gpu_state_add_int8)
DECLARE(gpu_state_add_float4)
DECLARE(gpu_state_add_float8)
DECLARE(gpu_state_add_pair)
DECLARE(gpu_state_remove_int2)
DECLARE(gpu_state_remove_int8)
DECLARE(gpu_state_remove_float4)
DECLARE(gpu_state_remove_float8)
DECLARE(gpu_state_remove_pair)
DECLARE(gpu_state_merge)
DECLARE(gpu_stats_cmp)

static const PGFunction finals[] = {EACH_FINAL(LIST) EACH_STATS_FINAL(LIST)};
static const int final_count = lengthof(finals);

/* The functions for gpu_stats alone, which come last in finals. */
static const int stats_final_count =
lengthof(((const PGFunction[]) {EACH_STATS_FINAL(LIST)}));

static const struct
{
	PGFunction	add;
	PGFunction	remove;
}			steps[] = {
	{gpu_state_add_int2, gpu_state_remove_int2},
	{gpu_state_add_int8, gpu_state_remove_int8},
	{gpu_state_add_float4, gpu_state_remove_float4},
	{gpu_state_add_float8, gpu_state_remove_float8},
	{gpu_state_add_pair, gpu_state_remove_pair}
};

/* Is it an error that a function may raise for arguments not meant for it? */
static bool
error_is_proper(void)
{
	return error_code == ERRCODE_INVALID_PARAMETER_VALUE ||
		error_code == ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE ||
		error_code == ERRCODE_DIVISION_BY_ZERO; /* weights of 0 */
}

static gs_state *
copy_of(const gs_state *s)
{
	return memcpy(palloc(VARSIZE(s)), s, VARSIZE(s));
}

/* Does a state survive being written and read, in binary or as text? */
static bool
round_trips(const gs_state *s, bool binary)
{
	static piece first;
	static piece again;
	bool		stats = s->kind == GS_STATE_STATS;

	if (setjmp(on_error) != 0)
		return false;
	write_state(s, binary, &first);
	write_state(read_state(&first, binary, stats), binary, &again);
	return first.length == again.length &&
		memcmp(first.bytes, again.bytes, first.length) == 0;
}

/* Compute all results; false if no elements could have one of them. */
static bool
results_are_valid(gs_state *s, bool possible)
{
	Datum		state = PointerGetDatum(s);
	int			count = s->kind == GS_STATE_STATS ? final_count :
		final_count - stats_final_count;

	for (int i = 0; i < count; i++)
	{
		Datum		result;
		bool		isnull;
		double		x;

		if (!try(finals[i], 1, &state, &result, &isnull))
		{
			if (!error_is_proper())
				return false;
			continue;
		}
		if (isnull || !possible || gs_state_is_integer(s->kind))
			continue;
		x = DatumGetFloat8(result);
		if ((finals[i] == gpu_state_corr && fabs(x) > 1) ||
			(finals[i] == gpu_state_regr_r2 && (x < 0 || x > 1)) ||
			((finals[i] == gpu_state_var_pop ||
			  finals[i] == gpu_state_var_samp ||
			  finals[i] == gpu_state_stddev_pop) && x < 0))
			return false;
	}
	return true;
}

/* Add or remove an element at random; false if that raises an error. */
static bool
step(gs_state *s, bool remove, gs_state **after)
{
	int			which = random_below(lengthof(steps));
	Datum		argument[3] = {PointerGetDatum(s)};
	Datum		result;
	bool		isnull;
	double		x = random_double();

	argument[1] = argument[2] = Float8GetDatum(random_double());
	if (which < 2)
		argument[1] = which == 0 ? Int16GetDatum((int16) random_bits()) :
			Int64GetDatum((int64) random_bits() >> random_below(63));
	else if (which == 2)
		argument[1] = Float4GetDatum(fabs(x) < FLT_MAX ? (float) x : 0);
	if (!try(remove ? steps[which].remove : steps[which].add,
			 which == 4 ? 3 : 2, argument, &result, &isnull))
		return false;
	*after = (gs_state *) DatumGetPointer(result);
	return true;
}

/* Merge the state with itself or with another. */
static bool
merges_are_valid(gs_state *s, gs_state *other)
{
	Datum		argument[2];
	Datum		result;
	bool		isnull;

	argument[0] = PointerGetDatum(copy_of(s));
	argument[1] = PointerGetDatum(random_below(2) ? s : other);
	if (!try(gpu_state_merge, 2, argument, &result, &isnull))
		return error_is_proper();
	s = (gs_state *) DatumGetPointer(result);
	return round_trips(s, false) && round_trips(s, true) &&
		results_are_valid(s, true);
}

/* Equal to itself in any layout, and in a consistent order with another? */
static bool
order_is_valid(gs_state *s, gs_state *other)
{
	gs_canonical canonical;
	Datum		argument[2] = {PointerGetDatum(s)};
	Datum		hash[2];
	Datum		order[2];
	bool		isnull;

	gs_state_get_canonical(s, &canonical);
	argument[1] = PointerGetDatum(gs_state_from_canonical(&canonical));
	if (!try(gpu_stats_cmp, 2, argument, &order[0], &isnull) ||
		DatumGetInt32(order[0]) != 0 ||
		!try(gpu_stats_hash, 1, &argument[0], &hash[0], &isnull) ||
		!try(gpu_stats_hash, 1, &argument[1], &hash[1], &isnull) ||
		hash[0] != hash[1])
		return false;
	argument[1] = PointerGetDatum(other);
	if (!try(gpu_stats_cmp, 2, argument, &order[0], &isnull))
		return false;
	argument[0] = PointerGetDatum(other);
	argument[1] = PointerGetDatum(s);
	return try(gpu_stats_cmp, 2, argument, &order[1], &isnull) &&
		DatumGetInt32(order[0]) == -DatumGetInt32(order[1]);
}

/*
 * Do to a state everything that aggregates, even users' own, can do to it;
 * `other` is of the same kind.  False if anything goes wrong.
 */
static bool
use_state(gs_state *s, gs_state *other)
{
	gs_state   *after;

	agg_context = 0;
	if (!results_are_valid(s, true) || !merges_are_valid(s, other) ||
		(s->kind == GS_STATE_STATS && !order_is_valid(s, other)))
		return false;
	for (int i = 0; i < 4; i++)
	{
		bool		remove = random_below(2);

		agg_context = random_below(2) ? AGG_CONTEXT_AGGREGATE : 0;
		if (!step(copy_of(s), remove, &after))
		{
			if (!error_is_proper())
				return false;
		}
		else if (!round_trips(after, i % 2) ||
				 !results_are_valid(after, true) ||
				 (after->kind == GS_STATE_STATS && !order_is_valid(after, s)))
			return false;
	}

	/* states in a window frame are fully checked only when written */
	agg_context = AGG_CONTEXT_WINDOW;
	after = copy_of(s);
	for (int i = 0; i < 4; i++)
	{
		if (!step(after, random_below(4) > 0, &after) && !error_is_proper())
			return false;
	}
	return results_are_valid(after, false) &&
		(round_trips(after, true) ||
		 error_code == ERRCODE_INVALID_PARAMETER_VALUE);
}

/* Read input and use the result. */
static outcome
feed(const piece *input, bool binary, bool stats, const piece *seed, int kind)
{
	gs_state   *s;
	gs_state   *other;

	if (setjmp(on_error) != 0)
		return WRONG;
	other = read_state(seed, binary, kind == GS_STATE_STATS);

	if (setjmp(on_error) != 0)
		return error_code == (binary ? ERRCODE_INVALID_BINARY_REPRESENTATION :
							  ERRCODE_INVALID_TEXT_REPRESENTATION) ||
			(binary && error_code == ERRCODE_PROTOCOL_VIOLATION) ?
			REFUSED : WRONG;
	s = read_state(input, binary, stats);
	if ((s->kind == GS_STATE_STATS) != stats)
		return WRONG;
	return round_trips(s, false) && round_trips(s, true) &&
		use_state(s, s->kind == other->kind ? other : s) ? ACCEPTED : WRONG;
}

/* Replace `out` bytes at a position by others. */
static void
replace(piece *p, int at, int out, const char *in, int length)
{
	if (p->length - out + length >= (int) sizeof p->bytes)
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
		"0", "1", "f", "NaN", "Infinity", " nan=1", " min=1", " max=-0",
		" sum=0x1p0", " squares=0x1p0", " count=9223372036854775807",
		" not-finite-x=1",
		" xy=0x1p2000", " xy=0x1p2190", "p-2148", "p2100", "p2190", "p1095",
		"99999999999999999999", "p-1075", "p9223372036854775807",
		"p-9223372036854775808", "p9223372036854773659", "p4294967296",
		"p2147483647", "ffffffffffffffffffffffffffffffffffffffff", "stats",
		"pairs", "\n", "\x80"
	};
	int			at = random_below(4) == 0 ? p->length :
		random_below(p->length + 1);
	int			rest = p->length - at;
	int			out = random_below(random_below(4) == 0 ? rest + 1 :
								   Min(3, rest + 1));
	const char *token = tokens[random_below(lengthof(tokens))];
	int			from = random_below(other->length + 1);
	char		zeros[1100];

	if (random_below(16) == 0)
	{
		memset(zeros, '0', sizeof zeros);
		replace(p, at, out, zeros, random_below(sizeof zeros));
	}
	else if (random_below(4) == 0)
		replace(p, at, out, other->bytes + from, other->length - from);
	else if (random_below(3) == 0)
		replace(p, at, out, token, 0);
	else
		replace(p, at, out, token, strlen(token));
}

static void
mutate_bytes(piece *p, const piece *other)
{
	static const unsigned char extremes[] = {
		0, 1, 2, 5, 6, 7, 0x7f, 0x80, 0xff
	};
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

/* A state of fewer values than that, as it is written. */
static void
make_seed(int kind, bool binary, int most, piece *to)
{
	gs_state   *s;

	if (setjmp(on_error) != 0)
		abort();
	s = gs_state_new(kind);
	for (int n = random_below(most); n > 0; n--)
		s = add_random(s);
	write_state(s, binary, to);
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
		make_seed(kind, binary, i % 4 ? 4 : 30, &seeds[i]);
		if (feed(&seeds[i], binary, kind == GS_STATE_STATS, &seeds[i],
				 kind) != ACCEPTED)
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

		/* NUL would end the text */
		for (int at = 0; !binary && at < p.length; at++)
			p.bytes[at] = p.bytes[at] ? p.bytes[at] : ' ';
		o = feed(&p, binary, random_below(20) == 0 ? kind != GS_STATE_STATS :
				 kind == GS_STATE_STATS, &seeds[random_below(SEEDS)], kind);
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
	comparisons += SEEDS + MUTATIONS;
}

/* Is this literal anything but refused? */
static bool
is_accepted(const piece *p, bool stats)
{
	if (setjmp(on_error) != 0)
		return error_code != ERRCODE_INVALID_TEXT_REPRESENTATION;
	(void) read_state(p, false, stats);
	return true;
}

/* The longest possible sums, far out of range. */
static void
test_exponents(void)
{
	static const char *const figures[] = {
		"pairs xy=", "pairs x=", "pairs count=1 xx=", "reals sum=",
		"reals count=1 sum=", "moments count=1 squares=",
		"stats sum=", "stats count=1 squares=", "integers sum=",
		"integer-moments squares="
	};
	static const char *const exponents[] = {"9223372036854775807",
		"9223372036854773659", "-9223372036854775808", "4611686018427387904",
		"4294967296", "2147483647", "-2147483648", "2205", "2204", "2203",
		"3279", "0", "-2148", "-1074"
	};
	static piece p;
	int			accepted = 0;
	int			tried = 0;

	for (int i = 0; i < (int) lengthof(figures); i++)
	{
		for (int j = 0; j < (int) lengthof(exponents); j++)
		{
			for (int zeros = 1080; zeros < 1092; zeros++)
			{
				bool		stats = strncmp(figures[i], "stats", 5) == 0;

				p.length = sprintf(p.bytes, "%s0x1%0*dp%s", figures[i], zeros,
								   0, exponents[j]);
				accepted += is_accepted(&p, stats);
				tried++;
				free_all();
			}
		}
	}
	printf("%s - exponents far out of range: %d refused, %d accepted\n",
		   accepted == 0 ? "ok" : "not ok", tried - accepted, accepted);
	passed += accepted == 0;
	failed += accepted > 0;
	comparisons += tried;
}

int
main(int argc, char **argv)
{
	uint64		seed = seed_of(argc > 1 ? argv[1] : "");

	random_seed(seed);
	printf("# seed %llu: make -C test/state check SEED=%llu\n",
		   (unsigned long long) seed, (unsigned long long) seed);
	test_exponents();
	for (int kind = GS_STATE_INTEGERS; kind < (int) lengthof(kind_names);
		 kind++)
	{
		test_kind(kind, false);
		test_kind(kind, true);
	}
	test_rows(&passed, &failed, &comparisons);
	test_service(&passed, &failed, &comparisons);
	printf("%d comparisons\n%d passed, %d failed\n", comparisons, passed, failed);
	return failed > 0;
}
