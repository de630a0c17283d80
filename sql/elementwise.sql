-- Functions of each element, and of places, against SQL over unnest.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- Arrays a and b of all samples, and of what is special of a type; c is of booleans.
CREATE TABLE pairs_of_arrays (type text, family text, sample text, literals text[]);
DO $$
DECLARE
	t types;
BEGIN
	FOR t IN SELECT * FROM types LOOP
		EXECUTE format('INSERT INTO pairs_of_arrays SELECT %L, %L, sample, ARRAY[array_agg(v ORDER BY i)::text,
				array_agg(w ORDER BY i)::text, array_agg(head ORDER BY i)::text]
			FROM (SELECT sample, i, head, %s AS v, %s AS w FROM samples) AS s GROUP BY sample',
			t.type, t.family, t.value, replace(t.value, 'k', 'CASE WHEN i % 5 < 4 THEN noise(i + 77) % 7 - 3 END'));
		INSERT INTO pairs_of_arrays VALUES (t.type, t.family, 'empty', '{"{}", "{}", "{}"}');
	END LOOP;
	INSERT INTO pairs_of_arrays SELECT type, family, 'special', CASE type
			WHEN 'smallint' THEN '{"{-32768,32767,-32768,0}", "{0,1,2,-1}", "{f,t,t,NULL}"}'::text[]
			WHEN 'integer' THEN '{"{-2147483648,2147483647,-2147483648,0}", "{0,1,2,-1}", "{f,t,t,NULL}"}'
			WHEN 'bigint' THEN '{"{-9223372036854775808,9223372036854775807,0}", "{0,1,-1}", "{t,NULL,f}"}'
			ELSE '{"{NaN,Infinity,-Infinity,-0,0,1,NaN,5,-0,NaN}", "{1,-Infinity,-Infinity,0,-0,NaN,NaN,Infinity,5,NULL}", "{t,f,t,f,t,f,t,f,NULL,t}"}' END
		FROM types WHERE type <> 'boolean';
	INSERT INTO pairs_of_arrays SELECT type, family, 'range ' || o, ARRAY[a, b, '{t}']
		FROM types, (VALUES (1, '{1e30}', '{1e30}'), (2, '{1e-30}', '{1e-30}'), (3, '{3e38}', '{3e38}'), (4, '{0}', '{0}'), 
			-- an error before 14
			(5, '{NaN}', CASE WHEN current_setting('server_version_num')::integer < 140000 THEN '{1}' ELSE '{0}' END),
			(6, '{1}', '{0}'), (7, '{1e-30}', '{1e30}'), (8, '{1}', '{Infinity}')) AS v (o, a, b)
		WHERE family = 'float';
END $$;

-- On how many arrays a call equals what an expression of their elements gives, or on which it does not.
CREATE FUNCTION compare_elementwise(call text, expression text, families text[] DEFAULT '{integer, float}') RETURNS text
LANGUAGE sql AS
$$
	SELECT coalesce(string_agg(type || ' ' || sample || ': ' || coalesce(got, 'NULL') || ', not ' || coalesce(wanted, 'NULL'), chr(10)
			ORDER BY type, sample) FILTER (WHERE got IS DISTINCT FROM wanted), count(*)::text)
	FROM (SELECT type, sample,
			result_or_error(format('SELECT %s FROM %s', replace(call, 'TYPE', type), arrays)) AS got,
			result_or_error(format('SELECT coalesce(array_agg(%s ORDER BY o), ''{}'')
				FROM (SELECT u.* FROM %s, unnest(a, b, c) WITH ORDINALITY AS u (a, b, c, o)) AS u', replace(expression, 'TYPE', type), arrays)) AS wanted
		FROM (SELECT *, format('(SELECT %L::%s[] AS a, %L::%2$s[] AS b, %L::boolean[] AS c) AS arrays',
				literals[1], type, literals[2], literals[3]) AS arrays
			FROM pairs_of_arrays WHERE family = ANY (families)) AS p) AS r
$$;

-- Arithmetic.
SELECT f, compare_elementwise(format('gpu_%s(a, b)', f), format('a %s b', o)) AS arrays,
	compare_elementwise(format('gpu_%s(a, 3::TYPE)', f), format('a %s 3::TYPE', o)) AS value_after,
	compare_elementwise(format('gpu_%s(-2::TYPE, a)', f), format('(-2)::TYPE %s a', o)) AS value_before
FROM (VALUES ('add', '+'), ('subtract', '-'), ('multiply', '*'), ('divide', '/')) AS v (f, o);
SELECT compare_elementwise('gpu_abs(a)', 'abs(a)') AS abs, compare_elementwise('gpu_negate(a)', '-a') AS negate,
	compare_elementwise('gpu_clip(a, -20::TYPE, 3000::TYPE)', 'CASE WHEN a::text = ''NaN'' OR a IS NULL THEN a ELSE least(greatest(a, -20::TYPE), 3000::TYPE) END') AS clip,
	compare_elementwise('gpu_clip(a, NULL, 3::TYPE)', 'CASE WHEN a::text = ''NaN'' OR a IS NULL THEN a ELSE least(a, 3::TYPE) END') AS no_low,
	compare_elementwise('gpu_clip(a, 3::TYPE, NULL)', 'CASE WHEN a IS NULL THEN a ELSE greatest(a, 3::TYPE) END') AS no_high,
	compare_elementwise('gpu_clip(a, NULL, NULL)', 'a') AS no_bound;
SELECT gpu_multiply('{1.5, 2}'::float8[], 2.5), gpu_subtract(1, '{{1, 2}, {3, NULL}}'::integer[]), gpu_clip('{1, 5}'::integer[], 4, 2),
	gpu_add('[2:3][0:0]={{1},{4}}'::integer[], '{{1},{2}}'), gpu_add(NULL, 1), gpu_add('{1}'::real[], NULL::real);

-- Comparisons and conditions.
SELECT o, compare_elementwise(format('gpu_compare(a, %L, b)', o), format('a %s b', o)) AS arrays,
	compare_elementwise(format('gpu_compare(a, %L, 5)', o), format('a %s 5', o)) AS bigint,
	compare_elementwise(format('gpu_compare(a, %L, -0.5)', o), format('a %s -0.5', o)) AS numeric,
	compare_elementwise(format('gpu_compare(a, %L, ''Infinity''::float8)', o), format('a %s ''Infinity''::float8', o)) AS infinity,
	compare_elementwise(format('gpu_compare(a, %L, ''NaN''::float8)', o), format('a %s ''NaN''::float8', o)) AS nan
FROM unnest('{<,<=,=,<>,!=,>=,>}'::text[]) AS o;
SELECT compare_elementwise('gpu_between(a, -5, 50)', 'a BETWEEN -5 AND 50') AS bigint,
	compare_elementwise('gpu_between(a, -0.5, 1e6)', 'a BETWEEN -0.5 AND 1e6') AS numeric,
	compare_elementwise('gpu_between(a, 3.5::float8, ''NaN''::float8)', 'a BETWEEN 3.5::float8 AND ''NaN''::float8') AS double,
	compare_elementwise('gpu_between(a, 5, -5)', 'a BETWEEN 5 AND -5') AS none;
-- a finite bound beyond double precision is below Infinity
SELECT o, sign, gpu_compare('{1.7976931348623157e308, Infinity, -1.7976931348623157e308, -Infinity, NaN, NULL}'::float8[], o, (sign || '1e400')::numeric)
FROM unnest('{<,<=,=,<>,>=,>}'::text[]) AS o, unnest('{+,-}'::text[]) AS sign;
SELECT gpu_between('{1.7976931348623157e308, Infinity, -1.7976931348623157e308, -Infinity, NaN, NULL}'::float8[], -1e400, 1e400),
	gpu_filter('{3.4028235e38, Infinity, -Infinity, NaN, NULL}'::real[], '<', 1e400);
SELECT compare_elementwise('gpu_and(a, b)', 'a AND b', '{boolean}') AS "and", compare_elementwise('gpu_or(a, b)', 'a OR b', '{boolean}') AS "or",
	compare_elementwise('gpu_not(a)', 'NOT a', '{boolean}') AS "not";
SELECT compare_elementwise('gpu_if(c, a, b)', 'CASE WHEN c THEN a ELSE b END') AS arrays,
	compare_elementwise('gpu_if(c, a, 7::TYPE)', 'CASE WHEN c THEN a ELSE 7::TYPE END') AS value_last,
	compare_elementwise('gpu_if(c, 7::TYPE, b)', 'CASE WHEN c THEN 7::TYPE ELSE b END') AS value_first,
	compare_elementwise('gpu_if(c, NULL::TYPE, b)', 'CASE WHEN c THEN NULL ELSE b END') AS null_first,
	compare_elementwise('gpu_if(c, 7::TYPE, NULL::TYPE)', 'CASE WHEN c THEN 7::TYPE END') AS "values";
SELECT gpu_if(NULL, 1, 2), gpu_if('{t}', NULL::integer[], 2), gpu_count_where('{t,f,NULL,t}'), gpu_count_where('{}'), gpu_count_where(NULL);

-- Changes.
SELECT string_agg(sample, ', ' ORDER BY sample) FILTER (WHERE got IS DISTINCT FROM wanted) AS different, count(*)
FROM (SELECT type, sample, result_or_error(format('SELECT gpu_changes(%L::%s[])', literals[1], type)) AS got,
	result_or_error(format('SELECT coalesce(array_agg(o = 1 OR a IS DISTINCT FROM before ORDER BY o), ''{}'')
		FROM (SELECT a, o, lag(a) OVER (ORDER BY o) AS before FROM unnest(%L::%s[]) WITH ORDINALITY AS u (a, o)) AS u', literals[1], type)) AS wanted
	FROM pairs_of_arrays) AS r;
SELECT gpu_segment_sum('{1,2,3,4}'::integer[], gpu_changes('{7,7,NULL,8}'::bigint[]));

-- Places.
SELECT compare_elementwise('gpu_reverse(gpu_reverse(a))', 'a', '{integer, float, boolean}') AS twice,
	count(*), bool_and(reversed) AS reversed, bool_and(shifted) AS shifted, bool_and(taken) AS taken, bool_and(sliced) AS sliced,
	bool_and(joined) AS joined
FROM pairs_of_arrays, LATERAL (SELECT
	result_or_error(format('SELECT gpu_reverse(a) = ARRAY(SELECT x FROM unnest(a) WITH ORDINALITY AS u (x, o) ORDER BY o DESC)
		FROM (SELECT %L::%s[] AS a) AS t', literals[1], type))::boolean AS reversed,
	result_or_error(format('SELECT bool_and(gpu_shift(a, n) = ARRAY(SELECT CASE WHEN n >= 0 THEN lag(x, n) OVER (ORDER BY o)
			ELSE lead(x, -n) OVER (ORDER BY o) END FROM unnest(a) WITH ORDINALITY AS u (x, o) ORDER BY o))
		FROM (SELECT %L::%s[] AS a) AS t, unnest(''{0,1,-1,3,-7,1000000,-1000000}''::integer[]) AS n', literals[1], type))::boolean AS shifted,
	result_or_error(format('SELECT gpu_take(a, p) = ARRAY(SELECT a[i] FROM unnest(p) WITH ORDINALITY AS u (i, o) ORDER BY o)
		FROM (SELECT a, array_agg(CASE WHEN i %% 4 > 0 THEN noise(i) %% cardinality(a) + 1 END ORDER BY i) AS p
			FROM (SELECT %L::%s[] AS a) AS t, generate_series(1, 300) AS i WHERE a <> ''{}'' GROUP BY a) AS t', literals[1], type))::boolean AS taken,
	result_or_error(format('SELECT bool_and(gpu_slice(a, f, l) = a[f:l]) FROM (SELECT %L::%s[] AS a) AS t,
		(VALUES (1, 5), (3, 3), (9, 50), (-5, 70), (70, 1000), (4, 3), (1, 0), (5000, 6000)) AS v (f, l)', literals[1], type))::boolean AS sliced,
	result_or_error(format('SELECT gpu_concat(a, b) = a || b AND gpu_concat(b, a) = b || a AND gpu_concat(a, NULL) = a AND gpu_concat(NULL, a) = a
		FROM (SELECT %L::%s[] AS a, %L::%2$s[] AS b) AS t', literals[1], type, literals[2]))::boolean AS joined) AS r;
SELECT gpu_slice('[5:6][1:2]={{1,2},{3,4}}'::integer[], 2, 3), gpu_slice('{1,2,3}'::integer[], 2), gpu_slice('{1,2,3}'::integer[], NULL, 2),
	gpu_reverse('[5:6][1:2]={{1,2},{3,4}}'::integer[]), gpu_shift('[5:6][1:2]={{1,2},{3,4}}'::integer[]),
	gpu_take('{10,20,30}'::integer[], '{{3,1},{2,NULL}}'), gpu_concat(NULL::integer[], NULL), gpu_shift('{1,0}'::boolean[], -2147483648);
SELECT gpu_concat('{{1},{2}}'::integer[], NULL) AS null_last, gpu_concat(NULL, '[5:6]={1,NULL}'::integer[]) AS null_first,
	gpu_concat('{1}'::integer[], '{2.5}'::float8[]) AS two_types;
-- more than a piece, with NULLs and without
SELECT gpu_shift(a, 9000) = gpu_concat(array_fill(NULL::integer, '{9000}'), gpu_slice(a, 1, 21000)) AS shifted,
	gpu_shift(b, -9000) = gpu_concat(gpu_slice(b, 9001), array_fill(NULL::integer, '{9000}')) AS with_nulls,
	gpu_add(a, b) = ARRAY(SELECT x + y FROM unnest(a, b) WITH ORDINALITY AS u (x, y, o) ORDER BY o) AS added
FROM (SELECT array_agg(noise(i) ORDER BY i) AS a, array_agg(CASE WHEN i % 3000 > 5 THEN i END ORDER BY i) AS b FROM generate_series(1, 30000) AS i) AS s;

-- Stored arrays, of several pieces that are read one by one.
CREATE TABLE stored_elementwise (a double precision[], b integer[], k boolean[]);
ALTER TABLE stored_elementwise ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL, ALTER k SET STORAGE EXTERNAL;
INSERT INTO stored_elementwise
SELECT array_agg(noise(i) / 7.0 ORDER BY i), array_agg(CASE WHEN i % 7 > 0 THEN 140001 - i END ORDER BY i), array_agg(i % 70000 < 3 ORDER BY i)
FROM generate_series(1, 150000) AS i;
SELECT gpu_add(a, a) = ARRAY(SELECT x + x FROM unnest(a) WITH ORDINALITY AS u (x, o) ORDER BY o) AS added,
	gpu_abs(b) = ARRAY(SELECT abs(x) FROM unnest(b) WITH ORDINALITY AS u (x, o) ORDER BY o) AS with_nulls,
	gpu_if(k, a, 0) = ARRAY(SELECT CASE WHEN c THEN x ELSE 0 END FROM unnest(k, a) WITH ORDINALITY AS u (c, x, o) ORDER BY o) AS chosen,
	gpu_subtract(b, gpu_if(k, b, 1)) = ARRAY(SELECT x - CASE WHEN c THEN x ELSE 1 END FROM unnest(k, b) WITH ORDINALITY AS u (c, x, o) ORDER BY o) AS subtracted,
	gpu_reverse(b) = ARRAY(SELECT x FROM unnest(b) WITH ORDINALITY AS u (x, o) ORDER BY o DESC) AS reversed,
	gpu_take(a, gpu_argsort(a)) = gpu_sort(a) AND gpu_take(b, gpu_argsort(b)) = gpu_sort(b) AS taken
FROM stored_elementwise;
SELECT error_of('SELECT gpu_divide(1, b) FROM stored_elementwise');
-- Of several errors the first is raised, whatever batches and NULLs come before it.
SELECT call, bool_and(error_of(format('SELECT %s FROM (SELECT array_agg(CASE WHEN i IN (%s, 99990, 99999) THEN %s WHEN i %% 7 > 0 THEN %s END ORDER BY i) AS a
		FROM generate_series(1, 100000) AS i) AS s', call, first, bad, good)) ILIKE format('%%element %s is %%', first)) AS is_first
FROM (VALUES ('gpu_add(a, 2147483647)', 1, -1), ('gpu_divide(1, a)', 0, 1), ('gpu_multiply(a, a)', 50000, 1), ('gpu_power(a, a)', -1000, 2),
	('gpu_sqrt(a)', -1, 4)) AS c (call, bad, good), (VALUES (2), (40001), (65537), (99990)) AS p (first)
GROUP BY call ORDER BY call COLLATE "C";
DROP TABLE stored_elementwise;

-- Errors.
SELECT call, error_of('SELECT ' || call)
FROM unnest(ARRAY['gpu_add(''{1,2}''::integer[], ''{1}'')', 'gpu_add(''{{1,2}}''::integer[], ''{1,2}'')', 'gpu_if(''{t}'', ''{1,2}''::real[], 1::real)',
	'gpu_add(''{0,32767}''::smallint[], 1::smallint)', 'gpu_divide(''{1,2}''::integer[], ''{1,0}'')', 'gpu_multiply(''{1,1e-200}''::float8[], 1e-200)',
	'gpu_multiply(''{1e300}''::float8[], 1e300)',
	'gpu_compare(''{1}''::integer[], ''=='', 1)', 'gpu_compare(''{t}''::boolean[], ''<'', 1)', 'gpu_take(''{1,2}''::integer[], ''{1,3}'')',
	'gpu_take(''{1,2}''::integer[], ''{0}'')', 'gpu_take(''{a}''::text[], ''{1}'')', 'gpu_changes(''{a}''::text[])',
	'gpu_between(''{a}''::text[], 1, 2)']) AS call;

-- Integers of rows, beside real, are not rounded to real.
CREATE TABLE mixed AS
SELECT ARRAY[16777217, 2147483647, 7, 20000001] AS i, ARRAY[9007199254740991, 33554435, 20000003, 16777219]::bigint[] AS b,
	ARRAY[16777216, 0.5, 33554432, 3]::real[] AS r;
CREATE FUNCTION value_of(expression text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	value text;
BEGIN
	EXECUTE 'SELECT (' || expression || ')::text FROM mixed' INTO value;
	RETURN value;
END
$$;
SELECT call, bool_and(value_of(format(call, x, y) || type) = value_of(format(call, x || '::float8[]', y || '::float8[]') || type)) AS same
FROM (SELECT call, '' AS type FROM unnest('{"gpu_corr(%s, %s)","gpu_covar_pop(%s, %s)","gpu_covar_samp(%s, %s)","gpu_regr_slope(%s, %s)","gpu_regr_intercept(%s, %s)",
		"gpu_regr_r2(%s, %s)","gpu_moving_corr(%s, %s, 2)","gpu_compare(%s, ''<'', %s)","gpu_searchsorted(gpu_sort(%s), %s)",
		"gpu_searchsorted(gpu_sort(%s), %s, ''left'')","gpu_asof(gpu_sort(%s), %s)","gpu_histogram2d(%s, %s, 1, 16777217, 2, 0, 3, 3)"}'::text[]) AS call
	UNION ALL SELECT call, '::real[]' FROM unnest('{"gpu_add(%s, %s)","gpu_subtract(%s, %s)","gpu_multiply(%s, %s)","gpu_divide(%s, %s)"}'::text[]) AS call
	UNION ALL SELECT 'gpu_dot(%s, %s)', '::real') AS c,
	(VALUES ('i', 'r'), ('r', 'i'), ('b', 'r'), ('r', 'b')) AS v (x, y)
GROUP BY call ORDER BY call COLLATE "C";
SELECT gpu_power(i, r[2:2] || r[2:2] || r[2:2] || r[2:2]), gpu_add(i, 0.25::real), gpu_subtract(0::real, b), gpu_sum(gpu_multiply(i, r)), gpu_compare(i, '=', r) FROM mixed;

-- Constants and parameters are, whatever the plan, and so are calls of who may not call the other function.
PREPARE mixed_with(integer[]) AS SELECT gpu_compare($1, '=', r) FROM mixed;
SET plan_cache_mode = force_custom_plan;
EXECUTE mixed_with('{16777217,1,1,1}');
SET plan_cache_mode = force_generic_plan;
EXECUTE mixed_with('{16777217,1,1,1}');
RESET plan_cache_mode;
DEALLOCATE mixed_with;
SELECT gpu_compare('{16777217,1,1,1}'::integer[], '=', r) FROM mixed;
CREATE ROLE regress_gpuscan_mixed;
GRANT SELECT ON mixed TO regress_gpuscan_mixed;
REVOKE EXECUTE ON FUNCTION gpu_dot(double precision[], double precision[]), gpu_corr(real[], real[]) FROM PUBLIC;
SET ROLE regress_gpuscan_mixed;
SELECT gpu_dot(i[1:1], ARRAY[1::real]) FROM mixed;
SELECT gpu_corr(i, r) FROM mixed;
RESET ROLE;
GRANT EXECUTE ON FUNCTION gpu_dot(double precision[], double precision[]), gpu_corr(real[], real[]) TO PUBLIC;
REVOKE ALL ON mixed FROM regress_gpuscan_mixed;
DROP ROLE regress_gpuscan_mixed;
DROP TABLE mixed;
DROP FUNCTION value_of;
