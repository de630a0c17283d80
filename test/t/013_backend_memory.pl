# Memory of a session: what functions that read all of an array need beyond it
# and their result, and what a parallel worker can pass on.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Pages of shared buffers count for who touches them.
my $node = new_node('main', q{
gpuscan.engine = cpu
shared_buffers = 1MB
});
$node->safe_psql('postgres', q{
	CREATE TABLE rising (floats float8[], integers integer[], heads boolean[]);
	ALTER TABLE rising ALTER floats SET STORAGE EXTERNAL,
		ALTER integers SET STORAGE EXTERNAL, ALTER heads SET STORAGE EXTERNAL;
	INSERT INTO rising SELECT array_agg(i ORDER BY i), array_agg(i ORDER BY i),
		array_agg(i % 2 = 0 ORDER BY i) FROM generate_series(1, 4000000) AS i;
	CREATE FUNCTION most_memory() RETURNS bigint LANGUAGE sql AS $$
		SELECT substring(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+)')::bigint * 1024 $$;
});

# In a session of its own: how much more memory it had at the most after a call
# of that function, less the arguments' and the result's.
sub memory_of
{
	my ($call) = @_;

	return $node->safe_psql('postgres', qq{
		SELECT gpu_count(floats), most_memory() FROM rising \\g /dev/null
		SELECT most_memory() AS before \\gset
		SELECT pg_column_size(result) AS size FROM (SELECT $call AS result FROM rising OFFSET 0) AS r \\gset
		SELECT most_memory() - :before - :size - } .
		join(' - ', map { "pg_column_size($_)" } $call =~ /floats|integers|heads/g) .
		' FROM rising');
}

for my $call (
	'gpu_diff(floats)',
	'gpu_unique(floats)',
	(map { ("gpu_moving_$_(floats, 2147483647)", "gpu_moving_$_(floats, 2000000)") }
	   'sum', 'avg', 'stddev', 'min', 'max'),
	'gpu_moving_min(floats, 0, 2147483647)',
	'gpu_moving_avg(integers, 2000000)',
	'gpu_moving_median(floats, 80000)',
	'gpu_moving_corr(floats, floats, 2000000)',
	'gpu_segment_avg(integers, heads)')
{
	cmp_ok(memory_of($call), '<', 16 << 20, "$call: less than 16 MB beyond");
}

my $bounds = $node->safe_psql('postgres', q{
	SET gpuscan.engine = cpu;
	SET enable_sort = off;
	SELECT gpu_histogram(i::numeric, 0.5, 8, 4), most_memory() FROM generate_series(1, 10) AS i \g /dev/null
	SELECT most_memory() AS before \gset
	SELECT gpu_histogram(i % 7, i % 2, 8 + i % 2, 4) FROM (SELECT i::numeric FROM generate_series(1, 1000000) AS i OFFSET 0) AS s GROUP BY i % 2 \g /dev/null
	SELECT most_memory() - :before});
cmp_ok($bounds, '<', 16 << 20, 'histograms of numeric keep no bounds but the last');

my (undef, undef, $error) = $node->psql('postgres', q{
	CREATE TABLE weight (w) WITH (parallel_workers = 2) AS VALUES (0.5::float8);
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SET max_parallel_workers_per_gather = 2;
	SELECT gpu_weighted_histogram(v, w, 0, 16e6, 16000000)
	FROM weight, generate_series(0, 15999999) AS v});
like($error, qr/the sums of 16000000 buckets are too large for a parallel worker to pass on.*HINT:  Set max_parallel_workers_per_gather to 0/s,
	'more than 1 GB of sums: the error says what to do');

$node->stop;

# Reports: the groups of all grouping sets, and what is kept to merge them, in what a hash table may take.
$node = new_node('reports', q{
session_preload_libraries = gpuscan
max_parallel_workers_per_gather = 0
jit = off
shared_buffers = 1MB
});
$node->safe_psql('postgres', q{
	CREATE TABLE sale AS SELECT i AS k, i % 10 AS a, i % 7 AS b, i % 3 AS c, i AS v FROM generate_series(1, 300000) AS i;
	VACUUM ANALYZE sale;
	CREATE FUNCTION most_memory() RETURNS bigint LANGUAGE sql AS $$
		SELECT substring(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+)')::bigint * 1024 $$;
	CREATE FUNCTION explained(query text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		line text;
		lines text = '';
	BEGIN
		FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF) ' || query LOOP
			lines := concat_ws(E'\n', lines, line);
		END LOOP;
		RETURN lines;
	END $$;
});
my $cube = 'SELECT k, a, b, c, sum(v), gpu_stddev(v) FROM sale GROUP BY CUBE (k, a, b, c)';

SKIP:
{
	skip 'grouping sets are no reports on 18', 3 if server_version($node) >= 18;
	my $limit = 1024 * $node->safe_psql('postgres', q{
		SELECT 4096 * coalesce(current_setting('hash_mem_multiplier')::float, 1)});
	my $plan = $node->safe_psql('postgres', "SET work_mem = '4MB'; SELECT explained('$cube')");
	like($plan, qr/Custom Scan \(GpuscanReport\).*Groups: \d{7}.*Memory Usage: \d+ kB/s, 'a report of millions of groups');
	my ($usage) = $plan =~ /Memory Usage: (\d+) kB/;
	cmp_ok(1024 * ($usage // 1e9), '<=', $limit, 'work_mem * hash_mem_multiplier counts for all sets together');
	my $more = $node->safe_psql('postgres', qq{
		SET work_mem = '4MB';
		SELECT k, sum(v) FROM sale WHERE k < 100 GROUP BY k ORDER BY k LIMIT 1 \\g /dev/null
		SELECT most_memory() AS before \\gset
		SELECT count(*) FROM ($cube OFFSET 0) AS s \\g /dev/null
		SELECT most_memory() - :before});
	cmp_ok($more, '<', $limit + (8 << 20), 'and a backend takes little more');
}
$node->stop;
done_testing();
