# Adds a VACUUM behind each statement of a regression test that fills a table, as
# reports are made of tables that were vacuumed; not in transactions, and not in
# bodies of functions.
use strict;
use warnings;

my $name = qr/[a-z_][a-z_0-9.]*/i;
my ($table, $in_data, $in_body, $in_transaction);
while (my $line = <>)
{
	print $line;
	if ($in_data)
	{
		$in_data = $line !~ /^\\\.$/;
		next if $in_data;
	}
	else
	{
		$in_transaction = 1 if $line =~ /^(begin|start transaction)\b/i;
		$in_transaction = 0 if $line =~ /^(commit|end|abort|rollback)\b(?!.* to )/i;
		my @quotes = $line =~ /\$[a-z_]*\$/gi;
		$in_body = !$in_body if @quotes % 2;
		next if $in_body;
		$table = $1
		  if $line =~ /^(?:insert into|update|analyze|vacuum analyze|copy|create (?:unlogged )?table) ($name)/i;
		$in_data = defined $table && $line =~ /^copy .*from stdin.*;/i;
		next if $in_data || $line !~ /;\s*(--.*)?$/;
	}
	print "VACUUM $table;\n" if defined $table && !$in_transaction;
	$table = undef;
}
