-- Reductions against aggregates, for every type.
SET extra_float_digits = 1;

-- Reductions that are the last element of a scan: against the scan's aggregate.
SELECT reduction, type,
	compare_reduction(reduction, type,
		replace(replace(aggregate, 'TOTAL', coalesce(total, '')), 'OVER w', ''))
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;

SELECT reduction, type, compare_reduction(reduction, type, aggregate)
FROM (VALUES
	(2, 'gpu_argmin',
	 '(array_agg(i ORDER BY v, i) FILTER (WHERE v IS NOT NULL))[1]',
	 '{integer, float}'),
	(3, 'gpu_argmax',
	 '(array_agg(i ORDER BY v DESC, i) FILTER (WHERE v IS NOT NULL))[1]',
	 '{integer, float}'),
	(4, 'gpu_avg', 'avg(v)', '{integer}'),
	(5, 'gpu_avg', 'avg(v::double precision)', '{float}'))
	AS r (ord, reduction, aggregate, families)
JOIN types ON family = ANY (families::text[])
ORDER BY r.ord, types.ord;

-- Variances of integers: the built-in ones, to the last digit shown.
SELECT reduction, type,
	compare_reduction('gpu_' || reduction, type, reduction || '(v)')
FROM (VALUES (1, 'var_pop'), (2, 'var_samp'), (3, 'variance'),
	(4, 'stddev_pop'), (5, 'stddev_samp'), (6, 'stddev')) AS r (ord, reduction)
JOIN types ON family = 'integer'
ORDER BY r.ord, types.ord;

-- Of floats: the exact variance, by numeric to 60 places, rounded once; its
-- root, to 60 places before it is rounded.
SELECT reduction, type,
	compare_reduction(reduction, type, format(CASE
		WHEN reduction LIKE '%stddev%' THEN 'sqrt(%s)::float8' ELSE '%s::float8' END, format(
		'((count(v) * sum(v::float8::numeric * v::float8::numeric)
		   - sum(v::float8::numeric) * sum(v::float8::numeric))::numeric(1000, 60)
		  / nullif(count(v) * (count(v) - %s), 0))',
		CASE WHEN reduction LIKE '%pop' THEN 0 ELSE 1 END)))
FROM (VALUES (1, 'gpu_var_pop'), (2, 'gpu_var_samp'), (3, 'gpu_variance'),
	(4, 'gpu_stddev_pop'), (5, 'gpu_stddev_samp'), (6, 'gpu_stddev'))
	AS r (ord, reduction)
JOIN types ON family = 'float'
ORDER BY r.ord, types.ord;

-- Empty arrays, and the types of the results.
CREATE FUNCTION of_empty(reduction text, type text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('SELECT format(''%%s %%s %%s'', pg_typeof(%1$s(''{}''::%2$s[])),
		coalesce(%1$s(''{}''::%2$s[])::text, ''NULL''),
		coalesce(%1$s(NULL::%2$s[])::text, ''NULL''))', reduction, type)
	INTO answer;
	RETURN answer;
END
$$;

SELECT r AS "reduction of {}, of NULL", of_empty(r, 'smallint') AS smallint,
	of_empty(r, 'integer') AS integer, of_empty(r, 'bigint') AS bigint
FROM unnest('{gpu_count, gpu_sum, gpu_avg, gpu_min, gpu_max, gpu_argmin,
	gpu_argmax, gpu_product, gpu_var_pop, gpu_var_samp, gpu_variance,
	gpu_stddev_pop, gpu_stddev_samp, gpu_stddev, gpu_bit_and, gpu_bit_or,
	gpu_bit_xor}'::text[]) AS r;
SELECT r AS "reduction of {}, of NULL", of_empty(r, 'real') AS real,
	of_empty(r, 'double precision') AS double
FROM unnest('{gpu_count, gpu_sum, gpu_avg, gpu_min, gpu_max, gpu_argmin,
	gpu_argmax, gpu_product, gpu_var_pop, gpu_var_samp, gpu_variance,
	gpu_stddev_pop, gpu_stddev_samp, gpu_stddev}'::text[]) AS r;
SELECT of_empty('gpu_bool_and', 'boolean'), of_empty('gpu_bool_or', 'boolean');

-- The ends of each integer type.
SELECT gpu_sum(a), gpu_avg(a), gpu_min(a), gpu_max(a), gpu_argmin(a),
	gpu_argmax(a)
FROM (SELECT '{32767, -32768, 32767, NULL, -32768}'::smallint[] AS a) AS s;
SELECT gpu_sum(a), gpu_avg(a), gpu_min(a), gpu_max(a), gpu_argmin(a),
	gpu_argmax(a)
FROM (SELECT '{2147483647, 2147483647, -2147483648, 2147483647}'::integer[]
	AS a) AS s;
SELECT gpu_sum(a), gpu_avg(a), gpu_min(a), gpu_max(a), gpu_argmin(a),
	gpu_argmax(a)
FROM (SELECT '{9223372036854775807, 9223372036854775807, 9223372036854775807,
	-9223372036854775808}'::bigint[] AS a) AS s;
SELECT gpu_sum(array_fill(9223372036854775807, ARRAY[1000])),
	gpu_sum(array_fill(-9223372036854775808, ARRAY[1000])),
	gpu_avg(array_fill(-9223372036854775808, ARRAY[1000]));

-- The built-in variances of the largest integers there are.
CREATE TABLE extremes (a bigint[]);
INSERT INTO extremes VALUES
	('{9223372036854775807}'),
	('{9223372036854775807, -9223372036854775808}'),
	('{-9223372036854775808, -9223372036854775808, -9223372036854775807}'),
	('{9223372036854775807, -9223372036854775808, 0, 1, NULL, -1}'),
	('{4611686018427387904, 4611686018427387903, 4611686018427387905}');
INSERT INTO extremes SELECT array_agg(CASE WHEN noise(i) % 2 = 0
	THEN 9223372036854775807 - i ELSE -9223372036854775808 + i END)
FROM generate_series(1, 1000) AS i;
SELECT cardinality(a),
	gpu_sum(a)::text = s::text AS sum, gpu_avg(a)::text = m::text AS avg,
	gpu_var_pop(a)::text = vp::text AS var_pop,
	gpu_var_samp(a)::text IS NOT DISTINCT FROM vs::text AS var_samp,
	gpu_stddev_pop(a)::text = sp::text AS stddev_pop,
	gpu_stddev_samp(a)::text IS NOT DISTINCT FROM ss::text AS stddev_samp
FROM extremes, LATERAL (SELECT sum(v) AS s, avg(v) AS m, var_pop(v) AS vp,
	var_samp(v) AS vs, stddev_pop(v) AS sp, stddev_samp(v) AS ss
	FROM unnest(a) AS v) AS builtin;

-- The last digits, on many small arrays of numbers of every magnitude.
SELECT length, count(*) AS arrays, count(*) FILTER (
	WHERE gpu_avg(a)::text IS DISTINCT FROM m::text
	OR gpu_var_pop(a)::text IS DISTINCT FROM vp::text
	OR gpu_var_samp(a)::text IS DISTINCT FROM vs::text
	OR gpu_stddev_pop(a)::text IS DISTINCT FROM sp::text
	OR gpu_stddev_samp(a)::text IS DISTINCT FROM ss::text) AS different
FROM generate_series(1, 7) AS length, generate_series(1, 700) AS id,
	LATERAL (SELECT array_agg(v) AS a, avg(v) AS m, var_pop(v) AS vp,
				var_samp(v) AS vs, stddev_pop(v) AS sp, stddev_samp(v) AS ss
			 FROM (SELECT noise(id * 10 + i)
						* 10::bigint ^ (noise(-id) % 11) / 2 ^ (noise(id) % 28)
						AS f FROM generate_series(1, length) AS i) AS s,
				LATERAL (SELECT f::bigint AS v) AS t) AS builtin
GROUP BY length ORDER BY length;

-- Readable examples.
SELECT gpu_count(ARRAY[1, NULL, 2]), gpu_sum(ARRAY[1, NULL, 2]),
	gpu_avg(ARRAY[1, NULL, 2]), gpu_argmax(ARRAY[1, NULL, 2]);
SELECT gpu_avg(ARRAY[0.5, 0.25]::real[]), gpu_sum(ARRAY[0.5, 0.25]::real[]),
	gpu_var_samp(ARRAY[1, 2, 3, 4]::real[]),
	gpu_var_pop(ARRAY[1, 2, 3, 4]::double precision[]),
	gpu_stddev_pop(ARRAY[2, 4, 4, 4, 5, 5, 7, 9]::double precision[]);
SELECT gpu_var_pop(ARRAY[5]), gpu_var_samp(ARRAY[5]), gpu_stddev_pop(ARRAY[5]),
	gpu_stddev(ARRAY[5]), gpu_var_pop(ARRAY[0.1]::real[]),
	gpu_var_samp(ARRAY[0.1]::real[]), gpu_stddev_pop(ARRAY[0.1]::real[]),
	gpu_stddev(ARRAY[0.1]::real[]);
SELECT gpu_bit_and(ARRAY[-1, 12, NULL, 10]), gpu_bit_or(ARRAY[12, NULL, 10]),
	gpu_bit_xor(ARRAY[12, NULL, 10]), gpu_bool_and(ARRAY[true, NULL, true]),
	gpu_bool_and(ARRAY[true, NULL, false]), gpu_bool_or(ARRAY[false, NULL]),
	gpu_bool_or(ARRAY[NULL, false, true]);

DROP FUNCTION of_empty;
DROP TABLE extremes;
