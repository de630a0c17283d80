# Sourced after common.sh: a private cluster in a temporary directory, gone when the script is.
#
#	cluster_start [setting=value ...]	starts one; PGHOST, PGPORT and PGUSER
#										lead there
#	cluster_stop						ends and removes it
#	as_server command ...				runs a command as the server's user
#
# A server does not run as root, so for root it is the user postgres, or nobody,
# who runs it.  That user may not be able to enter the directory of the project
# (root's home, say): what it reads is copied to $cluster_dir, and clients, who
# read and write here, are the caller.  Nothing listens on a TCP port.

cluster_dir=

clean_up() {
	cluster_stop
	rm -rf "$scratch"
}

server_user() {
	if [[ $(id -u) != 0 ]]; then
		id -un
	elif id postgres >/dev/null 2>&1; then
		echo postgres
	else
		echo nobody
	fi
}

as_server() {
	local user
	user=$(server_user)
	(
		cd "$cluster_dir"
		if [[ $(id -u) == 0 ]]; then
			exec setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups \
				env HOME="$cluster_dir" TMPDIR="$cluster_dir" "$@"
		else
			exec "$@"
		fi
	)
}

cluster_make_dir() {
	[[ -z $cluster_dir ]] || return 0
	# root's TMPDIR may be for root alone
	cluster_dir=$([[ $(id -u) != 0 ]] || unset TMPDIR; mktemp -d -t gpuscan.XXXXXX)
	chown "$(server_user)" "$cluster_dir"
}

cluster_start() {
	local bindir setting log
	cluster_make_dir
	bindir=$("$PG_CONFIG" --bindir)
	log=$cluster_dir/server.log
	as_server test -x "$bindir/postgres" ||
		die "user $(server_user), who has to run the server, cannot reach $bindir"
	as_server "$bindir/initdb" -D "$cluster_dir/data" -U postgres --auth=trust \
		--encoding=UTF8 --locale=C --no-sync >"$cluster_dir/initdb.log" 2>&1 || {
		cat "$cluster_dir/initdb.log"
		return 1
	}
	# autovacuum's snapshots keep VACUUM from marking pages all-visible: the
	# plans and answers of reports would depend on its moment.  To compile the
	# queries that compute what is expected takes longer than to execute them
	for setting in "listen_addresses=" "unix_socket_directories=$cluster_dir" \
		"port=5432" "fsync=off" "autovacuum=off" "jit=off" "$@"; do
		printf "%s = '%s'\n" "${setting%%=*}" "${setting#*=}"
	done >>"$cluster_dir/data/postgresql.conf"
	export PGHOST=$cluster_dir PGPORT=5432 PGUSER=postgres PGDATABASE=postgres \
		PGCLIENTENCODING=UTF8
	unset PGHOSTADDR PGSERVICE PGPASSWORD PGOPTIONS PGSSLMODE
	as_server "$bindir/pg_ctl" start -w -D "$cluster_dir/data" -l "$log" >/dev/null || {
		cat "$log"
		return 1
	}
}

cluster_stop() {
	local bindir
	[[ -n $cluster_dir ]] || return 0
	bindir=$("$PG_CONFIG" --bindir)
	if [[ -f $cluster_dir/data/postmaster.pid ]]; then
		as_server "$bindir/pg_ctl" stop -m fast -w -D "$cluster_dir/data" >/dev/null ||
			as_server "$bindir/pg_ctl" stop -m immediate -w -D "$cluster_dir/data" >/dev/null || true
	fi
	rm -rf "$cluster_dir"
	cluster_dir=
}
