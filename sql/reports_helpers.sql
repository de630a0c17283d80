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
CREATE FUNCTION explained(query text, left_out text DEFAULT 'Sort Key') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		CONTINUE WHEN line ~ format('^ *(Window|Join Filter|Sort Key|%s):', left_out);
		RETURN NEXT line;
	END LOOP;
END
$$;
