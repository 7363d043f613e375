# Keeps one Postgres cluster for the process at the other end of standard input, and takes it away when that
# process is gone, however it went. All is done one after the other, so that nothing is left half started.
#
#   keeper FOLDER BINARIES
#
# Commands come one a line: init, start PORT, stop MODE. Each is answered with "ok" or "failed"; what Postgres
# says about it is in FOLDER/log.
folder=$1
binaries=$2

# Nobody reading the answers any more, or a signal to everything of a terminal, must not end the keeper early.
trap '' HUP INT TERM PIPE

# Postgres refuses to run as root.
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  as() { setpriv --reuid postgres --regid "$(id -g postgres)" --init-groups -- "$@"; }
fi

init() {
  if [ "$(stat -f -c %T "$folder")" = tmpfs ]; then
    echo "$folder is not on a disk: what is durable there says nothing"
    return 1
  fi
  [ "$(id -u)" != 0 ] || chown postgres "$folder" || return
  # The folder above may be closed to the user who runs Postgres.
  cd "$folder" || return
  as "$binaries/initdb" --pgdata="$folder/data" --username=postgres --auth=trust --encoding=UTF8 \
    --locale=C.UTF-8 --no-sync
}

start() {
  as "$binaries/pg_ctl" start --wait --pgdata="$folder/data" --log="$folder/server.log" --options="-p $1"
}

stop() {
  as "$binaries/pg_ctl" stop --wait --pgdata="$folder/data" --mode="$1"
}

mkdir -m 0700 "$folder"
while read -r command argument; do
  if "$command" "$argument" >>"$folder/log" 2>&1 </dev/null; then echo ok; else echo failed; fi
done
stop immediate
# What was stopped a moment ago may still write a last file.
rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
