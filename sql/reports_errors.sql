-- Reports over tables: what has no column in it, but may raise an error or has an
-- effect, is evaluated if a row needs it, and only then, as in ordinary plans.
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

CREATE TABLE sale (k integer, v double precision, o boolean, d date, z timestamptz, zero double precision, nothing integer);
INSERT INTO sale
SELECT i % 100, i * 0.5, i % 3 = 0, date '1994-01-01' + i % 700, timestamptz '1994-01-01 00:00+00' + i * interval '1 hour',
	CASE i % 100 WHEN 2 THEN double precision '-0' ELSE 0 END
FROM generate_series(1, 30000) AS i;
CREATE TABLE store AS SELECT i AS id, 'name ' || i % 50 AS name FROM generate_series(1, 100) AS i;
VACUUM ANALYZE sale, store;
CREATE SEQUENCE effect;

-- An error for negative numbers, else the same number.
CREATE FUNCTION natural_number(i integer) RETURNS integer STABLE LANGUAGE plpgsql AS $$
BEGIN
	IF i < 0 THEN
		RAISE 'the number % is negative', i;
	END IF;
	RETURN i;
END
$$;

-- The rows of a query with parameters, or its error, and what it does to the
-- sequence; of a generic plan, for which the planner evaluates nothing.
CREATE FUNCTION outcome(query text, arguments text, reports text, OUT result text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('gpuscan.reports', reports, true);
	PERFORM setval('effect', 1);
	EXECUTE 'PREPARE p AS ' || query;
	BEGIN
		EXECUTE format('CREATE TEMPORARY TABLE got AS EXECUTE p(%s)', arguments);
		SELECT string_agg(got::text, ';') FROM got INTO result;
		DROP TABLE got;
	EXCEPTION WHEN OTHERS THEN
		result := SQLERRM;
	END;
	result := concat_ws(' ', result, nullif(currval('effect') - 1, 0) || ' effects');
	DEALLOCATE p;
END
$$;

-- Who gave the answer, and after how many tries that found a row that needs a value?
CREATE FUNCTION executed_by(query text, arguments text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	text text;
BEGIN
	EXECUTE 'PREPARE p AS ' || query;
	BEGIN
		EXECUTE format('EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE p(%s)', arguments) INTO plan;
		text := CASE WHEN plan::text NOT LIKE '%GpuscanReport%' THEN 'query'
			ELSE coalesce('ordinary plan: ' || substring(plan::text, '"Reason": "(?:as found before: )?([^"]*)"'),
				'service, earlier attempts: ' || substring(plan::text, '"Earlier Attempts": (\d+)')) END;
	EXCEPTION WHEN OTHERS THEN
		text := 'error';
	END;
	DEALLOCATE p;
	RETURN text;
END
$$;

SET plan_cache_mode = force_generic_plan;
CREATE TABLE tested (number serial, arguments text, query text);
INSERT INTO tested (arguments, query) VALUES
	-- evaluated at once: what cannot raise an error
	('1', 'SELECT gpu_sum(v) FROM sale WHERE k > $1'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE z > now() - interval ''7 days'' OR k > $1'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE d < current_date - 30 OR k > $1'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE z < date_trunc(''month'', now() + interval ''1 month'') OR k > $1'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE d < current_date + 100000000 OR k > $1'),
	-- functions: needed by all rows, by some, by none
	('5', 'SELECT gpu_sum(v) FROM sale WHERE k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE v > 0 OR k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE NOT (v > 0) AND NOT (k > natural_number($1))'),
	('-1', 'SELECT gpu_sum(CASE WHEN v > 0 THEN v ELSE natural_number($1) END) FROM sale'),
	('-1', 'SELECT gpu_sum(CASE WHEN v > 9 THEN v ELSE natural_number($1) END) FROM sale'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE coalesce(k, natural_number($1)) > 7'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE least(k, natural_number($1)) > 7'),
	('-1', 'SELECT gpu_sum(v) AS all, gpu_sum(k * natural_number($1)) FILTER (WHERE v < 0) FROM sale'),
	('-1', 'SELECT gpu_sum(v) AS all, gpu_sum(k * natural_number($1)) FILTER (WHERE v > 14999) FROM sale'),
	('2', 'SELECT gpu_sum(v) AS all, gpu_sum(k * natural_number($1)) FILTER (WHERE v > 14999) FROM sale'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND k = ANY (ARRAY[1, natural_number($1)])'),
	('3', 'SELECT gpu_sum(v) FROM sale WHERE k = ANY (ARRAY[1, natural_number($1)])'),
	('NULL', 'SELECT gpu_sum(v) FROM sale WHERE v > 0 AND k <> ALL ($1::text::integer[])'),
	('''x''', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND d < $1::text::date'),
	('''x''', 'SELECT gpu_sum(v) FROM sale WHERE d < $1::text::date'),
	('''x''', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND d < $1::text::timestamp'),
	('''1994-05-06''', 'SELECT gpu_sum(v) FROM sale WHERE v > 0 AND d < $1::text::timestamp'),
	-- a row ends at a condition that is NULL
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE nothing > 0 AND k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE v > 0 AND nothing > 0 AND k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE nothing > 0 AND 1 / nothing > 0 AND k = ANY (ARRAY[1, natural_number($1)])'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE (nothing > 0 AND k > natural_number($1)) IS NULL'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE nothing > 0 OR k > natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FILTER (WHERE nothing > 0 AND k > natural_number($1)) FROM sale'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE nothing > 0 AND v < (SELECT nextval(''effect'') + $1)'),
	-- several; another error first; and what a value makes of the rest
	('5', 'SELECT gpu_sum(v) FROM sale WHERE k BETWEEN natural_number($1) AND natural_number($1 + 5)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE k >= natural_number($1 + 2) AND k < 0 AND k < natural_number($1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE 1 / k > 5 AND k < natural_number($1)'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE 1 / (natural_number($1) - 1) > k'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE v > natural_number($1) + sqrt(natural_number($1))'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE o AND k > natural_number($1) OR k < natural_number($1 + 1)'),
	('-1', 'SELECT gpu_sum(v) FROM sale WHERE ($1 < natural_number(0) OR k = natural_number($1))'),
	-- subqueries
	('1', 'SELECT gpu_sum(v) FROM sale WHERE v > (SELECT gpu_avg(v) FROM sale WHERE k = $1)'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE v BETWEEN (SELECT gpu_avg(v) FROM sale) AND (SELECT $1 * gpu_max(v) FROM sale)'),
	('1.5', 'SELECT gpu_sum(v) FROM sale WHERE v > (SELECT gpu_avg(v) FROM sale) + $1 * (SELECT gpu_stddev(v) FROM sale)'),
	('3', 'SELECT gpu_sum(v) FROM sale WHERE k = (SELECT id FROM store WHERE name = ''name '' || $1 AND id < 50)'),
	('3', 'SELECT gpu_sum(v) FROM sale WHERE k = (SELECT id FROM store WHERE name = ''name '' || $1)'),
	('3', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND k = (SELECT id FROM store WHERE name = ''name '' || $1)'),
	('0', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND k = (SELECT 1 / $1)'),
	('0', 'SELECT gpu_sum(v) FROM sale WHERE k = (SELECT 1 / $1)'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE v < 0 AND v < (SELECT nextval(''effect'') + $1)'),
	('1', 'SELECT gpu_sum(v) FROM sale WHERE v > (SELECT nextval(''effect'') + $1)'),
	('1', 'SELECT k, gpu_sum(v) FROM sale WHERE k < 3 GROUP BY k HAVING gpu_sum(v) > (SELECT nextval(''effect'') + $1) ORDER BY k'),
	('1', 'SELECT i, s FROM generate_series(1, 3) AS i, LATERAL (SELECT gpu_sum(v) AS s FROM sale WHERE k = i AND v > (SELECT nextval(''effect'') + $1)) AS q'),
	('1', 'SELECT i, s FROM generate_series(-1, 1) AS i, LATERAL (SELECT gpu_sum(v) AS s FROM sale WHERE v < 0 AND k = natural_number(i) + $1) AS q'),
	-- errors in what nobody reads
	('0', 'SELECT 1 WHERE EXISTS (SELECT k, max(k % k) FROM sale GROUP BY k)'),
	('0', 'SELECT 1 WHERE EXISTS (SELECT o, max(k % (k * $1)) FROM sale GROUP BY o)'),
	-- the ordinary plan of some executions: a greatest value is 0 or -0
	('3', 'SELECT i, m, n FROM generate_series(1, $1) AS i, LATERAL (SELECT max(zero) AS m, count(*) AS n FROM sale WHERE k <= i) AS q'),
	('3', 'SELECT i, m, n FROM generate_series($1, 1, -1) AS i, LATERAL (SELECT max(zero) AS m, count(*) AS n FROM sale WHERE k <= i) AS q'),
	('3', 'SELECT i, k, m FROM generate_series($1, 1, -1) AS i, LATERAL (SELECT k, max(zero) AS m, min(zero) FROM sale WHERE k <= i GROUP BY k, o ORDER BY k) AS q');
SELECT number AS not_the_same, query, outcome(query, arguments, 'off') AS off, outcome(query, arguments, 'exact') AS exact
FROM tested
WHERE outcome(query, arguments, 'off') IS DISTINCT FROM outcome(query, arguments, 'exact');
SELECT number, outcome(query, arguments, 'exact'), executed_by(query, arguments) AS made_by FROM tested ORDER BY number;

-- No rows, none that are visible
CREATE TABLE gone (LIKE sale);
INSERT INTO gone TABLE sale;
VACUUM ANALYZE gone;
DELETE FROM gone;
SELECT outcome(query, '-1', 'off') = outcome(query, '-1', 'exact') AS same, outcome(query, '-1', 'exact'), executed_by(query, '-1') AS made_by
FROM unnest(ARRAY['SELECT count(*), gpu_sum(v) FROM gone WHERE k > natural_number($1)']) AS query;

DROP TABLE sale, store, gone, tested;
DROP SEQUENCE effect;
DROP FUNCTION natural_number, outcome, executed_by;
