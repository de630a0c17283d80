-- What EXPLAIN shows of a report's stages and look-ups.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;

CREATE TABLE shown (id int, sensor int4, far int8, v numeric(10, 2), big int8);
INSERT INTO shown SELECT i, i % 100, (i % 1000) * 1000000007::int8, i, 9000000000000000000 FROM generate_series(1, 10000) AS i;
CREATE TABLE shown_sensor (sensor int PRIMARY KEY, name text);
INSERT INTO shown_sensor SELECT i, 'name ' || i % 3 FROM generate_series(0, 89) AS i;
CREATE TABLE shown_apart (id int PRIMARY KEY);
INSERT INTO shown_apart SELECT 100 * i FROM generate_series(1, 1000) AS i;
CREATE TABLE shown_far (far int8 PRIMARY KEY, name text);
INSERT INTO shown_far SELECT i * 1000000007::int8, 'name ' || i % 3 FROM generate_series(0, 499) AS i;
VACUUM ANALYZE shown, shown_sensor, shown_apart, shown_far;

-- As text, up to what an execution may find another way the next time, and without
-- what server versions show differently.
CREATE FUNCTION plan_of(options text, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE format('EXPLAIN (COSTS OFF, TIMING OFF, SUMMARY OFF, %s) %s', options, query) LOOP
		EXIT WHEN line ~ '^ *(Engine|Ordinary Plans?):';
		CONTINUE WHEN line ~ 'Custom Scan|Output:';
		RETURN NEXT replace(line, ' OVER (?)', '');
	END LOOP;
END
$$;

-- In another format.
CREATE FUNCTION formatted(format text, options text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan text;
BEGIN
	EXECUTE format('EXPLAIN (COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT %s, %s) %s', format, options, query) INTO plan;
	RETURN plan;
END
$$;

-- Without ANALYZE the kinds alone, with VERBOSE what is known of each stage.
SELECT plan_of('ANALYZE OFF', $$SELECT count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2 HAVING count(*) > 3) AS q WHERE s > 100$$);
SELECT plan_of('VERBOSE', $$SELECT count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2 HAVING count(*) > 3) AS q WHERE s > 100$$);
SELECT plan_of('ANALYZE', $$SELECT count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2 HAVING count(*) > 3) AS q WHERE s > 100$$);
SELECT plan_of('ANALYZE, VERBOSE', $$SELECT name, count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2) AS q WHERE s > 50000 GROUP BY name$$);

-- Rows and windows; of three stages; of rows that another column chooses; of few rows.
SELECT plan_of('VERBOSE', $$SELECT id, sum(v) OVER (PARTITION BY sensor ORDER BY id) FROM shown WHERE id > 100$$);
SELECT plan_of('ANALYZE', $$SELECT id, sum(v) OVER (PARTITION BY sensor ORDER BY id) FROM shown WHERE id > 100$$);
SELECT plan_of('ANALYZE, VERBOSE', $$SELECT n, count(*) FROM (SELECT row_number() OVER (PARTITION BY sensor ORDER BY id DESC) AS n FROM shown WHERE id > 100) AS q WHERE n <= 3 GROUP BY n$$);
SET seq_page_cost = 100;
SELECT plan_of('ANALYZE, VERBOSE', $$SELECT max(r) FROM (SELECT rank() OVER (ORDER BY s DESC) AS r FROM (SELECT id, sum(v) AS s FROM shown WHERE id > 100 GROUP BY id) AS q WHERE s > 500) AS p$$);
SET seq_page_cost = 1000000;
SELECT plan_of('ANALYZE, VERBOSE', $$SELECT sensor % 3, gpu_first(v, id) FROM shown WHERE id > 100 GROUP BY 1$$);
SELECT plan_of('ANALYZE', $$SELECT id, v FROM shown WHERE id > 9990$$);

-- Each kind of look-up, and of index.
SELECT plan_of('ANALYZE OFF', $$SELECT s.name, count(*) FROM shown JOIN shown_sensor AS s USING (sensor) GROUP BY 1$$);
SELECT plan_of('ANALYZE', $$SELECT s.name, count(*) FROM shown LEFT JOIN shown_sensor AS s USING (sensor) JOIN shown_far AS f USING (far) WHERE EXISTS (SELECT FROM shown_apart AS a WHERE a.id = shown.id)
	AND NOT EXISTS (SELECT FROM shown_sensor AS n WHERE n.sensor = shown.sensor AND n.name = 'name 1') GROUP BY 1$$);
SELECT formatted('JSON', 'ANALYZE', $$SELECT count(*) FROM shown LEFT JOIN shown_sensor AS s USING (sensor) JOIN shown_far AS f USING (far) WHERE s.name IS NULL AND f.name = 'name 1'$$)::json #> '{0,Plan,Look-ups}' AS json;

-- One stage without look-ups has nothing to show.
SELECT plan_of('ANALYZE, VERBOSE', $$SELECT sensor % 3, count(*) FROM shown GROUP BY 1$$);

-- A subquery's result is called what PostgreSQL calls it, though its plan is not that of the stage.
SET client_min_messages = warning;
SELECT regexp_replace(line, CASE WHEN current_setting('server_version_num')::integer < 170000 THEN '\$\d' ELSE '\(InitPlan \d\).col1' END, 'its result') AS line
FROM plan_of('VERBOSE', $$SELECT count(*) FROM (SELECT sensor, count(*) AS c FROM shown GROUP BY 1) AS q WHERE c > (SELECT count(*) FROM shown_sensor)$$) AS line WHERE line ~ 'Stage|Filter';
RESET client_min_messages;

-- The ordinary plan: no figures, since there are none.
SELECT plan_of('ANALYZE', $$SELECT count(s) FROM (SELECT sensor, sum(big) AS s FROM shown GROUP BY sensor) AS q$$);

-- Formats.
SELECT formatted('JSON', 'VERBOSE', $$SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY sensor ORDER BY id) AS n FROM shown WHERE id > 100) AS q$$)::json #> '{0,Plan,Stages}' AS json;
SELECT jsonb_pretty(formatted('JSON', 'ANALYZE, VERBOSE', $$SELECT count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2) AS q WHERE s > 100$$)::jsonb #> '{0,Plan,Stages}') AS json;
SELECT substring(formatted('YAML', 'ANALYZE, VERBOSE', $$SELECT count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2) AS q WHERE s > 100$$) FROM ' *Stages:.*?(?=\n *Engine)') AS yaml;
SELECT substring(formatted('XML', 'ANALYZE, VERBOSE', $$SELECT count(*), sum(s) FROM (SELECT sensor, name, sum(v) AS s FROM shown JOIN shown_sensor USING (sensor) WHERE id > 10 GROUP BY 1, 2) AS q WHERE s > 100$$) FROM '<Stages>.*?</Stages>') AS xml;

-- The times of stages are that of the report; figures of several executions are added.
CREATE FUNCTION times_add_up(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	plan := plan #> '{0,Plan}';
	RETURN (SELECT min(ms) > 0 AND abs((plan->>'Compute Time')::float8 - sum(ms)) < 0.01
		FROM (SELECT (s->>'Actual Time')::float8 AS ms FROM jsonb_array_elements(plan->'Stages') AS s) AS stages);
END
$$;
SELECT times_add_up($$SELECT count(*), sum(s) FROM (SELECT sensor, sum(v) AS s FROM shown WHERE id > 10 GROUP BY 1) AS q WHERE s > 100$$);
SELECT formatted('JSON', 'ANALYZE', $$SELECT x, (SELECT count(s) FROM (SELECT sensor, sum(v) AS s FROM shown WHERE id > x GROUP BY 1) AS q WHERE s > 100) FROM generate_series(0, 2000, 1000) AS x$$)::json #> '{0,Plan,Plans,0,Stages}' AS json;

DROP FUNCTION plan_of, formatted, times_add_up;
DROP TABLE shown, shown_sensor, shown_apart, shown_far;
