-- Whole statements over an array of :elements doubles: built-in SQL beside
-- gpuscan, in one session.  Prints a JSON object.
--
-- The array is a PL/pgSQL variable, so that neither side pays for fetching it;
-- "fetched" is what that costs where the array is stored.
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = warning;
SET work_mem = '2GB';
SET jit = off;
SET plan_cache_mode = force_generic_plan;
SELECT set_config('gpuscan.engine', :'engine', false) \g /dev/null

CREATE EXTENSION IF NOT EXISTS gpuscan;

CREATE TABLE statement
(
	ord		integer,
	name	text,
	in_sql	text,
	in_gpuscan text,
	same	text,				-- over the results s and g
	sql_ms	numeric,
	gpuscan_ms numeric,
	engine	text,
	equal	boolean
);
INSERT INTO statement (ord, name, in_sql, in_gpuscan, same) VALUES
(1, 'sum of an array',
	'SELECT sum(v) FROM unnest(a) AS v',
	'gpu_sum(a)',
	'abs(s / g - 1) < 1e-9'),
(2, 'running sum of an array',
	'SELECT array_agg(r) FROM (SELECT sum(v) OVER (ORDER BY ord) AS r
		FROM unnest(a) WITH ORDINALITY AS e (v, ord)) AS w',
	'gpu_cumsum(a)',
	'(SELECT bool_and(abs(e.s / e.g - 1) < 1e-9) FROM unnest(s, g) AS e (s, g))'),
(3, '256-bucket histogram of an array',
	'SELECT array_agg(n ORDER BY b) FROM (SELECT width_bucket(v, 0, 1, 256) AS b, count(*) AS n
		FROM unnest(a) AS v GROUP BY b) AS h',
	'gpu_histogram(a, 0, 1, 256)',
	's = g'),
(4, 'elements above 0.5',
	'SELECT array_agg(v) FROM unnest(a) AS v WHERE v > 0.5',
	'gpu_filter(a, ''>'', 0.5)',
	's = g');

-- Makes a function that times a query over an array: the median of some runs,
-- in milliseconds.  The query is part of an expression in the function's text,
-- and plans are generic, so that PL/pgSQL copies neither the array nor a result.
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
			nothing boolean;
		BEGIN
			FOR run IN 1 .. runs LOOP
				start := clock_timestamp();
				nothing := (%s) IS NULL;
				times := times || 1000 * extract(epoch FROM clock_timestamp() - start)::numeric;
			END LOOP;
			RETURN (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t) FROM unnest(times) AS t);
		END
		$body$
		$timer$, query);
END
$$;

CREATE TABLE stored (a double precision[]);
ALTER TABLE stored ALTER a SET STORAGE EXTERNAL;

SELECT set_config('bench.elements', :'elements', false),
	set_config('bench.sql_runs', :'sql_runs', false),
	set_config('bench.gpuscan_runs', :'gpuscan_runs', false) \g /dev/null

DO $$
DECLARE
	a double precision[];
	st statement;
BEGIN
	PERFORM setseed(0.5);
	a := ARRAY(SELECT random() FROM generate_series(1, current_setting('bench.elements')::integer));
	INSERT INTO stored VALUES (a);
	FOR st IN SELECT * FROM statement ORDER BY ord LOOP
		CALL make_timer(st.in_gpuscan);
		st.gpuscan_ms := milliseconds(a, current_setting('bench.gpuscan_runs')::integer);
		st.engine := (SELECT engine FROM gpuscan_last_call());
		CALL make_timer(st.in_sql);
		st.sql_ms := milliseconds(a, current_setting('bench.sql_runs')::integer);
		EXECUTE format('SELECT %s FROM (SELECT (%s) AS s, (%s) AS g FROM (SELECT $1 AS a) AS i OFFSET 0) AS r',
			st.same, st.in_sql, st.in_gpuscan) INTO st.equal USING a;
		UPDATE statement SET sql_ms = st.sql_ms, gpuscan_ms = st.gpuscan_ms,
			engine = st.engine, equal = st.equal WHERE ord = st.ord;
	END LOOP;
END
$$;

CALL make_timer('SELECT array_upper(stored.a, 1) FROM stored');
SELECT jsonb_pretty(jsonb_build_object(
	'elements', :elements, 'type', 'double precision',
	'postgresql', current_setting('server_version'),
	'gpuscan', (SELECT extversion FROM pg_extension WHERE extname = 'gpuscan'),
	'processor', :'processor', 'date', current_date, 'commit', :'commit',
	'runs', jsonb_build_object('sql', :sql_runs, 'gpuscan', :gpuscan_runs),
	'fetched_ms', (SELECT round(milliseconds(NULL, :gpuscan_runs), 1)),
	'statements', (SELECT jsonb_agg(jsonb_build_object('name', name, 'engine', engine,
			'sql_ms', round(sql_ms, 1), 'gpuscan_ms', round(gpuscan_ms, 1),
			'ratio', round(sql_ms / gpuscan_ms, 1), 'same', equal) ORDER BY ord)
		FROM statement)));
