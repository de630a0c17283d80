-- Every function of the extension, misused: NULL and odd values for each
-- argument, states of the wrong kind, calls outside of aggregates and inside of
-- aggregates that any user can create.  The functions are found in the catalog.
-- Every call must end in a result, or in an error that names a wrong argument,
-- and the server must survive it.
BEGIN;
CREATE ROLE regress_gpuscan_user;
CREATE SCHEMA misuse AUTHORIZATION regress_gpuscan_user;
SET LOCAL client_min_messages = warning;

-- The values to call functions with, by argument type; the first one of each type
-- is an ordinary value.
CREATE TABLE misuse.value (type regtype, number serial, value text);
INSERT INTO misuse.value (type, value) VALUES
	('smallint', '1'), ('smallint', '-1'),
	('integer', '2'), ('integer', '-1'), ('integer', '2147483647'),
	('bigint', '1'), ('bigint', '-9223372036854775808'),
	('real', '0.75'), ('real', 'NaN'),
	('double precision', '0.5'), ('double precision', '1'), ('double precision', 'NaN'),
	('double precision', '-Infinity'),
	('numeric', '1'), ('boolean', 'true'), ('text', '>'), ('text', ''), ('text[]', '{a,b,c}'), ('text[]', '{NULL}'), ('uuid[]', '{}'),
	('cstring', 'reals count=1 sum=0x3p0'), ('cstring', 'stats count=1 min=3 max=3 sum=0x3p0 squares=0x9p0'),
	('bytea', '\x'), ('bytea', '\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00112233'),
	('boolean[]', '{t,f,t}'), ('boolean[]', '{NULL}'), ('boolean[]', '{}'), ('boolean[]', '{{t},{f}}'),
	('gpu_state', 'integers count=2 sum=0x3p0'),
	('gpu_state', 'integer-moments count=2 sum=0x3p0 squares=0x5p0'),
	('gpu_state', 'reals count=3 nan=1 inf=1 sum=0x1p0'),
	('gpu_state', 'moments count=2 sum=0x5p-2 squares=0xdp-4'),
	('gpu_state', 'pairs count=3 not-finite-y=1 x=0x3p0 xx=0x5p0 y=0x1p0 yy=0x1p0 xy=0x1p1'),
	('gpu_state', 'pairs'), ('gpu_state', 'moments count=2 -0=1 sum=0x1p600 squares=0x1p1200'), ('gpu_state', 'integers count=9223372036854775807'),
	('gpu_stats', 'stats count=1 min=3 max=3 sum=0x3p0 squares=0x9p0'), ('gpu_stats', 'stats'),
	('gpu_stats', 'stats count=9223372036854775807 nan=9223372036854775807 min=NaN max=NaN');
INSERT INTO misuse.value (type, value)
SELECT type, value
FROM unnest('{smallint[],integer[],bigint[],real[],double precision[],numeric[]}'::regtype[]) AS type,
	unnest(ARRAY['{1,2,3}', '{}', '{NULL,1}', '{{1,2},{3,4}}']) AS value;
INSERT INTO misuse.value (type, value)
SELECT type, value FROM unnest('{date,timestamp,timestamptz}'::regtype[]) AS type, unnest(ARRAY['2026-01-01', 'infinity']) AS value
UNION ALL
SELECT type, value FROM unnest('{date[],timestamp[],timestamptz[]}'::regtype[]) AS type, unnest(ARRAY['{2026-01-01,2026-03-01}', '{NULL,-infinity}']) AS value;
-- a state of gpu_histogram from 0.5 to 1
INSERT INTO misuse.value (type, value) VALUES ('bigint[]', '{4602678819172646912,4607182418800017408,0,9223372036854775807}'),
	-- one of gpu_histogram2d from 0 to 1
	('bigint[]', '{0,4607182418800017408,1,0,4607182418800017408,2,0,9223372036854775807}');

CREATE FUNCTION misuse.null_of(type oid) RETURNS text LANGUAGE sql AS
$$ SELECT format('NULL::%s', CASE type WHEN 'anynonarray'::regtype THEN 'integer' WHEN 'anyarray'::regtype THEN 'integer[]' WHEN 'anycompatiblearray'::regtype THEN 'integer[]' WHEN 'anycompatible'::regtype THEN 'integer' WHEN 'anyelement'::regtype THEN 'text' ELSE type::regtype END) $$;
CREATE TABLE misuse.literal AS
SELECT type, number = min(number) OVER (PARTITION BY type) AS ordinary, format('%L::%s', value, type) AS literal, value
FROM misuse.value
UNION ALL SELECT DISTINCT t::regtype, false, misuse.null_of(t), NULL
FROM pg_proc, unnest(proargtypes) AS t;
INSERT INTO misuse.literal VALUES ('regclass', true, $$'pg_class'::regclass$$, 'pg_class');
-- any array: those of all types
INSERT INTO misuse.literal
SELECT any_array, ordinary AND type = 'integer[]'::regtype, literal, value
FROM misuse.literal, unnest('{anyarray,anycompatiblearray}'::regtype[]) AS any_array
WHERE type::text LIKE '%[]' AND type IN (SELECT type FROM misuse.value);
INSERT INTO misuse.literal
SELECT 'anycompatible', ordinary AND type = 'integer'::regtype, literal, value
FROM misuse.literal WHERE type IN ('integer'::regtype, 'double precision'::regtype);
INSERT INTO misuse.literal
SELECT 'anynonarray', ordinary AND type = 'integer'::regtype, literal, value
FROM misuse.literal WHERE type IN ('integer'::regtype, 'bigint'::regtype, 'double precision'::regtype, 'text'::regtype);
INSERT INTO misuse.literal
SELECT 'anyelement', ordinary AND type = 'text'::regtype, literal, value
FROM misuse.literal WHERE type IN ('text'::regtype, 'bigint'::regtype, 'gpu_state'::regtype);

CREATE TABLE misuse.member AS
SELECT p.oid::regprocedure AS function, proname, p.oid, prokind, provolatile, pronargs, proargtypes, provariadic <> 0 AS takes_list, prorettype,
	proisstrict, NOT EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0) AND proacl IS NOT NULL AS revoked
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
WHERE extname = 'gpuscan' AND provariadic <> '"any"'::regtype;	-- chains.sql has calls of those

-- Arguments from position `first` on: at most so many of them odd, or all NULL.
CREATE FUNCTION misuse.arguments(types oidvector, first integer, most integer) RETURNS SETOF text[] LANGUAGE sql AS
$$
	WITH RECURSIVE argument (place, literals, odd) AS (
		SELECT first, '{}'::text[], 0
		UNION ALL
		SELECT place + 1, literals || literal, odd + (NOT ordinary)::integer
		FROM argument JOIN misuse.literal ON type = types[place]
		WHERE odd + (NOT ordinary)::integer <= most)
	SELECT literals FROM argument WHERE place = cardinality(types::oid[])
	UNION
	SELECT array_agg(misuse.null_of(types[place]) ORDER BY place)
	FROM generate_series(first, cardinality(types::oid[]) - 1) AS place
$$;

CREATE TABLE misuse.outcome (what text, function regprocedure, call text, outcome text);
CREATE FUNCTION misuse.try(what text, function regprocedure, call text) RETURNS void LANGUAGE plpgsql AS
$$
DECLARE
	result text;
BEGIN
	BEGIN
		IF call LIKE 'SELECT %' THEN
			EXECUTE call INTO result;
			result := CASE WHEN result IS NULL THEN 'null' ELSE 'result' END;
		ELSE
			EXECUTE call;
			result := 'result';
		END IF;
	EXCEPTION WHEN OTHERS THEN
		result := SQLSTATE || ' ' || SQLERRM;
	END;
	INSERT INTO misuse.outcome VALUES (what, function, call, result);
END
$$;
CREATE FUNCTION misuse.columns(literals text[]) RETURNS text LANGUAGE sql AS
$$ SELECT string_agg(format('%s AS a%s', literal, place), ', ') FROM unnest(literals) WITH ORDINALITY AS u (literal, place) $$;
CREATE FUNCTION misuse.names(n integer, takes_list boolean) RETURNS text LANGUAGE sql AS
$$ SELECT string_agg(CASE WHEN takes_list AND place = n THEN 'VARIADIC ' ELSE '' END || 'a' || place, ', ') FROM generate_series(1, n) AS place $$;

-- No function is left out for lack of a value.  Type internal has only NULL, which
-- is not a valid argument in SQL either; functions of internal states may get it,
-- and only superusers can make aggregates of them.
SELECT function AS not_strict FROM misuse.member WHERE 'internal'::regtype = ANY (proargtypes) AND NOT proisstrict
ORDER BY function::text COLLATE "C";
DELETE FROM misuse.member WHERE 'internal'::regtype = ANY (proargtypes);
SELECT DISTINCT t::regtype AS no_value FROM misuse.member, unnest(proargtypes) AS t
WHERE t NOT IN (SELECT type FROM misuse.literal WHERE ordinary) ORDER BY 1;

GRANT ALL ON ALL TABLES IN SCHEMA misuse TO regress_gpuscan_user;
GRANT ALL ON ALL FUNCTIONS IN SCHEMA misuse TO regress_gpuscan_user;

-- Functions that only aggregates may call, which includes users' own.
SELECT proname AS for_aggregates_alone, count(*) FROM misuse.member
WHERE prokind = 'f' AND provolatile = 'i' AND revoked
GROUP BY proname ORDER BY proname COLLATE "C";
SET LOCAL ROLE regress_gpuscan_user;
SELECT count(misuse.try('aggregate', function, format('SELECT %I(%s)::text FROM (SELECT %s) AS s', proname, names, columns)))
	+ count(misuse.try('aggregate', function, format('SELECT max(w::text) FROM (SELECT %I(%s) OVER (ROWS 1 PRECEDING) AS w FROM (SELECT %s) AS s, generate_series(1, 3)) AS t',
		proname, names, columns))) > 200 AS tried
FROM misuse.member, misuse.arguments(proargtypes, 0, 1) AS literals, misuse.names(pronargs, takes_list) AS names, misuse.columns(literals) AS columns
WHERE prokind = 'a';
-- In parallel too.
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL max_parallel_workers_per_gather = 2;
CREATE TABLE misuse.reading AS SELECT i::real AS r, i::double precision AS v, i AS k FROM generate_series(1, 1000) AS i;
ANALYZE misuse.reading;
CREATE VIEW misuse.of_rows AS
SELECT gpu_median(v), gpu_mode(k), gpu_count_distinct(r), gpu_percentile_cont(k, 0.25) AS p25, gpu_histogram(v, 0, 1001, 2),
	gpu_min(v), gpu_max(v), gpu_min(r) AS least, gpu_max(r) AS greatest, gpu_array_sum(ARRAY[k::bigint, 1]) AS sums, gpu_sum(v), gpu_count(gpu_stats_agg(k))
FROM misuse.reading;
EXPLAIN (COSTS OFF) SELECT * FROM misuse.of_rows;
SELECT * FROM misuse.of_rows;
SET LOCAL max_parallel_workers_per_gather = 0;
RESET ROLE;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO regress_gpuscan_user;
SET LOCAL ROLE regress_gpuscan_user;

-- Outside of aggregates.  Functions that are not IMMUTABLE may take long: only
-- NULL.
SELECT count(misuse.try('function', function,
	format('SELECT max(r::text) FROM (SELECT %I(%s) AS r FROM (SELECT %s OFFSET 0) AS s OFFSET 0) AS t', proname, names, columns))) > 3000 AS tried
FROM misuse.member, misuse.arguments(proargtypes, 0, CASE WHEN pronargs > 3 THEN 1 ELSE 2 END) AS literals,
	misuse.names(pronargs, takes_list) AS names, misuse.columns(literals) AS columns
WHERE prokind = 'f' AND pronargs > 0 AND (provolatile = 'i' OR literals[1] LIKE 'NULL::%');
-- States of a histogram with any bounds, and arguments that agree with them.
CREATE FUNCTION misuse.bits(v double precision) RETURNS bigint LANGUAGE sql AS
$$ SELECT ('x' || encode(float8send(v), 'hex'))::bit(64)::bigint $$;
SELECT count(misuse.try('function', function, format(
	'SELECT max(r::text) FROM (SELECT _gpu_histogram_add(%L::bigint[], %s, %L::double precision, %L::double precision, %s) AS r) AS t',
	ARRAY[misuse.bits(low), misuse.bits(high)] || array_fill(0::bigint, ARRAY[buckets]), value.literal, low, high, buckets))) > 1000 AS tried
FROM misuse.member, unnest('{-Infinity,Infinity,NaN,0,-0,1,-1.7e308,1.7e308}'::double precision[]) AS low,
	unnest('{-Infinity,Infinity,NaN,0,-0,1,-1.7e308,1.7e308}'::double precision[]) AS high,
	generate_series(1, 2) AS buckets, misuse.literal AS value
WHERE proname = '_gpu_histogram_add' AND value.type = proargtypes[1] AND proargtypes[2] = 'double precision'::regtype;
SELECT count(misuse.try('function', function, format(
	'SELECT max(r::text) FROM (SELECT _gpu_histogram_add(%L::bigint[], %s, %L::%s, %L::%4$s, %6$s) AS r) AS t',
	ARRAY[misuse.bits(low.days * unit), misuse.bits(high.days * unit)] || array_fill(0::bigint, ARRAY[buckets]), value.literal, low.time, value.type, high.time, buckets))) > 200 AS tried
FROM (VALUES ('-infinity', '-Infinity'::double precision), ('infinity', 'Infinity'), ('2000-01-01 00:00Z', 0), ('2000-01-02 00:00Z', 1)) AS low (time, days),
	(VALUES ('-infinity', '-Infinity'::double precision), ('infinity', 'Infinity'), ('2000-01-01 00:00Z', 0), ('2000-01-02 00:00Z', 1)) AS high (time, days),
	generate_series(1, 2) AS buckets, misuse.member, misuse.literal AS value,
	LATERAL (SELECT CASE value.type WHEN 'date'::regtype THEN 1 ELSE 86400e6 END AS unit) AS u
WHERE proname = '_gpu_histogram_add' AND value.type = proargtypes[1] AND proargtypes[2] = value.type;
-- Window functions, with a window and, called by an operator, without one.
SELECT count(misuse.try('window function', function,
	format('SELECT max(w::text) FROM (SELECT %I(%s) OVER () AS w FROM (SELECT %s) AS s, generate_series(1, 3)) AS t', proname, names, columns))) > 400 AS tried
FROM misuse.member, misuse.arguments(proargtypes, 0, 2) AS literals, misuse.names(pronargs, takes_list) AS names, misuse.columns(literals) AS columns
WHERE prokind = 'w';
DO $$
DECLARE
	f record;
	value text;
BEGIN
	FOR f IN SELECT * FROM misuse.member WHERE prokind = 'w' AND pronargs = 1 LOOP
		EXECUTE format('CREATE OPERATOR misuse.@@@ (FUNCTION = %I, RIGHTARG = %s)', f.proname, f.proargtypes[0]::regtype);
		FOR value IN SELECT literal FROM misuse.literal WHERE type = f.proargtypes[0] LOOP
			PERFORM misuse.try('no window', f.function, format('SELECT (OPERATOR(misuse.@@@) a1)::text FROM (SELECT %s AS a1 OFFSET 0) AS s', value));
		END LOOP;
		EXECUTE format('DROP OPERATOR misuse.@@@ (NONE, %s)', f.proargtypes[0]::regtype);
	END LOOP;
END $$;

-- As the functions of users' own aggregates: without INITCOND and with states of
-- every kind, in groups and in window frames, and with any function that can be
-- declared to remove rows.  Functions made for it get odd arguments too.
CREATE FUNCTION misuse.use_aggregate(what text, function regprocedure, n integer, literals text[], definition text, definition_of_types text) RETURNS void LANGUAGE plpgsql AS
$$
DECLARE
	arguments text[];
	rows text;
BEGIN
	PERFORM misuse.try(what || ', made', function, format('CREATE AGGREGATE misuse.own(%s) (%s)', definition_of_types, definition));
	IF to_regproc('misuse.own') IS NULL THEN
		RETURN;
	END IF;
	FOREACH arguments SLICE 1 IN ARRAY literals LOOP
		rows := format('(SELECT %s OFFSET 0) AS s, generate_series(1, 3)', misuse.columns(arguments));
		IF definition NOT LIKE '%MINVFUNC%' THEN
			PERFORM misuse.try(what, function, format('SELECT misuse.own(%s)::text FROM %s', misuse.names(n, false), rows));
		END IF;
		PERFORM misuse.try(what || ', frame', function,
			format('SELECT max(w::text) FROM (SELECT misuse.own(%s) OVER (ROWS 1 PRECEDING) AS w FROM %s) AS t', misuse.names(n, false), rows));
	END LOOP;
	EXECUTE format('DROP AGGREGATE misuse.own(%s)', definition_of_types);
END
$$;
CREATE TABLE misuse.step AS
SELECT *, pronargs - 1 AS n, proargtypes[0]::regtype AS state,
	(SELECT string_agg(proargtypes[i]::regtype::text, ', ' ORDER BY i) FROM generate_series(1, pronargs - 1) AS i) AS types,
	ARRAY(SELECT misuse.arguments(proargtypes, 1, (revoked OR proargtypes[0] IN ('gpu_state'::regtype, 'gpu_stats'::regtype))::integer)) AS literals
FROM misuse.member
WHERE prokind = 'f' AND provolatile = 'i' AND pronargs > 1 AND prorettype = proargtypes[0];
SELECT count(misuse.use_aggregate('transition', function, n, literals,
	format('SFUNC = %I, STYPE = %s%s', proname, state, ', INITCOND = ' || quote_literal(value)), types)) > 200 AS tried
FROM misuse.step JOIN misuse.literal ON type = state;
SELECT count(misuse.use_aggregate('removal', a.function, a.n, a.literals,
	format('SFUNC = %I, STYPE = %2$s%4$s, MSFUNC = %1$I, MSTYPE = %2$s%5$s, MINVFUNC = %3$I', a.proname, a.state, b.proname,
		', INITCOND = ' || quote_literal(value), ', MINITCOND = ' || quote_literal(value)), a.types)) > 50 AS tried
FROM misuse.step AS a JOIN misuse.step AS b USING (proargtypes), misuse.literal
WHERE type = a.state AND (ordinary OR value IS NULL OR type = 'gpu_state'::regtype);
-- Final functions, with any value as the state.
CREATE FUNCTION misuse.second(anyelement, anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $2';
SELECT count(misuse.use_aggregate('final', function, 1, ARRAY(SELECT misuse.arguments(proargtypes, 0, 1)),
	format('SFUNC = misuse.second, STYPE = %s, FINALFUNC = %I', proargtypes[0]::regtype, proname), proargtypes[0]::regtype::text)) > 100 AS tried
FROM misuse.member WHERE prokind = 'f' AND provolatile = 'i' AND pronargs = 1;
RESET ROLE;

-- Every function has been called, some with success.  The only errors are those
-- of arguments, of functions that cannot form an aggregate, and of memory.
SELECT function AS never_called FROM misuse.member
WHERE pronargs > 0 AND function NOT IN (SELECT function FROM misuse.outcome WHERE what NOT LIKE '%made');
SELECT what, bool_or(outcome = 'result') AS result, bool_or(outcome = 'null') AS null,
	bool_or(outcome NOT IN ('result', 'null')) AS error
FROM misuse.outcome GROUP BY what ORDER BY what COLLATE "C";
SELECT what, call, outcome FROM misuse.outcome
WHERE outcome NOT IN ('result', 'null')
	AND outcome !~ '^(22...|0A000|53400|54000|42P20) '
	-- of anyarray, for arrays that gpuscan has no function of
	AND outcome !~ '^42883 function gpu_\w+\(.*(boolean|text|uuid|date|timestamp with(out)? time zone)\[\].* does not exist$'
	AND NOT (what LIKE '%made' AND outcome ~ '^42')
ORDER BY what, call LIMIT 20;

-- Which functions accept which kinds of gpu_state.
SELECT kinds, string_agg(function::text, E'\n' ORDER BY function::text COLLATE "C") AS functions
FROM (SELECT function, string_agg(DISTINCT split_part(split_part(value, ' ', 1), '=', 1), ' ') FILTER (WHERE outcome !~ '^22023 ') AS kinds
	FROM misuse.outcome JOIN misuse.member USING (function) JOIN misuse.literal ON type = proargtypes[0] AND call LIKE format('%%(SELECT %s AS a1%%', literal)
	WHERE what = 'function' AND type = 'gpu_state'::regtype AND value LIKE '% %' AND call NOT LIKE '%NULL::%'
	GROUP BY function) AS t
GROUP BY kinds ORDER BY kinds COLLATE "C";
ROLLBACK;
