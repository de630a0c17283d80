# Reductions of stored arrays that are asked for ahead: which are answered, and what happens when the service is slow,
# fails or is gone, or the arrays change.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', "gpuscan.engine = gpu\ngpuscan.cache_size = 64MB\n");

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

sql(q{
	CREATE TABLE sensor (id integer, a integer[]);
	ALTER TABLE sensor ALTER a SET STORAGE EXTERNAL;
	INSERT INTO sensor SELECT n, (SELECT array_agg(n + i) FROM generate_series(1, 20000) AS i) FROM generate_series(1, 100) AS n;
	ANALYZE sensor;
	CREATE FUNCTION asked(statement text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		line text;
		said text;
	BEGIN
		FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || statement LOOP
			said := concat_ws(' ', nullif(said, ''), substring(line FROM 'Reductions (.*)'));
		END LOOP;
		RETURN said;
	END $$
});

# The sum of n + i, for n from 1 to 100 and i from 1 to 20000
my $sum = 20000 * 5050 + 100 * 200010000;

# The first row is read alone, then 2, 4, 8, 16, 32, 32 and the last 5.
is(sql(q{SELECT asked('SELECT gpu_sum(a) FROM sensor')}), 'Requested: 99 Answered: 0', 'no array is cached');
is(sql(q{SELECT asked('SELECT gpu_sum(a) FROM sensor')}), 'Requested: 99 Answered: 99', 'all are');
is(sql(q{SELECT asked('SELECT gpu_sum(a), gpu_avg(a), gpu_max(a), gpu_stddev(a), gpu_variance(a) FROM sensor')}),
	'Requested: 297 Answered: 297', 'functions of one reduction share it');
is(sql(q{SELECT asked('SELECT gpu_sum(a) FROM sensor LIMIT 4')}), 'Requested: 6 Answered: 6', 'LIMIT: few rows are read ahead');
is(sql('SELECT sum(gpu_sum(a)) FROM sensor'), $sum, 'the sum');
is(sql(q{SELECT gpu_sum(a) FROM sensor WHERE id = 50; SELECT gpu_sum(a) FROM sensor WHERE id <= 3;
		SELECT reason FROM gpuscan_last_call()}),
	"201010000\n200030000\n200050000\n200070000\nthe service has cached the array, and the result was prefetched", 'gpuscan_last_call() says so');

# What changes is another array.
sql('UPDATE sensor SET a = gpu_concat(a, a) WHERE id <= 10');
is(sql(q{SELECT asked('SELECT gpu_sum(a) FROM sensor')}), 'Requested: 99 Answered: 89', 'new arrays are not cached');
is(sql('SELECT sum(gpu_sum(a)) FROM sensor'), $sum + 20000 * 55 + 10 * 200010000, 'their sum');
sql('VACUUM FULL sensor');
is(sql('SELECT sum(gpu_sum(a)) FROM sensor'), $sum + 20000 * 55 + 10 * 200010000, 'after VACUUM FULL');
sql('TRUNCATE sensor; INSERT INTO sensor SELECT n, (SELECT array_agg(n + i) FROM generate_series(1, 20000) AS i) FROM generate_series(1, 100) AS n');
is(sql('SELECT sum(gpu_sum(a)) FROM sensor; SELECT sum(gpu_sum(a)) FROM sensor'), "$sum\n$sum", 'after TRUNCATE');

# A session that is canceled while it waits for the answer can go on.
$node->append_conf('postgresql.conf', 'gpuscan.debug_delay = 200');
$node->restart;
sql('SELECT count(gpu_sum(a)) FROM sensor WHERE id <= 12');
my (undef, $out, $err) = $node->psql('postgres', q{
		SET statement_timeout = '1s';
		SELECT sum(gpu_sum(a)) FROM sensor WHERE id <= 12;
		SET statement_timeout = 0;
		SELECT sum(gpu_sum(a)) FROM sensor WHERE id <= 2}, on_error_stop => 0);
like($err, qr/canceling statement due to statement timeout/, 'canceled');
is($out, 400080000, 'and the session goes on');

# The service fails at what it is asked ahead: the calls go on, in the end without it.
$node->append_conf('postgresql.conf', "gpuscan.debug_delay = 0\ngpuscan.debug_fail_after = 150\ngpuscan.engine = auto");
$node->restart;
for my $try (1 .. 3)
{
	is(sql('SET gpuscan.engine = gpu; SET client_min_messages = error; SELECT sum(gpu_sum(a)), max(gpu_max(a)) FROM sensor'), "$sum|20100", "the service fails, $try");
}

# The service is killed between two rows of a cursor.
$node->append_conf('postgresql.conf', "gpuscan.debug_fail_after = 0");
$node->restart;
sql('SET gpuscan.engine = gpu; SELECT sum(gpu_sum(a)) FROM sensor');
my $session = open_session($node);
$session->query('SET gpuscan.engine = gpu; SET client_min_messages = error; BEGIN;
	DECLARE c CURSOR FOR SELECT gpu_sum(a) FROM sensor WHERE id < 100; MOVE 20 FROM c');
kill_service($node, 'KILL');
is($session->query('MOVE 20 FROM c; FETCH 1 FROM c'), 200830000, 'the service is gone while rows are read ahead');
$session->quit;
$node->stop;
done_testing();
