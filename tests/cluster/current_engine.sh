#!/bin/sh
# The tests of a cluster against a current engine of ClickHouse in place of Debian's, where npm can get
# it: 120 MB. Argument: the folder of the tests' programs.
set -eu
tests=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
skip() {
  echo "skipped: $1" >&2
  exit 77
}
command -v npm >/dev/null || skip "npm is missing"
work=$tests/current_engine
mkdir -p "$work"
if ! cmp -s "$here/package.json" "$work/package.json" || [ ! -d "$work/node_modules/chdb" ]; then
  (cd "$work" && rm -rf node_modules && cp "$here/package.json" . &&
    npm install --ignore-scripts --no-package-lock --no-audit --no-fund --silent) ||
    skip "the npm packages cannot be installed"
fi
cp "$here/current_engine.mjs" "$work/"
ANALYTICS_CLICKHOUSE="$(command -v node) $work/current_engine.mjs" exec "$tests/cluster_tests"
