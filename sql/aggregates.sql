-- Aggregates of a column: what the array functions give for array_agg of it,
-- to the last bit, whatever the plan.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;
SET enable_partitionwise_aggregate = off;
SET jit = off;

-- Groups of rows of every kind.  Those of real and double precision hold 1:
-- numbers of every magnitude and sign, 2: NaN, 3: infinity, 4: both infinities,
-- 5: negative zeros alone, 6: NULL alone, 7: numbers nearly too large, 8: subnormal
-- ones; the others what sensors give.
CREATE TABLE readings (grp integer, i integer, s smallint, n integer, b bigint,
	r real, d double precision, t boolean, m numeric(9, 3));
INSERT INTO readings
SELECT grp, i, k::smallint, k * 10007, k * 1000000007::bigint * 4611686,
	CASE grp WHEN 2 THEN float8 'NaN' WHEN 3 THEN 'Infinity'
		WHEN 4 THEN 'Infinity' WHEN 5 THEN '-0' END,
	CASE grp WHEN 2 THEN float8 'NaN' WHEN 3 THEN 'Infinity'
		WHEN 4 THEN 'Infinity' WHEN 5 THEN '-0' END,
	k % 3 <> 0, CASE WHEN grp % 3 = 0 THEN k % 7 ELSE k END * 0.125
FROM generate_series(1, 20) AS grp, generate_series(1, 150) AS i,
	LATERAL (SELECT CASE WHEN noise(grp * 1000 + i) % 9 > 0 AND grp <> 6
		THEN noise(grp - 1000 * i) % 2001 - 1000 END AS k) AS o;
UPDATE readings SET
	d = CASE
		WHEN k IS NULL THEN NULL
		WHEN grp = 1 THEN k * 10::float8 ^ (noise(-i) % 150 - 75)
		WHEN grp IN (2, 3, 4, 5) AND i % 29 = 3 THEN d
		WHEN grp = 4 AND i % 31 = 5 THEN '-Infinity'
		WHEN grp = 5 THEN '-0'
		WHEN grp = 7 THEN k * 1e147 * (-1) ^ i
		WHEN grp = 8 THEN k * 5e-324
		WHEN grp = 9 THEN k
		ELSE k * 0.1 + noise(i) * 1e-15 END,
	r = CASE
		WHEN k IS NULL THEN NULL
		WHEN grp = 1 THEN (k * 10::float8 ^ (noise(-i) % 60 - 30))::real
		WHEN grp IN (2, 3, 4, 5) AND i % 29 = 3 THEN r
		WHEN grp = 4 AND i % 31 = 5 THEN '-Infinity'
		WHEN grp = 5 THEN '-0'
		WHEN grp = 7 THEN k * 1e34 * (-1) ^ i
		WHEN grp = 8 THEN k * 1.4e-45::real
		WHEN grp = 9 THEN k
		ELSE k * 0.1 + noise(i) * 1e-9 END
FROM (SELECT grp AS g, i AS j, s::integer AS k FROM readings) AS o
WHERE grp = g AND i = j;
ANALYZE readings;

-- A list of all aggregates, as one array of text: over all columns they take,
-- "call" with their names and columns in it.
CREATE TABLE aggregate (name text, columns text[]);
INSERT INTO aggregate
SELECT unnest('{gpu_count, gpu_sum, gpu_avg, gpu_min, gpu_max, gpu_var_pop,
	gpu_var_samp, gpu_variance, gpu_stddev_pop, gpu_stddev_samp,
	gpu_stddev, gpu_median, gpu_mode, gpu_count_distinct}'::text[]),
	'{s, n, b, r, d, m}'::text[]
UNION ALL SELECT unnest('{gpu_bit_and, gpu_bit_or, gpu_bit_xor}'::text[]),
	'{s, n, b}'
UNION ALL SELECT unnest('{gpu_bool_and, gpu_bool_or}'::text[]), '{t}';
CREATE FUNCTION all_of(call text) RETURNS text LANGUAGE sql AS
$$
	SELECT 'ARRAY[' || string_agg(
		replace(replace(call, 'FUNCTION', name), 'COLUMN', c) || '::text', ', '
		ORDER BY name, c) || ']'
	FROM aggregate, unnest(columns) AS c
$$;

-- The expected answers, by group and for all rows: on the CPU engine, since
-- the tests of array functions compare it with others.
SET gpuscan.engine = cpu;
SELECT all_of('FUNCTION(array_agg(COLUMN ORDER BY i))') AS list \gset
CREATE TABLE answer AS
SELECT grp AS key, :list AS results FROM readings GROUP BY grp;
CREATE TABLE answers AS
SELECT grp AS key, grp / 9 AS part, :list AS results FROM readings
GROUP BY GROUPING SETS ((grp), (grp / 9), ());
RESET gpuscan.engine;
SELECT count(*), cardinality(min(results)) AS aggregates FROM answer;

-- How a query differs from the answers, and whether its plan contains every
-- pattern.  The query is executed once, by the plan that is examined.  Answers
-- that are a query come from the CPU engine.
CREATE FUNCTION compare_plan(query text, answers text, VARIADIC patterns text[])
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	line text;
	plan text := '';
	pattern text;
	engine text := current_setting('gpuscan.engine');
	differences bigint;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
			CREATE TEMP TABLE given AS ' || query LOOP
		plan := plan || line || E'\n';
	END LOOP;
	FOREACH pattern IN ARRAY patterns LOOP
		IF plan !~ pattern THEN
			RETURN format(E'not in the plan: %s\n%s', pattern, plan);
		END IF;
	END LOOP;
	PERFORM set_config('gpuscan.engine', 'cpu', false);
	EXECUTE format('CREATE TEMP TABLE wanted AS SELECT to_jsonb(whole) AS j FROM %s AS whole', answers);
	PERFORM set_config('gpuscan.engine', engine, false);
	SELECT count(*) INTO differences
	FROM ((SELECT to_jsonb(whole) FROM given AS whole EXCEPT ALL TABLE wanted)
		UNION ALL (TABLE wanted EXCEPT ALL SELECT to_jsonb(whole) FROM given AS whole)) AS e;
	DROP TABLE given, wanted;
	RETURN CASE differences WHEN 0 THEN 'as it should be'
		ELSE differences || ' rows differ' END;
END
$$;

SELECT all_of('FUNCTION(COLUMN)') AS list \gset
\set grouped 'SELECT grp AS key, ' :list ' AS results FROM readings GROUP BY grp'
\set in_sets 'SELECT grp AS key, grp / 9 AS part, ' :list ' AS results FROM readings GROUP BY GROUPING SETS ((grp), (grp / 9), ())'

-- hashed
SET enable_sort = off;
SELECT compare_plan(:'grouped', 'answer', 'HashAggregate');
-- sorted
SET enable_sort = on;
SET enable_hashagg = off;
SELECT compare_plan(:'grouped', 'answer', 'GroupAggregate', 'Sort');
SELECT compare_plan(:'in_sets', 'answers', 'GroupAggregate', 'Sort Key');
-- both
SET enable_hashagg = on;
SELECT compare_plan(:'in_sets', 'answers', 'MixedAggregate');
-- parallel
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 8;
ALTER TABLE readings SET (parallel_workers = 2);
SELECT compare_plan(:'grouped', 'answer', 'Finalize .*Aggregate',
	'Workers Planned: 2', 'Partial HashAggregate');
SET enable_hashagg = off;
SELECT compare_plan(:'grouped', 'answer', 'Finalize GroupAggregate',
	'Workers Planned: 2', 'Partial GroupAggregate');
SET enable_hashagg = on;
ALTER TABLE readings SET (parallel_workers = 8);
SELECT compare_plan(:'grouped', 'answer', 'Finalize .*Aggregate',
	'Workers Planned: 8', 'Partial HashAggregate');
SET max_parallel_workers_per_gather = 0;

-- partition-wise: whole groups in a partition, or parts of groups
CREATE TABLE by_group (LIKE readings) PARTITION BY LIST (grp);
CREATE TABLE by_group_1 PARTITION OF by_group FOR VALUES IN (1, 2, 3, 4, 5);
CREATE TABLE by_group_2 PARTITION OF by_group DEFAULT;
INSERT INTO by_group SELECT * FROM readings;
CREATE TABLE by_row (LIKE readings) PARTITION BY RANGE (i);
CREATE TABLE by_row_1 PARTITION OF by_row FOR VALUES FROM (0) TO (33);
CREATE TABLE by_row_2 PARTITION OF by_row DEFAULT;
INSERT INTO by_row SELECT * FROM readings;
ANALYZE by_group, by_row;
SET enable_partitionwise_aggregate = on;
SELECT compare_plan(replace(:'grouped', 'readings', 'by_group'), 'answer',
	'^Append', 'HashAggregate.*HashAggregate');
SELECT compare_plan(replace(:'grouped', 'readings', 'by_row'), 'answer',
	'^Finalize', 'Append', 'Partial HashAggregate.*Partial HashAggregate');
SET enable_partitionwise_aggregate = off;

-- spilled to disk: more groups than fit into memory
CREATE TABLE many AS
SELECT grp * 1000 + i % 50 AS grp, i, s, n, b, r, d, t, m FROM readings;
ANALYZE many;
SELECT all_of('FUNCTION(array_agg(COLUMN ORDER BY i))') AS arrays \gset
SET gpuscan.engine = cpu;
CREATE TABLE many_answers AS
SELECT grp AS key, :arrays AS results FROM many GROUP BY grp;
RESET gpuscan.engine;
SET work_mem = '64kB';
SET enable_sort = off;
SELECT compare_plan(replace(:'grouped', 'readings', 'many'), 'many_answers',
	'HashAggregate', 'Batches: ([2-9]|\d\d)');
RESET enable_sort;
RESET work_mem;

-- groups of ten rows: the size of their states in bytes, which is small
CREATE AGGREGATE reals(float8) (SFUNC = gpu_state_add, STYPE = gpu_state, INITCOND = 'reals');
CREATE AGGREGATE moments(float8) (SFUNC = gpu_state_add, STYPE = gpu_state, INITCOND = 'moments');
CREATE AGGREGATE integers(bigint) (SFUNC = gpu_state_add, STYPE = gpu_state, INITCOND = 'integer-moments');
CREATE AGGREGATE summary(float8) (SFUNC = _gpu_stats_add, STYPE = gpu_stats, INITCOND = 'stats');
CREATE AGGREGATE pairs(float8, float8) (SFUNC = gpu_state_add, STYPE = gpu_state, INITCOND = 'pairs');
SELECT count(*), max(reals) <= 100 AS reals, max(moments) <= 200 AS moments, max(integers) <= 100 AS integers,
	max(summary) <= 200 AS stats, max(pairs) <= 300 AS pairs
FROM (SELECT pg_column_size(reals(d)) AS reals, pg_column_size(moments(d)) AS moments, pg_column_size(integers(b)) AS integers,
		pg_column_size(summary(d)) AS summary, pg_column_size(pairs(d, b)) AS pairs
	FROM (SELECT i % 5000 AS g, (noise(i) - 134217728) / 1000.0::float8 AS d, noise(-i)::bigint * 10007 AS b
		FROM generate_series(1, 50000) AS i) AS r
	GROUP BY g) AS s;
DROP AGGREGATE reals(float8), moments(float8), integers(bigint), summary(float8), pairs(float8, float8);

-- FILTER, DISTINCT, ORDER BY
SELECT all_of('FUNCTION(array_agg(COLUMN) FILTER (WHERE i % 4 = 1))') AS arrays,
	all_of('FUNCTION(COLUMN) FILTER (WHERE i % 4 = 1)') AS columns \gset
SELECT count(*) FILTER (WHERE arrays = columns) AS filtered, count(*)
FROM (SELECT :arrays AS arrays, :columns AS columns
	FROM readings GROUP BY grp) AS r;
SELECT all_of('FUNCTION(array_agg(DISTINCT COLUMN))') AS arrays,
	all_of('FUNCTION(DISTINCT COLUMN)') AS columns \gset
SELECT count(*) FILTER (WHERE arrays = columns) AS of_distinct, count(*)
FROM (SELECT :arrays AS arrays, :columns AS columns
	FROM readings GROUP BY grp) AS r;
SELECT all_of('FUNCTION(array_agg(COLUMN))') AS arrays,
	all_of('FUNCTION(COLUMN ORDER BY noise(i))') AS columns \gset
SELECT count(*) FILTER (WHERE arrays = columns) AS ordered, count(*)
FROM (SELECT :arrays AS arrays, :columns AS columns
	FROM readings GROUP BY grp) AS r;

-- Against the built-in ones where those are exact; without rows.
SELECT bool_and((gpu_sum(n), gpu_avg(n), gpu_min(n), gpu_max(n), gpu_count(n),
		gpu_bit_and(n), gpu_bit_or(n), gpu_bool_and(t), gpu_bool_or(t))::text
	= (sum(n), avg(n), min(n), max(n), count(n),
		bit_and(n), bit_or(n), bool_and(t), bool_or(t))::text) OVER () AS integer,
	bool_and((gpu_sum(b), gpu_avg(b), gpu_var_pop(b), gpu_stddev(b))::text
	= (sum(b), avg(b), var_pop(b), stddev(b))::text) OVER () AS bigint
FROM readings GROUP BY grp LIMIT 1;
SELECT all_of('FUNCTION(COLUMN)') AS list \gset
SELECT array_remove(:list, NULL) AS counts FROM readings WHERE false;
SELECT error_of('SELECT gpu_sum(v) FROM (VALUES (1e308::float8), (1e308)) AS t (v)');
SELECT error_of('SELECT gpu_sum(v) FROM (VALUES (3e38::real), (3e38)) AS t (v)');
SELECT gpu_sum(v), gpu_avg(v)
FROM (VALUES (1e308::float8), (1e308), (-1e308)) AS t (v);
SELECT gpu_min(v), gpu_max(v) FROM (VALUES (0::float8), ('-0')) AS t (v);

-- NaN in a result is always the same one.
SELECT float8send(gpu_min(v)), float8send(gpu_sum(v)), float4send(gpu_max(v::real))
FROM (SELECT '-NaN'::float8 + 'Infinity'::float8 AS v) AS t;

-- min and max of integers by an index
CREATE INDEX ON readings (n);
SET enable_seqscan = off;
SELECT compare_plan('SELECT gpu_min(n), gpu_max(n) FROM readings',
	'(SELECT min(n) AS gpu_min, max(n) AS gpu_max FROM readings)',
	'Index Only Scan using', 'Index Only Scan Backward');
RESET enable_seqscan;

-- The same state serves several aggregates; it is an ordinary value, but of those
-- that keep a payload of any type, or a sum a bucket, each of which grows, and of
-- sums of numeric, which are PostgreSQL's.
SELECT aggfnoid::regprocedure, aggtranstype::regtype, aggcombinefn, aggmtranstype::regtype,
	aggfinalmodify, proparallel
FROM pg_aggregate JOIN pg_proc ON oid = aggfnoid
WHERE proname LIKE 'gpu\_%' AND aggtranstype = 'internal'::regtype AND proname NOT IN ('gpu_argmin', 'gpu_argmax', 'gpu_first', 'gpu_last', 'gpu_weighted_histogram')
	AND proargtypes[0] <> 'numeric'::regtype;

-- Window aggregates with moving frames, which rows enter and leave.  That is the
-- same for every engine; the CPU finishes the state of each row fastest.
SET gpuscan.engine = cpu;
SELECT frame, compare_plan(
	replace(replace('SELECT grp, i, RESULTS AS results FROM readings WHERE grp <= 10 WINDOW w AS (PARTITION BY grp ORDER BY i ROWS FRAME)',
		'RESULTS', all_of('FUNCTION(COLUMN) OVER w')), 'FRAME', frame),
	replace(replace('(SELECT grp, i, RESULTS AS results FROM readings WHERE grp <= 10 WINDOW w AS (PARTITION BY grp ORDER BY i ROWS FRAME))',
		'RESULTS', all_of('FUNCTION(coalesce(array_agg(COLUMN) OVER w, ''{}''))')), 'FRAME', frame), 'WindowAgg')
FROM unnest('{
	BETWEEN 3 PRECEDING AND CURRENT ROW,
	BETWEEN 5 PRECEDING AND 2 FOLLOWING,
	BETWEEN 4 PRECEDING AND 2 PRECEDING,
	BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING,
	BETWEEN 20 PRECEDING AND 20 FOLLOWING EXCLUDE CURRENT ROW,
	UNBOUNDED PRECEDING}'::text[]) AS frame;
RESET gpuscan.engine;
SELECT i, gpu_sum(v) OVER w, sum(v) OVER w AS built_in
FROM (VALUES (1, 1::float8), (2, 1e20), (3, 1), (4, 1), (5, 'NaN'), (6, 2), (7, 3),
	(8, '-Infinity'), (9, '-0'), (10, '-0')) AS t (i, v)
WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i;

-- The readings and the function that compares plans are used by other tests.
DROP TABLE aggregate, answer, answers, by_group, by_row, many,
	many_answers;
DROP FUNCTION all_of;
RESET ALL;
