# Writes gpuscan's installation script from the templates beside this file:
#
#	awk -f sql/install/expand.awk sql/install/gpuscan.sql.in
#
# A template is SQL, in which
#
#	# comment				is for readers of the template alone
#	%include FILE			stands for a file of the same directory
#	%table NAME				begins a table, up to the next empty line: a line
#							of column names, then rows; | separates cells
#	%each TABLE ... %end	is written once for each row of a table; these nest
#	{column}				is that column's cell in the current row; a cell
#							of an outer table may name a column of an inner one
#
# Around what %each writes there are empty lines; elsewhere several are one.
#
# A row that begins with ! is of a type that gpuscan does not compute with.
# What is declared for it exists only to say so, lest PostgreSQL cast to a type
# that loses digits: it keeps its name, arguments and result, and refuse() below
# gives it another body and comment.
#
# But %decimals in %each ... %end says that such a type is taken all the same, by
# the C function of the others' name and _decimals; %decimals {column}, where that
# cell is yes.
#
# Any POSIX awk will do.

BEGIN {
	directory = ARGV[1]
	sub(/[^\/]*$/, "", directory)
	read(ARGV[1])
	expand(1, lines, 0)
	exit
}

END {
	exit failed
}

function fail(message) {
	printf "%s: %s\n", where, message > "/dev/stderr"
	failed = 1
	exit 1
}

function read(file,		text, number, status) {
	while ((status = (getline text < file)) > 0) {
		number++
		if (text ~ /^%include /) {
			read(directory substr(text, 10))
			text = ""
		}
		if (text ~ /^#/)
			continue
		source[++lines] = text
		place[lines] = file ":" number
	}
	where = file
	if (status < 0)
		fail("cannot be read")
	close(file)
}

# Writes lines from..to of the source, which stand in depth %each: table[] and
# row[] tell where these are.
function expand(from, to, depth,	at, end) {
	for (at = from; at <= to; at++) {
		where = place[at]
		if (source[at] ~ /^%table /)
			at = read_table(at)
		else if (source[at] ~ /^%each /) {
			end = end_of_each(at)
			table[depth + 1] = substr(source[at], 7)
			if (!(table[depth + 1] in rows))
				fail("there is no table " table[depth + 1])
			for (row[depth + 1] = 1; row[depth + 1] <= rows[table[depth + 1]]; row[depth + 1]++) {
				write("")
				taken = 0
				expand(at + 1, end - 1, depth + 1)
			}
			write("")
			at = end
		} else if (depth && source[at] ~ /^%decimals/)
			taken = fill_in(source[at], depth) ~ /^%decimals( yes)?$/
		else if (source[at] ~ /^%/)
			fail("misplaced or unknown: " source[at])
		else if (refused[table[depth], row[depth]] && depth && taken)
			take_decimals(fill_in(source[at], depth))
		else if (refused[table[depth], row[depth]] && depth)
			refuse(fill_in(source[at], depth))
		else
			write(fill_in(source[at], depth))
	}
}

# A cell is cell[table, line, column], all from 1; line 0 names the columns.
function read_table(at,		name, line, column, text, parts) {
	name = substr(source[at], 8)
	for (line = 0; ++at <= lines && source[at] != ""; line++) {
		where = place[at]
		text = source[at]
		refused[name, line] = sub(/^!/, "", text)
		sub(/ +$/, "", text)
		column = split(text, parts, / *\| */)
		if (line == 0)
			columns[name] = column
		if (column != columns[name])
			fail("not " columns[name] " cells, as the table's first line has")
		for (; column > 0; column--)
			cell[name, line, column] = parts[column]
	}
	rows[name] = line - 1
	return at
}

function end_of_each(at,	depth) {
	for (depth = 1; ++at <= lines; )
		if (source[at] ~ /^%each /)
			depth++
		else if (source[at] == "%end" && --depth == 0)
			return at
	fail("%each without %end")
}

function fill_in(text, depths,	depth, column, name, start) {
	for (depth = 1; depth <= depths; depth++)
		for (column = 1; column <= columns[table[depth]]; column++) {
			name = "{" cell[table[depth], 0, column] "}"
			while ((start = index(text, name)) > 0)
				text = substr(text, 1, start - 1) \
					cell[table[depth], row[depth], column] \
					substr(text, start + length(name))
		}
	if (match(text, /[{][a-z_]+[}]/))
		fail("there is no column " substr(text, RSTART, RLENGTH))
	return text
}

# Writes a line of a declaration that refuses its type.
function refuse(text) {
	if (text ~ /^CREATE/)
		what = "argument"
	if (text ~ /numeric\[\]/ && !in_aggregate)
		what = "array"

	if (text == "(") {
		write("(\n\tSFUNC = _gpuscan_numeric_aggregate,\n\tSTYPE = numeric,\n\tPARALLEL = safe")
		in_aggregate = 1
	} else if (text == ");")
		in_aggregate = 0
	else if (text ~ /^\tAS /)
		sub(/[a-z0-9_]+'$/, "gpuscan_numeric_" (what == "array" ? "" : "column_") "unsupported'", text)
	else if (text ~ /^\tLANGUAGE /) {
		sub(/STRICT/, "CALLED ON NULL INPUT", text)
		sub(/COST [0-9]+/, "COST 1", text)
		sub(/;?$/, ";", text)
	} else if (text ~ /^\t'/)
		text = "\t'not supported: cast the " what " to another type';"

	if (!in_aggregate && text !~ /^\tSUPPORT /)
		write(text)
}

# Writes a line of a declaration for numeric, whose C function is another one.
function take_decimals(text) {
	if (text ~ /^\tAS /)
		sub(/'$/, "_decimals'", text)
	else if (text ~ /^\tLANGUAGE /)
		sub(/;?$/, ";", text)
	if (text !~ /^\tSUPPORT /)
		write(text)
}

# Of several empty lines one is written, of those at the end none.
function write(text) {
	if (text == "") {
		empty = started
		return
	}
	if (empty)
		print ""
	print text
	started = 1
	empty = 0
}
