-- Settings, the record of the last call, and plots.

-- gpuscan.engine: valid values; the test restores what was set.
LOAD 'gpuscan';
SELECT name, boot_val, context, vartype, enumvals
FROM pg_settings WHERE name = 'gpuscan.engine';
BEGIN;
SET LOCAL gpuscan.engine = cpu;
SHOW gpuscan.engine;
SELECT gpu_cumsum(ARRAY[1, 2, 3]), (gpuscan_last_call()).engine;
SET LOCAL gpuscan.engine = auto;
SHOW gpuscan.engine;
SELECT gpu_cumsum(ARRAY[1, 2, 3]);
ROLLBACK;
SELECT error_of('SET gpuscan.engine = abacus');
CREATE FUNCTION on_cpu(a integer[]) RETURNS bigint LANGUAGE sql
SET gpuscan.engine = cpu AS 'SELECT gpu_sum(a)';
SELECT on_cpu('{1, 2, 3}'), (gpuscan_last_call()).engine;
DROP FUNCTION on_cpu;

-- The session's last call; of a statement with several, the last one.
\c -
SELECT count(*), count(function) FROM gpuscan_last_call();
SELECT gpu_sum(ARRAY[1, 2, 3, NULL]);
SELECT function, elements FROM gpuscan_last_call();
SELECT function, elements FROM gpuscan_last_call();
SELECT gpu_cumsum(gpu_filter(ARRAY[1.5, 0, 2, 7]::real[], '>', 1));
SELECT function, elements, engine IS NOT NULL AS engine, reason IS NOT NULL AS reason,
	cache_hit, wait_ms >= 0 AS wait, staging_ms >= 0 AS staging,
	device_ms >= 0 AS device, total_ms BETWEEN 0 AND 60000 AS total
FROM gpuscan_last_call();
SELECT gpu_histogram(array_agg(i % 10), 0, 9, 3) FROM generate_series(1, 1000) AS i;
SELECT function, elements FROM gpuscan_last_call();
SELECT error_of('SELECT gpu_sum(''{1e308, 1e308}''::double precision[])');
SELECT gpu_where('{t}');
SELECT function, elements FROM gpuscan_last_call();

-- Plots, with the finest bars that the encoding allows.
SET client_encoding = 'UTF8';
SELECT getdatabaseencoding();
SELECT gpuscan_plot('{1, 2, 4, 0, 3}', 8);
SELECT gpuscan_plot('{1, 2, 4, 0, 3}', 8, '{a, bb, ccc, NULL, d}');
SELECT gpuscan_plot(counts => ARRAY[0, 0], width => 5);
SELECT gpuscan_plot('{10}');
SELECT gpuscan_plot('{1000000, 1, 0, 999999}', 20);
SELECT gpuscan_plot('{9223372036854775807, 4611686018427387904}', 10);
SELECT gpuscan_plot('{}');
SELECT gpuscan_plot(NULL);
SELECT gpuscan_plot(gpu_histogram(ARRAY[1, 2, 2, 3, 3, 3], 1, 4, 3), 12,
					'{one, two, three}');
-- with the bounds of its bars
SELECT gpuscan_plot(gpu_histogram(ARRAY[5, 12, 13, 27], 0, 30, 3), 6, bounds => '{0, 30}');
SELECT gpuscan_plot(gpu_histogram(ARRAY[5, 12, 13, 27], ARRAY[0, 12.5, 13, 30]), 6, bounds => ARRAY[0, 12.5, 13, 30]);
SELECT gpuscan_plot('{1, 2, 0}', 4, bounds => '{0, 1}');
SELECT gpuscan_plot('{1, 2, 0, 1}', 4, bounds => '{1, -1}');
SELECT gpuscan_plot('{1, 2}', 4, bounds => '{1e9, 1000000001}');
SELECT gpuscan_plot('{1, 2}', 4, bounds => '{-1.7e308, 1.7e308}');
SELECT gpuscan_plot('{1, 2}', 4, bounds => '{0, 5e-324}');
SELECT gpuscan_plot('{3}', 4, bounds => '{-infinity, 0.1}');
SELECT gpuscan_plot('{}', bounds => '{0, 1}');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{1}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{1, 2, 3, 4}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{1, NULL, 3}'')');
SELECT error_of('SELECT gpuscan_plot(''{1}'', 5, ''{a}'', ''{0, 1}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{1, 1}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{0, NaN}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{0, infinity}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{0, 5, 2}'')');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', bounds => ''{3, 3, NaN}'')');
SELECT error_of('SELECT gpuscan_plot(''{1}'', bounds => ''{0, 0}'')');
SELECT error_of('SELECT gpuscan_plot(''{1}'', bounds => ''{0, NaN}'')');
SELECT gpuscan_plot('{1}', 4, bounds => '{1, 0}');
SELECT error_of('SELECT gpuscan_plot(''{1}'', 0)');
SELECT error_of('SELECT gpuscan_plot(''{1}'', -1)');
SELECT error_of('SELECT gpuscan_plot(''{1}'', NULL)');
SELECT error_of('SELECT gpuscan_plot(''{1}'', 2147483647)');
SELECT error_of('SELECT gpuscan_plot(''{1, 2}'', 5, ''{a}'')');
SELECT error_of('SELECT gpuscan_plot(''{-1, 2}'', 5)');
SELECT error_of('SELECT gpuscan_plot(''{1, NULL, 3}'', 6)');
-- and the client's encoding
SET client_encoding = 'LATIN1';
SELECT gpuscan_plot('{1, 2, 4, 0, 3}', 8);
SET client_encoding = 'SQL_ASCII';
SELECT gpuscan_plot('{1, 2, 4, 0, 3}', 8, '{a, bb, ccc, NULL, d}');
SET client_encoding = 'UTF8';
SELECT gpuscan_plot('{1, 2}', 4);
