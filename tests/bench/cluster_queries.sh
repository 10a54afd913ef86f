#!/bin/bash
# Measures queries that a node of a cluster answers from ClickHouse, and the same counts in SQL by
# hand, in alternation. The SQL counts all events, or those up to the node's mark, as the node does.
# Also measures a whole page of panels. Servers and node share this machine's cores. Prints
# Markdown; times are medians in ms. No figure is judged here.
#
#   tests/bench/cluster_queries.sh [--short] [EVENTS]
#
# 2 million events take 5 minutes. --short: 20,000, once, in seconds.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
events=2000000 times=7
case ${1:-} in
  --short) events=20000 times=1 ;;
  [1-9]*) events=$1 ;;
  "") ;;
  *) echo "usage: tests/bench/cluster_queries.sh [--short] [EVENTS]" >&2; exit 2 ;;
esac
. tests/bench/cluster_node.sh
link=$("$bin/analytics" links ensure --site demo.example bench)
link=${link#* }
build/release/tests/generate_events "$events" >"$work/events.ndjson"
"$bin/analytics" -q replay "$work/events.ndjson" >/dev/null
through_us() { # members of a query
  curl -sf -H "Authorization: Bearer $(cat "$work/key")" -H 'Content-Type: application/json' \
    -d "{\"site_id\":\"demo.example\",\"date_range\":[\"2026-10-01\",\"2026-10-30\"],$1}" "$ANALYTICS_URL/api/v2/query"
}
until through_us '"metrics":["events"]' | grep -q "\"metrics\":\[$events\]"; do sleep 0.5; done

ms() { # command: prints how long it takes
  local begun
  begun=$(date +%s%N)
  "$@" >/dev/null
  echo $((($(date +%s%N) - begun) / 1000000))
}
median() { sort -n "$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
compare() { # name, members of a query, SQL
  : >"$work/us"
  : >"$work/sql"
  : >"$work/marked"
  for _ in $(seq $times); do
    ms by_hand "$3" >>"$work/sql"
    ms by_hand "${3//"$where"/"$where AND $mark"}" >>"$work/marked"
    ms through_us "$2" >>"$work/us"
  done
  awk -v us="$(median "$work/us")" -v sql="$(median "$work/sql")" -v marked="$(median "$work/marked")" \
    "BEGIN { printf \"| $1 | %d | %d | %d | %.2f | %.2f |\n\", us, sql, marked, us / sql, us / marked }"
}
mark=$(by_hand "SELECT concat('((node = ', toString(node), ' AND id <= ', toString(max(event)), '))') FROM marks GROUP BY node")
where="site = 1 AND day >= '2026-10-01' AND day <= '2026-10-30' AND name != 'engagement'"
visits="ANY LEFT JOIN (SELECT node, visit, argMax(source, version) AS source, argMax(pageviews, version) < 2 AS bounce,
  intDiv(argMax(ended, version) - argMax(started, version), 1000) AS seconds FROM visits WHERE site = 1 GROUP BY node, visit) USING (node, visit)"
echo "| query, $events events | through us | by hand | by hand, up to the mark | ratio | ratio |"
echo "| --- | --- | --- | --- | --- | --- |"
compare "visitors, pageviews" '"metrics":["visitors","pageviews"]' \
  "SELECT uniqExact(visitor), countIf(name = 'pageview') FROM events WHERE $where"
compare "visitors by day" '"metrics":["visitors"],"dimensions":["time:day"]' \
  "SELECT day, uniqExact(visitor) FROM events WHERE $where GROUP BY day"
compare "pages" '"metrics":["visitors","pageviews"],"dimensions":["event:page"]' \
  "SELECT path, uniqExact(visitor), countIf(name = 'pageview') FROM events WHERE $where GROUP BY path"
compare "sources" '"metrics":["visitors"],"dimensions":["visit:source"]' \
  "SELECT source, uniqExact(visitor) FROM events $visits WHERE $where GROUP BY source"
compare "five totals" '"metrics":["visitors","visits","pageviews","bounce_rate","visit_duration"]' \
  "SELECT uniqExact(visitor), count(), sum(pages), avg(bounce), avg(seconds) FROM (SELECT visitor, node, visit,
    countIf(name = 'pageview') AS pages, any(bounce) AS bounce, any(seconds) AS seconds FROM events $visits
    WHERE $where GROUP BY visitor, node, visit)"
: >"$work/us"
page() { curl -sf "$link&from=2026-10-01&to=2026-10-30"; }
for _ in $(seq $times); do ms page >>"$work/us"; done
echo "| the shared page, whole: totals, days, ten panels | $(median "$work/us") | | | | |"
