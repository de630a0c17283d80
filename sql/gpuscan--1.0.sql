/*
 * gpuscan 1.0
 *
 * Overloads of a function share one C symbol, which looks at the element type
 * of its array; gpu_filter has one for either type of bound.  A function over
 * numeric[] exists only to say that there is none: an array of numeric would
 * else be taken for one of double precision.
 *
 * COST is that of an array of some ten thousand elements.
 */

\echo Use "CREATE EXTENSION gpuscan" to load this file. \quit

/*
 * Reductions
 */

CREATE FUNCTION gpu_count(arr smallint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_count(smallint[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr integer[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_count(integer[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_count(bigint[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr real[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_count(real[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr double precision[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_count(double precision[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr numeric[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_sum(arr smallint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_sum(smallint[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr integer[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_sum(integer[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_sum(bigint[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_sum(real[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_sum(double precision[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sum(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_avg(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_avg(smallint[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_avg(integer[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_avg(bigint[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_avg(real[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_avg(double precision[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_avg(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_min(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_min(smallint[]) IS 'least element';

CREATE FUNCTION gpu_min(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_min(integer[]) IS 'least element';

CREATE FUNCTION gpu_min(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_min(bigint[]) IS 'least element';

CREATE FUNCTION gpu_min(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_min(real[]) IS 'least element';

CREATE FUNCTION gpu_min(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_min(double precision[]) IS 'least element';

CREATE FUNCTION gpu_min(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_min(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_max(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_max(smallint[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_max(integer[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_max(bigint[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_max(real[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_max(double precision[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_max(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_argmin(arr smallint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmin(smallint[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmin(integer[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmin(bigint[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr real[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmin(real[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr double precision[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmin(double precision[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr numeric[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmin(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_argmax(arr smallint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmax(smallint[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmax(integer[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmax(bigint[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr real[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmax(real[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr double precision[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmax(double precision[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr numeric[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmax(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_product(arr smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_product(smallint[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_product(integer[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_product(bigint[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_product(real[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_product(double precision[]) IS
	'product of the elements';

CREATE FUNCTION gpu_product(arr numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_product(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_var_pop(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_pop(smallint[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_pop(integer[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_pop(bigint[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_pop(real[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_pop(double precision[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_pop(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_var_samp(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_samp(smallint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_samp(integer[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_samp(bigint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_samp(real[]) IS 'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_samp(double precision[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_samp(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_variance(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_variance(smallint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_variance(integer[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_variance(bigint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_variance(real[]) IS 'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_variance(double precision[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_variance(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_stddev_pop(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_pop(smallint[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_pop(integer[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_pop(bigint[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_pop(real[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_pop(double precision[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_pop(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_stddev_samp(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_samp(smallint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_samp(integer[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_samp(bigint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_samp(real[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr double precision[])
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_samp(double precision[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_samp(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_stddev(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev(smallint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev(integer[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev(bigint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev(real[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev(double precision[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_bit_and(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_bit_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_and(smallint[]) IS 'bitwise and of the elements';

CREATE FUNCTION gpu_bit_and(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_bit_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_and(integer[]) IS 'bitwise and of the elements';

CREATE FUNCTION gpu_bit_and(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_bit_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_and(bigint[]) IS 'bitwise and of the elements';

CREATE FUNCTION gpu_bit_or(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_bit_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_or(smallint[]) IS 'bitwise or of the elements';

CREATE FUNCTION gpu_bit_or(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_bit_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_or(integer[]) IS 'bitwise or of the elements';

CREATE FUNCTION gpu_bit_or(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_bit_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_or(bigint[]) IS 'bitwise or of the elements';

CREATE FUNCTION gpu_bit_xor(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_bit_xor'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_xor(smallint[]) IS
	'bitwise exclusive or of the elements';

CREATE FUNCTION gpu_bit_xor(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_bit_xor'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_xor(integer[]) IS
	'bitwise exclusive or of the elements';

CREATE FUNCTION gpu_bit_xor(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_bit_xor'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bit_xor(bigint[]) IS
	'bitwise exclusive or of the elements';

CREATE FUNCTION gpu_bool_and(arr boolean[]) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_bool_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bool_and(boolean[]) IS 'whether all elements are true';

CREATE FUNCTION gpu_bool_or(arr boolean[]) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_bool_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_bool_or(boolean[]) IS 'whether any element is true';

/*
 * Scans
 */

CREATE FUNCTION gpu_cumsum(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumsum(smallint[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumsum(integer[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumsum(bigint[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumsum(real[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumsum(double precision[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(numeric[], boolean, integer, boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_cumcount(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumcount(smallint[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumcount(integer[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumcount(bigint[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumcount(real[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumcount(double precision[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(numeric[], boolean, integer, boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_cumprod(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumprod(smallint[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumprod(integer[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumprod(bigint[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumprod(real[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumprod(double precision[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(numeric[], boolean, integer, boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_cummin(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummin(smallint[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummin(integer[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummin(bigint[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummin(real[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummin(double precision[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(numeric[], boolean, integer, boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_cummax(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummax(smallint[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummax(integer[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummax(bigint[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummax(real[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummax(double precision[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(numeric[], boolean, integer, boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_cumbit_and(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbit_and(smallint[], boolean, integer, boolean[]) IS
	'running bitwise and';

CREATE FUNCTION gpu_cumbit_and(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbit_and(integer[], boolean, integer, boolean[]) IS
	'running bitwise and';

CREATE FUNCTION gpu_cumbit_and(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbit_and(bigint[], boolean, integer, boolean[]) IS
	'running bitwise and';

CREATE FUNCTION gpu_cumbit_or(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbit_or(smallint[], boolean, integer, boolean[]) IS
	'running bitwise or';

CREATE FUNCTION gpu_cumbit_or(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbit_or(integer[], boolean, integer, boolean[]) IS
	'running bitwise or';

CREATE FUNCTION gpu_cumbit_or(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbit_or(bigint[], boolean, integer, boolean[]) IS
	'running bitwise or';

CREATE FUNCTION gpu_cumbool_and(
		arr boolean[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_cumbool_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbool_and(boolean[], boolean, integer, boolean[]) IS
	'whether all elements so far are true';

CREATE FUNCTION gpu_cumbool_or(
		arr boolean[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_cumbool_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumbool_or(boolean[], boolean, integer, boolean[]) IS
	'whether any element so far is true';

/*
 * Histograms
 */

CREATE FUNCTION gpu_histogram(
		arr smallint[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_histogram(smallint[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr integer[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_histogram(integer[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr bigint[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_histogram(bigint[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr real[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_histogram(real[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr double precision[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_histogram(double precision[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr numeric[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram(numeric[], double precision, double precision, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_histogram(arr smallint[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_histogram(smallint[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr integer[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_histogram(integer[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr bigint[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_histogram(bigint[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr real[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_histogram(real[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr double precision[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_histogram(double precision[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr numeric[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram(numeric[], double precision[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_histogram_table(
		arr smallint[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(smallint[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr integer[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(integer[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr bigint[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(bigint[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr real[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(real[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr double precision[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(double precision[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr numeric[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(numeric[], double precision, double precision, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_histogram_table(arr smallint[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(smallint[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr integer[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(integer[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr bigint[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(bigint[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr real[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(real[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(
		arr double precision[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(double precision[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr numeric[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1 ROWS 100;
COMMENT ON FUNCTION gpu_histogram_table(numeric[], double precision[]) IS
	'not supported: cast the array to another type';

/*
 * Compactions
 */

CREATE FUNCTION gpu_compact(arr smallint[], keep boolean[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compact(smallint[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr integer[], keep boolean[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compact(integer[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr bigint[], keep boolean[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compact(bigint[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr real[], keep boolean[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compact(real[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr double precision[], keep boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compact(double precision[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr numeric[], keep boolean[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_compact(numeric[], boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_filter(arr smallint[], op text, bound double precision)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(smallint[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr integer[], op text, bound double precision)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(integer[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr bigint[], op text, bound double precision)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(bigint[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr real[], op text, bound double precision)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(real[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(
		arr double precision[], op text, bound double precision)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(double precision[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr numeric[], op text, bound double precision)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_filter(numeric[], text, double precision) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_filter(arr smallint[], op text, bound bigint)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(smallint[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr integer[], op text, bound bigint)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(integer[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr bigint[], op text, bound bigint)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(bigint[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr real[], op text, bound bigint) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(real[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr double precision[], op text, bound bigint)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_filter(double precision[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr numeric[], op text, bound bigint)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_filter(numeric[], text, bigint) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_where(keep boolean[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_where'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_where(boolean[]) IS 'positions of the true elements';

/*
 * Administration
 */

CREATE FUNCTION gpuscan_last_call()
	RETURNS TABLE ("function" text, elements bigint, engine text, reason text,
		cache_hit boolean, wait_ms double precision,
		staging_ms double precision, device_ms double precision,
		total_ms double precision)
	AS 'MODULE_PATHNAME', 'gpuscan_last_call'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10 ROWS 1;
COMMENT ON FUNCTION gpuscan_last_call() IS
	'how this session''s last call was executed';

CREATE FUNCTION gpuscan_status()
	RETURNS TABLE (state text, reason text, engine text, device text,
		driver text, memory_total bigint, memory_used bigint,
		staging_total bigint, staging_free bigint, cache_entries bigint,
		cache_bytes bigint, connections integer, calls bigint,
		fallbacks bigint, restarts bigint, started_at timestamptz)
	AS 'MODULE_PATHNAME', 'gpuscan_status'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 1;
COMMENT ON FUNCTION gpuscan_status() IS 'the service that owns the GPU';

CREATE FUNCTION gpuscan_stop() RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpuscan_stop'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION gpuscan_stop() IS
	'end the service, until a call wants it again; was there one?';
REVOKE EXECUTE ON FUNCTION gpuscan_stop() FROM PUBLIC;

CREATE FUNCTION gpuscan_calibrate()
	RETURNS TABLE (operation text, type text, cpu_ns real, gpu_ns real,
		elements bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_calibrate'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION gpuscan_calibrate() IS
	'measure what operations cost here, an element; from how many elements on the GPU is faster';
REVOKE EXECUTE ON FUNCTION gpuscan_calibrate() FROM PUBLIC;

CREATE FUNCTION gpuscan_selfcheck(OUT family text, OUT type text,
		INOUT arrays integer DEFAULT 100, OUT equal boolean, OUT detail text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'gpuscan_selfcheck'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000000 ROWS 23;
COMMENT ON FUNCTION gpuscan_selfcheck(integer) IS
	'random data on both engines: do the bits agree?';

CREATE FUNCTION gpuscan_plot(
		counts bigint[], width integer DEFAULT 60, labels text[] DEFAULT NULL)
	RETURNS SETOF text
	AS 'MODULE_PATHNAME', 'gpuscan_plot'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 20;
COMMENT ON FUNCTION gpuscan_plot(bigint[], integer, text[]) IS
	'a histogram as text, one bar a row';
