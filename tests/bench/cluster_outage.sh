#!/bin/bash
# Tests a node of a cluster while neither PostgreSQL nor ClickHouse is running: it must accept
# events and ship each of them once when both are back. Prints the number of events and the time.
# Exits with 1 if a number differs.
#
#   tests/bench/cluster_outage.sh [--short | MINUTES]
#
# Default: 60 minutes with 200 events a second. --short: ten seconds.
set -euo pipefail
umask 077 # key files
cd "$(dirname "$0")/../.."
seconds=3600
case ${1:-} in
  --short) seconds=10 ;;
  [1-9]*) seconds=$(($1 * 60)) ;;
  "") ;;
  *) echo "usage: tests/bench/cluster_outage.sh [--short | MINUTES]" >&2; exit 2 ;;
esac
. tests/bench/cluster_node.sh

for i in $(seq 200); do # a second's requests, on one connection
  [ "$i" -eq 1 ] || echo next
  cat <<CURL
url = "$ANALYTICS_URL/api/event"
header = "Content-Type: application/json"
header = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
header = "X-Forwarded-For: 192.0.2.$i"
data = "{\"domain\":\"demo.example\",\"name\":\"pageview\",\"url\":\"https://demo.example/$i\"}"
output = "/dev/null"
write-out = "%{http_code}\\n"
silent
CURL
done >"$work/requests"

kill -9 "$server" "$registry"
wait "$server" "$registry" 2>/dev/null || true
begun=$(date +%s)
while [ $(($(date +%s) - begun)) -lt $seconds ]; do
  curl -K "$work/requests" >>"$work/answers"
  sleep 1
done
health=$(curl -s "$ANALYTICS_URL/api/health")
accepted=$(grep -c '^202$' "$work/answers") || true
echo "$seconds s without PostgreSQL and ClickHouse: $(wc -l <"$work/answers") events sent, $accepted acknowledged"
echo "health meanwhile: $health"

begun=$(date +%s%N)
start_postgres
launch_clickhouse
until [ "$(by_hand 'SELECT count() FROM events WHERE site > 0' 2>/dev/null)" = "$accepted" ]; do
  if [ $(($(date +%s%N) - begun)) -gt 300000000000 ]; then
    echo "in ClickHouse after 300 s: $(by_hand 'SELECT count() FROM events WHERE site > 0')"
    exit 1
  fi
  sleep 0.1
done
echo "all of them are in ClickHouse $((($(date +%s%N) - begun) / 1000000)) ms after both were started again"
# Visits that continue are still sent, and a check counts those of the last minutes separately.
"$bin/analyticsd" cluster check --db "$work/a.db" --config "$work/settings.toml"
