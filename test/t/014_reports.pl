# Random reports over tables, joined or not, that other sessions change in every way: the answer is that of the same query without
# gpuscan.reports, in the same snapshot.  reports.sql makes and compares them.
#
# GPUSCAN_REPORTS_COMPARISONS=N: so many, rather than 2,000.  GPUSCAN_REPORTS_SECONDS=N: for so long.
# GPUSCAN_REPORTS_SEED=N: with the changes of an earlier run, as far as the order of events allows.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

use constant READERS => 4;
use constant WRITERS => 8;
use constant ROWS => 1500;		# that a table is brought back to
use constant PAUSE_KEY => 7283;	# of report/session/pause.h
use constant RACE_KEY => 7284;	# of the two that race

my $comparisons = $ENV{GPUSCAN_REPORTS_COMPARISONS} // 2_000;
my $seconds = $ENV{GPUSCAN_REPORTS_SECONDS} // 0;
my $seed = srand($ENV{GPUSCAN_REPORTS_SEED} // time);
diag("GPUSCAN_REPORTS_SEED=$seed");

# One device, or several logical ones, on a GPU, too.
my $devices = $seed % 2 ? '0' : '0,0,0';
diag("gpuscan.devices=$devices");

# Plain plans are made to look dear, so that small tables are worth a report; of some, workers read the pages.
my $node = new_node('main', "gpuscan.devices = '$devices'\n" . q{
gpuscan.chunk_size = 128kB
gpuscan.engine = auto
session_preload_libraries = gpuscan
cpu_tuple_cost = 0.000001
cpu_operator_cost = 1
seq_page_cost = 0.01
parallel_setup_cost = 1000000000
min_parallel_table_scan_size = 0
autovacuum = on
autovacuum_naptime = 1
deadlock_timeout = 50ms
lock_timeout = 300ms
log_statement = none
});
my $data = $node->data_dir;

# A table's columns that reports use; its share of NULLs.
my $columns = 'id, k, s, b, r, v, f, d, z, y, n, w, e, h, m, u';
my %nulls = (plain => 0, holes => 0.2, wide => 0.02, parts => 0.05, alteredx => 0.1, partsx => 0, quiet => 0.01);
my @tables = sort keys %nulls;
my @often = ((grep { $_ ne 'quiet' } @tables) x 5, 'quiet');	# how often each is changed

$node->safe_psql('postgres', slurp_file('t/reports.sql'));
$node->safe_psql('postgres', q{
	CREATE TABLE plain (id integer, k integer, s smallint, b bigint, r real, v double precision, f boolean,
		d date, z timestamp, y timestamptz, n numeric(14, 3), pad text, w text, e char(3),
		h double precision, m real, u numeric);
	CREATE TABLE holes (pad text, u numeric, h double precision, n numeric(14, 3), y timestamptz, s smallint, v double precision, f boolean, w text, k integer, d date, b bigint,
		z timestamp, e char(3), r real, m real, id integer) WITH (fillfactor = 70);
	CREATE TABLE wide (LIKE holes);
	ALTER TABLE wide ALTER pad SET DEFAULT repeat(md5(random()::text), (random() * 80)::integer);
	CREATE TABLE parts (LIKE plain) PARTITION BY RANGE (id);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (300);
	CREATE TABLE parts_2 (gone text, LIKE holes);
	ALTER TABLE parts_2 DROP gone;
	ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (300) TO (700);
	CREATE TABLE parts_3 PARTITION OF parts DEFAULT;
	CREATE TABLE partsx (LIKE plain) PARTITION BY LIST (f);
	CREATE TABLE partsx_1 PARTITION OF partsx FOR VALUES IN (true);
	CREATE TABLE partsx_2 PARTITION OF partsx DEFAULT;
	CREATE TABLE alteredx (LIKE plain);
	CREATE TABLE quiet (LIKE plain);
	CREATE INDEX plain_id ON plain (id);
	CREATE INDEX holes_id ON holes (id);
	CREATE INDEX parts_id ON parts (id);
	CREATE INDEX altered_id ON alteredx (id);
	CREATE TABLE race (LIKE plain) WITH (autovacuum_enabled = off, fillfactor = 50);
	INSERT INTO race (id, k, v) SELECT i, i, i FROM generate_series(1, 300) AS i;
	CREATE TABLE done (done boolean);
	CREATE TABLE side_k (key_k integer UNIQUE, label text, price numeric(9, 2), flag boolean, day date, parent integer);
	CREATE TABLE side_w (key_w text UNIQUE, rank smallint);
	CREATE TABLE side_d (key_d date, key_s smallint);
	INSERT INTO side_k SELECT i, 'w' || i % 5, i * 1.25, i % 3 > 0, date '2020-01-10' + i, i % 7 - 2 FROM generate_series(-3, 16) AS i;
	INSERT INTO side_w SELECT 'w' || i, i % 4 FROM generate_series(0, 30) AS i;
	INSERT INTO side_d SELECT date '2020-01-01' + i % 20, nullif(i % 8 - 4, -4) FROM generate_series(1, 60) AS i;
});
for my $table (@tables)
{
	$node->safe_psql('postgres', "INSERT INTO $table ($columns) SELECT * FROM fresh(" . ROWS . ", $nulls{$table});
		COPY (SELECT * FROM fresh(1000, $nulls{$table})) TO '$data/$table.copy'");
}
$node->safe_psql('postgres', 'VACUUM ANALYZE');

# A change of some rows.
sub change
{
	my ($table) = @_;
	my $page = int(30 * rand() ** 2);
	my $n = 1 + int rand 40;

	# mostly within few pages, so that others stay all-visible
	my $where = any(("ctid BETWEEN '($page,0)' AND '($page,$n)'") x 6, 'id = ' . int(rand 1000), 'k = ' . int(rand 20));

	return any(
		"INSERT INTO $table ($columns) SELECT * FROM fresh($n, $nulls{$table});",
		"INSERT INTO $table ($columns) SELECT * FROM fresh($n, $nulls{$table});",
		"UPDATE $table SET k = k + 1 WHERE $where;",
		"UPDATE $table SET v = v * 1.5, f = NOT f WHERE $where;",
		"UPDATE $table SET w = left(w || k, 3), e = 'u' WHERE $where;",
		"UPDATE $table SET s = -s, b = NULL, id = id + 1 WHERE $where;",
		"UPDATE $table SET pad = repeat('x', (random() * 300)::integer) WHERE $where;",
		"DELETE FROM $table WHERE $where;",
		"DELETE FROM $table WHERE $where;",
		"SELECT count(*) FROM (SELECT FROM $table WHERE $where FOR UPDATE) AS t;",
		# not FROM STDIN: where the server refuses it, psql may take the rows for statements
		"COPY $table ($columns) FROM '$data/$table.copy' WHERE id < $n;");
}

# A change of a table that others' rows look up.
sub change_side
{
	my ($i, $day) = (int(rand 22) - 3, 1 + int rand 25);

	return any(
		"UPDATE side_k SET price = price + 1, label = 'w' || parent, flag = NOT flag WHERE key_k = $i;",
		"DELETE FROM side_k WHERE key_k = $i;",
		"INSERT INTO side_k VALUES ($i, 'w$i', $i * 2.5, true, '2020-01-$day', $i - 3) ON CONFLICT DO NOTHING;",
		"INSERT INTO side_k (label, price) VALUES ('no key', 1);",
		"DELETE FROM side_w WHERE key_w = 'w$i';",
		"INSERT INTO side_w VALUES ('w$i', $i), ('new ' || (random() * 10000)::integer, 1) ON CONFLICT DO NOTHING;",
		"DELETE FROM side_d WHERE key_d = '2020-01-$day';",
		"INSERT INTO side_d VALUES ('2020-01-$day', $i), (NULL, 1), ('2020-01-$day', NULL);",
		"VACUUM ANALYZE side_k, side_w, side_d;");
}

# Make the table small again, or large.
sub resize
{
	my ($table) = @_;
	my $count = "(SELECT count(*) FROM $table)";

	return "DELETE FROM $table WHERE (tableoid, ctid) IN (SELECT tableoid, ctid FROM $table LIMIT greatest(0, $count - 1.5 * " . ROWS . "));\n" .
	  "INSERT INTO $table ($columns) SELECT * FROM fresh(greatest(0, " . ROWS . " - $count)::integer, $nulls{$table});";
}

# What changes a whole table.
sub rewrite
{
	my ($table) = @_;
	my $copy = "COPY $table ($columns) FROM '$data/$table.copy'";
	my $leaf = $table =~ /^parts/ ? $table . any('_1', '_2') : $table;

	return any(
		"BEGIN;\nTRUNCATE $leaf;\nINSERT INTO $table ($columns) SELECT * FROM fresh(900, $nulls{$table}) " .
		  ($leaf eq $table ? '' : "WHERE " . ($table eq 'parts' ? 'id < 700' : 'true')) . ";\n" .
		  any('COMMIT;', "SELECT compare('$table', 3);\nROLLBACK;", "SELECT compare('$table', 3);\nCOMMIT;"),
		$table =~ /^parts/ ? "BEGIN;\nTRUNCATE $table;\n$copy;\nCOMMIT;" : (
			"BEGIN;\nTRUNCATE $table;\n$copy WITH (FREEZE);\nCOMMIT;",
			"BEGIN;\nTRUNCATE $table;\n$copy WITH (FREEZE);\nSELECT compare('$table', 3);\nROLLBACK;"),
		$table eq 'plain' || $table eq 'holes' ? "CLUSTER $table USING ${table}_id;" : "VACUUM FULL $leaf;",
		"VACUUM (FULL, ANALYZE) $leaf;",
		"REINDEX TABLE $leaf;",
		"TRUNCATE $leaf;",
		$table !~ /x$/ ? () : (
			"ALTER TABLE $table ADD x integer DEFAULT 7;",
			"ALTER TABLE $table ADD x integer DEFAULT 3;",
			"ALTER TABLE $table ADD x double precision DEFAULT 0.5;",
			"ALTER TABLE $table ADD x smallint DEFAULT random() * 10;",
			"ALTER TABLE $table DROP x;",
			"ALTER TABLE $table DROP x, ADD x bigint;",
			"BEGIN;\nALTER TABLE $table ADD x integer DEFAULT 5;\nSELECT compare('$table', 3);\nROLLBACK;",
			"BEGIN;\nALTER TABLE $table ALTER k TYPE bigint;\nSELECT compare('$table', 3);\n" . any('COMMIT;', 'ROLLBACK;'),
			"ALTER TABLE $table ALTER k TYPE integer;",
			"ALTER TABLE $table ALTER s TYPE " . any('integer', 'smallint', 'bigint') . ';',
			"ALTER TABLE $table ALTER v TYPE " . any('real', 'double precision', 'double precision') . ';',
			"ALTER TABLE $table ALTER n TYPE numeric(" . any('14, 3', '12, 3', '15, 5', '18, 0', '38, 2') . ');',
			"ALTER TABLE $table ALTER e TYPE " . any('char(3)', 'char(4)', 'varchar(3)', 'text') . ';',
			"ALTER TABLE $table ALTER d TYPE " . any('date', 'timestamp') . ';'));
}

# One step of a writer.
sub unit
{
	my ($table) = @_;
	my $choice = rand;
	my $pause = sprintf 'SELECT pg_sleep(%.3f);', 0.02 * rand() ** 3;

	return change_side() if $choice < 0.1;
	return "VACUUM " . any('', '', '(FREEZE) ', '(DISABLE_PAGE_SKIPPING) ') . "$table;" if $choice < 0.4;
	return change($table) if $choice < 0.55;
	return resize($table) if $choice < 0.6;
	return rewrite($table) if $choice < 0.63;
	return join "\n", 'BEGIN;', change($table), $pause, change(any(@often)),
	  any('', "SELECT compare('$table', 2);"), any('COMMIT;', 'ROLLBACK;') if $choice < 0.85;
	return join "\n", 'BEGIN;', change($table), 'SAVEPOINT a;', change($table), 'SAVEPOINT b;', change($table),
	  any('', "SELECT compare('$table', 2);"), any('ROLLBACK TO a;', 'ROLLBACK TO b;', 'RELEASE a;'), $pause,
	  any('', "SELECT compare('$table', 2);"), any('COMMIT;', 'COMMIT;', 'ROLLBACK;');
}

# Two that race for one table, which nobody else reads.  The reader has learnt which pages are all-visible, and pauses,
# mostly after the first of those that it reads; then another one gets a row, which is committed only when that page has
# been read.  After a while, when nobody has an older snapshot, the bits are set again, and only then comes the next
# report.  It reads these pages again, since both have changed.  psql sleeps, rather than the server, where pg_sleep()
# would have a snapshot.
sub start_race
{
	my $lock = 'SELECT pg_advisory_lock(%d) \g /dev/null';
	my $unlock = 'SELECT pg_advisory_unlock(%d) \g /dev/null';
	my @writes = map { sprintf join("\n", 'SET lock_timeout = 0;', $lock, $lock, $unlock, '\! sleep 0.03', 'BEGIN;',
		any(('INSERT INTO race (id, k, v) VALUES (1000, 2, 3);') x 5, 'UPDATE race SET k = k + 1 WHERE id = 200;', 'DELETE FROM race WHERE id = 1000;'),
		$unlock, '\! sleep 0.005', any('COMMIT;', 'COMMIT;', 'ROLLBACK;'), 'UPDATE race SET v = v + 1 WHERE id = 1;', $lock, '\! sleep 0.2', 'VACUUM race;', $unlock),
		RACE_KEY, PAUSE_KEY, RACE_KEY, PAUSE_KEY, RACE_KEY, RACE_KEY } 1 .. 100;
	my @reads = map { sprintf join("\n", 'SET lock_timeout = 0;', $lock, $unlock, "SET gpuscan.debug_pause = '%s';", 'SELECT compare_all($$race$$);', '\! sleep 0.05'),
		RACE_KEY, RACE_KEY, any('map', 'decided', 'page', 'page', 'page', 'look') } 1 .. 100;

	return (start_steps($node, 2 + $seconds, @writes), start_steps($node, 2 + $seconds, @reads));
}

# Start a session that reads, and compares.
sub start_reader
{
	my ($isolation, $pause) = @_;

	return start_steps($node, 1, "SET default_transaction_isolation = '$isolation';\n" .
		sprintf("CALL read_reports('{%s}', %d, %d, %s);", join(',', @tables),
			$seconds ? (0, $seconds) : ($comparisons / READERS, 0), $pause ? 'true' : 'false'));
}

my @readers = (start_reader('repeatable read', 0), start_reader('repeatable read', 1),
	start_reader('read committed', 1), start_reader('serializable', 0));
my @writers = map {
	start_steps($node, 2 + $seconds, map { unit(any(@often)) . sprintf("\nSELECT pg_sleep(%.3f);", 0.06 * rand) } 1 .. 1000)
} 1 .. WRITERS;
my $holder = start_steps($node, 100, (sprintf 'SELECT pg_advisory_lock(%d), pg_sleep(0.01 * random()); SELECT pg_advisory_unlock(%d), pg_sleep(0.02 * random());',
		PAUSE_KEY, PAUSE_KEY) x 1000);
my @race = start_race();

$_->{run}->finish for @readers;
$node->safe_psql('postgres', 'INSERT INTO done VALUES (true)');
$_->{run}->finish for @writers, @race, $holder;

my ($compared, $explained, $taken) = (0, 0, 0);
for my $reader (@readers)
{
	my ($c, $e, $t) = $reader->{err} =~ /compared (\d+), explained (\d+), taken (\d+)/ or next;

	$compared += $c;
	$explained += $e;
	$taken += $t;
}
note("$compared comparisons; $taken of $explained were reports");
my @different = map { $_->{err} =~ /(DIFFERENT .*(?:\n(?!psql:).*)*)/g } @readers, @writers, @race;
# the first one in the test's name: some only show names of what failed
ok(!@different, join "\n", 'equal answers', @different[ 0 .. ($#different < 4 ? $#different : 4) ]);
cmp_ok($compared, '>=', $seconds ? 100 * $seconds : $comparisons, 'so many comparisons');
# on a busy host old snapshots keep VACUUM from setting bits, and then few are planned
cmp_ok($taken, '>', $explained / 20, 'reports were made');

# What may go wrong where so many change so much: who waits too long, or for each other; a column that has gone.
my %expected = map { $_ => 1 } '40001', '40P01', '55P03', '42703', '42701', '22003', '25P02', '3B001';
my %errors;
$errors{$_}++ for map { $_->{err} =~ /ERROR:  (\w{5}): /g } @readers, @writers, @race, $holder;
note(join ', ', map { "$_: $errors{$_}" } sort keys %errors);
is(join(' ', grep { !$expected{$_} } sort keys %errors), '', 'no other errors');
is(status_of($node, "state || restarts || fallbacks"), 'running00', 'the service has served all of the time');
my ($held, $read) = split /\|/, status_of($node, "report_rows_cached || '|' || report_rows_read");
note("rows held: $held, read: $read");
cmp_ok($held, '>', $read / 10, 'much of what reports use is held');
ok(!log_has($node, qr/PANIC|TRAP|terminated by signal/), 'nothing has crashed');
$node->stop;
done_testing();
