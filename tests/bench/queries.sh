#!/bin/bash
# Measures queries on one site with 30 days of events, on the real daemon (release): while the
# events are rows, after the days have copies in columns, and after they are sealed. Compares with
# sqlite3 counting the rows of the range and with plain loops over arrays in C++. Also prints bytes
# per event, the rate of sealing, and the intake rate meanwhile. Prints Markdown; times are medians
# in ms. Nothing is judged.
#
#   tests/bench/queries.sh [--short] [--pages N] [EVENTS ...]
#
# Without numbers of events: 1 and 10 million (30 minutes). 100000000 takes some hours and 20 GB.
# --short: 20,000 events, in a minute. Pages: 8,000.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
sizes="" pages=8000 seconds=10
while [ $# -gt 0 ]; do
  case $1 in
    --short) sizes=20000 seconds=1 ;;
    --pages) pages=$2 && shift ;;
    [1-9]*) sizes="$sizes $1" ;;
    *) echo "usage: tests/bench/queries.sh [--short] [--pages N] [EVENTS ...]" >&2 && exit 2 ;;
  esac
  shift
done
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics generate_events plain_scan >&2
bin=build/release/bin tests=build/release/tests
work=$(mktemp -d)
daemon=""
trap 'kill $daemon 2>/dev/null || true; rm -rf "$work"' EXIT
range='"date_range":["2026-10-01","2026-10-30"]'
export ANALYTICS_API_KEY_FILE=$work/key XDG_STATE_HOME=$work/state

. tests/bench/daemon.sh
wait_for() { # what must be 0
  until [ "$(sqlite3 -readonly "$db" "SELECT $1")" = 0 ]; do sleep 1; done
}
note() { printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$work/figures"; } # row, column, figure
median() { sort -n | awk '{all[NR] = $1} END {printf "%.0f", 1000 * all[int((NR + 1) / 2)]}'; }
get() { # times, column, row, arguments of curl
  local times=$1 column=$2 row=$3
  shift 3
  for _ in $(seq "$times"); do
    curl -sf -o /dev/null -w '%{time_total}\n' "$@" || echo 99
  done | median >"$work/ms"
  note "$row" "$column" "$(cat "$work/ms")"
}
ask() { # row, members of a query besides site and range
  get "$times" "$state" "$1" -H "Authorization: Bearer $(cat "$work/key")" -H 'Content-Type: application/json' \
    -d "{\"site_id\":\"demo.example\",$range,$2}" "$ANALYTICS_URL/api/v2/query"
}
panel() { ask "$1" "\"metrics\":[\"visitors\"],\"dimensions\":[\"$2\"]"; }
queries() { # state, times
  state=$1 times=$2
  ask "visitors, pageviews" '"metrics":["visitors","pageviews"]'
  ask "six totals" '"metrics":["visitors","visits","pageviews","views_per_visit","bounce_rate","visit_duration"]'
  ask "visitors by day" '"metrics":["visitors"],"dimensions":["time:day"]'
  panel sources visit:source
  panel campaigns visit:utm_campaign
  ask "pages" '"metrics":["visitors","pageviews"],"dimensions":["event:page"]'
  panel "entry pages" visit:entry_page
  panel countries visit:country
  panel browsers visit:browser
  panel goals event:goal
  panel "a property" event:props:plan
  ask "pages and sources" '"metrics":["visitors"],"dimensions":["event:page","visit:source"]'
  ask "pages with bounce rate, where the source is Google" \
    '"metrics":["visitors","bounce_rate"],"dimensions":["event:page"],"filters":[["is","visit:source",["Google"]]]'
  ask "visitors of visits that signed up" '"metrics":["visitors"],"filters":[["has_done",["is","event:name",["Signup"]]]]'
  get "$times" "$state" "the shared page, whole" "$link&from=2026-10-01&to=2026-10-30"
  get "$times" "$state" "the same by a link limited to /blog/**" "$limited&from=2026-10-01&to=2026-10-30"
  get "$times" "$state" "the shared page of today, where nothing is" "$link&period=day"
  note "resident memory, MiB" "$state" "$(awk '/VmRSS/ {printf "%.0f", $2 / 1024}' "/proc/$daemon/status")"
  note "file, bytes per event" "$state" "$(awk "BEGIN {printf \"%.1f\", $(stat -c %s "$db") / $size}")"
}
intake() { # column
  local rate p99
  read -r rate _ p99 _ _ < <(wrk -t2 -c64 -d"${seconds}s" -s tests/bench/event.lua "$ANALYTICS_URL" | sed -n 's/^result //p')
  note "single events per second, 64 connections" "$1" "$rate"
  note "their p99, ms" "$1" "$p99"
}

for size in ${sizes:-1000000 10000000}; do
  : >"$work/figures"
  db=$work/$size/a.db
  "$bin/analyticsd" keys create --init --account bench --db "$db" >"$work/key"
  start
  "$bin/analytics" -q sites create demo.example
  "$bin/analytics" -q sites create example.com
  "$bin/analytics" -q goals ensure --site demo.example --event Signup
  "$tests/generate_events" "$size" 1 2.5 1 "$pages" | "$bin/analytics" -q replay - --source "$size" >&2
  link=$("$bin/analytics" links ensure --site demo.example x | awk '{print $NF}')
  path=${link#*//*/}
  limited=$("$bin/analytics" links ensure --site demo.example blog --filter 'page==/blog/**' | awk '{print $NF}')
  limited_path=${limited#*//*/}
  stop

  # Days that wait for copies or have them are put aside until the rows are measured.
  sqlite3 "$db" "ATTACH '$work/held.db' AS held; CREATE TABLE held.days AS SELECT * FROM part_days;
    INSERT INTO held.days SELECT DISTINCT site, day FROM parts; DELETE FROM part_days; UPDATE parts SET state = 2"
  for _ in 1 2 3; do
    bash -c "TIMEFORMAT=%R; time sqlite3 -readonly '$db' \"SELECT count(*) FROM events WHERE site = 1
      AND time >= 1790812800 AND time < 1793404800\" >/dev/null" 2>&1
  done | median >"$work/ms"
  note 'sqlite3: count(\*) of the range' rows "$(cat "$work/ms")"
  start
  link=$ANALYTICS_URL/$path limited=$ANALYTICS_URL/$limited_path
  queries rows "$([ "$size" -gt 1000000 ] && echo 1 || echo 3)"
  stop
  sqlite3 "$db" "ATTACH '$work/held.db' AS held; INSERT OR IGNORE INTO part_days SELECT * FROM held.days; DROP TABLE held.days"

  if [ "$size" -ge 1000000 ]; then # days with fewer events get no copies in columns
    start
    link=$ANALYTICS_URL/$path limited=$ANALYTICS_URL/$limited_path
    echo "waiting for copies: a minute, and some seconds per million events" >&2
    wait_for "count(*) FROM part_days"
    queries copies 5
    stop
  fi

  # Without salts the days can be sealed, as two days later.
  sqlite3 "$db" "DELETE FROM salts"
  mkdir "$work/live"
  cp "$db" "$work/live/a.db"
  begun=$(date +%s%N)
  "$bin/analyticsd" compact --db "$db" >&2
  note "sealing alone (compact), events per second" sealed "$((size * 1000000000 / ($(date +%s%N) - begun)))"
  start
  link=$ANALYTICS_URL/$path limited=$ANALYTICS_URL/$limited_path
  queries sealed 5
  stop
  rm -rf "${db%/*}"

  if [ "$size" -ge 1000000 ]; then # days with fewer events wait for further days
    db=$work/live/a.db
    start
    intake rows # sealing has begun
    wait_for "(SELECT count(*) FROM sealing) + (SELECT count(*) FROM unsealed_days WHERE site = 1)"
    intake sealed
    stop
  fi
  rm -rf "$work/live"

  printf '\n| %s events, %s pages, ms | as rows | with copies | sealed |\n| --- | --- | --- | --- |\n' "$size" "$pages"
  awk -F'\t' '!($1 in seen) {seen[$1] = 1; order[++n] = $1} {value[$1, $2] = $3}
    END {for (i = 1; i <= n; i++) printf "| %s | %s | %s | %s |\n", order[i], value[order[i], "rows"], value[order[i], "copies"], value[order[i], "sealed"]}' \
    "$work/figures"
  printf '\n| one loop over arrays of 32 bits in memory | ms |\n| --- | --- |\n'
  "$tests/plain_scan" "$size" "$pages"
done
