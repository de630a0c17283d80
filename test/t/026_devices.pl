# Logical devices, several in one GPU or on the CPU engine: tables are spread over them, and results are those of one.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', q{
gpuscan.engine = auto
cpu_tuple_cost = 0.000001
cpu_operator_cost = 1
});

sub sql { return $node->safe_psql('postgres', $_[0]); }

sub fails
{
	my ($sql, $pattern, $name) = @_;

	like(($node->psql('postgres', "LOAD 'gpuscan';\n$sql"))[2], $pattern, $name);
	return;
}

# On how many devices the columns of t are, or in how many chunks.
sub held { my ($what) = @_; return sql(qq{SELECT string_agg(DISTINCT $what\::text, ', ') FROM gpuscan_columns() WHERE relation = 't'::regclass}); }

# What is computed on several devices: merged, in slices, on the first of them alone, with look-up tables on each, in stages.
my %queries = (
	'groups' => q{SELECT k, count(*), sum(i), min(i), max(v), gpu_sum(v), gpu_stddev_samp(v), bool_and(b), gpu_histogram(v, 0, 9000, 3) FROM t GROUP BY k ORDER BY k},
	'groups of two keys' => q{SELECT count(*), sum(n), sum(s) FROM (SELECT v, k, count(*) AS n, gpu_sum(i) AS s FROM t GROUP BY v, k) AS q},
	'no groups' => q{SELECT count(*), gpu_avg(v), gpu_min(v), gpu_max(i) FROM t WHERE i % 3 <> 1},
	'values' => q{SELECT k, gpu_median(v), count(DISTINCT v), gpu_mode(i) FROM t GROUP BY k ORDER BY k},
	'windows' => q{SELECT count(*), sum(s), max(s) FROM (SELECT sum(i) OVER (PARTITION BY k ORDER BY i) AS s FROM t) AS q},
	'windows of a smallint' => q{SELECT count(*), sum(s), max(s) FROM (SELECT sum(k) OVER (PARTITION BY j ORDER BY i) AS s FROM t) AS q},
	'windows of a bigint' => q{SELECT count(*), sum(s), min(s) FROM (SELECT sum(i) OVER (PARTITION BY i % 100::bigint ORDER BY v, i) AS s FROM t WHERE k > 3) AS q},
	'windows of a filter' => q{SELECT k, max(r), count(*) FROM (SELECT k, rank() OVER (PARTITION BY k ORDER BY v) AS r FROM t WHERE i % 2 = 0) AS q GROUP BY k ORDER BY k},
	'windows by what would fail for other rows' => q{SELECT max(s), count(*) FROM (SELECT sum(i) OVER (PARTITION BY i / (i % 11) ORDER BY i) AS s FROM t WHERE v > 1) AS q},
	'windows without partitions' => q{SELECT sum(r), max(r) FROM (SELECT rank() OVER (ORDER BY v) AS r FROM t) AS q},
	'joins' => q{SELECT name, count(*), sum(i) FROM t JOIN d ON t.k = d.k GROUP BY name ORDER BY name},
);

sql(q{
	CREATE TABLE t AS SELECT i, nullif(i % 50, 7) AS k, CASE WHEN i % 11 <> 0 THEN (i * 7919 % 10007) / 8.0 * 10 ^ (i % 9) END::float8 AS v, i % 5 < 4 AS b, (i % 7)::smallint AS j
		FROM generate_series(-3000, 30000) AS i;
	CREATE TABLE d AS SELECT k, 'name ' || k % 7 AS name FROM generate_series(0, 49) AS k;
	VACUUM ANALYZE t, d;
});

fails("ALTER SYSTEM SET gpuscan.devices = '$_'", qr/invalid value for parameter "gpuscan.devices"/, "devices '$_'")
	for '', '0,', 'some', '-1', '1024', join(',', (0) x 17);

my %wanted = map { $_ => sql("LOAD 'gpuscan'; SET gpuscan.reports = off; $queries{$_}") } sort keys %queries;

for my $devices ('0', '0,0', '0,0,0,0,0')
{
	my $n = () = $devices =~ /0/g;

	configure($node, 'gpuscan.devices' => $devices);
	sql(q{SELECT gpuscan_load('t')});
	is(held('devices'), $n, "$n devices have some of the table");
	is(held('chunks'), $n, "$n devices: a chunk each");
	is(sql("LOAD 'gpuscan'; SET gpuscan.reports = exact; $queries{$_}"), $wanted{$_}, "$n devices: $_") for sort keys %queries;
	for ('groups', 'windows', 'windows of a smallint', 'windows of a bigint', 'windows by what would fail for other rows', 'joins')
	{
		my $plan = sql("LOAD 'gpuscan'; SET gpuscan.reports = exact; EXPLAIN (ANALYZE, COSTS OFF) $queries{$_}");

		like($plan, qr/GpuscanReport.*Compute Time/s, "$n devices: a report of $_");
		unlike($plan, qr/Ordinary Plans/, "$n devices: and no ordinary plan");
	}
}

is(sql('SELECT sum(gpu_sum(a)) > 0 FROM numbers, generate_series(1, 20)'), 't', 'calls of arrays');
# ----------
# One of several devices fails
# ----------
my $log = -s $node->logfile;

configure($node, 'gpuscan.devices' => '0,0,0', 'gpuscan.debug_fail_after' => 1, 'gpuscan.debug_fail_device' => 2);
$node->psql('postgres', q{SELECT gpuscan_load('t')});
is(sql("LOAD 'gpuscan'; SET gpuscan.reports = exact; $queries{groups}"), $wanted{groups}, 'a device fails: the right answer');
wait_for('what the log says', sub { return log_has($node, qr/device 0 has failed.*uses devices 0,0$/ms, $log); });
sql(q{SELECT gpuscan_load('t')});
is(held('devices'), 2, 'the next service does without it');
for (sort keys %queries)
{
	is(sql("LOAD 'gpuscan'; SET gpuscan.reports = exact; $queries{$_}"), $wanted{$_}, "the others: $_");
}
configure($node, 'gpuscan.debug_fail_after' => 0);
sql(q{SELECT gpuscan_load('t')});
is(held('devices'), 2, 'and the one after it');
sql(q{SELECT gpuscan_stop(); SELECT gpuscan_load('t')});
is(held('devices'), 3, 'until gpuscan_stop()');

# Of a service that is down, too: it has been killed so often that its next start is due
# in four seconds.
$log = -s $node->logfile;
configure($node, 'gpuscan.debug_fail_after' => 1);
$node->psql('postgres', q{SELECT gpuscan_load('t')});
sql("LOAD 'gpuscan'; SET gpuscan.reports = exact; $queries{groups}");
wait_for('what the log says', sub { return log_has($node, qr/device 0 has failed.*uses devices 0,0$/ms, $log); });
configure($node, 'gpuscan.debug_fail_after' => 0);
for (1 .. 5)
{
	# it ends when it sees the new settings, and then starts only when it is asked for
	wait_for('the service to run', sub { $node->psql('postgres', q{SELECT gpuscan_load('t')}); return status_of($node, 'state') eq 'running'; });
	kill_service($node);
}
is(sql('SELECT gpuscan_stop()'), 'f', 'a service that is down is not stopped');
sql(q{SELECT gpuscan_load('t')});
is(held('devices'), 3, 'but its next one has all devices');

is(sql('SELECT sum(gpu_sum(a)) > 0 FROM numbers, generate_series(1, 20)'), 't', 'calls of arrays');
$node->stop;
done_testing();
