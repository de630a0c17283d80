-- What the extension installs: every function of the core families for every
-- type, with the right labels.

-- functions of data: IMMUTABLE PARALLEL SAFE
SELECT oid::regprocedure AS wrongly_labelled, provolatile, proparallel
FROM pg_proc
WHERE proname ~ '^_?gpu_' AND prokind IN ('f', 'w')
	AND (provolatile <> 'i' OR proparallel <> 's')
ORDER BY 1;
-- every function has a comment
SELECT oid::regprocedure AS no_comment
FROM pg_proc
WHERE proname ~ '^_?gpu(scan)?_'
	AND obj_description(oid, 'pg_proc') IS NULL
ORDER BY 1;
-- all of them belong to the extension
SELECT p.oid::regprocedure AS not_a_member
FROM pg_proc AS p LEFT JOIN pg_depend AS d
	ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
WHERE proname ~ '^_?gpu(scan)?_' AND d.objid IS NULL
ORDER BY 1;
-- security and leakproofness are nothing special
SELECT oid::regprocedure AS special
FROM pg_proc
WHERE proname ~ '^_?gpu_' AND (prosecdef OR proleakproof)
ORDER BY 1;

-- Signatures that are missing, or return another type than they should.  E is
-- the element type, S what sums give, P what prefix sums give, A averages, N
-- sums that may leave any integer type.
CREATE TABLE element_types AS
SELECT type, family FROM types
UNION ALL SELECT unnest('{date,timestamp without time zone,timestamp with time zone}'::text[]), 'time';
CREATE TABLE core (call text, result text, families text);
INSERT INTO core VALUES
	('gpu_count(E[])', 'bigint', 'integer float time'),
	('gpu_sum(E[])', 'S', 'integer float'),
	('gpu_avg(E[])', 'A', 'integer float'),
	('gpu_min(E[])', 'E', 'integer float time'),
	('gpu_max(E[])', 'E', 'integer float time'),
	('gpu_argmin(E[])', 'integer', 'integer float time'),
	('gpu_argmax(E[])', 'integer', 'integer float time'),
	('gpu_product(E[])', 'double precision', 'integer float'),
	('gpu_var_pop(E[])', 'A', 'integer float'),
	('gpu_var_samp(E[])', 'A', 'integer float'),
	('gpu_variance(E[])', 'A', 'integer float'),
	('gpu_stddev_pop(E[])', 'A', 'integer float'),
	('gpu_stddev_samp(E[])', 'A', 'integer float'),
	('gpu_stddev(E[])', 'A', 'integer float'),
	('gpu_bit_and(E[])', 'E', 'integer'),
	('gpu_bit_or(E[])', 'E', 'integer'),
	('gpu_bit_xor(E[])', 'E', 'integer'),
	('gpu_bool_and(E[])', 'E', 'boolean'),
	('gpu_bool_or(E[])', 'E', 'boolean'),
	('gpu_cumsum(E[], boolean, integer, boolean[])', 'P[]', 'integer float'),
	('gpu_cumcount(E[], boolean, integer, boolean[])', 'bigint[]', 'integer float time'),
	('gpu_cumprod(E[], boolean, integer, boolean[])', 'double precision[]',
	 'integer float'),
	('gpu_cummin(E[], boolean, integer, boolean[])', 'E[]', 'integer float time'),
	('gpu_cummax(E[], boolean, integer, boolean[])', 'E[]', 'integer float time'),
	('gpu_cumbit_and(E[], boolean, integer, boolean[])', 'E[]', 'integer'),
	('gpu_cumbit_or(E[], boolean, integer, boolean[])', 'E[]', 'integer'),
	('gpu_cumbit_xor(E[], boolean, integer, boolean[])', 'E[]', 'integer'),
	('gpu_cumbool_and(E[], boolean, integer, boolean[])', 'E[]', 'boolean'),
	('gpu_cumbool_or(E[], boolean, integer, boolean[])', 'E[]', 'boolean'),
	('gpu_histogram(E[], double precision, double precision, integer)',
	 'bigint[]', 'integer float'),
	('gpu_histogram(E[], double precision[])', 'bigint[]', 'integer float'),
	('gpu_histogram_table(E[], double precision, double precision, integer)',
	 'TABLE(bucket integer, lower double precision, upper double precision, count bigint)',
	 'integer float'),
	('gpu_histogram_table(E[], double precision[])',
	 'TABLE(bucket integer, lower double precision, upper double precision, count bigint)',
	 'integer float'),
	('gpu_compact(E[], boolean[])', 'E[]', 'integer float time'),
	('gpu_filter(E[], text, bigint)', 'E[]', 'integer'),
	('gpu_where(E[])', 'integer[]', 'boolean'),
	('gpu_median(E[])', 'double precision', 'integer float'),
	('gpu_percentile_cont(E[], double precision)', 'double precision',
	 'integer float'),
	('gpu_mode(E[])', 'E', 'integer float time'),
	('gpu_count_distinct(E[])', 'bigint', 'integer float time'),
	('gpu_stats(E[])', 'gpu_stats', 'integer float'),
	('gpu_stats_agg(E)', 'gpu_stats', 'integer float');
-- reductions are aggregates too
INSERT INTO core SELECT replace(call, 'E[]', 'E'), result, replace(families, ' time', '') FROM core
WHERE call ~ '^gpu_(count|sum|avg|min|max|var|std|bit|bool|median|percentile|mode)'
	OR call = 'gpu_histogram(E[], double precision, double precision, integer)';
-- window functions
INSERT INTO core VALUES
	('gpu_cumsum(E)', 'P', 'integer float'),
	('gpu_cumcount(E)', 'bigint', 'integer float'),
	('gpu_cumprod(E)', 'double precision', 'integer float'),
	('gpu_cummin(E)', 'E', 'integer float'),
	('gpu_cummax(E)', 'E', 'integer float'),
	('gpu_moving_sum(E, integer, integer)', 'P', 'integer float'),
	('gpu_moving_avg(E, integer, integer)', 'A', 'integer float'),
	('gpu_moving_min(E, integer, integer)', 'E', 'integer float'),
	('gpu_moving_max(E, integer, integer)', 'E', 'integer float'),
	('gpu_moving_stddev(E, integer, integer)', 'A', 'integer float'),
	('gpu_moving_median(E, integer, integer)', 'double precision', 'integer float'),
	('gpu_moving_percentile_cont(E, double precision, integer, integer)', 'double precision', 'integer float'),
	('gpu_moving_percentile_disc(E, double precision, integer, integer)', 'E', 'integer float time');
-- orders that are no aggregates
INSERT INTO core VALUES
	('gpu_sort(E[], boolean, boolean)', 'E[]', 'integer float time'),
	('gpu_argsort(E[], boolean, boolean)', 'integer[]', 'integer float time'),
	('gpu_rank(E[], boolean, boolean)', 'integer[]', 'integer float time'),
	('gpu_dense_rank(E[], boolean, boolean)', 'integer[]', 'integer float time'),
	('gpu_cume_dist(E[], boolean, boolean)', 'double precision[]',
	 'integer float time'),
	('gpu_ntile(E[], integer, boolean, boolean)', 'integer[]', 'integer float time'),
	('gpu_topk(E[], integer, boolean)', 'E[]', 'integer float time'),
	('gpu_percentiles_cont(E[], double precision[])', 'double precision[]',
	 'integer float'),
	('gpu_percentile_disc(E[], double precision)', 'E', 'integer float time'),
	('gpu_percentiles_disc(E[], double precision[])', 'E[]', 'integer float time'),
	('gpu_distinct(E[])', 'E[]', 'integer float time'),
	('gpu_value_counts(E[])', 'TABLE(value E, count bigint)', 'integer float time');
-- functions of sql/elements.sql: engines compute only gpu_norm and gpu_describe
INSERT INTO core VALUES
	('gpu_diff(E[], text)', 'P[]', 'integer float'),
	('gpu_unique(E[])', 'E[]', 'integer float time'),
	('gpu_rle(E[])', 'TABLE(value E, count bigint)', 'integer float time'),
	('gpu_transpose(E[])', 'E[]', 'integer float time'),
	('gpu_asum(E[])', 'N', 'integer float'),
	('gpu_norm(E[])', 'double precision', 'integer float'),
	('gpu_segment_sum(E[], boolean[], integer)', 'P[]', 'integer float'),
	('gpu_segment_avg(E[], boolean[], integer)', 'A[]', 'integer float'),
	('gpu_segment_min(E[], boolean[], integer)', 'E[]', 'integer float time'),
	('gpu_segment_max(E[], boolean[], integer)', 'E[]', 'integer float time'),
	('gpu_segment_count(E[], boolean[], integer)', 'bigint[]', 'integer float time'),
	('gpu_moving_sum(E[], integer, integer)', 'P[]', 'integer float'),
	('gpu_moving_avg(E[], integer, integer)', 'A[]', 'integer float'),
	('gpu_moving_min(E[], integer, integer)', 'E[]', 'integer float time'),
	('gpu_moving_max(E[], integer, integer)', 'E[]', 'integer float time'),
	('gpu_moving_stddev(E[], integer, integer)', 'A[]', 'integer float'),
	('gpu_moving_median(E[], integer, integer)', 'double precision[]', 'integer float'),
	('gpu_moving_percentile_cont(E[], double precision, integer, integer)', 'double precision[]', 'integer float'),
	('gpu_moving_percentile_disc(E[], double precision, integer, integer)', 'E[]', 'integer float time'),
	('gpu_describe(E[])', 'record', 'integer float');
-- of sql/elementary.sql
INSERT INTO core VALUES
	('gpu_round(E[], integer)', 'E[]', 'integer float'),
	('gpu_sqrt(E[])', 'double precision[]', 'integer float'),
	('gpu_exp(E[])', 'double precision[]', 'integer float'),
	('gpu_ln(E[])', 'double precision[]', 'integer float'),
	('gpu_power(E[], double precision)', 'double precision[]', 'integer float'),
	('gpu_power(double precision, E[])', 'double precision[]', 'integer float');
-- of sql/series.sql
INSERT INTO core VALUES
	('gpu_pct_change(E[])', 'double precision[]', 'integer float'),
	('gpu_ewma(E[], double precision, boolean)', 'double precision[]', 'integer float'),
	('gpu_interpolate(anycompatiblearray, E[], anycompatiblearray)', 'double precision[]',
	 'integer float'),
	('gpu_resample(anycompatiblearray, E[], anycompatible, text, anycompatible)', 'record', 'integer float'),
	('gpu_lttb(anyarray, E[], integer)', 'integer[]', 'integer float'),
	('gpu_time_weighted_avg(anyarray, E[], text)', 'double precision',
	 'integer float');

-- of dates and timestamps: D is their difference
INSERT INTO core VALUES
	('gpu_median(E[])', 'E', 'time'),
	('gpu_diff(E[], text)', 'D[]', 'time'),
	('gpu_filter(E[], text, E)', 'E[]', 'time'),
	('gpu_compare(E[], text, E)', 'boolean[]', 'time'),
	('gpu_between(E[], E, E)', 'boolean[]', 'time'),
	('gpu_clip(E[], E, E)', 'E[]', 'integer float time'),
	('gpu_if(boolean[], E[], E[])', 'E[]', 'integer float time'),
	('gpu_if(boolean[], E[], E)', 'E[]', 'integer float time'),
	('gpu_if(boolean[], E, E[])', 'E[]', 'integer float time'),
	('gpu_if(boolean[], E, E)', 'E[]', 'integer float time'),
	('gpu_searchsorted(E[], E[], text)', 'integer[]', 'integer float time'),
	('gpu_histogram(E[], E, E, integer)', 'bigint[]', 'time'),
	('gpu_histogram(E[], E[])', 'bigint[]', 'time'),
	('gpu_histogram_table(E[], E, E, integer)',
	 'TABLE(bucket integer, lower E, upper E, count bigint)', 'time'),
	('gpu_histogram_table(E[], E[])',
	 'TABLE(bucket integer, lower E, upper E, count bigint)', 'time');

CREATE TABLE wanted AS
SELECT regexp_replace(call, '\mE\M', type, 'g') AS call,
	replace(replace(replace(replace(replace(replace(result,
		'E', type),
		'D', CASE type WHEN 'date' THEN 'integer' ELSE 'interval' END),
		'S', CASE type WHEN 'bigint' THEN 'numeric' WHEN 'real' THEN type
			 WHEN 'double precision' THEN type ELSE 'bigint' END),
		'P', CASE family WHEN 'float' THEN type ELSE 'bigint' END),
		'A', CASE family WHEN 'float' THEN 'double precision' ELSE 'numeric' END),
		'N', CASE family WHEN 'float' THEN type ELSE 'numeric' END)
	AS result
FROM core JOIN element_types ON families LIKE '%' || family || '%'
WHERE result NOT LIKE 'TABLE%'
UNION ALL
SELECT regexp_replace(call, '\mE\M', type, 'g'), regexp_replace(result, '\mE\M', type, 'g')
FROM core JOIN element_types ON families LIKE '%' || family || '%'
WHERE result LIKE 'TABLE%'
UNION ALL
SELECT replace(call, 'E[]', type || '[]'), replace(result, 'N',
	CASE family WHEN 'float' THEN type ELSE 'numeric' END)
FROM (VALUES ('gpu_dot(E[], E[])', 'N'), ('gpu_corr(E[], E[])', 'double precision'),
	('gpu_covar_pop(E[], E[])', 'double precision'), ('gpu_covar_samp(E[], E[])', 'double precision'),
	('gpu_regr_slope(E[], E[])', 'double precision'), ('gpu_regr_intercept(E[], E[])', 'double precision'),
	('gpu_regr_r2(E[], E[])', 'double precision'),
	('gpu_power(E[], E[])', 'double precision[]'), ('gpu_moving_corr(E[], E[], integer, integer)', 'double precision[]'),
	('gpu_asof(E[], E[])', 'integer[]')) AS pairs (call, result), element_types
WHERE family <> 'boolean' AND (family <> 'time' OR call ~ 'asof')
UNION ALL
SELECT replace(call, 'E[]', type || '[]'), replace(replace(replace(result, ' E', ' ' || type),
	' A', CASE family WHEN 'float' THEN ' double precision' ELSE ' numeric' END),
	' S', CASE type WHEN 'bigint' THEN ' numeric' WHEN 'real' THEN ' real' WHEN 'double precision' THEN ' double precision' ELSE ' bigint' END)
FROM (VALUES ('gpu_group(anyarray, E[])', 'TABLE(key anyelement, count bigint, sum S, avg A, min E, max E, stddev A)'),
	('gpu_group_count(anyarray, E[])', 'TABLE(key anyelement, count bigint)'),
	('gpu_group_sum(anyarray, E[])', 'TABLE(key anyelement, sum S)'),
	('gpu_group_avg(anyarray, E[])', 'TABLE(key anyelement, avg A)'),
	('gpu_group_min(anyarray, E[])', 'TABLE(key anyelement, min E)'),
	('gpu_group_max(anyarray, E[])', 'TABLE(key anyelement, max E)'),
	('gpu_group_median(anyarray, E[])', 'TABLE(key anyelement, median double precision)')) AS groups (call, result), types
WHERE family <> 'boolean'
UNION ALL VALUES
	('gpu_compare(anycompatiblearray, text, anycompatiblearray)', 'boolean[]'),
	('gpu_filter(anyarray, text, bigint)', 'anyarray'),
	('gpu_filter(anyarray, text, double precision)', 'anyarray'),
	('gpu_filter(anyarray, text, numeric)', 'anyarray'),
	('gpu_percentile_cont(anyarray, double precision[])', 'double precision[]'),
	('gpu_percentile_disc(anyarray, double precision[])', 'anyarray'),
	('gpu_percentile_cont(anynonarray, double precision[])', 'double precision[]'),
	('gpu_percentile_disc(anynonarray, double precision[])', 'anyarray'),
	('gpu_percentiles_cont(anynonarray, double precision[])', 'double precision[]'),
	('gpu_percentiles_disc(anynonarray, double precision[])', 'anyarray'),
	('gpu_argmin(smallint, anyelement)', 'anyelement'), ('gpu_argmax(integer, anyelement)', 'anyelement'),
	('gpu_argmax(bigint, anyelement)', 'anyelement'), ('gpu_argmin(real, anyelement)', 'anyelement'),
	('gpu_argmax(double precision, anyelement)', 'anyelement'),
	('gpu_first(anyelement, "any")', 'anyelement'), ('gpu_last(anyelement, "any")', 'anyelement'),
	('gpu_moving_corr(double precision, double precision, integer, integer)', 'double precision'),
	('gpu_weighted_histogram(bigint[], double precision[], double precision, double precision, integer)', 'double precision[]'),
	('gpu_weighted_histogram(double precision, double precision, double precision, double precision, integer)', 'double precision[]'),
	('gpu_histogram2d(double precision, double precision, double precision, double precision, integer, double precision, double precision, integer)', 'bigint[]'),
	('gpu_topk(anynonarray, integer)', 'anyarray'), ('gpu_topk(anynonarray, integer, boolean)', 'anyarray'),
	('gpu_describe(smallint)', 'gpu_description_int2'), ('gpu_describe(integer)', 'gpu_description_int4'),
	('gpu_describe(bigint)', 'gpu_description_int8'), ('gpu_describe(real)', 'gpu_description_float4'),
	('gpu_describe(double precision)', 'gpu_description_float8'),
	('gpu_array_sum(bigint[])', 'bigint[]'),
	('gpu_rollup(gpu_stats)', 'gpu_stats'),
	('gpu_sum_exact(gpu_stats)', 'numeric'),
	('gpu_corr(double precision, double precision)', 'double precision'),
	('gpu_covar_pop(double precision, double precision)', 'double precision'),
	('gpu_covar_samp(double precision, double precision)', 'double precision'),
	('gpu_regr_slope(double precision, double precision)', 'double precision'),
	('gpu_regr_intercept(double precision, double precision)', 'double precision'),
	('gpu_regr_r2(double precision, double precision)', 'double precision'),
	('gpu_weighted_avg(double precision, double precision)', 'double precision'),
	('gpuscan_plot(bigint[], integer, text[], double precision[])', NULL),
	('gpuscan_enable()', 'boolean'),
	('gpuscan_disable()', 'boolean'),
	('gpuscan_last_call()', NULL),
	('gpuscan_columns()', NULL),
	('gpuscan_calls()', NULL),
	('gpuscan_progress()', NULL),
	('gpu_histogram(anyarray, integer)', 'bigint[]'),
	('gpuscan_load(regclass, text[])', 'bigint');

SELECT call, result, pg_get_function_result(to_regprocedure(call)) AS got
FROM wanted
WHERE to_regprocedure(call) IS NULL
	OR result <> pg_get_function_result(to_regprocedure(call))
ORDER BY call;
SELECT count(*) FROM wanted;

-- The names of the arguments, and their defaults, are part of the interface.
SELECT function, arguments, count(*) AS types
FROM (SELECT split_part(call, '(', 1) AS function,
		regexp_replace(pg_get_function_arguments(to_regprocedure(call)),
			'(smallint|integer|bigint|real|double precision|boolean|date|timestamp with(?:out)? time zone)(\[\]|, preceding)',
			'E\2') AS arguments
	  FROM wanted WHERE (call LIKE '%[]%' OR call LIKE '%anyarray%' OR call LIKE '%()' OR call LIKE 'gpu\_moving%')
	  AND call NOT LIKE 'gpu\_describe%') AS signatures
GROUP BY function, arguments
ORDER BY function COLLATE "C", arguments COLLATE "C";

DROP TABLE core, wanted, element_types;
