/*-------------------------------------------------------------------------
 *
 * decimal.c
 *	  numeric as integers, and back: a value times 10^scale.
 *
 * PostgreSQL's numeric.c keeps to itself how a numeric is stored, but that is
 * on everybody's disks, and has not changed since 9.1: a header, then digits of
 * base 10000, the first of which counts 10000^weight, without zeros at either
 * end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/shortest_dec.h"
#include "utils/builtins.h"

#include "call/decimal.h"

#define BASE				10000
#define BASE_DIGITS			4

/* The first two bytes */
#define KIND_MASK			0xC000
#define KIND_NEGATIVE		0x4000	/* of long headers */
#define KIND_SHORT			0x8000
#define KIND_SPECIAL		0xC000	/* NaN, infinite */

#define SHORT_NEGATIVE		0x2000
#define SHORT_SCALE_SHIFT	7
#define SHORT_SCALE_MAX		0x3F
#define SHORT_WEIGHT_SIGN	0x0040
#define SHORT_WEIGHT_MASK	0x003F	/* and the most; the least is -64 */

#define LONG_SCALE_MASK		0x3FFF	/* the weight follows */

/* 192 bits, and what 3 more decimal digits take, have so many of base 10000. */
#define LIMBS_MAX			7
#define DIGITS_MAX			17

const int64 gs_power_of_ten[GS_DECIMAL_DIGITS + 1] = {
	INT64CONST(1),
	INT64CONST(10),
	INT64CONST(100),
	INT64CONST(1000),
	INT64CONST(10000),
	INT64CONST(100000),
	INT64CONST(1000000),
	INT64CONST(10000000),
	INT64CONST(100000000),
	INT64CONST(1000000000),
	INT64CONST(10000000000),
	INT64CONST(100000000000),
	INT64CONST(1000000000000),
	INT64CONST(10000000000000),
	INT64CONST(100000000000000),
	INT64CONST(1000000000000000),
	INT64CONST(10000000000000000),
	INT64CONST(100000000000000000),
	INT64CONST(1000000000000000000)
};

/* A stored numeric, taken apart. */
typedef struct parts
{
	bool		negative;
	int			scale;
	int			weight;
	int			n;
	const char *digits;			/* uint16 each, not aligned */
} parts;

static inline uint16
get16(const char *from)
{
	uint16		x;

	memcpy(&x, from, sizeof x);
	return x;
}

static inline int
digit(const parts *p, int i)
{
	return get16(p->digits + i * sizeof(uint16));
}

/* False: it is no number.  data: behind the varlena header. */
static inline bool
take_apart(const char *data, int size, parts *p)
{
	uint16		header = get16(data);

	if (likely((header & KIND_MASK) == KIND_SHORT))
	{
		p->negative = (header & SHORT_NEGATIVE) != 0;
		p->scale = header >> SHORT_SCALE_SHIFT & SHORT_SCALE_MAX;
		p->weight = (int) (header & SHORT_WEIGHT_MASK) -
			(int) (header & SHORT_WEIGHT_SIGN);
		size -= sizeof(uint16);
		p->digits = data + sizeof(uint16);
	}
	else
	{
		if ((header & KIND_MASK) == KIND_SPECIAL)
			return false;
		p->negative = (header & KIND_MASK) == KIND_NEGATIVE;
		p->scale = header & LONG_SCALE_MASK;
		p->weight = (int16) get16(data + sizeof(uint16));
		size -= 2 * sizeof(uint16);
		p->digits = data + 2 * sizeof(uint16);
	}
	p->n = size / (int) sizeof(uint16);
	return true;
}

/*
 * A numeric of so few digits is never compressed or stored out of line: the
 * attribute is too short for that.
 */
bool
gs_decimal_read(const char *stored, int scale, int64 *value)
{
	uint64		sum = 0;
	parts		p;
	int			exponent;
	int			last;

	if (VARATT_IS_1B(stored) && !VARATT_IS_1B_E(stored))
	{
		if (!take_apart(VARDATA_1B(stored),
						VARSIZE_1B(stored) - VARHDRSZ_SHORT, &p))
			return false;
	}
	else if (!VARATT_IS_4B_U(stored) ||
			 !take_apart(VARDATA_4B(stored), VARSIZE_4B(stored) - VARHDRSZ, &p))
		return false;
	*value = 0;
	if (p.n == 0)
		return p.scale == scale;

	/* the number is (d0 + a fraction) * 10^exponent of the integer's units */
	exponent = p.weight * BASE_DIGITS + scale;
	if (p.scale != scale ||
		(exponent > GS_DECIMAL_DIGITS - BASE_DIGITS &&
		 (exponent >= GS_DECIMAL_DIGITS ||
		  digit(&p, 0) >= gs_power_of_ten[GS_DECIMAL_DIGITS - exponent])))
		return false;
	for (int i = 0; i < p.n - 1; i++)
		sum = sum * BASE + digit(&p, i);
	last = digit(&p, p.n - 1);
	exponent -= (p.n - 1) * BASE_DIGITS;
	if (exponent >= 0)
		sum = (sum * BASE + last) * gs_power_of_ten[exponent];
	else if (exponent > -BASE_DIGITS)
		sum = sum * gs_power_of_ten[BASE_DIGITS + exponent] +
			last / gs_power_of_ten[-exponent];
	else
		return false;
	*value = p.negative ? -(int64) sum : (int64) sum;
	return true;
}

int
gs_decimal_scale(Datum numeric)
{
	const char *stored = (const char *) DatumGetNumeric(numeric);
	parts		p;

	return take_apart(VARDATA(stored), VARSIZE(stored) - VARHDRSZ, &p) ?
		p.scale : -1;
}

Datum
gs_decimal_from_double(double x)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];

	/* whatever extra_float_digits says */
	double_to_shortest_decimal_buf(x, text);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text),
							   ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

/*
 * The magnitude times 10^scale, without a fraction; a magnitude beyond 10^19
 * may stand for any beyond that.  *exact: there is no fraction.
 */
static unsigned __int128
find_magnitude(const parts *p, int scale, bool *exact)
{
	const unsigned __int128 enough =
	(unsigned __int128) gs_power_of_ten[GS_DECIMAL_DIGITS] * 10;
	unsigned __int128 sum = 0;
	int			exponent = p->weight * BASE_DIGITS + scale;

	*exact = true;
	for (int i = 0; i < p->n; i++, exponent -= BASE_DIGITS)
	{
		int			divisor;

		if (exponent >= 0)
			sum = sum * BASE + digit(p, i);
		else if (exponent > -BASE_DIGITS)
		{
			divisor = (int) gs_power_of_ten[-exponent];
			sum = sum * (BASE / divisor) + digit(p, i) / divisor;
			*exact = digit(p, i) % divisor == 0;
		}
		else
			*exact = false;
		if (sum > enough)
			return sum;
	}

	/* zeros behind the last digit */
	exponent += BASE_DIGITS;
	if (exponent <= 0 || sum == 0)
		return sum;
	return exponent > GS_DECIMAL_DIGITS ? enough + 1 :
		sum * gs_power_of_ten[exponent];
}

gs_decimal_place
gs_decimal_find(Datum numeric, int scale, int64 *integer)
{
	Numeric		number = DatumGetNumeric(numeric);
	const char *stored = (const char *) number;
	unsigned __int128 magnitude;
	__int128	floor;
	parts		p;
	bool		exact;

	*integer = 0;
	if (!take_apart(VARDATA(stored), VARSIZE(stored) - VARHDRSZ, &p))
		return !numeric_is_nan(number) &&
			DatumGetBool(DirectFunctionCall2(numeric_lt, numeric,
											 NumericGetDatum(int64_to_numeric(0)))) ?
			GS_DECIMAL_BELOW : GS_DECIMAL_ABOVE;
	magnitude = find_magnitude(&p, scale, &exact);
	floor = p.negative ? -(__int128) magnitude - !exact : (__int128) magnitude;
	if (floor > PG_INT64_MAX)
		return GS_DECIMAL_ABOVE;
	if (floor < PG_INT64_MIN)
		return GS_DECIMAL_BELOW;
	*integer = (int64) floor;
	return exact ? GS_DECIMAL_EQUAL : GS_DECIMAL_BETWEEN;
}

/* The magnitude as 32-bit limbs, least significant first: how many. */
static int
get_limbs(const uint64 *words, int n, bool negative, uint32 *limbs)
{
	uint64		carry = negative;
	int			used = 0;

	for (int i = 0; i < n; i++)
	{
		uint64		word = (negative ? ~words[i] : words[i]) + carry;

		carry &= word == 0;
		limbs[2 * i] = (uint32) word;
		limbs[2 * i + 1] = (uint32) (word >> 32);
	}
	for (int i = 0; i < 2 * n; i++)
	{
		if (limbs[i] != 0)
			used = i + 1;
	}
	return used;
}

static int
multiply(uint32 *limbs, int n, uint32 factor)
{
	uint64		carry = 0;

	for (int i = 0; i < n; i++)
	{
		carry += (uint64) limbs[i] * factor;
		limbs[i] = (uint32) carry;
		carry >>= 32;
	}
	if (carry != 0)
		limbs[n++] = (uint32) carry;
	return n;
}

/* Divide; *n loses a limb that has become 0. */
static uint32
divide(uint32 *limbs, int *n, uint32 divisor)
{
	uint64		rest = 0;

	for (int i = *n - 1; i >= 0; i--)
	{
		rest = rest << 32 | limbs[i];
		limbs[i] = (uint32) (rest / divisor);
		rest %= divisor;
	}
	while (*n > 0 && limbs[*n - 1] == 0)
		(*n)--;
	return (uint32) rest;
}

/* As make_result() does, from digits with the most significant one first. */
static Datum
store(bool negative, int weight, int scale, const uint16 *digits, int n)
{
	bool		is_short = scale <= SHORT_SCALE_MAX &&
	weight <= SHORT_WEIGHT_MASK && weight >= -SHORT_WEIGHT_SIGN;
	int			header = (is_short ? 1 : 2) * sizeof(uint16);
	Size		size = VARHDRSZ + header + n * sizeof(uint16);
	char	   *result = palloc(size);
	uint16		first;

	SET_VARSIZE(result, size);
	if (is_short)
		first = KIND_SHORT | (negative ? SHORT_NEGATIVE : 0) |
			scale << SHORT_SCALE_SHIFT |
			(weight < 0 ? SHORT_WEIGHT_SIGN : 0) | (weight & SHORT_WEIGHT_MASK);
	else
	{
		int16		second = (int16) weight;

		first = (negative ? KIND_NEGATIVE : 0) | scale;
		memcpy(VARDATA(result) + sizeof first, &second, sizeof second);
	}
	memcpy(VARDATA(result), &first, sizeof first);
	memcpy(VARDATA(result) + header, digits, n * sizeof(uint16));
	return PointerGetDatum(result);
}

Datum
gs_decimal_make(const uint64 *words, int n, int scale)
{
	bool		negative = (int64) words[n - 1] < 0;
	int			behind = (scale + BASE_DIGITS - 1) / BASE_DIGITS;
	int			shift = behind * BASE_DIGITS - scale;
	int			weight = -1 - behind;
	uint32		limbs[LIMBS_MAX];
	uint16		digits[DIGITS_MAX] = {0};
	int			first = DIGITS_MAX;
	int			end = DIGITS_MAX;
	int			used = get_limbs(words, n, negative, limbs);

	if (used == 0)
		return store(false, 0, scale, digits, 0);
	if (shift > 0)
		used = multiply(limbs, used, (uint32) gs_power_of_ten[shift]);
	for (; used > 0; weight++)
		digits[--first] = (uint16) divide(limbs, &used, BASE);
	while (digits[end - 1] == 0)
		end--;
	return store(negative, weight, scale, digits + first, end - first);
}
