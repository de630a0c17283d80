-- Series made shorter, against the same in numbers of any length.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- A number as a time of a type.
CREATE FUNCTION start_of(x numeric, type anyelement, OUT start anyelement) LANGUAGE plpgsql AS
$$
BEGIN
	start := CASE pg_typeof(type)::text WHEN 'real' THEN x::double precision::text WHEN 'double precision' THEN x::text ELSE round(x)::text END;
END
$$;

-- The buckets from the first time's to the last one's, what of finite values is in each, and their aggregates.
CREATE FUNCTION resampled(times anyarray, vals anycompatiblearray, width anyelement, aggregate text, origin anyelement,
	OUT starts anyarray, OUT results double precision[]) LANGUAGE sql AS
$$
	WITH point AS (
		SELECT div(d, exact(width)) - (d < 0 AND mod(d, exact(width)) <> 0)::integer AS k, o, v, exact(v) AS x
		FROM unnest(times, vals) WITH ORDINALITY AS u (t, v, o), LATERAL (SELECT exact(t) - exact(origin)) AS d (d)),
	bucket AS (
		SELECT k, count(v) AS n, sum(x) AS sum, min(v) AS min, max(v) AS max,
			array_agg(v ORDER BY o) FILTER (WHERE v IS NOT NULL) AS all
		FROM (SELECT generate_series(min(k), max(k)) AS k FROM point) AS k LEFT JOIN point USING (k) GROUP BY k)
	SELECT array_agg(s ORDER BY k), array_agg(r ORDER BY k)
	FROM (SELECT k, start_of(exact(origin) + k * exact(width), origin) AS s,
			CASE aggregate WHEN 'count' THEN n WHEN 'min' THEN min::double precision WHEN 'max' THEN max::double precision
				WHEN 'first' THEN (bucket.all)[1]::double precision WHEN 'last' THEN (bucket.all)[n]::double precision
				WHEN 'sum' THEN sum::double precision ELSE round((sum + 0e-420) / nullif(n, 0), 420)::double precision END AS r
		FROM bucket) AS r
$$;

-- Both, of 250 points whose times and values are expressions of i, some of the values NULL.
CREATE FUNCTION compare_resampled(times text, vals text, time_type text, type text, width text, origin text, aggregate text,
	OUT starts text, OUT results double precision[], OUT same boolean) LANGUAGE plpgsql AS
$$
BEGIN
	EXECUTE format('
		SELECT r.starts::text, r.results, r.starts = w.starts AND r.results IS NOT DISTINCT FROM w.results
		FROM (SELECT array_agg((%1$s)::%2$s ORDER BY i) AS t, array_agg(CASE WHEN noise(i + 999) %% 5 > 0 THEN (%3$s)::%4$s END ORDER BY i) AS v FROM generate_series(1, 250) AS i) AS a,
			LATERAL gpu_resample(t, v, %5$L::%2$s, $1, %6$L::%2$s) AS r, LATERAL resampled(t, v, %5$L::%2$s, lower($1), %6$L::%2$s) AS w', times, time_type, vals, type, width, origin)
		INTO starts, results, same USING aggregate;
END
$$;

-- Times of every type: even, some equal, with gaps, before and after the origin; widths and origins with many digits.
SELECT name, time, type, count(*) AS calls, sum(cardinality(results)) AS buckets,
	string_agg(format('%s %s %s: %s %s', width, origin, aggregate, starts, results), chr(10)) FILTER (WHERE NOT same) AS wrong
FROM (VALUES
	('even', 'integer', 'i', '{1,7,1000}', '{0,3,-2147483648}'),
	('equal', 'smallint', 'i / 5 - 30', '{2,30000}', '{0,-1}'),
	('close', 'bigint', '1700000000000000000 + i * 3 + noise(i) % 3', '{10,1000000007}', '{0,1699999999999999999}'),
	('gaps', 'double precision', 'i * 0.1 + i / 50 * 11', '{0.5,0.1,1e300}', '{0,0.3,-1e-9}'),
	('coarse', 'real', '1e6 + i / 8.0 + i / 90', '{0.7,12.5}', '{1e6,0.1}'),
	('tiny', 'double precision', 'i * 1e-310 - 1e-308', '{1.7e-310,3e-309}', '{0,1e-308}'),
	('large', 'double precision', '(i - 125) * 1.4e306', '{2.5e306}', '{0,1e300}')) AS t (name, time, times, widths, origins),
	(VALUES ('integer', 'noise(-i) % 2001 - 1000'), ('bigint', 'noise(i) * 34359738368'), ('double precision', 'noise(i) / 1000.0 - 1e5'), ('real', 'noise(i) % 1000 / 7.0')) AS v (type, vals),
	unnest(widths::text[]) AS width, unnest(origins::text[]) AS origin, unnest('{sum,avg,min,max,count,first,LAST}'::text[]) AS aggregate,
	LATERAL compare_resampled(times, vals, time, type, width, origin, aggregate) AS c
WHERE name = 'even' OR type = CASE name WHEN 'close' THEN 'bigint' WHEN 'coarse' THEN 'real' ELSE 'double precision' END
GROUP BY name, time, type ORDER BY name, type;

-- A gap is there, as NULL or as a count of 0; so is a bucket of NULLs.
SELECT aggregate, r.*, gpu_locf(r.results) AS filled
FROM unnest('{sum,avg,min,max,count,first,last}'::text[]) AS aggregate, gpu_resample('{1,2,2,35,40}'::integer[], '{NULL,5,-1,NULL,7}'::smallint[], 10, aggregate) AS r;
SELECT gpu_resample('{1,2,3}'::bigint[], '{Infinity,NaN,-Infinity}'::real[], 2, 'sum') AS special, gpu_resample('{0,1}'::integer[], '{Infinity,-Infinity}'::float8[], 2, 'avg') AS nan,
	gpu_resample('{1,1}'::integer[], '{NaN,3}'::float8[], 2, 'max') AS greatest, gpu_resample('{1,1}'::integer[], '{NaN,3}'::float8[], 2, 'min') AS least,
	gpu_resample('{}'::real[], '{}'::integer[], 1, 'sum') AS empty, gpu_resample('{1}'::real[], '{NULL}'::integer[], '0.25', 'min') AS quoted;
SELECT gpu_resample(NULL::integer[], '{1}'::real[], 1, 'sum') IS NULL AS times, gpu_resample('{1}'::integer[], '{1}'::real[], NULL, 'sum') IS NULL AS width,
	gpu_resample('{1}'::integer[], '{1}'::real[], 1, 'sum', NULL) IS NULL AS origin;
SELECT gpu_resample('{1,2}'::bigint[], '{9223372036854775807,9223372036854775806}'::bigint[], 5, 'avg') AS mean, gpu_resample('{1,2}'::smallint[], '{1.7e308,1.7e308}'::float8[], 5::smallint, 'avg', 0::smallint) AS large,
	gpu_resample('{0.05,0.15}'::float8[], '{1,2}'::integer[], 0.1, 'sum', origin => -1) AS origin,
	gpu_resample('{-9223372036854775807,-9223372036854775806}'::bigint[], '{1,2}'::integer[], 9223372036854775807, 'sum') AS least,
	gpu_resample('{9223372036854775806,9223372036854775807}'::bigint[], '{1,2}'::integer[], 2, 'sum') AS greatest, gpu_resample('{1.7e308}'::float8[], '{1}'::integer[], 1e308, 'sum') AS endless;
-- a time belongs to the bucket that exact numbers say, wherever that starts when it is rounded
SELECT 3 * exact(0.1) > exact(0.3) AS below, gpu_resample('{0.1,0.2,0.3}'::float8[], '{1,2,3}'::integer[], 0.1, 'sum');
-- integers beyond 2^53 count as they are
SELECT (gpu_resample('{0,0,0}'::integer[], '{9007199254740993,9007199254740993,1}'::bigint[], 1, 'sum')).results AS sum;
-- sums of real are not rounded to real, nor out of its range
SELECT (gpu_resample('{0,0,3,3}'::integer[], '{16777216,1,3e38,3e38}'::real[], 3, 'sum')).results AS sum;
CREATE TABLE resample_stored (t bigint[], v double precision[]);
ALTER TABLE resample_stored ALTER t SET STORAGE EXTERNAL, ALTER v SET STORAGE EXTERNAL;
INSERT INTO resample_stored SELECT array_agg(i * 3::bigint ORDER BY i), array_agg(noise(i) / 1000.0 ORDER BY i) FROM generate_series(1, 40000) AS i;
SELECT gpu_resample(t, v, 100, 'avg') = gpu_resample(t || '{}', v || '{}', 100, 'avg') AS same,
	gpu_sum((gpu_resample(t, v, 100, 'count')).results) AS count,
	(SELECT array_agg(a ORDER BY s) FROM (SELECT s, gpu_avg(x) AS a FROM (SELECT i / 100 AS s, x FROM unnest(t, v) AS u (i, x)) AS u GROUP BY s) AS g) = (gpu_resample(t, v, 100, 'avg')).results AS grouped
FROM resample_stored;

-- A quotient of numeric has no more than 1000 decimals.
CREATE FUNCTION mean_to_double(sum numeric, n bigint) RETURNS double precision LANGUAGE sql AS
$$ SELECT ((sum * 1e300 + 0e-1000) / n || 'e-300')::double precision $$;

-- The points that the definition of Largest-Triangle-Three-Buckets takes, with exact areas of coordinates in double precision.
CREATE FUNCTION lttb_of(times anyarray, vals anycompatiblearray, points integer) RETURNS integer[] LANGUAGE plpgsql AS
$$
DECLARE
	whole boolean := times::text !~ '[.e]' AND pg_typeof(times) NOT IN ('real[]'::regtype, 'double precision[]'::regtype);
	x numeric[];
	y numeric[];
	place integer[];
	found integer[] := '{}';
	n integer;
	a integer := 1;
	next_from integer;
	next_to integer;
	c_x numeric;
	c_y numeric;
BEGIN
	SELECT array_agg(exact(CASE WHEN whole THEN exact(t) - exact(times[1]) ELSE exact(t) END::double precision) ORDER BY o), array_agg(exact(v::double precision) ORDER BY o), array_agg(o ORDER BY o)
		INTO x, y, place FROM unnest(times, vals) WITH ORDINALITY AS u (t, v, o) WHERE v IS NOT NULL;
	n := coalesce(cardinality(x), 0);
	IF n <= points THEN
		RETURN coalesce(place, '{}');
	END IF;
	found := found || place[1];
	FOR i IN 0 .. points - 3 LOOP
		next_from := (i + 1)::bigint * (n - 2) / (points - 2) + 2;
		next_to := least((i + 2)::bigint * (n - 2) / (points - 2) + 1, n);
		SELECT exact(mean_to_double(sum(px), count(*))), exact(mean_to_double(sum(py), count(*)))
			INTO c_x, c_y FROM unnest(x[next_from:next_to], y[next_from:next_to]) AS u (px, py);
		SELECT k INTO a FROM generate_series(i::bigint * (n - 2) / (points - 2) + 2, next_from - 1) AS k
			ORDER BY abs((c_x - x[a]) * (y[k] - y[a]) - (c_y - y[a]) * (x[k] - x[a])) DESC, k LIMIT 1;
		found := found || place[a];
	END LOOP;
	RETURN found || place[n];
END
$$;
CREATE FUNCTION compare_lttb(times text, vals text, time_type text, type text, points integer, OUT got integer[], OUT wanted integer[]) LANGUAGE plpgsql AS
$$
BEGIN
	EXECUTE format('SELECT gpu_lttb(t, v, $1), lttb_of(t, v, $1)
		FROM (SELECT array_agg((%s)::%s ORDER BY i) AS t, array_agg((%s)::%s ORDER BY i) AS v FROM generate_series(1, 230) AS i) AS a', times, time_type, vals, type) INTO got, wanted USING points;
END
$$;
SELECT name, time, type, count(*) AS calls, sum(cardinality(got)) AS positions, string_agg(points || ': ' || got::text || ', not ' || wanted::text, chr(10)) FILTER (WHERE got <> wanted) AS wrong
FROM (VALUES
	('noise', 'integer', 'i', 'double precision', 'noise(i) / 1000.0'),
	('few values', 'bigint', '1700000000000000000 + i::bigint * 1000000007', 'integer', 'noise(i / 3) % 3'),
	('nulls', 'smallint', 'i / 2', 'real', 'CASE WHEN noise(-i) % 3 > 0 THEN noise(i) % 100 / 7.0 END'),
	('constant', 'real', 'i / 7.0', 'smallint', '-3'),
	('one time', 'integer', '5', 'bigint', 'noise(i) * 34359738368'),
	('line', 'double precision', '1e9 + i * 0.1', 'double precision', '7 - i * 0.3::float8'),
	('nearly a line', 'double precision', 'i * 0.1::float8', 'double precision', 'i * 0.1::float8 + noise(i) % 2 * 1e-16::float8'),
	('mirrored', 'integer', 'i', 'integer', 'abs(i % 20 - 10) * (i / 20 % 2 * 2 - 1)'),
	('large', 'double precision', '(i - 115) * 1.5e306', 'double precision', '(noise(i) % 200 - 100) * 1.7e306'),
	('small', 'double precision', 'i * 5e-324::float8', 'double precision', '(noise(i) % 5) * 1e-323::float8'),
	('far', 'bigint', 'CASE WHEN i = 1 THEN -9223372036854775808 ELSE 9223372036854775807 - 230 + i END', 'real', 'noise(i) % 10')) AS t (name, time, times, type, vals),
	unnest('{2,3,17,116,229,230}'::integer[]) AS points, LATERAL compare_lttb(times, vals, time, type, points) AS c
GROUP BY name, time, type ORDER BY name;
SELECT gpu_lttb('{}'::integer[], '{}'::real[], 5) AS empty, gpu_lttb('{1,2}'::real[], '{NULL,NULL}'::real[], 2) AS none, gpu_lttb('{1}'::bigint[], '{{7}}'::integer[], 2) AS one,
	gpu_lttb(NULL::integer[], '{1}'::real[], 2) IS NULL AS "null", gpu_lttb('{1,2,3,4}'::integer[], '{0,0,9,0}'::integer[], '3') AS quoted;
SELECT cardinality(gpu_lttb(t, v, 100)) AS positions, gpu_lttb(t, v, 100) = gpu_lttb(t || '{}', v || '{}', 100) AS same, gpu_take(v, gpu_lttb(t, v, 4)) FROM resample_stored;

-- Errors.
SELECT call, error_of('SELECT ' || call)
FROM unnest(ARRAY['gpu_resample(''{2,1}''::integer[], ''{1,2}''::real[], 1, ''sum'')', 'gpu_resample(''{1,NULL}''::integer[], ''{1,2}''::real[], 1, ''sum'')',
	'gpu_resample(''{1}''::integer[], ''{1,2}''::real[], 1, ''sum'')', 'gpu_resample(''{1,NaN}''::real[], ''{1,2}''::real[], 1, ''sum'')',
	'gpu_resample(''{1}''::integer[], ''{1}''::real[], 0, ''sum'')', 'gpu_resample(''{1}''::real[], ''{1}''::real[], ''NaN'', ''sum'')', 'gpu_resample(''{1}''::real[], ''{1}''::real[], 1, ''sum'', ''Infinity'')',
	'gpu_resample(''{1}''::integer[], ''{1}''::real[], 1, ''median'')', 'gpu_resample(''{0,9000000000000000000}''::bigint[], ''{1,2}''::real[], 1, ''sum'')',
	'gpu_resample(''{0,1000000000000}''::bigint[], ''{1,2}''::real[], 1, ''sum'')', 'gpu_resample(''{1e20}''::float8[], ''{2}''::real[], 1, ''sum'')',
	'gpu_resample(''{9223372036854775807}''::bigint[], ''{2}''::real[], 1, ''sum'', -1)', 'gpu_resample(''{-32768}''::smallint[], ''{2}''::real[], 100::smallint, ''sum'', 0::smallint)',
	'gpu_resample(''{-1.7e308}''::float8[], ''{2}''::real[], 1e308, ''sum'')', 'gpu_resample(''{1,1}''::integer[], ''{1.7e308,1.7e308}''::float8[], 5, ''sum'')',
	'gpu_resample(''{1}''::numeric[], ''{1}''::real[], 1, ''sum'')', 'gpu_resample(''{1}''::integer[], ''{1}''::numeric[], 1, ''sum'')',
	'gpu_resample(''{{1}}''::integer[], ''{1}''::real[], 1, ''sum'')', 'gpu_lttb(''{1}''::integer[], ''{1}''::real[], 1)', 'gpu_lttb(''{1,2}''::integer[], ''{1,NaN}''::real[], 5)',
	'gpu_lttb(''{1,2}''::integer[], ''{-Infinity,NULL}''::float8[], 5)', 'gpu_lttb(''{2,1}''::integer[], ''{1,2}''::real[], 5)', 'gpu_lttb(''{1}''::integer[], ''{1,2}''::real[], 5)',
	'gpu_lttb(''{1}''::numeric[], ''{1}''::real[], 5)', 'gpu_lttb(''{1}''::integer[], ''{1}''::numeric[], 5)', 'gpu_lttb(''{a}''::text[], ''{1}''::real[], 5)']) AS call;
