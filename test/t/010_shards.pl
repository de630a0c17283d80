# Rows on two servers: what aggregates give does not depend on where they are.
# The servers aggregate, by postgres_fdw or told by hand; summaries and states
# travel as text, in binary and in dumps.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Readings, of which each server has its part: exact sums of them need all bits.
my $readings = q{
	SELECT i, i % 40 AS g,
		CASE WHEN i % 11 > 0 THEN ('x' || left(md5(i::text), 8))::bit(32)::int / 7e6
			* 10::float8 ^ (i % 90 - 45) END AS v,
		('x' || left(md5((i + 7)::text), 4))::bit(16)::int - 32768 AS n
	FROM generate_series(1, 4000) AS i
};
my $columns = 'i integer, g integer, v double precision, n integer';

my $all = new_node('all');
$all->safe_psql('postgres', "CREATE TABLE reading AS $readings");
my @shards;
for my $name ('one', 'two')
{
	my $shard = new_node($name);
	my $part = $name eq 'one' ? 'g < 20' : 'g >= 20';

	$shard->safe_psql('postgres',
		"CREATE TABLE reading AS SELECT * FROM ($readings) AS r WHERE $part; ANALYZE reading");
	push @shards, $shard;
}

sub query
{
	my ($node, $sql) = @_;

	return $node->safe_psql('postgres', "SET extra_float_digits = 1; $sql");
}

# What is asked, of all rows at one server and of those at two.
my @figures = (
	'gpu_count(v)', 'gpu_sum(v)', 'gpu_avg(v)', 'gpu_stddev(v)', 'gpu_min(v)', 'gpu_max(v)',
	'gpu_median(v)', 'gpu_percentile_cont(n, 0.9)', 'gpu_mode(n)', 'gpu_count_distinct(n)',
	'gpu_histogram(n, -40000, 40000, 7)', 'gpu_corr(v, n)', 'gpu_regr_slope(v, n)', 'gpu_weighted_avg(v, abs(n) + 1)', 'gpu_stats_agg(v)');
my $figures = join ', ', @figures;
my $groups = "SELECT g, $figures FROM reading GROUP BY g ORDER BY g";
my $wanted = query($all, $groups);

# postgres_fdw
my $front = new_node('front');
if ($front->safe_psql('postgres',
		"SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'"))
{
	$front->safe_psql('postgres',
		"CREATE EXTENSION postgres_fdw; CREATE TABLE reading ($columns) PARTITION BY RANGE (g)");
	for my $i (0, 1)
	{
		my $host = $shards[$i]->host;
		my $port = $shards[$i]->port;
		my ($from, $to) = (20 * $i, 20 * $i + 20);

		$front->safe_psql('postgres', qq{
			CREATE SERVER shard_$i FOREIGN DATA WRAPPER postgres_fdw
				OPTIONS (host '$host', port '$port', dbname 'postgres', extensions 'gpuscan');
			CREATE USER MAPPING FOR CURRENT_USER SERVER shard_$i;
			CREATE FOREIGN TABLE reading_$i PARTITION OF reading FOR VALUES FROM ($from) TO ($to)
				SERVER shard_$i OPTIONS (table_name 'reading');
			ANALYZE reading_$i;
		});
	}
	$front->append_conf('postgresql.conf', 'enable_partitionwise_aggregate = on');
	$front->reload;

	my $plan = query($front, "EXPLAIN (VERBOSE, COSTS OFF) $groups");
	my @remote = $plan =~ /Remote SQL: (.*)/g;
	is(scalar @remote, 2, 'a query for each server');
	for my $sql (@remote)
	{
		for my $figure (@figures)
		{
			my ($name) = $figure =~ /(\w+)\(/;
			like($sql, qr/\b$name\(/, "$name is sent");
		}
		like($sql, qr/GROUP BY/, 'and groups are made there');
	}
	is(query($front, $groups), $wanted, 'the same groups');

	# the same rows, fetched and aggregated here, in groups that both servers have
	my $mixed = "SELECT n % 5 AS five, $figures FROM reading GROUP BY five ORDER BY five";
	is(query($front, $mixed), query($all, $mixed), 'groups that both servers have');

	my $summaries = 'SELECT gpu_rollup(s) FROM (SELECT g, gpu_stats_agg(v) AS s FROM reading GROUP BY g) AS t';
	like(query($front, "EXPLAIN (VERBOSE, COSTS OFF) $summaries"),
		qr/Remote SQL: SELECT .*gpu_stats_agg\(v\).*Remote SQL: SELECT .*gpu_stats_agg\(v\)/s,
		'summaries are made there');
	is(query($front, $summaries), query($all, 'SELECT gpu_stats_agg(v) FROM reading'),
		'and merged here');
}

# Summaries by hand: text from one server is input of another.
my @stats = map { query($_, 'SELECT gpu_stats_agg(v) FROM reading') } @shards;
my $merged = "gpu_rollup(s) FROM (VALUES (gpu_stats '$stats[0]'), ('$stats[1]')) AS t (s)";
is(query($front, "SELECT $merged"), query($all, 'SELECT gpu_stats_agg(v) FROM reading'),
	'summaries of two servers');
is(query($front, "SELECT gpu_sum(s), gpu_stddev(s), gpu_sum_exact(s) FROM (SELECT gpu_rollup(s) AS s FROM (SELECT $merged) AS m (s)) AS r"),
	query($all, 'SELECT gpu_sum(v), gpu_stddev(v), gpu_sum_exact(gpu_stats_agg(v)) FROM reading'),
	'and what follows from them');

# Partial aggregation: what Citus, say, makes of each aggregate whose state is
# an ordinary value, and whose final function needs no more than that.  The state
# is made at a server, and merged and finished at another.
my @aggregates = split /\n/, query($all, q{
	SELECT format('%s|%s|%s|%s|%s|%s|%s', proname, aggtransfn::regproc, aggtranstype::regtype,
		aggcombinefn::regproc, nullif(aggfinalfn, 0)::regproc, agginitval,
		CASE pronargs WHEN 1 THEN CASE WHEN proargtypes[0] = 'float8'::regtype THEN 'v'
			WHEN proname LIKE 'gpu\_bool%' THEN 'n > 9' WHEN proname = 'gpu_array_sum' THEN 'ARRAY[n::bigint, 1]'
			WHEN proname = 'gpu_rollup' THEN 'gpu_stats(ARRAY[v])'
			WHEN typcategory = 'D' THEN '(date ''2026-01-01'' + n::integer % 10000)::' || format_type(proargtypes[0], NULL)
			ELSE 'n::' || format_type(proargtypes[0], NULL) END
		WHEN 4 THEN 'v, -1e9, 1e9, 30' WHEN 8 THEN 'v, v, -1e9, 1e9, 3, -1e6, 1e6, 2' ELSE CASE proname WHEN 'gpu_percentile_cont' THEN 'v, 0.3' ELSE 'v, n' END END)
	FROM pg_aggregate JOIN pg_proc ON pg_proc.oid = aggfnoid JOIN pg_type ON pg_type.oid = proargtypes[0]
	WHERE proname LIKE 'gpu\_%' AND NOT 1700 = ANY (proargtypes::oid[])
		AND aggtranstype <> 'internal'::regtype AND NOT aggfinalextra
		AND (pronargs = 1 OR proargtypes[0] = 'float8'::regtype) ORDER BY 1
});
cmp_ok(scalar @aggregates, '>', 80, 'aggregates');
my @different;
for (@aggregates)
{
	my ($name, $transition, $type, $combine, $final, $initial, $arguments) = split /\|/, $_, -1;
	my $init = $initial eq '' ? '' : ", INITCOND = '$initial'";
	my $parameters = $arguments eq 'v' ? 'float8' : $arguments;
	my @states;

	$parameters =~ s/^(?:n|\(date .*\))::(.*)/$1/;
	$parameters = 'boolean' if $name =~ /^gpu_bool/;
	$parameters = 'bigint[]' if $name eq 'gpu_array_sum';
	$parameters = 'gpu_stats' if $name eq 'gpu_rollup';
	$parameters = 'float8, float8' if $arguments =~ /^v, (n|0.3)$/;
	$parameters = 'float8, float8, float8, integer' if $arguments =~ /1e9/;
	$parameters = 'float8, float8, float8, float8, integer, float8, float8, integer' if $arguments =~ /1e6/;
	for my $shard (@shards)
	{
		push @states, query($shard, qq{
			CREATE AGGREGATE partial($parameters) (SFUNC = $transition, STYPE = $type$init);
			SELECT coalesce(quote_literal(partial($arguments)), 'NULL') FROM reading;
			DROP AGGREGATE partial($parameters)});
	}
	my $finished = query($front, qq{
		CREATE AGGREGATE finish($type) (SFUNC = $combine, STYPE = $type$init}
		  . ($final eq '' ? '' : ", FINALFUNC = $final") . qq{);
		SELECT finish(s) FROM (VALUES ($states[0]::$type), ($states[1])) AS t (s);
		DROP AGGREGATE finish($type)});
	push @different, "$name($arguments): $finished"
	  if $finished ne query($all, "SELECT $name($arguments) FROM reading");
}
is(join("\n", @different), '', 'merged from partial states, all are the same');

# Dump and restore of stored summaries.
$all->safe_psql('postgres', q{
	CREATE TABLE summary AS SELECT g, gpu_stats_agg(v) AS s, gpu_stats_agg(n) AS sn FROM reading GROUP BY g;
	INSERT INTO summary VALUES (-1, 'stats', NULL),
		(-2, gpu_stats('{NaN, Infinity, -0, 5e-324, 1.7e308}'::float8[]), gpu_stats('{-0}'::real[]));
});
my $rows = q{SELECT g, s, sn, _gpu_stats_send(s), _gpu_stats_send(sn), s::text::gpu_stats::text = s::text FROM summary ORDER BY g};
for my $format ('plain', 'custom')
{
	my $dump = $all->backup_dir . "-$format";
	my $restored = "restored_$format";

	$all->command_ok([ 'pg_dump', '-d', $all->connstr('postgres'), '-F', $format, '-t', 'summary', '-f', $dump ],
		"pg_dump, $format");
	$front->safe_psql('postgres', "CREATE DATABASE $restored");
	$front->safe_psql($restored, 'CREATE EXTENSION gpuscan');
	$front->command_ok($format eq 'plain' ?
		[ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', $front->connstr($restored), '-f', $dump ] :
		[ 'pg_restore', '-d', $front->connstr($restored), $dump ], 'restored');
	is($front->safe_psql($restored, $rows), $all->safe_psql('postgres', $rows),
		'the same summaries, to the last byte');
}
$_->stop for $all, $front, @shards;
done_testing();
