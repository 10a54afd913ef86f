#!/bin/sh
# Checks that the alerts for Prometheus are well-formed and fire exactly when they should, that
# every expression of the Grafana dashboard can be parsed, and that both use only existing metrics.
set -eu
cd "$(dirname "$0")/.."
alerts=daemon/packaging/examples/prometheus-alerts.yml
dashboard=daemon/packaging/examples/grafana.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
for file in "$alerts" "$dashboard"; do
  grep -oE '(analytics|process)_[a-z_]+[{ \[)]' "$file" | sed 's/.$//' | sort -u >"$work/metrics"
  while read -r metric; do
    name=$(echo "$metric" | sed 's/_bucket$//; s/_sum$//; s/_count$//')
    if ! grep -qE "\"($metric|$name)\"" daemon/metrics/metrics.cpp; then
      echo "$file names the metric $metric, which does not exist" >&2
      bad=1
    fi
  done <"$work/metrics"
done
if ! command -v promtool >/dev/null; then
  [ "${ANALYTICS_NO_SKIP:-}" = 1 ] && bad=1
  echo "skipped: promtool (Debian package prometheus) is not there" >&2
  [ "$bad" = 0 ] && exit 77
  exit 1
fi
promtool check rules "$alerts" || bad=1
promtool test rules tests/data/alerts.yml || bad=1

# Reads the dashboard's expressions as rules, with a time in place of Grafana's variable.
{
  echo 'groups: [{name: dashboard, rules: ['
  sqlite3 :memory: "SELECT '{record: panel, expr: ' || json_quote(replace(value, '\$__rate_interval', '5m')) || '},'
    FROM json_tree(CAST(readfile('$dashboard') AS TEXT)) WHERE key = 'expr'"
  echo ']}]'
} >"$work/rules.yml"
[ "$(grep -c 'record: panel' "$work/rules.yml")" -ge 20 ] || bad=1
promtool check rules --lint=none "$work/rules.yml" || bad=1
exit "$bad"
