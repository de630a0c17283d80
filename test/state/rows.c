/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  States of random rows against accumulators of the same rows.
 *
 * Nearly every row of an aggregate takes a fast path into its state, the
 * others a slow path, and no result may depend on which.  So the sums are
 * compared limb by limb after every row, for numbers that keep switching
 * between the paths: changing ranges, subnormals, zeros of both signs, numbers
 * that are not finite, carries that are due.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "backend.h"
#include "test/common/random.h"
#include "rows.h"
#include "state/state.h"

#undef printf

#define STATES		2000
#define ROWS		200

/*
 * A number with one of `exponents` exponents, starting at `place`; sometimes
 * an unusual number.
 */
static double
random_double(int place, int exponents)
{
	uint64		bits = random_bits();
	uint64		exponent = place + bits % exponents;

	switch (random_bits() % 64)
	{
		case 0:
			return 0.0;
		case 1:
			return -0.0;
		case 2:
			return 1 / 0.0;
		case 3:
			return gs_bits_double(bits & UINT64_C(0x800fffffffffffff));
		case 4:
			return gs_bits_double(bits);
		case 5:
			bits &= UINT64_C(0xfff) << 52;
	}
	return gs_bits_double((bits & ~(UINT64_C(0x7ff) << 52)) |
						  Min(exponent, 0x7fe) << 52);
}

/* Does window w have the value of the limbs, which are propagated? */
static bool
same_limbs(const gs_state *s, int w, const int64 *limb)
{
	gs_limbs_buffer buffer;
	gs_limbs	got = gs_state_limbs(s, w, &buffer);

	if (w == GS_SUM_WINDOW)
	{
		gs_acc		a;

		gs_acc_init(&a);
		memcpy(a.limb + (got.lowest - GS_ACC_LOWEST) / 32, got.limb,
			   got.n * sizeof(int64));
		gs_acc_propagate(&a);
		return memcmp(a.limb, limb, sizeof a.limb) == 0;
	}
	else
	{
		gs_acc2		a;

		gs_acc2_init(&a);
		memcpy(a.limb + (got.lowest - GS_ACC2_LOWEST) / 32, got.limb,
			   got.n * sizeof(int64));
		gs_acc2_propagate(&a);
		return memcmp(a.limb, limb, sizeof a.limb) == 0;
	}
}

/* Add random rows to a state of this kind; false if a sum is wrong. */
static bool
rows_agree(gs_state_kind kind)
{
	gs_state   *s = gs_state_new(kind);
	int			place = random_bits() % 0x7ff;
	int			exponents = 1 + (random_bits() % 4 ? random_bits() % 8 :
								 random_bits() % 0x7ff);
	gs_limbs_buffer buffer;
	gs_acc		sum;
	gs_acc2		squares;

	gs_acc_init(&sum);
	gs_acc2_init(&squares);
	for (int i = 1; i <= ROWS; i++)
	{
		double		x = random_double(place, exponents);

		/* as if many rows had been added before */
		if (i % 50 == 0)
			s->additions = GS_ACC_ADDITIONS - 1 - random_bits() % 8;
		s = gs_state_add_double(s, x);
		gs_acc_add(&sum, x);
		gs_acc2_add_product(&squares, x, x);
		gs_acc_propagate(&sum);
		gs_acc2_propagate(&squares);
		if (s->n != i || s->additions >= GS_ACC_ADDITIONS ||
			gs_state_limbs(s, GS_SUM_WINDOW, &buffer).seen != sum.seen ||
			!same_limbs(s, GS_SUM_WINDOW, sum.limb) ||
			(kind != GS_STATE_REALS &&
			 !same_limbs(s, GS_SQUARES_WINDOW, squares.limb)))
		{
			printf("# row %d, %.17g\n", i, x);
			return false;
		}
	}
	return true;
}

/* No row raises an error. */
static bool
rows_agree_without_error(gs_state_kind kind)
{
	if (setjmp(on_error) != 0)
		abort();
	return rows_agree(kind);
}

void
test_rows(int *passed, int *failed, int *comparisons)
{
	static const gs_state_kind kinds[] = {GS_STATE_REALS, GS_STATE_MOMENTS,
	GS_STATE_STATS};
	static const char *const names[] = {"reals", "moments", "stats"};

	for (int k = 0; k < (int) lengthof(kinds); k++)
	{
		bool		good = true;

		for (int i = 0; i < STATES && good; i++)
		{
			good = rows_agree_without_error(kinds[k]);
			free_all();
			*comparisons += ROWS;
		}
		printf("%s - rows of %s\n", good ? "ok" : "not ok", names[k]);
		*passed += good;
		*failed += !good;
	}
}
