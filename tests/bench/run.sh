#!/bin/sh
# Durable single events beside a bare Beast server, in alternation in one run; bytes an event, memory.
# Argument: seconds a round (5). Needs wrk; builds the release preset. Figures are for people.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-5}
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics bare_beast
bin=build/release/bin
work=$(mktemp -d)
trap 'kill $daemon $bare 2>/dev/null || true; rm -rf "$work"' EXIT

build/release/tests/bare_beast >"$work/bare" &
bare=$!
"$bin/analyticsd" keys create --account bench --db "$work/a.db" >"$work/key"
"$bin/analyticsd" --db "$work/a.db" --listen 127.0.0.1:0 2>"$work/log" &
daemon=$!
until [ -s "$work/bare" ] && grep -q '^listening' "$work/log"; do
  kill -0 "$bare" && kill -0 "$daemon"
  sleep 0.1
done
url=$(sed -n 's/^listening on //p' "$work/log")
baseline=$(cat "$work/bare")
"$bin/analytics" --server "$url" --api-key-file "$work/key" -q sites create example.com
rss() { awk '/VmRSS/ {print int($2 / 1024)}' "/proc/$daemon/status"; }
idle=$(rss)

rate() {  # url connections
  wrk -t2 -c"$2" -d"${seconds}s" --latency -s tests/bench/event.lua "$1" >"$work/wrk"
  awk '/Requests\/sec/ {print int($2)}' "$work/wrk"
}
echo "| connections | durable events/s | bare Beast/s | ratio | p99 |"
echo "| --- | --- | --- | --- | --- |"
for connections in 8 64 512; do
  b=$(rate "$baseline" "$connections")
  d=$(rate "$url" "$connections")
  p99=$(awk '$1 == "99%" {print $2}' "$work/wrk")
  echo "| $connections | $d | $b | $(awk "BEGIN {printf \"%.2f\", $d / $b}") | $p99 |"
done
loaded=$(rss)
kill "$daemon"
wait "$daemon"
events=$(sqlite3 -readonly "$work/a.db" 'SELECT count(*) FROM events')
bytes=$(stat -c %s "$work/a.db")
echo "RSS: $idle MiB idle, $loaded MiB loaded; $(awk "BEGIN {printf \"%.1f\", $bytes / $events}") bytes an event over $events events"
