/*-------------------------------------------------------------------------
 *
 * service.c
 *	  A service that answers what cannot be, and the client.
 *
 * The client's engine as it is, on a link whose other end is this file.  What
 * cannot be must count as the service's loss, after which the CPU takes over:
 * the link is closed, and the status GS_DEVICE_LOST.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "array/parallel_copy.h"
#include "client/client.h"
#include "client/client_run.h"
#include "engine/elements.h"
#include "miscadmin.h"
#include "pg/settings.h"
#include "rows.h"
#include "utils/timestamp.h"

#undef printf
#undef snprintf

#define RESULTS		70

/* What it answers. */
static gs_outcome answer;
static bool closed;
static uint64 staging[GS_SLOT_SIZE_MIN / sizeof(uint64)];
static uint64 buffer[GS_MESSAGE_MAX / sizeof(uint64)];

gs_link		gs_session_link;
int			gs_response_timeout = 1;
volatile sig_atomic_t InterruptPending;

void
ProcessInterrupts(void)
{
}

TimestampTz
GetCurrentTimestamp(void)
{
	return 0;
}

bool
TimestampDifferenceExceeds(TimestampTz start, TimestampTz stop, int ms)
{
	return stop - start > ms;
}

#ifndef HAVE_STRLCPY
size_t
strlcpy(char *to, const char *from, size_t size)
{
	return (size_t) snprintf(to, size, "%s", from);
}
#endif

void
gs_copy(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
}

void
gs_run_read_edges(gs_run *run)
{
}

void
gs_run_describe_arguments(const gs_run *run, gs_msg_begin *begin)
{
}

void
gs_run_count_hits(gs_run *run, const gs_msg_begin *begin)
{
}

gs_status
gs_run_send_arguments(gs_run *run)
{
	return GS_OK;
}

bool
gs_link_copied(void)
{
	return true;
}

const char *
gs_link_error(void)
{
	return "";
}

void
gs_link_close(void)
{
	closed = true;
}

bool
gs_link_send(void *message, gs_message kind, size_t length)
{
	return true;
}

ssize_t
gs_link_receive_memory(void *message, size_t size, int timeout_ms,
					   gs_message kind, int *descriptor)
{
	gs_msg_granted *granted = message;
	gs_msg_result *result = message;

	memset(message, 0, size);
	if (kind == GS_MSG_GRANTED)
	{
		granted->elements = GS_BATCH_ALIGN;
		granted->lanes = 1;
	}
	if (kind == GS_MSG_RESULT)
	{
		result->outcome = answer;
		result->result.results = RESULTS;
	}
	granted->header.kind = kind;
	granted->header.length = kind == GS_MSG_GRANTED ? sizeof(*granted) :
		kind == GS_MSG_RESULT ? sizeof(*result) :
		kind == GS_MSG_DONE ? sizeof(gs_msg_done) : sizeof(gs_msg_fetched);
	return granted->header.length;
}

ssize_t
gs_link_receive(void *message, size_t size, int timeout_ms, gs_message kind)
{
	return gs_link_receive_memory(message, size, timeout_ms, kind, NULL);
}

static void
open_link(void)
{
	closed = false;
	memset(&answer, 0, sizeof(answer));
	gs_session_link = (gs_link) {
		.staging = (char *) staging, .staging_size = sizeof(staging),
		.slot_size = sizeof(staging), .call_size = GS_SLOT_SIZE_MIN,
		.buffer = (char *) buffer
	};
}

/* The status of a square root that gets this answer. */
static gs_status
call(int32 why)
{
	const gs_op op = {.kind = GS_SQRT, .type = GS_FLOAT8};
	double		value = -1;
	const gs_input in = {1, .data = {&value, NULL, 1}};
	gs_output	out = {&value, NULL, 0, 0};
	gs_status	status;
	gs_run	   *run;

	open_link();
	answer.status = GS_VALUE_ERROR;
	answer.answer = why;
	status = gs_engine_client.begin(&op, 1, NULL, &run);
	if (status == GS_OK)
		status = gs_engine_client.feed(run, &in, &out);
	if (status == GS_OK)
		status = gs_engine_client.wait(run);
	gs_engine_client.end(run);
	return status;
}

/* The status of moving sums whose validity ends with these bits. */
static gs_status
fetch(uint64 last)
{
	const gs_op op = {.kind = GS_MOVING_SUM, .type = GS_INT4};
	int32		values[RESULTS] = {0};
	const gs_input in = {RESULTS, .data = {values, NULL, RESULTS}};
	uint64		validity[GS_VALIDITY_ROWS(RESULTS)];
	gs_output	out = {0};
	gs_result	result;
	gs_status	status;
	gs_run	   *run;

	open_link();
	status = gs_engine_client.begin(&op, RESULTS, NULL, &run);
	if (status == GS_OK)
		status = gs_engine_client.feed(run, &in, &out);
	if (status == GS_OK)
		status = gs_engine_client.wait(run);
	if (status == GS_OK)
		status = gs_engine_client.finish(run, &result);
	staging[0] = UINT64_MAX;
	staging[1] = last;
	if (status == GS_OK)
		status = gs_engine_client.fetch(run, GS_COLUMN_VALIDITY, 0,
										lengthof(validity), validity);
	gs_engine_client.end(run);
	return status;
}

static void
report(const char *name, bool good, int *passed, int *failed)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	*passed += good;
	*failed += !good;
}

void
test_service(int *passed, int *failed, int *comparisons)
{
	static const int32 numbers[] = {INT32_MIN, -1, 1000, INT32_MAX};
	bool		good = true;

	for (int32 why = 0; why < 20; why++)
	{
		bool		known = why == GS_ANSWERED || gs_is_value_error(why);

		good &= call(why) == (known ? GS_VALUE_ERROR : GS_DEVICE_LOST) &&
			closed == !known;
	}
	for (int i = 0; i < (int) lengthof(numbers); i++)
		good &= call(numbers[i]) == GS_DEVICE_LOST && closed;
	report("errors of elements that no engine has", good, passed, failed);
	good = fetch(0x3f) == GS_OK && !closed;
	for (int bit = 6; bit < 64; bit++)
		good &= fetch(UINT64_C(1) << bit | 1) == GS_DEVICE_LOST && closed;
	report("validity beyond the last result", good, passed, failed);
	*comparisons += 20 + lengthof(numbers) + 59;
}
