/*-------------------------------------------------------------------------
 *
 * node_key.h
 *	  Expressions, queries and plans as bytes, which are the same only for what
 *	  says the same.
 *
 * They are without what depends on how a query was written: the places in its text
 * that its parts came from, names, and aliases.  A plan's costs are left out where
 * that is easy.  PostgreSQL's text of a node (nodeToString) takes ten times as long
 * to make, which is much for a query that is planned and executed in milliseconds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_NODE_KEY_H
#define GS_REPORT_NODE_KEY_H

#include "lib/stringinfo.h"
#include "nodes/nodes.h"

typedef struct gs_node_key
{
	StringInfoData bytes;
	int			params;			/* how many there are of these */
	int			subplans;
} gs_node_key;

extern void gs_node_key_init(gs_node_key *key);

/* Bytes of one node never are the beginning of another one's. */
extern void gs_node_key_add(gs_node_key *key, const void *node);

#endif							/* GS_REPORT_NODE_KEY_H */
