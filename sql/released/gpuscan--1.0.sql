/*
 * gpuscan 1.0
 *
 * Overloads of a function share one C symbol, which looks at the element type
 * of its array; gpu_filter has one for either type of bound.  A function over
 * numeric[] exists only to say that there is none: an array of numeric would
 * else be taken for one of double precision.
 *
 * COST is that of an array of ten thousand elements; the support function knows
 * better where the planner sees how many there are.
 */

\echo Use "CREATE EXTENSION gpuscan" to load this file. \quit

CREATE FUNCTION gpuscan_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'gpuscan_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpuscan_support(internal) IS
	'what the planner can know of a call: its cost and its rows';

/*
 * Reductions
 */

CREATE FUNCTION gpu_count(arr smallint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count(smallint[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr integer[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count(integer[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count(bigint[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr real[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count(real[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr double precision[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count(double precision[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr numeric[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_sum(arr smallint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sum(smallint[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr integer[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sum(integer[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sum(bigint[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sum(real[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sum(double precision[]) IS
	'sum of the elements, exact and rounded once';

CREATE FUNCTION gpu_sum(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sum(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_avg(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_avg(smallint[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_avg(integer[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_avg(bigint[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_avg(real[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_avg(double precision[]) IS
	'mean of the elements, exact and rounded once';

CREATE FUNCTION gpu_avg(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_avg(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_min(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_min(smallint[]) IS 'least element';

CREATE FUNCTION gpu_min(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_min(integer[]) IS 'least element';

CREATE FUNCTION gpu_min(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_min(bigint[]) IS 'least element';

CREATE FUNCTION gpu_min(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_min(real[]) IS 'least element';

CREATE FUNCTION gpu_min(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_min(double precision[]) IS 'least element';

CREATE FUNCTION gpu_min(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_min(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_max(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_max(smallint[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_max(integer[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_max(bigint[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_max(real[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_max(double precision[]) IS 'greatest element';

CREATE FUNCTION gpu_max(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_max(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_argmin(arr smallint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(smallint[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(integer[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(bigint[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr real[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(real[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr double precision[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(double precision[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr numeric[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmin(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_argmax(arr smallint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(smallint[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(integer[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(bigint[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr real[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(real[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr double precision[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(double precision[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr numeric[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmax(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_product(arr smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_product(smallint[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_product(integer[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_product(bigint[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_product(real[]) IS 'product of the elements';

CREATE FUNCTION gpu_product(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_product'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_product(double precision[]) IS
	'product of the elements';

CREATE FUNCTION gpu_product(arr numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_product(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_var_pop(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_pop(smallint[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_pop(integer[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_pop(bigint[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_pop(real[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_pop(double precision[]) IS
	'population variance of the elements';

CREATE FUNCTION gpu_var_pop(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_pop(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_var_samp(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_samp(smallint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_samp(integer[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_samp(bigint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_samp(real[]) IS 'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_var_samp(double precision[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_var_samp(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_samp(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_variance(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_variance(smallint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_variance(integer[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_variance(bigint[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_variance(real[]) IS 'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_variance'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_variance(double precision[]) IS
	'sample variance of the elements';

CREATE FUNCTION gpu_variance(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_variance(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_stddev_pop(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_pop(smallint[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_pop(integer[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_pop(bigint[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_pop(real[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_pop(double precision[]) IS
	'population standard deviation of the elements';

CREATE FUNCTION gpu_stddev_pop(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_pop(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_stddev_samp(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_samp(smallint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_samp(integer[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_samp(bigint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_samp(real[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr double precision[])
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev_samp(double precision[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev_samp(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_samp(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_stddev(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev(smallint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev(integer[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev(bigint[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev(real[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stddev'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stddev(double precision[]) IS
	'sample standard deviation of the elements';

CREATE FUNCTION gpu_stddev(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_bit_and(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_bit_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_and(smallint[]) IS 'bitwise and of the elements';

CREATE FUNCTION gpu_bit_and(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_bit_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_and(integer[]) IS 'bitwise and of the elements';

CREATE FUNCTION gpu_bit_and(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_bit_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_and(bigint[]) IS 'bitwise and of the elements';

CREATE FUNCTION gpu_bit_or(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_bit_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_or(smallint[]) IS 'bitwise or of the elements';

CREATE FUNCTION gpu_bit_or(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_bit_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_or(integer[]) IS 'bitwise or of the elements';

CREATE FUNCTION gpu_bit_or(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_bit_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_or(bigint[]) IS 'bitwise or of the elements';

CREATE FUNCTION gpu_bit_xor(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_bit_xor'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_xor(smallint[]) IS
	'bitwise exclusive or of the elements';

CREATE FUNCTION gpu_bit_xor(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_bit_xor'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_xor(integer[]) IS
	'bitwise exclusive or of the elements';

CREATE FUNCTION gpu_bit_xor(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_bit_xor'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bit_xor(bigint[]) IS
	'bitwise exclusive or of the elements';

CREATE FUNCTION gpu_bool_and(arr boolean[]) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_bool_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bool_and(boolean[]) IS 'whether all elements are true';

CREATE FUNCTION gpu_bool_or(arr boolean[]) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_bool_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_bool_or(boolean[]) IS 'whether any element is true';

/*
 * Scans
 */

CREATE FUNCTION gpu_cumsum(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumsum(smallint[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumsum(integer[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumsum(bigint[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumsum(real[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE FUNCTION gpu_cumsum(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(smallint[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(integer[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(bigint[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(real[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumprod(smallint[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumprod(integer[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumprod(bigint[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumprod(real[], boolean, integer, boolean[]) IS
	'running product';

CREATE FUNCTION gpu_cumprod(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cumprod'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(smallint[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(integer[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(bigint[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(real[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(smallint[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(integer[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(bigint[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr real[], exclusive boolean DEFAULT false, chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(real[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr double precision[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_and(smallint[], boolean, integer, boolean[]) IS
	'running bitwise and';

CREATE FUNCTION gpu_cumbit_and(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_and(integer[], boolean, integer, boolean[]) IS
	'running bitwise and';

CREATE FUNCTION gpu_cumbit_and(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_and(bigint[], boolean, integer, boolean[]) IS
	'running bitwise and';

CREATE FUNCTION gpu_cumbit_or(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_or(smallint[], boolean, integer, boolean[]) IS
	'running bitwise or';

CREATE FUNCTION gpu_cumbit_or(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_or(integer[], boolean, integer, boolean[]) IS
	'running bitwise or';

CREATE FUNCTION gpu_cumbit_or(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_or(bigint[], boolean, integer, boolean[]) IS
	'running bitwise or';

CREATE FUNCTION gpu_cumbool_and(
		arr boolean[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_cumbool_and'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbool_and(boolean[], boolean, integer, boolean[]) IS
	'whether all elements so far are true';

CREATE FUNCTION gpu_cumbool_or(
		arr boolean[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_cumbool_or'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(smallint[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr integer[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(integer[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr bigint[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(bigint[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr real[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(real[], double precision, double precision, integer) IS
	'counts of elements by buckets of equal width';

CREATE FUNCTION gpu_histogram(
		arr double precision[], low double precision, high double precision,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(smallint[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr integer[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(integer[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr bigint[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(bigint[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr real[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(real[], double precision[]) IS
	'counts of elements by buckets between given edges';

CREATE FUNCTION gpu_histogram(arr double precision[], edges double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(smallint[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr integer[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(integer[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr bigint[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(bigint[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr real[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(real[], double precision, double precision, integer) IS
	'buckets with their bounds and counts of elements of equal width';

CREATE FUNCTION gpu_histogram_table(
		arr double precision[], low double precision, high double precision,
		buckets integer)
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(smallint[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr integer[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(integer[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr bigint[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(bigint[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(arr real[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(real[], double precision[]) IS
	'buckets with their bounds and counts of elements between given edges';

CREATE FUNCTION gpu_histogram_table(
		arr double precision[], edges double precision[])
	RETURNS TABLE (bucket integer, lower double precision,
		upper double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_compact(smallint[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr integer[], keep boolean[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_compact(integer[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr bigint[], keep boolean[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_compact(bigint[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr real[], keep boolean[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_compact(real[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr double precision[], keep boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(smallint[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr integer[], op text, bound double precision)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(integer[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr bigint[], op text, bound double precision)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(bigint[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr real[], op text, bound double precision)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(real[], text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(
		arr double precision[], op text, bound double precision)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_filter'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(smallint[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr integer[], op text, bound bigint)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(integer[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr bigint[], op text, bound bigint)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(bigint[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr real[], op text, bound bigint) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_filter(real[], text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr double precision[], op text, bound bigint)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_filter_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
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
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_where(boolean[]) IS 'positions of the true elements';

/*
 * Administration
 */

CREATE FUNCTION gpuscan_last_call()
	RETURNS TABLE ("function" text, elements bigint, engine text, reason text,
		cache_hit boolean, wait_ms double precision,
		staging_ms double precision, device_ms double precision,
		total_ms double precision, cache_hits integer, cache_misses integer,
		cache_saved bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_last_call'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10 ROWS 1;
COMMENT ON FUNCTION gpuscan_last_call() IS
	'how this session''s last call was executed';

CREATE FUNCTION gpuscan_status()
	RETURNS TABLE (state text, reason text, engine text, device text,
		driver text, memory_total bigint, memory_used bigint,
		staging_total bigint, staging_free bigint, cache_entries bigint,
		cache_bytes bigint, connections integer, calls bigint,
		fallbacks bigint, restarts bigint, started_at timestamptz,
		cache_size bigint, cache_hits bigint, cache_misses bigint,
		cache_saved bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_status'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 1;
COMMENT ON FUNCTION gpuscan_status() IS 'the service that owns the GPU';

CREATE FUNCTION gpuscan_stop() RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpuscan_stop'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION gpuscan_stop() IS
	'end the service, until a call wants it again; was there one?';
REVOKE EXECUTE ON FUNCTION gpuscan_stop() FROM PUBLIC;

CREATE FUNCTION gpuscan_cache()
	RETURNS TABLE (database name, relation regclass, value_id oid,
		type regtype, elements bigint, bytes bigint, hits bigint,
		last_used timestamptz)
	AS 'MODULE_PATHNAME', 'gpuscan_cache'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 1000 ROWS 100;
COMMENT ON FUNCTION gpuscan_cache() IS
	'stored arrays of which the service keeps copies';
REVOKE EXECUTE ON FUNCTION gpuscan_cache() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gpuscan_cache() TO pg_monitor;

CREATE FUNCTION gpuscan_cache_clear() RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpuscan_cache_clear'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION gpuscan_cache_clear() IS
	'forget the copies of stored arrays; how many were there?';
REVOKE EXECUTE ON FUNCTION gpuscan_cache_clear() FROM PUBLIC;

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
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 20
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpuscan_plot(bigint[], integer, text[]) IS
	'a histogram as text, one bar a row';

/*
 * States of aggregates
 *
 * What an aggregate over sums has seen so far is an ordinary value, so that it
 * can go from one process or server to another.  gpu_state is for aggregates
 * alone; gpu_stats is to be stored too.
 */

CREATE TYPE gpu_state;

CREATE FUNCTION gpu_state_in(cstring) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_in(cstring) IS 'input';

CREATE FUNCTION gpu_state_out(gpu_state) RETURNS cstring
	AS 'MODULE_PATHNAME', 'gpu_state_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_out(gpu_state) IS 'output';

CREATE FUNCTION gpu_state_recv(internal) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_recv(internal) IS 'binary input';

CREATE FUNCTION gpu_state_send(gpu_state) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_state_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_send(gpu_state) IS 'binary output';

CREATE TYPE gpu_state
(
	INPUT = gpu_state_in,
	OUTPUT = gpu_state_out,
	RECEIVE = gpu_state_recv,
	SEND = gpu_state_send,
	INTERNALLENGTH = VARIABLE,
	ALIGNMENT = double,
	STORAGE = plain
);
COMMENT ON TYPE gpu_state IS 'what an aggregate of gpuscan has seen so far';

CREATE TYPE gpu_stats;

CREATE FUNCTION gpu_stats_in(cstring) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_in(cstring) IS 'input';

CREATE FUNCTION gpu_stats_out(gpu_stats) RETURNS cstring
	AS 'MODULE_PATHNAME', 'gpu_state_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_out(gpu_stats) IS 'output';

CREATE FUNCTION gpu_stats_recv(internal) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_recv(internal) IS 'binary input';

CREATE FUNCTION gpu_stats_send(gpu_stats) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_state_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_send(gpu_stats) IS 'binary output';

CREATE TYPE gpu_stats
(
	INPUT = gpu_stats_in,
	OUTPUT = gpu_stats_out,
	RECEIVE = gpu_stats_recv,
	SEND = gpu_stats_send,
	INTERNALLENGTH = VARIABLE,
	ALIGNMENT = double,
	STORAGE = plain
);
COMMENT ON TYPE gpu_stats IS
	'exact summary of numbers: count, sum, sum of squares, least, greatest';

/*
 * What aggregates over sums are made of: to add a value to a state, to take it
 * away, to merge two states, to give a result.
 */

CREATE FUNCTION gpu_state_add(gpu_state, smallint) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_add_int2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_add(gpu_state, smallint) IS 'add a value';

CREATE FUNCTION gpu_state_add(gpu_state, integer) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_add_int4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_add(gpu_state, integer) IS 'add a value';

CREATE FUNCTION gpu_state_add(gpu_state, bigint) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_add_int8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_add(gpu_state, bigint) IS 'add a value';

CREATE FUNCTION gpu_state_add(gpu_state, real) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_add_float4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_add(gpu_state, real) IS 'add a value';

CREATE FUNCTION gpu_state_add(gpu_state, double precision) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_add_float8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_add(gpu_state, double precision) IS
	'add a value';

CREATE FUNCTION gpu_state_remove(gpu_state, smallint) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_remove_int2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_remove(gpu_state, smallint) IS
	'take away a value that was added';

CREATE FUNCTION gpu_state_remove(gpu_state, integer) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_remove_int4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_remove(gpu_state, integer) IS
	'take away a value that was added';

CREATE FUNCTION gpu_state_remove(gpu_state, bigint) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_remove_int8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_remove(gpu_state, bigint) IS
	'take away a value that was added';

CREATE FUNCTION gpu_state_remove(gpu_state, real) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_remove_float4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_remove(gpu_state, real) IS
	'take away a value that was added';

CREATE FUNCTION gpu_state_remove(gpu_state, double precision) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_remove_float8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_remove(gpu_state, double precision) IS
	'take away a value that was added';

CREATE FUNCTION gpu_state_merge(gpu_state, gpu_state) RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_merge(gpu_state, gpu_state) IS
	'add what another state has seen';

CREATE FUNCTION gpu_state_sum(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_sum(gpu_state) IS 'sum of the values';

CREATE FUNCTION gpu_state_sum_real(gpu_state) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_state_sum_real'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_sum_real(gpu_state) IS 'sum of the values';

CREATE FUNCTION gpu_state_sum_bigint(gpu_state) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_state_sum_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_sum_bigint(gpu_state) IS 'sum of the values';

CREATE FUNCTION gpu_state_sum_numeric(gpu_state) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_state_sum_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_sum_numeric(gpu_state) IS 'sum of the values';

CREATE FUNCTION gpu_state_avg(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_avg(gpu_state) IS 'mean of the values';

CREATE FUNCTION gpu_state_avg_numeric(gpu_state) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_state_avg_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_avg_numeric(gpu_state) IS 'mean of the values';

CREATE FUNCTION gpu_state_var_pop(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_var_pop(gpu_state) IS
	'population variance of the values';

CREATE FUNCTION gpu_state_var_pop_numeric(gpu_state) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_state_var_pop_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_var_pop_numeric(gpu_state) IS
	'population variance of the values';

CREATE FUNCTION gpu_state_var_samp(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_var_samp(gpu_state) IS
	'sample variance of the values';

CREATE FUNCTION gpu_state_var_samp_numeric(gpu_state) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_state_var_samp_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_var_samp_numeric(gpu_state) IS
	'sample variance of the values';

CREATE FUNCTION gpu_state_stddev_pop(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_stddev_pop(gpu_state) IS
	'population standard deviation of the values';

CREATE FUNCTION gpu_state_stddev_pop_numeric(gpu_state) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_pop_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_stddev_pop_numeric(gpu_state) IS
	'population standard deviation of the values';

CREATE FUNCTION gpu_state_stddev_samp(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_stddev_samp(gpu_state) IS
	'sample standard deviation of the values';

CREATE FUNCTION gpu_state_stddev_samp_numeric(gpu_state) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_samp_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_stddev_samp_numeric(gpu_state) IS
	'sample standard deviation of the values';

CREATE FUNCTION gpu_lesser(real, real) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_lesser_float4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_lesser(real, real) IS
	'the lesser one; NaN is above all, -0 below 0';

CREATE FUNCTION gpu_greater(real, real) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_greater_float4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_greater(real, real) IS
	'the greater one; NaN is above all, -0 below 0';

CREATE FUNCTION gpu_canonical(real) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_canonical_float4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_canonical(real) IS
	'the same, but the canonical one of any NaN';

CREATE FUNCTION gpu_lesser(double precision, double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_lesser_float8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_lesser(double precision, double precision) IS
	'the lesser one; NaN is above all, -0 below 0';

CREATE FUNCTION gpu_greater(double precision, double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_greater_float8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_greater(double precision, double precision) IS
	'the greater one; NaN is above all, -0 below 0';

CREATE FUNCTION gpu_canonical(double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_canonical_float8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_canonical(double precision) IS
	'the same, but the canonical one of any NaN';

CREATE FUNCTION gpuscan_numeric_aggregate(numeric, numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpuscan_numeric_aggregate(numeric, numeric) IS
	'not supported: cast the argument to another type';

/*
 * Aggregates of a column.  Those over sums have inverse transitions, so that in
 * a moving frame a row costs the same whatever the frame's size; exact sums
 * alone can do that right.  One over numeric exists only to say that there is
 * none.
 */

CREATE AGGREGATE gpu_count(smallint)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(smallint) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_count(integer)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(integer) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_count(bigint)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(bigint) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_count(real)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(real) IS 'number of values that are not null';

CREATE AGGREGATE gpu_count(double precision)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(double precision) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_count(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_sum(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'integers',
	FINALFUNC = gpu_state_sum_bigint,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'integers',
	MFINALFUNC = gpu_state_sum_bigint,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_sum(smallint) IS
	'sum of the values, exact and rounded once';

CREATE AGGREGATE gpu_sum(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'integers',
	FINALFUNC = gpu_state_sum_bigint,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'integers',
	MFINALFUNC = gpu_state_sum_bigint,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_sum(integer) IS
	'sum of the values, exact and rounded once';

CREATE AGGREGATE gpu_sum(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'integers',
	FINALFUNC = gpu_state_sum_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'integers',
	MFINALFUNC = gpu_state_sum_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_sum(bigint) IS
	'sum of the values, exact and rounded once';

CREATE AGGREGATE gpu_sum(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'reals',
	FINALFUNC = gpu_state_sum_real,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'reals',
	MFINALFUNC = gpu_state_sum_real,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_sum(real) IS
	'sum of the values, exact and rounded once';

CREATE AGGREGATE gpu_sum(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'reals',
	FINALFUNC = gpu_state_sum,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'reals',
	MFINALFUNC = gpu_state_sum,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_sum(double precision) IS
	'sum of the values, exact and rounded once';

CREATE AGGREGATE gpu_sum(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_sum(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_avg(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'integers',
	FINALFUNC = gpu_state_avg_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'integers',
	MFINALFUNC = gpu_state_avg_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_avg(smallint) IS
	'mean of the values, exact and rounded once';

CREATE AGGREGATE gpu_avg(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'integers',
	FINALFUNC = gpu_state_avg_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'integers',
	MFINALFUNC = gpu_state_avg_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_avg(integer) IS
	'mean of the values, exact and rounded once';

CREATE AGGREGATE gpu_avg(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'integers',
	FINALFUNC = gpu_state_avg_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'integers',
	MFINALFUNC = gpu_state_avg_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_avg(bigint) IS
	'mean of the values, exact and rounded once';

CREATE AGGREGATE gpu_avg(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'reals',
	FINALFUNC = gpu_state_avg,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'reals',
	MFINALFUNC = gpu_state_avg,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_avg(real) IS
	'mean of the values, exact and rounded once';

CREATE AGGREGATE gpu_avg(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 80,
	INITCOND = 'reals',
	FINALFUNC = gpu_state_avg,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 80,
	MINITCOND = 'reals',
	MFINALFUNC = gpu_state_avg,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_avg(double precision) IS
	'mean of the values, exact and rounded once';

CREATE AGGREGATE gpu_avg(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_avg(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_min(smallint)
(
	SFUNC = int2smaller,
	STYPE = smallint,
	COMBINEFUNC = int2smaller,
	SORTOP = <,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(smallint) IS 'least value';

CREATE AGGREGATE gpu_min(integer)
(
	SFUNC = int4smaller,
	STYPE = integer,
	COMBINEFUNC = int4smaller,
	SORTOP = <,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(integer) IS 'least value';

CREATE AGGREGATE gpu_min(bigint)
(
	SFUNC = int8smaller,
	STYPE = bigint,
	COMBINEFUNC = int8smaller,
	SORTOP = <,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(bigint) IS 'least value';

CREATE AGGREGATE gpu_min(real)
(
	SFUNC = gpu_lesser,
	STYPE = real,
	FINALFUNC = gpu_canonical,
	COMBINEFUNC = gpu_lesser,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(real) IS
	'least value; NaN is above all, -0 below 0';

CREATE AGGREGATE gpu_min(double precision)
(
	SFUNC = gpu_lesser,
	STYPE = double precision,
	FINALFUNC = gpu_canonical,
	COMBINEFUNC = gpu_lesser,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(double precision) IS
	'least value; NaN is above all, -0 below 0';

CREATE AGGREGATE gpu_min(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_max(smallint)
(
	SFUNC = int2larger,
	STYPE = smallint,
	COMBINEFUNC = int2larger,
	SORTOP = >,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(smallint) IS 'greatest value';

CREATE AGGREGATE gpu_max(integer)
(
	SFUNC = int4larger,
	STYPE = integer,
	COMBINEFUNC = int4larger,
	SORTOP = >,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(integer) IS 'greatest value';

CREATE AGGREGATE gpu_max(bigint)
(
	SFUNC = int8larger,
	STYPE = bigint,
	COMBINEFUNC = int8larger,
	SORTOP = >,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(bigint) IS 'greatest value';

CREATE AGGREGATE gpu_max(real)
(
	SFUNC = gpu_greater,
	STYPE = real,
	FINALFUNC = gpu_canonical,
	COMBINEFUNC = gpu_greater,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(real) IS
	'greatest value; NaN is above all, -0 below 0';

CREATE AGGREGATE gpu_max(double precision)
(
	SFUNC = gpu_greater,
	STYPE = double precision,
	FINALFUNC = gpu_canonical,
	COMBINEFUNC = gpu_greater,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(double precision) IS
	'greatest value; NaN is above all, -0 below 0';

CREATE AGGREGATE gpu_max(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_var_pop(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_pop_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_pop_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_pop(smallint) IS
	'population variance of the values';

CREATE AGGREGATE gpu_var_pop(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_pop_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_pop_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_pop(integer) IS
	'population variance of the values';

CREATE AGGREGATE gpu_var_pop(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_pop_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_pop_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_pop(bigint) IS
	'population variance of the values';

CREATE AGGREGATE gpu_var_pop(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_var_pop,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_var_pop,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_pop(real) IS 'population variance of the values';

CREATE AGGREGATE gpu_var_pop(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_var_pop,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_var_pop,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_pop(double precision) IS
	'population variance of the values';

CREATE AGGREGATE gpu_var_pop(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_pop(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_var_samp(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_samp(smallint) IS
	'sample variance of the values';

CREATE AGGREGATE gpu_var_samp(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_samp(integer) IS 'sample variance of the values';

CREATE AGGREGATE gpu_var_samp(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_samp(bigint) IS 'sample variance of the values';

CREATE AGGREGATE gpu_var_samp(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_var_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_var_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_samp(real) IS 'sample variance of the values';

CREATE AGGREGATE gpu_var_samp(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_var_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_var_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_samp(double precision) IS
	'sample variance of the values';

CREATE AGGREGATE gpu_var_samp(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_var_samp(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_variance(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_variance(smallint) IS
	'sample variance of the values';

CREATE AGGREGATE gpu_variance(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_variance(integer) IS 'sample variance of the values';

CREATE AGGREGATE gpu_variance(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_var_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_var_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_variance(bigint) IS 'sample variance of the values';

CREATE AGGREGATE gpu_variance(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_var_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_var_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_variance(real) IS 'sample variance of the values';

CREATE AGGREGATE gpu_variance(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_var_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_var_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_variance(double precision) IS
	'sample variance of the values';

CREATE AGGREGATE gpu_variance(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_variance(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_stddev_pop(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_pop_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_pop_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_pop(smallint) IS
	'population standard deviation of the values';

CREATE AGGREGATE gpu_stddev_pop(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_pop_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_pop_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_pop(integer) IS
	'population standard deviation of the values';

CREATE AGGREGATE gpu_stddev_pop(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_pop_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_pop_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_pop(bigint) IS
	'population standard deviation of the values';

CREATE AGGREGATE gpu_stddev_pop(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_stddev_pop,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_stddev_pop,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_pop(real) IS
	'population standard deviation of the values';

CREATE AGGREGATE gpu_stddev_pop(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_stddev_pop,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_stddev_pop,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_pop(double precision) IS
	'population standard deviation of the values';

CREATE AGGREGATE gpu_stddev_pop(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_pop(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_stddev_samp(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_samp(smallint) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev_samp(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_samp(integer) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev_samp(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_samp(bigint) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev_samp(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_stddev_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_stddev_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_samp(real) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev_samp(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_stddev_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_stddev_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_samp(double precision) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev_samp(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev_samp(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_stddev(smallint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev(smallint) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev(integer)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev(integer) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev(bigint)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'integer-moments',
	FINALFUNC = gpu_state_stddev_samp_numeric,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'integer-moments',
	MFINALFUNC = gpu_state_stddev_samp_numeric,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev(bigint) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev(real)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_stddev_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_stddev_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev(real) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev(double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 144,
	INITCOND = 'moments',
	FINALFUNC = gpu_state_stddev_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 144,
	MINITCOND = 'moments',
	MFINALFUNC = gpu_state_stddev_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev(double precision) IS
	'sample standard deviation of the values';

CREATE AGGREGATE gpu_stddev(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stddev(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_bit_and(smallint)
(
	SFUNC = int2and,
	STYPE = smallint,
	COMBINEFUNC = int2and,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_and(smallint) IS 'bitwise and of the values';

CREATE AGGREGATE gpu_bit_and(integer)
(
	SFUNC = int4and,
	STYPE = integer,
	COMBINEFUNC = int4and,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_and(integer) IS 'bitwise and of the values';

CREATE AGGREGATE gpu_bit_and(bigint)
(
	SFUNC = int8and,
	STYPE = bigint,
	COMBINEFUNC = int8and,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_and(bigint) IS 'bitwise and of the values';

CREATE AGGREGATE gpu_bit_or(smallint)
(
	SFUNC = int2or,
	STYPE = smallint,
	COMBINEFUNC = int2or,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_or(smallint) IS 'bitwise or of the values';

CREATE AGGREGATE gpu_bit_or(integer)
(
	SFUNC = int4or,
	STYPE = integer,
	COMBINEFUNC = int4or,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_or(integer) IS 'bitwise or of the values';

CREATE AGGREGATE gpu_bit_or(bigint)
(
	SFUNC = int8or,
	STYPE = bigint,
	COMBINEFUNC = int8or,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_or(bigint) IS 'bitwise or of the values';

CREATE AGGREGATE gpu_bit_xor(smallint)
(
	SFUNC = int2xor,
	STYPE = smallint,
	COMBINEFUNC = int2xor,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_xor(smallint) IS
	'bitwise exclusive or of the values';

CREATE AGGREGATE gpu_bit_xor(integer)
(
	SFUNC = int4xor,
	STYPE = integer,
	COMBINEFUNC = int4xor,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_xor(integer) IS
	'bitwise exclusive or of the values';

CREATE AGGREGATE gpu_bit_xor(bigint)
(
	SFUNC = int8xor,
	STYPE = bigint,
	COMBINEFUNC = int8xor,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bit_xor(bigint) IS
	'bitwise exclusive or of the values';

CREATE AGGREGATE gpu_bool_and(boolean)
(
	SFUNC = booland_statefunc,
	STYPE = boolean,
	COMBINEFUNC = booland_statefunc,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bool_and(boolean) IS 'whether all values are true';

CREATE AGGREGATE gpu_bool_or(boolean)
(
	SFUNC = boolor_statefunc,
	STYPE = boolean,
	COMBINEFUNC = boolor_statefunc,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_bool_or(boolean) IS 'whether any value is true';

/*
 * Pairs (Y, X) of double precision, as the aggregates of the SQL standard take
 * them: the sums of both, of their squares and of their products.
 */

CREATE FUNCTION gpu_state_add(gpu_state, y double precision, x double precision)
	RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_add_pair'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_add(gpu_state, double precision, double precision) IS
	'add a pair';

CREATE FUNCTION gpu_state_remove(gpu_state, y double precision,
		x double precision)
	RETURNS gpu_state
	AS 'MODULE_PATHNAME', 'gpu_state_remove_pair'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_state_remove(gpu_state, double precision, double precision) IS
	'take a pair away that was added';

CREATE FUNCTION gpu_state_covar_pop(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_covar_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_covar_pop(gpu_state) IS
	'population covariance';

CREATE FUNCTION gpu_state_covar_samp(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_covar_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_covar_samp(gpu_state) IS
	'sample covariance';

CREATE FUNCTION gpu_state_corr(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_corr'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_corr(gpu_state) IS
	'correlation';

CREATE FUNCTION gpu_state_regr_slope(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_regr_slope'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_regr_slope(gpu_state) IS
	'slope of the line of least squares through the pairs';

CREATE FUNCTION gpu_state_regr_intercept(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_regr_intercept'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_regr_intercept(gpu_state) IS
	'where the line of least squares through the pairs crosses x = 0';

CREATE FUNCTION gpu_state_regr_r2(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_regr_r2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_regr_r2(gpu_state) IS
	'square of the correlation';

CREATE AGGREGATE gpu_covar_pop(y double precision, x double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_covar_pop,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_covar_pop,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_covar_pop(double precision, double precision) IS
	'population covariance';

CREATE AGGREGATE gpu_covar_samp(y double precision, x double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_covar_samp,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_covar_samp,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_covar_samp(double precision, double precision) IS
	'sample covariance';

CREATE AGGREGATE gpu_corr(y double precision, x double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_corr,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_corr,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_corr(double precision, double precision) IS
	'correlation';

CREATE AGGREGATE gpu_regr_slope(y double precision, x double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_regr_slope,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_regr_slope,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_regr_slope(double precision, double precision) IS
	'slope of the line of least squares through the pairs';

CREATE AGGREGATE gpu_regr_intercept(y double precision, x double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_regr_intercept,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_regr_intercept,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_regr_intercept(double precision, double precision) IS
	'where the line of least squares through the pairs crosses x = 0';

CREATE AGGREGATE gpu_regr_r2(y double precision, x double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_regr_r2,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_regr_r2,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_regr_r2(double precision, double precision) IS
	'square of the correlation';

CREATE FUNCTION gpuscan_numeric_aggregate(numeric, numeric, numeric)
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpuscan_numeric_aggregate(numeric, numeric, numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_covar_pop(y numeric, x numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_covar_pop(numeric, numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_covar_samp(y numeric, x numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_covar_samp(numeric, numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_corr(y numeric, x numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_corr(numeric, numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_regr_slope(y numeric, x numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_regr_slope(numeric, numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_regr_intercept(y numeric, x numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_regr_intercept(numeric, numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_regr_r2(y numeric, x numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_regr_r2(numeric, numeric) IS
	'not supported: cast the argument to another type';

/*
 * gpu_stats: made by gpu_stats_agg of a column, gpu_stats of an array; merged
 * by gpu_rollup; read by the functions below.
 */

CREATE FUNCTION gpu_stats_add(gpu_stats, smallint) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_state_add_int2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_add(gpu_stats, smallint) IS 'add a value';

CREATE FUNCTION gpu_stats_add(gpu_stats, integer) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_state_add_int4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_add(gpu_stats, integer) IS 'add a value';

CREATE FUNCTION gpu_stats_add(gpu_stats, bigint) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_state_add_int8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_add(gpu_stats, bigint) IS 'add a value';

CREATE FUNCTION gpu_stats_add(gpu_stats, real) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_state_add_float4'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_add(gpu_stats, real) IS 'add a value';

CREATE FUNCTION gpu_stats_add(gpu_stats, double precision) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_state_add_float8'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_add(gpu_stats, double precision) IS
	'add a value';

CREATE FUNCTION gpu_stats_merge(gpu_stats, gpu_stats) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_state_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_merge(gpu_stats, gpu_stats) IS
	'add what another summary has seen';

CREATE FUNCTION gpu_stats_final(gpu_stats) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_final(gpu_stats) IS
	'a summary in its one form, null for an empty one';

CREATE AGGREGATE gpu_stats_agg(smallint)
(
	SFUNC = gpu_stats_add,
	STYPE = gpu_stats,
	SSPACE = 160,
	INITCOND = 'stats',
	FINALFUNC = gpu_stats_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_stats_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stats_agg(smallint) IS 'exact summary of the values';

CREATE AGGREGATE gpu_stats_agg(integer)
(
	SFUNC = gpu_stats_add,
	STYPE = gpu_stats,
	SSPACE = 160,
	INITCOND = 'stats',
	FINALFUNC = gpu_stats_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_stats_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stats_agg(integer) IS 'exact summary of the values';

CREATE AGGREGATE gpu_stats_agg(bigint)
(
	SFUNC = gpu_stats_add,
	STYPE = gpu_stats,
	SSPACE = 160,
	INITCOND = 'stats',
	FINALFUNC = gpu_stats_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_stats_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stats_agg(bigint) IS 'exact summary of the values';

CREATE AGGREGATE gpu_stats_agg(real)
(
	SFUNC = gpu_stats_add,
	STYPE = gpu_stats,
	SSPACE = 160,
	INITCOND = 'stats',
	FINALFUNC = gpu_stats_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_stats_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stats_agg(real) IS 'exact summary of the values';

CREATE AGGREGATE gpu_stats_agg(double precision)
(
	SFUNC = gpu_stats_add,
	STYPE = gpu_stats,
	SSPACE = 160,
	INITCOND = 'stats',
	FINALFUNC = gpu_stats_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_stats_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stats_agg(double precision) IS
	'exact summary of the values';

CREATE AGGREGATE gpu_stats_agg(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_stats_agg(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_rollup(gpu_stats)
(
	SFUNC = gpu_stats_merge,
	STYPE = gpu_stats,
	SSPACE = 160,
	FINALFUNC = gpu_stats_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_stats_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_rollup(gpu_stats) IS
	'one summary of all that many summarise';

CREATE FUNCTION gpu_stats(arr smallint[]) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_array'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stats(smallint[]) IS 'exact summary of the elements';

CREATE FUNCTION gpu_stats(arr integer[]) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_array'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stats(integer[]) IS 'exact summary of the elements';

CREATE FUNCTION gpu_stats(arr bigint[]) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_array'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stats(bigint[]) IS 'exact summary of the elements';

CREATE FUNCTION gpu_stats(arr real[]) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_array'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stats(real[]) IS 'exact summary of the elements';

CREATE FUNCTION gpu_stats(arr double precision[]) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpu_stats_array'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_stats(double precision[]) IS
	'exact summary of the elements';

CREATE FUNCTION gpu_stats(arr numeric[]) RETURNS gpu_stats
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_count(stats gpu_stats) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_state_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count(gpu_stats) IS 'number of values summarised';

CREATE FUNCTION gpu_sum(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sum(gpu_stats) IS
	'sum of the values summarised, rounded once';

CREATE FUNCTION gpu_avg(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_avg(gpu_stats) IS
	'mean of the values summarised, rounded once';

CREATE FUNCTION gpu_min(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stats_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_min(gpu_stats) IS 'least of the values summarised';

CREATE FUNCTION gpu_max(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_stats_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_max(gpu_stats) IS 'greatest of the values summarised';

CREATE FUNCTION gpu_var_pop(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_var_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_pop(gpu_stats) IS
	'population variance of the values summarised';

CREATE FUNCTION gpu_var_samp(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_samp(gpu_stats) IS
	'sample variance of the values summarised';

CREATE FUNCTION gpu_variance(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_var_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_variance(gpu_stats) IS
	'sample variance of the values summarised';

CREATE FUNCTION gpu_stddev_pop(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_pop(gpu_stats) IS
	'population standard deviation of the values summarised';

CREATE FUNCTION gpu_stddev_samp(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_samp(gpu_stats) IS
	'sample standard deviation of the values summarised';

CREATE FUNCTION gpu_stddev(stats gpu_stats) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_stddev_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev(gpu_stats) IS
	'sample standard deviation of the values summarised';

CREATE FUNCTION gpu_sum_exact(stats gpu_stats) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_sum_exact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sum_exact(gpu_stats) IS
	'sum of the values summarised, not rounded';

/*
 * Window functions: row by row in the window's order, whatever its frame
 * clause says; peers are rows like others.
 */

CREATE FUNCTION gpu_cumsum(value smallint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumsum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(smallint) IS
	'sum of the values so far, exact and rounded once';

CREATE FUNCTION gpu_cumsum(value integer) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumsum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(integer) IS
	'sum of the values so far, exact and rounded once';

CREATE FUNCTION gpu_cumsum(value bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumsum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(bigint) IS
	'sum of the values so far, exact and rounded once';

CREATE FUNCTION gpu_cumsum(value real) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_window_cumsum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(real) IS
	'sum of the values so far, exact and rounded once';

CREATE FUNCTION gpu_cumsum(value double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cumsum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(double precision) IS
	'sum of the values so far, exact and rounded once';

CREATE FUNCTION gpu_cumsum(value numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(numeric) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_cumcount(value smallint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumcount'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(smallint) IS
	'number of values so far that are not null';

CREATE FUNCTION gpu_cumcount(value integer) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumcount'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(integer) IS
	'number of values so far that are not null';

CREATE FUNCTION gpu_cumcount(value bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumcount'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(bigint) IS
	'number of values so far that are not null';

CREATE FUNCTION gpu_cumcount(value real) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumcount'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(real) IS
	'number of values so far that are not null';

CREATE FUNCTION gpu_cumcount(value double precision) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cumcount'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(double precision) IS
	'number of values so far that are not null';

CREATE FUNCTION gpu_cumcount(value numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(numeric) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_cumprod(value smallint) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cumprod'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(smallint) IS 'product of the values so far';

CREATE FUNCTION gpu_cumprod(value integer) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cumprod'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(integer) IS 'product of the values so far';

CREATE FUNCTION gpu_cumprod(value bigint) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cumprod'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(bigint) IS 'product of the values so far';

CREATE FUNCTION gpu_cumprod(value real) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cumprod'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(real) IS 'product of the values so far';

CREATE FUNCTION gpu_cumprod(value double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cumprod'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(double precision) IS
	'product of the values so far';

CREATE FUNCTION gpu_cumprod(value numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(numeric) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_cummin(value smallint) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_window_cummin'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(smallint) IS 'least value so far';

CREATE FUNCTION gpu_cummin(value integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_window_cummin'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(integer) IS 'least value so far';

CREATE FUNCTION gpu_cummin(value bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cummin'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(bigint) IS 'least value so far';

CREATE FUNCTION gpu_cummin(value real) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_window_cummin'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(real) IS 'least value so far';

CREATE FUNCTION gpu_cummin(value double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cummin'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(double precision) IS 'least value so far';

CREATE FUNCTION gpu_cummin(value numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(numeric) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_cummax(value smallint) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_window_cummax'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(smallint) IS 'greatest value so far';

CREATE FUNCTION gpu_cummax(value integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_window_cummax'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(integer) IS 'greatest value so far';

CREATE FUNCTION gpu_cummax(value bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_cummax'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(bigint) IS 'greatest value so far';

CREATE FUNCTION gpu_cummax(value real) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_window_cummax'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(real) IS 'greatest value so far';

CREATE FUNCTION gpu_cummax(value double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_cummax'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(double precision) IS 'greatest value so far';

CREATE FUNCTION gpu_cummax(value numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(numeric) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_moving_sum(value smallint, preceding integer,
	following integer DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_sum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(smallint, integer, integer) IS
	'sum of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_sum(value integer, preceding integer,
	following integer DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_sum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(integer, integer, integer) IS
	'sum of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_sum(value bigint, preceding integer,
	following integer DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_sum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(bigint, integer, integer) IS
	'sum of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_sum(value real, preceding integer,
	following integer DEFAULT 0) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_window_moving_sum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(real, integer, integer) IS
	'sum of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_sum(value double precision, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_sum'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(double precision, integer, integer) IS
	'sum of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_sum(value numeric, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(numeric, integer, integer) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_moving_avg(value smallint, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_window_moving_avg'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(smallint, integer, integer) IS
	'mean of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_avg(value integer, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_window_moving_avg'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(integer, integer, integer) IS
	'mean of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_avg(value bigint, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_window_moving_avg'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(bigint, integer, integer) IS
	'mean of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_avg(value real, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_avg'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(real, integer, integer) IS
	'mean of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_avg(value double precision, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_avg'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(double precision, integer, integer) IS
	'mean of the frame''s values, exact and rounded once';

CREATE FUNCTION gpu_moving_avg(value numeric, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(numeric, integer, integer) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_moving_min(value smallint, preceding integer,
	following integer DEFAULT 0) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_min'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(smallint, integer, integer) IS
	'least value of the frame';

CREATE FUNCTION gpu_moving_min(value integer, preceding integer,
	following integer DEFAULT 0) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_window_moving_min'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(integer, integer, integer) IS
	'least value of the frame';

CREATE FUNCTION gpu_moving_min(value bigint, preceding integer,
	following integer DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_min'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(bigint, integer, integer) IS
	'least value of the frame';

CREATE FUNCTION gpu_moving_min(value real, preceding integer,
	following integer DEFAULT 0) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_window_moving_min'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(real, integer, integer) IS
	'least value of the frame';

CREATE FUNCTION gpu_moving_min(value double precision, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_min'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(double precision, integer, integer) IS
	'least value of the frame';

CREATE FUNCTION gpu_moving_min(value numeric, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(numeric, integer, integer) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_moving_max(value smallint, preceding integer,
	following integer DEFAULT 0) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_max'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(smallint, integer, integer) IS
	'greatest value of the frame';

CREATE FUNCTION gpu_moving_max(value integer, preceding integer,
	following integer DEFAULT 0) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_window_moving_max'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(integer, integer, integer) IS
	'greatest value of the frame';

CREATE FUNCTION gpu_moving_max(value bigint, preceding integer,
	following integer DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_window_moving_max'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(bigint, integer, integer) IS
	'greatest value of the frame';

CREATE FUNCTION gpu_moving_max(value real, preceding integer,
	following integer DEFAULT 0) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_window_moving_max'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(real, integer, integer) IS
	'greatest value of the frame';

CREATE FUNCTION gpu_moving_max(value double precision, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_max'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(double precision, integer, integer) IS
	'greatest value of the frame';

CREATE FUNCTION gpu_moving_max(value numeric, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(numeric, integer, integer) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_moving_stddev(value smallint, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_window_moving_stddev'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(smallint, integer, integer) IS
	'sample standard deviation of the frame''s values';

CREATE FUNCTION gpu_moving_stddev(value integer, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_window_moving_stddev'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(integer, integer, integer) IS
	'sample standard deviation of the frame''s values';

CREATE FUNCTION gpu_moving_stddev(value bigint, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_window_moving_stddev'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(bigint, integer, integer) IS
	'sample standard deviation of the frame''s values';

CREATE FUNCTION gpu_moving_stddev(value real, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_stddev'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(real, integer, integer) IS
	'sample standard deviation of the frame''s values';

CREATE FUNCTION gpu_moving_stddev(value double precision, preceding integer,
	following integer DEFAULT 0) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_window_moving_stddev'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(double precision, integer, integer) IS
	'sample standard deviation of the frame''s values';

CREATE FUNCTION gpu_moving_stddev(value numeric, preceding integer,
	following integer DEFAULT 0) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C WINDOW IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(numeric, integer, integer) IS
	'not supported: cast the argument to another type';

/*
 * Order: of arrays, and of columns as aggregates, which collect a group's
 * values in an array first.
 */

CREATE FUNCTION gpu_median(arr smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_median(smallint[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_median(integer[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_median(bigint[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_median(real[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_median(double precision[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_median(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_percentile_cont(arr smallint[], fraction double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(smallint[], double precision) IS
	'percentile of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr integer[], fraction double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(integer[], double precision) IS
	'percentile of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr bigint[], fraction double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(bigint[], double precision) IS
	'percentile of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr real[], fraction double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(real[], double precision) IS
	'percentile of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr double precision[], fraction double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(double precision[], double precision) IS
	'percentile of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr numeric[], fraction double precision) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_cont(numeric[], double precision) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_mode(arr smallint[]) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_mode(smallint[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_mode(integer[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_mode(bigint[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_mode(real[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_mode(double precision[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_mode(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_count_distinct(arr smallint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(smallint[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr integer[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(integer[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(bigint[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr real[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(real[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr double precision[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(double precision[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr numeric[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count_distinct(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_sort(
		arr smallint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sort(smallint[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr integer[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sort(integer[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr bigint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sort(bigint[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr real[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sort(real[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr double precision[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_sort(double precision[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sort(numeric[], boolean, boolean) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_argsort(
		arr smallint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(smallint[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr integer[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(integer[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr bigint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(bigint[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr real[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(real[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr double precision[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(double precision[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argsort(numeric[], boolean, boolean) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_topk(arr smallint[], k integer, largest boolean DEFAULT true)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_topk(smallint[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr integer[], k integer, largest boolean DEFAULT true)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_topk(integer[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr bigint[], k integer, largest boolean DEFAULT true)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_topk(bigint[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr real[], k integer, largest boolean DEFAULT true)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_topk(real[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr double precision[], k integer, largest boolean DEFAULT true)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_topk(double precision[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr numeric[], k integer, largest boolean DEFAULT true)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_topk(numeric[], integer, boolean) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_percentile_cont(arr smallint[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(smallint[], double precision[]) IS
	'percentiles of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr integer[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(integer[], double precision[]) IS
	'percentiles of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr bigint[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(bigint[], double precision[]) IS
	'percentiles of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr real[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(real[], double precision[]) IS
	'percentiles of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr double precision[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(double precision[], double precision[]) IS
	'percentiles of the elements, interpolated';

CREATE FUNCTION gpu_percentile_cont(arr numeric[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_cont(numeric[], double precision[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_percentile_disc(arr smallint[], fraction double precision)
	RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(smallint[], double precision) IS
	'percentile of the elements, one of them';

CREATE FUNCTION gpu_percentile_disc(arr integer[], fraction double precision)
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(integer[], double precision) IS
	'percentile of the elements, one of them';

CREATE FUNCTION gpu_percentile_disc(arr bigint[], fraction double precision)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(bigint[], double precision) IS
	'percentile of the elements, one of them';

CREATE FUNCTION gpu_percentile_disc(arr real[], fraction double precision)
	RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(real[], double precision) IS
	'percentile of the elements, one of them';

CREATE FUNCTION gpu_percentile_disc(arr double precision[], fraction double precision)
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(double precision[], double precision) IS
	'percentile of the elements, one of them';

CREATE FUNCTION gpu_percentile_disc(arr numeric[], fraction double precision)
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_disc(numeric[], double precision) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_percentile_disc(arr smallint[], fractions double precision[])
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(smallint[], double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentile_disc(arr integer[], fractions double precision[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(integer[], double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentile_disc(arr bigint[], fractions double precision[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(bigint[], double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentile_disc(arr real[], fractions double precision[])
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(real[], double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentile_disc(arr double precision[], fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(double precision[], double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentile_disc(arr numeric[], fractions double precision[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_disc(numeric[], double precision[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_distinct(arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(smallint[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(integer[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(bigint[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(real[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(double precision[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_distinct(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_value_counts(arr smallint[])
	RETURNS TABLE (value smallint, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(smallint[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr integer[])
	RETURNS TABLE (value integer, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(integer[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr bigint[])
	RETURNS TABLE (value bigint, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(bigint[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr real[])
	RETURNS TABLE (value real, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(real[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr double precision[])
	RETURNS TABLE (value double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(double precision[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr numeric[])
	RETURNS TABLE (value numeric, count bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_value_counts(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_collect(smallint[], smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect(smallint[], smallint) IS
	'append a value to a state';

CREATE FUNCTION gpu_collect_merge(smallint[], smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect_merge(smallint[], smallint[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_collect(integer[], integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect(integer[], integer) IS
	'append a value to a state';

CREATE FUNCTION gpu_collect_merge(integer[], integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect_merge(integer[], integer[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_collect(bigint[], bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect(bigint[], bigint) IS
	'append a value to a state';

CREATE FUNCTION gpu_collect_merge(bigint[], bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect_merge(bigint[], bigint[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_collect(real[], real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect(real[], real) IS 'append a value to a state';

CREATE FUNCTION gpu_collect_merge(real[], real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect_merge(real[], real[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_collect(double precision[], double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect(double precision[], double precision) IS
	'append a value to a state';

CREATE FUNCTION gpu_collect_merge(double precision[], double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_collect_merge(double precision[], double precision[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_percentile_collect(double precision[], smallint, double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_int2'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_collect(double precision[], smallint, double precision) IS
	'append a value to a state that begins with the fraction';

CREATE FUNCTION gpu_percentile_collect(double precision[], integer, double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_int4'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_collect(double precision[], integer, double precision) IS
	'append a value to a state that begins with the fraction';

CREATE FUNCTION gpu_percentile_collect(double precision[], bigint, double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_int8'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_collect(double precision[], bigint, double precision) IS
	'append a value to a state that begins with the fraction';

CREATE FUNCTION gpu_percentile_collect(double precision[], real, double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_float4'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_collect(double precision[], real, double precision) IS
	'append a value to a state that begins with the fraction';

CREATE FUNCTION gpu_percentile_collect(double precision[], double precision, double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_float8'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_collect(double precision[], double precision, double precision) IS
	'append a value to a state that begins with the fraction';

CREATE FUNCTION gpu_percentile_merge(double precision[], double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_merge(double precision[], double precision[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_percentile_final(double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_percentile_final(double precision[]) IS
	'percentile of a state';

CREATE AGGREGATE gpu_median(smallint)
(
	SFUNC = gpu_collect,
	STYPE = smallint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(smallint) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(integer)
(
	SFUNC = gpu_collect,
	STYPE = integer[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(integer) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(bigint)
(
	SFUNC = gpu_collect,
	STYPE = bigint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(bigint) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(real)
(
	SFUNC = gpu_collect,
	STYPE = real[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(real) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(double precision)
(
	SFUNC = gpu_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(double precision) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_mode(smallint)
(
	SFUNC = gpu_collect,
	STYPE = smallint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(smallint) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(integer)
(
	SFUNC = gpu_collect,
	STYPE = integer[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(integer) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(bigint)
(
	SFUNC = gpu_collect,
	STYPE = bigint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(bigint) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(real)
(
	SFUNC = gpu_collect,
	STYPE = real[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(real) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(double precision)
(
	SFUNC = gpu_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(double precision) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_count_distinct(smallint)
(
	SFUNC = gpu_collect,
	STYPE = smallint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(smallint) IS
	'number of different values';

CREATE AGGREGATE gpu_count_distinct(integer)
(
	SFUNC = gpu_collect,
	STYPE = integer[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(integer) IS
	'number of different values';

CREATE AGGREGATE gpu_count_distinct(bigint)
(
	SFUNC = gpu_collect,
	STYPE = bigint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(bigint) IS
	'number of different values';

CREATE AGGREGATE gpu_count_distinct(real)
(
	SFUNC = gpu_collect,
	STYPE = real[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(real) IS 'number of different values';

CREATE AGGREGATE gpu_count_distinct(double precision)
(
	SFUNC = gpu_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(double precision) IS
	'number of different values';

CREATE AGGREGATE gpu_count_distinct(numeric)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(numeric) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_percentile_cont(smallint, double precision)
(
	SFUNC = gpu_percentile_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_percentile_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(smallint, double precision) IS
	'percentile of the values, interpolated';

CREATE AGGREGATE gpu_percentile_cont(integer, double precision)
(
	SFUNC = gpu_percentile_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_percentile_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(integer, double precision) IS
	'percentile of the values, interpolated';

CREATE AGGREGATE gpu_percentile_cont(bigint, double precision)
(
	SFUNC = gpu_percentile_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_percentile_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(bigint, double precision) IS
	'percentile of the values, interpolated';

CREATE AGGREGATE gpu_percentile_cont(real, double precision)
(
	SFUNC = gpu_percentile_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_percentile_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(real, double precision) IS
	'percentile of the values, interpolated';

CREATE AGGREGATE gpu_percentile_cont(double precision, double precision)
(
	SFUNC = gpu_percentile_collect,
	STYPE = double precision[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_percentile_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(double precision, double precision) IS
	'percentile of the values, interpolated';

CREATE FUNCTION gpuscan_numeric_aggregate(numeric, numeric, double precision)
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpuscan_numeric_aggregate(numeric, numeric, double precision) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_percentile_cont(numeric, double precision)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(numeric, double precision) IS
	'not supported: cast the argument to another type';

/*
 * A histogram of a column; sums of arrays, such as the histograms of many rows.
 */

CREATE FUNCTION gpu_histogram_add(bigint[], smallint, double precision,
	double precision, integer) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_int2'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_add(bigint[], smallint, double precision, double precision, integer) IS
	'count a value';

CREATE FUNCTION gpu_histogram_add(bigint[], integer, double precision,
	double precision, integer) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_int4'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_add(bigint[], integer, double precision, double precision, integer) IS
	'count a value';

CREATE FUNCTION gpu_histogram_add(bigint[], bigint, double precision,
	double precision, integer) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_int8'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_add(bigint[], bigint, double precision, double precision, integer) IS
	'count a value';

CREATE FUNCTION gpu_histogram_add(bigint[], real, double precision,
	double precision, integer) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_float4'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_add(bigint[], real, double precision, double precision, integer) IS
	'count a value';

CREATE FUNCTION gpu_histogram_add(bigint[], double precision, double precision,
	double precision, integer) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_float8'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_add(bigint[], double precision, double precision, double precision, integer) IS
	'count a value';

CREATE FUNCTION gpu_histogram_merge(bigint[], bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_merge(bigint[], bigint[]) IS
	'add the counts of another state';

CREATE FUNCTION gpu_histogram_final(bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_final(bigint[]) IS 'counts of a state';

CREATE AGGREGATE gpu_histogram(smallint, double precision, double precision, integer)
(
	SFUNC = gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(smallint, double precision, double precision, integer) IS
	'counts of the values in buckets of equal width, as width_bucket';

CREATE AGGREGATE gpu_histogram(integer, double precision, double precision, integer)
(
	SFUNC = gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(integer, double precision, double precision, integer) IS
	'counts of the values in buckets of equal width, as width_bucket';

CREATE AGGREGATE gpu_histogram(bigint, double precision, double precision, integer)
(
	SFUNC = gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(bigint, double precision, double precision, integer) IS
	'counts of the values in buckets of equal width, as width_bucket';

CREATE AGGREGATE gpu_histogram(real, double precision, double precision, integer)
(
	SFUNC = gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(real, double precision, double precision, integer) IS
	'counts of the values in buckets of equal width, as width_bucket';

CREATE AGGREGATE gpu_histogram(double precision, double precision, double precision, integer)
(
	SFUNC = gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(double precision, double precision, double precision, integer) IS
	'counts of the values in buckets of equal width, as width_bucket';

CREATE FUNCTION gpuscan_numeric_aggregate(numeric, numeric, double precision,
	double precision, integer) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, integer) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_histogram(numeric, double precision, double precision, integer)
(
	SFUNC = gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(numeric, double precision, double precision, integer) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION gpu_array_add(bigint[], bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_array_add'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_array_add(bigint[], bigint[]) IS
	'sums of elements, of which nulls are left out';

CREATE AGGREGATE gpu_array_sum(bigint[])
(
	SFUNC = gpu_array_add,
	STYPE = bigint[],
	SSPACE = 1024,
	COMBINEFUNC = gpu_array_add,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_array_sum(bigint[]) IS
	'sums of arrays, element by element';

/*
 * Neighbours; places; rows and columns.
 */

CREATE FUNCTION gpu_diff(arr smallint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_diff(smallint[]) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr integer[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_diff(integer[]) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_diff(bigint[]) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_diff(real[]) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_diff(double precision[]) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr numeric[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_diff(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_unique(arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_unique(smallint[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_unique(integer[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_unique(bigint[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_unique(real[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_unique(double precision[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_unique(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_rle(arr smallint[])
	RETURNS TABLE (value smallint, count integer)
	AS 'MODULE_PATHNAME', 'gpu_rle'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_rle(smallint[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr integer[])
	RETURNS TABLE (value integer, count integer)
	AS 'MODULE_PATHNAME', 'gpu_rle'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_rle(integer[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr bigint[])
	RETURNS TABLE (value bigint, count integer)
	AS 'MODULE_PATHNAME', 'gpu_rle'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_rle(bigint[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr real[])
	RETURNS TABLE (value real, count integer)
	AS 'MODULE_PATHNAME', 'gpu_rle'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_rle(real[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr double precision[])
	RETURNS TABLE (value double precision, count integer)
	AS 'MODULE_PATHNAME', 'gpu_rle'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_rle(double precision[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr numeric[])
	RETURNS TABLE (value numeric, count integer)
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rle(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_searchsorted(edges smallint[], arr smallint[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(smallint[], smallint[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges integer[], arr integer[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(integer[], integer[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges bigint[], arr bigint[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(bigint[], bigint[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges real[], arr real[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(real[], real[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges double precision[], arr double precision[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(double precision[], double precision[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges numeric[], arr numeric[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_searchsorted(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_transpose(arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(smallint[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(integer[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(bigint[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(real[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(double precision[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_transpose(numeric[]) IS
	'not supported: cast the array to another type';

/*
 * Dot product and norms.
 */

CREATE FUNCTION gpu_dot(a smallint[], b smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_dot'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_dot(smallint[], smallint[]) IS
	'sum of the products of elements, exact and rounded once';

CREATE FUNCTION gpu_dot(a integer[], b integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_dot'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_dot(integer[], integer[]) IS
	'sum of the products of elements, exact and rounded once';

CREATE FUNCTION gpu_dot(a bigint[], b bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_dot'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_dot(bigint[], bigint[]) IS
	'sum of the products of elements, exact and rounded once';

CREATE FUNCTION gpu_dot(a real[], b real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_dot'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_dot(real[], real[]) IS
	'sum of the products of elements, exact and rounded once';

CREATE FUNCTION gpu_dot(a double precision[], b double precision[])
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_dot'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_dot(double precision[], double precision[]) IS
	'sum of the products of elements, exact and rounded once';

CREATE FUNCTION gpu_dot(a numeric[], b numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dot(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_asum(arr smallint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_asum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_asum(smallint[]) IS
	'sum of magnitudes, exact and rounded once';

CREATE FUNCTION gpu_asum(arr integer[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_asum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_asum(integer[]) IS
	'sum of magnitudes, exact and rounded once';

CREATE FUNCTION gpu_asum(arr bigint[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_asum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_asum(bigint[]) IS
	'sum of magnitudes, exact and rounded once';

CREATE FUNCTION gpu_asum(arr real[]) RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_asum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_asum(real[]) IS
	'sum of magnitudes, exact and rounded once';

CREATE FUNCTION gpu_asum(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_asum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_asum(double precision[]) IS
	'sum of magnitudes, exact and rounded once';

CREATE FUNCTION gpu_asum(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_asum(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_norm(arr smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_norm'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_norm(smallint[]) IS
	'Euclidean norm: root of the sum of squares';

CREATE FUNCTION gpu_norm(arr integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_norm'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_norm(integer[]) IS
	'Euclidean norm: root of the sum of squares';

CREATE FUNCTION gpu_norm(arr bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_norm'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_norm(bigint[]) IS
	'Euclidean norm: root of the sum of squares';

CREATE FUNCTION gpu_norm(arr real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_norm'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_norm(real[]) IS
	'Euclidean norm: root of the sum of squares';

CREATE FUNCTION gpu_norm(arr double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_norm'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_norm(double precision[]) IS
	'Euclidean norm: root of the sum of squares';

CREATE FUNCTION gpu_norm(arr numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_norm(numeric[]) IS
	'not supported: cast the array to another type';

/*
 * Segments, and frames that move over an array.
 */

CREATE FUNCTION gpu_segment_sum(arr smallint[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(smallint[], boolean[]) IS
	'sum of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_sum(arr integer[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(integer[], boolean[]) IS
	'sum of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_sum(arr bigint[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(bigint[], boolean[]) IS
	'sum of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_sum(arr real[], heads boolean[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(real[], boolean[]) IS
	'sum of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_sum(arr double precision[], heads boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(double precision[], boolean[]) IS
	'sum of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_sum(arr numeric[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_sum(numeric[], boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_segment_avg(arr smallint[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(smallint[], boolean[]) IS
	'mean of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_avg(arr integer[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(integer[], boolean[]) IS
	'mean of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_avg(arr bigint[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(bigint[], boolean[]) IS
	'mean of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_avg(arr real[], heads boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(real[], boolean[]) IS
	'mean of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_avg(arr double precision[], heads boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(double precision[], boolean[]) IS
	'mean of each segment, exact and rounded once';

CREATE FUNCTION gpu_segment_avg(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_avg(numeric[], boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_segment_min(arr smallint[], heads boolean[])
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(smallint[], boolean[]) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(arr integer[], heads boolean[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(integer[], boolean[]) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(arr bigint[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(bigint[], boolean[]) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(arr real[], heads boolean[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(real[], boolean[]) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(arr double precision[], heads boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(double precision[], boolean[]) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_min(numeric[], boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_segment_max(arr smallint[], heads boolean[])
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(smallint[], boolean[]) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(arr integer[], heads boolean[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(integer[], boolean[]) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(arr bigint[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(bigint[], boolean[]) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(arr real[], heads boolean[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(real[], boolean[]) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(arr double precision[], heads boolean[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(double precision[], boolean[]) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_max(numeric[], boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_segment_count(arr smallint[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(smallint[], boolean[]) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(arr integer[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(integer[], boolean[]) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(arr bigint[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(bigint[], boolean[]) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(arr real[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(real[], boolean[]) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(arr double precision[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(double precision[], boolean[]) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(arr numeric[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_count(numeric[], boolean[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_sum(arr smallint[], preceding integer, following integer DEFAULT 0)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_sum(smallint[], integer, integer) IS
	'sum of a frame around each element';

CREATE FUNCTION gpu_moving_sum(arr integer[], preceding integer, following integer DEFAULT 0)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_sum(integer[], integer, integer) IS
	'sum of a frame around each element';

CREATE FUNCTION gpu_moving_sum(arr bigint[], preceding integer, following integer DEFAULT 0)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_sum(bigint[], integer, integer) IS
	'sum of a frame around each element';

CREATE FUNCTION gpu_moving_sum(arr real[], preceding integer, following integer DEFAULT 0)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_moving_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_sum(real[], integer, integer) IS
	'sum of a frame around each element';

CREATE FUNCTION gpu_moving_sum(arr double precision[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_sum(double precision[], integer, integer) IS
	'sum of a frame around each element';

CREATE FUNCTION gpu_moving_sum(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(numeric[], integer, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_avg(arr smallint[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_avg(smallint[], integer, integer) IS
	'mean of a frame around each element';

CREATE FUNCTION gpu_moving_avg(arr integer[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_avg(integer[], integer, integer) IS
	'mean of a frame around each element';

CREATE FUNCTION gpu_moving_avg(arr bigint[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_avg(bigint[], integer, integer) IS
	'mean of a frame around each element';

CREATE FUNCTION gpu_moving_avg(arr real[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_avg(real[], integer, integer) IS
	'mean of a frame around each element';

CREATE FUNCTION gpu_moving_avg(arr double precision[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_avg(double precision[], integer, integer) IS
	'mean of a frame around each element';

CREATE FUNCTION gpu_moving_avg(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(numeric[], integer, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_min(arr smallint[], preceding integer, following integer DEFAULT 0)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(smallint[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr integer[], preceding integer, following integer DEFAULT 0)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(integer[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr bigint[], preceding integer, following integer DEFAULT 0)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(bigint[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr real[], preceding integer, following integer DEFAULT 0)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(real[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr double precision[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(double precision[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(numeric[], integer, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_max(arr smallint[], preceding integer, following integer DEFAULT 0)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(smallint[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr integer[], preceding integer, following integer DEFAULT 0)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(integer[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr bigint[], preceding integer, following integer DEFAULT 0)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(bigint[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr real[], preceding integer, following integer DEFAULT 0)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(real[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr double precision[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(double precision[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(numeric[], integer, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_stddev(arr smallint[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_stddev'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_stddev(smallint[], integer, integer) IS
	'sample standard deviation of a frame around each element';

CREATE FUNCTION gpu_moving_stddev(arr integer[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_stddev'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_stddev(integer[], integer, integer) IS
	'sample standard deviation of a frame around each element';

CREATE FUNCTION gpu_moving_stddev(arr bigint[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_stddev'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_stddev(bigint[], integer, integer) IS
	'sample standard deviation of a frame around each element';

CREATE FUNCTION gpu_moving_stddev(arr real[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_stddev'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_stddev(real[], integer, integer) IS
	'sample standard deviation of a frame around each element';

CREATE FUNCTION gpu_moving_stddev(arr double precision[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_stddev'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_moving_stddev(double precision[], integer, integer) IS
	'sample standard deviation of a frame around each element';

CREATE FUNCTION gpu_moving_stddev(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(numeric[], integer, integer) IS
	'not supported: cast the array to another type';

/*
 * A description.
 */

CREATE FUNCTION gpu_describe(arr smallint[], OUT count bigint,
		OUT nulls bigint, OUT nans bigint, OUT min smallint, OUT max smallint,
		OUT sum bigint, OUT avg numeric, OUT stddev numeric,
		OUT p25 double precision, OUT median double precision,
		OUT p75 double precision)
	AS 'MODULE_PATHNAME', 'gpu_describe'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_describe(smallint[]) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE FUNCTION gpu_describe(arr integer[], OUT count bigint,
		OUT nulls bigint, OUT nans bigint, OUT min integer, OUT max integer,
		OUT sum bigint, OUT avg numeric, OUT stddev numeric,
		OUT p25 double precision, OUT median double precision,
		OUT p75 double precision)
	AS 'MODULE_PATHNAME', 'gpu_describe'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_describe(integer[]) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE FUNCTION gpu_describe(arr bigint[], OUT count bigint,
		OUT nulls bigint, OUT nans bigint, OUT min bigint, OUT max bigint,
		OUT sum numeric, OUT avg numeric, OUT stddev numeric,
		OUT p25 double precision, OUT median double precision,
		OUT p75 double precision)
	AS 'MODULE_PATHNAME', 'gpu_describe'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_describe(bigint[]) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE FUNCTION gpu_describe(arr real[], OUT count bigint,
		OUT nulls bigint, OUT nans bigint, OUT min real, OUT max real,
		OUT sum real, OUT avg double precision, OUT stddev double precision,
		OUT p25 double precision, OUT median double precision,
		OUT p75 double precision)
	AS 'MODULE_PATHNAME', 'gpu_describe'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_describe(real[]) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE FUNCTION gpu_describe(arr double precision[], OUT count bigint,
		OUT nulls bigint, OUT nans bigint, OUT min double precision, OUT max double precision,
		OUT sum double precision, OUT avg double precision, OUT stddev double precision,
		OUT p25 double precision, OUT median double precision,
		OUT p75 double precision)
	AS 'MODULE_PATHNAME', 'gpu_describe'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_describe(double precision[]) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE FUNCTION gpu_describe(arr numeric[], OUT count bigint,
		OUT nulls bigint, OUT nans bigint, OUT min numeric, OUT max numeric,
		OUT sum numeric, OUT avg numeric, OUT stddev numeric,
		OUT p25 double precision, OUT median double precision,
		OUT p75 double precision)
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_describe(numeric[]) IS
	'not supported: cast the array to another type';
