-- One of several sessions that run the same statement concurrently: the
-- running sum of :elements doubles, :runs times, starting when advisory lock 1
-- is released.  Adds a row to the table session.
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
	before text;
	after text;
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

	-- VmHWM is the process's peak memory; writing 5 resets it.  The service's
	-- staging memory is shared by all sessions and not counted.
	before := pg_read_file('/proc/self/status');
	COPY (SELECT 5) TO '/proc/self/clear_refs';
	nothing := gpu_cumsum(a) IS NULL;
	after := pg_read_file('/proc/self/status');
	INSERT INTO session VALUES (started, ended, 1024 * (kilobytes(after, 'VmHWM') - kilobytes(before, 'VmRSS')
		- kilobytes(after, 'RssShmem') + kilobytes(before, 'RssShmem')) - pg_column_size(a));
END
$$;
