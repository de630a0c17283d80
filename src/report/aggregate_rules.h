/*-------------------------------------------------------------------------
 *
 * aggregate_rules.h
 *	  How an aggregate's result follows from states of the engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_AGGREGATE_RULES_H
#define GS_REPORT_AGGREGATE_RULES_H

typedef enum gs_aggregate_rule
{
	GS_RULE_COUNT,
	GS_RULE_VALUE,				/* the state is the result */
	GS_RULE_SUM,
	GS_RULE_AVG,
	GS_RULE_VAR_POP,
	GS_RULE_VAR_SAMP,
	GS_RULE_STDDEV_POP,
	GS_RULE_STDDEV_SAMP,

	/* of pairs */
	GS_RULE_COVAR_POP,
	GS_RULE_COVAR_SAMP,
	GS_RULE_CORR,
	GS_RULE_SLOPE,
	GS_RULE_INTERCEPT,
	GS_RULE_R2
} gs_aggregate_rule;

#endif							/* GS_REPORT_AGGREGATE_RULES_H */
