#!/usr/bin/env bash
# Makes each sync of a short run fail once. The daemon must then give no answer and exit with 1, and
# the next start must have everything that was acknowledged. Needs strace. Arguments: the folder of
# the binaries, the number of syncs (12).
set -euo pipefail
# shellcheck source=tests/crash/daemon.sh
. "$(dirname "$0")/daemon.sh"
syncs=${2:-12}
run=0
ended=0
while [ "$run" -lt "$syncs" ]; do
  run=$((run + 1))
  rm -rf "$work/data" "$work/key"
  "$bin/analyticsd" keys create --init --account test --db "$work/data/a.db" --out "$work/key"
  : >"$work/log" # removes the previous daemon's line
  "$bin/analyticsd" --db "$work/data/a.db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  ready
  "$bin/analytics" --server "$url" --api-key-file "$work/key" -q sites create a.de
  kill "$daemon"
  wait "$daemon"
  : >"$work/log"
  strace -f -o /dev/null -e trace=fsync,fdatasync -e "inject=fsync,fdatasync:error=EIO:when=$run+" \
    "$bin/analyticsd" --db "$work/data/a.db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  ready || { daemon=""; continue; } # a sync of the start failed, so the daemon does not listen
  acknowledged=0
  for i in $(seq 12); do
    case $(send "/$i") in
      202) acknowledged=$i ;;
      000) break ;;
      *) fail "sync $run: answered after a failed sync" ;;
    esac
  done
  code=0
  wait "$daemon" || code=$?
  daemon=""
  if [ "$acknowledged" -lt 12 ]; then
    [ "$code" = 1 ] || fail "sync $run: exit $code"
    ended=$((ended + 1))
  fi
  : >"$work/log" # removes the previous daemon's line
  "$bin/analyticsd" --db "$work/data/a.db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  ready
  [ "$(send /again)" = 202 ] || fail "sync $run: the restart does not store"
  for i in $(seq "$acknowledged"); do
    found=$(sqlite3 -readonly "$work/data/a.db" "SELECT count(*) FROM event_text WHERE path = '/$i'")
    [ "$found" = 1 ] || fail "sync $run: /$i was acknowledged, $found are there"
  done
  kill "$daemon"
  wait "$daemon"
  daemon=""
done
[ "$ended" -gt 3 ] || fail "only $ended runs met a failed sync"
echo "$ended of $syncs runs ended by a failed sync, nothing acknowledged lost"
