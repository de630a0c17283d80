/*-------------------------------------------------------------------------
 *
 * scribble.c
 *	  Staging memory that changes all the time: gpuscand computes nonsense, but
 *	  no more.
 *
 * Every operation, of every type, is executed many times by a client, one of
 * whose threads overwrites the operation's slots meanwhile, input and output:
 * with what the client should have sent, and with noise of several kinds.  Some
 * noise passes all checks: bitmaps have as many ones, and flags are flags.
 * gpuscand may refuse what comes or answer whatever it likes, but it must be
 * there afterwards.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "engine/plan.h"
#include "harness.h"
#include "test/common/random.h"

#define ELEMENTS	3072		/* three tiles, and one feed, of any operation */
#define NULLS		1			/* bits of a variant: half of the elements are
								 * NULL; .. */
#define MASK_NULLS	2
#define OTHER		4			/* .. another form of the operation, */
#define WIDE		8			/* floats of more magnitudes */
#define VARIANTS	16
#define NOISES		4
#define TIMES		3			/* that each is executed */

static client c;

/* An operation, and what the slots should have. */
typedef struct trial
{
	gs_msg_begin begin;
	gs_op		op;
	gs_msg_feed feed;
	gs_input_layout layout;
	gs_msg_granted grant;
	char		input[SLOT_SIZE];
	char		noise[NOISES][SLOT_SIZE];
} trial;

static trial t;
static _Atomic bool scribbling;
static _Atomic unsigned turns;

/* ----------
 * Operations
 * ----------
 */

static void
set_map(gs_op *op, bool other)
{
	gs_expression *e = &op->expression;

	op->diff.null_first = other;
	op->range.outside = other;
	op->choose.where_false = other;
	op->choose.has_constant = other;
	op->search.count = 5;
	op->search.left = other;
	op->pairs.compare = other ? GS_EQ : GS_LT;
	op->shift.places = 2;
	op->round.digits = 2;
	op->power.constant = 2;
	op->power.of_pairs = other;
	op->mask.type = other ? GS_FLOAT8 : GS_INT2;
	op->mask.elements = ELEMENTS;
	if (op->kind != GS_ARITHMETIC)
		return;
	e->arrays = 2;
	e->steps = 1;
	e->step[0] = (gs_step) {
		other ? GS_CODE_DIVIDE : GS_CODE_ADD, GS_COLUMN(0), GS_COLUMN(1), 0
	};
}

static void
set_operation(gs_op *op, gs_kind kind, gs_type type, bool other)
{
	memset(op, 0, sizeof *op);
	op->kind = kind;
	op->type = type;
	switch (gs_family_of(kind))
	{
		case GS_FAMILY_SCAN:
			op->segment.marked = other;
			op->scan.exclusive = other;
			break;
		case GS_FAMILY_HISTOGRAM:
			op->histogram.high = 100;
			op->histogram.buckets = 4;
			op->histogram.formula = other ? GS_BUCKET_QUOTIENT_FIRST :
				GS_BUCKET_PRODUCT_FIRST;
			break;
		case GS_FAMILY_MAP:
			set_map(op, other);
			break;
		case GS_FAMILY_COMPACT:
			op->filter.compare = GS_LT;
			op->filter.bound = 50;
			break;
		case GS_FAMILY_ORDER:
			op->transpose.columns = 7;
			break;
		case GS_FAMILY_GROUP:
			op->mask.type = other ? GS_INT8 : GS_INT4;
			op->aggregates = GS_GROUP_ALL;
			break;
		case GS_FAMILY_EXPRESSION:
			op->aggregates = GS_GROUP_ALL & ~GS_GROUP_MEDIAN;
			op->filter.compare = GS_LT;
			op->filter.bound = 50;
			op->expression.arrays = 1;
			op->expression.differences = other ? GS_DIFFERENCES_KEEP : 0;
			break;
		case GS_FAMILY_SEGMENT:
			op->segment.marked = !other;
			op->segment.length = other ? 5 : 0;
			break;
		case GS_FAMILY_MOVING:
			op->moving.preceding = 3;
			op->moving.following = 1;
			op->ewma.alpha = 0.5;
			op->ewma.adjust = other;
			op->percentile.fraction = 0.5;
			op->percentile.discrete = other;
			break;
		default:
			break;
	}
}

/* ----------
 * Data, and noise
 * ----------
 */

/* Elements that ascend, slowly, but for some magnitudes if `wide`. */
static void
put_values(gs_type type, bool wide, int64_t n, char *to)
{
	static const double magnitude[] = {0x1p60, 1, 0x1p-60};
	int			width = gs_type_width(type);

	for (int i = 0; i < n; i++)
	{
		double		x = (1 + i / 64) * (wide ? magnitude[i % 3] : 1);
		gs_value	v = {.i8 = 1 + i / 64};

		if (type == GS_BOOL)
			v.i8 = i % 2;
		else if (type == GS_FLOAT4)
			v.f4 = (float) x;
		else if (type == GS_FLOAT8)
			v.f8 = x;
		memcpy(to + (size_t) i * width, &v, width);
	}
}

/* Values and their bitmap, if any; or noise of a kind, 0 to NOISES - 1. */
static void
put_span(char *base, gs_type type, int64_t present, int kind, bool wide,
		 size_t values, size_t validity)
{
	size_t		size = (size_t) present * gs_type_width(type);

	if (kind < 0 || kind == 3)
		put_values(type, wide, present, base + values);
	else
		random_fill(base + values, size);
	for (size_t i = 0; kind >= 0 && type == GS_BOOL && i < size; i++)
		base[values + i] &= kind == 2 ? 0xff : 1;
	if (present < ELEMENTS)
		memset(base + validity, kind < 0 ? 0x55 : kind == 0 ? 0xaa : kind == 1 ?
			   0x0f : kind == 2 ? 0xff : 0, ELEMENTS / 8);
}

static void
put_input(char *base, int kind, bool wide)
{
	put_span(base, (gs_type) t.op.type, t.feed.present, kind, wide,
			 t.layout.values, t.layout.validity);
	if (gs_has_mask(&t.op))
		put_span(base, gs_mask_type(&t.op), t.feed.mask_present, kind, false,
				 t.layout.mask, t.layout.mask_validity);
}

/* False: there is no such operation. */
static bool
set_trial(gs_kind kind, gs_type type, int variant)
{
	memset(&t, 0, sizeof t);
	t.begin = (gs_msg_begin) {{GS_MSG_BEGIN, sizeof t.begin}, .n = ELEMENTS,
	.lanes = 1};
	set_operation(&t.begin.op, kind, type, (variant & OTHER) != 0);
	gs_op_receive(&t.op, &t.begin.op);
	for (int i = 0; i < GS_ARGUMENTS; i++)
		t.begin.argument[i].max_values = ELEMENTS;
	t.feed = (gs_msg_feed) {{GS_MSG_FEED, sizeof t.feed}, ELEMENTS,
		variant & NULLS ? ELEMENTS / 2 : ELEMENTS,
		!gs_has_mask(&t.op) ? 0 :
		variant & MASK_NULLS ? ELEMENTS / 2 : ELEMENTS, 0, 0};
	if (!(gs_operation_of(kind)->types & 1u << type) ||
		((variant & MASK_NULLS) && !gs_has_mask(&t.op)) ||
		((variant & WIDE) && type != GS_FLOAT8) ||
		(gs_is_placement(kind) && (variant & (NULLS | MASK_NULLS))))
		return false;
	gs_lay_input(&t.op, false, ELEMENTS, t.feed.present, t.feed.mask_present,
				 &t.layout);
	put_input(t.input, -1, (variant & WIDE) != 0);
	for (int i = 0; i < NOISES; i++)
		put_input(t.noise[i], i, (variant & WIDE) != 0);
	return true;
}

/*
 * Half of the time the memory is as it should be.  The first two kinds of noise
 * pass all checks, so they come more often.
 */
static void *
scribble(void *unused)
{
	while (scribbling)
	{
		unsigned	turn = turns++;
		const char *noise = t.noise[turn % 8 < 6 ? turn % 2 : turn / 8 % NOISES];

		memcpy(client_slot(&c, t.grant.input[0]), noise, t.layout.size);
		if (gs_has_output(&t.op))
			memcpy(client_slot(&c, t.grant.output[0]), noise, SLOT_SIZE / 2);
		memcpy(client_slot(&c, t.grant.input[0]), t.input, t.layout.size);
	}
	return unused;
}

/* ----------
 * Executions
 * ----------
 */

static uint32_t
exchange(const void *message)
{
	client_send_raw(&c, message, ((const gs_header *) message)->length);
	return client_receive(&c);
}

/* The status that an answer with an outcome has; -1: it is another one. */
static int
status_of(const void *message, gs_message answer)
{
	const gs_msg_accepted *a = (const gs_msg_accepted *) c.buffer;

	return exchange(message) == answer ? a->outcome.status : -1;
}

/* Edges and arrays that must come before the elements. */
static int
prepare(void)
{
	gs_msg_edges edges = {{GS_MSG_EDGES, sizeof edges}, 5};
	int			status = GS_OK;

	if (gs_has_edges((gs_kind) t.op.kind))
	{
		for (int i = 0; i < 5; i++)
		{
			gs_value	v = {.i8 = i};

			if (t.op.kind == GS_HISTOGRAM_EDGES)
				v.f8 = i;
			memcpy(client_slot(&c, t.grant.input[0]) + i * sizeof v, &v,
				   sizeof v);
		}
		status = status_of(&edges, GS_MSG_ACCEPTED);
	}
	for (int i = 0; i < GS_ARRAYS && status == GS_OK; i++)
	{
		gs_msg_load load = {{GS_MSG_LOAD, sizeof load}, ELEMENTS, ELEMENTS, 0,
		i};

		if (t.grant.load >> i & 1)
		{
			put_values(gs_argument_type(&t.op, i), false, ELEMENTS,
					   client_slot(&c, t.grant.input[0]));
			status = status_of(&load, GS_MSG_LOADED);
			t.feed.present = t.feed.mask_present = 0;
		}
	}
	return status;
}

static int
fetch_all(int64_t results)
{
	int			status = GS_OK;

	for (int column = 0; column < GS_COLUMNS && status == GS_OK; column++)
	{
		gs_msg_fetch fetch = {{GS_MSG_FETCH, sizeof fetch}, 0, 0, column, 0};
		int64_t		rows = gs_column_rows((gs_column) column, results);
		int64_t		most;

		if (results == 0 || !gs_has_column(&t.op, (gs_column) column) ||
			column == GS_COLUMN_WIDE_SUMS || column == GS_COLUMN_WIDE_SQUARES)
			continue;
		most = SLOT_SIZE / (int64_t) gs_column_width(&t.op, (gs_column) column);
		fetch.count = rows < most ? rows : most;
		status = status_of(&fetch, GS_MSG_FETCHED);
	}
	return status;
}

/* Feed, finish and fetch, until the end. */
static int
execute(void)
{
	gs_header	finish = {GS_MSG_FINISH, sizeof finish};
	int			status = status_of(&t.feed, GS_MSG_DONE);

	if (status == GS_OK)
		status = status_of(&finish, GS_MSG_RESULT);
	if (status == GS_OK && gs_is_fetched((gs_kind) t.op.kind))
		status = fetch_all(((const gs_msg_result *) c.buffer)->result.results);
	return status;
}

/* One execution, while the memory changes.  Returns its status, or -1. */
static int
scribble_once(void)
{
	gs_header	end = {GS_MSG_END, sizeof end};
	pthread_t	thread;
	int			status = status_of(&t.begin, GS_MSG_GRANTED);

	if (status != GS_OK)
		return status;
	memcpy(&t.grant, c.buffer, sizeof t.grant);
	status = prepare();
	memcpy(client_slot(&c, t.grant.input[0]), t.input, t.layout.size);
	turns = 0;
	scribbling = true;
	pthread_create(&thread, NULL, scribble, NULL);
	while (turns == 0)
		sched_yield();
	if (status == GS_OK)
		status = execute();
	scribbling = false;
	pthread_join(thread, NULL);
	client_send_raw(&c, &end, sizeof end);
	return status;
}

/* Some executions; *done counts those that were not refused. */
static void
scribble_on(int *done)
{
	const gs_msg_feed feed = t.feed;

	client_open(&c);
	for (int i = 0; i < TIMES; i++)
	{
		int			status;

		if (i >= 1 && !is_taken())
			continue;
		status = scribble_once();
		t.feed = feed;
		if (status >= 0)
		{
			++*done;
			continue;
		}
		client_close(&c);
		client_open(&c);
	}
	client_close(&c);
}

/* Executions of all types and variants. */
static void
scribble_kind(gs_kind kind, int *done)
{
	for (gs_type type = GS_BOOL; type < GS_TYPES; type++)
	{
		/* types of a width are alike */
		if (type == GS_INT2 || type == GS_FLOAT4)
			continue;
		for (int variant = 0; variant < VARIANTS; variant++)
		{
			if (set_trial(kind, type, variant))
				scribble_on(done);
		}
	}
}

void
test_scribble(void)
{
	for (gs_kind kind = 1; kind < GS_KINDS; kind++)
	{
		int			done = 0;

		/* until one at least was not refused */
		for (int i = 0; i < TRIES && done == 0; i++)
			scribble_kind(kind, &done);
		check(done > 0 && service_is_idle(), "%s, %d times, of changing memory",
			  gs_operation_of(kind)->name, done);
	}
}
