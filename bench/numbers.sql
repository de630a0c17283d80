-- A pseudorandom number in [0, 1), reproducible outside the server: two rounds
-- of a multiplicative hash of i.  The server inlines the call.
CREATE FUNCTION mixed(x bigint, shift integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
	AS 'SELECT x # (x >> shift)';
CREATE FUNCTION number(i integer) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
	AS 'SELECT mixed(mixed(i::bigint * 2654435769 & 4294967295, 15) * 2135587861 & 4294967295, 13) / 4294967296::double precision';
