# Reports over a join while others write to both of its tables, in every order of the writer's steps and the readers': a
# transaction begins, a report begins and is stopped at one of its points, it goes on, and another one comes.  There is a
# reader of each isolation level.  Each compares, in one snapshot, reports with the ordinary plans.
#
# GPUSCAN_ORDERS=N: so many orders, drawn at random, rather than 150; 0: all.  GPUSCAN_ORDERS_SEED=N: those of an earlier run.
# GPUSCAN_ORDERS_OF=REGEX: of these writers alone.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use List::Util qw(shuffle);
use Test::More;
use Time::HiRes qw(usleep);

use constant PAUSE_KEY => 7283;	# of report/session/pause.h

my $most = $ENV{GPUSCAN_ORDERS} // 150;
my $only = $ENV{GPUSCAN_ORDERS_OF} // '';
my $seed = srand($ENV{GPUSCAN_ORDERS_SEED} // time);
diag("GPUSCAN_ORDERS_SEED=$seed");

# Plain plans are made to look dear, so that small tables are worth a report.
my $node = new_node('main', q{
session_preload_libraries = gpuscan
cpu_tuple_cost = 0.000001
cpu_operator_cost = 1
seq_page_cost = 0.01
parallel_setup_cost = 1000000000
enable_nestloop = off
fsync = off
});

# What a writer does, a step after the other.  f: facts, d: the dimension, whose key no index keeps unique.
my $vacuum = 'VACUUM f, d';
my $member = "INSERT INTO d SELECT i, 'new', i FROM generate_series(40, 45) AS i";
my %writers = (
	'facts come' => [ 'BEGIN; INSERT INTO f SELECT i % 60, i % 3, 1000 FROM generate_series(1, 100) AS i', 'COMMIT', $vacuum ],
	'facts get other keys' => [ 'BEGIN; UPDATE f SET k = k + 1, v = -v WHERE g = 2', 'COMMIT', $vacuum ],
	'facts go' => [ 'BEGIN; DELETE FROM f WHERE k < 20', 'COMMIT', $vacuum ],
	'members come' => [ "BEGIN; $member", 'COMMIT', $vacuum ],
	'members change' => [ "BEGIN; UPDATE d SET s = 's1', x = x + 100 WHERE k % 3 = 0", 'COMMIT', $vacuum ],
	'members get other keys' => [ 'BEGIN; UPDATE d SET k = 39 - k', 'COMMIT', $vacuum ],
	'members go' => [ 'BEGIN; DELETE FROM d WHERE k > 10', 'COMMIT', $vacuum ],
	'a member is another row' => [ "BEGIN; DELETE FROM d WHERE k = 7", "INSERT INTO d VALUES (7, 's9', -7)", 'COMMIT', $vacuum ],
	'a key comes twice, and goes' => [ "BEGIN; INSERT INTO d VALUES (5, 'twice', 5)", 'COMMIT', $vacuum, "DELETE FROM d WHERE s = 'twice'", $vacuum ],
	'a key becomes one that is there' => [ 'BEGIN; UPDATE d SET k = 8 WHERE k = 9', 'COMMIT', $vacuum, 'UPDATE d SET k = 9 WHERE x = 9' ],
	'a key comes twice in what is rolled back' => [ "BEGIN; INSERT INTO d VALUES (5, 'twice', 5)", 'ROLLBACK', $vacuum ],
	'both tables' => [ "BEGIN; UPDATE d SET x = x + 1; $member", 'UPDATE f SET k = k + 5 WHERE g = 1', 'COMMIT', $vacuum ],
	'both tables, rolled back' => [ "BEGIN; UPDATE d SET x = x + 1; $member", 'DELETE FROM f WHERE g = 1', 'ROLLBACK', $vacuum ],
	'one after the other' => [ 'UPDATE d SET x = x + 1', 'UPDATE f SET v = v + 1 WHERE g < 3', $vacuum, 'DELETE FROM d WHERE k = 3' ],
	'back to a savepoint' => [ 'BEGIN; UPDATE d SET x = x + 1', "SAVEPOINT a; DELETE FROM d WHERE k < 20; INSERT INTO f VALUES (1, 1, 1)", 'ROLLBACK TO a', 'COMMIT', $vacuum ],
	'a savepoint is released' => [ 'BEGIN; SAVEPOINT a; UPDATE d SET k = k + 20', 'RELEASE a; UPDATE f SET k = k + 20', 'COMMIT', $vacuum ],
	'the dimension is truncated' => [ 'BEGIN; TRUNCATE d', $member, 'COMMIT', $vacuum ],
	'the dimension is truncated, rolled back' => [ 'BEGIN; TRUNCATE d', $member, 'ROLLBACK', $vacuum ],
	'the facts are truncated' => [ 'BEGIN; TRUNCATE f', 'INSERT INTO f SELECT i, 2, i FROM generate_series(1, 30) AS i', 'COMMIT', $vacuum ],
	'the dimension is rewritten' => [ 'UPDATE d SET x = x + 1', 'VACUUM FULL d', 'UPDATE d SET x = x + 1', $vacuum ],
	'the facts are rewritten' => [ 'DELETE FROM f WHERE g = 2', 'VACUUM FULL f', 'UPDATE d SET x = x + 1', $vacuum ],
	"the key's type changes" => [ 'BEGIN; ALTER TABLE d ALTER k TYPE bigint', 'UPDATE d SET k = k + 1', 'COMMIT', $vacuum ],
	"the facts' types change" => [ 'BEGIN; ALTER TABLE f ALTER k TYPE bigint', 'COMMIT', 'ALTER TABLE f ALTER k TYPE smallint', $vacuum ],
	'a column goes, and comes' => [ 'ALTER TABLE d DROP s', "ALTER TABLE d ADD s text DEFAULT 'default'", "UPDATE d SET s = 'set' WHERE k < 9", $vacuum ],
	'a column that is rolled back' => [ 'BEGIN; ALTER TABLE d DROP x, ADD x integer DEFAULT 3', 'UPDATE d SET x = 4 WHERE k = 4', 'ROLLBACK', $vacuum ],
);

my $fresh = q{
	DROP TABLE IF EXISTS f, d;
	CREATE TABLE f (k integer, g integer, v double precision) WITH (fillfactor = 70);
	CREATE TABLE d (k integer, s text, x integer) WITH (fillfactor = 70);
	INSERT INTO f SELECT nullif(i % 50, 49), i % 7, i + 0.25 FROM generate_series(1, 1500) AS i;
	INSERT INTO d SELECT i, 's' || i % 5, i FROM generate_series(0, 39) AS i;
	VACUUM ANALYZE f, d;
};

$node->safe_psql('postgres', slurp_file('t/reports.sql'));
$node->safe_psql('postgres', q{
	CREATE TABLE queries (number integer, query text);
	INSERT INTO queries VALUES
		(0, 'SELECT s, count(*), sum(x), gpu_sum(v) FROM f JOIN d USING (k) GROUP BY 1'),
		(1, 'SELECT g, count(d.k), max(x), gpu_sum(v) FROM f LEFT JOIN d USING (k) GROUP BY 1'),
		(2, 'SELECT g, count(*), gpu_sum(v) FROM f WHERE NOT EXISTS (SELECT FROM d WHERE d.k = f.k AND x > 3) GROUP BY 1'),
		(3, 'SELECT s, n, sum(n) OVER (ORDER BY s) FROM (SELECT s, count(*) AS n FROM f JOIN d USING (k) WHERE x < 30 GROUP BY 1) AS q'),
		(4, 'SELECT count(*), sum(x), gpu_sum(v) FROM f JOIN d USING (k) WHERE f.k IN (SELECT k FROM d WHERE s <> ''s2'')');
	-- An empty string: a report and the ordinary plan have the same answer, in this statement''s snapshot.
	CREATE FUNCTION join_orders(which integer) RETURNS text LANGUAGE plpgsql STABLE AS $$
	DECLARE
		q text;
		different text := '';
		one text;
	BEGIN
		-- the tables are had soon, or not at all; where the report stops it may wait
		PERFORM set_config('lock_timeout', '30ms', true);
		PERFORM FROM f, d LIMIT 0;
		PERFORM set_config('lock_timeout', '0', true);
		FOR q IN SELECT format('SELECT string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C") FROM (%s) AS t', query) FROM queries WHERE number IN (0, which) ORDER BY number LOOP
			one := difference('f', q, 2);
			different := different || coalesce(one, '');
		END LOOP;
		RETURN different;
	EXCEPTION
		WHEN lock_not_available THEN
			RETURN 'LOCKED';
	END $$;
});

my $writer = open_session($node);
my $holder = open_session($node);
my @levels = ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE');
my @readers = map { open_session($node) } @levels;
my @points = qw(map decided page look finish);
my %count = (compared => 0, locked => 0, stopped => 0, refused => 0);
my ($number, $failed, $name);

$_->query_safe("SET lock_timeout = '30ms'; SET client_min_messages = error") for $writer;
$_->query_safe('SET client_min_messages = warning') for @readers;

# All ways to put this many steps of the readers among those of the writer.
sub orders
{
	my ($readers, $writers) = @_;

	return '' if $readers + $writers == 0;
	return (($readers > 0 ? map { "r$_" } orders($readers - 1, $writers) : ()),
		($writers > 0 ? map { "w$_" } orders($readers, $writers - 1) : ()));
}

sub each_reader
{
	my ($sql) = @_;

	$_->start($sql) for @readers;
	return map { $_->result } @readers;
}

# What comparisons gave.
sub check
{
	my (@results) = @_;

	for my $i (0 .. $#results)
	{
		my $complaint = $readers[$i]{stderr};

		$count{compared}++;
		$readers[$i]{stderr} = '';
		$count{locked}++, next if $results[$i] eq 'LOCKED';
		next if $results[$i] eq '' && $complaint eq '';
		$failed .= "$name, \L$levels[$i]\E: $results[$i] $complaint\n";
	}
}

sub compare { return "SELECT join_orders(@{[ 1 + $number % 4 ]})"; }

# Has it ended?
sub ended
{
	my ($session) = @_;

	$session->{run}->pump_nb;
	return $session->{stdout} =~ /^$session->{end}\n/m;
}

sub waiting
{
	return $holder->query_safe(sprintf 'SELECT count(*) FROM pg_locks WHERE locktype = \'advisory\' AND objid = %d AND NOT granted', PAUSE_KEY);
}

my @steps = (
	sub {
		each_reader("-- begins");
		$readers[$_]->query_safe("BEGIN ISOLATION LEVEL $levels[$_]; SELECT FROM pg_class WHERE false") for 0 .. $#levels;
	},
	sub {
		$holder->query_safe(sprintf 'SELECT pg_advisory_lock(%d) \g /dev/null', PAUSE_KEY);
		$_->query_safe("SET LOCAL gpuscan.debug_pause = '$points[$number % @points]'") for @readers;
		$_->start(compare()) for @readers;
		wait_for('readers', sub { return waiting() + (grep { ended($_) } @readers) >= @readers; });
		$count{stopped} += waiting();
	},
	sub {
		$holder->query_safe(sprintf 'SELECT pg_advisory_unlock(%d) \g /dev/null', PAUSE_KEY);
		check(map { $_->result } @readers);
	},
	sub {
		$_->query_safe("SET LOCAL gpuscan.debug_pause = 'never'") for @readers;
		check(each_reader(compare() . "\n;COMMIT"));
	});

# One order, from tables that are new, and held.
sub run_order
{
	my ($writes, $order) = @_;
	my @reads = @steps;
	my @writes = @$writes;

	$writer->query_safe($fresh);

	# by turns the service makes the look-up tables
	$_->query_safe('SET gpuscan.debug_held_rows = ' . ($number % 8 < 4 ? 0 : 100000)) for @readers;
	check(each_reader(compare()));
	for my $who (split //, $order)
	{
		if ($who eq 'r')
		{
			(shift @reads)->();
			next;
		}
		next if !@writes;
		$writer->query(shift @writes);
		next if $writer->{stderr} eq '';

		# a reader has locked the table
		$failed .= "$name: $writer->{stderr}" unless $writer->{stderr} =~ /lock timeout/;
		$writer->{stderr} = '';
		$writer->query_safe('ROLLBACK');
		@writes = ();
		$count{refused}++;
	}
	$name .= ', afterwards';
	check(each_reader(compare()));
}

my @all;
for my $case (grep { /$only/ } sort keys %writers)
{
	push @all, map { [ $case, $_ ] } orders(scalar @steps, scalar @{$writers{$case}});
}
my $orders = @all;
@all = shuffle(@all);
splice @all, $most if $most > 0 && $most < @all;
for (@all)
{
	my ($case, $order) = @$_;

	$number++;
	$name = "$case: $order";
	next if eval { run_order($writers{$case}, $order); 1 };

	# one that waits for ever
	diag("$name: $@", $node->safe_psql('postgres', q{SELECT pid, state, wait_event, pg_blocking_pids(pid), query FROM pg_stat_activity WHERE backend_type = 'client backend'}));
	die;
}
is($failed, undef, 'equal answers');
note(scalar @all . " of $orders orders, " . join(', ', map { "$_: $count{$_}" } sort keys %count));
my ($reports, $ordinary) = split /\|/, $node->safe_psql('postgres', q{SELECT sum(reports), sum(ordinary) FROM gpuscan_statements() WHERE query ~ 'string_agg.*FROM f'});
note("reports: $reports, ordinary plans in their place: $ordinary");
cmp_ok($reports, '>', $ordinary, 'reports were made');
cmp_ok($count{stopped}, '>', scalar @all, 'and were stopped');
is(status_of($node, 'state || restarts || fallbacks'), 'running00', 'the service has served all of the time');
ok(!log_has($node, qr/PANIC|TRAP|terminated by signal/), 'nothing has crashed');
$_->quit for @readers, $writer, $holder;
$node->stop;
done_testing();
