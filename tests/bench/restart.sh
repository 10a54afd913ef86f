#!/bin/bash
# Measures restarts under load: the time from the start of the process to its bound socket and to
# the ready line, the time from SIGTERM to its end, and the results of the requests meanwhile.
# Argument: a database to start with; default: a new one. No figure is judged here.
set -euo pipefail
umask 077
cd "$(dirname "$0")/../.."
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics >&2
bin=build/release/bin
work=$(mktemp -d)
daemon=""
trap 'kill $daemon 2>/dev/null || true; rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then cp "$1" "$work/a.db"; fi
"$bin/analyticsd" keys create --init --account bench --db "$work/a.db" >"$work/key" 2>/dev/null
port=$((20000 + RANDOM % 20000))

now() { date +%s%N; }
ms() { echo $((($2 - $1) / 1000000)); }
start() { # prints the milliseconds to the bound socket and to the ready line
  : >"$work/log"
  local begun bound
  begun=$(now)
  "$bin/analyticsd" --db "$work/a.db" --listen "127.0.0.1:$port" 2>"$work/log" &
  daemon=$!
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do kill -0 "$daemon"; done
  bound=$(now)
  until grep -q '^listening' "$work/log"; do kill -0 "$daemon"; done
  started="$(ms "$begun" "$bound") $(ms "$begun" "$(now)")"
}

start
ANALYTICS_URL=http://127.0.0.1:$port ANALYTICS_API_KEY_FILE=$work/key "$bin/analytics" -q \
  sites create example.com --if-not-exists
echo "| restart | SIGTERM to exit, ms | start to bound, ms | start to ready, ms |"
echo "| ---: | ---: | ---: | ---: |"
for restart in 1 2 3 4 5; do
  SITES=1 MIX=warm wrk -t1 -c32 -d3s -s tests/bench/event.lua "http://127.0.0.1:$port" >"$work/wrk" &
  load=$!
  sleep 1 # of load
  begun=$(now)
  kill "$daemon"
  wait "$daemon"
  ended=$(ms "$begun" "$(now)")
  start
  echo "| $restart | $ended | ${started% *} | ${started#* } |"
  wait "$load" || true
done
kill "$daemon"
wait "$daemon"
daemon=""
