/*-------------------------------------------------------------------------
 *
 * service.h
 *	  What the files of gpuscand share.
 *
 * gpuscand has one thread that accepts connections and watches over the rest
 * (main.c), and one thread a connection (connection.c), which executes that
 * connection's requests, one after the other (request.c, result.c), in memory
 * borrowed from one pool (staging.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SERVICE_H
#define GS_SERVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "protocol/spin_wait.h"
#include "protocol/protocol.h"

/* How gpuscand ends; the supervisor writes them to the server's log. */
#define GS_EXIT_ORDERLY			0
#define GS_EXIT_USAGE			1	/* a wrong option */
#define GS_EXIT_START			2	/* could not start: no device, for one */
#define GS_EXIT_DEVICE			3	/* the device failed */
#define GS_EXIT_STUCK			4	/* a request does not end */

/* --cache-size was not given; without a device, that is so much */
#define GS_CACHE_DEFAULT		UINT64_MAX
#define GS_CACHE_DEFAULT_CPU	(UINT64_C(256) << 20)

/* What the command line says, and what follows from it; set once. */
typedef struct gs_config
{
	const gs_engine *engine;	/* what requests use */
	const char *engine_name;	/* "cpu" or "cuda" */
	int			device;
	const char *socket;
	int			lifeline;		/* descriptor, or -1 */
	uint64_t	incarnation;
	uint64_t	staging_size;	/* bytes */
	uint64_t	memory_limit;	/* bytes of device memory; 0: no limit */
	uint64_t	cache_size;		/* bytes of copies of stored values; 0: none */
	uint32_t	chunk_size;		/* bytes */
	uint32_t	call_size;		/* bytes, gs_msg_welcome.call_size */
	int			response_timeout;	/* seconds */
	int			most_connections;
	int			delay;			/* ms a chunk, for tests */
	int64_t		fail_after;		/* chunks, for tests; 0: never */
	int			patience;		/* ms: what does not grow is not waited for */
	int64_t		started_at;		/* microseconds since 1970 */

	/* of the device */
	char		device_name[128];
	char		driver[32];
	uint64_t	memory_total;
} gs_config;

extern gs_config gs_service;

/* Changing freely. */
extern _Atomic uint64_t gs_progress;	/* what was finished, or given back */
extern _Atomic uint64_t gs_calls;
extern _Atomic int32_t gs_connections;
extern _Atomic bool gs_stopping;	/* finish calls under way, begin no other */

/* options.c: fills gs_service; ends the process if an option is wrong */
extern void gs_options(int argc, char **argv);

/* main.c */
extern void gs_log(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern bool gs_log_again(_Atomic int64_t *last);
extern int	gs_stop_fd;			/* readable for ever once gs_stopping is set */
extern void gs_exit(int status) __attribute__((noreturn));
extern void gs_device_failed(const char *message) __attribute__((noreturn));
extern uint64_t gs_memory_used(void);

/*
 * A borrower of chunks: what a connection waits with, and what it was lent.
 * The members are under the pool's lock while it waits.
 */
typedef struct gs_borrower
{
	int			ready_fd;		/* an eventfd; readable when chunks were lent */
	int			least;			/* chunks asked for, at least and at most, */
	int			most;			/* both multiples of .. */
	int			step;			/* .. this many */
	int			lent;			/* chunks it has */
	uint32_t	chunk[2 * GS_MAX_SLOTS];
	bool		waiting;
	struct gs_borrower *next;	/* who came after it */
} gs_borrower;

/* staging.c */
extern bool gs_staging_create(uint64_t size, uint32_t chunk_size);
extern int	gs_staging_fd(void);
extern void *gs_staging_chunk(uint32_t chunk);
extern void *gs_staging_base(void);
extern bool gs_staging_borrow(gs_borrower *borrower);
extern bool gs_staging_lent(gs_borrower *borrower);
extern void gs_staging_return(gs_borrower *borrower);
extern uint64_t gs_staging_free(void);

/* cache.c: copies of stored values */
typedef struct gs_entry gs_entry;

typedef enum gs_found
{
	GS_FOUND,
	GS_NOT_FOUND,				/* with only_kept */
	GS_TO_LOAD,					/* by the caller */
	GS_BEING_LOADED,			/* by somebody else; ask again */
	GS_NO_ROOM
} gs_found;

extern gs_found gs_cache_find(const gs_argument *argument, gs_type type,
							  int64_t n, bool only_kept, gs_entry **entry);
extern gs_entry *gs_cache_unnamed(const gs_argument *argument, gs_type type,
								  int64_t n);
extern bool gs_cache_loaded(gs_entry *e);
extern void gs_cache_release(gs_entry *e);
extern gs_entry *gs_cache_find_edges(const gs_stored *stored, int64_t n);
extern void gs_cache_keep_edges(const gs_stored *stored, const double *edges,
								int64_t n);
extern bool gs_cache_make_room(void);
extern void gs_cache_tell(gs_msg_state *state);
extern int64_t gs_cache_list(uint64_t *from, gs_msg_entry *to, int64_t most);
extern int64_t gs_cache_clear(void);

/* cache_entry.c: one of them */
extern bool gs_entry_has_nulls(const gs_entry *e);
extern gs_status gs_entry_load(gs_entry *e, const gs_span *part, int64_t n);
extern void gs_entry_span(const gs_entry *e, int64_t at, int64_t n,
						  gs_span *span);
extern const double *gs_entry_edges(const gs_entry *e);

/*
 * A client's request: an execution that goes from BEGIN to END, or one CALL.
 */
typedef struct gs_request
{
	bool		open;			/* BEGIN has come, END has not */
	bool		failed;			/* drop everything but END */
	bool		started;		/* all edges are here, the engine has begun */
	bool		finished;		/* FINISH has been answered */
	int64_t		results;		/* of an order; known when finished */

	gs_op		op;
	double	   *edges;			/* op.edges, not const */
	int64_t		edges_taken;
	gs_stored	edges_stored;	/* what they are, if a stored value */
	int64_t	   *counts;
	size_t		reserved;		/* private memory, in bytes */

	int64_t		n;				/* elements of the array */
	int64_t		fed;			/* of these, fed */
	int64_t		elements;		/* in a FEED, at most */
	int64_t		chunk;			/* that the engine takes, at most */
	int			depth;			/* feeds that may be under way */
	gs_run	   *run;

	/* op.resident: the arrays are here; else edges may be */
	gs_entry   *entry[GS_ARGUMENTS];
	uint32_t	hit;			/* bit i: it was here before */
	uint32_t	load;			/* bit i: the client has to load it yet */

	/* slots are fed in any order, and are done in that order */
	int			slots;
	bool		under_way[GS_MAX_SLOTS];
	int			order[GS_MAX_SLOTS];	/* ring: who is done next */
	int			first;
	int			feeds;			/* under way */
	gs_input	input[GS_MAX_SLOTS];
	gs_output	output[GS_MAX_SLOTS];
} gs_request;

/* One client (connection.c). */
typedef struct gs_connection
{
	int			socket;
	gs_look		look;			/* for the next message */
	gs_borrower borrower;
	gs_request	request;
	_Atomic int64_t busy_since; /* ms of the monotonic clock since which the
								 * engine has it; 0: it has not */
	struct gs_connection *next; /* in the list that gs_connections_watch reads */
	struct gs_connection **link;

	/* a message received, and one being made */
	_Alignas(GS_STAGING_ALIGN) char in[GS_MESSAGE_MAX];
	_Alignas(GS_STAGING_ALIGN) char out[GS_MESSAGE_MAX];
} gs_connection;

/* connection.c; false: the connection is to end */
extern void gs_connection_start(int socket);
extern void gs_connections_watch(void);
extern bool gs_send(gs_connection *c, void *message, gs_message kind,
					size_t length);
extern bool gs_refuse(gs_connection *c, gs_refusal refusal,
					  const char *message);
extern bool gs_malformed(gs_connection *c, const char *message);

/* input.c */
extern bool gs_flags_are_sound(const uint8_t *flag, int64_t n);
extern bool gs_numbers_are_sound(const gs_op *op, int64_t n, int64_t present,
								 int64_t mask_present);
extern bool gs_find_input(const gs_op *op, const char *base,
						  const gs_input_layout *layout, int64_t n,
						  int64_t present, int64_t mask_present, gs_input *in);
extern void gs_find_output(const gs_op *op, char *base, int64_t n,
						   gs_output *out);

/* request.c: what a message makes happen, in the order of a request's life */
extern bool gs_request_call(gs_connection *c, const void *message, size_t size);
extern bool gs_request_begin(gs_connection *c, const void *message, size_t size);
extern bool gs_request_edges(gs_connection *c, const void *message, size_t size);
extern bool gs_request_feed(gs_connection *c, const void *message, size_t size);
extern bool gs_request_wait(gs_connection *c);
extern bool gs_request_end(gs_connection *c, const void *message, size_t size);
extern void gs_request_abandon(gs_connection *c);
extern void gs_request_busy(gs_connection *c);
extern void gs_request_idle(gs_connection *c);
extern void gs_request_done(gs_connection *c);
extern void gs_request_outcome(gs_connection *c, gs_outcome *outcome,
							   gs_status status);
extern bool gs_request_sent(bool ok, const gs_outcome *outcome);

/* result.c: what a request gives */
extern gs_status gs_result_take(gs_connection *c, gs_result *result);
extern bool gs_result_finish(gs_connection *c, const void *message, size_t size);
extern bool gs_result_go_on(gs_connection *c);
extern bool gs_result_counts(gs_connection *c, const void *message, size_t size);
extern bool gs_result_part(gs_connection *c, const void *message, size_t size);

/* cached_request.c: the part of requests that has to do with the cache */
extern bool gs_resident_begin(gs_connection *c, const gs_msg_begin *begin,
							  gs_status *status);
extern bool gs_resident_load(gs_connection *c, const void *message, size_t size);
extern void gs_resident_input(gs_request *r, int64_t n, gs_input *in);
extern gs_status gs_resident_feed_all(gs_connection *c);
extern bool gs_resident_list(gs_connection *c, const void *message, size_t size);
extern bool gs_resident_clear(gs_connection *c, const void *message, size_t size);

/* debug.c: an engine around another, slow or failing, for tests */
extern const gs_engine *gs_debug_engine(const gs_engine *engine, int delay,
										int64_t fail_after);

#endif							/* GS_SERVICE_H */
