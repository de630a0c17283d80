# Columns of tables that the service holds: gpuscan_load(), gpuscan_columns(), and their end.
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

	like(($node->psql('postgres', "\\set VERBOSITY verbose\n$sql"))[2], $pattern, $name);
	return;
}

# What is held of a table.
sub held
{
	my ($table) = @_;

	return sql(qq{SELECT string_agg(concat_ws(' ', "column", rows, dead_rows), ', ' ORDER BY "column") FROM gpuscan_columns()
		WHERE relation = '$table'::regclass AND "column" IS NOT NULL});
}

sql(q{
	CREATE TABLE t (k integer, name text, v double precision, gone integer, d date, pad json);
	ALTER TABLE t DROP gone;
	INSERT INTO t SELECT i % 5, 'name ' || i, i, '2020-01-01', '"pad"' FROM generate_series(1, 10000) AS i;
	CREATE TABLE parts (k integer, v real) PARTITION BY LIST (k);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
	CREATE TABLE parts_2 (v real, k integer);
	ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES IN (2);
	INSERT INTO parts SELECT 1 + i % 2, i FROM generate_series(1, 1000) AS i;
	CREATE UNLOGGED TABLE quick AS SELECT 1 AS k;
	CREATE VIEW view AS SELECT * FROM t;
	CREATE ROLE reader;
	CREATE ROLE monitor IN ROLE pg_monitor;
	GRANT SELECT (k, v) ON t TO reader;
});

sql('CREATE TABLE early AS SELECT * FROM t');
is(sql(q{BEGIN; UPDATE early SET k = k; SELECT gpuscan_load('early'); ROLLBACK}), 0, 'rows of a transaction under way are not held');
sql('TRUNCATE early; INSERT INTO early SELECT * FROM t');
is(sql(q{SELECT gpuscan_load('early')}), 10000, 'all are when it has ended, before VACUUM');
sql('VACUUM t, parts, parts_1, parts_2');
is(sql(q{SELECT gpuscan_load('t', 'k', 'v', 'k')}), 10000, 'two columns');
is(held('t'), 'k 10000 0, v 10000 0', 'and these are held');
is(sql(q{SELECT gpuscan_load('t')}), 10000, 'all columns');
is(held('t'), 'd 10000 0, k 10000 0, name 10000 0, v 10000 0', 'but those that cannot be held');
is(sql(q{SELECT gpuscan_load('t', VARIADIC '{}')}), 10000, 'once more');
is(sql(q{SELECT gpuscan_load(NULL, 'k') IS NULL}), 't', 'no table');
is(sql(q{SELECT gpuscan_load('parts')}), 1000, 'all partitions');
is(held('parts_1') . ', ' . held('parts_2'), 'k 500 0, v 500 0, k 500 0, v 500 0', 'are held');
is(sql(q{SELECT database, chunks, bytes >= 10000 * 8, last_used > now() - interval '1 minute'
	FROM gpuscan_columns() WHERE relation = 't'::regclass AND "column" = 'v'}), 'postgres|1|t|t', 'gpuscan_columns()');

# A report finds them.
my $hits = q{SELECT hits FROM gpuscan_columns() WHERE relation = 't'::regclass AND "column" = 'v'};
my $before = sql($hits);
like(sql('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT k, gpu_sum(v) FROM t GROUP BY k'),
	qr/GpuscanReport.*Rows Cached: 10000/s, 'a report uses what is held');
is(sql($hits), $before + 1, 'which is a hit');
is(sql('SELECT columns >= 7, column_bytes > 100000, reports > 0, report_rows_cached > 0, report_rows_read > 0 FROM gpuscan_status()'),
	't|t|t|t|t', 'gpuscan_status() counts');

# Serializable transactions read all pages, to notice who changes them, unless nobody's changes matter.
my $explain = 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT k, gpu_sum(v) FROM t GROUP BY k';
like(sql("BEGIN ISOLATION LEVEL SERIALIZABLE; $explain; COMMIT"), qr/GpuscanReport.*Rows Read: 10000/s, 'a serializable transaction reads all');
like(sql("BEGIN ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE; $explain; COMMIT"), qr/GpuscanReport.*Rows Cached: 10000/s,
	'a deferrable one uses what is held');
is(sql("BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT gpuscan_load('t'); COMMIT"), 0, 'and nothing is loaded');
fails(q{BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT gpuscan_load('t'); COMMIT},
	qr/NOTICE:  00000: nothing of "t" can be cached in this transaction.*DETAIL:  The transaction is serializable/s, 'which is said');
fails(q{BEGIN; ALTER TABLE t ADD added integer; SELECT gpuscan_load('t', 'k'); ROLLBACK}, qr/NOTICE:  00000: nothing of "t" can be cached/, 'as of a table that it has altered');

# Rows that have changed are masked.
sql('UPDATE t SET v = -v WHERE k = 1 AND v < 1000');
is(sql('SELECT gpu_sum(v) FROM t WHERE k = 1'), sql('SET gpuscan.reports = off; SELECT gpu_sum(v) FROM t WHERE k = 1'), 'after an update');
like(held('t'), qr/v (\d+) [1-9]/, 'masked rows');
sql('TRUNCATE t');
is(sql('SELECT count(*), gpu_sum(v) FROM t'), '0|', 'after TRUNCATE');
is(held('t'), '', 'another file is another table');

# What goes wrong.
fails(q{SELECT gpuscan_load(0)}, qr/42P01: relation with OID 0 does not exist/, 'no such table');
fails(q{SELECT gpuscan_load('t', 'nothing')}, qr/42703: column "nothing" of relation "t" does not exist/, 'no such column');
fails(q{SELECT gpuscan_load('t', '........pg.dropped.4........')}, qr/42703: column/, 'a dropped column');
fails(q{SELECT gpuscan_load('t', 'pad')}, qr/0A000: gpuscan cannot cache column "pad" of type json/, 'a type that cannot be held');
fails(q{SELECT gpuscan_load('t', 'xmin')}, qr/0A000: gpuscan cannot cache column "xmin" of type xid/, 'a system column');
fails(q{SELECT gpuscan_load('t', 'k', NULL)}, qr/22004: column name must not be null/, 'a NULL name');
sql(q{
	CREATE MATERIALIZED VIEW stored AS SELECT * FROM t;
	CREATE MATERIALIZED VIEW unfilled AS SELECT * FROM t WITH NO DATA;
	VACUUM stored;
	CREATE FOREIGN DATA WRAPPER nowhere;
	CREATE SERVER far FOREIGN DATA WRAPPER nowhere;
	CREATE FOREIGN TABLE foreign_t (k integer) SERVER far;
	CREATE INDEX named ON t (k);
	CREATE TABLE mixed (k integer) PARTITION BY LIST (k);
	CREATE TABLE mixed_1 PARTITION OF mixed FOR VALUES IN (1) PARTITION BY LIST (k);
	CREATE TABLE mixed_1_1 PARTITION OF mixed_1 DEFAULT;
	CREATE UNLOGGED TABLE mixed_2 PARTITION OF mixed FOR VALUES IN (2);
	CREATE FOREIGN TABLE mixed_3 PARTITION OF mixed FOR VALUES IN (3) SERVER far;
	INSERT INTO mixed SELECT 1 FROM generate_series(1, 100);
	CREATE TABLE nothing (k integer) PARTITION BY LIST (k);
	CREATE TABLE heir () INHERITS (early);
	VACUUM mixed_1_1;
});
fails("CREATE TEMPORARY TABLE brief AS SELECT 1 AS k; SELECT gpuscan_load('$_->[0]')",
	qr/ERROR:  $_->[1]: the service cannot cache "$_->[0]": $_->[2]/, "load: $_->[2]")
  for [ 'brief', '0A000', 'it is temporary' ], [ 'quick', '0A000', 'it is unlogged' ], [ 'view', '42809', 'it is a view' ],
  [ 'unfilled', '0A000', 'it has not been populated' ], [ 'foreign_t', '42809', 'it is a foreign table' ],
  [ 'named', '42809', 'it is not a table' ], [ 'pg_class', '0A000', 'it is a system catalog' ];
is(sql(q{SELECT gpuscan_load('stored')}), sql('SELECT count(*) FROM stored'), 'a materialized view');
fails(q{SELECT gpuscan_load('mixed')}, qr/NOTICE:  00000: 2 partitions of "mixed" cannot be cached\nDETAIL:  "mixed_2": it is unlogged\.\n/, 'partitions that cannot be held');
is(sql(q{SELECT gpuscan_load('mixed')}), 100, 'do not keep the others from it');
is(($node->psql('postgres', q{SELECT gpuscan_load('nothing')}))[2], '', 'no partitions: no complaint');
fails(q{SELECT gpuscan_load('early')}, qr/NOTICE:  00000: other tables inherit from "early": only its own rows are cached/, 'a table that has heirs');
fails(q{SET gpuscan.engine = cpu; SELECT gpuscan_load('t')}, qr/55000: the service could not read columns of "t".*DETAIL: .*gpuscan.engine is cpu/s, 'engine cpu');
fails(q{SET ROLE reader; SELECT gpuscan_load('t')}, qr/42501: permission denied for table t/, 'columns that the user may not read');
is(sql(q{SET ROLE reader; SELECT gpuscan_load('t', 'k', 'v')}), 0, 'those that he may');
fails(q{SET ROLE reader; SELECT * FROM gpuscan_columns()}, qr/42501: permission denied for function gpuscan_columns/, 'not everybody sees what is held');
is(sql(q{SET ROLE monitor; SELECT count(*) > 0 FROM gpuscan_columns()}), 't', 'pg_monitor does');
sql('ALTER TABLE t ENABLE ROW LEVEL SECURITY');
fails(q{SET ROLE reader; SELECT gpuscan_load('t', 'k')}, qr/0A000: .*row-level security/, 'row-level security');

# Names of other databases are hidden.
sql('CREATE DATABASE other');
is($node->safe_psql('other', q{CREATE EXTENSION gpuscan; SELECT bool_and(relation IS NULL), bool_and("column" IS NULL), min(database) FROM gpuscan_columns()}),
	't|t|postgres', 'from another database: no names');

# VACUUM changes the map while a report is under way, as since 17.11 and 18.6 every first change of an all-visible page
# does.  What is held all the same is used, and what is read is kept.
my $report = 'SELECT k, gpu_sum(v) FROM u GROUP BY k ORDER BY k';

# The report's EXPLAIN; a statement is executed each time that it comes to this point.
sub explain_while
{
	my ($point, @statements) = @_;
	my @holder = map { open_session($node) } 0, 1;
	my $waits = 'SELECT count(*) FROM pg_locks WHERE NOT granted AND mode =';
	my ($lock, $unlock) = map { "SELECT pg_advisory_$_(7283)" } 'lock', 'unlock';

	$holder[0]->query_safe($lock);
	my $call = start_call($node, "SET gpuscan.debug_pause = '$point';\nEXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $report");
	for my $i (0 .. $#statements)
	{
		wait_for("the report's step", sub { return sql("$waits 'ShareLock'"); });
		sql($statements[$i]);
		if ($i < $#statements)
		{
			# next in line: the report's next step waits for it
			$holder[($i + 1) % 2]->begin($lock);
			wait_for('the next one', sub { return sql("$waits 'ExclusiveLock'"); });
		}
		$holder[$i % 2]->query_safe($unlock);
	}
	finish_call($call);
	$_->quit for @holder;
	return $call->{out};
}

sql(q{CREATE TABLE u AS SELECT i % 5 AS k, i::float8 AS v FROM generate_series(1, 10000) AS i});
sql('VACUUM ANALYZE u');
sql('DELETE FROM u WHERE v = 1');
my $others = sql(q{SELECT count(*) FROM u WHERE ctid >= '(1,0)'});
like(explain_while('look', 'VACUUM u'), qr/Rows Newly Cached: 9999\n/, 'what is read while VACUUM changes the map is kept');
sql("SELECT gpuscan_load('u')");
sql('DELETE FROM u WHERE v = 2');
sql('VACUUM u');
sql('DELETE FROM u WHERE v = 3');
like(explain_while('map', 'VACUUM u', 'VACUUM (FREEZE) u'), qr/Rows Cached: $others\n/, 'what is verified meanwhile is used');
is(sql($report), sql("SET gpuscan.reports = off; $report"), 'and the next report has the right answer');

# They go.
cmp_ok(sql('SELECT gpuscan_cache_clear()'), '>=', 4, 'gpuscan_cache_clear()');
is(sql('SELECT count(*) FROM gpuscan_columns()'), 0, 'nothing is held');
is(sql('SELECT gpuscan_stop(); SELECT count(*) FROM gpuscan_columns()'), "t\n0", 'without a service nothing is held either');

# The range of a column that a plan has no use for after all is not asked for.  (The numerics have several scales.)
sql(q{CREATE FUNCTION three_halves(i integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN i * 1.5; END'});
sql("SELECT gpuscan_load('u')");
my $unused = 'SELECT sum((SELECT 1.5) + (three_halves(k) + k::numeric / 3)) FROM u';
is(sql("LOAD 'gpuscan'; SET gpuscan.engine = gpu; $unused"), sql($unused), 'an expression that is not translated after all');
ok(!log_has($node, qr/REPORT with an invalid plan/), 'and no plan is invalid');

# A table that does not fit the cache: the rest is on the host, as far as that may have some.
sql('CREATE TABLE large AS SELECT i % 100 AS k, hashint4(i) AS v, i * 0.5::float8 AS w FROM generate_series(1, 200000) AS i');
sql('VACUUM ANALYZE large');
my $large = 'SELECT k, sum(v), gpu_sum(w) FROM large GROUP BY k ORDER BY k';
my $sums = sql("SET gpuscan.reports = off; $large");
configure($node, 'gpuscan.cache_size' => '1MB', 'gpuscan.host_cache_size' => '4MB');
is(sql(q{SELECT gpuscan_load('large')}), 200000, 'a table that does not fit the cache is held');
is(sql("SET gpuscan.engine = gpu; $large"), $sums, 'and gives the same');
is(sql(q{SELECT sum(host_bytes) > 1000000, sum(host_bytes) < sum(bytes) FROM gpuscan_columns()}), 't|t', 'much of it on the host');
is(sql('SELECT host_cache_size, host_column_bytes > 1000000, column_bytes <= cache_size FROM gpuscan_status()'),
	'4194304|t|t', 'which gpuscan_status() says, too');
like(sql("SET gpuscan.engine = gpu; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $large"), qr/Rows Cached: 200000\n/, 'no page is read again');
sql('UPDATE large SET v = v + 1 WHERE k = 7');
sql('VACUUM large');
is(sql("SET gpuscan.engine = gpu; $large"), sql("SET gpuscan.reports = off; $large"), 'nor an old one used');
ok(sql('SELECT gpuscan_cache_clear()') > 0, 'gpuscan_cache_clear()');
is(sql('SELECT column_bytes, host_column_bytes FROM gpuscan_status()'), '0|0', 'of both');
sql('DROP TABLE large');

# Look-up tables of a join that have no room together, each of 6.4 MB, would make way for each other: its rows are read.
sql('CREATE TABLE apart AS SELECT i * 40 AS id, i * 3000000000 AS x, i * 4000000000 AS y, i * 5000000000 AS z FROM generate_series(0, 19999) AS i');
sql('CREATE TABLE fact AS SELECT i % 800000 AS k, i AS v FROM generate_series(1, 100000) AS i');
sql('VACUUM ANALYZE apart, fact');
my $crowd = 'SELECT count(*), sum(x), sum(y), sum(z) FROM fact JOIN apart ON id = k';
my $crowded = sql("SET gpuscan.reports = off; $crowd");
configure($node, 'gpuscan.cache_size' => '12MB', 'gpuscan.host_cache_size' => 0);
my $held = "LOAD 'gpuscan'; SET gpuscan.engine = gpu; SET gpuscan.reports = exact; SET gpuscan.debug_held_rows = 0; SET max_parallel_workers_per_gather = 0";
is(sql("$held; $crowd"), $crowded, 'look-up tables without room: the right answer');
my $shown = sql("$held; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $crowd");
like($shown, qr/Engine: /, 'by the service');
unlike($shown, qr/Look-up: .* held\)/, 'which has not made them');
configure($node, 'gpuscan.cache_size' => '1MB', 'gpuscan.host_cache_size' => '4MB');
sql('DROP TABLE apart, fact');

# There prices and regular times take half of their bytes, as long as they are such.
sql(q{CREATE TABLE price AS SELECT i % 100 AS k, (i * 7919 % 1000003) / 100.0::float8 AS price,
	'2025-01-01'::timestamp + i * interval '10 s' AS at, sin(i) AS measured FROM generate_series(1, 200000) AS i});
sql('ALTER TABLE price SET (autovacuum_enabled = false)');
sql('UPDATE price SET price = NULL, at = NULL WHERE k = 13');
sql('VACUUM (FREEZE, ANALYZE) price');
my @of_prices = ('SELECT k, gpu_sum(price), min(price), max(price), count(price) FROM price GROUP BY k ORDER BY k',
	q{SELECT count(*), min(at), max(at), gpu_sum(measured) FROM price WHERE price < 1234.56 AND at >= '2025-01-10 00:00:10'},
	'SELECT price, count(*) FROM price GROUP BY price ORDER BY count(*) DESC, price LIMIT 20',
	q{SELECT date_trunc('day', at), max(price) FROM price GROUP BY 1 ORDER BY 1});
my $bytes = q{SELECT a.attname, bytes < 5.5 * rows, host_bytes = bytes FROM gpuscan_columns() AS c JOIN pg_attribute AS a
	ON a.attrelid = c.relation AND a.attname = c."column" WHERE attname <> 'k' ORDER BY 1};

sub prices_are_same
{
	my ($what) = @_;
	my @exact = map { sql("SET gpuscan.reports = off; $_") } @of_prices;

	is(sql("SET gpuscan.reports = 'all'; SET gpuscan.engine = gpu; $of_prices[$_]"), $exact[$_], "$what: query $_")
	  for 0 .. $#of_prices;
}

prices_are_same('prices, read');
prices_are_same('prices, held');
is(sql($bytes), "at|t|f\nmeasured|f|t\nprice|t|f", 'prices and times take half, but for their bitmaps on the host');
sql(q{INSERT INTO price VALUES (1, 33554432.01, '1999-01-01', 0), (2, -5, '2069-01-01', 0)});
prices_are_same('prices further apart');
sql('VACUUM price');
prices_are_same('these, kept');
sql(q{INSERT INTO price SELECT 3, p, '2025-01-01 00:00:00.000001', 0
	FROM unnest('{NaN,-Infinity,-0,5e-324,1e308,0.30000000000000004,0.07}'::float8[]) AS p});
prices_are_same('what is none');
sql('VACUUM price');
prices_are_same('this, kept');
like(sql("SET gpuscan.engine = gpu; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $of_prices[0]"), qr/Rows Cached: 200009\n/, 'all of it');
sql('DROP TABLE price');
configure($node, 'gpuscan.cache_size' => -1, 'gpuscan.host_cache_size' => -1);

# A report that takes longer than the timeout, but goes on, table by table.
sql('CREATE TABLE six (k integer, v double precision) PARTITION BY LIST (k)');
sql("CREATE TABLE six_$_ PARTITION OF six FOR VALUES IN ($_)") for 0 .. 5;
sql('INSERT INTO six SELECT i % 6, i FROM generate_series(1, 60000) AS i');
sql('VACUUM ANALYZE six');
sql("SELECT gpuscan_load('six')");
configure($node, 'gpuscan.response_timeout' => '3s', 'gpuscan.debug_delay' => '700ms');
my $slow = 'SET gpuscan.engine = gpu; SELECT count(*), gpu_sum(v) FROM six';
is(sql($slow), '60000|1800030000', 'a slow report, which reads');
is(sql($slow), '60000|1800030000', 'and one of what is held');
ok(!log_has($node, qr/did not answer/), 'and was not taken for dead');

# A batch is under way while the next table begins: slots so small that a page of its map would cover values.
sql('DELETE FROM six WHERE v > 6000; VACUUM (FULL, ANALYZE) six');
sql("VACUUM six");
configure($node, 'gpuscan.debug_delay' => '50ms', 'gpuscan.chunk_size' => '32kB', 'gpuscan.staging_size' => '128kB');
like(sql('BEGIN; UPDATE six SET v = v + 1; SET gpuscan.engine = gpu; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT sum(k), gpu_sum(v) FROM six; ROLLBACK'),
	qr/Rows Read: 6000\n/, 'rows that nobody keeps, table by table');
is(sql('SET gpuscan.engine = gpu; SELECT sum(k), gpu_sum(v) FROM six'), '15000|18003000', 'and their sums');

# Rows that were written without WAL: their pages have no LSN, until they change.
$node->append_conf('postgresql.conf', "wal_level = minimal\nmax_wal_senders = 0\nwal_skip_threshold = 0\ngpuscan.debug_delay = 0");
$node->restart;
sql('CREATE TABLE bare AS SELECT i AS k FROM generate_series(1, 10000) AS i');
# With checksums, the default since 18, hints are in the WAL, and so the page has an LSN.
my $loaded = sql('SHOW data_checksums') eq 'on' ? 10000 : 0;
is(sql(q{SELECT gpuscan_load('bare')}), $loaded, 'pages without an LSN are not held');
sql('VACUUM bare');
is(sql(q{SELECT gpuscan_load('bare')}), 10000, 'unless their bits are set');
sql('UPDATE bare SET k = 0 WHERE k = 10000');
is(sql('SET gpuscan.engine = gpu; SELECT gpu_sum(k) FROM bare'), 49995000, 'and which have changed');

# A table gets shorter, and then longer by an empty page, as when a transaction that needs another page ends before it
# writes there.  Like the one at its place before, it has no LSN.
sql('CREATE TABLE shorter AS SELECT i AS k FROM generate_series(1, 10000) AS i');
sql(q{SELECT gpuscan_load('shorter')});
sql('DELETE FROM shorter WHERE k > 9000');
sql('VACUUM shorter');
append_to_file($node->data_dir . '/' . sql(q{SELECT pg_relation_filepath('shorter')}), "\0" x 8192);
is(sql('SET gpuscan.engine = gpu; SELECT count(*), gpu_sum(k) FROM shorter'), '9000|40504500', 'another page without an LSN');
$node->stop;
done_testing();
