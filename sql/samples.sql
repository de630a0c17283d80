-- What the other tests share: data, and functions that compare gpuscan's
-- results over it with those of PostgreSQL's own aggregates.  A comparison
-- gives 'N equal', or the names of the samples that differ.

-- A number below 2^28 that looks random, the same on every run.
CREATE FUNCTION noise(i integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT ('x' || left(md5(i::text), 7))::bit(28)::integer $$;

-- A query's result, or its error without detail.
CREATE FUNCTION result_or_error(query text) RETURNS text LANGUAGE plpgsql AS
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

-- The error that a statement raises: SQLSTATE, message, detail and hint.  Of a function that does not exist, the last two are different before version 19.
CREATE FUNCTION error_of(statement text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	state text;
	message text;
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS
		state = RETURNED_SQLSTATE,
		message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL,
		hint = PG_EXCEPTION_HINT;
	RETURN CASE WHEN state = '42883' THEN state || ': ' || message ELSE concat_ws(E'\n', state || ': ' || message,
					 'DETAIL: ' || nullif(detail, ''),
					 'HINT: ' || nullif(hint, '')) END;
END
$$;

-- The value of a double, or of a bigint, to its last bit.
CREATE FUNCTION exact(v double precision) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS
$$
DECLARE
	bits bigint := ('x' || encode(float8send(v), 'hex'))::bit(64)::bigint;
	exponent integer := greatest((bits >> 52)::integer & 2047, 1) - 1075;
	value numeric := bits & 4503599627370495;
BEGIN
	IF bits & 9218868437227405312 <> 0 THEN
		value := value + 4503599627370496;
	END IF;
	FOR i IN 1 .. abs(exponent) / 27 LOOP	-- 2^27, 5^27
		value := value * CASE WHEN exponent > 0 THEN 134217728 ELSE 7450580596923828125 END;
	END LOOP;
	FOR i IN 1 .. abs(exponent) % 27 LOOP
		value := value * CASE WHEN exponent > 0 THEN 2 ELSE 5 END;
	END LOOP;
	IF exponent < 0 THEN
		value := value * ('1e' || exponent)::numeric;
	END IF;
	RETURN CASE WHEN bits < 0 THEN -value ELSE value END;
END
$$;
CREATE FUNCTION exact(v bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT v::numeric $$;

-- percentile_cont of sorted elements as it should be: the position is computed in
-- double precision, as the built-in one does, but the interpolation is exact and
-- rounded once.
CREATE FUNCTION interpolated(ordered anyarray, fraction double precision)
RETURNS double precision
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS
$$
DECLARE
	place double precision := fraction * (cardinality(ordered) - 1);
	low double precision := ordered[1 + floor(place)::integer];
	high double precision := ordered[1 + ceil(place)::integer];
	value numeric;
BEGIN
	IF place = floor(place) THEN
		RETURN low;
	ELSIF high = 'NaN' OR low = '-Infinity' AND high = 'Infinity' THEN
		RETURN 'NaN';
	ELSIF low = '-Infinity' OR high = 'Infinity' THEN
		RETURN CASE WHEN low = '-Infinity' THEN low ELSE high END;
	END IF;
	value := exact(ordered[1 + floor(place)::integer]);
	value := value + exact(place - floor(place))
		* (exact(ordered[1 + ceil(place)::integer]) - value);
	-- below half the least double
	RETURN CASE WHEN abs(value) < 2.47e-324 THEN 0 ELSE value END;
END
$$;

-- bit_xor, which PostgreSQL 13 does not have.
CREATE AGGREGATE xor_of(smallint) (SFUNC = int2xor, STYPE = smallint);
CREATE AGGREGATE xor_of(integer) (SFUNC = int4xor, STYPE = integer);
CREATE AGGREGATE xor_of(bigint) (SFUNC = int8xor, STYPE = bigint);

-- The element types.  "value" makes one of an integer k between -1000 and
-- 1000, so that sums of them are exact in double precision, though not in real;
-- "total" is the window aggregate that gpu_cumsum and gpu_sum must equal.
CREATE TABLE types (
	ord integer,
	type text PRIMARY KEY,
	family text,
	value text,
	total text);
INSERT INTO types VALUES
	(1, 'smallint', 'integer', 'k::smallint', 'sum(v) OVER w'),
	(2, 'integer', 'integer', 'k * 10007', 'sum(v) OVER w'),
	(3, 'bigint', 'integer', 'k * 1000000007::bigint', 'sum(v) OVER w'),
	(4, 'real', 'float', '(k * 16381 / 8.0)::real',
	 '(sum(v::double precision) OVER w)::real'),
	(5, 'double precision', 'float', 'k * 1000003 / 8::double precision',
	 'sum(v) OVER w'),
	(6, 'boolean', 'boolean', 'k % 3 <> 0', NULL);

-- Arrays, an element a row.  "head" starts a new run where it is true; "run"
-- is the number of the run.
CREATE TABLE samples (sample text, i integer, k integer, head boolean,
					  run integer);

CREATE FUNCTION add_sample(sample text, n integer, k text) RETURNS void
LANGUAGE plpgsql AS
$$
BEGIN
	EXECUTE format('
		INSERT INTO samples
		SELECT %L, i, k, head, count(*) FILTER (WHERE head) OVER (ORDER BY i)
		FROM (SELECT i, %s AS k, CASE noise(i + 5000) %% 12
								WHEN 0 THEN true WHEN 1 THEN NULL
								ELSE false END AS head
			  FROM generate_series(1, %s) AS i) AS s', sample, k, n);
END
$$;

SELECT add_sample('one', 1, '5');
SELECT add_sample('one NULL', 1, 'NULL::integer');
SELECT add_sample('two', 2, '3 - 2 * i');
SELECT add_sample('all NULL', 100, 'NULL::integer');
SELECT add_sample('no NULL', 200, 'noise(i) % 2001 - 1000');
SELECT add_sample('some NULL', 200,
	'CASE WHEN noise(-i) % 3 > 0 THEN noise(i) % 2001 - 1000 END');
SELECT add_sample('leading NULL', 200,
	'CASE WHEN i > 70 THEN noise(i) % 2001 - 1000 END');
SELECT add_sample('trailing NULL', 200,
	'CASE WHEN i < 70 THEN noise(i) % 2001 - 1000 END');
SELECT add_sample('one value', 200, 'CASE WHEN i = 130 THEN -1 END');
SELECT add_sample('constant', 150, '-7');
SELECT add_sample('ascending', 150, 'i - 75');
SELECT add_sample('descending', 150, '75 - i');
SELECT add_sample('two thousand', 2000,
	'CASE WHEN noise(-i) % 7 > 0 THEN noise(i) % 2001 - 1000 END');

-- The window aggregate that each scan must equal, what stands for it in an
-- exclusive scan as long as nothing has come before, and the reduction that
-- the scan's last element is.  TOTAL stands for types.total.
CREATE TABLE scans (
	ord integer,
	scan text PRIMARY KEY,
	families text[],
	aggregate text,
	nothing text,
	reduction text);
INSERT INTO scans VALUES
	(1, 'gpu_cumsum', '{integer, float}', 'TOTAL', '0', 'gpu_sum'),
	(2, 'gpu_cumcount', '{integer, float}', 'count(v) OVER w', '0',
	 'gpu_count'),
	(3, 'gpu_cummin', '{integer, float}', 'min(v) OVER w', 'NULL', 'gpu_min'),
	(4, 'gpu_cummax', '{integer, float}', 'max(v) OVER w', 'NULL', 'gpu_max'),
	(5, 'gpu_cumbit_and', '{integer}', 'bit_and(v) OVER w', 'NULL',
	 'gpu_bit_and'),
	(6, 'gpu_cumbit_or', '{integer}', 'bit_or(v) OVER w', 'NULL',
	 'gpu_bit_or'),
	(9, 'gpu_cumbit_xor', '{integer}', 'xor_of(v) OVER w', 'NULL',
	 'gpu_bit_xor'),
	(7, 'gpu_cumbool_and', '{boolean}', 'bool_and(v) OVER w', 'NULL',
	 'gpu_bool_and'),
	(8, 'gpu_cumbool_or', '{boolean}', 'bool_or(v) OVER w', 'NULL',
	 'gpu_bool_or');

-- Arrays and what a scan of them must give, from a table like samples.
-- "partition" says where runs start, as SQL: '', '(i - 1) / 7' or 'run'.  The
-- window sorts the rows by it and i, so they come in order.
CREATE FUNCTION expected_scan(scan text, type text, source text,
							  exclusive boolean, partition text)
RETURNS text LANGUAGE sql AS
$$
	SELECT format('
		SELECT sample, array_agg(v) AS a, array_agg(head) AS heads,
			array_agg(e) AS e
		FROM (SELECT sample, v, head, coalesce(%s, %s) AS e
			  FROM (SELECT *, %s AS v FROM %s) AS data
			  WINDOW w AS (PARTITION BY %s ORDER BY i
				ROWS BETWEEN UNBOUNDED PRECEDING AND %s)) AS scanned
		GROUP BY sample',
		replace(s.aggregate, 'TOTAL', coalesce(t.total, '')),
		CASE WHEN exclusive THEN s.nothing ELSE 'NULL' END,
		t.value, source, concat_ws(', ', 'sample', nullif(partition, '')),
		CASE WHEN exclusive THEN '1 PRECEDING' ELSE 'CURRENT ROW' END)
	FROM scans AS s, types AS t
	WHERE s.scan = expected_scan.scan AND t.type = expected_scan.type
$$;

-- Compare a scan with its window aggregate on all samples.
CREATE FUNCTION compare_scan(scan text, type text, exclusive boolean,
							 partition text, options text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(sample, '', '' ORDER BY sample)
							FILTER (WHERE r::text IS DISTINCT FROM e::text),
						count(*) || '' equal'')
		FROM (SELECT sample, e, %s(%s) AS r FROM (%s) AS arrays) AS compared',
		scan, concat_ws(', ', 'a', 'exclusive => ' || exclusive,
						nullif(options, '')),
		expected_scan(scan, type, 'samples', exclusive, partition))
	INTO answer;
	RETURN answer;
END
$$;

-- Compare a reduction with an aggregate over v and i on all samples.
CREATE FUNCTION compare_reduction(reduction text, type text, aggregate text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(sample, '', '' ORDER BY sample)
							FILTER (WHERE r::text IS DISTINCT FROM e::text),
						count(*) || '' equal'')
		FROM (SELECT sample, %s(array_agg(v ORDER BY i)) AS r, %s AS e
			  FROM (SELECT sample, i, %s AS v FROM samples) AS data
			  GROUP BY sample) AS compared',
		reduction, aggregate,
		(SELECT t.value FROM types AS t WHERE t.type = compare_reduction.type))
	INTO answer;
	RETURN answer;
END
$$;

-- Of each type, the first few values of a sample.
SELECT type, error_of(format('SELECT (%s)::%s FROM samples', value, type))
FROM types ORDER BY ord;
SELECT sample, count(*), count(k), sum(k), count(*) FILTER (WHERE head) AS heads
FROM samples GROUP BY sample ORDER BY sample COLLATE "C";
