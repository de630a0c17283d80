/*-------------------------------------------------------------------------
 *
 * protocol.h
 *	  The messages between a backend and gpuscand.
 *
 * They travel over a Unix socket of type SOCK_SEQPACKET, one struct per
 * message. Bulk data travels through staging memory: a memfd that gpuscand
 * creates and passes with its welcome.  Both processes run on one machine and
 * come from one build, so structs are sent as they are.  gs_msg_hello.version
 * detects a mix of releases, and the assertions at the end of this file detect
 * a change without a new version.
 *
 *		backend							gpuscand
 *		HELLO						->
 *									<-	WELCOME, with the memfd; or REFUSED
 *
 * A small call is one message each way, including its data:
 *
 *		CALL						->
 *									<-	RESULT
 *
 * For a larger call, gpuscand grants slots of the staging memory, in lanes.  A
 * lane is the input slot and, if the operation has output, the output slot of
 * one batch.  With several lanes, one is filled while another computes.
 *
 *		BEGIN						->
 *									<-	WAITING, repeated while other sessions
 *										hold all slots
 *									<-	GRANTED
 *		EDGES						->		until all edges have been sent
 *									<-	ACCEPTED
 *		FEED						->		once per batch; no lane may be fed
 *									<-	DONE	again before its DONE
 *		FINISH						->
 *									<-	RESULT
 *		COUNTS						->		histograms: a slot's worth each time
 *									<-	COUNTED
 *		FETCH						->		orders, groups: a slot's worth each
 *									<-	FETCHED	time; no lane again before its
 *												FETCHED
 *		END							->		releases the slots; no answer
 *
 * gpuscand caches toasted values in the engine's own memory, and BEGIN names
 * the toasted values among the arguments.  If gpuscand has cached all arrays,
 * or has memory for the missing ones, GRANTED says so.  The missing arrays are
 * then loaded once, and only results move from then on:
 *
 *		LOAD						->		for each part of each argument that
 *									<-	LOADED	GRANTED has asked for
 *
 * An operation without output over cached arrays needs no FEED or FINISH:
 * RESULT follows as soon as everything is loaded.  After the GS_OK of a
 * reduction, END must not be sent either.  Any other operation is fed without
 * data: each FEED asks for the results of the next elements, in array order.
 *
 * A gs_is_placement() needs its arrays there, toasted or not: each of its FEEDs
 * may use all of them.
 *
 * Reductions of several cached arrays, which are no request, travel together.
 * Arrays that are not cached stay so:
 *
 *		REDUCE						->
 *									<-	REDUCED
 *
 * After an answer with a status other than GS_OK, gpuscand discards all
 * messages up to END.  A client that stops before an answer has come, or dies,
 * closes the socket, which releases everything it had.
 *
 * gpuscand trusts no message.  It answers one that exceeds the grant, or comes
 * out of turn, with REFUSED, and closes the connection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PROTOCOL_H
#define GS_PROTOCOL_H

#include <sys/types.h>

#include "engine/engine.h"

#define GS_PROTOCOL_MAGIC		0x67707363	/* "gpsc" */
/* A new operation renumbers others, so it makes a new version, too. */
#define GS_PROTOCOL_VERSION		(26 << 8 | GS_KINDS)

/* No message is longer; it fits every system's default socket buffer. */
#define GS_MESSAGE_MAX			(64 * 1024)

/*
 * A CALL carries at most 1/64 of a slot of data each way (and no more than
 * fits a message).  Beyond that, copying twice through the socket costs more
 * than a second round trip.  With the tiny slots of tests, the limit is tiny
 * too.
 */
#define GS_CALL_FRACTION		64

#define GS_SLOT_SIZE_MIN		(32 * 1024) /* bytes; holds GS_BATCH_ALIGN
											 * elements of any operation */
#define GS_SLOT_SIZE_MAX		(64 * 1024 * 1024)
#define GS_SLOT_SIZE_DEFAULT	(4 * 1024 * 1024)	/* 97 % of PCIe's rate */
#define GS_DEVICE_SIZE_MAX		(UINT64_C(1) << 50) /* limit on device memory */
#define GS_STAGING_ALIGN		64	/* bytes; each part in a slot */

static inline size_t
gs_staging_align(size_t size)
{
	return (size + GS_STAGING_ALIGN - 1) & ~(size_t) (GS_STAGING_ALIGN - 1);
}

/*
 * The memfd has a page behind its slots that starts with a mark.  After
 * gpuscand has ended, the supervisor frees the memory, this page first, even
 * though sessions still have it mapped; it then reads as zeros.  So if the
 * mark is still there after results were copied, the copy is what gpuscand
 * wrote.
 */
#define GS_STAGING_PAGE			4096
#define GS_STAGING_MARK			UINT64_C(0x6770736361727669)

#define GS_MAX_LANES			8
#define GS_MAX_ELEMENTS			INT64_C(0x7fffffff) /* of an array */
#define GS_MAX_BUCKETS			((1 << 27) - 4) /* counts fit 1 GiB */

typedef enum gs_message
{
	/* from the backend */
	GS_MSG_HELLO = 1,			/* gs_msg_hello */
	GS_MSG_CALL,				/* gs_msg_call, then the data */
	GS_MSG_BEGIN,				/* gs_msg_begin */
	GS_MSG_EDGES,				/* gs_msg_edges */
	GS_MSG_FEED,				/* gs_msg_feed */
	GS_MSG_FINISH,				/* gs_header */
	GS_MSG_COUNTS,				/* gs_msg_counts */
	GS_MSG_END,					/* gs_header */
	GS_MSG_STATUS,				/* gs_header */
	GS_MSG_LOAD,				/* gs_msg_load */
	GS_MSG_LIST,				/* gs_msg_list */
	GS_MSG_CLEAR,				/* gs_header */
	GS_MSG_FETCH,				/* gs_msg_fetch */
	GS_MSG_REDUCE,				/* gs_msg_reduce, then gs_reduce_array */

	/* reports (report.h) */
	GS_MSG_REPORT,				/* gs_msg_report, then a part of the plan */
	GS_MSG_PLAN,				/* gs_msg_plan, then a part of the plan */
	GS_MSG_LOOKUP,				/* gs_msg_lookup */
	GS_MSG_TABLE,				/* gs_msg_table */
	GS_MSG_MAP,					/* gs_msg_map */
	GS_MSG_LSNS,				/* gs_msg_lsns */
	GS_MSG_VERIFIED,			/* gs_msg_map */
	GS_MSG_USABLE,				/* gs_msg_map */
	GS_MSG_FEED_ROWS,			/* gs_msg_feed_rows */
	GS_MSG_LOOK,				/* gs_msg_map */
	GS_MSG_FINISH_REPORT,		/* gs_msg_finish_report */
	GS_MSG_GROUPS,				/* gs_msg_groups */
	GS_MSG_RANGES,				/* gs_header */
	GS_MSG_SCATTER,				/* gs_msg_scatter */
	GS_MSG_LIST_COLUMNS,		/* gs_msg_list */
	GS_MSG_DICTIONARY,			/* gs_msg_dictionary, then values */

	/* from gpuscand */
	GS_MSG_WELCOME = 64,		/* gs_msg_welcome */
	GS_MSG_REFUSED,				/* gs_msg_refused */
	GS_MSG_WAITING,				/* gs_msg_waiting */
	GS_MSG_GRANTED,				/* gs_msg_granted */
	GS_MSG_ACCEPTED,			/* gs_msg_accepted */
	GS_MSG_DONE,				/* gs_msg_done */
	GS_MSG_RESULT,				/* gs_msg_result, then the data of a CALL */
	GS_MSG_COUNTED,				/* gs_header */
	GS_MSG_STATE,				/* gs_msg_state */
	GS_MSG_LOADED,				/* gs_msg_loaded */
	GS_MSG_ENTRIES,				/* gs_msg_entries, then the entries */
	GS_MSG_CLEARED,				/* gs_msg_cleared */
	GS_MSG_FETCHED,				/* gs_msg_fetched */
	GS_MSG_REDUCED,				/* gs_msg_reduced, then gs_result */
	GS_MSG_OPENED,				/* gs_msg_opened */
	GS_MSG_PAGES,				/* gs_msg_pages */
	GS_MSG_FED,					/* gs_msg_fed */
	GS_MSG_SUMMARY,				/* gs_msg_summary */
	GS_MSG_RANGED,				/* gs_msg_ranged */
	GS_MSG_SCATTERED,			/* gs_msg_scattered */
	GS_MSG_COLUMN_ENTRIES,		/* gs_msg_entries, then gs_msg_column_entry */
	GS_MSG_CODES				/* gs_msg_codes, then codes */
} gs_message;

/* Each message starts with this. */
typedef struct gs_header
{
	uint32_t	kind;			/* gs_message */
	uint32_t	length;			/* of the whole message, in bytes */
} gs_header;

/*
 * The first message.  These three members keep their places in all versions,
 * and so does gs_msg_refused, so that any two releases recognize each other.
 */
typedef struct gs_msg_hello
{
	gs_header	header;
	uint32_t	magic;			/* GS_PROTOCOL_MAGIC */
	uint32_t	version;		/* GS_PROTOCOL_VERSION */
	uint64_t	incarnation;	/* of the server: random, new with each start */
} gs_msg_hello;

/* Why gpuscand closes a connection. */
typedef enum gs_refusal
{
	GS_REFUSED_MALFORMED = 1,	/* a message violates this protocol */
	GS_REFUSED_VERSION,			/* another protocol version */
	GS_REFUSED_INCARNATION,		/* another server, or one that has restarted */
	GS_REFUSED_USER,			/* another operating system user */
	GS_REFUSED_BUSY				/* too many connections, or no memory */
} gs_refusal;

typedef struct gs_msg_refused
{
	gs_header	header;
	uint32_t	refusal;		/* gs_refusal */
	uint32_t	version;		/* of gpuscand's protocol */
	char		message[200];	/* English, zero-terminated */
} gs_msg_refused;

/* Carries the memfd (SCM_RIGHTS), whose size cannot change. */
typedef struct gs_msg_welcome
{
	gs_header	header;
	uint32_t	version;		/* GS_PROTOCOL_VERSION */
	int32_t		pid;			/* of gpuscand */
	uint64_t	incarnation;	/* of the server that it belongs to */
	uint64_t	staging_size;	/* bytes of all slots; the memfd has
								 * GS_STAGING_PAGE more */
	uint32_t	slot_size;		/* bytes of a slot, GS_SLOT_SIZE_MIN to
								 * GS_SLOT_SIZE_MAX, a power of two */
	uint32_t	call_size;		/* bytes of data in a CALL, or its RESULT */
	int32_t		on_device;		/* gs_engine.on_device */
	int32_t		unused;
	char		engine[16];		/* gs_engine.name */
	char		no_device[200]; /* not empty: it serves reports alone, since it
								 * has found no device; English, says why */
} gs_msg_welcome;

/*
 * The data follows, laid out by gs_lay_input.  Operations whose results are
 * fetched are never sent as a CALL, nor is a gs_is_placement().
 */
typedef struct gs_msg_call
{
	gs_header	header;
	gs_op		op;
	int64_t		n;				/* elements; 0 to GS_MAX_ELEMENTS */
	int64_t		present;		/* of these, not NULL; 0 to n */
	int64_t		mask_present;	/* of the mask's, not NULL; 0: no mask */
} gs_msg_call;

/*
 * Identifies a toasted value.  The first five members can come to name another
 * value, once the server's OID counter has wrapped around and the old value is
 * gone.  The location of the value's first TOAST chunk, and the transaction
 * that wrote it, tell the two apart as long as the server is not restarted.
 */
typedef struct gs_toast_id
{
	uint32_t	database;		/* OID; 0: not a toasted value */
	uint32_t	relation;		/* OID of the TOAST table */
	uint32_t	value;			/* OID of the value */
	uint32_t	raw_size;		/* bytes */
	uint32_t	extinfo;		/* size in bytes, and compression method */

	/* the proof: of the first TOAST chunk */
	uint32_t	xmin;
	uint32_t	block;
	uint32_t	offset;
} gs_toast_id;

/* The arguments of an operation that can be toasted values. */
enum
{
	GS_DATA,
	GS_MASK,
	GS_THIRD,
	GS_EDGES,
	GS_ARGUMENTS,

	GS_ARRAYS = GS_EDGES		/* arguments that LOAD can send */
};

/* One of them; edges have a toast_id only. */
typedef struct gs_argument
{
	gs_toast_id toast_id;
	int64_t		max_values;		/* not NULL; 0 to gs_argument_elements() */
	int32_t		nulls;			/* 0 or 1: there is a bitmap */
	int32_t		unused;
} gs_argument;

typedef struct gs_msg_begin
{
	gs_header	header;
	gs_op		op;
	int64_t		n;				/* of the whole data; 0 to GS_MAX_ELEMENTS */
	int32_t		lanes;			/* wanted: 1 to GS_MAX_LANES; may get fewer */
	int32_t		only_cached;	/* 0 or 1: answer GS_NOT_CACHED unless the
								 * toasted arrays are cached, or have been
								 * asked for before */
	gs_argument argument[GS_ARGUMENTS];
} gs_msg_begin;

/* Other sessions hold all slots, and gpuscand is alive. */
typedef struct gs_msg_waiting
{
	gs_header	header;
	uint64_t	progress;		/* grows whenever gpuscand finishes something */
} gs_msg_waiting;

/* How an operation fared. */
typedef struct gs_outcome
{
	int32_t		status;			/* gs_status */
	int32_t		answer;			/* gs_error.answer */
	int64_t		position;		/* gs_error.position */
	char		message[200];	/* gs_error.message */
} gs_outcome;

typedef struct gs_msg_granted
{
	gs_header	header;
	gs_outcome	outcome;		/* if not GS_OK, nothing is granted */
	int64_t		elements;		/* maximum per FEED; 0 until all edges have
								 * been sent */
	int32_t		lanes;			/* 1 to the number wanted; 0: none needed */
	int32_t		cached;			/* 0 or 1: the arrays are in its cache */
	uint32_t	hit;			/* bit i: argument i was cached */
	uint32_t	load;			/* bit i: argument i must be loaded */

	/* slot numbers, counted from 0, of each lane */
	uint32_t	input[GS_MAX_LANES];
	uint32_t	output[GS_MAX_LANES];	/* only if the operation has output */
} gs_msg_granted;

/* The next edges are in lane 0's input slot. */
typedef struct gs_msg_edges
{
	gs_header	header;
	int64_t		count;			/* 1 to the number missing; at most a slot's
								 * worth */
} gs_msg_edges;

typedef struct gs_msg_accepted
{
	gs_header	header;
	gs_outcome	outcome;
	int64_t		elements;		/* as in gs_msg_granted */
} gs_msg_accepted;

/*
 * The next elements of an argument are in a lane's input slot, laid out by
 * gs_lay_load.
 */
typedef struct gs_msg_load
{
	gs_header	header;
	int64_t		n;				/* 1 to the number missing; a multiple of
								 * GS_BATCH_ALIGN except in the last LOAD */
	int64_t		present;		/* 0 to n */
	int32_t		lane;			/* as in gs_msg_feed */
	int32_t		argument;		/* GS_DATA, GS_MASK or GS_THIRD */
} gs_msg_load;

typedef struct gs_msg_loaded
{
	gs_header	header;
	gs_outcome	outcome;
} gs_msg_loaded;

/*
 * The next elements are in a lane's input slot, laid out by gs_lay_input.
 * There is a bitmap if and only if some are NULL.  If the arrays are cached,
 * the slot is empty, and present and mask_present are 0.
 */
typedef struct gs_msg_feed
{
	gs_header	header;
	int64_t		n;				/* 1 to gs_msg_granted.elements and to the
								 * number missing; a multiple of
								 * GS_BATCH_ALIGN except in the last FEED */
	int64_t		present;		/* 0 to n */
	int64_t		mask_present;	/* 0 to n; 0 if there is no mask */
	int32_t		lane;			/* 0 to gs_msg_granted.lanes - 1 */
	int32_t		unused;
} gs_msg_feed;

/* The results are in the lane's output slot, laid out by gs_lay_output. */
typedef struct gs_msg_done
{
	gs_header	header;
	gs_outcome	outcome;
	int64_t		n;				/* gs_output.n; at most gs_msg_feed.n */
	int64_t		present;		/* gs_output.present; n: no bitmap */
} gs_msg_done;

/* The answer to CALL and FINISH. */
typedef struct gs_msg_result
{
	gs_header	header;
	gs_outcome	outcome;

	/*
	 * The rest is set only with GS_OK.  In the answer to a CALL, data
	 * follows: a histogram's counts, or results laid out by gs_lay_output.
	 */
	int64_t		n;				/* as in gs_msg_done; 0 after FINISH */
	int64_t		present;
	gs_result	result;			/* counts is NULL */
} gs_msg_result;

/* Put counts of the histogram into lane 0's input slot. */
typedef struct gs_msg_counts
{
	gs_header	header;
	int64_t		first;			/* counted from 0 */
	int64_t		count;			/* 1 to the number from first on; at most a
								 * slot's worth */
} gs_msg_counts;

/* Put rows of a column of results into a lane's input slot. */
typedef struct gs_msg_fetch
{
	gs_header	header;
	int64_t		first;			/* counted from 0 */
	int64_t		count;			/* 1 to the number from first on; at most a
								 * slot's worth */
	int32_t		column;			/* a gs_column that the operation has */
	int32_t		lane;			/* 0 to gs_msg_granted.lanes - 1 */
} gs_msg_fetch;

typedef struct gs_msg_fetched
{
	gs_header	header;
	gs_outcome	outcome;
} gs_msg_fetched;

/*
 * Longer arrays take longer to reduce than to ask for, one by one; and what a
 * client waits for has to end soon.
 */
#define GS_REDUCE_ELEMENTS	(INT64_C(1) << 20)

/* One of the arrays that a REDUCE is of. */
typedef struct gs_reduce_array
{
	gs_argument argument;		/* toast_id.database is not 0 */
	int64_t		n;				/* elements; 1 to GS_REDUCE_ELEMENTS */
} gs_reduce_array;

typedef struct gs_msg_reduce
{
	gs_header	header;
	gs_op		op;				/* gs_can_reduce_each */
	int64_t		count;			/* 1 to GS_REDUCE_ARRAYS; as many
								 * gs_reduce_array follow */
} gs_msg_reduce;

/*
 * Of the arrays that are cached the results follow, in their order.  counts is
 * NULL in them.  With a status other than GS_OK none follow.
 */
typedef struct gs_msg_reduced
{
	gs_header	header;
	gs_outcome	outcome;
	uint32_t	cached;			/* bit i: array i is */
	uint32_t	unused;
} gs_msg_reduced;

/* gpuscand's state, for gpuscan_status(). */
typedef struct gs_msg_state
{
	gs_header	header;
	char		engine[16];
	char		device[128];	/* empty if the engine has none */
	char		driver[32];
	uint64_t	memory_total;	/* bytes of device memory; 0: no device */
	uint64_t	memory_used;	/* by gpuscand */
	uint64_t	staging_total;	/* bytes */
	uint64_t	staging_free;
	uint64_t	calls;			/* answered since it started */
	int64_t		started_at;		/* microseconds since 1970 */
	int32_t		connections;	/* including this one */
	int32_t		unused;

	/* cached toasted values */
	uint64_t	cache_size;		/* bytes: the limit */
	uint64_t	cache_bytes;
	uint64_t	cache_entries;
	uint64_t	cache_hits;
	uint64_t	cache_misses;
	uint64_t	cache_saved;	/* bytes that hits saved sending */

	/* reports, and the columns of tables that share the cache's size */
	uint64_t	column_bytes;
	uint64_t	host_cache_size;	/* bytes: the limit of those on the host */
	uint64_t	host_bytes;
	uint64_t	columns;
	uint64_t	reports;		/* answered */
	uint64_t	report_held;	/* rows of held columns that they used */
	uint64_t	report_fed;		/* rows that were read for them */
	uint64_t	report_verified;	/* pages that they verified */
} gs_msg_state;

/* List cached values, as many as a message holds. */
typedef struct gs_msg_list
{
	gs_header	header;
	uint64_t	from;			/* 0, then gs_msg_entries.next */
} gs_msg_list;

typedef struct gs_msg_entry
{
	gs_toast_id toast_id;
	int32_t		type;
	int32_t		unused;
	int64_t		n;
	int64_t		bytes;
	int64_t		hits;
	int64_t		last_used;		/* microseconds since 1970 */
} gs_msg_entry;

typedef struct gs_msg_entries
{
	gs_header	header;
	uint64_t	next;			/* 0: this was the last part */
	int64_t		count;
} gs_msg_entries;

typedef struct gs_msg_cleared
{
	gs_header	header;
	int64_t		count;
} gs_msg_cleared;

/* Offsets, in bytes, of the parts of an input slot. */
typedef struct gs_input_layout
{
	size_t		edges;			/* CALL only */
	size_t		values;
	size_t		validity;
	size_t		mask;
	size_t		mask_validity;
	size_t		size;			/* of all */
} gs_input_layout;

/* Offsets in an output slot, with capacity for n results and their bitmap. */
typedef struct gs_output_layout
{
	size_t		values;
	size_t		validity;
	size_t		size;			/* of all */
} gs_output_layout;

/* wire.c: what both sides must compute the same way. */
extern void gs_op_receive(gs_op *op, const gs_op *message);
extern void gs_lay_input(const gs_op *op, bool edges, int64_t n,
						 int64_t present, int64_t mask_present,
						 gs_input_layout *layout);
extern void gs_lay_load(gs_type type, bool nulls, int64_t n, int64_t present,
						gs_input_layout *layout);
extern int64_t gs_load_elements(gs_type type, bool nulls, size_t slot_size);
extern gs_type gs_argument_type(const gs_op *op, int argument);
extern int64_t gs_argument_elements(const gs_op *op, int argument, int64_t n);
extern void gs_lay_output(const gs_op *op, int64_t n,
						  gs_output_layout *layout);
extern size_t gs_call_reply_size(const gs_op *op, int64_t n);
extern int64_t gs_slot_elements(const gs_op *op, size_t slot_size);

/*
 * What gpuscand sends to the supervisor: when it is ready; its engine follows.  When
 * one of several devices has failed; the others follow, as in --devices.
 */
#define GS_READY				"ready "
#define GS_REMAINING			"remaining "

extern ssize_t gs_send_memory(int socket, const void *message, size_t length,
							  int memory);
extern ssize_t gs_receive_memory(int socket, void *message, size_t size,
								 int *memory);

/* A change here changes the protocol: give it a new version. */
#define GS_WIRE_SIZE(type, size) \
	_Static_assert(sizeof(type) == (size), "size of " #type)

#ifndef __cplusplus
_Static_assert(sizeof(gs_msg_reduced) + GS_REDUCE_ARRAYS * sizeof(gs_result)
			   <= GS_MESSAGE_MAX, "the results of a REDUCE fit a message");
GS_WIRE_SIZE(gs_msg_hello, 24);
GS_WIRE_SIZE(gs_msg_refused, 216);
GS_WIRE_SIZE(gs_msg_welcome, 264);
GS_WIRE_SIZE(gs_op, 376);
GS_WIRE_SIZE(gs_msg_call, 408);
GS_WIRE_SIZE(gs_argument, 48);
GS_WIRE_SIZE(gs_msg_begin, 400 + 4 * sizeof(gs_argument));
GS_WIRE_SIZE(gs_outcome, 216);
GS_WIRE_SIZE(gs_msg_granted, 312);
GS_WIRE_SIZE(gs_msg_load, 32);
GS_WIRE_SIZE(gs_msg_loaded, 224);
GS_WIRE_SIZE(gs_msg_done, 240);
GS_WIRE_SIZE(gs_msg_result, 240 + sizeof(gs_result));
GS_WIRE_SIZE(gs_result, 1800);
GS_WIRE_SIZE(gs_msg_fetch, 32);
GS_WIRE_SIZE(gs_msg_fetched, 224);
GS_WIRE_SIZE(gs_reduce_array, 56);
GS_WIRE_SIZE(gs_msg_reduce, 392);
GS_WIRE_SIZE(gs_msg_reduced, 232);
GS_WIRE_SIZE(gs_msg_state, 352);
GS_WIRE_SIZE(gs_msg_list, 16);
GS_WIRE_SIZE(gs_msg_entry, 72);
GS_WIRE_SIZE(gs_msg_entries, 24);
GS_WIRE_SIZE(gs_msg_cleared, 16);
#endif

#endif							/* GS_PROTOCOL_H */
