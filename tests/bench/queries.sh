#!/bin/bash
# How long queries take on one site of 1 and 10 million events in 30 days (about 8 minutes; --short:
# 20,000, which stay rows), by the real daemon (release), beside sqlite3 counting the rows of the same
# range. Waits until the days have been copied into columns. Prints Markdown: the median of five. No
# figure is judged here.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
sizes="1000000 10000000"
[ "${1:-}" != --short ] || sizes=20000
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics generate_events >&2
bin=build/release/bin
work=$(mktemp -d)
daemon=""
trap 'kill $daemon 2>/dev/null || true; rm -rf "$work"' EXIT
range='"date_range":["2026-10-01","2026-10-30"]'
key=""

median() { sort -n | awk '{all[NR] = $1} END {printf "%.0f", 1000 * all[int((NR + 1) / 2)]}'; }
ask() { # name, members of a query besides site and range
  for _ in 1 2 3 4 5; do
    curl -sf -o /dev/null -w '%{time_total}\n' -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
      -d "{\"site_id\":\"demo.example\",$range,$2}" "$ANALYTICS_URL/api/v2/query" || echo 99
  done | median >"$work/ms"
  printf '| %s | %s |\n' "$1" "$(cat "$work/ms")"
}
panel() { ask "$1" "\"metrics\":[\"visitors\"],\"dimensions\":[\"$2\"]"; }

for size in $sizes; do
  db=$work/$size/a.db
  "$bin/analyticsd" keys create --account bench --db "$db" >"$work/key"
  key=$(cat "$work/key")
  "$bin/analyticsd" --db "$db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  until grep -q '^listening' "$work/log"; do
    kill -0 "$daemon"
    sleep 0.01
  done
  ANALYTICS_URL=$(sed -n 's/^listening on //p' "$work/log")
  export ANALYTICS_URL ANALYTICS_API_KEY_FILE=$work/key XDG_STATE_HOME=$work/state
  "$bin/analytics" -q sites create demo.example
  "$bin/analytics" -q goals ensure --site demo.example --event Signup
  build/release/tests/generate_events "$size" | "$bin/analytics" -q replay - --source "$size" >&2
  link=$("$bin/analytics" links ensure --site demo.example x | awk '{print $NF}')
  copied() { sqlite3 -readonly "$db" "SELECT coalesce(sum(events), 0) FROM parts WHERE state = 1"; }
  if [ "$size" -ge 1000000 ]; then
    echo "waiting for columns: a minute, and a second per million events" >&2
    for _ in $(seq 300); do
      [ "$(copied)" != "$size" ] || break
      sleep 1
    done
  fi
  printf '\n| %s events, %s of them as columns | ms |\n| --- | --- |\n' "$size" "$(copied)"
  for _ in 1 2 3 4 5; do
    /usr/bin/env bash -c "TIMEFORMAT=%R; time sqlite3 -readonly '$db' \"SELECT count(*) FROM events WHERE site = 1
      AND time >= 1790812800 AND time < 1793404800\" >/dev/null" 2>&1
  done | median >"$work/ms"
  printf '| sqlite3: count(\\*) of the range | %s |\n' "$(cat "$work/ms")"
  ask "visitors, pageviews" '"metrics":["visitors","pageviews"]'
  ask "all totals" '"metrics":["visitors","visits","pageviews","views_per_visit","bounce_rate","visit_duration"]'
  ask "visitors by day" '"metrics":["visitors"],"dimensions":["time:day"]'
  panel sources visit:source
  panel channels visit:channel
  panel campaigns visit:utm_campaign
  panel pages event:page
  panel "entry pages" visit:entry_page
  panel countries visit:country
  panel browsers visit:browser
  panel goals event:goal
  panel "a property" event:props:plan
  ask "pages with bounce rate, where the source is Google" \
    '"metrics":["visitors","bounce_rate"],"dimensions":["event:page"],"filters":[["is","visit:source",["Google"]]]'
  ask "visitors of visits that signed up" '"metrics":["visitors"],"filters":[["has_done",["is","event:name",["Signup"]]]]'
  for _ in 1 2 3; do
    curl -sf -o /dev/null -w '%{time_total}\n' "$link&from=2026-10-01&to=2026-10-30"
  done | median >"$work/ms"
  printf '| the shared page, whole | %s |\n' "$(cat "$work/ms")"
  for _ in 1 2 3; do
    curl -sf -o /dev/null -w '%{time_total}\n' "$link&period=day"
  done | median >"$work/ms"
  printf '| the shared page of today, where nothing is | %s |\n' "$(cat "$work/ms")"
  printf '| resident memory after all, MiB | %s |\n' "$(awk '/VmRSS/ {printf "%.0f", $2 / 1024}' "/proc/$daemon/status")"
  kill "$daemon"
  wait "$daemon"
  daemon=""
  rm -rf "${db%/*}"
done
