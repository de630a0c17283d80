-- Aggregates are sent to foreign servers that name the extension.  Runs only
-- where postgres_fdw is installed.
SET extra_float_digits = 1;
SET client_min_messages = warning;	-- not why foreign tables make no report
CREATE EXTENSION postgres_fdw;
DO $$
BEGIN
	EXECUTE format('CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (dbname %L, host %L, port %L, extensions ''gpuscan'')',
		current_database(), split_part(current_setting('unix_socket_directories'), ',', 1),
		current_setting('port'));
	EXECUTE format('CREATE USER MAPPING FOR CURRENT_USER SERVER other
		OPTIONS (user %L)', current_user);
END
$$;

CREATE TABLE part_1 (grp integer, n integer, d double precision);
CREATE TABLE part_2 (grp integer, n integer, d double precision);
INSERT INTO part_1 SELECT i % 7, noise(i), (noise(i) - 134217728) * 1e-9 FROM generate_series(1, 500) AS i;
INSERT INTO part_2 SELECT 7 + i % 7, noise(i), 'NaN' FROM generate_series(1, 500) AS i;
CREATE TABLE parts (grp integer, n integer, d double precision) PARTITION BY RANGE (grp);
CREATE FOREIGN TABLE far_1 PARTITION OF parts FOR VALUES FROM (0) TO (7)
	SERVER other OPTIONS (table_name 'part_1');
CREATE FOREIGN TABLE far_2 PARTITION OF parts FOR VALUES FROM (7) TO (14)
	SERVER other OPTIONS (table_name 'part_2');
ANALYZE part_1, part_2, far_1, far_2;

-- what a plan sends to the server
CREATE FUNCTION remote_sql(query text) RETURNS SETOF text LANGUAGE plpgsql AS
$$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
		IF line ~ 'Remote SQL' THEN
			RETURN NEXT regexp_replace(trim(line), 'public\.', '', 'g');
		END IF;
	END LOOP;
END
$$;
SELECT remote_sql('SELECT gpu_sum(d), gpu_stddev(n), gpu_count(d), gpu_stats_agg(d) FROM far_1');
SELECT remote_sql('SELECT gpu_median(d), gpu_mode(n), gpu_percentile_cont(d, 0.9), gpu_histogram(n, 0, 9, 3) FROM far_1');
SELECT remote_sql('SELECT gpu_corr(d, n), gpu_regr_slope(d, n) FILTER (WHERE n > 5) FROM far_1');
SELECT gpu_sum(f.d) = gpu_sum(p.d) AS sum, gpu_stddev(f.n) = gpu_stddev(p.n) AS stddev,
	gpu_stats_agg(f.d)::text = gpu_stats_agg(p.d)::text AS stats
FROM far_1 AS f JOIN (SELECT *, ctid AS c FROM part_1) AS p ON f.ctid = p.c;
SET enable_partitionwise_aggregate = on;
SELECT remote_sql('SELECT grp, gpu_avg(d), gpu_max(d) FROM parts GROUP BY grp');
SELECT count(*), bool_and(far IS NOT DISTINCT FROM near) AS same
FROM (SELECT grp, (gpu_avg(d), gpu_max(d))::text AS far FROM parts GROUP BY grp) AS f
	JOIN (SELECT grp, (gpu_avg(d), gpu_max(d))::text AS near
		FROM (SELECT * FROM part_1 UNION ALL SELECT * FROM part_2) AS p GROUP BY grp) AS n USING (grp);

-- Summaries are made where the rows are, and merged here, exactly.
SELECT gpu_rollup(s)::text = (SELECT gpu_stats_agg(n) FROM (SELECT n FROM part_1 UNION ALL SELECT n FROM part_2) AS p)::text AS same
FROM (SELECT gpu_stats_agg(n) AS s FROM far_1 UNION ALL SELECT gpu_stats_agg(n) FROM far_2) AS t;

SET client_min_messages = warning;
DROP TABLE parts, part_1, part_2;
DROP FUNCTION remote_sql;
DROP EXTENSION postgres_fdw CASCADE;
RESET ALL;
