-- Loads the demo's data from standard input: as rows, and as series.
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;

CREATE EXTENSION gpuscan;

CREATE TABLE flight
(
	n			integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	departure	timestamp NOT NULL,
	delay		integer NOT NULL,
	distance	integer NOT NULL,
	origin		text NOT NULL,
	destination	text NOT NULL
);
\copy flight (departure, delay, distance, origin, destination) FROM pstdin WITH (FORMAT csv, HEADER)
VACUUM ANALYZE flight;

CREATE TABLE month
(
	delay			integer[],
	distance		integer[],
	first_of_day	boolean[],
	last_of_day		boolean[]
);
-- uncompressed, so that nothing has to be decompressed
ALTER TABLE month
	ALTER delay SET STORAGE EXTERNAL,
	ALTER distance SET STORAGE EXTERNAL,
	ALTER first_of_day SET STORAGE EXTERNAL,
	ALTER last_of_day SET STORAGE EXTERNAL;

SELECT clock_timestamp() AS start \gset
INSERT INTO month
SELECT array_agg(delay), array_agg(distance), array_agg(first), array_agg(last)
FROM (SELECT delay, distance,
		lag(departure::date) OVER w IS DISTINCT FROM departure::date AS first,
		lead(departure::date) OVER w IS DISTINCT FROM departure::date AS last
	FROM flight
	WINDOW w AS (ORDER BY n)
	ORDER BY n) AS f;
CREATE TABLE arrays_made AS
	SELECT 1000 * extract(epoch FROM clock_timestamp() - :'start')::numeric AS ms;
