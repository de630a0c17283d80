/*-------------------------------------------------------------------------
 *
 * order.h
 *	  What depends on the elements' order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ORDER_H
#define GS_ORDER_H

extern void gs_check_fraction(double fraction);

#endif							/* GS_ORDER_H */
