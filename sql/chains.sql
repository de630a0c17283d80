-- Nested calls that the planner makes one, against the same calls one by one.
SET extra_float_digits = 1;

-- Arrays of each type: few and many elements, NULLs, extremes, special values.
CREATE TABLE chains (id integer, type text, a text, b text, x text);
INSERT INTO chains
SELECT row_number() OVER (), type, a, b, x
FROM (VALUES ('{1,2,3}', '{4,-5,6}', '2'), ('{}', '{}', '1'), ('{NULL}', '{1}', '3'), ('{NULL,7,NULL,-2}', '{1,NULL,NULL,5}', '-1'),
		('{{1,2},{3,4}}', '{{5,6},{7,8}}', '0'), ('[5:6]={1,2}', '{3,4}', '1'), ('{1,2}', '{3}', '1'), ('{{1,2}}', '{{1},{2}}', '1'), ('{0,0}', '{0,5}', '0')) AS v (a, b, x),
	unnest('{smallint,integer,bigint,real,double precision}'::text[]) AS type
UNION ALL SELECT 1000, type, a, b, x
FROM (VALUES ('smallint', '{-32768,32767,5}', '{1,-1,2}', '2'), ('smallint', '{-32768}', '{-1}', '-1'), ('integer', '{-2147483648,7}', '{-1,3}', '1'),
		('integer', '{2147483647,-2147483647}', '{1,1}', '1'), ('bigint', '{-9223372036854775808,9223372036854775807}', '{1,-1}', '1'),
		('bigint', '{9223372036854775807,9223372036854775807}', '{1,1}', '0'), ('real', '{NaN,1,Infinity,-Infinity,-0}', '{1,0,2,-0,5}', '0.1'),
		('real', '{1e30,1e-30}', '{1e30,1e-30}', '1e20'), ('real', '{1e30,-3}', '{2,1e-20}', '3'), ('double precision', '{-0}', '{5}', '-0'),
		('double precision', '{1e200,1,-1e200}', '{1e100,3,1e100}', '1'), ('double precision', '{1e200,1}', '{1e200,1}', '1e-200'),
		('double precision', '{1e-200,5e-324}', '{1e-200,0.5}', '0.5'), ('double precision', '{Infinity,NaN}', '{-Infinity,1}', 'Infinity'),
		('double precision', '{1,2}', NULL, '1'), ('double precision', NULL, '{1}', '1'), ('integer', '{1,2}', '{3,4}', NULL)) AS v (type, a, b, x);
INSERT INTO chains
SELECT 2000 + n, type, (SELECT array_agg(CASE WHEN noise(i) % 50 = 0 THEN NULL ELSE (noise(i) % 200 - 100) * f END)::text FROM generate_series(1, n) AS i),
	(SELECT array_agg(CASE WHEN noise(-i) % 70 = 0 THEN NULL ELSE (noise(-i) % 100 + 1) * f END)::text FROM generate_series(1, n) AS i), '7'
FROM unnest('{1000,40000}'::integer[]) AS n, (VALUES ('integer', 1), ('bigint', 1000), ('real', 0.5), ('double precision', 0.001)) AS t (type, f);

-- A statement's result or error as one call, and one by one.
CREATE FUNCTION chained(outer_call text, inner_call text, c chains) RETURNS TABLE (one text, by_one text) LANGUAGE plpgsql AS
$$
DECLARE
	arrays text := format('(SELECT %L::%s[] AS a, %L::%s[] AS b, %L::%s AS x OFFSET 0) AS arrays', c.a, c.type, c.b, c.type, c.x, c.type);
BEGIN
	one := result_with_detail(format('SELECT %s(%s)::text FROM %s', outer_call, inner_call, arrays));
	by_one := result_with_detail(format('SELECT %s(inner_result)::text FROM (SELECT %s AS inner_result FROM %s OFFSET 0) AS s', outer_call, inner_call, arrays));
	RETURN NEXT;
END
$$;
CREATE FUNCTION result_with_detail(statement text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	result text;
	detail text;
BEGIN
	EXECUTE statement INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', SQLSTATE, SQLERRM, detail);
END
$$;
CREATE FUNCTION is_chained(query text) RETURNS boolean LANGUAGE plpgsql AS
$$
DECLARE
	plan text;
BEGIN
	EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON) ' || query INTO plan;
	RETURN plan LIKE '%\_gpu\_chain\_%';
END
$$;
CREATE FUNCTION explained(query text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	plan text;
BEGIN
	EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON) ' || query INTO plan;
	RETURN plan;
END
$$;

SELECT count(*) > 2000 AS many, count(*) FILTER (WHERE one IS DISTINCT FROM by_one) AS different, count(*) FILTER (WHERE one ~ '^[0-9A-Z]{5} ') > 100 AS with_errors,
	left(min(format('%s(%s) of %s %s, %s: %s, not %s', outer_call, inner_call, type, left(a, 40), left(b, 40), one, by_one)) FILTER (WHERE one IS DISTINCT FROM by_one), 500) AS example
FROM chains AS c,
	unnest('{gpu_sum,gpu_avg,gpu_min,gpu_max,gpu_variance,gpu_stddev_pop,gpu_norm}'::text[]) AS outer_call,
	unnest('{"gpu_multiply(a, b)","gpu_add(a, x)","gpu_subtract(x, b)","gpu_divide(a, b)","gpu_abs(a)","gpu_negate(gpu_multiply(a, a))",
		"gpu_divide(gpu_subtract(gpu_multiply(a, b), gpu_add(b, x)), gpu_abs(x))","gpu_add(gpu_add(gpu_add(b, 1), 2), gpu_multiply(3, a))"}'::text[]) AS inner_call,
	chained(outer_call, inner_call, c);

-- Chains that begin with gpu_filter and gpu_diff.
SELECT count(*) > 4000 AS many, count(*) FILTER (WHERE one IS DISTINCT FROM by_one) AS different, count(*) FILTER (WHERE one ~ '^[0-9A-Z]{5} ') > 100 AS with_errors,
	left(min(format('%s(%s) of %s %s: %s, not %s', outer_call, inner_call, type, left(a, 40), one, by_one)) FILTER (WHERE one IS DISTINCT FROM by_one), 500) AS example
FROM chains AS c,
	unnest('{gpu_sum,gpu_avg,gpu_min,gpu_max,gpu_stddev_pop}'::text[]) AS outer_call,
	unnest('{"gpu_filter(a, ''>'', 0)","gpu_filter(a, ''<='', x)","gpu_filter(a, ''<>'', 1.5::numeric)","gpu_filter(a, ''='', NULL::bigint)","gpu_filter(a, ''>'', ''NaN''::float8)",
		"gpu_diff(a)","gpu_diff(a, ''keep'')","gpu_diff(a, first => ''DROP'')","gpu_diff(gpu_filter(a, ''>='', x))","gpu_diff(gpu_filter(a, ''!='', 2.5), ''keep'')",
		"gpu_abs(gpu_filter(a, ''<'', 5))","gpu_multiply(gpu_diff(a), gpu_diff(a))","gpu_divide(gpu_diff(gpu_filter(a, ''>'', -3), ''keep''), gpu_diff(gpu_filter(a, ''>'', -3), ''keep''))",
		"gpu_subtract(10, gpu_add(gpu_diff(a), gpu_negate(gpu_diff(a))))"}'::text[]) AS inner_call,
	chained(outer_call, inner_call, c);

-- What is NULL does not hide an error of the calls before it.
SELECT outer_call, inner_call, same.* FROM unnest('{gpu_sum,gpu_max}'::text[]) AS outer_call,
	unnest('{"gpu_add(gpu_divide(a, 0), x)","gpu_add(gpu_divide(a, 0), b)","gpu_add(gpu_add(a, 2147483647), x)","gpu_add(gpu_add(a, ''{1,2}''), x)","gpu_add(x, gpu_add(a, 1))",
		"gpu_add(gpu_add(a, b), gpu_divide(a, 0))","gpu_add(gpu_diff(gpu_filter(a, ''>'', x)), 1)"}'::text[]) AS inner_call,
	LATERAL (SELECT left(one, 40) AS one, one IS NOT DISTINCT FROM by_one AS same FROM chained(outer_call, inner_call, ROW(1, 'integer', '{1}', NULL, NULL)::chains)) AS same;
SELECT result_with_detail(format('SELECT _gpu_chain_integer(%s)::text', arguments)) AS result, arguments
FROM unnest(ARRAY['NULL, ''{1}''::integer[]', 'NULL::text, NULL', '''gpu_sum(gpu_abs($1))'', NULL', '''gpu_max(gpu_add($1, $2))'', NULL::integer[], NULL::integer',
	'''gpu_max(gpu_add($1, $3))'', NULL::integer[], 1', '''gpu_max(gpu_filter($1, ''''>'''', $2))'', ''{1}''::integer[], NULL::bigint', '''nothing'', NULL::integer[]',
	'''gpu_max(gpu_abs($1))'', VARIADIC NULL::integer[]']) AS arguments;

-- What becomes one call, and what does not.
CREATE TABLE stored (a double precision[], b double precision[], c double precision[], i integer[]);
INSERT INTO stored VALUES ('{1,2}', '{3,4}', '{5,6}', '{7,8}');
EXPLAIN (VERBOSE, COSTS off) SELECT gpu_sum(gpu_multiply(a, b)), gpu_avg(gpu_divide(gpu_abs(a), 2)), gpu_max(gpu_add(i, 1)), gpu_sum(gpu_multiply(i, i)), gpu_variance(gpu_negate(i)) FROM stored;
EXPLAIN (VERBOSE, COSTS off) SELECT gpu_avg(gpu_diff(gpu_filter(a, '>', 0))), gpu_sum(gpu_filter(i, '<>', 1.5)), gpu_max(gpu_multiply(gpu_diff(i, first => 'Keep'), 2::bigint)) FROM stored;
SELECT query, is_chained('SELECT ' || query || ' FROM stored') AS chained
FROM unnest('{"gpu_sum(gpu_multiply(a, b))","gpu_sum(a)","gpu_sum(gpu_add(gpu_add(a, b), c))","gpu_sum(gpu_add(gpu_add(a, b), a))","gpu_count(gpu_add(a, b))","gpu_sum(gpu_clip(a, 1, 2))",
	"gpu_median(gpu_add(a, b))","gpu_sum(gpu_multiply(gpu_diff(a), b))","gpu_asum(gpu_negate(a))",
	"gpu_sum(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(a)))))))))","gpu_sum(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(gpu_abs(a))))))))))",
	"gpu_sum(gpu_add(gpu_add(gpu_add(gpu_add(a, 1), 2), 3), 4))","gpu_sum(gpu_add(gpu_add(gpu_add(gpu_add(gpu_add(a, 1), 2), 3), 4), 5))",
	"gpu_sum(gpu_add(gpu_add(gpu_add(gpu_add(gpu_add(a, 1), 1), 1), 1), 1))"}'::text[]) AS query;
SELECT query, plan LIKE '%\_gpu\_chain\_%' AS chained, plan ~ 'Output.*_gpu_chain[a-z_]*.''[a-z_(]*(gpu_filter|gpu_diff)' AS first
FROM unnest('{"gpu_sum(gpu_diff(a))","gpu_sum(gpu_filter(a, ''>'', 0))","gpu_sum(gpu_filter(a, left(''>='', 1), b[1]))","gpu_sum(gpu_filter(a, b::text, 1))","gpu_sum(gpu_multiply(gpu_diff(a), b))","gpu_sum(gpu_multiply(b, gpu_filter(a, ''>'', 1)))",
	"gpu_sum(gpu_add(gpu_diff(a), gpu_diff(b)))","gpu_sum(gpu_add(gpu_diff(a), gpu_diff(a)))","gpu_sum(gpu_add(gpu_diff(a), gpu_diff(a, ''keep'')))","gpu_sum(gpu_diff(gpu_multiply(a, b)))","gpu_sum(gpu_diff(gpu_diff(a)))",
	"gpu_sum(gpu_filter(gpu_diff(a), ''>'', 0))","gpu_median(gpu_diff(a))","gpu_sum(gpu_filter(a::numeric[], ''>'', 0))","gpu_sum(gpu_filter(gpu_filter(a, ''>'', 0), ''<'', 2))",
	"gpu_sum(gpu_add(gpu_add(gpu_add(gpu_add(gpu_filter(a, ''>'', 0), 1), 2), 3), 4))"}'::text[]) AS query, explained('SELECT ' || query || ' FROM stored') AS plan;
SELECT gpu_sum(gpu_filter(a, '>', random())) > 0 AS volatile_bound, gpu_sum(gpu_add(gpu_filter(a, '>', 1), 1)) AS same_value, gpu_sum(gpu_filter(a, '>', NULL::float8)) AS no_bound, gpu_sum(gpu_filter(NULL::float8[], '>', 1)) AS no_array FROM stored;
SELECT error_of('SELECT gpu_sum(gpu_filter(a, ''=>'', 0)) FROM stored'), error_of('SELECT gpu_sum(gpu_filter(a, ''=>'', NULL::float8)) FROM stored'), error_of('SELECT gpu_sum(gpu_diff(a, ''first'')) FROM stored');
PREPARE above AS SELECT gpu_avg(gpu_diff(gpu_filter(a, '>=', $1))) FROM stored;
EXECUTE above(1);
SET plan_cache_mode = force_generic_plan;
EXECUTE above(NULL);
EXPLAIN (VERBOSE, COSTS off) EXECUTE above(1);
EXECUTE above(1);
RESET plan_cache_mode;

-- A volatile argument is evaluated as often as it is written, once each.
CREATE SEQUENCE calls;
CREATE FUNCTION next_array() RETURNS integer[] LANGUAGE sql VOLATILE AS $$ SELECT ARRAY[nextval('calls')::integer] $$;
SELECT gpu_sum(gpu_subtract(next_array(), gpu_multiply(next_array(), 10))) AS difference, currval('calls');

-- A view keeps what was written; an index serves the query.
CREATE VIEW totals AS SELECT gpu_sum(gpu_multiply(a, b)) AS total FROM stored;
SELECT pg_get_viewdef('totals') LIKE '%gpu_sum(gpu_multiply(%' AS as_written, (SELECT total FROM totals);
CREATE INDEX by_total ON stored (gpu_sum(gpu_multiply(a, b)));
SET enable_seqscan = off;
EXPLAIN (COSTS off) SELECT i FROM stored WHERE gpu_sum(gpu_multiply(a, b)) = 11;
SELECT i FROM stored WHERE gpu_sum(gpu_multiply(a, b)) = 11;
RESET enable_seqscan;

-- Which engine does it.
SELECT gpu_sum(gpu_multiply(a, b)) FROM stored;
SELECT function, elements, engine = replace(current_setting('gpuscan.engine'), 'auto', engine) AS as_set FROM gpuscan_last_call();

-- What only the planner is to write is checked.
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"_gpu_chain_double('''', 1.5::float8)","_gpu_chain_double(''gpu_sum(gpu_abs($1))'', 1.5::float8)","_gpu_chain_double(''gpu_sum(gpu_abs($2))'', ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_abs($0))'', ''{1}''::float8[])","_gpu_chain_numeric(''gpu_sum(gpu_abs($1))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_abs($1)'', ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_multiply($1, $2))'', ''{1}''::float8[], 1::integer)","_gpu_chain_double(''gpu_sum(gpu_multiply($1, $2))'', ''{1}''::float8[], ''{1}''::integer[])",
	"_gpu_chain_double(''gpu_sum(gpu_sum($1))'', ''{1}''::float8[])","_gpu_chain_bigint(''gpu_count(gpu_abs($1))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_abs($1)))'', ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_median(gpu_abs($1))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum($1)'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_abs($1))'', ''a''::text)",
	"_gpu_chain_double(''gpu_sum(gpu_abs($99999999999))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_add($1,$1,$1))'', ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_abs($1))'', ''{1}''::numeric[])","_gpu_chain_double(repeat(''gpu_abs('', 100000), ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_filter($1, ''''>'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_filter($1, ''''=='''', $2))'', ''{1}''::float8[], 1::float8)","_gpu_chain_double(''gpu_sum(gpu_filter($1, ''''>'''', $1))'', ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_filter($1, ''''>'''', $2))'', ''{1}''::float8[], ''a''::text)","_gpu_chain_double(''gpu_sum(gpu_filter($2, ''''>'''', $2))'', ''{1}''::float8[], 1::float8)","_gpu_chain_double(''gpu_sum(gpu_diff($1))'', ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_diff($1, ''''first''''))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_diff(gpu_diff($1, ''''keep''''), keep))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_diff($2, ''''keep''''))'', ''{1}''::float8[], 1::float8)",
	"_gpu_chain_double(''gpu_sum(gpu_add($1, gpu_diff($1, ''''keep'''')))'', ''{1}''::float8[])","_gpu_chain_double(''gpu_sum(gpu_add(gpu_diff($1, ''''keep''''), $2))'', ''{1}''::float8[], ''{1}''::float8[])",
	"_gpu_chain_double(''gpu_sum(gpu_add(gpu_diff($1, ''''keep''''), gpu_diff($1, ''''null'''')))'', ''{1}''::float8[])","_gpu_chain_integer(''gpu_max(gpu_add(gpu_diff($1, ''''keep''''), $2))'', ''{1}''::integer[], 1::integer)",
	"_gpu_chain_integer(''gpu_max(gpu_diff($1, ''''keep''''))'', ''{1}''::integer[])"}'::text[]) AS call;
SELECT _gpu_chain_double('gpu_sum(gpu_abs($1))', '{-1.5}'::float8[]), _gpu_chain_double('gpu_sum(gpu_abs($1))', NULL::float8[]), _gpu_chain_double(NULL, '{1}'::float8[]),
	_gpu_chain_double(chain, '{-3,1}'::float8[]) AS varying, _gpu_chain_double('gpu_sum(gpu_abs($1))', VARIADIC ARRAY[[1.5, 2]]::float8[]) AS variadic,
	_gpu_chain_double('gpu_sum(gpu_abs($1))', '{-1.5}'::float8[], 'unused'::text) AS unused
FROM unnest('{gpu_sum(gpu_abs($1)),gpu_min(gpu_negate($1))}'::text[]) AS chain;

-- Who may not call a function may not have it called.
BEGIN;
CREATE ROLE regress_gpuscan_chains;
REVOKE EXECUTE ON FUNCTION gpu_multiply(double precision[], double precision[]) FROM PUBLIC;
SET LOCAL ROLE regress_gpuscan_chains;
SELECT error_of('SELECT gpu_sum(gpu_multiply(a, a)) FROM (SELECT ''{1}''::float8[] AS a OFFSET 0) AS s') AS revoked,
	error_of('SELECT gpu_sum(gpu_abs(a)) FROM (SELECT ''{1}''::float8[] AS a OFFSET 0) AS s') AS allowed,
	error_of('SELECT _gpu_chain_double(''gpu_sum(gpu_multiply($1, $1))'', ''{1}''::float8[])') AS forged;
ROLLBACK;

DROP VIEW totals;
DROP TABLE stored, chains CASCADE;
DROP SEQUENCE calls;
DROP FUNCTION next_array, explained, is_chained, result_with_detail;
RESET ALL;
