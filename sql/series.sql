-- Series, and ranks of elements, against SQL over unnest.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- Arrays of all samples, and of what is special of a type.
CREATE TABLE series (type text, family text, sample text, a text);
DO $$
DECLARE
	t types;
BEGIN
	FOR t IN SELECT * FROM types LOOP
		EXECUTE format('INSERT INTO series SELECT %L, %L, sample, array_agg(v ORDER BY i)::text
			FROM (SELECT sample, i, %s AS v FROM samples) AS s GROUP BY sample', t.type, t.family, t.value);
		-- many equals
		EXECUTE format('INSERT INTO series SELECT %L, %L, ''few values'', array_agg(%s ORDER BY i)::text
			FROM (SELECT i, CASE WHEN noise(-i) %% 5 > 0 THEN noise(i) %% 7 - 3 END AS k FROM generate_series(1, 300) AS i) AS s',
			t.type, t.family, t.value);
		INSERT INTO series VALUES (t.type, t.family, 'empty', '{}');
	END LOOP;
	INSERT INTO series SELECT type, family, 'special', CASE
			WHEN family = 'float' THEN '{NULL,NaN,Infinity,-Infinity,-0,0,NULL,1,NaN,5,-0,NULL,NULL,-Infinity,Infinity,0,1}'
			WHEN type = 'smallint' THEN '{-32768,32767,NULL,-32768,0,32767}'
			WHEN type = 'integer' THEN '{-2147483648,2147483647,NULL,-2147483648,0,2147483647}'
			ELSE '{-9223372036854775808,9223372036854775807,NULL,-9223372036854775808,0,9223372036854775807}' END
		FROM types WHERE type <> 'boolean';
END $$;

-- The result, or the error without its detail.
CREATE FUNCTION series_or_error(query text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	result text;
BEGIN
	EXECUTE query INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;

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
			series_or_error(format('SELECT %s FROM (SELECT a, some_times(a) AS times FROM (SELECT %L::%s[] AS a) AS s OFFSET 0) AS s', replace(call, 'TYPE', type), a, type)) AS got,
			series_or_error(format('SELECT coalesce(array_agg(r ORDER BY o), ''{}'') FROM (SELECT o, %s AS r
				FROM (SELECT a, o, times, lag(a) OVER (ORDER BY o) AS before, count(a) OVER (ORDER BY o) AS g
					FROM (SELECT whole, some_times(whole) AS times FROM (SELECT %L::%s[] AS whole) AS s OFFSET 0) AS s,
						unnest(whole) WITH ORDINALITY AS u (a, o)) AS u) AS r', replace(expression, 'TYPE', type), a, type)) AS wanted
		FROM series WHERE family = ANY (families)) AS r
$$;

-- The last value carried forward.
SELECT compare_series('gpu_locf(a)', 'CASE WHEN g > 0 THEN first_value(a) OVER (PARTITION BY g ORDER BY o) END', '{integer, float, boolean}') AS locf,
	gpu_locf('[5:6][1:2]={{NULL,2},{NULL,4}}'::integer[]), gpu_locf('{NULL,NULL}'::real[]) AS none, gpu_locf(NULL::integer[]) IS NULL AS "null";

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

-- Errors.
SELECT call, error_of('SELECT ' || call)
FROM unnest(ARRAY['gpu_locf(''{1}''::numeric[])', 'gpu_locf(''{a}''::text[])', 'gpu_rank(''{1}''::numeric[])', 'gpu_rank(''{1}''::integer[], NULL)',
	'gpu_ntile(''{1}''::integer[], 0)', 'gpu_ntile(''{}''::real[], -2147483648)', 'gpu_ntile(''{1}''::integer[], NULL)', 'gpu_ntile(''{1}''::numeric[], 2)',
	'gpu_ntile(''{1}''::integer[], 2, NULL)', 'gpu_asof(''{2,1}''::integer[], ''{1}'')', 'gpu_asof(''{1,NULL}''::real[], ''{1}'')',
	'gpu_asof(''{NaN,1}''::real[], ''{1}'')', 'gpu_asof(''{{1}}''::integer[], ''{1}'')', 'gpu_asof(''{1}''::numeric[], ''{1}'')']) AS call;
