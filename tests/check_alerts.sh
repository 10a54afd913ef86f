#!/bin/sh
# The alerts for Prometheus are well-formed, fire when they should and not otherwise, and name
# metrics that the daemon has.
set -eu
cd "$(dirname "$0")/.."
alerts=daemon/packaging/examples/prometheus-alerts.yml
bad=0
metrics=$(grep -oE 'analytics_[a-z_]+' "$alerts" | sort -u)
for metric in $metrics; do
  if ! grep -q "\"$metric\"" daemon/metrics/metrics.cpp; then
    echo "$alerts names the metric $metric, which does not exist" >&2
    bad=1
  fi
done
if ! command -v promtool >/dev/null; then
  [ "${ANALYTICS_NO_SKIP:-}" = 1 ] && bad=1
  echo "skipped: promtool (Debian package prometheus) is not there" >&2
  [ "$bad" = 0 ] && exit 77
  exit 1
fi
promtool check rules "$alerts" || bad=1
promtool test rules tests/data/alerts.yml || bad=1
exit "$bad"
