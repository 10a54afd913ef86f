#!/usr/bin/env bash
# Runs the daemon under strace. Before each 202 on the socket there must be a sync of the WAL that
# began after the request was read. Needs strace, and root, because only root can read the memory of
# the daemon. Argument: the folder of the binaries.
set -euo pipefail
# shellcheck source=tests/crash/daemon.sh
. "$(dirname "$0")/daemon.sh"
[ "$(id -u)" = 0 ] || skip "only root can trace the daemon"
"$bin/analyticsd" keys create --init --account test --db "$work/a.db" --out "$work/key"
strace -f -y -s 32 -e trace=fsync,fdatasync,read,recvfrom,recvmsg,readv,write,sendto,sendmsg,writev \
  -o "$work/trace" "$bin/analyticsd" --db "$work/a.db" --listen 127.0.0.1:0 2>"$work/log" &
daemon=$!
trap 'pkill -9 -P "$daemon" || true; cleanup' EXIT # the daemon, and then strace
ready
"$bin/analytics" --server "$url" --api-key-file "$work/key" -q sites create a.de
for i in $(seq 50); do
  curl -s -o /dev/null -H 'Content-Type: application/json' "$url/api/event" \
    -d "{\"d\":\"a.de\",\"n\":\"pageview\",\"u\":\"https://a.de/$i\"}"
done
kill "$(pgrep -P "$daemon")"
wait "$daemon" || true
awk '
  /POST \/api\/even/ && /(read|recv)/ { waiting = 1; synced = 0 }
  waiting && /(fsync|fdatasync)\(.*a\.db-wal/ { synced = 1 }
  /HTTP\/1\.1 202/ { answers++; if (!synced) bad++; waiting = 0; synced = 0 }
  END { print answers " answers, " bad + 0 " before their sync"; exit !(answers == 50 && bad == 0) }
' "$work/trace"
