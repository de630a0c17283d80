-- What the tests of reports over tables share.

-- A query's rows, in its own order or in any, by this setting of gpuscan.reports; or
-- the error that its values raise.  (A test raises an internal one.)
CREATE FUNCTION answer(query text, reports text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows text;
BEGIN
	PERFORM set_config('gpuscan.reports', reports, false);
	EXECUTE format(CASE WHEN query ~ ' ORDER BY [^()]*$'
		THEN 'SELECT string_agg(r::text, '';'') FROM (%s) AS r'
		ELSE 'SELECT string_agg(r::text, '';'' ORDER BY r::text COLLATE "C") FROM (%s) AS r' END, query) INTO rows;
	RETURN rows;
EXCEPTION WHEN data_exception OR internal_error THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;

-- Who gave the answer: the service, the ordinary plan of a report, with the
-- reason, or that of the query?  Or which error its values raise.
CREATE FUNCTION made_by(query text, reports text DEFAULT 'exact') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('gpuscan.reports', reports, false);
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN CASE WHEN plan::text NOT LIKE '%GpuscanReport%' THEN 'query'
		WHEN plan::text LIKE '%"Ordinary Plans":%' THEN 'ordinary plan: ' || (regexp_match(plan::text, '"Reason": "(?:as found before: )?([^"]*)"'))[1]
		ELSE 'service' END;
EXCEPTION WHEN data_exception OR internal_error THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;

-- A query's plan without what server versions show differently, and without lines of
-- these names.
CREATE FUNCTION explained(query text, left_out text DEFAULT NULL) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		CONTINUE WHEN line ~ '^ *(Window|Join Filter|Sort Key):' OR line ~ format('^ *%s:', left_out);
		RETURN NEXT line;
	END LOOP;
END
$$;

-- A table of 5,000 rows with keys below this number, or 5000.  For the latter, what q is
-- computed of raises an error, since 18 whenever somebody reads it.
CREATE FUNCTION make_derived(keys integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'CREATE TABLE derived (k int, x int, q int GENERATED ALWAYS AS ' ||
		CASE WHEN current_setting('server_version_num')::integer < 180000 THEN '(100 / nullif(x, 0)) STORED)' ELSE '(100 / x) VIRTUAL)' END;
	INSERT INTO derived SELECT CASE WHEN i % 100 < keys THEN i % 100 ELSE 5000 END, CASE WHEN i % 100 < keys THEN i % 7 + 1 ELSE 0 END FROM generate_series(1, 5000) AS i;
END
$$;
