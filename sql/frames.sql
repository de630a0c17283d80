-- Aggregates over frames that move: at each row what the plain aggregate gives for
-- the rows of the frame, to the last bit.
SET extra_float_digits = 1;
SET TimeZone = 'UTC';
SET jit = off;

-- Rows with ties, NULLs and special values, at times of which several rows have
-- the same.  Of group 2 a value is NULL more often than not; group 3 has one row.
CREATE TABLE framed AS
SELECT *, gpu_stats(ARRAY[d, r]) AS stats FROM (SELECT grp, i, dense_rank() OVER (PARTITION BY grp ORDER BY at) AS peers, at, n, n::smallint AS s, (n - 3) * 1000000007::bigint * 1000000007 AS b,
	CASE n WHEN 0 THEN float8 '-0' WHEN 1 THEN 0 WHEN 2 THEN 'NaN' WHEN 3 THEN 'Infinity' WHEN 4 THEN '-Infinity' WHEN 5 THEN 5e-324
		WHEN 6 THEN 1e100 WHEN 7 THEN -1e100 ELSE n * 0.1 END AS d,
	CASE n WHEN 0 THEN real '-0' WHEN 1 THEN 0 WHEN 2 THEN 'NaN' WHEN 8 THEN 1e30 ELSE n * 0.1 END AS r, noise(-i) / 1e6::float8 AS v,
	CASE WHEN n = 2 AND i > 50 THEN numeric 'NaN' ELSE round(n / 4.0, i % 4 + 2) * CASE WHEN i % 3 = 0 THEN 1.0 ELSE 1 END END AS m,
	date '2026-01-01' + n AS day, n % 4 > 0 AS t, CASE WHEN n % 5 > 0 THEN 'p' || n % 3 END AS p, CASE WHEN i % 9 <> 4 THEN ARRAY[n, NULL, i]::bigint[] END AS counts
FROM generate_series(1, 3) AS grp, generate_series(1, 80) AS i,
	LATERAL (SELECT timestamp '2026-01-01' + noise(grp + i) % 3 * i * interval '1 min' AS at,
		CASE WHEN noise(i * 7 + grp) % (CASE grp WHEN 2 THEN 2 ELSE 8 END) > 0 THEN noise(i * 31 + grp) % 12 END AS n) AS o
WHERE grp < 3 OR i = 1) AS r;

CREATE TABLE calls (call text);
INSERT INTO calls
SELECT format('%s(%s)', name, argument)
FROM unnest('{gpu_count, gpu_min, gpu_max, gpu_median, gpu_mode, gpu_count_distinct}'::text[]) AS name,
	unnest('{n, s, b, r, d, v, m, at, day}'::text[]) AS argument
UNION ALL SELECT format('%s(%s)', name, argument)
FROM unnest('{gpu_sum, gpu_avg, gpu_var_pop, gpu_stddev, gpu_describe}'::text[]) AS name, unnest('{n, b, d, v, m}'::text[]) AS argument
UNION ALL SELECT format('%s(%s, %s)', name, argument, p)
FROM unnest('{gpu_percentile_cont, gpu_percentile_disc}'::text[]) AS name, unnest('{n, b, r, d, v, m}'::text[]) AS argument,
	unnest(ARRAY['0', '0.3', '1', 'NULL', '''{0.1, NULL, 0.9}''::float8[]', 'NULL::float8[]']) AS p
UNION ALL SELECT format('gpu_topk(%s, %s, %s)', argument, k, largest)
FROM unnest('{s, d, m, day}'::text[]) AS argument, unnest('{0, 1, 3, 1000}'::int[]) AS k, unnest('{true, false}'::text[]) AS largest
UNION ALL SELECT format('%s(%s)', name, argument)
FROM unnest('{gpu_bit_and, gpu_bit_or, gpu_bit_xor}'::text[]) AS name, unnest('{n, s, b}'::text[]) AS argument
UNION ALL SELECT format('gpu_stats_agg(%s)', argument) FROM unnest('{n, s, b, r, d, v}'::text[]) AS argument
UNION ALL SELECT format('%s(%s, %s)', name, argument, payload)
FROM unnest('{gpu_argmin, gpu_argmax}'::text[]) AS name, unnest('{n, d, m, day}'::text[]) AS argument, unnest('{p, i, ARRAY[p]}'::text[]) AS payload
UNION ALL SELECT format('%s(%s, %s)', name, value, time)
FROM unnest('{gpu_first, gpu_last}'::text[]) AS name, unnest('{p, d, m}'::text[]) AS value, unnest('{at, i, n, m}'::text[]) AS time
UNION ALL SELECT unnest(ARRAY['gpu_bool_and(t)', 'gpu_bool_or(t)', 'gpu_percentile_disc(day, 0.3)', 'gpu_percentile_disc(at, ''{0.2, 0.8}''::float8[])', 'gpu_topk(at, 2)',
	'gpu_corr(n, i)', 'gpu_covar_samp(v, n)', 'gpu_regr_slope(v, i)', 'gpu_weighted_avg(n, v)', 'gpu_histogram(n, 0, 12, 4)', 'gpu_histogram(v, 200, 0, 7)',
	'gpu_histogram(m, 0, 3, 5)', 'gpu_histogram(day, ''2026-01-01'', ''2026-01-13'', 6)', 'gpu_histogram2d(n, v, 0, 12, 3, 0, 300, 2)',
	'gpu_weighted_histogram(n, v, 0, 12, 4)', 'gpu_weighted_histogram(v, d, 0, 300, 3)', 'gpu_rollup(stats)', 'gpu_array_sum(counts)']);
SELECT count(*) FROM calls;

-- Which of the calls differ over a frame from the plain aggregates of its rows: those
-- rows r that belong to the frame of row o.
CREATE FUNCTION compare_frame(frame text, belongs text, clause text DEFAULT '', OUT rows bigint, OUT different text) LANGUAGE plpgsql SET gpuscan.engine = cpu AS
$$
DECLARE
	results text := (SELECT 'ARRAY[' || string_agg(format('(%s%s%%s)::text', call, clause), ', ' ORDER BY call) || ']' FROM calls);
	found bigint[];
BEGIN
	EXECUTE format('WITH given AS MATERIALIZED (SELECT grp, i, %s AS a FROM framed WINDOW w AS (PARTITION BY grp ORDER BY %s)),
		wanted AS MATERIALIZED (SELECT grp, i, (SELECT %s FROM framed AS r WHERE r.grp = o.grp AND %s) AS a FROM framed AS o)
		SELECT (SELECT count(*) FROM given), (SELECT array_agg(DISTINCT ord) FROM given JOIN wanted USING (grp, i),
			LATERAL ROWS FROM (unnest(given.a), unnest(wanted.a)) WITH ORDINALITY AS e (g, w, ord) WHERE g IS DISTINCT FROM w)',
		replace(results, '%s', ' OVER w'), frame, replace(results, '%s', ''), belongs) INTO rows, found;
	different := (SELECT string_agg(call, '; ' ORDER BY call) FROM (SELECT call, row_number() OVER (ORDER BY call) AS ord FROM calls) AS c WHERE ord = ANY (found));
END
$$;
SELECT p, f, c.*
FROM (VALUES (0, 0), (1, 0), (7, 2), (30, 30), (200, 0)) AS o (p, f),
	compare_frame(format('i ROWS BETWEEN %s PRECEDING AND %s FOLLOWING', p, f), format('r.i BETWEEN o.i - %s AND o.i + %s', p, f)) AS c;
-- ahead and behind, which are empty for some rows; those that do not move, or end
SELECT * FROM compare_frame('i ROWS BETWEEN 9 PRECEDING AND 3 PRECEDING', 'r.i BETWEEN o.i - 9 AND o.i - 3')
UNION ALL SELECT * FROM compare_frame('i ROWS BETWEEN 2 FOLLOWING AND 5 FOLLOWING', 'r.i BETWEEN o.i + 2 AND o.i + 5')
UNION ALL SELECT * FROM compare_frame('i ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'r.i >= o.i')
UNION ALL SELECT * FROM compare_frame('i ROWS UNBOUNDED PRECEDING', 'r.i <= o.i');
-- times and peers
SELECT * FROM compare_frame('at RANGE BETWEEN interval ''1 hour'' PRECEDING AND CURRENT ROW', 'r.at BETWEEN o.at - interval ''1 hour'' AND o.at')
UNION ALL SELECT * FROM compare_frame('at RANGE BETWEEN interval ''9 min'' PRECEDING AND interval ''2 min'' FOLLOWING', 'r.at BETWEEN o.at - interval ''9 min'' AND o.at + interval ''2 min''')
UNION ALL SELECT * FROM compare_frame('at GROUPS BETWEEN 2 PRECEDING AND 1 FOLLOWING', 'r.peers BETWEEN o.peers - 2 AND o.peers + 1');
-- rows that are left out
SELECT * FROM compare_frame('i ROWS BETWEEN 6 PRECEDING AND 6 FOLLOWING EXCLUDE CURRENT ROW', 'r.i BETWEEN o.i - 6 AND o.i + 6 AND r.i <> o.i')
UNION ALL SELECT * FROM compare_frame('at RANGE BETWEEN interval ''5 min'' PRECEDING AND CURRENT ROW EXCLUDE TIES',
	'r.at BETWEEN o.at - interval ''5 min'' AND o.at AND (r.at <> o.at OR r.i = o.i)')
UNION ALL SELECT * FROM compare_frame('i ROWS 7 PRECEDING', 'r.i BETWEEN o.i - 7 AND o.i', ' FILTER (WHERE i % 3 > 0 AND at IS NOT NULL)');

-- Only aggregates that refuse their argument start over at each row of a frame.
SELECT aggfnoid::regprocedure AS starts_over FROM pg_aggregate JOIN pg_proc ON oid = aggfnoid
WHERE proname LIKE 'gpu\_%' AND aggminvtransfn = 0 AND aggtransfn <> '_gpuscan_numeric_aggregate(numeric, numeric)'::regprocedure ORDER BY 1::text;

-- Window functions with frames of their own: as the aggregates, and the functions of arrays
CREATE FUNCTION compare_moving(p integer, f integer, OUT rows bigint, OUT different text) LANGUAGE plpgsql SET gpuscan.engine = cpu AS
$$
DECLARE
	call text;
	differences bigint;
BEGIN
	FOR call IN SELECT format('median(%s', argument) FROM unnest('{n, s, b, r, d, v, m}'::text[]) AS argument
			UNION ALL SELECT format('percentile_%s(%s, %s', kind, argument, fraction)
			FROM unnest('{cont, disc}'::text[]) AS kind, unnest('{n, s, b, r, d, v, m}'::text[]) AS argument, unnest('{0, 0.3, 1, NULL::float8}'::text[]) AS fraction
			UNION ALL SELECT unnest('{"percentile_disc(at, 0.7","percentile_disc(day, 0.7","corr(d, n","corr(v, i","corr(m, v","corr(n, n"}'::text[]) LOOP
		EXECUTE format('SELECT count(*), count(*) FILTER (WHERE a::text IS DISTINCT FROM b::text) FROM (
			SELECT gpu_moving_%1$s, %2$s, %3$s) OVER w AS a, gpu_%1$s) OVER (w ROWS BETWEEN %2$s PRECEDING AND %3$s FOLLOWING) AS b
			FROM framed WINDOW w AS (PARTITION BY grp ORDER BY i)) AS r', call, p, f) INTO rows, differences;
		IF differences > 0 THEN
			different := concat_ws('; ', different, call);
		END IF;
	END LOOP;
END
$$;
SELECT p, f, c.* FROM (VALUES (0, 0), (1, 0), (7, 2), (0, 5), (200, 200)) AS o (p, f), compare_moving(p, f) AS c;
SET gpuscan.engine = cpu;
SELECT count(*), count(*) FILTER (WHERE medians::text = gpu_moving_median(ds, 7, 2)::text) AS medians,
	count(*) FILTER (WHERE percentiles::text = gpu_moving_percentile_cont(vs, 0.2, 7, 2)::text) AS percentiles,
	count(*) FILTER (WHERE correlations::text = gpu_moving_corr(vs, ns, 7, 2)::text) AS correlations
FROM (SELECT array_agg(d ORDER BY i) AS ds, array_agg(v ORDER BY i) AS vs, array_agg(n::float8 ORDER BY i) AS ns,
		array_agg(median ORDER BY i) AS medians, array_agg(percentile ORDER BY i) AS percentiles, array_agg(correlation ORDER BY i) AS correlations
	FROM (SELECT *, gpu_moving_median(d, 7, 2) OVER w AS median, gpu_moving_percentile_cont(v, 0.2, 7, 2) OVER w AS percentile,
			gpu_moving_corr(v, n, 7, 2) OVER w AS correlation
		FROM framed WINDOW w AS (PARTITION BY grp ORDER BY i)) AS f
	GROUP BY grp) AS g;
RESET gpuscan.engine;
-- the fraction may be that of the row
SELECT v, gpu_moving_percentile_cont(v, (v - 1) / 3.0, 3, 3) OVER () AS all_of_them FROM (VALUES (1), (2), (3), (4)) AS t (v);
SELECT call, error_of(format('SELECT %s OVER () FROM (VALUES (1), (2)) AS t (v)', call))
FROM unnest(ARRAY['gpu_moving_median(v, -1)', 'gpu_moving_median(v, v)', 'gpu_moving_percentile_cont(v, 1.5, 1)', 'gpu_moving_percentile_disc(NULL::int, -0.1, 1)',
	'gpu_moving_percentile_disc(v, 0.5, 1, NULL)', 'gpu_moving_corr(v, v, -1)', 'gpu_moving_median(''x''::text, 1)']) AS call;
SELECT count(m), count(c), count(d) FROM (SELECT gpu_moving_median(NULL::float8, 3) OVER w AS m, gpu_moving_corr(v, NULL, 3) OVER w AS c,
	gpu_moving_percentile_disc(v, NULL, 3) OVER w AS d FROM (VALUES (1), (2)) AS t (v) WINDOW w AS ()) AS r;

-- the bounds are those of the first array
SELECT i, gpu_array_sum(a) OVER (ORDER BY i ROWS 1 PRECEDING) FROM (VALUES (1, '[3:4]={1,2}'::bigint[]), (2, '{1,NULL}'), (3, NULL), (4, '{0,6}'), (5, '{9223372036854775807,-6}'),
	(6, '{0,6}'), (7, NULL), (8, '{1}')) AS t (i, a);
SELECT error_of(format('SELECT gpu_array_sum(a) OVER (ROWS 1 PRECEDING) FROM (VALUES (''{9223372036854775807}''::bigint[]), (%L)) AS t (a)', a)) FROM unnest('{"{1}","{1,2}"}'::text[]) AS a;
-- Parameters must be those of all rows of a frame.
SELECT call, error_of(format('SELECT %s OVER (ORDER BY v ROWS 1 PRECEDING) FROM (VALUES (1), (2), (3)) AS t (v)', call))
FROM unnest(ARRAY['gpu_percentile_cont(v, v / 4.0)', 'gpu_percentile_disc(v, CASE v WHEN 2 THEN 0.5 END)', 'gpu_percentile_cont(v::numeric, v / 4.0)',
	'gpu_percentiles_disc(v, ARRAY[v / 4.0])', 'gpu_percentile_cont(v, 1.5)', 'gpu_percentile_disc(v, ''NaN'')', 'gpu_percentile_cont(v, ''{2}''::float8[])',
	'gpu_percentile_cont(v::text, ''{0.5}''::float8[])', 'gpu_percentile_cont(date ''2026-01-01'' + v, ''{0.5}''::float8[])', 'gpu_topk(v, v)', 'gpu_topk(v, -1)',
	'gpu_topk(v, NULL)', 'gpu_topk(v::text, 1)', 'gpu_histogram(v, 0, v, 2)', 'gpu_weighted_histogram(v, 1, 0, v, 2)']) AS call;

-- Many rows: no frame is quadratic, large frames are not slow.
SET statement_timeout = '60 s';
SELECT count(DISTINCT median) AS medians, sum(greatest) AS greatest, max(distinct_values) AS distinct_values
FROM (SELECT gpu_median(v) OVER w AS median, gpu_max(v) OVER w AS greatest, gpu_count_distinct(v) OVER w AS distinct_values
	FROM (SELECT i, noise(i) % 1000 AS v FROM generate_series(1, 20000) AS i OFFSET 0) AS n WINDOW w AS (ORDER BY i ROWS 9999 PRECEDING)) AS r;
RESET statement_timeout;

-- The first and the last: of a group, of nothing, of several, of NULL
SELECT gpu_first(v, at), gpu_last(v, at), gpu_first(v, at) FILTER (WHERE at > 9) AS none, gpu_last(v, NULL::date) AS no_time,
	gpu_first(v, at) FILTER (WHERE at = 2) AS of_two, gpu_last(v, at) FILTER (WHERE at <= 4) AS of_null, gpu_last(at, v::float8) FILTER (WHERE v < 'a') AS by_float
FROM (VALUES ('9', 2), ('3', 2), ('5', 7), (NULL, 4), ('7', NULL)) AS t (v, at);
SELECT error_of('SELECT gpu_first(1, ''noon''::text)'), error_of('SELECT gpu_last(1, interval ''1 hour'') OVER (ROWS 1 PRECEDING)');
SELECT count(*) AS groups, count(*) FILTER (WHERE first IS NOT DISTINCT FROM wanted_first AND last IS NOT DISTINCT FROM wanted_last) AS same
FROM (SELECT gpu_first(p, at) AS first, (array_agg(p ORDER BY at, p))[1] AS wanted_first,
		gpu_last(p, at) AS last, (array_agg(p ORDER BY at DESC, p))[1] AS wanted_last FROM framed GROUP BY grp, n) AS g;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
ALTER TABLE framed SET (parallel_workers = 2);
EXPLAIN (COSTS OFF) SELECT gpu_first(m, at), gpu_last(ROW(p, d), i) FROM framed;
SELECT gpu_first(m, at), gpu_last(ROW(p, d), i), gpu_first(p, d), gpu_last(p, m) FROM framed;
SET max_parallel_workers_per_gather = 0;
SELECT gpu_first(m, at), gpu_last(ROW(p, d), i), gpu_first(p, d), gpu_last(p, m) FROM framed;

DROP TABLE framed, calls;
DROP FUNCTION compare_frame, compare_moving;
