#!/bin/bash
# Measures shipping to ClickHouse: the intake of a node alone and while it ships, in alternation;
# how fast it catches up; and how late it is under load. Server and node share this machine's cores.
# Prints Markdown. Argument: --short proves in seconds that it works. No figure is judged here.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
rounds=3 seconds=10 events=1000000
case ${1:-} in
  --short) rounds=1 seconds=1 events=40000 ;;
  "") ;;
  *) echo "usage: tests/bench/cluster.sh [--short]" >&2; exit 2 ;;
esac
command -v clickhouse-server >/dev/null || { echo "clickhouse-server is missing" >&2; exit 77; }
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics generate_events >&2
bin=$PWD/build/release/bin
work=$(mktemp -d)
server="" daemon="" sampler=""
trap 'kill $daemon $server $sampler 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state

. tests/bench/clickhouse.sh
start_clickhouse 28123 28223 28323
ask() { curl -sf --data-binary "$1" "http://127.0.0.1:$port/"; }

start() { # folder, with or without [cluster]
  mkdir -p "$1"
  db=$1/a.db
  [ -f "$db" ] || "$bin/analyticsd" keys create --init --account bench --db "$db" >"$1/key" 2>/dev/null
  : >"$1/settings.toml"
  if [ "$2" = ships ]; then
    printf '[cluster]\nevents = "http://127.0.0.1:%s/%s"\n' "$port" "$3" >"$1/settings.toml"
    ask "CREATE DATABASE IF NOT EXISTS $3"
  fi
  : >"$work/log"
  "$bin/analyticsd" --db "$db" --config "$1/settings.toml" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  until grep -q '^listening' "$work/log"; do sleep 0.01; done
  ANALYTICS_URL=$(sed -n 's/^listening on //p' "$work/log")
  export ANALYTICS_URL ANALYTICS_API_KEY_FILE=$1/key
}
stop() {
  kill "$daemon"
  wait "$daemon"
  daemon=""
}
load() {
  SITES=1 MIX=warm wrk -t2 -c64 -d"${seconds}s" -s tests/bench/event.lua "$ANALYTICS_URL" |
    sed -n 's/^result //p' | cut -d' ' -f1
}
lag() { # samples until it is killed
  while sleep 0.2; do "$bin/analyticsd" cluster status -o json --db "$db" 2>/dev/null | sed -n 's/.*"lag_seconds": *\([0-9.]*\).*/\1/p'; done
}
unshipped() { "$bin/analyticsd" cluster status -o json --db "$db" 2>/dev/null | sed -n 's/.*"unshipped_events": *\([0-9]*\).*/\1/p'; }

echo "| round | alone, events/s | shipping, events/s | ratio | lag p99, s |"
echo "| --- | --- | --- | --- | --- |"
for round in $(seq $rounds); do
  start "$work/alone$round" alone
  "$bin/analytics" -q sites create example.com --if-not-exists
  alone=$(load)
  stop
  start "$work/ships$round" ships "bench$round"
  "$bin/analytics" -q sites create example.com --if-not-exists
  lag >"$work/lag" &
  sampler=$!
  ships=$(load)
  kill $sampler
  wait $sampler 2>/dev/null || true
  sampler=""
  until [ "$(unshipped)" = 0 ]; do sleep 0.2; done
  stop
  p99=$(sort -n "$work/lag" | awk '{ all[NR] = $1 } END { print all[int(NR * 0.99 + 0.5)] }')
  awk "BEGIN { printf \"| $round | %.0f | %.0f | %.2f | $p99 |\n\", $alone, $ships, $ships / $alone }"
done

# Ships all events of a file that is already full.
build/release/tests/generate_events "$events" >"$work/events.ndjson"
start "$work/full" ships full
"$bin/analytics" -q sites create demo.example
kill -STOP $server
"$bin/analytics" -q replay "$work/events.ndjson" >/dev/null
begun=$(date +%s%N)
kill -CONT $server
until [ "$(ask 'SELECT count() FROM full.events WHERE site > 0')" = "$events" ]; do sleep 0.05; done
awk "BEGIN { printf \"\n%d events that waited, and their visits: %.0f events/s\n\", $events, $events * 1e9 / ($(date +%s%N) - $begun) }"
stop
