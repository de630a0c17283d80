/*-------------------------------------------------------------------------
 *
 * cost_file.h
 *	  The file in which measured costs survive a restart of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COST_FILE_H
#define GS_COST_FILE_H

#include "supervisor/cost_model.h"

extern bool gs_cost_file_read(gs_costs *costs);
extern void gs_cost_file_write(const gs_costs *costs);

#endif							/* GS_COST_FILE_H */
