# Texts of very many values: dictionaries that grow in several sessions at once, are lost, evicted and too large.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = make_node('main');
$node->init;
$node->append_conf('postgresql.conf', 'gpuscan.service_engine = ' . service_engine() . q{
gpuscan.engine = gpu
gpuscan.cache_size = 512MB
session_preload_libraries = gpuscan
max_parallel_workers_per_gather = 0
autovacuum = off
jit = off
});
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION gpuscan;
	CREATE TABLE visit (url text, i integer);
	INSERT INTO visit SELECT CASE WHEN i % 100 > 0 THEN 'http://example.com/' || md5((i % 300000)::text) || '/' || i % 300000 END, i
	FROM generate_series(1, 400000) AS i;
	VACUUM ANALYZE visit;
	CREATE FUNCTION most_memory() RETURNS bigint LANGUAGE sql AS $$
		SELECT substring(pg_read_file('/proc/self/status'), 'RssAnon:\s+(\d+)')::bigint * 1024 $$;
});

my @queries = (
	'SELECT url, count(*), sum(i) FROM visit GROUP BY url',
	'SELECT count(DISTINCT url), count(url) FROM visit',
	"SELECT count(*), sum(i) FROM visit WHERE url = 'http://example.com/' || md5('7') || '/7'",
	"SELECT count(*) FROM visit WHERE url <> 'nothing'");

sub digest
{
	my ($query) = @_;
	return "SELECT md5(string_agg(s::text, '' ORDER BY s::text)) FROM ($query) AS s;";
}

# Each query as a report and as the ordinary plan; how many differ?
sub differences
{
	my ($setting) = @_;
	my @answers = map {
		my $reports = $_;
		$node->safe_psql('postgres', ($setting // '') . "SET gpuscan.reports = '$reports';" . join('', map { digest($_) } @queries));
	} 'off', 'exact';

	return $answers[0] eq $answers[1] ? '' : "@answers";
}

# Two sessions that find the values at once.
my @sessions = map { open_session($node) } 1 .. 2;
my $all = "SET gpuscan.reports = 'exact';" . join('', map { digest($_) } @queries);
$_->start($all) foreach @sessions;
my $plain = $node->safe_psql('postgres', "SET gpuscan.reports = 'off';" . join('', map { digest($_) } @queries));
is($_->result, $plain, 'a session beside another one') foreach @sessions;
$_->quit foreach @sessions;
is(differences(), '', 'then all is there');
like($node->safe_psql('postgres', "SET gpuscan.reports = 'exact'; EXPLAIN (ANALYZE, COSTS OFF) $_"), qr/GpuscanReport.*Groups:/s, "a report: $_")
	foreach @queries;

# A million values, which eight sessions find at once; and again, after the service was lost.
$node->safe_psql('postgres', q{
	CREATE TABLE word (url text, i integer);
	INSERT INTO word SELECT 'http://example.com/' || hashint4(i % 1000000) || '/' || i % 1000000, i FROM generate_series(1, 1100000) AS i;
	VACUUM ANALYZE word});
my @work = (
	'SELECT count(*), sum(hashtext(url)::bigint * n) FROM (SELECT url, count(*) AS n FROM word GROUP BY url) AS q',
	'SELECT count(DISTINCT url), count(url) FROM word',
	'SELECT url, count(*), sum(i) FROM word GROUP BY url ORDER BY 3 DESC, 1 LIMIT 5',
	"SELECT count(*), sum(i) FROM word WHERE url LIKE '%/99%'");
my @plain = map { $node->safe_psql('postgres', "SET gpuscan.reports = off; $_") } @work;
foreach my $when ('at once', 'after the service was lost')
{
	my @eight = map { open_session($node) } 1 .. 8;
	$eight[$_]->start("SET gpuscan.reports = 'exact'; $work[$_ % @work];") foreach 0 .. $#eight;
	is($eight[$_]->result, $plain[ $_ % @work ], "session $_ of eight, $when") foreach 0 .. $#eight;
	$_->quit foreach @eight;
	like($node->safe_psql('postgres', "EXPLAIN (ANALYZE, COSTS OFF) $work[$_]"), qr/GpuscanReport.*Groups:/s, "a report $when: $work[$_]")
		foreach 1, 2;
	kill_service($node);
}
$node->safe_psql('postgres', 'DROP TABLE word');

# A session has no copy.
my $more = $node->safe_psql('postgres', qq{
	SELECT count(*) FROM visit WHERE i < 10 \\g /dev/null
	SELECT most_memory() AS before \\gset
	SELECT count(*) FROM visit WHERE url = 'x' \\g /dev/null
	SELECT most_memory() - :before});
cmp_ok($more, '<', 8 << 20, 'a session takes less than the values do');

# Rows that come between reports of one session.
is($node->safe_psql('postgres', q{
	SET gpuscan.reports = 'exact';
	SELECT count(*) FROM visit WHERE url = 'new';
	INSERT INTO visit SELECT 'new', i FROM generate_series(1, 5) AS i;
	SELECT count(*) FROM visit WHERE url = 'new';
	INSERT INTO visit SELECT 'newer ' || i, i FROM generate_series(1, 50000) AS i;
	SELECT count(*) FROM visit WHERE url IN ('new', 'newer 50000', 'newer 50001')}), "0\n5\n6", 'values that are new');

# Who may read rows of his own only.
$node->safe_psql('postgres', q{
	CREATE ROLE reader LOGIN;
	GRANT SELECT ON visit TO reader;
	CREATE TABLE hidden AS SELECT * FROM visit LIMIT 1000});
my ($code, $out, $err) = $node->psql('postgres', 'SELECT url, count(*) FROM hidden GROUP BY url',
	connstr => $node->connstr('postgres') . ' user=reader');
like($err, qr/permission denied/, 'a role without rights');
is($node->safe_psql('postgres', "SET ROLE reader; SELECT count(*) FROM visit WHERE url = 'new'"), '5', 'one with rights');

# The service is lost, and all codes with it.
is(differences(), '', 'before the service is lost');
kill_service($node);
is(differences(), '', 'after it was lost');
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM visit WHERE url = 'new';
	SELECT gpuscan_cache_clear() \g /dev/null
	SELECT count(*) FROM visit WHERE url = 'new';
	SELECT count(DISTINCT url) > 300000 FROM visit}), "5\n5\nt", 'within a session');

# Values of 4 kB, and longer ones.
$node->safe_psql('postgres', q{
	CREATE TABLE body AS SELECT repeat(md5((i % 2000)::text), 128) AS t, i FROM generate_series(1, 4000) AS i;
	VACUUM ANALYZE body});
@queries = ('SELECT t, count(*), sum(i) FROM body GROUP BY t', "SELECT count(*) FROM body WHERE t = repeat(md5('5'), 128)");
is(differences(), '', 'values of 4 kB');
$node->safe_psql('postgres', q{INSERT INTO body SELECT repeat('x', 4097), 1});
is(differences(), '', 'a longer one');

# Too little memory for the values.
$node->append_conf('postgresql.conf', 'gpuscan.cache_size = 4MB');
$node->reload;
@queries = ('SELECT url, count(*), sum(i) FROM visit GROUP BY url', 'SELECT i % 7, count(*) FROM visit GROUP BY 1',
	"SELECT count(*) FROM visit WHERE url = 'new'");
is(differences(), '', 'evicted, or not held') foreach 1 .. 2;

# Statistics promise few values: a part of the table tells that there are too many.
$node->safe_psql('postgres', q{
	CREATE TABLE late AS SELECT * FROM visit;
	ALTER TABLE late ALTER url SET (n_distinct = 5000);
	VACUUM ANALYZE late});
($code, $out, $err) = $node->psql('postgres', "SET gpuscan.reports = 'exact'; EXPLAIN (ANALYZE) SELECT url, count(*) FROM late GROUP BY url");
like($out, qr/a column seems to have too many distinct values/, 'more values than statistics say');
$node->stop;
done_testing();
