-- One of several sessions that run the same statement at the same time: the
-- running sum of :elements doubles, :runs times, once whoever holds advisory
-- lock 1 lets go of it.  Adds a row to the table session.
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET plan_cache_mode = force_generic_plan;
SET gpuscan.engine = :engine;
SELECT set_config('bench.elements', :'elements', false), set_config('bench.runs', :'runs', false) \g /dev/null

DO $$
DECLARE
	a double precision[] := ARRAY(SELECT number(i) FROM generate_series(1, current_setting('bench.elements')::integer) AS i);
	nothing boolean;
	started timestamptz;
	ended timestamptz;
	resident bigint;	-- kilobytes
	peak bigint;
BEGIN
	FOR run IN 1 .. 3 LOOP
		nothing := gpu_cumsum(a) IS NULL;
	END LOOP;
	PERFORM pg_advisory_lock_shared(1);
	started := clock_timestamp();
	FOR run IN 1 .. current_setting('bench.runs')::integer LOOP
		nothing := gpu_cumsum(a) IS NULL;
	END LOOP;
	ended := clock_timestamp();

	-- the kernel keeps the most that a process had; 5 makes it forget
	resident := substring(pg_read_file('/proc/self/status') FROM 'VmRSS:\s*(\d+)');
	COPY (SELECT 5) TO '/proc/self/clear_refs';
	nothing := gpu_cumsum(a) IS NULL;
	peak := substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s*(\d+)');
	INSERT INTO session VALUES (started, ended, (peak - resident) * 1024 - pg_column_size(a));
END
$$;
