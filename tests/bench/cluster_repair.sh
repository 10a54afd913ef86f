#!/bin/bash
# Measures how long it takes to restore events that ClickHouse has lost, all of them or a single
# one, and until a restored node continues as another node. Prints Markdown; times in ms. Exits with
# 1 if a number differs.
#
#   tests/bench/cluster_repair.sh [--short] [EVENTS]
#
# 2 million events take 5 minutes. --short: 20,000, in a minute.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
events=2000000
case ${1:-} in
  --short) events=20000 ;;
  [1-9]*) events=$1 ;;
  "") ;;
  *) echo "usage: tests/bench/cluster_repair.sh [--short] [EVENTS]" >&2; exit 2 ;;
esac
. tests/bench/cluster_node.sh

start_node() {
  "$bin/analyticsd" --db "$work/a.db" --config "$work/settings.toml" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  until grep -q '^listening' "$work/log"; do kill -0 $daemon || exit 1; sleep 0.05; done
  ANALYTICS_URL=$(sed -n 's/^listening on //p' "$work/log")
  until "$bin/analytics" -q sites get demo.example >/dev/null 2>&1; do sleep 0.1; done
}
stop_node() {
  kill "$daemon"
  wait "$daemon" || true
}
cluster() { "$bin/analyticsd" cluster "$@" --db "$work/a.db" --config "$work/settings.toml"; }
all_are_there() { # number of events
  until [ "$(by_hand 'SELECT count() FROM events WHERE site > 0')" -ge "$1" ]; do sleep 0.2; done
}
measure() { # name, command
  local begun name=$1
  shift
  begun=$(date +%s%N)
  "$@" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
  echo "| $name | $((($(date +%s%N) - begun) / 1000000)) |"
}
send() { # number, seed
  build/release/tests/generate_events "$1" 1 2.5 "$2" >"$work/events.ndjson"
  "$bin/analytics" -q replay "$work/events.ndjson" >/dev/null
}
send "$events" 1
all_are_there "$events"

echo "| $events events | ms |"
echo "| --- | --- |"
measure "check" cluster check
by_hand "ALTER TABLE events DELETE WHERE site > 0 AND id = $((events / 2))"
until [ "$(by_hand 'SELECT count() FROM events WHERE site > 0')" = $((events - 1)) ]; do sleep 0.2; done
measure "check --repair: one event was missing" cluster check --repair
for table in events visits; do by_hand "TRUNCATE TABLE $table"; done
measure "check --repair: all events and visits were missing" cluster check --repair

stop_node
cp "$work/a.db" "$work/backup.db"
start_node
send $((events / 100)) 2
all_are_there $((events + events / 100))
stop_node
cp "$work/backup.db" "$work/a.db"
start_node
send $((events / 100)) 3
stop_node
sleep 60 # the registry's lease, which adopt would wait for
measure "adopt" cluster adopt
start_node
all_are_there $((events + events / 100 + events / 100))
measure "check" cluster check
[ "$(by_hand 'SELECT count() - uniqExact(node, id) FROM events WHERE site > 0')" = 0 ]
