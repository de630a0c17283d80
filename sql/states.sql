-- gpu_state and gpu_stats as values: stored, merged, sent, and made up.
SET extra_float_digits = 1;

-- A summary gives the same results as the numbers.
CREATE TABLE numbers (part integer, v double precision);
INSERT INTO numbers
SELECT i % 7, CASE WHEN noise(-i) % 5 > 0 THEN (noise(i) - 134217728) * 10::float8 ^ (noise(i + 7) % 60 - 30) END
FROM generate_series(1, 1000) AS i;
CREATE TABLE summary AS
SELECT part, gpu_stats_agg(v) AS stats FROM numbers GROUP BY part;
SELECT ROW(gpu_count(s), gpu_sum(s), gpu_avg(s), gpu_min(s), gpu_max(s), gpu_var_pop(s),
		gpu_var_samp(s), gpu_variance(s), gpu_stddev_pop(s), gpu_stddev_samp(s), gpu_stddev(s))::text
	= (SELECT ROW(gpu_count(v), gpu_sum(v), gpu_avg(v), gpu_min(v), gpu_max(v), gpu_var_pop(v),
		gpu_var_samp(v), gpu_variance(v), gpu_stddev_pop(v), gpu_stddev_samp(v), gpu_stddev(v))::text
		FROM numbers) AS same,
	gpu_sum_exact(s) = (SELECT sum(exact) FROM numbers,
		LATERAL gpu_sum_exact(gpu_stats(ARRAY[v])) AS exact) AS exact,
	s::text = (SELECT gpu_stats(array_agg(v))::text FROM numbers) AS of_array
FROM (SELECT gpu_rollup(stats) AS s FROM summary) AS r;
-- Its bytes depend on the numbers alone.
SELECT count(DISTINCT stats::text), count(DISTINCT _gpu_stats_send(stats))
FROM (SELECT gpu_stats_agg(v ORDER BY noise(ord) + v) AS stats FROM numbers, generate_series(1, 5) AS ord GROUP BY ord
	UNION ALL SELECT gpu_stats_agg(v) FROM numbers
	UNION ALL SELECT gpu_rollup(stats ORDER BY part) FROM summary
	UNION ALL SELECT gpu_rollup(stats ORDER BY -part) FROM summary) AS s;

-- Of every type, the same summary of the same numbers.
SELECT gpu_stats_agg(k::smallint), gpu_stats_agg(k)::text = gpu_stats_agg(k::smallint)::text AS integer,
	gpu_stats_agg(k::bigint)::text = gpu_stats_agg(k)::text AS bigint,
	gpu_stats_agg(k::real)::text = gpu_stats_agg(k)::text AS real,
	gpu_stats_agg(k::double precision)::text = gpu_stats_agg(k)::text AS double,
	gpu_stats(array_agg(k))::text = gpu_stats_agg(k)::text AS array
FROM unnest('{3, NULL, -4, 0, 12}'::integer[]) AS k;
SELECT gpu_sum_exact(s), gpu_sum(s), gpu_min(s), gpu_max(s), gpu_var_pop(s)
FROM gpu_stats('{9223372036854775807, 9223372036854775807, -9223372036854775808}'::bigint[]) AS s;
SELECT gpu_stats_agg(v), gpu_sum(gpu_stats_agg(v)), gpu_sum_exact(gpu_stats_agg(v))
FROM unnest('{-0, NULL, -0}'::double precision[]) AS v;
SELECT s, gpu_count(s), gpu_sum(s), gpu_min(s), gpu_max(s), gpu_avg(s), gpu_stddev(s), gpu_sum_exact(s)
FROM gpu_stats('{1, NaN, Infinity, -Infinity, -0}'::real[]) AS s;
SELECT trim_scale(gpu_sum_exact(gpu_stats('{5e-324}'::double precision[])) * 10::numeric ^ 324) BETWEEN 4.94 AND 4.95 AS least_double,
	gpu_sum_exact(gpu_stats('{1.7976931348623157e308}'::double precision[])) = 2::numeric ^ 1024 - 2::numeric ^ 971 AS greatest;

-- No elements.
SELECT gpu_stats_agg(v), gpu_rollup(NULL) FROM unnest('{NULL}'::integer[]) AS v;
SELECT gpu_stats('{}'::integer[]), gpu_stats('{NULL}'::bigint[]), gpu_stats(NULL::real[]);
SELECT gpu_rollup(s), gpu_count(gpu_stats 'stats'), gpu_sum(gpu_stats 'stats'), gpu_min(gpu_stats 'stats'),
	gpu_avg(gpu_stats 'stats'), gpu_stddev(gpu_stats 'stats'), gpu_sum_exact(gpu_stats 'stats')
FROM (VALUES (gpu_stats 'stats'), (NULL)) AS t (s);

-- In and out again, as text and in binary, through files too.
SELECT count(*), count(*) FILTER (WHERE stats::text::gpu_stats::text = stats::text) AS text
FROM summary;
CREATE TABLE restored (LIKE summary);
SELECT current_setting('data_directory') || '/gpuscan_test' AS file \gset
COPY summary TO :'file' (FORMAT binary);
COPY restored FROM :'file' (FORMAT binary);
COPY summary TO :'file';
COPY restored FROM :'file';
SELECT count(*), count(*) FILTER (WHERE s.stats::text = r.stats::text
	AND _gpu_stats_send(s.stats) = _gpu_stats_send(r.stats)) AS same
FROM summary AS s JOIN restored AS r USING (part);
CREATE TABLE state (s gpu_state);
INSERT INTO state VALUES ('integers'), ('integers count=3 sum=-0x7p0'),
	('integer-moments count=2 sum=0x3p0 squares=0x5p0'), ('reals count=5 nan=1 inf=1 -inf=1 -0=1 sum=0x3p-1074'),
	('moments count=1 sum=0x180p-8 squares=0x9p-2');
COPY state TO :'file' (FORMAT binary);
COPY state FROM :'file' (FORMAT binary);
SELECT s::text, count(*) FROM state GROUP BY s::text, _gpu_state_send(s) ORDER BY s::text COLLATE "C";

-- Called directly, a transition function does not modify its argument.
SELECT s, gpu_state_add(s, 2::float8), gpu_state_remove(s, 1::float8), gpu_state_merge(s, s), s
FROM (SELECT gpu_state 'reals count=1 sum=0x1p0' AS s OFFSET 0) AS t;
-- It accepts only its kind of state, and removes no more than was added.
SELECT call, error_of('SELECT ' || call)
FROM unnest('{
	"gpu_state_add(''integers'', 1.5::float8)",
	"gpu_state_add(''reals'', 1::bigint)",
	"gpu_state_remove(''reals'', 1::bigint)",
	"gpu_state_remove(''integers'', 1::real)",
	"gpu_state_remove(''reals'', 1::float8)",
	"gpu_state_remove(''integers'', 1::integer)",
	"gpu_state_remove(''reals count=1 nan=1'', ''Infinity''::float8)",
	"gpu_state_merge(''integers'', ''reals'')",
	"gpu_state_merge(''integers count=9223372036854775807'', ''integers count=1'')",
	"_gpu_stats_merge(''stats count=9223372036854775807 min=0 max=0'', ''stats count=1 min=0 max=0'')",
	"gpu_state_add(''integers count=9223372036854775807'', 1)",
	"gpu_state_add(''moments count=9223372036854775807'', 1::float8)",
	"gpu_state_add(''pairs count=9223372036854775807'', 1::float8, 1)",
	"_gpu_stats_add(''stats count=9223372036854775807 min=0 max=0'', 1)",
	"gpu_state_remove(''integers count=1 sum=0x3p0'', 2)",
	"gpu_state_remove(''integer-moments count=2 sum=0x3p0 squares=0x5p0'', 3)",
	"gpu_state_remove(''reals count=1 nan=1'', 2::real)",
	"gpu_state_remove(''reals count=3 nan=1 inf=2'', 2::real)",
	"gpu_state_remove(''moments count=2 sum=0x3p0 squares=0x5p0'', 3::float8)",
	"gpu_state_remove(''moments count=2 sum=0x3p0 squares=0x5p0'', 1::float8)",
	"gpu_state_remove(''pairs count=2 x=0x3p0 xx=0x5p0 y=0x3p0 yy=0x5p0 xy=0x5p0'', 1::float8, 2)",
	"gpu_state_remove(''reals count=2 sum=0x3p0'', 4::float8)",
	"gpu_state_sum(''integers'')",
	"gpu_state_sum_bigint(''reals'')",
	"gpu_state_sum_bigint(''integers count=9 sum=0x1p63'')",
	"gpu_state_var_pop(''reals'')",
	"gpu_state_var_pop_numeric(''integers'')"}'::text[]) AS call;

-- Values that are not states are refused.
SELECT text, error_of(format('SELECT gpu_state %L', text)) AS gpu_state
FROM unnest('{"", " reals", "reals ", "real", "stats", "reals count", "reals count=", "reals count=-1",
	"reals count=1.5", "reals count=99999999999999999999", "reals count=9223372036854775808",
	"reals count=1 count=1", "reals sum=0x1p0", "reals count=1 nan=2",
	"reals count=1 nan=1 sum=0x1p0", "reals nan=1 count=1", "reals count=1 sum=1",
	"reals count=1 sum=0x", "reals count=1 sum=0xgp0", "reals count=1 sum=0x1", "reals count=1 sum=0x1p",
	"reals count=1 sum=0x1p-", "reals count=1 sum=0x1p0x", "reals count=1 sum=0x1p-1075",
	"reals count=1 sum=0x1p1025", "reals count=1 sum=0x1p99999999999999999999",
	"reals count=1 sum=0x1p0 squares=0x1p0", "reals count=1 min=1 max=1 sum=0x1p0",
	"moments count=1 squares=-0x1p0", "moments count=1 sum=0x2p0 squares=0x3p0",
	"moments count=2 sum=0x2p0 squares=0x1p0", "integers count=1 nan=1", "integers count=1 sum=0x1p-1",
	"integers count=1 sum=0x1p65", "integer-moments count=1 sum=0x2p0 squares=0x1p0",
	"pairs count=1 sum=0x1p0", "pairs count=1 nan=1", "pairs count=1 not-finite-x=2", "pairs count=1 not-finite-y=1 y=0x1p0",
	"pairs count=1 not-finite-x=1 xy=0x1p0", "pairs count=2 not-finite-x=1 xy=0x1p2190", "pairs xy=0x1p0",
	"pairs count=1 x=0x1p0 xx=0x1p0 y=0x1p0 yy=0x1p0 xy=0x2p0", "pairs count=1 x=0x1p0 xx=0x1p0 y=0x1p0 xy=0x1p0",
	"pairs count=2 x=0x1p0 xx=0x1p0 y=0x1p0 yy=0x1p0 xy=-0x1p0", "pairs count=1 min=1 max=1",
	"pairs count=2 not-finite-x=1 x=0x1p0 xx=0x1p0 y=0x1p0 yy=0x1p0 xy=0x3p0",
	"integers count=1 sum=0x1p63", "integers count=2 sum=-0x3p63", "integers count=4611686018427387904 sum=0x1p126",
	"integer-moments count=1 sum=0x1p0 squares=0x3p0", "integer-moments count=2 squares=0x3p126",
	"reals count=1 sum=0x1p1024", "reals count=3 -0=2 sum=0x3p1023", "moments count=2 -0=1 sum=0x1p1 squares=0x1p1",
	"moments count=1 sum=0x1p1023 squares=0x1p2048"}'::text[]) AS text;
SELECT text, error_of(format('SELECT gpu_stats %L', text)) AS gpu_stats
FROM unnest('{"reals", "pairs", "stats count=1 min=2 max=1 sum=0x1p0 squares=0x1p0", "stats min=1",
	"stats count=1 min=x", "stats count=1 min= 1", "stats count=2 nan=1 min=1 max=1", "stats count=1 nan=1 min=1 max=NaN",
	"stats count=1 min=1 max=1 sum=0x2p0 squares=0x1p0", "stats count=1 min=1 max=2 sum=0x1p0 squares=0x1p0",
	"stats count=1 -0=1 min=0 max=0", "stats count=2 -0=1 min=0 max=0", "stats count=2 -0=1 min=-0 max=-0", "stats count=1 min=-0 max=0",
	"stats count=2 -0=1 min=-1 max=-1 sum=-0x1p0 squares=0x1p0", "stats count=1 inf=1 min=1 max=Infinity",
	"stats count=1 -inf=1 min=-Infinity max=1", "stats count=2 inf=1 min=Infinity max=Infinity sum=0x1p0 squares=0x1p0",
	"stats count=1 min=Infinity max=Infinity", "stats count=1 nan=1 inf=1 min=Infinity max=NaN",
	"stats count=2 min=1 max=5 sum=0x7p0 squares=0x1ap0", "stats count=2 min=1 max=5 sum=0x3p1 squares=0x19p0",
	"stats count=3 min=1 max=5 sum=0x3p0 squares=0x3p0", "stats count=3 min=1 max=5 sum=0xbp1 squares=0x4bp0",
	"stats count=3 min=1 max=5 sum=0x9p0 squares=0x5p3", "stats count=3 min=1 max=5 sum=0x9p0 squares=0x11p1",
	"stats count=3 nan=1 min=1 max=NaN sum=0x1p-1 squares=0x1p0", "stats count=3 inf=1 min=1 max=Infinity sum=0x5p0 squares=0xdp0",
	"stats count=1 min=9.223372036854775e18 max=9.223372036854775e18 sum=0x1p63 squares=0x1p126"}'::text[]) AS text;
SELECT length(message) FROM (SELECT error_of(format('SELECT gpu_state %L', 'reals count=1 sum=0x' || repeat('1', 5000) || 'p0'))
	AS message) AS e;

-- Valid ones are accepted: summaries of any elements, and borderline figures.
SELECT count(*), count(*) FILTER (WHERE s::text::gpu_stats = s) AS same
FROM (SELECT gpu_stats(array_agg(v)) AS s
	FROM (SELECT i / (1 + noise(-i / 40) % 9) AS part, CASE noise(i + 3) % 11 WHEN 0 THEN '-0' WHEN 1 THEN 'Infinity' WHEN 2 THEN '-Infinity' WHEN 3 THEN 'NaN'
			ELSE (noise(i) - 134217728) * 10::float8 ^ (noise(i / 40) % 600 - 300) END AS v
		FROM generate_series(1, 4000) AS i WHERE noise(i + 3) % 11 > noise(i / 40) % 4) AS n GROUP BY part
	UNION ALL SELECT gpu_stats(array_agg((9223372036854775807 - noise(i)::bigint * noise(i + 1)) / (1 + noise(i + 2) % 2)
		* (1 - 2 * (noise(i + 5) % 2)) - (noise(i + 5) % 2))) FROM generate_series(1, 4000) AS i GROUP BY i / (1 + noise(-i / 40) % 5)
	UNION ALL SELECT gpu_stats(ARRAY[x, x - d]) FROM unnest('{9223372036854775807, -9223372036854774784, 9007199254740993, 9007199254740995}'::bigint[]) AS x,
		unnest('{0, 1, 511, 512, 513, 1023, 1024}'::bigint[]) AS d) AS t;
SELECT s::gpu_stats FROM unnest('{"stats count=3 min=1 max=5 sum=0x9p0 squares=0x23p0", "stats count=2 min=1 max=5 sum=0x3p1 squares=0x1ap0",
	"stats count=4 inf=1 -0=1 min=-0 max=Infinity sum=0x3p0 squares=0x5p0", "stats count=2 nan=1 min=1 max=NaN sum=0x1p0 squares=0x1p0",
	"stats count=9223372036854775807 -0=9223372036854775806 min=-5e-324 max=-0 sum=-0x1p-1074 squares=0x1p-2148"}'::text[]) AS s;

-- In a window frame, removals are checked only as far as that costs nothing; an
-- invalid state that results is not written.
CREATE AGGREGATE remove_all(double precision) (SFUNC = gpu_state_remove, STYPE = gpu_state, INITCOND = 'moments count=3 sum=0x3p1 squares=0x7p1');
SELECT v, error_of(format('SELECT remove_all(%L) OVER (ROWS UNBOUNDED PRECEDING)', v)) AS frame,
	error_of(format('SELECT gpu_state_var_pop(s) >= 0 FROM (SELECT remove_all(%L) OVER (ROWS UNBOUNDED PRECEDING)) AS t (s)', v)) AS result,
	error_of(format('SELECT (remove_all(%L) OVER (ROWS UNBOUNDED PRECEDING))::text', v)) AS written, error_of(format('SELECT remove_all(%L)', v)) AS grouped
FROM unnest('{3, 9, NaN}'::float8[]) AS v;
SELECT error_of('SELECT remove_all(v) OVER (ROWS UNBOUNDED PRECEDING) FROM unnest(''{1, 1, 1}''::float8[]) AS v');
DROP AGGREGATE remove_all(double precision);

-- Text with random changes is refused, or gives a state like any other.
CREATE FUNCTION use_state(text text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	s gpu_stats;
	used text;
BEGIN
	s := text;
	IF s::text::gpu_stats::text <> s::text THEN
		RETURN 'another state comes back';
	END IF;
	BEGIN
		used := format('%s %s %s %s %s', gpu_sum(s), gpu_avg(s), gpu_var_pop(s), gpu_stddev(s), gpu_sum_exact(s));
		used := _gpu_stats_merge(_gpu_stats_add(s, 1.5::real), s)::text::gpu_stats::text;
	EXCEPTION WHEN numeric_value_out_of_range THEN
	END;
	RETURN 'state';
EXCEPTION WHEN invalid_text_representation THEN
	RETURN 'refused';
END
$$;
SELECT use_state(overlay(text PLACING substr(' 0123456789abcdefpx=-.NInfms', 1 + noise(i) % 28, noise(i + 1) % 2)
	FROM 1 + noise(i + 2) % length(text) FOR noise(i + 3) % 3)) AS outcome, count(*) > 0 AS some
FROM generate_series(1, 4000) AS i,
	LATERAL (SELECT stats::text AS text FROM summary WHERE part = i % 7) AS s
GROUP BY outcome ORDER BY outcome;

-- Binary forms with changes.
CREATE FUNCTION receive(bytes bytea, type text, file text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	large oid;
	answer text;
BEGIN
	large := lo_from_bytea(0, '\x5047434f50590aff0d0a00' || '\x0000000000000000'::bytea || '\x0001'::bytea
		|| int4send(length(bytes)) || bytes || '\xffff'::bytea);
	PERFORM lo_export(large, file), lo_unlink(large);
	EXECUTE format('CREATE TEMP TABLE received (s %s)', type);
	EXECUTE format('COPY received FROM %L (FORMAT binary)', file);
	EXECUTE 'SELECT s::text FROM received' INTO answer;
	DROP TABLE received;
	RETURN answer;
EXCEPTION WHEN invalid_binary_representation OR protocol_violation THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;
SELECT what, receive(bytes, type, :'file')
FROM (SELECT _gpu_state_send('reals count=1 sum=0x3p0') AS b, _gpu_stats_send('stats count=1 min=3 max=3 sum=0x3p0 squares=0x9p0') AS s) AS t,
	LATERAL (VALUES
		('the same', 'gpu_state', b), ('a summary', 'gpu_stats', s), ('of the other type', 'gpu_state', s),
		('of no kind', 'gpu_state', set_byte(b, 0, 9)), ('count', 'gpu_state', set_byte(b, 1, 255)),
		('special', 'gpu_state', set_byte(b, 10, 1)), ('sign', 'gpu_state', set_byte(b, 57, 2)),
		('first', 'gpu_state', set_byte(b, 58, 255)), ('words', 'gpu_state', set_byte(b, 60, 1)),
		('too long', 'gpu_state', b || '\x00'::bytea), ('too short', 'gpu_state', substr(b, 1, 40)),
		('empty', 'gpu_state', ''::bytea), ('a zero', 'gpu_state', overlay(b PLACING '\x00000000'::bytea FROM 63)))
	AS o (what, type, bytes);
SELECT left(receive(CASE WHEN i % 3 = 0 THEN substr(b, 1, noise(i) % length(b))
		ELSE set_byte(b, noise(i) % length(b), noise(i + 1) % 256) END, 'gpu_stats', :'file'), 5) AS outcome, count(*) > 0 AS some
FROM generate_series(1, 400) AS i, LATERAL (SELECT _gpu_stats_send(stats) AS b FROM summary WHERE part = i % 7) AS s
GROUP BY 1 ORDER BY 1;

-- Summaries are equal if their figures are, whatever they take in memory.
CREATE TABLE held AS
SELECT i, gpu_stats(array_agg(v)) AS s FROM generate_series(0, 199) AS i, LATERAL (SELECT noise(i % 50 + 100 * j) * 10::float8 ^ (i % 50 - 25) AS v
	FROM generate_series(1, 1 + i % 7) AS j) AS n WHERE i % 50 % 7 = i % 7 GROUP BY i
UNION ALL SELECT i, _gpu_stats_add(_gpu_stats_add(gpu_stats(ARRAY[1e300::float8]), 1e-300::float8), i % 2) FROM generate_series(200, 220) AS i
UNION ALL SELECT 300, NULL UNION ALL SELECT 301, NULL;
SELECT count(*), count(DISTINCT s), count(DISTINCT s::text) AS texts FROM held;
SELECT a = b AS equal, a <> b AS differ, pg_column_size(a) = pg_column_size(b) AS same_size, a <= b AND a >= b AS neither
FROM (SELECT _gpu_stats_add(_gpu_stats_add(gpu_stats(ARRAY[1e300::float8]), 1e-300::float8), 7) AS a, gpu_stats('{7, 1e300, 1e-300}'::float8[]) AS b) AS t;
SELECT a, b, a = b AS "=", a < b AS "<", a > b AS ">", _gpu_stats_hash(a) = _gpu_stats_hash(b) AS hash
FROM (VALUES (gpu_stats('{0}'::float8[]), gpu_stats('{-0}'::float8[])), (gpu_stats('{1}'::integer[]), gpu_stats('{1}'::float8[])),
	(gpu_stats('{1,2}'::real[]), gpu_stats('{2,1}'::bigint[])), (gpu_stats('{NaN}'::real[]), gpu_stats('{NaN}'::float8[]))) AS t (a, b);
CREATE FUNCTION plan_has(query text, node text) RETURNS boolean LANGUAGE plpgsql AS
$$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line LIKE '%' || node || '%' THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END
$$;
SET max_parallel_workers_per_gather = 0;
ANALYZE held;
CREATE FUNCTION ask(way text, node text) RETURNS TABLE (query text, answer text, as_meant boolean) LANGUAGE plpgsql AS
$$
BEGIN
	PERFORM set_config(name, (way = 'hash')::text, true) FROM unnest('{enable_hashagg,enable_hashjoin}'::text[]) AS name;
	PERFORM set_config(name, (way = 'sort')::text, true) FROM unnest('{enable_sort,enable_mergejoin}'::text[]) AS name;
	PERFORM set_config('enable_nestloop', 'off', true);
	FOREACH query IN ARRAY '{"SELECT DISTINCT s FROM held", "SELECT s, count(*) FROM held GROUP BY s", "SELECT s FROM held UNION SELECT s FROM held",
		"SELECT s FROM held EXCEPT SELECT s FROM held WHERE i < 20", "SELECT s FROM held INTERSECT SELECT s FROM held WHERE i < 20",
		"SELECT 1 FROM held AS a JOIN held AS b ON a.s = b.s"}'::text[] LOOP
		EXECUTE 'SELECT count(*) FROM (' || query || ') AS q' INTO answer;
		as_meant := plan_has(query, node);
		RETURN NEXT;
	END LOOP;
END
$$;
BEGIN;
SELECT * FROM ask('sort', 'Sort');
SELECT * FROM ask('hash', 'Hash');
COMMIT;
RESET max_parallel_workers_per_gather;
SELECT count(*) FROM held AS a JOIN held AS b ON a.s::text = b.s::text;
-- An index on them; a key.
CREATE TABLE keyed (s gpu_stats PRIMARY KEY);
INSERT INTO keyed SELECT s FROM held WHERE s IS NOT NULL ON CONFLICT DO NOTHING;
SET enable_seqscan = off;
SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM held WHERE held.s = keyed.s)) AS found FROM keyed;
SELECT plan_has('SELECT FROM keyed WHERE s = gpu_stats(ARRAY[1])', 'Index') AS by_index;
RESET enable_seqscan;
CREATE INDEX ON held USING hash (s);
-- hash partitions use hash values of 64 bits
CREATE TABLE parts (s gpu_stats) PARTITION BY HASH (s);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT s FROM keyed;
SELECT count(*), count(DISTINCT tableoid) FROM parts;

-- Rows of wide summaries are stored compressed, or out of line; whoever uses
-- them does not notice.
CREATE AGGREGATE pair_state(double precision, double precision) (SFUNC = gpu_state_add, STYPE = gpu_state, INITCOND = 'pairs');
CREATE TABLE wide (part integer, a gpu_stats, b gpu_stats, c gpu_stats, d gpu_stats, e gpu_stats, p gpu_state);
INSERT INTO wide SELECT part, s, s, s, s, s, p
FROM (SELECT i % 3 AS part, gpu_stats_agg(v) AS s, pair_state(v, v) AS p
	FROM (SELECT i, noise(i) * 10::float8 ^ (i % 600 - 300) AS v FROM generate_series(1, 2000) AS i) AS n GROUP BY i % 3) AS t;
SELECT part, a = e AS same, pg_column_size(a) < 1600 AS compressed, gpu_sum(a) = gpu_sum(gpu_rollup(e) OVER (PARTITION BY part)) AS sums,
	_gpu_stats_add(a, 1) = _gpu_stats_merge(gpu_stats(ARRAY[1]), b) AS added, gpu_min(c) = gpu_min(d) AS least,
	a = e::text::gpu_stats AS text, gpu_state_corr(p), _gpu_state_send(p) = _gpu_state_send(gpu_state_merge('pairs', p)) AS state
FROM wide ORDER BY part;
ALTER TABLE wide ALTER COLUMN a SET STORAGE EXTERNAL, ALTER COLUMN p SET STORAGE EXTERNAL;
INSERT INTO wide SELECT part + 3, a, b, c, d, e, p FROM wide;
SELECT count(DISTINCT a), count(DISTINCT e), gpu_count(gpu_rollup(a)), gpu_rollup(a) = gpu_rollup(e) AS same FROM wide;
DROP AGGREGATE pair_state(double precision, double precision);

DROP TABLE numbers, summary, restored, state, held, keyed, parts, wide;
DROP FUNCTION plan_has, ask;
DROP FUNCTION use_state, receive;
RESET extra_float_digits;
