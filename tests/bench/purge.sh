#!/bin/bash
# Measures the delay of an event while 23 of 30 days of a large site are removed, alone or for daily
# totals. Events are sent one after another; the first row has no other work. Prints Markdown;
# nothing is judged.
#
#   tests/bench/purge.sh [--short] [EVENTS]
#
# Default: 5 million events of 8,000 pages; --short: 20,000, in a minute. A disk has stalls of its
# own, also when idle: with TMPDIR=/dev/shm only those of the daemon are measured.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
size=5000000 seconds=20
while [ $# -gt 0 ]; do
  case $1 in
    --short) size=20000 seconds=3 ;;
    [1-9]*) size=$1 ;;
    *) echo "usage: tests/bench/purge.sh [--short] [EVENTS]" >&2 && exit 2 ;;
  esac
  shift
done
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics generate_events >&2
bin=build/release/bin
work=$(mktemp -d)
daemon=""
trap 'kill $daemon 2>/dev/null || true; rm -rf "$work"' EXIT
export ANALYTICS_API_KEY_FILE=$work/key XDG_STATE_HOME=$work/state
kept=$((($(date +%s) - $(date -ud 2026-10-24 +%s)) / 86400)) # days, including that day

. tests/bench/daemon.sh
ask() { sqlite3 -readonly -cmd '.timeout 5000' "$db" "SELECT $1"; }
events() { # name of the row, seconds
  wrk -t1 -c1 -d"$2s" --latency -s tests/bench/event.lua "$ANALYTICS_URL" |
    awk -v row="$1" '$1 == "Latency" && NF > 4 { most = $4 } $1 == "99%" { p99 = $2 }
      END { print "| " row " | " p99 " | " most " |" }'
}

db=$work/full/a.db
"$bin/analyticsd" keys create --init --account bench --db "$db" >"$work/key"
start
"$bin/analytics" -q sites create demo.example
"$bin/analytics" -q sites create example.com
build/release/tests/generate_events "$size" 1 2.5 1 8000 | "$bin/analytics" -q replay - --source purge >&2
stop
sqlite3 "$db" "DELETE FROM salts" # as if two days had gone by
"$bin/analyticsd" compact --db "$db" >&2
echo "| one event after another | p99 | longest |"
echo "| --- | ---: | ---: |"
start
events "nothing else" "$seconds"
stop
for totals in no yes; do
  mkdir "$work/$totals"
  cp "$work/full/a.db" "$work/$totals/a.db"
  db=$work/$totals/a.db
  sync -f "$db"
  start
  "$bin/analytics" -q sites update demo.example --keep "${kept}d" --keep-totals "$totals" --confirm demo.example
  stop
  sqlite3 "$db" "UPDATE sites SET keep_at = keep_at - 200000"
  before=$(stat -c %s "$db")
  begun=$(date +%s%N)
  start
  events "$size events, daily totals: $totals" "$((3 * seconds))" >"$work/row" &
  load=$!
  until [ "$(ask "first_event_at >= unixepoch('2026-10-24') FROM sites WHERE domain = 'demo.example'")" = 1 ]; do
    sleep 0.1
  done
  echo "daily totals $totals: $((($(date +%s%N) - begun) / 1000000)) ms until the days had left" >&2
  wait "$load"
  cat "$work/row"
  echo "the file had $before bytes, and has $(stat -c %s "$db");" \
    "$(ask "coalesce(sum(length(data)), 0) FROM daily_totals") are totals" >&2
  stop
done
