/*-------------------------------------------------------------------------
 *
 * service.h
 *	  What the files of gpuscand share.
 *
 * gpuscand has one thread that accepts connections and watches over the rest
 * (main.c), and one thread per connection (connection.c), which executes that
 * connection's requests one after the other.
 *
 * The files are listed here from the ground up: each uses only those above it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SERVICE_H
#define GS_SERVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "engine/plan.h"
#include "protocol/protocol.h"
#include "protocol/spin_wait.h"

/* Exit statuses; the supervisor writes them to the server's log. */
#define GS_EXIT_ORDERLY			0
#define GS_EXIT_USAGE			1	/* invalid option */
#define GS_EXIT_START			2	/* could not start, e.g. no device */
#define GS_EXIT_DEVICE			3	/* the device failed */
#define GS_EXIT_STUCK			4	/* a request does not end */

/*
 * Without --cache-size: a quarter of the limit, else of the device's memory;
 * without a device, an eighth of the host's, but not more than this.
 */
#define GS_CACHE_DEFAULT		UINT64_MAX
#define GS_CACHE_HOST_MAX		(UINT64_C(4) << 30)

/*
 * A table is spread over the devices if each gets at least so many rows: an H200
 * computes six aggregates of them in 0.2 ms, and to start a thread and to add the groups
 * of one device to another's should take some 0.1 ms (not measured since nobody waits for
 * it).  Partitions of windows, which take longer, are shared from fewer rows on.
 */
#define GS_SPREAD_ROWS_MIN		(INT64_C(1) << 24)
#define GS_SHARE_ROWS_MIN		(INT64_C(1) << 22)

/* Command line, and what follows from it; set once. */
typedef struct gs_config
{
	const gs_engine *engine;	/* executes the requests */
	const gs_plan_engine *plan_engine;	/* executes reports' plans */
	enum
	{
		GS_WANT_ANY,
		GS_WANT_CPU,
		GS_WANT_CUDA
	}			wanted;			/* --engine */
	char		no_device[200]; /* any has become the CPU's: why */
	int			devices;		/* that the engine uses; if there are several,
								 * plan_engine's executions are on all */
	int			device[GS_DEVICES_MAX]; /* CUDA's numbers of them */
	bool		all_devices;	/* --devices=all */
	bool		logical_devices;	/* several are one, for tests */
	const char *socket;
	int			lifeline;		/* descriptor, or -1 */
	uint64_t	incarnation;
	uint64_t	staging_size;	/* bytes */
	uint64_t	memory_limit;	/* bytes of each device's memory; 0: no limit */
	uint64_t	cache_size;		/* bytes, of all devices; 0: no cache */
	uint64_t	cache_share;	/* bytes, of each */
	uint64_t	host_cache_size;	/* bytes of the host's memory, for columns
									 * beyond that */
	uint32_t	slot_size;		/* bytes */
	uint32_t	call_size;		/* bytes, gs_msg_welcome.call_size */
	int			response_timeout;	/* seconds */
	int			threads;		/* 0: half of the cores */
	int			max_connections;
	int			delay;			/* ms per batch, for tests */
	int64_t		fail_after;		/* batches, for tests; 0: never */
	int			fail_device;	/* that fails then; GS_ALL_DEVICES: each does */
	int			patience;		/* ms to wait for loading without progress */
	int64_t		started_at;		/* microseconds since 1970 */

	/* of the device */
	char		device_name[128];
	char		driver[32];
	uint64_t	memory_total;
} gs_config;

/* ----------
 * process.c: the process as a whole
 * ----------
 */
extern gs_config gs_service;
extern _Atomic uint64_t gs_progress;	/* grows when anything is finished */
extern _Atomic uint64_t gs_calls;
extern _Atomic int32_t gs_connections;
extern _Atomic bool gs_stopping;	/* finish requests, begin no others */
extern int	gs_stop_fd;			/* readable for good once gs_stopping is set */
extern bool gs_listening;		/* the socket has its name */

extern void gs_log(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern bool gs_log_due(_Atomic int64_t *last);
extern void gs_exit(int status) __attribute__((noreturn));
extern void gs_device_failed(int device, const char *message)
			__attribute__((noreturn));
extern uint64_t gs_memory_used(void);
extern int64_t gs_now_us(clockid_t clock);

/* ----------
 * devices.c: which device a thread uses
 * ----------
 */
extern void gs_device_use(int device);
extern int	gs_device_in_use(void);
extern int	gs_device_least_busy(void);
extern void gs_device_note(gs_status status);
extern int	gs_device_noted(void);
extern void gs_device_begin(int device);
extern void gs_device_end(int device);

/* options.c: fills gs_service; ends the process if an option is invalid */
extern void gs_options(int argc, char **argv);

/* debug.c: an engine around another, slow or failing, for tests */
extern const gs_engine *gs_debug_engine(const gs_engine *engine, int delay,
										int64_t fail_after, int fail_device);
extern const gs_plan_engine *gs_debug_plan_engine(const gs_plan_engine *engine);

/* ----------
 * staging.c: slots of staging memory
 * ----------
 */

/*
 * The slots of one connection's request.  The members are under the staging
 * lock while it waits.
 */
typedef struct gs_grant
{
	int			ready_fd;		/* an eventfd, readable once granted */
	int			min_slots;		/* wanted: both are multiples of step */
	int			max_slots;
	int			step;
	int			granted;		/* slots that it has */
	uint32_t	slot[2 * GS_MAX_LANES];
	bool		waiting;
	struct gs_grant *next;		/* next in the queue */
} gs_grant;

/* Bitmaps of one or two arrays take at most this part of what they lie in. */
#define GS_BITMAP_SHARE	8

extern bool gs_staging_create(uint64_t size, uint32_t slot_size, bool all);
extern int	gs_staging_fd(void);
extern void *gs_staging_slot(uint32_t slot);
extern void *gs_staging_base(void);
extern uint8_t *gs_staging_bitmaps(uint32_t slot);
extern bool gs_staging_acquire(gs_grant *grant);
extern bool gs_staging_is_granted(gs_grant *grant);
extern bool gs_staging_allocate(const gs_grant *grant);
extern void gs_staging_release(gs_grant *grant);
extern uint64_t gs_staging_free(void);

/* ----------
 * budget.c: the memory that cached arrays, columns, dictionaries and look-up
 * tables share
 * ----------
 */
typedef enum gs_item_kind
{
	GS_ITEM_ARRAY = 1,
	GS_ITEM_EDGES = 2,
	GS_ITEM_COLUMN = 4,
	GS_ITEM_DICTIONARY = 8,
	GS_ITEM_LOOKUP = 16,
	GS_ITEM_ANY = 31
} gs_item_kind;

#define GS_ALL_DEVICES	(-1)

typedef enum gs_demoted
{
	GS_DEMOTED,
	GS_DEMOTE_NOTHING,			/* is on the device, or it is in use */
	GS_DEMOTE_NO_ROOM			/* on the host */
} gs_demoted;

/* What can be evicted.  kind and the functions are set once. */
typedef struct gs_item
{
	gs_item_kind kind;
	int			device;			/* whose memory it has; GS_ALL_DEVICES: of each */
	bool		(*evict) (struct gs_item *item);	/* false: it is in use */

	/*
	 * Of columns; else NULL.  Move a part of it from a device, or any one, to the
	 * host; one that is in use only if not `idle`.  Evict it if it has values on
	 * the host; false: it has none, or is in use.
	 */
	gs_demoted	(*demote) (struct gs_item *item, int device, bool idle);
	bool		(*evict_host) (struct gs_item *item);

	/* under the lock */
	bool		listed;
	double		heat;			/* at last_used */
	int64_t		last_used;		/* microseconds since 1970 */
	struct gs_item *older;
	struct gs_item *newer;
} gs_item;

extern pthread_mutex_t gs_budget_lock;

extern void gs_item_use(gs_item *item);
extern void gs_item_remove(gs_item *item);
extern bool gs_budget_evict(unsigned kinds);
extern bool gs_budget_take(size_t bytes);
extern void *gs_budget_reserve(size_t bytes);
extern void *gs_budget_reserve_colder(const gs_item *item, size_t bytes);
extern void *gs_budget_reserve_host(const gs_item *item, size_t bytes);
extern void *gs_budget_reserve_tiered(const gs_item *item, size_t bytes,
									  size_t host_bytes, bool *on_host);
extern uint64_t gs_budget_taken(void);
extern uint64_t gs_budget_host_taken(void);
extern void gs_budget_give(size_t bytes);
extern void gs_budget_release(void *memory, size_t bytes, int device);
extern void gs_budget_release_host(void *memory, size_t bytes);
extern bool gs_evict(void);
extern bool gs_evict_part(void);

/* ----------
 * cache_entry.c and cache.c: cached toasted values
 * ----------
 */
typedef struct gs_entry gs_entry;

extern int	gs_entry_device(const gs_entry *e);
extern bool gs_entry_has_nulls(const gs_entry *e);
extern gs_status gs_entry_load(gs_entry *e, const gs_span *part, int64_t n);
extern void gs_entry_span(const gs_entry *e, int64_t at, int64_t n,
						  gs_span *span);
extern const double *gs_entry_edges(const gs_entry *e);

typedef enum gs_found
{
	GS_FOUND,
	GS_NOT_FOUND,				/* with only_cached */
	GS_TO_LOAD,					/* by the caller */
	GS_BEING_LOADED,			/* by another connection; ask again */
	GS_CACHE_FULL
} gs_found;

extern gs_found gs_cache_find(const gs_argument *argument, gs_type type,
							  int64_t n, bool only_cached, gs_entry **entry);
extern gs_entry *gs_cache_find_complete(const gs_argument *argument,
										gs_type type, int64_t n);
extern gs_entry *gs_cache_unnamed(const gs_argument *argument, gs_type type,
								  int64_t n);
extern bool gs_cache_loaded(gs_entry *e);
extern void gs_cache_release(gs_entry *e);
extern gs_entry *gs_cache_find_edges(const gs_toast_id *id, int64_t n);
extern void gs_cache_add_edges(const gs_toast_id *id, const double *edges,
							   int64_t n);
extern void gs_cache_stats(gs_msg_state *state);
extern int64_t gs_cache_list(uint64_t *from, gs_msg_entry *to, int64_t max);
extern int64_t gs_cache_clear(void);

/* ----------
 * A client and its request
 * ----------
 */

typedef struct gs_report gs_report;
typedef struct gs_held_lookup gs_held_lookup;

/* A request: an execution from BEGIN to END, one CALL, or a report. */
typedef struct gs_request
{
	gs_report  *report;			/* NULL: it is none; of the rest it uses open,
								 * failed, and memory */
	bool		open;			/* BEGIN or REPORT has come, END has not */
	bool		failed;			/* discard everything but END */
	bool		started;		/* all edges are here, the engine has begun */
	bool		finished;		/* FINISH has been answered */
	int64_t		results;		/* that can be fetched; known when finished */

	gs_op		op;
	double	   *edges;			/* gs_edges(op), not const */
	int64_t		edges_received;
	gs_toast_id edges_id;		/* if they are a toasted value */
	int64_t    *counts;
	_Atomic size_t reserved;	/* private memory, in bytes */
	_Atomic size_t grown;		/* of that, by gs_execution_grow */

	int			device;			/* on which the execution is */
	bool		counted;		/* there */
	int64_t		n;				/* elements of the array */
	int64_t		fed;			/* of these, fed */
	int64_t		elements;		/* maximum per FEED */
	int64_t		batch;			/* maximum per feed of the engine */
	int			depth;			/* maximum number of feeds in flight */
	gs_run	   *run;

	/* op.cached: the arrays; otherwise, there may be edges */
	gs_entry   *entry[GS_ARGUMENTS];
	uint32_t	hit;			/* bit i: argument i was cached */
	uint32_t	load;			/* bit i: the client must still load it */

	/* lanes are fed in any order, and finish in the order of feeding */
	int			lanes;
	bool		in_flight[GS_MAX_LANES];
	int			order[GS_MAX_LANES];	/* ring: lanes in order of feeding */
	int			first;
	int			feeds;			/* in flight */
	gs_input	input[GS_MAX_LANES];
	gs_output	output[GS_MAX_LANES];
} gs_request;

typedef struct gs_connection
{
	int			socket;
	gs_message	last;			/* message that was received */
	gs_spin		spin[GS_MSG_COLUMN_ENTRIES + 1];	/* waiting for the next
													 * one, after each kind */
	gs_grant	grant;
	gs_request	request;
	gs_held_lookup *lookups;	/* under gs_budget_lock */
	_Atomic int64_t busy_since; /* ms of the monotonic clock since which the
								 * engine works; 0: it does not */
	struct gs_connection *next; /* in gs_connections_watch's list */
	struct gs_connection **link;

	/* the message received, and the one being made */
	_Alignas(GS_STAGING_ALIGN) char in[GS_MESSAGE_MAX];
	_Alignas(GS_STAGING_ALIGN) char out[GS_MESSAGE_MAX];
} gs_connection;

/*
 * From here on, functions that return bool return false if the connection is
 * to end.
 */

/* message.c: sending and refusing */
#define GS_WAITING_MS	250		/* between WAITINGs: well below the minimum
								 * --response-timeout, 1 s */

extern bool gs_send(gs_connection *c, void *message, gs_message kind,
					size_t length);
extern bool gs_send_waiting(gs_connection *c);
extern void gs_refuse_socket(int socket, gs_refusal refusal,
							 const char *message);
extern bool gs_refuse(gs_connection *c, gs_refusal refusal,
					  const char *message);
extern bool gs_malformed(gs_connection *c, const char *message);

/* input.c: validating input (false: it is invalid) */
extern bool gs_validate_flags(const uint8_t *flags, int64_t n);
extern bool gs_validate_counts(const gs_op *op, int64_t n, int64_t present,
							   int64_t mask_present);
extern bool gs_find_input(const gs_op *op, const char *base,
						  const gs_input_layout *layout, int64_t n,
						  int64_t present, int64_t mask_present,
						  uint8_t *bitmaps, gs_input *in);
extern void gs_find_output(const gs_op *op, char *base, int64_t n,
						   gs_output *out);

/* execution.c: the engine's part of a request */
extern void gs_execution_busy(gs_connection *c);
extern void gs_execution_idle(gs_connection *c);
extern void gs_execution_done(gs_connection *c);
extern void gs_execution_outcome(gs_connection *c, gs_outcome *outcome,
								 gs_status status);
extern bool gs_execution_answer(gs_connection *c, void *answer,
								gs_message kind, size_t length,
								const gs_outcome *outcome);
extern bool gs_execution_acquire(gs_connection *c, bool *possible);
extern bool gs_execution_take(gs_request *r, int64_t size);
extern void gs_execution_give(gs_request *r, int64_t size);
extern void *gs_execution_reserve(gs_request *r, int64_t count, size_t width);
extern void gs_execution_own(gs_connection *c);
extern void gs_execution_restart(gs_connection *c);
extern bool gs_execution_grow(void *request, size_t bytes);
extern gs_status gs_execution_start(gs_connection *c);
extern bool gs_execution_wait(gs_connection *c);
extern gs_status gs_execution_finish(gs_connection *c, gs_result *result);
extern void gs_execution_end(gs_connection *c);

/* arguments.c: a request's arrays in the cache */
extern bool gs_arguments_find(gs_connection *c, const gs_msg_begin *begin,
							  gs_status *status);
extern void gs_arguments_input(gs_request *r, int64_t n, gs_input *in);

/* result.c: the messages that deliver results */
extern gs_status gs_result_feed_all(gs_connection *c);
extern bool gs_result_continue(gs_connection *c);
extern bool gs_result_finish(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_result_counts(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_result_fetch(gs_connection *c, const void *message,
							size_t size);

/* request.c: the other messages of a request, in the order of its life */
extern bool gs_request_call(gs_connection *c, const void *message,
							size_t size);
extern bool gs_request_begin(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_request_edges(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_request_load(gs_connection *c, const void *message,
							size_t size);
extern bool gs_request_feed(gs_connection *c, const void *message,
							size_t size);
extern bool gs_request_end(gs_connection *c, const void *message,
						   size_t size);

/* reduce.c: reductions of several cached arrays at once */
extern bool gs_reduce_arrays(gs_connection *c, const void *message,
							 size_t size);

/* report_run.c: what is held is fed while the client is busy */
extern bool gs_report_is_ahead(const gs_connection *c);
extern void gs_report_go_ahead(gs_connection *c);

/* report.c: the messages of a report, up to the tables' pages */
extern void gs_report_counts(gs_msg_state *state);
extern bool gs_handle_begin(gs_connection *c, const void *message,
							size_t size);
extern bool gs_handle_plan(gs_connection *c, const void *message, size_t size);
extern bool gs_handle_table(gs_connection *c, const void *message,
							size_t size);
extern bool gs_handle_map(gs_connection *c, const void *message, size_t size);
extern bool gs_handle_lsns(gs_connection *c, const void *message, size_t size);
extern bool gs_handle_verified(gs_connection *c, const void *message,
							   size_t size);
extern bool gs_handle_usable(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_handle_look(gs_connection *c, const void *message, size_t size);

/* report_rows.c: the rows of a report, and its groups */
extern bool gs_handle_rows(gs_connection *c, const void *message, size_t size);
extern void gs_report_progress(void);	/* gs_engine_progress */
extern bool gs_handle_finish(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_handle_groups(gs_connection *c, const void *message,
							 size_t size);

/* report_lookups.c: look-up tables that a connection has sent, or had made */
extern bool gs_handle_lookup(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_handle_ranges(gs_connection *c, const void *message,
							 size_t size);
extern bool gs_handle_scatter(gs_connection *c, const void *message,
							  size_t size);
extern void gs_lookups_end(gs_connection *c);
extern void gs_lookups_clear(void);

/* report_dictionary.c: dictionaries, in a report or not */
extern bool gs_handle_dictionary(gs_connection *c, const void *message,
								 size_t size);

/* status.c: messages outside requests */
extern bool gs_status_state(gs_connection *c, const void *message,
							size_t size);
extern bool gs_status_list(gs_connection *c, const void *message,
						   size_t size);
extern bool gs_status_list_columns(gs_connection *c, const void *message,
								   size_t size);
extern bool gs_status_clear(gs_connection *c, const void *message,
							size_t size);

/* connection.c: reads messages, and hands them to the functions above */
extern void gs_connection_start(int socket);
extern void gs_connections_watch(void);

#endif							/* GS_SERVICE_H */
