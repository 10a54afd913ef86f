#!/bin/bash
# Runs the benchmarks: wrk drives the real daemon (release) and a bare Beast server in alternation.
# Prints Markdown; with --json one flat JSON object. --short proves in seconds that it works; --full
# adds 10 and 50 million stored events (about 15 minutes, 3 GB). No figure is judged here.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
form=markdown seconds=3 connections="1 8 64 512" sites="1 100" mixes="warm cold"
bulk_events=1000000 size_events=500000 replay_events=500000 idle=10000 growth=""
for argument in "$@"; do
  case $argument in
    --json) form=json ;;
    --short)
      seconds=1 connections=64 sites=1 mixes=warm bulk_events=40000 size_events=20000 replay_events=20000 idle=500 ;;
    --full) growth="10 50" ;;
    *) echo "usage: tests/bench/run.sh [--json] [--short | --full]" >&2; exit 2 ;;
  esac
done
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics bare_beast sync_limit bulk_load idle_connections generate_events >&2
bin=build/release/bin tests=build/release/tests
work=$(mktemp -d)
daemon="" bare=""
trap 'kill $daemon $bare 2>/dev/null || true; rm -rf "$work"' EXIT

note() { printf '%s\t%s\n' "$1" "$2" >>"$work/figures"; } # name, number
start() {                                                 # a fresh file, or the one named
  db=$work/${1:-$RANDOM}/a.db
  [ -f "$db" ] || "$bin/analyticsd" keys create --init --account bench --db "$db" >"$work/key"
  : >"$work/log"
  begun=$(date +%s%N)
  "$bin/analyticsd" --db "$db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  until grep -q '^listening' "$work/log"; do
    kill -0 "$daemon"
    sleep 0.01
  done
  started_ms=$((($(date +%s%N) - begun) / 1000000))
  url=$(sed -n 's/^listening on //p' "$work/log")
  export ANALYTICS_URL=$url ANALYTICS_API_KEY_FILE=$work/key
}
stop() {
  kill "$daemon"
  wait "$daemon"
  daemon=""
}
provision() { # number of sites
  "$bin/analytics" -q sites create example.com --if-not-exists
  [ "$1" -eq 1 ] || for i in $(seq 0 $(($1 - 1))); do
    "$bin/analytics" -q sites create "site$i.example" --if-not-exists
  done
}
load() { # url connections sites mix -> rate p50 p99 p99.9 errors
  local threads=2
  [ "$2" -gt 1 ] || threads=1
  SITES=$3 MIX=$4 wrk -t$threads -c"$2" -d"${seconds}s" -s tests/bench/event.lua "$1" | sed -n 's/^result //p'
}
rss() { awk '/VmRSS/ {printf "%.1f", $2 / 1024}' "/proc/$daemon/status"; }
cpu_ms() { awk -v tick="$(getconf CLK_TCK)" '{print ($14 + $15) * 1000 / tick}' "/proc/$daemon/stat"; }
ratio() { awk "BEGIN {printf \"%.2f\", $1 / $2}"; }

"$tests/bare_beast" >"$work/bare" &
bare=$!
until [ -s "$work/bare" ]; do sleep 0.05; done
baseline=$(cat "$work/bare")

start
note "rss_idle_mib" "$(rss)"
started_cpu=$(cpu_ms)
note "start_cpu_ms" "$started_cpu"
sleep 5
note "idle_cpu_percent" "$(awk "BEGIN {print ($(cpu_ms) - $started_cpu) / 50}")"
provision 100
for c in $connections; do
  for s in $sites; do
    for mix in $mixes; do
      read -r base _ < <(load "$baseline" "$c" "$s" "$mix")
      read -r rate p50 p99 p999 errors < <(load "$url" "$c" "$s" "$mix")
      name="single.c$c.s$s.$mix"
      note "$name.rate" "$rate"
      note "$name.bare" "$base"
      note "$name.ratio" "$(ratio "$rate" "$base")"
      note "$name.p50_ms" "$p50"
      note "$name.p99_ms" "$p99"
      note "$name.p999_ms" "$p999"
      note "$name.errors" "$errors"
    done
  done
done
note "rss_loaded_mib" "$(rss)"
note "sync_limit" "$("$tests/sync_limit" "$work/sync" "$seconds")"
mkfifo "$work/hold"
"$tests/idle_connections" "${url##*:}" "$idle" <"$work/hold" >"$work/idle" &
exec 9>"$work/hold"
until grep -q open "$work/idle"; do sleep 0.05; done
load "$url" 64 1 warm >/dev/null
note "idle_connections" "$idle"
note "rss_idle_connections_mib" "$(rss)"
exec 9>&-
stop

start
provision 1
note "bulk_rate" "$("$tests/bulk_load" "$url" "$work/key" "$bulk_events" 5000 2 2.5)"
"$tests/bulk_load" "$url" "$work/key" "$bulk_events" 5000 2 2.5 >/dev/null &
bulk=$!
read -r rate _ p99 _ _ < <(load "$url" 8 1 warm)
wait "$bulk"
note "single_during_bulk.rate" "$rate"
note "single_during_bulk.p99_ms" "$p99"
note "rss_bulk_mib" "$(rss)"
stop

# In a replay, client and daemon share the machine. Parsing alone is compared with goaccess.
start
provision 1
"$bin/analytics" -q sites create demo.example --if-not-exists
"$tests/generate_events" "$replay_events" >"$work/events.ndjson"
head -n $((replay_events / 5)) "$work/events.ndjson" >"$work/single.ndjson"
export XDG_STATE_HOME=$work/state
replay_rate() { "$bin/analytics" replay -q -o json "$@" | sed 's/.*"rate":\([0-9.]*\).*/\1/'; }
note "replay.batches.rate" "$(replay_rate "$work/events.ndjson")"
single=$(replay_rate --batch off --import-id single --concurrency 64 "$work/single.ndjson")
read -r rate _ < <(load "$url" 64 1 warm)
note "replay.single.rate" "$single"
note "replay.single.of_wrk" "$(ratio "$single" "$rate")"
awk -v lines="$replay_events" 'BEGIN { for (i = 0; i < lines; i++)
  printf "192.0.%d.%d - - [17/May/2026:%02d:%02d:%02d +0000] \"GET /page/%d HTTP/1.1\" 200 %d \"https://www.google.com/\" \"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0\"\n",
    i % 250, i % 199, i / 3600 % 24, i / 60 % 60, i % 60, i % 1000, i }' >"$work/access.log"
begun=$(date +%s%N)
"$bin/analytics" replay -q --dry-run --site example.com "$work/access.log" >/dev/null
note "replay.parse.lines_s" "$((replay_events * 1000000000 / ($(date +%s%N) - begun)))"
begun=$(date +%s%N)
goaccess "$work/access.log" --log-format=COMBINED --no-progress -o "$work/report.json" >/dev/null 2>&1
note "goaccess.parse.lines_s" "$((replay_events * 1000000000 / ($(date +%s%N) - begun)))"
stop

for visit in 2.5 40; do
  start
  provision 1
  "$tests/bulk_load" "$url" "$work/key" "$size_events" 5000 2 "$visit" >/dev/null
  stop
  events=$(sqlite3 -readonly "$db" 'SELECT count(*) FROM events')
  note "bytes_an_event.visit_$visit" "$(awk "BEGIN {printf \"%.1f\", $(stat -c %s "$db") / $events}")"
done

if [ -n "$growth" ]; then
  start grown
  provision 1
  read -r rate _ < <(load "$url" 64 1 warm)
  note "growth.0.rate" "$rate"
  stored=0
  for millions in $growth; do
    "$tests/bulk_load" "$url" "$work/key" $(((millions - stored) * 1000000)) 5000 2 2.5 >/dev/null
    stored=$millions
    read -r rate _ < <(load "$url" 64 1 warm)
    note "growth.$millions.rate" "$rate"
  done
  stop
  note "growth.file_bytes" "$(stat -c %s "$db")"
  start grown
  note "growth.start_ms" "$started_ms"
  kill -9 "$daemon"
  wait "$daemon" 2>/dev/null || true
  start grown
  note "growth.start_after_kill_ms" "$started_ms"
  stop
fi

if [ "$form" = json ]; then
  awk -F'\t' 'BEGIN {printf "{"} {printf "%s\"%s\": %s", NR > 1 ? ", " : "", $1, $2} END {print "}"}' "$work/figures"
  exit 0
fi
echo "| connections | sites | mix | durable events/s | bare Beast/s | ratio | p50 ms | p99 ms | p99.9 ms |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
awk -F'\t' '$1 ~ /^single\.c/ {
  split($1, part, "."); key = part[2] "." part[3] "." part[4]; value[key, part[5]] = $2
  if (!(key in seen)) { seen[key] = 1; order[++n] = key }
} END {
  for (i = 1; i <= n; i++) {
    split(order[i], part, "."); k = order[i]
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", substr(part[1], 2), substr(part[2], 2), part[3],
      value[k, "rate"], value[k, "bare"], value[k, "ratio"], value[k, "p50_ms"], value[k, "p99_ms"], value[k, "p999_ms"]
  }
}' "$work/figures"
printf '\n| figure | |\n| --- | --- |\n'
awk -F'\t' '$1 !~ /^single\.c/ {print "| " $1 " | " $2 " |"}' "$work/figures"
