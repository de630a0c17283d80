-- Compaction against array_agg of the rows that a WHERE clause keeps.
SET extra_float_digits = 1;

-- Compare the result of a call with a filtered array_agg over v, i and keep.
CREATE FUNCTION compare_compaction(type text, call text, condition text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(sample, '', '' ORDER BY sample)
							FILTER (WHERE r::text IS DISTINCT FROM e::text),
						count(*) || '' equal'')
		FROM (SELECT sample, %s AS r, e
			  FROM (SELECT sample, array_agg(v ORDER BY i) AS a,
						array_agg(keep ORDER BY i) AS keep,
						coalesce(array_agg(v ORDER BY i) FILTER (WHERE %s), ''{}'')
						AS e
					FROM (SELECT sample, i, head OR noise(i + 9000) %% 2 = 0
							AS keep, (%s)::%s AS v FROM samples) AS data
					GROUP BY sample) AS arrays) AS compared',
		call, condition,
		(SELECT value FROM types WHERE types.type = compare_compaction.type),
		type)
	INTO answer;
	RETURN answer;
END
$$;

SELECT type,
	compare_compaction(type, 'gpu_compact(a, keep)', 'keep') AS compact,
	compare_compaction(type,
		'gpu_compact(a, array_fill(true, ARRAY[cardinality(a)]))', 'true') AS all,
	compare_compaction(type,
		'gpu_compact(a, array_fill(false, ARRAY[cardinality(a)]))', 'false') AS none,
	compare_compaction(type,
		'gpu_compact(a, array_fill(NULL::boolean, ARRAY[cardinality(a)]))',
		'false') AS all_null
FROM types WHERE family <> 'boolean' ORDER BY ord;

-- Every operator with both kinds of bound, some of them present in the array.
SELECT type, op,
	compare_compaction(type, format('gpu_filter(a, %L, 0::bigint)', op),
					   format('v %s 0::bigint', op)) AS "bigint 0",
	compare_compaction(type, format('gpu_filter(a, %L, (-7 * %s)::bigint)', op, u),
					   format('v %s (-7 * %s)::bigint', op, u)) AS "bigint -7",
	compare_compaction(type, format('gpu_filter(a, %L, (5.0 * %s)::float8)', op, u),
					   format('v %s (5.0 * %s)::float8', op, u)) AS "double 5",
	compare_compaction(type, format('gpu_filter(a, %L, -0.5::float8)', op),
					   format('v %s -0.5::float8', op)) AS "double -0.5",
	compare_compaction(type, format('gpu_filter(a, %L, ''NaN''::float8)', op),
					   format('v %s ''NaN''::float8', op)) AS "NaN"
FROM (SELECT *, CASE type WHEN 'smallint' THEN '1' WHEN 'integer' THEN '10007'
	WHEN 'bigint' THEN '1000000007::bigint' WHEN 'real' THEN '2047.625'
	ELSE '125000.375' END AS u FROM types) AS t,
	unnest('{<, <=, =, <>, >=, >}'::text[]) WITH ORDINALITY AS o (op, o)
WHERE family <> 'boolean' ORDER BY ord, o;

-- Positions.
SELECT count(*) AS samples, count(*) FILTER (WHERE gpu_where(a) = e) AS equal
FROM (SELECT array_agg(v ORDER BY i) AS a,
		coalesce(array_agg(i ORDER BY i) FILTER (WHERE v), '{}') AS e
	  FROM (SELECT sample, i, k % 3 <> 0 AS v FROM samples) AS data
	  GROUP BY sample) AS s;

-- Readable examples, and the shape of the result.
SELECT gpu_compact(ARRAY[1, NULL, 3, 4], ARRAY[true, true, NULL, true]),
	gpu_compact(arr => ARRAY[1, 2], keep => ARRAY[false, false]),
	gpu_compact('{}'::integer[], '{}'), gpu_compact(NULL::integer[], '{t}') IS NULL,
	gpu_compact(ARRAY[1], NULL) IS NULL,
	gpu_compact(NULL::integer[], NULL) IS NULL;
SELECT gpu_filter(ARRAY[1, NULL, 3, 4], '>=', 3),
	gpu_filter(arr => ARRAY[1, NULL, 3, 4], op => '<>', bound => 3.0),
	gpu_filter('{}'::real[], '<', 0), gpu_filter(NULL::real[], '<', 0) IS NULL,
	gpu_filter(ARRAY[1], '<', NULL::bigint) IS NULL,
	gpu_filter(ARRAY[1], '<', NULL::double precision) IS NULL,
	gpu_filter(ARRAY[NULL]::integer[], '<>', 0);
SELECT gpu_filter(ARRAY[1], '<', NULL) IS NULL AS bound, gpu_filter(ARRAY[1], NULL, 1) IS NULL AS op,
	gpu_filter(ARRAY[1], NULL, 1.5) IS NULL AS numeric, gpu_filter(ARRAY[1]::real[], NULL, 1) IS NULL AS real,
	gpu_filter(NULL::integer[], NULL, 1) IS NULL AS all, gpu_filter(NULL::integer[], '<', 1.5) IS NULL AS arr;
SELECT gpu_where(ARRAY[true, NULL, false, true]), gpu_where(keep => '{}'),
	gpu_where(ARRAY[NULL, false]), gpu_where(NULL) IS NULL;
SELECT gpu_compact('[0:1][5:6]={{1, 2}, {NULL, 4}}'::smallint[],
				   '[7:10]={t, f, t, t}'),
	gpu_filter('[0:1][5:6]={{1, 2}, {NULL, 4}}'::real[], '>', 1),
	gpu_where('[0:1][5:6]={{t, f}, {NULL, t}}');
SELECT array_dims(gpu_compact('[5:7]={1, 2, 3}'::bigint[], '{t, f, t}')),
	array_dims(gpu_filter('[5:7]={1, 2, 3}'::bigint[], '<>', 2)),
	array_dims(gpu_where('[5:7]={t, f, t}')),
	array_ndims(gpu_filter('[5:7]={1, 2, 3}'::bigint[], '>', 3)) IS NULL
		AS no_dimensions;
SELECT pg_typeof(gpu_compact('{1}'::smallint[], '{t}')),
	pg_typeof(gpu_filter('{1}'::integer[], '<', 0.5)),
	pg_typeof(gpu_filter('{1}'::bigint[], '<', 1)),
	pg_typeof(gpu_compact('{1}'::real[], '{t}')),
	pg_typeof(gpu_filter('{1}'::double precision[], '<', 1)),
	pg_typeof(gpu_where('{t}'));

-- Comparisons are exact, as numeric has them: no type is rounded to the other,
-- but a numeric is to double, as SQL has it, so that 0.1 finds 0.1.
SELECT gpu_filter(a, '=', 9007199254740992) AS bigint,
	gpu_filter(a, '=', 9007199254740992::double precision) AS double,
	gpu_filter(a, '>', 9007199254740992) AS above,
	gpu_filter(a, '>', 9007199254740992::double precision) AS double_above
FROM (SELECT '{9007199254740991, 9007199254740992, 9007199254740993}'::bigint[]
	AS a) AS s;
SELECT gpu_filter('{0.1, 0.5}'::real[], '=', 0.1::double precision) AS none,
	gpu_filter('{0.1, 0.5}'::real[], '=', 0.1::real) AS one,
	gpu_filter('{16777216}'::real[], '=', 16777217) AS not_rounded,
	gpu_filter('{9007199254740992}'::double precision[], '=', 9007199254740993)
		AS nor_this,
	gpu_filter('{0.1, 0.5}'::double precision[], '=', 0.1) AS decimal,
	gpu_filter('{0.1, 0.5}'::double precision[], '>', '0.1') AS quoted,
	gpu_filter('{32767, -32768}'::smallint[], '<', 32768) AS beyond,
	gpu_filter('{32767, -32768}'::smallint[], '>', -9223372036854775808) AS far,
	gpu_filter('{2147483647}'::integer[], '=', 4294967295) AS not_wrapped,
	gpu_filter('{-1}'::integer[], '=', 4294967295) AS nor_here,
	gpu_filter('{1, 2}'::integer[], '>', '-Infinity'::double precision) AS infinite;
-- every element type with every type of bound, at all hard values, against
-- numeric, in which infinities are represented by numbers beyond all others
CREATE FUNCTION exactly(v double precision) RETURNS numeric LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN v = 'NaN' THEN 'NaN' WHEN v = 'Infinity' THEN 1e3000
		WHEN v = '-Infinity' THEN -1e3000
		ELSE gpu_sum_exact(gpu_stats(ARRAY[v])) END $$;
CREATE FUNCTION cast_or_null(v text, type text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT %L::%s', v, type) INTO result;
	RETURN result;
EXCEPTION WHEN data_exception THEN
	RETURN NULL;
END
$$;
CREATE TABLE hard (v text);
INSERT INTO hard VALUES ('0'), ('1'), ('-1'), ('0.1'), ('-0.1'), ('0.5'), ('-0.5'), ('1.5'), ('-1.5'), ('5e-324'),
	('2e-324'), ('-2e-324'), ('1e-2000'), ('-1e-2000'), ('0.1000000000000000055511151231257827021181583404541015625'),
	('0.10000000149011611938'), ('32767'), ('32767.5'), ('32768'), ('-32768'), ('-32768.5'), ('-32769'),
	('16777216'), ('16777217'), ('2147483647'), ('2147483648'), ('-2147483648'), ('-2147483649'),
	('9007199254740991'), ('9007199254740992'), ('9007199254740993'), ('9007199254740993.5'), ('-9007199254740993'),
	('9223372036854774784'), ('9223372036854775806'), ('9223372036854775807'), ('9223372036854775807.5'),
	('9223372036854775808'), ('9223372036854777856'), ('-9223372036854775807'), ('-9223372036854775808'),
	('-9223372036854775808.5'), ('-9223372036854775809'), ('-9223372036854777856'), ('3.4028234e38'), ('1e39'),
	('1.7976931348623157e308'), ('1.7976931348623158e308'), ('1.7976931348623159e308'), ('1e309'), ('-1e309'),
	('1e2000'), ('-1e2000'), ('-1.7976931348623157e308'), ('Infinity'), ('-Infinity'), ('NaN');
CREATE FUNCTION compare_bounds(elements text, bounds text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	exact_element text := CASE WHEN elements IN ('real', 'double precision') THEN 'exactly(v)' ELSE 'v::numeric' END;
	exact_bound text := CASE WHEN bounds IN ('real', 'double precision') THEN 'exactly(b)'
		WHEN bounds = 'numeric' AND elements IN ('real', 'double precision') THEN
			-- the cast fails beyond the range of double, or if the result would be 0
			'CASE WHEN abs(b) > 1.7976931348623158e308 THEN b WHEN abs(b) < 2.4e-324 THEN 0
				ELSE exactly(b::double precision) END'
		ELSE 'b::numeric' END;
	answer text;
BEGIN
	EXECUTE format('
		WITH a AS (SELECT cast_or_null(v, %1$L)::%1$s AS v FROM hard
				WHERE cast_or_null(v, %1$L) IS NOT NULL),
			bound AS (SELECT DISTINCT ON (b::text) b FROM (SELECT cast_or_null(v, %2$L)::%2$s AS b FROM hard) AS c
				WHERE b::text !~ %3$L),
			said AS (SELECT b, op, gpu_filter((SELECT array_agg(v ORDER BY v) FROM a), op, b) AS r
				FROM bound, unnest(''{<, <=, =, <>, >=, >}''::text[]) AS op),
			-- exact numbers take long, so each is made once
			element AS MATERIALIZED (SELECT v, %4$s AS e FROM a),
			exact_bound AS MATERIALIZED (SELECT b, %5$s AS f FROM bound),
			truth AS (SELECT b, op, coalesce(array_agg(v ORDER BY v) FILTER (WHERE CASE op
					WHEN ''<'' THEN e < f WHEN ''<='' THEN e <= f WHEN ''='' THEN e = f
					WHEN ''<>'' THEN e <> f WHEN ''>='' THEN e >= f ELSE e > f END), ''{}'') AS r
				FROM exact_bound, element,
					unnest(''{<, <=, =, <>, >=, >}''::text[]) AS op
				GROUP BY b, op)
		SELECT coalesce(string_agg(op || '' '' || b::text, '', '') FILTER (WHERE said.r::text <> truth.r::text), ''equal'')
		FROM said JOIN truth USING (b, op)', elements, bounds,
		-- 13 has no infinite numeric
		CASE bounds WHEN 'numeric' THEN 'Infinity' ELSE 'none' END, exact_element, exact_bound)
	INTO answer;
	RETURN answer;
END
$$;
SELECT type, compare_bounds(type, 'smallint') AS smallint, compare_bounds(type, 'integer') AS integer,
	compare_bounds(type, 'bigint') AS bigint, compare_bounds(type, 'real') AS real,
	compare_bounds(type, 'double precision') AS double, compare_bounds(type, 'numeric') AS numeric
FROM types WHERE family <> 'boolean' ORDER BY ord;
DROP FUNCTION compare_bounds, cast_or_null, exactly;
DROP TABLE hard;
-- the ends of the range
SELECT op, gpu_filter(a, op, -9223372036854775808) AS least,
	gpu_filter(a, op, 9223372036854775807) AS greatest,
	gpu_filter('{-32768, 0}'::smallint[], op, -9223372036854775808) AS smallint,
	gpu_filter('{-Infinity, 0}'::real[], op, '-Infinity'::double precision) AS real,
	gpu_filter('{0, Infinity, NaN}'::double precision[], op, 'Infinity') AS double
FROM unnest('{<, <=, =, <>, >=, >}'::text[]) WITH ORDINALITY AS o (op, n),
	(SELECT '{-9223372036854775808, 0, 9223372036854775807}'::bigint[] AS a) AS s
ORDER BY n;

-- Errors.
SELECT error_of('SELECT gpu_compact(ARRAY[1, 2, 3], ARRAY[true])');
SELECT error_of('SELECT gpu_compact(''{}''::real[], ARRAY[true])');
SELECT error_of('SELECT gpu_compact(ARRAY[1, NULL], ''{}'')');
SELECT error_of('SELECT gpu_filter(ARRAY[1], ''=='', 1)');
SELECT error_of('SELECT gpu_filter(ARRAY[1], '''', 1::bigint)');
SELECT error_of('SELECT gpu_filter(ARRAY[1], ''<<'', 1)');
SELECT error_of('SELECT gpu_filter(ARRAY[1], ''=!'', 1)');
SELECT error_of('SELECT gpu_filter(''{}''::bigint[], ''~'', 1)');
SELECT error_of('SELECT gpu_filter(ARRAY[1], ''=='', NULL)');
SELECT error_of('SELECT gpu_filter(ARRAY[1]::real[], NULL, ''x'')');
SELECT error_of(format('SELECT gpu_filter(%s, ''<'', %s)', a, b))
FROM unnest('{"ARRAY[''a'']", "ARRAY[true]", "NULL::date[]"}'::text[]) AS a,
	unnest('{1, 1.5, 1::bigint}'::text[]) AS b;
SELECT left(error_of('SELECT gpu_compact(ARRAY[''a''], ARRAY[true])'), 5),
	left(error_of('SELECT gpu_where(ARRAY[1, 0])'), 5);

DROP FUNCTION compare_compaction;
