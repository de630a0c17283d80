/*-------------------------------------------------------------------------
 *
 * hostile.c
 *	  Invalid messages: gpuscand refuses them, and survives.
 *
 * Every message is sent with each of its members out of range, and must be
 * refused.  Then every message, in every state of a connection where it may
 * come, is sent with each of its words corrupted in many ways.  Then come
 * messages out of turn, memory that does not match its message or changes
 * while it is used, and random bytes.  There, a corrupted value may happen to
 * be valid.  So each message must either be answered or end the connection,
 * and after each kind gpuscand must be there, with nothing granted and nobody
 * connected.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "test/common/random.h"

/* The state of a connection when the message comes. */
typedef enum state
{
	CONNECTED,					/* before HELLO */
	IDLE,
	SCANNING,					/* a scan has begun, .. */
	COMPACTING,					/* .. a compaction */
	EDGES_EXPECTED,				/* a histogram has begun */
	FED,						/* and has all its data */
	FINISHED,					/* a histogram's counts can be asked for */
	ORDERED,					/* an order's results can, one of 1024 equal
								 * elements */
	MOVED,						/* the results of 1024 moving frames can */
	GROUPING,					/* groups have begun, with booleans as keys */
	GROUPED						/* one group's results can be asked for */
} state;

static client c;

/* A CALL with memory for its data and more. */
typedef struct whole_call
{
	gs_msg_call call;
	char		data[1024];
} whole_call;

static gs_msg_hello hello = {{GS_MSG_HELLO, sizeof hello}, GS_PROTOCOL_MAGIC,
GS_PROTOCOL_VERSION, INCARNATION};
static whole_call call_scan = {.call = {
		{GS_MSG_CALL, sizeof(gs_msg_call) + 256},
{.kind = GS_SCAN_SUM, .type = GS_INT4}, 50, 50, 0}};
static whole_call call_mask = {.call = {
		{GS_MSG_CALL, sizeof(gs_msg_call) + 128},
{.kind = GS_COMPACT, .type = GS_INT2}, 20, 20, 20}};
static whole_call call_edges = {.call = {
		{GS_MSG_CALL, sizeof(gs_msg_call) + 128},
{.kind = GS_HISTOGRAM_EDGES, .type = GS_FLOAT8, .histogram.buckets = 4}, 6, 6, 0}};
static whole_call call_search = {.call = {
		{GS_MSG_CALL, sizeof(gs_msg_call) + 128},
{.kind = GS_SEARCH, .type = GS_INT8, .search.count = 5}, 6, 6, 0}};
static gs_msg_begin begin_scan = {{GS_MSG_BEGIN, sizeof begin_scan},
{.kind = GS_SCAN_SUM, .type = GS_INT4}, .n = 5000, .lanes = 2};
static gs_msg_begin begin_stats = {{GS_MSG_BEGIN, sizeof begin_stats},
{.kind = GS_STATS, .type = GS_FLOAT4}, .n = 5000, .lanes = 2};
static gs_msg_begin begin_width = {{GS_MSG_BEGIN, sizeof begin_width},
{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT4, .histogram.low = 0, .histogram.high = 1,
.histogram.buckets = 10, .histogram.formula = GS_BUCKET_PRODUCT_FIRST}, .n = 2000, .lanes = 1};
static gs_msg_begin begin_filter = {{GS_MSG_BEGIN, sizeof begin_filter},
{.kind = GS_FILTER, .type = GS_INT8, .filter.compare = GS_LT, .filter.integer_bound = 1},
.n = 2000, .lanes = 1};
static gs_msg_begin begin_expression = {{GS_MSG_BEGIN, sizeof begin_expression},
{.kind = GS_EXPRESSION, .type = GS_INT4, .filter.compare = GS_LT, .filter.integer_bound = 1,
.aggregates = GS_GROUP_SUM, .expression = {.arrays = 1,
.differences = GS_DIFFERENCES_NULL}}, .n = 2000, .lanes = 1};
static gs_msg_begin begin_compact = {{GS_MSG_BEGIN, sizeof begin_compact},
{.kind = GS_COMPACT, .type = GS_INT4}, .n = 5000, .lanes = 2};
static gs_msg_begin begin_edges = {{GS_MSG_BEGIN, sizeof begin_edges},
{.kind = GS_HISTOGRAM_EDGES, .type = GS_FLOAT8, .histogram.buckets = 4},
.n = 1024, .lanes = 1};
static gs_msg_begin begin_search = {{GS_MSG_BEGIN, sizeof begin_search},
{.kind = GS_SEARCH, .type = GS_INT4, .search.count = 5}, .n = 1024, .lanes = 1};
static gs_msg_begin begin_take = {{GS_MSG_BEGIN, sizeof begin_take},
{.kind = GS_TAKE, .type = GS_INT4, .mask.type = GS_INT8,
.mask.elements = 5000}, .n = 1024, .lanes = 1, .argument = {
{.max_values = 1024}, {.max_values = 5000}}};
static gs_msg_begin begin_choose = {{GS_MSG_BEGIN, sizeof begin_choose},
{.kind = GS_CHOOSE_EITHER, .type = GS_BOOL, .mask.type = GS_INT8,
.mask.elements = 1024}, .n = 1024, .lanes = 1, .argument = {
{.max_values = 1024}, {.max_values = 1024}, {.max_values = 1024}}};
static gs_msg_begin begin_interpolate = {
{GS_MSG_BEGIN, sizeof begin_interpolate},
{.kind = GS_INTERPOLATE, .type = GS_INT4, .mask.elements = 5000},
.n = 1024, .lanes = 1, .argument = {
{.max_values = 1024}, {.max_values = 5000}, {.max_values = 5000}}};
static gs_msg_begin begin_shift = {{GS_MSG_BEGIN, sizeof begin_shift},
{.kind = GS_SHIFT, .type = GS_BOOL, .shift.places = -3}, .n = 1024, .lanes = 1,
.argument = {{.max_values = 1024}}};
static gs_msg_begin begin_order = {{GS_MSG_BEGIN, sizeof begin_order},
{.kind = GS_DISTINCT, .type = GS_FLOAT8}, .n = 1024, .lanes = 1};
static gs_msg_begin begin_transpose = {{GS_MSG_BEGIN, sizeof begin_transpose},
{.kind = GS_TRANSPOSE, .type = GS_INT4, .transpose.columns = 7}, .n = 1024,
.lanes = 1};
static gs_msg_begin begin_round = {{GS_MSG_BEGIN, sizeof begin_round},
{.kind = GS_ROUND, .type = GS_FLOAT8, .round.digits = 2}, .n = 1024, .lanes = 1};
static gs_msg_begin begin_power = {{GS_MSG_BEGIN, sizeof begin_power},
{.kind = GS_POWER, .type = GS_INT4, .power.constant = 2},
.n = 1024, .lanes = 1};
static gs_msg_begin begin_sort = {{GS_MSG_BEGIN, sizeof begin_sort},
{.kind = GS_SORT, .type = GS_INT2, .order.descending = 1}, .n = 1024, .lanes = 1};
static gs_msg_begin begin_group = {{GS_MSG_BEGIN, sizeof begin_group},
{.kind = GS_GROUP, .type = GS_INT4, .mask.type = GS_BOOL,
.aggregates = GS_GROUP_SUM | GS_GROUP_MAX}, .n = 1024, .lanes = 1};
static gs_msg_begin begin_segments = {{GS_MSG_BEGIN, sizeof begin_segments},
{.kind = GS_SEGMENT_AVG, .type = GS_INT8, .segment.marked = 1}, .n = 1024,
.lanes = 1};
static gs_msg_begin begin_moving = {{GS_MSG_BEGIN, sizeof begin_moving},
{.kind = GS_MOVING_SUM, .type = GS_FLOAT8, .moving.preceding = 3, .moving.following = 1},
.n = 1024, .lanes = 1};
static gs_msg_begin begin_corr = {{GS_MSG_BEGIN, sizeof begin_corr},
{.kind = GS_MOVING_CORR, .type = GS_INT8, .moving.preceding = 3}, .n = 1024,
.lanes = 1};
static gs_msg_fetch fetch_group = {{GS_MSG_FETCH, sizeof fetch_group}, 0, 1,
GS_COLUMN_SUMS, 0};
static gs_msg_fetch fetch_validity = {{GS_MSG_FETCH, sizeof fetch_validity}, 0,
16, GS_COLUMN_VALIDITY, 0};
static gs_msg_fetch fetch = {{GS_MSG_FETCH, sizeof fetch}, 0, 1,
GS_COLUMN_COUNTS, 0};
static gs_msg_feed feed = {{GS_MSG_FEED, sizeof feed}, 1024, 1024, 0, 0, 0};
static gs_msg_feed feed_mask = {{GS_MSG_FEED, sizeof feed_mask},
1024, 1024, 1024, 0, 0};
static gs_msg_edges edges = {{GS_MSG_EDGES, sizeof edges}, 5};
static gs_msg_counts counts = {{GS_MSG_COUNTS, sizeof counts}, 0, 7};
static struct
{
	gs_msg_reduce reduce;
	gs_reduce_array array[2];
}			reduce = {{{GS_MSG_REDUCE, sizeof reduce},
{.kind = GS_SUM, .type = GS_FLOAT8}, 2},
{{{.toast_id = {.database = 1}}, 5}, {{.toast_id = {.database = 1}}, 6}}};
static gs_header finish = {GS_MSG_FINISH, sizeof finish};
static gs_header end = {GS_MSG_END, sizeof end};
static gs_header status = {GS_MSG_STATUS, sizeof status};

static const struct
{
	const char *name;
	state state;
	void	   *message;		/* valid in that state */
	size_t		members;		/* bytes of members to corrupt */
	gs_message	answer;			/* 0: none */
}			messages[] = {
	{"HELLO", CONNECTED, &hello, sizeof hello, GS_MSG_WELCOME},
	{"CALL of a scan", IDLE, &call_scan, sizeof(gs_msg_call), GS_MSG_RESULT},
	{"CALL with a mask", IDLE, &call_mask, sizeof(gs_msg_call), GS_MSG_RESULT},
	{"CALL with edges", IDLE, &call_edges, sizeof(gs_msg_call) + 40,
	GS_MSG_RESULT},
	{"CALL of a search", IDLE, &call_search, sizeof(gs_msg_call) + 40,
	GS_MSG_RESULT},
	{"BEGIN of a scan", IDLE, &begin_scan, sizeof begin_scan, GS_MSG_GRANTED},
	{"BEGIN of statistics", IDLE, &begin_stats, sizeof begin_stats,
	GS_MSG_GRANTED},
	{"BEGIN of a histogram", IDLE, &begin_width, sizeof begin_width,
	GS_MSG_GRANTED},
	{"BEGIN of a filter", IDLE, &begin_filter, sizeof begin_filter,
	GS_MSG_GRANTED},
	{"BEGIN of an expression", IDLE, &begin_expression, sizeof begin_expression,
	GS_MSG_GRANTED},
	{"BEGIN of a compaction", IDLE, &begin_compact, sizeof begin_compact,
	GS_MSG_GRANTED},
	{"BEGIN with edges", IDLE, &begin_edges, sizeof begin_edges,
	GS_MSG_GRANTED},
	{"BEGIN of a search", IDLE, &begin_search, sizeof begin_search,
	GS_MSG_GRANTED},
	{"BEGIN of positions", IDLE, &begin_take, sizeof begin_take,
	GS_MSG_GRANTED},
	{"BEGIN of a choice", IDLE, &begin_choose, sizeof begin_choose,
	GS_MSG_GRANTED},
	{"BEGIN of lines", IDLE, &begin_interpolate, sizeof begin_interpolate,
	GS_MSG_GRANTED},
	{"BEGIN of later places", IDLE, &begin_shift, sizeof begin_shift,
	GS_MSG_GRANTED},
	{"BEGIN of a transposition", IDLE, &begin_transpose,
	sizeof begin_transpose, GS_MSG_GRANTED},
	{"BEGIN of decimal rounding", IDLE, &begin_round, sizeof begin_round,
	GS_MSG_GRANTED},
	{"BEGIN of a power", IDLE, &begin_power, sizeof begin_power,
	GS_MSG_GRANTED},
	{"BEGIN of a sort", IDLE, &begin_sort, sizeof begin_sort, GS_MSG_GRANTED},
	{"FETCH", ORDERED, &fetch, sizeof fetch, GS_MSG_FETCHED},
	{"BEGIN of segments", IDLE, &begin_segments, sizeof begin_segments,
	GS_MSG_GRANTED},
	{"BEGIN of groups", IDLE, &begin_group, sizeof begin_group, GS_MSG_GRANTED},
	{"BEGIN of moving frames", IDLE, &begin_moving, sizeof begin_moving,
	GS_MSG_GRANTED},
	{"BEGIN of moving correlations", IDLE, &begin_corr, sizeof begin_corr,
	GS_MSG_GRANTED},
	{"FEED of groups", GROUPING, &feed_mask, sizeof feed_mask, GS_MSG_DONE},
	{"FETCH of groups", GROUPED, &fetch_group, sizeof fetch_group,
	GS_MSG_FETCHED},
	{"FETCH of validity", MOVED, &fetch_validity, sizeof fetch_validity,
	GS_MSG_FETCHED},
	{"EDGES", EDGES_EXPECTED, &edges, sizeof edges, GS_MSG_ACCEPTED},
	{"FEED", SCANNING, &feed, sizeof feed, GS_MSG_DONE},
	{"FEED with a mask", COMPACTING, &feed_mask, sizeof feed_mask, GS_MSG_DONE},
	{"COUNTS", FINISHED, &counts, sizeof counts, GS_MSG_COUNTED},
	{"FINISH", FED, &finish, sizeof finish, GS_MSG_RESULT},
	{"END", SCANNING, &end, sizeof end, 0},
	{"STATUS", IDLE, &status, sizeof status, GS_MSG_STATE},
	{"REDUCE", IDLE, &reduce, sizeof reduce, GS_MSG_REDUCED},
};

#define MESSAGES	(sizeof messages / sizeof *messages)

static const int64_t wrong[] = {
	-1, 0, 1, 2, 3, 7, 8, 64, 255, 1023, 1025, 65535, 65536,
	INT32_MAX, INT32_MIN, UINT32_MAX, INT64_C(1) << 32, INT64_C(1) << 40,
	INT64_MAX, INT64_MIN, INT64_C(0x7ff0000000000000),
	INT64_C(0x7ff8000000000000), INT64_C(0x3ff0000000000000)
};

#define WRONG		(sizeof wrong / sizeof *wrong)

static uint32_t
exchange(const void *message)
{
	client_send_raw(&c, message, ((const gs_header *) message)->length);
	return client_receive(&c);
}

/* Bring a new connection into a state; its input slot is in `slot`. */
static char *slot;

static void
enter(state s)
{
	const gs_msg_granted *answer = (const gs_msg_granted *) c.buffer;

	if (s == CONNECTED)
	{
		client_connect(&c);
		return;
	}
	client_open(&c);
	if (s == IDLE)
		return;
	exchange(s == SCANNING ? &begin_scan : s == COMPACTING ? &begin_compact :
			 s == ORDERED ? &begin_order : s == MOVED ? &begin_moving :
			 s >= GROUPING ? &begin_group : &begin_edges);
	slot = client_slot(&c, answer->input[0]);
	if (s == COMPACTING || s >= GROUPING)
		memset(slot, 0, SLOT_SIZE); /* random bytes are no flags */
	if (s == GROUPED)
	{
		exchange(&feed_mask);
		exchange(&finish);
	}
	if (s == SCANNING || s == COMPACTING || s >= GROUPING)
		return;
	for (int i = 0; i < 5; i++)
		((double *) slot)[i] = i;
	if (s >= FED)
	{
		if (s < ORDERED)
			exchange(&edges);
		memset(slot, 0, 1024 * sizeof(double));
		exchange(&feed);
	}
	if (s >= FINISHED)
		exchange(&finish);
}

/*
 * Members, and values that are certainly out of range.  Members not listed may
 * have any value in that message.
 */
#define OP(member)		offsetof(gs_msg_call, op.member), \
	sizeof(((gs_op *) 0)->member), #member
#define OF(type, member)	offsetof(type, member), \
	sizeof(((type *) 0)->member), #member
#define NOT_A_NUMBER	INT64_C(0x7ff8000000000000)
#define INFINITE		INT64_C(0x7ff0000000000000)
#define ONE				INT64_C(0x3ff0000000000000)
#define VALUES			8

_Static_assert(offsetof(gs_msg_call, op) == offsetof(gs_msg_begin, op) &&
			   offsetof(gs_msg_call, op) == offsetof(gs_msg_reduce, op),
			   "OP serves all");

static const struct
{
	state state;
	void	   *message;
	size_t		at;
	size_t		width;
	const char *member;
	int			count;
	int64_t		value[VALUES];
}			out_of_range[] = {
	{CONNECTED, &hello, OF(gs_msg_hello, magic), 3, {0, -1, 0x63737067}},
	{CONNECTED, &hello, OF(gs_msg_hello, version), 3,
	{0, GS_PROTOCOL_VERSION + 1, -1}},
	{CONNECTED, &hello, OF(gs_msg_hello, incarnation), 3, {0, -1, 1}},

	{IDLE, &call_scan, OP(kind), 8,
	{-1, 0, GS_KINDS, GS_KINDS + 1, 99, 1000, INT32_MAX, INT32_MIN}},
	{IDLE, &call_scan, OP(type), 6,
	{-1, 0, GS_BOOL, GS_FLOAT8 + 1, 255, INT32_MAX}},
	{IDLE, &call_scan, OP(scan.exclusive), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &call_scan, OP(segment.marked), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &call_scan, OP(segment.length), 4,
	{-1, GS_MAX_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &call_scan, OF(gs_msg_call, n), 6,
	{-1, 0, 65, GS_MAX_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &call_scan, OF(gs_msg_call, present), 4,
	{-1, 51, INT64_MAX, INT64_MIN}},
	{IDLE, &call_scan, OF(gs_msg_call, mask_present), 4,
	{-1, 1, INT64_MAX, INT64_MIN}},
	{IDLE, &call_mask, OF(gs_msg_call, present), 3, {-1, 21, INT64_MAX}},
	{IDLE, &call_mask, OF(gs_msg_call, mask_present), 4,
	{-1, 21, INT64_MAX, INT64_MIN}},
	{IDLE, &call_edges, OP(histogram.buckets), 7,
	{-1, 0, 5, 1000, GS_MAX_BUCKETS, INT32_MAX, INT32_MIN}},
	{IDLE, &call_search, OP(search.count), 7,
	{-1, 0, 6, 1000, GS_MAX_BUCKETS, INT32_MAX, INT32_MIN}},
	{IDLE, &call_search, OP(search.left), 4, {-1, 2, 256, INT32_MIN}},

	{IDLE, &begin_scan, OP(kind), 8,
	{-1, 0, GS_KINDS, GS_KINDS + 1, 99, 1000, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_scan, OP(type), 6,
	{-1, 0, GS_BOOL, GS_FLOAT8 + 1, 255, INT32_MAX}},
	{IDLE, &begin_scan, OP(scan.exclusive), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_scan, OP(segment.marked), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_scan, OP(segment.length), 4,
	{-1, GS_MAX_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_stats, OP(type), 5,
	{-1, 0, GS_BOOL, GS_FLOAT8 + 1, INT32_MAX}},
	{IDLE, &begin_width, OP(histogram.low), 4, {NOT_A_NUMBER, INFINITE, -1, ONE}},
	{IDLE, &begin_width, OP(histogram.high), 4, {NOT_A_NUMBER, INFINITE, -1, 0}},
	{IDLE, &begin_width, OP(histogram.buckets), 4,
	{-1, 0, GS_MAX_BUCKETS + 1, INT32_MAX}},
	{IDLE, &begin_width, OP(histogram.formula), 5,
	{-1, 0, GS_BUCKET_QUOTIENT_FIRST + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_filter, OP(filter.compare), 5,
	{-1, 0, GS_GT + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_filter, OP(filter.integer_bound), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_expression, OP(filter.compare), 4,
	{-1, GS_GT + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_expression, OP(filter.integer_bound), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_expression, OP(expression.arrays), 5,
	{-1, 0, 2, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_expression, OP(expression.differences), 4,
	{-1, GS_DIFFERENCES_NULL + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_expression, OP(expression.steps), 5,
	{-1, 1, GS_EXPRESSION_STEPS + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_edges, OP(histogram.buckets), 4,
	{-1, 0, GS_MAX_BUCKETS + 1, INT32_MAX}},
	{IDLE, &begin_transpose, OP(transpose.columns), 5,
	{-1, 0, GS_MAX_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_take, OP(type), 5,
	{-1, GS_INT2, GS_INT8, GS_FLOAT8 + 1, INT32_MAX}},
	{IDLE, &begin_take, OP(mask.type), 5,
	{-1, 0, GS_FLOAT8 + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_take, OP(mask.elements), 6,
	{-1, 0, 4999, GS_MAX_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_take, OF(gs_msg_begin, argument[GS_DATA].max_values), 4,
	{-1, 1025, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_take, OF(gs_msg_begin, argument[GS_MASK].max_values), 5,
	{-1, 1024, 5001, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_choose, OP(mask.elements), 4,
	{-1, 0, 1023, GS_MAX_ELEMENTS + 1}},
	{IDLE, &begin_choose, OP(mask.type), 3, {-1, 0, GS_FLOAT8 + 1}},
	{IDLE, &begin_interpolate, OP(mask.elements), 4,
	{-1, 0, 4999, GS_MAX_ELEMENTS + 1}},
	{IDLE, &begin_interpolate,
		OF(gs_msg_begin, argument[GS_THIRD].max_values), 5,
	{-1, 1024, 5001, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_round, OP(round.digits), 4,
	{INT16_MAX + 1, -INT16_MAX - 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_power, OP(power.of_pairs), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_power, OP(power.constant_is_base), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_search, OP(search.count), 5,
	{-1, 0, GS_MAX_BUCKETS + 2, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_search, OP(search.left), 4, {-1, 2, 256, INT32_MIN}},
	{IDLE, &begin_scan, OF(gs_msg_begin, n), 4,
	{-1, GS_MAX_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_scan, OF(gs_msg_begin, lanes), 5,
	{-1, 0, GS_MAX_LANES + 1, INT32_MAX, INT32_MIN}},

	{EDGES_EXPECTED, &edges, OF(gs_msg_edges, count), 6,
	{-1, 0, 6, INT64_C(1) << 32, INT64_MAX, INT64_MIN}},
	{SCANNING, &feed, OF(gs_msg_feed, n), 7,
	{-1, 0, 1023, 5001, 1024 * 1024, INT64_MAX, INT64_MIN}},
	{SCANNING, &feed, OF(gs_msg_feed, present), 4,
	{-1, 1025, INT64_MAX, INT64_MIN}},
	{SCANNING, &feed, OF(gs_msg_feed, mask_present), 4,
	{-1, 1, INT64_MAX, INT64_MIN}},
	{SCANNING, &feed, OF(gs_msg_feed, lane), 6,
	{-1, 2, GS_MAX_LANES, 1 << 16, INT32_MAX, INT32_MIN}},
	{COMPACTING, &feed_mask, OF(gs_msg_feed, n), 4,
	{-1, 0, 1023, INT64_MAX}},
	{COMPACTING, &feed_mask, OF(gs_msg_feed, mask_present), 4,
	{-1, 1025, INT64_MAX, INT64_MIN}},
	{FINISHED, &counts, OF(gs_msg_counts, first), 5,
	{-1, 1, 7, INT64_MAX, INT64_MIN}},
	{FINISHED, &counts, OF(gs_msg_counts, count), 6,
	{-1, 0, 8, INT64_C(1) << 32, INT64_MAX, INT64_MIN}},

	{IDLE, &reduce, OP(kind), 8, {-1, 0, GS_PRODUCT, GS_ARGMIN, GS_ARGMAX,
	GS_SCAN_SUM, GS_GROUP, GS_KINDS}},
	{IDLE, &reduce, OP(type), 5, {-1, 0, GS_BOOL, GS_FLOAT8 + 1, INT32_MAX}},
	{IDLE, &reduce, OF(gs_msg_reduce, count), 7,
	{-1, 0, 1, 3, GS_REDUCE_ARRAYS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &reduce, sizeof(gs_msg_reduce) + offsetof(gs_reduce_array, n),
	sizeof(int64_t), "n", 5,
	{-1, 0, GS_REDUCE_ELEMENTS + 1, INT64_MAX, INT64_MIN}},
	{IDLE, &reduce, sizeof(gs_msg_reduce), sizeof(uint32_t), "toast_id", 1, {0}},

	/* arrays that must be cached, orders, groups and segments are never sent as
	 * a CALL */
	{IDLE, &call_scan, OP(kind), 3, {GS_TAKE, GS_REVERSE, GS_SHIFT}},
	{IDLE, &call_scan, OP(kind), 8, {GS_SORT, GS_SELECT, GS_ARGSORT, GS_RANK,
	GS_DISTINCT, GS_GROUP, GS_SEGMENT_SUM, GS_SEGMENT_COUNT}},
	{IDLE, &begin_segments, OP(type), 5,
	{-1, 0, GS_BOOL, GS_FLOAT8 + 1, INT32_MAX}},
	{IDLE, &begin_segments, OP(segment.marked), 5, {-1, 0, 2, 256, INT32_MIN}},
	{IDLE, &begin_segments, OP(segment.length), 4,
	{-1, 1, INT64_MAX, INT64_MIN}},
	{IDLE, &begin_sort, OP(kind), 3, {GS_WHERE, GS_DISTINCT,
	GS_DISTINCT + 1}},
	{IDLE, &begin_sort, OP(order.descending), 4, {-1, 2, 256, INT32_MIN}},
	{ORDERED, &fetch, OF(gs_msg_fetch, first), 4,
	{-1, 1, INT64_MAX, INT64_MIN}},
	{ORDERED, &fetch, OF(gs_msg_fetch, count), 6,
	{-1, 0, 2, INT64_C(1) << 32, INT64_MAX, INT64_MIN}},
	{ORDERED, &fetch, OF(gs_msg_fetch, column), 4,
	{-1, GS_COLUMN_VALIDITY, GS_COLUMN_COUNTS + 1, INT32_MIN}},
	{ORDERED, &fetch, OF(gs_msg_fetch, lane), 5,
	{-1, 1, GS_MAX_LANES, INT32_MAX, INT32_MIN}},
	{MOVED, &fetch_validity, OF(gs_msg_fetch, first), 5,
	{-1, 1, 16, INT64_MAX, INT64_MIN}},
	{MOVED, &fetch_validity, OF(gs_msg_fetch, count), 5,
	{-1, 0, 17, 1024, INT64_MAX}},
	{MOVED, &fetch_validity, OF(gs_msg_fetch, column), 3,
	{GS_COLUMN_COUNTS, GS_COLUMN_SUMS, GS_COLUMNS}},
	{IDLE, &begin_moving, OP(moving.preceding), 2, {-1, INT32_MIN}},
	{IDLE, &begin_moving, OP(moving.following), 2, {-1, INT32_MIN}},
	{IDLE, &begin_moving, OP(type), 4,
	{-1, 0, GS_BOOL, GS_FLOAT8 + 1}},
	{IDLE, &begin_group, OP(type), 5,
	{-1, 0, GS_BOOL, GS_FLOAT8 + 1, INT32_MAX}},
	{IDLE, &begin_group, OP(mask.type), 5,
	{-1, 0, GS_FLOAT8 + 1, INT32_MAX, INT32_MIN}},
	{IDLE, &begin_group, OP(aggregates), 5,
	{-1, 0, GS_GROUP_ALL + 1, INT32_MAX, INT32_MIN}},
	{GROUPING, &feed_mask, OF(gs_msg_feed, mask_present), 4,
	{-1, 1025, INT64_MAX, INT64_MIN}},
	{GROUPED, &fetch_group, OF(gs_msg_fetch, first), 4,
	{-1, 1, INT64_MAX, INT64_MIN}},
	{GROUPED, &fetch_group, OF(gs_msg_fetch, count), 4,
	{-1, 0, 2, INT64_MAX}},
	{GROUPED, &fetch_group, OF(gs_msg_fetch, column), 7,
	{-1, GS_COLUMN_VALUES, GS_COLUMN_COUNTS, GS_COLUMN_WIDE_SUMS,
	GS_COLUMN_MEDIANS, GS_COLUMNS, INT32_MIN}},
};

#define OUT_OF_RANGE	(sizeof out_of_range / sizeof *out_of_range)

/* Is a message refused, and does that end the connection? */
static bool
is_refused(state s, const void *message, size_t length)
{
	bool		refused;

	enter(s);
	client_send_raw(&c, message, length);
	refused = client_receive(&c) == GS_MSG_REFUSED;
	refused = refused && client_receive(&c) == 0;
	client_close(&c);
	return refused;
}

/* Every member out of range. */
static void
test_ranges(void)
{
	char		copy[GS_MESSAGE_MAX];

	for (size_t i = 0; i < OUT_OF_RANGE; i++)
	{
		const gs_header *header = out_of_range[i].message;
		int			missed = 0;

		for (int j = 0; j < out_of_range[i].count; j++)
		{
			memcpy(copy, header, header->length);
			memcpy(copy + out_of_range[i].at, &out_of_range[i].value[j],
				   out_of_range[i].width);
			missed += !is_refused(out_of_range[i].state, copy, header->length);
		}
		check(missed == 0, "kind %d: %s out of range", (int) header->kind,
			  out_of_range[i].member);
	}
	check(service_is_idle(), "members out of range");
}

/* The header of every message: kinds that no client may send, and lengths. */
static void
test_headers(void)
{
	static const uint32_t kinds[] = {0, 48, 63, GS_MSG_WELCOME, GS_MSG_STATE,
	GS_MSG_FETCHED, GS_MSG_FETCHED + 1, 65536, INT32_MAX, UINT32_MAX};
	char		copy[GS_MESSAGE_MAX];
	int			missed = 0;

	for (size_t which = 0; which < MESSAGES; which++)
	{
		const gs_header *header = messages[which].message;
		gs_header  *wrong_header = (gs_header *) copy;

		memcpy(copy, header, header->length);
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		{
			wrong_header->kind = kinds[i];
			missed += !is_refused(messages[which].state, copy, header->length);
		}
		wrong_header->kind = header->kind;
		for (int more = -1; more <= 1; more += 2)
		{
			wrong_header->length = header->length + more;
			missed += !is_refused(messages[which].state, copy, header->length);
		}
	}
	check(missed == 0 && service_is_idle(), "headers out of range");
}

/* Send a message that may be invalid; false if nothing happens. */
static bool
survives(state s, const void *message, size_t length)
{
	gs_header	ask = status;
	uint32_t	kind;

	enter(s);
	client_send_raw(&c, message, length);
	if (s != CONNECTED)
		client_send_raw(&c, &ask, sizeof ask);	/* END has no answer */
	kind = client_receive(&c);
	client_close(&c);
	return kind != UINT32_MAX;
}

/* Every member of a message, in words of 32 and of 64 bits. */
static void
sweep(int which)
{
	char		copy[GS_MESSAGE_MAX];
	size_t		length = ((gs_header *) messages[which].message)->length;
	int			sent = 0;
	int			silent = 0;
	uint32_t	answer;

	enter(messages[which].state);
	client_send_raw(&c, messages[which].message, length);
	if (messages[which].answer == 0)
		client_send_raw(&c, &status, sizeof status);
	answer = client_receive(&c);
	client_close(&c);
	check(answer == (messages[which].answer ? messages[which].answer :
					 GS_MSG_STATE), "%s", messages[which].name);
	for (size_t at = 0; at < messages[which].members; at += 4)
	{
		for (size_t i = 0; i < WRONG; i++)
		{
			for (size_t width = 4; width <= 8; width += 4)
			{
				/* members of 8 bytes are aligned */
				if (at % width != 0 ||
					at + width > messages[which].members || !is_taken())
					continue;
				memcpy(copy, messages[which].message, length);
				memcpy(copy + at, &wrong[i], width);
				sent++;
				silent += !survives(messages[which].state, copy, length);
			}
		}
	}
	check(silent == 0 && service_is_idle(), "%s: %d with wrong members",
		  messages[which].name, sent);
}

/* All lengths up to the right one, and beyond. */
static void
sweep_lengths(void)
{
	static char copy[2 * GS_MESSAGE_MAX];
	int			silent = 0;

	for (size_t which = 0; which < MESSAGES; which++)
	{
		gs_header  *header = messages[which].message;

		memset(copy, 0, sizeof copy);
		memcpy(copy, header, header->length);
		for (size_t length = 1; length <= header->length + 9u; length += 3)
		{
			if (!is_taken())
				continue;
			silent += !survives(messages[which].state, copy, length);
			((gs_header *) copy)->length = (uint32_t) length;
			silent += !survives(messages[which].state, copy, length);
			((gs_header *) copy)->length = header->length;
		}
		for (size_t length = GS_MESSAGE_MAX - 1; length < GS_MESSAGE_MAX + 2;
			 length++)
		{
			((gs_header *) copy)->length = (uint32_t) length;
			silent += !survives(messages[which].state, copy, length);
		}
	}
	check(silent == 0 && service_is_idle(), "messages of wrong lengths");
}

/* Each message in each state, twice. */
static void
sweep_states(void)
{
	int			silent = 0;

	for (size_t which = 0; which < MESSAGES; which++)
	{
		for (state s = CONNECTED; s <= GROUPED; s++)
		{
			gs_header  *header = messages[which].message;

			enter(s);
			client_send_raw(&c, header, header->length);
			client_send_raw(&c, header, header->length);
			client_send_raw(&c, &status, sizeof status);
			silent += client_receive(&c) == UINT32_MAX;
			client_close(&c);
		}
	}
	check(silent == 0 && service_is_idle(), "messages out of turn");
}

/* Messages that are certainly invalid must be refused. */
static void
test_refusals(void)
{
	gs_msg_hello wrong_hello = hello;
	whole_call	wrong_call = call_mask;
	gs_msg_feed wrong_feed = feed;

	wrong_hello.version++;
	client_connect(&c);
	check(client_hello(&c, &wrong_hello) == GS_REFUSED_VERSION,
		  "another version is refused");
	client_close(&c);
	wrong_hello = hello;
	wrong_hello.incarnation++;
	client_connect(&c);
	check(client_hello(&c, &wrong_hello) == GS_REFUSED_INCARNATION,
		  "another incarnation is refused");
	client_close(&c);

	enter(IDLE);
	wrong_call.data[64] = 2;
	check(exchange(&wrong_call) == GS_MSG_REFUSED,
		  "a mask that is neither true nor false");
	check(client_receive(&c) == 0, "and then the connection ends");
	client_close(&c);

	enter(IDLE);
	wrong_call = call_edges;
	memset(wrong_call.data, 0, 40);
	check(exchange(&wrong_call) == GS_MSG_REFUSED, "edges that do not ascend");
	client_close(&c);

	enter(IDLE);
	wrong_call = call_search;
	((int64_t *) wrong_call.data)[0] = 5;
	check(exchange(&wrong_call) == GS_MSG_REFUSED, "keys that do not ascend");
	client_close(&c);

	enter(SCANNING);
	wrong_feed.present = 1000;
	memset(slot, 0xff, SLOT_SIZE);
	check(exchange(&wrong_feed) == GS_MSG_REFUSED,
		  "a bitmap with more ones than values");
	client_close(&c);

	enter(SCANNING);
	wrong_feed = feed;
	wrong_feed.n = wrong_feed.present = 1000;
	check(exchange(&wrong_feed) == GS_MSG_REFUSED,
		  "a batch that is not the last, of a wrong size");
	client_close(&c);
}

/* Random bytes, alone and over valid messages. */
static void
test_random(void)
{
	static char bytes[GS_MESSAGE_MAX];
	int			silent = 0;

	for (int i = 0; i < 1000; i++)
	{
		size_t		which = random_bits() % MESSAGES;
		size_t		length = ((gs_header *) messages[which].message)->length;
		state		s = random_bits() % (GROUPED + 1);

		if (!is_taken())
			continue;
		if (i % 2 == 0)
		{
			length = 1 + random_bits() % (i % 20 == 0 ? 60000 : 300);
			random_fill(bytes, length);
			if (length > 8 && i % 4 == 0)
			{
				((gs_header *) bytes)->kind = random_bits() % 12;
				((gs_header *) bytes)->length = (uint32_t) length;
			}
		}
		else
		{
			memcpy(bytes, messages[which].message, length);
			s = messages[which].state;
			for (int j = 0; j < 3; j++)
				random_fill(bytes + 8 + random_bits() % (length - 7) / 4 * 4,
							length > 12 ? 2 : 0);
		}
		silent += !survives(s, bytes, length);
	}
	check(silent == 0 && service_is_idle(), "random messages");
}

static _Atomic bool scribbling;

static void *
scribble(void *memory)
{
	while (scribbling)
		random_fill(memory, SLOT_SIZE);
	return NULL;
}

/*
 * Memory that changes while gpuscand reads it, so that bitmaps and flags
 * become invalid after it has checked them.
 */
static void
test_scribbling(void)
{
	gs_msg_feed half = feed_mask;
	int			silent = 0;

	for (int i = 0; i < 150; i++)
	{
		state		s = i % 3 == 0 ? SCANNING :
			i % 3 == 1 ? COMPACTING : GROUPING;
		pthread_t	thread;
		uint32_t	kind;

		if (!is_taken())
			continue;
		enter(s);
		half.mask_present = s == COMPACTING ? 1024 : s == GROUPING ? 512 : 0;
		half.present = 512;
		memset(slot, 0, SLOT_SIZE);
		memset(slot + half.present * sizeof(int32_t), 0x55, 128);
		scribbling = true;
		pthread_create(&thread, NULL, scribble, slot);
		kind = exchange(&half);
		silent += kind != GS_MSG_DONE && kind != GS_MSG_REFUSED;
		if (s == GROUPING && kind == GS_MSG_DONE)
			exchange(&finish);
		scribbling = false;
		pthread_join(thread, NULL);
		client_close(&c);
	}
	check(silent == 0 && service_is_idle(), "memory that changes");
}

/* Begin an operation, with edges if it wants any. */
static bool
begin_operation(const void *message, gs_msg_granted *grant)
{
	if (exchange(message) != GS_MSG_GRANTED)
		return false;
	memcpy(grant, c.buffer, sizeof *grant);
	if (grant->elements > 0)
		return true;
	memcpy(client_slot(&c, grant->input[0]), call_search.data,
		   edges.count * sizeof(int64_t));
	return exchange(&edges) == GS_MSG_ACCEPTED;
}

/* Feed an operation many times, while its output slot changes. */
static uint32_t
feed_scribbled(const void *message)
{
	gs_msg_granted grant;
	pthread_t	thread;
	uint32_t	kind = GS_MSG_DONE;

	enter(IDLE);
	if (!begin_operation(message, &grant))
		return 0;
	scribbling = true;
	pthread_create(&thread, NULL, scribble, client_slot(&c, grant.output[0]));
	for (int i = 0; i < 500 && kind == GS_MSG_DONE; i++)
	{
		kind = exchange(&feed);
		client_send_raw(&c, &end, sizeof end);
		if (!begin_operation(message, &grant))
			break;
	}
	scribbling = false;
	pthread_join(thread, NULL);
	return kind;
}

/*
 * Results that change while gpuscand writes them: it must not rely on what it
 * reads there.
 */
static void
test_scribbled_results(void)
{
	int			silent = 0;
	int			operations = 0;

	for (size_t which = 0; which < MESSAGES; which++)
	{
		const gs_msg_begin *begin = messages[which].message;
		gs_op		op;
		uint32_t	kind;

		if (begin->header.kind != GS_MSG_BEGIN)
			continue;
		gs_op_receive(&op, &begin->op);
		if (!gs_has_output(&op) || !service_has_released())
			continue;
		kind = feed_scribbled(begin);
		client_close(&c);
		silent += kind != GS_MSG_DONE && kind != GS_MSG_REFUSED;
		operations += kind == GS_MSG_DONE;
	}
	check(silent == 0 && operations > 0 && service_is_idle(),
		  "results of %d operations that change", operations);
}

/* Disconnect in every state, in the middle of everything. */
static void
test_vanishing(void)
{
	for (state s = CONNECTED; s <= GROUPED; s++)
	{
		for (int i = 0; i < 3; i++)
		{
			enter(s);
			client_send_raw(&c, &feed, i == 1 ? sizeof feed : 8);
			client_close(&c);
		}
	}
	check(service_is_idle(), "clients that vanish");
}

void
test_hostile(void)
{
	for (int i = 0; i < 5; i++)
	{
		((double *) call_edges.data)[i] = i;
		((int64_t *) call_search.data)[i] = i;
	}
	test_refusals();
	test_ranges();
	test_headers();
	for (size_t which = 0; which < MESSAGES; which++)
		sweep((int) which);
	sweep_lengths();
	sweep_states();
	test_random();
	test_scribbling();
	test_scribbled_results();
	test_vanishing();
}
