# A standby uses the service as well, and it does not disturb base backups and
# pg_rewind.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Calls take about two seconds.
my $primary = new_node('primary', q{
gpuscan.debug_delay = 300ms
wal_log_hints = on
wal_keep_size = 64MB
}, allows_streaming => 1);
my $answer = busy_sum() . "\ngpu";
my $call_sql = sum_of() . '; SELECT engine FROM gpuscan_last_call()';

is($primary->safe_psql('postgres', $call_sql), $answer, 'the primary');
ok(-S $primary->data_dir . '/pg_stat_tmp/gpuscan.sock', 'its socket');

# A toasted array, which each service caches
$primary->safe_psql('postgres', 'CREATE TABLE cached (a double precision[]); ALTER TABLE cached ALTER a SET STORAGE EXTERNAL;
	INSERT INTO cached SELECT array_agg(i) FROM generate_series(1, 20000) AS i');
my $cached_sql = 'SELECT gpu_sum(a) FROM cached; SELECT cache_hits, cache_misses FROM gpuscan_last_call()';
is($primary->safe_psql('postgres', $cached_sql), "200010000\n0|1", 'the primary loads an array');

# A base backup while the service runs.
my $backup = $primary->backup_dir . '/base';
my ($out, $err) = run_command(
	[ 'pg_basebackup', '-D', $backup, '-d', $primary->connstr('postgres'),
		'--checkpoint=fast', '--no-sync' ]);
is($err, '', 'pg_basebackup says nothing');
ok(-d "$backup/pg_stat_tmp", 'pg_basebackup makes the directory');
is(scalar(() = glob "$backup/pg_stat_tmp/*"), 0, 'and puts nothing into it');

# A standby, and its promotion in the middle of a call.
my $standby = make_node('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $call_sql), $answer, 'the standby');
isnt(service_pid($standby), service_pid($primary), 'has its own service');
like(($standby->psql('postgres', "\\set VERBOSITY verbose\n SELECT gpuscan_$_()"))[2],
	qr/25006: cannot execute gpuscan_$_\(\) in a read-only transaction/, "it does not $_ anything itself") for 'enable', 'disable';
is($standby->safe_psql('postgres', $cached_sql), "200010000\n0|1", 'and loads arrays');
is($standby->safe_psql('postgres', $cached_sql), "200010000\n1|0", 'which it caches');
$primary->safe_psql('postgres', 'UPDATE cached SET a = a || 1::float8; VACUUM cached');
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $cached_sql), "200010001\n0|1", 'but it misses a value that replaces another');
my $pid = service_pid($standby);
my $call = start_call($standby, $call_sql);
wait_until_busy($standby);
$standby->promote;
finish_call($call);
is($call->{out}, $answer, 'promoted during a call: the call goes on');
is($call->{err}, '', 'silently');
is($standby->safe_psql('postgres', $call_sql), $answer,
	'and so does the service');
is(service_pid($standby), $pid, 'which is the same');
is($standby->safe_psql('postgres', $cached_sql), "200010001\n1|0", 'and its cache is valid');
$standby->safe_psql('postgres', 'UPDATE cached SET a = a || 2::float8');
is($standby->safe_psql('postgres', $cached_sql), "200010003\n0|1", 'and it misses a value that replaces another now');

# The old primary is rewound to follow the new one, whose service runs.
$standby->safe_psql('postgres', 'CREATE TABLE after_promotion (i integer)');
$primary->safe_psql('postgres', 'CREATE TABLE lost (i integer)');
$primary->stop;
$standby->safe_psql('postgres', 'CHECKPOINT');
($out, $err) = run_command(
	[ 'pg_rewind', '--source-server', $standby->connstr('postgres'),
		'--target-pgdata', $primary->data_dir, '--no-sync' ]);
like("$out$err", qr/Done!/, 'pg_rewind');
unlike("$out$err", qr/warning|error/i, 'without a warning');

# The rewound one has the other's configuration; it needs a port of its own.
$primary->append_conf('postgresql.conf', 'port = ' . $primary->port);
$primary->enable_streaming($standby);
$primary->set_standby_mode;
$primary->start;
$standby->wait_for_catchup($primary);
is($primary->safe_psql('postgres', $call_sql), $answer,
	'the old primary, a standby now');
$_->stop for $primary, $standby;
is(scalar(services($primary), services($standby)), 0, 'nothing is left');
done_testing();
