/*-------------------------------------------------------------------------
 *
 * random.h
 *	  Random numbers for tests: each thread has a stream of its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* The seed in a text; of an empty one, another each time. */
extern uint64_t seed_of(const char *text);

/* Restart the calling thread's stream. */
extern void random_seed(uint64_t seed);

extern uint64_t random_bits(void);
extern int64_t random_below(int64_t bound); /* in [0, bound) */
extern bool one_in(int64_t n);	/* true with probability 1 / n */
extern double random_uniform(void); /* in [0, 1) */
extern double random_normal(void);

/* The next number of the stream with this state. */
extern uint64_t splitmix64(uint64_t *state);

#ifdef __cplusplus
}
#endif

#endif							/* TEST_RANDOM_H */
