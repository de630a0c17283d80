# Random joins and windows in reports, over tables that other sessions change: the answer is that of the same query without
# gpuscan.reports, in the same snapshot.  joins.sql and windows.sql make and compare them.
#
# GPUSCAN_REPORTS_COMPARISONS=N: so many, rather than 500.  GPUSCAN_REPORTS_SECONDS=N: for so long.
# GPUSCAN_REPORTS_SEED=N: with the changes of an earlier run, as far as the order of events allows.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant READERS => 3;
use constant WRITERS => 2;

my $comparisons = $ENV{GPUSCAN_REPORTS_COMPARISONS} // 500;
my $seconds = $ENV{GPUSCAN_REPORTS_SECONDS} // 0;
my $seed = srand($ENV{GPUSCAN_REPORTS_SEED} // time);
diag("GPUSCAN_REPORTS_SEED=$seed");

# One device, or several logical ones, on a GPU, too.
my $devices = $seed % 2 ? '0' : '0,0,0';
diag("gpuscan.devices=$devices");

# The service makes all look-up tables that it can, or none of tables that are so small.
my $held = int($seed / 2) % 2 ? 0 : 100000;
diag("gpuscan.debug_held_rows=$held");

# Plain plans are made to look dear, so that small tables are worth a report.
my $node = new_node('main', "gpuscan.devices = '$devices'\ngpuscan.debug_held_rows = $held\n" . q{
gpuscan.chunk_size = 128kB
gpuscan.engine = auto
session_preload_libraries = gpuscan
cpu_tuple_cost = 0.000001
cpu_operator_cost = 1
seq_page_cost = 0.01
parallel_setup_cost = 1000000000
autovacuum = on
autovacuum_naptime = 1
deadlock_timeout = 50ms
lock_timeout = 300ms
log_statement = none
enable_nestloop = off
jit = off
});

$node->safe_psql('postgres', slurp_file("t/$_")) for 'reports.sql', 'joins.sql', 'windows.sql';
$node->safe_psql('postgres', q{
	CREATE TABLE done (done boolean);
	VACUUM ANALYZE;
});

# Joins that were wrong once: each is a report, and right.
my %once = (
	'a condition of an antijoin on its outer side is no key of another join' => q{
		SELECT count(*) FROM fact AS a JOIN dim_gone AS b ON a.u = b.u LEFT JOIN few AS c ON b.l = c.l
		WHERE NOT EXISTS (SELECT FROM dim AS d WHERE d.i = a.i + 1 AND a.l = 'top' AND d.y > 5) AND c.x IS NULL},
	'rows of a dimension are not kept if its key depends on a row above' => q{
		SELECT sum(s) FROM (SELECT o.x, (SELECT sum(f.x) FROM fact AS f JOIN dim AS d ON f.i = d.i + o.x) AS s FROM few AS o ORDER BY o.x OFFSET 0) AS r},
);
for my $name (sort keys %once)
{
	is($node->safe_psql('postgres', "SELECT join_difference(\$\$$once{$name}\$\$, 1); SELECT is_report(\$\$$once{$name}\$\$)"), "\nt", $name);
}

my @dimensions = ('dim', 'dim_gone', 'dim_parts', 'dim_nulls', 'dim_twice', 'few', 'none');
my @all = ('fact', 'fact_parts', @dimensions);

# A change of some rows.  Keys stay unique, mostly: a number that a dimension has is not inserted, unless an index is to say so.
sub change
{
	my ($table) = @_;
	my $i = int(rand 260) - 20;
	my $n = 1 + int rand 30;

	return any("INSERT INTO $table SELECT * FROM facts($n);", "DELETE FROM $table WHERE i BETWEEN $i AND $i + 1;", "UPDATE $table SET x = x - 1, s = 'red' WHERE i = $i;",
		"UPDATE $table SET k = NULL, t = 'new' || id, d = d + 1 WHERE i = $i;") if $table =~ /^fact/;
	return "UPDATE few SET x = x + 5, y = 2 WHERE i = " . int(rand 5) . ';' if $table eq 'few';
	return any(
		("INSERT INTO $table SELECT k.* FROM keys($i, 0) AS k WHERE NOT EXISTS (SELECT FROM $table WHERE i = $i);") x 3,
		"INSERT INTO $table SELECT k.* FROM keys($i, 0) AS k ON CONFLICT DO NOTHING;",
		"DELETE FROM $table WHERE i = $i;",
		"DELETE FROM $table WHERE i BETWEEN $i AND $i + 10;",
		"UPDATE $table SET x = x + 1, s = 'green', y = 1 WHERE i BETWEEN $i AND $i + 5;",
		"UPDATE $table SET t = 'other' || i, k = k + 1, d = NULL WHERE i = $i;");
}

# What changes a whole table.
sub rewrite
{
	my ($table) = @_;
	my $fresh = $table =~ /^fact/ ? "INSERT INTO $table SELECT * FROM facts(2000);" : "INSERT INTO $table SELECT * FROM members(150, 0);";

	return "BEGIN;\nTRUNCATE $table;\n$fresh\n" . any('COMMIT;', "SELECT compare_joins(2);\nROLLBACK;", "SELECT compare_joins(2);\nCOMMIT;") if rand() < 0.6 && $table ne 'few' && $table ne 'none';
	return any("VACUUM (FULL, ANALYZE) $table;", "REINDEX TABLE $table;", "BEGIN;\nTRUNCATE $table;\nSELECT compare_joins(2);\nROLLBACK;");
}

# One step of a writer.
sub unit
{
	my ($table) = @_;
	my $choice = rand;

	return 'VACUUM ' . any('', '', '(FREEZE) ') . "$table, fact;" if $choice < 0.4;
	return change($table) if $choice < 0.8;
	return rewrite($table) if $choice < 0.85;
	return join "\n", 'BEGIN;', change($table), 'SAVEPOINT a;', change(any(@all)), any('', 'SELECT compare_joins(1);'),
	  any('ROLLBACK TO a;', 'RELEASE a;'), any('', 'SELECT compare_joins(1);'), any('COMMIT;', 'COMMIT;', 'ROLLBACK;');
}

my @readers = map {
	start_steps($node, 1, "SET default_transaction_isolation = '$_';\n" .
		sprintf('CALL read_joins(%d, %d);', $seconds ? (0, $seconds) : ($comparisons / READERS + 1, 0)))
} 'repeatable read', 'read committed', 'serializable';
my @writers = map {
	start_steps($node, 2 + $seconds, map { unit(any(@all, @dimensions)) . sprintf("\nSELECT pg_sleep(%.3f);", 0.3 * rand) } 1 .. 1000)
} 1 .. WRITERS;

$_->{run}->finish for @readers;
$node->safe_psql('postgres', 'INSERT INTO done VALUES (true)');
$_->{run}->finish for @writers;

my ($compared, $explained, $taken) = (0, 0, 0);
for my $reader (@readers)
{
	my ($c, $e, $t) = $reader->{err} =~ /compared (\d+), explained (\d+), taken (\d+)/ or next;

	$compared += $c;
	$explained += $e;
	$taken += $t;
}
my ($made, $ordinary) = split /\|/, $node->safe_psql('postgres', q{SELECT sum(reports), sum(ordinary) FROM gpuscan_statements() WHERE query ~ 'AS a0'});
note("$compared comparisons; $taken of $explained were planned as reports, $made of " . ($made + $ordinary) . ' executions were reports');
my @different = map { $_->{err} =~ /(DIFFERENT .*(?:\n(?!psql:).*)*)/g } @readers, @writers;
ok(!@different, join "\n", 'equal answers', @different[ 0 .. ($#different < 4 ? $#different : 4) ]);
cmp_ok($compared, '>=', $seconds ? $seconds : $comparisons, 'so many comparisons');
cmp_ok($taken, '>', $explained / 10, 'reports were planned');
cmp_ok($made, '>', $ordinary / 10, 'reports were made');

# What may go wrong: who waits too long, or for each other; a key that is there; a change of a value at its type's limit.
my %expected = map { $_ => 1 } '40001', '40P01', '55P03', '23505', '25P02', '3B001', '22003';
my %errors;
$errors{$_}++ for map { $_->{err} =~ /ERROR:  (\w{5}): /g } @readers, @writers;
note(join ', ', map { "$_: $errors{$_}" } sort keys %errors);
is(join(' ', grep { !$expected{$_} } sort keys %errors), '', 'no other errors');
is(status_of($node, "state || restarts || fallbacks"), 'running00', 'the service has served all of the time');
ok(!log_has($node, qr/PANIC|TRAP|terminated by signal/), 'nothing has crashed');
$node->stop;
done_testing();
