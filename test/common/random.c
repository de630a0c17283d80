/*-------------------------------------------------------------------------
 *
 * random.c
 *	  Random numbers; see random.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/random.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static __thread uint64_t thread_state;

/*
 * Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014
 */
uint64_t
splitmix64(uint64_t *state)
{
	uint64_t	z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t
seed_of(const char *text)
{
	return *text != '\0' ? strtoull(text, NULL, 0) : (uint64_t) time(NULL);
}

void
random_seed(uint64_t seed)
{
	thread_state = seed;
}

uint64_t
random_bits(void)
{
	return splitmix64(&thread_state);
}

int64_t
random_below(int64_t bound)
{
	return (int64_t) (random_bits() % (uint64_t) bound);
}

bool
one_in(int64_t n)
{
	return random_below(n) == 0;
}

double
random_uniform(void)
{
	return (double) (random_bits() >> 11) * 0x1p-53;
}

double
random_normal(void)
{
	double		radius = sqrt(-2 * log(1 - random_uniform()));

	return radius * cos(2 * M_PI * random_uniform());
}
