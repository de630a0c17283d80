# gpuscan_enable() and gpuscan_disable(): whose ordinary queries become reports.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = make_node('main');
my ($code, $out, $err);

$node->init;
$node->append_conf('postgresql.conf', 'gpuscan.service_engine = ' . service_engine() . "\nautovacuum = off\n");
$node->start;

# What a statement prints and complains of, in a session of its own.
sub ask
{
	my ($sql, $database) = @_;

	($code, $out, $err) = $node->psql($database // 'postgres', $sql);
	return $out;
}

# What the database's setting is; asked elsewhere, as its libraries need not exist.
sub setting
{
	my ($database) = @_;

	return $node->safe_psql('template1', "SELECT substr(c, 27) FROM pg_db_role_setting, unnest(setconfig) AS c
		WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_database WHERE datname = '" . ($database // 'postgres') . q{')
			AND c LIKE 'session_preload_libraries=%'});
}

sub is_report
{
	my ($expected, $name) = @_;
	my $plan = ask('EXPLAIN SELECT k, count(*), sum(x) FROM t GROUP BY k');

	($expected ? \&like : \&unlike)->($plan, qr/GpuscanReport/, $name);
	return;
}

# CREATE EXTENSION says what is missing, once it is certain.
my $hint = qr/NOTICE:  SELECT gpuscan_enable\(\) lets ordinary queries/;
ask('BEGIN; CREATE EXTENSION gpuscan; ROLLBACK');
unlike($err, $hint, 'created and rolled back: no hint');
ask('BEGIN; SAVEPOINT s; CREATE EXTENSION gpuscan; ROLLBACK TO s; COMMIT');
unlike($err, $hint, 'created and rolled back to a savepoint: no hint');
ask('SET client_min_messages = warning; CREATE EXTENSION gpuscan');
is($err, '', 'who wants no notices gets none');
ask('DROP EXTENSION gpuscan');
is($err, '', 'dropped without a warning');
ask('BEGIN; CREATE EXTENSION gpuscan; SELECT 1; COMMIT; SELECT 2');
like($err, $hint, 'CREATE EXTENSION: a hint');
is(() = $err =~ /gpuscan_enable/g, 1, 'once');

# A newcomer's path.
$node->safe_psql('postgres', q{
	CREATE TABLE t AS SELECT i % 10 AS k, i::bigint AS x FROM generate_series(1, 1000000) AS i;
	VACUUM ANALYZE t});
my $query = 'SELECT k, count(*), sum(x) FROM t GROUP BY k ORDER BY k';
my $answer = ask($query);
my $takes_part = 'SELECT loaded_by, enabled FROM gpuscan_status()';
is_report(0, 'CREATE EXTENSION alone: the ordinary plan');
is(ask($takes_part), 'use|f', 'and the status says why');
is(ask("$takes_part; SELECT gpuscan_enable(); $takes_part"), "use|f\nt\nuse|t", 'gpuscan_enable()');
is($err, '', 'without a word');
is(setting(), 'gpuscan', 'the setting');
is_report(1, 'a new session: a report');
is(ask($takes_part), 'session_preload_libraries|t', 'and the status says so');

# The first report of a new server starts the service, and is one.  A GPU, or a busy host, may take longer than the ordinary plan.
my $first = ask("EXPLAIN (ANALYZE) $query");
my $made = qr/Engine: .*Rows Newly Cached: 1000000/s;
$made = qr/$made|Reason: The service is starting/ if service_engine() eq 'cuda' || slowdown() > 2;
like($first, $made, 'the first report is made by the service');
wait_for('the service', sub { return ask('SELECT engine IS NOT NULL FROM gpuscan_status()') eq 't'; });
is(ask($query), $answer, 'the same answer');
like(ask("EXPLAIN (ANALYZE) $query"), qr/Engine: .*Rows Cached: 1000000/s, 'the next one, too');
is(ask('SELECT gpuscan_enable()'), 'f', 'once more');
like($err, qr/NOTICE:  "session_preload_libraries" of this database has gpuscan already/, 'there is nothing to do');
ask('CREATE EXTENSION gpuscan', 'template1');
like($err, $hint, 'another database is another matter');
ask('DROP EXTENSION gpuscan', 'template1');
is(ask("SELECT gpuscan_disable(); $takes_part"), "t\nsession_preload_libraries|f", 'gpuscan_disable()');
is($err, '', 'without a word');
is(setting(), '', 'nothing is left');
is_report(0, 'a new session: the ordinary plan');
is(ask('SELECT gpuscan_disable()'), 'f', 'once more');
like($err, qr/NOTICE:  "session_preload_libraries" of this database has no gpuscan/, 'there is nothing to do');

# What stands in the database's setting stays, in its order, whatever its names.
for my $case (
	[ 'auto_explain', 'auto_explain, gpuscan', 'auto_explain' ],
	[ q{'auto_explain', 'a b', 'x,y', 'q"q', 'it''s', '$libdir/z'},
		q{auto_explain, "a b", "x,y", "q""q", "it's", "$libdir/z", gpuscan}, q{auto_explain, "a b", "x,y", "q""q", "it's", "$libdir/z"} ],
	[ q{'$libdir/gpuscan', 'auto_explain'}, undef, 'auto_explain' ],
	[ q{'gpuscan.so', 'gpuscans', 'no_gpuscan'}, undef, 'gpuscans, no_gpuscan' ],
	[ q{''}, 'gpuscan', '' ])
{
	my ($before, $enabled, $disabled) = @$case;
	my $session = open_session($node);

	$session->query("ALTER DATABASE postgres SET session_preload_libraries = $before");
	my $old = setting();
	is($session->query('SELECT gpuscan_enable()'), defined $enabled ? 't' : 'f', "$before: enabled");
	is(setting(), $enabled // $old, "$before: added");
	is($session->query('SELECT gpuscan_disable()'), 't', "$before: disabled");
	is(setting(), $disabled, "$before: taken out");
	$session->query('ALTER DATABASE postgres RESET session_preload_libraries');
	$session->quit;
}

# What the server gives to all databases is taken over, as the database's own setting hides it,
# and nothing is left of that afterwards; unless more stands there.
sub is_taken_over
{
	my ($name) = @_;

	is(ask('SELECT gpuscan_enable()'), 't', "$name: enabled");
	is(setting(), 'auto_explain, gpuscan', "$name: taken over");
	is(ask('SHOW session_preload_libraries'), 'auto_explain, gpuscan', "$name: effective");
	is_report(1, "$name: a report");
	is(ask('SELECT gpuscan_disable()'), 't', "$name: disabled");
	is(setting(), '', "$name: nothing is left");
	is(ask('SHOW session_preload_libraries'), 'auto_explain', "$name: as before");
	return;
}

$node->append_conf('postgresql.conf', "session_preload_libraries = 'auto_explain'");
$node->reload;
is_taken_over('configuration');
{
	local $ENV{PGOPTIONS} = '-c session_preload_libraries=';
	is(ask('SHOW session_preload_libraries'), '', 'a session of its own');
	is(ask('SELECT gpuscan_enable()'), 't', 'a session of its own: enabled');
	is(setting(), 'auto_explain, gpuscan', 'a session of its own: taken over, too');
	is(ask('SELECT gpuscan_disable()'), 't', 'a session of its own: disabled');
	is(setting(), '', 'a session of its own: nothing is left');
}
ask('SELECT gpuscan_enable()');
$node->safe_psql('template1', q{ALTER SYSTEM SET session_preload_libraries = 'auto_explain', 'plpgsql'});
$node->reload;
is(ask('SELECT gpuscan_disable()'), 't', 'the configuration has changed: disabled');
is(setting(), 'auto_explain', 'the configuration has changed: the rest stays');
$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET session_preload_libraries');
$node->safe_psql('postgres', 'ALTER SYSTEM RESET session_preload_libraries');
$node->append_conf('postgresql.conf', "session_preload_libraries = ''");
$node->safe_psql('postgres', 'ALTER ROLE ALL SET session_preload_libraries = auto_explain');
$node->reload;
is_taken_over('all roles');
$node->safe_psql('postgres', 'ALTER ROLE ALL RESET session_preload_libraries');

# The command line is known to sessions alone that nothing hides it from: what was taken over stays.
$node->stop;
system_or_bail('pg_ctl', '-w', '-D', $node->data_dir, '-l', $node->logfile, '-o', '-c session_preload_libraries=auto_explain', 'start');
is(ask('SELECT gpuscan_enable()'), 't', 'command line: enabled');
is(setting(), 'auto_explain, gpuscan', 'command line: taken over');
is(ask('SELECT gpuscan_disable()'), 't', 'command line: disabled');
is(setting(), 'auto_explain', 'command line: the rest stays');
ask('ALTER DATABASE postgres RESET session_preload_libraries');
system_or_bail('pg_ctl', '-w', '-D', $node->data_dir, 'stop');
$node->start;

# What it cannot read, it does not change.
$node->append_conf('postgresql.conf', q{session_preload_libraries = 'auto_explain, "plpgsql'});
$node->reload;
ask("\\set VERBOSITY verbose\n SELECT gpuscan_enable()");
like($err, qr/ERROR:  22023: invalid list syntax in parameter "session_preload_libraries"/, 'a list that is wrong');
is(setting(), '', 'is not made worse');
is(ask($takes_part), 'use|f', 'and the status bears it');
$node->append_conf('postgresql.conf', "session_preload_libraries = ''");
$node->reload;

# Roles with a setting of their own.
$node->safe_psql('postgres', q{
	CREATE ROLE lonely; CREATE ROLE "other; role"; CREATE ROLE follower;
	ALTER ROLE lonely SET session_preload_libraries = auto_explain;
	ALTER ROLE "other; role" IN DATABASE postgres SET session_preload_libraries = plpgsql, gpuscan;
	ALTER ROLE follower IN DATABASE template1 SET session_preload_libraries = auto_explain;
	ALTER ROLE follower SET work_mem = '5MB'});
ask('SELECT gpuscan_enable()');
like($err, qr/WARNING:  role "lonely" has a "session_preload_libraries" of its own, without gpuscan/, 'a role without it');
is(() = $err =~ /WARNING/g, 1, 'is the only one');
ask('SELECT gpuscan_disable()');
like($err, qr/WARNING:  role "other; role" has a "session_preload_libraries" of its own, with gpuscan/, 'a role with it');
is(() = $err =~ /WARNING/g, 1, 'is the only one');
$node->safe_psql('postgres', 'DROP ROLE lonely; DROP ROLE "other; role"; DROP ROLE follower');

# PostgreSQL decides who may.
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE guest LOGIN; CREATE DATABASE owned OWNER owner');
$node->safe_psql('owned', 'CREATE EXTENSION gpuscan');
for my $function ('gpuscan_enable', 'gpuscan_disable')
{
	ask("SET ROLE owner; SELECT $function()", 'owned');
	like($err, qr/permission denied for function $function/, "$function: not for everybody");
	$node->safe_psql('owned', "GRANT EXECUTE ON FUNCTION $function TO owner, guest");
}
ask('SET ROLE guest; SELECT gpuscan_enable()', 'owned');
like($err, qr/must be owner of database owned/, 'only an owner');
ask('SET ROLE owner; SELECT gpuscan_enable()', 'owned');
like($err, qr/permission denied to set parameter "session_preload_libraries"/, 'who may set the parameter');
is(setting('owned'), '', 'nothing is set');
if (server_version($node) >= 15)
{
	$node->safe_psql('owned', 'GRANT SET ON PARAMETER session_preload_libraries TO owner');
	is(ask('SET ROLE owner; SELECT gpuscan_enable()', 'owned'), 't', 'an owner who may');
	ask('SET ROLE guest; SELECT gpuscan_disable()', 'owned');
	like($err, qr/must be owner of database owned/, 'nobody else takes it out');
	is(ask('SET ROLE owner; SELECT gpuscan_disable()', 'owned'), 't', 'he does');
}
ask("\\set VERBOSITY verbose\n BEGIN READ ONLY; SELECT gpuscan_enable()");
like($err, qr/25006: cannot execute gpuscan_enable\(\) in a read-only transaction/, 'a transaction that is read-only');

# Of two sessions at once both are right.
my $session = open_session($node);
$session->query_safe('BEGIN; SELECT gpuscan_enable()');
my $second = start_call($node, 'SELECT gpuscan_enable()');
wait_for('the second session', sub {
	return $node->safe_psql('template1', 'SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)') eq 't'; });
$session->query_safe('COMMIT');
$session->quit;
finish_call($second);
is($second->{out}, 'f', 'the second session finds it done');
like($second->{err}, qr/has gpuscan already/, 'and says so');

# In a database without the extension the library does no harm.
$node->safe_psql('postgres', 'CREATE DATABASE bare');
$node->safe_psql('postgres', 'ALTER DATABASE bare SET session_preload_libraries = gpuscan');
is(ask(q{
	CREATE TABLE u AS SELECT i % 3 AS k, i::text AS s FROM generate_series(1, 200000) AS i;
	VACUUM ANALYZE u;
	SELECT k, count(*), max(s), string_agg(DISTINCT left(s, 1), '' ORDER BY left(s, 1)) FROM u GROUP BY k ORDER BY k;
	SELECT count(*), sum(k) FROM u}, 'bare'),
	"0|66666|99999|123456789\n1|66667|99997|123456789\n2|66667|99998|123456789\n200000|200001", 'no extension: answers');
is($err, '', 'no extension: silently');

# DROP EXTENSION warns of what it leaves behind; the extension may come back.
ask('BEGIN; DROP EXTENSION gpuscan; ROLLBACK');
like($err, qr/WARNING:  sessions of this database still load gpuscan.*HINT:.*gpuscan_disable/s, 'DROP EXTENSION while enabled: a warning');
ask('DROP EXTENSION gpuscan; CREATE EXTENSION gpuscan');
unlike($err, $hint, 'CREATE EXTENSION while enabled: no hint');
ask('DROP EXTENSION plpgsql; CREATE EXTENSION plpgsql');
is($err, '', 'other extensions are of no interest');

# A dump has the setting, and the notice does not disturb its restore.
my $dump = $node->basedir . '/dump.sql';
$node->safe_psql('postgres', 'ALTER DATABASE owned SET session_preload_libraries = gpuscan');
$node->command_ok([ 'pg_dump', '--create', '--file', $dump, '-d', $node->connstr('owned') ], 'pg_dump --create');
$node->safe_psql('postgres', 'DROP DATABASE owned');
($code, $out, $err) = (0, '', '');
IPC::Run::run([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('postgres') ], '>', \$out, '2>', \$err);
is($err, '', 'restored silently');
is(setting('owned'), 'gpuscan', 'with the setting');

# A library that is missing ends every session, but of superusers who do not load it.
$node->safe_psql('postgres', 'ALTER DATABASE owned SET session_preload_libraries = gpuscan_is_gone');
ask('SELECT 1', 'owned');
like($err, qr/FATAL:  could not access file "gpuscan_is_gone"/, 'no library, no session');
{
	local $ENV{PGOPTIONS} = '-c session_preload_libraries=';
	is(ask('SELECT 1', 'owned'), '1', 'but of a superuser who does not load it');
	local $ENV{PGUSER} = 'guest';
	ask('SELECT 1', 'owned');
	like($err, qr/permission denied to set parameter "session_preload_libraries"/, 'and of no other role');
}
$node->safe_psql('postgres', 'ALTER DATABASE owned RESET session_preload_libraries');
is(ask('SELECT 1', 'owned'), '1', 'reset from another database');

# All databases have it.
$node->safe_psql('postgres', 'SELECT gpuscan_disable()');
$node->append_conf('postgresql.conf', "session_preload_libraries = 'gpuscan'");
$node->reload;
is_report(1, 'session_preload_libraries of all: a report');
is(ask('SELECT gpuscan_enable()'), 'f', 'session_preload_libraries of all: nothing to do');
like($err, qr/NOTICE:  "session_preload_libraries" of all databases has gpuscan already/, 'session_preload_libraries of all: says so');
is(ask('SELECT gpuscan_disable()'), 'f', 'session_preload_libraries of all: not the database\'s');
like($err, qr/WARNING:  sessions of this database still load gpuscan, by "session_preload_libraries" of all/, 'session_preload_libraries of all: says so');
$node->append_conf('postgresql.conf', "session_preload_libraries = ''\nshared_preload_libraries = 'gpuscan'");
$node->restart;
is_report(1, 'shared_preload_libraries: a report');
is(ask($takes_part), 'shared_preload_libraries|t', 'shared_preload_libraries: the status says so');
is(ask('SELECT gpuscan_enable()'), 'f', 'shared_preload_libraries: nothing to do');
like($err, qr/NOTICE:  all sessions load gpuscan already, by shared_preload_libraries/, 'shared_preload_libraries: says so');
is(ask('SELECT gpuscan_disable()'), 'f', 'shared_preload_libraries: not the database\'s');
like($err, qr/WARNING:  sessions of this database still load gpuscan, by "shared_preload_libraries"/, 'shared_preload_libraries: says so');
$node->stop;
done_testing();
