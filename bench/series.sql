-- Functions over two arrays of ten million elements each, on either engine and
-- by SQL over unnest:
--
--	psql -Xq -f bench/series.sql		in an empty database
--
-- A time is that of a whole call, in milliseconds, the least of several.  The
-- device's are of arrays that the service has cached.
CREATE EXTENSION IF NOT EXISTS gpuscan;
CREATE TABLE series (a float8[], b float8[], i integer[], heads boolean[], edges float8[], matrix float8[]);
ALTER TABLE series ALTER heads SET STORAGE EXTERNAL;	-- compressed arrays are not cached
INSERT INTO series
SELECT (SELECT array_agg(random() * 1000) FROM generate_series(1, 10000000)), (SELECT array_agg((random() - 0.5) * 100) FROM generate_series(1, 10000000)),
	(SELECT array_agg((random() * 1000000)::integer) FROM generate_series(1, 10000000)), (SELECT array_agg(g % 1000 = 0) FROM generate_series(1, 10000000) AS g),
	(SELECT array_agg(g::float8) FROM generate_series(1, 1000) AS g),
	(SELECT array_agg(row) FROM (SELECT (SELECT array_agg(g + k + random()) FROM generate_series(1, 2500) AS g) AS row FROM generate_series(1, 4000) AS k) AS rows);

CREATE FUNCTION best(engine text, query text, times integer) RETURNS numeric STRICT LANGUAGE plpgsql AS
$$
DECLARE
	start timestamptz;
	least_ms double precision := 'Infinity';
BEGIN
	PERFORM set_config('gpuscan.engine', engine, false);
	FOR k IN 1 .. times LOOP
		start := clock_timestamp();
		-- the result stays where it is: a row of it would be a copy
		EXECUTE 'SELECT (' || query || ') IS NULL FROM series';
		least_ms := least(least_ms, extract(epoch FROM clock_timestamp() - start) * 1000);
	END LOOP;
	RETURN least_ms::numeric(10, 3);
END
$$;
CREATE TABLE calls (id serial, call text, by_sql text);
INSERT INTO calls (call, by_sql) VALUES
	('gpu_sum(a)', '(SELECT sum(x) FROM unnest(a) AS x)'),
	('gpu_asum(b)', '(SELECT sum(abs(x)) FROM unnest(b) AS x)'),
	('gpu_dot(a, b)', '(SELECT sum(x * y) FROM unnest(a, b) AS u (x, y))'),
	('gpu_dot(i, i)', NULL),
	('gpu_sum(gpu_multiply(a, b))', '(SELECT sum(x * y) FROM unnest(a, b) AS u (x, y))'),
	('(SELECT gpu_sum(x) FROM (SELECT gpu_multiply(a, b) AS x OFFSET 0) AS s)', NULL),
	('gpu_avg(gpu_subtract(gpu_multiply(a, 2.5), b))', '(SELECT avg(x * 2.5 - y) FROM unnest(a, b) AS u (x, y))'),
	('gpu_max(gpu_abs(b))', '(SELECT max(abs(x)) FROM unnest(b) AS x)'),
	('gpu_stddev(gpu_divide(b, a))', NULL),
	('gpu_add(a, b)', '(SELECT array_agg(x + y) FROM unnest(a, b) AS u (x, y))'),
	('gpu_multiply(a, 2.5)', '(SELECT array_agg(x * 2.5) FROM unnest(a) AS x)'),
	('gpu_divide(b, a)', NULL),
	('gpu_abs(b)', NULL),
	('gpu_add(i, i)', NULL),
	('gpu_diff(a)', '(SELECT array_agg(d) FROM (SELECT x - lag(x) OVER () AS d FROM unnest(a) AS x) AS s)'),
	('gpu_diff(i)', NULL),
	('gpu_unique(i)', NULL),
	('gpu_segment_sum(a, chunk => 1000)', '(SELECT array_agg(s) FROM (SELECT sum(x) AS s FROM unnest(a) WITH ORDINALITY AS u (x, n) GROUP BY (n - 1) / 1000) AS s)'),
	('gpu_segment_avg(a, chunk => 1000)', NULL),
	('gpu_segment_max(a, chunk => 10)', NULL),
	('gpu_segment_sum(a, heads)', NULL),
	('gpu_segment_sum(i, heads)', NULL),
	('gpu_searchsorted(edges, a)', '(SELECT array_agg(width_bucket(x, edges)) FROM unnest(a) AS x)'),
	('gpu_searchsorted(edges, i)', NULL),
	('gpu_transpose(matrix)', NULL),
	('gpu_moving_sum(i, 99)', '(SELECT array_agg(s) FROM (SELECT sum(x) OVER (ROWS 99 PRECEDING) AS s FROM unnest(i) AS x) AS s)'),
	('gpu_moving_max(a, 99)', '(SELECT array_agg(s) FROM (SELECT max(x) OVER (ROWS 99 PRECEDING) AS s FROM unnest(a) AS x) AS s)'),
	('gpu_moving_max(a, 999999)', NULL),
	('gpu_moving_avg(a, 99)', NULL);
SELECT call, on_device, auto, on_cpu, (on_cpu / on_device)::numeric(10, 1) AS cpu_by_device
FROM (SELECT id, call, best('gpu', call, 7) AS on_device, best('auto', call, 3) AS auto, best('cpu', call, 3) AS on_cpu FROM calls) AS c
ORDER BY id;
-- minutes
SELECT call, by_sql, best('auto', by_sql, 1) AS ms FROM calls WHERE by_sql IS NOT NULL ORDER BY id;
RESET gpuscan.engine;
