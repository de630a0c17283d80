# Columns that a service held are loaded again by the next one: gpuscan.autoload.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', q{
shared_preload_libraries = 'gpuscan'
gpuscan.autoload = on
gpuscan.engine = auto
});
my $file = $node->data_dir . '/pg_stat_tmp/gpuscan.columns';

sub sql { return $node->safe_psql($_[1] // 'postgres', $_[0]); }

# What is held of tables, of which database.
sub held
{
	return sql(q{SELECT string_agg(concat_ws(' ', relation, "column", rows), ', ' ORDER BY relation::text, "column")
		FROM gpuscan_columns() WHERE relation IS NOT NULL AND "column" IS NOT NULL}, $_[0]);
}

sub lines { return -e $file ? scalar(my @lines = split /\n/, slurp_file($file)) : 0; }

# Have the list written now, with so many columns.
sub written
{
	my ($count) = @_;

	wait_for("a list of $count columns", sub { $node->reload; return lines() == $count; });
	return;
}

sub has_again
{
	my ($database, $what, $name) = @_;

	wait_for($name, sub { return held($database) eq $what; });
	is(held($database), $what, $name);
	return;
}

sql(q{
	CREATE TABLE t AS SELECT i % 5 AS k, 'name ' || i % 7 AS name, i AS v, i AS unused FROM generate_series(1, 10000) AS i;
	CREATE TABLE rewritten AS SELECT 1 AS k;
	CREATE TABLE parts (name text, v integer) PARTITION BY RANGE (v);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (100);
	INSERT INTO parts SELECT 'part', i FROM generate_series(0, 99) AS i;
});
sql('VACUUM');
sql('CREATE DATABASE other');
sql('CREATE EXTENSION gpuscan; CREATE TABLE o AS SELECT 1 AS k', 'other');
sql(q{SELECT gpuscan_load('t', 'k', 'name', 'v', 'ctid'), gpuscan_load('rewritten'), gpuscan_load('parts')});
sql(q{SELECT gpuscan_load('o')}, 'other');
# which rows match a pattern is no column's values, and is not loaded again
sql('ALTER TABLE t ALTER name SET (n_distinct = 5000000)');
sql('ANALYZE t');
is(sql(q{SET gpuscan.engine = gpu; SELECT gpu_sum(v) FROM t WHERE name LIKE '%e 3'}), 7146429, 'LIKE over very many values');
is(sql(q{SELECT count(*) FROM gpuscan_columns() WHERE relation = 't'::regclass AND "column" = 'name'}), 2, 'its results are held');
written(8);
unlike(slurp_file($file), qr/[^0-9 \n-]/, 'the list has numbers alone');
sql('VACUUM FULL rewritten');
my $all = 'parts_1 name 100, parts_1 v 100, t ctid 10000, t k 10000, t name 10000, t v 10000';

$node->restart;
has_again('postgres', $all, 'columns are loaded again after a restart, but of tables that were rewritten');
has_again('other', 'o k 1', 'of all databases');
is(sql('SELECT name, gpu_sum(v) FROM t GROUP BY name ORDER BY name LIMIT 1'), 'name 0|7142142', 'and reports use them');
written(7);
kill_service($node);
has_again('postgres', $all, 'and by a service that follows one that crashed');

# The worker of a database does not keep it from being dropped, and ends when it is told to.
sub loads
{
	my ($database) = @_;
	my $pid = q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'gpuscan autoload' AND datname = '%s'};

	wait_for("a worker in $database", sub { return sql(sprintf $pid, $database); });
	return sql(sprintf $pid, $database);
}

my $worker;
sql('SELECT gpuscan_cache_clear()');
sql(q{SELECT gpuscan_load('o')}, 'other');
sql(q{SELECT gpuscan_load('t', 'k')});
written(2);
$node->append_conf('postgresql.conf', 'gpuscan.debug_delay = 100000');
$node->restart;
$worker = loads('other');
sql('DROP DATABASE other');
wait_for_end($worker);
pass('a database is dropped while its columns are loaded');
$worker = loads('postgres');
is(sql("SELECT pg_terminate_backend($worker)"), 't', 'the next one is loaded');
wait_for_end($worker);
pass('until the worker is terminated');
$node->append_conf('postgresql.conf', 'gpuscan.debug_delay = 0');
$node->restart;
sql(q{SELECT gpuscan_load('t')});
written(4);

# What cannot be loaded is left out, and said.
$node->append_conf('postgresql.conf', 'gpuscan.engine = cpu');
$node->restart;
wait_for('what the log says', sub { return slurp_file($node->logfile) =~ /columns were not loaded again: the service could not read columns of "t"/; });
pass('what cannot be loaded is said');

$node->append_conf('postgresql.conf', 'gpuscan.autoload = off');
$node->reload;
wait_for('no list', sub { return !-e $file; });
pass('without the setting there is no list');
is(sql(q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'gpuscan autoload'}), 0, 'and no process');
done_testing();
