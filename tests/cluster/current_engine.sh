#!/bin/sh
# Runs the single-node tests against a current ClickHouse instead of Debian's, if npm can get it
# (120 MB). Arguments: the folder of the tests' programs; "install" only gets the engine.
set -eu
tests=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
skip() {
  echo "skipped: $1" >&2
  exit 77
}
work=$tests/current_engine
if [ "${2:-}" = install ]; then
  mkdir -p "$work"
  if ! cmp -s "$here/package.json" "$work/package.json" || [ ! -d "$work/node_modules/chdb" ]; then
    command -v npm >/dev/null || skip "npm is missing"
    (cd "$work" && rm -rf node_modules && cp "$here/package.json" . &&
      npm install --ignore-scripts --no-package-lock --no-audit --no-fund --silent) ||
      skip "the npm packages cannot be installed"
  fi
  exit
fi
[ -d "$work/node_modules/chdb" ] || skip "the npm packages are missing"
cp "$here/current_engine.mjs" "$work/"
ANALYTICS_CLICKHOUSE="$(command -v node) $work/current_engine.mjs" exec "$tests/cluster_tests" '~[nodes]'
