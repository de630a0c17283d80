/*-------------------------------------------------------------------------
 *
 * harness.h
 *	  A client of gpuscand, and what its tests share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "protocol/protocol.h"

#define INCARNATION		UINT64_C(0x1234567890abcdef)
#define SLOT_SIZE		(64 * 1024)
#define STAGING_SIZE	(4 * SLOT_SIZE)

/* Of what is to happen soon, which it may not on a host that is busy. */
#define TRIES			10

/* A running gpuscand. */
typedef struct service
{
	pid_t		pid;
	int			lifeline;
	char		said[256];		/* its message on the lifeline */
} service;

/* A connection, with the memory that came with it. */
typedef struct client
{
	int			fd;
	int			memory;			/* the memfd */
	char	   *staging;
	gs_msg_welcome welcome;
	char		buffer[2 * GS_MESSAGE_MAX]; /* the last message received */
	ssize_t		got;
} client;

extern const char *gpuscand;	/* path */
extern uint64_t seed;			/* that all random numbers follow from */

/* What a test checks: it passes if it checks something, and all of it holds. */
extern void check(bool ok, const char *format,...)
			__attribute__((format(printf, 2, 3)));
extern void test_end(const char *name, time_t began);
extern int	tests_finish(void);

/*
 * Where many attempts are made one after the other, is this one of those made,
 * which are chosen at random?  One in how many the Makefile says.
 */
extern int	attempts_per_taken;
extern bool is_taken(void);

extern void service_start(service *s, char *const *more);
extern int	service_end(service *s, int signo);
extern bool service_is_idle(void);
extern bool service_has_released(void);

extern void client_connect(client *c);
extern gs_refusal client_hello(client *c, const gs_msg_hello *hello);
extern void client_open(client *c);
extern void client_close(client *c);
extern void client_reopen(client *c);
extern bool client_send(client *c, void *message, gs_message kind,
						size_t length);
extern bool client_send_raw(client *c, const void *message, size_t length);
extern uint32_t client_receive(client *c);
extern uint32_t client_receive_any(client *c);
extern char *client_slot(client *c, uint32_t slot);

extern void random_fill(void *memory, size_t size);

extern void test_valid_requests(void);
extern void test_hostile(void);
extern void test_scribble(void);
extern void test_concurrency(void);
extern void test_lifecycle(void);
extern void test_cache(void);
extern void test_reductions(void);
extern void test_loads(void);
extern void test_cache_size(void);
extern void test_patience(void);
extern void test_unread(void);
extern void test_report_plans(void);
extern void test_report_stages(void);
extern void test_report_stages_ends(void);
extern void test_report_shared(void);
extern void test_report_shared_little(void);
extern void test_report_width(void);
extern void test_report_memory(void);
extern void test_report_tiers(void);
extern void test_report_random_tiers(void);
extern void test_report_shared_tiers(void);
extern void test_report_dictionary(void);
extern void test_report_codes(void);
extern void test_report_hostile(void);
extern void test_report_scatter(void);
extern void test_report_random(void);
extern void test_report_devices(void);
extern void test_report_fresh(void);

#endif							/* HARNESS_H */
