/*-------------------------------------------------------------------------
 *
 * exchange.h
 *	  The messages of one execution by the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EXCHANGE_H
#define GS_EXCHANGE_H

#include "portability/instr_time.h"

#include "client/link.h"

typedef struct gs_exchange
{
	int			unanswered;		/* messages not answered yet */
	bool		impatient;		/* no waiting while others hold all slots */
	instr_time	device;			/* spent waiting for answers */
	gs_error	error;
} gs_exchange;

extern gs_status gs_exchange_send(gs_exchange *x, void *message,
								  gs_message kind, size_t length);
extern gs_status gs_exchange_receive(gs_exchange *x, void *answer,
									 gs_message kind, size_t min, size_t max,
									 size_t *size);
extern gs_status gs_exchange_receive_memory(gs_exchange *x, void *answer,
											gs_message kind, size_t min,
											size_t max, size_t *size,
											int *descriptor);
extern gs_status gs_exchange_await(gs_exchange *x, void *answer,
								   gs_message kind, size_t size);
extern gs_status gs_exchange_check(gs_exchange *x, const gs_outcome *outcome);
extern gs_status gs_exchange_copied(gs_exchange *x);
extern gs_status gs_exchange_lost(gs_exchange *x);
extern gs_status gs_exchange_violated(gs_exchange *x);
extern char *gs_staging_slot(uint32 slot);

#endif							/* GS_EXCHANGE_H */
