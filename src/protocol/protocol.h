/*-------------------------------------------------------------------------
 *
 * protocol.h
 *	  What a backend and gpuscand say to each other.
 *
 * They talk over a Unix socket of type SOCK_SEQPACKET, one struct a message,
 * and share the memory of a memfd that gpuscand makes and passes with its
 * welcome.  Both run on one machine and come from one build, so structs travel
 * as they are; gs_msg_hello.version guards against a mixture of releases, and the
 * assertions at the end of this file against a change without a new version.
 *
 *		backend							gpuscand
 *		HELLO						->
 *									<-	WELCOME, with the memfd; or REFUSED
 *
 * A small call is one message each way, data and all:
 *
 *		CALL						->
 *									<-	RESULT
 *
 * A larger one borrows chunks of the shared memory, in `slots`: one chunk for
 * input, and one for output if the operation has output.  There are several
 * slots, so that one is filled while another computes.
 *
 *		BEGIN						->
 *									<-	WAITING, now and then while all
 *										chunks are lent to others
 *									<-	LENT
 *		EDGES						->		until all edges have been sent
 *									<-	TAKEN
 *		FEED						->		for each chunk; no slot may be fed
 *									<-	DONE	again before its DONE
 *		FINISH						->
 *									<-	RESULT
 *		COUNTS						->		histograms: a slot's worth each time
 *									<-	COUNTED
 *		TAKE						->		orders: a slot's worth each time; no
 *									<-	TOOK	slot again before its TOOK
 *		END							->		gives the chunks back; no answer
 *
 * gpuscand keeps copies of stored values, in the engine's own memory, and BEGIN
 * says which stored values the arguments are.  Where it has them all, or has
 * room for those that it lacks, LENT says so, the arguments are loaded once,
 * and nothing but the results moves:
 *
 *		LOAD						->		for each chunk of each argument that
 *									<-	LOADED	LENT has asked for
 *
 * A reduction, histogram or order needs no further message then: RESULT follows
 * when all is there, without FINISH; of a reduction, with GS_OK, without END
 * too.  Otherwise FEED follows, without data: it asks for the results of the
 * next elements, in the order of the array.
 *
 * After an answer with a status other than GS_OK gpuscand drops all messages
 * up to END.  A client that wants to stop before an answer has come, or is no
 * longer there, closes the socket: that gives back all it had.
 *
 * gpuscand trusts no message.  What does not fit what was lent, or comes out
 * of turn, is answered by REFUSED and the end of the connection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PROTOCOL_H
#define GS_PROTOCOL_H

#include <sys/types.h>

#include "engine/engine.h"

#define GS_PROTOCOL_MAGIC		0x67707363	/* "gpsc" */
/* A new operation gives others new numbers, so it is a new version too. */
#define GS_PROTOCOL_VERSION		(4 << 8 | GS_KINDS)

/* No message is longer; it fits every system's default socket buffer. */
#define GS_MESSAGE_MAX			(64 * 1024)

/*
 * CALL carries at most a 64th of a chunk of data each way (and no more than a
 * message holds): beyond it, copying twice through the socket costs more than
 * a second round trip.  Tiny chunks, for tests, leave CALL tiny too.
 */
#define GS_CALL_FRACTION		64

#define GS_CHUNK_SIZE_MIN		(16 * 1024)	/* bytes; holds GS_CHUNK_ALIGN
											 * elements of any operation */
#define GS_CHUNK_SIZE_MAX		(64 * 1024 * 1024)
#define GS_CHUNK_SIZE_DEFAULT	(4 * 1024 * 1024)	/* 97 % of PCIe's rate */
#define GS_DEVICE_SIZE_MAX		(UINT64_C(1) << 50) /* of a limit of its memory */
#define GS_STAGING_ALIGN		64	/* bytes, of each part in a chunk */
/*
 * Behind its chunks, the memfd has a page that begins with a mark.  When
 * gpuscand has ended, the supervisor frees the memory, this page first, though
 * sessions map it still: it reads as zeros then.  So who finds the mark after
 * results were copied has copied what gpuscand wrote.
 */
#define GS_STAGING_PAGE			4096
#define GS_STAGING_MARK			UINT64_C(0x6770736361727669)

#define GS_MAX_SLOTS			8
#define GS_MAX_ELEMENTS			INT64_C(0x7fffffff) /* of an array */
#define GS_MAX_BUCKETS			((1 << 27) - 4)		/* counts fit 1 GiB */

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
	GS_MSG_TAKE,				/* gs_msg_take */

	/* from gpuscand */
	GS_MSG_WELCOME = 64,		/* gs_msg_welcome */
	GS_MSG_REFUSED,				/* gs_msg_refused */
	GS_MSG_WAITING,				/* gs_msg_waiting */
	GS_MSG_LENT,				/* gs_msg_lent */
	GS_MSG_TAKEN,				/* gs_msg_taken */
	GS_MSG_DONE,				/* gs_msg_done */
	GS_MSG_RESULT,				/* gs_msg_result, then the data of a CALL */
	GS_MSG_COUNTED,				/* gs_header */
	GS_MSG_STATE,				/* gs_msg_state */
	GS_MSG_LOADED,				/* gs_msg_loaded */
	GS_MSG_ENTRIES,				/* gs_msg_entries, then the entries */
	GS_MSG_CLEARED,				/* gs_msg_cleared */
	GS_MSG_TOOK					/* gs_msg_took */
} gs_message;

/* Each message starts with this. */
typedef struct gs_header
{
	uint32_t	kind;			/* gs_message */
	uint32_t	length;			/* of the whole message, in bytes */
} gs_header;

/*
 * The first message.  These three members keep their places in all versions,
 * and so does gs_msg_refused, so that any two releases can tell each other apart.
 */
typedef struct gs_msg_hello
{
	gs_header	header;
	uint32_t	magic;			/* GS_PROTOCOL_MAGIC */
	uint32_t	version;		/* GS_PROTOCOL_VERSION */
	uint64_t	incarnation;	/* of the server: random, new with each start */
} gs_msg_hello;

/* Why gpuscand ends a connection. */
typedef enum gs_refusal
{
	GS_REFUSED_MALFORMED = 1,	/* a message is not what this file says */
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
	char		message[200];	/* English, ends with a zero byte */
} gs_msg_refused;

/* The memfd travels with it (SCM_RIGHTS), and cannot change its size. */
typedef struct gs_msg_welcome
{
	gs_header	header;
	uint32_t	version;		/* GS_PROTOCOL_VERSION */
	int32_t		pid;			/* of gpuscand */
	uint64_t	incarnation;	/* the server's that it belongs to */
	uint64_t	staging_size;	/* bytes of all chunks, behind which the memfd
								 * has GS_STAGING_PAGE more */
	uint32_t	chunk_size;		/* bytes of each chunk, GS_CHUNK_SIZE_MIN to
								 * GS_CHUNK_SIZE_MAX, a power of two */
	uint32_t	call_size;		/* bytes of data in a CALL, or its RESULT */
	char		engine[16];		/* gs_engine.name */
} gs_msg_welcome;

/* gs_op without its pointer; the same members. */
typedef struct gs_wire_op
{
	int32_t		kind;
	int32_t		type;
	int32_t		exclusive;		/* 0 or 1 */
	int32_t		segmented;		/* 0 or 1 */
	int64_t		chunk;			/* 0 to GS_MAX_ELEMENTS */
	double		low;
	double		high;
	int32_t		buckets;		/* 0 to GS_MAX_BUCKETS */
	int32_t		formula;
	int32_t		compare;
	int32_t		integer_bound;	/* 0 or 1 */
	double		bound;
	int64_t		ibound;
	int32_t		descending;		/* 0 or 1 */
	int32_t		unused;
} gs_wire_op;

/* The data follows as gs_input_layout says.  No order travels like this. */
typedef struct gs_msg_call
{
	gs_header	header;
	gs_wire_op	op;
	int64_t		n;				/* elements; 0 to GS_MAX_ELEMENTS */
	int64_t		present;		/* of these, not NULL; 0 to n */
	int64_t		mask_present;	/* of the mask's; 0 to n; 0 if there is none */
} gs_msg_call;

/*
 * What names a stored value.  The name can be given to another value when the
 * server's counter of OIDs has come round, and the old value has gone; where
 * the value's first part lies, and which transaction wrote it, tells the two
 * apart, as long as the server does not start anew.
 */
typedef struct gs_stored
{
	uint32_t	database;		/* OID; 0: not a stored value */
	uint32_t	relation;		/* OID of the TOAST table */
	uint32_t	value;			/* OID of the value */
	uint32_t	raw_size;		/* bytes */
	uint32_t	stored;			/* bytes, and how they are compressed */

	/* the proof, of the first part */
	uint32_t	xmin;
	uint32_t	block;
	uint32_t	offset;
} gs_stored;

/* The arguments of an operation that can be stored values. */
enum
{
	GS_DATA,
	GS_MASK,
	GS_EDGES,
	GS_ARGUMENTS,

	GS_ARRAYS = GS_EDGES		/* arguments that are loaded */
};

/* One of them; edges have no more than `stored`. */
typedef struct gs_argument
{
	gs_stored	stored;
	int64_t		most;			/* values, at most; 0 to GS_MAX_ELEMENTS */
	int32_t		nulls;			/* 0 or 1: there is a bitmap */
	int32_t		unused;
} gs_argument;

typedef struct gs_msg_begin
{
	gs_header	header;
	gs_wire_op	op;
	int64_t		n;				/* of the whole array; 0 to GS_MAX_ELEMENTS */
	int32_t		slots;			/* wanted: 1 to GS_MAX_SLOTS; one must do */
	int32_t		only_kept;		/* 0 or 1: GS_NOT_KEPT unless it has a copy of
								 * the stored arrays, or they are asked for
								 * again and again */
	gs_argument argument[GS_ARGUMENTS];
} gs_msg_begin;

/* All chunks are lent to others, and gpuscand is alive. */
typedef struct gs_msg_waiting
{
	gs_header	header;
	uint64_t	progress;		/* grows with all that gpuscand finishes */
} gs_msg_waiting;

/* What an answer says of a call's fate. */
typedef struct gs_outcome
{
	int32_t		status;			/* gs_status */
	int32_t		unused;
	int64_t		position;		/* gs_error.position */
	char		message[200];	/* gs_error.message */
} gs_outcome;

typedef struct gs_msg_lent
{
	gs_header	header;
	gs_outcome	outcome;		/* if not GS_OK, nothing is lent */
	int64_t		elements;		/* in a FEED, at most; 0 until all edges came */
	int32_t		slots;			/* 1 to those wanted; 0 if none is needed */
	int32_t		resident;		/* 0 or 1: it works on its own copies */
	uint32_t	hit;			/* bit i: it had argument i */
	uint32_t	load;			/* bit i: argument i must be loaded */

	/* numbers of chunks, counted from 0: a slot's input, and its output */
	uint32_t	input[GS_MAX_SLOTS];
	uint32_t	output[GS_MAX_SLOTS];	/* only if the operation has output */
} gs_msg_lent;

/* The next edges lie in slot 0's input. */
typedef struct gs_msg_edges
{
	gs_header	header;
	int64_t		count;			/* 1 to those missing; at most a chunk's worth */
} gs_msg_edges;

typedef struct gs_msg_taken
{
	gs_header	header;
	gs_outcome	outcome;
	int64_t		elements;		/* as in gs_msg_lent */
} gs_msg_taken;

/*
 * The next elements of an argument lie in a slot's input, as gs_lay_load says.
 */
typedef struct gs_msg_load
{
	gs_header	header;
	int64_t		n;				/* 1 to those missing; all but the last: times
								 * GS_CHUNK_ALIGN */
	int64_t		present;		/* 0 to n */
	int32_t		slot;			/* as in gs_msg_feed */
	int32_t		argument;		/* GS_DATA or GS_MASK */
} gs_msg_load;

typedef struct gs_msg_loaded
{
	gs_header	header;
	gs_outcome	outcome;
} gs_msg_loaded;

/*
 * The next elements lie in a slot's input, as gs_input_layout says.  A bitmap
 * is there if, and only if, not all are present.  Where gpuscand works on its
 * own copies, nothing lies there, and both counts of what is present are 0.
 */
typedef struct gs_msg_feed
{
	gs_header	header;
	int64_t		n;				/* 1 to gs_msg_lent.elements, and to those missing;
								 * all but the last: times GS_CHUNK_ALIGN */
	int64_t		present;		/* 0 to n */
	int64_t		mask_present;	/* 0 to n; 0 if there is no mask */
	int32_t		slot;			/* 0 to gs_msg_lent.slots - 1 */
	int32_t		unused;
} gs_msg_feed;

/* The results lie in the slot's output, as gs_output_layout says. */
typedef struct gs_msg_done
{
	gs_header	header;
	gs_outcome	outcome;
	int64_t		n;				/* gs_output.n; at most gs_msg_feed.n */
	int64_t		present;		/* gs_output.present; no bitmap if n */
} gs_msg_done;

/* The answer to CALL and FINISH. */
typedef struct gs_msg_result
{
	gs_header	header;
	gs_outcome	outcome;

	/*
	 * What follows is there with GS_OK only.  For a CALL, its data comes last:
	 * a histogram's counts, or results as gs_output_layout says.
	 */
	int64_t		n;				/* as in gs_msg_done; 0 after FINISH */
	int64_t		present;
	gs_result	result;			/* counts is NULL */
} gs_msg_result;

/* Put the next counts of the histogram into slot 0's input. */
typedef struct gs_msg_counts
{
	gs_header	header;
	int64_t		first;			/* counted from 0 */
	int64_t		count;			/* 1 to those from first on; at most a chunk's
								 * worth */
} gs_msg_counts;

/* Put results of an order into a slot's input. */
typedef struct gs_msg_take
{
	gs_header	header;
	int64_t		first;			/* counted from 0 */
	int64_t		count;			/* 1 to those from first on; at most a chunk's
								 * worth */
	int32_t		column;			/* gs_column that the operation has */
	int32_t		slot;			/* 0 to gs_msg_lent.slots - 1 */
} gs_msg_take;

typedef struct gs_msg_took
{
	gs_header	header;
	gs_outcome	outcome;
} gs_msg_took;

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
	uint64_t	calls;			/* answered since the start */
	int64_t		started_at;		/* microseconds since 1970 */
	int32_t		connections;	/* this one among them */
	int32_t		unused;

	/* copies of stored values */
	uint64_t	cache_size;		/* bytes, at most */
	uint64_t	cache_bytes;
	uint64_t	cache_entries;
	uint64_t	cache_hits;
	uint64_t	cache_misses;
	uint64_t	cache_saved;	/* bytes that did not have to be sent */
} gs_msg_state;

/* Tell of the copies of stored values, as many as a message holds. */
typedef struct gs_msg_list
{
	gs_header	header;
	uint64_t	from;			/* 0, then gs_msg_entries.next */
} gs_msg_list;

typedef struct gs_msg_entry
{
	gs_stored	stored;
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
	uint64_t	next;			/* 0: these are the last */
	int64_t		count;
} gs_msg_entries;

typedef struct gs_msg_cleared
{
	gs_header	header;
	int64_t		count;
} gs_msg_cleared;

/* Where the parts of one chunk's input lie, in bytes from its start. */
typedef struct gs_input_layout
{
	size_t		edges;			/* CALL only */
	size_t		values;
	size_t		validity;
	size_t		mask;
	size_t		mask_validity;
	size_t		size;			/* of all */
} gs_input_layout;

/* The same of its output: room for n results, and for their bitmap. */
typedef struct gs_output_layout
{
	size_t		values;
	size_t		validity;
	size_t		size;			/* of all */
} gs_output_layout;

/* wire.c: what both sides compute the same way. */
extern void gs_wire_from_op(gs_wire_op *wire, const gs_op *op);
extern void gs_op_from_wire(gs_op *op, const gs_wire_op *wire);
extern void gs_lay_input(const gs_op *op, bool edges, int64_t n,
						 int64_t present, int64_t mask_present,
						 gs_input_layout *layout);
extern void gs_lay_load(gs_type type, bool nulls, int64_t n, int64_t present,
						gs_input_layout *layout);
extern int64_t gs_load_elements(gs_type type, bool nulls, size_t chunk_size);
extern gs_type gs_argument_type(const gs_op *op, int argument);
extern void gs_lay_output(const gs_op *op, int64_t n,
						  gs_output_layout *layout);
extern size_t gs_call_reply_size(const gs_op *op, int64_t n);
extern int64_t gs_chunk_elements(const gs_op *op, size_t chunk_size);
extern ssize_t gs_send_memory(int socket, const void *message, size_t length,
							  int memory);
extern ssize_t gs_receive_memory(int socket, void *message, size_t size,
								 int *memory);

/* A change of these is a change of the protocol: give it a new version. */
#define GS_WIRE_SIZE(type, size) \
	_Static_assert(sizeof(type) == (size), "size of " #type)

#ifndef __cplusplus
GS_WIRE_SIZE(gs_msg_hello, 24);
GS_WIRE_SIZE(gs_msg_refused, 216);
GS_WIRE_SIZE(gs_msg_welcome, 56);
GS_WIRE_SIZE(gs_wire_op, 80);
GS_WIRE_SIZE(gs_msg_call, 112);
GS_WIRE_SIZE(gs_argument, 48);
GS_WIRE_SIZE(gs_msg_begin, 104 + 3 * sizeof(gs_argument));
GS_WIRE_SIZE(gs_outcome, 216);
GS_WIRE_SIZE(gs_msg_lent, 312);
GS_WIRE_SIZE(gs_msg_load, 32);
GS_WIRE_SIZE(gs_msg_loaded, 224);
GS_WIRE_SIZE(gs_msg_done, 240);
GS_WIRE_SIZE(gs_msg_result, 240 + sizeof(gs_result));
GS_WIRE_SIZE(gs_result, 1792);
GS_WIRE_SIZE(gs_msg_take, 32);
GS_WIRE_SIZE(gs_msg_took, 224);
GS_WIRE_SIZE(gs_msg_state, 288);
GS_WIRE_SIZE(gs_msg_list, 16);
GS_WIRE_SIZE(gs_msg_entry, 72);
GS_WIRE_SIZE(gs_msg_entries, 24);
GS_WIRE_SIZE(gs_msg_cleared, 16);
#endif

#endif							/* GS_PROTOCOL_H */
