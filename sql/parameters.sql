-- Arguments as drivers send them: quoted literals and parameters of unknown type,
-- and NULL.
SET extra_float_digits = 1;

-- A call's result with typed arguments, whether quoted ones and parameters give
-- the same, and the types that parameters get.
CREATE FUNCTION compare_ways(call text, types text[], arguments text[],
	OUT result text, OUT quoted boolean, OUT prepared boolean, OUT parameters text)
LANGUAGE plpgsql AS
$$
DECLARE
	with_types text := call;
	with_quotes text := call;
	answer text;
BEGIN
	FOR i IN 1 .. cardinality(arguments) LOOP
		with_types := replace(with_types, '$' || i, format('%L::%s', arguments[i], types[i]));
		with_quotes := replace(with_quotes, '$' || i, quote_literal(arguments[i]));
	END LOOP;
	EXECUTE format('SELECT (%s)::text', with_types) INTO result;
	EXECUTE format('SELECT (%s)::text', with_quotes) INTO answer;
	quoted := answer = result;
	EXECUTE format('PREPARE call AS SELECT (%s)::text', call);
	EXECUTE format('EXECUTE call (%s)', (SELECT string_agg(quote_literal(a), ', ' ORDER BY i)
		FROM unnest(arguments) WITH ORDINALITY AS u (a, i))) INTO answer;
	prepared := answer = result;
	SELECT array_to_string(parameter_types, ', ') FROM pg_prepared_statements INTO parameters;
	DEALLOCATE call;
END
$$;
-- the number of failures, which is 0
CREATE TABLE calls (ord serial, call text, types text[], arguments text[]);
INSERT INTO calls (call, types, arguments) VALUES
	('gpu_percentile_cont(@, $1)', '{double precision}', '{0.4}'),
	('gpu_percentile_disc(@, $1)', '{double precision}', '{0.4}'),
	('gpu_percentiles_cont(@, $1)', '{double precision[]}', '{"{0.4,NULL}"}'),
	('gpu_percentiles_disc(@, $1)', '{double precision[]}', '{"{0.4,NULL}"}'),
	('(SELECT gpu_percentile_cont(v, $1) FROM unnest(@) AS v)', '{double precision}', '{0.4}'),
	('(SELECT gpu_percentiles_cont(v, $1) FROM unnest(@) AS v)', '{double precision[]}', '{"{0.4,NULL}"}'),
	('(SELECT gpu_percentile_disc(v, $1) FROM unnest(@) AS v)', '{double precision}', '{0.4}'),
	('(SELECT gpu_percentiles_disc(v, $1) FROM unnest(@) AS v)', '{double precision[]}', '{"{0.4,NULL}"}'),
	('gpu_filter(@, $1, $2)', '{text,bigint}', '{>,2}'),
	('gpu_histogram(@, $1, $2, $3)', '{double precision,double precision,integer}', '{0,5,3}'),
	('gpu_histogram(@, $1)', '{double precision[]}', '{"{0,1.5,7}"}'),
	('(SELECT array_agg(h) FROM gpu_histogram_table(@, $1, $2, $3) AS h)', '{double precision,double precision,integer}', '{0,5,3}'),
	('(SELECT array_agg(h) FROM gpu_histogram_table(@, $1) AS h)', '{double precision[]}', '{"{0,1.5,7}"}'),
	('(SELECT gpu_histogram(v, $1, $2, $3) FROM unnest(@) AS v)', '{double precision,double precision,integer}', '{0,5,3}'),
	('gpu_compact(@, $1)', '{boolean[]}', '{"{t,f,t,t,f,t}"}'),
	('gpu_sort(@, $1, $2)', '{boolean,boolean}', '{true,false}'),
	('gpu_argsort(@, $1, $2)', '{boolean,boolean}', '{true,false}'),
	('gpu_topk(@, $1, $2)', '{integer,boolean}', '{2,true}'),
	('(SELECT gpu_topk(v, $1, $2) FROM unnest(@) AS v)', '{integer,boolean}', '{2,false}'),
	('(SELECT gpu_histogram2d(v, v, $1, $2, $3, $4, $5, $6) FROM unnest(@) AS v)',
		'{double precision,double precision,integer,double precision,double precision,integer}', '{0,5,3,1,6,2}'),
	('(SELECT gpu_weighted_histogram(v, v, $1, $2, $3) FROM unnest(@) AS v)', '{double precision,double precision,integer}', '{0,5,3}'),
	('gpu_weighted_histogram(@, $1, $2, $3, $4)', '{double precision[],double precision,double precision,integer}', '{"{1,2,3,4,5,6}",0,5,3}'),
	('gpu_histogram2d(@, @, $1, $2, $3, $4, $5, $6)',
		'{double precision,double precision,integer,double precision,double precision,integer}', '{0,5,3,1,6,2}'),
	('gpu_searchsorted($1, @)', '{E[]}', '{"{1,3}"}'),
	('gpu_searchsorted((@)[5:6], $1)', '{E[]}', '{"{1,3}"}'),
	('gpu_dot(@, $1)', '{E[]}', '{"{1,2,3,4,5,6}"}'),
	('gpu_dot($1, @)', '{E[]}', '{"{1,2,3,4,5,6}"}'), ('gpu_corr(@, $1)', '{E[]}', '{"{1,2,3,4,5,6}"}'),
	('gpu_regr_slope($1, @)', '{E[]}', '{"{1,2,3,4,5,6}"}'),
	('gpu_round(@, $1)', '{integer}', '{-1}'), ('gpu_power(@, $1)', '{E[]}', '{"{1,2,3,2,1,0}"}'),
	('gpu_power($1, (@)[5:6])', '{E[]}', '{"{1,2}"}'),
	('gpu_ewma(@, $1, $2)', '{double precision,boolean}', '{0.25,true}'),
	('gpu_resample(''{1,2,3,4,5,6}''::integer[], @, $1, $2)', '{integer,text}', '{3,avg}'),
	('gpu_lttb(''{1,2,3,4,5,6}''::integer[], @, $1)', '{integer}', '{3}'),
	('gpu_moving_median(@, $1, $2)', '{integer,integer}', '{1,1}'),
	('gpu_moving_percentile_cont(@, $1, $2)', '{double precision,integer}', '{0.4,2}'),
	('gpu_moving_percentile_disc(@, $1, $2, $3)', '{double precision,integer,integer}', '{0.4,2,1}'),
	('gpu_moving_corr(@, $1, $2)', '{E[],integer}', '{"{1,2,9,4,5,6}",3}');
INSERT INTO calls (call, types, arguments)
SELECT f || '(@, $1, $2)', '{boolean,integer}'::text[], '{true,2}'::text[]
FROM unnest('{gpu_cumsum, gpu_cumcount, gpu_cumprod, gpu_cummin, gpu_cummax}'::text[]) AS f
UNION ALL
SELECT f || '(@, $1, NULL, $2)', '{boolean,boolean[]}', '{false,"{t,f,t,f,f,t}"}'
FROM unnest('{gpu_cumsum, gpu_cumcount, gpu_cumprod, gpu_cummin, gpu_cummax}'::text[]) AS f
UNION ALL
SELECT f || '(@, $1)', '{boolean[]}', '{"{t,f,t,f,f,t}"}'
FROM unnest('{gpu_segment_sum, gpu_segment_avg, gpu_segment_min, gpu_segment_max, gpu_segment_count}'::text[]) AS f
UNION ALL
SELECT f || '(@, chunk => $1)', '{integer}', '{4}'
FROM unnest('{gpu_segment_sum, gpu_segment_avg, gpu_segment_min, gpu_segment_max, gpu_segment_count}'::text[]) AS f
UNION ALL
SELECT format(c, f), '{integer,integer}', '{1,1}'
FROM unnest('{gpu_moving_sum, gpu_moving_avg, gpu_moving_min, gpu_moving_max, gpu_moving_stddev}'::text[]) AS f,
	unnest('{"%s(@, $1, $2)",
		"(SELECT array_agg(m) FROM (SELECT %s(v, $1, $2) OVER () AS m FROM unnest(@) AS v) AS s)"}'::text[]) AS c
UNION ALL
SELECT format('(SELECT %s($1, v) FROM unnest(@) AS v)', f), '{double precision}', '{2}'
FROM unnest('{gpu_corr, gpu_covar_pop, gpu_covar_samp, gpu_regr_slope, gpu_regr_intercept, gpu_regr_r2, gpu_weighted_avg}'::text[]) AS f;
SELECT call, count(*) AS types, count(*) FILTER (WHERE NOT quoted) AS quoted, count(*) FILTER (WHERE NOT prepared) AS prepared,
	count(*) FILTER (WHERE parameters <> array_to_string(t, ', ') AND NOT (call LIKE '%filter%' AND family = 'float')) AS typed
FROM (SELECT calls.ord, call, type, family, t, (compare_ways(replace(call, '@', format('%L::%s[]', '{3,1,NULL,4,1,5}', type)),
			t, arguments)).*
	  FROM calls, types, LATERAL (SELECT array_agg(replace(t, 'E', type) ORDER BY i) AS t
			FROM unnest(calls.types) WITH ORDINALITY AS u (t, i)) AS t
	  WHERE family <> 'boolean') AS compared
WHERE result IS NOT NULL OR call LIKE '%($1, v)%'
GROUP BY ord, call ORDER BY ord;
-- Of times, a bound is one, also where numbers want a cast.
SELECT call, count(*) AS types, count(*) FILTER (WHERE NOT quoted) AS quoted, count(*) FILTER (WHERE NOT prepared) AS prepared,
	count(*) FILTER (WHERE parameters <> array_to_string(t, ', ')) AS typed
FROM (SELECT call, t, (compare_ways(replace(call, '@', format('%L::%s[]', '{2026-01-03,2026-01-01,NULL,infinity}', type)), t, arguments)).*
	FROM unnest('{date,timestamp without time zone,timestamp with time zone}'::text[]) AS type, (VALUES
		('gpu_filter(@, $1, $2)', '{text,E}'::text[], '{>,2026-01-02}'::text[]),
		('gpu_compare(@, $1, $2)', '{text,E}', '{>,2026-01-02}'),
		('gpu_between(@, $1, $2)', '{E,E}', '{2026-01-01,2026-01-02}'),
		('gpu_clip(@, $1, $2)', '{E,E}', '{2026-01-01,2026-01-02}'),
		('gpu_diff(gpu_filter(@, ''<'', ''infinity''), $1)', '{text}', '{drop}'),
		('gpu_percentile_disc(@, $1)', '{double precision}', '{0.4}'),
		('(SELECT gpu_percentile_disc(v, $1) FROM unnest(@) AS v)', '{double precision}', '{0.4}'),
		('(SELECT gpu_percentiles_disc(v, $1) FROM unnest(@) AS v)', '{double precision[]}', '{"{0.4,NULL}"}'),
		('(SELECT gpu_topk(v, $1, $2) FROM unnest(@) AS v)', '{integer,boolean}', '{2,false}'),
		('(SELECT gpu_histogram(v, $1, $2, $3) FROM unnest(@) AS v)', '{E,E,integer}', '{2026-01-01,2026-01-31,3}'),
		('gpu_histogram(@, $1)', '{E[]}', '{"{2026-01-01,infinity}"}'),
		('gpu_histogram(@, $1, $2, $3)', '{E,E,integer}', '{2026-01-01,2026-01-31,3}'),
		('gpu_searchsorted($1, @)', '{E[]}', '{"{2026-01-01,infinity}"}'),
		('gpu_asof((@)[2:2], $1)', '{E[]}', '{"{2026-01-01,infinity}"}')) AS c (call, types, arguments),
	LATERAL (SELECT array_agg(replace(t, 'E', type) ORDER BY i) AS t FROM unnest(c.types) WITH ORDINALITY AS u (t, i)) AS t) AS compared
WHERE result IS NOT NULL
GROUP BY call ORDER BY call COLLATE "C";
SELECT * FROM compare_ways('(SELECT array_agg(p) FROM gpuscan_plot($1, $2, $3) AS p)', '{bigint[],integer,text[]}',
	'{"{1,2}",4,"{a,b}"}');
SELECT * FROM compare_ways('(SELECT gpu_percentile_cont(v, $1) FROM unnest(''{1,2.5}''::numeric[]) AS v)', '{double precision}', '{0.4}');
SELECT * FROM compare_ways('(SELECT gpu_percentiles_cont(v, $1) FROM unnest(''{1,2.5}''::numeric[]) AS v)', '{double precision[]}', '{"{0.4,1}"}');
SELECT * FROM compare_ways('gpu_percentile_cont(''{1,2.5}''::numeric[], $1)', '{double precision}', '{0.4}');
SELECT * FROM compare_ways('gpu_cumbool_or($1, $2, $3)', '{boolean[],boolean,integer}', '{"{f,t,f}",true,2}');

-- For all other functions, the choice of overload does not matter, except where a value and an array differ in nothing else:
-- beside an array, gpu_add and its like take an argument of unknown type for another one; gpu_compare and gpu_if want its type, and so does
-- gpu_power that of an array after a value.  Beside a number, gpu_percentile_cont takes it for a fraction, to which its own type can be cast.
SELECT p.oid::regprocedure, q.oid::regprocedure
FROM pg_proc AS p JOIN pg_proc AS q ON p.proname = q.proname AND p.oid < q.oid
	AND p.proargtypes[0] = q.proargtypes[0] AND p.pronargs > 1 AND q.pronargs > 1
	AND q.pronargs >= p.pronargs - p.pronargdefaults AND p.pronargs >= q.pronargs - q.pronargdefaults
WHERE p.proname LIKE 'gpu\_%' AND p.proname NOT IN ('gpu_dot', 'gpu_subtract', 'gpu_multiply', 'gpu_divide', 'gpu_power', 'gpu_compare', 'gpu_if',
		'gpu_percentile_cont')
	AND p.proname !~ '_(add|remove|collect)$' AND p.proargtypes[0] NOT IN ('anyarray'::regtype, 'anycompatiblearray'::regtype)
ORDER BY 1, 2;

-- Bounds beyond the range of double, for integers.
SELECT gpu_filter(a, '>', '9007199254740992') AS quoted, gpu_filter(a, '>', 9007199254740992.5) AS numeric,
	gpu_filter(a, '<=', 9007199254740992::float8) AS double, gpu_filter(a, '=', 9007199254740993) AS bigint
FROM (SELECT '{9007199254740991, 9007199254740992, 9007199254740993}'::bigint[] AS a) AS s;
PREPARE above AS SELECT gpu_filter('{9007199254740991, 9007199254740992, 9007199254740993}'::bigint[], $1, $2);
EXECUTE above ('>', '9007199254740992');
DEALLOCATE above;
SELECT gpu_filter('{0.5, Infinity, NaN}'::float8[], '>=', 'Infinity'), gpu_filter('{0.1}'::float8[], '=', '0.1');
-- of an array of integers it is a bigint, one fraction is a number: as in SQL
SELECT error_of('SELECT gpu_filter(''{1}''::integer[], ''>'', ''1.5'')');
SELECT error_of('SELECT gpu_percentile_cont(''{1}''::integer[], ''{0.5}'')');
SELECT error_of('SELECT percentile_cont(''{0.5}'') WITHIN GROUP (ORDER BY v) FROM (VALUES (1)) AS t (v)');

-- The fraction NULL, and bad ones of no rows: as the built-in ones have it.
CREATE TABLE fractions (f text);
INSERT INTO fractions VALUES ('NULL'), ('0.5'), ('2'), ('-1'), ('''NaN'''), ('''{}''::float8[]'),
	('''{NULL}''::float8[]'), ('''{NULL,0.5}''::float8[]'), ('''{0.5,2}''::float8[]'), ('NULL::float8[]');
SELECT f, rows, result AS built_in, string_agg(form, ', ' ORDER BY form) FILTER (WHERE result = ours) AS same,
	string_agg(form || ': ' || ours, ', ' ORDER BY form) FILTER (WHERE result <> ours) AS differ
FROM (SELECT f, rows, form, coalesce(result_or_error(format('SELECT %s(%s) WITHIN GROUP (ORDER BY v) FROM %s AS t (v)', builtin, f, source)), 'NULL') AS result,
		coalesce(result_or_error(format('SELECT ' || form || ' FROM %2$s AS t (v)', f, source)), 'NULL') AS ours
	  FROM fractions,
		(VALUES ('two', '(VALUES (1), (3))'), ('none', '(SELECT 1 LIMIT 0)'), ('NULL', '(SELECT NULL::integer)'))
			AS r (rows, source),
		(VALUES ('gpu_percentile_cont(array_agg(v), %1$s)', 'percentile_cont'),
			('gpu_percentile_disc(array_agg(v), %1$s)', 'percentile_disc'),
			('gpu_percentile_cont(v, %1$s)', 'percentile_cont')) AS c (form, builtin)
	  WHERE f NOT LIKE '%[]' OR form LIKE '%array_agg%') AS s
GROUP BY f, rows, result ORDER BY f COLLATE "C", rows COLLATE "C", result COLLATE "C";
-- parameters too, in a plan for any value; a column has no value without rows
SET plan_cache_mode = force_generic_plan;
PREPARE percentile AS SELECT gpu_percentile_cont(v, $1) FROM (SELECT 1 LIMIT 0) AS t (v);
EXECUTE percentile (0.5);
EXECUTE percentile (NULL);
EXECUTE percentile (2);
DEALLOCATE percentile;
RESET plan_cache_mode;
SELECT gpu_percentile_cont(v, w) FROM (SELECT 1, 2.0 LIMIT 0) AS t (v, w);
SELECT g, gpu_percentile_cont(v, (SELECT 0.5)) FILTER (WHERE v > 3) FROM (VALUES (1, 2), (2, 3), (2, 5)) AS t (g, v) GROUP BY g;
SELECT gpu_percentile_cont(v, 0.5) OVER (ORDER BY v ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING) FROM (VALUES (1), (2)) AS t (v);

DROP TABLE calls, fractions;
DROP FUNCTION compare_ways;
