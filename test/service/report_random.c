/*-------------------------------------------------------------------------
 *
 * report_random.c
 *	  Reports while the table changes, step by step in random order.
 *
 * Several backends take turns, a message or a few at a time, and between these
 * pages change, vacuums set bits, and the table grows.  Each report must give
 * the rows of its snapshot.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>

#include "heap.h"
#include "test/common/random.h"

#define BACKENDS	4
#define REPORTS		1500

/* What a backend does next. */
typedef enum step
{
	BEGIN,
	MAP,						/* the map has been copied */
	VERIFY,
	READ,
	LOOK,						/* the map has been copied */
	FINISH
} step;

typedef struct actor
{
	backend		b;
	step		next;
	int			maps;			/* sent for this report */
	uint32_t	from;			/* the next page */
} actor;

static actor actors[BACKENDS];
static heap h;
static uint32_t relation = 2000;
static int64_t reports;
static int64_t held;			/* pages */
static int64_t read_now;
static int64_t verified;

/* The oldest snapshot in use, as vacuum must know it. */
static int64_t
oldest_snapshot(void)
{
	int64_t		oldest = h.time + 1;

	for (int i = 0; i < BACKENDS; i++)
	{
		if (actors[i].next != BEGIN && actors[i].b.snapshot < oldest)
			oldest = actors[i].b.snapshot;
	}
	return oldest;
}

static bool
is_idle(void)
{
	for (int i = 0; i < BACKENDS; i++)
	{
		if (actors[i].next != BEGIN)
			return false;
	}
	return true;
}

/* Something happens to the table. */
static void
disturb(void)
{
	uint32_t	block = (uint32_t) random_below(h.blocks);

	switch (random_below(8))
	{
		case 0:
		case 1:
			heap_change(&h, block);
			break;
		case 2:
			/* a few pages of one map page are favoured */
			heap_change(&h, (uint32_t) random_below(6));
			break;
		case 3:
		case 4:
			heap_vacuum(&h, (uint32_t) random_below(HEAP_MAPS),
						oldest_snapshot());
			break;
		case 5:
			if (h.blocks < HEAP_BLOCKS && one_in(10))
				h.changed[h.blocks++] = ++h.time;
			break;
		case 6:
			if (is_idle() && one_in(4))
			{
				for (uint32_t i = 150; i < h.blocks; i++)
					heap_change(&h, i);
				h.blocks = 150;
			}
			break;
		default:
			if (is_idle() && one_in(20))
				heap_init(&h, ++relation, 200);
	}
}

static bool
take_step(actor *a)
{
	backend    *b = &a->b;

	switch (a->next)
	{
		case BEGIN:
			b->settles = one_in(2);
			b->settles_all = b->settles && one_in(4);
			if (!backend_begin(b, &h, (unsigned) random_below(8)))
				return false;
			a->maps = 0;
			a->from = 0;
			backend_copy_map(b);
			a->next = MAP;
			return true;
		case MAP:
			if (!backend_map(b, a->maps++ >= random_below(4)))
				return false;
			a->next = b->held.verify > 0 ? VERIFY : READ;
			return b->held.verify > 0 || backend_usable(b);
		case VERIFY:
			if (!backend_verify(b))
				return false;
			backend_copy_map(b);
			a->next = MAP;
			return true;
		case READ:
			if (one_in(100))
			{
				report_end(&b->r);
				a->next = BEGIN;
				return true;
			}
			if (!backend_read(b, &a->from, 1 + (int) random_below(50)))
				return false;
			if (a->from < b->blocks)
				return true;
			backend_copy_map(b);
			a->next = one_in(20) ? FINISH : LOOK;
			return true;
		case LOOK:
			a->next = FINISH;
			return backend_look(b);
		default:
			a->next = BEGIN;
			reports++;
			held += b->held.usable;
			read_now += b->fed;
			verified += b->verified;
			return backend_finish(b);
	}
}

void
test_report_random(void)
{
	bool		good = true;

	reports = held = read_now = verified = 0;
	memset(actors, 0, sizeof actors);
	random_seed(seed);
	heap_init(&h, ++relation, 200);
	for (int i = 0; i < BACKENDS; i++)
		client_open(&actors[i].b.r.c);
	while (reports < REPORTS && good)
	{
		/* quiet times, too: else nothing would ever be held for long */
		if (reports / 8 % 2 == 0 && one_in(3))
			disturb();
		good = take_step(&actors[random_below(BACKENDS)]);
	}
	check(good && held > read_now / 2 && read_now > 0 && verified > 0,
		  "%d reports while the table changes: %lld pages held, %lld verified,"
		  " %lld read", (int) reports, (long long) held, (long long) verified,
		  (long long) read_now);
	for (int i = 0; i < BACKENDS; i++)
		client_close(&actors[i].b.r.c);
	check(service_is_idle(), "everything is released");
}

/* The same on several devices, each of which a thread feeds. */
void
test_report_devices(void)
{
	char	   *several[] = {"--devices=0,0,0", "--threads=2", NULL};
	service		s;

	service_start(&s, several);
	test_report_random();
	check(service_end(&s, SIGTERM) == 0, "gpuscand ends in order");
}
