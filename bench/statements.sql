-- Whole statements over :elements doubles: built-in SQL beside gpuscan's
-- engines, in one session.  Prints a JSON object.
--
-- Arrays are PL/pgSQL variables, so that fetching them costs nothing, except in
-- the statements named "stored".  Results are compared first, and a digest of
-- each is printed for checking the tools outside the server.
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = warning;
SET jit = off;
SET plan_cache_mode = force_generic_plan;
SELECT set_config('bench.elements', :'elements', false),
	set_config('bench.sql_runs', :'sql_runs', false),
	set_config('bench.runs', :'runs', false),
	set_config('bench.engines', :'engines', false) \g /dev/null

CREATE TABLE statement
(
	ord		integer,
	name	text,
	key		text,				-- for statements.py
	in_sql	text,				-- over a, stored or numbers; NULL: as the one before
	in_gpuscan text,
	same	text,				-- over the results s and g
	digest	text,				-- of g, as JSON
	sql_ms	numeric,
	equal	boolean,
	result	jsonb
);
CREATE TABLE timed (ord integer, engine text, ms numeric, used text, wait_ms numeric, staging_ms numeric,
	device_ms numeric, total_ms numeric);

INSERT INTO statement (ord, name, key, in_sql, in_gpuscan, same, digest) VALUES
(1, 'sum of an array', 'sum',
	'SELECT sum(v) FROM unnest(a) AS v',
	'gpu_sum(a)',
	'abs(s / g - 1) < 1e-9', 'g'),
(2, 'running sum of an array', 'cumsum',
	'SELECT array_agg(r) FROM (SELECT sum(v) OVER (ORDER BY ord) AS r
		FROM unnest(a) WITH ORDINALITY AS e (v, ord)) AS w',
	'gpu_cumsum(a)',
	'(SELECT bool_and(abs(e.s / e.g - 1) < 1e-9) FROM unnest(s, g) AS e (s, g))', 'g[cardinality(g)]'),
(3, '256-bucket histogram of an array', 'histogram',
	'SELECT array_agg(n ORDER BY b) FROM (SELECT width_bucket(v, 0, 1, 256) AS b, count(*) AS n
		FROM unnest(a) AS v GROUP BY b) AS h',
	'gpu_histogram(a, 0, 1, 256)',
	's = array_remove(g, 0)', 'g'),
(4, 'elements above 0.5', 'filter',
	'SELECT array_agg(v) FROM unnest(a) AS v WHERE v > 0.5',
	'gpu_filter(a, ''>'', 0.5)',
	's = g', 'cardinality(g)'),
(5, 'sum of a stored array', 'stored',
	'SELECT sum(v) FROM stored, unnest(stored.a) AS v',
	'(SELECT gpu_sum(stored.a) FROM stored)',
	'abs(s / g - 1) < 1e-9', 'g'),
(6, 'sorted array', 'sort',
	'SELECT array_agg(v ORDER BY v) FROM unnest(a) AS v',
	'gpu_sort(a)',
	's = g', 'g[(cardinality(g) + 1) / 2]'),
(7, 'median of an array', 'median',
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM unnest(a) AS v',
	'gpu_median(a)',
	's = g', 'g');

-- Makes a function that times an expression over an array: the median of some
-- runs, in milliseconds.  A run repeats short calls, because the clock has a
-- resolution of a microsecond.  Plans are generic, so that PL/pgSQL copies
-- neither the array nor a result.
CREATE PROCEDURE make_timer(query text) LANGUAGE plpgsql AS
$$
BEGIN
	EXECUTE format($timer$
		CREATE OR REPLACE FUNCTION milliseconds(a double precision[], runs integer) RETURNS numeric
		LANGUAGE plpgsql AS
		$body$
		DECLARE
			start timestamptz;
			times numeric[];
			calls integer := greatest(1, 200000 / cardinality(a));
			nothing boolean;
		BEGIN
			FOR run IN 0 .. runs LOOP
				start := clock_timestamp();
				FOR i IN 1 .. calls LOOP
					nothing := (%s) IS NULL;
				END LOOP;
				IF run > 0 THEN	-- the first run warms up
					times := times || 1000 * extract(epoch FROM clock_timestamp() - start)::numeric / calls;
				END IF;
			END LOOP;
			RETURN (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t) FROM unnest(times) AS t);
		END
		$body$
		$timer$, query);
END
$$;

CREATE TABLE stored (a double precision[]);
ALTER TABLE stored ALTER a SET STORAGE EXTERNAL;

\ir numbers.sql

DO $$
DECLARE
	a double precision[] := '{}';
	elements integer := current_setting('bench.elements')::integer;
	part integer := 50000000;	-- array_agg holds no more than 2^26
	sql_runs integer := current_setting('bench.sql_runs')::integer;
	runs integer := current_setting('bench.runs')::integer;
	choice text;
	ms numeric;
	st statement;
BEGIN
	FOR i IN 0 .. (elements - 1) / part LOOP
		a := a || ARRAY(SELECT number(j)
			FROM generate_series(i * part + 1, least((i + 1) * part::bigint, elements)::integer) AS j);
	END LOOP;
	INSERT INTO stored VALUES (a);
	FOR st IN SELECT * FROM statement ORDER BY ord LOOP
		-- check first that both results agree
		IF sql_runs > 0 THEN
			EXECUTE format('SELECT %s FROM (SELECT (%s) AS s, (%s) AS g FROM (SELECT $1 AS a) AS i OFFSET 0) AS r',
				st.same, st.in_sql, st.in_gpuscan) INTO st.equal USING a;
		END IF;
		EXECUTE format('SELECT to_jsonb(%s) FROM (SELECT (%s) AS g FROM (SELECT $1 AS a) AS i OFFSET 0) AS r',
			st.digest, st.in_gpuscan) INTO st.result USING a;
		CALL make_timer(st.in_gpuscan);
		FOREACH choice IN ARRAY string_to_array(current_setting('bench.engines'), ' ') LOOP
			PERFORM set_config('gpuscan.engine', choice, false);
			ms := milliseconds(a, runs);
			INSERT INTO timed SELECT st.ord, choice, ms, l.engine, l.wait_ms, l.staging_ms, l.device_ms, l.total_ms
			FROM gpuscan_last_call() AS l;
		END LOOP;
		IF sql_runs > 0 THEN
			CALL make_timer(st.in_sql);
			st.sql_ms := milliseconds(a, sql_runs);
		END IF;
		UPDATE statement SET sql_ms = st.sql_ms, equal = st.equal, result = st.result WHERE ord = st.ord;
	END LOOP;
END
$$;

SELECT jsonb_build_object(
	'elements', :elements,
	'sql_runs', :sql_runs,
	'statements', (SELECT jsonb_agg(jsonb_build_object('name', name, 'key', key, 'same', equal,
			'result', result,
			'ms', jsonb_build_object('built-in SQL', round(sql_ms, 4)) || (
				SELECT jsonb_object_agg('gpuscan ' || engine, round(ms, 4)) FROM timed WHERE timed.ord = s.ord),
			'used', (SELECT jsonb_object_agg(engine, used) FROM timed WHERE timed.ord = s.ord),
			'parts', (SELECT jsonb_object_agg(engine, jsonb_build_object('waiting', round(wait_ms, 4),
					'copying', round(staging_ms, 4), 'device', round(device_ms, 4),
					'the rest', round(greatest(total_ms - wait_ms - staging_ms - device_ms, 0), 4)))
				FROM timed WHERE timed.ord = s.ord)) ORDER BY ord)
		FROM statement AS s));
DROP TABLE statement, timed, stored;
DROP PROCEDURE make_timer;
DROP FUNCTION milliseconds, number, mixed;
