# Rows in shards of Citus: every aggregate gives the same bits as over one table,
# in each shape of query, with reports on the workers and without; and what is
# computed there.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A report must be the cheaper plan over few rows, too.
my $settings = q{
shared_preload_libraries = 'citus,gpuscan'
max_prepared_transactions = 20
cpu_operator_cost = 0.1
};
my ($front, @workers) = map { new_node($_, $settings) } ('front', 'one', 'two');

$_->safe_psql('postgres', 'CREATE EXTENSION citus') for $front, @workers;
$front->safe_psql('postgres', sprintf q{SELECT citus_set_coordinator_host('%s', %d)}, $front->host, $front->port);
$front->safe_psql('postgres', sprintf q{SELECT citus_add_node('%s', %d)}, $_->host, $_->port) for @workers;

# "whole" is an ordinary table of the coordinator.  Exact sums of v need all bits.
$front->safe_psql('postgres', q{
	CREATE TABLE whole AS
	SELECT i, i % 40 AS g, i / 7 % 10 AS h, v, w, v::real AS r, n, n::smallint AS s, n::bigint * 123456789 AS b, v > 0 AS t,
		ARRAY[n, g % 3]::bigint[] AS a, gpu_stats(ARRAY[v, w]) AS stats
	FROM (SELECT i, i % 40 AS g,
			CASE WHEN i % 977 = 0 THEN 'NaN' WHEN i % 991 = 0 THEN '-Infinity' WHEN i % 883 = 0 THEN '-0' WHEN i % 11 > 0
				THEN ('x' || left(md5(i::text), 8))::bit(32)::int / 7e6 * 10::float8 ^ (i % 60 - 30) END AS v,
			('x' || left(md5((i + 5)::text), 8))::bit(32)::int / 3e5::float8 AS w,
			('x' || left(md5((i + 7)::text), 4))::bit(16)::int - 32768 AS n
		FROM generate_series(1, 6000) AS i) AS x;
	CREATE TABLE reading (LIKE whole);
	CREATE TABLE place (g integer, name text);
	SET citus.shard_count = 4;
	SELECT create_distributed_table('reading', 'g'), create_distributed_table('place', 'g');
	INSERT INTO reading SELECT * FROM whole;
	INSERT INTO place SELECT g, 'place ' || g % 5 FROM generate_series(0, 39) AS g;
	CREATE TABLE whole_place AS SELECT * FROM place;
	VACUUM ANALYZE reading; VACUUM ANALYZE whole;
});

# A call of every aggregate but those over numeric, which are refused, and those
# whose final function is to know the types of arguments.
my %column = ('smallint' => 's', 'integer' => 'n', 'bigint' => 'b', 'real' => 'r', 'double precision' => 'v', 'boolean' => 't',
	'gpu_stats' => 'stats', 'bigint[]' => 'a');
my @signatures = split /\n/, $front->safe_psql('postgres', q{
	SELECT proname || '|' || oidvectortypes(proargtypes)
	FROM pg_proc JOIN pg_depend ON objid = pg_proc.oid AND classid = 'pg_proc'::regclass AND deptype = 'e'
	JOIN pg_extension AS x ON x.oid = refobjid AND refclassid = 'pg_extension'::regclass
	JOIN pg_aggregate ON aggfnoid = pg_proc.oid
	WHERE extname = 'gpuscan' AND NOT aggfinalextra ORDER BY 1});
my @calls;
for (@signatures)
{
	my ($name, $types) = split /\|/;
	my ($type, @more) = split /, /, $types;

	next if $type eq 'numeric' || $types =~ /numeric/;
	die "no column for $name($types)" unless $column{$type};
	my $arguments =
	    $name =~ /percentile/ ? ($more[0] =~ /\[\]/ ? q{, '{0.1, 0.5, 1}'} : ', 0.3')
	  : $name =~ /histogram2d/ ? ', w, -30000, 30000, 7, -1e6, 1e6, 3'
	  : $name =~ /weighted_histogram/ ? ', w, -30000, 30000, 7'
	  : $name =~ /histogram/ ? ', -30000, 30000, 7'
	  : @more ? ', w'
	  : '';
	push @calls, [ $name, $column{$type}, $arguments ];
}
cmp_ok(scalar @calls, '>', 90, 'aggregates are found: ' . @calls);

# In a shape, MORE stands for what may follow an argument.
sub calls_of
{
	my ($before, $after, $over) = @_;

	return map { "$$_[0]($before$$_[1]$$_[2]$after)$over" }
	  grep { $before eq '' || $$_[1] ne 'stats' } @calls;
}

# A few at a time: a report has room for so many.
sub chunks
{
	my @all = @_;
	my @chunks;

	push @chunks, [ splice @all, 0, 8 ] while @all;
	return @chunks;
}

my %shapes = (
	'groups by the distribution column' => ['', '', '', 'SELECT g, % FROM reading GROUP BY g ORDER BY g'],
	'groups by another column' => ['', '', '', 'SELECT h, % FROM reading GROUP BY h ORDER BY h'],
	'no groups' => ['', '', '', 'SELECT % FROM reading'],
	'no rows' => ['', '', '', 'SELECT % FROM reading WHERE i < 0'],
	'a condition' => ['', '', '', 'SELECT h, % FROM reading WHERE n > 1000 AND v IS NOT NULL GROUP BY h ORDER BY h'],
	'HAVING' => ['', '', '', 'SELECT h, % FROM reading GROUP BY h HAVING gpu_sum(w) > 0 AND gpu_count(n) > 10 ORDER BY h'],
	'FILTER' => ['', '', ' FILTER (WHERE n > 20000)', 'SELECT h, % FROM reading GROUP BY h ORDER BY h'],
	'DISTINCT' => ['DISTINCT ', '', '', 'SELECT h, % FROM reading WHERE i < 1500 GROUP BY h ORDER BY h'],
	'ORDER BY inside' => ['', ' ORDER BY i', '', 'SELECT h, % FROM reading WHERE i < 1500 GROUP BY h ORDER BY h'],
	'windows by the distribution column' =>
	  ['', '', ' OVER (PARTITION BY g ORDER BY i)', 'SELECT i, % FROM reading WHERE i < 400 ORDER BY i'],
	'a join of co-located tables' => ['', '', '', 'SELECT name, % FROM reading JOIN place USING (g) GROUP BY name ORDER BY name'],
);

sub query
{
	my ($sql) = @_;

	return $front->safe_psql('postgres', "SET extra_float_digits = 1; $sql");
}

# A query over the tables that are not distributed
sub of_whole
{
	my ($sql) = @_;

	$sql =~ s/\breading\b/whole/g;
	$sql =~ s/\bJOIN place\b/JOIN whole_place/g;
	return $sql;
}

for my $reports ('off', 'exact')
{
	for my $node (@workers)
	{
		$node->append_conf('postgresql.conf', "gpuscan.reports = $reports");
		$node->restart;
	}
	for my $shape (sort keys %shapes)
	{
		my ($before, $after, $over, $sql) = @{ $shapes{$shape} };

		# where the coordinator fetches rows there are no reports
		next if $reports ne 'off' && "$before$after$over" =~ /DISTINCT|ORDER/;
		my $asked = join ";\n", map { my $calls = join ', ', @$_; $sql =~ s/%/$calls/r } chunks(calls_of($before, $after, $over));
		is(query($asked), query(of_whole($asked)), "$shape, reports $reports: the same bits");
	}
}

# What the workers are asked for, and how they make it.
sub plan_of
{
	my ($sql) = @_;

	return $front->safe_psql('postgres', "EXPLAIN (VERBOSE, COSTS OFF) $sql");
}
my $report = qr/Custom Scan \(GpuscanReport\)/;
my $plan = plan_of('SELECT g, gpu_sum(v), gpu_median(n) FROM reading GROUP BY g');
like($plan, qr/^Custom Scan \(Citus Adaptive\)/, 'by the distribution column: the workers give results');
like($plan, $report, 'there it is a report');
for my $sql ('SELECT gpu_sum(v), gpu_stddev(n), gpu_corr(v, w), gpu_stats_agg(r), gpu_min(v), gpu_count(n), count(*) FROM reading',
	'SELECT h, gpu_sum(v) FILTER (WHERE n > 5), gpu_bool_or(t) FROM reading WHERE i > 10 GROUP BY h')
{
	$plan = plan_of($sql);
	like($plan, qr/worker_partial_agg/, 'the workers give states');
	like($plan, $report, 'as a report');
}
for my $sql ('SELECT h, gpu_median(v) FROM reading GROUP BY h', 'SELECT h, stddev(v), gpu_sum(v) FROM reading GROUP BY h')
{
	$plan = plan_of($sql);
	like($plan, qr/worker_partial_agg/, 'states of another kind');
	unlike($plan, $report, 'are not a report');
}
for my $sql ('SELECT h, gpu_sum(DISTINCT n) FROM reading GROUP BY h', 'SELECT h, gpu_sum(v ORDER BY i) FROM reading GROUP BY h')
{
	unlike(plan_of($sql), qr/worker_partial_agg|Query: [^\n]*gpu_sum\(/, 'DISTINCT, ORDER BY inside: rows are fetched');
}
like(plan_of('SELECT i, gpu_sum(v) OVER (PARTITION BY g ORDER BY i) FROM reading'),
	qr/Query: SELECT [^\n]*gpu_sum\([^\n]*\) OVER/, 'windows by the distribution column: on the workers');
unlike(plan_of('SELECT i, gpu_sum(v) OVER (PARTITION BY h ORDER BY i) FROM reading'),
	qr/Query: SELECT [^\n]*gpu_sum\([^\n]*\) OVER/, 'other windows: rows are fetched');
like(plan_of('SELECT i, gpu_sum(a) FROM reading WHERE gpu_max(a) > 5'),
	qr/Query: SELECT i, public\.gpu_sum\(a\)[^\n]*WHERE[^\n]*gpu_max\(a\)/, 'functions of arrays: on the workers');

# The states themselves, as a worker makes them of a shard's rows.
my ($shard, $port) = split /\|/, $front->safe_psql('postgres',
	q{SELECT shard_name, nodeport FROM citus_shards WHERE table_name = 'reading'::regclass ORDER BY shard_name LIMIT 1});
my ($worker) = grep { $_->port == $port } @workers;
my @signed = grep { $signatures[$_] !~ /numeric|percentile|median|mode|distinct|histogram|array_sum|rollup|weighted/ } 0 .. $#signatures;
my @states;
for (@signed)
{
	my ($name, $types) = split /\|/, $signatures[$_];
	my ($type, @more) = split /, /, $types;
	my $argument = @more ? "ROW($column{$type}, w" . ($more[0] eq 'real' ? '::real)' : ')') : $column{$type};

	push @states, "worker_partial_agg('$name($types)'::regprocedure, $argument)::text";
}
cmp_ok(scalar @states, '>', 60, 'aggregates with states: ' . @states);
for my $filter ('', 'i < 3000 AND v <> 0', 'i < 0')
{
	my $where = $filter eq '' ? '' : " FILTER (WHERE $filter)";
	my @queries = map { 'SELECT h, ' . join(', ', map { s/::text$/$where\::text/r } @$_) . " FROM $shard GROUP BY h ORDER BY h" } chunks(@states);
	my ($of_rows, $of_report) = map { $worker->safe_psql('postgres', "SET gpuscan.reports = $_; " . join(";\n", @queries)) } ('off', 'exact');

	is($of_report, $of_rows, "states of a report are those of rows: $where");
	for my $query (@queries)
	{
		my $made = $worker->safe_psql('postgres', "EXPLAIN (ANALYZE, COSTS OFF) $query");
		ok($made =~ /$report/ && $made =~ /Engine: / && $made !~ /Ordinary Plans/, 'and it was one');
	}
}

# What Citus refuses stays refused, and is no report.
my ($status, $out, $error) = $front->psql('postgres',
	q{SELECT worker_partial_agg('gpu_sum(double precision)'::regprocedure, n) FROM whole});
isnt($status, 0, 'an error');
like($error, qr/could not confirm type correctness/, 'arguments of another type are refused');

# Citus checks the functions of an aggregate as if the user called them.
sub of_analyst
{
	my ($sql) = @_;
	my ($status, $out, $error) = $front->psql('postgres', $sql, extra_params => [ '-U', 'analyst' ]);

	return $status == 0 ? $out : $error;
}
my $asked = 'SELECT ' . join(', ', calls_of('', '', '')) . ' FROM reading WHERE i < 1500';

$front->safe_psql('postgres', 'CREATE ROLE analyst LOGIN; GRANT SELECT ON reading TO analyst');
like(of_analyst($asked), qr/permission denied for function/, 'a role that is no superuser needs a grant');
$_->safe_psql('postgres', q{
	DO $$
	DECLARE f regprocedure;
	BEGIN
		SET LOCAL citus.enable_ddl_propagation = off;
		FOR f IN
			SELECT p.oid FROM pg_proc AS p JOIN pg_depend ON objid = p.oid AND classid = 'pg_proc'::regclass
			JOIN pg_extension AS x ON x.oid = refobjid AND refclassid = 'pg_extension'::regclass
			WHERE deptype = 'e' AND extname = 'gpuscan' AND starts_with(proname, '_gpu')
		LOOP
			EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', f);
		END LOOP;
	END $$}) for $front, @workers;
is(of_analyst("SET extra_float_digits = 1; $asked"), query(of_whole($asked)), 'with it, it gets the same');

done_testing();
