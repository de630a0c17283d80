# Sourced by the scripts beside it: where PostgreSQL is, and who runs a server.
# shellcheck shell=bash

set -euo pipefail
export LC_ALL=C		# what is said is read by scripts too
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Temporary files; whatever happens, they go when the script does.
scratch=$(mktemp -d)
clean_up() { rm -rf "$scratch"; }
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

say() { printf 'gpuscan: %s\n' "$*"; }
die() { printf 'gpuscan: %s\n' "$*" >&2; exit 1; }

# Has this pg_config all that building, running and testing takes?
pg_complete() {
	local bindir
	bindir=$("$1" --bindir 2>/dev/null) || return
	[[ -x $bindir/postgres && -x $bindir/initdb && -x $bindir/psql &&
		-f $("$1" --pgxs) && -f $("$1" --includedir-server)/postgres.h ]]
}

# Sets PG_CONFIG to the user's choice, else to a complete one: that of PATH, or
# the newest of Debian's.
find_pg_config() {
	local candidate
	if [[ -n ${PG_CONFIG-} ]]; then
		pg_complete "$PG_CONFIG"
		return
	fi
	for candidate in "$(command -v pg_config || true)" \
		$(ls -dvr /usr/lib/postgresql/*/bin/pg_config 2>/dev/null); do
		if [[ -n $candidate ]] && pg_complete "$candidate"; then
			PG_CONFIG=$candidate
			return
		fi
	done
	return 1
}

# Sets PYTHON to one that has psycopg 3, NumPy and pandas: the user's choice, else
# that of PATH, or the system's, whose packages are Debian's.
find_python() {
	local candidate
	for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
		if "$candidate" -c 'import psycopg, numpy, pandas' 2>/dev/null; then
			PYTHON=$candidate
			return
		fi
	done
	return 1
}

# Runs make with as many jobs as there are cores.
parallel_make() {
	local jobs=()
	# under `make -jN check` the jobs are make's own affair
	[[ ${MAKEFLAGS-} == *--jobserver* ]] || jobs=(-j "$(nproc)")
	make --no-print-directory "${jobs[@]}" PG_CONFIG="$PG_CONFIG" "$@"
}

# Runs make quietly; all it said is shown if it fails.
quiet_make() {
	if ! parallel_make "$@" >"$scratch/make" 2>&1; then
		cat "$scratch/make"
		return 1
	fi
	grep '^gpuscan: ' "$scratch/make" || true
}

# Builds the extension, with make's variables given, and puts it where the server
# looks for it.  Who may not write there is told how, unless the very same is
# there already.
build_and_install() {
	local libdir sharedir differing
	libdir=$("$PG_CONFIG" --pkglibdir)
	sharedir=$("$PG_CONFIG" --sharedir)/extension
	if [[ -w $libdir && -w $sharedir ]]; then
		quiet_make "$@" install
		return
	fi

	quiet_make "$@" install DESTDIR="$scratch/root" || return
	differing=$(cd "$scratch/root" && find . -type f ! -exec cmp -s {} /{} \; -print)
	[[ -n $differing ]] || return 0
	say "you may not write to $libdir. Type"
	say "    sudo make install PG_CONFIG=$PG_CONFIG${*:+ $*}"
	say "and then this command again, or name a PostgreSQL of your own by PG_CONFIG=."
	return 1
}
