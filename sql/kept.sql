-- Aggregates that keep a group's values, of any number type: as the built-in
-- ones and those of arrays, in every plan.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- In how many of the readings' groups two expressions are equal, for each type.
CREATE FUNCTION same_in_groups(ours text, built_in text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	c text;
	groups bigint;
	equal bigint;
	result text := '';
BEGIN
	FOREACH c IN ARRAY '{s, n, b, r, d}'::text[] LOOP
		EXECUTE format('SELECT count(*), count(*) FILTER (WHERE o IS NOT DISTINCT FROM b)
			FROM (SELECT (%s)::text AS o, (%s)::text AS b FROM readings
				GROUP BY GROUPING SETS ((grp), (grp / 9), (),
					(CASE WHEN grp <= 6 AND i <= 50 THEN grp * 1000 + i END))) AS g',
			replace(ours, 'COLUMN', c), replace(built_in, 'COLUMN', c))
		INTO groups, equal;
		result := concat_ws(', ', nullif(result, ''),
			format('%s: %s of %s', c, equal, groups));
	END LOOP;
	RETURN result;
END
$$;

-- Percentiles
CREATE TABLE fractions (f text);
INSERT INTO fractions VALUES ('ARRAY[0.1, 0.5, NULL, 1/3.0]'), ('''{{0, 1}, {0.25, 0.75}}''::float8[]'),
	('''[3:5]={0.99, 0.01, 0.5}''::float8[]'), ('''{}''::float8[]'), ('''{NULL}''::float8[]'), ('NULL::float8[]');
SELECT f, same_in_groups(replace('gpu_percentile_cont(COLUMN, F)', 'F)', f || ')'),
	replace('gpu_percentile_cont(array_agg(COLUMN), F)', 'F)', f || ')')) FROM fractions;
SELECT same_in_groups('gpu_percentile_cont(COLUMN, ARRAY[0.1, 0.5, 0.99])',
	'nullif(ARRAY[gpu_percentile_cont(COLUMN, 0.1), gpu_median(COLUMN), gpu_percentile_cont(COLUMN, 0.99)], ''{NULL,NULL,NULL}'')')
	AS one_by_one;
SELECT f, same_in_groups(replace('gpu_percentile_disc(COLUMN, F)', 'F)', f || ')'),
	format('percentile_disc(%s) WITHIN GROUP (ORDER BY COLUMN)', f)) FROM fractions;
SELECT same_in_groups('gpu_percentiles_disc(COLUMN, ''{0.2,1}'')', 'gpu_percentile_disc(COLUMN, ARRAY[0.2, 1])') AS disc,
	same_in_groups('gpu_percentiles_cont(COLUMN, ''{0.2,1}'')', 'gpu_percentile_cont(COLUMN, ARRAY[0.2, 1])') AS cont;
DROP TABLE fractions;
-- a quoted fraction is one
SELECT gpu_percentile_cont(v, '0.5'), gpu_percentile_cont(v, ARRAY[0.5]), gpu_percentiles_disc(v, '{0.5}'),
	gpu_percentile_disc(v, '0.5'), pg_typeof(gpu_percentile_disc(v, 0.5)), gpu_percentile_cont(v, ARRAY[0.5]) FILTER (WHERE v > 1) AS filtered,
	gpu_percentile_cont(DISTINCT v, ARRAY[0.5]) AS of_different
FROM (VALUES (1), (4), (1)) AS t (v);
SELECT gpu_percentile_disc(v, ARRAY[0.5]), gpu_percentile_cont(v, ARRAY[7]) FROM (SELECT 1::real AS v) AS t WHERE v = 2;
SELECT gpu_percentile_disc(v, ARRAY[0.5, 0.1]), gpu_percentile_cont(v, ARRAY[7]) FROM (VALUES (NULL::int), (NULL)) AS t (v);
CREATE DOMAIN length AS integer CHECK (VALUE > 0);
SELECT gpu_percentile_disc(v::length, ARRAY[0.5]), gpu_percentile_cont(v::length, ARRAY[0.5]) FROM generate_series(1, 4) AS v;
DROP DOMAIN length;
SELECT call, error_of(format('SELECT %s FROM (VALUES (1), (2)) AS t (v)', call))
FROM unnest('{"gpu_percentile_cont(v, ARRAY[0.5, 1.5])", "gpu_percentile_disc(v, ARRAY[''NaN''::float8])",
	"gpu_percentile_cont(v, ARRAY[v / 10.0])", "gpu_percentile_cont(v, CASE v WHEN 1 THEN ARRAY[0.5] END)",
	"gpu_percentile_cont(v, CASE v WHEN 2 THEN ARRAY[0.5] END)",
	"gpu_percentile_cont(v::numeric, ARRAY[1.5])", "gpu_percentile_disc(v::text, ARRAY[0.5])"}'::text[]) AS call;
SELECT gpu_percentile_cont(n::numeric, ARRAY[1.5]) FROM readings WHERE false;
SET work_mem = '64kB';
SELECT error_of('SELECT gpu_percentile_cont(i::smallint, ARRAY[0.1]) FROM generate_series(1, 2200000) AS j, LATERAL (SELECT j % 10 AS i) AS s');
RESET work_mem;

-- Descriptions
SELECT same_in_groups('gpu_describe(COLUMN)', 'gpu_describe(array_agg(COLUMN))') AS of_arrays;
SELECT count(*), count(*) FILTER (WHERE (d).count = values AND (d).nulls = rows - values AND (d).min = least AND (d).max = greatest
	AND (d).sum = sum AND (d).avg = avg AND (d).stddev = stddev AND (d).median = median AND ARRAY[(d).p25, (d).p75] = quartiles) AS as_built_in
FROM (SELECT gpu_describe(n) AS d, count(*) AS rows, count(n) AS values, min(n) AS least, max(n) AS greatest, sum(n) AS sum, avg(n) AS avg,
	stddev(n) AS stddev, percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS median,
	percentile_cont('{0.25, 0.75}'::float8[]) WITHIN GROUP (ORDER BY n) AS quartiles FROM readings GROUP BY grp, i / 10) AS t
WHERE values > 1;
SELECT (gpu_describe(v)).* FROM (VALUES (1::real), (NULL), ('NaN'), (4), ('-0'), ('NaN')) AS t (v);
SELECT gpu_describe(v) FILTER (WHERE v > 1), gpu_describe(v) FILTER (WHERE v > 2) AS none, gpu_describe(NULL::integer) AS nulls,
	pg_typeof(gpu_describe(v)) FROM (VALUES (1::bigint), (2)) AS t (v);
SELECT gpu_describe(1.5) AS of_numeric;

-- The greatest and the least
SELECT k, largest, same_in_groups(format('gpu_topk(COLUMN, %s, %L)', k, largest), format('gpu_topk(array_agg(COLUMN), %s, %L)', k, largest)) AS of_arrays,
	same_in_groups(format('gpu_topk(COLUMN, %s, %L)', k, largest),
		format('coalesce((array_agg(COLUMN ORDER BY COLUMN %s) FILTER (WHERE COLUMN IS NOT NULL))[:%s], ''{}'')',
			CASE WHEN largest THEN 'DESC' END, k)) AS in_order
FROM unnest('{0, 1, 7, 2147483647}'::int[]) AS k, unnest('{t, f}'::bool[]) AS largest;
SELECT gpu_topk(v, 3), gpu_topk(v, 3, false) AS least, gpu_topk(v, 2) FILTER (WHERE v < 0) AS zeros, gpu_topk(DISTINCT v, 3) AS of_different,
	gpu_topk(v::real, 3) AS reals, float8send((gpu_topk(v, 1))[1]) AS nan
FROM unnest('{1, 0, -0, NaN, NaN, Infinity, -Infinity, NULL}'::float8[]) AS v;
SELECT gpu_topk(v, 5)::text = gpu_topk(array_agg(v), 5)::text AS greatest, gpu_topk(v, 5, false)::text = gpu_topk(array_agg(v), 5, false)::text AS least
FROM unnest('{0, -0, 0, -0, 0, -0, 0, -0}'::float8[]) AS v;
SELECT gpu_topk(v, 2), gpu_topk(NULL::int, 2) AS nulls FROM (VALUES (1)) AS t (v) WHERE v = 2;
SELECT gpu_topk(NULL::int, 2) AS nulls FROM (VALUES (1)) AS t (v);
SELECT call, error_of(format('SELECT %s FROM (VALUES (1), (2)) AS t (v)', call))
FROM unnest('{"gpu_topk(v, -1)", "gpu_topk(v, NULL)", "gpu_topk(v, 1, NULL)", "gpu_topk(v, v)", "gpu_topk(v, 1, v = 1)", "gpu_topk(v::numeric, -1)",
	"gpu_topk(v::text, 1)"}'::text[]) AS call;
-- of many rows it keeps few
SET work_mem = '64kB';
SELECT gpu_topk(i, 3), gpu_topk(i % 1000, 3, false) AS least, error_of('SELECT gpu_topk(i, 5000000) FROM generate_series(1, 2200000) AS i')
FROM generate_series(1, 2200000) AS i;
RESET work_mem;

-- What another column has at the extremes; of several, the least
SELECT same_in_groups('gpu_argmax(COLUMN, i)', '(array_agg(i ORDER BY COLUMN DESC, i) FILTER (WHERE COLUMN IS NOT NULL))[1]') AS argmax,
	same_in_groups('gpu_argmin(COLUMN, i)', '(array_agg(i ORDER BY COLUMN, i) FILTER (WHERE COLUMN IS NOT NULL))[1]') AS argmin;
SELECT gpu_argmax(v, p), gpu_argmin(v, p), gpu_argmax(v, p::numeric) AS numeric, gpu_argmax(v, ARRAY[p, 'x']) AS array, gpu_argmax(v, ROW(p, v)) AS row,
	gpu_argmax(v, to_jsonb(p)) AS jsonb, gpu_argmax(v, json_build_object('p', p)) AS json, gpu_argmax(v, point(0, p::float8)) AS point,
	pg_typeof(gpu_argmin(v, p::varchar(9)))
FROM (VALUES (1, '10'), (3, '7'), (NULL, '1'), (3, '30'), (1, NULL)) AS t (v, p);
SELECT gpu_argmax(v, p) AS of_null, gpu_argmax(v, n) AS scales, gpu_argmax(0, n) AS all_equal, gpu_argmin(v, n) FILTER (WHERE v > 9) AS none, gpu_argmax(NULL::real, n) AS nulls
FROM (VALUES (1, 'a', 1.00), (2, NULL, 2.0), (2, NULL, 2.000), (2, NULL, 2.00)) AS t (v, p, n);
SELECT gpu_argmax(v, p), gpu_argmin(v, p), gpu_argmax(v, p) FILTER (WHERE v = 0) AS zero, gpu_argmin(v, p) FILTER (WHERE v = 0) AS negative_zero
FROM (VALUES ('NaN'::float8, 'nan'), ('Infinity', 'infinity'), (0, 'zero'), ('-0', 'negative zero'), (-1, 'negative')) AS t (v, p);
SELECT gpu_argmax(1.5, 2) AS of_numeric;
CREATE TABLE large_payload AS SELECT i AS v, repeat(md5(i::text), 3000) AS p FROM generate_series(1, 20) AS i;
SELECT gpu_argmax(v, p) = repeat(md5('20'), 3000) AS large, gpu_argmin(v / 2, p) = repeat(md5('1'), 3000) AS least FROM large_payload;
DROP TABLE large_payload;
-- frames that grow
SELECT count(*), count(*) FILTER (WHERE a IS NOT DISTINCT FROM b) AS equal
FROM (SELECT gpu_argmax(n, i::text) OVER w AS a,
		(SELECT i::text FROM readings AS q WHERE q.grp = readings.grp AND q.i <= readings.i AND n IS NOT NULL ORDER BY n DESC, i::text LIMIT 1) AS b
	FROM readings WHERE grp <= 7 WINDOW w AS (PARTITION BY grp ORDER BY i)) AS t;

-- In every plan the same.
CREATE TABLE in_plans (plan text, grp integer, answer text);
\set columns 'grp, ROW(gpu_percentile_cont(d, ARRAY[0.3, 0.9]), gpu_percentile_disc(s, ARRAY[0.3]), gpu_percentile_cont(b, ARRAY[0.5]), gpu_describe(r), gpu_describe(b), gpu_topk(d, 9), gpu_topk(s, 9, false), gpu_argmax(s / 100, i::text), gpu_argmin(d, i), gpu_argmin(b, ROW(i, n)))::text'
INSERT INTO in_plans SELECT 'plain', :columns FROM readings GROUP BY grp;
SET enable_hashagg = off;
INSERT INTO in_plans SELECT 'sorted', :columns FROM readings GROUP BY grp;
RESET enable_hashagg;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TABLE spread AS SELECT * FROM readings;
ALTER TABLE spread SET (parallel_workers = 2);
ANALYZE spread;
EXPLAIN (COSTS OFF) SELECT gpu_percentile_cont(d, ARRAY[0.3]) FROM spread;
INSERT INTO in_plans SELECT 'parallel', :columns FROM spread GROUP BY grp;
CREATE TABLE merged AS SELECT :columns AS answer FROM spread GROUP BY grp;
INSERT INTO in_plans SELECT 'parallel, written', grp, answer FROM merged;
SELECT error_of('SELECT gpu_percentile_cont(n, ARRAY[i / 150.0]) FROM spread') AS differs;
SET max_parallel_workers_per_gather = 0;
INSERT INTO in_plans SELECT DISTINCT ON (grp) 'window', grp, ROW(gpu_percentile_cont(d, ARRAY[0.3, 0.9]) OVER w,
	gpu_percentile_disc(s, ARRAY[0.3]) OVER w, gpu_percentile_cont(b, ARRAY[0.5]) OVER w, gpu_describe(r) OVER w, gpu_describe(b) OVER w, gpu_topk(d, 9) OVER w, gpu_topk(s, 9, false) OVER w,
	gpu_argmax(s / 100, i::text) OVER w, gpu_argmin(d, i) OVER w, gpu_argmin(b, ROW(i, n)) OVER w)::text
FROM readings WINDOW w AS (PARTITION BY grp);
SELECT plan, count(*), count(*) FILTER (WHERE answer = (SELECT answer FROM in_plans AS p WHERE plan = 'plain' AND p.grp = in_plans.grp)) AS equal
FROM in_plans GROUP BY plan ORDER BY plan;
DROP TABLE in_plans, merged;

-- The functions that they are made of, called directly: they do not modify their
-- arguments, and refuse what is not a state.
SELECT _gpu_percentiles_cont_final(_gpu_percentiles_cont_collect(s, 5, ARRAY[0.5]), 1, NULL) AS more,
	_gpu_percentiles_cont_final(_gpu_collected_merge(s, s), 1, NULL) AS merged, _gpu_percentiles_disc_final(s, 1, NULL) AS itself
FROM (SELECT _gpu_percentiles_cont_collect(_gpu_percentiles_cont_collect(NULL, 1, ARRAY[0.5]), 4, ARRAY[0.5]) AS s) AS t;
SELECT _gpu_topk_final(_gpu_topk_collect(s, 9, 2), 1, 2) AS more, _gpu_topk_final(_gpu_topk_merge(s, s), 1, 2) AS merged, _gpu_topk_final(s, 1, 2) AS itself
FROM (SELECT _gpu_topk_collect(_gpu_topk_collect(NULL, 1, 2), 7, 2) AS s) AS t;
CREATE FUNCTION kept_state(fractions float8[], more integer) RETURNS bytea LANGUAGE sql AS
$$ SELECT _gpu_percentiles_cont_collect(_gpu_percentiles_cont_collect(NULL, 1, fractions), more, fractions) $$;
SELECT error_of('SELECT _gpu_percentiles_cont_collect(kept_state(ARRAY[0.5], 2), 5::bigint, ARRAY[0.5])') AS other_type,
	error_of('SELECT _gpu_percentiles_cont_final(kept_state(ARRAY[0.5], 2), 5::real, NULL)') AS final,
	error_of('SELECT _gpu_collected_merge(kept_state(ARRAY[0.5], 2), kept_state(ARRAY[0.6], 2))') AS merge;
-- every byte of a state changed, cut anywhere: a result or an error, and the server lives
SELECT count(*) > 1000 AS tried, count(*) FILTER (WHERE outcome !~ '^(no error$|22...: |53400: |54000: )') AS other
FROM (SELECT error_of(format('SELECT %s', replace(call, '@', quote_literal(forged) || '::bytea'))) AS outcome
	FROM (SELECT kept_state(ARRAY[0.5, NULL], 2) AS s UNION ALL SELECT kept_state(NULL, 2)
			UNION ALL SELECT _gpu_topk_collect(_gpu_topk_collect(NULL, 1, 2), 7, 2)) AS t,
		LATERAL (SELECT set_byte(s, i, x) AS forged FROM generate_series(0, length(s) - 1) AS i, unnest('{0,1,127,128,255}'::int[]) AS x
			UNION ALL SELECT substr(s, 1, i) FROM generate_series(0, length(s) - 1) AS i) AS f,
		unnest('{"_gpu_percentiles_cont_final(@, 1, NULL)", "_gpu_collected_merge(@, @)", "_gpu_describe_final(@, 1)", "_gpu_describe_collect(@, 1)",
			"_gpu_topk_collect(@, 3, 2)", "_gpu_topk_merge(@, @)", "_gpu_topk_final(@, 1, 2)", "_gpu_percentiles_cont_collect(@, 1, ARRAY[0.5, NULL])"}'::text[]) AS call) AS o;
DROP FUNCTION kept_state, same_in_groups;
DROP TABLE spread;
RESET ALL;
