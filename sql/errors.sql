-- Misuse: SQLSTATEs and messages.  Histograms, compaction and overflows are in
-- tests of their own.

-- Options of scans.
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, 2], NULL)');
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, 2], chunk => 0)');
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, 2], chunk => -5)');
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, 2], chunk => 1, heads => ARRAY[true, true])');
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, 2], heads => ARRAY[true])');
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, 2], heads => ''{}'')');
SELECT error_of('SELECT gpu_cumsum(''{}''::real[], heads => ''{t}'')');
SELECT error_of('SELECT gpu_cumsum(ARRAY[1, NULL], heads => ARRAY[true, NULL, false])');
SELECT error_of('SELECT gpu_cumsum(''{}''::integer[], chunk => 0)');
SELECT error_of('SELECT gpu_cumsum(''{}''::integer[], NULL)');

-- Each scan checks its options, for each type.
CREATE FUNCTION scan_errors(scan text, type text) RETURNS text LANGUAGE sql AS
$$
	SELECT string_agg(left(error_of(format('SELECT %s(%L::%s[], %s)', scan,
		CASE type WHEN 'boolean' THEN '{t, f}' ELSE '{1, 2}' END, type, options)),
		5), ' ' ORDER BY o)
	FROM unnest(ARRAY['exclusive => NULL', 'chunk => 0', 'heads => ''{t}''',
		'chunk => 2, heads => ''{t, f}''', 'chunk => NULL, heads => NULL'])
		WITH ORDINALITY AS u (options, o)
$$;
SELECT scan, scan_errors(scan, 'smallint') AS smallint,
	scan_errors(scan, 'integer') AS integer, scan_errors(scan, 'bigint') AS bigint
FROM scans WHERE families @> '{integer}'
UNION ALL
SELECT 'gpu_cumprod', scan_errors('gpu_cumprod', 'smallint'),
	scan_errors('gpu_cumprod', 'integer'), scan_errors('gpu_cumprod', 'bigint');
SELECT scan, scan_errors(scan, 'real') AS real,
	scan_errors(scan, 'double precision') AS double
FROM scans WHERE families @> '{float}'
UNION ALL
SELECT 'gpu_cumprod', scan_errors('gpu_cumprod', 'real'),
	scan_errors('gpu_cumprod', 'double precision');
SELECT scan, scan_errors(scan, 'boolean') AS boolean
FROM scans WHERE families @> '{boolean}';

-- numeric is never converted to double precision silently, whatever the options.
SELECT error_of('SELECT gpu_product(''{1.5}''::numeric[])');
SELECT call, error_of('SELECT ' || call) ~ '^0A000: .* numeric\[\].*HINT: Cast ' AS right
FROM unnest('{gpu_product(n), gpu_cumprod(n), "gpu_histogram(n, 0, 1, 2)",
	gpu_norm(n), "gpu_cumprod(n, chunk => 3)",
	"gpu_histogram(n, ''{0, 1}'')", "gpu_histogram_table(n, 0, 1, 2)",
	"gpu_histogram_table(n, ''{0, 1}'')", gpu_ln(n), "gpu_corr(n, n)"}'::text[]) AS c,
	regexp_replace(c, '\mn\M', '''{1.5}''::numeric[]', 'g') AS call;

-- Other types are not supported, and not every function supports every type.
SELECT call, left(error_of('SELECT ' || call), 5) AS sqlstate
FROM unnest('{
	"gpu_sum(ARRAY[''a''])", "gpu_sum(ARRAY[true])", "gpu_sum(true)",
	"gpu_sum(''{2001-01-01}''::date[])", "gpu_max(ARRAY[''1 h''::interval])",
	"gpu_count(ARRAY[''a''::text])", "gpu_cumsum(ARRAY[''a''])",
	"gpu_cumsum(ARRAY[true])", "gpu_cumprod(ARRAY[''a''])",
	"gpu_bit_and(ARRAY[1.5::real])", "gpu_bit_xor(ARRAY[0.5::float8])",
	"gpu_cumbit_or(ARRAY[0.5::float8])", "gpu_bool_and(ARRAY[1])",
	"gpu_cumbool_and(ARRAY[1])", "gpu_cumsum(ARRAY[1], 2)",
	"gpu_cumsum(ARRAY[1], heads => ARRAY[1])", "gpu_cumsum(ARRAY[1], nothing => 1)",
	"gpu_sum(ARRAY[1], true)"}'::text[]) AS call;
SELECT error_of('SELECT gpu_sum(ARRAY[''a''])'), error_of('SELECT gpu_sort(''{}''::uuid[])');

-- A result too large for PostgreSQL, 134,217,727 bigints, is refused before any
-- work; the array itself holds only NULLs.
SELECT error_of('SELECT gpu_cumcount(array_fill(NULL::smallint, ARRAY[134217727]))');
SELECT error_of('SELECT gpu_cumsum(array_fill(NULL::integer, ARRAY[134217727]), true)');

-- An error in one row does not affect later calls.
DO $$
BEGIN
	FOR i IN 1 .. 200 LOOP
		BEGIN
			PERFORM gpu_cumsum(array_fill(9e307::double precision, ARRAY[i % 7 + 2]));
			RAISE 'no error';
		EXCEPTION WHEN numeric_value_out_of_range THEN
			IF gpu_sum(ARRAY[i, i]) <> 2 * i THEN
				RAISE 'wrong sum';
			END IF;
		END;
	END LOOP;
END
$$;

DROP FUNCTION scan_errors;
