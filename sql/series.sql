-- Series, and ranks of elements, against SQL over unnest.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- Arrays of all samples, and of what is special of a type.
CREATE TABLE series_arrays (type text, family text, sample text, a text);
DO $$
DECLARE
	t types;
BEGIN
	FOR t IN SELECT * FROM types LOOP
		EXECUTE format('INSERT INTO series_arrays SELECT %L, %L, sample, array_agg(v ORDER BY i)::text
			FROM (SELECT sample, i, %s AS v FROM samples) AS s GROUP BY sample', t.type, t.family, t.value);
		-- many equals
		EXECUTE format('INSERT INTO series_arrays SELECT %L, %L, ''few values'', array_agg(%s ORDER BY i)::text
			FROM (SELECT i, CASE WHEN noise(-i) %% 5 > 0 THEN noise(i) %% 7 - 3 END AS k FROM generate_series(1, 300) AS i) AS s',
			t.type, t.family, t.value);
		INSERT INTO series_arrays VALUES (t.type, t.family, 'empty', '{}');
	END LOOP;
	INSERT INTO series_arrays SELECT type, family, 'special', CASE
			WHEN family = 'float' THEN '{NULL,NaN,Infinity,-Infinity,-0,0,NULL,1,NaN,5,-0,NULL,NULL,-Infinity,Infinity,0,1}'
			WHEN type = 'smallint' THEN '{-32768,32767,NULL,-32768,0,32767}'
			WHEN type = 'integer' THEN '{-2147483648,2147483647,NULL,-2147483648,0,2147483647}'
			ELSE '{-9223372036854775808,9223372036854775807,NULL,-9223372036854775808,0,9223372036854775807}' END
		FROM types WHERE type <> 'boolean';
END $$;

-- Some elements that are not NULL, in order.
CREATE FUNCTION some_times(a anyarray) RETURNS anyarray LANGUAGE sql IMMUTABLE AS
$$ SELECT ARRAY(SELECT v FROM unnest(a) WITH ORDINALITY AS u (v, o) WHERE v IS NOT NULL AND (o % 9 = 1 OR o < 9) ORDER BY v) $$;

-- On how many arrays a call equals what an expression gives over their elements: a, its position o, the one before it, and g, how many up to it
-- are not NULL; times are some_times of all.  Or on which arrays it does not.
CREATE FUNCTION compare_series(call text, expression text, families text[] DEFAULT '{integer, float}') RETURNS text
LANGUAGE sql AS
$$
	SELECT coalesce(string_agg(type || ' ' || sample || ': ' || coalesce(got, 'NULL') || ', not ' || coalesce(wanted, 'NULL'), chr(10)
			ORDER BY type, sample) FILTER (WHERE got IS DISTINCT FROM wanted), count(*)::text)
	FROM (SELECT type, sample,
			result_or_error(format('SELECT %s FROM (SELECT a, some_times(a) AS times FROM (SELECT %L::%s[] AS a) AS s OFFSET 0) AS s', replace(call, 'TYPE', type), a, type)) AS got,
			result_or_error(format('SELECT coalesce(array_agg(r ORDER BY o), ''{}'') FROM (SELECT o, %s AS r
				FROM (SELECT a, o, times, lag(a) OVER (ORDER BY o) AS before, count(a) OVER (ORDER BY o) AS g
					FROM (SELECT whole, some_times(whole) AS times FROM (SELECT %L::%s[] AS whole) AS s OFFSET 0) AS s,
						unnest(whole) WITH ORDINALITY AS u (a, o)) AS u) AS r', replace(expression, 'TYPE', type), a, type)) AS wanted
		FROM series_arrays WHERE family = ANY (families)) AS r
$$;

-- The last value carried forward.
SELECT compare_series('gpu_locf(a)', 'CASE WHEN g > 0 THEN first_value(a) OVER (PARTITION BY g ORDER BY o) END', '{integer, float, boolean}') AS locf,
	gpu_locf('[5:6][1:2]={{NULL,2},{NULL,4}}'::integer[]), gpu_locf('{NULL,NULL}'::real[]) AS none, gpu_locf(NULL::integer[]) IS NULL AS "null";

-- more than a piece
SELECT bool_and(gpu_locf(a) = ARRAY(SELECT CASE WHEN g > 0 THEN first_value(v) OVER (PARTITION BY g ORDER BY o) END
	FROM (SELECT v, o, count(v) OVER (ORDER BY o) AS g FROM unnest(a) WITH ORDINALITY AS u (v, o)) AS u ORDER BY o)) AS same
FROM (SELECT array_agg(CASE WHEN i > from_i AND noise(i) % 3 > 0 THEN noise(-i) END ORDER BY i) AS a
	FROM unnest('{0,8191,8192,8193,20000}'::integer[]) AS from_i, generate_series(1, 30000) AS i GROUP BY from_i) AS s;

-- Ranks.
SELECT o AS options, compare_series(format('gpu_rank(a%s)', o), format('(rank() OVER (ORDER BY a %s))::integer', s)) AS rank,
	compare_series(format('gpu_dense_rank(a%s)', o), format('(dense_rank() OVER (ORDER BY a %s))::integer', s)) AS dense,
	compare_series(format('gpu_cume_dist(a%s)', o), format('cume_dist() OVER (ORDER BY a %s)', s)) AS cume_dist,
	string_agg(compare_series(format('gpu_ntile(a, %s%s)', n, o), format('ntile(%s) OVER (ORDER BY a %s, o)', n, s)), ' ' ORDER BY n) AS ntile
FROM (VALUES ('', ''), (', true', 'DESC'), (', nulls_first => true', 'NULLS FIRST'), (', true, false', 'DESC NULLS LAST')) AS v (o, s),
	unnest('{1, 2, 3, 7, 199, 200, 201, 2147483647}'::integer[]) AS n
GROUP BY o, s ORDER BY o;
SELECT gpu_rank('[5:6][1:2]={{3,NULL},{1,3}}'::integer[]), gpu_dense_rank('[0:2]={NaN,NULL,NaN}'::real[]), gpu_cume_dist('{{1},{0}}'::smallint[]),
	gpu_ntile('[5:6][1:2]={{3,NULL},{1,3}}'::bigint[], 2);
SELECT gpu_rank(NULL::integer[], NULL) IS NULL AS rank, gpu_ntile(NULL::real[], 0) IS NULL AS ntile, gpu_rank('{}'::real[]) AS empty,
	gpu_cume_dist('{}'::integer[]) AS no_share, gpu_ntile('{}'::integer[], 5) AS no_bucket;

-- The last time that is not after.
SELECT compare_series('gpu_asof(times, a)', '(SELECT max(p) FROM unnest(times) WITH ORDINALITY AS u (t, p) WHERE t <= a)::integer') AS asof;
SELECT gpu_asof('{1,3,3,7}'::integer[], '{{0,1,2},{3,100,NULL}}'), gpu_asof('{}'::real[], '[3:4]={1,NULL}'), gpu_asof('{1}'::bigint[], '{}'),
	gpu_asof(NULL, '{1}'::bigint[]), gpu_asof('{-Infinity,-0,0,NaN}'::float8[], '{-Infinity,-1,-0,0,1,Infinity,NaN}') AS special;
-- searches from the last answer, near and far
SELECT bool_and(gpu_asof(times, at) = found) AS same, count(*)
FROM (SELECT at, times, gpu_if(gpu_compare(p, '>', 0), p, NULL::integer) AS found
	FROM (SELECT at, times, gpu_searchsorted(times, at) AS p
		FROM (SELECT array_agg(noise(i) % 100000 ORDER BY i) AS r FROM generate_series(1, 20000) AS i) AS r,
			unnest('{1,2,3,1000,20000}'::integer[]) AS n, LATERAL gpu_sort(gpu_slice(r, 1, n)) AS times,
			LATERAL (SELECT r UNION ALL SELECT gpu_sort(r) UNION ALL SELECT gpu_sort(r, true)) AS a (at)) AS s OFFSET 0) AS s;
-- the join of two series
SELECT gpu_take('{10.5,11,12}'::float8[], gpu_asof('{100,200,300}'::bigint[], '{50,100,299,1000}')) AS joined;

-- Changes, lines and areas, in numbers of any length.

-- A quotient rounded once to double precision: digits enough to tell halves between two doubles.
CREATE FUNCTION rounded_quotient(a numeric, b numeric) RETURNS double precision LANGUAGE plpgsql IMMUTABLE AS
$$
BEGIN
	RETURN (div(a * ('1e' || scale)::numeric, b)::text || 'e-' || scale)::double precision
	FROM (SELECT CASE WHEN a = 0 THEN 0 ELSE 180 + greatest(length(div(abs(b), abs(a))::text), 0) END AS scale) AS s;
END
$$;
CREATE FUNCTION change_of(a double precision, b double precision) RETURNS double precision LANGUAGE sql AS
$$ SELECT CASE WHEN abs(a) < 'Infinity' AND abs(b) < 'Infinity' THEN rounded_quotient(exact(a) - exact(b), exact(b)) ELSE a / b - 1 END $$;
CREATE FUNCTION change_of(a bigint, b bigint) RETURNS double precision LANGUAGE sql AS
$$ SELECT rounded_quotient(a::numeric - b, b) $$;
SELECT compare_series('gpu_pct_change(a)', 'change_of(a, before)') AS zeros_fail,
	compare_series('gpu_pct_change(gpu_if(gpu_compare(a, ''='', 0), NULL::TYPE, a))', 'change_of(nullif(a, 0), nullif(before, 0))') AS no_zeros;
SELECT gpu_pct_change('[5:6][1:2]={{1,2},{NULL,4}}'::smallint[]), gpu_pct_change('{0}'::integer[]) AS one, gpu_pct_change('{0,NaN}'::real[]) AS nan,
	gpu_pct_change('{-5,-5}'::float8[]) AS none, gpu_pct_change(NULL::real[]) IS NULL AS "null";
SELECT bool_and(gpu_pct_change(ARRAY[a, b]) = ARRAY[NULL, change_of(b, a)]) AS same
FROM (SELECT ((noise(i) % 100000) / 100.0)::float8 AS a, ((noise(-i) % 100000) / 100.0)::float8 AS b FROM generate_series(1, 1000) AS i) AS r WHERE a <> 0;

-- The value at a time, and the mean value, of points whose value is not NULL.
CREATE FUNCTION value_at(times anyarray, vals anycompatiblearray, at anyelement) RETURNS double precision LANGUAGE plpgsql AS
$$
DECLARE
	p record;
	q record;
BEGIN
	SELECT t, v INTO p FROM unnest(times, vals) WITH ORDINALITY AS u (t, v, o) WHERE v IS NOT NULL AND t <= at ORDER BY o DESC LIMIT 1;
	SELECT t, v INTO q FROM unnest(times, vals) WITH ORDINALITY AS u (t, v, o) WHERE v IS NOT NULL AND t > at ORDER BY o LIMIT 1;
	IF p.t = at THEN
		RETURN p.v;
	ELSIF p.t IS NULL OR q.t IS NULL THEN
		RETURN NULL;
	ELSIF NOT abs(p.v::float8) < 'Infinity' OR NOT abs(q.v::float8) < 'Infinity' THEN
		RETURN p.v::float8 + q.v::float8;
	END IF;
	RETURN rounded_quotient(exact(p.v) * (exact(q.t) - exact(at)) + exact(q.v) * (exact(at) - exact(p.t)), exact(q.t) - exact(p.t));
END
$$;
CREATE FUNCTION mean_value(times anyarray, vals anycompatiblearray, linear boolean) RETURNS double precision LANGUAGE sql AS
$$
	SELECT CASE WHEN sum(special) IS NOT NULL THEN sum(special) ELSE rounded_quotient(sum(area), 2 * (exact(max(next)) - exact(min(t)))) END
	FROM (SELECT t, next, CASE WHEN finite THEN (v_exact + CASE WHEN linear THEN next_exact ELSE v_exact END) * (exact(next) - exact(t)) END AS area,
			CASE WHEN NOT finite THEN v::float8 + CASE WHEN linear THEN next_v::float8 ELSE v::float8 END END AS special
		FROM (SELECT t, v, exact(v) AS v_exact, lead(t) OVER w AS next, lead(v) OVER w AS next_v, lead(exact(v)) OVER w AS next_exact,
				abs(v::float8) < 'Infinity' AND (NOT linear OR abs(lead(v) OVER w::float8) < 'Infinity') AS finite
			FROM (SELECT DISTINCT ON (t) t, v FROM unnest(times, vals) WITH ORDINALITY AS u (t, v, o) WHERE v IS NOT NULL ORDER BY t, o) AS u
			WINDOW w AS (ORDER BY t)) AS s
		WHERE next IS NOT NULL) AS s
$$;
-- Times of any type: some equal, most not, and some to look at.
CREATE TABLE series_times (kind text, time text, times text);
INSERT INTO series_times VALUES ('even', 'integer', 'o'), ('close', 'bigint', '1700000000000000000 + o * 3 + noise(o) % 7'),
	('equal', 'smallint', 'o / 3'), ('wide', 'double precision', 'o * 0.1 + noise(o) % 100 / 1000.0'),
	('coarse', 'real', '1e6 + o / 8.0'), ('far', 'bigint', 'CASE o WHEN 1 THEN -9223372036854775808 ELSE 9223372036854775807 - 1000 + o END');
SELECT kind, time, count(*), string_agg(type || ' ' || sample, ', ') FILTER (WHERE interpolated IS DISTINCT FROM 'true') AS interpolated,
	string_agg(type || ' ' || sample, ', ') FILTER (WHERE locf IS DISTINCT FROM 'true') AS locf,
	string_agg(type || ' ' || sample, ', ') FILTER (WHERE linear IS DISTINCT FROM 'true') AS linear
FROM (SELECT kind, time, type, sample,
		result_or_error(format('SELECT gpu_interpolate(t, a, at) IS NOT DISTINCT FROM ARRAY(SELECT value_at(t, a, x) FROM unnest(at) WITH ORDINALITY AS u (x, o) ORDER BY o) %s', arrays)) AS interpolated,
		result_or_error(format('SELECT gpu_time_weighted_avg(t, a) IS NOT DISTINCT FROM mean_value(t, a, false) %s', arrays)) AS locf,
		result_or_error(format('SELECT gpu_time_weighted_avg(t, a, ''Linear'') IS NOT DISTINCT FROM mean_value(t, a, true) %s', arrays)) AS linear
	FROM series_times, series_arrays, format('FROM (SELECT %L::%s[] AS a) AS a,
			LATERAL (SELECT coalesce(array_agg(x ORDER BY x), ''{}'') AS t FROM (SELECT (%s)::%s AS x FROM generate_series(1, cardinality(a)) AS o) AS x) AS t,
			LATERAL (SELECT array_agg(x ORDER BY noise(o::integer)) AS at FROM (
				SELECT t[1 + noise(i) %% cardinality(a)], i FROM generate_series(1, 5) AS i WHERE a <> ''{}''
				UNION ALL SELECT (t[k]::numeric + (t[k + 1]::numeric - t[k]::numeric) * (noise(i) %% 100) / 100)::%4$s, i
				FROM (SELECT i, 1 + noise(-i) %% (cardinality(a) - 1) AS k FROM generate_series(6, 25) AS i WHERE cardinality(a) > 1) AS i
				UNION ALL SELECT NULL, 0) AS x (x, o)) AS at OFFSET 0', a, type, times, time) AS arrays
	WHERE family <> 'boolean' AND sample <> 'two thousand') AS r
GROUP BY kind, time ORDER BY kind;
SELECT gpu_interpolate('{0,10,20}'::integer[], '{1,NULL,3}'::float8[], '[5:6][1:2]={{0,5},{20,21}}') AS shape,
	gpu_interpolate('{0,1}'::real[], '{-0,-0}'::real[], '{-Infinity,0.5,1,NaN}') AS special, gpu_interpolate('{}'::real[], '{}'::smallint[], '{1}') AS no_points,
	gpu_interpolate('{1}'::bigint[], '{9007199254740993}'::bigint[], '{1}') AS rounded, gpu_interpolate('{1}'::integer[], '{1}'::real[], NULL) IS NULL AS "null",
	gpu_interpolate('{1}'::integer[], '{1}'::real[], '{}') AS empty;
SELECT gpu_time_weighted_avg('{0,10,40}'::integer[], '{1,2,100}'::smallint[]) AS locf, gpu_time_weighted_avg('{0,10,40}'::integer[], '{1,2,100}'::smallint[], 'linear'),
	gpu_time_weighted_avg('{1,1}'::bigint[], '{5,6}'::real[]) AS no_time, gpu_time_weighted_avg('{}'::real[], '{}'::real[]) AS no_points,
	gpu_time_weighted_avg('{1,2}'::real[], '{-0,NaN}'::real[]) AS last_is_nothing, gpu_time_weighted_avg('{0,1,2}'::integer[], '{Infinity,-Infinity,0}'::real[]) AS nan,
	gpu_time_weighted_avg('{-1.7e308,1.7e308}'::float8[], '{1.7e308,0}'::float8[]) AS large, gpu_time_weighted_avg('{1,2}'::integer[], '{1,2}'::real[], NULL) AS "null";

-- Arrays out of line, as stored and in memory.
CREATE TABLE series_stored (times bigint[], vals double precision[], holes integer[]);
ALTER TABLE series_stored ALTER times SET STORAGE EXTERNAL, ALTER vals SET STORAGE EXTERNAL, ALTER holes SET STORAGE EXTERNAL;
INSERT INTO series_stored SELECT array_agg(i * 10::bigint ORDER BY i), array_agg(1 + noise(i) % 1000 / 8.0 ORDER BY i),
	array_agg(CASE WHEN noise(-i) % 3 > 0 THEN noise(i) % 5000 END ORDER BY i) FROM generate_series(1, 40000) AS i;
SELECT f, gpu_stored IS NOT DISTINCT FROM gpu_memory AS same FROM series_stored, LATERAL (VALUES
	('locf', gpu_locf(holes)::text, gpu_locf(holes || '{}')::text),
	('rank', gpu_rank(holes)::text, gpu_rank(holes || '{}')::text), ('rank of all', gpu_rank(vals)::text, gpu_rank(vals || '{}')::text),
	('dense', gpu_dense_rank(holes, true)::text, gpu_dense_rank(holes || '{}', true)::text),
	('cume_dist', gpu_cume_dist(vals)::text, gpu_cume_dist(vals || '{}')::text),
	('ntile', gpu_ntile(holes, 7)::text, gpu_ntile(holes || '{}', 7)::text),
	('pct_change', gpu_pct_change(vals)::text, gpu_pct_change(vals || '{}')::text),
	('asof', gpu_asof(times, times)::text, gpu_asof(times || '{}', times || '{}')::text),
	('interpolate', gpu_interpolate(times, holes, times)::text, gpu_interpolate(times || '{}', holes || '{}', times || '{}')::text),
	('average', gpu_time_weighted_avg(times, vals)::text, gpu_time_weighted_avg(times || '{}', vals || '{}')::text)) AS v (f, gpu_stored, gpu_memory);
SELECT gpu_rank(holes) = ARRAY(SELECT rank() OVER (ORDER BY v) FROM unnest(holes) WITH ORDINALITY AS u (v, o) ORDER BY o)::integer[] AS rank FROM series_stored;

-- Errors.
SELECT call, error_of('SELECT ' || call)
FROM unnest(ARRAY['gpu_locf(''{a}''::text[])', 'gpu_rank(''{1}''::integer[], NULL)',
	'gpu_ntile(''{1}''::integer[], 0)', 'gpu_ntile(''{}''::real[], -2147483648)', 'gpu_ntile(''{1}''::integer[], NULL)',
	'gpu_ntile(''{1}''::integer[], 2, NULL)', 'gpu_asof(''{2,1}''::integer[], ''{1}'')', 'gpu_asof(''{2,1}''::integer[], ''{}'')', 'gpu_interpolate(''{2,1}''::integer[], ''{1,2}''::double precision[], ''{}'')', 'gpu_asof(''{1,NULL}''::real[], ''{1}'')',
	'gpu_asof(''{NaN,1}''::real[], ''{1}'')', 'gpu_asof(''{{1}}''::integer[], ''{1}'')',
	'gpu_pct_change(''{1,0,NULL,0,2}''::integer[])', 'gpu_pct_change(''{1,-0,Infinity}''::real[])', 'gpu_pct_change(''{1,1e-300,-1e300}''::float8[])',
	'gpu_pct_change(''{1}''::numeric[])', 'gpu_interpolate(''{1,2}''::integer[], ''{1}''::real[], ''{1}'')', 'gpu_interpolate(''{2,1}''::integer[], ''{1,NULL}''::real[], ''{1}'')',
	'gpu_interpolate(''{1,Infinity}''::real[], ''{1,2}''::real[], ''{1}'')', 'gpu_interpolate(''{1,NULL}''::real[], ''{1,2}''::real[], ''{1}'')',
	'gpu_interpolate(''{{1}}''::real[], ''{1}''::real[], ''{1}'')', 'gpu_interpolate(''{1}''::integer[], ''{1}''::numeric[], ''{1}'')',
	'gpu_interpolate(''{1}''::numeric[], ''{1}''::real[], ''{1}'')', 'gpu_interpolate(''{t}''::boolean[], ''{1}''::real[], ''{t}'')',
	'gpu_interpolate(''{a}''::text[], ''{1}''::real[], ''{a}'')', 'gpu_time_weighted_avg(''{1,2}''::integer[], ''{1,2}''::real[], ''cubic'')',
	'gpu_time_weighted_avg(''{1,2}''::integer[], ''{1}''::real[])', 'gpu_time_weighted_avg(''{-Infinity,2}''::float8[], ''{1,2}''::real[])',
	'gpu_time_weighted_avg(''{NaN}''::float8[], ''{1}''::real[])', 'gpu_time_weighted_avg(''{2,1}''::integer[], ''{1,2}''::integer[])']) AS call;
